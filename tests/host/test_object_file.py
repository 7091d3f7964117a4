# SPDX-License-Identifier: BSD-2-Clause
"""Object files: what is damaged is refused with its sentence; what stays on the host stays there."""
import pathlib
import re
import struct
import zlib

import pytest

from harness import fake_agent as fake
from harness import ppdf

SOURCE = ('name = "fw"\nvars = 1\ngroupdef = a b\noffset = 0x1000\nopcode = 0xe1a00000\ngroup = b\n'
          'inc lv, 0\nagain: push lv, 0\nlog 1\njz again\n')


@pytest.fixture
def made(dprobes, tmp_path):
    (tmp_path / "t.dp").write_text(SOURCE)
    assert dprobes("build", "--cpu", "arm", "-o", "t.ppdf", "t.dp", cwd=tmp_path).status == 0
    return (tmp_path / "t.ppdf").read_bytes()


def crc(data, travelling=None):
    """The same bytes with the right checksum of the travelling part."""
    end = travelling or len(data)
    return data[:end - 4] + struct.pack(">I", zlib.crc32(data[:end - 4])) + data[end:]


def change(data, at, value, travelling):
    return crc(data[:at] + value + data[at + len(value):], travelling)


def refused(dprobes, folder, data, command="disasm", status=1):
    (folder / "bad.ppdf").write_bytes(data)
    result = dprobes(command, "bad.ppdf", cwd=folder)
    assert result.status == status and result.stdout == ""
    return result.stderr


def test_only_the_travelling_part_is_needed(dprobes, tmp_path, made):
    head = ppdf.Ppdf(made).travelling
    (tmp_path / "u.ppdf").write_bytes(made[:head])
    whole = dprobes("disasm", "t.ppdf", cwd=tmp_path).stdout
    bare = dprobes("disasm", "u.ppdf", cwd=tmp_path).stdout
    assert "groupdef = b" not in bare and "groupdef = group1 group2\n" in bare
    assert "groupdef = group1 b\n" in whole and "\ngroup = b\n" in whole
    assert whole.splitlines()[-6:] == bare.splitlines()[-6:]


@pytest.mark.parametrize("cut", [1, 4, 39, 103, 150])
def test_truncated(dprobes, tmp_path, made, cut):
    said = refused(dprobes, tmp_path, made[:cut] if cut >= 4 else made[:4])
    assert said.startswith("bad.ppdf: error: the object is shorter than the length in its header")


def test_wrong_magic(dprobes, tmp_path, made):
    said = refused(dprobes, tmp_path, b"DPO2" + made[4:])
    assert "the file is not a probe object" in said


def test_wrong_version(dprobes, tmp_path, made):
    head = ppdf.Ppdf(made).travelling
    said = refused(dprobes, tmp_path, change(made, 4, b"\x04", head))
    assert "the agent does not support the object's format version" in said


def test_wrong_checksum(dprobes, tmp_path, made):
    said = refused(dprobes, tmp_path, made[:100] + bytes([made[100] ^ 1]) + made[101:])
    assert "the object's checksum is wrong" in said


@pytest.mark.parametrize("at,value", [(5, b"\x63"), (6, b"\x05"), (7, b"\x02")])
def test_another_target(dprobes, tmp_path, made, at, value):
    head = ppdf.Ppdf(made).travelling
    said = refused(dprobes, tmp_path, change(made, at, value, head))
    assert "dprobes does not support the object's CPU, word size or byte order" in said


def test_damaged_host_part(dprobes, tmp_path, made):
    head = ppdf.Ppdf(made).travelling
    for at in (head + 4, head + 8, head + 16, len(made) - 1):
        said = refused(dprobes, tmp_path, made[:at] + bytes([made[at] ^ 0x40]) + made[at + 1:])
        assert "the part with source and symbols is damaged; build the object again" in said
    said = refused(dprobes, tmp_path, made[:-1])
    assert "the part with source and symbols is damaged" in said


def test_host_part_with_a_right_checksum_is_not_trusted(dprobes, tmp_path, made):
    """Section offsets, counts and names that lie."""
    head = ppdf.Ppdf(made).travelling
    for at in range(head + 12, head + 12 + 6 * 12):
        for value in (0, 0x7f, 0xff):
            host = bytearray(made[head:])
            host[at - head] = value
            data = made[:head] + crc(bytes(host))
            (tmp_path / "lie.ppdf").write_bytes(data)
            result = dprobes("disasm", "lie.ppdf", cwd=tmp_path)
            assert result.status in (0, 1)
            if at % 12 > 3:
                break  # high bytes of a number: one value is enough


