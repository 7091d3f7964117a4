# SPDX-License-Identifier: BSD-2-Clause
"""The command, the code for serial devices (libserialport, on a pseudo terminal) and the real agent
together: what works, and who may not use the line. Behind each refusal text and agent are unchanged and
the next good request works."""
import fcntl
import os
import shutil
import subprocess
import tempfile
import termios
import time

import pytest

from harness import noisyline, process
from harness import serial
from harness.tool import environment

NET = "name = net\noffset = hot\nopcode = 0x10000140\nminor = 9\npush 1\nlog 1\nexit\n"

# What a terminal does with a break, a byte with a wrong parity or a control character, instead of handing it on.
HOSTILE = {name: getattr(termios, name) for name in ("BRKINT", "PARMRK", "ISTRIP", "IXON", "ICRNL", "INLCR", "IGNCR")}


@pytest.fixture(params=["full", "small"])
def target(sim_target, request):
    return sim_target("--hits", 200, "--build-id", profile=request.param)


@pytest.fixture
def device(target):
    """com2 as a device: its path."""
    made = serial.Pty(target.paths["com2"])
    yield made.path
    made.close()


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "net.dp"
    path.write_text(NET)
    return path


@pytest.fixture
def tool(dprobes, device):
    def run(*words, **options):
        return dprobes(*words, "--port", device, sanitized=False, env=serial.shim(), **options)
    return run


