# SPDX-License-Identifier: BSD-2-Clause
"""Writes cases.inc: the instructions for common/oracle.c.

    cases.py CPU OUTPUT      CPU: cortex-m0, cortex-m3, cortex-m4 or cortex-m33

Most are made from the tables of port/thumb (tests/guests/arm/shapes.py: each row with all classes of its operands). What
stands here as text is assembled by the GNU assembler: what the M profile has of its own, and what must be refused.
"""
import functools
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "arm"))
import arm_tables  # noqa: E402
import shapes  # noqa: E402

SP, PC = 13, 15
V6, V8, WITH_FP = ("cortex-m0",), ("cortex-m33",), ("cortex-m4", "cortex-m33")
# Rows of port/thumb that the M profile has not, or has another way: with the reason. tests/port/test_cortexm_port.py
# compares with what the decoder says.
NOT_M = {
    "cps": "of A and F: text here", "cps.w of the interrupt mask": "no cps.w", "blx label": "no ARM state",
    "neon element load, store": "no NEON", "neon data processing": "no NEON; the vector extension is refused",
    "bl before v6": "before Thumb-2", "blx before v6": "before Thumb-2",
}
# Other rows that step and decide about no case.
DECIDED = "a row of the M profile decides"
LIMITS = ("mrs msplim, psplim", "msr msplim, psplim")
UNTRIED = {
    "nop, sev": DECIDED, "yield, wfe, wfi, hints": DECIDED, "pkhbt, pkhtb": DECIDED, "dsb, dmb": DECIDED, "isb": DECIDED,
    "vsel, vmaxnm, vminnm, vrint, vcvt": "no CPU of the tests has FPv5",
    LIMITS[0]: "ARMv8-M", LIMITS[1]: "ARMv8-M",
    "msr msp, psp": "the stacks of the guest",
    "the shared table decides": "no instruction",
}
OWN = ("profile_t16", "profile_t32", "system_t32", "coprocessor_t32")
# r0 5, r1 r2 r6 r12 sp data, r3 8, r4 80000001, r5 7fffffff, r7 lr code (r7 without bit 0), r9 a hole, r10 4, r11 -4.
TEXT = """
    cpsid i | noit; cpsie i | noit; mrs r0, primask; mrs lr, primask; mrs r9, basepri; mrs r0, faultmask; mrs r3, control
    mrs r0, apsr; mrs r0, xpsr; mrs r0, ipsr; mrs r0, epsr; mrs r0, msp; mrs r0, psp; mrs r8, basepri_max
    msr primask, r0; msr primask, r10; msr basepri, r3; msr basepri_max, r3; msr apsr_nzcvq, r4; msr apsr_nzcvq, r5
    msr control, r10 | noit
    add sp, #16; sub sp, #24; add sp, r10; mov sp, r12; add.w sp, sp, #16; sub.w sp, sp, #32; subw sp, sp, #20
    push {r0, lr}; push {r4-r7, lr}; pop {r0-r3}; pop {pc} | lastit; pop {r0, pc} | lastit; pop {r4-r7, pc} | lastit
    push.w {r4-r11, lr}; pop.w {r4-r11, lr}; pop.w {r8, pc} | lastit; ldm.w sp!, {r4-r11, pc} | lastit; ldr.w pc, [sp], #4 | lastit
    bx r7 | lastit; bx r8 | lastit; bx lr | lastit; blx r7 | lastit; blx r8 | lastit; blx lr | lastit; mov pc, r8 | lastit
    ldr.w pc, [r9] | lastit; ldm.w r9, {r0, pc} | lastit; tbb [r9, r3] | lastit; ldr.w r0, [r9]; str.w r0, [r9]; ldrd r0, r3, [r9]
    ldr r0, [pc, #120]; ldrd r2, r3, [pc, #120]; it eq | noit; ite ne | noit; itt cs | noit; wfi | halts; wfe; sev; nop; dsb; isb; dmb
    ldm.w r1, {r0, r3, r5}; stm.w r9, {r0, r1}; ldrt r0, [r1, #4]; strbt r4, [r1, #1]; ldrsh.w r0, [r1, #2]; clrex
    .inst.w 0xf3808805; .inst.w 0xf3808806; udiv r0, r4, r3; sdiv r0, r4, r5; udiv r0, r4, r10
"""
FP = """
    vldr s0, [pc, #120]; vldr s1, [pc, #-132]; vldr s1, [r1]; vstr s1, [r1, #8]; vldr s2, [r9]; vadd.f32 s0, s1, s2; vmov r0, s3
    vmrs APSR_nzcv, fpscr; vpush {s0-s3}; vldm r1!, {s0-s5}; vmov s1, r4; vmrs r0, fpscr; vmul.f32 s0, s1, s2; vcmp.f32 s0, s1
    vmov s3, s4, r4, r5; vmov r2, r3, s0, s1; vdiv.f32 s1, s2, s3; vsqrt.f32 s3, s4; vcvt.s32.f32 s0, s1; vmsr fpscr, r0
    vstm r9, {s0, s1}; vmla.f32 s0, s1, s2; vneg.f32 s2, s3; vfma.f32 s0, s1, s2; vmov.f32 s0, #1.0
"""
REFUSED = """
    BREAKPOINT: bkpt #1; udf #1; .inst.n 0xde18; .inst.n 0xde1c; .inst.n 0xde01; udf.w #1
    SYSTEM_CALL: svc #1; .inst.w 0xf7f08000; .inst.w 0xf7e08000
    UNPREDICTABLE: .inst.n 0x47f8; .inst.n 0x44ff; .inst.n 0xb400; .inst.n 0xbc00; .inst.n 0xc100; .inst.n 0x4578; .inst.n 0x4587; .inst.n 0x4778
    UNPREDICTABLE: .inst.n 0x4704; .inst.w 0xe97fe97f; .inst.w 0xe8bf0003; .inst.w 0xe8910000; .inst.w 0xea4f0f01; .inst.w 0xf841f000
    UNPREDICTABLE: .inst.w 0xf3ef8f14; .inst.w 0xf3ef8d10; .inst.w 0xf38d8814; .inst.w 0xf38f8810
    MODE_CHANGE: cpsid f; cpsie f; cpsid if; msr faultmask, r0
    UNDEFINED: .inst.n 0xb658; .inst.n 0xba80; .inst.n 0xb800; .inst.w 0xf3af8640; .inst.w 0xf000c000; .inst.w 0xf9200000
    EXCLUSIVE: ldrex r0, [r1]; strex r0, r2, [r1]; ldrexb r0, [r1]; .inst.w 0xe841f000
    EXCEPTION_RETURN: subs pc, lr, #4 | a; .inst.w 0xe991c000; .inst.w 0xe831c000
    BANKED: .inst.w 0xf3808888; .inst.w 0xf3ef8088; .inst.w 0xf3ef80ff
    COPROCESSOR: .inst.w 0xee010f10; .inst.w 0xec410f1e; .inst.w 0xef000840; .inst.w 0xfe000000
    STATE_CHANGE: .inst.w 0xec210a00
"""
# mrs, mrs, msr, msr of psplim and msplim; a limit of 4
TEXT_V8 = ".inst.w 0xf3ef800b; .inst.w 0xf3ef830a; .inst.w 0xf38a880b; .inst.w 0xf38a880a"
# Of ARMv6-M. What ARMv7-M has besides is refused: QEMU's Cortex-M0 runs some of it.
TEXT_V6 = """
    cpsid i; cpsie i; mrs r0, primask; mrs lr, primask; mrs r3, control; mrs r0, apsr; mrs r0, xpsr; mrs r0, ipsr; mrs r0, msp
    mrs r0, psp; msr primask, r0; msr primask, r10; msr apsr_nzcvq, r4; msr apsr_nzcvq, r5; msr control, r10; bl .+32; bl .-36
    add sp, #16; sub sp, #24; add sp, r10; mov sp, r12; push {r0, lr}; push {r4-r7, lr}; pop {r0-r3}; pop {pc}; pop {r0, pc}
    pop {r4-r7, pc}; bx r7; bx r8; bx lr; blx r7; blx r8; blx lr; mov pc, r8; ldr r0, [pc, #120]; wfi | halts; wfe; sev; yield
    nop; dsb; isb; dmb; stmia r1!, {r0, r2}; ldmia r1!, {r0, r3}; ldr r3, [r0]; str r3, [r0]; rev r0, r4; muls r0, r5
"""
REFUSED_V6 = """
    BREAKPOINT: bkpt #1; udf #1; .inst.n 0xde18; .inst.n 0xde1c; .inst.n 0xde01
    SYSTEM_CALL: svc #1
    UNPREDICTABLE: .inst.n 0x47f8; .inst.n 0x44ff; .inst.n 0xb400; .inst.n 0xbc00; .inst.n 0xc100; .inst.n 0x4578; .inst.n 0x4778
    UNDEFINED: cbz r0, .+8; cbnz r0, .+8; it eq; .inst.n 0xb658; .inst.n 0xba80; .inst.n 0xb800; b.w .+64; ldr.w r0, [r1]
    UNDEFINED: movw r0, #1; add.w r0, r1, r2; udiv r0, r4, r3; mrs r9, basepri; msr basepri, r3; tbb [r9, r3]; ldrd r0, r3, [r1]
    UNDEFINED: ldrex r0, [r1]
    COPROCESSOR: vldr s1, [r1]
"""


