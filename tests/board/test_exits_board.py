# SPDX-License-Identifier: BSD-2-Clause
"""C exits of the demo kernel on boards: the kernel that is built with DEMO_HOOKS. agent/guide/hooks.md; the rules in detail:
tests/agent/test_agent_exits.c"""
import json
import re

import pytest

import cpus
from harness import gdbstub, paths
from harness.demo_bench import order_of

FIRST, *OTHERS = cpus.hooked_boards()
BOARDS = [FIRST, *(pytest.param(board, marks=pytest.mark.nightly) for board in OTHERS)]


@pytest.fixture
def demo(qemu, dprobes, tmp_path):
    """Start the hooked kernel of a board: exits(...) is its command, and ask(...) is dprobes on its line."""
    def start(board, **more):
        elf = paths.built("boards", board, "hooks", "hooks.elf")
        machine = qemu(board, elf=elf, hold=("com1",), **more)
        machine.com1.expect("demo>")

        def exits(*words):
            machine.com1.send(" ".join(["exits", *map(str, words)]) + "\n")
            return {name: int(value) for name, value in re.findall(r"(\w+) (\d+)", machine.com1.expect(r"exits: (error .*)\r?\n")[1].decode())}

        def refused():
            machine.com1.send("stats\n")
            return sum(int(machine.com1.expect(r"queue \S+ put \d+ got \d+ waiting \d+ refused (\d+)")[1]) for _ in range(2))

        def ask(*words, status=0):
            done = dprobes(*words, "--port", machine.url("com2"), "--elf", elf, cwd=tmp_path)
            assert done.status == status, done.stderr
            return done.stderr if status else done.stdout

        return exits, refused, ask

    return start


def grown(exits, names, than):
    """The counters, when each of the names has grown."""
    while True:
        now = exits()
        if all(now[name] > than[name] for name in names):
            return now


@pytest.mark.parametrize("board", BOARDS)
def test_exits(demo, board):
    """Exits count in a task and in an interrupt, change what the firmware does, and end, while a program counts at the same hooks."""
    exits, refused, ask = demo(board)
    assert not any(exits().values())
    begun = exits("on")
    assert begun["error"] == 0
    now = grown(exits, ("messages", "seconds", "ticks", "masked"), begun)
    assert now["messages"] - now["seconds"] in (0, 1) and now["ticks"] - now["masked"] in (0, 1) and now["refused"] == now["once"] == 0
    hits = ask("-n", "queue:::admit { @a = count(); } isr:::tick { @t = count(); } tick-300ms { exit(0); }", "-q")
    assert len(re.findall(r"[1-9]\d*", hits)) == 2, hits
    grown(exits, ("messages", "seconds", "ticks", "masked"), now)
    assert exits("on")["error"] == 100  # registered already
    before, begun = refused(), exits("refuse")
    # The first exit counts each message, the refusing one ends the pass behind it.
    now = grown(exits, ("messages", "refused"), begun)
    assert refused() - before >= now["refused"] - begun["refused"] > 0
    assert exits("once")["error"] == 0
    grown(exits, ("once", "messages"), begun)
    assert exits("off")["error"] == 0
    last = exits()
    ask("-n", "isr:::tick { @t = count(); } tick-300ms { exit(0); }", "-q")
    assert exits() == last and last["once"] == 1
    ask("info", "--verify-text")  # no trap stays


@pytest.mark.parametrize("board", BOARDS)
def test_storm(demo, amount, board):
    """A list is armed and disarmed over and over, and the interrupt sees both of its exits or none."""
    exits, _refused, _ask = demo(board)
    now = exits("storm", amount(5000, 100000))
    assert now["error"] == 0 and now["first"] == now["last"] > 0, now


@pytest.mark.parametrize("board", BOARDS)
def test_overwritten(demo, tmp_path, board):
    """Where the firmware has written another instruction over the no-op, neither exits nor programs are armed, until the no-op is back."""
    stub_at = tmp_path / "gdb"
    exits, _refused, ask = demo(board, extra=gdbstub.options(stub_at))
    count, move = cpus.of_board(board).move
    place, = {int(json.loads(line)["address"], 16) for line in ask("-l", "sdt:::admit", "--format", "json").splitlines()}
    with gdbstub.Stub(stub_at) as stub:
        noop = stub.read(place, count)
        stub.write(place, move.to_bytes(count, order_of(board)))
    assert exits("on")["error"] == 136
    assert not any(exits().values())
    assert "instruction" in ask("-n", "queue:::admit { @a = count(); }", status=4)
    with gdbstub.Stub(stub_at) as stub:
        stub.write(place, noop)
    begun = exits("on")
    assert begun["error"] == 0
    grown(exits, ("messages",), begun)
