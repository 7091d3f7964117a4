# SPDX-License-Identifier: BSD-2-Clause
"""dprobes top with an agent in a process, which is interrupted in two functions by turns: the table, its formats, what is refused,
the screen, and the ends. Functions, lines and tasks of a firmware: tests/board/test_top_board.py."""
import csv
import fcntl
import io
import os
import re
import signal
import struct
import subprocess
import termios
import time

import pytest

from harness import process, tool
from harness.paths import TOP

HOT, IDLE = "hot", "idle"  # where sim_target is interrupted
TASK = "-"  # it has no task
HEAD = r"(\d+) samples/s for (\d+\.\d) s:[ \n](\d+) samples, (\d+) lost"
FORMATS = TOP / "host/present/FORMATS.md"
CLEAR = "\x1b[H\x1b[J"


@pytest.fixture
def top(sim_target, dprobes):
    """Starts an agent; runs `dprobes top` against it."""
    def start(*options, profile="full"):
        target = sim_target("--build-id", *options, profile=profile)
        words = ("top", "--port", target.url(), "--sym", target.map)

        def run(*more, start=False):
            return (dprobes.start if start else dprobes)(*words, *more)

        run.target, run.words = target, words
        return run
    return start


def is_clean(run, dprobes):
    """No program is left, and the text is the original one."""
    listed = dprobes("list", "--port", run.target.url())
    return listed.stdout == "" and run.target.text_is_original()


def test_table(top, dprobes):
    run = top("--samples", 1000)
    found = run("--for", "1s")
    assert found.status == 0, found.stderr
    head, names, *rows = found.stdout.splitlines()
    rate, seconds, samples, lost = re.fullmatch(HEAD, head).groups()
    assert (rate, lost) == ("97", "0") and float(seconds) >= 1 and int(samples) > 10
    assert names == " SHARE  SAMPLES  FUNCTION  LINE"
    shares = [re.fullmatch(r" +(\d+\.\d)% +(\d+)  (\w+)", row).groups() for row in rows]
    assert {function for _, _, function in shares} == {HOT, IDLE}
    assert sum(int(count) for _, count, _ in shares) == int(samples)
    for percent, count, _ in shares:
        assert abs(float(percent) - 100 * int(count) / int(samples)) <= 0.051, found.stdout
    assert [int(count) for _, count, _ in shares] == sorted((int(count) for _, count, _ in shares), reverse=True)
    assert is_clean(run, dprobes)


def test_formats(top):
    """One object with its rows; in CSV each row has the numbers of its table."""
    run = top("--samples", 1000)
    table, = run("--for", "500ms", "--format", "json", "--rate", "1000").objects()
    assert (table["kind"], table["rate"], table["lost"], table["keys_full"]) == ("profile", 1000, 0, 0)
    assert table["total"] == sum(row["samples"] for row in table["rows"]) > 50
    assert abs(sum(row["percent"] for row in table["rows"]) - 100) < 0.02
    assert all(abs(row["samples"] - table["total"] / 2) <= 1 for row in table["rows"]), table
    found = run("--for", "500ms", "--format", "csv", "--top", "1")
    row, = csv.DictReader(io.StringIO(found.stdout))
    assert f"| `top` | a function or a line, with the numbers of its table | `{found.lines()[0]}` |\n" in FORMATS.read_text(encoding="utf-8")
    assert row["kind"] == "profile" and row["function"] in (HOT, IDLE) and 0 < int(row["samples"]) < int(row["total"])


def test_as_often_as_the_board_samples(top):
    """Without --rate a board that samples less often is no error. The head has the rate that it has."""
    found = top("--samples", 50)("--for", "1s", "--format", "json")
    table, = found.objects()
    assert (table["rate"], table["lost"]) == (50, 0) and "late" not in found.stderr


@pytest.mark.parametrize("options, profile, words, status, said", [
    (("--samples", 100), "full", ("--rate", "101"), 1, "--rate 101 is more than the target has: its board samples 100 times a second"),
    (("--samples", 100), "full", ("--rate", "0"), 1, "--rate"),
    ((), "full", (), 4, "profile never runs: the firmware does not call dprobes_sample"),
    ((), "small", (), 4, "was built without"),
])
def test_refused(top, dprobes, options, profile, words, status, said):
    run = top(*options, profile=profile)
    found = run("--for", "1s", *words)
    assert (found.status, found.stdout) == (status, "") and said in found.stderr, found.stderr
    assert dprobes("list", "--port", run.target.url()).stdout == ""


def test_tasks_without_an_elf_file(top, dprobes):
    """The firmware tells the names of its tasks itself. A function of the list reaches to the next symbol."""
    run = top("--samples", 1000)
    table, = run("--by-task", "--for", "500ms", "--rate", "1000", "--format", "json").objects()
    assert {(row["task"], row["function"]) for row in table["rows"]} == {(TASK, HOT), (TASK, IDLE)}, table
    assert table["total"] == sum(row["samples"] for row in table["rows"]) > 50 and is_clean(run, dprobes)


