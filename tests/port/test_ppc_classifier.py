# SPDX-License-Identifier: BSD-2-Clause
"""The PowerPC classifier against another table: what objdump calls a word, and what is right for an
instruction of that name. A million words each night, fewer by day, decided for BookE and
for classic CPUs, the classifier under sanitizers."""
import collections
import random
import re
import subprocess

from harness.paths import built, program

SEED = 20070417
DIALECTS = ("440", "e500", "7450")  # what one does not know, the next may


def names(text):
    return set(text.split())


# With o and . behind them, where such forms exist.
ARITHMETIC = names("add addc adde addme addze divw divwu mullw neg subf subfc subfe subfme subfze")
# With . behind them.
LOGIC = names("and andc cntlzw eqv extsb extsh mulhw mulhwu nand nor or orc slw sraw srawi srw xor rlwimi rlwinm rlwnm")
PLAIN = names("addi addic addic. addis andi. andis. cmp cmpi cmpl cmpli crand crandc creqv crnand crnor cror crorc "
              "crxor mcrf mfcr mfocrf mtcrf mtocrf mulli ori oris subfic xori xoris isync sync msync lwsync hwsync "
              "eieio mbar dcbt dcbtst mfxer mflr mfctr mtxer mtlr mtctr mftbl mftbu mftb")
BRANCHES = names("b ba bl bla bc bca bcl bcla bclr bclrl bcctr bcctrl bdnzlr bdzlr")
ACCESSES = names("lbz lbzu lbzux lbzx lha lhau lhaux lhax lhz lhzu lhzux lhzx lwz lwzu lwzux lwzx "
                 "stb stbu stbux stbx sth sthu sthux sthx stw stwu stwux stwx lmw stmw lwbrx lhbrx stwbrx sthbrx")
FAULTING = names("tw twi lswi lswx stswi stswx dcbz dcbzl dcbst dcbf dcbfl dcbi dcba icbi icbt "
                 "iccci dcread icread dcbtls dcbtstls dcblc icbtls icblc tlbsync tlbre tlbsx tlbsx. isel dlmzb dlmzb. "
                 "mcrxr mfdcr mtdcr mfdcrx mtdcrx mfdcrux mtdcrux mfapidi mfpmr mtpmr mfsr mfsrin mfspr mtspr eciwx ecowx lfs lfsu lfsx lfsux lfd lfdu "
                 "lfdx lfdux stfs stfsu stfsx stfsux stfd stfdu stfdx stfdux stfiwx")
FLOATING = re.compile(r"(f[a-z]+|m[ct]rfs|mffs|mtfs[fb]\w*|mtfsfi|mcrfs)\.?$")
REFUSED = {
    "SYSTEM_CALL": names("sc"),
    "EXCEPTION_RETURN": names("rfi rfci rfdi rfmci"),
    "EXCLUSIVE": names("lwarx lbarx lharx stwcx. stbcx. sthcx."),
    "SYSTEM_REGISTER": names("mtsr mtsrin dccci tlbwe tlbld tlbli tlbie tlbia tlbivax tlbilxlpid tlbilxpid tlbilxva tlbilx"),
    "BREAKPOINT": names("dnh"),
    "COPROCESSOR": names("dst dstt dstst dststt dss dssall lvsl lvsr"),
}
# Cache lock operations of a dialect that no CPU of the port has.
FOREIGN = names("dcbtstlse icbtlse icblce dcbtlse dcblce evlddepx evstddepx")
# Machines that stop until something happens: a context that does not stop is as right.
STOPPING = names("wait waitrsv waitimpl")
# An SPR's own name comes with some.
MOVE_SPR = re.compile(r"m[ft](spr|tb|\w+)$")
TRAPPED_SPRS = {26, 27, 58, 59, 61, 62, 570, 571, 574, 575}
OWN_SPRS = (TRAPPED_SPRS | {25, 48, 63, 624, 625, 626, 627, 628, 629, 630, 633, 634, 944, 946} | set(range(304, 320)) |
            set(range(400, 416)) | set(range(528, 544)) | set(range(560, 576)) | set(range(1008, 1014)))
# By the SPRG that the port keeps for itself: BookE has SPRG7, and a number for reading it in user mode.
PORTS_SPRG = {279: {279, 263}, 275: {275}}


def spr_of(word):
    return word >> 16 & 31 | word >> 6 & 0x3e0


