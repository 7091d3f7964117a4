# SPDX-License-Identifier: BSD-2-Clause
"""The harness itself: what reads lists and case files must not misread them, and what runs processes loses none."""
import concurrent.futures
import errno
import os
import pathlib
import select
import socket
import subprocess
import sys

import pytest

import sources_mk
import stack_usage
from harness import conformance, process, tool, tool_server
from harness.paths import TESTS, built
from harness.typist import shell_text


def test_sources_mk():
    values = sources_mk.parse("# list\nA := a.c \\\n  b.c  # why\nB = $(A) c.S\nB += d.c\n")
    assert values == {"A": "a.c    b.c", "B": "a.c    b.c c.S d.c"}
    assert sources_mk.words(values, "B") == ["a.c", "b.c", "c.S", "d.c"]


def test_sources_mk_refuses_more_than_the_subset():
    with pytest.raises(sources_mk.SourcesError, match="x.mk:2: expected NAME := words"):
        sources_mk.parse("A = 1\nifdef B\n", "x.mk")


CI = """graph: { title: "a.c"
node: { title: "entry" label: "entry\\na.c:1:5\\n16 bytes (static)\\n0 dynamic objects" }
node: { title: "a.c:leaf" label: "leaf\\na.c:9:5\\n40 bytes (static)\\n0 dynamic objects" }
node: { title: "other" label: "other\\na.c:20:5\\n8 bytes (dynamic,bounded)\\n1 dynamic objects" }
node: { title: "board_put" label: "board_put\\nb.h:1:1" shape : ellipse }
edge: { sourcename: "entry" targetname: "a.c:leaf" label: "a.c:3:1" }
edge: { sourcename: "entry" targetname: "other" label: "a.c:4:1" }
edge: { sourcename: "a.c:leaf" targetname: "board_put" label: "a.c:10:1" }
edge: { sourcename: "other" targetname: "__indirect_call" label: "a.c:21:1" }
}
"""


def graph_of(tmp_path, extra=""):
    path = tmp_path / "a.ci"
    path.write_text(CI + extra)
    graph = stack_usage.Graph()
    graph.read(path)
    return graph


def test_worst_stack_is_the_longest_path(tmp_path):
    graph = graph_of(tmp_path)
    assert graph.worst("entry") == (56, ["entry", "a.c:leaf"])
    assert stack_usage.report(graph) == [
        "      56  entry 16 > leaf 40",
        "  calls through pointers, not counted: other",
        "  no information (assembly, library), not counted: board_put",
    ]


def test_worst_stack_with_declared_calls(tmp_path):
    graph = graph_of(tmp_path)
    graph.declare("other:leaf")
    assert graph.worst("entry") == (64, ["entry", "other", "a.c:leaf"])
    assert graph.indirect() == []


@pytest.mark.parametrize("served, expected", [("dp_hit_serve", 74), ("dp_agent_trap", 74), ("serve", 104)])
def test_worst_stack_of_what_serves_as_a_hit(tmp_path, served, expected):
    """A sample serves requests like a hit: what returns at once there has nothing below it."""
    sizes = {"dp_sample": 4, served: 20, "event": 50, "handler": 30}
    path = tmp_path / "s.ci"
    path.write_text("".join(f'node: {{ title: "{name}" label: "{name}\\na.c:1:1\\n{size} bytes (static)" }}\n' for name, size in sizes.items()) +
                    "".join(f'edge: {{ sourcename: "{a}" targetname: "{b}" }}\n' for a, b in zip(sizes, list(sizes)[1:])))
    graph = stack_usage.Graph()
    graph.read(path)
    assert stack_usage.report(graph, not_in_hits=["event"])[0].split()[:2] == [str(expected), "dp_sample"]


def test_worst_stack_says_that_recursion_has_no_bound(tmp_path):
    graph = graph_of(tmp_path, 'edge: { sourcename: "a.c:leaf" targetname: "entry" }\n')
    graph.calls["entry"].discard("other")
    assert "  no bound: entry: entry > leaf > entry" in stack_usage.report(graph, ["entry"])


