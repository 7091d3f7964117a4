# SPDX-License-Identifier: BSD-2-Clause
"""What --record wrote, `dprobes report` prints as the command did that wrote it."""
import os
import re
import subprocess

import pytest

from harness import process, tool as tool_harness
from harness.paths import TOP, built

RPN = 'name = "net"\nvars = 1\noffset = hot\nopcode = 0x10000140\nminor = 9\ninc lv, 0\npush lv, 0\nlog 1\nexit\n'
COMPILING = ("--dont-verify-opcodes",)


@pytest.fixture
def target(sim_target):
    return sim_target("--hits", 200, "--build-id")


@pytest.fixture
def tool(target, dprobes, tmp_path):
    """Runs the tool on the line of the target, with a file for --record."""
    def run(*words, compiling=True):
        more = ("--sym", target.map, "--dont-verify-opcodes") if compiling else ()
        return dprobes(*words, *more, "--port", target.url(), cwd=tmp_path)
    return run


# Programs whose output has all that a stream prints: records, gaps, tables, variables, counters.
PROGRAMS = {
    "records": 'hot:entry { n++; printf("%d %s\\n", n, probefunc); } hot:entry /n == 30/ { exit(3); }',
    "quiet": '#pragma D option quiet\nhot:entry { n++; printf("%d\\n", n); } dtrace:::END { printf("%d in all\\n", n); }',
    "aggregations": "#pragma D option aggrate=50ms\nhot:entry { @[probefunc, n % 3] = count(); @d = quantize(n); n++; }",
    "tables": "#pragma D option aggrate=50ms\nhot:entry { @c = count(); n++; } hot:entry /n % 10 == 0/ { printa(@c); clear(@c); }",
    "arrays": "hot:entry { x[n % 4] = n; last = probefunc; n++; trace(n); }",
    "drops": "#pragma D option aggsize=1\n#pragma D option aggrate=50ms\nhot:entry { @k[n] = count(); n++; }",
    "traced": "hot:entry { trace(timestamp); tracemem((char *)&hot, 8); trace(caller); }",
}
FORMATS = ("text", "json", "csv", "raw")


