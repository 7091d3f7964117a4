# SPDX-License-Identifier: BSD-2-Clause
"""Writes cases.inc: instructions for common/oracle.c, assembled by the GNU assembler.

    cases.py BITS PREFIX OUTPUT      BITS: 32 or 64; PREFIX: of the assembler
"""
import itertools
import pathlib
import subprocess
import sys
import tempfile

# a0, a1: values that vary. a2, a3, s0, sp: data; a4 8; a5, t1 a hole; t2 odd data; ra, t0, s1: code; s8 counts the next
# instruction.
EXTENSIONS = "imafdc_zicsr_zifencei_zba_zbb_zbc_zbs"


def alu(bits):
    places = ("t3,a0,a1", "a0,a0,a1", "a1,a0,a1", "a0,a0,a0", "zero,a0,a1", "t3,zero,a1", "t3,a0,zero", "sp,a0,a1", "t6,t6,a0")
    register = ("add sub sll slt sltu xor srl sra or and mul mulh mulhsu mulhu div divu rem remu sh1add sh2add sh3add xnor orn "
                "andn min minu max maxu clmul clmulh clmulr rol ror bclr bext binv bset").split()
    if bits == 64:
        register += ("addw subw sllw srlw sraw mulw divw divuw remw remuw add.uw sh1add.uw sh2add.uw sh3add.uw rolw rorw").split()
    for op, regs in itertools.product(register, places):
        yield f"{op} {regs}"
    pairs = ("t3,a0", "a0,a0", "zero,a0", "t3,zero", "sp,sp")
    for op, regs, n in itertools.product("addi slti sltiu xori ori andi".split() + ["addiw"] * (bits == 64), pairs,
                                         (0, 1, 0x7ff, -1, -0x800)):
        yield f"{op} {regs},{n}"
    for op, regs, n in itertools.product("slli srli srai rori bseti bclri bexti binvi".split(), pairs[:3],
                                         (0, 1, 31) + (32, 63) * (bits == 64)):
        yield f"{op} {regs},{n}"
    if bits == 64:
        for op, regs, n in itertools.product("slliw srliw sraiw roriw slli.uw".split(), pairs[:3], (0, 1, 31)):
            yield f"{op} {regs},{n}"
    unary = "clz ctz cpop sext.b sext.h orc.b rev8 zext.h".split() + ["clzw", "ctzw", "cpopw"] * (bits == 64)
    for op, regs in itertools.product(unary, pairs):
        yield f"{op} {regs}"
    for op, rd, n in itertools.product(("lui", "auipc"), ("t3", "a0", "zero", "ra"), (0, 1, 0x80000, 0xfffff)):
        yield f"{op} {rd},{n}"
    for op, regs in itertools.product((5, 7), ((28, 10, 11), (10, 10, 11), (0, 10, 11))):
        yield f".4byte {0x0e000033 | op << 12 | regs[0] << 7 | regs[1] << 15 | regs[2] << 20:#x} # czero"
    yield from ("fence", "fence r,w", "fence.i", ".4byte 0x0100000f # pause")


def memory(bits):
    where = ("0(a2)", "4(a2)", "-8(a3)", "1(a2)", "2(a2)", "0(a5)", "0(t2)", "0x7ff(t1)", "-4(sp)")
    for op, at in itertools.product("lb lbu lh lhu lw".split() + ["ld", "lwu"] * (bits == 64), where):
        yield f"{op} t3,{at}"
    for op, at in itertools.product("sb sh sw".split() + ["sd"] * (bits == 64), where):
        yield f"{op} a0,{at}"
    for op, regs in itertools.product("lb lw".split() + ["ld"] * (bits == 64), ("a2,0(a2)", "zero,0(a2)", "zero,0(a5)", "sp,0(a2)", "ra,4(a3)")):
        yield f"{op} {regs}"
    for op, regs in itertools.product("sb sw".split() + ["sd"] * (bits == 64), ("a2,0(a2)", "zero,0(a2)", "sp,0(a2)", "a5,0(a5)")):
        yield f"{op} {regs}"
    for op, at in itertools.product("flw fld".split(), ("0(a2)", "8(a2)", "4(a3)", "0(a5)")):
        yield f"{op} f8,{at}"
    for op, at in itertools.product("fsw fsd".split(), ("0(a2)", "8(a2)", "4(a3)", "0(a5)")):
        yield f"{op} f9,{at}"
    for op, width, order, regs in itertools.product(
            "amoswap amoadd amoxor amoand amoor amomin amomax amominu amomaxu".split(), ("w",) + ("d",) * (bits == 64), ("", ".aqrl"),
            ("t3,a0,(a2)", "a0,a0,(a2)", "zero,a0,(a3)", "t3,a2,(a2)", "t3,a0,(a5)")):
        yield f"{op}.{width}{order} {regs}"


