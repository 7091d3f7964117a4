# SPDX-License-Identifier: BSD-2-Clause
"""The line of an agent in Python: a unix socket with one client at a time, or bytes without a socket (answer_to). The agent
has _take, which gets the pieces of what came, and sync."""
import collections
import os
import select
import socket
import threading
import time

from . import process, wire


class FakeLine:
    def __init__(self, path):
        self.path = str(path)
        self.lock = threading.RLock()
        self.client = None
        self.direct, self.soon = None, []  # answer_to: bytes that go back, actions behind the answer
        self.emitted = 0              # bytes to the present client
        self.letters = collections.Counter()  # of lines that were sent
        self.coming = []              # what comes later
        self.ending = False

    def listen(self):
        """Take clients from now on."""
        self.listener = socket.socket(socket.AF_UNIX)
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.listener.bind(self.path)
        self.listener.listen(4)
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"unix:{self.path}"

    def answer_to(self, data):
        """What the agent sends at once when these bytes come, without a socket."""
        with self.lock:
            if self.direct is None:
                self.direct, self.direct_splitter = bytearray(), wire.Splitter()
            for kind, value in self.direct_splitter.feed(data):
                self._take(kind, value)
            for action in self.soon:
                action()
            self.soon.clear()
            said = bytes(self.direct)
            self.direct.clear()
            return said

    @staticmethod
    def until(at):
        """On a line of own_time.py: what the agent sends by itself before this time, and when. Nothing."""
        return at, b""

    def emit(self, data):
        """Bytes on the line, as they are."""
        with self.lock:
            if data[:1] == b"~" and len(data) > 1:
                self.letters[chr(data[1])] += 1
            if self.direct is not None:
                self.direct += data
            elif self.client is not None:
                self.emitted += len(data)
                try:
                    self.client.sendall(data)
                except OSError:
                    pass

    def _sync_soon(self):
        """Behind the answer to the present request."""
        self._later(0.01, self.sync)

    def _later(self, seconds, action):
        if self.direct is not None:
            self.soon.append(action)
            return
        timer = threading.Timer(seconds, action)
        self.coming = [other for other in self.coming if other.is_alive()] + [timer]
        timer.start()

    def stop_syncs(self):
        """None comes by itself from now on, and none is on its way."""
        with self.lock:
            self.sync_each_s, coming = 0, self.coming
        for timer in coming:
            timer.join()

    def hang_up(self):
        """QEMU was killed."""
        with self.lock:
            if self.client is not None:
                self.client.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.ending = True
        self.hang_up()
        self.listener.close()
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.thread.join(5)

    def wait(self, condition, timeout_s=process.TIMEOUT_S):
        end = time.monotonic() + timeout_s
        while not condition():
            assert time.monotonic() < end, "the agent waited in vain"
            time.sleep(0.005)

    def _serve(self):
        while not self.ending:
            try:
                if not select.select([self.listener], [], [], 0.1)[0]:
                    continue
                client, _ = self.listener.accept()
            except (OSError, ValueError):
                return
            with self.lock:
                self.client, self.emitted = client, 0
            self._serve_one(client)
            with self.lock:
                self.client = None
            client.close()

    def _serve_one(self, client):
        splitter = wire.Splitter()
        synced = time.monotonic()
        while not self.ending:
            try:
                if select.select([client], [], [], 0.02)[0]:
                    data = client.recv(65536)
                    if not data:
                        return
                    for kind, value in splitter.feed(data):
                        self._take(kind, value)
            except OSError:
                return
            with self.lock:
                if self.sync_each_s and self.programs and time.monotonic() - synced > self.sync_each_s:
                    synced = time.monotonic()
                    self.sync()
