# SPDX-License-Identifier: BSD-2-Clause
"""The watchpoint by the memory protection unit: each instruction that accesses memory, in the place of a command of the demo
kernel's shell. One access is one hit, with its address and the values before and behind it."""
import re
import subprocess

import pytest

from harness import gdbstub, paths
from harness.qemu import parameters

BOARD = "mps2-an386"  # with FP
CFSR, MPU_CTRL, MPU_RNR = 0xe000ed28, 0xe000ed94, 0xe000ed98
BASE = 0x20310000  # memory that nobody uses: a region of 32 bytes, with the watched word behind its first one
WORD, CODE, RESULT = BASE + 4, 0x20300000, BASE + 0x1000
OLD = 0x0a0b0c0d
ONES, TWOS, THREES, FOURS = (n * 0x11111111 for n in range(1, 5))
# name: (instructions, (address of the access, its instruction counted from 0, value behind it) or None: no hit). r4 is BASE,
# r0 to r3 hold ONES to FOURS. The lines before the access are no access to the region.
WRITES = {
    "str": ("str r0, [r4, #4]", (WORD, 0, ONES)),
    "str wide": ("str.w r9, [r4, #4]", (WORD, 0, ONES)),
    "strh": ("strh r0, [r4, #4]", (WORD, 0, 0x0a0b1111)),
    "strb": ("strb r0, [r4, #7]", (WORD + 3, 0, 0x110b0c0d)),
    "register offset": ("movs r5, #1\nstr.w r0, [r4, r5, lsl #2]", (WORD, 1, ONES)),
    "pre-indexed": ("sub r5, r4, #4\nstr r0, [r5, #8]!\nsub r5, r4\nstr r5, [r8]", (WORD, 1, ONES)),
    "post-indexed": ("adds r5, r4, #4\nstr r0, [r5], #-4\nsub r5, r4\nstr r5, [r8]", (WORD, 1, ONES)),
    "unprivileged": ("strt r0, [r4, #4]", (WORD, 0, ONES)),
    "beside": ("str r0, [r4, #8]\nstr r0, [r4]", None),
    "unaligned": ("str r0, [r4, #2]", (BASE + 2, 0, 0x0a0b1111)),
    "unaligned behind": ("str r0, [r4, #7]", (BASE + 7, 0, 0x110b0c0d)),
    "strd": ("strd r0, r1, [r4]", (BASE, 0, TWOS)),
    "stm": ("stm r4, {r0-r3}", (BASE, 0, TWOS)),
    "stmdb": ("add r5, r4, #16\nstmdb r5!, {r0-r3}", (BASE, 1, TWOS)),
    "stm from below the region": ("sub r5, r4, #8\nstm r5, {r0-r3}", (BASE - 8, 1, FOURS)),
    "stm into the region, not the word": ("sub r5, r4, #12\nstm r5, {r0-r3}", None),
    "unaligned at the edge": ("str r0, [r4, #-2]", None),
    "in an IT block": ("cmp r4, r4\nite eq\nstreq r0, [r4, #4]\nstrne r1, [r4, #4]", (WORD, 2, ONES)),
    "skipped": ("cmp r4, r4\nit ne\nstrne r0, [r4, #4]", None),
    "with interrupts masked": ("cpsid i\nstr r0, [r4, #4]\ncpsie i", (WORD, 1, ONES)),
    "read": ("ldr r5, [r4, #4]\nldm r4, {r5-r7}", None),
    "read, unprivileged": ("ldrt r5, [r4, #4]", None),
}
FP_WRITES = {
    "vstr": ("vmov s0, r0\nvstr s0, [r4, #4]", (WORD, 1, ONES)),
    "vstm": ("vmov s0, s1, r0, r1\nvstmia r4, {s0-s1}", (BASE, 1, TWOS)),
}
# No hit changes the word: the value behind the access is the one before it.
READS = {
    "ldr": ("ldr r5, [r4, #4]\nstr r5, [r8]", (WORD, 0, OLD)),
    "ldrsb": ("ldrsb.w r5, [r4, #5]", (WORD + 1, 0, OLD)),
    "ldrd": ("ldrd r5, r6, [r4]", (BASE, 0, OLD)),
    "ldm": ("sub r5, r4, #4\nldm r5, {r0-r3}", (BASE - 4, 1, OLD)),
    "tbb": ("movs r5, #7\ntbb [r4, r5]\n.rept 10\nnop\n.endr", (WORD + 3, 1, OLD)),  # 0x0a: 20 bytes on
    "ldr behind the word": ("ldr r5, [r4, #12]", None),
    "str": ("str r0, [r4, #4]", (WORD, 0, ONES)),
}


