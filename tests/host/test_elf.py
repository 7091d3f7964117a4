# SPDX-License-Identifier: BSD-2-Clause
"""Firmware as an ELF file: symbols, instruction sets, boundaries, opcodes, identity, and a sentence
for each file or place that will not do."""
import hashlib
import json
import os
import re
import struct
import subprocess
import zlib

import pytest

from harness import ppdf
from harness.paths import built, program

ASM = """
        .syntax unified
        .text
        .arm
        .global arm_func
        .type arm_func, %function
arm_func:
        push {r4, lr}
        ldr r0, =0x12345678
        pop {r4, pc}
        .ltorg
        .size arm_func, . - arm_func
        .thumb
        .global thumb_func
        .type thumb_func, %function
        .thumb_func
thumb_func:
        push {r4, lr}
        bl arm_func
        movw r0, #1
        nop
        pop {r4, pc}
        .size thumb_func, . - thumb_func
        .data
        .global counter
        .type counter, %object
counter: .word 7
        .size counter, 4
"""
ONE = "static int helper(int x){ return x + 1; } int one(int x){ return helper(x) * 3; }\n"
TWO = "static int helper(int x){ return x + 2; } int two(int x){ return helper(x) * 5; }\n"
HEADER = 'name = "fw"\n'


@pytest.fixture(scope="session")
def firmware(tmp_path_factory):
    """An ELF with ARM and Thumb code and two static functions of one name."""
    folder = tmp_path_factory.mktemp("elf")
    (folder / "a.s").write_text(ASM)
    (folder / "one.c").write_text(ONE)
    (folder / "two.c").write_text(TWO)
    gcc = program("arm-none-eabi-gcc")
    subprocess.run([gcc, "-mcpu=cortex-a9", "-O1", "-fno-inline", "-fno-toplevel-reorder", "-nostdlib", "-Wl,-Ttext=0x8040",
                    "-Wl,-Tdata=0x20000", "-Wl,--build-id=sha1", "-Wl,-e,arm_func", "-o", "fw.elf",
                    "a.s", "one.c", "two.c"], cwd=folder, check=True)
    subprocess.run([program("arm-none-eabi-strip"), "-o", "stripped.elf", "fw.elf"], cwd=folder, check=True)
    subprocess.run([program("arm-none-eabi-objcopy"), "-R", ".note.gnu.build-id", "fw.elf", "noid.elf"],
                   cwd=folder, check=True)
    names = subprocess.run([program("arm-none-eabi-nm"), "fw.elf"], cwd=folder, check=True,
                           capture_output=True, text=True).stdout
    folder_symbols = {line.split()[2]: int(line.split()[0], 16) for line in names.splitlines()}
    return folder, folder_symbols


def compile_(dprobes, folder, tmp_path, source, *args, elf="fw.elf"):
    (tmp_path / "t.dp").write_text(source)
    return dprobes("build", "--elf", folder / elf, *args, "-o", "t.ppdf", "t.dp", cwd=tmp_path)


def build(dprobes, folder, tmp_path, source, *args, elf="fw.elf"):
    result = compile_(dprobes, folder, tmp_path, source, *args, elf=elf)
    assert result.status == 0, result.stderr
    return ppdf.Ppdf((tmp_path / "t.ppdf").read_bytes())


def refused(dprobes, folder, tmp_path, source, *args, elf="fw.elf"):
    result = compile_(dprobes, folder, tmp_path, source, *args, elf=elf)
    assert result.status == 1 and not (tmp_path / "t.ppdf").exists()
    return result.stderr


def word_at(folder, address, count):
    """Code bytes as the linker put them."""
    subprocess.run([program("arm-none-eabi-objcopy"), "-O", "binary", "-j", ".text", "fw.elf", "text.bin"],
                   cwd=folder, check=True)
    return (folder / "text.bin").read_bytes()[address - 0x8040:address - 0x8040 + count]


