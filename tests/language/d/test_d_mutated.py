# SPDX-License-Identifier: BSD-2-Clause
"""Mutated D programs that have the names of a firmware: functions, C++, types, members, lines, instructions, returns."""
import subprocess

import d_cases

from harness.paths import built

CXX = """
namespace net { struct Queue { int count; __attribute__((noinline)) int put(int v) { count += v; return count; } }; }
net::Queue queue;
extern "C" int put_twice(int v) { return queue.put(v) + queue.put(v + 1); }
"""


def test_programs_with_names_of_a_firmware(tmp_path, amount):
    """A crash, a second of computing, a mistake of the front end and an object that the verifier refuses fail."""
    (tmp_path / "queue.cpp").write_text(CXX, encoding="utf-8")
    elf = d_cases.firmware(tmp_path, more=("queue.cpp",))
    run = subprocess.run([built("host-asan", "tests", "language", "test_d_mutations"), str(amount(10_000, 500_000)), "1", elf],
                         cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert run.returncode == 0, run.stdout.decode("utf-8", "backslashreplace")[-6000:]
