# SPDX-License-Identifier: BSD-2-Clause
"""Of every conformance case: `disasm` prints source that compiles to the same bytes, and what `check` proves (steps, log
bytes) holds for every hit. One form of a case, the next form for the next case; all forms at night."""
import pytest

from harness import conformance, conformance_object
from harness.paths import TESTS, built

CASES = conformance.cases(TESTS / "language" / "conformance")
FILES = sorted({case.file for case in CASES})


@pytest.mark.parametrize("file", FILES)
def test_objects(file, tmp_path, amount):
    """Without sanitizers: these are many processes."""
    program, several = built("host", "dprobes"), amount(1, 4)
    found = []
    for number, case in enumerate(CASES):
        forms = case.forms() if case.file == file else []
        for n in range(min(several, len(forms))):
            word, endian = forms[(number + n) % len(forms)]
            found.append(conformance_object.wrong(case, program, tmp_path / f"{number}-{word}-{endian}", word, endian))
    assert found and not any(found), "\n\n".join(filter(None, found))
