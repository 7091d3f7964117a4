# SPDX-License-Identifier: BSD-2-Clause
"""Installs what the build made, and removes it again.

    install.py install   --prefix /usr/local [--destdir FOLDER]
    install.py uninstall --prefix /usr/local [--destdir FOLDER]

Each file appears whole or not at all. Status 1, with a sentence, when a file cannot be written or removed.
"""
import argparse
import os
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import layout  # noqa: E402


class Refused(Exception):
    """A sentence for the user."""


def root_of(prefix, destdir):
    """The folder that stands for PREFIX."""
    if not os.path.isabs(prefix):
        raise Refused(f"PREFIX is '{prefix}', which does not begin with '/'; give PREFIX=/usr/local or another full path")
    return pathlib.Path(os.path.abspath(destdir) + prefix if destdir else prefix)


def why(error):
    """The reason of a failure, and the remedy where there is one."""
    remedy = "; run it as root, or give PREFIX a folder of your own" if isinstance(error, PermissionError) else ""
    return f"{error.filename}: {error.strerror}{remedy}"


def place(source, target, mode):
    """Write beside the target, then rename: a running program keeps its file."""
    new = target.with_name(f".{target.name}.new")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copyfile(source, new)
        new.chmod(mode)
        os.replace(new, target)
    finally:
        new.unlink(missing_ok=True)


def install(root):
    found = layout.files()
    for source, path, mode in found:
        place(source, root / path, mode)
    print(f"dprobes: installed {len(found)} files in {root}; 'scons uninstall' with the same PREFIX and DESTDIR removes them")


def uninstall(root):
    there = [root / path for _, path, _ in layout.files() if os.path.lexists(root / path)]
    for path in there:
        path.unlink()
    for folder in layout.OWN_FOLDERS:
        if (root / folder).is_dir() and not os.listdir(root / folder):
            (root / folder).rmdir()
    print(f"dprobes: removed {len(there)} files from {root}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=("install", "uninstall"))
    parser.add_argument("--prefix", default="/usr/local")
    parser.add_argument("--destdir", default="")
    given = parser.parse_args()
    try:
        {"install": install, "uninstall": uninstall}[given.action](root_of(given.prefix, given.destdir))
    except Refused as refusal:
        print(f"dprobes: error: {refusal}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"dprobes: error: {why(error) if error.filename else error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
