# SPDX-License-Identifier: BSD-2-Clause
"""No character of a request reaches the firmware's shell, whatever a line does to the request. Only the rest of a request whose
marker or letter is damaged looks like text. The demo's shell echoes what it reads."""
import re

import pytest

import cpus
from harness.noisyline import NoisyLine
from harness.paths import built
from harness.qemu import parameters
from harness.staying import StayingLine

BER = {"flip": 8e-3}  # a damaged bit in a thousand
FRAME = re.compile(rb"~[ZKRSPYN][0-9A-F]+\n")
PROGRAM = "name = quiet\n" + "".join(f"offset = queue_put\nminor = {n}\npush {n}\nlog 1\nexit\n" for n in range(8))
BOARDS = pytest.mark.parametrize("board", parameters(cpus.boards(2), usual=cpus.boards(1)))


def text_of(data):
    """What stands between the requests of a line: PROTOCOL.md 3.1."""
    return re.split(rb"~+Q[^\n]*(?:\n|\Z)", data)


@BOARDS
def test_noise(qemu, dprobes, tmp_path, amount, board):
    """Uploads and lists at a damaged bit in a thousand: the shell got the rests of requests without marker, nothing else."""
    com1 = StayingLine(tmp_path / "com1")
    com1.plug(qemu(board).free_when_up().path("com1"))
    line = NoisyLine(tmp_path / "line", com1.path, board, BER, {})
    (tmp_path / "quiet.dp").write_text(PROGRAM)
    elf, damaged = built("boards", board, "demo.elf"), 0
    while damaged < amount(60, 600):
        for words in (("insert", tmp_path / "quiet.dp", "--elf", elf, "--replace"), ("list",), ("remove", "--all")):
            run = dprobes(*words, "--port", line.url)
            assert run.status == 0, run.stderr
        damaged = len(line.requests) - sum(line.heard.count(request) for request in set(line.requests))
    line.close()
    com1.close()
    pieces, shown = text_of(line.heard), FRAME.sub(b"", com1.came)
    assert all(row in b"".join(pieces) for row in re.findall(rb"[0-9A-F]{6,}", shown)), shown
    rests = [piece for piece in pieces if re.search(rb"[0-9A-F]{6}", piece)]
    print(f"{board}: {len(line.requests)} requests, {damaged} damaged, {len(rests)} of them without marker or letter")
    assert len(rests) < damaged / 10
