# SPDX-License-Identifier: BSD-2-Clause
"""The operands that are tried for each row of the decode tables.

A row has one or more shapes. A shape names fields, each with the values that stand for its operand
classes, and roles: what a register holds when the instruction runs. encodings() makes
instructions of it until every pair of values that the table allows together has occurred.
"""
import collections
import itertools
import random

import arm_tables

# Register classes: low, high, sp, lr, pc. Which low and high one varies from field to field.
RN, RD, RM, RS = (0, 4, 11, 13, 14, 15), (0, 10, 13, 14, 15), (5, 8, 13, 14, 15), (3, 11, 13, 14, 15)
BASE, INDEX = (1, 12, 13, 14, 15), (3, 4, 10, 13, 14, 15)
T16_REG = (0, 2, 3, 4, 5, 6)
BIT = (0, 1)

# name: (lowest bit, width, values)
FIELDS = {
    "cond": (28, 4, tuple(range(15))),
    "op": (21, 4, tuple(range(16))), "s": (20, 1, BIT),
    "rn": (16, 4, RN), "rd": (12, 4, RD), "rs": (8, 4, RS), "rm": (0, 4, RM),
    "base": (16, 4, BASE), "index": (0, 4, INDEX),
    "amount": (7, 5, (0, 1, 4, 31)), "type": (5, 2, (0, 1, 2, 3)),
    "rot": (8, 4, (0, 1, 4, 15)), "imm8": (0, 8, (0, 1, 0x80, 0xff)),
    "imm12": (0, 12, (0, 1, 4, 0x7c, 0xffe)),
    "p": (24, 1, BIT), "u": (23, 1, BIT), "b": (22, 1, BIT), "w": (21, 1, BIT), "l": (20, 1, BIT),
    "h": (5, 2, (1, 2, 3)), "immh": (8, 4, (0, 7, 8, 15)), "imml": (0, 4, (0, 8, 15)),
    "list": (0, 16, (0x0001, 0x00ff, 0x4210, 0x2009, 0x7ff2, 0x8000, 0x8001, 0xc0ff, 0xa010, 0xdff4)),
    "imm24": (0, 24, (0, 2, 14, 0xfffff0, 0xffff01, 0x7fffff, 0x800000)),
    "half24": (24, 1, BIT), "link24": (24, 1, BIT),
    "fields": (18, 2, (1, 2, 3)), "control": (16, 4, (1, 2, 3, 7, 9, 15)),
    "aif": (6, 3, tuple(range(1, 8))), "shuts": (18, 1, BIT), "t_aif": (0, 3, tuple(range(1, 8))), "t_shuts": (4, 1, BIT),
    "w_aif": (5, 3, tuple(range(1, 8))), "w_shuts": (9, 1, BIT), "w_control": (8, 4, (1, 2, 3, 7, 9, 15)),
    "sat": (16, 5, (0, 1, 15, 31)), "width": (16, 5, (0, 7, 31)), "lsb": (7, 5, (0, 3, 31)),
    "op1": (20, 3, tuple(range(8))), "op2": (5, 3, tuple(range(8))), "ones8": (8, 4, (15, 0)),
    "rot10": (10, 2, (0, 1, 2, 3)), "x": (5, 1, BIT), "y": (6, 1, BIT), "op21": (21, 2, (0, 1, 2, 3)),
    "imm4": (16, 4, (0, 1, 15)), "hint": (0, 8, (0, 1, 2, 3, 5, 0x14, 0xf0, 0xff)),
    "barrier": (0, 6, (0x0f, 0x0b, 0x05, 0x1f, 0x1a, 0x2f)),
    "d": (22, 1, BIT), "vd": (12, 4, (0, 1, 3, 12)), "fp": (8, 4, (10, 11)), "fimm": (0, 8, (2, 4, 30, 0x61, 0x80)),
    # 16-bit Thumb
    "t_op11": (11, 2, (0, 1, 2, 3)), "t_imm5": (6, 5, (0, 1, 16, 31)), "t_rm": (3, 3, T16_REG),
    "t_rd": (0, 3, T16_REG), "t_op9": (9, 2, (0, 1, 2, 3)), "t_r6": (6, 3, T16_REG),
    "t_r8": (8, 3, T16_REG), "t_imm8": (0, 8, (0, 1, 0x1e, 0x80, 0xff)), "t_op6": (6, 4, tuple(range(16))),
    "t_link": (7, 1, BIT), "t_rm4": (3, 4, RM), "t_dn": (7, 1, BIT), "t_rd3": (0, 3, (0, 3, 5, 6, 7)),
    "t_mov": (9, 1, BIT), "t_op8": (8, 2, (0, 1, 2)), "t_op3": (9, 3, tuple(range(8))),
    "t_base": (3, 3, (1, 2, 6)), "t_index": (6, 3, (0, 3, 4)), "t_l": (11, 1, BIT),
    "t_b8": (8, 3, (1, 2, 6)), "t_list": (0, 8, (0x00, 0x01, 0x02, 0x55, 0x80, 0xff)), "t_lr": (8, 1, BIT),
    "t_imm7": (0, 7, (0, 1, 127)), "t_sub": (7, 1, BIT), "t_i": (9, 1, BIT), "t_cbimm": (3, 5, (0, 1, 16, 31)),
    "t_op62": (6, 2, (0, 1, 2, 3)), "t_hint": (4, 4, (0, 1, 2, 3, 5, 15)), "t_icond": (4, 4, tuple(range(15))),
    "t_imask": (0, 4, (8, 4, 12, 2, 10, 1, 15, 5)), "t_cond": (8, 4, tuple(range(14))),
    "t_imm11": (0, 11, (0, 2, 8, 0x3ff, 0x400, 0x7f0)), "t_boff": (0, 8, (0, 2, 0x20, 0x7f, 0x80, 0xf0)),
    # 32-bit Thumb
    "w_rd": (8, 4, (0, 9, 13, 14, 15)), "w_ra": (12, 4, (3, 11, 13, 14, 15)), "imm3": (12, 3, (0, 1, 2, 3, 4, 7)), "imm2": (6, 2, (0, 1, 3)),
    "w_type": (4, 2, (0, 1, 2, 3)), "i": (26, 1, BIT), "alt21": (21, 1, BIT),
    "w_imm8": (0, 8, (0, 1, 0x80, 0xff)), "t23": (23, 1, BIT), "w_width": (0, 5, (0, 7, 31)),
    "w_fields": (10, 2, (1, 2, 3)), "ud": (23, 2, (1, 2)), "w_list": (0, 16, (
        0x0001, 0x0003, 0x00ff, 0x5009, 0x1ff0, 0x8000, 0x8009, 0x90f4, 0x8002)),
    "h4": (4, 1, BIT), "rt": (12, 4, (0, 9, 13, 14, 15)), "rt2": (8, 4, (3, 8, 13, 14, 15)),
    "s26": (26, 1, BIT), "w_cond": (22, 4, tuple(range(14))), "imm6": (16, 6, (0, 31, 63)),
    "imm10": (16, 10, (0, 1023)), "j1": (13, 1, BIT), "j2": (11, 1, BIT),
    "imm11": (0, 11, (0, 2, 0x13, 0x3f0, 0x7e0, 0x7f0)),
    "size": (21, 2, (0, 1, 2)), "sign": (24, 1, BIT),
    "lsl": (4, 2, (0, 1, 3)), "puw": (8, 3, (1, 3, 4, 5, 6, 7)), "w_rot": (4, 2, (0, 1, 2, 3)),
    "op4": (4, 3, tuple(range(8))), "op42": (4, 2, (0, 1, 2, 3)), "u22": (22, 1, BIT), "r22": (22, 1, BIT),
    "lit12": (0, 12, (0, 4, 0x78, 0x88, 0x7b, 0xffc)), "lit8": (0, 8, (1, 3, 0x1e, 0x22, 0xff)),
}

