# SPDX-License-Identifier: BSD-2-Clause
"""What a test of a lab does with the Python module: console and probes over one line, alone on it or through `dprobes serve`."""
import functools
import importlib.util
import os
import re
import sys
import tempfile
import time

import pytest

import cpus
from harness import process
from harness.paths import TOP, built

sys.path.insert(0, str(TOP / "host/python"))
sys.path.insert(0, str(TOP / "host" / "install"))

import dprobes as module  # noqa: E402
import layout  # noqa: E402

BOARD = cpus.boards()[0]
PROGRAM = """int puts;
queue_put:entry { @calls[func(caller)] = count(); @sizes = quantize(q->size); self->last = q->size; puts++; }"""
T = process.TIMEOUT_S
needs_labgrid = pytest.mark.skipif(importlib.util.find_spec("labgrid") is None,
                                   reason="python3-labgrid is not installed; run: sh tests/setup.sh --nightly")


def until(condition):
    """The value of a condition that becomes true."""
    end = time.monotonic() + T
    while not (found := condition()):
        assert time.monotonic() < end
    return found


@pytest.fixture(params=["alone", "through a service"])
def session(request, qemu, dprobes, monkeypatch):
    elf = built("boards", BOARD, "demo.elf")
    machine = qemu(BOARD).free_when_up()
    url = machine.url("com1")
    # A socket's path has at most 107 characters.
    with tempfile.TemporaryDirectory(prefix="dprobes-", ignore_cleanup_errors=True) as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        env = {"XDG_RUNTIME_DIR": runtime}
        if request.param != "alone":
            service = dprobes.start("serve", "--port", url, env=env)
            service.err.expect("serving")
        with module.Session(str(built("host", f"libdprobes.so.{layout.version()}")), port=url, elf=elf, reinstall=True) as made:
            made.tool = lambda *words: dprobes(*words, "--port", url, "--elf", elf, env=env)
            made.service = request.param != "alone"
            yield made


def test_console_and_values(session):
    """Typed commands of the shell, while a program counts; what the two say is the same."""
    program = session.insert(PROGRAM)
    assert until(lambda: program.aggregations().get("calls", {}).get(("sensor_isr",), 0) > 3)
    answer = session.command("stats", "demo> ", T)
    assert "tick " in answer and "queue sensor: put " in answer
    session.type("nonsense\r")
    assert session.expect(r"'(\w+)'[^\n]*\n[^\n]*demo> ", T).group(1) == "nonsense"
    with pytest.raises(module.Timeout, match="no text of the console matched 'never' in 0 s"):
        session.expect("never", 0)
    size = session.read("sensor_queue.size")
    assert session.read("sensor_queue")["size"] == size and session.read("sensor_queue.name") != 0
    assert program.value("@calls[sensor_isr]") <= program.value("puts") <= program.value("@calls[sensor_isr]") + 50
    low, = [bucket["low"] for bucket in program.aggregations()["sizes"][()] if bucket["value"] > 0]
    assert low <= size < 2 * low
    named = program.named()
    assert named["puts"] > 3 and size in named["self->last"].values()
    with pytest.raises(KeyError, match="@none"):
        program.value("@none")
    with pytest.raises(module.Error, match="no_such"):
        session.read("no_such")
    assert session.lost == 0


def test_programs(session):
    """A list of what is installed, a check that arms nothing, and a removal by name."""
    assert session.list() == []
    session.verify(PROGRAM)
    assert session.list() == []
    with pytest.raises(module.Error, match=r"program:1:18: error: .*no_such"):
        session.verify("queue_put:entry /no_such/ {}")
    with pytest.raises(module.Error, match=r"(?s)idle_main|no_such_function"):
        session.verify("no_such_function:entry {}")
    program = session.insert(PROGRAM)
    row, = session.list()
    name = row["program"]
    assert row["probes"][0]["symbol"] == "queue_put"
    if session.service:  # a command uses the line at the same time
        assert f"{name}: program 0" in session.tool("list").stdout
    assert session.remove(name) == 1 and session.remove(name) == 0 and session.list() == []
    with pytest.raises(module.Error, match="has not inserted a program of this index"):
        program.named()


