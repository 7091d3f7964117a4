# SPDX-License-Identifier: BSD-2-Clause
"""Costs that the documents state are those of tests/lib/bench_limits.txt and of the build. Instructions of hits are the ones
counted. A figure that differs from run to run may differ by 5 %; bytes of text by 100."""
import collections
import re
import subprocess

import pytest

import agent_features
import cpus
import usual
from harness import limits, paths
from harness.paths import BUILD, TOP

README = (TOP / "README.md").read_text(encoding="utf-8")
AGENT = (TOP / "agent" / "README.md").read_text(encoding="utf-8")
DESIGN = (TOP / "DESIGN.md").read_text(encoding="utf-8").replace("\n", " ")
# Columns of the table "What works".
BOARDS = cpus.code_boards()
CPUS = ("armv5", "armv7", "cortexm3", "ia32", "mips32r2", "ppc440", "rv32")
HITS = {"a hit that logs nothing at a function entry, instructions": "null hit",
        "a hit that logs two words at a function entry, instructions": "record of two words",
        "a hit that a predicate ends at a function entry, instructions": "predicate false"}
# In the order of DESIGN.md.
DESIGN_HITS = ("null hit", "predicate false", "record of two words")
RECORDS = ("two random words", "pointer and small number")
TEXT_SLACK = 100


def row(document, title):
    """The cells of the table row that begins with the title."""
    line = re.search(rf"^\| {re.escape(title)} \|(.*)\|$", document, re.M)
    assert line, f"no row '{title}'"
    return [cell.strip() for cell in line[1].split("|")]


def guide(name):
    return (TOP / "agent/guide" / name).read_text(encoding="utf-8").replace("\n", " ")


def is_near(said, measured):
    return not limits.has_grown(said, measured, 0) and not limits.has_grown(measured, said, 0)


@pytest.mark.parametrize("title", HITS)
def test_hits(title):
    table = limits.read()
    for board, cell in zip(BOARDS, row(README, title)):
        measured = table[f"hit, {board}: {HITS[title]}"]
        assert int(cell) == measured, f"{board}: README.md says {cell}, the table {measured}"


def test_hits_of_design():
    """A sentence has the figures of ARM, or those of the others."""
    table = limits.read()
    said = re.search(r"only counts takes (\d+) instructions. A hit that a predicate ends takes (\d+), and a hit that logs two words (\d+). "
                     r"IA32 takes (\d+), (\d+) and (\d+), MIPS takes (\d+), (\d+) and (\d+), PowerPC (\d+), (\d+) and (\d+), RISC-V (\d+), (\d+) and (\d+)\..*"
                     r"Cortex-M takes (\d+), (\d+) and (\d+),", DESIGN)
    boards = {row.name: next(board for board in (row.board, *row.code_boards) if f"hit, {board}: null hit" in table) for row in cpus.rows()}
    boards = [board for name, board in boards.items() if name != "cortexm"] + [boards["cortexm"]]
    measured = [table[f"hit, {board}: {name}"] for board in boards for name in DESIGN_HITS]
    assert [int(figure) for figure in said.groups()] == measured


def test_hits_of_other_architectures():
    """Of a CPU's guide, in the order of the sentence."""
    table = limits.read()
    said = re.search(r"takes (\d+) instructions on the Cortex-M0 and (\d+) on the Cortex-M33; one that logs two words takes (\d+) and (\d+)\.", guide("cortexm.md"))
    measured = [table[f"hit, {board}: {name}"] for name in ("null hit", "record of two words") for board in ("microbit", "mps2-an505")]
    assert [int(figure) for figure in said.groups()] == measured


def test_hits_of_hooks():
    table = limits.read()
    said = re.search(r"at a move of a register: ((?:\d+ on [^,]+, )+\d+ on [^,.]+)\.", guide("hooks.md"))
    measured = [table[name] for row in cpus.rows() for board in dict.fromkeys((row.board, *row.code_boards))
                if (name := f"hit, {board}: hook, null") in table]
    assert [int(figure) for figure in re.findall(r"(\d+) on ", said[1])] == measured


