# SPDX-License-Identifier: BSD-2-Clause
"""A board loses its power in the middle of a run, and its line stays: --reinstall finds out by itself, because a board whose
memory is lost tells nobody that it has started."""
import pytest

import cpus
from harness.paths import built
from harness.qemu import parameters
from harness.staying import StayingLine

PROGRAM = "name = again\nvars = 1\noffset = timer_isr\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
FIRST = r"^DProbes.* (01000000|00000001)\n"


def cut_and_go_on(qemu, dprobes, tmp_path, board, com, program, elf=None, words=()):
    """The program runs, the power goes, and the program runs again. The outcome of the run, and the line's text."""
    file = tmp_path / "again.dp"
    file.write_text(program)
    line = StayingLine(tmp_path / "line")
    machine = qemu(board, elf=elf, hold=())
    line.plug(machine.path(com))
    run = dprobes.start("run", file, "--elf", elf or built("boards", board, "demo.elf"), "--port", line.url, "--no-names", *words)
    run.out.expect(FIRST)
    machine.kill()
    line.plug(qemu(board, elf=elf, hold=()).path(com))
    return run, line


# proves: R4.34
@pytest.mark.parametrize("board", parameters(cpus.boards(2), usual=cpus.boards(1)))
@pytest.mark.parametrize("com", ["com1", "com2"])
def test_the_run_goes_on(qemu, dprobes, tmp_path, board, com):
    run, line = cut_and_go_on(qemu, dprobes, tmp_path, board, com, PROGRAM, words=["--reinstall"])
    run.err.expect(r"the target was restarted \(boot 1\): inserting the program again")
    run.out.expect(FIRST)
    done = run.interrupt()
    line.close()
    assert done.status == 130 and "hits: again" in done.stdout and "notice:" not in done.stdout + done.stderr, done


def test_without_the_option_the_run_ends(qemu, dprobes, tmp_path):
    run, line = cut_and_go_on(qemu, dprobes, tmp_path, cpus.boards(1)[0], "com1", PROGRAM)
    done = run.wait()
    line.close()
    assert done.status == 3 and "the target was restarted, or" in done.stderr, done.stderr
