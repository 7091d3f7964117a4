# SPDX-License-Identifier: BSD-2-Clause
"""The demo firmware on a board, for tests that use its shell and dprobes at the same time."""
import sources_mk

from . import paths, process

CRC = {1: "f7ab821a", 10: "fb4c746f"}  # of selftest's rounds: boards/demo/README.md
FAULT = r"task victim: (.*); the task ends"  # what the shell's `fault` prints


def order_of(board):
    """Byte order of its CPU."""
    cross = sources_mk.read(str(paths.TOP / "boards" / board))["CROSS"]
    return "big" if cross in ("mips-linux-gnu-", "powerpc-linux-gnu-") else "little"


def word_of(board):
    """Bytes of its CPU's word."""
    return {1: 4, 2: 8}[paths.built("boards", board, "demo.elf").read_bytes()[4]]


def packed_range(board, start, count, access):
    """A row of the agent's table of ranges, as memory has it: struct dp_range."""
    word, order = word_of(board), order_of(board)
    return start.to_bytes(word, order) + count.to_bytes(word, order) + bytes([access]).ljust(word, b"\0")


def read_range(board, row):
    """(start, bytes, access) of a row."""
    word, order = word_of(board), order_of(board)
    return int.from_bytes(row[:word], order), int.from_bytes(row[word:2 * word], order), row[2 * word]


class Bench:
    """A board with its shell on com1, and dprobes on com2. program: the demo kernel, or the one whose hits follow no plan."""

    def __init__(self, qemu, dprobes, folder, board="vexpress-a9", program="demo"):
        elf = paths.built("boards", board, *([program] if program != "demo" else []), f"{program}.elf")
        self.name, self.machine = board, qemu(board, elf=elf, hold=("com1",))
        self.shell = self.machine.com1
        self.shell.expect("demo>")
        self.tool, self.folder, self.elf = dprobes, folder, elf
        self.options = ["--port", self.machine.url("com2")]

    def type(self, line, answer, timeout_s=process.TIMEOUT_S):
        self.shell.send(line + "\n")
        return self.shell.expect(answer, timeout_s)

    def file(self, source, name="p"):
        path = self.folder / f"{name}.dp"
        path.write_text(source)
        return path

    def run(self, *args, **options):
        return self.tool(*args, *self.options, **options)

    def good(self, *args, **options):
        result = self.run(*args, **options)
        assert result.status == 0, f"{args}: {result.status}: {result.stderr[-2000:]}"
        return result

    def insert(self, source, *args, name="p"):
        return self.good("insert", self.file(source, name), "--elf", self.elf, *args)

    def programs(self):
        return {row["program"]: row for row in self.good("list", "--format", "json").objects()}

    def symbol(self, name):
        rows = self.tool("symbols", "--elf", self.elf, "--format", "json", name).objects()
        return next(row for row in rows if row["name"] == name)

    def address(self, name):
        return int(self.symbol(name)["address"], 16) & ~1

    def size(self, name):
        return self.symbol(name)["bytes"]

    def clean(self):
        self.good("remove", "--all")
        self.good("info", "--verify-text", "--elf", self.elf)
