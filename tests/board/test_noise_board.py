# SPDX-License-Identifier: BSD-2-Clause
"""Records of a board over a noisy line: none is wrong, none comes twice, and each that does not come is counted.
Missing records come again, so that a rate of 1e-4 loses none."""
import re

import pytest

from harness import paths
from harness.noisyline import NoisyLine

# Of damaged bits; a flip is one bit of eight.
BER = {"ber1e-4": {"flip": 8e-4}, "ber1e-3": {"flip": 8e-3}}
# Ten kinds of noise: rates a byte, and what is not damage: the time on the line, and its pace.
KINDS = {
    "flip": ({"flip": 1e-3}, {}), "lose": ({"lose": 1e-3}, {}), "double": ({"double": 1e-3}, {}),
    "insert": ({"insert": 1e-3}, {}), "break": ({"break": 1e-3}, {}), "burst": ({"burst": 5e-4}, {}),
    "delay": ({"flip": 1e-3}, {"delay_s": 0.1}), "pace": ({"flip": 1e-3}, {"pace": 40_000}),
    "slips": ({"lose": 5e-4, "double": 5e-4, "insert": 5e-4}, {"pace": 40_000}),
    "all": ({"flip": 5e-4, "lose": 2e-4, "double": 2e-4, "insert": 2e-4, "break": 1e-4, "burst": 1e-4}, {"delay_s": 0.05}),
}
# A tick logs two words: a number, and the number multiplied. One in so many ticks does.
COUNTER = """\
name = counter
major = 6
vars = 2
offset = timer_isr
minor = 1
inc lv, 1
push lv, 1
push {every}
div
pop lv, 0
jnz quiet
push lv, 0
push 0x9e3779b1
mul
push lv, 0
log 2
exit
quiet: abort
"""


def numbers_of(lines):
    """The records' numbers, in order. What else stands in a record follows from its number."""
    found = [re.fullmatch(r"DProbes\(6,1\) ([0-9a-f]{8})([0-9a-f]{8})", line) for line in lines if line.startswith("DProbes")]
    words = [[int.from_bytes(bytes.fromhex(word), "little") for word in match.groups()] for match in found]
    assert all(other == number * 0x9E3779B1 & 0xFFFFFFFF for number, other in words)
    return [number for number, _ in words]


def counted(lines, text):
    return sum(int(count) for count in re.findall(rf"^lost: (\d+) record\(s\) of stream 0 {text}", "\n".join(lines), re.M))


class Outcome:
    def __init__(self, run, line):
        self.status, lines = run.status, run.lines()
        self.numbers = numbers_of(lines)
        self.lost, self.dropped = counted(lines, "on the line"), counted(lines, "found the agent's ring full")
        assert sum(line.damage.values()) > 10, "the line was not noisy"
        assert self.numbers == sorted(set(self.numbers)), "twice, or out of order"
        assert run.status == (5 if self.lost or self.dropped else 0), run.stderr


@pytest.fixture
def noisy_run(qemu, dprobes, tmp_path):
    """Run the counter on a board; the outcome."""
    def start(board, noise, count, every, *words, **line_is):
        machine = qemu(board, hold=())
        line = NoisyLine(tmp_path / "line", machine.path("com1"), f"{board}{noise}", noise, noise, **line_is)
        path = tmp_path / "counter.dp"
        path.write_text(COUNTER.format(every=every))
        run = dprobes("run", path, "--elf", paths.built("boards", board, "demo.elf"), "--port", line.url, "--quiet",
                      "--no-names", "--count", str(count), *words)
        outcome = Outcome(run, line)
        line.close()
        return outcome
    return start


BOARDS = pytest.mark.parametrize("board", ["vexpress-a9", "malta"])


# proves: R4.25 R4.26 R5.64 R7.7
@BOARDS
@pytest.mark.parametrize("rate", BER)
def test_each_tick(noisy_run, amount, board, rate):
    """A thousand records a second. At 1e-3 the ring is overwritten before all that is missing has come again."""
    outcome = noisy_run(board, BER[rate], amount(2000, 20_000), 1)
    assert outcome.lost == outcome.dropped == 0 or rate == "ber1e-3"
    ends = outcome.numbers[-1] - outcome.numbers[0] + 1
    assert ends - len(outcome.numbers) <= outcome.lost + outcome.dropped


# proves: R4.25 R4.26 R7.7
@BOARDS
def test_the_ring_is_not_full(noisy_run, amount, board):
    """A hundred records a second: none is lost at 1e-3."""
    outcome = noisy_run(board, BER["ber1e-3"], amount(300, 3000), 10)
    assert outcome.lost == outcome.dropped == 0
    assert outcome.numbers == [outcome.numbers[0] + n for n in range(len(outcome.numbers))]


# proves: R4.28 R4.29
@BOARDS
@pytest.mark.parametrize("rate", BER)
def test_acknowledged(noisy_run, amount, board, rate):
    """What was sent arrives, whatever the line does; what found the ring full was never sent."""
    outcome = noisy_run(board, BER[rate], amount(2000, 20_000), 1, "--acknowledged")
    assert outcome.lost == 0
    ends = outcome.numbers[-1] - outcome.numbers[0] + 1
    assert ends - len(outcome.numbers) <= outcome.dropped


# proves: R7.7
@pytest.mark.nightly
@BOARDS
@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_noise(noisy_run, amount, board, kind):
    """No record is wrong or comes twice, and the counts of the lost and the dropped ones tell each that does not come."""
    noise, line_is = KINDS[kind]
    outcome = noisy_run(board, noise, amount(1000, 20_000), 2, **line_is)
    ends = outcome.numbers[-1] - outcome.numbers[0] + 1
    assert ends - len(outcome.numbers) <= outcome.lost + outcome.dropped
