# SPDX-License-Identifier: BSD-2-Clause
"""Runs conformance cases on a board: through the compiler, the session and the agent of the
firmware tests/guests/conformance, all cases in one boot (tests/lib/tools/board_cases.c)."""
import collections
import pathlib
import re
import subprocess
import tempfile

import cpus
import sources_mk
import tables
from . import conformance, process, tool
from .paths import BUILD, TOP, built

# How a port calls the registers of the simulator, for programs and for --reg; None: it has no such
# register. What is not here has the same name.
REGISTERS = cpus.column("simulated")
DELAY_SLOTS = cpus.column("delay_slots")  # the simulated CPU has no row
# Below it every guest can place one (cpu_place_site).
SITES = 0x10000
# CROSS of boards/BOARD/sources.mk
ENDIANS = {prefix: order for row in cpus.rows() for order, prefix in row.cross.items()}
SIM_REGISTER = r"r\d+|sp|lr|pc|flags|arg\d|retval"
REBOOTS_MAX = 5

Outcome = collections.namedtuple("Outcome", "passed failed")


class Machine:
    """What of a board says which cases it can run."""

    def __init__(self, port, endian, word=32):
        self.port, self.endian, self.word = port, endian, word

    def register(self, name):
        return REGISTERS.get(self.port, {}).get(name.lower(), name)

    def row(self, name):
        """The row of the port's register table, by the port's name or alias."""
        return next(row for row in tables.registers(self.port)
                    if name.lower() in (row.name, *row.aliases))


class Board(Machine):
    """A board whose firmware is built. program: another guest than that with plans."""

    def __init__(self, name, program="conformance"):
        self.name = name
        self.elf = built("boards", name, program, f"{program}.elf")
        with open(self.elf, "rb") as file:
            header = file.read(6)
        super().__init__(_facts(name)[0], {1: "little", 2: "big"}[header[5]], {1: 32, 2: 64}[header[4]])


def _facts(name):
    facts = sources_mk.read(str(TOP / "boards" / name))
    return facts["PORT"], ENDIANS[facts["CROSS"]]


def machines():
    """{(port, byte order): names of the boards} of every board with a guest for the cases."""
    found = {}
    for path in sorted((TOP / "boards").glob("*/sources.mk")):
        facts = _facts(path.parent.name)
        if (TOP / "tests" / "guests" / "conformance" / facts[0]).is_dir():
            found.setdefault(facts, []).append(path.parent.name)
    return found


def board_names():
    """Boards whose firmware can run cases."""
    return sorted(path.parent.parent.name
                  for path in (BUILD / "boards").glob("*/conformance/conformance.elf"))


def registers_of(text):
    """The simulator's registers that a program names."""
    return {name.lower() for name in re.findall(
        rf"^\s*(?:\w+:)?\s*(?:push|pop)\s+(?:[ru]\s*,\s*)?({SIM_REGISTER})\b", text,
        re.IGNORECASE | re.MULTILINE)}


def _native(case, board):
    """Is it written for this very CPU, with its registers?"""
    return case.values.get("cpu") == board.port


def why_not(case, board):
    """Why the case cannot run there, or None."""
    cpu = case.values.get("cpu", "sim")
    if cpu != "sim" and not _native(case, board):
        return f"a program for the CPU {cpu}"
    if "boards" in case.values:
        return case.values["boards"].removeprefix("no, ")
    if (board.word, board.endian) not in case.forms():
        words, endians = ({form[i] for form in case.forms()} for i in (0, 1))
        if board.word not in words:
            return f"claims something of {min(words)}-bit words"
        return f"claims something of {min(endians)}-endian bytes"
    if re.search(r"^\s*modtype\s*=\s*(kmod|user)\b", case.program(), re.IGNORECASE | re.MULTILINE):
        return "the probes of a module wait for it, and the guest announces none"
    if re.search(r"^\s*watchpoint\b", case.program(), re.IGNORECASE | re.MULTILINE):
        return "no board has a port with watchpoints"
    named = registers_of(case.program()) | {value.split("=")[0] for value in case.values.get("reg", [])}
    missing = [name for name in sorted(named) if board.register(name) is None]
    if missing and not _native(case, board):
        return f"{board.port} has no register that can be set like the simulator's {missing[0]}"
    if _native(case, board):
        names = {name for row in tables.registers(board.port) for name in (row.name, *row.aliases)}
        stacked = [value for value in case.values.get("reg", []) if value.split("=")[0].lower() not in names]
        if stacked:
            return f"{board.port} has {stacked[0].split('=')[0]} on the stack"
    return None


