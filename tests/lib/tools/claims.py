# SPDX-License-Identifier: BSD-2-Clause
"""build/docs/CLAIMS.md: what the documents claim, each claim by its number, and which tests prove it.

    claims.py OUTPUT     status 1, with a sentence each, on a number that is unknown or stands twice

A claim is a normative sentence that ends in its number in brackets: R of the protocol, P of the port contract,
A of the agent, C of the language (its decisions have a file of their own). A test names the claims it proves
in a comment above it, after the word `proves` and a colon.
"""
import collections
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

from tables import TOP  # noqa: E402

DOCUMENTS = {
    "R": ("the protocol", ("protocol/PROTOCOL.md",)),
    "P": ("the port contract", ("port/dp_port.h",)),
    "A": ("the agent", ("agent/dp_board.h", "agent/dp_agent.h", "agent/README.md")),
}
NUMBER = r"[RPA]\d+\.\d+"
SENTENCE_MIN, SENTENCE_MAX = 40, 200
PROVES = re.compile(r"^(?:#|/\*|//) proves: ([^*\n]*)", re.M)
FUNCTION = re.compile(r"^(?:def|(?:static )?(?:void|bool|int)) (\w+)\(", re.M)

Claim = collections.namedtuple("Claim", "number sentence path")


def order(number):
    """R2.10 comes behind R2.9, and R behind nothing else."""
    section, place = number[1:].split(".")
    return "RPA".index(number[0]), int(section), int(place)


def sentence_before(text):
    """The end of a text, from the last sentence's start on, on one line."""
    text = re.sub(r"/?\*+/?", "", text) if "*/" in text or "\n *" in text or "/*" in text else text
    paragraph = re.split(r"\n[ \t]*\n|^#.*\n|^(?:- |\d+\. )", text, flags=re.M)[-1]
    words = " ".join(paragraph.split())
    ends = [0] + [match.end() for match in re.finditer(r"[.;] (?=\S)", words[:-1])]
    # "else BAD_CRC" alone says little.
    words = words[next((end for end in reversed(ends) if len(words) - end >= SENTENCE_MIN), 0):]
    return words if len(words) <= SENTENCE_MAX else "..." + words[-SENTENCE_MAX:].partition(" ")[2]


def claims_of(path, text, letter):
    """The claims of one document, in its order."""
    begin = 0
    for match in re.finditer(rf"\[({NUMBER})\]", text):
        if match.group(1)[0] == letter:
            yield Claim(match.group(1), sentence_before(text[begin:match.start()]), path)
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


def proofs(files):
    """Number -> places. files: (path, text)."""
    found = {}
    for path, text in files:
        for number, place in proofs_of(path, text):
            found.setdefault(number, []).append(place)
    return found


def faults(known, proved):
    """A sentence for each number that stands twice, and for each that no document has."""
    counted = collections.Counter(claim.number for claim in known)
    for claim in known:
        if counted[claim.number] > 1:
            yield f"{claim.path}: claim {claim.number} stands {counted[claim.number]} times: give one a new number"
    for number, places in sorted(proved.items()):
        if number not in counted:
            yield f"{places[0]}: proves {number}, which no document claims"


def test_files():
    """(path, text) of what can prove something."""
    for path in sorted((TOP / "tests").rglob("*")):
        if path.suffix in (".c", ".py", ".S") and path.is_file():
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
              for claim in sorted(nobody, key=lambda claim: order(claim.number))]
    return "\n".join(lines) + "\n"


def main():
    known = claims(lambda path: (TOP / path).read_text(encoding="utf-8"))
    proved = proofs(test_files())
    found = list(faults(known, proved))
    for text in found:
        print(f"claims: {text}", file=sys.stderr)
    if not found:
        output = pathlib.Path(sys.argv[1])
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(document(known, proved), encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