@pytest.fixture
def nobody(dprobes, device):
    """dprobes as a user who owns nothing, not even a way to where this is built: (status, what it said)."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        command = shutil.copy(dprobes.path(sanitized=False), folder)
        preload = {name: shutil.copy(file, folder) for name, file in serial.shim().items()}

        def run(*words):
            done = subprocess.run(serial.as_nobody([command, *words, "--port", device]), env=environment(preload),
                                  capture_output=True, text=True, timeout=process.TIMEOUT_S, stdin=subprocess.DEVNULL, check=False)
            return done.returncode, done.stderr
        yield run


def works(tool, target, net):
    """Insert, records, remove."""
    inserted = tool("insert", net, "--sym", target.map, "--dont-verify-opcodes")
    assert inserted.status == 0, inserted.stderr
    log = tool("log", "--count", "5")
    assert log.status == 0 and log.lines() == ["DProbes(0,9) 01000000"] * 5, log.stderr
    assert tool("remove", "net").status == 0
    assert tool("list", "--format", "json").stdout == ""


def test_a_session_on_a_device(tool, target, net):
    works(tool, target, net)
    assert target.text_is_original()


def test_breaks_and_framing_errors(dprobes, sim_target, tmp_path, net):
    """A line held low, and bytes without a stop bit, shown as NUL and as anything: the device is set so that they are
    data, whatever it was set to. The records of the lines that they hit come again; what is shown is what was sent."""
    target = sim_target("--hits", 200)
    rates = {"break": 1e-3, "frame": 1e-3}
    line = noisyline.NoisyLine(tmp_path / "noisy", target.paths["com2"], 5, rates, rates)
    made = serial.Pty(line.path)
    settings = termios.tcgetattr(made.slave)
    settings[0] |= sum(HOSTILE.values())
    settings[3] |= termios.ISIG
    termios.tcsetattr(made.slave, termios.TCSANOW, settings)
    options = ("--port", made.path)
    try:
        assert dprobes("insert", net, "--sym", target.map, "--dont-verify-opcodes", *options, sanitized=False, env=serial.shim()).status == 0
        log = dprobes.start("log", "--count", "400", *options, sanitized=False, env=serial.shim())
        log.out.expect("DProbes")
        settings = termios.tcgetattr(made.slave)
        assert not [name for name, bit in HOSTILE.items() if settings[0] & bit] and not settings[3] & termios.ISIG
        run = log.wait()
        assert run.status == 0, run.stderr
        assert line.damage["break"] > 3 and line.damage["frame"] > 3
        records = [text for text in run.stdout.splitlines() if text.startswith("DProbes")]
        assert len(records) >= 400 and set(records) == {"DProbes(0,9) 01000000"}
        assert "lost: " not in run.stderr
        assert dprobes("remove", "--all", *options, sanitized=False, env=serial.shim()).status == 0
    finally:
        made.close()
        line.close()
    assert target.text_is_original()


def test_permission_denied(tool, nobody, target, device, net):
    os.chmod(device, 0)
    status, said = nobody("remove", "--all")
    assert status == 3
    assert said == (f"dprobes: error: permission denied: {device}; join the group of the device (often dialout), "
                    "then log in again\n")
    assert target.text_is_original()
    os.chmod(device, 0o620)
    works(tool, target, net)


def test_another_dprobes_holds_the_device(dprobes, tool, target, device, net):
    """The first one goes on."""
    assert tool("insert", net, "--sym", target.map, "--dont-verify-opcodes").status == 0
    first = dprobes.start("log", "--port", device, sanitized=False, env=serial.shim())
    first.out.expect("DProbes")
    run = tool("remove", "--all")
    assert run.status == 3 and run.stderr.startswith(f"dprobes: error: another command has {device} open: "), run
    assert f"dprobes (pid {first.process.pid})" in run.stderr, run
    assert run.stderr.endswith("; end it first, or start 'dprobes serve', which lets several commands use a line\n"), run
    seen = len(first.out.data)
    while len(first.out.data) <= seen and first.process.poll() is None:
        time.sleep(0.01)
    assert first.interrupt().status == 130
    assert tool("list", "--format", "json").objects()[0]["program"] == "net"
    assert tool("remove", "--all").status == 0
    works(tool, target, net)
    assert target.text_is_original()


def test_another_user_is_told_who_has_locked_the_device(nobody, device):
    """/proc shows the files of a process to its owner and to root, and locks to everybody."""
    holder = os.open(device, os.O_RDWR | os.O_NOCTTY)
    os.chmod(device, 0o666)
    fcntl.flock(holder, fcntl.LOCK_EX)
    status, said = nobody("remove", "--all")
    os.close(holder)
    assert status == 3 and f" (pid {os.getpid()})" in said and said.endswith("; end that program first\n"), said


def test_a_terminal_program_holds_the_device(tool, nobody, target, device, net):
    """One that knows no flock, but TIOCEXCL: then the kernel refuses (everybody but root)."""
    holder = os.open(device, os.O_RDWR | os.O_NOCTTY)
    os.chmod(device, 0o666)
    fcntl.ioctl(holder, termios.TIOCEXCL)
    status, said = nobody("remove", "--all")
    fcntl.ioctl(holder, termios.TIOCNXCL)
    os.close(holder)
    # Whose it is only the owner and root find out.
    assert status == 3 and said.startswith(f"dprobes: error: another program has {device} open"), said
    if os.geteuid() == 0:
        assert said.endswith(f", and only root can see its name: run 'sudo fuser -v {device}', then end that program\n"), said
    works(tool, target, net)
    assert target.text_is_original()


# ---- ports as other programs left them

LEFT = {"CRTSCTS": (2, termios.CRTSCTS), "CSTOPB": (2, termios.CSTOPB), "HUPCL": (2, termios.HUPCL), "IXON": (0, termios.IXON),
        "IXOFF": (0, termios.IXOFF), "IXANY": (0, termios.IXANY)}


def test_what_another_program_left_is_undone(sim_target, tool, target, device, net):
    """CRTSCTS stays on through libserialport 0.1.1, and the link is dead without a wire for CTS."""
    slave = os.open(device, os.O_RDWR | os.O_NOCTTY)
    settings = termios.tcgetattr(slave)
    for word, bit in LEFT.values():
        settings[word] |= bit
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    assert tool("list").status == 0
    settings = termios.tcgetattr(slave)
    os.close(slave)
    assert not [name for name, (word, bit) in LEFT.items() if settings[word] & bit]
    works(tool, target, net)


def test_what_cannot_be_undone_is_named(dprobes, device):
    run = dprobes("list", "--port", device, sanitized=False, env=serial.shim(KEEPS_CRTSCTS="1"))
    assert run.status == 3 and run.stderr == (
        f"dprobes: error: {device} keeps flow control by RTS and CTS (CRTSCTS), which its driver or another program has set: end that program, "
        "or use another adapter\n"), run


@pytest.fixture
def modem(dprobes, device, tmp_path):
    """Runs a command on the device. Returns the changes of each modem line, in order, without repetitions; and whether closing
    the device switches them off (HUPCL)."""
    def run(*words, cwd=None):
        log = tmp_path / "modem"
        log.write_text("")
        done = dprobes(*words, "--port", device, cwd=cwd, sanitized=False, env=serial.shim(MODEM_LOG=str(log)))
        assert done.status == 0, done
        changes = {"dtr": [], "rts": []}
        for line in log.read_text().splitlines():
            what, *names = line.split()
            for name in changes:
                if what != "set" and name not in names:
                    continue
                now = ("on" if name in names else "off") if what == "set" else what
                changes[name] += [now] if changes[name][-1:] != [now] else []
        slave = os.open(device, os.O_RDWR | os.O_NOCTTY)
        hangs_up = bool(termios.tcgetattr(slave)[2] & termios.HUPCL)
        os.close(slave)
        return changes["dtr"], changes["rts"], hangs_up
    return run


def test_a_board_with_its_reset_on_dtr_survives_two_commands(modem):
    """DTR is on from the first opening: no command switches it off, and no close does."""
    for _ in range(2):
        dtr, rts, hangs_up = modem("list")
        assert "off" not in dtr + rts and not hangs_up


OFF = ["on", "off"]


@pytest.mark.parametrize("words, conf, expected", [
    (["--dtr", "off"], "", (OFF, False)), (["--rts", "off"], "", (False, OFF)), (["--dtr", "off", "--rts", "off"], "", (OFF, OFF)),
    ([], "dtr = off\nrts = off\n", (OFF, OFF)), (["--dtr", "on"], "dtr = off\n", (["on"], False)), (["--dtr=on"], "", (["on"], False))])
def test_modem_lines(modem, tmp_path, words, conf, expected):
    """False: not off at any time. Opening switches both on, before a program can say anything."""
    (tmp_path / "dprobes.conf").write_text(conf)
    *lines, hangs_up = modem("list", *words, cwd=tmp_path)
    for found, wanted in zip(lines, expected):
        assert found == wanted if wanted else "off" not in found, lines
    assert not hangs_up


def test_modem_lines_that_are_none(dprobes, sim_target, target, device, tmp_path):
    for words, said in (
            (["--port", device, "--dtr", "off"], f"{device} is a pseudo terminal, which has no modem lines; leave dtr and rts out"),
            (["--port", target.url(), "--rts", "on"], f"{target.url()} has no modem lines, which serial devices have; leave dtr and rts out"),
            (["--port", device, "--dtr", "low"], "--dtr is one of on|off, not 'low'")):
        run = dprobes("list", *words, sanitized=False)
        assert run.status in (1, 3) and f"dprobes: error: {said}\n" in run.stderr, run
    (tmp_path / "dprobes.conf").write_text("dtr = yes\n")
    assert "dprobes.conf:1:7: error: dtr is on or off, not 'yes'" in dprobes("list", cwd=tmp_path).stderr
