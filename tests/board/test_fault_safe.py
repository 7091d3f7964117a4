# SPDX-License-Identifier: BSD-2-Clause
"""Fault-safe access on every board, in every context that a probe can run in: a task, the timer's
interrupt, the UART's, the firmware's own fault handler.

The agent's table of ranges gives probes the RAM and text of the demo firmware, and no device. Three rows
that this test has no use for are changed in the running board: one then covers a hole, where only the
access itself can find out; one the registers of com1; one the end of the address space.
"""
import re
from typing import NamedTuple

import pytest

import cpus
from harness import gdbstub
from harness.demo_bench import CRC, FAULT, Bench, order_of, packed_range, read_range, word_of
from harness.qemu import board_names

HOLE, HOLE_BYTES, TOP = 0xdead0000, 0x4000, 0xfffff000
READ, WRITE, TEXT_CODE, NO_PROBE, DEVICE = 1, 2, 4, 8, 16
# Rows of the agent's table: dprobes_init adds the first four (storage, slots, keep area, agent's text) and the last two (text,
# RAM), agent_glue.c gives one or two between: the code of exceptions, and vectors where they are code.
ROWS_MAX = 8
STORAGE, SLOTS, KEEP, AGENT_TEXT = range(4)
INVALID_ADDRESS = 1
CONTEXTS = ("mix_bytes", "timer_isr", "uart_isr", "arch_fault_task")
ONCE = "maxhits = 1"
# With a byte of com1 waiting: com2 is the agent's, and boards whose UARTs share an interrupt look at both.
ONCE_FOR_COM1 = ("push r, arg0\njnz other\npush lv, 0\njnz other\npush {status:#x}\npush mem, u{width}\npush {full:#x}\n"
                 "and\npush {waiting:#x}\nxor\njnz other\ninc lv, 0\njmp first\nother: abort\nfirst: nop")


class Uart(NamedTuple):
    """The data register; the status register; the width of both; which bits of the status say that com1 can
    send, and which that a byte waits."""
    base: int
    status: int
    width: int
    mask: int
    ready: int
    full: int
    waiting: int


def pl011(base):
    return Uart(base, base + 0x18, 32, 0x28, 0, 0x10, 0)  # FR: neither BUSY nor TXFF; not RXFE


def ns16550(base):
    return Uart(base, base + 5, 8, 0x20, 0x20, 1, 1)  # LSR: THRE; DR


def cmsdk(base):
    return Uart(base, base + 4, 32, 1, 0, 2, 2)  # STATE: the transmitter is not full; the receiver is


def hpet(base):
    """The UART is at ports: in its place a timer, whose second word is the length of its period, 10 ns."""
    return Uart(base, base + 4, 32, 0xffffffff, 10000000, 0, 0)


KINDS = {"pl011": pl011, "ns16550": ns16550, "cmsdk": cmsdk, "hpet": hpet}
BOARDS = {board: KINDS[kind](base) for row in cpus.rows() for board, (kind, base) in row.uarts.items()}


def test_every_board_is_there():
    assert sorted(BOARDS) == board_names()


class RangeTable:
    """The agent's table of ranges in a stopped board. The table lies in the agent's storage, and its first row
    is that storage."""

    def __init__(self, stub, bench):
        self.stub, self.board, self.row_bytes = stub, bench.name, 3 * word_of(bench.name)
        storage, count = bench.address("memory_storage"), bench.size("memory_storage")
        data, first = stub.read(storage, count), packed_range(bench.name, storage, count, READ | NO_PROBE)
        assert data.count(first) == 1, "the first row of the table of ranges"
        at = data.index(first)
        self.start = storage + at
        self.rows = [read_range(bench.name, data[at + self.row_bytes * n:at + self.row_bytes * (n + 1)]) for n in range(ROWS_MAX)]
        accesses = [row[2] for row in self.rows]
        self.last_no_probe, self.ram = accesses.index(READ | TEXT_CODE) - 1, accesses.index(READ | TEXT_CODE) + 1
        assert self.last_no_probe in (4, 5), self.rows
        assert accesses[:self.ram + 1] == [READ | NO_PROBE] * (self.ram - 1) + [READ | TEXT_CODE, READ | WRITE], self.rows

    def change(self, row, start, count, access):
        self.stub.write(self.start + self.row_bytes * row, packed_range(self.board, start, count, access))