# What a register may hold: states.c, enum kind. The names are used there.
KINDS = ("NONE", "DATA", "HOLE", "ODD", "EIGHT", "MINUS4", "ARM", "THUMB", "ZERO", "N32", "N33",
         "FAR", "BACK", "NOT_ARM", "LOW3", "N256", "SHUT", "OPEN", "TO_SYS", "TO_ABT")
MEMORY = ("DATA", "HOLE", "ODD")
OFFSET = ("EIGHT", "MINUS4")
TARGET = ("ARM", "THUMB", "HOLE")
AMOUNT = ("ZERO", "EIGHT", "N32", "N33", "N256")
STATUS = ("SHUT", "OPEN", "TO_SYS", "TO_ABT")
VALUES = {"EIGHT": 8, "MINUS4": -4, "FAR": 0x80, "BACK": -0x80, "ZERO": 0}

Shape = collections.namedtuple("Shape", "fields roles where bits flags change")


def shape(fields, roles=None, where=None, bits=0, flags=(), **change):
    """fields: names; change: other values for one; roles: field (or rNUMBER) -> kinds; bits: set
    besides the row's; where: what must hold of the values; flags: cases.py."""
    return Shape(fields.split(), roles or {}, where, bits, flags, change)


# --- what must not run, and what the manual leaves open ---

def writes_back(f):
    return not f.get("p", 1) or f.get("w", 0)


def transfer(f):
    """A load or store: writeback into a register that is also moved is UNPREDICTABLE."""
    base, moved = f["base"], {f.get("rd")} | ({f["rd"] + 1} if f.get("pair") else set())
    if f.get("index") == base and "@base" in f:
        return False
    return not writes_back(f) or (base not in moved and base != 15)


def pair(f):
    # p = 0, w = 1 is UNPREDICTABLE; the index may not be loaded over
    return transfer(dict(f, pair=1)) and (f["p"] or not f["w"]) and f.get("index") not in (
        f["rd"], f["rd"] + 1) and f["base"] not in (f["rd"], f["rd"] + 1)


def shifted(f):
    value = VALUES[f["@index"]] & 0xffffffff
    amount, kind = f.get("amount", 0), f.get("type", 0)
    if kind == 0:
        return value << amount & 0xffffffff
    if kind == 1:
        return value >> (amount or 32)
    if kind == 2:
        return (value - (value >> 31 << 32)) >> (amount or 32) & 0xffffffff
    return None if amount == 0 else (value >> amount | value << (32 - amount)) & 0xffffffff


def code_access(f, offset):
    """[pc, +-offset]: not the instruction itself nor the next, where traps are, nor a store to where
    they end; what is loaded into pc must be aligned."""
    if offset is None:
        return bool(f.get("l", 1)) and f.get("rd") != 15
    offset = offset if f["u"] else -offset & 0xffffffff
    signed = offset - (offset >> 31 << 32)
    if -24 <= signed < 0 or (-24 <= signed < 16 and f.get("stores", not f.get("l", 1))):
        return False
    return f.get("rd") != 15 or offset % 4 == 0


