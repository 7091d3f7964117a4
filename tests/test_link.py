# SPDX-License-Identifier: BSD-2-Clause
"""dprobes against an agent that was written from PROTOCOL.md alone (fake_agent.py).

What a target and a line can do to a host, each with its sentence and its exit status.
"""
import json
import signal
import subprocess
import threading
import time

import pytest

import fake_agent as fake
import wire
from harness import process
from harness.paths import program
from harness.tool import environment

NET = """\
name = net
major = 3
id = 7
vars = 4
address = 0x1000
opcode = 0x01020304
minor = 9
push 1
log 1
exit
address = 0x1010
opcode = 0x01020304
minor = 10
exit
"""


@pytest.fixture
def agent(tmp_path):
    made = fake.FakeAgent(tmp_path / "com1")
    yield made
    made.close()


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "net.dp"
    path.write_text(NET)
    return path


@pytest.fixture
def tool(dprobes, agent):
    """dprobes on the agent's line, without talk."""
    def run(*args, **options):
        return dprobes(*args, "--port", agent.url, **options)
    return run


@pytest.fixture
def logging(dprobes, agent, tool, net):
    """A dprobes log that has begun, with the program installed. Call to give it arguments."""
    def start(*args, items=None):
        assert tool("insert", net, *(["--log", items] if items else [])).status == 0
        running = dprobes.start("log", "--port", agent.url, *args)
        agent.wait(lambda: agent.requests[-1][0] == fake.STATUS)
        agent.sync()  # from here on losses are exact
        return running
    return start


def hexdata(body):
    return body.hex()


# ---- hello, insert, list, remove --------------------------------------------------------------

def test_insert_list_remove(agent, tool, net):
    run = tool("insert", net, "--log", "pid pc")
    assert run.status == 0 and "2 probe(s) armed" in run.stdout
    assert agent.programs[0].items == 0x0C
    assert agent.programs[0].name == b"net"
    run = tool("list", "--format", "json")
    (program,) = run.objects()
    assert (program["program"], program["id"], program["major"]) == ("net", 7, 3)
    assert program["items"] == "pid,pc"
    assert [(p["minor"], p["address"]) for p in program["probes"]] == [
        (9, "0x00001000"), (10, "0x00001010")]
    assert "net: program 0" in tool("list").stdout
    assert tool("remove", "net").status == 0
    assert not agent.programs
    assert tool("list", "--format", "json").stdout == ""


def test_sessions_are_random_and_end_one_another(agent, tool):
    for _ in range(3):
        assert tool("list").status == 0
    assert len(set(agent.sessions)) == 3 and 0 not in agent.sessions


def test_upload_arrives_byte_for_byte(agent, tool, dprobes, tmp_path):
    source = tmp_path / "big.dp"
    source.write_text(NET + "address = 0x1020\nopcode = 0x01020304\n"
                      + "push 0x123456\npop lv, 1\n" * 400 + "exit\n")
    built = tmp_path / "big.ppdf"
    assert dprobes("build", source, "-o", built).status == 0
    assert tool("insert", built).status == 0
    data = agent.programs[0].data
    assert built.read_bytes().startswith(data) and len(data) > 2000
    assert b"".join(piece for _, piece in agent.data_applied) == data


def test_selection_by_group(agent, tool, tmp_path):
    source = tmp_path / "g.dp"
    source.write_text("""\
name = g
groupdef = fast slow
address = 0x1000
opcode = 0x01020304
group = fast
exit
address = 0x1010
opcode = 0x01020304
group = slow
exit
""")
    assert tool("insert", source, "--group", "slow").status == 0
    assert agent.programs[0].selected == [False, True]
    run = tool("insert", source, "--group", "none")
    assert run.status == 1 and "no probe point is in these groups" in run.stderr


def test_merge_and_replace(agent, tool, net):
    assert tool("insert", net).status == 0
    run = tool("insert", net)
    assert run.status == 4 and "--replace" in run.stderr
    assert tool("insert", net, "--merge").status == 0 and len(agent.programs) == 2
    assert tool("insert", net, "--replace").status == 0 and len(agent.programs) == 1


def test_long_names_are_fetched_whole(agent, tool, tmp_path):
    name = "a_name_of_" + "x" * 50
    source = tmp_path / "long.dp"
    source.write_text(NET.replace("name = net", f"name = {name}"))
    assert tool("insert", source).status == 0
    assert tool("list", "--format", "json").objects()[0]["program"] == name
    assert tool("remove", name).status == 0


def test_list_one_program(agent, tool, net):
    assert tool("insert", net).status == 0
    assert tool("list", "net").stdout == tool("list").stdout != ""
    for words in (["list", "nett"], ["--query", "--name", "nett"]):
        run = tool(*words)
        assert (run.status, run.stdout) == (4, "") and "no program 'nett' is installed" in run.stderr


