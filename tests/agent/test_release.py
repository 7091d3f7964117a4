# SPDX-License-Identifier: BSD-2-Clause
"""build/release, the agent as a firmware's build takes it: compiled as a user would, linked in the ways that firmware is
linked, probed. Whatever the build does, the agent's functions lie between the bounds of the section dprobes_text, the
firmware's do not, and no other name of the agent is global."""
import re
import subprocess
import sys

import pytest

import agent_pair
import agent_parts
import agent_release
import cpus
import usual
from harness import rtos
from harness.keyed import play
from harness.noisyline import NoisyLine
from harness.paths import TOP, built, program

GUEST = TOP / "tests/guests/release"
START = TOP / "tests/guests/integration/arm/start.S"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
CPU_FLAGS, GCC, CLANG = (cpus.column(member) for member in ("cpu_flags", "gcc", "clang"))
SMALL = ["-DDP_WITH_ALL=0", "-DDP_WITH_SHARED_LINE=1"]
FULL = ["-DDP_PROFILE=DP_PROFILE_FULL"]
SCRIPT = """ENTRY(_start)
MEMORY { RAM (rwx) : ORIGIN = 0x60010000, LENGTH = 1M }
SECTIONS
{
	.vectors : { __vectors_start = .; KEEP(*(.vectors)) __vectors_end = .; } > RAM
%s
	.text : { __text_start = .; KEEP(*(.text.start)) *(.text*) __text_end = .; } > RAM
	.rodata : { *(.rodata*) } > RAM
	.ARM.exidx : { *(.ARM.exidx*) } > RAM
	.data : { __ram_start = .; *(.data*) } > RAM
	.bss (NOLOAD) : ALIGN(8) { __bss_start = .; *(.bss*) *(COMMON) . = ALIGN(8); __bss_end = .; } > RAM
	__ram_end = ORIGIN(RAM) + LENGTH(RAM);
}
"""
PROGRAM = """// SPDX-License-Identifier: BSD-2-Clause
name = "work"
modtype = kernel
major = 1
""" + "".join(f"\noffset = work+{4 * n}\nminor = {n}\n\tpush {n}\n\tlog 1\n\texit\n" for n in range(5))


def release():
    return built("release")


def compiler(kind, cpu):
    """The command of gcc or clang for a CPU."""
    if kind == "gcc":
        return [program(GCC[cpu][0]), *GCC[cpu][1:], *CPU_FLAGS[cpu]]
    headers = subprocess.run([program(GCC[cpu][0]), "-print-file-name=include"], text=True, capture_output=True,
                             check=True).stdout.strip()
    return [program("clang"), f"--target={CLANG[cpu]}", "-isystem", headers, *CPU_FLAGS[cpu]]


def run(*words, folder=None):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout


AGENTS = {}
# Tests with the same agent run in one process, which compiles it once for all of them.
SAME_AGENT = pytest.mark.xdist_group("released agent")


def agent_objects(kind, cpu, folder, extra=()):
    """dprobes_agent.o and dprobes_entry.o, made with the flags of dprobes.mk. The objects lie in the folder of the first
    test that wanted them."""
    made = kind, cpu, *extra
    if made not in AGENTS:
        flags = [*agent_release.flags(cpu), *agent_release.flags(cpu, f"FLAGS_{kind.upper()}")]
        objects = {name: folder / f"{name[:-2]}.o" for name in ("dprobes_agent.c", "dprobes_entry.S")}
        for name, out in objects.items():
            run(*compiler(kind, cpu), "-std=gnu11", *WARNINGS, *extra, *flags, "-c", release() / cpu / name, "-o", out)
        AGENTS[made] = list(objects.values())
    return AGENTS[made]


def symbols(path):
    """[(value, type, binding, section, name)]"""
    found = re.findall(r"^ *\d+: ([0-9a-f]+) +\w+ (\w+) +(\w+) +\w+ +(?:\[.*?\] +)?(\w+) (\S+)$", run("readelf", "-sW", path), re.M)
    return [(int(value, 16), *rest) for value, *rest in found]


def code_sections(path):
    """Sections with code, that are not empty."""
    found = re.findall(r"\] (\S+) +PROGBITS +\S+ +\S+ (\S+) \S+ +(\S*X\S*) ", run("readelf", "-SW", path))
    return {name for name, size, _ in found if int(size, 16)}


def nightly(*values):
    return pytest.param(*values, marks=pytest.mark.nightly)


# Of firmware that compiles with all its own warnings.
STRICT = ["-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wmissing-prototypes", "-Wstrict-prototypes", "-Wundef", "-Wredundant-decls"]
MATRIX = [("gcc", cpus.names()[-1], ["-Os", *STRICT]), ("clang", "arm", ["-O2", *STRICT]),
          *(nightly(kind, cpu, [optimise, *extra]) for kind in ("gcc", "clang") for cpu in CPU_FLAGS for optimise in ("-Os", "-O2", "-O0")
            for extra in (STRICT, SMALL, FULL))]


