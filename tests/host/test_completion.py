# SPDX-License-Identifier: BSD-2-Clause
"""Completion: what `dprobes complete` offers, and that bash, zsh and fish take it."""
import os
import pty
import re
import shlex
import subprocess

import pytest

import tables
from harness import process
from harness.paths import TOP, program
from harness.tool import environment

SCRIPTS = TOP / "host/install/completion"
MAP = "00001000 T queue_put\n00001100 T queue_get\n00002000 D queue_all\n00003000 T main\n"


@pytest.fixture
def offered(dprobes, tmp_path):
    """The words that may stand in place of the last one."""
    (tmp_path / "a.map").write_text(MAP)

    def ask(*words, env=None):
        run = dprobes("complete", *words, cwd=tmp_path, env=env)
        assert (run.status, run.stderr) == (0, "")
        return [line.split("\t")[0] for line in run.lines()]
    return ask


def names(table, macro, column):
    return [row[column] for row in tables.rows(f"host/command/{table}", macro)]


def test_commands(offered):
    assert offered("") == [*names("cli_commands.def", "COMMAND", 0), "help"] == offered()
    assert offered("in") == ["insert", "info"] and offered("help", "in") == ["insert", "info"]
    assert offered("--get") == ["--getvars"] and offered("--v") == ["--version"] and offered("nosuch", "") == []


@pytest.mark.parametrize("command,takes,table", [(row[0], row[3].split(), row[4]) for row in
                                                 tables.rows("host/command/cli_commands.def", "COMMAND")])
def test_the_options_are_those_of_the_help(dprobes, offered, command, takes, table):
    words = offered(command, "--")
    assert set(takes) <= {word[2:] for word in words} and ("--format" in words) == (table != "NONE")
    text = dprobes(command, "--help").stdout
    assert len(words) > 3 and all(f"{word} " in text for word in words)


def test_an_explanation_is_that_of_the_help(dprobes):
    assert dprobes("complete", "run", "--verb").stdout == "--verbose\tprint each step, and data that a template does not use\n"


@pytest.mark.parametrize("words,wanted", [
    (["list", "--format", ""], ["text", "json", "csv"]), (["log", "--format", "r"], ["raw"]), (["log", "--format=r"], ["--format=raw"]),
    (["run", "--color", "a"], ["auto", "always"]), (["run", "--log-target", "COM"], ["COM1", "COM2"]), (["build", "--cpu", "s"], [name for name in tables.cpus() if name.startswith("s")]),
    (["run", "-l", "P"], ["PID", "PC"]), (["run", "--log", "=", "P"], ["PID", "PC"]), (["run", "--log", "="], ["CPU", "NAME", "PID", "PC", "SP", "TSC", "ALL"]),
    (["--insert", "--log-mode", "B"], ["BUFFERED"]), (["run", "--count", ""], []), (["run", "x"], [":files"]), (["build", "--elf", ""], [":files"]),
    (["build", "--elf=x"], [":files"]), (["list", ""], []), (["log", ""], [":files"])])
def test_values(offered, words, wanted):
    assert offered(*words) == wanted


def test_ports_are_those_of_the_list(dprobes, offered):
    ports = dprobes("ports", "--format", "json").objects()
    assert offered("log", "--port", "") == [port.get("name", port["device"]) for port in ports]


@pytest.mark.parametrize("words,env", [(["--sym", "a.map"], {}), (["--sym=a.map"], {}), (["-s", "a.map"], {}), (["--sym", "=", "a.map"], {}),
                                       ([], {"DPROBES_ELF": "a.map"})])
def test_symbols_of_the_firmware(offered, words, env):
    assert offered("symbols", *words, "queue_", env=env) == ["queue_put", "queue_get", "queue_all"]


@pytest.mark.parametrize("words", [["probes"], ["trace", "-n"], ["trace", "--clause"], ["aggs", "-n"], ["-n"], ["-qn"], ["-q", "-n"], ["-l"], ["-l", "queue_all:entry"],
                                   ["probes", "queue_get:entry"]])
def test_probe_points(offered, words):
    env = {"DPROBES_ELF": "a.map"}
    assert offered(*words, "queue_", env=env) == ["queue_put:entry", "queue_put:return", "queue_get:entry", "queue_get:return"]
    assert offered(*words, "queue_put:r", env=env) == ["queue_put:return"]
    assert offered(*words, "fbt::queue_p", env=env) == ["fbt::queue_put:entry", "fbt::queue_put:return"]
    assert offered(*words, "queue_put:entry {", env=env) == [] == offered(*words, "nosuch", env=env)


