# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs: guest instructions added to the probed one, counted exactly (scons bench).

The probe is at the entry of the demo kernel's queue_put; counted from there to its second
instruction. The least of all hits counts: interrupts on the way only add. BENCH_PROFILE=1 in the environment
prints where they go; build/bench/stages.svg shows it.
"""
import os
import re
import subprocess
import time

import pytest

import cpus
import sources_mk
import stages_svg
from harness.paths import BUILD, TOP, built, program

HITS = 50
HEADER = 'name = "bench"\noffset = queue_put+{}\n'
SCENARIOS = {
    "null hit": "abort\n",
    "null hit, logonfault": "logonfault = yes\nabort\n",
    "empty record": "exit\n",
    "predicate false": "push r, sp\npush mem, u32\npush 0x12345678\nsub\njz same\nabort\n"
                       "same: push 1\nlog 1\nexit\n",
    "record of two words": "push r, r0\npush r, r1\nlog 2\nexit\n",
}


# How an instruction is stepped, by how the first of its kind in queue_put looks.
KINDS = {
    "entry": r"",
    "one trap": r"mov|addiu|addi?\b|mr\b",
    "load": r"ldr\b|lwz?\b",
    "store": r"str\b|stw\b|sw\b",
}
BOARDS = cpus.code_boards()
# Scenarios whose instructions build/bench/stages.svg shows.
SHOWN = ("null hit", "record of two words")


def instructions(board, elf, function):
    """(address, text) of each."""
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    text = subprocess.run([program(cross + "objdump"), "-d", "--no-show-raw-insn",
                           f"--disassemble={function}", elf],
                          capture_output=True, text=True, check=True).stdout
    return [(int(address, 16), what) for address, what in
            re.findall(r"^\s*([0-9a-f]+):\t(.*)$", text, re.MULTILINE)]


@pytest.fixture(scope="module")
def stages():
    """(title, [(function, instructions)]) of the hits that the picture shows."""
    found = []
    yield found
    stages_svg.write(BUILD / "bench" / "stages.svg", found)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("board", BOARDS)
def test_hit(board, scenario, counted, dprobes, tmp_path, capsys, limits, stages):
    added, profile = measure(board, scenario, "entry", counted, dprobes, tmp_path, capsys, scenario in SHOWN)
    if scenario in SHOWN:
        stages.append((f"{board}, {scenario}", profile))
    limits.check({f"hit, {board}: {scenario}": added})


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "entry"])
@pytest.mark.parametrize("board", BOARDS)
def test_stepping(board, kind, counted, dprobes, tmp_path, capsys, limits):
    added, _ = measure(board, "null hit", kind, counted, dprobes, tmp_path, capsys)
    limits.check({f"hit, {board}: {kind}": added})


def measure(board, scenario, kind, counted, dprobes, tmp_path, capsys, shown=False):
    """Instructions added, and (function, instructions) of the shortest hit when shown or asked for."""
    elf = built("boards", board, "demo.elf")
    code = instructions(board, elf, "queue_put")
    at = next(i for i, (_, text) in enumerate(code) if re.match(KINDS[kind], text))
    source = tmp_path / "bench.dp"
    source.write_text(HEADER.format(code[at][0] - code[0][0]) + SCENARIOS[scenario])
    printed = "BENCH_PROFILE" in os.environ
    machine, counter = counted(board, {"hit": (code[at][0], code[at + 1][0])}, trace=printed or shown)
    machine.com1.expect("demo>")
    line = ["--port", machine.url("com2"), "--elf", elf]
    inserted = dprobes("insert", *line, source, sanitized=False)
    assert inserted.status == 0, inserted.stderr
    before = len(counter.counts().get("hit", ()))
    while len(counter.counts().get("hit", ())) < before + HITS:
        time.sleep(0.1)  # ended by the time limit at the latest
    hits = counter.counts()["hit"][before:]
    added = min(hits) - 1
    assert added > 0, "the probe was not hit"
    removed = dprobes("remove", *line[:2], "--all", sanitized=False)
    assert removed.status == 0, removed.stderr
    profile = counter.profile("hit", slice(before, before + len(hits))) if printed or shown else []
    with capsys.disabled():
        print(f"\n{board:12} {scenario:20} {code[at][1].split()[0]:10} {added:5} instructions added, least of {len(hits)}")
        for function, count in profile if printed else []:
            print(f"{count:8}  {function}")
    return added, profile
