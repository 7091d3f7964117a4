# SPDX-License-Identifier: BSD-2-Clause
"""The Cortex-M port alone, without the agent's core: tests/guests/cortexm and common under QEMU.

Run-twice oracle (port/README.md, "The test kit"): each instruction of cases.py is executed plain and probed
from the same state, over flags, IT states, alignment, stacks, privilege, masks, in threads and in a handler, with fault
handlers and without; registers, memory, code and the exception that ends it, with its fault status, must agree.
"""
import re
import subprocess
import sys

import pytest

from harness import guests
from harness.paths import BUILD, TESTS, program
from harness.qemu import parameters

GUEST = TESTS / "guests" / "cortexm"
TARGETS = {
    "mps2-an385": {"cpu": "cortex-m3", "flags": ["-mcpu=cortex-m3"], "cases": 1300},
    "mps2-an386": {"cpu": "cortex-m4", "flags": ["-mcpu=cortex-m4", "-DGUEST_FP"], "cases": 1300},
}
STATE_STRIDE = 64  # of the pairs of flags and ITSTATE that a case begins in; scons nightly takes each
MAGIC_STATUS = 42  # of a guest that reached its end and is content


def build(machine, *defines):
    """The guest's ELF."""
    facts = TARGETS[machine]
    gcc = program("arm-none-eabi-gcc")
    folder = BUILD / "guests" / "-".join([machine, *defines])
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-B", GUEST / "cases.py", facts["cpu"], folder / "cases.inc"], check=True)
    flags = [*facts["flags"], "-mthumb", "-mgeneral-regs-only", *(f"-D{define}" for define in defines)]
    return guests.link("cortexm", folder, gcc, flags, [], ["-lgcc"])


def run(machine, elf):
    """What the guest says."""
    done = subprocess.run(
        ["timeout", "-k", "5", "1500", program("qemu-system-arm"), "-M", machine, "-display", "none", "-monitor", "none",
         "-serial", "null", "-semihosting", "-kernel", elf],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    print(output)
    assert done.returncode == MAGIC_STATUS and "PASS" in output, output[:4000]
    return output


# proves: A3.22 P2.5 P3.2 P4.2 P4.5 P4.8
@pytest.mark.parametrize("machine, stride", [
    *(pytest.param(machine, STATE_STRIDE, id=machine) for machine in parameters(TARGETS, ("mps2-an386",))
      if isinstance(machine, str)),
    *(pytest.param(machine, 1, id=f"{machine}-each", marks=pytest.mark.nightly) for machine in TARGETS)])
def test_run_twice(machine, stride):
    output = run(machine, build(machine, *([f"STATE_STRIDE={stride}"] if stride > 1 else [])))
    assert int(re.search(r"cases (\d+)", output).group(1)) >= TARGETS[machine]["cases"]
    assert int(re.search(r" refused (\d+)", output).group(1)) >= 40
    assert all(int(re.search(rf" {word} (\d+)", output).group(1)) > 20000 for word in ("with", "without"))
    assert 300 < int(re.search(r" stack (\d+)", output).group(1)) < 2816  # some of DP_PORT_STACK_BYTES
