# SPDX-License-Identifier: BSD-2-Clause
"""gdb-multiarch as at a terminal: lines are typed while it runs."""
import contextlib
import signal
import subprocess

from harness import process
from harness.paths import program
from harness.tool import environment


class TypedGdb:
    """said: what gdb prints. type() sends lines, interrupt() is ^C."""

    def __init__(self, elf, env, settings):
        words = [word for setting in ("set width 0", "set confirm off", *settings) for word in ("-iex", setting)]
        self._child = process.start([program("gdb-multiarch"), "-nx", "-q", *process.GDB_WAITS, *words, elf], env=environment(env),
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
        self.said = process.Reader("gdb", lambda: self._child.stdout.read(65536))

    def type(self, *lines):
        self._child.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def interrupt(self):
        self._child.send_signal(signal.SIGINT)

    def end(self):
        process.kill_group(self._child)
        self.said.join()
        self._child.stdin.close()
        self._child.stdout.close()


@contextlib.contextmanager
def typed_gdb(elf, *settings, env=None):
    """A gdb with the ELF file, which ends with the block. settings: commands before it reads the file."""
    gdb = TypedGdb(elf, env, settings)
    try:
        yield gdb
    finally:
        gdb.end()
