# SPDX-License-Identifier: BSD-2-Clause
"""Variables of the demo firmware at each statement, compared with what gdb finds in the same file: names, types, and
where each is; call frames compared with what readelf finds."""
import json
import re
import subprocess

import pytest

import cpus
from harness import dwarf_value, process, tool
from harness.paths import TESTS, built, program

BOARDS = cpus.boards()


def library(*arguments):
    """What test_debuginfo prints: rows of fields."""
    run = subprocess.run([built("host-asan", "tests", "host", "test_debuginfo"), *map(str, arguments)], check=False,
                         capture_output=True, text=True, env=tool.environment(), timeout=process.TIMEOUT_S)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]
    return [line.split("\t") for line in run.stdout.splitlines()]


def by_address(rows):
    found = {}
    for kind, *fields in rows:
        if kind == "address":
            entry = found[int(fields[0], 16)] = {"text": fields[1], "frames": [], "variables": []}
        elif kind in ("frame", "variable"):
            entry[kind + "s"].append(fields)
    return found


def gdb_scopes(elf, addresses, sign_extends, tmp_path):
    (tmp_path / "addresses").write_text("\n".join(map(hex, addresses)))
    run = subprocess.run([program("gdb-multiarch"), "-nx", "-q", "-batch", "-ex",
                          f'python ADDRESSES, SIGN_EXTENDS = "{tmp_path / "addresses"}", {sign_extends}', "-x",
                          TESTS / "lib" / "tools" / "gdb_scopes.py", elf],
                         check=True, capture_output=True, text=True, timeout=process.TIMEOUT_S)
    rows = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    assert len(rows) == len(addresses), run.stderr
    return {row["address"]: row for row in rows}


def frames_of_readelf(elf):
    """{first: [(address, CFA register, offset, return address)]} of each function, and where it ends."""
    text = subprocess.run([program("readelf"), "--debug-dump=frames-interp", elf], check=True, capture_output=True,
                          text=True).stdout
    found, columns, common = [], [], {}
    for block in map(str.strip, text.split("\n\n")):
        head = re.match(r"(\w+) \w+ \w+ (?:CIE .* ra=\d+|FDE cie=(\w+) pc=(\w+)\.\.(\w+))", block)
        if not head:
            continue
        lines = block.splitlines()
        columns = lines[1].split() if len(lines) > 1 else []
        rows = [dict(zip(columns, line.split())) for line in lines[2:]]
        if head.group(2) is None:
            common[head.group(1)] = rows[0] if rows else {}
            continue
        first, last = int(head.group(3), 16), int(head.group(4), 16)
        rows = rows or [{**common[head.group(2)], "LOC": head.group(3)}]
        found.append((first, last, [(int(row["LOC"], 16), row["CFA"], row.get("ra", "u")) for row in rows]))
    return found


class Frames:
    """The CFA at an address, as readelf interprets the table."""

    def __init__(self, elf, cpu):
        self.functions, self.cpu = frames_of_readelf(elf), cpu

    def at(self, address):
        for first, last, rows in self.functions:
            if first <= address < last:
                return [row for row in rows if row[0] <= address][-1]
        return None

    def cfa(self, address):
        row = self.at(address)
        if row is None:
            raise dwarf_value.Unknown("no frame")
        name, number, offset = re.fullmatch(r"(r(\d+)|\w+)([+-]\d+)", row[1]).groups()
        if number:  # where readelf has no names for the CPU
            name = self.cpu.gdb_names[int(number) + self.cpu.dwarf_base]
        return (dwarf_value.register(name) + int(offset)) & dwarf_value.MASK


def same_type(ours, gdbs):
    """Spaces around stars are a matter of taste, and so is the order of the words of `unsigned long`."""
    ours = re.sub(r"\b(long|short)( long)?( unsigned)? int\b",
                  lambda m: (m.group(3) or "").strip() + " " + m.group(1) + (m.group(2) or ""), ours)
    ours, gdbs = (re.sub(r"\s*([*\[(,)])\s*", r"\1", " ".join(text.split())) for text in (ours, gdbs))
    return ours == gdbs


class Comparison:
    def __init__(self, frames, names):
        self.frames, self.names = frames, names
        self.equal = self.unknown = 0
        self.wrong = []

    def location(self, address, variable, text, begins):
        """One variable's place by both."""
        fields = variable[7:]
        try:
            theirs = dwarf_value.gdbs(text, address, lambda: self.frames.cfa(address), begins)
        except (dwarf_value.Unknown, IndexError, ZeroDivisionError):
            self.unknown += 1
            return
        mine = []
        for field in fields:
            try:
                mine.append(dwarf_value.ours(field, self.names))
            except dwarf_value.Unknown:
                mine.append(("unknown", 0, None))
        if any(kind in ("refused", "unknown", "pointer") for kind, _, _ in mine):
            self.unknown += 1
        elif [self.comparable(p) for p in mine] == [self.comparable(p) for p in theirs]:
            self.equal += 1
        else:
            self.wrong.append((hex(address), variable[:7], text, mine, theirs))

    @staticmethod
    def comparable(piece):
        kind, bits, value = piece
        return (kind,) if kind == "absent" else (kind, bits, None if kind == "bytes" else value)


