# SPDX-License-Identifier: BSD-2-Clause
"""The ARM port alone, without the agent's core: tests/guests/arm under QEMU.

Run-twice oracle (spec/stepping.md 1.10): each instruction of cases.py is executed plain and probed
from the same state, over flags, IT states, alignment, CPU modes and interrupt masks; registers,
banked registers, memory, code and the exception that ends it must agree. Variants: a probe without
and with a program; one that wants to know the end, with a callback that has probes in it; a second
probe on the next instruction; no slot left. Refused instructions must be refused for the right
reason. Nothing that the decode tables step may stay untried: coverage.py.
"""
import collections
import re
import subprocess
import sys

import pytest

import sources_mk
from harness.paths import BUILD, TESTS, TOP, program

GUEST = TESTS / "guests" / "arm"
sys.path.insert(0, str(GUEST))
import cases  # noqa: E402
import coverage  # noqa: E402
import arm_tables  # noqa: E402
import vectors  # noqa: E402

TARGETS = {
    "versatilepb": {"arch": "armv5te", "flags": ["-mcpu=arm926ej-s", "-marm"], "ram": "0",
                    "architecture": 5, "a32": 1700, "thumb": 600},
    "vexpress-a9": {"arch": "armv7-a", "flags": ["-mcpu=cortex-a9", "-mthumb"], "ram": "0x60000000",
                    "architecture": 7, "a32": 1700, "thumb": 1300},
}
MARGIN_BYTES = 4 * 1088  # main.c, MARGIN_WORDS
VECTORS_MIN = {"a32": 80, "thumb": 80}
MAGIC_STATUS = 42  # of a guest that reached its end and is content


def build(machine):
    """The guest's ELF."""
    facts = TARGETS[machine]
    gcc = program("arm-none-eabi-gcc")
    folder = BUILD / "guests" / machine
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-B", GUEST / "cases.py", facts["arch"], folder / "cases.inc"],
                   check=True)
    (folder / "vectors.inc").write_text("\n".join(vectors.as_c(facts["arch"])) + "\n", encoding="ascii")
    (folder / "questions.inc").write_text(
        "\n".join(vectors.questions_as_c(facts["architecture"])) + "\n", encoding="ascii")
    sources = [TOP / name for name in sources_mk.source_files("port/arm")]
    sources += [GUEST / "main.c", GUEST / "start.S"]
    include = [f"-I{TOP / name}" for name in ("protocol", "agent", "port", "port/arm")]
    objects = []
    for source in sources:
        objects.append(folder / f"{source.stem}.o")
        subprocess.run([gcc, "-std=c11", "-g", "-O2" if source.parent == GUEST else "-Os", *facts["flags"], "-Wall", "-Wextra", "-Werror",
                        "-ffreestanding", f"-DRAM_BASE={facts['ram']}", f"-I{folder}", *include,
                        "-c", source, "-o", objects[-1]], check=True, cwd=TOP)
    elf = folder / "guest.elf"
    subprocess.run([gcc, *facts["flags"], "-nostdlib", f"-Wl,--defsym=RAM_BASE={facts['ram']}",
                    "-Wl,--no-warn-rwx-segments", "-T", GUEST / "guest.ld", *objects, "-lgcc",
                    "-o", elf], check=True)
    return elf


@pytest.mark.seconds(400)
@pytest.mark.parametrize("machine", TARGETS)
def test_run_twice(machine):
    qemu = program("qemu-system-arm")
    done = subprocess.run(
        ["timeout", "-k", "5", "380", qemu, "-M", machine, "-display", "none", "-monitor", "none",
         "-serial", "null", "-semihosting", "-audiodev", "none,id=a0", "-kernel", build(machine)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    print(output)
    assert done.returncode == MAGIC_STATUS and "PASS" in output, output[:4000]
    print_counts(output, machine)


def print_counts(output, machine):
    """The guest has tried what cases.py made, row by row, as its own decoder finds the rows."""
    architecture = TARGETS[machine]["architecture"]
    tried = {(table, int(row)): int(count) for table, row, count in re.findall(
        r"^row (\w+) (\d+): (\d+) ", output, re.MULTILINE)}
    wanted, distinct = collections.Counter(), {True: set(), False: set()}
    for case in cases.all_cases(architecture):
        if not case.refusal:
            row = cases.row_of(case, architecture)
            wanted[row.table, row.number] += 1
            distinct[case.thumb].add(case.insn)
    assert tried == wanted
    ran = re.search(r"vectors a32 (\d+) thumb (\d+)", output)
    known = collections.Counter(row[0] for row in vectors.read(TARGETS[machine]["arch"]))
    assert (int(ran[1]), int(ran[2])) == (known["a32"], known["thumb"])
    assert all(known[isa] >= least for isa, least in VECTORS_MIN.items())
    print(f"{machine}: {len(distinct[False])} A32 and {len(distinct[True])} Thumb encodings")
    assert len(distinct[False]) >= TARGETS[machine]["a32"]
    assert len(distinct[True]) >= TARGETS[machine]["thumb"]


@pytest.mark.parametrize("architecture", (5, 7))
def test_nothing_untried(architecture):
    """Coverage gate: every row, every open bit of it, every class of its registers."""
    gaps = list(coverage.gaps(architecture))
    assert not gaps, "\n".join(gaps)


def test_gate_can_fail():
    """A row without cases, and one with a single one, are noticed."""
    row = next(row for row in arm_tables.TABLES["a32"] if row.what == "clz")
    assert coverage.untried_bits(row, {0xe16f0f11}, 7)
    assert list(coverage.untried_registers(row, {0xe16f0f11}))
