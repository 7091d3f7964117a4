# SPDX-License-Identifier: BSD-2-Clause
"""A CPU is rows of protocol/cpu.def: no other file of core and host names one, and the next CPUs fit."""
import re
import subprocess

import tables
from harness.paths import TOP, program, tracked_files

# The CPUs that come next: Cortex-M and ARM share an e_machine, so --cpu chooses between them.
NEXT = """
CPU(101, CORTEXM, "cortexm", 32, LITTLE, RPN_GROUP_WRITE | RPN_GROUP_HOOK, 40, 0)
CODE(CORTEXM, THUMB, "thumb", 't', 2, 2, 1, HIGH)
INSN(CORTEXM, THUMB, 0xf800, 0xe800, 4)
INSN(CORTEXM, THUMB, 0xf000, 0xf000, 4)
INSN(CORTEXM, THUMB, 0, 0, 2)
CPU(102, RISCV, "riscv", 0, LITTLE, RPN_GROUP_WRITE | RPN_GROUP_HOOK, 243, 0)
CODE(RISCV, MAIN, "riscv", 'x', 2, 2, 0, LOW)
INSN(RISCV, MAIN, 0x0003, 0x0003, 4)
INSN(RISCV, MAIN, 0, 0, 2)
CPU(103, AARCH64, "aarch64", 64, LITTLE, RPN_GROUP_WRITE | RPN_GROUP_HOOK, 183, 0)
CODE(AARCH64, MAIN, "aarch64", 'x', 4, 4, 0, HIGH)
INSN(AARCH64, MAIN, 0, 0, 4)
CPU(104, S390X, "s390x", 64, BIG, RPN_GROUP_WRITE | RPN_GROUP_HOOK, 22, 0)
CODE(S390X, MAIN, "s390x", 0, 2, 2, 0, FIRST)
INSN(S390X, MAIN, 0xc000, 0x0000, 2)
INSN(S390X, MAIN, 0xc000, 0xc000, 6)
INSN(S390X, MAIN, 0, 0, 4)
CPU(105, X86_64, "x86-64", 64, LITTLE, RPN_GROUP_ALL, 62, 0)
CODE(X86_64, MAIN, "x86-64", 0, 1, 1, 0, FIRST)
INSN(X86_64, MAIN, 0, 0, 0)
"""


def rows(macro):
    return tables.rows("protocol/cpu.def", macro)


def test_every_cpu_has_instruction_sets_and_lengths():
    sets = {(cpu, isa) for cpu, isa, *_ in rows("CODE")}
    assert {cpu for cpu, _ in sets} == {name for _, name, *_ in rows("CPU")}
    assert {isa for _, isa in sets} == {name for _, name in tables.rows("protocol/isas.def", "ISA")}
    last = {(cpu, isa): (mask, value) for cpu, isa, mask, value, _ in rows("INSN")}
    assert last == {key: ("0", "0") for key in sets}, "the last INSN row of each decides what no other does"


def test_numbers_are_given_once():
    numbers = [int(row[0]) for row in rows("CPU")]
    assert len(set(numbers)) == len(numbers) and 0 not in numbers
    assert all(0 <= int(number) < 8 for number, _ in tables.rows("protocol/isas.def", "ISA"))


def code_of(path):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", (TOP / path).read_text(encoding="utf-8"), flags=re.S)


def test_no_cpu_is_named_outside_tables_and_ports():
    """In agent/, and in host/ beside host/tables/: no constant of a CPU, no name of one or of its instruction set.

    Constants of DWARF (DW_) have the names that the standard gives them."""
    names = "|".join(sorted({row[2] for row in rows("CPU") if row[2] != "sim"} | {row[2] for row in rows("CODE")} - {"sim"}))
    pattern = re.compile(rf"\b(DP_CPU_(?!WITH_)\w+|DP_ISA_\w+|EM_[A-Z0-9_]+|EF_[A-Z]+_\w+|(?!DW_)(?i:\w*(thumb|mips|s390|ia32)\w*))\b"
                         rf'|"({names})"')
    found = [f"{path}: {match.group(0)}" for path in tracked_files()
             if path.suffix in (".c", ".h", ".def") and path.parts[0] in ("agent", "host")
             and path.parts[:2] != ("host", "tables") for match in pattern.finditer(code_of(path))]
    assert not found


def test_the_next_cpus_are_rows(tmp_path):
    """Cortex-M, RISC-V, AArch64, s390x and x86-64: rows alone give lengths, opcodes, ELF files and addresses."""
    text = (TOP / "protocol" / "cpu.def").read_text(encoding="utf-8")
    (tmp_path / "protocol").mkdir()
    for path in (TOP / "protocol").glob("*.[hd]*"):
        (tmp_path / "protocol" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "protocol" / "cpu.def").write_text(text.replace("#undef CPU\n", NEXT + "#undef CPU\n", 1), encoding="utf-8")
    run = tmp_path / "cpu_rows"
    subprocess.run([program("gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}/protocol",
                    *(f"-I{TOP / folder}" for folder in ("port", "port/arm", "host")), "-o", run,
                    TOP / "tests/host/cpu_rows.c", TOP / "host/tables/cpus.c", TOP / "host/tables/isas.c"], check=True)
    told = subprocess.run([run], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout
