# SPDX-License-Identifier: BSD-2-Clause
"""The command against the real agent, in a process (lib/target/sim_target.c): what the unit tests say of
each side holds for both together. `full` is the agent with all parts, `small` the one of at most 17.75 KB."""
import re
import signal

import pytest

from harness import noisyline
from harness import process

NET = """\
name = net
id = 7
vars = 4
offset = hot
opcode = 0x10000140
minor = 9
inc lv, 0
push lv, 0
log 1
exit
offset = stepped
opcode = 0xf1000000
minor = 10
exit
"""
WRITES = """\
name = writes
offset = queue_put
push 1
pop r, r0
exit
"""
# Points that fit the agent's table.
POINTS = {"full": 32, "small": 16}


def long_program(profile):
    return NET + "".join(f"offset = queue_put + {4 * n}\nminor = {n}\n" + "push 5\npop lv, 1\n" * 12 + "exit\n"
                         for n in range(POINTS[profile] - 2))


@pytest.fixture(params=POINTS)
def profile(request):
    return request.param


@pytest.fixture
def any_target(sim_target, profile):
    """A target of that kind; the small agent needs a build-id."""
    def start(*options, **more):
        return sim_target(*options, *(["--build-id"] if profile == "small" else []), profile=profile, **more)
    return start


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "net.dp"
    path.write_text(NET)
    return path


@pytest.fixture
def tool(dprobes):
    """dprobes on a line of a target, opcodes taken as found."""
    def run(command, target, *words, com="com2", url=None, **options):
        sym = ["--sym", target.map, "--dont-verify-opcodes"] if command in ("insert", "run") else []
        return dprobes(command, *words, *sym, "--port", url or target.url(com), **options)
    return run


def value_of(tool, target):
    return tool("vars", target, "net", "--format", "json").objects()[0]["value"]


# proves: R5.30 R7.4
def test_a_session(any_target, profile, tool, net):
    target = any_target("--hits", 300, "--console", 50)
    run = tool("insert", target, net)
    assert run.status == 0, run.stderr
    assert "2 probe(s) armed" in run.stdout + run.stderr
    log = tool("log", target, "--count", 20)
    assert log.status == 0, log.stderr
    assert log.stdout.count("DProbes(") >= 20
    hits = re.search(r"minor 9 at 0x08000140: armed, (\d+) hit", tool("list", target).stdout)
    assert int(hits[1]) >= 20
    assert profile == "small" or value_of(tool, target) > 0
    assert not target.text_is_original()
    assert tool("remove", target, "--all").status == 0
    assert target.text_is_original()


# proves: A2.9 A3.13
def test_console_and_records_share_a_line(any_target, tool, net):
    """Every line the firmware prints arrives whole, in order, whatever the agent says between."""
    target = any_target("--hits", 500, "--console", 200, "--baud", 230400)
    run = tool("run", target, net, "--count", 200, com="com1")
    assert run.status in (0, 5), run.stderr  # 5: counted losses, where a busy machine sends less than the line carries
    # Messages of dprobes stand between any two characters. Behind a pause of 50 ms the host shows the beginning of a
    # frame (PROTOCOL.md 3.1).
    console = re.sub(r"dprobes: .*\n", "", run.stderr)
    printed = [int(n) for n in re.findall(r"^(?:~[A-Z][0-9A-F]*)?line (\d+) of the firmware$", console, re.MULTILINE)]
    assert len(printed) > 20
    assert printed == list(range(printed[0], printed[0] + len(printed))), run.stderr
    assert run.stdout.count("DProbes(") >= 200


# proves: A3.25
@pytest.mark.parametrize("profile", ["read", "small"])
def test_read_profile_refuses_writes(sim_target, dprobes, tool, tmp_path, net, profile):
    source = tmp_path / "writes.dp"
    source.write_text(WRITES)
    target = sim_target("--build-id", profile=profile)
    assert "profile READ" in tool("info", target).stdout
    run = tool("insert", target, source, "--write")
    assert run.status in (2, 4) and "DP_PROFILE_FULL" in run.stderr
    assert target.text_is_original()
    source.write_text(WRITES.replace("push 1\npop r, r0", "callk"))
    run = tool("insert", target, source, "--write")
    assert run.status in (2, 4) and "DP_PROFILE_FULL" in run.stderr
    source.write_text("name = stop\noffset = hot\npush 7\nlog 1\nexit 1\n")
    assert tool("insert", target, source).status == 0
    log = dprobes.listen("--count", "1", "--port", target.url())
    target.console("call hot", "sum")
    assert log.wait().lines() == ["DProbes(0,0) 07000000"]  # 'exit 1' is 'exit'
    assert tool("remove", target, "--all").status == 0
    assert tool("insert", target, net).status == 0
    assert tool("remove", target, "--all").status == 0


