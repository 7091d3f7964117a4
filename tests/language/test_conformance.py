# SPDX-License-Identifier: BSD-2-Clause
"""The language does what its specification says: tests/language/conformance/**.t, run by dprobes simulate
with both word sizes and both byte orders."""
import pytest

from harness import conformance, tool
from harness.paths import TESTS

CASES = conformance.cases(TESTS / "language" / "conformance")


@pytest.mark.parametrize("number", range(len(CASES)), ids=[
    f"{case.file}:{case.name}" for case in CASES])
def test_case(number, tmp_path):
    case, program = CASES[number], tool.Tool().path()
    wrong = [case.run(program, str(tmp_path / f"{word}-{endian}.dp"), word, endian) for word, endian in case.forms()]
    wrong = [text for text in wrong if text]
    assert not wrong, "\n" + "\n\n".join(wrong)
