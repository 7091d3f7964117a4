# SPDX-License-Identifier: BSD-2-Clause
"""What the cases leave untried, worked out from the decode tables alone.

Of every row that does not refuse: each bit that the row leaves open must have been 0 and 1, and
each register that the row looks at (its R column) low, high, sp and lr, as far as it allows them.
"""
import collections
import random

import cases
import arm_tables

CLASSES = {"low": range(0, 8), "high": range(8, 13), "sp": (13,), "lr": (14,)}
TRIES = 3000
FIELD_NAMES = ("19:16", "15:12", "11:8", "3:0")

# Bits that the manual says must be so, or else the instruction is UNPREDICTABLE or undefined, and the
# row does not look: (table, row) -> bits.
SHOULD_BE = {
    ("a32", "parallel add, subtract"): 0xf00,
    ("a32", "ldr pc, str pc, immediate"): 0x3,  # an address that is not a word's
    ("a32", "vldr, vstr, ldc, stc, pc base"): 0x01000e00,  # p = 0 is vldm; coprocessors 10 and 11
    ("a32", "vldr, vstr, vldm, vstm, ldc, stc"): 0xe00,
    ("t32", "ldr pc literal"): 0x3, ("t32", "ldr pc immediate"): 0x3, ("t32", "ldr pc post-indexed"): 0x3,
    ("t32", "ldr pc offset, pre-indexed"): 0x3,
    ("t32", "pld, pli literal"): 0x00200000,  # no pldw
    ("t32", "qadd, rev, sel, clz"): 0x00400040, ("t32", "sdiv, udiv"): 0x0040f000,
    ("t32", "ldrb .. ldrsh"): 0x00400000,  # no signed word
}
# Rows with few operands worth the name, or whose operands are another architecture's: only counted.
COUNTED = {
    ("a32", "neon data processing"), ("a32", "neon element load, store"), ("a32", "mcrr, mrrc"),
    ("a32", "cdp, vfp data processing"), ("a32", "mrc"), ("a32", "mcr c7: barriers, cache by address"),
    ("a32", "mcr c8: TLB"), ("a32", "mcr c9, c12..c15: performance monitors"), ("a32", "mcr, vmov to coprocessor"),
    ("a32", "mcr c13, c0, 2 and 3: thread registers"), ("a32", "mcr c13, c0, 4: thread register"),
    ("a32", "mcr c14: generic timer"), ("a32", "mcr c7, c0, 4: wait for interrupt"),
    ("t32", "neon data processing"), ("t32", "neon element load, store"),
}


# The ARM926 of the board has no coprocessors 10 and 11, so this is undefined there.
NO_FPU = {"mcrr, mrrc", "cdp, vfp data processing", "mcr, vmov to coprocessor"}


def by_row(architecture):
    """Row -> encodings of the cases that run."""
    found = collections.defaultdict(set)
    for case in cases.all_cases(architecture):
        if not case.refusal:
            found[cases.row_of(case, architecture)].add(case.insn)
    return found


def reachable(row, bit, value, architecture):
    """Is there a word of this row, with registers it allows, that has the bit so? Tried at random."""
    generator = random.Random(row.number)
    width = 16 if row.table == "t16" else 32
    for _ in range(TRIES):
        insn = generator.getrandbits(width) & ~row.mask | row.value
        insn = insn & ~(1 << bit) | value << bit
        if arm_tables.registers_allowed(insn, row) and arm_tables.row_of(insn, row.table, architecture) is row:
            return True
    return False


def untried_bits(row, insns, architecture):
    width = 16 if row.table == "t16" else 32
    bits = 0
    for bit in range(width):
        tried = {insn >> bit & 1 for insn in insns}
        if not row.mask >> bit & 1 and len(tried) == 1 and not SHOULD_BE.get(
                (row.table, row.what), 0) >> bit & 1 and reachable(row, bit, 1 - tried.pop(), architecture):
            bits |= 1 << bit
    return bits


def untried_registers(row, insns):
    for low, name, kind in zip(arm_tables.FIELDS, FIELD_NAMES, row.regs):
        if kind == "A" or (row.mask | SHOULD_BE.get((row.table, row.what), 0)) >> low & 15:
            continue
        tried = {insn >> low & 15 for insn in insns}
        for text, numbers in CLASSES.items():
            if arm_tables.ALLOWED[kind] & set(numbers) and not tried & set(numbers):
                yield f"register {name} never {text}"


def gaps(architecture):
    """Sentences about what was not tried."""
    found = by_row(architecture)
    for table, rows in arm_tables.TABLES.items():
        for row in rows[:-1]:
            if row.refusal or (row.table, architecture) == ("a32", 5) and row.what in NO_FPU or not arm_tables.exists(row, architecture):
                continue
            insns = found.get(row, set())
            if not insns:
                yield f"{table} row {row.number} ({row.what}): never"
            elif (table, row.what) not in COUNTED:
                bits = untried_bits(row, insns, architecture)
                if bits:
                    yield f"{table} row {row.number} ({row.what}): bits {bits:#x} always the same"
                for text in untried_registers(row, insns):
                    yield f"{table} row {row.number} ({row.what}): {text}"
