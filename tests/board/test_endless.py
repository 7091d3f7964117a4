# SPDX-License-Identifier: BSD-2-Clause
"""Programs that would never end, in interrupt handlers of boards whose lines have a rate: each is disabled after eight hits
that used up their budget, the firmware goes on, and the text is the original again. By the firmware's own clock, so that the
load of the machine changes nothing. In a process: test_agent_hits.c."""
import re

import pytest

import cpus
from harness import process, rated_line as rated
from harness.demo_bench import CRC
from harness.qemu import parameters

OVERRUNS = 8  # in a row, after which a probe is disabled: DP_OVERRUNS_MAX of agent/dp_config.h
STATE = "disabled: step budget"
SENTENCE = "a probe was disabled"
# What each does in a hit, until the hit has used up its 4096 steps, or 32 nested calls.
PROGRAMS = {
    "jumps": "again: jmp again",
    "counts": "push -1\nagain: loop again\nabort",
    "recursion": "call f\nexit\nproc f\ncall f\ncall f\nret\nendproc",
    "memory": "again: push 0\npop lp\npush {text}\npush 500\nxchg\nlog mrf\njmp again",
    "traces": "again: push 0\npush 2\ntrace lv\nlog st\npurge st\njmp again",
    "retries": "sx again\nagain: sx again\npush 1\npush 0\ndiv\nabort",
    "raises": "sx again\npush 1\npush 0\ndiv\nabort\nagain: sx again\nrx\nabort",
}
USUAL = ["jumps", "recursion", "retries"]
HEAD = 'name = "endless"\nmajor = 8\nvars = 2\njmpmax = 65535\nlogmax = 512\noffset = {place}\nminor = 1\n'
# An overrun takes about two milliseconds at most: a tick waits for it, and sensor interrupts are lost.
OVERRUN_US, LOST_EACH = 2000, 5
# Overruns that an interrupt waits for, where it is more than one: the sensor interrupts again within an overrun, and malta
# serves the sensor before the tick.
WAITS = {board: waits or OVERRUNS for row in cpus.rows() for board, waits in row.overruns_waited.items()}
QUIET_LATE_US, TICK_US = 200, 1000


class Board(rated.RatedBoard):
    def file(self, name, place):
        path = self.folder / "endless.dp"
        path.write_text(HEAD.format(place=place) + PROGRAMS[name].format(text="queue_put") + "\n")
        return path

    def probe(self):
        program, = self.good("list", "--format", "json").objects()
        probe, = program["probes"]
        return probe

    def is_disabled(self, name, place, waits):
        """The program is installed, disabled and removed; meanwhile the firmware's clock goes on."""
        self.clear()
        self.good("insert", self.file(name, place), "--elf", self.elf)
        process.eventually(lambda: self.probe()["state"] == STATE, f"{name} at {place}: {STATE}")
        probe = self.probe()
        assert (probe["hits"], probe["overruns"]) == (OVERRUNS, OVERRUNS), f"{name} at {place}: {probe}"
        self.good("info", "--verify-text", "--elf", self.elf)  # the trap is gone with the probe
        figures = self.figures()
        print(f"{name} at {place}: {figures}")
        late_us = OVERRUN_US * waits
        assert figures.ticks_lost <= max(OVERRUNS, late_us // TICK_US), f"{name} at {place}: {figures}"
        assert figures.sensor_lost <= OVERRUNS * LOST_EACH, f"{name} at {place}: {figures}"
        assert max(figures.tick_late, figures.sensor_late) <= late_us, f"{name} at {place}: {figures}"
        self.remove()

    def is_undisturbed(self):
        self.type("selftest 1", f"crc {CRC[1]}")
        self.clear()
        figures = self.after(50)
        assert (figures.ticks_lost, figures.sensor_lost) == (0, 0), figures
        assert max(figures.tick_late, figures.sensor_late) <= QUIET_LATE_US, figures

    def says_so(self, name, place):
        """A listening host gets the records of the hits that ended, and the notice."""
        running = self.tool.start("run", self.file(name, place), "--elf", self.elf, *self.options)
        running.err.expect(rf"notice: {SENTENCE}.*: probe \d+\n")
        run = running.interrupt()
        assert run.status == 130, run.stderr
        assert len(re.findall(r"^DProbes\(8,1\).*step budget", run.stdout, re.M)) == OVERRUNS, run.stdout
        assert re.search(rf"^hits: endless minor 1 at .*: {OVERRUNS}$", run.stdout, re.M), run.stdout


@pytest.mark.parametrize("board", parameters(cpus.code_boards(), usual=cpus.boards(1)))
def test_endless_programs(qemu, dprobes, tmp_path, amount, board):
    it = Board(qemu, dprobes, tmp_path, board)
    for n, name in enumerate(amount(USUAL, PROGRAMS)):
        for place in amount(["timer_isr", "sensor_isr"][n % 2:][:1], ["timer_isr", "sensor_isr"]):
            it.is_disabled(name, place, WAITS.get(board, 1))
    it.says_so("jumps", "timer_isr")
    it.is_undisturbed()
    it.remove()
