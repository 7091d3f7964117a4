# SPDX-License-Identifier: BSD-2-Clause
"""entry(e): the value at the entry of the function. D.md, "Values at the entry". On boards:
tests/board/test_entry_board.py."""
import json
import re
import subprocess

import d_cases
import pytest

import cpus
from harness.paths import program

CPUS = sorted(cpus.first_of_each_order())


@pytest.fixture(scope="session")
def firmware(tmp_path_factory):
    made = tmp_path_factory.mktemp("d_entry")
    for cpu in CPUS:
        d_cases.firmware(made, cpu)
    return made


def build(dprobes, firmware, folder, text, cpu="arm"):
    (folder / "p.d").write_text(text)
    return dprobes("build", folder / "p.d", "--elf", firmware / f"{cpu}.elf", "-o", folder / "p.ppdf")


def compiled(dprobes, firmware, folder, text, cpu="arm"):
    """The disassembly of each point, by its place, but for those that return() of other programs runs."""
    result = build(dprobes, firmware, folder, text, cpu)
    assert result.status == 0, result.stderr
    listing = dprobes("disasm", folder / "p.ppdf").stdout
    points = [point for point in re.split(r"^offset = ", listing, flags=re.M)[1:] if "phase = returned" not in point]
    return {re.search(r"^// (\w+)(?:,| \+ 0x[0-9a-f]+,)", point, re.M)[0].strip("/, "): point for point in points}


@pytest.mark.parametrize("cpu", CPUS)
def test_points_and_keys(dprobes, firmware, tmp_path, cpu):
    """The entry is a point of its own; the value is kept under the task and the stack pointer that the function began with."""
    points = compiled(dprobes, firmware, tmp_path, "take:return { trace(entry(n)); }", cpu)
    begin = points.pop("take")
    assert begin.count("push task") == 2 and begin.count("pop map") == 2 and "mem" not in begin
    assert points and all(name.startswith("take + 0x") for name in points)
    for code in points.values():
        assert code.count("pop map") == 2, "what is read is freed"


def test_a_clause_at_the_entry_too(dprobes, firmware, tmp_path):
    """One point for both, and the value is kept before it is read."""
    points = compiled(dprobes, firmware, tmp_path, "take:entry, take:return { trace(entry(n)); }")
    code = points["take"]
    assert code.index("pop map, 1") < code.rindex("push map, 1") and len(points) > 1


def test_a_line_keeps_the_value(dprobes, firmware, tmp_path):
    """It is freed at a return alone: a line may come again."""
    points = compiled(dprobes, firmware, tmp_path, "insn::take:8 { trace(entry(n)); }")
    assert "pop map" not in points["take + 0x8"] and "pop map" in points["take"]


@pytest.mark.parametrize("value, form", [
    ("thing->title", "%p"), ("stringof(thing->title)", "%s"), ("timestamp", "%d"), ("n * 2", "%d"), ("thing->wide", "%d"),
    ("execname", "%s"), ("arg0", "%d"), ("thing->at.x == 3 ? 1 : 2", "%d"), ("&thing->at", "%p"), ("curthread", "%p"),
])
def test_values(dprobes, firmware, tmp_path, value, form):
    """Whatever a variable of a task can keep."""
    compiled(dprobes, firmware, tmp_path, f'take:return /entry({value}) != 0/ {{ printf("{form}", entry({value})); }}' if form != "%s"
             else f'take:return {{ printf("{form}", entry({value})); @[entry({value})] = count(); }}')


def test_a_string_is_freed(dprobes, firmware, tmp_path):
    """0 has no characters: an element with a string is freed by it, as one with a number is."""
    for of in ("self->s", "s[n]", "s"):
        compiled(dprobes, firmware, tmp_path, f"take:entry {{ {of} = stringof(thing->title); }} more:entry {{ {of} = 0; }}".replace("more:entry { s[n]", "more:entry { s[1]"))


def test_type_of_the_value(dprobes, firmware, tmp_path):
    """entry(p) has the type of p, so that its members can be read at the return."""
    assert "push mem" in "".join(compiled(dprobes, firmware, tmp_path, "take:return { trace(entry(thing)->small); }").values())


def test_no_name_of_the_program(dprobes, firmware, tmp_path):
    """A program with a variable `entry`, and a type with a member of this name, mean theirs."""
    compiled(dprobes, firmware, tmp_path, "take:entry { self->entry = n; entry = 4; } take:return { trace(self->entry + entry(n) + entry); self->entry = 0; }")
    compiled(dprobes, firmware, tmp_path, "take:entry { trace(`words.entry.this); }")


def test_several_functions(dprobes, firmware, tmp_path):
    """Each has its entry."""
    points = compiled(dprobes, firmware, tmp_path, "take:return, more:return { @ = quantize(timestamp - entry(timestamp)); }")
    assert {"take", "more"} <= set(points)


