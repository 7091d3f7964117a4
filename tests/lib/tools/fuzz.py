# SPDX-License-Identifier: BSD-2-Clause
"""Runs fuzz targets, as many at a time as there are CPUs, and prints what they did.

usage: fuzz.py SECONDS PROGRAM[=RUNS]...     status 1 when something was found

A program ends after SECONDS, or after RUNS executions where they are given.

What was found lies in build/fuzz/NAME-*; a log of each run in build/fuzz/NAME.log. A finding that
was corrected becomes a file of tests/fuzz/corpus/NAME/. There is a target for every reader of
bytes we did not make: compiler, object reader, verifier, verifier with interpreter, frames,
records, templates, the whole agent behind its line.
"""
import concurrent.futures
import glob
import os
import pathlib
import re
import subprocess
import sys

OUT = pathlib.Path("build/fuzz")
LIMITS = ["-rss_limit_mb=2048", "-timeout=20"]
# Long scripts find no more than short ones. Without weights for rare features the search of short scripts covers more,
# and is a third faster: 9,000 executions a second on an idle core.
OPTIONS = {"fuzz_agent": ["-max_len=128", "-entropic=0"]}
# Programs without sanitizers, which cost most of the time: what the search keeps runs in this program once more.
SANITIZED = {"fuzz_agent": "build/host-asan/tests/fuzz/fuzz_agent"}


def replay(name, corpus, log):
    """Runs a corpus with sanitizers; the status."""
    if name not in SANITIZED:
        return 0
    with open(log, "a", encoding="utf-8") as out:
        return subprocess.run([SANITIZED[name], "0", *sorted(corpus.iterdir())], stdin=subprocess.DEVNULL,
                              stdout=out, stderr=subprocess.STDOUT, check=False).returncode


def run(program, seconds):
    """(name, executions, inputs in the corpus, findings, status)"""
    program, _, runs = program.partition("=")
    limit = f"-runs={runs}" if runs else f"-max_total_time={seconds}"
    name = os.path.basename(program)
    corpus = OUT / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = [path for path in [f"tests/fuzz/corpus/{name}"] if os.path.isdir(path)]
    before = set(glob.glob(f"{OUT}/{name}-*"))
    log = OUT / f"{name}.log"
    with open(log, "w", encoding="utf-8") as out:
        status = subprocess.run(
            [program, limit, "-print_final_stats=1", *LIMITS, *OPTIONS.get(name, []),
             f"-artifact_prefix={OUT}/{name}-", str(corpus), *seeds], stdin=subprocess.DEVNULL,
            stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    done = re.search(r"stat::number_of_executed_units:\s*(\d+)", text) or re.search(
        r"Done (\d+) runs", text)
    status = status or replay(name, corpus, log)
    findings = sorted(set(glob.glob(f"{OUT}/{name}-*")) - before)
    return name, int(done.group(1)) if done else 0, len(list(corpus.iterdir())), findings, status


def main():
    seconds, programs = sys.argv[1], sys.argv[2:]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, done, inputs, findings, status in pool.map(run, programs, [seconds] * len(programs)):
            print(f"{name:14} {done:10} executions, {inputs:5} inputs, {len(findings)} findings", flush=True)
            for path in findings:
                print(f"    {path}")
            if status != 0 or findings or done == 0:
                failed = True
                print(f"    status {status}; the end of {OUT}/{name}.log:")
                print((OUT / f"{name}.log").read_text(encoding="utf-8", errors="replace")[-3000:])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
