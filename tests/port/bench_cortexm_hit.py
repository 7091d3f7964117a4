# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs on a Cortex-M0 (scons bench): guest instructions added to the probed one, which is the first one of a
function in flash. The firmware is that of test_cortexm_session.py."""
import time

import pytest

import icount
from harness import paths
from harness.own_firmware import instructions
from test_cortexm_session import CROSS, Board, build

SCENARIOS = {"null hit": "abort\n", "record of two words": "push r, r0\npush r, r1\nlog 2\nexit\n"}
BOARD, FUNCTION = "microbit", "mix"
HITS = 50


def least(counter, count=HITS):
    """The least of so many counts more."""
    before = len(counter.counts().get("hit", ()))
    while len(counter.counts().get("hit", ())) < before + count:
        time.sleep(0.1)  # ended by the time limit at the latest
    return min(counter.counts()["hit"][before:])


@pytest.fixture(scope="module")
def elf(tmp_path_factory):
    return build(BOARD, True, tmp_path_factory.mktemp(BOARD))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_hit(scenario, elf, dprobes, tmp_path, capsys, limits):
    second = instructions(CROSS, elf, FUNCTION)[1][0]
    counter = icount.Counter(paths.built("tools", "icount_plugin.so"), elf, tmp_path / "counts", {"hit": (FUNCTION, second)})
    board = Board(BOARD, elf, dprobes, tmp_path, counter.qemu_arguments)
    own = least(counter)
    (tmp_path / "bench.dp").write_text(f'name = "bench"\noffset = {FUNCTION}\n{SCENARIOS[scenario]}', encoding="ascii")
    board("insert", tmp_path / "bench.dp")
    added = least(counter) - own
    board.close()
    with capsys.disabled():
        print(f"\n{BOARD:12} {scenario:25} {added:5} instructions added, least of {HITS}")
    limits.check_exact({f"hit, {BOARD}: {scenario}": added})
