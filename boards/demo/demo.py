#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""scons demo: boots the demo firmware in QEMU and asks it a question with a probe.

Usage: demo.py BOARD [ELF]. ELF: the firmware in place of the board's demo.elf. Every command is printed
before it runs; its output follows. Exit status 0 only when every step succeeded.
"""
import collections
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = "build/host/dprobes"
PROGRAM = "boards/demo/1-callers.dp"
STREAM_SECONDS = 4
LINES_SHOWN = 8


class DemoError(Exception):
    """A step did not do what it should."""


def say(text):
    print(text, flush=True)


def start_board(board, elf, folder):
    """QEMU with com1 on folder/com1; the process."""
    command = [f"boards/{board}/run", "--nowait", elf, folder]
    say(f"$ {shlex.join([*command[:3], 'DIR'])} &")
    qemu = subprocess.Popen(command, cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 20
    while not os.path.exists(f"{folder}/com1"):
        if qemu.poll() is not None or time.monotonic() > deadline:
            raise DemoError(f"QEMU did not start; try {shlex.join(command)} by hand")
        time.sleep(0.05)
    return qemu


class Tool:
    """dprobes with DPROBES_PORT and DPROBES_ELF set."""

    def __init__(self, folder, elf):
        self.env = {**os.environ, "DPROBES_PORT": f"unix:{folder}/com1", "DPROBES_ELF": elf}

    def run(self, *words, typed=None, show=True, status=(0,)):
        """One command; its output as lines. typed: what a person types, (seconds, text) pairs. status:
        what it may end with."""
        say(f"$ dprobes {shlex.join(words)}")
        child = subprocess.Popen([TOOL, *words], cwd=TOP, env=self.env, text=True, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for seconds, text in typed or []:
            time.sleep(seconds)
            child.stdin.write(text)
            child.stdin.flush()
        try:
            output, _ = child.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            child.kill()
            raise DemoError(f"dprobes {words[0]} did not end") from None
        if child.returncode not in status:
            raise DemoError(f"dprobes {words[0]} ended with status {child.returncode}:\n{output}")
        lines = output.splitlines()
        if show:
            for line in lines:
                say(line)
        return lines


def callers(records):
    """The answer of the records: calls by queue and calling function, as dprobes names them."""
    rows = collections.Counter()
    for record in records:
        queue, caller = record.split()[1:]
        rows[queue, caller.partition("+")[0]] += 1
    say(f"{'calls':>7}  {'queue':<22}  called from")
    for (queue, caller), calls in rows.most_common():
        say(f"{calls:7}  {queue:<22}  {caller}")


def demo(board, elf=None):
    elf = elf or f"build/boards/{board}/demo.elf"
    if not os.path.exists(os.path.join(TOP, elf)):
        raise DemoError(f"{elf} is not built; run: sh tests/setup.sh && scons")
    with tempfile.TemporaryDirectory(prefix="dprobes-demo-") as folder:
        qemu = start_board(board, elf, folder)
        try:
            session(Tool(folder, elf))
        finally:
            os.killpg(qemu.pid, signal.SIGTERM)
            qemu.wait(10)


def session(tool):
    say("\n-- The firmware's own console, through dprobes: it shares the line with the agent.")
    text = tool.run("console", "--timeout", "3", typed=[(1.0, "ps\n"), (0.7, "load on\n")])
    if not any("load is on" in line for line in text):
        raise DemoError("the firmware's shell did not answer")
    say("\n-- What is there?")
    tool.run("info")
    say("\n-- Who calls queue_put, on which queue, how often? Nothing is rebuilt, nothing is halted.")
    say(f"$ cat {PROGRAM}")
    with open(os.path.join(TOP, PROGRAM), encoding="utf-8") as file:
        say(file.read().rstrip())
    tool.run("insert", PROGRAM)
    # 5: records were lost, as on a host too busy for QEMU's UART. Those that came have an answer.
    lines = tool.run("log", PROGRAM, "--timeout", str(STREAM_SECONDS), show=False, status=(0, 5))
    records = [line for line in lines if line.startswith("DProbes(")]
    for line in records[:LINES_SHOWN]:
        say(line)
    if not records:
        raise DemoError("no record came")
    lost = [line for line in lines if line.startswith("lost: ")]
    for line in lost[:1]:
        say(line)
    if len(lost) > 1:
        say(f"... {len(lost) - 1} more such lines: this host is too slow for all records")
    say(f"... {len(records)} records in {STREAM_SECONDS} seconds. The answer they hold:")
    callers(records)
    say("\n-- The probe's counters, then the text with the trap in it.")
    listing = tool.run("list")
    if not any("hit(s)" in line for line in listing):
        raise DemoError("the probe's hit count is missing")
    tool.run("info", "--verify-text", status=(6,))  # 6: it is not what was expected
    say("\n-- Gone without a trace.")
    tool.run("remove", "demo")
    text = tool.run("info", "--verify-text")
    if not any(line.startswith("text:") and "the same as in" in line for line in text):
        raise DemoError("the firmware's text is not the original")
    say("\ndemo: done")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: demo.py BOARD [ELF]")
    try:
        demo(*sys.argv[1:])
    except DemoError as error:
        sys.exit(f"demo: {error}")
