# SPDX-License-Identifier: BSD-2-Clause
"""A board that gives one wrong answer again and again: each command ends within five seconds, with a documented status and
a sentence that says what came. The line has the clock of the command (lib/harness/own_time.py).
"""
import copy
import itertools
import re

import pytest

import tables
from harness import fake_agent as fake
from harness import link, own_time, wire

STATUSES = {int(number) for _, number, _ in tables.rows("host/command/cli_exits.def", "EXIT")}
LIMIT_S = 5
FAST_S = 0.003  # one way: without it answers to lines that never end would take no time
CLOSE_S = 0.8  # what ends beside the request: STOP, REMOVE and CLOSE; and --timeout
NAMES = {int(number, 0): text.strip('"') for number, _, text, *_ in tables.rows("protocol/commands.def", "DP_CMD")}
REQUESTS = (fake.HELLO, fake.LIMITS, fake.MODULE, fake.STATUS, fake.BEGIN, fake.DATA, fake.RANGES, fake.COMMIT, fake.REMOVE,
            fake.PROGRAM, fake.PROBES, fake.VARS, fake.LOG, fake.STOP, fake.RESEND, fake.MEMORY, fake.STORE)
# What the sentence has, where the request was sent and its answer was needed.
SAYS = {"busy": "with 'busy'", "other": "answers another request", "nak": "ended this session",
        "stays": "takes no more than 0 of", "foreign": "but answers with other numbers", "damaged": "came damaged",
        "hello": "but answers with other numbers"}
MODES = [*itertools.product(("busy", "other", "nak", "foreign", "damaged", "hello"), REQUESTS), ("stays", fake.DATA)]
HELLO_US = 10000  # between two answers of the stream "hello"
# An answer's number is a part of its count, so one of another request may have no right seal. The agent answers a NAK to a
# count below its highest one, and BUSY to a count that it has refused.
SEALED_SAYS = {"nak": ("nak", "busy"), "foreign": ("foreign", "damaged", "nak"), "unsealed": ("damaged",)}
SEALED_MODES = [*itertools.product(("busy", "other", "nak", "foreign", "damaged", "unsealed"),
                                  (fake.LIMITS, fake.DATA, fake.COMMIT, fake.VARS, fake.RESEND, fake.MEMORY, fake.STORE)),
                *itertools.product(("busy", "nak", "foreign", "damaged"), [fake.PROVE])]
COMMANDS = {
    "info": [], "list": [], "vars": [], "doctor": [], "insert": ["NET"], "remove": ["net"], "list --verbose": ["--verbose"],
    "run": ["NET", "--timeout", "0.1"], "run --acknowledged": ["NET", "--timeout", "0.1", "--acknowledged"],
    "log": ["--timeout", "0.1"], "log --acknowledged": ["--timeout", "0.1", "--acknowledged"], "aggs": ["NET"],
    "read": ["0x20000,64"], "write": ["*(uint32_t *)0x20000", "5", "--write"],
}


