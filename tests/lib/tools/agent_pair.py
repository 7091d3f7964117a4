#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the agent of one CPU as files that any firmware's build takes: `scons release`.

    agent_pair.py CPU FOLDER    dprobes_agent.c, dprobes_entry.S, dprobes.h, dprobes_hit.h

dprobes_agent.c has a table of contents, the tables, the headers and every C file of the lists
(agent_parts.py). Each function stands in the section dprobes_text. A function that no assembler and no
firmware calls is static, and so is each object; all other names that the linker sees begin with
dprobes_. A function that is static in its own file may be inlined: only functions of the agent call it,
and they stand in the section too.
"""
import collections
import itertools
import os
import pathlib
import re
import sys
import textwrap

import agent_parts
from agent_parts import LICENCE, TOP, body

MADE = "/* Made from the sources of dprobes by `scons release`: do not edit. */\n"
FIRMWARE_HEADERS = ("dprobes.h", "dprobes_hit.h")
PREFIX, INNER = "dprobes_", "dprobes_core_"  # of the firmware's functions, of all others
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|(?:\.|->)\s*[A-Za-z_]\w*|[A-Za-z_]\w*|.", re.S)
# A declaration that begins in the first column: what stands before it, and the text up to its end.
DEFINITION = re.compile(r"^(?P<head>[a-z_][^\n;{}#()]*(?:__attribute__\(\(\w+\)\)[^\n;{}#()]*)?(?:\n\w+)?\((?:[^;{}]|\n)*?\)[^;{}()]*)\n\{$", re.M)
PROTOTYPE = re.compile(r"^(?P<head>(?!static|typedef|return|extern|_Static)[a-z_][\w \t*]*?(?:\n)?\b(?P<name>\w+)\((?:[^;{}#]|\n)*?\));", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)


# ---- names ------------------------------------------------------------------------------------

def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def own_names(text):
    """Names of file scope that no other file may mean: static functions and objects, tags, enumerators, types."""
    plain = re.sub(r"^#.*?(?<!\\)$", "", without_comments(text), flags=re.M | re.S)
    plain = re.sub(r"__attribute__\(\(\w+\)\) ?", "", plain)
    found = set(re.findall(r"^static [^;={(]*?(\w+)(?:\[[^\]]*\])*\s*(?:[=;(]|\{)", plain, re.M))
    found |= set(re.findall(r"^static [^;={]*?\(\*(?:const )?(\w+)(?:\[[^\]]*\])*\)\(", plain, re.M))
    found |= set(re.findall(r"^(?:static (?:const )?)?(?:struct|union|enum) (\w+) \{", plain, re.M))
    found |= set(re.findall(r"^typedef [^;]*?\b(\w+);", plain, re.M))
    for inside in re.findall(r"^(?:static )?enum(?: \w+)? \{(.*?)^\}", plain, re.M | re.S):
        found |= set(re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)\s*(?==|,|$)", inside))
    return found - {"struct", "union", "enum"}


def renamed(text, names):
    """The text with other names, but not behind a point or an arrow, and not in strings and comments."""
    def one(match):
        token = match.group(0)
        return names.get(token, token)

    return TOKEN.sub(one, text) if names else text


def defined_functions(text):
    """Names of functions that the text defines for other files."""
    return {function_name(match.group("head")) for match in DEFINITION.finditer(text)
            if not re.match(r"(__attribute__\(\(\w+\)\) )?static\b", match.group("head"))}


def function_name(head):
    """`enum dp_err dp_port_arm(...)`: the name before the first parenthesis that is not an attribute's."""
    head = re.sub(r"__attribute__\(\(.*?\)\)\s*", "", head, flags=re.S)
    return re.match(r"[^(]*?(\w+)\s*\(", head).group(1)


def presence(text, feature=None):
    """{function for other files: the condition under which the file has it}, "" where it always has it."""
    found = {}
    for match in DEFINITION.finditer(text):
        if not re.match(r"(__attribute__\(\(\w+\)\) )?static\b", match.group("head")):
            held = [part for part in (feature and f"DP_WITH_{feature}", agent_parts.condition(text, match.start())) if part]
            held = held[0] if len(held) == 1 else " && ".join(f"({part})" for part in held)
            found.setdefault(function_name(match.group("head")), []).append(held)
    return {name: some[0] if len(some) == 1 else "" if "" in some else " || ".join(f"({part})" for part in some)
            for name, some in found.items()}


OBJECT = re.compile(r"^(?!static|typedef|extern|return|struct \w+;|enum \w+;)[a-z_][\w *]*?\b(?P<name>\w+)(?:\[[^\]]*\])*"
                    r"(?: __attribute__\(\(.*?\)\))?(?: = [^;]*)?;", re.M)


