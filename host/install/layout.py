# SPDX-License-Identifier: BSD-2-Clause
"""Which file is installed where. The one list that install, uninstall and the package read."""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILT = "build/host"
PROGRAM, DATA = 0o755, 0o644

# (files, relative to the tree; folder under PREFIX; mode)
FILES = (
    (f"{BUILT}/dprobes", "bin", PROGRAM),
    (f"{BUILT}/libdprobes.a", "lib", DATA),
    (f"{BUILT}/libdprobes.so.*", "lib", DATA),
    ("host/install/dprobes.pc.in", "lib/pkgconfig", DATA),
    (f"{BUILT}/include/dprobes/*", "include/dprobes", DATA),
    (f"{BUILT}/man/*.1", "share/man/man1", DATA),
    (f"{BUILT}/man/*.5", "share/man/man5", DATA),
    ("host/install/completion/dprobes.bash", "share/bash-completion/completions", DATA),
    ("host/install/completion/_dprobes", "share/zsh/site-functions", DATA),
    ("host/install/completion/dprobes.fish", "share/fish/vendor_completions.d", DATA),
    ("host/python/dprobes/*.py", "@PYTHON@/dprobes", DATA),
    ("host/python/examples/*", "share/doc/dprobes/examples", DATA),
    ("LICENSE", "share/doc/dprobes", DATA),
    ("protocol/RPN.md", "share/doc/dprobes", DATA),
    ("host/lang/d/D.md", "share/doc/dprobes", DATA),
    ("host/present/*.md", "share/doc/dprobes", DATA),
)
# Folders that hold nothing but files of FILES, or what Python made of them: an uninstall removes them when they are empty.
OWN_FOLDERS = ("include/dprobes", "@PYTHON@/dprobes/__pycache__", "@PYTHON@/dprobes", "share/doc/dprobes/examples", "share/doc/dprobes")


def version():
    """DP_VERSION of dprobes/version.h."""
    text = (TOP / "host/include/dprobes/version.h").read_text(encoding="utf-8")
    return re.search(r'#define DP_VERSION "([^"]+)"', text).group(1)


def soname():
    """The name that a program remembers of the library: it changes with the first number of the version."""
    return f"libdprobes.so.{version().split('.', maxsplit=1)[0]}"


def links():
    """[(path under PREFIX, text of the symbolic link)]"""
    library = f"libdprobes.so.{version()}"
    return [(pathlib.PurePath("lib") / name, library) for name in (soname(), "libdprobes.so")]


def content(source, prefix):
    """The bytes to install of a file: .in files have places for facts of this installation."""
    data = source.read_bytes()
    if source.suffix == ".in":
        data = data.replace(b"@PREFIX@", prefix.encode()).replace(b"@VERSION@", version().encode())
    return data


def python_folder(prefix):
    """Where Python looks for modules: Debian's own in one folder, others in one for each version."""
    version_folder = "python3" if prefix == "/usr" else f"python{sys.version_info.major}.{sys.version_info.minor}"
    return f"lib/{version_folder}/dist-packages"


def own_folders(prefix):
    return [folder.replace("@PYTHON@", python_folder(prefix)) for folder in OWN_FOLDERS]


def files(prefix="/usr"):
    """[(source, path under PREFIX, mode)]; a row without a file is an error of the build."""
    found = []
    for pattern, folder, mode in FILES:
        sources = sorted(path for path in TOP.glob(pattern) if path.is_file())
        if not sources:
            raise FileNotFoundError(f"{pattern} is not built; run scons, which names the missing libraries")
        folder = folder.replace("@PYTHON@", python_folder(prefix))
        found += [(source, pathlib.PurePath(folder) / source.name.removesuffix(".in"), mode) for source in sources]
    return found
