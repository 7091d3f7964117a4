# SPDX-License-Identifier: BSD-2-Clause
"""A session by hand with tests/lib/target/firmware_session.c, from PROTOCOL.md alone: every line of the agent is decoded."""
import collections
import struct
import subprocess
import zlib

import tables
from . import wire

PARTS = {name: int(number) for number, name, _, _ in tables.rows("protocol/parts.def", "DP_PART")}
FEATURE_OF = {name: feature for _, name, feature, _ in tables.rows("protocol/parts.def", "DP_PART")}
FEATURES = [name for name, _ in tables.rows("protocol/features.def", "DP_FEATURE")]
ERRORS = {name: int(number) for name, number, _ in tables.rows("protocol/errors.def", "DP_ERR")}
CMD = {name: int(row[0], 16) for row in tables.rows("protocol/commands.def", "DP_CMD") for name in row[1:2]}
SESSION = 77
HZ = 1000000

Record = collections.namedtuple("Record", "probe time body flags codes kind", defaults=(0, None, 0))
Verdict = collections.namedtuple("Verdict", "refusal point where found")
Hello = collections.namedtuple("Hello", "version boot cpu word order groups phases coms window profile rights hz ticks programs modules "
                               "agent parts log_max trace_max nonce more_parts")
Status = collections.namedtuple("Status", "programs probes target mode sent dropped missed withdrawn strays line own_text text_dropped")
Program = collections.namedtuple("Program", "program id major items probes state crc bytes vars name_bytes name")
Probe = collections.namedtuple("Probe", "number state minor isa address original insn_bytes hits missed ignored faulted dropped point overruns "
                               "kind phase flags maxhits")


def parts_of_features(features):
    """The parts that an agent with these features has."""
    return {name for name, feature in FEATURE_OF.items() if feature in features or feature == "ALWAYS"}


