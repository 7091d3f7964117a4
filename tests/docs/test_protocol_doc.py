# SPDX-License-Identifier: BSD-2-Clause
"""PROTOCOL.md: its worked examples are right, and it agrees with the tables beside it."""
import re
import zlib

import pytest

import protocol_document
from harness import wire
from harness.paths import TOP

DOCUMENT = (TOP / "protocol" / "PROTOCOL.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^hex: (\w+) (.*?)(?: = `(.*)`)?$", DOCUMENT, re.M)


def fields(text):
    return dict(word.split("=") for word in text.split())


def control(text):
    kind, session, nonce, seq, *payload = text.split()
    return wire.control(kind, int(session, 16), int(seq, 16), bytes.fromhex("".join(payload)), int(nonce, 16))


def record(text):
    """before: the record before in the line, as probe and ticks since it. last: its body, in a compact line."""
    given = fields(text)
    numbers = {k: int(given[k], 16) for k in ("probe", "kind", "flags", "major", "minor") if k in given}
    probe, delta = (int(number, 16) for number in given.get("before", "0:0").split(":"))
    before = wire.record(probe, 0, bytes.fromhex(given.get("last", ""))) if "before" in given else None
    one = wire.record(ticks=delta, body=bytes.fromhex(given["body"]), **numbers)
    return wire.record_digits(one, before, given["order"] == "big", "last" in given)


def sync(text):
    given = {k: int(v, 16) for k, v in fields(text).items()}
    return wire.sync(given.pop("stream"), **given)


def proof(text):
    key, nonce, session, rights, *form = text.split()
    return wire.proof(bytes.fromhex(key), int(nonce, 16), int(session, 16), int(rights, 16), bytes.fromhex("".join(form))).hex().upper()


def session_key(text):
    key, nonce, session, rights = text.split()
    return wire.session_key(bytes.fromhex(key), int(nonce, 16), int(session, 16), int(rights, 16)).hex().upper()


def sealed(text):
    kind, key, count, payload = text.split()
    return wire.sealed(bytes.fromhex(key), kind, int(count, 16), bytes.fromhex(payload)).decode().rstrip()


RECOMPUTE = {
    "control": control,
    "nak": lambda text: wire.stream("K", text),
    "stream": lambda text: wire.stream(*text.split()),
    "compact": lambda text: wire.compact(*text.split()),
    "record": record,
    "proof": proof,
    "session_key": session_key,
    "sealed": sealed,
    "sync": sync,
    "crc32": lambda text: f"{zlib.crc32(text.encode()):08X}",
    "crc16": lambda text: f"{wire.crc16(text.encode()):04X}",
}


def test_there_are_examples():
    assert {kind for kind, _, _ in EXAMPLES} == set(RECOMPUTE)
    assert len(EXAMPLES) == len(re.findall(r"^hex:", DOCUMENT, re.M))


# proves: R3.6 R4.40 R4.41 R4.42 R4.43 R6.1 R6.2
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
    described = re.findall(r"^\*\*([A-Z]+)\*\*, ([0-9a-f]+)", section(5), re.M)
    table = [row.split(",") for row in rows("commands.def", "DP_CMD")]
    assert described == [(row[1].strip(), f"{int(row[0], 16):02x}") for row in table]


def test_line_types_are_those_of_the_table():
    letters = {row.split(",")[0].strip("'") for row in rows("frames.def", "DP_FRAME")}
    spelled = re.search(r"Control lines\*\* \(`(\w)` request, `(\w)` answer\)", DOCUMENT).groups()
    streamed = re.search(r"Stream lines\*\* \(`([\w ]+)`\)", DOCUMENT).group(1).split()
    assert letters == {*spelled, *streamed}


def test_errors_named_exist():
    known = {row.split(",")[0] for row in rows("errors.def", "DP_ERR")}
    rules = section(2) + section(5)
    named = set(re.findall(r"\b(?:BAD|NOT|NO|REG)_[A-Z_]+\b|\b[A-Z]+_(?:OUT|RANGE)\b", rules))
    assert named and named <= known


def test_every_message_has_its_rows():
    """messages.def: a request and an answer for each command, fields for each notice; and no other message."""
    commands = [row.split(",")[1].strip().lower() for row in rows("commands.def", "DP_CMD")]
    notices = [row.split(",")[1].strip().lower() for row in rows("notices.def", "DP_NOTICE")]
    expected = {(name, kind) for name in commands for kind in ("request", "answer")}
    expected |= {(name, "notice") for name in notices} | {("sync", "line"), ("notice", "head"), ("hello", "in_use")}
    assert set(protocol_document.messages()) == expected


def test_fields_of_older_agents_stand_first():
    """Presence goes by length: behind a field that an answer may end before stand only such fields."""
    for message, fields in protocol_document.messages().items():
        later = [field.absent != "" for field in fields]
        assert later == sorted(later), message


def test_longest_lines():
    """A line has at most 128 characters, marker and newline included."""
    control = wire.control("Z", 1, 255, bytes(wire.PAYLOAD_MAX))
    stream = wire.stream("R", "0" * wire.DIGITS_MAX)
    compact = wire.compact("R", "0" * wire.DIGITS_MAX)
    assert f"the longest control line has {len(control)} characters" in section(3)
    assert f"the longest stream line has {len(stream)} characters" in section(3)
    assert f"The longest compact line has {len(compact)} characters" in section(4)
    assert max(len(control), len(stream)) <= wire.LINE_MAX == 128


def numbers(path):
    """Names and numbers of the enums of a C file."""
    text = (TOP / path).read_text(encoding="utf-8")
    return {name: int(value) for name, value in re.findall(r"^\t([A-Z_]+) = (\d+),", text, re.M)}


def test_how_long_the_host_waits():
    """Section 3.2 says what host/session does; tests/wire/test_patience.c tries the round trips."""
    waits = " ".join(section(3).split())
    c = numbers("host/session/pipeline.c") | numbers("host/session/patience.h")
    told_ms = c["SILENCE_TOLD_MS"]
    for sentence in (f"First `dprobes` waits {c['DPH_PATIENCE_START_MS']} ms",
                     f"twice as long after each time-out, up to {c['DPH_PATIENCE_START_MS'] * 2 ** c['DOUBLED_MAX'] / 1000:g} s",
                     f"at least {c['DPH_PATIENCE_MIN_MS']} ms and at most {c['DPH_PATIENCE_MAX_MS'] // 1000} s",
                     f"The {c['NAKS_MAX']}th NAK",
                     f"After BUSY `dprobes` waits {c['BUSY_PAUSE_MS']} ms, then {2 * c['BUSY_PAUSE_MS']} ms, and so on up "
                     f"to {c['BUSY_PAUSE_MAX_MS']} ms",
                     f"The request ends after {c['SILENCE_MAX_MS'] // 1000} s of BUSY in a row",
                     f"After {told_ms / 1000:g} s without an answer",
                     f"{c['SILENCE_MAX_MS'] // 1000} s without an answer",
                     f"{c['REQUEST_MAX_MS'] // 1000} s for one request",
                     f"when {c['TRIES_NOISY']} lines were sent without an answer that helps",
                     f"when it was sent {c['TRIES_LOST']} times",
                     f"a request whose answers do not help ends after {c['USELESS_MS']} ms"):
        assert sentence in waits, sentence
