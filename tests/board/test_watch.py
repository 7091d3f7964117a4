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

        def counts(self, program, records=40):
            """{minor: (hits, those that came to nothing)} when so many records have come: the points have been disarmed then."""
            run = self.run("run", program, "--count", str(records), "--format", "json")
            assert run.status == 0, run.stderr
            return {o["minor"]: (o["hits"], o["missed"] + o["faulted"] + o["dropped"]) for o in run.objects() if o["kind"] == "hits"}

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
    """The member `puts` is written once by each queue_put, of this queue and of others."""
    puts = kernel.member("puts")
    both = kernel.program("both", f"address = {puts:#x} : {puts + 3:#x}\nwatchpoint = w\nminor = 1\nexit\n"
                                  "offset = queue_put\nminor = 2\nabort\n")
    assert kernel.run("insert", both).status == 0
    found = {p["minor"]: p for p in kernel.run("list", "--format", "json").objects()[0]["probes"]}
    assert found[1]["means"] == "comparator" and found[2]["means"] == "trap", found
    assert kernel.run("remove", "--all").status == 0
    counts = kernel.counts(both)
    assert 40 <= counts[1][0] <= counts[2][0] + 1 and counts[1][1] == counts[2][1] == 0, counts
    kernel.selftest()
    assert kernel.run("info", "--format", "json").objects()[0]["strays"] == 0


def test_with_a_probe_on_the_writing_instruction(kernel):
    """The trap first, then the access, in its slot; the handlers of both run, once."""
    count = kernel.member("count")
    run = kernel.run("run", kernel.watch("w", count, 4, "w"), "--count", "10", "--format", "json")
    places = {record["words"][0] for record in run.objects() if "words" in record}
    lines = "".join(f"address = {at:#x}\nminor = {n}\nphase = {phase}\nabort\n" for n, (at, phase) in enumerate(
        (at, phase) for at in sorted(places) for phase in ("before", "after")))
    counts = kernel.counts(kernel.program("here", lines + f"address = {count:#x} : {count + 3:#x}\nwatchpoint = w\nminor = 99\nexit\n"))
    assert not any(rest for _, rest in counts.values()), counts  # none missed
    hits = {minor: hits for minor, (hits, _) in counts.items()}
    watched = hits.pop(99)
    # The instructions write the counts of other queues, too. The points are armed and disarmed one after the other.
    assert 40 <= watched <= sum(hits.values()) // 2 + 2 and all(abs(hits[n] - hits[n + 1]) <= 1 for n in range(0, len(hits), 2)), counts
    kernel.selftest()


def test_read_and_write(kernel):
    """The member `size` is written once, and read by each queue_put."""
    size = kernel.member("size")
    counts = kernel.counts(kernel.program("size", "".join(
        f"address = {size:#x} : {size + 3:#x}\nwatchpoint = {kind}\nminor = {n}\nexit\n" for n, kind in enumerate(("w", "rw")))))
    assert counts[0] == (0, 0) and counts[1][0] >= 40, counts
    kernel.selftest()


def test_comparators_run_out(kernel):
    count = kernel.member("count")
    source = "".join(f"address = {count + 16 * n:#x} : {count + 16 * n + 3:#x}\nwatchpoint = w\nminor = {n}\nabort\n" for n in range(5))
    refused = kernel.run("insert", kernel.program("five", source))
    assert refused.status == 4 and "no comparator of the CPU is free" in refused.stderr, refused.stderr
    assert kernel.run("info", "--format", "json").objects()[0]["data_comparators_free"] == 4
    kernel.selftest()


def test_execution(kernel):
    """Kind x, with a probe at the place: each call is a hit of both, the watchpoint's first."""
    put = kernel.symbols["queue_put"] & ~1
    for program in (kernel.program("t", "offset = queue_put\npush 2\nlog 1\nexit\n"),
                    kernel.program("x", f"address = {put:#x}\nwatchpoint = x\npush 1\nlog 1\nexit\n")):
        inserted = kernel.run("insert", program)
        assert inserted.status == 0, inserted.stderr
    log = kernel.run("log", "--count", "60", "--format", "json")
    data = [record["data"] for record in log.objects() if record["kind"] == "log"][-50:]
    assert data in (["01000000", "02000000"] * 25, ["02000000", "01000000"] * 25), data
    assert kernel.run("remove", "--all").status == 0
    kernel.selftest()
