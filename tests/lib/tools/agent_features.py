# SPDX-License-Identifier: BSD-2-Clause
"""Which features an agent with some knobs has, and which of its files it needs: the preprocessor reads the knobs of
agent/dp_config.h."""
import functools
import os
import re
import subprocess

import sources_mk
import tables

FEATURES = [name for name, _ in tables.rows("protocol/features.def", "DP_FEATURE")]
# Agents by name (protocol/dp_agents.h), the smallest first.
AGENTS = ("tiny", "counts", "full")


def named(agent):
    """The knobs of an agent by name."""
    return {"DP_AGENT": f"DP_AGENT_{agent.upper()}"}


def values_of(words):
    """{knob: value} of words -DNAME=VALUE."""
    return dict(word[len("-D"):].split("=", 1) for word in words)


def knobs(names, values):
    """{name: number} of knobs of agent/dp_config.h, when the compiler is told the values {knob: value}."""
    return _knobs(tuple(names), tuple(sorted((name, str(value)) for name, value in values.items())))


@functools.cache
def _knobs(names, values):
    asked = "#include \"dp_config.h\"\n" + "".join(f"value {name.lower()} ({name})\n" for name in names)
    answer = subprocess.run(["gcc", "-E", "-P", "-xc", *(f"-D{name}={value}" for name, value in values),
                             *(f"-I{os.path.join(sources_mk.TOP, folder)}" for folder in ("agent", "protocol")), "-"],
                            input=asked, check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"^value (\w+) \((.*)\)$", answer, re.M))
    # The arithmetic of the knobs is Python's, too, but for the division of whole numbers.
    return {name: int(eval(found[name.lower()].replace("/", "//"), {"__builtins__": {}})) for name in names}


def features(values):
    """The set of features with these values. HALT, which a build that only reads leaves out, counts as if it wrote."""
    there = knobs([f"DP_WITH_{name}" for name in FEATURES], {**values, "DP_PROFILE": 1})
    return {name for name in FEATURES if there[f"DP_WITH_{name}"]}


def files_without(values):
    """The files of agent/ that no feature of the build needs."""
    there = features(values)
    return [file for name in FEATURES if name not in there
            for file in sources_mk.source_files("agent", pattern=f"{name}_SOURCES")]
