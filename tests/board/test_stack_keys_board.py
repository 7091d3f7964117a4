# SPDX-License-Identifier: BSD-2-Clause
"""Call stacks as keys of aggregations, which the host counts: the numbers are those of the recorded stacks. D.md."""
import collections
import re

import pytest

import cpus
from harness.paths import built

LOST = 5  # the exit status where records were lost: the numbers are those of the records that came
HITS = 30
PROGRAM = """
#pragma D option stackagg=host
queue_put:entry {
	printf("%s %d", execname, m->sequence);
	stack();
	@all[stack()] = count();
	@sum[execname, stack(2), m->sequence & 1] = sum(m->sequence);
	@most[stack(1)] = max(m->sequence);
	@mean[stack(1)] = avg(m->sequence);
}
"""


def read(rows):
    """(execname, sequence, lines of the stack) of each hit, and {aggregation: {keys: value}}."""
    hits, totals = [], collections.defaultdict(dict)
    for row in rows:
        if row["kind"] == "aggregation":
            totals[row["name"]][tuple(row["keys"])] = row["value"]
        elif row["kind"] == "log":
            first, *lines = row["text"].rstrip("\n").split("\n")
            name, sequence = first.rsplit(" ", 1)
            hits.append((name, int(sequence), [line.strip() for line in lines]))
    return hits, dict(totals)


@pytest.fixture(params=cpus.boards())
def demo(request, qemu, dprobes, tmp_path):
    env = {"DPROBES_PORT": qemu(request.param).free_when_up().url("com1"), "DPROBES_ELF": str(built("boards", request.param, "demo.elf"))}

    def run(*words):
        done = dprobes(*words, env=env, cwd=tmp_path)
        assert done.status in (0, LOST), done.stderr
        return done
    return run


def test_counts_are_those_of_the_records(demo, tmp_path):
    (tmp_path / "p.d").write_text(PROGRAM)
    live = demo("trace", "p.d", "--count", HITS, "--format", "json", "--record", "c.dpc").objects()
    hits, totals = read(live)
    assert len(hits) == HITS
    assert totals["all"] == collections.Counter(("\n".join(lines),) for _, _, lines in hits)
    sums = collections.Counter()
    for name, sequence, lines in hits:
        sums[name, "\n".join(lines[:2]), str(sequence & 1)] += sequence
    assert totals["sum"] == sums
    by_first = collections.defaultdict(list)
    for _, sequence, lines in hits:
        by_first[lines[0],].append(sequence)
    assert totals["most"] == {key: max(of) for key, of in by_first.items()}
    assert totals["mean"] == {key: sum(of) // len(of) for key, of in by_first.items()}
    assert read(demo("report", "c.dpc", "--format", "json").objects()) == (hits, totals)


def test_tables(demo, tmp_path):
    """A record that is counted is not printed; it counts for --count. A stack has lines of its own, between the other keys."""
    clause = "queue_put:entry { @[execname, stack(2), 7] = count(); }"
    done = demo("-n", clause, "--count", HITS, "-x", "stackagg=host")
    rows = re.findall(r"^  (\w+)\n( {14}queue_put.* \(queue\.c:\d+\)\n {14}.*\n)  7 +(\d+)$", done.stdout, re.M)
    assert rows and sum(int(count) for _, _, count in rows) == HITS, done.stdout
    assert len(done.stdout.splitlines()) == 1 + 4 * len(rows), done.stdout
    table = demo("-n", clause, "--count", HITS, "-x", "stackagg=host", "--format", "csv").stdout
    assert re.search(r'^aggregation,"",count,"\w+ queue_put[^\n"]*\n[^\n"]+ 7",\d+,,,,$', table, re.M), table


def test_actions(demo):
    """only() decides before the host counts; printa prints a stack by %k, and aggregations together; --tally counts once."""
    clause = "queue_put:entry {{ only(stringof(q->name) {} \"none\"); @[stack(1)] = count(); @b[stack(1)] = sum(2); }} " \
        'END {{ printa("%k %@d\\n", @); printa(@, @b); trunc(@); trunc(@b); }}'
    done = demo("-q", "-x", "stackagg=host", "-n", clause.format("!="), "--count", 5)
    assert re.fullmatch(r"\n( {14}queue_put.*\n) 5\n\n\1 +5 +10\n", done.stdout), done.stdout
    done = demo("-q", "-x", "stackagg=host", "-n", clause.format("=="), "--for", "300ms")
    assert done.stdout.strip() == "", done.stdout
    done = demo("-q", "-x", "stackagg=host", "-n", "queue_put:entry { trace(1); @[stack(1)] = count(); }", "--count", 5, "--tally")
    assert re.fullmatch(r" +5 +1\n\n {14}queue_put.*\n +5\n", done.stdout), done.stdout
