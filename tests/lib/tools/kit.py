# SPDX-License-Identifier: BSD-2-Clause
"""The test kit of a port: every check that a CPU has to pass, by name, and a table at the end.

    kit.py PORT          (scons kit PORT=mips builds first, then runs this)
    kit.py PORT --list   which test is which check; runs none

Nothing is registered anywhere. A test belongs to the port when its file is called test_PORT_*, or
when one of its parameters is a board whose sources.mk says PORT = that port, a build of the agent
for it (build/agent/NAME), or a key of the file's TARGETS whose row names such a board. It belongs to
the first check below whose word is in the name of its file or function. A check that has no test
counts as failed, and so does one whose tests are skipped.
"""
import os
import re
import sys
from typing import NamedTuple

import pytest

import cpus
import sources_mk

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), *3 * [os.pardir]))
WIDTH = 90  # of what is shown of a test's output


class Check(NamedTuple):
    """One line of the table, or one per board."""
    name: str
    word: str        # a regular expression for FILE::FUNCTION
    each_board: bool
    supply: str      # what would supply it


CHECKS = (
    Check("freestanding", r"freestanding", False,
          "SConstruct: a row of AGENT_CPUS with the port, which tests/agent/test_freestanding.py finds"),
    Check("size", r"test_size", False,
          "SConstruct: a row of AGENT_CPUS with the port, which tests/agent/test_size.py finds"),
    Check("decode table", r"_decode::|coverage", False,
          "tests/port/test_{port}_decode.c: a main that reaches every row of every decode table"),
    Check("classifier", r"objdump|classif", False,
          "tests/port/test_{port}_objdump.py: random words, of the same class as what objdump names them"),
    Check("run twice", r"run_twice", True,
          "tests/port/test_{port}_port.py: test_run_twice(board) with a guest in tests/guests/{port}"),
    Check("vectors", r"vector", False,
          "tests/port/test_{port}_vectors.py: expected results that do not come from our code"),
    Check("refusals", r"refus", False,
          "tests/port/test_{port}_refusals.py, or test_refusals in tests/port/test_{port}_port.py: an encoding "
          "of every refused class"),
    Check("phases", r"test_phases", True,
          "tests/board/test_phases.py: after an instruction and on its fault; the board is a parameter"),
    Check("samples", r"test_timers::test_frame", True,
          "DP_PORT_FRAME, whose pc, sp and ra tests/board/test_timers.py reads; the board is a parameter"),
    Check("returns", r"balance", True,
          "tests/guests/balance/{port}/subjects.S: functions with every way out, which tests/board/test_balance.py counts; "
          "dp_port_fires and the rows DP_RETURN and DP_AWAY of cpu.def decide"),
    Check("interrupts", r"arrival", True,
          "tests/guests/arrival, which tests/board/test_sweep_arrival.py runs: an interrupt at each "
          "instruction of a hit"),
    Check("sweep", r"sweep", True,
          "tests/board/test_sweep.py: every instruction of the board's firmware; the board is a parameter"),
    Check("conformance", r"board_conformance", True,
          "tests/guests/conformance/{port}: cpu.c and hit.S, as guest.h there says"),
    Check("demo", r"test_demo::test_demo$", True,
          "boards/{board}/run, which tests/board/test_demo.py finds"),
)


class Port(NamedTuple):
    name: str
    boards: tuple
    builds: tuple  # of the agent alone

    def places(self):
        return {*self.boards, *self.builds}


class Test(NamedTuple):
    file: str
    function: str
    values: frozenset  # of its parameters, and the boards they stand for


class Row(NamedTuple):
    check: str
    where: str
    ran: str
    result: str  # passed, failed, absent
    why: str = ""


def folders(*path):
    """Names of the folders there."""
    folder = os.path.join(TOP, *path)
    return sorted(f.name for f in os.scandir(folder) if f.is_dir()) if os.path.isdir(folder) else []


def ports():
    """Every folder of port/ that has a port's types."""
    return [name for name in folders("port")
            if os.path.exists(os.path.join(TOP, "port", name, "dp_port_cpu.h"))]


def port_named(name):
    boards = [board for board in folders("boards")
              if sources_mk.read(os.path.join(TOP, "boards", board)).get("PORT") == name]
    builds = [build for build in folders("build", "agent")
              if name in folders("build", "agent", build, "port")]
    return Port(name, tuple(boards), tuple(builds))


# ---- which test is which check -------------------------------------------------------------------

def belongs(test, port):
    """Is it about this port?"""
    return (test.file.startswith(f"test_{port.name}_")
            or bool(test.values & port.places()))


def check_of(test, port):
    """The check that the test is part of, or None."""
    if not belongs(test, port):
        return None
    stem = os.path.splitext(test.file)[0]
    name = f"{stem}::{test.function}"
    return next((check for check in CHECKS if re.search(check.word, name)), None)


def words_of(row):
    """Every string in it."""
    if isinstance(row, str):
        return {row}
    inner = row.values() if isinstance(row, dict) else row if isinstance(row, (list, tuple)) else ()
    return {word for value in inner for word in words_of(value)}


def test_of(item):
    """What the rules above need to know of a collected test."""
    parameters = getattr(item, "callspec", None)
    values = {str(value) for value in parameters.params.values()} if parameters else set()
    targets = getattr(getattr(item, "module", None), "TARGETS", {})
    if isinstance(targets, dict):
        values |= {word for value in values for word in words_of(targets.get(value))}
    return Test(item.path.name, getattr(item, "originalname", None) or item.name, frozenset(values))


