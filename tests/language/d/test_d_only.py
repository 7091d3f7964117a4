# SPDX-License-Identifier: BSD-2-Clause
"""only(e): the host decides whether a record is shown. D.md, "Conditions of the host"."""
import csv
import io
import json

import d_cases
import pytest

import cpus
from harness.paths import built


@pytest.fixture(scope="module")
def firmware(tmp_path_factory):
    made = tmp_path_factory.mktemp("d_only")
    return d_cases.firmware(made)


def simulated(dprobes, folder, clauses):
    """The hit of a program, without an ELF file."""
    (folder / "t.d").write_text("".join(f"addr:::0x1000 {{ {clause} }}\n" for clause in clauses))
    run = dprobes("simulate", "--cpu", "sim", "--format", "json", "t.d", cwd=folder)
    assert run.status == 0, run.stderr
    row, = [row for row in map(json.loads, run.stdout.splitlines()) if "end" in row]
    return row


@pytest.mark.parametrize("condition, shown", [
    ('strstr("sensor", "ens") != ""', True), ('strstr("sensor", "ans") != ""', False), ('strstr("sensor", "ens") == "ensor"', True),
    ('strjoin("a", "b") < "ac"', True), ('strjoin("a", "b") >= "ac"', False), ('toupper("a") == "A" && tolower("B") == "b"', True),
    ('toupper("a") == "A" && tolower("B") == "B"', False), ('strstr("ab", "b")', True), ('strstr("ab", "c")', False),
    ('strlen("abc") > 2', True), ('strlen("abc") > 3', False), ('strlen("abc") <= 3', True), ('strlen("abc") < 3', False),
    ('index("abc", "z") < 0', True), ('index("abc", "z") >= 0', False), ('index("abc", "z") == -1', True), ('strtoll("-5") < 3', True),
    ('strlen("abc") - 3', False), ('strlen("abc")', True), ('n % 3 == 1', True), ('n / 2 != 2', False), ('n == 4', True), ('n', True),
    ('"a" == "b"', False), ('basename("/x/y") == "y"', True),
])
def test_conditions(dprobes, tmp_path, condition, shown):
    """A true one shows the rest of the clause; a false one shows nothing, and the values are gone in each format."""
    row = simulated(dprobes, tmp_path, [f"n = 4; only({condition}); trace(7);"])
    assert ("7" in row.get("text", "")) == shown, row
    assert len(row.get("args", [])) == shown, row


@pytest.mark.parametrize("condition", [
    "e == -1", "e == LOST", "e < 0", "e < FINE", "u == -1", "u > -1", "u < 5", "s == 65535", "s > -1", "c < 0", "c == 255", "w == -1", "w > 5",
    "-1 < u", "u == 0xffffffff", "e != u", "bit == 7", "bit > -1",
])
def test_conditions_are_those_of_predicates(dprobes, tmp_path, condition):
    """Numbers are compared as C compares them, also beside one that only the host has."""
    declared = ("enum state { LOST = -1, FINE = 0 }; struct all { enum state e; unsigned u; unsigned short s; signed char c; unsigned char d; "
                "unsigned long long w; unsigned bit : 3; };\n")
    member = "((struct all *)0x100)->"
    text = " ".join(member + word if word in ("e", "u", "s", "c", "w", "bit") else word for word in condition.split())
    (tmp_path / "t.d").write_text(f"{declared}addr:::0x1000 /{text}/ {{ trace(1); }}\naddr:::0x1000 {{ only({text} && strlen(\"a\") == 1); trace(2); }}\n")
    run = dprobes("simulate", "--cpu", "sim", "--format", "json", "--mem", "0x100=" + "ff" * 40, "t.d", cwd=tmp_path)
    assert run.status == 0, run.stderr
    row, = [row for row in map(json.loads, run.stdout.splitlines()) if "end" in row]
    assert [value["value"] for value in row.get("args", [])] in ([], [1, 2]), (condition, row)


