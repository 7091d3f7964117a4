# SPDX-License-Identifier: BSD-2-Clause
"""port/vectors/ppc.txt is what QEMU does, without any of our code: measured again. Each hazard of
stepping that one instruction can show (HAZARDS) has its vectors, and they show what the
manual says. test_ppc_port.py executes them with probes."""
import ppc_vectors
from harness.paths import TESTS, program

LEAST = 80
CODE, DATA, LR, CTR = ppc_vectors.CODE, ppc_vectors.DATA, ppc_vectors.LR, ppc_vectors.CTR
HOLE, NEXT, EE, FP, MSR_ME = ppc_vectors.HOLE, CODE + 4, 0x8000, 0x2000, 0xa000


def ends(**registers):
    """The registers that change, and nothing else."""
    return registers


def to(pc, link=False, ctr=None):
    """A branch that leads there, with its link, with CTR counted down."""
    after = {"pc": pc, **({"lr": NEXT} if link else {}), **({} if ctr is None else {"ctr": ctr})}
    return after


def missed(address):
    return {"pc": CODE, "fault": ppc_vectors.DATA_MISS, "address": address}


# SRR1 tells that the program exception is a trap's.
TRAPPED = {"pc": CODE, "msr": 0x00020000, "fault": ppc_vectors.PROGRAM}

