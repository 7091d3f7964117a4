# SPDX-License-Identifier: BSD-2-Clause
"""The language does what its specification says: tests/conformance/**.t, run by dprobes simulate
with both word sizes and both byte orders."""
import concurrent.futures
import os

import pytest

from harness import conformance, tool
from harness.paths import TESTS

CASES = conformance.cases(TESTS / "conformance")


@pytest.fixture(scope="module")
def runs(request, tmp_path_factory):
    """All chosen cases, started at once on all CPUs: (case, word, endian) -> what went wrong."""
    program = tool.Tool().path()
    folder = tmp_path_factory.mktemp("conformance")
    chosen = [item.callspec.params["number"] for item in request.session.items
              if item.module is request.module and "number" in getattr(
                  getattr(item, "callspec", None), "params", {})]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {(number, *form): pool.submit(CASES[number].run, program,
                                            str(folder / f"{number}-{form[0]}-{form[1]}.dp"), *form)
               for number in chosen for form in CASES[number].forms()}
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[
    f"{case.file}:{case.name}" for case in CASES])
def test_case(number, runs):
    wrong = [runs[number, *form].result() for form in CASES[number].forms()]
    wrong = [text for text in wrong if text]
    assert not wrong, "\n" + "\n\n".join(wrong)