def pc_literal(f):
    return code_access(f, f["lit12"])


def pc_index(f):
    return code_access(f, shifted(f))


def pc_extra(f):
    return code_access(f, f["immh"] << 4 | f["imml"])


def pc_extra_store(f):
    return pc_extra(dict(f, stores=f.get("x", 1)))


def literal_t32(f):
    return f["u"] or f["lit12"] >= 24


def to_pc_memory(f):
    """ldr pc: the address aligned, else UNPREDICTABLE."""
    if not transfer(dict(f, rd=None)):
        return False
    offset = shifted(f) if "@index" in f else f["imm12"]
    return offset is not None and offset % 4 == 0 and offset < 0x400 or \
        f["@base"] == "HOLE" and offset is not None and offset % 4 == 0


def block(f):
    base, registers = f["base"], f["list"]
    if not f["w"] or not registers >> base & 1:
        return True
    # stm with the lowest register as base stores the old one; all else is open
    return not f["l"] and registers & -registers == 1 << base


def unused_zero(f):
    """Compares have no Rd, mov and mvn no Rn: not zero there is UNPREDICTABLE."""
    if f["op"] in (13, 15):
        return f.get("rn", 15) == 0
    return f["op"] not in (8, 9, 10, 11) or f["rd"] == 0


def to_pc(f):
    """Data processing to pc: the result must be a target, or in the hole."""
    return (f["op"], f.get("@rn"), f.get("@rm")) in TO_PC and f["rn"] != f["rm"] and \
        15 not in (f["rn"], f["rm"]) and unused_zero(f) and (
        f["amount"] == f["type"] == 0 or f["op"] in (2, 4) and f["@rn"] == "HOLE" and
        f["@rm"] == "EIGHT" and f["type"] < 3)


TO_PC = {(0, "ARM", "MINUS4"), (0, "HOLE", "MINUS4"), (1, "ARM", "EIGHT"), (2, "ARM", "EIGHT"),
         (2, "HOLE", "EIGHT"), (3, "EIGHT", "ARM"), (3, "EIGHT", "THUMB"), (4, "ARM", "EIGHT"),
         (4, "HOLE", "EIGHT"), (4, "THUMB", "EIGHT"), (5, "ARM", "EIGHT"), (5, "HOLE", "EIGHT"),
         (6, "ARM", "EIGHT"), (6, "HOLE", "EIGHT"), (7, "EIGHT", "ARM"), (12, "ARM", "EIGHT"),
         (12, "THUMB", "EIGHT"), (13, "EIGHT", "ARM"), (13, "EIGHT", "THUMB"), (13, "EIGHT", "HOLE"),
         (14, "ARM", "EIGHT"), (14, "THUMB", "EIGHT"), (15, "EIGHT", "NOT_ARM")}


def off_the_guest(f):
    """Not 12 MiB back: there the guest itself lies."""
    return not f["s26"] or f["j1"]


def blx_offset(f):
    """Far, or where there are words of the other instruction set."""
    near = f["j1"] == f["j2"] == 1
    return not near and off_the_guest(f) or (f["s26"], f["imm10"], f["imm11"]) in (
        (0, 0, 0x1fe), (1, 1023, 0x5fe))


def expands(f):
    return f["i"] or f["imm3"] not in (1, 2, 3) or f["w_imm8"]


def w_block(f):
    registers = f["w_list"]
    return bin(registers).count("1") >= 2 and not (f["w"] and registers >> f["base"] & 1)


LDST = "cond p u w base rd"
MUL = "cond s rn rd rs rm"
DPX = "s rn imm3 w_rd imm2 w_type rm"
DPI = "i s rn imm3 w_rd w_imm8"
W_MEM = {"base": MEMORY}

