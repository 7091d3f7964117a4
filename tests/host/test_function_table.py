# SPDX-License-Identifier: BSD-2-Clause
"""dprobes table: the list of function starts and changes of instruction set or data, read with a reader of this file."""
import os
import re
import struct
import subprocess
import zlib

import pytest

import cpus
from harness.paths import built, program

KINDS = {0: "main", 1: "thumb", 3: "data"}
ARM = """
	.syntax unified
	.section dprobes_functions, "a", %%progbits
	.space %d
	.text
	.arm
	.global arm_func
	.type arm_func, %%function
arm_func:
	ldr r0, =0x12345678
	bx lr
	.ltorg
	.size arm_func, . - arm_func
	.thumb
	.global thumb_func
	.type thumb_func, %%function
thumb_func:
	push {r4, lr}
	tbb [pc, r0]
table:	.byte 1, 2
	pop {r4, pc}
	.size thumb_func, . - thumb_func
	.type long_func, %%function
long_func:
	.rept 3000
	movw r0, 0xffff
	.endr
	.size long_func, . - long_func
"""
MIPS = """
	.section dprobes_functions, "a", @progbits
	.space 64
	.set noreorder
	.text
	.type first, @function
first:	jr $31
	nop
	.size first, . - first
	.type words, @object
words:	.word 1, 2
	.size words, . - words
	.type second, @function
second:	nop
	.size second, . - second
"""


SCRIPT = """SECTIONS
{
	.text 0x8000 : { *(.text) }
	dprobes_functions : { *(dprobes_functions) }
	.note.gnu.build-id : { *(.note.gnu.build-id) }
	/DISCARD/ : { *(.reginfo) *(.MIPS.abiflags) *(.pdr) *(.gnu.attributes) }
}
"""


def link(folder, source, cross="arm-none-eabi-", flags=("-mcpu=cortex-a9",), name="fw"):
    (folder / f"{name}.s").write_text(source)
    (folder / "fw.ld").write_text(SCRIPT)
    elf = folder / f"{name}.elf"
    subprocess.run([program(cross + "gcc"), *flags, "-nostdlib", "-static", "-Wl,-T,fw.ld,-e0,--build-id", f"{name}.s",
                    "-o", elf], cwd=folder, check=True)
    return elf


def entries(data):
    """[(address, kind)] of a table whose checksum is right, and its bytes."""
    assert data[:4] == b"DPF\1"
    crc, used, count, unit, address = struct.unpack_from(">IIIIQ", data, 4)
    assert crc == zlib.crc32(data[8:used]) and not any(data[used:])
    found, value, shift = [], 0, 0
    for byte in data[28:used]:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            address += (value >> 2) * unit
            found.append((address, KINDS[value & 3]))
            value = shift = 0
    assert len(found) == count and shift == 0
    return found, used


def table(dprobes, elf):
    out = elf.with_suffix(".table")
    run = dprobes("table", elf, "-o", out)
    assert run.status == 0, run.stderr
    found, used = entries(out.read_bytes())
    assert run.stderr == f"dprobes: {len(found)} entries in {used} of {out.stat().st_size} bytes\n"
    return found


def test_arm(dprobes, tmp_path):
    """Instruction sets, a literal, a branch table; long code has an instruction at least each 4096 bytes."""
    elf = link(tmp_path, ARM % 128)
    found = table(dprobes, elf)
    assert found[:5] == [(0x8000, "main"), (0x8008, "data"), (0x800C, "thumb"), (0x8012, "data"), (0x8014, "thumb")]
    assert found[5] == (0x8016, "thumb")
    assert found[-1] == (0x8018 + 12000, "data")  # the section ends with padding
    between = [address for address, kind in found[5:-1]]
    assert all(0 < b - a <= 4096 for a, b in zip(between, [*between[1:], found[-1][0]]))
    assert all((address - 0x8016) % 4 == 0 for address in between) and len(between) == 3


def test_data_objects_without_mapping_symbols(dprobes, tmp_path):
    elf = link(tmp_path, MIPS, "mipsel-linux-gnu-", ("-mabi=32", "-mno-abicalls", "-fno-pic", "-no-pie", "-Wl,--no-warn-mismatch"))
    first, data, second, end = [at for at in table(dprobes, elf) if at[0] >= 0x8000][:4]
    assert first == (0x8000, "main") and data == (0x8008, "data") and second == (0x8010, "main")
    assert end[1] == "data"


def test_objcopy_moves_nothing(dprobes, tmp_path):
    """The table stands in the section that the image reserves; every other byte that is loaded stays, the build-id too."""
    elf, filled = link(tmp_path, ARM % 128), tmp_path / "filled.elf"
    table(dprobes, elf)
    subprocess.run([program("arm-none-eabi-objcopy"), "--update-section", f"dprobes_functions={elf.with_suffix('.table')}", elf,
                    filled], check=True)

    def text(path, *words):
        return subprocess.run([program("arm-none-eabi-readelf"), *words, path], capture_output=True, text=True, check=True).stdout

    def loaded(path):
        out = path.with_suffix(".bin")
        subprocess.run([program("arm-none-eabi-objcopy"), "-O", "binary", "-R", "dprobes_functions", path, out], check=True)
        return out.read_bytes()

    assert text(elf, "-nW") == text(filled, "-nW") and "Build ID" in text(elf, "-nW")
    assert re.findall(r"\] (\S+) +\w+ +(\w+)", text(elf, "-SW"))[:4] == re.findall(r"\] (\S+) +\w+ +(\w+)", text(filled, "-SW"))[:4]
    assert loaded(elf) == loaded(filled)


