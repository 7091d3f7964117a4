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


def test_lines_cannot_steer_the_terminal(dprobes, tmp_path):
    """Controls, C1 too, and what is no UTF-8 are dots of one column; tabs and letters stay."""
    (tmp_path / "t.dp").write_bytes(b'name = "t"\n/* \x1b[2J\x7f\xc2\x9b\x9b \xc3\xb6 */\tfrob = 1 // \x07\n')
    result = dprobes("build", "t.dp", cwd=tmp_path)
    place, source, caret = result.stderr.splitlines()[:3]
    assert place.startswith("t.dp:2:19: error: unknown keyword 'frob'")
    assert source == "/* .[2J... ö */\tfrob = 1 // ." and caret == " " * 15 + "\t^~~~"
    assert not re.search("[^\n\t -~ö]", result.stderr)


def test_long_line_is_not_shown_whole(dprobes, tmp_path):
    """It is cut in front and behind, and the caret stands where the place is."""
    (tmp_path / "t.dp").write_text(f'name = "t"\n/* {"a" * 100000} */ frob = 1 // {"b" * 100000}\n')
    lines = dprobes("build", "t.dp", cwd=tmp_path).stderr.splitlines()
    assert lines[0].startswith("t.dp:2:100008: error: unknown keyword 'frob'")
    assert re.fullmatch(r"\.\.\.a+ \*/ frob = 1 // b+\.\.\.", lines[1]) and len(lines[1]) == 518
    assert lines[1][lines[2].index("^"):].startswith("frob") and lines[2].strip() == "^~~~"


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: f"{sentence.file}:{sentence.text[:50]}")
def test_every_sentence_has_a_file(sentence):
    assert any(map(sentence.is_in, MESSAGES)), \
        f"no file in tests/compile_fail is told {sentence.text!r} of host/{sentence.file}"


@pytest.mark.parametrize("keyword", re.findall(r'_KEY\("(\w+)"', (TOP / "host" / "keywords.def").read_text())
                         + ["offset", "address"])
def test_every_keyword_is_refused_somewhere(keyword):
    assert any(f"'{keyword}'" in text for text in MESSAGES)


@pytest.mark.parametrize("form,letter", [
    ('#define A 1\nname = "t"\noffset = 0\nopcode = 1\n  {}\n', "a"),  # a word that is quoted
    ("#{}\n", "a"),
    ('#define A "{}\nname = "t"\noffset = 0\nopcode = 1\nA\n', "\u20ac"),  # the note about the line behind cpp
    ("#error {}\n", "a")])
def test_long_words_are_not_quoted_whole(dprobes, tmp_path, form, letter):
    """Of a long sentence front and end; no character is cut in two."""
    (tmp_path / "t.dp").write_text(form.format("begin" + letter * 700000 + "finish"), encoding="utf-8")
    result = dprobes("build", "t.dp", cwd=tmp_path)
    assert result.status == 1 and "begin" in result.stderr
    assert max(len(line.encode()) for line in result.stderr.splitlines()) < 1200
    assert "finish" in result.stderr or "#error" in form
    assert not re.search("[^\n -~\u20ac]", result.stderr)