@pytest.mark.parametrize("kind, cpu, extra", MATRIX)
def test_compiles(kind, cpu, extra, tmp_path):
    objects = agent_objects(kind, cpu, tmp_path, extra)
    names = [{name: section for _, _, binding, section, name in symbols(path) if binding != "LOCAL"} for path in objects]
    for path, found in zip(objects, names):
        assert code_sections(path) == {"dprobes_text"}
        for name, section in found.items():
            assert name.startswith("dprobes_") or name in ("__start_dprobes_text", "__stop_dprobes_text"), f"{name} is global, {section}"
    # What the assembler calls, and what the firmware does: nothing else has a name.
    public = set(re.findall(r"\b(dprobes_\w+)\(", "".join((release() / cpu / name).read_text() for name in ("dprobes.h", "dprobes_hit.h"))))
    called = {name for name, section in names[1].items() if section == "UND"}
    given = {name for name, section in names[0].items() if section != "UND"} - {"__start_dprobes_text", "__stop_dprobes_text"}
    assert given <= public | called | {"dprobes_no_note"} and len(called) <= 2
    wanted = {name for found in names for name, section in found.items() if section == "UND"}
    assert not wanted & {"memcmp", "memcpy", "memmove", "memset"}
    assert "#pragma" not in (release() / cpu / "dprobes_agent.c").read_text()


@pytest.mark.parametrize("cpu", CPU_FLAGS)
@pytest.mark.parametrize("language", [["-x", "c", "-std=gnu99"], ["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"]], ids=["gnu99", "c99", "c++11"])
def test_headers_of_a_firmware(cpu, language, tmp_path):
    """The headers, and a glue, in what a firmware's own files are written in, with its warnings; its own names for the image."""
    (tmp_path / "dprobes_settings.h").write_text(
        "#include <stdbool.h>\n#include <stdint.h>\nbool uart_put(uint8_t byte);\nextern char _stext[], _etext[], _sdata;\n"
        "#define DPROBES_PUT(byte) uart_put(byte)\n#define DPROBES_DECLARED\n#define DPROBES_TEXT _stext\n#define DPROBES_TEXT_END _etext\n"
        "#define DPROBES_RAM &_sdata\n#define DPROBES_RAM_END (const void *)0x80100000u\n#define DPROBES_NOTE 0\n"
        "#define DPROBES_LOCKED (const void *)0x80000000u\n#define DPROBES_LOCKED_END (const void *)0x80000200u\n")
    (tmp_path / "user.c").write_text('#include "dprobes_hit.h"\n#include "baremetal.c"\n')
    warnings = ["-Wpedantic", *(word for word in STRICT if "c++" not in language[1] or word not in ("-Wmissing-prototypes", "-Wstrict-prototypes"))]
    run(*compiler("clang" if "c++" in language[1] else "gcc", cpu), *language, *WARNINGS, *warnings, "-ffreestanding", f"-I{tmp_path}", f"-I{release() / cpu}", f"-I{release() / 'glue'}",
        "-fsyntax-only", tmp_path / "user.c")


ARMV5 = ["-mcpu=arm926ej-s", "-marm"]  # no counter


def logged_hit_reads(cpu, agent, instruction):
    """A hit that logs words reads the counter once, and calls nothing for the time."""
    objdump = program(GCC[cpu][0].replace("gcc", "objdump"))
    text = run(objdump, "-d", "--no-show-raw-insn", "--disassemble=logged_hit", agent)
    assert len(re.findall(instruction, text)) == 1, text
    assert not re.search(r"\t(bl|blx|jal|jalr|bal|bctrl|blrl|call)\b", text), text


# proves: A3.43
@pytest.mark.parametrize("cpu", [row.name if row.board in usual.BOARDS else pytest.param(row.name, marks=pytest.mark.nightly) for row in cpus.rows()])
def test_counter(cpu):
    """The agents of the usual boards are compiled with DP_COUNTER."""
    row = cpus.of(cpu)
    logged_hit_reads(cpu, built("boards", row.board, "build/release", cpu, "dprobes_agent.o"), row.counter_load)


# proves: A3.43
@pytest.mark.nightly
def test_counter_of_the_cpu_on_arm(tmp_path):
    """The counter of QEMU's Cortex-A9 stands still, so no board of ARM uses it."""
    agent = agent_objects("gcc", "arm", tmp_path, ["-Os", "-DDP_COUNTER=DP_COUNTER_CPU"])[0]
    logged_hit_reads("arm", agent, r"mrc\s+(15|p15), 0, \w+, (cr9, cr13, \{0\}|c9, c13, 0)")


@pytest.mark.parametrize("flags, knob, sentence", [
    ([], "0x1000005e", "give DP_COUNTER_CPU, the address of a 32-bit register, or 0"),
    ([], "0x11000005c", "give DP_COUNTER_CPU, the address of a 32-bit register, or 0"), (ARMV5, "DP_COUNTER_CPU", "this CPU has no counter of its own")])
