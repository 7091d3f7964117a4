# SPDX-License-Identifier: BSD-2-Clause
"""What holds for every file of the tree, and which folder may know which."""
import collections
import pathlib
import re
import shlex
import subprocess

import pytest

import cpus
import sources_mk
from harness.paths import TOP, program, tracked_files

FILES = tracked_files()
TOP_ENTRIES = re.compile(r"agent|port|host|protocol|boards|tests|SConstruct|README(\.md)?|DESIGN\.md|GLOSSARY\.md|LICENSE"
                         r"|\.ci|\.git[a-z]*|\.clang-(format|tidy)|\.editorconfig")
NO_COMMENTS = {".map", ".json"}  # System.map knows none: the README beside says the licence
CORPUS = ("tests", "fuzz", "corpus")  # bytes for a fuzz target, never text
HEADERS = [path for path in FILES if path.suffix == ".h"]


def text_of(path):
    data = (TOP / path).read_bytes()
    return None if b"\0" in data or path.parts[:3] == CORPUS else data.decode("utf-8")


def test_spdx_line():
    without = [str(path) for path in FILES if path.name != "LICENSE"
               and path.suffix not in NO_COMMENTS and text_of(path) is not None
               and "SPDX-License-Identifier: BSD-2-Clause" not in text_of(path)[:400]]
    assert not without


def test_top_level_entries():
    assert not {path.parts[0] for path in FILES if not TOP_ENTRIES.fullmatch(path.parts[0])}


def test_nothing_built_is_tracked():
    built = (".o", ".a", ".so", ".elf", ".pyc", ".su", ".ci", ".bin", ".ppdf")
    assert not [str(path) for path in FILES if path.suffix in built]


def test_text_ends_with_a_newline_and_lines_without_blanks():
    bad = []
    for path in FILES:
        text = text_of(path)
        if not text or path.suffix in (".md", ".t", ".dp"):
            continue
        if not text.endswith("\n") or text.endswith("\n\n") or "\r" in text:
            bad.append(f"{path}: end of file or line ends")
        bad += [f"{path}:{number}: blanks at the end" for number, line
                in enumerate(text.split("\n"), 1) if line != line.rstrip()]
    assert not bad


LINE_MAX = 120  # characters


