# SPDX-License-Identifier: BSD-2-Clause
"""Names of code: each name that a function has finds the function, and what is printed can be typed."""
import re
import subprocess

import pytest

import cpus
from harness.paths import program

CPUS = [row.name for row in cpus.rows()]
START = "void _start(void) __attribute__((used));\n"


def firmware(folder, source, *flags, cpu="arm", ending="c"):
    """fw.elf of a source, for one CPU."""
    compiler, usual = cpus.of(cpu).d_gcc
    (folder / f"fw.{ending}").write_text(source, encoding="utf-8")
    run = subprocess.run([program(compiler), *usual, "-nostdlib", "-Wl,--no-warnings", "-ffreestanding", "-O2", "-g", *flags, "-o", "fw.elf",
                          f"fw.{ending}"], cwd=folder, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return folder / "fw.elf"


def symbols(elf):
    """name -> (address, bytes) of the functions, without the bit of Thumb and of microMIPS."""
    found = subprocess.run([program("arm-none-eabi-readelf"), "-hsW", elf], check=True, capture_output=True, text=True).stdout
    bit = 1 if re.search(r"Machine: +(ARM|MIPS)", found) else 0
    rows = [line.split() for line in found.splitlines() if " FUNC " in line]
    return {row[7]: (int(row[1], 16) & ~bit, int(row[2], 0)) for row in rows}


# --- several names for one address -----------------------------------------------------------------

ALIASES = START + """
volatile int sink;
void Default_Handler(void) { sink++; for (;;) ; }
void UART_IRQHandler(void) __attribute__((weak, alias("Default_Handler")));
void TIMER_IRQHandler(void) __attribute__((weak, alias("Default_Handler")));
int add(int a, int b) { return a + b + sink; }
int plus(int a, int b) __attribute__((alias("add")));
static int own_plus(int a, int b) __attribute__((alias("add"), used));
void _start(void) { sink = add(sink, 2); Default_Handler(); }
"""


@pytest.mark.parametrize("cpu", CPUS)
def test_each_alias_is_a_function(cpu, dprobes, tmp_path):
    elf = firmware(tmp_path, ALIASES, cpu=cpu)
    known = symbols(elf)
    for name in ("Default_Handler", "UART_IRQHandler", "TIMER_IRQHandler", "add", "plus", "own_plus"):
        entry = dprobes("-n", f"{name}:entry", "-e", "--elf", elf)
        assert entry.status == 0 and f"{name}:entry {known[name][0]:#010x}" in entry.stdout, entry.stderr + entry.stdout
    returns = [dprobes("-n", f"fbt::{name}:return", "-e", "--elf", elf).stdout.replace(name, "") for name in ("add", "plus", "own_plus")]
    assert returns[0] and len(set(returns)) == 1
    for pattern in ("pl*", "*IRQHandler", "insn::plus:0"):
        text = pattern if ":" in pattern else f"fbt::{pattern}:entry"
        assert dprobes("-n", text, "-e", "--elf", elf).stdout.count("0x") == 1, text


# --- copies and parts of a function ----------------------------------------------------------------

COPIES = START + """
volatile int sink;
struct big { int a, b, c; };
__attribute__((noinline)) static int scalar(struct big *p, int unused) { sink = p->a; return p->a + p->b; }
__attribute__((noinline)) static int repeated(int n, int k) { int s = 0; for (int i = 0; i < n; i++) s += k * sink; return s; }
__attribute__((noinline, cold)) void bad(int x) { sink = x; }
__attribute__((noinline)) int rare(int n)
{
	if (__builtin_expect(n < 0, 0)) { bad(n); bad(n + 1); return sink * 17; }
	return n + sink;
}
void _start(void)
{
	struct big b = {1, 2, sink};
	for (;;) { sink = scalar(&b, 3) + repeated(sink, 5) + rare(sink); b.a = sink; }
}
"""


@pytest.mark.parametrize("cpu", CPUS)
def test_copies_go_by_the_name_of_their_function(cpu, dprobes, tmp_path):
    elf = firmware(tmp_path, COPIES, cpu=cpu)
    known = symbols(elf)
    assert {"scalar", "repeated"}.isdisjoint(known)
    for name in ("scalar", "repeated"):
        copy = next(symbol for symbol in known if symbol.startswith(name + "."))
        for text in (f"{name}:entry", f"{copy}:entry", f"fbt::{name}*:entry"):
            found = dprobes("-n", text, "-e", "--elf", elf)
            assert found.status == 0 and f"{copy}:entry {known[copy][0]:#010x}" in found.stdout, found.stderr
        (tmp_path / "p.dp").write_text(f'name = "p"\noffset = {name}\nexit\n', encoding="utf-8")
        assert dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path).status == 0
        offset = re.search(r"^offset = (\w+)", dprobes("disasm", "p.ppdf", cwd=tmp_path).stdout, re.M)
        assert int(offset[1], 16) & ~1 == known[copy][0]
        offered = [line.split("\t")[0] for line in dprobes("complete", "symbols", "--elf", elf, name).lines()]
        assert {name, copy} <= set(offered)
        assert f" {copy} " in dprobes("symbols", name, "--elf", elf).stdout
        assert f"the points of a function are {name}:entry and {name}:return" in dprobes("-n", name, "-e", "--elf", elf).stderr
    near = dprobes("-n", "repeate:entry", "-e", "--elf", elf)
    assert near.status == 1 and "inlined" not in near.stderr