def test_full_profile_writes_with_the_right(sim_target, tool, tmp_path):
    source = tmp_path / "writes.dp"
    source.write_text(WRITES)
    target = sim_target()
    assert tool("insert", target, source).status != 0
    assert tool("insert", target, source, "--write").status == 0


def test_locked(any_target, tool, net):
    target = any_target()
    assert "executed" in target.console("lock", "sum")
    run = tool("insert", target, net)
    assert run.status == 4 and "locked" in run.stderr
    assert target.text_is_original()


# Without RESTART each start loads the text anew.
@pytest.mark.parametrize("profile, restart", [("full", "warm_restart"), ("full", "power_cycle"), ("small", "power_cycle")])
def test_restart_while_logging(any_target, dprobes, tool, net, restart):
    """The host notices, and the text is the original."""
    target = any_target("--hits", 200)
    assert tool("insert", target, net).status == 0
    log = dprobes.listen("--port", target.url())
    getattr(target, restart)()
    assert log.wait().status == 3
    assert target.text_is_original()
    assert "0 program(s)" in tool("info", target).stdout
    assert tool("insert", target, net).status == 0


# proves: R7.4
def test_reset_at_every_line_of_an_upload(sim_target, tool, tmp_path, net):
    """F4: whenever the target restarts, its text is the original and the next session works."""
    ended = 0
    for position in range(20, 1400, 97):
        folder = tmp_path / str(position)
        folder.mkdir()
        target = sim_target("--reset-at", position, folder=folder)
        run = tool("insert", target, net)
        assert run.status in (0, 3), run.stderr
        if run.status == 0 and position > 100:  # the upload was over before
            break
        ended += run.status == 3
        assert run.status == 0 or target.text_is_original()
        assert tool("insert", target, net, "--replace").status == 0
        assert tool("remove", target, "--all").status == 0
        assert target.text_is_original()
        target.close()
    assert ended > 5


