#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the table by which an image moves itself, from the relocations that `ld --emit-relocs` has left in the ELF file.

    relocations.py ELF [--without START STOP]

As the tools of boot loaders do, it takes sections of relocations whose names begin with .rel. or .rela. alone: the section
of relocations of an output section named NAME is .relNAME. --without leaves out what lies between two symbols. The image
moves by a multiple of 64 KiB, so lower halves of addresses stay. The table is the section .moved_table
(boards/cpu/CPU/relocate.S).
"""
import struct
import sys

WORD, HALF, BRANCH = 1, 2, 3
SHT_RELA, SHT_REL, SHF_ALLOC, SHN_ABS = 4, 9, 2, 0xfff1
# machine: {type: (kind, bytes from the place to the word)}. None: the place keeps its value.
TYPES = {
    3: {1: (WORD, 0), 2: None, 4: None},  # R_386_32, PC32, PLT32
    8: {2: (WORD, 0), 4: (BRANCH, 0), 5: (HALF, 0), 6: None, 7: None, 10: None},  # R_MIPS_32, 26, HI16, LO16, GPREL16, PC16
    20: {1: (WORD, 0), 24: (WORD, 0), 2: (BRANCH, 0), 4: None, 5: (HALF, -2), 6: (HALF, -2),  # R_PPC_ADDR32, UADDR32, ADDR24, LO, HI, HA
         10: None, 11: None, 26: None, 249: None, 250: None, 251: None, 252: None},  # REL24, REL14, REL32, REL16*
}


class Image:
    """Sections, symbols and relocations of an ELF file of 32 bits."""

    def __init__(self, path):
        self.path, self.data = path, bytearray(open(path, "rb").read())
        assert self.data[:5] == b"\x7fELF\1", f"{path} is no ELF file of 32 bits"
        self.order = "<" if self.data[5] == 1 else ">"
        self.machine, = self.read("H", 18)
        table, = self.read("I", 32)
        size, count, names = self.read("HHH", 46)
        self.sections = [self.read("10I", table + n * size) for n in range(count)]
        self.names = [self.string(names, section[0]) for section in self.sections]

    def read(self, form, offset):
        return struct.unpack_from(self.order + form, self.data, offset)

    def string(self, section, offset):
        start = self.sections[section][4] + offset
        return self.data[start:self.data.index(0, start)].decode()

    def symbol(self, table, number):
        """(name, value, section)"""
        name, value, _, _, _, section = self.read("IIIBBH", self.sections[table][4] + 16 * number)
        return self.string(self.sections[table][6], name), value, section

    def values(self):
        """{name: value} of all symbols."""
        table = next(n for n, section in enumerate(self.sections) if section[1] == 2)
        return {name: value for name, value, _ in (self.symbol(table, n) for n in range(self.sections[table][5] // 16))}

    def relocations(self):
        """[(address, type)] of what is loaded; symbols that do not move are left out."""
        for name, section in zip(self.names, self.sections):
            target = self.sections[section[7]] if section[1] in (SHT_REL, SHT_RELA) else None
            if target is None or not target[2] & SHF_ALLOC or not name.startswith((".rel.", ".rela.")):
                continue
            step = 12 if section[1] == SHT_RELA else 8
            for at in range(section[4], section[4] + section[5], step):
                address, info = self.read("II", at)
                where = self.symbol(section[6], info >> 8)[2]
                if where not in (0, SHN_ABS):
                    yield address, info & 0xff


def table(image, without):
    """The words of the table. without: addresses that are left out."""
    values, types = image.values(), TYPES[image.machine]
    words = []
    for address, kind in image.relocations():
        if kind not in types:
            raise SystemExit(f"{image.path}: relocation of type {kind} at {address:#x}: no image of this board has one")
        if types[kind] is None or address in without:
            continue
        what, back = types[kind]
        if values["__data_start"] <= address < values["__data_end"]:  # where start.S copies it from
            address += values["__data_load"] - values["__data_start"]
        words.append(what << 28 | (address + back - values["__text_start"]))
    return words


def main(path, *options):
    image = Image(path)
    values = image.values()
    without = range(values[options[1]], values[options[2]]) if options else range(0)
    words = table(image, without)
    section = image.sections[image.names.index(".moved_table")]
    room = section[5] // 4
    if len(words) >= room:
        raise SystemExit(f"{path}: {len(words)} relocations, and .moved_table has room for {room - 1}: see relocate.S")
    struct.pack_into(f"{image.order}{room}I", image.data, section[4], *words, *[0] * (room - len(words)))
    with open(path, "wb") as out:
        out.write(image.data)


if __name__ == "__main__":
    main(*sys.argv[1:])
