# SPDX-License-Identifier: BSD-2-Clause
"""The decode tables of port/arm as the tests read them: rows, and which row a word belongs to."""
import collections
import pathlib
import re

PORT = pathlib.Path(__file__).resolve().parents[3] / "port" / "arm"
FILES = {"a32": "decode_a32.def", "t16": "decode_t16.def", "t32": "decode_t32.def"}
PC, SP, LR = 15, 13, 14
# Where a row's four constraints look: R(n, d, s, m).
FIELDS = (16, 12, 8, 0)
ALLOWED = {"A": set(range(16)), "P": set(range(15)), "S": set(range(15)) - {SP},
           "Z": {0}}

# arch: as written; regs: four of A P S Z; refusal: the reason's name or None; what: text. A row that only
# checks registers decides when they are wrong, and refuses.
Row = collections.namedtuple("Row", "table number mask value regs arch treatment refusal what")

_ROW = re.compile(r"^ROW(?:16)?\((0x\w+), (0x\w+), (?:R\((\w), (\w), (\w), (\w)\), )?(\w+), "
                  r"((?:\w+)(?:\(\w+\))?), \"(.*)\"\)$", re.MULTILINE)


def read(table):
    """All rows of a table, in order."""
    text = (PORT / FILES[table]).read_text(encoding="ascii")
    rows = []
    for match in _ROW.finditer(text):
        mask, value, *regs, arch, treatment, what = match.groups()
        reason = re.fullmatch(r"REFUSE\((\w+)\)", treatment)
        rows.append(Row(table, len(rows), int(mask, 16), int(value, 16),
                        "".join(regs) if regs[0] else "AAAA", arch, treatment,
                        "UNPREDICTABLE" if treatment == "CHECK" else reason and reason.group(1), what))
    assert len(rows) == len(re.findall(r"^ROW", text, re.MULTILINE)), table
    return rows


TABLES = {table: read(table) for table in FILES}


def exists(row, architecture):
    return architecture < 6 if row.arch == "5_ONLY" else architecture >= int(row.arch)


def table_of(insn, thumb, size, architecture):
    """The table that decides about the instruction."""
    if not thumb:
        return "a32"
    if size == 2:
        return "t16"
    return "a32" if architecture >= 7 and 0xec <= insn >> 24 <= 0xee else "t32"


def row_of(insn, table, architecture):
    """The row that decides, first match wins."""
    for row in TABLES[table]:
        if insn & row.mask == row.value and exists(row, architecture) and not (
                row.treatment == "CHECK" and registers_allowed(insn, row)):
            return row
    raise AssertionError("the last row matches everything")


def registers_allowed(insn, row):
    return all(insn >> low & 15 in ALLOWED[kind] for low, kind in zip(FIELDS, row.regs))
