# SPDX-License-Identifier: BSD-2-Clause
"""dprobes stop, regs, step and resume at a demo: places, registers, and refusals."""
import re
import socket
import subprocess

import cpus
import pytest

from harness import gdbstub, paths, process
from harness.paths import built, program
from harness.qemu import parameters
from harness.tool import environment

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
    assert re.search(rf"^{cpus.of_board(board_name).gdb_pc} +0x0*{before[0]:x}\b", stop.stdout, re.M), stop
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


@pytest.mark.parametrize("stopped", [pytest.param(True, id="stopped"), pytest.param(False, id="running")])
@pytest.mark.parametrize("board_name", BOARDS)
def test_a_task_that_hangs(demo, board_name, tmp_path, stopped):
    """`dprobes stop`, and gdb itself, stop the loop in its place, while nobody polls; gdb has the functions, and ends the loop by a variable."""
    board, tell = demo(board_name)
    board.com1.send("hang\n")
    board.com1.expect("hang")
    for _ in range(20):  # the shell has echoed the line, and calls the function soon
        if place(tell("stop"))[1] == "hang":
            break
        assert tell("resume").status == 0
    if not stopped:
        assert tell("resume").status == 0
        assert "does not call dprobes_poll" in tell("step").stderr
    server = [built("host", "dprobes"), "gdb", "--stdio", "--write", "--port", board.url("com2"), "--elf", built("boards", board_name, "stop", "stop.elf")]
    said = subprocess.run([program("gdb-multiarch"), "-nx", "-batch", *process.GDB_WAITS, server[-1], "-ex", "target remote | " + " ".join(map(str, server)), "-ex", "backtrace 2",
                           "-ex", "set var shell_hangs = 0", "-ex", "detach"], env=environment({"XDG_RUNTIME_DIR": str(tmp_path)}), capture_output=True, text=True,
                          check=True).stdout
    assert re.search(r"^#0 .*\bhang \(.*\n(?:.*\n)?#1 .*\bcommand_hang \(", said, re.M), said
    board.com1.expect("hang: over")


# --- steps beside those of QEMU ----------------------------------------------------------------


class Server:
    """gdb's packets to dprobes gdb."""

    def __init__(self, path):
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(path)

    def send(self, text):
        self.line.sendall(f"${text}#{sum(text.encode()) & 0xff:02x}".encode())

    def answer(self):
        said = b""
        while not (found := re.fullmatch(rb"\+*\$([^#]*)#..", said)):
            assert (more := self.line.recv(4096)), said
            said += more
        return found[1].decode()

    def ask(self, text):
        self.send(text)
        return self.answer()


def words(answer, order):
    """The registers of 32 bits that a `g` begins with; one that is not known is 0."""
    data = bytes.fromhex(answer.replace("x", "0"))
    return [int.from_bytes(data[at:at + 4], order) for at in range(0, len(data) // 4 * 4, 4)]


def states(ask, place, order, most):
    """(pc, general registers) at the place, and behind each step."""
    first = words(ask("g"), order)
    pc = max(index for index, word in enumerate(first) if word & ~1 == place & ~1)
    found = []
    for _ in range(most):
        registers = words(ask("g"), order)
        found.append((registers[pc], registers[:min(pc, 32)]))
        assert (said := ask("s")).startswith("T"), (said, [hex(state[0]) for state in found[-3:]])
    return found


@pytest.mark.parametrize("board_name", BOARDS)
def test_steps_are_those_of_the_cpu(board_name, qemu, dprobes, tmp_path, amount):
    """Instructions of snprintf, stepped by QEMU and by the agent: the same places and registers behind each."""
    elf, row = paths.built("boards", board_name, "stop", "stop.elf"), cpus.of_board(board_name)
    board, env = qemu(board_name, elf=elf, extra=gdbstub.options(tmp_path / "stub")), {"XDG_RUNTIME_DIR": str(tmp_path)}
    board.com1.expect("demo>")
    for line in ("load off", "selftest library"):  # what the first call prepares is there
        board.com1.send(f"{line}\n")
        board.com1.expect("demo>")
    place = next(int(found["address"], 0) for found in dprobes("symbols", "snprintf", "--elf", elf, "--format", "json").objects() if found["name"] == "snprintf")
    order, most = "big" if row.cross.keys() == {"big"} else "little", amount(20, 10000)
    with gdbstub.Stub(tmp_path / "stub") as stub:
        stub.when_at(place, lambda: board.com1.send("selftest library\n"))
        plain = states(stub.ask, place, order, most * 5 // 4)
    board.com1.expect("demo>")
    server = dprobes.start("gdb", "--write", "--listen", f"unix:{tmp_path}/gdb", "--port", board.url("com2"), "--elf", elf, env=env)
    server.err.expect("gdb connects with")
    gdb = Server(f"{tmp_path}/gdb")
    assert gdb.ask(f"Z0,{place:x},2") == "OK"
    gdb.send("c")
    while not dprobes("list", "--format", "json", "--port", board.url("com2"), "--elf", elf, env=env).objects():
        pass  # gdb's breakpoint is not there yet
    board.com1.send("selftest library\n")
    assert gdb.answer().startswith("T05")
    stepped = states(gdb.ask, place, order, most)
    assert gdb.ask(f"z0,{place:x},2") == "OK" and gdb.ask("D") == "OK"
    at = iter(plain)
    for number, state in enumerate(stepped):
        # A jump and the instruction in its delay slot are one step of the agent.
        expected = next(at)
        if row.delay_slots and expected != state:
            expected = next(at)
        assert state == expected, (number, [[hex(value) for value in (pc, *registers)] for pc, registers in (state, expected)])
    board.com1.expect("demo>")
    gdb.line.close()
    assert server.interrupt().status == 0
