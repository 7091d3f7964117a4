# SPDX-License-Identifier: BSD-2-Clause
"""dprobes/simple.h: a user's C program with strings and numbers alone, on a target in a process."""
import json
import re
import subprocess

import pytest

from harness import process
from harness.paths import TESTS, built, program
from harness.tool import environment

PROGRAM = "name = simple\nvars = 1\nmajor = 5\noffset = hot\nminor = 6\ninc lv, 0\npush lv, 0\nlog 1\n"
USER = TESTS / "host" / "simple_user.c"


def compiled(source, made):
    """A program, linked with all host code under sanitizers."""
    libraries = subprocess.run([program("pkg-config"), "--libs", "libelf", "libdw", "zlib", "libserialport"], capture_output=True,
                               text=True, check=True).stdout.split()
    subprocess.run([program("gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined",
                    f"-I{built('host', 'include')}", source, built("host-asan", "libdprobes.a"), *libraries, "-o", made], check=True)
    return made


@pytest.fixture(scope="session")
def user(tmp_path_factory):
    """The example."""
    return compiled(USER, tmp_path_factory.mktemp("simple") / "user")


def run(user, *words, cwd):
    return subprocess.run([user, *map(str, words)], capture_output=True, text=True, timeout=process.TIMEOUT_S, check=False, cwd=cwd,
                          env=environment())


def test_insert_records_variables_remove(user, sim_target, tmp_path):
    target = sim_target("--hits", 200)
    done = run(user, target.url("com2"), target.map, PROGRAM, 5, cwd=tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    *records, last = done.stdout.splitlines()
    numbers = [int(re.fullmatch(r"5,6 (\d+) DProbes\(5,6\).* [0-9a-f]{8}", line).group(1)) for line in records]
    assert numbers == list(range(1, 6)) and last == "variable counts, removed"
    assert target.text_is_original()


def test_close_removes_what_was_inserted(user, sim_target, tmp_path, dprobes):
    """Without a record to wait for the program ends at once; dp_simple_remove is not what removes."""
    target = sim_target()
    bad = PROGRAM.replace("vars = 1", "vars = 2")  # two variables: the example neither prints nor removes
    done = run(user, target.url("com2"), target.map, bad, 0, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert dprobes("list", "--port", target.url("com2")).stdout == ""


def test_the_end_of_the_board_ends_the_program(user, sim_target):
    target = sim_target("--hits", 200)
    with subprocess.Popen([user, target.url("com2"), target.map, PROGRAM, "1000000"], env=environment(), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout.readline().startswith("5,6 1 ")
        target.close()
        _, said = running.communicate(timeout=process.TIMEOUT_S)
    assert running.returncode == 1 and said.startswith(f"the line {target.url('com2')} was closed at the other end"), said


def test_the_example_is_short():
    """Open, insert, records, variables, remove and poll: 30 lines of C."""
    text = USER.read_text(encoding="utf-8")
    assert len(text[text.index("int main("):].splitlines()) <= 30
    assert {"open", "insert", "next", "variables", "remove", "fd"} <= set(re.findall(r"dp_simple_(\w+)\(", text))


@pytest.mark.parametrize("text,said", [
    ("name = x\noffset = hot\npush r, r99\n", "program:3:9: error: unknown register 'r99'"),
    ("name = x\noffset = nosuch\nexit\n", "program:2:10: error: "),
    ("name = x\noffset = hot\npush 1\npop mem, u8\n", "error: ")])
def test_a_mistake_has_its_place(user, sim_target, tmp_path, text, said):
    target = sim_target()
    done = run(user, target.url("com2"), target.map, text, 1, cwd=tmp_path)
    assert done.returncode == 1 and said in done.stderr, done.stderr
    assert target.text_is_original()


def test_no_line(user, tmp_path):
    done = run(user, "unix:/no/line", "x", PROGRAM, 1, cwd=tmp_path)
    assert done.returncode == 1 and "/no/line" in done.stderr


def test_a_board_of_the_configuration(user, sim_target, tmp_path):
    target = sim_target("--hits", 200)
    (tmp_path / "dprobes.conf").write_text(f"port = {target.url('com2')}\n")
    done = run(user, "", target.map, PROGRAM, 1, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("5,6 1 DProbes(5,6)"), done.stderr
    (tmp_path / "dprobes.conf").write_text("")
    assert "set port, or a board of dprobes.conf" in run(user, "", target.map, PROGRAM, 1, cwd=tmp_path).stderr


def test_what_a_lab_test_does(sim_target, tmp_path):
    """Console, state and programs by name, over a restart of the target. The values are those of the firmware: the text of the
    console, the bytes of its image."""
    target = sim_target("--hits", 100)
    lab = compiled(USER.with_name("simple_lab.c"), tmp_path / "lab")
    hot = re.search(r"^(\w+) \w hot$", target.map.read_text(), re.M).group(1)
    with subprocess.Popen([lab, target.url("com1"), target.map, PROGRAM, f"0x{hot}, 4"], env=environment(), text=True, cwd=tmp_path,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        said = {}
        for line in iter(running.stdout.readline, "restart me\n"):
            assert line, running.stderr.read()
            head, _, rest = line.rstrip("\n").partition(": ")
            said.setdefault(head, []).append(rest)
        target.warm_restart()
        rest, errors = running.communicate(timeout=process.TIMEOUT_S)
    assert (running.returncode, errors) == (0, "")
    assert said["good text"] == ["1"] and said["bad text"][0].startswith("0, program:3:9: error: unknown register 'r99'")
    assert said["before"] == ["(empty)"] and said["typed"] == ["1"]
    assert re.fullmatch(r"1 text patched, \d+ executed", said["expected"][0]) and said["again"] == ["0"]
    assert said["pattern"][0].startswith("-1, '(' is no extended regular expression: ")
    assert (said["variable"], said["absent"], said["records"]) == (["1"], ["0"], ["3"])
    assert said["aggregations"] == ["(none)"]
    named, value = json.loads(said["named"][0]), json.loads(said["read"][0])
    assert (named["program"], named["index"]) == ("simple", 0) and named["value"] > 0
    assert len(bytes.fromhex(value["value"])) == 4 and int(value["address"], 16) == int(hot, 16), value
    assert said["no name"][0].startswith("0, ") and "no_such" in said["no name"][0]
    assert rest == "restarts: 1, variable: 1\nremoved: 1\nremoved again: 0\nbehind: (empty)\n"