def long_lines(text):
    """Numbers of the lines of Markdown that are too long; tables, code and examples of frames (`hex:`) have lines as they are."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        code ^= fence
        if len(line) > LINE_MAX and not code and not fence and not line.startswith(("|", "hex: ")):
            yield number


def test_lines_of_markdown_are_short():
    word = "w" * LINE_MAX + "w"
    assert list(long_lines(f"{word}\n{word[1:]}\n| {word} |\n```\n{word}\n```\nhex: {word}\n- {word}\n")) == [1, 8]
    assert not [f"{path}:{number}" for path in FILES if path.suffix == ".md" for number in long_lines(text_of(path))]


def test_no_comment_is_continued_by_a_backslash():
    """clang-format does so with what is too long behind #ifndef."""
    assert not [f"{path}:{number}" for path in FILES if path.suffix in (".c", ".h", ".def", ".S") for number, line
                in enumerate((text_of(path) or "").split("\n"), 1)
                if re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif|include|undef)\b.*\\$", line) and "/*" in line]


def test_no_machine_paths():
    """A path of somebody's machine helps nobody else."""
    pattern = re.compile(r"(?<![\w.])/(home|root|Users|work)/\w")
    assert not [f"{path}: {match.group(0)}" for path in FILES for match
                in pattern.finditer(text_of(path) or "") if path.suffix not in (".md", ".py", ".dp", ".t")]


# Of a header that firmware without an agent, and so without a port, has too: compilers of PowerPC write a constant as a register,
# those of IA32 a byte as a part of one.
WITHOUT_PORT = {("agent/dprobes_hook.h", line) for line in (
    "#ifdef __powerpc__", "#ifdef __thumb__", "#elif defined(__i386__)", "#if defined(__clang__) || defined(__i386__)")}
OF_A_CPU = re.compile(r"#\s*(el)?if.*(__arm__|__ARM_|__thumb|__mips|__powerpc|__PPC|__riscv|__i386|__x86_64|__aarch64)")


def test_no_cpu_conditionals_in_the_core():
    """A function is missing from the port contract where one is needed."""
    found = [(str(path), line) for path in FILES if path.parts[0] in ("agent", "protocol")
             for line in (text_of(path) or "").splitlines() if OF_A_CPU.search(line)]
    assert set(found) == WITHOUT_PORT and len(found) == len(WITHOUT_PORT)


SHAPING = re.compile(r'\b_*(?:noinline|always_inline)_*\b|\bDP_NEAR\(|__asm__\(""')
GAIN = re.compile(r"\d[\d,]*\s+(\*\s+)?(bytes|instructions)")
# Without this shaping the code would be wrong, not larger or slower.
MEANING = {"agent/base/dp_build.h": "the definition of DP_NEAR", "agent/dprobes.h": "code of a section stays in its section",
           "agent/glue/dprobes.c": "another program fills the table",
           "agent/request/secret.c": "no stack gets a part of a secret"}


def without_gain(text):
    """Lines that shape the compiler's code, when neither they nor the comment in front states the gain."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if SHAPING.search(line) and not GAIN.search("\n".join(lines[max(at - 6, 0):at + 1])):
            yield f"{at + 1}: {line.strip()}"


def test_shaping_states_its_gain():
    """noinline and the like stay where they save 64 bytes or 5 instructions a hit, and say so."""
    assert list(without_gain("int x;\n/* Out of line: 5\n * instructions less. */\nstatic __attribute__((noinline)) void f(void);\n\tDP_NEAR(p);\n")) == []
    assert list(without_gain("/* Faster. */\n\tDP_NEAR(p);\n\n\n__attribute__((__noinline__)) int f;\n")) == [
        "2: DP_NEAR(p);", "5: __attribute__((__noinline__)) int f;"]
    assert not [f"{path}:{line}" for path in FILES if path.parts[0] in ("agent", "port", "protocol") and path.suffix in (".c", ".h")
                and str(path) not in MEANING for line in without_gain(text_of(path))]


# ---- which folder may include which -----------------------------------------------------------

# Headers of another house: a port's types of the board, a firmware's one header, the contract of the ports.
PUBLIC = {"agent": {"dp_port.h", "dp_watch.h", "dp_regs.h", "dprobes_cpu.h", "dprobes_frame.h"}, "port": {"dp_agent.h", "dp_config.h"},
          "boards": {"dprobes.h", "dprobes_hit.h", "dprobes_hook.h"}}
# A header that each firmware writes for the ready-made glue: agent/glue/dprobes_start.h.
OF_FIRMWARE = "dprobes_settings.h"
LAYERS = {
    "protocol": {"protocol"},
    "agent": {"protocol", "agent"},
    "port": {"protocol", "port"},
    "boards": {"boards"},
    "host": {"protocol", "agent", "port", "host"},
}


def owner_of(header):
    """The top folders that have a header of this name."""
    return {path.parts[0] for path in FILES if path.name == header and len(path.parts) > 1}


def forbidden_includes(path, text):
    layer = path.parts[0]
    for include in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.MULTILINE):
        name = pathlib.Path(include).name
        owners = owner_of(name)
        if (TOP / path.parent / include).exists() or not owners or owners & LAYERS[layer]:
            continue
        if name in PUBLIC.get(layer, ()) or (name == OF_FIRMWARE and path.parts[:2] == ("agent", "glue")):
            continue
        yield f"{path} includes {include} of {', '.join(sorted(owners))}"


def test_layers():
    found = [text for path in FILES if path.parts[0] in LAYERS
             and path.suffix in (".c", ".h", ".S", ".def") for text in forbidden_includes(path, text_of(path))]
    assert not found


