# SPDX-License-Identifier: BSD-2-Clause
"""Watchpoints by DebugMonitor (-DDP_CORTEXM_WITH_DWT=1) on a Cortex-M3. QEMU's has neither the unit nor the exception. In
monitor.elf (tests/guests/monitor) the registers are those of a model, and an interrupt comes in the place of DebugMonitor:
the agent's entry, the access that it works out, and what the firmware's own handler gets."""
import pytest
from test_cortexm_watch import BASE, OLD, ONES, WORD, Kernel

from harness import gdbstub

pytestmark = pytest.mark.nightly

BOARD = "mps2-an385"
READ, WRITE, IN_SLOT = 0, 1, 2
ANNOUNCED = 10  # instructions in front of those of a case
# name: (kind, instructions, their access: what, address, bytes; the address that is told, the value behind it) r4 is BASE.
CASES = {
    "str": ("w", "str r0, [r4, #4]", (WRITE, WORD, 4), WORD, ONES),
    "str wide": ("rw", "str.w r9, [r4, #4]", (WRITE, WORD, 4), WORD, ONES),
    "strb": ("w", "strb r0, [r4, #7]", (WRITE, WORD + 3, 1), WORD + 3, 0x110b0c0d),
    "register offset": ("w", "movs r6, #1\nstr.w r0, [r4, r6, lsl #2]", (WRITE, WORD, 4), WORD, ONES),
    "unaligned": ("w", "str r0, [r4, #2]", (WRITE, BASE + 2, 4), BASE + 2, 0x0a0b1111),
    "ldr": ("r", "ldr r6, [r4, #4]", (READ, WORD, 4), WORD, OLD),
    "ldrsb": ("rw", "ldrsb.w r6, [r4, #5]", (READ, WORD + 1, 1), WORD + 1, OLD),
    # The registers do not tell these addresses any more: the range is told.
    "post-indexed": ("w", "adds r6, r4, #4\nstr r0, [r6], #4", (WRITE, WORD, 4), WORD, ONES),
    "stm": ("w", "mov r6, r4\nstm r6!, {r0, r1}", (WRITE, BASE, 8), WORD, 0x22222222),
    "ldr into its base": ("r", "adds r6, r4, #3\nldr r6, [r6, #1]", (READ, WORD, 4), WORD, OLD),
    "late": ("w", "str r0, [r4, #4]\nnop\nnop.w", (WRITE, WORD, 4), WORD, ONES),
}


class Monitored(Kernel):
    def __init__(self, qemu, dprobes, folder):
        super().__init__(BOARD, qemu, dprobes, folder, "monitor")

    def function(self, name):
        return self.symbols[name] | 1

    def call(self, name):
        return f"ldr r5, ={self.function(name)}\nblx r5\n"

    def place_access(self, text, what, address, size):
        """Returns the address behind the instructions."""
        places = self.place(f"ldr r0, ={address}\nmovs r1, #{size}\nmovs r2, #{what}\nadr.w r3, behind\n{self.call('dwt_announce')}"
                            f"ldr r0, ={ONES}\nldr r1, =0x22222222\nldr r2, =0x33333333\nldr r3, =0x44444444\n{text}\nbehind:\n"
                            f"{self.call('dwt_report')}")
        behind = places[ANNOUNCED + len(text.split("\n"))]
        return behind, places

    def variable(self, name, value=None):
        with gdbstub.Stub(self.stub) as stub:
            if value is not None:
                stub.write(self.symbols[name], value.to_bytes(4, "little"))
            return int.from_bytes(stub.read(self.symbols[name], 4), "little")

    def insert(self, kind, first=WORD, last=WORD + 3, name="watch"):
        path = self.folder / f"{name}.dp"
        path.write_text(f'name = "{name}"\ngvars = 5\naddress = {first:#x} : {last:#x}\nwatchpoint = {kind}\npush r, pc\npop gv, 0\npush wpaddr\n'
                        "pop gv, 1\npush wpold\npop gv, 2\npush wpnew\npop gv, 3\ninc gv, 4\nabort\n")
        return self.run("insert", path)

    def hits(self):
        """Of each program's probe: hits, missed, ignored."""
        return [tuple(program["probes"][0][count] for count in ("hits", "missed", "ignored")) for program in self.run("list", "--format", "json").objects()]

    def info(self):
        return self.run("info", "--format", "json").objects()[0]


@pytest.fixture
def kernel(qemu, dprobes, tmp_path):
    return Monitored(qemu, dprobes, tmp_path)


@pytest.mark.parametrize("own_vectors", (0, 1))
def test_each_instruction(kernel, own_vectors):
    kernel.variable("dwt_own_vectors", own_vectors)
    for done, (name, (kind, text, access, address, behind)) in enumerate(CASES.items(), 1):
        pc, _ = kernel.place_access(text, *access)
        assert kernel.insert(kind).status == 0, name
        assert kernel.execute()[1:] == [0, 0], name  # CFSR, HFSR
        hits, values = kernel.hits(), kernel.values()
        kernel.remove()
        assert hits == [(1, 0, 0)], (name, hits)
        assert values == [pc, address, OLD, behind, done], (name, [hex(value) for value in values])
        assert kernel.word() == behind, name
    assert kernel.variable("dwt_firmwares") == 0
    kernel.selftest()