def test_a_reset_of_the_board(session):
    """The programs come back with their numbers, and count from zero."""
    gone, program = session.insert(PROGRAM), session.insert(PROGRAM)
    gone.remove()
    until(lambda: program.value("puts") > 3)
    assert program.index == 1 and session.restarts == 0
    session.type("reboot\r")
    until(lambda: session.restarts or session.listen(1) and False)
    assert session.restarts == 1
    assert [row["index"] for row in session.list()] == [0]
    assert until(lambda: program.value("puts")) and until(lambda: program.aggregations().get("calls"))
    again = session.insert(PROGRAM)
    assert again.index != program.index and [row["index"] for row in session.list()] == [0, 1]
    assert until(lambda: again.value("puts"))
    assert "tick" in session.command("stats", "demo> ", T)
    program.remove()
    assert [row["index"] for row in session.list()] == [1] and again.value("puts") > 0


def test_the_example_of_the_document(qemu, monkeypatch, tmp_path, capsys):
    """host/python/LAB.md, with a board of dprobes.conf."""
    example, = re.findall(r"^```python\n(.*?)^```$", (TOP / "host/python/LAB.md").read_text(encoding="utf-8"), re.M | re.S)
    machine = qemu(BOARD).free_when_up()
    (tmp_path / "dprobes.conf").write_text(f"port = {machine.url('com1')}\nelf = {built('boards', BOARD, 'demo.elf')}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("DPROBES_LIBRARY", str(built("host", f"libdprobes.so.{layout.version()}")))
    exec(compile(example, "LAB.md", "exec"), {})
    said = capsys.readouterr().out
    assert "queue sensor: put " in said and "('sensor_isr',): " in said


@functools.cache
def demo_shell():
    """ShellDriver for the shell of the demo, which has no `echo`."""
    from labgrid.driver import ShellDriver
    from labgrid.factory import target_factory

    @target_factory.reg_driver
    class DemoShell(ShellDriver):
        def _check_prompt(self):
            self.console.sendline("")
            self.console.expect(self.prompt, timeout=T)

        def on_activate(self):
            self._await_login()

    return DemoShell


@needs_labgrid
@pytest.mark.nightly
@pytest.mark.parametrize("serve,before", [(False, False), (True, False), (True, True)], ids=["alone", "serve", "a service before"])
def test_a_shell_driver_beside_the_probes(qemu, dprobes, monkeypatch, serve, before):
    """ShellDriver of labgrid takes the console of the driver: it waits for the prompt, types and reads, while records come. With
    `serve` a command uses the port meanwhile. A service that was there stays."""
    from labgrid import Target
    from labgrid.resource import RawSerialPort

    import dprobes.labgrid_driver as labgrid_driver  # the module, not the fixture

    elf = built("boards", BOARD, "demo.elf")
    url = qemu(BOARD).free_when_up().url("com1")
    monkeypatch.setenv("DPROBES_LIBRARY", str(built("host", f"libdprobes.so.{layout.version()}")))
    monkeypatch.setenv("PATH", f"{built('host')}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory(prefix="dprobes-", ignore_cleanup_errors=True) as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        if before:
            dprobes.start("serve", "--port", url, env={"XDG_RUNTIME_DIR": runtime}).err.expect("serving")
        target = Target("main")
        RawSerialPort(target, name=None, port=url, speed=115200)
        driver = labgrid_driver.DprobesDriver(target, name=None, elf=str(elf), serve=serve)
        shell = demo_shell()(target, name=None, prompt="demo> ", login_prompt="login: ", username="root")
        target.activate(shell)
        assert shell.console is driver
        program = driver.insert("queue_put:entry { trace(arg1); @ = count(); }")
        driver.sendline("stats")
        assert int(driver.expect(r"average (\d+)", timeout=T)[2].group(1)) >= 0
        assert next(driver.records(timeout=T)).fields["program"] == "program"
        assert program.value("@") > 0
        if serve:
            assert "program: program 0" in dprobes("list", "--port", url, env={"XDG_RUNTIME_DIR": runtime}).stdout
        target.deactivate(shell)
        target.deactivate(driver)
        assert driver.session is None and driver.service is None
        state = dprobes("serve", "--status", env={"XDG_RUNTIME_DIR": runtime}).stdout
        assert (url in state) == before, state


@needs_labgrid
def test_a_line_that_no_service_gets(monkeypatch):
    """The sentence of the service is that of the driver."""
    from labgrid import Target
    from labgrid.resource import RawSerialPort

    import dprobes.labgrid_driver as labgrid_driver

    monkeypatch.setenv("PATH", f"{built('host')}:{os.environ['PATH']}")
    target = Target("main")
    RawSerialPort(target, name=None, port="unix:/no/such", speed=115200)
    driver = labgrid_driver.DprobesDriver(target, name=None, serve=True)
    with pytest.raises(module.Error, match="no such socket: /no/such"):
        target.activate(driver)
