# SPDX-License-Identifier: BSD-2-Clause
"""The governor as its user meets it on a board: a probe that is hit too often in a second is disabled, and notice, `list` and
`info` say so. QEMU counts instructions, so that the firmware's second has the same hits on any machine. In a process:
test_agent_governor.c."""
import re

from harness import process, sweep
from harness.demo_bench import CRC, Bench

LIMIT = 50_000  # of an agent built with DP_PROFILE_READ: agent/dp_config.h
STATE = "disabled: too many hits"
SENTENCE = "a probe was disabled: it had more hits in a second than the agent allows"
STORM = 'name = "storm"\noffset = mix_recursion\nminor = 3\nabort\n'
WORK = "selftest 1000", "crc 9b00d37b rounds 1000"  # half a million calls


def test_too_many_hits(dprobes, qemu, tmp_path):
    bench = Bench(lambda board, **options: qemu(board, extra=sweep.CLOCK, **options), dprobes, tmp_path)
    assert f", {LIMIT} hits of a probe in a second" in bench.good("info").stdout
    info, = bench.good("info", "--format", "json").objects()
    assert info["limits"]["hits_per_second"] == LIMIT

    bench.insert(STORM, name="storm")
    running = dprobes.listen("--elf", bench.elf, *bench.options)
    bench.type(*WORK)
    running.err.expect(rf"notice: {re.escape(SENTENCE)}: probe \d+\n")
    assert running.interrupt().status == 130

    probe, = bench.programs()["storm"]["probes"]
    assert probe["state"] == STATE and probe["hits"] >= LIMIT
    assert re.search(rf"^  minor 3 at 0x[0-9a-f]+.*: {STATE}, {probe['hits']} hit\(s\)", bench.good("list").stdout, re.M)
    bench.good("info", "--verify-text", "--elf", bench.elf)  # the trap is gone with the probe
    bench.clean()
    bench.type("selftest 1", f"crc {CRC[1]}")
