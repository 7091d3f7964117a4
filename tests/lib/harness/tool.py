# SPDX-License-Identifier: BSD-2-Clause
"""Runs the dprobes command."""
import collections
import json
import os
import subprocess
import zlib

from . import process, tool_server
from .paths import BUILD, built

_SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": "abort_on_error=0:exitcode=99:detect_leaks=1",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:exitcode=99",
}
# A search for leaks takes a third of a short run. All tests have one by night, otherwise those that this number chooses.
_SEARCH_EVERY = 4
search_all = False

# What a user may have set must not change what a test sees.
_UNSET = ("DPROBES_PORT", "DPROBES_BAUD", "DPROBES_ELF", "DPROBES_BOARD", "NO_COLOR")


class Result(collections.namedtuple("Result", "status stdout stderr")):
    """How a run ended and what it printed."""

    def lines(self):
        return self.stdout.splitlines()

    def told(self):
        """Losses and notices of the format text, which are no data: on standard error, among the console."""
        return [line for line in self.stderr.splitlines() if line.startswith(("lost: ", "missed: ", "withdrawn: ", "ring full: ", "notice: "))]

    def objects(self):
        """The lines of --format json, without the number of the schema, which only the first line has."""
        rows = [json.loads(line) for line in self.lines()]
        if rows and rows[0]["kind"] != "tool":
            assert rows[0].pop("schema") == 1
        return rows


def environment(extra=None):
    values = {k: v for k, v in os.environ.items() if k not in _UNSET}
    # A dprobes.conf of the user is below a folder: here is none.
    values.update(_SANITIZER_OPTIONS, LC_ALL="C", TERM="dumb", XDG_CONFIG_HOME="/dev/null", XDG_CACHE_HOME="/dev/null",
                  XDG_RUNTIME_DIR="/dev/null")
    values.update(extra or {})
    return values


def searches_leaks(test):
    """Has this test, as pytest names it, a search for leaks at the end of each run? Always the same tests have."""
    return search_all or zlib.crc32(test.rsplit(" (", 1)[0].encode()) % _SEARCH_EVERY == 0


def run(program, args, stdin=None, cwd=None, env=None, files_max=None, timeout_s=process.TIMEOUT_S):
    """(status, stdout, stderr) of a build of the tool, in a fork of its server where the build has one; bytes that are not
    UTF-8 appear as \\xNN. stdin: bytes. env: beside environment(); a library that the loader puts in front needs a process of
    its own. Raises TimeoutError, with the two outputs."""
    server, values = program.parent / "server" / program.name, environment(env)
    if server.exists() and "LD_PRELOAD" not in values:
        with tool_server.idle(server, environment()) as started:
            leaks = searches_leaks(os.environ.get("PYTEST_CURRENT_TEST", ""))
            status, *outputs = started.run([program, *args], stdin, cwd, values, files_max, timeout_s, leaks)
    else:
        child = process.start([program, *args], files_max, cwd=cwd, env=values,
                              stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            outputs = child.communicate(stdin, timeout=timeout_s)
        except subprocess.TimeoutExpired:
            process.kill_group(child)
            raise TimeoutError(*child.communicate()) from None
        status = child.returncode
    return status, *(output.decode("utf-8", "backslashreplace") for output in outputs)


class Tool:
    """dprobes as the tests run it: the build with sanitizers unless told otherwise."""

    def path(self, sanitized=True):
        checked = BUILD / "host-asan" / "dprobes"
        return checked if sanitized and checked.exists() else built("host", "dprobes")

    def __call__(self, *args, stdin=None, cwd=None, env=None, sanitized=True,
                 timeout_s=process.TIMEOUT_S, files_max=None):
        """Run to the end. Bytes that are not UTF-8 appear as \\xNN. files_max: descriptors it may have."""
        program, words = self.path(sanitized), list(map(str, args))
        data = stdin.encode() if isinstance(stdin, str) else stdin
        try:
            found = run(program, words, data, cwd, env, files_max, timeout_s)
        except TimeoutError as error:
            stdout, stderr = error.args
            raise AssertionError(f"dprobes {' '.join(words)} did not end in {timeout_s} s\n"
                                 f"stdout: {stdout!r}\nstderr: {stderr!r}") from None
        result = Result(*found)
        assert result.status != 99, f"a sanitizer stopped dprobes:\n{result.stderr}"
        assert result.status >= 0, f"dprobes died of signal {-result.status}:\n{result.stderr}"
        return result

    def start(self, *args, cwd=None, env=None, sanitized=True):
        """Run beside the test."""
        return Running([self.path(sanitized), *args], cwd, environment(env))

    def listen(self, *args, **options):
        """dprobes log beside the test, from the moment on when no record is missed. What it says about that
        moment is not in the result."""
        running = self.start("log", "--verbose", *args, **options)
        running.left_out = running.err.expect(r"^dprobes: listening on .*\n").group().decode()
        return running


class Running:
    """A dprobes that streams; out and err can be waited on with expect()."""

    def __init__(self, command, cwd, env):
        self.process = process.start(command, cwd=cwd, env=env, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        self.left_out = ""
        self.out = process.Reader("dprobes stdout", lambda: self.process.stdout.read(65536))
        self.err = process.Reader("dprobes stderr", lambda: self.process.stderr.read(65536))
        self.out.beside = self.err

    def wait(self, timeout_s=process.TIMEOUT_S):
        """Its result, when it ends by itself."""
        self.process.wait(timeout_s)
        return self._result()

    def interrupt(self):
        """What ^C does."""
        self.process.send_signal(process.signal.SIGINT)
        return self.wait()

    def _result(self):
        self.out.join()
        self.err.join()
        return Result(self.process.returncode, self.out.text, self.err.text.replace(self.left_out, "", 1))

    def close(self):
        process.kill_group(self.process)
        self._result()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
