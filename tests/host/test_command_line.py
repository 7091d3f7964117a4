# SPDX-License-Identifier: BSD-2-Clause
"""The command line: help, spellings of the seed, bad words, exit statuses."""
import os
import re
import subprocess
import time

import pytest

import tables
from harness import fake_agent as fake
from harness import ppdf, process
from harness.paths import TOP
from harness.tool import environment

SOURCE = 'name = "t"\noffset = 0x1000\nopcode = 1\n'


# Which formats beside text show which table.
FORMATS = {"NONE": "", "CHECKS": "json", "CHANGES": "json", "INFO": "json", "PLACES": "json", "PROGRAMS": "json csv", "VARIABLES": "json csv",
           "RECORDS": "json raw csv", "AGGREGATIONS": "json csv", "SYMBOLS": "json raw csv", "PORTS": "json csv", "VALUES": "json csv", "TASKS": "json csv",
           "HITS": "json raw csv", "PROFILE": "json csv", "FINDINGS": "json csv"}
# Letters with a meaning of D's own, whatever options.def gives them.
LETTERS_OF_D = dict.fromkeys(("trace", "probes", "aggs"), "nslqvwxZCecFSVDIo")


def help_of(dprobes, command):
    """The help of a command without its line ends inside of sentences."""
    return re.sub(r"\n {37}", " ", dprobes(command, "--help").stdout)


def commands():
    text = (TOP / "host/command/cli_commands.def").read_text(encoding="utf-8")
    rows = re.findall(r'^COMMAND\((\w+), "([^"]*)", "([^"]*)", "([^"]*)", (\w+)\)', text, re.M)
    return [(*row[:4], FORMATS[row[4]]) for row in rows]


NAMES = [row[0] for row in commands()]


def options():
    text = (TOP / "host/command/cli_options.def").read_text(encoding="utf-8")
    return re.findall(r'^OPTION\((\w+), "([^"]*)", (0|\'.\'), (0|"[^"]*"), "([^"]*)"\)', text, re.M)


def test_tables_agree():
    """Every option a command names exists; letters are used once."""
    names = [row[1] for row in options()]
    assert len(names) == len(set(names)) > 40
    letters = [row[2] for row in options() if row[2] != "0"]
    assert len(letters) == len(set(letters))
    for name, _words, summary, takes, _formats in commands():
        assert set(takes.split()) <= set(names) - {"format", "outfile", *COMMON}, name
        assert len(takes.split()) == len(set(takes.split())), name
        assert summary


def test_help(dprobes):
    text = dprobes("--help").stdout
    assert text == dprobes("-h").stdout == dprobes().stdout
    for name in ("build", "check", "disasm", "insert", "symbols"):
        assert f"\n  {name} " in text
        own = dprobes(name, "--help")
        assert own.status == 0 and own.stdout.startswith(f"dprobes {name} [OPTION...]")
        assert "--color auto|always|never" in own.stdout
        assert dprobes("help", name).stdout == own.stdout
    assert dprobes("--version").stdout == dprobes("build", "--version").stdout


