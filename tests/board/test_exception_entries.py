# SPDX-License-Identifier: BSD-2-Clause
"""The code of the demo kernel in which exceptions begin and end, and tasks are switched (boards/demo/CPU/arch_CPU.S), with
probes at its instructions, on the boards whose range table allows them there. What the agent does not refuse is hit, and the
self-test, the faults of tasks and the shell answer as without probes. The kernel with critical sections has a task that uses
the floating-point unit."""
import pytest

import cpus
from harness import qemu, sweep
from harness.paths import built

BOARDS = [board for row in cpus.rows() for board in row.entries_on]


def stretches(sites, refused):
    """(first instruction, last instruction, reason) of neighbours that are refused for the same reason."""
    found = []
    for before, site in zip([None, *sites], sites):
        if refused.get(site) and refused.get(site) == refused.get(before):
            found[-1] = (found[-1][0], site.function, refused[site])
        elif site in refused:
            found.append((site.function, site.function, refused[site]))
    return found


@pytest.mark.parametrize("board", qemu.parameters(BOARDS, ()))
def test_every_instruction_of_an_entry(board, tmp_path):
    row = cpus.of_board(board)
    image = sweep.Image(board, built("boards", board, "critical", "critical.elf"), "no_probe_end")
    sites = [site for site in image.sites if site.function.partition("+")[0] in row.entries]
    assert {site.function.partition("+")[0] for site in sites} == set(row.entries)
    firmware = sweep.Firmware(board, image, tmp_path / "entries.dp")
    refused, never = {}, []
    try:
        firmware.boot()
        for batch in sweep.batches(sites):
            while found := firmware.refusals(batch, "inc gv, 0\nexit"):
                refused.update(found)
                batch = [site for site in batch if site not in found]
            firmware.work()
            counters = firmware.counters()
            never += [site for number, site in enumerate(batch) if not counters[number][0]]
            assert not any(missed for _hits, missed in counters.values())
            firmware.remove()
        assert firmware.text_differs() is None
    finally:
        firmware.close()
    print(stretches(sites, refused))
    assert not never
    assert stretches(sites, refused) == list(row.entries_refused)
