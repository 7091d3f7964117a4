# SPDX-License-Identifier: BSD-2-Clause
"""Installs what the build made, and removes it again.

    install.py install   --prefix /usr/local [--libdir lib64] [--destdir FOLDER]
    install.py uninstall --prefix /usr/local [--libdir lib64] [--destdir FOLDER]

--libdir is relative to the prefix, or a full path under the prefix.

Each file appears whole or not at all. Status 1, with a sentence, when a file cannot be written or removed.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = sys.pycache_prefix is None
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import layout  # noqa: E402


LOADER_PREFIXES = ("/usr", "/usr/local")


class Refused(Exception):
    """A sentence for the user."""


def root_of(prefix, destdir):
    """The folder that stands for PREFIX."""
    if not os.path.isabs(prefix):
        raise Refused(f"PREFIX is '{prefix}', which does not begin with '/'; give PREFIX=/usr/local or another full path")
    return pathlib.Path(os.path.abspath(destdir) + prefix if destdir else prefix)


def one_form(prefix):
    """/usr/ is /usr."""
    return os.path.normpath("/" + prefix.lstrip("/")) if os.path.isabs(prefix) else prefix


def lib_under(prefix, libdir):
    """The folder of the libraries, relative to the prefix."""
    found = os.path.relpath(libdir, prefix) if os.path.isabs(libdir) else os.path.normpath(libdir)
    if found.startswith("..") or found == ".":
        raise Refused(f"LIBDIR is '{libdir}', which is no folder below the prefix {prefix}; give LIBDIR=lib64 or the like")
    return found


def why(error):
    """The reason of a failure, and the remedy where there is one."""
    remedy = "; run it as root, or give PREFIX a folder of your own" if isinstance(error, PermissionError) else ""
    return f"{error.filename}: {error.strerror}{remedy}"


def make_folder(folder):
    """Every user may search a new folder, whatever the umask is. Returns the folders that were not there."""
    if folder.is_dir():
        return []
    made = make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    folder.chmod(layout.PROGRAM)
    return [*made, folder]


def renamed(target, make):
    """Make a file beside the target, then rename: a running program keeps its file."""
    new = target.with_name(f".{target.name}.new")
    try:
        new.unlink(missing_ok=True)
        make(new)
        os.replace(new, target)
    finally:
        new.unlink(missing_ok=True)


def place(target, data, mode):
    def write(new):
        new.write_bytes(data)
        new.chmod(mode)
    renamed(target, write)


def made_before(root):
    """The folders that installs have made, relative to root."""
    try:
        lines = (root / layout.MADE_FOLDERS).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return set()
    return {pathlib.PurePath(line) for line in lines if not line.startswith("/") and ".." not in line.split("/")}


def install(root, prefix, lib=layout.LIB, quiet=False):
    found, links = layout.files(prefix, lib), layout.links(lib)
    note = root / layout.MADE_FOLDERS
    made = made_before(root)
    for path in [note, *(root / path for _, path, _ in found), *(root / path for path, _ in links)]:
        made |= {folder.relative_to(root) for folder in make_folder(path.parent) if folder.is_relative_to(root)}
    # First: an install that fails in the middle can be removed too.
    place(note, "".join(f"{folder}\n" for folder in sorted(made)).encode(), layout.DATA)
    for source, path, mode in found:
        place(root / path, layout.content(source, prefix, lib), mode)
    for path, text in links:
        renamed(root / path, lambda new, text=text: new.symlink_to(text))
    if quiet:
        return
    print(f"dprobes: installed {len(found) + len(links)} files in {root}; "
          "'scons uninstall' with the same PREFIX, LIBDIR and DESTDIR removes them")


def compiled(path):
    """The files that Python keeps beside a module."""
    return (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc") if path.suffix == ".py" else []


def uninstall(root, prefix, lib=layout.LIB):
    ours = [path for _, path, _ in layout.files(prefix, lib)] + [path for path, _ in layout.links(lib)]
    there = [root / path for path in ours if os.path.lexists(root / path)]
    for path in there + [found for path in ours for found in compiled(root / path)]:
        path.unlink()
    made = made_before(root)
    (root / layout.MADE_FOLDERS).unlink(missing_ok=True)
    # The deepest first. "." is PREFIX itself.
    for folder in [layout.python_made(prefix), *sorted(made, key=lambda path: len(path.parts), reverse=True)]:
        if (root / folder).is_dir() and not os.listdir(root / folder):
            (root / folder).rmdir()
    print(f"dprobes: removed {len(there)} files from {root}")


def refresh(prefix, destdir):
    """The loader of this machine finds a library in its own folders once its cache is made again."""
    if not destdir and prefix in LOADER_PREFIXES and os.geteuid() == 0 and shutil.which("ldconfig"):
        subprocess.run(["ldconfig"], check=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=("install", "uninstall"))
    parser.add_argument("--prefix", default="/usr/local")
    parser.add_argument("--libdir", default=layout.LIB)
    parser.add_argument("--destdir", default="")
    given = parser.parse_args()
    given.prefix = one_form(given.prefix)
    try:
        {"install": install, "uninstall": uninstall}[given.action](
            root_of(given.prefix, given.destdir), given.prefix, lib_under(given.prefix, given.libdir))
        refresh(given.prefix, given.destdir)
    except Refused as refusal:
        print(f"dprobes: error: {refusal}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"dprobes: error: {why(error) if error.filename else error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
