# SPDX-License-Identifier: BSD-2-Clause
"""What D expressions are: a table, and random ones against an evaluator of C's rules (d_expressions.py), as the
simulator runs them in each word size and byte order."""
import json
import random

import d_expressions
import pytest

FORMS = [(32, "little"), (32, "big"), (64, "little"), (64, "big")]
IDS = [f"{bits}-{order}" for bits, order in FORMS]
ONE_PROGRAM = 60

# An expression, and what printf("%d") shows of it. x is the variable `int x = 7`, u `unsigned u = 0xfffffff0`.
TABLE = [
    ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 / 2", 3), ("-7 / 2", -3), ("-7 % 3", -1), ("1 << 4", 16),
    ("0x7fffffff", 2147483647), ("1 << 40 >> 38", 4), ("010", 8), ("'a'", 97), ("'\\n'", 10), ("'ab'", 24930),
    ("x + 1", 8), ("-x", -7), ("~x", -8), ("!x", 0), ("!!x", 1), ("x / 2", 3), ("-x / 2", -3), ("-x % 3", -1),
    ("x << 2", 28), ("-x >> 1", -4), ("u >> 28", 15), ("u / 16 == 0xfffffff", 1), ("u < 5", 0), ("u > 5", 1),
    ("-x < 5", 1), ("-x < 5u", 0), ("x >= 7", 1), ("x <= 6", 0), ("7 >= x", 1), ("6 >= x", 0), ("x != 7", 0),
    ("x == 7 && u > 5", 1), ("x == 6 || u < 5", 0), ("x ^^ u", 0), ("x ^^ 0", 1),
    ("x ^^ 1 << 32", 0), ("x && 1 << 32", 1), ("1 << 32 ? x : 0", 7), ("x > 5 ? 11 : 22", 11),
    ("x < 5 ? 11 : x == 7 ? 33 : 44", 33), ("10 + (x > 5 && u)", 11), ("10 - (x < 5 ? 1 : 2)", 8),
    ("(char)200 < 0", 1), ("(unsigned char)-1", 255), ("(short)0x18000", -32768), ("(uint16_t)u", 65520),
    ("(uint8_t)(x - 8)", 255), ("(_Bool)u", 1), ("sizeof(int)", 4), ("sizeof(char)", 1), ("sizeof x", 4),
    ("x++ + x", 15), ("++x * 2", 16), ("x-- - 1", 6), ("(x += 5) * 2", 24), ("(x -= 10) - 1", -4),
    ("(x *= 3) + 0", 21), ("(x <<= 3) + 0", 56), ("(x ^= 5) + 0", 2), ("(x |= 8) + 0", 15), ("(x &= 3) + 0", 3),
    ("sizeof(1ll)", 8), ("5ll", 5), ("4294967295l", 4294967295), ("3000000000", 3000000000), ("(x /= 2) + 0", 3), ("(x %= 4) + 0", 3), ("(x >>= 1) + 0", 3), ("u + 17", 1), ("x > 2147483647 - 1", 0),
    ("5 < -1u", 1), ("sizeof(int) - 5 > 0", 1), ("-1u / 2", 2147483647), ("-1u >> 28", 15), ("(1 ? -1 : 1u) > 0", 1),
    ("~0u << 28", 4026531840), ("-1u % 10", 5), ("5ull - 6 > 0", 1), ("(6ull - 5) - 2 > 0", 1), ("(int)-1 > (uint32_t)0", 1),
    ("-8 >> 1ull", -4), ("sizeof(1ll + 1)", 8), ("(uint8_t)255 + 1", 256), ("(uint8_t)1 - 2 < 0", 1), ("-1ll < 1u", 1),
    ("-1 < 0x80000000", 0), ("0x80000000 * 2", 0), ("0xffffffff + 1", 0), ("037777777777 > -1", 0), ("-1 < 0x7fffffff", 1), ("0x100000000 > -1", 1),
    ("-1 < 0x8000000000000000", 0), ("x < 0x80000000", 1), ("-x < 0x80000000", 0), ("-1 < 3000000000", 1), ("3000000000 > -1", 1), ("3000000000 / -2", -1500000000), ("3000000000 > -x", 1), ("x - 8 < 3000000000", 1), ("u < 3000000000", 0),
    ("u <= 0xffffffff", 1), ("0x80000000 < u", 1), ("x - 8 < 0", 1), ("(x & 4) == 4", 1), ("x & 4 == 4", 1),
]


