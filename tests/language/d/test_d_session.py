# SPDX-License-Identifier: BSD-2-Clause
"""Options of a run of D: its end, what is printed before the first record, a line for the console, records indented by calls."""
import json
import os
import re
import subprocess

import pytest

from harness import paths, process, tool


def test_exit_of_an_expression(ask):
    """expr: the status is computed on the target."""
    assert ask("-n", "hot:entry { n++; } hot:entry /n == 5/ { exit(n * 2 + 1); }", "-q").status == 11


def test_exit_in_end(ask):
    """probe-end-exit: END gives a run its status; that of another probe stays."""
    assert ask("-n", "END { exit(6); }", "-q", "--for", "100ms").status == 6
    assert ask("-n", "BEGIN { exit(3); } END { exit(6); }", "-q").status == 3


def test_for_is_a_planned_end(ask):
    """Also where --count waits for more records: a time-out would be a failure."""
    counted = ask("-n", "hot:entry /0/ { trace(1); }", "-q", "--count", 5, "--for", "0.2s")
    assert (counted.status, counted.stdout, counted.stderr.count("timed out")) == (0, "", 0)
    assert ask("-n", "hot:entry /0/ { trace(1); }", "-q", "--count", 5, "--timeout", "0.2").status == 124
    for bad in ("0s", "-1s", "5x", "s", "1e9h"):
        refused = ask("-n", "hot:entry", "--for", bad)
        assert refused.status == 1 and "--for is a time above 0" in refused.stderr, bad


def test_points_and_code_are_shown(ask):
    """-V and -S print on standard error, so that the records stay alone."""
    found = ask("-n", 'hot:entry { printf("one"); exit(0); }', "-q", "-V", "-S")
    assert (found.status, found.stdout) == (0, "one")
    assert re.search(r"^fbt:\S*:hot:entry 0x[0-9a-f]+$", found.stderr, re.M) and 'name = "trace"' in found.stderr
    quiet = ask("-n", "hot:entry { exit(0); }", "-q")
    assert "hot:entry" not in quiet.stderr and "offset" not in quiet.stderr


def test_a_line_for_the_console_and_the_flow(qemu, dprobes):
    """The firmware acts on the line behind the arming of the probes. Records at entries and returns are indented."""
    machine = qemu("vexpress-a9").free_when_up()
    env = {"DPROBES_PORT": machine.url("com1"), "DPROBES_ELF": str(paths.built("boards", "vexpress-a9", "demo.elf"))}
    found = dprobes("-n", "queue_put:entry { @ = count(); }", "-c", "load on", "--for", "2s", "--format", "json", env=env)
    assert found.status == 0, found.stderr
    assert "load is on" in found.stderr
    assert [json.loads(line)["function"] for line in found.stdout.splitlines() if '"aggregation"' in line] == ["count"]
    flow = dprobes("-n", "queue_put:entry, queue_put:return", "-F", "--count", 6, env=env)
    assert flow.status == 0, flow.stderr
    lines = [line[4:].rstrip() for line in flow.stdout.splitlines() if "queue_put" in line]
    assert len(lines) == 6 and {line.split()[0] for line in lines} == {"->", "<-"}, flow.stdout
    for before, after in zip(lines, lines[1:]):
        if before == "-> queue_put" and after.endswith("<- queue_put"):
            assert after == "<- queue_put"


