#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the agent of one CPU as files that any firmware's build takes: `scons release`.

    agent_pair.py CPU FOLDER    dprobes_agent.c, dprobes_entry.S, dprobes.h, dprobes_hit.h

dprobes_agent.c has every C file of the lists (sources.mk) and all that they include. Each function
stands in the section dprobes_text. A function that no assembler and no firmware calls is static, if
every build has it; all other names that the linker sees begin with dprobes_. A function that is static
in its own file may be inlined: only functions of the agent call it, and they stand in the section too.
"""
import collections
import os
import pathlib
import re
import sys

import sources_mk
import tables

TOP = pathlib.Path(__file__).resolve().parents[3]
LICENCE = "/* SPDX-License-Identifier: BSD-2-Clause */\n"
MADE = "/* Made from the sources of dprobes by `scons release`: do not edit. */\n"
FIRMWARE_HEADERS = ("dprobes.h", "dprobes_hit.h")
PREFIX, INNER = "dprobes_", "dprobes_core_"  # of the firmware's functions, of all others
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|(?:\.|->)\s*[A-Za-z_]\w*|[A-Za-z_]\w*|.", re.S)
INCLUDE = re.compile(r'^#include "([^"]+)"(?: */\*[^\n]*\*/)?\n', re.M)
GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n(.*)^#endif\s*\Z", re.M | re.S)
# A declaration that begins in the first column: what stands before it, and the text up to its end.
DEFINITION = re.compile(r"^(?P<head>[a-z_][^\n;{}#()]*(?:__attribute__\(\(\w+\)\)[^\n;{}#()]*)?(?:\n\w+)?\((?:[^;{}]|\n)*?\)[^;{}()]*)\n\{$", re.M)
PROTOTYPE = re.compile(r"^(?P<head>(?!static|typedef|return|extern|_Static)[a-z_][\w \t*]*?(?:\n)?\b(?P<name>\w+)\((?:[^;{}#]|\n)*?\));", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)


def folders(cpu):
    return [*(TOP / folder for folder in sources_mk.include_folders("agent")), TOP / "protocol", TOP / "port", TOP / "port" / cpu]


def files(cpu):
    """The C files and the assembler files of the agent, in the order of the lists."""
    found = []
    for folder, pattern in (("protocol", "PROTOCOL_SOURCES"), ("agent", ".*"), (f"port/{cpu}", r"(?!HOST_)\w+"), ("agent/glue", "GLUE_SOURCES")):
        found += [TOP / name for name in sources_mk.source_files(str(TOP / folder), pattern=pattern)]
    return [path for path in found if path.suffix == ".c"], [path for path in found if path.suffix == ".S"]


def features():
    """{C file: the feature that it is of}: a firmware that leaves the feature out has none of the file's objects."""
    names = [name for name, _ in tables.rows("protocol/features.def", "DP_FEATURE")]
    return {TOP / file: name for name in names
            for file in sources_mk.source_files(str(TOP / "agent"), pattern=f"{name}_SOURCES")}


def only_with(feature, text):
    """The text for firmware with the feature. Later files rely on what it includes: that stays."""
    ends = [match.end() for match in INCLUDE.finditer(text)]
    head = max(ends, default=0)
    return f"{text[:head]}\n#if DP_WITH_{feature}\n{text[head:]}#endif\n"


def find(name, near, cpu):
    for folder in (near, *folders(cpu)):
        if (folder / name).exists():
            return folder / name
    raise SystemExit(f"agent_pair.py: no {name} in the folders of {cpu}")


def body(path):
    """A file without its licence line."""
    return path.read_text(encoding="utf-8").replace(LICENCE, "", 1)


class Expansion:
    """The text of files with all of ours that they include: a header once, a table each time."""

    def __init__(self, cpu, seen=()):
        self.cpu, self.seen = cpu, set(seen)

    def of(self, path):
        return INCLUDE.sub(lambda match: self._included(find(match.group(1), path.parent, self.cpu)), body(path))

    def _included(self, path):
        if path in self.seen:
            return ""
        guard = GUARD.search(body(path))
        if not guard and path.suffix != ".def":
            raise SystemExit(f"agent_pair.py: {path} has no include guard")
        if guard:
            self.seen.add(path)
        text = INCLUDE.sub(lambda match: self._included(find(match.group(1), path.parent, self.cpu)), body(path))
        return GUARD.sub(lambda match: match.group(2), text) if guard else text


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


def in_condition(text, place):
    """Does a part of the file that a knob may leave out hold this place?"""
    before = text[:place]
    return len(re.findall(r"^#if", before, re.M)) > len(re.findall(r"^#endif", before, re.M))


def optional_functions(text):
    """Functions for other files that a knob may leave out: the compiler misses a static one."""
    return {function_name(match.group("head")) for match in DEFINITION.finditer(text) if in_condition(text, match.start())}


def defined_objects(text):
    """Names of objects that the text defines for other files."""
    plain = without_comments(text)
    return set(re.findall(r"^(?!static|typedef|extern|return|struct \w+;|enum \w+;)[a-z_][\w *]*?\b(\w+)(?:\[[^\]]*\])*"
                          r"(?: __attribute__\(\(.*?\)\))?(?: = [^;]*)?;", plain, re.M))


# ---- the files --------------------------------------------------------------------------------

def placed(text, outside, functions):
    """Each function in the section; static unless its name is in outside. functions: what is defined at all."""
    def definition(match):
        head = match.group("head")
        if re.match(r"(__attribute__\(\(\w+\)\) )?static\b", head):
            return f"DPROBES_LOCAL {match.group(0)}"
        name = function_name(head)
        return match.group(0).replace(head, f"{'DPROBES_ENTRY' if name in outside else 'DPROBES_PART'} {head}", 1)

    def prototype(match):
        name = function_name(match.group("head"))
        return f"DPROBES_PART {match.group(0)}" if name in functions - outside else match.group(0)

    return DEFINITION.sub(definition, PROTOTYPE.sub(prototype, text))


