# SPDX-License-Identifier: BSD-2-Clause
"""The checker of layers sees a forbidden edge, a folder without a row, and a row that nobody uses."""
import pathlib
import subprocess

import pytest

from harness import layers
from harness.paths import program

TABLE = {"low": set(), "middle": {"low"}, "high": {"low", "middle"}}
FILES = {
    "low/ground.h": "int ground(void);\n",
    "low/ground.c": '#include "ground.h"\nint ground(void) { return 1; }\n',
    "middle/stairs.h": '#include "low/ground.h"\nint stairs(void);\n',
    "middle/stairs.c": '#include "stairs.h"\nint stairs(void) { return ground(); }\n',
    "high/roof.c": '#include <stdio.h>\n#include "middle/stairs.h"\nint ground(void);\n'
                   "int roof(void) { return stairs() + ground(); }\n",
}


def layer_of(path):
    return pathlib.PurePath(path).parts[0]


@pytest.fixture
def house(tmp_path):
    """Builds the files, some of them changed, and says what is wrong with them."""
    def check(table=TABLE, **changes):
        files = {**FILES, **{name.replace("__", "/").replace("_", "."): text for name, text in changes.items()}}
        objects = {}
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for name in files:
            if name.endswith(".c"):
                objects[tmp_path / (name + ".o")] = name
                subprocess.run([program("gcc"), "-c", "-I.", name, "-o", name + ".o"], cwd=tmp_path, check=True)
        edges = [*layers.include_edges(files, ["."], tmp_path), *layers.link_edges(objects, program("nm"))]
        return layers.violations(table, layer_of, files, edges)

    return check


def test_clean_house(house):
    assert house() == []


def test_forbidden_include(house):
    assert house(low__ground_c='#include "ground.h"\n#include "middle/stairs.h"\nint ground(void) { return 1; }\n') == [
        "low/ground.c includes middle/stairs.h of middle; low may know nobody"]


def test_forbidden_symbol(house):
    """A declaration of one's own is no way round the table."""
    assert house(low__ground_c="int stairs(void);\nint ground(void) { return stairs(); }\n") == [
        "low/ground.c uses stairs of middle; low may know nobody"]


def test_folder_without_a_row(house):
    assert house(cellar__dark_c="int dark;\n") == ["cellar/dark.c is of cellar, which has no row in the table"]


def test_edge_that_nobody_uses(house):
    assert house(high__roof_c='#include "middle/stairs.h"\nint roof(void) { return stairs(); }\n') == [
        "table: high may know low, and no file of it does"]


def test_row_without_files(house):
    assert house({**TABLE, "tower": set()}) == ["table: tower has a row and no file"]


def test_layers_that_know_each_other(house):
    assert house({**TABLE, "low": {"middle"}}, low__ground_h='#include "middle/stairs.h"\nint ground(void);\n',
                 middle__stairs_h="int ground(void);\nint stairs(void);\n") == [
        "table: low may know middle, whose row is not above its own"]
