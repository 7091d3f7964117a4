# SPDX-License-Identifier: BSD-2-Clause
"""Two hosts on one line, through a relay as on a server of serial lines: PROTOCOL.md 5.2, Owners.
With two lines: tests/agent/test_sim_target.py."""
import re

import pytest

from harness import relay

PROGRAM = "name = k\noffset = hot\nopcode = 0x10000140\npush 1\nlog 1\nexit\n"
OWNER = r"(?:dprobes \(pid \d+\)|pid \d+ on \S+)"  # a process that has ended has no command


@pytest.fixture
def shared(sim_target, tmp_path):
    """A target whose line several hosts may use."""
    target = sim_target("--hits", 50)
    line = relay.Relay(tmp_path / "relay", target.paths["com1"])
    line.map, line.agent = target.map, target
    yield line
    line.close()


# proves: R5.43 R5.44 R5.46 R4.20
def test_take(shared, dprobes, tmp_path):
    """The second host is told who has the session, and takes it with --take. The first host is told at once."""
    (tmp_path / "k.dp").write_text(PROGRAM)
    first = dprobes.start("run", tmp_path / "k.dp", "--port", shared.url, "--sym", shared.map, "--dont-verify-opcodes")
    first.out.expect(r"^DProbes\(0,0\) ")
    refused = dprobes("list", "--port", shared.url)
    assert refused.status == 4 and re.search(
        rf"error: dprobes \(pid {first.process.pid}\) uses the agent on {shared.url}, with its last request \d+ s ago; end that program, or take the session "
        r"over with --take \('dprobes serve' lets several commands use a line\)$", refused.stderr, re.M), refused
    first.out.expect(r"^DProbes\(0,0\) ")  # it has lost nothing by that
    second = dprobes("list", "--take", "--port", shared.url)
    assert second.status == 0 and "k: program 0" in second.stdout, second
    ended = first.wait()
    assert ended.status == 3 and re.search(
        rf"error: {OWNER} has taken over the session on {shared.url}; its programs stay installed$", ended.stderr, re.M), ended
    # The first host has removed nothing, and the next one needs no --take.
    assert dprobes("remove", "k", "--port", shared.url).stdout == "removed: 1 program(s)\n"


def test_a_run_hears_of_the_typed_remove(shared, dprobes, tmp_path):
    """Typed on the other line, where the run does not see it."""
    (tmp_path / "k.dp").write_text(PROGRAM)
    run = dprobes.start("run", tmp_path / "k.dp", "--port", shared.url, "--sym", shared.map, "--dont-verify-opcodes")
    run.out.expect(r"^DProbes\(0,0\) ")
    assert "1 program(s) removed" in shared.agent.console("~dprobes remove", com="com2", until=b"removed")
    ended = run.wait()
    assert ended.status == 4 and ended.stderr.endswith(
        "dprobes: error: the program was removed: by another command, or by somebody who typed '~dprobes remove' to the target\n") and ended.stderr.count("error:") == 1
    assert "notice: the line '~dprobes remove' was typed: all programs are removed: 1 program(s)\n" in ended.stderr
    assert "text original" in shared.agent.console("sum", com="com2")


def test_take_of_a_listener(shared, dprobes):
    """A host that only listens is told, too, without a request of its own."""
    first = dprobes.listen("--port", shared.url)
    assert dprobes("info", "--take", "--port", shared.url).status == 0
    ended = first.wait()
    assert ended.status == 3 and "has taken over the session" in ended.stderr


def test_take_of_a_free_session(shared, dprobes):
    assert dprobes("list", "--take", "--port", shared.url).status == 0
