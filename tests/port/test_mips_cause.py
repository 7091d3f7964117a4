# SPDX-License-Identifier: BSD-2-Clause
"""The trap overwrites the exception's code in Cause: a probed read of Cause comes from the frame. The demo kernel finds out
which interrupt is pending that way, with every tick."""
import re
import subprocess

import pytest

import cpus
from harness import paths, qemu as qemu_harness

READ = r"^([0-9a-f]{8}):\t[0-9a-f]{8} \tmfc0\t(\w+),c0_cause"


@pytest.mark.parametrize("board", qemu_harness.parameters([cpus.of_file(__file__).board, "malta-be"]))
def test_a_probed_read_of_cause(board, qemu, dprobes, tmp_path):
    elf = paths.built("boards", board, "demo.elf")
    listing = subprocess.run([paths.program("mipsel-linux-gnu-objdump"), "-d", "-j", ".text", elf], capture_output=True, text=True,
                             check=True).stdout
    symbols = dict((name, int(value, 16) & 0xffffffff) for value, _kind, name in re.findall(
        r"^([0-9a-f]+) (\w) (\S+)$", subprocess.run([paths.program("mipsel-linux-gnu-nm"), elf], capture_output=True, text=True,
                                                  check=True).stdout, re.M))
    # Reads in exception entries, with EXL set, are in a no-probe range, and so are those of the agent.
    reads = [(int(address, 16), register) for address, register in re.findall(READ, listing, re.M)
             if int(address, 16) >= symbols["__exception_end"]
             and not symbols["__start_dprobes_text"] <= int(address, 16) < symbols["__stop_dprobes_text"]]
    assert reads
    machine = qemu(board)
    machine.com1.expect("boot 1")
    line = ("--port", machine.url("com2"), "--elf", elf)
    for address, register in reads:
        source = tmp_path / "cause.dp"
        # After the instruction: what the firmware sees. The timer's pending bit, no delay bit, and no code of a breakpoint.
        source.write_text(f'name = "cause"\naddress = {address:#x}\nphase = after\npush r, {register}\nlog 1\nexit\n')
        run = dprobes("run", source, "--count", "20", "--format", "json", *line)
        assert run.status == 0, run.stderr
        assert f"warning: the instruction at {address:#x} reads Cause, where the trap of the probe stands" in run.stderr
        values = [record["words"][0] for record in run.objects() if "words" in record]
        assert len(values) == 20 and all(value & 0xb000007c == 0 for value in values), [hex(value) for value in values]
        assert any(value & 0x0000fc00 for value in values), "no interrupt was pending at any of them"
    machine.com1.send("selftest 1\r")
    machine.com1.expect("selftest: crc f7ab821a")
    text = dprobes("info", "--verify-text", *line)
    assert text.status == 0, text.stdout
