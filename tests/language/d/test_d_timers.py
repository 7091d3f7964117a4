# SPDX-License-Identifier: BSD-2-Clause
"""Timers of D: what a name such as tick-500ms compiles to, what a clause of a timer can read, and what the simulator makes of
it. Descriptions that are refused stand in errors.txt."""
import json
import re

import d_cases
import pytest

import cpus

ORDER = {cpu: cpus.of(cpu).d_order for cpu in cpus.first_of_each_order()}
SECOND = 10**9
# name: (seconds, nanoseconds). hz is a whole number of nanoseconds, rounded down, as DTrace rounds.
PERIODS = {
    "tick-1s": (1, 0), "tick-1sec": (1, 0), "tick-100ms": (0, 100_000_000), "tick-1500msec": (1, 500_000_000), "tick-10hz": (0, 100_000_000),
    "tick-10": (0, 100_000_000), "tick-97": (0, SECOND // 97), "tick-1hz": (1, 0), "tick-3m": (180, 0), "tick-2min": (120, 0), "tick-1h": (3600, 0),
    "tick-1hour": (3600, 0), "tick-2d": (172800, 0), "tick-1day": (86400, 0), "tick-7us": (0, 7000), "tick-1usec": (0, 1000), "tick-1ns": (0, 1),
    "tick-5nsec": (0, 5), "tick-2147483647s": (2147483647, 0), "tick-1000000000hz": (0, 1), "tick-10MS": (0, 10_000_000),
    "profile-97": (0, SECOND // 97), "profile-97hz": (0, SECOND // 97), "profile-10ms": (0, 10_000_000), "profile-500us": (0, 500_000),
    "profile-1s": (1, 0), "profile:::tick-1s": (1, 0), "profile:::profile-1000": (0, 1_000_000), ":::tick-10ms": (0, 10_000_000),
}
# What a name is printed as where the target tells only the period.
NAMES = {"tick-10hz": "tick-100ms", "tick-1500msec": "tick-1500ms", "tick-97": "tick-97", "tick-3m": "tick-180s", "tick-7us": "tick-7us",
         "tick-5nsec": "tick-5ns", "profile-97hz": "profile-97", "profile-10ms": "profile-100", "profile-3ms": "profile-3ms",
         "profile-1s": "profile-1s", "profile-7777": "profile-7777"}


@pytest.fixture(scope="module", params=sorted(ORDER))
def board(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    return request.param, folder, d_cases.firmware(folder, request.param)


@pytest.fixture
def build(dprobes, board):
    """Compiles a program for the firmware of the CPU. Returns what is said of it."""
    def compiled(text):
        (board[1] / "t.d").write_text(text, encoding="utf-8")
        result = dprobes("build", "--elf", board[2], "-o", "t.ppdf", "t.d", cwd=board[1])
        assert result.status == 0, result.stderr
        return result.stderr
    return compiled


def shown(dprobes, build, board, names):
    """(printed name, address) of each point of a program that has the timers."""
    build("".join(f"{name} {{ n++; }}\n" for name in names))
    text = dprobes("disasm", "t.ppdf", cwd=board[1]).stdout
    return [(name, int(offset, 16)) for name, offset in
            re.findall(r"^// (\S+), which only D programs have\noffset = (\w+)$", text, re.M)]


def test_periods(dprobes, build, board):
    """Every unit; without one the number is times a second. What is printed is the name of the same timer."""
    # tick-1s and profile:::tick-1s are one point
    points = [point for colons in (False, True) for point in shown(dprobes, build, board, [name for name in PERIODS if (":" in name) == colons])]
    assert len(points) == len(PERIODS)
    for (name, (seconds, nanoseconds)), (printed, offset) in zip(sorted(PERIODS.items(), key=lambda item: ":" in item[0]), points):
        assert offset == seconds | ("profile-" in name) << 31, name
        assert PERIODS.get(printed, (seconds, nanoseconds)) == (seconds, nanoseconds), name
    again = list(dict.fromkeys(points))
    assert shown(dprobes, build, board, [printed for printed, _offset in again]) == again


def test_names_of_periods(dprobes, build, board):
    """The period alone travels to the target; its usual name is printed."""
    assert [printed for printed, _offset in shown(dprobes, build, board, NAMES)] == list(NAMES.values())


def test_equal_names_are_one_point(dprobes, board):
    """Two names of one period are two timers, as in DTrace: probename tells them apart."""
    listed = dprobes("-en", "tick-1s { n++; } profile:::tick-1s { m++; } tick-1000ms, tick-1s { o++; }", "--elf", board[2])
    assert listed.stdout.splitlines() == ["profile:::tick-1s", "profile:::tick-1000ms"], listed.stderr


def test_list(dprobes, board):
    listed = dprobes("-l", "tick-1s,profile:::profile-97", "--elf", board[2])
    assert listed.status == 0, listed.stderr
    assert listed.stdout.splitlines() == ["profile:::tick-1s", "profile:::profile-97"]


def hits(dprobes, board, text, *more, status=0):
    """The texts of the records, and what is said."""
    cpu, folder, elf = board
    (folder / "t.d").write_text(text, encoding="utf-8")
    result = dprobes("simulate", "--elf", elf, "--format", "json", *more, "t.d", cwd=folder)
    assert result.status == status, result.stderr
    return [row["text"] for row in map(json.loads, result.stdout.splitlines()) if row["kind"] == "hit" and "text" in row], result.stderr


def address(dprobes, board, name):
    found = dprobes("symbols", name, "--elf", board[2], "--format", "json").objects()
    return next(int(row["address"], 16) for row in found if row["name"] == name) & ~1


def test_arguments(dprobes, board):
    """arg0 is the interrupted pc, arg1 0; in tick both are 0."""
    text = 'profile-97, tick-1s { printf("%d %d %s %s|%s|%s", arg0, arg1, probeprov, probename, probemod, probefunc); }\n'
    found, said = hits(dprobes, board, text, "--reg", "pc=0x1234", "--hits", "1:1", "--hits", "2:1")
    assert found == ["4660 0 profile profile-97||", "0 0 profile tick-1s||"] and said == ""


def test_pc_and_functions_of_it(dprobes, board):
    take = address(dprobes, board, "take")
    text = 'profile-97 { printf("%a %d %d", pc, pc == arg0, uregs[R_PC] == arg0); func(arg0); sym(arg0); @[func(arg0)] = count(); }\n'
    found, said = hits(dprobes, board, text, "--reg", f"pc={take + 4:#x}")
    assert [word for one in found for word in one.split()] == ["take+0x4", "1", "1", "take", "take"], (found, said)


def test_the_registers_that_a_board_tells(dprobes, board):
    """pc, sp and the return address; the caller is the last of these, and is warned about."""
    ra = "lr" if board[0] != "riscv" else "ra"
    text = f'profile-97 {{ printf("%x %x %x", uregs[R_PC], uregs[R_SP], uregs[R_{ra.upper()}]); printf(" %p", caller); }}\n'
    found, said = hits(dprobes, board, text, "--reg", "pc=0x10", "--reg", "sp=0x20", "--reg", f"{ra}=0x30")
    assert found == ["10 20 30 0x30"]
    assert said.count("caller in profile-97 is the register of the return address") == 1, said


def test_the_stack_has_three_registers(dprobes, board):
    """The host unwinds from what the board tells; other registers of the frame are zero, and would be believed."""
    (board[1] / "t.d").write_text("profile-97 { stack(); }\n", encoding="utf-8")
    assert dprobes("build", "--elf", board[2], "-o", "t.ppdf", "t.d", cwd=board[1]).status == 0
    shown = dprobes("disasm", "t.ppdf", cwd=board[1]).stdout
    pushed = set(re.findall(r"push r, (\w+)", shown))
    assert len(pushed) == 3 and pushed < {"pc", "nip", "sp", "r1", "r29", "lr", "ra", "lnk", "r31"}, shown


@pytest.mark.parametrize("name", ["execname", "curthread", "pid", "tid"])
def test_the_task_of_tick_is_the_one_that_polls(dprobes, board, name):
    for timer, warned in (("tick-1s", 1), ("profile-97", 0)):
        _, said = hits(dprobes, board, f"{timer} {{ @[{name}] = count(); }}\n")
        assert said.count(f"'{name}' in tick-1s is that of the task that polls") == warned, said


def test_a_clause_of_a_timer_and_a_function(dprobes, board):
    """Each point has the clause in its own sense."""
    text = 'take:entry, tick-1s { n++; printf("%s %d", probename, n); }\n'
    assert hits(dprobes, board, text, "--hits", "1:2", "--hits", "2:1")[0] == ["entry 1", "entry 2", "tick-1s 3"]


def test_names_of_hits(dprobes, board):
    """An event and a timer have no address: the simulator prints their names."""
    (board[1] / "t.d").write_text("BEGIN, END, profile-97, tick-1s, take:entry { n++; }\n", encoding="utf-8")
    each = [word for minor in range(1, 6) for word in ("--hits", f"{minor}:1")]
    words = ("simulate", "t.d", "--elf", board[2], *each)
    names = {"BEGIN", "END", "profile-97", "tick-1s"}
    text = dprobes(*words, cwd=board[1]).stdout
    assert {name for name in re.findall(r"^hit \d+: minor \d+ at (\S+)$", text, re.M) if not name.startswith("0x")} == names, text
    rows = [row for row in map(json.loads, dprobes(*words, "--format", "json", cwd=board[1]).stdout.splitlines()) if row["kind"] == "hit"]
    assert {row["name"] for row in rows if "name" in row} == names and all(("name" in row) != ("address" in row) for row in rows), rows


def test_the_clock_of_the_simulator(dprobes, board):
    text = "tick-1s { t = timestamp; printf(\"%d\", (t - before) / 1000000); before = t; }\n"
    found, _ = hits(dprobes, board, text, "--hits", 1, "--time", 1_000_000_000, "--hits", 1, "--time", 250_000_000, "--hits", 1)
    assert found[1:] == ["1000", "250"], found
    _, said = hits(dprobes, board, text, "--time", "soon", status=1)
    assert "'soon' is no number of nanoseconds" in said


def test_printa_and_trunc_in_tick(dprobes, board):
    """The records of a tick print what the program counted until then."""
    (board[1] / "t.d").write_text("take:entry { @[n] = count(); }\ntick-1s { printa(\"%d %@d\\n\", @); trunc(@); }\n", encoding="utf-8")
    done = dprobes("simulate", "--elf", board[2], "--hits", "1:3", "--hits", "2:1", "--hits", "1:2", "--hits", "2:1", "t.d", cwd=board[1])
    assert re.findall(r"^ *(0 \d)$", done.stdout, re.M) == ["0 3", "0 2"], done.stdout + done.stderr


def test_check(dprobes, board):
    (board[1] / "t.d").write_text("tick-1s { n++; }\nprofile-97 { @[arg0] = count(); }\ntake:entry { n++; }\n", encoding="utf-8")
    shown = dprobes("check", "--elf", board[2], "t.d", cwd=board[1])
    assert shown.status == 0 and "timers:  2 of the agent's" in shown.stdout and "comparators" not in shown.stdout, shown.stdout + shown.stderr
    assert dprobes("check", "--elf", board[2], "--format", "json", "t.d", cwd=board[1]).objects()[0]["timers"] == 2
