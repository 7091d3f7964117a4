# SPDX-License-Identifier: BSD-2-Clause
"""Cases of the DTrace suite (DTRACE.md) as a table: programs in the simulator, with n = 40 in each hit of take:entry."""
import json

import d_cases
import pytest

# name: (program, texts of the hits); the last text has what is printed at the end.
TEXTS = {
    "neglquant": ("take:entry { @ = lquantize(n, 0, 100, 10, -3); @ = lquantize(n, 0, 100, 10, 1ll << 40); @w = quantize(n, 0xffffffff);"
                  ' printa("%@d", @w); }', ["\n           value  ------------- Distribution ------------- count\n"
                                           "              16 |                                         0\n"
                                           "              32 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 4294967295\n"
                                           "              64 |                                         0\n"]),
    "typecast-key": ("take:entry { @[(char)i] = count(); @[i++] = count(); } take:entry /i == 2/ { printa(\"%d:%@d \", @); }",
                     ["", "0:2 1:2 "]),
    "reset": ('take:entry { @[i++] = count(); printa("%d:%@d ", @); printa("%d:%@d ", @); }', ["0:1 0:1 ", "0:1 1:1 0:1 1:1 "]),
    "empty": ('take:entry /n == 0/ { @ = count(); @k[n] = sum(1); } take:entry { printa(@); printa("%d:%@d", @k); printf("."); }', ["."]),
    "sort": ("take:entry { @a[i] = sum(9 - i); @b[i] = sum(i); i++; } take:entry /i == 3/ { printa(\"%d:%@d,%@d \", @a, @b);"
             ' printa("%d:%@d,%@d ", @b, @a); }', ["", "", "2:7,2 1:8,1 0:9,0 0:0,9 1:1,8 2:2,7 "]),
    "tuplecompat": ('take:entry { @a[1, "x"] = count(); @b[1, "x"] = max(n); @b[1, "y"] = max(2); printa("%d%s:%@d,%@d ", @a, @b); }',
                    ["1x:1,40 1y:0,2 "]),
    "zero": ('take:entry { @a["x"] = sum(0); @b["x"] = sum(n - 40); printa("%s:%@d,%@d", @a, @b); }', ["x:0,0"]),
    "manyval": ('take:entry { @a = sum(1); @b = sum(2); @c = sum(3); @d = sum(4); printa("%@d %@x %@-3d|%@5d", @a, @b, @c, @d); }',
                ["1 2 3  |    4"]),
    "tuple": ('take:entry { @[n, "text", probefunc, -1, n + 2 > 41] = count(); printa("<%d %s %s %d %d %@d>", @); }',
              ["<40 text take -1 1 1>"]),
    "negorder": ('take:entry { @[i] = sum((i % 3 - 1) * 10); i++; } take:entry /i == 4/ { printa("%d:%@d ", @); }',
                 ["", "", "", "0:-10 3:-10 1:0 2:10 "]),
    "store_zero_deletes": ("#pragma D option dynvarsize=1\ntake:entry { x[i] = 5; x[i] = 0; x[i + 1] = 6; printf(\"%d %d\", x[i], x[i + 1]);"
                           " x[i + 1] = 0; i++; }", ["0 6", "0 6"]),
    "nested": ("take:entry { x[1] = 2; y[2, 0] = 3; z[y[x[1], 0]] = 4; printf(\"%d %d\", z[y[x[1], x[0]]], y[x[2], x[3]]); }", ["4 0"]),
    "orthogonality": ("take:entry { x[1] = 1; self->x[1] = 2; self->y = 3; this->x = 4; printf(\"%d%d%d%d\", x[1], self->x[1], self->y,"
                      " this->x); x[1] = 0; printf(\"%d%d\", x[1], self->x[1]); }", ["123402"]),
    "selfthis": ("take:entry { x = 1; self->x = 2; this->x = 3; x++; self->x++; this->x++; printf(\"%d%d%d\", x, self->x, this->x); }", ["234"]),
    "load_no_alloc": ("#pragma D option dynvarsize=1\ntake:entry /self->y[n] == 0 && x[1] + x[2] == 0/ { x[3] = 1; self->y[3] = 2;"
                      " printf(\"%d%d\", x[3], self->y[3]); }", ["12"]),
    "tls2": ("take:entry { self->a = n; self->b = n * 2; } take:entry /self->b/ { printf(\"%d %d\", self->a, self->b); self->a = 0; }"
             " take:entry { printf(\",%d %d\", self->a, self->b); }", ["40 80,0 80"]),
    "keyword-member": ('take:entry { printf("%d %d", &words.self == &`words.printf, (int)&words.entry.this - (int)&words); }', ["1 2"]),
    "OffsetofUnion": ("take:entry { printf(\"%d %d %d\", offsetof(union words, printf), offsetof(union words, entry.probe),"
                      " sizeof(union words)); }", ["0 4 8"]),
    "declared-bounds": ("int x[3]; take:entry { x[i] = i + 1; printf(\"%d\", x[i]); i++; } take:entry /i == 3/ { i = -1; }",
                        ["1", "2", "3", "error on enabled probe ID 1 (fbt:arm:take:entry): invalid address (0xffffffff) in action, p.d:1:24\n"]),
    "timestamp": ("take:entry { a = timestamp; b = timestamp; printf(\"%d\", a == b && a >= last); last = a + 1; }", ["1", "1"]),
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("d_suite")
    d_cases.firmware(made)
    return made


def run(dprobes, folder, program, hits):
    (folder / "p.d").write_text(program, encoding="utf-8")
    result = dprobes("simulate", "--elf", "arm.elf", "--reg", "r1=40", "--hits", f"1:{hits}", "--format", "json", "p.d", cwd=folder)
    assert result.status == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("name", TEXTS)
def test_text(dprobes, folder, name):
    program, texts = TEXTS[name]
    rows = run(dprobes, folder, program, len(texts))
    assert [row.get("text", "") for row in rows if row["kind"] == "hit"] == texts
    assert [row for row in rows if "dropped" in row["kind"]] == []


@pytest.mark.parametrize("pragma,dropped", [("", {}), ("option aggsize=1", {"a": 2, "b": 2}), ("aggsize @a 1", {"a": 2}),
                                            ("option aggsize=1\n#pragma D aggsize @b 4", {"a": 2}), ("aggsize @ 1", {})])
def test_size_of_one_aggregation(dprobes, folder, pragma, dropped):
    program = (f"#pragma D {pragma}\n" if pragma else "") + "take:entry { i++; @a[i] = count(); @b[i] = sum(1); @[1] = sum(1); }"
    rows = run(dprobes, folder, "#pragma D depends_on provider fbt\n" + program, 3)
    assert {row["name"]: row["count"] for row in rows if row["kind"] == "dropped"} == dropped


ORDERS = [
    ((), "2,-5,odd:5,0 1,-4,even:6,1 0,-3,odd:7,4 2,-2,even:8,4 1,-1,odd:9,1 "),
    (("aggsortrev",), "1,-1,odd:9,1 2,-2,even:8,4 0,-3,odd:7,4 1,-4,even:6,1 2,-5,odd:5,0 "),
    (("aggsortkey",), "0,-3,odd:7,4 1,-4,even:6,1 1,-1,odd:9,1 2,-5,odd:5,0 2,-2,even:8,4 "),
    (("aggsortkey", "aggsortrev"), "2,-2,even:8,4 2,-5,odd:5,0 1,-1,odd:9,1 1,-4,even:6,1 0,-3,odd:7,4 "),
    (("aggsortkey", "aggsortkeypos=1"), "2,-5,odd:5,0 1,-4,even:6,1 0,-3,odd:7,4 2,-2,even:8,4 1,-1,odd:9,1 "),
    (("aggsortkey", "aggsortkeypos=2"), "1,-4,even:6,1 2,-2,even:8,4 0,-3,odd:7,4 1,-1,odd:9,1 2,-5,odd:5,0 "),
    (("aggsortpos=1",), "2,-5,odd:5,0 1,-4,even:6,1 1,-1,odd:9,1 0,-3,odd:7,4 2,-2,even:8,4 "),
    (("aggsortpos=1", "aggsortkeypos=1", "aggsortrev"), "2,-2,even:8,4 0,-3,odd:7,4 1,-1,odd:9,1 1,-4,even:6,1 2,-5,odd:5,0 "),
]


@pytest.mark.parametrize("options,text", ORDERS, ids=lambda value: "-".join(value) if isinstance(value, tuple) else "")
def test_order(dprobes, folder, options, text):
    """valsortkeypos: the options of the order decide in printa and at the end, for numbers with a sign and for strings."""
    key = '[i % 3, -i, i & 1 ? "odd" : "even"]'
    program = ("".join(f"#pragma D option {option}\n" for option in options) + f"take:entry {{ i++; @a{key} = sum(10 - i); @b{key} = sum(i * i % 5); }}"
               ' take:entry /i == 5/ { printa("%d,%d,%s:%@d,%@d ", @a, @b); }')
    rows = run(dprobes, folder, program, 5)
    assert [row["text"] for row in rows if row["kind"] == "hit" and row.get("text")] == [text]
    if "aggsortpos=1" not in options:
        last = run(dprobes, folder, program.split(" take:entry /")[0], 5)
        keys = [",".join(row["keys"]) for row in last if row["kind"] == "aggregation" and row["name"] == "a"]
        assert keys == [word.split(":")[0] for word in text.split()]


@pytest.mark.parametrize("program,name,count", [
    ("x[i] = 1; i++;", "x", 3),
    ("self->x[i] = 1; i++;", "self->x", 3),
])
def test_stores_without_a_place(dprobes, folder, program, name, count):
    """Each is counted and told; the elements that have a place stay."""
    rows = run(dprobes, folder, "#pragma D option dynvarsize=2\ntake:entry { %s }" % program, 5)
    assert [row for row in rows if "dropped" in row["kind"]] == [{"kind": "stores_dropped", "name": name, "count": count}]


def test_steps(dprobes, folder):
    """The figures of D.md: a false predicate, a count by one key, and the two halves of a latency."""
    def steps(program, *hits):
        (folder / "s.d").write_text(program, encoding="utf-8")
        options = [word for hit in hits for word in ("--hits", hit)]
        result = dprobes("simulate", "--elf", "arm.elf", "--reg", "r0=5", "--reg", "sp=0x20000", "--mem", "0x1f000=" + "00" * 0x1100, *options,
                         "--format", "json", "s.d", cwd=folder)
        return [row["steps"] for row in map(json.loads, result.stdout.splitlines()) if row["kind"] == "hit"]

    assert steps("take:entry /arg0 == 4/ { @[caller] = count(); }", "1:1") == [5]
    assert steps("take:entry /arg0 == 5/ { @[caller] = count(); }", "1:1") == [16]
    assert steps('take:entry { self->t = timestamp; } take:return /self->t/ { @["ns"] = quantize(timestamp - self->t); self->t = 0; }',
                 "1:2", "2:1", "2:1") == [21, 21, 70, 15]