def branches():
    for op, regs, target in itertools.product("beq bne blt bge bltu bgeu".split(), ("a0,a1", "a1,a0", "a0,a0", "zero,a0", "a0,zero"),
                                              ("+64", "-64", "+8")):
        yield f"{op} {regs},.{target}"
    for rd, target in itertools.product(("zero", "ra", "t0", "a0"), ("+64", "-64", "+8", "+2", "+1020")):
        yield f"jal {rd},.{target}"
    for rd, base, n in itertools.product(("zero", "ra", "s1", "t0", "a0"), ("s1", "t0", "ra"), (0, 4, -8, 1)):
        yield f"jalr {rd},{n}({base})"


def compressed(bits):
    for op in "c.sub c.xor c.or c.and".split() + ["c.subw", "c.addw"] * (bits == 64):
        yield from (f"{op} a0,a1", f"{op} a0,a0", f"{op} s0,a4")
    yield from ("c.addi4spn a0,sp,4", "c.addi4spn s0,sp,1020", "c.nop", "c.addi a0,1", "c.addi a0,-32", "c.addi sp,16", "c.li a0,5", "c.li t3,-1",
                "c.lui a0,1", "c.lui t3,0xfffff", "c.addi16sp sp,-64", "c.addi16sp sp,496", "c.srli a0,1", "c.srli a0,31", "c.srai a0,1",
                "c.srai a1,31", "c.andi a0,7", "c.andi a1,-1", "c.slli a0,1", "c.slli t3,31", "c.mv t3,a0", "c.mv a0,sp", "c.mv sp,a3",
                "c.add a0,a1", "c.add a0,a0", "c.add sp,a4", ".2byte 0x0001", ".2byte 0x6005 # c.lui x0", ".2byte 0x4005 # c.li x0")
    yield from ("c.lw a0,0(a2)", "c.lw a2,4(a2)", "c.lw a0,0(a5)", "c.lw s0,124(a3)", "c.sw a0,0(a2)", "c.sw a2,8(a2)", "c.sw a0,0(a5)",
                "c.lwsp a0,0(sp)", "c.lwsp sp,4(sp)", "c.swsp a0,8(sp)", "c.swsp sp,0(sp)", "c.fld f8,0(a2)", "c.fld f8,0(a5)", "c.fsd f9,8(a2)",
                "c.fsd f9,0(a5)", "c.fldsp f8,0(sp)", "c.fsdsp f9,8(sp)")
    if bits == 64:
        yield from ("c.ld a0,0(a2)", "c.ld a2,8(a2)", "c.ld a0,0(a5)", "c.sd a0,0(a2)", "c.sd a0,0(a5)", "c.ldsp a0,0(sp)", "c.ldsp sp,8(sp)",
                    "c.sdsp a0,8(sp)", "c.addiw a0,1", "c.addiw a0,-1", "c.slli a0,32", "c.slli a0,63", "c.srli a0,33", "c.srai a0,63")
    else:
        yield from ("c.flw f8,0(a2)", "c.flw f8,0(a5)", "c.fsw f9,4(a2)", "c.fsw f9,0(a5)", "c.flwsp f8,0(sp)", "c.fswsp f9,8(sp)",
                    "c.jal .+64", "c.jal .-64", "c.jal .+2")
    for target in ("+64", "-64", "+2", "+4", "+1024"):
        yield f"c.j .{target}"
    for op, reg, target in itertools.product(("c.beqz", "c.bnez"), ("a0", "a1", "s0"), ("+64", "-64", "+2")):
        yield f"{op} {reg},.{target}"
    for op, reg in itertools.product(("c.jr", "c.jalr"), ("ra", "t0", "s1")):
        yield f"{op} {reg}"


