# SPDX-License-Identifier: BSD-2-Clause
"""Every feature of protocol/features.def alone and every agent without one: each is compiled, asks for the port's functions
only, and goes through a session that holds it to PROTOCOL.md and RPN.md. A new part needs a row in lib/harness/feature_programs.py
or a step of its own here. What the configurations minimal and small do: test_minimal.py, test_small.py."""
import struct
import zlib

import pytest

from harness import agents, tool, wire
from harness.feature_programs import (ARMED, CHANGED, COUNTS, DAMAGED, FAULT, FAULTS, HOT, MODULE, ONE, OTHER, RAM, REFUSED, SEVEN, TEXT, TEXT_BYTES,
                                   THIRD, TRAP, UNSELECTED, USES, point, source, word_at, words)
from harness.ppdf import ops
from harness.session import CMD, ERRORS, FEATURES, HZ, PARTS, SESSION, Record, Session, parts_of_features

BUILD_ID = bytes([1, 2, 3]) + bytes(17)
MAX_PROBES, MAX_PROGRAMS, ARENA = 64, 16, 16384
POLLS = 3 * MAX_PROBES + 30 * MAX_PROGRAMS  # all sites and all bytes of a few programs are looked at
OPCODES = {op.code: op.part for op in ops()}


def text_crc(traps=()):
    return zlib.crc32(b"".join((TRAP if at in traps else word_at(at)).to_bytes(4, "little")
                               for at in range(TEXT, TEXT + TEXT_BYTES, 4)))


class Host:
    """A session, and what must be seen in it: every record, every count."""

    def __init__(self, session, build):
        self.session, self.build, self.parts = session, build, session.parts
        self.expected = []
        self.stays, self.value = None, 0  # the program that is there all the time, and its variable

    def install(self, text, options=8, **words_of_commit):
        """The program's index."""
        s = self.session
        before = s.status()
        error, verdict, (program, armed, waiting) = s.commit(self.build(text), options, **words_of_commit)
        assert (error, verdict) == (0, (0, 0xFFFF, 0, 0)), (error, verdict)
        after = s.status()
        assert after.probes - before.probes == armed + waiting
        return program

    def refused(self, error, part, data, **words_of_commit):
        """CHECK and COMMIT say so, and nothing has changed. Where it says where, it is right."""
        s = self.session
        before = s.status()
        for command in ("CHECK", "COMMIT"):
            found, verdict, nothing = s.commit(data, command=command, **words_of_commit)
            assert found == ERRORS[error] and nothing == ((0xFF, 0, 0) if command == "COMMIT" else ()), (error, found, nothing)
            if "DETAILS" not in self.parts:
                assert verdict[1:] == (0xFFFF, 0, 0)
            elif part and error == "LEFT_OUT" and verdict.found < 256 and verdict.where:
                assert OPCODES[verdict.found] == part
            elif part and error == "LEFT_OUT" and verdict.found >= 256:
                assert verdict.found == 256 + PARTS[part]
        assert s.status() == before

    def run(self, place, times=1, insns=1):
        """The instruction so many times, each at a time of its own; the firmware gets its faults. The times."""
        s, at = self.session, []
        for _ in range(times):
            s.at(s.ticks + 300007)
            assert s.do(f"r {place:x} {insns:x} 1")[:3] == (insns, place in FAULTS, 0)
            at.append(s.ticks)
        return at

    def time(self, ticks):
        return ticks if "TIMES" in self.parts else 0

    def hit(self, place, number, *bodies):
        """Run once for each body, and that is what the probe logs; None: nothing."""
        for at, body in zip(self.run(place, len(bodies)), bodies):
            if body is not None:
                self.expected.append(Record(number, self.time(at), body))
        self.check_records()

    def hit_what_stays(self, times=1):
        number = self.session.probe(self.stays).number
        self.hit(OTHER, number, *(words(self.value + n + 1) for n in range(times)))
        self.value += times

    def check_records(self):
        self.session.poll()
        assert self.session.came() == self.expected
        self.expected = []

    def check_probe(self, program, index=0, **values):
        probe = self.session.probe(program, index)
        default = {"state": ARMED, "missed": 0, "ignored": 0, "faulted": 0, "dropped": 0, "overruns": 0, "point": index, "kind": 0}
        found = probe._asdict()
        wrong = {name: (found[name], value) for name, value in (default | values).items() if found[name] != value}
        assert not wrong, wrong
        return probe

    def gone(self, program):
        self.session.refused("NO_PROGRAM", "PROGRAM", bytes([program]))
        self.session.refused("NO_PROGRAM", "PROBE", bytes([program, 0]))

    def remove(self, program):
        assert self.session.good("REMOVE", bytes([program])) == b"\1"
        self.gone(program)
        self.session.do("k")  # slots may be used again

    def check_status(self, programs, probes, strays=0):
        status = self.session.status()
        assert (status.programs, status.probes, status.sent, status.dropped, status.missed, status.withdrawn, status.strays, status.own_text) == \
            (programs, probes, self.session.received, 0, 0, 0, strays, 0)

    def check_notices(self, *expected):
        found = self.session.told_notices()
        assert found == (list(expected) if "NOTICES" in self.parts else []), found


