# SPDX-License-Identifier: BSD-2-Clause
"""Strings of D on the target: compared, chosen, kept in variables, and keys; in the simulator, in each word size and byte
order. No firmware: a pointer is a number."""
import json

import pytest

FORMS = [(32, "little"), (32, "big"), (64, "little"), (64, "big")]
IDS = [f"{bits}-{order}" for bits, order in FORMS]
# "abc" at 2001, "abd" at 2005, bytes with the high bit at 2009, a long one at 200c
MEMORY = "0x2001=" + b"abc\0abd\0\xe9z\0the name of a task\0".hex()
NAMES = {"abc": "((char *)0x2001)", "abd": "((char *)0x2005)", "high": "((char *)0x2009)", "long": "((char *)0x200c)",
         "none": "((char *)0x200b)"}


@pytest.fixture(params=FORMS, ids=IDS)
def ask(request, dprobes, tmp_path):
    """Runs the clauses at one point, or at two. Returns the texts of the hits, and the aggregations."""
    bits, order = request.param

    def run(clauses, *hits):
        text = clauses
        for name, pointer in NAMES.items():
            text = text.replace(f"<{name}>", f"stringof({pointer})").replace(f"*{name}", pointer)
        (tmp_path / "t.d").write_text(text, encoding="utf-8")
        options = [word for hit in hits or ("1:1",) for word in ("--hits", hit)]
        result = dprobes("simulate", "--cpu", "sim", "--word", bits, "--endian", order, *options, "--mem", MEMORY,
                         "--format", "json", "t.d", cwd=tmp_path)
        assert result.status == 0, result.stderr
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        assert {row["end"] for row in rows if row["kind"] == "hit"} <= {"exit", "abort"}, rows
        return ([row["text"] for row in rows if row["kind"] == "hit" and row.get("text")],
                [(row["keys"], row["value"]) for row in rows if row["kind"] == "aggregation"])

    return run


COMPARED = [
    ("<abc> == <abc>", 1), ("<abc> == <abd>", 0), ("<abc> != <abd>", 1), ("<abc> < <abd>", 1), ("<abd> < <abc>", 0),
    ("<abc> > <abd>", 0), ("<abd> > <abc>", 1), ("<abc> <= <abc>", 1), ("<abc> >= <abd>", 0), ("<abd> <= <abc>", 0),
    ("<abc> == \"abc\"", 1), ("\"abd\" == <abc>", 0), ("<none> == \"\"", 1), ("<none> < \"a\"", 1), ("\"b\" > <abc>", 1),
    ("<high> > <abd>", 1), ("<high> > \"~\"", 1), ("\"\\xe9z\" == <high>", 1), ("\"a\" < \"b\"", 1), ("\"a\" == \"b\"", 0),
    ("<long> == \"the name of a ta\"", 1), ("<long> == \"the name of a task\"", 1), ("probename == \"\"", 0),
    ("execname == \"\"", 1), ("(x ? <abc> : \"abd\") == \"abc\"", 1), ("(!x ? <abc> : \"abd\") == \"abd\"", 1),
    ("(x ? \"a\" : \"b\") == \"a\"", 1), ("x == 7 && <abc> < <abd>", 1), ("x + (<abc> < <abd>)", 8), ("!(<abc> == <abd>)", 1),
    ("(<abc> < <abd>) == (<abc> != <abd>)", 1),  # the comparisons are numbers
    ("strlen(<abc>)", 3), ("strlen(*none)", 0), ("strlen(*long)", 18), ("x - strlen(*abc) * 2", 1),
    ("index(*abc, \"c\")", 2), ("index(<abc>, 'a')", 0), ("index(*abc, \"x\")", -1), ("index(*high, 0xe9)", 0),
    ("strlen(strchr(*long, 'n'))", 14), ("strchr(*abc, 'b') == \"bc\"", 1), ("strchr(*abc, 'x') == \"\"", 1),
]


