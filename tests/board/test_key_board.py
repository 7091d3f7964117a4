# SPDX-License-Identifier: BSD-2-Clause
"""A board whose ELF file has a key: nothing without the key, everything with it, and a session that was recorded before a
restart installs nothing. In a process: test_key.py. The agent's side: test_agent_access.c."""
import struct

import pytest

import cpus
from harness import paths, sweep
from harness.noisyline import NoisyLine
from harness.qemu import parameters

KEY, OTHER = "000102030405060708090a0b0c0d0e0f", "0f0e0d0c0b0a09080706050403020100"
SOURCE = 'name = "k"\noffset = queue_put\nmaxhits = 100000\npush 1\nlog 1\nexit\n'


def place_in_file(data, address):
    """The offset of an address in the file of an ELF of 32 bits."""
    order = "<" if data[5] == 1 else ">"
    table, size, count = (struct.unpack_from(f"{order}{kind}", data, at)[0] for kind, at in (("I", 32), ("H", 46), ("H", 48)))
    for n in range(count):
        _, kind, flags, start, offset, length = struct.unpack_from(f"{order}6I", data, table + n * size)
        if kind == 1 and flags & 2 and start <= address < start + length:
            return offset + address - start
    raise AssertionError(f"no section of the file has {address:#x}")


@pytest.fixture
def keyed(tmp_path):
    """The demo of a board with a key in it."""
    def make(board):
        data = bytearray(paths.built("boards", board, "demo.elf").read_bytes())
        at = place_in_file(data, sweep.Image(board).symbols["agent_key"])
        assert data[at:at + 16] == b"\xff" * 16
        data[at:at + 16] = bytes.fromhex(KEY)
        path = tmp_path / "keyed.elf"
        path.write_bytes(data)
        return path
    return make


@pytest.fixture
def key_file(tmp_path):
    def write(digits):
        path = tmp_path / f"{digits[:4]}.key"
        path.write_text(digits)
        path.chmod(0o600)
        return path
    return write


# proves: A3.35
@pytest.mark.parametrize("board", parameters(cpus.boards(2), usual=cpus.boards(1)))
def test_a_board_with_a_key(qemu, dprobes, tmp_path, keyed, key_file, board):
    elf, right = keyed(board), ("--key", key_file(KEY))
    machine = qemu(board, elf=elf)
    machine.com1.expect("demo>")
    line = NoisyLine(tmp_path / "line", machine.path("com2"), 1, {}, {})
    (tmp_path / "k.dp").write_text(SOURCE)

    insert = ("insert", tmp_path / "k.dp", "--elf", elf)

    def run(*words):
        return dprobes(*words, "--port", line.url)

    for words in (insert, ("list",), ("vars", "--global"), ("remove", "--all")):
        without, wrong = run(*words), run(*words, "--key", key_file(OTHER))
        assert without.status == 4 and "the board requires a key; name the file of the key with --key" in without.stderr
        assert wrong.status == 4 and "the agent refused 'prove': the key is not the board's key" in wrong.stderr
    line.said = b""
    inserted = run(*insert, *right)
    tape = line.said
    assert inserted.status == 0 and tape.count(b"~Q") > 5, inserted.stderr
    assert "k: program 0" in run("list", *right).stdout
    assert run("remove", "k", *right).status == 0
    assert run("info", "--verify-text", "--elf", elf, *right).status == 0
    line.close()

    machine.com1.send("reboot\n")
    machine.com1.expect("(?s)restarting.*demo>")
    recorded = machine.connect("com2")
    recorded.send(tape)
    recorded.expect("~Z")  # HELLO is answered to everybody
    recorded.close()
    info, = dprobes("info", "--format", "json", "--port", machine.url("com2"), *right).objects()
    assert (info["boot"], info["programs"], info["probes"]) == (2, 0, 0)
    assert dprobes("info", "--verify-text", "--elf", elf, "--port", machine.url("com2"), *right).status == 0

    machine.com1.send("~dprobes remove\n")
    machine.com1.expect("dprobes: nothing removed: this board requires a key")
