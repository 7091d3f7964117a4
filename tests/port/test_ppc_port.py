# SPDX-License-Identifier: BSD-2-Clause
"""The PowerPC port alone, without the agent's core: tests/guests/ppc and common under QEMU.

Run-twice oracle (port/README.md, "The test kit"): each instruction of cases.py is executed plain and probed
from the same state, with probes on it, on the next one, on both; all registers (the fault registers
and, on e500, the MMU assist registers too), memory, code and the exception that ends it must agree.
In three passes: plain, in 16 states of registers, CR, XER and MSR, with a program at the probe and
without; with a phase that wants to know the end and a callback that has a probe in it; with no slot
left. Refused instructions must be refused for the right reason. And in each pass: what instructions do that were measured without any
of our code (port/vectors/ppc.txt), with a probe on them.
"""
import re
import subprocess
import sys
import threading

import pytest

import sources_mk
import ppc_vectors
from harness import guests
from harness.paths import BUILD, TESTS, TOP, program
from harness.qemu import parameters

GUEST = TESTS / "guests" / "ppc"
VECTORS_FILE = TESTS / "port" / "vectors" / "ppc.txt"
CROSS = "powerpc-linux-gnu-"
# Position-independent code, floating point and calls to libgcc are what this compiler would make.
FLAGS = ["-m32", "-fno-pic", "-fno-pie", "-msoft-float", "-mno-altivec", "-mno-vsx", "-mno-sdata",
         "-mstrict-align", "-ffixed-r31", "-fno-stack-protector", "-fno-asynchronous-unwind-tables"]
TARGETS = {
    "440": {"machine": ["-M", "bamboo"], "load": "-kernel", "kind": "440",
            "flags": ["-mcpu=440", "-DGUEST_BAMBOO"]},
    "e500": {"machine": ["-M", "ppce500", "-cpu", "e500v2"], "load": "-kernel", "kind": "e500",
             "flags": ["-mcpu=8548", "-DGUEST_E500"]},
    "604": {"machine": ["-M", "40p"], "load": "-bios", "kind": "classic",
            "flags": ["-mcpu=604", "-DGUEST_40P", "-DDP_PPC_BOOKE=0"]},
    "750": {"machine": ["-M", "40p", "-cpu", "750"], "load": "-bios", "kind": "classic",
            "flags": ["-mcpu=750", "-DGUEST_40P", "-DDP_PPC_BOOKE=0"]},
}
CASES = 2050
VECTORS = {"classic": 157, "e500": 162}  # without wrtee and MSR without translation; without lswx
RUN_S = 1500  # ends a hang


# Words of struct state in guest.h.
STATE = {**{f"r{n}": n for n in range(32)}, "cr": 32, "xer": 33, "lr": 34, "ctr": 35, "pc": 36, "msr": 37,
         "address": 38, "fault": 40}


def vectors():
    """The file's vectors, for guests.write_vectors."""
    for word, text, change, after in ppc_vectors.read(VECTORS_FILE):
        yield text, [word], ppc_vectors.before(change), after


def build(name, *defines):
    """The guest's ELF."""
    facts = TARGETS[name]
    gcc = program(CROSS + "gcc")
    folder = BUILD / "guests" / "-".join(["ppc", name, *defines])
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-B", GUEST / "cases.py", facts["kind"], CROSS,
                    folder / "cases.inc"], check=True)
    guests.write_vectors(folder, vectors(), STATE)
    return guests.link("ppc", folder, gcc, [*FLAGS, *facts["flags"], *(f"-D{name}" for name in defines),
                                       *guests.vector_flags(ppc_vectors.CODE, ppc_vectors.DATA, ppc_vectors.data_word(0), ppc_vectors.DATA_WORDS)],
                       ["-Wl,-z,noexecstack"])


def run(arguments, seconds):
    """What a guest prints on its line up to EXIT; these boards have no way to end QEMU."""
    child = subprocess.Popen([program("qemu-system-ppc"), *arguments, "-display", "none", "-monitor", "none",
                              "-no-reboot", "-audiodev", "none,id=none", "-nic", "none", "-vga", "none", "-serial", "stdio", "-serial", "null"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, errors="backslashreplace")
    limit = threading.Timer(seconds, child.kill)
    limit.start()
    lines = []
    try:
        for line in child.stdout:
            lines.append(line)
            if line.startswith("EXIT "):
                break
    finally:
        limit.cancel()
        child.kill()
        child.wait()
    return "".join(lines)


# proves: A3.22 P2.5 P3.2 P4.2 P4.5 P4.8 P6.4
@pytest.mark.parametrize("name", parameters(TARGETS, ("440",)))
def test_run_twice(name):
    facts = TARGETS[name]
    output = run([*facts["machine"], facts["load"], str(build(name))], RUN_S)
    print(output)
    assert output.endswith("EXIT 42\n"), output[-4000:]
    assert int(re.search(r"cases (\d+)", output).group(1)) >= CASES
    assert int(re.search(r" states (\d+)", output).group(1)) >= 16
    assert all(int(re.search(rf" {word} (\d+)", output).group(1)) > 20000 for word in ("with", "without"))
    assert " missing 0\n" in output  # coverage gate: rows, refusals, operands
    assert 400 < int(re.search(r" stack (\d+)", output).group(1)) < 3584  # some of DP_PORT_STACK_BYTES
    everyone = len(ppc_vectors.read(VECTORS_FILE))
    held = re.findall(r"vectors (\d+) of", output)
    assert len(held) == 3 and all(int(count) >= VECTORS.get(facts["kind"], everyone) for count in held)
    assert everyone >= 80


@pytest.mark.parametrize("flag", ["-mhard-float", "-maltivec", ""])
def test_other_registers_stop_the_build(flag):
    """Nobody saves floating point and vector registers: what would use them does not compile."""
    words = [f for f in FLAGS if f not in ("-msoft-float", "-mno-altivec") or not flag]
    words += [flag or "-msoft-float"]
    done = subprocess.run([program(CROSS + "gcc"), "-std=c11", "-ffreestanding", *words, "-mcpu=7450", "-DDP_PPC_BOOKE=0",
                           *(f"-I{name}" for name in ("protocol", *sources_mk.include_folders("agent"))), "-Iport", "-Iport/ppc",
                           "-fsyntax-only", "port/ppc/step.c"],
                          cwd=TOP, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not flag), done.stderr
    assert not flag or "nobody saves other registers" in done.stderr


# proves: P4.10 P6.1
@pytest.mark.parametrize("name", ["440", "e500", "750"])
def test_arrival_at_every_point_of_a_hit(name):
    """Counted time: the decrementer moves through a hit, from before the trap to behind the next
    instruction, 2 ticks at a time (an instruction takes 3.2, on the 40p 0.8). What is left is the same, an
    interrupt in a one-trap slot can be told where it belongs."""
    facts = TARGETS[name]
    output = run([*facts["machine"], facts["load"], str(build(name, "GUEST_SWEEP")), "-icount", "shift=3,sleep=off"], RUN_S)
    print(output)
    assert output.endswith("EXIT 42\n"), output[-4000:]
    arrived, in_slots = map(int, re.search(r"interrupts (\d+) in slots (\d+)", output).groups())
    assert arrived > 500 and in_slots > 0