def test_insert_and_remove_tell_it_as_asked(agent, tool, net, tmp_path):
    """--output and --format hold for every command."""
    said = tmp_path / "said"
    for words, told in ((["insert", net], {"kind": "inserted", "program": "net", "index": 0, "armed": 2,
                                           "waiting": 0}),
                        (["remove", "net"], {"kind": "removed", "programs": 1})):
        run = tool(*words, "--format", "json", "--output", said)
        assert (run.status, run.stdout) == (0, ""), run.stderr
        assert json.loads(said.read_text()) == told
    run = tool("insert", net, "--output", tmp_path / "no" / "such")
    assert run.status == 1 and not agent.programs, "nothing is armed that could not be told"


def test_remove_of_what_is_not_there(tool):
    run = tool("remove", "net")
    assert run.status == 4 and "no program 'net' is installed" in run.stderr
    assert tool("remove", "--all").status == 0
    assert tool("remove").status == 1


def test_info(agent, tool):
    agent.identity, agent.build_id = 1, bytes(range(20))
    agent.module_name = b"a_long_module_name_of_the_firmware"
    (info,) = tool("info", "--format", "json").objects()
    assert info["cpu"] == "sim" and info["word_bits"] == 32 and info["boot"] == 1
    assert info["modules"][0]["name"] == agent.module_name.decode()
    assert info["modules"][0]["id"] == bytes(range(20)).hex()
    assert info["limits"]["stack_high_water"] == 600
    text = tool("info").stdout
    assert "sim, 32-bit, little-endian, boot 1" in text and "records go to com1" in text


@pytest.mark.parametrize("word, big", [(4, False), (4, True), (8, False), (8, True)])
def test_variables(agent, tool, net, word, big):
    assert tool("insert", net).status == 0
    agent.word, agent.big = word, big
    agent.programs[0].variables = [1, 2, 3, 0xFFFFFFFF]
    agent.gvars = list(range(40))
    values = [(o["kind"], o["index"], o["value"]) for o in tool("vars", "--format", "json").objects()]
    assert values == [("local", n, v) for n, v in enumerate([1, 2, 3, 0xFFFFFFFF])] + [
        ("global", n, n) for n in range(40)]
    run = tool("vars", "net", "--index", "1-2")
    assert [line.split()[-1] for line in run.lines()] == ["(2)", "(3)"]
    assert tool("vars", "net", "--reset").stdout == ""
    assert agent.programs[0].variables == [0] * 4 and agent.gvars[39] == 39
    assert tool("vars", "other").status == 4


# ---- records ----------------------------------------------------------------------------------

def test_records_with_items(agent, logging):
    running = logging("--count", "2", items="all")
    agent.hit(b"\x01\x00\xff", items={"cpu": 2, "name": b"idle", "pid": 7, "pc": 0x60001234,
                                      "sp": 0x20000ff0, "tsc": 0x1_00000002})
    agent.hit(b"", point=1)
    run = running.wait()
    assert run.status == 0
    assert run.lines() == [
        "DProbes(3,9) cpu=2 name=idle pid=7 pc=60001234 sp=20000ff0 tsc=00000001:00000002 0100ff",
        "DProbes(3,10) cpu=0 name= pid=0 pc=00000000 sp=00000000 tsc=00000000:00000000"]


def test_records_as_json(agent, logging):
    running = logging("--count", "3", "--format", "json", items="pid")
    agent.hit(b"ab", items={"pid": 5})
    agent.hit(b"c", flags=1, major=8, minor=90)
    agent.records(wire.record(0, agent._ticks(), b"trace", kind=1, flags=0x10))
    run = running.wait()
    records = run.objects()
    assert [r["kind"] for r in records] == ["log", "log", "trace"]
    assert records[0]["program"] == "net" and records[0]["pid"] == 5
    assert records[0]["data"] == "6162"
    assert (records[1]["major"], records[1]["minor"]) == (8, 90) and records[1]["exception"]
    assert records[2]["truncated"] and records[2]["data"] == hexdata(b"trace")
    assert run.status == 0


@pytest.mark.parametrize("length", [0, 1, 14, 15, 54, 55, 56, 57, 112, 113, 1024, 4095])
def test_records_of_every_length(agent, logging, length):
    """14/15: length form; 51..57: one line or two; 4095: the longest there is."""
    running = logging("--count", "1")
    body = bytes(n * 7 & 0xFF for n in range(length))
    agent.hit(body)
    run = running.wait()
    assert run.status == 0
    assert run.lines() == [f"DProbes(3,9) {hexdata(body)}".rstrip()]


def test_several_records_share_a_line(agent, logging):
    running = logging("--count", "5")
    number = agent.programs[0].numbers[0]
    agent.records(*(wire.record(number, 5, bytes([n])) for n in range(5)))
    assert running.wait().lines() == [f"DProbes(3,9) 0{n}" for n in range(5)]


