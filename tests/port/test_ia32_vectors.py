# SPDX-License-Identifier: BSD-2-Clause
"""tests/port/vectors/ia32.txt has what the manual says that an instruction does. Here without any of our code: a user program
executes the plain instructions on the CPU of this machine. Each hazard of stepping has its vectors (HAZARDS).
test_ia32_port.py executes all of them in QEMU, plain and with probes."""
import os
import re
import subprocess

import pytest

import ia32_vectors
import test_ia32_port
from harness.paths import TESTS, TOP, program

LEAST = 300
CONDITIONS = "o no b ae e ne be a s ns p np l ge le g".split()
HOLE = {"fault": "e", "cr2": "hole"}
LINKED = {"esp": "stack-4", "[stack-4]": "next"}

# Hazard -> [(the text of a vector, what the file says before it, what is among what it says after)]
HAZARDS = {
    "a branch goes, and does not go, by each condition": [
        *((f"j{name} .+0x40", None, {"pc": "code+40"}) for name in CONDITIONS), *((f"j{name} .-0x200", None, {"pc": "code-200"}) for name in CONDITIONS),
        *((f"j{name} .+0x40", None, {}) for name in CONDITIONS)],
    "the link is the address behind the instruction, and the target is read before": [
        ("call .+0x40", {}, LINKED), ("call *%edx", None, LINKED), ("call *(%esp)", None, {"pc": "code+4c", **LINKED}),
        ("call *4(%esp)", None, {"pc": "code+70", **LINKED})],
    "ret takes its target from the stack, and leaves out arguments": [
        ("ret", None, {"pc": "code+50", "esp": "stack+4"}), ("ret $8", None, {"pc": "code+50", "esp": "stack+c"})],
    "the prefix 66 leads a taken branch to the first 64 KB": [(".byte 0x66,0x74,0x30", {"f": "Z"}, {"pc": "33"}), (".byte 0x66,0x74,0x30", {}, {})],
    "loops count without flags, ecx or cx": [
        ("loop .+0x40", {"ecx": "0"}, {"ecx": "ffffffff"}), (".byte 0x67,0xe2,0x3d", {"ecx": "10001"}, {"ecx": "10000"}), ("jecxz .+0x40", {"ecx": "10000"}, {}),
        ("jcxz .+0x40", {"ecx": "50000"}, {"pc": "code+40"})],
    "push and pop of the stack pointer, and by it": [
        ("push %esp", {}, {"[stack-4]": "stack"}), ("pop %esp", None, {"esp": "stack+10"}), ("popl 4(%esp)", None, {"[stack+8]": "11112222"})],
    "pushf shows the true interrupt flag; popf, cli and sti change it": [
        ("pushf", {"f": "I"}, {"[stack-4]": "00000202"}), ("popf", {"[stack]": "00000ed7"}, {"f": "CPAZSIDO"}), ("popf", {"f": "CI", "[stack]": "00000002"}, {"f": ""}),
        ("cli", {"f": "I"}, {"f": ""}), ("sti", {}, {"f": "I"})],
    "a repeated string instruction ends by its counter, and does nothing of 0": [
        ("rep movsb", {}, {"ecx": "0"}), ("rep movsb", {"f": "D"}, {"esi": "data+3d"}), ("rep movsb", {"ecx": "0"}, {}), ("repnz scasb", {"eax": "82", "ecx": "10"}, {"ecx": "d"})],
    "a shift by 0 leaves the flags": [("shl %cl,%eax", {"ecx": "20", "f": "CZ"}, {}), ("shld %cl,%ecx,%eax", {"ecx": "20", "f": "CPZ"}, {})],
    "a division faults at the instruction": [("div %ecx", {"ecx": "0"}, {"fault": "0"}), ("idivb %cl", {"eax": "ff80", "ecx": "ff"}, {"fault": "0"}), ("aam $0", {}, {"fault": "0"})],
    "an access that faults has done nothing": [
        ("mov hole,%eax", None, HOLE), ("mov %eax,hole", None, {**HOLE, "error": "2"}), ("popl hole", {}, HOLE), ("pushl hole", {}, HOLE), ("jmp *hole", {}, HOLE),
        ("call *hole", {}, HOLE), ("leave", {"ebp": "hole"}, HOLE), ("rep stosl", {"edi": "hole"}, HOLE), ("flds hole", {}, HOLE), ("movups hole,%xmm0", {}, HOLE)],
    "a segment register that is loaded, or not": [("mov %eax,%fs", None, {"fs": "0"}), ("mov %eax,%ds", None, {"fault": "d", "error": "50"}), ("pop %es", {"[stack]": "00000000"}, {"es": "0"})],
}


def shows(vector, text, before, after):
    return vector.text == text and before in (None, vector.before) and (after.items() <= vector.after.items() if after else not vector.after)


def test_each_hazard_has_a_vector():
    there = ia32_vectors.read()
    for hazard, shown in HAZARDS.items():
        for row in shown:
            assert any(shows(vector, *row) for vector in there), f"{hazard}: {row}"
    # What a vector does not name is as before: it names what changes, and no instruction is there twice from one state.
    states = [(vector.text, tuple(sorted(vector.before.items()))) for vector in there]
    assert len(set(states)) == len(states) >= LEAST
    print(f"{len(HAZARDS)} hazards, {sum(map(len, HAZARDS.values()))} vectors of {len(there)}")


def test_plain_instructions_on_this_cpu(tmp_path):
    ia32_vectors.write(test_ia32_port.CROSS, tmp_path / "vectors.inc")
    folders = [tmp_path, TESTS / "guests/ia32", *(TOP / folder for folder in ("port/ia32", "port", "protocol")), *(path for path, _, _ in os.walk(TOP / "agent"))]
    tool = tmp_path / "plain"
    subprocess.run([program(test_ia32_port.CROSS + "gcc"), "-std=c11", "-O1", *test_ia32_port.FLAGS, "-Wall", "-Wextra", "-Werror", "-ffreestanding",
                    "-fno-tree-loop-distribute-patterns", "-DDP_PROFILE=DP_PROFILE_FULL", "-nostdlib", "-static", "-no-pie",
                    *(f"-I{folder}" for folder in folders), TESTS / "port/ia32_plain.c", "-o", tool], check=True)
    try:
        done = subprocess.run([tool], capture_output=True, text=True, check=False)
    except OSError:
        pytest.skip("this machine executes no program of IA32")
    assert done.returncode == 0, done.stdout
    held = re.search(r"held (\w+)", done.stdout)
    assert int(held.group(1), 16) == sum(vector.is_plain for vector in ia32_vectors.read()) > LEAST
