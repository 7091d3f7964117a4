# SPDX-License-Identifier: BSD-2-Clause
"""Timers of D with an agent in a process, whose firmware polls all the time and samples at a rate of its own."""
import json
import re

import pytest

HOT, IDLE = "0x8000144", "0x8000104"  # where sim_target is interrupted


@pytest.fixture
def asking(sim_target, dprobes):
    """Starts an agent, and runs the tool against it."""
    def start(*options, profile="full"):
        target = sim_target("--build-id", *options, profile=profile)
        more = ("--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")

        def run(*words):
            return dprobes(*words, *(more if words[0] == "-n" or str(words[-1]).endswith(".d") else more[:2]))

        run.target = target
        return run
    return start


def test_tick_prints_clears_and_ends(asking):
    """Each tick prints what has been counted since the one before; exit ends the run, and END runs."""
    ask = asking("--hits", 300)
    found = ask("-n", 'hot:entry { @["hits"] = count(); }\ntick-50ms { n++; printa("%s %@d\\n", @); clear(@); }\n'
                "tick-50ms /n == 4/ { exit(3); }\nEND { printf(\"end after %d\", n); }", "-q")
    assert found.status == 3, found.stderr
    *ticks, end = [line for line in found.stdout.splitlines() if line.strip()][:5]
    assert end == "end after 4" and len(ticks) == 4, found.stdout
    assert all(re.fullmatch(r"hits \d+", line) for line in ticks) and sum(int(line.split()[1]) for line in ticks) > 0, ticks
    assert ask("list").stdout == "" and ask.target.text_is_original()


def test_no_tick_behind_exit(asking):
    """The program has stopped before its second timer is due again, and nothing of it runs any more."""
    ask = asking()
    found = ask("-n", 'tick-20ms { a++; exit(0); }\ntick-1ms /a/ { late++; }\nEND { printf("%d %d", a, late); }', "-q")
    assert (found.status, found.stdout) == (0, "1 0"), found.stderr


def test_names_and_arguments(asking):
    ask = asking("--samples", 1000)
    found = ask("-n", 'profile-500 { printf("%s %d %a|", probename, arg1, pc); }\ntick-30ms { printf("%s %d|", probename, arg0); exit(0); }', "-q")
    assert found.status == 0, found.stderr
    said = found.stdout.rstrip("|").split("|")
    assert said[-1] == "tick-30ms 0" and set(said[:-1]) <= {f"profile-500 0 {HOT}", f"profile-500 0 {IDLE}"} and len(said) > 2, said


def test_the_share_of_the_samples(asking):
    """As often as the board samples; half of the samples are in each function."""
    ask = asking("--samples", 1000)
    found = ask("-n", "profile-1000 { @[func(arg0)] = count(); n++; }\nprofile-1000 /n == 100/ { exit(0); }", "-q", "--format", "json")
    assert found.status == 0, found.stderr
    counts = {row["keys"][0]: row["value"] for row in map(json.loads, found.stdout.splitlines()) if row["kind"] == "aggregation"}
    assert counts == {HOT: 50, IDLE: 50}, found.stdout


def test_list_and_info(asking, tmp_path):
    ask = asking("--samples", 100)
    assert "timers:   8, 8 free; sampled 100 times a second" in ask("info").stdout
    (tmp_path / "t.d").write_text("tick-500ms { n++; }\nprofile-97 { m++; }\ntick-7d { k++; }\ntick-97 { l++; }\n", encoding="utf-8")
    inserted = ask("insert", tmp_path / "t.d")
    assert inserted.status == 0 and "4 probe(s) armed" in inserted.stdout, inserted.stderr
    shown = ask("list").stdout
    assert re.findall(r"^  minor \d at (\S+): armed, \d+ hit", shown, re.M) == ["tick-500ms", "profile-97", "tick-604800s", "tick-97"], shown
    row, = ask("list", "--format", "json").objects()
    assert [probe["name"] for probe in row["probes"]] == ["tick-500ms", "profile-97", "tick-604800s", "tick-97"]
    assert not any({"address", "original", "symbol"} & probe.keys() for probe in row["probes"])
    info, = ask("info", "--format", "json").objects()
    assert (info["timers"], info["timers_free"], info["sample_hz"]) == (8, 4, 100)
    assert ask("remove", "t").status == 0
    assert ask("info", "--format", "json").objects()[0]["timers_free"] == 8


