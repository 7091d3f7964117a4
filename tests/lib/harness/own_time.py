# SPDX-License-Identifier: BSD-2-Clause
"""A slow or noisy line with a clock of its own, between dprobes and an agent of fake_agent.py or timed_target.py.

The line has the clock of the command, too (lib/tools/own_time_preload.c): a wait ends at once, and the clock says how
long the wait was. A test may therefore compare times exactly, and a delay of a second costs no second. The same seed
gives the same run, on a busy machine as well.

delay_s: how long a character is on its way, one way. pace: characters a second, each way; 0: any number.
to_agent, to_host: rates of noisyline.Noise. After `silent_after` answers the host hears no answer any more.
"""
import collections
import contextlib
import re
import select
import socket
import struct
import threading

from . import noisyline, paths

REQUEST = re.compile(rb"~Q[0-9A-F]+\n")
CHUNK = 16
START_US = 1000 * 1000000
LOOK_S = 0.02


class Way:
    """One direction: pieces with the time when they arrive."""

    def __init__(self, noise, delay_us, pace):
        self.noise, self.delay_us, self.pace = noise, delay_us, pace
        self.pieces, self.free_at, self.characters = collections.deque(), 0, 0

    def send(self, now, data):
        self.characters += len(data)
        data = self.noise.pass_on(data)
        self.free_at = max(self.free_at, now)
        for at in range(0, len(data), CHUNK):
            piece = data[at:at + CHUNK]
            self.free_at += len(piece) * 1000000 // self.pace if self.pace else 0
            self.pieces.append((self.free_at + self.delay_us, piece))

    def next_at(self):
        return self.pieces[0][0] if self.pieces else float("inf")


class Line:
    """environment() is for dprobes; url its port. Afterwards: requests and said have (seconds, text)."""

    def __init__(self, path, agent, delay_s=0, pace=0, seed=0, to_agent=(), to_host=(), silent_after=None):
        self.path, self.agent, self.silent_after = str(path), agent, silent_after
        self.round_trip_s = 2 * delay_s
        self.ways = [Way(noisyline.Noise(f"{seed}{name}", dict(rates)), int(delay_s * 1000000), pace)
                     for name, rates in (("a", to_agent), ("h", to_host))]
        self.now, self.requests, self.said = START_US, [], []
        self.answers, self.answered_at = 0, START_US
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(1)
        self.ending = False
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"unix:{self.path}"

    @staticmethod
    def environment():
        return {"LD_PRELOAD": str(paths.built("tools", "own_time_preload.so"))}

    @property
    def characters(self):
        """Of both directions."""
        return sum(way.characters for way in self.ways)

    @property
    def seconds(self):
        return (self.now - START_US) / 1000000

    @property
    def answered_s(self):
        """When the last answer before the silence arrived."""
        return (self.answered_at - START_US) / 1000000

    @property
    def repeated(self):
        """How many lines ask what another line has asked, whatever their number."""
        return len(self.requests) - len({line[6:-9] for _, line in self.requests})

    def close(self):
        """The command has ended."""
        self.ending = True
        self.thread.join()
        self.listener.close()

    def _serve(self):
        """Connections one after the other: doctor makes two."""
        while select.select([self.listener], [], [], LOOK_S)[0] or not self.ending:
            if select.select([self.listener], [], [], 0)[0]:
                self._serve_one(self.listener.accept()[0])

    def _serve_one(self, host):
        # a command that a signal ends leaves in the middle
        with contextlib.suppress(ConnectionError), host, host.makefile("rb") as questions:
            while head := questions.read(5):
                what, number = struct.unpack("=cI", head)
                if what == b"P":
                    data = self._wait(number)
                    host.sendall(struct.pack("=QI", self.now, len(data)) + data)
                    continue
                data = questions.read(number)
                if what == b"T":
                    self.said.append((self.seconds, data.decode("utf-8", "backslashreplace")))
                    continue
                self.requests += [(self.seconds, line) for line in REQUEST.findall(data)]
                self.ways[0].send(self.now, data)

    def _wait(self, timeout_ms):
        """The clock goes on until bytes come for the host, or to the end of the wait. Returns the bytes."""
        to_agent, to_host = self.ways
        end = self.now + timeout_ms * 1000
        while True:
            until = min(end, to_host.next_at())
            at, said = self.agent.until(min(until, to_agent.next_at()))
            if not said and to_agent.next_at() > until:
                break
            if not said:
                at, piece = to_agent.pieces.popleft()
                said = self.agent.answer_to(piece)
            to_host.send(at, self._kept(at, said))
        self.now = max(self.now, min(end, to_host.next_at()))
        came = b""
        while to_host.next_at() <= self.now:
            came += to_host.pieces.popleft()[1]
        return came

    def _kept(self, at, data):
        """What the agent says, up to its silence."""
        if self.silent_after is None:
            return data
        kept = []
        for line in data.splitlines(keepends=True):
            self.answers += line.startswith(b"~Z")
            if self.answers <= self.silent_after:
                kept.append(line)
                self.answered_at = at + self.ways[1].delay_us
        return b"".join(kept)
