# SPDX-License-Identifier: BSD-2-Clause
"""The Python module over dprobes/simple.h, its pytest fixture and its labgrid driver, each by its example."""
import gc
import importlib.util
import re
import select
import subprocess
import sys

import pytest

from harness import process
from harness.paths import TOP, built
from harness.tool import environment

MODULE, EXAMPLES = TOP / "host/python", TOP / "host/python/examples"
sys.path.insert(0, str(MODULE))
sys.path.insert(0, str(TOP / "host" / "install"))

import dprobes  # noqa: E402

import layout  # noqa: E402

module = dprobes  # in a test with the fixture of the tool

PROGRAM = "name = py\nvars = 2\nmajor = 5\noffset = hot\nminor = 6\ninc lv, 0\npush lv, 0\npush 7\nlog 2\n"


@pytest.fixture
def library():
    return str(built("host", f"libdprobes.so.{layout.version()}"))


@pytest.fixture
def board(sim_target):
    return sim_target("--hits", 200)


@pytest.fixture
def session(library, board):
    with dprobes.Session(library, port=board.url("com2"), sym=board.map, any_opcode=True) as made:
        yield made


def test_the_module_declares_what_the_header_declares():
    text = re.sub(r"/\*.*?\*/", "", (TOP / "host/include/dprobes/simple.h").read_text(encoding="utf-8"), flags=re.S)
    functions = {name: [part for part in arguments.split(",") if part.strip() != "void"]
                 for name, arguments in re.findall(r"\bdp_simple_(\w+)\(([^)]*)\)", text)}
    assert functions.pop("new") == []
    assert {name: len(arguments) - 1 for name, arguments in functions.items()} == {
        name: len(arguments) for name, (_, arguments) in dprobes._FUNCTIONS.items()}
    assert dprobes.LIBRARY == layout.soname()


def test_records_variables_remove(session, board):
    assert (session.cpu, session.word_bytes, session.big_endian) == ("sim", 4, False)
    program = session.insert(PROGRAM)
    first = session.next(process.TIMEOUT_S)
    assert (first.major, first.minor, first.words) == (5, 6, (7, 1))
    assert first.line.startswith("DProbes(5,6)") and first.fields["program"] == "py" and len(first.fields["data"]) == 16
    assert len(program.variables()) == 2 and program.variables()[0] >= 1 and session.variables() is not None
    program.remove()
    for use in (program.remove, program.variables):
        with pytest.raises(dprobes.Error, match="the program is removed"):
            use()
    assert board.text_is_original() and session.lost == 0


def test_a_list_of_any_length_is_read_to_its_end(session):
    session.set("groups", " ".join([*(f"g{n}" for n in range(100)), "last"]))
    session.insert(PROGRAM.replace("offset = hot\n", "groupdef = last\noffset = hot\ngroup = last\n"))
    assert session.next(process.TIMEOUT_S).major == 5


def test_expect_keeps_records_and_text(library, sim_target):
    """Records that come meanwhile stay, in their order; text behind a match stays for the next one; bytes that are no text have an
    escape, also where a character comes in parts."""
    board = sim_target("--hits", 100)
    with dprobes.Session(library, port=board.url("com1"), sym=board.map, any_opcode=True) as session:
        program = session.insert(PROGRAM)
        session.type("sum\nsum\n")
        first = session.expect(r"text (\w+), (\d+) executed", process.TIMEOUT_S)
        again = session.expect(r"(?s)^.*?text (\w+), (\d+) executed", process.TIMEOUT_S)
        assert (first.group(1), again.group(1)) == ("patched", "patched") and int(again.group(2)) >= int(first.group(2))
        assert [session.next(process.TIMEOUT_S).words[1] for _ in range(3)] == [1, 2, 3]
        with pytest.raises(dprobes.Timeout, match="no text of the console matched 'never' in 0 s"):
            session.expect("never", timeout=0)
        session._decoder.decode(b"\xc3")
        assert session._decoder.decode(b"\xa9\xff.") == "\u00e9\\xff."
        assert session.call("expect", b"executed", 0) in (0, 1) and session.call("expect", b"(", 0) == -1
        assert "'(' is no extended regular expression: " in session.call("error")
        assert program.value("0") >= 3 and program.named()["0"] >= 3
        with pytest.raises(dprobes.Error, match="has no aggregations"):
            program.aggregations()


