# SPDX-License-Identifier: BSD-2-Clause
"""Records as they come, against the agent of fake_agent.py: each once, whole and in order, or counted."""
import json
import re
import threading

import pytest

from harness import fake_agent as fake
from harness import wire

def hexdata(body):
    return body.hex()


def test_records_with_items(agent, logging):
    """decisions.txt C131, C132, C134, C135: the name, the order of the items, two digits a byte, the counter."""
    running = logging("--count", "2", items="all")
    agent.hit(b"\x01\x00\xff", items={"cpu": 2, "name": b"idle", "pid": 7, "pc": 0x60001234,
                                      "sp": 0x20000ff0, "tsc": 0x1_00000002})
    agent.hit(b"", point=1)
    run = running.wait()
    assert run.status == 0
    assert run.lines() == [
        "DProbes(3,9) cpu=2 name=idle pid=7 pc=60001234 sp=20000ff0 tsc=00000001:00000002 0100ff",
        "DProbes(3,10) cpu=0 name= pid=0 pc=00000000 sp=00000000 tsc=00000000:00000000"]


# proves: R4.37
@pytest.mark.parametrize("derives", [False, True])
def test_items_that_the_host_derives(agent, logging, derives):
    """PC is the address of the probe, TSC the record's time: an agent that sends neither shows the same text."""
    agent.derives = derives
    running = logging("--count", "2", items="pid,pc,tsc")
    assert agent.programs[0].items == (0xC4 if derives else 0x2C)
    for point, (ticks, pc) in enumerate([(0x1_00000002, 0x1000), (0x1_00000003, 0x1010)]):
        agent.hit(b"\xff", point=point, ticks=ticks, items={"pid": 7, "pc": pc, "tsc": ticks})
    run = running.wait()
    assert run.status == 0
    assert run.lines() == ["DProbes(3,9) pid=7 pc=00001000 tsc=00000001:00000002 ff",
                           "DProbes(3,10) pid=7 pc=00001010 tsc=00000001:00000003 ff"]


@pytest.mark.parametrize("change,items", [("phase = after\n", 0x88), ("modtype = kmod\n", 0x88), ("minor = 3\n", 0xC0)])
def test_the_place_of_a_hit_that_is_not_its_probe_is_sent(agent, tool, tmp_path, change, items):
    agent.derives = True
    (tmp_path / "p.dp").write_text("name = p\n" + (change if "modtype" in change else "") +
                                   "offset = 0x1000\nopcode = 0xe1a00000\n" + (change if "modtype" not in change else "") + "push 1\nlog 1\nexit\n")
    run = tool("insert", tmp_path / "p.dp", "--log", "pc,tsc")
    assert run.status == 0, run.stderr
    assert agent.programs[0].items == items
    assert tool("list", "--format", "json").objects()[0]["items"] == "pc,tsc"


@pytest.mark.parametrize("ticks", [2**63, 2**64 - 1])
def test_a_clock_that_cannot_be_right(agent, logging, ticks):
    """A tick a second, for longer than there are years of 64 bits of ns: times are as told, and the day is not known."""
    agent.hz = 1
    agent._ticks = lambda: ticks
    running = logging("--count", "1", "--format", "json")
    agent.hit(b"ab")
    run = running.wait()
    assert run.status == 0, run.stderr
    record, = run.objects()
    assert record["data"] == "6162" and record["ticks"] == ticks


def test_records_as_json(agent, logging):
    running = logging("--count", "3", "--format", "json", items="pid")
    agent.hit(b"ab", items={"pid": 5})
    agent.hit(b"c", flags=1, major=8, minor=90)
    agent.records(wire.record(0, agent._ticks(), b"trace", kind=1, flags=0x10))
    run = running.wait()
    records = run.objects()
    assert [r["kind"] for r in records] == ["log", "log", "trace"]
    assert records[0]["program"] == "net" and records[0]["pid"] == 5
    assert records[0]["data"] == "6162"
    assert (records[1]["major"], records[1]["minor"]) == (8, 90) and records[1]["exception"]
    assert records[2]["truncated"] and records[2]["data"] == hexdata(b"trace")
    assert run.status == 0


