# SPDX-License-Identifier: BSD-2-Clause
"""Of every conformance case, in all its forms: `disasm` prints source that compiles to the same bytes, and what
`check` proves (steps, log bytes) holds for every hit."""
import pytest

from harness import conformance, conformance_object
from harness.paths import TESTS, built

CASES = conformance.cases(TESTS / "language" / "conformance")
FILES = sorted({case.file for case in CASES})


@pytest.mark.parametrize("file", FILES)
def test_objects(file, tmp_path):
    """Without sanitizers: these are many processes."""
    program = built("host", "dprobes")
    found = [conformance_object.wrong(case, program, tmp_path / f"{number}-{word}-{endian}", word, endian)
             for number, case in enumerate(CASES) if case.file == file for word, endian in case.forms()]
    assert not any(found), "\n\n".join(filter(None, found))
