# SPDX-License-Identifier: BSD-2-Clause
"""What the interpreter costs on a Cortex-M3: guest instructions per operation, and the loops
of tests/language/m3/bench.c against native C; exact, counted in QEMU (scons bench).

The image is tests/language/m3/bench.c, built here in both shapes the dispatch has: -O2 jumps at
the end of each operation, -Os is a switch.
"""
import subprocess

import pytest

import icount
import sources_mk
from harness import process
from harness.paths import TOP, built, program

# The interpreter is what the host tool has once per word size and byte order.
SOURCES = ["tests/language/m3/bench.c", *(f"agent/{name}" for name in sources_mk.words(sources_mk.read("agent"), "PER_FORM"))]
FLAGS = ["-std=c11", "-g", "-mcpu=cortex-m3", "-mthumb", "-ffreestanding",
         "-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra", "-Werror", "-Iprotocol",
         *(f"-I{folder}" for folder in sources_mk.include_folders("agent")), "-Iport", "-Itests/language/m3", "-DDP_STEP_BUDGET=1000000", "-nostdlib",
         "-T", "tests/language/m3/bench.ld"]
SIMPLE = ["nop", "push", "pushw", "add", "pushlv", "poplv", "shl", "xchg", "inclv"]
# Instruction of maps or pairs: (the window of its operands, what is asked for at -Os). host/lang/d/D.md has the table.
OF_MAPS = {"countnew": ("key", 140), "count": ("key", 130), "dropped": ("key", 450), "sum": ("keyvalue", 140), "avg": ("keyvalue", 140),
           "stddev": ("keyvalue", 190), "set": ("keyvalue", 130), "get": ("key", 130), "quantize": ("value", 60), "lquantize": ("value", 150),
           "llquantize": ("value", 480), "ladd": ("pairs", 45), "lsub": ("pairs", 45), "llt": ("pairs", 45), "lmul": ("pairs", 45),
           "ldiv": ("pairs", 1100), "ns": ("null", 45)}
WINDOWS = ["native", "null", "a", "b", "c", *SIMPLE, "pushreg"]
PER_LINE = 64    # of each operation in its straight line
LOOP_OPS = 10000  # of workload c: nine operations and a block, 1000 times
MOST_WINDOWS = 16 # of one run
GOAL_PER_OP, GOAL_LOOP = 12, 25


def count(tmp_path, optimize, windows):
    """Window -> instructions."""
    elf = tmp_path / "bench.elf"
    subprocess.run([program("arm-none-eabi-gcc"), *FLAGS, optimize, "-o", elf, *SOURCES], cwd=TOP,
                   check=True)
    counter = icount.Counter(built("tools", "icount_plugin.so"), elf, tmp_path / "counts",
                             {name: (f"bench_{name}", "bench_end") for name in windows})
    run = subprocess.run([program("qemu-system-arm"), "-M", "mps2-an385", "-nographic",
                          "-semihosting", "-kernel", elf, *counter.qemu_arguments],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=process.TIMEOUT_S,
                         check=True)
    assert "same" in run.stdout + run.stderr, "interpreter and native code differ"
    return {name: counts[0] for name, counts in counter.counts().items()}


@pytest.mark.parametrize("optimize", ["-O2", "-Os"])
def test_instructions(optimize, tmp_path, capsys, limits):
    counts = count(tmp_path, optimize, WINDOWS)
    per_op = {name: (counts[name] - counts["null"]) / PER_LINE for name in [*SIMPLE, "pushreg"]}
    loop = counts["c"] / counts["native"]
    with capsys.disabled():
        print(f"\nmps2-an385 {optimize}: null {counts['null']}, a {counts['a']}, b {counts['b']}, "
              f"c {counts['c']} = {loop:.1f} x native {counts['native']}, "
              f"{counts['c'] / LOOP_OPS:.1f} per operation of c")
        print("  " + ", ".join(f"{name} {value:.1f}" for name, value in per_op.items()))
    whole = {name: counts[name] for name in ("null", "a", "b")}
    limits.check({f"interpreter, {optimize}: {name}": count for name, count in whole.items()})
    each = {**per_op, "operation of c": counts["c"] / LOOP_OPS}
    limits.check({f"interpreter, {optimize}, one of many: {name}": value for name, value in each.items()}, slack=0.5)
    if optimize == "-O2":
        assert max(per_op[name] for name in SIMPLE) <= GOAL_PER_OP
        assert loop <= GOAL_LOOP


def test_maps(tmp_path, capsys, limits):
    names = [*OF_MAPS, *sorted({operands for operands, _ in OF_MAPS.values()})]
    counts = {}
    for first in range(0, len(names), MOST_WINDOWS):
        counts |= count(tmp_path, "-Os", names[first:first + MOST_WINDOWS])
    found = {name: counts[name] - counts[operands] for name, (operands, _) in OF_MAPS.items()}
    with capsys.disabled():
        print("\nmps2-an385 -Os, instructions of maps and pairs (asked for): "
              + ", ".join(f"{name} {found[name]} ({asked})" for name, (_, asked) in OF_MAPS.items()))
    limits.check({f"interpreter, -Os: {name}": value for name, value in found.items()})
