# SPDX-License-Identifier: BSD-2-Clause
"""The flight recorder and programs of the image on boards: a fault of the start-up is found by a program that the image
carries, and records stay over resets at any moment."""
import json
import random
import re
import socket
import subprocess

import cpus
import pytest
import sources_mk

from harness import process
from harness.other_build import other_build, readelf, with_another_id
from harness.paths import TOP, built, program
from harness.qemu import parameters

BOOT = "task_create:entry { trace(stringof(name)); trace(caller); }\n"
RIGHT, WRONG = "crunch1", "crunch0"  # names of tasks
COUNTS = "name = counts\nvars = 1\noffset = timer_isr\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
USUAL = cpus.boards(3)


def with_a_bad_name(elf, to):
    """A copy of the firmware in which a task gets the name of another one when the kernel starts."""
    data = elf.read_bytes()
    assert data.count(RIGHT.encode() + b"\0") == 1
    to.write_bytes(data.replace(RIGHT.encode() + b"\0", WRONG.encode() + b"\0"))


def range_of(board, elf, function):
    value, size = re.search(rf"^ *\d+: (\w+) +(\d+) FUNC .* {function}$", readelf(board, "-sW", elf), re.M).groups()
    return range(int(value, 16) & ~1, (int(value, 16) & ~1) + int(size) + 1)


# proves: R9.10
@pytest.mark.parametrize("flight", [True, False], ids=["flight", "stream"])
@pytest.mark.parametrize("board", parameters(cpus.boards(), usual=USUAL))
def test_a_fault_of_the_start(qemu, dprobes, tmp_path, board, flight):
    """Two tasks have one name since the start, long before a host comes: the program of the image has seen who gave it."""
    broken, probed, source = tmp_path / "broken.elf", tmp_path / "probed.elf", tmp_path / "boot.d"
    with_a_bad_name(built("boards", board, "demo.elf"), broken)
    source.write_text(BOOT)
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = dprobes("embed", source, "--elf", broken, "-o", probed, *(["--flight"] if flight else []), env=env)
    assert done.status == 0 and "1 program(s) in " in done.stderr, done
    before, after = broken.read_bytes(), probed.read_bytes()
    changed = [at for at, (one, other) in enumerate(zip(before, after)) if one != other]
    section = re.search(r"\] dprobes_embedded +\S+ +\w+ (\w+) (\w+) ", readelf(board, "-SW", probed))
    start, size = (int(text, 16) for text in section.groups())
    assert len(before) == len(after) and changed and start <= min(changed) and max(changed) < start + size
    machine = qemu(board, elf=probed)
    machine.com1.expect("demo>")
    port = ("--port", machine.url("com2"), "--elf", probed)
    # the first host gets the records that wait
    words = ("flight",) if flight else ("log", "boot", "--count", "9", "--timeout", "20")
    done = dprobes(*words, *port, "--format", "json", env=env)
    assert done.status == 0, done
    args = [[arg["value"] for arg in json.loads(line)["args"]] for line in done.stdout.splitlines() if '"args"' in line] or done
    names = [row[0] for row in args]
    assert names.count(WRONG) == 2 and RIGHT not in names and len(names) >= 4, args
    callers = [row[1] for row in args if row[0] == WRONG]
    assert all(int(str(caller), 0) in range_of(board, probed, "load_create") for caller in callers), args
    done = dprobes("list", *port, env=env)
    assert done.status == 0 and ", embedded" in done.stdout and (", flight recorder" in done.stdout) == flight, done
    done = dprobes("remove", "--all", *port, env=env)
    assert done.status == 0, done
    done = dprobes("info", "--verify-text", *port, env=env)
    assert done.status == 0 and "the same" in done.stdout, done


