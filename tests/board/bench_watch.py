# SPDX-License-Identifier: BSD-2-Clause
"""What a store to the region of the memory protection unit costs: guest instructions added to the store, counted exactly
(scons bench). The stores are those of the demo kernel's queue_put to sensor_queue. Watched is what a store writes, or another
word of its region of 32 bytes. BENCH_PROFILE=1 prints where they go."""
import os
import re
import time

import pytest

import bench_hit
import icount
from harness import paths

BOARD, HITS = "mps2-an385", 50
STORE = r"strd\b.*, #(\d+)\]"
WATCHED = {"watched hit": 0, "ignored store": 0x18}  # bits in which its address and that of the store differ


@pytest.mark.parametrize("name", WATCHED)
def test_store(name, counted, dprobes, tmp_path, capsys, limits):
    elf = paths.built("boards", BOARD, "watch", "watch.elf")
    lines = bench_hit.code(BOARD, "queue_put", "watch")
    at = next(i for i, (_, text) in enumerate(lines) if re.match(STORE, text))
    address = icount.symbols(elf)["sensor_queue"] + int(re.match(STORE, lines[at][1])[1]) ^ WATCHED[name]
    machine, counter = counted(BOARD, {"store": (lines[at][0], lines[at + 1][0])}, trace="BENCH_PROFILE" in os.environ, elf=elf)
    machine.com1.expect("demo>")
    (tmp_path / "bench.dp").write_text(f'name = "bench"\naddress = {address:#x} : {address + 3:#x}\nwatchpoint = w\nabort\n')
    while len(counter.counts().get("store", ())) < HITS:
        time.sleep(0.1)  # ended by the time limit at the latest
    own = min(counter.counts()["store"])
    done = dprobes("insert", "--port", machine.url("com2"), "--elf", elf, tmp_path / "bench.dp", sanitized=False)
    assert done.status == 0, done.stderr
    before = len(counter.counts()["store"])
    added = min(bench_hit.more(counter, "store", HITS)) - own
    with capsys.disabled():
        print(f"\n{BOARD:12} {name:25} {added:5} instructions added, least of {HITS}")
        for function, count in counter.profile("store", slice(before, before + HITS)) if "BENCH_PROFILE" in os.environ else []:
            print(f"{count:8}  {function}")
    assert added > 0, "the store was not stopped"
    limits.check_exact({f"{name}, {BOARD}": added})
