# SPDX-License-Identifier: BSD-2-Clause
"""boards/demo/CRASHES.md: its commands run here as they stand, on a board of their own."""
import re
import subprocess

import pytest

from harness import process
from harness.paths import BUILD, TOP, built
from harness.tool import environment

PAGE = TOP / "boards/demo/CRASHES.md"
ELF = "build/boards/vexpress-a9/stop/stop.elf"


def commands():
    """The lines of the page's blocks behind the first one, which starts the board."""
    first, *others = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert f"export DPROBES_PORT=unix:/tmp/crash/com1 DPROBES_ELF={ELF}\n" in first and f"scons {ELF}\n" in first
    return [line for block in others for line in block.splitlines()]


@pytest.mark.nightly  # some of the commands wait for the hundredth message
def test_commands_of_the_page(qemu, tmp_path):
    """Each succeeds, and gdb's have the function with the fault."""
    built("host", "dprobes")
    board = qemu("vexpress-a9", elf=built("boards", "vexpress-a9", "stop", "stop.elf"))
    board.com1.expect("demo>")
    env = environment({"DPROBES_PORT": board.url("com2"), "DPROBES_ELF": str(TOP / ELF), "PATH": f"{BUILD / 'host'}:/usr/bin:/bin",
                       "XDG_RUNTIME_DIR": str(tmp_path)})
    said = {}
    for line in commands():
        run = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             timeout=process.TIMEOUT_S, check=False)
        said[line] = run.stdout.decode("utf-8", "backslashreplace")
        assert run.returncode == 0, (line, said[line])
    assert len(said) >= 7
    for line, text in said.items():
        if line.startswith("gdb-multiarch") and "now.core" not in line:
            assert re.search(r"^#0 +(?:0x\w+ in )?queue_put \(", text, re.M), (line, text)
        if "report --core field" in line:
            assert re.search(r": running, .*\n +queue_put \(queue\.c:\d+\)$", text, re.M), text
    assert (tmp_path / "odd.core.1").exists() and (tmp_path / "field.core.1").exists()
