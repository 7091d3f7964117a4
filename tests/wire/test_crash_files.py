# SPDX-License-Identifier: BSD-2-Clause
"""Cores of exit 2 that are not whole: the crash stays on the target, and the command says so. The real agent on the simulated CPU."""
import contextlib
import re
import socket
import subprocess

import pytest

from harness import process
from harness.noisyline import NoisyLine
from harness.paths import program

CRASH = "name = c\noffset = hot\nexit 2\n"
STOPS = "name = s\noffset = hot\nexit 1\n"
USAGE, LINK = 1, 3
STAYS = "the target stays stopped for 600 s: 'dprobes core -o FILE' takes its core, and 'dprobes resume' lets it go on"


@contextlib.contextmanager
def call_hot(target, times=1):
    """Type at the console, which answers when the target has gone on."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(target.paths["com1"]))
        line.settimeout(process.TIMEOUT_S)
        line.sendall(b"call hot\n" * times + b"sum\n")
        yield line


def answers(line):
    data = b""
    while b"executed" not in data:
        data += line.recv(4096)


@pytest.fixture
def there(sim_target, dprobes, tmp_path):
    """A target with a program, and a function that runs a command there."""
    target, source = sim_target(), tmp_path / "p.dp"

    def start(program):
        source.write_text(program)
        done = dprobes("insert", source, "--write", "--sym", target.map, "--dont-verify-opcodes", "--port", target.url())
        assert done.status == 0, done
        return target, lambda *words: dprobes(*words, "--port", target.url())

    return start


@pytest.mark.parametrize("command", ["log", "core"])
def test_core_that_cannot_be_written(there, dprobes, tmp_path, command):
    """The target is not reset, and goes not on: the next command takes the core."""
    target, tell = there(CRASH)
    (tmp_path / ("c.1.part" if command == "log" else "c.part")).mkdir()
    words = ("log", "--write", "--cores", tmp_path / "c", "--verbose") if command == "log" else ("core", "--wait", "-o", tmp_path / "c")
    run = dprobes.start(*words, "--port", target.url())
    run.err.expect("listening on" if command == "log" else "waiting for exit 2")
    with call_hot(target) as console:
        run.err.expect("cannot write .*: Is a directory")
        run.err.expect(STAYS)
        done = run.wait()
        assert done.status == USAGE and "reset" not in done.stderr, done
        assert tell("regs", "pc").stdout == "pc 0x08000140\n"
        again = tell("core", "-o", tmp_path / "again")
        assert again.status == 0 and "registers of 1" in again.stderr, again
        assert tell("resume").status == 0
        answers(console)


@pytest.mark.parametrize("text, words, said", [
    (CRASH, (), "exit 2 does not stop the firmware: the session may not write; add --write"),
    ("name = c\noffset = hot\nphase = after\nminor = 4\nexit 2\n", ("--write",),
     "exit 2 of the probe with minor = 4 does not stop the firmware: it stops before an instruction (phase = before)"),
    ("name = c\noffset = hot\nphase = after\nexit\n\noffset = hot\nexit 2\n", ("--write",), None),
    ("name = c\noffset = hot\nphase = before\ncall crash\nexit\n\noffset = hot\nphase = after\nexit\n\nproc crash\nexit 2\nendproc\n", ("--write",),
     None),
    ("name = c\noffset = hot\npush 2\nexit\n", (), None),
    (CRASH, ("--write",), None),
])
def test_exit_2_that_stops_nothing(sim_target, dprobes, tmp_path, text, words, said):
    """The warning comes with the insertion, not behind a crash that no core has."""
    target, source = sim_target(), tmp_path / "p.dp"
    source.write_text(text)
    done = dprobes("insert", source, *words, "--sym", target.map, "--dont-verify-opcodes", "--port", target.url())
    assert done.status == 0 and (f"warning: {source}: {said}" in done.stderr if said else "exit 2" not in done.stderr), done


@pytest.mark.parametrize("command", ["log", "run"])
def test_core_without_names_has_an_identity(sim_target, dprobes, tmp_path, command):
    """Also where the command needs no names, and records nothing: the ELF file comes later."""
    target, source, core = sim_target(), tmp_path / "p.dp", tmp_path / "c"
    source.write_text("name = c\noffset = hot\nmaxhits = 1\nexit 3\n")
    given = ("--sym", target.map, "--dont-verify-opcodes", "--port", target.url())
    if command == "log":
        assert dprobes("insert", source, *given).status == 0
        run = dprobes.start("log", "--cores", core, "--verbose", "--port", target.url())
        run.err.expect("listening on")
    else:
        built = tmp_path / "p.dpo"
        assert dprobes("build", source, *given[:3], "-o", built).status == 0
        run = dprobes.start("run", built, "--cores", core, "--verbose", "--port", target.url())
        run.err.expect("inserted")
    with call_hot(target) as console:
        run.err.expect("a core of the running context")
        answers(console)
    run.interrupt()
    said = subprocess.run([program("readelf"), "-n", tmp_path / "c.1"], capture_output=True, text=True, check=True)
    assert re.search(r"^  dprobes +0x\w+\t.*0x64700003", said.stdout, re.M), said


def test_folder_that_is_not_there(dprobes, tmp_path):
    """It is refused before the line is opened."""
    for words in (("core", "--wait", "-o"), ("core", "-o"), ("log", "--cores")):
        done = dprobes(*words, tmp_path / "none" / "c", "--port", "unix:/nowhere")
        assert done.status == USAGE and "none/c: No such file or directory" in done.stderr, done


@pytest.mark.nightly  # a hundred cores
def test_as_many_cores_as_a_command_writes(there, dprobes, tmp_path):
    target, tell = there(CRASH)
    run = dprobes.start("log", "--write", "--cores", tmp_path / "c", "--then", "go", "--verbose", "--port", target.url())
    run.err.expect("listening on")
    with call_hot(target, 101) as console:
        run.err.expect("100 cores are the most that a command writes")
        assert run.wait().status == USAGE
        assert len(list(tmp_path.glob("c.*"))) == 100
        assert tell("resume").status == 0
        answers(console)


@pytest.mark.nightly  # the target waits for ten seconds
def test_wait_leaves_a_breakpoint(there, dprobes, tmp_path):
    """The target goes on by itself, as without the command."""
    target, _ = there(STOPS)
    run = dprobes.start("core", "--wait", "-o", tmp_path / "c", "--port", target.url())
    run.err.expect("waiting for exit 2")
    with call_hot(target) as console:
        run.err.expect("the target is stopped, and not by exit 2")
        answers(console)
    assert run.interrupt().status == 130


@pytest.mark.nightly  # each command waits for five seconds
def test_line_that_is_cut(there, dprobes, tmp_path):
    """A core that was good keeps registers and stack."""
    target, tell = there(CRASH)
    core = tmp_path / "c"
    run = dprobes.start("core", "--wait", "--then", "stay", "-o", core, "--port", target.url())
    run.err.expect("waiting for exit 2")
    with call_hot(target) as console:
        assert run.wait().status == 0
        assert tell("stop", "--for", "300s").status == 0
        for stop_at in (6000, 12000):
            line = NoisyLine(tmp_path / "line", target.paths["com2"], 1, {}, {}, stop_at=stop_at)
            done = dprobes("core", "-o", core, "--port", line.url)
            line.close()
            assert done.status == LINK and "that were not read: the session failed" in done.stderr, done
            assert "registers of 1, " in done.stderr and dprobes("report", "--core", core).status == 0
        assert tell("resume").status == 0
        answers(console)
