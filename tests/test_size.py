# SPDX-License-Identifier: BSD-2-Clause
"""What `scons size` prints, per build of the agent: the port is there, keeps its state where the board
put it, and a private stack holds the deepest hit with a nested one on top."""
import re

import pytest

from harness.paths import BUILD

REPORTS = sorted(path.parent.name for path in BUILD.glob("agent/*/size.txt"))
POINTER_BYTES_MAX = 8
# What a port may take at most, where somebody has promised it.
PORT_TEXT_MAX = {"armv7-minimal": 8192}


@pytest.mark.parametrize("build", REPORTS or [None])
def test_size(build):
    if build is None:
        pytest.skip("no agent was measured; run scons size")
    text = (BUILD / "agent" / build / "size.txt").read_text()
    code, data, bss = map(int, re.search(r"^  port +(\d+) +(\d+) +(\d+)$", text, re.M).groups())
    stack = int(re.search(r"^  private stack +(\d+) bytes$", text, re.M).group(1))
    worst = max(map(int, re.findall(r"^ +(\d+)  \w.* \d+$", text, re.M)))
    print(f"{build}: text {code}, worst stack {worst} of {stack}")
    assert 0 < code <= PORT_TEXT_MAX.get(build, code) and "no bound" not in text
    assert data + bss <= POINTER_BYTES_MAX, "a port's memory is struct dp_port_state"
    assert 2 * worst <= stack, "a hit and a nested hit"
