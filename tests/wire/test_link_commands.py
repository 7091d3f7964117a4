# SPDX-License-Identifier: BSD-2-Clause
"""The commands that ask and change, against the agent of fake_agent.py: what they send, print and refuse."""
import json
import re
import subprocess

import pytest

import tables
from harness import fake_agent as fake, paths, process
from harness.link import NET
from harness.paths import program
from harness.tool import environment

RETURN_PART = 61

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


# proves: R5.6
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


def test_a_probe_after_return(agent, tool, tmp_path):
    """An agent of other phases gets the program without it. The list says what it is: a D program has one that nobody wrote."""
    source = tmp_path / "r.dp"
    source.write_text("name = r\n" + "".join(f"address = {at}\nopcode = 0x01020304\n{phase}exit\n"
                                            for at, phase in (("0x1000", "phase = returned\n"), ("0x1010", ""))))
    assert tool("insert", source).status == 0
    assert agent.programs[0].selected == [False, True]
    rows = tool("list").stdout
    assert "at 0x00001000, after return(): not selected" in rows and "at 0x00001010: armed" in rows, rows
    assert tool("remove", "--all").status == 0
    source.write_text("name = r\naddress = 0x1000\nopcode = 0x01020304\nphase = returned\nexit\n")
    assert tool("insert", source).status == 0 and agent.programs[0].selected == [True]  # for the agent to refuse


def test_no_entry_for_a_probe_after_return(agent, tool, tmp_path):
    """The program comes without it, and the user is told. An agent with one entry more has it."""
    agent.cpu, agent.phases, agent.beside = tables.cpu_number("arm"), 0x0f, (RETURN_PART,)
    source = tmp_path / "r.d"
    source.write_text("queue_init:return { @ = count(); }\n")
    words = ("insert", source, "--elf", paths.built("boards", "vexpress-a9", "demo.elf"))
    told = "no entry for the points of functions that return by return() of another program: such returns are not counted"
    run = tool(*words)
    assert run.status == 0 and told not in run.stderr, run
    points = len(agent.programs.pop(0).points)
    agent.probes = points - 1
    run = tool(*words)
    assert run.status == 0 and told in run.stderr, run
    assert len(agent.programs[0].points) == points - 1


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


@pytest.mark.parametrize("words", [64, 1023, 1024])
def test_a_small_stack_is_told(agent, tool, net, words):
    """decisions.txt C01: 1024 words are what a program may count on."""
    agent.stack = words
    run = tool("insert", net)
    told = f"warning: the RPN stack of this agent has {words} words, 1024 are usual: "
    assert run.status == 0 and (told in run.stderr) == (words < 1024)
    assert told not in tool("insert", net, "--replace", "--quiet").stderr


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
        assert json.loads(said.read_text()) == {**told, "schema": 1}
    run = tool("insert", net, "--output", tmp_path / "no" / "such")
    assert run.status == 1 and not agent.programs, "nothing is armed that could not be told"


def test_remove_of_what_is_not_there(tool):
    run = tool("remove", "net")
    assert run.status == 4 and "no program 'net' is installed; no program is installed at all" in run.stderr
    assert tool("remove", "--all").status == 0
    assert tool("remove").status == 1


@pytest.mark.parametrize("command", ["remove", "list", "vars", "aggs", "log"])
def test_the_installed_names_are_told(agent, tool, net, tmp_path, command):
    """Whoever writes a wrong name, or none where one is needed, sees those that there are."""
    other = tmp_path / "other.dp"
    other.write_text(NET.replace("name = net", "name = other"))
    assert tool("insert", net).status == 0 and tool("insert", other).status == 0
    wrong = tool(command, "nett")
    assert wrong.status == 4 and re.search(r"'nett' is .*; installed: net, other$", wrong.stderr, re.M), wrong
    none = tool(command) if command in ("remove", "aggs") else None
    assert none is None or none.status == 1 and none.stderr.endswith("\ndprobes: installed: net, other\n"), none
    assert len(agent.programs) == 2


def test_a_file_that_was_not_inserted(agent, tool, net):
    """The names of the installed programs help here too."""
    run = tool("vars", net)
    assert run.status == 4 and "no installed program was made from" in run.stderr and "no program is installed at all" in run.stderr
    assert not agent.programs


def test_no_line_and_no_name(tool):
    """The message comes whether somebody answers or not."""
    run = tool("remove", "--port", "unix:/nowhere/at/all")
    assert run.status == 1 and run.stderr.startswith("dprobes: error: remove needs the name") and "nowhere" not in run.stderr, run


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
    assert "60 of 64 slots free" in text and "two traps" not in text
    assert re.search(r"\nrecords:  \d+ sent, \d+ dropped, \d+ hits missed, \d+ withdrawn, \d+ stray trap\(s\) since the agent started\n", text)
    assert "its stack used at most 600 bytes since the agent started\n" in text
    agent.slots_free = 0
    assert "slots:    none is free: the next probe takes two traps a hit" in tool("info").stdout


