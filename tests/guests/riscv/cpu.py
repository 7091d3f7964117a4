# SPDX-License-Identifier: BSD-2-Clause
"""RISC-V: the row of the tests. tests/lib/tools/cpus.py describes the members."""
import cpus

NAMES = "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6".split()
ABI = ("-march=rv32imac", "-mabi=ilp32", "-misa-spec=2.2", "-mcmodel=medany")
LIVE = "the address is inside the agent, its vectors or a range the board declares not probeable"
REGISTER = "this instruction cannot be probed: the instruction reads or writes a system register that the agent itself uses or changes"

CPU = cpus.Cpu(
    # boards
    board="riscv-virt32",
    usual_boards=(),
    code_boards=("riscv-virt32",),
    uarts={"riscv-virt32": ("ns16550", 0x10000000), "riscv-virt64": ("ns16550", 0x10000000)},
    watches=dict.fromkeys(("riscv-virt32", "riscv-virt64"), {
        "nm": "riscv64-unknown-elf-nm", "code": 2, "data": 2, "shared": True, "late": False, "told": "access", "fails": "1305000067800000", "unused": 0x80f00000,
        "before": (0, 4)}),
    taken=("mtvec", ("register", "mtvec"), "arch_exception", ("arch_exception", 0)),
    move=(2, 0x8086),
    linked_at=0x80010000,
    code_isa=0,

    # compilers
    cross={"little": "riscv64-unknown-elf-"},
    gcc=("riscv64-unknown-elf-gcc",),
    cpu_flags=("-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany"),
    header_gcc=("riscv64-unknown-elf-gcc", *ABI),
    clang="riscv32-none-elf",
    debug_gccs={"riscv32": ("riscv64-unknown-elf-", ("-march=rv32imac", "-mabi=ilp32"), "little")},
    d_gcc=("riscv64-unknown-elf-gcc", (*ABI, "-static", "-nostartfiles", "-nostdlib", "-Wl,-Ttext=0x80010000")),
    d_order="<",

    # the port's knobs
    knob_builds=(
        ("rv32", {"DP_RISCV_TRIGGERS": 4}),
        ("rv64", {"DP_RISCV_TRIGGERS": 4, "DP_RISCV_TRIGGER_TYPE": 6})),
    knob_numbers=("DP_RISCV_VECTORS",),

    # the calling convention
    arguments=("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"),
    stack_arguments=0,
    results=("a0", "a1"),
    link="ra",
    return_phase=0,
    by_value=((0, 1), (1, 1), (2, 1)),
    split_pairs=True,
    restores=(("-msave-restore",), "__riscv_restore_"),

    # static hooks
    nop_bytes=2,
    hook_clang=("-march=rv32imac",),
    operands={
        ("riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32"): {
            "-4@a0": "push r, a0",
            "4@-20(s0)": "push r, s0; push -20; add; push mem, u32",
            "-8@a4": "push r, a5; push r, a4",
            "-4@-1": "push -1",
        },
        ("riscv64-unknown-elf-gcc", "-march=rv64imac", "-mabi=lp64"): {
            "-4@a0": "push r, a0; pbl 32",
            "4@a1": "push r, a1; push 0xffffffff; and",
            "8@a2": "push r, a2",
        },
    },

    # registers
    visible=("pc", *NAMES[1:]),
    values=("a1", "a2"),
    gdb="riscv:rv32",
    gdb_registers=(*NAMES[1:8], "fp", *NAMES[9:]),
    gdb_names={0x10 + n: "fp" if name == "s0" else name for n, name in enumerate(NAMES)},
    stopped=(8, 0, 8, 8),  # MIE of mstatus
    status_number=834,
    dwarf_base=0x10,
    # x0 is zero there.
    simulated={"flags": None, "r0": "a0", "r1": "a1", "r2": "a2", "r3": "a3", "r4": "a4", "r5": "a5", "r6": "a6", "r7": "a7", "r8": "s2",
        "r9": "s3", "r10": "s4", "r11": "s5", "r12": "s6", "sp": "sp", "r13": "sp", "lr": "ra", "r14": "ra", "r15": "pc"},

    # sample instructions
    fp=r"^f(?!ence)[a-z]|^c\.f",
    fp_samples=("flw fa0,0(a0)", "fsd fs0,8(sp)", "fadd.s fa0,fa1,fa2", "fmv.x.w a0,fa0"),
    integer_samples=("lw a0,0(a1)", "fence", "csrr a0,mstatus", "sd ra,8(sp)"),
    refused={"riscv": (ABI, "", """
        .option norvc
        nop
        lr.w a0, (a1)
        nop
        sc.w a0, a2, (a1)
        ecall
        mret
        nop
        """, (
            (4, 24, "load-exclusive"),
            (8, 24, "between"),
            (12, 24, "load-exclusive"),
            (16, 24, "enters the supervisor"),
            (20, 24, "returns from an exception"),
        ))},
    moved={},
    counter_load=r"lw\s+\w+,-8\(\w+\)",

    # the guest
    long_guest="its cases are made for two widths, instructions of 16 and 32 bits at both places of a word (cases.py)",
    guest_lines=1140,

    # limits
    masked={"BEGIN": 44, "CHECK": 148, "CLOSE": 57, "COMMIT": 330, "CORE": 39, "DATA": 39, "EMBED": 39, "FLIGHT": 39,
        "HALT": 39, "HARDWARE": 39, "HELLO": 241, "LIMITS": 39, "LOG": 39, "MAP": 78, "MEMORY": 327,
        "MODULE": 39, "NAME": 39, "ORIGINAL": 39, "PROBE": 39, "PROBES": 39, "PROGRAM": 39, "PROVE": 39,
        "RANGES": 39, "REGS": 39, "REMOVE": 315, "RESEND": 39, "RESUME": 39, "SITE": 39, "STATUS": 39,
        "STEP": 39, "STOP": 84, "STORE": 39, "TEXT": 39, "VARS": 39},
    received=(600, 300),
    entries=("arch_exception", "system_call", "interrupt", "resume"),
    entries_on=("riscv-virt32",),
    # Up to the last read of the registers of a trap, and from the first write for mret on: agent/guide/riscv.md.
    entries_refused=(
        ("arch_exception+0x0", "arch_exception+0x92", LIVE), ("arch_exception+0x96", "arch_exception+0x96", REGISTER),
        ("arch_exception+0x9a", "arch_exception+0xa2", LIVE), ("arch_exception+0xa6", "arch_exception+0xaa", REGISTER),
        ("resume+0x20", "resume+0x20", REGISTER), ("resume+0x24", "resume+0xa0", LIVE),
        ("resume+0xa4", "resume+0xa4", "this instruction cannot be probed: the instruction returns from an exception")),
    gdb_again=2,  # libgcc's 64-bit division
)
