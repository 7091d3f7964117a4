# SPDX-License-Identifier: BSD-2-Clause
"""libdprobes from outside: test_public_api.c needs nothing but the installed headers and the library,
and does with them what the command does."""
import subprocess

import pytest

from harness import process
from harness.paths import BUILD, TESTS, TOP, built, program


@pytest.fixture(scope="session")
def example(tmp_path_factory):
    """The program, compiled as somebody else's would be."""
    folder = tmp_path_factory.mktemp("api")
    libraries = subprocess.run([program("pkg-config"), "--libs", "libelf", "libdw", "zlib", "libserialport"],
                               capture_output=True, text=True, check=True).stdout.split()
    subprocess.run([program("gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic",
                    f"-I{built('host', 'include')}", str(TESTS / "host" / "test_public_api.c"),
                    str(built("host", "libdprobes.a")), *libraries, "-o", str(folder / "example")],
                   check=True)
    return folder / "example"


def run(*words, cwd):
    done = subprocess.run(words, capture_output=True, text=True, cwd=cwd, timeout=process.TIMEOUT_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_compile_check_simulate(example, tmp_path):
    lines = run(example, cwd=tmp_path)
    assert "simulated: DProbes(5,6) 3, 5 steps" in lines and lines[-1] == "good"


def test_insert_read_remove(example, sim_target, tmp_path):
    target = sim_target("--hits", 200)
    lines = run(example, target.url("com2"), target.map, cwd=tmp_path)
    assert lines[-1] == "good"
    assert len([line for line in lines if line.startswith("DProbes(5,6) pc=")]) >= 5
    assert target.text_is_original()


def test_only_public_headers_are_installed():
    """Each compiles alone, in C11, without our include paths."""
    include = BUILD / "host" / "include"
    built("host", "include")
    headers = sorted(include.rglob("*.h"))
    assert {header.parent for header in headers} == {include / "dprobes"}
    for header in headers:
        done = subprocess.run([program("gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic",
                               "-fsyntax-only", f"-I{include}", "-xc", "-"],
                              input=f'#include <dprobes/{header.name}>\nextern int nothing;\n',
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert (TOP / "host/include/dprobes" / header.name).exists() or (TOP / "protocol" / header.name).exists()
