# SPDX-License-Identifier: BSD-2-Clause
"""Arguments in registers and on the stack of firmware that the CPU's compiler made. The compiler's own
debug information is the second opinion."""
import json
import re
import struct
import subprocess

import d_cases
import pytest

import cpus
from harness import ppdf
from harness.paths import program

ORDER, REGISTERS, STACK, RESULT = (cpus.column(member) for member in ("d_order", "arguments", "stack_arguments", "results"))
SP = 0x40000
# The words of each argument of the functions.
MANY = (1,) * 10
WIDE = {"mixed": (1, 2, 1, 2, 1, 2, 1), "near_end": (*(1,) * 7, 2, 1), "behind": (*(1,) * 9, 2, 1)}
BY_VALUE = cpus.column("by_value")


def rows_of(cpu, words):
    """(first word, how many) of each argument."""
    rows, first = [], 0
    for count in words:
        split = cpus.of(cpu).split_pairs
        if count == 2 and split != "stack" and not (split and first < len(REGISTERS[cpu])):
            first += first % 2
        rows.append((first, count))
        first += count
    return rows


def word(n):
    """Argument word n: each byte has its own value, with the highest bit in some."""
    return 0x01020304 * (n + 1) + (0x80808080 if n % 3 else 0)


@pytest.fixture(scope="module", params=[(cpu, level) for cpu in sorted(ORDER) for level in ("-O0", "-O2")],
                ids=lambda param: "".join(param))
def board(request, tmp_path_factory):
    cpu, level = request.param
    folder = tmp_path_factory.mktemp(f"arguments_{cpu}")
    entry = ["-Wl,-e,many", "-Wl,--no-warn-mismatch"]
    d_cases.firmware(folder, cpu, ["firmware_arguments.c"], [level, *entry])
    return cpu, level, folder


