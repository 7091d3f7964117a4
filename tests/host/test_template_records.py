# SPDX-License-Identifier: BSD-2-Clause
"""Records of a target as text by templates; host/present/TEMPLATES.md. test_template.py has files and simulated records."""
import re

import pytest

from harness import fake_agent as fake
from harness import wire

NET = """\
major = 3
minor = 9, desc = "a packet", fmt = "length %2u%c"
minor = 10, desc = "nothing more"
minor = 11, desc = "empty", fmt = ""
"""


@pytest.fixture
def templates(tmp_path):
    path = tmp_path / "net.tpl"
    path.write_text(NET)
    return path


def test_header_line_stays(agent, logging, templates):
    """Codes, items and flags first, then the description; the text below. No template: a dump, and no
    description. No text: no second line."""
    running = logging("--count", "5", "--templates", templates, items="cpu pc", verbose=False)
    at = {"cpu": 1, "pc": 0x1000}
    agent.hit(b"\x05\x00!", items=at)
    agent.hit(b"ab\x1b", point=1, items=at, flags=1)
    agent.hit(b"", point=1, items=at)
    agent.hit(b"zz", items=at, major=3, minor=11)
    agent.hit(b"\x05\x00!", items=at, major=4, minor=9)
    run = running.wait()
    assert run.status == 0
    assert run.lines() == [
        "DProbes(3,9) cpu=1 pc=00001000 - a packet", "length 5!",
        "DProbes(3,10) cpu=1 pc=00001000 <ended by an exception> - nothing more", "+00000000 61 62 1b *ab.*",
        "DProbes(3,10) cpu=1 pc=00001000 - nothing more",
        "DProbes(3,11) cpu=1 pc=00001000 - empty",
        "DProbes(4,9) cpu=1 pc=00001000", "+00000000 05 00 21 *..!*"]


def test_without_the_option_nothing_changes(agent, logging):
    running = logging("--count", "1")
    agent.hit(b"\x05\x00!")
    assert running.wait().lines() == ["DProbes(3,9) 050021"]


def test_leftover_data(agent, logging, templates):
    """D10: with --verbose; -v is the version, as in the seed."""
    running = logging("--count", "2", "--verbose", "--templates", templates)
    agent.hit(b"\x05\x00!??")
    agent.hit(b"\x05")
    assert running.wait().lines() == [
        "DProbes(3,9) - a packet", "length 5!", "<2 bytes behind the template>", "+00000000 3f 3f *??*",
        "DProbes(3,9) - a packet", "length <end of data>", "<1 bytes behind the template>", "+00000000 05 *.*"]


def test_records_whose_codes_or_items_are_not_known(agent, logging, templates):
    """A number nobody told, a record shorter than its items, a stack trace: no template is applied, not
    even one of the codes 0,0 or of the probe."""
    both = templates.with_name("dir")
    zero = templates.with_name("zero.tpl")
    zero.write_text('major = 0\nminor = 0, desc = "zero", fmt = "ZERO"\n')
    both.write_text('major = 0 file = "zero.tpl"\nmajor = 3 file = "net.tpl"\n')
    running = logging("--count", "4", "--templates", both, items="pc")
    number = agent.programs[0].numbers[0]
    agent.records(wire.record(77, 5, b"\x01\x02"))
    agent.records(wire.record(77, 5, b"\x01\x02\x03", major=3, minor=9))
    agent.records(wire.record(number, 5, b"\x01\x02"))
    agent.records(wire.record(number, 5, b"\x01\x02", kind=1))
    assert running.wait().lines() == [
        "DProbes(0,0) probe=77", "+00000000 01 02 *..*", "DProbes(3,9) probe=77", "+00000000 01 02 03 *...*",
        "DProbes(3,9) <shorter than its items>", "+00000000 01 02 *..*",
        "DProbes(0,0) trace", "<end of data>", "+00000000 01 02 *..*"]


def test_json_has_text_and_data(agent, logging, templates):
    running = logging("--count", "2", "--format", "json", "--templates", templates)
    agent.hit(b"\x05\x00!")
    agent.hit(b"\x05\x00!", major=4, minor=9)
    first, second = running.wait().objects()
    assert (first["data"], first["desc"], first["text"]) == ("050021", "a packet", "length 5!\n")
    assert second["text"] == "+00000000 05 00 21 *..!*\n" and "desc" not in second


TRACE = ("01 0100 74 4000000000000000 07000000 0300 0900 02 0100" "01000000 30000000 00200000 05000000 03 0100"
         "10000000 20000000 04 0000 05 0100 11000000 06 0000")
TRACE_LINES = ["stack trace of t, id 7, codes 3,9, probe at 0x40",
               "exception INVALID_ADDR (0x2000, 0x5), handler at 0x30",
               "  procedure at 0x10, returns to 0x20", "    lv 0x11"]


def test_stack_trace_of_a_target(agent, logging, templates):
    """A whole one, between two records."""
    running = logging("--count", "3", "--templates", templates)
    number = agent.programs[0].numbers[0]
    agent.hit(b"\x05\x00!")
    agent.records(wire.record(number, 5, bytes.fromhex(TRACE), kind=1))
    agent.hit(b"\x06\x00!")
    assert running.wait().lines() == ["DProbes(3,9) - a packet", "length 5!", "DProbes(0,0) trace", *TRACE_LINES,
                                      "DProbes(3,9) - a packet", "length 6!"]


