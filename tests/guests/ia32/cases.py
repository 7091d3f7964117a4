# SPDX-License-Identifier: BSD-2-Clause
"""Writes cases.inc: instructions for common/oracle.c, assembled by the GNU assembler.

    cases.py PREFIX OUTPUT      PREFIX: of the assembler
"""
import itertools
import pathlib
import subprocess
import sys
import tempfile

# eax, ecx: values that vary. ebx, esi, edi: data, 0x100 apart. edx: code. ebp counts the next instruction. The hole and page 0
# fault.
HOLE = 0x90000000
EBP, TIME, COUNT, BELOW = 8, 16, 32, 64  # flags: guest.h
ALL = ("%eax", "%ecx", "%edx", "%ebx", "%esi", "%edi")
WHERE = ("(%ebx)", "8(%esi)", "-4(%edi)", "0x40(%ebx)", "4(%ebx,%ebp,1)", "(%esi,%eiz,1)", f"{HOLE:#x}", "0x1f", "%ss:4(%ebx)", "3(%edi)")
REGS = ("%eax", "%ecx", "%edx", "%esi")


def arithmetic():
    for op in "add or adc sbb and sub xor cmp test".split():
        yield from (f"{op} %ecx,%eax", f"{op} %eax,%eax", f"{op} %cl,%ah", f"{op} %cx,%ax", f"{op} $0x7f,%ecx", f"{op} $-1,%al",
                    f"{op} $0x12345678,%eax", f"{op}l $0x12345678,%ecx", f"{op}b $5,(%ebx)", f"{op}w $0x1234,2(%ebx)")
        for at in WHERE:
            yield f"{op} %eax,{at}"
            if op != "test":
                yield f"{op} {at},%ecx"
        if op not in ("cmp", "test"):
            yield from (f"lock {op} %eax,(%ebx)", f"lock {op}l $1,{HOLE:#x}", f".byte 0xf0; {op} %eax,%ecx")
    for op, to in itertools.product("add adc sbb and sub xor cmp test mov".split(), ALL):
        yield from (f"{op} %eax,{to}", f"{op} {to},%ecx", f"{op}l $0x1234,{to}", f"{op} %edi,{to}")
    for op, to in itertools.product("add sbb xor cmp mov".split(), ("%al", "%ah", "%ch", "%dl", "%bh", "%ax", "%cx", "%di")):
        size = "b" if to[-1] in "lh" else "w"
        yield from (f"{op}{size} $0x55,{to}", f"{op}{size} {to},2(%ebx)", f"{op}{size} 1(%esi),{to}")
    for op, scale, index in itertools.product(("add", "mov", "lea"), (1, 2, 4, 8), ("%ebp", "%esi", "%eiz")):
        yield f"{op} -0x40(%ebx,{index},{scale}),%eax"
    for op, prefix in itertools.product(("mov (%ebx),%eax", "add %ecx,8(%ebx)", "inc %eax", "pushl (%esi)"), ("cs", "ds", "es", "ss", "fs", "gs")):
        yield f"{prefix} {op}"
    for op in "not neg inc dec mul imul".split():
        yield from (f"{op}l %eax", f"{op}b %cl", f"{op}w %ax", f"{op}l %ecx")
        for at in WHERE:
            yield f"{op}l {at}"
        yield f"{op}b (%ebx)"
    for op in ("div", "idiv"):
        yield from (f"{op}l %ecx", f"{op}b %cl", f"{op}w %cx", f"{op}l (%ebx)", f"{op}l {HOLE:#x}", f"{op}b 1(%esi)")
    for op in "rol ror rcl rcr shl shr sar".split():
        yield from (f"{op} %eax", f"{op} $3,%eax", f"{op} %cl,%eax", f"{op}b $7,%cl", f"{op}w %cl,%ax", f"{op}l $31,(%ebx)", f"{op}l %cl,8(%esi)",
                    f"{op}l {HOLE:#x}", f"{op}b $1,{HOLE:#x}")
    yield from (f"inc {reg}" for reg in REGS)
    yield from (f"dec {reg}" for reg in REGS)
    for op in "daa das aaa aas cwtl cltd cbtw cwtd sahf lahf cmc clc stc cld std nop pause cpuid".split():
        yield op
    yield from ("aam", "aad", "aam $0", "aam $7", "aad $3", "lea 8(%ebx,%ecx,4),%eax", "lea (%eax),%ecx", "lea 1(%ebp),%esi", "lea 0(%esi,%eiz,1),%esi",
                "imul %ecx,%eax", "imul $7,%ecx,%eax", "imul $0x12345,%ecx,%eax", "imul (%ebx),%eax", f"imul {HOLE:#x},%eax", "imul $3,(%ebx),%ecx",
                "arpl %ax,%cx", "arpl %ax,(%ebx)", "bswap %eax", "bswap %ecx", "nopl 4(%ebx)", f"nopl {HOLE:#x}", "endbr32", "prefetcht0 (%ebx)",
                f"prefetchw {HOLE:#x}", "xlat", "emms", "wait", "clts")


