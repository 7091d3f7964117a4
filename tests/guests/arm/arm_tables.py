# SPDX-License-Identifier: BSD-2-Clause
"""The decode tables of port/arm and port/thumb as the tests read them: rows, and which row a word belongs to."""
import collections
import pathlib
import re

PORT = pathlib.Path(__file__).resolve().parents[3] / "port"
FILES = {"a32": "arm/decode_a32.def", "t16": "thumb/decode_t16.def", "t32": "thumb/decode_t32.def",
         "sys": "arm/system_t32.def"}
# Without DP_ARM_WITH_RARE.
COMMON_FILES = {**FILES, "a32": "arm/common_a32.def", "t32": "thumb/common_t32.def",
                "sys": "arm/common_system_t32.def"}
PC, SP, LR = 15, 13, 14
# Where registers are.
FIELDS = (16, 12, 8, 0)
ALLOWED = {"A": set(range(16)), "P": set(range(15)), "S": set(range(15)) - {SP},
           "Z": {0}}

# arch: as written; regs: four of A P S Z; refusal: the reason's name or None; what: text. A row that only
# checks registers decides when they are wrong, and refuses.
Row = collections.namedtuple("Row", "table number mask value regs arch treatment refusal what")

_ROW = re.compile(r"^(?:DP_GROUP(?:16)?\((?P<group>\w+(?:, \w+){3}(?:(?:, \w+){4})?)\)|"
                  r"DP_ROW(?:16)?\(((?:\w+, ){4}(?:(?:\w+, ){4})?)(5_ONLY|[567]), "
                  r"(?:DP_)?((?:\w+)(?:\(\w+\))?), \"(.*)\"\))$", re.MULTILINE)


def nibble(text):
    """Four bits as the tables write them: (mask, value, register constraint)."""
    if text in "PSZ_g":
        return 0, 0, text if text in "PSZ" else "A"
    if len(text) == 1:
        return 15, int(text, 16), "A"
    return (int(text.replace("0", "1").replace("x", "0"), 2), int(text.replace("x", "0"), 2), "A")


def read(table, files):
    """All rows of a table, in order."""
    text = (PORT / files[table]).read_text(encoding="ascii")
    rows = []
    group = ["_"] * 8
    for match in _ROW.finditer(text):
        if match["group"]:
            group = match["group"].split(", ")
            continue
        pattern, arch, treatment, what = match.groups()[1:]
        mask = value = 0
        constraint = {}
        nibbles = pattern.strip(", ").split(", ")
        for at, (of_group, here) in enumerate(zip(group, nibbles)):
            (bits, wanted, register), (least, so, _) = nibble(here), nibble(of_group)
            assert here == "g" and least or here != of_group and bits & least == least and wanted & least == so or \
                not least and here != "g", f"{what}: {here} in a group with {of_group}"
            mask, value = mask << 4 | bits | least, value << 4 | wanted | so
            constraint[4 * (len(nibbles) - 1 - at)] = register
        assert all(at in FIELDS for at, register in constraint.items() if register != "A"), what
        reason = re.fullmatch(r"REFUSE\((\w+)\)", treatment)
        rows.append(Row(table, len(rows), mask, value, "".join(constraint.get(at, "A") for at in FIELDS),
                        arch, treatment,
                        "UNPREDICTABLE" if treatment == "CHECK" else reason and reason.group(1), what))
    assert len(rows) == len(re.findall(r"^DP_ROW", text, re.MULTILINE)), table
    assert len(_ROW.findall(text)) == len(re.findall(r"^DP_(?:ROW|GROUP)", text, re.MULTILINE)), table
    return rows


TABLES = {table: read(table, FILES) for table in FILES}
COMMON = {table: read(table, COMMON_FILES) for table in FILES}


def exists(row, architecture):
    return architecture < 6 if row.arch == "5_ONLY" else architecture >= int(row.arch)


def table_of(insn, thumb, size, architecture):
    """The table that decides about the instruction."""
    if not thumb:
        return "a32"
    if size == 2:
        return "t16"
    if architecture >= 7 and 0xec <= insn >> 24 <= 0xee:
        return "a32"
    return "sys" if is_system(insn) else "t32"


def is_system(insn):
    """Of status registers: dp_thumb_is_system."""
    return insn & 0xff80d000 == 0xf3808000 and insn & 0x00600000 != 0x00200000


def row_of(insn, table, architecture, tables=None):
    """The row that decides, first match wins."""
    for row in (tables or TABLES)[table]:
        if insn & row.mask == row.value and exists(row, architecture) and not (
                row.treatment == "CHECK" and registers_allowed(insn, row)):
            return row
    raise AssertionError("the last row matches everything")


def registers_allowed(insn, row):
    return all(insn >> low & 15 in ALLOWED[kind] for low, kind in zip(FIELDS, row.regs))


def is_rare(insn, thumb, size, architecture):
    """Is the instruction refused without DP_ARM_WITH_RARE?"""
    row = row_of(insn, table_of(insn, thumb, size, architecture), architecture, COMMON)
    return bool(row.refusal) or not registers_allowed(insn, row)
