# SPDX-License-Identifier: BSD-2-Clause
"""Runs conformance cases on a board: through the compiler, the session and the agent of the
firmware tests/guests/conformance, all cases in one boot (tests/tools/board_cases.c)."""
import collections
import re
import subprocess

from . import conformance, process, tool
from .paths import BUILD, TOP, built
import sources_mk

# How a port calls the registers of the simulator, for programs and for --reg; None: it has no such
# register, or its name means another. What is not here has the same name.
REGISTERS = {
    "arm": {"flags": None},
    # r0 is zero there, and arg0 and retval are two registers.
    "mips": {"flags": None, "r0": "r16", "r13": "r29", "sp": "r29", "r14": "r31", "lr": "r31",
             "r15": "pc", "arg0": None, "arg1": None, "arg2": None, "arg3": None, "retval": None},
    # r1 is the stack pointer, lr cannot be written, arg0 is r3.
    "ppc": {"flags": None, "sp": "r13", "lr": "r14", "r15": "pc", "arg0": "r0", "arg1": "r1",
            "arg2": "r2", "arg3": "r3", "retval": "r0"},
}
# Where a register's number in a program is not that of its name.
NUMBERED = {"ppc"}
# Where an instruction has a delay slot, two sites are further apart than one instruction.
SPREAD = {"mips"}
SIM_REGISTER = r"r\d+|sp|lr|pc|flags|arg\d|retval"
REBOOTS_MAX = 5
RUN_S = 600

Outcome = collections.namedtuple("Outcome", "passed failed skipped")


class Board:
    """What a board's name implies."""

    def __init__(self, name):
        self.name = name
        self.elf = built("boards", name, "conformance", "conformance.elf")
        self.port = sources_mk.read(str(TOP / "boards" / name))["PORT"]
        with open(self.elf, "rb") as file:
            header = file.read(6)
        self.word = {1: 32, 2: 64}[header[4]]
        self.endian = {1: "little", 2: "big"}[header[5]]

    def register(self, name):
        return REGISTERS.get(self.port, {}).get(name.lower(), name)


def board_names():
    """Boards whose firmware can run cases."""
    return sorted(path.parent.parent.name
                  for path in (BUILD / "boards").glob("*/conformance/conformance.elf"))


def registers_of(text):
    """The simulator's registers that a program names."""
    return {name.lower() for name in re.findall(
        rf"^\s*(?:\w+:)?\s*(?:push|pop)\s+(?:[ru]\s*,\s*)?({SIM_REGISTER})\b", text,
        re.IGNORECASE | re.MULTILINE)}


def why_not(case, board):
    """Why the case cannot run there, or None."""
    if (board.word, board.endian) not in case.forms():
        return f"not for {board.word}-bit {board.endian}-endian"
    if case.values.get("cpu", "sim") != "sim":
        return f"for the CPU {case.values['cpu']}"
    if "boards" in case.values:
        return case.values["boards"].removeprefix("no, ")
    named = registers_of(case.program()) | {value.split("=")[0] for value in case.values.get("reg", [])}
    missing = [name for name in sorted(named) if board.register(name) is None]
    if missing:
        return f"{board.port} has no register like {missing[0]}"
    for number in re.findall(r"^\s*(?:push|pop)\s+[ru]\s*,\s*(\d\w*)", case.program(), re.MULTILINE):
        if board.port in NUMBERED or board.register(f"r{int(number, 0)}") != f"r{int(number, 0)}":
            return f"{board.port} numbers its registers differently"
    return None


def program_for(case, board):
    """The program with the board's registers."""
    def renamed(match):
        return match.group(1) + board.register(match.group(2))

    text = re.sub(rf"^(\s*(?:\w+:)?\s*(?:push|pop)\s+(?:[ru]\s*,\s*)?)({SIM_REGISTER})\b", renamed,
                  case.program(), flags=re.IGNORECASE | re.MULTILINE)
    if board.port in SPREAD and len(re.findall(r"^\s*offset\b", text, re.MULTILINE)) > 1:
        text = re.sub(r"^(\s*offset\s*=\s*0x10)0([48])\s*$", r"\g<1>\g<2>0", text,
                      flags=re.MULTILINE)
    return text


def script(number, case, board):
    """The case as board_cases reads it."""
    text = program_for(case, board).encode()
    lines = [f"case {number}\ntext {len(text)}\n".encode() + text]
    for key in ("mem", "mem-ro"):
        for value in case.values.get(key, []):
            address, data = value.split("=")
            lines.append(f"guest {key} {int(address, 0):x} {data.lower()}\n".encode())
    for value in case.values.get("reg", []):
        name, amount = value.split("=")
        amount = int(amount, 0) % (1 << board.word)
        lines.append(f"guest reg {board.register(name)} {amount:x}\n".encode())
    for value in case.values.get("hits", ["1"]):
        minor, _, count = value.rpartition(":")
        lines.append(f"hit {minor or '-'} {int(count, 0)}\n".encode())
    return b"".join(lines) + b"end\n"


def globals_of(case):
    """How many global variables it asks for. They are one array, as large as the largest request
    since the agent started, and bounds are checked against all of it (rpn.md C65): cases run in
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


def _run_once(boot, board, cases, numbers):
    """Run these cases on a fresh board; returns results() and what else was printed."""
    machine = boot(board.name, elf=board.elf, hold=())
    command = [built("host-asan", "board_cases"), machine.url("com1"), machine.url("com2"),
               board.port, str(board.word), board.endian]
    child = process.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=tool.environment())
    data = b"".join(script(number, cases[number], board) for number in numbers)
    try:
        stdout, stderr = child.communicate(data, timeout=RUN_S)
    finally:
        process.kill_group(child)
        machine.kill()
    found = results(stdout.decode("utf-8", "backslashreplace"))
    lines = found.pop(None) + stderr.decode("utf-8", "backslashreplace").splitlines()
    return found, "\n".join(lines)


def run(boot, board, cases):
    """All cases that can run there. passed: how many; failed: texts; skipped: reason -> how many."""
    skipped = collections.Counter()
    waiting = []
    for number, case in enumerate(cases):
        reason = why_not(case, board)
        if reason:
            skipped[reason] += 1
        else:
            waiting.append(number)
    waiting.sort(key=lambda number: globals_of(cases[number]))
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
    return Outcome(passed, failed, skipped)


def verdict(case, board, lines):
    """What is wrong with what one case printed, or None."""
    expected = case.expected(board.word, board.endian)
    if lines[-1:] == ["end"] and conformance.same(expected, lines[:-1], board.word):
        return None
    return "\n".join([
        f"{case.file}:{case.line}: {case.name} ({board.name})",
        "program:", *("    " + line for line in program_for(case, board).splitlines()),
        "expected:", *("    " + line for line in expected),
        "printed:", *("    " + line for line in lines), ""])
