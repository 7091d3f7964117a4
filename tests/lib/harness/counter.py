# SPDX-License-Identifier: BSD-2-Clause
"""A program that logs the number of each hit, and what a run of it has printed."""
import re

# One hit in `every` logs two words: a number, and the number multiplied.
SOURCE = """\
name = counter
major = 6
vars = 2
{place}
minor = 1
inc lv, 1
push lv, 1
push {every}
div
pop lv, 0
jnz quiet
push lv, 0
push 0x9e3779b1
mul
push lv, 0
log 2
exit
quiet: abort
"""


def counted(text, what):
    return sum(int(count) for count in re.findall(rf"lost: (\d+) record\(s\) of stream 0 {what}", text))


class Outcome:
    """What a run has printed: the records' numbers in order, and counts. made: the records that the firmware made, by the hits
    of its probe. wrong: what stands in a record follows from its number. untold: made, neither printed nor told as lost or
    dropped; below 0: more told than made. No record is wrong or untold, or comes twice."""

    def __init__(self, run, every, order, statuses):
        found = re.findall(r"^DProbes(?:\(6,1\) ([0-9a-f]{8})([0-9a-f]{8})$)?", run.stdout, re.M)
        words = [[int.from_bytes(bytes.fromhex(word), order) for word in pair] for pair in found]
        self.numbers = [number for number, _ in words]
        self.wrong = sum(other != number * 0x9E3779B1 & 0xFFFFFFFF for number, other in words)
        self.twice = len(self.numbers) - len(set(self.numbers))
        self.lost, self.dropped = counted(run.stderr, "on the line"), counted(run.stderr, "found the agent's ring full")
        hits, = re.findall(r"^hits: counter minor 1 at 0x[0-9a-f]+: (\d+)", run.stdout, re.M)
        self.made = int(hits) // every
        self.untold = self.made - len(self.numbers) - self.lost - self.dropped
        assert run.status in statuses, run.stderr
        assert (self.wrong, self.twice, self.untold) == (0, 0, 0), vars(self)
        assert self.numbers == sorted(self.numbers) and 1 <= self.numbers[0] and self.numbers[-1] <= self.made