def test_where_no_probe_point_stands(offered):
    """-n of other commands is the name of a program; a value of an option is no description."""
    env = {"DPROBES_ELF": "a.map"}
    assert offered("remove", "-n", "queue_", env=env) == [] == offered("probes", "--board", "queue_", env=env)
    assert "--elf" in offered("probes", "--e", env=env)


def test_a_file_that_is_no_firmware_offers_nothing(offered):
    assert offered("symbols", "--elf", "/no/such", "") == [] == offered("symbols", "")


# ---- the shells --------------------------------------------------------------------------------

def shell(words, script, tmp_path, dprobes):
    """What a shell prints that sources a script with dprobes in its path."""
    folder = tmp_path / "bin"
    folder.mkdir(exist_ok=True)
    if not (folder / "dprobes").exists():
        (folder / "dprobes").symlink_to(dprobes.path())
    (tmp_path / "a.map").write_text(MAP)
    env = environment({"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(tmp_path)})
    run = subprocess.run([*words, script], cwd=tmp_path, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert run.returncode == 0 and run.stderr == "", run.stderr
    return sorted(run.stdout.split("\n")[:-1])


def in_bash(line, tmp_path, dprobes):
    """bash splits words at '=' too."""
    words = line.replace("=", " = ").split()
    words += [""] if line.endswith((" ", "=")) and not line.endswith("=") else []
    return shell([program("bash"), "-c"], f". {SCRIPTS}/dprobes.bash; COMP_WORDS=({shlex.join(words)}); "
                 f"COMP_CWORD={len(words) - 1}; _dprobes; printf '%s\\n' \"${{COMPREPLY[@]}}\"", tmp_path, dprobes)


def in_zsh(line, tmp_path, dprobes):
    """Stands for zsh's completion system: the functions that the script calls print what they are given."""
    words = shlex.split(line) + ([""] if line.endswith(" ") else [])
    return shell([program("zsh"), "-f", "-c"], "_files() { print -l -- ${PREFIX#*=}*(N) }; compset() { : }\n"
                 "_describe() { print -l -- ${${(P)@[-1]}%%:*} }\n"
                 f"words=({shlex.join(words)}); CURRENT={len(words)}; PREFIX={shlex.quote(words[-1])}; . {SCRIPTS}/_dprobes", tmp_path, dprobes)


def in_fish(line, tmp_path, dprobes):
    found = shell([program("fish"), "--no-config", "-c"], f"source {SCRIPTS}/dprobes.fish; complete -C {shlex.quote(line)}", tmp_path, dprobes)
    return [word.split("\t")[0] for word in found]


@pytest.mark.parametrize("run", [in_bash, in_zsh, in_fish], ids=["bash", "zsh", "fish"])
@pytest.mark.parametrize("line,wanted", [
    ("dprobes si", ["simulate"]), ("dprobes list --fo", ["--format"]), ("dprobes log --color a", ["always", "auto"]),
    ("dprobes symbols --sym a.map queue_", ["queue_all", "queue_get", "queue_put"]), ("dprobes build a.m", ["a.map"])])
def test_a_shell_offers_the_words(run, line, wanted, tmp_path, dprobes):
    assert run(line, tmp_path, dprobes) == wanted


def bash_words(line):
    """The words of COMP_WORDS: bash splits at colons outside of quotes."""
    return [part for word in line.split() for part in (re.split(r"(:+)", word) if word[0] not in "\"'" else [word])]


@pytest.mark.parametrize("line,wanted", [
    ("dprobes probes queue_put:", ["entry", "return"]), ("dprobes probes queue_put:e", ["entry"]), ("dprobes probes fbt::queue_put:e", ["entry"]),
    ("dprobes -n 'queue_put:e", ["queue_put:entry"]), ('dprobes -n "fbt::queue_put:', ["fbt::queue_put:entry", "fbt::queue_put:return"]),
    ("dprobes -n queue_p", ["queue_put:entry", "queue_put:return"])])
def test_bash_offers_probe_points(line, wanted, tmp_path, dprobes):
    """What readline puts in the place of the word, which begins behind the last colon or the opening quote."""
    words = bash_words(line)
    assert shell([program("bash"), "-c"], f". {SCRIPTS}/dprobes.bash; export DPROBES_ELF=a.map; COMP_WORDS=({shlex.join(words)}); "
                 f"COMP_CWORD={len(words) - 1}; _dprobes; printf '%s\n' \"${{COMPREPLY[@]}}\"", tmp_path, dprobes) == wanted


@pytest.mark.parametrize("run,front", [(in_bash, ""), (in_zsh, "--color="), (in_fish, "--color=")], ids=["bash", "zsh", "fish"])
def test_a_value_behind_the_sign(run, front, tmp_path, dprobes):
    assert run("dprobes log --color=a", tmp_path, dprobes) == [f"{front}always", f"{front}auto"]


def test_bash_keeps_blanks_in_names(tmp_path, dprobes):
    (tmp_path / "my program.dp").write_text("")
    assert in_bash("dprobes run my", tmp_path, dprobes) == ["my program.dp"]


def test_words_are_as_typed(tmp_path, dprobes):
    """Quotes, and the home of the user, in front of the command and of a file."""
    (tmp_path / "my a.map").write_text(MAP)
    wanted = ["queue_all", "queue_get", "queue_put"]
    for word in (r"my\ a.map", '"my a.map"', "'my a.map'", "~/a.map", r"~/my\ a.map"):
        words = shlex.join(["~/bin/dprobes", "symbols", "--sym", word, "queue_"])
        assert shell([program("bash"), "-c"], f". {SCRIPTS}/dprobes.bash; COMP_WORDS=({words}); COMP_CWORD=4; _dprobes; "
                     "printf '%s\\n' \"${COMPREPLY[@]}\"", tmp_path, dprobes) == wanted, word
        assert shell([program("zsh"), "-f", "-c"], "_describe() { print -l -- ${${(P)@[-1]}%%:*} }\n"
                     f"words=({words}); CURRENT=5; PREFIX=queue_; . {SCRIPTS}/_dprobes", tmp_path, dprobes) == wanted, word
        assert in_fish(f"~/bin/dprobes symbols --sym {word} queue_", tmp_path, dprobes) == wanted, word


# ---- shells that a person types into ------------------------------------------------------------

class Typed:
    """An interactive shell on a pseudo terminal. settings: of dprobes.conf."""

    def __init__(self, folder, dprobes, argv, settings):
        (folder / "bin").mkdir()
        (folder / "bin/dprobes").symlink_to(dprobes.path())
        (folder / "a.map").write_text(MAP)
        (folder / "dprobes.conf").write_text(settings)
        self.terminal, end = pty.openpty()
        env = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": str(folder), "TERM": "dumb", "PS1": "ready> ", "LC_ALL": "C.UTF-8"}
        self.child = process.start(argv, cwd=folder, env=env, stdin=end, stdout=end, stderr=end)
        os.close(end)
        self.reader = process.Reader("the shell", lambda: os.read(self.terminal, 4096))

    def send(self, text):
        os.write(self.terminal, text.encode())

    def close(self):
        process.kill_group(self.child)
        self.reader.join()
        os.close(self.terminal)


SHELLS = {"bash": (["bash", "--norc", "-i"], f". {SCRIPTS}/dprobes.bash"),
          "zsh": (["zsh", "-f", "-i"], f"fpath=({SCRIPTS} $fpath); autoload -U compinit; compinit -u -D")}


@pytest.mark.parametrize("name", SHELLS)
@pytest.mark.parametrize("settings,options", [("elf = a.map\n", ""), ("", "--sym a.map ")], ids=["dprobes.conf", "command line"])
def test_a_tab_in_an_open_quote(name, settings, options, tmp_path, dprobes):
    """As somebody types it: the quote is not closed yet."""
    argv, setup = SHELLS[name]
    shell = Typed(tmp_path, dprobes, [program(argv[0]), *argv[1:]], settings)
    try:
        shell.reader.expect("ready> ")
        shell.send(setup + "; echo set''up\n")
        shell.reader.expect("setup")
        shell.reader.expect("ready> ")
        shell.send(f"dprobes {options}-n 'fbt::queue_p\t")
        shell.reader.expect("fbt::queue_p")
        shell.reader.expect("ut:")
        shell.send("r\t")
        shell.reader.expect("return")
    finally:
        shell.close()