# ---- steps of the session -----------------------------------------------------------------------

def start(h):
    """The notice of the start, HELLO, the image."""
    s, parts = h.session, h.parts
    boot = 1 if "RESTART" in parts else 0
    s.poll()
    h.check_notices(f"01{boot:04X}00")
    s.at(5000000000)
    hello = s.hello()
    bits = sum(1 << PARTS[part] for part in parts)
    assert hello == hello._replace(
        version=2, boot=boot, cpu=1, word=4, order=0, phases=7, coms=3 if "COM2" in parts else 1, profile=0, rights=wire.ALL_BUT_WRITE,
        hz=HZ if "TIMES" in parts else 0, ticks=h.time(s.ticks), parts=bits & 0xFFFFFFFF, more_parts=bits >> 32, log_max=1024,
        trace_max=1024 if parts & {"TRACES", "RULES"} else 0xFFFF, nonce=int.from_bytes(((boot << 48) + h.time(0)).to_bytes(8, "little"), "big"))
    image = struct.pack(">BBQQQB", 0, 1, TEXT, TEXT_BYTES, TEXT, 20) + BUILD_ID
    assert s.good("MODULE", b"\0\0") == image + (b"\6kernel" if "MODULES" in parts else b"\0")
    h.check_status(0, 0)
    limits = struct.unpack(">HHHHHHIIIBBBBBIIHB", s.good("LIMITS"))
    assert limits[0] == 1024 and limits[2:15] == (256, 64 if "GLOBALS" in parts else 0, 65535, 1024, 4096, ARENA, ARENA, 64, 64, 16, 4, 4, 8192)
    check_text(h)


def check_text(h, *traps):
    """Checksums of the text: as it is, and as it was."""
    ask = struct.pack(">QI", TEXT, TEXT_BYTES)
    if "TEXT" in h.parts:
        for how, expected in ((b"\0", text_crc(traps)), (b"\1", text_crc())):
            assert h.session.good("TEXT", ask + how) == struct.pack(">IH", expected, len(traps))
        for address, size in ((0x40000000, 64), (TEXT, 4), (TEXT + 4, 64), (RAM, 64)):
            h.session.refused("BAD_RANGE", "TEXT", struct.pack(">QIB", address, size, 0))
    else:
        h.session.refused("LEFT_OUT", "TEXT", ask + b"\0")
    assert h.session.text_is_original() == (not traps)


