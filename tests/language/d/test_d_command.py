# SPDX-License-Identifier: BSD-2-Clause
"""The command line of D: -n, -s and -l in front, and probes with what can be read there."""
import json
import re

import d_cases
import pytest

from harness import paths


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("d_command")
    d_cases.firmware(made)
    return made


def lines(result):
    assert result.status == 0, result.stderr
    return result.stdout.splitlines()


def test_list(dprobes, folder):
    everything = lines(dprobes("-l", "--elf", "arm.elf", cwd=folder))
    assert lines(dprobes("probes", "fbt:::entry", "--elf", "arm.elf", cwd=folder)) == everything
    assert [line.split()[0] for line in everything] == [
        f"fbt:arm:{name}:entry" for name in ("take", "nothing", "wide_argument", "floating", "tail", "main", "more", "made", "ends")]
    assert lines(dprobes("-l", "insn::take:4-after", "--elf", "arm.elf", cwd=folder))[0].startswith("insn:arm:take:4-after 0x")


@pytest.mark.parametrize("words", [
    ["probes", "take:entry", "-o", "-"], ["-l", "take:entry", "-o", "-"], ["-n", "take:entry { n++; }", "-e", "-o", "-"],
    ["-l", "take:entry", "--output", "-"], ["-o", "-", "-l", "take:entry"]])
def test_output_to_a_dash(dprobes, folder, words):
    """- is standard output behind letters too."""
    assert lines(dprobes(*words, "--elf", "arm.elf", cwd=folder))[0].startswith("fbt:arm:take:entry 0x")


def test_each_point_is_listed_once(dprobes, folder):
    """In the order in which the descriptions have them, also where one description has a point twice."""
    entries, returns = (lines(dprobes("-l", f"fbt:::{name}", "--elf", "arm.elf", cwd=folder)) for name in ("entry", "return"))
    assert len({*entries, *returns}) == len(entries) + len(returns)
    for words in (["fbt:::entry", "fbt:::return", "fbt:::entry"], ["fbt:::entry, fbt:::return, take:return, fbt:::"]):
        assert lines(dprobes("-l", *words, "--elf", "arm.elf", cwd=folder)) == entries + returns, words
    insns = lines(dprobes("-l", "insn::take:*,insn::main:*,insn::take:0", "insn::take:*", "--elf", "arm.elf", cwd=folder))
    assert len(insns) == len(set(insns)) > 4 and insns[0].startswith("insn:arm:take:0 ")


def test_list_of_several_descriptions(dprobes, folder):
    """Words, commas and -n; a point that two descriptions match is listed once."""
    names = ["fbt:arm:take:entry", "fbt:arm:main:entry", "fbt:arm:more:entry"]
    for words in (["-l", "take:entry", "main:entry", "more:entry"], ["-l", "take:entry,main:entry, more:entry"],
                  ["-ln", "take:entry", "-n", "main:entry", "-n", "more:entry"], ["probes", "take:entry, take:entry", "m*:entry", "more:entry"]):
        found = {line.split()[0] for line in lines(dprobes(*words, "--elf", "arm.elf", cwd=folder))}
        assert found >= set(names), words
    twice = lines(dprobes("-l", "take:entry,t*:entry", "take:entry", "--elf", "arm.elf", cwd=folder))
    assert [line.split()[0] for line in twice] == ["fbt:arm:take:entry", "fbt:arm:tail:entry"]
    wrong = dprobes("-l", "take:entry", "main:entry, tkae:entry", "--elf", "arm.elf", cwd=folder)
    assert wrong.status == 1 and wrong.stderr.startswith("<command line>:1:13: error: 'tkae:entry' matches nothing") and not wrong.stdout


@pytest.mark.parametrize("program,descriptions", [
    ("take:entry { trace(n); }", ["take:entry"]), ("take:entry /n > 3/", ["take:entry"]), ("take:entry /n/ { @[n] = count(); };", ["take:entry"]),
    ("struct s { int x; }; int y; take:entry, main:entry /y/ { trace(((struct s *)0)->x); } BEGIN", ["take:entry", "main:entry", "BEGIN"]),
    ("take:entry { n++; } take:* { n--; } take:entry", ["take:entry", "take:*"]), ("#pragma D option quiet\nmore:return { exit(0); }", ["more:return"]),
    ("firmware.c:68 /n == '/'/ { trace(1); }", ["firmware.c:68"])])
