# SPDX-License-Identifier: BSD-2-Clause
"""Fixtures for all tests.

qemu(board, ...)   boots a board; see lib/harness/qemu.py, class Machine
counted(board, windows, ...)  the same, counting instructions: (machine, counter), lib/tools/icount.py
limits             costs as last measured: lib/harness/limits.py
sim_target(...)    the real agent in a process, options of lib/target/sim_target.c: lib/harness/sim.py
dprobes(...)       runs the tool: .status .stdout .stderr; dprobes.start(...) streams, .listen(...) logs
agent, net, tool, logging   dprobes against an agent made from PROTOCOL.md alone: lib/harness/link.py
amount(usual, nightly)      how many of something a test does, in this run
Tests marked nightly run in `scons nightly` alone. Longest tests begin first (lib/harness/schedule.py).
"""
import contextlib
import faulthandler
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

import pytest

# Python keeps the compiled modules of the tests there, once for all processes. The source tree stays unchanged.
sys.pycache_prefix = str(pathlib.Path(__file__).parents[1] / "build" / "pycache")
sys.dont_write_bytecode = False

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))

from harness import limits as limits_harness, paths, qemu as qemu_harness, schedule, sim as sim_harness, tool as tool_harness  # noqa: E402
import icount  # noqa: E402
import usual  # noqa: E402

pytest_plugins = ["harness.link"]
# Modules whose asserts are a test's own.
pytest.register_assert_rewrite("harness.feature_host", "harness.feature_parts", "harness.feature_steps")
# A limit ends a hang. A busy machine is slow; only a nightly run has tests that take longer than this.
LIMIT_S, NIGHTLY_LIMIT_S = 3600, 2 * 3600
QUICK_S = 10
_machines = pytest.StashKey()


@pytest.fixture
def qemu(request):
    """Boots boards; all end with the test."""
    machines = request.node.stash.setdefault(_machines, [])

    def boot(board, **options):
        machine = qemu_harness.Machine(board, **options)
        machines.append(machine)
        return machine

    yield boot
    for machine in machines:
        machine.close()


@pytest.fixture
def counted(qemu, tmp_path):
    """Boots boards with an instruction counter: windows is NAME -> (from, to), counter.counts();
    with trace=True also counter.profile()."""
    def boot(board, windows, trace=False, masked=None, **options):
        elf = options.setdefault("elf", paths.built("boards", board, "demo.elf"))
        counter = icount.Counter(paths.built("tools", "icount_plugin.so"), elf,
                                 tmp_path / "counts", windows, trace, masked)
        extra = [*options.pop("extra", ()), *counter.qemu_arguments]
        return qemu(board, extra=extra, **options), counter

    return boot


@pytest.fixture(scope="session")
def limits(request):
    """The table of costs; --update writes it at the end."""
    made = limits_harness.Limits(update=request.config.getoption("--update"))
    yield made
    whole = request.config.args == ["tests"] and not request.config.getoption("keyword")
    made.write(whole and request.session.testsfailed == 0)


@pytest.fixture
def sim_target(tmp_path):
    """Starts targets without QEMU; profile="read" for one that cannot write."""
    targets = []

    def start(*options, folder=tmp_path, profile="full"):
        targets.append(sim_harness.SimTarget(folder, *options, profile=profile))
        return targets[-1]

    yield start
    for target in targets:
        target.close()


@pytest.fixture
def dprobes():
    """Runs the tool; what was started beside the test ends with it."""
    tool = tool_harness.Tool()
    running = []

    class Dprobes:
        path = staticmethod(tool.path)

        def __call__(self, *args, **options):
            return tool(*args, **options)

        def start(self, *args, **options):
            running.append(tool.start(*args, **options))
            return running[-1]

        def listen(self, *args, **options):
            running.append(tool.listen(*args, **options))
            return running[-1]

    yield Dprobes()
    for child in running:
        child.close()


