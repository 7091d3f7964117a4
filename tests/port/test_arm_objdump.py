# SPDX-License-Identifier: BSD-2-Clause
"""A second opinion on the ARM decoder: random words of each instruction set, a million each night, and more that
aim at the rows of the tables, every 16-bit one, through objdump.

The decoder answers as it was built with sanitizers (test_arm_decode.c, sample). What is expected was
written from the manual's instruction list, not from the tables: by objdump's name, and by whether pc or sp
is among the operands. Everything that objdump names must be listed here. Instructions later than ARMv7,
those that objdump calls undefined, and registers that must differ and do not are refused, or run from a
slot with two traps, where they end as they would in place.
"""
import collections
import re
import subprocess

import pytest

from harness import tool
from harness.paths import TOP, built, program

PIECE = 250_000
NAMED_MIN = 0.3
ACTIONS = ("ONE_TRAP", "MEMORY", "TWO_TRAP", "REWRITE", "NOP", "EMULATE", None)  # enum dp_arm_action
CONDITIONS = "eq ne cs cc mi pl vs vc hi ls ge lt gt le al".split()
REFUSALS = {name: int(number) for number, name in re.findall(
    r"^DP_REFUSAL\((\d+), (\w+)", (TOP / "protocol" / "refusals.def").read_text(encoding="utf-8"), re.M)}
REASONS = {number: name for name, number in REFUSALS.items()}
AT_ITS_OWN_ADDRESS = {*REFUSALS, "MEMORY", "TWO_TRAP"}


def words(text):
    return text.split()


DATA = words("and eor sub rsb add adc sbc rsc orr bic orn")
MOVES = words("mov mvn lsl lsr asr ror rrx")
COMPARES = words("tst teq cmp cmn")
SHIFTS = ("lsl", "lsr", "asr", "ror")
PARALLEL = [f"{sign}{op}" for sign in words("s q sh u uq uh") for op in words("add16 asx sax sub16 add8 sub8")]

# Name -> class, when neither pc nor sp has a say.
PLAIN = {
    "ONE_TRAP": words("movw movt addw subw adr neg bfi bfc sbfx ubfx mul mla mls umull umlal smull smlal muls mlas "
                      "umulls umlals smulls smlals ssat usat sev clrex dsb dmb isb dfb ssbb pssbb sxtb sxth uxtb uxth"),
    "TWO_TRAP": words("sdiv udiv sel rbit usad8 usada8 smmul smmulr smmla smmlar smmls smmlsr smuad smuadx smusd "
                      "smusdx smlad smladx smlsd smlsdx smlald smlaldx smlsld smlsldx ssat16 usat16") + PARALLEL,
    "MEMORY": words("ldr ldrb ldrh ldrsb ldrsh ldrt ldrbt ldrht ldrsbt ldrsht str strb strh strt strbt strht ldrd strd "
                    "push pop ldm stm ldmia ldmib ldmda ldmdb stmia stmib stmda stmdb"),
    "EMULATE": words("b bl blx bx cbz cbnz tbb tbh"),
    "NOP": words("nop yield wfe wfi dbg sevl pld pldw pli esb csdb bti pac pacbti aut sg"),
    "STATE_CHANGE": ["bxj"],
    "SYSTEM_CALL": words("svc hvc smc"),
    "BREAKPOINT": words("bkpt udf"),
    "MODE_CHANGE": words("cps setend srsia srsib srsda srsdb"),
    "EXCEPTION_RETURN": words("rfeia rfeib rfeda rfedb eret"),
    "EXCLUSIVE": words("ldrex ldrexb ldrexh ldrexd strex strexb strexh strexd swp swpb"),
}
CLASS = {name: row for row, names in PLAIN.items() for name in names}
# May be either: forms of one name differ, or what can be undefined shares a row with them.
EITHER = words("pkhbt pkhtb clz rev rev16 revsh qadd qsub qdadd qdsub umaal sxtab sxtab16 sxtah uxtab uxtab16 uxtah sxtb16 uxtb16 "
               "sxtb sxth uxtb uxth ssat16 usat16") + [
    f"{stem}{x}{y}" for stem in ("smul", "smla", "smlal") for x in "bt" for y in "bt"] + [
        f"{stem}{y}" for stem in ("smulw", "smlaw") for y in "bt"]