# --- cold parts --------------------------------------------------------------------------------------

COLD = ("""
int sink;
__attribute__((cold, noinline)) void panic(int x) { sink = x; }
static __attribute__((noinline)) int init(int x)
{
	if (__builtin_expect(x == 77, 0)) { panic(x); panic(x + 1); sink = x * 3; return 9; }
	return x + 1;
}
int one(int x) { return init(x) + init(x * 2); }
int plain(int x) { if (__builtin_expect(x == 55, 0)) { panic(x); panic(x + 4); sink = x * 9; return 3; } return x + 8; }
int alias(int) __attribute__((alias("plain")));
""", START + """
extern int sink;
void panic(int) __attribute__((cold));
static __attribute__((noinline)) int init(int x)
{
	if (__builtin_expect(x == 99, 0)) { panic(x); panic(x + 2); sink = x * 5; return 7; }
	return x * 3;
}
int one(int), alias(int);
int two(int x) { return init(x) * init(x * 4); }
void _start(void) { for (;;) sink = one(sink) + two(sink) + alias(sink); }
""")
LEAVES = r"\s(ret|jr\s+ra|b\w*lr|bx\w*\s+lr|(pop|ldm)\S*\s.*\bpc\b.*)$"  # the return instructions of all CPUs


def all_symbols(elf):
    """(name, address, bytes) of the functions; names may be there twice."""
    found = subprocess.run([program("arm-none-eabi-readelf"), "-sW", elf], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in found.splitlines() if " FUNC " in line]
    return sorted((row[7], int(row[1], 16), int(row[2], 0)) for row in rows)


def named(elf, pattern):
    """(address, bytes) of the functions with such a name."""
    return [(at, count) for name, at, count in all_symbols(elf) if re.fullmatch(pattern, name)]


@pytest.fixture(scope="module", name="cold")
def cold_parts(tmp_path_factory):
    """name -> (ELF file, address of each return instruction), of the CPUs whose compiler moves code out of functions."""
    made = {}
    for row in cpus.rows():
        folder = tmp_path_factory.mktemp(row.name)
        (folder / "other.c").write_text(COLD[1], encoding="utf-8")
        elf = firmware(folder, COLD[0], "-freorder-blocks-and-partition", "-fno-optimize-sibling-calls", "-fno-partial-inlining", "other.c",
                       *row.in_registers, cpu=row.name)
        prefix = row.d_gcc[0].removesuffix("gcc")
        code = subprocess.run([program(prefix + "objdump"), "-d", elf], check=True, capture_output=True, text=True).stdout
        if named(elf, "init.cold"):
            made[row.name] = elf, {int(line.split(":")[0], 16) for line in code.splitlines() if re.search(LEAVES, line)}
    assert len(made) > 1  # of these tests
    return made


def points(dprobes, elf, *descriptions):
    """Sorted addresses of the points of one clause: each point as often as the clause runs there."""
    run = dprobes("-n", ", ".join(descriptions) + " { hits++; }", "-e", "--elf", elf)
    assert run.status == 0, run.stderr
    return sorted(int(at, 16) for at in re.findall(r" (0x[0-9a-f]{8})$", run.stdout, re.M))


def within(places, parts):
    return sorted(at for at in places if any(start <= at < start + count for start, count in parts))


def test_a_cold_part_leaves_for_its_function(cold, dprobes):
    """Each return of each cold part is one of the function that jumps there; the jump is none. Functions of one name have a part each."""
    for elf, leaves in cold.values():
        parts, inits, plain = named(elf, "init.cold"), named(elf, "init"), named(elf, r"plain(\.cold)?")
        assert len(parts) == len(inits) == len(plain) == 2
        assert all(within(leaves, [part]) for part in parts + plain)
        assert points(dprobes, elf, "init:return") == within(leaves, parts + inits)
        assert points(dprobes, elf, "plain:return") == points(dprobes, elf, "alias:return") == within(leaves, plain)
        assert points(dprobes, elf, "init:entry") == sorted(start for start, _count in inits)
        rows = dprobes("-l", "init:return", "--elf", elf).lines()
        assert sorted(int(line.split()[1], 16) for line in rows) == within(leaves, parts + inits)


