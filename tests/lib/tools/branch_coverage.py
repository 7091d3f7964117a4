# SPDX-License-Identifier: BSD-2-Clause
"""Branches of the verifier and the interpreter that the tests take, counted by gcov.

Runs every C test, the conformance cases and random programs with the objects of build/coverage,
and prints a table. Each form of the interpreter (32 and 64 bits, both byte orders) counts by
itself: a branch that only one of them takes is three branches that nobody took.

    scons coverage      the table;  with --missing: the lines as well
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = sys.pycache_prefix is None
sys.path.insert(0, str(TOP / "tests" / "lib"))

from harness import conformance, tool  # noqa: E402

BUILT = TOP / "build" / "coverage"
PROGRAMS = 20000
GOAL = 0.95
TIMEOUT_S = 600
_FORM = re.compile(r"_(32|64)(le|be)$")


def run_all(folder):
    """Everything that counts. Raises when a test fails: the figure of a failing test means nothing."""
    for data in BUILT.rglob("*.gcda"):
        data.unlink()
    for program in sorted((BUILT / "tests").glob("*/test_*")):
        if program.suffix:
            continue
        arguments = [str(PROGRAMS)] if program.name.endswith("_differential") else []
        done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=TIMEOUT_S, check=False,
                              env=tool.environment())
        if done.returncode not in (0, 77):
            raise AssertionError(f"{program.name}: status {done.returncode}\n{done.stdout[-4000:]}")
    cases = conformance.cases(TOP / "tests" / "language" / "conformance")
    runs = [(number, case, form) for number, case in enumerate(cases) for form in case.forms()]

    def run(which):
        number, case, (word, endian) = which
        return case.run(BUILT / "dprobes", f"{folder}/{number}-{word}-{endian}.dp", word, endian)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [text for text in pool.map(run, runs) if text]
    if wrong:
        raise AssertionError("\n\n".join(wrong[:5]))


def branches():
    """file -> {(form, line, number of the branch in it): times taken}"""
    found = {}
    for notes in sorted(BUILT.rglob("*.gcno")):
        form = _FORM.search(notes.stem)
        source = notes.relative_to(BUILT).parent / (notes.stem[:form.start()] if form else notes.stem)
        name = f"{source}.c"
        done = subprocess.run(["gcov", "--json-format", "--stdout", "-b", str(notes)], cwd=TOP,
                              capture_output=True, text=True, check=True)
        counts = found.setdefault(name, {})
        for report in map(json.loads, done.stdout.splitlines()):
            for file in report["files"]:
                # What a header brings in is counted where it stands, which is not here.
                if os.path.normpath(file["file"]) != name:
                    continue
                for line in file["lines"]:
                    for number, branch in enumerate(line["branches"]):
                        key = (form.group(0)[1:] if form else "", line["line_number"], number)
                        counts[key] = counts.get(key, 0) + branch["count"]
    return found


def share(counts):
    return sum(count > 0 for count in counts), len(counts)


def table(found):
    """Lines of text: one a file, then the total."""
    rows = [(name, *share(counts.values())) for name, counts in sorted(found.items())]
    rows.append(("total", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    return [f"{name:24} {taken:5} of {there:5} branches  {taken / there:6.1%}"
            for name, taken, there in rows]


def total(found):
    taken, there = share([count for counts in found.values() for count in counts.values()])
    return taken / there


def missing(found):
    """file:line: in which forms a branch of it was never taken."""
    lines = {}
    for name, counts in found.items():
        for (form, line, number), count in counts.items():
            if count == 0:
                lines.setdefault((name, line), {}).setdefault(number, []).append(form)
    for (name, line), numbers in sorted(lines.items()):
        text = (TOP / name).read_text().splitlines()[line - 1].strip()
        for number, forms in numbers.items():
            yield f"{name}:{line}: branch {number} [{' '.join(forms).strip() or 'the only form'}]  {text}"


def measure():
    with tempfile.TemporaryDirectory() as folder:
        run_all(folder)
    return branches()


def main():
    found = measure()
    if "--missing" in sys.argv:
        print(*missing(found), sep="\n")
    print(*table(found), sep="\n")
    return 0 if total(found) >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
