# SPDX-License-Identifier: BSD-2-Clause
"""The released agent on Cortex-M boards whose text lies in flash, by the whole tool: tests/guests/integration/cortexm.

microbit is a Cortex-M0 with 16 KiB of RAM and flash that the firmware writes (text_write of its board). netduinoplus2 is a
Cortex-M4 whose flash nobody writes: there functions in RAM have probes. The firmware compares its results with a computation
without probes, and ends QEMU at a difference; its timer interrupts at 4 kHz.
"""
import re
import subprocess

import pytest

import agent_release
from harness import gdbstub, process
from harness.own_firmware import OwnFirmware, program_of, symbols
from harness.paths import TOP, built, program

GUEST = TOP / "tests/guests/integration/cortexm"
SHARED = TOP / "boards/cpu/cortexm"
CROSS = "arm-none-eabi-"
FLAGS = ["-mthumb", "-Os", "-g", "-ffunction-sections", "-fdata-sections", "-Wall", "-Wextra", "-Werror"]
# An agent with D in 13 KiB of RAM.
IN_16_KIB = ["-DDP_MAX_PROBES=16", "-DDP_MAX_PROGRAMS=4", "-DDP_ARENA_BYTES=1280", "-DDP_STACK_WORDS=32", "-DDP_LOG_MAX=64",
             "-DDP_GVARS=4", "-DDP_RING_BYTES=1024", "-DDP_RX_LINES=2", "-DDP_CONSOLE_BYTES=64", "-DDP_LISTED=1", "-DDP_TIMERS=1",
             *(f"-DDP_WITH_{name}=0" for name in ("TIMERS", "STORM", "SHARED_LINE", "ACCESS", "HISTORY", "HALT"))]
# One that stops the firmware, in 1 KiB more.
FULL_IN_16_KIB = [*(knob for knob in IN_16_KIB if knob != "-DDP_WITH_HALT=0"), "-DDP_PROFILE=DP_PROFILE_FULL"]
# Flash, RAM, words of the vector table, the agent's knobs.
BOARDS = {
    "microbit": ("cortex-m0", 0, 0x20000000, 0x4000, 48, IN_16_KIB),
    "microbit-full": ("cortex-m0", 0, 0x20000000, 0x4000, 48, FULL_IN_16_KIB),
    "netduinoplus2": ("cortex-m4", 0x08000000, 0x20000000, 0x20000, 112, []),
}
CLOCK = ("-icount", "shift=3,sleep=off")
PROBED = ("work", "mix", "interrupt")
AT_ONCE = 15  # of 16 probes
VTOR = 0xe000ed08
BAD_POINTERS = 1000
# Counts faults, and loads that were none.
BAD = """name = "bad"
modtype = kernel
major = 1
gvars = 2
offset = {function}
minor = 1
	sx bad
	push 0xa0000000
	push mem, u32
	inc gv, 1
	abort
bad:	inc gv, 0
	abort
"""
STACK, PC, XPSR, THUMB = 13, 15, 25, 0x01000000  # gdb's numbers


def machine(board):
    """The board of QEMU."""
    return board.removesuffix("-full")


def guide():
    """The handler of a firmware with its own vectors, as the guide has it."""
    text = (TOP / "agent/guide/cortexm.md").read_text(encoding="utf-8")
    return re.search(r"^```c cortexm\n(.*?)^```$", text, re.M | re.S)[1]


def build(board, own_vectors, folder):
    """The firmware with the agent as `scons release` makes it."""
    cpu, flash, ram, ram_bytes, vectors, knobs = BOARDS[board]
    gcc, release = program(CROSS + "gcc"), built("release") / "cortexm"
    (folder / "own_vectors.c").write_text('#include "dprobes_hit.h"\n' + guide(), encoding="ascii")
    flags = [f"-mcpu={cpu}", *FLAGS, *knobs, f"-DDP_CORTEXM_VECTORS={vectors}", f"-DVECTORS={vectors}", f'-DBOARD_NAME="{board}"',
             *(["-DOWN_VECTORS"] if own_vectors else []), f"-I{GUEST}", f"-I{TOP}", f"-I{SHARED}", f"-I{release}"]
    own = [GUEST / "start.S", GUEST / "firmware.c", GUEST / f"{machine(board)}.c", SHARED / "nvic.c", *([folder / "own_vectors.c"] if own_vectors else [])]
    agent = [*agent_release.flags("cortexm"), *agent_release.flags("cortexm", "FLAGS_GCC")]
    subprocess.run([gcc, *flags, "-std=gnu11", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-mgeneral-regs-only", "-c", *own],
                   check=True, cwd=folder)
    subprocess.run([gcc, *flags, "-std=gnu11", *agent, "-c", release / "dprobes_agent.c", release / "dprobes_entry.S"], check=True, cwd=folder)
    elf = folder / f"{board}.elf"
    subprocess.run([gcc, f"-mcpu={cpu}", "-mthumb", "-nostdlib", "-static", "-Wl,--build-id=sha1", "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments",
                    *(f"-Wl,--defsym={name}={value:#x}" for name, value in (("FLASH", flash), ("RAM", ram), ("RAM_BYTES", ram_bytes))),
                    "-T", GUEST / "firmware.ld", *sorted(folder.glob("*.o")), "-lgcc", "-o", elf], check=True)
    return elf


@pytest.fixture(scope="module")
def firmware(tmp_path_factory):
    """ELF of a board and a kind of vectors, built once."""
    made = {}

    def of(board, own_vectors):
        if (board, own_vectors) not in made:
            made[board, own_vectors] = build(board, own_vectors, tmp_path_factory.mktemp(board))
        return made[board, own_vectors]
    return of


class Board(OwnFirmware):
    def __init__(self, name, elf, dprobes, folder, extra=()):
        self.stub, self.symbols = folder / "gdb", symbols(CROSS, elf)
        super().__init__(("qemu-system-arm", "-M", machine(name), *CLOCK, "-monitor", "none", "-semihosting"), elf, dprobes, folder,
                         (*gdbstub.options(self.stub), *extra))

    def insert(self, points):
        path = self.folder / "all.dp"
        path.write_text(program_of(points), encoding="ascii")
        return self.run("insert", path)

    def flash(self):
        """The bytes of the text as a debugger sees them."""
        start, end = self.symbols["__text_start"], self.symbols["__text_end"]
        with gdbstub.Stub(self.stub) as stub:
            return stub.read(start, end - start, 1024)

    def word(self, name):
        with gdbstub.Stub(self.stub) as stub:
            return int.from_bytes(stub.read(self.symbols[name], 4), "little")

    def text_writes(self):
        return self("info", "--format", "json").objects()[0]["text_writes"]

    def is_whole(self):
        assert "the same as in" in self("info", "--verify-text").stdout


@pytest.fixture
def board(request, firmware, dprobes, tmp_path):
    name, own_vectors = request.param
    made = Board(name, firmware(name, own_vectors), dprobes, tmp_path)
    yield made
    made.close()


OWN, COPIED, UNWRITTEN, FULL = ("microbit", True), ("microbit", False), ("netduinoplus2", False), ("microbit-full", True)
M0 = pytest.mark.parametrize("board", [pytest.param(OWN, id="own"), pytest.param(COPIED, id="copied", marks=pytest.mark.nightly)], indirect=True)
M0_OWN = pytest.mark.parametrize("board", [pytest.param(OWN, id="own")], indirect=True)
M0_FULL = pytest.mark.parametrize("board", [pytest.param(FULL, id="full")], indirect=True)
M4 = pytest.mark.parametrize("board", [pytest.param(UNWRITTEN, id="M4", marks=pytest.mark.nightly)], indirect=True)


# --- a Cortex-M0, flash written by the board ---

@M0
def test_programs_in_flash(board):
    """D in 16 KiB of RAM, with probes in flash and in RAM: arguments, callers, returns, an interrupt's handler."""
    lines = board("-n", "mix:entry /arg0 % 32 == 9/ { printf(\"%d %d\\n\", arg0, caller == 0); }", "--count", "10", "-q").stdout.split("\n")
    found = [line.split() for line in lines if line]
    assert len(found) == 10 and all(int(a) % 32 == 9 and b == "0" for a, b in found)
    text = board("-n", """int n; mix:entry { @entered = count(); } mix:return { @left = count(); } ram_mix:entry { @ram = count(); }
                       interrupt:entry { n++; } interrupt:entry /n > 100/ { exit(0); }""").stdout
    entered, left, ram = (int(count) for count in re.findall(r"^ +(\d+)$", text, re.M))
    assert entered > 100 and 0 <= entered - left <= 1 and ram > 10, text
    board.is_whole()


@M0_OWN
def test_the_only_line(board):
    """The board has one UART: records go there, and records for another line are refused with the reason."""
    info, = board("info", "--format", "json").objects()
    assert (info["lines"], info["line"], info["log_target"]) == ("com1", "com1", "com1")
    run = board.run("log", "--log-target", "com2", "--timeout", "0.1")
    assert run.status == 4 and "error: the agent was built without a second line" in run.stderr, run.stderr
    info, = board("info", "--format", "json").objects()
    assert info["log_target"] == "com1"


# proves: A3.16
@M0
def test_wear(board, amount):
    """Insertions and removals leave the text as it was, and each write of a page is counted and told."""
    before, erases, told = board.flash(), board.word("erases"), board.text_writes()
    for turn in range(amount(6, 200)):
        inserted = board.insert([("mix", "work", "interrupt")[turn % 3]])
        assert inserted.status == 0, inserted.stderr
        board("remove", "all")
    written = board.word("erases") - erases
    assert board.flash() == before and written == 2 * (turn + 1)
    assert written <= board.text_writes() - told
    assert f"; {board.text_writes()} write(s) of text by the board" in board("info").stdout
    board.is_whole()


# proves: A3.19
@M0_OWN
def test_reset_in_a_write(board):
    """A reset between the erase of a page and its write: start-up writes the page, and the agent takes the trap out again."""
    before, page = board.flash(), board.symbols["mix"] & ~1023
    path = board.folder / "all.dp"
    path.write_text(program_of(["mix"]), encoding="ascii")
    inserting = []
    with gdbstub.Stub(board.stub) as stub:
        stub.when_at(board.symbols["page_is_erased"], lambda: inserting.append(board.start("insert", path)))
        assert stub.read(page, 1024, 1024) == b"\xff" * 1024
        stub.write(VTOR, bytes(4))
        for number, value in ((STACK, board.symbols["__stack_end"]), (PC, board.symbols["_start"]), (XPSR, THUMB)):
            stub.put(number, value, "little")
    inserting[0].wait()
    board("remove", "--all")
    assert board.flash() == before
    board.is_whole()
    assert board.insert(["mix"]).status == 0
    board.wait_for_hits("all", 50, 1)


def registers(board, *words):
    return {name: int(value, 16) for name, value in re.findall(r"^(\w+) +0x([0-9a-f]+)", board("regs", *words).stdout, re.M)}


# proves: A3.61
@M0_FULL
def test_stops_in_flash(board):
    """The trap of `dprobes stop` is one write of flash, the original another one. Registers are read and written, and steps
    come to the next instructions."""
    before, erases = board.flash(), board.word("erases")
    stopped = board("stop", "--for", "300s").stdout
    assert re.search(r"^stopped at 0x\w+ main\+", stopped, re.M), stopped
    assert board.word("erases") - erases == 2 and board.flash() == before
    there = registers(board)
    assert board.symbols["main"] & ~1 < there["pc"] < board.symbols["main"] + 1024 and there["sp"] <= board.symbols["__stack_end"]
    board("regs", "r12=0x1234")
    assert registers(board, "r12") == {"r12": 0x1234}
    board("regs", f"r12={there['r12']:#x}")
    board("resume")
    path, at = board.folder / "stop.dp", board.symbols["mix"] & ~1
    path.write_text("name = stop\noffset = mix\nexit 1\n", encoding="ascii")
    board("insert", "--write", path)

    def stopped_there():
        """The session of `stop` may write, so exit 1 stops the board. HALT may be first, elsewhere."""
        board("stop", "--for", "300s")
        there = registers(board)["pc"] == at
        if not there:
            board("resume")
        return there
    process.eventually(stopped_there, "the stop by exit 1")
    board("step", "3")
    assert at < registers(board)["pc"] < at + 64
    board("remove", "--all")
    board("resume")
    assert board.flash() == before
    board.is_whole()


@pytest.mark.parametrize("board, function", [
    pytest.param(OWN, "mix", id="own"), pytest.param(COPIED, "mix", id="copied", marks=pytest.mark.nightly),
    pytest.param(UNWRITTEN, "ram_mix", id="M4", marks=pytest.mark.nightly)], indirect=["board"])
def test_bad_pointers(board, function):
    """A handler reads where a load is a fault; on a Cortex-M0 each hit is a HardFault: no lockup, and the firmware runs on."""
    path = board.folder / "bad.dp"
    path.write_text(BAD.format(function=function), encoding="ascii")
    board("insert", path)
    board.wait_for_hits("bad", BAD_POINTERS, 1)
    caught, others, *_ = (line["value"] for line in board("vars", "--global", "--format", "json").objects())
    assert caught > BAD_POINTERS and others == 0
    board("remove", "bad")
    board.is_whole()


@M0
def test_every_instruction(board, amount):
    """A probe on each instruction of the work and of an interrupt's handler: those are hit, and none changes a result."""
    found, never = board.probe_each(CROSS, PROBED, AT_ONCE, 20, 0.7, groups=amount(2, None))
    assert len(found) > 60
    assert never < 0.15 * len(found), never
    board.is_whole()


# --- a Cortex-M4, flash that nobody writes ---

# proves: A3.17
@M4
def test_flash_that_nobody_writes(board):
    """A probe in flash is refused with a sentence, the program of one that could be armed too; a function in RAM is probed."""
    before = board.flash()
    for points in (["mix"], ["ram_mix", "work"]):
        refused = board.insert(points)
        assert refused.status == 4 and "the agent cannot write the address: flash, ROM or a protected page; put the function into RAM" in refused.stderr, refused.stderr
        assert board("list", "--format", "json").objects() == []
    assert board.flash() == before and board.text_writes() == 0
    lines = board("-n", 'ram_mix:entry { printf("%d %d\\n", arg0, arg1); }', "--count", "50", "-q").stdout.split("\n")
    first = [int(line.split()[0]) for line in lines if line]
    assert len(first) >= 50 and all(b - a == 1 for a, b in zip(first, first[1:]))
    board.is_whole()


@M4
def test_every_instruction_in_ram(board):
    found, _ = board.probe_each(CROSS, ("ram_mix",), AT_ONCE, 20, 1, {"nop"})
    assert len(found) > 8
    board.is_whole()
