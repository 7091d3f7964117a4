# SPDX-License-Identifier: BSD-2-Clause
"""Static hooks in RPN: `hook = PROVIDER:NAME` and `push arg, n`. RPN.md 2."""
import re
import subprocess

import pytest

import cpus
from harness import compile_fail
from harness.paths import program

NOTES = {f"{row.name}-{number}": (words, operands) for row in cpus.rows() for number, (words, operands) in enumerate(row.operands.items())}


def firmware(folder, cpu):
    """An ELF file with a hook that has the operands."""
    (gcc, *flags), operands = NOTES[cpu]
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
1:	.dc.a main, 0, 0
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
    _, operands = NOTES[cpu]
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
