# SPDX-License-Identifier: BSD-2-Clause
"""Pictures of distributions: aggpack has a line for each key with common columns, aggzoom has bars of the largest bucket."""
import json

import pytest

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
    assert bars == [40, 0, 0, 0, 0, 0, 0, 20]
    assert [line.count("@") for line in printed([], hits=1).splitlines() if "|" in line] == [27, 0, 0, 0, 0, 0, 0, 13]


def test_ends_of_a_scale(printed):
    program = "addr:::0x1000 { @ = lquantize(-5, 0, 3, 1, 1); @ = lquantize(9, 0, 3, 1, 2); @ = lquantize(1, 0, 3, 1, -1); }\n"
    assert printed(["aggpack"], program, 1).endswith("               < 0 |: : +| >= 3            2\n")


def test_wide_scales_have_pictures(printed):
    """A line has no room for so many columns."""
    program = "addr:::0x1000 { @ = lquantize(0, 0, 1000, 1); @ = lquantize(999, 0, 1000, 1); }\n"
    assert printed(["aggpack"], program, 1).count("|") == 1000


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
