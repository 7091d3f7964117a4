# SPDX-License-Identifier: BSD-2-Clause
"""agent/tree: the agent compiled from the files of the tree, not from the released pair."""
import os
import re
import subprocess

import pytest

import cpus
import sources_mk
import tables
from harness import rtos
from harness.paths import TOP, built, program

BOARDS = cpus.column("board")
USUAL = min(BOARDS)
ONES = [cpu if cpu == USUAL else pytest.param(cpu, marks=pytest.mark.nightly) for cpu in sorted(BOARDS)]
LOSSES = dict(tables.rows("protocol/features.def", "DP_FEATURE"))


def compiler(cpu):
    facts = sources_mk.read(str(TOP / "boards" / BOARDS[cpu]))
    flags = [flag for name in ("CPU_FLAGS", "ISA_FLAGS", "AGENT_FLAGS") for flag in sources_mk.words(facts, name)]
    return facts["CROSS"], " ".join(flag for flag in flags if not flag.startswith("-D"))


def make(folder, *words, file="agent/tree/Makefile"):
    return subprocess.run(["make", "-s", "-f", TOP / file, *words], cwd=folder, text=True, capture_output=True,
                          env={name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")})


def globals_of(cross, path):
    """{name: the kind of nm} of what other files of the firmware see."""
    out = subprocess.run([program(f"{cross}nm"), "-g", path], text=True, capture_output=True, check=True).stdout
    return {name: kind for kind, name in re.findall(r" ([A-Z]) (\S+)$", out, re.M)}


# proves: A3.59
@pytest.mark.parametrize("cpu", ONES)
def test_object_is_the_released_one(cpu, tmp_path):
    """Without a warning; the same global names as the released pair; all code in the section that nobody may probe."""
    cross, flags = compiler(cpu)
    run = make(tmp_path, f"CPU={cpu}", f"CC={program(cross + 'gcc')}", f"CFLAGS=-Os -Wall -Wextra -Wundef -Werror {flags}")
    assert (run.returncode, run.stderr) == (0, "")
    made = tmp_path / "dprobes_agent.o"
    out = subprocess.run([program(f"{cross}objdump"), "-h", made], text=True, capture_output=True, check=True).stdout
    code = re.findall(r"^ *\d+ (\S+) .*\n.*CODE", out, re.M)
    assert code == ["dprobes_text"]
    released = {}
    for name in ("dprobes_agent", "dprobes_entry"):
        released |= {n: k for n, k in globals_of(cross, built("boards", BOARDS[cpu], "build", "release", cpu, f"{name}.o")).items() if n not in released or k != "U"}
    mine = globals_of(cross, made)
    public = {name for name, kind in released.items() if kind != "U" and name.startswith("dprobes_") and not name.startswith("dprobes_core_")}
    assert {name for name, kind in mine.items() if kind != "U" and not name.startswith("dprobes_core_")} == public


# proves: A3.59
@pytest.mark.parametrize("cpu", ONES)
def test_cmake_makes_the_same_object(cpu, tmp_path):
    """A project of somebody, which has options of its own: the names and the section of the object that make makes, and
    the knobs in the project's files too."""
    cross, flags = compiler(cpu)
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.13)\nproject(firmware LANGUAGES C ASM)\nset(DPROBES_CPU {cpu})\nset(DPROBES_DEFINES DP_MAX_PROBES=8)\n"
        f"add_compile_options({flags} -Os -Wall -Wextra -Wundef -Werror)\nadd_subdirectory({TOP / 'agent/tree'} dprobes)\n"
        f"add_executable(firmware firmware.c)\ntarget_compile_options(firmware PRIVATE -ffreestanding)\ntarget_link_options(firmware PRIVATE {flags} -nostdlib -r)\ntarget_link_libraries(firmware PRIVATE dprobes_agent)\n")
    (tmp_path / "firmware.c").write_text('#include "dprobes.h"\n_Static_assert(DP_MAX_PROBES == 8, "a knob of the project");\n'
                                         "bool (*poll)(void) = dprobes_poll;\n")
    for words in (["-S", tmp_path, "-B", tmp_path / "out", "-DCMAKE_SYSTEM_NAME=Generic", f"-DCMAKE_C_COMPILER={program(cross + 'gcc')}",
                   f"-DCMAKE_ASM_FLAGS={flags}", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"], ["--build", tmp_path / "out"]):
        run = subprocess.run([program("cmake"), *words], text=True, capture_output=True)
        assert run.returncode == 0, run.stdout + run.stderr
    made = make(tmp_path, f"CPU={cpu}", f"CC={program(cross + 'gcc')}", f"CFLAGS=-Os {flags}", "DEFINES=-DDP_MAX_PROBES=8")
    assert made.returncode == 0, made.stderr
    objects = tmp_path / "dprobes_agent.o", next((tmp_path / "out").rglob("dprobes_agent.o"))
    assert globals_of(cross, objects[0]) == globals_of(cross, objects[1])
    sizes = [dict(re.findall(r"^(dprobes_text|\.bss\S*|\.data\S*) +(\d+)", subprocess.run(
        [program(f"{cross}size"), "-A", path], text=True, capture_output=True, check=True).stdout, re.M)) for path in objects]
    assert sizes[0] == sizes[1] and "dprobes_text" in sizes[0]


TREE_SETTINGS = """
#include <tree_types.h>
bool uart_put(uint8_t byte);
int uart_get(void);
#define DPROBES_PUT(byte) uart_put(byte)
#define DPROBES_GET()     uart_get()
"""


# proves: A3.54
def test_macros_of_a_tree_change_nothing(tmp_path):
    """`noinline` and `always_inline` are macros of the tree: in the files themselves, and in a glue that has the tree's types."""
    cross, flags = compiler(USUAL)
    (tmp_path / "dprobes_settings.h").write_text(TREE_SETTINGS)
    files = re.findall(r"-c -o \S+ (\S+\.c)$", make(tmp_path, f"CPU={USUAL}", "-n").stdout, re.M)
    includes = make(tmp_path, f"CPU={USUAL}", "includes").stdout.split()
    usual = [program(f"{cross}gcc"), *flags.split(), "-std=gnu11", "-ffreestanding", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{tmp_path}", *includes]
    types = ["-nostdinc", "-DDPROBES_TYPES_H=<tree_types.h>", f"-I{TOP / 'tests/guests/release'}"]
    assert len(files) > 50
    for words in (["-Dnoinline=?", "-Dalways_inline=?", *files], [*types, TOP / "agent/glue/bootloader.c"]):
        run = subprocess.run([*usual, *words], text=True, capture_output=True)
        assert (run.returncode, run.stderr) == (0, "")


# Options of a firmware, and the begin of the names of the functions that its code then calls.
INSTRUMENTED = {"-pg": "__gnu_mcount", "-finstrument-functions": "__cyg_", "-fsanitize=undefined": "__ubsan", "-fsanitize=kernel-address": "__asan"}


def glue(folder, option):
    """The code of each section of bootloader.c, of a firmware with the option."""
    cross, flags = compiler(USUAL)
    (folder / "dprobes_settings.h").write_text(TREE_SETTINGS.replace("<tree_types.h>", "<stdint.h>\n#include <stdbool.h>"))
    includes = make(folder, f"CPU={USUAL}", "includes").stdout.split()
    made = folder / "glue.o"
    subprocess.run([program(f"{cross}gcc"), *flags.split(), "-O1", "-std=gnu11", "-ffreestanding", option, "-c", "-o", made, f"-I{folder}", *includes,
                    TOP / "agent/glue/bootloader.c"], check=True)
    return {name: subprocess.run([program(f"{cross}objdump"), "-dr", "-j", name, made], text=True, capture_output=True, check=True).stdout
            for name in ("dprobes_text", ".text")}


@pytest.mark.parametrize("option", INSTRUMENTED)
def test_instrumented_glue_calls_nothing_in_hits(option, tmp_path):
    code = glue(tmp_path, option)
    assert INSTRUMENTED[option] in code[".text"] and "uart_put" in code["dprobes_text"] and INSTRUMENTED[option] not in code["dprobes_text"], code


@pytest.mark.parametrize("option", [option for option in INSTRUMENTED if option != "-pg"])  # no option takes it back
def test_instrumented_firmware_has_a_plain_agent(option, tmp_path):
    """The options of the agent follow those of the firmware."""
    cross, flags = compiler(USUAL)
    facts = sources_mk.read(str(TOP / "agent"))
    own = [*sources_mk.words(facts, "FLAGS"), *sources_mk.words(facts, "FLAGS_GCC")]
    for name, options in (("firmware", ["-ffreestanding"]), ("agent", own)):
        made = tmp_path / f"{name}.o"
        subprocess.run([program(f"{cross}gcc"), *flags.split(), "-O1", option, *options, f"-I{TOP / 'protocol'}", "-c", "-o", made, TOP / "protocol/dp_frame.c"], check=True)
        names = subprocess.run([program(f"{cross}nm"), made], text=True, capture_output=True, check=True).stdout.split()
        assert any(word.startswith(INSTRUMENTED[option]) for word in names) == (name == "firmware"), (name, names)


def test_unknown_cpu_is_told(tmp_path):
    run = make(tmp_path, "CPU=z80")
    assert run.returncode != 0 and re.search(r"CPU is 'z80'; set it to one of: .*\barm\b", run.stderr)


def test_changed_header_compiles_again(tmp_path):
    """What is made depends on what it is made of."""
    run = make(tmp_path, f"CPU={USUAL}", "-n")
    files = set(re.findall(r"-c -o \S+ (\S+)", run.stdout))
    assert {TOP / "agent/hit/hit.c", TOP / "port" / USUAL / "entry.S"} <= {type(TOP)(os.path.realpath(file)) for file in files}
    assert run.stdout.count(" -MMD ") == len(files) > 50


# What NuttX's Application.mk does of a Makefile of an application: it compiles CSRCS and MAINSRC, and puts EXTOBJS beside them.
APPLICATION = """
OBJS = $(notdir $(CSRCS:.c=.o) $(MAINSRC:.c=.o)) $(EXTOBJS)
app.a: $(OBJS)
	$(AR) rcs $@ $(OBJS)
%.o: %.c
	$(CC) -c $(CFLAGS) -o $@ $<
distclean::
"""
DEFS = """
CC = {cross}gcc
AR = {cross}ar
OBJCOPY = {cross}objcopy
OBJEXT = .o
CFLAGS = {flags} -Os -I{headers} -Wall -Wextra -Werror
ARCHCPUFLAGS = {flags}
ARCHOPTIMIZATION = -Os
CONFIG_SYSTEM_DPROBES = y
CONFIG_SYSTEM_DPROBES_CPU = "{cpu}"
{options}
VPATH = {app}
app: app.a
"""


@pytest.fixture
def nuttx(tmp_path):
    """apps/system/dprobes of a tree of NuttX."""
    cross, flags = compiler(USUAL)
    rtos.write_nuttx(tmp_path / "include")
    app = tmp_path / "apps/system/dprobes"
    app.parent.mkdir(parents=True)
    app.symlink_to(TOP / "agent/tree/nuttx")
    (tmp_path / "apps/Application.mk").write_text(APPLICATION)
    config = tmp_path / "include/nuttx/config.h"
    config.write_text(config.read_text() + "#define CONFIG_RAM_START 0x20000000\n#define CONFIG_RAM_SIZE 65536\n#define CONFIG_ARCH_CORTEXM3 1\n")

    def build(**options):
        kconfig = (TOP / "agent/tree/Kconfig").read_text()
        values = {f"CONFIG_DPROBES_{name}": "y" if kind == "bool" else default for name, kind, default in
                  re.findall(r'^config DPROBES_(\w+)\n\t(bool|int) .*\n(?:\tdefault \S+ if .*\n)*\tdefault (\S+)$', kconfig, re.M) if default != "n"}
        values.update({f"CONFIG_DPROBES_{name}": value for name, value in options.items()})
        lines = "\n".join(f"{name} = {value}" for name, value in values.items())
        (tmp_path / "apps/Make.defs").write_text(DEFS.format(cross=cross, flags=flags, headers=tmp_path / "include", cpu=USUAL, options=lines, app=app))
        folder = tmp_path / f"out{len(list(tmp_path.glob('out*')))}"
        folder.mkdir()
        run = make(folder, f"APPDIR={tmp_path / 'apps'}", file=app / "Makefile")
        assert run.returncode == 0, run.stderr
        return folder
    return build


# proves: A3.58
def test_nuttx_application(nuttx):
    """Glue, command and agent in one archive, with the knobs of Kconfig; the memory lies in .bss, which no script of NuttX
    forgets, and before the heap."""
    cross, _ = compiler(USUAL)
    folder = nuttx(MAX_PROBES="8", WITH_D="")
    names = globals_of(cross, folder / "dprobes_agent.o")
    assert {"dprobes_init", "dprobes_poll"} <= set(names)
    glue = subprocess.run([program(f"{cross}objdump"), "-ht", folder / "nuttx.o"], text=True, capture_output=True, check=True).stdout
    assert ".noinit" not in glue
    assert {".bss.dprobes_slots", ".bss.dprobes_keep"} <= set(re.findall(r"^ *\d+ (\S+) .*\n +ALLOC$", glue, re.M))
    less = size_of(cross, folder / "nuttx.o"), size_of(cross, folder / "dprobes_agent.o")
    folder = nuttx(MAX_PROBES="64")
    more = size_of(cross, folder / "nuttx.o"), size_of(cross, folder / "dprobes_agent.o")
    assert less[0][2] < more[0][2] - 56 * 52 and less[1][0] < more[1][0] - 4000


def size_of(cross, path):
    """(text, data, bss)"""
    out = subprocess.run([program(f"{cross}size"), path], text=True, capture_output=True, check=True).stdout
    return tuple(map(int, out.splitlines()[1].split()[:3]))


def test_help_of_a_feature_is_whole():
    """The lines of the help text are the sentence of the table, from its first letter to its last."""
    text = (TOP / "agent/tree/Kconfig").read_text()
    helps = {name: " ".join(lines.split()) for name, lines in
             re.findall(r"^config DPROBES_WITH_(\w+)\n(?:\t\w.*\n)*\thelp\n((?:\t  .+\n)+)", text, re.M)}
    assert helps.pop("HOOKS") == "C exits (agent/guide/hooks.md): left out unless set to 1."
    assert helps == {name: f"Without it the agent lacks: {loss}." for name, loss in LOSSES.items()}


def test_nuttx_defs_name_the_folder():
    defs = (TOP / "agent/tree/nuttx/Make.defs").read_text()
    assert "$(CONFIG_SYSTEM_DPROBES)" in defs and "$(APPDIR)/system/dprobes" in defs
    kconfig = (TOP / "agent/tree/nuttx/Kconfig").read_text()
    assert set(re.findall(r'default "(\w+)" if', kconfig)) <= set(BOARDS)
