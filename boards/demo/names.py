#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Records with names: dprobes log | boards/demo/names.py [--functions]

Counts equal records. Each 32-bit word of a record that is an address in a function or a variable
of the firmware appears as NAME+OFFSET, any other as a number. --functions leaves the offsets out.
The names come from `dprobes symbols`, which looks them up in the ELF file of DPROBES_ELF.
"""
import bisect
import collections
import os
import subprocess
import sys


class Names:
    """Functions and variables of the firmware, by address."""

    def __init__(self, tool="dprobes", **options):
        listing = subprocess.run([tool, "symbols"], stdout=subprocess.PIPE, text=True, check=True,
                                 **options).stdout
        found = []
        for line in listing.splitlines():
            address, size, kind, name = line.split()[:4]
            if kind != "label" and size.isdigit() and int(size) > 0:
                found.append((int(address, 16), int(size), kind, name))
        self._found = sorted(found)
        self._starts = [row[0] for row in self._found]
        elf = options.get("env", os.environ)["DPROBES_ELF"]
        with open(os.path.join(options.get("cwd", ""), elf), "rb") as file:
            self.order = {1: "little", 2: "big"}[file.read(6)[5]]  # EI_DATA

    def of(self, address, offset=True):
        """NAME, NAME+OFFSET, or the number in decimal."""
        at = bisect.bisect(self._starts, address) - 1
        if at < 0 or address - self._found[at][0] >= self._found[at][1]:
            return str(address)
        start, _, kind, name = self._found[at]
        if kind == "thumb":
            address &= ~1  # a return address says the instruction set in this bit
        return f"{name}+{address - start:#x}" if offset and address != start else name


def words_of(line, order):
    """The words of a record as it is printed, or None for another line. order: little or big."""
    fields = line.split()
    if not fields or not fields[0].startswith("DProbes(") or len(fields[-1]) % 8:
        return None
    data = bytes.fromhex(fields[-1])
    return tuple(int.from_bytes(data[i:i + 4], order) for i in range(0, len(data), 4))


def table(lines, names, offset=True):
    """Rows (count, names...), the most frequent first."""
    counts = collections.Counter()
    for words in filter(None, (words_of(line, names.order) for line in lines)):
        counts[tuple(names.of(word, offset) for word in words)] += 1
    return [(count, *row) for row, count in counts.most_common()]


def print_table(rows):
    for count, *words in rows:
        print(f"{count:7}  " + "  ".join(f"{word:<22}" for word in words).rstrip(), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--functions"]):
        sys.exit(__doc__)
    print_table(table(sys.stdin, Names(), offset=len(sys.argv) == 1))