def test_list_of_clauses(dprobes, folder, program, descriptions):
    """As DTrace has it, -l with -n lists the points of a program: what a predicate and statements say is not looked at."""
    wanted = lines(dprobes("-l", *descriptions, "--elf", "arm.elf", cwd=folder))
    for words in (["-l", "-n", program], ["-ln", program], ["-l", program]):
        assert wanted and lines(dprobes(*words, "--elf", "arm.elf", cwd=folder)) == wanted, words


@pytest.mark.parametrize("program,said", [
    ("take:entry { trace(; }", "<command line>:1:20: error: expected an expression before ';'"),
    ("take:entry { trace(1); } nobody:entry { n++; }", "<command line>:1:26: error: 'nobody:entry' matches nothing")])
def test_list_of_clauses_that_are_wrong(dprobes, folder, program, said):
    result = dprobes("-l", "-n", program, "--elf", "arm.elf", cwd=folder)
    assert result.status == 1 and result.stdout == "" and result.stderr.startswith(said), result.stderr


@pytest.mark.parametrize("words", [
    ["-qen", "CLAUSE"], ["-qn", "CLAUSE", "-e"], ["-q", "-n", "CLAUSE", "-e"], ["-q", "-e", "-n", "CLAUSE"], ["-e", "-nCLAUSE"],
    ["-x", "aggsize=64", "-n", "CLAUSE", "-e"], ["-xaggsize=64", "-en", "CLAUSE"], ["-v", "-en", "CLAUSE"], ["-Zen", "CLAUSE"],
    ["-w", "-n", "CLAUSE", "-e"], ["--verbose", "-n", "CLAUSE", "-e"], ["--option", "aggsize=64", "-en", "CLAUSE"],
    ["-s", "FILE", "-e"], ["-es", "FILE"], ["-qs", "FILE", "-e"], ["-x", "aggsize=64", "-s", "FILE", "-e"], ["-q", "-s", "FILE", "-e"],
    ["trace", "-qe", "-n", "CLAUSE"], ["-eqwZn", "CLAUSE"], ["-eD", "N=1", "-n", "CLAUSE"]])
def test_letters_as_in_the_command_of_dtrace(dprobes, folder, words):
    """One dash for several letters, values behind their letter, and options in front of -n and -s."""
    clause = "take:entry { @ = count(); }"
    (folder / "letters.d").write_text(clause + "\n")
    words = [word.replace("CLAUSE", clause).replace("FILE", "letters.d") for word in words]
    result = dprobes(*words, "--elf", "arm.elf", cwd=folder)
    assert (result.status, len(result.lines())) == (0, 1) and result.stdout.startswith("fbt:arm:take:entry 0x"), result.stderr


@pytest.mark.parametrize("words,said", [
    (["-n", ""], "the value of -n is empty"),
    (["-qn", ""], "the value of -n is empty"),
    (["-s", ""], "the PROGRAM is an empty word"),
    (["-x", "", "-n", "x"], "the value of -x is empty"),
    (["-l", ""], "the DESCRIPTION is an empty word"),
    (["-n"], "option '-n' needs a value"),
    (["-n", "-q"], "option '-n' needs a value, and '-q' is an option; a value that begins with a dash is written --clause=VALUE"),
    (["-n", "--elf", "arm.elf"], "option '-n' needs a value, and '--elf' is an option"),
    (["-qn", "take:entry", "-count", "2"], "unknown option '-count'; did you mean '--count'?"),
    (["-l", "-s", "letters.d"], "-l lists the points of descriptions; 'dprobes -s FILE -e' lists those of a program"),
    (["-ls", "letters.d"], "-l lists the points of descriptions; "),
    (["-s", "a.d", "-s", "b.d"], "-s is given twice; a command takes one program"),
    (["-es", "a.d", "-q", "-sb.d"], "-s is given twice; a command takes one program"),
    (["-n", "take:entry", "-s", "b.d"], "-s and -n are two programs, and a command takes one"),
    (["trace", "-s", "b.d", "-qn", "take:entry { trace($$1); }"], "-s and -n are two programs, and a command takes one"),
    (["-l", "-w"], "'probes' does nothing with -w, which is for: ")])
