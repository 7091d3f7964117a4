# SPDX-License-Identifier: BSD-2-Clause
"""Names and texts of a target or a file never steer the reader's terminal."""
import os
import pty
import re
import subprocess
import threading

import pytest

from harness import fake_agent as fake
from harness import process
from harness.paths import program
from harness.tool import environment

# A colour, a title, a C1 introducer as a byte and as UTF-8, delete, a new line with a lie, and a letter that is none.
EVIL = b"\x1b[31m\x1b]0;t\x07\x9b2J\xc2\x9b3J\x7f\nok\xff"
HARMFUL = [bytes([byte]) for byte in (*range(0x09), *range(0x0B, 0x20), 0x7F)]
HARMFUL += [b"\xc2" + bytes([byte]) for byte in range(0x80, 0xA0)]


# The one kind of escape sequence that a terminal gets from the console.
COLORS = re.compile(rb"\x1b\[[0-9;:]*m")


def harmless(text, colors=False):
    """No control characters in UTF-8 text, and no malformed UTF-8."""
    text.decode("utf-8")
    text = COLORS.sub(b"", text) if colors else text
    return not any(bad in text for bad in HARMFUL)


def run(dprobes, *words):
    done = subprocess.run([dprobes.path(), *map(str, words)], capture_output=True, env=environment(), check=False,
                          timeout=process.TIMEOUT_S, stdin=subprocess.DEVNULL)
    assert done.returncode < 90, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def evil_agent(agent, tool, net):
    """Its image, its program and its module have evil names."""
    assert tool("insert", net).status == 0
    agent.programs[0].name = EVIL
    agent.module_name = EVIL
    agent.gvars = [1]
    return agent


@pytest.mark.parametrize("command,form", [
    (command, form) for command in [("info",), ("list",), ("vars",), ("list", "--extended")]
    for form in ["text", "csv", "json"] if (command, form) != (("info",), "csv")])
def test_names_of_the_target(dprobes, evil_agent, command, form):
    said = run(dprobes, *command, "--format", form, "--port", evil_agent.url)
    assert harmless(said) and b"[31m" in said
    assert form == "csv" or not any(line == b"ok" for line in said.splitlines()), "one line for one name"


def test_counts_at_the_end_of_a_run(dprobes, agent, net):
    """The name comes from the agent, which may have changed it."""
    running = dprobes.start("run", net, "--port", agent.url)
    agent.wait(lambda: any(command == fake.PROBES for command, _ in agent.requests))
    agent.programs[0].name = EVIL
    result = running.interrupt()
    assert "hits: .[31m" in result.stdout and harmless(result.stdout.encode())


def test_names_of_an_elf(dprobes, tmp_path):
    """Symbols and their files, and a message that quotes one."""
    source, elf = tmp_path / "fw.s", tmp_path / "fw.elf"
    name = b'"ev\x1b[31m\xc2\x9b2Jil"'
    source.write_bytes(b".globl %b\n.type %b, @function\n%b: nop\n" % (name, name, name))
    subprocess.run(["gcc", "-nostdlib", "-static", "-Wl,-e0", "-o", elf, source], check=True)
    for form in ("text", "csv", "json"):
        said = run(dprobes, "symbols", "--elf", elf, "--format", form)
        assert b"[31m" in said and harmless(said)
    said = run(dprobes, "symbols", "ev*", "--elf", elf)
    assert b"ev.[31m.2Jil" in said


def evil_firmware(tmp_path):
    """An ELF with a function of an evil name."""
    source, elf = tmp_path / "fw.s", tmp_path / "fw.elf"
    name = b'"ev\x1b[31m\xc2\x9b2Jil"'
    source.write_bytes(b".arm\n.globl %b\n.type %b, %%function\n%b: nop\nnop\n.size %b, . - %b\n" % ((name,) * 5))
    subprocess.run([program("arm-none-eabi-gcc"), "-nostdlib", "-Wl,-e0,-Ttext=0x8000", "-o", elf, source], check=True)
    return elf


def test_disassembly(dprobes, tmp_path):
    """Names of symbols, and the source that an object carries."""
    elf, source, built = evil_firmware(tmp_path), tmp_path / "ev\x1b[31mil.dp", tmp_path / "p.ppdf"
    source.write_bytes(b"name = p\naddress = 0x8004\n\tpush 0x8000 // \x1b[32m\xc2\x9b4J\n\tlog 1\n\texit\n")
    run(dprobes, "build", "--elf", elf, "-o", built, source)
    for words in ((), ("--source",)):
        said = run(dprobes, "disasm", *words, built)
        assert harmless(said) and said.count(b"ev.[31m.2Jil") >= 2, said
    assert b"ev.[31mil.dp:3: push 0x8000 // .[32m.4J" in said


