# SPDX-License-Identifier: BSD-2-Clause
"""The commands that stay: run, log and console, against the agent of fake_agent.py, and how they end."""
import re
import os
import signal
import subprocess
import threading

import pytest

from harness import fake_agent as fake
from harness import own_time, process, wire
from harness.link import NET, hit_while_installed
from harness.tool import Running, environment

# ---- run --------------------------------------------------------------------------------------

LEFT = "the program may still be on the target; 'dprobes list' shows whether it is, 'dprobes remove net' removes it\n"


def test_run_to_count(agent, tool, net):
    hit_while_installed(agent, 5)
    run = tool("run", net, "--count", "5")
    assert run.status == 0
    assert run.lines() == ["DProbes(3,9) 01"] * 5 + [f"net lv {n} = 0x00000000 (0)" for n in range(4)] + [
        "hits: net minor 9 at 0x00001000: 5", "hits: net minor 10 at 0x00001010: 0"]
    assert not agent.programs


OTHER = NET.replace("name = net", "name = other").replace("major = 3", "major = 8")


@pytest.mark.parametrize("limit", [("--count", "2"), ("--until", "DProbes.*0[34]$")], ids=["count", "until"])
def test_run_waits_for_its_own_records(agent, tool, net, limit):
    """Another program logs meanwhile: its records are printed, and neither counted nor looked at."""
    other = net.with_name("other.dp")
    other.write_text(OTHER)
    assert tool("insert", other).status == 0

    def later():
        agent.wait(lambda: [command for command, _ in agent.requests].count(fake.PROBES) == 2)
        for body in (b"\x03", b"\x04", b"\x04"):
            agent.hit(body)
        for body in (b"\x01", b"\x04"):
            agent.hit(body, program=1)
    threading.Thread(target=later, daemon=True).start()
    run = tool("run", net, *limit)
    assert run.status == 0, run.stderr
    assert [line for line in run.lines() if line.startswith("DProbes")] == [
        "DProbes(8,9) 03", "DProbes(8,9) 04", "DProbes(8,9) 04", "DProbes(3,9) 01", "DProbes(3,9) 04"]
    assert [program.name for program in agent.programs.values()] == [b"other"]


def test_a_record_older_than_the_session_is_not_of_our_program(agent, tool, net):
    """A program that is gone had the probe number: its last record waited in the ring. One line counts such records."""
    def later():
        agent.wait(lambda: [command for command, _ in agent.requests].count(fake.PROBES) == 1)
        agent.hit(b"\x0e", ticks=1)
        agent.hit(b"\x01")
    agent.wait(lambda: agent._ticks() > 1000)
    threading.Thread(target=later, daemon=True).start()
    run = tool("run", net, "--count", "1")
    assert run.status == 0, run.stderr
    assert [line for line in run.lines() if line.startswith("DProbes")] == ["DProbes(3,9) 01"]
    assert "dprobes: 1 record(s) of other programs are not shown; 'dprobes log' prints them\n" in run.stderr


@pytest.mark.parametrize("form", ["text", "json", "raw"])
def test_hits_come_behind_the_last_record(agent, tool, net, form):
    """Also behind those that were on their way when the program was stopped."""
    agent.ring = [b"\x0e"]
    run = tool("run", net, "--timeout", "0.3", "--format", form)
    assert run.status == 0, run.stderr
    kinds = {"text": r"DProbes\(3,9\) 0e|hits", "json": r'"kind":"(?:log|hits)"', "raw": r"^~[RS]|^hits"}[form]
    found = re.findall(kinds, run.stdout + run.stderr * (form == "raw"), re.M)
    assert len(found) == 3 and "hits" not in found[0] and "hits" in found[1] and "hits" in found[2]


@pytest.mark.parametrize("asked", [fake.PROBES, fake.PROGRAM])
def test_an_error_behind_the_insert_takes_the_program_back(agent, tool, net, asked):
    def on_line(_seq, payload):
        if payload[0] == fake.COMMIT:
            agent.answers[asked] = fake.BAD_REQUEST
    agent.on_line = on_line
    run = tool("run", net, "--count", "1")
    assert run.status == 4 and run.stderr.count("the agent refused") == 1, run.stderr
    assert not agent.programs and "may still be" not in run.stderr


def test_a_program_that_cannot_be_removed_is_told(agent, tool, net):
    def on_line(_seq, payload):
        if payload[0] == fake.COMMIT:
            agent.answers.update({fake.PROBES: fake.BAD_REQUEST, fake.REMOVE: fake.BAD_REQUEST})
    agent.on_line = on_line
    run = tool("run", net, "--count", "1")
    assert run.status == 4 and len(agent.programs) == 1
    assert LEFT \
        in run.stderr


