# SPDX-License-Identifier: BSD-2-Clause
"""Probes in a task of ring 3, by the whole agent on a PC in QEMU: tests/guests/rings/ia32. The firmware compares the results
of the task, and the exceptions of its instructions, with what they are without probes."""
import re

import pytest

from harness import pc as pc_harness
from harness.own_firmware import symbols
from harness.paths import TOP

GUEST = TOP / "tests/guests/rings/ia32"
USER = ("user_mix", "user_work", "user_ways", "user_faults", "user_stack_faults", "user_main")
FAULTS = ("user_cli", "user_in", "user_store", "user_int_1", "user_push", "user_call", "user_ret", "user_popf", "user_pushf", "user_jmp",
          "user_call_m")
KERNEL_CODE, KERNEL_DATA, USER_CODE, USER_DATA, BASED, BASED_CODE = 0x08, 0x10, 0x1b, 0x23, 0x33, 0x3b


@pytest.fixture(scope="module")
def elf(tmp_path_factory):
    return pc_harness.link(GUEST, tmp_path_factory.mktemp("pc"))


@pytest.fixture(scope="module")
def at(elf):
    return symbols(pc_harness.CROSS, elf)


@pytest.fixture
def pc(elf, dprobes, tmp_path):
    machine = pc_harness.Pc(elf, dprobes, tmp_path)
    yield machine
    assert "the same as in" in machine("info", "--verify-text").stdout
    machine.close()


@pytest.mark.parametrize("lines, handler", [
    ("", "abort"), pytest.param("phase = after\n", "abort", marks=pytest.mark.nightly),
    pytest.param("", "push u, esp\nlog 1\nexit", marks=pytest.mark.nightly)], ids=["before", "after", "logged"])
def test_every_instruction(pc, at, tmp_path, lines, handler):
    """Each instruction of the task, also those that fault in ring 3 and a breakpoint that the firmware's gate forbids."""
    pc_harness.set_variable(pc, at, tmp_path, "traps_due", 1)
    names, never = pc.probe_each(pc_harness.CROSS, USER, pc_harness.AT_ONCE, 50, 0.5, {"int", "int3", "ud2"}, lines, handler)
    assert len(names) > 150 and {"call", "ret", "div", "pushf", "popf", "cli", "in", "jmp", "push"} <= set(names)
    assert never < 0.1 * len(names)


def all_logged(pc, folder, place, handler, count=1):
    """The words of the first records of a probe."""
    path = folder / "p.dp"
    path.write_text(f'name = "p"\nmodtype = kernel\nmajor = 1\noffset = {place}\nminor = 1\n{handler}\nexit\n', encoding="ascii")
    done = pc.run("run", path, "--count", str(count), "--format", "json", "--write")
    assert done.status in (0, 5), done.stderr
    return [row["words"] for row in done.objects() if row["kind"] == "log"][:count]


def logged(pc, folder, place, handler):
    words, = all_logged(pc, folder, place, handler)
    return words


def test_registers_of_the_task(pc, at, tmp_path):
    """In ring 3 both contexts are the task's."""
    for context in "ru":
        names = ("cs", "ss", "ds", "es", "fs", "gs", "esp", "eip")
        words = logged(pc, tmp_path, "user_ways", "\n".join(f"push {context}, {name}" for name in names) + f"\nlog {len(names)}")
        stack = at["user_stack_end"]
        assert words[0] == at["user_ways"] and stack - 512 < words[1] < stack
        assert words[2:] == [BASED, USER_DATA, USER_DATA, USER_DATA, USER_DATA, USER_CODE]


def test_both_contexts_in_ring_0(pc, at, tmp_path):
    """In the handler of the firmware's exceptions `u` is what the CPU has pushed of a task that it has entered from, `r` is ring 0.
    Where ring 0 itself had the exception both are ring 0."""
    names = [(context, name) for context in "ur" for name in ("cs", "ss", "esp", "eip", "eflags")]
    handler = "\n".join(f"push {context}, {name}" for context, name in reversed(names)) + f"\nlog {len(names)}"
    seen = set()
    for words in all_logged(pc, tmp_path, "fault", handler, 40):
        found = dict(zip(names, words))
        assert found["r", "cs"] == KERNEL_CODE and found["r", "ss"] == KERNEL_DATA and found["r", "eip"] == at["fault"]
        seen.add(found["u", "cs"])
        if found["u", "cs"] == USER_CODE:
            assert found["u", "ss"] == USER_DATA and found["u", "eflags"] & 0x202 == 0x202 and not found["r", "eflags"] & 0x200
            assert found["u", "eip"] in {at[name] for name in FAULTS}
        elif found["u", "cs"] == BASED_CODE:
            assert found["u", "eip"] == at["based_trap"] - at["based_text"]
        else:
            assert found["u", "eip"] == at["fault"]
    assert seen == {USER_CODE, BASED_CODE, KERNEL_CODE}


def test_segments(pc, at, tmp_path):
    """seg2lin of flat segments, one with a base, and selectors of none."""
    handler = "".join(f"push {selector}\npush {offset}\nseg2lin\n" for selector, offset in ((USER_DATA, 0x1000), (BASED, 8), (KERNEL_CODE, 4))) + "log 3"
    assert logged(pc, tmp_path, "user_ways", handler) == [4, at["segment_based"] + 8, 0x1000]
    based = "push r, gs\npush 4\nseg2lin\npush mem, u32\nlog 1"
    assert logged(pc, tmp_path, "user_ways", based) == [0x22222222]
    for selector in (0, 3, 0x28, 0x40, 0x0c):
        text = f"sx bad\npush 9\npush {selector}\npush 5\nseg2lin\nlog 1\nexit\nbad: push 77\nlog 1"
        assert logged(pc, tmp_path, "user_ways", text) == [77], selector


def test_memory_and_ports(pc, at, tmp_path):
    """A handler in the task's context reads what the task may not, survives a page that is not there, and uses ports."""
    handler = f"sx bad\npush {at['secret']}\npush mem, u32\nlog 1\nexit\nbad: push 77\nlog 1"
    assert logged(pc, tmp_path, "user_ways", handler) == [0]
    hole = "sx bad\npush 0x90000000\npush mem, u32\nlog 1\nexit\nbad: push 77\nlog 1"
    assert logged(pc, tmp_path, "user_ways", hole)[0] == 77
    # The mask of the second interrupt controller reads as it is written: the last value is that of the firmware.
    write = "push 0xa1\npush 0xfe\npop io, u8\npush 0xa1\npush io, u8\npush 0xa1\npush 0xff\npop io, u8\npush 0xa1\npush io, u8\nlog 2"
    assert logged(pc, tmp_path, "user_ways", write) == [0xff, 0xfe]


def test_watchpoints_of_the_task(pc, at):
    """The writes of the task, by its pc; those of a call that a probe emulates too."""
    text = pc("-n", f"int n; watch::{at['user_total']:#x},4:w {{ @[func(pc)] = count(); }} user_work:entry {{ n++; }} "
              "user_work:entry /n == 20/ { exit(0); }").stdout
    assert re.search(r"user_work +\d+", text), text