@pytest.mark.parametrize("length", [0, 1, 4, 14, 15, 16, 44, 45, 46, 47, 48, 54, 55, 56, 57, 100, 112, 113, 1024, 4092, 4095])
def test_records_of_every_length(agent, logging, length):
    """14/15: length form; 4n: words; 51..57: one line or two; 4095: the longest there is."""
    running = logging("--count", "1")
    body = bytes(n * 7 & 0xFF for n in range(length))
    agent.hit(body)
    run = running.wait()
    assert run.status == 0
    assert run.lines() == [f"DProbes(3,9) {hexdata(body)}".rstrip()]


def test_several_records_share_a_line(agent, logging):
    running = logging("--count", "5")
    number = agent.programs[0].numbers[0]
    agent.records(*(wire.record(number, 5, bytes([n])) for n in range(5)))
    assert running.wait().lines() == [f"DProbes(3,9) 0{n}" for n in range(5)]


# proves: R4.10 R4.11
def test_sync_between_pieces(agent, logging):
    """Pieces need not be neighbours: sync and notice lines may stand between."""
    running = logging("--count", "1")
    with agent.lock:
        first, second = wire.pieces(0, agent.sent[0], wire.record(0, 5, bytes(81)))
        agent.emit(first)
        agent.sync()
        agent.emit(second)
        agent.sent[0] += 1
    run = running.wait()
    assert run.lines() == [f"DProbes(3,9) {'00' * 81}"] and run.status == 0


# proves: R4.1 R4.14 R4.21
def test_lost_line_is_counted_with_the_next_line(agent, logging):
    running = logging("--until", "ff")
    agent.stop_syncs()
    agent.hit(b"\x01")
    number = agent.programs[0].numbers[0]
    agent.records(*(wire.record(number, 5, b"\x02") for _ in range(4)), lose=True)
    agent.hit(b"\x03")
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5
    assert run.lines() == ["DProbes(3,9) 01", "DProbes(3,9) 03", "DProbes(3,9) ff"]
    assert run.told() == ["lost: 4 record(s) of stream 0 on the line"]


@pytest.mark.parametrize("count", [300, 4095, 4096, 5000])
def test_many_lost_records_are_counted_exactly(agent, logging, count):
    """A number in a line has 12 bits; the sync has 32."""
    running = logging("--until", "ff", "--format", "json")
    agent.stop_syncs()
    agent.hit(b"\x01")
    with agent.lock:  # no answer in between tells of a part of them
        for _ in range(count):
            agent.hit(b"\x02", lose=True)
        agent.sync()
        agent.hit(b"\xff")
    gaps = [o for o in running.wait().objects() if o["kind"] == "records lost"]
    assert [gap["count"] for gap in gaps] == [count]


def test_a_lost_sync_line_is_no_loss(agent, logging):
    running = logging("--until", "ff")
    agent.sync(lose=True)
    agent.hit(b"\x01")
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 0 and run.lines() == ["DProbes(3,9) 01", "DProbes(3,9) ff"]


# proves: R4.22
def test_a_lost_notice_is_told(agent, logging):
    """With the next notice, or with the next sync. No record is lost."""
    running = logging("--until", "ff")
    agent.stop_syncs()
    agent.notice(5, b"\0\1", lose=True)
    agent.notice(5, b"\0\2")
    for _ in range(2):
        agent.notice(5, b"\0\3", lose=True)
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 0
    assert run.lines() == ["DProbes(3,9) ff"]
    assert run.told() == ["lost: 1 notice(s) of stream 0 on the line", run.told()[1], "lost: 2 notice(s) of stream 0 on the line"]
    assert run.told()[1].startswith("notice:")


# proves: R4.11
@pytest.mark.parametrize("lost", [0, 1, 2])
def test_record_with_a_lost_piece_never_comes_out(agent, logging, lost):
    running = logging("--until", "ff")
    agent.stop_syncs()
    agent.hit(bytes(150), lose=(lost,))
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5
    assert run.lines() == ["DProbes(3,9) ff"] and run.told() == ["lost: 1 record(s) of stream 0 on the line"]


# proves: R7.7
def test_dropped_and_missed(agent, logging):
    running = logging("--until", "ff")
    agent.sync()
    agent.dropped[0] += 12
    agent.missed[0] += 3
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5
    assert run.lines() == ["DProbes(3,9) ff"]
    assert "lost: 12 record(s) of stream 0 found the agent's ring full" in run.stderr
    assert "missed: 3 hit(s)" in run.stderr


# proves: R4.13
@pytest.mark.parametrize("hz, told", [(1_000_000, "for 0.250000 s"), (0, "for 250000 tick(s)")],
                         ids=["clock", "no clock"])
