# SPDX-License-Identifier: BSD-2-Clause
"""Any program of up to 1 MB is answered in bounded work, with at most 200 messages.

Work is counted in instructions (valgrind), not in time: a busy machine changes nothing. 2 s of CPU is 4e9 instructions
on a slow one. What cpp does is counted by its own limits (host/source/cpp.c)."""
import re
import subprocess

import pytest

from harness import compile_fail, tool
from harness.paths import built, program

BYTES = 1 << 20
INSTRUCTIONS_MAX = 4_000_000_000
MESSAGES_MAX = 200
HEAD = 'name = "t"\noffset = 0x1000\nopcode = 1\n'
NEAR = "x" * 50


def rows(make):
    """A program of BYTES with as many rows as it holds."""
    lines, size, i = [HEAD], len(HEAD), 0
    while size < BYTES - 100:
        lines.append(make(i))
        size += len(lines[-1])
        i += 1
    return "".join(lines) + "exit\n"


PROGRAMS = {
    "wrong words": lambda: rows(lambda i: "frob\n"),
    "wrong keywords": lambda: rows(lambda i: "frob = 1\n"),
    "wrong types": lambda: rows(lambda i: f"type = x{i}\n"),
    "wrong characters": lambda: rows(lambda i: "\x7f\n"),
    "wrong symbols": lambda: rows(lambda i: f"push sym{i}\n"),
    "wrong registers": lambda: rows(lambda i: f"push r, q{i}\n"),
    "the same symbol": lambda: rows(lambda i: "push s99999\n"),
    "the same label": lambda: rows(lambda i: "a: nop\n"),
    "labels": lambda: rows(lambda i: f"l{i}:\n"),
    "labels that are named": lambda: rows(lambda i: f"l{i}: jmp l{i}\n"),
    "labels that nobody has": lambda: rows(lambda i: f"jmp l{i}\n"),
    "labels that are near": lambda: HEAD + "".join(f"l{NEAR}{i}: nop\n" for i in range(16000))
                            + "".join(f"jmp m{NEAR}{i}\n" for i in range(400)),
    "procs": lambda: rows(lambda i: f"proc p{i}\nendproc\n"),
    "procs without end": lambda: rows(lambda i: "proc a\n"),
    "probes": lambda: rows(lambda i: f"offset = {4 * i}\nopcode=1\n"),
    "short instructions": lambda: rows(lambda i: "or\n"),
    "statements on one line": lambda: rows(lambda i: "push 1 push 2 push 3 push 4\n"),
    "warnings": lambda: rows(lambda i: "push 007\n"),
    "directives that are no C": lambda: rows(lambda i: "#elseif\n"),
    "errors of cpp": lambda: rows(lambda i: "#error\n"),
    "warnings of cpp": lambda: rows(lambda i: "#warning x\n"),
    "macros": lambda: rows(lambda i: f"#define A{i} B\n"),
    "lines of a macro": lambda: rows(lambda i: "__X\n"),
    "blank lines": lambda: rows(lambda i: "\n"),
    "one line": lambda: HEAD + "push " * (BYTES // 5 - 100) + "\n",
    "one word": lambda: HEAD + "a" * (BYTES - 100) + "\n",
    "names of groups": lambda: "groupdef =" + " a b" * (BYTES // 4 - 100) + "\n" + HEAD,
}


def body(make):
    """A clause of D of BYTES with as many statements as it holds."""
    return "f:entry {\n" + rows(make).removeprefix(HEAD).removesuffix("exit\n") + "}\n"


def repeated(front, text, end):
    return front + text * ((BYTES - 100) // len(text)) + end


D_PROGRAMS = {
    "wrong clauses": lambda: rows(lambda i: "frob { x; }\n").removeprefix(HEAD),
    "clauses": lambda: rows(lambda i: f"f{'*' * (i % 50)}:entry {{ trace({i}); }}\n").removeprefix(HEAD),
    "descriptions": lambda: repeated("f:entry", ", f:entry", " { trace(1); }\n"),
    "wrong names": lambda: body(lambda i: f"trace(q{i});\n"),
    "the same wrong name": lambda: body(lambda i: "trace(q + q + q + q);\n"),
    "wrong names in long lines": lambda: body(lambda i: f"trace(q{i} + r{i});{' ' * 260}\n"),
    "variables": lambda: body(lambda i: f"this->a{i} = 1;\n"),
    "declarations": lambda: rows(lambda i: f"int a{i};\n").removeprefix(HEAD),
    "aggregations": lambda: body(lambda i: f"@a{i} = count();\n"),
    "operators": lambda: repeated("f:entry { trace(", "1+", "1); }\n"),
    "long expressions": lambda: repeated("f:entry { ", f"trace({'1+' * 990}1); ", "}\n"),
    "members": lambda: repeated("f:entry { trace(a", "->b", "); }\n"),
    "terms of a predicate": lambda: repeated("f:entry / 1", " || 1", " / { trace(1); }\n"),
    "arguments": lambda: repeated("f:entry { trace(1", ",1", "); }\n"),
    "strings in a row": lambda: repeated("f:entry { trace(", '"a" ', "); }\n"),
    "parts of offsetof": lambda: repeated("f:entry { trace(offsetof(struct a, a", ".a", ")); }\n"),
    "parentheses": lambda: repeated("f:entry { trace(", "(", "1); }\n"),
    "else": lambda: repeated("f:entry { ", "if (1) trace(1); else ", " trace(1); }\n"),
}


# Of each kind of work one; the others at night.
USUAL = {"wrong clauses", "wrong names", "aggregations", "operators", "terms of a predicate", "wrong words", "wrong symbols",
         "labels that nobody has", "probes", "errors of cpp", "macros", "one line", "one word", "names of groups"}


def named(programs):
    return pytest.mark.parametrize("name", [name if name in USUAL else pytest.param(name, marks=pytest.mark.nightly) for name in programs])


def test_usual_ones_exist():
    assert USUAL <= {*PROGRAMS, *D_PROGRAMS}


@pytest.fixture(scope="session")
def symbols(tmp_path_factory):
    """A list of 100,000 symbols."""
    path = tmp_path_factory.mktemp("map") / "System.map"
    path.write_text("".join(f"{0x1000 + 4 * i:08x} T s{i}\n" for i in range(100_000)))
    return path


def counted(command, folder):
    """What it printed, and how many instructions it ran. Children are not counted."""
    run = subprocess.run([program("valgrind"), "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                          "--log-file=count", *command], cwd=folder, env=tool.environment(), text=True, errors="backslashreplace",
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert run.returncode in (0, 1), run.stderr
    count = re.search(r"I +refs: +([\d,]+)", (folder / "count").read_text())
    return run.stderr, int(count[1].replace(",", ""))


@pytest.fixture(scope="session")
def firmware(tmp_path_factory):
    """With debug information, which a wrong name has D search."""
    folder = tmp_path_factory.mktemp("elf")
    (folder / "f.c").write_text("".join(f"int v{i};\n" for i in range(2000)) + "int f(int a) { return a; }\n")
    subprocess.run([program("arm-none-eabi-gcc"), "-g", "-nostdlib", "-Wl,-e,f", "f.c", "-o", "f.elf"], cwd=folder, check=True)
    return folder / "f.elf"


@named(D_PROGRAMS)
def test_work_of_d_is_bounded(tmp_path, firmware, name):
    text = D_PROGRAMS[name]()
    assert BYTES * 0.8 < len(text) <= BYTES
    (tmp_path / "t.d").write_text(text)
    said, instructions = counted([built("host", "dprobes"), "build", "--elf", firmware, "t.d"], tmp_path)
    messages = [line for line in said.splitlines() if ": error: " in line]
    assert 1 <= len(messages) <= MESSAGES_MAX and instructions <= INSTRUCTIONS_MAX, (len(messages), instructions)


@named(PROGRAMS)
def test_work_is_bounded(tmp_path, symbols, name):
    text = PROGRAMS[name]()
    assert BYTES * 0.8 < len(text) <= BYTES
    (tmp_path / "t.dp").write_text(text)
    said, instructions = counted([built("host", "dprobes"), "build", "--cpu", "arm", "--sym", symbols, "--dont-verify-opcodes",
                                  "t.dp"], tmp_path)
    messages = [line for line in said.splitlines() if compile_fail.PLACE.fullmatch(line)]
    assert len(messages) <= MESSAGES_MAX and instructions <= INSTRUCTIONS_MAX, (len(messages), instructions)


def test_work_of_a_list_grows_with_its_points(tmp_path):
    """Descriptions that have the same points list each point once, without a comparison of each two."""
    (tmp_path / "System.map").write_text("".join(f"{0x1000 + 4 * i:08x} T s{i}\n" for i in range(20_000)))

    def listed(*descriptions):
        return counted([built("host", "dprobes"), "-l", *descriptions, "--elf", "System.map"], tmp_path)[1]
    assert listed(*["fbt:::entry"] * 3) < 3 * listed("fbt:::entry")