class Kernel:
    def __init__(self, board, qemu, dprobes, folder, program="watch"):
        self.board, self.elf, self.folder, self.stub = board, paths.built("boards", board, program, f"{program}.elf"), folder, folder / "gdb"
        self.symbols = {name: int(value, 16) for value, name in re.findall(r"^(\w+) \w (\S+)$", subprocess.run(
            [paths.program("arm-none-eabi-nm"), self.elf], capture_output=True, text=True, check=True).stdout, re.M)}
        self.machine = qemu(board, elf=self.elf, extra=gdbstub.options(self.stub))
        self.machine.com1.expect("boot 1")
        self.machine.com1.expect("demo> ")
        self.run = lambda *args: dprobes(*args, "--port", self.machine.url("com2"), *(() if args[0] in ("list", "remove") else ("--elf", self.elf)))

    def assembled(self, text):
        """Code for Thumb, and the addresses of its instructions: those of `text` begin at label `here`."""
        source, made = self.folder / "code.s", self.folder / "code.o"
        source.write_text(".syntax unified\n.cpu cortex-m4\n.fpu fpv4-sp-d16\n.thumb\n" + text + "\n")
        subprocess.run([paths.program("arm-none-eabi-as"), source, "-o", made], check=True)
        subprocess.run([paths.program("arm-none-eabi-objcopy"), "-O", "binary", "-j", ".text", made, self.folder / "code.bin"], check=True)
        listing = subprocess.run([paths.program("arm-none-eabi-objdump"), "-d", made], capture_output=True, text=True, check=True).stdout
        places = [int(at, 16) for at in re.findall(r"^ +([0-9a-f]+):\t", listing, re.M)]
        here = int(re.search(r"^([0-9a-f]+) <here>", listing, re.M)[1], 16) if "here:" in text else 0
        return (self.folder / "code.bin").read_bytes(), [CODE + at for at in places if at >= here]

    def place(self, text):
        """Let the shell's command `ps` be this code. Returns where its instructions are."""
        code, places = self.assembled(
            f"push {{r4-r11, lr}}\nldr r4, ={BASE}\nldr r8, ={RESULT}\nldr r0, ={ONES}\nldr r1, ={TWOS}\nldr r2, ={THREES}\nldr r3, ={FOURS}\nmov r9, r0\n"
            f"here:\n{text}\nldr r5, ={CFSR}\nldrd r0, r1, [r5]\nstrd r0, r1, [r8, #4]\npop {{r4-r11, pc}}\n.ltorg")
        jump = b"\xdf\xf8\x00\xf0" + (CODE | 1).to_bytes(4, "little")  # ldr.w pc, [pc]
        at = self.symbols["command_ps"] & ~1
        with gdbstub.Stub(self.stub) as stub:
            stub.write(CODE, code)
            stub.write(BASE - 32, OLD.to_bytes(4, "little") * 32)
            stub.write(RESULT, b"\xff" * 12)
            stub.write(at, jump if at % 4 == 0 else b"\x00\xbf" + jump)
        return places

    def execute(self):
        """Type the command. Returns the words at RESULT: one of the code, CFSR, HFSR."""
        self.machine.com1.send("ps\r")
        self.machine.com1.expect("demo> ")
        with gdbstub.Stub(self.stub) as stub:
            return [int.from_bytes(stub.read(RESULT + 4 * n, 4), "little") for n in range(3)]

    def word(self):
        with gdbstub.Stub(self.stub) as stub:
            return int.from_bytes(stub.read(WORD, 4), "little")

    def watch(self, kind):
        path = self.folder / "watch.dp"
        path.write_text(f'name = "watch"\ngvars = 5\naddress = {WORD:#x} : {WORD + 3:#x}\nwatchpoint = {kind}\npush r, pc\npop gv, 0\npush wpaddr\npop gv, 1\n'
                        "push wpold\npop gv, 2\npush wpnew\npop gv, 3\ninc gv, 4\nabort\n")
        return self.run("insert", path)

    def counts(self):
        return self.run("list", "--format", "json").objects()[0]["probes"][0]

    def values(self):
        """Of the last hit: pc, address, before, behind; and the number of hits."""
        return [line["value"] for line in self.run("vars", "--global", "--format", "json").objects()]

    def remove(self):
        assert self.run("remove", "--all").status == 0

    def selftest(self):
        self.machine.com1.send("selftest 1\r")
        self.machine.com1.expect("selftest: crc f7ab821a")


