# SPDX-License-Identifier: BSD-2-Clause
"""Writes cases.inc: instructions for common/oracle.c, assembled by the GNU assembler.

    cases.py KIND PREFIX OUTPUT      KIND: 440, e500 or classic; PREFIX: of the assembler
"""
import itertools
import pathlib
import subprocess
import sys
import tempfile

# r4, r5: values that vary. r1, r6, r7, r29: data; r8 8; r9 a hole; r10 odd data; r11 4; r12 memory
# that is read only; r13, r14, r15: for the MSR; r25, LR, CTR: code; r24 counts the next instruction.


def alu():
    for op, suffix, regs in itertools.product(
            "add addc adde subf subfc subfe mullw divw divwu".split(), ("", ".", "o", "o."),
            ("2,4,5", "4,4,5", "5,4,4", "0,4,5", "31,0,5")):
        yield f"{op}{suffix} {regs}"
    for op, suffix, regs in itertools.product("neg addze addme subfze subfme".split(),
                                              ("", ".", "o", "o."), ("2,4", "4,4", "0,5")):
        yield f"{op}{suffix} {regs}"
    for op, suffix, regs in itertools.product(
            "mulhw mulhwu and andc or orc xor nor nand eqv slw srw sraw".split(), ("", "."),
            ("2,4,5", "4,4,5", "5,4,4", "1,4,11")):
        yield f"{op}{suffix} {regs}"
    for op, suffix, regs in itertools.product("extsb extsh cntlzw".split(), ("", "."),
                                              ("2,4", "4,4", "0,5")):
        yield f"{op}{suffix} {regs}"
    for suffix, regs, n in itertools.product(("", "."), ("2,4", "4,4"), (0, 1, 31)):
        yield f"srawi{suffix} {regs},{n}"
    for op, regs, n in itertools.product("addi addic addic. subfic mulli addis".split(),
                                         ("2,4", "5,5", "1,0"), (0, 1, 0x7fff, -1, -0x8000)):
        yield f"{op} {regs},{n}"
    for op, regs, n in itertools.product("ori oris xori xoris andi. andis.".split(),
                                         ("2,4", "5,5"), (0, 1, 0x8000, 0xffff)):
        yield f"{op} {regs},{n}"
    for op, field, n in itertools.product(("cmpwi", "cmplwi"), (0, 3, 7), (0, 1, 5)):
        yield f"{op} {field},4,{n}"
    for op, field, regs in itertools.product(("cmpw", "cmplw"), (0, 3, 7), ("4,5", "5,4", "4,4")):
        yield f"{op} {field},{regs}"
    for op, suffix, n in itertools.product(("rlwinm", "rlwimi"), ("", "."), (
            "2,4,3,5,9", "4,4,0,0,31", "5,4,31,28,3", "2,4,16,31,0")):
        yield f"{op}{suffix} {n}"
    for suffix, n in itertools.product(("", "."), ("2,4,11,5,9", "4,4,5,0,31", "5,4,5,28,3")):
        yield f"rlwnm{suffix} {n}"
    yield from ("nop", "ori 4,4,0", "isync", "sync", "eieio", "lwsync", "dcbt 0,6", "dcbt 9,8",
                "dcbtst 0,6", "mr 1,4", "li 0,5", "lis 31,0x1234")


