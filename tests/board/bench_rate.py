# SPDX-License-Identifier: BSD-2-Clause
"""What the observer costs a firmware whose lines have a rate, by the firmware's own counters (scons bench)."""
import pytest

import cpus
from harness import rated_line as rated

BOARDS = cpus.boards(2)
TICKS = 300
HEAD = f"{'':12} {'':24} {'ticks':>6} {'lost':>5} {'late us':>8} {'sensor':>7} {'lost':>5} {'late us':>8} {'overruns':>9}"


@pytest.mark.parametrize("board", BOARDS)
def test_rate(board, qemu, dprobes, tmp_path, capsys):
    it = rated.RatedBoard(qemu, dprobes, tmp_path, board)
    rows = {}

    def row(name, use=lambda: None, ticks=TICKS):
        it.clear()
        use()
        rows[name] = it.after(ticks, use)

    row("0 probes, idle")
    row("0 probes, console busy", lambda: it.type("help", "end the run"))
    for count in (1, 10):
        for name, handler in (("idle", rated.ONE_IN_256), ("saturated", rated.EVERY_HIT)):
            row(f"{count} probes, insert", lambda: it.insert(rated.probes(count, handler)), 1)
            log = it.listen()
            row(f"{count} probes, {name}")
            log.interrupt()
            row(f"{count} probes, remove", it.remove, 1)
    with capsys.disabled():
        print(f"\n{HEAD}")
        for name, f in rows.items():
            print(f"{board:12} {name:24} {f.ticks:6} {f.ticks_lost:5} {f.tick_late:8} {f.sensor:7} {f.sensor_lost:5} "
                  f"{f.sensor_late:8} {f.com1 + f.com2:9}")
    for name, f in rows.items():
        assert (f.ticks_lost, f.sensor_lost, f.com1, f.com2) == (0, 0, 0, 0), name
