# SPDX-License-Identifier: BSD-2-Clause
"""Instructions of the agent for a received character, counted: the last one of a line checks and queues the request."""
import re

import pytest

import cpus
from harness import wire
from harness.paths import TOP
from harness.qemu import parameters

BOARDS = cpus.boards()
# Of a line's last character and of each other one, from the call of the demo's glue to the next look at the UART.
# agent/README.md states those of the Cortex-A9.
MOST = {row.board: row.received for row in cpus.rows()}
HELLO = b"\x01" + bytes([wire.VERSION]) + (77).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE])
LINES = 4


# proves: A3.45
@pytest.mark.parametrize("board", parameters(BOARDS))
def test_last_character(board, counted):
    """Of the longest request. Its CRC alone would take 1,700 instructions on a Cortex-A9, were it not spread."""
    machine, counter = counted(board, {"character": ("agent_receive", "uart_get")})
    machine.com1.expect("demo>")
    line = machine.connect("com2")
    characters = 0
    for number in range(LINES):
        request = wire.control("Q", 0, number, HELLO.ljust(wire.PAYLOAD_MAX, b"x"))
        assert len(request) == wire.LINE_MAX - 1
        line.send(request.decode())
        line.expect(rf"~Z{number:02X}[0-9A-F]+\n")
        characters += len(request)
    counts = counter.counts()["character"]
    line.close()
    assert len(counts) == characters
    ends = counts[len(request) - 1::len(request)]
    del counts[len(request) - 1::len(request)]
    print(f"{board}: the last character of a line {ends} instructions, another one {max(counts)} at most")
    assert len(ends) == LINES
    assert max(ends) <= MOST[board][0] and max(counts) <= MOST[board][1]


def test_readme():
    text = (TOP / "agent" / "README.md").read_text(encoding="utf-8").replace("\n", " ")
    said = re.search(r"takes at most (\d+) instructions for the last character of a request, and at most (\d+) for each", text)
    assert tuple(map(int, said.groups())) == MOST["vexpress-a9"]