def test_a_pattern_has_each_place_once_and_no_jump(cold, dprobes):
    """A pattern with a dot has the cold parts."""
    for elf, leaves in cold.values():
        every = [(at, count) for _name, at, count in all_symbols(elf)]
        parts = named(elf, r".*\.cold")
        entries = sorted({at for at, _count in every} - {at for at, _count in parts})
        for pattern in ("fbt:::entry", "fbt::*:entry"):
            assert points(dprobes, elf, pattern) == entries
        assert points(dprobes, elf, "init*:entry") == sorted(at for at, _count in named(elf, "init"))
        assert points(dprobes, elf, "fbt::init*:return") == within(leaves, named(elf, r"init(\.cold)?"))
        assert set(points(dprobes, elf, "fbt:::return")) >= set(within(leaves, every))
        for descriptions in (["fbt:::return"], ["fbt:::return", "init:return"], ["init.cold:return", "init:return", "fbt::init*:return"],
                             ["plain:return", "alias:return"], ["alias:entry", "fbt:::entry"]):
            found = points(dprobes, elf, *descriptions)
            assert len(found) == len(set(found)), descriptions
        assert points(dprobes, elf, "fbt::*.cold:entry") == sorted(at for at, _count in parts)


@pytest.mark.parametrize("tail", ("", ".0", ".17"))
def test_names_of_cold_parts(tail, cold, dprobes, tmp_path):
    """Older compilers number them."""
    for name, (elf, leaves) in cold.items():
        prefix = cpus.of(name).d_gcc[0].removesuffix("gcc")
        renamed = tmp_path / f"{name}.elf"
        words = [word for of in ("init", "plain") for word in ("--redefine-sym", f"{of}.cold={of}.cold{tail}")] if tail else []
        subprocess.run([program(prefix + "objcopy"), *words, elf, renamed], check=True)
        assert len(named(renamed, re.escape("init.cold" + tail))) == 2
        assert points(dprobes, renamed, "init:return") == within(leaves, named(renamed, r"init(\.cold.*)?"))
        assert points(dprobes, renamed, "plain:return") == within(leaves, named(renamed, r"plain(\.cold.*)?"))


def test_a_place_is_printed_from_the_symbol_that_finds_it(cold, dprobes, tmp_path, amount):
    """Of each instruction (at night; else of one in four); without a symbol of the part, from the first instruction of the function."""
    for name, (elf, _leaves) in cold.items():
        bare = tmp_path / f"{name}.elf"
        subprocess.run([program(cpus.of(name).d_gcc[0].removesuffix("gcc") + "objcopy"), "--wildcard", "-N", "*.cold", elf, bare], check=True)
        inits = [start for start, _count in named(elf, "init")]
        for symbol, start, count in all_symbols(elf):
            for at in range(start, start + count, amount(16, 4)):
                text = dprobes("symbols", hex(at), "--elf", elf).stdout
                found = re.match(r"0x[0-9a-f]{8} ([\w.]+)(?:\+(0x[0-9a-f]+))? \(\w+\.c:\d+", text)
                assert found and at in [first + int(found[2] or "0", 16) for first, _count in named(elf, re.escape(found[1]))], text
                if symbol == "init.cold":
                    text = dprobes("symbols", hex(at), "--elf", bare).stdout
                    assert at in [first - int(re.search(r" init-(0x[0-9a-f]+) ", text)[1], 16) for first in inits], text
        for line in dprobes("-l", "init:entry", "--elf", elf).lines():
            assert re.search(r" init \(\w+\.c:\d+\)$", line), line


COLD_CXX = """
int sink;
extern "C" __attribute__((cold, noinline)) void panic(int x) { sink = x; }
namespace net {
struct Queue { int n; __attribute__((noinline)) int put(int x); };
int Queue::put(int x) { if (__builtin_expect(x == 77, 0)) { panic(x); panic(x + 1); sink = x * 3; return 9; } n += x; return n; }
__attribute__((noinline)) int most(int x)
{
	if (__builtin_expect(x == 7, 0)) { panic(x); panic(x + 3); sink = x * 7; return 2; }
	return sink + x;
}
}
net::Queue q;
extern "C" void _start(void) { for (;;) sink = q.put(sink) + net::most(sink); }
"""


@pytest.mark.parametrize("version", (4, 5))
@pytest.mark.parametrize("stripped", (False, True))
def test_a_printed_name_is_the_function_and_not_the_cold_part_in_front_of_it(stripped, version, dprobes, tmp_path):
    """The compiler is that of this machine: it moves code out of functions."""
    (tmp_path / "fw.cpp").write_text(COLD_CXX, encoding="utf-8")
    subprocess.run([program("g++"), "-O2", "-g", f"-gdwarf-{version}", "-ffreestanding", "-fno-exceptions", "-fno-pie", "-no-pie", "-nostdlib",
                    "-static", "-freorder-blocks-and-partition", "-o", "fw.elf", "fw.cpp"], cwd=tmp_path, check=True)
    elf = tmp_path / "fw.elf"
    whole = {part: named(elf, f"_ZN3net.*{part}E.") for part in ("3put", "4most")}
    assert all(named(elf, f"_ZN3net.*{part}E.[.]cold")[0][0] < whole[part][0][0] for part in whole)  # else the test tests nothing
    if stripped:
        subprocess.run([program("objcopy"), "--wildcard", "-N", "*.cold", elf], check=True)
    for name, part in (("net::Queue::put", "3put"), ("net::most", "4most")):
        at = whole[part][0][0]
        rows = dprobes("-l", f"{name}:entry", "--elf", elf)
        assert rows.status == 0 and [int(line.split()[1], 16) for line in rows.lines()] == [at], rows.stderr
        assert f" {name} (fw.cpp:" in rows.stdout
        shown = dprobes("symbols", name, "--elf", elf).stdout
        assert [int(line.split()[0], 16) for line in shown.splitlines()] == [at] and f" {name} (fw.cpp:" in shown