def corners():
    """Register 0 in every place, the same register in two, every bit that chooses a form."""
    places = ("0,4,5", "2,0,5", "2,4,0", "4,4,5", "4,5,4", "2,4,4")
    for op, regs in itertools.product(
            "add addc adde subf subfc subfe mullw divw divwu mulhw mulhwu and andc or orc xor nor nand eqv slw srw "
            "sraw dlmzb".split(), places):
        yield f"{op} {regs}"
    for regs in places:
        yield f"isel {regs},2"
        yield f"rlwnm {regs},5,9"
    for op, regs in itertools.product("neg addze addme subfze subfme extsb extsh cntlzw".split(), ("0,4", "2,0", "4,4")):
        yield f"{op} {regs}"
    for op, regs in itertools.product("addi addic addic. subfic mulli addis ori oris xori xoris andi. andis. srawi".split(),
                                      ("0,4", "2,0", "4,4")):
        yield f"{op} {regs},5"
    for op, regs in itertools.product(("rlwinm", "rlwimi"), ("0,4", "2,0", "4,4")):
        yield f"{op} {regs},3,5,9"
    yield from ("cmpwi 3,0,5", "cmplwi 3,0,5", "fadds. 0,1,2", "mtcrf 0x80,0", ".word32 0x7c101026", ".word32 0x7c101120")
    for op, regs in itertools.product(("cmpw 3,", "cmplw 3,", "tw 1,"), ("0,5", "4,0", "0,4", "4,4", "0,0")):
        yield f"{op}{regs}"
    yield from ("twi 1,0,5", "mfxer 0", "mfctr 0", "mtxer 0", "mtlr 0", "mtctr 0", "mftbu 0", ".word32 0x7c0e42e6",
                "mfspr 0,274", "mtspr 274,0", "mfdcr 0,0xc0", "mtdcr 0xc3,4", ".word32 0x7c1da29c", ".word32 0x7c00039c",
                "mfsr 0,1", "mfsrin 0,6", "mfsrin 2,0", "mfsrin 6,6")
    # mfdcrx mtdcrx mfdcrux mtdcrux mfapidi
    for word, regs in itertools.product((0x7c000206, 0x7c000306, 0x7c000246, 0x7c000346, 0x7c000226), ((0, 8), (2, 0), (4, 4))):
        yield f".word32 {word | regs[0] << 21 | regs[1] << 16:#x}"
    # Caches: dcbt .. icbi, icbt .. icblc. Twice r9 is a hole, too.
    for word, regs in itertools.product((0x7c00022c, 0x7c0001ec, 0x7c00002c, 0x7c00006c, 0x7c0000ac, 0x7c0003ac, 0x7c0005ec,
                                         0x7c0007ac, 0x7c0007ec, 0x7c00078c, 0x7c0003cc, 0x7c0007cc, 0x7c00014c, 0x7c00010c,
                                         0x7c00030c, 0x7c0001cc), ((9, 0), (6, 8), (9, 9))):
        yield f".word32 {word | regs[0] << 16 | regs[1] << 11:#x}"


def memory_corners():
    for op in "lbz lhz lha lwz stb sth stw".split():
        yield from (f"{op} 0,4(6)", f"{op} 6,4(6)", f"{op}u 0,4(6)", f"{op}x 0,6,8", f"{op}x 2,6,0", f"{op}x 6,6,8",
                    f"{op}x 8,6,8", f"{op}ux 0,6,8", f"{op}ux 2,6,0", f"{op}ux 8,6,8")
        both = "8,8" if op[0] == "l" else "9,9"
        yield from (f"{op}x 2,{both}", f"{op}ux 2,{both}")
        if op[0] == "s":
            yield from (f"{op}u 6,4(6)", f"{op}ux 6,6,8")
    for op in "lwbrx lhbrx stwbrx sthbrx eciwx ecowx stswx".split():
        yield from (f"{op} {regs}" for regs in ("0,6,8", "2,6,0", "6,6,8", "8,6,8", "2,9,9"))
    yield from ("lswx 0,9,8", "lswx 16,6,0", "lswx 16,8,8", "lswi 0,6,4", "lswi 14,0,4", "stswi 0,6,4", "stswi 14,0,4",
                "stswi 6,6,4", "lmw 30,0x6010(0)", "stmw 30,0x6010(0)", "stmw 29,0(29)")
    for op in "lfs lfd stfs stfd".split():
        yield from (f"{op} 2,0x6010(0)", f"{op}x 2,6,0", f"{op}x 2,9,9", f"{op}ux 2,6,0", f"{op}ux 2,9,9")
    yield from ("stfiwx 2,6,0", "stfiwx 2,9,9")


def condition_register():
    for op, bits in itertools.product(
            "crand crandc cror crorc crxor crnor crnand creqv".split(),
            ("0,1,2", "31,2,3", "5,5,5", "2,30,0")):
        yield f"{op} {bits}"
    yield from ("mcrf 0,7", "mcrf 3,3", "mcrf 7,1", "mfcr 2", "mfcr 0", "mtcrf 0xff,4", "mtcrf 1,4",
                "mtcrf 0x80,5", "mtcrf 0x5a,4", "mtcrf 0,4", ".word32 0x7c501026",
                ".word32 0x7c580026", ".word32 0x7c901120", ".word32 0x7c980120")


