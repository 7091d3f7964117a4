# SPDX-License-Identifier: BSD-2-Clause
"""A session with an agent that has some features: what must be seen in it, and what never changes."""
import struct
import zlib

from . import ppdf
from .feature_programs import ARMED, FAULTS, OTHER, RAM, TEXT, TEXT_BYTES, TRAP, word_at, words
from .ppdf import ops
from .session import ERRORS, PARTS, Record

BUILD_ID = bytes([1, 2, 3]) + bytes(17)
MAX_PROBES, MAX_PROGRAMS, ARENA = 64, 16, 16384
REST_POLLS = 16  # of these one is the patrol's, without work
POLLS = REST_POLLS * (3 * MAX_PROBES + 30 * MAX_PROGRAMS)  # all sites and all bytes of a few programs are looked at
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


def changed(data, at, value):
    """Bytes of an object others, and the check as if they belonged there."""
    data = data[:at] + value + data[at + len(value):-4]
    return data + zlib.crc32(data).to_bytes(4, "big")


def with_identity(data, kind, identity):
    """An object with one module, built for that image."""
    module = ppdf.place(data, ppdf.MODULES_SECTION)
    return changed(data, module, bytes([0, kind]) + data[module + 2:module + 12] + identity.ljust(20, b"\0"))
