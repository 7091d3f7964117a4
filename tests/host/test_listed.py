# SPDX-License-Identifier: BSD-2-Clause
"""What is printed can be typed: each line that `-l` lists is a program, in D and in RPN, and so is the advice of each message."""
import re
import subprocess

import pytest

import cpus
from harness.paths import built, program

ROW = cpus.rows()[0]
AT_ONCE = 40  # descriptions of one program

CXX = """
#include "a b/spaced.h"
#include "one/plain"
#include "two/plain"
namespace net {
struct Queue {
	int count;
	int put(int v) { count += v; return count; }
	int operator[](int i) { return i + count; }
	Queue &operator/(int k) { count -= 7 + k; return *this; }
	bool operator<(const Queue &o) const { return count < o.count; }
	int operator()(int a, int b) { return a + b + count; }
	operator int*() { return &count; }
};
template<typename A, typename B> A most(A a, B b) { return a > (A)b ? a : (A)b; }
template<typename T> struct Box { T v; T get(T *x) { return v + *x; } };
}
namespace { int hidden(int a) { return a * 3; } struct S { int f(int a) { return a + 3; } }; }
volatile int sink;
net::Queue q;
net::Box<short> b;
static int lambda(int x) { auto f = [](int y) { return y + sink; }; return f(x); }
extern "C" void _start()
{
	S s;
	short z = 3;
	for (;;) {
		sink = q.put(3) + q[4] + net::most<int, char>(sink, 'a') + net::most<long, int *>(1, (int *)3) + b.get(&z);
		sink = hidden(3) + s.f(2) + lambda(3) + (q / 3)(1, 2) + (q < q) + *(int *)q + spaced(sink) + plain(sink) + plainer(sink);
	}
}
"""
SAME = {
    "a/main.c": "#include \"../inc/shared.h\"\nint keep;\nstatic __attribute__((noinline)) int init(int n)\n{\n\treturn n * 3 + keep;\n}\n"
                "int fa(int n) { return init(n) + shared(n); }\n",
    "b/main.c": "#include \"../b/../inc/shared.h\"\nextern int keep;\nint fa(int);\nstatic __attribute__((noinline)) int init(int n)\n{\n"
                "\treturn n * 5 + keep;\n}\nvoid _start(void) { for (;;) keep = init(keep) + fa(keep) + shared(keep); }\n",
    "inc/shared.h": "static __attribute__((noinline)) int shared(int n)\n{\n\tn += 4;\n\treturn n * 7;\n}\n",
}
COPIES = """
volatile int sink;
struct big { int a, b, c; };
static inline __attribute__((always_inline)) int scaled(int value)
{
	return value * 2 + sink;
}
__attribute__((noinline)) static int scalar(struct big *p, int unused) { sink = p->a; return p->a + p->b; }
__attribute__((noinline)) static int repeated(int n, int k) { int s = 0; for (int i = 0; i < n; i++) s += k * sink; return s; }
#define MIX sink += k; sink *= n; sink -= 9; sink ^= k + 3; sink += k * 7; sink *= n + k; sink -= 19; sink ^= k - 3; sink |= n;
static int parted(int n, int k) { if (n < 4) return k; for (int i = 0; i < n; i++) { MIX MIX } return sink * n; }
int other(int n) { return parted(n, 2) + parted(n + sink, 3); }
int another(int n) { return parted(n, n) + parted(n + sink, 3 * n); }
void _start(void)
{
	struct big b = {1, 2, sink};
	for (;;) { sink = scalar(&b, 3) + repeated(sink, 5) + scaled(sink) + other(sink) + another(sink) + parted(sink, 5); b.a = sink; }
}
"""


def linked(folder, files, sources, *flags):
    """fw.elf of the files."""
    compiler, usual = ROW.d_gcc
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    subprocess.run([program(compiler), *usual, "-nostdlib", "-ffreestanding", "-g", *flags, "-o", "fw.elf", *sources], cwd=folder, check=True)
    return folder / "fw.elf"


@pytest.fixture(scope="module")
def firmware(tmp_path_factory):
    """kind -> an ELF file"""
    cxx, same, copies = (tmp_path_factory.mktemp(name) for name in ("cxx", "same", "copies"))
    return {
        "demo": built("boards", ROW.board, "demo.elf"),
        "cxx": linked(cxx, {"fw.cpp": CXX, "a b/spaced.h": "static int spaced(int a)\n{\n\treturn a * 5 + 1;\n}\n",
                              "one/plain": "static int plain(int a)\n{\n\treturn a * 7 + 1;\n}\n",
                              "two/plain": "static int plainer(int a)\n{\n\treturn a * 9 + 1;\n}\n"}, ["fw.cpp"], "-O1", "-fno-inline",
                      "-fno-rtti", "-fno-exceptions", "-Wl,--unresolved-symbols=ignore-all"),
        "same": linked(same, SAME, ["a/main.c", "b/main.c"], "-O1", "-fno-ipa-cp"),
        "copies": linked(copies, {"fw.c": COPIES}, ["fw.c"], "-O2"),
    }


