# SPDX-License-Identifier: BSD-2-Clause
"""The tables of protocol/PROTOCOL.md, made from the .def files beside it. Each stands between `<!-- NAME: made from FILES -->` and `<!-- end -->`."""
import collections
import re
import subprocess

import tables
from tables import TOP

TARGET = TOP / "protocol" / "PROTOCOL.md"
_BLOCK = re.compile(r"^(<!-- ([a-z_]+): made from [^\n]* -->\n).*?^(<!-- end -->)$", re.M | re.S)

Field = collections.namedtuple("Field", "name type absent meaning")

# messages.def has macros of its own, so the preprocessor reads it.
_SHOW = """
#define DP_MESSAGE(message, kind) @begin(message, kind)
#define DP_NOTHING(message, kind) @begin(message, kind)
#define DP_FIELD(message, kind, name, type, meaning) @row(message, kind, name, type, "", meaning)
#define DP_LATER(message, kind, name, type, absent, meaning) @row(message, kind, name, type, absent, meaning)
"""


def messages():
    """{(message, kind): fields}"""
    made = subprocess.run(["cc", "-E", "-P", "-x", "c", "-"], text=True, check=True, stdout=subprocess.PIPE,
                          input=_SHOW + (TOP / "protocol/messages.def").read_text(encoding="utf-8")).stdout
    found = {}
    for macro, text in re.findall(r'@(\w+)\(((?:"(?:[^"\\]|\\.)*"|[^")])*)\)', made):
        message, kind, *field = tables.arguments(text)
        if macro == "begin":
            found[message, kind] = []
        else:
            found[message, kind].append(Field(*field))
    return found


def _table(head, rows):
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def _meaning(field):
    if not field.absent:
        return field.meaning
    return f"{field.meaning}. Older agents omit this field: {int(field.absent, 0):x}"


def _fields(fields, first=""):
    """Rows of a message's fields; `first` stands before the first of them."""
    rows = [[first if n == 0 else "", field.name, field.type, _meaning(field)] for n, field in enumerate(fields)]
    return rows or [[first, "", "", "no fields"]]


def _requests():
    known, lines = messages(), []
    for number, name, _, from_hit, right, repeatable in tables.rows("protocol/commands.def", "DP_CMD"):
        message = name.lower()
        needs = "" if right == "NONE" else f", needs the right {right}"
        served = ", also served during hits" if from_hit == "1" else ""
        again = ", repeatable" if repeatable == "1" else ""
        lines += [f"**{name}**, {int(number, 16):02x}{needs}{served}{again}", ""]
        rows = _fields(known[message, "request"], "request") + _fields(known[message, "answer"], "answer")
        if (message, "in_use") in known:
            rows += _fields(known[message, "in_use"], "with IN_USE")
        lines += _table(["", "field", "type", "meaning"], rows)
        lines.append("")
    return lines[:-1]


def _line(name, kind="line"):
    return _table(["field", "type", "meaning"], [row[1:] for row in _fields(messages()[name, kind])])


def _notices():
    known, rows = messages(), []
    for number, name, sentence in tables.rows("protocol/notices.def", "DP_NOTICE"):
        rows += [[*cells, *field[1:]] for cells, field in zip(
            [[f"{int(number):02x}", name, sentence]] + [[""] * 3] * 9, _fields(known[name.lower(), "notice"]))]
    return _table(["number", "notice", "meaning", "field", "type", "meaning of the field"], rows)


def _rows(path, macro, first, name, sentence):
    """A table of the rows of a macro; its columns have these places, the number or bit is the first."""
    return _table([first, "name", "meaning"], [[f"{int(row[0], 0):0{2 if first == 'bit' else 1}x}", row[name], row[sentence]]
                                               for row in tables.rows(f"protocol/{path}.def", macro)])


def _parts():
    return _table(["bit", "part", "feature", "needed for"], tables.rows("protocol/parts.def", "DP_PART"))


_BLOCKS = {
    "parts": _parts,
    "requests": _requests,
    "sync_line": lambda: _line("sync"),
    "notice_head": lambda: _line("notice", "head"),
    "notices": _notices,
    "record_kinds": lambda: _rows("record_kinds", "DP_RECORD_KIND", "number", 1, 3),
    "record_flags": lambda: _rows("record_kinds", "DP_RECORD_FLAG", "bit", 1, 2),
    "map_kinds": lambda: _rows("map_kinds", "DP_KIND_OF_MAP", "number", 1, 4),
    "point_kinds": lambda: _rows("point_kinds", "DP_POINT_KIND", "number", 1, 3),
    "phases": lambda: _rows("phases", "DP_PHASE", "number", 1, 3),
    "nonce_sources": lambda: _rows("nonce_sources", "DP_NONCE_SOURCE", "number", 1, 3),
    "probe_states": lambda: _rows("probe_states", "DP_PROBE_STATE", "number", 2, 3),
    "lacks": lambda: _rows("lacks", "DP_LACK", "number", 1, 2),
    "vectors": lambda: _rows("vectors", "DP_VECTORS_ARE", "number", 1, 2),
    "no_timer": lambda: _rows("no_timer", "DP_NO_TIMER", "number", 1, 2),
    "means": lambda: _rows("means", "DP_MEANS", "number", 1, 3),
    "rights": lambda: _rows("rights", "DP_RIGHT", "bit", 1, 2),
    "groups": lambda: _rows("groups", "DP_GROUP", "bit", 1, 4),
}


def generate():
    """The text of PROTOCOL.md with its tables as the .def files are now."""
    used = []

    def made(match):
        used.append(match[2])
        return match[1] + "\n".join(["", *_BLOCKS[match[2]](), "", match[3]])

    text = _BLOCK.sub(made, TARGET.read_text(encoding="utf-8"))
    if sorted(used) != sorted(_BLOCKS):
        raise ValueError(f"{TARGET.name}: tables {sorted(used)}, not {sorted(_BLOCKS)}, each once")
    return text