A32 = {
    "blx label": [shape("half24 imm24", imm24=(0xfe, 0x100, 0xfffefe, 0x7fffff, 0x800000))],
    "pld": [shape("u base imm12", {"base": MEMORY})], "pld register": [shape("u rn amount type rm")],
    "pldw": [shape("u base imm12", {"base": MEMORY})], "pldw register": [shape("u rn amount type rm")],
    "pli": [shape("u base imm12", {"base": MEMORY})], "pli register": [shape("u rn amount type rm")],
    "clrex": [shape("")],
    "dsb, dmb": [shape("barrier")], "isb": [shape("barrier", barrier=(0x2f, 0x2a, 0x25))],
    "bx": [shape("cond rm", {"rm": TARGET})],
    "blx register": [shape("cond rm", {"rm": TARGET})],
    "clz": [shape("cond rd rm", bits=0xf00)],
    "mrs cpsr": [shape("cond rd")],
    "mrs spsr": [shape("cond rd", flags=["spsr"])],
    "msr cpsr flags, register": [shape("cond fields rm", bits=0)],
    "msr cpsr control, register": [shape("cond control rm", {"rm": STATUS}, flags=["nofiq"])],
    "cps of the interrupt mask": [shape("shuts aif")],
    "qadd, qsub, qdadd, qdsub": [shape("cond op21 rn rd rm")],
    "halfword multiplies": [
        shape("cond op21 x y rn rd rs rm"), shape("cond x y rn rs rm", bits=0x00600000)],
    "mul, mla": [shape(MUL + " alt21", where=lambda f: f["alt21"] or f["rd"] == 0)],
    "umaal": [shape("cond rn rd rs rm", where=lambda f: f["rn"] != f["rd"])],
    "mls": [shape("cond rn rd rs rm")],
    "umull, umlal, smull, smlal": [shape(MUL + " op21", where=lambda f: f["rn"] != f["rd"])],
    "swp, swpb before v6": [shape("cond b base rd rm", {"base": MEMORY},
                                  where=lambda f: f["base"] not in (f["rd"], f["rm"]))],
    "ldrd, strd immediate, pc base": [shape("cond u immh rd x imml", where=pc_extra_store, rd=(0, 4, 10, 12))],
    "ldrd, strd register, pc base": [shape("cond u rd x index", {"index": ("FAR", "BACK")}, rd=(0, 2, 4, 8, 12),
                                           where=lambda f: f["index"] not in (f["rd"], f["rd"] + 1))],
    "strh immediate, pc base": [shape("cond u immh rd imml", bits=0x20, where=pc_extra_store)],
    "ldrh, ldrsb, ldrsh immediate, pc base": [shape("cond u immh rd h imml", where=pc_extra)],
    "halfword register, pc base": [shape("cond u l rd h index", {"index": ("FAR", "BACK")})],
    "ldrd, strd register": [shape(LDST + " x index", {"base": MEMORY, "index": OFFSET}, pair, rd=(0, 2, 4, 8, 12))],
    "ldrd, strd immediate": [shape(LDST + " immh x imml", W_MEM, pair, rd=(0, 2, 4, 8, 12))],
    "halfword and signed register": [shape(LDST + " l h index", {"base": MEMORY, "index": OFFSET}, transfer)],
    "halfword and signed immediate": [shape(LDST + " l immh h imml", W_MEM, transfer)],
    "data processing, shift by register": [shape("cond op s rn rd rs type rm", {"rs": AMOUNT}, unused_zero)],
    "tst .. cmn pc, register": [shape("cond op21 amount type rm")],
    "tst .. cmn register, pc": [shape("cond op21 rn amount type")],
    "tst .. cmn register": [shape("cond op21 rn amount type rm")],
    "data processing to pc": [
        shape("cond op rn amount type rm", {"rn": ("ARM", "THUMB", "HOLE", "EIGHT"), "rm": (
            "ARM", "THUMB", "HOLE", "EIGHT", "MINUS4", "NOT_ARM")}, to_pc),
        # to the words behind the literals
        shape("cond rm", {"rm": ("N256",)}, bits=0x008f0000),
        shape("cond rn", {"rn": ("N256",)}, bits=0x0080000f),
        shape("cond", bits=0x01a0000f)],
    "data processing pc, register": [shape("cond op s rd amount type rm", where=unused_zero)],
    "data processing register, pc": [shape("cond op s rn rd amount type", where=unused_zero)],
    "data processing register": [shape("cond op s rn rd amount type rm", where=unused_zero)],
    "movw, movt": [shape("cond b imm4 rd imm12")],
    "sev": [shape("cond")],
    "nop, yield, wfe, wfi, hints": [shape("cond hint")],
    "msr cpsr flags, immediate": [shape("cond fields rot imm8")],
    "msr cpsr control, immediate": [
        shape("cond control rot imm8", rot=(0,), imm8=(0xdf, 0x1f, 0x57, 0xd7), flags=["nofiq"]),
        shape("cond control rot imm8", rot=(0, 3, 12), imm8=(0, 1, 0x7d, 0xfd), control=(2, 6, 10, 14))],
    "tst .. cmn pc, immediate": [shape("cond op21 rot imm8")],
    "tst .. cmn immediate": [shape("cond op21 rn rot imm8")],
    "data processing to pc, immediate": [
        shape("cond op rn rot imm8", {"rn": ("ARM", "THUMB", "HOLE", "EIGHT")}, imm8=(4, 8, 0x24, 0xde), rot=(0, 4, 15), where=lambda f: f["rn"] != 15 and unused_zero(f) and (
            f["op"], f["@rn"], f["rot"], f["imm8"]) in TO_PC_IMMEDIATE),
        shape("cond", bits=0x028f0010), shape("cond", bits=0x024f0010)],
    "adr, data processing pc, immediate": [shape("cond op s rd rot imm8", where=unused_zero)],
    "data processing immediate": [shape("cond op s rn rd rot imm8", where=unused_zero)],
    "sxtb .. uxtah": [shape("cond op1 rn rd rot10 rm", op1=(0, 2, 3, 4, 6, 7))],
    "sdiv, udiv": [shape("cond alt21 rn rs rm")],
    "sbfx, ubfx": [shape("cond u22 width rd lsb rm", where=lambda f: f["lsb"] + f["width"] < 32)],
    "bfc": [shape("cond width rd lsb", where=lambda f: f["width"] >= f["lsb"])],
    "bfi": [shape("cond width rd lsb rm", where=lambda f: f["width"] >= f["lsb"])],
    "usad8, usada8": [shape("cond rn rd rs rm")],
    "smlald, smlsld": [shape("cond rn rd rs op2 rm", where=lambda f: f["rn"] != f["rd"])],
    "smlad .. smmls": [shape("cond op1 rn rd rs op2 rm", op1=(0, 2, 5))],
    "parallel add, subtract": [shape("cond op1 rn rd op2 rm", bits=0xf00)],
    "ssat, usat": [shape("cond u22 sat rd amount y rm", where=lambda f: f["u22"] or f["sat"] < 31 or True)],
    "pkh, sel, rev, saturate": [shape("cond op1 rn rd ones8 op2 rm")],
    "ldrt, strt immediate": [shape("cond u b l base rd imm12", W_MEM, where=lambda f: f["base"] != f["rd"])],
    "ldrt, strt register": [shape("cond u b l base rd amount type index", {"base": MEMORY, "index": OFFSET},
                                  where=lambda f: f["base"] not in (f["rd"], f["index"]))],
    "ldr literal, str pc base": [shape("cond u b l rd lit12", where=pc_literal)],
    "ldr, str [pc, register]": [shape("cond u b l rd amount type index", {"index": ("FAR", "BACK")}, pc_index)],
    "ldr pc, str pc, immediate": [shape("cond p u w l base imm12", {"base": ("DATA", "HOLE")}, to_pc_memory, imm12=(0, 4, 0x7c, 0xffc))],
    "ldr pc, str pc, register": [shape("cond p u w l base amount type index", {
        "base": ("DATA", "HOLE"), "index": OFFSET}, to_pc_memory)],
    "ldr, str, ldrb, strb immediate": [shape(LDST + " b l imm12", W_MEM, transfer)],
    "ldr, str, ldrb, strb register": [shape(LDST + " b l amount type index", {"base": MEMORY, "index": OFFSET}, transfer)],
    "ldm, stm with pc": [shape("cond p u w l base list", W_MEM, block)],
    "ldm, stm": [shape("cond p u w l base list", W_MEM, block)],
    "b, bl": [shape("cond link24 imm24")],
    "vldr, vstr, ldc, stc, pc base": [shape("cond u d l vd fp fimm", bits=0x01000000, where=lambda f: f["u"] or f["fimm"] > 7)],
    "vldr, vstr, vldm, vstm, ldc, stc": [
        shape("cond u d l base vd fp fimm", W_MEM, bits=0x01000000),
        shape("cond ud w l base vd fp fimm", W_MEM, fimm=(2, 4), vd=(0,),
              where=lambda f: f["ud"] == 1 or f["w"])],
}
TO_PC_IMMEDIATE = {(0, "HOLE", 4, 0xde), (1, "HOLE", 0, 8), (1, "ARM", 0, 8), (2, "ARM", 0, 8), (2, "HOLE", 0, 4),
                   (2, "HOLE", 0, 0x24), (2, "THUMB", 0, 4), (3, "EIGHT", 4, 0xde), (4, "ARM", 0, 8), (4, "HOLE", 15, 4), (4, "THUMB", 0, 8),
                   (5, "ARM", 0, 8), (5, "HOLE", 0, 4), (6, "ARM", 0, 8), (6, "THUMB", 0, 8), (7, "EIGHT", 4, 0xde),
                   (12, "ARM", 0, 8), (12, "THUMB", 0, 4), (13, "EIGHT", 4, 0xde), (14, "ARM", 0, 8), (14, "HOLE", 0, 4),
                   (15, "EIGHT", 4, 0xde)}