def test_refusals(dprobes, tmp_path):
    """No section, one that is too small, and no build-id."""
    board = USUAL[0]
    elf, source = built("boards", board, "demo.elf"), tmp_path / "boot.d"
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    source.write_text(BOOT)
    objcopy = program(cross + "objcopy")
    bare, small = tmp_path / "bare.elf", tmp_path / "small.elf"
    subprocess.run([objcopy, "-R", "dprobes_embedded", elf, bare], check=True)
    done = dprobes("embed", source, "--elf", bare, "-o", tmp_path / "out.elf")
    assert done.status == 1 and "the firmware reserves no section dprobes_embedded for programs" in done.stderr, done
    assert re.search(r"which need \d+ bytes; build the agent with -DDP_EMBED_BYTES=\d+", done.stderr), done
    (tmp_path / "zeros").write_bytes(bytes(64))
    subprocess.run([objcopy, "--update-section", f"dprobes_embedded={tmp_path / 'zeros'}", elf, small], check=True)
    done = dprobes("embed", source, "--elf", small, "-o", tmp_path / "out.elf")
    assert done.status == 1 and re.search(r"the programs need \d+ bytes, and section dprobes_embedded has 64; build", done.stderr), done
    subprocess.run([objcopy, "-R", ".note.gnu.build-id", elf, bare], check=True)
    done = dprobes("embed", source, "--elf", bare, "-o", tmp_path / "out.elf")
    assert done.status == 1 and "the firmware has no build-id: its programs would fit any build of it; link the firmware" in done.stderr, done
    assert not (tmp_path / "out.elf").exists()
    # a file that cannot be written whole leaves the one of before
    (tmp_path / "out.elf").write_text("before")
    (tmp_path / "out.elf.part").mkdir()
    done = dprobes("embed", source, "--elf", elf, "-o", tmp_path / "out.elf")
    assert done.status == 1 and "cannot write" in done.stderr and (tmp_path / "out.elf").read_text() == "before", done
    (tmp_path / "out.elf.part").rmdir()
    done = dprobes("embed", source, "--elf", elf, "-o", tmp_path / "out.elf")
    assert done.status == 0 and (tmp_path / "out.elf").stat().st_mode == elf.stat().st_mode, done
    assert [path.name for path in tmp_path.glob("out.elf*")] == ["out.elf"]
    (tmp_path / "out.elf").unlink()
    done = dprobes("embed", source, "--elf", elf)
    assert done.status == 1 and "-o FILE" in done.stderr
    done = dprobes("embed", source, "-o", tmp_path / "out.elf")
    assert done.status == 1 and "--elf FILE" in done.stderr
    done = dprobes("embed", source, "--elf", elf, "-o", elf)
    assert done.status == 1, done


# proves: R9.11
def test_another_image(qemu, dprobes, tmp_path):
    """A program that was built for another build is not armed, and `list` says why."""
    board = USUAL[0]
    elf, other = built("boards", board, "demo.elf"), other_build(board, tmp_path)
    source, built_for = tmp_path / "boot.d", tmp_path / "boot.ppdf"
    source.write_text(BOOT)
    assert dprobes("build", source, "--elf", elf, "-o", built_for).status == 0
    probed = tmp_path / "probed.elf"
    assert dprobes("embed", built_for, "--elf", other, "-o", probed).status == 1
    good = tmp_path / "good.elf"
    assert dprobes("embed", built_for, "--elf", elf, "-o", good).status == 0
    probed.write_bytes(with_another_id(board, good))
    machine = qemu(board, elf=probed)
    machine.com1.expect("demo>")
    done = dprobes("list", "--port", machine.url("com2"))
    assert done.status == 0 and done.stdout == "", done
    assert "program 1 of the image was refused: the object was built against another firmware image" in done.stderr, done


