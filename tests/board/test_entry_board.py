# SPDX-License-Identifier: BSD-2-Clause
"""entry(e) on boards: each call has its own value, in a recursion, in tasks that wait inside the function, and beside interrupts."""
import re

import pytest

import cpus
from harness import paths

# mix_recursion(n) is the n-th number of Fibonacci. timer_isr interrupts it; task_sleep_ms waits while other tasks run it:
# a tick is a millisecond. The agent's task is woken before its time.
PROGRAM = """
mix_recursion:entry { @began[n] = count(); }
mix_recursion:return { @ended[entry(n), retval] = count(); }
task_sleep_ms:return /tick_count - entry(tick_count) < entry(ms) && execname != "agent"/ { @short[execname] = count(); }
task_sleep_ms:return { @slept[execname] = count(); }
timer_isr:return /entry(tick_count) + 1 != tick_count/ { @odd = count(); }
timer_isr:return { @ticks = count(); }
fbt::selftest_run:return { exit(0); }
END { printa("began %d %@d\\n", @began); printa("ended %d %d %@d\\n", @ended); printa("slept %s %@d\\n", @slept); printa("short %s %@d\\n", @short);
      printa("odd %@d\\n", @odd); printa("ticks %@d\\n", @ticks); }
"""


@pytest.mark.parametrize("board", cpus.boards())
def test_each_call_has_its_value(qemu, dprobes, tmp_path, board):
    elf = paths.built("boards", board, "demo.elf")
    machine = qemu(board).free_when_up()
    (tmp_path / "p.d").write_text(PROGRAM)
    result = dprobes("trace", tmp_path / "p.d", "-q", "-c", "selftest 2", "--quiet", "--port", machine.url("com1"), "--elf", elf)
    assert result.status == 0, result.stderr
    fibonacci = [0, 1]
    while len(fibonacci) < 20:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    began = {int(n): int(count) for n, count in re.findall(r"^began (\d+) (\d+)$", result.stdout, re.M)}
    ended = {(int(n), int(value)): int(count) for n, value, count in re.findall(r"^ended (\d+) (\d+) (\d+)$", result.stdout, re.M)}
    assert began and {n: count for (n, _), count in ended.items()} == began, result.stdout
    assert all(value == fibonacci[n] for n, value in ended), ended
    assert len(ended) == len(began), ended
    assert "slept" in result.stdout and "short" not in result.stdout, result.stdout
    assert re.search(r"^ticks [1-9]", result.stdout, re.M) and "odd" not in result.stdout, result.stdout
