# SPDX-License-Identifier: BSD-2-Clause
"""The table of functions on boards: an object with any address, instruction set, extent and options arms a probe at the start
of an instruction only, and the firmware runs on. In process: test_agent_bounds.c."""
import random
import re
import struct
import subprocess
import zlib

import pytest

import cpus
from harness import paths, ppdf, sweep
from harness.qemu import parameters

SOURCE = 'name = "t"\nlogmax = 128\nexcpt_log = 0\noffset = {}\nmaxhits = 3\nexit\n'
BOARDS = {row.board: row.code_isa for row in cpus.rows()[:2]}  # the instruction set of most code


def changed(data, isa, address, before, extent):
    """The object with another point, and its CRC."""
    data = bytearray(data)
    traits, points = ppdf.place(data, ppdf.TRAITS_SECTION), ppdf.place(data, ppdf.POINTS_SECTION)
    data[traits + 2] = isa
    data[traits + 3] &= ~2  # no opcode
    data[points + 1] = 0
    struct.pack_into(">IIII", data, points + 4, address, before, extent, 0)
    length = struct.unpack_from(">I", data, 8)[0]
    struct.pack_into(">I", data, length - 4, zlib.crc32(data[:length - 4]))
    return bytes(data)


class Board:
    """A board with its load running, and what the ELF says of each address."""

    def __init__(self, board, qemu, dprobes, folder):
        self.machine, self.tool, self.folder = qemu(board, hold=("com1",)), dprobes, folder
        self.elf = paths.built("boards", board, "demo.elf")
        self.image = sweep.Image(board)
        self.starts = {site.address for site in self.image.sites}
        (folder / "t.dp").write_text(SOURCE.format("queue_put"))
        assert dprobes("build", "--elf", self.elf, folder / "t.dp", "-o", folder / "t.ppdf").status == 0
        self.object = (folder / "t.ppdf").read_bytes()
        self.isas = 2 if board == "vexpress-a9" else 1

    def run(self, *words):
        return self.tool(*words, "--port", self.machine.url("com2"))

    def insert(self, isa, address, before, extent, *words):
        (self.folder / "changed.ppdf").write_bytes(changed(self.object, isa, address, before, extent))
        return self.run("insert", self.folder / "changed.ppdf", *words)

    def is_whole(self):
        """The console answers, and the text is the ELF's."""
        self.machine.com1.send("selftest 1\r")
        self.machine.com1.expect("selftest: crc f7ab821a")
        assert self.run("remove", "--all").status == 0
        assert self.run("info", "--verify-text", "--elf", self.elf).status == 0


@pytest.mark.parametrize("board", BOARDS)
def test_malformed_points(board, qemu, dprobes, tmp_path):
    """False bounds, no bounds, another instruction set, data."""
    b = Board(board, qemu, dprobes, tmp_path)
    assert "\nbounds:   table\n" in b.run("info").stdout
    put = b.image.symbols["queue_put"] & ~1
    said = "not the start of an instruction"
    for before, extent in ((0, 0), (2, 100), (0, 4), (0x5FFF0000, 0x7FFFFFFF)):
        run = b.insert(BOARDS[board], put + 2, before, extent, "--dont-verify-opcodes")
        assert run.status == 4 and said in run.stderr, run.stderr
    for at in ((put, 1 - BOARDS[board]), (b.image.symbols["__text_end"] - 0x1000, BOARDS[board])):
        run = b.insert(at[1], at[0], 0, 0, "--dont-verify-opcodes")
        assert run.status in (1, 4) and any(text in run.stderr for text in (
            said, "invalid value", "for another instruction set than the code at the address")), run.stderr
    assert b.insert(BOARDS[board], put, 0, 0).status == 0
    b.is_whole()


@pytest.mark.nightly
@pytest.mark.parametrize("board", BOARDS)
def test_mutated_objects(board, qemu, dprobes, tmp_path):
    b, choice = Board(board, qemu, dprobes, tmp_path), random.Random(37)
    first, last = min(b.starts), max(b.starts) + 64
    armed = 0
    for n in range(2000):
        address = choice.randrange(first, last) if n % 2 else choice.choice(sorted(b.starts)) + choice.choice((0, 0, 1, 2, 4))
        before = choice.choice((0, choice.randrange(0x400), choice.randrange(address)))
        extent = choice.choice((0 if before == 0 else before + 1, before + 1 + choice.randrange(0x400)))
        run = b.insert(choice.choice((0, 1, BOARDS[board])), address, before, extent,
                       *choice.choice(([], ["--dont-verify-opcodes"], ["--merge"])))
        assert run.status in (0, 1, 4), run.stderr
        assert run.status != 0 or address in b.starts, hex(address)
        armed += run.status == 0
        if n % 50 == 49:
            b.is_whole()
        elif run.status == 0:
            assert b.run("remove", "--all").status == 0
    assert armed > 50


