# SPDX-License-Identifier: BSD-2-Clause
"""Locals of the demo firmware by name: what D reads at a statement, compared with what gdb prints there. gdb sets a pattern
into the registers and the memory of a stopped board and moves its pc; the simulator has the same pattern."""
import json
import re
import subprocess

import pytest

import cpus
from harness import gdbstub, process, tool
from harness.paths import TESTS, built, program

PATTERN_BYTES = 0x4000
ONE_PROGRAM = 40
# What fits a word and is a number: others cannot be cast.
NUMBER = re.compile(r"(const |volatile |unsigned |signed )*(char|short|int|long|u?int(8|16|32)_t|dp_addr|dp_word|size_t|uintptr_t|"
                    r"enum \w+)( int)?( const)?|.*\*( const)?")


def statements(elf):
    """{address: readable numbers and pointers in scope}, the innermost of a name."""
    run = subprocess.run([built("host-asan", "tests", "host", "test_debuginfo"), "statements", elf], check=True,
                         capture_output=True, text=True, env=tool.environment(), timeout=process.TIMEOUT_S)
    found, names = {}, None
    for line in run.stdout.splitlines():
        kind, *fields = line.split("\t")
        if kind == "address":
            names = found[int(fields[0], 16)] = {}
        elif kind == "variable":
            names.setdefault(fields[0], fields[5] == "readable" and NUMBER.fullmatch(fields[1]) is not None)
    return {address: [name for name, good in names.items() if good] for address, names in found.items() if any(names.values())}


def place(elf, bytes_):
    """An object of the firmware with so much room: the pattern's."""
    symbols = subprocess.run([program("readelf"), "-sW", elf], check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"^ *\d+: ([0-9a-f]+) +(0x[0-9a-f]+|\d+) OBJECT ", symbols, re.M)
    return max((int(size, 0), int(address, 16)) for address, size in rows if int(size, 0) >= bytes_)[1] + 63 & ~63


def pattern(cpu, base):
    """Registers point into the pattern, at places of their own."""
    return {name: base + 0x1000 + 0x80 * n for n, name in enumerate(cpu.gdb_registers)}


def memory():
    return b"".join((0x01010101 * (n * 7 % 250) ^ n * 0x10001).to_bytes(4, "little") for n in range(PATTERN_BYTES // 4))


def of_gdb(elf, remote, registers, base, wanted, folder):
    (folder / "task.json").write_text(json.dumps({
        "remote": str(remote), "registers": registers, "memory": {base: memory().hex()}, "wanted": wanted}))
    run = subprocess.run([program("gdb-multiarch"), "-nx", "-q", "-batch", "-ex", "set confirm off", "-ex",
                          f'python TASK = "{folder / "task.json"}"', "-x", TESTS / "lib" / "tools" / "gdb_values.py", elf],
                         check=False, capture_output=True, text=True, timeout=process.TIMEOUT_S)
    rows = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    assert len(rows) == len(wanted), run.stderr[-2000:]
    return {row["address"]: row["values"] for row in rows}


def program_of(wanted, addresses):
    return "".join(f"addr:::{address} {{ " + " ".join(f'printf("%d|", (int)`{name});' for name in wanted[address]) + " }\n"
                   for address in addresses)


def leave_out(wanted, addresses, text, said):
    """Take the variable away that the first error is about: the handler cannot compute where it is."""
    line, column, why = re.match(r"t\.d:(\d+):(\d+): error: (.*)", said).groups()
    assert "cannot be read here" in why, said
    names = wanted[addresses[int(line) - 1]]
    del names[text.splitlines()[int(line) - 1][:int(column)].count("printf") - 1]


def of_d(dprobes, elf, registers, base, wanted, folder):
    """({address: values}, number of variables refused); None: the handler faults. What is refused leaves `wanted`."""
    all_addresses, found, refused = list(wanted), {}, 0
    given = [word for name, value in registers.items() for word in ("--reg", f"{name}={value}")]
    for first in range(0, len(all_addresses), ONE_PROGRAM):
        addresses = all_addresses[first:first + ONE_PROGRAM]
        hits = [word for n in range(len(addresses)) for word in ("--hits", f"{n + 1}:1")]
        while True:
            text = program_of(wanted, addresses)
            (folder / "t.d").write_text(text, encoding="utf-8")
            run = dprobes("simulate", "--elf", elf, *given, "--mem", f"0x{base:x}={memory().hex()}", *hits, "--format", "json",
                          "t.d", cwd=folder)
            if run.status == 0:
                break
            leave_out(wanted, addresses, text, run.stderr)
            refused += 1
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(lines) == len(addresses)
        for address, hit in zip(addresses, lines):
            found[address] = {"exit": numbers, "abort": numbers}.get(hit["end"], lambda _: None)(hit)
    return found, refused


def numbers(hit):
    return [int(text) & 0xffffffff for text in hit.get("text", "").split("|")[:-1]]


@pytest.mark.parametrize("board", sorted(cpus.boards()))
def test_locals_as_gdb_prints_them(qemu, dprobes, tmp_path, amount, board):
    """In CI every 40th statement of the firmware, at night all."""
    elf, cpu = built("boards", board, "demo.elf"), cpus.of_board(board)
    base = place(elf, PATTERN_BYTES + 64)
    registers, scopes = pattern(cpu, base), statements(elf)
    wanted = {address: scopes[address] for address in sorted(scopes)[::amount(40, 1)]}
    qemu(board, extra=gdbstub.options(tmp_path / "gdb"))
    theirs = of_gdb(elf, tmp_path / "gdb", registers, base, wanted, tmp_path)
    ours, refused = of_d(dprobes, elf, registers, base, wanted, tmp_path)
    equal, faults, unknown, wrong = 0, 0, 0, []
    for address, names in wanted.items():
        if ours[address] is None:
            faults += 1
            continue
        for name, value in zip(names, ours[address]):
            other = theirs[address][name]
            unknown += other is None
            equal += other == value
            if other is not None and other != value:
                wrong.append((hex(address), name, hex(value), hex(other)))
    print(f"{board}: {len(wanted)} statements, {equal} values equal, {unknown} unknown to gdb, {refused} refused, {faults} statements read memory "
          f"outside of the pattern, {len(wrong)} different")
    assert not wrong, (len(wrong), wrong[:10])
    assert equal > 10 * (unknown + refused) and equal > 2 * len(wanted) - 4 * faults and faults < len(wanted) / 5
