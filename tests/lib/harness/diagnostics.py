# SPDX-License-Identifier: BSD-2-Clause
"""The sentences of the compiler, read from its C code."""
import dataclasses
import re

from .paths import TOP

# The folders of host/ that compile a program, what in them does not, and the front end with cases of its own:
# tests/language/d/test_d_errors.py.
COMPILER = ("source", "lang", "ir", "compile", "symbols")
NOT_THE_COMPILER = {"disasm.c", "function_table.c", "embedded.c"}  # the last two: tests/host/test_function_table.py, tests/board/test_flight_board.py
_D = TOP / "host" / "lang" / "d"
_CALL = re.compile(r"\b(?:dph_(?:error|warning|note|file_error|message))\(")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_CONVERSION = re.compile(r"%(?:[-0*#.\d]*)(?:ll|z|l)?[a-zA-Z]")
_FORMAT_ARGUMENT = 2


def _code(path):
    """The text without comments and preprocessor lines."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
    return re.sub(r"^#.*$", "", text, flags=re.M)


def _arguments(text, at):
    """The arguments of the call whose '(' was the character before `at`."""
    arguments, depth, begin = [], 0, at
    while True:
        string = _STRING.match(text, at)
        if string:
            at = string.end()
            continue
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            if depth == 0:
                return arguments + [text[begin:at]]
            depth -= 1
        elif text[at] == "," and depth == 0:
            arguments.append(text[begin:at])
            begin = at + 1
        at += 1


def _literals(argument):
    """The string literals of an argument, neighbours joined."""
    joined = re.sub(r'"\s*(?:PRI\w+\s*)?"', "", argument)
    return [bytes(text, "utf-8").decode("unicode_escape") for text in _STRING.findall(joined)]


@dataclasses.dataclass(frozen=True, order=True)
class Sentence:
    """A printf format, or a text with a blank that a call puts into its format."""

    file: str
    text: str
    whole: bool

    def is_in(self, message):
        """Can it have made this message?"""
        form = ".*".join(re.escape(piece) for piece in _CONVERSION.split(self.text))
        return bool(re.fullmatch(form, message)) if self.whole else self.text.strip() in message


def sentences():
    """Every Sentence of the compiler."""
    for path in sorted(path for folder in COMPILER for path in (TOP / "host" / folder).rglob("*.c")):
        if path.name in NOT_THE_COMPILER or _D in path.parents:
            continue
        text = _code(path)
        for call in _CALL.finditer(text):
            arguments = _arguments(text, call.end())
            if len(arguments) <= _FORMAT_ARGUMENT:
                continue
            for form in _literals(arguments[_FORMAT_ARGUMENT]):
                yield Sentence(path.name, form, True)
            for phrase in sum(map(_literals, arguments[_FORMAT_ARGUMENT + 1:]), []):
                if " " in phrase.strip():
                    yield Sentence(path.name, phrase, False)


_IR_CALL = re.compile(r"\bdph_ir_refuse\(")


def ir_sentences():
    """Every Sentence with which the functions refuse that build an IR."""
    for path in sorted((TOP / "host" / "ir").glob("*.c")):
        text = _code(path)
        for call in _IR_CALL.finditer(text):
            for form in _literals(_arguments(text, call.end())[_FORMAT_ARGUMENT:][0]):
                yield Sentence(path.name, form, True)


def strings(path):
    """The string literals of a C file."""
    return _literals(_code(path))


_TEMPLATE_CALL = re.compile(r"\b(?:dph_template_(?:error|say)|token_error|refuse|say)\(")


def template_sentences():
    """Every Sentence of the reader and the compiler of templates."""
    for path in sorted((TOP / "host/present").glob("template_*.c")):
        text = _code(path)
        for call in _TEMPLATE_CALL.finditer(text):
            for form in sum(map(_literals, _arguments(text, call.end())), []):
                if " " in form.strip():
                    yield Sentence(path.name, form, True)
