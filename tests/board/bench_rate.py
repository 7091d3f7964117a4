# SPDX-License-Identifier: BSD-2-Clause
"""What the observer costs a firmware whose lines have a rate, by the firmware's own counters (scons bench)."""
import pytest

import cpus
from bench_drain import PROGRAMS as RECORDS
from harness import rated_line as rated

BOARDS = cpus.boards(2)
TICKS = 300
PLACE, COUNT, GAIN = "queue_put", 2000, 1.3
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


@pytest.mark.parametrize("name", RECORDS)
def test_records_a_second(name, qemu, dprobes, tmp_path, capsys):
    """What the line carries of a storm in each form, by the times of the records that came. The rates differ between
    runs."""
    board = BOARDS[0]
    it = rated.RatedBoard(qemu, dprobes, tmp_path, board)
    handler = RECORDS[name].replace("{pointer}", cpus.of_board(board).arguments[0])
    it.insert(f'name = "storm"\nvars = 1\noffset = {PLACE}\n{handler}')
    rates = {}
    for form, compact in (("hexadecimal", "off"), ("compact", "on")):
        found = dprobes("log", *it.options, "--compact", compact, "--format", "json", "--count", str(COUNT), sanitized=False)
        assert found.status in (0, 5), found.stderr
        assert [one for one in found.objects() if one["kind"] == "dropped"], "the line carries every record"
        times = [one["seconds"] for one in found.objects() if one["kind"] == "log" and "seconds" in one]
        assert len(times) > COUNT * 0.9, found.stderr
        rates[form] = (len(times) - 1) / (times[-1] - times[0])
        with capsys.disabled():
            print(f"\n{board:12} {name:25} {form:12} {rates[form]:5.0f} records a second at {rated.BAUD} baud")
    assert rates["compact"] > GAIN * rates["hexadecimal"], rates
