# SPDX-License-Identifier: BSD-2-Clause
"""Somebody's firmware with the agent on its only line, in QEMU, and the whole tool on that line."""
import re
import subprocess

from . import process
from .paths import program


class OwnFirmware:
    """The firmware that runs; called with words of the command line, the tool. The firmware ends QEMU when it finds a wrong
    result."""

    def __init__(self, qemu, elf, dprobes, folder, extra=()):
        """qemu: program and options. elf: the firmware."""
        self._line, self._dprobes, self.elf, self.folder = folder / "com1", dprobes, elf, folder
        self.child = process.start([program(qemu[0]), *qemu[1:], "-display", "none", "-serial", f"unix:{self._line},server=on,wait=off",
                                    *extra, "-kernel", elf], stdin=subprocess.DEVNULL)
        process.eventually(self._line.exists, "com1 of the firmware")

    def _words(self, words):
        elf = () if words[0] in ("list", "remove") else ("--elf", self.elf)
        return [*words, "--port", f"unix:{self._line}", *elf]

    def run(self, *words, **options):
        """A run of the tool that may fail."""
        done = self._dprobes(*self._words(words), **options)
        assert self.child.poll() is None, f"the firmware has ended with {self.child.returncode}"
        return done

    def start(self, *words):
        """The tool, which runs meanwhile: tool.Running."""
        return self._dprobes.start(*self._words(words))

    def __call__(self, *words):
        done = self.run(*words)
        assert done.status == 0, done.stdout + done.stderr
        return done

    def hits(self, name):
        """The hits of each probe of a program."""
        found, = self("list", name, "--format", "json").objects()
        return [probe["hits"] for probe in found["probes"]]

    def wait_for_hits(self, name, each, share):
        """Until a share of the program's probes has more than so many hits each. Returns how many have none."""
        def most():
            hits = self.hits(name)
            return sum(count > each for count in hits) >= share * len(hits)

        process.eventually(most, f"hits of {share} of the probes")
        return self.hits(name).count(0)

    def probe_each(self, cross, functions, at_once, each, share, refused=(), lines="", handler="abort", groups=None):
        """Probes on the instructions of functions, so many at once, until a share of them has more than so many hits each.
        refused: names of instructions. lines, handler: of each point. groups: how many times so many; None: all. Returns the
        names of the instructions, and how many of those that had a probe were never hit."""
        found = [(at, name) for function in functions for at, name in instructions(cross, self.elf, function) if name not in refused]
        path, never = self.folder / "all.dp", 0
        for first in range(0, len(found), at_once)[:groups]:
            path.write_text(program_of([at for at, _ in found[first:first + at_once]], lines, handler), encoding="ascii")
            self("insert", path)
            never += self.wait_for_hits("all", each, share)
            self("remove", "all")
        return [name for _, name in found], never

    def close(self):
        process.kill_group(self.child)


def symbols(cross, elf):
    """{name: address}. cross: the begin of the names of the CPU's tools."""
    said = subprocess.run([program(cross + "nm"), elf], check=True, capture_output=True, text=True).stdout
    return {name: int(value, 16) for value, name in re.findall(r"^(\w+) \w (\S+)$", said, re.M)}


def instructions(cross, elf, function):
    """(point of a program, name) of each instruction of a function."""
    text = subprocess.run([program(cross + "objdump"), "-d", "--no-show-raw-insn", f"--disassemble={function}", elf],
                          check=True, capture_output=True, text=True).stdout
    found = [(int(at, 16), name) for at, name in re.findall(r"^ *([0-9a-f]+):\s+(\w+)", text, re.M)]
    return [(f"{function}+{at - found[0][0]}", name) for at, name in found]


def program_of(points, lines="", handler="abort"):
    """The program "all" with a probe at each point. lines: more of each point."""
    return 'name = "all"\nmodtype = kernel\nmajor = 1\n' + "".join(
        f"offset = {at}\nminor = {n}\n{lines}{handler}\n" for n, at in enumerate(points, 1))
