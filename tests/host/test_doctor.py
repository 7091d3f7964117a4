# SPDX-License-Identifier: BSD-2-Clause
"""dprobes doctor: a board in good order has nothing wrong, and each mistake of an integration is found.

The mistakes are those of lib/target/sim_target.c (--broken); the good order is the demo firmware's too.
"""
import re

import pytest

from harness import paths

GUIDE = (paths.TOP / "agent" / "README.md").read_text(encoding="utf-8")
CHECKS = re.findall(r'^CHECK\(\w+, "(.*)", "(.*)"\)$', (paths.TOP / "host/command/doctor_checks.def").read_text(
    encoding="ascii"), re.M)
WORKS = ("--hits", 50, "--console", 50)


def examine(dprobes, target, *words, com="com1"):
    """(status, {check: (state, sentence)}, the whole report)"""
    run = dprobes("doctor", "--port", target.url(com), *words)
    found = re.findall(r"^(ok|wrong|not known) +([^:]+): (.*)$", run.stdout, re.M)
    return run.status, {what: (state, text) for state, what, text in found}, run.stdout + run.stderr


def test_sections_exist():
    assert CHECKS
    for _, section in CHECKS:
        assert re.search(rf"^(\*\*|## |### ){re.escape(section)}", GUIDE, re.M), section


def test_a_good_target(sim_target, dprobes):
    target = sim_target(*WORKS)
    status, found, text = examine(dprobes, target, "--sym", target.map, "--probe", "hot")
    assert status == 0 and "wrong" not in text, text
    for what in ("bytes both ways", "hello", "hit path not probeable", "vectors, slots and caches", "probe counted",
                 "ranges", "time", "console text whole"):
        assert found[what][0] == "ok", text
    assert target.text_is_original()


# What is broken -> the check that finds it, and words of its sentence.
MISTAKES = {
    "time": ("time", "stands still"),
    "ranges": ("ranges", "0x20000000"),
    "vectors": ("vectors, slots and caches", "the first hit did not return"),
    "console": ("console text whole", "torn line"),
}


# proves: A6.1
@pytest.mark.parametrize("broken", MISTAKES)
def test_a_mistake(broken, sim_target, dprobes):
    target = sim_target(*WORKS, "--broken", broken)
    status, found, text = examine(dprobes, target, "--sym", target.map, "--probe", "hot")
    what, words = MISTAKES[broken]
    assert status == 6 and found[what][0] == "wrong" and words in found[what][1], text
    assert [check for check, (state, _) in found.items() if state == "wrong"] == [what], text
    assert f'section "{dict(CHECKS)[what]}"' in text


def test_without_a_function(sim_target, dprobes):
    status, found, text = examine(dprobes, sim_target(*WORKS))
    assert status == 0 and found["probe counted"] == ("not known", "name a function that is called often with --probe"), text


def test_no_target(dprobes):
    run = dprobes("doctor", "--port", "exec:cat")
    assert run.status == 3 and "wrong      bytes both ways: " in run.stdout, run.stdout + run.stderr


@pytest.mark.parametrize("board", ["vexpress-a9"])
def test_a_board(board, qemu, dprobes):
    elf = paths.built("boards", board, "demo.elf")
    machine = qemu(board).free_when_up()
    status, found, text = examine(dprobes, machine, "--elf", elf, "--probe", "queue_put")
    assert status == 0 and "wrong" not in text, text
    assert {what for what, (state, _) in found.items() if state == "ok"} >= {
        "bytes both ways", "hello", "text as in the ELF file", "hit path not probeable", "agent's text apart", "slots",
        "vectors, slots and caches", "probe counted", "ranges", "text after the removal", "time", "masked time",
        "bounds of instructions"}, text
    assert found["bounds of instructions"] == ("ok", "table"), text
    assert re.search(r"a short hit takes \d+\.\d us with interrupts masked \(the least of \d+\)", found["masked time"][1]), text