def program_for(case, board):
    """The program with the board's registers."""
    def renamed(match):
        name = match.group(2)
        if name[0].isdigit():
            return match.group(1) + hex(board.row(board.register(f"r{int(name, 0)}")).index)
        return match.group(1) + board.register(name)

    text = case.program()
    if not _native(case, board):
        for register in (rf"(?:[ru]\s*,\s*)?)({SIM_REGISTER})", r"[ru]\s*,\s*)(0x[0-9a-f]+|\d+)"):
            text = re.sub(rf"^(\s*(?:\w+:)?\s*(?:push|pop)\s+{register}\b", renamed, text,
                          flags=re.IGNORECASE | re.MULTILINE)
    if DELAY_SLOTS.get(board.port) and len(re.findall(r"^\s*offset\b", text, re.MULTILINE)) > 1:
        text = re.sub(r"^(\s*offset\s*=\s*0x10)0([48])\s*$", r"\g<1>\g<2>0", text,
                      flags=re.MULTILINE)
    return text


def _options(case, folder):
    """Its options -s FILE and -DKEY=VALUE, the only ones that cases have. Symbols are moved to where sites can be."""
    words = iter(case.values.get("args", "").split())
    for word in words:
        if word.startswith("-D"):
            yield f"define {word[2:]}\n".encode()
            continue
        assert word == "-s", case.values["args"]
        name = next(words)
        text = pathlib.Path(case.values["path"]).with_name(name).read_text(encoding="utf-8")
        moved = pathlib.Path(folder) / name
        moved.write_text(re.sub(r"^[0-9a-f]+", lambda match: f"{int(match[0], 16) % SITES:08x}", text, flags=re.M),
                         encoding="utf-8")
        yield f"sym {moved}\n".encode()


def script(number, case, board, folder):
    """The case as board_cases reads it."""
    text = program_for(case, board).encode()
    lines = [f"case {number}\ntext {len(text)}\n".encode() + text, *_options(case, folder)]
    for key in ("mem", "mem-ro"):
        for value in case.values.get(key, []):
            address, data = conformance.expand(value, board.word, board.endian).split("=")
            lines.append(f"guest {key} {int(address, 0):x} {data.lower()}\n".encode())
    for value in case.values.get("reg", []):
        name, amount = value.split("=")
        amount = int(amount, 0) % (1 << board.word)
        if not _native(case, board):
            name = board.register(name)
        lines.append(f"guest reg {board.row(name).name} {amount:x}\n".encode())
    for value in case.values.get("hits", ["1"]):
        minor, _, count = value.rpartition(":")
        lines.append(f"hit {minor or '-'} {int(count, 0)}\n".encode())
    return b"".join(lines) + b"end\n"


def globals_of(case):
    """How many global variables it asks for. They are one array, as large as the largest request
    since the agent started, and bounds are checked against all of it (decisions.txt C65): cases run in
    the order of their requests."""
    sizes = re.findall(r"^\s*gvars\s*=\s*(\w+)", case.program(), re.IGNORECASE | re.MULTILINE)
    return max((int(size, 0) if size[0].isdigit() else 256 for size in sizes), default=0)


def results(output):
    """Case number -> lines it printed; the last one may have no end. None: before the first."""
    found, number = {None: []}, None
    for line in output.splitlines():
        if line.startswith("case "):
            number = int(line[5:])
            found[number] = []
        else:
            found[number].append(line)
    return found