def test_arm_function(dprobes, firmware, tmp_path):
    folder, symbols = firmware
    made = build(dprobes, folder, tmp_path, HEADER + "offset = arm_func\noffset = arm_func + 4\nexit\n")
    first, second = made.points
    assert made.cpu == 2 and made.word == 4 and made.order == 0
    assert (first.address, first.isa, first.before, first.insn_bytes) == (symbols["arm_func"], 0, 0, 4)
    assert (second.address, second.before) == (symbols["arm_func"] + 4, 4)
    assert second.extent == first.extent == 16  # the literal is inside the size
    assert first.opcode == struct.unpack("<I", word_at(folder, first.address, 4))[0]
    assert first.flags & 2


def test_thumb_function(dprobes, firmware, tmp_path):
    """16-bit and 32-bit instructions; the Thumb bit of the symbol is not part of the address."""
    folder, symbols = firmware
    start = symbols["thumb_func"] & ~1
    made = build(dprobes, folder, tmp_path,
                 HEADER + "offset = thumb_func\nexit\noffset = thumb_func + 2\nexit\n"
                 f"offset = {start | 1}\nminor = 2\nexit\n")
    narrow, wide, odd = made.points
    assert (narrow.address, narrow.isa, narrow.insn_bytes) == (start, 1, 2)
    assert narrow.opcode == struct.unpack("<H", word_at(folder, start, 2))[0] == 0xb510
    high, low = struct.unpack("<HH", word_at(folder, start + 2, 4))
    assert (wide.address, wide.isa, wide.insn_bytes, wide.opcode) == (start + 2, 1, 4, high << 16 | low)
    assert (odd.address, odd.isa) == (start, 1)


def test_numbers_take_the_instruction_set_from_the_mapping_symbols(dprobes, firmware, tmp_path):
    folder, symbols = firmware
    start = symbols["thumb_func"] & ~1
    point, = build(dprobes, folder, tmp_path, HEADER + f"address = {start + 6}\nexit\n").points
    assert (point.isa, point.insn_bytes, point.before) == (1, 4, 6)


def test_opcode_compared(dprobes, firmware, tmp_path):
    folder, _ = firmware
    build(dprobes, folder, tmp_path, HEADER + "offset = thumb_func\nopcode = 0xb510\nexit\n")
    (tmp_path / "t.ppdf").unlink()
    said = refused(dprobes, folder, tmp_path, HEADER + "offset = thumb_func\nopcode = 0xb511\nexit\n")
    assert "t.dp:3:1: error: 'opcode' is 0xb511, but the instruction at " in said
    assert " is 0xb510; correct it, or leave it out" in said
    build(dprobes, folder, tmp_path, HEADER + "offset = thumb_func\nopcode = 0xb511\nexit\n",
          "--dont-verify-opcodes")


@pytest.mark.parametrize("where,said", [
    ("thumb_func + 4", "is in the middle of a 32-bit thumb instruction; probe 0x"),
    ("arm_func + 2", "is no instruction address: use a multiple of 4"),
    ("arm_func + 12", "is data among the code of "),
    ("counter", "is not in an executable section of "),
    ("0", "is not in an executable section of "),
    ("helper", "in one.c and 0x"),
    ("arm_fun", "unknown symbol 'arm_fun'; did you mean 'arm_func'?"),
])
def test_places_that_will_not_do(dprobes, firmware, tmp_path, where, said):
    text = refused(dprobes, firmware[0], tmp_path, HEADER + f"offset = {where}\nexit\n")
    assert text.startswith("t.dp:2:10: error: ") and said in text


def test_push_symbol(dprobes, firmware, tmp_path):
    folder, symbols = firmware
    made = build(dprobes, folder, tmp_path, HEADER + "offset = arm_func\npush counter + 4\npush thumb_func\nexit\n")
    assert made.code[3:7] == struct.pack("<I", symbols["counter"] + 4)
    text = dprobes("disasm", "t.ppdf", cwd=tmp_path).stdout
    assert f"\tpush {symbols['counter'] + 4:#x} // counter + 4\n" in text