def test_a_warning_is_given_once(qemu, dprobes):
    """The program is compiled again for the agent, which has fewer probes than the default: the warnings are not repeated."""
    machine = qemu("vexpress-a9").free_when_up()
    env = {"DPROBES_PORT": machine.url("com1"), "DPROBES_ELF": str(paths.built("boards", "vexpress-a9", "demo.elf"))}
    found = dprobes("-n", "fbt::*t*:entry { @ = count(); }", env=env)
    assert found.status == 1 and "probe points, and this agent has room for 64; say which" in found.stderr
    assert found.stderr.count(" cannot be probed: they are left out; ") == 1, found.stderr


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_one_liner_has_the_output_for_itself(ask, tmp_path, form):
    """Records of other programs are counted, in one line at the end."""
    (tmp_path / "other.d").write_text("hot:entry { trace(7777); }\n", encoding="utf-8")
    assert ask("insert", tmp_path / "other.d").status == 0
    found = ask("-n", "hot:entry { trace(1); }", "-q", "--count", 5, "--format", form)
    assert found.status == 0 and "7777" not in found.stdout and "1" in found.stdout, found.stdout
    assert re.search(r"^dprobes: [1-9]\d* record\(s\) of other programs are not shown; 'dprobes log' prints them$", found.stderr, re.M)
    listed = ask("list").stdout
    assert "other" in listed and ask("remove", "other").status == 0


def test_the_columns_have_a_head(ask):
    """Once, above the first record; -q has neither."""
    found = ask("-n", "hot:entry { trace(1); }", "--count", 3).stdout.splitlines()
    assert found[0] == "CPU     ID                    FUNCTION:NAME" and sum(line.startswith("CPU ") for line in found) == 1
    assert all(line.endswith("1") and "hot:entry" in line for line in found[1:4]), found
    assert ask("-n", "hot:entry { trace(1); }", "-F", "--count", 1).stdout.splitlines()[0] == "CPU FUNCTION"
    assert "CPU" not in ask("-n", "hot:entry { trace(1); }", "-q", "--count", 3).stdout
    assert "CPU " not in ask("-n", "hot:entry { @ = count(); }", "--for", "0.2s").stdout


def test_list_names_begin_and_end(ask, tmp_path):
    (tmp_path / "events.d").write_text("BEGIN { n = 1; } hot:entry { n++; } END { n = 0; }\n", encoding="utf-8")
    assert ask("insert", tmp_path / "events.d").status == 0
    listed = ask("list").stdout
    assert re.search(r"^  minor \d+ at BEGIN: ", listed, re.M) and re.search(r"^  minor \d+ at END: ", listed, re.M), listed
    assert len(re.findall(r" at 0x[0-9a-f]{8}", listed)) == 1


def terminal(ask, dprobes, *words):
    """What a command writes to a terminal."""
    ours, theirs = os.openpty()
    options = ("--port", ask.target.url(), "--sym", ask.target.map, "--dont-verify-opcodes")
    child = process.start([dprobes.path(), *map(str, (*words, *options))], env=tool.environment({"TERM": "xterm"}),
                          stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    shown = process.Reader("terminal", lambda: os.read(ours, 4096))
    assert child.wait(timeout=process.TIMEOUT_S) == 0
    shown.join()
    os.close(ours)
    return shown.text.replace("\r\n", "\n")


def test_tables_have_a_head(ask, dprobes):
    """On a terminal and with --live: what is counted, for how long, how many hits and losses. Bars on a terminal."""
    head = r"^@calls\[probefunc, arg0 & 1\]  \d+\.\d s, \d+ hits, 0 lost$"
    clause = "hot:entry { @calls[probefunc, arg0 & 1] = count(); }"
    live = ask("-n", clause, "--live", "--for", "1.5s")
    assert re.search(head, live.stdout, re.M), live.stdout
    plain = ask("-n", clause, "--for", "0.5s")
    assert plain.status == 0 and "@" not in plain.stdout
    shown = terminal(ask, dprobes, "-n", clause, "--for", "0.5s")
    assert re.search(head, shown, re.M), shown
    if len(re.findall(r"^  hot ", shown, re.M)) > 1:
        assert re.search(r"^  hot +\d +\d+  \|@{20}$", shown, re.M), shown
    sums = terminal(ask, dprobes, "-n", "hot:entry { @ = sum(arg0); }", "--for", "0.3s")
    assert re.search(r"^@  \d\.\d s, 1 key\(s\), 0 lost$", sums, re.M), sums
