# SPDX-License-Identifier: BSD-2-Clause
"""Which file is installed where. The one list that install, uninstall and the package read."""
import pathlib

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILT = "build/host"
PROGRAM, DATA = 0o755, 0o644

# (files, relative to the tree; folder under PREFIX; mode)
FILES = (
    (f"{BUILT}/dprobes", "bin", PROGRAM),
    (f"{BUILT}/libdprobes.a", "lib", DATA),
    (f"{BUILT}/include/dprobes/*.h", "include/dprobes", DATA),
    (f"{BUILT}/man/*.1", "share/man/man1", DATA),
    (f"{BUILT}/man/*.5", "share/man/man5", DATA),
    ("LICENSE", "share/doc/dprobes", DATA),
    ("protocol/RPN.md", "share/doc/dprobes", DATA),
    ("host/present/*.md", "share/doc/dprobes", DATA),
)
# Folders that hold nothing but files of FILES: an uninstall removes them when they are empty.
OWN_FOLDERS = ("include/dprobes", "share/doc/dprobes")


def files():
    """[(source, path under PREFIX, mode)]; a row without a file is an error of the build."""
    found = []
    for pattern, folder, mode in FILES:
        sources = sorted(TOP.glob(pattern))
        if not sources:
            raise FileNotFoundError(f"{pattern} is not built; run scons, which names the missing libraries")
        found += [(source, pathlib.PurePath(folder) / source.name, mode) for source in sources]
    return found
