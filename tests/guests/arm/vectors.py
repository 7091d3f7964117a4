# SPDX-License-Identifier: BSD-2-Clause
"""Independent vectors: what an instruction does, measured without any of our code.

The instructions are those that cases.py has as text: each hazard of spec/stepping.md 1.3 and 1.4 that
concerns ARM among them (blx lr, mrs cpsr, literals at 0 and 2 mod 4, link values, stored PC, IT,
conditions that fail, accesses that fault, interworking). vectors-ARCH.txt has a line for each:

    ISA WORD cpsr=HEX pattern=N place=N | r0 .. r14 pc cpsr | INDEX=WORD ... | instruction

before the bar the state it starts from (main.c, initial), behind it the state after one single step,
and the words of the data that changed. Addresses are those of guest.ld. tests/tools/arm_vectors.py
measures them, through QEMU's gdb stub. Of a fault the link register and the mode are compared.
"""
import pathlib
import re

import cases

FOLDER = pathlib.Path(__file__).resolve().parent
MODES = (0x1f, 0x1f, 0x13, 0x9f, 0x10, 0xdf, 0x12)
# ITSTATE none, EQ last, NE last
IT = (0, 0x08, 0x18)
CHANGED_MAX = 16
# Reads of TTBR and VBAR show where the guest's tables were linked, thread registers what ran before;
# what branches to the literals around the instruction is not stopped there.
LINKED = re.compile(r"^mrc\w* p15, 0, \w+, c(2|12|13)|^b\S* \.[+-]128$|^tbb \[r1")
# The next instruction must not be skipped.
IT_FLAGS = {"it eq": 4, "ite ne": 0, "itt cs": 2}


def inputs(architecture):
    """(case, cpsr, pattern, place) of each vector."""
    runs = [case for case in cases.written(architecture)
            if not case.refusal and not {"halts", "spsr"} & set(case.attributes) and
            not LINKED.search(case.text)]
    seen = set()
    for number, case in enumerate(runs):
        if (case.thumb, case.insn) in seen:
            continue
        seen.add((case.thumb, case.insn))
        cpsr = IT_FLAGS.get(case.text, number * 7 & 15) << 28 | MODES[number % len(MODES)]
        place = 0
        if case.thumb:
            it = IT[number % 3] if architecture >= 7 and "noit" not in case.attributes else 0
            if case.text.startswith("wfe"):
                it = 0  # QEMU 7.2 does not advance ITSTATE behind it
            cpsr |= 0x20 | (it & 0xfc) << 8 | (it & 3) << 25
            place = 2 * (number & 1) if case.text != "bx pc" else 0
        yield case, cpsr, number >> 1 & 1, place


def path(arch):
    return FOLDER / f"vectors-{arch}.txt"


def line(vector, registers, changed):
    """registers: r0 .. r14, pc, cpsr after the step; changed: (index, word)"""
    case, cpsr, pattern, place = vector
    return (f"{'thumb' if case.thumb else 'a32'} {case.insn:0{2 * case.size}x} cpsr={cpsr:08x} "
            f"pattern={pattern} place={place} | " + " ".join(f"{word:08x}" for word in registers) + " | " +
            " ".join(f"{index}={word:08x}" for index, word in changed) + f" | {case.text}")


_LINE = re.compile(r"(a32|thumb) (\w+) cpsr=(\w+) pattern=(\d) place=(\d) \| ([^|]*)\| ([^|]*)\| (.*)")


def read(arch):
    """The lines of the file, as _LINE's groups."""
    if not path(arch).exists():
        return []
    return [_LINE.fullmatch(text).groups() for text in path(arch).read_text(encoding="ascii").splitlines()
            if not text.startswith("#")]


def as_c(arch):
    """The file's vectors for main.c."""
    for isa, insn, cpsr, pattern, place, registers, changed, text in read(arch):
        words = ", ".join(f"0x{word}" for word in registers.split())
        pairs = ", ".join("{%s, 0x%s}" % tuple(pair.split("=")) for pair in changed.split())
        flags = "CASE_THUMB" if isa == "thumb" else "0"
        yield ("{{0x%s, {0}, %d, %s, 0, \"%s\"}, 0x%s, %s, %s, {%s}, %d, {%s}}," % (
            insn, len(insn) // 2, flags, text, cpsr, pattern, place, words, len(changed.split()), pairs or "{0, 0}"))


def questions_as_c(architecture):
    """What is to be measured, for main.c."""
    for case, cpsr, pattern, place in inputs(architecture):
        yield "{%s 0x%08x, %d, %d, {0}, 0, {{0, 0}}}," % (cases.as_c(case), cpsr, pattern, place)
