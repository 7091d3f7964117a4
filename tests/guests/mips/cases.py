# SPDX-License-Identifier: BSD-2-Clause
"""Writes cases.inc: pairs of instructions for common/oracle.c, assembled by the GNU assembler.

    cases.py RELEASE PREFIX OUTPUT      RELEASE: 1 or 2; PREFIX: of the assembler
"""
import itertools
import pathlib
import subprocess
import sys
import tempfile

# $4, $5: values that vary. $6, $7, $29: data; $8 8; $9 a hole; $10 odd data; $11 4; $13, $14: for
# Status; $25, $31: code. Every case is two words; what is no jump is followed by NEXT.
NEXT = "addiu $24, $24, 1"


def alu(r2):
    three = "addu subu and or xor nor slt sltu movz movn mul add sub sllv srlv srav".split()
    for op, regs in itertools.product(three + (["rotrv"] if r2 else []), (
            "$2, $4, $5", "$4, $4, $5", "$5, $4, $5", "$0, $4, $5", "$2, $0, $5", "$31, $4, $0",
            "$26, $4, $27")):
        yield f"{op} {regs}"
    for op, regs, amount in itertools.product(["sll", "srl", "sra"] + (["rotr"] if r2 else []),
                                              ("$2, $4", "$4, $4", "$27, $26"), (0, 1, 31)):
        yield f"{op} {regs}, {amount}"
    for op, value in itertools.product("addi addiu slti sltiu".split(), (0, 1, 0x7fff, -1, -0x8000)):
        yield f"{op} $2, $4, {value}"
        yield f"{op} $5, $5, {value}"
    for op, value in itertools.product("andi ori xori".split(), (0, 1, 0x8000, 0xffff)):
        yield f"{op} $2, $4, {value}"
    yield from ("lui $2, 0x8000", "lui $0, 1", "addiu $29, $29, -32", "addiu $0, $0, 1",
                "mfhi $2", "mflo $31", "mthi $4", "mtlo $5", "clz $2, $4", "clo $3, $5",
                "clz $4, $4", "nop", "ssnop", "ehb", "sync", "pref 0, 0($6)", "pref 1, 0($9)")
    for op, regs in itertools.product("mult multu madd maddu msub msubu".split(),
                                      ("$4, $5", "$4, $4", "$0, $5")):
        yield f"{op} {regs}"
    yield from ("div $0, $4, $8", "divu $0, $5, $8", "div $0, $5, $11")
    if r2:
        yield from ("ext $2, $4, 3, 7", "ext $4, $4, 0, 32", "ins $2, $4, 4, 8", "ins $5, $4, 31, 1",
                    "wsbh $2, $4", "seb $2, $5", "seh $4, $4", "rdhwr $2, $1", "rdhwr $2, $0",
                    "synci 0($6)", "synci 0($9)", "rdhwr $2, $3")


def traps():
    for op in "tge tgeu tlt tltu teq tne".split():
        yield f"{op} $4, $5"
        yield f"{op} $4, $4, 7"
    for op, value in itertools.product("tgei tgeiu tlti tltiu teqi tnei".split(), (0, 1, -1)):
        yield f"{op} $4, {value}"


def memory():
    where = ("0($6)", "4($6)", "-8($7)", "1($6)", "2($6)", "0($9)", "0($10)", "-4($29)", "0x7ffc($0)")
    for op, at in itertools.product("lb lbu lh lhu lw lwl lwr".split(), where):
        yield f"{op} $2, {at}"
    for op, at in itertools.product("sb sh sw swl swr".split(), where):
        yield f"{op} $4, {at}"
    yield from ("lw $6, 0($6)", "lw $0, 0($6)", "lw $0, 0($9)", "lb $26, 0($6)", "lw $27, 4($6)",
                "lh $31, 2($6)", "sw $0, 0($6)", "sw $6, 0($6)", "sw $31, 20($29)", "sw $26, 0($7)",
                "cache 0x10, 0($6)", "cache 0x15, 0($6)", "cache 0x19, 0($6)", "cache 0x15, 0($9)")


