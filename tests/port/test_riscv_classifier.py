# SPDX-License-Identifier: BSD-2-Clause
"""The RISC-V classifier against another table: what objdump calls an instruction, and what is right for an instruction of
that name. A million instructions each night, fewer by day, decided for RV32 and RV64, the classifier under sanitizers."""
import collections
import random
import re
import subprocess

from harness.paths import built, program

SEED = 20230412
IS_64, HAS_D = 1, 2
EXTENSIONS = "imafdc_zicsr_zifencei_zba_zbb_zbc_zbs"


def names(text):
    return set(text.split())


# objdump prints aliases: those of one plan stand together.
PLAIN = names("add addi addw addiw sub subw and andi or ori xor xori sll slli srl srli sra srai slt slti sltu sltiu lui fence fence.i "
              "sllw slliw srlw srliw sraw sraiw li mv not neg negw nop sext.w seqz snez sltz sgtz zext.b pause fence.tso slli64 srli64 srai64")
MAY_FAULT = names("lb lbu lh lhu lw lwu ld sb sh sw sd flw fld fsw fsd mul mulh mulhsu mulhu mulw div divu divw divuw rem remu remw remuw "
                  "sh1add sh2add sh3add sh1add.uw sh2add.uw sh3add.uw add.uw slli.uw zext.w andn orn xnor clz ctz cpop clzw ctzw cpopw max maxu min "
                  "minu sext.b sext.h zext.h rol ror rori rolw rorw roriw orc.b rev8 clmul clmulh clmulr bclr bclri bext bexti binv binvi bset bseti")
EMULATED = names("auipc jal j jalr jr ret beq bne blt bge bltu bgeu beqz bnez blez bgez bltz bgtz bgt ble bgtu bleu")
AMO = re.compile(r"amo\w+\.[wd](\.aq|\.rl|\.aqrl)?$")
FLOATING = re.compile(r"f(add|sub|mul|div|sqrt|sgnj|sgnjn|sgnjx|min|max|madd|msub|nmsub|nmadd|eq|lt|le|gt|ge|class|cvt|mv|neg|abs)\.")
CSR = re.compile(r"csr|fr(csr|rm|flags)|fs(csr|rm|flags)|rd(cycle|time|instret)h?|frflags|fsrmi|fsflagsi")
REFUSED = {
    "SYSTEM_CALL": names("ecall"),
    "BREAKPOINT": names("ebreak"),
    "EXCEPTION_RETURN": names("mret sret uret dret mnret"),
    "SYSTEM_REGISTER": names("sfence.vma"),
    "UNSUPPORTED": names("sfence.w.inval sfence.inval.ir sinval.vma hinval.vvma hinval.gvma hfence.vvma hfence.gvma wrs.nto wrs.sto cbo.clean "
                         "cbo.flush cbo.inval cbo.zero prefetch.i prefetch.r prefetch.w"),
}
SEMIHOSTING = {0x01f01013, 0x40705013}
STATUS, VECTOR = 0x300, 0x305
OWN = [(0x340, 0x343, True), (0x345, 0x34b, True), (0x740, 0x744, True), (0x7b0, 0x7bf, True), (0x180, 0x180, False), (0x301, 0x303, False),
       (0x305, 0x305, False), (0x307, 0x307, False), (0x30a, 0x313, False), (0x31a, 0x31a, False), (0x3a0, 0x3ef, False), (0x747, 0x757, False),
       (0x7a0, 0x7af, False)]


def is_custom(number):
    """Privileged ISA, table 2.1: read/write registers of the CPU's maker."""
    access, level, upper = number >> 10, number >> 8 & 3, number >> 6 & 3
    if level == 0:
        return access == 2  # 0x800 to 0x8ff
    return access != 3 and access != 0 and upper == 3



def csr_plan(insn):
    number, form, operand = insn >> 20, insn >> 12 & 7, insn >> 15 & 31
    writes = form & 3 == 1 or operand != 0
    if number == STATUS or (number == VECTOR and not writes):
        return "emulate"
    if is_custom(number) and (writes or number >> 8 == 8):
        return "SYSTEM_REGISTER"
    for first, last, reading in OWN:
        if first <= number <= last and (writes or reading):
            return "SYSTEM_REGISTER"
    return "memory"


def is_long_shift(insn):
    """A shift by 32 and more: reserved on RV32."""
    if insn & 3 == 3:
        return insn & 0x0200307f == 0x02001013
    return insn & 0xf003 == 0x1002 or insn & 0xf803 == 0x9001


