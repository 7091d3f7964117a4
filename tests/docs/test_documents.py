# SPDX-License-Identifier: BSD-2-Clause
"""Documents made from tables: what is committed is what the tables say, the examples of the language
manual run, and every instruction, exception, decision and seed has its test."""
import json
import re
import shlex
import subprocess

import pytest

import claims
import coverage_document
import d_document
import kit
import manual
import protocol_document
import schema
import tables
import tree_kconfig
from harness import process, tool
from harness.paths import TESTS, TOP, built, tracked_files

ENTRIES = manual.entries()


@pytest.mark.parametrize("document", [manual, coverage_document, protocol_document, claims, d_document, schema, tree_kconfig], ids=lambda d: d.TARGET.name)
def test_committed_as_made(document):
    assert document.TARGET.read_text(encoding="utf-8") == document.generate(), "run: scons manual"


# ---- the manual --------------------------------------------------------------------------------

@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.ops[0].name)
def test_example(entry, tmp_path):
    """Every instruction has one, it has the instruction in it, and prints what the manual says."""
    if not entry.ops[0].text:
        assert entry.case is None
        return
    assert coverage_document.has(entry.case.program(), entry.ops[0])
    wrong = [entry.case.run(tool.Tool().path(), str(tmp_path / "x.dp"), *form)
             for form in entry.case.forms()]
    assert not any(wrong), "\n".join(filter(None, wrong))


PASTED = re.findall(r"^```\n(name = (?:(?!```)[^\n]*\n)+)^```\n`dprobes (simulate [^`]*)` prints(?: (nothing|`[^`]+`(?: and `[^`]+`)*)"
                    r"\.|:\n\n```\n(.*?)^```)",
                    manual.TARGET.read_text(encoding="utf-8"), re.M | re.S)


def test_every_example_can_be_pasted():
    assert len(PASTED) == sum(entry.case is not None for entry in ENTRIES)


@pytest.mark.parametrize("pasted", PASTED, ids=lambda pasted: " ".join(pasted[0].split()[6:9]))
def test_pasted_example(pasted, dprobes, tmp_path):
    """The text of the document, saved as it says, prints what the document says."""
    program, command, printed, block = pasted
    (tmp_path / "t.dp").write_text(program)
    result = dprobes(*shlex.split(command), cwd=tmp_path)
    wanted = block.splitlines() if block else re.findall(r"`([^`]+)`", printed)
    form = [re.escape(line).replace("x" * 16, "[0-9a-f]{16}").replace("x" * 8, "[0-9a-f]{8}") for line in wanted]
    assert result.status == 0, result.stderr
    assert re.fullmatch("\n".join(form), result.stdout.rstrip("\n")), result.stdout


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.ops[0].name)
def test_entry_says_what_the_table_says(entry):
    op = entry.ops[0]
    before, after = (side.split() for side in re.split(r"--", entry.facts["stack"]))
    for words, count in ((before, op.pops), (after, op.pushes)):
        if count != "V" and "or" not in words:
            assert len([w for w in words if w not in ("...",)]) == int(count), entry.facts["stack"]
    assert entry.text.endswith(".")
    if op.exceptions == ("INVALID_OPERAND",):
        assert entry.facts["raises"]


def test_every_keyword_is_in_the_manual():
    """And no other; the compiler's table knows them."""
    text = (TOP / "host/lang/rpn/keywords.def").read_text()
    known = set(re.findall(r'_KEY\(\s*"(\w+)"', text)) | {"offset", "address", "hook"}
    section = re.search(r"^## 2\. .*?(?=^## )", manual.TARGET.read_text(), re.M | re.S).group(0)
    cells = re.findall(r"^\| (`[^|]*) \|", section, re.M)
    assert set(re.findall(r"`(\w+)`", " ".join(cells))) == known


def test_decisions_named_in_the_manual_exist():
    known = {number for number, _, _ in coverage_document.decisions()}
    assert set(re.findall(r"\bC\d{2,3}\b", manual.TARGET.read_text())) <= known


# ---- coverage ----------------------------------------------------------------------------------

def test_every_instruction_and_exception_has_a_file():
    rows = coverage_document.instructions()
    assert not [op.form for op, accept, _ in rows if not accept]
    assert not [(op.form, name) for op, _, raises in rows for name, paths in raises.items() if not paths]