def test_addresses_without_a_symbol(top, tmp_path):
    """In front of the first symbol, and behind the last one, nothing has a name."""
    run, list_of_symbols = top("--samples", 1000), tmp_path / "System.map"
    list_of_symbols.write_text("08000108 T later\n08000140 T last\n")
    found = run("--for", "500ms", "--rate", "1000", "--format", "json", "--sym", list_of_symbols)
    assert {row["function"] for row in found.objects()[0]["rows"]} == {"0x08000104", "0x08000144"}, found


def test_an_elf_file_is_needed(dprobes):
    found = dprobes("top", "--port", "unix:/nowhere")
    assert found.status == 1 and "the firmware's ELF file is missing; give --elf FILE" in found.stderr


def test_live_on_a_pipe(top, dprobes):
    """Tables follow one another until the signal, each with more samples; then the program is removed."""
    run = top("--samples", 1000)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        running = run("--live", start=True)
        for _ in range(3):
            running.out.expect("samples, ")
        running.process.send_signal(number)
        running.process.wait(process.TIMEOUT_S)
        assert running.process.returncode == 130, running.err.text
        totals = [int(total) for _, _, total, _ in re.findall(HEAD, running.out.text)]
        assert len(totals) >= 3 and totals == sorted(totals) and totals[0] < totals[-1]
        running.close()
        assert is_clean(run, dprobes)


class Screen:
    """`dprobes top` on a terminal."""

    def __init__(self, words, rows, columns):
        self.ours, theirs = os.openpty()
        self.resize(rows, columns)
        self.child = process.start([*map(str, words)],
                                   env=tool.environment({"TERM": "xterm"}), stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        self.shown = process.Reader("screen", lambda: os.read(self.ours, 4096))

    def resize(self, rows, columns):
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def tables(self, count):
        """So many whole tables more."""
        before = self.shown.text.count(CLEAR)
        self.shown.until(lambda text: text.count(CLEAR) > before + count)
        return self.shown.text.replace("\r\n", "\n").split(CLEAR)[-count - 1:-1]

    def end(self):
        self.child.send_signal(signal.SIGINT)
        status = self.child.wait(process.TIMEOUT_S)
        self.shown.join()
        os.close(self.ours)
        return status


def test_screen(top, dprobes):
    """A terminal has the table at one place until ^C. No line is longer than the terminal, also behind a change of its size, and a
    table is not higher."""
    run = top("--samples", 1000)
    screen = Screen([dprobes.path(), *run.words], 24, 80)
    wide = screen.tables(2)[-1]
    assert re.match(HEAD, wide) and " SHARE  SAMPLES  FUNCTION  LINE\n" in wide and HOT in wide and IDLE in wide, wide
    for rows, columns, functions in ((24, 40, 2), (5, 20, 1)):
        screen.resize(rows, columns)
        table = screen.tables(2)[-1]
        lines = table.splitlines()
        assert len(lines) < rows and max(map(len, lines)) <= columns, table
        assert re.match(HEAD.replace("[ \\n]", "\\n"), table) or columns == 20, table
        assert sum(bool(re.match(r" *\d+\.\d%", line)) for line in lines) == functions, table
    assert screen.end() == 130
    assert re.match(r"\d+ samples/s", screen.shown.text.split(CLEAR)[-1])
    assert is_clean(run, dprobes)


def test_what_ends_a_run_stays_on_the_screen(top, dprobes):
    """The target is restarted: the message is not wiped, and the time is that of the last samples."""
    run = top("--samples", 1000)
    screen = Screen([dprobes.path(), *run.words], 24, 80)
    screen.tables(2)
    run.target.warm_restart()
    assert screen.child.wait(process.TIMEOUT_S) != 0
    screen.shown.join()
    os.close(screen.ours)
    assert "has ended this session" in screen.shown.text.split(CLEAR)[-1], screen.shown.text[-600:]


def test_interrupted_at_any_time(top, dprobes):
    """Ten times ^C: before the insertion, during it, between and during readings. Nothing is left."""
    run = top("--samples", 1000)
    for moment in range(10):
        screen = Screen([dprobes.path(), *run.words], 24, 80)
        time.sleep(0.1 * moment)
        assert screen.end() in (130, -signal.SIGINT)
        assert is_clean(run, dprobes), moment


def test_killed(top, dprobes):
    """`kill -9` leaves the program, of which list says what it is. The next top replaces it, and leaves none."""
    run = top("--samples", 1000)
    running = run("--live", start=True)
    running.out.until(lambda text: len(re.findall(HEAD, text)) >= 1)
    running.process.kill()
    running.process.wait(process.TIMEOUT_S)
    running.close()
    listed = dprobes("list", "--port", run.target.url()).stdout
    assert re.match(r"dprobes-top: program 0, .*, 1 probe\(s\), the samples of 'dprobes top'\n", listed), listed
    found = run("--for", "300ms", "--format", "json")
    assert found.status == 0 and found.objects()[0]["total"] > 0, found
    assert is_clean(run, dprobes)
