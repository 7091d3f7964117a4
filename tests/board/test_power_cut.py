# SPDX-License-Identifier: BSD-2-Clause
"""A board loses its power in the middle of a run, and its line stays: --reinstall finds out by itself, because a board whose
memory is lost tells nobody that it has started. So does gdb's server."""
import pytest

import cpus
from harness.paths import built
from harness.qemu import parameters
from harness.staying import StayingLine
from harness.typed_gdb import typed_gdb

PROGRAM = "name = again\nvars = 1\noffset = timer_isr\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
FIRST = r"^DProbes.* (01000000|00000001)\n"


def cut_and_go_on(qemu, dprobes, tmp_path, board, com, source, elf=None, words=()):
    """The program runs, the power goes, and the program runs again. The outcome of the run, and the line's text."""
    file = tmp_path / "again.dp"
    file.write_text(source)
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


PUT = r"put (\d+)\n"


@pytest.mark.nightly  # each server waits for seconds until the silence is one
@pytest.mark.parametrize("style,form", [("agent", ("demo.elf",)), ("agent", ("stop", "stop.elf")), ("gdb", ("stop", "stop.elf"))])
def test_dprintf_goes_on(qemu, dprobes, tmp_path, style, form):
    """gdb waits for text: the server says that the target was restarted, and the texts of the new start follow. A gdb whose target
    is stopped when the power goes has no registers of the thread that runs now: it goes on from a thread that waits. ^C ends the
    wait, and no program is left."""
    board = cpus.boards(1)[0]
    elf = built("boards", board, *form)
    line = StayingLine(tmp_path / "line")
    machine = qemu(board, elf=elf, hold=())
    line.plug(machine.path("com2"))
    server = [built("host", "dprobes"), "gdb", "--stdio", "--write", "--port", line.url, "--elf", elf]
    with typed_gdb(elf, "set prompt @\\n") as gdb:
        gdb.type("target remote | " + " ".join(map(str, server)), f"set dprintf-style {style}", r'dprintf queue_put,"put %u\n", q->puts', "continue")
        for _ in range(3):
            gdb.said.expect(PUT)
        machine.kill()
        line.plug(qemu(board, elf=elf, hold=()).path("com2"))
        gdb.said.expect("the target was restarted")
        if gdb.said.expect(f"{PUT}|@\n")[1] is None:
            gdb.type("python [thread.switch() for thread in gdb.selected_inferior().threads() if thread.name == 'log']", "continue")
        for _ in range(3):
            gdb.said.expect(PUT)
        gdb.interrupt()
        gdb.said.expect("received signal SIGINT")
        gdb.type("delete", "detach", "quit")
        gdb.said.expect("detached\\]")
    done = dprobes("list", "--format", "json", "--port", line.url, "--elf", elf)
    line.close()
    assert done.status == 0 and done.objects() == [], done
