# SPDX-License-Identifier: BSD-2-Clause
"""Lines with a rate: 115200 baud by the board's clock, transmitter and receiver of 16 characters. The agent
sends and receives, and the firmware loses no interrupt and no character. bench_rate.py prints the figures."""
import re

import pytest

import cpus
from harness import paths, process, qemu as qemu_harness, rated_line as rated
from harness.demo_bench import CRC
from harness.typist import Typist, console_of, shell_text, without_beginnings

BOARDS = cpus.boards(2)
FIRST, SECOND = (qemu_harness.parameters(BOARDS, (usual,)) for usual in BOARDS)
LOADS = {"one": (1, rated.ONE_IN_256), "one-saturated": (1, rated.EVERY_HIT), "ten": (10, rated.ONE_IN_256),
         "ten-saturated": (10, rated.EVERY_HIT)}
USUAL = list(zip(BOARDS, ("ten-saturated", "ten")))
CASES = [pytest.param(board, load, marks=() if (board, load) in USUAL else pytest.mark.nightly, id=f"{board}-{load}")
         for board in BOARDS for load in LOADS]
MASKED_US = 5000
SLACK_US = 100
# An interrupt waits for what the firmware and the agent mask, and for a hit. Three hits fit one masked stretch of the
# kernel. bench_masked.py counts 2,000 instructions of a hit, and an instruction takes 4 ns.
GOAL_US, HIT_US, HITS = 15, 8, 3
LATE_US = GOAL_US + HITS * HIT_US


@pytest.fixture
def board(request, qemu, dprobes, tmp_path):
    return rated.RatedBoard(qemu, dprobes, tmp_path, request.param)


def nothing_lost(figures):
    """Ticks and characters; the longest wait of an interrupt."""
    assert figures.baud == rated.BAUD
    assert (figures.ticks_lost, figures.com1, figures.com2) == (0, 0, 0), figures
    return max(figures.tick_late, figures.sensor_late)


@pytest.mark.parametrize("board", FIRST, indirect=True)
def test_counters_see_masked_interrupts(board):
    """Five milliseconds of mask: four ticks, and what the line brings behind the first 16 characters."""
    nothing_lost(board.figures())
    board.type(f"mask {MASKED_US}", "masked")
    figures = board.figures()
    for lost, period_us in ((figures.ticks_lost, rated.TICK_US), (figures.sensor_lost, rated.SENSOR_US)):
        assert MASKED_US // period_us - 1 <= lost <= MASKED_US // period_us
    assert MASKED_US - rated.TICK_US <= figures.tick_late <= MASKED_US + SLACK_US
    assert MASKED_US - rated.SENSOR_US <= figures.sensor_late <= MASKED_US + SLACK_US
    assert figures.com2 == 0  # nothing came
    other = board.machine.connect("com2")
    sent = 0

    def overrun():
        nonlocal sent
        other.send(b"x" * 500)
        sent += 500
        board.type(f"mask {MASKED_US}", "masked")
        return board.figures().com2

    process.eventually(overrun, "an overrun")
    process.eventually(lambda: len(other.data) + board.figures().com2 == sent, "the echo of the rest")
    other.close()


@pytest.mark.parametrize("board", SECOND, indirect=True)
def test_a_character_takes_its_time(board):
    """com2 sends back what it gets, no faster than the line is."""
    def tick():
        return int(board.type("stats", r"tick (\d+) boot").group(1))

    other = board.machine.connect("com2")
    begin = tick()
    other.send("y" * 500 + ".")
    other.expect(r"\.")
    assert tick() - begin >= 500 * rated.CHARACTER_US / rated.TICK_US
    other.close()


@pytest.mark.parametrize("board, load", CASES, indirect=["board"])
def test_firmware_loses_nothing(board, load, amount):
    """While a program is inserted, records flow, the console is used, and the program is removed. bench_rate.py prints
    the figures of each."""
    count, handler = LOADS[load]

    def is_undisturbed(figures):
        assert nothing_lost(figures) <= LATE_US and figures.sensor_lost == 0, figures

    board.clear()
    board.insert(rated.probes(count, handler))
    is_undisturbed(board.figures())
    log = board.listen()
    board.clear()
    is_undisturbed(board.after(amount(100, 5000)))
    run = log.interrupt()
    assert run.stdout.count("DProbes(9,") > 0
    board.remove()
    is_undisturbed(board.figures())


# proves: A2.9
@pytest.mark.parametrize("board", FIRST)
def test_console_and_records_share_a_line_with_a_rate(qemu, dprobes, tmp_path, board):
    """A hundred times what the line carries: the firmware's text comes whole, and the firmware loses nothing."""
    machine = qemu(board, extra=rated.CLOCK).free_when_up()
    elf = paths.built("boards", board, "demo.elf")
    line = Typist(tmp_path / "line", machine.path("com1"))
    path = tmp_path / "storm.dp"
    path.write_text(rated.probes(10, rated.EVERY_HIT))
    line.type("help\n")
    line.wait(rb"(?s)end the run.*demo>")
    help_text = line.text.decode().replace("\r", "")
    whole = help_text[help_text.index("help"):help_text.rindex("demo>")].strip()
    del line.text[:]
    end = f"selftest: crc {CRC[1]} rounds 1"
    running = dprobes.start("run", path, "--elf", elf, "--port", line.url, "--until", end)
    line.type("load on\n")
    line.type(f"line {rated.BAUD}\n")
    for _ in range(10):
        running.out.expect("DProbes.*\n")
    line.type("help\n")
    line.wait(rb"(?s)end the run.*demo>")
    line.type("line\n")
    line.type("selftest 1\n")
    run = running.wait()
    assert run.status in (0, 5), run.stderr  # 5: counted losses
    line.wait(rb"rounds 1[^~]*\Z")  # no frame is still on its way
    text, frames = console_of(bytes(line.text))
    shown = without_beginnings(run.stderr.encode(), frames)
    for console in (text.decode(), shown.decode()):
        console = shell_text(console)
        assert whole in console and end in console, console
    nothing_lost(rated.Figures(*map(int, re.findall(rated.FIGURES, text.decode())[-1])))
    line.close()