def floating(bits):
    for op, kind, regs in itertools.product("fadd fsub fmul fdiv fsgnj fsgnjn fsgnjx fmin fmax".split(), ("s", "d"), ("f8,f9,f10", "f8,f8,f9")):
        yield f"{op}.{kind} {regs}"
    for op, kind in itertools.product("fmadd fmsub fnmsub fnmadd".split(), ("s", "d")):
        yield f"{op}.{kind} f8,f9,f10,f11"
    for op, kind in itertools.product("feq flt fle".split(), ("s", "d")):
        yield from (f"{op}.{kind} t3,f8,f9", f"{op}.{kind} a0,f8,f8")
    for kind in ("s", "d"):
        yield from (f"fsqrt.{kind} f8,f9", f"fclass.{kind} t3,f8", f"fcvt.w.{kind} t3,f8", f"fcvt.wu.{kind} t3,f8", f"fcvt.{kind}.w f8,a0",
                    f"fcvt.{kind}.wu f8,a0", f"fadd.{kind} f8,f9,f10,rtz", f"fadd.{kind} f8,f9,f10,dyn")
        if bits == 64:
            yield from (f"fcvt.l.{kind} t3,f8", f"fcvt.lu.{kind} t3,f8", f"fcvt.{kind}.l f8,a0", f"fcvt.{kind}.lu f8,a0")
    yield from ("fcvt.s.d f8,f9", "fcvt.d.s f8,f9", "fmv.x.w t3,f8", "fmv.w.x f8,a0")
    if bits == 64:
        yield from ("fmv.x.d t3,f8", "fmv.d.x f8,a0")
    # A rounding mode that there is not.
    yield ".4byte 0x00a4d453 # fadd.s f8,f9,f10 with rm 5"


def registers():
    for form in ("csrr t3,mstatus", "csrr zero,mstatus", "csrsi mstatus,8", "csrci mstatus,8", "csrrsi t3,mstatus,8", "csrrci t3,mstatus,8",
                 "csrrs t3,mstatus,a4", "csrrc a4,mstatus,a4", "csrs mstatus,a4", "csrc mstatus,a4",
                 "csrr t3,fcsr", "csrw fcsr,a4", "csrrwi t3,frm,2", "csrrs t3,fflags,a4", "csrr t3,misa", "csrr t3,mie", "csrw mie,zero",
                 "csrrw t3,mie,zero", "csrr t3,mip", "csrr t3,mhartid", "csrr t3,mvendorid", "csrr t3,scounteren", "csrr t3,satp", "csrr t3,pmpcfg0",
                 "csrr t3,0x7a0", "csrr t3,mcounteren", "csrr t3,0x5ff", "csrw 0xc00,a0", "csrw mstatus,a4"):
        yield form


