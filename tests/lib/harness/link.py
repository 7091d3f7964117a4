# SPDX-License-Identifier: BSD-2-Clause
"""dprobes on a line to an agent that was written from PROTOCOL.md alone (fake_agent.py): fixtures agent, net,
tool and logging, for every test."""
import threading

import pytest

from . import fake_agent as fake

NET = """\
name = net
major = 3
id = 7
vars = 4
address = 0x1000
opcode = 0x01020304
minor = 9
push 1
log 1
exit
address = 0x1010
opcode = 0x01020304
minor = 10
exit
"""


def hit_while_installed(agent, count, body=b"\x01"):
    def later():
        agent.wait(lambda: any(command == fake.PROBES for command, _ in agent.requests))
        for _ in range(count):
            agent.hit(body)
    threading.Thread(target=later, daemon=True).start()


@pytest.fixture
def agent(tmp_path):
    made = fake.FakeAgent(tmp_path / "com1")
    yield made
    made.close()


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "net.dp"
    path.write_text(NET)
    return path


@pytest.fixture
def tool(dprobes, agent):
    """dprobes on the agent's line, without talk."""
    def run(*args, **options):
        return dprobes(*args, "--port", agent.url, **options)
    return run


@pytest.fixture
def logging(dprobes, agent, tool, net):
    """A dprobes log that has begun, with the program installed. Call to give it arguments."""
    def start(*args, items=None, verbose=True):
        assert tool("insert", net, *(["--log", items] if items else [])).status == 0
        if verbose:
            running = dprobes.listen("--port", agent.url, *args)
        else:  # the last question before it listens
            running = dprobes.start("log", "--port", agent.url, *args)
            agent.wait(lambda: agent.client and [number for number, _ in agent.requests].count(fake.PROBES) > 0)
        agent.sync()  # from here on losses are exact
        return running
    return start
