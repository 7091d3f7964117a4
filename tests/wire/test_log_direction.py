# SPDX-License-Identifier: BSD-2-Clause
"""Where records go (--log-target) and how (--log-mode): the agent keeps what it was told, so whoever
waits for records brings them to his own line, says what he found, and puts it back. Nobody waits in
silence. The agent of the first half is fake_agent.py's, of the second the real one in a process.
"""
import re
import time

import pytest

from harness import fake_agent as fake, process, serial
from harness.link import hit_while_installed

COM1, COM2, NONE = 0, 1, 0xFF
SYNCHRONOUS, BUFFERED = 0, 1


def on_com2(agent):
    """An earlier command sent the records to com2; this line is com1."""
    agent.log_target = COM2


def logs(agent):
    """Target and mode of every LOG request."""
    return [tuple(arguments[:2]) for command, arguments in agent.requests if command == fake.LOG]


def test_run_brings_records_here_and_puts_them_back(agent, tool, net):
    on_com2(agent)
    hit_while_installed(agent, 3)
    run = tool("run", net, "--count", "2")
    assert run.status == 0, run.stderr
    assert ("records went to com2, as an earlier command chose; until this command ends, records go to this line, com1; "
            "'dprobes log --log-target com1' keeps this line\n") in run.stderr
    assert logs(agent) == [(COM1, 0xFE), (COM2, BUFFERED)] and agent.log_target == COM2
    assert not agent.programs


def test_log_brings_records_here_and_puts_them_back(agent, tool, net):
    assert tool("insert", net).status == 0
    on_com2(agent)
    hit_while_installed(agent, 1)
    run = tool("log", "--count", "1")
    assert run.status == 0 and "records went to com2" in run.stderr
    assert agent.log_target == COM2
    agent.requests.clear()
    assert tool("log", "--timeout", "0.2", "--quiet").stderr == ""
    assert agent.log_target == COM2 and logs(agent) == [(COM1, 0xFE), (COM2, BUFFERED)]


def test_the_remedy_that_is_named_ends_the_message(agent, tool, net):
    assert tool("insert", net).status == 0
    on_com2(agent)
    assert "records went to com2" in tool("log", "--timeout", "0.1").stderr
    assert tool("log", "--log-target", "com1", "--timeout", "0.1").status == 0
    assert "records went" not in tool("log", "--timeout", "0.1").stderr and agent.log_target == COM1


def test_put_back_after_an_interrupt(agent, dprobes, tool, net):
    for command in (["log"], ["run", net, "--replace"]):
        agent.programs.clear()
        assert tool("insert", net).status == 0
        on_com2(agent)
        agent.requests.clear()
        running = dprobes.start(*command, "--port", agent.url)
        agent.wait(lambda: agent.log_target == COM1)
        assert running.interrupt().status == 130
        assert agent.log_target == COM2, command


def test_put_back_after_a_refusal(agent, tool, net):
    agent.verdict = (fake.BAD_CRC, 0, 0xFFFF, 0, 0)
    for command in ("insert", "run"):
        agent.log_target, agent.log_mode = COM1, BUFFERED
        assert tool(command, net, "--log-target", "com2", "--log-mode", "synchronous").status != 0
        assert (agent.log_target, agent.log_mode) == (COM1, BUFFERED), command


def test_nothing_to_say_nothing_to_change(agent, tool, net):
    hit_while_installed(agent, 1)
    run = tool("run", net, "--count", "1")
    assert run.status == 0 and "records" not in run.stderr and logs(agent) == []


def test_what_was_asked_for(agent, tool, net):
    """insert and log leave it so, run does not."""
    run = tool("run", net, "--timeout", "0.2", "--log-target", "com2", "--log-mode", "synchronous")
    assert run.status == 0, run.stderr
    assert logs(agent) == [(COM2, SYNCHRONOUS), (COM1, BUFFERED)]
    assert "records go to com2 because of --log-target; no record appears on this line, com1" in run.stderr
    assert tool("insert", net, "--log-target", "com2", "--log-mode", "synchronous").status == 0
    assert (agent.log_target, agent.log_mode) == (COM2, SYNCHRONOUS)
    run = tool("log", "--timeout", "0.2")
    assert "records leave inside the hit, as an earlier command chose; --log-mode buffered changes that" in run.stderr
    assert (agent.log_target, agent.log_mode) == (COM2, SYNCHRONOUS)
    run = tool("log", "--timeout", "0.2", "--log-mode", "buffered")
    assert "inside the hit" not in run.stderr and (agent.log_target, agent.log_mode) == (COM2, BUFFERED)
    assert tool("log", "--timeout", "0.2", "--log-target", "com1").status == 0
    assert agent.log_target == COM1
    run = tool("log", "--timeout", "0.2", "--log-target", "none")
    assert "records go nowhere" in run.stderr and agent.log_target == NONE


