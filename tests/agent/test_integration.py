# SPDX-License-Identifier: BSD-2-Clause
"""agent/README.md and agent/guide, the agent in somebody's firmware: its C compiles for every CPU that has a board, its
linker script lines put things where it says, and its figures are true."""
import re
import subprocess

import pytest

import agent_release
import cpus
import sources_mk
import tables
from harness import rtos
from harness.paths import TOP, built, program
from harness.staying import StayingLine

GUIDE = "\n".join(path.read_text(encoding="utf-8") for path in (
    TOP / "agent" / "README.md", *sorted((TOP / "agent" / "guide").glob("*.md"))))
BOARDS = cpus.column("board")
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
FIRMWARE_FLAGS = ["-ffreestanding", "-ffunction-sections", "-Os"]

# What the guide leaves to the firmware.
FIRMWARE = """
#include "dprobes.h"
void firmware_start(void);
void firmware_byte(uint8_t byte);
void firmware_print(const char *text, size_t bytes);
bool uart_put(uint8_t byte);
void shell_byte(uint8_t byte);
void _start(void);
__attribute__((section(".vectors"), used)) static const uint32_t vectors[8];
DPROBES_CODE bool uart_put(uint8_t byte) { (void)byte; return true; }
void shell_byte(uint8_t byte) { (void)byte; }
void _start(void) { firmware_start(); firmware_byte(0); firmware_print("x", 1); dprobes_poll(); }
"""
# With the ready-made glue.
SETTLED = """
#include "dprobes_settings.h"
#include "dprobes_start.h"
void _start(void);
__attribute__((section(".vectors"), used)) static const uint32_t vectors[8];
DPROBES_CODE bool uart_put(uint8_t byte) { (void)byte; return true; }
void shell_byte(uint8_t byte) { (void)byte; }
void _start(void) { dprobes_start(); dprobes_rx(0, 0); dprobes_print("x", 1); dprobes_poll(); }
"""



def blocks(kind):
    """The blocks of the guide that begin with ```KIND."""
    found = re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE, re.M | re.S)
    assert found, kind
    return "\n".join(found)


def small():
    """The knobs of an agent with little memory."""
    return re.search(r"^```\n(-D.*?)```$", GUIDE, re.M | re.S).group(1).split()


