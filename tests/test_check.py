# SPDX-License-Identifier: BSD-2-Clause
"""scons check has nothing to say. scons test runs the checkers; here is what they found."""
import pytest

from harness.paths import BUILD, built


@pytest.mark.parametrize("checker", ["format", "tidy", "cppcheck"])
def test_nothing_found(checker):
    folder = built("check")
    reports = [folder / f"{checker}.txt"] if checker == "format" else folder.glob(f"{checker}/**/*.txt")
    found = "".join(report.read_text() for report in reports if report.exists())
    assert not found, f"\n{found}"
    assert (BUILD / "compile_commands.json").exists()
