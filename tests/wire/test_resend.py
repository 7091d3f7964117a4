# SPDX-License-Identifier: BSD-2-Clause
"""Missing records are sent again, and acknowledged records are kept until they arrived, against the agent of
fake_agent.py: PROTOCOL.md 4.1 and 4.2."""
import re

import pytest

from harness import fake_agent as fake
from harness import wire


@pytest.fixture
def keeping(agent):
    """The agent keeps 1000 records that it has sent."""
    agent.resends = 1000
    return agent


def records_of(run):
    return [line for line in run.lines() if line.startswith("DProbes")]


def numbered(numbers, end="DProbes(3,9) ff"):
    return [*(f"DProbes(3,9) {n:02x}" for n in numbers), end]


def asked(agent):
    """Of each RESEND for records: the first number and how many."""
    fields = [(int.from_bytes(a[4:8], "big"), int.from_bytes(a[8:10], "big"))
              for command, a in agent.requests if command == fake.RESEND]
    return [(first, count) for first, count in fields if count]


# proves: R4.25 R4.26
@pytest.mark.parametrize("lost", [{3}, {0}, {8}, {2, 3, 4}, {1, 5, 9}, set(range(10))], ids=str)
def test_missing_records_come_again_in_order(keeping, logging, lost):
    running = logging("--until", "ff")
    keeping.stop_syncs()
    for n in range(10):
        keeping.hit(bytes([n]), lose=n in lost)
    keeping.hit(b"\xff")
    run = running.wait()
    assert run.lines() == numbered(range(10)) and run.status == 0
    assert asked(keeping)


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_a_record_in_pieces_comes_again(keeping, logging, lost):
    running = logging("--until", "ff$")
    body = bytes(range(150))
    keeping.hit(body, lose=(lost,))
    keeping.hit(b"\xff")
    run = running.wait()
    assert run.lines() == [f"DProbes(3,9) {body.hex()}", "DProbes(3,9) ff"] and run.status == 0


def test_the_last_record_comes_again(keeping, tool, net):
    """STOP tells that there is one more."""
    keeping.sync_each_s, keeping.ring, keeping.ring_lost = 0, [bytes([n]) for n in range(10)], 3
    run = tool("run", net, "--timeout", "0.3")
    assert records_of(run) == numbered(range(9), "DProbes(3,9) 09") and run.status == 0
    assert "lost" not in run.stdout + run.stderr


# proves: R4.25
def test_what_is_overwritten_is_lost_and_counted(agent, logging):
    agent.resends = 3
    running = logging("--until", "ff")
    agent.stop_syncs()
    agent.hit(b"\x00")
    for n in range(1, 10):
        agent.hit(bytes([n]), lose=True)
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5
    assert run.lines() == ["DProbes(3,9) 00", "DProbes(3,9) 08", "DProbes(3,9) 09", "DProbes(3,9) ff"]
    assert run.told() == ["lost: 7 record(s) of stream 0 on the line"]


@pytest.mark.parametrize("action", [fake.DROP, fake.NAK, fake.EXECUTE_SILENTLY])
def test_the_request_or_its_answer_is_lost(keeping, logging, action):
    trouble = iter([action, action])
    keeping.on_line = lambda _seq, payload: next(trouble, None) if payload[0] == fake.RESEND else None
    running = logging("--until", "ff")
    keeping.stop_syncs()
    for n in range(5):
        keeping.hit(bytes([n]), lose=n == 2)
    keeping.hit(b"\xff")
    run = running.wait()
    assert run.lines() == numbered(range(5)) and run.status == 0
    assert next(trouble, "over") == "over" or action == fake.EXECUTE_SILENTLY


def test_records_that_come_twice_are_dropped(keeping, logging):
    running = logging("--until", "ff")
    keeping.stop_syncs()
    for n in range(8):
        keeping.hit(bytes([n]), lose=n in (2, 3))
    keeping.wait(lambda: asked(keeping))
    for numbers in ((0, 1, 2), (2, 3, 4, 5), (6, 7), (3,)):  # as a line that was on its way comes late
        first = keeping.sent[0] - 8 + numbers[0]
        line, count = wire.records_line(0, first, [keeping.kept[first + n] for n in range(len(numbers))])
        assert count == len(numbers)
        keeping.emit(line)
    keeping.hit(b"\xff")
    run = running.wait()
    assert run.lines() == numbered(range(8)) and run.status == 0


def test_busy(keeping, logging):
    answers = iter([fake.BUSY] * 3)

    def on_line(_seq, payload):
        keeping.answers.pop(fake.RESEND, None)
        if payload[0] == fake.RESEND and (error := next(answers, None)):
            keeping.answers[fake.RESEND] = error

    keeping.on_line = on_line
    running = logging("--until", "ff")
    keeping.hit(b"\x01", lose=True)
    keeping.hit(b"\xff")
    run = running.wait()
    assert run.lines() == numbered([1]) and run.status == 0 and next(answers, None) is None


def test_a_refused_request_ends_the_wait(keeping, logging):
    keeping.answers[fake.RESEND] = fake.NO_RIGHT
    running = logging("--until", "ff")
    keeping.hit(b"\x01", lose=True)
    keeping.hit(b"\xff")
    run = running.wait()
    assert run.status == 5 and run.lines() == ["DProbes(3,9) ff"] and run.told() == ["lost: 1 record(s) of stream 0 on the line"]


