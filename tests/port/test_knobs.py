# SPDX-License-Identifier: BSD-2-Clause
"""Each knob of a port, compiled for its target: the CPU's row (guests/CPU/cpu.py) says with which value."""
import re
import subprocess

import pytest

import port_knobs
import sources_mk
from harness.paths import TOP, built

ROWS = {port_knobs.name(*row): row for row in port_knobs.BUILDS}
DATA_MAX = 8  # a pointer to the state of the port


def test_each_knob_has_a_row():
    found = {knob for port in sources_mk.firmware_ports() for knob in port_knobs.knobs(port)}
    assert {"DP_CORTEXM_WITH_DWT", "DP_RISCV_TRIGGERS"} <= found
    assert found == port_knobs.NUMBERS | {knob for _, values in port_knobs.BUILDS for knob in values}


@pytest.mark.parametrize("row", ROWS)
def test_port_with_the_knob(row):
    """It compiles without a warning, asks for nothing but port and core, and has no memory of its own."""
    port, = (path.name for path in (built("knobs", row) / "port").iterdir() if (TOP / "port" / path.name / "dp_port_cpu.h").exists())
    linked = built("knobs", row, "port.o")
    listing = subprocess.run(["readelf", "-sW", linked], capture_output=True, text=True, check=True).stdout
    missing = set(re.findall(r" UND (\w+)$", listing, re.M))
    externals = set(sources_mk.words(sources_mk.read(str(TOP / "port" / port)), "EXTERNALS"))
    assert not {word for word in missing - externals if not word.startswith(("dp_", "dprobes_"))}
    sections = subprocess.run(["readelf", "-SW", linked], capture_output=True, text=True, check=True).stdout
    sizes = {kind: sum(int(size, 16) for size in re.findall(rf" \.{kind}\S* +(?:PROGBITS|NOBITS) +\w+ \w+ (\w+)", sections))
             for kind in ("text", "data", "bss")}
    print(row, sizes)
    assert sizes["text"] > 0 and sizes["data"] + sizes["bss"] <= DATA_MAX
