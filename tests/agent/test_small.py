# SPDX-License-Identifier: BSD-2-Clause
"""The tiny agent with room for the programs of the tests (configuration small) takes a program from its text to the records.

Here is what it does that no other agent's test asks of it too. Of the tests that the whole agent and this one share:
  the demo end to end                                      test_demo.py
  the tutorial's hunt                                      test_tutorial.py
  what a board refuses, full tables, QEMU killed, restart  test_bad_target.py
  source, ELF and object files that will not do            test_bad_input.py
  console beside records, noise, storms, lock              test_sim_target.py
  devices: permission denied, line held                    test_serial_target.py
  each left-out feature                                    test_minimal.py
"""
import concurrent.futures
import os
import re
import signal
import time

import pytest

from harness import paths, process, tool as tool_harness
from harness.paths import TOP, built
from harness.ppdf import Ppdf, ops
from harness.qemu import Machine
from harness.typist import shell_text
from test_minimal import ERRORS, PARTS, missing_features

BOARD = "vexpress-a9"
LOG_MAX = 128
WORDS = ["--cpu", "sim", "--word", "32", "--endian", "little"]
GOOD = "name = good\noffset = hot\npush 7\nlog 1\nexit\n"


class Sim:
    """A target in a process, requests and records on com1; firmware's console on com2."""

    def __init__(self, target, dprobes, folder):
        self.target, self.dprobes, self.folder = target, dprobes, folder

    def words(self, command, words, program):
        if program is not None:
            path = self.folder / "t.dp"
            path.write_text(program)
            words = [path, *words]
        if command in ("insert", "run"):
            words = [*words, "--sym", self.target.map, "--dont-verify-opcodes"]
        return [command, *words, "--port", self.target.url("com1")]

    def __call__(self, command, *words, program=None, **options):
        return self.dprobes(*self.words(command, words, program), **options)

    def start(self, command, *words, program=None):
        return self.dprobes.start(*self.words(command, words, program))

    def listen(self, *words):
        return self.dprobes.listen(*words, "--port", self.target.url("com1"))

    def good(self, command, *words, **options):
        run = self(command, *words, **options)
        assert run.status == 0, run
        return run

    def firmware(self, *lines):
        return self.target.console(*lines, com="com2")

    def info(self):
        info, = self.good("info", "--format", "json").objects()
        return info

    def state(self):
        """All that a refusal must leave alone."""
        info = self.info()
        del info["sent"]  # good requests in between have records
        return info, self.good("list", "--format", "json").stdout, self.firmware("sum").split(",")[0]

    def works(self):
        """A good program goes in, runs and goes out."""
        self.good("insert", program=GOOD)
        self.firmware("call hot", "sum")
        assert "1 hit(s)" in self.good("list", "good").stdout
        self.good("remove", "good")


@pytest.fixture
def sim(sim_target, dprobes, tmp_path):
    return Sim(sim_target("--build-id", profile="small"), dprobes, tmp_path)


# ---- what a program does ------------------------------------------------------------------------

def words(*values):
    return "".join((value & 0xFFFFFFFF).to_bytes(4, "little").hex() for value in values)


