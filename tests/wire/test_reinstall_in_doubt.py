# SPDX-License-Identifier: BSD-2-Clause
"""run --reinstall behind the loss of a session: the program on the target decides whether the target was restarted."""
import time

import pytest

from harness import fake_agent as fake


def other_nonce(agent):
    agent.nonce += 1


def ticks_from_zero(agent):
    agent.started = time.monotonic()


def ticks_stand_still(agent):
    agent.started += 50  # a debugger has held the target


CHANGES = [other_nonce, ticks_from_zero, ticks_stand_still]


def lose_session(agent, change, programs):
    """The agent refuses each line of the session from now on."""
    with agent.lock:
        agent.session ^= 1
        agent.owner = b""
        change(agent)
        if not programs:
            agent.programs.clear()
    agent.stop_syncs()


def begin(agent, dprobes, net, *words):
    agent.started -= 100
    running = dprobes.start("run", net, "--reinstall", "--port", agent.url, *words)
    agent.wait(lambda: [command for command, _ in agent.requests].count(fake.PROBES) > 0)
    return running


def commits(agent):
    return [command for command, _ in agent.requests].count(fake.COMMIT)


@pytest.mark.parametrize("change", CHANGES)
def test_a_target_that_has_the_program_was_not_restarted(agent, dprobes, net, change):
    running = begin(agent, dprobes, net)
    lose_session(agent, change, programs=True)
    run = running.wait()
    assert run.status == 3 and "was not restarted" in run.stderr and "inserting the program again" not in run.stderr, run.stderr
    assert commits(agent) == 1 and len(agent.programs) == 1


@pytest.mark.parametrize("change", CHANGES)
def test_a_target_without_the_program_was_restarted(agent, dprobes, net, change):
    """It may have lost its power, and count its starts from 1 again."""
    running = begin(agent, dprobes, net)
    lose_session(agent, change, programs=False)
    running.err.expect(r"the target was restarted \(boot 1\): inserting the program again")
    agent.wait(lambda: commits(agent) == 2)
    run = running.interrupt()
    assert run.status == 130 and not agent.programs, run.stderr


def test_a_key_makes_another_nonce(agent, dprobes, net, tmp_path):
    """Each proof does: it is no sign of a restart."""
    agent.key = bytes(range(16))
    (tmp_path / "board.key").write_text(agent.key.hex())
    (tmp_path / "board.key").chmod(0o600)
    running = begin(agent, dprobes, net, "--key", tmp_path / "board.key")
    nonce = agent.nonce
    with agent.lock:
        agent.sealed = None
    lose_session(agent, lambda _agent: None, programs=True)
    run = running.wait()
    assert run.status == 3 and "was not restarted" in run.stderr, run.stderr
    assert agent.nonce != nonce and commits(agent) == 1 and len(agent.programs) == 1