def listed(dprobes, elf, *words):
    """(description, address) of each line."""
    run = dprobes("-l", *words, "--elf", elf)
    assert run.status == 0, run.stderr
    return [tuple(line.split()[:2]) for line in run.lines()]


def compiles(dprobes, elf, descriptions):
    """The places of one program that has all of them."""
    run = dprobes("-n", ", ".join(descriptions) + " { hits++; }", "-e", "--elf", elf)
    assert run.status == 0, run.stderr
    return set(re.findall(r" (0x[0-9a-f]{8})$", run.stdout, re.M))


@pytest.mark.parametrize("kind, least, every", [("demo", 4000, 97), ("cxx", 60, 1), ("same", 20, 1), ("copies", 30, 1)])
def test_each_line_that_is_listed_is_a_program(kind, least, every, dprobes, firmware):
    """Of all providers; a point that cannot be probed is not listed."""
    elf = firmware[kind]
    entry = next(at for name, at in listed(dprobes, elf, "fbt:::entry"))
    every_line = listed(dprobes, elf, "fbt:::", "line:::*", "insn::*:0", f"addr:::{entry}")
    assert len(every_line) > least and {name.split(":")[0] for name, _at in every_line} == {"fbt", "line", "insn", "addr"}
    chosen = every_line[::every]
    for first in range(0, len(chosen), AT_ONCE):
        part = chosen[first:first + AT_ONCE]
        assert {at for _name, at in part} <= compiles(dprobes, elf, [name for name, _at in part])
    assert dprobes("-l", "dtrace:::", "--elf", elf).lines() == ["dtrace:::BEGIN", "dtrace:::END", "dtrace:::ERROR"]
    assert dprobes("-n", f"{every_line[0][0]}, dtrace:::BEGIN, dtrace:::END, dtrace:::ERROR {{ hits++; }}", "-e", "--elf", elf).status == 0


@pytest.mark.parametrize("kind, every", [("demo", 97), ("cxx", 1), ("same", 1), ("copies", 1)])
def test_each_line_that_is_listed_is_a_place_of_rpn(kind, every, dprobes, firmware, tmp_path):
    """FILE:NUMBER of a line that is at one place; the symbol and the printed name of a function."""
    elf = firmware[kind]

    def build(place):
        (tmp_path / "p.dp").write_text(f'name = "p"\noffset = {place}\nexit\n', encoding="utf-8")
        return dprobes("build", "p.dp", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path)

    def address():
        return int(re.search(r"^offset = (0x[0-9a-f]+)", dprobes("disasm", "p.ppdf", cwd=tmp_path).stdout, re.M)[1], 16) & ~1

    lines = [(name.split(":"), at) for name, at in listed(dprobes, elf, "line:::*")]
    places = [(part[1], part[-1]) for part, _at in lines]
    for part, at in lines[::every]:
        if places.count((part[1], part[-1])) > 1:
            continue
        result = build(f"{part[1]}:{part[-1]}" if "." in part[1] else f'"{part[1]}":{part[-1]}')
        assert result.status == 0 and address() == int(at, 16), result.stderr
    run = dprobes("-l", "fbt:::entry", "--elf", elf)
    rows = [re.fullmatch(r"fbt:\w+:(\S+):entry (0x[0-9a-f]+) (.*?)(?: \(.*)?", line).groups() for line in run.lines()]
    symbols, texts = [row[0] for row in rows], [row[2] for row in rows]
    tried = 0
    for symbol, at, text in rows[::every]:
        for name, unique in ((symbol, symbols.count(symbol) == 1), (f'"{text}"', "::" in text and texts.count(text) == 1)):
            if not unique or "." in symbol:
                continue
            result = build(name)
            assert result.status == 0 and address() == int(at, 16), name + result.stderr
            tried += 1
    assert tried > 1