def defined_objects(text):
    """Names of objects that the text defines for other files."""
    return {match.group("name") for match in OBJECT.finditer(without_comments(text))}


# ---- the files --------------------------------------------------------------------------------

EXTERN = re.compile(r"^extern (?P<rest>[^;{}()]*?);", re.M)


def placed(text, names):
    """Each function in the section; functions and objects are static unless an assembler or the firmware has their names."""
    def definition(match):
        head = match.group("head")
        if re.match(r"(__attribute__\(\(\w+\)\) )?static\b", head):
            return f"DPROBES_LOCAL {match.group(0)}"
        name = function_name(head)
        return match.group(0).replace(head, f"{'DPROBES_ENTRY' if name in names.outside else 'DPROBES_PART'} {head}", 1)

    def prototype(match):
        """A static function that is declared must be there."""
        name = function_name(match.group("head"))
        if name not in names.functions or name in names.outside:
            return match.group(0)
        needed = names.functions[name]
        if needed in ("", agent_parts.condition(text, match.start())):
            return f"DPROBES_PART {match.group(0)}"
        feature = re.fullmatch(r"DP_WITH_(\w+)", needed)
        return f"DPROBES_PART_{feature.group(1)} {match.group(0)}" if feature else f"#if {needed}\nDPROBES_PART\n#endif\n{match.group(0)}"

    def declaration(match):
        declared = set(re.findall(r"\b(\w+)(?:\[[^\]]*\])*(?=,|$)", without_comments(match.group("rest"))))
        return f"DPROBES_OBJECT {match.group('rest')};" if declared <= names.objects else match.group(0)

    def object_of(text):
        """A static object without a value is there by its declaration."""
        return f"DPROBES_OBJECT {text}" if "=" in text else ""

    text = EXTERN.sub(declaration, PROTOTYPE.sub(prototype, text))
    text = OBJECT.sub(lambda match: object_of(match.group(0)) if match.group("name") in names.objects else match.group(0), text)
    return DEFINITION.sub(definition, text)


PROLOGUE = """
#include "dprobes.h"
#include "dprobes_hit.h"

/* Where code lies: in one section, whose bounds the linker knows. A function that others call is not
 * inlined into them, and keeps what the compiler knows of it to itself. */
#if defined(__GNUC__) && !defined(__clang__)
#define DPROBES_ENTRY __attribute__((section("dprobes_text"), noinline, noipa, used))
#else
#define DPROBES_ENTRY __attribute__((section("dprobes_text"), noinline, used))
#endif
#define DPROBES_PART   static __attribute__((section("dprobes_text"), noinline, unused))
#define DPROBES_LOCAL  __attribute__((section("dprobes_text"), unused))
#define DPROBES_OBJECT static __attribute__((unused))
"""
FEATURES = "dp_config.h"  # the header behind which each DP_WITH_ is known


def of_features():
    """A macro for each feature."""
    return "\n/* Of a function that a firmware may leave out: a static function that is declared must be there. */\n" + "".join(
        f"#if DP_WITH_{name}\n#define DPROBES_PART_{name} DPROBES_PART\n#else\n#define DPROBES_PART_{name}\n#endif\n"
        for name in sorted(set(agent_parts.features().values())))


def sections(text):
    """Assembler: all code in the agent's section."""
    return re.sub(r'^\t\.section \.text[\w.]*, "ax"', '\t.section dprobes_text, "ax"', text, flags=re.M)


def contents(chapters):
    """The table of contents. chapters: [(title, files)]."""
    lines = []
    for title, names in chapters:
        lines += textwrap.wrap(f"{title}: {' '.join(names)}", 96, initial_indent=" *   ", subsequent_indent=" *     ", break_on_hyphens=False)
    return "/* Contents; a line like `---- NAME ----` stands above each part.\n" + "\n".join(lines) + "\n */\n"


def titled(path, text):
    return f"\n/* ---- {path.relative_to(TOP)} ---- */\n{text.strip()}\n"


def by_folder(paths):
    """[(folder, names)] in the order of the paths."""
    return [(str(folder.relative_to(TOP)), [path.name for path in some]) for folder, some in itertools.groupby(paths, lambda path: path.parent)]


def header(name, cpu):
    """A firmware's header with all of ours that it includes."""
    path = TOP / "agent" / name
    seen = [TOP / "agent" / other for other in FIRMWARE_HEADERS if other != name]
    text = agent_parts.Expansion(cpu, seen).of(body(path), path.parent)
    if name != FIRMWARE_HEADERS[0]:
        text = text.replace("#include <", f'#include "{FIRMWARE_HEADERS[0]}"\n#include <', 1)
        text = re.sub(r"^#include <[^\n]*\n", "", text, flags=re.M)
    return LICENCE + MADE + text