def test_a_line_that_breaks_leaves_the_program_and_says_so(agent, tool, net):
    def on_line(_seq, payload):
        return fake.CLOSE if payload[0] == fake.PROBES else None
    agent.on_line = on_line
    run = tool("run", net, "--count", "1")
    assert run.status == 3 and "closed at the other end" in run.stderr and LEFT in run.stderr


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
    agent.ring = [b"\x01", b"\x02"]
    run = tool("run", net, "--timeout", "0.3")
    assert run.status == 0 and run.stdout.count("DProbes") == 2 and not agent.programs


def test_run_gives_up_waiting(agent, tool, net):
    run = tool("run", net, "--until", "never", "--timeout", "0.5")
    assert run.status == 124 and not agent.programs
    assert "timed out after 0.5 s, 0 record(s): no line matched --until 'never'\n" in run.stderr
    run = tool("run", net, "--count", "7", "--timeout", "0.3")
    assert run.status == 124 and "timed out after 0.3 s, 0 of 7 record(s)\n" in run.stderr


def test_until_sees_the_console(agent, tool, net):
    def later():
        agent.wait(lambda: agent.programs)
        agent.emit(b"boot ok\r\ntest PASS")
        agent.emit(b"ED\r\n")
    threading.Thread(target=later, daemon=True).start()
    run = tool("run", net, "--until", "^test PASSED$", "--timeout", str(process.TIMEOUT_S))
    assert run.status == 0 and not agent.programs


def test_until_is_checked(tool, net):
    run = tool("run", net, "--until", "(")
    assert run.status == 1 and "not a regular expression" in run.stderr


def test_interrupt_removes(agent, dprobes, net):
    running = dprobes.start("run", net, "--port", agent.url)
    agent.wait(lambda: agent.programs)
    agent.wait(lambda: any(command == fake.PROBES for command, _ in agent.requests))
    agent.hit(b"\x07")
    running.out.expect("DProbes")
    run = running.interrupt()
    assert run.status == 130 and not agent.programs
    assert "hits: net minor 9 at 0x00001000: 1" in run.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGXCPU])
def test_interrupt_while_it_is_armed(agent, dprobes, net, number):
    """Between COMMIT and its answer nobody knows what is armed: run waits for it, and removes."""
    started, sent = threading.Event(), []

    def on_line(_seq, payload):
        started.wait(process.TIMEOUT_S)
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


class OwnTime:
    """dprobes on a line of own_time.py: its clock goes on by its waits alone, so a busy machine changes nothing. A signal
    that act sends arrives before the answer to the request, when the clock of dprobes shows line.seconds."""

    def __init__(self, tmp_path, act):
        self.agent, self.running, self.started = fake.FakeAgent(tmp_path / "agent"), None, threading.Event()
        self.agent.sync_each_s = 0
        self.line = own_time.Line(tmp_path / "line", self.agent)

        def on_line(_seq, payload):
            self.started.wait(process.TIMEOUT_S)
            return act(self, payload[0])
        self.agent.on_line = on_line

    def send(self, number):
        self.running.process.send_signal(number)

    def run(self, dprobes, *words):
        """dprobes with these words, to its end. Returns its result."""
        return self.wait(dprobes.start(*words, "--port", self.line.url, env=self.line.environment(), sanitized=False))

    def wait(self, running):
        self.running = running
        self.started.set()
        try:
            return running.wait()
        finally:
            running.close()
            self.line.close()
            self.agent.close()


def first(box, what):
    """True once for each thing."""
    if what in box:
        return False
    box.append(what)
    return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1])
def test_a_second_signal_right_behind_is_the_same_wish(dprobes, tmp_path, net, number):
    """timeout(1) sends SIGTERM to its child and to the group: the removal goes on."""
    sent = []

    def act(own, command):
        if command in (fake.PROBES, fake.REMOVE) and first(sent, command):
            own.send(number)
    own = OwnTime(tmp_path, act)
    run = own.run(dprobes, "run", net)
    assert sent == [fake.PROBES, fake.REMOVE] and run.status == 130 and not own.agent.programs, run.stderr
    assert "hits: net minor 9" in run.stdout and LEFT not in run.stderr


