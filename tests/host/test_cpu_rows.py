# SPDX-License-Identifier: BSD-2-Clause
"""A CPU is rows in its folder: no other file of core and host names one, and the next CPUs fit."""
import re
import subprocess

import tables
from harness.paths import TOP, program, tracked_files

# The CPUs that come next, as the files cpu.def of their folders.
NEXT = {
    "aarch64": """DP_CPU(AARCH64, "aarch64", 64, LITTLE, RPN_GROUP_WRITE | RPN_GROUP_HOOK, 183, 0)
DP_CODE(MAIN, "aarch64", 'x', 4, 4, 0, HIGH)
DP_INSN(MAIN, 0, 0, 4)
""",
    "s390x": """DP_CPU(S390X, "s390x", 64, BIG, RPN_GROUP_WRITE | RPN_GROUP_HOOK, 22, 0)
DP_CODE(MAIN, "s390x", 0, 2, 2, 0, FIRST)
DP_INSN(MAIN, 0xc000, 0x0000, 2)
DP_INSN(MAIN, 0xc000, 0xc000, 6)
DP_INSN(MAIN, 0, 0, 4)
""",
    "x86-64": """DP_CPU(X86_64, "x86-64", 64, LITTLE, RPN_GROUP_ALL, 62, 0)
DP_CODE(MAIN, "x86-64", 0, 1, 1, 0, FIRST)
DP_INSN(MAIN, 0, 0, 0)
""",
}


def test_every_cpu_has_instruction_sets_and_lengths():
    sets = {(cpu, isa) for cpu, (isa, *_) in tables.cpu_rows("DP_CODE")}
    assert {cpu for cpu, _ in sets} == set(tables.cpus())
    assert {isa for _, isa in sets} == {name for _, name in tables.rows("protocol/isas.def", "DP_ISA")}
    last = {(cpu, isa): (mask, value) for cpu, (isa, mask, value, _) in tables.cpu_rows("DP_INSN")}
    assert last == {key: ("0", "0") for key in sets}, "the last DP_INSN row of each decides what no other does"


def test_numbers_are_given_once():
    numbers = [int(number) for number, _ in tables.rows("protocol/cpus.def", "DP_CPU")]
    assert len(set(numbers)) == len(numbers) and 0 not in numbers
    assert all(0 <= int(number) < 8 for number, _ in tables.rows("protocol/isas.def", "DP_ISA"))


def test_every_number_has_rows():
    """The folder of a CPU has the name that --cpu takes."""
    first = tables.cpu_rows("DP_CPU")
    assert [cpu for cpu, _ in first] == [text for _, (_, text, *_) in first] == tables.cpus()
    assert sorted(name for _, (name, *_) in first) == sorted(name for _, name in tables.rows("protocol/cpus.def", "DP_CPU"))
    assert set(tables.cpus()) == {path.parent.name for path in (TOP / "port").glob("*/cpu.def")} - {"template"}


def code_of(path):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", (TOP / path).read_text(encoding="utf-8"), flags=re.S)


def test_no_cpu_is_named_outside_tables_and_ports():
    """In agent/, and in host/ beside host/tables/: no constant of a CPU, no name of one or of its instruction set.

    Constants of DWARF (DW_) have the names that the standard gives them."""
    names = "|".join(sorted({*tables.cpus(), *(row[1] for _, row in tables.cpu_rows("DP_CODE"))} - {"sim"}))
    pattern = re.compile(rf"\b(DP_CPU_(?!WITH_)\w+|DP_ISA_\w+|EM_[A-Z0-9_]+|EF_[A-Z]+_\w+|(?!DW_)(?i:\w*(thumb|mips|s390|ia32)\w*))\b"
                         rf'|"({names})"')
    found = [f"{path}: {match.group(0)}" for path in tracked_files()
             if path.suffix in (".c", ".h", ".def") and path.parts[0] in ("agent", "host")
             and path.parts[:2] != ("host", "tables") for match in pattern.finditer(code_of(path))]
    # a header of firmware that is built without a port: WITHOUT_PORT of tests/docs/test_tree.py
    assert found == ["agent/dprobes_hook.h: __thumb__"]


def tree_with_next(top):
    """The tables in another folder, and the next CPUs: a folder each, a number and a line."""
    for path in [*(TOP / "protocol").glob("*.[hd]*"), *(TOP / "port").glob("*.[hd]*"), *(TOP / "port").glob("*/*.def")]:
        (top / path.relative_to(TOP)).parent.mkdir(parents=True, exist_ok=True)
        (top / path.relative_to(TOP)).write_bytes(path.read_bytes())
    for number, (folder, rows) in enumerate(NEXT.items(), 101):
        name = re.match(r"DP_CPU\((\w+)", rows).group(1)
        (top / "port" / folder).mkdir()
        (top / "port" / folder / "cpu.def").write_text(
            f'#define DP_ROWS_OF DP_CPU_{name}\n{rows}DP_REG(0, R0, "r0", 1, 0, DP_REG_ALL)\n#undef DP_ROWS_OF\n', encoding="utf-8")
        for path, before, line in ((top / "protocol/cpus.def", "#undef DP_CPU\n", f"DP_CPU({number}, {name})\n"),
                                   (top / "port/ports.def", "\n#undef", f'#include "{folder}/cpu.def"\n')):
            path.write_text(path.read_text(encoding="utf-8").replace(before, line + before, 1), encoding="utf-8")


def test_the_next_cpus_are_rows(tmp_path):
    """AArch64, s390x and x86-64: rows alone give lengths, opcodes, ELF files and addresses."""
    tree_with_next(tmp_path)
    run = tmp_path / "cpu_rows"
    subprocess.run([program("gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}/protocol", f"-I{tmp_path}/port",
                    *(f"-I{TOP / folder}" for folder in ("port", "host", "host/include")), "-o", run,
                    TOP / "tests/host/cpu_rows.c", TOP / "host/tables/cpus.c", TOP / "host/tables/isas.c"], check=True)
    told = subprocess.run([run], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout
