# SPDX-License-Identifier: BSD-2-Clause
"""Probes after an instruction and on its fault, on every board: what the one before the next instruction sees
is what the one after this one saw; a fault tells its address, and the firmware still gets it."""
import re
import struct
import subprocess

import pytest

import cpus
import sources_mk
from harness import paths, process
from harness.qemu import board_names

WORDS = cpus.column("visible")  # what firmware can see change; pc first
# Called by one task, for each `selftest 1`; on ARM boards one is A32, the other what the board is built as.
FUNCTIONS = ["mix_long", "selftest_run"]
INSNS, CALLS = 4, 2
HOLE = 0xDEAD0000


class Board:
    """Its shell on com1, dprobes on com2."""

    def __init__(self, qemu, dprobes, folder, name):
        self.port = sources_mk.read(f"boards/{name}")["PORT"]
        self.machine = qemu(name, hold=("com1",))
        self.machine.com1.expect("demo>")
        self.dprobes, self.folder = dprobes, folder
        self.elf = paths.built("boards", name, "demo.elf")
        self.order, self.word = {1: "<", 2: ">"}[self.elf.read_bytes()[5]], {1: "I", 2: "Q"}[self.elf.read_bytes()[4]]

    def tool(self, *args):
        result = self.dprobes(*args, "--port", self.machine.url("com2"))
        assert result.status == 0, f"{args}: {result.stderr[-1000:]}"
        return result

    def probe(self, source, count):
        """Insert it and wait for `count` records; what is running is done() later."""
        path = self.folder / "p.dp"
        path.write_text(f'name = "p"\nmajor = 3\n{source}')
        running = self.dprobes.start("run", path, "--elf", self.elf, "--format", "json", "--count", str(count),
                                     "--verbose", "--port", self.machine.url("com2"))
        running.err.expect("armed")
        return running

    def type(self, line, answer):
        self.machine.com1.send(line + "\n")
        return self.machine.com1.expect(answer)

    def results(self, running):
        """Records as (minor, data), and what was counted, by minor."""
        result = running.wait()
        assert result.status == 0, result.stderr[-1000:]
        objects = result.objects()
        records = [(row["minor"], bytes.fromhex(row["data"])) for row in objects if "data" in row]
        return records, {row["minor"]: row for row in objects if "hits" in row}

    def words(self, data):
        return list(struct.unpack(f"{self.order}{len(data) // struct.calcsize(self.word)}{self.word}", data))

    def offsets(self, function):
        """Of its first instructions; gdb knows the instruction set."""
        run = subprocess.run(["gdb-multiarch", "-nx", "-batch", "-ex", f"x/{INSNS}i {function}", self.elf],
                             stdout=subprocess.PIPE, check=True, timeout=process.TIMEOUT_S)
        found = [int(line, 16) for line in re.findall(r"^\s+0x([0-9a-f]+) ", run.stdout.decode(), re.MULTILINE)]
        assert len(found) == INSNS, run.stdout
        return [address - found[0] for address in found]

    def done(self):
        self.tool("info", "--verify-text", "--elf", self.elf)


def log_all(words):
    return "".join(f"push r, {name}\n" for name in reversed(words)) + f"log {len(words)}\nexit\n"


# proves: P2.2 P3.1
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("name", board_names())
def test_after_is_before_the_next(qemu, dprobes, tmp_path, name, function):
    board = Board(qemu, dprobes, tmp_path, name)
    words, offsets, source = WORDS[board.port], board.offsets(function), ""
    for i, offset in enumerate(offsets):
        for phase in ("after", "before") if i % 2 else ("before", "after"):
            source += (f"offset = {function} + {offset}\nphase = {phase}\nminor = {2 * i + (phase == 'after')}\n"
                       f"maxhits = {CALLS}\n{log_all(words)}")
    running = board.probe(source, 2 * CALLS * INSNS)
    for _ in range(CALLS):
        board.type("selftest 1", "selftest: crc")
    records, _ = board.results(running)
    assert [minor for minor, _ in records] == list(range(2 * INSNS)) * CALLS
    start = board.words(records[0][1])[0]
    for call in range(CALLS):
        seen = [board.words(data) for _, data in records[2 * INSNS * call:][:2 * INSNS]]
        for i, offset in enumerate(offsets):
            before, after = seen[2 * i:2 * i + 2]
            assert before[0] == start + offset != after[0], f"instruction {i}"
            if i + 1 < INSNS:  # the last one may be a jump
                assert after == seen[2 * i + 2], f"behind instruction {i}"
        assert any(seen[2 * i] != [seen[2 * i][0], *seen[2 * i + 1][1:]] for i in range(INSNS)), \
            "no instruction did anything"
    board.done()


