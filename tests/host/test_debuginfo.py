# SPDX-License-Identifier: BSD-2-Clause
"""Debug information of every form a compiler makes: DWARF 2 to 5, compressed, split, separate, with LTO, of C++, CTF;
and the sentence for each file that has none. What is found is compared with what the compiler itself says."""
import os
import re
import shutil
import subprocess

import pytest

import cpus
from harness import process, tool
from harness.paths import built, program

# Line numbers matter: tests name them.
MAIN = """\
#include "record.h"
static int helper(const struct record *r, int n) { return (int)r->mode + n; }
static inline int scaled(int value)
{
	int twice = value * 2;
	return twice + 1;
}
struct record table[3];
static const char *names[] = {"one", "two"};
int take(struct record *r, union either *e, long long wide, unsigned char c)
{
	int sum = helper(r, e->number);
	sum += scaled(sum);
	r->count = (unsigned short)sum;
	return sum + (int)wide + c + names[sum & 1][0];
}
int _start(void)
{
	union either e = {.number = 4};
	return take(table, &e, 5, 6);
}
"""
SECOND = """\
#include "record.h"
static int helper(const struct record *r, int n) { return (int)r->count - n; }
int second(struct record *r)
{
	return helper(r, 3) + r->mode;
}
"""
HEADER = """\
enum color { RED, GREEN = 5, BLUE = -2 };
union either { int number; float real; };
struct record {
	int low : 3;
	unsigned middle : 7;
	unsigned long long across : 40;
	enum color color : 4;
	unsigned short count;
	struct { short x, y; };
	struct record *next;
	char text[6];
	int (*call)(struct record *, const char *);
	_Bool flag;
	int mode;
	unsigned char grid[2][3];
	int tail[];
};
typedef struct record record_t;
"""
MEMBERS = ["low", "middle", "across", "color", "count", "x", "y", "next", "text", "call", "flag", "mode", "grid", "tail"]
FLAGS = ["-mcpu=cortex-a9", "-O1", "-fno-inline-functions-called-once", "-ffreestanding"]


# A compiler cache may bring an object that names the folder of an earlier run.
ENVIRONMENT = {**os.environ, "CCACHE_DISABLE": "1"}


def library(*arguments, cwd=None):
    """What test_debuginfo prints: rows of fields."""
    run = subprocess.run([built("host-asan", "tests", "host", "test_debuginfo"), *map(str, arguments)], check=False,
                         capture_output=True, text=True, env=tool.environment(), timeout=process.TIMEOUT_S, cwd=cwd)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]
    return [line.split("\t") for line in run.stdout.splitlines()]


def of_kind(rows, kind):
    return [fields[1:] for fields in rows if fields[0] == kind]


def sources(folder):
    (folder / "first").mkdir()
    (folder / "other").mkdir()
    (folder / "record.h").write_text(HEADER)
    (folder / "first" / "main.c").write_text(MAIN)
    (folder / "other" / "main.c").write_text(SECOND)


def compiled(folder, *options, compiler="arm-none-eabi-gcc", flags=FLAGS, output="fw.elf"):
    """The two files, compiled and linked."""
    objects = []
    for number, name in enumerate(["first/main.c", "other/main.c"]):
        objects.append(f"{number}.o")
        subprocess.run([program(compiler), *flags, *options, "-I.", "-c", "-o", objects[-1], name], cwd=folder,
                       check=True, capture_output=True, text=True, env=ENVIRONMENT)
    linker = "arm-none-eabi-gcc" if compiler == "clang" else compiler
    subprocess.run([program(linker), *(flags[:1] if compiler != "clang" else FLAGS[:1]), "-nostdlib", "-static",
                    *(option for option in options if option.startswith(("-flto", "-Wl", "-gctf", "-gz"))),
                    "-Wl,--build-id=sha1", "-o", output, *objects], cwd=folder, check=True, capture_output=True, text=True)
    return folder / output


