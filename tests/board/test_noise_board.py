# SPDX-License-Identifier: BSD-2-Clause
"""Records of a board over a noisy line: none is wrong, none comes twice, and each that does not come is counted.
Missing records come again, so that a rate of 1e-4 loses none."""
import re

import pytest

from harness import paths
from harness.noisyline import NoisyLine

# Of damaged bits; a flip is one bit of eight.
BER = {"ber1e-4": 8e-4, "ber1e-3": 8e-3}
# Each tick logs two words: the number of the hit, and the number multiplied.
COUNTER = """\
name = counter
major = 6
vars = 1
offset = timer_isr
minor = 1
inc lv, 0
push lv, 0
push 0x9e3779b1
mul
push lv, 0
log 2
exit
"""


def numbers_of(lines):
    """The records' numbers, in order. What else stands in a record follows from its number."""
    found = [re.fullmatch(r"DProbes\(6,1\) ([0-9a-f]{8})([0-9a-f]{8})", line) for line in lines if line.startswith("DProbes")]
    words = [[int.from_bytes(bytes.fromhex(word), "little") for word in match.groups()] for match in found]
    assert all(other == number * 0x9E3779B1 & 0xFFFFFFFF for number, other in words)
    return [number for number, _ in words]


def counted(lines, text):
    return sum(int(count) for count in re.findall(rf"^lost: (\d+) record\(s\) of stream 0 {text}", "\n".join(lines), re.M))


# proves: R4.25 R4.26 R5.57 R7.7
@pytest.mark.parametrize("mode", ["buffered", "acknowledged"])
@pytest.mark.parametrize("rate", BER)
@pytest.mark.parametrize("board", ["vexpress-a9", "malta"])
def test_records_on_a_noisy_line(qemu, dprobes, tmp_path, amount, board, rate, mode):
    machine = qemu(board, hold=())
    elf = paths.built("boards", board, "demo.elf")
    noise = {"flip": BER[rate]}
    line = NoisyLine(tmp_path / "line", machine.path("com1"), f"{board}{rate}", noise, noise)
    path = tmp_path / "counter.dp"
    path.write_text(COUNTER)
    count = amount(2000, 20_000)
    words = ["--acknowledged"] if mode == "acknowledged" else []
    run = dprobes("run", path, "--elf", elf, "--port", line.url, "--quiet", "--no-names", "--count", str(count), *words)
    numbers, lines = numbers_of(run.lines()), run.lines()
    lost, dropped = counted(lines, "on the line"), counted(lines, "found the agent's ring full")
    assert numbers == sorted(set(numbers)), "twice, or out of order"
    print(board, rate, mode, len(numbers), "records", lost, "lost", dropped, "dropped", dict(line.damage))
    assert sum(line.damage.values()) > 10, "the line was not noisy"
    assert run.status == (5 if lost or dropped else 0), run.stderr
    line.close()