@pytest.mark.parametrize("path, include", [
    ("protocol/dp_crc.c", "dp_state.h"), ("agent/sites/text.c", "wire/holder.h"), ("agent/sites/text.c", "port/mips/mips_port.h"),
    ("port/mips/mem.c", "dp_hit.h"), ("boards/demo/critical.c", "dp_agent.h")])
def test_a_forbidden_include_is_seen(path, include):
    (found,) = forbidden_includes(pathlib.PurePath(path), f'#include "{include}"\n')
    assert found.startswith(f"{path} includes {include} of ")


def test_a_port_knows_no_other_port():
    found = []
    for path in FILES:
        if path.parts[0] == "port" and len(path.parts) > 2 and path.suffix in (".c", ".h", ".S"):
            for other in re.findall(r'#\s*include\s+"(?:(?:\.\./)*port/|\.\./)?(\w+)/', text_of(path)):
                if other != path.parts[1] and (TOP / "port" / other / "dp_port_cpu.h").exists():
                    found.append(f"{path}: {other}")
    assert not found


# ---- what nobody uses ---------------------------------------------------------------------------

USERS = (".c", ".h", ".S", ".def", ".py", ".ld", ".mk")


def pasted(text):
    """What names begin with that the preprocessor puts together: NAME_##x. All of ours begin with dp_."""
    return set(re.findall(r"\b(\w+_)[ \t]*##", text)) - {"dp_", "dph_", "DP_", "DPH_"}


def defined_once(texts):
    """{name: file} of macros, and of inline functions of headers, which stand in the tree once: at their definition."""
    words, made = collections.Counter(), set()
    for path, text in texts.items():
        words.update(re.findall(r"\w+", text))
        made |= pasted(text)
    for path, text in texts.items():
        if path.suffix in (".c", ".h"):
            names = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M)
            names += re.findall(r"^static inline [\w *]*?(\w+)\(", text, re.M) if path.suffix == ".h" else []
            for name in names:
                if words[name] == 1 and not name.endswith("_H") and not name.startswith(tuple(made)):
                    yield f"{path}: {name}"


# Macros whose names a table's columns make: a message, its kind and its field.
MADE = re.compile(r"agent/(request/dp_forms\.h|line/status_lines\.c): (\w+_(answer|line)_\w+)")


def test_every_macro_and_inline_function_has_a_user():
    texts = {path: text_of(path) or "" for path in FILES if path.suffix in USERS or path.name == "SConstruct"}
    assert not [text for text in defined_once(texts) if not text.startswith(("tests/", "port/template/")) and not MADE.fullmatch(text)]
    some = {pathlib.PurePath("a.h"): "#define A_1 1\n#define LONELY A_##x\nstatic inline int *f(int a)\n#define USED 2\n",
            pathlib.PurePath("b.c"): "int x = USED;\n"}
    assert list(defined_once(some)) == ["a.h: LONELY", "a.h: f"]


# ---- headers ----------------------------------------------------------------------------------

# What guests share is compiled with the guest.h of the first CPU whose guest uses all of it.
OF_COMMON = next(row.name for row in cpus.rows() if (TOP / "tests/guests" / row.name / "oracle.c").exists())


