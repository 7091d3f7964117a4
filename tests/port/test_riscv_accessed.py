# SPDX-License-Identifier: BSD-2-Clause
"""The access of each load, store and atomic instruction, as the port works it out for a trigger: objdump is the oracle."""
import os
import random
import re
import subprocess

import pytest

from harness.paths import TOP, program

NAMES = "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6".split()
BYTES = {"b": 1, "h": 2, "w": 4, "d": 8, "q": 16}
WORDS = 6000
SIMPLE = re.compile(r"(f?)(l|s)([bhwdq])(u?)\t[a-z0-9]+,(-?\d+)\(([a-z0-9]+)\)")
ATOMIC = re.compile(r"(lr|sc|amo\w+)\.([wd])\S*\t.*\(([a-z0-9]+)\)")


def instructions():
    """Random ones that aim at the accesses, and each of 16 bits."""
    source = random.Random("accesses")
    words = [source.getrandbits(32) & ~0x7f | source.choice((0x03, 0x07, 0x23, 0x27, 0x2f, 0x13)) for _ in range(WORDS)]
    return words + [half for half in range(1, 0x10000) if half & 3 != 3]


def expected(text, bits):
    """As tests/port/riscv_accessed.c prints it; None: objdump names no access."""
    simple, atomic = SIMPLE.match(text), ATOMIC.match(text)
    if simple:
        _, kind, width, _, offset, base = simple.groups()
        address = (NAMES.index(base) << 20) + int(offset)
        return f"1 {kind == 'l':d} {kind == 's':d} {BYTES[width]} {address % 2 ** bits:x}"
    if atomic:
        name, width, base = atomic.groups()
        return f"1 {name != 'sc':d} {name != 'lr':d} {BYTES[width]} {NAMES.index(base) << 20:x}"
    return None


def compiled(bits, tmp_path):
    tool = tmp_path / "accessed"
    folders = [f"-I{TOP / folder}" for folder in ("port/riscv", "port", "protocol")]
    folders += [f"-I{path}" for path, _, _ in os.walk(TOP / "agent")]
    # The pointers of the host have 64 bits.
    subprocess.run([program("gcc"), "-std=c11", "-w", f"-D__riscv_xlen={bits}", "-D__riscv_compressed", "-DDP_RISCV_TRIGGERS=2", *folders,
                    TOP / "tests/port/riscv_accessed.c", TOP / "port/riscv/accessed.c", TOP / "port/riscv/decode.c", "-o", tool], check=True)
    return lambda words, *options: subprocess.run([tool, *options], input="\n".join(f"{word:x}" for word in words), capture_output=True, text=True,
                                                  check=True).stdout.splitlines()


@pytest.mark.parametrize("bits", (32, 64))
def test_access(bits, tmp_path):
    code, tell = tmp_path / "code", compiled(bits, tmp_path)
    words = instructions()
    code.write_bytes(b"".join(word.to_bytes(4 if word & 3 == 3 else 2, "little") for word in words))
    listing = subprocess.run([program("riscv64-unknown-elf-objdump"), "-D", "-b", "binary", f"-mriscv:rv{bits}", "-M", "no-aliases", code],
                             capture_output=True, text=True, check=True).stdout
    texts = [re.sub(r"^c\.(f?[ls][wd])(sp)?\t", r"\1\t", line.split("\t", 2)[2]) for line in listing.splitlines() if re.match(r" +[0-9a-f]+:\t", line)]
    assert len(texts) == len(words)
    said = tell(words)
    wrong = [(hex(word), text, says) for word, text, says in zip(words, texts, said, strict=True)
             if (oracle := expected(text, bits)) is not None and oracle != says]
    assert not wrong, wrong[:10]
    told = sum(expected(text, bits) is not None for text in texts)
    assert told > 20000  # of the 16-bit ones alone
    # What is no access is not taken for one.
    plain = {says for word, text, says in zip(words, texts, said) if word & 3 == 1 or word & 0x7f == 0x13}
    assert plain == {"0 1 1 0 0"}
    assert any(says.split()[3] == "16" for says in said)


@pytest.mark.parametrize("bits", (32, 64))
def test_what_has_another_meaning_without_d(bits, tmp_path):
    """c.fsdsp and its kin are other instructions then, such as cm.push: nothing is known of their accesses."""
    tell = compiled(bits, tmp_path)
    doubles = [half for half in range(0x10000) if half & 3 in (0, 2) and half >> 13 in (1, 5)]
    assert {says[0] for says in tell(doubles)} == {"1"} and {says[0] for says in tell(doubles, "no-d")} == {"0"}
    words = [half for half in range(0x10000) if half & 3 in (0, 2) and half >> 13 in (2, 3, 6, 7)]
    assert tell(words) == tell(words, "no-d")
