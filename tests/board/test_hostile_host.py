# SPDX-License-Identifier: BSD-2-Clause
"""Random bytes, and requests that are valid but for what they say, at a board that runs: the firmware goes on, the agent
answers, and nothing stays. In a process: test_agent_receive.c and fuzz/fuzz_agent.c."""
import random
import socket

import pytest

import cpus
import tables
from harness import by_hand, paths, process
from harness.qemu import parameters
from harness.typist import console_of

LIKELY = b"~~QQ00001122334456789ABCDEF\n\n"
CHUNK = 256  # with what ends it, less than the room of the receiver in the firmware
SOURCE = 'name = "stays"\noffset = queue_put\npush 1\nlog 1\nexit\n'
BOARDS = pytest.mark.parametrize("board", parameters(cpus.boards(2), usual=cpus.boards(1)))
COMMANDS = [int(number, 16) for number, name, *_ in tables.rows("protocol/commands.def", "DP_CMD") if name not in ("HELLO", "CLOSE")]


class Board:
    def __init__(self, board, qemu, dprobes, folder):
        self.machine, self.tool = qemu(board), dprobes
        self.machine.com1.expect("demo>")
        self.elf = ("--elf", paths.built("boards", board, "demo.elf"))
        self.port = ("--port", self.machine.url("com2"))
        (folder / "stays.dp").write_text(SOURCE)
        assert dprobes("insert", folder / "stays.dp", *self.elf, *self.port).status == 0

    def programs(self):
        info, = self.tool("info", "--format", "json", *self.port).objects()
        return info["programs"]

    def goes_on(self):
        self.machine.com1.send("selftest 1\r")
        self.machine.com1.expect("selftest: crc f7ab821a")
        assert self.tool("remove", "--all", "--take", *self.port).status == 0
        assert self.tool("info", "--verify-text", *self.elf, *self.port).status == 0


class Echo:
    """The demo sends back what comes on com2 and is no frame."""

    def __init__(self, path):
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(path)
        self.line.settimeout(process.TIMEOUT_S)

    def carry(self, data, number):
        """Send bytes, and wait until a text that was sent behind them is back: the agent has had them all. The newline
        ends a line that the bytes may have begun."""
        marker, found = f"<chunk {number} has come>".encode(), b""
        self.line.sendall(data + b"\n" + marker)
        while marker not in console_of(found)[0]:
            more = self.line.recv(4096)
            assert more, "the board ended"
            found += more

    def close(self):
        self.line.close()


# proves: R7.1
@BOARDS
def test_random_bytes(qemu, dprobes, tmp_path, amount, board):
    """Any bytes, or such as look like lines: the agent has them all, and answers none. The program stays."""
    b, choice = Board(board, qemu, dprobes, tmp_path), random.Random(14)
    line = Echo(b.machine.path("com2"))
    for n in range(amount(100, 40_000)):
        line.carry(bytes(choice.choices(LIKELY, k=CHUNK)) if n % 2 else choice.randbytes(CHUNK), n)
    line.close()
    assert b.programs() == 1
    b.goes_on()


# proves: R7.1
@BOARDS
def test_random_payloads(qemu, dprobes, tmp_path, amount, board):
    """Requests with a right check: each is answered."""
    b, choice = Board(board, qemu, dprobes, tmp_path), random.Random(15)
    host = by_hand.Host(b.machine.path("com2"))
    host.hello(99, rights=0x8F)
    for _ in range(amount(200, 20_000)):
        host.ask(choice.choice(COMMANDS), choice.randbytes(choice.choice((0, 1, 2, 4, 8, 13, 55))))
    host.line.close()
    b.goes_on()
