# SPDX-License-Identifier: BSD-2-Clause
"""What `scons size` prints, per build of the agent: core and port are as small as promised, the port
keeps its state where the board put it, and a private stack holds the deepest hit with a nested one on top."""
import re
import subprocess

import pytest

import feature_prices
import sources_mk
from harness.paths import BUILD, TOP, program
from harness.session import FEATURES

REPORTS = sorted(path.parent.name for path in BUILD.glob("agent/*/size.txt"))
POINTER_BYTES_MAX = 8
# Bytes of text that core and port take at most, where it is promised. agent/README.md says what they are for.
# 32 of the port's are for conditional branches, which a probe counts both ways and a return only one way.
TEXT_MAX = {"armv7-tiny": {"core": 19800, "port": 9160}, "armv7-counts": {"core": 23800, "port": 9160}}
# Bytes of text of one file, where it is promised: the rights by a key.
FILE_MAX = {("armv7-full", "agent/request/rights.o"): 1536}


@pytest.mark.parametrize("build", REPORTS or [None])
def test_size(build):
    if build is None:
        pytest.skip("no agent was measured; run scons size")
    text = (BUILD / "agent" / build / "size.txt").read_text()
    sizes = {name: list(map(int, re.search(rf"^  {name} +(\d+) +(\d+) +(\d+)$", text, re.M).groups()))
             for name in ("core", "port")}
    stack = int(re.search(r"^  private stack +(\d+) bytes$", text, re.M).group(1))
    worst = int(re.search(r"^private stack, bytes: .* = (\d+) of \d+$", text, re.M).group(1))
    print(f"{build}: text, data, bss {sizes}, worst stack {worst} of {stack}")
    for name, (code, _, _) in sizes.items():
        assert 0 < code <= TEXT_MAX.get(build, {}).get(name, code), name
    assert "no bound" not in text
    assert sum(sizes["port"][1:]) <= POINTER_BYTES_MAX, "a port's memory is struct dp_port_state"
    assert worst <= stack, "a hit and a nested hit"


NO_OP_MAX, HOOK_ROW_WORDS, COLD_BLOCK_MAX = 4, 3, 40


@pytest.mark.parametrize("build", REPORTS or [None])
def test_hook_size(build):
    """A dormant hook is a no-op; a row and a cold block are what exits cost (agent/guide/hooks.md)."""
    if build is None:
        pytest.skip("no agent was measured; run scons size")
    text = (BUILD / "agent" / build / "size.txt").read_text()
    dormant, row, cold = map(int, re.search(r"^hook of 3 arguments, bytes: dormant (\d+); of DPROBES_HOOK_CALL: row (\d+), cold block (\d+)$", text, re.M).groups())
    word = 8 if build.startswith("rv64") else 4
    assert 0 < dormant <= NO_OP_MAX and row == HOOK_ROW_WORDS * word and 0 < cold <= COLD_BLOCK_MAX * word // 4, (dormant, row, cold)


def test_declared_calls_are_of_functions():
    """A build may leave out a function that `?` marks: one that was renamed would be left out of each worst stack."""
    lists = sources_mk.read("agent")
    words = [*sources_mk.words(lists, "INDIRECT_CALLS"), *sources_mk.words(lists, "NOT_IN_HITS")]
    text = "".join(path.read_text() for path in sorted((TOP / "agent").glob("*/*.c")))
    defined = set(re.findall(r"^(?:\w[\w *]*[ *])?(\w+)\([^;]*?\)\n\{", text, re.M))
    assert not {name for name in re.findall(r"\w+", " ".join(words)) if name not in defined}
    assert "dp_hit_serve" in defined and "serve_requests" not in defined


@pytest.mark.parametrize("build,file", FILE_MAX)
def test_file(build, file):
    made = BUILD / "agent" / build / file
    if not made.exists():
        pytest.skip(f"{file} was not built; run scons size")
    run = subprocess.run([program("arm-none-eabi-size"), made], capture_output=True, text=True, check=True)
    text = int(run.stdout.splitlines()[1].split()[0])
    print(f"{build}, {file}: text {text}")
    assert 0 < text <= FILE_MAX[build, file]


# Features that stay for what they are, not for their bytes: a user leaves out checksums of the firmware's text, and reading
# and writing without a program.
CHOICES = {"DP_WITH_TEXT", "DP_WITH_MEMORY"}
WORTH_A_KNOB = 500


# proves: A3.3
@pytest.mark.nightly
def test_price_of_each_feature(monkeypatch):
    """What scons size prints: each feature has its bytes, and is worth its knob."""
    monkeypatch.chdir(TOP)
    compiler = [program("arm-none-eabi-gcc"), *"-std=c11 -mcpu=cortex-a9 -mthumb -Os -ffreestanding -fno-stack-protector".split()]
    rows = [row.split()[:2] for row in feature_prices.report("arm", compiler)]
    prices = {name: int(saved) for saved, name in rows if name.startswith("DP_WITH_")}
    print(prices)
    assert list(prices) == [f"DP_WITH_{name}" for name in FEATURES]
    assert not {name: saved for name, saved in prices.items() if saved <= WORTH_A_KNOB and name not in CHOICES}
