# SPDX-License-Identifier: BSD-2-Clause
"""The whole agent on PCs in QEMU, by the whole tool: tests/guests/integration/ia32 with the ready-made glue. The firmware
compares its results with a computation without probes, and ends QEMU at a difference; its timer interrupts at 1 kHz. The PCs
with an ISA bus alone have a 486, which has no time-stamp counter, and a Pentium."""
import re

import pytest

from harness import pc as pc_harness
from harness.paths import TOP

GUEST = TOP / "tests/guests/integration/ia32"
PROBED = ("work", "mix", "tick", "timer")
MACHINES = [pytest.param(pc_harness.PC, id="pc"), pytest.param(pc_harness.PENTIUM, id="isapc-pentium", marks=pytest.mark.nightly),
            pytest.param(pc_harness.I486, id="isapc-486", marks=pytest.mark.nightly)]


@pytest.fixture(scope="module", params=MACHINES)
def machine(request):
    return request.param


@pytest.fixture(scope="module")
def elf(machine, tmp_path_factory):
    return pc_harness.link(GUEST, tmp_path_factory.mktemp("pc"), machine)


@pytest.fixture
def pc(elf, machine, dprobes, tmp_path):
    running = pc_harness.Pc(elf, dprobes, tmp_path, machine)
    yield running
    running.close()


def test_programs(pc):
    """D on arguments of the stack, callers, a condition; what is removed leaves the text as it was."""
    lines = pc("-n", "int n; mix:entry /arg0 > 8 && n < 10/ { n++; printf(\"%d %d\\n\", arg0, caller == 0); }", "--count", "10", "-q").stdout.split("\n")
    found = [line.split() for line in lines if line]
    assert len(found) == 10 and all(int(a) > 8 and b == "0" for a, b in found)
    counted = pc("-n", "int n; mix:entry { @[caller] = count(); } tick:entry { n++; } tick:entry /n > 200/ { exit(0); }").stdout
    assert re.search(r"work\+0x[0-9a-f]+\s+\d+", counted), counted
    assert "the same as in" in pc("info", "--verify-text").stdout


def test_time(pc):
    """Records have the time of the CPU's counter, or of the board where the CPU has none."""
    lines = pc("-n", "int n; tick:entry /n < 50/ { n++; printf(\"%d %d\\n\", interrupts, timestamp); }", "--count", "50", "-q").stdout.split("\n")
    (first, began), *_, (last, ended) = [[int(word) for word in line.split()] for line in lines if line]
    assert last > first
    assert ended - began == pytest.approx((last - first) * 1000000, rel=0.02)


def test_returns(pc):
    """Each call of a function with a switch and several ways out returns once, with the result; one call may be under way at the end."""
    text = pc("-n", """int n; mix:entry { @entered = count(); } mix:return { @left = count(); @results[arg1 == 0] = count(); }
                    tick:entry { n++; } tick:entry /n > 300/ { exit(0); }""").stdout
    entered, left = (int(count) for count in re.findall(r"^ +(\d+)$", text, re.M)[:2])
    assert entered > 100 and 0 <= entered - left <= 1, text


def test_every_instruction(pc):
    """A probe on each instruction of the work and of an interrupt's handler at once: those are hit, and none changes a result."""
    names, never = pc.probe_each(pc_harness.CROSS, PROBED, pc_harness.AT_ONCE, 50, 0.8, {"iret"})
    assert len(names) > 90 and {"call", "ret", "div", "pusha", "popa"} <= set(names)
    assert never < 0.1 * len(names)
    assert "the same as in" in pc("info", "--verify-text").stdout
