# SPDX-License-Identifier: BSD-2-Clause
"""The guests that check a port alone: tests/guests/CPU, with what CPUs share in tests/guests/common."""
import subprocess

import cpus
import measure_vectors
import sources_mk

from .paths import TESTS, TOP

GUESTS = TESTS / "guests"
COMMON = GUESTS / "common"


def vector_flags(code, data, first, words):
    """The compiler's flags for common/vectors.c: where the vectors were measured, what the data held before."""
    return [f"-DVECTOR_CODE={code:#x}u", f"-DVECTOR_DATA={data:#x}u", f"-DVECTOR_FIRST={first:#x}u", f"-DVECTOR_WORDS={words}"]


def write_vectors(folder, vectors, words):
    """Writes vectors.inc and effects.inc for common/vectors.c. vectors: (text, instructions, registers before, what is
    different after); mN: word N of the data. words: register -> word of struct state, a number or its name in C."""
    effects, rows = [], []
    for text, code, *states in vectors:
        places = []
        for values in states:
            places += [len(effects), len(values)]
            effects += [f"{{{words[name] if name in words else 1000 + int(name[1:])}, {value:#x}}}," for name, value in values.items()]
        first, second, *_ = [*code, 0]
        rows.append(f'{{"{text}", {{{first:#x}, {second:#x}}}, {len(code)}, {", ".join(map(str, places))}}},')
    (folder / "effects.inc").write_text("\n".join(effects) + "\n", encoding="ascii")
    (folder / "vectors.inc").write_text("\n".join(rows) + "\n", encoding="ascii")


def measured(cpu, order):
    """The vectors of tests/port/vectors/CPU.txt for a byte order, for write_vectors. Only what a vector names is
    known of the registers that faults change."""
    of_faults = cpus.of(cpu).measured["of_faults"]
    for vector in measure_vectors.read(cpu):
        if vector["order"] in ("any", order):
            before = {name: value for name, value in vector["before"].items() if name not in of_faults}
            yield vector["name"], vector["code"], before, {name: vector["after"][name] for name in sorted(vector["named"])}


def measured_flags(cpu):
    """vector_flags of these."""
    facts, memory = cpus.of(cpu).measured, measure_vectors.data_before()
    return vector_flags(facts["code"], facts["data"], memory[0], len(memory))


def link(cpu, folder, gcc, compile_flags, link_flags, libraries=()):
    """Compiles port and guest of a CPU into the folder, which has the guest's .inc files; the ELF."""
    sources = [TOP / path for path in sources_mk.port_files(cpu)]
    sources += sorted(COMMON.glob("*.c"))
    sources += sorted((GUESTS / cpu).glob("*.[cS]"))
    places = [folder, TOP / "protocol", *(TOP / name for name in sources_mk.include_folders("agent")), TOP / "port", TOP / "port" / cpu, COMMON, GUESTS / cpu]
    include = [f"-I{place}" for place in places]
    objects = []
    for source in sources:
        objects.append(folder / ("-".join(source.relative_to(TOP).parts) + ".o"))
        subprocess.run([gcc, "-std=c11", "-g", "-Os", *compile_flags, "-Wall", "-Wextra", "-Werror",
                        "-ffreestanding", "-DDP_PROFILE=DP_PROFILE_FULL", "-fno-tree-loop-distribute-patterns", *include,
                        "-c", source, "-o", objects[-1]], check=True, cwd=TOP)
    elf = folder / "guest.elf"
    subprocess.run([gcc, *compile_flags, "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=none",
                    "-Wl,--no-warn-rwx-segments", *link_flags, "-T", GUESTS / cpu / "guest.ld",
                    *objects, *libraries, "-o", elf], check=True)
    return elf