def test_run_under_timeout(dprobes, tmp_path, net):
    """A process of the group shows by its end that timeout(1) has sent both signals. SIGALRM ends its time early."""
    witness, sent = tmp_path / "witness", []
    os.mkfifo(witness)

    def act(own, command):
        if command == fake.PROBES and first(sent, command):
            with open(witness, "rb") as end:
                own.send(signal.SIGALRM)
                end.read()
    own = OwnTime(tmp_path, act)
    script = 'sleep 86400 >"$0" 2>&- & exec env LD_PRELOAD="$1" "$2" run "$3" --port "$4"'
    run = own.wait(Running(["timeout", "86400", "sh", "-c", script, witness, own.line.environment()["LD_PRELOAD"],
                            dprobes.path(sanitized=False), net, own.line.url], None, environment()))
    assert run.status == 124 and "hits: net minor 9" in run.stdout and not own.agent.programs, run.stderr


@pytest.mark.parametrize("number,pause", [(signal.SIGINT, 0.4), (signal.SIGQUIT, 0.4), (signal.SIGTERM, 1.3)])
def test_a_later_signal_gives_up_and_says_what_is_left(dprobes, tmp_path, net, number, pause):
    """The agent does not answer any more: nobody has to wait for the end of patience."""
    times = []

    def act(own, command):
        if not times and command == fake.PROBES or len(times) == 1 and own.line.seconds >= times[0] + pause:
            times.append(own.line.seconds)
            own.send(number)
        return fake.DROP if command == fake.REMOVE else None
    own = OwnTime(tmp_path, act)
    run = own.run(dprobes, "run", net)
    assert len(times) == 2 and run.status == 130 and run.stderr.count(LEFT) == 1, run.stderr
    assert own.line.seconds - times[1] < 1 and len(own.agent.programs) == 1


def test_the_first_signal_within_the_removal_does_not_end_it(dprobes, tmp_path, net):
    sent = []

    def act(own, command):
        if command == fake.REMOVE and first(sent, command):
            own.send(signal.SIGTERM)
    own = OwnTime(tmp_path, act)
    run = own.run(dprobes, "run", net, "--timeout", "0.3")
    assert sent and run.status == 0 and not own.agent.programs and LEFT not in run.stderr, run.stderr


def test_a_later_signal_while_nobody_knows_what_is_armed(dprobes, tmp_path, net):
    """Behind COMMIT the first one waits for the answer; a later one ends it at once, and says what may be there."""
    times = []

    def act(own, command):
        if command != fake.COMMIT:
            return None
        if not times or len(times) == 1 and own.line.seconds >= times[0] + 0.4:
            times.append(own.line.seconds)
            own.send(signal.SIGINT)
        return fake.DROP
    run = OwnTime(tmp_path, act).run(dprobes, "insert", net)
    assert len(times) == 2 and run.status == 130 and run.stderr.endswith(LEFT), run.stderr


def test_records_on_their_way_at_the_end_are_printed(agent, tool, net):
    """What the agent has in its ring at STOP belongs to the run, also when the last sync is lost."""
    agent.sync_each_s, agent.ring = 0, [bytes([n]) for n in range(100)]
    run = tool("run", net, "--timeout", "0.3")
    assert [line for line in run.lines() if line.startswith("DProbes")] == [f"DProbes(3,9) {n:02x}" for n in range(100)]
    assert run.status == 0
    commands = [command for command, _ in agent.requests]
    assert commands.index(fake.STOP) < commands.index(fake.REMOVE)


# proves: R5.64
def test_what_never_comes_at_the_end_is_counted(agent, tool, net):
    """STOP says how many records there are; the answer to STATUS says how many of them were sent."""
    agent.sync_each_s, agent.ring, agent.ring_lost = 0, [bytes([n]) for n in range(10)], 4
    run = tool("run", net, "--timeout", "0.3")
    assert run.status == 5 and "lost: 4 record(s) of stream 0 on the line" in run.stderr


# ---- console

def test_console_types(agent, dprobes):
    def later():
        agent.wait(lambda: bytes(agent.typed) == b"help\n")
        agent.emit(b"helped\n")
    threading.Thread(target=later, daemon=True).start()
    run = dprobes("console", "--port", agent.url, "--until", "^helped$", stdin="help\n")
    assert run.status == 0 and bytes(agent.typed) == b"help\n"


def test_console_until(agent, dprobes):
    running = dprobes.start("console", "--port", agent.url, "--until", "^2 samples? missing$")
    agent.wait(lambda: agent.client)
    agent.emit(b"1 sample missing\r\n2 sample")
    agent.emit(b"s missing\r\nmore")
    assert running.wait().status == 0
    run = dprobes("console", "--port", agent.url, "--until", "never", "--timeout", "0.3")
    assert run.status == 124 and "timed out after 0.3 s: no line of the console matched --until 'never'\n" in run.stderr
    assert dprobes("console", "--port", agent.url, "--until", "(").status == 1


@pytest.mark.parametrize("text, until", [
    (b"login: ", "^login: $"), (b"\x1b[1;32muart:~$ \x1b[m", r"^uart:~\$ $"), (b"\x1b[2K\rgrub\x1b[31m> ", "^grub>"),
    (b"a\x1b(Bb\x1b]cd\x1b7e\n", "^abcde$")], ids=["a prompt", "a coloured prompt", "colours inside of it", "other sequences"])
def test_console_until_sees_prompts_and_text_behind_colours(agent, dprobes, text, until):
    """A prompt has no newline. A reader of the pipe gets the bytes as they are."""
    running = dprobes.start("console", "--port", agent.url, "--until", until)
    agent.wait(lambda: agent.client)
    for at in range(len(text)):  # sequences arrive in pieces
        agent.emit(text[at:at + 1])
    assert running.wait().status == 0 and running.out.data == text


def test_the_end_of_a_piece_is_no_end_of_a_line(agent, dprobes):
    running = dprobes.start("console", "--port", agent.url, "--until", "^number 1$")
    agent.wait(lambda: agent.client)
    agent.emit(b"number 12\n" * 400 + b"the rest\nnumber 1\n")
    assert running.wait().status == 0 and running.out.text.endswith("the rest\nnumber 1\n")


def test_the_console_ends_with_its_terminal(agent, dprobes):
    """Its terminal is closed, and nobody sends SIGHUP: the console was started in a session without a terminal."""
    master, slave = os.openpty()
    child = process.start([dprobes.path(), "console", "--port", agent.url], env=environment(), stdin=slave, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    os.close(slave)
    assert b"^] leaves" in child.stderr.readline()
    os.close(master)
    child.communicate(timeout=process.TIMEOUT_S)
    assert child.returncode == 0


# ---- standard output that is not there --------------------------------------------------------

def read_and_leave(dprobes, *args):
    """dprobes ... | head -1: the status and messages of dprobes, and the line."""
    child = process.start([dprobes.path(), *args], env=environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = child.stdout.readline()
        child.stdout.close()
        child.wait(process.TIMEOUT_S)
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
                         timeout=process.TIMEOUT_S, check=False)
    assert bytes(agent.typed) == b""
    assert run.returncode == 1 or words == ("list", "--format", "json")  # an empty list prints nothing


@pytest.mark.parametrize("words", [("--help",), ("build", "--help"), ("--version",)])
def test_full_standard_output(dprobes, words):
    with open("/dev/full", "wb") as full:
        run = subprocess.run([dprobes.path(), *words], env=environment(), stdout=full,
                             stderr=subprocess.PIPE, timeout=process.TIMEOUT_S, check=False)
    assert run.returncode == 1 and b"could not be written completely" in run.stderr


# ---- a frame in pieces --------------------------------------------------------------------------

def sync_line(ticks):
    """A stream line without effect, as a target sends it."""
    return wire.stream("Y", f"0FFF{ticks:016X}{0:08X}{1:04X}{0:056X}")


def test_until_never_matches_a_piece_of_a_frame(agent, dprobes):
    """The target pauses so long that the beginning of the line is shown: a piece is no text of the console."""
    line = sync_line(0xABCDEF)
    piece = line[:25].decode()
    running = dprobes.start("console", "--port", agent.url, "--until", "0000ABCDEF")
    agent.wait(lambda: agent.client)
    agent.emit(b"begin\n" + line[:25])
    running.out.expect(piece)  # the pause is over when the piece is shown
    agent.emit(line[25:] + b"text\n")
    running.out.expect("text")
    agent.emit(b"more\n")
    running.out.expect("more")  # it listens on
    agent.emit(b"0000ABCDEF\n")
    run = running.wait()
    assert run.status == 0 and run.stdout == f"begin\n{piece}text\nmore\n0000ABCDEF\n"


def test_log_shows_a_prompt_at_once(agent, dprobes, tool, net):
    """A prompt has no newline."""
    assert tool("insert", net).status == 0
    running = dprobes.start("log", "--port", agent.url, "--count", "1")
    agent.wait(lambda: agent.requests[-1][0] == fake.STATUS)
    agent.emit(b"demo> ")
    running.err.expect("demo> ")
    agent.hit(b"\x01")
    assert running.wait().status == 0


def test_the_console_opens_in_the_middle_of_a_frame(agent, dprobes):
    line = sync_line(1)
    running = dprobes.start("console", "--port", agent.url, "--until", "^end$")
    agent.wait(lambda: agent.client)
    agent.emit(line[20:] + b"text\r\n" + line + b"12345678\nend\n")
    assert running.wait().stdout == "text\r\n12345678\nend\n"
