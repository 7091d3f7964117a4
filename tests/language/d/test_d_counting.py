# SPDX-License-Identifier: BSD-2-Clause
"""Counting on a board: aggregations of D, read and printed when the program ends. ARM with Thumb-2, MIPS, and PowerPC."""
import json
import re

import pytest

import cpus
from harness import paths
from harness.qemu import parameters

BOARDS = parameters(cpus.boards(), usual=[*cpus.boards(1), *cpus.boards()[2:]])
PUTS = 40
# Exactly so many puts are counted: the second clause ends the program at the last of them.
PROBE = "queue_put:entry"
END = " n++; } queue_put:entry /n == %d/ { exit(0); }" % PUTS


@pytest.fixture(params=BOARDS)
def ask(request, qemu, dprobes):
    """Runs the tool on the board's line."""
    machine = qemu(request.param).free_when_up()
    elf = paths.built("boards", request.param, "demo.elf")
    env = {"DPROBES_PORT": machine.url("com1"), "DPROBES_ELF": str(elf)}

    def run(*words, stdin=None):
        return dprobes(*words, "--quiet", env=env, stdin=stdin)

    run.start = lambda *words: dprobes.start(*words, "--quiet", env=env)
    return run


def rows(result):
    assert result.status == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines() if '"aggregation"' in line]


def check_callers(ask):
    """The table has each caller's name; no update is lost."""
    run = ask("-n", PROBE + " { @[caller] = count();" + END, "-q")
    assert run.status == 0, run.stderr
    found = re.findall(r"^  (\w+)\+0x[0-9a-f]+ +(\d+)$", run.stdout, re.M)
    assert {"sensor_isr"} <= {name for name, _ in found}, run.stdout
    assert sum(int(count) for _, count in found) == PUTS
    assert [int(count) for _, count in found] == sorted(int(count) for _, count in found)


def check_functions_agree(ask):
    """Sum, mean, least and largest of one value fit one another and its distributions."""
    found = {row["name"]: row for row in rows(ask(
        "-n", PROBE + " { @n = count(); @s = sum(q->count); @a = avg(q->count); @l = min(q->count); @h = max(q->count);"
              " @d = stddev(q->count); @p = quantize(q->count); @e = lquantize(q->count, 0, 64, 4);"
              " @m = llquantize(q->count, 2, 0, 6, 2);" + END, "--format", "json"))}
    assert {name: row["function"] for name, row in found.items()} == {
        "n": "count", "s": "sum", "a": "avg", "l": "min", "h": "max", "d": "stddev", "p": "quantize", "e": "lquantize",
        "m": "llquantize"}
    value = {name: row["value"] for name, row in found.items()}
    assert value["n"] == PUTS and value["l"] <= value["a"] <= value["h"] <= 64
    assert 0 <= value["d"] <= value["h"] - value["l"]
    for name in "pem":
        assert value[name] == sum(bucket["value"] for bucket in found[name]["buckets"])
        assert value[name] == PUTS
        assert found[name]["buckets"][0].get("low", -1) <= value["l"]
        assert found[name]["buckets"][-1].get("high", 65) > value["h"]


def check_keys_of_several_kinds(ask):
    """Names of probes are numbers on the target, and names again on the host."""
    found = rows(ask("-n", 'queue_put:entry, queue_get*:entry { @["put or get", probefunc, q] = count(); }'
                           " " + PROBE + " {" + END, "--format", "json"))
    assert {row["keys"][0] for row in found} == {"put or get"}
    assert "queue_put" in {row["keys"][1] for row in found}
    assert "sensor_queue" in {row["keys"][2] for row in found}


def check_drops_are_told(ask):
    run = ask("-n", "#pragma D option aggsize=1\n#pragma D option aggrate=3600s\n" + PROBE + " { @k[n] = count();" + END)
    assert run.status == 5, run.stderr
    dropped = int(re.search(r"^@k: (\d+) update\(s\) dropped", run.stderr, re.M)[1])
    assert dropped == PUTS - 1 and "dropped" not in run.stdout
    assert re.search(r"^  0 +1$", run.stdout, re.M)


