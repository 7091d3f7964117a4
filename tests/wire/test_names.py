# SPDX-License-Identifier: BSD-2-Clause
"""Names in the output: addresses, words, times, variables and stack traces, by the ELF file, against the agent of
fake_agent.py. FORMATS.md, Names."""
import json
import signal
import subprocess
import sys

import pytest

from harness import process, wire
from harness.link import hit_while_installed
from harness.paths import TOP, built, program

sys.path[:0] = [str(TOP / "host" / "python"), str(TOP / "host" / "install")]

import dprobes as module  # noqa: E402
import layout  # noqa: E402

ARM = 2  # cpus.def
SOURCE = """
        .syntax unified
        .text
        .thumb
        .global put
        .type put, %function
        .thumb_func
put:    nop
        nop
        .size put, . - put
        .global isr
        .type isr, %function
        .thumb_func
isr:    bl put
        nop
        .size isr, . - isr
        .data
        .global ring
        .type ring, %object
ring:   .space 64
        .size ring, 64
edge:   .word 0
"""
PUT, ISR, RING = 0x8040, 0x8044, 0x20000  # the build-id stands before
WORDS = f"""\
name = net
major = 3
vars = 2
offset = put
minor = 9
push r, lr
push r, r0
log 2
exit
address = {ISR}
minor = 10
push 8
push r, r0
log mrf
exit
"""


def word(value, order="little"):
    return value.to_bytes(4, order)