T16_BASE = {"t_base": MEMORY}
T16 = {
    "shift, add, subtract, move, compare immediate": [
        shape("t_op11 t_imm5 t_rm t_rd", t_op11=(0, 1, 2)), shape("t_op9 t_r6 t_rm t_rd", bits=0x1800),
        shape("t_op11 t_r8 t_imm8", bits=0x2000)],
    "data processing": [shape("t_op6 t_rm t_rd")],
    "bx, blx": [shape("t_link t_rm4", {"t_rm4": TARGET}, where=lambda f: f["t_rm4"] != 15, flags=["lastit"]),
                shape("", bits=0x78, flags=["lastit", "aligned"])],
    "add, mov register, pc": [shape("t_mov t_dn t_rd3", flags=["lastit-pc"])],
    "add, mov pc, register": [
        shape("t_rm4", {"t_rm4": ("N32", "EIGHT")}, where=lambda f: f["t_rm4"] != 15, flags=["lastit"]),
        shape("t_rm4", {"t_rm4": ("THUMB", "HOLE")}, bits=0x200, where=lambda f: f["t_rm4"] != 15, flags=["lastit"])],
    "add, cmp, mov high registers": [shape("t_op8 t_dn t_rm4 t_rd3")],
    "ldr literal": [shape("t_r8 t_imm8", t_imm8=(1, 0x1e, 0x80, 0xff))],
    "load, store register offset": [shape("t_op3 t_index t_base t_rd", {"t_base": MEMORY, "t_index": OFFSET})],
    "ldr, str, ldrb, strb immediate": [shape("t_op11 t_imm5 t_base t_rd", T16_BASE)],
    "ldrh, strh immediate; ldr, str sp": [
        shape("t_l t_imm5 t_base t_rd", T16_BASE),
        shape("t_l t_r8 t_imm8", {"r13": MEMORY}, bits=0x1000)],
    "adr": [shape("t_r8 t_imm8")],
    "add register, sp": [shape("t_r8 t_imm8")],
    "add, sub sp": [shape("t_sub t_imm7")],
    "cps": [shape("t_shuts t_aif", flags=["noit"])],
    "cbz, cbnz": [shape("t_l t_i t_cbimm t_rd", flags=["noit"])],
    "sxth .. uxtb": [shape("t_op62 t_rm t_rd")],
    "push": [shape("t_lr t_list", {"r13": MEMORY})],
    "rev, rev16, revsh": [shape("t_op62 t_rm t_rd")],
    "pop": [shape("t_list", {"r13": MEMORY})],
    "pop with pc": [shape("t_list", {"r13": ("DATA", "HOLE")}, flags=["lastit"])],
    "nop, sev": [shape("t_hint", t_hint=(0, 4))],
    "yield, wfe, wfi, hints": [shape("t_hint")],
    "it": [shape("t_icond t_imask", flags=["noit"], where=lambda f: f["t_icond"] < 14 or f["t_imask"] in (8, 4, 2, 1))],
    "ldm, stm": [shape("t_l t_b8 t_list", {"t_b8": MEMORY}, where=lambda f: f["t_l"] or not f["t_list"] >> f["t_b8"] & 1 or (
        f["t_list"] & -f["t_list"]) == 1 << f["t_b8"])],
    "b condition": [shape("t_cond t_boff", flags=["noit"])],
    "b": [shape("t_imm11", flags=["lastit"])],
}

