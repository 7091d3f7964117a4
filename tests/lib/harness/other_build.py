# SPDX-License-Identifier: BSD-2-Clause
"""An image of a board with the build-id of another build: all else is the same."""
import re
import subprocess

import sources_mk

from harness.paths import TOP, built, program


def readelf(board, *words):
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    return subprocess.run([program(cross + "readelf"), *words], check=True, capture_output=True, text=True).stdout


def with_another_id(board, elf):
    """The bytes of the image, with another build-id."""
    data = bytearray(elf.read_bytes())
    section = re.search(r"\] \.note\.gnu\.build-id +\S+ +\w+ (\w+) (\w+) ", readelf(board, "-SW", elf))
    data[int(section.group(1), 16) + int(section.group(2), 16) - 1] ^= 1
    return data


def other_build(board, folder):
    path = folder / "other.elf"
    path.write_bytes(with_another_id(board, built("boards", board, "demo.elf")))
    return path