@pytest.mark.parametrize("words,said", [
    (["frob"], "unknown command 'frob'"),
    (["biuld"], "unknown command 'biuld'; did you mean 'build'?"),
    (["build"], "a PROGRAM is missing"),
    (["disasm", "a", "b"], "unexpected word 'b'"),
    (["build", "--ouptut", "x", "a"], "unknown option '--ouptut'; did you mean '--output'?"),
    (["build", "-Z", "a"], "unknown option '-Z'"),
    (["build", "a", "-hZ"], "unknown option '-Z'"),
    (["build", "-ZZ", "a"], "unknown option '-Z'"),
    (["build", "--elf"], "option '--elf' needs a value"),
    (["build", "a", "-D"], "option '-D' needs a value"),
    (["build", "--quiet=yes", "a"], "option '--quiet' takes no value"),
    (["--port", "x", "list"], "'--port' is in the place of the command: dprobes COMMAND [OPTION...]"),
    (["build", "--merge", "a"], "'build' does nothing with --merge, which is for: insert, run"),
    (["simulate", "--format", "xml", "a"], "--format is one of text|json|raw|csv, not 'xml'"),
    (["build", "--color", "red", "a"], "--color is one of auto|always|never, not 'red'"),
    (["table"], "an ELF is missing"),
    (["build", ""], "the PROGRAM is an empty word"),
    (["symbols", ""], "the PATTERN|ADDRESS|FILE:LINE is an empty word"),
    (["list", "--elf", "--port", "x"], "option '--elf' needs a value, and '--port' is an option; "
                                       "a value that begins with a dash is written --elf=VALUE"),
    (["vars", "--name", "-a"], "option '--name' needs a value, and '-a' is an option"),
    (["list", "--timeout", "soon", "a"], "--timeout is a time above 0 such as 500ms, 10s, 2m or 1h, not 'soon'"),
    (["list", "--timeout", "1d", "a"], "--timeout is a time above 0 such as 500ms, 10s, 2m or 1h, not '1d'"),
    (["list", "--timeout", "0s", "a"], "--timeout is a time above 0 such as 500ms, 10s, 2m or 1h, not '0s'"),
    (["list", "--timeout", "999999h", "a"], "--timeout is a time above 0 such as 500ms, 10s, 2m or 1h, not '999999h'"),
    (["list", "--timeout", "-1", "a"], "--timeout is a time above 0 such as 500ms, 10s, 2m or 1h, not '-1'"),
    (["list", "--baud", "fast", "a"], "the baud rate is a number from 50 to 100000000, not 'fast'"),
    (["list", "--baud", "99999999999"], "the baud rate is a number from 50 to 100000000, not '99999999999'"),
    (["log", "--count", "-1"], "--count needs a number, not '-1'"),
    (["log", "--count", "0"], "--count is at least 1, not 0"),
    (["build", "--word", "0", "a"], "--word is at least 1, not 0"),
    (["build", "--output", "", "a"], "the value of --output is empty"),
    (["list", "--port="], "the value of --port is empty"),
    (["log", "--until", ""], "the value of --until is empty"),
    (["simulate", "-format", "json", "a"], "unknown option '-format'; did you mean '--format'?"),
    (["remove", "-all"], "unknown option '-all'; did you mean '--all'?"),
    (["run", "a", "-count", "2"], "unknown option '-count'; did you mean '--count'?"),
    (["log", "-log", "PC"], "unknown option '-log'; did you mean '--log'?"),
    (["insert", "a", "-stop-cpus"], "unknown option '-stop-cpus'; did you mean '--stop-cpus'?"),
    (["-help"], "unknown option '-help'; did you mean '--help'?"),
    (["list", "a", "--name", "b"], "the program is named twice: 'a' and --name b"),
    (["vars", "a", "--all"], "'a' names one program, --all names all; leave one of them out"),
    (["vars", "a", "--global"], "'a' names one program, --global names the variables of all programs; leave one of them out"),
    (["remove", "a", "--all"], "'a' names one program, --all names all; leave one of them out"),
    (["remove"], "remove needs the name of a program, or --all"),
    (["log", "--count", "many"], "--count needs a number, not 'many'"),
])
def test_bad_command_lines(dprobes, words, said):
    result = dprobes(*words)
    assert (result.status, result.stdout) == (1, "")
    assert result.stderr.startswith(f"dprobes: error: {said}")
    assert result.lines() == [] and "--help'" in result.stderr.splitlines()[-1]


NUMBERS = tables.rows("host/command/cli_numbers.def", "NUMBER")
LARGEST = {"UINT16_MAX": 0xffff, "UINT_MAX": 0xffffffff, "UINT32_MAX": 0xffffffff, "ULONG_MAX": 0xffffffffffffffff}


@pytest.mark.parametrize("option,largest", NUMBERS)
def test_numbers(dprobes, tmp_path, option, largest):
    """What is no number in its range is refused before anything is opened, by every command that takes it."""
    name = next(row[1] for row in options() if row[0] == option)
    most = int(largest) if largest.isdigit() else LARGEST[largest]
    for command in (row[0] for row in commands() if name in row[3].split()):
        for text, said in [("0", "is at least 1, not 0"), ("0x", "needs a number, not '0x'"),
                           (str(most + 1), f"is at most {most}, not {most + 1}")]:
            result = dprobes(command, f"--{name}", text, "missing", cwd=tmp_path)
            assert (result.status, result.stdout) == (1, "")
            assert result.stderr.splitlines() == [f"dprobes: error: --{name} {said}", f"try 'dprobes {command} --help'"]