@pytest.mark.parametrize("target,where", [("com2", "to com2"), ("none", "nowhere")])
def test_a_count_that_is_never_reached_is_refused(agent, tool, net, target, where):
    for command in (["run", net], ["log"]):
        agent.requests.clear()
        run = tool(*command, "--count", "1", "--log-target", target)
        assert run.status == 1 and logs(agent) == []
        assert f"--count waits for records on this line (com1), and --log-target sends records {where};" in run.stderr
        assert fake.COMMIT not in [command for command, _ in agent.requests]


@pytest.mark.parametrize("words,said", [
    (["--log-target", "com3"], "--log-target: 'com3' is not COM1, COM2 or NONE"),
    (["--log-mode", "sometimes"], "--log-mode: 'sometimes' is not SYNCHRONOUS or BUFFERED")])
def test_a_word_that_means_nothing(agent, tool, net, words, said):
    """Said before anything is asked."""
    for command in (["insert", net], ["run", net], ["log"]):
        run = tool(*command, *words)
        assert run.status == 1 and said in run.stderr
    assert agent.sessions == []


# ---- the real agent -----------------------------------------------------------------------------

PROGRAM = 'name = "net"\noffset = hot\nopcode = 0x10000140\nminor = 9\ninc gv, 0\npush 7\nlog 1\nexit\n'.replace(
    'name = "net"\n', 'name = "net"\ngvars = 1\n')


# proves: R4.2
def test_the_agent_says_which_line_it_is(sim_target, dprobes):
    target = sim_target()
    for com in ("com2", "com1"):
        info, = dprobes("info", "--format", "json", "--port", target.url(com)).objects()
        assert info["line"] == com and info["log_target"] == "com2" and not info["own_text"]
        assert f"records go to com2, buffered; this line is {com}\n" in dprobes(
            "info", "--port", target.url(com)).stdout


def test_a_second_line_gets_its_records(sim_target, dprobes, tmp_path):
    """The case that nobody noticed: insert on one line, run and log on the other."""
    target = sim_target("--hits", 200)
    source = tmp_path / "net.dp"
    source.write_text(PROGRAM)
    inserted = ["--sym", target.map, "--dont-verify-opcodes"]
    assert dprobes("insert", source, *inserted, "--log-target", "com2", "--port", target.url("com1")).status == 0
    run = dprobes("log", "--count", "5", "--timeout", str(process.TIMEOUT_S), "--port", target.url("com1"))
    assert run.status == 0, run.stderr
    assert run.stdout.count("DProbes(0,9) 07000000") == 5 and "records went to com2" in run.stderr
    run = dprobes("run", source, *inserted, "--merge", "--count", "5", "--timeout", str(process.TIMEOUT_S),
                  "--port", target.url("com1"))
    assert run.status == 0 and "records went to com2" in run.stderr, run.stderr
    info, = dprobes("info", "--format", "json", "--port", target.url("com1")).objects()
    assert info["log_target"] == "com2" and info["line"] == "com1"


# ---- the console --------------------------------------------------------------------------------

def test_console_says_that_it_leaves_records_out(agent, dprobes, tool, net):
    """Once, on standard error; syncs and notices are no records."""
    assert tool("insert", net).status == 0
    running = dprobes.start("console", "--port", agent.url, "--until", "end")
    agent.wait(lambda: agent.client)
    agent.sync()
    agent.emit(b"quiet\r\n")
    running.out.expect("quiet")
    time.sleep(0.1)
    assert running.err.text == ""
    for _ in range(3):
        agent.hit(b"\x01")
    agent.emit(b"DProbes\r\nthe end\r\n")
    run = running.wait()
    assert run.status == 0 and run.stdout == "quiet\r\nDProbes\r\nthe end\r\n"
    assert run.stderr == ("dprobes: probes log on this line too; the console discards their records: use 'dprobes log', "
                          "which prints the records, and the console's text on standard error\n"
                          "dprobes: 3 line(s) of records were discarded\n")
    running = dprobes.listen("--port", agent.url, "--count", "1")
    agent.emit(b"text\r\n")
    agent.hit(b"\x02")
    run = running.wait()
    assert run.stdout == "DProbes(3,9) 02\n" and run.stderr == "text\r\n"


