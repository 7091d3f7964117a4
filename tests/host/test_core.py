# SPDX-License-Identifier: BSD-2-Clause
"""dprobes core and report --core without a board: what they refuse, ranges, and files that are damaged."""
import struct
import subprocess

from harness.paths import program

USAGE, LINK = 1, 3


def take(dprobes, sim_target, core, *words):
    return dprobes("core", "--port", sim_target().url(), "--output", core, *words)


def segments(core):
    """(address, bytes in the file, bytes) of each PT_LOAD of a little-endian core of 32 bits."""
    data = core.read_bytes()
    count, = struct.unpack_from("<H", data, 44)
    rows = [struct.unpack_from("<8I", data, 52 + 32 * i) for i in range(count)]
    return [(row[2], row[4], row[5]) for row in rows if row[0] == 1]


def test_core_without_names(dprobes, sim_target, tmp_path):
    """Without an ELF file a core has what the board's table lets be read and written, and readelf reads it."""
    core = tmp_path / "sim.core"
    done = take(dprobes, sim_target, core)
    assert done.status == 0 and "1 task(s), registers of 0" in done.stderr, done
    assert segments(core) and all(there == count for _, there, count in segments(core))
    assert not core.with_name("sim.core.part").exists()
    said = subprocess.run([program("readelf"), "-hln", core], capture_output=True, text=True, check=True)
    assert "CORE (Core file)" in said.stdout and said.stderr == "", said
    told = dprobes("report", "--core", core)
    assert told.status == 0 and told.stdout.startswith("firmware at 0x0: running"), told


def test_small_core_has_no_ranges(dprobes, sim_target, tmp_path):
    core = tmp_path / "sim.core"
    assert take(dprobes, sim_target, core, "--small").status == 0
    assert segments(core) == []


def test_refusals(dprobes, sim_target, tmp_path):
    core = tmp_path / "sim.core"
    for words, sentence in (
            (("core", "--port", "unix:/nowhere"), "a core is a file: give its name (--output FILE)"),
            (("core", "-o", core, "--ranges", "stack,heap", "--port", "unix:/nowhere"), "--ranges has stack, data, bss and all, not 'heap'"),
            (("report", "--core", __file__), "is no core that can be read: it is no ELF file"),
            (("report", "--core", program("readelf")), "is no core that can be read: it is no core, but another ELF file"),
            (("report", "--core", tmp_path / "none"), "cannot read"),
    ):
        done = dprobes(*words)
        assert done.status == USAGE and sentence in done.stderr and done.stdout == "", done
    assert take(dprobes, sim_target, tmp_path).status == USAGE  # a folder
    assert not [path for path in tmp_path.iterdir() if ".part" in path.name]


def test_cut_cores(dprobes, sim_target, tmp_path, amount):
    """A core that was cut anywhere is refused, or has what is before the cut."""
    core, cut = tmp_path / "sim.core", tmp_path / "cut.core"
    assert take(dprobes, sim_target, core).status == 0
    data = core.read_bytes()
    for at in range(0, len(data), len(data) // amount(20, 1000) + 1):
        cut.write_bytes(data[:at])
        done = dprobes("report", "--core", cut)
        assert done.status == USAGE and "is no core that can be read" in done.stderr, (at, done)