def two_programs(h):
    """One goes while the other stays: that one is what it was. What comes in its place begins anew."""
    s = h.session
    text_a = source(point(COUNTS, HOT, "minor = 4\n"), name="a", header="id = 17\nmajor = 3\n")
    a, b = h.install(text_a), h.install(source(point(COUNTS, OTHER), name="b"))
    assert (a, b) == (0, 1)
    h.stays = b
    number_a, number_b = s.probe(a).number, s.probe(b).number
    assert number_a != number_b
    h.check_probe(a, hits=0, minor=4, isa=0, address=HOT, original=word_at(HOT), insn_bytes=4, phase=0, maxhits=0x7FFFFFFF)
    h.hit(HOT, number_a, *map(words, range(1, 6)))
    h.hit_what_stays(3)
    h.check_probe(a, hits=5, number=number_a)
    h.check_probe(b, hits=3, number=number_b)
    data = h.build(text_a)
    assert s.program(a) == (a, 17, 3, 0, 1, 0, zlib.crc32(data), len(data), 2, 1, "a")
    check_text(h, HOT, OTHER)
    s.poll(POLLS)
    h.check_status(2, 2)
    h.remove(a)
    for _ in range(2):
        assert s.program(b).state == 0
        h.check_probe(b, hits=3, number=number_b)
        s.poll(POLLS)
    h.hit(HOT, None, None, None)
    h.hit_what_stays(2)
    h.check_probe(b, hits=5)
    check_text(h, OTHER)
    assert h.install(text_a) == a
    number = h.check_probe(a, hits=0).number
    assert number not in (number_a, number_b)
    h.hit(HOT, number, words(1), words(2))
    h.check_probe(a, hits=2)
    s.poll(POLLS)
    h.check_status(2, 2)
    h.remove(a)
    h.check_notices()


def repeats(h):
    """PROTOCOL.md 3.2: nothing is done twice, a damaged line is told."""
    s = h.session
    a = h.install(source(point("exit"), name="a"))
    line = s.line("REMOVE", bytes([a]))
    first, second = s.send(line), s.send(line)
    assert first == second and first[0][2] == bytes([CMD["REMOVE"], 0, 1])
    bad = line[:-2] + (b"1" if line[-2:-1] == b"0" else b"0") + b"\n"
    assert s.send(bad) == [] and s.naks == [s.seq]
    assert s.on_console() == ([("c", bad.decode()[:-1])] if "CONSOLE" in h.parts else [])
    s.refused("NO_PROGRAM", "REMOVE", bytes([a]))


def uses(h):
    """Each program beside the one that stays."""
    for name, what in USES.items():
        try:
            one_use(h, what)
            assert h.session.probe(h.stays).state == ARMED
        except AssertionError as error:
            raise AssertionError(f"program: {name}") from error
    h.hit_what_stays()


def one_use(h, u):
    s = h.session
    if u.part and u.part not in h.parts:
        h.refused("LEFT_OUT", u.part, h.build(u.text), items=u.items)
        return
    program = h.install(u.text, items=u.items)
    number = s.probe(program).number
    times, records = h.run(u.place, u.runs), list(u.records)
    s.poll()
    found = s.came()
    assert [(r.probe, r.body, r.flags, r.codes, r.kind) for r in found] == \
        [(number, r[2], r[0], r[1], r[3] if len(r) > 3 else 0) for r in records]
    if found and len(records) == u.runs:
        assert [r.time for r in found] == [h.time(at) for at in times]
    h.check_notices(*([f"{u.notice:02X}{number:02X}"] if u.notice else []))
    h.check_probe(program, hits=u.hits, state=u.state, faulted=u.faulted, ignored=u.ignored, overruns=u.overruns)
    assert s.program(program).items == u.items
    h.remove(program)


def refusals(h):
    """Of every agent: what must not be probed, a name that is there, damage, the wrong image."""
    h.refused("NOT_PROBEABLE", None, h.build(source(point("exit", REFUSED))))
    h.refused("OPCODE_MISMATCH", None, h.build(source(point("exit", HOT, opcode=5))))
    h.refused("NOT_TEXT", None, h.build(source(point("exit", RAM, opcode=5))))
    h.refused("NAME_IN_USE", None, h.build(source(point("exit"), name="b")))
    identified = with_identity(h.build(source(point("exit"))), 1, BUILD_ID)
    h.refused("WRONG_IMAGE", None, with_identity(identified, 1, bytes(20)), options=0)
    error, _, (program, armed, _) = h.session.commit(identified, options=0)
    assert (error, armed) == (0, 1)
    h.remove(program)


