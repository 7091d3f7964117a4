# SPDX-License-Identifier: BSD-2-Clause
"""The debug registers as comparators, on a model of them: what QEMU does not have."""
import os
import subprocess

from harness.paths import TOP, program


def test_debug_registers(tmp_path):
    tool = tmp_path / "watch"
    folders = [f"-I{TOP / folder}" for folder in ("port/ia32", "port", "protocol")]
    folders += [f"-I{path}" for path, _, _ in os.walk(TOP / "agent")]
    # The pointers of the host have 64 bits.
    subprocess.run([program("gcc"), "-std=c11", "-w", "-D_Static_assert(...)=", "-DDP_IA32_WITH_WATCH=1", "-fsanitize=undefined", "-fno-sanitize-recover",
                    *folders, TOP / "tests/port/ia32_watch.c", "-o", tool], check=True)
    run = subprocess.run([tool], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
