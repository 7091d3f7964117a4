# SPDX-License-Identifier: BSD-2-Clause
"""An exception that ends a handler has its name, its parameter and the line of its instruction, in each language and format."""
import json

import pytest

HEAD = "name = f\nid = 7\nvars = 2\n{place}minor = 1\n"
PLACE = "address = hot\n"
# Instructions from line 6 on; the line of the one that faults, and what the text says of it.
PROGRAMS = {
    "a division": ("push 7\nlog 1\npush 5\npush 0\ndiv\nexit\n", 10, "DIVIDE_BY_ZERO"),
    "an address": ("push 0x3\npush mem, u32\nlog 1\nexit\n", 7, "INVALID_ADDR (0x3)"),
    "a procedure": ("call p\nexit\nproc p\npush 1\npush 0\nidiv\nret\nendproc\n", 11, "DIVIDE_BY_ZERO"),
    "a variable": ("push 9\npush lv\nlog 1\nexit\n", 7, "INVALID_OPERAND (0x1)"),
    "an exception of the program": ("push 2\npush 3\npush 0x20\nrx\nexit\n", 9, "DIVIDE_BY_ZERO"),
    "a handler that passes it on": ("sx L\npush 1\npush 0\ndiv\nexit\nL:\nrx\nexit\n", 12, "DIVIDE_BY_ZERO"),
}


@pytest.fixture(params=PROGRAMS)
def case(request, tmp_path):
    body, line, said = PROGRAMS[request.param]
    path = tmp_path / "f.dp"
    path.write_text(HEAD.format(place=PLACE) + body)
    return path, line, said


def test_of_an_agent(case, sim_target, dprobes):
    path, line, said = case
    target = sim_target("--hits", 200, "--build-id")
    options = ("--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")
    run = dprobes("run", path, "--count", "1", "--quiet", *options)
    assert run.status == 0, run.stderr
    assert f"<ended by an exception: {said} at {path}:{line}>" in run.stdout, run.stdout
    run = dprobes("run", path, "--count", "1", "--quiet", "--format", "json", *options)
    record = next(each for each in map(json.loads, run.stdout.splitlines()) if each["kind"] == "log")
    assert record["exception"] and record["exception_name"] == said.split()[0]
    assert (record["exception_file"], record["exception_line"]) == (str(path), line)
    assert record["exception_parameter"] == (int(said.split("(")[1][:-1], 0) if "(" in said else record["exception_parameter"])
    number = record["program"]
    dprobes("insert", path, "--quiet", *options)
    run = dprobes("log", "--count", "1", "--quiet", "--port", target.url())
    assert number == "f" and f"<ended by an exception: {said}>" in run.stdout, run.stdout + run.stderr


def test_of_a_simulation(case, dprobes):
    path, line, said = case
    path.write_text(path.read_text().replace(PLACE, "address = 0x1000\nopcode = 0\n"))
    run = dprobes("simulate", path)
    assert f"exception: {said.split()[0]} (" in run.stdout and f" at {path}:{line + 1}," in run.stdout, run.stdout + run.stderr
