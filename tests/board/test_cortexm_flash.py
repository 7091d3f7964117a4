# SPDX-License-Identifier: BSD-2-Clause
"""An agent for text in flash (-DDP_CORTEXM_WITH_FPB=1) on a Cortex-M3. QEMU's has no unit with comparators: the agent says
what is missing, and refuses what needs it. In flash.elf (tests/guests/flash) the registers are those of a model, stores to
text fail, and the agent's loads do not see the traps, as on a CPU with the unit."""
import re
import subprocess

import pytest

from harness import gdbstub, paths

pytestmark = pytest.mark.nightly

BOARD = "mps2-an385"
COMPARATORS = 6
LACK = "the CPU has no unit with comparators of instructions"


class Kernel:
    def __init__(self, program, qemu, dprobes, folder):
        self.elf, self.dprobes, self.folder, self.stub = paths.built("boards", BOARD, program, f"{program}.elf"), dprobes, folder, folder / "gdb"
        self.symbols = {name: int(value, 16) for value, name in re.findall(r"^(\w+) \w (\S+)$", subprocess.run(
            [paths.program("arm-none-eabi-nm"), self.elf], capture_output=True, text=True, check=True).stdout, re.M)}
        self.machine = qemu(BOARD, elf=self.elf, extra=gdbstub.options(self.stub))
        self.machine.com1.expect("boot 1")

    def run(self, *args):
        elf_too = () if args[0] in ("list", "remove") else ("--elf", self.elf)
        return self.dprobes(*args, "--port", self.machine.url("com2"), *elf_too)

    def d(self, text, *more):
        run = self.run("-n", text, "-q", *more, "--format", "json")
        assert run.status == 0, run.stderr
        return [o["text"] for o in run.objects() if "text" in o]

    def program(self, name, *places):
        path = self.folder / f"{name}.dp"
        path.write_text(f'name = "{name}"\n' + "".join(f"offset = {place}\nminor = {n}\nexit\n" for n, place in enumerate(places)))
        return path

    def comparators(self):
        info = self.run("info", "--format", "json").objects()[0]
        assert info["strays"] == 0
        return info["code_comparators"], info["code_comparators_free"]

    def selftest(self):
        self.machine.com1.send("selftest 1\r")
        self.machine.com1.expect("selftest: crc f7ab821a")

    def offset(self, of, name):
        said = subprocess.run([paths.program("gdb-multiarch"), "-batch", "-ex", f"print/d &((struct {of} *)0)->{name}", self.elf],
                              capture_output=True, text=True, check=True).stdout
        return int(re.search(r"= (\d+)", said)[1])

    def refuse_text_writes(self):
        """The board gets a function that writes text, and that fails each time: to the agent the text is in flash."""
        code = 0x20300000  # memory that nobody uses
        with gdbstub.Stub(self.stub) as stub:
            stub.write(code, bytes.fromhex("00207047"))  # movs r0, #0; bx lr
            agent = int.from_bytes(stub.read(self.symbols["dp_the_agent"], 4), "little")
            board = int.from_bytes(stub.read(agent + self.offset("dp_agent", "board"), 4), "little")
            stub.write(board + self.offset("dp_board", "text_write"), (code | 1).to_bytes(4, "little"))


@pytest.fixture
def absent(qemu, dprobes, tmp_path):
    return Kernel("watch", qemu, dprobes, tmp_path)


@pytest.fixture
def flash(qemu, dprobes, tmp_path):
    return Kernel("flash", qemu, dprobes, tmp_path)


def test_info_says_what_is_missing(absent):
    said = absent.run("info")
    assert said.status == 0 and f"; none where text cannot be written: {LACK}\n" in said.stdout, said.stdout
    assert absent.run("info", "--format", "json").objects()[0]["lacks"] == LACK
    assert absent.comparators() == (0, 0)


def test_no_unit_and_text_that_cannot_be_written(absent):
    absent.refuse_text_writes()
    refused = absent.run("-n", 'queue_put:entry { printf("%a", pc); }', "--count", "1")
    assert refused.status != 0 and "put the function into RAM" in refused.stderr, refused.stderr
    assert absent.run("list", "--format", "json").objects() == []
    absent.selftest()


def test_no_unit_and_text_in_ram(absent):
    assert len(absent.d('queue_put:entry { printf("%a", pc); }', "--count", "20")) == 20


def test_session_in_flash(flash):
    """A whole session without a store to text, up to the number of comparators; then the sentence says what is missing."""
    assert flash.comparators() == (COMPARATORS, COMPARATORS)
    names = ("queue_put", "queue_get", "sensor_isr")
    inserted = flash.run("insert", flash.program("flash", *names))
    assert inserted.status == 0, inserted.stderr
    found = flash.run("list", "--format", "json").objects()[0]["probes"]
    assert {p["means"] for p in found} == {"trap of comparator"} and len({p["comparator"] for p in found}) == len(names), found
    assert flash.comparators() == (COMPARATORS, COMPARATORS - len(names))
    log = flash.run("log", "--count", "60", "--format", "json")
    assert {o["minor"] for o in log.objects() if o["kind"] == "log"} == {0, 1, 2}
    flash.selftest()
    more = flash.program("more", "monitor_main", "sensor_main", "queue_init", "command_ps")
    refused = flash.run("insert", more)
    assert refused.status == 4 and "6 comparators" in refused.stderr, refused.stderr
    assert flash.comparators() == (COMPARATORS, COMPARATORS - len(names))
    verified = flash.run("info", "--verify-text")
    assert verified.status == 0, verified.stderr
    assert flash.run("remove", "--all").status == 0
    assert flash.comparators() == (COMPARATORS, COMPARATORS)
    flash.selftest()


def test_each_call_is_a_hit(flash):
    """The queue counts its calls itself, behind the entry: another task may be between the two."""
    flash.machine.com1.send("load on\r")
    of = "queue_put:entry /(unsigned)arg0 == (unsigned)&sensor_queue"
    said = flash.d(f"{of}/ {{ n++; }} {of} && n == 1/ {{ first = sensor_queue.puts + sensor_queue.refused; }} "
                   f'{of} && n == 10001/ {{ printf("%d", sensor_queue.puts + sensor_queue.refused - first); exit(0); }}', "--timeout", "300")
    assert abs(int(said[0]) - 10000) <= 2


def test_instructions_of_a_function(flash):
    """Probes on each instruction of a function, some at a time: the firmware computes the same."""
    taken = 0
    for first in range(0, 48, 12):
        for at in range(first, first + 12, 2):
            run = flash.run("insert", flash.program(f"at{at}", f"queue_put+{at}"))
            taken += run.status == 0
        assert flash.comparators()[1] < COMPARATORS
        flash.selftest()
        assert flash.run("remove", "--all").status == 0
        assert flash.comparators() == (COMPARATORS, COMPARATORS)
    assert taken >= 12


def test_remove_while_hot(flash):
    for _ in range(20):
        assert len(flash.d('queue_put:entry { printf("%a", pc); } queue_get:return { printf("%a", pc); }', "--count", "5")) >= 5
        assert flash.comparators() == (COMPARATORS, COMPARATORS)
    flash.selftest()