CASES = """# SPDX
claim: two records
spec: none
covers: log
---
case: one line
header: vars = 1; major = 3
word: 32
rpn: push 1; log 1
record: 0 0 exit {w:1}{h:0x102}
---
case: a block
full: |
  name = "x;y"

  exit
record: none
"""


def test_conformance_file(tmp_path):
    path = tmp_path / "x.t"
    path.write_text(CASES)
    first, second = conformance.read(path, "x.t")
    assert (first.name, first.line) == ("one line", 6)
    assert first.forms() == [(32, "little"), (32, "big")]
    assert first.program() == ('name = "t"\nvars = 1\nmajor = 3\noffset = 0x1000\n'
                               "push 1\nlog 1\n")
    assert first.expected(32, "little") == ["0 0 exit 010000000201"]
    assert first.expected(32, "big") == ["0 0 exit 000000010102"]
    assert second.program() == 'name = "x;y"\n\nexit\n'
    assert second.expected(64, "big") == []
    assert len(second.forms()) == 4


def test_conformance_program(tmp_path):
    path = tmp_path / "seed.dp"
    path.write_text("// cpu: ia32\n// args: -s x.map\n// reg: eax=1\n// hits: 2:1\n"
                    "// record: 0 2 exit {w:1}\nname = t\n")
    case, = conformance.read_program(path, "seed.dp")
    assert case.forms() == [(32, "little")]
    assert case.arguments(32, "little") == [
        "--cpu", "ia32", "--word", "32", "--endian", "little", "--format", "raw", "-s",
        "x.map", "--reg", "eax=1", "--hits", "2:1"]
    assert case.expected(32, "little") == ["0 2 exit 01000000"]


def test_conformance_any_word():
    assert conformance.same(["0 0 exit 01{any}02"], ["0 0 exit 01deadbeef02"], 32)
    assert not conformance.same(["0 0 exit 01{any}02"], ["0 0 exit 01deadbeef02"], 64)
    assert not conformance.same(["0 0 exit -"], ["0 0 exit -", "0 0 exit -"], 32)
    assert not conformance.same(["0 0 exit -"], [], 32)


@pytest.mark.parametrize("text, what", [
    ("claim: x\n---\ncase: c\nrpm: push 1\nrecord: none\n", "unknown"),
    ("claim: x\n---\ncase: c\nrpn: push 1\n", "no record"),
    ("claim: x\n---\ncase: c\nrecord: none\n", "either rpn"),
    ("claim: x\n---\nnonsense\n", "expected key"),
    ("case: x\nrpn: exit\n", "first block"),
])
def test_conformance_file_refused(tmp_path, text, what):
    path = tmp_path / "x.t"
    path.write_text(text)
    with pytest.raises(conformance.FormatError, match=what):
        conformance.read(path, "x.t")


def test_monitor_between_any_two_characters_of_the_shell():
    """A line behind the echo of Enter took the newline with it: an answer that a test then never found."""
    answer, line = "help\nps  tasks\ndemo> ", "monitor: sensor: 1 sample missing (tick 9)\n"
    for at in range(len(answer) + 1):
        sent = (answer[:at] + line + answer[at:]).replace("\n", "\r\n")
        assert shell_text(sent) == answer, at


