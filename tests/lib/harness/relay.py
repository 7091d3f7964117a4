# SPDX-License-Identifier: BSD-2-Clause
"""Two hosts on one line: a relay between a target's socket, which serves one client, and any number of clients.

What a client says goes to the target, what the target says goes to every client. A program such as ser2net does this on
a real line. Bytes of two clients may mix in the middle of a line, as they do there.
"""
import select
import socket
import threading


class Relay:
    """url is for dprobes. clients: how many are connected."""

    def __init__(self, path, target):
        self.path, self.ending, self.sockets = str(path), threading.Event(), []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(8)
        self.target = socket.socket(socket.AF_UNIX)
        self.target.connect(str(target))
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"unix:{self.path}"

    @property
    def clients(self):
        return len(self.sockets)

    def close(self):
        self.ending.set()
        self.thread.join(5)
        for each in (self.listener, self.target, *self.sockets):
            each.close()

    def _serve(self):
        while not self.ending.is_set():
            ready = select.select([self.listener, self.target, *self.sockets], [], [], 0.05)[0]
            for source in ready:
                if source is self.listener:
                    self.sockets.append(source.accept()[0])
                elif source is self.target:
                    self._to_all(source.recv(4096))
                else:
                    self._to_target(source)

    def _to_all(self, data):
        for client in list(self.sockets):
            try:
                client.sendall(data)
            except OSError:
                self._leave(client)

    def _to_target(self, client):
        try:
            data = client.recv(4096)
        except OSError:
            data = b""
        if data:
            self._pass(data)
            self.target.sendall(data)
        else:
            self._leave(client)

    def _pass(self, data):
        """A client said this; a test may look at it first."""

    def _leave(self, client):
        if client in self.sockets:
            self.sockets.remove(client)
            client.close()
