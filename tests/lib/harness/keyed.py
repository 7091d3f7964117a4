# SPDX-License-Identifier: BSD-2-Clause
"""The demo of a board with a key in its ELF file, and the host's file of that key."""
import re
import struct

from . import paths, sweep
from .demo_bench import order_of

KEY, OTHER = "000102030405060708090a0b0c0d0e0f", "0f0e0d0c0b0a09080706050403020100"
READ, NO_PROBE, ROW_BYTES = 1, 8, 12
STORAGE_BYTES_MAX = 60000


def place_in_file(data, address):
    """The offset of an address in the file of an ELF of 32 bits."""
    order = "<" if data[5] == 1 else ">"
    table, size, count = (struct.unpack_from(f"{order}{kind}", data, at)[0] for kind, at in (("I", 32), ("H", 46), ("H", 48)))
    for n in range(count):
        _, kind, flags, start, offset, length = struct.unpack_from(f"{order}6I", data, table + n * size)
        if kind == 1 and flags & 2 and start <= address < start + length:
            return offset + address - start
    raise AssertionError(f"no section of the file has {address:#x}")


def firmware(board, folder):
    """The path of the ELF file."""
    data = bytearray(paths.built("boards", board, "demo.elf").read_bytes())
    at = place_in_file(data, sweep.Image(board).symbols["agent_key"])
    assert data[at:at + 16] == b"\xff" * 16
    data[at:at + 16] = bytes.fromhex(KEY)
    path = folder / "keyed.elf"
    path.write_bytes(data)
    return path


def key_file(folder, digits=KEY):
    path = folder / f"{digits[:4]}.key"
    path.write_text(digits)
    path.chmod(0o600)
    return path


def rows_of_secrets(stub, board, symbols):
    """(start, bytes, access) of the two rows before that of the agent's storage, in a stopped board."""
    order = order_of(board)
    data = stub.read(symbols["memory_storage"], STORAGE_BYTES_MAX, most=1024)
    found = re.findall(re.escape(symbols["memory_storage"].to_bytes(4, order)) + b"...." + bytes((READ | NO_PROBE, 0, 0, 0)), data, re.S)
    assert len(found) == 1
    at = data.index(found[0])
    rows = [data[at + n:at + n + ROW_BYTES] for n in (-2 * ROW_BYTES, -ROW_BYTES)]
    return [(int.from_bytes(row[:4], order), int.from_bytes(row[4:8], order), row[8]) for row in rows]
