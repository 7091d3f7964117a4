# SPDX-License-Identifier: BSD-2-Clause
"""One line for dprobes and for a person who types into the firmware's shell."""
import select
import socket
import threading


class Typist:
    """A line that dprobes and a person share: what is typed goes to the board between whole lines."""

    def __init__(self, path, machine):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        self.url = f"unix:{path}"
        self.board = socket.socket(socket.AF_UNIX)
        self.board.connect(machine.path("com1"))
        self.typed, self.ending = b"", False
        self.text = bytearray()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def type(self, text):
        self.typed = text.encode()

    def _run(self):
        host, between = None, True
        while not self.ending:
            if self.typed and between:
                self.board.sendall(self.typed)
                self.typed = b""
            ends = [self.board, self.listener] + ([host] if host else [])
            for end in select.select(ends, [], [], 0.02)[0]:
                if end is self.listener:
                    host = host or self.listener.accept()[0]
                    continue
                try:
                    data = end.recv(4096)
                except OSError:
                    data = b""
                if end is host and data:
                    self.board.sendall(data)
                    between = data.endswith(b"\n")
                elif end is host:
                    host.close()
                    host = None
                elif data:
                    self.text += data
                    if host:
                        try:
                            host.sendall(data)
                        except OSError:  # it has just gone
                            pass
                else:
                    return

    def close(self):
        self.ending = True
        self.thread.join()
        self.board.close()
        self.listener.close()
