# SPDX-License-Identifier: BSD-2-Clause
"""BEGIN runs before anything is armed, END when the program is removed, each once, with the agent in a process."""
import json


def texts(result):
    return [json.loads(line)["text"] for line in result.stdout.splitlines() if '"text"' in line]


# proves: R5.61 R5.62
def test_begin_comes_first_and_end_last(ask):
    """Variables of BEGIN are there at the first hit; END sees what the last hit has left."""
    found = ask("-n", 'BEGIN { n = 40; printf("%s:%s|", probeprov, probename); }\nhot:entry { n++; printf("%d|", n); }\n'
                "END { printf(\"end after %d\", n); }", "-q", "--count", 3, "--format", "json")
    assert found.status == 0, found.stderr
    said = texts(found)
    assert said[0] == "dtrace:BEGIN|" and said[1] == "41|", said
    assert said[-1].startswith("end after "), said
    assert int(said[-1].split()[-1]) >= int(said[-2].rstrip("|")), said
    assert ask("list").stdout == "" and ask.target.text_is_original()


def test_end_in_a_storm(sim_target, dprobes):
    """END runs although a hit serves the first STOP: hits follow each other without a pause."""
    target = sim_target("--hits", 20000, "--build-id")
    found = dprobes("-n", 'hot:entry { n++; }\nhot:entry /n == 1000/ { exit(0); }\nEND { printf("end"); }', "-q",
                    "--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")
    assert (found.status, found.stdout) == (0, "end"), found.stderr
    assert target.text_is_original()


# proves: R5.71 R5.72
def test_exit_in_begin(ask, tmp_path):
    """No clause behind it runs, and no probe is armed; END runs."""
    found = ask("-n", 'BEGIN { printf("one|"); exit(7); }\nBEGIN { printf("two|"); }\nhot:entry { hits++; }\n'
                'END { printf("end %d", hits); }', "-q")
    assert (found.status, found.stdout) == (7, "one|end 0"), found.stderr
    (tmp_path / "b.d").write_text("BEGIN { exit(0); }\nhot:entry { hits++; }\n", encoding="utf-8")
    inserted = ask("insert", tmp_path / "b.d")
    assert inserted.status == 0 and "1 probe(s) armed" in inserted.stdout, inserted.stdout + inserted.stderr
    assert ask.target.text_is_original()
    program, = (json.loads(line) for line in ask("list", "--format", "json").stdout.splitlines())
    assert [(probe["state"], probe["hits"]) for probe in program["probes"]] == [("disabled: maxhits", 1), ("stopped", 0)], program
    assert ask("remove", "b").status == 0


# proves: R5.71 R5.72
def test_no_hit_behind_exit(ask, tmp_path):
    """The hits that come before the host's STOP count nothing; the agent disarms the probes itself, and runs END."""
    found = ask("-n", 'hot:entry { n++; }\nhot:entry /n == 5/ { exit(3); }\nEND { printf("%d", n); }', "-q")
    assert (found.status, found.stdout) == (3, "5"), found.stderr
    (tmp_path / "s.d").write_text("hot:entry { n++; }\nhot:entry /n == 5/ { exit(0); }\nEND { n += 100; }\n", encoding="utf-8")
    assert ask("insert", tmp_path / "s.d").status == 0
    while not ask.target.text_is_original():
        assert ask("list").status == 0
    program, = (json.loads(line) for line in ask("list", "--format", "json").stdout.splitlines())
    assert [(probe["state"], probe["hits"]) for probe in program["probes"]] == [("stopped", 5), ("disabled: maxhits", 1)], program
    assert ask("remove", "s").status == 0


def test_a_program_of_events_alone(ask):
    found = ask("-n", 'BEGIN { printf("%d", 6 * 7); exit(0); }', "-q")
    assert (found.status, found.stdout) == (0, "42"), found.stderr


def test_a_fault_in_begin(ask):
    """It is told with its place, the next clause runs, and the points are armed."""
    found = ask("-n", "BEGIN { x = *(int *)8; }\nBEGIN { x = 5; }\nhot:entry { trace(x); exit(0); }\nERROR { trace(arg5); }", "-q")
    assert found.status == 0, found.stderr
    first, second = found.stdout.split("\n", 1)
    assert first.startswith("error on enabled probe ID 1 (dtrace:::BEGIN): invalid address (0x8) in action, ")
    assert second == "  8  5", found.stdout


def test_registers_read_0(ask):
    found = ask("-n", "BEGIN { printf(\"%d %d\", uregs[R_R0], uregs[R_R5]); exit(0); }", "-q")
    assert (found.status, found.stdout) == (0, "0 0"), found.stderr


def test_end_clauses_run_in_order_behind_error(ask):
    """ERROR ends the run; each END clause runs once."""
    found = ask("-n", 'hot:entry { x = *(int *)8; }\nEND { printf("first|"); }\nERROR { printf("error|"); exit(5); }\n'
                'END { printf("second"); }', "-q")
    assert found.status == 5, found.stderr
    assert found.stdout.startswith("error on enabled probe ID 1 (fbt:") and found.stdout.endswith("\nerror|first|second"), found.stdout


def test_insert_then_remove(ask, tmp_path):
    """END runs when another command removes the program, and its record is sent."""
    (tmp_path / "e.d").write_text('BEGIN { trace(1); }\nEND { trace(2); }\n', encoding="utf-8")
    inserted = ask("insert", tmp_path / "e.d")
    assert inserted.status == 0 and "2 probe(s) armed" in inserted.stdout, inserted.stderr
    listed = json.loads(ask("list", "--format", "json").stdout.splitlines()[0])
    assert listed
    assert ask("remove", "e").status == 0
    assert ask("list").stdout == ""


def test_an_agent_without_the_feature(sim_target, dprobes, tmp_path):
    """Told before a byte changes."""
    target = sim_target("--build-id", profile="small")
    run = dprobes("-n", "BEGIN { exit(0); }", "--port", target.url(), "--sym", target.map)
    assert run.status != 0 and "the events BEGIN and END of a D program" in run.stderr, run.stderr


def test_log_prints_records_of_a_program(ask, dprobes, tmp_path):
    """`log PROGRAM` of a program that another command has inserted, with the names of its formats."""
    (tmp_path / "l.d").write_text('hot:entry { n++; printf("hit %d of %s", n, probefunc); }\n', encoding="utf-8")
    built = dprobes("build", "--sym", ask.target.map, "--dont-verify-opcodes", "-o", "l.ppdf", "l.d", cwd=tmp_path)
    assert built.status == 0, built.stderr
    assert ask("insert", tmp_path / "l.ppdf").status == 0
    found = ask("log", tmp_path / "l.ppdf", "--count", 2, "--format", "json")
    assert found.status == 0, found.stderr
    first, second = texts(found)
    assert first.endswith(" of hot") and int(second.split()[1]) == int(first.split()[1]) + 1
    assert ask("remove", "l").status == 0