def compiler_for(path):
    """The compiler and flags with which a header makes sense."""
    include = ["protocol", *sources_mk.include_folders("agent"), "port", *(["tests/guests/release"] if path.parts[:2] == ("agent", "glue") else [])]
    board = None
    if path.parts[0] == "boards":
        boards = {name: facts for name, facts in board_facts() if "CROSS" in facts}
        board = boards.get(path.parts[1]) or next(
            facts for facts in boards.values()
            if {str(path.parent), str(path.parent.parent)} & set(sources_mk.words(facts, "INCLUDES")))
        include += sources_mk.words(board, "INCLUDES")
    cpu = port_of(path.parts[1]) if path.parts[0] == "port" and len(path.parts) > 2 else "sim"
    if path.parts[:2] == ("tests", "guests"):
        guest = OF_COMMON if path.parts[2] == "common" else path.parts[2]
        if (TOP / "port" / guest).is_dir():
            cpu = guest
            include += ["tests/guests/common", f"tests/guests/{guest}"]
    compiler, flags = "gcc", []
    if board:
        cpu = board.get("PORT", "arm")
        # -ffreestanding: some cross compilers are for Linux, and their stdint.h wants its libc.
        compiler, flags = board["CROSS"] + "gcc", ["-ffreestanding", *sources_mk.words(board, "CPU_FLAGS")]
    elif cpu in sources_mk.firmware_ports():
        facts = next((f for _, f in board_facts() if f.get("PORT") == cpu), None)
        if facts is None:
            pytest.skip(f"no board has a {cpu} CPU")
        compiler, flags = facts["CROSS"] + "gcc", ["-ffreestanding", *sources_mk.words(facts, "CPU_FLAGS")]
    if not board and not (TOP / "port" / cpu / "dp_port_cpu.h").exists():
        pytest.skip(f"port/{cpu} is not there yet")
    include += [f"port/{cpu}", *(["host", "host/include"] if path.parts[0] in ("host", "tests") else []),
                *(["tests/lib", "tests/lib/target", "tests/language", "tests/language/reference"] if path.parts[0] == "tests" else [])]
    return program(compiler), [*flags, *(f"-I{folder}" for folder in include)]


def port_of(folder):
    """The folder, if it is a port; else a port that takes files of it."""
    ports = [path.parent.name for path in sorted((TOP / "port").glob("*/dp_port_cpu.h"))]
    users = [port for port in ports if any(f"/{folder}/" in name for name in sources_mk.source_files(f"port/{port}"))]
    return folder if folder in ports or not users else users[0]


def board_facts():
    for path in sorted((TOP / "boards").glob("*/sources.mk")):
        yield path.parent.name, sources_mk.read(str(path.parent))


# Headers that include a firmware's: settings of a tree.
ALONE = [path for path in HEADERS if path.parts[:2] != ("agent", "tree")]


@pytest.mark.parametrize("header", ALONE, ids=str)
def test_header_compiles_alone(header):
    compiler, flags = compiler_for(header)
    source = f'#include "{header}"\n#include "{header}"\nextern int nothing;\n'
    run = subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                          "-D_GNU_SOURCE", "-DDP_VM_ASSERT", "-I.", *flags, "-xc", "-"], input=source, cwd=TOP,
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def included_by(path):
    """Our headers that a header includes."""
    for include in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text_of(path), re.MULTILINE):
        near = path.parent / include
        for other in HEADERS:
            if other == near or (not (TOP / near).exists() and other.name == pathlib.Path(include).name):
                yield other


def test_no_header_includes_itself():
    """Not through others either: of two headers in a circle none compiles first. Ports have headers of one name: each is looked at."""
    graph = {path: set(included_by(path)) for path in HEADERS}

    def reached(path, seen):
        for other in graph[path] - seen:
            seen.add(other)
            reached(other, seen)
        return seen

    assert not [str(path) for path in HEADERS if path in reached(path, set())]


# ---- README and CI ----------------------------------------------------------------------------

def readme_commands():
    path = TOP / "README.md"
    if not path.exists():
        pytest.skip("there is no README.md yet")
    blocks = re.findall(r"^```(?:sh|console)?\n(.*?)^```", path.read_text(), re.DOTALL | re.MULTILINE)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]


def test_ci_runs_what_the_readme_prints():
    lines = (TOP / ".ci" / "run").read_text().splitlines()
    assert lines[-1] == "sh tests/setup.sh && scons test"
    assert lines[-1] in readme_commands()
    assert "sh tests/setup.sh --demo && scons demo" in readme_commands()