@pytest.fixture(params=parameters(("mps2-an385", BOARD)))
def kernel(request, qemu, dprobes, tmp_path):
    return Kernel(request.param, qemu, dprobes, tmp_path)


def has_fp(kernel):
    return kernel.board == BOARD


@pytest.mark.parametrize("kind", ("w", "rw"))
def test_each_instruction(kernel, kind):
    """Kind `rw` has the hits of kind `w`, too."""
    cases = {**WRITES, **(FP_WRITES if has_fp(kernel) else {})} if kind == "w" else READS
    done = 0  # hits: the agent keeps global variables when a program is gone
    for name, (text, right) in cases.items():
        places = kernel.place(text)
        assert kernel.watch(kind).status == 0
        _, cfsr, hfsr = kernel.execute()
        counts, values = kernel.counts(), kernel.values()
        kernel.remove()
        done += right is not None
        assert values[4] == done, (name, counts, values)
        if right is None:
            assert counts["hits"] == 0, name
        else:
            address, number, behind = right
            assert counts["hits"] == 1, (name, counts, values)
            assert values[:4] == [places[number], address, OLD, behind], (name, [hex(value) for value in values])
            assert kernel.word() == behind, name
        assert (counts["missed"], counts["paused"], cfsr, hfsr) == (0, 0, 0, 0), (name, counts)
        assert not counts["ignored"] or right is None, (name, counts)
    kernel.selftest()


def test_registers_that_an_access_writes(kernel):
    """Base registers of indexed forms, as without a watchpoint; what a load has read."""
    for text, word in (("sub r5, r4, #4\nstr r0, [r5, #8]!\nsubs r5, r4\nstr r5, [r8]", 4), ("adds r5, r4, #4\nldr r6, [r5], #12\nsubs r5, r4\nstr r5, [r8]", 16),
                       ("ldrsh r5, [r4, #6]\nstr r5, [r8]", OLD >> 16), ("ldrb r5, [r4, #5]\nstr r5, [r8]", OLD >> 8 & 0xff),
                       ("sub r5, r4, #4\nldmia r5!, {r0, r1, r2}\nsubs r5, r4\nadds r5, r2\nstr r5, [r8]", OLD + 8)):
        kernel.place(text)
        assert kernel.watch("rw").status == 0
        assert kernel.execute()[0] == word, text
        assert kernel.counts()["hits"] == 1, text
        kernel.remove()


def test_exclusives(kernel):
    """They run in place: the watchpoint pauses until the next poll, and no loop is endless."""
    loop = "1:\nldrex r5, [r6]\nadds r5, #1\nstrex r7, r5, [r6]\ncmp r7, #0\nbne 1b"
    kernel.place(f"adds r6, r4, #4\n{loop}\nstr r5, [r8]")
    assert kernel.watch("w").status == 0
    for times in (1, 2):
        assert kernel.execute()[0] == OLD + times == kernel.word()
        counts = kernel.counts()
        assert (counts["hits"], counts["missed"], counts["paused"]) == (0, times, times), counts
    kernel.place("str r0, [r4, #4]")  # the watchpoint is back
    kernel.execute()
    assert kernel.counts()["hits"] == 1
    kernel.remove()


def test_handlers_and_unprivileged_code(kernel):
    """An interrupt handler writes the word, and so does a thread without privilege; its reads of other memory are as before."""
    isr, _ = kernel.assembled(f"ldr r0, ={WORD}\nldr r1, [r0]\nadds r1, #1\nstr r1, [r0]\nmrs r0, control\nbics r0, #1\nmsr control, r0\nbx lr\n.ltorg")
    kernel.place("mrs r5, control\norr r5, #1\nmsr control, r5\nisb\nldr r6, [r8, #12]\nstr r6, [r8]\nmovs r6, #0\nstr r6, [r4, #12]\n1:\nmrs r5, control\n"
                 "tst r5, #1\nbne 1b\nldr r5, [r4, #4]\nstr r5, [r8]")
    at = kernel.symbols["sensor_isr"] & ~1
    assert at % 4 == 0
    with gdbstub.Stub(kernel.stub) as stub:
        was = stub.read(at, len(isr))
        stub.write(at, isr)
    assert kernel.watch("w").status == 0
    first, _, _ = kernel.execute()
    assert first > OLD
    kernel.machine.com1.send("ps\r")
    kernel.machine.com1.expect("demo> ")
    with gdbstub.Stub(kernel.stub) as stub:
        stub.write(at, was)
        word = int.from_bytes(stub.read(WORD, 4), "little")
    counts, values = kernel.counts(), kernel.values()
    assert values[3] == word and values[3] == values[2] + 1 and at <= values[0] < at + len(isr)
    assert counts["missed"] == 0 and counts["ignored"] >= 2, counts
    kernel.remove()


