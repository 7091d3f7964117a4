# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs: guest instructions added to the probed one, counted exactly (scons bench).

The probe is at the entry of the demo kernel's queue_put, counted from there to its second instruction, or at a return,
counted to the caller. What the instructions take without a probe is not counted. An interrupt calls queue_put, so no other
comes on the way. The least of all hits and their mean have a row each: the mean has the work that only some hits do.
BENCH_PROFILE=1 in the environment prints where they go; build/bench/stages.svg shows it.
"""
import functools
import json
import os
import re
import subprocess
import time

import pytest

import cpus
import sources_mk
import stages_svg
from harness.paths import BUILD, TOP, built, program

HITS, HITS_BEFORE, POLLS = 50, 5, 400
SCENARIOS = {
    "null hit": "abort\n",
    "null hit, logonfault": "logonfault = yes\nabort\n",
    "empty record": "exit\n",
    "predicate false": "push r, sp\npush mem, u32\npush 0x12345678\nsub\njz same\nabort\n"
                       "same: push 1\nlog 1\nexit\n",
    "record of two words": "push r, arg0\npush r, arg1\nlog 2\nexit\n",
}
# Programs that people type: those of D.md's first page, and their kinds.
D_PROGRAMS = {
    "D predicate false": "queue_put:entry /q->count > 60/ { trace(q->size); }",
    "D count": "queue_put:entry { @ = count(); }",
    "D count by caller": "queue_put:entry { @[caller] = count(); }",
    "D quantize by caller": "queue_put:entry { @[caller] = quantize(q->count); }",
    "D printf of two members": 'queue_put:entry { printf("%d of %d\\n", q->count, q->size); }',
}
SESSION = TOP / "boards" / "demo" / "1-callers.dp"  # of README.md


# How an instruction is stepped, by how the first of its kind in queue_put looks.
ENTRY = r""
MOVE = r"mov\s+%\w+,%\w+$|(movs?|move|mr|mv)\b(?!.*%)"
KINDS = {
    "one trap": r"mov\s+%\w+,%\w+$|mov(?!.*%)|addiu|addi?\b|mr\b|mv\b",
    "load": r"ldr\b|lwz?\b|mov\s+-?\w*\(.*\),%",
    "store": r"str\b|stw\b|sw\b|mov\s+%\w+,-?\w*\(",
}
RETURNS = r"(pop|ldm\w*)\b.*\bpc\}|bx\s+lr|jr\s+ra|blr|ret\b"
BOARDS = cpus.code_boards()
OTHER_BOARDS = [board for row in cpus.rows() for board in row.other_boards]
HOOKS = cpus.hooked_boards()
# Scenarios whose instructions build/bench/stages.svg shows.
SHOWN = ("null hit", "record of two words")


# --- places ---

@functools.cache
def code(board, function="queue_put", program_name="demo"):
    """(address, text) of each instruction. program_name: another kernel than demo.elf."""
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    text = subprocess.run([program(cross + "objdump"), "-d", "--no-show-raw-insn", f"--disassemble={function}",
                           built("boards", board, *([] if program_name == "demo" else [program_name]), f"{program_name}.elf")], capture_output=True, text=True, check=True).stdout
    return [(int(address, 16), what) for address, what in
            re.findall(r"^\s*([0-9a-f]+):\t(.*)$", text, re.MULTILINE)]


def place(board, pattern=ENTRY):
    """(offset in queue_put, (address, that of the next instruction)) of the first instruction that looks so."""
    lines = code(board)
    at = next(i for i, (_, text) in enumerate(lines) if re.match(pattern, text))
    return lines[at][0] - lines[0][0], (lines[at][0], lines[at + 1][0])


def behind_call(board, function, callee, program_name="demo"):
    """The address to which the callee returns."""
    lines = code(board, function, program_name)
    at = next(i for i, (_, text) in enumerate(lines) if f"<{callee}>" in text)
    return lines[at + 1 + any(row.delay_slots for row in cpus.rows() if board in row.code_boards)][0]


def returns(board):
    """(offset in queue_put, (address, that in the interrupt that calls it)) of each return."""
    back, begin = behind_call(board, "sensor_isr", "queue_put"), code(board)[0][0]
    return [(address - begin, (address, back)) for address, text in code(board) if re.match(RETURNS, text)]


# --- counting ---

def rpn(places, handler, name="bench"):
    """(file, text) of a program with the handler at each place."""
    return f"{name}.dp", f'name = "{name}"\n' + "".join(f"offset = queue_put+{at}\n{handler}" for at, _ in places)


def more(counter, window, count):
    """So many counts more of the window."""
    before = len(counter.counts().get(window, ()))
    while len(counter.counts().get(window, ())) < before + count:
        time.sleep(0.1)  # ended by the time limit at the latest
    return counter.counts()[window][before:]


def least_and_mean(counts):
    return min(counts), round(sum(counts) / len(counts))


@pytest.fixture(name="hits")
def _hits(counted, dprobes, tmp_path, capsys, limits):
    """hits(board, name, [(file, text)], places, ...): a row of the least and of the mean."""
    printed = "BENCH_PROFILE" in os.environ

    def insert(machine, elf, programs, options):
        for file, text in programs:
            (tmp_path / file).write_text(text)
            done = dprobes("insert", "--port", machine.url("com2"), "--elf", elf, *options,
                           tmp_path / file, sanitized=False)
            assert done.status == 0, done.stderr

    def measure(board, name, programs, places=None, options=(), shown=False, elf=None):
        """(function, instructions) of the shortest hit, when shown or asked for. elf: in the place of demo.elf."""
        elf = elf or built("boards", board, "demo.elf")
        windows = {f"hit{i}": window for i, (_, window) in enumerate(places or [place(board)])}
        machine, counter = counted(board, windows, trace=printed or shown, elf=elf)
        machine.com1.expect("demo>")
        while not (used := [w for w in windows if len(counter.counts().get(w, ())) >= HITS_BEFORE]):
            time.sleep(0.1)
        window = used[0]
        own = min(counter.counts()[window])
        insert(machine, elf, programs, options)
        before = len(counter.counts()[window])
        hits = more(counter, window, HITS)
        least, mean = (value - own for value in least_and_mean(hits))
        assert least > 0, "the probe was not hit"
        removed = dprobes("remove", "--port", machine.url("com2"), "--all", sanitized=False)
        assert removed.status == 0, removed.stderr
        profile = counter.profile(window, slice(before, before + len(hits))) if printed or shown else []
        with capsys.disabled():
            print(f"\n{board:12} {name:25} {least:5} instructions added, least of {len(hits)}; mean {mean:5}")
            for function, count in profile if printed else []:
                print(f"{count:8}  {function}")
        limits.check_exact({f"hit, {board}: {name}": least})
        limits.check({f"hit, {board}: {name}, mean": mean})
        return profile

    return measure


# --- rows ---

@pytest.fixture(scope="module")
def stages():
    """(title, [(function, instructions)]) of the hits that the picture shows."""
    found = []
    yield found
    stages_svg.write(BUILD / "bench" / "stages.svg", found)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("board", BOARDS)
def test_hit(board, scenario, hits, stages):
    profile = hits(board, scenario, [rpn([place(board)], SCENARIOS[scenario])], shown=scenario in SHOWN)
    if scenario in SHOWN:
        stages.append((f"{board}, {scenario}", profile))


@pytest.mark.parametrize("scenario", SHOWN)
@pytest.mark.parametrize("board", OTHER_BOARDS)
def test_hit_of_another_architecture(board, scenario, hits):
    hits(board, scenario, [rpn([place(board)], SCENARIOS[scenario])])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("board", BOARDS)
def test_stepping(board, kind, hits):
    places = [place(board, KINDS[kind])]
    hits(board, kind, [rpn(places, SCENARIOS["null hit"])], places)


@pytest.mark.parametrize("name", D_PROGRAMS)
@pytest.mark.parametrize("board", BOARDS)
def test_d(board, name, hits):
    hits(board, name, [("bench.d", D_PROGRAMS[name])])


@pytest.mark.parametrize("what", ["hook", "move"])
@pytest.mark.parametrize("board", HOOKS)
def test_hook(board, what, hits, dprobes):
    """The no-op of a static hook, and the first instruction of its function that is a move."""
    elf = built("boards", board, "hooks", "hooks.elf")
    row, = [json.loads(line) for line in dprobes("-l", "sdt::queue_put:send", "--format", "json", "--elf", elf).stdout.splitlines()]
    lines = code(board, "queue_put", "hooks")
    addresses = [address for address, _ in lines]
    move = next(i for i, (_, text) in enumerate(lines) if re.match(MOVE, text))
    at, program = {
        "hook": (addresses.index(int(row["address"], 16)), ("bench.dp", 'name = "bench"\nhook = queue:send\nabort\n')),
        "move": (move, rpn([(addresses[move] - addresses[0], None)], SCENARIOS["null hit"]))}[what]
    hits(board, f"{what}, null", [program], [(0, (addresses[at], addresses[at + 1]))], elf=elf)


@pytest.mark.parametrize("board", BOARDS)
def test_session(board, hits):
    """The session of README.md."""
    text = SESSION.read_text(encoding="utf-8")
    hits(board, "two words with PC and TSC", [(SESSION.name, text)], options=["--log", "PC,TSC"])


@pytest.mark.parametrize("board", BOARDS)
def test_two_probes(board, hits):
    hits(board, "two null probes", [rpn([place(board)], SCENARIOS["null hit"], name) for name in ("bench", "second")])


@pytest.mark.parametrize("board", BOARDS)
def test_return(board, hits):
    hits(board, "return, null", [rpn(returns(board), SCENARIOS["null hit"])], returns(board))


@pytest.mark.parametrize("board", BOARDS)
def test_injected(board, counted, dprobes, tmp_path, capsys, limits):
    """From the entry of a function that return() ends at once to its caller: all instructions, also those of the caller's call."""
    elf = built("boards", board, "faults", "faults.elf")
    window = ("queue_put", behind_call(board, "sensor_isr", "queue_put", "faults"))
    machine, counter = counted(board, {"hit0": window}, elf=elf)
    machine.com1.expect("demo>")
    (tmp_path / "bench.d").write_text("queue_put:entry { return(0); }")
    done = dprobes("insert", "--write", "--port", machine.url("com2"), "--elf", elf, tmp_path / "bench.d", sanitized=False)
    assert done.status == 0, done.stderr
    least, mean = least_and_mean(more(counter, "hit0", HITS)[HITS_BEFORE:])
    with capsys.disabled():
        print(f"\n{board:12} {'return(0)':25} {least:5} instructions, least of {HITS}; mean {mean:5}")
    limits.check_exact({f"hit, {board}: return(0)": least})
    limits.check({f"hit, {board}: return(0), mean": mean})


