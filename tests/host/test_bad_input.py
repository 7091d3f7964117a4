# SPDX-License-Identifier: BSD-2-Clause
"""Source, ELF and object files that will not do, given to `insert` and `run` with a live agent on the
line: a sentence with its place, a status, the agent and its text as before, and the next good program
goes in. What only a board refuses is in test_bad_target.py, lines are in test_transport.py.
"""
import subprocess

import pytest

from harness.paths import built, program

GOOD = 'name = "t"\noffset = hot\nminor = 1\npush 1\nlog 1\nexit\n'

# Case -> source, line:column of the message, the text under which the caret stands, and the sentence.
SOURCES = {
    "unknown keyword": ('name = "t"\nofset = hot\n', "2:1", "ofset", "unknown keyword 'ofset'; did you mean 'offset'?"),
    "unknown instruction": ('name = "t"\noffset = hot\npsuh 1\n', "3:1", "psuh",
                            "unknown instruction 'psuh'; did you mean 'push'?"),
    "unknown register": ('name = "t"\noffset = hot\npush r, r33\n', "3:9", "r33", "unknown register 'r33'; sim has r0"),
    "unknown symbol": ('name = "t"\noffset = hott\n', "2:10", "hott", "unknown symbol 'hott'; did you mean 'hot'?"),
    "missing name": ("offset = hot\nexit\n", "1:1", "offset", "no 'name =' before the first probe; add name = "),
    "wrong operand": ('name = "t"\noffset = hot\npop 5\n', "3:5", "5", "'pop' cannot take '5'; use lv, gv, lp"),
}

# Case -> how the object is damaged, and the sentence.
OBJECTS = {
    "truncated": (lambda data: data[:60], "the object is shorter than the length in its header; copy or build the object again"),
    "wrong magic": (lambda data: b"DPO2" + data[4:], "the file is not a probe object"),
    "no magic": (lambda data: b"X" + data[1:], "the file is not a probe object: its first bytes are not DPO"),
    "empty": (lambda data: b"", "the file is empty; build the object again"),
    "wrong CRC": (lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:],
                  "the object's checksum is wrong: the object is damaged; copy or build it again"),
    "wrong version": (lambda data: data[:4] + b"\x09" + data[5:],
                      "the agent does not support the object's format version; build the object with the dprobes"),
}


class Line:
    """A target with a standing program, and what must not change."""

    def __init__(self, target, dprobes, folder):
        self.target, self.tool, self.folder = target, dprobes, folder
        self.file("standing.dp", GOOD.replace('"t"', '"standing"').replace("hot", "idle"))
        assert self.run("insert", "standing.dp").status == 0
        self.before = self.state()

    def file(self, name, text):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def run(self, command, *words):
        sym = [] if "--elf" in words or command not in ("insert", "run", "build") else ["--sym", self.target.map]
        port = [] if command == "build" else ["--port", self.target.url()]
        loose = ["--dont-verify-opcodes"] if sym else []
        return self.tool(command, *words, *sym, *loose, *port, cwd=self.folder)

    def state(self):
        info, = self.run("info", "--format", "json").objects()
        info.pop("ticks", None)
        info["limits"].pop("stack_high_water", None)
        return info, self.run("list", "--format", "json").stdout, self.target.console("sum")

    def refused(self, status, *words):
        """Of insert and of run; then a good program goes in and out again."""
        for command in ("insert", "run"):
            run = self.run(command, *words)
            assert run.status == status and run.stdout == "", run.stderr
            assert self.state() == self.before
        assert self.run("insert", self.file("good.dp", GOOD)).status == 0
        assert self.run("remove", "t").status == 0
        assert self.state()[1:] == self.before[1:]
        return run.stderr


@pytest.fixture(params=["full", "small"])
def line(sim_target, dprobes, tmp_path, request):
    return Line(sim_target("--build-id", profile=request.param), dprobes, tmp_path)


@pytest.mark.parametrize("case", SOURCES)
def test_source(line, case):
    source, place, under, sentence = SOURCES[case]
    said = line.refused(1, line.file("t.dp", source)).splitlines()
    assert said[0].startswith(f"t.dp:{place}: error: {sentence}")
    assert said[1] == source.splitlines()[int(place.split(":")[0]) - 1]
    assert said[2] == " " * (int(place.split(":")[1]) - 1) + "^" + "~" * (len(under) - 1)


@pytest.mark.parametrize("case", OBJECTS)
def test_object(line, case):
    damage, sentence = OBJECTS[case]
    line.file("t.dp", GOOD)
    assert line.run("build", "t.dp", "-o", "t.ppdf").status == 0
    said = line.refused(1, line.file("bad.ppdf", damage((line.folder / "t.ppdf").read_bytes())))
    assert said.startswith("bad.ppdf:") and sentence in said


def test_elf_that_is_none(line):
    assert "no.elf: error: the file is neither an ELF file nor a System.map" in line.refused(
        1, line.file("t.dp", GOOD), "--elf", line.file("no.elf", "hello\n"))
    assert "missing.elf: error: cannot read it" in line.refused(1, "t.dp", "--elf", "missing.elf")


def test_elf_of_another_cpu(line):
    """Told before a byte of the program is sent."""
    elf = built("boards", "vexpress-a9", "demo.elf")
    said = line.refused(2, line.file("t.dp", GOOD.replace("hot", "queue_put")), "--elf", elf)
    assert "was built for arm, 32-bit little-endian; the target is sim" in said


def test_elf_without_symbols(line):
    elf = built("boards", "vexpress-a9", "demo.elf")
    subprocess.run([program("arm-none-eabi-strip"), elf, "-o", line.folder / "stripped.elf"], check=True)
    said = line.refused(1, line.file("t.dp", GOOD.replace("hot", "queue_put")), "--elf", "stripped.elf")
    assert "stripped.elf is stripped and has no symbols; use the file before strip, or an address" in said
