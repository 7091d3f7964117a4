# SPDX-License-Identifier: BSD-2-Clause
"""The IA32 port alone, without the agent's core: tests/guests/ia32 and common under QEMU, with paging and page 0 absent.

Run-twice oracle (port/README.md, "The test kit"): each instruction of cases.py is executed plain and probed
from the same state, at two places of a word, with probes on it, on the next one, on both; all registers, flags, segments,
memory, code and the exception that ends it must agree. In three passes: plain, in 16 states of registers and flags, with a
program at the probe and without; with a phase that wants to know the end and a callback that has a probe in it; with no
slot left. Refused instructions must be refused for the right reason.
"""
import re
import runpy
import subprocess
import sys

import pytest

import ia32_vectors
from harness import guests
from harness.paths import BUILD, TESTS, TOP, program

CROSS = "i686-linux-gnu-"
FLAGS = ["-march=i686", "-m32", "-mgeneral-regs-only", "-fno-pic", "-fno-pie", "-fno-stack-protector", "-fcf-protection=none",
         "-fno-asynchronous-unwind-tables"]
MACHINE = ["-M", "pc", "-m", "32", "-nodefaults", "-display", "none", "-no-reboot", "-serial", "stdio",
           "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04"]
STATUS = 42 << 1 | 1  # of isa-debug-exit
RUN_S = 1500  # ends a hang


def build():
    """The guest's ELF."""
    folder = BUILD / "guests" / "ia32"
    folder.mkdir(parents=True, exist_ok=True)
    gcc = program(CROSS + "gcc")
    subprocess.run([sys.executable, "-B", TESTS / "guests" / "ia32" / "cases.py", CROSS, folder / "cases.inc"], check=True)
    ia32_vectors.write(CROSS, folder / "vectors.inc")
    return guests.link("ia32", folder, gcc, FLAGS, [])


@pytest.fixture(scope="module")
def output():
    """What the guest prints in its three passes."""
    done = subprocess.run([program("qemu-system-i386"), *MACHINE, "-kernel", build()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="backslashreplace", timeout=RUN_S, check=False)
    print(done.stdout)
    assert done.returncode == STATUS, done.stdout[-4000:]
    return done.stdout


# proves: A3.22 P2.5 P3.2 P4.2 P4.5 P4.8 P6.4
def test_run_twice(output):
    assert int(re.search(r"cases (\d+)", output).group(1)) >= 1500
    assert int(re.search(r" states (\d+)", output).group(1)) >= 16
    assert all(int(re.search(rf" {word} (\d+)", output).group(1)) > 20000 for word in ("with", "without"))
    assert " missing 0\n" in output  # coverage gate: rows, refusals
    assert 400 < int(re.search(r" stack (\d+)", output).group(1)) < 4352  # some of DP_PORT_STACK_BYTES


def test_vectors(output):
    """All of them hold in the three passes, plain and probed."""
    there = len(ia32_vectors.read())
    assert output.count(f"vectors {there} of {there}\n") == 3


# proves: P3.7 P3.11
def test_refusals(output):
    """The guest prepares an instruction of each row that refuses, compares the reason, and finds no byte changed."""
    cases = runpy.run_path(str(TESTS / "guests" / "ia32" / "cases.py"))["collect"]()
    refused = [(text, reason) for text, flags, reason in cases if flags == "CASE_REFUSED"]
    named = set(re.findall(r"DP_REFUSE\((\w+)\)", (TOP / "port/ia32/decode.def").read_text(encoding="ascii")))
    assert {reason.removeprefix("DP_REFUSE_") for _, reason in refused} == named
    assert int(re.search(r" refused (\d+)", output).group(1)) >= len(refused) > 50