def bytes_of(text):
    """What a string of --format json stands for: host/present/json.h."""
    return b"".join(bytes([ord(c) - 0xef00]) if 0xef80 <= ord(c) <= 0xefff else c.encode() for c in text)


@pytest.mark.parametrize("name", [
    "Größe €𝄞".encode(), b"caf\xe9", b"\xff\xfe\x80", "\uef80\uefff".encode(), b"\xc0\xaf\xe0\x80\x80\xed\xa0\x80",
    b"\xf4\x90\x80\x80\xf8\x88", b"cut \xe2\x82", b'"\\\x01\x1f\x7f', b"\xe9" + "é".encode()])
def test_json_of_any_bytes(agent, dprobes, name):
    """Valid UTF-8 whatever the firmware calls itself, and the bytes can be told from it."""
    agent.module_name = name
    printed = subprocess.run([dprobes.path(), "info", "--format", "json", "--port", agent.url], capture_output=True,
                             env=environment(), timeout=process.TIMEOUT_S, check=True).stdout
    assert bytes_of(json.loads(printed.decode("utf-8", "strict"))["modules"][0]["name"]) == name


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



# ---- no answer, or half of one


def timed_out(said, tool, *words):
    """A command ends by its limit behind the first answer. A busy machine needs a longer one."""
    for limit in ("0.4", "4", "40"):
        run = tool(*words, "--timeout", limit)
        assert run.status == 124, run.stderr
        if re.search(said, run.stderr) and f"timed out after {limit} s: " in run.stderr:
            return
    raise AssertionError(run.stderr)


@pytest.mark.parametrize("words", [["list"], ["info"], ["vars"], ["remove", "--all"], ["insert", "NET"]])
def test_timeout_of_a_request(agent, tool, net, words):
    """A target that answers hello and nothing else; alone, dprobes would ask for 5 s."""
    agent.on_line = lambda _seq, payload: None if payload[0] == fake.HELLO else fake.DROP
    timed_out(rf"^dprobes: error: timed out after \S+ s: the request '(?!hello)[a-z]+' was sent [1-9]\d* time\(s\) on {agent.url}, "
              r"and no answer came\n$", tool, *[net if word == "NET" else word for word in words], "--quiet")


def test_timeout_of_an_upload(agent, tool, net):
    agent.on_line = lambda _seq, payload: fake.DROP if payload[0] == fake.DATA else None
    timed_out(r": 0 of \d+ bytes of the program were uploaded\n$", tool, "insert", net, "--quiet")


def test_timeout_while_the_agent_is_busy(agent, tool):
    agent.answers[fake.STATUS] = fake.BUSY
    timed_out(r"the request 'status' was sent \d+ time\(s\) on \S+, and the agent was busy\n$", tool, "info")


@pytest.mark.parametrize("words,asked", [
    (["info"], fake.LIMITS), (["info"], fake.MODULE), (["info"], fake.STATUS), (["list"], fake.PROBES),
    (["list"], fake.PROGRAM), (["vars"], fake.VARS)])
def test_json_of_what_failed_is_json(agent, tool, net, words, asked):
    """What info learned before the failure is an object; a list that is not whole is not printed."""
    assert tool("insert", net).status == 0
    agent.answers[asked] = fake.BAD_REQUEST
    run = tool(*words, "--format", "json")
    assert run.status == 4 and "the agent refused" in run.stderr
    assert all(isinstance(line, dict) for line in run.objects())
    assert len(run.lines()) == (words == ["info"])


def test_json_of_a_refused_probe_of_an_older_agent(agent, tool, net):
    """The same where the agent has no PROBES."""
    assert tool("insert", net).status == 0
    agent.without = {*agent.without, fake.PROBES_PART}
    agent.answers[fake.PROBE] = fake.BAD_REQUEST
    run = tool("list", "--format", "json")
    assert run.status == 4 and "the agent refused" in run.stderr and not run.lines()


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


# proves: A3.7
@pytest.mark.parametrize("at", [0, 1001, 16383, 16384, -1])
def test_changed_text_is_found(agent, tool, firmware, at):
    at %= len(agent.text)
    changed = bytearray(agent.text)
    changed[at] ^= 0x10
    agent.text = bytes(changed)
    run = tool("info", "--verify-text", "--elf", firmware, "--format", "json")
    (result,) = run.objects()
    assert run.status == 6 and not result["same"]
    assert int(result["first"], 16) == 0x400000 + at // 64 * 64 and result["differ"] == min(64, len(changed) - at // 64 * 64)


def test_another_firmware_is_told_quickly(agent, tool, firmware):
    agent.text = bytes(len(agent.text))
    run = tool("info", "--verify-text", "--elf", firmware)
    assert run.status == 6 and "at least 4096 of" in run.stdout
    assert len(agent.requests) < 400


