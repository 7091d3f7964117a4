# SPDX-License-Identifier: BSD-2-Clause
"""An agent in Python, written from PROTOCOL.md alone, on a unix socket.

It keeps no text and runs no handler: a test says which records appear. What a test wants to go
wrong it says with the hooks:

    agent.answers[cmd] = error             every request of this command fails
    agent.verdict = (error, refusal, point, where, found)     CHECK and COMMIT say this
    agent.on_line = f(seq, payload) -> None or one of the actions below, before execution
"""
import collections
import re
import time
import zlib

from . import wire
from .fake_line import FakeLine
from .fake_program import SCALE, Program, packed

DROP, NAK, CLOSE, EXECUTE_SILENTLY, REBOOT = "drop", "nak", "close", "silent", "reboot"

HELLO, LIMITS, MODULE, STATUS, CLOSE, PROVE, RANGES, HARDWARE = 1, 2, 3, 4, 5, 6, 7, 8
BEGIN, DATA, CHECK, COMMIT = 0x10, 0x11, 0x12, 0x13
REMOVE, PROGRAM, PROBE, NAME, VARS, ORIGINAL, STOP, MAP, PROBES = 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28
STORE, MEMORY = 0x29, 0x2A
LOG, TEXT, RESEND = 0x30, 0x31, 0x32

OK, WRONG_IMAGE, BAD_CRC, EMPTY, LOCKED, LEFT_OUT, MAP_RANGE, NOT_TEXT, NOT_PATCHABLE = 0, 4, 7, 13, 38, 39, 42, 48, 49
BAD_REQUEST, BAD_TXN, NO_PROGRAM, NAME_IN_USE, BAD_RANGE, BAD_PROTOCOL, BUSY, IN_USE, NO_RIGHT, WRONG_PROOF = range(64, 74)

TIMES_PART, ACCESS_PART, RESEND_PART, RANGES_PART, PROBES_PART, SEAL_PART, GAPS_PART, MEMORY_PART, RUNS_PART = 21, 34, 36, 40, 44, 45, 47, 48, 62
COMPACT_PART, DERIVED_PART, HARDWARE_PART = 46, 50, 51
PARTS = ((1 << 41) - 1 | 1 << PROBES_PART | 1 << GAPS_PART | 1 << MEMORY_PART | 1 << RUNS_PART) & ~(1 << 31 | 1 << ACCESS_PART | 1 << RESEND_PART)
TYPED_LINE = b"~dprobes remove"
SESSION_TAKEN_NOTICE, TOO_OFTEN_NOTICE, REMOVED_NOTICE = 0x09, 0x0A, 0x0C
NO_CLOCK = 0xFFFF
RANGES_KEPT = 4  # of an upload, behind a gap

# The right that each request needs; none: HELLO and CLOSE.
NEEDS = {**dict.fromkeys((LIMITS, MODULE, STATUS, PROGRAM, PROBE, PROBES, NAME, VARS, ORIGINAL, TEXT, MAP, RANGES),
                         wire.RIGHTS["LOOK"]),
         **dict.fromkeys((LOG, RESEND), wire.RIGHTS["LOG"]),
         **dict.fromkeys((BEGIN, DATA, CHECK, COMMIT, REMOVE, STOP, MEMORY), wire.RIGHTS["INSERT"]),
         STORE: wire.RIGHTS["INSERT"] | wire.RIGHTS["WRITE"]}

ITEM_BYTES = ((0x01, 1), (0x02, 8), (0x04, 4), (0x08, 0), (0x10, 0), (0x20, 8))


def be(value, size):
    return (value & ((1 << 8 * size) - 1)).to_bytes(size, "big")


