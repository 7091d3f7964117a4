# SPDX-License-Identifier: BSD-2-Clause
"""Pictures of distributions: aggpack has a line for each key with common columns, aggzoom has bars of the largest bucket."""
import json
import os
import subprocess

import pytest
from harness import process
from harness.tool import environment

PROGRAM = "addr:::0x1000 { i++; @q[i] = quantize(i * i * 1000); @q[i] = quantize(4); @q[i] = quantize(4); }\n"


@pytest.fixture
def printed(dprobes, tmp_path):
    """What is printed behind the hits."""
    def run(options, program=PROGRAM, hits=2, form="text"):
        text = "".join(f"#pragma D option {option}\n" for option in options) + program
        (tmp_path / "t.d").write_text(text, encoding="utf-8")
        result = dprobes("simulate", "--cpu", "sim", "--hits", f"1:{hits}", "--format", form, "t.d", cwd=tmp_path)
        assert result.status == 0, result.stderr
        return result.stdout

    return run


def test_packed(printed):
    """512 and 2048 are common columns of both keys."""
    found = printed(["aggpack"])
    assert found.endswith("\n\n  1                 4 |%s| 2048            3\n  2                 4 |%s| 2048            3\n" % (
        "*      -  ", "*        -")), found


def test_packed_and_zoomed(printed):
    found = printed(["aggpack", "aggzoom"])
    assert found.endswith("  1                 4 |%s| 2048            3\n  2                 4 |%s| 2048            3\n" % (
        "@      +  ", "@        +")), found


def test_zoomed(printed):
    """The largest bucket has all 40 columns."""
    bars = [line.count("@") for line in printed(["aggzoom"], hits=1).splitlines() if "|" in line]
    assert bars == [0, 40, 0, 0, 0, 0, 0, 0, 20, 0]
    assert [line.count("@") for line in printed([], hits=1).splitlines() if "|" in line] == [0, 27, 0, 0, 0, 0, 0, 0, 13, 0]


def test_ends_of_a_scale(printed):
    program = "addr:::0x1000 { @ = lquantize(-5, 0, 3, 1, 1); @ = lquantize(9, 0, 3, 1, 2); @ = lquantize(1, 0, 3, 1, -1); }\n"
    assert printed(["aggpack"], program, 1).endswith("               < 0 |: : +| >= 3            2\n")


def test_wide_scales_have_pictures(printed):
    """A line has no room for so many columns."""
    program = "addr:::0x1000 { @ = lquantize(0, 0, 1000, 1); @ = lquantize(999, 0, 1000, 1); }\n"
    assert printed(["aggpack"], program, 1).count("|") == 1002


def test_other_formats_have_the_buckets(printed):
    """The options are those of the text."""
    assert printed(["aggpack", "aggzoom"], form="csv") == printed([], form="csv")
    plain, packed = ([json.loads(line) for line in printed(options, form="json").splitlines()] for options in ([], ["aggpack"]))
    assert plain == packed


def test_printa_packs(printed):
    """printa() without a format prints as at the end; with a format a distribution keeps its picture."""
    program = "addr:::0x1000 { @ = quantize(4); } addr:::0x1000 { printa(@); printa(\"%@d\", @); }\n"
    found = printed(["aggpack"], program, 1)
    assert found.count("|@| 4") == 1 and found.count("Distribution") == 1, found


SUMMARY = """addr:::0x1000 { i++; @a["kin"] = quantize(i); @b = lquantize(i, 0, 90, 10); @c = lquantize(i, 11, 61, 1);
    @d = quantize(-1000, -i); @e = quantize(-i * 1000); @f["0123456789012345678901234567890123456789", "a"] = quantize(0x4000000000000000); }
"""


def test_summary(printed):
    """Above a picture stand the number of values, and two percentiles of evenly spread buckets."""
    heads = [line for line in printed(["units"], SUMMARY, 100).splitlines() if " n " in line]
    assert [" ".join(line.split()) for line in heads] == [
        "kin n 100 p50 50 p99 125", "n 100 p50 50 p99 >= 90", "n 100 p50 50 p99 >= 61", "n -5050", "n 100 p50 -50641 p99 -1024",
        "0123456789012345678901234567890123456789 a n 100 p50 6917529027641081856 p99 9177255176670501888"]
    assert [len(line) for line in heads if "kin" in line or "-50641" in line] == [64, 64]


def test_other_output_has_no_summary(printed):
    assert not [line for line in printed([], SUMMARY, 3).splitlines() if "p50" in line]
    assert "p50" not in printed(["units"], 'addr:::0x1000 { @ = quantize(4); printa("%@d", @); }\n', 1)
    assert "p50" not in printed(["units", "aggpack"], hits=1)
    assert printed(["units"], SUMMARY, 3, "json") == printed([], SUMMARY, 3, "json")


def test_a_terminal_has_a_summary(dprobes, tmp_path):
    (tmp_path / "t.d").write_text("addr:::0x1000 { @ = quantize(8); }\n", encoding="utf-8")
    ours, theirs = os.openpty()
    child = process.start([dprobes.path(), "simulate", "--cpu", "sim", tmp_path / "t.d"], env=environment(),
                          stdin=subprocess.DEVNULL, stdout=theirs)
    os.close(theirs)
    said = process.Reader("terminal", lambda: os.read(ours, 4096))
    assert child.wait(timeout=process.TIMEOUT_S) == 0
    said.join()
    os.close(ours)
    assert "n 1  p50 11  p99 14" in said.text and "Distribution" in said.text, said.text