@pytest.mark.parametrize("shown", FORMATS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_run(tool, dprobes, tmp_path, name, shown):
    """Standard output and the exit status are the same."""
    options = ("--format", shown, "--count", 40, "--verbose")
    live = tool("-n", PROGRAMS[name], "--for", "1s", "--record", "run.capture", *options)
    assert live.status in (0, 3, 5), live.stderr
    again = dprobes("report", "run.capture", *options, cwd=tmp_path)
    assert again.stdout == live.stdout and again.status == live.status, again.stderr


@pytest.mark.parametrize("shown", ["text", "raw"])
def test_a_run_in_compact_lines(tool, dprobes, tmp_path, shown):
    """The file has the lines as they came."""
    options = ("--format", shown, "--count", 20)
    live = tool("-n", PROGRAMS["records"], "--compact", "on", "--record", "run.capture", *options)
    assert live.status == 0 and len(live.stdout.splitlines()) >= 20, live
    assert len(re.findall(r"^[\d.]+ ~[rs]", (tmp_path / "run.capture").read_text(), re.M)) > 0
    again = dprobes("report", "run.capture", *options, cwd=tmp_path)
    assert again.stdout == live.stdout and again.status == live.status, again.stderr


@pytest.mark.parametrize("options", [("--tally",), ("--format", "json", "--tally"), ("--no-names",), ("-f",)])
def test_a_run_of_rpn(tool, dprobes, tmp_path, options):
    """Variables and counters of a program without formats."""
    (tmp_path / "net.dp").write_text(RPN)
    live = tool("run", "net.dp", "--count", 30, "--record", "run.capture", *options)
    assert live.status == 0, live.stderr
    again = dprobes("report", "run.capture", "--count", 30, *options, cwd=tmp_path)
    assert again.stdout == live.stdout and again.status == 0, again.stderr
    assert re.search('^net lv 0 = |^{"kind":"local"', live.stdout, re.M) and re.search('^hits: net|^{"kind":"hits"', live.stdout, re.M)


def test_a_tally_of_d(tool):
    """The number stands in front of what the program prints, in text as in JSON; each record has a line of its own."""
    for program in ('hot:entry { n++; trace(n % 2); }', 'hot:entry { n++; printf("%d", n % 2); }', 'hot:entry { n++; printf("%d\\nmore\\n", n % 2); }'):
        for words in ((), ("-q",)):
            told = tool("-n", program, "--count", 20, "--tally", *words)
            assert told.status == 0, told.stderr
            numbers = [int(found) for found in re.findall(r"^ *(\d+)  ", told.stdout, re.M) if " hot:" not in found]
            assert sum(numbers) == 20 and len(numbers) == 2, told.stdout
    rows = tool("-n", "hot:entry { n++; trace(n % 2); }", "--count", 20, "--tally", "--format", "json").objects()
    assert sorted(row["times"] for row in rows if row["kind"] == "log") == [10, 10]


def test_no_hit_is_told(tool):
    """An empty output has its reason on standard error."""
    silent = tool("-n", "addr:::0x08000180 { @ = count(); }", "--for", "0.2s")
    assert silent.status == 0 and "no hit of the 1 probe point(s)" in silent.stderr, silent.stderr
    assert tool("-n", "addr:::0x08000180 { @ = count(); }", "--for", "0.2s", "--quiet").stderr == ""  # only errors
    assert "no hit" not in tool("-n", "hot:entry { @ = count(); }", "--for", "0.5s").stderr
    assert "no hit" not in tool("-n", "BEGIN { exit(0); }").stderr


def test_templates_of_a_log(tool, dprobes, tmp_path):
    (tmp_path / "net.dp").write_text(RPN)
    (tmp_path / "t.txt").write_text("0 9 Hot\n%d of hot\n")
    assert tool("insert", "net.dp").status == 0
    options = ("--format", "json", "--count", 20)
    live = tool("log", "--record", "log.capture", *options, compiling=False)
    again = dprobes("report", "log.capture", *options, cwd=tmp_path)
    assert live.status == again.status == 0 and live.stdout == again.stdout, again.stderr
    assert tool("remove", "--all", compiling=False).status == 0


def test_record_needs_no_files(tool, dprobes, tmp_path, target):
    """`record` learns what the target tells; the objects that this user has kept are in the file."""
    kept = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    inserted = dprobes("insert", "-", "--sym", target.map, *COMPILING, "--port", target.url(), stdin="hot:entry { n++; trace(n); }\n",
                       cwd=tmp_path, env=kept)
    assert inserted.status == 0, inserted.stderr
    for env, words in ((kept, True), (None, False)):
        run = dprobes("record", "rack.capture", "--count", 20, "--port", target.url(), cwd=tmp_path, env=env)
        assert (run.status, run.stdout) == (0, ""), run.stderr
        rows = [row for row in dprobes("report", "rack.capture", "--format", "json", cwd=tmp_path).objects() if row["kind"] == "log"]
        assert len(rows) >= 20 and ("args" in rows[0]) == words
    piped = dprobes("report", "-", "--format", "json", cwd=tmp_path, stdin=(tmp_path / "rack.capture").read_text())
    assert [row for row in piped.objects() if row["kind"] == "log"] == rows
    assert dprobes("remove", "--all", "--port", target.url()).status == 0


def test_the_file(tool, tmp_path):
    """As its page describes it: text, with the facts of the target and the end."""
    assert tool("-n", "hot:entry { n++; trace(n); }", "--count", 5, "--record", "run.capture").status == 0
    lines = (tmp_path / "run.capture").read_text().splitlines()
    assert lines[0] == "dprobes capture 1" and re.fullmatch(r"! \d+\.\d{6} end lines \d+ texts \d+ events \d+ ;[0-9a-f]{8}", lines[-1])
    facts = dict(re.fullmatch(r"# (\S+) (.*) ;[0-9a-f]{8}", line).groups() for line in lines if line.startswith("#"))
    assert facts.items() >= {"command": "trace", "cpu": "sim", "word-bytes": "4", "endian": "little", "build-id": bytes(range(1, 21)).hex()}.items()
    assert {"version", "port", "hz", "ticks", "boot", "limits"} <= facts.keys()
    times = [float(found[1]) for found in (re.match(r"(?:! |C)?(\d+\.\d{6}) ", line) for line in lines) if found]
    assert times == sorted(set(times))


def test_the_page_has_every_event():
    """FORMATS.md and the table of events say the same."""
    table = re.findall(r'EVENT\(\w+, "([\w-]+)"\) +/\* (.*?) \*/', (TOP / "host/command/recording.h").read_text())
    page = (TOP / "host/present/FORMATS.md").read_text()
    assert table and re.findall(r"^\| `([\w-]+)` \| (.*) \|$", page[page.index("| event | meaning |"):page.index("## A new format")], re.M) == table


@pytest.mark.nightly
def test_many_damaged_captures(amount, tmp_path):
    """test_capture.c says what holds for each, and takes 600 in every run of the tests."""
    run = subprocess.run([built("host-asan", "tests", "wire", "test_capture"), str(amount(100, 10_000)), "7"], cwd=tmp_path,
                         capture_output=True, text=True, env=tool_harness.environment(), check=False)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]


