# SPDX-License-Identifier: BSD-2-Clause
"""Templates through the command: messages about a wrong file, directories, and simulated records as text.

test_template_records.py has records of a target; test_template.c has the text of data. D1 to D24 in names are the
decisions of the template language; each stands in host/present/TEMPLATES.md."""
import dataclasses
import re

import pytest

from harness import diagnostics

HEAD = "major = 1\nminor = 1, desc = \"d\", "


def encoded(text):
    """A byte that is no UTF-8 stands in a text as U+DC00 + byte."""
    return text.encode(errors="surrogateescape")


def shown(line):
    """What a message prints of a line: up to a NUL, and a dot for all that could steer a terminal."""
    return re.sub("[\x01-\x08\x0b-\x1f\x7f-\x9f\udc80-\udcff]", ".", line.split("\0")[0])


@dataclasses.dataclass
class Said:
    """One message: `place` is LINE:COLUMN, `under` the text below which caret and tildes stand."""

    place: str
    under: str
    text: str
    kind: str = "error"

    def lines(self, name, source):
        line, column = map(int, self.place.split(":"))
        written = source.split("\n")[line - 1]
        before = encoded(written)[:column - 1].decode(errors="surrogateescape")
        assert written[len(before):].startswith(self.under), f"{self.place} is not {self.under!r}"
        blanks = "".join(c if c == "\t" else " " for c in before)
        return [f"{name}:{self.place}: {self.kind}: {self.text}", shown(written),
                blanks + "^" + "~" * (len(self.under) - 1)]


def warning(place, under, text):
    return Said(place, under, text, "warning")


def note(place, under, text):
    return Said(place, under, text, "note")


def fmt(text):
    """A file with this format; its text begins in column 8 of line 3."""
    return f'{HEAD}\nfmt = "{text}"\n'


SIGNS = ("is no control; there are a c d f i p r s u x z, and '%%' '%(' '%)' for the signs themselves")
CUT = "is not complete; a control letter is missing, or write '%%' for the sign itself"
ALONE = "does not combine; '%r' reads the prefix by itself, and repeats"
NOTHING = "has nothing to repeat; write a control behind '%r', as in '%r4x', or a group '%r(...)'"
PLACE = "has its size in the wrong place; write '%p4x' or '%r4x'"
NO_END = "the group has no control that uses data, so its repetition would not end"
ESCAPE = "unknown escape in a string; there are '\\n', '\\t', '\\\\' and '\\\"'"
NUL = "a NUL byte is here; templates are text"
OPEN = "the group is not closed; its ')' is missing"

