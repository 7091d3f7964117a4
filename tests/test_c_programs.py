# SPDX-License-Identifier: BSD-2-Clause
"""Every tests/**/test_*.c is a program linked with all host code under sanitizers: status 0 passes,
77 skips (the reason is its last line), anything else fails with what it printed."""
import subprocess

import pytest

from harness import tool
from harness.paths import TESTS, TOP, built

SOURCES = sorted(path.relative_to(TOP) for path in TESTS.glob("**/test_*.c"))


@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_program(source, tmp_path):
    run = subprocess.run([built("host-asan", source.with_suffix(""))], cwd=tmp_path, timeout=110,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env=tool.environment(), check=False)
    text = run.stdout.decode("utf-8", "backslashreplace")
    if run.returncode == 77:
        pytest.skip((text.splitlines() or ["no reason given"])[-1])
    assert run.returncode == 0, f"status {run.returncode}\n{text}"
