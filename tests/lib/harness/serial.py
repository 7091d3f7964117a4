# SPDX-License-Identifier: BSD-2-Clause
"""A target behind a pseudo terminal, and users who may not open it."""
import os
import select
import shutil
import socket
import threading
import tty

import pytest

from .paths import built

NOBODY = 65534


class Relay:
    """Two file descriptors joined until one ends."""

    def __init__(self, one, other):
        self.ends = {one: other, other: one}
        self.ending = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        try:
            while not self.ending:
                for end in select.select(list(self.ends), [], [], 0.05)[0]:
                    data = os.read(end, 4096)
                    if not data:
                        return
                    while data:
                        data = data[os.write(self.ends[end], data):]
        except OSError:
            pass

    def close(self):
        self.ending = True
        self.thread.join(5)


class Pty:
    """What listens on a unix socket, as QEMU's -serial pty would show it: path."""

    def __init__(self, unix_path):
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)
        self.client = socket.socket(socket.AF_UNIX)
        self.client.connect(str(unix_path))
        self.relay = Relay(self.master, self.client.fileno())

    def close(self):
        self.relay.close()
        self.client.close()
        os.close(self.master)
        os.close(self.slave)


def shim(**more):
    """The environment in which libserialport opens a pseudo terminal. more: variables of pty_serial_preload.c."""
    return {"LD_PRELOAD": str(built("tools", "pty_serial_preload.so")), **more}


def as_nobody(command):
    """The command line for a user who owns nothing; for root only by setpriv, which may be missing."""
    if os.geteuid() != 0:
        return command
    if not shutil.which("setpriv"):
        pytest.skip("root may open everything, and setpriv is not installed")
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
