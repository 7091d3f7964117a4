# SPDX-License-Identifier: BSD-2-Clause
"""The tool behind build/docs/CLAIMS.md finds what is wrong with claims and proofs, and the tree has nothing of it."""
import pytest

import claims
from harness.paths import TOP

DOCUMENT = """# A document

The first line is long enough to be a sentence of its own. The second one is that too, and it
goes on here. [R1.1] A third sentence that has a number; it is the last one of all. [R1.2]
"""
HEADER = """/* Put the trap at the site, in one aligned store. [P1.1] THREAD.
 * Returns DP_ERR_OK, or NOT_PATCHABLE with all of memory unchanged. [P1.2] */
"""
TESTS = [("tests/a/test_a.py", "# proves: R1.1 P1.2\n@mark\ndef test_one():\n    pass\n"),
         ("tests/a/test_b.c", "/* A comment. */\n/* proves: R1.1 */\nstatic void two(void)\n{\n}\n")]


def known(text=DOCUMENT, letter="R"):
    return list(claims.claims_of("document", text, letter))


def test_sentences():
    assert [(claim.number, claim.sentence) for claim in known()] == [
        ("R1.1", "The second one is that too, and it goes on here."),
        ("R1.2", "A third sentence that has a number; it is the last one of all.")]
    assert [claim.sentence for claim in known(HEADER, "P")] == [
        "Put the trap at the site, in one aligned store.",
        "Returns DP_ERR_OK, or NOT_PATCHABLE with all of memory unchanged."]


def test_proofs_have_the_function_behind_them():
    assert claims.proofs(TESTS) == {"R1.1": ["tests/a/test_a.py::test_one", "tests/a/test_b.c::two"],
                                    "P1.2": ["tests/a/test_a.py::test_one"]}


@pytest.mark.parametrize("text, proved, words", [
    (DOCUMENT, {"R1.1": ["x"]}, None),
    (DOCUMENT + "The first sentence again, more or less. [R1.1]\n", {}, "claim R1.1 stands 2 times"),
    (DOCUMENT, {"R1.3": ["x"]}, "x: proves R1.3, which no document claims")])
def test_faults(text, proved, words):
    found = list(claims.faults(known(text), proved))
    assert not found if words is None else found and all(words in text for text in found)


def test_nobody_is_named():
    lines = claims.document(known(), claims.proofs(TESTS)).splitlines()
    assert "| R1.2 | A third sentence that has a number; it is the last one of all. | nobody |" in lines
    behind = lines[lines.index("## Nobody proves"):]
    assert any("R1.2" in line for line in behind) and not any("R1.1" in line for line in behind)


def test_the_tree():
    found = claims.claims(lambda path: (TOP / path).read_text(encoding="utf-8"))
    assert len(found) > 200
    assert list(claims.faults(found, claims.proofs(claims.test_files()))) == []
