# SPDX-License-Identifier: BSD-2-Clause
"""A second opinion on the decode tables: random words through objdump, class by class.

MEANS says what the port may do with an instruction of that name; it was written from the manual's
instruction list, not from the tables. It allows UNDEFINED where objdump does not look at bits that the
manual wants zero (hints, transfers by register). (test_arm_decode.c sends a million words through the decoder
itself, with sanitizers.)
"""
import collections
import random
import re
import subprocess
import sys

import pytest

from harness.paths import TESTS, program

sys.path.insert(0, str(TESTS / "guests" / "arm"))
import arm_tables  # noqa: E402

WORDS = 200000
STEPS = {"ONE_TRAP", "TWO_TRAP", "NOP", "EMULATE", "REWRITE"}
ALU = "and|eor|sub|rsb|add|adc|sbc|rsc|tst|teq|cmp|cmn|orr|orn|mov|bic|mvn|neg|lsl|lsr|asr|ror|rrx"
# Name of the instruction, without condition and width -> classes it may have
MEANS = [(re.compile(f"({names})(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?$"), set(classes.split())) for names, classes in (
    ("b|bl|cbn?z|it[te]*|tb[bh]", "EMULATE UNPREDICTABLE"),
    ("bx|blx", "EMULATE UNPREDICTABLE"),
    ("bxj", "STATE_CHANGE UNPREDICTABLE"),
    ("svc|hvc|smc", "SYSTEM_CALL"),
    ("bkpt|udf", "BREAKPOINT"),
    ("hlt|setpan", "UNDEFINED"),
    ("cps|cpsi[ed]|setend|srs(ia|ib|da|db)", "MODE_CHANGE"),
    ("rfe(ia|ib|da|db)?|eret", "EXCEPTION_RETURN"),
    ("(ld|st)rex[bhd]?", "EXCLUSIVE UNPREDICTABLE"),
    ("swpb?", "EXCLUSIVE"),
    ("(ldc|stc|mcr|mrc|cdp|mcrr|mrrc)2l?", "COPROCESSOR"),
    (f"({ALU})", "ONE_TRAP EMULATE UNPREDICTABLE UNDEFINED"),
    (f"({ALU})s", "ONE_TRAP EMULATE UNPREDICTABLE EXCEPTION_RETURN"),
    ("movw|movt|addw|subw|adr|bfi|bfc|[su]bfx|clz|[su]xt[bh]|mul|mla|mls|[su]mull|[su]mlal|umaal|ssat|usat",
     "ONE_TRAP TWO_TRAP EMULATE UNPREDICTABLE"),
    ("ldr|ldrt", "TWO_TRAP EMULATE UNPREDICTABLE UNDEFINED"),
    ("ldr(b|h|d|bt|ht)|ldrs[bh]t?", "TWO_TRAP EMULATE UNPREDICTABLE NOP"),
    ("str(b|h|d|t|bt|ht)?", "TWO_TRAP EMULATE UNPREDICTABLE UNDEFINED"),
    ("push|pop", "TWO_TRAP EMULATE UNPREDICTABLE"),
    ("(ld|st)m(ia|ib|da|db)?", "TWO_TRAP EMULATE UNPREDICTABLE BANKED EXCEPTION_RETURN"),
    ("pldw?|pli", "NOP UNPREDICTABLE UNDEFINED"),
    ("nop|yield|wfe|wfi|sevl|dbg", "NOP ONE_TRAP"),
    ("sdiv|udiv|sel|rbit|pkh(bt|tb)|usada?8", "TWO_TRAP ONE_TRAP UNPREDICTABLE"),
)]


def words(isa):
    generator = random.Random(isa)
    if isa == "t16":
        return list(range(0xe800))
    if isa == "a32":
        return [generator.getrandbits(32) for _ in range(WORDS)]
    return [generator.randrange(0xe800, 0x10000) << 16 | generator.getrandbits(16) for _ in range(WORDS)]


def in_memory(word, isa):
    if isa == "a32":
        return word.to_bytes(4, "little")
    halves = (word, 0x46c0) if isa == "t16" else (word >> 16, word & 0xffff)
    return b"".join(half.to_bytes(2, "little") for half in halves)


def disassembled(isa, given, path):
    """(word, mnemonic, the rest of the line)"""
    path.write_bytes(b"".join(in_memory(word, isa) for word in given))
    command = [program("arm-none-eabi-objdump"), "-D", "-z", "-b", "binary", "-m", "armv7"]
    text = subprocess.run([*command, *(["-M", "force-thumb"] if isa != "a32" else []), path], check=True,
                          capture_output=True, text=True).stdout
    for at, name, rest in re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(\S+)(.*)$", text, re.MULTILINE):
        if int(at, 16) % 4 == 0:
            yield given[int(at, 16) // 4], name.split(".")[0], rest


def class_of(word, isa):
    table = arm_tables.table_of(word, isa != "a32", 2 if isa == "t16" else 4, 7)
    row = arm_tables.row_of(word, table, 7)
    if not row.refusal and not arm_tables.registers_allowed(word, row):
        return "UNPREDICTABLE"
    return row.refusal or row.treatment.split("(")[0]


@pytest.mark.seconds(400)
@pytest.mark.parametrize("isa", arm_tables.TABLES)
def test_same_class(isa, tmp_path):
    wrong, named = [], collections.Counter()
    for word, name, rest in disassembled(isa, words(isa), tmp_path / "words.bin"):
        found = class_of(word, isa)
        if "undefined" in name + rest or "UNDEFINED" in name + rest:
            if found in ("ONE_TRAP", "NOP", "EMULATE"):
                wrong.append(f"{word:08x} {name}{rest}: undefined, but {found}")
            continue
        if "UNPREDICTABLE" in rest or "illegal" in rest:
            continue
        for pattern, classes in MEANS:
            if pattern.match(name):
                named[name] += 1
                if found not in classes:
                    wrong.append(f"{word:08x} {name}{rest}: {found}")
                break
    print(f"{isa}: {sum(named.values())} words of {len(named)} names")
    assert len(named) > 50
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:40])