def special(kind):
    yield from ("mfxer 2", "mflr 2", "mfctr 2", "mtxer 4", "mtlr 25", "mtctr 25", "mtlr 4", "mtctr 5",
                "mflr 0", "mfmsr 2", "mfmsr 0", "mfmsr 4", "mtmsr 13", "mtmsr 14", "mtmsr 15",
                "mfspr 2,274", "mtspr 274,4", "mfspr 2,287", "mfspr 2,272", "mtspr 272,4",
                "mcrxr 0", "mcrxr 5", "mfspr 2,1000", "mfspr 2,256", "mtspr 256,4", "mfspr 2,8",
                "mfdcr 2,0xc0", "mtdcr 0xc3,0", ".word32 0x7c450246", ".word32 0x7c850346", ".word32 0x7c450226", ".word32 0x7c480206", ".word32 0x7c480306",
                ".word32 0x7c5da29c", ".word32 0x7c80039c", "mfsr 2,1", "mfsrin 2,6",
                "isel 2,4,5,2", "isel 2,0,5,0", "isel 4,4,5,31", "dlmzb 2,4,5", "dlmzb. 2,4,5",
                "wrteei 0", "wrteei 1", "wrtee 4", "wrtee 13", "wrtee 15")
    if kind == "classic":
        yield from ("mfspr 2,19", "mfspr 2,18", "mfspr 2,528", "mfspr 2,25")
    else:
        yield from ("mfspr 2,63", "mfspr 2,406", "mfspr 2,308", "mfspr 2,340", "mtspr 276,4",
                    "mfspr 2,260", "mfspr 2,48")
    if kind != "e500":
        yield from (".word32 0x7c420764", ".word32 0x7c420f64", ".word32 0x7c463724", ".word32 0x7c403725", "mfspr 2,946")
    if kind == "e500":
        yield from ("mfspr 2,624", "mfspr 2,627", "mfspr 2,688")


def traps():
    for to, regs in itertools.product((0, 1, 2, 4, 5, 6, 8, 12, 16, 20, 24, 30), ("4,5", "4,4")):
        yield f"tw {to},{regs}"
    for to, n in itertools.product((0, 1, 2, 4, 8, 16, 24), (0, 5, -1)):
        yield f"twi {to},4,{n}"


def memory():
    where = ("0(6)", "4(6)", "-8(7)", "1(6)", "2(6)", "3(6)", "0(9)", "0(10)", "-4(29)", "0(12)", "0x6010(0)")
    for op, at in itertools.product("lbz lhz lha lwz stb sth stw".split(), where):
        yield f"{op} {2 if op[0] == 'l' else 4},{at}"
    for op, at in itertools.product("lbzu lhzu lhau lwzu stbu sthu stwu".split(),
                                    ("0(6)", "4(6)", "-8(7)", "2(6)", "0(9)", "1(12)", "-16(1)")):
        yield f"{op} {2 if op[0] == 'l' else 4},{at}"
    indexed = ("0,6", "6,8", "7,11", "10,8", "9,8", "12,11")
    for op, at in itertools.product(
            "lbzx lhzx lhax lwzx lwbrx lhbrx stbx sthx stwx stwbrx sthbrx".split(), indexed):
        yield f"{op} {2 if op[0] == 'l' else 4},{at}"
    for op, at in itertools.product("lbzux lhzux lhaux lwzux stbux sthux stwux".split(), indexed[1:]):
        yield f"{op} {2 if op[0] == 'l' else 4},{at}"
    for op, at in itertools.product(("lmw 30", "lmw 26", "stmw 30", "stmw 20"),
                                    ("0(6)", "8(7)", "2(6)", "0(9)", "4(12)")):
        if op != "lmw 20":
            yield f"{op},{at}"
    for op, at in itertools.product(("lswi 14", "stswi 14"), ("6,4", "6,5", "7,13", "9,8", "10,1", "6,32")):
        if not (op == "lswi 14" and at.endswith(",32")):
            yield f"{op},{at}"
    for at in ("0,6", "6,8", "9,8", "12,11"):
        yield f"lswx 16,{at}"
        yield f"stswx 16,{at}"
    for op, at in itertools.product("dcbst dcbf dcbz icbi".split(), ("0,6", "6,8", "9,8", "12,11")):
        yield f"{op} {at}"
    yield from ("dcba 0,6", "dcbi 0,9", ".word32 0x7c00002c | 6 << 11", "stw 0,0(6)", "stw 6,0(6)", "lwz 6,0(6)", "lwz 0,0(6)",
                "lwz 1,0(6)", "stwu 1,-32(1)", "stwu 6,0(6)", "stwux 6,6,8", "lwz 3,0(6)", "lwz 4,4(7)",
                "stmw 29,0(6)", "lmw 29,0(6)", "lmw 31,4(6)", "stmw 0,0(7)")
    yield from ("eciwx 2,0,6", "ecowx 4,0,6", ".word32 0x7c0037cc", ".word32 0x7c00378c", ".word32 0x7c4037cc - 0x400000",
                "tlbsync", ".word32 0x7c40338c + 0x40", ".word32 0x7c00314c", ".word32 0x7c00310c", ".word32 0x7c00330c",
                ".word32 0x7c0033cc", ".word32 0x7c0031cc")