READ = {}


# The tests of a board run in one process, which asks gdb once for all of them.
# gdb takes seconds for a board: one is left to the night.
@pytest.fixture(params=[pytest.param(board, marks=[pytest.mark.xdist_group(f"scopes of {board}"), *night])
                        for board, night in ((board, [pytest.mark.nightly] if board == BOARDS[1] else []) for board in BOARDS)])
def both(request, tmp_path):
    """(board, ELF file, ours, gdb's) of each statement."""
    if request.param not in READ:
        elf = built("boards", request.param, "demo.elf")
        mine = by_address(library("statements", elf))
        theirs = gdb_scopes(elf, sorted(mine), cpus.of_board(request.param).gdb_sign_extends, tmp_path)
        # gdb finds no line where a unit of the assembler has its size before the linker shortened it, and lies over the next one.
        found = {address: entry for address, entry in mine.items() if theirs[address]["file"]}
        assert len(found) > 0.99 * len(mine)
        READ[request.param] = request.param, elf, found, theirs
    return READ[request.param]


def left_over(mine, theirs):
    """What gdb lists beyond ours. None: it does not list all of ours."""
    rest = list(theirs)
    for row in mine:
        match = next((other for other in rest if other[0] == row[0] and same_type(row[1], other[1])), None)
        if match is None:
            return None
        rest.remove(match)
    return rest


def test_variables_as_gdb_finds_them(both):
    """gdb lists some variables of an inlined function a second time, as optimized out."""
    board, elf, mine, theirs = both
    cpu = cpus.of_board(board)
    assert len(mine) > 3000
    comparison = Comparison(Frames(elf, cpu), cpu.gdb_names.get)
    wrong, readable, variables, again = [], 0, 0, 0
    for address, found in mine.items():
        expected = theirs[address]
        rest = left_over([v[:2] for v in found["variables"]], [v[:2] for v in expected["variables"]])
        described = expected["described"] or []
        absent = [name for name, text in described if text.startswith("optimized out")]
        if rest is None or any(name not in absent for name, _ in rest):
            wrong.append((hex(address), found["variables"], expected["variables"]))
            continue
        again += len(rest)
        variables += len(found["variables"])
        readable += sum(v[5] == "readable" for v in found["variables"])
        for variable in found["variables"]:
            texts = [text for name, text in described if name == variable[0]]
            if len(texts) == 1:
                comparison.location(address, variable, texts[0], found["frames"][-1][3] == "0")
    print(f"{board}: {len(mine)} statements, {variables} variables, {readable} readable; places equal "
          f"{comparison.equal}, not comparable {comparison.unknown}; listed twice by gdb {again}")
    assert not wrong, (len(wrong), [tuple(map(str, w)) for w in wrong[:5]])
    assert not comparison.wrong, comparison.wrong[:5]
    assert comparison.equal > 10 * comparison.unknown > 0 and again < variables / cpu.gdb_again


def statements_of_readelf(elf):
    """{(address, line)} of the rows that begin a statement."""
    text = subprocess.run([program("readelf"), "--debug-dump=decodedline", "-W", elf], check=True,
                          capture_output=True, text=True).stdout
    rows = re.findall(r"^\S+ +(\d+) +0x([0-9a-f]+)(?: +\d+)? +x$", text, re.M)
    return {(int(address, 16), int(line)) for line, address in rows}


def test_lines_as_gdb_finds_them(both):
    """Where a row that begins no statement follows at the same address, gdb takes that one."""
    _, elf, mine, theirs = both
    statements = statements_of_readelf(elf)
    wrong = [(address, found["frames"][0], theirs[address]["line"]) for address, found in mine.items()
             if found["frames"] and int(found["frames"][0][2]) != theirs[address]["line"]]
    assert all((address, int(frame[2])) in statements for address, frame, _ in wrong), wrong[:5]
    assert len(wrong) < len(mine) / 50
    files = [(address, found["frames"][0][1], theirs[address]["file"]) for address, found in mine.items()
             if found["frames"] and found["frames"][0][1] != theirs[address]["file"].removeprefix("./")]
    assert not files, files[:5]


@pytest.mark.parametrize("board", BOARDS)
def test_frames_as_readelf_finds_them(board):
    """The linker's removed functions stand at 0."""
    elf, cpu = built("boards", board, "demo.elf"), cpus.of_board(board)
    frames = Frames(elf, cpu)
    rows = {row[0]: row for first, last, rows in frames.functions for row in rows if first <= row[0] < last and first}
    pending, compared = sorted(rows), 0
    for fields in library("frame", elf, *map(hex, pending)):
        if fields[0] == "cfa":
            address = pending.pop(0)
            kind, _, value = dwarf_value.ours(fields[2], cpu.gdb_names.get)
            assert (kind, value) == ("value", frames.cfa(address)), (hex(address), fields, rows[address])
            compared += 1
        elif fields[0] == "caller":
            rule = rows[address][2]
            assert fields[1].startswith("[") == rule.startswith("c"), (hex(address), fields, rule)
    assert compared == len(rows) > 500
