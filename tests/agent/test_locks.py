# SPDX-License-Identifier: BSD-2-Clause
"""Each use of dp_lock_take is a lock, and none can be a mask: agent/base/dp_lock.h.

tests/agent/locks.c runs a C test of the agent on both of two CPUs, and tells which places take the lock. With one lock made a
mask, the same run finds that a masked stretch touches what the other CPU touches.
"""
import functools
import re
import subprocess

import pytest

from harness import process
from harness.paths import TOP, built, program

# A place is tried by the first test that reaches it: the slowest one stands last.
USUAL = ("access", "exits", "flight", "install", "maps", "masked", "memory", "queue", "records", "requests", "resend", "restart", "returns", "sealed", "sealed_storm", "speculate", "timers", "typed", "watch", "watch_kept", "halt")
LONG = ("at_work", "patrol", "text")
# The files with places that the long tests alone reach.
FILES_OF_LONG = {"agent/line/console.c", "agent/request/module.c"}
# The file with places that guard the firmware's own exits, which no test of the agent shares between CPUs.
FILES_OF_FIRMWARE = {"agent/request/exits.c"}
USE = re.compile(r"\bdp_lock_take\(\)")


def run(name, *options):
    return subprocess.run([built("host-locks", name), *options], capture_output=True, text=True, check=False, timeout=process.TIMEOUT_S)


@functools.cache
def places(name):
    """{(file, line): return addresses} of the stretches that touch what is shared."""
    done = run(name)
    assert done.returncode == 0, done.stdout
    addresses = re.findall(r"^(\w+) shared$", done.stdout, re.M)
    before = [f"{int(address, 16) - 1:x}" for address in addresses]
    lines = subprocess.run([program("addr2line"), "-e", built("host-locks", name), *before], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    found = {}
    for address, line in zip(addresses, lines):
        file, number = re.fullmatch(r"(?:.*/)?(agent/\S+):(\d+)(?: .*)?", line).groups()
        found.setdefault((file, int(number)), []).append(address)
    return found


def uses():
    """(file, line) of each use in the agent."""
    return {(str(path.relative_to(TOP)), number) for path in sorted((TOP / "agent").glob("*/*.[ch]")) if path.stem not in ("lock", "dp_lock")
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if USE.search(line)}


def unmasked(names):
    """A run for each place: the first test that reaches it, and a return address there."""
    chosen = {}
    for name in names:
        for place, addresses in places(name).items():
            chosen.setdefault(place, (name, addresses[0]))
    return chosen


def missed(chosen):
    """The places whose lock can be a mask, and no run fails."""
    return [place for place, (name, address) in chosen.items() if run(name, "--mask", address).returncode == 0]


def test_no_lock_can_be_a_mask():
    chosen = unmasked(USUAL)
    assert {file for file, _ in uses() - chosen.keys()} <= FILES_OF_LONG | FILES_OF_FIRMWARE
    assert chosen.keys() <= uses()
    assert not missed(chosen)


@pytest.mark.nightly
def test_no_lock_of_the_others_can_be_a_mask():
    chosen = unmasked((*USUAL, *LONG))
    assert chosen.keys() <= uses() and {file for file, _ in uses() - chosen.keys()} <= FILES_OF_FIRMWARE
    assert not missed({place: how for place, how in chosen.items() if how[0] in LONG})


def test_a_mask_stays():
    """What is a mask guards nothing that the other CPU touches: the run with the clock of hits says so."""
    text = (TOP / "agent/base/dp_clock.h").read_text(encoding="utf-8")
    assert "dp_mask_take()" in text and places("records")


def test_nobody_else_masks():
    """The agent masks by dp_lock.h alone."""
    assert not [path.name for path in (TOP / "agent").glob("*/*.[ch]")
                if path.stem not in ("lock", "dp_lock") and re.search(r"\bdp_port_(un)?mask\(", path.read_text(encoding="utf-8"))]
