# SPDX-License-Identifier: BSD-2-Clause
"""dprobes serve: several commands use one line at a time, through the process that owns the line."""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time

import pytest

from harness import process, serial, wire
from harness.tool import environment

PROGRAM = "name = served\nvars = 1\noffset = hot\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
WRITER = "name = writer\noffset = hot\npush 1\npop r, r0\nexit\n"
KEY = "000102030405060708090a0b0c0d0e0f"
LINK, AGENT = 3, 4


class Desk:
    """A target, its service, and commands that use the target."""

    def __init__(self, dprobes, target, folder, com="com2"):
        self.dprobes, self.target, self.url = dprobes, target, target.url(com)
        # A socket's path has at most 107 characters.
        self.temporary = tempfile.TemporaryDirectory(prefix="dprobes-", ignore_cleanup_errors=True)
        self.runtime = pathlib.Path(self.temporary.name)
        self.env = {"XDG_RUNTIME_DIR": str(self.runtime)}
        self.source = folder / "served.dp"
        self.source.write_text(PROGRAM)
        self.service = None

    def serve(self, *options):
        self.service = self.dprobes.start("serve", "--port", self.url, *options, env=self.env)
        self.service.err.expect("serving")
        return self

    def __call__(self, *words, **options):
        return self.dprobes(*words, "--port", self.url, env=self.env, **options)

    def start(self, *words):
        return self.dprobes.start(*words, "--port", self.url, env=self.env)

    @property
    def program(self):
        return (self.source, "--sym", self.target.map, "--dont-verify-opcodes")

    def status(self):
        return self.dprobes("serve", "--status", env=self.env).stdout

    def socket(self):
        folder = os.path.join(self.env["XDG_RUNTIME_DIR"], "dprobes")
        [name] = (name for name in os.listdir(folder) if name.endswith(".sock"))
        return os.path.join(folder, name)

    def until(self, condition):
        """Ask the service until the state is as wanted."""
        end = time.monotonic() + process.TIMEOUT_S
        while not condition(self.status()):
            assert time.monotonic() < end, self.status()


@pytest.fixture
def desk(dprobes, sim_target, tmp_path):
    def start(*options, serve=(), com="com2", **more):
        return Desk(dprobes, sim_target(*options, **more), tmp_path, com).serve(*serve)

    return start


def without_numbers(text):
    """Counts and times go on, and so does the number of records."""
    text = re.sub(r"(?<!\w)(0x)?[0-9a-f]{8,}(?!\w)|\d+(\.\d+)?", "N", text)
    return re.sub(r"(DProbes.*\n)+", "DProbes\n", text)


def answers(desk, dprobes=None):
    """What each ordinary command prints, numbers that go on left out."""
    found = []
    for words in (["info"], ["list"], ["insert", *desk.program], ["list", "--extended"], ["vars", "served"],
                  ["run", *desk.program, "--merge", "--count", "3"], ["log", "--count", "3", "--no-names"],
                  ["remove", "served"], ["list"], ["remove", "--all"]):
        done = desk(*words)
        found.append((words[0], done.status, without_numbers(done.stdout), without_numbers(done.stderr)))
    return found


def test_commands_print_the_same_through_a_service(dprobes, sim_target, tmp_path):
    desk = Desk(dprobes, sim_target("--hits", 50), tmp_path)
    direct = answers(desk)
    desk.serve()
    assert answers(desk) == direct
    assert [status for _, status, *_ in direct].count(0) >= 8, direct


def test_log_run_and_console_at_once(desk):
    here = desk("--hits", 50, com="com1")
    console, log = here.start("console"), here.start("log", "--no-names")
    run = here.start("run", *here.program, "--no-names")
    run.out.expect("DProbes.* 03000000")
    log.out.expect("DProbes")
    console.process.stdin.write(b"sum\n")
    console.out.expect("text ")
    state = here.status()
    assert all(f"dprobes {name} (pid" in state for name in ("console", "log", "run")) and "has installed program 0" in state, state
    done = run.interrupt()
    assert done.status == 130 and "hits: served" in done.stdout, done
    assert here.target.text_is_original() if here.url != here.target.url("com1") else True
    assert log.interrupt().status == 130 and console.interrupt().status == 130