class CProgram(pytest.Item):
    """A test in C: status 0 passes, 77 skips (the reason is its last line), anything else fails with its output."""

    def runtest(self):
        program = paths.built("host-asan", self.path.relative_to(paths.TOP).with_suffix(""))
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([program], cwd=folder, timeout=limit_s(self.config) - 10, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=tool_harness.environment(),
                                 check=False)
        text = run.stdout.decode("utf-8", "backslashreplace")
        if run.returncode == 77:
            pytest.skip((text.splitlines() or ["no reason given"])[-1])
        assert run.returncode == 0, f"status {run.returncode}\n{text}"

    def reportinfo(self):
        return self.path, None, self.path.name


class CFile(pytest.File):
    """test_NAME.c: a program that the build links with all host code under sanitizers."""

    def collect(self):
        yield CProgram.from_parent(self, name=self.path.stem)


def pytest_collect_file(file_path, parent):
    """Tests in C are collected where those in Python are: not by scons bench."""
    if file_path.match("test_*.c") and not any("bench" in pattern for pattern in parent.config.getini("python_files")):
        return CFile.from_parent(parent, path=file_path)
    return None


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help=f"without the tests that take more than {QUICK_S} seconds")
    parser.addoption("--every-test", action="store_true", help="those marked nightly too, with usual amounts")
    parser.addoption("--nightly", action="store_true", help="every test, with nightly amounts")
    parser.addoption("--update", action="store_true", help=f"benches write {limits_harness.TABLE.name}")
    parser.addoption("--write-seconds", action="store_true", help=f"write {schedule.TABLE.name} from this run")


def pytest_configure(config):
    tool_harness.search_all = config.getoption("--nightly")


def limit_s(config):
    """Seconds after which a test is taken for a hang."""
    return NIGHTLY_LIMIT_S if config.getoption("--nightly") else LIMIT_S


@pytest.fixture
def amount(request):
    """amount(usual, nightly): the one for this run."""
    return lambda usual, nightly: nightly if request.config.getoption("--nightly") else usual


def is_nightly(item):
    """Is the test marked so, or for a board of the night?"""
    parameters = getattr(item, "callspec", None)
    boards = parameters.params.values() if parameters else ()
    return item.get_closest_marker("nightly") is not None or usual.has_unusual_board(boards)


def is_left_out(config, item, seconds):
    """Does this kind of run leave the test out?"""
    if config.getoption("--quick") and seconds > QUICK_S:
        return True
    every = config.getoption("--nightly") or config.getoption("--every-test")
    return not every and is_nightly(item)


def pytest_collection_modifyitems(config, items):
    """Leaves out what this run does not ask for and sorts the rest, the longest first. Where tests run side by
    side, those that build the guests of one CPU run one after the other."""
    known = schedule.read()
    seconds = {item: known.get(schedule.name_of(item.nodeid), 0) for item in items}
    left_out = {item for item in items if is_left_out(config, item, seconds[item])}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = sorted((item for item in items if item not in left_out), key=lambda item: -seconds[item])
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        words = item.path.stem.split("_")
        if len(words) > 2 and (paths.TESTS / "guests" / words[1]).is_dir():
            item.add_marker(pytest.mark.xdist_group(f"guests of {words[1]}"))


def pytest_terminal_summary(terminalreporter, config):
    """Keeps the durations for the next run's order."""
    if config.getoption("--write-seconds"):
        reports = [report for found in terminalreporter.stats.values() for report in found
                   if isinstance(report, pytest.TestReport)]
        schedule.write((report.nodeid, report.duration) for report in reports)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test shows what its boards said last."""
    report = (yield).get_result()
    if report.when == "call" and report.failed:
        for machine in item.stash.get(_machines, []):
            report.sections.extend(machine.sections())


@contextlib.contextmanager
def ended_by_signal(most_s):
    def too_long(_signal, _frame):
        raise AssertionError(f"the test did not end in {most_s} s")

    previous = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(most_s)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


@contextlib.contextmanager
def ended_with_its_worker(most_s):
    """pytest-xdist runs a worker's tests in a second thread, now and then: only the main thread gets signals."""
    faulthandler.dump_traceback_later(most_s, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    """No test hangs the run."""
    main = threading.current_thread() is threading.main_thread()
    with (ended_by_signal if main else ended_with_its_worker)(limit_s(item.config)):
        yield