def test_sync_between_pieces(agent, logging):
    """Pieces need not be neighbours: sync and notice lines may stand between."""
    running = logging("--count", "1")
    digits = wire.record(0, 5, bytes(100))
    with agent.lock:
        agent.sent[0] += 0
        agent._stream("P", "000" + digits[:100])
        agent.sync()
        agent._stream("P", "101" + digits[100:])
        agent.sent[0] += 1
    run = running.wait()
    assert run.lines() == [f"DProbes(3,9) {'00' * 100}"] and run.status == 0


def test_lost_line_is_told_and_counted_exactly(agent, logging):
    running = logging("--until", "ff")
    agent.hit(b"\x01")
    number = agent.programs[0].numbers[0]
    agent.records(*(wire.record(number, 5, b"\x02") for _ in range(4)), lose=True)
    agent.hit(b"\x03")
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5
    assert [line.split(";")[0] for line in run.lines()] == [
        "DProbes(3,9) 01", "lost: 1 line(s) of stream 0 did not arrive",
        "DProbes(3,9) 03", "lost: 4 record(s) of stream 0 on the line", "DProbes(3,9) ff"]


def test_300_lost_lines_are_counted_exactly(agent, logging):
    """A line number has 8 bits; the sync has 32."""
    running = logging("--until", "ff", "--format", "json")
    agent.sync_each_s = 0
    agent.hit(b"\x01")
    for _ in range(300):
        agent.hit(b"\x02", lose=True)
    agent.sync()
    agent.hit(b"\xff")
    gaps = [o for o in running.wait().objects() if o["kind"] == "records lost"]
    assert sum(gap["count"] for gap in gaps) == 300


def test_a_lost_sync_line_is_no_loss(agent, logging):
    running = logging("--until", "ff")
    agent.sync(lose=True)
    agent.hit(b"\x01")
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 0 and "held no record" in run.stdout


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_record_with_a_lost_piece_never_comes_out(agent, logging, lost):
    running = logging("--until", "ff")
    agent.hit(bytes(150), lose=(lost,))
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5
    assert [line for line in run.lines() if line.startswith("DProbes")] == ["DProbes(3,9) ff"]
    assert "lost: 1 record(s)" in run.stdout


def test_dropped_and_missed(agent, logging):
    running = logging("--until", "ff")
    agent.sync()
    agent.dropped[0] += 12
    agent.missed[0] += 3
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5
    assert "lost: 12 record(s) of stream 0 found the agent's ring full" in run.stdout
    assert "missed: 3 hit(s)" in run.stdout


def test_missed_hits_alone_are_no_loss(agent, logging):
    running = logging("--until", "ff")
    agent.missed[0] += 3
    agent.sync()
    agent.hit(b"\xff")
    assert running.wait().status == 0


def test_withdrawn_record_is_suppressed(agent, logging):
    running = logging("--until", "ff")
    number = agent.programs[0].numbers[0]
    agent.records(wire.record(number, 100, b"\x01"), wire.record(number, 200, b"\x02"))
    agent.records(wire.record(number, 200, kind=2))
    agent.hit(b"\xff")
    run = running.wait()
    assert run.lines() == ["DProbes(3,9) 01", "DProbes(3,9) ff"] and run.status == 0


def test_late_withdraw_is_told(agent, logging):
    running = logging("--until", "ff")
    agent.records(wire.record(0, 100, b"\x01"))
    running.out.expect("DProbes")
    agent.records(wire.record(0, 100, kind=2))
    agent.hit(b"\xff")
    assert "withdrawn: the record of probe 0 at tick ...00064 is void" in running.wait().stdout


@pytest.mark.parametrize("digits", ["0012345F00E" + "00" * 14, "F0000012345F000", "F300001234 5F000",
                                    "F0200012345F000", "F000F012345F000", "00123454010203", "00"])
def test_what_is_no_record_is_dropped_and_counted(agent, logging, digits):
    running = logging("--until", "ff")
    agent.records(digits.replace(" ", ""))
    agent.hit(b"\xff")
    run = running.wait()
    assert run.status == 5 and "makes no sense" in run.stdout
    assert [line for line in run.lines() if line.startswith("DProbes")] == ["DProbes(3,9) ff"]


def test_streams_are_apart(agent, logging):
    """Line numbers and counts are per stream (CPU); order is kept within each."""
    running = logging("--count", "8", "--format", "json")
    for n in range(2):
        for stream in (0, 3, 15, 7):
            agent.hit(bytes([n]), stream=stream)
    run = running.wait()
    assert run.status == 0
    assert sorted((r["stream"], r["data"]) for r in run.objects()) == [
        (stream, data) for stream in (0, 3, 7, 15) for data in ("00", "01")]


def test_ticks_are_extended(agent, logging):
    running = logging("--count", "4", "--format", "json")
    agent.sync_each_s = 0
    agent.sync(ticks=0x7_FFFFF000)
    agent.hit(b"", ticks=0x7_FFFFEFFF)
    agent.hit(b"", ticks=0x8_00000001)
    agent.hit(b"", ticks=0x8_0007FFFF)
    agent.sync(ticks=0x9_00000000)
    agent.hit(b"", ticks=0x9_00000010)
    records = running.wait().objects()
    assert [r["ticks"] for r in records] == [
        0x7_FFFFEFFF, 0x8_00000001, 0x8_0007FFFF, 0x9_00000010]
    assert records[0]["seconds"] == pytest.approx(0x7_FFFFEFFF / 1e6)


