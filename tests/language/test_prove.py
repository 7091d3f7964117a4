# SPDX-License-Identifier: BSD-2-Clause
"""What `dprobes check` proves. Each program is run with every value of r0 that chooses a way. Where only jumps choose,
the worst of them is exactly what check says; where an exception or a length does, check may say more, never less."""
import pytest

HEAD = 'name = "t"\nvars = 3\noffset = 0x1000\n'
NOP = "nop\n" * 5
# Program and the memory it may find; ways are chosen by r0.
JUMPS = {
    "straight": "push 1\nlog 1\n",
    "jump over much": f"push r, r0\njz out\n{NOP}push 7\nlog 2\nout: exit\n",
    "jump to much": f"push r, r0\njnz more\nexit\nmore: {NOP}push 7\nlog 2\n",
    "a way each": f"push r, r0\njz a\njgt b\nlog 1\nexit\na: {NOP}exit\nb: push 1\nlog 2\nexit\n",
    "steps here, bytes there": f"push r, r0\njz a\npush 1\npush 2\nlog 3\nexit\na: {NOP}{NOP}exit\n",
    "a proc of two ways": f"call p\nlog 1\nexit\nproc p\npush r, r0\njz out\n{NOP}out: ret\nendproc\n",
    "a proc called on one way": f"push r, r0\njz out\ncall p\nout: exit\nproc p\n{NOP}push 1\nlog 1\nret\nendproc\n",
    "a proc in a proc": f"call p\nexit\nproc p\ncall q\npush r, r0\njz out\ncall q\nout: ret\nendproc\nproc q\n{NOP}ret\nendproc\n",
}
EXCEPTIONS = {
    "a handler": f"sx h\npush r, r0\npush mem, u8\nlog 1\nexit\nh: {NOP}log 3\nexit\n",
    "a handler that is cleared": "sx h\nux\npush r, r0\npush mem, u8\nlog 1\nexit\nh: nop\nlog 3\nexit\n",
    "an exception in a proc": f"sx h\ncall p\nexit\nh: {NOP}log 3\nexit\nproc p\npush r, r0\npush mem, u8\n{NOP}ret\nendproc\n",
    "text": "push 40\npush r, r0\nlog str\n",
    "memory": "push 16\npush r, r0\nlog mrf\n",
    "variables": "push 0\npush 3\nlog lv\npush r, r0\njz out\nnop\nout: exit\n",
}
TEXT_AT = 0x2000
VALUES = [0, 1, 0xffffffff, TEXT_AT]


