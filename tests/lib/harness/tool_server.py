# SPDX-License-Identifier: BSD-2-Clause
"""Runs the dprobes command in forks of a started process: lib/target/tool_server.c."""
import array
import atexit
import contextlib
import os
import selectors
import signal
import socket
import subprocess
import threading
import time

from . import process

_idle = {}
_lock = threading.Lock()


class Server:
    """One process that runs the command, one run at a time."""

    def __init__(self, program, env):
        self._line, theirs = socket.socketpair()
        with theirs:
            # Not process.start(), whose processes end with the thread that starts them. A server ends with its line.
            self._child = subprocess.Popen([program, str(theirs.fileno())], pass_fds=[theirs.fileno()], env=env,
                                           stdin=subprocess.DEVNULL, start_new_session=True)

    @property
    def pid(self):
        return self._child.pid

    def close(self):
        self._line.close()
        process.kill_group(self._child)

    def run(self, command, stdin, cwd, env, files_max, timeout_s, leaks=True):
        """(status, stdout, stderr), status as Popen has it. stdin: bytes, or None. leaks: search for leaks at the end. Raises TimeoutError, with the run and all
        its children ended and what it printed as arguments."""
        settings = process.CPU_LIMIT_S, files_max or 0, int(leaks), os.path.abspath(cwd or "."), len(command)
        values = (f"{name}={value}" for name, value in env.items())
        data = os.fsencode("".join(f"{word}\0" for word in (*settings, *command, *values)))
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
            def pipe(of_run, of_test):
                ends = dict(zip("rw", os.pipe()))
                return theirs.enter_context(open(ends[of_run], of_run + "b", 0)), ours.enter_context(
                    open(ends[of_test], of_test + "b", 0))

            taken, given = (theirs.enter_context(open(os.devnull, "rb", 0)), None) if stdin is None else pipe("r", "w")
            (out, printed), (err, told) = pipe("w", "r"), pipe("w", "r")
            self._line.sendmsg([len(data).to_bytes(4, "little")], [
                (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file.fileno() for file in (taken, out, err)]))])
            self._line.sendall(data)
            theirs.close()
            child = self._number()
            try:
                found = _communicate(given, stdin, (printed, told), timeout_s)
            except TimeoutError:
                os.killpg(child, signal.SIGKILL)
                self._number()
                raise
            return os.waitstatus_to_exitcode(self._number()), *found

    def _number(self):
        data = self._line.recv(4, socket.MSG_WAITALL)
        assert len(data) == 4, "the tool server ended"
        return int.from_bytes(data, "little", signed=True)


def _communicate(given, stdin, files, timeout_s):
    """Write stdin and read both files to their ends."""
    deadline = time.monotonic() + timeout_s
    read, rest = [bytearray() for _ in files], memoryview(stdin or b"")
    with selectors.DefaultSelector() as ready:
        if given:
            os.set_blocking(given.fileno(), False)
            ready.register(given, selectors.EVENT_WRITE)
        for file, data in zip(files, read):
            ready.register(file, selectors.EVENT_READ, data)
        while ready.get_map():
            if not (events := ready.select(max(deadline - time.monotonic(), 0))):
                raise TimeoutError(*map(bytes, read))
            for key, _ in events:
                if key.fileobj is given:
                    try:
                        rest = rest[os.write(key.fd, rest[:65536]):]
                    except BrokenPipeError:
                        rest = rest[:0]
                    more = len(rest)
                else:
                    more = len(data := os.read(key.fd, 65536))
                    key.data.extend(data)
                if not more:
                    ready.unregister(key.fileobj)
                    key.fileobj.close()
    return tuple(map(bytes, read))


@contextlib.contextmanager
def idle(program, env):
    """A server that runs nothing: each thread of a test has its own. After an exception it is not used again.
    env: the environment of its start, where the sanitizers find their options."""
    with _lock:
        waiting = _idle.setdefault(program, [])
        server = waiting.pop() if waiting else None
    server = server or Server(program, env)
    try:
        yield server
    except BaseException:
        server.close()
        raise
    with _lock:
        waiting.append(server)


@atexit.register
def _close_all():
    for servers in _idle.values():
        for server in servers:
            server.close()
