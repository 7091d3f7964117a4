# SPDX-License-Identifier: BSD-2-Clause
"""Timers of D on boards: the demo kernel calls dprobes_sample in each interrupt of its timer, and polls in a task."""
import json
import re

import pytest

import cpus
from harness.paths import built
from harness.qemu import parameters

BOARDS = parameters(cpus.boards())
TICK_HZ = 1000  # boards/demo/kernel.h


@pytest.fixture
def ask(qemu, dprobes):
    """Starts the demo without its load, and runs the tool on its second line."""
    def start(board):
        machine = qemu(board)
        machine.com1.expect("demo>")
        machine.com1.send("load off\n")
        machine.com1.expect("demo>")

        def run(*words):
            return dprobes(*words, "--port", machine.url("com2"), "--elf", built("boards", board, "demo.elf"))

        run.machine = machine
        return run
    return start


def objects(found, kind):
    return [row for row in map(json.loads, found.stdout.splitlines()) if row["kind"] == kind]


@pytest.mark.parametrize("board", BOARDS)
def test_each_rate_is_its_share_of_the_interrupts(ask, board):
    """In one run: the timer that samples at each interrupt counts them for the others. Every period that a sample missed in a
    hit is counted as missed."""
    run = ask(board)
    info, = run("info", "--format", "json").objects()
    assert info["sample_hz"] == TICK_HZ and info["timers"] == info["timers_free"] >= 4
    rates = [1000, 500, 97, 7]
    clauses = "".join(f"profile-{rate} {{ @[probename] = count(); }}\n" for rate in rates)
    found = run("-n", clauses + "profile-1000 { n++; }\nprofile-1000 /n == 1000/ { exit(0); }", "-q", "--format", "json")
    assert found.status == 0, found.stderr
    counts = {row["keys"][0]: row["value"] for row in objects(found, "aggregation")}
    for rate in rates:
        assert rate - 1 <= counts[f"profile-{rate}"] <= rate + 1, counts


@pytest.mark.parametrize("board", BOARDS)
def test_the_samples_lie_in_functions_that_run(ask, board):
    """An idle kernel waits: most samples are of the idle task, in its function. Each pc is one of the firmware's text."""
    run = ask(board)
    found = run("-n", "profile-97 { @[func(arg0), execname] = count(); n++; }\nprofile-97 /n == 60/ { exit(0); }", "-q", "--format", "json")
    assert found.status == 0, found.stderr
    counts = {tuple(row["keys"]): row["value"] for row in objects(found, "aggregation")}
    assert sum(counts.values()) == 60 and all(re.fullmatch(r"[A-Za-z_]\w*", function) for function, _ in counts), counts
    idle = sum(count for (function, task), count in counts.items() if task == "idle")
    assert idle > 30, counts


@pytest.mark.parametrize("board", BOARDS)
def test_the_stack_of_a_sample(ask, board):
    """The host goes from the interrupted pc to the outermost function by sp and the return address alone."""
    run = ask(board)
    found = run("-n", 'profile-97 /execname == "idle"/ { stack(3); exit(0); }', "-q")
    assert found.status == 0, found.stderr
    first, second = re.findall(r"^ {14}(\w+)\S* ", found.stdout, re.M)[:2]
    assert "idle_main" in (first, second), found.stdout


@pytest.mark.parametrize("board", BOARDS)
def test_tick(ask, board):
    """The ticks come in order, each about its period behind the one before, and print what was counted in between."""
    run = ask(board)
    found = run("-n", 'sched_switch:entry { @ = count(); }\ntick-100ms { t = timestamp; printf("%d ms ", (t - last) / 1000000); last = t; n++; '
                'printa("%@d|", @); clear(@); }\ntick-100ms /n == 5/ { exit(0); }', "-q")
    assert found.status == 0, found.stderr
    ticks = re.findall(r"(\d+) ms (\d+)\|", found.stdout)
    assert len(ticks) == 5, found.stdout
    assert 380 <= sum(int(after) for after, _ in ticks[1:]) <= 480, ticks
    assert all(int(count) > 0 for _, count in ticks), ticks
    assert run("list").stdout == ""
