# SPDX-License-Identifier: BSD-2-Clause
"""Random programs in both interpreters: ten million each night; one million D programs. The C programs run fewer under the
sanitizers; scons differential runs as many as it is asked for."""
import subprocess

import pytest

from harness import tool
from harness.paths import built


def differential(name, programs, tmp_path, variant="host"):
    run = subprocess.run([built(variant, "tests", "language", name), str(programs)], cwd=tmp_path,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env=tool.environment(), check=False)
    text = run.stdout.decode("utf-8", "backslashreplace")
    assert run.returncode == 0, text[-8000:]
    print(text.splitlines()[-1])


def test_programs(tmp_path, amount):
    differential("test_differential", amount(50_000, 10_000_000), tmp_path)


def test_d_programs(tmp_path, amount):
    """D programs against an evaluator of their trees: expressions, variables, arrays, pointers, aggregations, clauses,
    faults, ERROR, exit."""
    differential("test_d_differential", amount(50_000, 1_000_000), tmp_path)


@pytest.mark.nightly
def test_mutated_d_programs(tmp_path):
    """The C test runs 10,000 each time, d/test_d_mutated.py as many with a firmware."""
    differential("test_d_mutations", 500_000, tmp_path, "host-asan")
