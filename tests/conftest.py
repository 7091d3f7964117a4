# SPDX-License-Identifier: BSD-2-Clause
"""Fixtures for all tests.

qemu(board, ...)   boots a board; see harness/qemu.py, class Machine
counted(board, windows, ...)  the same, counting instructions: (machine, counter), tools/icount.py
sim_target(...)    the real agent in a process, options of tools/sim_target.c: harness/sim.py
dprobes(...)       runs the tool: .status .stdout .stderr; dprobes.start(...) streams
agent, net, tool, logging   dprobes against an agent made from PROTOCOL.md alone: harness/link.py
A test has two minutes unless it says @pytest.mark.seconds(n); `scons quick` runs those that do not.
"""
import signal
import sys

import pytest

sys.dont_write_bytecode = True

from harness import paths, qemu as qemu_harness, sim as sim_harness, tool as tool_harness  # noqa: E402
import icount  # noqa: E402

pytest_plugins = ["harness.link"]
TEST_LIMIT_S = 120
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
    def boot(board, windows, trace=False, **options):
        elf = options.setdefault("elf", paths.built("boards", board, "demo.elf"))
        counter = icount.Counter(paths.built("tools", "icount_plugin.so"), elf,
                                 tmp_path / "counts", windows, trace)
        extra = [*options.pop("extra", ()), *counter.qemu_arguments]
        return qemu(board, extra=extra, **options), counter

    return boot


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

    yield Dprobes()
    for child in running:
        child.close()


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="without the tests that may take more than two minutes")


def limit_of(item):
    """Seconds that the test may take."""
    marker = item.get_closest_marker("seconds")
    return marker.args[0] if marker else TEST_LIMIT_S


def pytest_collection_modifyitems(config, items):
    """A quick run leaves the long ones out. Where tests run side by side, those that build the guests of one CPU
    run one after the other."""
    if config.getoption("--quick"):
        long = [item for item in items if limit_of(item) > TEST_LIMIT_S]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if limit_of(item) <= TEST_LIMIT_S]
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        words = item.path.stem.split("_")
        if len(words) > 2 and (paths.TESTS / "guests" / words[1]).is_dir():
            item.add_marker(pytest.mark.xdist_group(f"guests of {words[1]}"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test shows what its boards said last."""
    report = (yield).get_result()
    if report.when == "call" and report.failed:
        for machine in item.stash.get(_machines, []):
            report.sections.extend(machine.sections())


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    """No test hangs the run."""
    limit_s = limit_of(item)

    def too_long(_signal, _frame):
        raise AssertionError(f"the test did not end in {limit_s} s")

    previous = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(limit_s)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
