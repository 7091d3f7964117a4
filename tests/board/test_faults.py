# SPDX-License-Identifier: BSD-2-Clause
"""Functions of the firmware fail on demand: the programs of agent/guide/faults.md on the demo's measuring station."""
import re

import cpus
import pytest

from harness import paths
from harness.paths import TOP
from harness.qemu import parameters

PAGE = (TOP / "agent" / "guide" / "faults.md").read_text(encoding="utf-8")
# The counter of the station that a fault raises, and the program.
FAULTS = re.findall(r"\(`(\w+)`\)[^`]*\n\n```d\n(.*?)```", PAGE, re.S)
CYCLES = 16
# The cycles that are lost with their frame.
LOST = {"memory", "timeout", "damaged", "queue"}
BOARDS = parameters(cpus.boards())
# The return address is in a register, and on the stack.
BOARDS_OF_RETURNS = parameters(cpus.boards(), ("vexpress-a9", "pc"))


class Station:
    """The demo with its measuring station; a tool on com2."""

    def __init__(self, qemu, dprobes, board_name, folder):
        self.file = folder / "fault.d"
        self.elf = paths.built("boards", board_name, "faults", "faults.elf")
        self.board, self.dprobes = qemu(board_name, elf=self.elf), dprobes
        self.line = ("--port", self.board.url("com2"))
        self.board.com1.expect("demo>")

    def run(self):
        """The counters of a run."""
        self.board.com1.send(f"station {CYCLES}\r")
        text = self.board.com1.expect(rb"station: (cycles .*?)\r?\n")[1].decode()
        words = text.split()
        return {name: int(value) for name, value in zip(words[::2], words[1::2])}

    def start(self, program, *words):
        """The tool, when the program is armed."""
        self.file.write_text(program, encoding="utf-8")
        tool = self.dprobes.start("run", "--write", "--verbose", self.file, *words, "--elf", self.elf, *self.line)
        tool.err.expect(r"inserted: .* armed\n")
        return tool


@pytest.fixture
def station(request, qemu, dprobes, tmp_path):
    return Station(qemu, dprobes, request.param, tmp_path)


def failed(counters):
    return {name: value for name, value in counters.items() if name not in ("cycles", "stored") and value}


def test_the_page_has_the_faults():
    assert len(FAULTS) == 11 and len({name for name, _ in FAULTS}) == 11


@pytest.mark.parametrize("station", BOARDS, indirect=True)
def test_all_faults_in_one_program(station):
    """Each call that fails is counted once; for each function entries equal returns."""
    functions = [re.match(r"\w+", program)[0] for _, program in FAULTS]
    clauses = [re.sub(r"\bn\b", f"n_{name}", program) for name, program in FAULTS]
    counts = [f'{function}:entry {{ @c["entry", "{function}"] = count(); }} {function}:return {{ @c["return", "{function}"] = count(); }}'
              for function in functions]
    tool = station.start("\n".join(counts + clauses))
    counters = station.run()
    done = tool.interrupt()
    assert failed(counters) == {name: 1 for name, _ in FAULTS}, counters
    found = {tuple(key): int(value) for *key, value in re.findall(r"^ +(entry|return) +(\w+) +(\d+)$", done.stdout, re.M)}
    for function in set(functions):
        assert found["entry", function] == found["return", function] >= CYCLES - len(LOST), (function, found)
    assert failed(station.run()) == {}
    done = station.dprobes("info", "--verify-text", "--elf", station.elf, *station.line)
    assert done.status == 0 and "the same as in" in done.stdout, done


SMALL = "#pragma D option aggsize=16\n#pragma D option dynvarsize=16\n"  # two programs fit the arena


def counting(function):
    """Clauses that count its entries and returns, the values, and the returns that lead to the caller of the entry."""
    return f"""{function}:entry {{ @c["entry", "{function}"] = count(); }}
{function}:return {{ @c["return", "{function}"] = count(); @values["{function}", (long)retval] = count(); }}
{function}:return /((long)caller & ~1) == ((long)entry(caller) & ~1)/ {{ @c["back", "{function}"] = count(); }}
"""


@pytest.mark.parametrize("station", BOARDS_OF_RETURNS, indirect=True)
def test_returns_of_another_program(station, tmp_path):
    """The clauses of `return` of programs that came before and behind it, and have no fault, count a fault as a return."""
    wanted = {"block_alloc": 0, "device_ready": 0, "sensor_value": -40}
    files = {name: tmp_path / f"{name}.d" for name in ("before", "faults", "behind")}
    for name, file in files.items():
        clauses = "".join(f"{function}:entry /++n_{function} == 3/ {{ return({value}); }}\n" for function, value in wanted.items())
        file.write_text(clauses if name == "faults" else SMALL + "".join(map(counting, wanted)), encoding="utf-8")
        assert station.dprobes("insert", "--write", file, "--elf", station.elf, *station.line).status == 0
    assert len(failed(station.run())) == len(wanted)
    for name in ("before", "behind"):
        text = station.dprobes("aggs", files[name], "--elf", station.elf, *station.line).stdout
        found = {tuple(key): int(value) for *key, value in re.findall(r"^ +(entry|return|back) +(\w+) +(\d+)$", text, re.M)}
        for function, value in wanted.items():
            assert found["entry", function] == found["return", function] == found["back", function] >= CYCLES - len(LOST), (function, text)
            assert re.search(rf"^ +{function} +{value} +\d+$", text, re.M), (function, text)
    assert station.dprobes("remove", "--all", *station.line).status == 0
    assert failed(station.run()) == {}
    done = station.dprobes("info", "--verify-text", "--elf", station.elf, *station.line)
    assert done.status == 0 and "the same as in" in done.stdout, done


@pytest.mark.nightly
@pytest.mark.parametrize("station", BOARDS, indirect=True)
def test_each_fault_once(station):
    """The count is exact, with the fault and behind it."""
    assert failed(station.run()) == {}
    for name, program in FAULTS:
        tool = station.start(program)
        counters = station.run()
        assert tool.interrupt().status in (0, 130)
        assert failed(counters) == {name: 1}, (name, counters)
        assert counters["cycles"] == CYCLES and counters["stored"] == CYCLES - (name in LOST), (name, counters)
        assert failed(station.run()) == {}, name