def test_disasm_names_the_function(dprobes, firmware, tmp_path):
    """The address came from a name; whoever reads the object wants it back."""
    folder, _ = firmware
    build(dprobes, folder, tmp_path, HEADER + "offset = arm_func\nexit\noffset = arm_func + 4\nexit\n"
          "offset = thumb_func + 2\nexit\n")
    text = dprobes("disasm", "t.ppdf", cwd=tmp_path).stdout
    assert re.findall(r"^// (.*), a function of 0x[0-9a-f]+ bytes$", text, re.M) == [
        "arm_func", "arm_func + 0x4", "thumb_func + 0x2"]
    (tmp_path / "again.dp").write_text(text)
    again = dprobes("build", "--elf", folder / "fw.elf", "again.dp", "-o", "again.ppdf", cwd=tmp_path)
    assert again.status == 0, again.stderr
    assert ppdf.Ppdf((tmp_path / "again.ppdf").read_bytes()).code == ppdf.Ppdf((tmp_path / "t.ppdf").read_bytes()).code


def test_build_id(dprobes, firmware, tmp_path):
    folder, _ = firmware
    made = build(dprobes, folder, tmp_path, HEADER + "offset = arm_func\nexit\n")
    notes = subprocess.run([program("arm-none-eabi-readelf"), "-n", "fw.elf"], cwd=folder,
                           capture_output=True, text=True, check=True).stdout
    assert made.module[:2] == (0, 1)
    assert made.module[2].hex() in notes


def test_crc_where_there_is_no_build_id(dprobes, firmware, tmp_path):
    folder, _ = firmware
    made = build(dprobes, folder, tmp_path, HEADER + "offset = arm_func\nexit\n", elf="noid.elf")
    kind, identity, digest = made.module
    crc, size = struct.unpack(">II", digest[:8])
    data = (folder / "noid.elf").read_bytes()
    offset, count = struct.unpack("<I", data[28:32])[0], struct.unpack("<H", data[44:46])[0]
    segments = [struct.unpack("<8I", data[offset + 32 * i:offset + 32 * i + 32]) for i in range(count)]
    text = next(s for s in segments if s[0] == 1 and s[6] & 1)
    assert (kind, identity, size) == (0, 2, text[4])
    assert crc == zlib.crc32(data[text[1]:text[1] + text[4]])


def test_crc_of_the_text_that_the_script_names(dprobes, firmware, tmp_path):
    """The segment of a firmware has vectors, the agent and more beside the text that the agent takes the CRC of."""
    folder, _ = firmware
    objcopy = program("arm-none-eabi-objcopy")
    subprocess.run([objcopy, "--add-symbol", "__text_start=.text:8,global", "--add-symbol", "__text_end=.text:24,global",
                    folder / "noid.elf", tmp_path / "named.elf"], check=True)
    subprocess.run([objcopy, "-O", "binary", "-j", ".text", folder / "noid.elf", tmp_path / "text.bin"], check=True)
    made = build(dprobes, tmp_path, tmp_path, HEADER + "offset = arm_func\nexit\n", elf="named.elf")
    text = (tmp_path / "text.bin").read_bytes()[8:24]
    assert made.module[1] == 2 and struct.unpack(">II", made.module[2][:8]) == (zlib.crc32(text), 16)


# --- files that will not do ---

def test_no_elf(dprobes, firmware, tmp_path):
    (tmp_path / "x.elf").write_text("hello, this is no ELF\n")
    said = refused(dprobes, tmp_path, tmp_path, HEADER + "offset = 0x8000\nexit\n", elf="x.elf")
    assert "x.elf: error: the file is neither an ELF file nor a System.map (ADDRESS TYPE NAME)" in said
    said = refused(dprobes, tmp_path, tmp_path, HEADER + "offset = 0x8000\nexit\n", elf="missing.elf")
    assert "missing.elf: error: cannot read it: No such file or directory" in said


@pytest.mark.parametrize("words", [
    ["symbols", "main", "--elf", "FILE"], ["check", "FILE"], ["build", "FILE"], ["symbols", "main", "--elf", "OTHER", "--sym", "FILE"],
    ["disasm", "FILE"], ["simulate", "t.dp", "--templates", "FILE"]], ids=" ".join)
