# SPDX-License-Identifier: BSD-2-Clause
"""`dprobes simulate`: its options and its three outputs. What the language does is conformance/**.t."""
import pytest

import tables

TWO = """\
name = "t"
major = 7
vars = 2
offset = 0x1000
minor = 1
inc lv, 0
push lv, 0
push r, r0
log 2
address = 0x2000
minor = 2
push r, r0
push mem, u16
log 1
exit
"""
ENDS = """\
name = "t"
major = 3
excpt_log = 200
jmpmax = 60000
offset = 0x1000
minor = 1
exit
offset = 0x1004
minor = 2
push 0
push 0
div
offset = 0x1008
minor = 3
abort
offset = 0x100c
minor = 4
a: call p
jmp a
offset = 0x1010
minor = 5
push 0x61
log 1
log st
exit
offset = 0x1014
minor = 6
push 3
pop mem, u8
proc p
push 0
jz out
out: ret
endproc
"""


@pytest.fixture
def simulate(dprobes, tmp_path):
    def run(source, *words, status=0):
        (tmp_path / "t.dp").write_text(source)
        result = dprobes("simulate", *words, "t.dp", cwd=tmp_path)
        assert result.status == status, result.stderr
        return result
    return run


def test_the_first_probe_is_the_default(simulate):
    assert simulate(TWO, "--format", "raw").lines() == ["7 1 exit 0000000001000000"]


def test_minor_chooses(simulate):
    assert simulate(TWO, "--format", "raw", "--minor", "2", "--mem", "0=cdab").lines() == ["7 2 exit cdab0000"]
    assert "no probe has the minor code 3" in simulate(TWO, "--minor", "3", status=1).stderr


def test_hits_in_the_order_given(simulate):
    """N of the chosen probe, MINOR:N of another; variables stay between."""
    raw = simulate(TWO, "--format", "raw", "--reg", "r0=0x10", "--mem", "0x10=3412", "--hits", "1", "--hits", "2:2", "--hits",
                   "1:1", "--hits", "0", "--minor", "1").lines()
    assert raw == ["7 1 exit 1000000001000000", "7 2 exit 34120000", "7 2 exit 34120000", "7 1 exit 1000000002000000"]


def test_memory_is_what_is_said_and_nothing_else(simulate):
    raw = simulate(TWO, "--format", "raw", "--minor", "2", "--reg", "r0=0x20", "--mem", "0x10=11", "--mem", "0x20=22", "--mem",
                   "0x21=33").lines()
    assert raw == ["7 2 exit 22330000"]
    json_, = simulate(TWO, "--format", "json", "--minor", "2", "--reg", "r0=0x20", "--mem", "0x20=22").objects()
    assert json_["end"] == "exception" and json_["exception"] == [1, 0x20, 0]


def test_memory_that_cannot_be_written(simulate):
    source = 'name = "t"\noffset = 0x1000\npush 0x10\npush 5\npop mem, u8\npush 0x10\npush mem, u8\nlog 1\n'
    assert simulate(source, "--format", "raw", "--mem", "0x10=00").lines() == ["0 0 exit 05000000"]
    assert simulate(source, "--format", "raw", "--mem-ro", "0x10=00").lines() == ["0 0 exception -"]


LOGGED = {"little": "44332211", "big": "11223344"}
ORDERS = {cpu: order for cpu, order in tables.cpu_orders().items() if cpu != "sim"}


@pytest.mark.parametrize("words,hex_", [
    (["--word", "32", "--endian", "little"], "44332211"), (["--word", "32", "--endian", "big"], "11223344"),
    (["--word", "64", "--endian", "little"], "4433221100000000"), (["--word", "64", "--endian", "big"], "0000000011223344"),
    *((["--cpu", cpu], LOGGED[order]) for cpu, order in ORDERS.items() if order in LOGGED),
    *((["--cpu", cpu, "--endian", order], LOGGED[order]) for cpu, one in ORDERS.items() if one == "both" for order in LOGGED),
    ([], "44332211")])
def test_the_form_of_a_cpu(simulate, words, hex_):
    assert simulate('name = "t"\noffset = 0\npush 0x11223344\nlog 1\n', "--format", "raw", *words).lines() == [f"0 0 exit {hex_}"]


@pytest.mark.parametrize("minor,lines", [
    (1, ["3 1 exit -"]), (2, ["3 2 exception -"]), (3, []), (4, ["3 4 budget -"]),
    (5, ["3 5 exit 61000000",
         # header: name, offset, id, major and minor; then one record without frames
         "0 0 trace 01010074" "1010000000000000" "00000000" "03000500" "020100" "00000000ffffffff0000000000000000" "030000"])])
def test_a_line_of_raw_output(simulate, minor, lines):
    """MAJOR MINOR END HEX; an aborted handler prints nothing, a stack trace is a line of its own."""
    assert simulate(ENDS, "--format", "raw", "--minor", str(minor)).lines() == lines


def test_what_people_see(simulate):
    """Record, log, what was written, stack, end, steps, variables."""
    text = simulate(TWO, "--reg", "r0=9", "--hits", "2").stdout
    assert text == """\
hit 1: minor 1 at 0x1000
  record    DProbes(7,1) 8 bytes = 0x9 0x1
    0000  09 00 00 00 01 00 00 00                          ........
  stack     empty
  end       exit, 7 of 4096 steps
hit 2: minor 1 at 0x1000
  record    DProbes(7,1) 8 bytes = 0x9 0x2
    0000  09 00 00 00 02 00 00 00                          ........
  stack     empty
  end       exit, 7 of 4096 steps
variables:
  lv 0      0x2
  lv        the other 1 are 0
"""
    text = simulate(ENDS, "--minor", "2").stdout
    assert "  end       exception: DIVIDE_BY_ZERO (0x0, 0x0) at t.dp:12, " in text