def test_letters_are_told_as_they_were_written(dprobes, folder, words, said):
    """An empty value takes no other word for its value."""
    result = dprobes(*words, "--elf", "arm.elf", cwd=folder)
    assert (result.status, result.stdout) == (1, "") and result.stderr.startswith(f"dprobes: error: {said}"), result.stderr


def test_verbs_of_dprobes_stay(dprobes, folder):
    """-q, -i and -v in front are DProbes' and ours where no clause follows."""
    for words, said in ((["-q", "-a"], "dprobes list"), (["-q", "-n", "trace"], "dprobes list"), (["-i", "none.dp"], "none.dp: error: ")):
        assert said in dprobes(*words, cwd=folder).stderr, words
    assert re.fullmatch(r"dprobes [\d.]+\n", dprobes("-v", cwd=folder).stdout)


def test_list_has_variables_in_scope(dprobes, folder):
    found = lines(dprobes("-l", "take:entry", "-v", "--elf", "arm.elf", cwd=folder))
    assert "    struct thing *thing: r0" in found and "    int n: r1" in found
    place = json.loads(lines(dprobes("-l", "take:entry", "-v", "--elf", "arm.elf", "--format", "json", cwd=folder))[0])
    assert place["probe"] == "fbt:arm:take:entry"
    assert {"name": "c", "type": "char", "place": "r2", "readable": True, "parameter": True} in place["variables"]


def test_list_has_prototypes(dprobes, folder):
    found = lines(dprobes("-l", "take:entry", "-v", "--elf", "arm.elf", cwd=folder))
    assert found[1].startswith("    ") and " take(struct thing *, int, " in found[1], found
    place = json.loads(lines(dprobes("-l", "take:entry", "-v", "--elf", "arm.elf", "--format", "json", cwd=folder))[0])
    assert place["prototype"] == found[1].strip() and "refused" not in place


def test_points_that_cannot_be_probed(dprobes, tmp_path):
    """A wildcard leaves the agent's own code out and has the number, and so does a name of several functions; -l -v has the
    reasons; another name is an error."""
    elf = paths.built("boards", "vexpress-a9", "demo.elf")
    (tmp_path / "g.d").write_text("fbt::*queue_put:entry, fbt::dp_hit*:entry, fbt::*_irq:entry { n++; }\n", encoding="utf-8")
    listed = dprobes("-l", "fbt::dp_*t:entry", "-v", "--elf", elf)
    assert listed.status == 0 and listed.stdout.count("    cannot be probed: ") == listed.stdout.count("fbt:demo:dp_") > 1
    (tmp_path / "g.d").write_text("fbt::*t:entry /0/ { n++; }\n", encoding="utf-8")
    found = dprobes("build", "--elf", elf, "-o", "g.ppdf", "g.d", cwd=tmp_path)
    said = re.search(r"'fbt::\*t:entry' matches (\d+) probe points, and (\d+) cannot be probed: they are left out", found.stderr)
    assert found.status in (0, 1) and said and 0 < int(said[2]) < int(said[1]), found.stderr
    for point in ("entry", "return"):  # of the demo's function `say`, and not of the agent's
        names = dprobes("-n", f"fbt::say:{point} {{ n++; }}", "-e", "--elf", elf)
        assert (names.status, names.stdout.count("fbt:demo:say:")) == (0, 1), names.stderr
        assert re.search(rf"'fbt::say:{point}' matches \d probe points, and \d cannot be probed: they are left out", names.stderr), names.stderr
    none = dprobes("-n", "fbt::dp_hit*:entry { n++; }", "-e", "--elf", elf)
    assert none.status == 1 and "and none can be probed" in none.stderr, none.stderr


