# SPDX-License-Identifier: BSD-2-Clause
"""How many turns of the line a command takes. On a line that is late: test_slow_line.py.

A turn is one wait for answers. On an adapter with 16 ms of latency each turn costs 16 ms, over a network more.
"""
import pytest

from harness import fake_agent as fake
from harness import noisyline
from harness import turns as turn_line

WINDOW = 8
PROGRAM = "name = p{n}\nid = {n}\nvars = 40\naddress = 0x1000\nopcode = 0x01020304\nminor = 1\n{body}exit\n"


@pytest.fixture
def agent(tmp_path):
    made = fake.FakeAgent(tmp_path / "agent", window=WINDOW)
    yield made
    made.close()


@pytest.fixture
def counting(agent, dprobes, tmp_path):
    """Runs dprobes and returns the turns it took."""
    lines = []

    def run(*words, until=None):
        line = turn_line.TurnLine(tmp_path / f"line{len(lines)}", agent.path)
        lines.append(line)
        running = dprobes.start(*words, "--port", line.url)
        line.watch(running.process)
        result = until(running) if until else running.wait()
        assert result.status == 0, result.stderr
        return line.turns

    yield run
    for line in lines:
        line.close()


@pytest.fixture
def program(dprobes, tmp_path):
    """Builds a program; size is what the agent is sent."""
    def build(n, body=""):
        source, built = tmp_path / f"p{n}.dp", tmp_path / f"p{n}.ppdf"
        source.write_text(PROGRAM.format(n=n, body=body))
        assert dprobes("build", source, "-o", built).status == 0
        return built
    return build


def travels(built):
    return int.from_bytes(built.read_bytes()[8:12], "big")


# proves: R3.19
def test_insert_of_one_probe(counting, program):
    """hello; image, limits and begin; data; commit. Then close, when the result is known."""
    assert counting("insert", program(1)) == 4 + 1


# proves: R3.19
def test_upload(counting, program):
    """41 pieces of 48 bytes: twelve turns at most."""
    built = program(1, "push 0x123456\npop lv, 1\n" * 248)
    assert 40 * 48 < travels(built) <= 41 * 48
    assert counting("insert", built) <= 12


def test_walks(agent, dprobes, counting, program):
    """However many programs are installed; 18 to 49 turns when each was asked for by itself."""
    for n in range(3):
        assert dprobes("insert", program(n), "--port", agent.url).status == 0
    agent.gvars = [0] * 60
    assert counting("list") <= 5
    assert counting("vars") <= 7
    assert counting("remove", "p1") <= 5
    assert len(agent.programs) == 2
    assert counting("remove", "--all") <= 3
    assert counting("list") <= 3


POINTS = 30
SPREAD = "name = spread\n" + "".join(f"address = {0x1000 + 4 * n:#x}\nopcode = {n:#x}\nminor = {n}\nexit\n" for n in range(POINTS))


def spread(agent, dprobes, tmp_path):
    source = tmp_path / "spread.dp"
    source.write_text(SPREAD)
    assert dprobes("insert", source, "--port", agent.url).status == 0
    agent.programs[0].hits = [0x01010101 * n for n in range(POINTS)]
    agent.requests.clear()


# proves: R5.68
def test_a_list_asks_for_three_probes_at_once(agent, dprobes, tmp_path, monkeypatch):
    """An agent without PROBES is asked for each, and so is one with part 41, whose rows are longer. A row that does not
    fit its answer takes a request more."""
    def listed():
        result = dprobes("list", "--format", "json", "--port", agent.url)
        assert result.status == 0, result.stderr
        asked = [command for command, _ in agent.requests]
        agent.requests.clear()
        return result.objects(), asked.count(fake.PROBES), asked.count(fake.PROBE)

    spread(agent, dprobes, tmp_path)
    by_three, rows, single = listed()
    assert (rows, single) == (POINTS // 3, 0)
    agent.without = (fake.PROBES_PART,)
    monkeypatch.setattr(fake, "PARTS", fake.PARTS | 1 << 41)
    one_by_one, rows, single = listed()
    assert (rows, single) == (0, POINTS)
    agent.without, agent.row_room = (), 16
    short, rows, single = listed()
    assert (rows, single) == (POINTS // 3, 2 * POINTS // 3)
    assert by_three == one_by_one == short and [probe["minor"] for probe in by_three[0]["probes"]] == list(range(POINTS))


# proves: R5.68
def test_rows_that_end_early(agent, dprobes, tmp_path):
    """A row that an answer does not hold whole is asked for by PROBE."""
    def listed():
        result = dprobes("list", "--format", "json", "--port", agent.url)
        assert result.status == 0, result.stderr
        asked = [command for command, _ in agent.requests].count(fake.PROBE)
        agent.requests.clear()
        return result.objects(), asked

    spread(agent, dprobes, tmp_path)
    whole, _ = listed()
    for agent.row_cut, left_out in ((1, 1), (agent.row_room, 3)):
        assert listed() == (whole, left_out * POINTS // 3)


def test_a_long_list(agent, dprobes, counting, tmp_path):
    """30 probes in 10 requests, 8 in a window."""
    spread(agent, dprobes, tmp_path)
    assert counting("list") <= 6


def test_run_ends(agent, dprobes, counting, program):
    """From the last record to the end: stop, counts, program, probes, variables, remove, what is left of the stream."""
    def until(running):
        agent.wait(lambda: any(command == fake.PROBES for command, _ in agent.requests))
        asked = len(agent.requests)
        agent.hit(b"\x01")
        result = running.wait()
        assert len(agent.requests) - asked <= 11, agent.requests[asked:]
        return result
    assert counting("run", program(1), "--count", "1", "--quiet", until=until) <= 17


def repeated(requests):
    """How many lines ask what another line has asked, whatever their sequence number."""
    return len(requests) - len({line[6:-9] for line in requests})


def upload(agent, dprobes, path, built, seed, to_agent, to_host):
    """The line that one insertion took."""
    line = noisyline.NoisyLine(path, agent.path, seed, to_agent, to_host, pace=11520)
    run = dprobes("insert", built, "--replace", "--port", line.url)
    line.close()
    assert run.status == 0, run.stderr
    return line


def test_a_damaged_answer_costs_no_piece(agent, dprobes, tmp_path, program):
    """Half of the answers come damaged, the requests do not: the agent has what it answers. A busy host
    asks a few times more."""
    built = program(1, "push 0x123456\npop lv, 1\n" * 224)
    line = upload(agent, dprobes, tmp_path / "line", built, 1, {}, {"flip": 3e-2})
    pieces = [request for request in line.requests if request[6:8] == b"%02X" % fake.DATA]
    assert len(pieces) >= 40 and repeated(pieces) * 5 <= 2 * len(pieces), len(pieces)