def test_notices(agent, logging):
    running = logging("--until", "ff")
    agent.notice(3, (0x60001234).to_bytes(4, "big") + (0xE7F001F8).to_bytes(4, "big"))
    agent.notice(99)
    agent.hit(b"\xff")
    lines = running.wait().lines()
    assert lines[0].startswith("notice: a trap word was hit") and "pc=60001234" in lines[0]
    assert lines[1] == "notice: something this dprobes does not know"


def test_raw_is_what_came(agent, logging):
    running = logging("--count", "2", "--format", "raw")
    first = agent.records(wire.record(0, 1, b"\x01"))
    agent.hit(b"\x02")
    lines = running.wait().lines()
    records = [line for line in lines if line.startswith("~R")]
    assert first is None and len(records) == 2
    assert all(wire.stream(line[1], line[2:-4]) == line.encode() + b"\n" for line in lines)


def test_records_during_the_insert_are_decoded(agent, dprobes, net):
    """Hits before the host knows what the probe numbers mean."""
    def on_line(_seq, payload):
        if payload[0] == fake.PROGRAM and agent.programs:
            agent.hit(b"\x01", items={"pid": 4})
    agent.on_line = on_line
    run = dprobes("run", net, "--log", "pid", "--count", "3", "--port", agent.url)
    assert run.lines()[:3] == ["DProbes(3,9) pid=4 01"] * 3 and run.status == 0


# ---- run --------------------------------------------------------------------------------------

def hit_while_installed(agent, count, body=b"\x01"):
    def later():
        agent.wait(lambda: any(command == fake.PROBE for command, _ in agent.requests))
        for _ in range(count):
            agent.hit(body)
    threading.Thread(target=later, daemon=True).start()


def test_run_to_count(agent, tool, net):
    hit_while_installed(agent, 5)
    run = tool("run", net, "--count", "5")
    assert run.status == 0
    assert run.lines() == ["DProbes(3,9) 01"] * 5 + [
        "hits: net minor 9 at 0x00001000: 5", "hits: net minor 10 at 0x00001010: 0"]
    assert not agent.programs


def test_run_names_what_it_replaces(agent, tool, net):
    """Records of the replaced program that are still on their way."""
    assert tool("insert", net).status == 0

    def on_line(_seq, payload):
        if payload[0] == fake.COMMIT:
            agent.hit(b"\x05")
    agent.on_line = on_line
    net.write_text(NET.replace("minor = 9", "minor = 11"))
    run = tool("run", net, "--replace", "--count", "1")
    assert run.status == 0 and "DProbes(3,9) 05" in run.lines(), run.stdout


def test_run_for_a_time(agent, tool, net):
    hit_while_installed(agent, 2)
    run = tool("run", net, "--timeout", "0.7")
    assert run.status == 0 and run.stdout.count("DProbes") == 2 and not agent.programs


def test_run_gives_up_waiting(agent, tool, net):
    run = tool("run", net, "--until", "never", "--timeout", "0.5")
    assert run.status == 124 and "gave up after 0.5 s" in run.stderr and not agent.programs


def test_until_sees_the_console(agent, tool, net):
    def later():
        agent.wait(lambda: agent.programs)
        agent.emit(b"boot ok\r\ntest PASS")
        agent.emit(b"ED\r\n")
    threading.Thread(target=later, daemon=True).start()
    run = tool("run", net, "--until", "^test PASSED$", "--timeout", "20")
    assert run.status == 0 and not agent.programs


def test_until_is_checked(tool, net):
    run = tool("run", net, "--until", "(")
    assert run.status == 1 and "not a regular expression" in run.stderr


def test_interrupt_removes(agent, dprobes, net):
    running = dprobes.start("run", net, "--port", agent.url)
    agent.wait(lambda: agent.programs)
    agent.wait(lambda: any(command == fake.PROBE for command, _ in agent.requests))
    agent.hit(b"\x07")
    running.out.expect("DProbes")
    run = running.interrupt()
    assert run.status == 130 and not agent.programs
    assert "hits: net minor 9 at 0x00001000: 1" in run.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_while_it_is_armed(agent, dprobes, net, number):
    """Between COMMIT and its answer nobody knows what is armed: run waits for it, and removes."""
    started, sent = threading.Event(), []

    def on_line(_seq, payload):
        started.wait(20)
        if payload[0] == fake.COMMIT and not sent:
            sent.append(number)
            running.process.send_signal(number)
            return fake.EXECUTE_SILENTLY  # what answers is the repetition
        return None
    agent.on_line = on_line
    running = dprobes.start("run", net, "--port", agent.url)
    started.set()
    run = running.wait()
    assert sent and run.status == 130, run.stderr
    assert not agent.programs