def changed(data, at, value):
    """Bytes of an object others, and the check as if they belonged there."""
    data = data[:at] + value + data[at + len(value):-4]
    return data + zlib.crc32(data).to_bytes(4, "big")


def with_identity(data, kind, identity):
    """An object with one module, built for that image."""
    return changed(data, 88, bytes([0, kind]) + data[90:100] + identity.ljust(20, b"\0"))


# ---- steps of one part: what it does, or what is answered where it is not there -----------------

def items_with_times(h):
    data = h.build(source(point(ONE)))
    if "ITEMS" in h.parts and "TIMES" in h.parts:
        program = h.install(source(point(ONE)), items=0x20)
        at, = h.run(HOT)
        h.expected.append(Record(h.session.probe(program).number, at, at.to_bytes(8, "big") + SEVEN))
        h.check_records()
        h.remove(program)
    else:
        h.refused("LEFT_OUT", "TIMES" if "ITEMS" in h.parts else "ITEMS", data, items=0x20)


def chains(h):
    """Two programs at one address, in the order they came; the later goes, then the first is what it was. Two of one program."""
    s, text = h.session, source(point(ONE, OTHER))
    twice = source(point(ONE) + point("push 8\nlog 1\nexit", HOT, "minor = 1\n"))
    program, first = h.install(text), s.probe(h.stays).number
    at, = h.run(OTHER)
    h.value += 1
    h.expected = [Record(first, h.time(at), words(h.value)), Record(s.probe(program).number, h.time(at), SEVEN)]
    h.check_records()
    h.remove(program)
    s.poll(POLLS)
    h.hit_what_stays()
    both(h, twice, HOT, (words(7), words(8)), (words(7), words(8)))
    once = source(point(ONE, HOT, "maxhits = 1\n") + point("push 8\nlog 1\nexit", HOT, "minor = 1\n"))
    both(h, once, HOT, (words(7), words(8)), (None, words(8)), (None, words(8)))
    faults = source(point(ONE, FAULT) + point("push 8\nlog 1\nexit", FAULT, "minor = 1\nlogonfault = yes\n"))
    both(h, faults, FAULT, (None, words(8)), (None, words(8)), flags=8, faulted=2)
    late = source(point("push r, pc\nlog 1\nexit", HOT, "phase = after\n") + point("push r, pc\nlog 1\nexit", HOT, "minor = 1\n"))
    program = h.install(late)
    at, = h.run(HOT)
    h.expected = [Record(s.probe(program, index).number, h.time(at), words(pc)) for index, pc in ((1, HOT), (0, HOT + 4))]
    h.check_records()
    h.remove(program)


def both(h, text, place, *runs, flags=0, faulted=0):
    """A program with two points at the place: what each of them logs, run by run."""
    program = h.install(text)
    numbers = [h.session.probe(program, index).number for index in (0, 1)]
    for bodies in runs:
        at, = h.run(place)
        h.expected += [Record(number, h.time(at), body, flags) for number, body in zip(numbers, bodies) if body is not None]
        h.check_records()
    h.check_probe(program, 1, hits=len(runs), faulted=faulted)
    h.remove(program)


def select(h):
    text, s = source(point(ONE) + point(ONE, THIRD)), h.session
    program = h.install(text, selection=b"\x40")
    h.check_probe(program, 0, state=UNSELECTED, number=0xFF, hits=0)
    number = h.check_probe(program, 1, address=THIRD).number
    h.hit(HOT, None, None)
    h.hit(THIRD, number, SEVEN)
    h.remove(program)


def merge(h):
    s = h.session
    first, later = source(point(ONE)), source(point("push 8\nlog 1\nexit", THIRD))
    program = h.install(first)
    added = h.install(later, options=8 | 2)
    h.hit(HOT, s.probe(program).number, SEVEN)
    h.hit(THIRD, s.probe(added).number, words(8))
    h.remove(added)
    error, _, (new, armed, _) = s.commit(h.build(later), options=8 | 4)
    assert (error, armed) == (0, 1)
    h.gone(program)
    program = new
    h.hit(HOT, None, None)
    h.hit(THIRD, s.probe(program).number, words(8))
    h.remove(program)


