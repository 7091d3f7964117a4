# SPDX-License-Identifier: BSD-2-Clause
"""Watchpoints by the comparators of ARMv7-A, in the demo kernel: who writes this variable? Each write is one hit, with the
instruction that wrote, and the firmware goes on as without a watchpoint."""
import re
import subprocess

import pytest

from harness import paths

BOARD = "vexpress-a9"


@pytest.fixture
def kernel(qemu, dprobes, tmp_path):
    elf = paths.built("boards", BOARD, "watch", "watch.elf")

    class Kernel:
        symbols = {name: int(value, 16) for value, name in re.findall(r"^(\w+) \w (\S+)$", subprocess.run(
            [paths.program("arm-none-eabi-nm"), elf], capture_output=True, text=True, check=True).stdout, re.M)}

        def __init__(self):
            self.machine = qemu(BOARD, elf=elf)
            self.machine.com1.expect("boot 1")
            self.line = ("--port", self.machine.url("com2"))

        def run(self, *args):
            elf_too = () if args[0] in ("list", "remove") else ("--elf", elf)
            return dprobes(*args, *self.line, *elf_too)

        def member(self, name):
            """Address of a member of sensor_queue."""
            said = subprocess.run([paths.program("gdb-multiarch"), "-batch", "-ex", f"print/d &((struct queue *)0)->{name}", elf],
                                  capture_output=True, text=True, check=True).stdout
            return self.symbols["sensor_queue"] + int(re.search(r"= (\d+)", said)[1])

        def program(self, name, text):
            path = tmp_path / f"{name}.dp"
            path.write_text(f'name = "{name}"\n{text}')
            return path

        def function(self, address):
            found = [(value & ~1, name) for name, value in self.symbols.items() if value & ~1 <= address and not name.startswith("$")]
            return max(found)[1]

        def watch(self, name, address, bytes_, kind, handler="push r, pc\nlog 1\nexit\n", extra=""):
            return self.program(name, f"address = {address:#x} : {address + bytes_ - 1:#x}\nwatchpoint = {kind}\n{extra}{handler}")

        def probes(self, minor, least):
            """{minor: probe} when the probe of that minor code has so many hits; the clock of the kernel makes them."""
            while True:
                found = {p["minor"]: p for program in self.run("list", "--format", "json").objects() for p in program["probes"]}
                if found[minor]["hits"] >= least:
                    return found

        def selftest(self):
            self.machine.com1.send("selftest 1\r")
            self.machine.com1.expect("selftest: crc f7ab821a")

    return Kernel()


def test_who_writes_this_variable(kernel):
    info = kernel.run("info", "--format", "json").objects()[0]
    assert info["code_comparators"] == info["code_comparators_free"] == 6 and info["data_comparators"] == 4, info
    program = kernel.watch("count", kernel.member("count"), 4, "w")
    run = kernel.run("run", program, "--count", "40", "--format", "json")
    assert run.status == 0, run.stderr
    writers = {kernel.function(record["words"][0]) for record in run.objects() if "words" in record}
    assert writers == {"queue_put", "queue_get"}
    kernel.selftest()
    text = kernel.run("info", "--verify-text")
    assert text.status == 0 and "the same as in" in text.stdout, text.stdout
    assert kernel.run("info", "--format", "json").objects()[0]["data_comparators_free"] == 4


def test_each_write_is_one_hit(kernel):
    """The member `puts` is written once by each queue_put."""
    puts = kernel.member("puts")
    both = kernel.program("both", f"address = {puts:#x} : {puts + 3:#x}\nwatchpoint = w\nminor = 1\nabort\n"
                                  f"offset = queue_put\nminor = 2\nabort\n")
    assert kernel.run("insert", both).status == 0
    kernel.selftest()
    found = kernel.probes(1, 20)
    watch, probe = found[1], found[2]
    assert watch["means"] == "comparator" and probe["means"] == "trap", found
    assert watch["missed"] == 0 and watch["paused"] == 0
    assert watch["hits"] <= probe["hits"] + 1, found  # other queues are put to as well
    assert kernel.run("remove", "--all").status == 0
    kernel.selftest()
    assert kernel.run("info", "--format", "json").objects()[0]["strays"] == 0


def test_with_a_probe_on_the_writing_instruction(kernel):
    """The trap first, then the access, in its slot; both handlers run, once."""
    count = kernel.member("count")
    run = kernel.run("run", kernel.watch("w", count, 4, "w"), "--count", "10", "--format", "json")
    places = {record["words"][0] for record in run.objects() if "words" in record}
    lines = "".join(f"address = {at:#x}\nminor = {n}\nphase = {phase}\nabort\n" for n, (at, phase) in enumerate(
        (at, phase) for at in sorted(places) for phase in ("before", "after")))
    program = kernel.program("here", lines + f"address = {count:#x} : {count + 3:#x}\nwatchpoint = w\nminor = 99\nabort\n")
    inserted = kernel.run("insert", program)
    assert inserted.status == 0, inserted.stderr
    kernel.selftest()
    probes = kernel.probes(99, 20)
    assert all(probe["missed"] == 0 and probe["state"] == "armed" for probe in probes.values()), probes
    hits = {minor: probe["hits"] for minor, probe in probes.items()}
    watched = hits.pop(99)
    # The instructions write the counts of other queues, too. The rows of a list are read one after the other.
    assert watched <= sum(hits.values()) // 2 + 4 and all(abs(hits[n] - hits[n + 1]) <= 4 for n in range(0, len(hits), 2)), hits
    assert kernel.run("remove", "--all").status == 0


def test_read_and_write(kernel):
    size = kernel.member("size")  # written once, read by each queue_put
    assert kernel.run("insert", kernel.watch("w", size, 4, "w", "abort\n", "minor = 1\n")).status == 0
    assert kernel.run("insert", kernel.watch("rw", size, 4, "rw", "abort\n", "minor = 2\n")).status == 0
    kernel.selftest()
    assert kernel.probes(2, 20)[1]["hits"] == 0
    assert kernel.run("remove", "--all").status == 0


def test_comparators_run_out(kernel):
    count = kernel.member("count")
    source = "".join(f"address = {count + 16 * n:#x} : {count + 16 * n + 3:#x}\nwatchpoint = w\nminor = {n}\nabort\n" for n in range(5))
    refused = kernel.run("insert", kernel.program("five", source))
    assert refused.status == 4 and "no comparator of the CPU is free" in refused.stderr, refused.stderr
    assert kernel.run("info", "--format", "json").objects()[0]["data_comparators_free"] == 4
    kernel.selftest()


def test_execution(kernel):
    """Kind x, with and without a probe at the place."""
    put = kernel.symbols["queue_put"] & ~1
    for program in (kernel.program("x", f"address = {put:#x}\nwatchpoint = x\nminor = 1\nabort\n"),
                    kernel.program("t", "offset = queue_put\nminor = 2\nabort\n")):
        inserted = kernel.run("insert", program)
        assert inserted.status == 0, inserted.stderr
    kernel.selftest()
    hits = {minor: probe["hits"] for minor, probe in kernel.probes(1, 20).items()}
    assert abs(hits[1] - hits[2]) <= 4, hits
    assert kernel.run("remove", "--all").status == 0
    kernel.selftest()
