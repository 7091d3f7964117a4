# SPDX-License-Identifier: BSD-2-Clause
"""The fixture dprobes_board: a session with a board, for tests of firmware.

A conftest.py has the line `pytest_plugins = ["dprobes.pytest_plugin"]`. The board is that of dprobes.conf. The report of a test
that fails has the console's text that the test has not taken.
"""
import pytest

import dprobes


def pytest_addoption(parser):
    """Options of the plugin."""
    group = parser.getgroup("dprobes")
    group.addoption("--dprobes-board", metavar="NAME", help="board of dprobes.conf")
    group.addoption("--dprobes-set", metavar="NAME=VALUE", action="append", default=[], help="a setting of dprobes/simple.h (repeat)")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Add the console to the report of a failure."""
    report = (yield).get_result()
    session = getattr(item, "funcargs", {}).get("dprobes_board")
    if report.failed and call.when == "call" and session is not None and session.handle:
        report.sections.append(("console of the firmware", session.console()))


@pytest.fixture
def dprobes_board(request):
    """A dprobes.Session. After the test its programs are removed; records that were lost fail the test."""
    settings = {"board": request.config.getoption("--dprobes-board")}
    for text in request.config.getoption("--dprobes-set"):
        name, sign, value = text.partition("=")
        if not sign:
            raise pytest.UsageError(f"--dprobes-set is NAME=VALUE, not '{text}'")
        settings[name] = value
    with dprobes.Session(**settings) as session:
        yield session
        assert session.lost == 0, f"{session.lost} record(s) were lost"
