# SPDX-License-Identifier: BSD-2-Clause
"""A board whose ELF file has a key: nothing without the key, everything with it, and a session that was recorded before a
restart installs nothing. In a process: test_key.py. The agent's side: test_agent_access.c."""
import re

import pytest

import cpus
from harness import gdbstub, sweep
from harness.demo_bench import order_of
from harness.keyed import (KEY, NO_PROBE, OTHER, Sealed, firmware, key_file as key_file_in, replace_last_row, replace_text,
                           rows_of_secrets)
from harness.noisyline import NoisyLine
from harness.qemu import parameters

SOURCE = 'name = "k"\noffset = queue_put\nmaxhits = 100000\npush 1\nlog 1\nexit\n'


@pytest.fixture
def keyed(tmp_path):
    """The demo of a board with a key in it."""
    return lambda board: firmware(board, tmp_path)


@pytest.fixture
def key_file(tmp_path):
    return lambda digits: key_file_in(tmp_path, digits)


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


SECRET_BYTES = 96
INVALID_ADDRESS = 1
TEXT, BAD_RANGE = 0x31, 68


def spy(addresses):
    """A program that logs 0 and what it has read, or the exception's code and address."""
    text = ['name = "spy"\noffset = queue_put\nmaxhits = 1\n']
    for n, address in enumerate(addresses):
        text.append(f"sx bad{n}\npush {address:#x}\npush mem, u32\npush 0\nlog 2\njmp next{n}\nbad{n}: log 2\nnext{n}: nop\n")
    return "".join(text) + "exit\n"


def records_of(run, order):
    """The words of each record: one, or more where a busy board begins COMMIT anew behind a hit."""
    found = [[int.from_bytes(bytes.fromhex(word), order) for word in re.findall("[0-9a-f]{8}", digits)]
             for digits in re.findall(r"^DProbes\S* (?:probe=\d+ )?([0-9a-f]+)$", run.stdout, re.M)]
    assert found, run
    return found


# proves: A3.46
@pytest.mark.parametrize("board", parameters(cpus.boards(2), usual=cpus.boards(1)))
def test_no_program_reads_a_secret(qemu, dprobes, tmp_path, keyed, key_file, board):
    """The key lies in the firmware's data, the session key and the hash in the agent's: both are rows that nobody reads."""
    elf, image, order = keyed(board), sweep.Image(board), order_of(board)
    machine = qemu(board, elf=elf, extra=gdbstub.options(tmp_path / "gdb"))
    machine.com1.expect("demo>")
    key, at = image.symbols["agent_key"], image.symbols["memory_storage"]
    with gdbstub.Stub(tmp_path / "gdb") as stub:
        secret, of_key = rows_of_secrets(stub, board, image.symbols)
    assert secret[1:] == (SECRET_BYTES, NO_PROBE) and at < secret[0] and of_key == (key & ~7, (key + 23 & ~7) - (key & ~7), NO_PROBE)
    hidden = [key, key + 12, secret[0], secret[0] + 40, secret[0] + SECRET_BYTES - 4]
    (tmp_path / "spy.dp").write_text(spy([*hidden, secret[0] - 4, secret[0] + SECRET_BYTES]))
    run = dprobes("run", tmp_path / "spy.dp", "--elf", elf, "--port", machine.url("com2"), "--key", key_file(KEY), "--count", "1", "--no-names")
    assert run.status == 0, run
    for words in records_of(run, order):
        assert words[:10] == [word for address in hidden for word in (INVALID_ADDRESS, address)], run.stdout
        assert words[10] == words[12] == 0


# proves: A3.46 A3.56
@pytest.mark.parametrize("board", parameters([board for cpu in cpus.rows() if cpu.alias for board in cpu.uarts],
                                             usual=[cpu.board for cpu in cpus.rows() if cpu.alias]))
def test_no_second_address_reads_a_secret(qemu, dprobes, tmp_path, keyed, key_file, board):
    """Memory that has two addresses, both in rows that programs may read: neither a program nor TEXT reads a secret there."""
    elf, image, order, alias = keyed(board), sweep.Image(board), order_of(board), cpus.of_board(board).alias
    machine = qemu(board, elf=elf, extra=gdbstub.options(tmp_path / "gdb"))
    machine.com1.expect("demo>")
    key, first, end = (image.symbols[name] for name in ("agent_key", "__data_start", "__heap_end"))
    with gdbstub.Stub(tmp_path / "gdb") as stub:
        secret, _ = rows_of_secrets(stub, board, image.symbols)
        start = min(first, key) & ~0xffff
        replace_last_row(stub, board, image.symbols, start ^ alias, end - start)
    hidden = [at ^ other for at in (key, key + 12, secret[0], secret[0] + 40, secret[0] + SECRET_BYTES - 4) for other in (0, alias)]
    behind = secret[0] + SECRET_BYTES
    (tmp_path / "spy.dp").write_text(spy([*hidden, behind ^ alias, behind]))
    run = dprobes("run", tmp_path / "spy.dp", "--elf", elf, "--port", machine.url("com2"), "--key", key_file(KEY), "--count", "1", "--no-names")
    assert run.status == 0, run
    for words in records_of(run, order):
        assert words[:2 * len(hidden)] == [word for address in hidden for word in (INVALID_ADDRESS, address)], run.stdout
        seen, plain = words[2 * len(hidden):][1::2]
        assert words[2 * len(hidden):][::2] == [0, 0] and seen == plain, run.stdout  # the row is there, and reads the same memory

    host = Sealed(machine)
    with gdbstub.Stub(tmp_path / "gdb") as stub:
        replace_text(stub, board, image.symbols, (secret[0] & ~63) ^ alias, 512)
    host.hello()
    host.prove(bytes.fromhex(KEY))
    first, behind = (secret[0] & ~63) ^ alias, (behind + 63 & ~63) ^ alias
    assert [host.ask(bytes([TEXT]) + at.to_bytes(8, "big") + (64).to_bytes(4, "big") + b"\0")[0] for at in (first, first + 64, behind)] == [
        BAD_RANGE, BAD_RANGE, 0]