def test_records_on_their_way_at_the_end_are_printed(agent, tool, net):
    """What the agent sends between REMOVE and the sync behind it belongs to the run."""
    def on_line(_seq, payload):
        if payload[0] == fake.REMOVE and agent.programs:
            agent.hit(b"\x0e")
    agent.on_line = on_line
    run = tool("run", net, "--timeout", "0.3")
    assert "DProbes(3,9) 0e" in run.stdout and run.status == 0


# ---- the target says no -----------------------------------------------------------------------

@pytest.mark.parametrize("verdict, status, words", [
    ((52, 0, 1, 0, 0xE1A00000), 4, ["probe point 1 (minor 10, 0x00001010)", "expected 0x01020304",
                                    "found 0xe1a00000"]),
    ((48, 0, 0, 0, 0), 4, ["not in the firmware's text"]),
    ((50, 0, 0, 0, 0), 4, ["inside the agent"]),
    ((51, 0, 0, 0, 0), 4, ["not the start of an instruction"]),
    ((53, 7, 0, 0, 0xE1912F9F), 4, ["cannot be probed", "load-exclusive", "0xe1912f9f"]),
    ((57, 0, 0, 0, 0xE7F001F0), 4, ["breakpoint that is not ours"]),
    ((35, 0, 0xFFFF, 0, 0), 4, ["table is full"]),
    ((34, 0, 0xFFFF, 0, 0), 4, ["memory is full"]),
    ((37, 0, 0xFFFF, 0, 5), 4, ["--write", "the agent's build", "this session"]),
    ((4, 0, 0xFFFF, 0, 0), 4, ["another firmware image"]),
    ((16, 0, 0xFFFF, 1, 0x55), 2, ["opcode this agent does not know", "net.dp:"]),
    ((32, 0, 0xFFFF, 0, 0), 2, ["above the limit"]),
    ((200, 0, 0xFFFF, 0, 0), 4, ["does not know"]),
])
def test_verdicts(agent, tool, net, verdict, status, words):
    agent.verdict = verdict
    run = tool("insert", net)
    assert run.status == status, run.stderr
    for word in words:
        assert word in run.stderr
    assert not agent.programs
    agent.verdict = None
    assert tool("insert", net).status == 0, "the next good request works"


@pytest.mark.parametrize("command, arguments", [
    (fake.BEGIN, ["insert", "net.dp"]), (fake.LIMITS, ["list"]), (fake.VARS, ["vars", "--global"]),
    (fake.REMOVE, ["remove", "--all"]), (fake.STATUS, ["info"])])
def test_refused_requests(agent, tool, net, command, arguments):
    agent.answers[command] = 38
    run = tool(*[str(net) if a == "net.dp" else a for a in arguments])
    assert run.status == 4 and "locked the agent until the next reset" in run.stderr


def test_another_image(agent, tool, net, tmp_path, dprobes):
    """Build-ids are compared before a byte is sent."""
    built = tmp_path / "net.ppdf"
    assert dprobes("build", net, "-o", built).status == 0
    data = bytearray(built.read_bytes())
    modules = int.from_bytes(data[40 + 8:40 + 12], "big")
    data[modules + 1] = 1
    data[modules + 12:modules + 32] = bytes(range(20))
    length = int.from_bytes(data[8:12], "big")
    data[length - 4:length] = fake.zlib.crc32(data[:length - 4]).to_bytes(4, "big")
    built.write_bytes(data)
    agent.identity, agent.build_id = 1, bytes(20)
    run = tool("insert", built)
    assert run.status == 4 and "another firmware image" in run.stderr
    assert bytes(range(20)).hex() in run.stderr and "00" * 20 in run.stderr
    assert not any(command == fake.BEGIN for command, _ in agent.requests)
    agent.build_id = bytes(range(20))
    assert tool("insert", built).status == 0


def test_another_cpu(agent, tool, net):
    agent.cpu = 2
    run = tool("insert", net)
    assert run.status == 2 and "built for sim, 32-bit little-endian" in run.stderr
    assert "the target is arm" in run.stderr


def test_another_protocol_version(agent, tool):
    agent.version = 9
    run = tool("list")
    assert run.status == 4 and "protocol version 9, this dprobes version 1" in run.stderr


def test_short_answers(agent, tool):
    """An agent that answers nonsense with a right check does not break the host."""
    execute = agent._execute
    agent._execute = lambda payload: execute(payload)[:5] if payload[0] != fake.HELLO \
        else execute(payload)
    run = tool("info")
    assert run.status == 4 and "too short" in run.stderr


# ---- the line fails ---------------------------------------------------------------------------

def test_nobody_answers(agent, tool):
    agent.on_line = lambda seq, payload: fake.DROP
    start = time.monotonic()
    run = tool("list")
    assert run.status == 3 and "nobody answers" in run.stderr
    assert time.monotonic() - start < 12