class Monitor:
    """QEMU's machine protocol."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(process.TIMEOUT_S)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        assert b"QMP" in self.lines.readline()
        self("qmp_capabilities")

    def __call__(self, command):
        self.socket.sendall(json.dumps({"execute": command}).encode() + b"\n")
        while "return" not in json.loads(self.lines.readline()):
            pass


# proves: R9.7 R9.8
@pytest.mark.parametrize("board", parameters(cpus.boards(3), usual=cpus.boards(1)))
def test_resets_at_random_moments(qemu, dprobes, tmp_path, board, amount):
    """QEMU resets the board while hits write records: each intact record was written, in the order of the hits."""
    monitor, source = tmp_path / "monitor", tmp_path / "counts.dp"
    source.write_text(COUNTS)
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    machine = qemu(board, extra=["-qmp", f"unix:{monitor},server=on,wait=off", "-action", "reboot=reset"])
    reset, port = Monitor(monitor), ("--port", machine.url("com2"), "--elf", built("boards", board, "demo.elf"))
    order = "big" if built("boards", board, "demo.elf").read_bytes()[5] == 2 else "little"
    rng, starts, records = random.Random(board), set(), 0
    machine.com1.expect("demo>")
    for start in range(2, amount(3, 200) + 2):
        done = dprobes("insert", source, "--flight", *port, env=env)
        assert done.status == 0, done
        # enough hits of the timer for some records; how many is left to chance
        for _ in range(rng.randrange(1, 4)):
            assert dprobes("list", *port, env=env).status == 0
        reset("system_reset")
        machine.com1.expect(rf"boot {start}\b")
        machine.com1.expect("demo>")
        done = dprobes("flight", *port, "--format", "json", env=env)
        assert done.status == 0 and "of start" in done.stderr, done
        numbers = [int.from_bytes(bytes.fromhex(json.loads(line)["data"]), order) for line in done.stdout.splitlines()]
        assert numbers and all(number in (before + 1, 1) for before, number in zip(numbers, numbers[1:])), numbers
        records += len(numbers)
        starts.update(re.findall(r"of start (\d+)", done.stderr))
    assert len(starts) >= 2 and records >= len(starts)


def test_capture(qemu, dprobes, tmp_path):
    """Values before and behind a trigger: the right number of each, one after the other, and nothing stays on the target."""
    board = USUAL[0]
    machine = qemu(board)
    machine.com1.expect("demo>")
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    port = ("--port", machine.url("com2"), "--elf", built("boards", board, "demo.elf"))
    words = ("read", "m->sequence", "--at", "queue.c:44", "--when", "m->sequence % 16 == 5", "--before", "20", "--after", "10")
    done = dprobes(*words, "--format", "json", *port, env=env)
    assert done.status == 0 and "20 value(s) before the trigger, 10 behind it" in done.stderr, done
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    values, seconds = [row["value"] for row in rows], [row["seconds"] for row in rows]
    assert values == list(range(values[0], values[0] + 31)) and values[20] % 16 == 5, values
    assert seconds == sorted(seconds) and seconds[20] == 0 and seconds[0] < 0 < seconds[-1], seconds
    done = dprobes(*words, *port, env=env)
    lines = done.stdout.splitlines()
    assert done.status == 0 and lines[0] == "m->sequence: 31 value(s)" and len(lines) == 10, done
    assert lines[-1].index("^ trigger") == lines[1].index("|") + 1 + 20, done
    assert lines[1].rstrip("|").endswith("*") and lines[8].index("*") == lines[8].index("|") + 1, done
    done = dprobes(*words[:4], "--when", "m->sequence < 0", "--timeout", "1", *port, env=env)
    assert done.status == 124 and "the trigger has not come" in done.stderr, done
    # a record whose expression faults has no value: the mark stays with the trigger
    done = dprobes("read", "m->sequence % 4 == 1 ? *(int *)0xfffffff0 : 1", *words[2:4], "--when", "m->sequence % 16 == 6", *words[6:], *port, env=env)
    lines = done.stdout.splitlines()
    assert done.status == 0 and "20 value(s) before the trigger, 10 behind it" in done.stderr, done
    count = int(re.search(r": (\d+) value\(s\)", lines[0]).group(1))
    assert count < 31 and lines[-1].index("^ trigger") == lines[1].index("|") + 1 + 15, done
    # ^C in the wait leaves nothing either
    waiting = dprobes.start(*words[:4], "--when", "m->sequence < 0", "--verbose", *port, env=env)
    waiting.err.expect("waiting for the trigger")
    assert waiting.interrupt().status == 130
    done = dprobes("list", *port, env=env)
    assert done.stdout == "" and "0 intact record(s)" in dprobes("flight", *port, env=env).stderr, done


def test_capture_refused(qemu, dprobes, tmp_path):
    board = USUAL[0]
    machine, source = qemu(board), tmp_path / "counts.dp"
    machine.com1.expect("demo>")
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    port = ("--port", machine.url("com2"), "--elf", built("boards", board, "demo.elf"))
    source.write_text(COUNTS)
    words = ("read", "m->sequence", "--at", "queue.c:44", *port)
    assert dprobes("insert", source, "--flight", *port, env=env).status == 0
    done = dprobes(*words, env=env)
    assert done.status == 4 and "another program uses the flight recorder" in done.stderr, done
    assert dprobes("remove", "--all", *port, env=env).status == 0
    done = dprobes(*words, env=env)
    assert done.status == 4 and re.search(r"the flight recorder has \d+ record\(s\): 'dprobes flight' prints them", done.stderr), done
    assert dprobes("flight", "--clear", *port, env=env).status == 0
    assert "frozen" in dprobes("flight", "--freeze", *port, env=env).stderr
    done = dprobes(*words, env=env)
    assert done.status == 4 and "the flight recorder is frozen, and has no record: 'dprobes flight --clear'" in done.stderr, done
    assert dprobes("flight", "--clear", *port, env=env).status == 0
    for wrong, sentence in ((("read", "x", "--when", "1"), "add --at PLACE"), (("read", "x", "--at", "queue.c:44", "--every", "1"), "leave out --every")):
        done = dprobes(*wrong, *port)
        assert done.status == 1 and sentence in done.stderr, done


# proves: R9.4
@pytest.mark.parametrize("board", parameters(cpus.boards(), usual=USUAL))
def test_the_fault_handler_freezes(qemu, dprobes, tmp_path, board):
    """A task faults; the kernel's handler freezes the recorder, and after a restart the last record is there."""
    machine, source = qemu(board), tmp_path / "counts.dp"
    machine.com1.expect("demo>")
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    port = ("--port", machine.url("com2"), "--elf", built("boards", board, "demo.elf"))
    source.write_text("name = faults\noffset = kernel_fault\npush 7\nlog 1\nexit\n")
    assert dprobes("insert", source, "--flight", *port, env=env).status == 0
    machine.com1.send("fault undef\n")
    machine.com1.expect("the task ends")
    machine.com1.send("fault undef\n")
    machine.com1.expect("the task ends")
    machine.com1.send("reboot\n")
    machine.com1.expect(r"boot 2\b")
    machine.com1.expect("demo>")
    done = dprobes("flight", *port, env=env)
    assert done.status == 0 and len(done.stdout.splitlines()) == 1 and "frozen" in done.stderr, done
    done = dprobes("flight", "--elf", other_build(board, tmp_path), *port[:2], env=env)
    assert "was built for another build of the firmware than" in done.stderr and len(done.stdout.splitlines()) == 1, done
