# SPDX-License-Identifier: BSD-2-Clause
"""The whole agent on a PC in QEMU, by the whole tool: tests/guests/integration/ia32 with the ready-made glue. The firmware
compares its results with a computation without probes, and ends QEMU at a difference; its timer interrupts at 1 kHz."""
import re
import subprocess

import pytest

import sources_mk
from harness.own_firmware import OwnFirmware, instructions, program_of
from harness.paths import TOP, built, program

GUEST = TOP / "tests/guests/integration/ia32"
CROSS = "i686-linux-gnu-"
FLAGS = ["-m32", "-march=i686", "-mgeneral-regs-only", "-fno-pic", "-fno-pie", "-fno-stack-protector", "-fcf-protection=none",
         "-fno-asynchronous-unwind-tables", "-std=gnu11", "-g", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-O2",
         "-Wall", "-Wextra", "-Werror"]
KNOBS = ["-DDP_STACK_WORDS=1024", "-DDP_LOG_MAX=1024"]  # those of the agent: AGENT_SIZES of SConstruct
PROBED = ("work", "mix", "tick", "timer")
AT_ONCE = 60  # of 64 probes
# The timer counts instructions: on a busy machine its ticks do not pile up in front of the main loop, which serves the line.
CLOCK = ("-icount", "shift=3,sleep=off")


@pytest.fixture(scope="module")
def elf(tmp_path_factory):
    """The firmware with the agent that `scons` builds for the freestanding link."""
    agent, folder, gcc = built("agent", "ia32-full", "agent.o"), tmp_path_factory.mktemp("pc"), program(CROSS + "gcc")
    include = [f"-I{TOP / name}" for name in ("port/ia32", "port", "protocol", "agent/glue", *sources_mk.include_folders("agent"))]
    sources = [GUEST / "start.S", GUEST / "firmware.c", TOP / "agent/glue/dprobes.c", TOP / "agent/glue/baremetal.c"]
    subprocess.run([gcc, *FLAGS, *KNOBS, f"-I{GUEST}", *include, "-c", *sources], check=True, cwd=folder)
    subprocess.run([gcc, "-m32", "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=sha1", "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments",
                    "-T", GUEST / "firmware.ld", *(f"{source.stem}.o" for source in sources), agent, "-o", "pc.elf"], check=True, cwd=folder)
    return folder / "pc.elf"


QEMU = ("qemu-system-i386", "-M", "pc", "-m", "32", *CLOCK, "-nodefaults", "-no-reboot", "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04")


@pytest.fixture
def pc(elf, dprobes, tmp_path):
    machine = OwnFirmware(QEMU, elf, dprobes, tmp_path)
    yield machine
    machine.close()


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
    found = [(at, name) for function in PROBED for at, name in instructions(CROSS + "objdump", elf, function) if name != "iret"]
    assert len(found) > 90 and {"call", "ret", "div", "pusha", "popa"} <= {name for _, name in found}
    never = 0
    for first in range(0, len(found), AT_ONCE):
        (tmp_path / "all.dp").write_text(program_of(at for at, _ in found[first:first + AT_ONCE]), encoding="ascii")
        pc("insert", tmp_path / "all.dp")
        never += pc.wait_for_hits("all", 50, 0.8)
        pc("remove", "all")
    assert never < 0.1 * len(found)
    assert "the same as in" in pc("info", "--verify-text").stdout
