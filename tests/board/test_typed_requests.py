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
LINE_BYTES = 128  # of a request with marker and newline
FRAME = re.compile(rb"~[ZKRSPYN][0-9A-F]+\n")
PROGRAM = "name = quiet\n" + "".join(f"offset = queue_put\nminor = {n}\npush {n}\nlog 1\nexit\n" for n in range(8))
BOARDS = pytest.mark.parametrize("board", parameters(cpus.boards(2), usual=cpus.boards(1)))


def text_of(data):
    """What stands between the requests of a line, as PROTOCOL.md 3.1 has it: R3.31, R3.34, R3.35."""
    pieces, request = [bytearray()], None
    for byte in data:
        if request is None:
            pieces[-1].append(byte)
            if pieces[-1].endswith(b"~Q"):
                request = bytearray(b"~Q")
                del pieces[-1][-2:]
        elif byte in b"\r\n":
            request = None
            pieces.append(bytearray())
        elif len(request) == LINE_BYTES:  # a damaged newline: what follows is no part of the request
            request = None
            pieces.append(bytearray([byte]))
        else:
            request.append(byte)
            if request.endswith(b"~Q"):
                request = bytearray(b"~Q")
            elif all(not 0x20 <= end < 0x7F for end in request[-2:]):
                pieces[-1] += request
                request = None
    return pieces


def shown_of(text):
    """What the demo's shell echoes of it: characters that a terminal shows."""
    return bytes(byte for byte in text if 0x20 <= byte < 0x7F)


@pytest.mark.parametrize("line, text", [
    (b"ab~Q0123\ncd", b"abcd"), (b"~Q01x3\ncd", b"cd"), (b"n~Q01\x0b~Q23\nc", b"nc"), (b"nQ0123\n", b"nQ0123\n"),
    (b"~Q01\x0b\xfeQ23\n", b"~Q01\x0b\xfeQ23\n"), (b"~Q01\x0bnQ23\nc", b"c"), (b"~Q" + b"0" * 126 + b"\x0b\xfeQ23\n", b"\x0b\xfeQ23\n"),
    (b"~Q01x\rc", b"c")])
def test_text_of(line, text):
    """The model of the rules, against the sentences of PROTOCOL.md."""
    assert b"".join(text_of(line)) == text


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
    rows = re.findall(rb"[0-9A-F]{6,}", shown)
    assert not [row for row in rows if row not in shown_of(b"".join(pieces))], (shown, bytes(line.heard))
    rests = [piece for piece in pieces if re.search(rb"[0-9A-F]{6}", piece)]
    print(f"{board}: {len(line.requests)} requests, {damaged} damaged, {len(rests)} of them without marker or letter")
    assert len(rests) < damaged / 5  # 1 in 22 on the average
