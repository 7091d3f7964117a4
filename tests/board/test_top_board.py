# SPDX-License-Identifier: BSD-2-Clause
"""dprobes top on boards: its functions, lines and tasks. The shares of functions against the instructions that the CPU has really
executed, counted by shares_plugin.c. Formats, refusals and ends: tests/wire/test_top.py."""
import json
import math
import re
import subprocess

import pytest

import cpus
import icount
import sources_mk
from harness import sweep
from harness.paths import TOP, built, program
from harness.qemu import parameters

# What the two tasks of the load do nearly all the time. Functions inlined into these have rows of their own.
LOAD = {"checksum_words": ("checksum_words", "step"), "crunch_block": ("crunch_block",)}
MARKS = {"arm": "dp_timer_arm", "disarm": "dp_timer_disarm"}  # of the agent, at the begin and the end of the run
DEVIATIONS = 4.5  # of a count of samples: one test in 100000 is wrong by chance


class Demo:
    def __init__(self, qemu, dprobes, board, extra=()):
        self.elf = built("boards", board, "demo.elf")
        self.machine = qemu(board, extra=(*sweep.CLOCK, *extra)).free_when_up()
        self.env = {"DPROBES_PORT": self.machine.url("com1"), "DPROBES_ELF": str(self.elf)}
        self.dprobes = dprobes

    def run(self, *words, stdin=None):
        done = self.dprobes(*words, env=self.env, stdin=stdin)
        assert done.status == 0, done.stderr
        return done

    def load(self, state):
        self.run("console", "--until", f"load is {state}", stdin=f"load {state}\n")

    def top(self, *words, least=400):
        """The table of a run that has at least so many samples: a busy machine takes longer for them."""
        running = self.dprobes.start("top", "--live", "--rate", "997", "--format", "json", *words, env=self.env)
        running.out.until(lambda text: "\n" in text and json.loads(text[:text.rindex("\n")].splitlines()[-1])["total"] >= least)
        done = running.interrupt()
        assert done.status == 130, done
        return done.objects()[-1]


def shares_plugin(board, out):
    """The arguments for QEMU: the load's functions are counted up to each mark."""
    elf = built("boards", board, "demo.elf")
    places, names = icount.functions(elf), icount.symbols(elf)
    ends = {name: end for (_, name), (end, _) in zip(places, places[1:])}
    parts = [f"{built('tools', 'shares_plugin.so')}", f"out={out}"]
    parts += [f"mark={names[name]:x}" for name in MARKS.values()]
    parts += [f"range={name}:{names[name]:x}:{ends[name]:x}" for name in LOAD]
    return ["-plugin", ",".join(parts)]


def executed(board, out):
    """function: instructions between the last arming of a timer and the first disarming behind it."""
    names = icount.symbols(built("boards", board, "demo.elf"))
    rows = []
    for line in out.read_text(encoding="utf-8").splitlines():
        mark, *counts = line.split()
        rows.append((int(mark, 16), {name: int(count) for name, count in (part.split("=") for part in counts)}))
    first = max(i for i, (mark, _) in enumerate(rows) if mark == names[MARKS["arm"]])
    last = next(i for i, (mark, _) in enumerate(rows) if i > first and mark == names[MARKS["disarm"]])
    return {name: rows[last][1][name] - rows[first][1][name] for name in LOAD}


@pytest.mark.parametrize("board", parameters(cpus.boards(), usual=cpus.boards(1)))
def test_shares(qemu, dprobes, tmp_path, board):
    """Of the samples in the functions of the load, each has the share of the instructions that it really executed: QEMU gives each
    instruction the same time. What interrupts see less, the agent and the kernel's tick, is left out of both."""
    out = tmp_path / "shares"
    demo = Demo(qemu, dprobes, board, shares_plugin(board, out))
    demo.load("on")
    table = demo.top(least=1500)
    truth = executed(board, out)
    samples = {name: sum(row["samples"] for row in table["rows"] if row["function"] in parts) for name, parts in LOAD.items()}
    count = sum(samples.values())
    assert count > table["total"] / 2 and min(truth.values()) > 0, (table, truth)
    for name in LOAD:
        share = truth[name] / sum(truth.values())
        deviation = math.sqrt(count * share * (1 - share))
        assert abs(samples[name] - count * share) <= DEVIATIONS * deviation, (name, samples, truth)
    assert demo.run("list").stdout == ""


@pytest.mark.parametrize("board", parameters(cpus.boards()))
def test_rows(qemu, dprobes, board):
    """Without load the idle task waits, and with load the two tasks of it compute. Each line is of its function."""
    demo = Demo(qemu, dprobes, board)
    idle = demo.top("--by-task")
    assert idle["rows"][0]["task"] == "idle" and idle["rows"][0]["percent"] > 50, idle
    demo.load("on")
    rows = demo.top("--by-task")["rows"]
    assert {row["task"] for row in rows if row["function"] == "checksum_words"} >= {"crunch0", "crunch1"}, rows
    lines = demo.top("--lines")
    assert len({(row["function"], row.get("file"), row.get("line")) for row in lines["rows"]}) == len(lines["rows"])
    found = {row["line"] for row in lines["rows"] if row["function"] == "checksum_words"}
    assert len(found) > 1 and all(row["file"].endswith("checksum.c") for row in lines["rows"] if row["function"] == "checksum_words")
    text = demo.run("top", "--for", "2s", "--top", "3").stdout
    assert re.search(r"^97 samples/s for \d+\.\d s: \d+ samples, 0 lost\n SHARE  SAMPLES  FUNCTION +LINE\n", text), text
    hottest, = re.findall(r"^ *\d+\.\d% +\d+  checksum_words +checksum\.c:(\d+)$", text, re.M)
    assert int(hottest) in found and len(text.splitlines()) <= 5, text


@pytest.mark.parametrize("board", cpus.boards())
def test_without_an_elf_file(qemu, dprobes, tmp_path, board):
    """A program that stands in the command line is compiled for the CPU of the target. With a list of symbols, or an ELF file without
    debug information, top has the functions of the samples, and the firmware tells the names of its tasks; so has sym() with the file."""
    elf, listed, stripped = built("boards", board, "demo.elf"), tmp_path / "System.map", tmp_path / "stripped.elf"
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    listed.write_text(subprocess.run([program(cross + "nm"), "-n", elf], check=True, capture_output=True, text=True).stdout)
    subprocess.run([program(cross + "objcopy"), "--strip-debug", elf, stripped], check=True)
    url = qemu(board, extra=sweep.CLOCK).free_when_up().url("com1")
    found = dprobes("-n", "profile-97 { @[execname] = count(); }", "--for", "500ms", "--port", url, "--format", "json")
    rows = [row for row in found.objects() if row["kind"] == "aggregation"]
    assert found.status == 0 and sum(row["value"] for row in rows) > 10 and all(row["keys"][0].isalnum() for row in rows), found
    for symbols in (listed, stripped):
        found = dprobes("top", "--by-task", "--sym", symbols, "--for", "500ms", "--port", url, "--format", "json")
        table, = found.objects()
        assert found.status == 0 and table["total"] > 10, found
        functions = {row["function"] for row in table["rows"]} - icount.symbols(elf).keys()
        assert not functions and table["rows"][0]["task"] == "idle", found
    found = dprobes("-n", "profile-97 { @[sym(arg0)] = count(); }", "--sym", stripped, "--for", "500ms", "--port", url, "--format", "json")
    rows = [row for row in found.objects() if row["kind"] == "aggregation"]
    assert found.status == 0 and rows and {row["keys"][0] for row in rows} <= icount.symbols(elf).keys(), found
