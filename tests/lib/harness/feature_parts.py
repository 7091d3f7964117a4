# SPDX-License-Identifier: BSD-2-Clause
"""Steps for one part of the agent: what the part does, or the answer where the part is left out (feature_host.py)."""
import struct

from . import ppdf, wire
from .feature_host import POLLS, changed, check_text
from .feature_programs import (ARMED, CHANGED, COUNTS, DAMAGED, FAULT, HOT, MODULE, ONE, OTHER, SEVEN, THIRD, TOO_OFTEN,
                               TRAP, UNSELECTED, point, source, word_at, words)
from .session import CMD, ERRORS, HZ, SESSION, Record

TIMER, SAMPLED = 5, 1 << 31  # point_kinds.def, dp_object.h


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
        return
    assert s.good("NAME", stays + b"\0") == b"b"
    assert s.good("VARS", stays + b"\0\0\2\1") == b"\0\2" + words(h.value, 0)
    assert s.good("VARS", stays + b"\0\0\2\0") == b"\0\2" + words(0, 0)
    h.value = 0
    h.hit_what_stays()
    s.refused("NO_PROGRAM", "VARS", b"\7\0\0\1\0")
    assert s.good("VARS", b"\xff\0\0\2\0") == b"\0\2" + words(0, 2)  # "global variable" in USES


# Requests of a part, with arguments that are good: part, request, whether a program's index comes first, the rest.
REQUESTS = (("TEXT", "TEXT", False, bytes(13)), ("VARS", "VARS", True, b"\0\0\1\0"), ("VARS", "NAME", True, b"\0"),
            ("ORIGINAL", "ORIGINAL", True, b"\0"), ("PROBES", "PROBES", True, b"\0\1"), ("RANGES", "RANGES", False, b"\0"),
            ("MAPS", "MAP", True, bytes(4)), ("RESEND", "RESEND", False, bytes(10)), ("MEMORY", "MEMORY", False, b"\0"),
            ("MEMORY", "STORE", False, bytes(9)), ("DUMP", "CORE", False, bytes(11)))


def requests(h):
    """A request of a missing part is left out, and never merely unknown."""
    for part, command, of_program, rest in REQUESTS:
        if part not in h.parts:
            h.session.refused("LEFT_OUT", command, (bytes([h.stays]) if of_program else b"") + rest)


def rows(h):
    """A program with two points in one answer: the rows are answers to PROBE."""
    s = h.session
    if "PROBES" not in h.parts:
        return
    program = h.install(source(point(ONE, OTHER) + point(ONE, THIRD, "minor = 1\n")))
    answer, row, found = s.good("PROBES", bytes([program, 0, 2])), bytes(48), []
    while answer:
        rest = iter(answer[1:])
        mask = "".join(f"{next(rest) if answer[0] << at & 0x80 else 0:08b}" for at in range(6))
        expected = bytes([row[0] + 1]) + row[1:38] + bytes([len(found)]) + row[39:]
        row = bytes(next(rest) if bit == "1" else old for bit, old in zip(mask, expected))
        answer = bytes(rest)
        found.append(row)
    assert found == [s.good("PROBE", bytes([program, index])) for index in (0, 1)]
    h.remove(program)


