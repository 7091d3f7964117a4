# SPDX-License-Identifier: BSD-2-Clause
"""A bad serial line: a proxy between two unix sockets that damages what passes, seeded.

Rates are per byte: flip (one bit of it), lose, double, insert (any byte before it), swap (with the next), burst (eight bytes
of random printable text), break (the line is held: the receiver shows one NUL for up to twenty bytes that were on
the way), frame (a byte without a stop bit: what is shown of it is anything). What was done is counted in .damage.
What passes takes delay_s, and at most `pace` characters a second go each way; 0: as many as come.
.requests has the request lines of all hosts, as they were sent, .heard what of them reached the agent, .told what the agent
has said. inject() writes to the agent beside the host, as somebody on the line does.
"""
import collections
import os
import queue
import random
import re
import select
import socket
import threading
import time

# Ten kinds of noise: rates a byte, and what is not damage: the time on the line, and its pace.
KINDS = {
    "flip": ({"flip": 1e-3}, {}), "lose": ({"lose": 1e-3}, {}), "double": ({"double": 1e-3}, {}),
    "insert": ({"insert": 1e-3}, {}), "break": ({"break": 1e-3}, {}), "burst": ({"burst": 5e-4}, {}),
    "delay": ({"flip": 1e-3}, {"delay_s": 0.1}), "pace": ({"flip": 1e-3}, {"pace": 40_000}),
    "slips": ({"lose": 5e-4, "double": 5e-4, "insert": 5e-4}, {"pace": 40_000}),
    "all": ({"flip": 5e-4, "lose": 2e-4, "double": 2e-4, "insert": 2e-4, "break": 1e-4, "burst": 1e-4}, {"delay_s": 0.05}),
}


class Noise:
    """Damages one direction."""

    def __init__(self, seed, rates):
        self.random = random.Random(seed)
        self.rates = rates
        self.damage = collections.Counter()
        self.swapped = None
        self.burst = 0
        self.held = 0

    def _happens(self, kind):
        rate = self.rates.get(kind, 0)
        if rate and self.random.random() < rate:
            self.damage[kind] += 1
            return True
        return False

    def pass_on(self, data):
        out = bytearray()
        for byte in data:
            if self.held:
                self.held -= 1
                continue
            if self._happens("break"):
                self.held = self.random.randrange(20)
                byte = 0
            elif self._happens("frame"):
                byte = self.random.randrange(256)
            if self.burst:
                self.burst -= 1
                byte = self.random.randrange(0x20, 0x7F)
            elif self._happens("burst"):
                self.burst = 7
                byte = self.random.randrange(0x20, 0x7F)
            if self._happens("flip"):
                byte ^= 1 << self.random.randrange(8)
            if self._happens("lose"):
                continue
            if self._happens("insert"):
                out.append(self.random.randrange(256))
            if self.swapped is not None:
                out += bytes([byte, self.swapped])
                self.swapped = None
                continue
            if self._happens("swap"):
                self.swapped = byte
                continue
            out.append(byte)
            if self._happens("double"):
                out.append(byte)
        return bytes(out)


class Way:
    """One direction of a connection: what is on its way, each piece with the time when it arrives."""

    def __init__(self, sink, noise, delay_s, pace):
        self.sink, self.noise, self.delay_s, self.pace = sink, noise, delay_s, pace
        self.pieces = collections.deque()
        self.free_at = 0  # the last character has left the sender

    def take(self, data):
        now = time.monotonic()
        if not self.pace:
            self.pieces.append((now + self.delay_s, data))
            return
        self.free_at = max(self.free_at, now)
        for at in range(0, len(data), 16):
            self.free_at += len(data[at:at + 16]) / self.pace
            self.pieces.append((self.free_at + self.delay_s, data[at:at + 16]))

    def wait_s(self):
        """Until the next piece arrives."""
        return max(0, self.pieces[0][0] - time.monotonic()) if self.pieces else 0.05

    def deliver(self):
        while self.pieces and self.pieces[0][0] <= time.monotonic():
            self.sink.sendall(self.pieces.popleft()[1])


class NoisyLine:
    """stop_at: nothing more reaches the host once so many bytes have; stopped says when. last: nothing of the host reaches the
    agent behind the first request with this command; .behind says that the host has sent more."""

    def __init__(self, path, target, seed, to_agent, to_host, stop_at=None, delay_s=0, pace=0, last=None):
        self.last = last and re.compile(rb"~Q[0-9A-F]{4}%02X[0-9A-F]*\n" % last)
        self.behind = threading.Event()
        self.delay_s, self.pace = delay_s, pace
        self.said = b""  # by hosts
        self.heard = b""  # of that by the agent, with the damage
        self.told = b""  # by the agent, before the damage
        self.injected = queue.SimpleQueue()
        self.path, self.target = str(path), str(target)
        self.stop_at, self.stopped = stop_at, threading.Event()
        self.to_agent, self.to_host = Noise(f"{seed}a", to_agent), Noise(f"{seed}h", to_host)
        self.quiet = False
        self.passed = 0  # bytes of the present host's target
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(4)
        self.ending = False
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"unix:{self.path}"

    @property
    def damage(self):
        return self.to_agent.damage + self.to_host.damage

    def close(self):
        self.ending = True
        self.thread.join(5)
        self.listener.close()
        os.unlink(self.path)

    def _serve(self):
        while not self.ending:
            if not select.select([self.listener], [], [], 0.05)[0]:
                continue
            host, _ = self.listener.accept()
            agent = socket.socket(socket.AF_UNIX)
            agent.connect(self.target)
            self.passed = 0
            try:
                self._relay(host, agent)
            except OSError:
                pass
            host.close()
            agent.close()

    def inject(self, data):
        """To the agent, while a host is there."""
        self.injected.put(data)

    @property
    def requests(self):
        return re.findall(rb"~Q[0-9A-F]+\n", self.said)

    def _said(self, data):
        """Of what a host says, the part that passes."""
        self.said += data
        match = self.last and self.last.search(self.said)
        if not match or match.end() >= len(self.said):
            return data
        self.behind.set()
        return self.said[:match.end()][len(self.said) - len(data):]

    def _relay(self, host, agent):
        ways = {host: Way(agent, self.to_agent, self.delay_s, self.pace),
                agent: Way(host, self.to_host, self.delay_s, self.pace)}
        while not self.ending:
            while not self.injected.empty():
                agent.sendall(self.injected.get())
            wait_s = min(0.05, *(way.wait_s() for way in ways.values()))
            for source in select.select(list(ways), [], [], wait_s)[0]:
                data = source.recv(4096)
                if not data:
                    return
                if source is agent and self.stopped.is_set():
                    continue
                self.passed += len(data) if source is agent else 0
                self.told += data if source is agent else b""
                data = self._said(data) if source is host else data
                way = ways[source]
                data = data if self.quiet else way.noise.pass_on(data)
                self.heard += data if source is host else b""
                way.take(data)
                if self.stop_at is not None and self.passed >= self.stop_at:
                    self.stopped.set()
            for way in ways.values():
                way.deliver()
