# SPDX-License-Identifier: BSD-2-Clause
"""tests/language/conformance/COVERAGE.md: which files test which instruction, exception, decision and seed."""
import collections
import pathlib
import re
import sys

import tables
from tables import TOP

sys.path.insert(0, str(TOP / "tests" / "lib"))
from harness import board_conformance, conformance  # noqa: E402

SUITE = TOP / "tests" / "language" / "conformance"
TARGET = SUITE / "COVERAGE.md"
HEAD = """<!-- SPDX-License-Identifier: BSD-2-Clause -->
<!-- Made by tests/lib/tools/coverage_document.py. Change the tests or the lists beside it, then: scons manual -->
# What the conformance files cover

Files without a folder are in tests/language/conformance/. A test fails when a row has no file. A file covers an
instruction when the file names the instruction (`covers:`, `raises:`) and has a program with the instruction. The tests
check that the exception is raised.
"""


# ---- what files say of themselves --------------------------------------------------------------

def _value(path, key):
    """`key: value` of the first block of a .t file, `// key: value` of a .dp file."""
    pattern = rf"^(?://\s*)?{key}:\s*(.*)$"
    text = path.read_text(encoding="utf-8").split("\n---")[0]
    return " ".join(re.findall(pattern, text, re.M))


def files():
    return sorted([*SUITE.rglob("*.t"), *SUITE.rglob("*.dp")])


def name_of(path):
    return path.relative_to(SUITE).as_posix()


def covered(path):
    return [part.strip() for part in _value(path, "covers").split(";") if part.strip()]


def raised(path):
    """[(instruction form, exception)]"""
    found = []
    for part in _value(path, "raises").split(";"):
        if part.strip():
            form, _, names = part.strip().rpartition(":")
            found += [(form.strip(), name) for name in names.split()]
    return found


def cases(path):
    return (conformance.read if path.suffix == ".t" else conformance.read_program)(path, name_of(path))


_OPERAND = {"NONE": "", "LABEL": r" \w+", "PROC": r" \w+", "U8": r"(?: ?, ?| )\S+", "U16": r" \S+",
            "IMM8": r" [^,]+", "IMM16": r" [^,]+", "IMMW": r" [^,]+", "LV": r" ?, ?\S+",
            "MAP": r" ?,? ?\d+", "GV": r" ?, ?\S+", "S16": r" ?, ?\S+", "REG": r" ?, ?\S+"}


def has(program, op):
    """Is the instruction in the text of a program?"""
    words = re.escape(op.text).replace(r"\ ", r"\s+").replace(",", r"\s*,")
    pattern = rf"^(?:\w+:)?\s*{words}{_OPERAND[op.operand]}\s*(?://.*)?$".replace(" ?", r"\s*")
    return re.search(pattern.replace(" ", r"\s+"), program, re.M | re.I)


# ---- instructions ------------------------------------------------------------------------------

def instructions():
    """[(op, files that cover it, {exception: files})], without the markers."""
    said = {path: (covered(path), raised(path), [case.program() for case in cases(path)])
            for path in files()}
    rows = []
    forms = set()
    for op in tables.ops():
        if not op.text or op.form in forms:
            continue
        forms.add(op.form)
        there = {path for path, (_, _, programs) in said.items() if any(has(p, op) for p in programs)}
        accept = [path for path, (forms_, _, _) in said.items() if op.form in forms_ and path in there]
        raises = {x: [path for path, (_, pairs, _) in said.items()
                      if (op.form, x) in pairs and path in there] for x in op.exceptions}
        rows.append((op, accept, raises))
    return rows


def claims_without_ground():
    """Claims about instructions that do not exist, cannot raise that, or are not in the file."""
    known = {op.form: op for op in tables.ops() if op.text}
    for path in files():
        programs = [case.program() for case in cases(path)]
        for form, exception in raised(path):
            op = known.get(form)
            if op is None or exception not in op.exceptions or not any(has(p, op) for p in programs):
                yield f"{name_of(path)}: raises: {form}: {exception}"
        for form in covered(path):
            op = known.get(form)
            if op and programs and not any(has(p, op) for p in programs):
                yield f"{name_of(path)}: covers: {form}"


# ---- decisions ---------------------------------------------------------------------------------