@pytest.mark.parametrize("words,told", [([], 1), (["--hits", "3"], 1), (["--minor", "2"], 0), (["--quiet"], 0)])
def test_a_branch_is_not_decided(simulate, words, told):
    """Each hit runs the handler, and is told as one of a branch that is taken: once."""
    source = "name = t\noffset = 0x1000\nminor = 1\ntaken = yes\nexit\noffset = 0x1004\nminor = 2\nexit\n"
    said = simulate(source, *words).stderr
    assert said.count("fires only where its branch is taken; simulate takes the branch at each hit") == told and said.count("\n") == told


def test_no_right_is_needed(simulate):
    """There is no firmware that a program could change: what it does to memory is seen, and --write has no meaning."""
    source = 'name = "t"\noffset = 0x1000\npush 0x10\npush 5\npop mem, u8\npush 6\npop r, r0\npush r, r0\ncallk\nlog 1\n'
    assert simulate(source, "--format", "raw", "--mem", "0x10=00").lines() == ["0 0 exit 06000000"]
    assert "  wrote     0x10: 05\n" in simulate(source, "--mem", "0x10=00").stdout


REGISTERS = [(cpu, name) for cpu in tables.cpus()
             for name in ("pc", "sp", "lr", "arg0", "arg1", "arg2", "arg3", "retval")]


@pytest.mark.parametrize("cpu,name", REGISTERS)
def test_a_register_by_the_name_it_has_everywhere(simulate, cpu, name):
    """What --reg gives, `push r` and `push u` read, on every CPU."""
    order = ORDERS.get(cpu, "little").replace("both", "little")
    source = f'name = "t"\noffset = 0x1000\npush r, {name}\npush u, {name.upper()}\nlog 2\n'
    word = (0x12345678).to_bytes(4, order).hex()
    assert simulate(source, "--cpu", cpu, "--reg", f"{name}=0x12345678", "--format", "raw").lines() == [f"0 0 exit {word}{word}"]


@pytest.mark.parametrize("line,steps", [
    ("push r, lr", 2), ("push r, arg0", 4), ("push 1\npop r, lr", 4), ("push 1\npop r, arg0", 6)])
def test_the_steps_of_a_word_on_the_stack(simulate, dprobes, tmp_path, line, steps):
    """As RPN.md section 4 says, and as `check` counts them; 1 for the exit, 1 for a push."""
    source = f'name = "t"\noffset = 0\nopcode = 0x90\n{line}\n'
    hit, = simulate(source, "--cpu", "ia32", "--reg", "esp=0x100", "--mem", "0x100=0000000000000000", "--format", "json").objects()
    assert (hit["end"], hit["steps"]) == ("exit", steps + 1)
    verdict, = dprobes("check", "--write", "--cpu", "ia32", "--format", "json", "t.dp", cwd=tmp_path).objects()
    assert verdict["steps_max"] == steps + 1


def test_a_word_on_the_stack_that_memory_has(simulate):
    source = 'name = "t"\noffset = 0\npush r, arg0\nlog 1\n'
    words = ["--cpu", "ia32", "--reg", "arg0=5", "--format", "raw"]
    assert simulate(source, *words, "--reg", "esp=0xfffffffc").lines() == ["0 0 exit 05000000"]
    for more in (["--mem", "7=00"], ["--reg", "esp=0xfffffff9"]):
        said = simulate(source, *words, *more, status=1).stderr
        assert "'arg0=5': on ia32 this register is the word at sp + 4, which is in --mem or wraps" in said
    assert "the register has 32 bits" in simulate(source, *words, "--reg", "arg1=0x123456789", status=1).stderr


@pytest.mark.parametrize("count", [64, 65])
def test_as_much_memory_as_there_may_be(simulate, count):
    source = 'name = "t"\noffset = 0\npush 126\npush mem, u8\nlog 1\n'
    words = [word for i in range(count) for word in ("--mem", f"{2 * i}={i:02x}")]
    if count == 64:
        assert simulate(source, *words, "--format", "raw").lines() == ["0 0 exit 3f000000"]
    else:
        assert "memory '128=40' is one range too many; give adjacent ranges as one" in simulate(source, *words, status=1).stderr


@pytest.mark.parametrize("first,steps", [
    ("push 1", 3), ("start: push 1", 3), ("start: push 1\njz start", 5), ("start: push 1\nux", 4), ("start: push 1\nsx start", 5)])
def test_the_step_before_a_first_instruction_that_jumps_name(simulate, first, steps):
    """RPN.md section 7: a nop, where a jump or sx leads to the first instruction, and only there."""
    hit, = simulate(f'name = "t"\noffset = 0\n{first}\njz end\nend: exit\n', "--format", "json").objects()
    assert hit["steps"] == steps


@pytest.mark.parametrize("kind,words,pc", [("w", [], 0), ("rw", [], 0), ("io", [], 0), ("x", [], 0x2000), (None, [], 0x2000),
                                           ("w", ["--reg", "eip=0x1234"], 0x1234)])
def test_pc_at_a_watchpoint(dprobes, tmp_path, kind, words, pc):
    """The watched address is where the data is, not the instruction that reached it."""
    watch = f"watchpoint = {kind}\n" if kind else "opcode = 0x90\n"
    (tmp_path / "t.dp").write_text(f'name = "t"\naddress = 0x2000\n{watch}push r, eip\nlog 1\nexit\n')
    row, = dprobes("simulate", "t.dp", "--cpu", "ia32", "--format", "json", *words, cwd=tmp_path).objects()
    assert row["data"] == pc.to_bytes(4, "little").hex(), row
