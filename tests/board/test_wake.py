# SPDX-License-Identifier: BSD-2-Clause
"""A request wakes the agent's task on a board. That one burst wakes once: woken() of tests/agent/test_agent_line.c."""
import re

from harness.paths import built

LISTS = 5
TURNS = 3  # of a list, at least: each begins a burst
PROGRAM = "name = w\noffset = agent_wake\nminor = 1\nexit\n"


# proves: A3.32
def test_requests_wake(qemu, dprobes, tmp_path):
    machine = qemu("vexpress-a9").free_when_up()
    (tmp_path / "w.dp").write_text(PROGRAM)
    port = ("--port", machine.url("com1"), "--elf", built("boards", "vexpress-a9", "demo.elf"))
    assert dprobes("insert", tmp_path / "w.dp", *port).status == 0

    def hits():
        run = dprobes("list", *port)
        return int(re.search(r"minor 1 .*armed, (\d+) hit", run.stdout).group(1))

    wakes = [hits() for _ in range(LISTS)]
    assert all(after - before >= TURNS for before, after in zip(wakes, wakes[1:])), wakes
