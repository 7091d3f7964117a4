# SPDX-License-Identifier: BSD-2-Clause
"""dprobes core behind a command that has ended in the middle: it goes on in the same stop alone, and no core is a mix of two.
The agent is fake_agent.py with registers of a stopped target."""
import re

import pytest

import tables
from harness import fake_agent as fake

REGS, HALT_PART = 0x2C, 56
ARM = tables.cpu_number("arm")
DATA, BYTES = 0x20000, 0x4000
PC, SP = 0x1040, DATA + 0x100
HALF = 40  # requests for memory of a command whose line ends
LINK = 3
FOREIGN = b"notes of somebody else\n" * 40


class Stopped(fake.FakeAgent):
    """A target that is stopped at PC."""

    def __init__(self, path):
        super().__init__(path, cpu=ARM)
        self.beside, self.profile = (HALT_PART,), 1
        self.ranges = [(self.text_base, len(self.text), 0x05), (DATA, BYTES, 0x03)]
        self.memory = {DATA: bytearray(at * 7 + (at >> 8) & 0xff for at in range(BYTES))}
        self.words = {13: SP, 15: PC}  # registers by number
        self.left = None  # requests for memory until the line ends
        self.on_line = self._look

    def _execute(self, payload):
        if payload[0] != REGS:
            return super()._execute(payload)
        first, count = int.from_bytes(payload[1:3], "big"), payload[3]
        return bytes([REGS, fake.OK, 0, 0]) + b"".join(fake.be(self.words.get(first + i, 0), 4) for i in range(count))

    def _look(self, _seq, payload):
        if payload[0] != fake.MEMORY or self.left is None:
            return None
        self.left -= 1
        return fake.CLOSE if self.left < 0 else None


@pytest.fixture
def stopped(tmp_path, dprobes):
    agent = Stopped(tmp_path / "agent")
    source = tmp_path / "crash.dp"
    source.write_text(f'name = "crash"\naddress = {PC:#x}\nopcode = 0x01020304\nexit 1\n')
    done = dprobes("insert", "--write", "--port", agent.url, "--cpu", "arm", source)
    assert done.status == 0, done
    agent.programs[0].hits[0] = 1
    yield agent
    agent.close()


@pytest.fixture
def core(stopped, dprobes, tmp_path):
    def take(left=None, status=0):
        stopped.left = left
        done = dprobes("core", "--port", stopped.url, "-o", tmp_path / "c")
        assert done.status == status, done
        return done.stderr
    return take


def whole(tmp_path, stopped):
    return bytes(stopped.memory[DATA]) in (tmp_path / "c").read_bytes()


def resumed(said):
    found = re.search(r"resumed at (\d+) of (\d+) bytes\n", said)
    return found and tuple(map(int, found.groups()))


def test_the_same_stop(core, stopped, tmp_path):
    partial = tmp_path / "c.partial"
    assert f"{partial} has what was read of the memory" in core(HALF, LINK)
    have, of = resumed(core())
    assert 0 < have < of <= BYTES and whole(tmp_path, stopped) and not partial.exists()


def inserted_again(stopped):
    """The hits are those of the stop before; its record has the next number."""
    stopped.sent[0] += 1


def hit_again(stopped):
    stopped.programs[0].hits[0] += 1


def other_stack(stopped):
    stopped.memory[DATA][SP - DATA + 8] ^= 1


def other_register(stopped):
    stopped.words[4] = 1


def restarted(stopped):
    stopped.boot += 1


@pytest.mark.parametrize("happens", [inserted_again, hit_again, other_stack, other_register, restarted])
def test_another_stop(happens, core, stopped, tmp_path):
    """Its memory is not what the command before has read."""
    core(HALF, LINK)
    happens(stopped)
    stopped.memory[DATA][-8:] = stopped.memory[DATA][0x400:0x408] = bytes(8)
    said = core()
    assert "c.partial is of another stop: the core begins anew" in said and not resumed(said), said
    assert whole(tmp_path, stopped) and not (tmp_path / "c.partial").exists()


def test_a_stop_that_is_no_hit(core, stopped, tmp_path):
    """A probe that is no longer armed stands at the pc: `dprobes stop` stops there again, and nothing counts it."""
    stopped.programs[0].stopped = True
    assert "has what was read" not in core(HALF, LINK) and not (tmp_path / "c.partial").exists()
    assert not resumed(core()) and whole(tmp_path, stopped)


def test_a_file_of_that_name(core, stopped, tmp_path):
    """It stays as it is, whether the core ends or not."""
    partial = tmp_path / "c.partial"
    partial.write_bytes(FOREIGN)
    for left, status in ((HALF, LINK), (None, 0)):
        said = core(left, status)
        assert f"{partial} is no part of a core: this core cannot be resumed where it ends" in said and "has what was read" not in said, said
        assert partial.read_bytes() == FOREIGN
    assert whole(tmp_path, stopped)


def test_a_file_that_cannot_be_written(core, stopped, tmp_path):
    """The core comes all the same."""
    (tmp_path / "c.partial").mkdir()
    said = core()
    assert "c.partial: Is a directory; this core cannot be resumed where it ends" in said and whole(tmp_path, stopped), said
