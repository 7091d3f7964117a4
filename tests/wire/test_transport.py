# SPDX-License-Identifier: BSD-2-Clause
"""Lines to a target: every kind, and what each says when it cannot be opened."""
import fcntl
import os
import pathlib
import select
import shutil
import socket
import subprocess
import threading

import pytest

from harness import fake_agent as fake, process
from harness.serial import Pty, Relay, as_nobody, shim
from harness.tool import environment

PROGRAM = "name = net\naddress = 0x1000\nopcode = 0x01020304\nminor = 9\npush 1\nlog 1\nexit\n"


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "net.dp"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def pty(agent):
    """The agent behind a pseudo terminal, as QEMU's -serial pty. Its path."""
    made = Pty(agent.path)
    yield made.path
    made.close()


@pytest.fixture
def serial(dprobes):
    """dprobes with the shim that lets libserialport open a pty."""
    def run(*args, **options):
        return dprobes(*args, sanitized=False, env=shim(), **options)
    return run


def does_everything(run, url, program):
    inserted = run("insert", program, "--port", url)
    assert inserted.status == 0, inserted.stderr
    assert "net: program 0" in run("list", "--port", url).stdout
    assert run("remove", "net", "--port", url).status == 0


def test_unix(agent, dprobes, program):
    does_everything(dprobes, f"unix:{agent.path}", program)


def test_port_from_the_environment(agent, dprobes):
    assert dprobes("list", env={"DPROBES_PORT": agent.url}).status == 0


def test_tcp(agent, dprobes, program):
    server = socket.create_server(("127.0.0.1", 0))
    ending = threading.Event()

    def serve():
        while not ending.is_set():
            if not select.select([server], [], [], 0.05)[0]:
                continue
            host, _ = server.accept()
            client = socket.socket(socket.AF_UNIX)
            client.connect(agent.path)
            relay = Relay(host.fileno(), client.fileno())
            relay.thread.join()
            host.close()
            client.close()
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        does_everything(dprobes, f"tcp:127.0.0.1:{server.getsockname()[1]}", program)
    finally:
        ending.set()
        thread.join()
        server.close()


def test_pty(agent, dprobes, pty, program):
    does_everything(dprobes, f"pty:{pty}", program)


def test_device(agent, serial, pty, program):
    """The code for serial devices, on a pty."""
    does_everything(serial, pty, program)


def test_exec(agent, dprobes, program):
    if not shutil.which("socat"):
        pytest.skip("socat is not installed; run: sh tests/setup.sh")
    does_everything(dprobes, f"exec:socat - unix-connect:{agent.path}", program)


def test_the_host_drains_while_it_sends(agent, dprobes, program):
    """A target that talks much during an upload does not block it (host/wire/transport.h)."""
    chatter = b"x" * 4096 + b"\n"

    def on_line(_seq, payload):
        if payload[0] == fake.DATA:
            agent.emit(chatter * 64)
    agent.on_line = on_line
    run = dprobes("insert", program, "--port", agent.url, "--quiet")
    assert run.status == 0, run.stderr


# ---- what cannot be opened ---------------------------------------------------------------------

def test_a_socket_without_its_form(dprobes, tmp_path):
    """Also through a link."""
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(tmp_path / "com1"))
        (tmp_path / "link").symlink_to("com1")
        for path in (tmp_path / "com1", tmp_path / "link"):
            run = dprobes("list", "--port", path)
            assert run.status == 3 and f"{path} is a socket, not a serial device; give unix:{path}" in run.stderr