def lines(text):
    """(instruction, attributes) of each."""
    for line in text.splitlines():
        for piece in line.split(";"):
            if piece.strip():
                insn, _, attributes = piece.partition("|")
                yield insn.strip(), attributes.split()


def texts(cpu):
    """(instruction, attributes, reason or None)"""
    for insn, attributes in lines(TEXT_V6 if cpu in V6 else TEXT + (FP if cpu in WITH_FP else "") + (TEXT_V8 if cpu in V8 else "")):
        yield insn, attributes, None
    for line in (REFUSED_V6 if cpu in V6 else REFUSED).strip().splitlines():
        reason, _, rest = line.partition(":")
        for insn, attributes in lines(rest):
            if "a" not in attributes:
                yield insn, attributes, reason.strip()


def assemble(insns):
    """The encodings: (insn, bytes) each."""
    source = [".syntax unified", ".cpu cortex-m4", ".fpu fpv4-sp-d16", ".thumb"]
    for number, insn in enumerate(insns):
        source += [f'.section .c{number}, "ax"', ".balign 4", f"c{number}: {insn}", f"e{number}:"]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "cases.s")
        path.write_text("\n".join(source) + "\n", encoding="ascii")
        subprocess.run(["arm-none-eabi-as", "-W", "-mimplicit-it=never", "-o", f"{folder}/cases.o", path], check=True)
        listed = subprocess.run(["arm-none-eabi-objdump", "-s", "-z", f"{folder}/cases.o"], check=True, capture_output=True, text=True).stdout
    found, section = {}, None
    for line in listed.splitlines():
        if line.startswith("Contents of section .c"):
            section = line.split(".c")[1].rstrip(":")
        elif section and section.isdigit() and line.startswith(" ") and int(section) not in found:
            found[int(section)] = bytes.fromhex("".join(line[6:41].split()))
    for number in range(len(insns)):
        code = found[number]
        half = [int.from_bytes(code[at:at + 2], "little") for at in (0, 2) if at < len(code)]
        wide = half[0] >= 0xe800
        yield (half[0] << 16 | half[1], 4) if wide else (half[0], 2)