# proves: A5.1 P4.9 P7.3
@pytest.mark.parametrize("name", board_names())
def test_fault(qemu, dprobes, tmp_path, name):
    board = Board(qemu, dprobes, tmp_path, name)
    pattern = r" at 0x([0-9a-f]{8}); the task ends"
    plain = int(board.type("fault read", pattern)[1], 16)
    running = board.probe(
        f"address = {plain:#x}\nphase = fault\nminor = 1\n{log_all(['pc', 'faultaddr'])}"
        f"address = {plain:#x}\nphase = before\nminor = 2\npush 1\nlog 1\nexit\n"
        f"address = {plain:#x}\nphase = after\nminor = 3\npush 1\nlog 1\nexit\n", 1)
    assert int(board.type("fault read", pattern)[1], 16) == plain
    records, counted = board.results(running)
    assert [(minor, board.words(data)) for minor, data in records] == [(1, [plain, HOLE])]
    assert {minor: (row["hits"], row["faulted"]) for minor, row in counted.items()} == {
        1: (1, 0), 2: (1, 1), 3: (0, 1)}
    board.done()


RETURN = r"\b(bx\s+lr|(?:pop|ldm\w*)\b.*\bpc\}|jr\s+ra|blr|ret\b)"


@pytest.mark.parametrize("name", cpus.boards())
def test_what_a_function_returns(qemu, dprobes, tmp_path, name):
    """RPN.md 4: after each instruction that returns, retval is what the caller finds where pc says it goes on."""
    board = Board(qemu, dprobes, tmp_path, name)
    run = subprocess.run(["gdb-multiarch", "-nx", "-batch", "-ex", "disassemble mix_long", board.elf],
                         stdout=subprocess.PIPE, check=True, timeout=process.TIMEOUT_S)
    returns = re.findall(r"<\+(\d+)>:\s+" + RETURN, run.stdout.decode())
    assert returns, run.stdout
    source = "".join(f"offset = mix_long + {offset}\nphase = after\nminor = 1\n{log_all(['pc', 'retval'])}" for offset, _ in returns)
    running = board.probe(source, CALLS)
    for _ in range(CALLS):
        board.type("selftest 1", "selftest: crc")
    found = [board.words(data) for _, data in board.results(running)[0]]
    callers = {pc for pc, _ in found}
    assert len(found) == CALLS and len(callers) == 1
    running = board.probe(source + f"address = {callers.pop():#x}\nminor = 2\n{log_all(['pc', 'retval'])}", 2 * CALLS)
    for _ in range(CALLS):
        board.type("selftest 1", "selftest: crc")
    records = board.results(running)[0]
    assert [minor for minor, _ in records] == [1, 2] * CALLS
    assert [data for minor, data in records if minor == 1] == [data for minor, data in records if minor == 2]
    board.done()


# proves: A5.1 P4.12 P8.6
@pytest.mark.parametrize("name", board_names())
def test_one_trap(qemu, dprobes, tmp_path, name):
    """A load that faults in a one-trap slot: the firmware's handler knows it by its own address, and its hit has no record."""
    board = Board(qemu, dprobes, tmp_path, name)
    listed = subprocess.run(["nm", board.elf], stdout=subprocess.PIPE, check=True, text=True, timeout=process.TIMEOUT_S).stdout
    load, good = (int(re.search(rf"^(\w+) T {symbol}$", listed, re.MULTILINE)[1], 16) for symbol in ("arch_peek_try", "selftest_run"))
    load, good = load & ~int(cpus.of_board(name).nop_bytes > 1), good & ~3  # without a bit for the instruction set; a word

    def peek(address):
        return board.type(f"peek {address:#x}", rf"\n{address:08x}: ([^\r\n]+)\r?\n")[1]

    there, hole = peek(good), peek(HOLE)
    running = board.probe(f"address = {load:#x}\nminor = 1\n{log_all(['pc', 'arg0'])}", CALLS)
    for _ in range(CALLS):
        assert peek(HOLE) == hole and peek(good) == there
    records, counted = board.results(running)
    assert [board.words(data) for _, data in records] == [[load, good]] * CALLS
    assert (counted[1]["hits"], counted[1]["faulted"]) == (2 * CALLS, CALLS)
    board.done()
