# SPDX-License-Identifier: BSD-2-Clause
"""run --reinstall: after a restart of the target the program is inserted again, and the run goes on."""
import pytest

PROGRAM = "name = again\nvars = 1\noffset = hot\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
KEY = "000102030405060708090a0b0c0d0e0f"


@pytest.mark.parametrize("restart, com, options", [("warm_restart", "com1", ()), ("power_cycle", "com2", ("--key", KEY))],
                         ids=["told by the notice", "told by the next request, with a key"])
def test_run_goes_on(dprobes, sim_target, tmp_path, restart, com, options):
    target = sim_target("--hits", 50, *options)
    (tmp_path / "again.dp").write_text(PROGRAM)
    (tmp_path / "board.key").write_text(KEY)
    (tmp_path / "board.key").chmod(0o600)
    run = dprobes.start("run", tmp_path / "again.dp", "--sym", target.map, "--dont-verify-opcodes", "--no-names", "--port", target.url(com),
                        "--key", tmp_path / "board.key", "--reinstall")
    run.out.expect("DProbes.* 01000000")
    getattr(target, restart)()
    run.err.expect(r"the target was restarted \(boot \d+\): inserting the program again")
    run.out.expect("DProbes.* 01000000")
    done = run.interrupt()
    assert done.status == 130 and "hits: again" in done.stdout, done
    assert target.text_is_original()


@pytest.mark.parametrize("options, told", [(("--reinstall",), 1), ((), 0)])
def test_a_line_that_closes(dprobes, sim_target, tmp_path, options, told):
    """--reinstall waits for a target, not for a line: the end says so, and names the service."""
    target = sim_target("--hits", 50)
    (tmp_path / "again.dp").write_text(PROGRAM)
    run = dprobes.start("run", tmp_path / "again.dp", "--sym", target.map, "--dont-verify-opcodes", "--port", target.url("com1"), *options)
    run.out.expect("DProbes")
    target.close()
    ended = run.wait()
    assert ended.status == 3 and ended.stderr.count("--reinstall waits for a target that restarts") == told, ended
    assert ended.stderr.count("'dprobes serve --keep'") == told, ended


def test_without_the_option_the_run_ends(dprobes, sim_target, tmp_path):
    target = sim_target("--hits", 50)
    (tmp_path / "again.dp").write_text(PROGRAM)
    run = dprobes.start("run", tmp_path / "again.dp", "--sym", target.map, "--dont-verify-opcodes", "--port", target.url("com1"))
    run.out.expect("DProbes")
    target.warm_restart()
    assert run.wait().status == 3