def fits(row, encoding):
    """Not what a frame below sp would destroy, nor what leaves no stack for it, nor a branch out of `code`."""
    values, roles = encoding.values, encoding.roles
    insn = encoding.insn
    if row.what in NOT_M or row.table not in ("t16", "t32"):
        return False
    if roles.get(SP, "DATA") != "DATA":
        return False
    store = row.table == "t32" and insn >> 24 in (0xf8, 0xe8, 0xe9) and not insn >> 20 & 1
    written = {values.get("w_rd"), values.get("rt") if not store else None, values.get("rt2") if not store else None,
               values.get("rd") if row.what.startswith(("smull", "long")) else None}
    if SP in written:
        return False
    if row.table == "t16" and insn >> 10 == 0x11 and (insn >> 4 & 8 | insn & 7) == SP and insn >> 8 & 3 != 1:
        return False
    if row.table == "t16" and insn >> 8 == 0xb0 and insn & 0x7f > 32:
        return False  # add, sub sp by more than the data
    if values.get("base") == SP and row.table == "t32":
        if insn >> 24 == 0xe9 and insn >> 23 & 1 == 0 or roles.get(values.get("index")) == "MINUS4":
            return False
        if "puw" in values and not values["puw"] & 2 or "u" in values and not values["u"]:
            return False
        if "puw" in values and values["puw"] & 1 and values.get("imm8", 0) & 3 or values.get("imm8", 0) > 0x80:
            return False  # sp that is not a word's address
    if row.what in ("b.w", "bl", "b.w condition"):
        j1, j2 = insn >> 13 & 1, insn >> 11 & 1
        if row.what != "b.w condition" and not (j1 and j2):
            return False  # beyond 4 MiB
    if row.what.startswith("ldm") and row.table == "t32" and insn >> 16 & 15 == SP and insn >> 24 == 0xe9:
        return False
    return True


