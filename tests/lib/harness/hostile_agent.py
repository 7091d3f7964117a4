# SPDX-License-Identifier: BSD-2-Clause
"""An agent that lies: its lines have right checks and wrong contents.

A HostileAgent is the agent of fake_agent.py. From the first request after `calm` answers on, its lines change on the way
out, as the seed says: fields get extreme numbers, answers are cut, grow, come twice or answer another request, lines of
records hold what no record holds, and text with control characters comes between the lines.
"""
import random

from . import fake_agent, wire

EXTREMES = (0, 1, 0x7F, 0x80, 0xFF)
NASTY = b"\x1b]0;owned\x07\x9b2J\x00\xff\r~Z~R~~\xe2\x80\xae\n"
HEAD = 2  # bytes of an answer before its fields: command and error


class HostileAgent(fake_agent.FakeAgent):
    def __init__(self, path, seed, calm=0, rate=0.5, **options):
        self.random, self.calm, self.rate, self.before = random.Random(seed), calm, rate, b""
        super().__init__(path, **options)

    def emit(self, data):
        line = data.decode("latin-1").rstrip("\n")
        if line[:2] == "~Z" and self.calm > 0:
            self.calm -= 1
        elif self.calm == 0 and self.random.random() < self.rate:
            data = self._answer(line, data) if line[:2] == "~Z" else self._stream(line, data)
        super().emit(data)
        if data:
            self.before = data

    def _answer(self, line, data):
        session, nonce = self.session, self.nonce
        parsed = wire.parse_control(line, session, nonce) if session else None
        if parsed is None:  # of HELLO
            session, nonce, parsed = 0, 0, wire.parse_control(line, 0)
        seq, payload = parsed
        payload = self.random.choice([self._extreme, self._extreme, self._cut, self._grown, self._noise, self._error,
                                      self._of_another])(payload)
        made = wire.control("Z", session, seq, payload[:wire.PAYLOAD_MAX], nonce)
        return self.random.choice([made] * 6 + [made + made, NASTY + made, self.before + made])

    def _extreme(self, payload):
        """A run of one to eight bytes has one value, and the rest is right."""
        if len(payload) <= HEAD:
            return payload
        at = self.random.randrange(HEAD, len(payload))
        count = self.random.choice((1, 2, 4, 8))
        run = bytes([self.random.choice(EXTREMES)]) * count
        return (payload[:at] + run + payload[at + count:])[:len(payload)]

    def _cut(self, payload):
        return payload[:self.random.randrange(len(payload) + 1)]

    def _grown(self, payload):
        return payload + self.random.randbytes(self.random.randrange(1, 20))

    def _noise(self, payload):
        return payload[:HEAD] + self.random.randbytes(len(payload) - HEAD)

    def _error(self, payload):
        return payload[:1] + self.random.randbytes(1) + payload[2:]

    def _of_another(self, payload):
        return self.random.randbytes(1) + payload[1:]

    def _stream(self, line, data):
        digits = line[2:-4]
        kind = self.random.choice([line[1]] * 4 + list("RSPYNK"))
        at = self.random.randrange(len(digits) + 1)
        digits = self.random.choice([
            lambda: digits[:at] + self._digits(8) + digits[at + 8:],
            lambda: digits[:at],
            lambda: digits + self._digits(self.random.randrange(60)),
            lambda: digits[:4] + self._digits(len(digits)),
            lambda: digits[:1] + self._digits(3) + digits[4:],
        ])()[:wire.DIGITS_MAX]
        made = wire.stream(kind, digits)
        return self.random.choice([made] * 4 + [made * 20, NASTY + made, data + made, b""])

    def _digits(self, count):
        return self.random.choice(["F" * count, "0" * count, "".join(self.random.choices(wire.HEX, k=count))])
