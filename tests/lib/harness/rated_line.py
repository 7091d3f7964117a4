# SPDX-License-Identifier: BSD-2-Clause
"""The demo firmware with UARTs that have a rate (boards/demo/uart_rate.h): its shell on com1, dprobes on com2.

All figures are the firmware's own, by the clock of the board. QEMU counts instructions, and the idle task does
not wait while a line has a rate, so the load of the machine changes none of them.
"""
import collections
import re

from . import paths, sweep

BAUD = 115200
CHARACTER_US = 10_000_000 / BAUD
TICK_US = 1000
SENSOR_US = 397  # with the load on
CLOCK = sweep.CLOCK

# What the shell's `line` prints, the monitor perhaps between its lines; late: the longest wait of an interrupt in
# microseconds.
Figures = collections.namedtuple("Figures", "ticks ticks_lost tick_late sensor sensor_lost sensor_late baud com1 com2")
FIGURES = r"(?:monitor: .*\r\n)*".join((
    r"ticks (\d+) lost (\d+) late (\d+) us\r\n", r"sensor (\d+) lost (\d+) late (\d+) us\r\n",
    r"line (\d+) baud overruns com1 (\d+) com2 (\d+)\r\n"))

# Functions with a probe each, the first ones first.
PLACES = ["queue_put", "queue_get", "sensor_isr", "timer_isr", "sched_switch", "sem_take", "sem_give", "sensor_use",
          "crunch_block", "task_sleep_ms"]
EVERY_HIT = "push r, arg0\nlog 1\nexit\n"
# Ten records a second, or fewer, of each probe.
ONE_IN_256 = "inc lv, {0}\npush lv, {0}\npush 255\nand\njnz quiet{0}\npush lv, {0}\nlog 1\nexit\nquiet{0}: abort\n"


def probes(count, handler):
    """A program with as many probes."""
    return f'name = "rated"\nmajor = 9\nvars = {count}\n' + "".join(
        f"offset = {place}\nminor = {n}\n{handler.format(n)}" for n, place in enumerate(PLACES[:count]))


class RatedBoard:
    """A board with a rate on both lines and its workload on."""

    def __init__(self, boot, dprobes, folder, board):
        self.machine = boot(board, extra=CLOCK)
        self.shell = self.machine.com1
        self.tool, self.folder, self.elf = dprobes, folder, paths.built("boards", board, "demo.elf")
        self.options = ["--port", self.machine.url("com2")]
        self.shell.expect("demo> ")
        self.type("load on", "load is on")
        self.clear()

    def type(self, line, answer):
        """Type a line at the shell; the match of the answer."""
        self.shell.send(line + "\r")
        match = self.shell.expect(answer)
        self.shell.expect("demo> ")
        return match

    def clear(self, baud=BAUD):
        """Count from here on."""
        self.type(f"line {baud}", FIGURES)

    def figures(self):
        return Figures(*map(int, self.type("line", FIGURES).groups()))

    def after(self, ticks, use=lambda: None):
        """The figures when so many ticks have gone by since clear(); use() is called meanwhile."""
        while (found := self.figures()).ticks < ticks:
            use()
        return found

    def good(self, *words):
        result = self.tool(*words, *self.options)
        assert result.status == 0, f"{words}: {result.status}: {result.stderr[-2000:]}"
        return result

    def insert(self, source):
        path = self.folder / "rated.dp"
        path.write_text(source)
        self.good("insert", path, "--elf", self.elf)

    def listen(self):
        """dprobes log, when records have come."""
        log = self.tool.start("log", "--elf", self.elf, *self.options)
        log.out.expect("DProbes")
        return log

    def remove(self):
        self.good("remove", "--all")
        self.good("info", "--verify-text", "--elf", self.elf)