def test_doctor(dprobes, agent, tmp_path):
    """A sentence of the report may name a file or a symbol."""
    elf = evil_firmware(tmp_path).rename(tmp_path / "ev\x1b[31mil.elf")
    agent.cpu, agent.text_base, agent.text = 2, 0x8000, bytes(8)
    said = run(dprobes, "doctor", "--port", agent.url, "--elf", elf, "--timeout", "0.1")
    assert harmless(said) and b"bytes differ from " in said and b"ev.[31mil.elf, the first at 0x8000" in said, said


def on_a_terminal(dprobes, words, until):
    """What the command writes to a terminal, up to a text."""
    master, slave = pty.openpty()
    child = process.start([dprobes.path(), *map(str, words)], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                          env=environment())
    os.close(slave)
    said = b""
    try:
        while until not in said:
            more = os.read(master, 4096)
            assert more, said
            said += more
    finally:
        process.kill_group(child)
        child.wait()
        os.close(master)
    return said


@pytest.mark.parametrize("command", ["console", "log"])
@pytest.mark.parametrize("raw", [False, True])
def test_console_text(dprobes, agent, command, raw):
    """On a terminal the firmware's text is filtered, letters of other languages stay, --raw passes everything."""
    agent.sync_each_s = 0
    text = b"caf\xc3\xa9 " + EVIL.replace(b"\x07", b"") + b"\r\nthe end\r\n"
    done = []

    def feed():
        agent.wait(lambda: agent.client and (command == "console" or agent.requests))
        agent.wait(lambda: command == "console" or agent.requests[-1][0] == fake.STATUS)
        for at in range(0, len(text), 3):  # characters arrive in pieces
            agent.emit(text[at:at + 3])
        done.append(True)

    thread = threading.Thread(target=feed)
    thread.start()
    said = on_a_terminal(dprobes, [command, "--port", agent.url, *(["--raw"] if raw else [])], b"the end")
    thread.join()
    assert done and "caf\u00e9".encode() in said
    if raw:
        assert b"\x1b[31m" in said and b"\x9b2J" in said
    else:
        said = said.replace(b"\r", b"")
        assert harmless(said, colors=True)


SEQUENCES = {
    "a colour": (b"\x1b[1;31mred\x1b[0m", b"\x1b[1;31mred\x1b[0m"),
    "a colour of 24 bits": (b"\x1b[38;2;255;255;255;48;2;100;100;100mx\x1b[m", b"\x1b[38;2;255;255;255;48;2;100;100;100mx\x1b[m"),
    "cleared screen, cursor": (b"\x1b[2J\x1b[1;1Hx\x1b[?25l", b"x"),
    "a private m": (b"\x1b[>4;2mx\x1b[?4m", b"x"),
    "a sequence without an end": (b"\x1b[" + b"1;" * 40 + b"mx", None),
    "a charset": (b"\x1b(0x\x1b(By", b"xy"),
    "a title": (b"\x1b]0;t\x1b\\x", b"0;tx"),
    "an escape in a letter": (b"\xc3\x1b[31m\xa9\x1b[m", b"\x1b[31m\xc3\xa9\x1b[m"),
    "a colour that stays": (b"\x1b[31mx", b"\x1b[31mx"),
}


@pytest.mark.parametrize("sent, shown", SEQUENCES.values(), ids=SEQUENCES)
def test_colours_reach_a_terminal_and_no_other_sequence(dprobes, agent, sent, shown):
    agent.sync_each_s = 0

    def feed():
        agent.wait(lambda: agent.client)
        for byte in b"begin " + sent + b" the end":
            agent.emit(bytes([byte]))

    thread = threading.Thread(target=feed)
    thread.start()
    said = on_a_terminal(dprobes, ["console", "--port", agent.url, "--until", "the end"], b"the end")
    thread.join()
    assert harmless(said, colors=True)
    if shown is not None:
        assert b"begin " + shown + b" the end" in said


def test_a_pipe_gets_every_byte(dprobes, agent):
    """A file or a pipe gets the console as it is."""
    running = dprobes.start("console", "--port", agent.url, "--until", "the end")
    agent.wait(lambda: agent.client)
    agent.emit(EVIL + b"\nthe end\n")
    running.process.wait(process.TIMEOUT_S)
    running.wait()
    assert EVIL in running.out.data