def test_a_dash_is_a_value(dprobes):
    """`-` names standard output or input; it is no option."""
    tried = 0
    for name, _words, _summary, takes, _formats in commands():
        for option in options():
            if option[1] in takes.split() and option[3] != "0":
                run = dprobes(name, f"--{option[1]}", "-", "--help")
                assert run.status == 0 and run.stdout.startswith(f"dprobes {name} "), run.stderr
                tried += 1
    assert tried > 40


def test_every_number_is_checked():
    """A command asks for the number of an option only when a row says what it may be."""
    files = sorted((TOP / "host" / "command").glob("*.c"))
    asked = {name for path in files for name in re.findall(
        r"\b(?:dph_cli_number|limit)\((?:doctor->)?cli, DPH_OPT_(\w+)\)", path.read_text(encoding="utf-8"))}
    assert asked == {row[0] for row in NUMBERS}


def test_only_the_command_line_ends_the_process():
    """A helper of a command has an error return; exit() would leave files and lines as they are."""
    quiet = re.compile(r'/\*.*?\*/|"[^"\n]*"', re.S)
    found = [path.name for path in sorted((TOP / "host").rglob("*.c")) if path.name != "pool.c"  # out of memory
             and re.search(r"(?<!\w)exit\(", quiet.sub("", path.read_text(encoding="utf-8")))]
    assert not found


COMMON = ("quiet", "color", "help", "version")
SHARED = ("board", "port", "baud", "dtr", "rts", "take", "key", "elf", "timeout", "verbose")  # of a list for all commands of a script


def taken(options_of, formats):
    """Long names of what a command takes."""
    names = {*COMMON, *options_of.split()} | ({"format"} if formats else set())
    return names | ({"outfile"} if "output" in names else set())


@pytest.mark.parametrize("name,words,_summary,takes,formats", commands(), ids=NAMES)
def test_a_command_takes_what_its_help_lists_and_nothing_else(dprobes, tmp_path, name, words, _summary, takes, formats):
    """An option that the command can do nothing with is refused, by name and letter. SHARED ones are accepted."""
    text = dprobes(name, "--help").stdout
    assert set(re.findall(r"^.{6}--([a-z-]+)", text, re.M)) == taken(takes, formats)
    common = text.split("\nOf every command:\n")[1]
    assert re.findall(r"^.{6}--([a-z-]+)", common, re.M) == list(COMMON)
    file = [tmp_path / "none.dp"] if words.startswith("PROGRAM") else []
    for _id, option, letter, value, _help in options():
        value = [] if value == "0" else ["1"]
        spellings = [f"--{option}"] + ([f"-{letter[1]}"] if letter != "0" and letter[1] not in LETTERS_OF_D.get(name, "") else [])
        if option in taken(takes, formats):
            assert f"--{option} " in text
            continue
        if option in SHARED:
            assert "does nothing" not in dprobes(name, f"--{option}", *value, *file, cwd=tmp_path, sanitized=False).stderr
            continue
        for spelling in spellings:
            run = dprobes(name, spelling, *value, *file, cwd=tmp_path, sanitized=False)
            assert (run.status, run.stdout) == (1, "")
            said = r"-\w" if name in LETTERS_OF_D else f"--{option}"
            assert re.search(rf"'{name}' does nothing with (--{option}|{said}), which is for: ", run.stderr)
    assert f"'{name}' does nothing" not in dprobes(name, "--frob", cwd=tmp_path).stderr


def test_the_refusal_names_who_takes_it(dprobes):
    assert "'console' does nothing with --write, which is for: build, check, insert, run, trace, aggs, write, gdb, log, record, info, serve\n" in \
        dprobes("console", "--write").stderr
    assert "'list' does nothing with --count, which is for: run, trace, read, flame, log, record, report, timeline\n" in dprobes("list", "--count=1").stderr
    assert "'build' does nothing with --outfile" not in dprobes("build", "--outfile", "x").stderr
    assert "'console' does nothing with --outfile, which is for: build, check, simulate" in \
        dprobes("console", "--outfile", "x").stderr


