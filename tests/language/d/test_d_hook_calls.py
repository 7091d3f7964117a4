# SPDX-License-Identifier: BSD-2-Clause
"""Hooks that call C exits (DPROBES_HOOK_CALL): what they add to a firmware. agent/guide/hooks.md"""
import re
import struct

import cpus
import pytest
from test_d_hooks import CLANG_FLAGS, CLANGS, GCCS, HERE, NOPS, STANDARD, WARN, flags_of, listed, run

from harness.paths import program

COLD_MOST = 40  # bytes in Thumb-2


def thumb(cpu):
    """Is the code Thumb? The lowest bit of its addresses tells."""
    return GCCS[cpu][0].startswith("arm-")


def compiled(folder, cpu, name, *words, compiler="gcc"):
    """calls.c of the CPU as an object."""
    cc = [program(GCCS[cpu][0]), *flags_of(cpu)] if compiler == "gcc" else [program("clang"), f"--target={CLANGS[cpu]}", *CLANG_FLAGS[cpu]]
    run(*cc, *WARN, STANDARD["c"], "-ffunction-sections", "-fdata-sections", *words, "-c", "-o", name, HERE / "calls.c", cwd=folder)
    return folder / name


def linked(folder, cpu, name, *words, compiler="gcc", link=("-Wl,-z,start-stop-gc",)):
    made = compiled(folder, cpu, f"{name}.o", *words, compiler=compiler)
    keep = folder / "keep.c"  # as the agent takes the rows
    keep.write_text("extern const char __start_dprobes_hooks[] __attribute__((weak));\nvoid start(void);\nconst char *volatile rows;\n"
                    "void _start(void) { rows = __start_dprobes_hooks; start(); }\n")
    elf = folder / f"{name}.elf"
    run(program(GCCS[cpu][0]), *flags_of(cpu), "-ffreestanding", "-nostdlib", "-static", "-Wl,--gc-sections", "-Wl,--build-id=none", "-Wl,-e,_start",
        "-Wl,-z,max-page-size=4096", "-Wl,-z,noexecstack", *link, "-o", elf, made, keep, "-lgcc", cwd=folder)
    return elf


def symbols(cpu, elf):
    """{name: (address, bytes)} of the functions."""
    listing = run(program("readelf"), "-sW", elf)
    return {name: (int(address, 16) & ~thumb(cpu), int(size))
            for address, size, name in re.findall(r"\d+: ([0-9a-f]+) +(\d+) FUNC .* (\w+)$", listing, re.M)}


def rows(cpu, elf, folder):
    """The rows of the section dprobes_hooks."""
    run(program(GCCS[cpu][0].replace("gcc", "objcopy")), "-O", "binary", "--only-section=dprobes_hooks", elf, "rows.bin", cwd=folder)
    data = (folder / "rows.bin").read_bytes()
    big = "big endian" in run(program("readelf"), "-h", elf)
    return [row[:2] for row in struct.iter_unpack((">" if big else "<") + "III", data)]


@pytest.mark.parametrize("cpu, compiler", [*((cpu, "gcc") for cpu in GCCS), *(
    pytest.param(cpu, "clang", marks=pytest.mark.nightly) for cpu in CLANGS)])
@pytest.mark.parametrize("level", ["-Os", pytest.param("-O2", marks=pytest.mark.nightly), pytest.param("-O0", marks=pytest.mark.nightly)])
def test_what_a_hook_adds(dprobes, tmp_path, cpu, compiler, level):
    """One no-op, a row, and a cold block of the same function; D lists the same places as of a plain hook."""
    alone = [level, "-fno-inline", *(["-fno-ipa-cp"] if compiler == "gcc" else [])]
    plain = linked(tmp_path, cpu, "plain", *alone, compiler=compiler)
    calls = linked(tmp_path, cpu, "calls", *alone, "-DCALLS", compiler=compiler)
    found = rows(cpu, calls, tmp_path)
    places = sorted(int(row["address"], 16) for row in listed(dprobes, calls))
    assert [place & ~thumb(cpu) for place, _ in found] == places and len(places) == len(listed(dprobes, plain)) == 2
    of = symbols(cpu, calls)
    for name, row in zip(("put", "full"), sorted(found, key=lambda row: not of["put"][0] <= row[0] < sum(of["put"]))):
        start, bytes_ = of[name]
        place, body = row[0] & ~thumb(cpu), row[1]
        assert start <= place and place + NOPS[cpu] <= body < start + bytes_  # cold: behind the way without exits
        if thumb(cpu) and compiler == "gcc" and level == "-Os":
            assert start + bytes_ - body <= COLD_MOST
            assert body - start <= symbols(cpu, plain)[name][1] + 4


@pytest.mark.parametrize("cpu", GCCS)
def test_an_unused_function_goes(tmp_path, cpu):
    """The linker drops a function with such a hook that nobody calls, when it is told to; without the option it keeps it."""
    gone = symbols(cpu, linked(tmp_path, cpu, "gone", "-Os", "-DCALLS"))
    kept = symbols(cpu, linked(tmp_path, cpu, "kept", "-Os", "-DCALLS", link=("-Wl,-z,nostart-stop-gc",)))
    assert "put" in gone and "unused" not in gone and "unused" in kept
    assert len(rows(cpu, tmp_path / "gone.elf", tmp_path)) == 2 and len(rows(cpu, tmp_path / "kept.elf", tmp_path)) == 3


def test_no_hooks(tmp_path):
    """-DDPROBES_NO_HOOKS leaves no byte."""
    cpu = next(iter(GCCS))
    made = compiled(tmp_path, cpu, "none.o", "-Os", "-DCALLS", "-DDPROBES_NO_HOOKS", "-Wno-unused")
    assert "dprobes_hooks" not in run(program("readelf"), "-SW", made)


@pytest.mark.parametrize("argument", ["1ll"])
def test_an_argument_of_two_words_is_refused(tmp_path, argument):
    cpu = next(iter(GCCS))
    source = tmp_path / "wide.c"
    source.write_text(f'#include "dprobes_hook.h"\nvoid f(void);\nvoid f(void) {{ DPROBES_HOOK_CALL(a, b, {argument}); }}\n')
    with pytest.raises(AssertionError, match="negative"):
        run(program(GCCS[cpu][0]), *flags_of(cpu), *WARN, "-c", "-o", "wide.o", source, cwd=tmp_path)
