# SPDX-License-Identifier: BSD-2-Clause
"""Entries equal returns for every function of the demo firmware that can be probed, while the firmware does what the sweep
lets it do. A function that a task is inside of when the count begins or ends may differ by that: its address is then on
the stack of the task."""
import bisect
import collections
import json
import re
import struct
import subprocess

import pytest

from harness import gdbstub, paths, qemu, sweep
import sources_mk

GATE = "selftest_run"  # its first call begins the count, its last call ends the count; the workload has one between
LAST = 3
FIRMWARE = "balance-demo"
POINTS = 110           # of a batch; the agent of this firmware has 120
CALLED_MIN = 0.3       # of the functions, this share is called
# Why a function is not counted, and what its instruction is then; None: it lies where the board declares nothing probeable.
REASONS = {
    "the address is inside the agent, its vectors or a range the board declares not probeable": None,
    "this instruction cannot be probed: the instruction enters the supervisor, the monitor or a hypervisor": r"(svc|syscall|sc)\b",
}
# A fault ends its task in the middle of its functions.
WORKLOAD = (("load on", rb"(load is on)\n", True), *(step for step in sweep.WORKLOAD if not step[0].startswith("fault")))

# The handler of a fault moves the task out of the function, to a label behind its end: once for each such line.
LEFT_BY_FAULT = {"arch_peek32": sum(line.startswith("peek 0x") for line, *_ in WORKLOAD)}

PROGRAM = """
fbt::{gate}:entry {{ gates = gates + 1; }}
{entries} /gates && gates < {last}/ {{ @in[probefunc] = count(); }}
{returns} /gates && gates < {last}/ {{ @out[probefunc] = count(); }}
fbt::{gate}:entry /gates == {last}/ {{ exit(0); }}
END {{ printa("\\nin %s %@d\\n", @in); printa("\\nout %s %@d\\n", @out); }}
"""


class Functions:
    """The functions of the image that are not the agent's: addresses of their points by name, those that are ever left,
    and why some are not counted."""

    def __init__(self, dprobes, image):
        self.image, self.starts, self.points, self.left, self.refused = image, [], collections.defaultdict(list), set(), {}
        self.names_twice = set()  # the agent has such a function, too
        for point in ("entry", "return"):
            told = dprobes("-l", f"fbt:::{point}", "-v", "--format", "json", "--elf", image.elf)
            assert told.status == 0 and "indirect branch" not in told.stderr, told.stderr
            for place in map(json.loads, told.stdout.splitlines()):
                self._add(place["probe"].split(":")[2], point, int(place["address"], 16), place.get("refused"))
        self.starts.sort()
        self.names_twice &= set(self.points)
        self._instructions = {site.address for site in image.sites}

    def _add(self, name, point, address, refused):
        (agent_first, agent_end), = self.image.agent_ranges
        if agent_first <= address < agent_end:
            self.names_twice.add(name)
            return
        self.points[name].append(address)
        if refused:
            self.refused[name] = refused
        if point == "entry":
            self.starts.append((address, name))
        else:
            self.left.add(name)

    def is_code(self, name):
        """Can all its instructions be probed, as far as the image tells?"""
        return set(self.points[name]) <= self._instructions

    def has_reason(self, name):
        """Is the function not counted for a reason that holds?"""
        instruction = REASONS.get(self.refused[name], "none")
        if instruction is None:
            return any(first <= point < end for point in self.points[name] for first, end in self.image.refused_ranges)
        return any(re.match(instruction, site.text) for site in self.image.sites if site.address in self.points[name])

    def inside(self, word):
        """The function that the word is an address of, behind its first instruction; or None."""
        address = word & ~1
        n = bisect.bisect_right(self.starts, (address, "\x7f")) - 1
        known = n >= 0 and address in self._instructions and address != self.starts[n][0]
        return self.starts[n][1] if known else None

    def of_point(self, word):
        """The function that has a point at the address; or None."""
        return next((name for name, points in self.points.items() if word & ~1 in points), None)

    def batches(self):
        """Names whose points the agent has room for."""
        batch, points = [], 0
        for name, own in sorted(self.points.items()):
            if name in self.refused:
                continue
            if points + len(own) > POINTS:
                yield batch
                batch, points = [], 0
            batch.append(name)
            points += len(own)
        yield batch


