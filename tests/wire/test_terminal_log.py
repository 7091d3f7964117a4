# SPDX-License-Identifier: BSD-2-Clause
"""`dprobes report` reads what a terminal program, or a lab, has written of a line."""
import random
import re

import pytest

from harness import fake_agent as fake, wire
from harness.link import hit_while_installed
from harness.typist import Typist

FORMS = [pytest.param(False, id="hex"), pytest.param(True, id="compact")]
# An answer to HELLO, from its command on: version, boot, CPU, 4 bytes a word, big-endian, the rest.
BIG = bytes([fake.HELLO, 0]) + bytes([wire.VERSION, 0, 1, 1, 4, 1, 0, 1, 3, 8, 1, 15]) + bytes(56 - 14)
RECORDS = [wire.record(2 + n // 3, 5000 + 7 * n, (0x8001F2A4 + n).to_bytes(4, "little") + (n * n).to_bytes(4, "little")) for n in range(9)]
CHARACTERS = b"0123456789ABCDEF#$%&'()*+abcrsp~\r\n"  # of lines, most of them
LONG = wire.record(4, 9000, bytes(range(100)))


def lines(compact, records=RECORDS, first=0, whole=True):
    found = []
    while records:
        line, count = wire.records_line(0, first, records, whole, in_compact=compact)
        found, records, first, whole = found + [line], records[count:], first + count, False
    return found


def rows(dprobes, tmp_path, log, status=0):
    (tmp_path / "terminal.log").write_bytes(log)
    found = dprobes("report", "terminal.log", "--format", "json", cwd=tmp_path)
    assert found.status == status, found.stderr
    return found.objects(), found.stderr


def told(objects):
    return [(one["probe"], one.get("ticks"), one["data"]) for one in objects if one["kind"] == "log"]


def wanted(*records):
    return [(one.probe, one.ticks, one.body.hex()) for one in records]


# proves: R4.45
@pytest.mark.parametrize("compact", FORMS)
def test_records_between_text(dprobes, tmp_path, compact):
    """Text of the firmware, stamps of a lab, carriage returns of a terminal, the rest of a line at the begin."""
    log = b"2A405512CF8001F2A4057F39\nScript started\r\n" + b"".join(
        b"hello\r\n[12:00:01.5] " + line.replace(b"\n", b"\r\r\n")
        for line in lines(compact) + wire.pieces(0, len(RECORDS), LONG, in_compact=compact)) + b"demo> "
    found, said = rows(dprobes, tmp_path, log)
    assert told(found) == wanted(*RECORDS, LONG)
    assert said.count("hello") == len(re.findall(b"hello", log)) and "~" not in said and "demo> " in said


# proves: R4.44
@pytest.mark.parametrize("compact", FORMS)
def test_losses_have_counts(dprobes, tmp_path, compact):
    """A damaged line, a record that comes again, a restart."""
    parts = [lines(compact, RECORDS[n:n + 3], n) for n in (0, 3, 6)]
    damaged = [line[:-4] + bytes([line[-4] ^ 1]) + line[-3:] for line in parts[1]]
    found, _said = rows(dprobes, tmp_path, b"".join([*parts[0], *damaged, *parts[2]]), 5)
    assert told(found) == wanted(*RECORDS[:3], *RECORDS[6:])
    assert [one["count"] for one in found if one["kind"] == "records lost"] == [3]
    found, _said = rows(dprobes, tmp_path, b"".join([*parts[0], *damaged, *parts[2], *parts[1]]))
    assert told(found) == wanted(*RECORDS)
    again = [wire.sync(0, 9000, 0, 7, len(RECORDS)), wire.sync(0, 10, 0, 8, 0)]
    found, _said = rows(dprobes, tmp_path, b"".join([*lines(compact), *again, *lines(compact)]))
    assert told(found) == wanted(*RECORDS, *RECORDS)


@pytest.mark.parametrize("compact", FORMS)
def test_damaged_logs(dprobes, tmp_path, compact, amount):
    """No record is invented, and each one comes once, in its order. Without a line S the time is unknown."""
    chance = random.Random(11)
    log = b"".join([*lines(compact), *wire.pieces(0, len(RECORDS), LONG, in_compact=compact)])
    everything = wanted(*RECORDS, LONG)
    for _ in range(amount(20, 1000)):
        damaged = bytearray(log)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(damaged))
            if chance.random() < 0.8:
                damaged[at] ^= 1 << chance.randrange(3)  # mostly another character of a line
            else:
                damaged[at:at + chance.randint(0, 1)] = chance.choices(CHARACTERS, k=chance.randint(0, 2))
        (tmp_path / "terminal.log").write_bytes(damaged)
        found = dprobes("report", "terminal.log", "--format", "json", cwd=tmp_path)
        assert found.status in (0, 1, 5), (found.stderr, damaged)
        places = [next(n for n, record in enumerate(everything) if one in (record, (record[0], None, record[2]))) for one in told(found.objects())]
        assert places == sorted(set(places)), damaged


def test_an_answer_to_hello_tells_the_order_of_bytes(dprobes, tmp_path):
    log = b"".join(lines(True))
    assert told(rows(dprobes, tmp_path, log)[0])[0][2] == RECORDS[0].body.hex()
    swapped = told(rows(dprobes, tmp_path, log + wire.control("Z", 0, 1, BIG))[0])
    assert swapped[0][2] == RECORDS[0].body[3::-1].hex() + RECORDS[0].body[:3:-1].hex()


@pytest.mark.parametrize("compact", FORMS)
def test_a_line_that_a_command_used(agent, dprobes, net, tmp_path, compact):
    """Each line of records that the command read is in the log of the line, and the log has the records."""
    agent.compacts = compact
    line = Typist(tmp_path / "line", agent.path)
    hit_while_installed(agent, 3)
    live = dprobes("run", net, "--port", line.url, "--compact", "auto" if not compact else "on", "--count", "3", "--format", "raw")
    line.close()
    assert live.status == 0, live.stderr
    read = [row for row in live.lines() if row[1:2].upper() in "RS"]
    assert read and all(row[1:2].islower() == compact for row in read)
    (tmp_path / "terminal.log").write_bytes(bytes(line.text))
    found = dprobes("report", "terminal.log", "--format", "raw", cwd=tmp_path)
    assert found.status == 0 and [row for row in found.lines() if row[1:2].upper() in "RS"][:len(read)] == read


NO_LOGS = {"empty": b"", "text": b"hello\n", "no-newline": b"hello", "digits": b"~S0016\n", "zeros": b"\0" * 5000}


@pytest.mark.parametrize("log", NO_LOGS.values(), ids=NO_LOGS)
def test_no_log(dprobes, tmp_path, log):
    (tmp_path / "notes").write_bytes(log)
    found = dprobes("report", "notes", cwd=tmp_path)
    assert found.status == 1 and found.stdout == ""
    assert ("notes is no capture of 'dprobes': its first line is not 'dprobes capture 1'; and it is no log of a terminal: no line of it "
            "is a record, a sync or a notice\n") in found.stderr
