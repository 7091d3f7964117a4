# SPDX-License-Identifier: BSD-2-Clause
"""A million random programs in both interpreters. test_differential.c runs fewer of them under the
sanitizers; scons differential runs ten million."""
import subprocess

import pytest

from harness import tool
from harness.paths import built

PROGRAMS = 1_000_000


@pytest.mark.seconds(600)
def test_million(tmp_path):
    run = subprocess.run([built("host", "tests", "test_differential"), str(PROGRAMS)], cwd=tmp_path,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env=tool.environment(), check=False)
    text = run.stdout.decode("utf-8", "backslashreplace")
    assert run.returncode == 0, text[-8000:]
    print(text.splitlines()[-1])
