# SPDX-License-Identifier: BSD-2-Clause
"""Instruction counts of a guest between two symbols, by icount_plugin.c."""
import subprocess


def symbols(elf):
    """Name -> address, from readelf: it reads the ELF files of every CPU.

    Thumb functions have bit 0 set in the symbol table; their instructions do not.
    """
    listing = subprocess.run(["readelf", "-h", "-sW", str(elf)], capture_output=True, text=True,
                             check=True).stdout
    arm = any(line.split()[:2] == ["Machine:", "ARM"] for line in listing.splitlines())
    table = {}
    for line in listing.splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[0][:-1].isdigit() and fields[6] != "UND":
            address = int(fields[1], 16)
            table[fields[7]] = address & ~1 if arm and fields[3] == "FUNC" else address
    return table


class Counter:
    """Arguments for QEMU, and what was counted.

    windows: NAME -> (from, to), symbols of the ELF (symbol+0x10 too) or addresses.
    """

    def __init__(self, plugin, elf, out, windows):
        self._out = out
        self._table = symbols(elf)
        parts = [f"{plugin}", f"out={out}"]
        for name, (first, last) in windows.items():
            parts.append(f"window={name}:{self._address(first):x}:{self._address(last):x}")
        self.qemu_arguments = ["-plugin", ",".join(parts)]

    def _address(self, where):
        if isinstance(where, int):
            return where
        symbol, _, offset = where.partition("+")
        if symbol not in self._table:
            raise KeyError(f"no symbol '{symbol}' in the firmware")
        return self._table[symbol] + int(offset or "0", 0)

    def counts(self):
        """NAME -> counts, one for each time the window was passed, so far."""
        result = {}
        with open(self._out, encoding="ascii") as file:
            for line in file:
                name, count = line.split()
                result.setdefault(name, []).append(int(count))
        return result
