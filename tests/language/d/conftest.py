# SPDX-License-Identifier: BSD-2-Clause
"""The tool against an agent in a process, for D programs."""
import pytest


@pytest.fixture
def ask(sim_target, dprobes):
    """Runs the tool against an agent whose firmware calls `hot`."""
    target = sim_target("--hits", 200, "--build-id")
    options = ("--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")

    def run(*words):
        more = options if words[0] == "-n" or str(words[-1]).endswith(".d") else options[:2]
        return dprobes(*words, *more)

    run.target = target
    return run
