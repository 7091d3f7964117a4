# SPDX-License-Identifier: BSD-2-Clause
"""IA32: the row of the tests. tests/lib/tools/cpus.py describes the members."""
import cpus

ABI = ("-m32", "-march=i686", "-fno-pic", "-fno-pie", "-fno-stack-protector", "-fcf-protection=none", "-fno-asynchronous-unwind-tables")
# Our number of a register, and the names that gdb and readelf have.
NAMES = {6: "eax", 7: "ebx", 8: "ecx", 9: "edx", 10: "edi", 11: "esi", 12: "eflags", 13: "eip", 14: "esp", 15: "ebp"}

CPU = cpus.Cpu(
    named_in=11,  # the language has ports and segments of this CPU alone

    # boards
    board="pc",
    usual_boards=("pc",),
    code_boards=("pc",),
    uarts={"pc": ("hpet", 0xfed00000)},
    taken=("#BP", ("idt", 8 * 3 + 4), 0, ("", 0)),
    move=(1, 0xfc),
    watches={"pc": {"nm": "i686-linux-gnu-nm", "code": 4, "data": 4, "shared": True, "late": True, "told": None, "fails": "31c0c3",
                    "unused": 0x01000000, "before": (0,), "port": (0x20, "i8259_end"), "owns": "b8{}0f23f8"}},
    linked_at=0x410000,
    insn_step=1,
    code_isa=0,

    # compilers
    cross={"little": "i686-linux-gnu-"},
    gcc=("i686-linux-gnu-gcc", "-m32"),
    cpu_flags=("-march=i686",),
    header_gcc=("i686-linux-gnu-gcc", "-m32", "-march=i686"),
    clang="i686-linux-gnu",
    debug_gccs={"i686": ("i686-linux-gnu-", ("-m32", "-fno-pic"), "little")},
    d_gcc=("i686-linux-gnu-gcc", (*ABI, "-no-pie", "-static", "-nostartfiles", "-nostdlib", "-Wl,-Ttext=0x410000")),
    d_order="<",

    # the port's knobs
    knob_builds=(("ia32", {"DP_IA32_WITH_WATCH": 1}),),

    # the calling convention
    arguments=(),
    in_registers=("-mregparm=3",),
    stack_arguments=4,
    results=("eax", "edx"),
    link="",
    return_phase=0,
    by_value=((0, 1), (1, 3), (4, 1)),
    split_pairs="stack",

    # static hooks
    nop_bytes=1,
    hook_clang=("-march=i686",),
    hook_few=True,
    operands={
        ("i686-linux-gnu-gcc", "-m32", "-fno-pic", "-no-pie"): {
            "-4@%eax": "push r, eax",
            "4@8(%esp)": "push r, esp; push 8; add; push mem, u32",
            "-1@%edx": "push r, edx; pbl 8",
            "4@$7": "push 7",
        },
    },

    # registers
    visible=("pc", "eax", "ebx", "ecx", "edx", "edi", "esi", "ebp", "esp", "eflags"),
    values=("edx", "ecx"),
    gdb="i386",
    gdb_pc="eip",
    gdb_registers=("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"),
    gdb_names=NAMES,
    stopped=(16, 36, 0x200, 0x200),
    ordered=True,
    settable=("eax", "ebx", "ecx", "edx", "edi", "esi", "ebp", "esp"),
    simulated={**dict.fromkeys(("flags", "sp", "r13", "lr", "r14", *cpus.registers("arg", range(4)),
        *cpus.registers("r", range(7, 13))), None), "r0": "eax", "r1": "ebx", "r2": "ecx", "r3": "edx",
        "r4": "edi", "r5": "esi", "r6": "ebp", "pc": "eip", "r15": "eip"},

    # sample instructions
    fp=r"^f[a-z]|%[xy]?mm\d|%st\b|mxcsr",
    fp_samples=("flds 8(%esp)", "fnsave (%eax)", "movups %xmm0,(%eax)", "ldmxcsr (%eax)", "movq %mm0,(%eax)", "fxch %st(1)"),
    fp_reads=r"^(fnsave|frstor) |^movups %xmm\d,-?\w*\(|^stmxcsr ",  # frstor stands directly behind fnsave
    integer_samples=("mov %fs:0x10,%eax", "lea 0x0(%esi,%eiz,1),%esi", "rep movsl %ds:(%esi),%es:(%edi)", "cmovne %eax,%ebx"),
    refused={"ia32": (("-m32",), "", """
        nop
        hlt
        iret
        int $0x80
        mov %eax, %cr3
        nop
        """, (
            (1, 8, "does not step instructions of this class"),
            (2, 8, "returns from an exception"),
            (3, 8, "enters the supervisor"),
            (5, 8, "system register"),
        ))},
    moved={"ia32": ("little", ("-m32",), "nop\n nop\n nop\n movl $ring, %eax\n movl ring+4(, %ecx, 4), %eax\n", ".long ring")},
    counter_load=r"mov\s+0xfed000f0,%\w+",

    # limits
    masked={"BEGIN": 52, "CHECK": 133, "CLOSE": 54, "COMMIT": 371, "CORE": 37, "DATA": 37, "EMBED": 37, "FLIGHT": 37,
        "HALT": 37, "HARDWARE": 37, "HELLO": 249, "LIMITS": 37, "LOG": 37, "MAP": 113, "MEMORY": 359,
        "MODULE": 37, "NAME": 37, "ORIGINAL": 37, "PROBE": 37, "PROBES": 37, "PROGRAM": 37, "PROVE": 48,
        "RANGES": 37, "REGS": 37, "REMOVE": 451, "RESEND": 37, "RESUME": 37, "SITE": 37, "STATUS": 37,
        "STEP": 37, "STOP": 80, "STORE": 37, "TEXT": 37, "VARS": 37},
    received=(600, 345),
    entries=("arch_exception", "interrupt", "trap", "resume"),
    entries_on=("pc",),
    entries_refused=(("resume+0x2d", "resume+0x2d", "this instruction cannot be probed: the instruction returns from an exception"),),
)
