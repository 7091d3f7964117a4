# SPDX-License-Identifier: BSD-2-Clause
"""Hits by plans do on a CPU what hits without plans do (agent/sites/plan.c): a scripted scenario of the demo kernel, and the
conformance cases of the guest. Each runs in a firmware with plans and in one without (DP_PLANS 0), and both leave the
same."""
import pytest

import cpus
import sources_mk
from harness import board_conformance, conformance, sweep
from harness.demo_bench import CRC, Bench
from harness.paths import TESTS, TOP
from harness.qemu import board_names, parameters

CASES = conformance.cases(TESTS / "language" / "conformance")
# Functions that selftest alone calls, with one and the same arguments each time.
FUNCTIONS = ("mix_branches", "mix_bytes", "mix_conditions", "mix_long", "mix_calls")
HITS_MAX = 4   # of a probe whose hits are recorded: all records fit the ring
POINTS_MAX = 60
LAST = 999  # minor of the last record
COUNTS = ("hits", "missed", "ignored", "faulted", "dropped")
INTERRUPTED = 130
LINE_LOST = 5  # a notice of protocol/notices.def, about the line and not about hits
# A handler of each kind of plan: words, a test of memory, the interpreter, and nothing.
HANDLERS = (
    "maxhits = {most}\npush r, {a}\npush r, {b}\nlog 2\nexit\n",
    "push r, sp\npush mem, u8\npush 7\nand\npush 3\nsub\njz same\nabort\nsame:\ninc lv, 0\nabort\n",
    "maxhits = {most}\ninc lv, 1\npush r, {a}\npush r, {b}\nadd\npush lv, 2\nxor\npop lv, 2\npush lv, 2\nlog 1\nexit\n",
    "abort\n",
)
# At the begin of a function: its arguments, which may be words of the stack. They are logged, tested, and logged behind a test.
ENTRIES = (
    ("mix_conditions", "push r, arg0\npush r, arg1\nlog 2\nexit\n"),
    ("mix_conditions", "push r, arg1\npush 1\nand\npush 1\nsub\njz odd\nabort\nodd:\npush r, arg1\npush r, arg0\nlog 2\nexit\n"),
    ("mix_calls", "push r, arg0\nlog 1\nexit\n"),
)
# Registers that hold no address behind the agent, where the two kernels differ: a2 has a table of rodata in mix_branches.
ARGUMENTS = cpus.column("values")


def source(bench):
    """A probe on the instructions of FUNCTIONS, at most POINTS_MAX; the handlers take turns."""
    a, b = ARGUMENTS[sources_mk.read(str(TOP / "boards" / bench.name))["PORT"]]
    sites = [site for site in sweep.Image(bench.name, bench.elf).sites if site.function.partition("+")[0] in FUNCTIONS]
    places = [site.function for site in sites[::-(-len(sites) // POINTS_MAX)]]
    return 'name = "plans"\nvars = 3\n' + "".join(
        f"offset = {place}\nminor = {n}\n{HANDLERS[n % len(HANDLERS)].format(a=a, b=b, most=HITS_MAX)}"
        for n, place in enumerate(places)) + "".join(
        f"offset = {place}\nminor = {POINTS_MAX + n}\nmaxhits = {HITS_MAX}\n{handler}"
        for n, (place, handler) in enumerate(ENTRIES)) + f"offset = command_ps\nminor = {LAST}\nexit\n"


def outcome(qemu, dprobes, folder, board, kernel):
    """What one run of selftest leaves: records in order, counts of the probes, variables. Its CRC says that registers and
    memory of the firmware are what they are without probes."""
    bench = Bench(qemu, dprobes, folder, board, kernel)
    path = bench.file(source(bench))
    running = dprobes.start("run", path, "--elf", bench.elf, "--format", "json", "--verbose", *bench.options)
    running.err.expect("armed")
    bench.type("selftest 1", CRC[1])
    bench.type("ps", "demo>")
    running.out.expect(rf'"minor":{LAST},')  # the records before it have come
    result = running.interrupt()
    assert result.status == INTERRUPTED, result.stderr[-1000:]
    rows = result.objects()
    counts = {row["minor"]: [row[name] for name in COUNTS] for row in rows if "hits" in row}
    records = [(row["minor"], row["data"]) for row in rows if "data" in row]
    others = [row for row in rows if "data" not in row and "hits" not in row]
    return records, counts, [row for row in others if not (row["kind"] == "notice" and row["number"] == LINE_LOST)]


@pytest.mark.parametrize("board", parameters(board_names(), usual=["vexpress-a9"]))
def test_scenario(board, qemu, dprobes, tmp_path):
    by_plans = outcome(qemu, dprobes, tmp_path, board, "demo")
    without = outcome(qemu, dprobes, tmp_path, board, "unplanned")
    records, counts, _ = by_plans
    print(f"{board}: {len(counts)} probes, {sum(numbers[0] for numbers in counts.values())} hits, {len(records)} records")
    assert by_plans == without
    assert len(counts) > POINTS_MAX // 2 and len(records) > POINTS_MAX // 2


@pytest.mark.nightly
@pytest.mark.parametrize("board", board_conformance.board_names())
def test_conformance(board, qemu):
    """Records, counts, registers, memory, and what the handler has left on the RPN stack."""
    by_plans = board_conformance.states(qemu, board_conformance.Board(board), CASES)
    without = board_conformance.states(qemu, board_conformance.Board(board, "conformance-unplanned"), CASES)
    print(f"{board}: {len(by_plans.printed)} cases; sites by plan: {dict(by_plans.plans)}, without: {dict(without.plans)}")
    assert not (texts := board_conformance.differences(CASES, by_plans, without)), "\n".join(texts)
    assert all(by_plans.plans[kind] > 0 for kind in ("run", "words"))
    assert all(without.plans[kind] == 0 for kind in board_conformance.PLAN_KINDS[2:])
