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
    ("u <= 0xffffffff", 1), ("0x80000000 < u", 1), ("x - 8 < 0", 1), ("(x & 4) == 4", 1), ("x & 4 == 4", 1),
]


def values(dprobes, folder, expressions, bits, order, prepare, kind="d"):
    """What each expression is, run in one program: a point each."""
    clauses = [f"addr:::{0x1000 + 16 * i} {{ {prepare} printf(\"%{kind}\", {text}); }}"
               for i, text in enumerate(expressions)]
    (folder / "t.d").write_text("\n".join(clauses) + "\n", encoding="utf-8")
    hits = [word for i in range(len(expressions)) for word in ("--hits", f"{i + 1}:1")]
    result = dprobes("simulate", "--cpu", "sim", "--word", bits, "--endian", order, *hits, "--format", "json", "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    hit = [row for row in map(json.loads, result.stdout.splitlines()) if "end" in row]
    assert [one["end"] for one in hit] == ["exit"] * len(expressions)
    return [int(one["text"]) for one in hit]


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


def test_lazy_operands_have_no_effect(dprobes, tmp_path):
    expressions = ["(x && y++) * 10 + y", "(y || y++) * 10 + y", "(x ? y++ : 0) + y", "(1 || y++) + y"]
    assert values(dprobes, tmp_path, expressions, 32, "little", "x = 0; y = 5;") == [5, 15, 5, 6]