@pytest.mark.parametrize("restart", ["warm_restart", "power_cycle"])
def test_programs_come_back_behind_a_restart(library, sim_target, restart):
    """With reinstall; without it each function says what happened. What is not this session's stays lost."""
    board = sim_target("--hits", 100)
    with dprobes.Session(library, port=board.url("com1"), sym=board.map, any_opcode=True, reinstall=True) as session:
        program = session.insert(PROGRAM)
        assert session.next(process.TIMEOUT_S).words[1] == 1
        getattr(board, restart)()
        while session.restarts == 0:
            session.listen(1)
        numbers = [session.next(process.TIMEOUT_S).words[1]]
        while numbers[-1] != 1:  # records of the first start
            numbers.append(session.next(process.TIMEOUT_S).words[1])
        assert session.next(process.TIMEOUT_S).words[1] == 2 and session.restarts == 1 and session.lost == 0
        session.set("reinstall", False)
        getattr(board, restart)()
        with pytest.raises(dprobes.Error, match="was restarted"):
            while program.variables():
                session.listen(0.1)


def test_a_request_that_meets_a_restart_is_made_again(library, sim_target):
    board = sim_target("--hits", 100)
    with dprobes.Session(library, port=board.url("com1"), sym=board.map, any_opcode=True, reinstall=True) as session:
        program = session.insert(PROGRAM)
        board.power_cycle()
        while session.restarts == 0:  # requests alone, of each kind
            assert program.named() and session.list() and program.value("0") >= 0
            session.verify(PROGRAM.replace("name = py", "name = other"))
        assert [row["program"] for row in session.list()] == ["py"]


def test_a_program_of_another_host(library, board, dprobes, tmp_path):
    """The list has it, and it is removed by its name."""
    (tmp_path / "other.dp").write_text(PROGRAM)
    assert dprobes("insert", tmp_path / "other.dp", "--sym", board.map, "--dont-verify-opcodes", "--port", board.url("com2")).status == 0
    with module.Session(library, port=board.url("com2"), sym=board.map, any_opcode=True) as session:
        row, = session.list()
        assert row["program"] == "py" and len(row["probes"]) == 1
        assert session.remove("py") == 1 and session.list() == []


def test_select_says_when(session):
    session.insert(PROGRAM)
    while select.select([session], [], [], process.TIMEOUT_S)[0]:
        record = session.next()
        if record:
            break
    assert record.major == 5


def test_the_end_of_a_session_removes_its_programs(library, board):
    with dprobes.Session(library, port=board.url("com2"), sym=board.map, any_opcode=True) as session:
        session.insert(PROGRAM)
    assert board.text_is_original()
    with pytest.raises(dprobes.Error, match="closed"):
        session.insert(PROGRAM)


def test_a_session_that_nobody_closes_removes_its_programs(library, board):
    session = dprobes.Session(library, port=board.url("com2"), sym=board.map, any_opcode=True)
    program = session.insert(PROGRAM)
    assert not board.text_is_original()
    del program, session
    gc.collect()
    assert board.text_is_original()
    script = f"""import sys; sys.path.insert(0, {str(MODULE)!r}); import dprobes
session = dprobes.Session({library!r}, port={board.url("com2")!r}, sym={str(board.map)!r}, any_opcode=True)
session.insert({PROGRAM!r})"""
    assert subprocess.run([sys.executable, "-B", "-c", script], timeout=process.TIMEOUT_S, check=False).returncode == 0
    assert board.text_is_original()


INTERRUPTED = """import signal, sys
sys.path.insert(0, {module!r})
import dprobes
def stop(_number, _frame):
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, stop)
with dprobes.Session({library!r}, port={port!r}, sym={sym!r}, any_opcode=True) as session:
    call = session.call
    def interrupted(function, *arguments):
        if function == "next":
            signal.setitimer(signal.ITIMER_REAL, 0.01)
        return call(function, *arguments)
    session.call = interrupted
    try:
        session.next(float("{timeout}"))
    except KeyboardInterrupt:
        print("interrupted")
    session.call = call
"""


@pytest.mark.parametrize("timeout", ["inf", "1e9"])
def test_an_interrupt_ends_a_wait(library, sim_target, timeout):
    """The longest wait ends at a signal, as ^C sends one, that comes while the library listens. Python handles signals in a main
    thread, which a test may lack."""
    target = sim_target()
    script = INTERRUPTED.format(module=str(MODULE), library=library, port=target.url("com2"), sym=str(target.map), timeout=timeout)
    run = subprocess.run([sys.executable, "-B", "-c", script], timeout=process.TIMEOUT_S, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "interrupted\n"), run.stderr


