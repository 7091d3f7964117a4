# SPDX-License-Identifier: BSD-2-Clause
"""What tests must know of each CPU that has a port: one row a CPU, CPU = cpus.Cpu(...) in tests/guests/CPU/cpu.py. A row
has every member below that has no default."""
import dataclasses
import functools
import pathlib
import runpy

import sources_mk

GUESTS = pathlib.Path(__file__).resolve().parents[2] / "guests"
BOARDS = GUESTS.parents[1] / "boards"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cpu:
    """One CPU. Registers have the names of port/CPU/regs.def."""

    name: str = ""  # of the folders port/CPU and tests/guests/CPU
    # Files of the tests that may name the CPU or its usual board; those of its own guest and its own tests apart.
    named_in: int = 6

    # boards
    board: str            # the usual board: tests that take one board a CPU take this one
    usual_boards: tuple   # the boards of `scons test`; the others are left to `scons nightly`
    code_boards: tuple    # a board for each instruction set that the CPU's firmware is built for
    # Boards with another architecture of the CPU: the bench counts a hit there, too.
    other_boards: tuple = ()
    uarts: dict           # board, each one: its UART, and the address of com1; a timer, where the UART is at ports
    # Bits in which two addresses of one memory differ, without a mapping; 0: there are none.
    alias: int = 0
    # Board whose watch.elf has watchpoints in QEMU: its `nm`; comparators of code and of data, and whether these are the same
    # ones; whether accesses of data are reported late; the address that the CPU tells, that of the first watched byte ("range"), of
    # the access, or None; functions that return 0, and memory for them that nobody uses; how far before a member the access may
    # begin that is told; where ports have watchpoints, one and a function with one access of it; code of two instructions, the
    # second of which makes the debug registers the firmware's own.
    watches: dict = dataclasses.field(default_factory=dict)
    # A vector of the usual board that the firmware takes back: its name in port/CPU/cpu.def; the place that is written, a
    # symbol and bytes behind it, "register" and gdb's name, or "copy" and a symbol: the agent's slots have a copy of the
    # three words there, and behind it the place; the word, a number or a symbol; and where it leads then.
    taken: tuple
    # An instruction without an effect that is not the no-op of a hook and as long: its bytes, and itself.
    move: tuple
    linked_at: int        # an address of the CPU where a firmware of the tests may lie
    insn_step: int = 4    # tests that go through code look for instructions at multiples of it
    code_isa: int         # number of the instruction set of most code on the usual board

    # compilers
    cross: dict           # byte order: prefix of the compiler
    gcc: tuple            # a user's command that compiles the released agent
    cpu_flags: tuple      # behind it, and behind clang
    header_gcc: tuple     # a command that compiles the public header
    clang: str            # clang's --target
    debug_gccs: dict      # a name: (prefix, flags, byte order), for each form of debug information
    d_gcc: tuple          # (compiler, flags) of the firmware of the D tests
    d_order: str          # byte order of that firmware, as struct has it

    # the port's knobs: (build of the agent alone, {knob: value}), with the values that no board and no build of `scons test` has
    knob_builds: tuple
    knob_numbers: tuple = ()  # knobs that are sizes and numbers of registers: no value of them adds code

    # the calling convention
    arguments: tuple      # registers of the first words
    # Words of the compiler that pass arguments in registers, where the convention has none: code that reads its stack shares returns.
    in_registers: tuple = ()
    stack_arguments: int  # bytes from sp to the first word on the stack
    results: tuple        # registers of a result
    link: str             # register of the return address; "": it is on the stack
    return_phase: int     # phase of a probe on a return
    by_value: tuple       # (first word, words) of the arguments of by_value() in firmware_arguments.c
    # An argument of two words begins at any word in registers, the last one too, not only at an even one; "stack": on the stack, too.
    split_pairs: bool | str = False
    # Flags, and the begin of the names of the routines that restore registers and return for a function; (): there are none.
    restores: tuple = ()
    # A function of the D firmware and the offset behind the save of its return address.
    saves_link: tuple = ()

    # static hooks
    nop_bytes: int = 4    # of the no-op
    hook_clang: tuple = ()  # words of clang for the firmware of the hooks' tests
    hook_few: bool = False  # arguments of a hook have at most a word, and share six registers
    # compiler and its words: {an operand of a hook's note: the instructions that push it}
    operands: dict

    # registers
    visible: tuple        # all that firmware can see change, pc first
    values: tuple         # two argument registers that hold no address behind the agent in the demo's self-test
    gdb: str              # gdb's name of the CPU
    gdb_registers: tuple  # gdb's names of the registers that a debugger of the tests sets
    gdb_names: dict       # register number: gdb's name
    gdb_pc: str = "pc"    # gdb's own name of the register
    dwarf_base: int = 0   # our number of register 0 of DWARF
    stopped: tuple        # offsets of stack pointer and status in QEMU's answer `g`, bits of the status, their value with open interrupts
    status_number: int = 0  # gdb's number of the status register, where `g` has none: the offset counts for nothing
    gdb_again: int = 5      # gdb lists one variable of so many that the host does not, at most
    gdb_sign_extends: bool = False  # gdb has addresses of the upper half as negative numbers
    simulated: dict       # register of the simulator in the conformance cases: the CPU's, or None; others have the same name
    settable: tuple = ()    # that the guest of the conformance cases sets; (): all
    delay_slots: bool = False
    ordered: bool = False   # no load passes another one, and no store a load or a store

    # sample instructions
    fp: str               # regular expression for the disassembly of an instruction that uses FP or SIMD registers
    fp_samples: tuple
    fp_reads: str = "$^"  # regular expression for instructions by which the port reads such registers, and changes none
    integer_samples: tuple
    # name: (flags, head, code, ((offset, next offset or None, words of the sentence), ...)) of a refused function
    refused: dict
    # name: (byte order, flags, instructions with an address, directive of a word, head or nothing) of a moved image
    moved: dict
    counter_load: str     # regular expression for the load of the board's counter in a hit of the usual board
    measured: dict | None = None  # how tests/lib/tools/measure_vectors.py measures instructions

    # why the guest of the run-twice oracle is longer than docs/test_tree.py allows, and its lines
    long_guest: str = ""
    guest_lines: int = 0

    # limits on the usual board, as measured last
    masked: dict          # request: longest masked stretch, instructions
    received: tuple       # instructions of a line's last character, of each other one
    # board: hits of a program without end that an interrupt waits for, where it is more than one; None: all of them
    overruns_waited: dict = dataclasses.field(default_factory=dict)
    # board: commands of the sweep that run code in which no probe may stand
    sweep_without: dict = dataclasses.field(default_factory=dict)
    # Functions and labels of boards/demo/CPU/arch_CPU.S in which exceptions begin and end, the boards whose kernel allows probes
    # there, and what is refused: (first instruction, last instruction, reason).
    entries: tuple = ()
    entries_on: tuple = ()
    entries_refused: tuple = ()


    def passing(self, values, sp=0x40000):
        """Options of `dprobes simulate`: a call with these first argument words, and sp."""
        words = [f"{name}={value}" for name, value in zip(self.arguments, values)]
        behind = b"".join((value & 0xffffffff).to_bytes(4, "little" if self.d_order == "<" else "big") for value in values[len(words):])
        stack = ["--mem", f"{sp:#x}={(bytes(self.stack_arguments) + behind).hex()}"] if behind else []
        return [*(option for word in (*words, f"sp={sp:#x}") for option in ("--reg", word)), *stack]


