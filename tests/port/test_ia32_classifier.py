# SPDX-License-Identifier: BSD-2-Clause
"""The IA32 classifier against another table: the length that objdump finds, what it calls an instruction, and what is right for
an instruction of that name. Random instructions of every map, and all that a compiler has made of libgcc; the classifier
under sanitizers."""
import collections
import random
import re
import subprocess

import pytest

from harness.paths import built, program

SEED = 20210603
CROSS = "i686-linux-gnu-"
LIBRARIES = ("libgcc.a", "libgcc_eh.a", "libgcov.a")
ROOM = 16     # bytes of an instruction for the classifier
BLOCK = 32    # of an instruction and the no-ops behind it, in which any walk finds the next block


def names(text):
    return set(text.split())


PREFIXES = names("lock rep repz repnz bnd notrack xacquire xrelease data16 addr16 cs ds es fs gs ss")
BRANCH = re.compile(r"(j\w+|loop\w*|call[lw]?|ret[lw]?|jmp[lw]?|jmpw)$")
REFUSED = {
    "SYSTEM_CALL": names("int sysenter sysenterl syscall"),
    "BREAKPOINT": names("int3 int1 icebp into"),
    "EXCEPTION_RETURN": names("iret iretw iretl sysexit sysexitl sysret sysretl rsm"),
    "SYSTEM_REGISTER": names("lgdt lgdtl lgdtw lidt lidtl lidtw lldt ltr lmsw invlpg invd wbinvd wbnoinvd wrmsr lss"),
    "UNDEFINED": names("ud0 ud1 ud2 ud2b"),
    "UNSUPPORTED": names("""hlt lcall lcalll lcallw ljmp ljmpl ljmpw lret lretl lretw xabort xbegin xbeginw getsec invept invvpid invpcid
        vmread vmwrite rdtscp wrmsrns vmcall vmlaunch vmresume vmxoff monitor mwait clac stac encls xgetbv xsetbv vmfunc xend xtest enclu vmrun vmmcall vmload vmsave stgi
        clgi skinit invlpga serialize rdpkru wrpkru monitorx mwaitx clzero rdpru xrstors xsavec xsaves vmptrld vmptrst vmclear vmxon rdpid
        pconfig enclv tdcall seamret seamops seamcall xsusldtrk xresldtrk setssbsy saveprevssp rstorssp pvalidate psmash tlbsync invlpgb
        mcommit incssp rdssp rdsspd uiret testui clui stui swapgs"""),
}
EMULATED = names("pushf pushfl pushfw popf popfl popfw cli sti")
# No access to memory whatever the operand is; all others of these names only with registers.
NO_ACCESS = names("""lea leal leaw nop nopw nopl pause endbr32 endbr64 prefetch prefetchw prefetchwt1 prefetchnta prefetcht0 prefetcht1 prefetcht2
    cldemote""")
PLAIN = re.compile(r"(add|or|adc|sbb|and|sub|xor|cmp|test|xchg|mov|imul|mul|not|neg|inc|dec|rol|ror|rcl|rcr|shl|sal|shr|sar|arpl|movz[bw]|movs[bw]"
                   r"|bt|bts|btr|btc|bsf|bsr|tzcnt|lzcnt|shld|shrd|cmpxchg|xadd|set\w+|cmov\w+|bswap)[bwl]{0,2}$")
UNITS = re.compile(r"%(st|[xyz]?mm\d)")
INTEGER = re.compile(r"(push|pop|ins|outs|in|out|movs|cmps|stos|lods|scas|div|idiv|movbe|crc32|popcnt|andn|bextr|blsr|blsi|blsmsk|bzhi|pdep|pext|rorx|sarx|shlx"
                     r"|shrx|mulx|adcx|adox)[bwl]?$")
SIMPLE = names("""daa das aaa aas cwtl cwtd cbtw cltd sahf lahf cmc clc stc cld std cpuid aad""")
# 3DNow! and PadLock: the classifier knows none of them. insertq and extrq have the opcodes of vmread and vmwrite.
FOREIGN = re.compile(r"femms|pf\w+|pi2f[dw]|pavgusb|pmulhrw|pswapd|x(crypt|sha|store)\w*|montmul|ccs_\w+|salc")
SEGMENTS = set(b"\x26\x36\x64\x65")


