# SPDX-License-Identifier: BSD-2-Clause
"""The conformance cases on boards: the same files as in the simulator, through the real upload, the real agent
and the real CPU's traps, registers and aborts. One board for each byte order here, each with its share of the cases;
every board with all of them at night."""
import pytest

import usual
from harness import board_conformance, conformance
from harness.paths import TESTS
from harness.qemu import parameters

CASES = conformance.cases(TESTS / "language" / "conformance")
RUNNABLE_MIN = 0.9  # of the cases for the board's word and byte order


@pytest.mark.parametrize("name", parameters(board_conformance.board_names(), usual.CONFORMANCE_BOARDS) or [None])
def test_cases(name, qemu, amount):
    """Every case but those that COVERAGE.md lists with their reason."""
    if name is None:
        pytest.skip("no board's conformance firmware is built; run scons test")
    board = board_conformance.Board(name)
    assert name in board_conformance.machines()[board.port, board.endian]
    shares = amount(len(usual.CONFORMANCE_BOARDS), 1)
    share = CASES[board_conformance.board_names().index(name) % shares::shares]
    outcome = board_conformance.run(qemu, board, share)
    out = board_conformance.kept_out(board, share)
    print(f"{name}: {len(share)} cases; {outcome.passed} passed, {len(outcome.failed)} failed")
    for reason, cases in sorted(out.items(), key=lambda item: -len(item[1])):
        print(f"  {len(cases)} not for it: {reason}")
    assert not outcome.failed, "\n" + "\n".join(outcome.failed)
    assert outcome.passed == len(share) - sum(map(len, out.values()))
    form = (board.word, board.endian)
    assert outcome.passed >= RUNNABLE_MIN * sum(form in case.forms() for case in share)
