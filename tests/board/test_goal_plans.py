# SPDX-License-Identifier: BSD-2-Clause
"""The programs whose cost has a goal keep their kind of plan: one that falls back to the interpreter fails by name, with its
line and the reason. `dprobes check` tells both (host/tables/plan_reasons.def)."""
import pytest

import bench_hit
import cpus
import tables
from harness.paths import built

# Two probes at a place have a list of the plans of each. A return has its plan in one trap (guests/common/sites.c).
# The interpreter runs the last one: no plan adds to a bucket.
KINDS = {"null hit": "nothing", "null hit, logonfault": "nothing", "empty record": "words", "predicate false": "test",
         "record of two words": "words", "D predicate false": "compare", "D count": "count", "D count by caller": "count",
         "two words with PC and TSC": "words", "return, null": "nothing", "two null probes": "nothing", "D count of returns": "count",
         "D printf of two members": "memory", "D quantize by caller": "run"}


def kind_of(board, name):
    """D's returns wait for the end of a delay slot, which may set the value that is returned."""
    cpu, = (row for row in cpus.rows() if board in row.usual_boards + row.code_boards)
    if name == "D count of returns" and cpu.delay_slots:
        return "chain"
    return KINDS[name]


def program_of(board, name):
    """(file, text) of the program that bench_hit.py measures under the name."""
    if name in bench_hit.D_PROGRAMS:
        return "bench.d", bench_hit.D_PROGRAMS[name]
    if name == "two words with PC and TSC":
        return bench_hit.SESSION.name, bench_hit.SESSION.read_text(encoding="utf-8")
    if name == "D count of returns":
        return "bench.d", "queue_put:return { @ = count(); }"
    if name == "two null probes":
        return bench_hit.rpn([bench_hit.place(board)], bench_hit.SCENARIOS["null hit"])  # each of them
    if name == "return, null":
        return bench_hit.rpn(bench_hit.returns(board), bench_hit.SCENARIOS["null hit"])
    return bench_hit.rpn([bench_hit.place(board)], bench_hit.SCENARIOS[name])


def plans(dprobes, board, tmp_path, file, text):
    (tmp_path / file).write_text(text)
    run = dprobes("check", "--elf", built("boards", board, "demo.elf"), "--format", "json", file, cwd=tmp_path)
    assert run.status == 0, run.stderr
    return run.objects()[0]


def test_each_program_with_a_goal_is_here():
    assert set(KINDS) >= set(bench_hit.SCENARIOS) | set(bench_hit.D_PROGRAMS)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("board", bench_hit.BOARDS)
def test_kind(dprobes, tmp_path, board, name):
    found = plans(dprobes, board, tmp_path, *program_of(board, name))
    reasons = [f"{row['file']}:{row['line']}: no plan: {row['reason']}" for row in found.get("no_plans", [])]
    kinds = found["plans"]
    if name == "D count of returns":
        assert kinds.pop() == "chain"  # of what runs after return(): no trap stands there, and no plan
    assert set(kinds) == {kind_of(board, name)}, reasons
    assert bool(reasons) == (kind_of(board, name) in ("run", "chain"))


# A clause in line 3 of a program, and the reason that check tells there.
REASONS = {
    'printf("%s", stringof(q->name));': "a value is computed",
    "@ = quantize(q->count);": "the handler is not one count() by at most 5 registers, alone",
    "@[q->size] = count();": "the handler is not one count() by at most 5 registers, alone",
    "@ = sum(3);": "a value is computed",
    "n = n + 1;": "a variable is used",
    'printf("%d", q->name[0]);': "memory is read other than for one test in front of all, or for words that are logged",
    'printf("%d %d %d %d %d %d", arg0, arg0, arg0, arg0, arg0, q->size);': "more than 5 words are logged, or a register that a hit does not save",
}


@pytest.mark.parametrize("clause", REASONS)
def test_the_reason_is_told(dprobes, tmp_path, clause):
    (tmp_path / "q.d").write_text("\n\nqueue_put:entry { " + clause + " }\n")
    run = dprobes("check", "--elf", built("boards", cpus.boards()[0], "demo.elf"), "q.d", cwd=tmp_path)
    assert run.status == 0, run.stderr
    assert f"\nplan:    q.d:3: no plan: {REASONS[clause]}\n" in run.stdout, run.stdout


# A register of each CPU that has one of two words: (CPU, what a push of it says).
WIDE = {cpu: f"{'ru'[not row.access & 1]}, {row.name}" for cpu in cpus.names() for row in tables.registers(cpu) if row.words == 2 and not row.pops}


@pytest.mark.parametrize("cpu", WIDE)
def test_a_register_that_a_hit_does_not_save(dprobes, tmp_path, cpu):
    """Memory at such a register is no word of the stack, wherever the CPU has its arguments."""
    (tmp_path / "w.dp").write_text(f"name = w\noffset = 16\nopcode = 0x90\npush {WIDE[cpu]}\npush mem, u32\nlog 1\nexit\n")
    found, = dprobes("check", "--cpu", cpu, "--format", "json", "w.dp", cwd=tmp_path).objects()
    assert found["plans"] == ["run"], found


POINTS = {"phase = after\n": "the handler runs behind its instruction", "taken = yes\n": "the probe fires only where the branch is taken"}


@pytest.mark.parametrize("ends, rows", [(("abort", "exit"), [(6, 1), (11, 1)]), (("abort", "abort"), [(6, 2)])], ids=("two", "shared"))
@pytest.mark.parametrize("trait", POINTS)
def test_a_point_has_a_reason_of_its_own(dprobes, tmp_path, trait, ends, rows):
    """Points with the same handler share its code, and so a row."""
    (tmp_path / "p.dp").write_text("name = p\n" + "".join(
        f"offset = {at:#x}\nminor = {at}\nopcode = 0\n{trait}{end}\n" for at, end in zip((16, 32), ends)))
    run = dprobes("check", "--format", "json", "p.dp", cwd=tmp_path)
    assert run.status == 0, run.stderr
    found, = run.objects()
    assert found["plans"] == ["chain"] * 2
    assert [(row["line"], row["points"], row["reason"]) for row in found["no_plans"]] == [(*row, POINTS[trait]) for row in rows]
