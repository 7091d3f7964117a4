# SPDX-License-Identifier: BSD-2-Clause
"""What single PowerPC instructions do, measured: QEMU's bamboo, no agent, the plain instruction stepped
through QEMU's gdb stub (without gdb: it tries to be clever about calls and returns).

    ppc_vectors.py OUTPUT       writes tests/port/vectors/ppc.txt anew
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import gdbstub  # noqa: E402

CODE, DATA, DATA_WORDS = 0x00200000, 0x00300000, 64
HOLE = 0xdead0000  # nothing is mapped there
HANDLERS = 0x00400000  # 256 bytes for each IVOR
IVORS = 16
PROGRAM, DATA_MISS = 6, 13  # their numbers
SRR0, SRR1, DEAR, IVPR, IVOR0 = 26, 27, 61, 63, 400  # special purpose registers
REGISTERS = [f"r{n}" for n in range(32)] + ["cr", "xer", "lr", "ctr", "msr"]
LR, CTR = CODE + 0x100, CODE + 0x200
BASE = {**{f"r{n}": 0x10101010 + n * 0x01000001 for n in range(32)}, "r4": 0x80000001, "r5": 0x7fffffff,
        "r1": DATA + 0x80, "r6": DATA + 0x10, "r7": DATA + 0x40, "r8": 8, "cr": 0x24800012, "xer": 0, "lr": LR, "ctr": 2,
        "msr": 0}


def data_word(n):
    return 0x80818283 + n * 0x01030507 & 0xffffffff


# text, what is different before. Groups: the hazards of stepping first (HAZARDS of test_ppc_vectors.py).
INSTRUCTIONS = [
    # LR is read before it is written; it is written even when the branch is not taken.
    ("blrl", {}), ("blr", {"lr": LR + 3}), ("beqlrl 1", {}), ("bnelrl 1", {}), ("bcl 12,2,.+64", {}), ("bcl 4,2,.+64", {}),
    ("bl .+64", {}), ("bl .-64", {}), ("b .+8", {}), ("bcl 20,31,.+4", {}), ("bctrl", {"ctr": CTR}), ("bctr", {"ctr": CTR + 1}),
    ("beqctrl 1", {"ctr": CTR}), ("bnectrl 1", {"ctr": CTR}), ("bla 0x200300", {}), ("ba 0x200300", {}),
    # CTR is decremented also when the condition fails.
    ("bdnzt 2,.+64", {}), ("bdnzf 2,.+64", {}), ("bdnzt 2,.+64", {"cr": 0x20000000}), ("bdzt 2,.+64", {"ctr": 1}),
    ("bdz .+64", {"ctr": 1}), ("bdz .+64", {"ctr": 2}), ("bdnz .+64", {"ctr": 1}), ("bdnz .-64", {"ctr": 0}),
    ("bdnzl .+64", {"ctr": 1}), ("bdnzlr", {}), ("bdzlr", {}), ("bdnzlrl", {"ctr": 1}), ("bdnztlr 0", {}), ("bdzflr 3", {"ctr": 1}),
    ("beq 7,.+64", {}), ("bso 7,.+64", {}), ("bns 0,.-32", {}), ("blt 2,.+16", {}), ("bge 2,.+16", {}),
    # What shows or changes the interrupt mask.
    ("mfmsr 2", {}), ("mfmsr 2", {"msr": 0x8000}), ("mfmsr 0", {"msr": 0x2000}), ("wrteei 1", {}), ("wrteei 0", {"msr": 0x8000}),
    ("wrtee 4", {"r4": 0x8000}), ("wrtee 4", {"r4": 0x7fff, "msr": 0x8000}), ("mtmsr 4", {"r4": 0xa000}),
    ("mtmsr 4", {"r4": 0, "msr": 0xa000}),
    # Memory, with the base changed.
    ("stwu 1,-32(1)", {}), ("stwux 1,1,4", {"r4": 0xffffffe0}), ("lwzu 2,4(6)", {}), ("lbzu 2,-1(6)", {}), ("lhau 2,6(6)", {}),
    ("stbu 4,1(6)", {}), ("sthu 5,2(7)", {}), ("lwzux 2,6,8", {}), ("lhzux 2,7,8", {}), ("stbux 4,6,8", {}),
    ("lwz 6,0(6)", {}), ("lwz 2,2(6)", {}), ("lwz 0,0(6)", {}), ("lha 2,0(6)", {}), ("lhz 2,2(6)", {}), ("lbz 2,3(6)", {}),
    ("stw 6,0(6)", {}), ("stw 4,1(6)", {}), ("sth 4,2(6)", {}), ("stb 5,0(6)", {}), ("lhax 2,6,8", {}), ("lbzx 2,0,6", {}),
    ("stwx 4,6,8", {}), ("lmw 29,0(6)", {}), ("stmw 29,4(7)", {}), ("lwbrx 2,0,6", {}), ("sthbrx 4,6,8", {}), ("stwbrx 4,0,7", {}),
    ("lswi 14,6,5", {}), ("stswi 14,7,3", {}), ("lswx 14,0,6", {"xer": 6}), ("stswx 14,0,7", {"xer": 7}), ("dcbz 0,7", {}),
    # Arithmetic with carry, overflow, conditions.
    ("add 2,4,5", {}), ("addo. 2,4,4", {}), ("addc 2,4,4", {}), ("adde 2,4,5", {"xer": 0x20000000}), ("adde. 2,4,5", {}),
    ("addme 2,4", {}), ("addzeo. 2,5", {"xer": 0x20000000}), ("addic. 2,5,1", {}), ("addic 2,4,-1", {}), ("addis 2,4,0x7fff", {}),
    ("addi 2,0,-5", {}), ("subf. 2,5,4", {}), ("subfco 2,5,4", {}), ("subfe 2,4,5", {"xer": 0x20000000}), ("subfic 2,5,-1", {}),
    ("subfze. 2,4", {}), ("neg. 2,4", {}), ("nego 2,4", {"r4": 0x80000000}), ("mullw 2,4,5", {}), ("mullwo. 2,4,5", {}),
    ("mulhw 2,4,5", {}), ("mulhwu. 2,4,5", {}), ("mulli 2,5,-3", {}), ("divw 2,4,8", {}), ("divwu. 2,4,8", {}),
    ("and. 2,4,5", {}), ("andi. 2,4,0x8001", {}), ("andis. 2,4,0x8000", {}), ("nor 2,4,5", {}), ("orc. 2,4,5", {}), ("eqv 2,4,5", {}),
    ("oris 2,4,0xffff", {}), ("xori 2,5,0xffff", {}), ("rlwinm. 2,4,4,28,3", {}), ("rlwimi 2,4,8,8,15", {}), ("rlwnm 2,4,8,0,31", {}),
    ("slw 2,4,8", {}), ("slw. 2,4,5", {}), ("srw 2,4,8", {}), ("sraw. 2,4,8", {}), ("srawi 2,4,1", {}), ("srawi. 2,5,31", {}),
    ("cntlzw. 2,8", {}), ("extsb 2,4", {}), ("extsh. 2,5", {}), ("cmpw 3,4,5", {}), ("cmplw 3,4,5", {}), ("cmpwi 7,4,-1", {"xer": 0x80000000}),
    ("cmplwi 0,5,0xffff", {}), ("crxor 6,6,6", {}), ("crandc 1,2,5", {}), ("creqv 31,0,1", {}), ("mcrf 7,1", {}),
    # Registers.
    ("mfcr 2", {}), ("mtcrf 0x81,4", {}), ("mflr 0", {}), ("mtlr 4", {}), ("mtctr 5", {}), ("mfctr 2", {}), ("mtxer 4", {}),
    ("mfxer 2", {"xer": 0xa0000005}), ("mcrxr 2", {"xer": 0xa0000000}), ("tw 4,4,5", {}), ("twi 1,4,5", {"r4": 5}), ("nop", {}),
    ("sync", {}), ("isync", {}), ("eieio", {}),
    # Faults, and traps that trap: where, and what of the instruction was done.
    *((text, {"r9": HOLE}) for text in (
        "lwz 2,0(9)", "lbz 2,4(9)", "lha 2,2(9)", "lwzu 2,8(9)", "lwzx 2,9,8", "lwzux 2,9,8", "lhbrx 2,9,8", "lwz 9,12(9)",
        "stw 4,0(9)", "stb 4,1(9)", "stwu 4,-8(9)", "stwux 4,9,8", "sthbrx 4,9,8", "lmw 29,0(9)", "stmw 29,16(9)")),
    ("stwu 1,-32(1)", {"r1": HOLE + 0x100}),
    ("tw 4,4,4", {}), ("tw 8,4,5", {"r5": 0x80000000}), ("tw 16,4,5", {}), ("twi 4,4,5", {"r4": 5}), ("twi 1,4,5", {"r4": 6}),
]


def assemble(texts):
    with tempfile.TemporaryDirectory() as folder:
        # Branches to absolute places need the place.
        source = "\n".join(f".org 0x{n * 4:x}\n{text}" for n, text in enumerate(texts))
        pathlib.Path(folder, "v.s").write_text(source + "\n", encoding="ascii")
        subprocess.run(["powerpc-linux-gnu-as", "-many", "-o", f"{folder}/v.o", f"{folder}/v.s"], check=True)
        subprocess.run(["powerpc-linux-gnu-objcopy", "-O", "binary", "-j", ".text", f"{folder}/v.o", f"{folder}/v.bin"], check=True)
        image = pathlib.Path(folder, "v.bin").read_bytes()
    return [int.from_bytes(image[n:n + 4], "big") for n in range(0, len(image), 4)]


def before(change):
    return {**BASE, **change}


class Stub(gdbstub.Stub):
    """Registers by QEMU's numbers, and single steps."""

    NUMBERS = {**{f"r{n}": n for n in range(32)}, "pc": 64, "msr": 65, "cr": 66, "lr": 67, "ctr": 68, "xer": 69}

    def __init__(self, path):
        super().__init__(path)
        # Single registers are served to those who have asked for their description.
        self.ask("qSupported:xmlRegisters=powerpc")
        self.ask("qXfer:features:read:target.xml:0,ffb")

    def get(self, name):
        return int(self.ask(f"p{self.NUMBERS[name]:x}"), 16)

    def put(self, name, number):
        assert self.ask(f"P{self.NUMBERS[name]:x}={number:08x}") == "OK"

    def run(self, at, texts):
        """Execute instructions that are put there."""
        self.write(at, b"".join(word.to_bytes(4, "big") for word in assemble(texts)))
        self.put("pc", at)
        for _ in texts:
            self.step()

    def special(self, at, number):
        self.run(at, [f"mfspr 2,{number}"])
        return self.get("r2")

    def catch(self):
        """Exceptions lead to HANDLERS; the upper half of the addresses, which QEMU maps, is mapped no more."""
        self.put("r2", HANDLERS)
        self.run(CODE, [f"mtspr {IVPR},2"])
        for number in range(IVORS):
            self.put("r2", 0x100 * number)
            self.run(CODE, [f"mtspr {IVOR0 + number},2"])
        self.put("r2", 0)
        self.put("r4", 1)
        self.run(CODE, ["tlbwe 2,4,0", "isync"])

    def step(self):
        assert self.ask("s").startswith("T05")