def head_of(text):
    """The prefixes, and what stands behind them."""
    behind = text.lstrip(bytes(SEGMENTS) + b"\x2e\x3e\x66\x67\xf0\xf2\xf3")
    return set(text[:len(text) - len(behind)]), behind


def expected(name, operands, text):
    """What is right for an instruction of that name; None where objdump has no name that decides."""
    prefixes, opcode = head_of(text)
    if "(bad)" in name + operands or name.startswith(".") or name in PREFIXES or "%tr" in operands or (opcode[0] == 0x9b and len(opcode) > 1):
        return None
    if FOREIGN.match(name):
        return "UNDEFINED"
    if name in ("insertq", "extrq"):
        return None
    if re.match(r"k[a-z]+[bwdq]$", name):  # masks of AVX-512
        return "UNSUPPORTED"
    for reason, known in REFUSED.items():
        if name in known:
            return reason
    if BRANCH.match(name) or name in EMULATED:
        memory = "*" in operands and not re.fullmatch(r"\*%\w+", operands)
        if 0xf0 in prefixes:
            return "UNDEFINED"
        narrow = 0x66 in prefixes and name not in ("cli", "sti") and (name.startswith(("call", "ret", "push", "pop")) or "*" in operands)
        return "UNSUPPORTED" if narrow or (memory and prefixes & {0x67, *SEGMENTS}) else "emulate"
    if name.startswith("mov") and ("%?" in operands or operands.endswith(",%cs")):
        return "UNDEFINED"
    if re.search(r"%(cr|dr|db)\d", operands) or re.search(r"(^|,)%ss$", operands) and name.startswith(("mov", "pop")):
        return "SYSTEM_REGISTER"
    if 0xf0 in prefixes:
        return "memory"
    if name in NO_ACCESS:
        return "memory" if opcode[:2] in (b"\x0f\x1a", b"\x0f\x1b") else "one"
    memory = re.search(r"\(|(^|[,:])-?0x[0-9a-f]+(,|$)", operands)
    return "one" if name in SIMPLE or (PLAIN.match(name) and not memory and not re.search(r",%[d-g]s$", operands)) else "memory"


