# SPDX-License-Identifier: BSD-2-Clause
"""PowerPC: the row of the tests. tests/lib/tools/cpus.py describes the members."""
import cpus

CPU = cpus.Cpu(
    # boards
    board="bamboo",
    usual_boards=("bamboo", "40p"),
    code_boards=("bamboo",),
    uarts={"40p": ("ns16550", 0x800003f8), "bamboo": ("ns16550", 0xef600300), "ppce500": ("ns16550", 0xe0004500)},
    taken=("program", ("__vectors", 0x600), 0x48000000, ("__vectors", 0x600)),
    move=(4, 0x60210000),
    linked_at=0x10000,
    code_isa=0,

    # compilers
    cross={"big": "powerpc-linux-gnu-"},
    gcc=("powerpc-linux-gnu-gcc", "-m32"),
    cpu_flags=(),
    header_gcc=("powerpc-linux-gnu-gcc", "-m32", "-msoft-float"),
    clang="powerpc-none-eabi",
    debug_gccs={"powerpc": ("powerpc-linux-gnu-", ("-m32",), "big")},
    d_gcc=("powerpc-linux-gnu-gcc", ("-mcpu=440", "-msoft-float", "-fno-pic", "-fno-pie", "-no-pie", "-static",
        "-Wl,-Ttext=0x10000")),
    d_order=">",

    # the port's knobs
    knob_builds=(("ppc750", {"DP_PPC_BOOKE": 0}),),
    knob_numbers=("DP_PPC_MACHINE_SRR0", "DP_PPC_SPRG"),

    # the calling convention
    arguments=("r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10"),
    stack_arguments=8,
    results=("r3", "r4"),
    link="lr",
    return_phase=0,
    by_value=((0, 1), (1, 1), (2, 1)),
    restores=((), "_restgpr_"),

    # static hooks
    operands={
        ("powerpc-linux-gnu-gcc", "-mcpu=440", "-fno-pic"): {
            "-4@3": "push r, r3",
            "4@i3": "push 3",
            "2@8(1)": "push r, r1; push 8; add; push mem, u16",
            "-8@30": "push r, r31; push r, r30",
        },
    },

    # registers
    visible=("pc", *cpus.registers("r", range(32)), "lr", "ctr", "xer", "cr"),
    values=("r4", "r5"),
    gdb="powerpc",
    gdb_registers=(*cpus.registers("r", range(32)), "lr", "ctr"),
    gdb_names={**dict(enumerate(cpus.registers("r", range(32)), 0x10)), 4: "lr", 3: "ctr", 6: "cr"},
    stopped=(4, 388, 0x8000, 0x8000),
    dwarf_base=0x10,
    # r1 is the stack pointer, lr cannot be written.
    simulated={"flags": None, "sp": "r13", "lr": "r14", "r15": "pc"},

    # sample instructions
    # Not what dp_ppc_fp_get has: it stores registers for probes that ask, and puts f0 back.
    fp=r"^(?!stfd f\d+,[08]\(r4\)|mffs f0|lfd f0,8\(r4\))(lf|stf|lv|stv|ev|f[a-z]|mffs|mtfs|mcrfs)",
    fp_samples=("lfd f0,0(r3)", "stfd f31,8(r1)", "fadd f0,f1,f2", "mffs f1", "stvx v0,r3,r4"),
    integer_samples=("lwz r3,0(r4)", "stmw r29,20(r1)", "mfmsr r3", "mfcr r4", "stfd f3,0(r4)", "mflr r0"),
    refused={"ppc": (("-m32",), "", """
        nop
        lwarx 3, 0, 4
        nop
        stwcx. 3, 0, 4
        sc
        rfi
        nop
        """, (
            (4, 24, "load-exclusive"),
            (8, 24, "between"),
            (12, 24, "load-exclusive"),
            (16, 24, "enters the supervisor"),
            (20, 24, "returns from an exception"),
        ))},
    moved={"ppc": ("big", ("-m32",), "lis 3, ring@ha\n addi 3, 3, ring@l\n", ".long ring")},
    counter_load=r"mftb\w*\s+r\d+",

    # the guest
    long_guest="three kinds of CPU with their maps (start.S), interrupts at each point of a hit (sweep.c)",
    guest_lines=1625,

    # limits
    masked={"BEGIN": 54, "CHECK": 135, "CLOSE": 71, "COMMIT": 364, "CORE": 42, "DATA": 42, "EMBED": 42, "FLIGHT": 42,
        "HALT": 42, "HARDWARE": 42, "HELLO": 271, "LIMITS": 42, "LOG": 42, "MAP": 92, "MEMORY": 373,
        "MODULE": 42, "NAME": 42, "ORIGINAL": 42, "PROBE": 42, "PROBES": 42, "PROGRAM": 42, "PROVE": 48,
        "RANGES": 42, "REGS": 42, "REMOVE": 346, "RESEND": 42, "RESUME": 42, "SITE": 42, "STATUS": 42,
        "STEP": 42, "STOP": 93, "STORE": 42, "TEXT": 42, "VARS": 42},
    received=(550, 280),
)
