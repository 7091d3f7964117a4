# SPDX-License-Identifier: BSD-2-Clause
"""A line that stays while its target loses the power: what a serial adapter is to its host. Bytes that a side sends while
nothing is plugged in are lost, as on a cable."""
import select
import socket
import threading


class StayingLine:
    """url is for dprobes: one host after the other. came: all that targets have sent."""

    def __init__(self, path):
        self.path, self.ending = str(path), threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(1)
        self.host = self.target = None
        self.came = b""
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"unix:{self.path}"

    def plug(self, path):
        """The target that listens on the path comes to power."""
        target = socket.socket(socket.AF_UNIX)
        target.connect(str(path))
        self.target = target

    def close(self):
        self.ending.set()
        self.thread.join(5)
        for each in (self.listener, self.host, self.target):
            if each:
                each.close()

    def _serve(self):
        while not self.ending.is_set():
            sockets = [each for each in (self.listener, self.host, self.target) if each]
            for source in select.select(sockets, [], [], 0.05)[0]:
                if source is self.listener:
                    self.host = source.accept()[0]
                else:
                    self._pass_on(source)

    def _pass_on(self, source):
        try:
            data = source.recv(4096)
        except OSError:
            data = b""
        if not data:
            self._unplugged(source)
            return
        self.came += data if source is self.target else b""
        sink = self.host if source is self.target else self.target
        try:
            if sink:
                sink.sendall(data)
        except OSError:  # it is the sink that has gone
            self._unplugged(sink)

    def _unplugged(self, side):
        if side is self.target:
            self.target = None
        else:
            self.host = None
