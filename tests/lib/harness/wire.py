# SPDX-License-Identifier: BSD-2-Clause
"""Lines and records in Python, written from PROTOCOL.md alone: the second implementation.

Nothing here reads the C sources or the tables; what both sides get wrong together must show
against the document.
"""
import itertools
import typing
import zlib

VERSION = 2
RIGHTS = {"WRITE": 0x01, "LOOK": 0x02, "LOG": 0x04, "INSERT": 0x08, "TAKE": 0x80}
ALL_BUT_WRITE = 0x0E
LINE_MAX = 128
PAYLOAD_MAX = 56
DIGITS_MAX = 118  # between type and check of a stream line
HEAD = 4  # digits of stream and number
DELTA_DIGITS = (0, 3, 5, 8)
PIECE_MAX = DIGITS_MAX - HEAD - 3
HEX = "0123456789ABCDEF"
FIRST, BASE, PAIR_BITS, ONE_BITS = ord("#"), 91, 13, 6  # of compact lines


def crc16(data):
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def seed(session, nonce=0):
    """Session 0 is HELLO's, the same in every version. nonce: as HELLO answers it."""
    if not session:
        return zlib.crc32(bytes(5))
    return zlib.crc32(bytes([VERSION]) + session.to_bytes(4, "big") + nonce.to_bytes(8, "big"))


def siphash(key, message):
    """SipHash-2-4 as a number: section 5.2, Keys."""
    mask = (1 << 64) - 1
    k0, k1 = (int.from_bytes(part, "little") for part in (key[:8], key[8:]))
    v0, v1, v2, v3 = (k ^ int.from_bytes(text, "big") for k, text in zip((k0, k1, k0, k1), (b"somepseu", b"dorandom", b"lygenera", b"tedbytes")))

    def turned(value, bits):
        return (value << bits | value >> 64 - bits) & mask

    def rounds(count):
        nonlocal v0, v1, v2, v3
        for _ in range(count):
            v0, v2 = v0 + v1 & mask, v2 + v3 & mask
            v1, v3 = turned(v1, 13) ^ v0, turned(v3, 16) ^ v2
            v0 = turned(v0, 32)
            v2, v0 = v2 + v1 & mask, v0 + v3 & mask
            v1, v3 = turned(v1, 17) ^ v2, turned(v3, 21) ^ v0
            v2 = turned(v2, 32)

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) & 255])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at:at + 8], "little")
        v3 ^= word
        rounds(2)
        v0 ^= word
    v2 ^= 0xFF
    rounds(4)
    return v0 ^ v1 ^ v2 ^ v3


def proof(key, nonce, session, rights, more=b""):
    """What PROVE carries, as bytes. more: 01 for a session that is sealed."""
    message = nonce.to_bytes(8, "big") + session.to_bytes(4, "big") + bytes([rights])
    return siphash(key, message + more).to_bytes(8, "big")


def session_key(key, nonce, session, rights):
    """The key of a sealed session: section 5.2, The seal."""
    return b"".join(proof(key, nonce, session, rights, more)[::-1] for more in (b"\1\2", b"\1\3"))


def seal(key, count, kind, payload):
    """The 8 digits in place of the check. key: of the session."""
    message = count.to_bytes(4, "big") + kind.encode() + bytes([count & 255, len(payload)]) + payload
    return f"{siphash(key, message) & 0xFFFFFFFF:08X}"


def sealed(key, kind, count, payload=b""):
    """A request (Q) or answer (Z) of a sealed session as bytes."""
    return f"~{kind}{count & 255:02X}{len(payload):02X}{payload.hex().upper()}{seal(key, count, kind, payload)}\n".encode()


def control(kind, session, seq, payload=b"", nonce=0):
    """A request (Q) or answer (Z) as bytes."""
    body = f"{kind}{seq:02X}{len(payload):02X}{payload.hex().upper()}"
    return f"~{body}{zlib.crc32(body.encode(), seed(session, nonce)):08X}\n".encode()


def stream(kind, digits):
    """A line of R, S, P, Y, N or K as bytes."""
    body = kind + digits
    assert len(digits) <= DIGITS_MAX
    return f"~{body}{crc16(body.encode()):04X}\n".encode()