SIGNS = """push -1
jlt one
jmp bad
one: jle two
jmp bad
two: push 1
jgt three
jmp bad
three: jge four
jmp bad
four: jlt bad
jle bad
jz bad
push 0
jz five
jmp bad
five: jnz bad
jlt bad
jgt bad
push 6
log 1
exit
bad: push 99
log 1
exit
"""
# Code of a probe at hot, and the data of its first record, by the manual (protocol/rpn_manual.txt). Two variables.
ANSWERS = {
    "every condition, taken and not": (SIGNS, words(6)),
    "loop": ("push 0\npop lv, 0\npush 4\nagain: inc lv, 0\nloop again\npush lv, 0\nlog 1\nexit", words(4)),
    "local variables": ("push 7\nmove lv, 0\npop lv, 1\ndec lv, 1\ninc lv, 0\npush lv, 0\npush lv, 1\nlog 2\nexit", words(6, 8)),
    "variables stay": ("inc lv, 0\npush lv, 0\npush 2\nsub\njz second\nabort\nsecond: push lv, 0\nlog 1\nexit", words(2)),
    "constants": ("push -2\npush 1000\npush 0x12345678\nlog 3\nexit", words(0x12345678, 1000, -2)),
    "arithmetic": ("push 6\npush 7\nmul\npush 8\nadd\nlog 1\npush 2\npush 42\nsub\nneg\nlog 1\nexit", words(50, ~40)),
    "logic": ("push 12\npush 10\nand\nlog 1\npush 12\npush 10\nor\nlog 1\npush 12\npush 10\nxor\nlog 1\nnop\nexit", words(8, 14, 6)),
    "shifts": ("push 4\npush 1\nshl\nlog 1\npush 4\npush 16\nshr\nlog 1\npush 1\nshl 4\nlog 1\npush -1\nshr 31\nlog 1\nexit",
               words(16, 1, 16, 1)),
    "stack": ("push 1\npush 2\nxchg\nlog 2\npush 5\ndup 2\nlog 3\npush 2\npush 5\ndup\nlog 3\npush 1\npush 2\npush 3\nros 2\nlog 1\n"
              "exit", words(1, 2, 5, 5, 5, 5, 5, 5, 1)),
    "a count from the stack": ("push 3\npush 4\npush 2\nlog\nexit", "070200" + words(4, 3)),
    "the stack is circular, of 64 words": ("push 9\nros 64\nlog 1\nexit", words(9)),
    # Byte n of RAM is n; a word of text is its place there, above 0x10000000.
    "good addresses": ("push ram + 5\npush mem, u8\nlog 1\npush ram + 5\npush mem, u16\nlog 1\npush idle\npush mem, u32\nlog 1\n"
                       "push ram\npush mem, u64\nlog 2\nexit", words(5, 0x0605, 0x10000100, 0x03020100, 0x07060504)),
    "a bad address": ("push 1\nlog 1\npush 0x40000000\npush mem, u32\npush 2\nlog 1\nexit", words(1) + " <ended by an exception>"),
    "the word behind memory": ("push 1\nlog 1\npush ram + 0x1ffd\npush mem, u32\nlog 1\nexit", words(1) + " <ended by an exception>"),
    "registers": ("push r, pc\npush u, pc\nlog 2\nexit", words(0x08000140, 0x08000140)),
    "task": ("push task\nlog 1\nexit", words(0)),
    "what the log has no room for": ("push 1\ndup 30\nlog 31\npush 2\npush 3\nlog 2\nexit", words(*[1] * 31, 3)),
    "the end by a number": ("push 3\nlog 1\nexit 1", words(3)),
    "endless": ("push 3\nlog 1\nagain: jmp again", words(3) + " <ended by an exception>"),
    "removes itself": ("push 3\nlog 1\nremove", words(3)),
}


def text_of(code):
    return f"name = t\nvars = 2\noffset = hot\n{code}\n"


def test_answers(sim_target, dprobes, tmp_path):
    """Each on a target of its own, side by side: most of the time is the line's."""
    sims = []
    for number in range(len(ANSWERS)):
        folder = tmp_path / str(number)
        folder.mkdir()
        sims.append(Sim(sim_target("--build-id", "--hits", 50, folder=folder, profile="small"), dprobes, folder))

    def answer(sim, expected):
        code, record = expected
        run = sim("run", "--count", "1", "--timeout", str(process.TIMEOUT_S), program=text_of(code))
        assert run.status == 0, (code, run)
        assert "text original" in sim.firmware("sum")
        return run.lines()[0], f"DProbes(0,0) {record}"

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(answer, sims, ANSWERS.values()))
    wrong = {what: result for what, result in zip(ANSWERS, results) if result[0] != result[1]}
    assert not wrong


def opcodes(path):
    """The opcodes of an object's code for a 32-bit CPU."""
    rows = {op.code: op for op in ops()}
    sizes = {"NONE": 0, "COUNT": 1, "U8": 1, "LV": 1, "GV": 1, "IMM8": 1, "IMMW": 4}
    found, at, code = set(), 0, Ppdf(path.read_bytes()).code
    while at < len(code):
        found.add(code[at])
        at += 1 + sizes.get(rows[code[at]].operand, 2)
    return found