T32 = {
    "bl before v6": [shape("imm11", bits=0, imm11=(0, 2, 0x13, 0x3f0)), shape("imm11", bits=0x07ff0000, imm11=(0x400, 0x7f0)),
                     shape("", bits=0x04000000)],
    "blx before v6": [shape("", bits=0x1fe), shape("", bits=0x07ff05fe), shape("", bits=0x04000000), shape("", bits=0x04000200)],
    "ldm, pop with pc": [shape("ud w base w_list", W_MEM, w_block, flags=["lastit"])],
    "ldm, stm, push, pop": [shape("ud w l base w_list", W_MEM, w_block)],
    "tbb, tbh": [shape("base h4 index", {"base": ("DATA", "HOLE"), "index": ("EIGHT", "ZERO")},
                       where=lambda f: f["index"] != f["base"] and (f["base"] != 15 or f["@index"] == "EIGHT"), flags=["lastit"])],
    "ldrd literal": [shape("u rt rt2 lit8", where=lambda f: f["rt"] != f["rt2"] and (f["u"] or f["lit8"] >= 6))],
    "ldrd, strd": [shape("p u w l base rt rt2 imm8", W_MEM, where=lambda f: (f["p"] or f["w"]) and not (
        f["w"] and f["base"] in (f["rt"], f["rt2"])) and not (f["l"] and f["rt"] == f["rt2"]))],
    "tst.w": [shape("rn imm3 imm2 w_type rm")], "teq.w": [shape("rn imm3 imm2 w_type rm")],
    "cmn.w": [shape("rn imm3 imm2 w_type rm")], "cmp.w": [shape("rn imm3 imm2 w_type rm")],
    "mov.w": [shape("s w_rd rm", where=lambda f: not (f["s"] and 13 in (f["w_rd"], f["rm"])))],
    "lsl .. rrx": [shape("s imm3 w_rd imm2 w_type rm")], "mvn.w": [shape("s imm3 w_rd imm2 w_type rm")],
    "and.w, bic.w": [shape(DPX + " alt21")], "orr.w, orn": [shape(DPX + " alt21")], "eor.w": [shape(DPX)],
    "pkhbt, pkhtb": [shape("rn imm3 w_rd imm2 x rm")],
    "add.w": [shape(DPX, where=lambda f: f["w_rd"] != 13 or f["rn"] == 13 and f["imm3"] == f["w_type"] == 0)],
    "adc.w": [shape(DPX)], "sbc.w": [shape(DPX)],
    "sub.w": [shape(DPX, where=lambda f: f["w_rd"] != 13 or f["rn"] == 13 and f["imm3"] == f["w_type"] == 0)],
    "rsb.w": [shape(DPX)],
    "tst immediate": [shape("i rn imm3 w_imm8", where=expands)], "teq immediate": [shape("i rn imm3 w_imm8", where=expands)],
    "cmn immediate": [shape("i rn imm3 w_imm8", where=expands)], "cmp.w immediate": [shape("i rn imm3 w_imm8", where=expands)],
    "mov.w, mvn immediate": [shape("i alt21 s imm3 w_rd w_imm8", where=expands)],
    "and, bic, orr, orn immediate": [shape(DPI + " op21", where=expands)],
    "eor immediate": [shape(DPI, where=expands)],
    "add.w immediate": [shape(DPI, where=lambda f: expands(f) and (f["w_rd"] != 13 or f["rn"] == 13))],
    "adc immediate": [shape(DPI, where=expands)], "sbc immediate": [shape(DPI, where=expands)],
    "sub.w immediate": [shape(DPI, where=lambda f: expands(f) and (f["w_rd"] != 13 or f["rn"] == 13))],
    "rsb immediate": [shape(DPI, where=expands)],
    "adr.w forward": [shape("i imm3 w_rd w_imm8")], "adr.w backward": [shape("i imm3 w_rd w_imm8")],
    "addw": [shape("i rn imm3 w_rd w_imm8", where=lambda f: f["w_rd"] != 13 or f["rn"] == 13)],
    "subw": [shape("i rn imm3 w_rd w_imm8", where=lambda f: f["w_rd"] != 13 or f["rn"] == 13)],
    "movw, movt": [shape("i t23 imm4 imm3 w_rd w_imm8")],
    "ssat, usat": [shape("t23 alt21 rn imm3 w_rd imm2 w_width", where=lambda f: not f["alt21"] or f["imm3"] or f["imm2"]),
                   shape("t23 rn w_rd w_width", bits=0x00200000, w_width=(0, 7, 15))],
    "sbfx": [shape("rn imm3 w_rd imm2 w_width", where=lambda f: (f["imm3"] << 2 | f["imm2"]) + f["w_width"] < 32)],
    "ubfx": [shape("rn imm3 w_rd imm2 w_width", where=lambda f: (f["imm3"] << 2 | f["imm2"]) + f["w_width"] < 32)],
    "bfc": [shape("imm3 w_rd imm2 w_width", where=lambda f: (f["imm3"] << 2 | f["imm2"]) <= f["w_width"])],
    "bfi": [shape("rn imm3 w_rd imm2 w_width", where=lambda f: (f["imm3"] << 2 | f["imm2"]) <= f["w_width"])],
    "msr cpsr flags": [shape("rn w_fields")],
    "msr cpsr control": [shape("rn w_control", {"rn": STATUS}, flags=["nofiq"])],
    "cps.w of the interrupt mask": [shape("w_shuts w_aif", flags=["noit"])],
    "sev.w": [shape("")],
    "nop.w, yield, wfe, wfi, dbg, hints": [shape("hint")],
    "clrex": [shape("", bits=0)],
    "dsb, dmb": [shape("barrier")], "isb": [shape("barrier", barrier=(0x2f, 0x2a, 0x25))],
    "mrs cpsr": [shape("w_rd")],
    "mrs spsr": [shape("w_rd", flags=["spsr"])],
    "b.w condition": [shape("s26 w_cond imm6 j1 j2 imm11", flags=["noit"])],
    "b.w": [shape("s26 imm10 j1 j2 imm11", where=off_the_guest, flags=["lastit"])],
    "bl": [shape("s26 imm10 j1 j2 imm11", where=off_the_guest, flags=["lastit"])],
    "blx label": [shape("s26 imm10 j1 j2 imm11", where=blx_offset, flags=["lastit"], imm11=(0x1fe, 0x5fe, 0x7f0, 0x00e))],
    "ldr pc literal": [shape("u lit12", flags=["lastit"], lit12=(0x78, 0x88, 0x80, 0xffc))],
    "ldr pc immediate": [shape("base imm12", {"base": ("DATA", "HOLE")}, flags=["lastit"], where=lambda f: f["base"] != 15,
                               imm12=(0, 4, 0x7c, 0xffc))],
    "ldr pc register": [shape("base lsl index", {"base": ("DATA", "HOLE"), "index": OFFSET}, flags=["lastit"],
                              where=lambda f: f["base"] not in (15, f["index"]))],
    "ldr pc post-indexed": [shape("base puw imm8", {"base": ("DATA", "HOLE")}, flags=["lastit"], where=lambda f: f["base"] != 15,
                                  imm8=(0, 4, 0x80, 0xfc))],
    "ldr pc offset, pre-indexed": [shape("base puw imm8", {"base": ("DATA", "HOLE")}, flags=["lastit"],
                                         where=lambda f: f["base"] != 15, imm8=(0, 4, 0x80, 0xfc))],
    "pld, pli literal": [shape("sign u lit12")],
    "pld, pldw, pli immediate": [shape("sign base imm12", {"base": MEMORY}), shape("base imm12", {"base": MEMORY}, bits=0x00200000)],
    "pld, pldw, pli negative": [shape("sign base imm8", {"base": MEMORY}), shape("base imm8", {"base": MEMORY}, bits=0x00200000)],
    "pld, pldw, pli register": [shape("sign base lsl index", {"base": MEMORY}), shape("base lsl index", {"base": MEMORY}, bits=0x00200000)],
    "ldr.w literal": [shape("u rt lit12", lit12=(4, 8, 0x78, 0x88, 0x7b, 0xffc), where=literal_t32)],
    "ldrb .. ldrsh literal": [shape("sign u size rt lit12", size=(0, 1), lit12=(4, 8, 0x78, 0x88, 0x7b, 0xffc), where=literal_t32)],
    "str, strb, strh": [
        shape("size base rt imm12", W_MEM, bits=0x00800000, where=lambda f: f["base"] != 15),
        shape("size base rt puw imm8", W_MEM, bits=0x800, where=lambda f: f["base"] not in (15, f["rt"])),
        shape("size base rt lsl index", {"base": MEMORY, "index": OFFSET}, where=lambda f: f["base"] not in (15, f["index"]) and
              f["index"] not in (13, 15))],
    "ldr.w": [
        shape("base rt imm12", W_MEM, bits=0x00800000, where=lambda f: f["base"] != 15),
        shape("base rt puw imm8", W_MEM, bits=0x800, where=lambda f: f["base"] not in (15, f["rt"])),
        shape("base rt lsl index", {"base": MEMORY, "index": OFFSET}, where=lambda f: f["base"] not in (15, f["index"]) and
              f["index"] not in (13, 15))],
    "ldrb .. ldrsh": [
        shape("sign size base rt imm12", W_MEM, bits=0x00800000, size=(0, 1), where=lambda f: f["base"] != 15),
        shape("sign size base rt puw imm8", W_MEM, bits=0x800, size=(0, 1), where=lambda f: f["base"] not in (15, f["rt"])),
        shape("sign size base rt lsl index", {"base": MEMORY, "index": OFFSET}, size=(0, 1), where=lambda f: f["base"] not in (
            15, f["index"]) and f["index"] not in (13, 15))],
    "lsl.w .. ror.w register": [shape("op21 s rn w_rd rm", {"rm": AMOUNT})],
    "sxtb .. uxtah": [shape("op1 rn w_rd w_rot rm", op1=(0, 1, 2, 3, 4, 5), where=lambda f: f["rn"] != 13)],
    "parallel add, subtract": [shape("op1 rn w_rd op4 rm")],
    "qadd, rev, sel, clz": [shape("op1 rn w_rd op42 rm", op1=(0, 1, 2, 3), where=lambda f: f["op1"] in (0, 2) or f["rn"] == f["rm"])],
    "mul, mla, mls": [shape("rn w_ra w_rd h4 rm", where=lambda f: not f["h4"] or f["w_ra"] != 15)],
    "multiplies of halves": [shape("op1 rn w_ra w_rd op42 rm", op1=tuple(range(1, 8)))],
    "smull, umull, smlal, umlal": [shape("r22 alt21 rn rd w_rd rm", rd=(0, 9, 14), where=lambda f: f["rd"] != f["w_rd"])],
    "sdiv, udiv": [shape("alt21 rn w_rd rm", bits=0xf000)],
    "long multiplies of halves": [shape("op1 rn rd w_rd op4 rm", op1=(1, 4, 5, 6), rd=(0, 9, 14), where=lambda f: f["rd"] != f["w_rd"]),
                                  ],
}
SHAPES = {"a32": A32, "t16": T16, "t32": T32, "sys": T32}

