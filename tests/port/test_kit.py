# SPDX-License-Identifier: BSD-2-Clause
"""The test kit of a port (lib/tools/kit.py): which test is which check, that nothing absent passes, and the
whole of it for the port that has nothing."""
import re
import subprocess
import sys

import pytest

import cpus
import kit
from harness import process
from harness.paths import TOP

ARM = kit.Port("arm", ("versatilepb", "vexpress-a9"), ("armv5-full", "armv7-full"))
SECOND = cpus.rows()[1]
OTHER = kit.Port(SECOND.name, (SECOND.board, "malta-be"), ("mips32-full",))


def named(file, function, *values):
    return kit.Test(file, function, frozenset(values))


def name_of(test, port):
    check = kit.check_of(test, port)
    return check and check.name


# ---- selection -----------------------------------------------------------------------------------

@pytest.mark.parametrize("file, function, values, check", [
    ("test_arm_decode.c", "test_program", (), "decode table"),
    ("test_arm_port.py", "test_run_twice", ("versatilepb",), "run twice"),
    ("test_arm_port.py", "test_refusals", (), "refusals"),
    ("test_arm_port.py", "test_coverage_gate", (), "decode table"),
    ("test_arm_objdump.py", "test_same_class", ("t32",), "classifier"),
    ("test_arm_vectors.py", "test_results", ("a32",), "vectors"),
    ("test_sweep.py", "test_every_instruction", ("vexpress-a9",), "sweep"),
    ("test_sweep_arrival.py", "test_each_instruction_of_a_hit", ("vexpress-a9",), "interrupts"),
    ("test_phases.py", "test_fault", ("vexpress-a9",), "phases"),
    ("test_timers.py", "test_frame", ("vexpress-a9",), "samples"),
    ("test_timers.py", "test_rates", ("vexpress-a9",), None),
    ("test_board_conformance.py", "test_cases", ("vexpress-a9",), "conformance"),
    ("test_demo.py", "test_demo", ("versatilepb",), "demo"),
    ("test_freestanding.py", "test_agent_needs_nothing", ("armv7-full",), "freestanding"),
    ("test_size.py", "test_size", ("armv5-full",), "size"),
    # Of the port, but no check; a check, but of no board of the port; nothing at all.
    ("test_arm_other.py", "test_something", (), None),
    ("test_sweep.py", "test_every_instruction", (SECOND.board,), None),
    ("test_freestanding.py", "test_agent_needs_nothing", ("mips32-full",), None),
    ("test_demo.py", "test_demo_leaves_nothing_behind", (), None),
    ("test_verify.c", "test_program", (), None),
])
def test_selection(file, function, values, check):
    assert name_of(named(file, function, *values), ARM) == check


def test_a_port_whose_name_begins_like_another():
    assert name_of(named("test_arm64_decode.c", "test_program"), ARM) is None
    assert name_of(named("test_mips_decode.c", "test_program"), ARM) is None


def test_finds_what_the_tree_has():
    run = subprocess.run([sys.executable, "-B", "tests/lib/tools/kit.py", "arm", "--list"], cwd=TOP,
                         capture_output=True, text=True, timeout=process.TIMEOUT_S, check=True)
    for line in ("decode table: test_arm_decode.c::test_arm_decode",
                 "run twice: test_arm_port.py::test_run_twice[vexpress-a9]",
                 "demo: test_demo.py::test_demo[versatilepb-demo.elf]"):
        assert line in [re.sub(r": \w+/", ": ", text) for text in run.stdout.splitlines()]
    assert not any(word in run.stdout for word in (SECOND.board, SECOND.name, "test_kit"))


def test_boards_and_builds_of_a_port():
    arm = kit.port_named("arm")
    assert set(arm.boards) >= {"versatilepb", "vexpress-a9"} and SECOND.board not in arm.boards
    assert not any(build.startswith(SECOND.name) for build in arm.builds)
    assert {*cpus.names(), "template"} <= set(kit.ports())
    assert "s390" not in kit.ports()  # registers, but no port


@pytest.mark.parametrize("row, words", [
    ({"board": "malta-be", "cases": 5}, ("malta-be",)),
    ({"machine": ["-M", "nowhere"], "load": "-kernel"}, ("-M", "nowhere", "-kernel")),
])
def test_rows_of_targets_stand_for_boards(row, words):
    class Item:
        path = TOP / "tests" / "test_some_port.py"
        originalname = "test_run_twice"

        class module:
            TARGETS = {"24Kf-be": row, "other": {"board": SECOND.board}}

        class callspec:
            params = {"name": "24Kf-be"}

    assert kit.test_of(Item) == named("test_some_port.py", "test_run_twice", "24Kf-be", *words)


# ---- verdict -------------------------------------------------------------------------------------

