# SPDX-License-Identifier: BSD-2-Clause
"""Runs lib/target/sim_target.c: a target in a process, in milliseconds."""
import contextlib
import os
import signal
import socket
import subprocess

from . import process, tool
from .paths import built


class SimGuest:
    """Runs lib/target/sim_guest.c: the conformance cases on the simulated CPU. kind: what the instruction at each site
    is, a number of enum sim_insn; planned: hits follow plans."""

    def __init__(self, folder, variant, kind, planned):
        self.paths = {com: folder / com for com in ("com1", "com2")}
        for path in self.paths.values():
            path.unlink(missing_ok=True)
        program = built(variant, "sim_guest" if planned else "sim_guest_unplanned")
        self.child = process.start([program, *self.paths.values(), f"{kind:x}"], env=tool.environment(),
                                   stdout=subprocess.PIPE)
        assert self.child.stdout.readline() == b"ready\n"

    def url(self, com):
        return f"unix:{self.paths[com]}"

    def kill(self):
        """The host has closed its lines, which ends the process; a sanitizer's complaint fails the test."""
        with socket.socket(socket.AF_UNIX) as line, contextlib.suppress(OSError):
            line.connect(str(self.paths["com2"]))  # a host that failed early never came
        self.child.communicate(timeout=process.TIMEOUT_S)
        assert self.child.returncode == 0


class SimTarget:
    """com1 and com2 are unix sockets; map is a System.map of the simulated firmware."""

    def __init__(self, folder, *options, profile="full"):
        variant = {"full": "host-asan", "read": "host-asan-read",
                   "small": "host-asan-small", "counts": "host-asan-counts", "minimal": "host-asan-minimal"}[profile]
        self.paths = {com: folder / com for com in ("com1", "com2")}
        self.map = folder / "System.map"
        command = [built(variant, "sim_target"), "--map", self.map, *options]
        for com, path in self.paths.items():
            command += [f"--{com}", path]
        self.child = process.start(command, env=tool.environment(), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        assert self.child.stdout.readline() == b"ready\n", self.child.stderr.read()

    def url(self, com="com2"):
        return f"unix:{self.paths[com]}"

    def warm_restart(self):
        os.kill(self.child.pid, signal.SIGHUP)

    def power_cycle(self):
        os.kill(self.child.pid, signal.SIGUSR1)

    def console(self, *lines, com="com1", until=b"executed"):
        """Type lines; returns what comes back up to a line with `until`."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.paths[com]))
            line.settimeout(process.TIMEOUT_S)
            line.sendall("".join(f"{text}\n" for text in lines).encode())
            data = b""
            while until not in data or not data.endswith(b"\n"):
                more = line.recv(4096)
                assert more, data
                data += more
        return data.decode()

    def text_is_original(self):
        return "text original" in self.console("sum")

    def close(self):
        """End it; a sanitizer's complaint fails the test."""
        if self.child.returncode is not None:
            return
        self.child.terminate()
        try:
            _, talk = self.child.communicate(timeout=process.TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill_group(self.child)
            _, talk = self.child.communicate()
        assert self.child.returncode == 0, talk.decode("utf-8", "backslashreplace")
