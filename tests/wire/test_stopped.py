# SPDX-License-Identifier: BSD-2-Clause
"""dprobes stop, regs and resume, and programs that stop: the real agent on the simulated CPU."""
import pathlib
import re
import socket
import tempfile

import pytest

from harness import fake_agent as fake
from harness import process

STOPS = "name = stops\noffset = hot\npush 7\nlog 1\nexit 1\n"
AGENT, USAGE = 4, 1
WATCH_STOP, HALT = 55, 56  # parts


def test_stop_in_poll(sim_target, dprobes):
    """The agent stops in dprobes_poll, where it has no registers; memory is read, and each command opens a session."""
    target = sim_target()
    port = ("--port", target.url())
    stop = dprobes("stop", *port)
    assert stop.status == 0 and re.fullmatch(r"stopped at 0x[0-9a-f]+, behind the call of dprobes_poll\n", stop.stdout), stop
    assert "'dprobes resume' lets the target go on" in stop.stderr
    again = dprobes("stop", "--quiet", *port)
    assert again.status == 0 and again.stdout == stop.stdout and again.stderr == ""
    regs = dprobes("regs", *port)
    assert regs.status == AGENT and "stopped in dprobes_poll" in regs.stderr
    assert dprobes("read", "-r", "0x20000000,4", *port).status == 0
    assert dprobes("info", *port).status == 0
    assert dprobes("resume", *port).status == 0
    assert "executed" in target.console("sum")
    for words in (("resume",), ("regs",), ("regs", "r0=1"), ("step",)):
        done = dprobes(*words, *port)
        assert done.status == AGENT and "the target is not stopped" in done.stderr, done
        assert "refused" not in done.stderr or words == ("resume",)  # the others ask for a register first


def test_goes_on_without_a_host(sim_target, dprobes):
    """The firmware prints nothing while it is stopped."""
    target = sim_target("--console", 50)
    assert dprobes("stop", "--for", "1s", "--port", target.url()).status == 0
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(target.paths["com1"]))
        line.settimeout(process.TIMEOUT_S)
        data = b""
        while b"of the firmware" not in data:
            data += line.recv(4096)


@pytest.mark.parametrize("options, sentence", [
    ({"profile": "read"}, "DP_WITH_HALT"), ({"profile": "minimal"}, "DP_WITH_HALT"),
    ({"options": ("--broken", "stopped")}, "the board cannot be stopped")], ids=["read", "minimal", "board"])
def test_refused(sim_target, dprobes, options, sentence):
    target = sim_target(*options.pop("options", ()), **options)
    for words in (("stop",), ("regs",), ("resume",)):
        done = dprobes(*words, "--port", target.url("com1" if options.get("profile") == "minimal" else "com2"))
        assert done.status == AGENT and sentence in done.stderr, done


@pytest.mark.parametrize("parts, warned", [((HALT,), True), ((HALT, WATCH_STOP), False), ((), False)], ids=["before", "now", "no stop"])
@pytest.mark.parametrize("ends", ["exit 1", "exit"])
def test_an_agent_that_does_not_stop_at_watchpoints(tmp_path, dprobes, parts, warned, ends):
    """An agent of before takes `exit 1` there, and does not stop: the insertion says so."""
    agent, source = fake.FakeAgent(tmp_path / "agent"), tmp_path / "w.dp"
    agent.beside = parts
    source.write_text(f"name = w\naddress = 0x20010 : 0x20013\nwatchpoint = w\nminor = 3\n{ends}\n")
    done = dprobes("insert", source, "--write", "--dont-verify-opcodes", "--port", agent.url)
    agent.close()
    said = "exit 1 of the probe with minor = 3 does not stop the firmware: this agent does not stop at watchpoints"
    assert done.status == 0 and (said in done.stderr) == (warned and ends == "exit 1"), done


def test_a_program_stops(sim_target, dprobes, tmp_path):
    """A run prints the notice. Through the service, other commands look at the target and let it go on."""
    target, source = sim_target(), tmp_path / "stops.dp"
    source.write_text(STOPS)
    with tempfile.TemporaryDirectory(prefix="dprobes-", ignore_cleanup_errors=True) as folder:
        env = {"XDG_RUNTIME_DIR": str(pathlib.Path(folder))}
        service = dprobes.start("serve", "--write", "--port", target.url(), env=env)
        service.err.expect("serving")

        def tell(*words):
            return dprobes(*words, "--port", target.url(), env=env)

        run = dprobes.start("run", source, "--sym", target.map, "--dont-verify-opcodes", "--write", "--port", target.url(), env=env)
        while "armed" not in tell("list").stdout:
            pass
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(target.paths["com1"]))
            line.sendall(b"call hot\n")
            run.err.expect(r"notice: the target is stopped.* probe \d+ at 0x08000140.*'dprobes resume'")
            run.out.expect(r"DProbes.* 07000000|DProbes.* 7")
            regs = tell("regs", "--sym", target.map)
            assert regs.status == 0 and re.search(r"^r15 +0x08000140$", regs.stdout, re.M), regs
            assert tell("regs", "r3=0x1234").status == 0
            assert tell("regs", "r3", "pc").stdout == "r3 0x00001234\npc 0x08000140\n"
            for word, status, sentence in (("pc=0", AGENT, "may not write"), ("r77", USAGE, "no register 'r77'"), ("r3=x", USAGE, "'x' is no number of 4 bytes"),
                                           ("r3=0x100000000", USAGE, "is no number of 4 bytes")):
                done = tell("regs", word)
                assert done.status == status and sentence in done.stderr, done
            stop = tell("stop")
            assert stop.status == 0 and stop.stdout.startswith("stopped at 0x8000140\nr0 "), stop
            assert tell("resume").status == 0
            run.err.expect(r"notice: the target goes on after a stop by a request; the stop lasted \d+ tick")
        done = run.interrupt()
        assert done.status == 130, done
        service.interrupt()
    assert target.text_is_original()
