# SPDX-License-Identifier: BSD-2-Clause
"""tests/guests/riscv/vectors.def has what the manual says that an instruction does. Here without any of our code: the
assembler makes the words of the texts, and QEMU's gdb stub steps the plain instruction in both widths. Each hazard of
stepping has its vectors (HAZARDS). test_riscv_port.py executes all of them with probes."""
import re
import subprocess

import pytest

from harness import gdbstub
from harness.paths import TESTS, program

LEAST = 110  # of each width
CODE, HANDLER, AFTER_TRAP, HOLE = 0x80001000, 0x80002000, 0x80003000, 0xdead0000
T0, A0, A1, A2, A5, T3, PC = 5, 10, 11, 12, 15, 28, 32
LINK_BEFORE = 0x11223344
CSRW_MTVEC_T0, CSRR_T3_MCAUSE, CSRR_T3_MEPC = 0x30529073, 0x34202e73, 0x34102e73
EXTENSIONS = "imafdc_zicsr_zifencei_zba_zbb_zbc_zbs"
ROW = re.compile(r'\{(0x\w+), ([^,]+), ([^,]+), (\w+), ([^,]+), "([^"]+)", (\d+)\},')

# Hazard -> texts of vectors that show it.
HAZARDS = {
    "a branch goes, and does not go, by each condition": [f"{name} a0,a1,.+64" for name in "beq blt bge bltu bgeu".split()],
    "a branch leads back": ["bne a0,a1,.-64", "c.bnez a0,.-32", "c.j .-32"],
    "the link is the address behind the instruction": ["jal t3,.+128", "jal t3,.-128", "jalr t3,16(a2)"],
    "bit 0 is not part of a target": ["jalr t3,17(a2)"],
    "a jump without a link writes no register": ["jal zero,.+32", "jalr zero,-8(a2)", "c.j .+32"],
    "16 bits: the next instruction is two bytes on": ["c.beqz a0,.+32", "c.mv t3,a0", "c.li t3,-5"],
    "an access that faults has done nothing": ["lw t3,0(a5)", "lb t3,0(a5)", "lhu t3,2(a5)", "sw a0,0(a5)", "sb a0,1(a5)"],
}


def number(text):
    return {"INT64_MIN": -1 << 63}.get(text) or int(text.removesuffix("ll"), 0)


def vectors(bits):
    """[(word, a0, a1, effect, value, text)] of that width."""
    rows = ROW.findall((TESTS / "guests" / "riscv" / "vectors.def").read_text(encoding="ascii"))
    return [(int(word, 16), number(a0), number(a1), effect, number(value), text)
            for word, a0, a1, effect, value, text, width in rows if int(width) in (0, bits)]


def test_each_hazard_has_a_vector():
    there = vectors(32)
    for hazard, texts in HAZARDS.items():
        assert set(texts) <= {row[5] for row in there}, hazard
    goes = {(row[5], row[4] not in (2, 4)) for row in there if row[3] == "JUMPS"}
    assert all({(text, True), (text, False)} <= goes for text in HAZARDS["a branch goes, and does not go, by each condition"])


@pytest.mark.parametrize("bits", (32, 64))
def test_assembler_makes_the_words(bits, tmp_path):
    there = vectors(bits)
    assert len(there) >= LEAST
    source, made = tmp_path / "v.s", tmp_path / "v.o"
    source.write_text(".option norelax\n" + "".join(f".option {'no' if word & 3 == 3 else ''}rvc\n.balign 8\n{text}\n" for word, *_, text in there), encoding="ascii")
    subprocess.run([program("riscv64-unknown-elf-as"), f"-march=rv{bits}{EXTENSIONS}", f"-mabi={'lp64d' if bits == 64 else 'ilp32d'}",
                    "-o", made, source], check=True)
    subprocess.run([program("riscv64-unknown-elf-objcopy"), "-O", "binary", "-j", ".text", made, tmp_path / "v.bin"], check=True)
    image = (tmp_path / "v.bin").read_bytes()
    for n, (word, *_, text) in enumerate(there):
        size = 4 if word & 3 == 3 else 2
        assert int.from_bytes(image[8 * n:8 * n + size], "little") == word, text


class Stub(gdbstub.Stub):
    """Registers by QEMU's numbers, and single steps."""

    def __init__(self, path, bits):
        super().__init__(path)
        self.bytes = bits // 8
        # Single registers are served to those who have asked for their description.
        self.ask("qSupported:xmlRegisters=riscv")
        self.ask("qXfer:features:read:target.xml:0,ffb")

    def get(self, register):
        return int.from_bytes(bytes.fromhex(self.ask(f"p{register:x}")), "little")

    def put(self, register, value):
        value &= (1 << 8 * self.bytes) - 1
        assert self.ask(f"P{register:x}={value.to_bytes(self.bytes, 'little').hex()}") == "OK"

    def run(self, at, word):
        """Execute an instruction that is put there."""
        self.write(at, word.to_bytes(4, "little"))
        self.put(PC, at)
        assert self.ask("s").startswith("T05")

    def csr(self, read_to_t3):
        self.run(AFTER_TRAP, read_to_t3)
        return self.get(T3)


def stepped(stub, word, a0, a1):
    """What the plain instruction leaves: (pc, t3, mcause, mepc); no trap: (pc, t3, None, None)."""
    for register, value in ((A0, a0), (A1, a1), (A2, CODE), (A5, HOLE), (T3, LINK_BEFORE)):
        stub.put(register, value)
    stub.run(CODE, word)
    pc, t3 = stub.get(PC), stub.get(T3)
    return (pc, t3, stub.csr(CSRR_T3_MCAUSE), stub.csr(CSRR_T3_MEPC)) if pc == HANDLER else (pc, t3, None, None)


def expected(word, effect, value, bits):
    behind = CODE + (4 if word & 3 == 3 else 2)
    if effect == "RESULT":
        return behind, value & (1 << bits) - 1, None, None
    if effect == "FAULTS":
        return HANDLER, LINK_BEFORE, value, CODE
    return CODE + value, behind if effect == "GOES" else LINK_BEFORE, None, None


@pytest.mark.parametrize("bits", (32, 64))
def test_plain_instructions_in_qemu(bits, tmp_path):
    line = tmp_path / "gdb"
    machine = subprocess.Popen([program(f"qemu-system-riscv{bits}"), "-M", "virt", "-m", "16", "-bios", "none", "-nic", "none", "-display", "none",
                                "-monitor", "none", "-serial", "null", "-S", *gdbstub.options(line)],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        stub = Stub(line, bits)
        stub.put(T0, HANDLER)
        stub.run(CODE, CSRW_MTVEC_T0)
        found = {(text, a0, a1): (stepped(stub, word, a0, a1), expected(word, effect, value, bits))
                 for word, a0, a1, effect, value, text in vectors(bits)}
    finally:
        machine.kill()
        machine.wait()
    assert not {key: both for key, both in found.items() if both[0] != both[1]}
    assert len(found) >= LEAST