# Name -> file, all that is said.
FORMATS = {
    "D1 blank": ("% p4x", [Said("3:8", "% p4x", "no blank may stand behind '%'; write '%p4x', or '%%' for the sign itself")]),
    "D1 blanks before a size": ("%  4x", [Said("3:8", "%  4x", "no blank may stand behind '%'; write '%4x', or '%%' for the sign itself")]),
    "D1 blank before a sign": ("% %", [Said("3:8", "% %", "no blank may stand behind '%'; write '%%' for the sign itself")]),
    "D1 blank before p alone": ("% p,", [Said("3:8", "% p", "no blank may stand behind '%'; write '%p', or '%%' for the sign itself")]),
    "D1 a percent sign in a sentence": ("50% of %x", [Said("3:10", "% ", "no blank may stand behind '%'; write '%%' for the sign itself")]),
    "D3 pu": ("a %pu", [Said("3:10", "%pu", "'%p' and '%u' do not combine; write '%p%u'")]),
    "D3 pu with a size": ("%p4us", [Said("3:8", "%p4u", "'%p' and '%u' do not combine; write '%p%4u'")]),
    "D3 pr": ("%pr4x", [Said("3:8", "%pr", f"'%pr' {ALONE}")]),
    "rp": ("%rp", [Said("3:8", "%rp", f"'%rp' {ALONE}")]),
    "rr": ("%rr", [Said("3:8", "%rr", f"'%rr' {ALONE}")]),
    "r alone": ("%r", [Said("3:8", "%r", f"'%r' {NOTHING}")]),
    "r before text": ("%r:", [Said("3:8", "%r:", f"'%r:' {NOTHING}")]),
    "r before a blank": ("%r x", [Said("3:8", "%r", f"'%r' {NOTHING}")]),
    "r before another control": ("%r%x", [Said("3:8", "%r%", f"'%r%' {NOTHING}")]),
    "r and a size before a group": ("%r4(x", [Said("3:8", "%r4(", f"'%r4(' {NOTHING}")]),
    "D22 f without a size": ("%f", [Said("3:8", "%f", "'%f' is no floating point number; write '%4f' or '%8f'")]),
    "D22 f of 5": ("%p5f", [Said("3:8", "%p5f", "'%p5f' is no floating point number; write '%4f' or '%8f'")]),
    "d too large": ("%9d", [Said("3:8", "%9d", "'%9d' has a size that is not 1..8")]),
    "u too large": ("%16u", [Said("3:8", "%16u", "'%16u' has a size that is not 1..8")]),
    "x of 0": ("%r0x", [Said("3:8", "%r0x", "'%r0x' has a size that is not 1..8")]),
    "c of 0": ("%0c", [Said("3:8", "%0c", "'%0c' has a size that is not 1..65535")]),
    "i too large": ("%65536i", [Said("3:8", "%65536i", "'%65536i' has a size that is not 1..65535")]),
    "i far too large": ("%99999999999999999999999999i",
                        [Said("3:8", "%99999999999999999999999999i",
                              "'%99999999999999999999999' has a size that is not 1..65535")]),
    "s with a size": ("%4s", [Said("3:8", "%4s", "'%4s' has a size; a string ends at its NUL, or with the length that '%ps' reads")]),
    "z with a size": ("%p4z", [Said("3:8", "%p4z", "'%p4z' has a size; '%z' takes all that is left")]),
    "size before p": ("%4px", [Said("3:8", "%4p", f"'%4p' {PLACE}")]),
    "size before r": ("%4r(%x)", [Said("3:8", "%4r", f"'%4r' {PLACE}"),
                                  warning("3:11", "(", "'(' without '%r' is literal text; write '%('"),
                                  warning("3:14", ")", "')' closes no group and is literal text; write '%)'")]),
    "no such control": ("%x %q %x", [Said("3:11", "%q", f"'%q' {SIGNS}")]),
    "no such sign": ("%4.2f", [Said("3:8", "%4.", f"'%4.' {SIGNS}")]),
    "D3 capital U of OS/2": ("%U", [Said("3:8", "%U", "'%U' is no control; control letters are lower case")]),
    "capital P": ("%P", [Said("3:8", "%P", "'%P' is no control; control letters are lower case")]),
    "at the end": ("100%", [Said("3:11", "%", f"'%' {CUT}")]),
    "size at the end": ("%4", [Said("3:8", "%4", f"'%4' {CUT}")]),
    "before a newline": ("%\\n", [Said("3:8", "%", f"'%' {CUT}")]),
    "before another alphabet": ("%ß", [Said("3:8", "%", f"'%' {CUT}")]),
    "group not closed": ("%r(%x", [Said("3:8", "%r(", OPEN)]),
    "groups not closed, inner first": ("%r(%r(%x", [Said("3:11", "%r(", OPEN), Said("3:8", "%r(", OPEN)]),
    "group closed by %)": ("%r(%x%)", [Said("3:8", "%r(", OPEN)]),
    "empty group": ("a%r()", [Said("3:9", "%r()", NO_END)]),
    "group of text": ("%r(abc%%)", [Said("3:8", "%r(abc%%)", NO_END)]),
    "D12 nine deep": ("%r(" * 9 + "%x" + ")" * 9, [Said("3:32", "%r(", "groups may be nested 8 deep, not deeper")]),
    "two at once": ("%q%9x", [Said("3:8", "%q", f"'%q' {SIGNS}"), Said("3:10", "%9x", "'%9x' has a size that is not 1..8")]),
    "behind an escape": ("\\t\\\"%q", [Said("3:12", "%q", f"'%q' {SIGNS}")]),
    "D13 bare (": ("f(%x", [warning("3:9", "(", "'(' without '%r' is literal text; write '%('")]),
    "D13 bare )": (":)", [warning("3:9", ")", "')' closes no group and is literal text; write '%)'")]),
    "digits behind p": ("%p4 %p4(", [warning("3:8", "%p4", "the digits are literal text: no control letter stands behind them"),
                                     warning("3:12", "%p4", "the digits are literal text: no control letter stands behind them"),
                                     warning("3:15", "(", "'(' without '%r' is literal text; write '%('")]),
}