@pytest.mark.parametrize("url, words", [
    ("unix:/nonexistent/socket", ["no such socket", "is the board (QEMU) running"]),
    ("unix:", ["needs a path"]),
    ("tcp:127.0.0.1:1", ["no process listens on 127.0.0.1:1"]),
    ("tcp:nohost.invalid:1", ["no such host or port"]),
    *((f"tcp:localhost:{port}", [f"no such host or port: localhost:{port}: a port is a number up to 65535"]) for port in (65536, 99999, -1)),
    ("tcp:12", ["HOST:PORT"]),
    ("pty:/dev/pts/99999", ["no such device"]),
    ("pty:/dev/null", ["/dev/null is not a terminal"]),
    ("/dev/ttyNONE7", ["no such device: /dev/ttyNONE7"]),
    ("/dev/null", ["/dev/null is no serial device; a line is a device path such as /dev/ttyUSB0, unix:PATH"]),
    ("bogus:x", ["no such device: bogus:x; a line is", "tcp:HOST:PORT, pty:PATH or exec:COMMAND"]),
    ("ttyNONE7", ["no such device: ttyNONE7; a line is a device path such as /dev/ttyUSB0"]),
    ("exec:", ["needs a command"]),
])
def test_no_such_line(dprobes, url, words):
    run = dprobes("list", "--port", url)
    assert run.status == 3
    for word in words:
        assert word in run.stderr
    assert run.stderr.count("\n") == 1


def test_pty_given_as_a_device(agent, dprobes, pty, program):
    """/dev/pts/N needs no pty: in front."""
    does_everything(dprobes, pty, program)


@pytest.mark.parametrize("as_device", [True, False])
def test_link_to_a_device(agent, dprobes, serial, pty, program, tmp_path, as_device):
    """/dev/serial/by-id/NAME is a link whose own name is in no /sys."""
    folder = tmp_path / "by-id"
    folder.mkdir()
    link = folder / "usb-Maker_Adapter_0001-if00-port0"
    link.symlink_to(os.path.relpath(pty, folder))
    does_everything(serial if as_device else dprobes, str(link), program)


def test_link_to_nothing(dprobes, tmp_path):
    """The name remains in by-id for a moment after the adapter has gone."""
    link = tmp_path / "usb-Maker_Adapter_0001-if00-port0"
    link.symlink_to("/dev/ttyNONE7")
    run = dprobes("list", "--port", str(link))
    assert run.status == 3 and run.stderr == f"dprobes: error: no such device: {link}; is the adapter plugged in?\n"


@pytest.mark.parametrize("url", ["/dev/tty", "pty:/dev/tty"])
def test_the_own_terminal_is_no_line(dprobes, url):
    """What is sent there appears on the user's screen."""
    run = dprobes("list", "--port", url)
    assert run.status == 3 and "/dev/tty is the terminal of this command, not a line to a target; a line is" in run.stderr


def test_the_own_terminal_by_its_name(dprobes):
    """By the name of standard input."""
    ours, theirs = os.openpty()
    run = subprocess.run([dprobes.path(), "list", "--port", f"pty:{os.ttyname(theirs)}"], stdin=theirs, env=environment(),
                         capture_output=True, text=True, timeout=process.TIMEOUT_S, check=False)
    os.close(ours)
    os.close(theirs)
    assert run.returncode == 3 and "is the terminal of this command" in run.stderr


def test_socket_of_a_board_that_ended(dprobes, tmp_path):
    path = tmp_path / "dead"
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(path))
    dead.close()
    run = dprobes("list", "--port", f"unix:{path}")
    assert run.status == 3 and "no process listens" in run.stderr


def test_permission_denied(dprobes, tmp_path):
    path = tmp_path / "locked"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    os.chmod(path, 0)
    command = as_nobody([dprobes.path(), "list", "--port", f"unix:{path}"])
    if os.geteuid() == 0:
        for folder in [tmp_path, *tmp_path.parents]:
            if folder.stat().st_uid == os.geteuid() and not folder.stat().st_mode & 1:
                folder.chmod(folder.stat().st_mode | 0o11)
    run = subprocess.run(command, capture_output=True, text=True, timeout=process.TIMEOUT_S, check=False)
    listener.close()
    assert run.returncode == 3 and "permission denied" in run.stderr


