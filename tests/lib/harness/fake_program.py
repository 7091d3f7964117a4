# SPDX-License-Identifier: BSD-2-Clause
"""What an agent of fake_agent.py knows of an installed object, written from PROTOCOL.md and dp_object.h."""
import collections
import struct

TRAITS, POINT, MAP = struct.Struct(">BBBBBBHHHIII"), struct.Struct(">BBHIIIII"), struct.Struct(">BBBBHBBIIII")
Traits = collections.namedtuple("Traits", "kind phase isa flags module length excpt_mask group type high ignore maxhits")
Point = collections.namedtuple("Point", "traits insn_bytes minor address before extent opcode entry")

ARMED, NOT_SELECTED, STOPPED, TOO_OFTEN = 0, 7, 8, 9
SCALE = 7  # kinds from here on have no entries of their own


class Map:
    """The entries of a map: place -> (keys, values), lists of words."""

    def __init__(self, row):
        self.kind, _flags, self.keys, _values, self.places = MAP.unpack(row)[:5]
        self.entries, self.dropped = {}, 0


def packed(words, word_bytes):
    """An entry in an answer to MAP. PROTOCOL.md 2.3"""
    numbers = [part for word in words for part in ((word & 0xFFFFFFFF, word >> 32) if word_bytes == 8 else (word,))]
    out = b""
    for at in range(0, len(numbers), 4):
        group = numbers[at:at + 4]
        sizes = [0 if n == 0 else 1 if n < 0x100 else 2 if n < 0x10000 else 3 for n in group]
        out += bytes([sum(size << 2 * n for n, size in enumerate(sizes))])
        out += b"".join(n.to_bytes((0, 1, 2, 4)[size], "little") for n, size in zip(group, sizes))
    return out


class Program:
    """An installed object, as far as lists, records and maps need it."""

    def __init__(self, data, items, selection):
        self.data, self.items = data, items
        self.id, self.major = int.from_bytes(data[12:16], "big"), int.from_bytes(data[16:18], "big")
        self.vars = int.from_bytes(data[24:26], "big")
        entries = {data[at]: (int.from_bytes(data[at + 4:at + 8], "big"),
                              int.from_bytes(data[at + 8:at + 12], "big"))
                   for at in range(40, 40 + 12 * data[33], 12)}
        name = entries[5][1] + int.from_bytes(data[30:32], "big")
        self.name = data[name:name + data[32]]
        traits = [Traits(*TRAITS.unpack_from(data, entries[2][1] + TRAITS.size * n)) for n in range(entries[2][0])]
        count, start = entries[3]
        self.points = [Point(*POINT.unpack_from(data, start + POINT.size * n)) for n in range(count)]
        self.traits = [traits[point.traits] for point in self.points]
        self.selected = [n // 8 >= len(selection) or bool(selection[n // 8] & (0x80 >> n % 8))
                         for n in range(count)]
        self.numbers = [0xFF] * count
        self.hits = [0] * count
        self.variables = [0] * self.vars
        self.stopped, self.too_often = False, set()  # the second: points
        count, start = entries.get(6, (0, 0))
        self.maps = [Map(data[start + MAP.size * n:start + MAP.size * (n + 1)]) for n in range(count)]

    def state(self, point):
        return NOT_SELECTED if not self.selected[point] else TOO_OFTEN if point in self.too_often \
            else STOPPED if self.stopped else ARMED
