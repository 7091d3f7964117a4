# SPDX-License-Identifier: BSD-2-Clause
"""Writes the `//>` lines of tests/language/compile_fail/NAME.dp anew, from what the compiler prints:

    /usr/bin/python3 -B tests/lib/tools/said.py NAME.dp ...

Then read them as somebody who made that mistake: what was found, where, what would do?"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import compile_fail, tool  # noqa: E402


def write(path, folder):
    lines = path.read_text(encoding="utf-8").split("\n")
    program = [line for line in lines if not line.startswith(compile_fail.SAID)]
    result = compile_fail.read(path).compile(tool.Tool(), folder, folder / "out.ppdf")
    said = [f"{compile_fail.SAID} {line}" for line in result.stderr.splitlines()]
    path.write_text("\n".join(program).rstrip("\n") + "\n" + "\n".join(said) + "\n", encoding="utf-8")


def main(names):
    with tempfile.TemporaryDirectory() as name:
        folder = compile_fail.given(pathlib.Path(name))
        for wanted in names:
            write(compile_fail.FOLDER / pathlib.Path(wanted).name, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