def test_every_instruction_has_an_answer(sim, tmp_path):
    """All that this agent, which cannot write, has."""
    used = set()
    for code, _ in ANSWERS.values():
        path = tmp_path / "t.dp"
        path.write_text(text_of(code).replace("offset = hot", "offset = hot\nopcode = 0x10000140"))
        run = sim.dprobes("build", *WORDS, "--sym", sim.target.map, "-o", tmp_path / "t.ppdf", path)
        assert run.status == 0, run.stderr
        used |= opcodes(tmp_path / "t.ppdf")
    there = {op.code: op.name for op in ops() if op.part == "CORE" and op.group == "BASE"}
    assert used == set(there), [there.get(code, code) for code in used ^ set(there)]


# ---- records ------------------------------------------------------------------------------------

# proves: R7.7
@pytest.mark.parametrize("mode", ["buffered", "synchronous"])
def test_modes(sim, mode):
    """A thousand hits without dp_poll in between (console word storm): the ring keeps what it has room for and
    counts the rest; the synchronous log has sent each of them before the next."""
    sim.good("insert", "--log-mode", mode, program=text_of("inc lv, 0\npush lv, 0\nlog 1\nexit"))
    assert sim.info()["log_mode"] == mode
    log = sim.listen()
    sim.firmware("storm 1000", "sum")

    def counted():
        """Numbers of the records and how many are lost, when these are all."""
        numbers = [int.from_bytes(bytes.fromhex(digits), "little") for digits in re.findall(r"^DProbes\(0,0\) (\w{8})\n", log.out.text, re.M)]
        lost = sum(map(int, re.findall(r"lost: (\d+) record\(s\) of stream 0 found the agent's ring full", log.err.text)))
        return len(numbers) + lost >= 1000 and (numbers, lost)

    numbers, lost = process.eventually(counted, "all records and losses")
    log.interrupt()
    info = sim.info()
    assert (info["sent"], info["dropped"]) == (len(numbers), lost)
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) + lost == 1000
    assert (lost > 0) == (mode == "buffered")
    (program,) = sim.good("list", "--format", "json").objects()
    assert program["probes"][0]["hits"] == 1000
    sim.good("remove", "--all")
    assert "text original" in sim.firmware("sum")


def test_a_synchronous_record_is_there_first(sim):
    """It left inside the hit: before what the firmware says next, on the other line."""
    sim.good("insert", "--log-mode", "synchronous", program=text_of("push 5\nlog 1\nexit"))
    log = sim.listen()
    for _ in range(3):
        sim.firmware("call hot", "sum")
        log.out.expect(r"DProbes\(0,0\) 05000000\n")
    assert log.interrupt().status == 130


# proves: R4.10 R4.17
def test_long_records(sim):
    """128 bytes of log: pieces, which are one record again."""
    numbers = [0x10000000 + n for n in range(32)]  # each has 8 digits
    code = "".join(f"push {n:#x}\n" for n in reversed(numbers)) + "log 32\nexit"
    sim.good("insert", program=text_of(code))
    log, raw = [], []
    for lines, form in ((log, "text"), (raw, "raw")):
        running = sim.listen("--format", form)
        sim.firmware("storm 2", "sum")
        wanted = {"text": 2, "raw": 6}[form]
        running.out.until(lambda text, wanted=wanted: text.count("\n") >= wanted)
        lines += running.interrupt().lines()
    assert log == ["DProbes(0,0) " + words(*numbers)] * 2
    assert [line[:2] for line in raw] == ["~P"] * 6
    assert [line[6:9] for line in raw] == ["000", "001", "102"] * 2  # U II, behind stream and line number
    # The time, which is 0 of an agent without TIMES; D and the probe; then a digit W and 8 digits a unit.
    digits = "".join(line[9:-4] for line in raw[:3])
    units = "".join(f"{'F' if n != numbers[-1] else '7'}{n:08X}" for n in numbers)
    assert re.fullmatch("0{16}0.." + units, digits), digits


