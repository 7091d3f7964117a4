# SPDX-License-Identifier: BSD-2-Clause
"""The RISC-V port alone, without the agent's core: tests/guests/riscv and common under QEMU.

Run-twice oracle (port/README.md, "The test kit"): each instruction of cases.py is executed plain and probed
from the same state, at a word and between two, with probes on it, on the next one, on both; all registers, memory, code
and the exception that ends it must agree. In three passes: plain, in 16 states of registers, interrupt mask and floating
point, with a program at the probe and without; with a phase that wants to know the end and a callback that has a probe in
it; with no slot left. Refused instructions must be refused for the right reason. One width has its mtvec direct, the
other one vectored.
"""
import re
import subprocess
import sys

import pytest

from harness import guests
from harness.paths import BUILD, TESTS, program
from harness.qemu import parameters

GUEST = TESTS / "guests" / "riscv"
CROSS = "riscv64-unknown-elf-"
TARGETS = {
    "32": {"qemu": "qemu-system-riscv32", "flags": ["-march=rv32gc", "-mabi=ilp32", "-DGUEST_VECTORED"], "cases": 1100},
    "64": {"qemu": "qemu-system-riscv64", "flags": ["-march=rv64gc", "-mabi=lp64"], "cases": 1500},
}
FLAGS = ["-misa-spec=2.2", "-mcmodel=medany", "-fno-asynchronous-unwind-tables"]
RUN_S = 1500  # ends a hang


def build(name):
    """The guest's ELF."""
    gcc = program(CROSS + "gcc")
    folder = BUILD / "guests" / f"riscv-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-B", GUEST / "cases.py", name, CROSS, folder / "cases.inc"], check=True)
    return guests.link("riscv", folder, gcc, [*FLAGS, *TARGETS[name]["flags"]], [])


def run(name, elf, *arguments):
    """What a guest prints; its status."""
    done = subprocess.run([program(TARGETS[name]["qemu"]), "-M", "virt", "-m", "32", "-bios", "none", "-kernel", elf, "-display", "none",
                           "-monitor", "none", "-no-reboot", "-nic", "none", "-serial", "stdio", *arguments],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="backslashreplace", timeout=RUN_S, check=False)
    return done.stdout, done.returncode


# proves: A3.22 P2.5 P3.2 P4.2 P4.5 P4.8 P6.4
@pytest.mark.parametrize("name", parameters(TARGETS, ("32",)))
def test_run_twice(name):
    output, status = run(name, build(name))
    print(output)
    assert status == 42, output[-4000:]
    assert int(re.search(r"cases (\d+)", output).group(1)) >= TARGETS[name]["cases"]
    assert int(re.search(r" states (\d+)", output).group(1)) >= 16
    assert all(int(re.search(rf" {word} (\d+)", output).group(1)) > 20000 for word in ("with", "without"))
    assert " missing 0\n" in output  # coverage gate: rows, refusals
    assert 400 < int(re.search(r" stack (\d+)", output).group(1)) < 5120  # some of DP_PORT_STACK_BYTES
    held = re.findall(r"vectors (\d+) of", output)
    assert len(held) == 3 and all(int(count) >= 100 for count in held)