class Compiler:
    """A CPU's, with the flags of one of its boards."""

    def __init__(self, cpu, folder):
        if not (TOP / "port" / cpu / "dp_port_cpu.h").exists() or not (TOP / "boards" / BOARDS[cpu]).exists():
            pytest.skip(f"no port or board of {cpu} in this tree")
        facts = sources_mk.read(str(TOP / "boards" / BOARDS[cpu]))
        self.cpu, self.folder = cpu, folder
        self.cross = facts["CROSS"]
        self.gcc = program(f"{self.cross}gcc")
        self.flags = [flag for name in ("CPU_FLAGS", "ISA_FLAGS", "AGENT_FLAGS")
                      for flag in sources_mk.words(facts, name)]
        self.release = built("release")
        self.include = [f"-I{self.release / cpu}", f"-I{self.release / 'glue'}", f"-I{folder}"]

    def object(self, source, out=None, extra=()):
        out = out or self.folder / f"{source.stem}.o"
        done = subprocess.run([self.gcc, *WARNINGS, *FIRMWARE_FLAGS, *self.flags, *self.include, *extra, "-c",
                               source, "-o", out], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return out

    def text(self, name, text, extra=()):
        path = self.folder / name
        path.write_text(text)
        return self.object(path, extra=extra)

    def output(self, tool, *words):
        return subprocess.run([program(f"{self.cross}{tool}"), *words], capture_output=True, text=True,
                              check=True).stdout


def with_agent(cpu):
    """Tests with the agent of a CPU run in one process, which compiles it once for all of them."""
    return pytest.mark.xdist_group(f"agent of {cpu}")


@pytest.fixture(params=[pytest.param(cpu, marks=with_agent(cpu)) for cpu in BOARDS])
def compiler(request, tmp_path):
    return Compiler(request.param, tmp_path)


AGENTS = {}


def agent_objects(compiler, extra):
    """The agent with the options of dprobes.mk. The objects lie in the folder of the first test that wanted them."""
    made = compiler.cpu, *extra
    if made not in AGENTS:
        flags = [*agent_release.flags(compiler.cpu), *agent_release.flags(compiler.cpu, "FLAGS_GCC"), *extra]
        AGENTS[made] = [compiler.object(compiler.release / compiler.cpu / name, compiler.folder / f"{name}.o", flags)
                        for name in ("dprobes_agent.c", "dprobes_entry.S")]
    return AGENTS[made]


def base_of(cpu):
    return cpus.of(cpu).linked_at


def guide_script(compiler, base):
    """A linker script with the guide's lines."""
    script = compiler.folder / "firmware.ld"
    script.write_text(f"ENTRY(_start)\nSECTIONS\n{{\n\t. = {base:#x};\n{blocks('ld')}\n"
                      "\t.data : { *(.rodata*) *(.data*) *(.sdata*) }\n\t__ram_start = .;\n"
                      "\t.bss (NOLOAD) : ALIGN(8) { __bss_start = .; *(.bss*) *(.sbss*) *(COMMON) "
                      ". = ALIGN(8); __bss_end = .; }\n\t.noinit (NOLOAD) : { *(.noinit .noinit.*) }\n"
                      "\t. += 0x8000;\n\t__ram_end = .;\n"
                      "\t/DISCARD/ : { *(.reginfo) *(.MIPS.abiflags) *(.pdr) *(.gnu.attributes) }\n}\n")
    return script


def link(compiler, parts, base):
    """The firmware, with the guide's lines in its linker script."""
    return linked(compiler, guide_script(compiler, base), parts)


def linked(compiler, script, parts, extra=()):
    elf = compiler.folder / "firmware.elf"
    done = subprocess.run([compiler.gcc, *compiler.flags, *extra, "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=sha1",
                           "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments", "-Wl,--no-warn-mismatch",
                           f"-L{compiler.release}", "-T", script, *parts, "-lgcc", "-o", elf],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return elf


# proves: A3.1
@pytest.mark.parametrize("glue", [False, True], ids=["by hand", "ready-made"])
def test_links_as_it_says(compiler, glue):
    if glue:
        (compiler.folder / "dprobes_settings.h").write_text(blocks("c settings"))
        parts = [compiler.object(compiler.release / "glue" / "baremetal.c", extra=small()),
                 compiler.text("firmware.c", SETTLED, small())]
    else:
        parts = [compiler.text("board.c", blocks("c"), small()), compiler.text("firmware.c", FIRMWARE, small())]
    elf = link(compiler, parts + agent_objects(compiler, small()), base_of(compiler.cpu))
    symbols = {name: int(value, 16) & 0xfffffffe for value, _, name in
               re.findall(r"^([0-9a-f]+) (\w) (\S+)$", compiler.output("nm", elf), re.M)}
    start, end = symbols["__start_dprobes_text"], symbols["__stop_dprobes_text"]
    for name in ("dprobes_init", "dp_agent_trap", "dp_port_step", "uart_put", "agent_put" if glue else "put"):
        assert start <= symbols[name] < end, name
    for name in ("_start", "shell_byte"):
        assert symbols["__text_start"] <= symbols[name] < symbols["__text_end"], name
    assert symbols["__locked_start"] < start < end <= symbols["__text_start"] <= symbols["__locked_end"]
    sections = dict(re.findall(r"\] (\.\S+) +(\w+) ", compiler.output("readelf", "-SW", elf)))
    assert sections[".noinit"] == "NOBITS"
    note = compiler.output("readelf", "-SW", elf)
    at = int(re.search(r"\] \.note\.gnu\.build-id +NOTE +(\w+)", note).group(1), 16)
    assert symbols["dprobes_note"] == at


def test_regions(compiler):
    """The guide's lines for a script whose output sections name regions."""
    base = base_of(compiler.cpu)
    parts = [compiler.text("board.c", blocks("c"), small()), compiler.text("firmware.c", FIRMWARE, small())]
    lines = blocks("ld").replace("\tINCLUDE dprobes.ld\n", blocks("ld regions")).replace("\t}\n", "\t} > FLASH\n")
    assert "INCLUDE" not in lines and "> FLASH > FLASH" not in lines
    script = compiler.folder / "regions.ld"
    script.write_text(f"ENTRY(_start)\nMEMORY {{ FLASH (rx) : ORIGIN = {base:#x}, LENGTH = 1M\n"
                      f"RAM (rwx) : ORIGIN = {base + 0x100000:#x}, LENGTH = 1M }}\nSECTIONS\n{{\n{lines}\n"
                      "\t.data : { *(.rodata*) *(.data*) *(.sdata*) } > RAM\n"
                      f"{blocks('ld ram')}" "\t.bss : { *(.bss*) *(.sbss*) *(COMMON) } > RAM\n"
                      "\t/DISCARD/ : { *(.reginfo) *(.MIPS.abiflags) *(.pdr) *(.gnu.attributes) }\n}\n")
    elf = linked(compiler, script, parts + agent_objects(compiler, small()))
    symbols = {name: int(value[-8:], 16) for value, name in
               re.findall(r"^([0-9a-f]+) \w (\S+)$", compiler.output("nm", elf), re.M)}
    for name in ("dprobes_init", "dprobes_note"):
        assert base <= symbols[name] < base + 0x100000, name
    for name in ("memory_slots", "memory_keep"):
        assert base + 0x100000 <= symbols[name] < base + 0x200000, name


def test_moved(compiler):
    """The guide's lines for an image that moves itself: the word holds the linked address, as the linker's number."""
    base = base_of(compiler.cpu)
    parts = [compiler.text("board.c", blocks("c") + blocks("c moved"), small()), compiler.text("firmware.c", FIRMWARE, small())]
    script = compiler.folder / "moved.ld"
    script.write_text(f"ENTRY(_start)\nSECTIONS\n{{\n\t. = {base:#x};\n{blocks('ld')}\n{blocks('ld moved')}\n"
                      "\t__ram_start = .;\n\t.data : { *(.data*) *(.sdata*) }\n\t.bss : { *(.bss*) *(.sbss*) *(COMMON) }\n"
                      "\t__ram_end = .;\n\t.noinit (NOLOAD) : { *(.noinit .noinit.*) }\n"
                      "\t/DISCARD/ : { *(.reginfo) *(.MIPS.abiflags) *(.pdr) *(.gnu.attributes) }\n}\n")
    elf = linked(compiler, script, parts + agent_objects(compiler, small()))
    symbols = {name: int(value[-8:], 16) for value, name in
               re.findall(r"^([0-9a-f]+) \w (\S+)$", compiler.output("nm", elf), re.M)}
    at = symbols["__text_linked"]
    dump = compiler.output("objdump", "-s", f"--start-address={at:#x}", f"--stop-address={at + 4:#x}", elf)
    word = bytes.fromhex(re.search(rf"^ 0*{at:x} ([0-9a-f]{{8}})", dump, re.M).group(1))
    assert symbols["__text_start"] in (int.from_bytes(word, "little"), int.from_bytes(word, "big"))


DRIVER = """
#include "dprobes.h"
unsigned irq_save(void);
void irq_restore(unsigned state);
"""


def test_driver(compiler):
    """The guide's driver with a transmit interrupt compiles, and is all that calls the agent."""
    made = compiler.text("driver.c", DRIVER + blocks("c driver"), small())
    wanted = set(re.findall(r" U (\w+)$", compiler.output("nm", made), re.M))
    assert wanted == {"dprobes_console_room", "dprobes_console_write", "irq_save", "irq_restore"}


SETTLED_CONSOLE = """
void uart_ready(void);
#define DPROBES_CONSOLE_READY() uart_ready()
#define DPROBES_CONSOLE_WAITS 1
int uart_poll(void);
#define DPROBES_STOPPED() uart_poll()
"""


def test_settled_console(compiler):
    """The settings of the console in the ready-made glue, and of the receiver of a stopped firmware."""
    (compiler.folder / "dprobes_settings.h").write_text(blocks("c settings") + SETTLED_CONSOLE)
    made = compiler.object(compiler.release / "glue" / "baremetal.c", extra=small())
    assert {"uart_ready", "uart_poll"} <= set(re.findall(r" U (\w+)$", compiler.output("nm", made), re.M))


SETTLED_ROWS = """
#define DPROBES_RODATA     __rodata_start
#define DPROBES_RODATA_END __rodata_end
extern const uint32_t __text_linked;
#define DPROBES_MOVED      ((uintptr_t)__text_start - __text_linked)
"""


@pytest.mark.parametrize("locked", [True, False])
def test_settled_rows(compiler, locked):
    """The settings of constants and of an image that moves itself, with and without a no-probe range."""
    settings = blocks("c settings") + SETTLED_ROWS
    if not locked:
        settings = re.sub(r"#define DPROBES_LOCKED.*", "", settings)
    (compiler.folder / "dprobes_settings.h").write_text(settings)
    made = compiler.object(compiler.release / "glue" / "baremetal.c", extra=small())
    wanted = set(re.findall(r" U (\w+)$", compiler.output("nm", made), re.M))
    assert wanted >= {"__rodata_start", "__rodata_end", "__text_linked"} and ("__locked_start" in wanted) == locked


FIRMWARE_C = FIRMWARE.replace('#include "dprobes.h"', '#include "dprobes.h"\n#include "dprobes_hit.h"')


def make(compiler, makefile, *targets):
    """Run make in the compiler's folder, where dprobes is the release."""
    (compiler.folder / "dprobes").symlink_to(compiler.release)
    (compiler.folder / "Makefile").write_text(makefile)
    done = subprocess.run([program("make"), "-C", compiler.folder, *targets], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def own_files(compiler):
    """The guide's board.c and the rest of a firmware."""
    (compiler.folder / "board.c").write_text(blocks("c"))
    (compiler.folder / "firmware.c").write_text(FIRMWARE_C)
    return guide_script(compiler, base_of(compiler.cpu))


def has_table(compiler, elf):
    compiler.output("objcopy", "-O", "binary", "-j", "dprobes_functions", elf, compiler.folder / "table")
    return (compiler.folder / "table").read_bytes()[:4] == b"DPF\1"


# What hardly differs between the CPUs.
ONE_CPU = pytest.mark.parametrize("compiler", ["arm", *(pytest.param(cpu, marks=pytest.mark.nightly) for cpu in BOARDS if cpu != "arm")],
                                  indirect=True)
LINK = ["-nostdlib", "-static", "-no-pie", "-Wl,--build-id=sha1", "-Wl,--no-warn-rwx-segments", "-Wl,--no-warn-mismatch"]


@ONE_CPU
def test_the_lines_for_make(compiler):
    """The guide's two listings for make, in a makefile that is otherwise somebody's."""
    script = own_files(compiler)
    lines = re.findall(r"^```make\n(.*?)^```$", GUIDE, re.M | re.S)
    assert len(lines) == 2 and lines[0].count("DPROBES_CPU := arm") == 1
    make(compiler, f"all: firmware.elf\nCC := {compiler.gcc}\nCFLAGS := {' '.join(compiler.flags)}\n"
         f"DPROBES := {built('host', 'dprobes')}\nOBJECTS := board.o firmware.o\n"
         + lines[0].replace("DPROBES_CPU := arm", f"DPROBES_CPU := {compiler.cpu}")
         + f"\t$(CC) $(CFLAGS) {' '.join(LINK)} -Ldprobes -T {script} -o $@ $^ -lgcc\n{lines[1]}"
         "$(OBJECTS): CFLAGS += -ffreestanding $(DPROBES_INCLUDES)\n", "all")
    assert has_table(compiler, compiler.folder / "firmware.elf")


@ONE_CPU
def test_the_lines_for_cmake(compiler):
    script = own_files(compiler)
    (compiler.folder / "dprobes").symlink_to(compiler.release)
    lines = blocks("cmake")
    assert lines.count("set(DPROBES_CPU arm)") == 1
    (compiler.folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(firmware LANGUAGES C ASM)\nadd_executable(firmware board.c firmware.c)\n"
        + lines.replace("set(DPROBES_CPU arm)", f"set(DPROBES_CPU {compiler.cpu})")
        + f"target_link_options(firmware PRIVATE {' '.join(LINK)} -L{compiler.release} -T {script})\n"
        "target_link_libraries(firmware PRIVATE gcc)\ntarget_compile_options(firmware PRIVATE -ffreestanding)\n")
    flags = " ".join(compiler.flags)
    for words in (["-S", compiler.folder, "-B", compiler.folder / "out", "-DCMAKE_SYSTEM_NAME=Generic", f"-DCMAKE_C_COMPILER={compiler.gcc}",
                   f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_ASM_FLAGS={flags}", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"],
                  ["--build", compiler.folder / "out"]):
        done = subprocess.run([program("cmake"), *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "dprobes_init" in compiler.output("nm", compiler.folder / "out" / "firmware")


def test_the_line_that_makes_a_key(tmp_path):
    subprocess.run(["sh", "-c", blocks("sh key")], cwd=tmp_path, check=True)
    key = tmp_path / "board.key"
    assert re.fullmatch(r"[0-9a-f]{32}", key.read_text()) and key.stat().st_mode & 0o777 == 0o600


def test_flags_of_the_firmware(tmp_path):
    """A firmware with hard float and a register of its own: the agent touches neither."""
    compiler = Compiler("arm", tmp_path)
    make(compiler, f"CC := {compiler.gcc}\nCFLAGS := -Os -mcpu=cortex-a9 -mfpu=vfpv3-d16 -mfloat-abi=hard -ffixed-r9\n"
         "DPROBES_CPU := arm\ninclude dprobes/dprobes.mk\nall: $(DPROBES_OBJECTS)\n", "all")
    code = re.findall(r"^ +[0-9a-f]+:\t[0-9a-f ]+\t(.*)$", compiler.output("objdump", "-d", tmp_path / "dprobes_agent.o"), re.M)
    assert len(code) > 5000
    assert not [line for line in code if re.match(r"v[a-z]", line)]
    assert not [line for line in code if re.search(r"\b(r9|sb)\b", line.split("<")[0])]


@pytest.mark.nightly
def test_links_with_lto(compiler):
    """Firmware and agent with -flto: the agent's functions stay in the section, the firmware's out of it."""
    lto = [*small(), "-flto"]
    parts = [compiler.text("board.c", blocks("c"), lto), compiler.text("firmware.c", FIRMWARE, lto)]
    elf = linked(compiler, guide_script(compiler, base_of(compiler.cpu)), parts + agent_objects(compiler, lto), ["-flto", "-Os"])
    symbols = {name: int(value[-8:], 16) & 0xfffffffe for value, name in
               re.findall(r"^([0-9a-f]+) \w (\S+)$", compiler.output("nm", elf), re.M)}
    start, end = symbols["__start_dprobes_text"], symbols["__stop_dprobes_text"]
    for name in ("dprobes_init", "dprobes_poll", "dprobes_rx", "put"):
        assert start <= symbols[name] < end, name
    assert end - start > 8000 and not start <= symbols["_start"] < end


# ---- it runs -------------------------------------------------------------------------------------

PROGRAM = """// SPDX-License-Identifier: BSD-2-Clause
name = "work"
modtype = kernel
major = 1
""" + "".join(f"""
offset = work+{4 * n}
minor = {n}
	push {n}
	log 1
	exit
""" for n in range(5))


# proves: A1.12 A4.2 P7.7
@with_agent("arm")
@pytest.mark.parametrize("own", [False, True], ids=["hooked", "own_vectors"])
def test_runs(own, tmp_path, qemu, dprobes):
    """The guide's checklist on a firmware that has nothing but what the guide says, MMU off: each
    instruction of a function probed, vectors taken over or kept."""
    compiler = Compiler("arm", tmp_path)
    guest = TOP / "tests" / "guests" / "integration" / "arm"
    flat = ["-mno-unaligned-access"]  # as the guide says for an MMU that is off
    text = blocks("c")
    if own:
        assert text.count("\tboard.ranges = &locked;\n") == 1
        text = text.replace("\tboard.ranges", "\tboard.own_vectors = true;\n\tboard.ranges") + declared("arm") + blocks("c arm")
    parts = agent_objects(compiler, flat) + [
        compiler.text("board.c", text, flat), compiler.object(guest / "firmware.c", extra=flat),
        compiler.object(guest / "start.S", extra=["-DOWN_VECTORS"] if own else [])]
    elf = link(compiler, parts, 0x60010000)
    board = qemu("vexpress-a9", elf=elf, hold=())
    env = {"DPROBES_PORT": board.url("com1"), "DPROBES_ELF": str(elf)}
    program_file = tmp_path / "work.dp"
    program_file.write_text(PROGRAM)

    def run(*words):
        result = dprobes(*words, env=env)
        assert result.status == 0, f"{words}\n{result.stdout}{result.stderr}"
        return result.stdout

    assert "the same as in" in run("info", "--verify-text")
    records = run("run", str(program_file), "--count", "200")
    assert {line.split()[-1] for line in records.splitlines() if line.startswith("DProbes(")} == set("01234")
    assert "the same as in" in run("info", "--verify-text")
    line = board.connect("com1")
    line.send("q")
    line.expect("<q>")
    assert "WRONG" not in line.text + records
    line.close()


# What the ready-made glue leaves: the firmware's names for its functions.
POLLED = """
#include "dprobes_start.h"
void firmware_start(void);
void firmware_print(const char *text, size_t bytes);
void firmware_start(void) { (void)dprobes_start(); }
void firmware_print(const char *text, size_t bytes) { dprobes_print(text, bytes); }
"""
COUNTING = 'name = "work"\nvars = 1\noffset = work\ninc lv, 0\npush lv, 0\nlog 1\nexit\n'
FIRST = r"^DProbes.* 01000000\n"


@with_agent("arm")
def test_power_cut_where_only_dprobes_poll_reads(tmp_path, qemu, dprobes):
    """A line with `get`, an agent without a clock and without random numbers: --reinstall goes on after the power was off."""
    compiler = Compiler("arm", tmp_path)
    guest = TOP / "tests" / "guests" / "integration" / "arm"
    flat = ["-mno-unaligned-access"]
    (tmp_path / "dprobes_settings.h").write_text(blocks("c settings") + "int uart_get(void);\n#define DPROBES_GET() uart_get()\n")
    parts = agent_objects(compiler, flat) + [
        compiler.object(compiler.release / "glue" / "baremetal.c", extra=flat), compiler.text("polled.c", POLLED, flat),
        compiler.object(guest / "firmware.c", extra=[*flat, "-DPOLLED"]), compiler.object(guest / "start.S")]
    elf = link(compiler, parts, 0x60010000)
    program_file = tmp_path / "work.dp"
    program_file.write_text(COUNTING)
    line = StayingLine(tmp_path / "line")
    machine = qemu("vexpress-a9", elf=elf, hold=())
    line.plug(machine.path("com1"))
    run = dprobes.start("run", program_file, "--elf", elf, "--port", line.url, "--no-names", "--reinstall")
    run.out.expect(FIRST)
    machine.kill()
    line.plug(qemu("vexpress-a9", elf=elf, hold=()).path("com1"))
    run.err.expect(r"the target was restarted \(boot 1\): inserting the program again")
    run.out.expect(FIRST)
    done = run.interrupt()
    line.close()
    assert done.status == 130 and "hits: work" in done.stdout, done


# proves: A3.11
@with_agent("arm")
def test_a_transmit_function_that_may_be_probed(tmp_path, qemu, dprobes):
    """A put that is not marked DPROBES_CODE: nothing is inserted, with the reason."""
    compiler = Compiler("arm", tmp_path)
    guest = TOP / "tests" / "guests" / "integration" / "arm"
    flat = ["-mno-unaligned-access"]
    text = blocks("c")
    assert text.count("static DPROBES_CODE bool put(") == 1
    parts = agent_objects(compiler, flat) + [
        compiler.text("board.c", text.replace("static DPROBES_CODE bool put(", "static bool put("), flat),
        compiler.object(guest / "firmware.c", extra=flat), compiler.object(guest / "start.S")]
    program_file = tmp_path / "work.dp"
    program_file.write_text(PROGRAM)
    board = qemu("vexpress-a9", elf=link(compiler, parts, 0x60010000), hold=())
    env = {"DPROBES_PORT": board.url("com1"), "DPROBES_ELF": str(tmp_path / "firmware.elf")}
    info = dprobes("info", env=env)
    assert info.status == 0 and re.search(
        r"^refused: +every insertion: the firmware's ranges allow probes in code of the hit path", info.stdout, re.M)
    run = dprobes("insert", program_file, env=env)
    assert run.status == 4 and "place this code in a range with DP_MEM_NO_PROBE" in run.stderr
    assert "the same as in" in dprobes("info", "--verify-text", env=env).stdout


def declared(cpu):
    """A declaration of the guide's function."""
    pointer = "*" if cpu == "arm" else ""
    return f"struct saved;\nbool firmware_exception(unsigned {pointer}class, struct saved *s);\n"


def test_own_vectors(compiler):
    own = compiler.text("own.c", '#include "dprobes_hit.h"\n' + declared(compiler.cpu) + blocks(f"c {compiler.cpu}"))
    wanted = {"cortexm": ["dprobes_cortexm_exception", "firmware_fault"], "ia32": ["firmware_vectors"]}  # its gates are the agent's
    assert re.findall(r" U (\S+)$", compiler.output("nm", own), re.M) == wanted.get(compiler.cpu, ["dprobes_exception"])


@pytest.mark.parametrize("settings", ["", "#define DPROBES_TICK_HZ 100000000\n#define DPROBES_IDLE_TICKS 10\n"], ids=["tick", "counter"])
def test_freertos(compiler, settings):
    rtos.write(compiler.folder)
    (compiler.folder / "dprobes_settings.h").write_text(blocks("c settings") + settings)
    compiler.text("rtos.c", blocks("c freertos"))
    made = compiler.object(compiler.release / "glue" / "freertos.c")
    wanted = set(re.findall(r" U (\w+)$", compiler.output("nm", made), re.M))
    assert {"dprobes_init", "dprobes_poll", "xTaskCreate", "ulTaskNotifyTake", "vTaskNotifyGiveFromISR"} <= wanted
    assert ("xTaskGetTickCountFromISR" in wanted) == (settings == "")
    placed = {name: section for section, name in re.findall(r"^\S+ .{7} (\S+)\t\S+ (\S+)$", compiler.output("objdump", "-t", made), re.M)}
    assert placed["current_task"] == placed["agent_wake"] == placed["agent_put"] == "dprobes_text" != placed["dprobes_start"]


NUTTX_SETTINGS = "\n"  # each has a default


def test_nuttx(compiler):
    rtos.write_nuttx(compiler.folder)
    (compiler.folder / "dprobes_settings.h").write_text(NUTTX_SETTINGS)
    made = compiler.object(compiler.release / "glue" / "nuttx.c")
    wanted = set(re.findall(r" U (\w+)$", compiler.output("nm", made), re.M))
    assert {"dprobes_init", "dprobes_poll", "kthread_create", "nxsem_tickwait", "nxsem_post", "uart_datasent", "file_open"} <= wanted
    placed = {name: section for section, name in re.findall(r"^\S+ .{7} (\S+)\t\S+ (\S+)$", compiler.output("objdump", "-t", made), re.M)}
    assert placed["current_task"] == placed["agent_put"] == placed["driver_put"] == "dprobes_text" != placed["send_ring"]


@ONE_CPU
def test_hooks_of_programs(compiler):
    """What callk and exit 1 call; the functions lie where nobody probes them."""
    flags = ["-DDP_PROFILE=DP_PROFILE_FULL"]
    made = compiler.text("hooks.c", blocks("c") + blocks("c hooks"), flags)
    placed = {name: section for section, name in re.findall(r"^\S+ .{7} (\S+)\t\S+ (\S+)$", compiler.output("objdump", "-t", made), re.M)}
    assert placed["callk"] == placed["debugger"] == "dprobes_text"
    undefined = set(re.findall(r" U (dprobes_p\w+)$", compiler.output("nm", made), re.M))
    assert undefined == {"dprobes_pop", "dprobes_push", "dprobes_pc"}
    assert undefined <= set(re.findall(r" T (\w+)$", compiler.output("nm", agent_objects(compiler, flags)[0]), re.M))


@ONE_CPU
def test_a_board_that_stops(compiler):
    """The function that receives in a stop lies where nobody probes it."""
    made = compiler.text("stopped.c", blocks("c") + blocks("c stopped"), ["-DDP_PROFILE=DP_PROFILE_FULL"])
    assert re.search(r" dprobes_text\t\S+ stopped$", compiler.output("objdump", "-t", made), re.M)


def test_small_is_under_5_kilobytes_of_state(compiler):
    made = compiler.text("size.c", '#include "dprobes.h"\nextern char state[];\nchar state[DPROBES_STATE_BYTES];\n', small())
    assert int(re.search(r" ([0-9a-f]+) \w state$", compiler.output("nm", "-S", made), re.M).group(1), 16) < 5120


def test_ram_is_within_what_the_first_screen_says(compiler):
    """The least is that of the tiny agent."""
    least, most = map(int, re.search(r"(\d+) to\s+(\d+)\s+KB of RAM", (TOP / "README.md").read_text()).groups())
    pieces = "".join(f"extern char {name}[];\nchar {name}[DPROBES_{name.upper()}_BYTES];\n" for name in ("storage", "slots", "keep"))
    taken = {}
    for name, knobs in (("tiny", ["-DDP_AGENT=DP_AGENT_TINY"]), ("default", [])):
        listing = compiler.output("nm", "-S", compiler.text(f"{name}.c", '#include "dprobes.h"\n' + pieces, knobs))
        taken[name] = sum(int(size, 16) for size in re.findall(r" ([0-9a-f]+) \w (?:storage|slots|keep)$", listing, re.M))
    assert least * 1024 - 512 < taken["tiny"] < (least + 2) * 1024
    assert (most - 4) * 1024 < taken["default"] < most * 1024 + 512


@ONE_CPU
def test_state_holds_the_agent(compiler):
    """DPROBES_STATE_BYTES is enough for any knobs: the agent's own build says so."""
    without = [f"-DDP_WITH_{name}=0" for name, _ in tables.rows("protocol/features.def", "DP_FEATURE")]
    alone = [f"-DDP_WITH_ALL=0 {word[:-1]}1" for word in without]
    for knobs in ("-DDP_MAX_PROBES=33 -DDP_MAX_PROGRAMS=32", "-DDP_MAX_PROBES=65", *without, *alone):
        compiler.output("gcc", "-fsyntax-only", "-ffreestanding", *compiler.flags, *compiler.include, *knobs.split(), "-DDP_RX_LINES=2",
                        compiler.release / compiler.cpu / "dprobes_agent.c")


def test_names_that_exist():
    """Every identifier of ours in the guide, outside its examples, is in a header."""
    headers = "".join(path.read_text() for folder in (*sources_mk.include_folders("agent"), "agent/glue", "port", *(f"port/{cpu}" for cpu in BOARDS), "protocol")
                      for path in sorted((TOP / folder).glob("*.h")) + sorted((TOP / folder).glob("*.def")))
    headers += "".join(re.findall(r"^```[cl].*?^```$", GUIDE, re.M | re.S))
    headers += "".join((TOP / f"agent/glue/{name}").read_text() for name in ("baremetal.c", "bootloader.c", "freertos.c", "nuttx.c"))
    headers += agent_release.dprobes_mk() + agent_release.cmakelists()
    prose = re.sub(r"^```.*?^```$", "", GUIDE, flags=re.M | re.S)
    used = set(re.findall(r"`(?:board\.)?((?:dp_|DP_|dprobes_|DPROBES_)\w+)(?!\w*\.)", prose))
    missing = sorted(name for name in used if name.removeprefix("DP_ERR_") not in headers)
    assert used and not missing


def test_every_knob_it_sets_exists():
    config = "".join((TOP / "agent" / name).read_text() for name in ("dp_sizes.h", "dp_config.h", "../protocol/dp_agents.h"))
    for word in small():
        name = re.fullmatch(r"-D(\w+)=\w+", word).group(1)
        assert f"#define {name} " in config
