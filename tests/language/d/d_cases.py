# SPDX-License-Identifier: BSD-2-Clause
"""The firmware of the D tests, and the programs of errors.txt."""
import dataclasses
import pathlib
import subprocess

import cpus
from harness.paths import program

HERE = pathlib.Path(__file__).resolve().parent
ERRORS = HERE / "errors.txt"
SOURCES = ["firmware.c", "firmware_more.c"]
FLAGS = ["-g", "-O1", "-fno-inline", "-foptimize-sibling-calls", "-nostdlib", "-ffreestanding", "-Wl,-e,main", "-Wl,--build-id=none"]
COMPILERS = cpus.column("d_gcc")


@dataclasses.dataclass
class Case:
    """A program that is refused, and what is said of it."""

    tag: str
    name: str
    program: str
    said: list


def firmware(folder, cpu="arm", sources=SOURCES, more=()):
    """Compile the sources in the folder, with more flags. Returns the ELF file."""
    gcc, flags = COMPILERS[cpu]
    elf = folder / f"{cpu}.elf"
    for name in sources:
        (folder / name).write_text((HERE / name).read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run([program(gcc), *FLAGS, "-o", elf, *sources, *flags, *more], cwd=folder, check=True)
    return elf


def head():
    """The comment in front of errors.txt."""
    return ERRORS.read_text(encoding="utf-8").split("\n\n=", 1)[0] + "\n"


def errors():
    """Every Case of errors.txt."""
    found = []
    for block in ("\n" + ERRORS.read_text(encoding="utf-8")).split("\n= ")[1:]:
        first, *lines = block.rstrip("\n").split("\n")
        tag, name = first.split()
        text = "".join(f"{line}\n" for line in lines if not line.startswith(">"))
        said = [line[2:] for line in lines if line.startswith(">")]
        found.append(Case(tag, name, text, said))
    return found


def refused(tool, folder, case):
    """Compile the program with the words of a line `// arguments: ` in it. Returns the lines that are printed."""
    words = [word for line in case.program.splitlines() if line.startswith("// arguments: ") for word in line.split()[2:]]
    (folder / "t.d").write_text("#pragma D option errtags\n" + case.program, encoding="utf-8")
    result = tool("build", "--elf", folder / "arm.elf", "-o", "t.ppdf", "t.d", *words, cwd=folder)
    assert not (folder / "t.ppdf").exists(), f"{case.tag} {case.name} is compiled"
    assert result.status == 1 and result.stdout == "", (result.status, result.stdout)
    return result.stderr.splitlines()
