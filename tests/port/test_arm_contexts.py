# SPDX-License-Identifier: BSD-2-Clause
"""Probes in the data abort handler of the firmware and in what it calls, on both ARM boards, in the guest of
test_sweep_arrival.py, while timer interrupts arrive at each instruction.

The handler's registers DFSR and DFAR are part of the state that the guest sums up: a probe there whose
program reads a bad address, and the probe on the instruction that faults, must leave them as they were.
(Probes in the timer's and the UART's interrupt, and a probe in a callback during a hit, which is counted as
missed: test_sweep_arrival.py. A hit in what an SVC of a callback calls, in supervisor mode: test_arm_port.py.)
"""
import pytest

from harness import arrival
from harness.paths import built

BAD = "push 0xdead0004\npush mem, u32\nexit"
CASES = 16
# Bytes of the handler's first instruction.
BOARDS = {"versatilepb": 4, "vexpress-a9": 2}


def run_case(board, name):
    """State and counts of a case: it runs those before it too, which say how they are called."""
    for letter in "abcdefghijklmnopqrstuvwxyz"[:CASES]:
        board.com2.send(letter)
        match = board.com2.expect(arrival.LINE.pattern)
        if match.group(1).decode() == name:
            return letter, [int(number) for number in match.groups()[1:]]
    raise AssertionError(f"no case {name}")


# proves: A5.1 P8.2
@pytest.mark.parametrize("name", BOARDS)
def test_abort_handler_and_what_it_calls(name, qemu, dprobes, tmp_path):
    elf = built("boards", name, "arrival", "arrival.elf")
    board = qemu(name, elf=elf, hold=("com2",), extra=arrival.CLOCK)
    board.com2.expect("ready")
    line = ("--port", board.url("com1"), "--elf", elf)
    letter, (state, runs, wrong, *_) = run_case(board, "fault")
    assert wrong == 0 and runs > 10
    # Before it has read DFSR and DFAR.
    arrival.insert(dprobes, line, tmp_path / "handler.dp", "handler",
                   [("arch_fault_task", BAD), (f"arch_fault_task+{BOARDS[name]}", BAD), ("case_fault", BAD)])
    board.com2.send(letter)
    probed, runs, wrong = [int(number) for number in board.com2.expect(arrival.LINE.pattern).groups()[1:4]]
    first, second, fault = arrival.counters(dprobes, line, "handler")
    print(name, runs, first, second, fault)
    assert wrong == 0 and probed == state
    assert first["hits"] == second["hits"] >= runs and fault["hits"] >= runs
    assert first["missed"] == second["missed"] == fault["missed"] == 0
    assert dprobes("remove", "--all", *line[:2]).status == 0
    assert "the same as in" in dprobes("info", "--verify-text", *line).stdout
