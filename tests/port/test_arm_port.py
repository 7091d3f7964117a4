# SPDX-License-Identifier: BSD-2-Clause
"""The ARM port alone, without the agent's core: tests/guests/arm under QEMU.

Run-twice oracle (port/README.md, "The test kit"): each instruction of cases.py is executed plain and probed
from the same state, over flags, IT states, alignment, CPU modes and interrupt masks; registers,
banked registers, memory, code and the exception that ends it must agree. Variants: a probe without
and with a program, and a second probe on the next instruction, each of them from every such state, which
gates.c counts; one that wants to know the end, with a callback that has probes in it; no slot left. Refused instructions must be refused for the right
reason. Nothing that the decode tables step may stay untried: coverage.py.
"""
import collections
import re
import subprocess
import sys

import pytest

from harness import guests
from harness.paths import BUILD, TESTS, program
from harness.qemu import parameters

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
MARGIN_BYTES = 4 * 1088  # guest.h, DATA_MARGIN
VECTORS_MIN = 80  # of each instruction set that the CPU has
# Where each case is run from: states.c, starts_of. Flags are NZCV, ITSTATE as an instruction may have it.
IT_STATES = (0x00, 0x08, 0x18, 0xa8, 0x04, 0x0c, 0x15, 0xe4)
MODES = 7
STATE_STRIDE = 128  # of the pairs of flags and ITSTATE that a case begins in; scons nightly takes each
FIQ = 1  # the second of them
MAGIC_STATUS = 42  # of a guest that reached its end and is content


def build(machine, *defines):
    """The guest's ELF."""
    facts = TARGETS[machine]
    gcc = program("arm-none-eabi-gcc")
    folder = BUILD / "guests" / machine / "-".join(["whole", *defines]).replace("whole-", "")
    folder.mkdir(parents=True, exist_ok=True)
    cases.main(facts["arch"], folder / "cases.inc")
    (folder / "vectors.inc").write_text("\n".join(vectors.as_c(facts["arch"])) + "\n", encoding="ascii")
    (folder / "questions.inc").write_text(
        "\n".join(vectors.questions_as_c(facts["architecture"])) + "\n", encoding="ascii")
    flags = [*facts["flags"], *(f"-D{define}" for define in defines), f"-DRAM_BASE={facts['ram']}"]
    return guests.link("arm", folder, gcc, flags, [f"-Wl,--defsym=RAM_BASE={facts['ram']}"], ["-lgcc"])


