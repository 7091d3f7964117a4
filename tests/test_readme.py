# SPDX-License-Identifier: BSD-2-Clause
"""The session in README.md is a real one: its commands run here, in order, on a board, and print what
it says, but for the numbers."""
import re
import shlex
import time

from harness.paths import TOP, built

README = TOP / "README.md"
NUMBER = re.compile(r"\b(0x)?[0-9a-f]*[0-9][0-9a-f]*\b(\([0-9,]+\))?")


def session():
    """(command, output lines) of the console block."""
    block = re.search(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), re.S).group(1)
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


def shape(lines):
    """Lines without their numbers."""
    return [NUMBER.sub("N", line) for line in lines]


def test_session(qemu, dprobes):
    board = qemu("vexpress-a9", hold=())
    env = {"DPROBES_PORT": board.url("com1"), "DPROBES_ELF": "build/boards/vexpress-a9/demo.elf"}
    assert built("boards", "vexpress-a9", "demo.elf").exists()
    time.sleep(2)  # the kernel's own start; a person is slower
    commands = 0
    for command, expected in session():
        words = shlex.split(command)
        if words[0] == "cat":
            assert (TOP / words[1]).read_text(encoding="utf-8").splitlines() == expected
            continue
        assert words[0] == "dprobes", command
        result = dprobes(*words[1:], env=env, cwd=TOP)
        assert result.status == 0, f"{command}\n{result.stderr}"
        assert shape(result.lines()) == shape(expected), command
        commands += 1
    assert commands >= 4
