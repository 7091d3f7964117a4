# SPDX-License-Identifier: BSD-2-Clause
"""Random programs in both interpreters: ten million each night. test_differential.c runs fewer of them under the
sanitizers; scons differential runs as many as it is asked for."""
import subprocess

from harness import tool
from harness.paths import built


def test_programs(tmp_path, amount):
    programs = amount(50_000, 10_000_000)
    run = subprocess.run([built("host", "tests", "language", "test_differential"), str(programs)], cwd=tmp_path,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env=tool.environment(), check=False)
    text = run.stdout.decode("utf-8", "backslashreplace")
    assert run.returncode == 0, text[-8000:]
    print(text.splitlines()[-1])
