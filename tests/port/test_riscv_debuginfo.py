# SPDX-License-Identifier: BSD-2-Clause
"""Debug information of code that the linker has shortened."""
import re
import subprocess

import cpus
from harness.paths import program

CPU = cpus.of_file(__file__)
START = """
	.globl _start
_start:
	call f
	call f
	call f
	call f
	ret
"""
CODE = "int f(int a) { return a * 3; }\nint g(int a) { return f(a) + 1; }\n"


def test_a_unit_of_the_assembler_over_the_next_one(dprobes, tmp_path):
    """The assembler notes the size of its code before `call` becomes 2 bytes: that unit, the first one, has `f`, too."""
    compiler, flags = CPU.d_gcc
    (tmp_path / "a.S").write_text(START, encoding="utf-8")
    (tmp_path / "b.c").write_text(CODE, encoding="utf-8")
    subprocess.run([program(compiler), *flags, "-ffreestanding", "-O1", "-fno-inline", "-g", "-o", "fw.elf", "a.S", "b.c"],
                   cwd=tmp_path, check=True)
    units = subprocess.run([program("readelf"), "--debug-dump=info", "fw.elf"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    first, size = (int(number, 0) for number in re.search(r"low_pc +: (\w+)\s.*high_pc +: (\w+)", units).groups())
    named = dprobes("symbols", "f", "--elf", "fw.elf", cwd=tmp_path).stdout
    at = int(named.split()[0], 16)
    assert first < at < first + size
    assert "b.c:1" in dprobes("symbols", f"{at:#x}", "--elf", "fw.elf", cwd=tmp_path).stdout
    found = dprobes("-n", "f:entry { trace(a); }", "-e", "--elf", "fw.elf", cwd=tmp_path)
    assert found.status == 0, found.stderr