def texts(count):
    """Random instructions: at most one prefix of a kind, each map in turn, few VEX."""
    chance = random.Random(SEED)
    made = []
    for number in range(count):
        head = b""
        for kind in ((0xf0, 0xf2, 0xf3), (0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65), (0x66,), (0x67,)):
            if chance.random() < 0.08:
                head += bytes([chance.choice(kind)])
        maps = (b"", b"", b"\x0f", b"\x0f", b"\x0f\x38", b"\x0f\x3a", b"\xc5\xf8" if number & 64 else b"")
        head += maps[number % len(maps)] + bytes([number // len(maps) & 0xff])
        made.append((head + chance.randbytes(ROOM))[:15] + b"\x90")
    return made


LINE = re.compile(r"^\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*(?:\t(.*))?$", re.M)


def parsed(what):
    """Name and operands of a line of objdump."""
    words = re.sub(r"\s*[<#].*", "", what).split()
    while len(words) > 1 and words[0] in PREFIXES:
        words.pop(0)
    return words[0].split(",")[0] if words else "(bad)", "".join(words[1:])


def ask(found, tmp_path):
    """Length, plan, and the host's kind of each instruction."""
    image = tmp_path / "text"
    image.write_bytes(b"".join(found))
    done = subprocess.run([built("host-asan", "tests", "port", "test_ia32_decode"), image], check=True, capture_output=True, text=True)
    return [line.split() for line in done.stdout.splitlines()]


def decide(found, tmp_path):
    return [(int(length), plan) for length, plan, _ in ask(found, tmp_path)]


def disassemble(path, *options):
    done = subprocess.run([program(CROSS + "objdump"), "-w", "-z", "--insn-width=15", *options, path], check=True, capture_output=True, text=True)
    return [(int(at, 16), bytes.fromhex(text), what or "") for at, text, what in LINE.findall(done.stdout)]


def compare(lines, plans):
    """Lines of objdump and the classifier's plans of the same bytes."""
    wrong, agreed, unknown = collections.Counter(), collections.Counter(), collections.Counter()
    for (_, text, what), (length, plan) in zip(lines, plans):
        right = expected(*parsed(what), text)
        if right is None:
            unknown[plan] += 1
        elif plan != right or length not in ((len(text), 0) if plan == "UNDEFINED" else (len(text),)):
            wrong[f"{what}: {length} bytes, {plan}, not {len(text)} bytes, {right}, such as {text.hex()}"] += 1
        else:
            agreed[right] += 1
    return wrong, agreed, unknown


def test_compiled_code_has_the_lengths_of_objdump(tmp_path):
    """Each instruction of the compiler's libraries, from the end of the one before."""
    lines = []
    for library in LIBRARIES:
        path = subprocess.run([program(CROSS + "gcc"), f"-print-file-name={library}"], check=True, capture_output=True, text=True).stdout.strip()
        lines += disassemble(path, "-d")
    plans = decide([text.ljust(ROOM, b"\x90") for _, text, _ in lines], tmp_path)
    wrong, agreed, unknown = compare(lines, plans)
    print(dict(agreed), dict(unknown))
    assert not wrong, wrong.most_common(20)
    assert sum(agreed.values()) > 10_000 and not unknown


def test_classifier_agrees_with_objdump(tmp_path, amount):
    found = texts(amount(40_000, 400_000))
    (tmp_path / "blocks").write_bytes(b"".join(text.ljust(BLOCK, b"\x90") for text in found))
    listed = {at: line for at, *line in disassemble(tmp_path / "blocks", "-D", "-b", "binary", "-m", "i386")}
    lines = [(at, *listed[at]) for at in range(0, BLOCK * len(found), BLOCK)]
    wrong, agreed, unknown = compare(lines, decide(found, tmp_path))
    print(dict(agreed), dict(unknown))
    assert not wrong, wrong.most_common(20)
    assert len(agreed) > 8 and sum(agreed.values()) > len(found) // 3


def test_host_knows_floating_point(tmp_path, amount):
    """What names registers of an FP or SIMD unit is floating point; what is known to use none is not, whatever its prefixes are."""
    found = texts(amount(40_000, 400_000))
    (tmp_path / "blocks").write_bytes(b"".join(text.ljust(BLOCK, b"\x90") for text in found))
    listed = {at: what for at, _, what in disassemble(tmp_path / "blocks", "-D", "-b", "binary", "-m", "i386")}
    wrong, agreed = collections.Counter(), collections.Counter()
    for number, (text, (length, plan, kind)) in enumerate(zip(found, ask(found, tmp_path))):
        name, operands = parsed(listed[BLOCK * number])
        units = bool(UNITS.search(operands))
        if plan != "memory" or head_of(text)[1][0] == 0x9b or not (units or INTEGER.match(name) or PLAIN.match(name)):
            continue  # 9b: objdump joins wait and what stands behind it
        right = "float" if units else "integer"
        (agreed if kind == right else wrong)[right if kind == right else f"{name} {operands}: {kind}, {text[:int(length)].hex()}"] += 1
    assert not wrong, wrong.most_common(20)
    assert min(agreed["float"], agreed["integer"]) > len(found) // 20, agreed


SOURCE = """
.globl f
.type f, @function
f: push %ebp
 mov %esp, %ebp
 mov $0x12345678, %eax
 sti
 int3
 ret
.size f, . - f
"""


@pytest.mark.parametrize("offset, status, sentence", [
    (0, 0, "accepted"), (1, 0, "accepted"), (2, 1, "is in the middle of a 16-bit ia32 instruction"), (5, 1, "is in the middle of a 40-bit ia32 instruction"),
    (8, 0, "lets an interrupt come before the next instruction"), (9, 1, "breakpoint or trap instruction of the firmware")])
def test_check_knows_the_instructions(dprobes, tmp_path, offset, status, sentence):
    (tmp_path / "f.S").write_text(SOURCE, encoding="ascii")
    subprocess.run([program(CROSS + "gcc"), "-nostdlib", "-static", "-Wl,-Ttext=0x100000", "-Wl,-e,f", "-o", "f.elf", "f.S"], check=True, cwd=tmp_path)
    (tmp_path / "p.dp").write_text(f'name = "p"\noffset = f+{offset}\npush 1\nlog 1\nexit\n', encoding="ascii")
    run = dprobes("check", "p.dp", "--elf", "f.elf", cwd=tmp_path)
    assert (run.status != 0) == (status != 0) and sentence in run.stdout + run.stderr, (run.status, run.stdout, run.stderr)
