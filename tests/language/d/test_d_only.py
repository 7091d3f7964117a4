# SPDX-License-Identifier: BSD-2-Clause
"""only(e): the host decides whether a record is shown. D.md, "Conditions of the host"; spec/d.md 11."""
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