def test_without_a_line(dprobes, folder):
    """The program is compiled, and what would be armed is printed; then the command says what is missing."""
    found = dprobes("-n", "take:entry { seen++; } BEGIN { seen = 1; }", "--elf", "arm.elf", cwd=folder)
    assert found.status == 1 and re.fullmatch("fbt:arm:take:entry 0x[0-9a-f]{8}\ndtrace:::BEGIN\n", found.stdout), found.stdout
    assert "nothing was armed: there is no line to a target; give --port URL" in found.stderr
    only = dprobes("-n", "take:entry { seen++; } BEGIN { seen = 1; }", "-e", "--elf", "arm.elf", "--port", "unix:/nowhere", cwd=folder)
    assert (only.status, only.stdout, only.stderr) == (0, found.stdout, "")
    wrong = dprobes("-n", "take:entry { trace(thin); }", "--elf", "arm.elf", cwd=folder)
    assert wrong.status == 1 and wrong.stdout == "" and "no line" not in wrong.stderr


def test_check_says_what_a_program_costs(dprobes, folder):
    (folder / "c.d").write_text("take:entry { @[probefunc, n] = count(); printf(\"%d %d\", n, x++); }\n", encoding="utf-8")
    found = lines(dprobes("check", "c.d", "--elf", "arm.elf", cwd=folder))
    assert "log:     at most 8 bytes a hit" in found
    assert "line:    at least 320 hits/s fit a line of 115200 baud" in found
    memory, = (int(line.split()[1]) for line in found if line.startswith("memory: "))
    assert memory == 8 + 32 + 64 * 2 + 64 * 3 * 4  # a variable, a row, marks, and entries of two keys and a count
    (folder / "c.d").write_text("#pragma D option aggsize=4096\ntake:entry { @[n] = count(); }\n", encoding="utf-8")
    large = dprobes("check", "c.d", "--elf", "arm.elf", cwd=folder)
    assert large.status == 2 and "memory" in large.stderr, large.stderr


def test_rates_of_readings(dprobes, folder):
    for rate in ("500ms", "2s", "4hz", "1sec"):
        (folder / "r.d").write_text(f"#pragma D option aggrate={rate}\ntake:entry {{ @ = count(); }}\n", encoding="utf-8")
        assert dprobes("build", "r.d", "--elf", "arm.elf", "-o", "r.ppdf", cwd=folder).status == 0, rate
    for rate in ("2", "1ms", "2h", "0hz", "s", "-1s", "99999999999999999999s"):
        (folder / "r.d").write_text(f"#pragma D option aggrate={rate}\ntake:entry {{ @ = count(); }}\n", encoding="utf-8")
        wrong = dprobes("build", "r.d", "--elf", "arm.elf", "-o", "r.ppdf", cwd=folder)
        assert wrong.status == 1 and "'aggrate' needs a time with a unit from 50 ms to 3600 s" in wrong.stderr, rate


def test_list_says_what_is_wrong(dprobes, folder):
    result = dprobes("-l", "tkae:entry", "--elf", "arm.elf", cwd=folder)
    assert result.status == 1 and result.stderr.startswith(
        "<command line>:1:1: error: 'tkae:entry' matches nothing: no function 'tkae'; did you mean 'take'?")
    assert dprobes("-l", cwd=folder).stderr.startswith("dprobes: error: which firmware? give --elf FILE")


def test_a_program_is_needed_once(dprobes, folder):
    assert dprobes("-s", cwd=folder).stderr.startswith("dprobes: error: a program is missing; write -n 'CLAUSE' or -s FILE")
    twice = dprobes("-n", "take:entry", "take.d", "--elf", "arm.elf", cwd=folder)
    assert twice.status == 1 and "the program does not use its argument 1, 'take.d'; -x argref permits that" in twice.stderr


def test_compile_errors_name_the_command_line(dprobes, folder):
    result = dprobes("-n", "take:entry { trace(thin); }", "-n", "x", "--elf", "arm.elf", cwd=folder)
    assert result.status == 1 and result.stderr.startswith("<command line>:2:1: error: 'x' matches nothing")