def moves():
    for size, reg in (("l", "%eax"), ("w", "%ax"), ("b", "%al"), ("b", "%ch"), ("l", "%esi")):
        for at in WHERE:
            yield f"mov{size} {reg},{at}"
            yield f"mov{size} {at},{reg}"
            yield f"xchg{size} {reg},{at}"
    yield from ("mov %ecx,%eax", "mov %al,%ch", "mov $5,%al", "mov $0x12345678,%ecx", "movl $1,(%ebx)", f"movl $1,{HOLE:#x}", "movw $1,2(%ebx)", "movb $1,(%esi)",
                "xchg %eax,%ecx", "xchg %ecx,%eax", "xchg %al,%ah", "mov %ds,%eax", "mov %es,(%ebx)", "mov %cs,%ecx", "mov %ss,%eax", f"mov %ds,{HOLE:#x}")
    for op in "movzbl movsbl".split():
        yield from (f"{op} %cl,%eax", f"{op} (%ebx),%eax", f"{op} {HOLE:#x},%eax")
    for op in "movzwl movswl".split():
        yield from (f"{op} %cx,%eax", f"{op} (%ebx),%eax", f"{op} 0x1f,%eax")
    for cc in "o no b ae e ne be a s ns p np l ge le g".split():
        yield from (f"cmov{cc} %ecx,%eax", f"cmov{cc} (%ebx),%eax", f"cmov{cc} {HOLE:#x},%eax", f"set{cc} %al", f"set{cc} (%ebx)", f"set{cc} {HOLE:#x}")
    for op in "bt bts btr btc".split():
        yield from (f"{op} %ecx,%eax", f"{op} $5,%ecx", f"{op}l $5,(%ebx)", f"{op}l $5,{HOLE:#x}", f"lock {op}l $5,(%ebx)" if op != "bt" else "bt %eax,%ecx")
    for op in "bsf bsr".split():
        yield from (f"{op} %ecx,%eax", f"{op} (%ebx),%eax", f"{op} {HOLE:#x},%eax")
    for op in "shld shrd".split():
        yield from (f"{op} $3,%ecx,%eax", f"{op} %cl,%eax,(%ebx)", f"{op} $9,%eax,{HOLE:#x}", f"{op} %cl,%eax,%edx")
    for op in "cmpxchg xadd".split():
        yield from (f"{op} %ecx,%eax", f"{op} %ecx,(%ebx)", f"lock {op} %ecx,(%ebx)", f"{op} %cl,(%ebx)", f"lock {op} %ecx,{HOLE:#x}")
    yield from ("cmpxchg8b (%ebx)", f"lock cmpxchg8b {HOLE:#x}", "movl %ds:4(%esi),%eax", "movl %fs:(%ebx),%eax", "movl %gs:(%ebx),%eax",
                "addr16 mov (%bx),%eax", "lds (%edi),%eax", "les (%edi),%ecx", "lfs (%edi),%ecx", "lgs 4(%edi),%ecx", "bound %eax,(%ebx)", f"bound %eax,{HOLE:#x}",
                "mov %eax,%ds", "mov %ecx,%es", "mov %eax,%fs", "mov (%ebx),%gs", "push %es", "sldt %eax", "str (%ebx)", "verr %ax", "verw %cx",
                "lar %ax,%ecx", "lsl %cx,%eax", "sgdt (%ebx)", "sidt (%ebx)", ".byte 0xf6, 0xc8, 5", ".byte 0xf7, 0x0b; .long 0x12345678", f"sgdt {HOLE:#x}", "smsw %eax", "smsw (%ebx)")
    yield from (".byte 0xa1; .long 0x90000000", ".byte 0xa2; .long 0x1f", ".byte 0xa3; .long 0x90000000")


def strings():
    for op in "movs cmps stos lods scas".split():
        for size in "bwl":
            yield f"{op}{size}"
    for op in ("rep movsb", "rep movsl", "repz cmpsb", "repnz scasb", "rep stosl", "repz scasl", "rep lodsb"):
        yield COUNT, op


