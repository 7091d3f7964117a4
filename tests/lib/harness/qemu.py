# SPDX-License-Identifier: BSD-2-Clause
"""Boots a board's firmware under QEMU with both UARTs on unix sockets."""
import os
import shutil
import socket
import tempfile
import time

import pytest

from . import process
from .paths import BUILD, TOP, program
import sources_mk
import usual as usual_boards

PORTS = ("com1", "com2")
FIXED = "0123456789abcdef"


def board_names():
    """Every board folder that says how to run it."""
    return sorted(path.parent.name for path in (TOP / "boards").glob("*/run"))


def parameters(names, usual=usual_boards.BOARDS):
    """Boards as parameters of a test: those that are not usual are left to scons nightly."""
    return [name if name in usual else pytest.param(name, marks=pytest.mark.nightly) for name in names]


class Line:
    """One end of a UART: what the board sends is collected, send() goes to the board."""

    def __init__(self, path, name):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(path))
        self._reader = process.Reader(name, lambda: self._socket.recv(65536))

    def __getattr__(self, name):  # data, text, tail, expect, closed
        return getattr(self._reader, name)

    def send(self, data):
        self._socket.sendall(data.encode() if isinstance(data, str) else data)

    def close(self):
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
        self._reader.join()


class Machine:
    """A board that runs. Ends with close(), with the test, or with the test run.

    board  folder name in boards/
    elf    firmware; default: the demo kernel
    hold   ports whose output the machine collects from the first byte, as
           machine.com1 and machine.com2 (Line)
    leave  ports on which QEMU waits, before the first instruction, for the
           test's own connection to machine.url(port)
    random the 8 bytes that the board gets in place of random ones, as hex digits;
           default: random ones, but fixed ones where QEMU counts instructions
    Any other port is connected once to let QEMU start, then free; bytes that the
    board sends there while nobody is connected are lost, as on a cable.
    """

    def __init__(self, board, elf=None, hold=("com1",), leave=(), extra=(), random=None):
        self.board = board
        self.elf = elf or BUILD / "boards" / board / "demo.elf"
        program(sources_mk.read(str(TOP / "boards" / board))["QEMU"])
        if not os.path.exists(self.elf):
            pytest.skip(f"{os.path.relpath(self.elf, TOP)} is not built; is the compiler installed?")
        # Not pytest's tmp_path: a unix socket's path has at most 107 characters.
        self._folder = tempfile.mkdtemp(prefix="dprobes-")
        self._lines = {}
        self.com1 = self.com2 = None
        self._process = None
        self._log = open(os.path.join(self._folder, "qemu.log"), "w+b")
        try:
            self._start(hold, leave, extra, random or (FIXED if {"-icount", "-plugin"} & set(map(str, extra)) else None))
        except BaseException:
            self.close()
            raise

    def _start(self, hold, leave, extra, random):
        # The board's own script: it ends in exec, so the process is QEMU.
        self._process = process.start(
            ["sh", TOP / "boards" / self.board / "run", *(["--random", random] if random else []), self.elf, self._folder, *extra],
            stdin=process.subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        for port in PORTS:
            if port in leave:
                break  # QEMU opens the ports in order: the next one appears after this one
            line = self.connect(port)
            if port in hold:
                self._lines[port] = line
                setattr(self, port, line)
            else:
                line.close()

    def path(self, port):
        return os.path.join(self._folder, port)

    def url(self, port):
        """What dprobes takes as --port."""
        return f"unix:{self.path(port)}"

    def connect(self, port, timeout_s=process.TIMEOUT_S):
        """A connection of the test's own; waits for QEMU to offer the port."""
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                return Line(self.path(port), f"{self.board} {port}")
            except OSError as error:
                if self._process.poll() is not None:
                    raise AssertionError(f"QEMU ended: {self.log()}") from error
                if time.monotonic() > deadline:
                    raise AssertionError(f"QEMU does not offer {port}: {self.log()}") from error
                time.sleep(0.02)

    def free_when_up(self, port="com1"):
        """Wait until the shell on a held port asks for input, then let others connect there."""
        line = self._lines.pop(port)
        line.expect("demo>")
        line.send("\n")
        line.expect("demo>")
        line.close()
        setattr(self, port, None)
        return self

    def running(self):
        return self._process is not None and self._process.poll() is None

    def wait(self, timeout_s=process.TIMEOUT_S):
        """QEMU's exit status, for firmware that ends by itself."""
        return self._process.wait(timeout_s)

    def kill(self):
        """Pull the plug."""
        if self._process:
            process.kill_group(self._process)

    def signal(self, number):
        """Send a signal to QEMU: SIGSTOP lets the board stand, as one that is dead."""
        self._process.send_signal(number)

    def log(self):
        """What QEMU itself printed."""
        self._log.flush()
        with open(self._log.name, encoding="utf-8", errors="replace") as file:
            return file.read()[-4000:]

    def sections(self):
        """Titles and texts for the report of a test that failed."""
        for port, line in self._lines.items():
            yield f"{self.board} {port}, last lines", line.tail()
        log = self.log()
        if log.strip():
            yield f"{self.board} QEMU", log

    def close(self):
        self.kill()
        for line in self._lines.values():
            line.close()
        self._log.close()
        shutil.rmtree(self._folder, ignore_errors=True)
