# SPDX-License-Identifier: BSD-2-Clause
"""The tests take nearly every branch of the verifier and the interpreter; scons coverage prints it."""
import branch_coverage
import pytest

from harness.paths import built, program


@pytest.mark.nightly
def test_branches():
    program("gcov")
    built("coverage", "dprobes")
    found = branch_coverage.measure()
    print(*branch_coverage.table(found), sep="\n")
    left = "\n".join([*branch_coverage.table(found), *branch_coverage.missing(found)])
    assert {"agent/vm/rpn_interp.c", "agent/vm/rpn_verify.c", "agent/vm/object_verify.c"} <= set(found)
    for name, counts in found.items():
        taken, there = branch_coverage.share(counts.values())
        assert there > 0 and taken / there >= branch_coverage.GOAL, f"{name}\n{left}"
