# SPDX-License-Identifier: BSD-2-Clause
"""What the compiler says of a wrong program: tests/compile_fail/*.dp, one for each sentence it has.
Everything it prints is compared: messages, their order and number, places, lines and carets."""
import re

import pytest

from harness import compile_fail, diagnostics
from harness.paths import TOP

CASES = compile_fail.cases()
IDS = [case.name for case in CASES]
MESSAGES = [message.text for case in CASES for message in case.messages()]
SENTENCES = sorted(set(diagnostics.sentences()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return compile_fail.given(tmp_path_factory.mktemp("compile_fail"))


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_said(case, dprobes, folder, tmp_path):
    """An error leaves no object behind; a warning does."""
    output = tmp_path / "out.ppdf"
    result = case.compile(dprobes, folder, output)
    assert result.stderr.splitlines() == case.said
    assert (result.status, result.stdout) == (case.status(), "")
    assert output.exists() != bool(result.status)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_place_is_in_the_file(case, folder):
    """The file names itself; the line is printed as written, and the caret stands below the column, on
    something: a word, a sign, or the blank behind the last one where something is missing."""
    messages = case.messages()
    assert messages and messages[0].severity != "note", f"{case.name} does not say what it is about"
    for message in messages:
        if not message.column:
            assert (message.source, message.caret) == (None, None)
            continue
        source = (folder / message.file).read_text(encoding="utf-8").split("\n")[message.line - 1]
        before = source.encode()[:message.column - 1].decode()
        marks = message.caret[len(before):]
        assert message.source == source
        assert message.caret[:len(before)] == re.sub(r"[^\t]", " ", before)
        assert re.fullmatch(r"\^~*", marks)
        marked = source[len(before):][:len(marks)]
        assert marked.strip() == marked and (marked or before.rstrip() == before), marked


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: f"{sentence.file}:{sentence.text[:50]}")
def test_every_sentence_has_a_file(sentence):
    assert any(map(sentence.is_in, MESSAGES)), \
        f"no file in tests/compile_fail is told {sentence.text!r} of host/{sentence.file}"


@pytest.mark.parametrize("keyword", re.findall(r'_KEY\("(\w+)"', (TOP / "host" / "keywords.def").read_text())
                         + ["offset", "address"])
def test_every_keyword_is_refused_somewhere(keyword):
    assert any(f"'{keyword}'" in text for text in MESSAGES)
