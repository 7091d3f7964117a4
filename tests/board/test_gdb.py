# SPDX-License-Identifier: BSD-2-Clause
"""dprobes gdb: stock gdb looks at a demo that runs. Packets and damaged packets: tests/host/test_gdb_server.c, tests/fuzz/fuzz_gdb.c."""
import contextlib
import os
import re
import signal
import socket
import subprocess
import tempfile

import pytest

import cpus
from harness import process
from harness.paths import built, program
from harness.qemu import parameters
from harness.tool import environment
from harness.typed_gdb import typed_gdb
from test_watch import BOARDS as COMPARATORS

BOARDS = parameters(cpus.boards(), usual=("vexpress-a9",))
ONE = cpus.boards(1)
LINK, USAGE = 3, 1
NO_HALT = "the firmware runs, and this agent has no HALT to stop it"


class Demo:
    """A board with its demo, and gdb at it."""

    def __init__(self, qemu, dprobes, board, program=(), extra=()):
        self.elf, self.dprobes = built("boards", board, *(program or ("demo.elf",))), dprobes
        self.machine = qemu(board, elf=self.elf, extra=extra)
        self.machine.com1.expect("demo>")
        self.machine.com1.send("load off\n")
        self.machine.com1.expect("demo>")

    def words(self, *options, port="com2"):
        return ["--port", self.machine.url(port), "--elf", self.elf, *options]

    def server(self, *options):
        """gdb's `target remote` for a server of its own on standard input."""
        return "target remote | " + " ".join(map(str, [built("host", "dprobes"), "gdb", "--stdio", *self.words(*options)]))

    def gdb(self, *commands, remote=None, env=None):
        """What gdb prints for the commands, with standard error in its place."""
        words = [program("gdb-multiarch"), "-nx", "-batch", *process.GDB_WAITS, "-iex", "set width 0", "-iex", "set python print-stack none", self.elf]
        for command in (remote or self.server(), *commands):
            words += ["-ex", command]
        child = process.start(words, env=environment(env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said, _ = child.communicate(timeout=process.TIMEOUT_S)
        return said.decode("utf-8", "backslashreplace")

    def ticks(self, env=None):
        done = self.dprobes("read", "tick_count", *self.words(port="com2"), env=env)
        assert done.status == 0, done
        return int(done.stdout.split()[-1])

    def programs(self, env=None):
        done = self.dprobes("list", "--format", "json", *self.words(), env=env)
        assert done.status == 0, done
        return done.objects()

    def tasks(self):
        done = self.dprobes("tasks", "--format", "json", *self.words())
        assert done.status == 0, done
        return {task["name"]: task for task in done.objects()}


STOP = ("stop", "stop.elf")
WATCH = ("watch", "watch.elf")
WATCHED_BOARDS = parameters(COMPARATORS, usual=("vexpress-a9",))


@pytest.fixture
def demo(qemu, dprobes):
    return lambda board, *more: Demo(qemu, dprobes, board, *more)


def thread_of(said, name):
    """gdb's number of the thread."""
    return re.search(rf'^\*? +(\d+) +Thread \d+ "{name}"', said, re.M)[1]


@pytest.mark.parametrize("board", BOARDS)
def test_gdb_looks_at_a_demo(demo, board):
    """Variables, memory, threads, the functions of a thread, sections; and the firmware goes on."""
    there = demo(board)
    tasks, before = there.tasks(), there.ticks()
    # gdb numbers threads as it finds them.
    number = thread_of(there.gdb("info threads"), "log")
    said = there.gdb("info threads", "print sensor_queue.name", "print sensor_queue.size", "x/2xw &sensor_queue", f"thread {number}", "backtrace",
                     "info registers pc", "info symbol queue_put", "compare-sections .text", "compare-sections .rodata", "detach")
    assert re.search(r'^\$1 = 0x[0-9a-f]+ "sensor"$', said, re.M) and re.search(r"^\$2 = 64$", said, re.M), said
    assert re.search(r"^0x[0-9a-f]+ <sensor_queue>:\t0x[0-9a-f]{8}\t0x[0-9a-f]{8}$", said, re.M), said
    for name in tasks:
        assert re.search(rf'Thread \d+ "{name}" \((running|ready|waiting|sleeping)', said), (name, said)
    assert re.search(r'"log" \(waiting in queue_get <- log_main\+0x[0-9a-f]+\)', said), said
    functions = re.findall(r"^#\d+ .*?(\w+) \(", said, re.M)
    assert functions[-6:].count("log_main") == 1 and "queue_get" in functions and "task_start" in functions, said
    assert f'{int(tasks["log"]["pc"], 16):x}' in re.search(r"^(?:pc +0x|#0 +0x)([0-9a-f]+)", said, re.M)[1], said
    assert "queue_put in section" in said
    assert len(re.findall(r"^Section \.(?:text|rodata), range .*: matched\.$", said, re.M)) == 2, said
    assert "detached]" in said and there.ticks() > before


@pytest.mark.parametrize("board", BOARDS)
def test_what_gdb_cannot_do_here(demo, board):
    """What needs a stop, and what the agent does not write, is refused in words that gdb shows."""
    there = demo(board)
    number = thread_of(there.gdb("info threads"), "log")
    said = there.gdb(f"thread {number}", "break queue_put", "continue", "delete", "stepi", "set var load_results = 1", "print load_results", "load",
                     "thread 1", "print $sp", "print *(int *)0xfffffff0", "detach")
    assert f"Remote failure reply: E.{NO_HALT}; nothing stops at breakpoints and watchpoints" in said, said
    assert re.search(rf"E\.{NO_HALT}$", said, re.M), said
    assert "the agent only reads: build the firmware with DP_PROFILE=DP_PROFILE_FULL" in said and "$1 = 0\n" in said, said
    assert re.search(r"[Ll]oad failed|Error finishing|error while loading|Cannot access memory|[Ww]riting", said), said
    assert "$2 = <unavailable>" in said and "Cannot access memory at address 0x" in said, said


@pytest.mark.parametrize("board", ONE)
def test_connections_one_after_another(demo, board):
    """A server at a port and at a path serves each gdb in turn, also behind one that was cut off."""
    there = demo(board)
    with tempfile.TemporaryDirectory(prefix="dprobes-") as folder:
        for where in ("localhost:0", f"unix:{folder}/gdb"):
            running = there.dprobes.start("gdb", "--listen", where, *there.words())
            remote = running.err.expect(rb"gdb connects with: (target remote \S+)\n")[1].decode()
            assert "$1 = 64" in there.gdb("print sensor_queue.size", "detach", remote=remote)
            name = remote.split()[-1]
            address, family = (name, socket.AF_UNIX) if "/" in name else (tuple(name.rsplit(":", 1)), socket.AF_INET)
            with contextlib.closing(socket.socket(family)) as cut:
                cut.connect(address if family == socket.AF_UNIX else (address[0], int(address[1])))
                cut.sendall(b"$m0,")
            assert "$1 = 64" in there.gdb("print sensor_queue.size", remote=remote)
            done = running.interrupt()
            assert done.status == 0 and done.stdout == "", done


@pytest.mark.parametrize("board", ONE)
def test_monitor_and_other_commands(demo, board):
    """A service owns the line: commands of `monitor` and those of another terminal use the line beside gdb."""
    there = demo(board)
    with tempfile.TemporaryDirectory(prefix="dprobes-") as folder:
        env = {"XDG_RUNTIME_DIR": folder}
        said = there.gdb("monitor read sensor_queue.size", "monitor read 'load_results + 1' nothing", "monitor list", "monitor help", "monitor",
                         "monitor read 'x", "monitor gdb", f"shell {built('host', 'dprobes')} read sensor_queue.name {' '.join(map(str, there.words()))}",
                         "detach", env=env)
        there.dprobes("serve", "--stop", "--port", there.machine.url("com2"), env=env)
    assert "sensor_queue.size = 64\n" in said and "unknown name 'nothing'" in said, said
    assert "'monitor help' lists the commands" in said and "print variables and memory of the firmware" in said, said
    assert "an open quote" in said and "gdb is connected already" in said and re.search(r'^sensor_queue\.name = 0x\w+ "sensor"$', said, re.M), said


# The pass count ends the trace: no hit of queue_get counts before one of queue_put.
TRACE = """
tvariable $seen = 4
tvariable $put = 0
trace queue_put
actions
collect $regs, q->size, *m, $args
teval $put = 1
end
trace queue_get if q->size == 64 && q->puts >= 3 && $put == 1 && ($seen = $seen + 1) >= 6
passcount 2
actions
collect q->puts, $seen
end
tstart
"""
REFUSED = """
trace queue_put
actions
while-stepping 2
collect $regs
end
end
tstart
"""


@pytest.mark.parametrize("board", BOARDS)
def test_tracepoints(demo, tmp_path, board):
    """Registers, expressions, memory by a pointer, a condition, a pass count; the frames as gdb reads them here and in a file."""
    there = demo(board)
    (tmp_path / "trace").write_text(TRACE)
    said = there.gdb(f"source {tmp_path / 'trace'}", "python import time, re\nwhile 'T1' in gdb.execute('maintenance packet qTStatus', "
                     "to_string=True): time.sleep(0.1)", "tstatus", "info tracepoints", "echo @", "tfind pc (long) &queue_put", "tfind none", "tfind tracepoint 1", "print q->size", "print *m", "print $pc == &queue_put",
                     "print q->in", "x/i $pc", "tfind tracepoint 2", "print q->puts", "print $seen", "print q->size", f"tsave {tmp_path / 'frames'}", "tfind none",
                     "print sensor_queue.size", "info tracepoints", "info tvariables", "detach")
    assert "Trace stopped by tracepoint 2." in said and re.search(r"^\$1 = 64$", said, re.M), said
    assert re.search(r"@Found trace frame \d+, tracepoint 1\n", said), said
    values = re.search(r"^\$2 = \{kind = \d, sequence = (\d+), tick = \d+, check = 0, value = \{(?:\d+, ){7}\d+\}\}$", said, re.M)
    assert values and "$4 = <unavailable>" in said and re.search(r"^=> 0x\w+ <queue_put>:", said, re.M), said
    puts = int(re.search(r"^\$5 = (\d+)$", said, re.M)[1])
    assert puts >= 3 and "$6 = 6\n" in said and "$7 = <unavailable>" in said and "$8 = 64" in said, said
    assert re.search(r"^\$seen +4 +\d+ *$", said, re.M), said
    assert len(re.findall(r"tracepoint already hit 2 times", said)) >= 2, said
    # The first command makes gdb read the symbols there: gdb 13 finds those of some CPUs by name alone.
    saved = there.gdb("info line queue_put", "tfind tracepoint 1", "print *m", remote=f"target tfile {tmp_path / 'frames'}")
    assert f"sequence = {values[1]}, " in saved, saved
    # The program went with the trace.
    assert there.dprobes("list", "--format", "json", *there.words()).objects() == []


# What a word of 32 bits has, and what needs more. gdb computes with 64 bits, and extends a result where its type is shorter.
IN_A_WORD = ("q == &sensor_queue", "q != &sensor_queue && q->name != 0", "m < q->ring", "&q->ring[2] > m", "&q->count != &sensor_queue.count", "q->in - q->out < 5",
             "(int) q->in - (int) q->out < -1", "(int) q->in / 3 == -2 || q->in % 3 == 2", "(char) q->in >> 1 == -1", "q->in >> 31 == 1", "~q->in == 7",
             "q->ring[1].value[2] == 3", "(q->in << 2) + 1 == 5", "-(int) q->in < 0", "$seen + 1 < 3", "($seen = $seen - 3) >= -6", "($seen = $seen + q->in) > 4",
             "!q->in", "(q->in > 3 ? 1 : 2) == 2", "(unsigned char) q->in == 200", "$pc == &queue_put", "*q->name == 115")
MORE_THAN_A_WORD = {"(long long) q->size < 5": "compares", "(long long) q->size == -1": "compares", "(long long) q->size + 1 < 5": "extends",
                    "(long long) q->size / 3 == 1": "divides", "(long long) q->size >> 3 == 1": "shifts", "(unsigned long long) (int) q->in > 3": "extends",
                    "(long long) q->size * q->size == 1": "extends"}


@pytest.mark.parametrize("board", BOARDS)
def test_conditions(demo, board):
    """Conditions as stock gdb writes them: an agent of 32 bits takes those that a word has, and no others."""
    there = demo(board)
    words = ["tvariable $seen = 0"]
    in_a_word = [condition.replace("$pc", f"${cpus.of_board(board).gdb_pc}") for condition in IN_A_WORD]
    for condition in (*in_a_word, *MORE_THAN_A_WORD):
        words += [f"echo \\n@{condition}\\n", f"trace queue_put if {condition}", "tstart", "tstatus", "tstop", "delete"]
    said = there.gdb(*words, "detach")
    parts = dict(part.split("\n", 1) for part in said.split("\n@")[1:])
    assert [condition for condition in in_a_word if "Trace is running" not in parts[condition]] == [], said
    for condition, what in MORE_THAN_A_WORD.items():
        assert f"an expression {what} a number that needs more than a word" in parts[condition], (condition, parts[condition])


@pytest.mark.parametrize("board", ONE)
def test_tracepoints_that_are_refused(demo, tmp_path, board):
    there = demo(board)
    (tmp_path / "trace").write_text(REFUSED)
    said = there.gdb(f"source {tmp_path / 'trace'}", "detach")
    assert "the agent has neither while-stepping nor fast tracepoints" in said, said
    said = there.gdb("trace queue_put if q->size < 0x100000000", "tstart", "detach")
    assert "a number that needs more than a word" in said, said
    without = there.server().replace(f" --elf {there.elf}", "")
    assert "give the ELF file (--elf) to dprobes gdb" in there.gdb("trace queue_put", "tstart", "detach", remote=without)


def packets(line, *texts):
    """Send packets, and wait for the last answer."""
    for text in texts:
        line.sendall(f"${text}#{sum(text.encode()) & 0xff:02x}".encode())
        answer = b""
        while not re.fullmatch(rb"\+?\$[^#]*#..", answer):
            assert (more := line.recv(4096)), answer
            answer += more
    return answer


@pytest.mark.parametrize("board", ONE)
def test_the_end_of_a_server(demo, board):
    """^C removes the program of a trace; a restart of the target ends the trace, and a target that is gone the server."""
    there = demo(board)
    place = int(there.dprobes("symbols", "queue_put", "--elf", there.elf, "--format", "json").objects()[0]["address"], 0)
    for end in ("interrupt", "reboot", "kill"):
        running = there.dprobes.start("gdb", "--listen", "localhost:0", *there.words())
        host, port = running.err.expect(rb"target remote (\S+)\n")[1].decode().rsplit(":", 1)
        with contextlib.closing(socket.create_connection((host, int(port)))) as line:
            assert packets(line, "QTinit", f"QTDP:1:{place:x}:E:0:0", "QTStart").endswith(b"$OK#9a")
            if end == "kill":
                there.machine.kill()
                done = running.wait()
                assert done.status == LINK and "dprobes: error: " in done.stderr, done
            elif end == "reboot":
                there.machine.com1.send("reboot\n")
                running.err.expect(rb"the target was restarted\n")
                assert b"$T0;terror:" + b"the target was restarted".hex().encode() + b":0;" in packets(line, "qTStatus")
                assert running.interrupt().status == 0
            else:
                assert running.interrupt().status == 0
                assert there.dprobes("list", "--format", "json", *there.words()).objects() == []


WRITTEN = [f"python gdb.selected_inferior().write_memory({at}, {data!r})" for at, data in ((0x50001, b"abcdefghijk"), (0x50020, b"x"))]


@pytest.mark.parametrize("board", ONE)
def test_an_agent_that_writes(demo, qemu, dprobes, board):
    """Firmware without a kernel, and with an agent that writes: one thread without registers, memory of a table that a test has made."""
    elf = built("boards", board, "conformance", "conformance.elf")
    machine = qemu(board, elf=elf, hold=("com2",))
    for line in ("reset", "mem 50000 000102030405060708090a0b0c0d0e0f"):
        machine.com2.send(f"{line}\n")
        machine.com2.expect("ok")
    there = Demo.__new__(Demo)
    there.elf, there.dprobes, there.machine = elf, dprobes, machine
    words = ("--port", machine.url("com1"))
    looks = ["x/4xb 0x50000", "x/2xb 0x5000a", "python gdb.execute('maintenance packet M%x,1:00' % int(gdb.parse_and_eval('(long) &kernel_main')))"]
    said = there.gdb("info threads", *WRITTEN, *looks, "detach", remote=there.server("--write", *words))
    assert 'Thread 1 "firmware" (runs; no task of a kernel is known)' in said, said
    assert re.search(r"^0x50000:\t0x00\t0x61\t0x62\t0x63$", said, re.M) and re.search(r"^0x5000a:\t0x6a\t0x6b$", said, re.M), said
    assert "Cannot access memory at address 0x50020" in said, said
    assert "the code of a firmware is not written: no 'load' here" in said, said
    said = there.gdb(*WRITTEN, "x/4xb 0x50000", "detach", remote=there.server(*words))
    assert "dprobes gdb writes nothing without the option --write" in said and "0x61\t0x62\t0x63" in said, said


# --- stops -----------------------------------------------------------------------------------


def parts_of(there, *commands, remote=None, env=None):
    """What gdb says to each of the commands."""
    words = [word for number, command in enumerate(commands) for word in (f"echo \\n@{number}\\n", command)]
    said = there.gdb(*words, "echo \\n@end\\n", remote=remote or there.server("--write"), env=env)
    parts = re.split(r"^@(?:\d+|end)\n", said, flags=re.M)
    assert len(parts) == len(commands) + 2, said
    return parts[1:-1], said


@pytest.mark.parametrize("board", ["pc"])
def test_a_breakpoint_without_tasks(demo, board, tmp_path):
    """A firmware whose tasks nobody knows: gdb resumes its one thread, of which it has read no registers."""
    there = demo(board, STOP)
    stripped = tmp_path / "stop.elf"
    subprocess.run([program("i686-linux-gnu-strip"), "--strip-debug", "-o", stripped, there.elf], check=True)
    there.elf = stripped
    said = there.gdb("backtrace", "break *queue_put", "continue", "print $pc == (long)&queue_put", "delete", "detach", remote=there.server("--write"))
    assert "gdb sees one thread" in said and re.search(r"^Breakpoint 1, 0x\w+ in queue_put \(\)\n\$1 = 1$", said, re.M) and "detached]" in said, said


@pytest.mark.parametrize("board", BOARDS)
def test_breakpoints_and_steps(demo, board):
    """Stops at breakpoints with a backtrace and registers, conditions, steps of lines and instructions; the firmware goes on."""
    there = demo(board, STOP)
    parts, said = parts_of(
        there, "break queue_put", "continue", "backtrace 2", "print q == &sensor_queue && $pc == &queue_put", "x/i $pc", "next", "stepi", "step", "info threads", "finish", "delete",
        "tbreak queue_get if q->size == 64 && q->puts > 3", "info breakpoints", "continue", "print q->puts > 3", "hbreak task_sleep_ms", "python gdb.breakpoints()[-1].commands = 'echo from the breakpoint\\\\n'",
        "continue", "print $_exitcode", "until", "nexti", "print/x $sp", "delete", "detach")
    at = iter(parts)
    assert "Breakpoint 1 at " in next(at), said
    assert re.search(r'Thread \d+ "\w+" hit Breakpoint 1, queue_put \(q=.*<sensor_queue>', next(at)), said
    backtrace = next(at)
    assert re.search(r"^#0 +queue_put \(.*\n#1 +(0x\w+ in )?sensor_isr \(", backtrace, re.M), said
    assert "= 1\n" in next(at) and re.search(r"=> 0x\w+ <queue_put>:\t(?!udf|trap|break|ebreak|\.)", next(at)), said
    steps = [next(at) for _ in range(3)]
    assert all(re.search(r"\w", step) and not re.search("rror|annot|E\\.", step) for step in steps), said
    assert len(re.findall(r"^\* ", threads := next(at), re.M)) == 1 and '(stopped)' in threads, said
    assert re.search(r"sensor_isr \(\)", next(at)), said
    next(at), next(at)
    assert "stop only if q->size == 64" in next(at), said
    assert "hit Temporary breakpoint 2, queue_get" in next(at) and "= 1\n" in next(at), said
    next(at), next(at)
    assert re.search(r"hit Breakpoint 3, task_sleep_ms .*from the breakpoint", next(at), re.S), said
    next(at)
    steps = [next(at) for _ in range(2)]
    assert all(re.search(r"\w", step) and not re.search("rror|annot|E\\.", step) for step in steps), said
    assert re.search(r"= 0x[0-9a-f]+", next(at)), said
    assert "detached]" in parts[-1], said
    there.machine.com1.send("\n")
    there.machine.com1.expect("demo>")
    assert there.dprobes("list", "--format", "json", *there.words()).objects() == []
    text = there.dprobes("info", "--verify-text", *there.words())
    assert text.status == 0 and "the same as in" in text.stdout, text


@pytest.mark.parametrize("board", BOARDS)
def test_registers_and_variables_are_changed(demo, board):
    """Values that gdb writes count when the firmware goes on; a register that nobody writes is refused in words."""
    there, row = demo(board, STOP), cpus.of_board(board)
    register = (row.arguments or row.values)[0]
    parts, said = parts_of(
        there, "break task_sleep_ms", "continue", "set var load_results = 77", "print load_results", f"print ${register} = 5", f"print ${register}", "print $pc = 0",
        "delete", "detach")
    assert "$1 = 77" in parts[3] and "= 5\n" in parts[5], said
    assert "the program writes a register that probes may not write" in parts[6], said


@pytest.mark.parametrize("board", BOARDS)
def test_a_step_wakes_a_task(demo, board):
    """What gdb knows of the threads stays over steps, until one of them comes into another state."""
    there = demo(board, STOP)
    parts, said = parts_of(there, "break queue_put if q->readers.first", "continue", "info threads", "advance task_wake_one", "stepi", "info threads",
                           "python\nfor _ in range(300):\n  gdb.execute('stepi', to_string=True)\n  if 'sensor\" (ready' in gdb.execute('info threads', to_string=True): break\nend", "info threads",
                           "delete", "detach")
    waiting = r'"sensor" \(waiting in queue_get'
    assert re.search(waiting, parts[2]) and re.search(waiting, parts[5]) and re.search(r'"sensor" \(ready', parts[7]), said
    assert "detached]" in parts[-1], said


@pytest.mark.parametrize("board", WATCHED_BOARDS)
def test_watchpoints(demo, board):
    """Old and new values, reads, accesses, conditions, a breakpoint beside; the watchpoint is gone at the end."""
    there = demo(board, WATCH)
    parts, said = parts_of(
        there, "watch sensor_queue.puts", "continue", "continue", "print $pc", "delete", "rwatch sensor_queue.size", "continue", "delete", "awatch sensor_queue.in",
        "continue", "delete", "watch sensor_queue.puts if sensor_queue.puts % 4 == 0", "continue", "print sensor_queue.puts % 4", "delete", "break queue_get",
        "continue", "delete", "watch *(char *)&sensor_queue.gets", "stepi", "continue", "print sensor_queue.gets", "delete", "detach")
    values = [re.search(r"hit Hardware watchpoint 1: sensor_queue\.puts\n\nOld value = (\d+)\nNew value = (\d+)\n.*queue_put", part, re.S) for part in parts[1:3]]
    # The firmware has run between the command and the first stop.
    assert values[0][2] == values[1][1] and int(values[1][2]) == int(values[1][1]) + 1, said
    assert re.search(r"hit Hardware read watchpoint 2: sensor_queue\.size\n\nValue = 64\n.*(queue_put|following \(.*sensor_queue)", parts[6], re.S), said
    assert re.search(r"hit Hardware access \(read/write\) watchpoint 3: sensor_queue\.in\n\n(Value|Old value) = \d+\n", parts[9]), said
    assert "hit Hardware watchpoint 4" in parts[12] and "= 0\n" in parts[13], said
    assert "hit Breakpoint 5, queue_get" in parts[16], said
    assert "Hardware watchpoint 6" in parts[18] and "hit Hardware watchpoint 6" in parts[20], said
    assert "detached]" in parts[-1], said
    there.machine.com1.send("\n")
    there.machine.com1.expect("demo>")
    assert there.dprobes("list", "--format", "json", *there.words()).objects() == []
    info = there.dprobes("info", "--format", "json", *there.words()).objects()[0]
    assert info["data_comparators"] == info["data_comparators_free"], info


@pytest.mark.parametrize("board", WATCHED_BOARDS)
def test_more_watchpoints_than_comparators(demo, board):
    """gdb says it in its words, and goes on when one is deleted."""
    there = demo(board, WATCH)
    info = there.dprobes("info", "--format", "json", *there.words()).objects()[0]
    parts, said = parts_of(there, *(f"watch -location sensor_queue.ring[{n}].value[0]" for n in range(info["data_comparators"])), "watch sensor_queue.puts", "continue", "delete 1", "continue",
                           "delete", "detach")
    assert "You may have requested too many hardware breakpoints/watchpoints" in parts[-5], said
    assert re.search("hit Hardware watchpoint", parts[-3]), said


@pytest.mark.parametrize("board", ONE)
def test_interrupt(demo, board):
    """^C stops a firmware that runs, where it is."""
    there = demo(board, STOP)
    (parts, said) = parts_of(
        there, "python import threading, os, signal; threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()", "continue", "backtrace", "detach")
    assert "received signal SIGINT" in parts[1] and "#0 " in parts[2], said


@pytest.mark.parametrize("board", ONE)
def test_the_death_of_gdb(demo, board):
    """A connection that ends takes the breakpoints away, and the firmware goes on."""
    there = demo(board, STOP)
    place = int(there.dprobes("symbols", "queue_put", "--elf", there.elf, "--format", "json").objects()[0]["address"], 0)
    running = there.dprobes.start("gdb", "--write", "--listen", "localhost:0", *there.words())
    host, port = running.err.expect(rb"target remote (\S+)\n")[1].decode().rsplit(":", 1)
    with contextlib.closing(socket.create_connection((host, int(port)))) as line:
        assert b"thread:" in packets(line, f"Z0,{place:x},2", "vCont;c")
    with contextlib.closing(socket.create_connection((host, int(port)))) as line:  # is served behind the end of the other
        assert packets(line, "?").startswith(b"+$T00")
    there.machine.com1.send("\n")
    there.machine.com1.expect("demo>")
    assert there.dprobes("list", "--format", "json", *there.words()).objects() == []
    assert running.interrupt().status == 0


@pytest.mark.parametrize("board", ONE)
def test_a_program_has_stopped_the_target(demo, tmp_path, board):
    """A stop by `exit 1` of another command's program is gdb's first stop."""
    there, env = demo(board, STOP), {"XDG_RUNTIME_DIR": str(tmp_path)}
    there.dprobes.start("serve", "--write", "--port", there.machine.url("com2"), env=env).err.expect("serving")
    run = there.dprobes.start("-w", "-n", "queue_put:entry { breakpoint(); }", *there.words(), env=env)
    run.err.expect(r"the target is stopped.*\(queue_put")
    (backtrace, *_), said = parts_of(there, "backtrace 2", "detach", env=env)
    assert re.search(r"^#0 +queue_put \(.*\n#1 +(0x\w+ in )?\w+ \(", backtrace, re.M) and "detached]" in said, said
    run.err.expect("the target goes on after a stop by a request")
    run.interrupt()


@pytest.mark.parametrize("board", ONE)
def test_programs_of_a_killed_server(demo, tmp_path, board):
    """The next server removes the breakpoints of one that is dead, and no others; `list` and `remove` take them as any program."""
    there, env = demo(board, STOP), {"XDG_RUNTIME_DIR": str(tmp_path)}
    there.dprobes.start("serve", "--write", "--port", there.machine.url("com2"), env=env).err.expect("serving")
    dead = process.start(["true"])
    dead.wait()
    for name, server in (("gdb-stops-0", dead.pid), ("gdb-stops-1", os.getpid()), ("gdb-stops-2", dead.pid)):
        (tmp_path / name).write_text(f'name = "{name}"\nid = {server}\noffset = hang\nexit 1\n')
        done = there.dprobes("insert", tmp_path / name, "--write", *there.words(), env=env)
        assert done.status == 0, done
    said = there.gdb("detach", remote=there.server("--write"), env=env)
    assert "1 program(s) of a dprobes gdb that was killed are removed" in said, said
    assert [there_is["program"] for there_is in there.programs(env)] == ["gdb-stops-1", "gdb-stops-2"]
    assert there.dprobes("remove", "gdb-stops-1", *there.words(), env=env).status == 0
    assert [there_is["program"] for there_is in there.programs(env)] == ["gdb-stops-2"]
    assert "are removed" not in there.gdb("detach", remote=there.server("--write"), env=env)


ENDED = "the target was not stopped any more: "


@pytest.mark.parametrize("board", ONE)
@pytest.mark.parametrize("how,why", [("resume", "another command has resumed it"), ("typed", "'~dprobes resume' was typed on its line")])
def test_a_stop_that_gdb_has_not_ended(demo, tmp_path, board, how, why):
    """The server says it, no register is changed, and gdb prints why at `stepi` and `continue`, which then show the next stop."""
    there, env = demo(board, STOP), {"XDG_RUNTIME_DIR": str(tmp_path)}
    there.dprobes.start("serve", "--write", "--port", there.machine.url("com2"), env=env).err.expect("serving")
    running = there.dprobes.start("gdb", "--write", "--listen", "localhost:0", *there.words(), env=env)
    remote = running.err.expect(rb"gdb connects with: (target remote \S+)\n")[1].decode()
    told = ENDED + re.escape(why)

    def goes_on():
        if how == "resume":
            assert there.dprobes("resume", *there.words(), env=env).status == 0
        else:
            there.machine.com1.send("~dprobes resume\n")
        running.err.expect(told)

    with typed_gdb(there.elf, env=env) as gdb:
        gdb.type(remote, "break queue_put", "continue")
        gdb.said.expect("hit Breakpoint 1, queue_put")
        goes_on()
        gdb.type(f"print ${cpus.of_board(board).arguments[0]} = 5")
        gdb.said.expect(f"Could not write register .*{told}")
        gdb.type("stepi")
        gdb.said.expect(f"(?s){told}.*(hit Breakpoint 1|stopped\\.)")
        goes_on()
        gdb.type("delete", "tbreak queue_get", "continue")
        gdb.said.expect(f"(?s){told}.*hit Temporary breakpoint 2, queue_get")
        gdb.type("detach", "quit")
        gdb.said.expect("detached\\]")
    assert running.interrupt().status == 0


@pytest.mark.nightly
@pytest.mark.parametrize("board", ONE)
def test_a_target_that_is_dead(demo, board):
    """gdb shows why it does not connect, and the server ends."""
    there = demo(board, STOP)
    running = there.dprobes.start("gdb", "--write", "--listen", "localhost:0", *there.words())
    remote = running.err.expect(rb"gdb connects with: (target remote \S+)\n")[1].decode()
    there.machine.signal(signal.SIGSTOP)
    try:
        said = there.gdb("backtrace", remote=remote)
        why, done = re.search(r"Remote failure reply: E\.(.+)$", said, re.M), running.wait()
        assert why and f"dprobes: error: {why[1]}" in done.stderr and done.status == LINK, (said, done)
    finally:
        there.machine.signal(signal.SIGCONT)


# gdb's commands, and what shows that it has done them: the target runs with a breakpoint that is never hit, or is stopped.
RUNS = ("break queue_put if q->size == 65", "continue")
STANDS = ("break queue_put", "continue", "python import threading; threading.Event().wait()")


@pytest.mark.parametrize("board", ONE)
@pytest.mark.parametrize("killed,commands", [
    pytest.param("gdb with its server", RUNS, id="a running target, gdb with its server"),
    pytest.param("gdb", RUNS, id="a running target, gdb"),
    pytest.param("server", RUNS, id="a running target, the server"),
    pytest.param("gdb with its server", STANDS, id="a stopped target, gdb with its server"),
    pytest.param("gdb", STANDS, id="a stopped target, gdb"),
    pytest.param("server", STANDS, id="a stopped target, the server"),
])
def test_one_is_killed(demo, tmp_path, board, killed, commands):
    """SIGKILL of gdb, or of its server, takes the breakpoints away; the target runs on, and another gdb is served."""
    there, env = demo(board, STOP), {"XDG_RUNTIME_DIR": str(tmp_path)}
    there.dprobes.start("serve", "--write", "--port", there.machine.url("com2"), env=env).err.expect("serving")
    running, remote = None, there.server("--write")
    if killed != "gdb with its server":
        running = there.dprobes.start("gdb", "--write", "--listen", "localhost:0", *there.words(), env=env)
        remote = running.err.expect(rb"gdb connects with: (target remote \S+)\n")[1].decode()
    words = [word for command in (remote, *commands) for word in ("-ex", command)]
    child = process.start([program("gdb-multiarch"), "-nx", "-batch", *process.GDB_WAITS, there.elf, *words], env=environment(env), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
    said = process.Reader("gdb", lambda: child.stdout.read(65536))
    try:
        if commands is STANDS:
            said.expect(r"hit Breakpoint 1")
        assert process.eventually(lambda: there.programs(env) or child.poll() is not None, "the program of the breakpoint") is not True
        (running.process if killed == "server" else child).kill()
        process.eventually(lambda: not there.programs(env), "the end of the breakpoint")
        before = there.ticks(env)
        process.eventually(lambda: there.ticks(env) > before, "a tick")
        last = there.gdb("break queue_put", "continue", "print q->size", "detach", remote=there.server("--write") if killed == "server" else remote, env=env)
        assert "$1 = 64" in last, last
        process.eventually(lambda: not there.programs(env), "the end of the breakpoint")
    finally:
        process.kill_group(child)
        said.join()
        child.stdout.close()
    assert running is None or killed == "server" or running.interrupt().status == 0


@pytest.mark.parametrize("board", ONE)
def test_another_client_is_killed(demo, tmp_path, board):
    """The stop of gdb is none of a dead client's: only its program goes."""
    there, env = demo(board, STOP), {"XDG_RUNTIME_DIR": str(tmp_path)}
    there.dprobes.start("serve", "--write", "--port", there.machine.url("com2"), env=env).err.expect("serving")
    other = there.dprobes.start("run", "-n", "queue_get:entry { @ = count(); }", *there.words(), env=env)
    process.eventually(lambda: len(there.programs(env)) == 1, "the program of the other client")
    words = [word for command in (there.server("--write"), *STANDS) for word in ("-ex", command)]
    child = process.start([program("gdb-multiarch"), "-nx", "-batch", *process.GDB_WAITS, there.elf, *words], env=environment(env), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
    said = process.Reader("gdb", lambda: child.stdout.read(65536))
    try:
        said.expect(r"hit Breakpoint 1")
        _, before = there.programs(env)  # with the hits of gdb's breakpoint, which the next turn of the loop would make
        other.process.kill()
        process.eventually(lambda: len(there.programs(env)) == 1, "the end of the other client's program")
        for _ in range(3):  # the request that would let the target go on has been by then
            assert there.dprobes("regs", *there.words(), env=env).status == 0
        assert there.programs(env) == [before]
    finally:
        process.kill_group(child)
        said.join()
        child.stdout.close()


@pytest.mark.parametrize("board", ONE)
def test_dprintf(demo, board):
    """gdb's own style: gdb prints, and lets the target go on by itself."""
    there = demo(board, STOP)
    parts, said = parts_of(there, 'dprintf queue_put,"put %d of %s\\n", q->puts, q->name', "break queue_put if q->puts % 4 == 3", "continue", "continue",
                           "delete", "detach")
    assert re.search(r"^put \d+ of sensor$", parts[3], re.M) and "hit Breakpoint 2, queue_put" in parts[3], said
    assert "detached]" in parts[-1], said


AGENT_STYLE = 'set dprintf-style agent'
PUT = r'dprintf queue_put,"put %5u 0x%08lx %c%c %p \"%s\" %.3s %%\n", q->puts, q->size, 65, 98, q, q->name, q->name'


@pytest.mark.parametrize("board", BOARDS)
def test_dprintf_of_the_agent(demo, tmp_path, board):
    """Each hit has its line, in order and before the stop behind it; a condition; a new format; the program goes with the dprintf."""
    there = demo(board, STOP)
    parts, said = parts_of(there, AGENT_STYLE, PUT, "break queue_get if q == &sensor_queue && q->puts % 4 == 3", "continue", "continue",
                           "print &sensor_queue", "monitor list", "condition 1 q->puts % 2 == 1", "continue", "delete 1",
                           r'dprintf queue_put,"now %d\n", -1 - (int)q->size', "continue", "delete 3", "continue", "monitor list", "detach",
                           env={"XDG_RUNTIME_DIR": str(tmp_path)})
    assert "falling back" not in said, said
    place = re.search(r"(0x[0-9a-f]+) <sensor_queue>", parts[5])[1]
    lines = [int(n) for part in parts[3:5] for n in re.findall(rf'^put +(\d+) 0x00000040 Ab {place} "sensor" sen %$', part, re.M)]
    assert len(lines) >= 4 and lines == list(range(lines[0], lines[0] + len(lines))), said
    assert all("hit Breakpoint 2, queue_get" in parts[at] for at in (3, 4, 8, 11)), said
    assert all(part.rfind("put ") < part.index("hit Breakpoint 2") for part in parts[3:5]), said
    assert "gdb-prints" in parts[6] and "gdb-stops-" in parts[6], said
    odd = [int(n) for n in re.findall(r"^put +(\d+) ", parts[8], re.M)]
    assert odd and all(n % 2 == 1 for n in odd), said
    assert "now -65\n" in parts[11] and "put " not in parts[11], said
    assert "gdb-prints" not in parts[14] and "gdb-stops-" in parts[14] and "detached]" in parts[15], said


@pytest.mark.parametrize("board", ONE)
def test_dprintf_of_an_agent_that_reads(demo, board):
    """Nothing stops the target: the text comes until ^C, which needs no stop, and goes on behind a restart. What is not printed
    is refused in words."""
    there = demo(board)
    with typed_gdb(there.elf) as gdb:
        gdb.type(there.server(), AGENT_STYLE, 'dprintf queue_put,"%f\\n", 1.5', "continue")
        gdb.said.expect("E.at 0x.*not '%f': use another dprintf-style")
        gdb.type("delete", PUT, "continue")
        for _ in range(3):
            gdb.said.expect(r'put +\d+ 0x00000040 Ab 0x[0-9a-f]+ "sensor" sen %\n')
        there.machine.com1.send("reboot\n")
        gdb.said.expect("the target was restarted: dprintf goes on\n")
        gdb.said.expect(r'put +\d+ 0x00000040 Ab 0x[0-9a-f]+ "sensor" sen %\n')
        gdb.interrupt()
        gdb.said.expect("received signal SIGINT")
        gdb.type("break queue_get", "continue")
        gdb.said.expect("E.dprobes gdb stops nothing|E." + NO_HALT)
        gdb.type("delete", "detach", "quit")
        gdb.said.expect("detached\\]")
    assert there.programs() == []


@pytest.mark.parametrize("board", ONE)
def test_what_does_not_stop(demo, board):
    """Without --write nothing is stopped; watchpoints of a CPU without comparators, jumps and commands on the target are refused in words."""
    there = demo(board, STOP)
    said = there.gdb("break queue_put", "continue", "detach")
    assert "E.dprobes gdb stops nothing without the option --write; nothing stops at breakpoints" in said, said
    parts, said = parts_of(there, "watch load_results", "continue", "delete", "break queue_put", "continue", "jump queue_get", "return", "detach")
    assert "E.at 0x" in parts[1] and "the CPU has no comparator for the watchpoint: 'delete' it, or 'set can-use-hw-watchpoints 0'" in parts[1], said
    assert "hit Breakpoint 2" in parts[4] and "may not write" in parts[5], said


def test_refusals(dprobes, sim_target, tmp_path):
    """A CPU that gdb has no registers of, two places of gdb at a time, a place that is none."""
    target = sim_target()
    done = dprobes("gdb", "--stdio", "--port", target.url("com2"))
    assert done.status == USAGE and "gdb's registers of the CPU sim with words of 4 bytes are not known here" in done.stderr, done
    done = dprobes("gdb", "--stdio", "--listen", ":1", "--port", target.url("com2"))
    assert done.status == USAGE and "leave one of them out" in done.stderr, done
    assert dprobes("gdb", "--stdio", "--port", f"unix:{tmp_path}/none").status == LINK