@pytest.mark.parametrize("name,_words,_summary,_takes,formats", commands(), ids=NAMES)
def test_formats_that_a_command_lacks_are_refused(dprobes, tmp_path, name, _words, _summary, _takes, formats):
    for form in ("json", "raw", "csv"):
        run = dprobes(name, "--format", form, *([tmp_path / "none.dp"] if _words.startswith("PROGRAM") else []))
        told = f"'{name}' has no --format {form}, which is for: " if formats else f"'{name}' does nothing with --format"
        # ports alone needs nothing but its name.
        assert (run.status != 0 or name == "ports" and form in formats) and (told in run.stderr) == (form not in formats.split()), run.stderr


def test_help_of_what_is_no_command(dprobes):
    run = dprobes("help", "nosuch")
    assert (run.status, run.stdout) == (1, "") and "unknown command 'nosuch'" in run.stderr
    assert "did you mean 'insert'?" in dprobes("help", "inser").stderr
    run = dprobes("help", "list", "log")
    assert run.status == 1 and "unexpected word 'log'" in run.stderr
    assert dprobes("help", "--insert").stdout == dprobes("--help", "insert").stdout == dprobes("insert", "-h").stdout != ""


def test_help_fits_a_terminal(dprobes):
    for name in NAMES:
        assert all(len(line) <= 100 for line in dprobes(name, "--help").lines()), name
        assert not re.search(r" $|\n\n {37}", dprobes(name, "--help").stdout, re.M)
    assert all(len(line) <= 100 for line in dprobes("--help").lines())


def test_stop_cpus_as_the_paper_spells_it(dprobes, tmp_path):
    """USENIX 2001: -stopcpus. It is no -s with a file."""
    (tmp_path / "t.dp").write_text(SOURCE)
    run = dprobes("--insert", "t.dp", "-stopcpus", cwd=tmp_path)
    assert run.status == 1 and "no line to the target" in run.stderr
    assert "timeline; --timeout TIME ends 'info' after a time\n" in dprobes("info", "--for", "5s").stderr
    assert dprobes("build", "--for", "5s", "x.dp").stderr.splitlines()[0].endswith("timeline")  # waits for nothing
    assert "'list' does nothing with --stop-cpus" in dprobes("list", "-stopcpus").stderr


def test_lists_are_told_as_lists(dprobes):
    """With commas; blanks part words only behind a verb of DProbes 3.6.4, or inside one word."""
    text = help_of(dprobes, "insert")
    for line in (r"-u, --group NAME,\.\.\. +only probes", r"-t, --type NAME,\.\.\. +only probes",
                 r"-l, --log ITEM,\.\.\. +items before each record: PC, SP, TSC \(time\), CPU, PID and NAME \(of the task\), or ALL"):
        assert re.search(line, text), line


@pytest.mark.parametrize("word,good", [("pc,TSC", True), ("pc tsc", True), ("all", True), ("PROCNAME,SSESP,cseip", True), ("PSW,upsw", True),
                                       ("TASK", False), ("UID", False)])
def test_items_of_a_record(dprobes, tmp_path, word, good):
    """NAME is the task's name; TASK was a second word for it, and is none."""
    (tmp_path / "t.dp").write_text(SOURCE)
    run = dprobes("insert", "--log", word, "t.dp", cwd=tmp_path)
    told = "no line to the target" if good else f"--log: unknown item '{word}'; there are CPU, NAME, PID, PC, SP, TSC and ALL"
    assert run.status == 1 and told in run.stderr


@pytest.mark.parametrize("name", [name for name in NAMES if name != "ports"])  # asks each port with these
def test_every_command_accepts_the_options_of_a_target(dprobes, tmp_path, name):
    """`remove --elf`: one list of options serves all commands."""
    shared = ["--port", "unix:/none", "--baud", "9600", "--take", "--elf", "none.elf", "--timeout", "1h", "--verbose"]
    result = dprobes(name, *shared, "none", cwd=tmp_path)
    assert result.status != 0 and "does nothing" not in result.stderr and "option" not in result.stderr.split("\n")[0], result.stderr