@pytest.mark.parametrize("text, said", [
    ("BEGIN { trace(entry(timestamp)); }", "1:15: error: entry() is for clauses in a function; dtrace:BEGIN stands in none"),
    ("tick-1s { trace(entry(timestamp)); }", "1:17: error: entry() is for clauses in a function; profile:tick-1s stands in none"),
    ("watch::counter:w { trace(entry(timestamp)); }", "1:26: error: entry() is for clauses in a function; watch:w stands in none"),
    ("take:return { trace(entry()); }", "1:21: error: 'entry' has 1 argument(s), not 0"),
    ("take:return { trace(entry(n, n)); }", "1:21: error: 'entry' has 1 argument(s), not 2"),
    ("take:return { trace(entry(entry(n))); }", "1:27: error: entry() stands inside entry(); the value is that of the entry without it"),
    ("take:return { trace(entry(x = 1)); }", "1:27: error: entry() changes no variable"),
    ("take:return { this->x = 1; trace(entry(this->x)); }", "1:40: error: 'this->x' has no value at the entry"),
    ("take:return { trace(entry(nosuch)); }", "1:27: error: unknown name 'nosuch'"),
    ("take:return { trace(entry(*thing)); }", "struct thing cannot be kept here"),
    ("take:return { entry(n) = 3; }", "1:15: error: this is a value, and no variable"),
    ("take:return { entry(n)++; }", "1:15: error: this is a value, and no variable"),
])
def test_refusals(dprobes, firmware, tmp_path, text, said):
    result = build(dprobes, firmware, tmp_path, text)
    assert result.status == 1 and said in result.stderr, result.stderr


def test_a_declared_probe(dprobes, firmware, tmp_path):
    """A probe of a provider file has the entry of its function; its own declaration has no entry()."""
    (tmp_path / "q.provider.d").write_text("provider q { probe done(int result) : fbt::take:return (arg1); };\n")
    (tmp_path / "r.provider.d").write_text("provider r { probe done(int result) : fbt::take:return (entry(n)); };\n")
    assert "take" in compiled(dprobes, firmware, tmp_path, "q:::done { trace(args[0] + entry(n)); }")
    result = build(dprobes, firmware, tmp_path, "r:::done { trace(args[0]); }")
    assert result.status == 1 and "r.provider.d:1" in result.stderr and "entry() stands in a clause" in result.stderr, result.stderr


def test_no_call_frame_information(dprobes, firmware, tmp_path):
    """The place of a return is not known without it; the sentence says what lacks."""
    gcc = d_cases.COMPILERS["arm"][0]
    bare = tmp_path / "arm.elf"
    subprocess.run([program(gcc.replace("gcc", "objcopy")), "-R", ".debug_frame", "-R", ".eh_frame", firmware / "arm.elf", bare], check=True)
    (tmp_path / "p.d").write_text("take:return { trace(entry(n)); }")
    result = dprobes("build", tmp_path / "p.d", "--elf", bare, "-o", tmp_path / "p.ppdf")
    assert result.status == 1 and "the frame of take is not known here: the firmware has no call frame information" in result.stderr
    (tmp_path / "p.d").write_text("tak*:return { trace(entry(n)); } more:return { trace(retval); }")
    result = dprobes("build", tmp_path / "p.d", "--elf", bare, "-o", tmp_path / "p.ppdf")
    assert result.status == 0 and re.search(r"warning: \d+ points are left out: a clause has entry\(\), which needs call frame "
                                            r"information and an entry that can be probed; the first one is in tak", result.stderr), result.stderr


# ---- what the simulator computes -----------------------------------------------------------------

LEAVES = """\
int nothing(int a, int *p) { return a; }
int spin(volatile int *p) { while (*p) ; return 1; }
int other(int a, int *p) { return nothing(a + 1, p) + 2; }
void main(void) { nothing(1, 0); other(2, 0); spin(0); for (;;) ; }
"""


def leaves_of(folder, cpu):
    """Functions of few instructions; the entry and the return of `nothing` are one address."""
    # A function that reads an argument from the stack does not return at its entry.
    (folder / "leaves.c").write_text(LEAVES if cpus.of(cpu).arguments else LEAVES.replace("{ return a; }", "{ }"))
    gcc, flags = d_cases.COMPILERS[cpu]
    subprocess.run([program(gcc), "-g", "-O2", "-fno-inline", "-fno-ipa-cp", "-fno-ipa-sra", "-nostdlib", "-ffreestanding", "-Wl,-e,main",
                    "-Wl,--build-id=none", "-o", "leaves.elf", "leaves.c", *flags], cwd=folder, check=True)
    return folder / "leaves.elf"