def test_a_firing_beside_a_false_condition(dprobes, tmp_path):
    """A clause without a statement records the firing itself."""
    (tmp_path / "t.d").write_text("addr:::0x1000 { only(strlen(\"ab\") > 5); trace(7); }\naddr:::0x1000 { }\n")
    run = dprobes("simulate", "--cpu", "sim", "t.d", cwd=tmp_path)
    assert run.status == 0 and "7" not in run.stdout.splitlines()[-1], run.stdout


def test_other_clauses_stay(dprobes, tmp_path):
    row = simulated(dprobes, tmp_path, ['only(strlen("ab") > 5); trace(7);', 'trace(8);',
                                        'only(strlen("ab") > 1); only(strlen("ab") < 5); trace(9);'])
    assert [value["value"] for value in row["args"]] == [8, 9], row


@pytest.mark.parametrize("text, said", [
    ("take:entry { trace(n); only(n); }", "1:24: error: only() stands before the actions whose record it decides"),
    ("take:entry { only(n); exit(1); }", "1:23: error: the host decides only(), and the target ends the program; use a predicate"),
    ("take:entry { only(n); @ = count(); }", "1:23: error: the host decides only(), and the target updates aggregations; use a predicate"),
    ("take:entry { only(n == stringof(thing->title)); trace(n); }", "error: one of the operands is a string, and the other a number"),
    ("take:entry { only(*thing); trace(n); }", "only() compares numbers and strings; this is struct thing"),
    ("take:entry { only(n); if (n > 3) trace(n); }", "only() and 'if' do not go together"),
    ("take:entry { if (n > 3) { only(n); trace(n); } }", "only() and 'if' do not go together"),
    ("take:entry { only(copyin(0x100, 4) == 0); trace(n); }", "only() compares numbers and strings; this is neither"),
    ('take:entry { only(basename(probefunc) == "x" || n > 1); trace(n); }', "only() joins what the host compares by && alone; write a clause for each case"),
    ("take:entry { only(!strlen(toupper(probefunc))); trace(n); }", "only() joins what the host compares by && alone"),
    ("take:entry { only(); trace(n); }", "'only' has 1 argument(s), not 0"),
    ("take:entry { x = only(n); }", "'only' is an action, which has no value"),
])
def test_refusals(dprobes, firmware, tmp_path, text, said):
    (tmp_path / "t.d").write_text(text)
    run = dprobes("build", tmp_path / "t.d", "--elf", firmware, "-o", tmp_path / "t.ppdf")
    assert run.status == 1 and said in run.stderr, run.stderr


def test_on_a_board(qemu, dprobes, tmp_path):
    """Only records of one of two queues are shown, counted and written; the capture has the others, too."""
    board = cpus.boards(1)[0]
    env = {"DPROBES_PORT": qemu(board).free_when_up().url("com1"), "DPROBES_ELF": str(built("boards", board, "demo.elf"))}
    program = 'queue_put:entry { only(strjoin(stringof(q->name), "!") == "sensor!"); trace(stringof(q->name)); }'
    run = dprobes("-n", program, "--count", 20, "--record", "c.dpc", "--format", "json", env=env, cwd=tmp_path)
    assert run.status == 0, run.stderr
    rows = [row for row in run.objects() if row["kind"] == "log"]
    assert len(rows) == 20 and all([value["value"] for value in row["args"]] == ["sensor"] for row in rows), rows
    again = dprobes("report", "c.dpc", "--format", "json", cwd=tmp_path)
    assert [row for row in again.objects() if row["kind"] == "log"][:20] == rows
    table = list(csv.DictReader(io.StringIO(dprobes("report", "c.dpc", "--format", "csv", cwd=tmp_path).stdout)))
    shown = [row for row in table if row["kind"] == "log"]
    assert len(shown) == len([row for row in again.objects() if row["kind"] == "log"])
    assert all('"value":"sensor"' in row["args"] for row in shown)