def check_arrays(ask):
    """An array and a variable of a task count as a global variable does."""
    run = ask("-n", PROBE + """ { self->n++; x[q, 1] += 2; last = probefunc; @[last] = max(x[q, 1]);
        printf("%d %d\\n", self->n, x[q, 1]);""" + END, "-q")
    assert run.status == 0, run.stderr
    numbers = re.findall(r"^(\d+) (\d+)$", run.stdout, re.M)
    assert len(numbers) == PUTS and all(int(mine) <= int(twice) // 2 + PUTS for mine, twice in numbers)
    assert re.search(r"^  queue_put +\d+$", run.stdout, re.M), run.stdout


def check_latency(ask):
    """Program 3 of the examples: how long a call takes; and run time by task, program 8."""
    calls = rows(ask("-n", """queue_put:entry { self->t = timestamp; }
        queue_put:return /self->t/ { @["ns"] = quantize(timestamp - self->t); @m = max(timestamp - self->t); self->t = 0; n++; }
        queue_put:entry /n == %d/ { exit(0); }""" % PUTS, "--format", "json"))
    found = {row["name"]: row for row in calls}
    assert found[""]["keys"] == ["ns"] and found[""]["value"] == PUTS
    assert found[""]["buckets"][-1]["low"] <= found["m"]["value"] < found[""]["buckets"][-1]["high"]
    shares = rows(ask("-n", """sched_switch:entry /since/ { @[stringof(from->name)] = sum(timestamp - since); @all = sum(timestamp - since); n++; }
        sched_switch:entry { since = timestamp; } sched_switch:entry /n == 40/ { exit(0); }""", "--format", "json"))
    whole, = (row["value"] for row in shares if row["name"] == "all")
    assert "idle" in {row["keys"][0] for row in shares if row["keys"]}, shares
    assert len(shares) > 2 and 0 < sum(row["value"] for row in shares if row["name"] == "")
    assert abs(sum(row["value"] for row in shares if row["name"] == "") - whole) < whole / 2


def check_late_sleepers(ask):
    """Program 7 of the examples: by how many ns each task wakes late."""
    late = rows(ask("-n", """task_sleep_ms:entry { self->t = timestamp; self->ms = arg0; }
        task_sleep_ms:return /self->t/ { @[execname] = max(timestamp - self->t - self->ms * 1000000ll); @n[self->ms > 0] = count(); n++;
                                         self->t = 0; self->ms = 0; }
        task_sleep_ms:entry /n >= 20/ { exit(0); }""", "--format", "json"))
    assert {tuple(row["keys"]) for row in late if row["name"] == "n"} == {("1",)}
    tasks = [row for row in late if row["name"] == ""]
    assert len({row["keys"][0] for row in tasks}) == len(tasks) > 0, late
    assert all(re.fullmatch("[a-z]+", row["keys"][0]) for row in tasks), late


def lost_by_reader(ask):
    """Program 6, the hunt for the demo's bug in one line: each lost message is counted for the reader's call before."""
    found = rows(ask("-n", """queue_get*:entry /q == &sensor_queue/ { this->n = (int)(q->puts - q->gets - q->count); seen += this->n > lost;
        @[last] = sum(this->n > lost ? this->n - lost : 0); lost = this->n; last = probefunc; }
        queue_get*:entry /seen > 2/ { exit(0); }""", "--format", "json"))
    lost = {row["keys"][0]: row["value"] for row in found}
    assert lost["queue_get_batch"] >= 2 and lost.get("queue_get", 0) == 0, found


def batches(ask):
    """Program 10: locals in the middle of a function as keys; ERROR does not run."""
    found = rows(ask("-n", """queue.c:79 { @["batch", n, left] = count(); @d = lquantize(q->count, 0, 64, 4); b++; }
        queue.c:79 /b == 20/ { exit(0); } dtrace:::ERROR { exit(2); }""", "--format", "json"))
    assert sum(row["value"] for row in found if row["name"] == "") == 20
    assert {(row["keys"][0], len(row["keys"])) for row in found if row["name"] == ""} == {("batch", 3)}
    assert [row["value"] for row in found if row["name"] == "d"] == [20]


def check_under_load(ask):
    ask("console", "--until", "load is on", stdin="load on\n")
    try:
        lost_by_reader(ask)
        batches(ask)
    finally:
        ask("console", "--until", "load is off", stdin="load off\n")


def check_taken(ask):
    """The host takes the counts before each printa; no update is lost or counted twice, and the end has the rest."""
    run = ask("-n", PROBE + """ { @[caller] = count(); @all = count(); n++; }
        queue_put:entry /n %% 8 == 0/ { printa("all %%@d\\n", @all); }
        queue_put:entry /n == %d/ { exit(0); }""" % PUTS, "-q")
    assert run.status == 0, run.stderr
    totals = [int(total) for total in re.findall(r"^all (\d+)$", run.stdout, re.M)]
    assert len(totals) == PUTS // 8 and totals == sorted(totals) and totals[0] >= 8 and totals[-1] <= PUTS, run.stdout
    assert sum(int(count) for count in re.findall(r"^  \w+\+0x[0-9a-f]+ +(\d+)$", run.stdout, re.M)) == PUTS


def check_live(ask):
    """A table each second; the counts grow, --top prints the largest alone, and from the second table on there is a rate."""
    running = ask.start("-n", "queue_put:entry { @[caller] = count(); }", "-q", "--live", "--top", "1")
    rows_of_tables = [running.out.expect(r"^  (\w+)\+0x[0-9a-f]+ +(\d+)(?: +(\d+\.\d)/s \|([ .:=+*#%@-]+)\|)?\n") for _ in range(3)]
    assert {row[1] for row in rows_of_tables} == {b"sensor_isr"}
    counts = [int(row[2]) for row in rows_of_tables]
    assert counts == sorted(counts) and 0 < counts[0] < counts[-1]
    assert rows_of_tables[0][3] is None and float(rows_of_tables[-1][3]) >= 0
    assert [len(row[4]) for row in rows_of_tables[1:]] == [1, 2]
    ended = running.interrupt()
    assert ended.status == 130, ended.stderr
    assert int(re.findall(r"\+0x[0-9a-f]+ +(\d+)$", ended.stdout, re.M)[-1]) >= counts[-1]


def check_installed(ask, tmp_path):
    """`aggs` reads a program that stays installed; the file says what its maps are."""
    (tmp_path / "stay.d").write_text("queue_put:entry { @[caller] = count(); }\n", encoding="utf-8")
    assert ask("insert", str(tmp_path / "stay.d")).status == 0
    try:
        for _ in range(1000):
            found = rows(ask("aggs", str(tmp_path / "stay.d"), "--format", "json"))
            if found and found[0]["value"] >= 3:
                break
        assert found[0]["function"] == "count" and "+0x" in found[0]["keys"][0]
        table = ask("aggs", str(tmp_path / "stay.d"), "--format", "csv").stdout.splitlines()
        assert table[0] == "kind,name,function,keys,value,low,high,bucket_value,count" and table[1].startswith('aggregation,"",count,')
    finally:
        ask("remove", "--all")
    gone = ask("aggs", str(tmp_path / "stay.d"))
    assert gone.status == 4 and "no installed program was made from" in gone.stderr


def test_counting(ask, tmp_path):
    """One boot of the board serves all questions."""
    for check in (check_callers, check_functions_agree, check_keys_of_several_kinds, check_drops_are_told, check_arrays,
                  check_latency, check_late_sleepers, check_under_load, check_taken, check_live):
        check(ask)
    check_installed(ask, tmp_path)
    assert ask("list").stdout == ""
