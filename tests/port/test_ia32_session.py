# SPDX-License-Identifier: BSD-2-Clause
"""The whole agent on a PC in QEMU, by the whole tool: tests/guests/integration/ia32 with the ready-made glue. The firmware
compares its results with a computation without probes, and ends QEMU at a difference; its timer interrupts at 1 kHz."""
import re
import subprocess

import pytest

from harness import pc as pc_harness, process
from harness.paths import TOP, program

GUEST = TOP / "tests/guests/integration/ia32"
PROBED = ("work", "mix", "tick", "timer")
AT_ONCE = 60  # of 64 probes


@pytest.fixture(scope="module")
def elf(tmp_path_factory):
    return pc_harness.link(GUEST, tmp_path_factory.mktemp("pc"))


@pytest.fixture
def pc(elf, dprobes, tmp_path):
    machine = pc_harness.Pc(elf, dprobes, tmp_path)
    yield machine
    machine.end()


def instructions(elf, function):
    """(point of a program, name) of each instruction, by objdump."""
    text = subprocess.run([program(pc_harness.CROSS + "objdump"), "-d", "--no-show-raw-insn", f"--disassemble={function}", elf],
                          check=True, capture_output=True, text=True).stdout
    found = [(int(at, 16), name) for at, name in re.findall(r"^ *([0-9a-f]+):\s+(\w+)", text, re.M)]
    return [(f"{function}+{at - found[0][0]}", name) for at, name in found]


def test_programs(pc):
    """D on arguments of the stack, callers, a condition; what is removed leaves the text as it was."""
    lines = pc("-n", "mix:entry /arg0 > 8/ { printf(\"%d %d\\n\", arg0, caller == 0); }", "--count", "10", "-q").stdout.split("\n")
    found = [line.split() for line in lines if line]
    assert len(found) == 10 and all(int(a) > 8 and b == "0" for a, b in found)
    counted = pc("-n", "int n; mix:entry { @[caller] = count(); } tick:entry { n++; } tick:entry /n > 200/ { exit(0); }").stdout
    assert re.search(r"work\+0x[0-9a-f]+\s+\d+", counted), counted
    assert "the same as in" in pc("info", "--verify-text").stdout


def test_returns(pc):
    """Each call of a function with a switch and several ways out returns once, with the result; one call may be under way at the end."""
    text = pc("-n", """int n; mix:entry { @entered = count(); } mix:return { @left = count(); @results[arg1 == 0] = count(); }
                    tick:entry { n++; } tick:entry /n > 300/ { exit(0); }""").stdout
    entered, left = (int(count) for count in re.findall(r"^ +(\d+)$", text, re.M)[:2])
    assert entered > 100 and 0 <= entered - left <= 1, text


def test_every_instruction(pc, elf, tmp_path):
    """A probe on each instruction of the work and of an interrupt's handler at once: those are hit, and none changes a result."""
    found = [(at, name) for function in PROBED for at, name in instructions(elf, function) if name != "iret"]
    assert len(found) > 90 and {"call", "ret", "div", "pusha", "popa"} <= {name for _, name in found}
    never = 0
    for first in range(0, len(found), AT_ONCE):
        points = "".join(f"offset = {at}\nminor = {n}\nabort\n" for n, (at, _) in enumerate(found[first:first + AT_ONCE], 1))
        (tmp_path / "all.dp").write_text(f'name = "all"\nmodtype = kernel\nmajor = 1\n{points}', encoding="ascii")
        pc("insert", tmp_path / "all.dp")

        def hits():
            program_, = pc("list", "all", "--format", "json").objects()
            return [probe["hits"] for probe in program_["probes"]]

        process.eventually(lambda: sum(count > 50 for count in hits()) > 0.8 * len(hits()), "hits of most probes")
        never += hits().count(0)
        pc("remove", "all")
    assert never < 0.1 * len(found)
    assert "the same as in" in pc("info", "--verify-text").stdout