@pytest.mark.parametrize("board", BOARDS)
def test_idle_poll(board, counted, dprobes, tmp_path, capsys, limits):
    """A poll that finds no work, without a probe and with one. The mean has the patrol."""
    machine, counter = counted(board, {"poll": ("dprobes_poll", behind_call(board, "poll_main", "dprobes_poll"))})
    machine.com1.expect("demo>")
    file, text = rpn([place(board)], SCENARIOS["null hit"])
    (tmp_path / file).write_text(text)
    for name in ("no probe", "one probe"):
        if name == "one probe":
            done = dprobes("insert", "--port", machine.url("com2"), "--elf", built("boards", board, "demo.elf"), tmp_path / file,
                           sanitized=False)
            assert done.status == 0, done.stderr
        least, mean = least_and_mean(more(counter, "poll", POLLS))
        with capsys.disabled():
            print(f"\n{board:12} idle poll, {name:14} {least:5} instructions, least of {POLLS}; mean {mean:5}")
        limits.check_exact({f"idle poll, {board}: {name}": least})
        limits.check({f"idle poll, {board}: {name}, mean": mean})


SAMPLES = 50
SAMPLED = {"nothing due": "", "@ = count()": "@ = count();", "@[arg0] = count()": "@[arg0] = count();"}


@pytest.mark.parametrize("board", BOARDS)
def test_sample(board, counted, dprobes, tmp_path, capsys, limits):
    """A call of dprobes_sample: without a timer, and with one that is due in each call."""
    printed = "BENCH_PROFILE" in os.environ
    machine, counter = counted(board, {"sample": ("dprobes_sample", behind_call(board, "agent_sample", "dprobes_sample"))}, trace=printed)
    machine.com1.expect("demo>")
    line = "--port", machine.url("com2")
    hz = dprobes("info", *line, "--format", "json", sanitized=False).objects()[0]["sample_hz"]
    for name, statement in SAMPLED.items():
        if statement:
            (tmp_path / "bench.d").write_text(f"profile-{hz} {{ {statement} }}", encoding="utf-8")
            done = dprobes("insert", *line, "--elf", built("boards", board, "demo.elf"), "--replace", tmp_path / "bench.d", sanitized=False)
            assert done.status == 0, done.stderr
            more(counter, "sample", SAMPLES)  # the keys have their entries
        before = len(counter.counts()["sample"])
        least, mean = least_and_mean(more(counter, "sample", SAMPLES))
        with capsys.disabled():
            print(f"\n{board:12} sample, {name:20} {least:5} instructions, least of {SAMPLES}; mean {mean:5}")
            for function, count in counter.profile("sample", slice(before, before + SAMPLES)) if printed else []:
                print(f"{count:8}  {function}")
        limits.check_exact({f"sample, {board}: {name}": least})
        limits.check({f"sample, {board}: {name}, mean": mean})