def _characters(value, count):
    return "".join(chr(FIRST + value // BASE ** place % BASE) for place in reversed(range(count)))


def compact(kind, digits):
    """A line of R, S or P in its compact spelling."""
    bits, body = "".join(f"{int(digit, 16):04b}" for digit in digits) + "1", kind.lower()
    while bits:
        size, count = (PAIR_BITS, 2) if len(bits) > ONE_BITS else (ONE_BITS, 1)
        body, bits = body + _characters(int(bits[:size].ljust(size, "0"), 2), count), bits[size:]
    check = crc16(body.encode())
    return f"~{body}{_characters(check & 0x1FFF, 2)}{_characters(check >> 13, 1)}\n".encode()


def compact_digits(line):
    """(kind, digits) that a compact line spells, or None. line: without newline."""
    numbers = [ord(character) - FIRST for character in line[2:]]
    if len(line) < 6 or line[1] not in "rsp" or not all(0 <= number < BASE for number in numbers):
        return None
    pairs = [numbers[at:at + 2] for at in range(0, len(numbers) - 3, 2)]
    if len(numbers) % 2 == 0:
        pairs[-1] = pairs[-1][:1]
    values = [(pair[0] * BASE + pair[1], PAIR_BITS) if len(pair) == 2 else (pair[0], ONE_BITS) for pair in pairs]
    if any(value >> size for value, size in values):
        return None
    bits = "".join(f"{value:0{size}b}" for value, size in values).rstrip("0")[:-1]
    if len(bits) % 4:
        return None
    kind, digits = line[1].upper(), "".join(f"{int(bits[at:at + 4], 2):X}" for at in range(0, len(bits), 4))
    return (kind, digits) if compact(kind, digits) == f"{line}\n".encode() else None


class Record(typing.NamedTuple):
    """One record. ticks: its whole time."""
    probe: int
    ticks: int
    body: bytes = b""
    kind: int = 0
    flags: int = 0
    major: int | None = None
    minor: int | None = None


def record(probe, ticks, body=b"", kind=0, flags=0, major=None, minor=None):
    return Record(probe, ticks, body, kind, flags if major is None else flags | 4, major, minor)


def _bytes_form(body):
    return (f"{len(body):X}" if len(body) <= 14 else f"F{len(body):03X}") + body.hex().upper()


def _units(body, big):
    return [int.from_bytes(body[at:at + 4], "big" if big else "little") for at in range(0, len(body), 4)]


def _words_form(body, big, before):
    """before: the units from which those of a compact line differ."""
    units = [unit ^ other for unit, other in itertools.zip_longest(_units(body, big), before[:len(body) // 4], fillvalue=0)]
    digits = [f"{unit:X}" for unit in units]
    return "".join(f"{len(text) - 1 + (8 if n < len(digits) - 1 else 0):X}{text}" for n, text in enumerate(digits))


def _units_before(before, same, big):
    """The units of the record before that those of a record in a compact line are told by."""
    return _units(before.body, big) if same and len(before.body) % 4 == 0 else []


def record_digits(one, before=None, big=False, in_compact=False):
    """A record behind another of its line; None: when the line cannot hold it there."""
    delta = one.ticks - before.ticks if before else 0
    in_bytes = not one.body or len(one.body) % 4 != 0
    extra = (1 if one.kind or one.flags else 0) | (2 if one.flags & 4 else 0) | (4 if in_bytes else 0)
    same = before is not None and before.probe == one.probe
    size = next((n for n, digits in enumerate(DELTA_DIGITS) if 0 <= delta < 1 << 4 * digits), None)
    if size is None:
        return None
    return (f"{size | (4 if same else 0) | (8 if extra else 0):X}" + (f"{extra:X}" if extra else "")
            + ("" if same else f"{one.probe:02X}") + (f"{one.kind:X}{one.flags:02X}" if extra & 1 else "")
            + (f"{one.major:04X}{one.minor:04X}" if extra & 2 else "")
            + (f"{delta:0{DELTA_DIGITS[size]}X}" if size else "")
            + (_bytes_form(one.body) if in_bytes else _words_form(one.body, big, _units_before(before, in_compact and same, big))))


def records_line(cpu, number, records, whole=True, big=False, in_compact=False):
    """A line S (whole: of the time) or R, of as many of the records as it holds; how many. 0: the first needs pieces."""
    ticks = records[0].ticks
    digits = f"{cpu:X}{number & 0xFFF:03X}" + (f"{ticks:016X}" if whole else f"{ticks & 0xFFFFFFFF:08X}")
    count = 0
    for before, one in zip([None, *records], records):
        more = record_digits(one, before, big, in_compact)
        if more is None or len(digits) + len(more) > DIGITS_MAX:
            break
        digits, count = digits + more, count + 1
    return (compact if in_compact else stream)("S" if whole else "R", digits), count


def pieces(cpu, number, one, big=False, in_compact=False):
    """The lines of a record that does not fit one."""
    digits = f"{one.ticks:016X}" + record_digits(one, big=big)
    parts = [digits[at:at + PIECE_MAX] for at in range(0, len(digits), PIECE_MAX)]
    return [(compact if in_compact else stream)("P", f"{cpu:X}{number & 0xFFF:03X}{int(n == len(parts) - 1)}{n:02X}{part}") for n, part in enumerate(parts)]


def sync(cpu, ticks, hz, boot, sent=0, dropped=0, missed=0, withdrawn=0, notices=0, full=0):
    counts = "".join(f"{v & 0xFFFFFFFF:08X}" for v in (sent, dropped, missed, withdrawn, notices))
    return stream("Y", f"{cpu:X}{sent & 0xFFF:03X}{ticks:016X}{hz:08X}{boot:04X}{counts}{full:016X}")


class Reader:
    """Digits from the front; wrong digits raise ValueError."""

    def __init__(self, digits):
        self.digits = digits

    def number(self, count):
        digits, self.digits = self.digits[:count], self.digits[count:]
        if len(digits) < count:
            raise ValueError("cut")
        return int(digits, 16) if count else 0

    def short(self, count):
        """A number without leading zeros."""
        if count > 1 and self.digits[:1] == "0":
            raise ValueError("a leading zero")
        return self.number(count)


def _read_body(r, in_bytes, big, before):
    body = b""
    if in_bytes:
        length = r.number(1)
        if length == 15:
            length = r.number(3)
            if length <= 14:
                raise ValueError("a longer length than needed")
        return bytes(r.number(2) for _ in range(length))
    more = True
    while more:
        w = r.number(1)
        more = w & 8
        unit = r.short((w & 7) + 1) ^ (before.pop(0) if before else 0)
        body += unit.to_bytes(4, "big" if big else "little")
    return body


def _read_record(r, ticks, before, big, in_compact):
    d = r.number(1)
    x = r.number(1) if d & 8 else 0
    if (d & 8 and not x) or x & 8 or (d & 7 and before is None):
        raise ValueError("D or X")
    probe = before.probe if d & 4 else r.number(2)
    kind, flags = (r.number(1), r.number(2)) if x & 1 else (0, 0)
    if probe >= 0xF0 or kind > 3 or flags & 0xE0 or (x & 1 and not kind and not flags) or bool(x & 2) != bool(flags & 4):
        raise ValueError("probe, kind or flags")
    major, minor = (r.number(4), r.number(4)) if x & 2 else (None, None)
    size = d & 3
    delta = r.number(DELTA_DIGITS[size])
    if size and delta < 1 << 4 * DELTA_DIGITS[size - 1]:
        raise ValueError("a longer delta than needed")
    body = _read_body(r, x & 4, big, _units_before(before, in_compact and d & 4, big))
    return Record(probe, ticks + delta, body, kind, flags, major, minor)


def read_records(digits, ticks, big=False, in_compact=False):
    """The records behind the time of a line."""
    r, found = Reader(digits), []
    while r.digits or not found:
        found.append(_read_record(r, found[-1].ticks if found else ticks, found[-1] if found else None, big, in_compact))
    return found


def nearest(before, low, bits=32):
    """Of all times that end in these bits the nearest to the one before."""
    half = 1 << bits - 1
    return max(low, before + (low - before + half) % (2 * half) - half)


class Splitter:
    """Takes a byte stream apart: requests for an agent. PROTOCOL.md 3.1."""

    def __init__(self, kinds="Q"):
        self.kinds = kinds
        self.held = ""

    def feed(self, data):
        """Yields ("text", bytes) and ("line", str without newline)."""
        for byte in data:
            char = chr(byte)
            if char == "~":
                yield from self._text()
                self.held = char
            elif not self.held:
                yield "text", bytes([byte])
            elif len(self.held) == 1 and char in self.kinds:
                self.held += char
            elif len(self.held) > 1 and self._belongs(char) and len(self.held) < LINE_MAX - 1:
                self.held += char
            elif len(self.held) > 1 and char == "\n":
                line, self.held = self.held, ""
                yield "line", line
            else:
                self.held += char
                yield from self._text()

    def _belongs(self, char):
        return FIRST <= ord(char) < FIRST + BASE if self.held[1].islower() else char in HEX

    def _text(self):
        if self.held:
            text, self.held = self.held.encode("latin-1"), ""
            yield "text", text


def well_formed_control(line):
    """Right but for its check, perhaps. line: without newline."""
    return 14 <= len(line) and int(line[4:6], 16) <= PAYLOAD_MAX \
        and len(line) == 14 + 2 * int(line[4:6], 16)


def parse_sealed(line, key, count, kind):
    """(seq, payload) of a line whose seal is right, or None."""
    if not well_formed_control(line) or seal(key, count, kind, bytes.fromhex(line[6:-8])) != line[-8:]:
        return None
    return int(line[2:4], 16), bytes.fromhex(line[6:-8])


def parse_control(line, session, nonce=0):
    """(seq, payload) of a line whose check is right, or None."""
    if not well_formed_control(line):
        return None
    body, check = line[1:-8], int(line[-8:], 16)
    if zlib.crc32(body.encode(), seed(session, nonce)) != check:
        return None
    return int(body[1:3], 16), bytes.fromhex(body[5:])
