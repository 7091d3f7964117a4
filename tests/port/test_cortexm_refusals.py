# SPDX-License-Identifier: BSD-2-Clause
"""Refusals on Cortex-M boards, by the whole tool: the refused instructions of the port's guest, places in exclusive
windows and behind the fault mask, and that no byte of the firmware changes."""
import pytest

from harness import refusals
from harness.qemu import parameters
from harness.refusals import Try, cases_of

BOARDS = ("mps2-an385", "mps2-an386")
CASES = cases_of("cortexm")
NOP = 0xbf00
LDREX, STREX, CPSID_F, CPSIE_F = 0x1f00e852, 0x1300e842, NOP << 16 | 0xb671, NOP << 16 | 0xb661  # as words in memory
NOPS = NOP << 16 | NOP
# Reasons that nothing on Cortex-M has.
ELSEWHERE = {"PC_RELATIVE", "SYSTEM_REGISTER", "UNSUPPORTED", "USER_MODE"}


def refused():
    """(reason, number, bytes) of each."""
    found = [(text, reason) for text, _, reason in CASES.texts(False) if reason]
    return [(reason, *code) for (_, reason), code in zip(found, CASES.assemble([text for text, _ in found]))]


def tries():
    reasons, errors = refusals.refusals(), refusals.errors()
    found = []
    for reason, insn, size in refused():
        word = NOP << 16 | insn if size == 2 else (insn & 0xffff) << 16 | insn >> 16
        found.append(Try((word,), reasons[reason], found=insn))
    found.append(Try((LDREX, NOPS, NOPS, STREX), errors["IN_ATOMIC"], 4, False))
    found.append(Try((LDREX, NOPS, NOPS, STREX), errors["IN_ATOMIC"], 8, False))
    found.append(Try((CPSID_F, NOPS, NOPS, CPSIE_F), errors["IN_ATOMIC"], 4, False))
    found.append(Try((CPSID_F, LDREX, STREX, NOPS, CPSIE_F), errors["IN_ATOMIC"], 12, False))
    return found


def test_every_reason_has_a_case():
    given = {reason for reason, _, _ in refused()}
    assert given | ELSEWHERE == set(refusals.refusals()) and not given & ELSEWHERE


# proves: P3.7 P3.9 P3.11
@pytest.mark.parametrize("board", parameters(BOARDS))
def test_refused(board, qemu, dprobes, tmp_path, amount):
    # An open window reaches to its end.
    asked = sorted(refusals.share(tries(), amount), key=lambda one: one.words[0] in (LDREX, CPSID_F))
    refusals.run(board, "little", asked, qemu, dprobes, tmp_path)
    print(f"{board}: {len(asked)} refused, {len({one.sentence for one in asked})} sentences")