def values(dprobes, folder, expressions, bits, order, prepare, kind="d"):
    """What each expression is, run in one program: a point each."""
    clauses = [f"addr:::{0x1000 + 16 * i} {{ {prepare} printf(\"%{kind}\", {text}); }}"
               for i, text in enumerate(expressions)]
    return values_of(dprobes, folder, "\n".join(clauses), bits, order, len(expressions))


def values_of(dprobes, folder, program, bits, order, count):
    """What a program with so many points prints, a number at each."""
    (folder / "t.d").write_text(program + "\n", encoding="utf-8")
    hits = [word for i in range(count) for word in ("--hits", f"{i + 1}:1")]
    result = dprobes("simulate", "--cpu", "sim", "--word", bits, "--endian", order, *hits, "--format", "json", "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    hit = [row for row in map(json.loads, result.stdout.splitlines()) if "end" in row]
    assert [one["end"] for one in hit] == ["exit"] * count
    return [int(one["text"]) for one in hit]


def texts_of(dprobes, folder, program, bits, order, hits):
    """The texts of hits of a program's one point; hits without a text are left out."""
    (folder / "t.d").write_text(program, encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", "--word", bits, "--endian", order, "--hits", f"1:{hits}", "--format", "json", "t.d",
                     cwd=folder)
    assert result.status == 0, result.stderr
    return [row["text"] for row in map(json.loads, result.stdout.splitlines()) if "text" in row and "end" in row]


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_table(dprobes, tmp_path, bits, order):
    texts = [text for text, _ in TABLE]
    found = values(dprobes, tmp_path, texts, bits, order, "x = 7; u = 0xfffffff0;")
    assert [(text, value) for text, value in zip(texts, found)] == TABLE


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_random_expressions(dprobes, tmp_path, amount, bits, order):
    """The evaluator knows C's types; it shares no code with the compiler."""
    for seed in range(amount(3, 3000)):
        source = random.Random(f"{bits} {order} {seed}")
        variables = d_expressions.variables(source)
        made = [d_expressions.expression(source, variables, 4) for _ in range(ONE_PROGRAM)]
        prepare = " ".join(f"{name} = {one.text};" for name, one in variables.items())
        found = values(dprobes, tmp_path, [one.text for one in made], bits, order, prepare)
        wrong = [(one.text, found_one, one.value) for one, found_one in zip(made, found) if found_one != one.value]
        assert not wrong, f"seed {seed}: {prepare} {wrong[0]}"


# A type that D can write, and a constant of it.
OPERANDS = [("int8_t", "(int8_t)-3"), ("uint8_t", "(uint8_t)250"), ("short", "(short)-300"), ("int", "(int)-7"),
            ("unsigned", "(unsigned)0xfffffff9"), ("unsigned", "5u"), ("unsigned", "0x80000000"), ("int64_t", "(int64_t)-9"), ("uint64_t", "1ull"), ("size_t", "sizeof(int)"),
            ("int64_t", "3000000000"), ("int64_t", "-3000000000"), ("int64_t", "5000000000"), ("uint64_t", "0xfffffffffffffff0"), ("unsigned", "3000000000u"),
            ("int64_t", "3000000000ll"), ("int", "-2"), ("int", "-1")]
OPERATORS = ["+", "-", "*", "/", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^"]


@pytest.mark.parametrize("bits,order", [form if form in FORMS[::3] else pytest.param(*form, marks=pytest.mark.nightly) for form in FORMS], ids=IDS)
def test_constants_are_what_variables_are(dprobes, tmp_path, bits, order):
    """An operation of two constants with written types is that of two variables of these types, and of one of each."""
    count = len(OPERANDS)
    cases = [(a, b, operator) for a in range(count) for b in range(a % 2, count, 2) for operator in OPERATORS]
    cases += [(a, a, operator) for a in (4, 5, 6, 7, 8, 9) for operator in ("<< 3 *", ">> 3 ^")]
    declared = "".join(f"{kind} v{i};\n" for i, (kind, _) in enumerate(OPERANDS)) + "int64_t out;\n"
    prepare = " ".join(f"v{i} = {text};" for i, (_, text) in enumerate(OPERANDS))
    forms = [(a, operator, b) for i, k, operator in cases for a in (f"v{i}", OPERANDS[i][1]) for b in (f"v{k}", OPERANDS[k][1])]
    wrong = []
    for start in range(0, len(forms), 120):
        part = [" ".join(form) for form in forms[start:start + 120]]
        clauses = [f"addr:::{0x1000 + 16 * i} {{ {prepare} out = {text}; printf(\"%d\", out); }}" for i, text in enumerate(part)]
        found = values_of(dprobes, tmp_path, declared + "\n".join(clauses), bits, order, len(part))
        wrong += [(part[i:i + 4], found[i:i + 4]) for i in range(0, len(part), 4) if len(set(found[i:i + 4])) > 1]
    assert not wrong


# A constant, and what it is: the bytes of its type, and whether the type is unsigned.
LITERALS = [("2147483647", 4, False), ("2147483648", 8, False), ("3000000000", 8, False), ("4294967295", 8, False), ("4294967296", 8, False),
            ("2147483647 + 1", 8, False), ("1 << 31", 8, False), ("0x7fffffff", 4, False), ("0x80000000", 4, True), ("0xffffffff", 4, True),
            ("0x100000000", 8, False), ("0x8000000000000000", 8, True), ("037777777777", 4, True), ("3000000000u", 4, True), ("5000000000u", 8, True),
            ("3000000000ll", 8, False), ("1ll", 8, False), ("1ull", 8, True), ("0x80000000ll", 8, False), ("9223372036854775807", 8, False), ("-3000000000", 8, False)]


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_a_variable_has_the_type_of_its_constant(dprobes, tmp_path, bits, order):
    """The type is that of C: an operation on the variable, and one on the constant, give the same."""
    clauses = [f'addr:::{0x1000 + 16 * i} {{ v{i} = {text}; printf("%d %d %d %d %d %d %d", sizeof(v{i}), v{i} > -1, ({text}) > -1, '
               f'v{i} / -2 == ({text}) / -2, v{i} % -7 == ({text}) % -7, v{i} >> 1 == ({text}) >> 1, -v{i} / 3 == -({text}) / 3); }}'
               for i, (text, _, _) in enumerate(LITERALS)]
    (tmp_path / "t.d").write_text("\n".join(clauses), encoding="utf-8")
    hits = [word for i in range(len(clauses)) for word in ("--hits", f"{i + 1}:1")]
    result = dprobes("simulate", "--cpu", "sim", "--word", bits, "--endian", order, *hits, "--format", "json", "t.d", cwd=tmp_path)
    assert result.status == 0, result.stderr
    found = [row["text"] for row in map(json.loads, result.stdout.splitlines()) if "end" in row]
    above = [not is_unsigned and not text.startswith("-") for text, _, is_unsigned in LITERALS]
    assert found == [f"{size} {yes:d} {yes:d} 1 1 1 1" for (_, size, _), yes in zip(LITERALS, above)]


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_a_first_assignment_gives_its_type(dprobes, tmp_path, bits, order):
    """The type before promotion, where the value is a variable, memory, a cast or a function."""
    program = ("uint8_t small;\naddr:::0x1000 { a = (uint8_t)250; a += 10; this->b = (short)32767; this->b++; self->c = a; "
               "small = 9; d = small; e[1] = (int8_t)127; ++e[1]; f = (uint16_t)70000; g = (_Bool)7; g++; h = +a; i = a + a; j = (_Bool)1; j--; "
               'printf("%d %d %d %d %d %d %d %d %d | %d %d %d %d %d %d", a, this->b, self->c, d, e[1], g, h, i, j, sizeof(a), sizeof(this->b), '
               "sizeof(d), sizeof(f), sizeof(h), sizeof(g)); }\n")
    assert texts_of(dprobes, tmp_path, program, bits, order, 1) == [
        "4 -32768 4 9 -128 1 4 8 0 | 1 2 1 2 4 1"]


MEMBERS = """struct q { int a; int b; };
struct s { int a; char b[4]; struct q n; unsigned f : 3; int g : 7; long long w; _Bool t; char *p; unsigned char last; };
struct s v;
this struct q x;
addr:::0x1000 { v.a = -5; v.b[1] = 66; v.n.a = 1; v.n.b = 3; v.f = 2; v.g = -3; v.w = -20000000000; v.t = 7; v.p = (char *)0x2000; v.last = 255;
  v.last++; v.w += 5; v.f++; trace(v.g--); trace(--v.b[1]); trace(v.a *= 2); trace(v.w++); trace(v.p++); print(v);
  this->x.b = 6; this->x.a += 2; v.n = this->x; this->x.a = v.b[1] + v.n.b; print(this->x); print(v.n); v.b[0] = v.f + 94; print(v.b); }
"""


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_members_of_variables_are_assigned_singly(dprobes, tmp_path, bits, order):
    """Members of a word and of less, bit-fields, elements, structs in the struct: the other bits of a word stay."""
    assert texts_of(dprobes, tmp_path, MEMBERS, bits, order, 2) == [
        "  -3  65  -10  -19999999995  0x2000(struct s) {.a = -10, .b = \"\", .n = {.a = 1, .b = 3}, .f = 3, .g = -4, .w = -19999999994, "
        ".t = true, .p = 0x2001, .last = 0}\n(struct q) {.a = 71, .b = 6}\n(struct q) {.a = 2, .b = 6}\n(char [4]) \"aA\"\n",
        "  -3  65  -10  -19999999995  0x2000(struct s) {.a = -10, .b = \"aA\", .n = {.a = 1, .b = 3}, .f = 3, .g = -4, .w = -19999999994, "
        ".t = true, .p = 0x2001, .last = 0}\n(struct q) {.a = 71, .b = 6}\n(struct q) {.a = 2, .b = 6}\n(char [4]) \"aA\"\n"]


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_unsigned_values_of_64_bits_keep_their_sign(dprobes, tmp_path, bits, order):
    """In text and JSON, from the target and computed by the host."""
    (tmp_path / "t.d").write_text("addr:::0x1000 { x = 0xfedcba9876543210; y = -5ll; trace(x); trace(x / 1); trace(x + 1); trace(y / 1); trace(-1ull); }\n",
                                  encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", "--word", bits, "--endian", order, "--format", "json", "t.d", cwd=tmp_path)
    hit = [row for row in map(json.loads, result.stdout.splitlines()) if "end" in row][0]
    expected = [18364758544493064720, 18364758544493064720, 18364758544493064721, -5, 18446744073709551615]
    assert [one["value"] for one in hit["args"]] == expected
    assert [int(word) for word in hit["text"].split()] == expected


# A value with C's number for it: unsigned ones, and ones with bits above 31.
MASKED = [("u", 0xfffffff0), ("v", 0x7ffffff1), ("s", -16), ("b", 0xf5), ("w", -3), ("h", 5 << 32), ("m", 0x1f0000000), ("(1 << 31)", 1 << 31),
          ("3000000000", 3000000000), ("0x80000000", 1 << 31), ("0x10000000f", 0x10000000f), ("(w & u)", -3 & 0xfffffff0), ("(m & 3000000000)", 0x1f0000000 & 3000000000)]
PREPARED = "u = 0xfffffff0; v = 0x7ffffff1u; s = -16; b = (uint8_t)0xf5; w = -3ll; h = 5ll << 32; m = 0x1f0000000;"
# Where the masked value goes, and what it is there.
USES = [("%s", lambda v: v), ("!%s", lambda v: not v), ("%s ? 3 : 4", lambda v: 3 if v else 4), ("%s == 0x80000000", lambda v: v == 1 << 31),
        ("%s > 2147483647", lambda v: v > 0x7fffffff), ("%s < 5", lambda v: v < 5), ("3000000000 <= %s", lambda v: v >= 3000000000),
        ("(uint8_t)(%s >> 28)", lambda v: v >> 28 & 255), ("(uint16_t)%s", lambda v: v & 0xffff), ("(_Bool)%s", bool), ("%s ^^ 1", lambda v: not v),
        ("%s && b", bool), ("%s + 1ll", lambda v: v + 1), ("-(int64_t)%s", lambda v: -v), ("~(%s | 0ll)", lambda v: ~v)]


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_masks(dprobes, tmp_path, bits, order):
    """The value of & with a mask of one word, wherever it goes; an operand of two words beside it counts in its low word."""
    pairs = [(x, y) for i, x in enumerate(MASKED) for k, y in enumerate(MASKED) if (i + k) % 3]
    made = [(use % f"({x} & {y})", int(of(a & b))) for (x, a), (y, b) in pairs for use, of in USES]
    # An int joins an unsigned int as one.
    made = [one for one in made if not any(f"({x} & {y})" in one[0] for x, y in
                                           (("u", "s"), ("s", "u"), ("v", "s"), ("s", "v"), ("s", "0x80000000"), ("0x80000000", "s")))]
    for start in range(0, len(made), 150):
        part = made[start:start + 150]
        found = values(dprobes, tmp_path, [f"(int64_t)({text})" for text, _ in part], bits, order, PREPARED)
        wrong = [(text, one, value) for (text, value), one in zip(part, found) if one != value]
        assert not wrong, wrong[:5]


def test_steps_of_masks(dprobes, tmp_path):
    """A mask of bit 31 is a number of 64 bits, and costs what a mask of bit 30 costs."""
    def steps(expression):
        (tmp_path / "t.d").write_text(f"unsigned u;\naddr:::0x1000 /{expression}/ {{ x = 1; }}\n", encoding="utf-8")
        result = dprobes("simulate", "--cpu", "sim", "--word", 32, "--endian", "little", "--format", "json", "t.d", cwd=tmp_path)
        return json.loads(result.stdout.splitlines()[0])["steps"]

    for use in ("u & (1 << %s)", "!(u & (1 << %s))", "(u & (1 << %s)) != 0", "(u & (1 << %s)) == (1 << %s)", "(_Bool)(u & (1 << %s))"):
        assert steps(use.replace("%s", "31")) == steps(use.replace("%s", "30")), use
    assert steps("u > 3000000000") == steps("u > 3000000000u")


def test_lazy_operands_have_no_effect(dprobes, tmp_path):
    expressions = ["(x && y++) * 10 + y", "(y || y++) * 10 + y", "(x ? y++ : 0) + y", "(1 || y++) + y"]
    assert values(dprobes, tmp_path, expressions, 32, "little", "x = 0; y = 5;") == [5, 15, 5, 6]


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_sizes_of_arrays(dprobes, tmp_path, bits, order):
    """An array with a bound has the size of its elements."""
    program = "int a[8]; this char b[3]; self int64_t c[5];\naddr:::0x1000 { printf(\"%d %d %d\", sizeof(a), sizeof(this->b), sizeof(self->c)); }\n"
    assert texts_of(dprobes, tmp_path, program, bits, order, 1) == ["32 3 40"]


def test_a_deviation_of_wide_words(dprobes, tmp_path):
    """An entry of a map has no place for the seven words of a deviation where words have 64 bits."""
    (tmp_path / "t.d").write_text("addr:::0x1000 { @ = stddev(1); }\n", encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", "--word", 64, "--endian", "little", "t.d", cwd=tmp_path)
    assert result.status == 1 and ("t.d:1:21: error: the value of stddev has 56 bytes where words have 64 bits, and an agent holds 44; "
                                   "use avg, min and max") in result.stderr, result.stderr


SHIFTS = {32: (13, 17, 5), 64: (13, 7, 17)}


def random_numbers(bits, seed, count):
    """Marsaglia's xorshift; 31 high bits of each state."""
    first, second, third = SHIFTS[bits]
    mask, state = (1 << bits) - 1, seed
    for _ in range(count):
        state ^= state << first & mask
        state ^= state >> second
        state ^= state << third & mask
        yield state >> bits - 31


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_random_numbers(dprobes, tmp_path, bits, order):
    """rand and random share a state. The first use takes the clock, with its lowest bit set, as the seed."""
    found = texts_of(dprobes, tmp_path, 'addr:::0x1000 { printf("%d %d %d", ticks, rand(), random()); }\n', bits, order, 5)
    found = [[int(word) for word in text.split()] for text in found]
    expected = random_numbers(bits, found[0][0] | 1, 10)
    assert [numbers for _, *numbers in found] == [[next(expected), next(expected)] for _ in found]
    late = texts_of(dprobes, tmp_path, 'addr:::0x1000 { n++; } addr:::0x1000 /n == 3/ { printf("%d %d", ticks, rand()); }\n', bits, order, 3)
    ticks, number = map(int, late[0].split())
    assert ticks > found[0][0] and number == next(random_numbers(bits, ticks | 1, 1))


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_the_clock_in_its_own_unit(dprobes, tmp_path, bits, order):
    """ticks goes on between hits; it has 64 bits, and one word where it is cast."""
    found = texts_of(dprobes, tmp_path, 'addr:::0x1000 { printf("%d %d %d", ticks - before, sizeof(ticks), (uint32_t)ticks == ticks); before = ticks; }\n',
                     bits, order, 3)
    first, second, third = ([int(word) for word in text.split()] for text in found)
    assert second[0] == third[0] > 0 and first[1:] == second[1:] == [8, 1]
