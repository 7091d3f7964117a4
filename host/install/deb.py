# SPDX-License-Identifier: BSD-2-Clause
"""Makes a source package of Debian from the tree, and a binary package from what the build made.

    deb.py FOLDER              writes dprobes_VERSION.dsc, dprobes_VERSION.tar.gz and dprobes_VERSION_ARCHITECTURE.deb to
                               FOLDER, and prints their names
    deb.py FOLDER --compile    compiles the binary package from the source package, as a builder of Debian does

The source package is the tree with host/install/debian as its folder debian/.
"""
import argparse
import email.utils
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = sys.pycache_prefix is None
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import install  # noqa: E402
import layout  # noqa: E402

PACKAGE, PACKAGING = "dprobes", "host/install/debian"
CHANGES = """{package} ({version}) unstable; urgency=medium

  * Version {version}.

 -- {maintainer}  {date}
"""
TOOLS = (("dpkg-source", "dpkg-dev"), ("make", "make"), ("dh", "debhelper"))
NOT_SOURCES = {".git", "build", "__pycache__", ".pytest_cache"}


def date():
    """Of the package: of the build if it says so, else of the file that has the version."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    return email.utils.formatdate(int(said) if said else (layout.TOP / "host/include/dprobes/version.h").stat().st_mtime)


def check_tools():
    """All that makes a package, before anything is made."""
    for tool, package in TOOLS:
        if not shutil.which(tool):
            raise install.Refused(f"{tool} is not installed; it is in the package {package} of Debian: sh tests/setup.sh installs it")


def run(*words, cwd, **environment):
    """A tool of Debian, in the language of this script."""
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C", **environment})
    if done.returncode != 0:
        raise install.Refused(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}".rstrip())


def sources():
    """The files of the tree, relative to its top: those of git, or all but what builds and tests leave."""
    git = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=layout.TOP, capture_output=True,
                         text=True, check=False) if shutil.which("git") and (layout.TOP / ".git").exists() else None
    if git and git.returncode == 0:
        return [name for name in git.stdout.split("\0") if name and os.path.lexists(layout.TOP / name)]
    found = []
    for folder, folders, files in os.walk(layout.TOP):
        folders[:] = [name for name in folders if name not in NOT_SOURCES]
        found += [os.path.relpath(os.path.join(folder, name), layout.TOP) for name in files if not name.startswith(".sconsign")]
    return found


def maintainer():
    """As the control file has it."""
    text = (layout.TOP / PACKAGING / "control").read_text(encoding="utf-8")
    return next(line.partition(": ")[2] for line in text.splitlines() if line.startswith("Maintainer: "))


def assemble(tree):
    """The tree of the source package."""
    for name in sources():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(layout.TOP / name, tree / name, follow_symlinks=False)
    shutil.copytree(layout.TOP / PACKAGING, tree / "debian", dirs_exist_ok=True)
    (tree / "debian/source/format").write_text("3.0 (native)\n", encoding="utf-8")
    (tree / "debian/changelog").write_text(
        CHANGES.format(package=PACKAGE, version=layout.version(), maintainer=maintainer(), date=date()), encoding="utf-8")


def packages(folder, compiled):
    """Make source and binary package in folder. Returns their paths."""
    tree = folder / f"{PACKAGE}-{layout.version()}"
    assemble(tree)
    run("dpkg-source", "--compression=gzip", "--build", tree.name, cwd=folder)
    if compiled:
        run("dpkg-buildpackage", "--build=binary", "--no-sign", f"--jobs={os.cpu_count()}", cwd=tree)
    else:
        run(str(tree / "debian/rules"), "binary", cwd=tree, BUILT=str(layout.TOP), DEB_BUILD_OPTIONS="noautodbgsym")
    return sorted(path for path in folder.iterdir() if path.suffix in (".dsc", ".gz", ".deb"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--compile", action="store_true")
    given = parser.parse_args()
    os.umask(0o022)  # every user reads the files of a package
    try:
        check_tools()
        given.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=given.folder.resolve(), prefix=".deb") as folder:
            for made in packages(pathlib.Path(folder), given.compile):
                os.replace(made, given.folder / made.name)
                print(given.folder / made.name)
    except (install.Refused, OSError) as refusal:
        print(f"dprobes: error: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