def test_no_claim_without_ground():
    assert not list(coverage_document.claims_without_ground())


@pytest.mark.parametrize("path", [path for path in coverage_document.files()
                                  if coverage_document.raised(path)], ids=coverage_document.name_of)
def test_exceptions_are_raised(path, tmp_path):
    """A case with the instruction ends with, or has handled, the exception."""
    ops = {op.form: op for op in tables.ops()}
    left = set(coverage_document.raised(path))
    for case in coverage_document.cases(path):
        wanted = [pair for pair in left if coverage_document.has(case.program(), ops[pair[0]])]
        if wanted:
            codes = last_exceptions(case, tmp_path)
            left -= {(form, name) for form, name in wanted if tables.exceptions()[name][0] in codes}
    assert not left


def last_exceptions(case, folder):
    """Exception codes of a case's hits, in the first of its forms."""
    program = folder / "x.dp"
    if "path" in case.values:
        program = case.values["path"]
    else:
        program.write_text(case.program())
    words = case.arguments(*case.forms()[0])
    words[words.index("raw")] = "json"
    run = subprocess.run([tool.Tool().path(), "simulate", *words, program], capture_output=True,
                         text=True, env=tool.environment(), cwd=TESTS / "language" / "conformance" / "seeds",
                         timeout=process.TIMEOUT_S, check=True)
    return {json.loads(line)["exception"][0] & 0xffff for line in run.stdout.splitlines()}


def test_every_decision_is_there_and_those_of_the_language_have_a_file():
    rows = coverage_document.tested_decisions()
    assert [number for number, _, _, _ in rows] == [f"C{n:02}" for n in range(1, 141)]
    for number, where, words, paths in rows:
        assert where in ("language", "target", "host", "words"), number
        assert paths if where == "language" else " - " in words, number


def test_every_seed_example_is_a_file():
    listed = [path for _, _, paths in coverage_document.seeds() for path in paths]
    assert not [path for path in listed if not path.is_file()]
    there = set((TESTS / "language" / "conformance" / "seeds").iterdir())
    assert not [path.name for path in there - set(listed)
                if not path.name.startswith("extra-") and path.suffix != ".map"]


# ---- references --------------------------------------------------------------------------------

NAMED = re.compile(r"[\w./-]*\w\.md\b")
ELSEWHERE = re.compile(r"\b(?:spec|shared)/\w")


def named_and_not_there(path, files):
    """References of a file of the tree to documents that are not in it."""
    data = (TOP / path).read_bytes()
    if b"\0" in data:
        return
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        for name in NAMED.findall(line):
            places = [TOP / path.parent / name, TOP / name] if "/" in name else [TOP / other for other in files
                                                                                if other.name == name]
            if not any(place.is_file() for place in places):
                yield f"{path}:{number}: {name}"
        for found in ELSEWHERE.findall(line):
            yield f"{path}:{number}: {found}"


def test_what_is_named_can_be_read():
    """A comment that names a document is of use to whoever has the document."""
    files = tracked_files()
    assert [text for path in files for text in named_and_not_there(path, files)] == []


# ---- the porting guide -------------------------------------------------------------------------

def functions_of(*headers):
    """Names of the functions that headers of port/ declare or define."""
    text = "".join((TOP / "port" / name).read_text() for name in headers)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return set(re.findall(r"\b(dp_\w+)\s*\(", text))


def guide_names():
    """What the guide calls dp_..., but for files and what it names as a type or an error."""
    text = (TOP / "port" / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"\bstruct dp_\w+|\bdp_\w+\.[chS]\b|\[dp_\w+\.h\]", "", text)
    return set(re.findall(r"\bdp_[a-z]+_\w+", text))


def test_porting_guide_names_every_function_of_the_contract():
    assert sorted(functions_of("dp_port.h", "dp_watch.h") - guide_names()) == []


def test_porting_guide_names_no_function_that_is_not_there():
    known = functions_of("dp_port.h", "dp_watch.h", "dp_slots.h", "dp_patch.h", "dp_access.h", "dp_stack.h", "arm/dp_access_cpu.h")
    files = {f"dp_{path.stem[3:]}" for path in (TOP / "port").glob("dp_*.[ch]")}
    assert sorted(guide_names() - known - files - {"dp_port_cpu"}) == []


