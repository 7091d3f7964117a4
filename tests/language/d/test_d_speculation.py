# SPDX-License-Identifier: BSD-2-Clause
"""Speculations of D in the simulator: the cases of the DTrace suite (DTRACE.md), buffers and what they drop. n is 40."""
import json

import d_cases
import pytest

OPEN = "take:entry /i == 0/ { s = speculation(); } "
NEXT = " take:entry { i++; }"

# name: (program, hits, [text of each record, in order; "+" before those of a commit])
TEXTS = {
    "SpeculationCommit": (OPEN + 'take:entry { speculate(s); printf("called %d", i); } take:entry /i == 1/ { commit(s); }' + NEXT, 2,
                          ["+called 0", "+called 1"]),
    "SpeculationDiscard": (OPEN + 'take:entry { speculate(s); printf("called"); } take:entry /i == 1/ { discard(s); } take:entry /i == 2/'
                           ' { commit(s); }' + NEXT, 3, []),
    "NoSpecBuffer": ('take:entry { a = speculation(); b = speculation(); } take:entry { printf("%d %d", a, b); }', 1, ["1 0"]),
    "CommitWithZero": (OPEN + 'take:entry { speculate(s); printf("called"); } take:entry { commit(0); }' + NEXT, 2, []),
    "CommitAfterDiscard": (OPEN + 'take:entry { speculate(s); printf("called"); } take:entry { discard(s); } take:entry { commit(s); }'
                           + NEXT, 1, []),
    "SpeculateWithRandom": ('take:entry { speculate(3456); printf("never"); } take:entry { speculate(-1); printf("never"); }'
                            ' take:entry { printf("last"); }', 1, ["last"]),
    "TwoSpecBuffers": ('#pragma D option nspec=2\ntake:entry { a = speculation(); b = speculation(); } take:entry { speculate(a);'
                       ' printf("a"); } take:entry { speculate(b); printf("b%d", n); } take:entry { commit(b); } take:entry { discard(a); }',
                       2, ["+b40", "+b40"]),
    "DataRecAftDiscard": (OPEN + 'take:entry { speculate(s); printf("called"); } take:entry { discard(s); printf("behind %d", n); }' + NEXT, 1,
                          ["behind 40"]),
    "default action": (OPEN + "take:entry { speculate(s); } take:entry { commit(s); }" + NEXT, 1, ["+"]),
    "beside a record": (OPEN + 'take:entry { printf("now %d", i); } take:entry { speculate(s); printf("later %d", i); }'
                        ' take:entry { printf(", and"); } take:entry /i == 1/ { commit(s); }' + NEXT, 2,
                        ["now 0, and", "now 1, and", "+later 0", "+later 1"]),
    "of a task": ('take:entry { self->s = speculation(); } take:entry /self->s/ { speculate(self->s); printf("%d", n); }'
                  " take:entry /self->s && i++ % 2/ { commit(self->s); self->s = 0; } take:entry /self->s/ { discard(self->s);"
                  " self->s = 0; }", 4, ["+40", "+40"]),
    "branches": (OPEN + 'take:entry { speculate(s); if (i) { printf("one"); } else { printf("none"); } } take:entry /i/ { commit(s); }'
                 + NEXT, 2, ["+none", "+one"]),
    "texts": (OPEN + 'take:entry { speculate(s); printf("%s %s", stringof(thing->title), probefunc); tracemem(thing, 3); }'
              " take:entry { commit(s); }" + NEXT, 1, None),
    "fill": ("#pragma D option specsize=64\n" + OPEN + 'take:entry { speculate(s); printf("%d", i); } take:entry /i == 5/ { commit(s); }'
             + NEXT, 6, ["+0", "+1", "+2", "+3"]),
    "ring": ("#pragma D option specsize=64\n#pragma D option specpolicy=ring\n" + OPEN + 'take:entry { speculate(s); printf("%d", i); }'
             " take:entry /i == 5/ { commit(s); }" + NEXT, 6, ["+2", "+3", "+4", "+5"]),
    "a fault": (OPEN + 'take:entry { speculate(s); printf("%d %d", i, *(int *)(i * 4 + 1)); } take:entry { commit(s); }' + NEXT, 1, None),
}
DROPS = {"NoSpecBuffer": {"speculation_unavailable": 1}, "fill": {"speculation_dropped": 2}}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("d_speculation")
    d_cases.firmware(made)
    return made


def simulate(dprobes, folder, program, hits):
    """The rows of the simulator."""
    (folder / "p.d").write_text(program, encoding="utf-8")
    result = dprobes("simulate", "--elf", "arm.elf", "--reg", "r1=40", "--hits", f"1:{hits}", "--format", "json", "p.d", cwd=folder)
    assert result.status == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def texts(rows):
    """The text of each record, with a + before one that was committed."""
    return ["+" * (row["kind"] == "committed") + row.get("text", "") for row in rows
            if row["kind"] == "committed" or (row["kind"] == "hit" and row["end"] != "abort")]


@pytest.mark.parametrize("name", TEXTS)
def test_text(dprobes, folder, name):
    program, hits, expected = TEXTS[name]
    rows = simulate(dprobes, folder, program, hits)
    print(rows)
    assert expected is None or texts(rows) == expected
    assert {row["kind"]: row["count"] for row in rows if row["kind"].startswith("speculation_")} == DROPS.get(name, {})