# --- functions without a size, and addresses with a bit --------------------------------------------

UNSIZED = START + """
volatile int sink;
__attribute__((noinline)) int first(int a) { return a + sink; }
__attribute__((noinline)) int second(int a) { if (a > 2) { sink = 3; return 7 + sink; } return a - sink; }
__attribute__((noinline)) int third(int a) { return a * sink; }
void _start(void) { sink = first(1) + second(2) + third(3); }
"""


def assembly(folder, source, cpu, change):
    """fw.elf of the compiler's own assembly, changed. The assembler makes the debug information."""
    compiler, usual = cpus.of(cpu).d_gcc
    (folder / "fw.c").write_text(source, encoding="utf-8")
    made = subprocess.run([program(compiler), *usual, "-ffreestanding", "-fno-toplevel-reorder", "-O1", "-g0", "-S", "-o", "-", "fw.c"],
                          cwd=folder, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    return change(made)


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("debug", ("-g0", "-g"))
def test_a_function_without_a_size_reaches_to_the_next_symbol(cpu, debug, dprobes, tmp_path):
    text = assembly(tmp_path, UNSIZED, cpu, lambda made: re.sub(r"\n\s+\.(size|ent|end|frame|f?mask)\s.*", "", made))
    elf = firmware(tmp_path, text, "-g0", *(["-Wa,-g"] if debug == "-g" else []), cpu=cpu, ending="s")
    known = sorted((address, name, count) for name, (address, count) in symbols(elf).items())
    assert [name for _at, name, _count in known] == ["first", "second", "third", "_start"]
    assert all(count == 0 for _at, _name, count in known)
    for (start, name, _count), (after, *_rest) in zip(known, known[1:]):
        for offset in range(4, after - start, 4):
            assert f"{name}+{offset:#x}" in dprobes("symbols", hex(start + offset), "--elf", elf).stdout
        entry = dprobes("-n", f"{name}:entry", "-e", "--elf", elf)
        assert entry.status == 0 and f"{start:#010x}" in entry.stdout, entry.stderr
        leaves = dprobes("-n", f"{name}:return", "-e", "--elf", elf)
        places = [int(at, 16) for at in re.findall(r"0x[0-9a-f]{8}", leaves.stdout)]
        assert leaves.status == 0 and places and all(start <= at < after for at in places), leaves.stderr


THUMB = """
 .syntax unified
 .thumb
 .text
 .global _start, one, two
 .type _start, %function
 .type one, %function
 .type two, %function
_start: bl one
 b .
 .size _start, . - _start
one: adds r0, r0, r1
 bx lr
 .size one, . - one
two: adds r0, r0, #1
 adds r0, r0, #2
 bx lr
 .size two, . - two
"""


@pytest.mark.parametrize("cpu", ["cortex-a9", "cortex-m3"])
@pytest.mark.parametrize("version", (2, 3, 4, 5))
def test_the_bit_of_an_instruction_set_is_no_part_of_an_address(version, cpu, dprobes, tmp_path):
    """The assembler keeps the bit in the addresses of functions, whatever the profile."""
    elf = firmware(tmp_path, THUMB, "-g0", "-mthumb", f"-mcpu={cpu}", f"-Wa,-gdwarf-{version}", ending="s")
    known = symbols(elf)
    assert set(known) == {"_start", "one", "two"}
    for name, (start, count) in known.items():
        for offset in range(0, count, 2):
            text = dprobes("symbols", hex(start + offset), "--elf", elf).stdout
            assert re.search(rf" {name}{rf'[+]{offset:#x}' if offset else ''} \(fw.s:\d+\)", text), text
        run = dprobes("-n", f"{name}:entry", "-e", "--elf", elf)
        assert f"{name}:entry {start:#010x}" in run.stdout, run.stderr


# --- files -----------------------------------------------------------------------------------------

FILES = """
# 1 "{0}"
int one(int n)
{{
	return n * 3 + 1;
}}
# 1 "{1}"
int two(int n)
{{
	return n * 5 + 1;
}}
void _start(void) {{ for (;;) ; }}
"""
PATHS = [
    ("a/main.c", "b/main.c"),
    ("main.c", "b/main.c"),
    ("x/one/my-main.c", "y/one/my-main.c"),
    (r"C:\\proj\\src\\main.c", r"C:\\proj\\drv\\main.c"),
    (r"..\\lib/main.c", r"..\\drv/main.c"),
    ("/home/a/main.c", "/home/b/main.c"),
]


@pytest.mark.parametrize("version", (4, 5))
@pytest.mark.parametrize("first, second", PATHS)
def test_two_files_of_one_name(version, first, second, dprobes, tmp_path):
    """The message names both, and what it names can be typed: in D, in RPN and for `symbols`."""
    elf = firmware(tmp_path, FILES.format(first, second), f"-gdwarf-{version}")
    known = symbols(elf)
    found = dprobes("-n", re.split(r"[/\\]", first)[-1] + ":3 { trace(n); }", "-e", "--elf", elf)
    assert found.status == 1, found.stdout
    one, two = re.search(r"ambiguous: write (\S+):3 or (\S+):3\n", found.stderr).groups()
    for function, path in (("one", one), ("two", two)):
        for text in (f"{path}:3", f"line:{path}:{function}:3", f"{path}:3/n > 1/"):
            place = dprobes("-n", text + " { trace(n); }", "-e", "--elf", elf)
            assert place.status == 0 and f"{known[function][0]:#010x}" in place.stdout, place.stderr
        assert f"{known[function][0]:#010x}" in dprobes("symbols", f"{path}:3", "--elf", elf).stdout
        (tmp_path / "p.dp").write_text(f'name = "p"\naddress = {path}:3\nexit\n', encoding="utf-8")
        assert dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path).status == 0
        listed = dprobes("-l", f"{path}:3", "--elf", elf)
        assert listed.status == 0 and path in listed.stdout, listed.stderr