def test_readme_names_targets_that_exist():
    targets = set(re.findall(r"^    scons (\w+)", (TOP / "SConstruct").read_text(), re.MULTILINE))
    for line in readme_commands():
        for part in line.split("&&"):
            if part.split()[:1] == ["scons"]:
                assert set(w for w in shlex.split(part, comments=True)[1:] if w.isalpha()) <= targets, line


def paths_named(text):
    """Of the tests' guide: paths without a word that stands for another (NAME, CPU, BOARD)."""
    for name in re.findall(r"`([\w.-]+(?:/[\w.-]*)+)`", text):
        if not name.startswith("build/") and not re.search(r"\b[A-Z]{3,}|_[A-Z]{3,}", name):
            yield name


def test_paths_in_the_guide_of_the_tests_are_there():
    tests = TOP / "tests"
    names = list(paths_named((tests / "README.md").read_text(encoding="utf-8")))
    assert len(names) > 40
    assert [name for name in names if not (tests / name).exists() and not (TOP / name).exists()] == []


def test_setup_list():
    """One list, and each line says why."""
    text = (TOP / "tests" / "setup.sh").read_text()
    rows = re.search(r"<<'LIST'\n(.*?)^LIST$", text, re.DOTALL | re.MULTILINE).group(1).splitlines()
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.+-]*\s+# \S.*", row) for row in rows), rows

    def listed(*words):
        return subprocess.run(["sh", "tests/setup.sh", *words, "--list"], cwd=TOP, capture_output=True, text=True, check=True).stdout.split()
    assert listed("--nightly") == [row.split()[0] for row in rows]
    demo = listed("--demo")
    assert set(demo) < set(listed()) and demo == [row.split()[0] for row in rows if "# demo:" in row]
    assert not [name for name in demo if re.search("mips|powerpc|clang|gdb|pytest", name)], "the demo runs on one board"
    assert listed() == [row.split()[0] for row in rows if "# nightly:" not in row] != listed("--nightly")


# ---- CPUs ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("row", cpus.rows()[1:], ids=lambda row: row.name)
def test_few_tests_name_a_cpu(row):
    """What tests must know of a CPU stands in its row, tests/guests/CPU/cpu.py. Tests without a choice take the first CPU."""
    names = {row.name, row.board} - set(row.visible)  # a board may have the name of a register
    word = re.compile(f'"({"|".join(names)})"')
    files = {path for path in tracked_files() if path.parts[0] == "tests" and path.suffix in (".py", ".c", ".h")
             and path.parts[:3] != ("tests", "guests", row.name) and row.name not in path.stem.split("_")
             and word.search((TOP / path).read_text(encoding="utf-8"))}
    assert len(files) <= row.named_in, sorted(map(str, files))


def test_every_port_has_a_row():
    assert "arm" in sources_mk.firmware_ports()
    without = set(sources_mk.firmware_ports()) ^ set(cpus.names())
    assert not without, f"{sorted(without)}: a port for a firmware has a row tests/guests/CPU/cpu.py, and no other port; " \
        "a port for no firmware has NO_FIRMWARE in port/CPU/sources.mk"


GUEST_LINES_MAX = 900  # of a CPU's guest without its row: what CPUs share is in tests/guests/common


def guest_lines(name):
    return sum(len((TOP / path).read_text(encoding="utf-8").splitlines()) for path in tracked_files()
               if path.parts[:3] == ("tests", "guests", name) and path.name != "cpu.py")


@pytest.mark.parametrize("row", cpus.rows(), ids=lambda row: row.name)
def test_a_guest_is_cases(row):
    """A longer guest has a reason in its row, and stays as long as the row says."""
    lines = guest_lines(row.name)
    print(f"{row.name}: {lines} lines")
    assert bool(row.long_guest) == (lines > GUEST_LINES_MAX)
    assert lines <= max(GUEST_LINES_MAX, row.guest_lines)
