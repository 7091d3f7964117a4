# SPDX-License-Identifier: BSD-2-Clause
"""Critical sections as FreeRTOS and kernels like it have them on each CPU (boards/demo/CPU/critical_CPU.c). Each of their
instructions has a probe at once, those that mask interrupts and let them come again too. No tick comes inside a section, the
tick that was due comes behind it, and the sections go on."""
import re

import pytest

import cpus
import sources_mk
from harness import process, qemu, sweep
from harness.paths import TOP, built

BOARDS = [board for board in qemu.board_names() if sources_mk.words(sources_mk.read(str(TOP / "boards" / board)), "CRITICAL_SOURCES")]
SECTION = re.compile(r"critical_(enter|leave|mask)_\w+")
PADDING = ("nop", "xchg %ax,%ax", "movs r0, r0")  # behind a function, or in a delay slot
ROUNDS = 3
# Of a firmware without a self-test: the shell answers.
WORKLOAD = (("nothing", rb"(unknown command 'nothing'; try help)\n", True),)


def test_each_cpu_has_sections():
    assert {cpus.of_board(board).name for board in BOARDS} == set(cpus.names())


class Sections(sweep.Firmware):
    def rounds(self):
        """How often the task has used each way, and the ticks inside a section."""
        result = self.command("read", "critical_rounds", "critical_broken", "--format", "json")
        assert result.status == 0, result.stderr
        return [reading["value"] for reading in result.objects() if "value" in reading]

    def go_on(self):
        """Each way is used some times more, and no tick comes inside a section."""
        began, broken = self.rounds()
        assert broken == 0
        process.eventually(lambda: self.rounds()[0] - began > ROUNDS, f"round {began + ROUNDS}")
        assert self.rounds()[1] == 0


@pytest.mark.parametrize("board", qemu.parameters(BOARDS, cpus.boards(1)))
def test_every_instruction_of_a_section(board, tmp_path):
    image = sweep.Image(board, built("boards", board, "critical", "critical.elf"))
    sites = [site for site in image.sites if SECTION.match(site.function)]
    assert {kind for site in sites for kind in SECTION.findall(site.function)} >= {"enter", "leave"}
    firmware = Sections(board, image, tmp_path / "sections.dp", WORKLOAD)
    try:
        firmware.boot()
        for batch in sweep.batches(sites):
            assert firmware.insert(batch, "inc gv, 0\nexit") is None
            firmware.go_on()
            counters = firmware.counters()
            never = [f"{site.function}: {site.text}" for number, site in enumerate(batch)
                     if not counters[number][0] and site.text not in PADDING]
            assert not never and not any(missed for _hits, missed in counters.values()), never
            firmware.work()
            firmware.remove()
        assert firmware.text_differs() is None
        firmware.go_on()
    finally:
        firmware.close()