def test_check_tells_of_points_that_fire_only_on_a_taken_branch(dprobes, tmp_path):
    for points, told in ((0, ""), (1, "\ntaken:   1 probe point fires only where the branch is taken\n"),
                         (2, "\ntaken:   2 probe points fire only where the branch is taken\n")):
        text = "name = t\n" + "".join(f"offset = {0x1000 + 16 * n:#x}\nopcode = 0\nminor = {n}\n{'taken = yes' if n < points else ''}\nexit\n" for n in range(3))
        (tmp_path / "t.dp").write_text(text)
        run = dprobes("check", "t.dp", cwd=tmp_path)
        assert run.status == 0 and ("taken:" in run.stdout) == bool(told) and told in run.stdout, run
        assert dprobes("check", "--format", "json", "t.dp", cwd=tmp_path).objects()[0]["taken"] == points


def test_check_of_a_watchpoint_leaves_the_verdict_to_the_agent(dprobes, tmp_path):
    for kind in ("w", "rw", "x"):
        (tmp_path / "w.dp").write_text(f'name = "t"\nmodtype = kernel\nmajor = 1\naddress = 0x1000:0x1003\nwatchpoint = {kind}\nminor = 1\nexit\n')
        result = dprobes("check", "w.dp", cwd=tmp_path)
        assert "verdict: accepted where the agent has comparators for 1 watchpoint(s)" in result.stdout, result
    (tmp_path / "w.dp").write_text(SOURCE)
    assert "verdict: accepted\n" in dprobes("check", "w.dp", cwd=tmp_path).stdout


def test_a_definition_without_a_value_takes_no_option(dprobes, tmp_path):
    (tmp_path / "t.dp").write_text(SOURCE)
    for words in (["-D", "X=", "--output", "t.ppdf"], ["-D", "X=", "-o", "t.ppdf"], ["-DX=", "--output=t.ppdf"]):
        (tmp_path / "t.ppdf").unlink(missing_ok=True)
        result = dprobes("build", "t.dp", *words, cwd=tmp_path)
        assert result.status == 0 and (tmp_path / "t.ppdf").exists(), result.stderr


@pytest.mark.parametrize("name,_words,_summary,_takes,formats", commands(), ids=NAMES)
def test_help_offers_the_formats_there_are(dprobes, name, _words, _summary, _takes, formats):
    text = dprobes(name, "--help").stdout
    if formats:
        assert f"--format {'|'.join(['text', *formats.split()])} " in text
    else:
        assert "--format" not in text


def test_help_of_build_says_where_the_object_goes(dprobes):
    """DProbes 3.6.4: as dpcc, beside the source; test_default_names shows that it is so."""
    text = help_of(dprobes, "build")
    assert re.search(r"--output FILE +write the object to FILE; default: PROGRAM\.ppdf beside PROGRAM", text)
    assert re.search(r"--output FILE +write to FILE instead of standard output", help_of(dprobes, "list"))


def test_until_is_a_regular_expression(dprobes):
    assert re.search(r"--until REGEX +stop when .* matches \(POSIX extended\)", help_of(dprobes, "log"))


@pytest.mark.parametrize("words,said", [
    (["--cpu", "z80"], "unknown CPU 'z80'; supported: sim, arm, mips, ppc, riscv, ia32, s390, cortexm"),
    (["--cpu", "arm", "--word", "64"], "arm has 32-bit words"),
    (["--word", "16"], "a word has 32 or 64 bits, not 16"),
    (["--endian", "middle"], "byte order is little or big, not 'middle'"),
    (["--cpu", "ia32", "--endian", "big"], "ia32 is little-endian"),
    (["--cpu", "s390", "--endian", "little"], "s390 is big-endian"),
])
def test_bad_targets(dprobes, tmp_path, words, said):
    (tmp_path / "t.dp").write_text(SOURCE)
    result = dprobes("build", *words, "t.dp", cwd=tmp_path)
    assert result.status == 1 and said in result.stderr


def test_default_names(dprobes, tmp_path):
    (tmp_path / "d.x").mkdir()
    (tmp_path / "d.x" / "net.dp").write_text(SOURCE)
    (tmp_path / "d.x" / "plain").write_text(SOURCE)
    assert dprobes("build", "d.x/net.dp", cwd=tmp_path).status == 0
    assert dprobes("build", "d.x/plain", cwd=tmp_path).status == 0
    assert (tmp_path / "d.x" / "net.ppdf").exists() and (tmp_path / "d.x" / "plain.ppdf").exists()


