# SPDX-License-Identifier: BSD-2-Clause
"""Static hooks of the demo kernel on boards: the kernel that is built with DEMO_HOOKS. agent/guide/hooks.md"""
import json
import re
import subprocess

import pytest

import cpus
from harness import paths

# One board a CPU. The first one has an agent that may write.
FIRST, *OTHERS = cpus.hooked_boards()
BOARDS = [FIRST, *(pytest.param(board, marks=pytest.mark.nightly) for board in OTHERS)]

# The variables of queue_put by their debug information, beside the arguments by the note.
SAME = """
queue:::send { @same[args[0] == q, args[1] == m, args[2] == q->count, args[0]->name == q->name] = count(); @sent = count(); }
queue_put:entry { @entered = count(); }
timer_isr:entry { timers++; }
isr:::tick { @tick = max(args[0]); }
isr:::tick /last && timers < 50/ { @step[timers - last] = count(); }
isr:::tick { last = timers; }
sched:::on-cpu { @switched[args[1]] = count(); }
"""


@pytest.fixture
def demo(qemu, dprobes, request, tmp_path):
    """Start the hooked kernel of a board: ask(...) is dprobes on its line, and type(line, pattern) its shell."""
    def start(board):
        elf = paths.built("boards", board, "hooks", "hooks.elf")
        machine = qemu(board, elf=elf, hold=("com1",))
        machine.com1.expect("demo>")

        def ask(*words, **options):
            return dprobes(*words, "--port", machine.url("com2"), "--elf", elf, cwd=tmp_path, **options)

        def type_(line, pattern):
            machine.com1.send(line + "\n")
            return machine.com1.expect(pattern)

        return ask, type_, elf

    return start


def readelf(elf):
    return subprocess.run([paths.program("readelf"), "-nW", elf], capture_output=True, text=True, check=True).stdout


def value(ask, address):
    """The two bytes at the address."""
    read = ask("read", f"*(unsigned short *){address:#x}", "--format", "json")
    assert read.status == 0, read.stderr
    return int(json.loads(read.stdout)["text"])


@pytest.mark.parametrize("board", BOARDS)
def test_arguments(demo, tmp_path, board):
    """Each argument of a hook is the variable that the source gives it, at each hit; the tick is what the kernel prints."""
    ask, type_, _elf = demo(board)
    before = int(type_("stats", r"tick (\d+) ")[1])
    (tmp_path / "p.d").write_text(SAME + "tick-1s { exit(0); }\n")
    run = ask("trace", "p.d", "-q", "--format", "json")
    assert run.status == 0, run.stderr
    after = int(type_("stats", r"tick (\d+) ")[1])
    rows = {}
    for line in run.stdout.splitlines():
        row = json.loads(line)
        if row.get("kind") == "aggregation":
            rows.setdefault(row["name"], []).append(row)
    assert [row["keys"] for row in rows["same"]] == [["1", "1", "1", "1"]], rows["same"]
    (sent,), (entered,) = ([row["value"] for row in rows[name]] for name in ("sent", "entered"))
    assert abs(sent - entered) <= 2 and entered > 10, (sent, entered)  # points are armed and disarmed one after the other
    tick, = [row["value"] for row in rows["tick"]]
    # One hook in each interrupt, from the first one that both points have seen.
    assert before < tick < after and [row["keys"] for row in rows["step"]] == [["1"]] and rows["step"][0]["value"] > 10, rows["step"]
    assert {"idle", "sensor"} <= {row["keys"][0] for row in rows["switched"]}
    (tmp_path / "p.dp").write_text('name = "p"\nhook = queue:send\npush arg, 0\nlog 1\nexit\n')
    rpn = ask("run", "p.dp", "--count", 3, "--format", "json")
    assert rpn.status == 0, rpn.stderr
    records = [row for row in map(json.loads, rpn.stdout.splitlines()) if row["kind"] == "log"]
    assert len(records) == 3 and all(row["word_texts"][0] in ("sensor_queue", "result_queue") for row in records), records


def test_semaphore(demo, tmp_path):
    """A hook that the firmware asks about counts its programs, and is passed while there is one; without --write nothing counts."""
    ask, _type, elf = demo(FIRST)
    hook, = [json.loads(line) for line in ask("-l", "sdt:::sum", "--format", "json").stdout.splitlines()]
    assert hook["probe"] == "queue:hooks:queue_put:sum"
    semaphore = int(re.search(r"Name: sum\s+Location: \S+, Base: \S+, Semaphore: (0x[0-9a-f]+)", readelf(elf))[1], 16)
    silent = ask("-n", "queue:::sum { @ = count(); } tick-300ms { exit(0); }", "-q")
    assert silent.status == 0 and "does not answer" in silent.stderr and not re.search(r"[1-9]", silent.stdout), silent
    (tmp_path / "a.d").write_text("queue:::sum { trace(args[1] == args[2]); }\n")
    (tmp_path / "b.dp").write_text('name = "b"\nhook = queue:sum\npush arg, 1\npush arg, 2\nlog 2\nexit\n')
    counts = [value(ask, semaphore)]
    for words in (("insert", "a.d", "--write"), ("insert", "b.dp", "--write"), ("remove", "a"), ("remove", "b")):
        done = ask(*words)
        assert done.status == 0, done.stderr
        counts.append(value(ask, semaphore))
    assert counts == [0, 1, 2, 1, 0]
    run = ask("-n", "queue:::sum { @[args[1] == args[2]] = count(); } tick-300ms { exit(0); }", "-q", "--write")
    assert run.status == 0 and re.fullmatch(r"\s*1 +[1-9]\d*\s*", run.stdout), run
    assert value(ask, semaphore) == 0
