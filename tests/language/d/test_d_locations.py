# SPDX-License-Identifier: BSD-2-Clause
"""Each operation of DWARF expressions, from an assembled fragment: the value that a D program prints, or the sentence that
refuses the operation. ARM is little-endian, PowerPC big-endian."""
import json
import subprocess

import d_cases
import pytest

from harness.paths import program

# Prefix of the tools, an instruction of 4 bytes, byte order.
CPUS = {"arm": ("arm-none-eabi-", "mov r0, r0", "little"), "ppc": ("powerpc-linux-gnu-", "nop", "big")}
R3, R4, SP, MEMORY, TABLED = 0x2000, 0xfffffff0, 0x3000, 0x2000, 0x2004
WORDS = {0x2000: 0x11223344, 0x2004: 0x80000001, 0x2008: 0x2000, 0x3000: 7, 0x3004: 0x55667788, 0x3008: 21}
CFA = SP + 16


def lit(number):
    return bytes([0x30 + number])


def uleb(number):
    data = bytearray()
    while True:
        data.append(number & 0x7f | (0x80 if number >> 7 else 0))
        number >>= 7
        if not number:
            return bytes(data)


def sleb(number):
    data = bytearray()
    while True:
        byte, number = number & 0x7f, number >> 7
        if (number, byte >> 6) in ((0, 0), (-1, 1)):
            return bytes(data) + bytes([byte])
        data.append(byte | 0x80)


def breg(number, offset=0):
    return bytes([0x70 + number]) + sleb(offset)


VALUE = b"\x9f"  # DW_OP_stack_value
# Base types of the fragment, at these offsets of the unit: the assembler checks them.
INT, UNSIGNED, SHORT, FLOAT, LONG, UCHAR = range(6)
TYPES = [("int", 5, 4), ("unsigned int", 7, 4), ("short", 5, 2), ("float", 4, 4), ("long long", 5, 8), ("unsigned char", 8, 1)]


