# SPDX-License-Identifier: BSD-2-Clause
"""A second opinion on the decoder of the M profile, as test_arm_objdump.py has it for ARM: random words, more that aim at
the rows of the tables, and every 16-bit one, through objdump. What is expected of a name is the same, but for what the
profile has in another form, which stands here."""
import collections
import re
import subprocess

import test_arm_objdump as arm

from harness import tool
from harness.paths import built

CPU = "armv7e-m"
NAMED_MIN = 0.3
# SYSm: DDI 0403E B5.1.1; 10, 11: DDI 0553B D1.2
REGISTERS = {0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20}
PRIMASK, FAULTMASK = 16, 19
NON_SECURE = 128


def status(word):
    """mrs and msr."""
    writes, number = word >> 20 & 0xff == 0x38, word & 0xff
    register = word >> 16 & 15 if writes else word >> 8 & 15
    if register in (13, 15):
        return {"UNPREDICTABLE", "UNDEFINED"}
    if writes and word >> 8 & 3:
        return {"UNDEFINED"}
    if number >= NON_SECURE:
        return {"BANKED"}
    if number not in REGISTERS:
        return {"UNDEFINED"}
    if number == PRIMASK:
        return {"EMULATE"}
    return {"MODE_CHANGE"} if writes and number == FAULTMASK else {"ONE_TRAP"}


def floating_point(word):
    """The spaces of coprocessors."""
    if word >> 8 & 14 != 10:
        return {"COPROCESSOR", "STATE_CHANGE"}
    if 15 in (word >> 16 & 15, word >> 12 & 15):
        return {"MEMORY", "TWO_TRAP", "REWRITE", "COPROCESSOR", "UNPREDICTABLE", "STATE_CHANGE"}
    if word >> 21 == 0xec2 >> 1:  # the state of FP, of ARMv8-M
        return {"MEMORY", "STATE_CHANGE"}
    if word >> 21 == 0xec4 >> 1:  # two registers, or undefined
        return {"MEMORY", "TWO_TRAP"}
    return {"MEMORY"} if word >> 25 & 7 == 6 else {"TWO_TRAP"}


def of_profile(word, isa):
    """The classes of what the M profile has in another form; None: what ARM has."""
    if isa == "t16":
        if word == 0x4778:
            return {"UNPREDICTABLE"}
        if word >> 4 == 0xb65:
            return {"UNDEFINED"}
        if word >> 5 == 0xb66 >> 1:
            return {"EMULATE"} if word & 15 == 2 else {"MODE_CHANGE"}
        return None
    top = word >> 24
    if 0xec <= top <= 0xee:
        return floating_point(word)
    if top == 0xfe:
        return {"TWO_TRAP"} if word >> 9 & 7 == 5 else {"COPROCESSOR"}
    if top in (0xef, 0xff, 0xfc, 0xfd):
        return {"COPROCESSOR"}
    if top == 0xf9 and not word >> 20 & 1 or word & 0xf800d000 == 0xf000c000:  # NEON, blx label
        return {"UNDEFINED"}
    if word & 0xfff0d000 in (0xf3808000, 0xf3908000, 0xf3e08000, 0xf3f08000):
        return status(word) if word & 0xfff0f000 == 0xf3808000 or word & 0xfffff000 == 0xf3ef8000 else arm.AT_ITS_OWN_ADDRESS - {"MEMORY"}
    if word & 0xfff0d000 == 0xf3a08000:  # hints, cps.w
        return {"NOP", "ONE_TRAP", "UNDEFINED", "UNPREDICTABLE", "MODE_CHANGE"}
    return None


def decoded(isa, tried):
    """(word, class) of each, from the decoder."""
    output = subprocess.run([built("host-asan", "tests", "port", "test_cortexm_decode"), *(map(str, tried) if isa == "t32" else [isa])],
                            env=tool.environment(), capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        word, action, detail = line.split()
        yield int(word, 16), arm.ACTIONS[int(action)] or arm.REASONS[int(detail)]


def judged(word, found, name, operands, remark, isa):
    """None: right, or nobody knows. Else what is expected."""
    own = of_profile(word, isa)
    if own is None and (not name or "?" in name or "ndefined" in name + operands or "UNDEFINED" in remark or "<und>" in operands):
        return None if found in arm.AT_ITS_OWN_ADDRESS | {"REWRITE"} else arm.AT_ITS_OWN_ADDRESS
    if re.search("unpredictable|illegal", remark + operands, re.I):
        return None
    want = own or arm.expected(word, name, operands, isa, 7)
    return None if want and found in want else want or {"a row of the lists"}


def check(isa, tried, tmp_path):
    given = list(decoded(isa, tried))
    assert len(given) == (0xe800 if isa == "t16" else sum(tried))
    wrong, named = [], collections.Counter()
    for first in range(0, len(given), arm.PIECE):
        piece = given[first:first + arm.PIECE]
        for (word, found), (name, operands, remark) in zip(piece, arm.disassembled(isa, piece, tmp_path / "words", CPU)):
            named[arm.base_name(name)] += not ("?" in name or "ndefined" in name)
            want = judged(word, found, name, operands, remark, isa)
            if want:
                wrong.append(f"{word:08x} {name} {operands} {remark}: {found}, expected {sorted(want)}")
    print(f"{isa}: {len(given)} words, {sum(named.values())} of {len(named)} names")
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:40])
    assert sum(named.values()) > NAMED_MIN * len(given) and len(named) > 40


def test_same_class_narrow(tmp_path):
    check("t16", (), tmp_path)


def test_same_class_wide(tmp_path, amount):
    check("t32", (amount(40_000, 1_000_000), amount(40_000, 250_000)), tmp_path)
