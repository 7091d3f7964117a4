# SPDX-License-Identifier: BSD-2-Clause
"""MIPS: the row of the tests. tests/lib/tools/cpus.py describes the members."""
import cpus

GENERAL = ("zero at v0 v1 a0 a1 a2 a3 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 s6 s7 t8 t9 k0 k1 gp sp s8 ra").split()
CROSS = {"little": "mipsel-linux-gnu-", "big": "mips-linux-gnu-"}

CPU = cpus.Cpu(
    # boards
    board="malta",
    usual_boards=("malta",),
    code_boards=("malta",),
    uarts={board: ("ns16550", 0xb80003f8) for board in ("malta", "malta-4kc", "malta-be")},
    alias=0x20000000,
    taken=("TLB refill", ("__vectors", 0), 0x1000ffff, ("__vectors", 0)),
    move=(4, 0x00200825),
    linked_at=0x80010000,
    code_isa=0,

    # compilers
    cross=CROSS,
    gcc=("mipsel-linux-gnu-gcc", "-mabi=32", "-mno-shared"),
    cpu_flags=("-march=mips32r2",),
    header_gcc=("mipsel-linux-gnu-gcc", "-mabi=32", "-msoft-float", "-mno-abicalls", "-fno-pic"),
    clang="mipsel-none-elf",
    debug_gccs={"mipsel": ("mipsel-linux-gnu-", ("-mno-abicalls", "-fno-pic"), "little"),
        "mips": ("mips-linux-gnu-", ("-mno-abicalls", "-fno-pic"), "big")},
    d_gcc=("mips-linux-gnu-gcc", ("-march=mips32", "-mabi=32", "-mno-abicalls", "-fno-pic", "-fno-pie", "-no-pie",
        "-mno-shared", "-msoft-float", "-G0", "-static", "-Wl,-Ttext=0x80010000")),
    d_order=">",

    # the port's knobs
    knob_builds=(("mips32", {"DP_MIPS_USER_MODE": 0}),),

    # the calling convention
    arguments=("a0", "a1", "a2", "a3"),
    stack_arguments=16,
    results=("v0", "v1"),
    link="ra",
    return_phase=1,
    by_value=((0, 1), (1, 3), (4, 1)),
    saves_link=("main", 32),

    # static hooks
    hook_clang=("-EB", "-mno-abicalls", "-fno-pic", "-msoft-float", "-G0"),
    operands={
        ("mips-linux-gnu-gcc", "-march=mips32", "-mabi=32", "-mno-abicalls", "-fno-pic"): {
            "-4@$4": "push r, a0",
            "4@8($29)": "push r, sp; push 8; add; push mem, u32",
            "-1@$fp": "push r, fp; pbl 8",
            "4@7": "push 7",
            "-8@$2": "push r, v1; push r, v0",
            "8@1": "push 1; push 0",
        },
    },

    # registers
    visible=("pc", *cpus.registers("r", (*range(1, 26), *range(28, 32))), "hi", "lo"),
    values=("a1", "a3"),
    gdb="mips",
    gdb_registers=(*GENERAL[1:26], *GENERAL[28:]),
    gdb_names=dict(enumerate((*GENERAL, "hi", "lo"))),
    stopped=(116, 128, 7, 1),
    gdb_sign_extends=True,
    # r0 is zero there.
    simulated={"flags": None, "r0": "r16", "r13": "r29", "sp": "r29", "r14": "r31", "lr": "r31", "r15": "pc"},
    delay_slots=True,

    # sample instructions
    # cfc1 only reads the condition codes: what deciding a probed bc1t takes.
    fp=r"\$f\d|\$w\d|^m[tf]c1\b|^ctc1\b|^bc1",
    fp_samples=("lwc1 $f0,0(a0)", "mfc1 v0,$f12", "add.s $f0,$f1,$f2", "bc1t 10"),
    integer_samples=("lw $1,4($26)", "mfc0 k0,c0_cause", "beqz v0,100", "sw fp,4(sp)"),
    refused={"mips": (("-mabi=32", "-mno-abicalls", "-march=mips32r2"), ".set noreorder", """
        nop
        .insn
        .word 0xc0a40000 # ll $4, 0($5)
        nop
        .word 0xe0a40000 # sc $4, 0($5)
        beq $4, $0, 1f
        syscall
1:      eret
        nop
        """, (
            (4, 28, "load-exclusive"),
            (8, 28, "between"),
            (12, 28, "load-exclusive"),
            (16, 28, "delay slot"),
            (20, 28, "enters the supervisor"),
            (24, 28, "returns from an exception"),
        ))},
    moved={"mips": ("little", ("-mabi=32", "-mno-abicalls"), "lui $4, %hi(ring)\n addiu $4, $4, %lo(ring)\n", ".word ring"),
        "mips-be": ("big", ("-mabi=32", "-mno-abicalls"), "lui $4, %hi(ring)\n addiu $4, $4, %lo(ring)\n", ".word ring")},
    counter_load=r"mfc0\s+\w+,(\$9|c0_count)",
    measured={
        "code": 0x80200800, "data": 0x80204000, "orders": ("little", "big"), "cross": CROSS,
        "qemu": {"little": "qemu-system-mipsel", "big": "qemu-system-mips"}, "machine": ("-M", "malta", "-cpu", "24Kf"),
        "elf": {"little": "build/boards/malta/demo.elf", "big": "build/boards/malta-be/demo.elf"},
        "architecture": "mips:isa32r2", "assembler": ".set noreorder\n.set noat\n.set hardfloat\n.set mips32r2\n",
        "registers": (*cpus.registers("r", range(32)), "hi", "lo", "sr", "bad", "cause", "fsr"),
        "fixed": {"r0": 0},
        "before": {"sr": 0x20000001, "cause": 0, "fsr": 0},
        # Pending interrupts are the machine's; gdb cannot clear what an earlier fault has left.
        "masks": {"cause": 0x8000007c}, "faults": (0x80000000, 0x80000180), "of_faults": ("cause", "bad"),
    },

    # the guest
    long_guest="the TLB's instructions (tlb.c), the first TLB and the FPU (start.S), jumps with each kind of delay slot (cases.py)",
    guest_lines=1140,

    # limits
    masked={"BEGIN": 65, "CHECK": 139, "CLOSE": 78, "COMMIT": 380, "CORE": 65, "DATA": 65, "EMBED": 65, "FLIGHT": 65,
        "HALT": 65, "HARDWARE": 65, "HELLO": 270, "LIMITS": 65, "LOG": 65, "MAP": 97, "MEMORY": 427,
        "MODULE": 65, "NAME": 65, "ORIGINAL": 65, "PROBE": 65, "PROBES": 65, "PROGRAM": 65, "PROVE": 65,
        "RANGES": 65, "REGS": 65, "REMOVE": 391, "RESEND": 65, "RESUME": 65, "SITE": 65, "STATUS": 65,
        "STEP": 65, "STOP": 79, "STORE": 65, "TEXT": 65, "VARS": 65},
    received=(515, 264),  # 262 seen: the wake of the resting poll is a store
    overruns_waited={"malta": None},
)