def test_stack_in_the_region(kernel):
    """The CPU cannot store the frame of the access there: the fault is the firmware's, which ends the task, and tells it."""
    kernel.place("add r6, r4, #12\nmov sp, r6\npush {r0-r2}")
    assert kernel.watch("w").status == 0
    kernel.machine.com1.send("ps\r")
    kernel.machine.com1.expect(r"task shell: memory fault, CFSR 0x00000092 ")  # MSTKERR; DACCVIOL and MMARVALID of the access
    assert kernel.counts()["hits"] == 0
    kernel.remove()


def test_firmware_that_uses_the_unit(kernel):
    """The agent refuses, and changes nothing; the unit is the firmware's again when it is off."""
    for control in (5, 0):
        kernel.place(f"ldr r5, ={MPU_CTRL}\nmovs r6, #{control}\nstr r6, [r5]\ndsb\nldr r6, [r5]\nstr r6, [r8]")
        assert kernel.execute()[0] == control
        inserted = kernel.watch("w")
        if control:
            assert inserted.status == 4 and "the firmware itself uses the unit" in inserted.stderr, inserted.stderr
            kernel.place(f"ldr r5, ={MPU_CTRL}\nldr r6, [r5]\nstr r6, [r8]")
            assert kernel.execute()[0] == control
    assert inserted.status == 0, inserted.stderr
    kernel.place(f"ldr r5, ={MPU_CTRL}\nldr r6, [r5]\nstr r6, [r8]")
    assert kernel.execute()[0] == 5
    kernel.remove()
    assert kernel.execute()[0] == 0


@pytest.mark.parametrize("region", (0, 4, 7))
def test_firmware_that_has_prepared_a_region(kernel, region):
    """The unit is off, and the region would be in force with the agent's: the agent refuses, and the region stays."""
    rasr = 0x11000013  # on, 1024 bytes, never executed, for privileged code
    for attributes in (rasr, 0):
        kernel.place(f"ldr r5, ={MPU_RNR}\nmovs r6, #{region}\nstr r6, [r5]\nldr r6, ={BASE & ~1023}\nstr r6, [r5, #4]\nldr r6, ={attributes}\n"
                     "str r6, [r5, #8]\ndsb\nldr r6, [r5, #8]\nstr r6, [r8]")
        assert kernel.execute()[0] == attributes
        inserted = kernel.watch("w")
        if attributes:
            assert inserted.status == 4 and "the firmware itself uses the unit" in inserted.stderr, inserted.stderr
            kernel.place(f"ldr r5, ={MPU_RNR}\nldr r6, [r5, #8]\nstr r6, [r8]")  # the number stays, too
            assert kernel.execute()[0] == rasr
    assert inserted.status == 0, inserted.stderr
    kernel.remove()


@pytest.mark.parametrize("firmware", (True, False), ids=("by the firmware", "by the agent"))
def test_off_behind_a_warm_restart(kernel, firmware):
    """The unit keeps its registers. The start-up switches it off; without that store the agent does, when it starts."""
    if not firmware:
        with gdbstub.Stub(kernel.stub) as stub:
            assert stub.read(kernel.symbols["_start"] + 6, 2) == b"\x08\x60"  # str r0, [r1]
            stub.write(kernel.symbols["_start"] + 6, b"\x00\xbf")
    assert kernel.watch("w").status == 0
    kernel.machine.com1.send("reboot\r")
    kernel.machine.com1.expect("boot 2")
    kernel.machine.com1.expect("demo> ")
    kernel.place(f"ldr r5, ={MPU_CTRL}\nldr r6, [r5]\nstr r6, [r8]")
    assert kernel.execute()[0] == 0
    info = kernel.run("info", "--format", "json").objects()[0]
    assert info["data_comparators_free"] == 1, info
    assert kernel.watch("w").status == 0
    kernel.remove()