class Board(Bench):
    """With its table of ranges as this test wants it."""

    def __init__(self, qemu, dprobes, folder, name):
        stub = folder / "gdb"
        self.uart = BOARDS[name]
        super().__init__(lambda board, **more: qemu(board, extra=gdbstub.options(stub), **more), dprobes, folder, name)
        self.order = order_of(name)
        self._change(stub)

    def _change(self, path):
        with gdbstub.Stub(path) as stub:
            table = RangeTable(stub, self)
            table.change(STORAGE, HOLE, HOLE_BYTES, READ | WRITE)
            table.change(KEEP, self.uart.base, 0x20, READ | WRITE | DEVICE)
            table.change(table.last_no_probe, TOP, 0x1000, READ)
            self.ram = table.rows[table.ram]

    def memory(self, address, count, stub_path):
        with gdbstub.Stub(stub_path) as stub:
            return stub.read(address, count)


class Access(NamedTuple):
    """what: of a read, its width; else vfyr or vfyrw. value: expected, None: an exception, a function:
    must hold for it."""
    what: object
    address: int
    value: object


def accesses(board):
    u, end = board.uart, board.ram[0] + board.ram[1]
    text = board.address("crunch_block") & ~3

    def ready(value):
        return value & u.mask == u.ready

    return [
        # No mapping, though the table allows it: each width, each alignment, from both sides.
        *(Access(width, HOLE + at, None) for width in (8, 16, 32, 64) for at in (0, 1, 2, 3, 0xffd)),
        Access("vfyr", HOLE, 1), Access("vfyr", HOLE + HOLE_BYTES - 1, 1), Access("vfyrw", HOLE + 1, 1),
        # Nor a row of the table.
        Access(32, HOLE - 4, None), Access("vfyr", HOLE - 1, 1), Access("vfyr", HOLE + HOLE_BYTES, 1),
        # Not aligned, in memory: the bytes that are there.
        *(Access(width, text + at, ("bytes", text + at, width // 8)) for width in (8, 16, 32) for at in range(4)),
        # The last byte of RAM, and what begins before it and ends behind it.
        Access(8, end - 1, lambda _: True), Access(32, end - 4, lambda _: True), Access("vfyr", end - 1, 0),
        Access("vfyrw", end - 1, 0), Access("vfyr", end, 1), Access(16, end - 1, None), Access(32, end - 2, None),
        Access(64, end - 4, None), Access(8, end, None),
        # Over the end of the address space.
        Access(16, 0xffffffff, None), Access(32, 0xfffffffd, None), Access(64, 0xfffffffc, None),
        # What may only be read may not be verified for writing.
        Access("vfyr", text, 0), Access("vfyrw", text, 1),
        # A device: one access of the width, where it is aligned; else none.
        Access(u.width, u.status, ready), Access(u.width * 2, u.status | 1, None), Access(32, u.status | 2, None),
        Access(64, u.base + 4, None),
        # Verifying the data register takes no byte, and writes none.
        Access("vfyr", u.base, 0), Access("vfyrw", u.base, 0), Access("vfyr", u.status, 0),
    ]


def once(board):
    return ONCE_FOR_COM1.format(**board.uart._asdict())


def program(board, name):
    """One probe in each context that does them all, and logs two words for each: 0 and what it got, or
    the exception's code and address."""
    text = [f'name = "{name}"\nvars = 1\n']
    for minor, context in enumerate(CONTEXTS):
        text.append(f"offset = {context}\nminor = {minor}\n{once(board) if context == 'uart_isr' else ONCE}\n")
        for n, one in enumerate(accesses(board)):
            step = one.what if isinstance(one.what, str) else f"push mem, u{one.what}"
            text.append(f"sx bad{minor}_{n}\npush {one.address:#x}\n{step}\npush 0\nlog 2\njmp next{minor}_{n}\n"
                        f"bad{minor}_{n}: log 2\nnext{minor}_{n}: nop\n")
        text.append("exit\n")
    return "".join(text)


def check(board, context, one, first, second, memory):
    at = f"{board.name}, {context}: {one.what} of {one.address:#x}: {first:#x} {second:#x}"
    if one.value is None:
        assert first == INVALID_ADDRESS, at
        wraps = one.address + 8 > 1 << 32
        assert one.address <= second < one.address + 8 or (wraps and second == 0), at
        return
    assert first == 0, at
    if isinstance(one.value, tuple):
        _, address, count = one.value
        start = address - memory[0]
        assert second == int.from_bytes(memory[1][start:start + count], board.order), at
    elif callable(one.value):
        assert one.value(second), at
    else:
        assert second == one.value, at


# proves: A1.9 A3.10 P5.1 P5.6 P8.2
@pytest.mark.parametrize("name", BOARDS)
def test_fault_safe(name, qemu, dprobes, tmp_path):
    board = Board(qemu, dprobes, tmp_path, name)
    plain = board.type("fault read", FAULT).group(1)
    text = board.address("crunch_block") & ~3
    memory = (text, board.memory(text, 8, tmp_path / "gdb"))
    running = dprobes.start("run", board.file(program(board, "access")), "--elf", board.elf, "--format", "json", "--count",
                            str(len(CONTEXTS)), *board.options)
    running.out.expect('"kind"')  # the timer's
    board.type("selftest 1", f"crc {CRC[1]} rounds 1")  # each byte typed came through the UART's handler
    # The fault handler finds its own fault, not those of the probe in it.
    assert board.type("fault read", FAULT).group(1) == plain
    rows = {row["minor"]: row for row in running.wait().objects() if row["kind"] == "log"}
    assert sorted(rows) == list(range(len(CONTEXTS))), rows
    for minor, context in enumerate(CONTEXTS):
        assert rows[minor]["kind"] == "log" and not rows[minor].get("flags"), rows[minor]
        data = bytes.fromhex(rows[minor]["data"])
        word = word_of(name)
        words = [int.from_bytes(data[n:n + word], board.order) for n in range(0, len(data), word)]
        asked = accesses(board)
        assert len(words) == 2 * len(asked)
        for n, one in enumerate(asked):
            check(board, context, one, words[2 * n], words[2 * n + 1], memory)
    board.clean()
    board.type("selftest 1", f"crc {CRC[1]} rounds 1")
    print(f"{name}: {len(accesses(board))} accesses in {len(CONTEXTS)} contexts")


# proves: P5.6
@pytest.mark.parametrize("name", BOARDS)
def test_a_register_that_is_read_is_read(name, qemu, dprobes, tmp_path):
    """The counter-proof: to read the data register, in place of verifying it, takes the byte."""
    if cpus.of_board(name).uarts[name][0] == "hpet":
        pytest.skip("the board has no register in memory that reading changes")
    board = Board(qemu, dprobes, tmp_path, name)
    board.insert(f'name = "eater"\nvars = 1\noffset = uart_isr\n{once(board)}\npush {board.uart.base:#x}\n'
                 f"push mem, u{board.uart.width}\nlog 1\nexit\noffset = timer_isr\nminor = 1\nlog 1\nexit\n")
    running = dprobes.listen("--until", r"DProbes\(0,0\)", *board.options)
    running.out.expect("DProbes")  # the timer's
    board.shell.send("z")
    (data,) = re.findall(r"^DProbes\(0,0\) (\w+)", running.wait().stdout, re.M)
    assert int.from_bytes(bytes.fromhex(data), board.order) & 0xff == ord("z")
    assert re.search("end the run", board.type("help", "end the run").group(0).decode())
    board.clean()
