# SPDX-License-Identifier: BSD-2-Clause
"""Child processes that cannot outlive the tests, and readers that can wait."""
import os
import re
import signal
import subprocess
import threading
import time

from .paths import built

# The machines that run this are slow and shared: a time-out is there to end a hang, never to measure.
# Every wait of a test has this one.
TIMEOUT_S = 600
GDB_WAITS = ("-iex", f"set remotetimeout {TIMEOUT_S}")  # stock gdb takes a server for dead after 2 s
CPU_LIMIT_S = 7200


def start(command, files_max=None, **options):
    """Popen in its own process group, which ends with us. files_max: descriptors it may have."""
    launcher = [built("tools", "start_child"), CPU_LIMIT_S, files_max or 0]
    return subprocess.Popen([str(word) for word in (*launcher, *command)], start_new_session=True, **options)


def eventually(condition, what="the condition"):
    """Wait until a condition holds that no event announces; what it returned."""
    deadline = time.monotonic() + TIMEOUT_S
    while not (found := condition()):
        assert time.monotonic() < deadline, f"{what} did not come in {TIMEOUT_S} s"
        time.sleep(0.05)
    return found


def kill_group(process):
    """End the process and all its children, and wait for them."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait(timeout=TIMEOUT_S)


class Reader:
    """Collects all that a function reads, in a thread; tests wait for text in it."""

    def __init__(self, name, read):
        self.name = name
        self.closed = False
        self._data = bytearray()
        self._seen = 0
        self.beside = None  # another reader of the same program, whose lines a failure shows too
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, args=(read,), daemon=True)
        self._thread.start()

    def _run(self, read):
        while True:
            try:
                data = read()
            except OSError:
                data = b""
            with self._changed:
                self._data += data
                self.closed = not data
                self._changed.notify_all()
                if self.closed:
                    return

    @property
    def data(self):
        with self._changed:
            return bytes(self._data)

    @property
    def text(self):
        return self.data.decode("utf-8", "replace")

    def tail(self, lines=40):
        return "\n".join(self.text.splitlines()[-lines:])

    def expect(self, pattern, timeout_s=TIMEOUT_S):
        """Wait for a regular expression after the last expected text; return the match."""
        regex = re.compile(pattern.encode() if isinstance(pattern, str) else pattern, re.MULTILINE)
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while True:
                match = regex.search(self._data, self._seen)
                if match:
                    self._seen = match.end()
                    return match
                left_s = deadline - time.monotonic()
                if self.closed or left_s <= 0:
                    break
                self._changed.wait(left_s)
        why = "ended" if self.closed else f"went on for {timeout_s} s"
        raise AssertionError(f"{self.name} {why} without {pattern!r}. Its last lines:\n{self.tail()}" + self.others())

    def others(self):
        """What a failure shows of the other reader."""
        return f"\n{self.beside.name}:\n{self.beside.tail()}" if self.beside else ""

    def until(self, condition, timeout_s=TIMEOUT_S):
        """Wait until all the text so far meets a condition; what the condition returned."""
        deadline = time.monotonic() + timeout_s
        while True:
            data = self.data
            found = condition(data.decode("utf-8", "replace"))
            if found:
                return found
            assert not self.closed and time.monotonic() < deadline, f"{self.name}:\n{self.tail()}" + self.others()
            self.wait_for_more(len(data), deadline - time.monotonic())

    def wait_for_more(self, than, timeout_s=TIMEOUT_S):
        """Wait until more bytes than these have come, or the end."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or len(self._data) > than, timeout_s)

    def join(self, timeout_s=TIMEOUT_S):
        self._thread.join(timeout_s)
