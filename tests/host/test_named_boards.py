# SPDX-License-Identifier: BSD-2-Clause
"""dprobes.conf: where it is searched, what comes first, and a sentence for each mistake."""
import os

import pytest

import tables

CONF = """# of all boards
elf = a.map
board = first

[first]
port = unix:/no/first
[second]
port = unix:/no/second
elf = other/b.map
com=COM2
"""


@pytest.fixture
def project(tmp_path):
    """A folder with dprobes.conf, and one below."""
    (tmp_path / "dprobes.conf").write_text(CONF)
    (tmp_path / "other").mkdir()
    (tmp_path / "a.map").write_text("00001000 T of_a\n")
    (tmp_path / "other/b.map").write_text("00001000 T of_b\n")
    return tmp_path


def port_of(run):
    """Which line a command tried: none of these opens."""
    assert run.status == 3, run.stderr
    return run.stderr.split("unix:")[-1].split("/no/")[-1].split(":")[0].split()[0].rstrip(";,:")


@pytest.mark.parametrize("folder", [".", "other"])
def test_the_file_is_found_upward(dprobes, project, folder):
    assert port_of(dprobes("remove", "--all", cwd=project / folder)) == "first"
    assert dprobes("symbols", cwd=project / folder).stdout.split()[-1] == "of_a"


def test_a_board_by_name(dprobes, project):
    for words, env in ((["--board", "second"], {}), ([], {"DPROBES_BOARD": "second"})):
        assert port_of(dprobes("remove", "--all", *words, cwd=project, env=env)) == "second"
        assert dprobes("symbols", *words, cwd=project / "other", env=env).stdout.split()[-1] == "of_b"


@pytest.mark.parametrize("words,env,wanted", [
    (["--port", "unix:/no/line", "--board", "second"], {"DPROBES_PORT": "unix:/no/env"}, "line"),
    (["--board", "second"], {"DPROBES_PORT": "unix:/no/env"}, "second"), ([], {"DPROBES_PORT": "unix:/no/env"}, "env"), ([], {}, "first")])
def test_what_comes_first(dprobes, project, words, env, wanted):
    assert port_of(dprobes("remove", "--all", *words, cwd=project, env=env)) == wanted