def test_stack_trace_of_a_target_as_json(agent, logging, templates):
    running = logging("--count", "1", "--format", "json", "--templates", templates)
    agent.records(wire.record(agent.programs[0].numbers[0], 5, bytes.fromhex(TRACE), kind=1))
    trace, = running.wait().objects()
    assert (trace["kind"], trace["major"], trace["minor"]) == ("trace", 0, 0) and "desc" not in trace
    assert trace["text"].splitlines() == TRACE_LINES
    assert trace["data"] == bytes.fromhex(TRACE).hex()


def test_until_looks_at_each_line(agent, logging, templates):
    running = logging("--until", "^length 9.$", "--templates", templates)
    agent.hit(b"\x05\x00!")
    agent.hit(b"\x09\x00!")
    run = running.wait()
    assert run.status == 0
    assert run.lines() == ["DProbes(3,9) - a packet", "length 5!", "DProbes(3,9) - a packet", "length 9!"]


def test_a_target_cannot_steer_the_terminal(agent, logging, templates):
    """Of everything that a target may send only 0x20..0x7e is printed: by %c, %s, dumps, and as what is left
    over."""
    templates.write_text('major = 3\nminor = 9, desc = "d", fmt = "%256c|%s|%z"\nminor = 10 desc = "e" fmt = "%x"\n')
    running = logging("--count", "2", "--verbose", "--templates", templates)
    everything = bytes(range(256))
    agent.hit(everything + everything[1:] + b"\0" + everything)
    agent.hit(everything, point=1)
    text = running.wait().stdout
    assert text.count("|") >= 2 and not re.search(r"[^\n\x20-\x7e]", text)
    shown = "".join(chr(byte) if 0x20 <= byte <= 0x7e else "." for byte in everything)
    assert f"\n{shown}|{shown[1:]}|+00000000" in text


def test_big_endian_target_with_words_of_8_bytes(dprobes, tmp_path, net):
    agent = fake.FakeAgent(tmp_path / "com9", word=8, big=True)
    try:
        (tmp_path / "t.tpl").write_text('major = 3\nminor = 9, desc = "d", fmt = "%2x %r8x"\n')
        assert dprobes("insert", net, "--word", "64", "--endian", "big", "--port", agent.url).status == 0
        running = dprobes.listen("--port", agent.url, "--count", "1", "--templates", tmp_path / "t.tpl")
        agent.hit(b"\x12\x34" + b"\x07\0\x01" + bytes(range(8)))
        assert running.wait().lines() == ["DProbes(3,9) - d", "1234 0001020304050607"]
    finally:
        agent.close()


@pytest.mark.parametrize("command", ["log", "run"])
@pytest.mark.parametrize("text", ["major = 3\nfrob\n", None])
def test_file_that_will_not_do(agent, tool, net, tmp_path, command, text):
    """Nothing is started: no request goes to the target, and what --output names stays as it was."""
    if text:
        (tmp_path / "bad.tpl").write_text(text)
    (tmp_path / "before").write_text("precious\n")
    run = tool(command, *([net] if command == "run" else []), "--templates", tmp_path / "bad.tpl", "--output",
               tmp_path / "before")
    assert (run.status, run.stdout) == (1, "")
    assert ("bad.tpl:2:1: error: unknown keyword 'frob'" if text else "bad.tpl: error: cannot read it") in run.stderr
    assert agent.requests == []
    assert (tmp_path / "before").read_text() == "precious\n"


SIM = """\
name = sim
major = 5
vars = 2
offset = hot
opcode = 0x10000140
minor = 1
inc lv, 0
push 7
pop lv, 1
push 0
push 2
log lv
push 4
push 0xfffffff0
log mrf
exit
"""


@pytest.mark.parametrize("command", ["run", "log"])
def test_the_real_agent(sim_target, dprobes, tmp_path, command):
    """Variables under a prefix, then memory that is not there: the counter is that of the hits."""
    (tmp_path / "sim.dp").write_text(SIM)
    (tmp_path / "sim.tpl").write_text('major = 5\nminor = 1, desc = "hit", fmt = "number %p%4u of %4u, memory %p4x"\n')
    target = sim_target("--hits", 300)
    line = ["--port", target.url("com2")]
    insert = ["--sym", target.map, "--dont-verify-opcodes", tmp_path / "sim.dp"]
    show = ["--count", "5", "--templates", tmp_path / "sim.tpl"]
    if command == "log":
        assert dprobes("insert", *insert, *line).status == 0
        run = dprobes("log", *show, *line)
    else:
        run = dprobes("run", *insert, *show, *line)
    assert run.status == 0, run.stderr
    lines = run.lines()[:10]
    heads = set(lines[::2])
    assert len(heads) == 1
    assert re.fullmatch(r"DProbes\(5,1\) <ended by an exception: INVALID_ADDR \(0xfffffff0\)( at \S+\.dp:15)?> - hit", heads.pop())
    counts = [re.fullmatch(r"number (\d+) of 7, memory <fault at 0xfffffff0>", line) for line in lines[1::2]]
    assert all(counts)
    numbers = [int(count.group(1)) for count in counts]
    assert numbers == list(range(numbers[0], numbers[0] + 5))
