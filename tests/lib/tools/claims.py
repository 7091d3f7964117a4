# SPDX-License-Identifier: BSD-2-Clause
"""build/docs/CLAIMS.md: what the documents claim, each claim by its number, and which tests prove it.

    claims.py OUTPUT     status 1, with a sentence each, on a number that is unknown, doubled, lost or used again

A claim is a normative sentence that ends in its number in brackets: R of the protocol, P of the port contract,
A of the agent, C of the language (its decisions have a file of their own). A test names the claims it proves
in a comment above it, after the word `proves` and a colon.

TARGET lists the numbers ever given: for each section its last number, and which of them are retired. `scons manual`
enters new numbers. The word `retired` is written by hand when a claim goes; its number never comes back.
"""
import collections
import pathlib
import re
import sys

sys.dont_write_bytecode = sys.pycache_prefix is None
sys.path.insert(0, str(pathlib.Path(__file__).parent))

from tables import TOP  # noqa: E402

DOCUMENTS = {
    "R": ("the protocol", ("protocol/PROTOCOL.md",)),
    "P": ("the port contract", ("port/dp_port.h", "port/dp_watch.h")),
    "A": ("the agent", ("agent/dp_board.h", "agent/dp_agent.h", "agent/README.md", "agent/guide/arm.md",
                         "agent/guide/mips.md", "agent/guide/ppc.md", "agent/guide/cortexm.md")),
}
TARGET = TOP / "tests" / "docs" / "claim_numbers.txt"
NUMBER = r"[RPA]\d+\.\d+"
SENTENCE_MIN = 40  # "else BAD_CRC." alone says little
PROVES = re.compile(r"^(?:#|/\*|//) proves: ([^*\n]*)", re.M)
# The same word where PROVES does not look for it.
MISPLACED = re.compile(rf"^(?!(?:#|/\*|//) proves: ).*\bproves: {NUMBER}", re.M)
FUNCTION = re.compile(r"^(?:def|(?:static )?(?:void|bool|int)) (\w+)\(", re.M)
# Where a paragraph begins: behind an empty line, a heading or the mark of an item.
PARAGRAPH = re.compile(r"\n[ \t]*\n|^#.*\n|^(?:[-*] |\d+\. )", re.M)
# An item of a comment: "  NAME  text".
ROW = re.compile(r"^[ \t]{2,}(\w\S*(?: \w+)?)  +(?=\w)", re.M)

Claim = collections.namedtuple("Claim", "number sentence path")
Section = collections.namedtuple("Section", "last retired")


def order(number):
    """R2.10 comes behind R2.9, and R behind nothing else."""
    section, place = number[1:].split(".")
    return "RPA".index(number[0]), int(section), int(place)


def balanced(code):
    return code.count("(") == code.count(")")


def of_header(text):
    """What a header says up to here: the last comment's text, with the declaration in front of that comment if both
    share a line."""
    before, _, comment = text.rpartition("/*")
    comment = ROW.sub(r"\n\n\1: ", re.sub(r"^[ \t]*\* ?", "", comment, flags=re.M))
    if not before.rpartition("\n")[2].strip():
        return comment
    code = re.sub(r"^[ \t]*#.*\n", "", before, flags=re.M)
    pieces = re.split(r"\*/|[;{}]", code.rstrip(" \t,;"))[-1].split(",\n")
    code = next(piece for at in reversed(range(len(pieces))) if balanced(piece := ",\n".join(pieces[at:])))
    return " ".join(code.split()) + ": " + comment.lstrip()


def sentence_before(text, header=False):
    """The end of a text, from the last sentence's start on, on one line."""
    paragraph = PARAGRAPH.split(of_header(text) if header else text)[-1]
    words = " ".join(paragraph.split())
    ends = [0] + [match.end() for match in re.finditer(r"\. (?=\S)", words[:-1])]
    return words[next((end for end in reversed(ends) if len(words) - end >= SENTENCE_MIN), 0):]


def claims_of(path, text, letter):
    """The claims of one document, in its order."""
    begin = 0
    for match in re.finditer(rf"\[({NUMBER})\]", text):
        if match.group(1)[0] == letter:
            yield Claim(match.group(1), sentence_before(text[begin:match.start()], path.endswith(".h")), path)
        begin = match.end()


def claims(read):
    """All claims. read: path -> text."""
    return [claim for letter, (_, paths) in DOCUMENTS.items() for path in paths
            for claim in claims_of(path, read(path), letter)]


def proofs_of(path, text):
    """[(number, place)] that one file of the tests names. The next function is the proof."""
    for match in PROVES.finditer(text):
        function = FUNCTION.search(text, match.end())
        place = f"{path}::{function.group(1)}" if function else path
        for number in match.group(1).split():
            yield number, place


def misplaced(files):
    """A sentence for each proof that stands elsewhere than at the begin of a line. files: (path, text)."""
    for path, text in files:
        for match in MISPLACED.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: 'proves:' does not begin a comment of its own: no claim is proved by it"


def proofs(files):
    """Number -> places. files: (path, text)."""
    found = {}
    for path, text in files:
        for number, place in proofs_of(path, text):
            found.setdefault(number, []).append(place)
    return found


