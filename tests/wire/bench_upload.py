# SPDX-License-Identifier: BSD-2-Clause
"""How many characters cross the line, each way, for the insertion of 50 probes and the list of 63 (scons bench).

At 115200 baud 11520 characters take a second; the two ways go at the same time. The agent is the real one in a process.
"""
import select
import socket
import threading

import pytest

POINTS, LISTED = 50, 63
TEXT = 0x08000000
A_SECOND = 11520
TURNS_MAX = 60  # of an insertion, however the pieces of the window fall together
# Of a handler of 40 bytes: four of these, and one push more.
PIECE = "push 0x1234{:02x}{:02x}\npop lv, {}\n"
PIECES = 4


class CountingLine:
    """url is the host's end; sent[0] and sent[1] count the characters to the agent and to the host, turns the times that
    the host sends behind an answer."""

    def __init__(self, path, target):
        self.path, self.target, self.sent, self.turns = str(path), str(target), [0, 0], 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(1)
        self.thread = threading.Thread(target=self._relay, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"unix:{self.path}"

    def close(self):
        self.thread.join(30)
        self.listener.close()

    def _relay(self):
        host, _ = self.listener.accept()
        with host, socket.socket(socket.AF_UNIX) as agent:
            agent.connect(self.target)
            ends, last = (host, agent), None
            while True:
                for end in select.select(ends, [], [])[0]:
                    data = end.recv(65536)
                    if not data:
                        return
                    way = ends.index(end)
                    self.sent[way] += len(data)
                    self.turns += way == 0 and last != 0
                    last = way
                    ends[1 - way].sendall(data)


def program(points, equal):
    """Text of a program: a point each 4 bytes of the simulated firmware."""
    def handler(n):
        return "".join(PIECE.format(0 if equal else n, piece, piece) for piece in range(PIECES))
    return 'name = "bench"\nvars = 4\n' + "".join(
        f"address = {TEXT + 4 * n:#x}\nopcode = {0x10000000 + 4 * n:#x}\nminor = {n}\n{handler(n)}push 0x12345678\nexit\n" for n in range(points))


@pytest.fixture
def counting(sim_target, dprobes, tmp_path):
    """Runs dprobes; what crosses the line each way."""
    target = sim_target("--build-id")
    runs = []

    def run(*words):
        line = CountingLine(tmp_path / f"line{len(runs)}", target.paths["com2"])
        runs.append(line)
        result = dprobes(*words, "--port", line.url)
        line.close()
        assert result.status == 0, result.stderr
        return line
    return run


def show(capsys, what, line):
    sent = line.sent
    with capsys.disabled():
        print(f"\n{what:34} {sent[0]:6} characters to the agent, {sent[1]:6} to the host: "
              f"{max(sent) / A_SECOND:.2f} s at 115200 baud, {line.turns} turns")


def checked(limits, what, sent):
    limits.check({f"line, {what}: to the agent": sent[0], f"line, {what}: to the host": sent[1]})


@pytest.mark.parametrize("handlers", ["equal", "distinct"])
def test_insert(handlers, counting, dprobes, tmp_path, capsys, limits):
    source, built = tmp_path / "bench.dp", tmp_path / "bench.ppdf"
    source.write_text(program(POINTS, handlers == "equal"))
    made = dprobes("build", "--cpu", "sim", "--word", "32", "--endian", "little", "-o", built, source)
    assert made.status == 0, made.stderr
    line = counting("insert", built)
    show(capsys, f"insert of {POINTS}, {handlers} handlers", line)
    checked(limits, f"insert of {POINTS} probes, {handlers} handlers", line.sent)
    assert 0 < line.turns <= TURNS_MAX


def test_list(counting, dprobes, tmp_path, capsys, limits):
    source = tmp_path / "bench.dp"
    source.write_text(program(LISTED, True))
    counting("insert", source)
    line = counting("list")
    show(capsys, f"list of {LISTED}", line)
    checked(limits, f"list of {LISTED} probes", line.sent)
