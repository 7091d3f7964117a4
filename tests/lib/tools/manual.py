# SPDX-License-Identifier: BSD-2-Clause
"""protocol/RPN.md out of protocol/rpn_manual.txt and the tables it speaks of."""
import re
import sys
import textwrap

import tables
from tables import TOP

sys.path.insert(0, str(TOP / "tests" / "lib"))
from harness import conformance  # noqa: E402

WIDTH = 118  # of a line of prose
SOURCE = TOP / "protocol" / "rpn_manual.txt"
TARGET = TOP / "protocol" / "RPN.md"
HEAD = """<!-- SPDX-License-Identifier: BSD-2-Clause -->
<!-- Made by tests/lib/tools/manual.py from rpn_manual.txt and the .def files. Change those, then: scons manual -->
"""
_EXAMPLE = ("header", "probe", "rpn", "full", "procs", "mem", "mem-ro", "reg", "hits", "word", "endian", "cpu", "record")


class Entry:
    """What the source says of one or more opcodes."""

    def __init__(self, names, line, text):
        self.ops = [op for name in names for op in tables.ops() if op.name == name]
        if len(self.ops) != len(names):
            raise ValueError(f"{SOURCE.name}:{line}: unknown opcode in {names}")
        values = dict(next(conformance._blocks(f"x: x\n{_keys(text)}", SOURCE.name), (0, {}))[1])
        self.facts = {key: values.get(key) for key in ("logs", "raises")}
        self.facts["stack"] = self.ops[0].effect
        self.text = _words(text)
        values = {key: values[key] for key in _EXAMPLE if key in values}
        if values.get("cpu") == "ia32":
            values |= {"word": "32", "endian": "little",
                       "probe": "opcode = 0x55; " + values.get("probe", "")}
        self.case = None
        if "rpn" in values or "full" in values:
            self.case = conformance.Case(SOURCE.name, line, values | {"case": " ".join(names)})

    @property
    def title(self):
        return " ".join(op.form.replace(" (stack)", "") for op in self.ops[:1])

    def heading(self):
        op = self.ops[0]
        if not op.text:
            return "(markers)"
        return f"`{self.title}`" + (" (operand on the stack)" if op.form.endswith("(stack)") else "")


def _is_key(line):
    return re.match(r"[a-z-]+: ", line + " ") or line.startswith("  ")


def _keys(text):
    return "\n".join(line for line in text.splitlines() if _is_key(line)) + "\n"


def _words(text):
    return " ".join(line for line in text.splitlines() if not _is_key(line)).strip()


def _numbers(text):
    """${NAME} as the number that it is in the C code."""
    return re.sub(r"\$\{(\w+)\}", lambda m: tables.numbers()[m.group(1)], text)


def blocks():
    """(directive, line number, text below it)"""
    kind, first, text = None, 0, []
    for number, line in enumerate(SOURCE.read_text(encoding="utf-8").splitlines() + ["@end"], 1):
        if line.startswith("@"):
            if kind:
                yield kind, first, "\n".join(text)
            kind, first, text = line[1:].split(), number, []
        elif kind:
            text.append(line)


def entries():
    found = [Entry(kind[1:], line, text) for kind, line, text in blocks() if kind[0] == "op"]
    described = [op.name for entry in found for op in entry.ops]
    missing = {op.name for op in tables.ops()} ^ set(described)
    if missing or len(described) != len(set(described)):
        raise ValueError(f"{SOURCE.name}: not described exactly once: {sorted(missing) or described}")
    return found


# ---- an entry ----------------------------------------------------------------------------------

_OPERAND = {
    "NONE": "", "LABEL": "a label", "PROC": "a procedure", "U8": "0..255", "U16": "0..65535",
    "S16": "-32768..32767", "LV": "an index below `vars`", "GV": "an index below `gvars`",
    "REG": "a register", "IMM8": "a number or symbol",
    "MAP": "an index of a map",
    "COUNT": "number of instructions"}
