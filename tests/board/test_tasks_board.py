# SPDX-License-Identifier: BSD-2-Clause
"""dprobes tasks and stack on boards: the tasks of the demo kernel as its own shell prints them, and where they wait. The lists of
another kernel, and lists that change while they are read: tests/wire/test_tasks.py."""
import re

import pytest

import cpus
from harness.paths import built
from harness.qemu import parameters
from harness.rated_line import RatedBoard

BOARDS = parameters(cpus.boards())
ROW = re.compile(r"^ *(?P<id>\d+) (?P<name>\w+) +(?P<priority>\d+) (?P<state>\w+) +(?P<switches>\d+) +\d+ (?P<pc>\w{8,16}) (?P<sp>\w{8,16}) "
                 r"(?P<bytes>\d+)", re.M)
# What each of them does nearly all the time: the kernel's function, and the function that has called it.
WAITS = {"monitor": ("task_sleep_ms", "monitor_main"), "log": ("queue_get", "log_main"), "shell": ("sem_take", "console_get"),
         "echo": ("sem_take", "console_get")}


class Demo:
    def __init__(self, qemu, dprobes, board):
        self.elf = built("boards", board, "demo.elf")
        self.machine = qemu(board, elf=self.elf)
        self.machine.com1.expect("demo>")
        self.machine.com1.send("load off\n")
        self.machine.com1.expect("demo>")
        self.dprobes = dprobes
        while any(self.own()[name]["state"] != "waiting" for name in ("log", "echo")):
            pass  # the tasks have not begun

    def run(self, *words):
        done = self.dprobes(words[0], "--elf", self.elf, "--port", self.machine.url("com2"), *words[1:])
        assert done.status == 0, done
        return done

    def tasks(self):
        return {task["name"]: task for task in self.run("tasks", "--format", "json").objects()}

    def own(self):
        """What the kernel's shell prints of each task."""
        before = len(self.machine.com1.text)
        self.machine.com1.send("ps\n")
        self.machine.com1.expect("demo>")
        return {row["name"]: row.groupdict() for row in ROW.finditer(self.machine.com1.text[before:])}


@pytest.fixture
def demo(qemu, dprobes):
    return lambda board: Demo(qemu, dprobes, board)


@pytest.mark.parametrize("board", BOARDS)
def test_tasks_as_the_kernel_has_them(demo, board):
    """Names, priorities and stacks of all; state and pc of those that have not run between two lists of the shell."""
    there = demo(board)
    before, read, after = there.own(), there.tasks(), there.own()
    assert list(read) == list(before) == list(after) and len(read) >= 8
    for name, task in read.items():
        assert (task["priority"], task["stack_bytes"]) == (int(before[name]["priority"]), int(before[name]["bytes"]))
        assert 0 <= task["stack_left"] < task["stack_bytes"] and task["kernel"] == "the demo kernel of dprobes"
    still = {name for name in read if before[name]["switches"] == after[name]["switches"]}
    assert still >= {"log", "echo"}
    for name in still:
        assert read[name]["state"] == before[name]["state"] and int(read[name]["pc"], 16) == int(before[name]["pc"], 16), name
    assert [name for name, task in read.items() if task["state"] == "running"] == ["agent"]


@pytest.mark.parametrize("board", BOARDS)
def test_where_tasks_wait(demo, board):
    """The function of the kernel and its caller; the stack goes down to the function that each task begins in."""
    there = demo(board)
    read = there.tasks()
    for name, (kernel, caller) in WAITS.items():
        assert re.fullmatch(rf"{kernel} <- {caller}\+0x[0-9a-f]+", read[name]["waits_in"]), read[name]
        stack = there.run("stack", name).stdout
        functions = re.findall(r"^ {14}(\w+)", stack, re.M)
        assert caller in functions and functions[-1] == "task_start", stack
        assert re.search(rf"^ {{14}}{name}_main\+0x\w+ \(\w+\.c:\d+\)$", stack, re.M), stack
    assert re.match(r"agent at 0x\w+: running, .*\n +\[its registers are in the CPU\]\n$", there.run("stack", "agent").stdout)


@pytest.mark.parametrize("board", parameters(cpus.boards(), usual=cpus.boards(1)))
def test_bytes_that_nobody_has_used(demo, board):
    """As the bytes of the stack themselves are, of tasks that do not run meanwhile."""
    there = demo(board)
    read = there.tasks()
    for name in ("log", "echo"):
        stack = there.run("read", "-r", f"{read[name]['stack']},{read[name]['stack_bytes']}", "--format", "json").objects()[0]["value"]
        unused = len(stack) - len(stack.lstrip("0"))
        assert read[name]["stack_left"] == unused // 8 * 4 and read[name]["stack_left"] > 0


TASKS_MS = 2500  # of the board; as many bytes as the stacks have would take three times as long


def test_at_the_usual_rate(qemu, dprobes, tmp_path):
    """At 115200 baud, while the firmware works: the unused bytes of stacks are counted on the target."""
    board = RatedBoard(qemu, dprobes, tmp_path, cpus.boards()[0])
    start = board.figures().ticks
    rows = board.good("tasks", "--elf", board.elf, "--format", "json").objects()
    assert board.figures().ticks - start < TASKS_MS
    assert len(rows) >= 8 and sum(row["stack_left"] for row in rows) > 8000