def test_seed_verbs(dprobes, tmp_path):
    """DProbes 3.6.4: --build-ppdf f --outfile, -b f -o, -D key = value."""
    (tmp_path / "t.dp").write_text(SOURCE + "push N\n")
    for words in (["--build-ppdf", "t.dp", "-o", "t.ppdf", "-D", "N", "=", "5"],
                  ["-b", "t.dp", "--output", "t.ppdf", "-DN=5"],
                  ["--build-ppdf", "t.dp", "--outfile", "t.ppdf", "-D", "N=5"]):
        assert dprobes(*words, cwd=tmp_path).status == 0
        assert ppdf.Ppdf((tmp_path / "t.ppdf").read_bytes()).code[2:4] == b"\x21\x05"
        (tmp_path / "t.ppdf").unlink()


@pytest.mark.parametrize("words", [["--group=ab"], ["--group", "ab"], ["--group", "=", "ab"],
                                   ["--group=", "ab"], ["--group", "=ab"], ["-u", "ab"]])
def test_blanks_around_equals(dprobes, tmp_path, words):
    """DProbes 3.6.4: `--group = filesys`. The group is not there: the option was understood."""
    (tmp_path / "t.dp").write_text('name = "t"\ngroupdef = ab cd\noffset = 0x1000\nopcode = 1\ngroup = GROUP\n')
    for group, said in (("cd", "no probe point is in these groups and types"), ("ab", "no line to the target")):
        result = dprobes("--insert", "t.dp", "-D", f"GROUP={group}", *words, cwd=tmp_path)
        assert result.status == 1 and said in result.stderr


@pytest.mark.parametrize("lists", [["--group", "ab", "cd"], ["--type", "no", "--group", "ab", "cd"], ["--group", "=", "ab", "cd"]])
@pytest.mark.parametrize("at", ["first", "last"])
def test_the_file_of_a_verb_may_come_last(dprobes, tmp_path, at, lists):
    """DProbes 3.6.4: `--apply-ppdf file`. A list in front of the file must not swallow it: the group is found."""
    (tmp_path / "t.dp").write_text('name = "t"\ngroupdef = ab cd\ntypedef = no\noffset = 0x1000\nopcode = 1\ngroup = cd\n'
                                   'type = no\n')
    assert dprobes("build", "t.dp", cwd=tmp_path).status == 0
    words = ["t.ppdf", *lists] if at == "first" else [*lists, "t.ppdf"]
    result = dprobes("--apply-ppdf", *words, cwd=tmp_path)
    assert result.status == 1 and "no line to the target" in result.stderr


def test_a_list_of_one_is_no_file(dprobes):
    result = dprobes("--apply-ppdf", "--group", "ab")
    assert result.status == 1 and "a PROGRAM is missing" in result.stderr


@pytest.mark.parametrize("words", [["build", "t.dp", "-o", "t.dp"], ["disasm", "t.dp", "--output", "./t.dp"],
                                   ["simulate", "t.dp", "--templates", "t.tpl", "-o", "t.tpl"], ["insert", "t.dp", "--outfile", "t.dp"],
                                   ["symbols", "--sym", "t.map", "-o", "t.map"]])