_COST = {"MARK": "0", "ONE": "1", "DATA": "1 + words moved"}
_GROUP = {"WRITE": "needs `--write`", "IO": "IA32, needs `--write`", "SEG": "IA32",
          "HOOK": "needs `--write`", "BASE": ""}


def entry_text(entry):
    op = entry.ops[0]
    raised = ["any" if len(op.exceptions) > 3 else ", ".join(op.exceptions)] if op.exceptions else []
    if entry.facts["raises"]:
        raised.append(f"({entry.facts['raises']})" if ":" not in entry.facts["raises"]
                      and not entry.facts["raises"].startswith("(") else entry.facts["raises"])
    facts = [f"stack `{entry.facts['stack']}`", "opcode " + " ".join(f"0x{o.code:02x}" for o in entry.ops)]
    if _OPERAND[op.operand]:
        facts.insert(0, f"operand {_OPERAND[op.operand]}")
    if entry.facts["logs"]:
        facts.append(f"logs {entry.facts['logs']}")
    facts += [f"cost {_COST[op.cost]}", "raises " + " ".join(raised) if raised else "raises nothing"]
    if _GROUP[op.group]:
        facts.append(_GROUP[op.group])
    lines = ["", f"#### {entry.heading()}", "", " · ".join(facts), "", _numbers(entry.text)]
    if entry.case:
        lines += ["", *example(entry.case)]
    return lines


