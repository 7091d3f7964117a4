# SPDX-License-Identifier: BSD-2-Clause
"""The MIPS port alone, without the agent's core: tests/guests/mips and common under QEMU.

Run-twice oracle (port/README.md, "The test kit"): each pair of instructions of cases.py is executed plain and
probed from the same state, with probes on the first, the second, both; all registers (k0, k1 and
the fault registers too), memory, code and the exception that ends it must agree. In three passes:
plain, in 16 states of registers, Status and the floating point conditions, with a program at the probe
and without; with a phase that wants to know the end and a callback that has a probe in it; with no slot
left. Refused instructions must be refused for the right reason.

Independent vectors: what tests/port/vectors/mips.txt says about each of its cases, plain and with probes.
"""
import re
import subprocess
import sys

import pytest

import cpus
import sources_mk
from harness import guests
from harness.paths import BUILD, TESTS, TOP, program
from harness.qemu import parameters

CPU = cpus.of_file(__file__)
GUEST = TESTS / "guests" / CPU.name
# The 24Kf has the FPU that the 24Kc has not; the 4Kc is release 1.
TARGETS = {
    "24Kf-el": {"board": CPU.board, "release": 2, "cpu": "24Kf", "cases": 1500, "vectors": 140},
    "24Kf-be": {"board": "malta-be", "release": 2, "cpu": "24Kf", "cases": 1500, "vectors": 140},
    # Real bus errors: where malta answers with zeros, and no TLB is in the way.
    "mipssim": {"board": "malta-be", "release": 2, "cpu": "24Kf", "cases": 1500, "vectors": 140,
                "machine": "mipssim", "defines": ["-DCOM1=0xbfd003f8", "-DHOLE=0x9e000000u"]},
    "4Kc": {"board": "malta-4kc", "release": 1, "cpu": "4Kc", "cases": 1250, "vectors": 110},
}
# Words of struct state in guest.h.
STATE = {**{f"r{n}": n for n in range(32)}, "hi": "STATE_HI / 4", "lo": "STATE_LO / 4", "pc": "STATE_PC / 4", "sr": "STATE_STATUS / 4",
         "cause": "STATE_CAUSE / 4", "bad": "STATE_BADVADDR / 4", "fsr": "STATE_FCR31 / 4"}
MAGIC_STATUS = 42  # of a guest that reached its end and is content


def build(name):
    """The guest's ELF."""
    facts = TARGETS[name]
    board = sources_mk.read(str(TOP / "boards" / facts["board"]))
    gcc = program(board["CROSS"] + "gcc")
    folder = BUILD / "guests" / name
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-B", GUEST / "cases.py", str(facts["release"]), board["CROSS"],
                    folder / "cases.inc"], check=True)
    order = "little" if "mipsel" in board["CROSS"] else "big"
    guests.write_vectors(folder, guests.measured(CPU.name, order), STATE)
    return guests.link(CPU.name, folder, gcc, [*sources_mk.words(board, "CPU_FLAGS"), *facts.get("defines", ()), *guests.measured_flags(CPU.name)],
                       ["-Wl,--no-warn-mismatch"], ["-lgcc"])


def test_hard_float_stops_the_build():
    """Nobody saves floating point registers around a hit: what would use them does not compile."""
    board = sources_mk.read(str(TOP / "boards" / CPU.board))
    for flag, status in (("-mhard-float", 1), ("-msoft-float", 0)):
        done = subprocess.run([program(board["CROSS"] + "gcc"), "-std=c11", "-ffreestanding",
                               *sources_mk.words(board, "CPU_FLAGS"), flag,
                               *(f"-I{name}" for name in ("protocol", *sources_mk.include_folders("agent"))), "-Iport", "-Iport/mips",
                               "-fsyntax-only", "port/mips/step.c"], cwd=TOP, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        assert status == 0 or "-msoft-float" in done.stderr


def check_states(output):
    """16 states each, hits with a program and without."""
    assert int(re.search(r" states (\d+)", output).group(1)) >= 16
    assert all(int(re.search(rf" {word} (\d+)", output).group(1)) > 20000 for word in ("with", "without"))


# proves: A3.22 P2.5 P3.2 P4.2 P4.5 P4.8 P6.4
@pytest.mark.parametrize("name", parameters(TARGETS, ("24Kf-be",)))
def test_run_twice(name):
    facts = TARGETS[name]
    qemu = program(sources_mk.read(str(TOP / "boards" / facts["board"]))["QEMU"])
    done = subprocess.run(
        ["timeout", "-k", "5", "1500", qemu, "-M", facts.get("machine", CPU.board), "-cpu", facts["cpu"], "-nic", "none",
         "-vga", "none", "-no-reboot", "-display", "none", "-monitor", "none", "-serial", "stdio",
         "-semihosting-config", "enable=on,target=native", "-kernel", build(name)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    print(output)
    assert done.returncode == MAGIC_STATUS and "PASS" in output, output[:4000]
    assert int(re.search(r"cases (\d+)", output).group(1)) >= facts["cases"]
    held = re.findall(r"^vectors (\d+) of", output, re.MULTILINE)
    assert len(held) == 3 and all(int(count) >= facts["vectors"] for count in held)
    check_states(output)
    assert " missing 0\n" in output  # coverage gate: rows, refusals, operands
    assert 400 < int(re.search(r" stack (\d+)", output).group(1)) < 3200  # some of DP_PORT_STACK_BYTES
