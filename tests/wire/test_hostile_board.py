# SPDX-License-Identifier: BSD-2-Clause
"""A board that lies to the host: whatever it answers, a command ends with a documented status, within bounded memory,
and no control character gets into what the command says itself. (Text of the console is filtered on a terminal only.)"""
import re
import threading

import pytest

from harness import link
from harness.hostile_agent import NASTY, HostileAgent
import tables

STATUSES = {int(number) for _, number, _ in tables.rows("host/command/cli_exits.def", "EXIT")}
AMONG_OUTPUT = {5, 6}  # losses are told among the records, and findings of doctor among the rest
CONSOLE = re.compile("|".join(re.escape(NASTY.decode("utf-8", "backslashreplace")[:n]) for n in range(len(NASTY), 7, -1)))
MEMORY_MB = 400  # with the sanitizers; a command needs about 60
COMMANDS = [["info"], ["list"], ["list", "--verbose"], ["vars"], ["vars", "--global"], ["doctor"], ["insert"], ["remove", "net"],
            ["remove", "--all"], ["run", "--count", "5"], ["run", "--timeout", "1", "--format", "json"], ["check"],
            ["run", "--timeout", "1", "--acknowledged"], ["log", "--timeout", "1"], ["log", "--timeout", "1", "--format", "csv"],
            ["log", "--timeout", "1", "--format", "raw"], ["info", "--format", "json"], ["list", "--format", "json"], ["aggs"]]
# C0 but tab and newline, and C1 as UTF-8: what a terminal would obey.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]|\\\\x[89][0-9a-f]|[\x80-\x9f]")
SHARES = 10


def storm(agent, ending):
    """Hits of every probe there is."""
    while not ending.wait(0.02):
        with agent.lock:
            for index in list(agent.programs):
                agent.hit(agent.random.randbytes(agent.random.choice((1, 4, 8, 40))), program=index)


def lie(dprobes, folder, net, seed):
    agent = HostileAgent(folder / f"board{seed}", seed, calm=(0, 1, 3, 8, 14)[seed % 5], rate=(0.1, 0.3, 0.9)[seed % 3],
                         window=8)
    agent.resends, agent.vars = 64 * (seed % 2), 4
    ending = threading.Event()
    hits = threading.Thread(target=storm, args=(agent, ending))
    hits.start()
    try:
        for turn in range(2):
            words = list(agent.random.choice(COMMANDS)) if turn else ["insert"]
            if words[0] in ("insert", "run", "check", "aggs"):
                words.insert(1, net)
            run = dprobes(*words, "--port", agent.url, env={
                "ASAN_OPTIONS": f"abort_on_error=0:exitcode=99:detect_leaks=1:hard_rss_limit_mb={MEMORY_MB}"})
            told = f"seed {seed}: {' '.join(map(str, words))}: status {run.status}\n{run.stderr[:2000]}"
            assert run.status in STATUSES, told
            assert run.status == 0 or run.stderr.strip() or (run.status in AMONG_OUTPUT and run.stdout.strip()), told
            for text in (run.stdout, run.stderr):
                text = CONSOLE.sub("", text)
                found = CONTROL.search(text)
                assert not found or "raw" in words, f"{told}\n{text[max(0, found.start() - 40):found.end() + 40]!r}"
    finally:
        ending.set()
        hits.join()
        agent.close()


@pytest.mark.parametrize("share", range(SHARES))
def test_lies(share, dprobes, tmp_path, amount):
    net = tmp_path / "net.dp"
    net.write_text(link.NET)
    for seed in range(share, amount(60, 10_000), SHARES):
        lie(dprobes, tmp_path, net, seed)