FILES = {
    "empty": ("\n", [Said("1:1", "", "a file of templates begins with 'major ='; here is the end of the file")]),
    "only a comment": ("/* nothing\n*/ // more\n", [Said("1:1", "/", "a file of templates begins with 'major ='; here is the end of the file")]),
    "no major": ('minor = 1 desc = "d"\n', [Said("1:1", "minor", "a file of templates begins with 'major ='; here is 'minor'")]),
    "no equals": ("major 1\n", [Said("1:7", "1", "'=' is missing behind 'major'; here is '1'")]),
    "no equals at the end": ("major = 1\nminor // x\n", [Said("2:6", "", "'=' is missing behind 'minor'; here is the end of the file")]),
    "no number": ("major = one\n", [Said("1:9", "one", "'major' needs a number, decimal or 0x, not 'one'")]),
    "negative": ("major = -1\n", [Said("1:9", "-", "'major' needs a number, decimal or 0x, not '-'")]),
    "a keyword for a number": ('major = 1\nminor = desc = "d"\n', [Said("2:9", "desc", "'minor' needs a number, decimal or 0x, not 'desc'")]),
    "bad number": ("major = 12ab\n", [Said("1:9", "12ab", "'12ab' is not a number; write it decimal, or hexadecimal with 0x")]),
    "long bad number": (f"major = {'1' * 60}x\n", [Said("1:9", "1" * 60 + "x", f"'{'1' * 40}' is not a number; write it decimal, or hexadecimal with 0x")]),
    "major too large": ("major = 65536\n", [Said("1:9", "65536", "a major code is 0..65535, not 65536")]),
    "minor too large": ('major = 1\nminor = 0x10000 desc = "d"\n', [Said("2:9", "0x10000", "a minor code is 0..65535, not 0x10000")]),
    "far too large": ("major = 99999999999999999999999\n", [Said("1:9", "99999999999999999999999", "a major code is 0..65535, not 99999999999999999999999")]),
    "leading zeros": ('major = 010\n', [warning("1:9", "010", "'010' is decimal, not octal; drop the leading zeros")]),
    "no string": ("major = 1\nminor = 1 desc = queue\n", [Said("2:18", "queue", "'desc' needs a string in double quotes, not 'queue'")]),
    "number for a string": ("major = 1\nminor = 1 desc = \"d\" fmt = 4\n", [Said("2:28", "4", "'fmt' needs a string in double quotes, not '4'")]),
    "string not closed": ('major = 1\nminor = 1, desc = "abc\nfmt = "%x"\n', [Said("2:19", '"abc', "the string is not closed; its '\"' is missing before the end of the line")]),
    "string closed by an escape": ('major = 1\nminor = 1, desc = "abc\\"\n', [Said("2:19", '"abc\\"', "the string is not closed; its '\"' is missing before the end of the line")]),
    "two strings": (HEAD + 'fmt = "%x" "%x"\n', [Said("2:35", '"%x"', "each string needs its own 'fmt ='")]),
    "unknown escape": ('major = 1\nminor = 1, desc = "a\\q"\n', [Said("2:21", "\\q", ESCAPE)]),
    "unknown escape in a format": (fmt("\\x41 \\0"), [Said("3:8", "\\x", ESCAPE), Said("3:13", "\\0", ESCAPE)]),
    "control character": ('major = 1\nminor = 1, desc = "a\tb"\n', [Said("2:21", "\t", "control character 0x09 in a string; write '\\n' or '\\t', other ones are not for a terminal")]),
    "escape character": (fmt("\x1b[2J"), [Said("3:8", "\x1b", "control character 0x1b in a string; write '\\n' or '\\t', other ones are not for a terminal")]),
    "delete character": (fmt("\x7f"), [Said("3:8", "\x7f", "control character 0x7f in a string; write '\\n' or '\\t', other ones are not for a terminal")]),
    "C1 control character": (fmt("ö\x9b31m"), [Said("3:10", "\x9b", "control character 0x9b in a string; write '\\n' or '\\t', other ones are not for a terminal")]),
    "last control character": (fmt("\x9f\xa0"), [Said("3:8", "\x9f", "control character 0x9f in a string; write '\\n' or '\\t', other ones are not for a terminal")]),
    "no UTF-8": (fmt("ö\udc9b31m\udcc3"), [Said("3:10", "\udc9b", "byte 0x9b in a string is no UTF-8"), Said("3:14", "\udcc3", "byte 0xc3 in a string is no UTF-8")]),
    "escape in a comment": ('major = 1 /* \x1b[2J\x9b\udc9b */ frob\n', [Said("1:25", "frob", "unknown keyword 'frob'; there are major, minor, desc, fmt and file")]),
    "newline in desc": ('major = 1\nminor = 1, desc = "a\\nb"\n', [Said("2:21", "\\n", "a description is one line, without '\\n'")]),
    "NUL between statements": ("major = 1\n\0frob\n", [Said("2:1", "\0", NUL)]),
    "NUL in a string": (fmt("a\0b"), [Said("3:9", "\0", NUL)]),
    "NUL in a line comment": ("major = 1 // a\0\n", [Said("1:15", "\0", NUL)]),
    "NUL in a comment": ("major = 1 /* a\0 */\n", [Said("1:15", "\0", NUL)]),
    "NUL at the end": ("major = 1\n\0", [Said("2:1", "\0", NUL)]),
    "twenty errors": ("major = 1\n" + "desc\n" * 150,
                         [Said("2:1", "desc", "'desc' belongs behind a 'minor =' (and 19 more errors of this kind)")]
                         + [note("22:1", "desc", "reading stops here: there are 20 errors")]),
    "comment not closed": ('major = 1\n/* minor = 1\n', [Said("2:1", "/*", "the comment is not closed; its '*/' is missing")]),
    "misspelled": ('major = 1\nmnior = 1 desc = "d"\n', [Said("2:1", "mnior", "unknown keyword 'mnior'; did you mean 'minor'?"),
                                                         Said("2:11", "desc", "'desc' belongs behind a 'minor ='")]),
    "unknown word": ('major = 1\nexplanation = "d"\n', [Said("2:1", "explanation", "unknown keyword 'explanation'; there are major, minor, desc, fmt and file")]),
    "a sign": ("major = 1,,\n", [Said("1:11", ",", "a keyword belongs here (minor, desc, fmt), not ','")]),
    "another alphabet": ("major = 1\nÄ\n", [Said("2:1", "Ä"[:1], "a keyword belongs here (minor, desc, fmt), not byte 0xc3")]),
    "D20 desc before minor": ('major = 1\ndesc = "d"\nminor = 1\n', [Said("2:1", "desc", "'desc' belongs behind a 'minor ='"),
                                                                     Said("3:1", "minor", "minor 1 has no 'desc ='; describe its records")]),
    "D20 fmt before minor": ('major = 1\nfmt = "d"\n', [Said("2:1", "fmt", "'fmt' belongs behind a 'minor ='")]),
    "D20 fmt before desc": ('major = 1\nminor = 1, fmt = "%x", desc = "d"\n', [Said("2:12", "fmt", "'desc =' comes before 'fmt =', and is missing here")]),
    "no desc": ('major = 1\nminor = 1\nminor = 2 desc = "d"\n', [Said("2:1", "minor", "minor 1 has no 'desc ='; describe its records")]),
    "two desc": ('major = 1\nminor = 1 desc = "d" desc = "e"\n', [Said("2:22", "desc", "this minor has a 'desc =' already")]),
    "D20 duplicate": ('major = 1\nminor = 1 desc = "d"\nMinor = 0x1, desc = "e"\n',
                      [Said("3:9", "0x1", "minor 1 is given twice"), note("2:1", "minor", "the first one is here")]),
    "second major": ('major = 1\nminor = 1 desc = "d"\nmajor = 2\n', [Said("3:1", "major", "a second 'major ='; all templates of a file have the same")]),
    "file among templates": ('major = 1\nminor = 1 desc = "d"\nfile = "x"\n',
                             [Said("3:1", "file", "'file' belongs into a directory of files, right behind 'major ='; here are templates")]),
    "lines end with CR LF": ('major = 1\r\nfrob\r\n', [Said("2:1", "frob", "unknown keyword 'frob'; there are major, minor, desc, fmt and file")]),
    "a tab before it": ('major = 1\n\tminor = 1 desc = 5\n', [Said("2:19", "5", "'desc' needs a string in double quotes, not '5'")]),
}
CASES = {**{name: (fmt(text), said) for name, (text, said) in FORMATS.items()}, **FILES}

