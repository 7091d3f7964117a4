# SPDX-License-Identifier: BSD-2-Clause
"""What may not be probed on ARM is refused by the agent, with its own reason, before a byte changes.

For every row of the decode tables that refuses on the board's CPU, in each instruction set that it has, one
encoding is put into functions of the demo firmware's image that are not in use, the board boots that image, and
dprobes asks the agent for a probe there: compiler, upload, the agent's check of the object and of the instruction.
"""
import random
import sys

import pytest

from harness import refusals
from harness.paths import TESTS, built

sys.path.insert(0, str(TESTS / "guests" / "arm"))
import arm_tables  # noqa: E402

# Functions that nothing calls before somebody asks for it: board -> instruction set -> names
MIX = ("mix_branches", "mix_bytes", "mix_recursion", "mix_long", "mix_conditions", "arch_fault_raise")
HOLDERS = {"versatilepb": {"a32": ("qsort",), "thumb": MIX[:-1]}, "vexpress-a9": {"thumb": ("qsort",), "a32": MIX}}
ARCHITECTURE = {"versatilepb": 5, "vexpress-a9": 7}
# Reasons that no instruction of ARM has, and who gives them.
ELSEWHERE = {"PC_RELATIVE": "kept for ports that cannot step some PC-relative form",
             "UNSUPPORTED": "MIPS, the template, ARM without DP_ARM_WITH_RARE", "USER_MODE": "MIPS"}
NOP_THUMB = 0x46c0
WRONG = {"P": 15, "S": 13, "Z": 1}
TRIES = 2000


def candidates(row):
    """Words of a row that refuses, the plainest first."""
    wrong = sum(WRONG.get(kind, 0) << low for low, kind in zip(arm_tables.FIELDS, row.regs)) if row.treatment == "CHECK" else 0
    always = 0xe0000000 if row.table == "a32" and not row.mask >> 28 else 0
    yield row.value | wrong | always
    generator = random.Random(row.what)
    for _ in range(TRIES):
        word = row.value | wrong | generator.getrandbits(16 if row.table == "t16" else 32) & ~row.mask
        yield word & 0x0fffffff | 0xe0000000 if always >> 28 else word


def encodings(isa, architecture):
    """(word, bytes, row): one of every row that refuses there."""
    thumb = isa != "a32"
    for table in ("a32",) if not thumb else ("t16", "t32", "sys", "a32") if architecture >= 7 else ("t16",):
        for row in arm_tables.TABLES[table][:-1]:
            size = 2 if table == "t16" else 4
            if row.refusal and arm_tables.exists(row, architecture):
                for word in candidates(row):
                    if arm_tables.table_of(word, thumb, size, architecture) == table and \
                            (size == 2 or not thumb or word >> 27 >= 0x1d) and \
                            arm_tables.row_of(word, table, architecture) is row:
                        yield word, size, row
                        break


def test_every_reason_has_a_case():
    given = {row.refusal for board, holders in HOLDERS.items() for isa in holders
             for _, _, row in encodings(isa, ARCHITECTURE[board])}
    assert given | set(ELSEWHERE) == set(refusals.refusals())
    assert not given & set(ELSEWHERE)


def test_every_row_has_a_case():
    """Rows that refuse on neither board are those that other rows leave nothing to."""
    given = {(row.table, row.number) for board, holders in HOLDERS.items() for isa in holders
             for _, _, row in encodings(isa, ARCHITECTURE[board])}
    left = [f"{table} row {row.number} ({row.what})" for table, rows in arm_tables.TABLES.items()
            for row in rows[:-1] if row.refusal and (table, row.number) not in given]
    assert not left, "\n".join(left)


def in_memory(word, size, thumb):
    """Four bytes."""
    if not thumb:
        return word.to_bytes(4, "little")
    halves = (word, NOP_THUMB) if size == 2 else (word >> 16, word & 0xffff)
    return b"".join(half.to_bytes(2, "little") for half in halves)


# proves: P3.7 R2.14
@pytest.mark.parametrize("board", HOLDERS)
def test_refused(board, qemu, dprobes, tmp_path, amount):
    original = built("boards", board, "demo.elf")
    image = bytearray(original.read_bytes())
    refused = []
    for isa, names in HOLDERS[board].items():
        found = list(encodings(isa, ARCHITECTURE[board]))
        # An exclusive opens a window for what follows it.
        found.sort(key=lambda item: item[2].refusal == "EXCLUSIVE")
        for name in names:
            at, size = refusals.function(original, name, "arm-none-eabi-readelf")
            here, found = found[:size // 4], found[size // 4:]
            for number, (word, width, row) in enumerate(here):
                image[at + 4 * number:at + 4 * number + 4] = in_memory(word, width, isa != "a32")
                refused.append((name, 4 * number, word, row))
        assert not found, f"{len(found)} do not fit"
    elf = tmp_path / "demo.elf"
    elf.write_bytes(image)
    machine = qemu(board, elf=elf, hold=())
    source, port = tmp_path / "refused.dp", ["--port", machine.url("com2"), "--elf", str(elf)]
    for name, offset, word, row in refused[::amount(4, 1)]:
        source.write_text(refusals.PROGRAM.format(name=name, offset=offset), encoding="ascii")
        result = dprobes("insert", str(source), *port, sanitized=False)
        assert result.status != 0 and refusals.refusals()[row.refusal] in result.stderr, (
            f"{row.table} row {row.number} ({row.what}), {word:08x}: {result.stderr}")
        assert f"found 0x{word:08x}" in result.stderr, result.stderr
    listed = dprobes("list", *port[:2])
    assert "refused" not in listed.stdout
    text = dprobes("info", "--verify-text", *port)
    assert "the same as in" in text.stdout, text.stdout + text.stderr
    print(f"{board}: {len(refused)} rows refused: {sorted({row.refusal for *_, row in refused})}")
