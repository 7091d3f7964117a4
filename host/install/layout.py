# SPDX-License-Identifier: BSD-2-Clause
"""Which file is installed where. The one list that install, uninstall and the package read.

PREFIX and LIBDIR are those of `scons install`: LIBDIR is the folder of the libraries under PREFIX (lib, lib64,
lib/x86_64-linux-gnu). Python looks for modules in lib, whatever LIBDIR is.
"""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILT = "build/host"
PROGRAM, DATA = 0o755, 0o644
LIB = "lib"

# (files, relative to the tree, @VERSION@ that of the tree; folder under PREFIX; mode)
FILES = (
    (f"{BUILT}/dprobes", "bin", PROGRAM),
    (f"{BUILT}/libdprobes.a", "@LIB@", DATA),
    (f"{BUILT}/libdprobes.so.@VERSION@", "@LIB@", DATA),
    ("host/install/dprobes.pc.in", "@LIB@/pkgconfig", DATA),
    (f"{BUILT}/include/dprobes/*", "include/dprobes", DATA),
    (f"{BUILT}/man/*.1", "share/man/man1", DATA),
    (f"{BUILT}/man/*.5", "share/man/man5", DATA),
    ("host/install/completion/dprobes.bash", "share/bash-completion/completions", DATA),
    ("host/install/completion/_dprobes", "share/zsh/site-functions", DATA),
    ("host/install/completion/dprobes.fish", "share/fish/vendor_completions.d", DATA),
    ("host/lang/d/providers/*.provider.d", "share/dprobes/d", DATA),
    ("host/python/dprobes/*.py", "@PYTHON@/dprobes", DATA),
    ("host/python/METADATA.in", "@PYTHON@/dprobes-@VERSION@.dist-info", DATA),
    ("host/python/examples/*", "share/doc/dprobes/examples", DATA),
    ("tests/host/simple_user.c", "share/doc/dprobes/examples", DATA),
    ("LICENSE", "share/doc/dprobes", DATA),
)
# Trees that keep their folders: the agent for the builds of firmware, as scons release makes it, and the files of the
# agent for trees that compile these (agent/tree). None: all files of the folder.
AGENT_FILES = {".c", ".h", ".S", ".def", ".mk", ".ld", ".defs", ".txt", ""}
TREES = (
    ("build/release", "share/dprobes/agent", None),
    ("agent", "share/dprobes/tree/agent", AGENT_FILES),
    ("port", "share/dprobes/tree/port", AGENT_FILES),
    ("protocol", "share/dprobes/tree/protocol", AGENT_FILES),
)
# The documents, in the folders of the source tree, so that their links hold: what this one points at, and so on. The
# tests stay in the source tree: a link to them becomes plain words.
FIRST_DOCUMENT, DOCUMENTS, NOT_DOCUMENTS = "README.md", "share/doc/dprobes", "tests"
# The folders that an install made, one a line, so that an uninstall removes them.
MADE_FOLDERS = "share/dprobes/made-folders"
_LINK = re.compile(r"(?:\[([^][]*))?\]\(([^)#:]+)(?:#[^)]*)?\)")


def version():
    """DP_VERSION of dprobes/version.h."""
    text = (TOP / "host/include/dprobes/version.h").read_text(encoding="utf-8")
    return re.search(r'#define DP_VERSION "([^"]+)"', text).group(1)


def soname():
    """The name that a program remembers of the library: it changes with the first number of the version."""
    return f"libdprobes.so.{version().split('.', maxsplit=1)[0]}"


def links(lib=LIB):
    """[(path under PREFIX, text of the symbolic link)]"""
    library = f"libdprobes.so.{version()}"
    return [(pathlib.PurePath(lib) / name, library) for name in (soname(), "libdprobes.so")]


def targets(document):
    """[(link, words, path in the tree)] of a document's links to files of the tree, which is a path in the tree."""
    for match in _LINK.finditer((TOP / document).read_text(encoding="utf-8")):
        target = (TOP / document.parent / match.group(2)).resolve()
        if target.exists() and target.is_relative_to(TOP):
            yield match.group(0), match.group(1) or "", target.relative_to(TOP)


def content(source, prefix, lib=LIB):
    """The bytes to install of a file: .in files have places for facts of this installation."""
    data = source.read_bytes()
    if source.suffix == ".md" and source.is_relative_to(TOP):
        for link, words, target in targets(source.relative_to(TOP)):
            if target.parts[0] == NOT_DOCUMENTS:
                data = data.replace(link.encode(), words.encode())
    if source.suffix == ".in":
        data = data.replace(b"@PREFIX@", prefix.encode()).replace(b"@VERSION@", version().encode()).replace(b"@LIB@", lib.encode())
    return data


def python_folder(prefix):
    """Where Python looks for modules: Debian's own in one folder, others in one for each version."""
    version_folder = "python3" if prefix == "/usr" else f"python{sys.version_info.major}.{sys.version_info.minor}"
    return f"lib/{version_folder}/dist-packages"


def named(folder, prefix, lib):
    """A folder of FILES with its names filled in."""
    return folder.replace("@PYTHON@", python_folder(prefix)).replace("@VERSION@", version()).replace("@LIB@", lib)


def python_made(prefix):
    """The folder of what Python keeps beside the modules."""
    return f"{python_folder(prefix)}/dprobes/__pycache__"


def documents():
    """The paths in the tree of all files that the documents point at, and of the documents."""
    found, waiting = set(), [pathlib.PurePath(FIRST_DOCUMENT)]
    while waiting:
        path = waiting.pop()
        if path in found or path.parts[0] == NOT_DOCUMENTS:
            continue
        found.add(path)
        if path.suffix != ".md":
            continue
        waiting += [target for _, _, target in targets(path) if (TOP / target).is_file()]
    return sorted(found)


def trees():
    """[(source, path under PREFIX, mode)] of TREES and of the documents."""
    found = [(TOP / path, pathlib.PurePath(DOCUMENTS) / path, DATA) for path in documents()]
    for tree, folder, suffixes in TREES:
        sources = sorted(path for path in (TOP / tree).rglob("*") if path.is_file()
                         and (suffixes is None or path.suffix in suffixes and not path.name.startswith(".")))
        if not sources:
            raise FileNotFoundError(f"{tree} is not built; run scons, which makes it")
        found += [(source, pathlib.PurePath(folder) / source.relative_to(TOP / tree), DATA) for source in sources]
    return found


def files(prefix="/usr", lib=LIB):
    """[(source, path under PREFIX, mode)]; a row without a file is an error of the build."""
    found = []
    for pattern, folder, mode in FILES:
        sources = sorted(path for path in TOP.glob(pattern.replace("@VERSION@", version())) if path.is_file())
        if not sources:
            raise FileNotFoundError(f"{pattern} is not built; run scons, which names the missing libraries")
        folder = named(folder, prefix, lib)
        found += [(source, pathlib.PurePath(folder) / source.name.removesuffix(".in"), mode) for source in sources]
    return found + trees()
