# SPDX-License-Identifier: BSD-2-Clause
"""dprobes flight, insert --flight and list: the real agent on the simulated CPU, over warm restarts and power cycles."""
import json
import pathlib
import random
import re

import pytest


COUNTS = "name = counts\nvars = 1\noffset = hot\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
FREEZES = "name = freezes\noffset = queue_put\npush 2\nfreeze\nabort\n"
DONE, USAGE, AGENT, LOST = 0, 1, 4, 5


class Flight:
    """A target, and commands for it with a folder of kept objects of their own."""

    def __init__(self, target, dprobes, folder):
        self.target, self.folder = target, folder
        self.env = {"XDG_CACHE_HOME": str(folder)}
        self.tool = dprobes

    def __call__(self, *words):
        return self.tool(*words, "--port", self.target.url(), env=self.env)

    def insert(self, text, *words):
        file = self.folder / "program.dp"
        file.write_text(text)
        done = self("insert", file, "--sym", self.target.map, "--dont-verify-opcodes", *words)
        assert done.status == DONE, done
        return done

    def numbers(self):
        """What the intact records have logged."""
        done = self("flight", "--format", "json")
        return [int.from_bytes(bytes.fromhex(json.loads(line)["data"]), "little") for line in done.stdout.splitlines()], done


@pytest.fixture
def flight(sim_target, dprobes, tmp_path):
    def make(*options, **profile):
        return Flight(sim_target(*options, **profile), dprobes, tmp_path)
    return make


def call(target, name, times):
    for _ in range(times):
        target.console(f"call {name}", "sum")


# proves: R9.1 R9.7
def test_records_stay(flight):
    """Nothing is sent; `dprobes flight` prints the records, and again after a warm restart, with the start that made each."""
    f = flight()
    assert "0 intact record(s)" in f("flight").stderr
    f.insert(COUNTS, "--flight")
    assert ", flight recorder" in f("list").stdout
    call(f.target, "hot", 3)
    done = f("flight")
    assert done.status == DONE and len(done.stdout.splitlines()) == 3, done
    assert all(re.fullmatch(r"DProbes.* 0[123]000000|DProbes.* [123]", line) for line in done.stdout.splitlines()), done
    assert "dprobes: 3 record(s) of start 1, which still runs\n" in done.stderr
    assert "dprobes: 3 intact record(s)\n" in done.stderr
    f.target.warm_restart()
    f.insert(COUNTS, "--flight")
    call(f.target, "hot", 1)
    done = f("flight")
    assert done.status == DONE and len(done.stdout.splitlines()) == 4, done
    assert "3 record(s) of start 1\n" in done.stderr and "1 record(s) of start 2, which still runs\n" in done.stderr
    assert f.numbers()[0] == [1, 2, 3, 1]
    f.target.power_cycle()
    done = f("flight")
    assert done.status == DONE and done.stdout == "" and "0 intact record(s)" in done.stderr, done


# proves: R9.4 R9.5
def test_freeze_and_clear(flight):
    f = flight()
    f.insert(COUNTS, "--flight")
    f.insert(FREEZES)
    call(f.target, "hot", 2)
    call(f.target, "queue_put", 1)
    assert "freezes behind the next records" in f("flight").stderr
    call(f.target, "hot", 5)
    numbers, done = f.numbers()
    assert numbers == [1, 2, 3, 4] and "frozen: 'dprobes flight --clear' starts anew" in done.stderr, done
    done = f("flight", "--clear")
    assert done.status == DONE and "the flight recorder is empty, and takes records" in done.stderr, done
    call(f.target, "hot", 1)
    assert f.numbers()[0] == [8]
    assert "frozen" in f("flight", "--freeze").stderr
    call(f.target, "hot", 1)
    assert f.numbers()[0] == [8]
    done = f("flight", "--freeze", "--clear")
    assert done.status == USAGE and "exclude one another" in done.stderr


# proves: R9.1
def test_an_unknown_program(flight):
    """Another user has inserted the program: its records are bytes, until the object is given."""
    f = flight()
    f.insert(COUNTS, "--flight")
    call(f.target, "hot", 1)
    for path in pathlib.Path(f.folder).glob("dprobes/*.ppdf"):
        path.unlink()
    done = f("flight")
    assert done.status == DONE and "was not kept here, so its records are shown as bytes" in done.stderr, done
    built = f.folder / "counts.ppdf"
    (f.folder / "counts.dp").write_text(COUNTS)
    assert f.tool("build", f.folder / "counts.dp", "-o", built, "--cpu", "sim", "--sym", f.target.map, "--dont-verify-opcodes").status == DONE
    done = f("flight", built)
    assert "was not kept here" not in done.stderr and len(done.stdout.splitlines()) == 1, done


@pytest.mark.parametrize("profile", ["minimal", "small"])
def test_refused(flight, profile):
    f = flight(profile=profile)
    port = ("--port", f.target.url("com1"))
    done = f.tool("flight", *port)
    assert done.status == AGENT and "DP_WITH_HISTORY" in done.stderr, done
    file = f.folder / "program.dp"
    file.write_text(COUNTS)
    done = f.tool("insert", file, "--flight", "--sym", f.target.map, "--dont-verify-opcodes", *port)
    assert done.status == AGENT and "--flight" in done.stderr and "DP_WITH_HISTORY" in done.stderr, done


# proves: R9.8
def test_resets_lose_no_record(flight, amount):
    """The target restarts again and again: no record is invented, and none is lost but the oldest."""
    f = flight()
    rng, written = random.Random(7), []
    f.insert(COUNTS, "--flight")
    for _ in range(amount(4, 200)):
        calls = rng.randrange(1, 6)
        call(f.target, "hot", calls)
        written += range(1, calls + 1)
        f.target.warm_restart()
        numbers, done = f.numbers()
        starts = [int(n) for n in re.findall(r"record\(s\) of start (\d+)", done.stderr)]
        assert done.status == DONE and starts == sorted(starts), done
        # a ring of 4096 bytes has room for 113 records of 36 bytes
        assert len(numbers) >= min(len(written), 112) and numbers == written[-len(numbers):]
        f.insert(COUNTS, "--flight", "--replace")