def log(h):
    """Where records go and how: nowhere, by com2, from the hit itself."""
    s = h.session
    record = Record(s.probe(h.stays).number, 0, b"")

    def another():
        at, = h.run(OTHER)
        h.value += 1
        return [record._replace(time=h.time(at), body=words(h.value))]

    assert s.good("LOG", b"\xfe\xfe") == b"\0\1\0"
    s.refused("BAD_RANGE", "LOG", b"\5\xfe")
    assert s.good("LOG", b"\xff\xfe") == b"\xff\1\0"
    kept = another()
    s.poll(POLLS)
    assert s.came() == []
    assert s.good("LOG", b"\0\xfe") == b"\0\1\0"
    s.poll()
    assert s.came() == kept
    if "COM2" in h.parts:
        s.stream_lines = "12"
        assert s.good("LOG", b"\1\xfe") == b"\1\1\0"
        s.stream_lines = "2"
        expected = another()
        s.poll()
        assert s.came() == expected
        s.stream_lines = "12"
        assert s.good("LOG", b"\0\xfe") == b"\0\1\0"
        s.stream_lines = "1"
    else:
        s.refused("LEFT_OUT", "LOG", b"\1\xfe")
    assert s.good("LOG", b"\xfe\0") == b"\0\0\0"
    s.poll()
    expected = another()
    assert s.came() == expected  # before anybody polls
    assert s.good("LOG", b"\xfe\1") == b"\0\1\0"
    if "RESEND" not in h.parts:
        s.refused("LEFT_OUT", "LOG", b"\xfe\2")
    if "COMPACT" in h.parts:
        assert s.good("LOG", b"\xfe\xfe\1") == b"\0\1\1"
        kept = another() + another()
        s.poll()
        assert s.came() == kept
        assert s.good("LOG", b"\xfe\xfe\xfe") == b"\0\1\1"
        assert s.good("LOG", b"\xfe\xfe") == b"\0\1\0"
    else:
        s.refused("LEFT_OUT", "LOG", b"\xfe\xfe\1")


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
    s.do("1~R0")
    s.do("1~Q0")
    s.do("cworld")
    assert s.on_console() == ([("c", "hello"), ("c", "~R0"), ("1", "world")] if "CONSOLE" in h.parts else [])
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


def timer(h, seconds, nanoseconds=0):
    """The counter as an object with a timer. Traits: kind, phase, isa, flags. Point: bytes of the instruction; then address, before,
    extent, opcode."""
    data = h.build(source(point(COUNTS)))
    data = changed(data, ppdf.place(data, ppdf.TRAITS_SECTION), bytes([TIMER, 0, 0, 0]))
    row = ppdf.place(data, ppdf.POINTS_SECTION)
    return changed(changed(data, row + 1, b"\0"), row + 4, struct.pack(">IIII", seconds, 0, nanoseconds, 0))


def refused_timer(h, why, data):
    """No timer for it, and why: no_timer.def."""
    before = h.session.status()
    error, verdict, _ = h.session.commit(data)
    assert error == ERRORS["NO_TIMER"] and verdict.found == (why if "DETAILS" in h.parts else 0), (error, verdict)
    assert h.session.status() == before


def timers(h):
    """A tick needs the clock, a sample a board that samples; nothing else of the agent."""
    s, tick, sample = h.session, timer(h, 2, 500_000_000), timer(h, SAMPLED, 10_000_000)
    if "TIMERS" not in h.parts:
        h.refused("BAD_FIELD", None, tick)
        return
    refused_timer(h, 3, sample)
    s.do("h 3e8 0")
    runs = [(sample, lambda: s.do(f"h 3e8 {10:x}"))]  # 1000 calls a second: 10 in a period
    if "TIMES" in h.parts:
        runs.append((tick, lambda: s.at(s.ticks + 5 * HZ // 2)))
    else:
        refused_timer(h, 2, tick)
    for data, pass_period in runs:
        error, _, (program, armed, _) = s.commit(data)
        assert (error, armed) == (0, 1)
        number = s.probe(program).number
        s.poll()
        assert s.came() == []
        for count in range(1, 4):
            pass_period()
            h.expected = [Record(number, h.time(s.ticks), words(count))]
            h.check_records()
        h.check_probe(program, hits=3, kind=TIMER)
        h.remove(program)
        pass_period()
        h.check_records()
    s.do("h 0 0")


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
    if "STORM" in h.parts and "TIMES" not in h.parts:  # without a clock; with one: test_agent_governor.c
        s.do(f"r {HOT:x} 1 {100000:x}")
        h.check_probe(program, state=TOO_OFTEN)
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
    h.check_notices(*["01000202"] if there else [])
    com = "2" if "COM2" in h.parts else "1"
    s.stream_lines = com
    assert s.hello(com).boot == (2 if there else 0)
    h.check_notices(*[] if there else ["01000000"])
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
    assert s.good("PROVE", wire.proof(board_key, second.nonce, SESSION, rights)) == bytes([wire.RIGHTS["LOOK"] | wire.RIGHTS["LOG"]])
    s.status()
    third = s.hello()
    assert s.good("PROVE", wire.proof(board_key, third.nonce, SESSION, rights, b"\1") + b"\1") == bytes([rights])
    injected = s.line("REMOVE", b"\xff")  # with the right CRC, which is not the seal
    assert s.send(injected) == [] and s.naks[-1] == s.seq
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
