# SPDX-License-Identifier: BSD-2-Clause
"""A PC in QEMU: a firmware of the tests with the agent that scons builds for the freestanding link, and the tool on com1."""
import subprocess

import sources_mk

from .own_firmware import OwnFirmware
from .paths import TOP, built, program

CROSS = "i686-linux-gnu-"
FLAGS = ["-m32", "-march=i686", "-mgeneral-regs-only", "-fno-pic", "-fno-pie", "-fno-stack-protector", "-fcf-protection=none",
         "-fno-asynchronous-unwind-tables", "-std=gnu11", "-g", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-O2",
         "-Wall", "-Wextra", "-Werror"]
# Those of the agent: AGENT_SIZES and the row of the CPU in SConstruct.
KNOBS = ["-DDP_STACK_WORDS=1024", "-DDP_LOG_MAX=1024", "-DDP_PROFILE=DP_PROFILE_FULL", "-DDP_IA32_WITH_WATCH=1"]
# The timer counts instructions: on a busy machine its ticks do not pile up in front of the main loop, which serves the line.
CLOCK = ("-icount", "shift=3,sleep=off")
QEMU = ("qemu-system-i386", "-M", "pc", "-m", "32", *CLOCK, "-nodefaults", "-no-reboot", "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04")
AT_ONCE = 60  # of 64 probes


def link(guest, folder):
    """The firmware of a folder of tests/guests, with the ready-made glue and the agent; the ELF."""
    agent, gcc = built("agent", "ia32-full", "agent.o"), program(CROSS + "gcc")
    include = [f"-I{TOP / name}" for name in ("port/ia32", "port", "protocol", "agent/glue", *sources_mk.include_folders("agent"))]
    sources = [*sorted(guest.glob("*.[cS]")), TOP / "agent/glue/dprobes.c", TOP / "agent/glue/baremetal.c"]
    subprocess.run([gcc, *FLAGS, *KNOBS, f"-I{guest}", *include, "-c", *sources], check=True, cwd=folder)
    subprocess.run([gcc, "-m32", "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=sha1", "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments",
                    "-T", guest / "firmware.ld", *(f"{source.stem}.o" for source in sources), agent, "-o", "pc.elf"], check=True, cwd=folder)
    return folder / "pc.elf"


class Pc(OwnFirmware):
    """The firmware that runs, and the tool on its line."""

    def __init__(self, elf, dprobes, folder):
        super().__init__(QEMU, elf, dprobes, folder)


def set_variable(pc, at, folder, name, value):
    """Let a probe of the main loop write a variable of the firmware of tests/guests/rings, which may begin anew then. at: symbols."""
    path = folder / f"set-{name}-{value}.dp"
    path.write_text(f'name = "set"\nmodtype = kernel\nmajor = 1\noffset = round_end\nmaxhits = 1\npush {at[name]}\npush {value}\npop mem, u32\n'
                    "log 0\nexit\n", encoding="ascii")
    pc.run("run", path, "--count", "1", "--write")
