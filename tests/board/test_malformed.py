# SPDX-License-Identifier: BSD-2-Clause
"""Malformed objects at agents of both byte orders: each refused with its own reason, nothing changed, the next good object
accepted, the firmware running. Numbers and names are those of tests/agent/test_agent_refusals.c, which has every case in a
process. Cases 4, 33 to 41 and 44, which are of the firmware's image, and 45, full tables: test_bad_target.py, test_bounds.py.
"""
import re
import struct
import zlib

import pytest

from harness import by_hand, malformed, process
from harness.demo_bench import CRC, Bench, order_of
from harness.paths import TOP
from harness.qemu import parameters
import cpus
import tables
import usual

ERRORS = {int(number): name for name, number, _ in tables.rows("protocol/errors.def", "DP_ERR")}
CMD = {row[1]: int(row[0], 16) for row in tables.rows("protocol/commands.def", "DP_CMD")}
# A board for each instruction set, and the other byte order: the row of its CPU.
BOARDS = {**{board: row for row in cpus.rows() for board in row.code_boards}, "malta-be": cpus.of("mips")}
NO_REGISTER = 0x7FFF
DATA_MAX, ANY_IDENTITY, TEXT_MAX = 48, 8, 65536
POOLS = 37  # bytes of LIMITS before the most of the stack that was in use
# Nothing calls them while the shell waits.
BESIDE, FIRST, SECOND = "monitor_alarm", "queue_init", "task_create"


class Agent:
    """A board, and a host that speaks to its agent by hand; a program stays beside all cases."""

    def __init__(self, bench):
        self.bench = bench
        bench.insert(f'name = "beside"\nvars = 3\noffset = {BESIDE}\nexit\n', name="beside")
        cpu = BOARDS[bench.name]
        groups = re.search(r"define DP_PORT_GROUPS (.*)", (TOP / "port" / cpu.name / "dp_port_cpu.h").read_text(encoding="utf-8"))
        self.has_segments = "RPN_GROUP_SEG" in groups[1]
        pc, = (row.index for row in tables.registers(cpu.name) if "pc" in (row.name, *row.aliases))
        first, second = (int(bench.symbol(name)["address"], 16) for name in (FIRST, SECOND))
        self.text = range(bench.address("__text_start"), bench.address("__text_end"))
        self.host = by_hand.Host(bench.machine.path("com2"))
        self.host.hello(42)
        log_max, trace_max, _, gvars = struct.unpack_from(">4H", self.good("LIMITS"))
        self.target = malformed.Target(tables.cpu_number(cpu.name), 4, int(order_of(bench.name) == "big"), (first & ~1, second & ~1), cpu.code_isa, pc,
                                       NO_REGISTER, {"log_max": log_max, "trace_max": trace_max, "gvars": gvars})

    def ask(self, command, arguments=b""):
        """(name of the error, the rest of the answer)"""
        error, rest = self.host.ask(CMD[command], arguments)
        return ERRORS[error], rest

    def good(self, command, arguments=b""):
        error, rest = self.ask(command, arguments)
        assert error == "OK", f"{command}: {error}"
        return rest

    def begin(self, data, crc=None):
        return self.good("BEGIN", struct.pack(">II", len(data), zlib.crc32(data) if crc is None else crc))

    def piece(self, transaction, data, at):
        return self.ask("DATA", transaction + at.to_bytes(4, "big") + data[at:at + DATA_MAX])

    def commit(self, transaction, options=ANY_IDENTITY):
        return self.ask("COMMIT", transaction + bytes([options, 0]))

    def install(self, data, options=ANY_IDENTITY):
        transaction = self.begin(data)
        for at in range(0, len(data), DATA_MAX):
            assert self.piece(transaction, data, at)[0] == "OK"
        return self.commit(transaction, options)

    def all_text(self):
        """Each byte of the text as it stands."""
        return [self.good("TEXT", struct.pack(">QIB", at, min(TEXT_MAX, self.text.stop - at), 0)) for at in self.text[::TEXT_MAX]]

    def state(self):
        """Numbers of programs and probes, the pools, the program beside with its probe."""
        return self.good("STATUS")[:2], self.good("LIMITS")[:POOLS], self.good("PROGRAM", b"\0"), self.good("PROBE", b"\0\0")

    def unchanged(self, before, case):
        if self.state() != before:  # a slot that was given back waits for a quiet moment
            process.eventually(lambda: self.state() == before, f"{case}: the state before")

    def accepts(self, data, case):
        error, rest = self.install(data)
        assert error == "OK", f"{case}: {error} {rest.hex()}"
        assert rest[12] > 0, f"{case}: nothing is armed"
        assert self.good("REMOVE", rest[11:12]) == b"\1"

    def goes_on(self):
        """The console answers, the program beside stands, and the text is the ELF's without it."""
        self.good("CLOSE")
        self.host.line.close()
        self.bench.type("selftest 1", f"crc {CRC[1]}")
        assert list(self.bench.programs()) == ["beside"]
        self.bench.clean()


