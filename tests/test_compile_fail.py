# SPDX-License-Identifier: BSD-2-Clause
"""Every diagnostic of the compiler has its words and its place: tests/compile_fail/*.dp."""
import os
import pathlib
import re
import shlex

import pytest

FOLDER = pathlib.Path(os.environ.get("COMPILE_FAIL", pathlib.Path(__file__).parent / "compile_fail"))
PROGRAMS = sorted(FOLDER.glob("*.dp"))


def directives(path):
    """(error|warning, line, column, words), arguments"""
    text = path.read_text(encoding="utf-8")
    wanted = re.search(r"^// (error|warning): (\d+):(\d+): (.*)$", text, re.M)
    assert wanted, f"{path.name} says neither // error: nor // warning:"
    args = re.search(r"^// args: (.*)$", text, re.M)
    kind, line, column, words = wanted.groups()
    return kind, int(line), int(column), words.strip(), shlex.split(args.group(1)) if args else []


def shown(column, source, caret):
    """Does the caret stand under the column? Tabs before it are copied."""
    return len(caret) - len(caret.lstrip()) == column - 1 and caret.lstrip().startswith("^") and \
        len(caret.rstrip()) <= len(source) + 1


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_message(path, dprobes, tmp_path):
    kind, line, column, words, args = directives(path)
    result = dprobes("build", *args, "-o", tmp_path / "out.ppdf", path.name, cwd=FOLDER)
    place = f"{path.name}:{line}:{column}: {kind}: "
    lines = result.stderr.splitlines()
    found = [i for i, text in enumerate(lines) if text.startswith(place + words)]
    assert found, f"no message begins with\n  {place}{words}\nthe compiler said\n{result.stderr}"
    assert result.status == (1 if kind == "error" else 0), result.stderr
    assert (tmp_path / "out.ppdf").exists() == (kind == "warning")
    source, caret = lines[found[0] + 1:found[0] + 3]
    assert source == path.read_text(encoding="utf-8").splitlines()[line - 1]
    assert shown(column, source, caret), f"{source}\n{caret}"
