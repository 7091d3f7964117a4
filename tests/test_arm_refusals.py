# SPDX-License-Identifier: BSD-2-Clause
"""What may not be probed on ARM is refused by the agent, with its own reason, before a byte changes.

For every row of the decode tables that refuses, one encoding is put into a function of the demo
firmware's image that is not in use, the board boots that image, and dprobes asks the agent for a
probe there: compiler, upload, the agent's check of the object and of the instruction.
"""
import re
import subprocess
import sys

import pytest

from harness.paths import TESTS, TOP, built, program

sys.path.insert(0, str(TESTS / "guests" / "arm"))
import arm_tables  # noqa: E402

# Functions large enough that nothing calls before somebody asks for it: board -> (isa, name)
HOLDERS = {"versatilepb": [("a32", "qsort")], "vexpress-a9": [("thumb", "qsort")]}
ARCHITECTURE = {"versatilepb": 5, "vexpress-a9": 7}
# Reasons that no instruction of ARM has, and who gives them.
ELSEWHERE = {"PC_RELATIVE": "kept for ports that cannot step some PC-relative form",
             "UNSUPPORTED": "MIPS, the template", "USER_MODE": "MIPS"}
NOP_THUMB = 0x46c0
PROGRAM = """name = "refused"
modtype = kernel
major = 1
offset = {name}+{offset:#x}
minor = 1
	exit
"""


def sentences():
    """Reason -> sentence, from the protocol's table."""
    text = (TOP / "protocol" / "refusals.def").read_text(encoding="ascii")
    return dict(re.findall(r'^REFUSAL\(\d+, (\w+), "(.*)"\)$', text, re.MULTILINE))


def encodings(isa, architecture):
    """(word, bytes, row): the plainest word of every row that refuses there."""
    for table in ("a32",) if isa == "a32" else ("t16", "t32") if architecture >= 7 else ("t16",):
        for row in arm_tables.TABLES[table][:-1]:
            word = row.value
            if table == "a32" and not row.mask >> 28:
                word |= 0xe0000000
            if row.refusal == "BREAKPOINT":
                word |= 2  # not one that a debugger uses: those are reported as such
            if row.refusal and arm_tables.exists(row, architecture) and \
                    arm_tables.row_of(word, table, architecture) is row and \
                    (table != "t32" or word >> 24 not in (0xec, 0xed, 0xee)):
                yield word, 2 if table == "t16" else 4, row


def test_every_reason_has_a_case():
    given = {row.refusal for board, holders in HOLDERS.items() for isa, _ in holders
             for _, _, row in encodings(isa, ARCHITECTURE[board])}
    assert given | set(ELSEWHERE) == set(sentences())
    assert not given & set(ELSEWHERE)


def in_memory(word, size, thumb):
    """Four bytes."""
    if not thumb:
        return word.to_bytes(4, "little")
    halves = (word, NOP_THUMB) if size == 2 else (word >> 16, word & 0xffff)
    return b"".join(half.to_bytes(2, "little") for half in halves)


def function(elf, name):
    """File offset and size of a function; program header and symbol as readelf prints them."""
    readelf = program("arm-none-eabi-readelf")
    text = subprocess.run([readelf, "-lsW", elf], check=True, capture_output=True, text=True).stdout
    value, size = re.search(rf"^ *\d+: (\w+) +(\d+) FUNC .* {name}$", text, re.MULTILINE).groups()
    address = int(value, 16) & ~1
    for offset, start, file_bytes in re.findall(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)", text):
        if int(start, 16) <= address < int(start, 16) + int(file_bytes, 16):
            return int(offset, 16) + address - int(start, 16), int(size)
    raise AssertionError(f"{name} is in no segment")


@pytest.mark.seconds(300)
@pytest.mark.parametrize("board", HOLDERS)
def test_refused(board, qemu, dprobes, tmp_path):
    original = built("boards", board, "demo.elf")
    image = bytearray(original.read_bytes())
    refused = []
    for isa, name in HOLDERS[board]:
        at, size = function(original, name)
        found = list(encodings(isa, ARCHITECTURE[board]))
        # An exclusive opens a window for what follows it.
        found.sort(key=lambda item: item[2].refusal == "EXCLUSIVE")
        assert 4 * len(found) <= size
        for number, (word, width, row) in enumerate(found):
            image[at + 4 * number:at + 4 * number + 4] = in_memory(word, width, isa != "a32")
            refused.append((name, 4 * number, word, row))
    elf = tmp_path / "demo.elf"
    elf.write_bytes(image)
    machine = qemu(board, elf=elf, hold=())
    source, port = tmp_path / "refused.dp", ["--port", machine.url("com2"), "--elf", str(elf)]
    for name, offset, word, row in refused:
        source.write_text(PROGRAM.format(name=name, offset=offset), encoding="ascii")
        result = dprobes("insert", str(source), *port)
        assert result.status != 0 and sentences()[row.refusal] in result.stderr, (
            f"{row.table} row {row.number} ({row.what}), {word:08x}: {result.stderr}")
        assert f"found 0x{word:08x}" in result.stderr, result.stderr
    listed = dprobes("list", *port)
    assert "refused" not in listed.stdout
    text = dprobes("info", "--verify-text", *port)
    assert "the same as in" in text.stdout, text.stdout + text.stderr
    print(f"{board}: {len(refused)} rows refused: {sorted({row.refusal for *_, row in refused})}")
