# SPDX-License-Identifier: BSD-2-Clause
"""What the compiler says of a wrong program: tests/language/compile_fail/*.dp, one for each sentence it has.
Everything it prints is compared: messages, their order and number, places, lines and carets."""
import re

import pytest

from harness import compile_fail, diagnostics
from harness.paths import TOP

CASES = compile_fail.cases()
IDS = [case.name for case in CASES]
MESSAGES = [message.text for case in CASES for message in case.messages()]
SENTENCES = sorted(set(diagnostics.sentences()))


@pytest.fixture(scope="session")
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
        source = (folder / message.file).read_bytes().split(b"\n")[message.line - 1].decode("utf-8", "replace")
        source = source.replace("\ufffd", ".")  # what is no UTF-8 is printed so
        before = source.encode()[:message.column - 1].decode()
        marks = message.caret[len(before):]
        assert message.source == source
        assert message.caret[:len(before)] == re.sub(r"[^\t]", " ", before)
        assert re.fullmatch(r"\^~*", marks)
        marked = source[len(before):][:len(marks)]
        assert marked.strip(" \t") == marked and (marked or before.rstrip() == before), marked


def build(dprobes, tmp_path, data, *words):
    (tmp_path / "t.dp").write_bytes(data)
    return dprobes("build", "--cpu", "arm", "--dont-verify-opcodes", *words, "t.dp", cwd=tmp_path)


PROGRAM = 'name = "t"\noffset = 0x1000\n'


def test_byte_order_mark_is_skipped(dprobes, tmp_path):
    """In the program, in what it includes and in a list of symbols; columns count without it."""
    mark = b"\xef\xbb\xbf"
    run = build(dprobes, tmp_path, mark + (PROGRAM + "exit\n").encode())
    assert (run.status, run.stderr) == (0, "")
    (tmp_path / "more.rpn").write_bytes(mark + b"push main\n")
    (tmp_path / "s.map").write_bytes(mark + b"00001000 T main\n")
    run = build(dprobes, tmp_path, mark + (PROGRAM + '#include "more.rpn"\nexit\n').encode(), "--sym", "s.map")
    assert (run.status, run.stderr) == (0, "")
    run = build(dprobes, tmp_path, mark + b'frob = 1\nname = "t"\n')
    assert run.stderr.splitlines()[:3] == ["t.dp:1:1: error: unknown keyword 'frob'; the file header has "
                                           + run.stderr.split("has ")[1].split("\n")[0], "frob = 1", "^~~~"]


@pytest.mark.parametrize("code", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(dprobes, tmp_path, code):
    data = PROGRAM.encode(code) if code == "utf-16" else {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}[code] + PROGRAM.encode(code)
    assert build(dprobes, tmp_path, data).stderr == "t.dp: error: the file is UTF-16; save it as UTF-8\n"


def test_symbols_beyond_ascii(dprobes, tmp_path):
    """gcc takes letters of UTF-8 in names."""
    (tmp_path / "s.map").write_text("00001234 T größe\n", encoding="utf-8")
    run = build(dprobes, tmp_path, (PROGRAM + "push größe\nexit\n").encode(), "--sym", "s.map")
    assert (run.status, run.stderr) == (0, "")
    run = dprobes("disasm", "t.ppdf", cwd=tmp_path)
    assert "0x1234" in run.stdout and "größe" in run.stdout
    run = build(dprobes, tmp_path, (PROGRAM + "push grösse\nexit\n").encode(), "--sym", "s.map")
    assert run.stderr.splitlines()[0] == "t.dp:3:6: error: unknown symbol 'grösse'; did you mean 'größe'?"


@pytest.mark.parametrize("label", ["proc", "endproc", "PROC", "push", "name"])
def test_words_may_be_labels(dprobes, tmp_path, label):
    run = build(dprobes, tmp_path, (PROGRAM + f"jmp {label}\n{label}: push 1\nlog 1\nexit\n").encode())
    assert (run.status, run.stderr) == (0, "")


def test_aliases_of_one_address_are_one_symbol(dprobes, tmp_path):
    (tmp_path / "s.map").write_text("00001234 T alias\n00001234 T alias\n")
    assert build(dprobes, tmp_path, (PROGRAM + "push alias\nexit\n").encode(), "--sym", "s.map").status == 0


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
        f"no file in tests/language/compile_fail is told {sentence.text!r} of host/{sentence.file}"


@pytest.mark.parametrize("keyword", re.findall(r'_KEY\("(\w+)"', (TOP / "host/lang/rpn/keywords.def").read_text())
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
