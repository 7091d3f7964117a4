# SPDX-License-Identifier: BSD-2-Clause
"""Lines and records in Python, written from PROTOCOL.md alone: the second implementation.

Nothing here reads the C sources or the tables; what both sides get wrong together must show
against the document.
"""
import zlib

VERSION = 2
RIGHTS = {"WRITE": 0x01, "LOOK": 0x02, "LOG": 0x04, "INSERT": 0x08, "TAKE": 0x80}
ALL_BUT_WRITE = 0x0E
LINE_MAX = 128
PAYLOAD_MAX = 56
DIGITS_MAX = 118  # between type and check of a stream line
HEAD = 4  # digits of stream and line number
PIECE_MAX = DIGITS_MAX - HEAD - 3
HEX = "0123456789ABCDEF"


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


def proof(key, nonce, session, rights):
    """What PROVE carries, as bytes."""
    message = nonce.to_bytes(8, "big") + session.to_bytes(4, "big") + bytes([rights])
    return siphash(key, message).to_bytes(8, "big")


def control(kind, session, seq, payload=b"", nonce=0):
    """A request (Q) or answer (Z) as bytes."""
    body = f"{kind}{seq:02X}{len(payload):02X}{payload.hex().upper()}"
    return f"~{body}{zlib.crc32(body.encode(), seed(session, nonce)):08X}\n".encode()


def stream(kind, digits):
    """A line of R, P, Y, N or K as bytes."""
    body = kind + digits
    assert len(digits) <= DIGITS_MAX
    return f"~{body}{crc16(body.encode()):04X}\n".encode()


def record(probe, ticks, body=b"", kind=0, flags=0, major=None, minor=None):
    """The digits of one record, in the shortest form."""
    length = f"{len(body):X}" if len(body) <= 14 else f"F{len(body):03X}"
    digits = body.hex().upper()
    if major is not None:
        flags |= 4
    if kind == 0 and flags == 0:
        return f"{probe:02X}{ticks & 0xFFFFF:05X}{length}{digits}"
    codes = f"{major:04X}{minor:04X}" if flags & 4 else ""
    return f"F{kind:X}{flags:02X}{probe:02X}{codes}{ticks & 0xFFFFF:05X}F{len(body):03X}{digits}"


def sync(cpu, number, ticks, hz, boot, sent=0, dropped=0, missed=0, withdrawn=0):
    counts = "".join(f"{v & 0xFFFFFFFF:08X}" for v in (sent, dropped, missed, withdrawn))
    return stream("Y", f"{cpu:X}{number & 0xFFF:03X}{ticks:016X}{hz:08X}{boot:04X}{counts}")


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
            elif len(self.held) > 1 and char in HEX and len(self.held) < LINE_MAX - 1:
                self.held += char
            elif len(self.held) > 1 and char == "\n":
                line, self.held = self.held, ""
                yield "line", line
            else:
                self.held += char
                yield from self._text()

    def _text(self):
        if self.held:
            text, self.held = self.held.encode("latin-1"), ""
            yield "text", text


def well_formed_control(line):
    """Right but for its check, perhaps. line: without newline."""
    return 14 <= len(line) and int(line[4:6], 16) <= PAYLOAD_MAX \
        and len(line) == 14 + 2 * int(line[4:6], 16)


def parse_control(line, session, nonce=0):
    """(seq, payload) of a line whose check is right, or None."""
    if not well_formed_control(line):
        return None
    body, check = line[1:-8], int(line[-8:], 16)
    if zlib.crc32(body.encode(), seed(session, nonce)) != check:
        return None
    return int(body[1:3], 16), bytes.fromhex(body[5:])
