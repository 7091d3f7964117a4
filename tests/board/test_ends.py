# SPDX-License-Identifier: BSD-2-Clause
"""Ends at any moment: the host is killed, or the board is restarted, while a program is inserted, runs or is removed. The
next host then finds an agent that answers, and a text that is the ELF's when all programs are removed. At each line of a
session, in a process: test_agent_line.c."""
import random
import re

import pytest

from harness import paths, process
from harness.noisyline import NoisyLine
from harness.qemu import parameters

SOURCE = """\
name = "end"
vars = 1
offset = queue_put
minor = 1
inc lv, 0
push lv, 0
log 1
exit
offset = sem_take
minor = 2
push r, arg0
log 1
exit
"""
BOARDS = pytest.mark.parametrize("board", parameters(["vexpress-a9", "malta"], usual=["vexpress-a9"]))
MOST = 4000  # characters of the agent in a run: the upload, then records


class Board:
    """A board, and a line to it that counts what passes."""

    def __init__(self, board, qemu, dprobes, folder, seed):
        self.machine, self.tool = qemu(board), dprobes
        self.machine.com1.expect("demo>")
        self.line = NoisyLine(folder / "line", self.machine.path("com2"), 0, {}, {})
        self.source = folder / "end.dp"
        self.source.write_text(SOURCE)
        self.elf = ("--elf", paths.built("boards", board, "demo.elf"))
        self.port = ("--port", self.line.url)
        self.random = random.Random(f"{board} {seed}")

    def runs(self):
        """A run of the program, at any moment of it."""
        self.line.said, moment = b"", self.random.randrange(MOST)
        run = self.tool.start("run", self.source, "--quiet", *self.elf, *self.port)
        process.eventually(lambda: self.line.said and self.line.passed >= moment, f"{moment} characters")
        return run

    def is_whole(self):
        """The next host finds the agent, and nothing stays. Returns the number of the start."""
        removed = self.tool("remove", "--all", "--take", *self.port)
        assert removed.status == 0 and re.fullmatch(r"removed: [01] program\(s\)\n", removed.stdout), removed
        assert self.tool("info", "--verify-text", *self.elf, *self.port).status == 0
        info, = self.tool("info", "--format", "json", *self.port).objects()
        assert (info["programs"], info["probes"], info["strays"]) == (0, 0, 0)
        return info["boot"]


@BOARDS
def test_host_is_killed(qemu, dprobes, tmp_path, amount, board):
    b = Board(board, qemu, dprobes, tmp_path, "killed")
    for _ in range(amount(2, 200)):
        b.runs().close()
        assert b.is_whole() == 1
    b.machine.com1.send("selftest 1\r")
    b.machine.com1.expect("selftest: crc f7ab821a")
    b.line.close()


@BOARDS
def test_board_restarts(qemu, dprobes, tmp_path, amount, board):
    b = Board(board, qemu, dprobes, tmp_path, "restarts")
    for number in range(amount(2, 200)):
        run = b.runs()
        b.machine.com1.send("reboot\n")
        b.machine.com1.expect("(?s)restarting.*demo>")
        run.interrupt()
        assert b.is_whole() == number + 2
    b.line.close()
