# SPDX-License-Identifier: BSD-2-Clause
"""What may not be probed on PowerPC is refused by the agent on the board, with its own reason, before
a byte changes: words of every row of port/ppc/decode.def that refuses (the list is that of the
guest, whose gate walks the table), lwarx/stwcx. windows, odd addresses."""
import re

import pytest

from harness import refusals
from harness.paths import TOP, program
from harness.qemu import parameters
from harness.refusals import Try, cases_of

BOARDS = {"bamboo": "440", "ppce500": "e500", "40p": "classic"}
CROSS = "powerpc-linux-gnu-"
CASES = cases_of("ppc")
NOP, LWARX, STWCX = 0x60000000, 0x7c403028, 0x7c40312d
OPENS = {LWARX, 0x7c403068, 0x7c4030e8}
ODD = "use a multiple of 4"  # the compiler's: it knows without an agent
# Reasons that nothing on PowerPC has.
ELSEWHERE = {"MODE_CHANGE", "BANKED", "STATE_CHANGE", "UNSUPPORTED", "USER_MODE"}


def tries(board):
    program(CROSS + "as")
    reasons, errors = refusals.refusals(), refusals.errors()
    cases = [case for case in CASES.collect(BOARDS[board]) if case[1] == "CASE_REFUSED"]
    found = []
    for (_, _, refusal), word in zip(cases, CASES.assemble(CROSS, cases)):
        found.append(Try((word,), reasons[refusal.removeprefix("DP_REFUSE_")]))
    found.append(Try((NOP, NOP), ODD, 2, False))
    found.append(Try((LWARX, NOP, NOP, STWCX), errors["IN_ATOMIC"], 4, False))
    found.append(Try((LWARX, NOP, NOP, STWCX), errors["IN_ATOMIC"], 8, False))
    # An open window reaches to the next store-conditional.
    return sorted(found, key=lambda one: bool(OPENS & set(one.words)))


# The agent's own, GDB's: here the ELF file has them too, so they are the firmware's own.
FOREIGN = {0x7fe00008, 0x0fe00005, 0x7d821008}


def test_every_reason_has_a_case():
    text = (TOP / "port/ppc/decode.def").read_text(encoding="ascii")
    named = set(re.findall(r"DP_REFUSE\((\w+)\)", text)) | {"UNPREDICTABLE", "BREAKPOINT"}
    assert named | ELSEWHERE == set(refusals.refusals()) and not named & ELSEWHERE
    rows = re.findall(r"^DP_ROW(?:_\w+)?\(.*, DP_REFUSE", text, re.M)
    assert len(rows) > 20
    for board in BOARDS:
        said = {one.sentence for one in tries(board)}
        assert {refusals.refusals()[name] for name in named} <= said
        assert len(tries(board)) > len(rows)
        assert FOREIGN <= {word for one in tries(board) for word in one.words}


# proves: P3.7 P3.9 P3.11
@pytest.mark.parametrize("board", parameters(BOARDS, ("bamboo", "40p")))  # BookE, classic
def test_refused(board, qemu, dprobes, tmp_path, amount):
    asked = refusals.share(tries(board), amount)
    refusals.run(board, "big", asked, qemu, dprobes, tmp_path)
    print(f"{board}: {len(asked)} refused, {len({one.sentence for one in asked})} sentences")