# Directories: what else is there, and what is said of each file.
NAMED = "the directory names the file here"
DIRECTORIES = {
    "file that is not there": ('major = 1, file = "none.tpl"\n', {},
                               ["none.tpl: error: cannot read it: No such file or directory",
                                *note("1:19", '"none.tpl"', NAMED).lines("dir", 'major = 1, file = "none.tpl"')]),
    "file without a name": ('major = 1, file = ""\n', {},
                            Said("1:19", '""', "the name of the file is empty").lines("dir", 'major = 1, file = ""')),
    "file that is a folder": ('major = 1, file = "."\n', {},
                              [".: error: cannot read it: Is a directory",
                               *note("1:19", '"."', NAMED).lines("dir", 'major = 1, file = "."')]),
    "other major": ('major = 1\nfile = "a"\n', {"a": 'major = 2\nminor = 1 desc = "d"\n'},
                    [*Said("1:9", "2", "the directory says that this file is for major 1").lines("a", "major = 2"),
                     *note("2:8", '"a"', NAMED).lines("dir", 'major = 1\nfile = "a"')]),
    "directory in a directory": ('major = 1, file = "a"\n', {"a": 'major = 1, file = "a"\n'},
                                 [*Said("1:12", "file", "this is a directory too; a directory names files with templates")
                                  .lines("a", 'major = 1, file = "a"'),
                                  *note("1:19", '"a"', NAMED).lines("dir", 'major = 1, file = "a"')]),
    "major twice": ('major = 1, file = "a"\nmajor = 1, file = "a"\n', {"a": 'major = 1\nminor = 1 desc = "d"\n'},
                    [*Said("2:9", "1", "major 1 is given twice").lines("dir", '\nmajor = 1, file = "a"'),
                     *note("1:1", "major", "the first one is here").lines("dir", 'major = 1, file = "a"')]),
    "two files": ('major = 1, file = "a", file = "b"\n', {"a": "major = 1\n"},
                  Said("1:24", "file", "a directory has 'major =' and 'file =' in turn; here is 'file'")
                  .lines("dir", 'major = 1, file = "a", file = "b"')),
    "major without file": ('major = 1, file = "a"\nmajor = 2\n', {"a": "major = 1\n"},
                           Said("2:10", "", "'file =' is missing behind 'major ='; here is the end of the file")
                           .lines("dir", "\nmajor = 2")),
    "error in a file": ('major = 1, file = "a"\n', {"a": "major = 1\nfrob\n"},
                        Said("2:1", "frob", "unknown keyword 'frob'; there are major, minor, desc, fmt and file")
                        .lines("a", "\nfrob")),
    "file needs a string": ("major = 1, file = a\n", {},
                            Said("1:19", "a", "'file' needs a string in double quotes, not 'a'").lines("dir", "major = 1, file = a")),
}