def expected(name, insn, bits):
    """What is right for an instruction of that name; None where objdump has no name that decides."""
    if name is None:
        return None
    if name == "unimp" or insn == 0x6101 or (bits == 32 and is_long_shift(insn)):
        return "UNDEFINED"
    name = name.removeprefix("c.")  # a hint
    if insn in SEMIHOSTING:
        return "BREAKPOINT"
    if insn & 0x7f == 0x73 and insn >> 12 & 3:
        return csr_plan(insn)
    if name.startswith(("lr.", "sc.")):
        return "EXCLUSIVE"
    if name == "wfi":
        return "nop"
    for reason, known in REFUSED.items():
        if name in known:
            return reason
    if name in EMULATED:
        return "emulate"
    if name in MAY_FAULT or AMO.match(name):
        return "memory"
    if FLOATING.match(name):
        return "two"
    if name in PLAIN:
        return "one"
    return f"a row for {name}"


def words(count, seed):
    """Random instructions; half of them of 16 bits, and of 32 bits mostly those of the base opcodes."""
    chance = random.Random(seed)
    opcodes = (0x03, 0x07, 0x0f, 0x13, 0x17, 0x1b, 0x23, 0x27, 0x2f, 0x33, 0x37, 0x3b, 0x43, 0x47, 0x4b, 0x4f, 0x53, 0x63, 0x67, 0x6f, 0x73)
    made = []
    for i in range(count):
        word = chance.getrandbits(32)
        if i & 1:
            word &= 0xffff
            if word & 3 == 3:
                word ^= 1
        else:
            word = word & ~0x7f | (chance.choice(opcodes) if i & 6 else word & 0x7c | 3)
            if i & 8:  # reserved zeros, that random bits seldom have
                word &= chance.choice((0x01ffffff, 0xc1ffffff, 0xfe0fffff, 0x000fffff, 0x31ffffff, 0x43ffffff))
            if word & 0x1c == 0x1c:
                word ^= 0x10
        made.append(word)
    # ecall, ebreak, mret, sret, wfi, sfence.vma, semihosting's neighbours: rare among random ones
    return made + [0x73, 0x100073, 0x30200073, 0x10200073, 0x10500073, 0x12000073, *SEMIHOSTING]


def disassemble(found, bits, tmp_path):
    """objdump's name of each instruction, None: it has none."""
    objects = tmp_path / "words.o"
    source = tmp_path / "words.s"
    source.write_text("".join(f".insn {2 if word & 3 != 3 else 4}, {word:#x}\n" for word in found), encoding="ascii")
    subprocess.run([program("riscv64-unknown-elf-as"), f"-march=rv{bits}{EXTENSIONS}", f"-mabi={'lp64d' if bits == 64 else 'ilp32d'}",
                    "-o", objects, source], check=True)
    listing = subprocess.run([program("riscv64-unknown-elf-objdump"), "-d", "-z", objects], check=True, capture_output=True, text=True).stdout
    lines = re.findall(r"^\s*([0-9a-f]+):\s+([0-9a-f]+)\s+(\S+)", listing, re.M)
    assert len(lines) == len(found)
    return [None if name.startswith(".") else name for _, _, name in lines]


def decide(found, cpu, tmp_path):
    image = tmp_path / "words"
    image.write_bytes(b"".join(word.to_bytes(4, "little") for word in found))
    done = subprocess.run([built("host-asan", "tests", "port", "test_riscv_decode"), image, str(cpu)], check=True, capture_output=True, text=True)
    return done.stdout.split()


def test_classifier_agrees_with_objdump(tmp_path, amount):
    for bits in (32, 64):
        found = words(amount(60_000, 500_000), SEED + bits)
        wrong, agreed, unknown = collections.Counter(), collections.Counter(), collections.Counter()
        plans = decide(found, HAS_D | (IS_64 if bits == 64 else 0), tmp_path)
        for word, name, plan in zip(found, disassemble(found, bits, tmp_path), plans):
            right = expected(name, word, bits)
            if right is None:
                # A CPU ignores the other fields of a fence; czero has no name there, nor an operation with a rounding mode
                # that there is not, nor one that rounds nothing with a mode. What nobody knows is refused.
                rounding = plan == "two" and (word >> 12 & 7 in (5, 6) or word >> 25 in (0x21, 0x69))
                known = word & 0x607f == 0x000f or word & 0xfe00407f == 0x0e004033 or rounding
                unknown["known" if known else plan] += 1
            elif plan != right:
                wrong[f"{name}: {plan}, not {right}, such as {word:#x}"] += 1
            else:
                agreed[right] += 1
        print(bits, dict(agreed), dict(unknown))
        assert not wrong, wrong.most_common(20)
        stepped = {plan: count for plan, count in unknown.items() if plan not in ("UNDEFINED", "UNSUPPORTED", "known")}
        assert not stepped, stepped
        assert len(agreed) > 10 and sum(agreed.values()) > len(found) // 3
