# SPDX-License-Identifier: BSD-2-Clause
"""What the host takes from the target while a program runs, keeps for a later command, and tells at the end."""
import csv
import io
import json
import re
import time

import pytest

from harness import process
from harness.noisyline import NoisyLine

MAP = 0x27  # protocol/commands.def
COUNTS = "hot:entry { @calls[probefunc] = count(); }"


@pytest.fixture
def kept(tmp_path):
    """A user with a folder for what commands keep."""
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def target(sim_target):
    return sim_target("--hits", 200, "--build-id")


@pytest.fixture
def tool(target, dprobes, kept):
    """Runs the tool on the line of the target; compiles with its map."""
    compiling = ("--sym", target.map, "--dont-verify-opcodes")

    def words(*given):
        return (*given, "--port", target.url(), *(compiling if given[0] in ("-n", "insert", "run", "trace") or "-n" in given else ()))

    def run(*given):
        return dprobes(*words(*given), env=kept)

    run.start = lambda *given: dprobes.start(*words(*given), env=kept)
    return run


def hits(tool):
    listed, = tool("list", "--format", "json").objects()
    return listed["probes"][0]["hits"]


def value(tool, *given):
    found = tool("aggs", *given, "--format", "json")
    assert found.status == 0, found.stderr
    row, = found.objects()
    return row["value"]


def killed_between_readings(tool, folder):
    """Run COUNTS, and kill the host when it has kept its first reading. The next reading was not due, so none was on its way."""
    rate_s = 2
    while True:
        running = tool.start("-n", f"#pragma D option aggrate={rate_s}s\n" + COUNTS + "hot:entry { n++; }")
        taken = process.eventually(lambda: next(folder.glob("*.taken"), None))
        running.process.send_signal(process.signal.SIGKILL)
        running.close()
        if time.time() < taken.stat().st_mtime + rate_s:
            return taken
        taken.unlink()  # the machine was too busy: try again
        assert tool("remove", "--all").status == 0


def test_taken_and_killed(tool, target, kept, tmp_path):
    """The host takes the counts as they come and dies; the next one adds what was taken to what it reads."""
    assert killed_between_readings(tool, tmp_path / "cache/dprobes").stat().st_size > 20
    before = hits(tool)
    counted = value(tool, "trace")
    assert before <= counted <= hits(tool)
    assert value(tool, "trace") >= counted  # reading leaves them there
    assert tool("vars", "trace").stdout.startswith("trace n = ")
    assert tool("remove", "--all").status == 0
    gone = tool("aggs", "trace")
    assert gone.status == 4 and "'trace' is no file, and no installed program has this name" in gone.stderr
    assert target.text_is_original()


def test_ended_runs_leave_no_counts(tool, tmp_path):
    ended = tool("-n", "#pragma D option aggrate=50ms\n" + COUNTS + 'hot:entry { n++; } hot:entry /n == 100/ { exit(0); }', "-q")
    assert ended.status == 0 and re.search(r"^  hot +\d+$", ended.stdout, re.M), ended.stdout
    assert not list((tmp_path / "cache/dprobes").glob("*.taken"))


def killed(tool, program):
    """Run the program until it has recorded a hit, and kill the host."""
    running = tool.start("-n", program, "-q")
    running.out.expect("hit")
    running.process.send_signal(process.signal.SIGKILL)
    running.close()


def test_text_of_the_insertion(tool):
    """`aggs -n TEXT` compiles the text again and finds the program that was made from it."""
    program = COUNTS + ' hot:entry { printf("hit"); }'
    killed(tool, program)
    assert value(tool, "-n", program) > 0
    other = tool("aggs", "-n", "hot:entry { @other = count(); }")
    assert other.status == 4 and "no installed program was made from this text" in other.stderr
    assert tool("aggs").status == 1 and tool("aggs", "-n", program, "x").status == 1
    assert tool("remove", "--all").status == 0


def test_nothing_was_kept(tool, dprobes, target):
    """The program of another user, who has the object."""
    killed(tool, COUNTS + ' hot:entry { printf("hit"); }')
    other = dprobes("aggs", "trace", "--port", target.url(), env={"XDG_CACHE_HOME": "/dev/null"})
    assert other.status == 1 and "the object of 'trace' was not kept here" in other.stderr
    assert tool("remove", "--all").status == 0


def test_more_keys_than_places(tool):
    """The map bounds the keys between two readings alone: one place, and many keys in the end."""
    found = tool("-n", "#pragma D option aggsize=1\n#pragma D option aggrate=50ms\n"
                       "hot:entry { @k[n] = count(); n++; } hot:entry /n == 400/ { exit(0); }", "--format", "json", "--quiet")
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    keys = [row["keys"][0] for row in rows if row["kind"] == "aggregation"]
    dropped = [row["count"] for row in rows if row["kind"] == "dropped"]
    assert len(keys) == len(set(keys)) > 1, found.stdout
    assert found.status == 5 and dropped == sorted(dropped) and dropped[-1] == 400 - len(keys), (found.status, dropped, len(keys))