ATTRIBUTES = re.compile(r"__attribute__\(\((.*?)\)\)(?!\))", re.S)
ATTRIBUTE = re.compile(r"\b(section|noinline|noipa|used|unused|aligned|always_inline|cold|packed|may_alias|format)\b(?!_)")


def spelled(text):
    """Attributes as no macro of a firmware names them: `noinline` is one of Linux."""
    return ATTRIBUTES.sub(lambda match: "__attribute__((" + TOKEN.sub(
        lambda token: ATTRIBUTE.sub(r"__\1__", token.group(0)) if token.group(0)[0].isalpha() else token.group(0), match.group(1)) + "))", text)


class Names:
    """What the names of a CPU's files become."""

    def __init__(self, c_files, s_files, headers):
        texts = {path: agent_parts.c_body(path) for path in c_files}
        self._own = {path: own_names(text) for path, text in texts.items()}
        self._times = collections.Counter(name for names in self._own.values() for name in names)
        self._times.update(set().union(*(own_names(agent_parts.c_body(path)) for path in headers)))
        self._words = collections.Counter(word for text in texts.values() for word in set(re.findall(r"\w+", text)))
        asm = "".join(without_comments(body(path)) for path in s_files)
        asm_words = set(re.findall(r"\w+", asm))
        asm_names = {a or b for a, b in re.findall(r"^\s*\.glob[a]?l\s+(\w+)|^\s*(?:function|entry)\s+(\w+)", asm, re.M)} - {"name"}
        of_feature = agent_parts.features()
        self.functions = {name: held for path, text in texts.items() for name, held in presence(text, of_feature.get(path)).items()}
        self.outside = {name for name in self.functions if name.startswith(PREFIX) or name in asm_words} | asm_names
        objects = {name for text in texts.values() for name in defined_objects(text) if not name.startswith(PREFIX)}
        self.objects = objects - asm_words
        self.linked = {name: INNER + name.removeprefix("dp_") for name in self.outside | objects & asm_words if not name.startswith(PREFIX)}

    def of(self, path):
        """{name: new name} in a file. Two files may have a static function of one name."""
        own = {name: f"{name}_in_{path.stem}" for name in self._own.get(path, ()) if self._times[name] > 1}
        return {**own, **self.linked}

    def undone(self, text):
        """The macros of a file that mean another thing in a file behind it."""
        return "".join(f"#undef {name}\n" for name in dict.fromkeys(MACRO.findall(text)) if self._words[name] > 1)


def agent_c(cpu, c_files, s_files):
    """dprobes_agent.c"""
    firmware = [TOP / "agent" / name for name in FIRMWARE_HEADERS]
    headers = agent_parts.headers(cpu, c_files, [*firmware, *agent_parts.headers(cpu, firmware)])
    lists = agent_parts.tables_of(cpu, [*headers, *c_files])
    names = Names(c_files, s_files, headers)
    of_feature = agent_parts.features()
    tables = [table for table in lists.values() if table.is_list]
    chapters = [("Tables", [table.path.name for table in tables]), *by_folder(headers), *by_folder(c_files)]
    made = LICENCE + MADE + contents(chapters) + PROLOGUE
    made += "".join(titled(table.path, table.definition()) for table in tables)
    for path in [*headers, *c_files]:
        text = agent_parts.without_includes(path, agent_parts.c_body(path), cpu, lists)
        text = renamed(placed(text, names), names.of(path))
        if path.suffix == ".c":
            text += names.undone(agent_parts.c_body(path))
        if path.name == FEATURES:
            text += of_features()
        made += titled(path, agent_parts.only_with(of_feature[path], text) if path in of_feature else text)
    return made, names.linked


def entry_s(cpu, s_files, linked):
    """dprobes_entry.S: constants of the headers, and the assembler files."""
    constants = agent_parts.Expansion(cpu)
    made = LICENCE + MADE
    for path in s_files:
        text = agent_parts.resolved(constants.of(body(path), path.parent), agent_parts.ASSEMBLER)
        made += titled(path, renamed(sections(text), linked))
    return made


def pair(cpu):
    """{file: text} for a CPU."""
    c_files, s_files = agent_parts.files(cpu)
    c_text, linked = agent_c(cpu, c_files, s_files)
    made = {"dprobes_agent.c": c_text, "dprobes_entry.S": entry_s(cpu, s_files, linked)}
    made.update({name: header(name, cpu) for name in FIRMWARE_HEADERS})
    return {name: spelled(re.sub(r"\n{3,}", "\n\n", text)) for name, text in made.items()}


def main(cpu, folder):
    os.makedirs(folder, exist_ok=True)
    for name, text in pair(cpu).items():
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