def test_host_killed_during_an_upload(any_target, profile, dprobes, tool, tmp_path, net):
    """F5: what was staged is gone, the next host takes over."""
    source = tmp_path / "long.dp"
    source.write_text(long_program(profile))

    def upload(name, stop_at=None):
        folder = tmp_path / name
        folder.mkdir()
        target = any_target(folder=folder)
        line = noisyline.NoisyLine(folder / "line", target.paths["com2"], 0, {}, {}, stop_at=stop_at)
        return target, line, process.start([dprobes.path(), "insert", source, "--sym", target.map, "--port",
                                            line.url, "--dont-verify-opcodes"])

    _, line, child = upload("whole")
    assert child.wait() == 0
    answers = line.passed  # bytes
    line.close()
    for tenths in (1, 5, 8):  # the later ones are answers to DATA
        target, line, child = upload(str(tenths), stop_at=answers * tenths // 10)
        process.eventually(lambda: line.stopped.is_set() or child.poll() is not None, "a silent line, or the end of the host")
        assert line.stopped.is_set() and child.poll() is None
        child.send_signal(signal.SIGKILL)
        child.wait()
        line.close()
        assert tool("remove", target, "--all").status == 0
        assert target.text_is_original()
        assert tool("insert", target, net).status == 0


def test_two_lines_two_hosts(any_target, profile, dprobes, tool, net):
    """A second host is told who has the session. It takes the session over; the first one says so and ends. The small agent keeps no owner."""
    target = any_target("--hits", 100)
    assert tool("insert", target, net, com="com1").status == 0
    first = dprobes.listen("--port", target.url("com1"))
    if profile != "small":
        refused = tool("list", target, com="com2")
        assert refused.status == 4 and re.search(
            rf"error: dprobes \(pid {first.process.pid}\) uses the agent on \S+, with its last request \d+ s ago; .* --take \('dprobes serve' lets several commands use a line\)$", refused.stderr, re.M), refused
    assert tool("list", target, "--take", com="com2").status == 0
    if profile != "small":
        taken = first.wait()
        assert taken.status == 3 and re.search(
            r"error: (?:dprobes \(pid \d+\)|pid \d+ on \S+) has taken over the session on \S+; its programs stay installed$", taken.stderr, re.M), taken
    assert tool("remove", target, "--all", com="com2").status == 0
    assert target.child.poll() is None


@pytest.mark.parametrize("rates", [{"flip": 8e-4}, {"flip": 4e-3, "lose": 1e-3, "double": 1e-3}, {"break": 1e-3, "frame": 2e-3}],
                         ids=["ber1e-4", "bad", "break and framing errors"])
def test_noise(any_target, profile, tool, tmp_path, rates):
    source = tmp_path / "long.dp"
    source.write_text(long_program(profile))
    target = any_target()
    line = noisyline.NoisyLine(tmp_path / "noisy", target.paths["com2"], 3, rates, rates)
    run = tool("insert", target, source, url=line.url)
    assert run.status == 0, run.stderr
    assert sum(line.damage.values()) > 3
    line.close()
    assert tool("list", target).stdout.count("armed, 0 hit(s)") == POINTS[profile]
    assert tool("remove", target, "--all").status == 0
    assert target.text_is_original()


def test_lost_characters(any_target, profile, tool, tmp_path):
    """A receiver that drops: F2."""
    source = tmp_path / "long.dp"
    source.write_text(long_program(profile))
    target = any_target("--drop", 400)
    run = tool("insert", target, source)
    assert run.status == 0, run.stderr
    assert tool("list", target).stdout.count("armed, 0 hit(s)") == POINTS[profile]


# proves: R7.7
@pytest.mark.parametrize("profile, rate", [("full", 3000), ("full", 10000), ("full", 40000), ("small", 10000)])
def test_storm_is_counted(any_target, dprobes, net, rate):
    """F6, at rates that the line does not carry and the governor permits: the firmware goes on, the agent answers, and every
    hit is a record that came or is counted as lost."""
    target = any_target("--baud", 115200)
    log = dprobes.start("run", net, "--sym", target.map, "--dont-verify-opcodes", "--port", target.url())
    while target.text_is_original():
        assert log.process.poll() is None
    before = int(re.search(r"(\d+) executed", target.console(f"hits {rate}", "sum"))[1])
    log.out.expect("DProbes")
    for _ in range(2):
        log.err.expect("lost: ")
    after = int(re.search(r"(\d+) executed", target.console("hits 0", "sum"))[1])
    assert after > before, "the firmware stands still"
    marks = 0

    def marked():
        """A hit of the other point, until one finds room: what is in the ring before it has come then."""
        nonlocal marks
        marks += 1
        target.console("call stepped", "sum")
        return "DProbes(0,10)" in log.out.text

    def counted():
        """Numbers of the hits that came, and how many were lost, when the last one came and a sync behind the losses."""
        text = log.out.text
        numbers = [int.from_bytes(bytes.fromhex(digits), "little") for digits in re.findall(r"^DProbes\(0,9\) (\w{8})\n", text, re.M)]
        lost = sum(map(int, re.findall(r"lost: (\d+) record\(s\) of stream 0 found the agent's ring full", log.err.text)))
        lost -= marks - text.count("DProbes(0,10)")
        last = text.rfind("DProbes(0,9)") > text.index("DProbes(0,10)")
        return last and len(numbers) + lost == numbers[-1] and (numbers, lost)

    process.eventually(marked, "a hit with room in the ring")
    target.console("call hot", "sum")
    numbers, lost = process.eventually(counted, "all hits and losses")
    run = log.interrupt()
    hits = int(re.search(r"^hits: net minor 9 at \w+: (\d+)", run.stdout, re.M)[1])
    assert numbers == sorted(set(numbers)) and numbers[-1] == hits
    assert lost > 0 and len(numbers) + lost == hits
    assert not re.findall(r"lost: \d+ .* on the line", run.stderr), run.stderr
    assert target.text_is_original()


def test_storm_can_be_removed(any_target, tool, net):
    """Far more hits than the line carries: lost ones are counted, and remove gets through."""
    target = any_target("--hits", 20000, "--baud", 115200)
    assert tool("insert", target, net).status == 0
    process.eventually(lambda: tool("info", target, "--format", "json").objects()[0]["dropped"] > 0, "a dropped record")
    run = tool("remove", target, "--all")
    assert run.status == 0, run.stderr
    info = tool("info", target).stdout
    assert int(re.search(r"(\d+) dropped", info).group(1)) > 0
    assert target.text_is_original()