def test_mistakes(session, library):
    with pytest.raises(dprobes.Error, match=r"program:3:9: error: unknown register 'r99'"):
        session.insert("name = x\noffset = hot\npush r, r99\n")
    with pytest.raises(dprobes.Error, match="unknown setting 'colour'"):
        session.set("colour", "red")
    for name, value, said in (("write", 1, "write is yes or no, not '1'"), ("baud", "fast", "baud is a number from 50 to 100000000, not 'fast'"),
                              ("baud", "-1", "not '-1'"), ("baud", "9600.0", "not '9600.0'")):
        with pytest.raises(dprobes.Error, match=said):
            session.set(name, value)
    for program in (-2, 255, 256, 65536):
        with pytest.raises(dprobes.Error, match="the index belongs to no program"):
            session.variables(program)
    with pytest.raises(dprobes.Error, match="NUL"):
        session.insert("name = x\0y\n")
    with pytest.raises(dprobes.Error, match="/no/line"):
        dprobes.Session(library, port="unix:/no/line")
    with pytest.raises(dprobes.Error, match="install libdprobes, or set DPROBES_LIBRARY"):
        dprobes.Session("/no/such/library.so")


def example(library, *words, cwd=EXAMPLES, **more):
    env = environment({"PYTHONPATH": str(MODULE), "DPROBES_LIBRARY": library, "PYTHONDONTWRITEBYTECODE": "1", **more})
    return subprocess.run([sys.executable, "-B", *map(str, words)], cwd=cwd, env=env, capture_output=True, text=True, check=False,
                          timeout=5 * process.TIMEOUT_S)


def pytest_example(library, *words):
    return example(library, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", EXAMPLES, EXAMPLES / "test_calls.py", *words)


def test_the_example_of_the_fixture(library, board):
    run = pytest_example(library, "--dprobes-set", f"port={board.url('com2')}", "--dprobes-set", f"sym={board.map}", "--dprobes-set", "any_opcode=yes")
    assert run.returncode == 0 and "1 passed" in run.stdout, run.stdout
    assert board.text_is_original()


FAILS = """
def test_it(dprobes_board):
    dprobes_board.type("sum\\n")
    while "executed" not in dprobes_board._text:
        dprobes_board.listen(1)
        dprobes_board._receive()
    assert dprobes_board is None
"""


def test_a_failure_shows_the_console(library, sim_target, tmp_path):
    board = sim_target()
    (tmp_path / "conftest.py").write_text((EXAMPLES / "conftest.py").read_text())
    (tmp_path / "test_fails.py").write_text(FAILS)
    run = example(library, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", tmp_path, tmp_path / "test_fails.py",
                  "--dprobes-set", f"port={board.url('com1')}", cwd=tmp_path)
    assert run.returncode == 1 and re.search(r"-+ console of the firmware -+\n(.*\n)*?text original, ", run.stdout), run.stdout


def test_a_fixture_without_a_board_says_so(library):
    run = pytest_example(library, "--dprobes-board", "nowhere")
    assert run.returncode == 1 and "there is no board 'nowhere'" in run.stdout


needs_labgrid = pytest.mark.skipif(importlib.util.find_spec("labgrid") is None,
                                   reason="python3-labgrid is not installed; run: sh tests/setup.sh --nightly")


@needs_labgrid
def test_a_port_in_the_network(library):
    """Plain TCP is a line of dprobes; RFC 2217, the default of labgrid, is not."""
    check = """from types import SimpleNamespace as Made
import dprobes, dprobes.labgrid_driver as module
from labgrid.resource import NetworkSerialPort, RawSerialPort, USBSerialPort
taken = tuple(map(module.target_factory.class_from_string, module.DprobesDriver.bindings["port"]))
print([issubclass(kind, taken) for kind in (NetworkSerialPort, RawSerialPort, USBSerialPort)])
for port in (Made(host="lab", port=7, protocol="raw"), Made(port="/dev/x"), Made(host="lab", port=7, protocol="rfc2217")):
    try:
        print(module.DprobesDriver._line(Made(port=port)))
    except dprobes.Error as error:
        print(error)
"""
    run = example(library, "-c", check)
    assert run.stdout.splitlines()[:3] == ["[True, True, True]", "tcp:lab:7", "/dev/x"], run.stderr
    assert run.stdout.splitlines()[3].startswith("the port of lab speaks rfc2217, which changes bytes of the line; let it")


@needs_labgrid
def test_the_example_of_the_labgrid_driver(library, board):
    run = example(library, EXAMPLES / "labgrid_calls.py", EXAMPLES / "labgrid.yaml", LG_BOARD_PORT=board.url("com1"), LG_BOARD_SYMBOLS=str(board.map))
    assert (run.returncode, run.stdout) == (0, "(1,)\npatched\n"), run.stderr
    assert board.text_is_original()


def test_every_file_of_the_module_is_installed():
    there = {path.relative_to(MODULE).as_posix() for path in (MODULE / "dprobes").glob("*.py")}
    installed = {"/".join(path.parts[-2:]) for source, path, _ in layout.files() if source.parent.name == "dprobes" and MODULE in source.parents}
    assert installed == there and len(there) == 3