def test_what_is_read_is_not_overwritten(dprobes, tmp_path, words):
    texts = {"t.dp": SOURCE, "t.tpl": 'major = 0\nminor = 0, desc = "d"\n', "t.map": "00001000 T f\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    result = dprobes(*words, "--port", "unix:x", cwd=tmp_path) if words[0] == "insert" else dprobes(*words, cwd=tmp_path)
    assert result.status == 1 and f"{words[-1]} is read by this command, and would be overwritten" in result.stderr
    assert {name: (tmp_path / name).read_text() for name in texts} == texts
    assert dprobes("list", "t.dp", "-o", "t.dp", "--port", "unix:x", cwd=tmp_path).status == 3  # a NAME is no file


def test_half_an_object_does_not_stay(dprobes, tmp_path):
    """The disk is full behind the first bytes."""
    (tmp_path / "t.dp").write_text(SOURCE + "push 5\nlog 1\n" * 500)
    run = subprocess.run(["bash", "-c", 'trap "" XFSZ; ulimit -f 1; exec "$0" build t.dp', dprobes.path(sanitized=False)],
                         cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert run.returncode == 1 and "t.ppdf: error: cannot write it: File too large" in run.stderr
    assert not (tmp_path / "t.ppdf").exists()


@pytest.mark.parametrize("option", ["--group", "--type", "--log"])
def test_an_empty_list_chooses_nothing(dprobes, tmp_path, option):
    (tmp_path / "t.dp").write_text(SOURCE)
    result = dprobes("insert", "t.dp", option, " , ", "--port", "unix:x", cwd=tmp_path)
    assert result.status == 1 and f"the list of {option} is empty" in result.stderr


def test_unwritable_output(dprobes, tmp_path):
    (tmp_path / "t.dp").write_text(SOURCE)
    result = dprobes("build", "t.dp", "-o", "no/such/folder.ppdf", cwd=tmp_path)
    assert result.status == 1
    assert "no/such/folder.ppdf: error: cannot write it: No such file or directory" in result.stderr
    result = dprobes("disasm", "--dont-verify-opcodes", "t.dp", "-o", "/dev/full", cwd=tmp_path)
    assert result.status == 1


def test_missing_source(dprobes, tmp_path):
    result = dprobes("build", "none.dp", cwd=tmp_path)
    assert result.status == 1
    assert result.stderr == "none.dp: error: cannot read it: No such file or directory\n"


def test_color(dprobes, tmp_path):
    (tmp_path / "t.dp").write_text(SOURCE + "frob\n")
    assert "\033[" not in dprobes("build", "t.dp", cwd=tmp_path).stderr
    always = dprobes("build", "--color", "always", "t.dp", cwd=tmp_path)
    assert "\033[1;31merror:\033[0m unknown instruction 'frob'" in always.stderr


def test_environment(dprobes, tmp_path):
    (tmp_path / "t.dp").write_text(SOURCE)
    result = dprobes("build", "t.dp", cwd=tmp_path, env={"DPROBES_ELF": "missing.elf"})
    assert "missing.elf: error: cannot read it" in result.stderr


def test_json_has_one_shape(dprobes, tmp_path):
    """Each line is an object that says its kind; addresses are strings, data is hex, as with log."""
    (tmp_path / "t.dp").write_text(SOURCE + "push 5\nlog 1\n")
    hit, = dprobes("simulate", "--format", "json", "t.dp", cwd=tmp_path).objects()
    assert (hit["kind"], hit["address"], hit["data"]) == ("hit", "0x00001000", "05000000")
    assert hit["exception"] == [0, 0, 0] and hit["end"] == "exit"
    verdict, = dprobes("check", "--format", "json", "t.dp", cwd=tmp_path).objects()
    assert verdict["kind"] == "check" and verdict["uses"] == []


@pytest.mark.parametrize("command", ["simulate", "check", "disasm"])
def test_full_disk(dprobes, tmp_path, command):
    """One sentence, naming the file; never one about another file's errno."""
    (tmp_path / "t.dp").write_text(SOURCE + "push 5\nlog 1\n")
    result = dprobes(command, "t.dp", "-o", "/dev/full", cwd=tmp_path)
    assert result.status == 1
    assert result.stderr == "dprobes: error: /dev/full could not be written completely\n"


@pytest.mark.parametrize("words,said", [
    (["--word", "4294967328"], "--word is at most 4294967295, not 4294967328"),
    (["--log-max", "65536"], "--log-max is at most 65535, not 65536"),
    (["--trace-max", "0x10000"], "--trace-max is at most 65535, not 0x10000"),
    (["--hits", "-1"], "'-1' is not N or MINOR:N"),
    (["--hits", "99999999999999999999"], "'99999999999999999999' is not N or MINOR:N"),
    (["--hits", "0:-1"], "'0:-1' is not N or MINOR:N"),
    (["--minor", "-65536"], "'-65536' is not a minor code: 0..65535"),
    (["--mem", "-1=00"], "'-1=00' is not ADDRESS=HEX"),
    (["--reg", "r0=4294967296"], "'r0=4294967296': the register has 32 bits"),
    (["--reg", "r0=0x1ffffffff"], "'r0=0x1ffffffff': the register has 32 bits"),
    (["--reg", "r0=99999999999999999999"], "'r0=99999999999999999999' is not NAME=VALUE"),
])
def test_numbers_are_taken_whole_or_refused(dprobes, tmp_path, words, said):
    """None wraps, and none becomes the largest there is."""
    (tmp_path / "t.dp").write_text(SOURCE)
    result = dprobes("simulate", *words, "t.dp", cwd=tmp_path)
    assert (result.status, result.stdout) == (1, "")
    assert result.stderr.startswith(f"dprobes: error: {said}")


def test_a_count_is_taken_whole_or_refused(dprobes):
    said = dprobes("log", "--count", "18446744073709551616").stderr
    assert said.startswith("dprobes: error: --count is at most 18446744073709551615, not 18446744073709551616")


def test_messages_name_options_that_exist():
    """No text of the tool sends its user to an option that is not there."""
    # An option of objcopy, and a word of `dprobes help`.
    known = {row[1] for row in options()} | {"decompress-debug-sections", "json"}
    verbs = re.findall(r"--([a-z-]+)", (TOP / "host/command/cli_verbs.def").read_text(encoding="utf-8"))
    named = [(path.name, option) for path in sorted((TOP / "host").rglob("*")) if path.suffix in (".c", ".def")
             for text in re.findall(r'"(?:[^"\\\n]|\\.)*"', path.read_text(encoding="utf-8"))
             for option in re.findall(r"(?<![\w-])--([a-z][a-z-]+)", text)]
    assert len(named) > 50 and [one for one in named if one[1] not in {*known, *verbs}] == []


def on_a_terminal(command, **values):
    """What a command says when its standard error is a terminal."""
    ours, theirs = os.openpty()
    child = process.start(command, env=environment({"TERM": "xterm", **values}), stderr=theirs,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    os.close(theirs)
    said = process.Reader("terminal", lambda: os.read(ours, 4096))
    child.communicate(timeout=process.TIMEOUT_S)
    said.join()
    os.close(ours)
    return said.text


def test_color_and_progress_are_for_terminals(dprobes, sim_target, tmp_path):
    """NO_COLOR forbids colour, not progress; --color always gives a file colour, not progress."""
    target = sim_target()
    (tmp_path / "t.dp").write_text('name = "t"\noffset = queue_put\n')
    (tmp_path / "bad.dp").write_text("frob\n")
    insert = ["insert", "--sym", target.map, "--dont-verify-opcodes", "--replace", "--port", target.url(),
              tmp_path / "t.dp"]
    bad = [dprobes.path(), "build", tmp_path / "bad.dp"]
    assert "\rupload: " in on_a_terminal([dprobes.path(), *insert])
    assert "\rupload: " in on_a_terminal([dprobes.path(), *insert], NO_COLOR="1")
    assert "upload: " not in on_a_terminal([dprobes.path(), *insert, "--quiet"])
    assert "upload: " not in dprobes(*insert, "--color", "always").stderr
    assert "\033[" in on_a_terminal(bad)
    assert "\033[" not in on_a_terminal(bad, NO_COLOR="1")
    assert "\033[" not in on_a_terminal(bad, TERM="dumb")


def test_progress_has_a_pace(agent, dprobes, net):
    """Bytes, bytes a second, and the seconds that are left."""
    def slowly(_seq, payload):
        if payload[0] == fake.DATA:
            time.sleep(0.01)
    agent.on_line = slowly
    net.write_text(net.read_text() + "push 0x123456\npop lv, 1\n" * 60)
    said = on_a_terminal([dprobes.path(), "insert", net, "--port", agent.url])
    assert re.search(r"\rupload: \d+ of (\d+) bytes, [1-9]\d* bytes/s, [1-9]\d* s left", said)
    assert re.search(r"\rupload: (\d+) of \1 bytes, [1-9]\d* bytes/s, 0 s left *\r\n", said)


@pytest.mark.parametrize("content,said", [
    (b"", "the file is empty; build the object again"),
    (b"DPROBES", "the object is shorter than the length in its header; copy or build the object again"),
    (b"x" * 200, "the file is not a probe object: its first bytes are not DPO; build an object with 'dprobes build'")])
def test_what_is_no_object_is_told_as_such(dprobes, tmp_path, content, said):
    (tmp_path / "t.ppdf").write_bytes(content)
    for words in (["check"], ["disasm"], ["simulate"], ["insert", "--port", "unix:/none"], ["run", "--port", "unix:/none"]):
        result = dprobes(*words, "t.ppdf", cwd=tmp_path)
        assert result.status == 1 and result.stderr == f"t.ppdf: error: {said}\n", result.stderr