# Rows whose operands are another architecture's (FPU, NEON) or a list of system registers: cases.py
# has them as text.
AS_TEXT = {
    "a32": {"neon data processing", "neon element load, store", "mcrr, mrrc", "cdp, vfp data processing", "mrc",
            "mcr c7, c0, 4: wait for interrupt", "mcr c7: barriers, cache by address", "mcr c8: TLB",
            "mcr c9, c12..c15: performance monitors", "mcr c13, c0, 2 and 3: thread registers",
            "mcr c13, c0, 4: thread register", "mcr c14: generic timer", "mcr, vmov to coprocessor"},
    "t16": set(),
    "t32": {"neon element load, store", "neon data processing"},
    "sys": set(),
}

Encoding = collections.namedtuple("Encoding", "insn row values roles flags")


def _axes(s, row):
    """Name -> values that agree with the row's mask; roles as "@field"."""
    axes = {}
    for name in s.fields:
        low, width, values = FIELDS[name]
        where = ((1 << width) - 1) << low
        fixed = row.mask & where
        values = [v for v in s.change.get(name, values) if (v << low & fixed) == row.value & fixed]
        if len(values) > 1 or name in s.roles:
            axes[name] = values
    for name, kinds in s.roles.items():
        axes["@" + name] = list(kinds)
    return axes


