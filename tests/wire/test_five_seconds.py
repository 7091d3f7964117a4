# SPDX-License-Identifier: BSD-2-Clause
"""A board that gives one wrong answer again and again: each command ends within five seconds, with a documented status and
a sentence that says what came. The line has the clock of the command (lib/harness/own_time.py).
"""
import copy
import itertools

import pytest

import tables
from harness import fake_agent as fake
from harness import link, own_time

STATUSES = {int(number) for _, number, _ in tables.rows("host/command/cli_exits.def", "EXIT")}
LIMIT_S = 5
FAST_S = 0.003  # one way: without it answers to lines that never end would take no time
CLOSE_S = 0.8  # what ends beside the request: STOP, REMOVE and CLOSE; and --timeout
NAMES = {int(number, 0): text.strip('"') for number, _, text, *_ in tables.rows("protocol/commands.def", "DP_CMD")}
REQUESTS = (fake.HELLO, fake.LIMITS, fake.MODULE, fake.STATUS, fake.BEGIN, fake.DATA, fake.RANGES, fake.COMMIT, fake.REMOVE,
            fake.PROGRAM, fake.PROBES, fake.VARS, fake.LOG, fake.STOP, fake.RESEND)
# What the sentence has, where the request was sent and its answer was needed.
SAYS = {"busy": "with 'busy'", "other": "answers another request", "nak": "ended this session",
        "stays": "takes no more than 0 of"}
MODES = [*itertools.product(("busy", "other", "nak"), REQUESTS), ("stays", fake.DATA)]
COMMANDS = {
    "info": [], "list": [], "vars": [], "doctor": [], "insert": ["NET"], "remove": ["net"], "list --verbose": ["--verbose"],
    "run": ["NET", "--timeout", "0.1"], "run --acknowledged": ["NET", "--timeout", "0.1", "--acknowledged"],
    "log": ["--timeout", "0.1"], "log --acknowledged": ["--timeout", "0.1", "--acknowledged"], "aggs": ["NET"],
}


class WrongAgent(fake.FakeAgent):
    """Answers this request wrongly, each time. asked: it was sent."""

    def __init__(self, path, kind, wrong):
        self.kind, self.wrong, self.asked, self.on = kind, wrong, False, False
        super().__init__(path)
        self.resends, self.sync_each_s = 100, 0
        self.on_line = self._nak

    def _nak(self, _seq, payload):
        self.asked = self.asked or (self.on and payload[0] == self.wrong)
        return fake.NAK if self.on and self.kind == "nak" and payload[0] == self.wrong else None

    def _execute(self, payload):
        if not self.on or payload[0] != self.wrong:
            return super()._execute(payload)
        if self.kind == "busy":
            return bytes([payload[0], fake.BUSY])
        if self.kind == "stays":
            return bytes([fake.DATA, fake.OK]) + payload[1:3] + bytes(4)
        answer = super()._execute(payload)
        return bytes([payload[0] ^ 1]) + answer[1:]


@pytest.mark.parametrize("mode", [pytest.param(mode, id=f"{mode[0]} {NAMES[mode[1]]}") for mode in MODES])
def test_each_command_ends(dprobes, tmp_path, amount, mode):
    """Each command in the nightly run; else every fourth. Prints the seconds of each."""
    net = tmp_path / "net.dp"
    net.write_text(link.NET)
    agent = WrongAgent(tmp_path / "agent", *mode)
    assert dprobes("insert", net, "--port", agent.url, sanitized=False).status == 0
    installed = copy.deepcopy(agent.programs)
    first, step = MODES.index(mode) % amount(4, 1), amount(4, 1)
    for number, (command, words) in enumerate(list(COMMANDS.items())[first::step]):
        agent.on, agent.asked, agent.direct, agent.programs = True, False, None, copy.deepcopy(installed)
        line = own_time.Line(tmp_path / f"line{number}", agent, delay_s=FAST_S)
        run = dprobes(command.split()[0], *(net if word == "NET" else word for word in words),
                      *(["--merge"] if command in ("insert", "run", "run --acknowledged") else []),
                      "--port", line.url, sanitized=False, env=line.environment())
        assert line.requests, f"{command}: {run.stderr}"
        line.close()
        told = f"{command}: status {run.status} after {line.seconds:.2f} s\n{run.stdout}{run.stderr}"
        print(f"{line.seconds:5.2f} s, status {run.status}: {command}: {run.stderr.strip().splitlines()[-1:]}")
        assert run.status in STATUSES, told
        assert line.seconds <= LIMIT_S + CLOSE_S, told
        if run.status != 0 and agent.asked:
            assert SAYS[mode[0]] in run.stderr, told
    agent.close()