REFUSED = {
    "SYSTEM_CALL": ["ecall"],
    "BREAKPOINT": ["ebreak", "c.ebreak", "slli zero,zero,31", "srai zero,zero,7"],
    "EXCEPTION_RETURN": ["mret", "sret", ".4byte 0x00200073", ".4byte 0x70200073", ".4byte 0x7b200073"],
    "SYSTEM_REGISTER": ["sfence.vma", "csrr t3,mepc", "csrw mepc,a0", "csrr t3,mcause", "csrr t3,mtval", "csrr t3,mscratch", "csrw mscratch,a0",
                        "csrw mtvec,a0", "csrw satp,a0", "csrw medeleg,a0", "csrw pmpcfg0,a0", "csrw pmpaddr0,a0", "csrw 0x7a0,a0", "csrw 0x7a1,a0",
                        "csrr t3,0x7b0", "csrw 0x7c0,a0", "csrw 0x307,a0", "csrr t3,0x345", "csrr t3,0x34b", "csrw 0x30a,a0", "csrwi 0xbc0,1",
                        "csrw 0x31a,a0", "csrr t3,0x741", "csrw 0x747,a0", "csrci misa,4", "csrr t3,0x800", "csrw 0x5c0,a0",
                        "csrw 0x6ff,a0", "csrw 0x9c0,a0", "csrw 0xaff,a0"],
    "EXCLUSIVE": ["lr.w t3,(a2)", "sc.w t3,a0,(a2)", "lr.w.aqrl t3,(a2)"],
    "UNSUPPORTED": [".4byte 0x0006200f # cbo.inval", ".4byte 0x00d00073 # wrs.nto", ".4byte 0x60064e73 # hlv.b", ".2byte 0x8000 # Zcb",
                    ".2byte 0x9c61 # c.zext.b"],
    "UNDEFINED": [".2byte 0", ".2byte 0x0004 # c.addi4spn of nothing", ".2byte 0x6101 # c.addi16sp of nothing", ".2byte 0x6081 # c.lui of nothing",
                  ".2byte 0x4002 # c.lwsp x0", ".2byte 0x8002 # c.jr x0", ".4byte 0x0000007b", ".4byte 0x0000000b", ".4byte 0x08051513",
                  ".4byte 0x02055533 | 1 << 31", ".4byte 0x0a055513"],
}
REFUSED_32 = {
    "UNDEFINED": [".2byte 0x9105 # c.srli by 33", ".2byte 0x1502 # c.slli by 32", ".4byte 0x00053003 # ld", ".4byte 0x00053023 # sd",
                  ".4byte 0x02051513 # slli by 32", ".4byte 0x0005051b # addiw", ".4byte 0x00b5053b # addw"],
}
REFUSED_64 = {
    "UNDEFINED": [".2byte 0x2001 # c.addiw x0", ".2byte 0x6002 # c.ldsp x0"],
    "EXCLUSIVE": ["lr.d t3,(a2)", "sc.d t3,a0,(a2)"],
}
# UNSUPPORTED: c.zext.b is c.subw's neighbour only on 64 bits.


def collect(kind):
    """(text, flags, refusal)"""
    bits = int(kind)
    for insn in itertools.chain(alu(bits), memory(bits), branches(), compressed(bits), floating(bits), registers()):
        yield insn, "0", "0"
    for insn in ("csrr t3,mcycle", "csrr t3,minstret", "rdcycle t3", "rdtime t3"):
        yield insn, "CASE_TIME", "0"
    for insn in ("csrr a0,mtvec", "csrrs t3,mtvec,zero"):
        yield insn, "CASE_VECTOR", "0"
    yield "wfi", "CASE_HALTS", "0"
    for refused in (REFUSED, REFUSED_64 if bits == 64 else REFUSED_32):
        for reason, insns in refused.items():
            for insn in insns:
                yield insn, "CASE_REFUSED", f"DP_REFUSE_{reason}"


def assemble(prefix, cases, bits=None):
    """The instructions as numbers, the first half lowest."""
    bits = bits or (64 if any(case[0].startswith(("ld ", "lr.d")) for case in cases) else 32)
    source = [".text", ".option norelax"]
    for case in cases:
        source += [f".option {'rvc' if case[0].startswith('c.') else 'norvc'}", case[0]]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "cases.s")
        path.write_text("\n".join(source) + "\n", encoding="ascii")
        subprocess.run([f"{prefix}as", f"-march=rv{bits}{EXTENSIONS}", f"-mabi={'lp64d' if bits == 64 else 'ilp32d'}", "-o", f"{folder}/cases.o",
                        path], check=True)
        subprocess.run([f"{prefix}objcopy", "-O", "binary", "-j", ".text", f"{folder}/cases.o", f"{folder}/cases.bin"], check=True)
        image = pathlib.Path(folder, "cases.bin").read_bytes()
    words, at = [], 0
    while at < len(image):
        length = 4 if image[at] & 3 == 3 else 2
        words.append(int.from_bytes(image[at:at + length], "little"))
        at += length
    assert len(words) == len(cases), "an instruction became two"
    return words


def main(kind, prefix, output):
    cases = list(collect(kind))
    rows, seen = [], set()
    for (text, flags, refusal), word in zip(cases, assemble(prefix, cases, int(kind))):
        if word in seen:
            continue
        seen.add(word)
        rows.append("{{0x%08x, ADDED}, %s, %s, \"%s\"}," % (word, flags, refusal, text))
    pathlib.Path(output).write_text("\n".join(rows) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