def test_the_time_of_a_full_ring_is_told_at_the_end(agent, logging, hz, told):
    """What was full before the session does not count."""
    agent.full, agent.hz = 7_000_000, hz
    running = logging("--until", "ff")
    agent.sync()
    agent.dropped[0] += 12
    for at, ticks in enumerate((200_000, 50_000)):
        agent.full += ticks
        agent.sync(ticks=(1 + at) << 40)
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5 and run.lines() == ["DProbes(3,9) ff"]
    assert run.told()[-1] == f"ring full: {told} records found the agent's ring full, 12 record(s) of stream 0"


@pytest.mark.parametrize("drops, told", [(0, []), (2, ["for 1.000000 s"])])
def test_a_full_ring_of_an_earlier_command_is_not_told(agent, logging, drops, told):
    """The records of that command found the ring full for a minute, and the first record of this one had room: now the agent
    adds the minute. Where records of this command find no room either, the time since the last sync counts at most."""
    running = logging("--until", "ff")
    agent.stop_syncs()
    agent.sync(ticks=100_000_000)
    agent.dropped[0] += drops
    agent.full += 60_000_000
    agent.sync(ticks=101_000_000)
    agent.hit(b"\xff", ticks=101_000_001)
    run = running.wait()
    assert run.status == (5 if drops else 0)
    assert re.findall(r"^ring full: (for [\d.]+ s)", run.stderr, re.M) == told


def test_a_ring_that_was_not_full_is_not_told(agent, logging):
    agent.full = 7_000_000
    running = logging("--until", "ff")
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 0 and run.lines() == ["DProbes(3,9) ff"]


@pytest.fixture
def untimed(agent):
    """An agent without sync lines: the host asks what it counted."""
    agent.without, agent.hz = {fake.TIMES_PART}, 0
    return agent


def asked_again(agent):
    before = len(agent.requests)
    agent.wait(lambda: len(agent.requests) > before and agent.requests[-1][0] == fake.STATUS)


def test_losses_without_syncs(untimed, logging):
    running = logging("--until", "ff")
    untimed.hit(b"\x01", ticks=0)
    number = untimed.programs[0].numbers[0]
    untimed.records(*(wire.record(number, 0, b"\x02") for _ in range(4)), lose=True)
    untimed.dropped[0] += 12
    untimed.hit(b"\x03", ticks=0)
    asked_again(untimed)
    untimed.hit(b"\xff", ticks=0)
    run = running.wait()
    assert run.status == 5
    assert run.lines() == ["DProbes(3,9) 01", "DProbes(3,9) 03", "DProbes(3,9) ff"]
    assert [line.split(";")[0] for line in run.told()] == [
        "lost: 4 record(s) of stream 0 on the line", "lost: 12 record(s) of stream 0 found the agent's ring full"]


def test_a_stored_answer_counts_nothing(untimed, logging):
    """Made before the records that came between: it would look as if more had come than were sent."""
    running = logging("--until", "ff", "--format", "json")
    silent = iter([fake.EXECUTE_SILENTLY])

    def late(_seq, payload):
        if payload[0] != fake.STATUS:
            return None
        action = next(silent, None)
        if action:
            threading.Timer(0.02, lambda: untimed.hit(b"\x01", ticks=0)).start()
        return action

    untimed.on_line = late
    asked_again(untimed)
    asked_again(untimed)
    untimed.hit(b"\xff", ticks=0)
    run = running.wait()
    assert run.status == 0, run
    assert [(o["kind"], o["data"], o.get("seconds")) for o in run.objects()] == [
        ("log", "01", None), ("log", "ff", None)]


def test_missed_hits_alone_are_no_loss(agent, logging):
    running = logging("--until", "ff")
    agent.missed[0] += 3
    agent.sync()
    agent.hit(b"\xff")
    assert running.wait().status == 0


# proves: R4.8
def test_withdrawn_record_is_suppressed(agent, logging):
    running = logging("--until", "ff")
    number = agent.programs[0].numbers[0]
    agent.records(wire.record(number, 100, b"\x01"), wire.record(number, 200, b"\x02"))
    agent.records(wire.record(number, 200, kind=2))
    agent.hit(b"\xff")
    run = running.wait()
    assert run.lines() == ["DProbes(3,9) 01", "DProbes(3,9) ff"] and run.status == 0