@pytest.mark.parametrize("kind", ["pty:", ""])
def test_another_program_holds_the_line(dprobes, serial, pty, kind):
    holder = os.open(pty, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    run = (dprobes if kind else serial)("list", "--port", kind + pty)
    os.close(holder)
    command = pathlib.Path("/proc/self/comm").read_text(encoding="utf-8").strip()
    assert run.status == 3
    assert run.stderr == f"dprobes: error: another program has {pty} open: {command} (pid {os.getpid()}); end that program first\n"


def test_two_dprobes_on_one_pty(agent, dprobes, pty):
    first = dprobes.start("log", "--port", f"pty:{pty}")
    agent.wait(lambda: agent.sessions)
    run = dprobes("list", "--port", f"pty:{pty}")
    assert run.status == 3 and f"dprobes (pid {first.process.pid})" in run.stderr
    assert first.interrupt().status == 130


def test_a_program_that_shares_a_silent_line_is_named(agent, dprobes, pty):
    """A cat on the device takes the answers. This process has the device open."""
    agent.on_line = lambda seq, payload: fake.DROP
    run = dprobes("list", "--port", f"pty:{pty}")
    command = pathlib.Path("/proc/self/comm").read_text(encoding="utf-8").strip()
    assert run.status == 3
    assert f"no answer on pty:{pty}: {command} (pid {os.getpid()}) has the line open, too, and may take the answers; end " in run.stderr


WAITS = "serves another program (QEMU's sockets serve one at a time), or is stopped: waiting"


def test_two_dprobes_on_one_socket(agent, dprobes):
    """The second connection waits in the queue of the server, where it looks open."""
    first = dprobes.start("log", "--port", agent.url)
    agent.wait(lambda: agent.sessions)
    run = dprobes("list", "--port", agent.url)
    waits = f"dprobes: the server of {agent.url} {WAITS}\n"
    ends = (f"dprobes: error: no answer on {agent.url}: the server of this socket still serves another program, "
            "or is stopped; end that program first ('dprobes serve' lets several dprobes commands use a line)\n")
    assert (run.status, run.stderr) == (3, waits + ends)
    assert first.interrupt().status == 130


def test_a_taken_socket_gets_no_byte(dprobes, tmp_path):
    """What waits in the queue of QEMU reaches the firmware in part, when its sender has gone: a shell with a lone '~'."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "taken"))
        server.listen(8)
        for words in (("list",), ("console",)):
            run = dprobes.start(*words, "--port", f"unix:{tmp_path}/taken")
            run.process.stdin.write(b"stats\n")
            run.process.stdin.close()
            run.err.expect("or is stopped: waiting")
            assert run.interrupt().status == 130
        for _ in range(2):
            with server.accept()[0] as client:
                assert client.recv(1) == b""


def test_console_on_a_taken_socket(agent, dprobes):
    """A console says no hello, and would be silent for ever. It goes on when the line is free."""
    first = dprobes.start("log", "--port", agent.url)
    agent.wait(lambda: agent.sessions)
    second = dprobes.start("console", "--port", agent.url)
    second.err.expect("or is stopped: waiting")
    assert first.interrupt().status == 130
    agent.wait(lambda: agent.client)
    agent.emit(b"login: ")
    second.out.expect("login: ")
    assert second.interrupt().status == 130


def test_silent_target_is_not_a_queue(agent, dprobes):
    """A target that is silent is no server that is busy."""
    agent.on_line = lambda seq, payload: fake.DROP
    run = dprobes("list", "--port", agent.url)
    assert run.status == 3 and "no answer" in run.stderr and "serves another" not in run.stderr


def test_exec_that_fails(dprobes):
    run = dprobes("list", "--port", "exec:false")
    assert run.status == 3 and "closed at the other end" in run.stderr


def test_exec_ends_with_us(agent, dprobes, tmp_path):
    """What we started does not outlive us."""
    pid_file = tmp_path / "pid"
    run = dprobes("console", "--timeout", "0.3", "--port",
                  f"exec:echo $$ > {pid_file}; exec sleep 1000", stdin="")
    assert run.status == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


def test_console_on_a_pty(agent, dprobes):
    running = dprobes.start("console", "--pty", "--port", agent.url)
    path = running.out.expect(r"(/dev/\S+)\n").group(1).decode()
    terminal = os.open(path, os.O_RDWR | os.O_NOCTTY)
    agent.wait(lambda: agent.client)
    agent.emit(b"login: ")
    prompt = b""
    while prompt != b"login: ":
        assert select.select([terminal], [], [], 10)[0]
        prompt += os.read(terminal, 100)
    os.write(terminal, b"root\n")
    agent.wait(lambda: bytes(agent.typed) == b"root\n")
    os.close(terminal)
    assert running.interrupt().status == 130
