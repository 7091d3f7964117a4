# SPDX-License-Identifier: BSD-2-Clause
"""Returns of functions with indirect branches, as compilers make them: a case of a switch is none, a call at the end is one.
The disassembler says which instructions are indirect branches, ways_out.c which of them leave."""
import pathlib
import re
import subprocess

import pytest

import cpus

SOURCE = pathlib.Path(__file__).with_name("ways_out.c")
# Branches to an address that the instruction does not name, but for those to the return address.
INDIRECT = re.compile(r"(?:bx|jr|(?:mov|ldr|add)[a-z]*(?:\.w)?\s+pc|tbb|tbh|b[a-z]*ctr)\b(?!,?\s*(?:lr|ra|\[sp\]))|(?:notrack )?jmp\s+\*")
FORMS = {**{row.name: row.d_gcc for row in cpus.rows()},
         **{f"{row.name}-usual": (row.gcc[0], (*row.gcc[1:], *row.cpu_flags, "-fno-pic", "-fno-pie")) for row in cpus.rows()}}
OPTIONS = {"speed": ("-O2",), "size": ("-Os",), "no-tables": ("-O2", "-fno-jump-tables")}


@pytest.fixture(scope="module", params=[(form, how, debug) for form in FORMS for how in OPTIONS for debug in ("-g", "-g0")],
                ids="-".join)
def firmware(request, tmp_path_factory):
    """The file, its disassembly, whether there are tables, whether there is debug information."""
    form, how, debug = request.param
    gcc, flags = FORMS[form]
    elf = tmp_path_factory.mktemp("ways") / "firmware.elf"
    subprocess.run([gcc, *flags, *OPTIONS[how], debug, "-ffreestanding", "-nostdlib", "-static", "-fno-asynchronous-unwind-tables",
                    "-Wl,-e,leaf", "-Wl,--defsym=outside=leaf", "-Wl,--build-id=none", "-w", str(SOURCE), "-lgcc", "-o", str(elf)],
                   check=True)
    text = subprocess.run([gcc.replace("gcc", "objdump"), "-d", str(elf)], capture_output=True, text=True, check=True).stdout
    return elf, text, how != "no-tables", debug == "-g"


def branches(text, function):
    """The addresses of its indirect branches."""
    start = re.search(rf"^[0-9a-f]+ <{function}>:\n((?:.+\n)+)", text, re.M)[1]
    return {int(address, 16) for address, insn in re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(.*)$", start, re.M)
            if INDIRECT.match(insn)}


@pytest.mark.parametrize("function", ["one_switch", "two_switches", "by_member", "by_array", "by_both"])
def test_ways_out(dprobes, firmware, function):
    elf, text, tables, _ = firmware
    found = dprobes("-l", f"fbt::{function}:return", "--elf", elf)
    assert found.status == 0 and found.stderr == "", found.stderr
    points = {int(address, 16) for address in re.findall(r"return (0x[0-9a-f]+)", found.stdout)}
    indirect = branches(text, function)
    switches = {"one_switch": 1, "two_switches": 2, "by_both": 1}.get(function, 0) if tables else 0
    assert len(indirect - points) == switches, (indirect, found.stdout)
    calls = function.startswith("by_")
    assert bool(indirect & points) == calls, (indirect, found.stdout)
    assert points


def test_the_word_of_the_compiler(dprobes, firmware):
    """Where no way leads to code behind it, debug information tells what a branch is; without it, a warning."""
    elf, text, _, debug = firmware
    found = dprobes("-l", "fbt::by_hidden_way:return", "--elf", elf)
    indirect = branches(text, "by_hidden_way")
    points = {int(address, 16) for address in re.findall(r"return (0x[0-9a-f]+)", found.stdout)}
    assert len(indirect) == 1
    warned = re.findall(r"has no point where by_hidden_way leaves by an indirect branch at \+0x[0-9a-f]+, which may also choose a "
                        r"case of a switch\n", found.stderr)
    assert (indirect <= points, len(warned)) == ((True, 0) if debug else (False, 1)), (found.stdout, found.stderr)


def test_many_are_one_line(dprobes, firmware):
    elf, _, _, debug = firmware
    found = dprobes("-l", "fbt:::return", "--elf", elf)
    assert found.stderr.count("leaves by an indirect branch") == (0 if debug else 1), found.stderr
