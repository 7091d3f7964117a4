# SPDX-License-Identifier: BSD-2-Clause
"""An agent for text in flash (-DDP_CORTEXM_WITH_FPB=1) on a Cortex-M3 without the unit, as QEMU's: the agent says what is
missing, refuses what needs it, and probes text in RAM as each other agent. tests/port/test_cortexm_fpb.c has the unit."""
import re
import subprocess

import pytest

from harness import gdbstub, paths

pytestmark = pytest.mark.nightly

BOARD = "mps2-an385"
LACK = "the CPU has no unit with comparators of instructions"


@pytest.fixture
def kernel(qemu, dprobes, tmp_path):
    elf = paths.built("boards", BOARD, "watch", "watch.elf")

    class Kernel:
        symbols = {name: int(value, 16) for value, name in re.findall(r"^(\w+) \w (\S+)$", subprocess.run(
            [paths.program("arm-none-eabi-nm"), elf], capture_output=True, text=True, check=True).stdout, re.M)}

        def __init__(self):
            self.stub = tmp_path / "gdb"
            self.machine = qemu(BOARD, elf=elf, extra=gdbstub.options(self.stub))
            self.machine.com1.expect("boot 1")
            self.line = ("--port", self.machine.url("com2"))

        def offset(self, of, name):
            said = subprocess.run([paths.program("gdb-multiarch"), "-batch", "-ex", f"print/d &((struct {of} *)0)->{name}", elf],
                                  capture_output=True, text=True, check=True).stdout
            return int(re.search(r"= (\d+)", said)[1])

        def refuse_text_writes(self):
            """The board's function that writes text fails each time: to the agent the text is in flash."""
            code = 0x20300000  # memory that nobody uses
            with gdbstub.Stub(self.stub) as stub:
                stub.write(code, bytes.fromhex("00207047"))  # movs r0, #0; bx lr
                agent = int.from_bytes(stub.read(self.symbols["dp_the_agent"], 4), "little")
                board = int.from_bytes(stub.read(agent + self.offset("dp_agent", "board"), 4), "little")
                stub.write(board + self.offset("dp_board", "text_write"), (code | 1).to_bytes(4, "little"))

        def run(self, *args):
            return dprobes(*args, *self.line)

        def probe(self, *more):
            return self.run("-n", "queue_put:entry { printf(\"%a\", pc); }", "-q", "--elf", elf, *more)

    return Kernel()


def test_info_says_what_is_missing(kernel):
    said = kernel.run("info")
    assert said.status == 0 and f"no comparators; none where text cannot be written: {LACK}\n" in said.stdout, said.stdout
    told, = [o for o in kernel.run("info", "--format", "json").objects() if "code_comparators" in o]
    assert (told["code_comparators"], told["code_comparators_free"], told["lacks"]) == (0, 0, LACK)


def test_text_that_cannot_be_written(kernel):
    kernel.refuse_text_writes()
    refused = kernel.probe("--count", "1")
    assert refused.status != 0 and "put the function into RAM" in refused.stderr, refused.stderr
    assert kernel.run("list", "--format", "json").objects() == []
    kernel.machine.com1.send("selftest 1\r")
    kernel.machine.com1.expect("selftest: crc f7ab821a")


def test_text_in_ram(kernel):
    run = kernel.probe("--count", "20", "--format", "json")
    assert run.status == 0 and len([o for o in run.objects() if o["kind"] in ("log", "trace")]) == 20, run.stdout
