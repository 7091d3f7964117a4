# SPDX-License-Identifier: BSD-2-Clause
"""QEMU's gdb stub, as much of it as reading and writing a running board's memory takes."""
import os
import socket
import time

from . import process


def options(path):
    """What makes QEMU listen there, for qemu(..., extra=)."""
    return ("-chardev", f"socket,id=gdb,path={path},server=on,wait=off", "-gdb", "chardev:gdb")


class Stub:
    """Stops the board as long as it is open. Addresses are the CPU's, as it is mapped then."""

    def __init__(self, path):
        self._socket, self._rest = socket.socket(socket.AF_UNIX), b""
        deadline = time.monotonic() + process.TIMEOUT_S
        while True:
            try:
                self._socket.connect(os.fspath(path))
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        self._ask("?")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ask("D")
        self._socket.close()

    def _ask(self, text):
        data = text.encode()
        self._socket.sendall(b"$" + data + b"#%02x" % (sum(data) % 256))
        answer = self._packet()
        while text != "?" and answer.startswith("T"):  # the stop is told once by itself, too
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

    def read(self, address, count):
        answer = self._ask(f"m{address:x},{count:x}")
        assert len(answer) == 2 * count, f"{address:#x}: {answer}"
        return bytes.fromhex(answer)

    def write(self, address, data):
        assert self._ask(f"M{address:x},{len(data):x}:{data.hex()}") == "OK"