def floating():
    for op, regs in itertools.product(("fadd", "fsub", "fmul", "fdiv", "fadds", "fsubs", "fmuls", "fdivs"),
                                      ("0,1,2", "1,1,3", "4,5,5")):
        yield f"{op} {regs}"
    yield from ("fadd. 0,1,2", "fmadd 0,1,2,3", "fmsub 0,1,2,3", "fnmadd 0,1,2,3", "fnmsubs 0,1,2,3",
                "fmr 0,1", "fneg 0,1", "fabs 0,1", "fnabs 0,1", "frsp 0,1", "fctiw 0,1", "fctiwz 0,1",
                "fcmpu 0,1,2", "fcmpo 3,1,2", "mffs 0", "mtfsf 0xff,1", "mtfsfi 0,5", "mtfsb0 5", "mtfsb1 5",
                "mcrfs 0,0", "fsel 0,1,2,3", "fres 0,1", "frsqrte 0,1")
    for op, at in itertools.product(("lfs", "lfd", "stfs", "stfd"),
                                    ("0(6)", "8(7)", "4(6)", "2(6)", "0(9)", "0(12)")):
        yield f"{op} 2,{at}"
    for op, at in itertools.product(("lfsu", "lfdu", "stfsu", "stfdu"), ("8(6)", "0(9)")):
        yield f"{op} 2,{at}"
    for op, at in itertools.product(("lfsx", "lfdx", "stfsx", "stfdx", "stfiwx"), ("0,6", "7,8", "9,8")):
        yield f"{op} 2,{at}"
    for op, at in itertools.product(("lfsux", "lfdux", "stfsux", "stfdux"), ("7,8", "9,8")):
        yield f"{op} 2,{at}"


def branches():
    """(word, flags)"""
    for target, lk in itertools.product((64, -64, 8, 4), (0, 1)):
        yield f".word32 {0x48000000 | target & 0x03fffffc | lk:#x}", "0"
    yield ".word32 0x48000002", "CASE_TARGET"
    yield ".word32 0x48000003", "CASE_TARGET"
    for bo, bi, form in itertools.product(range(32), (0, 2, 31), ((64, 0), (-64, 1), (8, 1))):
        yield f".word32 {0x40000000 | bo << 21 | bi << 16 | form[0] & 0xfffc | form[1]:#x}", "0"
    for bo, lk in itertools.product((0, 4, 8, 12, 16, 18, 20), (0, 1)):
        yield f".word32 {0x40000000 | bo << 21 | 2 << 16 | 0x6010 | 2 | lk:#x}", "0"
    for bo, bi, lk in itertools.product(range(32), (1, 30), (0, 1)):
        yield f".word32 {0x4c000020 | bo << 21 | bi << 16 | lk:#x}", "0"
    for bo, bi, lk in itertools.product([bo for bo in range(32) if bo & 4], (1, 30), (0, 1)):
        yield f".word32 {0x4c000420 | bo << 21 | bi << 16 | lk:#x}", "0"
    yield "bcl 20,31,.+4", "0"


def late(kind):
    """(text, flags)"""
    if kind == "e500":
        yield ".word32 0x7c000764", "CASE_VICTIM"
        yield ".word32 0x7c003724", "CASE_VICTIM"
    yield "mftb 2", "CASE_TIME"
    yield "mftb 0", "CASE_TIME"
    yield "mftbu 2", "0"
    yield "mfspr 2,268", "CASE_TIME"
    yield "mfspr 2,22", "CASE_TIME"
    yield ".word32 0x7c4c43a6 - 0x100 + 0x40", "0"  # an mfspr or mtspr of a register nobody has
    yield ".word32 0x7c4c42e6 + 0x10000 * 2", "0"   # mftb of another register


