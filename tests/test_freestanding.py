# SPDX-License-Identifier: BSD-2-Clause
"""The agent has nothing underneath: no libc, no libgcc, no OS.

Linked for each CPU, its core asks for the port's functions and nothing else; with the port it asks
for what the port's sources.mk lists in EXTERNALS and nothing else.
"""
import re
import subprocess

import pytest

import sources_mk
from harness.paths import BUILD, TOP, built

VARIANTS = sorted(path.parent.name for path in BUILD.glob("agent/*/core.o"))


def symbols(path):
    """(defined, undefined) global symbols; readelf reads every CPU's objects."""
    listing = subprocess.run(["readelf", "-sW", str(path)], capture_output=True, text=True,
                             check=True).stdout
    defined, undefined = set(), set()
    for line in listing.splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[0][:-1].isdigit() and fields[4] in ("GLOBAL", "WEAK"):
            (undefined if fields[6] == "UND" else defined).add(fields[7])
    return defined, undefined


def declared(prefix):
    """The functions that port/dp_port.h declares with this prefix."""
    text = (TOP / "port" / "dp_port.h").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return set(re.findall(rf"\b({prefix}\w+)\s*\(", text))


def port_of(variant):
    folders = list((BUILD / "agent" / variant / "port").iterdir())
    return folders[0].name if folders else None


def test_built():
    built("agent")
    assert VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_core_needs_the_port_only(variant):
    _, undefined = symbols(built("agent", variant, "core.o"))
    assert undefined <= declared("dp_port_"), \
        f"not in dp_port.h: {sorted(undefined - declared('dp_port_'))}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_core_gives_the_port_what_the_contract_says(variant):
    defined, _ = symbols(built("agent", variant, "core.o"))
    assert declared("dp_agent_") <= defined


@pytest.mark.parametrize("variant", VARIANTS)
def test_agent_needs_nothing(variant):
    _, undefined = symbols(built("agent", variant, "agent.o"))
    port = port_of(variant)
    documented = sources_mk.words(sources_mk.read(str(TOP / "port" / port)), "EXTERNALS")
    assert undefined <= set(documented), \
        f"not in EXTERNALS of port/{port}/sources.mk: {sorted(undefined - set(documented))}"


@pytest.mark.parametrize("variant", [v for v in VARIANTS if not v.startswith("template")])
def test_private_stack_is_enough(variant):
    """With a callback of the board and a nested hit on the deepest path."""
    text = built("agent", variant, "size.txt").read_text()
    needed, there = map(int, re.search(r"private stack, .* = (\d+) of (\d+)", text).groups())
    assert needed <= there


@pytest.mark.parametrize("variant", VARIANTS)
def test_names_stay_ours(variant):
    """Somebody's firmware links this: nothing global outside our prefixes."""
    defined, _ = symbols(built("agent", variant, "agent.o"))
    foreign = sorted(name for name in defined if not name.startswith(("dp_", "rpn_", "$")))
    assert not foreign
