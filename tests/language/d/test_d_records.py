# SPDX-License-Identifier: BSD-2-Clause
"""Records of D programs, byte for byte: every kind of value as text, as JSON and as CSV (records.txt)."""
import csv
import io
import json

import cpus
import d_cases
import d_records
import pytest

CASES = d_records.cases()


@pytest.fixture(scope="module")
def firmware(tmp_path_factory):
    folder = tmp_path_factory.mktemp("firmware")
    for cpu in cpus.first_of_each_order():
        d_cases.firmware(folder, cpu)
    return folder


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_records(dprobes, firmware, case):
    cpu, _ = case.name.split()
    assert d_records.said(dprobes, firmware, cpu, case) == case.said


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_csv_has_the_args_of_json(dprobes, firmware, case):
    cpu, _ = case.name.split()
    run = d_records.simulate(dprobes, firmware, cpu, case, "csv")
    cells = [row["args"] for row in csv.DictReader(io.StringIO(run.stdout, newline="")) if row["args"]]
    assert [json.loads(cell) for cell in cells] == [json.loads(line[2:]) for line in case.said.splitlines() if line.startswith("> [")]
