# SPDX-License-Identifier: BSD-2-Clause
"""The provider `watch`: what a description watches comes from the ELF file, and wpold and wpnew have the variable's type.
The simulator has the memory of the firmware, which never runs."""
import json
import re
import struct

import d_cases
import pytest

import cpus

ORDER = {cpu: cpus.of(cpu).d_order for cpu in cpus.first_of_each_order()}
# Offsets in struct thing.
MEMBERS = {"name": (0, 8), "color": (12, 4), "small": (16, 2), "tiny": (18, 1), "on": (19, 1), "at.y": (24, 4), "at": (20, 8), "list[2]": (40, 4),
           "wide": (56, 8), "next": (28, 4)}


@pytest.fixture(scope="module", params=sorted(ORDER))
def board(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    return request.param, folder, d_cases.firmware(folder, request.param)


def address(dprobes, board, name):
    found = dprobes("symbols", name, "--elf", board[2], "--format", "json").objects()
    return next(int(row["address"], 16) for row in found if row["name"] == name)


def watched(dprobes, board, text):
    """{(first address, length, kind)} of the compiled program."""
    cpu, folder, elf = board
    (folder / "t.d").write_text(text, encoding="utf-8")
    built = dprobes("build", "--elf", elf, "-o", "t.ppdf", "t.d", cwd=folder)
    assert built.status == 0, built.stderr
    shown = dprobes("disasm", "t.ppdf", cwd=folder).stdout
    rows = re.findall(r"^address = (\w+) : (\w+)\nwatchpoint = (\w+)$", shown, re.M)
    return [(int(first, 16), int(last, 16) - int(first, 16) + 1, kind) for first, last, kind in rows]


@pytest.mark.parametrize("member", MEMBERS)
def test_address_and_length_come_from_the_elf_file(dprobes, board, member):
    offset, length = MEMBERS[member]
    things = address(dprobes, board, "things")
    assert watched(dprobes, board, f"watch::things[1].{member}:w {{ trace(pc); }}\n") == [(things + 80 + offset, length, "w")]


def test_kinds_and_plain_addresses(dprobes, board):
    sink, take = address(dprobes, board, "sink"), address(dprobes, board, "take") & ~1
    text = ("watch::sink:rw, watch::`sink:r, watch::firmware.c`sink:w, watch::0x20000,6:w, watch::take:x, watch::0x60:io\n"
            "{ trace(wpaddr); }\nint sink; BEGIN { sink = 1; }\n")
    assert watched(dprobes, board, text) == [(sink, 4, "rw"), (sink, 4, "r"), (sink, 4, "w"), (0x20000, 6, "w"), (take, 1, "x"), (0x60, 1, "io")]


def test_list(dprobes, board):
    sink = address(dprobes, board, "sink")
    listed = dprobes("-l", "watch::sink:w, watch::0x20000,8:rw", "--elf", board[2])
    assert listed.status == 0, listed.stderr
    assert f"watch:{board[2].stem}:sink:w 0x{sink:08x}" in listed.stdout.replace(".elf", ""), listed.stdout
    assert "0x20000,8:rw 0x00020000" in listed.stdout, listed.stdout


def hits(dprobes, board, text, memory, *more):
    cpu, folder, elf = board
    (folder / "t.d").write_text(text, encoding="utf-8")
    maps = [word for at, data in memory.items() for word in ("--mem", f"0x{at:x}={data.hex()}")]
    result = dprobes("simulate", "--elf", elf, *maps, "--format", "json", *more, "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    return [row["text"] for row in map(json.loads, result.stdout.splitlines()) if "text" in row]


@pytest.mark.parametrize("member, form, value, text", [
    ("tiny", "b", -7, "-7 -7"), ("small", "H", 60000, "60000 60000"), ("wide", "q", -5000000000, "-5000000000 -5000000000"),
    ("at.y", "i", -22, "-22 -22"), ("list[2]", "I", 0xfffffffe, "4294967294 4294967294"), ("on", "B", 1, "1 1")])
def test_values_have_the_type_of_the_variable(dprobes, board, member, form, value, text):
    at = address(dprobes, board, "things") + MEMBERS[member][0]
    found = hits(dprobes, board, f"watch::things[0].{member}:rw {{ printf(\"%d %d\", wpold, wpnew); }}\n",
                 {at: struct.pack(ORDER[board[0]] + form, value)})
    assert found == [text]


def test_arithmetic_and_predicates(dprobes, board):
    at = address(dprobes, board, "things")
    memory = {at: struct.pack(ORDER[board[0]] + "8x", ) + bytes(80)}
    wide = struct.pack(ORDER[board[0]] + "q", -6)
    memory[at] = memory[at][:56] + wide + memory[at][64:80]
    text = "watch::things[0].wide:w /wpnew < 0 && wpaddr == &things[0].wide/ { printf(\"%d\", wpnew * 2 - wpold); }\n"
    assert hits(dprobes, board, text, memory) == ["-6"]
    assert hits(dprobes, board, "watch::things[0].wide:w /pc == &take/ { trace(1); }\n", memory) == []


def test_the_variable_itself_and_an_aggregation(dprobes, board):
    sink = address(dprobes, board, "sink")
    memory = {sink: struct.pack(ORDER[board[0]] + "i", 9)}
    assert hits(dprobes, board, "watch::sink:w { printf(\"%d %s\", sink, probefunc); }\n", memory) == ["9 sink"]
    text = "watch::sink:w { @[pc] = count(); }\n"
    assert watched(dprobes, board, text) == [(sink, 4, "w")]