def test_the_file_of_the_user(dprobes, project, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    (home / "dprobes").mkdir()
    (home / "dprobes/dprobes.conf").write_text("[first]\nport = unix:/no/hidden\n[mine]\nport = unix:/no/mine\n")
    for words, wanted in (([], "first"), (["--board", "mine"], "mine")):
        assert port_of(dprobes("remove", "--all", *words, cwd=project, env={"XDG_CONFIG_HOME": str(home)})) == wanted
    (home / ".config").symlink_to(".")
    assert port_of(dprobes("remove", "--all", "--board", "mine", cwd=home, env={"XDG_CONFIG_HOME": "", "HOME": str(home)})) == "mine"


def test_no_file_and_no_board(dprobes, tmp_path):
    run = dprobes("list", "--board", "x", cwd=tmp_path)
    assert run.status == 1 and "there is no board 'x': no dprobes.conf is in this folder, above it, or in ~/.config/dprobes\n" in run.stderr
    assert "give --port URL" in dprobes("list", cwd=tmp_path).stderr


def test_an_unknown_board_names_the_others(dprobes, project):
    run = dprobes("list", "--board", "frist", cwd=project)
    assert (run.status, run.stderr) == (1, "dprobes: error: there is no board 'frist'; there are the boards: first, second\n")


def test_one_board_is_no_list(dprobes, tmp_path):
    (tmp_path / "dprobes.conf").write_text("[hunt]\nport = unix:/no/hunt\n")
    said = dprobes("list", "--board", "x", cwd=tmp_path).stderr
    assert said == "dprobes: error: there is no board 'x'; there is 1 board: hunt\n"
    (tmp_path / "dprobes.conf").write_text("# no board\n")
    assert "names no board" in dprobes("list", "--board", "x", cwd=tmp_path).stderr


@pytest.mark.parametrize("key,value,words,said", [
    ("elf", "~/fw.map", ["symbols"], "of_home"),
    ("port", "unix:~/line", ["list"], "{home}/line"),
    ("port", "pty:~/line", ["list"], "{home}/line"),
    ("key", "~/none.key", ["list", "--port", "unix:/no/line"], "{home}/none.key"),
    ("elf", "~none/fw.map", ["symbols"], "~none/fw.map")])  # the folder of another user is not looked up
def test_a_tilde_is_the_folder_of_the_user(dprobes, tmp_path, key, value, words, said):
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    (home / "fw.map").write_text("00001000 T of_home\n")
    (project / "dprobes.conf").write_text(f"{key} = {value}\n")
    run = dprobes(*words, cwd=project, env={"HOME": str(home)})
    assert said.format(home=home) in run.stdout + run.stderr, run.stderr


@pytest.mark.parametrize("variable,value,words", [
    ("DPROBES_ELF", "/none.elf", ["symbols", "main"]), ("DPROBES_PORT", "unix:/none", ["list"]), ("DPROBES_BAUD", "fast", ["list"]),
    ("DPROBES_BOARD", "none", ["list"]), ("DPROBES_KEY", "/none.key", ["list", "--port", "unix:/none"])])
def test_a_value_of_the_environment_is_told_as_one(dprobes, tmp_path, variable, value, words):
    """A file that the user did not name on this command line."""
    run = dprobes(*words, cwd=tmp_path, env={variable: value})
    assert run.status != 0 and f"dprobes: note: {value} is the value of {variable}\n" in run.stderr, run.stderr
    option = "--" + variable[8:].lower()
    assert "note:" not in dprobes(*words, option, value, cwd=tmp_path, env={variable: value}).stderr


def log_target(dprobes, folder):
    return dprobes("info", "--format", "json", cwd=folder).objects()[0]["log_target"].lower()


def test_com_is_the_target_of_the_log(dprobes, sim_target, tmp_path):
    """As --log-target: the records of an insertion go there."""
    target = sim_target()
    (tmp_path / "dprobes.conf").write_text(f"port = {target.url()}\n[other]\ncom = com1\n")
    (tmp_path / "t.dp").write_text("name = t\noffset = hot\npush 1\nlog 1\n")
    assert log_target(dprobes, tmp_path) == "com2"
    words = ["insert", "t.dp", "--sym", target.map, "--dont-verify-opcodes", "--quiet"]
    assert dprobes(*words, "--board", "other", cwd=tmp_path).status == 0
    assert log_target(dprobes, tmp_path) == "com1"
    assert dprobes(*words, "--board", "other", "--log-target", "COM2", "--replace", cwd=tmp_path).status == 0
    assert log_target(dprobes, tmp_path) == "com2"


@pytest.mark.parametrize("text,place,said,caret", [
    ("prot = x\n", "1:1", "unknown key 'prot'; did you mean 'port'?", "^~~~"),
    ("\n  frobnicate = x\n", "2:3", "unknown key 'frobnicate'; there are board, port, baud, dtr, rts, elf, com", "^~~~~~~~~~"),
    ("port\n", "1:1", "this line is no 'key = value', no '[board]' and no '# comment'", "^~~~"),
    ("= x\n", "1:1", "this line is no 'key = value', no '[board]' and no '# comment'", "^~~"),
    ("port =\n", "1:1", "the value of 'port' is empty", "^~~~"),
    ("port = a\nport = b\n", "2:1", "'port' is set twice", "^~~~"),
    ("baud = fast\n", "1:8", "baud is a number from 50 to 100000000, not 'fast'", "^~~~"),
    ("baud = 7\n", "1:8", "baud is a number from 50 to 100000000, not '7'", "^"),
    ("[a]\ncom = com3\n", "2:7", "com is one of COM1, COM2, NONE, not 'com3'", "^~~~"),
    ("[a\n", "1:1", "a board is '[NAME]' alone in its line", "^~"),
    ("[a] x\n", "1:1", "a board is '[NAME]' alone in its line", "^~~~~"),
    ("[ ]\n", "1:1", "the board has no name", "^~~"),
    ("[a]\n[b]\n[a]\n", "3:2", "board 'a' is defined twice; the first definition is in line 1", "^"),
    ("[a]\nboard = a\n", "2:1", "'board' names the board that is used without --board; write this line in front of the", "^~~~~")])
def test_mistakes(dprobes, tmp_path, text, place, said, caret):
    (tmp_path / "dprobes.conf").write_text(text)
    run = dprobes("list", "--port", "unix:/no", cwd=tmp_path)
    assert run.status == 1 and f"{tmp_path}/dprobes.conf:{place}: error: {said}" in run.stderr
    assert run.stderr.rstrip().splitlines()[-1].strip() == caret


def test_all_mistakes_are_told_and_only_to_who_uses_a_board(dprobes, tmp_path):
    (tmp_path / "dprobes.conf").write_text("x\ny\n")
    assert dprobes("list", cwd=tmp_path).stderr.count(" error: ") == 2
    assert dprobes("ports", tmp_path, cwd=tmp_path).status == 0


@pytest.mark.parametrize("text,wanted", [
    ("[b] # of the rack\nport = unix:/no/b\t# the first one\n", "b"), ("[b]\nport = unix:/no/b#1\n", "b#1"), ("#[b]\n ; x\n[b]\nport = unix:/no/b #\n", "b")])
def test_a_comment_may_end_a_line(dprobes, tmp_path, text, wanted):
    (tmp_path / "dprobes.conf").write_text(text)
    assert port_of(dprobes("list", "--board", "b", cwd=tmp_path)) == wanted


def test_a_command_keeps_its_text(dprobes, tmp_path):
    (tmp_path / "dprobes.conf").write_text("port = exec:echo 'a # b' >ran # c\n")
    dprobes("list", "--timeout", "0.1", cwd=tmp_path)
    assert (tmp_path / "ran").read_text() == "a # b\n"


def test_a_wrong_board_is_one_mistake(dprobes, tmp_path):
    (tmp_path / "dprobes.conf").write_text("[a]\nport = x\n[b\nport = y\n[]\nport = z\n[#]\nport = z\n")
    assert dprobes("list", cwd=tmp_path).stderr.count(" error: ") == 2


def test_no_text(dprobes, tmp_path):
    (tmp_path / "dprobes.conf").write_bytes(b"port = a\0b\n")
    assert "dprobes.conf: error: the file has a NUL byte: it is no text" in dprobes("list", cwd=tmp_path).stderr
    (tmp_path / "dprobes.conf").write_bytes(b"")
    assert "give --port URL" in dprobes("list", cwd=tmp_path).stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_runs_no_command(dprobes, tmp_path):
    (tmp_path / "dprobes.conf").write_text("port = exec:touch ran\n")
    os.chown(tmp_path / "dprobes.conf", 65534, 65534)
    for words in (["list"], ["list", "--board", "b"]):
        (tmp_path / "dprobes.conf").write_text("port = exec:touch ran\n[b]\n")
        run = dprobes(*words, cwd=tmp_path, env={"DPROBES_PORT": "unix:/no/env"} if "b" in words else {})
        assert run.status == 1 and run.stderr.startswith(f"dprobes: error: {tmp_path}/dprobes.conf: the file belongs to another user, "
                                                         "and its port is a command: 'exec:touch ran'; give --port if")
    assert port_of(dprobes("list", "--port", "unix:/no/line", cwd=tmp_path)) == "line"
    (tmp_path / "a.map").write_text("00001000 T of_a\n")
    assert dprobes("symbols", "--board", "b", "--sym", "a.map", cwd=tmp_path).status == 0
    assert not (tmp_path / "ran").exists()


def test_completion_knows_boards_and_their_firmware(dprobes, project):
    assert [line.split("\t")[0] for line in dprobes("complete", "log", "--board", "", cwd=project).lines()] == ["first", "second"]
    assert dprobes("complete", "symbols", "of", cwd=project).stdout.startswith("of_a\t")
    assert dprobes("complete", "symbols", "--board", "second", "of", cwd=project).stdout.startswith("of_b\t")


@pytest.mark.parametrize("words,env", [
    (["--board", "second"], {"DPROBES_ELF": "a.map"}), ([], {"DPROBES_BOARD": "second"}), ([], {"DPROBES_BOARD": "second", "DPROBES_ELF": "a.map"}),
    (["--board", "second", "--elf", "a.map"], {}), (["--board", "second", "--elf", "a.map"], {"DPROBES_ELF": "other/b.map"}), ([], {"DPROBES_BOARD": ""})])
def test_completion_takes_the_firmware_that_the_command_takes(dprobes, project, words, env):
    taken = dprobes("symbols", *words, "of", cwd=project, env=env).stdout.split()[-1]
    assert dprobes("complete", "symbols", *words, "of", cwd=project, env=env).stdout.split() == [taken]


def test_every_key_names_an_option():
    known = {row[1] for row in tables.rows("host/command/cli_options.def", "OPTION")}
    assert {row[1] for row in tables.rows("host/boards/board_keys.def", "BOARD_KEY")} - {""} <= known
