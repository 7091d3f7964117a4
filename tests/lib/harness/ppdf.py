# SPDX-License-Identifier: BSD-2-Clause
"""Probe objects and the opcode table, read a second time and in another language: what a test
expects of the compiler is not taken from the compiler's own tables."""
import collections
import re
import struct
import zlib

from .paths import TOP

Op = collections.namedtuple("Op", "code name text operand pops pushes flow group exceptions cost part")
TRAITS = "kind phase isa flags module length excpt_mask group type"
Point = collections.namedtuple("Point", TRAITS + " ignore maxhits insn_bytes minor address before extent opcode entry")
MARKERS = {"HANDLER": 1, "PROC": 2, "BLOCK": 3}
MODULES_SECTION, TRAITS_SECTION, POINTS_SECTION, POINT_BYTES = 1, 2, 3, 24


def ops():
    """The rows of protocol/rpn_ops.def."""
    text = (TOP / "protocol/rpn_ops.def").read_text(encoding="utf-8")
    rows = re.findall(r'^DP_OP\((0x\w+), (\w+), "([^"]*)", (\w+), (\w), (\w), (\w+), (\w+),\s*(.*?), (\w+), (\w+)\)(?: /\*.*\*/)?$',
                      text, re.M)
    assert len(rows) > 100
    return [Op(int(row[0], 16), *row[1:]) for row in rows]


def place(data, kind):
    """Where a section of the travelling part begins."""
    return next(struct.unpack_from(">I", data, 40 + 12 * i + 8)[0] for i in range(data[33]) if data[40 + 12 * i] == kind)


class Ppdf:
    """One object: fields of the header, sections by number."""

    def __init__(self, data):
        self.data = data
        assert data[:4] == b"DPO1"
        (self.version, self.cpu, self.word, self.order, self.travelling, self.id, self.major,
         self.jmpmax, self.logmax, self.excpt_log, self.vars, self.gvars, self.flags,
         self.groups, name, name_bytes, count) = struct.unpack(">BBBBIIHHHHHHBBHBB", data[4:34])
        self.sections = dict(self._table(40, count))
        self.name = self.sections[5][name:name + name_bytes]
        assert zlib.crc32(data[:self.travelling - 4]) == struct.unpack(
            ">I", data[self.travelling - 4:self.travelling])[0]
        if len(data) > self.travelling:
            host = data[self.travelling:]
            assert host[:4] == b"DPH1" and struct.unpack(">I", host[4:8])[0] == len(host)
            assert zlib.crc32(host[:-4]) == struct.unpack(">I", host[-4:])[0]
            self.sections.update(self._table(self.travelling + 12, host[8]))

    def _table(self, at, count):
        sizes = {1: 32, 2: 24, 3: 24, 6: 24, 129: 12, 130: 4, 131: 4, 132: 12}
        for i in range(count):
            kind, elements, offset = struct.unpack_from(">BxxxII", self.data, at + 12 * i)
            yield kind, self.data[offset:offset + elements * sizes.get(kind, 1)]

    @property
    def code(self):
        return self.sections[4]

    @property
    def points(self):
        for row in struct.iter_unpack(">BBHIIIII", self.sections[3]):
            *traits, high, ignore, maxhits = struct.unpack_from(">BBBBBBHHHIII", self.sections[2], 24 * row[0])
            yield Point(*traits, ignore, maxhits, row[1], row[2], high << 32 | row[3], *row[4:])

    @property
    def module(self):
        kind, identity, _name, _bytes = struct.unpack(">BBHB", self.sections[1][:5])
        return kind, identity, self.sections[1][12:32]

    def line_of(self, offset):
        """Source line of the instruction at a code offset."""
        rows = [struct.unpack(">III", self.sections[129][i:i + 12])
                for i in range(0, len(self.sections[129]), 12)]
        found = max((row for row in rows if row[0] <= offset), key=lambda row: row[0])
        names = self.sections[133]
        return names[found[2]:names.index(b"\0", found[2])].decode(), found[1]
