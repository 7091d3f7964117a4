# SPDX-License-Identifier: BSD-2-Clause
"""agent/tree/Kconfig: the knobs of the agent for trees with Kconfig. The features come from protocol/features.def, the
sizes with their defaults and meanings from agent/dp_sizes.h."""
import pathlib
import re
import textwrap

import tables

TOP = pathlib.Path(__file__).resolve().parents[3]
TARGET = TOP / "agent/tree/Kconfig"
HEAD = """# SPDX-License-Identifier: BSD-2-Clause
# The knobs of the agent for trees with Kconfig. Made by `scons manual` of protocol/features.def and agent/dp_sizes.h.

config DPROBES_PROFILE_FULL
	bool "Programs may write memory and registers"
	default n
	help
	  DP_PROFILE_FULL. Host and session ask for the right as well.
"""
SIZE = re.compile(r"#ifndef DP_(\w+) /\* ([^*]+?) \*/\n#define DP_\1 (\d+)\n")


def option(name, kind, prompt, default, words):
    lines = textwrap.wrap(words, 70)
    return "\n".join(["", f"config DPROBES_{name}", f'\t{kind} "{prompt}"', f"\tdefault {default}", "\thelp",
                      *(f"\t  {line}" for line in lines), ""])


def numbers():
    """[(name, default, meaning)] of the knobs whose default is a number."""
    text = (TOP / "agent/dp_sizes.h").read_text(encoding="utf-8")
    return [(name, int(default), re.sub(r"\. decisions\.txt C\d+", "", meaning)) for name, meaning, default in SIZE.findall(text)]


def switches():
    """Those of a part that is no feature of the protocol, and left out."""
    return [(name, meaning) for name, default, meaning in numbers() if name.startswith("WITH_") and default == 0]


def sizes():
    return [row for row in numbers() if not row[0].startswith("WITH_")]


def generate():
    features = [option(f"WITH_{name}", "bool", f"Feature {name}", "y", f"Without it the agent lacks: {loss}.")
                for name, loss in tables.rows("protocol/features.def", "DP_FEATURE")]
    others = [option(name, "bool", f"DP_{name}", "n", f"{meaning[0].upper()}{meaning[1:]}.") for name, meaning in switches()]
    return HEAD + "".join(features + others) + "".join(option(name, "int", f"DP_{name}", default, f"{meaning[0].upper()}{meaning[1:]}.")
                                              for name, default, meaning in sizes())