MANY = [
    ("x/a/main.c", "y/a/main.c", "b/main.c"),
    ("main.c", "b/main.c", "a/b/main.c"),
    ("a/main.c", "sp ace/main.c"),
    ("a=b/main.c", "c@d/main.c", "[e]/main.c", "f{g}/main.c"),
    (r"C:\\p\\a\\main.c", r"C:\\p\\b c\\main.c", r"C:\\q\\a\\main.c"),
]


def sources(paths):
    """A function f0, f1 ... in each file; line 3 is a statement."""
    return "".join(f'# 1 "{path}"\nint f{i}(int n)\n{{\n\treturn n * {i + 3} + 1;\n}}\n' for i, path in enumerate(paths)) + \
        '# 1 "start.c"\nvoid _start(void) { for (;;) ; }\n'


@pytest.mark.parametrize("paths", MANY)
def test_the_advice_tells_a_file_from_all_others(paths, dprobes, tmp_path):
    """In the spelling of the language: what is written there is at one place."""
    elf = firmware(tmp_path, sources(paths))
    known = {at for name, (at, _count) in symbols(elf).items() if name != "_start"}

    def build(place):
        (tmp_path / "p.dp").write_text(f'name = "p"\noffset = {place}\nexit\n', encoding="utf-8")
        return dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path)

    def one_place(run):
        found = set(int(at, 16) for at in re.findall(r"0x[0-9a-f]{8}", run.stdout))
        assert run.status == 0 and len(found) == 1 and found <= known, run.stderr
        return found

    def advice(run):
        assert run.status == 1, run.stdout
        return re.search(r"ambiguous: write (.+) or (.+)\n", run.stderr).groups()

    in_d = [one_place(dprobes("-n", f"{word} {{ trace(n); }}", "-e", "--elf", elf))
            for word in advice(dprobes("-n", "main.c:3 { trace(n); }", "-e", "--elf", elf))]
    shown = [one_place(dprobes("symbols", word, "--elf", elf)) for word in advice(dprobes("symbols", "main.c:3", "--elf", elf))]
    assert in_d == shown and in_d[0] != in_d[1]
    for word in advice(build("main.c:3")):
        result = build(word)
        assert result.status == 0, result.stderr
    for line in dprobes("-l", "line:main.c::3", "line:::3", "--elf", elf).lines():
        one_place(dprobes("-n", f"{line.split()[0]} {{ trace(n); }}", "-e", "--elf", elf))


@pytest.mark.parametrize("function", ("same", "init"))
def test_the_advice_tells_a_function_from_all_others(function, dprobes, tmp_path):
    """Static functions of one name in three files."""
    for path, factor in (("x/a/main.c", 3), ("y/a/main.c", 5), ("b/main.c", 7)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        other = path.replace("/", "_")[:-2]
        (tmp_path / path).write_text("extern volatile int sink;\n"
                                     f"static __attribute__((noinline)) int {function}(int n) {{ return n * {factor} + sink; }}\n"
                                     f"int {other}(int n) {{ return {function}(n); }}\n", encoding="utf-8")
    elf = firmware(tmp_path, START + "volatile int sink;\nint x_a_main(int), y_a_main(int), b_main(int);\n"
                   "void _start(void) { sink = x_a_main(1) + y_a_main(2) + b_main(3); }\n", "-fno-optimize-sibling-calls",
                   "x/a/main.c", "y/a/main.c", "b/main.c")

    def build(place):
        (tmp_path / "p.dp").write_text(f'name = "p"\noffset = {place}\nexit\n', encoding="utf-8")
        return dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path)

    words = [re.search("write (.+?), or", build(function).stderr)[1]]
    words += re.search("write (.+) or (.+)\n", build(f"main.c:{function}").stderr).groups()
    words += re.search("write (.+) or (.+)\n", build(f"a/main.c:{function}").stderr).groups()
    for word in words:
        result = build(word)
        assert result.status == 0, word + result.stderr