class WrongAgent(fake.FakeAgent):
    """Answers this request wrongly, each time. asked: it was sent."""

    def __init__(self, path, kind, wrong):
        self.kind, self.wrong, self.asked, self.on = kind, wrong, False, False
        super().__init__(path)
        self.resends, self.sync_each_s, self.profile = 100, 0, 1
        self.on_line = self._nak
        self.numbers, self.hello_us = itertools.cycle([0]), 0

    def _nak(self, seq, payload):
        wrong = self.on and payload[0] == self.wrong
        if wrong and not self.asked:  # one of another host, and the one that has opened this session
            self.numbers = itertools.cycle([seq ^ 0x80] + [self.opened] * (self.wrong != fake.HELLO))
        if payload[0] == fake.HELLO:
            self.opened = seq
        self.asked = self.asked or wrong
        return {"nak": fake.NAK, "hello": fake.DROP}.get(self.kind) if wrong else None

    def until(self, at):
        """In place of the answers a stream of answers to HELLO comes, one each HELLO_US."""
        if self.kind != "hello" or not self.on or not self.asked:
            self.hello_us = at
        elif self.hello_us + HELLO_US <= at:
            self.hello_us += HELLO_US
            return self.hello_us, wire.control("Z", 0, next(self.numbers), bytes([fake.HELLO, fake.OK]) + bytes(48))
        return at, b""

    def _request(self, session, seq, payload, check, key=None):
        if not self.on or payload[0] != self.wrong or self.kind not in ("foreign", "damaged", "unsealed"):
            super()._request(session, seq, payload, check, key)
            return
        self.asked, lines = True, []
        self.emit = lines.append
        super()._request(session, seq, payload, check, key)
        del self.emit
        for line in lines:
            self.emit(self._spoilt(session, line, check, key) if line.startswith(b"~Z") else line)

    def _spoilt(self, session, line, count, key):
        """The answer with the number of another request, with one digit damaged, or with the CRC in place of its seal."""
        seq, payload = int(line[2:4], 16), bytes.fromhex(line[6:-9].decode())
        if self.kind == "unsealed":
            return wire.control("Z", session, seq, payload, self.nonce)
        if self.kind == "foreign":
            return wire.sealed(key, "Z", count ^ 0x80, payload) if key else wire.control("Z", session, seq ^ 0x80, payload, self.nonce)
        return line[:-2] + (b"0" if line[-2:-1] != b"0" else b"1") + b"\n"

    def _execute(self, payload):
        if not self.on or payload[0] != self.wrong or self.kind not in ("busy", "stays", "other"):
            return super()._execute(payload)
        if self.kind == "busy":
            return bytes([payload[0], fake.BUSY])
        if self.kind == "stays":
            return bytes([fake.DATA, fake.OK]) + payload[1:3] + bytes(4)
        answer = super()._execute(payload)
        return bytes([payload[0] ^ 1]) + answer[1:]


def each_command(dprobes, tmp_path, agent, says, first, step, key=()):
    """Each step-th command, from the first on, ends in time. Prints the seconds of each."""
    net = tmp_path / "net.dp"
    net.write_text(link.NET)
    assert dprobes("insert", net, "--port", agent.url, *key, sanitized=False).status == 0
    installed = copy.deepcopy(agent.programs)
    for number, (command, words) in enumerate(list(COMMANDS.items())[first % step::step]):
        agent.on, agent.asked, agent.direct, agent.programs = True, False, None, copy.deepcopy(installed)
        line = own_time.Line(tmp_path / f"line{number}", agent, delay_s=FAST_S)
        agent.clock, agent.started = (lambda line=line: line.seconds), 0
        run = dprobes(command.split()[0], *(net if word == "NET" else word for word in words),
                      *(["--merge"] if command in ("insert", "run", "run --acknowledged") else []),
                      "--port", line.url, *key, sanitized=False, env=line.environment())
        assert line.requests, f"{command}: {run.stderr}"
        line.close()
        told = f"{command}: status {run.status} after {line.seconds:.2f} s\n{run.stdout}{run.stderr}"
        print(f"{line.seconds:5.2f} s, status {run.status}: {command}: {run.stderr.strip().splitlines()[-1:]}")
        assert run.status in STATUSES, told
        assert line.seconds <= LIMIT_S + CLOSE_S, told
        if run.status != 0 and agent.asked:  # what the doctor finds is in its report
            assert any(words in run.stderr + (run.stdout if command == "doctor" else "") for words in says), told
    agent.close()


def named(modes):
    return [pytest.param(mode, id=f"{mode[0]} {NAMES[mode[1]]}") for mode in modes]


# proves: R3.39
@pytest.mark.parametrize("mode", named(MODES))
def test_each_command_ends(dprobes, tmp_path, amount, mode):
    """Each command in the nightly run; else each sixth."""
    each_command(dprobes, tmp_path, WrongAgent(tmp_path / "agent", *mode), [SAYS[mode[0]]], MODES.index(mode), amount(6, 1))


