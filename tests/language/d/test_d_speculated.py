# SPDX-License-Identifier: BSD-2-Clause
"""Speculations of D on boards: what is committed comes, each record once and in order, and nothing else. Over a noisy line
too, in synchronous mode, and in a capture."""
import json

import pytest

import cpus
from harness import paths
from harness.noisyline import NoisyLine
from harness.qemu import parameters

BOARDS = cpus.boards()
# Calls of queue_put by the sensor's interrupt; every second one is committed, in two records. The first call may return
# before the probes of the returns are armed.
EVERY_SECOND = """queue_put:entry /q == &sensor_queue/ { discard(s); }
queue_put:entry /q == &sensor_queue/ { s = speculation(); }
queue_put:entry /s/ { speculate(s); printf("in %d", n); }
queue_put:return /s/ { speculate(s); printf("out %d", n); }
queue_put:return /s && n % 2/ { commit(s); }
queue_put:return /s && n % 2 == 0/ { discard(s); }
queue_put:return /s/ { s = 0; n++; }
"""
# All records of the counter, at once and through a speculation.
PLAIN = 'timer_isr:entry { printf("%d %d", n, n * n); n++; }'
COMMITTED = """timer_isr:entry { s = speculation(); }
timer_isr:entry { speculate(s); printf("%d %d", n, n * n); n++; }
timer_isr:entry { commit(s); }
"""


@pytest.fixture
def board(request, qemu, dprobes, tmp_path):
    """Runs the tool on the board's line; noise: over a noisy one."""
    machine = qemu(request.param).free_when_up()
    elf = paths.built("boards", request.param, "demo.elf")
    lines = []

    def run(*words, noise=None):
        url = machine.url("com1")
        if noise:
            lines.append(NoisyLine(tmp_path / "line", machine.path("com1"), request.param, noise, noise))
            url = lines[-1].url
        return dprobes(*words, "--quiet", env={"DPROBES_PORT": url, "DPROBES_ELF": str(elf)})

    assert run("info").status == 0
    yield run
    for line in lines:
        assert sum(line.damage.values()) > 0, "the line was not noisy"
        line.close()


def texts(run):
    return [row["text"] for row in map(json.loads, run.stdout.splitlines()) if row["kind"] == "log"]


def pairs(count, first=1):
    return [f"{word} {n}" for n in range(first, first + 2 * count, 2) for word in ("in", "out")]


@pytest.mark.parametrize("board", BOARDS, indirect=True)
def test_every_second_call(board, tmp_path):
    for words in ((), ("--log-mode", "synchronous")):
        found = board("-n", EVERY_SECOND, "--count", 12, "--format", "json", *words)
        assert found.status == 0 and texts(found) == pairs(6), found.stderr
    full = board("-x", "specsize=64", "-n", "timer_isr:entry /n == 0/ { s = speculation(); }\n"
                 'timer_isr:entry { speculate(s); printf("%d", n++); }\ntimer_isr:entry /n == 20/ { commit(s); }\n'
                 "timer_isr:entry /n == 40/ { exit(0); }", "-q")
    assert full.status == 5 and full.stdout == "012", full.stdout
    assert "speculation: 17 record(s) dropped: no room was left in the buffer" in full.stdout + full.stderr
    assert board("list").stdout == ""


@pytest.mark.parametrize("board", parameters(BOARDS, usual=cpus.boards(1)), indirect=True)
def test_commit_of_everything_is_the_plain_program(board, amount):
    """Each record that is not told as dropped comes, as without the speculation. On a busy machine the board's timer fires faster
    than the line sends: no buffer may be free then."""
    count = amount(200, 5000)
    plain = texts(board("-n", PLAIN, "--count", count, "--format", "json"))
    assert plain == [f"{n} {n * n}" for n in range(count)]
    run = board("-x", "nspec=16", "-n", COMMITTED, "--count", count, "--format", "json")
    told = sum(row["count"] for row in map(json.loads, run.stdout.splitlines()) if row["kind"].startswith("speculation_"))
    numbers = [int(text.split()[0]) for text in texts(run)]
    assert texts(run) == [f"{n} {n * n}" for n in numbers] and numbers == sorted(set(numbers)) and len(numbers) == count
    assert numbers[-1] + 1 - count <= told and (run.status, told > 0) in ((0, False), (5, True)), (numbers, told, run.stderr)


@pytest.mark.parametrize("board", parameters(BOARDS, usual=cpus.boards(1)), indirect=True)
def test_noise(board, amount):
    """One bit in ten thousand is wrong: what is missing comes again."""
    count = amount(60, 2000)
    found = board("-x", "nspec=4", "-n", EVERY_SECOND, "--count", count, "--format", "json", noise={"flip": 8e-4})
    assert found.status == 0 and texts(found) == pairs(count // 2), found.stderr


@pytest.mark.parametrize("board", cpus.boards(1), indirect=True)
def test_capture(board, dprobes, tmp_path):
    capture = tmp_path / "run.dpcap"
    live = board("-n", EVERY_SECOND, "--count", 8, "--record", capture)
    assert live.status == 0, live.stderr
    assert texts(dprobes("report", capture, "--format", "json", "--quiet")) == pairs(4)