def variables(h):
    s, stays = h.session, bytes([h.stays])
    if "VARS" not in h.parts:
        s.refused("LEFT_OUT", "VARS", stays + b"\0\0\2\0")
        s.refused("LEFT_OUT", "NAME", stays + b"\0")
        return
    assert s.good("NAME", stays + b"\0") == b"b"
    assert s.good("VARS", stays + b"\0\0\2\1") == b"\0\2" + words(h.value, 0)
    assert s.good("VARS", stays + b"\0\0\2\0") == b"\0\2" + words(0, 0)
    h.value = 0
    h.hit_what_stays()
    s.refused("NO_PROGRAM", "VARS", b"\7\0\0\1\0")
    assert s.good("VARS", b"\xff\0\0\2\0") == b"\0\2" + words(0, 2)  # "global variable" in USES


def log(h):
    """Where records go and how: nowhere, by com2, from the hit itself."""
    s = h.session
    record = Record(s.probe(h.stays).number, 0, b"")

    def another():
        at, = h.run(OTHER)
        h.value += 1
        return [record._replace(time=h.time(at), body=words(h.value))]

    assert s.good("LOG", b"\xfe\xfe") == b"\0\1"
    s.refused("BAD_RANGE", "LOG", b"\5\xfe")
    assert s.good("LOG", b"\xff\xfe") == b"\xff\1"
    kept = another()
    s.poll(POLLS)
    assert s.came() == []
    assert s.good("LOG", b"\0\xfe") == b"\0\1"
    s.poll()
    assert s.came() == kept
    if "COM2" in h.parts:
        s.stream_lines = "12"
        assert s.good("LOG", b"\1\xfe") == b"\1\1"
        s.stream_lines = "2"
        expected = another()
        s.poll()
        assert s.came() == expected
        s.stream_lines = "12"
        assert s.good("LOG", b"\0\xfe") == b"\0\1"
        s.stream_lines = "1"
    else:
        s.refused("LEFT_OUT", "LOG", b"\1\xfe")
    assert s.good("LOG", b"\xfe\0") == b"\0\0"
    s.poll()
    expected = another()
    assert s.came() == expected  # before anybody polls
    assert s.good("LOG", b"\xfe\1") == b"\0\1"


def second_line(h):
    """The other line answers, or the agent is not there: then what comes is the console's."""
    s = h.session
    if "COM2" in h.parts:
        assert s.good("STATUS", com="2")[24] == 1
        return
    line = s.line("STATUS")
    assert s.send(line, "2") == []
    assert s.on_console() == ([("c", line.decode()[:-1])] if "CONSOLE" in h.parts else [])


def console(h):
    """Text that is no request, and the firmware's own."""
    s = h.session
    s.do("1hello")
    s.do("1~Q0")
    s.do("cworld")
    assert s.on_console() == ([("c", "hello"), ("c", "~Q0"), ("1", "world")] if "CONSOLE" in h.parts else [])
    s.status()


def modules(h):
    text = f"name = mod\nmodtype = kmod\nlogmax = 64\nexcpt_log = 0\noffset = 0x40\nopcode = 0x20000040\n{ONE}\n"
    s, place = h.session, MODULE + 0x40
    if "MODULES" not in h.parts:
        h.refused("LEFT_OUT", None, h.build(text))
        return
    program = h.install(text)
    assert (s.program(program).state, s.probe(program).state) == (1, 1)
    for _ in range(2):
        s.do("m 1")
        assert (s.program(program).state, s.probe(program).state, s.probe(program).address) == (0, ARMED, place)
        h.hit(place, s.probe(program).number, SEVEN)
        s.poll(POLLS)
        s.do("m 0")
        assert (s.program(program).state, s.probe(program).state) == (1, 1)
        h.hit(place, None, None)
    h.remove(program)