def test_porting_guide_has_the_checks_of_the_kit():
    section = (TOP / "port" / "README.md").read_text(encoding="utf-8").split("## The test kit")[1]
    rows = re.findall(r"^\| ([a-z ]+) \|", section, re.M)[1:]
    assert rows == [check.name for check in kit.CHECKS]


# ---- templates ---------------------------------------------------------------------------------

TEMPLATES = (TOP / "host/present/TEMPLATES.md").read_text(encoding="utf-8")


def test_session_with_templates(dprobes, tmp_path):
    """Files are made from what `cat` shows; every other command prints exactly what stands below it."""
    blocks = re.findall(r"^```console\n(.*?)^```$", TEMPLATES, re.M | re.S)
    steps = [step for block in blocks for step in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)]
    assert [command.split()[0] for command, _ in steps] == ["cat", "cat", "dprobes", "dprobes", "cat", "cat", "dprobes"]
    for command, printed in steps:
        words = shlex.split(command)
        if words[0] == "cat":
            (tmp_path / words[1]).write_text(printed)
            continue
        result = dprobes(*words[1:], cwd=tmp_path)
        assert (result.status, result.stdout, result.stderr) == (0, printed, ""), command


def test_templates_and_their_text(logging, agent, tmp_path):
    """Each row of the tables: a template of its own, and a record with its data."""
    rows = re.findall(r"^\| `(.*?)` \| `([0-9a-f ]+)` \| `(.*)` \|$", TEMPLATES, re.M)
    assert len(rows) >= 18
    path = tmp_path / "rows.tpl"
    path.write_text("major = 9\n" + "".join(f'minor = {n}, desc = "row", fmt = "{fmt}"\n'
                                            for n, (fmt, _, _) in enumerate(rows)))
    running = logging("--count", str(len(rows)), "--templates", path, verbose=False)
    for n, (_, data, _) in enumerate(rows):
        agent.hit(bytes.fromhex(data), major=9, minor=n)
    run = running.wait()
    assert run.lines() == [line for n, (_, _, text) in enumerate(rows) for line in (f"DProbes(9,{n}) - row", text)]


def test_example_of_templates(qemu, dprobes):
    """boards/demo/1-callers.tpl on the demo kernel: the document's two lines, but for the numbers."""
    shown = re.search(r"^```\n(DProbes\(1,1\).*\n.*\n)```$", TEMPLATES, re.M).group(1)
    board = qemu("vexpress-a9").free_when_up()
    elf = built("boards", "vexpress-a9", "demo.elf")
    check = dprobes("check", "boards/demo/1-callers.dp", "--templates", "boards/demo/1-callers.tpl", "--elf", elf, cwd=TOP)
    assert check.status == 0 and check.lines()[-1] == "templates: 1 in boards/demo/1-callers.tpl"
    run = dprobes("run", "boards/demo/1-callers.dp", "--templates", "boards/demo/1-callers.tpl", "--log", "PC,TSC", "--count", "3",
                  "--elf", elf, "--port", board.url("com1"), cwd=TOP)
    assert run.status == 0, run.stderr
    form = re.sub(r"\b(0x[0-9a-f]+|\d+\.\d+s)", "N", shown).splitlines()
    assert [re.sub(r"\b(0x[0-9a-f]+|\d+\.\d+s)", "N", line) for line in run.lines()[:6]] == form * 3


# ---- the firmware's side -----------------------------------------------------------------------

POLL = ("from a task above the load, about once a millisecond, or from the idle loop if there is always idle time")


@pytest.mark.parametrize("path", ["README.md", "agent/README.md", "agent/dprobes.h", "agent/dp_agent.h"])
def test_one_sentence_says_where_to_poll(path):
    """Firmware that polls elsewhere is disturbed, or hears no request under load."""
    text = re.sub(r"\n \*|\s+", " ", (TOP / path).read_text(encoding="utf-8"))
    words = re.sub(r"\s+", " ", text)
    poll = "dp_poll(struct" if path.endswith("dp_agent.h") else "dprobes_poll"
    assert POLL in words.lower() and poll in words
    assert len(re.findall("about once a (?:milli)?second", words)) == words.lower().count(POLL), "another sentence on it"
