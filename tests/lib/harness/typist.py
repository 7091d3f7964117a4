# SPDX-License-Identifier: BSD-2-Clause
"""One line for dprobes and for a person who types into the firmware's shell."""
import re
import select
import socket
import threading
import time

from . import process


FRAME = re.compile(rb"~(?:[ZRSPYNK][0-9A-F]+|[rsp][#-}]+)\n")
MONITOR = re.compile(r"monitor: .*\n")


def console_of(sent):
    """(text, frames) of what a board has sent. A frame that text breaks is text."""
    return FRAME.sub(b"", sent), FRAME.findall(sent)


def shell_text(console):
    """Console text without the lines of the demo's monitor and without carriage returns. The monitor's task outranks
    the shell: its line comes between any two characters of the shell's, also behind the echo of Enter."""
    return MONITOR.sub("", console.replace("\r", ""))


def without_beginnings(shown, frames):
    """Console text as dprobes shows it, without beginnings of these frames: one of those is shown where the
    line paused for 50 ms inside the frame, be it that the machine was busy (PROTOCOL.md 3.1)."""
    found = b""
    while b"~" in shown:
        before, _, after = shown.partition(b"~")
        length = max((len(common(after, frame[1:-1])) for frame in frames), default=0)
        found += before if length else before + b"~"
        shown = after[length:]
    return found + shown


def common(one, other):
    """What both begin with."""
    count = next((n for n, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return one[:count]


class Typist:
    """A line that dprobes and a person share: what is typed goes to the board between whole lines.
    unix_path: the line of a board whose shell asks for input (Machine.free_when_up): what it sends before
    this connection is lost. text: all that it sent."""

    def __init__(self, path, unix_path):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        self.url = f"unix:{path}"
        self.board = socket.socket(socket.AF_UNIX)
        self.board.connect(str(unix_path))
        self.typed, self.ending = b"", False
        self.text = bytearray()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def type(self, text):
        self.typed = text.encode()

    def wait(self, pattern, timeout_s=process.TIMEOUT_S):
        """Until the board's text has this, as shell_text has it."""
        deadline = time.monotonic() + timeout_s
        while not re.search(pattern, shell_text(console_of(bytes(self.text))[0].decode("latin-1")).encode("latin-1")):
            assert time.monotonic() < deadline, f"no {pattern} in {bytes(self.text[-2000:])}"
            time.sleep(0.05)

    def wait_answer(self, timeout_s=process.TIMEOUT_S):
        """Until the agent answers the host again. A request that lost characters ends with the line behind it, which
        must not be a typed one."""
        said, deadline = len(self.text), time.monotonic() + timeout_s
        while b"~Z" not in self.text[said:]:
            assert time.monotonic() < deadline, f"no answer in {bytes(self.text[-2000:])}"
            time.sleep(0.05)

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