def check_everything(elf):
    """Lines, functions, variables and types of the two files."""
    rows = library("at", elf, "first/main.c:13", "other/main.c:5")
    places = of_kind(rows, "place")
    assert [place[1] for place in places] == ["take", "second"], rows
    variables = {row[0]: row for row in of_kind(rows, "variable")}
    assert variables["r"][1] == "struct record *" and variables["e"][1] == "union either *"
    assert variables["wide"][1] == "long long int" or variables["wide"][1] == "long long"
    assert variables["c"][1] == "unsigned char" and variables["sum"][1] == "int"
    assert variables["r"][5] == "readable"
    frames = of_kind(rows, "frame")
    assert ["take", "13"] in [[f[0], f[2]] for f in frames] and frames[-1][0] == "second"
    members = {row[0]: row for row in of_kind(library("type", elf, "struct record"), "member")}
    assert list(members) == ["low", "middle", "across", "color", "count", "", "next", "text", "call", "flag", "mode",
                             "grid", "tail"]
    assert members["call"][1] == "int (*)(struct record *, const char *)"
    assert members["grid"][1] == "unsigned char [2][3]" and members["tail"][1] == "int []"
    table, = of_kind(library("global", elf, "table"), "variable")
    assert table[1] == "struct record [3]" and table[4] == "memory"


DWARF = [("arm-none-eabi-gcc", f"-gdwarf-{n}") for n in (2, 3, 4, 5)] + [("clang", f"-gdwarf-{n}") for n in (3, 4, 5)]
CLANG = ["--target=arm-none-eabi", "-mcpu=cortex-a9", "-O1", "-ffreestanding", "-fno-inline-functions"]


@pytest.mark.parametrize("compiler,option", DWARF)
def test_dwarf_of_each_version(compiler, option, tmp_path):
    sources(tmp_path)
    check_everything(compiled(tmp_path, option, compiler=compiler, flags=CLANG if compiler == "clang" else FLAGS))


@pytest.mark.parametrize("options", [
    ["-g", "-gz=zlib"], ["-g", "-gz=zlib-gnu"], ["-g", "-gstrict-dwarf", "-gdwarf-3"],
    ["-g", "-fdebug-types-section", "-gdwarf-4"], ["-g", "-fdebug-types-section", "-gdwarf-5"],
    ["-g", "-flto", "-ffat-lto-objects"], ["-g", "-ffunction-sections", "-Wl,--gc-sections,--undefined=second"],
    ["-g", "-mthumb"], ["-g", "-gsplit-dwarf", "-gdwarf-4"], ["-g", "-gsplit-dwarf", "-gdwarf-5"], ["-g3"]],
    ids=" ".join)
def test_forms_of_dwarf(options, tmp_path):
    sources(tmp_path)
    elf = compiled(tmp_path, *options)
    if "-flto" in options:
        # The two files become one unit, and the second function of a name gets a tail.
        rows = library("at", elf, "first/main.c:13")
        assert {"take", "_start"} & {place[1] for place in of_kind(rows, "place")}
        assert of_kind(library("type", elf, "struct record"), "member")
        return
    check_everything(elf)
    if "-gz=zlib" in options:
        assert "COMPRESSED" in subprocess.run([program("readelf"), "-tW", elf], capture_output=True, text=True,
                                              check=True).stdout


# --- types, as the compiler has them ---

QUESTION = """
#include "record.h"
#define FIELD(name) (unsigned)__builtin_offsetof(struct record, name), (unsigned)sizeof(((struct record *)0)->name)
const unsigned answers[] = { sizeof(struct record), sizeof(union either), sizeof(enum color), (char)-1 < 0,
 FIELD(count), FIELD(x), FIELD(y), FIELD(next), FIELD(text), FIELD(call), FIELD(flag), FIELD(mode), FIELD(grid) };
const struct record bits[] = { {.low = -1}, {.middle = 127}, {.across = 0xffffffffff}, {.color = -1} };
int _start(struct record *r) { return r->mode; }
"""
CPUS = {name: compiler for row in cpus.rows() for name, compiler in row.debug_gccs.items()}


