# SPDX-License-Identifier: BSD-2-Clause
"""The parts of one CPU's agent, for agent_pair.py: its C and assembler files, the headers that they
include, each once and in the order of the layers, and the tables, each once as a list.

A table (.def) becomes a macro DP_LIST_NAME of all its rows. Where a file includes the table stands the
list instead, between the row macros that the file leaves to the table and their #undef. A table with
conditions in it cannot be a macro: it stays at its place. Sentences of the rows are left out: only
the host prints them.
"""
import functools
import pathlib
import re

import sources_mk
import tables

TOP = pathlib.Path(__file__).resolve().parents[3]
LICENCE = "/* SPDX-License-Identifier: BSD-2-Clause */\n"
INCLUDE = re.compile(r'^#include "([^"]+)"(?: */\*[^\n]*\*/)?\n', re.M)
SYSTEM = re.compile(r"^#include <[^>]+>\n", re.M)
GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n(.*)^#endif\s*\Z", re.M | re.S)
DEFAULT = re.compile(r"^#ifndef (\w+)\n(#define \1\b(?:[^\n]*\\\n)*[^\n]*\n)#endif\n", re.M)
DEFINE = re.compile(r"^#define (?:[^\n]*\\\n)*[^\n]*\n", re.M)
UNDEF = re.compile(r"^#undef (\w+)\n", re.M)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*')
# What is known of the conditions in dprobes_agent.c and in dprobes_entry.S: is the name defined? DP_VM_ASSERT is for our
# tests, DP_VM_NAME for the simulator.
C, ASSEMBLER = {"__ASSEMBLER__": False, "DP_VM_ASSERT": False, "DP_VM_NAME": True}, {"__ASSEMBLER__": True}
FORMED = re.compile(r"^#define (dp_\w+) +DP_VM_NAME\(\1\)\n", re.M)


# ---- files ------------------------------------------------------------------------------------

def layers(cpu):
    """The folders of a CPU's agent, the lowest first."""
    floors = [folder for folder in sources_mk.include_folders("agent") if folder != "agent"]
    return ["protocol", "port", f"port/{cpu}", "agent", *floors, "agent/glue"]


def by_layer(cpu, paths, key=None):
    """Paths in the order of their folders. Folders that ports share stand behind the port's."""
    rank = {TOP / layer: number for number, layer in enumerate(layers(cpu))}
    return sorted(paths, key=lambda path: (rank.get(path.parent, rank[TOP / "port" / cpu] + 0.5), key(path) if key else 0))


def files(cpu):
    """The C files and the assembler files of the agent, by layer, else in the order of the lists."""
    found = []
    for folder, pattern in (("protocol", "PROTOCOL_SOURCES"), ("agent", ".*"), (f"port/{cpu}", r"(?!HOST_)\w+"), ("agent/glue", "GLUE_SOURCES")):
        found += [TOP / name for name in sources_mk.source_files(str(TOP / folder), pattern=pattern)]
    found = by_layer(cpu, found)
    return [path for path in found if path.suffix == ".c"], [path for path in found if path.suffix == ".S"]


def features():
    """{C file: the feature that it is of}: a firmware that leaves the feature out has none of the file's objects."""
    names = [name for name, _ in tables.rows("protocol/features.def", "DP_FEATURE")]
    return {TOP / file: name for name in names
            for file in sources_mk.source_files(str(TOP / "agent"), pattern=f"{name}_SOURCES")}


def find(name, near, cpu):
    for folder in (near, *(TOP / layer for layer in layers(cpu))):
        if (folder / name).exists():
            return folder / name
    raise SystemExit(f"agent_parts.py: no {name} in the folders of {cpu}")


@functools.cache
def body(path):
    """A file without its licence line."""
    return path.read_text(encoding="utf-8").replace(LICENCE, "", 1)


@functools.cache
def c_body(path):
    """A file as dprobes_agent.c has it."""
    return FORMED.sub("", resolved(body(path), C))


def included(path, cpu):
    """The files that a file includes."""
    return [find(name, path.parent, cpu) for name in INCLUDE.findall(c_body(path))]


# ---- conditions -------------------------------------------------------------------------------

def resolved(text, known):
    """The text without the conditions on names of `known`, {name: is it defined?}: #ifdef and #ifndef."""
    kept, branches = [], []  # of each open condition: None, the condition stays; else which branch this is
    for line in text.splitlines(keepends=True):
        word, name = re.match(r"(?:#(ifdef|ifndef|if|else|elif|endif)\b ?(\w*))?", line).groups()
        ours = bool(branches) and branches[-1] is not None
        if word in ("ifdef", "ifndef") and name in known:
            branches.append("taken" if known[name] == (word == "ifdef") else "not yet")
            continue
        if word in ("if", "ifdef", "ifndef"):
            branches.append(None)
        elif word == "endif":
            branches.pop()
        elif word and ours:
            branches[-1] = {"taken": "over", "over": "over", "not yet": "taken" if word == "else" else None}[branches[-1]]
            line = line.replace("#elif", "#if", 1)
        if not {"not yet", "over"} & set(branches) and not (ours and (word == "else" or word == "endif")):
            kept.append(line)
    return "".join(kept)