# Later than ARMv7.
LATER = re.compile(r"bf(l|x|lx|csel)?|[dw]ls(tp)?|le(tp)?|lctp|lda\w*|stl\w*|crc32\w*|hlt|setpan|tta?t?|blxns|bxns|clrm|cs(el|inc|inv|neg)|"
                   r"cinc|cinv|cneg|cset|csetm|sqrshrl?|uqrshll?|sqshll?|uqshll?|srshrl?|urshrl?|asrl|lsll|lsrl|autg|pacg|bxaut|"
                   r"sqrshr|uqrshl|sqshl|uqshl|srshr|urshr|dcps[123]")


def base_name(name):
    """Without condition and width: movseq -> movs."""
    name = name.split(".")[0].split("<")[0]
    if name not in KNOWN and name[-2:] in CONDITIONS and name[:-2] in KNOWN:
        return name[:-2]
    return name


KNOWN = {*CLASS, *EITHER, *DATA, *MOVES, *COMPARES, *(f"{n}s" for n in (*DATA, *MOVES, "neg")), "mrs", "msr", "cpsie", "cpsid"}


def coprocessor(word, thumb, architecture):
    """The spaces of coprocessors and NEON, where objdump knows many machines by many names."""
    top = word >> 24
    number, pc = word >> 8 & 15, 15 in (word >> 16 & 15, word >> 12 & 15)
    if top in (0xfc, 0xfd, 0xfe):
        return {"COPROCESSOR"}
    if top in ((0xef, 0xff) if thumb else (0xf2, 0xf3)):
        return {"TWO_TRAP"} if architecture >= 7 else {"UNDEFINED"}
    if (top == 0xf9 if thumb else top == 0xf4) and not word >> 20 & 1:
        return {"UNPREDICTABLE" if word >> 16 & 15 == 15 else "TWO_TRAP"} if architecture >= 7 else {"UNDEFINED"}
    if thumb and not 0xec <= top <= 0xee or not thumb and (word >> 28 == 15 or top & 15 not in (12, 13, 14)):
        return None
    if top & 14 == 12 and not word >> 21 & 0xd:  # p, u, w zero: mcrr, mrrc, or nothing
        classes = {"TWO_TRAP", "UNDEFINED"}
    else:
        classes = {"TWO_TRAP"}
    if pc:
        classes |= {"UNPREDICTABLE", "REWRITE"}
    if number >= 14:
        classes |= {"SYSTEM_REGISTER", "NOP"}
    return classes


def data_processing(word, name, operands, thumb, narrow):
    """Classes of and .. mvn, with or without s."""
    pc, sp = re.search(r"\bpc\b", operands), re.search(r"\bsp\b", operands)
    if narrow:
        return {"UNPREDICTABLE", "EMULATE"} if pc else {"ONE_TRAP"}
    if thumb:
        if pc and name in ("add", "sub", "addw", "subw") and word & 0xfb0f8000 in (0xf20f0000,) or not pc and not sp:
            return {"EMULATE", "UNPREDICTABLE"} if pc else {"ONE_TRAP"}
        return {"ONE_TRAP", "UNPREDICTABLE"} if not pc else {"UNPREDICTABLE", "EXCEPTION_RETURN"}
    if name in COMPARES and not word >> 20 & 1:
        return AT_ITS_OWN_ADDRESS  # the miscellaneous instructions lie there
    if name in COMPARES and word >> 12 & 15 or name in MOVES and word >> 16 & 15:  # should be zero
        return {"UNPREDICTABLE"}
    if not pc:
        return {"ONE_TRAP"}
    if not word >> 25 & 1 and word >> 4 & 1:  # shift by register
        return {"UNPREDICTABLE"}
    if name not in COMPARES and word >> 20 & 1 and word >> 12 & 15 == 15:
        return {"EXCEPTION_RETURN"}
    return {"EMULATE"}


def block(word, name, operands, thumb, narrow):
    """ldm, stm, push, pop."""
    if not thumb and word >> 22 & 1 and word >> 25 & 7 == 4:
        return {"EXCEPTION_RETURN", "BANKED"}
    if "{}" in operands:
        return {"UNPREDICTABLE"}
    pc = re.search(r"\bpc\b", operands)
    if thumb and not narrow and (re.search(r"\{.*\bsp\b.*\}", operands) or pc and (name.startswith("st") or re.search(r"\{.*\blr\b", operands))):
        return {"UNPREDICTABLE"}
    if not pc:
        return {"MEMORY"}
    return {"EMULATE"} if not re.match(r"pc\b", operands) else {"UNPREDICTABLE"}


