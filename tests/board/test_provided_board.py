# SPDX-License-Identifier: BSD-2-Clause
"""The provider file of the demo kernel on boards: a declared probe has the hits of the function where it stands."""
import re

import pytest

import cpus
from harness import paths

# A probe of each provider, and its place. WHEN: the condition that the provider file has.
PAIRS = {"sched:::on-cpu": "sched_switch", "queue:::send": "queue_put", "mem:::alloc": "_malloc_r", "isr:::tick": "timer_isr"}
WHEN = {"sched:::on-cpu": "from != to"}
CLAUSES = "\n".join(f'{probe} /begun/ {{ @declared["{probe}"] = count(); }}\n'
                    f'fbt::{place}:entry /begun && {WHEN.get(probe, "1")}/ {{ @plain["{probe}"] = count(); }}'
                    for probe, place in PAIRS.items())
PROGRAM = f"""
fbt::selftest_library:entry {{ begun = 1; }}
{CLAUSES}
fbt::timer_isr:entry /begun && ++passed == 300/ {{ exit(0); }}
END {{ printa("declared %s %@d\\n", @declared); printa("plain %s %@d\\n", @plain); }}
"""


@pytest.mark.parametrize("board", cpus.boards())
def test_declared_probes_count_what_fbt_counts(qemu, dprobes, tmp_path, board):
    elf = paths.built("boards", board, "demo.elf")
    machine = qemu(board).free_when_up()
    (tmp_path / "p.d").write_text(PROGRAM)
    result = dprobes("trace", tmp_path / "p.d", "-q", "-c", "selftest library", "--quiet", "--port", machine.url("com1"), "--elf", elf)
    assert result.status == 0, result.stderr
    counts = {kind: dict(re.findall(rf"{kind} (\S+) (\d+)", result.stdout)) for kind in ("declared", "plain")}
    assert set(counts["declared"]) == set(PAIRS) and counts["declared"] == counts["plain"], result.stdout
    assert all(int(count) > 0 for count in counts["declared"].values()), counts
    record = dprobes("-n", 'queue:::send { printf("%s %s", probeprov, stringof(args[0]->name)); }', "--count", 1, "--format", "json",
                     "--quiet", "--port", machine.url("com1"), "--elf", elf)
    assert record.status == 0 and '"desc":"queue:demo:queue_put:send"' in record.stdout, record
