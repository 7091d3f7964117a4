# SPDX-License-Identifier: BSD-2-Clause
"""The agent has nothing underneath: no libc, no libgcc, no OS.

Linked for each CPU, its core asks for the port's functions and nothing else; with the port it asks
for what the port's sources.mk lists in EXTERNALS and nothing else. It uses no FP register: nobody
saves them around a hit.
"""
import re
import subprocess

import pytest

import agent_release
import cpus
import sources_mk
from harness.paths import BUILD, TOP, built, program

VARIANTS = sorted(path.parent.name for path in BUILD.glob("agent/*/core.o"))


def symbols(path):
    """(defined, undefined) global symbols; readelf reads every CPU's objects."""
    listing = subprocess.run(["readelf", "-sW", str(path)], capture_output=True, text=True,
                             check=True).stdout
    defined, undefined = set(), set()
    for line in listing.splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[0][:-1].isdigit() and fields[4] in ("GLOBAL", "WEAK"):
            (undefined if fields[6] == "UND" else defined).add(fields[7])
    return defined, undefined


def declared(prefix, *headers):
    """The functions that headers of port/ declare with this prefix."""
    text = "".join((TOP / "port" / name).read_text() for name in headers)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return set(re.findall(rf"\b({prefix}\w+)\s*\(", text))


def declared_objects(prefix, header):
    """The objects that a header of port/ declares, with this prefix."""
    return set(re.findall(rf"^extern [\w ]+\*?({prefix}\w*);", (TOP / "port" / header).read_text(), re.MULTILINE))


def port_of(variant):
    folders = [path for path in (BUILD / "agent" / variant / "port").iterdir() if (TOP / "port" / path.name / "dp_port_cpu.h").exists()]
    return folders[0].name if folders else None


def test_built():
    built("agent")
    assert VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_core_needs_the_port_only(variant):
    """A macro of the port may use functions and objects that its header declares."""
    _, undefined = symbols(built("agent", variant, "core.o"))
    port = port_of(variant)
    of_port = {name for name in undefined if name.startswith(f"dprobes_{port}_")}  # what a compiler calls by itself
    header = f"{port}/dp_port_cpu.h"
    foreign = undefined - of_port - declared("dp_port_", "dp_port.h", "dp_watch.h") - declared(f"dp_{port}_", header) - declared_objects(f"dp_{port}", header)
    assert not foreign, f"neither in dp_port.h nor in dp_watch.h: {sorted(foreign)}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_core_gives_the_port_what_the_contract_says(variant):
    """dp_watch.h counts for a port with comparators alone; other agents have nothing of it."""
    defined, undefined = symbols(built("agent", variant, "core.o"))
    watched = declared("dp_agent_", "dp_watch.h")
    assert watched and declared("dp_agent_", "dp_port.h") <= defined
    assert watched & defined == (watched if "dp_port_watch_arm" in undefined else set())


# proves: P1.1
@pytest.mark.parametrize("variant", VARIANTS)
def test_agent_needs_nothing(variant):
    _, undefined = symbols(built("agent", variant, "agent.o"))
    port = port_of(variant)
    documented = sources_mk.words(sources_mk.read(str(TOP / "port" / port)), "EXTERNALS")
    assert undefined <= set(documented), \
        f"not in EXTERNALS of port/{port}/sources.mk: {sorted(undefined - set(documented))}"


# proves: A1.4 A3.22
@pytest.mark.parametrize("variant", [v for v in VARIANTS if not v.startswith("template")])
def test_private_stack_is_enough(variant):
    """With a callback of the board and a nested hit on the deepest path."""
    text = built("agent", variant, "size.txt").read_text()
    needed, there = map(int, re.search(r"private stack, .* = (\d+) of (\d+)", text).groups())
    assert needed <= there


# proves: P5.7
@pytest.mark.parametrize("variant", [v for v in VARIANTS if not v.startswith("template")])  # which defines every function
def test_ports_and_segments_only_where_the_cpu_has_them(variant):
    groups = re.search(r"^#define DP_PORT_GROUPS +(.*)", (TOP / "port" / port_of(variant) / "dp_port_cpu.h").read_text(), re.M)[1]
    defined, _ = symbols(built("agent", variant, "agent.o"))
    assert ("dp_port_io_read" in defined) == ("dp_port_io_write" in defined) == ("RPN_GROUP_IO" in groups)
    assert ("dp_port_seg2lin" in defined) == ("RPN_GROUP_SEG" in groups)


@pytest.mark.parametrize("variant", VARIANTS)
def test_names_stay_ours(variant):
    """Somebody's firmware links this: nothing global outside our prefixes."""
    defined, _ = symbols(built("agent", variant, "agent.o"))
    foreign = sorted(name for name in defined if not name.startswith(("dp_", "dprobes_", "rpn_", "$")))
    assert not foreign


# How the disassembly of an instruction that uses FP or SIMD registers looks.
FP_INSTRUCTION = {row.name: re.compile(row.fp) for row in cpus.rows()}


