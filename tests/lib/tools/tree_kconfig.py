# SPDX-License-Identifier: BSD-2-Clause
"""agent/tree/Kconfig: the knobs of the agent for trees with Kconfig. The agents by name come from protocol/dp_agents.h, the
features from protocol/features.def, the sizes with their defaults and meanings from agent/dp_sizes.h."""
import pathlib
import re
import textwrap

import agent_features
import tables

TOP = pathlib.Path(__file__).resolve().parents[3]
TARGET = TOP / "agent/tree/Kconfig"
HEAD = """# SPDX-License-Identifier: BSD-2-Clause
# The knobs of the agent for trees with Kconfig. Made by `scons manual` of protocol/dp_agents.h, protocol/features.def
# and agent/dp_sizes.h.

config DPROBES_PROFILE_FULL
	bool "Programs may write memory and registers"
	default n
	help
	  DP_PROFILE_FULL. Host and session ask for the right as well.
"""
SIZE = re.compile(r"#ifndef DP_(\w+) /\* ([^*]+?) \*/\n#define DP_\1 (?:\d+|DP_KNOB\(.*\d\))\n")
AGENT = re.compile(r"^#define DP_AGENT_(\w+) +\d+ +/\* (.*) \*/$", re.M)


def option(name, kind, prompt, defaults, words, brings=()):
    """defaults: of each agent by name, which `kconfig` reads in their order, or of all. brings: other options."""
    lines = textwrap.wrap(words, 70)
    one = len(set(defaults.values())) == 1
    said = [f"\tdefault {value}" + ("" if one or agent == agent_features.AGENTS[-1] else f" if DPROBES_AGENT_{agent.upper()}")
            for agent, value in (list(defaults.items())[-1:] if one else defaults.items())]
    return "\n".join(["", f"config DPROBES_{name}", f'\t{kind} "{prompt}"', *said, *(f"\tselect DPROBES_{other}" for other in brings), "\thelp",
                      *(f"\t  {line}" for line in lines), ""])


def agents():
    """The choice of an agent by name."""
    text = (TOP / "protocol/dp_agents.h").read_text(encoding="utf-8")
    rows = [f'\nconfig DPROBES_AGENT_{name}\n\tbool "{name.lower()}: {meaning}"\n' for name, meaning in AGENT.findall(text)]
    return ('\nchoice\n\tprompt "Agent"\n\tdefault DPROBES_AGENT_FULL\n\thelp\n'
            "\t  DP_AGENT: the defaults of the options below. The rights of programs\n\t  are another choice, DPROBES_PROFILE_FULL.\n" + "".join(rows) + "\nendchoice\n")


def of_agents(name):
    """{agent: number} of a knob."""
    return {agent: agent_features.knobs([name], agent_features.named(agent))[name] for agent in agent_features.AGENTS}


def numbers():
    """[(name, defaults, meaning)] of the knobs whose defaults are numbers."""
    text = (TOP / "agent/dp_sizes.h").read_text(encoding="utf-8")
    return [(name, of_agents(f"DP_{name}"), re.sub(r"\. decisions\.txt C\d+", "", meaning)) for name, meaning in SIZE.findall(text)]


def brought(feature):
    """The other features that a feature brings, as options."""
    alone = agent_features.features({"DP_WITH_ALL": 0, f"DP_WITH_{feature}": 1})
    return [f"WITH_{name}" for name in sorted(alone - {feature})]


def switches():
    """Those of a part that is no feature of the protocol, and left out."""
    return [(name, meaning) for name, default, meaning in numbers() if name.startswith("WITH_") and not any(default.values())]


def sizes():
    return [row for row in numbers() if not row[0].startswith("WITH_")]


def generate():
    there = {agent: agent_features.features(agent_features.named(agent)) for agent in agent_features.AGENTS}
    features = [option(f"WITH_{name}", "bool", f"Feature {name}", {agent: "y" if name in there[agent] else "n" for agent in there},
                       f"Without it the agent lacks: {loss}.", brought(name))
                for name, loss in tables.rows("protocol/features.def", "DP_FEATURE")]
    others = [option(name, "bool", f"DP_{name}", {"full": "n"}, f"{meaning[0].upper()}{meaning[1:]}.") for name, meaning in switches()]
    return HEAD + agents() + "".join(features + others) + "".join(option(name, "int", f"DP_{name}", default, f"{meaning[0].upper()}{meaning[1:]}.")
                                              for name, default, meaning in sizes())