def path(name):
    """The file of a CPU's row."""
    return GUESTS / name / "cpu.py"


@functools.cache
def names():
    """The CPUs with a row, sorted."""
    return tuple(sorted(file.parent.name for file in GUESTS.glob("*/cpu.py")))


@functools.cache
def of(name):
    """The row of a CPU."""
    return dataclasses.replace(runpy.run_path(str(path(name)))["CPU"], name=name)


def rows():
    return tuple(of(name) for name in names())


def of_file(file):
    """The row of the CPU that a test's file name has behind test_."""
    return of(pathlib.Path(file).stem.split("_")[1])


def column(member):
    """{CPU: a member of its row}"""
    return {row.name: getattr(row, member) for row in rows()}


def of_board(board):
    """The row of the CPU that a board has: that of its port."""
    return of(sources_mk.read(str(BOARDS / board))["PORT"])


def boards(most=None):
    """The usual board of each CPU, or of the first CPUs."""
    return [row.board for row in rows()][:most]


def code_boards():
    """A board for each instruction set of each CPU."""
    return [board for row in rows() for board in row.code_boards]


def hooked_boards():
    """The board of each CPU whose demo kernel is built with static hooks, too: that of the last instruction set."""
    return [row.code_boards[-1] for row in rows()]


def usual_boards():
    return tuple(board for row in rows() for board in row.usual_boards)


def first_of_each_order():
    """The first CPU of each byte order of the D firmware."""
    return sorted({row.d_order: row.name for row in reversed(rows())}.values())


def registers(member, row):
    """Numbered names: r0, r1, ..."""
    return tuple(f"{member}{number}" for number in row)