@pytest.mark.parametrize("path", (r"C:\proj\b\main.c", "C:/proj/b/main.c", r"C:\proj/b\main.c", r"b\main.c", "b/main.c", r"proj\b/main.c"))
def test_a_file_is_typed_alike_everywhere(path, dprobes, tmp_path):
    elf = firmware(tmp_path, sources((r"C:\\proj\\a\\main.c", r"C:\\proj\\b\\main.c")))
    (at, _count) = symbols(elf)["f1"]
    for text in (f"{path}:3", f"line:{path}:f1:3", f"line:{path}::3", f"{path}:3/n > 1/"):
        found = dprobes("-n", text + " { trace(n); }", "-e", "--elf", elf)
        assert found.status == 0 and f"{at:#010x}" in found.stdout, found.stderr
    assert f"{at:#010x} f1 " in dprobes("symbols", f"{path}:3", "--elf", elf).stdout
    listed = dprobes("-l", f"line:{path}:*:*", "--elf", elf)
    assert listed.status == 0 and ":f1:3 " in listed.stdout and ":f0:" not in listed.stdout
    for text in (f"{path}:3", f'"{path}":3', f"{path}:f1", f"{path}:f1 + 0"):
        (tmp_path / "p.dp").write_text(f'name = "p"\noffset = {text}\nexit\n', encoding="utf-8")
        built = dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path)
        assert built.status == 0, built.stderr
        assert f"offset = {at:#x}\n" in dprobes("disasm", "p.ppdf", cwd=tmp_path).stdout


# --- link-time optimisation, and files that are not linked -----------------------------------------

LTO = ("""
extern volatile int sink;
static int state = 1;
__attribute__((noinline)) static int init(int a) { return (state += a) + sink; }
int fa(int a) { return init(a) + state; }
""", """
volatile int sink;
static int state = 2;
int fa(int a);
__attribute__((noinline)) static int init(int a) { return (state -= a) + sink; }
int fb(int a) { return init(a) * state; }
void _start(void) { for (;;) sink = fa(sink) + fb(sink); }
""")


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("version", (4, 5))
def test_link_time_optimisation(cpu, version, dprobes, tmp_path):
    """The linker's unit has the code: its names and files are those of the sources."""
    compiler, usual = cpus.of(cpu).d_gcc
    for name, text in zip(("d1.c", "d2.c"), LTO):
        (tmp_path / name).write_text(text, encoding="utf-8")
    run = subprocess.run([program(compiler), *usual, "-flto", "-Wl,-e,_start", f"-gdwarf-{version}", "-O2", "-ffreestanding", "-nostdlib",
                          "-o", "fw.elf", "d1.c", "d2.c"], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    elf = tmp_path / "fw.elf"
    copies = {name: at for name, (at, _count) in symbols(elf).items() if name.startswith("init")}
    assert len(copies) == 2
    both = dprobes("-n", "init:entry", "-e", "--elf", elf)
    assert both.status == 0 and all(f"{at:#010x}" in both.stdout for at in copies.values()), both.stderr
    for file in ("d1.c", "d2.c"):
        assert dprobes("-n", f"BEGIN {{ trace({file}`state); }}", "-e", "--elf", elf).status == 0
        (tmp_path / "p.dp").write_text(f'name = "p"\noffset = {file}:init\nexit\n', encoding="utf-8")
        built = dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path)
        assert built.status == 0, built.stderr
    (tmp_path / "p.dp").write_text('name = "p"\noffset = init\nexit\n', encoding="utf-8")
    said = dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path).stderr
    assert re.search(r"symbol 'init' is ambiguous: 0x[0-9a-f]+ in \S+ and 0x[0-9a-f]+ in \S+; write d[12].c:init, or the address", said), said
    either = dprobes("-n", "BEGIN { trace(state); }", "-e", "--elf", elf)
    assert either.status == 1 and re.search("d1.c and d2.c|d2.c and d1.c", either.stderr), either.stderr
    for name in ("fa", "fb"):
        gone = dprobes("-n", f"{name}:entry", "-e", "--elf", elf)
        assert gone.status == 1 and f"all calls of '{name}' are inlined" in gone.stderr, gone.stderr


@pytest.mark.parametrize("flags", (("-c",), ("-r",), ("-c", "-ffunction-sections")))
def test_an_object_that_is_not_linked(flags, dprobes, tmp_path):
    elf = firmware(tmp_path, ALIASES, *flags)
    for words in (("symbols", "add"), ("-n", "add:entry", "-e"), ("-l", "fbt:::entry")):
        found = dprobes(*words, "--elf", elf)
        assert found.status == 1 and "the file is not linked, so its code has no addresses; give the linked file" in found.stderr, words


# --- functions that the linker dropped -------------------------------------------------------------