class Stacks:
    """What the tasks are inside of: words of the saved registers, and of the live part of the stack. A task that was
    interrupted in a slot, which has the copy of a probed instruction, is inside of the function with the point."""

    TAIL = 12  # bytes of struct task from `priority` on: priority, state, slice, stack, stack_bytes
    READY, SLEEPING, WAITING = 1, 3, 4

    def __init__(self, board, image, functions):
        facts = sources_mk.read(str(paths.TOP / "boards" / board))
        sizes = subprocess.run([f"{facts['CROSS']}nm", "-S", str(image.elf)], capture_output=True, text=True, check=True).stdout
        table, slots = (re.search(rf"^([0-9a-f]+) ([0-9a-f]+) \w {name}$", sizes, re.M) for name in ("task_table", "memory_slots"))
        port = (paths.TOP / "port" / facts["PORT"] / "dprobes_cpu.h").read_text(encoding="utf-8")
        self.slots, self.slots_bytes = int(slots[1], 16) & 0xffffffff, int(slots[2], 16)
        self.slot_bytes = int(re.search(r"#define DP_PORT_SLOT_BYTES +(\d+)", port)[1])
        count = re.search(r"#define TASK_MAX +(\d+)u", (paths.TOP / "boards/demo/kernel.h").read_text(encoding="utf-8"))
        self.table, self.count = int(table[1], 16) & 0xffffffff, int(count[1])
        self.bytes = int(table[2], 16) // self.count
        self.order = "<" if image.elf.read_bytes()[5] == 1 else ">"
        self.functions = functions

    def _words(self, data):
        return struct.unpack(f"{self.order}{len(data) // 4}I", data)

    def _of_task(self, stub, task):
        data = stub.read(self.table + task * self.bytes, self.bytes)
        registers = self._words(data[:-self.TAIL])
        stack, size = self._words(data[-8:])
        if data[-self.TAIL + 1] not in (self.READY, self.SLEEPING, self.WAITING):
            return ()  # the one that runs is at the gate, both times
        sp = min(word for word in registers if stack <= word <= stack + size)
        return *registers, *self._words(stub.read(sp & ~3, stack + size - (sp & ~3)))

    def _function(self, stub, word):
        if not 0 <= word - self.slots < self.slots_bytes:
            return self.functions.inside(word)
        # Behind the copy stands where it goes on, or the address of the point, or both.
        rest = self._words(stub.read(word & ~3, self.slot_bytes))
        return next(filter(None, map(self.functions.of_point, rest)), None)

    def inside(self, stub):
        """{function: how often, at most, a task is inside of it}"""
        words = [word for task in range(self.count) for word in self._of_task(stub, task)]
        return collections.Counter(filter(None, (self._function(stub, word) for word in words)))


