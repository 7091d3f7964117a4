# SPDX-License-Identifier: BSD-2-Clause
"""dprobes core on boards: stock gdb opens the file, and finds what the commands find in the running or stopped target."""
import re
import subprocess

import pytest

import cpus
from harness import process
from harness.noisyline import NoisyLine
from harness.other_build import other_build
from harness.paths import TOP, built, program
from harness.qemu import parameters

BOARDS = parameters(cpus.boards(), usual=("vexpress-a9", "malta"))
LINUX_BEGIN = 0x8000  # gdb takes each core for one of Linux, where code of ARM does not lie below
ONE = "vexpress-a9"
RATES = {"flip": 5e-4, "lose": 2e-4, "double": 2e-4, "insert": 2e-4}
WAITING = ("log", "echo", "shell")


def gdb(elf, core, *commands):
    """What stock gdb prints for the commands about a core. -readnow: gdb 13 finds no source of MIPS code by its address else."""
    words = [program("gdb-multiarch"), "-nx", "-batch", "-readnow", "-iex", "set width 0", "-iex", "set python print-stack none"]
    header = subprocess.run([program("readelf"), "-h", elf], capture_output=True, text=True, check=True).stdout
    if int(re.search(r"Entry point address: +(0x\w+)", header)[1], 16) < LINUX_BEGIN:
        words += ["-iex", "set osabi none"]
    words += [elf, core]
    for command in commands:
        words += ["-ex", command]
    child = process.start(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said, _ = child.communicate(timeout=process.TIMEOUT_S)
    return said.decode("utf-8", "backslashreplace")


def numbers(port):
    """The numbers of port/CPU/regs.def by name."""
    text = (TOP / "port" / port / "regs.def").read_text(encoding="utf-8")
    rows = re.findall(r'^DP_REG\((\w+), \w+, "(\w+)"', text, re.M) + [row[::-1] for row in re.findall(r'^DP_REG_ALIAS\("(\w+)", (\w+)\)', text, re.M)]
    return {name: int(number, 0) for number, name in rows}


class Demo:
    """A board with its demo, whose load is off, and the commands at it."""

    def __init__(self, qemu, dprobes, board, tmp_path, form=()):
        self.elf = built("boards", board, *(form or ("demo.elf",)))
        self.machine, self.dprobes, self.env = qemu(board, elf=self.elf), dprobes, {"XDG_RUNTIME_DIR": str(tmp_path)}
        self.machine.com1.expect("demo>")
        self.machine.com1.send("load off\n")
        self.machine.com1.expect("demo>")
        self.core = tmp_path / "demo.core"

    def run(self, command, *words, elf=True):
        done = self.dprobes(command, "--port", self.machine.url("com2"), *(("--elf", self.elf) if elf else ()), *words, env=self.env)
        assert done.status == 0, done
        return done

    def take(self, *words):
        return self.run("core", "--output", self.core, *words)

    def gdb(self, *commands):
        return gdb(self.elf, self.core, *commands)

    def bytes_of(self, address, count):
        """Memory of the target as `dprobes read` has it."""
        return bytes.fromhex(self.run("read", "-r", f"{address},{count}", "--format", "json").objects()[0]["value"])

    def memory(self, address, count):
        """Memory of the core as gdb has it."""
        file = self.core.with_suffix(".bytes")
        said = self.gdb(f"dump binary memory {file} {address:#x} {address + count:#x}")
        assert file.exists(), said
        return file.read_bytes()

    def segments(self):
        """(address, bytes in the file, bytes) of each PT_LOAD."""
        said = subprocess.run([program("readelf"), "-lW", self.core], capture_output=True, text=True, check=True).stdout
        return [tuple(int(word, 16) for word in row) for row in
                re.findall(r"^  LOAD +0x\w+ (0x\w+) 0x\w+ (0x\w+) (0x\w+)", said, re.M)]


@pytest.fixture
def demo(qemu, dprobes, tmp_path):
    return lambda board, *form: Demo(qemu, dprobes, board, tmp_path, form)


def threads(said):
    """The functions of each thread, by gdb's LWP."""
    parts = re.split(r"^Thread \d+ \((?:LWP|process) (\d+)\):\n", said, flags=re.M)[1:]
    return {int(number): re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+) \(", text, re.M) for number, text in zip(parts[::2], parts[1::2])}


@pytest.mark.parametrize("board", BOARDS)
def test_core_of_a_running_board(demo, board):
    """The stacks of tasks that wait, as `dprobes stack` has them; variables and bytes as `dprobes read` has them."""
    there = demo(board)
    there.take()
    stacks = {task["name"]: task for task in there.run("stack", "--format", "json").objects()}
    said = there.gdb("thread apply all backtrace", "print sensor_queue.size", "print sensor_queue.name", "info line queue_put")
    found = threads(said)
    assert len(found) == len(stacks) - 1, said  # all but the running one
    names = list(stacks)
    running = next(name for name, task in stacks.items() if task["state"] == "running")
    order = [running, *(name for name in names if name != running)]
    for name in WAITING:
        ours = [frame["function"] for frame in stacks[name]["frames"]]
        theirs = found[order.index(name) + 1]
        assert theirs[:len(ours)] == ours, (name, ours, theirs)
    assert re.search(r"^\$1 = 64$", said, re.M) and re.search(r'^\$2 = 0x[0-9a-f]+ "sensor"$', said, re.M), said
    told = {task["name"]: task for task in there.dprobes("report", "--core", there.core, "--elf", there.elf, "--format", "json").objects()}
    assert list(told) == order
    for name in WAITING:
        assert told[name]["frames"] == stacks[name]["frames"] and told[name]["waits_in"] == stacks[name]["waits_in"]
    # The stack of a task that waits does not change.
    first, count = int(stacks["log"]["stack"], 16), stacks["log"]["stack_bytes"]
    assert there.memory(first, count) == there.bytes_of(first, count)


CLAUSES = "queue_put:entry /n < 3/ { n++; } queue_put:entry /n == 3/ { breakpoint(); }"


@pytest.mark.parametrize("board", BOARDS)
def test_core_of_a_stopped_board(demo, board):
    """Registers, arguments and callers of the stopped context, and all of the memory that sections name."""
    there = demo(board, "stop", "stop.elf")
    cpu = cpus.of_board(board)
    service = there.dprobes.start("serve", "--write", "--port", there.machine.url("com2"), env=there.env)
    service.err.expect("serving")
    run = there.dprobes.start("-w", "-n", CLAUSES, "--port", there.machine.url("com2"), "--elf", there.elf, env=there.env)
    run.err.expect(r"the target is stopped.*\(queue_put")
    assert there.run("stop", "--for", "300s", "--quiet").status == 0
    there.take()
    registers = {name: int(value, 16) for name, value in re.findall(r"^(\w+) +0x([0-9a-f]+)", there.run("regs").stdout, re.M)}
    names = [name for name in (*cpu.gdb_registers, "pc") if name in numbers(cpu.name)]
    said = there.gdb(*(f"print/x ${name}" for name in names))
    theirs = [int(value, 16) & 0xffffffff for value in re.findall(r"^\$\d+ = 0x([0-9a-f]+)$", said, re.M)]
    of_number = {number: registers[name] for name, number in numbers(cpu.name).items() if name in registers}
    assert theirs == [of_number[numbers(cpu.name)[name]] & 0xffffffff for name in names], said
    said = there.gdb("backtrace", "info args", "print *q", "print q == &sensor_queue || q == &result_queue")
    told = there.dprobes("report", "--core", there.core, "--elf", there.elf)
    assert told.status == 0 and re.search(r"^\w+ +0x\w+  queue_put$", told.stdout, re.M), told
    assert re.search(r": running.*\n +queue_put(?:\+0x\w+)? \(queue\.c:\d+\)$", told.stdout, re.M), told
    functions = re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+) \(", said, re.M)
    assert functions[0] == "queue_put" and len(functions) >= 2, said
    assert re.search(r"^q = 0x[0-9a-f]+", said, re.M) and re.search(r"^m = 0x[0-9a-f]+", said, re.M) and re.search(r"^\$2 = 1$", said, re.M), said
    for name in ("sensor_queue", "result_queue", "task_table"):  # the agent's own memory changes with each request
        row = there.run("read", name, "--format", "json").objects()[0]
        row["bytes"] = int(re.search(r"= (\d+)$", there.gdb(f"print sizeof({name})"), re.M)[1])
        data = there.bytes_of(int(row["address"], 16), row["bytes"])
        assert len(data) == row["bytes"] and there.memory(int(row["address"], 16), len(data)) == data, name
    absent = [row for row in there.segments() if row[1] < row[2]]
    assert sum(count for _, _, count in absent) <= 16, absent  # a key, which the board's table leaves out
    assert there.run("resume", elf=False).status == 0
    run.err.expect("the target goes on")
    run.interrupt()
    service.interrupt()


def test_core_of_another_build(demo, tmp_path):
    """The ELF file of another build would print functions that were not there: it is refused, for a core of each kind. Numbers are printed."""
    there = demo(ONE)
    there.take("--small")
    there.run("trace", "-n", "queue_put:entry /n < 1/ { n++; core(); }", "--cores", there.core, "--for", "2s", "-q")
    other = other_build(ONE, tmp_path)
    for core in (there.core, f"{there.core}.1"):
        done = there.dprobes("report", "--core", core, "--elf", other)
        assert done.status == 1 and done.stdout == "" and f"{core} is a core of another build than {other}: " in done.stderr, done
        assert there.dprobes("report", "--core", core, "--elf", there.elf).status == 0
        assert there.dprobes("report", "--core", core).status == 0


def test_stack_of_another_build(demo, tmp_path):
    """The call stack of a core has no names either where the target does not run the ELF file."""
    there = demo(ONE)
    program_of = tmp_path / "c.dp"
    program_of.write_text("name = c\noffset = queue_put\nmaxhits = 1\nexit 3\n")
    there.run("run", program_of, "--count", "1", "--record", tmp_path / "c.dpc", "--cores", there.core)
    done = there.dprobes("report", tmp_path / "c.dpc", "--elf", other_build(ONE, tmp_path), "--cores", tmp_path / "again")
    assert done.status == 0 and "the target does not run" in done.stderr and "a core of the running context" in done.stderr, done
    assert "queue_put" not in done.stderr, done


@pytest.mark.parametrize("board", BOARDS)
def test_core_by_the_running_context(demo, board):
    """exit 3 of an agent that only reads: the command writes the core, and gdb finds arguments, callers and what they point to."""
    there = demo(board)
    done = there.run("trace", "-n", "queue_put:entry /n < 2/ { n++; trace(m->sequence); core(); }", "--cores", there.core, "--count", "2", "-q")
    sequence = [int(word) for word in done.stdout.split()]
    assert len(sequence) == 2 and len(re.findall(r": a core of the running context \(exit 3 of ", done.stderr)) == 2, done
    assert len(re.findall(r"^ +queue_put(?:\+0x\w+)? \(queue\.c:\d+\)$", done.stderr, re.M)) == 2, done
    for number, expected in enumerate(sequence, 1):
        said = gdb(there.elf, f"{there.core}.{number}", "backtrace", "info args", "print m->sequence", "print q == &sensor_queue || q == &result_queue",
                   "print q->name")
        functions = re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+) \(", said, re.M)
        # gdb reads 64 bytes at a time from where the stack may begin: it has 0 for a return address at esp, in front of which
        # the core has nothing. `dprobes` itself has printed the callers.
        assert functions[0] == "queue_put" and len(functions) >= (2 if cpus.of_board(board).link else 1), said
        assert re.search(rf"^\$1 = {expected}$", said, re.M) and re.search(r"^\$2 = 1$", said, re.M), said
        # An argument on the stack has no words at what it points to.
        assert not cpus.of_board(board).arguments or re.search(r'^\$3 = 0x[0-9a-f]+ "(?:sensor|result)"$', said, re.M), said


def test_cores_of_a_capture(demo, tmp_path):
    """report --cores writes the same files as the command that wrote the capture. No file is written over."""
    there = demo(ONE)
    program_of = tmp_path / "c.dp"
    program_of.write_text("name = c\noffset = queue_put\nmaxhits = 2\nexit 3\n")
    there.run("run", program_of, "--count", "2", "--cores", tmp_path / "live", "--record", tmp_path / "c.dpc")
    plain = there.dprobes("report", tmp_path / "c.dpc", "--elf", there.elf)
    assert plain.status == 0 and "2 core(s) of exit 3: --cores PATH writes them" in plain.stderr, plain
    for number in (1, 2):
        assert there.dprobes("report", tmp_path / "c.dpc", "--elf", there.elf, "--cores", tmp_path / "again").status == 0
        assert (tmp_path / f"again.{2 * number - 1}").read_bytes() == (tmp_path / "live.1").read_bytes()
        assert (tmp_path / f"again.{2 * number}").read_bytes() == (tmp_path / "live.2").read_bytes()


def test_core_of_a_panic(demo, tmp_path):
    """exit 2: the command that runs takes the core, and lets the board go on."""
    there = demo(ONE, "stop", "stop.elf")
    clauses = "queue_put:entry /n == 2/ { n++; panic(); } queue_put:entry /n < 2/ { n++; trace(n); }"
    run = there.dprobes.start("-w", "-n", clauses, "--cores", there.core, "--then", "go", "--port", there.machine.url("com2"), "--elf", there.elf, "-q")
    run.err.expect("the target goes on after a stop by a request")
    run.interrupt()
    assert [path.name for path in tmp_path.glob("demo.core.*")] == ["demo.core.1"]
    said = gdb(there.elf, f"{there.core}.1", "backtrace", "print q == &sensor_queue || q == &result_queue", "info threads")
    assert re.search(r"^#0 +(?:0x\w+ in )?queue_put \(", said, re.M) and re.search(r"^\$1 = 1$", said, re.M), said
    assert len(re.findall(r"^\*? +\d+ +(?:LWP|process|Thread)", said, re.M)) >= 8, said


def test_core_of_a_crash_that_was_waited_for(demo, tmp_path):
    """A program stays on the board; core --wait takes the core when it stops the board, and the board is reset."""
    there = demo(ONE, "stop", "stop.elf")
    program_of = tmp_path / "crash.dp"
    program_of.write_text("name = crash\noffset = queue_put\nexit 2\n")
    there.run("insert", "--write", program_of)
    done = there.run("core", "--wait", "-o", there.core)
    assert "the board is reset" in done.stderr and "registers of 10" in done.stderr, done
    there.machine.com1.expect("boot 2")
    assert re.search(r"^#0 +(?:0x\w+ in )?queue_put \(", there.gdb("backtrace"), re.M)


def stopped_by_a_crash(demo, tmp_path):
    """A board that exit 2 has stopped, and that stays so."""
    there = demo(ONE, "stop", "stop.elf")
    program_of = tmp_path / "crash.dp"
    program_of.write_text("name = crash\noffset = queue_put\nexit 2\n")
    there.run("insert", "--write", program_of)
    there.run("core", "--wait", "--then", "stay", "-o", there.core)
    there.run("stop", "--for", "300s")
    return there


def kill_in_the_middle(there, tmp_path, stop_at):
    """A command that is killed while the memory comes. The bytes of its part; None: it has none."""
    line = NoisyLine(tmp_path / "line", there.machine.url("com2").removeprefix("unix:"), 1, {}, {}, stop_at=stop_at)
    child = there.dprobes.start("core", "-o", there.core, "--elf", there.elf, "--port", line.url, env=there.env)
    assert line.stopped.wait(process.TIMEOUT_S)
    child.process.kill()
    child.process.wait()
    line.close()
    partial = tmp_path / "demo.core.partial"
    return partial.stat().st_size if partial.exists() else None


@pytest.mark.nightly  # five cores
def test_core_that_is_resumed(demo, tmp_path):
    """A command that is killed in the middle leaves what it has read: the next one goes on there, on a bad line, to the same core.
    A core of another stop begins anew."""
    there = stopped_by_a_crash(demo, tmp_path)
    whole, partial = there.segments(), tmp_path / "demo.core.partial"
    assert not partial.exists()
    size = kill_in_the_middle(there, tmp_path, 30000)
    with partial.open("ab") as file:
        file.write(b"\0" * 7)  # of a piece that was being written
    line = NoisyLine(tmp_path / "line", there.machine.url("com2").removeprefix("unix:"), 2, RATES, RATES)
    done = there.dprobes("core", "-o", there.core, "--elf", there.elf, "--port", line.url, env=there.env)
    line.close()
    have, of = map(int, re.search(r"resumed at (\d+) of (\d+) bytes\n", done.stderr).groups())
    assert done.status == 0 and 0 < have < of and have > size / 2, done
    assert there.segments() == whole and not partial.exists()
    for name in ("sensor_queue", "task_table"):
        row = there.run("read", name, "--format", "json").objects()[0]
        first, count = int(row["address"], 16), int(re.search(r"= (\d+)$", there.gdb(f"print sizeof({name})"), re.M)[1])
        assert there.memory(first, count) == there.bytes_of(first, count), name
    kill_in_the_middle(there, tmp_path, 30000)
    there.run("resume", elf=False)
    done = there.run("core", "--wait", "--then", "stay", "-o", there.core)
    assert f"{partial} is of another stop: the core begins anew" in done.stderr and "resumed at" not in done.stderr, done
    assert not partial.exists()


@pytest.mark.nightly  # two cores
@pytest.mark.parametrize("board", cpus.boards(2))
@pytest.mark.parametrize("how", ["stop", "step"])
def test_core_of_a_stop_that_is_no_hit(demo, tmp_path, board, how):
    """Nothing tells such a stop from the next one: behind a command that is killed a core begins anew, of one stop alone."""
    there = demo(board, "stop", "stop.elf")
    there.run("stop", "--for", "300s")
    if how == "step":
        there.run("step")
        there.run("stop", "--for", "300s")
    assert kill_in_the_middle(there, tmp_path, 30000) is None
    said = there.take().stderr
    assert "resumed at" not in said and "registers of" in said, said
    row = there.run("read", "task_table", "--format", "json").objects()[0]
    first, count = int(row["address"], 16), int(re.search(r"= (\d+)$", there.gdb("print sizeof(task_table)"), re.M)[1])
    assert there.memory(first, count) == there.bytes_of(first, count)
    assert there.run("resume", elf=False).status == 0


@pytest.mark.nightly  # each command waits for five seconds
def test_core_on_a_line_that_is_cut(demo, tmp_path):
    """The line ends while the ranges are read: the file keeps the running stack."""
    there = stopped_by_a_crash(demo, tmp_path)
    sp = int(there.run("regs", "sp").stdout.split()[1], 16)
    for stop_at in (12000, 24000):
        line = NoisyLine(tmp_path / "line", there.machine.url("com2").removeprefix("unix:"), 1, {}, {}, stop_at=stop_at)
        done = there.dprobes("core", "-o", there.core, "--elf", there.elf, "--port", line.url, env=there.env)
        line.close()
        assert done.status == 3 and "that were not read: the session failed" in done.stderr, done
        assert any(sp - first < there_are for first, there_are, _ in there.segments() if first <= sp), (stop_at, done)
    there.run("resume", elf=False)