def test_lost_answers_are_asked_for_again(agent, tool, net):
    """Every answer is lost once: nothing is done twice."""
    seen = set()

    def on_line(seq, payload):
        key = (seq, payload)
        if key in seen:
            return None
        seen.add(key)
        return fake.EXECUTE_SILENTLY
    agent.on_line = on_line
    assert tool("insert", net).status == 0
    agent.on_line = None
    assert len(agent.programs) == 1
    commits = [r for r in agent.requests if r[0] == fake.COMMIT]
    assert len(commits) == 1, "the repeat got the stored answer"


def test_naks_are_answered_at_once(agent, tool, net):
    seen = set()

    def on_line(seq, payload):
        key = (seq, payload)
        if key in seen:
            return None
        seen.add(key)
        return fake.NAK
    agent.on_line = on_line
    start = time.monotonic()
    assert tool("insert", net).status == 0
    assert time.monotonic() - start < 5


def test_busy_is_asked_again(agent, tool):
    left = [3]
    execute = agent._execute

    def busy(payload):
        if payload[0] == fake.LIMITS and left[0] > 0:
            left[0] -= 1
            return bytes([payload[0], fake.BUSY])
        return execute(payload)
    agent._execute = busy
    assert tool("list").status == 0 and left[0] == 0


def test_session_taken_over(agent, dprobes, tool, net):
    """Another host says hello: the first one's lines fail from then on, and it says so."""
    assert tool("insert", net).status == 0
    first = dprobes.start("log", "--port", agent.url)
    agent.wait(lambda: len(agent.sessions) == 2 and agent.requests[-1][0] == fake.STATUS)
    agent.sync_each_s = 0
    agent.session = 0x77777777
    run = first.wait()
    assert run.status == 3 and "another dprobes took it over" in run.stderr


def test_reboot_is_told_by_the_notice(agent, logging):
    running = logging()
    agent.hit(b"\x01")
    running.out.expect("DProbes")
    agent.reboot()
    run = running.wait()
    assert run.status == 3 and "the target was restarted (boot 1, now 2)" in run.stderr
    assert "DProbes(3,9) 01" in run.stdout


def test_reboot_is_told_by_a_sync(agent, logging):
    running = logging()
    agent.boot = 5
    agent.sync()
    run = running.wait()
    assert run.status == 3 and "(boot 1, now 5)" in run.stderr


def test_silent_reboot_is_noticed(agent, logging):
    """No notice, no sync: the host asks for a sign of life, and is not known any more."""
    running = logging()
    agent.sync_each_s = 0
    time.sleep(0.1)  # no sync is on its way
    agent.reboot(say=False)
    run = running.wait()
    assert run.status == 3 and "does not know this session any more" in run.stderr


@pytest.mark.parametrize("at", range(1, 12))
def test_reboot_at_every_line(agent, tool, net, at):
    """F4: a reset at each protocol line. The host says so; the next one can take over."""
    count = [0]

    def on_line(_seq, _payload):
        count[0] += 1
        return fake.REBOOT if count[0] == at else None
    agent.on_line = on_line
    run = tool("insert", net)
    agent.on_line = None
    if count[0] >= at and at > 1:
        assert run.status == 3, run.stderr
        assert "restarted" in run.stderr and not agent.programs
    assert tool("insert", net, "--replace").status == 0
    assert len(agent.programs) == 1


@pytest.mark.parametrize("at", range(1, 12))
def test_line_cut_at_every_request(agent, tool, net, at):
    """QEMU is killed: its sentence, and the next host takes over."""
    count = [0]

    def on_line(_seq, _payload):
        count[0] += 1
        return fake.CLOSE if count[0] == at else None
    agent.on_line = on_line
    run = tool("insert", net)
    agent.on_line = None
    if count[0] >= at:
        assert run.status == 3 and "closed at the other end" in run.stderr
    assert tool("insert", net, "--replace").status == 0
    assert len(agent.programs) == 1


def test_qemu_killed_in_mid_stream(agent, logging):
    running = logging()
    agent.hit(b"\x01")
    agent.emit(b"~R00")
    running.out.expect("DProbes")
    agent.hang_up()
    run = running.wait()
    assert run.status == 3 and "closed at the other end (QEMU ended" in run.stderr
    assert run.stdout == "DProbes(3,9) 01\n"
    assert "~R00" in run.stderr, "what was no frame is console text"


def test_target_hangs(agent, logging):
    running = logging()
    agent.sync_each_s = 0
    agent.on_line = lambda seq, payload: fake.DROP
    run = running.wait()
    assert run.status == 3 and "stopped answering" in run.stderr


# ---- console ----------------------------------------------------------------------------------

def test_console_text_is_untouched(agent, logging):
    """Everything that is no frame, byte for byte, with damaged frames and half ones in it."""
    running = logging("--until", "ff")
    text = (b"plain\r\n~not a frame\n~Z0\n~R00000000000\n" + b"~K07AAAA\n" + b"\x00\x80\xfe~~~\n"
            + wire.stream("R", "0000012345").replace(b"12345", b"12346"))
    agent.emit(text[:20])
    agent.sync()
    agent.emit(text[20:])
    agent.hit(b"\xff")
    run = running.wait()
    assert text.decode("utf-8", "replace") in run.stderr


