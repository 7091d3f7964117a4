# SPDX-License-Identifier: BSD-2-Clause
"""Actions on aggregations: printa, clear, trunc, normalize. In the simulator, hit by hit."""
import json
import re

import d_cases
import pytest


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("d_acts")
    d_cases.firmware(made, "arm")
    return made


@pytest.fixture
def texts(folder, dprobes):
    """Runs a program: hits of take:entry with these values of n; the text of each hit, and the rows of the end."""
    def run(program, *values):
        (folder / "p.d").write_text(program, encoding="utf-8")
        said, rows = [], []
        options = [word for _ in values for word in ("--hits", "1:1")]
        result = dprobes("simulate", "--elf", "arm.elf", "--reg", "r1=3", *options, "--format", "json", "p.d", cwd=folder)
        assert result.status == 0, result.stderr
        for row in map(json.loads, result.stdout.splitlines()):
            if row["kind"] == "hit":
                said.append(row.get("text", ""))
            elif row["kind"] == "aggregation":
                rows.append((row["name"], row["keys"], row["value"]))
        return said, rows
    return run


def numbers(text):
    return [tuple(int(word) for word in line.split()) for line in text.strip().splitlines()]


def test_printa_of_all(texts):
    """As at the end of the run; the end does not print it again."""
    said, rows = texts("take:entry { @[i % 2] = count(); i++; } take:entry /i == 4/ { printa(@); }", *range(4))
    assert said[:3] == [""] * 3 and numbers(said[3]) == [(0, 2), (1, 2)]
    assert rows == []


def test_printa_by_a_format(texts):
    """Keys and values in the order of the format; aggregations of equal keys stand in one line, where one may lack a key."""
    program = """take:entry { @c[i, i * 2] = count(); i++; } take:entry /i == 2/ { @s[0, 0] = sum(7); @s[9, 9] = sum(-5); }
        take:entry /i == 3/ { printa("<%d|%3x|%@d|%@-4d>\\n", @c, @s); }"""
    said, rows = texts(program, 1, 2, 3)
    assert said[2].splitlines() == ["<0|  0|1|7   >", "<1|  2|1|0   >", "<2|  4|1|0   >", "<9|  9|0|-5  >"]
    assert rows == []


def test_printa_of_a_distribution(texts):
    said, _ = texts('take:entry { @["n"] = quantize(n); printa("%s:%@d", @); }', 1)
    assert said[0].startswith("n:\n") and re.search(r"^ +2 \|@{40} 1$", said[0], re.M)


def test_clear(texts):
    """Keys stay with the value 0, and count on from there; an average begins anew."""
    updates = "take:entry { @c[i % 2] = count(); @a = avg(i * 10); @l = min(i + 5); i++; }"
    said, _ = texts(updates + ' take:entry /i == 2/ { clear(@c); clear(@a); clear(@l); printa("%@d,", @c); printa("%@d %@d", @a, @l); }',
                    *range(2))
    assert said[1] == "0,0,0 0"
    _, rows = texts(updates + " take:entry /i == 2/ { clear(@c); clear(@a); clear(@l); }", *range(4))
    assert sorted(rows) == [("a", [], 25), ("c", ["0"], 1), ("c", ["1"], 1), ("l", [], 7)]


@pytest.mark.parametrize("number,left", [("2", {2, 3}), ("-2", {0, 1}), ("0", set()), ("9", {0, 1, 2, 3})])
def test_trunc(texts, number, left):
    """The largest, or with a negative number the smallest, and keys that come later."""
    _, rows = texts("take:entry { @[i] = sum(i * 3 + 1); i++; } take:entry /i == 4/ { trunc(@, %s); }" % number, *range(6))
    assert {int(keys[0]) for _, keys, _ in rows} == left | {4, 5}


def test_trunc_of_all(texts):
    _, rows = texts("take:entry { @[i % 2] = count(); i++; } take:entry /i == 4/ { trunc(@); }", *range(5))
    assert rows == [("", ["0"], 1)]


def test_trunc_of_negative_keys(texts):
    """A key with a sign is the same key in the word of the target."""
    _, rows = texts("take:entry { @[-i] = sum(i); i++; } take:entry /i == 3/ { trunc(@, 1); }", *range(3))
    assert rows == [("", ["-2"], 2)]


def test_normalize(texts):
    """The factor is the display's, the last one holds, and a key that comes later has none."""
    said, rows = texts("""take:entry { @s[i < 3] = sum(100); i++; } take:entry /i == 2/ { normalize(@s, 7); normalize(@s, 10); printa(" %@d", @s); }
        take:entry /i == 3/ { denormalize(@s); printa(" %@d", @s); normalize(@s, 100); }""", *range(4))
    assert said[1:3] == [" 20", " 300"]
    assert rows == []
    _, rows = texts("take:entry { @s[i < 3] = sum(100); i++; } take:entry /i == 3/ { normalize(@s, 100); }", *range(4))
    assert sorted(rows) == [("s", ["0"], 100), ("s", ["1"], 3)]


def test_totals_are_added_up(texts):
    """Each reading empties the target's map: all functions go on as if there had been one reading."""
    update = """@c = count(); @s = sum(v); @a = avg(v); @l = min(v); @h = max(v); @d = stddev(v); @q[1] = quantize(v);
        @w = sum(5000000000 * v); @i = lquantize(v, -40, 40, 10, v);"""
    program = "take:entry { v = (i * 7) %% 11 - 5; %s i++; } take:entry /%s/ { printa(\"\", @c); }"
    program = program.replace('printa("", @c)', 'printa(".", @x)').replace("v = ", "@x = count(); v = ")
    one, many = (texts(program % (update, when), *range(20))[1] for when in ("i == 99", "1"))
    assert len(one) == 10 and sorted(row for row in one if row[0] != "x") == sorted(many)


def test_in_the_order_of_the_record(texts):
    said, _ = texts('take:entry { @ = count(); printf("a"); printa("%@d", @); printf("b"); clear(@); printa("%@d", @); }', 1, 2)
    assert said == ["a1b0", "a1b0"]
