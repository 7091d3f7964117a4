# SPDX-License-Identifier: BSD-2-Clause
"""agent/dprobes.h, the one header of a firmware: short, C99 and C++11, and the memory that it states is enough."""
import re
import subprocess

import pytest

import agent_features
import cpus
import sources_mk
from harness.paths import TOP, program

CPUS, CLANG = cpus.column("header_gcc"), cpus.column("clang")
LINES_MAX = 420  # Cortex-M states the size of its copy of the vector table, and of its table of traps in flash
SLACK_MAX = 2048  # bytes of DPROBES_STORAGE_BYTES that nothing uses; twice as many with the simulated port
# Stated with FULL, too, which switches the governor off: 12 bytes of each of 240 probes.
GOVERNOR_BYTES = {"large": 12 * 240}
# All that a firmware says of itself, in what C99 and C++11 share.
FIRMWARE = """
#include "dprobes_hit.h"

DPROBES_MEMORY(memory);
DPROBES_SYMBOLS(__text_start, __text_end, __ram_start, __ram_end, __note);
DPROBES_LINKED(linked, __text_start, __text_end, __ram_start, __ram_end, __note);
DPROBES_CODE static bool put(void *ctx, uint8_t byte) { return ctx == 0 && byte == 0; }
static struct dprobes_board board;
int start(void);
int start(void)
{
    board.com[0].put = put;
    board.linked = &linked;
    return dprobes_init(&memory, &board) + (int)dprobes_poll() + (int)dprobes_rx(0, 1);
}
"""
KNOBS = {
    "default": [],
    "large": ["-DDP_STACK_WORDS=2048", "-DDP_MAX_PROBES=240", "-DDP_MAX_MODULES=16", "-DDP_RX_LINES=64",
              "-DDP_MAX_PROGRAMS=64", "-DDP_GVARS=256", "-DDP_RING_BYTES=65536", "-DDP_MAX_RANGES=64",
              "-DDP_PROFILE=DP_PROFILE_FULL"],
    "small": ["-DDP_WITH_ALL=0", "-DDP_MAX_PROBES=1", "-DDP_MAX_PROGRAMS=1", "-DDP_ARENA_BYTES=512", "-DDP_STACK_WORDS=32",
              "-DDP_LOG_MAX=32", "-DDP_GVARS=1", "-DDP_RING_BYTES=256", "-DDP_RX_LINES=1", "-DDP_MAX_MODULES=1"],
    **{name: [f"-DDP_AGENT=DP_AGENT_{name.upper()}"] for name in agent_features.AGENTS if name != "full"},
    "two lines": ["-DDP_WITH_LANGUAGE=0", "-DDP_WITH_STREAM=0", "-DDP_RX_LINES=1", "-DDP_MAX_PROBES=1", "-DDP_MAX_PROGRAMS=1"],
}
# Each CPU, and the forms that no CPU has yet: words of 64 bits, long instructions, several CPUs.
SIM = ("gcc", "-DDP_PORT_STACK_BYTES=1024")
FORMS = {**{cpu: (cpu, words) for cpu, words in CPUS.items()}, **{name: ("sim", (*SIM, *words)) for name, words in {
    "64 bits": ("-DDP_WORD_BITS=64",), "long instructions": ("-DDP_SIM_WIDE=1",), "4 CPUs": ("-m32", "-DDP_PORT_CPUS=4"),
    "4 CPUs, long instructions": ("-DDP_PORT_CPUS=4", "-DDP_SIM_WIDE=1")}.items()}}


def includes(cpu):
    return [f"-I{TOP / folder}" for folder in (*sources_mk.include_folders("agent"), "protocol", "port", f"port/{cpu}")]