DROPPED = """
int table[];
int unused(int a)
{
	a += table[a];
	a *= table[a + 1];
	return a + table[0];
}
int _start(int a)
{
	return a * 3 + 1 + table[a] + table[a + 2];
}
int unused_too(int a) { return a + table[3] + table[a]; }
int table[8];
"""
FRAMES = """
int table[8];
int _start(int);
int unused(int a) { volatile int k[20]; k[a] = _start(a) * table[a]; return k[a] + _start(k[2]); }
int _start(int a) { volatile int k[9]; k[a] = a; return k[a + 1] + table[a] + (a ? _start(k[3] & 1) : 0); }
int unused_too(int a) { return a + table[2]; }
"""
SCRIPTS = {  # what is at address 0
    "function": ".text 0 : { *(.text._start) *(.text*) }",
    "vectors": ".text 0 : { LONG(1) LONG(2) LONG(3) LONG(4) *(.text._start) *(.text*) }",
    "nothing": ".text 0x8000 : { *(.text._start) *(.text*) }",
}
MARKS = {"bfd": (), "lld": (), "-1": ("-z", "dead-reloc-in-nonalloc=.debug_*=0xffffffff"), "-2": ("-z", "dead-reloc-in-nonalloc=.debug_*=0xfffffffe")}


LINKED = [(cpu, mark) for cpu in CPUS for mark in (MARKS if cpu == CPUS[0] else ("bfd",))]  # lld links one of the CPUs


def dropping(folder, source, at, mark, cpu, version):
    """fw.elf with `_start` alone, at or near the address."""
    (folder / "fw.ld").write_text("ENTRY(_start) SECTIONS { " + SCRIPTS[at] + " .data 0x20000 : { *(.data*) *(.bss*) *(COMMON) } }",
                                  encoding="utf-8")
    compiler, usual = cpus.of(cpu).d_gcc
    usual = [word for word in usual if "-Ttext" not in word]
    (folder / "fw.c").write_text(source, encoding="utf-8")
    subprocess.run([program(compiler), *usual, "-ffreestanding", "-O2", "-g", f"-gdwarf-{version}",
                    "-ffunction-sections", "-fno-asynchronous-unwind-tables", "-c", "-o", "fw.o", "fw.c"], cwd=folder, check=True)
    linker = [program(compiler), *usual, "-nostdlib", "-Wl,--build-id=none,--gc-sections"] if mark == "bfd" else \
        [program("ld.lld"), "--gc-sections", *MARKS[mark]]
    subprocess.run([*linker, "-T", "fw.ld", "-o", "fw.elf", "fw.o"], cwd=folder, check=True, capture_output=True)
    known = symbols(folder / "fw.elf")
    assert {name: at for name, (at, _bytes) in known.items()} == {"_start": {"function": 0, "vectors": 16, "nothing": 0x8000}[at]}
    return folder / "fw.elf"


@pytest.mark.parametrize("cpu, mark", LINKED)
@pytest.mark.parametrize("at", SCRIPTS)
@pytest.mark.parametrize("version", (2, 4, 5))
def test_a_dropped_function_is_at_no_address(cpu, at, version, mark, dprobes, tmp_path, amount):
    """The linker leaves its debug information at 0, -1 or -2; at 0 other code may be."""
    elf = dropping(tmp_path, DROPPED, at, mark, cpu, version)
    for line in (5, 6, 7, 13):
        assert dprobes("symbols", f"fw.c:{line}", "--elf", elf).stdout == ""
        found = dprobes("-n", f"fw.c:{line} {{ trace(1); }}", "-e", "--elf", elf)
        assert found.status == 1 and "has no code" in found.stderr, found.stdout
    assert dprobes("-n", "unused:entry { trace(1); }", "-e", "--elf", elf).status == 1
    start, count = symbols(elf)["_start"]
    for address in range(start, start + count, amount(12, 4)):
        text = dprobes("symbols", hex(address), "--elf", elf).stdout
        assert re.search(r" _start(\+0x[0-9a-f]+)? \(fw.c:(9|10|11|12)\)", text), text
    assert f"{start:#010x}" in dprobes("-n", "_start:entry { trace(a); }", "-e", "--elf", elf).stdout


@pytest.mark.parametrize("cpu, mark", LINKED)
@pytest.mark.parametrize("version", (2, 4, 5))
def test_the_caller_is_not_that_of_a_dropped_function(cpu, version, mark, dprobes, tmp_path):
    """Call frame information of the dropped functions is at 0 too: the program is the one for the same code elsewhere."""
    def code(at):
        elf = dropping(tmp_path, FRAMES, at, mark, cpu, version)
        places = range(0, 24, cpus.of(cpu).insn_step)
        shown = [dprobes("-n", f"insn::_start:{offset:x} {{ trace(caller); }}", "-S", "-e", "--elf", elf) for offset in places]
        shown = [run for run in shown if "is in the middle of" not in run.stderr]
        assert all(run.status == 0 for run in shown) and len(shown) > 3, shown
        return [run.stdout.partition("excpt_mask")[2] for run in shown]

    assert code("function") == code("nothing")


# --- names of C++, inlined functions, functions and data of one name --------------------------------

