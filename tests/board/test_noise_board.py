# SPDX-License-Identifier: BSD-2-Clause
"""Records of a board over a noisy line: none is wrong, none comes twice, and each that does not come is counted.
Missing records come again, so that a rate of 1e-4 loses none. The firmware has the last word: the hits that `run` prints at
its end are the records printed, told as lost and told as dropped, not one more and not one less.

test_kinds_of_noise prints a row of the table in boards/demo/README.md."""
import pytest

import cpus
from harness import counter, keyed, paths, rated_line
from harness.demo_bench import order_of
from harness.noisyline import KINDS, NoisyLine
from harness.qemu import parameters

# Of damaged bits; a flip is one bit of eight.
BER = {"ber1e-4": {"flip": 8e-4}, "ber1e-3": {"flip": 8e-3}}


@pytest.fixture
def noisy_run(qemu, dprobes, tmp_path):
    """Run the counter on a board until as many records have come, and end it as ^C does: then what was still on its way is
    printed too. The outcome. rated: com2 of a board whose lines have a rate. sealed: a board with a key."""
    def start(board, noise, count, every, *words, rated=False, sealed=False, **line_is):
        elf = keyed.firmware(board, tmp_path) if sealed else paths.built("boards", board, "demo.elf")
        words = *words, *(("--key", keyed.key_file(tmp_path)) if sealed else ())
        machine = rated_line.RatedBoard(qemu, dprobes, tmp_path, board).machine if rated else qemu(board, elf=elf, hold=())
        line = NoisyLine(tmp_path / "line", machine.path("com2" if rated else "com1"), f"{board}{noise}", noise, noise, **line_is)
        path = tmp_path / "counter.dp"
        path.write_text(counter.SOURCE.format(place="offset = timer_isr", every=every))
        running = dprobes.start("run", path, "--elf", elf, "--port", line.url, "--no-names", *words)
        for _ in range(count):
            running.out.expect(r"^DProbes.*\n")
        outcome = counter.Outcome(running.interrupt(), every, order_of(board), (130,))
        assert sum(line.damage.values()) > 0, "the line was not noisy"
        line.close()
        return outcome
    return start


FIRST, SECOND = cpus.boards(2)
BOARDS = pytest.mark.parametrize("board", parameters(cpus.boards(2), usual=cpus.boards(1)))
# Each rate on one board; both on both boards at night.
RATES = pytest.mark.parametrize("board, rate", [
    pytest.param(board, rate, marks=() if (board, rate) in {(FIRST, "ber1e-4"), (SECOND, "ber1e-3")} else pytest.mark.nightly)
    for board in (FIRST, SECOND) for rate in BER])


# proves: R4.25 R4.26 R5.64 R7.7
@RATES
def test_each_tick(noisy_run, amount, board, rate):
    """A thousand records a second. At 1e-3 the ring is overwritten before all that is missing has come again."""
    outcome = noisy_run(board, BER[rate], amount(400, 20_000), 1)
    assert outcome.lost == outcome.dropped == 0 or rate == "ber1e-3"


# proves: R4.25 R4.26 R7.7
@BOARDS
def test_the_ring_is_not_full(noisy_run, amount, board):
    """A hundred records a second: none is lost at 1e-3."""
    outcome = noisy_run(board, BER["ber1e-3"], amount(100, 3000), 10)
    assert outcome.lost == outcome.dropped == 0
    assert outcome.numbers == list(range(1, outcome.made + 1))


# proves: R4.28 R4.29
@RATES
def test_acknowledged(noisy_run, amount, board, rate):
    """What was sent arrives, whatever the line does; what found the ring full was never sent."""
    outcome = noisy_run(board, BER[rate], amount(200, 20_000), 1, "--acknowledged")
    assert outcome.lost == 0


# Of the ten kinds, those of every run of the tests; all of them at night.
USUAL = {(FIRST, "slips"), (FIRST, "all")}
ROWS = [pytest.param(board, kind, marks=() if (board, kind) in USUAL else pytest.mark.nightly)
        for board in (FIRST, SECOND) for kind in KINDS]


# proves: R7.7
@pytest.mark.parametrize("board, kind", ROWS)
def test_kinds_of_noise(noisy_run, amount, board, kind):
    """No record is wrong or comes twice, and the counts of the lost and the dropped ones tell each that does not come."""
    noise, line_is = KINDS[kind]
    outcome = noisy_run(board, noise, amount(200, 20_000), 2, **line_is)
    print(f"| {kind} | {outcome.made} | {outcome.wrong} | {outcome.twice} | {outcome.untold} | {outcome.lost} | {outcome.dropped} |")


# proves: R5.82 R5.83 R7.7
@BOARDS
@pytest.mark.parametrize("kind", ["all", *(pytest.param(kind, marks=pytest.mark.nightly) for kind in KINDS if kind != "all")])
def test_a_sealed_session(noisy_run, amount, board, kind):
    """A damaged line and one with a wrong seal are the same, and are sent again with other counts: upload, records, removal."""
    noise, line_is = KINDS[kind]
    outcome = noisy_run(board, noise, amount(100, 5000), 10, "--acknowledged", sealed=True, **line_is)
    assert outcome.lost == 0


# proves: R4.25 R4.26 R7.7
@pytest.mark.parametrize("board", parameters(cpus.code_boards(), usual=cpus.boards(1)))
def test_a_noisy_line_with_a_rate(noisy_run, amount, board):
    """115200 baud by the board's clock, a hundred records a second: what is missing comes again beside what is new."""
    outcome = noisy_run(board, BER["ber1e-4"], amount(200, 2000), 10, rated=True)
    assert outcome.lost == outcome.dropped == 0
