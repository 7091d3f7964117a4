# SPDX-License-Identifier: BSD-2-Clause
"""Writes behind each program of errors.txt what the compiler says of it; look at the difference before you commit it.

Run it from the top folder: /usr/bin/python3 -B tests/language/d/said.py"""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), *(str(HERE.parents[1] / name) for name in ("lib", "lib/tools"))]

import d_cases  # noqa: E402
from harness import tool  # noqa: E402

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    d_cases.firmware(folder)
    text = d_cases.head()
    for case in d_cases.errors():
        try:
            said = d_cases.refused(tool.Tool(), folder, case)
        except AssertionError as error:
            print(error, file=sys.stderr)
            said = ["MISSING"]
            (folder / "t.ppdf").unlink(missing_ok=True)
        text += f"\n= {case.tag} {case.name}\n{case.program}" + "".join(f"> {line}\n" if line else ">\n" for line in said)
    d_cases.ERRORS.write_text(text, encoding="utf-8")
