# SPDX-License-Identifier: BSD-2-Clause
"""Runs the examples of D on the demo board and writes host/lang/d/EXAMPLES.md; look at it before you commit it.

Run it from the top folder: /usr/bin/python3 -B tests/language/d/ran.py PORT, with the demo firmware of vexpress-a9 there."""
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "lib")]

import d_examples  # noqa: E402
from harness import paths, tool  # noqa: E402

HEAD = """<!-- SPDX-License-Identifier: BSD-2-Clause -->
# Examples of D as they ran

Each program ran on the demo firmware of vexpress-a9 under QEMU. The output is the one that the command printed at its
end. `tests/language/d/ran.py` writes this page. A test runs the programs on ARM, MIPS and PowerPC, and compares the
shape of their output.

A program that records ran with `dprobes -s FILE -q --count 3`. A program that counts ran with `dprobes -s FILE -q
--live`, and ended with ^C. Programs 6 and 10 ran with the load of the demo on (`load on`).
"""


def main():
    env = {"DPROBES_PORT": sys.argv[1], "DPROBES_ELF": str(paths.built("boards", "vexpress-a9", "demo.elf"))}
    os.environ.update(env)
    dprobes = tool.Tool()

    def ask(*words, stdin=None):
        return dprobes(*words, "--quiet", env=env, stdin=stdin)

    ask.start = lambda *words: dprobes.start(*words, "--quiet", env=env)
    text = HEAD
    with tempfile.TemporaryDirectory() as name:
        for example in d_examples.EXAMPLES:
            load = "on" if example.load else "off"
            ask("console", "--until", f"load is {load}", stdin=f"load {load}\n")
            output = d_examples.run(ask, example, pathlib.Path(name))
            shaped = d_examples.shaped(example, output)
            if not shaped:
                sys.exit(f"{example.name} printed something else:\n{output}")
            text += f"\n**{example.name}.** {example.title}\n\n```d\n{example.program}\n```\n\n```text\n{shaped.strip(chr(10))}\n```\n"
    d_examples.DOCUMENT.write_text(text, encoding="utf-8")


main()
