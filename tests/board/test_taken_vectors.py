# SPDX-License-Identifier: BSD-2-Clause
"""A firmware that takes a vector back from the agent: dprobes doctor names the vector, and writes no trap."""
import re
import subprocess

import pytest

import cpus
from harness import gdbstub, paths
from harness.qemu import parameters
import sources_mk

SLOTS, WORDS = 0x800, 12  # bytes


def symbols_of(board, elf):
    """Name: value, of the firmware."""
    cross = sources_mk.read(str(paths.TOP / "boards" / board))["CROSS"]
    listing = subprocess.run([f"{cross}nm", elf], capture_output=True, text=True, check=True).stdout
    found = {name: int(value, 16) & 0xffffffff for value, name in re.findall(r"^([0-9a-f]+) \w (\S+)$", listing, re.M)}
    return {"": 0, **found}


def place_of(stub, symbols, name, behind):
    if name != "copy":
        return symbols[name] + behind
    slots, words = symbols["memory_slots"], stub.read(symbols[behind], WORDS)
    return slots + stub.read(slots, SLOTS).index(words) + WORDS


def take(stub, symbols, order, place, word):
    """Write the word as the firmware would."""
    name, behind = place
    value = symbols.get(word, word)
    if name == "register":
        stub.put(stub.number(behind), value, order)
    else:
        stub.write(place_of(stub, symbols, name, behind), value.to_bytes(4, order))


# proves: P7.10 R5.156
@pytest.mark.parametrize("board", parameters(cpus.boards(), usual=cpus.boards()[::2]))
def test_a_vector_that_is_taken(board, qemu, dprobes, tmp_path):
    """test_doctor.py has the boards in good order."""
    exception, place, word, (name, behind) = cpus.of_board(board).taken
    elf = paths.built("boards", board, "demo.elf")
    symbols = symbols_of(board, elf)
    machine = qemu(board, extra=gdbstub.options(tmp_path / "gdb")).free_when_up()
    with gdbstub.Stub(tmp_path / "gdb") as stub:
        take(stub, symbols, "little" if elf.read_bytes()[5] == 1 else "big", place, word)
    run = dprobes("doctor", "--port", machine.url("com1"), "--elf", elf, "--probe", "queue_put")
    to = symbols[name] + behind
    leads = f"to 0x{to:08x} ({name if name.startswith('arch_') else 'no symbol'})" if to else "no longer to the agent"
    leads = f"the vector of {exception} was taken over: it leads {leads}"
    assert run.status == 6 and f"wrong      vectors still the agent's: since the start of the agent {leads}" in run.stdout, run.stdout
    assert "not known  traps in the text: no trap is written while a vector is not the agent's\n" in run.stdout, run.stdout
    assert 'agent/README.md, section "Vectors": ' in run.stdout, run.stdout
