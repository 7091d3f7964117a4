# SPDX-License-Identifier: BSD-2-Clause
"""Reads the conformance files (tests/language/conformance/README.md) and runs their cases.

A file is blocks separated by lines of ---; the first block describes the file, each
other one is a case. A block is `key: value` lines; `key: |` takes the indented lines
that follow.
"""
import dataclasses
import os
import re

from . import tool
import tables

WORDS = (32, 64)
ENDIANS = ("little", "big")
FILE_KEYS = {"claim", "spec", "covers", "raises", "note"}
CASE_KEYS = {"case", "boards", "header", "probe", "rpn", "procs", "full", "word", "endian", "mem",
             "mem-ro", "reg", "hits", "args", "record", "note", "covers", "spec", "cpu"}
MANY = {"mem", "mem-ro", "reg", "hits", "record", "note"}
_TOKEN = re.compile(r"\{([a-z]):([^}]+)\}")
_WIDTH = {"b": 1, "h": 2, "d": 4, "q": 8}


class FormatError(Exception):
    """A conformance file that does not follow its README."""


@dataclasses.dataclass
class Case:
    """One case: what to run and the records it must print."""

    file: str
    line: int
    values: dict

    @property
    def name(self):
        return self.values["case"]

    def forms(self):
        """The word sizes and byte orders it runs with."""
        words = _choice(self, "word", {str(w): w for w in WORDS})
        endians = _choice(self, "endian", {e: e for e in ENDIANS})
        return [(word, endian) for word in words for endian in endians]

    def program(self):
        """The probe program's text."""
        if "path" in self.values:
            with open(self.values["path"], encoding="utf-8") as file:
                return file.read()
        if "full" in self.values:
            return self.values["full"]
        lines = ['name = "t"', *_statements(self.values.get("header", ""))]
        lines += ["offset = 0x1000", *_statements(self.values.get("probe", ""))]
        lines += _statements(self.values.get("rpn", ""))
        return "\n".join(lines) + "\n" + self.values.get("procs", "")

    def arguments(self, word, endian):
        """Options of simulate for one form."""
        result = ["--cpu", self.values.get("cpu", "sim"), "--word", str(word), "--endian", endian,
                  "--format", "raw", *self.values.get("args", "").split()]
        for key in ("mem", "mem-ro", "reg", "hits"):
            for value in self.values.get(key, []):
                result += [f"--{key}", expand(value, word, endian)]
        return result

    def expected(self, word, endian):
        """Lines of standard output."""
        lines = [expand(text, word, endian) for text in self.values.get("record", [])]
        return [] if lines == ["none"] else lines

    def run(self, program, path, word, endian):
        """What went wrong with one form, or None."""
        folder = None
        if "path" in self.values:
            folder, path = os.path.split(self.values["path"])
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.program())
        words = ["simulate", *self.arguments(word, endian), path]
        status, stdout, stderr = tool.run(program, words, cwd=folder)
        printed = stdout.splitlines()
        expected = self.expected(word, endian)
        if status == 0 and same(expected, printed, word):
            return None
        return "\n".join([
            f"{self.file}:{self.line}: {self.name} ({word}-bit, {endian})",
            "program:", *("    " + line for line in self.program().splitlines()),
            "command: dprobes " + " ".join(words), f"status:   {status}",
            "expected:", *("    " + line for line in expected),
            "printed:", *("    " + line for line in printed),
            stderr])


def _choice(case, key, known):
    value = case.values.get(key, "both")
    if value == "both":
        return list(known.values())
    if value not in known:
        raise FormatError(f"{case.file}:{case.line}: {key}: {value}")
    return [known[value]]


def _statements(text):
    """a; b; c on one line, or a block, which is taken as it stands."""
    if "\n" in text:
        return text.splitlines()
    return [part.strip() for part in _split(text) if part.strip()]


def _split(line):
    """At semicolons that are not inside quotes."""
    return re.findall(r"""(?:[^;"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')+""", line)


def expand(text, word, endian):
    """{w:V} {b:V} {h:V} {d:V} {q:V}: hex bytes of a word, of 1, 2, 4, 8 bytes, in target order."""
    def bytes_of(match):
        kind, value = match.group(1), int(match.group(2), 0)
        width = word // 8 if kind == "w" else _WIDTH[kind]
        return (value % (1 << 8 * width)).to_bytes(width, endian).hex()
    return _TOKEN.sub(bytes_of, text)