def test_no_room(dprobes, tmp_path):
    elf = link(tmp_path, ARM % 128)
    table(dprobes, elf)
    _, used = entries(elf.with_suffix(".table").read_bytes())
    for room, said in ((used - 1, f"the table needs {used} bytes, and section dprobes_functions has {used - 1}; build the agent "
                                  "with -DDP_FUNCTIONS_BYTES=128"),
                       (0, "the firmware reserves no section dprobes_functions for the table; build the agent with "
                           "-DDP_FUNCTIONS_BYTES=2048")):
        elf = link(tmp_path, ARM % room)
        run = dprobes("table", elf, "-o", tmp_path / "out")
        assert (run.status, run.stderr) == (1, f"{elf}: error: {said}\n") and not (tmp_path / "out").exists()


def test_no_elf(dprobes, tmp_path):
    (tmp_path / "map").write_text("c0100000 T _text\n")
    run = dprobes("table", tmp_path / "map", "-o", tmp_path / "out")
    assert run.status == 1 and "the file is not an ELF file of a supported CPU; give the linked firmware" in run.stderr
    assert not (tmp_path / "out").exists()


def test_terminal(dprobes, tmp_path):
    """Bytes that are no text do not go to a terminal."""
    controller, terminal = os.openpty()
    run = subprocess.run([built("host", "dprobes"), "table", link(tmp_path, ARM % 128)],
                         stdout=terminal, stderr=subprocess.PIPE, text=True, check=False)
    os.close(controller)
    os.close(terminal)
    assert run.returncode == 1 and "the table is no text for a terminal; use -o FILE" in run.stderr


LIBRARY = """
#include <stdio.h>
#include <stdlib.h>
const unsigned char room[32768] __attribute__((section("dprobes_functions"), used)) = {0};
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int n, char **v) { qsort(v, (unsigned)n, 4, order); printf("%g %p\\n", 1.0 * n, malloc((unsigned)n)); return 0; }
"""


@pytest.mark.parametrize("flags", [["-mthumb", "-mfpu=neon", "-mfloat-abi=hard"], ["-marm"]], ids=["thumb neon", "a32"])
def test_code_of_others(dprobes, flags, tmp_path):
    """newlib's libm whole, printf, qsort, malloc: each instruction that the ELF shows is one by the table, and no data is."""
    (tmp_path / "fw.c").write_text(LIBRARY)
    elf = tmp_path / "fw.elf"
    subprocess.run([program("arm-none-eabi-gcc"), "-mcpu=cortex-a9", *flags, "-Os", "--specs=nosys.specs", "fw.c", "-o", elf,
                    "-Wl,--whole-archive", "-lm", "-Wl,--no-whole-archive", "-Wl,--no-warn-rwx-segments"],
                   cwd=tmp_path, check=True, capture_output=True)
    found = table(dprobes, elf)
    listing = subprocess.run([program("arm-none-eabi-objdump"), "-d", "-z", "-w", elf], capture_output=True, text=True, check=True).stdout
    insns, data = {}, []
    for address, code, text in re.findall(r"^ *([0-9a-f]+):\t([0-9a-f ]+?) *\t(.*)$", listing, re.M):
        if re.match(r"\.(word|short|byte)\b", text):
            data.append(int(address, 16))
        else:
            insns[int(address, 16)] = len(code.replace(" ", "")) // 2
    assert len(insns) > 20000 and len(data) > 500
    index, walk, kind = 0, 0, "data"  # as the agent: from the entry below, instruction by instruction
    for address in sorted([*insns, *data]):
        while index < len(found) and found[index][0] <= address:
            walk, kind = found[index]
            index += 1
        while walk < address:
            walk += insns.get(walk, 2)
        if address in insns:
            assert kind != "data" and walk == address, hex(address)
        else:
            assert kind == "data", hex(address)
    print(f"{len(insns)} instructions, {len(data)} words of data, {len(found)} entries")


@pytest.mark.parametrize("board, cross", [(row.board, row.cross["little"]) for row in cpus.rows()[:2]])
def test_demo_has_its_table(dprobes, board, cross, tmp_path):
    """The build puts the table into each demo: what stands in the image is what `dprobes table` says of the image."""
    elf = built("boards", board, "demo.elf")
    subprocess.run([program(cross + "objcopy"), "-O", "binary", "-j", "dprobes_functions", "--set-section-flags",
                    "dprobes_functions=alloc,load,contents", elf, tmp_path / "there"], check=True)
    assert dprobes("table", elf, "-o", tmp_path / "said").status == 0
    assert (tmp_path / "there").read_bytes() == (tmp_path / "said").read_bytes()
    found, used = entries((tmp_path / "said").read_bytes())
    assert 300 < len(found) and used < 1600  # of ARM: 999 in 1405 bytes