@functools.cache
def all_cases(cpu):
    """(insn, bytes, attributes, refusal, roles, text), distinct in instruction and in what registers hold."""
    seen = {}
    found = list(texts(cpu))
    for (text, attributes, reason), (insn, size) in zip(found, assemble([text for text, _, _ in found])):
        seen.setdefault((insn, ()), (insn, size, attributes, reason, {}, text))
    architecture = 6 if cpu in V6 else 7
    for table in ("t16",) if cpu in V6 else ("t16", "t32"):
        for row in arm_tables.TABLES[table]:
            if row.refusal or not arm_tables.exists(row, architecture) or row.what in NOT_M:
                continue
            for e in shapes.encodings(row, architecture):
                if not fits(row, e):
                    continue
                attributes = list(e.flags)
                if "lastit-pc" in attributes and e.insn & 0x87 == 0x87:
                    attributes.append("lastit")
                if "wfi" in row.what and (e.insn & 0xf0 if table == "t16" else e.insn << 4 & 0xff0) == 0x30:
                    attributes.append("halts")
                key = e.insn, tuple(sorted(e.roles.items()))
                seen.setdefault(key, (e.insn, 2 if table == "t16" else 4, attributes, None, e.roles, row.what))
    return tuple(seen.values())


FLAGS = {"noit": "CASE_NO_IT", "lastit": "CASE_LAST_IT", "halts": "CASE_HALTS", "aligned": "CASE_ALIGNED"}


def as_c(case):
    """A line of cases.inc: struct test_case. The second instruction: adds r6, #1"""
    insn, size, attributes, refusal, roles, text = case
    flags = [FLAGS[name] for name in FLAGS if name in attributes] + (["CASE_REFUSED"] if refusal else [])
    holds = ", ".join(f"{number | shapes.KINDS.index(kind) << 4:#x}" for number, kind in roles.items()) or "0"
    return "{{0x%08x, 0x3601}, %s, %s, \"%s\", {%s}, %d}," % (
        insn, " | ".join(flags) or "0", f"DP_REFUSE_{refusal}" if refusal else "0", text, holds, size)


def main(cpu, output):
    cases = all_cases(cpu)
    kinds = "enum kind { " + ", ".join(f"HOLDS_{name}" for name in shapes.KINDS) + " };\n"
    pathlib.Path(output).write_text("\n".join(map(as_c, cases)) + "\n", encoding="ascii")
    pathlib.Path(output).with_name("kinds.inc").write_text(kinds, encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