def corners(r2):
    """Register 0 in every place, and the same register in two."""
    three = "addu subu and or xor nor slt sltu movz movn mul add sub sllv srlv srav".split()
    for op, regs in itertools.product(three + (["rotrv"] if r2 else []),
                                      ("$2, $4, $4", "$4, $4, $4", "$0, $0, $0", "$4, $0, $4")):
        yield f"{op} {regs}"
    for op, regs in itertools.product(["sll", "srl", "sra"] + (["rotr"] if r2 else []),
                                      ("$0, $4", "$2, $0", "$0, $0")):
        yield f"{op} {regs}, 3"
    for op, regs in itertools.product("addi addiu slti sltiu andi ori xori".split(), ("$2, $0", "$0, $4", "$4, $4")):
        yield f"{op} {regs}, 5"
    for op in "mult multu madd maddu msub msubu".split():
        yield from (f"{op} $4, $0", f"{op} $0, $0")
    for op in "div divu".split():
        yield from (f"{op} $0, $0, $8", f"{op} $0, $8, $8", f"{op} $0, $8, $0")
    yield from ("mfhi $0", "mflo $0", "mthi $0", "mtlo $0")
    for op in "clz clo".split():
        yield from (f"{op} $0, $4", f"{op} $2, $0", f"{op} $4, $4")
    for op in "tge tgeu tlt tltu teq tne".split():
        yield from (f"{op} $0, $4", f"{op} $4, $0")
    for op in "tgei tgeiu tlti tltiu teqi tnei".split():
        yield from (f"{op} $0, 1", f"{op} $0, 0")
    for op in "lb lbu lh lhu lw lwl lwr sb sh sw swl swr".split():
        yield from (f"{op} $0, 4($6)", f"{op} $6, 4($6)")
    if r2:
        for op in "ext ins".split():
            yield from (f"{op} $2, $0, 3, 7", f"{op} $0, $4, 3, 7", f"{op} $4, $4, 3, 7")
        for op in "wsbh seb seh".split():
            yield from (f"{op} $0, $4", f"{op} $2, $0", f"{op} $4, $4")
        yield from ("rdhwr $0, $1", "synci 0x7ffc($0)")


def system(r2):
    yield from ("mfc0 $2, $12", "mfc0 $0, $13", "mfc0 $0, $12", "mfc0 $4, $12", "mtc0 $13, $12", "mtc0 $14, $12",
                "mfc0 $2, $8", "mfc0 $2, $4", "mfc0 $2, $10", "mfc0 $2, $15", "mfc0 $2, $16",
                "mfc0 $2, $16, 1", "mtc0 $0, $5", "mfc0 $2, $11", "tlbp", "mfc0 $2, $6")
    if r2:
        yield from ("di", "di $2", "ei", "ei $2", "mfc0 $2, $15, 1", "mfc0 $2, $12, 1")


def coprocessor(r2):
    yield from ("add.s $f0, $f1, $f2", "mul.s $f3, $f1, $f2", "sub.d $f0, $f2, $f4",
                "div.s $f4, $f1, $f2", "mov.s $f0, $f1", "cvt.d.s $f0, $f3", "cvt.w.s $f1, $f2",
                "c.lt.s $f1, $f2", "c.eq.s $fcc3, $f1, $f1", "mtc1 $4, $f3", "mfc1 $2, $f1",
                "cfc1 $2, $31", "ctc1 $0, $31", "lwc1 $f2, 0($6)", "swc1 $f2, 4($6)",
                "ldc1 $f2, 0($6)", "sdc1 $f2, 8($6)", "lwc1 $f2, 0($9)", "sdc1 $f2, 0($9)",
                "movf $0, $4, $fcc0", "movf $2, $0, $fcc0", "movf $4, $4, $fcc0", "movt $0, $0, $fcc0",
                "lwc1 $f1, 1($6)", "movf $2, $4, $fcc0", "movt $2, $4, $fcc3", "movf $4, $5, $fcc1",
                "movz.s $f0, $f1, $4", "movt.s $f0, $f1, $fcc0", "neg.s $f1, $f2", "sqrt.s $f1, $f2")
    if r2:
        yield from ("madd.s $f0, $f1, $f2, $f3", "lwxc1 $f1, $8($6)")


