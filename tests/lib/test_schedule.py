# SPDX-License-Identifier: BSD-2-Clause
"""The order of a run, what it leaves to the night, and the night's own summary."""
import subprocess
import sys

import pytest

import usual
from harness import process, schedule
from harness.paths import TESTS, TOP

BOARD = usual.BOARDS[0]
MODULE = """\
import pytest
def test_short(amount): assert amount(1, 2) == 1
@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_long(n): pass
@pytest.mark.parametrize("board", %r)
def test_board(board): pass
@pytest.mark.nightly
def test_large(amount): assert amount(1, 2) == 2
""" % [BOARD, "malta-be"]


def test_names():
    assert schedule.name_of("tests/port/test_a.py::test_b[x-y]") == "test_a.py::test_b"
    assert schedule.name_of("agent/test_a.c::test_a") == "test_a.c::test_a"
    assert schedule.name_of("test_a.py::test_b[a/b::c]") == "test_a.py::test_b"
    assert schedule.name_of("test_a.py::test_b[x]@one of arm") == schedule.name_of("test_a.py::test_b@one of arm") == "test_a.py::test_b"


def test_the_longest_case_counts():
    phases = [("t.py::a[1]", 1), ("t.py::a[1]", 4), ("t.py::a[2]", 3), ("t.py::b", 0.5)]
    assert schedule.longest(phases) == {"t.py::a": 5, "t.py::b": 0.5}


def test_table_is_written_and_read(tmp_path, monkeypatch):
    monkeypatch.setattr(schedule, "TABLE", tmp_path / "seconds.txt")
    schedule.write([("t.py::a", 9), ("t.py::b[1]", 30), ("t.py::c", 0.1)])
    assert schedule.read() == {"t.py::a": 9, "t.py::b": 30}
    schedule.write([("t.py::a", 1)])  # short now; b did not run
    assert schedule.read() == {"t.py::b": 30}


def test_table_names_tests_that_are_there():
    for name in schedule.read():
        file, _, test = name.partition("::")
        (path,) = TESTS.rglob(file)
        assert path.suffix == ".c" or f"def {test}(" in path.read_text(), name


@pytest.fixture
def tree(tmp_path):
    """The tests' own conftest.py with a module beside it; returns pytest with options."""
    folder = tmp_path / "tests"
    (folder / "some").mkdir(parents=True)
    (folder / "conftest.py").write_text((TESTS / "conftest.py").read_text())
    (folder / "pytest.ini").write_text((TESTS / "pytest.ini").read_text())
    (folder / "lib").symlink_to(TESTS / "lib")
    (folder / "some" / "test_it.py").write_text(MODULE)

    def run(*options):
        done = subprocess.run([sys.executable, "-B", "-m", "pytest", "-v", *options, "some"], cwd=folder, text=True,
                              capture_output=True, timeout=process.TIMEOUT_S, check=False)
        return [line.split()[0].partition("::")[2] + " " + line.split()[1] for line in done.stdout.splitlines()
                if "::" in line and "%]" in line]
    return run


@pytest.mark.parametrize("options, ran", [
    ((), ["test_short PASSED", "test_long[1] PASSED", f"test_board[{BOARD}] PASSED"]),
    (("--every-test",), ["test_short PASSED", "test_long[1] PASSED", "test_long[2] PASSED", f"test_board[{BOARD}] PASSED",
                        "test_board[malta-be] PASSED", "test_large FAILED"]),
    (("--nightly",), ["test_short FAILED", "test_long[1] PASSED", "test_long[2] PASSED", f"test_board[{BOARD}] PASSED",
                        "test_board[malta-be] PASSED", "test_large PASSED"])])
def test_what_runs(tree, options, ran):
    assert tree("-p", "no:randomly", *options) == ran


@pytest.mark.parametrize("second, status", [("true", 0), ("false", 1)])
def test_nightly_runs_each_step(second, status):
    """A step that fails does not keep the next from running."""
    done = subprocess.run([sys.executable, "-B", TOP / "tests/lib/tools/nightly.py", "one", second, "two", "echo 'a  b'"],
                          text=True, capture_output=True, timeout=process.TIMEOUT_S, check=False)
    assert done.returncode == status and "\na  b\n" in "\n" + done.stdout
    assert f"nightly: one      status {status}, 0 minutes\nnightly: two      status 0, 0 minutes\n" in done.stdout