def _run_once(boot, board, cases, numbers, *options):
    """Run these cases on a fresh board; returns results() and what else was printed. options: of board_cases."""
    folder = tempfile.TemporaryDirectory()
    data = b"".join(script(number, cases[number], board, folder.name) for number in numbers)
    machine = boot(board.name, elf=board.elf, hold=())
    command = [built("host-asan", "board_cases"), machine.url("com1"), machine.url("com2"),
               board.port, str(board.word), board.endian, *options]
    child = process.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=tool.environment())
    try:
        stdout, stderr = child.communicate(data, timeout=process.TIMEOUT_S)
    finally:
        process.kill_group(child)
        machine.kill()
        folder.cleanup()
    found = results(stdout.decode("utf-8", "backslashreplace"))
    lines = found.pop(None) + stderr.decode("utf-8", "backslashreplace").splitlines()
    return found, "\n".join(lines)


def kept_out(board, cases):
    """{reason: cases} of those that cannot run there."""
    found = {}
    for case in cases:
        reason = why_not(case, board)
        if reason:
            found.setdefault(reason, []).append(case)
    return found


def _in_order(board, cases):
    """Numbers of the cases that can run there."""
    numbers = [number for number, case in enumerate(cases) if not why_not(case, board)]
    return sorted(numbers, key=lambda number: globals_of(cases[number]))


PLAN_KINDS = [name.lower() for name in re.findall(r"^\tDP_PLAN_(\w+),", re.search(
    r"enum dp_plan_kind {(.*?)^}", (TOP / "agent/vm/dp_plan_code.h").read_text(encoding="utf-8"), re.M | re.S)[1], re.M)]
States = collections.namedtuple("States", "printed plans")


def states(boot, board, cases):
    """printed: case number -> records and state of all cases that can run there; plans: {kind: sites} of PLAN_KINDS."""
    found, errors = _run_once(boot, board, cases, _in_order(board, cases), "state")
    assert len(found) == len(_in_order(board, cases)), f"{board.name}: {len(found)} cases, then: {errors}"
    plans = collections.Counter()
    for lines in found.values():
        for line in [line for line in lines if line.startswith("plans ")]:
            plans.update(dict(zip(PLAN_KINDS, (int(number, 16) for number in line.split()[1:]))))
    return States({number: [line for line in lines if not line.startswith("plans ")] for number, lines in found.items()},
                  plans)


def records_of(lines):
    """What a case has printed, without the state."""
    return [line for line in lines if not line.startswith("state ")]


def _answers_last(lines):
    """Records come on one line and the guest's answers on another: each has an order of its own, and the two have none."""
    return sorted(lines, key=lambda line: line.startswith("state "))


def differences(cases, with_plans, without):
    """Texts: what hits by plans have made otherwise than hits without plans."""
    return [f"{cases[number].file}:{cases[number].line}: {cases[number].name}\nby plans: {with_plans.printed[number]}\n"
            f"without:  {without.printed[number]}" for number in with_plans.printed
            if _answers_last(with_plans.printed[number]) != _answers_last(without.printed[number])]


def run(boot, board, cases):
    """All cases that can run there. passed: how many; failed: texts."""
    waiting = _in_order(board, cases)
    passed, failed = 0, []
    for _ in range(1 + REBOOTS_MAX):
        found, errors = _run_once(boot, board, cases, waiting)
        for number in found:
            text = verdict(cases[number], board, found[number])
            if text:
                failed.append(text + errors)
            passed += not text
        waiting = [number for number in waiting if number not in found]
        if not waiting or not found:
            break
    if waiting:
        failed.append(f"{len(waiting)} cases did not run on {board.name}: {errors}")
    return Outcome(passed, failed)


CORE = re.compile(r"\d+ \d+ core ")  # a record of a core


def verdict(case, board, lines):
    """What is wrong with what one case printed, or None. Behind the record of `exit 3` an agent sends a core, whose words
    are the board's own: the language says nothing of them (test_agent_core.c)."""
    expected = case.expected(board.word, board.endian)
    found = lines[:-1]
    if re.search(r"^\s*exit\s+3\b", case.program(), re.IGNORECASE | re.MULTILINE):
        found = [line for line in found if not CORE.match(line)]
    if lines[-1:] == ["end"] and conformance.same(expected, found, board.word):
        return None
    return "\n".join([
        f"{case.file}:{case.line}: {case.name} ({board.name})",
        "program:", *("    " + line for line in program_for(case, board).splitlines()),
        "expected:", *("    " + line for line in expected),
        "printed:", *("    " + line for line in lines), ""])