def stack():
    for reg in (*REGS, "%esp", "%ebx"):
        yield from (f"push {reg}", f"pop {reg}" if reg != "%esp" else "push %ax")
    yield from ("push %ebp", "push $5", "push $0x12345678", "pushl (%ebx)", f"pushl {HOLE:#x}", "pushl 4(%esp)", "popl (%ebx)", "popl 4(%esp)", f"popl {HOLE:#x}",
                "pushw $5", "pop %ax", "push %cs", "push %ds", "push %ss", "push %fs", "push %gs", "pusha", "pushf", "popf", "pop %ds", "pop %es", "pop %fs",
                "pop %gs", "add $4,%esp", "and $-16,%esp", "mov %esp,%eax", "cli", "sti", "mov 4(%esp),%eax",
                "mov %eax,-4(%ebx)", "xchg (%esp),%eax", "add %eax,4(%esp)")
    yield EBP, "pop %ebp"
    yield EBP, "popa"
    yield EBP, "leave"
    yield EBP | BELOW, "enter $16,$0"
    yield BELOW, "sub $16,%esp"
    yield BELOW, "lea -8(%esp),%esp"
    yield EBP, "mov %esp,%ebp"
    yield EBP, "xchg %eax,%ebp"
    yield EBP, "enter $0,$1"


def branches():
    names = "o no b ae e ne be a s ns p np l ge le g".split()
    for cc, target in itertools.product(names, ("+0x40", "-0x40", "+0x200", "+2", "+5")):
        yield f"j{cc} .{target}"
    yield from (f"jmp .{target}" for target in ("+0x40", "-0x40", "+0x200", "+2", "+8"))
    yield from (f"call .{target}" for target in ("+0x40", "-0x40", "+0x200", "+5", "+8"))
    for op, target in itertools.product("loop loopz loopnz jecxz jcxz".split(), ("+0x40", "-0x40", "+3", "+5")):
        yield f"{op} .{target}"
    yield from (f".byte 0x67; {op} .+0x30" for op in "loop loopz loopnz".split())
    for op in ("jmp", "call"):
        yield from (f"{op} *%edx", f"{op} *(%ebx)", f"{op} *4(%ebx)", f"{op} *(%esp)", f"{op} *8(%esp)", f"{op} *{HOLE:#x}", f"{op} *0x100(%esi,%eiz,2)",
                    f"{op} *-0x80(%edi)", f"{op} *(,%ebx,1)", f"{op} *-0x1000(%ebx,%ebp,1)", f"notrack {op} *%edx", f"{op} *0x10(%eax)")
    for code in ("0xeb, 0x30", "0xe9, 0x30, 0", "0xe9, 0xd0, 0xff", "0x74, 0x30", "0x7f, 0xc0", "0x0f, 0x85, 0x30, 0", "0x0f, 0x82, 0xc0, 0xff",
                 "0xe2, 0x30", "0xe0, 0x30", "0xe3, 0x30", "0x67, 0xe3, 0x30"):  # to the first 64 KB, where no page is
        yield f".byte 0x66, {code}"
    yield from ("ret", "ret $4", "ret $0", "ret $8", "repz ret", ".byte 0x3e; je .+0x30", ".byte 0x2e; jne .+0x30")


def units():
    for op in "fadd fmul fsub fdiv".split():
        yield from (f"{op} %st(1),%st", f"{op}s (%ebx)", f"{op}l (%ebx)", f"{op}s {HOLE:#x}")
    yield from ("fld1", "fldz", "fldpi", "flds (%ebx)", "fldl (%esi)", "fldt (%ebx)", "fsts (%ebx)", "fstpl 8(%ebx)", f"fstps {HOLE:#x}", "fnstcw (%ebx)", "fnstsw %ax",
                "fninit", "fnclex", "fildl (%ebx)", "fistpl (%ebx)")
    yield from ("movups (%ebx),%xmm0", "movups %xmm0,(%ebx)", f"movups {HOLE:#x},%xmm1", "movaps (%edi),%xmm0", "movaps 4(%ebx),%xmm0", "addps %xmm0,%xmm1",
                "addsd (%ebx),%xmm1", "pxor %xmm2,%xmm2", "movd %eax,%xmm0", "movd %xmm0,%ecx", "pshufd $0x1b,%xmm0,%xmm1", "psrld $3,%xmm0", "psllw $3,%xmm0",
                "psrlq $3,%xmm1", "pcmpeqb %xmm0,%xmm0", "cvtsi2sd %eax,%xmm1", "ucomiss %xmm0,%xmm1", "cmpps $1,%xmm0,%xmm1", "pinsrw $1,%eax,%xmm0",
                "pextrw $1,%xmm0,%eax", "shufps $3,%xmm0,%xmm1", "movnti %eax,(%ebx)", f"movnti %eax,{HOLE:#x}", "ldmxcsr (%ebx)", "stmxcsr (%ebx)", "lfence", "mfence",
                "sfence", "paddd %xmm0,%xmm1", "punpcklbw %xmm0,%xmm1", "movq %xmm0,(%ebx)", "sqrtps %xmm0,%xmm0", "andps %xmm0,%xmm1", "haddpd %xmm0,%xmm1",
                "pshufb %xmm0,%xmm1", "palignr $1,%xmm0,%xmm1", "popcnt %ecx,%eax", "popcnt (%ebx),%eax", "bndmk (%ebx),%bnd0", "rdrand %eax", "rdseed %eax")
    yield from ("in $0x21,%al", "in %dx,%al", "out %al,$0x80", "out %eax,%dx", "insb", "outsb", "rdpmc", "rdmsr")
    yield TIME, "rdtsc"