@pytest.mark.parametrize("name", [*JUMPS, *EXCEPTIONS])
@pytest.mark.parametrize("word", ["32", "64"])
def test_the_longest_way(dprobes, tmp_path, name, word):
    (tmp_path / "t.dp").write_text(HEAD + {**JUMPS, **EXCEPTIONS}[name])
    assert dprobes("build", "--write", "--dont-verify-opcodes", "--word", word, "-o", "t.ppdf", "t.dp", cwd=tmp_path).status == 0
    said, = dprobes("check", "--format", "json", "t.ppdf", cwd=tmp_path).objects()
    hits = [dprobes("simulate", "--word", word, "--format", "json", "--reg", f"r0={value}", "--mem", f"{TEXT_AT}={'61' * 48}00",
                    "t.ppdf", cwd=tmp_path).objects()[0] for value in VALUES]
    assert said["accepted"] and not said["loops"]
    steps, bytes_ = max(hit["steps"] for hit in hits), max(len(hit["data"]) // 2 for hit in hits)
    if name in JUMPS:
        assert (said["steps_max"], said["log_max"]) == (steps, bytes_), hits
    assert said["steps_max"] >= steps and said["log_max"] >= bytes_


@pytest.mark.parametrize("program", ["a: jmp a\n", "push 3\na: nop\nloop a\n", "call p\nexit\nproc p\ncall p\nret\nendproc\n",
                                     "sx a\na: sx a\nrx\n"])
def test_what_has_no_end_is_bounded_by_the_budget(dprobes, tmp_path, program):
    (tmp_path / "t.dp").write_text(HEAD + program)
    run = dprobes("check", "--dont-verify-opcodes", "t.dp", cwd=tmp_path)
    assert "steps:   at most 4096 a hit, by the step budget: the program loops\n" in run.stdout
    said, = dprobes("check", "--dont-verify-opcodes", "--format", "json", "t.dp", cwd=tmp_path).objects()
    assert said["loops"] and said["steps_max"] == 4096


@pytest.mark.parametrize("cpu,program,uses", [
    ("arm", "push 1\nlog 1\n", "only reads and logs"),
    ("arm", "push 1\npop r, r0\n", "write (writes memory or registers of the firmware)"),
    ("arm", "callk\n", "hook (calls a function of the firmware)"),
    ("ia32", "push 0x3f8\npush io, u8\n", "io (reads or writes input and output ports)"),
    ("ia32", "push 8\npush 0\nseg2lin\n", "seg (translates a segmented address)"),
    ("ia32", "push 8\npush 0\nseg2lin\npush 1\npop mem, u8\ncallk\n",
     "write (writes memory or registers of the firmware), seg (translates a segmented address), hook (calls a function of the firmware)"),
])
def test_capabilities(dprobes, tmp_path, cpu, program, uses):
    (tmp_path / "t.dp").write_text(HEAD + program)
    run = dprobes("check", "--write", "--dont-verify-opcodes", "--cpu", cpu, "t.dp", cwd=tmp_path)
    assert run.status == 0 and f"uses:    {uses}\n" in run.stdout


SAYS = "this exit can be reached with nothing logged: each such hit sends an empty record; end that way with 'abort'"


@pytest.mark.parametrize("program,lines", [
    ("exit\n", [4]),
    ("push 1\nlog 1\nexit\n", []),
    ("push 1\nlog 0\nexit\n", [6]),
    ("push r, r0\njz out\nlog 1\nexit\nout: exit\n", [8]),
    ("push r, r0\njz out\nlog 1\nout: exit\n", [7]),
    ("push r, r0\njz out\nlog 1\nexit\nout: abort\n", []),
    ("setmin 7\nexit\n", []),
    ("call p\nexit\nproc p\npush 1\nlog 1\nret\nendproc\n", []),
    ("call p\nexit\nproc p\npush 1\njz q\nlog 1\nq: ret\nendproc\n", [5]),
    ("call p\nabort\nproc p\nexit\nendproc\n", [7]),
    ("push 1\nlog 1\ncall p\nabort\nproc p\nexit\nendproc\n", []),
    ("push 9\na: nop\nloop a\nexit\n", [7]),
    ("sx h\npush r, r0\npush mem, u8\nlog 1\nexit\nh: exit\n", [9]),
])
@pytest.mark.parametrize("object_", [False, True])
def test_exits_with_nothing_logged(dprobes, tmp_path, program, lines, object_):
    """A record without data is no use; the program is accepted, and the line is named."""
    (tmp_path / "t.dp").write_text(HEAD + program)
    assert dprobes("build", "--dont-verify-opcodes", "t.dp", cwd=tmp_path).status == 0
    run = dprobes("check", "--dont-verify-opcodes", "t.ppdf" if object_ else "t.dp", cwd=tmp_path)
    said = [line for line in run.stderr.splitlines() if SAYS in line]
    assert run.status == 0 and said == [f"t.dp:{line}: warning: {SAYS}" for line in lines]


UNPUSHED = ("logs words that were never pushed", "takes its number of words from an empty stack")


@pytest.mark.parametrize("program,lines", [
    ("log 1\n", [4]),
    ("push 1\nlog 2\n", [5]),
    ("push 1\nlog 1\nlog 1\n", [6]),
    ("push 1\npush 2\nadd\nlog 2\n", [7]),
    ("push 1\ndup 4\nlog 5\n", []),
    ("push 1\ndup 4\nlog 6\n", [6]),
    ("push r, r0\nlog 2\n", [5]),
    ("push 1\na: push 1\npush r, r0\njnz a\nlog 40\n", []),
    ("push r, r0\njz a\npush 2\na: log 2\n", []),
    ("push 1\ncall p\nexit\nproc p\nlog 1\nret\nendproc\n", []),
    ("call p\nlog 1\nexit\nproc p\npush 1\nret\nendproc\n", []),
    ("push 3\npush 1\nros 1\nlog 2\n", [7]),
    ("push 0x1000\npush mem, u64\nlog 2\n", []),
    ("push 2\nlog\n", []),
    ("log\n", [4]),
    ("push 1\npush 1\nlog\nexit\n", []),
    ("push 1\nlog 1\nlog\n", [6]),
])
def test_log_of_words_that_nobody_pushed(dprobes, tmp_path, program, lines):
    (tmp_path / "t.dp").write_text(HEAD + program)
    run = dprobes("build", "--dont-verify-opcodes", "--cpu", "arm", "t.dp", cwd=tmp_path)
    said = [line for line in run.stderr.splitlines() if any(said in line for said in UNPUSHED)]
    assert run.status == 0 and [int(line.split(":")[1]) for line in said] == lines, run.stderr
