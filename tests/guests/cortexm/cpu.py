# SPDX-License-Identifier: BSD-2-Clause
"""Cortex-M: the row of the tests. tests/lib/tools/cpus.py describes the members."""
import cpus

CPU = cpus.Cpu(
    # boards
    board="mps2-an386",
    usual_boards=(),
    code_boards=("mps2-an385",),
    other_boards=("mps2-an505",),
    uarts={"mps2-an385": ("cmsdk", 0x40004000), "mps2-an386": ("cmsdk", 0x40004000), "mps2-an505": ("cmsdk", 0x50200000)},
    watches=dict.fromkeys(("mps2-an385", "mps2-an386"), {"nm": "arm-none-eabi-nm", "code": 0, "data": 1, "shared": False, "late": False, "told": "range",
                                                         "before": (0, 4)}),
    taken=("HardFault", ("copy", "__vectors"), "arch_fault_entry", ("arch_fault_entry", 0)),
    move=(2, 0x4609),
    linked_at=0x10000,
    code_isa=1,

    # compilers
    cross={"little": "arm-none-eabi-"},
    gcc=("arm-none-eabi-gcc",),
    cpu_flags=("-mcpu=cortex-m3", "-mthumb"),
    header_gcc=("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"),
    clang="arm-none-eabi",
    debug_gccs={"cortexm": ("arm-none-eabi-", ("-mcpu=cortex-m3", "-mthumb"), "little")},
    d_gcc=("arm-none-eabi-gcc", ("-mcpu=cortex-m3", "-mthumb", "-mfloat-abi=soft", "-fno-short-enums", "-Wl,-Ttext=0x8000")),
    d_order="<",

    # the port's knobs
    knob_builds=(
        ("cortexm3", {"DP_CORTEXM_WITH_FPB": 1, "DP_CORTEXM_WITH_MPU": 1}),
        ("cortexm3", {"DP_CORTEXM_WITH_DWT": 1})),
    knob_numbers=("DP_CORTEXM_VECTORS",),

    # the calling convention
    arguments=("r0", "r1", "r2", "r3"),
    stack_arguments=0,
    results=("r0", "r1"),
    link="lr",
    return_phase=0,
    by_value=((0, 1), (1, 3), (4, 1)),
    saves_link=("take", 2),

    # static hooks
    nop_bytes=2,
    hook_clang=("-mcpu=cortex-m3",),
    operands={
        ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"): {
            "-4@r3": "push r, r3",
            "-2@[sp, #6]": "push r, sp; push 6; add; push mem, u16; pbl 16",
            "-8@r4": "push r, r5; push r, r4",
            "-4@#-3": "push -3",
        },
    },

    # registers
    visible=("pc", *cpus.registers("r", range(15)), "xpsr"),
    values=("r2", "r3"),
    gdb="arm",
    gdb_registers=(*cpus.registers("r", range(13)), "sp", "lr"),
    gdb_names=dict(enumerate((*cpus.registers("r", range(13)), "sp", "lr", "pc"))),
    stopped=(52, 100, 0, 0),
    simulated={"flags": None},

    # sample instructions
    fp=r"^v[a-z]|^f(ld|st)m",
    fp_samples=("vldr s16, [r3]", "vpush {s8}", "vmov r0, s0"),
    integer_samples=("ldr r3, [r0]", "push {r4, lr}", "asrs r0, r3, #3"),
    refused={"cortexm": (("-mcpu=cortex-m3",), ".syntax unified\n.thumb\n.thumb_func", """
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
    moved={"cortexm": ("little", ("-mcpu=cortex-m3",), "movw r0, #:lower16:ring\n movt r0, #:upper16:ring\n",
        ".word ring", ".syntax unified\n.thumb\n.macro nop\n .inst.w 0xf3af8000\n.endm\n")},  # nop.w
    counter_load=r"ldr\S*\s+\w+, \[\w+, #24\]",

    # the guest
    long_guest="its cases run at eleven levels of privilege, stacks, masks and fault handlers, and its start-up enters each; faults of other origin have checks; ARMv6-M enters them by code of its own",
    guest_lines=1760,

    # limits
    masked={"BEGIN": 57, "CHECK": 111, "CLOSE": 72, "COMMIT": 585, "CORE": 57, "DATA": 57, "EMBED": 57, "FLIGHT": 57,
        "HALT": 57, "HARDWARE": 57, "HELLO": 240, "LIMITS": 57, "LOG": 57, "MAP": 75, "MEMORY": 358,
        "MODULE": 57, "NAME": 57, "ORIGINAL": 57, "PROBE": 57, "PROBES": 57, "PROGRAM": 57, "PROVE": 57,
        "RANGES": 57, "REGS": 57, "REMOVE": 500, "RESEND": 57, "RESUME": 57, "SITE": 57, "STATUS": 57,
        "STEP": 57, "STOP": 60, "STORE": 57, "TEXT": 57, "VARS": 57},
    received=(440, 220),
    # usage faults are HardFaults on this board: a probe in what the handler calls is a lockup (agent/guide/cortexm.md)
    sweep_without={"mps2-an385": ("fault undef",)},
    entries=("arch_irq_entry", "arch_pendsv_entry", "arch_svc_entry", "resume"),
    entries_on=("mps2-an385", "mps2-an386", "mps2-an505"),
)