def test_logmax_is_the_agents(sim, tmp_path):
    """Source is compiled for what HELLO tells; what is built already is refused by the agent."""
    full = text_of("push 1\ndup 31\nlog 32\nexit")
    sim.good("insert", program=full)
    sim.good("remove", "--all")
    for number in (LOG_MAX, 4, 0):
        sim.good("insert", program=full.replace("vars = 2", f"logmax = {number}"))
        sim.good("remove", "--all")
    sim.good("insert", program=full.replace("hot", "idle").replace("= t", "= standing"))
    before = sim.state()

    def unchanged():
        assert sim.state() == before

    for setting, value in (("logmax", 200), ("logmax", LOG_MAX + 1), ("logmax", 2000)):
        run = sim("insert", program=full.replace("vars = 2", f"{setting} = {value}"))
        assert run.status == 1, run
        place, line, under = run.stderr.splitlines()[:3]
        column = len(setting) + 4
        assert re.search(rf"t\.dp:2:{column}: error: '{setting}' cannot be {value}; use 0\.\.{LOG_MAX} on this target", place), run.stderr
        assert (line, under) == (f"{setting} = {value}", " " * (column - 1) + "^" + "~" * (len(str(value)) - 1))
        unchanged()
    source, object_ = tmp_path / "o.dp", tmp_path / "o.ppdf"
    opcode = "offset = hot\nopcode = 0x10000140"
    for header, status in (("logmax = 200\nexcpt_log = 0", 2), ("logmax = 129\nexcpt_log = 0", 2), ("logmax = 128\nexcpt_log = 128", 0)):
        text = GOOD.replace("offset = hot", f"{header}\n{opcode}")
        source.write_text(text)
        run = sim.dprobes("build", *WORDS, "--sym", sim.target.map, "-o", object_, source)
        assert run.status == 0, run.stderr
        run = sim("insert", object_)
        assert run.status == status, run
        if status:
            assert ERRORS["LIMIT"][1] in run.stderr, run.stderr
        else:
            sim.good("remove", "good")
        unchanged()
        run = sim("insert", "-", stdin=text)
        assert run.status == (1 if status else 0), run
        if status:
            assert re.search(r"^<stdin>:\d+:10: error: 'logmax' cannot be \d+; use 0\.\.128", run.stderr, re.M), run.stderr
        else:
            sim.good("remove", "good")
        unchanged()
    run = sim("insert", "-", stdin=GOOD.replace("offset = hot", opcode))  # as much as there is
    assert run.status == 0, run
    sim.good("remove", "good")
    unchanged()
    sim.works()
    unchanged()


def test_storm_is_counted(sim_target, dprobes, tmp_path):
    """Hits faster than the line: each is a record that came or is counted as lost, and the firmware goes on."""
    sim = Sim(sim_target("--build-id", "--baud", 115200, profile="small"), dprobes, tmp_path)
    sim.good("insert", program=text_of("inc lv, 0\npush lv, 0\nlog 1\nexit"))
    log = sim.listen()
    sim.firmware("hits 20", "sum")
    log.out.expect("DProbes")
    before = int(re.search(r"(\d+) executed", sim.firmware("hits 20000", "sum"))[1])
    log.err.expect("lost: ")
    after = int(re.search(r"(\d+) executed", sim.firmware("hits 0", "sum"))[1])
    assert after > before
    seen = None
    while seen != (len(log.out.data), len(log.err.data)):  # the rest of the ring, and the counts behind it
        seen = len(log.out.data), len(log.err.data)
        time.sleep(5)
    run = log.interrupt()
    numbers = [int.from_bytes(bytes.fromhex(digits), "little") for digits in re.findall(r"^DProbes\(0,0\) (\w{8})$", run.stdout, re.M)]
    lost = sum(map(int, re.findall(r"lost: (\d+) ", run.stderr)))
    (program,) = sim.good("list", "--format", "json").objects()
    assert numbers == sorted(set(numbers)) and lost > 0
    assert len(numbers) + lost == program["probes"][0]["hits"]


# ---- the line -----------------------------------------------------------------------------------

def test_nobody_answers(sim):
    """A CPU that stands still; no such device; both told, and the next request works."""
    sim.good("insert", program=GOOD.replace("hot", "idle").replace("good", "standing"))
    before = sim.state()
    os.kill(sim.target.child.pid, signal.SIGSTOP)
    try:
        run = sim("list")
        assert run.status == 3 and "no answer on unix:" in run.stderr and "or is stopped" in run.stderr
    finally:
        os.kill(sim.target.child.pid, signal.SIGCONT)
    run = sim.dprobes("list", "--port", "unix:/nonexistent/com1")
    assert run.status == 3 and "no such socket" in run.stderr
    assert sim.state() == before
    sim.works()


