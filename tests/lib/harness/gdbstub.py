# SPDX-License-Identifier: BSD-2-Clause
"""QEMU's gdb stub, as much of it as reading and writing a stopped board's memory takes."""
import os
import re
import socket
import time

from . import process

PIECE = 128  # bytes of one packet


def options(path):
    """What makes QEMU listen there, for qemu(..., extra=)."""
    return ("-chardev", f"socket,id=gdb,path={path},server=on,wait=off", "-gdb", "chardev:gdb")


class Stub:
    """Stops the board as long as it is open. Addresses are the CPU's, as it is mapped then."""

    def __init__(self, path):
        self._socket, self._rest, self._described = socket.socket(socket.AF_UNIX), b"", False
        deadline = time.monotonic() + process.TIMEOUT_S
        while True:
            try:
                self._socket.connect(os.fspath(path))
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        self.ask("?")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ask("D")
        self._socket.close()

    def _send(self, text):
        data = text.encode()
        self._socket.sendall(b"$" + data + b"#%02x" % (sum(data) % 256))

    def ask(self, text):
        self._send(text)
        answer = self._packet()
        # The stop of "?" is told once by itself, too.
        while text not in ("?", "s", "c") and answer.startswith("T"):
            answer = self._packet()
        return answer

    def _packet(self):
        while b"#" not in self._rest or len(self._rest.split(b"#", 1)[1]) < 2:
            more = self._socket.recv(4096)
            assert more, "QEMU has gone"
            self._rest += more
        answer, rest = self._rest.split(b"#", 1)
        self._rest = rest[2:]
        self._socket.sendall(b"+")
        return answer.split(b"$", 1)[1].decode()

    def when_at(self, address, do):
        """Let the board run; do() is called meanwhile. Stops the board in front of the instruction at the address."""
        assert self.ask(f"Z1,{address:x},4") == "OK"
        self._send("c")
        do()
        assert self._packet().startswith("T")
        assert self.ask(f"z1,{address:x},4") == "OK"

    def run_to(self, address):
        """Let the board run until an instruction there is the next one."""
        self.when_at(address, lambda: None)

    def registers(self):
        """All of them, as QEMU orders them; the general ones of 32 bits come first."""
        return bytes.fromhex(self.ask("g").replace("x", "0"))

    def _describe(self):
        """Single registers are served to those who have asked for their description."""
        if not self._described:
            self.ask("qXfer:features:read:target.xml:0,ffb")
            self._described = True

    def _document(self, name):
        """A document of the description, whole."""
        text = ""
        while True:
            answer = self.ask(f"qXfer:features:read:{name}:{len(text):x},ffb")
            text += answer[1:]
            if answer[0] == "l":
                return text

    def number(self, name):
        """gdb's number of a register, where the description tells it."""
        documents = map(self._document, re.findall(r'href="([^"]+)"', self._document("target.xml")))
        return next(int(found.group(1)) for text in documents if (found := re.search(rf'<reg name="{name}"[^>]* regnum="(\d+)"', text)))

    def put(self, number, value, order):
        """Write a register of 32 bits by gdb's number."""
        self._describe()
        assert self.ask(f"P{number:x}={value.to_bytes(4, order).hex()}") == "OK"

    def one(self, number, order):
        """A register by gdb's number, of those that registers() has not."""
        self._describe()
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}")), order)

    def read(self, address, count, most=PIECE):
        found = bytearray()
        for at in range(0, count, most):
            answer = self.ask(f"m{address + at:x},{min(count - at, most):x}")
            found += bytes.fromhex(answer if not answer.startswith("E") else "")
        assert len(found) == count, f"{address:#x}: {len(found)} of {count} bytes"
        return bytes(found)

    def write(self, address, data):
        for at in range(0, len(data), PIECE):
            piece = data[at:at + PIECE]
            assert self.ask(f"M{address + at:x},{len(piece):x}:{piece.hex()}") == "OK"