def _build(s, row, chosen):
    insn = row.value | s.bits
    full = {}
    for name in s.fields:
        low, width, _ = FIELDS[name]
        if name in chosen:
            insn = insn & ~(((1 << width) - 1) << low) | chosen[name] << low
        full[name] = insn >> low & (1 << width) - 1
    full.update({name: kind for name, kind in chosen.items() if name.startswith("@")})
    return insn, full


def roles_of(s, full):
    """Register number -> kind. A role of pc has no say."""
    roles = {}
    for name in s.roles:
        number = int(name[1:]) if name not in FIELDS else full[name]
        if number != 15:
            roles.setdefault(number, full["@" + name])
    return roles


def _valid(s, row, insn, full, architecture):
    if not arm_tables.registers_allowed(insn, row) or arm_tables.row_of(insn, row.table, architecture) is not row:
        return False
    return s.where is None or s.where(full)


TRIES = 60


def encodings(row, architecture):
    """All encodings of a row's shapes: every feasible pair of values occurs, cond each once."""
    for s in SHAPES[row.table].get(row.what, []):
        if ("v7" in s.flags and architecture < 7) or ("v5" in s.flags and architecture > 5):
            continue
        axes = _axes(s, row)
        cond = axes.pop("cond", None)
        made = list(_pairwise(s, row, axes, architecture))
        for number in range(max(len(made), len(cond or ())) if made else 0):
            insn, full = made[number % len(made)]
            if cond:
                insn = insn & 0x0fffffff | cond[number * 7 % len(cond)] << 28
            yield Encoding(insn, row, full, roles_of(s, full), s.flags)


def _pairwise(s, row, axes, architecture):
    generator = random.Random(f"{row.table} {row.what} {s.fields}")
    names = list(axes)
    wanted = {(a, x, b, y) for a, b in itertools.combinations(names, 2)
              for x in axes[a] for y in axes[b]} or {(a, x, a, x) for a in names for x in axes[a]}
    if not names:
        insn, full = _build(s, row, {})
        if _valid(s, row, insn, full, architecture):
            yield insn, full
        return
    while wanted:
        a, x, b, y = min(wanted, key=str)
        best, gain = None, set()
        for attempt in range(TRIES):
            chosen = {name: generator.choice(values) for name, values in axes.items()}
            chosen[a], chosen[b] = x, y
            insn, full = _build(s, row, chosen)
            if not _valid(s, row, insn, full, architecture):
                continue
            new = {(n, chosen[n], m, chosen[m]) for n, m in itertools.combinations(names, 2)} & wanted if \
                len(names) > 1 else {(a, x, a, x)}
            if len(new) > len(gain):
                best, gain = (insn, full), new
            if attempt >= 8 and best:
                break
        wanted -= gain or {(a, x, b, y)}
        if best:
            yield best