def test_frame_in_the_middle_of_a_line_of_text(agent, logging):
    running = logging("--until", "ff")
    agent.emit(b"the quick brown ")
    agent.hit(b"\xff")
    agent.emit(b"fox")
    run = running.wait()
    assert run.lines() == ["DProbes(3,9) ff"] and "the quick brown " in run.stderr


def test_held_bytes_are_given_up(agent, dprobes):
    """A prompt may end in a marker: it appears after 50 ms, not with the next byte."""
    running = dprobes.start("console", "--port", agent.url)
    agent.wait(lambda: agent.client)
    agent.emit(b"ok ~")
    running.out.expect("ok ~")
    assert agent.sessions == [], "console says no hello"
    run = running.interrupt()
    assert run.status == 130


@pytest.mark.parametrize("stopped", [False, True])
def test_pause_in_a_line(agent, logging, stopped):
    """On a busy machine QEMU waits for its turn in the middle of a line, or we do."""
    running = logging("--count", "1")
    agent.sync_each_s = 0
    time.sleep(0.2)
    number = agent.programs[0].numbers[0]
    with agent.lock:
        line = agent._stream("R", wire.record(number, 5, bytes(20)), lose=True)
        agent.sent[0] += 1
    agent.emit(line[:30])
    time.sleep(0.2)
    if stopped:
        running.process.send_signal(signal.SIGSTOP)
        agent.emit(line[30:])
        time.sleep(1)
        running.process.send_signal(signal.SIGCONT)
    else:
        agent.emit(line[30:])
    run = running.wait()
    assert run.status == 0 and run.lines() == [f"DProbes(3,9) {'00' * 20}"]


def test_console_types(agent, dprobes):
    run = dprobes("console", "--port", agent.url, "--timeout", "0.5", stdin="help\n")
    assert run.status == 0 and bytes(agent.typed) == b"help\n"


def test_console_until(agent, dprobes):
    running = dprobes.start("console", "--port", agent.url, "--until", "^2 samples? missing$")
    agent.wait(lambda: agent.client)
    agent.emit(b"1 sample missing\r\n2 sample")
    agent.emit(b"s missing\r\nmore")
    assert running.wait().status == 0
    run = dprobes("console", "--port", agent.url, "--until", "never", "--timeout", "0.3")
    assert run.status == 124 and "gave up after 0.3 s" in run.stderr
    assert dprobes("console", "--port", agent.url, "--until", "(").status == 1


@pytest.mark.parametrize("words", [["list"], ["info"], ["vars"], ["remove", "--all"], ["insert", "NET"]])
def test_timeout_of_a_request(agent, tool, net, words):
    """A target that answers hello and nothing else; alone, dprobes would ask for 5 s."""
    agent.on_line = lambda _seq, payload: None if payload[0] == fake.HELLO else fake.DROP
    run = tool(*[net if word == "NET" else word for word in words], "--quiet", "--timeout", "0.4")
    assert (run.status, run.stderr) == (124, "dprobes: error: gave up after 0.4 s\n")


@pytest.mark.parametrize("words,asked", [
    (["info"], fake.LIMITS), (["info"], fake.MODULE), (["info"], fake.STATUS), (["list"], fake.PROBE),
    (["list"], fake.PROGRAM), (["vars"], fake.VARS)])
def test_json_of_what_failed_is_json(agent, tool, net, words, asked):
    """The answers stop in the middle of an object: the line is cut short, but it is an object."""
    assert tool("insert", net).status == 0
    agent.answers[asked] = fake.BAD_REQUEST
    run = tool(*words, "--format", "json")
    assert run.status == 4 and "the agent refused" in run.stderr
    assert all(isinstance(line, dict) for line in run.objects())
    assert len(run.lines()) == (words == ["info"] or asked == fake.PROBE)


# ---- text -------------------------------------------------------------------------------------

@pytest.fixture
def firmware(agent, tmp_path):
    """An ELF whose code the agent has in memory."""
    gcc, objcopy = program("gcc"), program("objcopy")
    source, elf, text = tmp_path / "fw.c", tmp_path / "fw.elf", tmp_path / "fw.bin"
    source.write_text("int twice(int x) { return 2 * x; }\nvoid _start(void) { for (;;) twice(1); }\n"
                      + "".join(f"int f{n}(int x) {{ return x + {n}; }}\n" for n in range(1200)))
    subprocess.run([gcc, "-nostdlib", "-static", "-fcf-protection=none", "-Wl,--build-id=none",
                    "-Wl,-Ttext=0x400000", "-fno-asynchronous-unwind-tables", "-o", elf, source],
                   check=True)
    subprocess.run([objcopy, "-O", "binary", "-j", ".text", elf, text], check=True)
    agent.text_base, agent.text = 0x400000, text.read_bytes()
    assert len(agent.text) > 16384, "more than one request"
    return elf