@pytest.mark.parametrize("options, program, said", [
    ((), "profile-97 { n++; }", "profile never runs: the firmware does not call dprobes_sample"),
    (("--samples", 100), ", ".join(f"tick-{n}s" for n in range(1, 10)) + " { n++; }", "needs 9 timer(s), and 8 of the agent's 8 are free"),
])
def test_what_cannot_run_is_told_before_the_upload(asking, options, program, said):
    ask = asking(*options)
    found = ask("-n", program, "-q")
    assert found.status == 4 and said in found.stderr, found.stderr
    assert ask("list").stdout == ""


def test_a_rate_above_that_of_the_board(asking):
    """It runs as often as the board samples, and the user is told."""
    ask = asking("--samples", 200)
    found = ask("-n", "profile-5000 { n++; }\nprofile-5000 /n == 3/ { exit(0); }", "-q")
    assert found.status == 0 and "profile-5000 runs 200 times a second: the board samples no more often" in found.stderr, found.stderr
    assert "no more often" not in ask("-n", "profile-200 { exit(0); }", "-q").stderr


def test_an_agent_without_timers(asking):
    found = asking(profile="small")("-n", "tick-1s { trace(1); }", "-q")
    assert found.status == 4 and "DP_WITH_TIMERS" in found.stderr and "was built without" in found.stderr, found.stderr
    assert "timers:" not in asking(profile="small")("info").stdout


def test_a_run_without_a_tick(asking):
    """A run that is shorter than a period says so; a tick that runs is no hit of the function."""
    ask = asking()
    found = ask("-n", "hot:entry { n++; }\ntick-1h { n++; }\ntick-20ms { m++; }\ntick-20ms /m == 2/ { exit(0); }")
    assert found.status == 0, found.stderr
    assert "no hit of the 1 probe point(s)" in found.stderr and "tick-3600s did not run: the run was shorter than its period" in found.stderr
    assert "tick-20ms did not run" not in found.stderr


def test_a_late_tick_is_told(asking):
    """No firmware polls each microsecond: the period has passed several times by then."""
    found = asking()("-n", "tick-1us { n++; }\ntick-1us /n == 5/ { exit(0); }")
    assert found.status == 0 and "missed" not in found.stderr and "lost" not in found.stderr, found.stderr
    said = re.search(r"tick-1us was late: it ran (\d+) time\(s\), and (\d+) period\(s\) were left out: the firmware polls", found.stderr)
    assert said and int(said[1]) == 5 and int(said[2]) > 0, found.stderr


def test_a_sample_more_often_than_the_board_is_told_once(asking):
    found = asking("--samples", 200)("-n", "profile-5000 { n++; }\nprofile-5000 /n == 9/ { exit(0); }")
    assert found.status == 0 and "missed" not in found.stderr and "lost" not in found.stderr, found.stderr
    assert found.stderr.count("profile-5000 was late") == 1, found.stderr


def test_captures_and_reports(asking, dprobes, tmp_path):
    """A report prints what the run printed, with the names of the timers."""
    ask = asking("--samples", 1000)
    ran = ask("-n", "profile-500 { @[sym(arg0)] = count(); }\ntick-40ms { printf(\"%s\", probename); exit(0); }\ntick-9m { n++; }", "--record",
              tmp_path / "r")
    assert ran.status == 0 and "tick-540s did not run" in ran.stderr, ran.stderr
    told = dprobes("report", tmp_path / "r")
    assert told.status == 0 and told.stdout == ran.stdout and "tick-540s did not run" in told.stderr, (told, ran)
