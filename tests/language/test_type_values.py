# SPDX-License-Identifier: BSD-2-Clause
"""offsetof and sizeof in RPN programs: the numbers of the firmware's compiler, and a sentence for each type or member
that will not do."""
import re
import subprocess

import pytest

from harness.paths import program

SOURCE = """\
struct place { char tag; long long stamp; };
struct task {
	struct { int pc; short regs[5]; struct place places[3]; };
	unsigned ready : 3;
	union { int id; char name[12]; };
	struct task *next;
};
typedef struct task task_t;
enum state { IDLE, BUSY };
enum state state = BUSY;
task_t first = { .id = 1 };
int here(void) { return 0; }
"""
ONE = "struct both { int a; } both_1;\n"
TWO = "struct both { char c; int a; } both_2;\n"
CASES = {
    "offsetof(struct task, pc)": "__builtin_offsetof(struct task, pc)",
    "offsetof( struct task , regs[4] )": "__builtin_offsetof(struct task, regs[4])",
    "offsetof(struct task, places[2].stamp)": "__builtin_offsetof(struct task, places[2].stamp)",
    "offsetof(task_t, name[3])": "__builtin_offsetof(struct task, name[3])",
    "offsetof(task_t, next) + 1": "__builtin_offsetof(struct task, next) + 1",
    "first + offsetof(task_t, id) - first": "__builtin_offsetof(struct task, id)",
    "sizeof(struct task)": "sizeof(struct task)",
    "sizeof(task_t) - sizeof(struct place)": "sizeof(task_t) - sizeof(struct place)",
    "sizeof(enum state)": "sizeof(enum state)",
    "sizeof(unsigned long long)": "8",
}


@pytest.fixture(scope="session")
def firmware(tmp_path_factory):
    folder = tmp_path_factory.mktemp("types")
    (folder / "fw.c").write_text(SOURCE + "".join(f"const unsigned long v{n} = {c};\n" for n, c in enumerate(CASES.values())))
    (folder / "one.c").write_text(ONE)
    (folder / "two.c").write_text(TWO)
    subprocess.run([program("arm-none-eabi-gcc"), "-g", "-nostdlib", "-Wl,-e,here", "-o", "fw.elf", "fw.c", "one.c",
                    "two.c"], cwd=folder, check=True)
    return folder / "fw.elf"


def compile_(dprobes, folder, elf, *values):
    text = 'name = "fw"\noffset = here\n' + "".join(f"push {value}\n" for value in values) + "log 1\n"
    (folder / "t.dp").write_text(text)
    return dprobes("build", "--elf", elf, "-o", "t.ppdf", "t.dp", cwd=folder)


def test_values_are_the_compilers(dprobes, tmp_path, firmware):
    """The firmware has each value as a constant: read from the ELF by a program of its own."""
    result = compile_(dprobes, tmp_path, firmware, *CASES)
    assert result.status == 0, result.stderr
    shown = dprobes("disasm", "t.ppdf", cwd=tmp_path).stdout
    pushed = [int(value, 0) for value in re.findall(r"^\tpush (\w+)", shown, re.M)]
    (tmp_path / "gdb").write_text("".join(f"print v{n}\n" for n in range(len(CASES))))
    listed = subprocess.run([program("gdb-multiarch"), "-batch", "-nx", "-x", tmp_path / "gdb", firmware],
                            capture_output=True, text=True, check=True).stdout
    assert pushed == [int(value) for value in re.findall(r"= (\d+)", listed)]


@pytest.mark.parametrize("value,said", [
    ("offsetof(struct tusk, pc)", "the firmware has no type 'struct tusk'"),
    ("offsetof(struct task, nexd)", "'struct task' has no member 'nexd'; did you mean 'next'?"),
    ("offsetof(struct task, regs[5])", "'struct task' has no member 'regs[5]' with an offset"),
    ("offsetof(struct task, id[0])", "'struct task' has no member 'id[0]' with an offset"),
    ("offsetof(struct task, ready)", "'struct task' has no member 'ready' with an offset"),
    ("offsetof(enum state, pc)", "'enum state' has no member 'pc' with an offset"),
    ("offsetof(struct both, a)", "one.c and two.c define types 'struct both' that differ; write the number"),
    ("offsetof(struct task)", "write 'offsetof(TYPE, MEMBER)', as in offsetof(struct queue, count)"),
    ("offsetof(, pc)", "write 'offsetof(TYPE, MEMBER)', as in offsetof(struct queue, count)"),
    ("offsetof(struct task, pc", "write 'offsetof(TYPE, MEMBER)', as in offsetof(struct queue, count)"),
    ("sizeof(struct task, pc)", "write 'sizeof(TYPE)', as in sizeof(struct queue)"),
    ("sizeof()", "write 'sizeof(TYPE)', as in sizeof(struct queue)"),
    ("sizeof(void)", "the firmware has no type 'void'")])
def test_said(dprobes, tmp_path, firmware, value, said):
    result = compile_(dprobes, tmp_path, firmware, value)
    lines = result.stderr.splitlines()
    assert result.status == 1 and lines[0].startswith(f"t.dp:3:6: error: {said}"), result.stderr
    assert lines[2] == "     ^" + "~" * (len(value) - 1)


def test_what_is_missing_is_named(dprobes, tmp_path, firmware):
    """No ELF, an ELF without debug information; a symbol of the name stays a symbol without parentheses."""
    (tmp_path / "t.dp").write_text('name = "fw"\noffset = 4\npush sizeof(int)\n')
    assert "error: no firmware is given; use --elf FILE" in dprobes("build", "t.dp", cwd=tmp_path).stderr
    subprocess.run([program("arm-none-eabi-strip"), "-g", "-o", tmp_path / "plain.elf", firmware], check=True)
    assert "debug information" in compile_(dprobes, tmp_path, tmp_path / "plain.elf", "sizeof(struct task)").stderr
    assert "unknown symbol 'sizeof'" in compile_(dprobes, tmp_path, firmware, "sizeof").stderr
