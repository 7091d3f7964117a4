# SPDX-License-Identifier: BSD-2-Clause
"""PROTOCOL.md: its worked examples are right, and it agrees with the tables beside it."""
import re
import zlib

import pytest

import wire
from harness.paths import TOP

DOCUMENT = (TOP / "protocol" / "PROTOCOL.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^hex: (\w+) (.*?)(?: = `(.*)`)?$", DOCUMENT, re.M)


def fields(text):
    return dict(word.split("=") for word in text.split())


def control(text):
    kind, session, seq, *payload = text.split()
    return wire.control(kind, int(session, 16), int(seq, 16), bytes.fromhex("".join(payload)))


def record(text):
    given = fields(text)
    numbers = {k: int(given[k], 16) for k in ("probe", "ticks", "kind", "flags")}
    codes = {k: int(given[k], 16) for k in ("major", "minor") if k in given}
    return wire.record(body=bytes.fromhex(given["body"]), **numbers, **codes)


def sync(text):
    given = {k: int(v, 16) for k, v in fields(text).items()}
    return wire.sync(given.pop("stream"), given.pop("line"), **given)


RECOMPUTE = {
    "control": control,
    "nak": lambda text: wire.stream("K", text),
    "stream": lambda text: wire.stream(*text.split()),
    "record": record,
    "sync": sync,
    "crc32": lambda text: f"{zlib.crc32(text.encode()):08X}",
    "crc16": lambda text: f"{wire.crc16(text.encode()):04X}",
}


def test_there_are_examples():
    assert {kind for kind, _, _ in EXAMPLES} == set(RECOMPUTE)
    assert len(EXAMPLES) == len(re.findall(r"^hex:", DOCUMENT, re.M))


@pytest.mark.parametrize("kind, arguments, shown", EXAMPLES)
def test_example(kind, arguments, shown):
    found = RECOMPUTE[kind](arguments)
    if isinstance(found, bytes):
        assert found.endswith(b"\n") and len(found) <= wire.LINE_MAX
        found = found.decode().rstrip("\n")
    assert found == shown


def rows(table, macro):
    text = (TOP / "protocol" / table).read_text(encoding="utf-8")
    return re.findall(rf"^{macro}\(([^\n]*)", text, re.M)


def section(number):
    return re.search(rf"^## {number}\. .*?(?=^## |\Z)", DOCUMENT, re.M | re.S).group(0)


def test_every_command_is_described():
    described = re.findall(r"^\| ([A-Z]+) \|", section(5), re.M)
    assert described == [row.split(",")[1].strip() for row in rows("commands.def", "CMD")]


def test_line_types_are_those_of_the_table():
    letters = {row.split(",")[0].strip("'") for row in rows("frames.def", "FRAME")}
    spelled = re.search(r"Control lines\*\* \(`(\w)` request, `(\w)` answer\)", DOCUMENT).groups()
    streamed = re.search(r"Stream lines\*\* \(`([\w ]+)`\)", DOCUMENT).group(1).split()
    assert letters == {*spelled, *streamed}


def test_errors_named_exist():
    known = {row.split(",")[0] for row in rows("errors.def", "ERR")}
    rules = section(2) + section(5)
    named = set(re.findall(r"\b(?:BAD|NOT|NO|REG)_[A-Z_]+\b|\b[A-Z]+_(?:OUT|RANGE)\b", rules))
    assert named and named <= known
