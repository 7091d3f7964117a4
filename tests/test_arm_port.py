# SPDX-License-Identifier: BSD-2-Clause
"""The ARM port alone, without the agent's core: tests/guests/arm under QEMU.

Run-twice oracle (spec/stepping.md 1.10): each instruction of cases.py is executed plain and probed
from the same state, over flags, IT states, alignment, CPU modes; registers, banked registers,
memory, code and the exception that ends it must agree. In three passes: plain; with a phase that
wants to know the end and a callback that has probes in it; with no slot left. Refused instructions
must be refused for the right reason.
"""
import re
import subprocess
import sys

import pytest

import sources_mk
from harness.paths import BUILD, TESTS, TOP, program

GUEST = TESTS / "guests" / "arm"
TARGETS = {
    "versatilepb": {"arch": "armv5te", "flags": ["-mcpu=arm926ej-s", "-marm"], "ram": "0"},
    "vexpress-a9": {"arch": "armv7-a", "flags": ["-mcpu=cortex-a9", "-mthumb"], "ram": "0x60000000"},
}
MAGIC_STATUS = 42  # of a guest that reached its end and is content


def build(machine):
    """The guest's ELF."""
    facts = TARGETS[machine]
    gcc = program("arm-none-eabi-gcc")
    folder = BUILD / "guests" / machine
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-B", GUEST / "cases.py", facts["arch"], folder / "cases.inc"],
                   check=True)
    sources = [TOP / name for name in sources_mk.source_files("port/arm")]
    sources += [GUEST / "main.c", GUEST / "start.S"]
    include = [f"-I{TOP / name}" for name in ("protocol", "agent", "port", "port/arm")]
    objects = []
    for source in sources:
        objects.append(folder / f"{source.stem}.o")
        subprocess.run([gcc, "-std=c11", "-g", "-Os", *facts["flags"], "-Wall", "-Wextra", "-Werror",
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
        ["timeout", "-k", "5", "350", qemu, "-M", machine, "-display", "none", "-monitor", "none",
         "-serial", "null", "-semihosting", "-audiodev", "none,id=a0", "-kernel", build(machine)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    print(output)
    assert done.returncode == MAGIC_STATUS and "PASS" in output, output[:4000]
    cases = int(re.search(r"cases (\d+)", output).group(1))
    assert cases >= {"versatilepb": 700, "vexpress-a9": 1000}[machine]
