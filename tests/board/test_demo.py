# SPDX-License-Identifier: BSD-2-Clause
"""`scons demo` does what it shows: boards/demo/demo.py, run to its end, with its transcript read."""
import os
import re
import subprocess
import sys

import pytest

import sources_mk
from harness import process
from harness.paths import TOP, built, program
from harness.qemu import board_names
from harness.tool import environment


@pytest.mark.parametrize("board, elf", [*((board, "demo.elf") for board in board_names()), ("vexpress-a9", "small/small.elf")])
def test_demo(board, elf):
    facts = sources_mk.read(str(TOP / "boards" / board))
    program(facts["QEMU"])
    built("host", "dprobes")
    firmware = built("boards", board, elf)
    child = process.start([sys.executable, "-B", "boards/demo/demo.py", board, firmware.relative_to(TOP)], cwd=TOP, env=environment(),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        output = child.communicate(timeout=process.TIMEOUT_S)[0].decode()
    finally:
        process.kill_group(child)
    assert child.returncode == 0, output[-3000:]
    steps = [
        "load is on",                                   # the firmware's console text
        rf"^target:   {facts['PORT']}, (32|64)-bit, (little|big)-endian",
        r"^offset = queue_put$",                        # the program, as it is
        r"^inserted: demo as program 0, 1 probe\(s\) armed",
        r"^DProbes\(1,1\) \w+_queue \w+\+0x[0-9a-f]+$",
        r"^\.\.\. \d+ records in \d+ seconds",
        r"^ +\d+  sensor_queue +sensor_isr$",           # the answer
        r"^  minor 1 at 0x[0-9a-f]{8}.*armed, \d+ hit\(s\)(, \d+ dropped)?$",
        r"^text: +\d+ of \d+ bytes, in pieces of 64, differ from .*; 1 probe\(s\) armed$",
        r"^removed: 1 program\(s\)",
        rf"^text: +\d+ bytes, the same as in build/boards/{board}/{elf}$",
        r"^demo: done$",
    ]
    at = 0
    for step in steps:
        match = re.compile(step, re.M).search(output, at)
        assert match, f"{step!r} does not follow in:\n{output}"
        at = match.end()
    print(re.search(r"^\.\.\. (\d+ records in \d+ seconds)", output, re.M).group(1))


def command_lines():
    """Of every process."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                yield file.read()
        except OSError:
            pass


def test_demo_leaves_nothing_behind(tmp_path):
    """A step that fails: a sentence, a status, and no QEMU."""
    board = "vexpress-a9"
    program("qemu-system-arm")
    built("host", "dprobes")
    built("boards", board, "demo.elf")
    child = process.start([sys.executable, "-B", "-c",
                           f"import sys; sys.path.insert(0, '{TOP}/boards/demo')\n"
                           "import demo\ndemo.PROGRAM = 'no-such-file.dp'\n"
                           f"try:\n    demo.demo('{board}')\n"
                           "except (demo.DemoError, OSError) as error:\n    sys.exit(f'demo: {error}')"],
                          cwd=TOP, env=environment({"TMPDIR": str(tmp_path)}), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        _, said = child.communicate(timeout=process.TIMEOUT_S)
    finally:
        process.kill_group(child)
    assert child.returncode == 1 and b"no-such-file.dp" in said
    process.eventually(lambda: not any(str(tmp_path).encode() in line for line in command_lines()), "the end of QEMU")
