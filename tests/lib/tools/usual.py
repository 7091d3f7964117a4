# SPDX-License-Identifier: BSD-2-Clause
"""What `scons test` takes of a matrix of builds and boards; `scons nightly` takes all of it."""

# One board for each byte order runs the conformance cases.
CONFORMANCE_BOARDS = ("vexpress-a9", "bamboo")
# One board for each CPU, where its boards differ in little.
BOARDS = ("versatilepb", "vexpress-a9", "malta", "bamboo", "40p")
# One CPU has the agent in each size; the others have it in the size with everything in it.
SIZED_CPU, FULL_SIZE = "armv7", "large"


def is_usual_agent(cpu, size):
    """Is this build of the agent alone part of `scons test`?"""
    return cpu == SIZED_CPU or size == FULL_SIZE