def compiled(words, text, folder, suffix):
    source, out = folder / f"firmware.{suffix}", folder / "firmware.o"
    source.write_text(text)
    done = subprocess.run([program(words[0]), *words[1:], "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffreestanding", "-c",
                           source, "-o", out], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


def lines_of(path, folders):
    """Lines of a header and of ours that it includes."""
    text = path.read_text()
    count = len(text.splitlines())
    for name in re.findall(r'^#include "([^"]+)"', text, re.M):
        count += lines_of(next(folder / name for folder in folders if (folder / name).exists()), folders)
    return count


@pytest.mark.parametrize("cpu", CPUS)
def test_short(cpu):
    assert lines_of(TOP / "agent/dprobes.h", [TOP / "agent", TOP / "protocol", TOP / f"port/{cpu}"]) <= LINES_MAX


@pytest.mark.parametrize("cpu", CPUS)
def test_c99(cpu, tmp_path):
    compiled([*CPUS[cpu], "-std=c99", *includes(cpu)], FIRMWARE, tmp_path, "c")


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
@pytest.mark.parametrize("cpu", CLANG)
def test_cpp(cpu, standard, tmp_path):
    """No name is mangled: the agent is C."""
    headers = subprocess.run([program(CPUS[cpu][0]), "-print-file-name=include"], text=True, capture_output=True,
                             check=True).stdout.strip()
    made = compiled(["clang++", f"--target={CLANG[cpu]}", f"-std={standard}", "-isystem", headers, *includes(cpu)], FIRMWARE,
                    tmp_path, "cpp")
    listing = subprocess.run(["readelf", "-sW", made], capture_output=True, text=True, check=True).stdout
    wanted = set(re.findall(r" UND (\w+)$", listing, re.M))
    assert {"dprobes_init", "dprobes_poll", "dprobes_rx", "__text_start"} <= wanted


@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("form", FORMS)
def test_storage(form, knobs, tmp_path):
    """The agent refuses to compile where the stated memory is too small; nor is much of it wasted."""
    cpu, words = FORMS[form]
    sizes = {"used": "sizeof(struct image)", "stated": "DPROBES_STORAGE_BYTES", "keep": "DP_KEEP_BYTES", "keep_stated": "DPROBES_KEEP_BYTES",
             "slots": "(DP_MAX_PROBES + DP_PORT_SLOTS_EXTRA) * (DP_PORT_SLOT_BYTES + 1)", "slots_stated": "DPROBES_SLOTS_BYTES",
             "slots_served": "(DP_SLOTS_MAX + DP_PORT_SLOTS_EXTRA) * (DP_PORT_SLOT_BYTES + 1)", "word": "sizeof(dp_word)"}
    text = f'#include "{TOP}/agent/glue/dprobes.c"\n' + "".join(f"char {name}[{size}];\n" for name, size in sizes.items())
    made = compiled([*words, "-std=gnu11", *KNOBS[knobs], *includes(cpu)], text, tmp_path, "c")
    listing = subprocess.run(["readelf", "-sW", made], capture_output=True, text=True, check=True).stdout
    size = {name: int(re.search(rf" (\w+) OBJECT +GLOBAL .* {name}$", listing, re.M).group(1), 0) for name in sizes}
    slack = (SLACK_MAX * (1 + (cpu == "sim")) + GOVERNOR_BYTES.get(knobs, 0)) * size["word"] // 4
    assert size["used"] <= size["stated"] <= size["used"] + slack
    assert size["keep"] <= size["keep_stated"] <= size["keep"] + 32
    assert size["slots"] <= size["slots_stated"] <= size["slots_served"] + 16


def test_storage_too_small(tmp_path):
    """The build says which fact is wrong."""
    header = (TOP / "agent/dprobes.h").read_text()
    assert header.count("(196 +") == 1
    (tmp_path / "dprobes.h").write_text(header.replace("(196 +", "(0 +"))
    done = subprocess.run([program(CPUS["arm"][0]), "-std=c11", "-ffreestanding", "-fsyntax-only", f"-I{tmp_path}", *KNOBS["small"],
                           "-iquote", tmp_path, *includes("arm"), TOP / "agent/glue/dprobes.c"], capture_output=True, text=True,
                          check=False)
    assert done.returncode != 0 and "DPROBES_STATE_BYTES" in done.stderr