def rules(h):
    """A reserved byte."""
    data = changed(h.build(source(point(ONE))), 34, b"\1")
    if "RULES" in h.parts:
        h.refused("RESERVED", None, data)
        return
    error, _, (program, armed, _) = h.session.commit(data)
    assert (error, armed) == (0, 1)
    h.hit(HOT, h.session.probe(program).number, SEVEN)
    h.remove(program)


def own_text(h):
    s = h.session
    s.do("x 1")
    assert s.status().own_text == 1
    assert s.commit(h.build(source(point(ONE))))[0] == ERRORS["OWN_TEXT"]
    s.do("x 0")


def storm(h):
    """More than 2000 hits without a poll, and a request that waits."""
    s = h.session
    program = h.install(source(point("abort")))
    line = s.line("STATUS")
    assert s.send(line, ">") == []
    assert s.do(f"r {HOT:x} 1 {2100:x}")[:3] == (2100, 0, 0)
    assert len(s.answers) == ("STORM" in h.parts)
    s.poll()
    (_, seq, payload), = s.answers
    s.answers.clear()
    assert seq == s.seq and payload[:4] == bytes([CMD["STATUS"], 0, 2, 2])
    h.check_probe(program, hits=2100)
    h.remove(program)


def stray(h):
    """A trap word of somebody else."""
    s = h.session
    s.do(f"w {THIRD:x} {TRAP:x}")
    assert s.do(f"r {THIRD:x} 1 1")[2] == 1
    s.do(f"w {THIRD:x} {word_at(THIRD):x}")
    s.poll()
    h.check_notices(f"03{THIRD:08X}{TRAP:08X}")
    assert s.status().strays == 1


def overwritten(h):
    """The firmware writes over a trap: the word stays as found. Without PATROL nobody looks."""
    s, word = h.session, 0x10F00000
    program = h.install(source(point(ONE)))
    number = s.probe(program).number
    s.do(f"w {HOT:x} {word:x}")
    s.poll(POLLS)
    there = "PATROL" in h.parts
    h.check_probe(program, state=CHANGED if there else ARMED)
    h.check_notices(*([f"04{number:02X}{HOT:08X}{word:08X}"] if there else []))
    h.hit(HOT, None, None)
    h.remove(program)
    s.poll()
    h.check_notices()
    h.hit(HOT, None, None)
    s.do(f"w {HOT:x} {word_at(HOT):x}")
    check_text(h, OTHER)


def damaged(h):
    """The agent's own tables: all traps go, all programs are told, and go; what comes then works."""
    s = h.session
    if not {"TABLES", "PATROL"} <= h.parts:
        return
    program = h.install(source(point(ONE)))
    s.do("d")
    s.poll(POLLS)
    for index in (program, h.stays):
        assert s.program(index).state == 2 and s.probe(index).state == DAMAGED
    h.check_notices("0800")
    check_text(h)
    h.hit(OTHER, None, None)
    h.remove(program)
    program = h.install(source(point(ONE)))
    h.hit(HOT, s.probe(program).number, SEVEN)
    s.poll(POLLS)
    h.check_probe(program, hits=1)
    h.remove(program)
    assert s.program(h.stays).state == 2


def all_removed(h):
    """Twice: the second time there is none."""
    s = h.session
    assert (s.good("REMOVE", b"\xff"), s.good("REMOVE", b"\xff")) == (b"\1", b"\0")
    h.gone(h.stays)
    h.hit(OTHER, None, None)
    s.poll(POLLS)
    h.check_notices()
    h.check_status(0, 0, strays=1)
    check_text(h)


def restarted(h):
    """With RESTART the traps of the run before are taken out, and runs are counted. HELLO chooses the line of records."""
    s, there = h.session, "RESTART" in h.parts
    if there:
        h.install(source(point(ONE) + point(ONE, THIRD)))
    assert s.do("b")[3] == 0
    s.restarted()
    s.poll()
    h.check_notices("01000202" if there else "01000000")
    com = "2" if "COM2" in h.parts else "1"
    s.stream_lines = com
    assert s.hello(com).boot == (2 if there else 0)
    check_text(h)
    h.check_status(0, 0)
    program = h.install(source(point(ONE)))
    h.hit(HOT, s.probe(program).number, SEVEN)
    s.stream_lines = "12"
    s.hello("1")
    s.stream_lines = com
    h.hit(HOT, s.probe(program).number, SEVEN)
    h.check_probe(program, hits=2)
    h.remove(program)