def test_what_has_no_end_is_not_read(dprobes, tmp_path, words):
    """A device, and a serial port whose name stands where a file belongs; too large a file."""
    ours, theirs = os.openpty()
    (tmp_path / "t.dp").write_text("name = t\noffset = 0x8000\nexit\n")
    (tmp_path / "s.map").write_text("00001000 T main\n")
    with open(tmp_path / "large", "wb") as large:
        large.truncate(3 << 30)
    for path, why in (("/dev/zero", "it is a device, and no file"), (os.ttyname(theirs), "it is a device, and no file"), ("large", "it has more than 2 GB")):
        run = dprobes(*(word.replace("FILE", path).replace("OTHER", "s.map") for word in words), cwd=tmp_path)
        assert run.status == 1 and f"{path}: error: cannot read it: {why}\n" in run.stderr, run.stderr
    os.close(ours)
    os.close(theirs)


def test_map_is_no_elf(dprobes, tmp_path):
    (tmp_path / "s.map").write_text("00001000 T main\n")
    said = refused(dprobes, tmp_path, tmp_path, HEADER + "offset = main\nexit\n", elf="s.map")
    assert "s.map: error: the file is no ELF file; give a list of symbols with --sym" in said


@pytest.mark.parametrize("machine,said", [
    (8, "the file is for mips (e_machine 8), not for arm"),
    (62, "the file is for another CPU (e_machine 62), not for arm"),
])
def test_another_cpu(dprobes, firmware, tmp_path, machine, said):
    data = bytearray((firmware[0] / "fw.elf").read_bytes())
    data[18:20] = struct.pack("<H", machine)
    (tmp_path / "other.elf").write_bytes(data)
    assert said in refused(dprobes, tmp_path, tmp_path, HEADER + "offset = arm_func\nexit\n", "--cpu",
                           "arm", elf="other.elf")


def test_unknown_cpu(dprobes, firmware, tmp_path):
    data = bytearray((firmware[0] / "fw.elf").read_bytes())
    data[18:20] = struct.pack("<H", 62)
    (tmp_path / "other.elf").write_bytes(data)
    assert "dprobes does not support the file's CPU (e_machine 62); supported: sim, arm, mips" in refused(
        dprobes, tmp_path, tmp_path, HEADER + "offset = 0x8000\nexit\n", elf="other.elf")


def profiled(folder, cpu):
    """A file of an ARM core, as the compiler makes it."""
    (folder / "one.c").write_text(ONE)
    state = "-marm" if cpu.startswith("arm") else "-mthumb"
    subprocess.run([program("arm-none-eabi-gcc"), f"-mcpu={cpu}", state, "-O1", "-nostdlib", "-Wl,-Ttext=0x8000", "-Wl,-e,one", "-o", f"{cpu}.elf",
                    "one.c"], cwd=folder, check=True)
    return f"{cpu}.elf"


@pytest.mark.parametrize("cpu", ["cortex-m0", "cortex-m3", "cortex-m33"])
def test_cortex_m_is_no_arm(dprobes, tmp_path, cpu):
    """One e_machine: the attributes of the file tell."""
    elf = profiled(tmp_path, cpu)
    source = HEADER + "offset = one\nexit\n"
    (tmp_path / "t.dp").write_text(source)
    run = dprobes("build", "t.dp", "--elf", elf, "-o", "t.dpo", cwd=tmp_path)
    assert run.status == 0, run.stderr
    assert f"{elf}: error: the file is for cortexm (e_machine 40), not for arm" in refused(
        dprobes, tmp_path, tmp_path, source, "--cpu", "arm", elf=elf)


def test_another_profile_is_no_cpu(dprobes, tmp_path):
    elf = tmp_path / profiled(tmp_path, "cortex-m3")
    data = bytearray(elf.read_bytes())
    at = data.index(b"aeabi\0")
    at = data.index(b"\x07M", at) + 1
    data[at:at + 1] = b"X"
    elf.write_bytes(data)
    assert "error: dprobes does not support the file's CPU (another ARM, e_machine 40); supported: sim, arm" in refused(
        dprobes, tmp_path, tmp_path, HEADER + "offset = one\nexit\n", elf=elf.name)


