# SPDX-License-Identifier: BSD-2-Clause
"""Runs lib/target/timed_target.c: the real agent and its hits, with the clock of a line of own_time.py."""
import struct
import subprocess

from . import own_time, process, tool
from .paths import built


class TimedTarget:
    """hits: calls a second of the function hot. pace: characters a second that the transmitter sends; 0: any number."""

    def __init__(self, hits=0, pace=0):
        self.now = own_time.START_US
        rates = [1000000 // rate if rate else 0 for rate in (pace, hits)]
        self.child = process.start([built("host-asan", "timed_target"), *map(str, (self.now, *rates))], env=tool.environment(),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def until(self, at, data=b""):
        """What leaves the target before this time, and when it did; `data` comes to the target now."""
        at = max(int(at), self.now)
        self.child.stdin.write(struct.pack("=QI", at, len(data)) + data)
        self.child.stdin.flush()
        self.now, count = struct.unpack("=QI", self.child.stdout.read(12))
        return self.now, self.child.stdout.read(count)

    def answer_to(self, data):
        """What leaves at once when these bytes come."""
        return self.until(self.now, data)[1]

    def close(self):
        """A sanitizer's complaint fails the test."""
        self.child.stdin.close()
        self.child.stdout.close()
        assert self.child.wait(process.TIMEOUT_S) == 0