@pytest.fixture
def agent(request, qemu, dprobes, tmp_path):
    return Agent(Bench(qemu, dprobes, tmp_path, request.param))


def refused_objects(agent, good, before, each):
    """1 to 32 and 42, and those that look alike and are accepted. Behind one in `each` of the refused ones, the text is
    looked at and a good object is accepted."""
    accepted, text = 0, agent.all_text()
    for number, case in enumerate(malformed.cases(agent.target)):
        if case.error is None or (case.error == "NOT_ON_PORT" and agent.has_segments):
            agent.accepts(case.data, case.name)
            accepted += 1
            continue
        error, rest = agent.install(case.data)
        assert error == case.error, f"{case.name}: {error}"
        assert rest[11:] == b"\xff\0\0" + bytes(4), case.name  # no program, nothing armed, nothing waits; found_above
        agent.unchanged(before, case.name)
        if number % each == 0:
            assert agent.all_text() == text, case.name
            agent.accepts(good, f"the next after {case.name}")
    assert agent.all_text() == text
    agent.unchanged(before, "objects that are accepted")
    assert accepted == 4 + agent.has_segments


def refused_uploads(agent, good, before):
    """46: pieces that are missing, out of order or of another upload; a repeated one does not count twice."""
    def told(answer, error, *numbers):
        assert answer[0] == error, answer
        assert not numbers or answer[1][2:] == b"".join(number.to_bytes(4, "big") for number in numbers), answer
        agent.unchanged(before, "46")

    transaction = agent.begin(good)
    told(agent.piece(transaction, good, 0), "OK", DATA_MAX)
    told(agent.piece(transaction, good, 0), "OK", DATA_MAX)
    told(agent.piece(transaction, good, 2 * DATA_MAX), "OK", DATA_MAX, 2 * DATA_MAX, min(3 * DATA_MAX, len(good)))
    told(agent.commit(transaction), "BAD_TXN")
    other = ((int.from_bytes(transaction, "big") + 1) & 0xFFFF).to_bytes(2, "big")
    told(agent.piece(other, good, DATA_MAX), "BAD_TXN")
    told(agent.commit(other), "BAD_TXN")
    agent.begin(good[:DATA_MAX])  # ends the first
    told(agent.piece(transaction, good, DATA_MAX), "BAD_TXN")
    agent.accepts(good, "46")
    agent.unchanged(before, "46")


def two_programs_at_one_address(agent, before):
    """43: the second program is chained behind the first, and the first one's end leaves the second."""
    one, two = (malformed.Object(agent.target, name=name).sealed() for name in (b"one", b"two"))
    programs = []
    for data in (one, two):
        error, rest = agent.install(data)
        assert (error, rest[12]) == ("OK", 1)
        programs.append(rest[11:12])
    for n, program in enumerate(programs):
        states = [agent.ask("PROBE", left + b"\0") for left in programs[n:]]
        assert all(error == "OK" and probe[1] == 0 for error, probe in states), states  # armed
        assert agent.good("REMOVE", program) == b"\1"
    agent.unchanged(before, "43")


# proves: R2.1 R2.2 R2.3 R2.4 R2.5 R2.6 R2.7 R2.8
@pytest.mark.parametrize("agent", parameters(BOARDS, usual=usual.CONFORMANCE_BOARDS), indirect=True)
def test_malformed_objects(agent, amount):
    good, before = malformed.Object(agent.target).sealed(), agent.state()
    agent.accepts(good, "a good object")
    refused_objects(agent, good, before, amount(8, 1))
    refused_uploads(agent, good, before)
    two_programs_at_one_address(agent, before)
    agent.goes_on()