# ---- what came of it -----------------------------------------------------------------------------

class Result(NamedTuple):
    test: Test
    outcome: str  # passed, failed, skipped
    said: str     # the figures it printed, or why it was skipped


def row(check, where, results, supply):
    """One line of the table: failed if any failed, absent if none ran."""
    ran = [result for result in results if result.outcome != "skipped"]
    if not ran:
        why = results[0].said if results else f"would be supplied by {supply}"
        return Row(check.name, where, "-", "absent", why)
    failed = sum(result.outcome == "failed" for result in ran)
    said = next((result.said for result in reversed(ran) if result.said), "")
    count = f"{len(ran)} test{'s' * (len(ran) != 1)}"
    if len(ran) < len(results):
        missing = next(result.said for result in results if result.outcome == "skipped")
        return Row(check.name, where, count, "absent",
                   f"{len(results) - len(ran)} more did not run: {missing}")
    if failed:
        return Row(check.name, where, count, "failed", f"{failed} of {len(ran)}")
    return Row(check.name, where, f"{count}{': ' * bool(said)}{said}", "passed")


def table(port, results):
    """Every check of the port, in order. results: check name -> Result of its tests."""
    there = cpus.path(port.name).exists()
    rows = [Row("facts", port.name, "-", "passed") if there else Row(
        "facts", port.name, "-", "absent", f"would be supplied by tests/guests/{port.name}/cpu.py, which tests/lib/tools/cpus.py describes")]
    for check in CHECKS:
        found = results.get(check.name, [])
        if not check.each_board:
            rows.append(row(check, port.name, found, check.supply.format(port=port.name)))
            continue
        for board in port.boards or ("BOARD",):
            supply = check.supply.format(port=port.name, board=board)
            if not port.boards:
                supply = f"boards/BOARD/sources.mk with PORT = {port.name}, and {supply}"
            rows.append(row(check, board, [r for r in found if board in r.test.values], supply))
    return rows


def text_of(port, rows):
    """The table as it is printed."""
    widths = [max(len(r[column]) for r in rows) for column in range(2)]
    yield f"kit of port {port.name}; boards: {', '.join(port.boards) or 'none'}"
    for r in rows:
        said = ": ".join(filter(None, [r.result, r.why]))
        ran = "" if r.ran == "-" else f"  ({r.ran})"
        yield f"  {r.check:{widths[0]}}  {r.where:{widths[1]}}  {said}{ran}"
    bad = sum(r.result != "passed" for r in rows)
    yield f"{len(rows) - bad} of {len(rows)} passed" + (f"; {bad} failed or absent" if bad else "")


# ---- the run -------------------------------------------------------------------------------------

class Plugin:
    """Leaves the tests of one port in a pytest run, and notes what came of each."""

    def __init__(self, port):
        self.port = port
        self.results = {}
        self.unloadable = []  # (file, why): its tests are in no table
        self._tests = {}

    def pytest_collectreport(self, report):
        if report.failed:
            self.unloadable.append((report.nodeid, report.longreprtext))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        kept = []
        for item in items:
            test = test_of(item)
            check = check_of(test, self.port)
            if check:
                self._tests[item.nodeid] = (check, test)
                kept.append(item)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in self._tests])
        items[:] = kept

    def listing(self):
        """Lines "check: test", in the order of the table."""
        for check in CHECKS:
            for node, (found, _) in self._tests.items():
                if found is check:
                    yield f"{check.name}: {node}"

    def pytest_runtest_logreport(self, report):
        # One line a test: the call, or whatever ended it before or after.
        if report.when != "call" and report.passed:
            return
        check, test = self._tests[report.nodeid]
        self.results.setdefault(check.name, []).append(Result(test, report.outcome, said_by(report)))


def said_by(report):
    """Of what a test printed, the line with the most figures; of a skipped one, why."""
    if report.skipped:
        return re.sub(r"^Skipped: ", "", str(report.longrepr[2]))
    lines = [line.strip() for line in report.capstdout.splitlines() if line.strip()]
    return max(lines, key=lambda line: len(re.findall(r"\d+", line)), default="")[:WIDTH]


def main(arguments, tests=os.path.join(TOP, "tests")):
    """The exit status. tests: folder or file to take them from."""
    if not arguments or arguments[0] not in ports() or arguments[1:] not in ([], ["--list"]):
        print("usage: scons kit PORT=..., or kit.py PORT [--list]; ports: " + ", ".join(ports()),
              file=sys.stderr)
        return 2
    port = port_named(arguments[0])
    plugin = Plugin(port)
    words = ["--collect-only", "-qqq", "--no-summary"] if arguments[1:] else ["-q"]
    # Our conftest.py knows the option; a folder of somebody else has none.
    every = ["--every-test"] if os.path.exists(os.path.join(tests, "conftest.py")) else []
    status = pytest.main(["-p", "no:cacheprovider", *every, *words, tests], plugins=[plugin])
    sys.stdout.flush()
    for file, why in plugin.unloadable:
        print(f"kit: {file} cannot be loaded, so its tests are missing:\n{why}", file=sys.stderr)
    if arguments[1:]:
        print(*plugin.listing(), sep="\n")
        return 2 if plugin.unloadable else 0
    if status in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        return 2
    rows = table(port, plugin.results)
    print("", *text_of(port, rows), sep="\n", flush=True)
    return 0 if all(r.result == "passed" for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
