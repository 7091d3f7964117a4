# SPDX-License-Identifier: BSD-2-Clause
"""Keys, the lock, the limit of hits, bounds, maps and the typed remove, against an agent written from PROTOCOL.md alone
(fake_agent.py). The real agent: tests/host/test_key.py, tests/agent/test_agent_access.c, test_agent_governor.c."""
import subprocess

import pytest

from harness import fake_agent as fake
from harness.paths import program

KEY, OTHER = bytes(range(16)), bytes(range(1, 17))


@pytest.fixture
def key_file(tmp_path):
    def write(key):
        path = tmp_path / f"{key[0]}.key"
        path.write_text(key.hex())
        path.chmod(0o600)
        return path
    return write


def commands(agent):
    return [command for command, _ in agent.requests]


# ---- keys and the lock ------------------------------------------------------------------------

# proves: R5.49 R5.50 R5.52 R5.78
@pytest.mark.parametrize("seals", [True, False], ids=["sealed", "an agent of before"])
def test_a_key(agent, tool, net, key_file, seals):
    """Only the right key gets rights, and each session proves it with a nonce of its own."""
    agent.key, agent.seals = KEY, seals
    assert "the board requires a key" in tool("insert", net).stderr
    assert fake.PROVE not in commands(agent) and agent.rights == 0
    wrong = tool("insert", net, "--key", key_file(OTHER))
    assert wrong.status == 4 and "the agent refused 'prove': the key is not the board's key" in wrong.stderr
    nonces = []
    for words in (("insert", net), ("list",), ("remove", "net")):
        run = tool(*words, "--key", key_file(KEY))
        assert run.status == 0, run.stderr
        nonces.append(agent.nonce)
    assert not agent.programs and len(set(nonces)) == 3
    proofs = [arguments for command, arguments in agent.requests if command == fake.PROVE]
    assert len(set(proofs)) == 4


# proves: R5.79
def test_an_answer_that_was_changed_on_the_line(agent, tool, net, key_file):
    """Somebody takes the part SEAL out of HELLO's answer: no rights to change anything are granted, and the host says why."""
    agent.key, agent.without = KEY, {fake.SEAL_PART}
    run = tool("insert", net, "--key", key_file(KEY))
    assert run.status == 4 and "the agent grants only LOOK and LOG to an unsealed session" in run.stderr, run.stderr
    assert tool("list", "--key", key_file(KEY)).status == 0 and not agent.programs


# proves: R5.81 R5.83 R5.84
@pytest.mark.parametrize("what", [fake.DROP, fake.NAK, fake.EXECUTE_SILENTLY], ids=["lost request", "NAK", "lost answer"])
def test_lost_lines_of_a_sealed_session(agent, tool, net, key_file, what):
    """Every third line is lost, or its answer: all goes on, and nothing is executed twice."""
    agent.key, lines = KEY, [0]

    def lose(_seq, payload):
        lines[0] += 1
        return what if lines[0] % 3 == 0 and payload[0] > 6 else None

    agent.on_line = lose
    for words in (("insert", net), ("list",), ("remove", "net")):
        run = tool(*words, "--key", key_file(KEY))
        assert run.status == 0, run.stderr
    commits = [arguments for command, arguments in agent.requests if command == fake.COMMIT]
    assert len(commits) == 1 and lines[0] > 12 and not agent.programs


def test_a_key_that_nobody_asks_for(agent, tool, key_file):
    assert tool("list", "--key", key_file(KEY)).status == 0 and fake.PROVE not in commands(agent)


# proves: R5.26 R5.51
@pytest.mark.parametrize("key", [None, KEY], ids=["no key", "key"])
def test_a_locked_agent(agent, tool, net, key_file, key):
    """It answers what is installed, and changes nothing."""
    words = ["--key", key_file(KEY)] if key else []
    agent.key = key
    assert tool("insert", net, *words).status == 0
    agent.lock_agent()
    assert "net: program 0" in tool("list", *words).stdout
    for change in (("remove", "net"), ("insert", net, "--merge"), ("vars", "net", "--reset")):
        run = tool(*change, *words)
        assert run.status == 4 and "the firmware has locked the agent until the next reset" in run.stderr, run
    assert list(agent.programs) == [0]


# ---- the limit of hits ------------------------------------------------------------------------

# proves: R5.65
def test_a_probe_that_was_hit_too_often(agent, logging, tool):
    """Told while it happens, in list, and with the limit in info."""
    agent.hits_per_second = 5000
    running = logging("--until", "ff")
    agent.stop_syncs()
    agent.disable_too_often()
    agent.hit(b"\xff", point=1)
    run = running.wait()
    assert run.status == 0 and run.lines() == ["DProbes(3,10) ff"]
    assert run.told() == ["notice: a probe was disabled: it had more hits in a second than the agent allows: probe 0"]
    assert [line.split(": ", 1)[1] for line in tool("list").lines()[1:]] == ["disabled: too many hits, 0 hit(s)", "armed, 1 hit(s)"]
    states = [probe["state"] for probe in tool("list", "--format", "json").objects()[0]["probes"]]
    assert states == ["disabled: too many hits", "armed"]
    assert ", 5000 hits of a probe in a second\n" in tool("info").stdout
    assert tool("info", "--format", "json").objects()[0]["limits"]["hits_per_second"] == 5000
    agent.hits_per_second = 0
    assert "in a second" not in tool("info").stdout