REFUSED = {
    "SYSTEM_CALL": ["sc"],
    "BREAKPOINT": ["trap", ".word32 0x0fe00005", "twi 31,0,0", "tw 31,4,4", ".word32 0x7d821008", ".word32 0x4c00018c"],
    "UNPREDICTABLE": [".word32 0x4c020420", ".word32 0x4e000420", ".word32 0x84840000", ".word32 0x84800000", ".word32 0x94800000", ".word32 0x7c583026", ".word32 0x7c903120", ".word32 0xb8a60000",
                      ".word32 0x7c84006e | 5 << 11", ".word32 0xc4200000", ".word32 0x7cc634aa", ".word32 0x7cc7342a"],
    "EXCEPTION_RETURN": ["rfi", "rfci", "rfdi", "rfmci"],
    "SYSTEM_REGISTER": ["mfspr 2,26", "mtspr 27,2", "mfspr 2,58", "mtspr 59,2", "mfspr 2,61", "mfspr 2,62",
                        "mtspr 308,2", "mtspr 304,2", "mtspr 63,2", "mtspr 406,2", "mtspr 1008,2", "mtspr 624,2",
                        "mtspr 48,2", "mfspr 2,570", "mfspr 2,574", ".word32 0x7c4207a4", ".word32 0x7c002264",
                        "tlbia", ".word32 0x7c002624", ".word32 0x7c4001a4", ".word32 0x7c4021e4", ".word32 0x7c00338c",
                        ".word32 0x7c0037e4", ".word32 0x7c000024"],
    "COPROCESSOR": [".word32 0x10430800", ".word32 0x7c0630ce", ".word32 0x7c06300c", ".word32 0x7c0632ac",
                    ".word32 0x7c0632ec", ".word32 0x7c00066c"],
    "EXCLUSIVE": ["lwarx 2,0,6", "stwcx. 2,0,6", "lbarx 2,0,6", "lharx 2,0,6", "stbcx. 2,0,6", "sthcx. 2,0,6"],
    "PC_RELATIVE": [".word32 0x4c400004"],
    "UNDEFINED": [".word32 0", ".word32 0x04000000", ".word32 0x24000000", ".word32 0x58000000", ".word32 0x78000000",
                  ".word32 0xe8000000", ".word32 0xf8000000", ".word32 0x7c000002", ".word32 0x7c0000d5 | 1 << 11",
                  ".word32 0x28200000", ".word32 0x4c000064 | 1 << 21", ".word32 0x44000000"],
}
# Updates of r0, and of what is loaded.
REFUSED["UNPREDICTABLE"] += [f".word32 {opcode << 26 | 0x00400000:#x}" for opcode in (33, 35, 37, 39, 41, 43, 45, 49, 51, 53, 55)]
REFUSED["UNPREDICTABLE"] += [f".word32 {0x7c402800 | extended << 1:#x}"
                             for extended in (55, 119, 183, 247, 311, 375, 439, 567, 631, 695, 759)]
REFUSED["UNPREDICTABLE"] += [f".word32 {opcode << 26 | 0x00840000:#x}" for opcode in (33, 35, 41, 43)]
OWN_SPRG = {"classic": ["mfspr 2,275", "mtspr 275,2"]}
OWN_SPRG["440"] = OWN_SPRG["e500"] = ["mfspr 2,279", "mtspr 279,2", "mfspr 2,263"]


def collect(kind):
    """(text, flags, refusal)"""
    for insn in itertools.chain(alu(), condition_register(), special(kind), traps(), memory(), floating(), corners(),
                                memory_corners()):
        yield insn, "0", "0"
    for insn, flags in itertools.chain(branches(), late(kind)):
        yield insn, flags, "0"
    yield ".word32 0x7c00007c", "CASE_HALTS", "0"
    yield ".word32 0x7c00003c", "CASE_HALTS", "0"
    refused = dict(REFUSED)
    refused["SYSTEM_REGISTER"] = refused["SYSTEM_REGISTER"] + OWN_SPRG[kind]
    for reason, insns in refused.items():
        for insn in insns:
            yield insn, "CASE_REFUSED", f"DP_REFUSE_{reason}"


def assemble(prefix, cases):
    source = [".text"] + [case[0].replace(".word32", ".long") for case in cases]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "cases.s")
        path.write_text("\n".join(source) + "\n", encoding="ascii")
        subprocess.run([f"{prefix}as", "-many", "-o", f"{folder}/cases.o", path], check=True)
        subprocess.run([f"{prefix}objcopy", "-O", "binary", "-j", ".text", f"{folder}/cases.o",
                        f"{folder}/cases.bin"], check=True)
        image = pathlib.Path(folder, "cases.bin").read_bytes()
    words = [int.from_bytes(image[i:i + 4], "big") for i in range(0, len(image), 4)]
    assert len(words) == len(cases), "an instruction became two"
    return words


def main(kind, prefix, output):
    cases = list(collect(kind))
    rows, seen = [], set()
    for (text, flags, refusal), word in zip(cases, assemble(prefix, cases)):
        if word in seen:
            continue
        seen.add(word)
        rows.append("{{0x%08x, ADDED}, %s, %s, \"%s\"}," % (word, flags, refusal, text))
    pathlib.Path(output).write_text("\n".join(rows) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
