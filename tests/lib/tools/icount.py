# SPDX-License-Identifier: BSD-2-Clause
"""Instruction counts of a guest between two symbols, by icount_plugin.c."""
import bisect
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


def functions(elf):
    """Sorted (address, name) of what has code, static functions and labels of assembly too."""
    listing = subprocess.run(["readelf", "-sW", str(elf)], capture_output=True, text=True,
                             check=True).stdout
    table = {}
    for line in listing.splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[0][:-1].isdigit() and fields[6].isdigit() and (
                fields[3] in ("FUNC", "NOTYPE") and not fields[7].startswith("$")):
            address = int(fields[1], 16) & (~1 if fields[3] == "FUNC" else ~0)
            if fields[3] == "FUNC" or address not in table:
                table[address] = fields[7]
    return sorted(table.items())


class Counter:
    """Arguments for QEMU, and what was counted.

    windows: NAME -> (from, to), symbols of the ELF (symbol+0x10 too) or addresses.
    trace: also which instructions they were.
    masked: (mask, unmask, calls): also each stretch between the two functions; calls is [(NAME, address)] of
    the calls of the first.
    """

    def __init__(self, plugin, elf, out, windows, trace=False, masked=None):
        self._out = out
        self._elf = elf
        self._trace = f"{out}.trace"
        self._table = symbols(elf)
        parts = [f"{plugin}", f"out={out}"] + ([f"trace={self._trace}"] if trace else [])
        for name, (first, last) in windows.items():
            parts.append(f"window={name}:{self._address(first):x}:{self._address(last):x}")
        if masked:
            mask, unmask, calls = masked
            parts += [f"mask={self._address(mask):x}", f"unmask={self._address(unmask):x}"]
            parts += [f"site={name}:{address:x}" for name, address in calls]
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
                if line.endswith("\n"):  # QEMU may be writing the last one
                    name, count = line.split()
                    result.setdefault(name, []).append(int(count))
        return result

    def profile(self, window, passes=slice(None)):
        """(function, instructions) in the shortest of these passes, in the order they were entered.

        A function that was left and entered again counts where it was first.
        """
        with open(self._trace, encoding="ascii") as file:
            lines = [line.split()[1:] for line in file if line.split(None, 1)[0] == window]
        starts, names = zip(*functions(self._elf))
        result = {}
        for address in min(lines[passes], key=len):
            place = bisect.bisect_right(starts, int(address, 16)) - 1
            name = names[place] if place >= 0 else "outside"
            result[name] = result.get(name, 0) + 1
        return list(result.items())
