# SPDX-License-Identifier: BSD-2-Clause
"""dp_port.h section 1: each port's types and constants are what the contract says, and a port that cannot serve more
than one CPU refuses to be compiled for more."""
import re
import subprocess

import pytest

import cpus
import sources_mk
import tables
from harness.paths import TOP, program

PORTS = sorted(path.parent.name for path in (TOP / "port").glob("*/dp_port_cpu.h"))
COMPILERS = {**cpus.column("header_gcc"), **{port: ["gcc"] for port in PORTS if port not in sources_mk.firmware_ports()}}

SEVERAL_CPUS = ["sim"]


def compiled(port, *flags, line="extern int nothing;"):
    compiler, *options = COMPILERS[port]
    return subprocess.run([program(compiler), *options, *flags, "-ffreestanding", "-std=c11", "-Wall", "-Werror", "-fsyntax-only",
                           *(f"-I{TOP / folder}" for folder in ("protocol", *sources_mk.include_folders("agent"), "port", f"port/{port}")), "-xc", "-"],
                          input=f'#include "dp_agent.h"\n{line}\n', capture_output=True, text=True, check=False)


def test_every_port_is_compiled():
    without = set(PORTS) ^ set(COMPILERS)
    assert not without, f"{sorted(without)}: a port for a firmware has a row tests/guests/CPU/cpu.py with its compiler"


# proves: P1.2
@pytest.mark.parametrize("port", COMPILERS)
def test_state_of_a_site_is_small(port):
    for limit, fits in ((8, True), (0, False)):
        done = compiled(port, line=f'_Static_assert(sizeof(struct dp_port_site) <= {limit}, "too large");')
        assert (done.returncode == 0) == fits and (fits or "too large" in done.stderr), done.stderr


@pytest.mark.parametrize("port", COMPILERS)
def test_the_port_is_the_cpu_of_its_rows(port):
    """The host compiles for the instruction sets, words and byte orders that the port has. The sim port has every group."""
    (name, _, word_bits, order, groups, *_), = tables.rows(f"port/{port}/cpu.def", "DP_CPU")
    isas = " | ".join(f"1u << DP_ISA_{isa}" for isa, *_ in tables.rows(f"port/{port}/cpu.def", "DP_CODE"))
    groups = "RPN_GROUP_ALL" if port == "sim" else groups
    facts = [f"DP_PORT_CPU == DP_CPU_{name}", f"DP_PORT_ISAS == ({isas})", f"{word_bits} == 0 || DP_WORD_BITS == {word_bits}",
             {"LITTLE": "!DP_PORT_BIG_ENDIAN", "BIG": "DP_PORT_BIG_ENDIAN", "EITHER": "1"}[order],
             f"(DP_PORT_GROUPS & ~({groups})) == 0"]
    for fact in facts:
        done = compiled(port, line=f'_Static_assert({fact}, "the rows say something else");')
        assert done.returncode == 0, done.stderr
    assert compiled(port, line=f'_Static_assert(DP_PORT_ISAS == ({isas} | 128), "");').returncode != 0


# proves: P2.1
@pytest.mark.parametrize("path", sorted((TOP / "port").glob("*/regs.def")),
                         ids=lambda path: path.parent.name)
def test_registers_are_sorted(path):
    numbers = [int(row[0], 0) for row in tables.rows(path.relative_to(TOP), "DP_REG")]
    assert numbers and numbers == sorted(set(numbers))


# proves: P1.3
@pytest.mark.parametrize("port", [port for port in COMPILERS if port not in SEVERAL_CPUS])
def test_one_cpu(port):
    for flags in ([], ["-DDP_PORT_CPUS=1"]):
        done = compiled(port, *flags)
        assert done.returncode == 0, done.stderr
    for count in (0, 2, 4):
        done = compiled(port, f"-DDP_PORT_CPUS={count}")
        assert done.returncode != 0 and "#error" in done.stderr and "one CPU" in done.stderr, (count, done.stderr)


@pytest.mark.parametrize("port", SEVERAL_CPUS)
def test_several_cpus(port):
    for count in (1, 2, 4):
        done = compiled(port, f"-DDP_PORT_CPUS={count}")
        assert done.returncode == 0, done.stderr
    done = compiled(port, "-DDP_PORT_CPUS=0")
    assert done.returncode != 0 and "at least one CPU" in done.stderr, done.stderr


HANDED_OVER = """#include "dp_log_ring.h"
void commit(struct dp_ring *ring);
void commit(struct dp_ring *ring) { dp_ring_commit(ring); }
uint32_t committed(const struct dp_ring *ring);
uint32_t committed(const struct dp_ring *ring) { return dp_ring_committed(ring); }
"""


@pytest.mark.parametrize("cpu", cpus.column("header_gcc"))
def test_records_are_handed_over(cpu):
    """The CPU that sends a record sees all of it: with several CPUs a barrier stands in the writer and in the reader, where
    the CPU needs one; with one CPU in neither."""
    compiler, *options = COMPILERS[cpu]
    for count, barriers in ((1, 0), (2, 0 if cpus.of(cpu).ordered else 1)):
        done = subprocess.run([program(compiler), *options, f"-DDP_PORT_CPUS={count}", "-O2", "-ffreestanding", "-std=c11", "-Wall", "-Werror", "-S",
                               "-o-", *(f"-I{TOP / folder}" for folder in ("protocol", *sources_mk.include_folders("agent"), "port", "port/sim")),
                               "-xc", "-"], input=HANDED_OVER, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        for function in ("commit", "committed"):
            body = re.search(rf"^{function}:.*?\.size\s+{function}\b", done.stdout, re.M | re.S).group()
            found = re.findall(r"^\s+(?:dmb|fence|sync|lwsync|isync|bl?\s+__sync_synchronize|mcr\s)", body, re.M)
            assert len(found) >= barriers and (barriers or not found), body
