# SPDX-License-Identifier: BSD-2-Clause
"""dprobes against an agent that was written from PROTOCOL.md alone (fake_agent.py).

What a target and a line can do to a host, each with its sentence and its exit status.
"""
import re
import signal
import subprocess
import time

import pytest

import tables
from harness import fake_agent as fake
from harness import process, wire
from harness.paths import program

# ---- the target says no -----------------------------------------------------------------------

@pytest.mark.parametrize("verdict, status, words", [
    ((52, 0, 1, 0, 0xE1A00000), 4, ["probe point 1 (minor 10, 0x00001010)", "expected 0x01020304",
                                    "found 0xe1a00000"]),
    ((48, 0, 0, 0, 0), 4, ["not in the firmware's text"]),
    ((50, 0, 0, 0, 0), 4, ["inside the agent"]),
    ((51, 0, 0, 0, 0), 4, ["not the start of an instruction"]),
    ((53, 7, 0, 0, 0xE1912F9F), 4, ["cannot be probed", "load-exclusive", "0xe1912f9f"]),
    ((57, 0, 0, 0, 0xE7F001F0), 4, ["breakpoint of another debugger"]),
    ((35, 0, 0xFFFF, 0, 0), 4, ["table is full"]),
    ((34, 0, 0xFFFF, 0, 0), 4, ["memory has no room"]),
    ((37, 0, 0xFFFF, 0, 5), 4, ["--write", "the agent's build", "this session"]),
    ((39, 0, 0, 0, 256 + 25), 4, ["built without a feature that this request needs", "DP_WITH_CHAINS"]),
    ((4, 0, 0xFFFF, 0, 0), 4, ["another firmware image"]),
    ((16, 0, 0xFFFF, 1, 0x55), 2, ["support an opcode of the code", "net.dp:"]),
    ((32, 0, 0xFFFF, 0, 0), 2, ["above the limit"]),
    ((200, 0, 0xFFFF, 0, 0), 4, ["does not support"]),
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


@pytest.mark.parametrize("taken, found, told", [("yes", 6, True), ("yes", 9, False), ("no", 2, False)])
def test_an_agent_that_knows_no_taken(agent, tool, net, taken, found, told):
    """It refuses the flags of the point, and no other field."""
    net.write_text(net.read_text().replace("minor = 9\n", f"minor = 9\ntaken = {taken}\n"))
    agent.verdict = (15, 0, 0, 0x40, found)
    run = tool("insert", net)
    assert run.status == 2 and "a field of a probe point has an invalid value" in run.stderr, run.stderr
    assert ("this agent cannot fire only where a branch is taken" in run.stderr) == told


@pytest.mark.parametrize("command, arguments", [
    (fake.BEGIN, ["insert", "net.dp"]), (fake.LIMITS, ["info"]), (fake.VARS, ["vars", "--global"]),
    (fake.REMOVE, ["remove", "--all"]), (fake.STATUS, ["info"])])
def test_refused_requests(agent, tool, net, command, arguments):
    agent.answers[command] = 38
    run = tool(*[str(net) if a == "net.dp" else a for a in arguments])
    assert run.status == 4 and "locked the agent until the next reset" in run.stderr


def give_identity(built, kind):
    """An object whose firmware is known by 00 01 02 ..: kind 1 a build-id, 2 a checksum."""
    data = bytearray(built.read_bytes())
    modules = int.from_bytes(data[40 + 8:40 + 12], "big")
    data[modules + 1] = kind
    data[modules + 12:modules + 32] = bytes(range(20))
    length = int.from_bytes(data[8:12], "big")
    data[length - 4:length] = fake.zlib.crc32(data[:length - 4]).to_bytes(4, "big")
    built.write_bytes(data)


def test_another_image(agent, tool, net, tmp_path, dprobes):
    """Build-ids are compared before a byte of the object travels."""
    built = tmp_path / "net.ppdf"
    assert dprobes("build", net, "-o", built).status == 0
    give_identity(built, 1)
    agent.identity, agent.build_id = 1, bytes(20)
    run = tool("insert", built)
    assert run.status == 4 and "another firmware image" in run.stderr
    assert bytes(range(20)).hex() in run.stderr and "00" * 20 in run.stderr
    assert not any(command == fake.DATA for command, _ in agent.requests)
    agent.build_id = bytes(range(20))
    assert tool("insert", built).status == 0


@pytest.mark.parametrize("built_with, running, words", [(1, 2, "the target has none, as with dprobes_no_note"), (2, 1, "the target has one")])
def test_another_kind_of_identity(agent, tool, net, tmp_path, dprobes, built_with, running, words):
    """A build-id on one side, a checksum on the other: the sentence tells why they differ."""
    built = tmp_path / "net.ppdf"
    assert dprobes("build", net, "-o", built).status == 0
    give_identity(built, built_with)
    agent.identity, agent.build_id = running, bytes(20 if running == 1 else 8)
    run = tool("insert", built)
    assert run.status == 4 and words in run.stderr and "another firmware image" not in run.stderr
    assert not any(command == fake.DATA for command, _ in agent.requests)


@pytest.mark.parametrize("program_text", ["two:entry { @ = count(); }\n", 'name = "t"\noffset = two\nexit\n'], ids=["q.d", "q.dp"])
def test_checksum_of_the_text_that_the_agent_names(dprobes, tmp_path, program_text, request):
    """A board whose text begins behind its vectors: the file's symbols name another range than the agent's, whose bytes count."""
    source = tmp_path / "f.c"
    source.write_text('__attribute__((section(".text.v"))) void __text_start(void) { }\nint two(void) { return 2; }\nvoid _start(void) { two(); }\n')
    elf, code = tmp_path / "f.elf", tmp_path / "code"
    subprocess.run([program("arm-none-eabi-gcc"), "-g", "-O1", "-fno-inline", "-mcpu=cortex-a9", "-nostdlib", "-ffreestanding", "-Wl,--build-id=none,-Ttext=0x8000", source, "-o", elf], check=True)
    subprocess.run([program("arm-none-eabi-objcopy"), "-O", "binary", "-j", ".text", elf, code], check=True)
    file = tmp_path / request.node.callspec.id
    file.write_text(program_text)
    text = code.read_bytes()[4:]
    target = fake.FakeAgent(tmp_path / "agent", cpu=2)
    try:
        target.text_base, target.text, target.identity = 0x8004, text, 2
        target.build_id = fake.zlib.crc32(text).to_bytes(4, "big") + len(text).to_bytes(4, "big")
        done = dprobes("insert", file, "--elf", elf, "--port", target.url)
        assert done.status == 0, done.stderr
        (sent,) = target.programs.values()
        assert target.build_id in sent.data
        # the file of another firmware keeps its own checksum
        target.build_id = bytes(8)
        dprobes("insert", file, "--elf", elf, "--port", target.url, "--replace")
        (sent,) = target.programs.values()
        assert fake.zlib.crc32(text).to_bytes(4, "big") in sent.data
    finally:
        target.close()


def test_another_cpu(agent, tool, net, tmp_path, dprobes):
    """A text without a CPU is compiled for another one; the options of the sentence are those that work."""
    agent.cpu = 2
    run = tool("insert", net)
    assert run.status == 2 and "net.dp is compiled for sim, as neither an ELF file nor a CPU is given" in run.stderr
    assert tool("insert", net, *re.search(r"those of the target: (--.*)$", run.stderr, re.M).group(1).split()).status == 0
    built = tmp_path / "net.ppdf"
    assert dprobes("build", net, "-o", built).status == 0
    run = tool("insert", built)
    assert run.status == 2 and "built for sim, 32-bit little-endian" in run.stderr
    assert "the target is arm" in run.stderr


# proves: R5.8
def test_another_protocol_version(agent, tool):
    agent.version = 9
    run = tool("list")
    assert run.status == 4 and "protocol version 9, this dprobes version 2" in run.stderr


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
    assert run.status == 3 and "no answer" in run.stderr
    assert time.monotonic() - start < process.TIMEOUT_S / 2


def test_lost_answers_are_asked_for_again(agent, tool, net):
    """Every answer is lost once: nothing is done twice."""
    seen = set()

    def on_line(_seq, payload):
        if payload in seen:
            return None
        seen.add(payload)
        return fake.EXECUTE_SILENTLY
    agent.on_line = on_line
    assert tool("insert", net).status == 0
    agent.on_line = None
    assert len(agent.programs) == 1
    commits = [r for r in agent.requests if r[0] == fake.COMMIT]
    assert len(commits) == 1, "the repeat got the stored answer"


def repeatable():
    """The commands that may be unanswered together."""
    rows = tables.rows("protocol/commands.def", "DP_CMD")
    return {int(number, 16) for number, *_, mark in rows if mark == "1"}


# proves: R3.19
@pytest.mark.parametrize("window", [1, 3])
def test_unanswered_requests(agent, tool, net, window):
    """As many repeatable requests as hello's window says; every other is alone. Each is answered the second time."""
    net.write_text(net.read_text() + "address = 0x1020\nopcode = 0x01020304\n" + "push 0x123456\npop lv, 1\n" * 40 + "exit\n")
    agent.window = window
    waiting, answered, counts, wrong = set(), set(), [], []

    def on_line(_seq, line):
        if line in waiting or line in answered:
            waiting.discard(line)
            answered.add(line)
            return None
        # Pieces that were lost come again as others, shorter ones: so do not wait for those.
        waiting.difference_update([other for other in waiting if other[0] == fake.DATA and (
            line[0] == fake.COMMIT or (line[0] == fake.DATA and other[3:7] >= line[3:7]))])
        if waiting and not {other[0] for other in {line, *waiting}} <= repeatable():
            wrong.append((line, list(waiting)))
        waiting.add(line)
        counts.append(len(waiting))
        return fake.DROP
    agent.on_line = on_line
    assert tool("insert", net).status == 0
    assert not wrong and max(counts) == window


def seconds_of_insert(agent, tool, net, first):
    """How long an insertion takes when each line gets this the first time."""
    seen = set()

    def on_line(_seq, payload):
        if payload in seen:
            return None
        seen.add(payload)
        return first
    agent.on_line = on_line
    start = time.monotonic()
    assert tool("insert", net, "--replace").status == 0
    return time.monotonic() - start


# proves: R3.16
def test_naks_are_answered_at_once(agent, tool, net):
    """A lost answer costs its time-out, a NAK does not."""
    rounds = [(seconds_of_insert(agent, tool, net, fake.NAK), seconds_of_insert(agent, tool, net, fake.EXECUTE_SILENTLY))
              for _ in range(3)]
    naks, losses = zip(*rounds)
    assert min(naks) < min(losses)


def busy(agent, command, times):
    """The agent answers BUSY so often; returns what is left."""
    left = [times]
    execute = agent._execute

    def answer(payload):
        if payload[0] == command and left[0] > 0:
            left[0] -= 1
            return bytes([payload[0], fake.BUSY])
        return execute(payload)
    agent._execute = answer
    return left


# proves: R3.18
@pytest.mark.parametrize("command", [fake.LIMITS, fake.BEGIN, fake.DATA, fake.COMMIT],
                         ids=["limits", "begin", "data", "commit"])
def test_busy_is_asked_again(agent, tool, net, command):
    """A storm of hits: the agent serves the rest when it gets to it. Pieces of an upload too."""
    left = busy(agent, command, 9)
    run = tool("insert", net)
    assert run.status == 0, run.stderr
    assert left[0] == 0 and len(agent.programs) == 1


@pytest.mark.parametrize("command,name", [(fake.DATA, "data"), (fake.COMMIT, "commit")], ids=["data", "commit"])
def test_busy_for_ever_has_an_end_and_a_sentence(agent, tool, net, command, name):
    left = busy(agent, command, 10**6)
    start = time.monotonic()
    run = tool("insert", net)
    assert run.status == 4 and time.monotonic() - start > 4.5
    assert f"always answers '{name}' with 'busy': frequent hits keep the firmware from dprobes_poll" in run.stderr
    assert "'dprobes remove' still works" in run.stderr and "stopped answering" not in run.stderr
    assert 20 <= 10**6 - left[0] <= 70, "a bounded number"
    left[0] = 0
    assert tool("insert", net).status == 0


def test_session_taken_over(agent, dprobes, tool, net):
    """Another host says hello: the first one's lines fail from then on, and it says so."""
    assert tool("insert", net).status == 0
    first = dprobes.listen("--port", agent.url)
    agent.stop_syncs()
    agent.session = 0x77777777
    run = first.wait()
    assert run.status == 3 and "another dprobes took over" in run.stderr


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
    agent.stop_syncs()
    agent.reboot(say=False)
    run = running.wait()
    assert run.status == 3 and "has ended this session" in run.stderr


@pytest.mark.parametrize("at", range(1, 11))
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


@pytest.mark.parametrize("at", range(1, 11))
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
    agent.stop_syncs()
    agent.on_line = lambda seq, payload: fake.DROP
    run = running.wait()
    assert run.status == 3 and "stopped answering" in run.stderr



# ---- text and frames

# proves: R3.7
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


# proves: R3.25
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
    agent.stop_syncs()
    number = agent.programs[0].numbers[0]
    with agent.lock:
        line, = agent.records(wire.record(number, 5, bytes(21)), lose=True)
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
    assert run.status == 0 and run.lines() == [f"DProbes(3,9) {'00' * 21}"]