def test_info(sim):
    text = sim.good("info").stdout
    assert re.search(rf"^limits: +logmax {LOG_MAX}, ", text, re.M), text
    missing = re.search(r"^without: +(.*) \(agent/dp_config\.h, DP_WITH_\.\.\.\)$", text, re.M)[1].split()
    assert missing == missing_features("small")
    assert "profile READ" in text and "on com1 and com2" in text
    info = sim.info()
    assert info["limits"]["log"] == LOG_MAX and info["left_out"].split() == missing


# proves: P4.2 P4.3
def test_every_step_of_an_instruction(sim):
    """The ways a port has to run what stood under the trap, and what it may not: each with its count or its sentence."""
    places = ["hot", "stepped", "one_trap", "never"]
    sim.good("insert", program="name = t\n" + "".join(f"offset = {place}\nminor = {n}\nexit\n" for n, place in enumerate(places)))
    for place in places:
        sim.firmware(f"call {place}", f"call {place}", "sum")
    (program,) = sim.good("list", "--format", "json").objects()
    assert [probe["hits"] for probe in program["probes"]] == [2, 2, 2, 0]
    sim.good("remove", "--all")
    before = sim.state()
    for place, sentence in (("refused", "this instruction cannot be probed"), ("uart_put", "not probeable"),
                            ("hot + 2", "not the start of an instruction")):
        run = sim("insert", program=f"name = t\noffset = {place}\nexit\n")
        assert run.status in (1, 4) and sentence in run.stderr, run
        assert sim.state() == before
        sim.works()


# ---- the board ----------------------------------------------------------------------------------

class Board:
    """The demo firmware with the small agent: shell on com1, dprobes where it is told."""

    def __init__(self, hold=("com1",)):
        self.elf = built("boards", BOARD, "small", "small.elf")
        self.machine = Machine(BOARD, elf=self.elf, hold=hold)
        self.shell = self.machine.com1
        self.tool = tool_harness.Tool()

    def __call__(self, command, *args, com="com2", **options):
        elf = ["--elf", self.elf] if command in ("insert", "run", "symbols") or "--verify-text" in args else []
        return self.tool(command, *args, *elf, "--port", self.machine.url(com), **options)

    def good(self, *args, **options):
        run = self(*args, **options)
        assert run.status == 0, run
        return run

    def probes(self):
        return {probe["minor"]: probe for row in self.good("list", "--format", "json").objects() for probe in row["probes"]}

    def type(self, line, answer):
        self.shell.send(line + "\n")
        return self.shell.expect(answer)


@pytest.fixture(scope="module")
def machine():
    paths.program("qemu-system-arm")
    board = Board()
    try:
        board.shell.expect("demo>")
        board.type("load on", "load is on")
        yield board
    finally:
        board.machine.close()


@pytest.fixture
def board(machine):
    """Left as it was found: nothing installed, the text the original."""
    yield machine
    machine.good("remove", "--all")
    assert "the same as in" in machine.good("info", "--verify-text").stdout
    info, = machine.good("info", "--format", "json").objects()
    assert (info["programs"], info["probes"], info["strays"]) == (0, 0, 0)


def test_both_instruction_sets(board, tmp_path):
    """Hits and records in Thumb code and in A32 code; the self-test's answer is the same."""
    places = {1: ("queue_put", 1), 2: ("mix_branches", 0), 3: ("mix_calls", 0), 4: ("timer_isr", 1), 5: ("strlen", None),
              6: ("mix_long", 0), 7: ("sched_switch", 1)}
    source = tmp_path / "both.dp"
    source.write_text("name = both\n" + "".join(
        f"offset = {place}\nminor = {n}\nmaxhits = 20\npush r, pc\npush r, lr\nlog 2\nexit\n" for n, (place, _) in places.items()))
    board.good("insert", source)
    log = board.tool.listen("--port", board.machine.url("com2"), "--format", "json")
    board.type("selftest 1", "selftest: crc f7ab821a rounds 1")
    log.out.until(lambda text: all(f'"minor":{n},' in text for n in (2, 3, 6)))
    run = log.interrupt()
    log.close()
    rows = [row for row in run.objects() if row["kind"] == "log"]
    probes = board.probes()
    for n, (place, isa) in places.items():
        probe = probes[n]
        assert 0 < probe["hits"] <= 20 and isa in (None, probe["isa"]), place
    assert {probe["isa"] for probe in probes.values()} == {0, 1}
    for row in rows:
        pc = int.from_bytes(bytes.fromhex(row["data"])[4:8], "little"), int.from_bytes(bytes.fromhex(row["data"])[:4], "little")
        assert int(probes[row["minor"]]["address"], 16) & ~1 in [value & ~1 for value in pc], row
    assert {probes[row["minor"]]["isa"] for row in rows} == {0, 1} and {2, 3, 6} <= {row["minor"] for row in rows}
    # The last hit that was asked for takes the trap out.
    probe = probes[4]
    assert (probe["hits"], probe["state"]) == (20, "disabled: maxhits")


