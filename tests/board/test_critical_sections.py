# SPDX-License-Identifier: BSD-2-Clause
"""Critical sections as FreeRTOS has them on a Cortex-A (glue/freertos.c): each of their instructions is probed at once, also
those that switch interrupts off and on. No tick comes inside a section, and the sections run on."""
import re
import subprocess

import pytest

from harness import paths

FOLDER = ("boards", "vexpress-a9", "moved")
FUNCTIONS = ("critical_mask", "critical_enter", "critical_exit")
MOVED = 0x00800000


def instructions(elf, function):
    """(linked address, text) of each instruction, without the literals behind the code."""
    listing = subprocess.run([paths.program("arm-none-eabi-objdump"), "-d", f"--disassemble={function}", elf], capture_output=True,
                             text=True, check=True).stdout
    return [(int(at, 16), text) for at, text in re.findall(r"^([0-9a-f]{8}):\t[0-9a-f ]+\t(.*)$", listing, re.M)
            if not text.startswith((".word", ".short"))]


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_every_instruction_of_a_section(isa, qemu, dprobes, tmp_path):
    elf = paths.built(*FOLDER, "moved.elf")
    machine = qemu("vexpress-a9", elf=elf)
    machine.com1.expect("boot 1")
    line = ("--port", machine.url("com2"), "--elf", elf)
    sites = [site for name in FUNCTIONS for site in instructions(elf, f"{name}_{isa}")]
    assert {"cpsid", "cpsie"} <= {text.split()[0] for _at, text in sites} and len(sites) > 20
    source = tmp_path / "all.dp"
    source.write_text('name = "all"\ngvars = 1\n' + "".join(
        f"address = {at + MOVED + (isa == 'thumb'):#x}\nminor = {number}\ninc gv, 0\nabort\n" for number, (at, _text) in enumerate(sites)))
    run = dprobes("insert", source, "--moved", f"{MOVED:#x}", *line)
    assert run.status == 0, run.stderr
    # The sections go on under the probes: one record each time that a round is done.
    rounds = tmp_path / "rounds.dp"
    rounds.write_text('name = "rounds"\noffset = task_sleep_ms\npush critical_rounds\npush mem, u32\npush critical_broken\npush mem, u32\nlog 2\nexit\n')
    run = dprobes("run", rounds, "--count", "40", "--format", "json", *line)
    assert run.status == 0, run.stderr
    words = [record["words"] for record in run.objects() if "words" in record]
    assert words[-1][1] > words[0][1] and words[-1][0] == 0, words  # the top of the stack first
    probes = next(program for program in dprobes("list", "--format", "json", *line).objects() if program.get("program") == "all")["probes"]
    hits = {probe["minor"]: probe["hits"] for probe in probes}
    missed = [text for number, (_at, text) in enumerate(sites) if not hits[number] and text != "nop"]  # nop: padding
    assert not missed and all(probe["missed"] == 0 for probe in probes), missed
    assert dprobes("remove", "--all", *line[:2]).status == 0
    assert dprobes("info", "--verify-text", *line).status == 0
