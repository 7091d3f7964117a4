# SPDX-License-Identifier: BSD-2-Clause
"""A power cycle of a board with a key: a recorded session is worth nothing, and the doctor sees that the nonce has moved."""
import re

import pytest

import cpus
from harness import wire
from harness.keyed import firmware, key_file, play
from harness.noisyline import NoisyLine
from harness.qemu import board_names, parameters

SOURCE = 'name = "k"\noffset = queue_put\nmaxhits = 100000\npush 1\nlog 1\nexit\n'
SAME = "5ca1ab1e0ddba11a"


REMOVE = 0x20


def on(line):
    return "--port", line.url


def payload_of(kind, data):
    """Of the first HELLO or its answer."""
    return next(found[1] for found in (wire.parse_control(text.decode(), 0) for text in re.findall(b"~%b[0-9A-F]+" % kind, data)) if found)


def counted(line, naks, running):
    """Records come, until so many NAKs have come."""
    while line.told.count(b"~K") < naks:
        running.out.expect(r"^DProbes.*\n")
    return line.told.count(b"~K")


# proves: A3.35 R5.47 R5.52
@pytest.mark.parametrize("board", parameters(board_names(), usual=cpus.boards(1)))
def test_tape_over_a_power_cycle(qemu, dprobes, tmp_path, board):
    """Listen; play again behind the session, replay behind a warm restart and behind a power cycle."""
    elf, key = firmware(board, tmp_path), ("--key", key_file(tmp_path))
    (tmp_path / "k.dp").write_text(SOURCE)
    machine = qemu(board, elf=elf)
    machine.com1.expect("demo>")
    line = NoisyLine(tmp_path / "line", machine.path("com2"), 1, {}, {})
    assert dprobes("insert", tmp_path / "k.dp", "--elf", elf, *on(line), *key).status == 0
    info, = dprobes("info", "--format", "json", *on(line), *key).objects()
    assert (info["programs"], info["limits"]["nonce_source"]) == (1, "generator")
    assert dprobes("remove", "--all", *on(line), *key).status == 0
    line.close()
    assert line.said.count(b"~Q") > 10

    def attack():
        """The tape, by somebody without the key."""
        somebody = machine.connect("com2")
        play(somebody, line.said)
        somebody.close()
        (info,) = dprobes("info", "--format", "json", "--port", machine.url("com2"), *key).objects()
        assert (info["programs"], info["probes"]) == (0, 0)
        assert dprobes("info", "--verify-text", "--elf", elf, "--port", machine.url("com2"), *key).status == 0

    attack()
    machine.com1.send("reboot\n")
    machine.com1.expect("(?s)restarting.*demo>")
    attack()
    machine.kill()
    machine = qemu(board, elf=elf)
    machine.com1.expect("demo>")
    attack()


# proves: R5.82 R5.83 R5.86
@pytest.mark.parametrize("board", parameters(board_names(), usual=cpus.boards(1)))
def test_injected_into_a_live_session(qemu, dprobes, tmp_path, amount, board):
    """Somebody who hears all lines, and writes beside the host: REMOVE with the right CRC, and each line of the session again,
    at once, and at night 256 and 512 requests later. The program stays, and the host sees noise."""
    elf, key = firmware(board, tmp_path), ("--key", key_file(tmp_path))
    (tmp_path / "k.dp").write_text(SOURCE.replace("queue_put", "timer_isr"))
    machine = qemu(board, elf=elf)
    machine.com1.expect("demo>")
    line = NoisyLine(tmp_path / "line", machine.path("com2"), 1, {}, {})
    running = dprobes.start("run", tmp_path / "k.dp", "--elf", elf, *on(line), *key, "--no-names", "--acknowledged")
    running.out.expect(r"^DProbes.*\n")
    session = int.from_bytes(payload_of(b"Q", line.said)[2:6], "big")
    nonce = int.from_bytes(payload_of(b"Z", line.told)[38:46], "big")
    for sequence in range(256):
        line.inject(wire.control("Q", session, sequence, bytes([REMOVE, 0xFF]), nonce))
    naks = counted(line, 1, running)
    tape = b"".join(request for request in line.requests if request[6:8] != b"01")  # HELLO ends a session, with and without a key
    for later in range(0, amount(1, 3) * 256, 256):
        while len(line.requests) < later:
            running.out.expect(r"^DProbes.*\n")
        line.inject(tape)
        naks = counted(line, naks + 1, running)
    outcome = running.interrupt()
    line.close()
    assert outcome.status == 130 and re.search(r"^hits: k minor 0", outcome.stdout, re.M), outcome.stderr
    assert dprobes("info", "--verify-text", "--elf", elf, "--port", machine.url("com2"), *key).status == 0


# proves: A3.47
@pytest.mark.parametrize("board", cpus.boards(1))
def test_the_same_random_bytes_twice(qemu, dprobes, tmp_path, board):
    """A generator that gives the same bytes at each start: the doctor compares the nonces of two starts."""
    elf, key = firmware(board, tmp_path), ("--key", key_file(tmp_path))

    def nonce(*words, random=SAME):
        machine = qemu(board, elf=elf, random=random)
        machine.com1.expect("demo>")
        done = dprobes("doctor", "--port", machine.url("com2"), *key, *words)
        machine.kill()
        return done.status, re.search(r"^(ok|wrong) +nonce: (?:generator, )?(0x\w+)(.*)$", done.stdout, re.M).groups(), done.stdout

    _, (state, first, text), report = nonce()
    assert state == "ok" and "give --nonce with this number" in text, report
    status, (state, _, text), report = nonce("--nonce", first)
    assert state == "wrong" and status == 6 and "a recorded session may be played again" in text, report
    assert 'agent/README.md, section "Access"' in report
    status, (state, moved, text), report = nonce("--nonce", first, random="1234567812345678")
    assert state == "ok" and status == 0 and moved != first and "has moved: generator" in text, report


@pytest.mark.parametrize("board", cpus.boards(1))
def test_a_key_without_random_bytes(qemu, dprobes, tmp_path, board):
    machine = qemu(board, elf=firmware(board, tmp_path), random="0")
    machine.com1.expect(r"(?s)agent: not started, error 75.*demo>")
    plain = qemu(board, random="0")
    plain.com1.expect("demo>")
    info, = dprobes("info", "--format", "json", "--port", plain.url("com2")).objects()
    assert info["limits"]["nonce_source"] == "none"
