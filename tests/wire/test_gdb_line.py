# SPDX-License-Identifier: BSD-2-Clause
"""dprobes gdb on a line: places where it listens, clients that are not gdb, sums that are left, a target that restarts with another
firmware. Packets: tests/host/test_gdb_server.c; stock gdb: tests/board/test_gdb.py."""
import contextlib
import pathlib
import re
import socket
import threading

import pytest

from harness import fake_agent as fake

ARM, READ = 2, 0x2A
LINK, USAGE = 3, 1
INET6 = pathlib.Path("/proc/net/if_inet6")
IPV6 = "::1" if INET6.exists() and f"{1:032x}" in INET6.read_text() else None
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n$qRcmd,68656c70#48\r\n"


@pytest.fixture
def agent(tmp_path):
    made = fake.FakeAgent(tmp_path / "agent", cpu=ARM)
    yield made
    made.close()


@pytest.fixture
def server(agent, dprobes):
    """A server at a place. Returns it, with the line of a gdb."""
    with contextlib.ExitStack() as stack:
        def start(place="127.0.0.1:0"):
            running = dprobes.start("gdb", "--listen", place, "--port", agent.url)
            host, port = running.err.expect(rb"target remote \[?([^\]\s]+?)\]?:(\d+)\n").groups()
            running.there = host.decode(), int(port)
            return running, lambda: stack.enter_context(socket.create_connection(running.there))
        yield start


def answer(line):
    text = b""
    while not re.fullmatch(rb"\+?\$[^#]*#..", text):
        assert (more := line.recv(4096)), text
        text += more
    return text.lstrip(b"+")[1:-3].decode()


def ask(line, text):
    line.sendall(f"${text}#{sum(text.encode()) & 0xff:02x}".encode())
    return answer(line)


def gdb_sum(data):
    total = 0xffffffff
    for byte in data:
        total ^= byte << 24
        for _ in range(8):
            total = (total << 1 ^ (0x04c11db7 if total >> 31 else 0)) & 0xffffffff
    return total


def test_places(server, agent, dprobes):
    """Addresses with colons have brackets; a place that is none is refused with its own reason."""
    for place in filter(None, ("127.0.0.1", IPV6 and f"[{IPV6}]")):
        running, connect = server(f"{place}:0")
        assert running.there[0] == place.strip("[]") and ask(connect(), "qAttached") == "1"
        assert running.interrupt().status == 0
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = f"127.0.0.1:{other.getsockname()[1]}"
        for place, why in (("unix:", "write a path behind unix:"), (taken, "Address already in use"), ("192.0.2.1:0", "Cannot assign requested address"),
                           ("[::1]", "write HOST:PORT or unix:PATH"), ("localhost:65536", "a port is a number up to 65535"), ("unix:/none/here", "No such file or directory")):
            done = dprobes("gdb", "--listen", place, "--port", agent.url)
            assert done.status == USAGE and f"cannot listen at {place}: {why}" in done.stderr, done


def test_clients_that_are_not_gdb(server):
    """A page of a browser runs no command, and gdb is served next."""
    running, connect = server()
    page = connect()
    page.sendall(POST)
    with contextlib.suppress(ConnectionResetError):
        assert page.recv(1) == b""
    running.err.expect(rb"a connection was closed: its first byte is not one of gdb's protocol\n")
    assert ask(connect(), "m20010,4") == "10111213"
    assert running.interrupt().status == 0


def test_a_host_that_is_gone_is_noticed(server):
    """The kernel asks for it: the connection has the timer of such questions."""
    running, connect = server()
    assert ask(connect(), "qAttached") == "1"
    rows = [row.split() for row in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    timers = [row[5] for row in rows if row[1].endswith(f":{running.there[1]:04X}") and row[3] == "01"]
    assert timers and all(timer.startswith("02:") for timer in timers), rows
    assert running.interrupt().status == 0


def test_sums(server, agent):
    """Memory that no row has is not asked for, and ^C leaves a sum."""
    running, connect = server()
    line = connect()
    assert ask(line, "qCRC:20000,1000") == f"C{gdb_sum(bytes(agent.memory[0x20000])):x}"
    asked = len(agent.requests)
    for place, count in ((0, 0xffffffffffffffff), (0xfffffff0, 0x20), (0x20000, 0x1001), (0x1ff0, 0x20), (0x30000, 1), (0x20000, 0xffffffff)):
        assert ask(line, f"qCRC:{place:x},{count:x}") == f"E.the board's table does not have 0x{count:x} bytes from 0x{place:x} on"
    assert READ not in [command for command, _ in agent.requests[asked:]]
    came, go = threading.Event(), threading.Event()

    def hold(_seq, payload):
        if payload[0] == READ:
            came.set()
            go.wait()
    agent.on_line = hold
    text = b"qCRC:20000,1000"
    line.sendall(b"$%s#%02x" % (text, sum(text) & 0xff))
    came.wait()
    line.sendall(b"\x03")
    go.set()
    assert re.fullmatch(r"E\.the sum was left at 0x20[0-9a-f]+", answer(line))
    agent.on_line = None
    assert ask(line, "m20010,4") == "10111213"
    assert running.interrupt().status == 0


def test_a_restart_that_is_told_twice(server, agent):
    """A notice and a sync line come in one piece, and both tell the new boot."""
    running, connect = server()
    line = connect()
    with agent.lock:
        agent.direct = b""
        agent.reboot()
        agent.sync()
        told, agent.direct = agent.direct, None
        agent.emit(told)
    running.err.expect(rb"the target was restarted\n")
    assert ask(line, "m20010,4") == "10111213"
    assert running.interrupt().status == 0


@pytest.mark.parametrize("other", ("identity", "place"))
def test_a_restart_with_another_firmware(server, agent, other):
    """gdb goes on behind a restart, but not with the ELF file of another firmware."""
    running, connect = server()
    line = connect()
    assert ask(line, "m20010,4") == "10111213"
    agent.reboot()
    running.err.expect(rb"the target was restarted\n")
    assert ask(line, "m20010,4") == "10111213"
    if other == "identity":
        agent.identity, agent.build_id = 1, bytes(range(20))
    else:
        agent.text = agent.text[:-64]
    agent.reboot()
    done = running.wait()
    assert done.status == LINK and "the target was restarted with another firmware: start dprobes gdb and gdb again with its ELF file" in done.stderr, done