def test_verdict_stands_at_the_source_line(dprobes, tmp_path, made):
    """The line table says where; the object carries the line."""
    object_ = ppdf.Ppdf(made)
    start = made.index(object_.code)
    bad = change(made, start + 4, b"\x28", object_.travelling)  # push lv, 40 -> opcode shifts
    bad = change(made, start + 3, b"\x09", object_.travelling)  # inc lv, 9
    said = refused(dprobes, tmp_path, bad)
    assert said.startswith("t.dp:7: error: a local variable index is not below vars")
    assert "\ninc lv, 0\n" in said


def test_empty_and_short_files(dprobes, tmp_path):
    for data in (b"", b"DPO", b"DPO1"):
        (tmp_path / "x").write_bytes(data)
        assert dprobes("disasm", "x", cwd=tmp_path).status == 1


# agent/dp_config.h
DEFAULT_AGENT = ("logmax 1024, excpt_log 1024, vars 256, gvars 64, 64 probe points, "
                 "16384 bytes for programs")


def probes(count, code="exit\n"):
    return 'name = "t"\n' + "".join(f"offset = {0x1000 + 4 * i}\nopcode = 1\n{code}" for i in range(count))


def test_check_says_which_agent_it_assumes(dprobes, tmp_path):
    """No board is asked: a verdict holds for the limits that are printed with it."""
    (tmp_path / "b.dp").write_text(probes(65))
    run = dprobes("check", "b.dp", cwd=tmp_path)
    assert run.status == 2 and run.lines()[1] == f"agent:   assumed, read only: {DEFAULT_AGENT}"
    assert "(65 asked for)" in run.stderr
    run = dprobes("check", "--probes-max", "65", "--write", "b.dp", cwd=tmp_path)
    assert run.status == 0 and run.lines()[1] == f"agent:   assumed, may write: {DEFAULT_AGENT}".replace(" 64 p", " 65 p")
    row, = dprobes("check", "--probes-max", "65", "--format", "json", "b.dp", cwd=tmp_path).objects()
    assert row["assumed"] == {"log": 1024, "trace": 1024, "vars": 256, "gvars": 64, "probes": 65, "arena": 16384, "write": False}


HOT = 'name = "t"\n{header}offset = hot\nopcode = 0x10000140\n{code}exit\n'


@pytest.mark.parametrize("header,row", [("", "nop\n"), ("vars = 256\n", "nop\n"), ("vars = 256\n", "push 0x12345\n")])
def test_check_refuses_what_no_default_agent_holds(dprobes, sim_target, tmp_path, header, row):
    """An empty agent has room for exactly what check says: the object with a bit a byte of code, or with variables."""
    target = sim_target()

    def check(count):
        (tmp_path / "b.dp").write_text(HOT.format(header=header, code=row * count))
        run = dprobes("check", "--sym", target.map, "b.dp", cwd=tmp_path, sanitized=False)
        assert run.status == 0 or "program memory has no room" in run.stderr, run.stderr
        return run.status == 0

    least, most = 0, 16384
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if check(middle) else (least, middle)
    assert not check(most)
    run = dprobes("insert", "b.dp", "--sym", target.map, "--port", target.url(), cwd=tmp_path)
    assert run.status != 0 and re.search(r"program memory|variables do not fit", run.stderr), run
    assert check(least)
    run = dprobes("insert", "b.dp", "--sym", target.map, "--port", target.url(), cwd=tmp_path)
    assert run.status == 0, run.stderr


def test_check_accepts_and_says_what_is_proved(dprobes, tmp_path, made):
    result = dprobes("check", "t.ppdf", cwd=tmp_path)
    assert result.status == 0 and result.stderr == ""
    assert result.lines() == [
        "verdict: accepted",
        f"agent:   assumed, read only: {DEFAULT_AGENT}",
        f"size:    {ppdf.Ppdf(made).travelling} bytes to upload, {len(ppdf.Ppdf(made).code)} of code, 1 probe point",
        "steps:   at most 4096 a hit, by the step budget: the program loops",
        "log:     at most 1024 bytes a hit, by logmax",
        "memory:  8 bytes of the target for variables and maps",
        "line:    at least 4 hits/s fit a line of 115200 baud",
        "plan:    t.dp:7: no plan: a variable is used",
        "uses:    only reads and logs",
    ]


