# SPDX-License-Identifier: BSD-2-Clause
"""The demo of a board with a key in its ELF file, and the host's file of that key."""
import re
import struct

from . import paths, process, sweep, wire
from .demo_bench import order_of, packed_range, read_range, word_of

KEY, OTHER = "000102030405060708090a0b0c0d0e0f", "0f0e0d0c0b0a09080706050403020100"
READ, NO_PROBE = 1, 8
STORAGE_BYTES_MAX = 60000
PROVE = 6
AGAIN_S = 3  # without an answer to HELLO: it was lost
GREETINGS = process.TIMEOUT_S // AGAIN_S


def greet(line, hello):
    """HELLO, until an answer comes. The agent answers it to everybody. A request is lost that comes before the firmware
    reads, or in whose middle a busy machine pauses."""
    for left in reversed(range(GREETINGS)):
        line.send(hello)
        try:
            return line.expect("~Z", AGAIN_S)
        except AssertionError:
            if not left:
                raise


def play(line, tape):
    """Send the requests of a recorded session, as somebody without the key. Behind them the agent has read them all."""
    hello, *others = [request for request in tape.splitlines(keepends=True) if request.startswith(b"~Q")]
    greet(line, hello)  # one alone on an idle machine: another HELLO has another nonce
    for request in others:
        line.send(request)
    greet(line, hello)


def place_in_file(data, address):
    """The offset of an address in the file of an ELF of 32 or 64 bits."""
    order = "<" if data[5] == 1 else ">"
    header, word = ((("I", 32), ("H", 46), ("H", 48)), "I") if data[4] == 1 else ((("Q", 40), ("H", 58), ("H", 60)), "Q")
    table, size, count = (struct.unpack_from(f"{order}{kind}", data, at)[0] for kind, at in header)
    for n in range(count):
        _, kind, flags, start, offset, length = struct.unpack_from(f"{order}2I4{word}", data, table + n * size)
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


def place_of_rows(stub, board, symbols):
    """(data, offset) of the row of the agent's storage in that storage, in a stopped board."""
    data = stub.read(symbols["memory_storage"], STORAGE_BYTES_MAX, most=1024)
    word, row = word_of(board), packed_range(board, symbols["memory_storage"], 0, READ | NO_PROBE)
    found = re.findall(re.escape(row[:word]) + b"." * word + re.escape(row[2 * word:]), data, re.S)
    assert len(found) == 1
    return data, data.index(found[0])


def rows_of_secrets(stub, board, symbols):
    """(start, bytes, access) of the two rows before that of the agent's storage, in a stopped board."""
    size = 3 * word_of(board)
    data, at = place_of_rows(stub, board, symbols)
    return [read_range(board, data[at + n:at + n + size]) for n in (-2 * size, -size)]


def replace_text(stub, board, symbols, start, count):
    """What a stopped board has as its text, rows and module, lies elsewhere."""
    order, word = order_of(board), word_of(board)
    data, _ = place_of_rows(stub, board, symbols)
    text = symbols["__text_start"].to_bytes(word, order)
    places = [found.start() for found in re.finditer(re.escape(text), data) if found.start() % word == 0]
    assert places
    for at in places:
        stub.write(symbols["memory_storage"] + at, start.to_bytes(word, order) + count.to_bytes(word, order))


def replace_last_row(stub, board, symbols, start, count):
    """The last row of a stopped board, the firmware's RAM, becomes a readable one of `count` bytes from start on."""
    word = word_of(board)
    data, at = place_of_rows(stub, board, symbols)
    while data[at + 4 * word:at + 5 * word] != bytes(word):
        at += 3 * word
    stub.write(symbols["memory_storage"] + at, packed_range(board, start, count, READ))


class Sealed:
    """A host that writes the lines of a sealed session by hand, while the board stands between them."""

    def __init__(self, machine):
        self.line = machine.connect("com2")
        self.nonce, self.session = 0, 9

    def answer(self, words):
        return self.line.expect(words)[0].decode().rstrip("\n")

    def is_answered(self, before):
        """Has an answer or a NAK come behind so many bytes? It need not be whole."""
        return any(begin in self.line.data[before:] for begin in (b"~Z", b"~K"))

    def hello(self):
        request = bytes([1, wire.VERSION]) + self.session.to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE])
        self.line.send(wire.control("Q", 0, 1, request))
        payload = bytes.fromhex(self.answer(r"~Z01[0-9A-F]+\n")[6:-8])
        self.nonce = int.from_bytes(payload[2 + 36:2 + 44], "big")

    def prove(self, key):
        proof = wire.proof(key, self.nonce, self.session, wire.ALL_BUT_WRITE, b"\1")
        self.line.send(wire.control("Q", self.session, 2, bytes([PROVE]) + proof + b"\1", self.nonce))
        self.answer(r"~Z02[0-9A-F]+\n")
        self.key, self.count = wire.session_key(key, self.nonce, self.session, wire.ALL_BUT_WRITE), 0

    def ask(self, payload):
        """The answer's bytes behind the command: error, then fields."""
        self.count += 1
        self.line.send(wire.sealed(self.key, "Q", self.count, payload))
        answer = self.answer(rf"~Z{self.count:02X}[0-9A-F]+\n")
        return wire.parse_sealed(answer, self.key, self.count, "Z")[1][1:]