def fp_instructions(cpu, objdump, path):
    listing = subprocess.run([objdump, "-d", "--no-show-raw-insn", str(path)],
                             capture_output=True, text=True, check=True).stdout
    texts = re.findall(r"^\s*[0-9a-f]+:\t(.*?)(?:\s*[@#<].*)?$", listing, re.MULTILINE)
    assert len(texts) > 20, path
    texts = [" ".join(text.split()) for text in texts]
    return [text for text in texts if FP_INSTRUCTION[cpu].search(text) and not re.search(cpus.of(cpu).fp_reads, text)]


@pytest.mark.parametrize("cpu", FP_INSTRUCTION)
def test_fp_is_recognised(cpu):
    assert all(FP_INSTRUCTION[cpu].search(text) for text in cpus.of(cpu).fp_samples)
    assert not any(FP_INSTRUCTION[cpu].search(text) for text in cpus.of(cpu).integer_samples)


# proves: A3.2 P1.1
@pytest.mark.parametrize("variant", [v for v in VARIANTS if port_of(v) in cpus.names()])
def test_no_fp_registers(variant):
    cpu = port_of(variant)
    prefix = next(iter(cpus.of(cpu).cross.values()))
    assert fp_instructions(cpu, program(f"{prefix}objdump"), built("agent", variant, "agent.o")) == []


def compile_arm(source, folder, *flags):
    include = [f"-I{TOP / name}" for name in ("protocol", *sources_mk.include_folders("agent"), "port", "port/arm")]
    return subprocess.run(
        [program("arm-none-eabi-gcc"), "-std=c11", "-O2", "-mcpu=cortex-a9", "-mthumb",
         "-mfpu=neon", "-mfloat-abi=hard", "-ffreestanding", *flags, *include, "-c", TOP / source,
         "-o", folder / "object.o"], capture_output=True, text=True, check=False)


def test_hard_float_stops_the_build(tmp_path):
    """Firmware that is compiled for NEON needs the flag that port/arm/sources.mk asks for."""
    refused = compile_arm("port/arm/step.c", tmp_path)
    assert refused.returncode != 0 and "-mgeneral-regs-only" in refused.stderr


@pytest.mark.parametrize("source", ["agent/hit/hit.c", "agent/vm/rpn_trace.c"])
def test_firmware_with_sse(source, tmp_path):
    """Firmware that is compiled for a CPU with SSE: the agent uses no register of it with the options of dprobes.mk."""
    cpu = cpus.of_board("pc").name
    include = [f"-I{TOP / name}" for name in ("protocol", *sources_mk.include_folders("agent"), "port", f"port/{cpu}")]
    found = []
    for flags in ([], [*agent_release.flags(cpu), *agent_release.flags(cpu, "FLAGS_GCC")]):
        subprocess.run([program("i686-linux-gnu-gcc"), "-std=c11", "-O2", "-march=pentium4", "-ffreestanding", *flags, *include,
                        "-c", TOP / source, "-o", tmp_path / "object.o"], check=True)
        found.append(fp_instructions(cpu, program("i686-linux-gnu-objdump"), tmp_path / "object.o"))
    assert found[0] and not found[1]


# proves: A3.2
@pytest.mark.nightly
def test_firmware_with_hard_float(tmp_path):
    """The agent of such firmware, compiled with that flag, uses no register of NEON."""
    made = []
    for source in sources_mk.source_files("agent") + sources_mk.port_files("arm"):
        if not source.endswith(".c"):
            continue
        made.append(tmp_path / source.replace("/", "-"))
        made[-1].mkdir()
        done = compile_arm(source, made[-1], "-mgeneral-regs-only")
        assert done.returncode == 0, done.stderr
    subprocess.run([program("arm-none-eabi-ld"), "-r", "-o", tmp_path / "all.o",
                    *(folder / "object.o" for folder in made)], check=True)
    assert fp_instructions("arm", program("arm-none-eabi-objdump"), tmp_path / "all.o") == []


def test_clang_has_nothing_to_say(tmp_path):
    """Firmware that is built with clang and -Werror takes these files as they are."""
    headers = subprocess.run([program("arm-none-eabi-gcc"), "-print-file-name=include"], text=True,
                             capture_output=True, check=True).stdout.strip()
    sources = [source for folder in ("agent", "protocol", "port/arm")
               for source in sources_mk.source_files(folder) if source.endswith(".c")]
    assert len(sources) > 30
    run = subprocess.run(
        [program("clang"), "--target=arm-none-eabi", "-mcpu=cortex-a9", "-mthumb", "-std=c11", "-Os",
         "-ffreestanding", "-Wall", "-Wextra", "-Werror", "-isystem", headers, "-fsyntax-only",
         *(f"-I{TOP / name}" for name in ("protocol", *sources_mk.include_folders("agent"), "port", "port/arm")),
         *(TOP / source for source in sources)],
        cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_mips_firmware_with_hard_float(tmp_path):
    include = [f"-I{TOP / name}" for name in ("protocol", *sources_mk.include_folders("agent"), "port", "port/mips")]
    refused = subprocess.run(
        [program("mipsel-linux-gnu-gcc"), "-std=c11", "-Os", "-march=mips32r2", "-mabi=32",
         "-mno-abicalls", "-fno-pic", "-mhard-float", "-ffreestanding", *include, "-c",
         TOP / "port/mips/step.c", "-o", tmp_path / "object.o"],
        capture_output=True, text=True, check=False)
    assert refused.returncode != 0 and "-msoft-float" in refused.stderr