@pytest.mark.parametrize("cpu", ["cortex-a9", "cortex-r5", "arm926ej-s"])
def test_other_profiles_are_arm(dprobes, tmp_path, cpu):
    elf = profiled(tmp_path, cpu)
    (tmp_path / "t.dp").write_text(HEADER + "offset = one\nexit\n")
    run = dprobes("build", "t.dp", "--elf", elf, "-o", "t.dpo", cwd=tmp_path)
    assert run.status == 0, run.stderr


@pytest.mark.parametrize("damage", range(6))
def test_damaged_attributes_decide_nothing(dprobes, tmp_path, damage):
    """A length or a name that leads out of the section: the file is what e_machine says."""
    elf = tmp_path / profiled(tmp_path, "cortex-m3")
    data = bytearray(elf.read_bytes())
    at = data.index(b"aeabi\0") - 5  # version, length, vendor; scope, length; tags and values
    assert data[at:at + 1] == b"A"
    change = [(0, b"B"), (1, b"\xff\xff\xff\x7f"), (1, b"\1\0\0\0"), (5, b"aeab~"), (12, b"\xff\xff\xff\xff"), (16, b"\xff" * 8)][damage]
    data[at + change[0]:at + change[0] + len(change[1])] = change[1]
    elf.write_bytes(data)
    (tmp_path / "t.dp").write_text(HEADER + "offset = one\nexit\n")
    run = dprobes("build", "t.dp", "--elf", elf.name, "-o", "t.dpo", cwd=tmp_path)
    assert run.status == 0, run.stderr


def test_byte_order_contradicts(dprobes, firmware, tmp_path):
    assert "fw.elf: error: the file is little-endian" in refused(
        dprobes, firmware[0], tmp_path, HEADER + "offset = arm_func\nexit\n", "--endian", "big")


def test_stripped(dprobes, firmware, tmp_path):
    folder, symbols = firmware
    said = refused(dprobes, folder, tmp_path, HEADER + "offset = arm_func\nexit\n", elf="stripped.elf")
    assert "unknown symbol 'arm_func': " in said and "is stripped and has no symbols; use the file before strip, or an address" in said
    point, = build(dprobes, folder, tmp_path, HEADER + f"offset = {symbols['arm_func']}\nexit\n",
                   elf="stripped.elf").points
    assert (point.insn_bytes, point.extent) == (4, 0)
    # Symbols may come from another file.
    point, = build(dprobes, folder, tmp_path, HEADER + "offset = arm_func\nexit\n", "--sym",
                   folder / "fw.elf", elf="stripped.elf").points
    assert point.address == symbols["arm_func"]


def test_an_elf_that_was_cut(dprobes, tmp_path):
    """It is no stripped file: the sentence has both ends."""
    whole = built("boards", "vexpress-a9", "demo.elf").read_bytes()
    for bytes_left in (100_000, len(whole) - 1):
        (tmp_path / "cut.elf").write_bytes(whole[:bytes_left])
        done = dprobes("-l", "queue_put:entry", "--elf", tmp_path / "cut.elf")
        assert done.status == 1 and f"ends at byte {bytes_left}" in done.stderr and "it was cut" in done.stderr, done.stderr


