# SPDX-License-Identifier: BSD-2-Clause
"""ARM: the row of the tests. tests/lib/tools/cpus.py describes the members."""
import cpus

CPU = cpus.Cpu(
    # boards
    board="vexpress-a9",
    usual_boards=("versatilepb", "vexpress-a9"),
    code_boards=("versatilepb", "vexpress-a9"),
    uarts={"versatilepb": ("pl011", 0x101f1000), "vexpress-a9": ("pl011", 0x10009000)},
    watches={"vexpress-a9": {"nm": "arm-none-eabi-nm", "code": 6, "data": 4, "shared": False, "late": False, "told": "range", "fails": "0000a0e31eff2fe1",
                             "unused": 0x60800000, "before": (0,)}},
    taken=("Undefined Instruction", ("__vectors", 4), 0xeafffffe, ("__vectors", 4)),
    move=(2, 0x4609),
    linked_at=0x10000,
    code_isa=1,

    # compilers
    cross={"little": "arm-none-eabi-"},
    gcc=("arm-none-eabi-gcc",),
    cpu_flags=("-mcpu=cortex-a9", "-mthumb", "-mno-unaligned-access"),
    header_gcc=("arm-none-eabi-gcc", "-mcpu=cortex-a9", "-mthumb"),
    clang="arm-none-eabi",
    debug_gccs={"arm": ("arm-none-eabi-", ("-mcpu=cortex-a9",), "little"), "arm-be": ("arm-none-eabi-", (
        "-mcpu=cortex-a9", "-mbig-endian"), "big")},
    d_gcc=("arm-none-eabi-gcc", ("-mcpu=cortex-a9", "-marm", "-mfloat-abi=soft", "-fno-short-enums",
        "-Wl,-Ttext=0x8000")),
    d_order="<",

    # the port's knobs
    knob_builds=(
        ("armv7", {"DP_ARM_WITH_WATCH": 1}),
        ("armv7", {"DP_ARM_WITH_A32": 0, "DP_ARM_WITH_RARE": 0}),
        ("armv5", {"DP_ARM_WITH_THUMB": 0})),

    # the calling convention
    arguments=("r0", "r1", "r2", "r3"),
    stack_arguments=0,
    results=("r0", "r1"),
    link="lr",
    return_phase=0,
    by_value=((0, 1), (1, 3), (4, 1)),
    saves_link=("take", 4),

    # static hooks
    operands={
        ("arm-none-eabi-gcc", "-mcpu=cortex-a9"): {
            "-4@r3": "push r, r3",
            "1@r4": "push r, r4; push 0xff; and",
            "-2@[sp, #6]": "push r, sp; push 6; add; push mem, u16; pbl 16",
            "1@[r2]": "push r, r2; push mem, u8",
            "-8@r4": "push r, r5; push r, r4",
            "-4@#-3": "push -3",
            "4@fp": "push r, fp",
            "8@#1": "push 0; push 1",
            "8@[r1, #-8]": "push r, r1; push -8; add; push mem, u64",
        },
    },

    # registers
    visible=("pc", *cpus.registers("r", range(15)), "cpsr"),
    values=("r2", "r3"),
    gdb="arm",
    gdb_registers=(*cpus.registers("r", range(13)), "sp", "lr"),
    gdb_names=dict(enumerate((*cpus.registers("r", range(13)), "sp", "lr", "pc"))),
    stopped=(52, 164, 0x80, 0),
    simulated={"flags": None},

    # sample instructions
    fp=r"^v[a-z]|^f(ld|st)m",
    fp_samples=("vldr d16, [r3]", "vpush {d8}", "vmov r0, s0", "vst1.64 {d0}, [r0]"),
    integer_samples=("ldr r3, [r0]", "mcr 15, 0, r0, cr7, cr5, {1}", "push {r4, lr}", "asrs r0, r3, #3"),
    refused={"arm-a32": (("-mcpu=cortex-a9",), ".syntax unified\n.arm", """
        nop
        svc 0
        nop
        ldrex r0, [r1]
        add r0, r0, 1
        strex r2, r0, [r1]
        nop
        """, (
            (4, 8, "enters the supervisor"),
            (12, 24, "load-exclusive"),
            (16, 24, "between"),
            (20, 24, "load-exclusive"),
        )),
        "arm-thumb": (("-mcpu=cortex-a9",), ".syntax unified\n.thumb\n.thumb_func", """
        nop
        .inst.n 0x4778
        nop
        svc 1
        udf #7
        """, (
            (2, 4, "unpredictable"),
            (6, None, "enters the supervisor"),
            (8, None, "breakpoint or trap"),
        ))},
    moved={"arm": ("little", ("-mcpu=cortex-a9",), "movw r0, #:lower16:ring\n movt r0, #:upper16:ring\n",
        ".word ring", ".syntax unified\n.arm\n")},
    counter_load=r"ldr\S*\s+\w+, \[\w+, #92\]",

    # the guest
    long_guest="its cases are made from the decode tables of two instruction sets, operand by operand (shapes.py, coverage.py)",
    guest_lines=2800,

    # limits
    masked={"BEGIN": 60, "CHECK": 110, "CLOSE": 68, "COMMIT": 591, "CORE": 60, "DATA": 60, "EMBED": 60, "FLIGHT": 60,
        "HALT": 60, "HARDWARE": 60, "HELLO": 236, "LIMITS": 60, "LOG": 60, "MAP": 76, "MEMORY": 353,
        "MODULE": 60, "NAME": 60, "ORIGINAL": 60, "PROBE": 60, "PROBES": 60, "PROGRAM": 60, "PROVE": 44,
        "RANGES": 60, "REGS": 60, "REMOVE": 503, "RESEND": 60, "RESUME": 60, "SITE": 60, "STATUS": 60,
        "STEP": 60, "STOP": 61, "STORE": 60, "TEXT": 60, "VARS": 60},
    received=(440, 220),
    overruns_waited={"versatilepb": 2},
)