REFUSED = {
    "SYSTEM_REGISTER": "mov %eax,%ss; pop %ss; lss (%ebx),%eax; lldt %ax; ltr %ax; lgdt (%ebx); lidt (%ebx); lmsw %ax; invlpg (%ebx); invd; wbinvd; mov %cr0,%eax; "
                       "mov %eax,%cr3; mov %db7,%eax; mov %eax,%db0; wrmsr",
    "UNSUPPORTED": "lcall $8,$0x1000; ljmp $8,$0x1000; lcall *(%ebx); ljmp *(%ebx); lret; lret $4; hlt; xabort $1; xbegin .+6; vmcall; getsec; vmread %eax,%ecx; "
                   "xsavec (%ebx); invept (%ebx),%eax; monitor; jmp *%fs:(%eax); call *%gs:4(%eax); .byte 0x66, 0xe8, 0, 0; retw; .byte 0x66, 0xff, 0xe0; pushfw; popfw",
    "BREAKPOINT": "int3; into; int1",
    "SYSTEM_CALL": "int $0x80; syscall; sysenter",
    "EXCEPTION_RETURN": "iret; sysret; sysexit; rsm",
    "UNDEFINED": "ud2; ud1 %eax,%ecx; .byte 0x0f, 0xff, 0xc0; .byte 0x0f, 0x00, 0xf0; .byte 0x0f, 0x00, 0xf8; .byte 0x8c, 0xf0; .byte 0x8c, 0xf8; .byte 0x8e, 0xc8; "
                 ".byte 0xd6; .byte 0x0f, 0x04; .byte 0xf0, 0xc3; .byte 0xff, 0xf8",
}


def collect():
    """(text, flags, refusal) of each case."""
    found = []
    for case in itertools.chain(arithmetic(), moves(), strings(), stack(), branches(), units()):
        flags, text = case if isinstance(case, tuple) else (0, case)
        found.append((text, str(flags), "0"))
    for reason, texts in REFUSED.items():
        found += [(text.strip(), "CASE_REFUSED", f"DP_REFUSE_{reason}") for text in texts.split("; ")]
    return found


def assemble(prefix, texts, symbols=()):
    """The bytes of each instruction. symbols: name -> value"""
    with tempfile.TemporaryDirectory() as folder:
        source, made = pathlib.Path(folder) / "cases.s", pathlib.Path(folder) / "cases.o"
        lines = [f".balign 16\n1: {text.split(' #')[0]}\n2:\n.pushsection .lengths\n.byte 2b-1b\n.popsection\n" for text in texts]
        source.write_text(".text\n" + "".join(lines), encoding="ascii")
        subprocess.run([prefix + "as", "--32", "-mindex-reg", *(f"--defsym={name}={symbols[name]:#x}" for name in symbols), "-o", made, source], check=True)
        sections = []
        for name in (".text", ".lengths"):
            binary = pathlib.Path(folder) / "binary"
            subprocess.run([prefix + "objcopy", "-O", "binary", "-j", name, "--set-section-flags", f"{name}=alloc", made, binary], check=True)
            sections.append(binary.read_bytes())
    code, lengths = sections
    return [code[16 * i:16 * i + count] for i, count in enumerate(lengths)]


def main():
    prefix, output = sys.argv[1:]
    cases = collect()
    rows = []
    for (text, flags, refusal), code in zip(cases, assemble(prefix, [text for text, _, _ in cases])):
        octets = ", ".join(f"{byte:#x}" for byte in code)
        rows.append(f'{{{{{{{{{octets}}}, {len(code)}}}, ADDED}}, {flags}, {refusal}, "{text}"}},')
    pathlib.Path(output).write_text("\n".join(rows) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