def contents(prefix, elf, symbol, tmp_path):
    """Bytes of a symbol, as the linker put them."""
    names = subprocess.run([program(f"{prefix}nm"), "-S", elf], check=True, capture_output=True, text=True).stdout
    address, size = (int(word, 16) for word in re.search(rf"^(\w+) (\w+) \w {symbol}$", names, re.M).groups())
    sections = subprocess.run([program(f"{prefix}objdump"), "-h", elf], check=True, capture_output=True, text=True).stdout
    for name, length, start in re.findall(r"^ +\d+ (\S+) +(\w{8}) +(\w{8}) ", sections, re.M):
        if int(start, 16) <= address < int(start, 16) + int(length, 16):
            subprocess.run([program(f"{prefix}objcopy"), "-O", "binary", "-j", name, elf, "section.bin"], cwd=tmp_path,
                           check=True)
            data = (tmp_path / "section.bin").read_bytes()
            return data[address - int(start, 16):][:size]
    raise AssertionError(f"{symbol} is in no section")


@pytest.mark.parametrize("form", ["-gdwarf-2", "-gdwarf-4", "-gdwarf-5", "-gctf"])
@pytest.mark.parametrize("cpu", CPUS)
def test_types_as_the_compiler_has_them(cpu, form, tmp_path):
    """Sizes and offsets; each bit-field is loaded, shifted and masked as the description says, from bytes that the
    compiler made: all its bits are set, and those of the others are not."""
    prefix, flags, order = CPUS[cpu]
    (tmp_path / "record.h").write_text(HEADER)
    (tmp_path / "q.c").write_text(QUESTION)
    elf = tmp_path / "q.elf"
    subprocess.run([program(f"{prefix}gcc"), *flags, form, "-O1", "-ffreestanding", "-nostdlib", "-static", "-fno-eliminate-unused-debug-types",
                    "-Wl,--build-id=none", "-o", elf, "q.c"], cwd=tmp_path, check=True, capture_output=True)
    answers = contents(prefix, elf, "answers", tmp_path)
    words = [int.from_bytes(answers[i:i + 4], order) for i in range(0, len(answers), 4)]
    rows = library("type", elf, "struct record", "union either", "enum color", "char", "record_t")
    types = of_kind(rows, "type")
    assert [int(row[3]) for row in types[:2]] == words[:2] and types[4][1] == "struct"
    # gcc's CTF gives every enum the size of an int.
    assert int(types[2][3]) == (4 if form == "-gctf" else words[2])
    assert types[3][2] == ("signed" if words[3] else "")
    fields = ["count", "x", "y", "next", "text", "call", "flag", "mode", "grid"]
    offsets = of_kind(library("type", elf, *(f"struct record.{name}" for name in fields)), "offset")
    assert [int(offset[0]) for offset in offsets] == words[4::2]
    assert of_kind(library("type", elf, "struct record.low", "struct record.nothing"), "offset") == [["none"], ["none"]]
    members = {row[0]: [int(n) for n in row[2:]] for row in of_kind(rows, "member")}
    data = contents(prefix, elf, "bits", tmp_path)
    for number, name in enumerate(["low", "middle", "across", "color"]):
        one = data[number * words[0]:][:words[0]]
        for other in ["low", "middle", "across", "color"]:
            offset, bits, load, shift = members[other]
            assert load, other
            value = int.from_bytes(one[offset:offset + load], order) >> shift & ((1 << bits) - 1)
            assert value == ((1 << bits) - 1 if other == name else 0), (name, other, members[other])
    assert ["BLUE", "-2"] in of_kind(rows, "enumerator") and ["GREEN", "5"] in of_kind(rows, "enumerator")
    prototype = of_kind(library("prototype", elf, hex(entry(prefix, elf))), "type")
    if form != "-gctf":
        assert prototype[0][0] == "int (struct record *)"


def entry(prefix, elf):
    names = subprocess.run([program(f"{prefix}nm"), elf], check=True, capture_output=True, text=True).stdout
    return int(re.search(r"^(\w+) T _start$", names, re.M).group(1), 16) & ~1


