# SPDX-License-Identifier: BSD-2-Clause
"""What `scons test` takes of a matrix of builds and boards; `scons nightly` takes all of it."""
import os
import re

import cpus

_BOARDS_FOLDER = os.path.join(os.path.dirname(__file__), *3 * [os.pardir], "boards")

# One board for each byte order runs the conformance cases: the first and the last CPU that has a guest for them.
_CONFORMANCE = [row.board for row in cpus.rows() if (cpus.GUESTS / "conformance" / row.name).is_dir()]
CONFORMANCE_BOARDS = (_CONFORMANCE[0], _CONFORMANCE[-1])
# One board for each CPU, where its boards differ in little. The other boards are built and tested at night.
BOARDS = cpus.usual_boards()
# One build of the agent alone for each port: BOARDS compile the agent for the other CPUs. MIPS is the big-endian one,
# which no usual board has.
AGENTS = ("armv7", "mips32", "ppc440", "cortexm3", "ia32", "template")
# One CPU has the agent in each size; the others have it in the size with everything in it.
SIZED_CPU, FULL_SIZE = "armv7", "full"


def is_usual_agent(cpu, size):
    """Is this build of the agent alone part of `scons test`?"""
    return cpu in AGENTS and (cpu == SIZED_CPU or size == FULL_SIZE)


def has_unusual_board(values):
    """Is one of a test's parameters a board that is left to the night? A board is a folder with a script `run`."""
    return any(isinstance(value, str) and value not in BOARDS and re.fullmatch(r"[\w-]+", value) and
               os.path.exists(os.path.join(_BOARDS_FOLDER, value, "run")) for value in values)
