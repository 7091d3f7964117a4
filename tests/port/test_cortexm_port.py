# SPDX-License-Identifier: BSD-2-Clause
"""The Cortex-M port alone, without the agent's core: tests/guests/cortexm and common under QEMU.

Run-twice oracle (port/README.md, "The test kit"): each instruction of cases.py is executed plain and probed
from the same state, over flags, IT states, alignment, stacks, privilege, masks, in threads and in a handler, with fault
handlers and without; registers, memory, code and the exception that ends it, with its fault status, must agree.
"""
import re
import runpy
import subprocess
import sys

import pytest

import cortexm_vectors
from harness import guests
from harness.paths import BUILD, TESTS, program

GUEST = TESTS / "guests" / "cortexm"
sys.path[:0] = [str(GUEST), str(GUEST.parent / "arm")]
import arm_tables  # noqa: E402
# Memory of the Cortex-M0 as large as the other boards', which the guest wants.
ROOM = ("-global", "nrf51-soc.sram-size=0x2000000", "-global", "nrf51-soc.flash-size=0x400000")
PLACES = 0x21f00000, 0x20380000  # of the vectors' code and data
TARGETS = {
    "cortex-m0": {"board": "microbit", "flags": ["-mcpu=cortex-m0"], "options": ROOM, "cases": 700, "runs": 8000, "vectors": 90, "architecture": 6},
    "cortex-m3": {"board": "mps2-an385", "flags": ["-mcpu=cortex-m3"], "cases": 1300},
    "cortex-m4": {"board": "mps2-an386", "flags": ["-mcpu=cortex-m4", "-DGUEST_FP"], "cases": 1300, "fp": True},
    "cortex-m33": {"board": "mps2-an505", "flags": ["-mcpu=cortex-m33", "-DGUEST_FP"], "cases": 1300, "fp": True,
                   "places": (0x80f00000, 0x38380000),
                   "link": [f"-Wl,--defsym={name}={at}" for name, at in (("CODE", "0x10000000"), ("RAM", "0x38000000"), ("PROBED", "0x80000000"))]},
}
USUAL = ("cortex-m0", "cortex-m4")  # the Cortex-M4 has FP too
# Each so-manieth case, from each so-manieth pair of flags and ITSTATE.
STRIDES_USUAL, STRIDES_NIGHTLY = {"CASE_STRIDE": 11, "STATE_STRIDE": 64}, {"CASE_STRIDE": 1, "STATE_STRIDE": 7}
FP_TABLE = 5  # the guest's number
REFUSED, RUNS = 25, 20000  # cases and runs of a guest with all cases, at least
WIDE_TABLES = (1, 3, 4, 5)  # the guest's numbers: ARMv6-M has few of these instructions, and each of them is in cases.py
MAGIC_STATUS = 42  # of a guest that reached its end and is content


def build(cpu, *defines):
    """The guest's ELF."""
    gcc = program("arm-none-eabi-gcc")
    folder = BUILD / "guests" / "-".join([cpu, *defines])
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-B", GUEST / "cases.py", cpu, folder / "cases.inc"], check=True)
    places = TARGETS[cpu].get("places", PLACES)
    codes = runpy.run_path(str(GUEST / "cases.py"))["assemble"]([text for text, _, _ in cortexm_vectors.read()])
    guests.write_vectors(folder, cortexm_vectors.placed(codes, *places), cortexm_vectors.STATE)
    flags = [*TARGETS[cpu]["flags"], "-mthumb", "-mgeneral-regs-only", *(f"-D{define}" for define in defines),
             *guests.vector_flags(*places, cortexm_vectors.FIRST, cortexm_vectors.WORDS)]
    return guests.link("cortexm", folder, gcc, flags, TARGETS[cpu].get("link", []), ["-lgcc"])


def run(cpu, elf):
    """What the guest says."""
    done = subprocess.run(
        ["timeout", "-k", "5", "1500", program("qemu-system-arm"), "-M", TARGETS[cpu]["board"], *TARGETS[cpu].get("options", ()), "-display", "none", "-monitor", "none",
         "-serial", "null", "-semihosting", "-kernel", elf],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    print(output)
    assert done.returncode == MAGIC_STATUS and "PASS" in output, output[:4000]
    return output


def steps(own, architecture):
    """The names of rows that step on this architecture, by table in the guest's order."""
    names = ("t16", "t32", *own)
    files = {**arm_tables.FILES, **{name: f"cortexm/{name}.def" for name in own}}
    tables = (arm_tables.read(name, files) for name in names)
    return [{row.what for row in table if not row.refusal and arm_tables.exists(row, architecture)} for table in tables]


def check_untried(output, cpu, cases):
    """Each row that steps has a case, or a reason."""
    architecture = TARGETS[cpu].get("architecture", 7)
    tables = steps(cases["OWN"], architecture)
    if architecture < 7:
        for table in WIDE_TABLES:
            tables[table] = set()
    untried = {(int(table), row) for table, row in re.findall(r"^untried (\d+) (.*)$", output, re.MULTILINE)}
    known = {**cases["NOT_M"], **cases["UNTRIED"]}
    for row in cases["LIMITS"] if cpu in cases["V8"] else ():
        del known[row]
    gaps = {row for table, row in untried if row in tables[table] and (table < FP_TABLE or "fp" in TARGETS[cpu])}
    assert gaps == {row for row in known if any(row in table for table in tables)}


# proves: A3.22 P2.5 P3.2 P4.2 P4.5 P4.8
@pytest.mark.parametrize("cpu", [cpu if cpu in USUAL else pytest.param(cpu, marks=pytest.mark.nightly) for cpu in TARGETS])
def test_run_twice(cpu, amount):
    strides = amount(STRIDES_USUAL, STRIDES_NIGHTLY)
    output = run(cpu, build(cpu, *(f"{name}={stride}" for name, stride in strides.items())))
    assert int(re.search(r"cases (\d+)", output).group(1)) >= TARGETS[cpu]["cases"] // strides["CASE_STRIDE"]
    assert int(re.search(r" refused (\d+)", output).group(1)) >= REFUSED // strides["CASE_STRIDE"]
    assert all(int(re.search(rf" {word} (\d+)", output).group(1)) > TARGETS[cpu].get("runs", RUNS) // strides["CASE_STRIDE"] for word in ("with", "without"))
    check_untried(output, cpu, runpy.run_path(str(GUEST / "cases.py")))
    ran, there = re.findall(r"^vectors (\d+) of (\d+)$", output, re.MULTILINE), len(cortexm_vectors.read())
    assert len(ran) == 3 and all(int(held) == TARGETS[cpu].get("vectors", there) and int(of) == there for held, of in ran)
    assert 300 < int(re.search(r" stack (\d+)", output).group(1)) < 2816  # some of DP_PORT_STACK_BYTES
