# SPDX-License-Identifier: BSD-2-Clause
"""dprobes flame on a board: call stacks of samples as lines and as a picture, while the demo works. FORMATS.md."""
import collections
import re
import xml.etree.ElementTree

import pytest

import cpus
from harness import serial, sweep
from harness.paths import built

LOST = 5  # the exit status: the load leaves the agent's task little time
NARROWEST = 0.2  # of flame.c, pixels
SVG = "{http://www.w3.org/2000/svg}"


class Demo:
    """A board whose tasks compute, and a capture of its call stacks."""

    def __init__(self, qemu, dprobes, board, folder):
        self.elf, self.folder, self.dprobes = built("boards", board, "demo.elf"), folder, dprobes
        self.env = {"DPROBES_PORT": qemu(board, extra=sweep.CLOCK).free_when_up().url("com1"), "DPROBES_ELF": str(self.elf)}
        self.run("console", "--until", "load is on", stdin="load on\n")

    def run(self, *words, stdin=None):
        done = self.dprobes(*words, env=self.env, stdin=stdin, cwd=self.folder)
        assert done.status in (0, LOST), done.stderr
        return done

    def capture(self, *words):
        self.run("flame", "--rate", "97", "--option", "stackbytes=960", "--count", "120", "--record", "c.dpc", *words)
        return self.folder / "c.dpc"


@pytest.fixture(params=cpus.boards())
def demo(request, qemu, dprobes, tmp_path):
    return Demo(qemu, dprobes, request.param, tmp_path)


def folded(text):
    """A stack, the outermost function first -> the number of its samples."""
    rows = [re.fullmatch(r"(.*) (\d+)", line) for line in text.splitlines()]
    assert len({row[1] for row in rows}) == len(rows)
    return {tuple(row[1].split(";")): int(row[2]) for row in rows}


def boxes(path):
    """(title's name, count, x, width, row from below) of each function of the picture."""
    root = xml.etree.ElementTree.parse(path).getroot()
    found = []
    for rect in root.iter(f"{SVG}rect"):
        title = rect.find(f"{SVG}title")
        if title is not None:
            name, count = re.fullmatch(r"(.*): (\d+) of \d+ \([\d.]+ %\), itself \d+", title.text, re.S).groups()
            found.append((name, int(count), float(rect.get("x")), float(rect.get("width")), float(rect.get("y"))))
    return found, float(root.get("width"))


def test_stacks_of_the_load(demo):
    """The functions that compute stand below their callers, in their tasks; lines and picture have the same numbers."""
    capture = demo.capture("--by-task", "-o", "live.folded")
    live = folded((demo.folder / "live.folded").read_text())
    demo.run("report", capture, "--folded", "again.folded")
    assert folded((demo.folder / "again.folded").read_text()) == live
    samples = demo.run("report", capture, "--format", "json").stdout.count('"kind":"log"')
    assert sum(live.values()) == samples >= 120
    busy = {stack: count for stack, count in live.items() if "checksum_words" in stack or "crunch_block" in stack}
    assert sum(busy.values()) > samples / 2, live
    assert all(below == "crunch_block" for stack in busy for below, name in zip(stack, stack[1:]) if name == "checksum_words"), busy
    cut = sum(count for stack, count in live.items() if "[no caller found]" in stack)  # crunch_block has 1 KB on the stack

    demo.run("report", capture, "--flame", "f.svg")
    found, width = boxes(demo.folder / "f.svg")
    inclusive = collections.Counter()
    for stack, count in live.items():
        for depth in range(1, len(stack) + 1):
            inclusive[stack[:depth]] += count
    wide = {stack for stack, count in inclusive.items() if count * (width - 20) / samples > NARROWEST + 0.01}
    drawn = sorted((name, count) for name, count, *_ in found)
    assert drawn == sorted((stack[-1], inclusive[stack]) for stack in wide)
    foot = (demo.folder / "f.svg").read_text()
    assert cut > 0 and f">{cut} stacks are cut" in re.sub(r">.*?; (?=\d+ stacks)", ">", foot)
    lost = re.search(r"(\d+) records were lost", foot)
    told = sum(row["count"] for row in demo.run("report", capture, "--format", "json").objects() if row["kind"] in ("records lost", "dropped", "missed"))
    assert int(lost[1] if lost else 0) == told
    rows = sorted({y for *_, y in found}, reverse=True)
    for name, count, x, w, y in found:
        row = rows.index(y)
        below = [box for box in found if row and box[4] == rows[row - 1] and box[2] <= x + 0.01 and x + w <= box[2] + box[3] + 0.51]
        assert row == 0 or len(below) == 1 and below[0][1] >= count, (name, below)


def test_the_picture_is_the_default(demo):
    demo.run("flame", "--rate", "199", "--count", "50", "-o", "live.svg")
    assert len(boxes(demo.folder / "live.svg")[0]) > 2


def test_without_a_stack(demo):
    """A capture of other records: the picture says so, and there is no line."""
    demo.run("-n", "profile-97 { trace(arg0); }", "--count", "3", "--record", "c.dpc")
    demo.run("report", "c.dpc", "--folded", "f.folded")
    demo.run("report", "c.dpc", "--flame", "f.svg")
    assert (demo.folder / "f.folded").read_text() == ""
    assert "There is no record with a call stack" in (demo.folder / "f.svg").read_text()


def test_the_rate_follows_the_line(qemu, dprobes, tmp_path):
    """A device has the default speed: a record with more of the stack leaves room for fewer samples."""
    board = cpus.boards()[0]
    line = serial.Pty(qemu(board).free_when_up().url("com1").removeprefix("unix:"))
    env = {"DPROBES_PORT": line.path, "DPROBES_ELF": str(built("boards", board, "demo.elf"))}
    for option, rate in (("quiet", 17), ("stackbytes=960", 5), ("stackbytes = 16", 60)):
        done = dprobes("flame", "--option", option, "--count", "1", "-o", "f.folded", "--record", "c.dpc", env=env, cwd=tmp_path)
        assert done.status in (0, LOST), done.stderr
        row = dprobes("report", "c.dpc", "--format", "json", env=env, cwd=tmp_path).objects()[0]
        assert row["desc"] == f"profile:::profile-{rate}"
        (tmp_path / "c.dpc").unlink()
    line.close()


@pytest.mark.parametrize("words, said", [
    ((), "the file is missing; write -o FILE"),
    (("-o", "nowhere/f.svg"), "nowhere/f.svg"),
    (("-o", "f.svg", "--rate", "0"), "--rate"),
])
def test_refusals(dprobes, tmp_path, words, said):
    elf = built("boards", cpus.boards()[0], "demo.elf")
    run = dprobes("flame", *words, "--elf", elf, "--port", "unix:nobody", cwd=tmp_path)
    assert run.status == 1 and said in run.stderr, run
