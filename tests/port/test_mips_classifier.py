# SPDX-License-Identifier: BSD-2-Clause
"""The MIPS decoder against objdump: words, a million each night, half of them random, half with random operands of
a row of the table. Whatever objdump can name must be treated as this table of names says."""
import collections
import re
import subprocess

import pytest

import cpus
import sources_mk
from harness import tool
from harness.paths import TOP, built, program

NAMED_MIN = 0.5
ONE, MEMORY, TWO, NOP, EMULATE, JUMP, REFUSE = range(7)  # enum dp_mips_action

NAMES = {
    # Arithmetic on general registers, HI and LO: cannot fault.
    ONE: "sll srl ror rotr sra sllv srlv rorv rotrv srav movz movn sync mfhi mthi mflo mtlo mult multu div divu "
         "addu subu negu and or xor nor slt sltu addiu slti sltiu andi ori xori lui madd maddu mul msub msubu clz clo "
         "ext ins wsbh seb seh pref",
    TWO: "movf movt add sub neg addi tge tgeu tlt tltu teq tne tgei tgeiu tlti tltiu teqi tnei synci "
         "cache lwc1 ldc1 swc1 sdc1 tlbr tlbwi tlbwr tlbp rdhwr mfc0 mtc0",
    NOP: "nop ssnop ehb pause wait",
    MEMORY: "lb lbu lh lhu lw lwl lwr sb sh sw swl swr",
    EMULATE: "di ei",
    JUMP: "j jal jr jr.hb jalr jalr.hb beq bne blez bgtz bltz bgez bltzal bgezal beql bnel blezl bgtzl bltzl bgezl "
          "bltzall bgezall bc1f bc1t bc1fl bc1tl",
}
ACTIONS = {name: action for action, names in NAMES.items() for name in names.split()}
REFUSED = {
    "SYSTEM_CALL": "syscall", "BREAKPOINT": "break sdbbp", "EXCEPTION_RETURN": "eret deret eretnc",
    "EXCLUSIVE": "ll sc", "STATE_CHANGE": "jalx", "SYSTEM_REGISTER": "rdpgpr wrpgpr",
    "COPROCESSOR": "lwc2 ldc2 swc2 sdc2 c2 mfc2 mtc2 cfc2 ctc2 mfhc2 mthc2 bc2f bc2t bc2fl bc2tl",
    "UNSUPPORTED": "bposge32 bc1any2f bc1any2t bc1any4f bc1any4t bz.v bnz.v bz.b bz.h bz.w bz.d bnz.b bnz.h bnz.w "
                   "bnz.d",
}
REASONS = {name: reason for reason, names in REFUSED.items() for name in names.split()}
# By register number: what the trap itself overwrites or its entry uses.
COP0 = {"mfc0 $12": EMULATE, "mtc0 $12": EMULATE, "mfc0 $13": EMULATE, "mfc0 $14": "SYSTEM_REGISTER",
        "mtc0 $14": "SYSTEM_REGISTER", "mfc0 $30": "SYSTEM_REGISTER", "mtc0 $30": "SYSTEM_REGISTER",
        "mtc0 $15,1": "SYSTEM_REGISTER"}
# Release 2's; objdump takes them for SmartMIPS's on a release 1, which the port does not know.
LATER = {"ror", "rorv"}


def expected(name, operands):
    """An action, a name of a refusal, or None: nothing is claimed."""
    registers = operands.split(",")
    if name in ("mfc0", "mtc0"):
        return COP0.get(f"{name} {','.join(registers[1:])}", TWO)
    if re.search(r"\$ac[1-3]|\$w\d", operands):
        return REFUSE  # DSP, MSA
    if name == "sll" and registers[0] == "zero":
        return NOP if registers[1] == "zero" else ONE
    if name == "jalr" or name == "jalr.hb":
        same = len(registers) == 2 and registers[0] == registers[1] or registers == ["ra"]
        return "UNPREDICTABLE" if same else JUMP
    if name in ("bltzal", "bgezal", "bltzall", "bgezall") and registers[0] == "ra":
        return "UNPREDICTABLE"
    if name in REASONS:
        return REASONS[name]
    return ACTIONS.get(name)


@pytest.mark.parametrize("release", [1, 2])
def test_random_words(tmp_path, release, amount):
    words = amount(100_000, 1_000_000)
    objdump = program(sources_mk.read(str(TOP / "boards" / cpus.of_file(__file__).board))["CROSS"] + "objdump")
    reasons = {int(number): name for number, name in re.findall(
        r"^DP_REFUSAL\((\d+), (\w+)", (TOP / "protocol" / "refusals.def").read_text(encoding="utf-8"), re.M)}
    sample = subprocess.run([built("host-asan", "tests", "port", "test_mips_decode"), "sample", str(words), str(release)],
                            env=tool.environment(), capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(sample) == words
    image = tmp_path / "words"
    image.write_bytes(b"".join(int(line[:8], 16).to_bytes(4, "little") for line in sample))
    listing = subprocess.run([objdump, "-D", "-z", "-b", "binary", "-m", "mips:isa32r2" if release == 2 else "mips:isa32", "-EL", "-M",
                              "no-aliases,cp0-names=numeric", image], capture_output=True, text=True, check=True)
    named, wrong, actions = 0, collections.Counter(), collections.Counter()
    lines = (line.split("\t") for line in listing.stdout.splitlines())
    rows = [fields[2:] for fields in lines if len(fields) > 2]
    assert len(rows) == words
    for line, text in zip(sample, rows):
        word, action, detail = line.split()
        name = text[0].strip()
        want = expected(name, text[1].strip() if len(text) > 1 else "")
        if release == 1 and name in LATER:
            want = REFUSE
        action = int(action)
        if want is None and name != ".word" and int(word, 16) >> 26 not in (0x11, 0x13):
            want = REFUSE  # extensions: not known, so not run
        if want is None:
            continue
        named += 1
        actions[action] += 1
        found = action if want == REFUSE or action != REFUSE else reasons[int(detail)]
        if found != want:
            wrong[f"{name} {text[1:]} {word}: {found}, expected {want}"] += 1
    print(f"{named} of {words} words named; actions {dict(sorted(actions.items()))}; wrong {sum(wrong.values())}")
    assert not wrong, "\n".join(list(wrong)[:40])
    assert named >= NAMED_MIN * words and len(actions) == 7
