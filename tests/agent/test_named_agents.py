# SPDX-License-Identifier: BSD-2-Clause
"""Agents by name (protocol/dp_agents.h): each is compiled with its own sizes, runs what it says it can, and refuses the
rest. What the tiny one refuses of D: language/d/test_d_faults.py, with the configuration small, which has its features."""
import re
import struct
import subprocess

import pytest

import agent_features
import tables
from harness import agents, tool
from harness.feature_host import Host
from harness.feature_programs import ARMED, HOT, OTHER, THIRD, words
from harness.paths import TOP
from harness.session import ERRORS, FEATURES, Session, parts_of_features

NAMED = {"tiny": {"SHARED_LINE", "TEXT"}, "counts": {"SHARED_LINE", "TEXT", "COUNTS"}, "full": set(FEATURES)}
PARTS = {name: sentence for _, name, _, sentence in tables.rows("protocol/parts.def", "DP_PART")}
GUIDE = (TOP / "agent/README.md").read_text(encoding="utf-8")
SIZES = ("DP_MAX_PROBES", "DP_MAX_PROGRAMS", "DP_ARENA_BYTES", "DP_STACK_WORDS", "DP_LOG_MAX", "DP_RING_BYTES")


def header(place):
    return f"name = t{place:x}\nlogmax = 8\nexcpt_log = 0\nmap = count 1 4\noffset = {place:#x}\nopcode = {0x10000000 + place - 0x08000000:#x}\n"


@pytest.fixture
def build(dprobes, tmp_path):
    def data_of(text):
        source, made = tmp_path / "t.dp", tmp_path / "t.ppdf"
        source.write_text(text)
        done = dprobes("build", "--cpu", "sim", "--word", "32", "--endian", "little", "--output", made, source)
        assert done.status == 0, done.stderr
        data = made.read_bytes()
        return data[:int.from_bytes(data[8:12], "big")]
    return data_of


def without_map(place):
    return header(place).replace("map = count 1 4\n", "")


# proves: A3.63
@pytest.mark.parametrize("agent", ["tiny", "counts"])
def test_agent_runs(agent, build, tmp_path):
    """The window, the ring and the arena of each are enough for a session: records come, maps count, full is told."""
    options = [f"-DDP_AGENT=DP_AGENT_{agent.upper()}"]
    there = agent_features.features(agent_features.values_of(options))
    assert there == NAMED[agent]
    run = agents.firmware("firmware_session.c", agents.Objects(), tmp_path, agents.files_of(there, FEATURES), options)
    assert run.returncode == 0, run.stderr
    sizes = agent_features.knobs(SIZES, agent_features.named(agent))
    host = Host(Session(tmp_path / "firmware", parts_of_features(there)), build)
    s = host.session
    assert s.hello().log_max == sizes["DP_LOG_MAX"]
    program = host.install(without_map(HOT) + "push 7\nlog 1\nexit\n")
    host.hit(HOT, s.probe(program).number, words(7), words(7))
    counting = build(header(OTHER) + "push 5\nadd map, 0\nabort\n")
    if "COUNTS" in there:
        error, _, (program, _, _) = s.commit(counting, 8)
        assert error == 0
        host.run(OTHER, 3)
        assert s.good("MAP", bytes([program]) + struct.pack(">BHB", 0, 0, 0))[6:] == bytes([0b0101, 5, 3])
    else:
        host.refused("LEFT_OUT", None, counting)
    scale = header(THIRD).replace("map = count 1 4\n", "map = count 1 4\nmap = powers\n")
    host.refused("LEFT_OUT", None, build(scale + "push 5\nbucket 1\nadd map, 0\nabort\n"))
    host.refused("LEFT_OUT", None, build(header(THIRD).replace("count", "stddev") + "push 5\npush 3\nadd map, 0\nabort\n"))
    for _ in range(sizes["DP_MAX_PROGRAMS"] - s.status().programs):
        host.install(without_map(THIRD).replace("t8", f"u{s.status().programs}") + "push 7\nlog 1\nexit\n")
    assert s.commit(build(without_map(THIRD) + "exit\n"), 8)[0] == ERRORS["TABLE_FULL"]
    host.check_probe(0, hits=2, state=ARMED)
    s.close()


