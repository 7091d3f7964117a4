# SPDX-License-Identifier: BSD-2-Clause
"""The table of costs and the picture of them: lib/harness/limits.py, lib/tools/stages_svg.py."""
import xml.etree.ElementTree

import pytest

import stages_svg
from harness import limits


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "limits.txt"
    path.write_text(limits.HEAD + "    100  a\n   1000  b, c: d\n   20.0  characters\n")
    return path


def test_growth(table):
    made = limits.Limits(table)
    made.check({"a": 110, "b, c: d": 1050})
    made.check({"a": 1})
    for wrong in ({"a": 111}, {"b, c: d": 1051}, {"a": 100, "new": 1}):
        with pytest.raises(AssertionError):
            made.check(wrong)
    made.check({"characters": 21.0}, slack=0)
    with pytest.raises(AssertionError):
        made.check({"characters": 21.1}, slack=0)
    made.check_exact({"a": 100})
    for wrong in ({"a": 101}, {"a": 99}, {"new": 1}):
        with pytest.raises(AssertionError):
            made.check_exact(wrong)


def test_update(table):
    before = table.read_text()
    limits.Limits(table).write(whole=True)
    assert table.read_text() == before
    made = limits.Limits(table, update=True)
    made.check({"a": 500, "e": 7, "f": 1.25})
    made.write(whole=False)
    assert limits.read(table) == {"a": 500, "b, c: d": 1000, "characters": 20.0, "e": 7, "f": 1.2}
    made.write(whole=True)
    assert limits.read(table) == {"a": 500, "e": 7, "f": 1.2}
    assert limits.Limits(table.with_name("none"), update=True).check({"a": 1}) is None


def test_picture(tmp_path):
    path = tmp_path / "bench" / "stages.svg"
    stages_svg.write(path, [("two & words", [("entry", 30), ("dp_agent_trap", 200)]), ("null", [("entry", 30)])])
    picture = xml.etree.ElementTree.parse(path).getroot()
    bars = picture.findall("{http://www.w3.org/2000/svg}rect")
    wide = [float(bar.get("width")) for bar in bars]
    assert [bar[0].text for bar in bars] == ["entry: 30", "entry: 30", "dp_agent_trap: 200"]  # by title of the bar
    assert wide[0] == wide[1] and abs(wide[2] / wide[0] - 200 / 30) < 0.01
    assert "two &amp; words" in path.read_text()
