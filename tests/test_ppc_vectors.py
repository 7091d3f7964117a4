# SPDX-License-Identifier: BSD-2-Clause
"""guests/ppc/vectors.txt is what QEMU does, without any of our code: measured again. test_ppc_port.py
executes them with probes."""
import ppc_vectors
from harness.paths import TESTS, program


def test_measured_again():
    for name in ("qemu-system-ppc", "powerpc-linux-gnu-as"):
        program(name)
    there = ppc_vectors.read(TESTS / "guests" / "ppc" / "vectors.txt")
    again = ppc_vectors.measured()
    assert len(there) >= 80
    assert there == [(word, text, change, after) for word, text, change, after in again]
