# SPDX-License-Identifier: BSD-2-Clause
"""The guest of tests/guests/arrival: its timer interrupts at each instruction of a case, and it says what came of it."""
import re

LINE = re.compile(rb"^(\w+) state (\d+) runs (\d+) wrong (\d+) early (\d+) at (\d+) inside (\d+) late (\d+) "
                  rb"done (\d+) lost (\d+)\n", re.M)
# One instruction is 8 ns: a tick is 12500 of them, and QEMU's timers miss none.
CLOCK = ("-icount", "shift=3,sleep=off")


def one_case(board, letter):
    """The numbers of one case, without its state."""
    board.com2.send(letter)
    return [int(number) for number in board.com2.expect(LINE.pattern).groups()[2:]]


def insert(dprobes, line, path, name, points, *options):
    """A program with the same handler at some symbols."""
    path.write_text(f'name = "{name}"\nmodtype = kernel\nmajor = 1\n' + "".join(
        f"offset = {symbol}\nminor = {minor}\n{handler}\n" for minor, (symbol, handler) in enumerate(points)))
    result = dprobes("insert", path, *options, *line)
    assert result.status == 0, result.stderr


def counters(dprobes, line, name):
    """Minor -> counters of a program's probes."""
    found = dprobes("list", name, "--format", "json", *line[:2]).objects()
    return [probe for program in found if program["program"] == name for probe in program["probes"]]
