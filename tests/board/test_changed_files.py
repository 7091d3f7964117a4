# SPDX-License-Identifier: BSD-2-Clause
"""Files that are overwritten in place while a command uses them: what the command prints is by the files as it read them."""
import re

import pytest

from harness import fake_agent as fake
from harness.demo_bench import Bench
from harness.relay import Relay

PROGRAM = '#include "what.h"\nqueue_put:entry { print(*q); stack(4); printf("%s %s %a", WHAT, probefunc, caller); }\n'
# A line that passes, and the moment it is: the request, or the first record.
MOMENTS = {name: rb"^~Q....%02X" % number for name, number in (
    ("the start", fake.HELLO), ("the limits", fake.LIMITS), ("the module", fake.MODULE), ("the begin", fake.BEGIN), ("the upload", fake.DATA),
    ("the commit", fake.COMMIT), ("armed", fake.PROBES), ("the end", fake.STOP), ("the removal", fake.REMOVE))}
MOMENTS["amid the records"] = rb"~[RSP]"


class Watched(Relay):
    """A relay that acts before it passes on the first line of a kind."""

    def __init__(self, path, target):
        self.wanted = None
        super().__init__(path, target)

    def act(self, line, action):
        self.wanted = re.compile(line, re.M), action

    def _look(self, data):
        if self.wanted and self.wanted[0].search(data):
            action, self.wanted = self.wanted[1], None
            action()

    def _to_all(self, data):
        self._look(data)
        super()._to_all(data)

    def _pass(self, data):
        self._look(data)


@pytest.fixture
def watched(qemu, dprobes, tmp_path):
    bench = Bench(qemu, dprobes, tmp_path)
    line = Watched(tmp_path / "line", bench.machine.path("com2"))
    bench.options = ["--port", line.url]
    yield bench, line
    line.close()


def overwrite(path, data):
    """As cp and rsync --inplace: the file stays the same one."""
    with path.open("r+b") as file:
        file.truncate(0)
        file.write(data)


def shape(text):
    """The text without its numbers, which are those of the hit. A task waits at a queue in some hits: that pointer has a
    name, and a null pointer has none."""
    return re.sub(r"0x[0-9a-f]+|\d+", "N", text).replace(" <task_table+N>", "")


def test_each_name_is_the_old_files(watched, tmp_path):
    bench, line = watched
    elf, program, included = tmp_path / "demo.elf", tmp_path / "p.d", tmp_path / "what.h"
    old = bench.elf.read_bytes()
    # Of other names, and cut: a mapping of the file would end behind that.
    new = re.sub(rb"queue|sensor|board", lambda found: found.group()[::-1], old)[:len(old) // 2]

    def restore():
        for path, data in (elf, old), (program, PROGRAM.encode()), (included, b'#define WHAT "the old text"\n'):
            path.write_bytes(data)

    def forge():
        overwrite(elf, new)
        overwrite(program, b"no program")
        overwrite(included, b'#define WHAT "the new text"\n')

    def run():
        return bench.good("run", program, "--elf", elf, "--count", "2")

    restore()
    expected = run()
    assert "sensor_isr" in expected.stdout and "queue.c:" in expected.stdout and "the old text queue_put" in expected.stdout
    assert "changed since" not in expected.stderr
    for moment, passing in MOMENTS.items():
        restore()
        line.act(passing, forge)
        found = run()
        assert line.wanted is None, f"{moment} did not come"
        assert shape(found.stdout) == shape(expected.stdout), moment
        for path in (elf, program, included):
            assert f"dprobes: {path} has changed since this command read it" in found.stderr, moment
        assert bench.programs() == {}, moment
    restore()
    bench.clean()


def test_a_file_that_is_replaced_or_rewritten(watched, tmp_path):
    """A file of the same content has not changed; one that is gone has."""
    bench, line = watched
    elf = tmp_path / "demo.elf"
    elf.write_bytes(bench.elf.read_bytes())
    clause = "trace", "--clause", "queue_put:entry { trace(1); }", "--count", "1", "--elf", elf
    line.act(MOMENTS["the end"], lambda: overwrite(elf, bench.elf.read_bytes()))
    assert "changed since" not in bench.good(*clause).stderr and line.wanted is None
    line.act(MOMENTS["the end"], elf.unlink)
    assert f"{elf} has changed since" in bench.good(*clause).stderr