def test_child_ends_with_its_parent(tmp_path):
    middle = ("import subprocess, sys\n"
              f"sys.path.insert(0, {str(TESTS / 'lib')!r})\n"
              "from harness import process\n"
              "child = process.start(['sleep', '1000'], stdout=subprocess.DEVNULL)\n"
              "print(child.pid, flush=True)\n"
              "sys.stdin.read()\n")
    with subprocess.Popen([sys.executable, "-B", "-c", middle], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        child = int(parent.stdout.readline())
        process.eventually(lambda: command_of(child) == ["sleep", "1000"], "the command in place of its launcher")
        assert os.getpgid(child) == child
        parent.kill()
    process.eventually(lambda: not command_of(child), "the end of the child")


def command_of(pid):
    """Its words; none when the process has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")[:-1]
    except (FileNotFoundError, ProcessLookupError):
        return []


def test_child_has_limits():
    child = process.start(["sh", "-c", "ulimit -n; ulimit -t"], 40, stdout=subprocess.PIPE)
    assert child.communicate()[0].split() == [b"40", str(process.CPU_LIMIT_S).encode()]


def test_child_that_cannot_be_run():
    child = process.start(["/no/such/program"], stderr=subprocess.PIPE)
    assert child.communicate()[1] == b"start_child: /no/such/program cannot be run: No such file or directory\n"
    assert child.returncode == 127


def test_run_of_the_tool_that_does_not_end(tmp_path):
    """It ends with its server; the next run has another."""
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "silent"))
        silent.listen()
        with pytest.raises(AssertionError, match=r"dprobes log .* did not end in 0.2 s"):
            tool.Tool()("log", "--port", f"unix:{tmp_path / 'silent'}", timeout_s=0.2)
    assert tool.Tool()("--version").status == 0


def opened_for_writing(path):
    """A descriptor of the pipe; None while nobody reads it."""
    try:
        return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return None


def test_run_of_a_test_worker_that_is_killed(tmp_path):
    """A run that waits for its input ends with the worker."""
    os.mkfifo(tmp_path / "program.dp")
    command = f"from harness import tool; tool.Tool()('check', '{tmp_path / 'program.dp'}')"
    with subprocess.Popen([sys.executable, "-B", "-c", command], cwd=TESTS / "lib") as worker:
        descriptor = process.eventually(lambda: opened_for_writing(tmp_path / "program.dp"), "the run")
        worker.kill()
    with open(descriptor, "wb") as pipe:
        end = select.poll()
        end.register(pipe, 0)
        assert end.poll(process.TIMEOUT_S * 1000) == [(pipe.fileno(), select.POLLERR)]


def test_runs_of_the_tool_side_by_side(tmp_path):
    """Each has its own folder and its own input; more of both than a pipe holds."""
    def run(number):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "a.dp").write_text(f"word{number}\n")
        return tool.Tool()("check", "a.dp", cwd=folder), tool.Tool()("check", "-", stdin=f"input{number}\n" * 30000)

    with concurrent.futures.ThreadPoolExecutor(4) as several:
        found = list(several.map(run, range(8)))
    for number, (of_file, of_input) in enumerate(found):
        assert of_file.status == of_input.status == 1
        assert f"a.dp:1:1: error: unknown instruction 'word{number}'" in of_file.stderr
        assert f"<stdin>:1:1: error: unknown instruction 'input{number}'" in of_input.stderr


def test_sanitizers_of_the_tool_have_their_options():
    """A complaint ends a run with status 99, which Tool reports."""
    with tool_server.idle(built("host-asan", "server", "dprobes"), tool.environment()) as server:
        words = pathlib.Path(f"/proc/{server.pid}/environ").read_text(encoding="utf-8").split("\0")
    assert "ASAN_OPTIONS=abort_on_error=0:exitcode=99:detect_leaks=1" in words


LEAKS = """#include <stdlib.h>
int tool_main(int argc, char **argv)
{
	char *volatile lost = malloc((size_t)argc + 40);
	lost = NULL;
	return argv[0] == lost;
}
"""


def test_leaks_are_searched_for_where_they_are_wanted(tmp_path):
    """One test in four has the search, and every test at night."""
    (tmp_path / "leaks.c").write_text(LEAKS)
    server = tmp_path / "server"
    subprocess.run(["gcc", "-fsanitize=address", "-o", server, tmp_path / "leaks.c", TESTS / "lib" / "target" / "tool_server.c"], check=True)
    with tool_server.idle(server, tool.environment()) as started:
        found = {leaks: started.run(["t"], None, None, tool.environment(), None, 60, leaks) for leaks in (False, True)}
    assert found[False][0] == 0 and found[True][0] == 99 and b"LeakSanitizer" in found[True][2]


def test_one_test_in_four_searches_for_leaks(monkeypatch):
    names = [f"tests/host/test_x.py::test[{number}]" for number in range(400)]
    searching = [name for name in names if tool.searches_leaks(f"{name} (call)")]
    assert 80 < len(searching) < 120 and searching == [name for name in names if tool.searches_leaks(f"{name} (teardown)")]
    monkeypatch.setattr(tool, "search_all", True)
    assert all(map(tool.searches_leaks, names))
