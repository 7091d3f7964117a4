# SPDX-License-Identifier: BSD-2-Clause
"""The firmware's text on the agent's line at 115200 baud, beside more records than the line carries: 2,000 characters a
second from a task, an interrupt and a masked task arrive once and in order, with a polled driver and with one that has
a transmit interrupt and a ring."""
import re

import pytest

import cpus
from harness import paths, rated_line as rated
from harness.demo_bench import CRC
from harness.typist import Typist, console_of, shell_text

VOICES = {"task": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "interrupt": "!\"#$%&'*+", "masked": ";<=?@^_{|}"}
ROUND_BYTES = {"task": 200, "interrupt": 150, "masked": 150}
TALKED = r"talk: task (\d+) interrupt (\d+) masked (\d+) sleeps (\d+)"
BOARDS = cpus.boards()
CASES = [pytest.param(board, kind, marks=() if board == BOARDS[0] else pytest.mark.nightly, id=f"{board}-{kind}")
         for board in BOARDS for kind in ("polled", "interrupt")]


def talked(line, kind, rounds, loud=1):
    """Let the board talk. Returns how often the driver slept; checks every character."""
    typed = f"talk {kind} {rounds} {loud}"
    line.wait_answer()
    line.type(f"{typed}\n")
    line.wait(rf"(?s){typed}.*{TALKED}.*demo>".encode())
    text = shell_text(console_of(bytes(line.text))[0].decode())
    found = re.compile(TALKED).search(text, text.index(typed))
    text = text[text.index(typed):found.start()]
    *counts, sleeps = map(int, found.groups())
    for (voice, letters), count in zip(VOICES.items(), counts):
        said = "".join(re.findall(f"[{re.escape(letters)}]", text))
        assert count == rounds * ROUND_BYTES[voice] * (loud if voice == "task" else 1)
        assert said == (letters * (count // len(letters) + 1))[:count], f"{voice}: {len(said)} of {count}"
    return sleeps


# proves: A2.9 A3.50 A3.51
@pytest.mark.parametrize("board, kind", CASES)
def test_each_character_once_and_in_order(qemu, dprobes, tmp_path, amount, board, kind):
    machine = qemu(board, extra=rated.CLOCK).free_when_up()
    line = Typist(tmp_path / "line", machine.path("com1"))
    path = tmp_path / "storm.dp"
    path.write_text(rated.probes(10, rated.EVERY_HIT))
    end = f"selftest: crc {CRC[1]} rounds 1"
    elf = paths.built("boards", board, "demo.elf")
    running = dprobes.start("run", path, "--elf", elf, "--port", line.url, "--until", end)
    line.type("load on\n")
    line.wait(rb"load is on")
    running.out.expect("DProbes.*\n")
    line.type(f"line {rated.BAUD}\n")
    line.wait(rf"line {rated.BAUD} baud".encode())
    for _ in range(10):
        running.out.expect("DProbes.*\n")
    # The ring holds a round: nobody sleeps while there is room.
    assert talked(line, kind, amount(4, 200)) == 0
    # More than the line carries: the task sleeps, the others send what waits.
    sleeps = talked(line, kind, amount(2, 20), loud=20)
    assert (sleeps > 0) == (kind == "interrupt")
    line.wait_answer()  # while text is sent masked, the receiver loses characters
    line.type("selftest 1\n")
    run = running.wait()
    assert run.status in (0, 5), run.stderr  # 5: counted losses
    line.close()
