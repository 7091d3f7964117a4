# SPDX-License-Identifier: BSD-2-Clause
"""A host that writes each request by hand, from PROTOCOL.md section 5 alone."""
import socket

from . import wire

HELLO, OK = 0x01, 0


class Host:
    """Sends a request at a time; with again_s also again after each such silence, as a target needs that may stop at any
    time."""

    again_s = None

    def __init__(self, path):
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(path)
        self.splitter, self.seq, self.session, self.nonce = wire.Splitter("ZKRSPYN"), 0, 0, 0

    @classmethod
    def of(cls, target):
        return cls(target.url().removeprefix("unix:"))

    def hello(self, session, rights=wire.ALL_BUT_WRITE):
        """The answer's rights, its `groups` and `phases`, and the bytes and the order of a word."""
        self.session = 0
        error, answer = self.ask(HELLO, bytes([wire.VERSION]) + session.to_bytes(4, "big") + bytes([rights]))
        assert error == OK
        self.session, self.nonce = session, int.from_bytes(answer[36:44], "big")
        return {"groups": answer[6], "phases": answer[7], "rights": answer[11], "word": answer[4], "order": "big" if answer[5] else "little"}

    def ask(self, command, arguments=b""):
        """(error, what follows it)"""
        self.seq = (self.seq + 1) % 256
        request = wire.control("Q", self.session, self.seq, bytes([command]) + arguments, self.nonce)
        self.line.sendall(request)
        self.line.settimeout(self.again_s or 300)
        while True:
            try:
                data = self.line.recv(4096)
            except TimeoutError:
                if not self.again_s:
                    raise
                self.line.sendall(request)
                continue
            for kind, value in self.splitter.feed(data):
                found = wire.parse_control(value, self.session, self.nonce) if kind == "line" and value[1] == "Z" else None
                if found and found[0] == self.seq:
                    assert found[1][0] == command
                    return found[1][1], found[1][2:]