class Board:
    """The firmware, and a count of one batch of functions."""

    def __init__(self, board, dprobes, folder):
        self.image = sweep.Image(board, paths.built("boards", board, FIRMWARE, f"{FIRMWARE}.elf"))
        self.functions = Functions(dprobes, self.image)
        self.stacks = Stacks(board, self.image, self.functions)
        self.dprobes, self.program, self.gdb = dprobes, folder / "t.d", folder / "gdb"
        self.firmware = sweep.Firmware(board, self.image, None, WORKLOAD)
        self.firmware.clock = gdbstub.options(self.gdb)

    def _at_gate(self):
        """Call the gate; what the tasks are inside of then."""
        com1 = self.firmware.machine.com1
        with gdbstub.Stub(self.gdb) as stub:
            stub.when_at(self.functions.points[GATE][0], lambda: com1.send("selftest 1\r"))
            stub.ask("s")  # into the trap, where interrupts are masked until the count begins or ends; a step takes none
            inside = self.stacks.inside(stub)
        process = sweep.process
        com1.until(lambda text: re.search(r"selftest: crc .*\n(?:.*\n)*demo> $", text.replace("\r", "")), process.TIMEOUT_S)
        return inside

    def _refuse(self, names, refused, reason):
        for name in refused:
            self.functions.refused[name] = reason
            names.remove(name)

    def _insert(self, names):
        """Install the count of the functions; the tool that runs. Functions that the agent refuses are left out."""
        functions = self.functions
        while True:
            entries = ",\n".join(f"fbt::{name}:entry" for name in names)
            returns = ",\n".join(f"fbt::{name}:return" for name in names if name in functions.left)
            self.program.write_text(PROGRAM.format(gate=GATE, last=LAST, entries=entries, returns=returns), encoding="utf-8")
            run = self.dprobes.start("-q", "--verbose", "-s", self.program, "--elf", self.image.elf,
                                     "--port", self.firmware.machine.url("com2"))
            run.err.expect(r"inserted: t as program \d+, \d+ probe\(s\) armed\n|probe point \d+ \(minor \d+, 0x[0-9a-f]+\): .*\n")
            said = run.err.text
            refused = re.search(r"probe point \d+ \(minor \d+, 0x([0-9a-f]+)\): (.*?)(?: \(found .*)?\n", said)
            if refused:
                at = int(refused[1], 16)
                self._refuse(names, [name for name in names if at in functions.points[name]], refused[2])
                run.wait()
                continue
            # A name that the agent has too: the tool leaves out what the agent refuses.
            left_out = re.search(r"(\d+) probe point\(s\) are left out: the agent refuses them \((.*)\)", said)
            if left_out:
                twice = [name for name in names if name in functions.names_twice and not functions.is_code(name)]
                assert sum(len(functions.points[name]) for name in twice) == int(left_out[1]), said
                self._refuse(names, twice, left_out[2])
            return run

    def count(self, names):
        """{function: (entries, returns)}, and what the tasks were inside of at the begin and at the end."""
        run = self._insert(names)
        begin = self._at_gate()
        self.firmware.work()
        end = self._at_gate()
        ended = run.wait()
        assert ended.status == 0, ended.stderr
        ways = [dict(re.findall(rf"^{way} (\S+) (\d+)$", ended.stdout, re.M)) for way in ("in", "out")]
        return {name: tuple(int(way.get(name, 0)) for way in ways) for name in names}, begin, end


@pytest.mark.nightly
@pytest.mark.parametrize("board", qemu.board_names())
def test_all_functions(dprobes, tmp_path, board):
    it = Board(board, dprobes, tmp_path)
    it.firmware.boot()
    wrong, called, total = [], 0, 0
    try:
        for names in it.functions.batches():
            counted, begin, end = it.count(names)
            wrong += [(name, entries, returns, begin[name], end[name]) for name, (entries, returns) in counted.items()
                      if not -begin[name] <= entries - returns - LEFT_BY_FAULT.get(name, 0) <= end[name]]
            called += sum(entries > 0 for entries, _ in counted.values())
            total += len(names)
    finally:
        it.firmware.close()
    reasons = collections.defaultdict(list)
    for name, reason in sorted(it.functions.refused.items()):
        reasons[reason].append(name)
    print(f"{board}: {total} of {len(it.functions.points)} functions counted, {called} called; not counted: {dict(reasons)}")
    assert not wrong, "\n".join(map(str, wrong))
    assert total + len(it.functions.refused) == len(it.functions.points) and called >= CALLED_MIN * total
    assert all(map(it.functions.has_reason, it.functions.refused)), reasons