def test_no_counter(flags, knob, sentence, tmp_path):
    made = [*compiler("gcc", "arm"), *flags, "-std=gnu11", *agent_release.flags("arm"), *agent_release.flags("arm", "FLAGS_GCC"),
            f"-DDP_COUNTER={knob}", "-fsyntax-only", release() / "arm/dprobes_agent.c"]
    done = subprocess.run([str(word) for word in made], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode != 0 and f"DP_COUNTER: {sentence}" in done.stderr


NM = {"gcc": {cpu: f"{words[0]}-nm" for cpu, words in GCC.items()}, "clang": dict.fromkeys(GCC, "llvm-nm")}


@pytest.mark.parametrize("kind, cpu", [nightly(kind, cpu) for kind in NM for cpu in CPU_FLAGS])
def test_lto(kind, cpu, tmp_path):
    """With -flto the names are the same; the other symbols are in the plan of the compiler's plugin."""
    made = agent_objects(kind, cpu, tmp_path, ["-O2", "-flto"])
    listing = run(program(NM[kind][cpu]), made[0])
    found = set(re.findall(r" [A-Z] (\S+)$", listing, re.M)) - {"__start_dprobes_text", "__stop_dprobes_text"}
    assert found and not [name for name in found if not name.startswith("dprobes_")]


# ---- links ------------------------------------------------------------------------------------

class Link:
    """One way to build a firmware; the words say which."""

    def __init__(self, folder, *words):
        self.folder, self.words = folder, words
        self.kind = "clang" if "clang" in words else "gcc"
        self.flags = ["-Os", "-ffreestanding", "-fno-common"] + (["-flto", "-O2"] if "lto" in words else [])
        self.settings = [] if "fragment" in words or "preprocessed" in words else ["-DWITHOUT_NOTE"]
        self.main = GUEST / "firmware.c"
        self.glue = "freertos.c" if "freertos" in words else "baremetal.c"
        self.own = []  # files of a test
        self.elf = folder / "firmware.elf"

    def _compile(self, source, name, extra=()):
        out = self.folder / name
        out.parent.mkdir(exist_ok=True)
        language = ["-x", "c++", "-std=c++11", "-fno-exceptions", "-fno-rtti"] if "c++" in self.words and source.suffix == ".c" else []
        cc = compiler(self.kind, "arm")
        run(*cc, *WARNINGS, *(self.flags if source.suffix == ".c" else []), *self.settings, f"-I{self.folder}", f"-I{GUEST}",
            f"-I{release() / 'arm'}", f"-I{release() / 'glue'}", *extra, *language, "-c", source, "-o", out)
        return out

    def _archive(self, objects):
        library = self.folder / "libdprobes.a"
        run(program("arm-none-eabi-gcc-ar"), "rcs", library, *objects)
        return [library]

    def _script(self):
        path = self.folder / "firmware.ld"
        fragment = {"fragment": "INCLUDE dprobes.ld", "preprocessed": '#include "dprobes.ld"'}
        path.write_text(SCRIPT % "".join(line for word, line in fragment.items() if word in self.words))
        if "preprocessed" in self.words:
            path.write_text(run(program("arm-none-eabi-gcc"), "-E", "-P", "-x", "c", f"-I{release()}", path))
        return path

    def build(self):
        agent = agent_objects(self.kind, "arm", self.folder, self.flags)
        # Folders and names that a firmware may have as well.
        names = ("agent/agent.o", "port/entry.o", "protocol/text.o") if "folders" in self.words else ("time.o", "mem.o", "text.o")
        parts = [self._compile(self.main, names[0]), self._compile(START, names[1]),
                 self._compile(release() / "glue" / self.glue, names[2]),
                 *(self._compile(path, f"own-{path.stem}.o") for path in self.own)]
        agent = self._archive(agent) if "archive" in self.words else agent
        libraries = [run(program("arm-none-eabi-gcc"), "-mcpu=cortex-a9", "-mthumb", "-print-libgcc-file-name").strip()]
        identity = "none" if self.settings else "sha1"
        if self.kind == "clang":
            linker = [program("ld.lld"), f"--build-id={identity}", "--gc-sections"]
        else:
            linker = [*compiler("gcc", "arm"), *self.flags, "-nostdlib", "-static", f"-Wl,--build-id={identity}", "-Wl,--gc-sections",
                      "-Wl,--no-warn-rwx-segments"]
        run(*linker, f"-L{release()}", "-T", self._script(), *parts, *agent, *libraries, "-o", self.elf)
        return self


WAYS = {"archive": ["archive", "fragment"], "no line of a script": ["archive"], "lto": ["lto", "fragment"], "lto archive": ["lto", "archive"], "c++": ["c++", "fragment"],
        "preprocessed": ["preprocessed"], "folders": ["folders", "fragment"], "lld": ["clang", "fragment"], "lld lto": ["clang", "lto", "fragment"], "lld, no line of a script": ["clang", "archive"]}


def is_placed(way, elf):
    """The agent's functions are in its section, and the firmware's are not."""
    found = symbols(elf)
    place = {name: value & ~1 for value, _, _, _, name in found}
    start, stop = place["__start_dprobes_text"], place["__stop_dprobes_text"]
    assert stop - start > 20000
    functions = {name: value & ~1 for value, kind, _, _, name in found if kind == "FUNC"}
    inside = {name for name, at in functions.items() if start <= at < stop}
    assert {"dprobes_init", "dprobes_poll", "dprobes_core_port_exception", "uart_put"} <= inside
    assert {"agent_put", "_ZL9agent_putPvh"} & {name.split(".")[0] for name in inside}  # static, of the glue; -flto may number it
    inlined = {"shell_byte", "dprobes_start", "dprobes_print"} if "lto" in way else set()
    assert {"main", "work", "shell_byte", "dprobes_start", "dprobes_print"} - inlined <= set(functions) - inside
    ours = [name for name in functions if re.match(r"dp_|rpn_|dprobes_core_", name) and name not in inside]
    assert not ours
    foreign = [name for name in inside if name in ("main", "work", "shell_byte", "dprobes_start", "dprobes_print", "_start")]
    assert not foreign


RUN = ("no line of a script", "lto", "lld", "c++")  # in each run of the tests
RUN_AT_NIGHT = ("archive", "folders", "lld lto")
LINK_AT_NIGHT = "lto archive"


@SAME_AGENT
@pytest.mark.parametrize("way", [way for way in WAYS if way not in (*RUN, *RUN_AT_NIGHT, LINK_AT_NIGHT)] + [nightly(LINK_AT_NIGHT)])
def test_links(way, tmp_path):
    is_placed(way, Link(tmp_path, *WAYS[way]).build().elf)


# proves: A3.6
@SAME_AGENT
@pytest.mark.parametrize("way", [*RUN, *map(nightly, RUN_AT_NIGHT)])
def test_runs(way, tmp_path, qemu, dprobes):
    """Each instruction of a function is probed; the text is the same again; the console is whole."""
    link = Link(tmp_path, *WAYS[way]).build()
    is_placed(way, link.elf)
    board = qemu("vexpress-a9", elf=link.elf, hold=())
    env = {"DPROBES_PORT": board.url("com1"), "DPROBES_ELF": str(link.elf)}
    program_file = tmp_path / "work.dp"
    program_file.write_text(PROGRAM)

    def tool(*words):
        result = dprobes(*words, env=env)
        assert result.status == 0, f"{words}\n{result.stdout}{result.stderr}"
        return result.stdout

    assert "refused" not in tool("info", "--verify-text")
    records = tool("run", str(program_file), "--count", "100")
    assert {line.split()[-1] for line in records.splitlines() if line.startswith("DProbes(")} == set("01234")
    assert "the same as in" in tool("info", "--verify-text")
    line = board.connect("com1")
    line.send("q")
    line.expect("<q>")
    assert "WRONG" not in line.text + records
    line.close()


def test_a_firmware_is_built_from_an_installation_alone(tmp_path, qemu, monkeypatch):
    """As by somebody who has the package and no source tree: the agent, the fragment and the glue, the tool."""
    built("host", "man", "dprobes.1")
    root = tmp_path / "root"
    run(sys.executable, "-B", TOP / "host/install/install.py", "install", "--prefix", "/usr", "--destdir", root)
    monkeypatch.setitem(globals(), "release", lambda: root / "usr/share/dprobes/agent")
    monkeypatch.setitem(globals(), "AGENTS", {})
    link = Link(tmp_path, *WAYS["preprocessed"]).build()
    is_placed("preprocessed", link.elf)
    board = qemu("vexpress-a9", elf=link.elf, hold=())
    told = run(root / "usr/bin/dprobes", "info", "--verify-text", "--port", board.url("com1"), "--elf", link.elf)
    assert f"the same as in {link.elf}" in told and "refused" not in told


# proves: A3.55
@SAME_AGENT
def test_moved_without_a_build_id(tmp_path, qemu):
    link = Link(tmp_path, "archive")
    link.settings += ["-DDPROBES_MOVED=0x1000"]
    qemu("vexpress-a9", elf=link.build().elf).com1.expect("REFUSED")


@SAME_AGENT
@pytest.mark.parametrize("knob", ["MAX_PROBES=8", "FLIGHT_BYTES=1024", nightly("WITH_ACCESS=0"), nightly("ARENA_BYTES=65536")])
def test_other_knobs_than_the_agents(knob, tmp_path, qemu):
    """The memory that the firmware places has other sizes than the agent's: no agent starts."""
    link = Link(tmp_path, "archive")
    link.settings += [f"-DDP_{knob}"]
    qemu("vexpress-a9", elf=link.build().elf).com1.expect("REFUSED")


@SAME_AGENT
def test_boot_loader(tmp_path, qemu, dprobes):
    """Nothing unmasks interrupts: a text that is longer than the queue arrives whole, typed characters reach the prompt,
    probes are hit and their slots come back."""
    link = Link(tmp_path, "archive", "fragment")
    link.main, link.glue = GUEST / "loader.c", "bootloader.c"
    settings = (GUEST / "dprobes_settings.h").read_text()
    (tmp_path / "dprobes_settings.h").write_text(re.sub(r"#define DPROBES_CONSOLE\(.*\n", "", settings))
    board = qemu("vexpress-a9", elf=link.build().elf, hold=())
    env = {"DPROBES_PORT": board.url("com1"), "DPROBES_ELF": str(link.elf)}
    (tmp_path / "work.dp").write_text(PROGRAM)
    for _ in range(2):
        assert dprobes("run", str(tmp_path / "work.dp"), "--count", "20", env=env).status == 0
        info = dprobes("info", "--format", "json", env=env)
        limits = next(found["limits"] for found in info.objects() if "limits" in found)
        assert limits["slots_free"] == limits["slots"]
        line = board.connect("com1")
        line.send("?")
        line.expect(r"help 049: .*\r\n=> ")
        assert re.findall(r"help 0(\d\d): a command of the boot loader\r\n", line.text) == [f"{n:02}" for n in range(50)]
        line.close()


# proves: A3.53
@SAME_AGENT
def test_slots_come_back(tmp_path, qemu, dprobes):
    """The slots of removed probes: the main loop of the glue lets them be used again."""
    link = Link(tmp_path, "archive", "fragment")
    link.settings += ["-DPOLL=dprobes_loop"]
    board = qemu("vexpress-a9", elf=link.build().elf, hold=())
    env = {"DPROBES_PORT": board.url("com1"), "DPROBES_ELF": str(link.elf)}
    (tmp_path / "work.dp").write_text(PROGRAM)

    def free():
        """(slots free, slots)"""
        info = dprobes("info", "--format", "json", env=env)
        assert info.status == 0, info.stderr
        limits = next(found["limits"] for found in info.objects() if "limits" in found)
        return [limits[name] for name in ("slots_free", "slots")]

    all_free, slots = free()
    assert all_free == slots
    assert dprobes("run", str(tmp_path / "work.dp"), "--count", "20", env=env).status == 0
    assert free() == [slots, slots]


# proves: A3.53
@SAME_AGENT
@pytest.mark.parametrize("told", [True, False])
def test_a_handler_that_waits_in_a_slot(told, tmp_path, qemu, dprobes):
    """An interrupt comes in the slot of a probe, and its handler polls until a character comes. The program is removed
    meanwhile: the slot comes back when the handler has returned. Firmware that does not tell of the handler has it back at once."""
    link = Link(tmp_path, "archive", "fragment")
    link.main, link.own = GUEST / "nested.c", [GUEST / "nested_entry.S"]
    if told:
        own = "extern volatile uint32_t handlers;\n#define DPROBES_IN_HANDLER() (handlers != 0)\n#endif\n"
        (tmp_path / "dprobes_settings.h").write_text((GUEST / "dprobes_settings.h").read_text().removesuffix("#endif\n") + own)
    # With -icount a store to a device ends the block of code, so its interrupt comes behind the store.
    board = qemu("vexpress-a9", elf=link.build().elf, hold=(), extra=("-icount", "shift=4,sleep=on"))
    env = {"DPROBES_PORT": board.url("com1"), "DPROBES_ELF": str(link.elf)}
    (tmp_path / "store.dp").write_text('name = "store"\nmodtype = kernel\noffset = raise_by_store\npush 1\nlog 1\nexit\n')

    def good(*words):
        done = dprobes(*words, env=env)
        assert done.status == 0, f"{words}\n{done.stdout}{done.stderr}"
        return done

    def away():
        limits = next(found["limits"] for found in good("info", "--format", "json").objects() if "limits" in found)
        return limits["slots"] - limits["slots_free"]

    def types(byte, answer):
        line = board.connect("com1")
        line.send(byte)
        line.expect(answer)
        line.close()

    good("insert", str(tmp_path / "store.dp"))
    types("r", r"waits in a slot\n")
    good("remove", "--all")
    assert away() == (1 if told else 0)
    assert away() == (1 if told else 0)
    types("g", r"returned\n")
    assert away() == 0


# ---- a key ------------------------------------------------------------------------------------

KEY = bytes(range(16)).hex()


def keyed_link(folder, glue, seed=None, in_text=False):
    """Firmware with a key: random bytes of QEMU, or a seed in a file, which no power cycle changes. in_text: the key, of an image
    without a build-id."""
    link = Link(folder, "archive", glue, *(["fragment"] if not in_text else []))
    link.settings += ["-DKEY_IN_TEXT"] if in_text else []
    rtos.write(folder, "FreeRTOS.h", "task.h", "rtos.c")
    link.own = [GUEST / "keyed.c", *([folder / "rtos.c"] if glue == "freertos" else [])]
    link.settings += [f'-DSEED_FILE="{seed}"'] if seed else []
    (folder / "dprobes_settings.h").write_text('#include "keyed.h"\n')
    return link.build().elf


# proves: A3.35 A3.47 A3.48 R5.52
@SAME_AGENT
@pytest.mark.parametrize("glue", ["baremetal", "freertos"])
@pytest.mark.parametrize("source", ["generator", "seed"])
def test_tape_over_a_power_cycle(glue, source, tmp_path, qemu, dprobes):
    """A session that somebody has recorded is worth nothing after a power cycle; the clock of this firmware stands still."""
    seed = tmp_path / "seed"
    seed.write_bytes(bytes(8))
    elf = keyed_link(tmp_path, glue, seed if source == "seed" else None)
    (tmp_path / "k").write_text(KEY)
    (tmp_path / "k").chmod(0o600)
    (tmp_path / "run.dp").write_text(PROGRAM)
    tape, nonces = b"", set()
    for start in range(4):
        board = qemu("vexpress-a9", elf=elf, hold=())
        if tape:
            line = board.connect("com1")
            play(line, tape)
            line.close()
        noisy = NoisyLine(tmp_path / f"line{start}", board.path("com1"), 1, {}, {})
        words = "--port", noisy.url, "--key", tmp_path / "k"
        info, = dprobes("info", "--format", "json", *words).objects()
        assert (info["programs"], info["limits"]["nonce_source"]) == (0, source)
        done = dprobes("doctor", *words)
        nonces.add(re.search(rf"^ok +nonce: {source}, (0x\w+);", done.stdout, re.M).group(1))
        noisy.said = b""
        done = dprobes("insert", tmp_path / "run.dp", "--elf", elf, *words)
        assert done.status == 0, done.stderr
        tape = noisy.said
        assert tape.count(b"~Q") > 5
        noisy.close()
        board.kill()
    assert len(nonces) == 4
    assert seed.read_bytes() == (bytes((4,)) + bytes(7) if source == "seed" else bytes(8))


# proves: A3.49
@SAME_AGENT
def test_a_key_in_the_text(tmp_path, qemu, dprobes):
    """The checksum that identifies an image does not depend on the key, and no checksum of the text reaches it."""
    elf, other, found = keyed_link(tmp_path, "baremetal", in_text=True), tmp_path / "other.elf", []
    image, keys = elf.read_bytes(), (bytes.fromhex(KEY), bytes(range(0x40, 0x50)))
    assert image.count(keys[0]) == 1
    other.write_bytes(image.replace(*keys))
    for path, key in zip((elf, other), keys):
        (tmp_path / "k").write_text(key.hex())
        (tmp_path / "k").chmod(0o600)
        board = qemu("vexpress-a9", elf=path, hold=())
        words = "--port", board.url("com1"), "--key", tmp_path / "k"
        info, = dprobes("info", "--format", "json", *words).objects()
        found.append(info["modules"][0]["id"])
        checked = dprobes("info", "--verify-text", "--elf", path, *words)
        assert checked.status != 0 and "the same" not in checked.stdout
        board.kill()
    assert found[0] == found[1]


@SAME_AGENT
def test_a_key_without_a_source(tmp_path, qemu, dprobes):
    """Bytes that are 0, as of a generator that does not run: no agent runs, and the firmware does."""
    elf = keyed_link(tmp_path, "baremetal")
    board = qemu("vexpress-a9", elf=elf, random="0")
    board.com1.expect("REFUSED\nup")
    settings = (GUEST / "keyed.h").read_text().replace("#define DPROBES_ENTROPY", "#define NOTHING")
    (tmp_path / "dprobes_settings.h").write_text(settings)
    made = [*compiler("gcc", "arm"), f"-I{tmp_path}", f"-I{GUEST}", f"-I{release() / 'arm'}", "-ffreestanding", "-fsyntax-only",
            release() / "glue/baremetal.c"]
    done = subprocess.run([str(word) for word in made], capture_output=True, text=True, check=False)
    assert "DPROBES_KEY needs DPROBES_ENTROPY or DPROBES_SEED" in done.stderr


# ---- build files ------------------------------------------------------------------------------

BUILDS = pytest.mark.parametrize("kind, cpu", [("gcc", "arm"), *(nightly(kind, cpu) for kind in ("gcc", "clang") for cpu in CPU_FLAGS
                                                                if (kind, cpu) != ("gcc", "arm"))])


@BUILDS
def test_make(kind, cpu, tmp_path):
    """A makefile of somebody: two lines for the agent."""
    (tmp_path / "Makefile").write_text(
        f"CC := {' '.join(map(str, compiler(kind, cpu)))}\nDPROBES_CPU := {cpu}\n"
        f"include {release()}/dprobes.mk\nall: $(DPROBES_OBJECTS)\n")
    run(program("make"), "-C", tmp_path, "all")
    assert code_sections(tmp_path / "dprobes_agent.o") == code_sections(tmp_path / "dprobes_entry.o") == {"dprobes_text"}


@pytest.mark.parametrize("cc, kind, objcopy", [
    ("arm-none-eabi-gcc", "GCC", "objcopy"), ("arm-none-eabi-gcc-12", "GCC", "objcopy"), ("ccache arm-none-eabi-gcc -I/opt/clang", "GCC", "objcopy"),
    ("clang", "CLANG", "llvm-objcopy"), ("/usr/bin/clang-14 --target=arm-none-eabi", "CLANG", "llvm-objcopy")])
def test_make_knows_the_compiler(cc, kind, objcopy, tmp_path):
    """By the command's name, wherever the command stands; the objcopy is the compiler's own."""
    folder = tmp_path / "clang-tools"
    folder.mkdir()
    for name in ("arm-none-eabi-gcc", "arm-none-eabi-gcc-12"):
        (folder / name).symlink_to(program("arm-none-eabi-gcc"))
    (folder / "ccache").write_text('#!/bin/sh\nexec "$@"\n')
    (folder / "ccache").chmod(0o755)
    words = [str(folder / word) if (folder / word).exists() else word for word in cc.split()]
    (tmp_path / "Makefile").write_text(f"CC := {' '.join(words)}\nDPROBES_CPU := arm\ninclude {release()}/dprobes.mk\n"
                                       "all:\n\t@echo $(DPROBES_COMPILER) $(DPROBES_OBJCOPY)\n")
    told = run(program("make"), "-s", "-C", tmp_path, "all").split()
    assert told[0] == kind and (told[1] == objcopy if kind == "CLANG" else told[1].endswith("/objcopy") and "arm-none-eabi" in told[1]), told


@pytest.mark.parametrize("before, made", [("", "firmware"), ("first:\n\t@echo first\n", "first")])
def test_a_plain_make_makes_the_firmware(before, made, tmp_path):
    """The first target of the makefile stays the first, where it begins with the agent's lines too."""
    (tmp_path / "Makefile").write_text(f"{before}DPROBES_CPU := arm\ninclude {release()}/dprobes.mk\nfirmware:\n\t@echo $@\n")
    assert run(program("make"), "-s", "-C", tmp_path).split() == [made]


TABLE_S = """
	.section dprobes_functions, "a", %progbits
	.space 64
	.text
	.thumb
	.type _start, %function
	.global _start
_start:	bx lr
	.size _start, . - _start
"""


def has_table(elf, folder):
    run(program("arm-none-eabi-objcopy"), "-O", "binary", "-j", "dprobes_functions", elf, folder / "table")
    return (folder / "table").read_bytes()[:4] == b"DPF\1"


# proves: A3.33
def test_make_puts_the_table_in(tmp_path):
    (tmp_path / "fw.s").write_text(TABLE_S)
    (tmp_path / "Makefile").write_text(
        f"CC := arm-none-eabi-gcc\nDPROBES := {built('host', 'dprobes')}\nDPROBES_CPU := arm\n"
        f"all: fw.elf\ninclude {release()}/dprobes.mk\nfw.elf: fw.s\n\t$(CC) -mcpu=cortex-a9 -nostdlib -static -o $@ $<\n"
        "\t$(call DPROBES_TABLE,$@)\n")
    run(program("make"), "-C", tmp_path, "all")
    assert has_table(tmp_path / "fw.elf", tmp_path)


# proves: A3.33
def test_cmake_puts_the_table_in(tmp_path):
    (tmp_path / "fw.S").write_text(TABLE_S)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(firmware LANGUAGES C ASM)\nset(DPROBES_CPU arm)\n"
        f"add_subdirectory({release()} dprobes EXCLUDE_FROM_ALL)\nadd_executable(firmware fw.S)\n"
        "target_link_options(firmware PRIVATE -nostdlib -static)\ndprobes_table(firmware)\n")
    run(program("cmake"), "-S", tmp_path, "-B", tmp_path / "out", "-DCMAKE_SYSTEM_NAME=Generic",
        f"-DCMAKE_C_COMPILER={program('arm-none-eabi-gcc')}", "-DCMAKE_ASM_FLAGS=-mcpu=cortex-a9",
        f"-DDPROBES={built('host', 'dprobes')}", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
    run(program("cmake"), "--build", tmp_path / "out")
    assert has_table(tmp_path / "out" / "firmware", tmp_path)


@pytest.mark.parametrize("cpu", ["", "z80"])
def test_make_without_a_cpu(cpu, tmp_path):
    (tmp_path / "Makefile").write_text(f"DPROBES_CPU := {cpu}\ninclude {release()}/dprobes.mk\nall: $(DPROBES_OBJECTS)\n")
    done = subprocess.run([program("make"), "-C", tmp_path, "all"], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and f"DPROBES_CPU is '{cpu}'; set it to one of: {' '.join(sorted(cpus.names()))}" in done.stderr


@BUILDS
def test_cmake(kind, cpu, tmp_path):
    """A project of somebody: the target dprobes_agent brings headers, knobs and flags."""
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.13)\nproject(firmware LANGUAGES C ASM)\nset(DPROBES_CPU {cpu})\n"
        f"set(DPROBES_DEFINES DP_MAX_PROBES=8)\nadd_subdirectory({release()} dprobes)\n"
        "add_library(firmware OBJECT firmware.c)\ntarget_link_libraries(firmware PRIVATE dprobes_agent)\n"
        "target_compile_options(firmware PRIVATE -ffreestanding)\n")
    (tmp_path / "firmware.c").write_text('#include "dprobes.h"\n_Static_assert(DP_MAX_PROBES == 8, "a knob of the project");\n')
    command, *words = map(str, compiler(kind, cpu))
    flags = " ".join(words)
    run(program("cmake"), "-S", tmp_path, "-B", tmp_path / "out", "-DCMAKE_SYSTEM_NAME=Generic",
        f"-DCMAKE_C_COMPILER={command}", f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_ASM_FLAGS={flags}",
        "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
    run(program("cmake"), "--build", tmp_path / "out")
    assert list((tmp_path / "out").rglob("libdprobes_agent.a"))


def test_every_port_is_there():
    assert set(agent_release.cpus()) == set(CPU_FLAGS) == {path.parent.name for path in release().glob("*/dprobes_agent.c")}


FILES = ("dprobes_agent.c", "dprobes_entry.S", "dprobes.h", "dprobes_hit.h", "dprobes_hook.h")
EVERY_CPU = pytest.mark.parametrize("cpu", CPU_FLAGS)
LINES = 33850  # of dprobes_agent.c at most, comments and empty lines too


@EVERY_CPU
def test_every_macro_begins_with_dp(cpu):
    """The files bring no other macro into a firmware's file, and take none from it."""
    for name in FILES:
        macros = re.findall(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", (release() / cpu / name).read_text(), re.M)
        limits = re.compile(r"U?INT(8|16|32|64|PTR)_MAX")  # where a tree's types come without them: dp_config.h
        assert macros and not [macro for macro in macros if not macro.startswith("DP") and not limits.fullmatch(macro)], name


@EVERY_CPU
@pytest.mark.parametrize("knobs", [[], SMALL, FULL], ids=["default", "small", "full"])
def test_vendors_names_change_nothing(cpu, knobs, tmp_path):
    """The preprocessor makes the same text of the files behind a header with the names of vendors, kernels and libraries."""
    def text(file, *options):
        return run(*compiler("gcc", cpu), "-std=gnu11", *agent_release.flags(cpu), *agent_release.flags(cpu, "FLAGS_GCC"), *knobs, *options,
                   "-E", "-P", file)

    vendor = ["-include", GUEST / "vendor.h"]
    hit = tmp_path / "hit.c"
    hit.write_text('#include "dprobes_hit.h"\n#include "dprobes.h"\n')
    for file, options in ((release() / cpu / FILES[0], []), (release() / cpu / FILES[1], []), (hit, [f"-I{release() / cpu}"])):
        assert text(file, *options) == text(file, *options, *vendor), file.name
    hit.write_text("int FREE;\n")
    assert text(hit) != text(hit, *vendor)


# proves: A3.54
@EVERY_CPU
@pytest.mark.parametrize("knobs", [[], SMALL, FULL], ids=["default", "small", "full"])
def test_a_tree_without_standard_headers(cpu, knobs, tmp_path):
    """A header of the tree has the types, no other header is there, and `noinline` is a macro."""
    types = ["-nostdinc", '-DDPROBES_TYPES_H="tree_types.h"', f"-I{GUEST}"]
    hit = tmp_path / "hit.c"
    hit.write_text('#include "dprobes_hit.h"\nDPROBES_MEMORY(memory);\nextern const void *taken;\nconst void *taken = &memory;\n')
    for file in (release() / cpu / FILES[0], hit):
        run(*compiler("gcc", cpu), "-std=gnu11", *WARNINGS, *agent_release.flags(cpu), *agent_release.flags(cpu, "FLAGS_GCC"), *knobs, *types,
            f"-I{release() / cpu}", "-fsyntax-only", file)


@EVERY_CPU
def test_each_part_once(cpu):
    """Tables, then headers, then files, as the table of contents says; each row of a table stands once."""
    text = (release() / cpu / "dprobes_agent.c").read_text()
    contents = text[text.index("/* Contents"):text.index("*/", text.index("/* Contents"))]
    told = re.findall(r"\b\w+\.(?:def|h|c)\b", contents)
    parts = re.findall(r"^/\* ---- (\S+) ---- \*/$", text, re.M)
    assert [part.rsplit("/", 1)[-1] for part in parts] == told and len(parts) == len(set(parts)) > 150
    kinds = [part.rsplit(".", 1)[-1] for part in parts]
    assert kinds == sorted(kinds, key=["def", "h", "c"].index)
    rows = re.findall(r"^\t(DP_(?:OP|FIELD|LATER|ERR|PART)\(.*?) ?\\?$", text, re.M)
    assert len(rows) > 400 and len(rows) == len(set(rows)) and '" ' not in "".join(rows)
    assert text.count("#include") == 2
    assert text.count("\n") <= LINES


def test_generator_resolves_conditions():
    """A condition on a known name goes, with the part that is not taken; another stays."""
    text = "#ifdef T\na\n#if K\nb\n#endif\n#elif defined K\nc\n#else\nd\n#endif\n#ifndef T\ne\n#else\nf\n#endif\n#ifdef K\ng\n#endif\n"
    assert agent_parts.resolved(text, {"T": False}) == "#if defined K\nc\n#else\nd\n#endif\ne\n#ifdef K\ng\n#endif\n"
    assert agent_parts.resolved(text, {"T": True}) == "a\n#if K\nb\n#endif\nf\n#ifdef K\ng\n#endif\n"


def test_generator_names_what_collides():
    """Two files may have a static function of one name; members of that name stay."""
    text = 'static int put(int a)\n{\n\treturn a;\n}\nint use(struct s *s)\n{\n\ts->put = put; /* put */ return s . put("put");\n}\n'
    assert agent_pair.own_names(text) == {"put"}
    assert agent_pair.renamed(text, {"put": "put_in_a"}) == text.replace("int put(", "int put_in_a(").replace("= put;", "= put_in_a;")


def test_our_boards_link_as_users_do():
    """No linker script of a board names a folder or a file of the build: the agent's text has its section."""
    scripts = sorted((TOP / "boards").rglob("*.ld"))
    assert len(scripts) > 5
    for path in scripts:
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        named = [pattern for pattern in re.findall(r"(\S*)\(\s*\.?\w", text) if "*" in pattern and pattern not in ("*", "KEEP(*")]
        assert not named, f"{path}: {named}"
    assert all("*(dprobes_text)" in path.read_text(encoding="utf-8") for path in scripts if path.name == "sections.ld")
