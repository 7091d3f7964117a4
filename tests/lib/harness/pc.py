# SPDX-License-Identifier: BSD-2-Clause
"""A PC in QEMU: a firmware of the tests with the released agent, which has comparators and every right, and the tool on com1."""
import subprocess
from typing import NamedTuple

import agent_release
import cpus

from .own_firmware import OwnFirmware
from .paths import built, program

CROSS = "i686-linux-gnu-"
FLAGS = ["-m32", "-mgeneral-regs-only", "-fno-pic", "-fno-pie", "-fno-stack-protector", "-fcf-protection=none",
         "-fno-asynchronous-unwind-tables", "-std=gnu11", "-g", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-O2",
         "-Wall", "-Wextra", "-Werror"]
# Those of the agent and of the glue.
KNOBS = ["-DDP_STACK_WORDS=1024", "-DDP_LOG_MAX=1024", "-DDP_PROFILE=DP_PROFILE_FULL", "-DDP_IA32_WITH_WATCH=1"]
# The timer counts instructions: on a busy machine its ticks do not pile up in front of the main loop, which serves the line.
CLOCK = ("-icount", "shift=3,sleep=off")
AT_ONCE = 60  # of 64 probes


class Machine(NamedTuple):
    """A machine of QEMU, and what its CPU executes and counts."""
    name: str
    cpu: str
    march: str
    counter_hz: int  # of the time-stamp counter under CLOCK; 0: the CPU has none


PC = Machine("pc", "qemu32", "i686", 1000000000)
PENTIUM = Machine("isapc", "pentium", "pentium", 1000000000)
I486 = Machine("isapc", "486", "i486", 0)


def released_agent(march, folder):
    """Objects of the agent, source files of the glue, folders of headers: the released source for a CPU."""
    release = built("release")
    port = cpus.of_board(PC.name).name
    flags = [*agent_release.flags(port), *agent_release.flags(port, "FLAGS_GCC")]
    subprocess.run([program(CROSS + "gcc"), *FLAGS, f"-march={march}", *KNOBS, *flags, "-c", release / port / "dprobes_agent.c",
                    release / port / "dprobes_entry.S"], check=True, cwd=folder)
    return ["dprobes_agent.o", "dprobes_entry.o"], [release / "glue/baremetal.c"], [release / port, release / "glue"]


def link(guest, folder, machine=PC):
    """The firmware of a folder of tests/guests, with the ready-made glue and the agent; the ELF."""
    agent, glue, include = released_agent(machine.march, folder)
    gcc, sources = program(CROSS + "gcc"), [*sorted(guest.glob("*.[cS]")), *glue]
    subprocess.run([gcc, *FLAGS, f"-march={machine.march}", f"-DCOUNTER_HZ={machine.counter_hz}", *KNOBS, f"-I{guest}",
                    *(f"-I{name}" for name in include), "-c", *sources], check=True, cwd=folder)
    subprocess.run([gcc, "-m32", "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=sha1", "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments",
                    "-T", guest / "firmware.ld", *(f"{source.stem}.o" for source in sources), *agent, "-o", "pc.elf"], check=True, cwd=folder)
    return folder / "pc.elf"


class Pc(OwnFirmware):
    """The firmware that runs, and the tool on its line."""

    def __init__(self, elf, dprobes, folder, machine=PC):
        super().__init__(("qemu-system-i386", "-M", machine.name, "-cpu", machine.cpu, "-m", "32", *CLOCK, "-nodefaults", "-no-reboot",
                          "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04"), elf, dprobes, folder)


def set_variable(pc, at, folder, name, value):
    """Let a probe of the main loop write a variable of the firmware of tests/guests/rings, which may begin anew then. at: symbols."""
    path = folder / f"set-{name}-{value}.dp"
    path.write_text(f'name = "set"\nmodtype = kernel\nmajor = 1\noffset = round_end\nmaxhits = 1\npush {at[name]}\npush {value}\npop mem, u32\n'
                    "log 0\nexit\n", encoding="ascii")
    pc.run("run", path, "--count", "1", "--write")
