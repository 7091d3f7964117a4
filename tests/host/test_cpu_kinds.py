# SPDX-License-Identifier: BSD-2-Clause
"""Every CPU has each kind of row, or says why not: what is missing fails the build by name, and a user who asks for it
reads the reason."""
import re
import shutil
import struct
import subprocess

import pytest

import tables
from harness.paths import TOP, program

NEEDED = ["DP_REG", "DP_CODE", "DP_INSN"]
KINDS = ["DP_DECODER", "DP_ARGUMENTS", "DP_DWARF_REGS", "DP_OPERAND", "DP_STACK_REGS", "DP_REACH", "DP_RELOCATION", "DP_RETURN", "DP_ENTRIES"]
S390 = 22  # e_machine
SOURCE = "int twice(int n) { return n + n; }\nint more(int n) { return twice(n) + 1; }\n"


def compiled(port):
    """The check of the rows, with the tables in another folder."""
    return subprocess.run([program("gcc"), "-std=c11", "-Wall", "-Werror", "-fsyntax-only", f"-I{port}", f"-I{TOP / 'port'}",
                           f"-I{TOP / 'protocol'}", f"-I{TOP / 'host'}", TOP / "host/tables/kinds.c"],
                          capture_output=True, text=True, check=False)


@pytest.fixture
def port(tmp_path):
    for path in [TOP / "port/ports.def", *(TOP / "port").glob("*/*.def")]:
        (tmp_path / path.relative_to(TOP)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / path.relative_to(TOP))
    return tmp_path / "port"


def test_every_port_is_in_the_list():
    """port/template is for copying."""
    assert {path.parent.name for path in (TOP / "port").glob("*/dp_port_cpu.h")} - {"template"} <= set(tables.cpus())


@pytest.mark.parametrize("kind", [*NEEDED, *KINDS])
@pytest.mark.parametrize("cpu", ["arm", "s390", "template"])
def test_a_missing_kind_fails_the_build(port, cpu, kind):
    """The template is a CPU as soon as its name is in the list."""
    rows = port / cpu / "cpu.def"
    if cpu == "template":
        rows.write_text(rows.read_text(encoding="utf-8").replace("SIM", "TEMPLATE"), encoding="utf-8")
        (port / "ports.def").write_text((port / "ports.def").read_text(encoding="utf-8").replace("sim/cpu.def", "template/cpu.def")
                                        .replace("#ifndef DP_CPU", "#define DP_CPU_TEMPLATE DP_CPU_SIM\n#ifndef DP_CPU"), encoding="utf-8")
    assert compiled(port).returncode == 0
    text = rows.read_text(encoding="utf-8")
    short = kind.removeprefix("DP_")
    left = re.sub(rf"^({kind}|DP_ABSENT)\({short}\b.*\n|^{kind}\(.*\n" if kind in KINDS else rf"^{kind}\(.*\n", "", text, flags=re.M)
    if kind == "DP_REG":
        left = text.replace('#include "regs.def"\n', "")
    assert left != text
    rows.write_text(left, encoding="utf-8")
    done = compiled(port)
    sentence = f"{cpu.upper()} of port/ports.def has " + (f"either a {kind} row or DP_ABSENT({short}, reason)" if kind in KINDS else f"no {kind} row")
    assert done.returncode != 0 and sentence in done.stderr, done.stderr


def test_a_row_and_a_reason_are_one_too_many(port):
    rows = port / "mips/cpu.def"
    rows.write_text(rows.read_text(encoding="utf-8").replace("#undef", 'DP_ABSENT(REACH, "no reason")\n#undef', 1), encoding="utf-8")
    done = compiled(port)
    assert done.returncode != 0 and "MIPS of port/ports.def has either a DP_REACH row or DP_ABSENT(REACH, reason)" in done.stderr


def test_registers_and_instruction_sets_need_rows(port):
    rows = port / "mips/cpu.def"
    rows.write_text(rows.read_text(encoding="utf-8").replace("#undef", 'DP_ABSENT(CODE, "no reason")\n#undef', 1), encoding="utf-8")
    done = compiled(port)
    assert done.returncode != 0 and "DPH_ROW_CODE" in done.stderr


# ---- what a user reads -----------------------------------------------------------------------------

@pytest.fixture(scope="module")
def s390(tmp_path_factory):
    """A file of S/390 as far as dprobes reads it: code of another big-endian CPU under its e_machine."""
    folder = tmp_path_factory.mktemp("s390")
    (folder / "fw.c").write_text(SOURCE)
    subprocess.run([program("mips-linux-gnu-gcc"), "-mabi=32", "-mno-abicalls", "-fno-pic", "-nostdlib", "-static", "-O0",
                    "-Wl,-Ttext=0x10000", "-Wl,-e,more", "-o", "fw.elf", "fw.c"], cwd=folder, check=True)
    with open(folder / "fw.elf", "r+b") as file:
        file.seek(18)
        file.write(struct.pack(">H", S390))
    return folder


def reason(kind):
    return next(why for cpu, (absent, why) in tables.cpu_rows("DP_ABSENT") if (cpu, absent) == ("s390", kind))


@pytest.mark.parametrize("text,before,kind,after", [
    ("fbt::twice:entry { trace(arg0); }", "the place of argument 0 of twice is not known: ", "ARGUMENTS", ""),
    ("fbt::twice:entry { stack(); }", "the stack of s390 is not known: ", "STACK_REGS", "; record caller instead"),
    ("fbt::twice:return { trace(1); }", "'fbt::twice:return' matches nothing: the returns of functions are not known: ", "RETURN", "")])
def test_the_reason_is_told(dprobes, s390, text, before, kind, after):
    (s390 / "t.d").write_text(text + "\n")
    run = dprobes("build", "--elf", "fw.elf", "-o", "t.ppdf", "t.d", cwd=s390)
    assert run.status == 1 and before + reason(kind) + after in run.stderr.splitlines()[0], run.stderr


def test_check_says_what_it_does_not_check(dprobes, s390):
    (s390 / "p.dp").write_text('name = "p"\noffset = twice\npush 1\nlog 1\nexit\n')
    run = dprobes("check", "p.dp", "--elf", "fw.elf", cwd=s390)
    sentence = "the instructions at the probe points are not checked: " + reason("DECODER")
    assert run.status == 0 and sentence in run.stderr, (run.status, run.stderr)
