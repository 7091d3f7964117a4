# SPDX-License-Identifier: BSD-2-Clause
"""scons nightly: runs its steps one after the other, each to its end, and says how each ended.

    nightly.py NAME COMMAND [NAME COMMAND]...     status 1 when a step failed

A COMMAND is one word, quoted as for a shell.
"""
import shlex
import subprocess
import sys
import textwrap
import time


def run(name, command):
    """(name, status, seconds)"""
    print(f"nightly: {name}: {textwrap.shorten(command, 120)}", flush=True)
    start = time.monotonic()
    status = subprocess.run(shlex.split(command), check=False).returncode
    return name, status, time.monotonic() - start


def main():
    words = sys.argv[1:]
    done = [run(name, command) for name, command in zip(words[::2], words[1::2])]
    for name, status, seconds in done:
        print(f"nightly: {name:8} status {status}, {seconds / 60:.0f} minutes")
    return 1 if not done or any(status for _, status, _ in done) else 0


if __name__ == "__main__":
    sys.exit(main())