def test_a_function_that_returns():
    table = limits.read()
    said = re.search(r"costs (\d+) to (\d+) instructions, from the call to the caller. That is (\d+) to (\d+) more than a hit that "
                     r"logs nothing, and (\d+) more on IA32", guide("faults.md"))
    returns = {name.removesuffix("return(0)"): count for name, count in table.items() if name.endswith(": return(0)")}
    more = sorted(count - table[board + "null hit"] for board, count in returns.items())
    assert [int(figure) for figure in said.groups()] == [min(returns.values()), max(returns.values()), more[0], more[-2], more[-1]]


def test_stores_to_a_region():
    table = limits.read()
    said = re.search(r"a store to the watched range takes (\d+) instructions, and a store beside it (\d+)\.", guide("cortexm.md"))
    assert [int(figure) for figure in said.groups()] == [table[f"{name}, mps2-an385"] for name in ("watched hit", "ignored store")]


def test_logonfault():
    table = limits.read()
    said = re.search(r"takes (\d+) instructions on a Cortex-A9 and (\d+) on a PowerPC 440", AGENT)
    power = next(row.board for row in cpus.rows() if row.gdb == "powerpc")
    for board, figure in zip((cpus.boards()[0], power), said.groups()):
        assert int(figure) == table[f"hit, {board}: null hit, logonfault"]


def test_masked_by_a_hash():
    said, board = row(AGENT, "half a round of the hash of a sealed session"), cpus.boards()[0]
    assert is_near(int(said[0]), limits.read()[f"masked, {board}: half a round of the hash"])


MASKED = {"HELLO: the session opens in one step": "HELLO",
          "MEMORY: eight bytes are read, with the search for their row": "MEMORY",
          "COMMIT: one trap is written, with the caches": "COMMIT",
          "REMOVE, the typed line: one trap is written, with the caches": "REMOVE"}


def test_masked_by_requests():
    measured = {row.board: row.masked for row in cpus.rows()}
    first = measured[cpus.boards()[0]]
    assert {title: int(row(AGENT, title)[0]) for title in MASKED} == {title: first[name] for title, name in MASKED.items()}
    others = max(count for name, count in first.items() if name not in MASKED.values())
    assert int(row(AGENT, "every request that is not named below")[0]) == others
    said = re.search(r"HELLO takes up to (\d+) on the other CPUs", AGENT)
    assert int(said[1]) == max(masked["HELLO"] for masked in measured.values())


@pytest.mark.parametrize("name", RECORDS)
def test_records(name):
    table, (characters, instructions) = limits.read(), row(AGENT, name.replace("pointer and", "a pointer and a"))
    assert is_near(float(characters), table[f"drain, vexpress-a9: {name}, characters"])
    assert is_near(int(instructions), table[f"drain, vexpress-a9: {name}, instructions"])


def sizes_of(build):
    """name -> bytes, as scons size prints them; of core and port the text."""
    report = BUILD / "agent" / build / "size.txt"
    if not report.exists():
        pytest.skip("no agent was measured; run scons size")
    return {name: int(size) for name, size in re.findall(r"^ +(\w[\w ]*?)  +(\d+)\b", report.read_text(encoding="utf-8"), re.M)}


def text_of(build):
    """(core, port)"""
    sizes = sizes_of(build)
    return sizes["core"], sizes["port"]


def test_text():
    """Of the agents by name."""
    tiny = text_of("armv7-tiny")
    said = [(README, r"tiny: (\d+) \+ (\d+) bytes", tiny)]
    said += [(cell, r"(\d+) \+ (\d+)$", text_of(f"armv7-{agent}")) for agent, cell in
             zip(agent_features.AGENTS, row(AGENT, "text, Cortex-A9 `-Os -mthumb`: core + port, bytes"))]
    for document, pattern, sizes in said:
        figures = re.search(pattern, document.replace("\n", " "))
        assert figures, pattern
        for figure, size in zip(figures.groups(), sizes):
            assert abs(int(figure) - size) <= TEXT_SLACK, f"{pattern}: {figure}, and the build has {size}"


