# SPDX-License-Identifier: BSD-2-Clause
"""A line that counts turns: how often the host has to wait for answers before it can go on.

The proxy holds what the agent sends until the agent has answered every request and the host sleeps, that is,
until the host has nothing left to say. Then the host gets all of it at once. Neither delays nor a busy machine change
the number. A line that the host repeats is no new turn.
"""
import pathlib
import re
import select
import socket
import threading

REQUEST, ANSWER = re.compile(rb"~Q[0-9A-F]+\n"), re.compile(rb"~Z[0-9A-F]+\n")


class TurnLine:
    """url is the host's end; watch(process) says who the host is."""

    def __init__(self, path, target):
        self.path, self.target = str(path), str(target)
        self.host_pid = None
        self.requests, self.turns = [], 0
        self.ending = False
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(1)
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"unix:{self.path}"

    def watch(self, child):
        self.host_pid = child.pid

    def close(self):
        self.ending = True
        self.thread.join(5)
        self.listener.close()

    def _host_sleeps(self):
        """In poll(), and nothing is on its way from it."""
        if self.host_pid is None:
            return False
        try:
            stat = pathlib.Path(f"/proc/{self.host_pid}/stat").read_text(encoding="utf-8")
        except FileNotFoundError:
            return True
        return stat.rpartition(")")[2].split()[0] in "SZ"

    def _serve(self):
        while not self.ending:
            if not select.select([self.listener], [], [], 0.02)[0]:
                continue
            host, _ = self.listener.accept()
            with host, socket.socket(socket.AF_UNIX) as agent:
                agent.connect(self.target)
                try:
                    self._relay(host, agent)
                except OSError:
                    pass

    def _relay(self, host, agent):
        said, heard, held = b"", b"", b""
        spoke = True  # the host may begin a turn
        while not self.ending:
            ready = select.select([host, agent], [], [], 0.002)[0]
            if host in ready:
                data = host.recv(65536)
                if not data:
                    return
                said += data
                fresh = [line for line in REQUEST.findall(said) if line not in self.requests]
                self.requests += fresh
                self.turns += spoke and bool(fresh)
                spoke = spoke and not fresh
                agent.sendall(data)
            elif agent in ready:
                data = agent.recv(65536)
                if not data:
                    return
                heard, held = heard + data, held + data
            elif held and len(ANSWER.findall(heard)) >= len(REQUEST.findall(said)) and self._host_sleeps() \
                    and not select.select([host], [], [], 0)[0]:
                host.sendall(held)
                held, spoke = b"", True
