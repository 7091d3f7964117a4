# SPDX-License-Identifier: BSD-2-Clause
"""Requests written from PROTOCOL.md section 5 alone, and what a real agent answers: the sentences that no other test needs."""
import zlib

import pytest

from harness import by_hand, wire

HELLO, RANGES, BEGIN, DATA, CHECK, TEXT = 0x01, 0x07, 0x10, 0x11, 0x12, 0x31
OK, ARENA_FULL, NOT_PERMITTED, LEFT_OUT, BAD_RANGE = 0, 34, 37, 39, 68
TEXT_START, TEXT_BYTES, RAM_START, RAM_BYTES = 0x08000000, 0x1000, 0x20000000, 0x2000

PROGRAM = "name = \"w\"\noffset = queue_put\npush 1\npop r, r0\nexit\n"


class Host(by_hand.Host):
    def begin(self, size, crc=0):
        error, answer = self.ask(BEGIN, size.to_bytes(4, "big") + crc.to_bytes(4, "big"))
        return error if error != OK else ("transaction", int.from_bytes(answer, "big"))

    def check(self, data):
        """Upload and CHECK: the error and `found`."""
        _, transaction = self.begin(len(data), zlib.crc32(data))
        number = transaction.to_bytes(2, "big")
        for at in range(0, len(data), 48):
            assert self.ask(DATA, number + at.to_bytes(4, "big") + data[at:at + 48])[0] == OK
        error, verdict = self.ask(CHECK, number + b"\x08\0")
        return error, int.from_bytes(verdict[7:11], "big")

    def text(self, address, size, how=0):
        error, answer = self.ask(TEXT, address.to_bytes(8, "big") + size.to_bytes(4, "big") + bytes([how]))
        return error if error != OK else int.from_bytes(answer[:4], "big")


@pytest.fixture
def host_of(sim_target):
    return lambda profile="full": Host.of(sim_target(profile=profile))


def object_of(dprobes, target_map, folder, flag):
    """The travelling part of a program that writes, with the flag DESTRUCTIVE or without."""
    (folder / "w.dp").write_text(PROGRAM)
    built = dprobes("build", folder / "w.dp", "--sym", target_map, "--cpu", "sim", "--endian", "little", "--word", "32", "--write", "--dont-verify-opcodes",
                    "--output", folder / "w.ppdf")
    assert built.status == 0, built
    data = bytearray((folder / "w.ppdf").read_bytes())
    data = data[:int.from_bytes(data[8:12], "big")]
    assert data[28] & 1
    data[28] = data[28] & ~1 | flag
    return bytes(data[:-4]) + zlib.crc32(data[:-4]).to_bytes(4, "big")


@pytest.mark.parametrize("flag, found", [(1, 5), (0, 7)])
def test_what_a_read_build_adds_up(sim_target, dprobes, tmp_path, flag, found):
    """Its `found` of NOT_PERMITTED has the session's lock as well: it grants no right."""
    target = sim_target(profile="read")
    host = Host.of(target)
    assert host.hello(99, rights=0x8F)["rights"] == wire.ALL_BUT_WRITE
    assert host.check(object_of(dprobes, target.map, tmp_path, flag)) == (NOT_PERMITTED, found)


@pytest.mark.parametrize("profile, groups, phases", [("full", 0x0F, 0x0F), ("read", 0x04, 0x07)])
def test_bits_of_groups_and_phases(host_of, profile, groups, phases):
    """The simulated CPU has WRITE 01, IO 02, SEG 04 and HOOK 08; a READ build keeps only what is not destructive.
    Phases: 01 before, 02 after, 04 fault, 08 returned, which needs an agent that lets functions return."""
    answer = host_of(profile).hello(5)
    assert (answer["groups"], answer["phases"]) == (groups, phases)


def test_transactions_are_counted(host_of):
    """1 for the first upload; one more for each that is opened; not by a repeat, a refusal or HELLO."""
    host = host_of()
    host.hello(5)
    assert host.begin(100, 1) == ("transaction", 1)
    assert host.begin(100, 1) == ("transaction", 1)
    assert host.begin(100, 2) == ("transaction", 2)
    assert host.begin(0x7FFFFFFF) == ARENA_FULL
    host.hello(6)
    assert host.begin(100, 2) == ("transaction", 3)


def test_what_text_reads(host_of):
    """Whole pieces of 64 bytes of a module's text, and the rest at its end; nothing else."""
    host = host_of()
    host.hello(5)
    whole = host.text(TEXT_START, TEXT_BYTES)
    assert whole not in (BAD_RANGE, 0)
    pieces = [host.text(TEXT_START + at, 64) for at in range(0, TEXT_BYTES, 64)]
    assert BAD_RANGE not in pieces and len(set(pieces)) == len(pieces)
    for start in (TEXT_START, TEXT_START + TEXT_BYTES):
        assert host.text(start, 0) == 0
    for start, size in ((TEXT_START, 4), (TEXT_START, 63), (TEXT_START + 4, 64), (TEXT_START - 64, 64), (TEXT_START, TEXT_BYTES + 64),
                        (TEXT_START + TEXT_BYTES, 64), (TEXT_START + TEXT_BYTES - 4, 4), (RAM_START, 64), (0x40000000, 0), (0xFFFFFFC0, 64),
                        (TEXT_START, 65600)):
        assert host.text(start, size) == BAD_RANGE, (hex(start), size)


# proves: R5.67
@pytest.mark.parametrize("profile", ["full", "small"])
def test_rows_of_memory(host_of, profile):
    """Every row that the simulated firmware's board has, in its order; no row behind the last. A small agent has no such request."""
    host = host_of(profile)
    host.hello(5)
    if profile == "small":
        assert host.ask(RANGES, b"\0") == (LEFT_OUT, b"")
        return
    rows = []
    for index in range(256):
        error, answer = host.ask(RANGES, bytes([index]))
        if error == BAD_RANGE:
            break
        assert error == OK and len(answer) == 18
        rows.append((int.from_bytes(answer[:8], "big"), int.from_bytes(answer[8:16], "big"), answer[16]))
        count = answer[17]
    assert count == len(rows) and host.ask(RANGES, b"\xff")[0] == BAD_RANGE
    assert (TEXT_START, TEXT_BYTES, 0x05) in rows and (RAM_START, RAM_BYTES, 0x03) in rows, rows


# proves: R3.27
def test_repeatable_requests(dprobes, sim_target, tmp_path):
    """Executed a second time, such a request has the same answer, and nothing has changed."""
    target = sim_target()
    data = object_of(dprobes, target.map, tmp_path, 1)
    host = Host.of(target)
    host.hello(3)
    host.check(data)
    number = (1).to_bytes(2, "big")
    requests = [
        (0x02, b""), (0x03, b"\0\0"), (0x04, b""), (RANGES, b"\0"), (DATA, number + bytes(4) + data[:48]), (CHECK, number + b"\x08\0"),
        (0x30, b"\x00\x01"), (TEXT, TEXT_START.to_bytes(8, "big") + (64).to_bytes(4, "big") + b"\x01"),
        (0x21, b"\0"), (0x22, b"\0\0"), (0x23, b"\0\0"), (0x24, b"\xff\0\0\x04\0")]
    for command, arguments in requests:
        assert host.ask(command, arguments) == host.ask(command, arguments), hex(command)
