# SPDX-License-Identifier: BSD-2-Clause
"""Hits by plans do what hits without plans do (agent/sites/plan.c): every conformance case that the simulated CPU can run, in
an agent with plans and in one without (DP_PLANS 0). Records, counts and states of probes, registers, memory and what the
handler has left on the RPN stack are the same. test_agent_plans.c has the kinds of plans one by one."""
import re

import pytest

from harness import board_conformance, conformance, sim
from harness.paths import TESTS

GVARS = 64  # of the agent in the process: DP_GVARS
CASES = [case for case in conformance.cases(TESTS / "language" / "conformance") if board_conformance.globals_of(case) <= GVARS]
AWAY, MEMORY = 0xF4, 0xFA  # instructions of port/sim/sim.h
FORMS = {"host-asan": (32, "little"), "host-asan-wide": (64, "big")}
CLOCK = re.compile(r"\bpush (ns|ticks)\b")  # it is another one than that of dprobes simulate
COMMON_MIN = 0.8  # of the cases of a form


def run(tmp_path, variant, kind, planned, cases):
    machine = board_conformance.Machine("sim", FORMS[variant][1], FORMS[variant][0])
    machine.name, machine.elf = variant, None
    return machine, board_conformance.states(lambda *_, **__: sim.SimGuest(tmp_path, variant, kind, planned), machine, cases)


@pytest.mark.parametrize("variant,kind,part", [("host-asan", MEMORY, 0), ("host-asan-wide", AWAY, 1),
                                               pytest.param("host-asan", AWAY, 0, marks=pytest.mark.nightly),
                                               pytest.param("host-asan-wide", MEMORY, 0, marks=pytest.mark.nightly)])
def test_conformance(variant, kind, part, tmp_path, amount):
    """Half of the cases here, each half with another form and another kind of instruction."""
    shares = amount(2, 1)
    cases = CASES[part % shares::shares]
    machine, by_plans = run(tmp_path, variant, kind, True, cases)
    _, without = run(tmp_path, variant, kind, False, cases)
    print(f"{len(by_plans.printed)} cases; sites by plan: {dict(by_plans.plans)}, without: {dict(without.plans)}")
    assert not (texts := board_conformance.differences(cases, by_plans, without)), "\n".join(texts)
    wrong = [text for number, lines in by_plans.printed.items() if not CLOCK.search(cases[number].program())
             and (text := board_conformance.verdict(cases[number], machine, board_conformance.records_of(lines)))]
    assert not wrong, "\n".join(wrong)
    assert len(by_plans.printed) >= COMMON_MIN * sum(FORMS[variant] in case.forms() for case in cases)
    assert all(by_plans.plans[kind] > 0 for kind in ("run", "words")) and without.plans["chain"] > 0
    assert all(without.plans[kind] == 0 for kind in board_conformance.PLAN_KINDS[2:])
