# SPDX-License-Identifier: BSD-2-Clause
"""Late is not lost, noise costs little, and silence is told: on a line with a clock of its own (lib/harness/own_time.py).

The command's clock is the line's, so times are exact and a busy machine changes nothing.
"""
import itertools
import re

import pytest

from harness import fake_agent as fake
from harness import own_time, paths, timed_target

PROGRAM = "name = p\nid = 1\nvars = 40\n{place}\nminor = 1\n" + "push 0x123456\npop lv, 1\n" * 248 + "exit\n"
FAKE, REAL = "address = 0x1000\nopcode = 0x01020304", "address = 0x08000140\nopcode = 0x10000140"  # of fake_agent.py, timed_target.c
PACE = 11520           # characters a second at 115200 baud
BER_1E3 = {"flip": 8e-3}  # of a character, with its eight bits
TURNS = 12
BER_1E4 = {"flip": 8e-4}
NOISE_SECONDS_FACTOR = 4
FIGURES = r"takes ([0-9.]+)\s+times the characters of a clean line,\s+and\s+([0-9.]+)\s+times the time"
NEAR = 0.3, 0.03  # of a figure of PROTOCOL.md: with twelve seeds, with a hundred
FAR_S = 8


@pytest.fixture
def built(dprobes, tmp_path):
    """An object of 1,940 bytes, which are 41 pieces."""
    source, path = tmp_path / "p.dp", tmp_path / "p.ppdf"
    source.write_text(PROGRAM.format(place=FAKE))
    assert dprobes("build", source, "-o", path).status == 0
    assert 40 * 48 < int.from_bytes(path.read_bytes()[8:12], "big") <= 41 * 48
    return path


@pytest.fixture
def over(dprobes, tmp_path):
    """Runs dprobes over a line of own_time, to an agent of its own. Returns the result and the line. real: the agent in C."""
    numbers = itertools.count()

    def run(*words, prepare=None, real=False, **options):
        number = next(numbers)
        agent = timed_target.TimedTarget(pace=options["pace"]) if real else fake.FakeAgent(tmp_path / f"agent{number}")
        agent.sync_each_s = 0
        if prepare:
            prepare(agent)
        line = own_time.Line(tmp_path / f"line{number}", agent, **options)
        result = dprobes(*words, "--port", line.url, sanitized=False, env=line.environment())
        line.close()
        agent.close()
        return result, line
    return run


@pytest.mark.parametrize("delay_s", [0.016, 0.2, 0.6, 1.0], ids=lambda s: f"{s} s")
@pytest.mark.parametrize("pace", [0, PACE], ids=["fast", "115200 baud"])
def test_late_is_not_lost(over, built, delay_s, pace):
    """An upload takes twelve round trips and the time of its characters, at any delay up to a second each way. The first
    HELLO alone is repeated: nobody knows the line yet."""
    run, line = over("insert", built, delay_s=delay_s, pace=pace)
    assert run.status == 0, run.stderr
    assert line.seconds <= TURNS * line.round_trip_s + (line.characters / pace if pace else 0)
    assert line.repeated * 10 <= len(line.requests) and "has not answered" not in run.stderr
    repeated = [line_ for _, line_ in line.requests[line.repeated + 1:]]
    assert len({request[6:-9] for request in repeated}) == len(repeated), "only HELLO"


@pytest.fixture
def uploads(over, dprobes, tmp_path, amount):
    """Insertions of 1,940 bytes into the agent in C, over seeds: characters and seconds of each."""
    path = tmp_path / "real.dp"
    path.write_text(PROGRAM.format(place=REAL))

    def run(noise, **options):
        made = []
        for seed in range(1, 1 + (amount(12, 100) if noise else 1)):
            result, line = over("insert", path, real=True, pace=PACE, seed=seed, to_agent=noise, to_host=noise, **options)
            assert result.status == 0, result.stderr
            made.append((line.characters, line.seconds))
        print("seconds:", *(f"{seconds:.2f}" for _, seconds in made))
        return [sum(each) / len(made) for each in zip(*made)]
    return run


def test_what_noise_costs(uploads, amount):
    """At a bit error rate of 1e-3: the characters of both directions, and the time, on average, as PROTOCOL.md 3.2 says."""
    found = [noisy / clean for noisy, clean in zip(uploads(BER_1E3), uploads({}))]
    print(f"{found[0]:.2f} times the characters, {found[1]:.2f} times the time")
    told = map(float, re.search(FIGURES, (paths.TOP / "protocol" / "PROTOCOL.md").read_text()).groups())
    assert all(abs(one - other) <= amount(*NEAR) * other for one, other in zip(found, told)), found
    assert found[1] <= NOISE_SECONDS_FACTOR


