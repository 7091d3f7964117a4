# SPDX-License-Identifier: BSD-2-Clause
"""Entries equal returns and those inside when the count stops, function by function: conditional returns, tail calls,
several returns, cases of a switch, recursion, longjmp, interrupt handlers. tests/guests/balance has the functions."""
import re

import pytest

from harness import paths, qemu

ROUNDS = 10000  # 150,000 entries and more
# subject_inside calls itself three times, and the innermost one stops the count.
INSIDE = {"subject_inside": 4}
INTERRUPTS = {"timer_isr", "sensor_isr"}
JUMPS = {"setjmp", "longjmp"}
# Functions that others call, too: any number of entries.
CALLED = {"subject_leaf", "subject_recursion", "subject_inside", "subject_own_near", "subject_own_close", "longjmp", *INTERRUPTS}
FUNCTIONS = ["subject_*", *sorted(INTERRUPTS | JUMPS)]

PROGRAM = f"""
fbt::balance_begin:entry {{ begun = 1; }}
{", ".join(f"fbt::{name}:entry" for name in FUNCTIONS)} /begun/ {{ @in[probefunc] = count(); }}
{", ".join(f"fbt::{name}:return" for name in FUNCTIONS)} /begun/ {{ @out[probefunc] = count(); }}
fbt::balance_done:entry {{ exit(0); }}
END {{ printa("\\nin %s %@d\\n", @in); printa("\\nout %s %@d\\n", @out); }}
"""


def counted(qemu, dprobes, tmp_path, board, program, rounds):
    """{function: (entries, returns)}"""
    elf = paths.built("boards", board, program, f"{program}.elf")
    machine = qemu(board, elf=elf)
    machine.com1.expect("demo>")
    (tmp_path / "t.d").write_text(PROGRAM, encoding="utf-8")
    run = dprobes.start("-q", "--verbose", "-s", tmp_path / "t.d", "--elf", elf, "--port", machine.url("com2"))
    run.err.expect(r"inserted: t as program \d+, \d+ probe\(s\) armed\n")
    machine.com1.send(f"selftest {rounds}\r")
    ended = run.wait()
    assert ended.status == 0, ended.stderr
    found = {way: dict(re.findall(rf"^{way} (\w+) (\d+)$", ended.stdout, re.M)) for way in ("in", "out")}
    return {name: (int(entries), int(found["out"].get(name, 0))) for name, entries in found["in"].items()}


# proves: P4.1 P4.13
@pytest.mark.parametrize("board", qemu.board_names())
def test_returns(qemu, dprobes, tmp_path, board, amount):
    rounds = amount(ROUNDS // 10, ROUNDS)
    found = counted(qemu, dprobes, tmp_path, board, "balance", rounds)
    inside = {**INSIDE, "subject_leaps": rounds // 2}  # every other call leaves by longjmp
    assert {name: entries - returns for name, (entries, returns) in found.items() if entries != returns} == inside
    assert {name for name, (entries, _) in found.items() if entries != rounds} <= CALLED, found
    assert INTERRUPTS | JUMPS <= set(found) and found["longjmp"][0] == rounds // 2
    assert sum(entries for entries, _ in found.values()) > 10 * rounds


@pytest.mark.parametrize("board", qemu.board_names())
def test_returns_that_are_none(qemu, dprobes, tmp_path, board):
    """A port that takes every branch for taken: the count notices at each function with a conditional way out."""
    found = counted(qemu, dprobes, tmp_path, board, "balance-true", ROUNDS // 20)
    more = {name for name, (entries, returns) in found.items() if returns > entries}
    assert more and all(name.startswith("subject_own_") for name in more), found