def run(machine, elf):
    """What the guest says."""
    qemu = program("qemu-system-arm")
    done = subprocess.run(
        ["timeout", "-k", "5", "1500", qemu, "-M", machine, "-display", "none", "-monitor", "none",
         "-serial", "null", "-semihosting", "-audiodev", "none,id=a0", "-kernel", elf],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    print(output)
    assert done.returncode == MAGIC_STATUS and "PASS" in output, output[:4000]
    return output


# proves: A3.22 P2.5 P3.2 P4.2 P4.5 P4.8
@pytest.mark.parametrize("machine, stride", [
    pytest.param("vexpress-a9", STATE_STRIDE, id="vexpress-a9"),
    *(pytest.param(machine, 1, id=f"{machine}-each", marks=pytest.mark.nightly) for machine in TARGETS)])
def test_run_twice(machine, stride):
    defines = [f"STATE_STRIDE={stride}"] if stride > 1 else []
    print_counts(run(machine, build(machine, *defines)), machine, stride)


PARTS_STRIDE = 47  # a case in so many runs again
# The part that is left out, the instructions that are refused then, and the stride of a usual run.
PARTS = {
    "thumb": (["DP_ARM_WITH_THUMB=0"], lambda insn, thumb, size, architecture: thumb, PARTS_STRIDE),
    "a32": (["DP_ARM_WITH_A32=0"], lambda insn, thumb, size, architecture: not thumb, PARTS_STRIDE),
    "rare": (["DP_ARM_WITH_RARE=0"], arm_tables.is_rare, 2 * PARTS_STRIDE),
}


# proves: P3.5 P3.14
@pytest.mark.parametrize("parts", [parts if parts == "rare" else pytest.param(parts, marks=pytest.mark.nightly) for parts in PARTS])
@pytest.mark.parametrize("machine", parameters(TARGETS, ("vexpress-a9",)))
def test_without_parts(machine, parts, amount):
    """A port built without a part refuses what needs it before a byte changes (an instruction set: DP_ERR_LEFT_OUT,
    what is rare: UNSUPPORTED); the rest is as before."""
    defines, gone, usual_stride = PARTS[parts]
    stride = amount(usual_stride, PARTS_STRIDE)
    architecture = TARGETS[machine]["architecture"]
    output = run(machine, build(machine, *defines, f"CASE_STRIDE={stride}"))
    tried = cases.all_cases(architecture)[::stride]
    left_out = sum(2 if case.thumb and "aligned" not in case.attributes else 1 for case in tried
                   if gone(case.insn, case.thumb, case.size, architecture) and not (parts == "rare" and case.refusal))
    assert int(re.search(r"left out (\d+)", output)[1]) == left_out > 0
    known = collections.Counter(row[0] == "thumb" for row in vectors.read(TARGETS[machine]["arch"]) if not gone(
        int(row[1], 16), row[0] == "thumb", len(row[1]) // 2, architecture))
    ran = list(map(int, re.search(r"vectors a32 (\d+) thumb (\d+)", output).groups()))
    assert ran == [known[thumb] for thumb in (False, True)]


def states(case, architecture, stride):
    """(flags, ITSTATE) of each start of a case; of the pairs, every stride-th."""
    its = IT_STATES if case.thumb and architecture >= 7 and "noit" not in case.attributes else IT_STATES[:1]
    if "lastit" in case.attributes:
        its = its[:4]
    if "spsr" in case.attributes:
        its = its[:1]
    yield from ((flags, it) for number, it in enumerate(its) for flags in range(16)
                if "spsr" in case.attributes or (flags + flags // 4 + number + case.insn) % stride == 0)
    if not {"spsr", "halts"} & set(case.attributes):
        yield from ((mode * 5 & 15, 0) for mode in range(MODES)  # CPU modes and interrupt masks
                    if mode != FIQ or "nofiq" not in case.attributes)
        yield 0, 0  # memory that user mode may not touch


def check_runs(output, architecture, stride):
    """Each case was run from each of its states, without and with a program and with a second probe."""
    flags, its = collections.Counter(), collections.Counter()
    for case in cases.all_cases(architecture):
        if not case.refusal:
            for place in (0, 2) if case.thumb and "aligned" not in case.attributes else (0,):
                for nzcv, it in states(case, architecture, stride):
                    flags[place, nzcv] += 1
                    its[place, it] += 1
    for variant in ("quiet", "program", "second"):
        for place in (0, 2):
            line = re.search(rf"^ran {variant} at {place}: flags([ 0-9]+) it([ 0-9]+)$", output, re.MULTILINE)
            assert list(map(int, line[1].split())) == [flags[place, nzcv] for nzcv in range(16)], line[0]
            assert list(map(int, line[2].split())) == [its[place, it] for it in IT_STATES], line[0]
            assert all(flags[place, nzcv] for nzcv in range(16))
            assert architecture < 7 or all(its[place, it] for it in IT_STATES)
    print(f"{sum(flags.values())} runs each without a program, with one, and with a second probe")


def print_counts(output, machine, stride):
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
    check_runs(output, architecture, stride)
    ran = re.search(r"vectors a32 (\d+) thumb (\d+)", output)
    known = collections.Counter(row[0] for row in vectors.read(TARGETS[machine]["arch"]))
    assert (int(ran[1]), int(ran[2])) == (known["a32"], known["thumb"])
    print(f"{machine}: {len(distinct[False])} A32 and {len(distinct[True])} Thumb encodings")
    assert len(distinct[False]) >= TARGETS[machine]["a32"]
    assert len(distinct[True]) >= TARGETS[machine]["thumb"]


@pytest.mark.parametrize("machine", TARGETS)
def test_vectors_of_each_set_and_hazard(machine):
    """Independent vectors: enough of each instruction set, and one at least for each hazard."""
    arch, v7 = TARGETS[machine]["arch"], TARGETS[machine]["architecture"] >= 7
    known = vectors.read(arch)
    sets = collections.Counter(row[0] if row[0] == "a32" else f"thumb {4 * len(row[1])} bits" for row in known)
    print(machine, dict(sets))
    assert all(sets[name] >= VECTORS_MIN for name in ("a32", "thumb 16 bits", *(("thumb 32 bits",) if v7 else ())))
    measured = {(row[0] == "thumb", row[7], int(row[2], 16), int(row[4])) for row in known}
    shown = collections.Counter()
    for hazard, case, start in vectors.hazards(TARGETS[machine]["architecture"]):
        key = case.thumb, case.text, vectors.cpsr_of(start), start.place
        assert key in measured, f"{hazard}: {case.text} from {start} was not measured (arm_vectors.py)"
        shown[hazard] += 1
    for hazard, starts in vectors.HAZARDS.items():
        print(f"{machine}: {hazard}: {shown[hazard]} of {len(starts)}")
        assert shown[hazard] == len(starts) if v7 else shown[hazard] or all(s.it or s.text == "it eq" for s in starts)


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