def same(expected, printed, word):
    """Line by line; {any} stands for one word of any value."""
    digits = f"[0-9a-f]{{{word // 4}}}"
    patterns = [digits.join(map(re.escape, line.split("{any}"))) for line in expected]
    return len(expected) == len(printed) and all(map(re.fullmatch, patterns, printed))


def read(path, name):
    """The cases of one file."""
    with open(path, encoding="utf-8") as file:
        blocks = list(_blocks(file.read(), name))
    if not blocks or set(blocks[0][1]) - FILE_KEYS:
        raise FormatError(f"{name}: the first block has claim, spec, covers")
    cases = [Case(name, line, values) for line, values in blocks[1:]]
    for case in cases:
        unknown = set(case.values) - CASE_KEYS
        if unknown or "case" not in case.values:
            raise FormatError(f"{name}:{case.line}: unknown {sorted(unknown)}, or no case:")
        if ("rpn" in case.values) == ("full" in case.values):
            raise FormatError(f"{name}:{case.line}: either rpn: or full:")
        if "record" not in case.values:
            raise FormatError(f"{name}:{case.line}: no record: (none is `record: none`)")
    return cases


_DIRECTIVE = re.compile(r"//\s*(cpu|also|names|args|boards|mem|mem-ro|reg|hits|record):\s*(.*)")


_ORDERS = tables.cpu_orders()


def read_program(path, name):
    """A whole program with its directives in comments at the head, as cases; none without."""
    values = {"case": os.path.basename(path), "path": str(path), "word": "32"}
    with open(path, encoding="utf-8") as file:
        for match in map(_DIRECTIVE.match, file):
            if match and match.group(1) in MANY:
                values.setdefault(match.group(1), []).append(match.group(2).strip())
            elif match:
                values[match.group(1)] = match.group(2).strip()
    values["endian"] = _ORDERS.get(values.get("cpu"), "little")
    if "record" not in values:
        return []
    others, names = values.pop("also", "").split(), values.pop("names", "").split()
    renamed = _with_names(values, dict(pair.split("=") for pair in names))
    return [Case(name, 1, values)] + [
        Case(name, 1, renamed | {"cpu": cpu, "endian": _ORDERS[cpu], "case": f"{values['case']} {cpu}"})
        for cpu in others]


def _with_names(values, names):
    """The case with other names for its registers: the program gets them by -D."""
    other = dict(values)
    if names:
        other["args"] = " ".join([values.get("args", ""), *(f"-D{old}={new}" for old, new in names.items())]).strip()
        by_name = {old.lower(): new for old, new in names.items()}
        other["reg"] = [f"{by_name.get(old.lower(), old)}={value}"
                        for old, value in (pair.split("=") for pair in values.get("reg", []))]
    return other


def _blocks(text, name):
    values, first, key = {}, 1, None
    for number, line in enumerate(text.splitlines() + ["---"], 1):
        if line.strip() == "---":
            if values:
                yield first, values
            values, first, key = {}, number + 1, None
        elif key and (line.startswith("  ") or not line.strip()):
            values[key] += line[2:] + "\n"
        elif line.startswith("#") or not line.strip():
            continue
        else:
            match = re.fullmatch(r"([a-z-]+):\s*(.*)", line)
            if not match:
                raise FormatError(f"{name}:{number}: expected key: value")
            key, value = match.groups()
            if key in values and key not in MANY:
                raise FormatError(f"{name}:{number}: {key}: a second time")
            if key in MANY:
                values.setdefault(key, []).append(value.strip())
                key = None
            elif value.strip() == "|":
                values[key] = ""
            else:
                values[key] = value.strip()
                key = None


def cases(top):
    """Every case below a folder: of .t files, and .dp files that say what they record."""
    found = []
    for folder, _, files in sorted(os.walk(top)):
        for file in sorted(files):
            path = os.path.join(folder, file)
            name = os.path.relpath(path, top)
            if file.endswith(".t"):
                found += read(path, name)
            elif file.endswith(".dp"):
                found += read_program(path, name)
    return found
