# SPDX-License-Identifier: BSD-2-Clause
"""A stopped board: registers of the stop are those that the handler saw, and the firmware goes on as if nothing had been."""
import re
import zlib

import cpus
import pytest

from harness import by_hand, paths, process, wire
from harness.paths import TOP
from harness.qemu import parameters

BEGIN, DATA, COMMIT, REMOVE, VARS, REGS, RESUME = 0x10, 0x11, 0x13, 0x20, 0x24, 0x2C, 0x2E
NOT_STOPPED, OK = 46, 0
# Functions that the demo calls all the time, in tasks and in interrupt handlers.
POINTS = ("queue_put", "queue_get", "sensor_isr", "timer_isr", "task_sleep_ms", "agent_sample")


def numbers(port):
    """The numbers of port/CPU/regs.def by name."""
    text = (TOP / "port" / port / "regs.def").read_text(encoding="utf-8")
    rows = re.findall(r'^DP_REG\((\w+), \w+, "(\w+)"', text, re.M)
    return {name: int(number, 0) for number, name in rows} | {
        name: int(number, 0) for name, number in re.findall(r'^DP_REG_ALIAS\("(\w+)", (\w+)\)', text, re.M)}


class Stopped:
    """The host of a board that stops again and again."""

    def __init__(self, path):
        self.host = by_hand.Host(path)
        self.host.again_s = 0.2
        hello = self.host.hello(77, wire.ALL_BUT_WRITE | wire.RIGHTS["WRITE"] | wire.RIGHTS["TAKE"])
        assert hello["rights"] & wire.RIGHTS["WRITE"]
        self.word, self.order = hello["word"], hello["order"]

    def install(self, data):
        """The travelling part of an object."""
        data = data[:int.from_bytes(data[8:12], "big")]
        error, number = self.host.ask(BEGIN, len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big"))
        assert error == OK
        for at in range(0, len(data), 48):
            assert self.host.ask(DATA, number + at.to_bytes(4, "big") + data[at:at + 48])[0] == OK
        assert self.host.ask(COMMIT, number + b"\x08\0")[0] == OK

    def wait(self):
        while (error := self.host.ask(REGS, b"\0\0\0")[0]) != OK:
            assert error == NOT_STOPPED

    def registers(self, wanted):
        """{number: value} of numbers."""
        most, found = 52 // self.word, {}
        for number in wanted:
            if number in found:
                continue
            error, answer = self.host.ask(REGS, number.to_bytes(2, "big") + bytes([most]))
            assert error == OK
            failed, words = int.from_bytes(answer[:2], "big"), answer[2:]
            found.update({number + i: int.from_bytes(words[i * self.word:(i + 1) * self.word], "big") for i in range(most) if not failed >> i & 1})
        return found

    def variables(self, count):
        values = []
        while len(values) < count:
            error, answer = self.host.ask(VARS, b"\0" + len(values).to_bytes(2, "big") + bytes([min(count - len(values), 52 // self.word), 0]))
            assert error == OK and len(answer) > 2
            values += [int.from_bytes(answer[at:at + self.word], self.order) for at in range(2, len(answer), self.word)]
        return values


@pytest.mark.parametrize("board_name", parameters(cpus.boards(), ("vexpress-a9", "malta", "bamboo")))
def test_registers_of_stops(board_name, qemu, dprobes, tmp_path, amount):
    """Each handler writes the registers into variables, which the host reads while the board is stopped."""
    elf = paths.built("boards", board_name, "stop", "stop.elf")
    board, cpu = qemu(board_name, elf=elf), cpus.of_board(board_name)
    board.com1.expect("demo>")
    line, number_of = ("--port", board.url("com2")), numbers(cpu.name)
    names = [name for name in cpu.visible if name in number_of]
    body = "".join(f"\tpush r, {name}\n\tpop lv, {i}\n" for i, name in enumerate(names))
    program = tmp_path / "stop.dp"
    stops = amount(100, 1000)
    most = stops // len(POINTS) + 1 + 2  # at a place, so that each place has its part
    program.write_text(f"name = stop\nvars = {len(names)}\n" + "".join(f"offset = {point}\nmaxhits = {most}\n{body}\texit 1\n" for point in POINTS))
    built = dprobes("build", program, "--elf", elf, "--dont-verify-opcodes", "--output", tmp_path / "stop.ppdf")
    assert built.status == 0, built
    stopped = Stopped(board.url("com2").removeprefix("unix:"))
    stopped.install((tmp_path / "stop.ppdf").read_bytes())
    places = set()
    for number in range(stops):
        stopped.wait()
        registers, seen = stopped.registers([number_of[name] for name in names]), stopped.variables(len(names))
        assert [registers[number_of[name]] for name in names] == seen
        places.add(seen[names.index("pc")])
        if number == stops - 1:  # the hit whose program has gone ends with the original
            assert stopped.host.ask(REMOVE, b"\xff")[0] == OK
        assert stopped.host.ask(RESUME)[0] == OK
    assert len(places) >= 4
    stopped.host.line.close()
    done = dprobes("info", "--verify-text", "--elf", elf, "--take", *line)
    assert done.status == 0 and "the same as in" in done.stdout, done


def test_breakpoint_of_d(qemu, dprobes, tmp_path):
    """Two clauses at a place; one stops there when it is told to. Other commands use the line meanwhile."""
    elf = paths.built("boards", "vexpress-a9", "stop", "stop.elf")
    board, env = qemu("vexpress-a9", elf=elf), {"XDG_RUNTIME_DIR": str(tmp_path)}
    board.com1.expect("demo>")

    def tell(*words):
        return dprobes(*words, "--port", board.url("com2"), env=env)

    service = dprobes.start("serve", "--write", "--port", board.url("com2"), env=env)
    service.err.expect("serving")
    clauses = "queue_put:entry { n++; trace(n); } queue_put:entry /n == 3/ { breakpoint(); }"
    run = dprobes.start("-w", "-n", clauses, "--port", board.url("com2"), "--elf", elf, env=env)
    run.err.expect(r"the target is stopped.*\(queue_put")
    regs = tell("regs", "--elf", elf)
    assert regs.status == 0 and re.search(r"^pc .*  queue_put$", regs.stdout, re.M), regs
    stop = tell("stop", "--elf", elf, "--quiet")
    assert stop.status == 0 and re.match(r"stopped at 0x[0-9a-f]+ queue_put.* \(queue\.c:\d+\)\n", stop.stdout), stop
    stack = tell("stack", "sensor", "--elf", elf)
    assert stack.status == 0 and "sensor" in stack.stdout, stack
    assert tell("resume").status == 0
    run.err.expect("the target goes on after a stop by a request")
    run.out.expect(r" 6\n")
    done = run.interrupt()
    assert done.status in (0, 130) and service.interrupt().status is not None


class Staying:
    """A board, and a program with exit 1 at the shell's command `stats`."""

    def __init__(self, qemu, dprobes, folder):
        elf = paths.built("boards", "vexpress-a9", "stop", "stop.elf")
        self.board, self.dprobes, self.env = qemu("vexpress-a9", elf=elf), dprobes, {"XDG_RUNTIME_DIR": str(folder)}
        self.words = ("--port", self.board.url("com2"), "--elf", elf)
        self.board.com1.expect("demo>")
        self.source = folder / "stop.dp"
        self.source.write_text("name = stop\noffset = command_stats\nexit 1\n", encoding="ascii")

    def tell(self, *words):
        return self.dprobes(*words, *self.words, env=self.env)

    def goes_on(self):
        assert self.tell("resume").status == 0
        self.board.com1.expect("demo>")


# proves: A3.64
def test_a_program_stops_while_a_session_may_write(qemu, dprobes, tmp_path):
    """It stops nothing while no command may write; then `log --write` tells the stop, which outlasts it."""
    there = Staying(qemu, dprobes, tmp_path)
    assert there.tell("insert", "--write", there.source).status == 0
    there.board.com1.send("stats\n")
    there.board.com1.expect("demo>")
    refused = there.tell("regs")
    assert refused.status != 0 and "while a command with --write runs" in refused.stderr, refused
    log = dprobes.listen("--write", *there.words, env=there.env)
    there.board.com1.send("stats\n")
    log.err.expect(r"the target is stopped.*\(command_stats")
    log.interrupt()
    regs = there.tell("regs")
    assert regs.status == 0 and re.search(r"^pc .*  command_stats$", regs.stdout, re.M), regs
    there.goes_on()


def test_a_program_stops_while_a_service_may_write(qemu, dprobes, tmp_path):
    """The client that has inserted the program is gone."""
    there = Staying(qemu, dprobes, tmp_path)
    service = dprobes.start("serve", "--write", *there.words[:2], env=there.env)
    service.err.expect("serving")
    assert there.tell("insert", "--write", there.source).status == 0
    there.board.com1.send("stats\n")
    process.eventually(lambda: there.tell("regs").status == 0, "the stop")
    there.goes_on()
    service.interrupt()