def test_a_key_is_in_no_file(sim_target, dprobes, tmp_path):
    key = "00112233445566778899aabbccddeeff"
    target = sim_target("--hits", 200, "--build-id", "--key", key)
    (tmp_path / "key").write_text(key + "\n")
    (tmp_path / "key").chmod(0o600)
    run = dprobes("-n", "hot:entry { n++; trace(n); }", "--count", 3, "--record", "run.capture", "--key", "key", "--sym", target.map,
                  *COMPILING, "--port", target.url(), cwd=tmp_path)
    assert run.status == 0, run.stderr
    text = (tmp_path / "run.capture").read_text().lower()
    assert key not in text and "AEVM3WZ".lower() not in text and "/key" not in text


def test_killed(tool, target, dprobes, tmp_path):
    """Whole lines are in the file when the command dies."""
    running = dprobes.start("-n", 'hot:entry { n++; printf("%d\\n", n); }', "-q", "--record", "run.capture", "--sym", target.map, *COMPILING,
                            "--port", target.url(), cwd=tmp_path)
    running.out.expect("\n40\n")
    running.process.send_signal(process.signal.SIGKILL)
    running.close()
    found = dprobes("report", "run.capture", "--bare", cwd=tmp_path)
    numbers = [int(line) for line in found.stdout.splitlines() if line.isdigit()]
    assert numbers[:40] == list(range(1, 41)) and found.status == 5
    assert "run.capture has no end: the file was cut behind line" in found.stderr and "0 record(s) before that are missing" in found.stderr
    assert tool("remove", "--all", compiling=False).status == 0


def test_a_file_that_cannot_be_written(tool, target, dprobes, tmp_path):
    """Known before the target is touched; a full disk ends the file alone."""
    refused = tool("-n", "hot:entry { trace(1); }", "--count", 5, "--record", "none/run.capture")
    assert refused.status == 1 and "cannot write none/run.capture: No such file" in refused.stderr
    full = tool("-n", "hot:entry { n++; trace(n); }", "--count", 5, "--record", "/dev/full")
    assert full.status == 1 and "/dev/full cannot be written further: No space left on device; the records go on" in full.stderr
    assert full.stdout.count("hot:entry") == 5 and target.text_is_original()
    (tmp_path / "p.d").write_text("hot:entry { trace(1); }\n")
    same = tool("-s", "p.d", "--count", 5, "--record", "p.d")
    assert same.status == 1 and "p.d is read by this command" in same.stderr
    both = tool("-s", "p.d", "--count", 5, "-o", "x", "--record", "x")
    assert both.status == 1 and "x is the file of --output too" in both.stderr


def test_no_capture(dprobes, tmp_path):
    (tmp_path / "notes").write_text("hello\n")
    for name, said in (("notes", "notes is no capture of 'dprobes': its first line is not 'dprobes capture 1'"),
                       ("none", "cannot read none: No such file")):
        found = dprobes("report", name, cwd=tmp_path)
        assert found.status == 1 and said in found.stderr


def test_a_damaged_line(tool, dprobes, tmp_path):
    """Its number is told, and the record is missing."""
    assert tool("-n", "hot:entry { n++; trace(n); }", "--count", 30, "--record", "run.capture").status == 0
    path = tmp_path / "run.capture"
    lines = path.read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if re.match(r"\d+\.\d+ ~R", line) and i > len(lines) // 2)
    lines[at] = lines[at][:-2] + ("0" if lines[at][-2] != "0" else "1") + lines[at][-1]
    path.write_text("\n".join(lines))
    found = dprobes("report", "run.capture", cwd=tmp_path)
    assert found.status == 5 and f"run.capture:{at + 1}: this line is damaged, and is left out" in found.stderr, found.stderr
    assert re.search(r"^lost: \d+ record", found.stderr, re.M)


def test_a_restart(tool, target, dprobes, tmp_path):
    """--reinstall goes on behind a reset; the capture has both parts."""
    running = dprobes.start("-n", "hot:entry { n++; trace(n); }", "--reinstall", "--record", "run.capture", "--sym", target.map, *COMPILING,
                            "--port", target.url(), cwd=tmp_path)
    running.out.expect("hot:entry")
    target.warm_restart()
    running.err.expect("the target was restarted")
    running.out.expect(r"hot:entry +1\n")
    live = running.interrupt()
    again = dprobes("report", "run.capture", cwd=tmp_path)
    assert again.stdout == live.stdout, again.stderr
    assert os.path.getsize(tmp_path / "run.capture") > 1000