def condition(text, place):
    """The conditions that hold at a place of a file, as one expression of #if; "" without any."""
    held = []  # of each open condition: what holds, what of its earlier branches does not
    for word, rest in re.findall(r"^#(if|ifdef|ifndef|elif|else|endif)\b[ \t]*((?:[^\n]*\\\n)*[^\n]*)", text[:place], re.M):
        rest = re.sub(r"/\*.*?\*/|\\\n", "", rest).strip()
        if word == "endif":
            held.pop()
        elif word in ("elif", "else"):
            is_one, not_others = held.pop()
            held.append((rest if word == "elif" else "", [*not_others, f"!({is_one})"]))
        else:
            held.append(({"if": rest, "ifdef": f"defined({rest})", "ifndef": f"!defined({rest})"}[word], []))
    parts = [part for is_one, not_others in held for part in [*not_others, is_one] if part]
    return parts[0] if len(parts) == 1 else " && ".join(f"({part})" for part in parts)


def only_with(feature, text):
    return f"#if DP_WITH_{feature}\n{text}#endif\n"


# ---- headers ----------------------------------------------------------------------------------

def unguarded(path, text):
    guard = GUARD.search(text)
    if not guard:
        raise SystemExit(f"agent_parts.py: {path} has no include guard")
    return GUARD.sub(lambda match: match.group(2), text)


def headers(cpu, sources, known=()):
    """The headers that the files include, each behind those that it includes; else by layer and name."""
    reached, order = set(), []

    def reach(path):
        for file in included(path, cpu):
            if file.suffix == ".h" and file not in reached:
                reached.add(file)
                reach(file)

    def place(path):
        for file in included(path, cpu):
            if file in reached and file not in order and file != path:
                place(file)
        if path not in order:
            order.append(path)

    for path in sources:
        reach(path)
    reached -= set(known)
    for path in by_layer(cpu, reached, key=lambda path: path.name):
        place(path)
    return order


# ---- tables -----------------------------------------------------------------------------------

class Table:
    """A .def file as a list."""

    def __init__(self, path):
        self.path = path
        text = re.sub(r"/\*.*?\*/", "", body(path), flags=re.S)
        self.is_list = not re.search(r"^#(if|elif) ", text, re.M)
        self.name = "DP_LIST_" + re.sub(r"\W", "_", path.stem).upper()
        self.defaults = dict(DEFAULT.findall(text))
        text = DEFAULT.sub("", text)
        self.own = DEFINE.findall(text)
        text = DEFINE.sub("", text)
        own = [re.match(r"#define (\w+)", define).group(1) for define in self.own]
        self.rows_of = [name for name in UNDEF.findall(text) if name not in own]
        text = STRING.sub('""', UNDEF.sub("", text))
        self.rows = [re.sub(r"\s+", " ", row).strip() for row in re.findall(r"^\S(?:[^\n]*\n[ \t])*[^\n]*", text, re.M)]

    def definition(self):
        """The list, and the macros that the table gives itself."""
        rows = "".join(f" \\\n\t{row}" for row in self.rows)
        return "".join(self.own) + f"#define {self.name}{rows}\n"

    def use(self, before):
        """The list in place of an #include. before: the text of the file since the last one."""
        missing = "".join(define for name, define in self.defaults.items() if not re.search(rf"^#define {name}\b", before, re.M))
        return f"{missing}{self.name}\n" + "".join(f"#undef {name}\n" for name in self.rows_of)


def tables_of(cpu, paths):
    """The tables that the files include, in the order of their names."""
    found = {file for path in paths for file in included(path, cpu) if file.suffix == ".def"}
    return {path: Table(path) for path in sorted(found, key=lambda path: path.name)}


# ---- texts ------------------------------------------------------------------------------------

def without_includes(path, text, cpu, lists):
    """The text of a file below its headers and its lists."""
    text = SYSTEM.sub("", unguarded(path, text) if path.suffix == ".h" else text)
    made, last = "", 0
    for match in INCLUDE.finditer(text):
        made += text[last:match.start()]
        table = lists.get(find(match.group(1), path.parent, cpu))
        if table:
            made += table.use(text[last:match.start()]) if table.is_list else c_body(table.path)
        last = match.end()
    return made + text[last:]


class Expansion:
    """The text of headers with all of ours that they include, each once, where it is included first."""

    def __init__(self, cpu, seen=()):
        self.cpu, self.seen = cpu, set(seen)

    def of(self, text, near):
        return INCLUDE.sub(lambda match: self._included(find(match.group(1), near, self.cpu)), text)

    def _included(self, path):
        if path in self.seen:
            return ""
        self.seen.add(path)
        return self.of(unguarded(path, body(path)) if path.suffix == ".h" else body(path), path.parent)