@pytest.mark.parametrize("words, said", [((), ""), (("--verbose",), "dprobes: listening on {url}\n")])
def test_log_says_when_it_listens(agent, dprobes, tool, net, words, said):
    """From then on every record of the program is printed."""
    assert tool("insert", net).status == 0
    running = dprobes.start("log", "--count", "1", *words, "--port", agent.url)
    if words:
        running.err.expect("listening on .*\n")
    else:
        agent.wait(lambda: agent.client and [command for command, _ in agent.requests].count(fake.PROBES) > 0)
    agent.hit(b"\x05")
    run = running.wait()
    assert run.stdout == "DProbes(3,9) 05\n" and run.stderr == said.format(url=agent.url)


def test_quiet_console(agent, dprobes, tool, net):
    assert tool("insert", net).status == 0
    running = dprobes.start("console", "--port", agent.url, "--until", "end", "--quiet")
    agent.wait(lambda: agent.client)
    agent.hit(b"\x01")
    agent.emit(b"end\r\n")
    run = running.wait()
    assert (run.status, run.stderr) == (0, "")


def test_console_help_says_what_until_sees(dprobes):
    assert re.search(r"--until REGEX +stop when a console line matches", dprobes("console", "--help").stdout)
    assert re.search(r"--until REGEX +stop when a record, notice or console line matches", dprobes("log", "--help").stdout)


# ---- the form of lines ------------------------------------------------------------------------

def forms(agent):
    """What LOG requests have said of the form of lines, but for those that leave it."""
    return [arguments[2] for command, arguments in agent.requests if command == fake.LOG and arguments[2:3] not in (b"", b"\xfe")]


@pytest.mark.parametrize("compact, there, letters", [("on", True, "r"), ("off", True, "R"), ("auto", True, "R"), ("auto", False, "R")])
def test_form_of_lines(agent, tool, net, compact, there, letters):
    """AUTO: a socket has no rate. A session begins with hexadecimal lines, whatever the one before has asked for."""
    agent.compacts = there
    for _ in range(2):
        agent.letters.clear()
        agent.requests.clear()  # hits wait for those of this run
        hit_while_installed(agent, 3)
        run = tool("run", net, "--compact", compact, "--count", "3")
        assert run.status == 0 and run.stdout.count("DProbes") == 3, run.stderr
        assert agent.letters[letters] > 0 and not sum(agent.letters[letter] for letter in "rR" if letter != letters)
        assert forms(agent) == ([1] if letters == "r" else [])


@pytest.mark.parametrize("shown, asked", [("text", [1]), ("raw", [])])
def test_compact_lines_on_a_device(agent, dprobes, net, shown, asked):
    """AUTO: on a serial device characters take time. Other tools read the lines that the format raw prints."""
    device = serial.Pty(agent.path)
    agent.compacts = True
    hit_while_installed(agent, 3)
    run = dprobes("run", net, "--port", device.path, "--count", "3", "--format", shown, sanitized=False, env=serial.shim())
    assert run.status == 0 and len(re.findall("^DProbes|^~[RS]", run.stdout, re.M)) == 3, run
    assert (agent.letters["r"] > 0) == bool(asked) and (agent.letters["R"] > 0) != bool(asked) and forms(agent) == asked
    device.close()


def test_compact_lines_that_the_agent_lacks(agent, tool, net):
    run = tool("run", net, "--compact", "on", "--count", "1")
    assert run.status == 4 and re.search("built without records in compact lines.*DP_WITH_COMPACT", run.stderr), run.stderr
    assert not agent.programs and not forms(agent)
    run = tool("run", net, "--compact", "maybe")
    assert run.status == 1 and "--compact: 'maybe' is not AUTO, ON or OFF" in run.stderr