def test_types_of_one_name(tmp_path):
    """Two units, two definitions; the larger unit's is taken, and said to be one of several."""
    (tmp_path / "a.c").write_text("struct s { int a, b; } x; int other(struct s *p) { return p->b; }\n")
    (tmp_path / "b.c").write_text("struct s { char q; } y; int _start(struct s *p) { return p->q; }\n")
    subprocess.run([program("arm-none-eabi-gcc"), "-g", "-nostdlib", "-o", "t.elf", "a.c", "b.c"], cwd=tmp_path, check=True)
    rows = library("type", tmp_path / "t.elf", "struct s", "unsigned long", "struct none")
    assert of_kind(rows, "others")[0] == ["differ"]
    assert of_kind(rows, "type")[1] == ["unsigned long", "integer", "", "4"]
    assert of_kind(rows, "why") == [["the firmware has no type 'struct none'"]]
    names = subprocess.run([program("arm-none-eabi-nm"), "t.elf"], cwd=tmp_path, check=True, capture_output=True,
                           text=True).stdout
    for function, size in ("other", "8"), ("_start", "1"):
        address = re.search(rf"^(\w+) T {function}$", names, re.M).group(1)
        assert of_kind(library("type", tmp_path / "t.elf", f"struct s@0x{address}"), "type")[0][3] == size


@pytest.mark.parametrize("link", [["-Wl,--ctf-variables"], ["-Wl,--ctf-share-types=share-duplicated"]], ids=str)
def test_ctf_of_several_units(link, tmp_path):
    """The linker makes an archive: types that units disagree on are in children of the shared part."""
    (tmp_path / "a.c").write_text("struct s { int a, b; } x; typedef struct s s_t; int other(s_t *p) { return p->b; }\n")
    (tmp_path / "b.c").write_text("struct s { char q; } y; long only; int _start(struct s *p) { return p->q + only; }\n")
    subprocess.run([program("arm-none-eabi-gcc"), "-gctf", "-nostdlib", *link, "-o", "t.elf", "a.c", "b.c"], cwd=tmp_path,
                   check=True)
    rows = library("type", tmp_path / "t.elf", "struct s", "s_t", "long")
    types = of_kind(rows, "type")
    assert types[0][1] == "struct" and types[0][3] in ("8", "1") and types[2][3] == "4"
    assert of_kind(rows, "member")


# --- functions ---

def test_functions_by_file(tmp_path):
    sources(tmp_path)
    elf = compiled(tmp_path, "-g")
    names = subprocess.run([program("arm-none-eabi-nm"), elf], check=True, capture_output=True, text=True).stdout
    statics = sorted(int(line.split()[0], 16) for line in names.splitlines() if line.endswith(" t helper"))
    rows = library("function", elf, "other/main.c:helper", "first/main.c:take", "main.c:helper", "main.c:none", "nix.c:take")
    assert len(statics) == 2
    assert int(of_kind(rows, "function")[0][0], 16) in statics
    assert [why[0] for why in of_kind(rows, "why")] == [
        f"several files 'main.c' have a function 'helper' ({statics[0]:#x}, {statics[1]:#x}); write first/main.c:helper or other/main.c:helper",
        "the firmware has no function 'none'", "'nix.c' has no function 'take'; another file has"]
    stripped = tmp_path / "nodebug.elf"
    subprocess.run([program("arm-none-eabi-strip"), "-g", "-o", stripped, elf], check=True)
    assert of_kind(library("function", stripped, "main.c:helper"), "why")[0][0] == (
        f"the source files of the functions 'helper' are not known: {stripped} has no debug information; compile with -g")


def test_inlined_instances(tmp_path):
    """A line of an inlined function has a place in each instance; frames name the call."""
    (tmp_path / "t.c").write_text(
        "extern volatile int port;\nvolatile int port;\n"
        "static inline __attribute__((always_inline)) void put(int v)\n{\n\tint mask = v | 1;\n\tport = mask;\n}\n"
        "void first(int a) { port = 0; put(a); }\nvoid _start(int b) { port = 1; put(b + 1); put(b + 2); }\n")
    subprocess.run([program("arm-none-eabi-gcc"), "-g", "-O1", "-mcpu=cortex-a9", "-nostdlib", "-o", "t.elf", "t.c"],
                   cwd=tmp_path, check=True)
    rows = library("at", tmp_path / "t.elf", "t.c:6")
    assert sorted(place[1:] for place in of_kind(rows, "place")) == [
        ["put", "_start"], ["put", "_start"], ["put", "first"]]
    assert {(row[0], row[1]) for row in of_kind(rows, "variable")} == {("v", "int"), ("mask", "int")}
    texts = [row[1] for row in of_kind(rows, "address")]
    assert all(re.fullmatch(r"\w+\+0x\w+ \(t\.c:6, in inlined put\)", text) for text in texts), texts
    calls = [row for row in of_kind(rows, "frame") if row[4] == ""]
    assert [(row[0], row[2]) for row in calls] == [("first", "8"), ("_start", "9"), ("_start", "9")]