def test_late_withdraw_is_told(agent, logging):
    running = logging("--until", "ff")
    agent.records(wire.record(0, 100, b"\x01"))
    running.out.expect("DProbes")
    agent.records(wire.record(0, 100, kind=2))
    agent.hit(b"\xff")
    assert "withdrawn: the record of probe 0 at tick 64 is void" in running.wait().stderr


# proves: R4.12
@pytest.mark.parametrize("digits", [
    "",             # no record
    "0",            # cut
    "4 00",         # the same probe, and no record before
    "1 00 123 00",  # a delta of the first record
    "80 00 00",     # X is 0
    "88 00 00",     # an unknown bit of X
    "81 00 F01 00", # an unknown kind
    "81 00 020 00", # an unknown flag
    "81 00 000 00", # kind and flags of a plain record
    "81 00 004 00", # the flag CODES without codes
    "0F0 00",       # a probe number from F0 on
    "84 00 F00E" + "00" * 14,      # a longer length than needed
    "84 00 2 0102 0",              # digits left over
    "000 10F",                     # a leading zero
    "000 00 5000 00",              # a delta of 0 with digits
    "000 00 6 00FFF 00",           # a longer delta than needed
    "000 9F"])                     # the units end too soon
def test_what_is_no_record_is_dropped_and_counted(agent, logging, digits):
    running = logging("--until", "ff")
    agent.raw(digits.replace(" ", ""))
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5 and "makes no sense" in run.stderr
    assert run.lines() == ["DProbes(3,9) ff"]


def test_streams_are_apart(agent, logging):
    """Line numbers and counts are per stream (CPU); order is kept within each."""
    running = logging("--count", "8", "--format", "json")
    for n in range(2):
        for stream in (0, 3, 15, 7):
            agent.hit(bytes([n]), stream=stream)
    run = running.wait()
    assert run.status == 0
    assert sorted((r["stream"], r["data"]) for r in run.objects()) == [
        (stream, data) for stream in (0, 3, 7, 15) for data in ("00", "01")]


# proves: R4.15
def test_ticks_are_extended(agent, logging):
    """From the record before; a sync in between tells nothing."""
    running = logging("--count", "5", "--format", "json")
    agent.stop_syncs()
    times = [0x7_FFFFEFFF, 0x8_00000001, 0x8_7FFFFFFF, 0x9_80000000, 0x9_7FFFFFFF]
    for at in times:
        agent.sync(ticks=0x10_00000000)
        agent.hit(b"", ticks=at)
    records = running.wait().objects()
    assert [r["ticks"] for r in records] == times
    assert records[0]["seconds"] == pytest.approx(0x7_FFFFEFFF / 1e6)


def test_notices(agent, logging):
    running = logging("--until", "ff")
    agent.notice(3, (0x60001234).to_bytes(4, "big") + (0xE7F001F8).to_bytes(4, "big"))
    agent.notice(99)
    agent.hit(b"\xff")
    told = running.wait().told()
    assert told[0].startswith("notice: a trap word was hit") and "pc=60001234" in told[0]
    assert told[1] == "notice: an event that this dprobes does not support"


def test_raw_is_what_came(agent, logging):
    """decisions.txt C133: hex on the line."""
    running = logging("--count", "2", "--format", "raw")
    first = agent.records(wire.record(0, 1, b"\x01"))
    agent.hit(b"\x02")
    lines = running.wait().lines()
    records = [line for line in lines if line[1] in "RS"]
    assert first == [records[0].encode() + b"\n"] and len(records) == 2
    assert all(wire.stream(line[1], line[2:-4]) == line.encode() + b"\n" for line in lines)


def test_records_during_the_insert_are_decoded(agent, dprobes, net):
    """Hits before the host knows what the probe numbers mean."""
    def on_line(_seq, payload):
        if payload[0] == fake.PROGRAM and agent.programs:
            agent.hit(b"\x01", items={"pid": 4})
    agent.on_line = on_line
    run = dprobes("run", net, "--log", "pid", "--count", "3", "--port", agent.url)
    assert run.lines()[:3] == ["DProbes(3,9) pid=4 01"] * 3 and run.status == 0


def test_json_is_one_object_a_line(agent, logging):
    running = logging("--format", "json", "--until", "ff")
    agent.notice(5, b"\0\1")
    agent.hit(b"\x01", lose=True)
    agent.hit(b"\x02")
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert [json.loads(line)["kind"] for line in run.lines()] == ["notice", "records lost", "log", "log"]
