# SPDX-License-Identifier: BSD-2-Clause
"""scons check has nothing to say. scons test runs the checkers; here is what they found."""
import json

import pytest

import lint
from harness.paths import BUILD, TOP, built


@pytest.mark.parametrize("reports", ["format.txt", "files/**/*.txt"])
def test_nothing_found(reports):
    paths = list(built("check").glob(reports))
    found = "".join(path.read_text() for path in paths)
    assert paths and not found, f"\n{found}"
    assert (BUILD / "compile_commands.json").exists()


def test_both_checkers_find_something(tmp_path, monkeypatch):
    """A mistake that clang-tidy knows, and one that cppcheck knows, among files that are good or not compiled."""
    (tmp_path / "bad.c").write_text("int f(int *p);\nint f(int *p)\n{\n\tint a[4];\n\n\ta[4] = 1;\n"
                                    "\treturn p == p ? a[4] : 0;\n}\n")
    (tmp_path / "good.c").write_text("int g(int n);\nint g(int n)\n{\n\treturn n;\n}\n")
    (tmp_path / "database.json").write_text(json.dumps([
        {"file": str(tmp_path / name), "command": f"gcc -std=c11 {name}"} for name in ("good.c", "bad.c")]))
    (tmp_path / ".clang-tidy").write_text((TOP / ".clang-tidy").read_text())
    monkeypatch.chdir(tmp_path)
    assert lint.check_files("report.txt", "database.json", "unknown.c", "good.c") == 0
    assert (tmp_path / "report.txt").read_text() == ""
    assert lint.check_files("report.txt", "database.json", "unknown.c", "good.c", "bad.c") == 0
    found = (tmp_path / "report.txt").read_text()
    assert "misc-redundant-expression" in found, found
    assert "[arrayIndexOutOfBounds]" in found, found


def test_the_analyzer_finds_something(tmp_path, monkeypatch):
    """A null pointer that only a path through the function shows."""
    (tmp_path / "bad.c").write_text("int f(int n);\nint f(int n)\n{\n\tint *p = n > 3 ? &n : 0;\n\n\treturn n < 2 ? *p : 0;\n}\n")
    (tmp_path / "database.json").write_text(json.dumps([{"file": str(tmp_path / "bad.c"), "command": "gcc -std=c11 bad.c"}]))
    (tmp_path / ".clang-tidy").write_text((TOP / ".clang-tidy").read_text())
    monkeypatch.chdir(tmp_path)
    for check, finds in ((lint.check_files, False), (lint.analyze_file, True)):
        assert check("report.txt", "database.json", "bad.c") == 0
        assert ("clang-analyzer-core.NullDereference" in (tmp_path / "report.txt").read_text()) == finds