@pytest.fixture(scope="session")
def elf(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    (folder / "a.s").write_text(SOURCE)
    subprocess.run([program("arm-none-eabi-gcc"), "-mcpu=cortex-a9", "-nostdlib", f"-Wl,-Ttext={PUT:#x}",
                    f"-Wl,-Tdata={RING:#x}", "-Wl,--build-id=sha1", "-Wl,-e,put", "-o", "fw.elf", "a.s"],
                   cwd=folder, check=True)
    return folder / "fw.elf"


@pytest.fixture
def arm(agent):
    agent.cpu = ARM
    return agent


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.dp"
    path.write_text(WORDS)
    return path


def run(tool, arm, words, elf, *args, body=word(RING) + word(ISR + 5)):
    arm.requests.clear()
    hit_while_installed(arm, 1, body)
    result = tool("run", words, "--elf", elf, "--count", "1", *args)
    assert result.status == 0, result.stderr
    return result


def test_words_of_a_record(tool, arm, words, elf):
    """A return address has the bit of its instruction set, which is no part of the offset."""
    assert run(tool, arm, words, elf).lines() == [
        "DProbes(3,9) ring isr+0x4", "net lv 0 = 0x00000000 (0)", "net lv 1 = 0x00000000 (0)",
        f"hits: net minor 9 at {PUT:#010x} (put): 1", f"hits: net minor 10 at {ISR:#010x} (isr): 0"]


def test_words_of_a_capture(tool, dprobes, arm, words, elf, tmp_path):
    """A capture has no names: the ELF file of `report` has them."""
    live = run(tool, arm, words, elf, "--record", tmp_path / "run.capture")
    assert dprobes("report", tmp_path / "run.capture", "--elf", elf).lines() == live.lines()
    (tmp_path / "empty").mkdir()
    without = dprobes("report", tmp_path / "run.capture", cwd=tmp_path / "empty")
    assert without.status == 0 and "DProbes(3,9) " + (word(RING) + word(ISR + 5)).hex() in without.lines()


@pytest.mark.parametrize("value,text", [
    (0, "0"), (4095, "4095"), (PUT, "put"), (PUT + 3, "put+0x2"), (ISR + 6, str(ISR + 6)), (RING + 63, "ring+0x3f"),
    (RING + 64, str(RING + 64)), (999999, "999999"), (1000000, "0xf4240"), (0xFFFFFFFF, "0xffffffff")])
def test_a_number_is_no_name(tool, arm, words, elf, value, text):
    """Inside a function or an object with a size, else a number: decimal below a million."""
    assert run(tool, arm, words, elf, body=word(value) * 2).lines()[0] == f"DProbes(3,9) {text} {text}"


def test_without_names(tool, arm, words, elf):
    """--no-names prints the same as no ELF; so does a record that holds something else than whole words."""
    plain = ["DProbes(3,9) " + (word(RING) + word(ISR + 5)).hex(), "net lv 0 = 0x00000000 (0)",
             "net lv 1 = 0x00000000 (0)", f"hits: net minor 9 at {PUT:#010x}: 1", f"hits: net minor 10 at {ISR:#010x}: 0"]
    assert run(tool, arm, words, elf, "--no-names").lines() == plain
    assert run(tool, arm, words, elf, body=b"\1\2\3").lines()[0] == "DProbes(3,9) 010203"


def test_json_keeps_the_numbers(tool, arm, words, elf):
    record, *_rest = run(tool, arm, words, elf, "--format", "json").objects()
    assert record["data"] == (word(RING) + word(ISR + 5)).hex()
    assert record["words"] == [RING, ISR + 5] and record["word_texts"] == ["ring", "isr+0x4"]
    assert _rest[-1]["symbol"] == "isr" and _rest[-1]["address"] == f"{ISR:#010x}"
    record, *_rest = run(tool, arm, words, elf, "--format", "json", "--no-names").objects()
    assert not {"words", "word_texts", "pc_symbol"} & set(record) and "symbol" not in _rest[-1]


def test_items_and_notices(logged, arm, elf):
    """pc and sp by name, the time in seconds with the digits of a tick, a stray trap by name."""
    arm.hz = 1000000
    text = logged(arm, "--elf", elf, items="pc,sp,tsc", record={"pc": PUT, "sp": RING + 8, "tsc": 2500001})
    assert "DProbes(3,9) pc=put sp=ring+0x8 tsc=2.500001s " in text
    assert f"pc={ISR + 2:08x} (isr+0x2) found 0xe7f001f8" in text


@pytest.fixture
def logged(dprobes, tool, words):
    """What log prints of a record and a notice."""
    def get(arm, *args, items, record):
        assert tool("insert", words, "--elf", args[1], "--log", items).status == 0
        running = dprobes.listen("--port", arm.url, "--count", "1", *args)
        arm.sync()
        arm.notice(3, (ISR + 2).to_bytes(4, "big") + (0xE7F001F8).to_bytes(4, "big"))
        arm.hit(word(1) + word(2), items=record)
        run = running.wait()
        return run.stdout + run.stderr
    return get


def listen(dprobes, arm, *args, bodies, points=(0,)):
    running = dprobes.listen("--port", arm.url, "--count", str(len(bodies)), *args)
    arm.sync()
    for body, point in zip(bodies, points * len(bodies)):
        arm.hit(body, point=point)
    return running.wait()


def test_log_takes_the_program_for_words(dprobes, tool, arm, words, elf):
    assert tool("insert", words, "--elf", elf).status == 0
    body = word(RING) + word(7)
    plain = f"DProbes(3,9) {body.hex()}"
    assert listen(dprobes, arm, "--elf", elf, bodies=[body]).lines() == [plain]
    assert listen(dprobes, arm, words, "--elf", elf, bodies=[body]).lines() == ["DProbes(3,9) ring 7"]
    assert listen(dprobes, arm, words, "--elf", elf, bodies=[body], points=(1,)).lines() == [f"DProbes(3,10) {body.hex()}"]
    words.write_text(WORDS + "push 1\n")
    other = listen(dprobes, arm, words, "--elf", elf, bodies=[body])
    assert other.lines() == [plain] and "no installed program was made from" in other.stderr


def test_another_firmware_has_no_names(tool, arm, words, elf):
    """The ELF of another build would name the wrong functions."""
    assert tool("insert", words, "--elf", elf).status == 0
    arm.identity, arm.build_id = 1, b"\x11" * 20
    listed = tool("list", "--elf", elf)
    assert "(put" not in listed.stdout and "the target does not run" in listed.stderr
    arm.identity, arm.build_id = 0, b""
    assert f"minor 9 at {PUT:#010x} (put, thumb): armed" in tool("list", "--elf", elf).stdout
    assert f"minor 9 at {PUT:#010x} (thumb): armed" in tool("list", "--elf", elf, "--no-names").stdout
    assert tool("list", "--elf", elf, "--format", "json").objects()[0]["probes"][0]["symbol"] == "put"


def test_elf_that_will_not_do(tool, arm, tmp_path):
    for command in ("list", "vars", "log"):
        said = tool(command, "--elf", tmp_path / "none.elf")
        assert said.status == 1 and "none.elf: error: cannot read it" in said.stderr and not arm.requests


def test_variables_by_name(tool, arm, words, elf):
    assert tool("insert", words, "--elf", elf).status == 0
    arm.programs[0].variables = [ISR, 5]
    assert tool("vars", "--elf", elf).lines()[:2] == [f"net lv 0 = {ISR:#010x} (isr)", "net lv 1 = 0x00000005 (5)"]
    assert [row.get("symbol") for row in tool("vars", "--elf", elf, "--format", "json").objects()[:2]] == ["isr", None]


@pytest.mark.parametrize("end", ["count", "until", "timeout"])
def test_run_ends_with_the_variables(tool, arm, words, elf, end):
    """As they were when the program was removed, whatever ends the run."""
    def on_line(_seq, _payload):
        for installed in arm.programs.values():
            installed.variables = [RING + 4, 3]
    arm.on_line = on_line
    hit_while_installed(arm, 1, word(1) + word(2))
    words_of = {"count": ["--count", "1"], "until": ["--until", "DProbes"], "timeout": ["--timeout", "0.2"]}[end]
    assert tool("run", words, "--elf", elf, *words_of).lines()[1:3] == [
        f"net lv 0 = {RING + 4:#010x} (ring+0x4)", "net lv 1 = 0x00000003 (3)"]


def test_run_ends_with_the_variables_also_on_an_interrupt(dprobes, arm, words, elf):
    hit_while_installed(arm, 1, word(1) + word(2))
    running = dprobes.start("run", words, "--elf", elf, "--port", arm.url)
    running.out.expect(r"DProbes\(3,9\) 1 2\n")
    running.process.send_signal(signal.SIGINT)
    result = running.wait()
    assert result.status == 130 and "net lv 1 = 0x00000000 (0)" in result.lines() and not arm.programs


def test_tally(dprobes, tool, arm, words, elf):
    """Equal records once, the most frequent first; their times do not matter."""
    assert tool("insert", words, "--elf", elf, "--log", "tsc").status == 0
    a, b = word(RING) + word(1), word(PUT) + word(2)

    def tally(*args):
        running = dprobes.listen("--port", arm.url, "--count", "3", "--tally", *args)
        arm.sync()
        for n, body in enumerate((a, b, b)):
            arm.hit(body, items={"tsc": n})
        return running.wait()
    assert tally(words, "--elf", elf).lines() == ["      2  DProbes(3,9) put 2", "      1  DProbes(3,9) ring 1"]
    rows = [json.loads(line) for line in tally("--format", "json").lines()]
    assert [(row["times"], row["data"]) for row in rows] == [(2, b.hex()), (1, a.hex())]
    assert not {"ticks", "seconds", "tsc"} & set(rows[0])
    raw = tool("log", "--tally", "--format", "raw")
    assert raw.status == 1 and "--format raw prints lines as they come; leave --tally out" in raw.stderr


TRACED = """\
name = net
major = 3
autostacktrace = yes
offset = put
minor = 9
push r, r0
call look
exit
proc look
push mem, u8
ret
endproc
"""


def trace(parameter):
    """A trace of one record with one frame: the procedure at 0xb, which returns to 8."""
    lists = b"\4\0\0" + b"\5\0\0" + b"\6\0\0"
    record = word(1) + word(0xFFFFFFFF) + word(parameter) + word(0) + b"\3\1\0" + word(0xb) + word(8) + lists
    return b"\1\3\0net" + PUT.to_bytes(8, "little") + word(0) + b"\3\0\x09\0" + b"\2\1\0" + record


def test_exception(dprobes, tool, arm, tmp_path, elf):
    """Its name, the parameter by name, procedures with their source lines, whose handler it ended."""
    path = tmp_path / "traced.dp"
    path.write_text(TRACED)
    assert tool("insert", path, "--elf", elf).status == 0
    number = arm.programs[0].numbers[0]

    def log(*args):
        running = dprobes.listen("--port", arm.url, "--count", "2", *args)
        arm.sync()
        arm.hit(b"", flags=1)
        arm.records(wire.record(number, arm._ticks(), trace(RING + 1), kind=1))
        return running.wait().lines()
    assert log(path, "--elf", elf) == [
        f"DProbes(3,9) <ended by an exception in the handler at {path}:4>",
        "DProbes(0,0) trace",
        f"stack trace of net, id 0, codes 3,9, probe at {PUT:#x} (put)",
        "exception INVALID_ADDR (ring+0x1, 0x0)",
        f"  procedure at 0xb ({path}:9), returns to 0x8 ({path}:7)"]
    assert log() == ["DProbes(3,9) <ended by an exception>", f"DProbes(0,0) trace {trace(RING + 1).hex()}"]


def test_address_of_a_template(dprobes, tmp_path, elf):
    (tmp_path / "t.dp").write_text(WORDS)
    (tmp_path / "t.tpl").write_text('major = 3\nminor = 9, desc = "d", fmt = "%4a from %4a"\n')
    words = ["simulate", "t.dp", "--templates", "t.tpl", "--reg", f"r0={RING + 2}", "--reg", f"lr={ISR + 5}"]
    assert "\n    ring+0x2 from isr+0x4\n" in dprobes(*words, "--elf", elf, cwd=tmp_path).stdout


def test_until_sees_names_and_numbers(dprobes, tool, arm, words, elf):
    assert tool("insert", words, "--elf", elf).status == 0
    for regex in (r"ring isr\+0x4$", f"{word(ISR + 5).hex()}$"):
        running = dprobes.listen("--port", arm.url, words, "--elf", elf, "--until", regex, "--format", "json")
        arm.sync()
        arm.hit(word(RING) + word(ISR + 5))
        assert running.wait().status == 0


# ---- the simple interface ------------------------------------------------------------------------

@pytest.fixture
def session(arm, elf):
    """The Python module over dprobes/simple.h, on the agent's line."""
    with module.Session(built("host", f"libdprobes.so.{layout.version()}"), port=arm.url, elf=elf) as made:
        yield made


def next_record(session, arm, body, program=0):
    arm.hit(body, program=program)
    return session.next(process.TIMEOUT_S)


def test_a_record_of_the_simple_interface(session, arm):
    """line and fields are those of `dprobes run`."""
    session.insert(WORDS)
    record = next_record(session, arm, word(RING) + word(ISR + 5))
    assert (record.line, record.words) == ("DProbes(3,9) ring isr+0x4", (RING, ISR + 5))
    assert record.fields["word_texts"] == ["ring", "isr+0x4"]


def test_each_program_has_its_own_names(session, arm):
    """Settings count from the next insertion on."""
    session.insert(WORDS)
    session.set("no_names", True)
    numbers = session.insert(WORDS.replace("net", "numbers"))
    body = word(RING) + word(ISR + 5)
    assert next_record(session, arm, body, program=numbers.index).line == f"DProbes(3,9) {body.hex()}"
    assert next_record(session, arm, body).line == "DProbes(3,9) ring isr+0x4"


def test_a_program_after_a_removed_one(session, arm):
    """The new program has the index of the removed one."""
    old = session.insert(WORDS)
    old.remove()
    new = session.insert(WORDS.replace("log 2", "log 1"))
    assert new.index == old.index
    assert next_record(session, arm, word(RING)).line == "DProbes(3,9) ring"


def test_a_program_without_the_elf(session, arm):
    """Its records stay numbers."""
    session.set("elf", None)
    session.set("any_opcode", True)
    session.insert("name = net\nmajor = 3\naddress = 0x9000\nminor = 9\npush 1\nlog 1\nexit\n")
    assert next_record(session, arm, word(RING)).line == f"DProbes(3,9) {word(RING).hex()}"


def test_text_of_d(session, arm):
    """The data of this one needs no byte."""
    session.insert('put:entry { printf("taken"); }')
    assert next_record(session, arm, b"").line.endswith(" put:entry taken")
