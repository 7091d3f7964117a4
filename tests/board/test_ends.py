# SPDX-License-Identifier: BSD-2-Clause
"""Ends at any moment: the host is killed, or the board is restarted, while a program is inserted, runs or is removed. The
next host then finds an agent that answers, and a text that is the ELF's when all programs are removed. Ends that are asked for: all
that waits in the agent comes, and the last counts are the final ones. At each line of a session, in a process:
test_agent_line.c."""
import random
import re

import pytest

import cpus
from harness import paths, process, rated_line
from harness.demo_bench import order_of
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
# More than the line carries: each hit logs its number and eight words more.
FULL = """\
name = "full"
major = 3
vars = 1
offset = sensor_isr
minor = 1
inc lv, 0
push lv, 0
push 0x12345678
dup 7
log 9
exit
"""
BOARDS = pytest.mark.parametrize("board", parameters(cpus.boards(2), usual=cpus.boards(1)))
ALL_BOARDS = pytest.mark.parametrize("board", parameters(cpus.code_boards(), usual=cpus.boards(1)))
MOST = 4000  # characters of the agent in a run: the upload, then records


class Board:
    """A board, and a line to it that counts what passes. rated: the board's lines have a rate, and its load is on."""

    def __init__(self, board, qemu, dprobes, folder, seed, rated=False):
        self.tool = dprobes
        if rated:
            self.machine = rated_line.RatedBoard(qemu, dprobes, folder, board).machine
        else:
            self.machine = qemu(board)
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


def test_a_typed_line_that_restarts_the_board(qemu, dprobes):
    """-c types its line once. What the restart means is said once: in one error, or by --reinstall, which goes on."""
    machine = qemu("vexpress-a9").free_when_up()
    port = "--port", machine.url("com1")
    typed = "-n", "queue_put:entry { trace(1); }", "-c", "reboot", "--elf", paths.built("boards", "vexpress-a9", "demo.elf"), *port
    run = dprobes(*typed, "--count", "100000")
    assert run.status == 3 and re.findall("error: .*", run.stderr) == [
        "error: the target was restarted (boot 1, now 2): its probes are lost; insert them again"], run.stderr
    run = dprobes(*typed, "--reinstall", "--count", "20")
    assert run.status == 0 and run.stderr.count("restarting") == 1 and "error" not in run.stderr, run.stderr
    assert re.findall("the target was restarted .*", run.stderr) == ["the target was restarted (boot 3): inserting the program again"]
    assert dprobes("list", "--format", "json", *port).stdout == ""


@pytest.mark.nightly
@ALL_BOARDS
def test_host_is_killed_on_a_line_with_a_rate(qemu, dprobes, tmp_path, amount, board):
    b = Board(board, qemu, dprobes, tmp_path, "rated", rated=True)
    for _ in range(amount(2, 20)):
        b.runs().close()
        assert b.is_whole() == 1
    b.line.close()


# proves: R4.28 R4.29
@ALL_BOARDS
@pytest.mark.parametrize("mode", ["buffered", pytest.param("acknowledged", marks=pytest.mark.nightly)])
def test_what_waits_comes_at_the_end(qemu, dprobes, tmp_path, board, mode):
    """Ten times what the line carries: at ^C the agent's ring is full. What is in it comes, and each hit is a record that was
    printed or a drop that was told."""
    b = rated_line.RatedBoard(qemu, dprobes, tmp_path, board)
    path = tmp_path / "full.dp"
    path.write_text(FULL)
    words = ["--acknowledged"] if mode == "acknowledged" else []
    running = dprobes.start("run", path, "--no-names", "--elf", b.elf, *b.options, *words)
    running.err.expect(r"found the agent's ring full")
    run = running.interrupt()
    assert run.status == 130, run.stderr
    digits = re.findall(r"^DProbes\(3,1\) [0-9a-f]*([0-9a-f]{8})$", run.stdout, re.M)
    numbers = [int.from_bytes(bytes.fromhex(word), order_of(board)) for word in digits]
    drops = re.findall(r"lost: (\d+) record\(s\) of stream 0 found the agent's ring full", run.stderr)
    hits, = re.findall(r"^hits: full minor 1 at 0x[0-9a-f]+: (\d+)", run.stdout, re.M)
    assert numbers == sorted(set(numbers)) and "on the line" not in run.stderr
    assert int(hits) == len(numbers) + sum(map(int, drops)), run.stdout[-500:]