class Session:
    """A firmware process and the host's side of its lines; parts: those of its agent."""

    def __init__(self, firmware, parts, *words):
        self.parts = parts
        self.child = subprocess.Popen([firmware, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.out = self.child.stdout
        self.data = b""
        self.console, self.answers, self.naks, self.notices, self.records = [], [], [], [], []
        self.counts = (0, 0, 0)
        self.ticks = 0
        self.stream_lines = "1"  # where records may come
        self.compact = False     # the line that is read
        self.restarted()
        self.digits, self.pieces = "", 0
        self.seq = 0
        self.nonce = 0

    def restarted(self):
        """The agent counts from the start: records, notices."""
        self.received = self.noticed = self.told = 0

    def close(self):
        self.child.stdin.close()
        rest = self.out.read()
        assert self.child.wait() == 0 and not rest, rest

    # ---- the firmware

    def do(self, command):
        """What the firmware answers: executed, faults, foreign traps since the last time, value."""
        self.child.stdin.write(command.encode() + b"\n")
        while True:
            while b"\n" not in self.data:
                more = self.out.read(65536)
                assert more, f"the firmware ended: {command}"
                self.data += more
            line, self.data = self.data.split(b"\n", 1)
            line = line.decode()
            if line.startswith("= "):
                break
            self.take(line[0], line[1:])
        *counts, value = map(int, line[2:].split())
        since = tuple(now - before for now, before in zip(counts, self.counts))
        self.counts = tuple(counts)
        return (*since, value)

    def poll(self, times=0):
        self.do(f"p {times:x}")

    def at(self, ticks):
        self.ticks = ticks
        self.do(f"t {ticks >> 32:x} {ticks & 0xFFFFFFFF:x}")

    def text_is_original(self):
        return self.do("o")[3] == 1

    # ---- what comes from the agent

    def take(self, source, line):
        if source == "c" or not line.startswith("~"):
            self.console.append((source, line))
        elif line[1] == "Z":
            answer = wire.parse_control(line, SESSION, self.nonce) or wire.parse_control(line, 0)
            assert answer, line
            self.answers.append((source, *answer))
        else:
            if line[1].islower():
                assert source in self.stream_lines and wire.compact_digits(line), f"{source}{line}"
                self.compact = True
                self.stream(*wire.compact_digits(line))
                self.compact = False
                return
            assert line == wire.stream(line[1], line[2:-4]).decode()[:-1], line
            if line[1] == "K":
                self.naks.append(int(line[2:-4], 16))
            else:
                assert source in self.stream_lines, f"{source}{line}"
                self.stream(line[1], line[2:-4])

    def stream(self, kind, digits):
        body = digits[wire.HEAD:]
        number = self.noticed if kind == "N" else self.received
        assert digits[0] == "0" and int(digits[1:4], 16) == number & 0xFFF, f"{kind}{digits}: a record or notice is missing"
        if kind == "S":
            self.take_records(int(body[:16], 16), body[16:])
        elif kind == "R":
            self.take_records(wire.nearest(self.told, int(body[:8], 16)), body[8:])
        elif kind == "P":
            self.take_piece(bool(int(body[0])), int(body[1:3], 16), body[3:])
        elif kind == "Y":
            assert "TIMES" in self.parts
            ticks, hz, _, *counts = (int(number, 16) for number in struct.unpack("16s8s4s8s8s8s8s8s16s", body.encode()))
            assert (hz, *counts) == (HZ, self.received, 0, 0, 0, self.noticed, 0), body
            self.told = max(self.told, ticks)
        else:
            assert kind == "N" and "NOTICES" in self.parts, kind
            self.noticed += 1
            self.notices.append(body)

    def take_piece(self, last, index, digits):
        """A part of a long record: the time, then the record."""
        assert index == self.pieces, index
        self.digits, self.pieces = self.digits + digits, index + 1
        if last:
            whole, self.digits, self.pieces = self.digits, "", 0
            self.take_records(int(whole[:16], 16), whole[16:])

    def take_records(self, ticks, digits):
        """Keeps the records of a line, which have the shortest form."""
        assert self.pieces == 0
        records = wire.read_records(digits, ticks, in_compact=self.compact)
        assert digits == "".join(wire.record_digits(one, before, in_compact=self.compact) for before, one in zip([None, *records], records)), digits
        for one in records:
            assert "TIMES" in self.parts or one.ticks == 0
            self.told = one.ticks
            self.received += 1
            codes = None if one.major is None else (one.major, one.minor)
            self.records.append(Record(one.probe, one.ticks, one.body, one.flags, codes, one.kind))

    def came(self):
        """The records since the last time."""
        records, self.records = self.records, []
        return records

    def told_notices(self):
        notices, self.notices = self.notices, []
        return notices

    def on_console(self):
        """Text since the last time: c what came in, 1 and 2 what went out by a com."""
        console, self.console = self.console, []
        return console

    # ---- requests

    def send(self, line, how="1"):
        """Answers to one line: where each came out, its number, its payload. how: the com, or > for com1 without a poll."""
        self.do(how + line.decode()[:-1])
        answers, self.answers = self.answers, []
        return answers

    def line(self, command, arguments=b"", session=SESSION):
        self.seq = self.seq + 1 & 255
        return wire.control("Q", session, self.seq, bytes([CMD[command]]) + arguments, self.nonce)

    def ask(self, command, arguments=b"", com="1", session=SESSION):
        """Error and the rest of the answer."""
        (source, seq, payload), = self.send(self.line(command, arguments, session), com)
        assert (source, seq, payload[0]) == (com, self.seq, CMD[command])
        return payload[1], payload[2:]

    def good(self, command, arguments=b"", com="1"):
        error, rest = self.ask(command, arguments, com)
        assert error == 0, f"{command}: error {error}"
        return rest

    def refused(self, error, command, arguments=b"", com="1"):
        """Nothing but the error."""
        assert self.ask(command, arguments, com) == (ERRORS[error], b""), command

    def hello(self, com="1", rights=wire.ALL_BUT_WRITE, owner=b""):
        ask = bytes([wire.VERSION]) + SESSION.to_bytes(4, "big") + bytes([rights]) + owner
        error, rest = self.ask("HELLO", ask, com, session=0)
        assert error == 0
        hello = Hello(*struct.unpack(">BHBBBBBBBBBIQBBHIHHQI", rest))
        self.nonce = hello.nonce
        return hello

    def upload(self, data):
        """The transaction."""
        transaction = self.good("BEGIN", struct.pack(">II", len(data), zlib.crc32(data)))
        for at in range(0, len(data), 48):
            piece = data[at:at + 48]
            assert self.good("DATA", transaction + struct.pack(">I", at) + piece) == transaction + struct.pack(">I", at + len(piece))
        return transaction

    def commit(self, data, options=8, items=0, selection=b"", command="COMMIT"):
        """Error, verdict, and program, armed, waiting."""
        error, rest = self.ask(command, self.upload(data) + bytes([options, items]) + selection)
        return error, Verdict(*struct.unpack(">BHII", rest[:11])), tuple(rest[11:14]) if command == "COMMIT" else ()

    def status(self):
        return Status(*struct.unpack(">BBBBIIIIIBBI", self.good("STATUS")))

    def program(self, index):
        rest = self.good("PROGRAM", bytes([index]))
        return Program(*struct.unpack(">BIHBBBIIHB", rest[:21]), rest[21:].decode())

    def probe(self, program, index=0):
        return Probe(*struct.unpack(">BBHBQIBIIIIIBHBBBI", self.good("PROBE", bytes([program, index]))))