CXX = """
namespace net {
struct Queue { int count; int put(int v) { count += v; return count; } };
namespace deep { int twice(int a) { return a * 2; } }
int scale(int a) { return a * 3; }
int scale(unsigned a) { return (int)a * 5; }
template<typename T> struct Box { T v; int get(int a) { return a + (int)sizeof(T); } };
}
struct Base { virtual int run(int) = 0; int b; };
struct Derived : Base { int run(int x) override { return x + b; } };
volatile int sink;
net::Queue queue;
net::Box<int> box;
net::Box<net::Queue> boxes;
Derived derived;
extern "C" void _start()
{
	for (Base *p = &derived;;)
		sink = queue.put(3) + net::deep::twice(1) + net::scale(1) + net::scale(2u) + p->run(2) + box.get(1) + boxes.get(2);
}
"""


@pytest.mark.parametrize("name, part, count", [("net::Queue::put", "3put", 1), ("net::deep::twice", "5twice", 1), ("net::scale", "5scale", 2),
                                               ("Derived::run", "3run", 1), ("net::Box<int>::get", "3BoxIiE3get", 1),
                                               ("net::Box<net::Queue>::get", "3BoxINS_5QueueEE3get", 1)])
def test_a_name_of_cxx_is_typed_as_it_is_printed(name, part, count, dprobes, tmp_path):
    elf = firmware(tmp_path, CXX, "-O1", "-fno-inline", "-fno-rtti", "-fno-exceptions", "-fno-devirtualize", "-Wl,--unresolved-symbols=ignore-all",
                   ending="cpp")
    places = [at for symbol, (at, _count) in symbols(elf).items() if symbol.startswith("_ZN") and part in symbol]
    assert len(places) == count
    shown = dprobes("symbols", name, "--elf", elf)
    for at in places:
        assert f"{at:#010x} {name} " in dprobes("symbols", hex(at), "--elf", elf).stdout
        assert f"{at:#010x} {name} " in shown.stdout, shown.stderr
        for text in (f"{name}:entry", f"fbt::{name}:entry", f"fbt:fw:{name}:entry", f"insn::{name}:0"):
            found = dprobes("-n", text, "-e", "--elf", elf)
            assert found.status == 0 and f"{at:#010x}" in found.stdout and found.stdout.count("0x") == count, found.stderr
        for line in dprobes("-l", f"{name}:entry", "--elf", elf).stdout.splitlines():
            printed = re.search(r"\S+:\S+:\S+:entry", line)
            assert not printed or dprobes("-n", printed.group(), "-e", "--elf", elf).status == 0
    assert dprobes("-n", name.replace("net", "nut").replace("Der", "Dar") + ":entry", "-e", "--elf", elf).status == 1


INLINED = START + """
volatile int sum;
static inline __attribute__((always_inline)) int scaled(int value)
{
	return value * 2 + sum;
}
void _start(void) { sum = scaled(sum); sum = scaled(7); }
"""


def test_an_inlined_function_is_known_everywhere(dprobes, tmp_path):
    elf = firmware(tmp_path, INLINED)
    said = "all calls of 'scaled' are inlined; probe its lines, from fw.c:4 on"
    assert said in dprobes("symbols", "scaled", "--elf", elf).stderr
    assert said in dprobes("-n", "scaled:entry", "-e", "--elf", elf).stderr
    (tmp_path / "p.dp").write_text('name = "p"\noffset = scaled\nexit\n', encoding="utf-8")
    found = dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path)
    assert found.status == 1 and "unknown symbol 'scaled': " + said in found.stderr, found.stderr
    assert "no symbol of" in dprobes("symbols", "scale_", "--elf", elf).stderr
    assert dprobes("symbols", "fw.c:6", "--elf", elf).stdout.count("in inlined scaled") == 2


@pytest.mark.parametrize("function, data", [("static ", "static "), ("static ", ""), ("", "static ")])
def test_a_probe_point_is_a_function_before_data(function, data, dprobes, tmp_path):
    """A command table has data of the name of its function."""
    other = tmp_path / "other.c"
    other.write_text(f"{data}volatile int renamed = 4;\nint use(void) {{ return renamed; }}\n", encoding="utf-8")
    source = START + f"volatile int sum;\nint use(void);\n__attribute__((noipa)) {function}int do_echo(int a) {{ return a + sum; }}\n" \
        "void _start(void) { sum = do_echo(sum) + use(); }\n"
    compiler, usual = cpus.of(CPUS[0]).d_gcc
    subprocess.run([program(compiler), *usual, "-O1", "-c", "-o", "other.o", "other.c"], cwd=tmp_path, check=True)
    subprocess.run([program("arm-none-eabi-objcopy"), "--redefine-sym", "renamed=do_echo", "other.o"], cwd=tmp_path, check=True)
    elf = firmware(tmp_path, source, "other.o", cpu=CPUS[0])
    (at, _count) = symbols(elf)["do_echo"]
    (tmp_path / "p.dp").write_text('name = "p"\noffset = do_echo\nexit\n', encoding="utf-8")
    found = dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path)
    assert found.status == 0, found.stderr
    assert f"offset = {at:#x}\n" in dprobes("disasm", "p.ppdf", cwd=tmp_path).stdout
    assert f"{at:#010x}" in dprobes("-n", "do_echo:entry", "-e", "--elf", elf).stdout