ADVICE = [  # an ELF, a description of D, and what its message leads to
    ("demo", "queue_putt:entry", r"did you mean '(queue_put)'", "{}:entry"),
    ("demo", "queu.c:44", r"did you mean '(queue.c)'", "{}:44"),
    ("demo", "queue.c:45", r"queue.c:45 has no code; (\d+) and (\d+) have", "queue.c:{}"),
    ("cxx", "net::Queue::putt:entry", "did you mean '(.*?)'", "{}:entry"),
    ("cxx", "put:entry", "did you mean '(.*?)'", "{}:entry"),
    ("cxx", "net::Queue::put", "write '(.*?)' or '(.*?)'", "{}"),
    ("cxx", "line:plain::3", "write (.*?) or (.*?)\n", "{}"),
    ("same", "main.c:5", "write (.*?) or (.*?)\n", "{}"),
    ("same", "line:main.c:init:5", "write (.*?):5 or (.*?):5\n", "line:{}:init:5"),
    ("copies", "scaled:entry", "'dprobes -l (.*?)' lists", "{}"),
    ("copies", "repeate:entry", "did you mean '(.*?)'", "{}:entry"),
    ("copies", "parted:entry", "the part '(.*?)' alone; probe that", "{}:entry"),
]
PLACES = [  # the same of a place in RPN
    ("demo", "queue_putt", r"did you mean '(queue_put)'", "{}"),
    ("demo", "queue.c:45", r"queue.c:45 has no code; (\d+) and (\d+) have", "queue.c:{}"),
    ("cxx", "net::Queue::putt", "did you mean '(.*?)'", "{}"),
    ("cxx", '"net::most<int, chart>"', 'did you mean (".*?")', "{}"),
    ("cxx", '"plain":3', "write (.*?) or (.*?)\n", "{}"),
    ("same", "init", "write (.*?), or", "{}"),
    ("same", "main.c:init", "write (.*?) or (.*?)\n", "{}"),
    ("same", "main.c:5", "write (.*?) or (.*?)\n", "{}"),
    ("copies", "repeate", "did you mean '(.*?)'", "{}"),
    ("copies", "parted", "the part '(.*?)' alone; probe that", "{}"),
]


@pytest.mark.parametrize("kind, description, said, advice", ADVICE)
def test_the_advice_of_a_message_is_a_description(kind, description, said, advice, dprobes, firmware):
    wrong = dprobes("-n", f"{description} {{ hits++; }}", "-e", "--elf", firmware[kind])
    found = re.search(said, wrong.stderr)
    assert wrong.status == 1 and found, wrong.stderr
    for word in found.groups():
        assert compiles(dprobes, firmware[kind], [advice.format(word)])
        assert listed(dprobes, firmware[kind], advice.format(word))


@pytest.mark.parametrize("kind, place, said, advice", PLACES)
def test_the_advice_of_a_message_is_a_place_of_rpn(kind, place, said, advice, dprobes, firmware, tmp_path):
    def build(text):
        (tmp_path / "p.dp").write_text(f'name = "p"\noffset = {text}\nexit\n', encoding="utf-8")
        return dprobes("build", "p.dp", "--elf", firmware[kind], "-o", "p.ppdf", cwd=tmp_path)

    wrong = build(place)
    found = re.search(said, wrong.stderr)
    assert wrong.status == 1 and found, wrong.stderr
    for word in found.groups():
        result = build(advice.format(word))
        assert result.status == 0, result.stderr


def test_points_that_cannot_be_probed_are_counted(dprobes, firmware):
    """Without -v they are not listed."""
    some, every = (dprobes("-l", "fbt::dp_*t:entry", *words, "--elf", firmware["demo"]) for words in ((), ("-v",)))
    count = int(re.search(r"(\d+) point\(s\) that cannot be probed are not listed; -v lists them", some.stderr)[1])
    assert count == every.stdout.count("cannot be probed: ") > 1 and "not listed" not in every.stderr
    assert some.stdout.count("fbt:") + count == every.stdout.count("fbt:")


def test_lines_of_a_function(dprobes, firmware):
    """Also of one whose calls are inlined; of a header that is included by several paths, each line once a function."""
    put = listed(dprobes, firmware["demo"], "line::queue_put:*")
    assert len(put) > 10 and all(re.fullmatch(r"line:queue\.c:queue_put:\d+", name) for name, _at in put)
    assert set(put) == set(listed(dprobes, firmware["demo"], "line:queue.c:queue_put:*")) < set(listed(dprobes, firmware["demo"], "line:queue.c::*"))
    whole = listed(dprobes, firmware["demo"], "line:queue.c::*")
    for pattern in ("queue*", "*queue.c", "queue.[ch]", "demo/queue.*", "*/queue.c"):
        assert set(whole) <= set(listed(dprobes, firmware["demo"], f"line:{pattern}::*")), pattern
    number = put[0][0].rsplit(":", 1)[1]
    assert set(listed(dprobes, firmware["demo"], f"line:queue.[ch]::{number}")) == set(listed(dprobes, firmware["demo"], f"queue.c:{number}"))
    scaled = [name for name, _at in listed(dprobes, firmware["copies"], "line::scaled:*")]
    assert any(re.fullmatch(r"line:fw\.c:\w+:6", name) for name in scaled)  # the compiler begins the instance behind it
    assert len(listed(dprobes, firmware["same"], "line:shared.h:shared:4")) == 2
    lines = listed(dprobes, firmware["cxx"], "line::net::Queue::put:*")
    assert lines and all(name.startswith("line:fw.cpp:net::Queue::put:") for name, _at in lines)
    none = dprobes("-l", "line::queue_pt:*", "--elf", firmware["demo"])
    assert none.status == 1 and "did you mean 'queue_put'" in none.stderr
    number = dprobes("-l", "line::queue_put:9999*", "--elf", firmware["demo"])
    assert number.status == 1 and "no line of this file and function has code" in number.stderr
