# SPDX-License-Identifier: BSD-2-Clause
"""The language does what its specification says: tests/conformance/**.t, run by dprobes simulate
with both word sizes and both byte orders. And refuses what it must: tests/compile_fail/*.dp."""
import concurrent.futures
import os
import re

import pytest

from harness import conformance, tool
from harness.paths import TESTS

CASES = conformance.cases(TESTS / "conformance")
COMPILE_FAIL = sorted((TESTS / "compile_fail").glob("**/*.dp"))


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


def directives(path):
    """What a compile_fail file says about itself: `// error: LINE:COLUMN: text`, `// warning: ...`,
    `// args: ...`."""
    found = {"error": [], "warning": [], "args": []}
    for line in path.read_text().splitlines():
        match = re.match(r"//\s*(error|warning|args):\s*(.*)", line)
        if match:
            found[match.group(1)].append(match.group(2).strip())
    return found


@pytest.mark.parametrize("path", COMPILE_FAIL, ids=[
    str(path.relative_to(TESTS / "compile_fail")) for path in COMPILE_FAIL])
def test_refused(path, dprobes, tmp_path):
    """Each message is printed where the file says; an error leaves no object behind."""
    facts = directives(path)
    assert facts["error"] or facts["warning"], f"{path.name} does not say what it is about"
    arguments = " ".join(facts["args"]).split()
    output = tmp_path / "out.ppdf"
    result = dprobes("build", *arguments, "--output", output, path.name, cwd=path.parent)
    for severity in ("error", "warning"):
        for message in facts[severity]:
            position, text = re.fullmatch(r"([\d:]+?):?\s+(.*)", message).groups()
            start = f"{path.name}:{position}: {severity}: {text}"
            assert any(line.startswith(start) for line in result.stderr.splitlines()), \
                f"not printed: {start}\nprinted:\n{result.stderr}"
    assert result.status == (1 if facts["error"] else 0), result
    assert output.exists() != bool(facts["error"])
