# SPDX-License-Identifier: BSD-2-Clause
"""Instructions that an agent must refuse, tried on a board: they are put into a function of the demo
firmware's image that is not in use, the board boots that image, and dprobes asks the agent for a
probe on each: compiler, upload, the agent's check of the object and of the instruction."""
import importlib.util
import re
import subprocess
from typing import NamedTuple

import sources_mk

from .paths import TESTS, TOP, built, program

# Nothing calls it before somebody asks for the self-test of the library.
HOLDER = "qsort"
PROGRAM = """name = "refused"
modtype = kernel
major = 1
offset = {name}+{offset:#x}
minor = 1
	exit
"""


class Try(NamedTuple):
    """words: what is put there, without a word of the image left in between. at: the bytes from the
    first to the one that is probed. sentence: part of what dprobes says. found: does the agent show
    the instruction? Its number, if that is not the word."""
    words: tuple
    sentence: str
    at: int = 0
    found: int = True


def table(path):
    """NAME -> sentence of a row (number, NAME, sentence) or (NAME, number, sentence)."""
    text = (TOP / "protocol" / path).read_text(encoding="ascii")
    rows = re.findall(r'^(?:DP_REFUSAL\(\d+, (\w+)|DP_ERR\((\w+), \d+), "(.*)"\)$', text, re.MULTILINE)
    return {one or other: sentence for one, other, sentence in rows}


def refusals():
    return table("refusals.def")


def errors():
    return table("errors.def")


def function(elf, name, readelf):
    """File offset and size of a function, up to the data in it that ARM's mapping symbols show;
    program header and symbols as readelf prints them."""
    text = subprocess.run([program(readelf), "-lsW", elf], check=True, capture_output=True, text=True).stdout
    value, size = re.search(rf"^ *\d+: (\w+) +(\d+) FUNC .* {name}$", text, re.MULTILINE).groups()
    address = int(value, 16) & ~1
    data = [int(at, 16) - address for at in re.findall(r"^ *\d+: (\w+) .* \$d$", text, re.MULTILINE)]
    size = min([int(size), *(offset for offset in data if 0 < offset < int(size))])
    for offset, start, file_bytes in re.findall(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)", text):
        if int(start, 16) <= address < int(start, 16) + int(file_bytes, 16):
            return int(offset, 16) + address - int(start, 16), size
    raise AssertionError(f"{name} is in no segment")


def share(tries, amount):
    """What one run asks for: at least one of each sentence and each eighth of the rest, and all at night."""
    seen = set()
    return [one for number, one in enumerate(tries)
            if number % amount(8, 1) == 0 or not (one.sentence in seen or seen.add(one.sentence))]


def run(board, order, tries, qemu, dprobes, folder):
    """Every one is refused with its sentence; then no byte of the text differs from the image, and
    nothing is left in the agent. order: "little" or "big"."""
    original = built("boards", board, "demo.elf")
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    at, size = function(original, HOLDER, cross + "readelf")
    image, offsets, end = bytearray(original.read_bytes()), [], 0
    for one in tries:
        offsets.append(end)
        for word in one.words:
            image[at + end:at + end + 4] = word.to_bytes(4, order)
            end += 4
    assert end <= size, f"{HOLDER} has {size} bytes, {end} are wanted"
    elf = folder / "demo.elf"
    elf.write_bytes(image)
    machine = qemu(board, elf=elf, hold=())
    source, port = folder / "refused.dp", ["--port", machine.url("com2"), "--elf", str(elf)]
    for one, offset in zip(tries, offsets):
        source.write_text(PROGRAM.format(name=HOLDER, offset=offset + one.at), encoding="ascii")
        result = dprobes("insert", str(source), *port, sanitized=False)
        shown = ", ".join(f"{word:08x}" for word in one.words)
        assert result.status != 0 and one.sentence in result.stderr, f"{shown}: {result.stderr}"
        if one.found:
            number = one.words[one.at // 4] if one.found is True else one.found
            assert f"found 0x{number:08x}" in result.stderr, f"{shown}: {result.stderr}"
    listed = dprobes("list", *port[:2])
    assert listed.status == 0 and "refused" not in listed.stdout
    text = dprobes("info", "--verify-text", *port)
    assert "the same as in" in text.stdout, text.stdout + text.stderr


def cases_of(port):
    """The module that writes the cases of tests/guests/PORT."""
    spec = importlib.util.spec_from_file_location(f"cases_{port}", TESTS / "guests" / port / "cases.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
