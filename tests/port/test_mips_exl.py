# SPDX-License-Identifier: BSD-2-Clause
"""Code that runs with Status.EXL set, on the MIPS boards: the board's ranges keep probes out of it, and a
trap that is reached there all the same, which the CPU does not say the address of, is reported and given
to the firmware."""
import re

import pytest

import cpus
from harness import gdbstub, process, refusals
from harness.demo_bench import CRC, FAULT, Bench, order_of

BOARDS = (cpus.of_file(__file__).board, "malta-be", "malta-4kc")
# mfc0 t0, Status; ori t0, t0, EXL; mtc0 t0, Status; three times ssnop; break 0: what a probe writes
EXL_THEN_TRAP = (0x40086000, 0x35080002, 0x40886000, 0x40, 0x40, 0x40, 0x0000000d)
BREAKPOINT = 9


# proves: A1.8
@pytest.mark.parametrize("name", BOARDS)
def test_ranges_keep_probes_out(name, qemu, dprobes, tmp_path):
    bench = Bench(qemu, dprobes, tmp_path, name)
    begin, end = bench.address("__exception_start"), bench.address("__exception_end")
    assert end - begin > 200
    said = refusals.errors()["IN_AGENT"]
    places = [*range(begin, end, 40), end - 4]  # every tenth instruction, and the last
    for place in places:
        run = bench.run("insert", bench.file(f'name = "exl"\naddress = {place:#x}\nexit\n'), "--elf", bench.elf)
        assert run.status != 0 and said in run.stderr, f"{place:#x}: {run.stderr}"
    assert not bench.programs()
    bench.good("info", "--verify-text", "--elf", bench.elf)
    bench.type("selftest 1", f"crc {CRC[1]}")
    print(f"{name}: {len(places)} places refused")


# proves: P7.1
@pytest.mark.parametrize("name", BOARDS)
def test_a_trap_there_is_reported(name, qemu, dprobes, tmp_path):
    path = tmp_path / "gdb"
    bench = Bench(lambda board, **more: qemu(board, extra=gdbstub.options(path), **more), dprobes, tmp_path, name)
    plain = bench.type("fault undef", FAULT).group(1).decode()
    place = int(re.search(r" at 0x(\w+)$", plain).group(1), 16)
    with gdbstub.Stub(path) as stub:
        for n, word in enumerate(EXL_THEN_TRAP):
            stub.write(place + 4 * n, word.to_bytes(4, order_of(name)))
    before, = bench.good("info", "--format", "json").objects()
    bench.insert('name = "tick"\noffset = timer_isr\nminor = 1\npush 5\nlog 1\nexit\n')
    running = dprobes.listen(*bench.options)
    running.out.expect("DProbes")  # the timer's
    # EPC is what the exception before has left there, and so the address is anything.
    told = bench.type("fault undef", FAULT).group(1).decode()
    assert re.match(rf"breakpoint, code {BREAKPOINT} at 0x\w+$", told), told
    process.eventually(lambda: "a trap" in running.out.text + running.err.text, "the notice of the trap")
    running.interrupt()
    after, = bench.good("info", "--format", "json").objects()
    assert after["strays"] == before["strays"] + 1
    # Agent and firmware go on.
    assert len(bench.good("log", "--count", "3").lines()) == 3
    bench.good("remove", "--all")
    bench.type("selftest 1", f"crc {CRC[1]}")