DELAY = ("nop", "addiu $4, $4, 1", "move $31, $5", "addu $2, $31, $0", "lw $2, 0($6)", "lw $2, 0($9)",
         "sw $5, 4($6)", "sw $31, 0($9)", "mult $4, $5", "mfc0 $2, $12", "lw $25, 1($6)",
         "teq $4, $5", "add $2, $4, $5", "lwl $2, 1($6)", "xor $5, $5, $4", "ssnop",
         "addiu $25, $25, 4", "sb $4, 3($7)", "lui $2, 0x1234", "or $4, $5, $0", "tgei $4, 0",
         "mtc0 $13, $12", "lhu $31, 0($6)")


def jumps():
    compare = ("beq $4, $5", "beq $4, $4", "beq $0, $0", "bne $4, $5", "blez $4",
               "bgtz $4", "bltz $4", "bgez $4", "bltzal $4", "bgezal $4", "bltzal $0", "bgezal $0",
               "beql $4, $5", "beql $4, $4", "bnel $4, $5", "blezl $4", "bgtzl $4", "bltzl $4",
               "bgezl $4", "bltzall $4", "bgezall $4", "bltzall $0")
    for number, (branch, delay) in enumerate(itertools.product(compare, DELAY)):
        yield f"{branch}, .{'+64' if number % 3 else '-64'}", delay, 0
    # QEMU takes `bne $5, $5` for a nop: a fault behind it would not be in a delay slot.
    for delay in DELAY[:4]:
        yield "bne $5, $5, .+64", delay, 0
    for jump, delay in itertools.product(
            ("jr $25", "jr $31", "jalr $31, $25", "jalr $2, $25", "jalr $0, $31", "jalr $27, $25"),
            DELAY):
        yield jump, delay, 0
    for branch in ("beq $0, $4", "beq $4, $0", "bne $0, $4", "bne $4, $0", "beql $0, $4", "beql $4, $0",
                   "bnel $0, $4", "bnel $4, $0", "bnel $4, $4", "bnel $0, $0", "blez $0", "bgtz $0", "bltz $0",
                   "bgez $0", "blezl $0", "bgtzl $0", "bltzl $0", "bgezl $0", "bltzall $0", "bgezall $0"):
        yield f"{branch}, .+64", DELAY[1], 0
    for jump in ("jr $0", "jalr $2, $0", "jalr $31, $0"):
        yield jump, DELAY[1], 0
    for jump, delay in itertools.product(("jr.hb $31", "jalr.hb $25"), DELAY[:4]):
        yield jump, delay, 0
    for jump, delay in itertools.product(("j", "jal"), DELAY):
        yield f".word {0x08000000 if jump == 'j' else 0x0c000000:#x}", delay, "CASE_TARGET"
    for kind, delay in itertools.product(("bc1f .+64", "bc1t .-64", "bc1fl .+64", "bc1tl .+64",
                                          "bc1t $fcc3, .+64", "bc1fl $fcc1, .+64"), DELAY):
        yield kind, delay, "CASE_FPU"
    for branch in ("beql $4, $4", "bltz $4", "bgezal $4"):
        yield f"{branch}, .+64", "add.s $f0, $f1, $f2", "CASE_FPU"


