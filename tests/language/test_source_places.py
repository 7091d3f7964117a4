# SPDX-License-Identifier: BSD-2-Clause
"""Places in the firmware's source in RPN programs, and what `dprobes symbols` says of places."""
import re
import subprocess

import pytest

from harness import ppdf
from harness.paths import program

ONE = """\
static int helper(int x)
{
	__asm__ volatile("nop");
	return x * 3 + 1;
}
int one(int x) { return helper(x); }
"""
TWO = """\
static int helper(int x) { return x * 5; }
static inline __attribute__((always_inline)) int twice(int x)
{
	__asm__ volatile("nop");
	return 2 * x;
}
int two(int x) { return helper(x) + twice(x); }
int three(int x) { return twice(x) - 1; }
"""
HEADER = 'name = "fw"\n'


@pytest.fixture(scope="session")
def firmware(tmp_path_factory):
    """The folder of fw.elf, and symbols of its functions: those of `helper` are a list."""
    folder = tmp_path_factory.mktemp("places")
    (folder / "lib").mkdir()
    (folder / "one.c").write_text(ONE)
    (folder / "lib" / "my-two.c").write_text(TWO)
    gcc = program("arm-none-eabi-gcc")
    subprocess.run([gcc, "-g", "-O1", "-fno-inline", "-fno-toplevel-reorder", "-mcpu=cortex-a9", "-nostdlib", "-Wl,-e,one",
                    "-Wl,--build-id=sha1", "-o", "fw.elf", "one.c", "lib/my-two.c"], cwd=folder, check=True)
    subprocess.run([program("arm-none-eabi-strip"), "-g", "-o", "plain.elf", "fw.elf"], cwd=folder, check=True)
    subprocess.run([gcc, "-g", "-O1", "-mcpu=cortex-a9", "-nostdlib", "-Wl,-e,one", "-Wl,--build-id=sha1", "-o",
                    "other.elf", "one.c"], cwd=folder, check=True)
    names = subprocess.run([program("arm-none-eabi-nm"), "fw.elf"], cwd=folder, check=True, capture_output=True,
                           text=True).stdout
    symbols = {}
    for line in names.splitlines():
        symbols.setdefault(line.split()[2], []).append(int(line.split()[0], 16))
    return folder, symbols


def compile_(dprobes, folder, tmp_path, body, *options, elf="fw.elf"):
    (tmp_path / "t.dp").write_text(HEADER + body)
    return dprobes("build", "--elf", folder / elf, *options, "-o", "t.ppdf", "t.dp", cwd=tmp_path)


def points(dprobes, folder, tmp_path, body, *options, **keywords):
    result = compile_(dprobes, folder, tmp_path, body, *options, **keywords)
    assert result.status == 0, result.stderr
    return list(ppdf.Ppdf((tmp_path / "t.ppdf").read_bytes()).points)


def line_address(folder, file, line):
    """The first address of a line, as readelf prints it."""
    text = subprocess.run([program("readelf"), "--debug-dump=decodedline", "-W", folder / "fw.elf"], check=True,
                          capture_output=True, text=True).stdout
    return min(int(address, 16) for address in re.findall(
        rf"^{re.escape(file)} +{line} +0x([0-9a-f]+).* x$", text, re.M))


def test_lines_and_functions(dprobes, firmware, tmp_path):
    folder, symbols = firmware
    found = points(dprobes, folder, tmp_path,
                   "offset = one.c:4\nexit\noffset = one.c:helper\nexit\noffset = lib/my-two.c:helper + 4\nexit\n"
                   'offset = "my-two.c":helper\nexit\naddress = my-two.c:7\nminor = 9\nexit\n')
    assert found[0].address == line_address(folder, "one.c", 4)
    assert found[0].before == found[0].address - min(symbols["helper"]) > 0
    assert [point.address for point in found[1:4]] == [
        min(symbols["helper"]), max(symbols["helper"]) + 4, max(symbols["helper"])]
    assert found[4].address == symbols["two"][0]


def test_push(dprobes, firmware, tmp_path):
    folder, symbols = firmware
    points(dprobes, folder, tmp_path, "offset = one\npush one.c:helper\nlog 1\nexit\n")
    text = dprobes("disasm", "t.ppdf", cwd=tmp_path).stdout
    assert f"\tpush {min(symbols['helper']):#x} // one.c:helper\n" in text


def test_a_module(dprobes, firmware, tmp_path):
    """Offsets of a module count from its lowest address, as those of its symbols do."""
    folder, _ = firmware
    (tmp_path / "t.dp").write_text('name = "driver"\nmodtype = kmod\noffset = one.c:4\nexit\noffset = one\nminor = 2\nexit\n')
    result = dprobes("build", "--sym", folder / "fw.elf", "-o", "t.ppdf", "t.dp", cwd=tmp_path)
    assert result.status == 0, result.stderr
    line, function = ppdf.Ppdf((tmp_path / "t.ppdf").read_bytes()).points
    assert line.address - function.address == line_address(folder, "one.c", 4) - firmware[1]["one"][0]