# ---- info -------------------------------------------------------------------------------------

# proves: R5.9
@pytest.mark.parametrize("cpu, bounds, word", [
    (1, 0, "alignment"), (1, 1, "table"), (2, 0, "trusted"), (2, 1, "table"), (3, 0, "alignment"), (5, 0, "trusted")],
    ids=["sim", "sim with a table", "arm", "arm with a table", "instructions of one length", "ia32"])
def test_what_decides_where_instructions_begin(agent, tool, cpu, bounds, word):
    """info and doctor say it, and what to do about bounds that the host must be trusted with."""
    agent.cpu, agent.bounds = cpu, bounds
    said = "\nbounds:   " + word + (": the image has no table of functions ('dprobes table')\n" if word == "trusted" else "\n")
    assert said in tool("info").stdout
    assert tool("info", "--format", "json").objects()[0]["limits"]["bounds"] == word
    report = tool("doctor", "--timeout", "0.1").stdout
    if word == "trusted":
        assert "not known  bounds of instructions: trusted: the agent takes the bounds that the host sends" in report, report
    else:
        assert f"ok         bounds of instructions: {word}\n" in report, report


def test_dropped_text(agent, tool):
    assert "characters" not in tool("info").stdout
    agent.text_dropped = 77
    assert "77" in tool("info").stdout
    assert tool("info", "--format", "json").objects()[0]["text_dropped"] == 77


# ---- the typed remove -------------------------------------------------------------------------

@pytest.mark.parametrize("typed, removes", [
    ("~dprobes remove\n", True), ("ls\r~dprobes remove\r", True), ("x~dprobes remove\n", False), ("~dprobes remove \n", False),
    ("~dprobes  remove\n", False)])
# proves: R5.53 R5.54
def test_the_typed_remove(agent, tool, net, typed, removes):
    """With dprobes console as the terminal, which sends no request."""
    assert tool("insert", net).status == 0
    asked = len(agent.requests)
    if not removes:
        agent.answer_to(typed.encode())
        assert list(agent.programs) == [0]
        return
    run = tool("console", "--until", "removed", stdin=typed)
    assert "dprobes: 1 program(s) removed" in run.stdout and not agent.programs and len(agent.requests) == asked
    assert tool("list").stdout == "" and typed.encode() == bytes(agent.typed)


# proves: R5.55
@pytest.mark.parametrize("locked", [False, True], ids=["key", "lock"])
def test_the_typed_remove_is_refused_in_words(agent, tool, net, locked):
    assert tool("insert", net).status == 0
    agent.key = None if locked else KEY
    if locked:
        agent.lock_agent()
    run = tool("console", "--until", "nothing removed", stdin="~dprobes remove\n")
    assert run.status == 0 and agent.programs, run
    agent.typed_remove = True
    assert "1 program(s) removed" in tool("console", "--until", "removed$", stdin="~dprobes remove\n").stdout
    assert not agent.programs


# ---- maps -------------------------------------------------------------------------------------

@pytest.fixture
def firmware(agent, tmp_path):
    """An ELF of ARM code that the agent has in memory."""
    source, elf, text = tmp_path / "fw.s", tmp_path / "fw.elf", tmp_path / "fw.bin"
    source.write_text(".arm\n.globl take\n.type take, %function\ntake: nop\nnop\nbx lr\n.size take, . - take\n")
    subprocess.run([program("arm-none-eabi-gcc"), "-nostdlib", "-Wl,-Ttext=0x8000,-e,take,--build-id=none", "-o", elf, source], check=True)
    subprocess.run([program("arm-none-eabi-objcopy"), "-O", "binary", "-j", ".text", elf, text], check=True)
    agent.cpu, agent.text_base, agent.text = 2, 0x8000, text.read_bytes()
    return elf


# proves: R5.56 R2.32
def test_maps(agent, dprobes, tool, firmware, tmp_path):
    """An aggregation over many answers: each entry once, small and large numbers, and what found no place."""
    (tmp_path / "m.d").write_text("take:entry { @[arg0] = count(); }")
    built = tmp_path / "m.ppdf"
    assert dprobes("build", "--elf", firmware, "-o", built, tmp_path / "m.d").status == 0
    run = tool("insert", built, "--elf", firmware)
    assert run.status == 0, run.stderr
    (chosen,) = agent.programs[0].maps
    counts = {(n * n * n * 977) & 0xFFFFFFFF: 1 << n % 32 for n in range(40)}
    for place, (key, count) in enumerate(counts.items()):
        chosen.entries[place + place // 2] = ([key], [count])  # a free place behind two
    assert max(chosen.entries) < chosen.places
    chosen.dropped = 5
    run = tool("aggs", built, "--format", "json", "--elf", firmware)
    rows = [row for row in run.objects() if row["kind"] == "aggregation"]
    assert run.status == 0 and {int(row["keys"][0]): row["value"] for row in rows} == counts and len(rows) == len(counts)
    asked = [arguments for command, arguments in agent.requests if command == fake.MAP]
    assert len(asked) > 5 and {arguments[4] for arguments in asked} == {0}
    assert [row["count"] for row in run.objects() if row["kind"] == "dropped"] == [5]
    assert len(chosen.entries) == 40
