# SPDX-License-Identifier: BSD-2-Clause
"""Static hooks in RPN: `hook = PROVIDER:NAME` and `push arg, n`. RPN.md 2."""
import re
import subprocess

import pytest

from harness import compile_fail
from harness.paths import program

# Notes of the same hook: the operands of an argument and the instructions that push it.
NOTES = {
    "arm": ("arm-none-eabi-gcc", ("-mcpu=cortex-a9",), ".4byte", {
        "-4@r3": "push r, r3", "1@r4": "push r, r4; push 0xff; and", "-2@[sp, #6]": "push r, sp; push 6; add; push mem, u16; pbl 16",
        "1@[r2]": "push r, r2; push mem, u8", "-8@r4": "push r, r5; push r, r4", "-4@#-3": "push -3", "4@fp": "push r, fp",
        "8@#1": "push 0; push 1", "8@[r1, #-8]": "push r, r1; push -8; add; push mem, u64"}),
    "mips": ("mips-linux-gnu-gcc", ("-march=mips32", "-mabi=32", "-mno-abicalls", "-fno-pic"), ".4byte", {
        "-4@$4": "push r, a0", "4@8($29)": "push r, sp; push 8; add; push mem, u32", "-1@$fp": "push r, fp; pbl 8", "4@7": "push 7",
        "-8@$2": "push r, v1; push r, v0", "8@1": "push 1; push 0"}),
    "ppc": ("powerpc-linux-gnu-gcc", ("-mcpu=440", "-fno-pic"), ".4byte", {
        "-4@3": "push r, r3", "4@i3": "push 3", "2@8(1)": "push r, r1; push 8; add; push mem, u16", "-8@30": "push r, r31; push r, r30"}),
    "riscv": ("riscv64-unknown-elf-gcc", ("-march=rv32imac", "-mabi=ilp32"), ".4byte", {
        "-4@a0": "push r, a0", "4@-20(s0)": "push r, s0; push -20; add; push mem, u32", "-8@a4": "push r, a5; push r, a4", "-4@-1": "push -1"}),
    "riscv64": ("riscv64-unknown-elf-gcc", ("-march=rv64imac", "-mabi=lp64"), ".8byte", {
        "-4@a0": "push r, a0; pbl 32", "4@a1": "push r, a1; push 0xffffffff; and", "8@a2": "push r, a2"}),
}


def firmware(folder, cpu):
    """An ELF file with a hook that has the operands."""
    gcc, flags, word, operands = NOTES[cpu]
    (folder / "note.s").write_text(f"""
	.text
	.globl main
	.type main, %function
main:	nop
	nop
	.size main, . - main
	.section .note.stapsdt, "o", %note, main
	.balign 4
	.4byte 8, 2f-1f, 3
	.asciz "stapsdt"
1:	{word} main, 0, 0
	.asciz "a", "on__b", "{' '.join(operands)}"
	.balign 4
2:
""")
    subprocess.run([program(gcc), *flags, "-nostdlib", "-static", "-Wl,-Ttext=0x8000", "-Wl,-e,main", "-Wl,--build-id=none", "-o", "note.elf", "note.s"],
                   cwd=folder, check=True)


def instructions(text):
    """The lines of the handlers, without comments."""
    return [line.strip() for line in text.splitlines() if line.startswith("\t")]


@pytest.mark.parametrize("cpu", NOTES)
def test_operands(dprobes, cpu, tmp_path):
    """Each form of an argument becomes the instructions that read it, in both spellings of the hook's name."""
    firmware(tmp_path, cpu)
    operands = NOTES[cpu][3]
    for name in ("a:on-b", "a:on__b"):
        for number, (operand, wanted) in enumerate(operands.items()):
            (tmp_path / "p.dp").write_text(f'name = "t"\nhook = {name}\npush arg, {number}\nlog 1\nexit\n')
            made = dprobes("build", "p.dp", "--elf", "note.elf", "-o", "p.ppdf", cwd=tmp_path)
            assert made.status == 0, (operand, made.stderr)
            (tmp_path / "w.dp").write_text("name = \"t\"\noffset = main\n" + wanted.replace("; ", "\n") + "\nlog 1\nexit\n")
            assert dprobes("build", "w.dp", "--elf", "note.elf", "-o", "w.ppdf", cwd=tmp_path).status == 0
            assert instructions(dprobes("disasm", "p.ppdf", cwd=tmp_path).stdout) == instructions(
                dprobes("disasm", "w.ppdf", cwd=tmp_path).stdout), operand


def test_several_places(dprobes, tmp_path):
    """A probe at each place of the hook: labels, keywords and arguments of its own."""
    compile_fail.given(tmp_path)
    (tmp_path / "p.dp").write_text("""name = "t"
hook = work:begin
minor = 3
	push arg, 0
	jmp here
here:
	log 1
	exit
offset = main
	push 1
	log 1
	exit
""")
    made = dprobes("build", "p.dp", "--elf", "hooks.elf", "-o", "p.ppdf", cwd=tmp_path)
    assert made.status == 0 and made.stderr == "", made.stderr
    text = dprobes("disasm", "p.ppdf", cwd=tmp_path).stdout
    assert re.findall(r"^(?:offset|minor) = .*|\tpush .*", text, re.M) == [
        "offset = 0x8000", "minor = 3", "\tpush r, r0", "offset = 0x8004", "minor = 3", "\tpush 7", "offset = 0x8000", "\tpush 1"]
