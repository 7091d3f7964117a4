# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs: guest instructions added to the probed one, counted exactly (scons bench).

The probe is at the entry of the demo kernel's queue_put; counted from there to its second
instruction. The least of all hits counts: interrupts on the way only add. Goals:
spec/performance.md section 0, rows 1a, 2 and 3, A32.
"""
import re
import subprocess
import time

import pytest

import sources_mk
from harness.paths import TOP, built, program

HITS = 50
HEADER = 'name = "bench"\noffset = queue_put\n'
SCENARIOS = {
    "null hit": "exit\n",
    "predicate false": "push r, sp\npush mem, u32\npush 0x12345678\nsub\njz same\nabort\n"
                       "same: push 1\nlog 1\nexit\n",
    "record of two words": "push r, r0\npush r, r1\nlog 2\nexit\n",
}


def second_instruction(board, elf, function):
    """Address of the instruction after the function's first one."""
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    text = subprocess.run([program(cross + "objdump"), "-d", f"--disassemble={function}", elf],
                          capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"^\s*([0-9a-f]+):\t", text, re.MULTILINE)[1], 16)


@pytest.mark.seconds(300)
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("board", ["vexpress-a9", "versatilepb", "malta", "bamboo", "40p"])
def test_hit(board, scenario, counted, dprobes, tmp_path, capsys):
    elf = built("boards", board, "demo.elf")
    source = tmp_path / "bench.dp"
    source.write_text(HEADER + SCENARIOS[scenario])
    machine, counter = counted(board, {
        "hit": ("queue_put", second_instruction(board, elf, "queue_put"))})
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
    removed = dprobes("remove", *line, "--all", sanitized=False)
    assert removed.status == 0, removed.stderr
    with capsys.disabled():
        print(f"\n{board:12} {scenario:20} {added:5} instructions added, least of {len(hits)}")