def test_ten_clients_lose_no_record(desk):
    """Each client sees each record once, and no gap."""
    here = desk("--hits", 200)
    here("insert", *here.program)
    logs = [here.start("log", "--no-names", "--count", "100") for _ in range(10)]
    for log in logs:
        done = log.wait()
        numbers = [int.from_bytes(bytes.fromhex(value), "little") for value in re.findall(r"DProbes\S+ ([0-9a-f]{8})$", done.stdout, re.M)]
        assert done.status == 0 and len(numbers) == 100, done
        assert [b - a for a, b in zip(numbers, numbers[1:])] == [1] * 99, numbers


def test_program_of_a_killed_run_is_removed(desk):
    here = desk("--hits", 50)
    run = here.start("run", *here.program)
    run.out.expect("DProbes")
    run.process.kill()
    run.process.wait()
    here.until(lambda state: "dprobes run" not in state)
    assert "no program is installed" in here("list").stderr
    assert here.target.text_is_original()


def test_program_of_a_killed_insert_stays(desk, tmp_path):
    """insert ends by itself; a client that says nothing of time is one like it."""
    here = desk("--hits", 50)
    assert here("insert", *here.program).status == 0
    log = here.start("log")
    log.out.expect("DProbes")
    log.process.kill()
    log.process.wait()
    here.until(lambda state: "dprobes log" not in state)
    assert "served: program 0" in here("list").stdout


def test_killed_service_ends_its_clients(desk):
    here = desk("--hits", 50)
    clients = [here.start("log") for _ in range(10)]
    here.until(lambda state: state.count("dprobes log") == 10)
    here.service.process.kill()
    here.service.process.wait()
    ends = [client.wait() for client in clients]
    assert {done.status for done in ends} == {LINK} and all("has ended" in done.stderr for done in ends), ends
    assert os.path.exists(here.socket())
    # Neither its socket nor its session is in anybody's way.
    assert here("list").status == 0


def test_service_that_is_ended_says_so(desk):
    here = desk("--hits", 50)
    run = here.start("run", *here.program)
    run.out.expect("DProbes")
    here.service.process.send_signal(signal.SIGTERM)
    done = run.wait()
    assert done.status == LINK and "was ended" in done.stderr, done
    here.service.wait()
    assert os.listdir(os.path.dirname(here.env["XDG_RUNTIME_DIR"] + "/dprobes/x")) == []
    assert "no program is installed" in here("list").stderr


def test_service_ends_after_its_last_client(desk):
    here = desk(serve=("--timeout", "200ms"))
    assert here.service.wait().status == 0
    assert here("info").status == 0


def test_one_service_a_line(desk, dprobes):
    here = desk()
    done = here("serve")
    assert done.status == LINK and f"pid {here.service.process.pid}" in done.stderr, done


def test_stop(desk):
    """Who is refused by a service reads how to end it; then the line is free."""
    here = desk()
    assert "'dprobes serve --stop' ends it" in here("serve").stderr
    done = here("serve", "--stop")
    assert done.status == 0 and f"(pid {here.service.process.pid}) has ended" in done.stderr, done
    here.service.wait()
    assert here("info").status == 0
    done = here("serve", "--stop")
    assert done.status == LINK and f"no service owns {here.url}" in done.stderr, done


def test_socket_is_private(desk):
    here = desk()
    path = here.socket()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


def test_folder_of_others_is_refused(dprobes, sim_target, tmp_path):
    desk = Desk(dprobes, sim_target(), tmp_path)
    folder = desk.runtime / "dprobes"
    folder.mkdir()
    folder.chmod(0o777)
    done = desk("serve")
    assert done.status == LINK and "other users can change" in done.stderr, done
    assert desk("info").status == 0  # and no command looks for a service there


@pytest.mark.parametrize("restart, com, options", [("warm_restart", "com1", ()), ("power_cycle", "com2", ("--key", KEY))],
                         ids=["told by the notice", "told by the next request, with a key"])