def test_drops_of_arrays_are_a_loss(tool):
    found = tool("-n", "#pragma D option dynvarsize=1\nhot:entry { x[n] = n + 1; n++; } hot:entry /n == 10/ { exit(0); }", "-q")
    assert found.status == 5 and re.search(r"^x: \d+ store\(s\) dropped", found.stderr, re.M), found


def test_variables_at_the_end(tool):
    """By name, before the program is removed; `quiet` leaves them out."""
    program = 'hot:entry { n++; last = probefunc; x[last, n > 2] = n; } hot:entry /n == 4/ { exit(0); }'
    found = tool("-n", program)
    assert found.status == 0, found.stderr
    assert found.stdout.splitlines()[-4:] == ["trace n = 4", 'trace last = "hot"', "trace x[hot, 0] = 2", "trace x[hot, 1] = 4"]
    assert tool("-n", program, "-q").stdout.strip() == ""


def test_csv_of_counts(tool):
    """A program that only counts has the table of `aggs`."""
    found = tool("-n", COUNTS + " hot:entry { @d = quantize(4); n++; } hot:entry /n == 4/ { exit(0); }", "--format", "csv", "--quiet")
    assert found.status == 0, found.stderr
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert [(row["name"], row["function"], row["keys"], row["value"], row["low"], row["count"]) for row in rows][0][:3] == (
        "calls", "count", "hot")
    assert [row["low"] for row in rows if row["name"] == "d"] == ["4"]


def test_answers_of_64_keys(target, dprobes, kept, tmp_path):
    """The figure of D.md: a reading of 64 keys, each a pointer and a count."""
    line = NoisyLine(tmp_path / "line", target.paths["com2"], 0, {}, {})
    found = dprobes("-n", "#pragma D option aggsize=128\n#pragma D option aggrate=3600s\n"
                    "hot:entry { @[(char *)&hot + 4 * n] = count(); n++; } hot:entry /n == 64/ { exit(0); }", "-q",
                    "--port", line.url, "--sym", target.map, "--dont-verify-opcodes", env=kept)
    requests = len(re.findall(rb"^~Q[0-9A-F]{4}%02X" % MAP, line.said, re.M))
    line.close()
    assert found.status == 0 and len(found.stdout.split("\n")) >= 64, found.stderr
    assert 0 < requests <= 10


def test_values_of_records(tool):
    """JSON has each value with its expression and its type."""
    found = tool("-n", 'hot:entry { n = 7; s = probefunc; printf("%d %s %x\\n", n + 1, s, (unsigned char)(n)); trace(n > 3); '
                       'tracemem((char *)&hot, 2); }', "--count", 1, "--format", "json", "--quiet")
    assert found.status == 0, found.stderr
    record = json.loads(found.stdout.splitlines()[0])
    args = record["args"]
    assert [(one.get("name"), one["value"]) for one in args[:4]] == [("n + 1", 8), ("s", "hot"), ("(unsigned char)(n)", 7), ("n > 3", 1)]
    assert args[0]["type"] == "int" and re.fullmatch("[0-9a-f]{4}", args[4]["value"]), args


def test_points_of_a_glob_that_the_agent_refuses(tool, target):
    """They are left out, and a warning has their number; a point that is named is an error."""
    with open(target.map, "a", encoding="utf-8") as symbols:
        symbols.write("0fff0000 T hot_elsewhere\n")
    found = tool("-n", "fbt::hot*:entry { @[probefunc] = count(); n++; } hot:entry /n == 4/ { exit(0); }", "-q")
    assert found.status == 0, found.stderr
    assert "1 probe point(s) are left out: the agent refuses them (" in found.stderr
    assert re.search(r"^  hot +\d+$", found.stdout, re.M) and "hot_elsewhere" not in found.stdout
    named = tool("-n", "hot_elsewhere:entry { n++; }", "-q")
    assert named.status == 4 and "left out" not in named.stderr, (named.status, named.stderr)
    assert target.text_is_original()


def test_unsigned_values_in_csv(ask):
    """Rows of 64 bits without a sign, in order, and the bounds of their buckets."""
    found = ask("-n", "hot:entry { n++; @k[1] = max(0xfffffffffffffff0); @k[2] = max(5ull); @q = quantize(0xfffffffffffffff0); }"
                " hot:entry /n == 3/ { exit(0); }", "-q", "--format", "csv")
    assert found.status == 0, found.stderr
    assert [line.split(",")[1:] for line in found.stdout.splitlines()] == [
        ["name", "function", "keys", "value", "low", "high", "bucket_value", "count"],
        ["k", "max", "2", "5", "", "", "", ""], ["k", "max", "1", "18446744073709551600", "", "", "", ""],
        ["q", "quantize", '""', "3", "9223372036854775808", "18446744073709551615", "3", ""]]