def test_a_record_without_data_is_a_record(dprobes, folder):
    """`check` warns of empty records of RPN programs alone: the text of a D program says enough."""
    (folder / "seen.d").write_text('take:entry { printf("seen"); }\n')
    result = dprobes("check", "seen.d", "--elf", "arm.elf", cwd=folder)
    assert (result.status, result.stderr) == (0, "")


def test_text_alone_says_its_language(dprobes, folder):
    """A file without a suffix, from standard input."""
    for text in ("take:entry { trace(1); }", "int x;\ntake:entry { x = 1; }", "/* c */ take:entry", "#pragma D option quiet\ntake:entry"):
        (folder / "noname").write_text(text + "\n")
        assert dprobes("build", "--elf", "arm.elf", "-o", "n.ppdf", "noname", cwd=folder).status == 0, text


def test_columns_and_quiet(sim_target, dprobes, tmp_path):
    """The object keeps what the program asks for: `quiet` leaves the columns out."""
    (tmp_path / "more.h").write_text("#define TWO 2\n")
    for pragma in ("", "#pragma D option quiet\n"):
        target = sim_target("--hits", 50, "--build-id")
        (tmp_path / "q.d").write_text(f"{pragma}#include \"more.h\"\nhot:entry {{ printf(\"%d\\n\", TWO); }}\n")
        words = ("--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")
        assert dprobes("build", "--sym", target.map, "--dont-verify-opcodes", "-o", "q.ppdf", "q.d", cwd=tmp_path).status == 0
        run = dprobes("trace", "-s", "q.ppdf", "--count", 1, *words, cwd=tmp_path)
        head, first = ("", *run.stdout.splitlines())[-2:]
        assert run.status == 0 and (not head) == bool(pragma), run.stderr
        assert first == "2" if pragma else first.split() == ["0", "1", "hot:entry", "2"], run.stdout


def test_disasm_has_lines_of_the_source(dprobes, folder):
    """As comments: without them the text is the usual one, which compiles again."""
    (folder / "s.d").write_text("take:entry\n/n > 30/\n{\n\ttrace(n);\n\tx = n;\n}\n", encoding="utf-8")
    words = ("disasm", "--elf", "arm.elf", "s.d")
    found = dprobes(*words, "--source", cwd=folder)
    assert found.status == 0, found.stderr
    comments = [line for line in found.stdout.splitlines() if line.startswith("\t// s.d:")]
    assert comments == ["\t// s.d:2: /n > 30/", "\t// s.d:4: trace(n);", "\t// s.d:5: x = n;", "\t// s.d:1: take:entry"]
    rest = [line for line in found.stdout.splitlines() if not line.startswith("\t// s.d:")]
    assert rest == dprobes(*words, cwd=folder).stdout.splitlines()


@pytest.mark.parametrize("program, sends", [
    ("hot:entry { @ = count(); }", False), ("hot:entry { n++; }", False), ("hot:entry { @ = count(); } END { printa(@); }", False),
    ("hot:entry", True), ("hot:entry { @ = count(); } hot:entry { trace(1); }", True)])
def test_count_of_a_program_without_records(sim_target, dprobes, program, sends):
    """It would never end: the command says so before it opens the line. With an end of its own the program runs."""
    target = sim_target("--hits", 200)
    words = "-n", program, "-q", "--count", 2, "--port", target.url(), "--sym", target.map, "--dont-verify-opcodes"
    run = dprobes(*words)
    told = "--count 2 waits for records, and the probes of this program send none; end the run with --for TIME" in run.stderr
    assert (run.status, told) == ((0, False) if sends else (1, True)), run
    assert sends or dprobes(*words, "--for", "100ms").status == 0


def test_records_that_find_no_room(sim_target, dprobes):
    """A slow line and large records: the agent counts those that its ring has no room for, and the end tells them."""
    target = sim_target("--hits", 200, "--build-id", "--baud", 57600)
    run = dprobes("-n", "hot:entry { tracemem((char *)&hot, 256); }", "-q", "--count", 12,
                  "--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")
    assert run.status == 5 and re.search(r"^lost: \d+ record\(s\) .* the agent's ring full", run.stderr, re.M), (run.status, run.stdout[-300:], run.stderr)