def test_restart_of_the_target(dprobes, sim_target, tmp_path, restart, com, options):
    here = Desk(dprobes, sim_target("--hits", 50, *options), tmp_path, com)
    key = tmp_path / "board.key"
    key.write_text(KEY)
    key.chmod(0o600)
    here.serve("--key", key)
    run = here.start("run", *here.program, "--no-names", "--reinstall")
    log = here.start("log", "--no-names")
    run.out.expect("DProbes.* 02000000")
    log.out.expect("DProbes")
    getattr(here.target, restart)()
    run.err.expect(r"the target was restarted \(boot \d+\): inserting the program again")
    run.out.expect("DProbes.* 01000000")
    done = run.interrupt()
    assert done.status == 130 and "hits: served" in done.stdout, done
    assert log.wait().status == LINK
    assert here("info").status == 0


def test_key_is_proved_by_the_service_alone(dprobes, sim_target, tmp_path):
    here = Desk(dprobes, sim_target("--key", KEY), tmp_path)
    key = tmp_path / "board.key"
    key.write_text(KEY)
    key.chmod(0o600)
    refused = here("insert", *here.program)
    assert refused.status == AGENT and "requires a key" in refused.stderr, refused
    here.serve("--key", key)
    assert here("insert", *here.program).status == 0
    assert "served: program 0" in here("list").stdout


@pytest.mark.parametrize("of_service, of_client, status", [((), ("--write",), 4), (("--write",), (), 4), (("--write",), ("--write",), 0)],
                         ids=["the service has no right", "the client asks for none", "both"])
def test_no_more_rights_than_asked(desk, tmp_path, of_service, of_client, status):
    here = desk(serve=of_service)
    source, made = tmp_path / "writer.dp", tmp_path / "writer.ppdf"
    source.write_text(WRITER)
    built = here.dprobes("build", source, "--sym", here.target.map, "--dont-verify-opcodes", "--write", "-o", made)
    assert built.status == 0, built
    done = here("insert", made, *of_client)
    assert done.status == status, done
    assert (here("list").stdout == "") == (status != 0)


def test_second_choice_of_the_mode_is_refused_by_name(desk):
    here = desk("--hits", 50)
    first = here.start("log", "--acknowledged", "--verbose")
    first.err.expect("listening")
    second = here("log", "--log-mode", "synchronous", "--count", "1")
    assert second.status == AGENT and f"dprobes log (pid {first.process.pid}) has chosen" in second.stderr, second
    assert first.interrupt().status == 130
    here("insert", *here.program)
    assert here("log", "--log-mode", "synchronous", "--count", "1").status == 0


def test_lines_are_compact_while_all_clients_read_them(dprobes, agent, tmp_path):
    """A client that asks for no form, as a dprobes of before, gets hexadecimal lines, and so do the others then."""
    agent.compacts = True
    made = tmp_path / "served.ppdf"
    (tmp_path / "served.dp").write_text("name = served\naddress = 0x1000\nopcode = 0x10000140\npush 1\nlog 1\nexit\n")
    assert dprobes("build", tmp_path / "served.dp", "-o", made).status == 0
    class Target:
        map = None

        @staticmethod
        def url(_com):
            return agent.url

    here = Desk(dprobes, Target, tmp_path).serve("--compact", "on")
    assert here("insert", made).status == 0

    def lines_of(letter):
        """A record comes to each listener in such a line."""
        agent.letters.clear()
        agent.hit(bytes(4))
        assert agent.letters[letter] == 1 and not sum(agent.letters[other] for other in "rsRS" if other != letter)

    first = here.start("log", "--compact", "on", "--verbose")
    first.err.expect("listening")
    process.eventually(lambda: agent.form == 1, "compact lines")
    lines_of("s")
    first.out.expect("DProbes")
    second = here.start("log", "--compact", "off", "--verbose")
    second.err.expect("listening")
    assert agent.form == 0
    lines_of("S")
    first.out.expect("DProbes")
    second.out.expect("DProbes")
    assert second.interrupt().status == 130
    process.eventually(lambda: agent.form == 1, "compact lines again")
    lines_of("s")
    first.out.expect("DProbes")
    assert first.interrupt().status == 130
    process.eventually(lambda: agent.form == 0, "no reader")


def test_uploads_wait_for_each_other(desk):
    here = desk("--hits", 50)
    runs = [here.start("run", *here.program, "--merge", "--count", "5") for _ in range(6)]
    ends = [run.wait() for run in runs]
    assert [done.status for done in ends] == [0] * 6, [done.stderr for done in ends]
    assert here.target.text_is_original()