@pytest.mark.parametrize("where,said,width", [
    ("one.c:99", "one.c:99 has no code; 6 has", 8),
    ("one.d:2", "no source file 'one.d' has code; did you mean 'one.c'[?]", 7),
    ("my-two.c:4", r"my-two.c:4 is at 2 addresses: 0x\w+ \(twice in two\), 0x\w+ \(twice in three\); "
                   "write one address", 10),
    ("one.c:two", "'one.c' has no function 'two'; another file has", 9),
    ("one.c:none + 4", "the firmware has no function 'none'", 10),
    ("one.c:4z", "'4z' is no line number; write FILE:NUMBER", 8),
    ("one.c:99999999999", "'99999999999' is no line number; write FILE:NUMBER", 17),
    ("helper", r"symbol 'helper' is ambiguous: 0x\w+ in one.c and 0x\w+ in my-two.c; write one.c:helper, or "
               "the address", 6),
])
def test_places_that_will_not_do(dprobes, firmware, tmp_path, where, said, width):
    result = compile_(dprobes, firmware[0], tmp_path, f"offset = {where}\nexit\n")
    first, _, caret = result.stderr.splitlines()[:3]
    assert result.status == 1 and re.fullmatch(f"t.dp:2:10: error: {said}", first), first
    assert caret == " " * 9 + "^" + "~" * (width - 1)


def test_without_debug_information(dprobes, firmware, tmp_path):
    folder, _ = firmware
    result = compile_(dprobes, folder, tmp_path, "offset = one.c:4\nexit\n", elf="plain.elf")
    assert f"t.dp:2:10: error: {folder / 'plain.elf'} has no debug information; compile with -g" in result.stderr
    (tmp_path / "t.dp").write_text(HEADER + "offset = one.c:4\nexit\n")
    result = dprobes("build", "--cpu", "arm", "-o", "t.ppdf", "t.dp", cwd=tmp_path)
    assert "t.dp:2:10: error: no firmware is given; use --elf FILE" in result.stderr


def test_debug_information_by_sym(dprobes, firmware, tmp_path):
    """--sym may name the unstripped file of the same build, not that of another one."""
    folder, _ = firmware
    point, = points(dprobes, folder, tmp_path, "offset = one.c:4\nexit\n", "--sym", folder / "fw.elf", elf="plain.elf")
    assert point.address == line_address(folder, "one.c", 4)
    result = compile_(dprobes, folder, tmp_path, "offset = one.c:4\nexit\n", "--sym", folder / "other.elf", elf="plain.elf")
    assert result.status == 1 and "other.elf has the debug information of another build (build-id " in result.stderr


def test_ranges_keep_their_colon(dprobes, firmware, tmp_path):
    """`FIRST:LAST` of a watchpoint is no place in a file, also where the symbols have dots."""
    (tmp_path / "s.map").write_text("00001000 D table.1\n00001003 D table.2\n")
    (tmp_path / "t.dp").write_text('name = "fw"\naddress = table.1:table.2\nwatchpoint = w\nexit\n')
    result = dprobes("build", "--sym", "s.map", "-o", "t.ppdf", "t.dp", cwd=tmp_path)
    assert result.status == 0, result.stderr
    point, = ppdf.Ppdf((tmp_path / "t.ppdf").read_bytes()).points
    assert point.address == 0x1000


# --- dprobes symbols ---

def test_symbols_of_an_address(dprobes, firmware):
    folder, symbols = firmware
    address = line_address(folder, "one.c", 4)
    text = dprobes("symbols", "--elf", folder / "fw.elf", hex(address)).stdout
    assert text == f"0x{address:08x} helper+{address - min(symbols['helper']):#x} (one.c:4)\n"
    row, = dprobes("symbols", "--elf", folder / "fw.elf", hex(address), "--format", "json").objects()
    frame, = row["frames"]
    assert frame.pop("file").endswith("one.c")
    assert frame == {"function": "helper", "offset": address - min(symbols["helper"]), "line": 4, "inlined": False}
    assert dprobes("symbols", "--elf", folder / "fw.elf", "0x10").stdout == "0x00000010 0x10\n"
    plain = dprobes("symbols", "--elf", folder / "plain.elf", hex(symbols["two"][0] + 4)).stdout
    assert plain == f"0x{symbols['two'][0] + 4:08x} two+0x4\n"


def test_symbols_of_a_line(dprobes, firmware):
    folder, _ = firmware
    result = dprobes("symbols", "--elf", folder / "fw.elf", "my-two.c:4", "--verbose")
    heads = [line for line in result.lines() if line.startswith("0x")]
    assert [re.sub(r"^\w+ (\w+)(\+\w+)?", r"\1", head) for head in heads] == [
        "two (my-two.c:4, in inlined twice)", "three (my-two.c:4, in inlined twice)"]
    assert "    int x: r0" in result.lines()
    row = dprobes("symbols", "--elf", folder / "fw.elf", "one.c:6", "--verbose", "--format", "json").objects()[0]
    assert row["variables"] == [{"name": "x", "type": "int", "place": "r0", "readable": True, "parameter": True}]
    none = dprobes("symbols", "--elf", folder / "fw.elf", "one.c:99")
    assert none.status == 1 and "one.c:99 has no code; 6 has" in none.stderr
    plain = dprobes("symbols", "--elf", folder / "plain.elf", "one", "--verbose")
    assert plain.status == 0