def test_memory_of_the_agents():
    """RAM that DPROBES_MEMORY takes."""
    said = row(AGENT, "RAM of DPROBES_MEMORY, Cortex-A9, bytes")
    assert list(map(int, said)) == [sizes_of(f"armv7-{agent}")["memory of the firmware"] for agent in agent_features.AGENTS]


def test_text_of_folders():
    """Of the core of the tiny agent."""
    text_of("armv7-tiny")
    made = collections.Counter()
    for path in (BUILD / "agent/armv7-tiny").rglob("*.o"):
        folder = "/".join(path.relative_to(BUILD / "agent/armv7-tiny").parts[:-1])
        listing = subprocess.run([paths.program("arm-none-eabi-size"), path], capture_output=True, text=True, check=True).stdout
        made[folder] += int(listing.split("\n")[1].split()[0])
    rows = re.findall(r"^\| ((?:agent|protocol)[\w/, ]*) \| [^|]* \| (\d+) \|$", AGENT, re.M)
    assert len(rows) == 6
    for folders, said in rows:
        assert abs(int(said) - sum(made[folder] for folder in folders.split(", "))) <= TEXT_SLACK, folders
    assert abs(sum(int(said) for _, said in rows) - text_of("armv7-tiny")[0]) <= TEXT_SLACK


@pytest.mark.parametrize("column, size", [
    pytest.param(column, size, marks=() if usual.is_usual_agent(CPUS[column], size) else pytest.mark.nightly,
                 id=f"{CPUS[column]}-{size}")
    for column in range(len(CPUS)) for size in ("full", "tiny")])
def test_text_of_each_cpu(column, size):
    """Core and port in thousands of bytes. test_text has the bytes of the tiny armv7."""
    full, tiny = row(README, "agent text, `-Os`: core + port")[column].split("tiny:")
    said = re.search(r"(\d+) (?:KB )?\+ (\d+) (KB|bytes)", full if size == "full" else tiny)
    unit = 1000 if said[3] == "KB" else 1
    for figure, made in zip(said.groups(), text_of(f"{CPUS[column]}-{size}")):
        assert abs(int(figure) * unit - made) <= 1000, f"README.md says {said[0]}, and the build has {made}"


def test_armed_probe():
    """RAM of a probe on ARM. There are at most two buckets of sites for each probe; 16 bytes of the keep area are its head."""
    said = re.search(r"armed probe takes (\d+) bytes of RAM on ARM: site (\d+), probe (\d+), hash (2), keep area (\d+), slot (\d+). The "
                     r"tiny agent takes (\d+) bytes.*The governor adds (\d+) bytes", AGENT.replace("\n", " "))
    armed, *parts, small, governor = (int(figure) for figure in said.groups())

    def measured(build):
        sizes = sizes_of(build)
        probes = sizes["slots"] // sizes["slot"]
        return [sizes["site"], sizes["probe"], 2, (sizes["keep area"] - 16) // probes, sizes["slot"]]

    assert armed == sum(parts)
    parts[1] += governor
    assert parts == measured("armv7-full")
    assert small == sum(measured("armv7-tiny"))


def test_line():
    """Seconds of the line for an insertion and a list."""
    table = limits.read()
    said = dict(re.findall(r"^\| (insert of 50 probes, \w+ handlers|list of 63 probes) \| ([\d.]+) s", AGENT, re.M))
    assert len(said) == 3, said
    for name, seconds in said.items():
        most = max(table[f"line, {name}: to the agent"], table[f"line, {name}: to the host"])
        assert abs(float(seconds) - most / 11520) <= 0.02, f"{name}: {seconds} s, and the table has {most} characters"
