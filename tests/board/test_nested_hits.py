# SPDX-License-Identifier: BSD-2-Clause
"""Hits inside hits, on every board and in every context: a task, the timer's interrupt, the UART's, a
function that the fault handler calls. The outer probe's record asks the firmware for the task's number; a
probe in that callback is hit while the outer one is handled: it is counted as missed, and its instruction
is executed.

The callback lies in the agent's text and cannot be probed. Here the agent's table of ranges is changed in
the running board, as a firmware's mistake would have it.
"""
import re

import pytest

from harness import gdbstub
from harness.demo_bench import CRC, FAULT, Bench
from harness.qemu import board_names
from test_fault_safe import AGENT_TEXT, CONTEXTS, KEEP, NO_PROBE, READ, RangeTable

# arch_fault_task is the first C function of the fault handler; kernel_fault is called by it.
PLACES = (*CONTEXTS, "kernel_fault", "arch_context_print")
ONCE_EACH = ("arch_fault_task", "kernel_fault", "arch_context_print")
INNER = 'name = "inner"\noffset = current_task\nminor = 1\npush 1\nlog 1\nexit\n'


def open_callback(stub_path, bench):
    """The rest of the agent's text stays closed, or no program would be accepted: one row ends before the
    callback, the row of what is kept takes the text behind it."""
    callback = bench.address("current_task")
    behind = callback + bench.size("current_task")
    with gdbstub.Stub(stub_path) as stub:
        table = RangeTable(stub, bench)
        start, count, _ = table.rows[AGENT_TEXT]
        assert start < callback and behind <= start + count
        table.change(AGENT_TEXT, start, callback - start, READ | NO_PROBE)
        table.change(KEEP, behind, start + count - behind, READ | NO_PROBE)


def outer():
    return 'name = "outer"\n' + "".join(
        f"offset = {place}\nminor = {n}\npush {n}\nlog 1\nexit\n" for n, place in enumerate(PLACES))


def insert_in_storm(bench, source, name):
    """While hits come in a storm the agent answers from them; the host asks again until it can."""
    run = bench.run("insert", bench.file(source, name), "--elf", bench.elf)
    assert run.status == 0, run.stderr


def faults(bench, dprobes):
    """Minor -> task numbers in the records of one fault. The last place is hit last."""
    last = PLACES.index(ONCE_EACH[-1])
    running = dprobes.listen("--until", rf"DProbes\(0,{last}\)", *bench.options)
    running.out.expect("DProbes")  # the timer's
    bench.type("fault read", FAULT)
    found = {}
    for minor, task in re.findall(r"^DProbes\(0,(\d+)\) pid=(\d+)", running.wait().stdout, re.M):
        if PLACES[int(minor)] in ONCE_EACH:
            found.setdefault(int(minor), []).append(int(task))
    return found


@pytest.mark.parametrize("name", board_names())
def test_hits_in_hits(name, qemu, dprobes, tmp_path):
    path = tmp_path / "gdb"
    bench = Bench(lambda board, **more: qemu(board, extra=gdbstub.options(path), **more), dprobes, tmp_path, name)
    plain = bench.type("fault read", FAULT).group(1)
    open_callback(path, bench)
    bench.insert(outer(), "--log", "pid", name="outer")
    # Which task faulted, as the callback says without a probe in it.
    alone = faults(bench, dprobes)
    assert sorted(alone) == [PLACES.index(place) for place in ONCE_EACH], alone
    insert_in_storm(bench, INNER, "inner")
    assert faults(bench, dprobes) == alone
    bench.type("selftest 1", f"crc {CRC[1]} rounds 1")
    assert bench.type("fault read", FAULT).group(1) == plain
    found = bench.programs()
    (inner,) = found["inner"]["probes"]
    hits = [probe["hits"] for probe in found["outer"]["probes"]]
    assert all(hits), dict(zip(PLACES, hits))
    assert all(probe["missed"] == 0 and probe["state"] == "armed" for probe in found["outer"]["probes"])
    # The callback runs in hits only, and every hit runs it.
    assert inner["hits"] == 0 and 100 < inner["missed"] <= sum(hits)
    bench.clean()
    bench.type("selftest 1", f"crc {CRC[1]} rounds 1")
    print(f"{name}: {sum(hits)} hits, {inner['missed']} inside them")
