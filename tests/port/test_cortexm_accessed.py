# SPDX-License-Identifier: BSD-2-Clause
"""The access of each load and store, as the port works it out for a watchpoint by the MPU: objdump is the oracle."""
import os
import random
import re
import subprocess

from harness.paths import TOP, program

NAMES = {**{f"r{n}": n for n in range(16)}, "sl": 10, "fp": 11, "ip": 12, "sp": 13, "lr": 14, "pc": 15}
WIDTHS = {"": 4, "b": 1, "h": 2, "sb": 1, "sh": 2, "d": 8}
SINGLE = re.compile(r"(v?)(ldr|str)(?:(ex)?(sb|sh|b|h|d|)t?)(?:\.w)?\t((?:[rsd]\d|sl|fp|ip|sp|lr|pc).*?), \[(\w+)(?:, (?:#(-?\d+)|(\w+)(?:, lsl #(\d))?))?\](!)?(?:, #(-?\d+))?$")
MULTIPLE = re.compile(r"v?(ldm|stm)(ia|db)(?:\.w)?\t((?!pc)\w+)!?, \{(.+)\}$")
STACK = re.compile(r"v?(push|pop)(?:\.w)?\t\{(.+)\}$")
TABLE = re.compile(r"tb([bh])\t\[(\w+), (\w+)(?:, lsl #1)?\]$")
WORDS = 12000


def instructions():
    """(bytes, number): each of 16 bits but IT, which would change what follows; random ones of 32 bits that aim at accesses."""
    source = random.Random("accesses")
    short = [(2, half) for half in range(0xe800) if half >> 8 != 0xbf]
    long = [(4, source.choice((0xe8, 0xe9, 0xf8, 0xf9, 0xec, 0xed)) << 24 | source.getrandbits(24)) for _ in range(WORDS)]
    # FP has the coprocessors 10 and 11, and few registers; an offset of a register has six zeros.
    long += [(4, word & ~0xee0 | 0xa00) for _, word in long if word >> 25 == 0x76] + [(4, word & ~0xfc0) for _, word in long if word >> 25 == 0x7c]
    return short + [(size, word) for size, word in long if word >> 25 != 0x76 or not word & 0xe0]


def value(register):
    return 0x1004 if register == "pc" else NAMES[register] << 20


def bytes_of(registers):
    total = 0
    for part in registers.split(", "):
        first, _, last = part.partition("-")
        if first[0] in "sd" and first[1:].isdigit():
            total += (int((last or first)[1:]) - int(first[1:]) + 1) * (8 if first[0] == "d" else 4)
        else:
            total += 4 * (NAMES[last or first] - NAMES[first] + 1)
    return total


def said(load, size, address):
    """None: a list of nothing, which is unpredictable too."""
    return None if size == 0 else f"{load:d} {not load:d} {size} {address & 0xffffffff:x}"


def expected(text):
    """As tests/port/cortexm_accessed.c prints it; None: objdump names no access, or an unpredictable one."""
    text, _, note = text.partition("\t@ ") if "\t@ " in text else text.partition("\t; ")
    text = text.strip()
    if "UNPREDICTABLE" in note.upper() or "overflow" in text or any(int(number) > 31 for number in re.findall(r"\b[sd](\d+)", text)):
        return None
    if found := SINGLE.match(text):
        fp, kind, exclusive, width, data, base, offset, index, shift, _, _ = found.groups()
        if index == "pc" or (base == "pc" and exclusive):  # unpredictable
            return None
        size = (8 if data[0] == "d" else 4) if fp else WIDTHS[width]
        return said(kind == "ldr", size, value(base) + int(offset or 0) + (value(index) << int(shift or 0) if index else 0))
    if found := MULTIPLE.match(text):
        kind, way, base, registers = found.groups()
        size = bytes_of(registers)
        return said(kind == "ldm", size, value(base) - (size if way == "db" else 0))
    if found := STACK.match(text):
        size = bytes_of(found[2])
        return said(found[1] == "pop", size, value("sp") - (size if found[1] == "push" else 0))
    if found := TABLE.match(text):
        return said(True, 2 if found[1] == "h" else 1, value(found[2]) + (value(found[3]) << (found[1] == "h")))
    return None


def test_access(tmp_path):
    tool, code = tmp_path / "accessed", tmp_path / "code"
    folders = [f"-I{TOP / folder}" for folder in ("port/cortexm", "port", "protocol")] + [f"-I{path}" for path, _, _ in os.walk(TOP / "agent")]
    subprocess.run([program("gcc"), "-std=c11", "-w", "-D_Static_assert(...)=", "-DDP_CORTEXM_WITH_MPU=1", *folders, TOP / "tests/port/cortexm_accessed.c",
                    TOP / "port/cortexm/accessed.c", "-o", tool], check=True)  # the pointers of the host have 64 bits, which moves members
    words = instructions()
    code.write_bytes(b"".join(word.to_bytes(2, "little") if size == 2 else (word >> 16).to_bytes(2, "little") + (word & 0xffff).to_bytes(2, "little")
                              for size, word in words))
    listing = subprocess.run([program("arm-none-eabi-objdump"), "-D", "-b", "binary", "-marm", "-M", "force-thumb", code], capture_output=True, text=True,
                             check=True).stdout
    texts = [line.split("\t", 2)[2] for line in listing.splitlines() if re.match(r" +[0-9a-f]+:\t", line)]
    assert len(texts) == len(words)
    tells = subprocess.run([tool], input="\n".join(f"{size} {word:x}" for size, word in words), capture_output=True, text=True, check=True).stdout.splitlines()
    oracle = [expected(text) for text in texts]
    wrong = [(hex(word), text, says, right) for (_, word), text, says, right in zip(words, texts, tells, oracle, strict=True)
             if right is not None and says != right]
    assert not wrong, wrong[:10]
    of_32 = [right for (size, _), right in zip(words, oracle) if size == 4 and right is not None]
    assert len(of_32) > 7000 and sum(right is not None for right in oracle) - len(of_32) > 20000
    assert {int(right.split()[2]) for right in of_32} >= {1, 2, 4, 8, 12, 48, 64}
    # What accesses nothing is not taken for an access.
    plain = {says for (size, word), says in zip(words, tells) if size == 2 and (word >> 14 == 0 or word >> 12 in (0xa, 0xd))}
    assert plain == {"none"}
