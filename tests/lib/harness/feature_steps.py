# SPDX-License-Identifier: BSD-2-Clause
"""Steps of a session with every agent (feature_host.py): start, two programs, repeats, programs, refusals."""
import struct
import zlib

from . import wire
from .feature_host import ARENA, BUILD_ID, POLLS, check_text, with_identity
from .feature_programs import (ARMED, COUNTS, HOT, OTHER, RAM, REFUSED, TEXT, TEXT_BYTES, USES, point, source,
                               word_at, words)
from .session import CMD, HZ, PARTS


def start(h):
    """HELLO, the notice of the start, the image."""
    s, parts = h.session, h.parts
    boot = 1 if "RESTART" in parts else 0
    s.poll()
    h.check_notices()
    s.at(5000000000)
    hello = s.hello()
    h.check_notices(f"01{boot:04X}00")
    bits = sum(1 << PARTS[part] for part in parts)
    assert hello == hello._replace(
        version=2, boot=boot, cpu=1, word=4, order=0, phases=7, coms=3 if "COM2" in parts else 1, profile=0, rights=wire.ALL_BUT_WRITE,
        hz=HZ if "TIMES" in parts else 0, ticks=h.time(s.ticks), parts=bits & 0xFFFFFFFF, more_parts=bits >> 32, log_max=1024,
        trace_max=1024 if parts & {"TRACES", "RULES"} else 0xFFFF, nonce=int.from_bytes(((boot << 48) + h.time(0)).to_bytes(8, "little"), "big"))
    image = struct.pack(">BBQQQB", 0, 1, TEXT, TEXT_BYTES, TEXT, 20) + BUILD_ID
    assert s.good("MODULE", b"\0\0") == image + (b"\6kernel" if "MODULES" in parts else b"\0")
    h.check_status(0, 0)
    limits = struct.unpack(">HHHHHHIIIBBBBBIIHBIB", s.good("LIMITS"))
    assert limits[0] == 1024 and limits[2:15] == (256, 64 if "GLOBALS" in parts else 0, 65535, 1024, 4096, ARENA, ARENA, 64, 64, 16, 4, 4, 8192)
    assert limits[18:] == (50000 if "STORM" in parts else 0, 1 if "ACCESS" in parts else 0)
    check_text(h)


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
    assert s.on_console() == []
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