def test_a_far_noisy_line(uploads):
    """A round trip of 600 ms, and a bit error rate of 1e-4."""
    _, seconds = uploads(BER_1E4, delay_s=0.3)
    assert seconds <= FAR_S


# proves: R5.74
@pytest.mark.parametrize("lost", [(1,), (0, 2, 4, 6), (7,), (1, 2, 3)], ids=str)
def test_the_gap_alone_is_sent_again(over, built, lost):
    """Of the first window of pieces some are lost: so many lines are sent twice. An older agent has no part GAPS."""
    def losing(agent, without=()):
        pieces = itertools.count()
        agent.without = without
        agent.on_line = lambda _seq, payload: fake.DROP if payload[0] == fake.DATA and next(pieces) in lost else None

    run, line = over("insert", built, delay_s=0.05, prepare=losing)
    assert run.status == 0 and line.repeated - len(lost) <= 1, run.stderr  # HELLO
    run, _ = over("insert", built, delay_s=0.05, prepare=lambda agent: losing(agent, (fake.GAPS_PART,)))
    assert run.status == 0, run.stderr


def test_noise_and_delay(over, built, amount):
    """Many tries are lost, one behind the other: the session goes on."""
    for seed in range(1, 1 + amount(3, 40)):
        run, _ = over("insert", built, delay_s=0.2, pace=PACE, seed=seed, to_agent=BER_1E3, to_host=BER_1E3)
        assert run.status == 0, f"seed {seed}: {run.stderr}"


# ---- silence ----------------------------------------------------------------------------------

# Of the one-way delay: the seconds without an answer until the session ends. A second each way makes a wait of 2 to 4 s.
ENDS = {0: (5, 5.2), 0.2: (5, 5.2), 1.0: (6, 12.2)}


# proves: R3.28 R3.29 R3.30
@pytest.mark.parametrize("delay_s", ENDS, ids=lambda s: f"{s} s")
@pytest.mark.parametrize("answers", [0, 3])
def test_silence(over, built, delay_s, answers):
    """An agent without an answer, and one that stops in an upload: told within 3 s, then the end with its status."""
    run, line = over("insert", built, delay_s=delay_s, silent_after=answers)
    last_s = answers and line.answered_s
    (told_s,) = (at - last_s for at, text in line.said if "asking again" in text)
    least_s, most_s = ENDS[delay_s] if answers else ENDS[0]
    assert run.status == 3 and 2.5 <= told_s <= 3 and least_s <= line.seconds - last_s <= most_s, run.stderr
    sentence = "stopped answering" if answers else "that the firmware runs and calls dprobes_poll"
    assert sentence in run.stderr.splitlines()[-1]


# proves: R3.28 R3.29
@pytest.mark.parametrize("command", ["log", "run"])
def test_silence_while_the_host_listens(over, built, command):
    """Silence counts from the last line, not from the first question about it."""
    run, line = over(command, *([built] if command == "run" else []), silent_after=90)
    (told_s,) = (at - line.answered_s for at, text in line.said if "asking again" in text)
    assert run.status == 3 and told_s <= 3 and 5 <= line.seconds - line.answered_s <= 5.2, (told_s, run.stderr)


# proves: R3.28
def test_one_answer_after_silence(over, built):
    """Silence is told once and is no failure: the agent answers in the end."""
    def late(agent):
        left = iter(range(24))
        agent.on_line = lambda _seq, payload: fake.DROP if payload[0] == fake.COMMIT and next(left, None) is not None else None

    run, line = over("insert", built, prepare=late)
    assert run.status == 0 and run.stderr.count("asking again") == 1, run.stderr
    assert 2.5 <= line.seconds <= 5


# proves: R3.30
def test_silence_of_a_noisy_line(over, built):
    """Damaged tries are no silence: the session waits longer."""
    run, line = over("insert", built, pace=PACE, seed=1, to_agent=BER_1E3, to_host={"flip": 3e-2}, silent_after=20)
    assert run.status == 3 and "stopped answering" in run.stderr
    assert 15 <= line.seconds - line.answered_s <= 15.5