def test_info(kernel):
    said = kernel.run("info").stdout
    assert "4 of 4 for watchpoints" in said and "reported behind the access" in said, said
    assert "; code with PRIMASK or FAULTMASK set and exceptions of priority 0 are not watched" in said, said
    assert kernel.insert("w").status == 0
    assert (kernel.info()["data_comparators"], kernel.info()["data_comparators_free"]) == (4, 3)
    kernel.remove()


def test_several_comparators(kernel):
    """Two that watch the word, one beside it: an access beside the range asked for counts as ignored."""
    for name, kind, first, last in (("a", "w", WORD, WORD + 2), ("b", "rw", WORD, WORD + 3), ("c", "w", WORD + 4, WORD + 7), ("d", "r", WORD, WORD)):
        assert kernel.insert(kind, first, last, name).status == 0
    refused = kernel.insert("w", WORD + 8, WORD + 11, "e")
    assert refused.status == 4 and "comparators" in refused.stderr, refused.stderr
    for text, access, hits in (("str r0, [r4, #4]", (WRITE, WORD, 4), [(1, 0, 0), (1, 0, 0), (0, 0, 0), (0, 0, 0)]),
                               ("strb r0, [r4, #7]", (WRITE, WORD + 3, 1), [(1, 0, 1), (2, 0, 0), (0, 0, 0), (0, 0, 0)]),
                               ("ldrh r6, [r4, #4]", (READ, WORD, 2), [(1, 0, 1), (3, 0, 0), (0, 0, 0), (1, 0, 0)]),
                               ("stm r4, {r0-r2}", (WRITE, BASE, 12), [(2, 0, 1), (4, 0, 0), (1, 0, 0), (1, 0, 0)])):
        kernel.place_access(text, *access)
        assert kernel.execute()[1:] == [0, 0]
        assert kernel.hits() == hits, text
    kernel.remove()
    assert kernel.insert("w", WORD + 8, WORD + 11, "e").status == 0
    kernel.remove()


def test_code_that_masks_the_monitor(kernel):
    """No hit; and the next access of another watchpoint does not report what is left of it."""
    assert kernel.insert("w").status == 0 and kernel.insert("w", WORD + 4, WORD + 7, "other").status == 0
    for execution, text, access, hits in ((0, "str r0, [r4, #4]", (WRITE, WORD, 4), [0, 0]), (256, "str r0, [r4, #8]", (WRITE, WORD + 4, 4), [0, 1]),
                                          (0x10, "str r0, [r4, #4]", (WRITE, WORD, 4), [1, 1])):
        kernel.variable("dwt_execution", execution)
        kernel.place_access(text, *access)
        kernel.execute()
        assert [probe[0] for probe in kernel.hits()] == hits
    kernel.remove()


@pytest.mark.parametrize("own_vectors", (0, 1))
def test_own_handler(kernel, own_vectors):
    """DebugMonitor that is not the agent's: with a watchpoint and without."""
    kernel.variable("dwt_own_vectors", own_vectors)
    kernel.place(kernel.call("dwt_pend"))
    places = set()
    for armed in (False, True):
        if armed:
            assert kernel.insert("w").status == 0
        kernel.execute()
        assert kernel.variable("dwt_firmwares") == 1 + armed
        places.add(kernel.variable("dwt_firmwares_pc"))
    assert len(places) == 1
    assert kernel.hits() == [(0, 0, 0)]
    kernel.place_access("str r0, [r4, #4]", WRITE, WORD, 4)
    kernel.execute()
    assert kernel.hits() == [(1, 0, 0)] and kernel.variable("dwt_firmwares") == 2
    kernel.remove()


def test_access_of_a_probed_instruction(kernel):
    """The copy of a probe with a handler behind it runs with interrupts masked, where no DebugMonitor comes."""
    kernel.place_access(kernel.call("dwt_store").strip(), WRITE | IN_SLOT, WORD, 4)
    path = kernel.folder / "probe.dp"
    path.write_text('name = "probe"\noffset = dwt_store\nphase = after\nexit\n')
    assert kernel.run("insert", path).status == 0
    assert kernel.insert("w").status == 0
    assert kernel.execute()[1:] == [0, 0]
    hits, values = kernel.hits(), kernel.values()
    assert hits == [(1, 0, 0), (1, 0, 0)], hits
    assert values == [kernel.function("dwt_store") + 1, WORD, OLD, ONES, 1], [hex(value) for value in values]
    kernel.remove()


def test_refusals(kernel):
    """Who else has the unit, in words; nothing is changed, and a watchpoint is there when they have gone."""
    calls = {"debug monitor": ("ldr r0, =0xe000edfc\nldr r1, =0x00010000\n" + kernel.call("unit_set"), "ldr r0, =0xe000edfc\nmovs r1, #0\n" + kernel.call("unit_set")),
             "a debugger is connected": ("movs r0, #1\n" + kernel.call("dwt_debugger"), "movs r0, #0\n" + kernel.call("dwt_debugger"))}
    for words, (take, leave) in calls.items():
        kernel.place(take)
        kernel.execute()
        refused = kernel.insert("w")
        assert refused.status == 4 and words in refused.stderr, refused.stderr
        kernel.place(leave)
        kernel.execute()
        assert kernel.insert("w").status == 0, words
        kernel.remove()