def memory(word, name, operands, thumb):
    """Loads and stores of one register or two."""
    if thumb:
        if re.search(r"\bpc\b", operands):
            hint = re.match(r"ldrs?[bh]t?$", name) and word >> 12 & 15 == 15
            return {"EMULATE", "UNPREDICTABLE", "UNDEFINED", *(("NOP",) if hint else ())}
        return {"MEMORY", "UNPREDICTABLE"} if re.search(r"\bsp\b", operands) else {"MEMORY"}
    extra = word >> 25 & 7 == 0
    if name in ("ldrd", "strd") and (word >> 12 & 1 or word >> 13 & 7 == 7) or extra and not word >> 22 & 1 and word >> 8 & 15:
        return {"UNPREDICTABLE"}
    if re.search(r"\bpc\b", operands):
        return {"EMULATE", "UNPREDICTABLE"}
    return {"MEMORY"}


def expected(word, name, operands, isa, architecture):
    """The classes the instruction may have; None: not listed."""
    thumb, narrow = isa != "a32", isa == "t16"
    special = None if narrow else coprocessor(word, thumb, architecture)
    if special:
        return special
    name = base_name(name)
    stem = name[:-1] if name.endswith("s") and name[:-1] in (*DATA, *MOVES, "neg") else name
    pc, sp = re.search(r"\bpc\b", operands), re.search(r"\bsp\b", operands)
    if name in ("add", "sub", "addw", "subw") and narrow and re.search(r"\bpc\b", operands):
        return {"EMULATE"} if word != 0x44ff else {"UNPREDICTABLE"}
    if narrow and stem == "cmp" and pc:
        return {"UNPREDICTABLE"}
    if narrow and stem in ("bx", "blx"):
        return {"UNPREDICTABLE"} if word & 7 or word == 0x47f8 else {"EMULATE"}
    if narrow and re.fullmatch(r"it[te]{0,3}", name):
        return {"EMULATE"}
    if stem in DATA + MOVES + COMPARES + ["neg", "addw", "subw"]:
        return data_processing(word, stem, operands, thumb, narrow)
    if re.match(r"(ld|st)m|push$|pop$", name):
        if not thumb and name in ("push", "pop") and word >> 25 & 7 == 2:  # of one register
            return memory(word, name, operands, thumb)
        if thumb and not narrow and word >> 25 == 0x7c:
            return memory(word, name, operands, thumb)
        return block(word, name, operands, thumb, narrow)
    if re.match(r"(ldr|str)(s?[bh]|d)?t?$", name):
        return memory(word, name, operands, thumb)
    if name == "mrs":
        return {"EMULATE"} if re.search(r"CPSR", operands) and not pc and not (thumb and sp) else {
            "UNPREDICTABLE", "BANKED", "UNDEFINED"} if pc or thumb and sp else {"TWO_TRAP"} if "SPSR" in operands and "_" not in operands else {"BANKED", "UNDEFINED"}
    if name == "msr":
        if not thumb and not word >> 25 & 1 and word & 0xfff0 != 0xf000:
            return AT_ITS_OWN_ADDRESS | {"ONE_TRAP", "EMULATE"}  # all the miscellaneous instructions, to objdump
        if not thumb and word & 0x0ffff000 == 0x0320f000:
            return {"NOP", "ONE_TRAP", "UNPREDICTABLE"}  # hints
        flags = re.match(r"[AC]PSR_(f|s|fs|nzcvq|g|nzcvqg)\b", operands)
        if not flags and "UNDEF" in operands or re.search(r"_(usr|fiq|irq|svc|abt|und|mon|hyp)|ELR", operands, re.I):
            return {"BANKED"}
        if "SPSR" in operands:
            return {"MODE_CHANGE", "UNPREDICTABLE"}
        # Bits that should be zero: objdump knows registers of another profile there.
        stepped = {"EMULATE" if flags else "REWRITE", "UNPREDICTABLE"}
        return stepped | {"MODE_CHANGE"} if thumb and word & 0x0010f0ff != 0x8000 else stepped
    if name in ("cpsie", "cpsid"):
        if "#" in operands or architecture < 6:
            return {"MODE_CHANGE", "UNPREDICTABLE"}
        return {"EMULATE" if operands.strip() else "UNPREDICTABLE"}
    if name == "nop" and word in (0x46c0, 0xbf00):  # mov r8, r8; the 16-bit no-op
        return {"ONE_TRAP"}
    if re.match("(tst|teq|cmp|cmn)p", name):
        return {"UNPREDICTABLE"} if word >> 20 & 1 else AT_ITS_OWN_ADDRESS
    if name == "setend" and word & 0xdff and not narrow:
        return {"UNDEFINED"}
    if name in ("pld", "pldw", "pli"):
        return {"NOP", "UNPREDICTABLE", *(() if thumb else ("UNDEFINED",))}
    if name in ("mul", "muls") and not thumb and word >> 12 & 15:  # should be zero
        return {"UNPREDICTABLE"}
    if re.match("rev|rbit|clz", name) and thumb and not narrow and word >> 16 & 15 != word & 15:
        return {"TWO_TRAP", "UNPREDICTABLE"}
    if name.startswith("swp") and architecture == 5:
        return {"TWO_TRAP", "UNPREDICTABLE"}
    if name in EITHER:
        classes = {"ONE_TRAP", "TWO_TRAP"}
    elif name in CLASS:
        classes = {CLASS[name]}
    elif LATER.fullmatch(name):
        return AT_ITS_OWN_ADDRESS - {"REWRITE"}
    else:
        return None
    if classes & {"ONE_TRAP", "TWO_TRAP"} and pc and name != "adr":
        return {"UNPREDICTABLE"}
    if name == "adr":
        return {"EMULATE"}
    if pc and classes & {"EMULATE", "NOP"} or thumb and sp and not narrow:
        return classes | {"UNPREDICTABLE"}
    return classes


