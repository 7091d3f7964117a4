# SPDX-License-Identifier: BSD-2-Clause
"""Independent vectors: what an instruction does, measured without any of our code.

The instructions are those that cases.py has as text, from one state each, and those of HAZARDS, each from
the state that makes it one. tests/port/vectors/arm-ARCH.txt has a line for each:

    ISA WORD cpsr=HEX pattern=N place=N | r0 .. r14 pc cpsr | INDEX=WORD ... | instruction

before the bar the state it starts from (states.c, initial), behind it the state after one single step,
and the words of the data that changed. Addresses are those of guest.ld. tests/lib/tools/arm_vectors.py
measures them, through QEMU's gdb stub. Of a fault the link register and the mode are compared.
"""
import collections
import pathlib
import re

import cases

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "port" / "vectors"
MODES = (0x1f, 0x1f, 0x13, 0x9f, 0x10, 0xdf, 0x12)
# ITSTATE none, EQ last, NE last
IT = (0, 0x08, 0x18)
CHANGED_MAX = 16
# Reads of TTBR and VBAR show where the guest's tables were linked, thread registers what ran before;
# what branches to the literals around the instruction is not stopped there.
LINKED = re.compile(r"^mrc\w* p15, 0, \w+, c(2|12|13)|^b\S* \.[+-]128$|^tbb \[r1")
# The next instruction must not be skipped.
IT_FLAGS = {"it eq": 4, "ite ne": 0, "itt cs": 2}


# An instruction of cases.py and the state it starts from. it: ITSTATE; place: 0 or 2 mod 4
Start = collections.namedtuple("Start", "thumb text flags it place mode", defaults=(0, 0, 0, 0x1f))
Z, C, NV = 4, 2, 9


def a32(text, flags=0, mode=0x1f):
    return Start(False, text, flags, mode=mode)


def thumb(text, flags=0, it=0, places=(0, 2), mode=0x1f):
    """At both alignments."""
    return [Start(True, text, flags, it, place, mode) for place in places]