def shown(dprobes, board, program, registers=(), words=()):
    """What each hit prints, with every argument word in its place; words: the first ones, with other values."""
    cpu, _, folder = board
    (folder / "t.d").write_text(program, encoding="utf-8")
    names = REGISTERS[cpu]
    passed = [*words, *(word(n) for n in range(len(words), len(names) + 16))]
    given = [*zip(names, passed), ("sp", SP), *registers]
    stack = b"\xee" * STACK[cpu] + struct.pack(f"{ORDER[cpu]}16I", *passed[len(names):])
    result = dprobes("simulate", "--elf", f"{cpu}.elf", *(option for name, value in given for option in ("--reg", f"{name}={value}")),
                     "--mem", f"0x{SP:x}={stack.hex()}", "--format", "json", "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    return [json.loads(line)["text"] for line in result.stdout.splitlines()]


def numbers(dprobes, board, function, expressions):
    text, = shown(dprobes, board, "%s {%s }\n" % (function, "".join(f' printf("%d ", {e});' for e in expressions)))
    return [int(number) for number in text.split()]


def value(cpu, row, bits=0, signed=True):
    """The words of a row as a number; bits: of the C type, where that is narrower than the words."""
    first, count = row
    words = [word(first + n) for n in range(count)]
    number = 0
    for part in words if ORDER[cpu] == ">" else reversed(words):
        number = number << 32 | part
    bits = bits or 32 * count
    number &= (1 << bits) - 1
    return number - (1 << bits) if signed and number >> (bits - 1) else number


def test_ten_arguments(dprobes, board):
    """args[] and the names have the parameter's type, narrow ones too; arg0 to arg9 are the words."""
    cpu = board[0]
    types = [(32, True), (8, False), (16, True), (32, False), (8, True), (16, False), (32, True)]
    typed = [value(cpu, row, *kind) for row, kind in zip(rows_of(cpu, MANY), types)]
    assert numbers(dprobes, board, "many:entry", [f"args[{n}]" for n in range(7)]) == typed
    assert numbers(dprobes, board, "many:entry", "abcdefg") == typed
    assert numbers(dprobes, board, "many:entry", ["(long)args[7]", "args[9]", "(long)h", "j"]) == [
        value(cpu, (7, 1)), value(cpu, (9, 1))] * 2
    assert numbers(dprobes, board, "many:entry", [f"arg{n}" for n in range(10)]) == [value(cpu, row) for row in rows_of(cpu, MANY)]


@pytest.mark.parametrize("function", WIDE)
def test_arguments_of_64_bits(dprobes, board, function):
    """A pair begins at an even word, or is in the last register and on the stack; what stands behind one is found."""
    cpu = board[0]
    rows = rows_of(cpu, WIDE[function])
    wanted = [value(cpu, row) for row in rows]
    assert numbers(dprobes, board, f"{function}:entry", [f"args[{n}]" for n in range(len(rows))]) == wanted
    assert numbers(dprobes, board, f"{function}:entry", "abcdefghijk"[:len(rows)]) == wanted
    assert numbers(dprobes, board, f"{function}:entry", [f"arg{n}" for n in range(len(rows))][:10]) == wanted[:10]
    wide = next(n for n, row in enumerate(rows) if row[1] == 2)
    assert numbers(dprobes, board, f"{function}:entry", [f"args[{wide}] - 1 > {wanted[wide] - 2}", f"args[{wide}] >> 40"]) == [
        1, wanted[wide] >> 40]


def test_the_type_says_the_sign(dprobes, board):
    """args[5] of mixed is unsigned, arg5 is not."""
    assert numbers(dprobes, board, "mixed:entry", ["args[5] > 0", "arg5 > 0", "f > 0"]) == [1, 0, 1]


def test_arguments_behind_a_struct(dprobes, board):
    """Its words are among the arguments, or its address is."""
    cpu = board[0]
    first, _, last = BY_VALUE[cpu]
    assert numbers(dprobes, board, "by_value:entry", ["args[0]", "args[2]", "b"]) == [
        value(cpu, first), value(cpu, last), value(cpu, last)]


def test_the_result_has_64_bits(dprobes, board):
    cpu = board[0]
    low, high = RESULT[cpu] if ORDER[cpu] == "<" else reversed(RESULT[cpu])
    text, *_ = shown(dprobes, board, 'wide_result:return { printf("%d %d %d", retval, args[1], arg1 / 2); }',
                     [(low, 0xabcdef01), (high, 0x81234567)])
    number = 0x81234567abcdef01 - (1 << 64)
    assert [int(part) for part in text.split()] == [number, number, -(-number // 2)]


optimised = pytest.mark.parametrize("board", [(cpu, "-O2") for cpu in sorted(ORDER)], indirect=True, ids=sorted(ORDER))


@optimised
def test_floating_point_is_recorded(dprobes, board):
    """From the registers that the debug information names: those of a double are two pieces."""
    cpu = board[0]
    words = [*struct.unpack(ORDER[cpu] + "2I", struct.pack(ORDER[cpu] + "d", -1234.5)),
             *struct.unpack(ORDER[cpu] + "I", struct.pack(ORDER[cpu] + "f", 0.25)), 77]
    text, = shown(dprobes, board, 'floating:entry { printf("%g %g %g %f %d %d", args[0], x, args[1], y, args[2], arg2); }\n',
                  words=words)
    assert text == "-1234.5 -1234.5 0.25 0.250000 77 77"


def test_members_of_a_struct(dprobes, board):
    """In registers, or at the address that is passed."""
    cpu = board[0]
    if cpus.of(cpu).by_value[1][1] == 1:  # an address
        assert numbers(dprobes, board, "by_value:entry", ["(long)&args[1] == arg1", "(long)&t.list[1] == arg1 + 4"]) == [1, 1]
    else:
        assert numbers(dprobes, board, "by_value:entry", [f"args[1].list[{n}]" for n in range(3)] + ["t.list[1]"]) == [
            value(cpu, (n, 1)) for n in (1, 2, 3, 2)]


@pytest.mark.parametrize("board", [("arm", "-O0")], indirect=True, ids=["arm"])
@pytest.mark.parametrize("expression", ["floating:entry { trace(args[0]); }", "floating:entry { trace(arg2); }",
                                        "returned:entry { trace(arg0); }"])
def test_a_place_that_nobody_tells(dprobes, board, expression):
    """The convention has no place for it, and the debug information one behind the prologue."""
    cpu, _, folder = board
    (folder / "t.d").write_text(expression, encoding="utf-8")
    result = dprobes("build", "--elf", f"{cpu}.elf", "-o", "t.ppdf", "t.d", cwd=folder)
    assert result.status == 1 and "the place of this argument of " in result.stderr, result.stderr


@optimised
@pytest.mark.parametrize("function", ["many", *WIDE])
def test_the_compiler_agrees(dprobes, board, function):
    """At the same address, without the word `entry`, names are where the debug information says. The debug information of
    firmware without optimisation is right behind the prologue only."""
    cpu, _, folder = board
    names = {"many": "abcdefgj", "mixed": "abcdefg", "near_end": "abcdefghi", "behind": "abcdefghijk"}[function]
    (folder / "p.d").write_text(f"{function}:entry\n", encoding="utf-8")
    assert dprobes("build", "--elf", f"{cpu}.elf", "-o", "p.ppdf", "p.d", cwd=folder).status == 0
    point, = ppdf.Ppdf((folder / "p.ppdf").read_bytes()).points
    # Of an argument in the last register and on the stack it says where the prologue puts it.
    last = len(REGISTERS[cpu]) - 1
    names = "".join(name for name, row in zip("abcdefghijk", rows_of(cpu, WIDE.get(function, MANY))) if name in names and row != (last, 2))
    passed = numbers(dprobes, board, f"{function}:entry", [f"args[{'abcdefghijk'.index(name)}]" for name in names])
    assert numbers(dprobes, board, f"addr:::0x{point.address:x}", names) == passed


RESTORED = """extern int other(int n);
int kept(int a, int b, int c);
int kept(int a, int b, int c)
{
	int x = other(a), y = other(b), z = other(c), v = other(x + y);
	return other(z) + other(v) * x + y * z + a * b * c + v;
}
int other(int n) { return n * 2; }
int tail(int n);
int tail(int n) { return other(n + 1); }
"""


@pytest.mark.parametrize("cpu", [row.name for row in cpus.rows() if row.restores])
def test_a_return_by_a_routine_of_the_compiler(dprobes, tmp_path, cpu):
    """gcc -Os restores registers in a routine, which returns; a branch to another function is a tail call."""
    (tmp_path / "r.c").write_text(RESTORED, encoding="utf-8")
    gcc, flags = d_cases.COMPILERS[cpu]
    restoring, routine = cpus.of(cpu).restores
    subprocess.run([program(gcc), *d_cases.FLAGS, "-Os", "-fno-ipa-ra", *restoring, "-Wl,-e,kept", "-o", "r.elf", "r.c", *flags, "-lgcc"],
                   cwd=tmp_path, check=True)
    for text, tails in (("kept:return { trace(retval); }", 0), ("tail:return { trace(arg0); }", 1)):
        (tmp_path / "r.d").write_text(text, encoding="utf-8")
        result = dprobes("build", "--elf", "r.elf", "-o", "r.ppdf", "r.d", cwd=tmp_path)
        assert result.status == 0, result.stderr
        point, returned = ppdf.Ppdf((tmp_path / "r.ppdf").read_bytes()).points
        assert returned.phase == 3
        disassembly = subprocess.run([program(gcc.removesuffix("gcc") + "objdump"), "-d", "r.elf"], cwd=tmp_path, check=True,
                                     capture_output=True, text=True).stdout
        line, = re.findall(rf"^ *{point.address:x}:\t.*$", disassembly, re.M)
        assert ("<other>" if tails else f"<{routine}") in line, line


def test_each_instruction_of_a_function(dprobes, tmp_path):
    d_cases.firmware(tmp_path, "arm", ["firmware_arguments.c"], ["-O2", "-Wl,-e,many"])
    (tmp_path / "i.d").write_text("insn::wide_result:* { x++; }", encoding="utf-8")
    result = dprobes("build", "--elf", "arm.elf", "-o", "i.ppdf", "i.d", cwd=tmp_path)
    assert result.status == 0, result.stderr
    found = [point.address for point in ppdf.Ppdf((tmp_path / "i.ppdf").read_bytes()).points]
    disassembly = subprocess.run([program("arm-none-eabi-objdump"), "-d", "--disassemble=wide_result", "arm.elf"], cwd=tmp_path,
                                 check=True, capture_output=True, text=True).stdout
    assert found == [int(at, 16) for at, text in re.findall(r"^ *([0-9a-f]+):\t[0-9a-f]+ +\t(.*)$", disassembly, re.M)
                     if not text.startswith(".word")] and len(found) > 2