def results(*rows):
    """check name -> results, from (check, outcome, board...)."""
    found = {}
    for check, outcome, *values in rows:
        found.setdefault(check, []).append(
            kit.Result(named("test_x.py", "test_x", *values), outcome, "12 cases"))
    return found


def everything(port):
    return [(check.name, "passed", *([board] if check.each_board else []))
            for check in kit.CHECKS for board in port.boards]


def verdicts(port, found):
    return {(row.check, row.where): row for row in kit.table(port, found)}


def test_all_there():
    rows = kit.table(OTHER, results(*everything(OTHER)))
    assert {row.result for row in rows} == {"passed"}
    assert len(rows) == 1 + len(kit.CHECKS) + sum(check.each_board for check in kit.CHECKS)  # the first is the row of facts


@pytest.mark.parametrize("check", kit.CHECKS, ids=lambda check: check.name)
def test_a_check_without_a_test_is_absent_and_says_what_is_missing(check):
    rows = verdicts(OTHER, results(*[r for r in everything(OTHER) if r[0] != check.name]))
    bad = [row for row in rows.values() if row.result != "passed"]
    assert {row.check for row in bad} == {check.name}
    assert all(row.result == "absent" and ("/" in row.why or "SConstruct" in row.why)
               and "{" not in row.why for row in bad)


def test_one_board_of_two_is_not_enough():
    rows = verdicts(OTHER, results(*[r for r in everything(OTHER) if r[:1] + r[2:] != ("sweep", "malta-be")]))
    assert rows["sweep", SECOND.board].result == "passed"
    assert rows["sweep", "malta-be"].result == "absent"


@pytest.mark.parametrize("outcome, result", [("failed", "failed"), ("skipped", "absent")])
def test_what_fails_or_is_skipped_does_not_pass(outcome, result):
    for alone in (True, False):
        rows = [r for r in everything(OTHER) if r[0] != "vectors" or not alone]
        row = verdicts(OTHER, results(*rows, ("vectors", outcome)))["vectors", OTHER.name]
        assert row.result == result
        assert "12 cases" in row.why or result == "failed"


@pytest.mark.parametrize("printed, said", [
    ("", ""), ("PASS\n", "PASS"), ("cases 1200 refused 80 missing 0\n\nPASS\n", "cases 1200 refused 80 missing 0"),
    ("malta: 9 cases, 8 passed\n  1 skipped: why\n", "malta: 9 cases, 8 passed"),
])
def test_shows_the_figures(printed, said):
    class Report:
        skipped = False
        capstdout = printed

    assert kit.said_by(Report) == said


def test_kit_of_an_empty_port_fails():
    """The whole thing, as `scons kit PORT=template` runs it."""
    run = subprocess.run([sys.executable, "-B", "tests/lib/tools/kit.py", "template"], cwd=TOP, check=False,
                         capture_output=True, text=True, timeout=process.TIMEOUT_S)
    assert run.returncode == 1, run.stdout + run.stderr
    rows = [line for line in run.stdout.splitlines() if " absent: " in line]
    assert [line.split("  ")[1].strip() for line in rows] == [
        "facts", *(check.name for check in kit.CHECKS if check.name != "freestanding")]
    assert "tests/port/test_template_decode.c" in run.stdout and "tests/guests/template" in run.stdout
    assert "boards/BOARD/sources.mk with PORT = template" in run.stdout
    assert any(line.split()[:3] == ["freestanding", "template", "passed"] for line in run.stdout.splitlines())
    checks = 1 + len(kit.CHECKS)
    assert run.stdout.rstrip().endswith(f"1 of {checks} passed; {checks - 1} failed or absent")


@pytest.mark.parametrize("words", [[], ["nowhere"], ["s390"], list(cpus.names())])
def test_kit_wants_one_port(words):
    run = subprocess.run([sys.executable, "-B", "tests/lib/tools/kit.py", *words], cwd=TOP, check=False,
                         capture_output=True, text=True, timeout=process.TIMEOUT_S)
    assert run.returncode == 2 and "ports: arm, cortexm, ia32, mips" in run.stderr


@pytest.mark.parametrize("words", [[], ["--list"]])
def test_a_file_that_cannot_be_loaded_is_shown(tmp_path, words):
    """Its tests are in no table: the kit has not passed, and the reason is printed."""
    broken = tmp_path / "test_arm_refusals.py"
    broken.write_text("import no_module_of_this_name\n\n\ndef test_refusals():\n    pass\n")
    run = subprocess.run([sys.executable, "-B", "-c", "import sys, kit; sys.exit(kit.main(sys.argv[2:], sys.argv[1]))",
                          broken, "arm", *words], cwd=TOP / "tests" / "lib" / "tools", check=False,
                         capture_output=True, text=True, timeout=process.TIMEOUT_S)
    assert run.returncode == 2, run.stdout
    assert f"{broken.name} cannot be loaded, so its tests are missing:" in run.stderr
    assert "No module named 'no_module_of_this_name'" in run.stderr
