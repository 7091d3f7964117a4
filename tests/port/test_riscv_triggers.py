# SPDX-License-Identifier: BSD-2-Clause
"""The triggers of RISC-V as comparators, on a model of their registers: what QEMU's CPUs do not have."""
import os
import subprocess

import pytest

from harness.paths import TOP, program


@pytest.mark.parametrize("bits", (32, 64))
def test_triggers(bits, tmp_path):
    tool = tmp_path / "triggers"
    folders = [f"-I{TOP / folder}" for folder in ("port/riscv", "port", "protocol")]
    folders += [f"-I{path}" for path, _, _ in os.walk(TOP / "agent")]
    # The pointers of the host have 64 bits.
    subprocess.run([program("gcc"), "-std=c11", "-w", f"-D__riscv_xlen={bits}", "-D__riscv_compressed", "-DDP_RISCV_TRIGGERS=3",
                    "-fsanitize=undefined", "-fno-sanitize-recover", *folders, TOP / "tests/port/riscv_triggers.c", "-o", tool], check=True)
    run = subprocess.run([tool], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