class FakeAgent(FakeLine):
    def __init__(self, path, word=4, big=False, cpu=1, window=8):
        super().__init__(path)
        self.word, self.big, self.cpu, self.window = word, big, cpu, window
        self.boot, self.version, self.profile, self.hz = 1, wire.VERSION, 0, 1_000_000
        self.module_name, self.identity, self.build_id, self.bounds = b"firmware", 0, b"", 0
        self.text_base, self.text = 0x1000, bytes(range(256)) * 16
        self.ranges = [(self.text_base, len(self.text), 0x05), (0x20000, 0x1000, 0x03)]  # start, length, access
        self.memory, self.reads, self.stores = {0x20000: bytearray(range(256)) * 16}, [], []  # start: bytes; requests
        self.missed_of_probes = 0
        self.phases, self.probes = 1, 64  # bits of phases; entries of the table of probes
        self.moved = 0                # text_base minus the linked address
        self.answers, self.verdict, self.on_line = {}, None, None
        self.sync_each_s, self.stack = 0.2, 1024
        self.log_max = self.trace_max = 1024
        self.without = ()             # numbers of parts.def
        self.hardware = None          # the answer to HARDWARE; None: an agent without the part
        self.beside = ()              # parts that it has beside the usual ones
        self.ring, self.ring_lost = [], 0  # bodies of hits that STOP finds in the ring; the last ones are lost on the line
        self.ring_bytes = 8192
        self.row_room = 54            # bytes of the rows in an answer to PROBES
        self.row_cut = 0              # bytes that their end lacks
        self.derives = False          # hosts may ask for items without bytes
        self.compacts = False         # hosts may ask for compact lines
        self.resends = 0              # records that are kept for RESEND; 0: none, and no RESEND
        self.nonce = 0x0123456789ABCDEF
        self.status_end = b"\0\0"     # line, own text
        self.text_dropped, self.hits_per_second, self.nonce_source = 0, 0, 0
        self.key, self.locked, self.typed_remove = None, False, False
        self.seals, self.sealed, self.count = True, None, 0  # has it the part SEAL? the session's key; the highest count
        self.typed = bytearray()      # what the firmware's console received
        self.typed_lines = b""        # the part that is no whole line yet
        self.requests = []            # (command, payload), executed ones
        self.lines = 0                # request lines with a right check
        self.data_applied = []        # (offset, bytes) of DATA that moved `have`
        self.sessions = []
        self._power_on()
        self.listen()

    def _power_on(self):
        self.session, self.last = None, None
        self.rights, self.owner, self.heard = 0, b"", 0.0
        self.withheld = None  # (byte, rights) that HELLO asked for, until PROVE
        self.upload, self.transaction, self.committed = None, 0, None
        self.behind = {}  # bytes of the upload behind a gap
        self.programs = {}
        self.gvars = [0] * 8
        self.slots_free = 60
        self.arena, self.arena_free = 16384, 12000
        self.log_target, self.log_mode, self.form = 0xFF, 1, 0
        self.notices, self.spoke = collections.Counter(), 0
        self.timed = collections.defaultdict(lambda: None)  # time of the record before; None: S comes next
        self.kept, self.coming_again, self.have = {}, [], 0
        self.full = 0
        self.sent, self.dropped = collections.Counter(), collections.Counter()
        self.missed, self.withdrawn = collections.Counter(), collections.Counter()
        self.clock, self.started = time.monotonic, time.monotonic()
        self.next_number = 0

    # ---- requests ----------------------------------------------------------------------------

    def _take(self, kind, value):
        with self.lock:
            if kind == "text":
                self._type(value)
                return
            if self.sealed and self._take_sealed(value):
                return
            parsed = wire.parse_control(value, self.session, self.nonce) if self.session and not self.sealed else None
            session = self.session
            if parsed is None:
                parsed = wire.parse_control(value, 0)
                session = 0
                if parsed is not None and parsed[1][:1] != b"\x01":
                    return
            if parsed is None:
                self._type(value.encode() + b"\n")
                if wire.well_formed_control(value):
                    self.emit(wire.stream("K", value[2:4]))
                return
            self.lines += 1
            self._request(session, *parsed, check=value[-8:])

    def _take_sealed(self, value):
        """PROTOCOL.md 5.2, The seal. Returns False for HELLO and for a line that gets a NAK."""
        if self.last is not None and self.last[2][0] == PROVE and wire.parse_control(value, self.session, self.nonce) \
                and self.last[:2] == (int(value[2:4], 16), value[-8:]):
            self.emit(wire.control("Z", self.session, self.last[0], self.last[2], self.nonce))
            return True
        count = self.count + (int(value[2:4], 16) - self.count & 255)
        parsed = wire.parse_sealed(value, self.sealed, count, "Q")
        if parsed is None:
            return False
        self.lines += 1
        if count > self.count:
            self.count, self.last = count, None
        elif self.last is None:
            self.emit(wire.sealed(self.sealed, "Z", count, bytes([parsed[1][0], BUSY])))
            return True
        self._request(self.session, *parsed, check=count, key=self.sealed)
        return True

    def _type(self, text):
        """Console text: PROTOCOL.md 5.7."""
        self.typed += text
        *lines, self.typed_lines = re.split(rb"[\r\n]", self.typed_lines + text)
        for _ in range(lines.count(TYPED_LINE)):
            self.emit(b"\r\ndprobes: " + self._remove_typed() + b"\r\n")

    def _remove_typed(self):
        if (self.key or self.locked) and not self.typed_remove:
            return b"nothing removed: the firmware has locked the agent" if self.locked \
                else b"nothing removed: this board requires a key"
        count = len(self.programs)
        self.programs.clear()
        if count:
            self.notice(REMOVED_NOTICE, be(count, 1))
        return b"%d program(s) removed" % count

    def _request(self, session, seq, payload, check, key=None):
        action = self.on_line(seq, payload) if self.on_line else None
        if action == DROP:
            return
        if action == NAK:
            self.emit(wire.stream("K", f"{seq:02X}"))
            return
        if action == CLOSE:
            self.hang_up()
            return
        if action == REBOOT:
            self.reboot()
            return
        if session:
            self.heard = time.monotonic()
        if self.last is not None and self.last[:2] == (seq, check):
            answer = self.last[2]
        else:
            answer = self._in_use(payload) or self._execute(payload)
            if answer[1] not in (BUSY, IN_USE):
                self.last = (seq, check, answer)
        if action != EXECUTE_SILENTLY:
            self.emit(wire.sealed(key, "Z", check, answer) if key else wire.control("Z", session, seq, answer, self.nonce))
        self._send_again()

    def _in_use(self, payload):
        """The answer to a HELLO while another host has the session; a host that takes it is announced."""
        if payload[0] != HELLO or payload[1] != self.version or not self.owner or int.from_bytes(payload[2:6], "big") == self.session:
            return None
        if not payload[6] & wire.RIGHTS["TAKE"]:
            idle = min(60, int(time.monotonic() - self.heard)) if self.hz else NO_CLOCK
            return bytes([HELLO, IN_USE]) + be(idle, 2) + self.owner
        number = self.notices[0] & 0xFFF  # of the next notice, which has it too
        self.emit(wire.stream("N", f"0{number:03X}{SESSION_TAKEN_NOTICE:02X}{payload[7:31].hex().upper()}"))
        return None

    def reboot(self, say=True):
        """The target restarts; everything installed is gone."""
        with self.lock:
            self.boot += 1
            self._power_on()
            if say:
                self.notice(1, be(self.boot, 2) + b"\0")

    # ---- commands -------------------------------------------------------------------------

    def _execute(self, payload):
        command, arguments = payload[0], payload[1:]
        self.requests.append((command, arguments))
        if command in self.answers:
            return bytes([command, self.answers[command]])
        needs = NEEDS.get(command, 0)
        if (command == VARS and arguments[4:5] > b"\0") or (command == MAP and arguments[4:5] > b"\0"):
            needs |= wire.RIGHTS["INSERT"]
        if needs & ~self.rights:
            return bytes([command, LOCKED if self.locked and needs & ~wire.RIGHTS["LOOK"] else NO_RIGHT])
        handlers = {
            CLOSE: self._close, ORIGINAL: self._original, PROVE: self._prove, MAP: self._map,
            HELLO: self._hello, LIMITS: self._limits, MODULE: self._module, STATUS: self._status,
            BEGIN: self._begin, DATA: self._data, CHECK: self._check, COMMIT: self._commit,
            REMOVE: self._remove, PROGRAM: self._program,
            PROBE: self._probe, **({} if self._lacks(PROBES_PART) else {PROBES: self._probes}), NAME: self._name, VARS: self._vars, LOG: self._log,
            TEXT: self._text, STOP: self._stop, RANGES: self._ranges,
            **({} if self._lacks(MEMORY_PART) else {MEMORY: self._memory, STORE: self._store}),
            **({RESEND: self._resend} if self.resends else {}),
            **({HARDWARE: lambda _a: (OK, self.hardware)} if self.hardware else {}),
        }
        if command not in handlers:
            return bytes([command, BAD_REQUEST])
        error, answer = handlers[command](arguments)
        return bytes([command, error]) + answer

    def _hello(self, a):
        if a[0] != self.version:
            return BAD_PROTOCOL, bytes([self.version])
        self.session = int.from_bytes(a[1:5], "big")
        self.sealed, self.count = None, 0
        if self.withheld == ():  # a PROVE has used the nonce
            self.nonce += 1
        asked = a[5] & (0x0F if self.profile else 0x0E) & (wire.RIGHTS["LOOK"] if self.locked else 0xFF)
        self.withheld = (a[5], asked) if self.key else None
        self.rights, self.owner, self.heard = 0 if self.key else asked, a[6:30], time.monotonic()
        self.sessions.append(self.session)
        self.upload = None
        if self.log_target == 0xFF:
            self.log_target = 0
        ticks = self._ticks()
        answer = (bytes([self.version]) + be(self.boot, 2)
                  + bytes([self.cpu, self.word, int(self.big), 0, self.phases, 3, self.window, self.profile,
                           self.rights]) + be(self.hz, 4) + be(ticks, 8)
                  + bytes([len(self.programs), 1]) + be(0x0102, 2))
        parts = (PARTS | (1 << RESEND_PART if self.resends else 0) | (1 << ACCESS_PART if self.key else 0)
                 | (1 << DERIVED_PART if self.derives else 0) | (1 << COMPACT_PART if self.compacts else 0)
                 | (1 << SEAL_PART if self.key and self.seals else 0)
                 | (1 << HARDWARE_PART if self.hardware else 0)) & ~sum(1 << number for number in self.without) | sum(1 << number for number in self.beside)
        answer += be(parts, 4) + be(self.log_max, 2) + be(self.trace_max, 2) + be(self.nonce, 8) + be(parts >> 32, 4)
        self.form = 0
        self.timed.clear()
        self._sync_soon()
        return OK, answer

    def _close(self, _a):
        self.rights, self.owner, self.upload, self.form = 0, b"", None, 0
        return OK, b""

    def _prove(self, a):
        """PROTOCOL.md 5.2, Keys. Of this agent only a board with a key has the feature."""
        if not self.key:
            return LEFT_OUT, b""
        if not self.withheld:
            return WRONG_PROOF, b""
        (byte, rights), self.withheld = self.withheld, ()
        form = self.seals and a[8:9] == b"\1"
        if a[:8] != wire.proof(self.key, self.nonce, self.session, byte, b"\1" if form else b""):
            return WRONG_PROOF, b""
        self.rights = rights & (wire.RIGHTS["LOOK"] if self.locked else 0xFF)
        if form:
            self.sealed = wire.session_key(self.key, self.nonce, self.session, byte)
        elif self.seals:
            self.rights &= wire.RIGHTS["LOOK"] | wire.RIGHTS["LOG"]
        return OK, bytes([self.rights])

    def lock_agent(self):
        """dp_lock of the firmware."""
        with self.lock:
            self.locked = True
            self.rights &= wire.RIGHTS["LOOK"]

    def _ticks(self):
        return int((self.clock() - self.started) * self.hz)

    def _lacks(self, part):
        return part in self.without

    def _limits(self, _a):
        used = sum(len(p.points) for p in self.programs.values())
        return OK, (be(self.log_max, 2) + be(self.trace_max, 2) + be(256, 2) + be(8, 2) + be(0xFFFF, 2) + be(self.stack, 2)
                    + be(4096, 4) + be(self.arena, 4) + be(self.arena_free, 4) + bytes([self.probes, self.probes - used, 4, 64, self.slots_free])
                    + be(self.ring_bytes, 4) + be(40000, 4) + be(600, 2) + be(self.bounds, 1)
                    + be(self.hits_per_second, 4) + be(self.nonce_source, 1))

    def _module(self, a):
        if a[0] != 0:
            return BAD_RANGE, b""
        part = self.module_name[a[1]:a[1] + 6]
        return OK, (bytes([0, self.identity]) + be(self.text_base, 8) + be(len(self.text), 8)
                    + be(self.text_base - self.moved, 8) + bytes([len(self.build_id)]) + self.build_id
                    + bytes([len(self.module_name)]) + part)

    def _status(self, _a):
        probes = sum(len(p.points) for p in self.programs.values())
        return OK, (bytes([len(self.programs), probes, self.log_target, self.log_mode])
                    + be(self.sent[self.spoke], 4) + be(self.dropped[self.spoke], 4)
                    + be(self.missed[self.spoke], 4) + be(0, 4) + be(0, 4) + self.status_end
                    + be(self.text_dropped, 4))

    def _begin(self, a):
        size, crc = int.from_bytes(a[:4], "big"), int.from_bytes(a[4:8], "big")
        fresh = self.upload is None or self.upload[:2] != (size, crc) or self.upload[2]
        self.behind = {}
        if fresh:
            self.transaction += 1
            self.upload = (size, crc, bytearray())
            self.committed = None
        return OK, be(self.transaction, 2)

    def _data(self, a):
        transaction, offset = int.from_bytes(a[:2], "big"), int.from_bytes(a[2:6], "big")
        if self.upload is None or transaction != self.transaction:
            return BAD_TXN, b""
        size, _, have = self.upload
        data, error = a[6:], OK
        keeps = not self._lacks(GAPS_PART)
        if offset + len(data) > size or (offset > len(have) and not (keeps and self._keep_behind(offset, data))):
            error = BAD_TXN
        elif offset <= len(have):
            self._apply(data[len(have) - offset:])
        while keeps and len(have) in self.behind:
            self._apply(bytes([self.behind.pop(len(have))]))
        answer = be(transaction, 2) + be(len(have), 4)
        return error, answer + (b"".join(be(edge, 4) for edge in self._edges(self.behind)) if keeps else b"")

    def _apply(self, data):
        have = self.upload[2]
        if data:
            self.data_applied.append((len(have), data))
            for at in range(len(have), len(have) + len(data)):
                self.behind.pop(at, None)
            have += data

    @staticmethod
    def _edges(kept):
        """First byte and end of each range."""
        return [edge for at in sorted(kept) for edge in [at] * (at - 1 not in kept) + [at + 1] * (at + 1 not in kept)]

    def _keep_behind(self, offset, data):
        """A piece behind a gap, unless a fifth range would begin."""
        fresh = {offset + n: byte for n, byte in enumerate(data)} | self.behind
        if len(self._edges(fresh)) > 2 * RANGES_KEPT:
            return False
        self.behind = fresh
        return True

    def _verdict(self, a):
        """(error, verdict bytes)"""
        nothing = b"\0" + be(0xFFFF, 2) + be(0, 4) + be(0, 4)
        if self.upload is None or int.from_bytes(a[:2], "big") != self.transaction:
            return BAD_TXN, nothing
        size, crc, have = self.upload
        if len(have) != size:
            return BAD_TXN, nothing
        if zlib.crc32(have) != crc:
            return BAD_CRC, nothing
        if self.verdict is not None:
            error, refusal, point, where, found = self.verdict
            return error, bytes([refusal]) + be(point, 2) + be(where, 4) + be(found, 4)
        program = Program(bytes(have), a[3], a[4:])
        same = [p for p in self.programs.values() if (p.name, p.id) == (program.name, program.id)]
        if same and not a[2] & 0x06:
            return NAME_IN_USE, nothing
        return OK, nothing

    def _check(self, a):
        return self._verdict(a)

    def _commit(self, a):
        if self.committed is not None:
            return OK, self.committed
        error, verdict = self._verdict(a)
        if error != OK:
            return error, verdict
        program = Program(bytes(self.upload[2]), a[3], a[4:])
        if a[2] & 4:
            for index, old in list(self.programs.items()):
                if (old.name, old.id) == (program.name, program.id):
                    del self.programs[index]
        index = next(n for n in range(4) if n not in self.programs)
        for point, selected in enumerate(program.selected):
            if selected:
                program.numbers[point] = self.next_number
                self.next_number += 1
        self.programs[index] = program
        self.upload = None
        self.committed = verdict + bytes([index, sum(program.selected), 0])
        return OK, self.committed

    def _remove(self, a):
        if a[0] == 0xFF:
            count = len(self.programs)
            self.programs.clear()
        elif a[0] in self.programs:
            del self.programs[a[0]]
            count = 1
        else:
            return NO_PROGRAM, b""
        self._sync_soon()
        return OK, bytes([count])

    def _stop(self, a):
        if a[0] not in self.programs:
            return NO_PROGRAM, b""
        ring, self.ring = self.ring, []
        if ring:
            lost = len(ring) - self.ring_lost
            self._later(0.2, lambda: [self.hit(body, a[0], lose=n >= lost) for n, body in enumerate(ring)])
        self.programs[a[0]].stopped = True
        return OK, be(self.sent[0] + len(ring), 4)

    def _resend(self, a):
        """Of stream 0."""
        self.have, first, count = int.from_bytes(a[:4], "big"), int.from_bytes(a[4:8], "big"), int.from_bytes(a[8:10], "big")
        there = [number for number in range(first, first + count) if number in self.kept]
        self.coming_again = there
        return OK, be(there[0] if there else first, 4) + be(len(there), 2) + be(self.sent[0], 4)

    def _send_again(self):
        """The records of the last RESEND, behind its answer."""
        coming, self.coming_again = self.coming_again, []
        while coming:
            line, count = wire.records_line(0, coming[0], [self.kept[number] for number in coming], True, self.big, self.form == 1)
            for one in [line] if count else wire.pieces(0, coming[0], self.kept[coming[0]], self.big, self.form == 1):
                self.emit(one)
            coming = coming[max(count, 1):]

    def _program(self, a):
        program = self.programs.get(a[0])
        if program is None:
            return NO_PROGRAM, b""
        return OK, (bytes([a[0]]) + be(program.id, 4) + be(program.major, 2)
                    + bytes([program.items, len(program.points), 0])
                    + be(zlib.crc32(program.data), 4) + be(len(program.data), 4)
                    + be(program.vars, 2) + bytes([len(program.name)]) + program.name[:24])

    def _probe(self, a):
        program = self.programs.get(a[0])
        if program is None:
            return NO_PROGRAM, b""
        if a[1] >= len(program.points):
            return BAD_RANGE, b""
        point, traits = program.points[a[1]], program.traits[a[1]]
        return OK, (bytes([program.numbers[a[1]], program.state(a[1])]) + be(point.minor, 2) + bytes([traits.isa])
                    + be(traits.high << 32 | point.address, 8) + be(point.opcode, 4) + bytes([point.insn_bytes])
                    + be(program.hits[a[1]], 4) + be(self.missed_of_probes, 4) + be(0, 4) * 3 + bytes([a[1]]) + be(0, 2)
                    + bytes([traits.kind, traits.phase, traits.flags]) + be(traits.maxhits, 4))

    def _probes(self, a):
        answer, before = b"", bytes(48)
        for index in range(a[1], a[1] + a[2]):
            error, row = self._probe(bytes([a[0], index]))
            if error != OK:
                return (OK, answer) if answer else (error, b"")
            expected = bytes([(before[0] + 1) % 256]) + before[1:38] + row[38:39] + before[39:]
            differ = [byte != old for byte, old in zip(row, expected)]
            mask = [int("".join(str(int(bit)) for bit in differ[at:at + 8]), 2) for at in range(0, 48, 8)]
            packed = bytes([sum(0x80 >> at for at in range(6) if mask[at]), *filter(None, mask)]) + bytes(
                byte for byte, differs in zip(row, differ) if differs)
            if len(answer) + len(packed) > self.row_room and answer:
                break
            answer, before = answer + packed, row
        return OK, answer[:max(len(answer) - self.row_cut, 0)]

    def _name(self, a):
        program = self.programs.get(a[0])
        if program is None:
            return NO_PROGRAM, b""
        return OK, program.name[a[1]:a[1] + 48]

    def _original(self, a):
        program = self.programs.get(a[0])
        if program is None:
            return NO_PROGRAM, b""
        if a[1] >= len(program.points):
            return BAD_RANGE, b""
        point = program.points[a[1]]
        return OK, point.opcode.to_bytes(4, "big" if self.big else "little")[:point.insn_bytes]

    def _vars(self, a):
        words = self.gvars if a[0] == 0xFF else \
            self.programs[a[0]].variables if a[0] in self.programs else None
        if words is None:
            return NO_PROGRAM, b""
        first, count = int.from_bytes(a[1:3], "big"), min(a[3], 52 // self.word)
        if first > len(words):
            return BAD_RANGE, b""
        chosen = words[first:first + count]
        if a[4]:
            words[first:first + count] = [0] * len(chosen)
        return OK, be(len(words), 2) + b"".join(self._word(word) for word in chosen)

    def _map(self, a):
        program, index, place, how = self.programs.get(a[0]), a[1], int.from_bytes(a[2:4], "big"), a[4]
        if program is None:
            return NO_PROGRAM, b""
        if how > 2:
            return BAD_REQUEST, b""
        if index >= len(program.maps) or program.maps[index].kind >= SCALE:
            return MAP_RANGE, b""
        chosen, answer = program.maps[index], b""
        for at in range(place, chosen.places):
            keys, values = chosen.entries.get(at, ((), ()))
            more = packed([*keys, *values], self.word)
            if len(answer) + len(more) > wire.PAYLOAD_MAX - 8:
                return OK, be(at, 2) + be(chosen.dropped, 4) + answer
            answer += more
            if how == 2:
                chosen.entries.pop(at, None)
            elif how == 1 and keys:
                chosen.entries[at] = (keys, [0] * len(values))
        return OK, be(0xFFFF, 2) + be(chosen.dropped, 4) + answer

    def _word(self, value):
        return value.to_bytes(self.word, "big" if self.big else "little")

    def _log(self, a):
        if a[0] != 0xFE:
            self.log_target = a[0]
        if a[1] != 0xFE:
            self.log_mode = a[1]
        self.timed.clear()
        if not self.compacts:  # as agents of before
            return OK, bytes([self.log_target, self.log_mode])
        form = a[2] if len(a) > 2 else 0
        self.form = self.form if form == 0xFE else form
        return OK, bytes([self.log_target, self.log_mode, self.form])

    def _text(self, a):
        address, size = int.from_bytes(a[:8], "big"), int.from_bytes(a[8:12], "big")
        offset = address - self.text_base
        if offset < 0 or offset + size > len(self.text) or size > 65536 or offset % 64 or (size % 64 and offset + size != len(self.text)):
            return BAD_RANGE, b""
        sites = sum(len(p.points) for p in self.programs.values())
        return OK, be(zlib.crc32(self.text[offset:offset + size]), 4) + be(sites, 2)

    def _ranges(self, a):
        if a[0] >= len(self.ranges):
            return BAD_RANGE, b""
        start, size, access = self.ranges[a[0]]
        return OK, be(start, 8) + be(size, 8) + bytes([access, len(self.ranges)])

    def _at(self, address, count):
        """The memory and the place in it; None: not all of the bytes are there."""
        for start, memory in self.memory.items():
            if start <= address and address + count <= start + len(memory):
                return memory, address - start
        return None

    def _memory(self, a):
        width, each, failed, data = a[0], self.word + 1, 0, b""
        runs = width == 16 and not self._lacks(RUNS_PART)
        if width not in (0, 1, 2, 4, 8) and not runs or len(a) % each != 1:
            return BAD_REQUEST, b""
        places = [(int.from_bytes(a[at:at + self.word], "big"), a[at + self.word]) for at in range(1, len(a), each)]
        if sum(count for _, count in places) > (64 if runs else 52):
            return BAD_REQUEST, b""
        self.reads.append((width, places))
        if runs:
            return OK, self._runs(places)
        for number, (address, count) in enumerate(places):
            found = None if width and (address % width or count % width) else self._at(address, count)
            if found:
                data += found[0][found[1]:found[1] + count]
            else:
                failed |= 1 << number
        return OK, be(failed, 2) + data

    def _runs(self, places):
        """The byte and the number of each run of equal bytes; places have units of 64 bytes."""
        failed, data = 0, b""
        for number, (address, units) in enumerate(places):
            count, first = 0, self._at(address, 1)
            while first and count < 64 * units and (found := self._at(address + count, 1)) and found[0][found[1]] == first[0][first[1]]:
                count += 1
            if count:
                data += bytes([first[0][first[1]]]) + be(count, 2)
            else:
                failed |= 1 << number
        return be(failed, 2) + data

    def _store(self, a):
        address, data = int.from_bytes(a[:8], "big"), a[8:]
        if len(data) not in (1, 2, 4, 8) or address % len(data):
            return BAD_REQUEST, b""
        found = self._at(address, len(data))
        if not found:
            return OK, b"\0"
        self.stores.append((address, data))
        found[0][found[1]:found[1] + len(data)] = data
        return OK, bytes([len(data)])

    # ---- the stream -----------------------------------------------------------------------

    def _emit_line(self, line, lose):
        if not lose:
            self.emit(line)

    def sync(self, stream=0, lose=False, ticks=None):
        if self._lacks(TIMES_PART):
            return
        with self.lock:
            self.spoke = stream
            line = wire.sync(stream, self._ticks() if ticks is None else ticks, self.hz, self.boot, self.sent[stream],
                             self.dropped[stream], self.missed[stream], self.withdrawn[stream], self.notices[stream],
                             self.full)
            self._emit_line(line, lose)

    def items(self, program, cpu=0, name=b"", pid=0, pc=0, sp=0, tsc=0):
        """The items a program's records begin with."""
        values = (be(cpu, 1), name.ljust(8, b"\0"), be(pid, 4), self._word(pc), self._word(sp),
                  be(tsc, 8))
        return b"".join(value for (bit, _), value in zip(ITEM_BYTES, values)
                        if program.items & bit)

    def _keep(self, stream, records):
        if not self.resends or stream:
            return
        for number, one in enumerate(records, self.sent[0]):
            self.kept[number] = one
            self.kept.pop(number - self.resends, None)

    def raw(self, digits, count=1, stream=0):
        """A line S with these digits behind the time, which the agent takes for so many records."""
        with self.lock:
            self.spoke = stream
            self.emit(wire.stream("S", f"{stream:X}{self.sent[stream] & 0xFFF:03X}{self._ticks():016X}{digits}"))
            self.sent[stream] += count

    def records(self, *records, stream=0, lose=False):
        """Records on one line, or in pieces when one is too long. Returns the lines.

        lose=True: they never arrive; lose=(n,): piece n does not.
        """
        with self.lock:
            self.spoke, before, number = stream, self.timed[stream], self.sent[stream]
            whole = before is None or abs(records[0].ticks - before) >= 1 << 31
            line, count = wire.records_line(stream, number, records, whole, self.big, self.form == 1)
            lines = [line] if count else wire.pieces(stream, number, records[0], self.big, self.form == 1)
            assert count in (0, len(records)) and (count or len(records) == 1)
            self._keep(stream, records)
            self.sent[stream] += len(records)
            self.timed[stream] = records[-1].ticks
            for n, one in enumerate(lines):
                self._emit_line(one, lose is True or lose == (n,))
            return lines

    def hit(self, body=b"", program=0, point=0, ticks=None, stream=0, lose=False, **options):
        """One hit of an installed probe."""
        with self.lock:
            installed = self.programs[program]
            installed.hits[point] += 1
            items = self.items(installed, **options.pop("items", {}))
            one = wire.record(installed.numbers[point], self._ticks() if ticks is None else ticks, items + body, **options)
            self.records(one, stream=stream, lose=lose)

    def notice(self, number, arguments=b"", stream=0, lose=False):
        with self.lock:
            self.spoke = stream
            own = self.notices[stream] & 0xFFF
            self.notices[stream] += 1
            self._emit_line(wire.stream("N", f"{stream:X}{own:03X}{number:02X}{arguments.hex().upper()}"), lose)

    def disable_too_often(self, program=0, point=0):
        """A probe was hit too often."""
        with self.lock:
            installed = self.programs[program]
            installed.too_often.add(point)
            self.notice(TOO_OFTEN_NOTICE, be(installed.numbers[point], 1))