def locked(h):
    """What is there stays and can be removed; nothing comes."""
    s = h.session
    program = h.install(source(point(COUNTS, THIRD)))
    s.do("l")
    s.refused("LOCKED", "BEGIN", bytes(8))
    s.refused("LOCKED", "DATA", bytes(7))
    s.refused("LOCKED", "COMMIT", bytes(4))
    if "VARS" in h.parts:
        s.refused("LOCKED", "VARS", bytes([program, 0, 0, 1, 1]))
    s.refused("LOCKED", "REMOVE", bytes([program]))
    s.refused("LOCKED", "LOG", b"\xfe\xfe")
    h.hit(THIRD, s.probe(program).number, words(1))
    check_text(h, THIRD)
    assert s.hello(rights=0x8F).rights == wire.RIGHTS["LOOK"]
    s.refused("LOCKED", "REMOVE", bytes([program]))
    s.on_console()
    s.do("1~dprobes remove")
    assert ("1", "dprobes: nothing removed: the firmware has locked the agent\r") in s.on_console() or "TYPED" not in h.parts
    check_text(h, THIRD)


def owners(h):
    """Without the part nobody is refused; with it the first host is told of the second."""
    s, there = h.session, "OWNER" in h.parts
    s.hello(owner=b"one")
    other = bytes([wire.VERSION]) + (5).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE]) + b"two"
    answer = s.ask("HELLO", other, session=0)
    assert answer[0] == (ERRORS["IN_USE"] if there else 0) and (not there or answer[1] == b"\0\0one")
    s.hello(rights=0x80)
    s.good("CLOSE")
    s.refused("NO_RIGHT", "STATUS")
    s.hello()


def key(h):
    """A board that asks for a key grants nothing before the proof; a nonce has one proof."""
    s, there = h.session, "ACCESS" in h.parts
    if not there:
        s.refused("LEFT_OUT", "PROVE", bytes(8))
        return
    board_key, rights = bytes(range(16)), wire.ALL_BUT_WRITE
    s.do("s 1")
    first = s.hello()
    assert first.rights == 0
    for command, arguments in (("STATUS", b""), ("LOG", b"\xfe\xfe"), ("REMOVE", b"\xff"), ("BEGIN", bytes(8))):
        s.refused("NO_RIGHT", command, arguments)
    s.refused("WRONG_PROOF", "PROVE", wire.proof(bytes(16), first.nonce, SESSION, rights))
    s.refused("WRONG_PROOF", "PROVE", wire.proof(board_key, first.nonce, SESSION, rights))
    second = s.hello()
    assert second.nonce != first.nonce
    assert s.good("PROVE", wire.proof(board_key, second.nonce, SESSION, rights)) == bytes([rights])
    s.status()
    s.do("s 0")
    assert s.hello().rights == rights


def typed(h):
    """The typed line removes every program, and says so."""
    s = h.session
    s.do("1~dprobes remove")
    came = [line for line in s.on_console() if line[0] != "c"]
    assert came == ([("1", "\r"), ("1", "dprobes: 0 program(s) removed\r")] if "TYPED" in h.parts else [])
    program = h.install(source(point(ONE)))
    s.do("1~dprobes remove ")
    s.on_console()
    h.hit(HOT, s.probe(program).number, SEVEN)
    s.do("1~dprobes remove")
    s.on_console()
    if "TYPED" in h.parts:
        h.gone(program)
    else:
        h.remove(program)
    s.poll()
    check_text(h)


STEPS = (start, two_programs, repeats, uses, refusals, chains, items_with_times, select, merge, variables, log, owners, second_line, console, modules, rules,
         own_text, storm, stray, overwritten, damaged, all_removed, typed, restarted, key, locked)


