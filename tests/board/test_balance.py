# SPDX-License-Identifier: BSD-2-Clause
"""Entries equal returns and those inside when the count stops, function by function: conditional returns, tail calls,
several returns, cases of a switch, recursion, longjmp, interrupt handlers. tests/guests/balance has the functions.
And a conditional branch is a hit whether it is taken or not."""
import collections
import re
import subprocess

import pytest

from harness import paths, qemu
import sources_mk

ROUNDS = 10000  # 150,000 entries and more
# Instructions of these CPUs have conditions.
CONDITIONAL = [board for board in qemu.board_names()
               if sources_mk.read(str(paths.TOP / "boards" / board))["PORT"] in ("arm", "cortexm")]
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

# Functions with conditional branches to fixed addresses, one of them in an IT block (subjects.S).
CHOOSING = ("subject_own_chooses", "subject_own_selects")
BRANCH = r"bl?(?:eq|ne|cs|cc|hi|ls|ge|lt|gt|le)(?:\.[nw])?|cbn?z"
# The rounds in which those of A32, or of Thumb, are not taken and go on to an add.
PASSED = {2: (lambda x: x & 1, lambda x: x <= 100), 3: (lambda x: x & 1, lambda x: x & 2, lambda x: not x & 4)}
IN_BLOCK = 101  # the first round in which its instructions execute

# A return at a branch has the flag TAKEN; the other probe of the instruction has no flag.
BRANCHES = """
fbt::balance_begin:entry {{ begun = 1; }}
insn::{function}:* /begun/ {{ @hits[pc] = count(); }}
fbt::{function}:return /begun/ {{ @left[pc] = count(); }}
fbt::balance_done:entry {{ exit(0); }}
END {{ printa("\\nhits %x %@d\\n", @hits); printa("\\nleft %x %@d\\n", @left); }}
"""

LINE = """
fbt::balance_begin:entry {{ begun = 1; }}
fbt::subject_decides:entry /begun/ {{ @n["entry"] = count(); }}
balance.c:{line} /begun/ {{ @n["line"] = count(); }}
fbt::subject_decides:return /begun/ {{ @n["return"] = count(); }}
fbt::balance_done:entry {{ exit(0); }}
END {{ printa("\\n%s %@d\\n", @n); }}
"""


def printed(qemu, dprobes, tmp_path, board, program, text, rounds):
    """What the D program prints of so many rounds of the self-test."""
    elf = paths.built("boards", board, program, f"{program}.elf")
    machine = qemu(board, elf=elf)
    machine.com1.expect("demo>")
    (tmp_path / "t.d").write_text(text, encoding="utf-8")
    run = dprobes.start("-q", "--verbose", "-s", tmp_path / "t.d", "--elf", elf, "--port", machine.url("com2"))
    run.err.expect(r"inserted: t as program \d+, \d+ probe\(s\) armed\n")
    machine.com1.send(f"selftest {rounds}\r")
    ended = run.wait()
    assert ended.status == 0, ended.stderr
    return ended.stdout


def counted(qemu, dprobes, tmp_path, board, program, rounds):
    """{function: (entries, returns)}"""
    output = printed(qemu, dprobes, tmp_path, board, program, PROGRAM, rounds)
    found = {way: dict(re.findall(rf"^{way} (\w+) (\d+)$", output, re.M)) for way in ("in", "out")}
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


def disassembled(board, elf):
    """{function: {address: name of the instruction}}"""
    objdump = paths.program(sources_mk.read(str(paths.TOP / "boards" / board))["CROSS"] + "objdump")
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", elf], capture_output=True, text=True, check=True).stdout
    return {name: {int(at, 16): insn for at, insn in re.findall(r"^ *([0-9a-f]+):\t(\S+)", body, re.M)}
            for name, body in re.findall(r"^[0-9a-f]+ <(\w+)>:\n((?:.+\n)+)", text, re.M)}


def in_it_block(names, n):
    """Has the instruction its condition from an IT block?"""
    return any(re.fullmatch("it[te]{0,3}", name) and len(name) > behind
               for behind, name in enumerate(reversed(names[max(0, n - 4):n]), 1))


def check_branches(code, output, rounds):
    """A branch is hit as often as the instruction before it, and the function is left as often as its branch is taken. In an IT
    block a branch is hit when it executes."""
    hits, left = (collections.Counter({int(at, 16) & ~1: int(count) for at, count in re.findall(
        rf"^{what} ([0-9a-f]+) (\d+)$", output, re.M)}) for what in ("hits", "left"))
    names, count = list(code.values()), [hits[at] for at in code]
    told = list(zip(names, count))
    branches = [n for n, name in enumerate(names) if re.fullmatch(BRANCH, name) and not in_it_block(names, n)]
    assert [count[n] for n in branches] == [3 * rounds] + 4 * [rounds] and count[0] == rounds, told
    assert all(count[n - 1] == count[n] for n in branches), told
    passed = [count[n + 1] for n in branches[1:-1] if names[n + 1].startswith("add")]
    assert passed == [sum(bool(reaches(x)) for x in range(rounds)) for reaches in PASSED[len(passed)]], told
    assert all(count[n] == rounds - IN_BLOCK for n in range(len(names)) if in_it_block(names, n)), told
    taken, not_taken = (left[list(code)[branches[-1] + further]] for further in (0, 1))
    assert taken > 0 and taken + not_taken == rounds == sum(left.values()) and not_taken == count[branches[-1] + 1], (told, left)


# proves: P4.1 P4.13
@pytest.mark.parametrize("board", qemu.parameters(CONDITIONAL))
def test_conditional_branches(qemu, dprobes, tmp_path, board, amount):
    rounds = amount(ROUNDS // 20, ROUNDS)
    code = disassembled(board, paths.built("boards", board, "balance", "balance.elf"))
    functions = [name for name in CHOOSING if name in code]
    assert functions
    for name in functions:
        check_branches(code[name], printed(qemu, dprobes, tmp_path, board, "balance", BRANCHES.format(function=name), rounds), rounds)


@pytest.mark.parametrize("board", qemu.parameters(qemu.board_names()))
def test_line_of_an_if(qemu, dprobes, tmp_path, board, amount):
    """The line is counted once a call, also where its first instruction is the branch."""
    rounds = amount(ROUNDS // 20, ROUNDS)
    elf = paths.built("boards", board, "balance", "balance.elf")
    lines = (paths.TESTS / "guests" / "balance" / "balance.c").read_text(encoding="utf-8").splitlines()
    line = lines.index("\tif (low) {") + 1
    if board in CONDITIONAL:
        listed = dprobes("-l", f"balance.c:{line}", "--elf", elf)
        address, = re.findall(r":\d+ 0x([0-9a-f]+) ", listed.stdout)
        assert re.fullmatch(BRANCH, disassembled(board, elf)["subject_decides"][int(address, 16) & ~1])
    output = printed(qemu, dprobes, tmp_path, board, "balance", LINE.format(line=line), rounds)
    assert dict(re.findall(r"^(entry|line|return) (\d+)$", output, re.M)) == dict.fromkeys(("entry", "line", "return"), str(rounds))