def decoded(isa, architecture, tried):
    """(word, class) of each, from the decoder."""
    output = subprocess.run([built("host-asan", "tests", "port", "test_arm_decode"), isa, str(architecture), *map(str, tried)],
                            env=tool.environment(), capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        word, action, detail = line.split()
        yield int(word, 16), ACTIONS[int(action)] or REASONS[int(detail)]


def in_memory(word, isa):
    if isa == "a32":
        return word.to_bytes(4, "little")
    halves = (word, 0x46c0) if isa == "t16" else (word >> 16, word & 0xffff)
    return b"".join(half.to_bytes(2, "little") for half in halves)


def disassembled(isa, given, path, machine):
    """(name, operands, remarks) of each word."""
    path.write_bytes(b"".join(in_memory(word, isa) for word, _ in given))
    text = subprocess.run([program("arm-none-eabi-objdump"), "-D", "-z", "-b", "binary", "-m", machine, "-M",
                           "no-force-thumb" if isa == "a32" else "force-thumb", path], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) > 2:
            operands, _, remark = "\t".join(fields[3:]).partition("@")
            found[int(fields[0].strip(" :"), 16)] = fields[2].strip(), operands.strip(), remark
    # A 16-bit word that stands before another one can be taken for the first half of a longer one.
    return [found.get(4 * i, ("", "", "UNDEFINED")) for i in range(len(given))]


@pytest.mark.parametrize("isa,architecture", [("a32", 7), ("t16", 7), ("t32", 7), ("a32", 5)])
def test_same_class(isa, architecture, tmp_path, amount):
    random, aimed = amount(100_000, 1_000_000), amount(100_000, 250_000)
    tried = (random if architecture == 7 else random // 5, aimed)
    given = list(decoded(isa, architecture, tried))
    assert len(given) == (0xe800 if isa == "t16" else sum(tried))
    wrong, unknown, named, classes = [], set(), collections.Counter(), collections.Counter()
    for first in range(0, len(given), PIECE):
        piece = given[first:first + PIECE]
        rows = disassembled(isa, piece, tmp_path / "words", "armv7" if architecture == 7 else "armv5te")
        for (word, found), (name, operands, remark) in zip(piece, rows):
            classes[found] += 1
            if not name or "?" in name or "ndefined" in name + operands or "UNDEFINED" in remark or "<und>" in operands:
                want = AT_ITS_OWN_ADDRESS | {"REWRITE"}
            elif "UNPREDICTABLE" in remark or "unpredictable" in remark or "illegal" in remark + operands:
                continue
            else:
                want = expected(word, name, operands, isa, architecture)
                if want and architecture == 5:
                    want = want | {"UNDEFINED"}  # objdump does not know when an instruction came
                named[base_name(name)] += 1
                if want is None:
                    unknown.add(f"{name} {operands} {word:08x}")
                    continue
            if found not in want:
                wrong.append(f"{word:08x} {name} {operands} {remark}: {found}, expected {sorted(want)}")
    print(f"{isa} ARMv{architecture}: {len(given)} words, {sum(named.values())} of {len(named)} names, classes {dict(classes)}")
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:40])
    assert not unknown, f"{len(unknown)} not listed\n" + "\n".join(sorted(unknown)[:40])
    assert sum(named.values()) > NAMED_MIN * len(given) and len(named) > 50