def decisions():
    """[(number, where, words)]"""
    lines = (SUITE / "decisions.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split(None, 2)) for line in lines if line and not line.startswith("#")]


def _mentions():
    """path -> decisions its spec lines (.t, .dp) or its comments (.c, .py) name"""
    found = {}
    for path in sorted((TOP / "tests").rglob("*")):
        if path.suffix in (".t", ".dp"):
            lines = [line for line in path.read_text().splitlines()
                     if line.startswith(("spec:", "note:", "//"))]
        elif path.suffix in (".c", ".py") and path.name.startswith("test_"):
            lines = [line for line in path.read_text().splitlines()
                     if "decisions.txt" in line or re.search(r"(/\*|\() ?C\d{2,3}\b", line)]
        else:
            continue
        found[path] = set(re.findall(r"\bC\d{2,3}\b", "\n".join(lines)))
    return found


def tested_decisions():
    """[(number, where, words, files)]"""
    mentions = _mentions()
    return [(number, where, words, [path for path, numbers in mentions.items() if number in numbers])
            for number, where, words in decisions()]


# ---- seeds -------------------------------------------------------------------------------------

def seeds():
    """[(document, place, [path])]"""
    lines = (SUITE / "seed_examples.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [(document, place, [(SUITE / name).resolve() for name in names.split()])
            for document, place, names in rows]


# ---- the document ------------------------------------------------------------------------------

def link(path):
    relative = pathlib.PurePath(path)
    if relative.is_relative_to(SUITE):
        text = relative.relative_to(SUITE).as_posix()
        return f"[{text}]({text})"
    text = relative.relative_to(TOP / "tests").as_posix()
    return f"[{text}](../../{text})"


def links(paths):
    return " ".join(link(path) for path in paths)


def cpus(paths):
    found = []
    for path in paths:
        if path.suffix == ".dp" and path.parent.name == "seeds":
            found += (_value(path, "cpu") + " " + _value(path, "also")).split()
    return " ".join(dict.fromkeys(found))


def on_boards():
    """Which cases a board's processor does not run, and why; the rest must pass there."""
    every = conformance.cases(SUITE)
    lines = ["", "## On boards", "",
             "The tables list, for each processor and byte order of a board, how many cases run on the board, and which do not, with",
             "the reason. `test_board_conformance.py` fails when a board leaves out one case more. The simulator runs all cases.", ""]
    for (port, endian), boards in sorted(board_conformance.machines().items()):
        out = board_conformance.kept_out(board_conformance.Machine(port, endian), every)
        lines += [f"### {port}, {endian}-endian: {', '.join(boards)}", "",
                  f"{len(every) - sum(map(len, out.values()))} of {len(every)} cases run.", "",
                  "| not run | reason | cases |", "|---|---|---|"]
        for reason, cases_ in sorted(out.items()):
            counted = collections.Counter(case.file for case in cases_)
            shown = " ".join(link(SUITE / file) + (f" ({number})" if number > 1 else "")
                             for file, number in sorted(counted.items()))
            lines.append(f"| {len(cases_)} | {reason} | {shown} |")
        lines.append("")
    return lines[:-1]


def generate():
    lines = [HEAD, "## Instructions", "", "| instruction | accepted | exceptions |", "|---|---|---|"]
    for op, accept, raises in instructions():
        shown = "<br>".join(f"{name}: {links(paths)}" for name, paths in raises.items())
        lines.append(f"| `{op.form}` | {links(accept)} | {shown} |")
    lines += ["", "The markers that the compiler sets have no spelling: [test_verify.c](../test_verify.c).", "",
              "## Decisions", "",
              "The table has every decision of section 4 of the specification. `language`: the compiler, the verifier or the",
              "interpreter fulfils the decision, so a test must name it.",
              "", "| number | where | decided | tests |", "|---|---|---|---|"]
    lines += [f"| {number} | {where} | {words} | {links(paths)} |"
              for number, where, words, paths in tested_decisions()]
    lines += ["", "## Examples of the seed documents", "", "| document | place | CPUs | files |", "|---|---|---|---|"]
    lines += [f"| {document} | {place} | {cpus(paths)} | {links(paths)} |" for document, place, paths in seeds()]
    return "\n".join(lines + on_boards()) + "\n"
