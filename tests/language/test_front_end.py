# SPDX-License-Identifier: BSD-2-Clause
"""The contract between front ends and the compile layer: test_ir.c and test_front_end.c run it; here, that they leave
nothing out."""
import pytest

from harness import diagnostics
from harness.paths import TESTS, TOP

TINY_LINES_MAX = 300


@pytest.mark.parametrize("sentence", sorted(set(diagnostics.ir_sentences())), ids=lambda sentence: sentence.text[:50])
def test_every_refusal_has_a_case(sentence):
    said = diagnostics.strings(TESTS / "language" / "test_ir.c")
    assert any(map(sentence.is_in, said)), f"no case of test_ir.c is told {sentence.text!r} of host/ir/{sentence.file}"


def test_compile_layer_knows_no_language():
    """Neither a keyword's parser nor a token: it includes nothing of host/lang but the table of front ends."""
    for path in sorted((TOP / "host" / "compile").glob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        assert "lang/rpn" not in text and "source/lex.h" not in text, path.name


def test_tiny_is_tiny():
    """A front end that compiles and runs fits 300 lines: the IR asks for no more."""
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (TESTS / "language" / "tiny").glob("*.[ch]"))
    assert 0 < lines <= TINY_LINES_MAX