PROLOGUE = """
/* dp_vm.h: names of the interpreter. */
#define DP_VM_NAME(name) dprobes_core_##name

#include "dprobes.h"
#include "dprobes_hit.h"

/* A firmware's own warnings are not the agent's. */
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Where code lies: in one section, whose bounds the linker knows. A function that others call is not
 * inlined into them, and keeps what the compiler knows of it to itself. */
#if defined(__GNUC__) && !defined(__clang__)
#define DPROBES_ENTRY __attribute__((section("dprobes_text"), noinline, noipa, used))
#else
#define DPROBES_ENTRY __attribute__((section("dprobes_text"), noinline, used))
#endif
#define DPROBES_PART  static __attribute__((section("dprobes_text"), noinline, unused))
#define DPROBES_LOCAL __attribute__((section("dprobes_text"), unused))

"""


def sections(text):
    """Assembler: all code in the agent's section."""
    return re.sub(r'^\t\.section \.text[\w.]*, "ax"', '\t.section dprobes_text, "ax"', text, flags=re.M)


def assembler_only(text):
    """What an assembler sees of a header."""
    kept, depth = [], 0
    for line in text.splitlines(keepends=True):
        if line.startswith("#ifndef __ASSEMBLER__") or (depth and line.startswith("#if")):
            depth += 1
        elif depth:
            depth -= line.startswith("#endif")
        else:
            kept.append(line)
    return "".join(kept)


def header(name, cpu):
    """A firmware's header with all of ours that it includes."""
    seen = [TOP / "agent" / other for other in FIRMWARE_HEADERS if other != name]
    text = Expansion(cpu, seen).of(TOP / "agent" / name)
    if name != FIRMWARE_HEADERS[0]:
        text = text.replace("#include <", f'#include "{FIRMWARE_HEADERS[0]}"\n#include <', 1)
    return LICENCE + MADE + text


def pair(cpu):
    """{file: text} for a CPU."""
    c_files, s_files = files(cpu)
    own = {path: own_names(body(path)) for path in c_files}
    headers = "".join(body(path) for folder in folders(cpu) for path in sorted(folder.glob("*.h")))
    shared = set().union(*(own_names(body(path)) for folder in folders(cpu) for path in folder.glob("*.h")))
    times = collections.Counter(name for names in [*own.values(), shared] for name in names)
    texts = [renamed(body(path), {name: f"{name}_in_{path.stem}" for name in own[path] if times[name] > 1}) for path in c_files]

    asm = {path: body(path) for path in s_files}
    asm_words = set(re.findall(r"\w+", "".join(without_comments(text) for text in asm.values())))
    asm_names = set(re.findall(r"^\s*\.glob[a]?l\s+(\w+)|^\s*function\s+(\w+)", "".join(asm.values()), re.M))
    asm_names = {a or b for a, b in asm_names} - {"name"}
    functions = set().union(*(defined_functions(text) for text in texts))
    objects = set().union(*(defined_objects(text) for text in texts))
    of_feature = features()
    optional = set().union(*(defined_functions(text) if path in of_feature else optional_functions(text)
                             for path, text in zip(c_files, texts)))
    outside = {name for name in functions if name.startswith(PREFIX) or name in asm_words | optional} | asm_names
    names = sorted(name for name in (outside | objects) if not name.startswith(PREFIX))
    # These have a macro that names a function by word size and byte order.
    formed = set(re.findall(r"^#define (\w+) +DP_VM_NAME\(\1\)", "".join(texts) + headers, re.M))
    names_table = "/* What the linker sees begins with dprobes_. */\n" + "".join(
        f"#define {name} {INNER}{name.removeprefix('dp_')}\n" for name in names if name not in formed)

    known = Expansion(cpu, [TOP / "agent" / name for name in FIRMWARE_HEADERS] +
                      [find(name, TOP, cpu) for name in ("dp_sizes.h", "dprobes_cpu.h", "dprobes_frame.h")])
    parts = []
    for path, text in zip(c_files, texts):
        if path in of_feature:
            text = only_with(of_feature[path], text)
        expanded = INCLUDE.sub(lambda match, path=path: known._included(find(match.group(1), path.parent, cpu)), text)
        undone = "".join(f"#undef {name}\n" for name in dict.fromkeys(MACRO.findall(text)))
        parts.append(f"\n/* ---- {path.relative_to(TOP)} ---- */\n\n{placed(expanded, outside, functions)}{undone}")
    c_text = LICENCE + MADE + PROLOGUE + names_table + "".join(parts)

    constants = Expansion(cpu)
    s_parts = []
    for path in s_files:
        text = INCLUDE.sub(lambda match, path=path: assembler_only(constants._included(find(match.group(1), path.parent, cpu))),
                           asm[path])
        s_parts.append(f"\n/* ---- {path.relative_to(TOP)} ---- */\n\n{sections(text)}")
    s_text = LICENCE + MADE + names_table + "".join(s_parts)
    made = {"dprobes_agent.c": c_text, "dprobes_entry.S": s_text}
    made.update({name: header(name, cpu) for name in FIRMWARE_HEADERS})
    return {name: re.sub(r"\n{3,}", "\n\n", text) for name, text in made.items()}


def main(cpu, folder):
    os.makedirs(folder, exist_ok=True)
    for name, text in pair(cpu).items():
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