@pytest.fixture
def check(dprobes, tmp_path):
    """`dprobes check --templates` of a text."""
    def run(text, *words, name="t.tpl"):
        (tmp_path / name).write_bytes(encoded(text))
        return dprobes("check", "--templates", name, *words, cwd=tmp_path)
    return run


def all_lines(said, name, source):
    return [line for message in said for line in message.lines(name, source)]


@pytest.mark.parametrize("case", CASES)
def test_said(check, case):
    """Everything that is said, with its places; an error is a status, a warning is not."""
    source, said = CASES[case]
    result = check(source)
    assert result.stderr.splitlines() == all_lines(said, "t.tpl", source.replace("\r", ""))
    wrong = any(message.kind == "error" for message in said)
    assert result.status == int(wrong)
    assert result.stdout == ("" if wrong else f"templates: {source.count('minor')} in t.tpl\n")


@pytest.mark.parametrize("case", DIRECTORIES)
def test_said_of_a_directory(check, tmp_path, case):
    source, files, said = DIRECTORIES[case]
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    result = check(source, name="dir")
    assert result.stderr.splitlines() == said
    assert (result.status, result.stdout) == (1, "")


@pytest.mark.parametrize("sentence", sorted(set(diagnostics.template_sentences())),
                         ids=lambda sentence: f"{sentence.file}:{sentence.text[:50]}")
def test_every_sentence_has_a_case(sentence):
    said = [message.text for _, messages in CASES.values() for message in messages]
    said += [line.split(": ", 2)[-1] for _, _, lines in DIRECTORIES.values() for line in lines]
    pieces = re.findall(r"%%|%(?:\.\*|0\d)?[a-z]|[^%]+", sentence.text)
    form = "".join("%" if piece == "%%" else ".*" if piece[0] == "%" else re.escape(piece) for piece in pieces)
    assert any(sentence.text in text or re.search(form, text) for text in said), sentence.text


