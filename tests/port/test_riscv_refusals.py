# SPDX-License-Identifier: BSD-2-Clause
"""Refusals on RISC-V boards, by the whole tool: an encoding of each class that is refused, places in exclusive windows,
and that no byte of the firmware changes."""
import re

import pytest

from harness import refusals
from harness.paths import TOP, program
from harness.qemu import parameters
from harness.refusals import Try, cases_of

BOARDS = {"riscv-virt32": "32", "riscv-virt64": "64"}
CROSS = "riscv64-unknown-elf-"
CASES = cases_of("riscv")
NOP, LR, SC = 0x00000013, 0x100623af, 0x187623af
# Reasons that nothing on RISC-V has.
ELSEWHERE = {"UNPREDICTABLE", "MODE_CHANGE", "BANKED", "COPROCESSOR", "PC_RELATIVE", "STATE_CHANGE", "USER_MODE"}


def tries(board):
    program(CROSS + "as")
    reasons, errors = refusals.refusals(), refusals.errors()
    bits = int(BOARDS[board])
    cases = [case for case in CASES.collect(BOARDS[board]) if case[1] == "CASE_REFUSED"]
    found = []
    for (_, _, refusal), word in zip(cases, CASES.assemble(CROSS, cases, bits)):
        if word & 3 == 3:
            found.append(Try((word,), reasons[refusal.removeprefix("DP_REFUSE_")]))
    found.append(Try((LR, NOP, NOP, SC), errors["IN_ATOMIC"], 4, False))
    found.append(Try((LR, NOP, NOP, SC), errors["IN_ATOMIC"], 8, False))
    # An open window reaches to the next store-conditional.
    return sorted(found, key=lambda one: LR in one.words)


def test_every_reason_has_a_case():
    text = "".join((TOP / f"port/riscv/{name}.def").read_text(encoding="ascii") for name in ("decode", "decode_c"))
    named = set(re.findall(r"DP_REFUSE\((\w+)\)", text)) | {"SYSTEM_REGISTER"}
    assert named | ELSEWHERE == set(refusals.refusals()) and not named & ELSEWHERE
    for board in BOARDS:
        said = {one.sentence for one in tries(board)}
        assert {refusals.refusals()[name] for name in named} <= said


# proves: P3.7 P3.9 P3.11
@pytest.mark.parametrize("board", parameters(BOARDS))
def test_refused(board, qemu, dprobes, tmp_path, amount):
    asked = refusals.share(tries(board), amount)
    refusals.run(board, "little", asked, qemu, dprobes, tmp_path)
    print(f"{board}: {len(asked)} refused, {len({one.sentence for one in asked})} sentences")
