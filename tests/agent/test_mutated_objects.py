# SPDX-License-Identifier: BSD-2-Clause
"""A million objects with any address, instruction set, bounds and options against the agent in a process, half of them on a
CPU whose instructions have 2, 6 and 15 bytes. test_agent_bounds.c says what holds for each, and runs 200 in every run of
the tests. On boards: test_bounds.py."""
import subprocess

import pytest

from harness.paths import built


# proves: R7.8
@pytest.mark.nightly
@pytest.mark.parametrize("variant", ["host-asan", "host-asan-wide"])
def test_mutated_objects(variant, amount, tmp_path):
    program, objects = built(variant, "tests", "agent", "test_agent_bounds"), amount(500, 50_000)
    for seed in range(1, amount(1, 10) + 1):
        run = subprocess.run([program, str(objects), str(seed)], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert run.returncode == 0, f"seed {seed}: {run.stdout[-2000:]}{run.stderr[-2000:]}"