# proves: R3.39
@pytest.mark.parametrize("mode", named(SEALED_MODES))
def test_each_command_of_a_sealed_session_ends(dprobes, tmp_path, amount, mode):
    agent, key = WrongAgent(tmp_path / "agent", *mode), tmp_path / "agent.key"
    agent.key = bytes(range(16))
    key.write_text(agent.key.hex())
    key.chmod(0o600)
    says = [*(SAYS[kind] for kind in SEALED_SAYS.get(mode[0], (mode[0],))), "torn line(s) of the agent"]
    each_command(dprobes, tmp_path, agent, says, SEALED_MODES.index(mode), amount(12, 1), ("--key", key))


class LosingAgent(WrongAgent):
    """STOP finds hits, of whose records each second one is lost; RESEND is answered wrongly, and sends none."""
    HITS = 200

    def _execute(self, payload):
        if payload[0] == fake.STOP and self.on and not self.lost:
            self.lost = True
            for number in range(self.HITS):
                self.hit(bytes([number]), lose=number % 2 == 1)
        return super()._execute(payload)

    def _send_again(self):
        self.coming_again.clear()


# proves: R4.26
@pytest.mark.parametrize("kind", ["busy", "other", "nak", "foreign", "damaged"])
def test_missing_records_end(dprobes, tmp_path, kind):
    """Many ranges are missing, and no RESEND helps: they are lost together, and told."""
    net = tmp_path / "net.dp"
    net.write_text(link.NET)
    agent = LosingAgent(tmp_path / "agent", kind, fake.RESEND)
    agent.lost, agent.on = False, True
    line = own_time.Line(tmp_path / "line", agent, delay_s=FAST_S)
    run = dprobes("run", net, "--timeout", "0.1", "--port", line.url, sanitized=False, env=line.environment())
    line.close()
    agent.close()
    told = f"status {run.status} after {line.seconds:.2f} s\n{run.stdout}{run.stderr}"
    assert agent.asked and run.status == 5, told
    lost = [int(count) for count in re.findall(r"^lost: (\d+) record\(s\) of stream 0 on the line$", run.stderr, re.M)]
    assert sum(lost) == LosingAgent.HITS // 2, told
    assert run.stdout.count("DProbes(") == LosingAgent.HITS // 2, told
    assert line.seconds <= LIMIT_S + CLOSE_S, told


class SlowAgent(WrongAgent):
    """A hit at each STATUS; RESEND is answered wrongly."""

    def _execute(self, payload):
        if payload[0] == fake.STATUS and self.on:
            self.hit(b"\1")
        return super()._execute(payload)


# proves: R4.28
@pytest.mark.parametrize("kind", ["busy", "nak", "damaged"])
def test_acknowledgements_without_an_answer(dprobes, tmp_path, kind):
    """No acknowledgement helps: the host says so, and goes on at a pace that leaves the line to others."""
    net = tmp_path / "net.dp"
    net.write_text(link.NET)
    agent = SlowAgent(tmp_path / "agent", kind, fake.RESEND)
    assert dprobes("insert", net, "--port", agent.url, sanitized=False).status == 0
    agent.on, agent.direct = True, None
    line = own_time.Line(tmp_path / "line", agent, delay_s=FAST_S)
    before = agent.lines
    run = dprobes("log", "--acknowledged", "--timeout", "30", "--port", line.url, sanitized=False, env=line.environment())
    line.close()
    agent.close()
    told = f"status {run.status} after {line.seconds:.2f} s, {agent.lines - before} lines\n{run.stdout[:400]}{run.stderr}"
    assert agent.asked and run.status == 0 and run.stdout.count("DProbes(") > 3, told
    assert run.stderr.count("has taken no request for missing records ('resend') for some seconds") == 1, told
    fast = LIMIT_S / (2 * FAST_S)  # each is sent again at once, until the host gives up
    assert agent.lines - before <= (fast if kind != "busy" else 40) + 4 * 30 + 60, told