def test_damaged_elf(dprobes, firmware, tmp_path, amount):
    """Cut at 60 places, with each byte of the header changed, and bytes of the section headers: a sentence, never a
    crash. Each fifth of them, and all at night."""
    data = (firmware[0] / "fw.elf").read_bytes()
    path = tmp_path / "cut.elf"
    (tmp_path / "t.dp").write_text(HEADER + "offset = arm_func\npush counter\nexit\n")
    broken = [data[:n] for n in range(0, len(data), max(97, len(data) // 60))]
    broken += [data[:i] + bytes([data[i] ^ 0xff]) + data[i + 1:] for i in range(0, 52)]
    broken += [data[:i] + bytes([data[i] ^ 0x81]) + data[i + 1:]
               for i in range(len(data) - 400, len(data), 7)]
    for image in broken[::amount(5, 1)]:
        path.write_bytes(image)
        result = dprobes("build", "--elf", "cut.elf", "-o", "t.ppdf", "t.dp", cwd=tmp_path)
        assert result.status in (0, 1) and (result.status == 0) == (not "error:" in result.stderr)


# --- modules, and the list of symbols ---

def test_module_offsets_count_from_its_base(dprobes, firmware, tmp_path):
    folder, symbols = firmware
    (tmp_path / "t.dp").write_text('name = "driver"\nmodtype = kmod\noffset = arm_func + 4\nexit\n')
    result = dprobes("build", "--sym", folder / "fw.elf", "-o", "t.ppdf", "t.dp", cwd=tmp_path)
    assert result.status == 0, result.stderr
    made = ppdf.Ppdf((tmp_path / "t.ppdf").read_bytes())
    point, = made.points
    assert made.module[0] == 1
    base = min(int(line.split()[2], 16) for line in subprocess.run(
        [program("arm-none-eabi-readelf"), "-lW", folder / "fw.elf"], capture_output=True, text=True,
        check=True).stdout.splitlines() if line.split()[:1] == ["LOAD"])
    assert point.address == symbols["arm_func"] + 4 - base
    assert point.insn_bytes == 4 and point.before == 4


def test_symbols_command(dprobes, firmware):
    folder, symbols = firmware
    rows = dprobes("symbols", "--elf", folder / "fw.elf", "--format", "json").objects()
    found = {row["name"]: row for row in rows if not row["local"]}
    assert {row["kind"] for row in rows} == {"symbol"}
    assert found["arm_func"]["address"] == f"0x{symbols['arm_func']:08x}"
    assert (found["arm_func"]["type"], found["thumb_func"]["type"], found["counter"]["type"]) == (
        "code", "thumb", "data")
    assert sorted(row["file"] for row in rows if row["name"] == "helper") == ["one.c", "two.c"]
    assert not any(row["name"].startswith("$") for row in rows)
    text = dprobes("symbols", "--elf", folder / "fw.elf", "thumb*").stdout
    assert text == f"{symbols['thumb_func'] & ~1:08x}     14 thumb thumb_func\n"
    none = dprobes("symbols", "--elf", folder / "fw.elf", "nonesuch")
    assert (none.status, none.stdout) == (0, "") and "fw.elf matches 'nonesuch'" in none.stderr
    assert dprobes("symbols", "--elf", folder / "fw.elf", "count").lines()[0].endswith(" counter")
    raw = dprobes("symbols", "--elf", folder / "fw.elf", "--format", "raw").stdout
    assert f"{symbols['counter']:08x} D counter\n" in raw
    assert dprobes("symbols", "--elf", folder / "stripped.elf").status == 1
    assert dprobes("symbols").status == 1


LABELS = """
        .syntax unified
        .text
        .global main, label
        .type main, %function
        .thumb_func
main:   push {lr}
        nop
inside: pop {pc}
        .size main, . - main
local_one:
same:
label:  nop
.Lown:  nop
        .data
        .word 1
data_label: .word 2
        .global later, global_one, global_two
a_local:
later:  .word 3
global_two:
global_one: .word 4
"""


@pytest.mark.parametrize("debug", [[], ["-g"]], ids=["plain", "lines"])
def test_a_label_without_size_names_its_addresses(dprobes, tmp_path, debug):
    """Behind a function, up to the end of the section; a label inside a function names nothing, a data label
    itself alone. Of labels at one address a global one counts, then the first by name."""
    (tmp_path / "l.s").write_text(LABELS)
    subprocess.run([program("arm-none-eabi-gcc"), "-mcpu=cortex-a9", "-mthumb", *debug, "-nostdlib", "-Wl,-Ttext=0x8000",
                    "-Wl,-Tdata=0x9000", "-Wl,-e,main", "-o", "l.elf", "l.s"], cwd=tmp_path, check=True)

    def named(address):
        return dprobes("symbols", "--elf", "l.elf", hex(address), cwd=tmp_path).stdout.split()[1]

    assert [named(at) for at in (0x8000, 0x8004, 0x8006, 0x8008)] == ["main", "main+0x4", "label", "label+0x2"]
    assert [named(at) for at in (0x7ffe, 0x9004, 0x9006)] == ["0x7ffe", "data_label", "0x9006"]
    assert [named(at) for at in (0x9008, 0x900c)] == ["later", "global_one"]
