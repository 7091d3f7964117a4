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
    assert "steps:   at most 4096 a hit, by the step budget: it loops\n" in run.stdout
    said, = dprobes("check", "--dont-verify-opcodes", "--format", "json", "t.dp", cwd=tmp_path).objects()
    assert said["loops"] and said["steps_max"] == 4096


@pytest.mark.parametrize("cpu,program,uses", [
    ("arm", "push 1\nlog 1\n", "nothing but reading and logging"),
    ("arm", "push 1\npop r, r0\n", "write (changes memory or registers)"),
    ("arm", "callk\n", "hook (calls into the firmware)"),
    ("ia32", "push 0x3f8\npush io, u8\n", "io (uses I/O ports)"),
    ("ia32", "push 8\npush 0\nseg2lin\n", "seg (uses segments)"),
    ("ia32", "push 8\npush 0\nseg2lin\npush 1\npop mem, u8\ncallk\n",
     "write (changes memory or registers), seg (uses segments), hook (calls into the firmware)"),
])
def test_capabilities(dprobes, tmp_path, cpu, program, uses):
    (tmp_path / "t.dp").write_text(HEAD + program)
    run = dprobes("check", "--write", "--dont-verify-opcodes", "--cpu", cpu, "t.dp", cwd=tmp_path)
    assert run.status == 0 and f"uses:    {uses}\n" in run.stdout
