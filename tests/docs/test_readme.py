# SPDX-License-Identifier: BSD-2-Clause
"""The session in README.md is a real one: its commands run here, in order, on a board, and print what
it says, but for the numbers."""
import re
import shlex
import subprocess

from harness.paths import TOP, built
from harness.tool import environment

TUTORIAL = TOP / "boards/demo/TUTORIAL.md"
README = TOP / "README.md"
NUMBER = re.compile(r"\b[0-9]+\.[0-9]+s\b|\b(0x)?[0-9a-f]*[0-9][0-9a-f]*\b(\([0-9,]+\))?")


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
    """Lines without their numbers, and without what may have come of the prompt behind them."""
    return [NUMBER.sub("N", line) for line in lines if not "demo> ".startswith(line)]


def start(document):
    """The lines that build and start the board: the first block for a shell."""
    return re.search(r"```sh\n(.*?)```", document.read_text(encoding="utf-8"), re.S).group(1).splitlines()


def test_both_texts_begin_with_building_the_demo():
    lines = start(README)
    assert lines == start(TUTORIAL)
    elf = settings(lines[2])["DPROBES_ELF"]
    assert lines[0].endswith(f"scons build/host/dprobes {elf}") and lines[1].startswith(f"boards/vexpress-a9/run --nowait {elf} ")


def test_addresses_are_those_of_this_build(dprobes):
    """A reader who types an address of the text finds what the text says."""
    addresses = set(re.findall(r"0x6[0-9a-f]{7}\b", README.read_text(encoding="utf-8")))
    elf = built(*settings(start(README)[2])["DPROBES_ELF"].split("/")[1:])
    assert addresses
    for address in addresses:
        assert re.match(f"{address} queue_put ", dprobes("symbols", address, "--elf", elf).stdout), address


def settings(line):
    """What `export NAME=VALUE ...` sets."""
    assert line.startswith("export ")
    return dict(word.split("=", 1) for word in shlex.split(line)[1:])


def test_session(qemu, dprobes):
    board = qemu("vexpress-a9").free_when_up()
    said = settings(start(README)[2])
    assert built(*said["DPROBES_ELF"].split("/")[1:]).exists()
    env = environment({**said, "DPROBES_PORT": board.url("com1"), "PATH": f"{dprobes.path().parent}:/usr/bin:/bin"})
    assert set(said) == {"DPROBES_PORT", "DPROBES_ELF"}
    commands = 0
    for command, expected in session():
        run = subprocess.run(["sh", "-c", command], cwd=TOP, env=env, capture_output=True, text=True, check=False)
        assert run.returncode == 0, f"{command}\n{run.stderr}"
        assert shape(run.stdout.splitlines()) == shape(expected), command
        commands += command.split()[0] == "dprobes"
    assert commands >= 4
