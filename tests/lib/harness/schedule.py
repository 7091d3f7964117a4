# SPDX-License-Identifier: BSD-2-Clause
"""Which tests take long: the order of a run begins with them, so that none is left over at its end.

tests/lib/seconds.txt is written by a run with --write-seconds, on an idle machine. A test without a
line takes less than SHORT_S.
"""
import re

from .paths import TESTS

TABLE = TESTS / "lib" / "seconds.txt"
SHORT_S = 2
_HEAD = """\
# SPDX-License-Identifier: BSD-2-Clause
# Seconds that tests take on two idle cores, the longest case of each: the longest begin first (lib/harness/schedule.py).
# Written by: scons test PYTEST=--write-seconds
"""


def name_of(nodeid):
    """FILE::TEST without folders, without a case and without the group of pytest-xdist (@...): it stays the same when files move."""
    return re.sub(r"[\[@].*", "", nodeid, flags=re.S).rpartition("/")[2]


def read():
    """Name -> seconds."""
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {name: int(seconds) for seconds, name in rows}


def longest(durations):
    """Name -> seconds, from (node id, seconds) of each phase of each case."""
    cases = {}
    for nodeid, seconds in durations:
        cases[nodeid] = cases.get(nodeid, 0) + seconds
    found = {}
    for nodeid, seconds in cases.items():
        name = name_of(nodeid)
        found[name] = max(found.get(name, 0), seconds)
    return found


def write(durations):
    """The table of this run. Tests that did not run keep their lines."""
    rows = read() | {name: round(seconds) for name, seconds in longest(durations).items()}
    lines = [f"{seconds:5} {name}\n" for name, seconds in rows.items() if seconds >= SHORT_S]
    TABLE.write_text(_HEAD + "".join(sorted(lines, key=lambda line: (-int(line.split()[0]), line))), encoding="utf-8")
