# SPDX-License-Identifier: BSD-2-Clause
"""The conformance cases on every board: the same files as in the simulator, through the real upload,
the real agent and the real CPU's traps, registers and aborts."""
import pytest

from harness import board_conformance, conformance
from harness.paths import TESTS

CASES = conformance.cases(TESTS / "conformance")
RUNNABLE_MIN = 0.9


@pytest.mark.parametrize("name", board_conformance.board_names() or [None])
@pytest.mark.seconds(600)
def test_cases(name, qemu):
    if name is None:
        pytest.skip("no board's conformance firmware is built; run scons test")
    board = board_conformance.Board(name)
    form = (board.word, board.endian)
    here = [case for case in CASES if form in case.forms()]
    outcome = board_conformance.run(qemu, board, here)
    print(f"{name}: {len(here)} cases for {board.word}-bit {board.endian}-endian; "
          f"{outcome.passed} passed, {len(outcome.failed)} failed")
    for reason, count in outcome.skipped.most_common():
        print(f"  {count} skipped: {reason}")
    assert not outcome.failed, "\n" + "\n".join(outcome.failed)
    assert outcome.passed >= RUNNABLE_MIN * len(here)