def test_all_refusals_at_once(qemu, dprobes, tmp_path):
    """Each refused point has a sentence, and the next address that the agent takes; the good points of the program are not
    mentioned, and nothing is installed."""
    b = Board("vexpress-a9", qemu, dprobes, tmp_path)
    put, get = (b.image.symbols[name] & ~1 for name in ("queue_put", "queue_get"))
    source = 'name = "t"\n' + "".join(f"offset = {at:#x}\nminor = {n}\nignore = {int(n == 1)}\nexit\n" for n, at in
                                      enumerate((put | 1, get | 1, b.image.symbols["sem_take"] | 1)))
    (tmp_path / "t.dp").write_text(source)
    assert dprobes("build", "--elf", b.elf, tmp_path / "t.dp", "-o", tmp_path / "t.ppdf").status == 0
    data = bytearray((tmp_path / "t.ppdf").read_bytes())
    traits, points = ppdf.place(data, ppdf.TRAITS_SECTION), ppdf.place(data, ppdf.POINTS_SECTION)
    for n, at in enumerate((put + 2, get)):  # the first: the second half of an instruction
        struct.pack_into(">II", data, points + ppdf.POINT_BYTES * n + 4, at, at - (put, get)[n])
    data[traits + 24 * data[points + ppdf.POINT_BYTES] + 2] = 0  # the second, with traits of its own: A32, in Thumb code
    length = struct.unpack_from(">I", data, 8)[0]
    struct.pack_into(">I", data, length - 4, zlib.crc32(data[:length - 4]))
    (tmp_path / "changed.ppdf").write_bytes(data)
    before = b.run("info", "--format", "json").objects()[0]["probes"]
    run = b.run("insert", tmp_path / "changed.ppdf", "--dont-verify-opcodes")
    assert run.status == 4, run.stderr
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    assert len(errors) == 2 and "probe point 0" in errors[0] and "probe point 1" in errors[1], run.stderr
    assert "not the start of an instruction" in errors[0] and "is for another instruction set than the code" in errors[1]
    assert f"probe point 0: the next address that can be probed is {put + 4:#010x}" in run.stderr, run.stderr
    assert "probe point 2" not in run.stderr
    assert b.run("info", "--format", "json").objects()[0]["probes"] == before


@pytest.mark.parametrize("board", parameters(cpus.boards(), usual=cpus.boards(1)))
def test_check_says_what_the_agent_says(board, qemu, dprobes, tmp_path):
    """`check` with the ELF, without a board, names the same points and reasons as the agent: all of them, each with the next
    address that can be probed. Twice as many as a program that is wrong for one reason has errors printed."""
    b = Board(board, qemu, dprobes, tmp_path)
    program = tmp_path / "r.dp"

    def write(addresses):
        program.write_text('name = "t"\n' + "".join(f"address = {at:#x}\nminor = {n}\npush 1\nlog 1\nexit\n" for n, at in enumerate(addresses)))

    def facts(text):
        """{point: reason} of each refusal, and {point: the next address}; the agent also says what it found."""
        return (dict(re.findall(r"error: .*probe point (\d+) \(minor .*?\): (.*?)(?: \(found 0x[0-9a-f]+\))?$", text, re.M)),
                dict(re.findall(r"probe point (\d+): the next address that can be probed is (\w+)", text)))

    refused, at = [], 0
    while len(refused) < 40 and at < len(b.image.sites):
        part = [site.address for site in b.image.sites[at:at + 200]]
        at += len(part)
        write(part)
        refused += [part[int(n)] for n in facts(dprobes("check", "--probes-max", "240", "--elf", b.elf, program).stderr)[0]]
    first, last = (b.image.symbols[f"__{end}_dprobes_text"] for end in ("start", "stop"))
    own = sorted({value & ~1 for name, value in b.image.symbols.items() if name.startswith("dp_") and first <= value < last})
    refused = (refused + own)[:40]
    assert len(refused) > 20, refused
    write([b.image.symbols["queue_put"] & ~1, *refused])
    checked = dprobes("check", "--elf", b.elf, program)
    asked = b.run("insert", "--elf", b.elf, program)
    assert checked.status == 2 and asked.status == 4
    assert facts(checked.stderr)[0] == facts(asked.stderr)[0], checked.stderr + asked.stderr
    assert set(facts(asked.stderr)[0]) == {str(n) for n in range(1, 1 + len(refused))}, asked.stderr
    assert facts(asked.stderr)[1] and facts(asked.stderr)[1].items() <= facts(checked.stderr)[1].items(), checked.stderr + asked.stderr
    assert "more errors" not in checked.stderr + asked.stderr
