#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Keeps what a checker found, so that it runs again only for what changed.

    lint.py run REPORT COMMAND...              the report is empty when COMMAND's status is 0
    lint.py files REPORT DATABASE FILE...      cppcheck, and clang-tidy without its analyzer, with the files' real flags
    lint.py analyze REPORT DATABASE FILE       clang-tidy's analyzer, which takes four times as long
    lint.py show REPORT...                     print what is in them; status 1 when there is anything
"""
import json
import os
import re
import shlex
import subprocess
import sys

# Off in cppcheck: symbols of the linker are compared on purpose; gcc's -Wsequence-point and
# -Wint-conversion judge two better (`.n = n++` in an initializer, rows of a .def); a generated header asks for
# a version that stands in a header of the system.
_CPPCHECK_OFF = ("missingIncludeSystem", "unmatchedSuppression", "comparePointers",
                 "subtractPointers", "unknownEvaluationOrder", "assignBoolToPointer",
                 "preprocessorErrorDirective:build/generated/*")
# What a checker needs of a compiler's flags: what is defined, where headers are, which CPU.
_FLAGS = re.compile(r"-(I|D|U|isystem|std=|m(cpu|arch|thumb|arm|float-abi|fpu)|ffreestanding)")
# The groups of .clang-tidy that check_files asks for.
_ALL_BUT_ANALYZER = "-bugprone-*,-misc-*,-performance-*,-portability-*,-readability-*"


def complaint(command):
    """What a checker says when it is not content."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode == 0:
        return b""
    return result.stdout or f"{command[0]}: status {result.returncode}\n".encode()


def run(report, *commands):
    """The report of some checkers, empty when all are content."""
    with open(report, "wb") as file:
        for command in commands:
            file.write(complaint(command))
    return 0


def compilations(database, sources):
    """[(compiler, flags, files)]: the files that the build compiles, those with the same flags together."""
    with open(database, encoding="utf-8") as file:
        commands = {}
        for entry in json.load(file):
            commands.setdefault(os.path.relpath(entry["file"]), entry["command"])
    found = {}
    for source in sources:
        words = shlex.split(commands.get(source, ""))
        if not words:
            continue
        if "-msoft-float" in words:  # what the compiler then defines, and no checker knows
            words.append("-D_SOFT_FLOAT")
        flags = tuple(word for word in words[1:] if _FLAGS.match(word))
        found.setdefault((words[0], flags), []).append(source)
    return [(compiler, list(flags), files) for (compiler, flags), files in found.items()]


def system_includes(compiler):
    """Where the cross compiler's libc has its headers (clang brings the compiler's own)."""
    text = subprocess.run([compiler, "-xc", "-E", "-v", os.devnull], capture_output=True, text=True,
                          check=False).stderr
    folders = [os.path.normpath(line.strip()) for line in text.splitlines()
               if line.startswith(" /") and os.path.isdir(line.strip())]
    return [f"-isystem{folder}" for folder in folders if "/lib/gcc/" not in folder]


def tidy(sources, compiler, flags, checks):
    """The command of clang-tidy. checks: behind those of .clang-tidy."""
    target, gcc, _ = os.path.basename(compiler).rpartition("-gcc")
    if gcc:
        flags = [*flags, f"--target={target}", "-nostdlibinc", *system_includes(compiler)]
    return ["clang-tidy", "--quiet", f"--checks={checks}", *sources, "--", *flags]


def cppcheck(sources, flags):
    """The command of cppcheck."""
    flags = [flag for flag in flags if re.match(r"-[IDU]", flag)]
    return ["cppcheck", "--quiet", "--std=c11", "-UDPROBES_TYPES_H",  # names a header of others
            "--enable=warning,performance,portability",
            "--inline-suppr", "--error-exitcode=1", "--template=gcc",
            *(f"--suppress={name}" for name in _CPPCHECK_OFF), *flags, *sources]


def check_files(report, database, *sources):
    """Both checkers; nothing for a file that the build does not compile."""
    commands = []
    for compiler, flags, files in compilations(database, sources):
        commands += [tidy(files, compiler, flags, "-clang-analyzer-*"), cppcheck(files, flags)]
    return run(report, *commands)


def analyze_file(report, database, source):
    """The analyzer for a file, with nothing else."""
    return run(report, *(tidy(files, compiler, flags, _ALL_BUT_ANALYZER)
                         for compiler, flags, files in compilations(database, [source])))


def show(reports):
    found = 0
    for name in reports:
        with open(name, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if text:
            found += 1
            sys.stdout.write(text)
    print(f"check: {found} of {len(reports)} reports have something to say" if found
          else f"check: nothing found ({len(reports)} reports)")
    return 1 if found else 0


VERBS = {
    "run": lambda words: run(words[0], words[1:]),
    "files": lambda words: check_files(*words),
    "analyze": lambda words: analyze_file(*words),
    "show": show,
}

if __name__ == "__main__":
    sys.exit(VERBS[sys.argv[1]](sys.argv[2:]))