def values(order):
    """Name: type, expression in parts (bytes, or a type's number), value as %d prints it."""
    def number(value, size):
        return (value % (1 << 8 * size)).to_bytes(size, order)

    def otherwise(no, yes):
        return b"\x28" + number(len(no) + 3, 2) + no + b"\x2f" + number(len(yes), 2) + yes

    r3, r4 = breg(3), breg(4)
    pair = lit(20) + lit(6)
    table = {
        "addr": (UNSIGNED, [b"\x03" + number(MEMORY, 4)], 0x11223344),
        "deref": (UNSIGNED, [r3 + b"\x06" + VALUE], 0x11223344),
        "deref_size_1": (UNSIGNED, [r3 + b"\x94\x01" + VALUE], 0x11 if order == "big" else 0x44),
        "deref_size_2": (UNSIGNED, [r3 + b"\x94\x02" + VALUE], 0x1122 if order == "big" else 0x3344),
        "lit0": (INT, [lit(0) + VALUE], 0), "lit31": (INT, [lit(31) + VALUE], 31),
        "const1u": (INT, [b"\x08\xf0" + VALUE], 240), "const1s": (INT, [b"\x09\xf0" + VALUE], -16),
        "const2u": (INT, [b"\x0a" + number(0xfff0, 2) + VALUE], 0xfff0), "const2s": (INT, [b"\x0b" + number(-16, 2) + VALUE], -16),
        "const4u": (UNSIGNED, [b"\x0c" + number(0xfffffff0, 4) + VALUE], 0xfffffff0),
        "const4s": (INT, [b"\x0d" + number(-70000, 4) + VALUE], -70000),
        "const8u": (UNSIGNED, [b"\x0e" + number(0x1fffffff0, 8) + VALUE], 0xfffffff0),
        "const8s": (INT, [b"\x0f" + number(-3, 8) + VALUE], -3),
        "constu": (INT, [b"\x10" + uleb(300) + VALUE], 300), "consts": (INT, [b"\x11" + sleb(-300) + VALUE], -300),
        "addrx": (UNSIGNED, [b"\xa1\x00"], 0x80000001), "constx": (UNSIGNED, [b"\xa2\x00" + VALUE], TABLED),
        "reg3": (UNSIGNED, [b"\x53"], R3), "regx": (UNSIGNED, [b"\x90\x04"], R4),
        "reg_short": (SHORT, [b"\x54"], -16), "breg3": (UNSIGNED, [breg(3, 4)], 0x80000001),
        "bregx": (UNSIGNED, [b"\x92\x03" + sleb(4)], 0x80000001), "breg_value": (INT, [breg(4, 6) + VALUE], -10),
        "fbreg": (UNSIGNED, [b"\x91" + sleb(-12)], 0x55667788), "call_frame_cfa": (UNSIGNED, [b"\x9c" + VALUE], CFA),
        "plus": (INT, [pair + b"\x22" + VALUE], 26), "minus": (INT, [pair + b"\x1c" + VALUE], 14),
        "minus_below_0": (INT, [lit(1) + lit(3) + b"\x1c" + VALUE], -2), "mul": (INT, [pair + b"\x1e" + VALUE], 120),
        "div": (INT, [b"\x09\xec" + lit(6) + b"\x1b" + VALUE], -3), "mod": (INT, [pair + b"\x1d" + VALUE], 2),
        "mod_unsigned": (INT, [r4 + lit(7) + b"\x1d" + VALUE], R4 % 7), "and": (INT, [pair + b"\x1a" + VALUE], 4),
        "or": (INT, [pair + b"\x21" + VALUE], 22), "xor": (INT, [pair + b"\x27" + VALUE], 18),
        "shl": (INT, [pair + b"\x24" + VALUE], 1280), "shr": (INT, [r4 + lit(28) + b"\x25" + VALUE], 15),
        "shra": (INT, [r4 + lit(2) + b"\x26" + VALUE], -4), "neg": (INT, [lit(5) + b"\x1f" + VALUE], -5),
        "not": (INT, [lit(5) + b"\x20" + VALUE], -6), "abs": (INT, [r4 + b"\x19" + VALUE], 16), "abs_above_0": (INT, [lit(9) + b"\x19" + VALUE], 9),
        "plus_uconst": (UNSIGNED, [r3 + b"\x23\x08" + VALUE], 0x2008), "plus_uconst_of_load": (UNSIGNED, [breg(3, 8) + b"\x06\x23\x04"], 0x80000001),
        "dup": (INT, [lit(5) + b"\x12\x22" + VALUE], 10), "drop": (INT, [pair + b"\x13" + VALUE], 20),
        "over": (INT, [pair + b"\x14\x1c\x22" + VALUE], 6), "pick_0": (INT, [pair + b"\x15\x00\x22\x22" + VALUE], 32),
        "pick_2": (INT, [lit(1) + pair + b"\x15\x02\x22\x22\x22" + VALUE], 28), "swap": (INT, [pair + b"\x16\x1c" + VALUE], -14),
        "rot": (INT, [lit(1) + pair + b"\x17\x1c\x1e" + VALUE], (1 - 20) * 6), "nop": (INT, [b"\x96" + lit(3) + b"\x96" + VALUE], 3),
        "bra_taken": (INT, [lit(7) + lit(1) + b"\x28" + number(2, 2) + lit(2) + b"\x22" + VALUE], 7),
        "bra_not_taken": (INT, [lit(7) + lit(0) + b"\x28" + number(2, 2) + lit(2) + b"\x22" + VALUE], 9),
        "bra_to_a_sum": (INT, [lit(7) + lit(1) + b"\x28" + number(2, 2) + b"\x23\x04\x23\x02" + VALUE], 9),
        "skip": (INT, [lit(7) + lit(0) + otherwise(lit(2) + b"\x22", lit(3) + b"\x22") + VALUE], 9),
        "skip_over": (INT, [lit(7) + lit(1) + otherwise(lit(2) + b"\x22", lit(3) + b"\x22") + VALUE], 10),
        "skip_in_memory": (UNSIGNED, [r3 + lit(0) + otherwise(b"\x23\x04", b"\x23\x08")], 0x80000001),
        "implicit_value": (UNSIGNED, [b"\x9e\x04" + number(0x12345678, 4)], 0x12345678),
        "piece": (LONG, [b"\x53\x93\x04\x54\x93\x04"], R3 << 32 | R4 if order == "big" else (R4 - (1 << 32)) << 32 | R3),
        "piece_of_memory": (LONG, [r3 + b"\x93\x04" + breg(3, 8) + b"\x93\x04"],
                            0x11223344 << 32 | 0x2000 if order == "big" else 0x2000 << 32 | 0x11223344),
        "bit_piece": (UCHAR, [r3 + b"\x9d\x08\x08"], 0x22 if order == "big" else 0x33),
        "convert": (INT, [r4 + b"\xa8", SHORT, VALUE], -16), "convert_unsigned": (INT, [r4 + b"\xa8", UCHAR, VALUE], 240),
        "convert_generic": (INT, [r4 + b"\xa8\x00" + VALUE], -16), "reinterpret": (INT, [r4 + b"\xa9", UNSIGNED, VALUE], -16),
        "regval_type": (INT, [b"\xa5\x04", UCHAR, VALUE], 240), "deref_type": (INT, [breg(3, 4) + b"\xa6\x04", INT, VALUE], 0x80000001 - (1 << 32)),
        "const_type": (INT, [b"\xa4", SHORT, b"\x02" + number(-2, 2) + VALUE], -2),
    }
    def typed(kind, left, code, right=None):
        return [left + b"\xa8", kind, *([right + b"\xa8", kind] if right is not None else []), code + VALUE]

    big, ten = 0xfffffff0, lit(10)
    table |= {
        "div_typed": (UNSIGNED, typed(UNSIGNED, r4, b"\x1b", ten), big // 10), "div_typed_signed": (INT, typed(INT, r4, b"\x1b", ten), -1),
        "div_swapped": (UNSIGNED, typed(UNSIGNED, ten, b"\x16\x1b", r4), big // 10), "div_of_copies": (UNSIGNED, typed(UNSIGNED, r4, b"\x14\x14\x1b\x22\x22", ten), 10 + big + big // 10 & 0xffffffff),
        "div_turned": (UNSIGNED, [ten + r4 + b"\xa8", UNSIGNED, ten + b"\xa8", UNSIGNED, lit(3) + b"\x17\x13\x1b\x13" + VALUE], 10),
        "div_generic_again": (INT, [r4 + b"\xa8", UNSIGNED, b"\xa8\x00" + ten + b"\x1b" + VALUE], -1),
        "div_of_sum": (UNSIGNED, typed(UNSIGNED, r4, b"\x22\x12\x12\x22\x1b", ten), 1), "mod_typed": (INT, typed(INT, r4, b"\x1d", lit(7)), -2),
        "mod_typed_unsigned": (INT, typed(UNSIGNED, r4, b"\x1d", lit(7)), big % 7), "lt_typed": (INT, typed(UNSIGNED, r4, b"\x2d", lit(3)), 0),
        "gt_typed": (INT, typed(UNSIGNED, r4, b"\x2b", lit(3)), 1), "le_typed": (INT, typed(UNSIGNED, r4, b"\x2c", lit(3)), 0),
        "ge_typed": (INT, typed(UNSIGNED, r4, b"\x2a", lit(3)), 1), "eq_typed": (INT, typed(UNSIGNED, r4, b"\x29", r4), 1),
        "plus_narrow": (INT, typed(UCHAR, b"\x08\xfa", b"\x22", ten), 4), "mul_narrow": (INT, typed(SHORT, b"\x0a" + number(300, 2), b"\x1e", b"\x0a" + number(300, 2)), 24464),
        "neg_narrow": (INT, typed(UCHAR, lit(1), b"\x1f"), 255), "not_narrow": (INT, typed(UCHAR, lit(1), b"\x20"), 254),
        "lt_narrow": (INT, typed(SHORT, r4, b"\x2d", lit(3)), 1), "mod_narrow": (INT, typed(SHORT, r4, b"\x1d", lit(7)), -2),
        "shl_narrow": (INT, typed(UCHAR, b"\x08\xff", b"\x24", lit(4)), 240), "shra_narrow": (INT, typed(SHORT, r4, b"\x26", lit(2)), -4),
        "div_const_type": (UNSIGNED, [b"\xa4", UNSIGNED, b"\x04" + number(big, 4) + b"\xa4", UNSIGNED, b"\x04" + number(10, 4) + b"\x1b" + VALUE], big // 10),
        "div_regval_type": (UNSIGNED, [b"\xa5\x04", UNSIGNED, ten + b"\xa8", UNSIGNED, b"\x1b" + VALUE], big // 10),
        "branch_before_types": (INT, [lit(7) + lit(1) + b"\x28" + number(2, 2) + lit(2) + b"\x22\xa8", SHORT, VALUE], 7),
    }
    comparisons = {"eq": (0x29, 0, 0, 1), "ge": (0x2a, 0, 1, 1), "gt": (0x2b, 0, 1, 0), "le": (0x2c, 1, 0, 1), "lt": (0x2d, 1, 0, 0), "ne": (0x2e, 1, 1, 0)}
    for name, (code, less, more, same) in comparisons.items():
        code = bytes([code]) + VALUE
        table[name] = (INT, [breg(4) + lit(3) + code], less)  # signed: -16 and 3
        table[name + "_more"] = (INT, [lit(4) + lit(3) + code], more)
        table[name + "_same"] = (INT, [lit(3) + lit(3) + code], same)
    return table


def refused(order):
    """Name: type, expression, what the refusal says."""
    def number(value, size):
        return (value % (1 << 8 * size)).to_bytes(size, order)

    table = {
        "form_tls_address": (INT, [lit(1) + b"\x9b"], "thread-local storage"), "push_tls_address": (INT, [lit(1) + b"\xe0"], "thread-local storage"),
        "xderef": (INT, [lit(1) + lit(2) + b"\x18"], "an address space"), "xderef_size": (INT, [lit(1) + lit(2) + b"\x95\x02"], "an address space"),
        "call2": (INT, [b"\x98" + number(0, 2)], "another expression (DW_OP_call2)"),
        "call4": (INT, [b"\x99" + number(0, 4)], "another expression (DW_OP_call4)"),
        "call_ref": (INT, [b"\x9a" + number(0, 4)], "another expression (DW_OP_call_ref)"),
        "push_object_address": (INT, [b"\x97"], "an object's address"), "parameter_ref": (INT, [b"\xfa" + number(0, 4) + VALUE], "a parameter of the caller"),
        "variable_value": (INT, [b"\xfd" + number(0, 4) + VALUE], "another variable's value"),
        "unknown": (INT, [b"\xe5"], "damaged"), "loop": (INT, [lit(1) + lit(1) + b"\x28" + number(-4, 2) + VALUE], "needs a loop"),
        "convert_float": (INT, [breg(4) + b"\xa8", FLOAT, VALUE], "floating point"), "convert_long": (INT, [breg(4) + b"\xa8", LONG, VALUE], "numbers of 64 bits"),
        "regval_type_float": (INT, [b"\xa5\x04", FLOAT, VALUE], "floating point"), "const_type_float": (INT, [b"\xa4", FLOAT, b"\x04\0\0\0\0" + VALUE], "floating point"),
        "deref_size_3": (INT, [breg(3) + b"\x94\x03" + VALUE], "loads 3 bytes"), "deref_8": (INT, [breg(3) + b"\x94\x08" + VALUE], "loads 8 bytes"),
        "entry_value": (INT, [b"\xa3\x01\x53" + VALUE], "kept only as its value at the entry of the function; take it at f:entry"),
        "entry_value_of_memory": (INT, [b"\xa3\x02" + breg(3) + VALUE], "memory as it was at the function's entry"),
        "implicit_pointer": (INT, [b"\xa0" + number(0, 4) + b"\0"], "no address"), "nothing_left": (INT, [lit(1) + b"\x13" + VALUE], "damaged"),
        "too_few": (INT, [lit(1) + b"\x22" + VALUE], "damaged"), "empty": (INT, [b""], "optimised out"),
        "pick_deep": (INT, [lit(1) + lit(1) + lit(1) + lit(1) + lit(1) + b"\x15\x04" + b"\x22" * 5 + VALUE], "handlers cannot"),
        "shr_narrow": (INT, [breg(4) + b"\xa8", SHORT, lit(2) + b"\x25" + VALUE], "shifts a number of 16 bits"),
        "shra_narrow_unsigned": (INT, [breg(4) + b"\xa8", UCHAR, lit(2) + b"\x26" + VALUE], "shifts a number of 8 bits"),
        "branch_of_types": (INT, [breg(4) + b"\xa8", UNSIGNED, lit(1) + b"\x28" + number(0, 2) + lit(10) + b"\xa8", UNSIGNED, b"\x1b" + VALUE],
                            "types behind a branch"),
        "const_type_long": (INT, [b"\xa4", LONG, b"\x08" + number(1, 8) + VALUE], "numbers of 64 bits"),
        "half_a_piece": (LONG, [b"\x53\x93\x04"], "bits "), "unseen": (INT, [b"\x90" + uleb(9999)], "the agent does not see"),
    }
    return table


def assembly(cpu, rows):
    """A function with a variable for each row, as DWARF 5."""
    _, instruction, _ = CPUS[cpu]
    lines = ["\t.text", "\t.globl f", "\t.type f, %function", "f:", "\t.cfi_sections .debug_frame", "\t.cfi_startproc",
             f"\t{instruction}", "\t.cfi_def_cfa_offset 16", f"\t{instruction}", f"\t{instruction}", "\t.cfi_endproc", "\t.size f, .-f", "end:"]
    lines += ["\t.section .debug_addr", "\t.4byte 8", "\t.2byte 5", "\t.byte 4, 0", "addresses:", f"\t.4byte {TABLED}"]
    # 1: unit, 2: function, 3: base type, 4: variable
    lines += ["\t.section .debug_abbrev", "\t.uleb128 1, 0x11", "\t.byte 1", "\t.uleb128 0x25, 8, 0x13, 0xb, 3, 8, 0x11, 1, 0x12, 6, 0x73, 0x17, 0, 0",
              "\t.uleb128 2, 0x2e", "\t.byte 1", "\t.uleb128 3, 8, 0x11, 1, 0x12, 6, 0x40, 0x18, 0, 0",
              "\t.uleb128 3, 0x24", "\t.byte 0", "\t.uleb128 3, 8, 0x3e, 0xb, 0xb, 0xb, 0, 0",
              "\t.uleb128 4, 0x34", "\t.byte 0", "\t.uleb128 3, 8, 0x49, 0x13, 2, 0x18, 0, 0", "\t.byte 0"]
    lines += ["\t.section .debug_info", "\t.4byte over - under", "under:", "\t.2byte 5", "\t.byte 1, 4", "\t.4byte .debug_abbrev",
              "\t.uleb128 1", '\t.asciz "test"', "\t.byte 0xc", '\t.asciz "f.c"', "\t.4byte f", "\t.4byte end - f", "\t.4byte addresses"]
    for number, (name, encoding, size) in enumerate(TYPES):
        lines += [f"type{number}:", "\t.uleb128 3", f'\t.asciz "{name}"', f"\t.byte {encoding}, {size}"]
    lines += ["\t.uleb128 2", '\t.asciz "f"', "\t.4byte f", "\t.4byte end - f", "\t.uleb128 1", "\t.byte 0x9c"]
    for at, (name, (kind, parts, _)) in enumerate(rows.items()):
        lines += ["\t.uleb128 4", f'\t.asciz "v_{name}"', f"\t.4byte type{kind} - under + 4", f"\t.uleb128 after{at} - before{at}", f"before{at}:"]
        for part in parts:
            lines += [f"\t.uleb128 type{part} - under + 4" if isinstance(part, int) else "\t.byte " + ", ".join(map(str, part))] if part != b"" else []
        lines.append(f"after{at}:")
    return "\n".join([*lines, "\t.byte 0, 0", "over:"]) + "\n"


@pytest.fixture(scope="module", params=sorted(CPUS))
def fragment(request, tmp_path_factory):
    cpu = request.param
    tools, _, order = CPUS[cpu]
    folder = tmp_path_factory.mktemp(f"d_locations_{cpu}")
    rows = {**values(order), **refused(order)}
    (folder / "f.s").write_text(assembly(cpu, rows), encoding="utf-8")
    subprocess.run([program(f"{tools}as"), "-o", "f.o", "f.s"], cwd=folder, check=True)
    subprocess.run([program(f"{tools}ld"), "-Ttext=0x8000", "-e", "f", "-o", "f.elf", "f.o"], cwd=folder, check=True)
    return cpu, order, folder


def test_values(fragment, dprobes):
    """The value at the second instruction, where the frame has 16 bytes."""
    _, order, folder = fragment
    rows = values(order)
    for some in (list(rows)[:40], list(rows)[40:80], list(rows)[80:]):
        (folder / "t.d").write_text("insn::f:4 { %s }\n" % " ".join(f'printf("%d|", v_{name});' for name in some), encoding="utf-8")
        registers = {"r3": R3, "r4": R4, "sp": SP}
        options = [word for name, value in registers.items() for word in ("--reg", f"{name}={value}")]
        options += [word for address, value in WORDS.items() for word in ("--mem", f"{address:#x}={value.to_bytes(4, order).hex()}")]
        result = dprobes("simulate", "--elf", "f.elf", *options, "--format", "json", "t.d", cwd=folder)
        assert result.status == 0, result.stderr
        found = [int(word) for word in json.loads(result.stdout.splitlines()[0])["text"].split("|")[:-1]]
        assert list(zip(some, found, strict=True)) == [(name, rows[name][2]) for name in some]


def test_refusals(fragment, dprobes):
    """Each operation that no handler evaluates is named at the variable's place in the program."""
    _, order, folder = fragment
    for name, (_, _, sentence) in refused(order).items():
        (folder / "t.d").write_text(f"insn::f:4 {{ trace(v_{name}); }}\n", encoding="utf-8")
        result = dprobes("build", "--elf", "f.elf", "-o", "t.ppdf", "t.d", cwd=folder)
        assert result.status == 1 and result.stderr.startswith("t.d:1:19: error: "), (name, result.stderr)
        assert sentence in result.stderr.splitlines()[0], (name, result.stderr)


def test_at_the_entry(fragment, dprobes):
    """The value of a register at the entry is there while the register has it."""
    _, _, folder = fragment
    (folder / "t.d").write_text('f:entry { printf("%d", v_entry_value); }\n', encoding="utf-8")
    result = dprobes("simulate", "--elf", "f.elf", "--reg", "r3=77", "--format", "json", "t.d", cwd=folder)
    assert result.status == 0 and json.loads(result.stdout.splitlines()[0])["text"] == "77", result.stderr