@pytest.mark.parametrize("values, sentence", [
    ({"DP_AGENT": "tiny"}, "DP_AGENT is DP_AGENT_TINY, DP_AGENT_COUNTS or DP_AGENT_FULL"),
    ({"DP_WITH_D": 1, "DP_WITH_COUNTS": 0}, "the feature D needs the feature COUNTS: set DP_WITH_COUNTS to 1, or leave it out")],
    ids=["name", "D without COUNTS"])
def test_choice_that_is_none(values, sentence):
    """The compiler says it; no feature goes without a word."""
    with pytest.raises(subprocess.CalledProcessError) as wrong:
        agent_features.features(values)
    assert sentence in wrong.value.stderr


def test_kconfig_brings_what_the_header_brings():
    """The glue of a tree sets each feature to 1 or 0: tiny and D, without this line, would be D without COUNTS."""
    kconfig = (TOP / "agent/tree/Kconfig").read_text(encoding="utf-8")
    selects = {name: set(re.findall(r"^\tselect DPROBES_WITH_(\w+)$", text, re.M))
               for name, text in re.findall(r"^config DPROBES_WITH_(\w+)\n((?:\t.*\n)+)", kconfig, re.M)}
    assert {name: others for name, others in selects.items() if others} == {"D": {"COUNTS"}}


@pytest.mark.parametrize("clause, place, part", [
    ("@ = quantize(7)", 13, "LONG"), ("@ = stddev(7)", 13, "LONG"), ("trace(timestamp + 1)", 19, "LONG"),
    ("trace(execname)", 19, "STRINGS")])
def test_counts_without_the_rest_of_d(sim_target, dprobes, clause, place, part):
    """The expression is pointed at, before anything changes."""
    target = sim_target("--hits", 50, "--build-id", profile="counts")
    run = dprobes("-n", f"hot:entry {{ {clause}; }}", "--for", "1s", "--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")
    first, _, caret, *_ = run.stderr.splitlines()
    assert run.status == 1 and f"this agent was built without {PARTS[part]}" in first and "DP_WITH_D" in first, run.stderr
    assert first.startswith(f"<command line>:1:{place}: error: ") and caret.index("^") == place - 1, run.stderr
    assert target.text_is_original()


def test_counts_of_d(sim_target, dprobes):
    """Each function of an aggregation that the agent has, and one by a key."""
    target = sim_target("--hits", 50, "--build-id", profile="counts")
    clauses = "@c = count(); @s = sum(5); @l = min(6); @m = max(7); @a = avg(8); @k[9] = count(); trace(1);"
    run = dprobes("-n", f"hot:entry {{ {clauses} }}", "--count", 1, "--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")
    assert run.status == 0, run.stderr
    hits, total, *others, by_key = map(int, re.findall(r"^ +(?:9 +)?(\d+)$", run.stdout, re.M))
    assert hits > 0 and total == 5 * hits and others == [6, 7, 8] and by_key == hits and "  9  " in run.stdout


def test_sizes_that_the_guide_says():
    """The table of the agents by name is that of their knobs."""
    head, *rows = re.search(r"^\| agent \|.*\n(?:\|.*\n)+", GUIDE, re.M)[0].splitlines()
    columns = [cell.strip() for cell in head.strip("|").split("|")][1:]
    assert columns == [f"`{name}`" for name in agent_features.AGENTS]
    said = {cells[0].strip().strip("`"): [cell.strip() for cell in cells[1:]] for cells in (row.strip("|").split("|") for row in rows[1:])}
    for name in SIZES:
        values = [agent_features.knobs([name], agent_features.named(agent))[name] for agent in agent_features.AGENTS]
        assert list(map(int, said[name])) == values, name
    features = [", ".join(sorted(NAMED[agent])) for agent in agent_features.AGENTS[:-1]]
    assert [", ".join(sorted(cell.split(", "))) for cell in said["features"][:-1]] == features and said["features"][-1] == "all"
    assert {agent: agent_features.features(agent_features.named(agent)) for agent in agent_features.AGENTS} == NAMED
