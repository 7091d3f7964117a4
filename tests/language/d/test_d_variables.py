# SPDX-License-Identifier: BSD-2-Clause
"""Variables, arrays and values of records by name: in the simulator, on ARM little-endian, MIPS and PowerPC big-endian."""
import json

import d_cases
import pytest

import cpus
HEAD = "long long wide;\n"
BODY = """take:entry { calls++; wide = 0x1122334455667788LL; title = "a \\"text\\""; task = execname; where = &things; kind = thing->color;
 x["a", n] = 5; y[execname, 0x100000000LL * n] = -7; self->n = n; self->last = probefunc; self->a[n] = probefunc;
 this->gone = 1; }
"""
THING = bytes(12).hex() + bytes(100).hex()


@pytest.fixture(scope="module", params=cpus.names())
def firmware(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(f"d_variables_{request.param}")
    d_cases.firmware(folder, request.param)
    return request.param, folder


@pytest.fixture
def simulate(firmware, dprobes):
    """Runs a hit of take(0x30000, 40)."""
    cpu, folder = firmware

    def run(program, *options):
        (folder / "v.d").write_text(program, encoding="utf-8")
        result = dprobes("simulate", "--elf", f"{cpu}.elf", "--mem", f"0x30000={THING}", *cpus.of(cpu).passing((0x30000, 40)), *options,
                         "v.d", cwd=folder)
        assert result.status == 0, result.stderr
        return result.stdout

    return run


def test_names_and_texts(simulate):
    """In the order of the text; strings are strings, also as keys; this-> is gone."""
    lines = simulate(HEAD + BODY).splitlines()
    assert lines[lines.index("wide = 1234605616436508552"):] == [
        "wide = 1234605616436508552", "calls = 1", 'title = "a "text""', 'task = ""', "where = things", "kind = RED",
        "x[a, 40] = 5", "y[, 171798691840] = -7", "self->n[0x0] = 40", 'self->last[0x0] = "take"', 'self->a[0x0, 40] = "take"']


def test_json_is_typed(simulate):
    rows = [json.loads(line) for line in simulate(HEAD + BODY, "--format", "json").splitlines()]
    found = {row["name"]: row for row in rows if row["kind"] == "variable"}
    assert found["wide"]["value"] == 0x1122334455667788 and found["calls"]["value"] == 1
    assert found["title"] == {"kind": "variable", "value": 'a "text"', "name": "title"}
    assert (found["kind"]["value"], found["kind"]["text"]) == (0, "RED")
    assert (found["x"]["keys"], found["x"]["value"]) == (["a", "40"], 5)
    assert (found["y"]["keys"], found["y"]["value"]) == (["", "171798691840"], -7)
    assert found["self->a"] == {"kind": "variable", "value": "take", "name": "self->a", "keys": ["0x0", "40"]}
    assert not any("index" in row for row in found.values())


def test_an_object_has_the_names(firmware, dprobes):
    """Without the program's text and without the firmware."""
    cpu, folder = firmware
    (folder / "o.d").write_text("take:entry { calls++; }\n", encoding="utf-8")
    assert dprobes("build", "--elf", f"{cpu}.elf", "-o", "o.ppdf", "o.d", cwd=folder).status == 0
    result = dprobes("simulate", "o.ppdf", cwd=folder)
    assert result.status == 0 and "calls = 1" in result.stdout, result.stdout
