# SPDX-License-Identifier: BSD-2-Clause
"""Records a second that `report` turns into each format, in processor time (scons bench). A line of 115200 baud brings 800
a second at most, one of 3 Mbaud 20,000. The figures are of the machine that runs the bench, so nothing is compared."""
import os
import subprocess

import pytest

from harness import captures
from harness.paths import built

RECORDS = 200_000
OUTPUTS = {"json": ("--format", "json", "-o", "out"), "csv": ("--format", "csv", "-o", "out"), "text": ("--format", "text", "-o", "out"),
           "ctf": ("--ctf", "trace"), "perfetto": ("--perfetto", "out"), "svg": ("--svg", "out")}


@pytest.fixture(scope="module")
def capture(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    (folder / "p.d").write_text("console_get:entry { trace(arg0); }\n")
    tool, elf = built("host", "dprobes"), built("boards", "vexpress-a9", "demo.elf")
    subprocess.run([tool, "build", "p.d", "-o", "p.ppdf", "--elf", elf], cwd=folder, check=True)
    made = captures.Capture(folder / "run.dpc", (folder / "p.ppdf").read_bytes(), [("fbt:demo:console_get:entry", 0x60010000)])
    made.sync(1)
    for first in range(0, RECORDS, 10_000):
        made.records([(0, 20_000 * n, n & 0xffff) for n in range(first + 1, first + 10_001)])
    made.close()
    return folder / "run.dpc"


@pytest.mark.parametrize("name", OUTPUTS)
def test_records_a_second(capture, tmp_path, name):
    child = subprocess.Popen([built("host", "dprobes"), "report", capture, *OUTPUTS[name]], cwd=tmp_path)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    print(f"\n{name}: {RECORDS / (usage.ru_utime + usage.ru_stime):,.0f} records a second, {usage.ru_maxrss / 1024:.0f} MB")
