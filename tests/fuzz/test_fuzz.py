# SPDX-License-Identifier: BSD-2-Clause
"""Every fuzz target survives its corpus (tests/fuzz/corpus/NAME/) and damaged copies of it.
scons fuzz searches on; what it finds becomes a file of the corpus."""
import subprocess

import pytest

from harness import process, tool
from harness.paths import TESTS, TOP, built

# Damaged copies, where they are not the usual number: DWARF and CTF come from compilers of others.
AMOUNTS = {"fuzz_debuginfo": (5000, 100_000)}
TARGETS = sorted((TESTS / "fuzz").glob("fuzz_*.c"))


@pytest.mark.parametrize("target", TARGETS, ids=[path.stem for path in TARGETS])
def test_corpus(target, tmp_path, amount):
    corpus = sorted((TESTS / "fuzz" / "corpus" / target.stem).glob("*"))
    program = built("host-asan", target.relative_to(TOP).with_suffix(""))
    run = subprocess.run([program, str(amount(*AMOUNTS.get(target.stem, (2000, 50_000)))), *corpus], cwd=tmp_path, timeout=process.TIMEOUT_S,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env=tool.environment(), check=False)
    assert run.returncode == 0, run.stdout.decode("utf-8", "backslashreplace")[-8000:]