def test_constants_behind_the_code(agent, tool, firmware, tmp_path):
    """A .text that also holds constants, where the target's text ends behind the last function."""
    text = agent.text
    for name, rest in (("constants", ".fill 3000, 1, 0x55"), ("named", ".type table, @object\ntable: .fill 70, 4, 1\n.size table, 280")):
        source, elf = tmp_path / f"{name}.c", tmp_path / f"{name}.elf"
        source.write_text(firmware.with_suffix(".c").read_text() + f'__asm__(".text\\n{rest}");\n'.replace("\n.", "\\n.").replace("\ntable", "\\ntable"))
        subprocess.run([program("gcc"), "-nostdlib", "-static", "-fcf-protection=none", "-Wl,--build-id=none", "-fno-toplevel-reorder",
                        "-Wl,-Ttext=0x400000", "-fno-asynchronous-unwind-tables", "-o", elf, source], check=True)
        run = tool("info", "--verify-text", "--elf", elf)
        assert run.status == 0 and f"{len(text)} bytes, the same as in" in run.stdout, (name, run.stderr)


def test_text_outside_the_target(agent, tool, firmware):
    agent.text = agent.text[:100]
    run = tool("info", "--verify-text", "--elf", firmware)
    assert run.status == 1 and "its code passes the end of the target's text (100 bytes)" in run.stderr


def test_text_of_another_cpu_is_not_compared(agent, tool, firmware):
    """The CPU first: that would be thousands of differences. Then the byte order."""
    agent.cpu = 2
    run = tool("info", "--verify-text", "--elf", firmware)
    assert run.status == 1 and re.search(r"fw\.elf: error: the file is for .* \(e_machine \d+\), the target is arm$", run.stderr, re.M)
    agent.cpu, agent.big = 1, True
    run = tool("info", "--verify-text", "--elf", firmware)
    assert run.status == 1 and "fw.elf: error: the file is little-endian, the target is big-endian" in run.stderr
    assert not any(command == fake.TEXT for command, _ in agent.requests)


def test_verify_text_wants_an_elf_file(tool, net):
    run = tool("info", "--verify-text", "--elf", net)
    assert run.status == 1 and "not an ELF" in run.stderr



# ---- usage ------------------------------------------------------------------------------------

def test_no_port(dprobes):
    run = dprobes("list")
    assert run.status == 1 and "--port" in run.stderr and "DPROBES_PORT" in run.stderr


def test_verify_text_needs_an_elf(tool):
    run = tool("info", "--verify-text")
    assert run.status == 1 and "--elf" in run.stderr


# ---- vars with nothing to print ----------------------------------------------------------------

def test_vars_says_why_it_prints_nothing(agent, tool, tmp_path):
    """DProbes 3.6.4: a program without local variables named explicitly is an error."""
    agent.gvars = []
    run = tool("vars")
    assert (run.status, run.stdout) == (0, "")
    assert run.stderr == "dprobes: no program is installed, and there are no global variables\n"
    assert tool("vars", "--quiet").stderr == ""
    assert "the installed programs have no global variables ('gvars = N' in a file header makes N)\n" in tool("vars", "--global").stderr
    plain = tmp_path / "plain.dp"
    plain.write_text("name = plain\naddress = 0x1000\nopcode = 0x01020304\nexit\n")
    assert tool("insert", plain).status == 0
    run = tool("vars")
    assert run.status == 0 and "the installed programs have no variables ('vars = N' or 'gvars = N'" in run.stderr
    assert "have no local variables ('vars = N' in a file header makes N)\n" in tool("vars", "--local").stderr
    run = tool("vars", "plain")
    assert run.status == 4 and "'plain' has no local variables; 'vars = N' in its file header makes N" in run.stderr


def test_vars_beyond_the_last_is_nothing(agent, tool, net):
    """DProbes 3.6.4: a too large lower end yields nothing; that is no reason to speak."""
    assert tool("insert", net).status == 0
    run = tool("vars", "net", "--index", "100-101")
    assert (run.status, run.stdout, run.stderr) == (0, "", "")


def test_nothing_is_removed_when_it_cannot_be_told(agent, tool, net, tmp_path):
    assert tool("insert", net).status == 0
    run = tool("remove", "--all", "--output", tmp_path / "no" / "such" / "folder")
    assert run.status == 1 and "cannot write" in run.stderr and len(agent.programs) == 1


@pytest.mark.parametrize("arena, free, said", [
    (16384, 60, r"60 of 16384 bytes are free; remove another program \('dprobes list' shows the programs\), or shorten this one"),
    (80, 80, "which has 80; shorten the program, or build the firmware with a larger DP_ARENA_BYTES")])
def test_a_program_without_room_is_told_before_the_upload(agent, tool, net, arena, free, said):
    agent.arena, agent.arena_free = arena, free
    run = tool("insert", net)
    assert run.status == 4 and re.search(r"error: \S+ needs \d+ bytes of the agent's program memory, (and )?" + said + "$", run.stderr, re.M), run
    assert fake.DATA not in [command for command, _ in agent.requests]
    assert tool("insert", net, "--replace").status == (0 if arena > 80 else 4), "what is replaced gives back its room"
