# SPDX-License-Identifier: BSD-2-Clause
"""rpn_ops.def reads as a table of the language: each row says what the opcode does, and the interpreter follows its order."""
import re

import pytest

import tables
from harness.paths import TOP

OPS = tables.ops()
MASK = 0xffffffff


def sides(op):
    before, after = re.split(r"--", op.effect)
    return before.split(), after.replace("0 or 1", "0").split()


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_a_row_says_what_the_opcode_does(op):
    """As many words before and after as the columns pops and pushes say."""
    assert "--" in op.effect, "the row has no comment with the stack before -- after"
    for words, count in zip(sides(op), (op.pops, op.pushes)):
        if count == "V":
            continue
        assert "..." not in words and len(words) == int(count), op.effect
    assert op.effect != "--" or op.action or op.name == "NOP"


# What the names of an effect are, and the numbers that are tried: a and v on top, b and count below.
VALUES = [(0xfffffff0, 3), (5, 0x80000001), (3, 31)]
EVALUATED = [op for op in OPS if op.operand == "NONE" and op.group == "BASE"
             and re.fullmatch(r"(b a|v|count v) -- [\s\w%/+*&|^~<>(),-]+", op.effect)
             and not re.search(r"\bor\b|\.\.\.|signed", op.effect + (op.action if op.action != "unsigned" else ""))
             and op.flow == "NEXT" and op.pushes in "12"]


def rotated(value, count):
    return (value << count % 32 | value >> (32 - count) % 32) & MASK


def test_what_is_evaluated():
    assert {"ADD", "SUB", "MUL", "NEG", "AND", "OR", "XOR", "SHL", "SHR", "XCHG", "DIV", "ROL", "ROR"} <= {op.name for op in EVALUATED}


@pytest.mark.parametrize("op", EVALUATED, ids=lambda op: op.name)
def test_the_effect_is_what_the_interpreter_does(dprobes, tmp_path, op):
    before, after = sides(op)
    for below, top in VALUES:
        given = {"b": below, "a": top, "count": below % 40, "v": top}
        names = given | {"rol": rotated, "ror": lambda value, count: rotated(value, 32 - count % 32)}
        expected = [eval(word.replace("/", "//"), {}, names) & MASK for word in after]  # pylint: disable=eval-used
        source = "".join(f"push 0x{given[name]:x}\n" for name in before)
        (tmp_path / "t.dp").write_text(f'name = "t"\noffset = 0x1000\nopcode = 0x10000000\n{source}{op.text}\nlog {len(after)}\nexit\n')
        done = dprobes("simulate", "t.dp", "--format", "raw", cwd=tmp_path)
        words = bytes.fromhex(done.stdout.split()[-1])
        found = [int.from_bytes(words[i:i + 4], "little") for i in range(0, len(words), 4)]
        assert found[::-1] == expected, (op.effect, given, done.stdout, done.stderr)


def test_cases_stand_in_table_order():
    """Of the loop in rpn_interp.c; where a build of profile READ lists opcodes again, they stand at the same place."""
    text = (TOP / "agent/vm/rpn_interp.c").read_text(encoding="utf-8")
    first, again = text.split("#if DP_PROFILE == DP_PROFILE_FULL\n\t\tDP_CASE(", 1)
    full, rest = ("DP_CASE(" + again).split("#else", 1)
    read, behind = rest.split("#endif", 1)

    def cases(part):
        return re.findall(r"^\s*DP_CASE\((\w+)\)", part, re.M)

    assert cases(full) == cases(read)
    assert cases(first) + cases(full) + cases(behind) == [op.name for op in OPS]
