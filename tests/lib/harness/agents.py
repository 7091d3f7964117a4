# SPDX-License-Identifier: BSD-2-Clause
"""Agents that the build does not make, with any set of features, in a firmware for the simulated CPU."""
import functools
import hashlib
import pathlib
import re
import subprocess
import tempfile

from .paths import BUILD, TESTS, TOP

import sources_mk

SIM_FILES = [TOP / name for name in sources_mk.source_files("port/sim")]
INCLUDES = [f"-I{TOP / name}" for name in ("protocol", *sources_mk.include_folders("agent"), "port", "port/sim", "tests/lib/tools")]
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
FREESTANDING = ["-ffreestanding", "-fno-pic", "-fno-stack-protector", "-fno-tree-loop-distribute-patterns"]


def agent_files():
    """The files of agent and protocol, and those of each feature by name."""
    lists = sources_mk.read(str(TOP / "agent"))
    of_feature = {name[:-len("_SOURCES")]: sources_mk.words(lists, name)
               for name in lists if name.endswith("_SOURCES")}
    files = [TOP / "agent" / word for words in of_feature.values() for word in words]
    files += [TOP / "protocol" / word
              for word in sources_mk.words(sources_mk.read(str(TOP / "protocol")), "PROTOCOL_SOURCES")]
    return files, of_feature


def files_of(features, all_features):
    """The files of agent and protocol that an agent with these features needs."""
    files, of_feature = agent_files()
    gone = {TOP / "agent" / name for feature in all_features if feature not in features for name in of_feature.get(feature, [])}
    return [file for file in files if file not in gone]


def preprocessed(files, options):
    """What the compiler sees of each file. The parts are in no text that does not use it."""
    out = subprocess.run(["gcc", "-std=c11", *options, *INCLUDES, "-E", *files], check=True, capture_output=True, text=True).stdout
    lines, names, file = {str(file): [] for file in files}, {str(file) for file in files}, None
    for line in out.splitlines():
        if line.startswith("# "):
            name = line.split('"')[1]
            file = name if name in names else file
        elif line:
            lines[file].append(line)
    texts = {}
    for file in files:
        text = "\n".join(lines[str(file)])
        without = re.sub(r"enum \{\s+(DP_PARTS_ALL|DP_WITH_ALWAYS) =[^;]*;", "", text)
        texts[file] = text if re.search("DP_PARTS|DP_HAS_", without) else without
    return texts


class Objects:
    """Compiled files, in a folder that all tests and all their processes share. A file is compiled when what the compiler
    sees of it never was before."""

    def __init__(self, folder=None):
        self.folder = folder or BUILD / "tests" / "objects"
        self.folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, files, options, flags=FREESTANDING):
        """The files' objects, in their order."""
        command = ["gcc", "-O1", *WARNINGS, *flags]
        texts = preprocessed(files, [*flags, *options])
        made = {file: self.folder / f"{file.stem}-{_digest(compiler_version(), command, file, texts[file])}.o" for file in files}
        new = [file for file in files if not made[file].exists()]
        if new:
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                subprocess.run([*command, *options, *INCLUDES, "-c", *new], cwd=folder, check=True)
                for file in new:  # whole or not there, for another process too
                    (pathlib.Path(folder) / f"{file.stem}.o").replace(made[file])
        return [made[file] for file in files]


@functools.lru_cache
def compiler_version():
    """A line that changes with the compiler."""
    return subprocess.run(["gcc", "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]


def _digest(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def asked_of_others(objects):
    """What the objects, linked, still need and no port has."""
    there, needed = set(), set()
    for line in subprocess.run(["nm", *objects], check=True, text=True, capture_output=True).stdout.splitlines():
        words = line.split()
        if len(words) >= 2 and words[-2].isupper():
            (needed if words[-2] == "U" else there).add(words[-1])
    return [name for name in needed - there if not name.startswith(("dp_port_", "dp_sim_"))]


def hosted_objects(main, objects, options):
    """The firmware around agent and port: it prints."""
    return objects([TESTS / "lib/target/sim_firmware.c", TESTS / "lib" / "target" / main], options, flags=[])


def linked(program, objects):
    return subprocess.run(["gcc", "-no-pie", "-o", program, *objects], capture_output=True, text=True, check=False)


def firmware(main, objects, folder, files, options):
    """The firmware tests/lib/tools/main with the files of an agent, linked: how that ended."""
    return linked(folder / "firmware", [*objects([*files, *SIM_FILES], options), *hosted_objects(main, objects, options)])
