# SPDX-License-Identifier: BSD-2-Clause
"""Of every conformance case, in all its forms: `disasm` prints source that compiles to the same bytes, and what
`check` proves (steps, log bytes) holds for every hit."""
import concurrent.futures
import os

import pytest

from harness import conformance, conformance_object
from harness.paths import TESTS, built

CASES = conformance.cases(TESTS / "conformance")
FILES = sorted({case.file for case in CASES})


@pytest.fixture(scope="module")
def wrongs(request, tmp_path_factory):
    """file -> what is wrong with its cases, in the making. Without sanitizers: these are many processes."""
    program, folder = built("host", "dprobes"), tmp_path_factory.mktemp("objects")
    chosen = {item.callspec.params["file"] for item in request.session.items
              if item.module is request.module and hasattr(item, "callspec")}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {file: [pool.submit(conformance_object.wrong, case, program, folder / f"{number}-{word}-{endian}", word, endian)
                      for number, case in enumerate(CASES) if case.file == file for word, endian in case.forms()]
               for file in FILES if file in chosen}
        pool.shutdown(cancel_futures=True)


@pytest.mark.seconds(600)
@pytest.mark.parametrize("file", FILES)
def test_objects(file, wrongs):
    found = [text for text in (future.result() for future in wrongs[file]) if text]
    assert not found, "\n\n".join(found)