def test_text_is_the_elfs(agent, tool, firmware):
    run = tool("info", "--verify-text", "--elf", firmware)
    assert run.status == 0 and f"{len(agent.text)} bytes, the same as in" in run.stdout


@pytest.mark.parametrize("at", [0, 1001, 16383, 16384, -1])
def test_changed_text_is_found(agent, tool, firmware, at):
    at %= len(agent.text)
    changed = bytearray(agent.text)
    changed[at] ^= 0x10
    agent.text = bytes(changed)
    run = tool("info", "--verify-text", "--elf", firmware, "--format", "json")
    (result,) = run.objects()
    assert run.status == 6 and not result["same"]
    assert int(result["first"], 16) == 0x400000 + at // 4 * 4


def test_another_firmware_is_told_quickly(agent, tool, firmware):
    agent.text = bytes(len(agent.text))
    run = tool("info", "--verify-text", "--elf", firmware)
    assert run.status == 6 and "at least 256 of" in run.stdout
    assert len(agent.requests) < 400


def test_text_outside_the_target(agent, tool, firmware):
    agent.text = agent.text[:100]
    run = tool("info", "--verify-text", "--elf", firmware)
    assert run.status == 4 and "does not exist on this target" in run.stderr


def test_verify_text_wants_an_elf_file(tool, net):
    run = tool("info", "--verify-text", "--elf", net)
    assert run.status == 1 and "not an ELF" in run.stderr


# ---- standard output that is not there --------------------------------------------------------

def read_and_leave(dprobes, *args):
    """dprobes ... | head -1: the status and messages of dprobes, and the line."""
    child = process.start([dprobes.path(), *args], env=environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = child.stdout.readline()
        child.stdout.close()
        child.wait(20)
        return child.returncode, line, child.stderr.read()
    finally:
        process.kill_group(child)
        child.stderr.close()


def test_a_reader_that_has_enough_ends_the_log(agent, dprobes, tool, net):
    assert tool("insert", net).status == 0
    hit_while_installed(agent, 1)
    status, line, said = read_and_leave(dprobes, "log", "--port", agent.url)
    assert (status, line, said) == (0, b"DProbes(3,9) 01\n", b"")


def test_a_reader_that_has_enough_ends_the_run(agent, dprobes, net):
    hit_while_installed(agent, 1)
    status, line, said = read_and_leave(dprobes, "run", net, "--quiet", "--port", agent.url)
    assert (status, line, said) == (0, b"DProbes(3,9) 01\n", b"")
    assert not agent.programs, "removed all the same"


def test_a_reader_that_has_enough_ends_the_console(agent, dprobes):
    def later():
        agent.wait(lambda: agent.client)
        agent.emit(b"one\r\n")
    threading.Thread(target=later, daemon=True).start()
    assert read_and_leave(dprobes, "console", "--port", agent.url) == (0, b"one\r\n", b"")


def test_a_full_disk_ends_the_log(agent, dprobes, tool, net):
    """Not after a day of records that nobody has."""
    assert tool("insert", net).status == 0
    hit_while_installed(agent, 1)
    run = tool("log", "--output", "/dev/full")
    assert run.status == 1 and "/dev/full could not be written completely" in run.stderr


@pytest.mark.parametrize("words", [("info",), ("list", "--format", "json"), ("remove", "--all")])
def test_closed_standard_output_is_not_the_line(agent, dprobes, words):
    """The next descriptor opened is 1: what is printed would be typed into the firmware's shell."""
    command = ["sh", "-c", 'exec "$0" "$@" >&-', dprobes.path(), *words, "--port", agent.url]
    run = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True,
                         timeout=30, check=False)
    assert bytes(agent.typed) == b""
    assert run.returncode == 1 or words == ("list", "--format", "json")  # an empty list prints nothing


@pytest.mark.parametrize("words", [("--help",), ("build", "--help"), ("--version",)])
def test_full_standard_output(dprobes, words):
    with open("/dev/full", "wb") as full:
        run = subprocess.run([dprobes.path(), *words], env=environment(), stdout=full,
                             stderr=subprocess.PIPE, timeout=30, check=False)
    assert run.returncode == 1 and b"could not be written completely" in run.stderr


# ---- usage ------------------------------------------------------------------------------------

def test_no_port(dprobes):
    run = dprobes("list")
    assert run.status == 1 and "--port" in run.stderr and "DPROBES_PORT" in run.stderr


def test_verify_text_needs_an_elf(tool):
    run = tool("info", "--verify-text")
    assert run.status == 1 and "--elf" in run.stderr


def test_json_is_one_object_a_line(agent, logging):
    running = logging("--format", "json", "--until", "ff")
    agent.notice(5, b"\0\1")
    agent.hit(b"\x01", lose=True)
    agent.hit(b"\x02")
    agent.sync()
    agent.hit(b"\xff")
    run = running.wait()
    assert [json.loads(line)["kind"] for line in run.lines()] == [
        "notice", "lines lost", "log", "records lost", "log"]