@pytest.fixture(scope="module")
def leaves(tmp_path_factory):
    return leaves_of(tmp_path_factory.mktemp("leaves"), "arm")


def hits(dprobes, folder, elf, text, *words):
    """The texts of hits of a program, by what it prints."""
    (folder / "p.d").write_text(text)
    run = dprobes("simulate", "p.d", "--elf", elf, "--format", "json", *words, cwd=folder)
    assert run.status == 0, run.stderr
    return [row.get("text", "") for row in map(json.loads, run.stdout.splitlines()) if "end" in row], run.stderr


READS = 'nothing:return { printf("kept %d.", entry(a)); }'
# Descriptions around the clause that reads the value, in each order.
ORDERS = [READS, f"nothing:entry {{ trace(1); }} {READS}", f"{READS} nothing:entry {{ trace(1); }}", f"nothing:return {{ trace(1); }} {READS}",
          f"insn::nothing:0 {{ trace(1); }} {READS}", f"{READS} insn::nothing:0 {{ trace(1); }}",
          f"other:entry {{ trace(1); }} nothing:return, nothing:entry {{ trace(1); }} {READS} other:return {{ trace(entry(a)); }}"]


@pytest.mark.parametrize("cpu", cpus.names())
def test_the_entry_comes_first(dprobes, tmp_path, cpu):
    """Probes at one address run in the order of the points: the value is kept before it is read, wherever the description stands."""
    elf, row = leaves_of(tmp_path, cpu), cpus.of(cpu)
    given = row.passing((7,), sp=0x1000)
    for order in ORDERS:
        (tmp_path / "p.d").write_text(order)
        built = dprobes("build", "p.d", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path)
        assert built.status == 0, built.stderr
        points = re.split(r"^offset = ", dprobes("disasm", "p.ppdf", cwd=tmp_path).stdout, flags=re.M)[1:]
        at = {re.search(r"^minor = (\d+)$", point, re.M)[1]: re.search(r"^// (nothing\b.*?)(?:,|$)", point, re.M) for point in points}
        here = [minor for minor, place in at.items() if place and "+" not in place[1]]
        assert len(here) >= 2, "the entry and the return are one address"
        if not row.link:  # behind a return that has taken its address off the stack, and simulate executes none
            continue
        shown, _ = hits(dprobes, tmp_path, elf, order, *given, *(word for minor in here for word in ("--hits", f"{minor}:1")))
        assert any("kept 7." in text for text in shown), (order, shown)


def test_a_fault_leaves_nothing(dprobes, firmware, tmp_path):
    """Where a value may fault at the entry, each value of an earlier call in the frame is freed before the first is kept."""
    plain = compiled(dprobes, firmware, tmp_path, "take:return { trace(entry(n)); trace(entry(thing)); }")["take"]
    assert re.findall(r"pop map, \d", plain) == ["pop map, 1", "pop map, 2", "pop map, 0"] or plain.count("pop map") == 3
    faults = compiled(dprobes, firmware, tmp_path, "take:return { trace(entry(n)); trace(entry(thing->small)); }")["take"]
    first = faults.index("push r, r1") if "push r, r1" in faults else faults.index("push mem")
    assert faults.count("pop map") == 6 and faults[:first].count("pop map") >= 3


def test_a_branch_to_the_entry(dprobes, leaves, tmp_path):
    """Each round of such a loop is an entry, and the compiler says so."""
    (tmp_path / "p.d").write_text("spin:return { trace(entry(timestamp)); }")
    run = dprobes("build", "p.d", "--elf", leaves, "-o", "p.ppdf", cwd=tmp_path)
    assert run.status == 0 and ("spin branches back to its first instruction" in run.stderr) == loops(leaves), run.stderr


def loops(elf):
    """Does the disassembler show such a branch?"""
    objdump = program(d_cases.COMPILERS["arm"][0].replace("gcc", "objdump"))
    text = subprocess.run([objdump, "-d", "--disassemble=spin", elf], capture_output=True, text=True, check=True).stdout
    start = re.search(r"^([0-9a-f]+) <spin>:", text, re.M)[1].lstrip("0")
    return re.search(rf"\tb\S*\t{start} <spin>", text) is not None


def test_arguments_of_a_declared_probe(dprobes, firmware, tmp_path):
    (tmp_path / "q.provider.d").write_text("provider q { probe done(int result) : fbt::take:return (arg1); };\n")
    for value in ("args[0]", "arg1 + 2"):
        result = build(dprobes, firmware, tmp_path, f"q:::done {{ trace(entry({value})); }}")
        assert result.status == 1 and "entry() has arguments of the function, and 'q:::done' arguments of its own" in result.stderr, result.stderr
