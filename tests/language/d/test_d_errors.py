# SPDX-License-Identifier: BSD-2-Clause
"""What the compiler says of a wrong D program: errors.txt, each tag of host/lang/d/tags.def. All that is printed is
compared: sentences, places, lines and carets."""
import re

import d_cases
import pytest

from harness.paths import TOP

CASES = d_cases.errors()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("d_errors")
    d_cases.firmware(made)
    return made


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.tag}.{case.name}")
def test_refused(dprobes, folder, case):
    assert case.said and d_cases.refused(dprobes, folder, case) == case.said
    assert any(f"[{case.tag}]" in line for line in case.said) or "unterminated" in case.said[0]


def test_every_tag_has_a_case():
    tags = re.findall(r"^TAG\((\w+),", (TOP / "host/lang/d/tags.def").read_text(encoding="utf-8"), re.M)
    said = " ".join(line for case in CASES for line in case.said)
    assert tags and [tag for tag in tags if f"[{tag}]" not in said] == []


def test_tags_are_an_option(dprobes, folder):
    (folder / "plain.d").write_text("take:entry { trace(nonsense_name); }\n")
    result = dprobes("build", "--elf", "arm.elf", "plain.d", cwd=folder)
    assert result.stderr.startswith("plain.d:1:20: error: unknown name 'nonsense_name'")


def test_zdefs_is_a_warning(dprobes, folder):
    (folder / "zdefs.d").write_text("#pragma D option zdefs\nnobody:entry { trace(1); }\ntake:entry { trace(2); }\n")
    result = dprobes("build", "--elf", "arm.elf", "-o", "zdefs.ppdf", "zdefs.d", cwd=folder)
    assert result.status == 0 and "zdefs.d:2:1: warning: 'nobody:entry' matches nothing" in result.stderr


def test_without_firmware(dprobes, folder):
    (folder / "none.d").write_text("take:entry { trace(1); }\n")
    result = dprobes("build", "none.d", cwd=folder)
    assert result.status == 1 and "no firmware is given; use --elf FILE" in result.stderr
