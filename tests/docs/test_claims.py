# SPDX-License-Identifier: BSD-2-Clause
"""The tool behind build/docs/CLAIMS.md finds what is wrong with claims and proofs, and the tree has nothing of it."""
import pytest

import claims

DOCUMENT = """# A document

The first line is long enough to be a sentence of its own. The second one is that too, and it
goes on here. [R1.1] A third sentence that has a number; it is the last one of all. [R1.2]
"""
HEADER = """/* Put the trap at the site, in one aligned store. [P1.1] THREAD.
 * Returns DP_ERR_OK, or NOT_PATCHABLE with all of memory unchanged. [P1.2]
 *
 *   LONG_NAME     a constant of the port that is worth a claim; no other [P1.3]
 *   struct name   the state of a site, which has at most
 *                 a few bytes [P1.4] */
enum step {
	DONE,    /* emulated: the frame is the state after it [P1.5] */
	PENDING, /* two traps: the core hears of the end
		  * of the instruction [P1.6] */
};
struct board {
	bool own; /* nothing */
	bool (*write)(int address,
		      int count); /* patch what is in flash or in ROM [P1.7] */
#if WITH_NAMES
	const char *name;   /* of the board [P1.8] */
#endif
};
"""
LIST = """1. The first rule has one fact; the second one is behind a semicolon. [R1.1]
2. The second item of the list begins with words of its own. [R1.2]
"""
PROVES = "proves:"  # apart from the numbers: this file proves none of them
TESTS = [("tests/a/test_a.py", f"# {PROVES} R1.1 P1.2\n@mark\ndef test_one():\n    pass\n"),
         ("tests/a/test_b.c", f"/* A comment. */\n/* {PROVES} R1.1 */\nstatic void two(void)\n{{\n}}\n")]
GIVEN = {"R1": claims.Section(2, frozenset())}


def known(text=DOCUMENT, letter="R", name="document"):
    return list(claims.claims_of(name, text, letter))


def sentences(*arguments):
    return [claim.sentence for claim in known(*arguments)]


def test_sentences():
    assert [(claim.number, claim.sentence) for claim in known()] == [
        ("R1.1", "The second one is that too, and it goes on here."),
        ("R1.2", "A third sentence that has a number; it is the last one of all.")]
    assert sentences(LIST) == ["The first rule has one fact; the second one is behind a semicolon.",
                               "The second item of the list begins with words of its own."]


def test_sentences_of_a_header():
    """The sentence, the row of a list, the declaration with the comment behind it; nothing of the code around."""
    assert sentences(HEADER, "P", "some.h") == [
        "Put the trap at the site, in one aligned store.",
        "Returns DP_ERR_OK, or NOT_PATCHABLE with all of memory unchanged.",
        "LONG_NAME: a constant of the port that is worth a claim; no other",
        "struct name: the state of a site, which has at most a few bytes",
        "DONE: emulated: the frame is the state after it",
        "PENDING: two traps: the core hears of the end of the instruction",
        "bool (*write)(int address, int count): patch what is in flash or in ROM",
        "const char *name: of the board"]


def test_proofs_have_the_function_behind_them():
    assert claims.proofs(TESTS) == {"R1.1": ["tests/a/test_a.py::test_one", "tests/a/test_b.c::two"],
                                    "P1.2": ["tests/a/test_a.py::test_one"]}


@pytest.mark.parametrize("text, proved, words", [
    (DOCUMENT, {"R1.1": ["x"]}, None),
    (DOCUMENT + "The first sentence again, more or less. [R1.1]\n", {}, "claim R1.1 stands 2 times"),
    (DOCUMENT, {"R1.3": ["x"]}, "x: proves R1.3, which no document claims")])
def test_faults(text, proved, words):
    found = list(claims.faults(known(text), proved, GIVEN))
    assert not found if words is None else found and all(words in text for text in found)


@pytest.mark.parametrize("numbers, listed, words", [
    ("R1.1 R1.2 R2.1", "R1 2\nR2 1", None),
    ("R1.1 R1.2", "R1 3 retired 3", None),
    ("R1.1 R1.2 R1.3 R1.4", "R1 2", None),  # two new ones
    ("R1.1", "R1 2", "claim R1.2 stands in no document: put it back, or write 'retired 2' behind R1 in claim_numbers.txt"),
    ("R1.1", "R1 1\nR2 1", "claim R2.1 stands in no document"),
    ("R1.1 R1.2 R1.3", "R1 3 retired 2 1", "claim R1.1 was retired, and stands in a document again: give the sentence number R1.4"),
    ("R1.1 R1.2 R1.5", "R1 2", "claim R1.5 leaves out R1.4: numbers follow one another")])
def test_numbers(numbers, listed, words):
    """Each was given once and for all."""
    some = [claims.Claim(number, "says something", "document") for number in numbers.split()]
    found = list(claims.faults(some, {}, claims.read_numbers(listed)))
    assert not found if words is None else found and found[0] == words or words in found[0]


def test_a_row_that_is_none():
    with pytest.raises(SystemExit, match="cannot read 'R4 19 18'; a row is 'R4 19' or 'R4 19 retired 7 18'"):
        claims.read_numbers("R3 1\nR4 19 18\n")


def test_new_numbers_are_entered():
    some = [claims.Claim(number, "says something", "document") for number in ("R1.1", "R1.3", "R10.1", "R2.1")]
    lines = list(claims.list_of(some, claims.read_numbers("# a comment\nR1 2 retired 2\nP1 4")))
    assert lines[2:] == ["R1 3 retired 2", "R2 1", "R10 1", "P1 4"]


@pytest.mark.parametrize("line", [f" * {PROVES} R1.1 */", f"\tCHECK(x); /* {PROVES} R1.1 */", f"    # {PROVES} R1.1"])
def test_a_proof_at_another_place(line):
    """It proves nothing, and the build says so."""
    assert not claims.proofs([("a.c", line)])
    assert [text.partition(": ")[0] for text in claims.misplaced([("a.c", f"int x;\n{line}\n"), *TESTS])] == ["a.c:2"]


def test_nobody_is_named():
    lines = claims.document(known(), claims.proofs(TESTS)).splitlines()
    assert "| R1.2 | A third sentence that has a number; it is the last one of all. | nobody |" in lines
    behind = lines[lines.index("## Nobody proves"):]
    assert any("R1.2" in line for line in behind) and not any("R1.1" in line for line in behind)
    proved = claims.document(known(), {"R1.1": ["x"], "R1.2": ["x"]}).splitlines()
    assert proved[proved.index("## Nobody proves"):] == ["## Nobody proves", "", "No claim is without a proof."]


def test_the_tree():
    found = claims.claims_of_tree()
    assert len(found) > 200
    assert list(claims.faults(found, claims.proofs(claims.test_files()), claims.numbers_of_tree())) == []
    assert list(claims.misplaced(claims.test_files())) == []