def session_without_build_id(firmware, parts, build):
    """The image is told by its text."""
    h = Host(Session(firmware, parts, "unstamped"), build)
    h.session.hello()
    identity = struct.pack(">II", text_crc(), TEXT_BYTES)
    assert h.session.good("MODULE", b"\0\0").startswith(struct.pack(">BBQQQB", 0, 2, TEXT, TEXT_BYTES, TEXT, 8) + identity)
    data = h.build(source(point(ONE)))
    h.refused("WRONG_IMAGE", None, with_identity(data, 1, BUILD_ID), options=0)
    h.refused("WRONG_IMAGE", None, with_identity(data, 2, bytes(8)), options=0)
    assert h.session.commit(with_identity(data, 2, identity), options=0)[0] == 0
    h.session.close()


# ---- the agents ---------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    return agents.Objects(tmp_path_factory.mktemp("objects"))


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """What a program's text is built to; once."""
    folder, made, run = tmp_path_factory.mktemp("programs"), {}, tool.Tool()

    def data_of(text):
        if text not in made:
            source_, object_ = folder / "t.dp", folder / "t.ppdf"
            source_.write_text(text)
            done = run("build", "--cpu", "sim", "--word", "32", "--endian", "little", "--output", object_, source_)
            assert done.status == 0, done.stderr
            data = object_.read_bytes()
            made[text] = data[:int.from_bytes(data[8:12], "big")]
        return made[text]
    return data_of


@pytest.fixture
def own_agent(objects, build, tmp_path):
    """Compiles an agent with these features, and holds a session with it."""
    def check(features, options):
        files = agents.files_of(features, FEATURES)
        made = objects([*files, *agents.SIM_FILES], options)
        assert not agents.asked_of_others(made[:len(files)])
        run = agents.linked(tmp_path / "firmware", [*made, *agents.hosted_objects("firmware_session.c", objects, options)])
        assert run.returncode == 0, run.stderr
        parts = parts_of_features(features)
        host = Host(Session(tmp_path / "firmware", parts), build)
        for step in STEPS:
            step(host)
        host.session.close()
        session_without_build_id(tmp_path / "firmware", parts, build)
    return check


@pytest.mark.parametrize("feature", FEATURES)
def test_each_feature_alone(feature, own_agent):
    """The small way: all left out but this one."""
    own_agent({feature}, ["-DDP_WITH_ALL=0", f"-DDP_WITH_{feature}=1"])


# proves: R4.17 R5.1 R5.3
@pytest.mark.parametrize("feature", FEATURES)
def test_each_feature_left_out(feature, own_agent):
    """An agent without just this one."""
    own_agent(set(FEATURES) - {feature}, [f"-DDP_WITH_{feature}=0"])


def test_no_feature(own_agent):
    own_agent(set(), ["-DDP_WITH_ALL=0"])


# proves: A3.3
def test_files_may_be_compiled_without_their_feature(objects):
    """A build that compiles every file of the folder leaves out features by their knobs alone: nothing calls these files."""
    files, needed = agents.agent_files()[0], agents.files_of(set(), FEATURES)
    made = dict(zip(files, objects(files, ["-DDP_WITH_ALL=0"])))
    assert len(needed) < len(files) - 15
    assert not agents.asked_of_others([made[file] for file in needed])


# proves: R5.2
def test_a_phase_that_the_port_lacks(objects, build, tmp_path):
    options = ["-DDP_WITH_ALL=0", "-DDP_PORT_PHASES=3"]
    run = agents.firmware("firmware_session.c", objects, tmp_path, agents.files_of(set(), FEATURES), options)
    assert run.returncode == 0, run.stderr
    host = Host(Session(tmp_path / "firmware", parts_of_features(set())), build)
    assert host.session.hello().phases == 3
    host.refused("BAD_PHASE", None, build(source(point("exit", HOT, "phase = fault\n"))))
    host.remove(host.install(source(point("exit", HOT, "phase = after\n"))))
    host.session.close()