# Hazard -> [(the text of a vector, what is different before it, what the manual says is different after)]
HAZARDS = {
    "blrl, bctrl: the target is read before the link is written": [
        ("blrl", {}, to(LR, link=True)), ("bctrl", {"ctr": CTR}, to(CTR, link=True)),
        ("bnelrl 1", {}, to(LR, link=True)), ("bnectrl 1", {"ctr": CTR}, to(CTR, link=True))],
    "the link is A + 4, also when the branch is not taken": [
        ("beqlrl 1", {}, to(NEXT, link=True)), ("bcl 4,2,.+64", {}, to(NEXT, link=True)),
        ("bcl 12,2,.+64", {}, to(CODE + 64, link=True)), ("beqctrl 1", {"ctr": CTR}, to(NEXT, link=True)),
        ("bdnzl .+64", {"ctr": 1}, to(NEXT, link=True, ctr=0)), ("bdnzlrl", {"ctr": 1}, to(NEXT, link=True, ctr=0))],
    "bcl 20,31,$+4 gives the PC": [("bcl 20,31,.+4", {}, to(NEXT, link=True))],
    "relative and absolute, forth and back": [
        ("bl .+64", {}, to(CODE + 64, link=True)), ("bl .-64", {}, to(CODE - 64, link=True)), ("b .+8", {}, to(CODE + 8)),
        ("ba 0x200300", {}, to(CODE + 0x300)), ("bla 0x200300", {}, to(CODE + 0x300, link=True)),
        ("bdnz .-64", {"ctr": 0}, to(CODE - 64, ctr=0xffffffff)), ("bns 0,.-32", {}, to(CODE - 32))],
    "the low bits of LR and CTR are not part of a target": [
        ("blr", {"lr": LR + 3}, to(LR)), ("bctr", {"ctr": CTR + 1}, to(CTR))],
    "CTR is counted down also when the condition fails": [
        ("bdnzf 2,.+64", {}, to(NEXT, ctr=1)), ("bdzt 2,.+64", {"ctr": 1}, to(CODE + 64, ctr=0)),
        ("bdnztlr 0", {}, to(NEXT, ctr=1)), ("bdzflr 3", {"ctr": 1}, to(LR, ctr=0))],
    "CTR is tested after it is counted": [
        ("bdz .+64", {"ctr": 1}, to(CODE + 64, ctr=0)), ("bdz .+64", {"ctr": 2}, to(NEXT, ctr=1)),
        ("bdnz .+64", {"ctr": 1}, to(NEXT, ctr=0)), ("bdnzlr", {}, to(LR, ctr=1)), ("bdzlr", {}, to(NEXT, ctr=1))],
    "mfmsr shows the true MSR": [
        ("mfmsr 2", {}, ends(pc=NEXT, r2=0)), ("mfmsr 2", {"msr": EE}, ends(pc=NEXT, r2=EE)),
        ("mfmsr 0", {"msr": FP}, ends(pc=NEXT, r0=FP))],
    "what changes the mask changes it": [
        ("wrteei 1", {}, ends(pc=NEXT, msr=EE)), ("wrteei 0", {"msr": EE}, ends(pc=NEXT, msr=0)),
        ("wrtee 4", {"r4": EE}, ends(pc=NEXT, msr=EE)), ("wrtee 4", {"r4": 0x7fff, "msr": EE}, ends(pc=NEXT, msr=0)),
        ("mtmsr 4", {"r4": MSR_ME}, ends(pc=NEXT, msr=MSR_ME)), ("mtmsr 4", {"r4": 0, "msr": MSR_ME}, ends(pc=NEXT, msr=0))],
    "a conditional trap that does not trap": [
        ("tw 4,4,5", {}, ends(pc=NEXT)), ("twi 1,4,5", {"r4": 5}, ends(pc=NEXT))],
    "barriers and hints run": [(text, {}, ends(pc=NEXT)) for text in ("sync", "isync", "eieio", "nop")],
    "LR and CTR are moved, not followed": [
        ("mflr 0", {}, ends(pc=NEXT, r0=LR)), ("mtlr 4", {}, ends(pc=NEXT, lr=0x80000001)),
        ("mtctr 5", {}, ends(pc=NEXT, ctr=0x7fffffff)), ("mfctr 2", {}, ends(pc=NEXT, r2=2))],
    "a store below the stack pointer moves it": [
        ("stwu 1,-32(1)", {}, ends(pc=NEXT, r1=DATA + 0x60, m24=DATA + 0x80)),
        ("stwux 1,1,4", {"r4": 0xffffffe0}, ends(pc=NEXT, r1=DATA + 0x60, m24=DATA + 0x80))],
    "several registers in one instruction": [
        ("lmw 29,0(6)", {}, ends(pc=NEXT, **{f"r{29 + n}": ppc_vectors.data_word(4 + n) for n in range(3)})),
        ("stmw 29,4(7)", {}, ends(pc=NEXT, **{f"m{17 + n}": ppc_vectors.BASE[f"r{29 + n}"] for n in range(3)}))],
    "an access that is not aligned": [
        ("lwz 2,2(6)", {}, ends(pc=NEXT, r2=ppc_vectors.data_word(4) << 16 & 0xffffffff | ppc_vectors.data_word(5) >> 16))],
    "a fault is reported at the instruction, which has done nothing": [
        (text, {"r9": HOLE}, missed(HOLE + offset)) for text, offset in (
            ("lwz 2,0(9)", 0), ("lbz 2,4(9)", 4), ("lha 2,2(9)", 2), ("lwzx 2,9,8", 8), ("lhbrx 2,9,8", 8), ("lwz 9,12(9)", 12),
            ("stw 4,0(9)", 0), ("stb 4,1(9)", 1), ("sthbrx 4,9,8", 8), ("lmw 29,0(9)", 0), ("stmw 29,16(9)", 16))],
    "a fault leaves the base register that would have been updated": [
        *((text, {"r9": HOLE}, missed(HOLE + offset)) for text, offset in (
            ("lwzu 2,8(9)", 8), ("lwzux 2,9,8", 8), ("stwu 4,-8(9)", -8), ("stwux 4,9,8", 8))),
        ("stwu 1,-32(1)", {"r1": HOLE + 0x100}, missed(HOLE + 0xe0))],
    "a conditional trap that traps is reported at the instruction": [
        ("tw 4,4,4", {}, TRAPPED), ("tw 8,4,5", {"r5": 0x80000000}, TRAPPED), ("tw 16,4,5", {}, TRAPPED),
        ("twi 4,4,5", {"r4": 5}, TRAPPED), ("twi 1,4,5", {"r4": 6}, TRAPPED)],
}


def there():
    return ppc_vectors.read(TESTS / "port" / "vectors" / "ppc.txt")


def test_each_hazard_has_a_vector():
    vectors = {(text, tuple(sorted(change.items()))): after for _, text, change, after in there()}
    for hazard, shown in HAZARDS.items():
        for text, change, after in shown:
            key = (text, tuple(sorted(change.items())))
            assert key in vectors, f"{hazard}: {key}"
            assert vectors[key] == after, f"{hazard}: {key}: {vectors[key]}"
    print(f"{len(HAZARDS)} hazards, {sum(map(len, HAZARDS.values()))} vectors of {len(vectors)}")


def test_measured_again():
    for name in ("qemu-system-ppc", "powerpc-linux-gnu-as"):
        program(name)
    again = ppc_vectors.measured()
    assert len(there()) >= LEAST
    assert there() == [(word, text, change, after) for word, text, change, after in again]