def test_second_writer_is_told(desk):
    here = desk(com="com1")
    one, other = here.start("console"), here.start("console")
    here.until(lambda state: state.count("dprobes console") == 2)
    one.process.stdin.write(b"s")
    here.until(lambda state: "typed last" in state)
    other.process.stdin.write(b"um\n")
    other.err.expect(f"another client is typing, dprobes console .pid {one.process.pid}.")
    one.process.stdin.write(b"um\n")
    one.out.expect("text ")
    other.out.expect("text ")


def connect(path):
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(path)
    line.send(b"W-deaf")
    return line


def test_client_that_does_not_read_is_dropped(dprobes, agent, tmp_path):
    """The line goes on."""
    class Target:
        map = None

        @staticmethod
        def url(_com):
            return agent.url

    here = Desk(dprobes, Target, tmp_path).serve("--keep")
    text = b"".join(b"%07d\n" % n for n in range(200_000))
    with connect(here.socket()) as deaf:
        here.until(lambda state: "deaf" in state)
        for at in range(0, len(text), 8000):
            agent.emit(text[at:at + 8000])
        here.service.err.expect("deaf .pid .* does not read")
        deaf.settimeout(process.TIMEOUT_S)
        packets = []
        with contextlib.suppress(ConnectionResetError):
            while packets[-1:] != [b""]:
                packets.append(deaf.recv(4096))
        assert packets[-2].startswith(b"E") and b"did not read" in packets[-2], packets[-2:]
    assert here("list").status == 0


def test_hostile_packets_end_nothing(desk):
    here = desk("--hits", 50)
    lines = [b"", b"L", b"L~Q", b"L~Q00", b"L~Q0002FFFF00000000\n", b"W", b"Wt" + b"x" * 2040, b"Z", b"S", b"L" + b"~" * 2000,
             b"L~Q0109010212345678026D6564A24C90\n", b"\xff" * 2000, b"L\n\r~\x00", b"S" * 50]
    for line in lines:
        with connect(here.socket()) as client:
            if line:
                client.send(line)
            client.send(line[:1] + b"~Q0009010212345678026D6564A24C90\n" if line else b"L")
    assert here("info").status == 0
    assert here.service.process.poll() is None


def test_ports_and_status_without_a_service(dprobes, tmp_path):
    done = dprobes("serve", "--status", env={"XDG_RUNTIME_DIR": str(tmp_path)})
    assert done.status == 0 and "no service runs" in done.stderr


def test_environment_of_the_tests_has_no_service():
    assert environment()["XDG_RUNTIME_DIR"] == "/dev/null"


def test_program_of_a_run_goes_with_the_next_command_when_the_service_was_killed(desk):
    """The service's own list has the programs; those of insert stay."""
    here = desk("--hits", 50)
    (here.source.parent / "kept.dp").write_text(PROGRAM.replace("served", "kept"))
    assert here("insert", here.source.parent / "kept.dp", *here.program[1:]).status == 0
    run = here.start("run", *here.program)
    run.out.expect("DProbes")
    here.service.process.kill()
    here.service.process.wait()
    done = run.wait()
    assert done.status == LINK and "removes those of 'run'" in done.stderr, done
    after = here("list")
    assert after.status == 0 and "1 program(s) of commands whose service was killed are removed" in after.stderr, after
    assert "kept: program" in after.stdout and "served" not in after.stdout, after
    assert "removed" not in here("list").stderr
    here("remove", "kept")
    assert here.target.text_is_original()


def test_next_service_removes_what_the_killed_one_left(desk):
    here = desk("--hits", 50)
    run = here.start("run", *here.program)
    run.out.expect("DProbes")
    here.service.process.kill()
    here.service.process.wait()
    run.wait()
    here.serve()
    assert "no program is installed" in here("list").stderr


@pytest.mark.parametrize("damage", [lambda text: text[:-2] + b"\n", lambda text: text[:-1] + b" x\n", lambda text: text[:-1]],
                         ids=["the CRC is cut", "something behind", "the newline is cut"])
def test_damaged_list_of_a_killed_service_is_none(desk, damage):
    here = desk("--hits", 50)
    run = here.start("run", *here.program)
    run.out.expect("DProbes")
    here.service.process.kill()
    here.service.process.wait()
    run.wait()
    [left] = (here.runtime / "dprobes").glob("*.left")
    whole = left.read_bytes()
    left.write_bytes(damage(whole))
    assert "served: program 0" in here("list").stdout
    left.write_bytes(whole)
    assert "no program is installed" in here("list").stderr