def read_numbers(text):
    """Section -> Section, of the list of numbers ever given."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            row = re.fullmatch(r"([RPA]\d+) (\d+)(?: retired((?: \d+)+))?", line)
            if row is None:
                raise SystemExit(f"{TARGET.name}: cannot read '{line}'; a row is 'R4 19' or 'R4 19 retired 7 18'")
            found[row[1]] = Section(int(row[2]), frozenset(map(int, (row[3] or "").split())))
    return found


def numbers_of(known):
    """Section -> its numbers in the documents."""
    found = collections.defaultdict(set)
    for claim in known:
        section, place = claim.number.split(".")
        found[section].add(int(place))
    return found


def list_of(known, given):
    """The text of TARGET: what it was, and the new numbers."""
    yield "# SPDX-License-Identifier: BSD-2-Clause"
    yield "# Each section of claims: its last number, and its retired numbers. tests/lib/tools/claims.py"
    there = numbers_of(known)
    for section in sorted(there.keys() | given.keys(), key=lambda section: order(section + ".0")):
        last, retired = given.get(section, Section(0, frozenset()))
        words = [section, max([last, *there[section]]), *(["retired", *sorted(retired)] if retired else [])]
        yield " ".join(map(str, words))


def number_faults(known, given):
    """A sentence for each number that vanished, came back or left a gap."""
    there = numbers_of(known)
    for section in sorted(there.keys() | given.keys()):
        last, retired = given.get(section, Section(0, frozenset()))
        for place in range(1, last + 1):
            number = f"{section}.{place}"
            if place in there[section] and place in retired:
                yield f"claim {number} was retired, and stands in a document again: give the sentence number {section}.{last + 1}"
            if place not in there[section] and place not in retired:
                yield (f"claim {number} stands in no document: put it back, or write 'retired {place}' behind {section} "
                       f"in {TARGET.name}")
        for place in sorted(there[section]):
            if place > last + 1 and place - 1 not in there[section]:
                yield f"claim {section}.{place} leaves out {section}.{place - 1}: numbers follow one another"


def faults(known, proved, given):
    """A sentence for each number that stands twice, each that no document has, and each that is not as TARGET says."""
    counted = collections.Counter(claim.number for claim in known)
    for claim in known:
        if counted[claim.number] > 1:
            yield f"{claim.path}: claim {claim.number} stands {counted[claim.number]} times: give one a new number"
    for number, places in sorted(proved.items()):
        if number not in counted:
            yield f"{places[0]}: proves {number}, which no document claims"
    yield from number_faults(known, given)


def claims_of_tree():
    return claims(lambda path: (TOP / path).read_text(encoding="utf-8"))


def numbers_of_tree():
    return read_numbers(TARGET.read_text(encoding="utf-8") if TARGET.exists() else "")


def generate():
    """The text of TARGET, for `scons manual`."""
    return "\n".join(list_of(claims_of_tree(), numbers_of_tree())) + "\n"


def test_files():
    """(path, text) of what can prove something."""
    for path in sorted((TOP / "tests").rglob("*")):
        if path.suffix in (".c", ".py", ".S", ".t") and path.is_file():
            yield path.relative_to(TOP).as_posix(), path.read_text(encoding="utf-8")


def table(known, proved):
    """The document's lines about some claims."""
    yield "| claim | says | proved by |"
    yield "|---|---|---|"
    for claim in sorted(known, key=lambda claim: order(claim.number)):
        places = " ".join(f"`{place.removeprefix('tests/')}`" for place in proved.get(claim.number, ()))
        sentence = claim.sentence.replace("|", "\\|")
        yield f"| {claim.number} | {sentence} | {places or 'nobody'} |"


def decisions():
    """The claims of the language: those that need a test, and have none."""
    import coverage_document  # needs the tests' own reader
    rows = coverage_document.tested_decisions()
    left = [(number, where, words) for number, where, words, paths in rows if not paths and where != "words"]
    yield f"{len(rows)} decisions, of which {len(rows) - len(left)} have a test or need none; " \
          "tests/language/conformance/COVERAGE.md has the table."
    yield ""
    yield from (f"- {number} ({where}): {words}" for number, where, words in left)


def document(known, proved):
    """The whole text."""
    nobody = [claim for claim in known if claim.number not in proved]
    lines = ["# Claims and their tests", "",
             f"{len(known)} claims, {len(known) - len(nobody)} of them are proved by a test that names them.", ""]
    for letter, (title, paths) in DOCUMENTS.items():
        lines += [f"## {letter}: {title} ({', '.join(paths)})", "",
                  *table([claim for claim in known if claim.number[0] == letter], proved), ""]
    lines += ["## C: the language", "", *decisions(), "", "## Nobody proves", ""]
    lines += [f"- {claim.number} ({claim.path}): {claim.sentence}"
              for claim in sorted(nobody, key=lambda claim: order(claim.number))] or ["No claim is without a proof."]
    return "\n".join(lines) + "\n"


def main():
    known = claims_of_tree()
    proved = proofs(test_files())
    found = [*faults(known, proved, numbers_of_tree()), *misplaced(test_files())]
    for text in found:
        print(f"claims: {text}", file=sys.stderr)
    if not found:
        output = pathlib.Path(sys.argv[1])
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(document(known, proved), encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