@pytest.mark.parametrize("mode", ["buffered", "synchronous"])
def test_console_beside_records(board, tmp_path, mode):
    """Records on com1 while somebody types there: its text comes whole."""
    source = tmp_path / "t.dp"
    source.write_text("name = t\noffset = timer_isr\nminor = 3\npush 0x01020304\nlog 1\nexit\n")
    board.good("insert", source, "--log-target", "com1", "--log-mode", mode)
    info, = board.good("info", "--format", "json").objects()
    assert (info["log_target"], info["log_mode"]) == ("com1", mode)
    start = len(board.shell.data)

    def typed(count):
        """The answers to help so far, without the lines of the agent between any two characters; count of them are waited for."""
        deadline, answers, seen = time.monotonic() + process.TIMEOUT_S, [], start
        board.shell.send("help\n")
        while len(answers) < count and time.monotonic() < deadline:
            board.shell.wait_for_more(seen, process.TIMEOUT_S)
            data = board.shell.data
            seen, text = len(data), data[start:].decode("utf-8", "replace")
            clean = shell_text(re.sub(r"~[A-Z][0-9A-F]+\n", "", text))
            answers = re.findall(r"help\n.*?end the run.*?demo>", clean, re.S)
        return answers, text

    for count in range(1, 4):
        answers, text = typed(count)
        assert len(answers) == count, text
    board.shell.expect("~[RS]")
    board.good("log", "--log-target", "none", "--log-mode", "buffered", "--timeout", "0.1")
    answers, text = typed(4)
    assert len(re.findall("~[RS][0-9A-F]*1020304", text)) > 5
    assert len(answers) == 4 and len(set(answers)) == 1, text


def test_records_on_the_other_line(board, tmp_path):
    """Requests on one line, records on the other: each way."""
    source = tmp_path / "t.dp"
    source.write_text("name = t\noffset = timer_isr\nminor = 3\npush 0x01020304\nlog 1\nexit\n")
    board.good("insert", source, "--log-target", "com1")
    board.shell.expect(r"(~[RS][0-9A-F]*1020304[0-9A-F]*\n(.|\n)*?){5}")
    run = board("log", "--count", "5", "--log-target", "com2")
    assert run.status == (5 if "lost: " in run.stderr else 0), run
    assert run.lines() == ["DProbes(0,3) 04030201"] * 5
    info, = board.good("info", "--format", "json").objects()
    assert (info["log_target"], info["line"]) == ("com2", "com2")


# ---- what documents and sentences say ----------------------------------------------

def test_boot_is_zero(sim):
    """PROTOCOL.md, "Parts": without RESTART."""
    assert sim.info()["boot"] == 0


def test_excpt_log_means_nothing(sim, tmp_path):
    """PROTOCOL.md, "Parts": there are no stack traces to have a limit."""
    source, object_ = tmp_path / "o.dp", tmp_path / "o.ppdf"
    source.write_text(GOOD.replace("offset = hot", "logmax = 128\nexcpt_log = 129\noffset = hot\nopcode = 0x10000140"))
    assert sim.dprobes("build", *WORDS, "--sym", sim.target.map, "-o", object_, source).status == 0
    run = sim("insert", object_)
    assert run.status == 0, run
    assert sim("remove", "--all").status == 0


def test_nothing_is_said_to_be_found(sim):
    """A verdict without DETAILS is zeros: they are no instruction and no list of locks."""
    run = sim("insert", program="name = t\noffset = refused\nexit\n")
    assert run.status == 4 and "found 0x00000000" not in run.stderr, run.stderr
    run = sim("insert", "--write", program="name = t\noffset = hot\npush 1\npop r, r0\nexit\n")
    assert run.status == 4 and "DP_PROFILE_FULL" in run.stderr and "refused by:)" not in run.stderr, run.stderr