@pytest.mark.parametrize("line, change, stays", [(2, rb"255 \2", False), (1, rb"boot 77", True)],
                         ids=["a COMMIT without an answer", "of another start"])
def test_list_of_a_killed_service(desk, line, change, stays):
    """A program of unknown index is found by its object."""
    here = desk("--hits", 50)
    run = here.start("run", *here.program)
    run.out.expect("DProbes")
    here.service.process.kill()
    here.service.process.wait()
    run.wait()
    [left] = (here.runtime / "dprobes").glob("*.left")
    lines = left.read_bytes().splitlines(keepends=True)
    lines[line] = re.sub(rb"^(\w+) (.*)$", change, lines[line])
    left.write_bytes(b"".join(lines))
    assert ("served: program 0" in here("list").stdout) == stays
    assert not left.exists()
    here("remove", "--all")


def test_owner_hears_of_a_removed_program(desk):
    """With all that it has read."""
    here = desk("--hits", 50)
    run = here.start("run", *here.program, "--no-names")
    run.out.expect("DProbes.* 03000000")
    assert here("remove", "served").status == 0
    done = run.wait()
    assert done.status == AGENT and re.search(r"dprobes remove \(pid \d+\) has removed a program of this command", done.stderr), done
    assert "the program was removed: by another command" in done.stderr, done


def test_run_hears_of_its_replacement(desk):
    """And leaves alone who has its index by then."""
    here = desk("--hits", 50)
    run = here.start("run", *here.program, "--no-names")
    run.out.expect("DProbes.* 03000000")
    assert here("insert", *here.program, "--replace").status == 0
    (here.source.parent / "other.dp").write_text(PROGRAM.replace("served", "other"))
    assert "program 0" in here("insert", here.source.parent / "other.dp", *here.program[1:]).stdout
    done = run.wait()
    assert done.status == AGENT and "another command has replaced a program of this command" in done.stderr, done
    listed = here("list").stdout
    assert "other: program 0" in listed and "served: program 1" in listed, listed


def test_new_client_while_the_line_is_away(desk):
    """It ends, and says why."""
    here = desk("--hits", 50)
    here.target.close()
    here.service.err.expect("the service of the line: ")
    done = here("list")
    assert done.status == LINK and "the service has lost the line" in done.stderr, done


ONE_LINER = ("-n", "hot:entry { @ = count(); }", "-x", "aggrate=50ms")


def compiled(here):
    return "--sym", here.target.map, "--cpu", "sim", "--dont-verify-opcodes"


def test_one_liners_have_names_of_their_own(desk):
    here = desk("--hits", 50)
    runs = [here.start(*ONE_LINER, *compiled(here)) for _ in range(3)]
    here.until(lambda state: state.count("has installed program") == 3)
    names = re.findall(r"^(trace\d*): program", here("list").stdout, re.M)
    assert sorted(names) == ["trace", "trace2", "trace3"], names
    assert here("remove", "trace2").stdout == "removed: 1 program(s)\n"
    process.eventually(lambda: any(run.process.poll() is not None for run in runs))
    ends = [run.interrupt() if run.process.poll() is None else run.wait() for run in runs]
    assert sorted(done.status for done in ends) == [AGENT, 130, 130], ends
    assert here.target.text_is_original()


def test_counts_are_printed_when_the_service_dies(desk):
    here = desk("--hits", 50)
    run = here.start(*ONE_LINER, *compiled(here))
    here.until(lambda state: "has installed program" in state)
    requests = re.search(r"dprobes trace .*: (\d+) request", here.status()).group(1)
    here.until(lambda state: int(re.search(r"dprobes trace .*: (\d+) request", state).group(1)) > int(requests) + 4)
    here.service.process.kill()
    here.service.process.wait()
    done = run.wait()
    assert done.status == LINK and int(done.stdout.split()[-1]) > 0, done


def test_ports_names_the_line_of_a_service(desk, dprobes):
    here = desk()
    listed = dprobes("ports", env=here.env)
    assert re.search(rf"^{re.escape(here.url)}\n  held by: dprobes serve \(pid {here.service.process.pid}\)", listed.stdout, re.M), listed