def test_an_agent_that_promises_and_sends_nothing(keeping, logging):
    """64 requests for the same records; then they are lost."""
    running = logging("--until", "ff")
    keeping.stop_syncs()
    keeping._send_again = keeping.coming_again.clear
    keeping.hit(b"\x01", lose=True)
    keeping.hit(b"\xff")
    run = running.wait()
    assert run.status == 5 and run.lines() == ["DProbes(3,9) ff"] and run.told() == ["lost: 1 record(s) of stream 0 on the line"]
    assert len(asked(keeping)) == 64


def test_an_agent_that_keeps_nothing_is_not_asked(agent, logging):
    running = logging("--until", "ff")
    agent.hit(b"\x01", lose=True)
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5 and not asked(agent)


# ---- acknowledged --------------------------------------------------------------------------------

# proves: R4.28
@pytest.mark.parametrize("command", ["run", "log"])
def test_acknowledged(keeping, tool, dprobes, net, command):
    """Every record is acknowledged, each quarter of the ring at least; at the end the mode is the old one."""
    keeping.ring_bytes = 800  # a quarter of it: ten records of 20 bytes
    words = [net] if command == "run" else []
    if command == "log":
        assert tool("insert", net).status == 0
    running = dprobes.start(command, *words, "--acknowledged", "--port", keeping.url, "--until", "ff$")
    keeping.wait(lambda: keeping.log_mode == 2)
    keeping.wait(lambda: [number for number, _ in keeping.requests].count(fake.PROBES) > 0)
    for n in range(100):
        before = keeping.have
        keeping.hit(bytes([n]), lose=n % 7 == 0)
        if n % 10 == 9:
            keeping.wait(lambda before=before: keeping.have > before)
    keeping.hit(b"\xff")
    run = running.wait()
    assert records_of(run) == numbered(range(100)) and run.status == 0
    assert keeping.log_mode == 1


def test_acknowledged_needs_an_agent_that_keeps_records(agent, tool, net):
    run = tool("run", net, "--acknowledged", "--count", "1")
    assert run.status == 4 and not agent.programs
    assert re.search("the agent was built without .*--acknowledged.*DP_WITH_STREAM", run.stderr), run.stderr


# proves: R4.29
@pytest.mark.parametrize("command", ["run", "log"])
def test_the_time_of_a_full_ring_in_json(keeping, tool, dprobes, net, command):
    words = [net] if command == "run" else []
    if command == "log":
        assert tool("insert", net).status == 0
    keeping.full = 7_000_000
    running = dprobes.start(command, *words, "--acknowledged", "--format", "json", "--port", keeping.url,
                            "--until", "ff$")
    keeping.wait(lambda: keeping.log_mode == 2)
    keeping.wait(lambda: [number for number, _ in keeping.requests].count(fake.PROBES) > 0)
    keeping.sync()
    keeping.dropped[0] += 3
    keeping.full += keeping.hz // 2
    keeping.sync(ticks=1 << 40)
    keeping.hit(b"\xff")
    run = running.wait()
    assert run.status == 5
    full = {"kind": "ring full", "stream": 0, "count": 3, "ticks": keeping.hz // 2, "seconds": 0.5}
    assert run.objects().count(full) == 1


@pytest.mark.parametrize("target", ["com2", "none"])
def test_records_of_another_line_are_not_acknowledged(keeping, tool, net, target):
    run = tool("run", net, "--acknowledged", "--log-target", target)
    assert run.status == 1 and not keeping.programs and keeping.log_mode == 1
    assert "--acknowledged keeps records for this line (com1)" in run.stderr


@pytest.mark.parametrize("action", [None, fake.DROP, fake.NAK, fake.EXECUTE_SILENTLY], ids=str)
def test_drops_are_told_although_the_last_sync_is_lost(keeping, dprobes, net, action):
    """STATUS at the end tells them, also when the request or its answer is lost and the request is sent again."""
    trouble = []

    def on_line(_seq, payload):
        if payload[0] == fake.STOP:
            trouble.append(action)
        return trouble.pop() if payload[0] == fake.STATUS and trouble else None

    keeping.on_line = on_line
    running = dprobes.start("run", net, "--port", keeping.url, "--until", "ff$")
    keeping.wait(lambda: keeping.programs)
    keeping.wait(lambda: [number for number, _ in keeping.requests].count(fake.PROBES) > 0)
    keeping.sync()
    keeping.stop_syncs()
    keeping.sync = lambda *_: None
    keeping.dropped[0] += 3
    keeping.hit(b"\xff")
    run = running.wait()
    assert run.status == 5 and "lost: 3 record(s) of stream 0 found the agent's ring full" in run.stderr
    assert run.stderr.count("ring full") == 1 and not trouble


# proves: R5.64
def test_what_the_agent_never_sends_is_told(keeping, tool, net):
    """The agent answers, and its transmitter sends nothing of its ring: the records are counted as lost."""
    keeping.sync_each_s, keeping.ring = 0, [bytes([n]) for n in range(10)]
    keeping._later = lambda *_: None
    run = tool("run", net, "--timeout", "0.3")
    assert run.status == 5 and "lost: 10 record(s) of stream 0 on the line" in run.stderr, run.stderr
    assert not records_of(run) and not keeping.programs


def test_two_modes(agent, tool, net):
    run = tool("run", net, "--acknowledged", "--log-mode", "buffered")
    assert run.status == 1 and "leave --log-mode out" in run.stderr
