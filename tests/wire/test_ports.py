# SPDX-License-Identifier: BSD-2-Clause
"""dprobes ports: names of serial ports, who holds them, and what answers. Pseudo terminals stand for devices, a folder of
links for /dev/serial/by-id."""
import csv
import os
import shutil
import subprocess
import tempfile

import pytest

from harness import process, serial
from harness.paths import program
from harness.tool import environment


@pytest.fixture
def names(tmp_path):
    folder = tmp_path / "by-id"
    folder.mkdir()
    return folder


@pytest.fixture
def port(names):
    """Makes a port: a name in the folder of a pseudo terminal that nobody holds, and what its line ends in."""
    children = []

    def make(name, end):
        child = process.start([program("socat"), f"pty,rawer,wait-slave,link={names / name}", end], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        children.append(child)
        process.eventually(lambda: os.path.islink(names / name), f"socat makes {name}")
        return os.path.realpath(names / name)

    yield make
    for child in children:
        process.kill_group(child)
        child.stdin.close()


def listed(run, device):
    """The object of one device."""
    assert run.status == 0, run.stderr
    return next(found for found in run.objects() if found["device"] == device)


def test_a_name_and_its_device(dprobes, names, port):
    device = port("usb-adapter-port0", "-")
    run = dprobes("ports", names)
    assert run.status == 0 and f"{device}\n  name:    {names}/usb-adapter-port0\n" in run.stdout
    assert listed(dprobes("ports", names, "--format", "json"), device) == {
        "kind": "port", "device": device, "name": f"{names}/usb-adapter-port0"}
    rows = list(csv.DictReader(dprobes("ports", names, "--format", "csv").lines()))
    assert [row["name"] for row in rows if row["device"] == device] == [f"{names}/usb-adapter-port0"]


def test_who_holds_a_port(dprobes, names):
    """This process has the terminal open; a held port is not asked."""
    master, slave = os.openpty()
    try:
        (names / "held").symlink_to(os.ttyname(slave))
        with open("/proc/self/comm", encoding="utf-8") as file:
            holder = f"{file.read().strip()} (pid {os.getpid()})"
        assert f"  held by: {holder}\n" in dprobes("ports", names).stdout
        found = listed(dprobes("ports", names, "--ask", "--timeout", "0.1", "--format", "json"), os.ttyname(slave))
        assert found["held_by"] == holder and "answers" not in found
    finally:
        os.close(master)
        os.close(slave)


def test_an_agent_answers(dprobes, names, port, sim_target):
    device = port("board", f"unix-connect:{sim_target().paths['com2']}")
    found = listed(dprobes("ports", names, "--ask", "--timeout", process.TIMEOUT_S, "--format", "json"), device)
    assert found["answers"] is True and (found["cpu"], found["word_bits"], found["endian"]) == ("sim", 32, "little")


def test_the_agent_as_text(dprobes, names, port, sim_target):
    port("board", f"unix-connect:{sim_target().paths['com2']}")
    text = dprobes("ports", names, "--ask", "--timeout", process.TIMEOUT_S).stdout
    assert "  answers: an agent on sim, 32-bit, little-endian, boot " in text


def test_nobody_answers(dprobes, names, port):
    device = port("mute", "-")
    found = listed(dprobes("ports", names, "--ask", "--timeout", "0.1", "--format", "json"), device)
    assert found["answers"] is False
    assert found["failure"].startswith(f"no answer on {device}")


def test_no_port_is_opened_unasked(dprobes, names, port):
    """socat ends as soon as somebody has opened its terminal and closed it again."""
    device = port("quiet", "-")
    assert dprobes("ports", names).status == 0
    assert listed(dprobes("ports", names, "--format", "json"), device)["name"]
    assert os.path.islink(names / "quiet")


def test_a_folder_without_a_name(dprobes, names):
    run = dprobes("ports", names)
    assert (run.status, run.stdout) == (0, "")
    assert run.stderr == f"dprobes: no serial port is in {names}; is the adapter plugged in?\n"
    assert dprobes("ports", names, "--quiet").stderr == ""


def test_all_ports_of_this_machine(dprobes):
    """Whatever there is, each is a device once."""
    devices = [found["device"] for found in dprobes("ports", "--format", "json").objects()]
    assert len(devices) == len(set(devices)) and all(os.path.exists(device) for device in devices)


def test_a_folder_that_may_not_be_read(dprobes):
    """It is not empty."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        command = shutil.copy(dprobes.path(sanitized=False), folder)
        os.mkdir(f"{folder}/closed", 0o700)
        os.chmod(f"{folder}/closed", 0 if os.geteuid() else 0o700)
        run = subprocess.run(serial.as_nobody([command, "ports", f"{folder}/closed"]), capture_output=True, text=True, check=False,
                             env=environment(), timeout=process.TIMEOUT_S)
        assert (run.returncode, run.stderr) == (1, f"dprobes: error: {folder}/closed is no folder with names of ports: Permission denied\n")


def test_a_link_that_leads_nowhere_is_no_port(dprobes, names):
    (names / "gone").symlink_to("/dev/no-such-device")
    assert "gone" not in dprobes("ports", names).stdout


def test_a_file_that_is_no_device_is_no_port(dprobes, names):
    """--ask would open it and write to it."""
    (names / "notes").write_text("mine")
    (names / "link").symlink_to(names / "notes")
    (names / "folder").mkdir()
    run = dprobes("ports", names, "--ask", "--timeout", "0.1")
    assert (run.status, run.stdout) == (0, "") and "no serial port" in run.stderr
    assert (names / "notes").read_text() == "mine"


@pytest.mark.parametrize("words,said", [
    (["/no/such/folder"], "/no/such/folder is no folder with names of ports: No such file or directory"),
    (["/dev/null"], "/dev/null is no folder with names of ports: Not a directory"),
    (["--timeout", "1"], "ports does nothing with --timeout and --baud without --ask")])
def test_refusals(dprobes, words, said):
    run = dprobes("ports", *words)
    assert (run.status, run.stdout) == (1, "") and run.stderr.startswith(f"dprobes: error: {said}")


def test_the_help_warns_of_a_reset(dprobes):
    assert "opening a port can reset a board" in " ".join(dprobes("ports", "--help").stdout.split())
