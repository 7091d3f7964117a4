# SPDX-License-Identifier: BSD-2-Clause
"""The C tests of the agent with an agent compiled in other forms.

many: 240 probes, the most of an agent, which is no power of two, on the second of two CPUs; hits read the CPU's counter.
cpus.c is for it alone: hits on both CPUs.
wide: a CPU of 64-bit words, big-endian, with instructions of 2, 4, 6 and 15 bytes (port/sim, DP_SIM_WIDE). long_insn.c is for it alone.
lto: the compiler sees writer and reader of the log ring at once.
"""
import subprocess

import pytest

from harness import process
from harness.paths import TESTS, built

OTHER_FORMS = ("cpus", "locks", "test_agent_old_host")  # the last one plays a recorded session of 32-bit words
LONG = ("test_agent_at_work", "test_agent_patrol", "test_agent_restart")  # the form changes little of what they test


def nightly(*values):
    return pytest.param(*values, marks=pytest.mark.nightly)


PROGRAMS = [*((nightly if path.stem in LONG else pytest.param)("host-asan-wide", path.stem) for path in sorted((TESTS / "agent").glob("*.c")) if path.stem not in OTHER_FORMS),
            ("host-asan-many", "cpus"),
            *(nightly("host-asan-many", f"test_agent_{name}") for name in ("requests", "hits", "plans", "records", "withdrawn", "watch")),
            nightly("host-lto", "test_agent_records")]


@pytest.mark.parametrize("variant,name", PROGRAMS)
def test_program(variant, name, tmp_path):
    run = subprocess.run([built(variant, "tests", "agent", name)], cwd=tmp_path, capture_output=True, text=True, check=False,
                         timeout=process.TIMEOUT_S)
    assert run.returncode == 0, run.stdout + run.stderr