BOARDS = """serve = {serve}
[one]
port = {one}
[two]
port = {two}
"""


def boards(folder, one, two, serve="no"):
    (folder / "dprobes.conf").write_text(BOARDS.format(one=one.url(), two=two.url(), serve=serve))


def test_several_boards_at_a_time(dprobes, sim_target, tmp_path):
    (tmp_path / "two").mkdir()
    one = sim_target()
    two = sim_target(folder=tmp_path / "two")
    boards(tmp_path, one, two)
    here = Desk(dprobes, one, tmp_path)
    service = dprobes.start("serve", "--board", "one", "--board", "two", cwd=tmp_path, env=here.env)
    for _ in range(2):
        service.err.expect("serving")
    state = here.status()
    assert one.url() in state and two.url() in state, state
    for board in ("one", "two"):
        assert dprobes("info", "--board", board, cwd=tmp_path, env=here.env).status == 0
    refused = dprobes("serve", "--board", "one", "--board", "two", "--port", one.url(), cwd=tmp_path, env=here.env)
    assert refused.status == 1 and "those of dprobes.conf" in refused.stderr, refused
    service.process.send_signal(signal.SIGTERM)
    assert service.wait().status == 130
    assert os.listdir(here.runtime / "dprobes") == []


def test_one_of_several_boards_fails(dprobes, sim_target, tmp_path):
    """The other one is served, and the status tells of the failure."""
    target = sim_target()
    (tmp_path / "dprobes.conf").write_text(f"[one]\nport = {target.url()}\n[two]\nport = unix:{tmp_path}/none\n")
    here = Desk(dprobes, target, tmp_path)
    service = dprobes.start("serve", "--board", "two", "--board", "one", cwd=tmp_path, env=here.env)
    service.err.expect("serving")
    assert dprobes("info", "--board", "one", cwd=tmp_path, env=here.env).status == 0
    service.process.send_signal(signal.SIGTERM)
    assert service.wait().status == LINK


def test_board_that_asks_for_a_service_gets_one(dprobes, sim_target, tmp_path):
    target = sim_target("--hits", 50)
    boards(tmp_path, target, target, serve="yes")
    here = Desk(dprobes, target, tmp_path)
    first = dprobes("insert", *here.program, "--board", "one", cwd=tmp_path, env=here.env)
    assert first.status == 0, first
    state = here.status()
    assert target.url() in state and "dprobes serve (pid" in state, state
    service = int(re.search(r"pid (\d+)", state).group(1))
    assert pathlib.Path(f"/proc/{service}/comm").read_text() == "dprobes serve\n", "who holds a device finds it"
    assert "served: program 0" in dprobes("list", "--board", "one", cwd=tmp_path, env=here.env).stdout
    os.kill(service, signal.SIGTERM)
    here.until(lambda state: state == "")
    boards(tmp_path, target, target, serve="maybe")
    refused = dprobes("list", "--board", "one", cwd=tmp_path, env=here.env)
    assert refused.status == 1 and "serve is yes or no, not 'maybe'" in refused.stderr, refused


def test_commands_at_the_same_time_start_one_service(dprobes, sim_target, tmp_path):
    """On a serial device, which one process opens."""
    target = sim_target("--hits", 50)
    device = serial.Pty(target.paths["com2"])
    (tmp_path / "dprobes.conf").write_text(f"serve = yes\n[one]\nport = {device.path}\n")
    here = Desk(dprobes, target, tmp_path)
    env = serial.shim(**here.env)
    runs = [dprobes.start("list", "--board", "one", cwd=tmp_path, env=env, sanitized=False) for _ in range(4)]
    ends = [run.wait() for run in runs]
    state = here.status()
    assert [done.status for done in ends] == [0] * 4 and state.count("dprobes serve (pid") == 1, (ends, state)
    service = int(re.search(r"pid (\d+)", state).group(1))
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client:
        client.connect(here.socket())
        os.kill(service, signal.SIGTERM)
        while client.recv(4096):
            pass
    device.close()


