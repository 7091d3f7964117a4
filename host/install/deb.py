# SPDX-License-Identifier: BSD-2-Clause
"""Makes a Debian package of what scons install installs under /usr.

    deb.py FOLDER     writes FOLDER/dprobes_VERSION_ARCHITECTURE.deb and prints its name
"""
import email.utils
import gzip
import hashlib
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

PACKAGE = "dprobes"
CONTROL = """Package: {package}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: cpp
Suggests: python3, python3-pytest, python3-labgrid
Section: devel
Priority: optional
Description: dynamic probes for firmware that has no operating system
 The command dprobes puts probes into running firmware over the serial line
 that also carries the console. An agent in the firmware verifies each
 program, arms its probes and sends their records. The package also has the
 library libdprobes, its headers, and a Python module over the library.
"""
# Where zsh of Debian looks for the completion of a package.
ZSH_FOLDER = "share/zsh/vendor-completions"
# What a package that links with the library depends on.
SHLIBS = "libdprobes {abi} {package} (>= {version})\n"
CHANGES = """{package} ({version}) unstable; urgency=medium

  * Version {version}.

 -- {maintainer}  {date}
"""
MAINTAINER = "dprobes maintainers <maintainers@dprobes.invalid>"
# The loader finds a new library once its cache is made again.
TRIGGERS = "activate-noawait ldconfig\n"
# Root's Python keeps compiled modules beside the package's; dpkg does not know them.
PRERM = """#!/bin/sh
set -e
rm -rf "$DPKG_ROOT/{folder}/dprobes/__pycache__"
"""


def date():
    """Of the package: of the build if it says so, else of the file that has the version."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    return email.utils.formatdate(int(said) if said else (layout.TOP / "host/include/dprobes/version.h").stat().st_mtime)


def output(*words, cwd=None):
    """What a tool of Debian prints."""
    if not shutil.which(words[0]):
        raise install.Refused(f"{words[0]} is not installed; it is in the package "
                              f"{'dpkg-dev' if words[0] == 'dpkg-shlibdeps' else 'dpkg'}, on Debian only")
    run = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise install.Refused(f"{' '.join(words[:1])} failed: {run.stderr.strip()}")
    return run.stdout


def binaries(usr):
    return [usr / "bin/dprobes", usr / "lib" / f"libdprobes.so.{layout.version()}"]


def as_debian_wants(usr):
    """Programs without debug information, manual pages compressed, licence and completion where Debian has them."""
    for path in binaries(usr):
        output("strip", "--strip-unneeded", str(path))
    output("strip", "--strip-debug", str(usr / "lib/libdprobes.a"))
    for page in sorted((usr / "share/man").rglob("*.[15]")):
        data = gzip.compress(page.read_bytes(), mtime=0)
        install.place(page.with_name(f"{page.name}.gz"), data, layout.DATA)
        page.unlink()
    (usr / ZSH_FOLDER).mkdir()
    (usr / "share/zsh/site-functions").rename(usr / ZSH_FOLDER)
    documents = usr / "share/doc" / PACKAGE
    (documents / "LICENSE").rename(documents / "copyright")
    changes = CHANGES.format(package=PACKAGE, version=layout.version(), maintainer=MAINTAINER, date=date())
    install.place(documents / "changelog.gz", gzip.compress(changes.encode(), mtime=0), layout.DATA)
    (usr / layout.MADE_FOLDERS).unlink()  # dpkg knows its folders


def sums(tree):
    """The text of md5sums, by which dpkg --verify finds files that were changed."""
    there = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    return "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in there)


def dependencies(folder, tree):
    """The packages with the libraries that command and library need, as dpkg-shlibdeps finds them."""
    (folder / "debian").mkdir()
    (folder / "debian/control").write_text(f"Source: {PACKAGE}\n\nPackage: {PACKAGE}\nArchitecture: any\n", encoding="utf-8")
    found = output("dpkg-shlibdeps", "-O", *(f"-e{path}" for path in binaries(tree / "usr")), cwd=folder)
    return found.strip().removeprefix("shlibs:Depends=")


def package(folder, target):
    """The package of a tree that is made in folder. Returns its path."""
    tree = folder / "tree"
    install.install(tree / "usr", "/usr", quiet=True)
    as_debian_wants(tree / "usr")
    sizes = [path.lstat().st_size for path in tree.rglob("*")]
    architecture = output("dpkg", "--print-architecture").strip()
    control = CONTROL.format(package=PACKAGE, maintainer=MAINTAINER, version=layout.version(), architecture=architecture,
                             kilobytes=sum(sizes) // 1024, depends=dependencies(folder, tree))
    digests = sums(tree)
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN/md5sums").write_text(digests, encoding="utf-8")
    (tree / "DEBIAN/control").write_text(control, encoding="utf-8")
    shlibs = SHLIBS.format(abi=layout.soname().rsplit(".", maxsplit=1)[1], package=PACKAGE, version=layout.version())
    (tree / "DEBIAN/shlibs").write_text(shlibs, encoding="utf-8")
    (tree / "DEBIAN/triggers").write_text(TRIGGERS, encoding="utf-8")
    install.place(tree / "DEBIAN/prerm", PRERM.format(folder=f"usr/{layout.python_folder('/usr')}").encode(), layout.PROGRAM)
    tree.chmod(layout.PROGRAM)
    (tree / "DEBIAN").chmod(layout.PROGRAM)
    made = folder / f"{PACKAGE}_{layout.version()}_{architecture}.deb"
    output("dpkg-deb", "--root-owner-group", "--build", str(tree), str(made))
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(made, target / f".{made.name}.new")
    os.replace(target / f".{made.name}.new", target / made.name)
    return target / made.name


def main():
    try:
        with tempfile.TemporaryDirectory() as folder:
            print(package(pathlib.Path(folder), pathlib.Path(sys.argv[1])))
    except (install.Refused, OSError) as refusal:
        print(f"dprobes: error: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
