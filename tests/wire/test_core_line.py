# SPDX-License-Identifier: BSD-2-Clause
"""dprobes core on a line that damages bytes: the file has the same memory as on a good line. A line that is cut leaves a file with
what was read before."""
import struct

import pytest

from harness.noisyline import NoisyLine

RATES = {"flip": 5e-4, "lose": 2e-4, "double": 2e-4, "insert": 2e-4}
LINK = 3


def segments(core):
    """{address: bytes of the file} of each PT_LOAD of a little-endian core of 32 bits."""
    data = core.read_bytes()
    count, = struct.unpack_from("<H", data, 44)
    rows = [struct.unpack_from("<8I", data, 52 + 32 * i) for i in range(count)]
    return {row[2]: data[row[1]:row[1] + row[4]] for row in rows if row[0] == 1}


def test_damaged_transfers(dprobes, sim_target, tmp_path, amount):
    """Each core of a bad line is that of the good line."""
    target, core = sim_target(), tmp_path / "c"

    def take(url):
        done = dprobes("core", "--output", core, "--port", url)
        assert done.status == 0, done
        return segments(core)

    good = take(target.url())
    assert sum(map(len, good.values())) >= 4096
    assert take(target.url()) == good  # nothing runs there
    damage = 0
    for seed in range(amount(4, 1000)):
        line = NoisyLine(tmp_path / "line", target.paths["com2"], seed, RATES, RATES)
        assert take(line.url) == good, seed
        damage += sum(line.damage.values())
        line.close()
    assert damage > 4


@pytest.mark.nightly  # the command waits for five seconds
def test_cut_line(dprobes, sim_target, tmp_path):
    """What was read is in the file; the rest has no bytes there."""
    target, core = sim_target(), tmp_path / "c"
    line = NoisyLine(tmp_path / "line", target.paths["com2"], 1, {}, {}, stop_at=4000)
    done = dprobes("core", "--output", core, "--port", line.url)
    assert done.status == LINK and "that were not read: the session failed" in done.stderr, done
    assert core.exists() and dprobes("report", "--core", core).status == 0
    line.close()
