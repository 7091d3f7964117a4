# SPDX-License-Identifier: BSD-2-Clause
"""Types, constants, inlines and arrays that a program declares, and its arguments; in the simulator, in each word size and
byte order. No firmware: a pointer is a number."""
import json

import pytest

FORMS = [(32, "little"), (32, "big"), (64, "little"), (64, "big")]
IDS = [f"{bits}-{order}" for bits, order in FORMS]


@pytest.fixture(params=FORMS, ids=IDS)
def ask(request, dprobes, tmp_path):
    """Runs the program with arguments; memory from 0x2000 on. Returns the texts of the hits."""
    bits, order = request.param

    def run(program, *arguments, memory=b"", hits=1, options=()):
        (tmp_path / "t.d").write_text(program, encoding="utf-8")
        words = ["--mem", f"0x2000={memory.hex()}"] if memory else []
        result = dprobes("simulate", "--cpu", "sim", "--word", bits, "--endian", order, *words, *options, "--hits", f"1:{hits}", "--format",
                         "json", "t.d", "--", *arguments, cwd=tmp_path)
        assert result.status == 0, result.stderr
        return [row["text"] for row in map(json.loads, result.stdout.splitlines()) if row["kind"] == "hit"]

    run.bits, run.order = bits, order
    return run


def test_sizes(ask):
    """Members stand at multiples of their size, as C has them."""
    texts = ask("""typedef unsigned char byte;
        struct node;
        struct inner { byte a; short b; unsigned f : 3, g : 7; };
        struct node { struct node *next; struct inner in[2]; union { int i; byte c[4]; }; long long w; char name[5]; };
        union both { int i; long long w; byte b[9]; };
        struct fields { unsigned a : 20, b : 20; char c; unsigned d : 4; };
        addr:::0x1000 { printf("%d %d %d %d %d %d %d %d %d", sizeof(struct inner), offsetof(struct inner, b), offsetof(struct node, in),
            offsetof(struct node, i), offsetof(struct node, w), offsetof(struct node, in[1].b), sizeof(union both), sizeof(byte),
            sizeof(struct fields)); }""")
    word = ask.bits // 8
    assert texts == [f"8 2 {word} {word + 16} {word + 20 + (word + 20) % 8} {word + 10} 16 1 12"]


def test_members(ask):
    """Values and bit-fields of a declared struct are read from memory."""
    number = lambda value, size: value.to_bytes(size, ask.order)  # noqa: E731
    fields = 5 | 0x55 << 3 if ask.order == "little" else 5 << 13 | 0x55 << 6
    memory = number(0x2000, ask.bits // 8) + b"\x07\x00" + number(0xfffe, 2) + number(fields, 2) + b"text" + bytes(6) + number(6, 4)
    texts = ask("""enum level { LOW, MID = 5, HIGH };
        struct point { struct point *self_; unsigned char a; short b; unsigned f : 3, g : 7; char name[8]; enum level level; };
        typedef struct point *point_p;
        inline point_p at = (point_p)0x2000;
        addr:::0x1000 { printf("%d %d %d %d %s %s %d", at->self_->a, at->b, at->f, at->g, at->name, at->level, HIGH); }
        addr:::0x1000 /at->level == HIGH && at->b == -2/ { print(*at); }""", memory=memory + bytes(8))
    assert texts == ['7 -2 5 85 text HIGH 6(struct point) {.self_ = 0x2000, .a = 7, .b = -2, .f = 5, .g = 85, .name = "text", .level = HIGH}\n']


def test_inlines(ask):
    """A parameter has its own type, the value too; names in the value are those of the place of use."""
    texts = ask("""inline int two = 1 + 1;
        inline int twice[int a] = a * two;
        inline char narrow[int a] = a;
        inline int sum3[int a, char b, long long c] = a + b + c;
        inline string greeting = "hi";
        inline int old = x++;
        addr:::0x1000 { x = 7; printf("%d %d %d %d %s %d %d", two, twice[twice[x] + 1], narrow[511], sum3[1, 257, twice[5]], greeting, old, x); }""")
    assert texts == ["2 30 -1 12 hi 7 8"]


def test_declared_arrays(ask):
    texts = ask("""int x[int, string]; self char y[long long]; string z[int];
        addr:::0x1000 { x[1, "a"] = 5; self->y[1ll << 40] = 300; z[3] = "text"; printf("%d %d %d %s %s", x[1, "a"], x[2, "a"],
            self->y[1ll << 40], z[3], z[4]); }""")
    assert texts == ["5 0 44 text "]


def test_defined(ask):
    texts = ask("""inline int one = 1; enum { A };
        addr:::0x1000 { x = 1; this->y = 2; z[1] = 2; printf("%d%d%d%d%d%d%d%d %d%d%d%d", defined(x), defined(this->y), defined(z), defined(one),
            defined(A), defined(pid), defined($1), defined $$1, defined(q), defined(self->q), defined($2), defined(nobody->member)); }""", "5")
    assert texts == ["11111111 0000"]


def test_arguments(ask):
    """Numbers, names and strings; in a description too; $$ makes a string of each."""
    program = """addr:::$2 { x = 3; printf("%d %s %d %d %s %d|%s %s|%d", $1, $$1, $3 - 1, $4, $5, $1 + $3, $$2, $$5, $pid > 0); }"""
    texts = ask(program, "0x10", "0x1000", "-5", "x", '"a b"')
    assert texts == ['16 0x10 -6 3 a b 11|0x1000 "a b"|1']


def test_defaults_of_arguments(ask):
    program = 'addr:::0x1000 { printf("%d <%s> %d", $1, $$2, $3); }'
    assert ask("#pragma D option defaultargs\n" + program) == ["0 <> 0"]
    assert ask(program.replace("$3", "3"), "1", "b", "c", options=("--option", "argref")) == ["1 <b> 3"]


@pytest.mark.parametrize("arguments,said", [
    (["a b"], "t.d:1:23: error: the argument 'a b' is no number, name or string; $$ in front of its number takes it as a string"),
    (["5x"], "t.d:1:23: error: the argument '5x' is no number, name or string; $$ in front of its number takes it as a string"),
    ([""], "t.d:1:23: error: the argument '' is no number, name or string; $$ in front of its number takes it as a string"),
    ([], "t.d:1:23: error: macro argument '$1' is not given; words behind the script's name are its arguments, and 0 are there"),
    (["1", "2"], "t.d:1:1: error: the program does not use its argument 2, '2'; -x argref permits that"),
])
def test_wrong_arguments(dprobes, tmp_path, arguments, said):
    (tmp_path / "t.d").write_text("addr:::0x1000 { trace($1); }\n", encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", "t.d", *arguments, cwd=tmp_path)
    assert result.status == 1 and result.stderr.splitlines()[0] == said


def test_other_programs_take_no_arguments(dprobes, tmp_path):
    (tmp_path / "t.dp").write_text("name = t\noffset = 0x1000\nexit\n", encoding="utf-8")
    result = dprobes("simulate", "t.dp", "5", cwd=tmp_path)
    assert (result.status, result.stderr) == (1, "t.dp: error: a program in RPN takes no arguments, and '5' is given\n")
    assert dprobes("build", "--dont-verify-opcodes", "t.dp", cwd=tmp_path).status == 0
    result = dprobes("simulate", "t.ppdf", "5", cwd=tmp_path)
    assert (result.status, result.stderr) == (1, "t.ppdf: error: an object takes no arguments, and '5' is given\n")
