# SPDX-License-Identifier: BSD-2-Clause
"""dprobes stop, regs, step and resume at a demo: places, registers, refusals, and a main loop that hangs."""
import re

import cpus
import pytest

from harness import paths
from harness.qemu import parameters

BOARDS = parameters(cpus.boards(), ("vexpress-a9",))
AGENT = 4


@pytest.fixture
def demo(qemu, dprobes, tmp_path):
    def start(board_name):
        elf = paths.built("boards", board_name, "stop", "stop.elf")
        board, env = qemu(board_name, elf=elf), {"XDG_RUNTIME_DIR": str(tmp_path)}
        board.com1.expect("demo>")

        def tell(*words):
            return dprobes(*words, "--port", board.url("com2"), "--elf", elf, env=env)

        service = dprobes.start("serve", "--write", "--port", board.url("com2"), env=env)
        service.err.expect("serving")
        return board, tell
    return start


def place(done):
    """(address, function) of "stopped at ADDRESS FUNCTION+OFFSET"."""
    assert done.status == 0, done
    found = re.match(r"stopped at (0x[0-9a-f]+)(?: (\w+))?", done.stdout)
    return int(found[1], 16), found[2]


@pytest.mark.parametrize("board_name", BOARDS)
def test_stop_step_resume(demo, board_name):
    board, tell = demo(board_name)
    stop = tell("stop")
    before = place(stop)
    assert re.search(rf"^pc +0x0*{before[0]:x}\b", stop.stdout, re.M), stop
    assert place(tell("stop")) == before
    pcs = {place(tell("step"))[0] for _ in range(5)}
    assert len(pcs) > 1, pcs
    place(tell("step", "2"))
    pc = tell("regs", "pc")
    assert int(pc.stdout.split()[1], 16) == place(tell("stop"))[0], pc
    done = tell("step", "0")
    assert done.status != 0 and "'0' is no number of instructions from 1 to 65535" in done.stderr, done
    assert tell("resume").status == 0
    assert tell("step").status == AGENT
    board.com1.send("\n")
    board.com1.expect("demo>")
    text = tell("info", "--verify-text")
    assert text.status == 0 and "the same as in" in text.stdout, text