def test_file_that_cannot_be_read(dprobes, tmp_path):
    result = dprobes("check", "--templates", "none.tpl", cwd=tmp_path)
    assert (result.status, result.stdout) == (1, "")
    assert result.stderr == "none.tpl: error: cannot read it: No such file or directory\n"


# ---- files ------------------------------------------------------------------------------------

ANY_CASE = """\
/* the first
   statement */ MAJOR = 0x3 // and a comment
Minor=9 DESC="nine"FMT="a%" fMt = "x;" /**/ minor = 10, desc = "ten",
"""


def test_keywords_in_any_case_comments_and_commas(check, logging, agent, tmp_path):
    """The grammar's edges in one file; D18: nothing stands between two fmt."""
    assert check(ANY_CASE).stdout == "templates: 2 in t.tpl\n"
    running = logging("--count", "1", "--templates", tmp_path / "t.tpl")
    agent.hit(b"\x07")
    assert running.wait().lines() == ["DProbes(3,9) - nine", "a07;"]


def test_directory(dprobes, tmp_path):
    """D19: names are relative to the directory, a comma may end a line, `-` is a name."""
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "all").write_text('// which major is where\nmajor = 1, file = "one.tpl",\nMAJOR = 2 file = "sub/two"\n'
                                f'major = 3, file = "{tmp_path}/three"\n')
    (folder / "sub").mkdir()
    (folder / "one.tpl").write_text('major = 1\nminor = 1 desc = "a" minor = 2 desc = "b"\n')
    (folder / "sub" / "two").write_text('major = 2\nminor = 1 desc = "c"\n')
    (tmp_path / "three").write_text('major = 3\n')
    for name, cwd in (("templates/all", tmp_path), ("all", folder), (folder / "all", "/")):
        result = dprobes("check", "--templates", name, cwd=cwd)
        assert (result.status, result.stderr) == (0, "")
        assert result.stdout == f"templates: 3 in {name}\n"
    (folder / "all").write_text('major = 1, file = "-"\n')
    (folder / "-").write_text('major = 1 minor = 1 desc = "d"\n')
    assert dprobes("check", "--templates", "all", cwd=folder, stdin="major = 5").stdout == "templates: 1 in all\n"


def test_many_errors_end(check):
    """Reading stops, and the last line is not the thousandth."""
    result = check("major = 1\n" + "frob\nminor = 1 desc = 5\n" * 2000)
    assert result.status == 1
    assert re.findall(r"error: .* \(and (\d+) more errors of this kind\)\n", result.stderr) == ["9", "8"] and result.stderr.count(": error: ") == 3
    assert "note: reading stops here: there are 20 errors" in result.stderr


def test_errors_of_one_format_end(check):
    result = check(fmt("%q" * 150))
    assert (result.status, result.stderr.count(": error: "), result.stderr.count(" (and 19 more errors of this kind)\n")) == (1, 1, 1)
    assert result.stderr.splitlines()[-3] == f"t.tpl:3:{8 + 301}: note: reading stops here: there are 20 errors"


@pytest.mark.parametrize("words", [[], ["--quiet"]])
def test_an_error_behind_warnings(check, words):
    """220 of them, of which two are shown, do not hide it."""
    states = "".join(f'minor = {n}, desc = "d", fmt = "state (%x)"\n' for n in range(110))
    result = check("major = 1\n" + states + 'minor = 110, desc = "d", fmt = "%9x"\n', *words)
    assert (result.status, result.stderr.count(": warning: ")) == (1, 2)
    assert result.stderr.count(" more warnings of this kind)") == 2
    assert result.stderr.splitlines()[-3:] == [
        "t.tpl:112:33: error: '%9x' has a size that is not 1..8",
        'minor = 110, desc = "d", fmt = "%9x"', " " * 32 + "^~~"]


