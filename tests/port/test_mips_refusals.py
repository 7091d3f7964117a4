# SPDX-License-Identifier: BSD-2-Clause
"""What may not be probed on MIPS is refused by the agent on the board, with its own reason, before a
byte changes: one word of every row of port/mips/decode.def that refuses (the list is that of the
guest, whose gate walks the table), what a delay slot cannot hold, LL/SC windows, odd addresses."""
import re

import pytest

import cpus
import sources_mk
from harness import refusals
from harness.paths import TOP, program
from harness.refusals import Try, cases_of

CPU = cpus.of_file(__file__)
BOARDS = {CPU.board: 2, "malta-be": 2, "malta-4kc": 1}  # release
CASES = cases_of(CPU.name)
NOP, LL, SC = 0, 0xc0c20000, 0xe0c20000
ODD = "use a multiple of 4"  # the compiler's: it knows without an agent
# Reasons that no instruction of MIPS has. USER_MODE goes with the address: the guest tries it.
ELSEWHERE = {"MODE_CHANGE", "BANKED", "PC_RELATIVE", "USER_MODE"}


def tries(board):
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    program(cross + "as")
    release, reasons, errors = BOARDS[board], refusals.refusals(), refusals.errors()
    cases = [case for case in CASES.collect(release == 2) if "CASE_REFUSED" in case[2]]
    found = []
    for (_, _, flags, refusal), words in zip(cases, CASES.assemble(cross, release, cases)):
        if "BAD_DELAY" in flags:
            found.append(Try((NOP, *words), errors["BAD_DELAY_SLOT"], 4, False))
        else:
            found.append(Try((NOP, words[0]), reasons[refusal.removeprefix("DP_REFUSE_")], 4))
    found.append(Try((NOP, NOP), ODD, 2, False))
    found.append(Try((SC, LL, NOP, NOP, SC), errors["IN_ATOMIC"], 8, False))
    found.append(Try((SC, LL, NOP, NOP, SC), errors["IN_ATOMIC"], 12, False))
    # An open window reaches to the next store-conditional: what is refused for another reason first.
    return sorted(found, key=lambda one: (LL in one.words, one.sentence != errors["BAD_DELAY_SLOT"]))


# The agent's own, GDB's: here the ELF file has them too, so they are the firmware's own.
FOREIGN = {0x0000000d, 0x0000014d, 0x0005000d}


def test_every_reason_has_a_case():
    text = (TOP / "port/mips/decode.def").read_text(encoding="ascii")
    named = set(re.findall(r"DP_REFUSE\((\w+)\)", text)) | {"UNPREDICTABLE"}
    assert named | ELSEWHERE == set(refusals.refusals()) and not named & ELSEWHERE
    for board in BOARDS:
        said = {one.sentence for one in tries(board)}
        assert {refusals.refusals()[name] for name in named} <= said
    rows = re.findall(r"^DP_ROW(?:_\w+)?\(.*, DP_REFUSE", text, re.M)
    assert len(rows) > 20
    assert len(tries(CPU.board)) > len(rows)
    assert FOREIGN <= {word for one in tries(CPU.board) for word in one.words}


# proves: P3.7 P3.9 P3.10 P3.11
@pytest.mark.parametrize("board", BOARDS)
def test_refused(board, qemu, dprobes, tmp_path, amount):
    order = "big" if board == "malta-be" else "little"
    asked = refusals.share(tries(board), amount)
    refusals.run(board, order, asked, qemu, dprobes, tmp_path)
    print(f"{board}: {len(asked)} refused, {len({one.sentence for one in asked})} sentences")
