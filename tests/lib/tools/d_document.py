# SPDX-License-Identifier: BSD-2-Clause
"""host/lang/d/D.md out of d_manual.txt, the tables of the D front end, and the examples of tests/language/d/examples.txt."""
import dataclasses
import re
import textwrap

import tables
from tables import TOP

FOLDER = TOP / "host" / "lang" / "d"
TARGET = FOLDER / "D.md"
EXAMPLES = TOP / "tests" / "language" / "d" / "examples.txt"
HEAD = """<!-- SPDX-License-Identifier: BSD-2-Clause -->
<!-- Made by tests/lib/tools/d_document.py from d_manual.txt and the .def files. Change those, then: scons manual -->
"""


@dataclasses.dataclass
class Example:
    """A program, and what one hit of its first point prints in the simulator."""

    name: str
    program: str
    printed: str


def examples():
    """Every Example by name."""
    found = {}
    for block in ("\n" + EXAMPLES.read_text(encoding="utf-8")).split("\n= ")[1:]:
        name, *lines = block.rstrip("\n").split("\n")
        program = "".join(f"{line}\n" for line in lines if not line.startswith(">")).strip("\n") + "\n"
        found[name] = Example(name, program, "".join(f"{line[2:]}\n" for line in lines if line.startswith(">")))
    return found


def _units():
    """The units of timers, in a sentence of lines."""
    text = (FOLDER / "read" / "timer_units.def").read_text(encoding="utf-8")
    names = [f"`{name}`" for name in re.findall(r'^TIMER_UNIT\("(\w+)"', text, re.M)]
    said = f"A name has a whole number behind the dash, and a unit behind the number: {', '.join(names[:-1])} or {names[-1]}."
    return textwrap.fill(said, 120)


def _rows(name, macro):
    """The arguments of each row of a table: words, and texts without their quotes."""
    folder = TOP / "host" / "format" if name == "aggregations" else FOLDER
    table, = folder.rglob(f"{name}.def")
    text = table.read_text(encoding="utf-8")
    for row in re.findall(rf"^{macro}\((.*)\)$", text, re.M):
        yield [word[1:-1].replace(r'\"', '"') if word.startswith('"') else word
               for word in re.findall(r'"(?:[^"\\]|\\.)*"|[^,\s][^,]*', row)]


def _table(head, rows):
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
                      *("| " + " | ".join(row) + " |" for row in escaped)])


def _providers(missing):
    if missing:
        return _table(["provider", "reason"], [[f"`{row[0]}`", row[1]] for row in _rows("providers", "PROVIDER") if row[1] != "NULL"])
    return _table(["provider", "form", "fires"],
                  [[f"`{row[0]}`", f"`{row[2]}`", row[3]] for row in _rows("providers", "PROVIDER") if row[1] == "NULL"])


def _split(name, macro, text, missing):
    later = ("LATER", "NEVER", "check_later", "check_never")
    rows = [row for row in _rows(name, macro) if (row[1] in later) == missing and row[1] != "AGGREGATE"]
    return [[f"`{row[0]}`", row[text]] for row in rows]


def _example(name):
    example = examples()[name]
    return f"```d\n{example.program}```\n\nOne hit prints:\n\n```\n{example.printed}```"


PARTS = {
    "timer units": _units,
    "providers": lambda: _providers(False),
    "providers missing": lambda: _providers(True),
    "foreign": lambda: _table(["first field", "here"], [[f"`{row[0]}`", row[1].replace("%s", "FUNCTION")] for row in _rows("foreign", "FOREIGN")]),
    "builtins": lambda: _table(["variable", "meaning"], _split("builtins", "BUILTIN", 4, False)),
    "builtins missing": lambda: _table(["variable", "reason"], _split("builtins", "BUILTIN", 4, True)),
    "actions": lambda: _table(["function", "does"], _split("actions", "ACTION", 4, False)),
    "functions missing": lambda: _table(["function", "reason"], _split("actions", "ACTION", 4, True)),
    "aggregations": lambda: _table(["function", "value"], [[f"`{row[0]}`", row[4]] for row in _rows("aggregations", "AGGREGATION")]),
    "options": lambda: _table(["option", "does"], _split("options", "OPTION", 2, False)),
    "options missing": lambda: _table(["option", "reason"], _split("options", "OPTION", 2, True)),
    "constants": lambda: _table(["constant", "value", "meaning"],
                                [[f"`{row[0]}`", row[1], row[2]] for row in _rows("constants", "CONSTANT")]),
    "tags": lambda: _table(["tag", "what is wrong"], [[f"`{row[0]}`", row[1]] for row in _rows("tags", "TAG")]),
}


def _contents(text):
    """A line of links to the sections."""
    sections = re.findall(r"^## (.*)$", text, re.M)
    links = [f"[{name}](#{name.lower().replace(' ', '-')})" for name in sections]
    lines = [""]
    for link in links:
        if len(lines[-1]) + len(link) > 116:
            lines.append("")
        lines[-1] += (" | " if lines[-1] else "") + link
    return " |\n".join(lines)


def generate():
    text = (FOLDER / "d_manual.txt").read_text(encoding="utf-8").split("\n", 1)[1]  # HEAD has the first line
    text = text.replace("{contents}", _contents(text), 1)
    return HEAD + re.sub(r"^\{(example )?([a-z ]+)\}$", lambda m: _example(m[2]) if m[1] else PARTS[m[2]](), text, flags=re.M)