def test_cxx(tmp_path):
    """Functions have the names that the source gives them."""
    (tmp_path / "t.cc").write_text(
        "namespace net {\nstruct Queue {\n\tint count;\n\tbool put(int v);\n};\n"
        "bool Queue::put(int v)\n{\n\tcount += v;\n\treturn count > 3;\n}\n}\n"
        'extern "C" int _start(net::Queue &q)\n{\n\treturn q.put(2);\n}\n')
    subprocess.run([program("arm-none-eabi-g++"), "-g", "-O1", "-fno-inline", "-fno-exceptions", "-nostdlib", "-o", "t.elf",
                    "t.cc"], cwd=tmp_path, check=True)
    rows = library("at", tmp_path / "t.elf", "t.cc:8")
    assert of_kind(rows, "place")[0][1] == "net::Queue::put"
    assert {(row[0], row[1]) for row in of_kind(rows, "variable")} == {
        ("this", "struct Queue *const"), ("v", "int")}
    assert [row[0] for row in of_kind(library("type", tmp_path / "t.elf", "Queue"), "member")] == ["count"]


# --- places that will not do ---

@pytest.mark.parametrize("place,said", [
    ("main.c:13", "'main.c' is ambiguous: write first/main.c:13 or other/main.c:13"),
    ("main.d:13", r"no source file 'main.d' has code; did you mean 'main.c'\?"),
    ("zzzzzzzz.c:13", "no source file 'zzzzzzzz.c' has code in this firmware"),
    ("other/main.c:1", "main.c:1 has no code; 2 has"),
    ("other/main.c:99", r"main.c:99 has no code; \d has"),
])
def test_lines_that_will_not_do(place, said, tmp_path):
    sources(tmp_path)
    why, = of_kind(library("at", compiled(tmp_path, "-g"), place), "why")
    assert re.fullmatch(said, why[0]), why


# --- files that have none, and say so ---

def missing(elf, *separate):
    return library("missing", elf, *separate)[0][0]


def test_no_debug_information(tmp_path):
    sources(tmp_path)
    elf = compiled(tmp_path, output="plain.elf")
    assert missing(elf) == f"{elf} has no debug information; compile with -g"
    shutil.copy(elf, tmp_path / "s.elf")
    subprocess.run([program("arm-none-eabi-strip"), tmp_path / "s.elf"], check=True)
    assert missing(tmp_path / "s.elf") == (
        f"{tmp_path / 's.elf'} has no debug information: the file is stripped; use the file before strip")
    (tmp_path / "s.map").write_text("00001000 T main\n")
    assert missing(tmp_path / "s.map") == (
        f"{tmp_path / 's.map'} is a list of symbols; lines and variables are in the ELF file")
    why = of_kind(library("at", elf, "main.c:3", "0x8000"), "why")
    assert [row[0] for row in why] == [f"{elf} has no debug information; compile with -g"] * 2


def separated(tmp_path, name="fw.debug"):
    """An ELF file without debug information, which names the one that has it."""
    sources(tmp_path)
    elf = compiled(tmp_path, "-g")
    subprocess.run([program("arm-none-eabi-objcopy"), "--only-keep-debug", elf, name], cwd=tmp_path, check=True)
    subprocess.run([program("arm-none-eabi-objcopy"), "-g", f"--add-gnu-debuglink={name}", elf, "small.elf"], cwd=tmp_path,
                   check=True)
    return tmp_path / "small.elf"


def test_separate_file(tmp_path):
    elf = separated(tmp_path)
    check_everything(elf)
    (tmp_path / ".debug").mkdir()
    (tmp_path / "fw.debug").rename(tmp_path / ".debug" / "fw.debug")
    check_everything(elf)
    (tmp_path / ".debug" / "fw.debug").rename(tmp_path / "else")
    assert missing(elf) == (
        f"{elf} has its debug information in 'fw.debug', which is neither in the same folder nor in .debug/; copy the file there")
    assert missing(elf, tmp_path / "else") == ""
    assert missing(elf, tmp_path / "none") == f"cannot read {tmp_path / 'none'}: No such file or directory"
    assert missing(elf, tmp_path / "first" / "main.c") == f"{tmp_path / 'first' / 'main.c'} is no ELF file; debug information is in one"