def test_long_line(check):
    """Of a line of 2 MB each message shows what stands round its place."""
    result = check(fmt("ä" * 1000000 + "%q" * 300 + "b" * 400))
    lines = result.stderr.splitlines()
    assert result.status == 1 and len(lines) == 2 * 3 and len(result.stderr) < 100000
    for head, source, caret in zip(*[iter(lines[:-3])] * 3):
        assert head.endswith(f": error: '%q' {SIGNS} (and 19 more errors of this kind)")
        assert 508 <= len(encoded(source)) <= 518 and source.startswith("...") and source.endswith("...")
        assert re.fullmatch(r"\.\.\.ä*(%q)*b*\.\.\.", source) and re.fullmatch(r" +\^~", caret)
        assert source[caret.index("^"):][:2] == "%q"
    last, = re.findall(r":3:(\d+): note", lines[-3])
    assert int(last) == 8 + 2000000 + 600 + 400 + 1 and lines[-2].startswith("...") and lines[-2].endswith('b"')
    assert lines[-1] == " " * len(lines[-2]) + "^"


def test_line_of_512_bytes_is_whole(check):
    """One more is not."""
    for more in (0, 1):
        line = "frob " + "x" * (507 + more)
        result = check("major = 1\n" + line + "\n")
        assert result.stderr.splitlines()[1:] == [line[:512] + "..." * more, "^~~~"]


def test_byte_order_mark(check):
    """Some editors write it; columns begin behind it."""
    assert check("\ufeffmajor = 1\n").stdout == "templates: 0 in t.tpl\n"
    assert check("\ufefffrob = 1\n").stderr.splitlines() == [
        "t.tpl:1:1: error: a file of templates begins with 'major ='; here is 'frob'", "frob = 1", "^~~~"]


# ---- check ------------------------------------------------------------------------------------

PROGRAM = """\
name = "t"
major = 7
vars = 2
offset = 0x1000
opcode = 0x01020304
minor = 1
inc lv, 0
push lv, 0
push r, r0
log 2
offset = 0x1004
opcode = 0x01020304
minor = 2
push 5
log 1
offset = 0x1008
opcode = 0x01020304
minor = 3
abort
"""
TEMPLATES = """\
major = 7
minor = 1, desc = "two words", fmt = "r0 is 0x%4x\\n", fmt = "count %2u"
minor = 2, desc = "no format"
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "t.dp").write_text(PROGRAM)
    (tmp_path / "t.tpl").write_text(TEMPLATES)
    return tmp_path


def test_check_names_probes_without_a_template(dprobes, files):
    text = dprobes("check", "--templates", "t.tpl", "t.dp", cwd=files).stdout
    assert text.startswith("verdict: accepted\n")
    assert text.endswith("\ntemplates: 2 in t.tpl\n           none for DProbes(7,3): its records are dumped\n")
    program, templates = dprobes("check", "--templates", "t.tpl", "--format", "json", "t.dp", cwd=files).objects()
    assert program["kind"] == "check" and templates == {"kind": "templates", "count": 2, "none_for_minor": [3]}
    assert dprobes("check", "--templates", "t.tpl", "--format", "json", cwd=files).objects() == [{"kind": "templates", "count": 2}]
    (files / "t.tpl").write_text("major = 7\nfrob\n")
    result = dprobes("check", "--templates", "t.tpl", "t.dp", cwd=files)
    assert (result.status, result.stdout) == (1, "") and "unknown keyword 'frob'" in result.stderr


@pytest.mark.parametrize("words", [["--cpu", "frob"], ["--vars-max", "3"], ["--write"], ["--elf", "none"], ["-D", "A=1"]])
def test_check_of_what_needs_a_program(dprobes, files, words):
    result = dprobes("check", "--templates", "t.tpl", *words, cwd=files)
    assert (result.status, result.stdout) == (1, "")
    name = "define" if words[0] == "-D" else words[0].lstrip("-")
    assert result.stderr.startswith(f"dprobes: error: --{name} needs a PROGRAM, and none is given\n")


def test_check_without_anything(dprobes):
    result = dprobes("check")
    assert (result.status, result.stdout) == (1, "")
    assert result.stderr.startswith("dprobes: error: a PROGRAM is missing, or --templates FILE\n")


# ---- simulate ---------------------------------------------------------------------------------

def test_simulate(dprobes, files):
    """What people see; --verbose shows what the template leaves over; aborted handlers have no record."""
    words = ["simulate", "--templates", "t.tpl", "--hits", "1:1", "--hits", "2:1", "t.dp", "--reg", "r0=0x12"]
    text = dprobes(*words, cwd=files).stdout
    assert """\
  record    DProbes(7,1) 8 bytes = 0x12 0x1 - two words
    r0 is 0x00000012
    count 1
  stack     empty
""" in text
    assert """\
  record    DProbes(7,2) 4 bytes = 0x5 - no format
    +00000000 05 00 00 00 *....*
  stack     empty