def test_ten_clients_while_the_board_is_reset(desk):
    """Each is told: run --reinstall goes on, others end with the status of the line."""
    here = desk("--hits", 50)
    logs = [here.start("log", "--no-names") for _ in range(8)]
    # Of two equal programs the second finds the first, which is there again: the service has told of the restart.
    runs = [here.start("run", *here.program, "--no-names", "--merge", "--reinstall") for _ in range(2)]
    for run in runs:
        run.out.expect("DProbes")
    here.until(lambda state: state.count("dprobes ") == 11)
    here.target.power_cycle()
    for run in runs:
        run.err.expect(r"the target was restarted \(boot \d+\): inserting the program again")
    assert {log.wait().status for log in logs} == {LINK}
    for run in runs:
        assert run.interrupt().status == 130
    assert here.service.process.poll() is None and here("info").status == 0
    assert here.target.text_is_original()


def listening(desk, *where):
    """A service with the console at these addresses, and its ports."""
    here = desk(com="com1", serve=[word for url in where for word in ("--listen", url)])
    return here, [int(port) for port in re.findall(r"the console is at \w+:127\.0\.0\.1:(\d+): who reaches", here.service.err.text)]


def read_until(line, wanted):
    data = b""
    while wanted not in data:
        more = line.recv(4096)
        assert more, data
        data += more
    return data


def test_console_over_tcp(desk):
    """Console text alone, and one writer at a time."""
    here, [port] = listening(desk, "tcp:127.0.0.1:0")
    with socket.create_connection(("127.0.0.1", port)) as one, socket.create_connection(("127.0.0.1", port)) as other:
        for line in (one, other):
            line.settimeout(process.TIMEOUT_S)
        here.until(lambda state: state.count(": console") == 2)
        one.sendall(b"su")
        here.until(lambda state: "typed last" in state)
        other.sendall(b"x")
        assert b"another client is typing, tcp:127.0.0.1:" in read_until(other, b"2 seconds\r\n")
        one.sendall(b"m\n")
        for line in (one, other):
            assert b"~" not in read_until(line, b"text "), "a frame"
    here.until(lambda state: ": console" not in state)
    assert here("list").status == 0


def test_console_for_a_client_of_rfc_2217(desk):
    try:
        import serial
    except ImportError:
        pytest.skip("python3-serial is not installed; run tests/setup.sh --nightly")
    here, [port] = listening(desk, "rfc2217:127.0.0.1:0")
    with serial.serial_for_url(f"rfc2217://127.0.0.1:{port}", baudrate=115200, timeout=process.TIMEOUT_S) as line:
        line.write(b"sum\n")
        assert line.read_until(b"text ").endswith(b"text ")
        assert here("list").status == 0


def test_telnet_answers_each_change(desk):
    """Each DO and WILL, and what takes them back, once. A question about a line is answered with its state."""
    here, [port] = listening(desk, "rfc2217:127.0.0.1:0")
    iac, will, wont, do, dont, binary = 255, 251, 252, 253, 254, 0
    control = bytes([iac, 250, 44, 5, 7, iac, 240])
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.settimeout(process.TIMEOUT_S)
        line.sendall(bytes([iac, do, binary] * 2 + [iac, dont, binary] * 2 + [iac, do, binary]) + control)
        data = read_until(line, bytes([iac, 250, 44, 105, 8, iac, 240]))
        wanted = bytes([iac, will, binary, iac, wont, binary, iac, will, binary])
        assert data.startswith(wanted + bytes([iac, 250])), data
        line.sendall(bytes([iac, will, binary, iac, wont, binary]) + control)
        assert read_until(line, bytes([105, 8, iac, 240])).startswith(bytes([iac, do, binary, iac, dont, binary]))
    assert here("list").status == 0


def test_hostile_telnet_ends_nothing(desk):
    here, [port] = listening(desk, "rfc2217:127.0.0.1:0")
    for data in (b"\xff", b"\xff\xff", b"\xff\xfa" + b"\x2c" * 3000, b"\xff\xfa\x2c\x01\xff\xf0", b"\xff\xfd" * 500, b"\xff\xfb\xff\xfd\xfe" * 200,
                 b"\xff\xfa\x2c\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xf0", bytes(range(256)) * 8):
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(data)
    here.until(lambda state: ": console" not in state)
    assert here.service.process.poll() is None and here("list").status == 0


