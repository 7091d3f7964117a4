# SPDX-License-Identifier: BSD-2-Clause
"""dp_port.h: a port that cannot serve more than one CPU refuses to be compiled for more."""
import subprocess

import pytest

from harness.paths import TOP, program

COMPILERS = {"arm": ["arm-none-eabi-gcc", "-mcpu=cortex-a9"], "mips": ["mips-linux-gnu-gcc"], "ppc": ["powerpc-linux-gnu-gcc", "-m32"],
             "sim": ["gcc"], "template": ["gcc"]}


def compiled(port, *flags):
    compiler, *options = COMPILERS[port]
    return subprocess.run([program(compiler), *options, *flags, "-ffreestanding", "-std=c11", "-Wall", "-Werror", "-fsyntax-only",
                           *(f"-I{TOP / folder}" for folder in ("protocol", "agent", "port", f"port/{port}")), "-xc", "-"],
                          input='#include "dp_agent.h"\nextern int nothing;\n', capture_output=True, text=True, check=False)


def test_every_port_is_compiled():
    assert {path.parent.name for path in (TOP / "port").glob("*/dp_port_cpu.h")} == set(COMPILERS)


@pytest.mark.parametrize("port", COMPILERS)
def test_one_cpu(port):
    for flags in ([], ["-DDP_PORT_CPUS=1"]):
        done = compiled(port, *flags)
        assert done.returncode == 0, done.stderr
    for count in (0, 2, 4):
        done = compiled(port, f"-DDP_PORT_CPUS={count}")
        assert done.returncode != 0 and "#error" in done.stderr and "one CPU" in done.stderr, (count, done.stderr)
