# SPDX-License-Identifier: BSD-2-Clause
"""What the interpreter costs on a Cortex-M3: guest instructions per operation, and the loops
of tests/language/m3/bench.c against native C; exact, counted in QEMU (scons bench).

The image is tests/language/m3/bench.c, built here in both shapes the dispatch has: -O2 jumps at
the end of each operation, -Os is a switch.
"""
import subprocess

import pytest

import icount
from harness import process
from harness.paths import TOP, built, program

SOURCES = ["tests/language/m3/bench.c", "agent/rpn_interp.c", "agent/rpn_log.c",
           "agent/rpn_trace.c"]
FLAGS = ["-std=c11", "-g", "-mcpu=cortex-m3", "-mthumb", "-ffreestanding",
         "-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra", "-Werror", "-Iprotocol",
         "-Iagent", "-Iport", "-Itests/m3", "-DDP_STEP_BUDGET=1000000", "-nostdlib",
         "-T", "tests/language/m3/bench.ld"]
SIMPLE = ["nop", "push", "pushw", "add", "pushlv", "poplv", "shl", "xchg", "inclv"]
WINDOWS = ["native", "null", "a", "b", "c", *SIMPLE, "pushreg"]
PER_LINE = 64    # of each operation in its straight line
LOOP_OPS = 10000  # of workload c: nine operations and a block, 1000 times
GOAL_PER_OP, GOAL_LOOP = 12, 25


def count(tmp_path, optimize):
    """Window -> instructions."""
    elf = tmp_path / "bench.elf"
    subprocess.run([program("arm-none-eabi-gcc"), *FLAGS, optimize, "-o", elf, *SOURCES], cwd=TOP,
                   check=True)
    counter = icount.Counter(built("tools", "icount_plugin.so"), elf, tmp_path / "counts",
                             {name: (f"bench_{name}", "bench_end") for name in WINDOWS})
    run = subprocess.run([program("qemu-system-arm"), "-M", "mps2-an385", "-nographic",
                          "-semihosting", "-kernel", elf, *counter.qemu_arguments],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=process.TIMEOUT_S,
                         check=True)
    assert "same" in run.stdout + run.stderr, "interpreter and native code differ"
    return {name: counts[0] for name, counts in counter.counts().items()}


@pytest.mark.parametrize("optimize", ["-O2", "-Os"])
def test_instructions(optimize, tmp_path, capsys):
    counts = count(tmp_path, optimize)
    per_op = {name: (counts[name] - counts["null"]) / PER_LINE for name in [*SIMPLE, "pushreg"]}
    loop = counts["c"] / counts["native"]
    with capsys.disabled():
        print(f"\nmps2-an385 {optimize}: null {counts['null']}, a {counts['a']}, b {counts['b']}, "
              f"c {counts['c']} = {loop:.1f} x native {counts['native']}, "
              f"{counts['c'] / LOOP_OPS:.1f} per operation of c")
        print("  " + ", ".join(f"{name} {value:.1f}" for name, value in per_op.items()))
    if optimize == "-O2":
        assert max(per_op[name] for name in SIMPLE) <= GOAL_PER_OP
        assert loop <= GOAL_LOOP