# What is easily done wrong when an instruction is stepped, as far as one instruction of ARM can show it.
# What none can: live exception state and exclusive windows are refused (test_arm_refusals.py), a hit
# within a hit is test_nested_hits.py, an interrupt at any instruction of it test_sweep_arrival.py.
HAZARDS = {
    "the mask that an instruction sees is the true one": [
        a32("mrs r0, cpsr"), a32("mrs r0, cpsr", NV, 0xdf), a32("mrs lr, cpsr", 0, 0x93), *thumb("mrs r0, cpsr"),
        *thumb("mrs r0, cpsr", NV, mode=0xdf), *thumb("mrs r0, cpsr", Z, it=0x08)],
    "one that changes flags leaves the mask alone": [
        a32("msr cpsr_f, r4"), a32("msr cpsr_f, #0x50000000", 0, 0x9f), *thumb("msr cpsr_f, r4"), *thumb("msr cpsr_f, r5", mode=0xdf)],
    "a literal is read with its own width": [
        a32("ldrb r0, [pc, #121]"), a32("ldrh r0, [pc, #120]"), a32("ldrsh r0, [pc, #122]"), a32("ldrsb r0, [pc, #123]"),
        a32("ldrd r2, r3, [pc, #120]"), *thumb("ldrb.w r0, [pc, #121]"), *thumb("ldrh.w r0, [pc, #122]"),
        *thumb("ldrsb.w r0, [pc, #123]"), *thumb("ldrsh.w r0, [pc, #-134]"), *thumb("ldrd r2, r3, [pc, #120]")],
    "the target is read before the link register is written": [a32("blx lr"), *thumb("blx lr")],
    "what leaves the slot": [
        a32("b .+16"), a32("bx lr"), a32("bx r8"), a32("mov pc, r7"), a32("ldr pc, [r1]"), a32("pop {pc}"), a32("add pc, pc, r3"),
        *thumb("b .+16"), *thumb("bx lr"), *thumb("pop {pc}"), *thumb("cbz r0, .+8"), *thumb("cbnz r0, .+8"), *thumb("ble.w .+1000", Z),
        *thumb("tbb [pc, r10]"), *thumb("tbh [pc, r10, lsl #1]"), *thumb("ldr.w pc, [r1]")],
    "an instruction whose condition fails does nothing": [
        a32("bne .+8", Z), a32("bleq .-32"), a32("movcs pc, lr"), a32("ldrne r0, [r9]", Z), a32("streq r0, [r1]"),
        a32("mrseq r3, cpsr"), a32("ldmne sp!, {r4, pc}", Z), *thumb("beq .+8"), *thumb("bvc .+6", NV), *thumb("beq.w .+128"),
        *thumb("ldr.w r0, [r9]", 0, it=0x08), *thumb("blx lr", Z, it=0x18), *thumb("bl .+64", 0, it=0x08)],
    "in an IT block flags stay, and ITSTATE goes on": [
        *thumb("adds r0, r4, #1", Z, it=0x08), *thumb("adds r0, r4, #1", 0, it=0x08), *thumb("subs r0, #1", Z, it=0x04),
        *thumb("lsls r4, r3", Z, it=0x04), *thumb("ldr r0, [r1]", Z, it=0x04), *thumb("it eq", Z)],
    "a fault shows the instruction's own address": [
        a32("ldr r0, [r9]"), a32("str r0, [r9]"), a32("ldr r0, [r9, #8]!"), a32("ldm r9, {r0, pc}"), a32("stm r9!, {r0, pc}"),
        a32("ldr pc, [r9]"), a32("str pc, [r9]"), *thumb("ldr r0, [r4, r3]"), *thumb("str r0, [r5, r3]"), *thumb("ldr.w r0, [r9]"),
        *thumb("ldr.w pc, [r9]"), *thumb("tbb [r9, r3]"), *thumb("ldr.w r0, [r9]", Z, it=0x08), *thumb("ldrd r0, r3, [r9]")],
    "the PC that is read, aligned for literals and not for the rest": [
        a32("ldr r0, [pc, #120]"), a32("add r0, pc, #8"), a32("mov r0, pc"), a32("cmp pc, r0"), *thumb("ldr r0, [pc, #120]"),
        *thumb("add r0, pc, #8"), *thumb("add r0, pc"), *thumb("mov r0, pc"), *thumb("ldr.w r0, [pc, #120]"),
        *thumb("ldr.w r0, [pc, #-132]"), *thumb("adr.w r0, .+200"), *thumb("adr.w r0, .-200"), *thumb("vldr d0, [pc, #120]"),
        *thumb("blx arm_target"), *thumb("ldr.w pc, [pc, #120]"), *thumb("add pc, r3")],
    "link values": [
        a32("bl .+32"), a32("blx r7"), a32("blx r8"), a32("blx thumb_target"), *thumb("bl .+64"), *thumb("blx r7"),
        *thumb("blx r8"), *thumb("blx arm_target")],
    "the PC that is stored": [
        a32("str pc, [r1]"), a32("str pc, [r1, #4]!"), a32("push {r4, pc}"), a32("stmib r1!, {r0-r4, pc}"), a32("streq pc, [r1]", Z)],
    "interworking by architecture version": [
        a32("mov pc, r8"), a32("sub pc, lr, #0"), a32("orr pc, r7, #0"), a32("ldr pc, [r1, #8]!"), a32("ldm r1, {r0, pc}"),
        a32("bx r7"), a32("bx r8"), a32("blx r8"), *thumb("mov pc, r8"), *thumb("mov pc, lr"), *thumb("add pc, r10"),
        *thumb("bx r7"), *thumb("pop {r0, pc}"), *thumb("ldr.w pc, [r1, #8]!")],
}


def hazards(architecture):
    """(hazard, case, Start) of all that the CPU has."""
    there = {(case.thumb, case.text): case for case in cases.written(architecture) if not case.refusal}
    for hazard, starts in HAZARDS.items():
        for start in starts:
            case = there.get((start.thumb, start.text))
            if case and not (start.it and architecture < 7):
                yield hazard, case, start


def cpsr_of(start):
    return start.flags << 28 | start.mode | start.thumb << 5 | (start.it & 0xfc) << 8 | (start.it & 3) << 25


def inputs(architecture):
    """(case, cpsr, pattern, place) of each vector."""
    yield from one_of_each(architecture)
    seen = set()
    for _, case, start in hazards(architecture):
        if (case.text, start) not in seen:
            seen.add((case.text, start))
            # Pattern 1 holds addresses to go to.
            yield case, cpsr_of(start), 1, start.place


def one_of_each(architecture):
    """(case, cpsr, pattern, place) of each instruction."""
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
    return FOLDER / f"arm-{arch}.txt"


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
    """The file's vectors for vectors.c."""
    for isa, insn, cpsr, pattern, place, registers, changed, text in read(arch):
        words = ", ".join(f"0x{word}" for word in registers.split())
        pairs = ", ".join("{%s, 0x%s}" % tuple(pair.split("=")) for pair in changed.split())
        flags = "CASE_THUMB" if isa == "thumb" else "0"
        case = cases.row(int(insn, 16), isa == "thumb", flags, 0, text, "0", len(insn) // 2)
        yield "{%s 0x%s, %s, %s, {%s}, %d, {%s}}," % (case, cpsr, pattern, place, words, len(changed.split()), pairs or "{0, 0}")


def questions_as_c(architecture):
    """What is to be measured, for vectors.c."""
    for case, cpsr, pattern, place in inputs(architecture):
        yield "{%s 0x%08x, %d, %d, {0}, 0, {{0, 0}}}," % (cases.as_c(case), cpsr, pattern, place)