""" in text
    text = dprobes(*words, "--verbose", cwd=files).stdout
    assert "    count 1\n    <2 bytes behind the template>\n    +00000000 00 00 *..*\n" in text
    first, second = dprobes(*words, "--format", "json", cwd=files).objects()
    assert (first["desc"], first["text"]) == ("two words", "r0 is 0x00000012\ncount 1\n")
    assert (second["desc"], second["text"]) == ("no format", "+00000000 05 00 00 00 *....*\n")
    assert "trace_text" not in first
    third, = dprobes("simulate", "--templates", "t.tpl", "--minor", "3", "--format", "json", "t.dp", cwd=files).objects()
    assert "text" not in third and "desc" not in third


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("word", [32, 64])
def test_stack_trace(dprobes, files, order, word):
    """D4: tokens 2 and 3 have a printer of their own. Names, handlers, exceptions, frames and their lists."""
    (files / "t.dp").write_text("""\
name = "t"
major = 7
id = 9
vars = 1
gvars = 1
excpt_log = 512
autostacktrace = yes
offset = 0x1000
minor = 1
sx caught
push 0x11
pop lv, 0
call f
caught: ux
exit
proc f
push 0
push 1
trace lv
push 0
push 1
trace gv
push 5
push 0
div
ret
endproc
""")
    words = ["simulate", "--templates", "t.tpl", "t.dp", "--endian", order, "--word", word]
    text = dprobes(*words, cwd=files).stdout
    trace = dprobes(*words, "--format", "json", cwd=files).objects()[0]["trace_text"]
    lines = trace.splitlines()
    assert lines[0] == "stack trace of t, id 9, codes 7,1, probe at 0x1000"
    assert re.fullmatch(r"exception DIVIDE_BY_ZERO \(0x0, 0x0\)(, handler at 0x[0-9a-f]+)?", lines[1])
    assert re.fullmatch(r"  procedure at 0x[0-9a-f]+, returns to 0x[0-9a-f]+", lines[2])
    assert lines[3:] == ["    lv 0x11", "    gv 0x0"]
    assert "bytes\n" + "".join(f"    {line}\n" for line in lines) in text


@pytest.mark.parametrize("order,word", [("little", 32), ("big", 32), ("little", 64), ("big", 64)])
def test_simulate_in_every_form(dprobes, files, order, word):
    """D4, D24: word size and byte order are those of the machine that is simulated."""
    (files / "t.tpl").write_text('major = 7\nminor = 1 desc = "words" fmt = "%r' + str(word // 8) + 'u"\n')
    (files / "t.dp").write_text(PROGRAM.replace("push lv, 0\npush r, r0\nlog 2", "push 8\npush 9\npush 2\nlog"))
    hit, = dprobes("simulate", "--templates", "t.tpl", "t.dp", "--endian", order, "--word", word, "--format", "json",
                   cwd=files).objects()
    assert hit["text"] == "9 8\n"
    assert hit["data"].startswith("070200" if order == "little" else "070002")


def test_raw_has_no_templates(dprobes, files):
    for words in (["simulate", "t.dp"], ["log"], ["run", "t.dp"]):
        result = dprobes(*words, "--format", "raw", "--templates", "t.tpl", cwd=files)
        assert (result.status, result.stdout) == (1, "")
        assert result.stderr.startswith("dprobes: error: --templates does nothing with --format raw, but with: text, json, csv\n")


def test_one_hex_line_or_templates(dprobes, files):
    for words in (["log"], ["run", "t.dp"]):
        for letter in ("-f", "--unformatted-output"):
            result = dprobes(*words, letter, "--templates", "t.tpl", cwd=files)
            assert (result.status, result.stdout) == (1, "")
            assert result.stderr.startswith(
                "dprobes: error: -f prints data as one hex line, --templates as text; leave one of them out\n")


def test_empty_line_has_no_blanks(dprobes, files):
    (files / "t.tpl").write_text('major = 7\nminor = 1, desc = "d", fmt = "a\\n\\nb\\n"\nminor = 2, desc = "e", fmt = "\\n"\n')
    words = ["simulate", "--templates", "t.tpl", "--hits", "1:1", "--hits", "2:1", "t.dp"]
    text = dprobes(*words, cwd=files).stdout
    assert " - d\n    a\n\n    b\n  stack " in text and " - e\n\n  stack " in text