def example(case):
    """A program that can be pasted, the command that runs it, and the output with 32-bit words, little-endian."""
    values = case.values
    word, endian = case.forms()[0]
    options = [f"--cpu {values['cpu']}"] if "cpu" in values else []
    options += [f"--{key} {value}" for key in ("mem", "mem-ro", "reg", "hits") for value in values.get(key, [])]
    command = " ".join(["dprobes simulate t.dp --format raw", *options])
    records = [conformance.expand(text, word, endian).replace("{any}", "x" * (word // 4))
               for text in values["record"]]
    program = ["```", *case.program().rstrip("\n").splitlines(), "```"]
    if records == ["none"]:
        return [*program, f"`{command}` prints nothing."]
    if max(map(len, records)) > 60:
        return [*program, f"`{command}` prints:", "", "```", *records, "```"]
    printed = " and ".join(f"`{text}`" for text in records)
    return [*program, f"`{command}` prints {printed}."]


# ---- tables ------------------------------------------------------------------------------------

def table_exceptions():
    lines = ["", "| code | exception | may be ignored | parm1 | parm2 | raised by |", "|---|---|---|---|---|---|"]
    for name, (bit, maskable, parm1, parm2) in tables.exceptions().items():
        by = list(dict.fromkeys(f"`{op.text}`" for op in tables.ops() if name in op.exceptions
                                and op.name != "RX"))
        lines.append(f"| 0x{bit:04x} | {name} | {'yes' if maskable else 'no'} | {parm1} | {parm2} | "
                     f"{', '.join(by) or '`rx` only'} |")
    return lines


_KIND = {"RENAMED": "accepted", "REMOVED": "refused", "MOVED": "refused", "FOREIGN": "refused"}


def table_old():
    lines = ["", "| old | now | |", "|---|---|---|"]
    for text, policy, now in tables.rows("host/tables/old_spellings.def", "OLD"):
        hint = {"FOREIGN": "not part of DProbes 3.6.4"}.get(policy) or (
            now if now.startswith(("use", "it ")) else f"`{now}`")
        lines.append(f"| `{text}` | {hint.replace(chr(39), '`')} | {_KIND[policy]} |")
    return lines


def _rights(access, read, write):
    names = [name for name, bit in zip("ru", (read, write)) if access & bit]
    return " ".join(names) or "-"


def _ranges(registers):
    """r0, r1, r2 with equal properties and numbers in a row become one."""
    def follows(register, before):
        same = (register.words, register.pops, register.access) == (
            before.words, before.pops, before.access)
        match = re.fullmatch(r"(.*?)(\d+)", before.name)
        return (same and match and register.index == before.index + 1
                and register.name == f"{match.group(1)}{int(match.group(2)) + 1}")

    group = []
    for register in registers:
        if group and not follows(register, group[-1]):
            yield group
            group = []
        group.append(register)
    if group:
        yield group


def table_registers():
    lines = []
    for name, (_, _, word, order, *_) in tables.cpu_rows("DP_CPU"):
        width = f"{word}-bit words" if word != "0" else "32- or 64-bit words"
        endian = {"LITTLE": "little-endian", "BIG": "big-endian", "EITHER": "either byte order"}[order]
        lines += ["", f"**{name}** ({width}, {endian})", "",
                  "| register | number | words | read | write | other names |", "|---|---|---|---|---|---|"]
        for group in _ranges(tables.registers(name)):
            first, last = group[0], group[-1]
            span = len(group) > 1
            title = f"`{first.name}`..`{last.name}`" if span else f"`{first.name}`"
            number = f"0x{first.index:02x}..0x{last.index:02x}" if span else f"0x{first.index:02x}"
            words = f"{first.words}, pops 1" if first.pops else f"{first.words}"
            other = ", ".join(f"`{alias}`" + (f" ({register.name})" if span else "")
                              for register in group for alias in register.aliases)
            lines.append(f"| {title} | {number} | {words} | {_rights(first.access, 1, 2)} | "
                         f"{_rights(first.access, 4, 8)} | {other} |")
        for alias, offset in tables.on_stack(name):
            lines.append(f"| `{alias}` | memory at sp + {offset} | 1 | r u | r u | |")
    return lines


def table_contents():
    """The sections, with links."""
    titles = re.findall(r"^(#{2,3}) ([\d.]+ .*)$", SOURCE.read_text(encoding="utf-8"), re.M)
    return ["", *(f"{'  ' * (len(marks) - 2)}- [{title}](#{anchor(title)})" for marks, title in titles)]


def anchor(title):
    """What a heading is called in a link: lower case, blanks as hyphens, no other signs."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def cell(text):
    """A text that may hold a bar, in a cell of a table."""
    return text.replace("|", "\\|")


def table_instructions():
    """All instructions, one row each, by section."""
    lines = ["", "| instruction | stack | does | cost | raises |", "|---|---|---|---|---|"]
    for entry in entries():
        op = entry.ops[0]
        if not op.text:
            continue
        does = re.match(r".*?[.:](?=\s|$)", entry.text, re.S).group(0).rstrip(".:")
        raised = "any" if len(op.exceptions) > 3 else ", ".join(op.exceptions) or "-"
        name = f"[`{cell(entry.title)}`](#{anchor(entry.heading())})" + (" (stack)" if op.form.endswith("(stack)") else "")
        lines.append(f"| {name} | `{cell(entry.facts['stack'])}` | {cell(_numbers(does))} | {_COST[op.cost]} | {raised} |")
    return lines


def generate():
    """The text of RPN.md."""
    described = {entry.case.line if entry.case else entry.ops[0].name: entry for entry in entries()}
    lines = [HEAD.rstrip()]
    for kind, line, text in blocks():
        if kind[0] == "text":
            lines.append(_numbers(text).rstrip("\n"))
        elif kind[0] == "table":
            lines += globals()[f"table_{kind[1]}"]()
        elif kind[0] == "op":
            lines += entry_text(described.get(line) or described[kind[1]])
        else:
            raise ValueError(f"{SOURCE.name}:{line}: @{kind[0]}")
    return wrapped("\n".join(lines)).rstrip("\n") + "\n"


def wrapped(text):
    """Prose in lines of WIDTH characters; tables, code and headings as they are."""
    lines, code = [], False
    for line in text.split("\n"):
        code ^= line.startswith("```")
        if code or len(line) <= WIDTH or line.startswith(("|", "#", "<!--")):
            lines.append(line)
            continue
        indent = re.match(r"\s*(?:- |\d+\. )?", line).group(0)
        lines += textwrap.wrap(line, WIDTH, subsequent_indent=" " * len(indent), break_long_words=False,
                               break_on_hyphens=False)
    return "\n".join(lines)
