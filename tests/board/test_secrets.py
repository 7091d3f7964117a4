# SPDX-License-Identifier: BSD-2-Clause
"""Keys and hashes in a board's memory: what a program at an interrupt could read while requests come. lib/harness/secrets.py."""
import pytest

import cpus
from harness import gdbstub, secrets, sweep, wire
from harness.demo_bench import order_of
from harness.keyed import KEY, NO_PROBE, Sealed, firmware, rows_of_secrets

PROVE, STATUS = 6, 4
AROUND = 512  # bytes of the stack, below and above its pointer
SAVED = 32    # registers that an interrupt may save. Those behind them, such as hi and lo of MIPS, are left out: a hash has no
              # multiplication, so none of its words gets there
LEAST = 300   # instructions with open interrupts for a request


def hashes_of_a_proof(known, key, host):
    """Those of PROVE; the session's key."""
    message = host.nonce.to_bytes(8, "big") + host.session.to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE, 1])
    known.hash(key, message)
    halves = [known.hash(key, message + bytes([half]), public=0) for half in (2, 3)]
    return b"".join(half.to_bytes(8, "little") for half in halves)


def stops(stub, row, order, unmask, is_answered):
    """Each instruction of the board with open interrupts, until it answers. unmask: the function that ends a masked stretch."""
    ending = False
    while not is_answered():
        registers = stub.registers()
        stack, status = (int.from_bytes(registers[at:at + 4], order) for at in row.stopped[:2])
        if row.status_number:
            status = stub.one(row.status_number, order)
        is_open = status & row.stopped[2] == row.stopped[3]
        if is_open:
            yield registers[:4 * SAVED], stack
        if is_open or ending:
            stub.ask("s")
        else:
            stub.run_to(unmask)
        ending = not is_open


# proves: R5.80 A3.46
@pytest.mark.nightly
@pytest.mark.parametrize("board", cpus.boards())
def test_no_memory_shows_a_secret(qemu, tmp_path, board):
    """A timer interrupt at each instruction of a proof and of a sealed request: neither the registers nor the stack have a part of
    a key or of a hash, and no memory has a word of them but the rows that nobody reads."""
    image, order, row, key = sweep.Image(board), order_of(board), cpus.of_board(board), bytes.fromhex(KEY)
    machine = qemu(board, elf=firmware(board, tmp_path), extra=gdbstub.options(tmp_path / "gdb"))
    machine.com1.expect("demo>")
    host, known = Sealed(machine), secrets.Secrets()
    host.hello()
    known.key(key)
    first, end = image.symbols["__data_start"], image.symbols["__heap_end"]
    with gdbstub.Stub(tmp_path / "gdb") as stub:
        hidden = rows_of_secrets(stub, board, image.symbols)
        assert [access for *_, access in hidden] == [NO_PROBE] * 2
        rows = [row[:2] for row in hidden]

        def look(start, behind):
            data = secrets.visible(start, stub.read(start, behind - start, most=1024), rows)
            assert not [hex(start + at) for at in known.shown(data, order)]

        def during(request):
            seen, before = 0, len(host.line.data)
            host.line.send(request)
            stub.run_to(image.symbols["set_word"])
            for saved, stack in stops(stub, row, order, image.symbols["dp_port_unmask"], lambda: host.is_answered(before)):
                seen += 1
                near = stub.read(stack - AROUND, 2 * AROUND, most=1024)
                assert not known.halves_shown(saved, order) and not known.halves_shown(near, order), hex(stack)
                if seen % 1000 == 1:
                    look(first, end)
            assert seen > LEAST

        look(first, end)  # between sessions
        session = hashes_of_a_proof(known, key, host)
        known.key(session)
        proof = wire.proof(key, host.nonce, host.session, wire.ALL_BUT_WRITE, b"\1")
        during(wire.control("Q", host.session, 2, bytes([PROVE]) + proof + b"\1", host.nonce))
        known.hash(session, (1).to_bytes(4, "big") + b"Q" + bytes([1, 1, STATUS]), public=0xFFFFFFFF)
        during(wire.sealed(session, "Q", 1, bytes([STATUS])))
        look(first, end)
        look(image.symbols["__text_start"], image.symbols["__data_load"] + image.symbols["__data_end"] - first)
        # the search finds what is there: the rows themselves have the keys
        assert known.shown(stub.read(rows[0][0], rows[0][1]), order) and known.shown(stub.read(*rows[1]), order)
    assert wire.parse_sealed(host.answer(r"~Z01[0-9A-F]+\n"), session, 1, "Z")