def invalid(name, word):
    """What the manual calls an invalid form of a named instruction."""
    rt, ra, rb = word >> 21 & 31, word >> 16 & 31, word >> 11 & 31
    if re.fullmatch(r"l(b|h|w)(a|z)ux?|lhaux?", name):
        return ra == 0 or ra == rt
    if re.fullmatch(r"st(b|h|w)ux?|l?(st)?f[sd]ux?|stf[sd]ux?", name):
        return ra == 0
    if name == "lmw":
        return ra >= rt
    if name == "lswi":
        loaded = {(rt + n) % 32 for n in range(((rb or 32) + 3) // 4)}
        return ra in loaded
    if name == "lswx":
        return rt in (ra, rb)
    return name.startswith("bcctr") and not rt & 4


def reserved(name, word):
    """Bits that must be 0 on 32-bit CPUs, and that objdump does not look at."""
    rest = {"cmp": 0x00600001, "cmpi": 0x00600000, "cmpl": 0x00600001, "cmpli": 0x00600000, "isel": 1, "mbar": 0x001ff801,
            "mfdcrx": 0xf801, "mtdcrx": 0xf801, "mfdcrux": 0xf801, "mtdcrux": 0xf801, "mfapidi": 0xf801, "dcbf": 0x03800001,
            "mtmsr": 0x001ff801}
    return word & (1 if name.startswith("ds") else rest.get(name, 0))


def expected(name, word, sprg):
    """What may be decided: a set, or None where objdump says nothing."""
    if name is None:
        return None
    base = name.rstrip("+-")
    if reserved(base, word) or base in FOREIGN:
        return {"UNDEFINED"}
    opcode, extended = word >> 26, word >> 1 & 0x3ff
    if opcode == 4 or base in ("bblels", "bbelr") or (opcode == 31 and (base.startswith(("lv", "stv", "dst", "dss", "evl", "evs")))):
        return {"COPROCESSOR"}
    if opcode == 31 and extended in (339, 467):
        number = spr_of(word)
        if number in (1, 8, 9):
            return {"one"}
        refused = number in PORTS_SPRG[sprg] or number in (TRAPPED_SPRS if extended == 339 else OWN_SPRS)
        return {"SYSTEM_REGISTER"} if refused else {"two"}
    if opcode == 31 and extended == 371:
        return {"one"} if spr_of(word) in (268, 269) else {"two"}
    if base in ("tw", "twi") and word >> 21 & 31 == 31:
        return {"BREAKPOINT"}
    if invalid(base, word):
        return {"UNPREDICTABLE"}
    for reason, its in REFUSED.items():
        if base in its:
            return {reason}
    if base in STOPPING:
        return {"nop"}
    if base in ("mfmsr", "mtmsr", "wrtee", "wrteei") or base in BRANCHES:
        return {"emulate"}
    if base in ACCESSES:
        return {"memory"}
    if re.sub(r"o?\.?$", "", base) in ARITHMETIC or base.rstrip(".") in LOGIC or base in PLAIN:
        return {"one"}
    if base in FAULTING or (opcode in (59, 63) and FLOATING.match(base)):
        return {"two"}
    return {"unknown"}


def corpus(count, seed):
    """Words: half anything, half with opcodes that have many forms and fields that are often 0."""
    rng = random.Random(seed)
    words = []
    for n in range(count):
        word = rng.getrandbits(32)
        if n & 1:
            word = (31, 31, 31, 19, 63, 4)[rng.randrange(6)] << 26 | word & 0x03ffffff
            for mask in (0x03e00000, 0x001f0000, 0x0000f800, 0x00000001):
                if rng.getrandbits(1):
                    word &= ~mask
        words.append(word)
    return words


def disassembled(path, dialect):
    """objdump's name of each word, None where it has none."""
    done = subprocess.run([program("powerpc-linux-gnu-objdump"), "-D", "-z", "-b", "binary", "-m", "powerpc:common", "-EB",
                           "-M", f"{dialect},raw", path], capture_output=True, text=True, check=True)
    found = []
    for line in done.stdout.splitlines():
        fields = line.split("\t")
        if len(fields) >= 3 and re.fullmatch(r"\s*[0-9a-f]+:", fields[0]):
            name = fields[2].split()[0]
            found.append(None if name == ".long" else name)
    return found


def decided(path, sprg):
    """What the classifier says about each word of the file, under sanitizers."""
    done = subprocess.run([built("host-asan", "tests", "port", "test_ppc_decode"), path, str(sprg)], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_classifier_agrees_with_objdump(tmp_path, amount):
    words = corpus(amount(100_000, 1_000_000), SEED)
    path = tmp_path / "words"
    path.write_bytes(b"".join(word.to_bytes(4, "big") for word in words))
    listings = [disassembled(path, dialect) for dialect in DIALECTS]
    called = [next((name for name in found if name), None) for found in zip(*listings)]
    for sprg in PORTS_SPRG:
        said = decided(path, sprg)
        assert {len(said), *map(len, listings)} == {len(words)}
        compare(sprg, words, called, said)


def compare(sprg, words, called, said):
    wrong, named = collections.Counter(), collections.Counter()
    for word, name, was in zip(words, called, said):
        right = expected(name, word, sprg)
        if right is None:
            # Nobody's: refused, or stepped so that its fault is seen.
            later = word >> 1 & 1023 in (30, 62, 598)  # wait, sync: encodings that came later
            if was in ("one", "nop") and not later:
                wrong[f"no name: {was}: {word >> 26}/{word >> 1 & 1023} such as {word:08x}"] += 1
        else:
            named[name] += 1
            if was not in right:
                wrong[f"{name}: {was}, not {'/'.join(right)}"] += 1
    print(f"SPRG {sprg}: {len(named)} names in {sum(named.values())} words")
    assert not wrong, "\n".join(f"{count} {what}" for what, count in wrong.most_common(60))
    assert len(named) > 300