@pytest.mark.parametrize("body,steps,log", [
    ("nop\n", 2, 0),
    ("push 1\ndup 9\nlog 10\n", 4 + 9 + 10, 40),
    ("push 0\njz a\npush 1\nlog 1\na: log 1\n", 2 + 3 + 1 + 2, 8 - 4 + 4),
    ("call p\ncall p\nproc p\npush 1\nlog 1\nret\nendproc\n", 3 + 2 * 4, 8),
])
def test_static_bounds(dprobes, tmp_path, body, steps, log):
    (tmp_path / "b.dp").write_text('name = "t"\noffset = 0x1000\nopcode = 1\n' + body)
    row, = dprobes("check", "--format", "json", "b.dp", cwd=tmp_path).objects()
    assert row["accepted"] and (row["steps_max"], row["log_max"]) == (steps, log)


def test_check_refuses(dprobes, tmp_path):
    (tmp_path / "w.dp").write_text('name = "t"\nlogmax = 200\nvars = 2\noffset = 0x1000\nopcode = 1\n'
                                   'push 1\npush 2\npop mem, u8\n')
    result = dprobes("check", "w.dp", cwd=tmp_path)
    assert result.status == 2 and "the program writes or calls into the firmware" in result.stdout
    result = dprobes("check", "--write", "w.dp", cwd=tmp_path)
    assert result.status == 0 and "uses:    write (writes memory or registers of the firmware)" in result.stdout
    result = dprobes("check", "--write", "--log-max", "200", "--vars-max", "1", "w.dp", cwd=tmp_path)
    assert result.status in (0, 2)
    result = dprobes("check", "--write", "--trace-max", "100", "w.dp", cwd=tmp_path)
    assert result.status == 0, "excpt_log follows the target where the program does not say"


MAPS_PART = 37
OLD = pathlib.Path(__file__).parent / "version1"


@pytest.fixture
def old():
    """An object of version 1 with each kind of section, and the same program of now."""
    return (OLD / "sample.v1").read_bytes()


# proves: R2.37
def test_version_1_is_read(dprobes, tmp_path, old):
    """The same program as one that is built now, the source and its lines included."""
    words = ["--cpu", "sim", "--word", "64", "--endian", "big", "--write"]
    assert dprobes("build", *words, "-o", tmp_path / "now.ppdf", "sample.dp", cwd=OLD).status == 0
    now = ppdf.Ppdf((tmp_path / "now.ppdf").read_bytes())
    assert old[4] == 1 and now.version == 2 and len(now.sections[ppdf.TRAITS_SECTION]) == 4 * 24
    for words in (["disasm"], ["disasm", "--source"], ["check", "--write", "--gvars-max", "256"]):
        said = [dprobes(*words, path) for path in (OLD / "sample.v1", tmp_path / "now.ppdf")]
        assert said[0].status == 0 and said[0].stdout == said[1].stdout != "", words


def test_version_1_is_uploaded_as_version_2(agent, tool, monkeypatch):
    monkeypatch.setattr(fake, "PARTS", fake.PARTS | 1 << MAPS_PART)
    agent.word, agent.big = 8, True
    assert tool("insert", OLD / "sample.v1", "--write", "--dont-verify-opcodes").status == 0
    program = agent.programs[0]
    assert program.data[4] == 2 and [point.minor for point in program.points] == [1, 2, 3, 4]
    assert [traits.maxhits for traits in program.traits] == [0x7FFFFFFF, 5, 0x7FFFFFFF, 0x7FFFFFFF]


def test_damaged_version_1(dprobes, tmp_path, old):
    """Whatever byte is another one: refused with a sentence, and never converted unseen."""
    head = int.from_bytes(old[8:12], "big")
    for at in range(0, head, 7):
        refused(dprobes, tmp_path, old[:at] + bytes([old[at] ^ 0x10]) + old[at + 1:])
    for at, value, sentence in ((41, b"\1", "reserved"), (44, b"\1", "larger than any"), (60, b"\x7f", "section"), (33, b"\x03", "reserved"),
                                (132 + 15, b"\1", "field")):
        said = refused(dprobes, tmp_path, change(old, at, value, head))
        assert sentence in said, (at, said)
    said = refused(dprobes, tmp_path, old[:-1] + bytes([old[-1] ^ 1]))
    assert "the part with source and symbols is damaged" in said
