# SPDX-License-Identifier: BSD-2-Clause
"""The timer interrupts at each instruction of a probe hit, from before the trap until behind the
resume, under -icount: tests/guests/arrival. Registers, memory and what the firmware's own fault
handler saw must be those of the unprobed run, each time.
"""
import pytest

from harness.arrival import CLOCK, LINE, counters, insert, one_case
from harness.paths import BUILD, built
from harness.qemu import parameters

HANDLER = "inc gv, 0\npush r, pc\nlog 1\nexit"
# Interrupts that come while COMMIT arms timer_isr and not yet kernel_irq: a tick is 12500 instructions.
ARMED_APART = 4
SWEEPS_MAX = 5
BEFORE_THE_BRANCH = "delay_slot"  # in front of a delay slot the CPU names the branch: no interrupt comes at the slot
BOARDS = sorted(path.parent.parent.name for path in (BUILD / "boards").glob("*/arrival/arrival.elf"))


def sweep_case(board, letter):
    """(case, numbers); (None, []): there is no such case. Runs of one delay differ by some instructions in QEMU, also without a
    probe. A sweep in 40 has no run that the timer interrupts at the probed instruction: such a case is swept again."""
    for _ in range(SWEEPS_MAX):
        board.com2.send(letter)
        match = board.com2.expect(LINE.pattern + rb"|^end of cases\n")
        if match.group(1) is None:
            return None, []
        name, numbers = match.group(1).decode(), [int(number) for number in match.groups()[1:]]
        wrong, at, lost = numbers[2], numbers[4], numbers[8]
        if wrong or lost or at >= (name != BEFORE_THE_BRANCH):
            break
    return name, numbers


def sweep_cases(board):
    """Case -> (state, runs, wrong, early, at, inside, late, done, lost)."""
    found = {}
    for letter in "abcdefghijklmnopqrstuvwxyz":
        name, numbers = sweep_case(board, letter)
        if name is None:
            break
        found[name] = numbers
    return found


# proves: P8.2
@pytest.mark.parametrize("name", BOARDS or [None])
def test_hits_in_interrupts_and_hits(name, qemu, dprobes, tmp_path):
    """Probes in the timer's and the UART's interrupt, with an access to nothing; a probe in a callback
    that the agent calls during a hit: counted as missed, its instruction executed."""
    if name is None:
        pytest.skip("no board's arrival guest is built; run scons test")
    elf = built("boards", name, "arrival", "arrival.elf")
    board = qemu(name, elf=elf, hold=("com2",), extra=CLOCK)
    board.com2.expect("ready")
    line = ("--port", board.url("com1"), "--elf", elf)
    bad = "push 0xdead0000\npush mem, u32\nexit"
    insert(dprobes, line, tmp_path / "isr.dp", "isr",
           [("timer_isr", bad), ("uart_isr", bad), ("kernel_irq", "exit")])
    runs, wrong = one_case(board, "a")[:2]
    assert runs > 20 and wrong == 0
    timer, uart, both = counters(dprobes, line, "isr")
    print(name, runs, timer, uart, both)
    assert timer["hits"] > runs and uart["hits"] >= 1
    assert both["hits"] + ARMED_APART >= timer["hits"]
    assert timer["missed"] == uart["missed"] == both["missed"] == 0
    insert(dprobes, line, tmp_path / "callback.dp", "callback", [("guest_pid", "exit")])
    insert(dprobes, line, tmp_path / "outer.dp", "outer",
           [("case_load", "push r, pc\nlog 1\nexit")], "--log", "PID")
    runs, wrong = one_case(board, "a")[:2]
    outer, = counters(dprobes, line, "outer")
    callback, = counters(dprobes, line, "callback")
    print(name, runs, outer, callback)
    assert wrong == 0 and outer["hits"] >= runs > 200
    assert callback["missed"] == outer["hits"] and callback["hits"] == 0
    assert dprobes("remove", "--all", *line[:2]).status == 0
    assert "the same as in" in dprobes("info", "--verify-text", *line).stdout


# proves: A3.14 P4.10 P6.1
@pytest.mark.parametrize("name", parameters(BOARDS) or [None])
def test_each_instruction_of_a_hit(name, qemu, dprobes, tmp_path):
    if name is None:
        pytest.skip("no board's arrival guest is built; run scons test")
    elf = built("boards", name, "arrival", "arrival.elf")
    board = qemu(name, elf=elf, hold=("com2",), extra=CLOCK)
    board.com2.expect("ready")
    plain = sweep_cases(board)
    assert len(plain) >= 10
    program = tmp_path / "arrival.dp"
    program.write_text('name = "arrival"\nmodtype = kernel\nmajor = 1\ngvars = 1\n' + "".join(
        f"offset = case_{case}\nminor = {minor}\n{HANDLER}\n" for minor, case in enumerate(plain)))
    line = ("--port", board.url("com1"), "--elf", elf)
    result = dprobes("insert", program, *line)
    assert result.status == 0, result.stderr
    probed = sweep_cases(board)
    counters = {probe["minor"]: probe for probe in dprobes("list", "--format", "json", *line[:2]).objects()[0]["probes"]}
    for minor, case in enumerate(plain):
        state, runs, wrong, early, at, inside, late, done, lost = probed[case]
        text = f"{case}: plain {plain[case]}, probed {probed[case]}, {counters[minor]}"
        print(text)
        assert plain[case][2] == wrong == 0, text
        assert state == plain[case][0], text
        assert lost == 0 and done > 0 and at >= (case != BEFORE_THE_BRANCH) and early > 10, text
        # The agent masks interrupts: those that came meanwhile come behind the instruction, or in
        # a slot with one trap.
        assert late + inside > 200 and runs == early + at + inside + late + done, text
        fires = case != "condition"
        assert (counters[minor]["hits"] >= runs) == fires and counters[minor]["missed"] == 0, text
    assert sum(row[5] for row in probed.values()) > 0, "no interrupt came inside a slot"
    result = dprobes("remove", "arrival", *line[:2])
    assert result.status == 0, result.stderr
    verified = dprobes("info", "--verify-text", *line)
    assert "the same as in" in verified.stdout, verified.stdout
