# SPDX-License-Identifier: BSD-2-Clause
"""The language does what its specification says: tests/language/conformance/**.t, run by dprobes simulate
with both word sizes and both byte orders. The first form of a case runs in the tool with sanitizers, the others in the
tool as it is installed; all of them with sanitizers at night."""
import pytest

from harness import conformance, tool
from harness.paths import TESTS

CASES = conformance.cases(TESTS / "language" / "conformance")


@pytest.mark.parametrize("number", range(len(CASES)), ids=[
    f"{case.file}:{case.name}" for case in CASES])
def test_case(number, tmp_path, amount):
    case, sanitized = CASES[number], amount(1, len(CASES[number].forms()))
    wrong = [case.run(tool.Tool().path(n < sanitized), str(tmp_path / f"{word}-{endian}.dp"), word, endian)
             for n, (word, endian) in enumerate(case.forms())]
    wrong = [text for text in wrong if text]
    assert not wrong, "\n" + "\n\n".join(wrong)