def test_too_many_addresses(dprobes, sim_target, tmp_path):
    done = Desk(dprobes, sim_target(), tmp_path)("serve", *["--listen", "tcp:127.0.0.1:0"] * 9)
    assert done.status == 1 and "at most at 8 addresses" in done.stderr, done


@pytest.mark.parametrize("where, said", [("1234", "write tcp:HOST:PORT"), ("tcp:1234", "write tcp:HOST:PORT"), ("tcp:127.0.0.1:no", "--listen tcp:127.0.0.1:no: "),
                                         ("rfc2217:127.0.0.1:65536", "a port is a number up to 65535")])
def test_bad_listen(dprobes, sim_target, tmp_path, where, said):
    done = Desk(dprobes, sim_target(), tmp_path)("serve", "--listen", where)
    assert done.status == LINK and said in done.stderr, done


def test_console_in_picocom(desk):
    if shutil.which("picocom") is None:
        pytest.skip("picocom is not installed; run tests/setup.sh --nightly")
    here = desk(com="com1")
    pty = here.start("console", "--pty")
    pty.out.expect("/dev/pts/")
    child = subprocess.Popen(["picocom", "--quiet", pty.out.text.strip()], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    screen = process.Reader("picocom", child.stdout.read1)
    child.stdin.write(b"sum\n")
    child.stdin.flush()
    screen.expect("text ")
    child.stdin.close()
    child.wait(process.TIMEOUT_S)
    assert pty.interrupt().status == 130


class RawClient:
    """A client of the service that speaks the protocol by itself."""
    HELLO, BEGIN, FLIGHT = 0x01, 0x10, 0x34

    def __init__(self, path, session, rights=wire.ALL_BUT_WRITE):
        self.line, self.session, self.nonce, self.seq = connect(path), session, 0, 0
        self.line.settimeout(process.TIMEOUT_S)
        self.send(self.HELLO, bytes([wire.VERSION]) + session.to_bytes(4, "big") + bytes([rights, 0]), hello=True)
        while b"~Z" not in (packet := self.line.recv(4096)):
            pass
        _, answer = wire.parse_control(packet[1:].decode().strip(), 0)
        self.nonce = int.from_bytes(answer[-12:-4], "big")

    def send(self, command, fields, hello=False):
        self.line.send(b"L" + wire.control("Q", 0 if hello else self.session, self.seq, bytes([command]) + fields, self.nonce))
        self.seq += 1

    def answer(self, command):
        """The payload of the answer to the command: command, error and fields."""
        while True:
            packet = self.line.recv(4096)
            assert packet
            if packet.startswith(b"L~Z"):
                _, payload = wire.parse_control(packet[1:].decode().strip(), self.session, self.nonce)
                if payload[0] == command:
                    return payload

    def until(self, wanted):
        while not wanted(packet := self.line.recv(4096)):
            assert packet


# proves: R9.6
@pytest.mark.parametrize("how", [1, 2], ids=["freeze", "clear"])
def test_recorder_is_changed_with_the_right_alone(desk, how):
    """The service has the right INSERT: it grants a change of the flight recorder to no client without it."""
    here = desk()
    looks = RawClient(here.socket(), 0x1234567, wire.RIGHTS["LOOK"] | wire.RIGHTS["LOG"])
    inserts = RawClient(here.socket(), 0x2345678)
    for client, what, error in ((looks, 0, 0), (looks, how, 72), (inserts, how, 0)):
        client.send(RawClient.FLIGHT, bytes([what]) + b"\xff\xff\xff\xff")
        assert client.answer(RawClient.FLIGHT)[1] == error
    looks.line.close()
    inserts.line.close()


def test_client_that_waits_is_told_so(desk):
    """The upload of another client is open: the request waits longer than a request without an answer may."""
    here = desk()
    holder, waiting = RawClient(here.socket(), 0x1234567), RawClient(here.socket(), 0x2345678)
    holder.send(RawClient.BEGIN, (1000).to_bytes(4, "big") + bytes(4))
    holder.until(lambda packet: packet.startswith(b"L~Z"))
    waiting.send(RawClient.BEGIN, (500).to_bytes(4, "big") + bytes(4))
    waiting.until(lambda packet: packet == b"K")
    holder.line.close()
    waiting.until(lambda packet: packet.startswith(b"L~Z"))
    waiting.line.close()