def rows(text):
    """The values and counts of pictures."""
    return [(line.split("|")[0].strip(), int(line.split()[-1])) for line in text.splitlines() if "|" in line and "---" not in line]


@pytest.mark.parametrize("update,expected", [
    ("quantize(3)", [("1", 0), ("2", 1), ("4", 0)]), ("quantize(0)", [("-1", 0), ("0", 1), ("1", 0)]),
    ("quantize(-1)", [("-2", 0), ("-1", 1), ("0", 0)]), ("quantize(-0x7fffffffffffffff - 1)", [("-9223372036854775808", 1), ("-4611686018427387904", 0)]),
    ("lquantize(5, 0, 10)", [("4", 0), ("5", 1), ("6", 0)]), ("lquantize(0, 0, 10, 2)", [("< 0", 0), ("0", 1), ("2", 0)]),
    ("lquantize(9, 0, 10, 1)", [("8", 0), ("9", 1), (">= 10", 0)]), ("lquantize(-9, 0, 10, 1)", [("< 0", 1), ("0", 0)]),
    ("lquantize(10, 0, 10)", [("9", 0), (">= 10", 1)]), ("llquantize(50, 10, 0, 3, 10)", [("40", 0), ("50", 1), ("60", 0)]),
    ("llquantize(3, 10, 1, 3, 10)", [("< 10", 1), ("10", 0)]), ("llquantize(10000, 10, 1, 3, 10)", [("9000", 0), (">= 10000", 1)])])
def test_an_empty_row_on_both_sides(printed, update, expected):
    """Up to the ends of the scale, at the end and by printa; other formats have the buckets that count."""
    program = f"addr:::0x1000 {{ @ = {update}; printa(\"%@d\", @); }} addr:::0x2000 {{ @other[1] = {update}; }}\n"
    assert rows(printed([], program, 1)) == expected
    program = f"addr:::0x1000 {{ @ = {update}; }}\n"
    assert rows(printed([], program, 1)) == expected
    row = [json.loads(line) for line in printed([], program, 1, "json").splitlines()][-1]
    assert [bucket["value"] for bucket in row["buckets"]] == [1]


def test_an_increment_is_no_parameter(printed):
    """Updates with an increment and without one count in one aggregation, whichever stands first."""
    for first, second in (("@ = quantize(2);", "@ = quantize(2, 5);"), ("@ = lquantize(1, 0, 9, 1, 5);", "if (1) { @ = lquantize(1, 0, 9); }"),
                          ("@ = llquantize(3, 10, 0, 3, 10, 5);", "@ = llquantize(3, 10, 0, 3, 10);")):
        assert [count for _, count in rows(printed([], f"addr:::0x1000 {{ {first} {second} }}\n", 1))] == [0, 6, 0]
        assert [count for _, count in rows(printed([], f"addr:::0x1000 {{ {second} {first} {second} }}\n", 1))][1] in (7, 11)


JOINED = """addr:::0x1000 { @a[1, "x"] = count(); @b[1, execname] = sum(4); @b[1, "x"] = sum(77777777); @a[2, "yyyyyyyyyyy"] = count(); @q[1, "x"] = quantize(5);
@n = count(); @m = max(-7); %s }
"""


@pytest.mark.parametrize("printa,expected", [
    ("printa(@a, @b);", ["", "  1  x                           1          77777777", "  2  yyyyyyyyyyy                 1                 0",
                         "  1                              0                 4"]),
    ("printa(@n, @m);", ["", "                 1                -7"]),
    ("printa(@b, @q);", ["", "  1                    4                 0", "  1  x          77777777                 1",
                         "           value  ------------- Distribution ------------- count", "               2 |                                         0",
                         "               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1", "               8 |                                         0"]),
    ('printa("%d %s %@d %@d\\n", @a, @b);', ["1 x 1 77777777", "2 yyyyyyyyyyy 1 0", "1  0 4"])])
def test_printa_joins_equal_keys(printed, printa, expected):
    """In columns without a format; strings of both are bytes where one has computed ones."""
    found = json.loads(printed([], JOINED % printa, 1, "json").splitlines()[0])["text"].splitlines()
    assert [line for line in found if line] == [line for line in expected if line], found


@pytest.mark.parametrize("printa,expected", [
    ("printa(@a, @b);", ["-1 1 0", "4294967295 0 2", "5 1 2"]),
    ("printa(@b, @a);", ["4294967295 2 0", "-1 0 1", "5 2 1"]),
    ('printa("%d %@d %@d\\n", @a, @b);', ["-1 1 0", "4294967295 0 2", "5 1 2"]),
    ('printa("%u %@d %@d\\n", @b, @a);', ["4294967295 2 0", "4294967295 0 1", "5 2 1"]),
    ('printa("%x %@d %@d\\n", @c, @a);', ["ffffffff 3 1", "5 0 1"]),
    ("printa(@c, @b);", ["-1 3 0", "4294967295 0 2", "5 0 2"]),
    ("printa(@c, @a);", ["-1 3 1", "5 0 1"])])
def test_a_key_has_the_sign_of_its_own_aggregation(printed, printa, expected):
    """Signed and unsigned keys with the same bits are two keys of a joined printa, each with its own value."""
    keys = "@a[-1] = count(); @a[5] = count(); @b[0xffffffff] = sum(2); @b[5u] = sum(2); @c[(int)-1] = sum(3);"
    text = json.loads(printed([], f"addr:::0x1000 {{ {keys} {printa} }}\n", 1, "json").splitlines()[0])["text"]
    assert sorted(" ".join(line.split()) for line in text.splitlines() if line) == sorted(expected)
