# SPDX-License-Identifier: BSD-2-Clause
"""DTRACE.md: each case of the DTrace suite names a test that exists, or what it waits for; the count is right."""
import re

import d_cases

TEXT = (d_cases.HERE / "DTRACE.md").read_text(encoding="utf-8")


def cases():
    """(case, its right column)"""
    rows = re.findall(r"^\| (\S+) \| (.+) \|$", TEXT, re.M)
    return [row for row in rows if row[0] != "case"]


def exists(file, names):
    """file: a test file, whose function is named; or errors.txt, with tag and name."""
    if file == "errors.txt":
        return names in [f"{case.tag} {case.name}" for case in d_cases.errors()]
    return f"\ndef {names}(" in (d_cases.HERE / file).read_text(encoding="utf-8")


def test_each_case_has_a_test_or_a_reason():
    wrong = []
    for case, here in cases():
        named = re.fullmatch(r"`(\S+) ([^`]+)`", here)
        if not (exists(*named.groups()) if named else re.fullmatch(r"later: \S.*", here)):
            wrong.append((case, here))
    assert not wrong


def test_count():
    there = [case for case, here in cases() if here.startswith("`")]
    assert f"\n{len(there)} of {len(cases())} cases are here.\n" in TEXT
    names = [case for case, _ in cases()]
    assert len(names) == len(set(names)) > 150