# The assembler may put a sync before an ll that it knows.
LL = ".word 0xc0c20000"
REFUSED = {
    "SYSTEM_CALL": ["syscall"],
    "BREAKPOINT": ["break 7", "break 0", ".word 0x14d", "sdbbp 1", ".word 0x0005000d"],
    "UNPREDICTABLE": [".word 0x0320c809", ".word 0x07f0000f", ".word 0x07f1000f", ".word 0x07f2000f",
                      ".word 0x07f3000f"],
    "EXCEPTION_RETURN": ["eret", "deret", ".word 0x42000058"],
    "SYSTEM_REGISTER": ["mfc0 $2, $14", "mtc0 $2, $14", "mfc0 $2, $30", "mtc0 $2, $30",
                        ".word 0x40827801"],
    "STATE_CHANGE": [".word 0x74000040"],
    "COPROCESSOR": [".word 0x4a000001", ".word 0x49000004", ".word 0xc8c20000", ".word 0xd8c20000",
                    ".word 0xe8c20000", ".word 0xf8c20000"],
    "EXCLUSIVE": [LL, ".word 0xe0c20000"],
    "UNSUPPORTED": [".word 0x041c0004", ".word 0x41000000", ".word 0x70000010", ".word 0x45200004",
                    ".word 0x45400004", ".word 0x45600004", ".word 0x45e00004", ".word 0x47a00004"],
    "UNDEFINED": [".word 0x0000000e", ".word 0x00000005", ".word 0x04040000", ".word 0x60000000",
                  ".word 0x78000000", ".word 0xec000000", ".word 0x00200000"],
}
REFUSED_R2 = {"SYSTEM_REGISTER": ["rdpgpr $2, $3", "wrpgpr $2, $3"],
              "UNSUPPORTED": [".word 0x7c00000a"]}
REFUSED_R1 = {"UNDEFINED": [".word 0x7c000000", ".word 0x041f0000"], "UNSUPPORTED": [".word 0x41606000"],
              "COPROCESSOR": [".word 0x4c000000"]}
BAD_DELAY = (("b .+64", "b .+64"), ("beq $4, $5, .+64", "syscall"), ("jr $31", "eret"),
             ("bne $4, $5, .+64", LL), ("jal 0x80010000", ".word 0x0000000e"),
             ("bgez $4, .+64", "break 0"), ("bltz $4, .+64", "jr $31"))


def collect(r2):
    """(first, second, flags, refusal)"""
    for insn in itertools.chain(alu(r2), traps(), memory(), corners(r2), system(r2)):
        yield insn, NEXT, "0", "0"
    for insn in coprocessor(r2):
        yield insn, NEXT, "CASE_FPU", "0"
    yield "wait", NEXT, "CASE_HALTS", "0"
    for first, second, flags in jumps():
        yield first, second, f"CASE_JUMP | {flags}", "0"
    for table in (REFUSED, REFUSED_R2 if r2 else REFUSED_R1):
        for reason, insns in table.items():
            for insn in insns:
                yield insn, "nop", "CASE_REFUSED", f"DP_REFUSE_{reason}"
    for first, second in BAD_DELAY:
        yield first, second, "CASE_REFUSED | CASE_BAD_DELAY", "0"


def assemble(prefix, release, cases):
    source = [".set noreorder", ".set noat", ".set hardfloat", f".set {'mips32r2' if release == 2 else 'mips32'}",
              ".text"]
    for first, second, _, _ in cases:
        source += [first, second]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "cases.s")
        path.write_text("\n".join(source) + "\n", encoding="ascii")
        subprocess.run([f"{prefix}as", "-mabi=32", "-mno-fix-loongson2f-nop", "-o", f"{folder}/cases.o", path], check=True)
        subprocess.run([f"{prefix}ld", "--no-warn-mismatch", "-Ttext=0x80010000", "-e", "0", "-o",
                        f"{folder}/cases.elf", f"{folder}/cases.o"], check=True)
        subprocess.run([f"{prefix}objcopy", "-O", "binary", "-j", ".text", f"{folder}/cases.elf",
                        f"{folder}/cases.bin"], check=True)
        image = pathlib.Path(folder, "cases.bin").read_bytes()
    order = "little" if "mipsel" in prefix else "big"
    words = [int.from_bytes(image[i:i + 4], order) for i in range(0, len(image), 4)]
    assert len(words) >= 2 * len(cases) and not any(words[2 * len(cases):]), "an instruction became two"
    return [tuple(words[2 * n:2 * n + 2]) for n in range(len(cases))]


def main(release, prefix, output):
    cases = list(collect(release == 2))
    rows, seen = [], set()
    for (first, second, flags, refusal), words in zip(cases, assemble(prefix, release, cases)):
        if words in seen:
            continue
        seen.add(words)
        text = first if second == NEXT else f"{first}; {second}"
        rows.append("{{0x%08x, 0x%08x}, %s, %s, \"%s\"}," % (*words, flags, refusal, text))
    pathlib.Path(output).write_text("\n".join(rows) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