def test_debug_information_of_another_build(tmp_path):
    elf = separated(tmp_path)
    (tmp_path / "other" / "main.c").write_text(SECOND.replace("3", "4"))
    compiled(tmp_path, "-g", output="new.elf")
    said = missing(elf, tmp_path / "new.elf")
    assert re.fullmatch(rf"{tmp_path}/new.elf has the debug information of another build \(build-id \w{{40}}, "
                        rf"{elf} has \w{{40}}\); use the file of the same build", said), said
    shutil.copy(tmp_path / "new.elf", tmp_path / "fw.debug")
    assert "has the debug information of another build" in missing(elf)
    subprocess.run([program("arm-none-eabi-objcopy"), "-R", ".note.gnu.build-id", tmp_path / "fw.debug"], check=True)
    assert re.search(r"another build \(its CRC is \w{8}, .* asks for \w{8}\)", missing(elf))


@pytest.mark.parametrize("version", [4, 5])
def test_split_files_that_are_gone(version, tmp_path):
    sources(tmp_path)
    elf = compiled(tmp_path, "-g", "-gsplit-dwarf", f"-gdwarf-{version}")
    for file in tmp_path.glob("*.dwo"):
        file.unlink()
    rows = library("at", elf, "first/main.c:14")
    assert of_kind(rows, "frame")[0][0] == "take" and of_kind(rows, "frame")[0][2] == "14"
    assert re.fullmatch(r"the debug information of .* is in '.*\.dwo', which is not there; keep the .dwo files of the "
                        r"build, or compile without -gsplit-dwarf", of_kind(rows, "why")[0][0])


# --- by name, and without a value ---

def test_pointer_to_a_value(tmp_path):
    """A pointer to a variable that lives in a register has no value; what it points to has one."""
    (tmp_path / "t.c").write_text(
        "static inline int deref(int *p)\n{\n\t__asm__ volatile(\"nop\");\n\treturn *p + 1;\n}\n"
        "int _start(int a)\n{\n\tint local = a + 3;\n\treturn deref(&local) * local;\n}\n")
    subprocess.run([program("arm-none-eabi-gcc"), "-g", "-O2", "-mcpu=cortex-a9", "-nostdlib", "-o", "t.elf", "t.c"],
                   cwd=tmp_path, check=True)
    elf = tmp_path / "t.elf"
    address = of_kind(library("at", elf, "t.c:3"), "place")[0][0]
    pointer, pointee = of_kind(library("variable", elf, f"{address}:p"), "variable")
    assert pointer[0] == "p" and pointer[4:6] == ["pointer", "not"]
    assert pointee[0] == "local" and pointee[5] == "readable"
    assert of_kind(library("variable", elf, f"{address}:q", f"{address}:nothing"), "why") == [
        ["no variable 'q' is in scope here"], ["no variable 'nothing' is in scope here"]]


def test_variables_without_a_value(tmp_path):
    (tmp_path / "t.c").write_text(
        "extern int source(void);\nint source(void) { return 3; }\n"
        "int _start(int used, int unused)\n{\n\tint dead = used * 3;\n\tint late;\n\tsource();\n"
        "\tlate = source();\n\treturn late + source();\n}\n")
    subprocess.run([program("arm-none-eabi-gcc"), "-g", "-O2", "-fno-inline", "-fno-ipa-cp", "-fno-ipa-pure-const",
                    "-mcpu=cortex-a9", "-nostdlib", "-o", "t.elf", "t.c"], cwd=tmp_path, check=True)
    rows = library("at", tmp_path / "t.elf", "t.c:7")
    variables = {row[0]: row for row in of_kind(rows, "variable")}
    assert variables["late"][4:7] == ["absent", "not", "no value here"]
    assert [row[0] for row in of_kind(rows, "from")] == ["late"]
    assert variables["used"][5] == "readable"