def test_compared(ask):
    """str_comparison-signed, str_comparison-nested, strlen, index, strchr of the DTrace suite."""
    texts, _ = ask("addr:::0x1000 { x = 7; %s }" % " ".join(f'printf("%d ", {one});' for one, _ in COMPARED[:24]))
    more, _ = ask("addr:::0x1000 { x = 7; %s }" % " ".join(f'printf("%d ", {one});' for one, _ in COMPARED[24:]))
    found = [int(word) for word in (texts[0] + more[0]).split()]
    assert list(zip([one for one, _ in COMPARED], found)) == COMPARED


def test_predicates(ask):
    texts, _ = ask('addr:::0x1000 /<abc> == "abc"/ { trace(1); } addr:::0x1000 /<abc> > "abc"/ { trace(2); }'
                   ' addr:::0x1000 /"a" < <abc> && id == 1/ { trace(3); } addr:::0x1000 /id != 1/ { trace(4); }')
    assert [text.split() for text in texts] == [["1", "3"]]


def test_variables(ask):
    """Variables of each scope keep the bytes; a variable that only gets constants keeps a number."""
    texts, _ = ask("""string early; this string own;
        addr:::0x1000 { printf("<%s>", early); early = <abc>; copy = early; this->own = x ? <abd> : early; self->s = <long>;
            array[<abc>] = <abd>; array["none"] = "word"; fixed = "constant"; fixed = n ? "other" : fixed; n++; x = 0;
            printf("%s %s %s %s %s %s %d", copy, this->own, self->s, array["abc"], array["none"], fixed, copy == early);
            array["abc"] = ""; printf("%s.", array[<abc>]); }""", "1:2")
    assert texts == ["<>abc abc the name of a ta abd word constant 1.", "<abc>abc abc the name of a ta abd word other 1."]


def test_recorded(ask):
    """A string of the firmware is recorded with 64 bytes; kept ones have keysize."""
    texts, _ = ask('addr:::0x1000 { trace(<long>); trace(strchr(*long, \'o\')); kept = <long>; printf("|%20s|%.3s|", kept, kept); trace(execname); }')
    assert texts == ["  the name of a task  of a task|    the name of a ta|the|  "]


def test_keys(ask):
    """Constants and strings of the firmware in one key; numbers beside them; sorted as the bytes are."""
    _, rows = ask("""addr:::0x1000 { @[<abd>, 1] = count(); @[<abd>, 1] = count(); @[<abc>, 1] = count(); @[<high>, 1] = count();
        @["abd", 1] = count(); @[probefunc, -2] = count(); last = probename; @[last, 3] = count(); }""")
    assert [(keys, value) for keys, value in rows if keys[1] == "1"] == [
        (["abc", "1"], 1), ([".z", "1"], 1), (["abd", "1"], 3)], rows


def test_key_of_a_distribution(ask):
    _, rows = ask("addr:::0x1000 { @[<abc>] = quantize(5); @[<abc>] = quantize(6); @[<abd>] = quantize(1); }")
    assert rows == [(["abd"], 1), (["abc"], 2)]


def test_printa(ask):
    texts, _ = ask('addr:::0x1000 { @a[<abd>, 7] = count(); @b["abd", 7] = sum(9); @b[<abc>, 8] = sum(1); printa("%s %d %@d %@d\\n", @a, @b); }')
    assert texts == ["abd 7 1 9\nabc 8 0 1\n"]


def test_keysize(ask):
    _, rows = ask("#pragma D option keysize=8\naddr:::0x1000 { @[<long>, <long>] = count(); }")
    assert rows == [(["the name", "the name"], 1)]


def test_a_string_that_is_not_readable(dprobes, tmp_path):
    """The clause is given up, and the fault is told with its place."""
    (tmp_path / "t.d").write_text("addr:::0x1000 { @[stringof((char *)0x10)] = count(); }\naddr:::0x1000 { trace(5); }\n", encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", "--word", 32, "--endian", "little", "t.d", cwd=tmp_path)
    assert "invalid address (0x10) in action, t.d:1:17" in result.stdout and "  5" in result.stdout, result.stdout