def stepped(stub, word, state):
    data = [data_word(n) for n in range(DATA_WORDS)]
    stub.write(DATA, b"".join(w.to_bytes(4, "big") for w in data))
    stub.write(CODE, word.to_bytes(4, "big"))
    for name, number in state.items():
        stub.put(name, number)
    stub.put("pc", CODE)
    stub.step()
    found = {name: stub.get(name) for name in ["pc", *REGISTERS]}
    fault, within = divmod(found["pc"] - HANDLERS, 0x100)
    special = {}
    if 0 <= fault < IVORS and within == 0:
        special["fault"] = fault
        found["pc"], found["msr"] = stub.special(found["pc"], SRR0), stub.special(found["pc"], SRR1)
        if fault == DATA_MISS:
            special["address"] = stub.special(found["pc"], DEAR)
    after = {"pc": found["pc"], **{name: found[name] for name in REGISTERS if found[name] != state[name]}, **special}
    memory = stub.read(DATA, 4 * DATA_WORDS)
    for n in range(DATA_WORDS):
        now = int.from_bytes(memory[4 * n:4 * n + 4], "big")
        if now != data[n]:
            after[f"m{n}"] = now
    return after


def measured():
    """[(word, text, changes before, changes after)]"""
    words = assemble([text for text, _ in INSTRUCTIONS])
    with tempfile.TemporaryDirectory() as folder:
        line = f"{folder}/gdb"
        machine = subprocess.Popen(["qemu-system-ppc", "-M", "bamboo", "-nic", "none", "-display", "none", "-monitor", "none",
                                    "-serial", "null", "-serial", "null", "-S",
                                    *gdbstub.options(line)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            stub = Stub(line)
            stub.catch()
            return [(word, text, change, stepped(stub, word, before(change)))
                    for word, (text, change) in zip(words, INSTRUCTIONS)]
        finally:
            machine.kill()
            machine.wait()


def line_of(word, text, change, after):
    def listed(values):
        return " ".join(f"{name}={number:08x}" for name, number in values.items())
    return f"{word:08x}; {text}; {listed(change)}; {listed(after)}"


HEADER = f"""# SPDX-License-Identifier: BSD-2-Clause
# What single PowerPC instructions do. Measured, all of them: tests/lib/tools/ppc_vectors.py, QEMU's bamboo without agent,
# the plain instruction stepped through QEMU's gdb stub. test_ppc_vectors.py measures them again, and executes them with probes.
# word; text; registers that differ from the script's BASE before; what differs after (mN: word N of the data)
# fault: number of the IVOR that an exception takes; pc and msr are SRR0 and SRR1 then, address is DEAR.
# The instruction is at {CODE:#x}, 64 words of data are at {DATA:#x}.
"""


def read(path):
    """[(word, text, changes before, changes after)]"""
    found = []
    for line in pathlib.Path(path).read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            word, text, *lists = [part.strip() for part in line.split(";")]
            found.append((int(word, 16), text, *({name: int(number, 16) for name, number in (
                item.split("=") for item in part.split())} for part in lists)))
    return found


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(HEADER + "".join(line_of(*v) + "\n" for v in measured()), encoding="ascii")
