# SPDX-License-Identifier: BSD-2-Clause
"""Watchpoints by the comparators of ARMv7-A and IA32, the triggers of RISC-V and the memory protection unit of ARMv7-M, in the
demo kernel: who writes this variable? Each write is one hit, with the instruction that wrote, and the firmware goes on as
without a watchpoint."""
import re
import subprocess

import pytest

import cpus
from harness import gdbstub, paths
from harness.qemu import parameters

BOARDS = {board: facts for row in cpus.rows() for board, facts in row.watches.items()}


@pytest.fixture(params=parameters(BOARDS, ("vexpress-a9",)))
def kernel(request, qemu, dprobes, tmp_path):
    board_name = request.param
    elf = paths.built("boards", board_name, "watch", "watch.elf")

    class Kernel:
        name, board = board_name, BOARDS[board_name]
        elf = paths.built("boards", board_name, "watch", "watch.elf")
        pointer = 8 if board_name == "riscv-virt64" else 4
        symbols = {name: int(value, 16) for value, name in re.findall(r"^(\w+) \w (\S+)$", subprocess.run(
            [paths.program(BOARDS[board_name]["nm"]), elf], capture_output=True, text=True, check=True).stdout, re.M)}

        def __init__(self):
            self.stub = tmp_path / "gdb"
            self.machine = qemu(board_name, elf=elf, extra=gdbstub.options(self.stub))
            self.machine.com1.expect("boot 1")
            self.line = ("--port", self.machine.url("com2"))

        def run(self, *args):
            elf_too = () if args[0] in ("list", "remove") else ("--elf", elf)
            return dprobes(*args, *self.line, *elf_too)

        def offset(self, of, name):
            said = subprocess.run([paths.program("gdb-multiarch"), "-batch", "-ex", f"print/d &((struct {of} *)0)->{name}", elf],
                                  capture_output=True, text=True, check=True).stdout
            return int(re.search(r"= (\d+)", said)[1])

        def member(self, name):
            """Address of a member of sensor_queue."""
            return self.symbols["sensor_queue"] + self.offset("queue", name)

        def accessing(self, places):
            """The instructions of accesses that the CPU has reported at these places."""
            if not self.board["late"]:
                return sorted(places)
            names = sorted({self.function(place) for place in places})
            said = subprocess.run([paths.program("gdb-multiarch"), "-batch", *(word for name in names for word in ("-ex", f"disassemble {name}")), elf],
                                  capture_output=True, text=True, check=True).stdout
            listed = [int(address, 16) for address in re.findall(r"^ +(0x\w+) <", said, re.M)]
            return sorted(listed[listed.index(place) - 1] for place in places)

        def refuse_text_writes(self):
            """The board's function that writes text fails each time: to the agent the text is in flash."""
            code = self.board["unused"]
            with gdbstub.Stub(self.stub) as stub:
                stub.write(code, bytes.fromhex(self.board["fails"]))
                agent = int.from_bytes(stub.read(self.symbols["dp_the_agent"], self.pointer), "little")
                board = int.from_bytes(stub.read(agent + self.offset("dp_agent", "board"), self.pointer), "little")
                stub.write(board + self.offset("dp_board", "text_write"), code.to_bytes(self.pointer, "little"))

        def d(self, text, *more):
            run = dprobes("-n", text, "-q", *self.line, "--elf", elf, *more)
            assert run.status == 0, run.stderr
            return run

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
    assert info["code_comparators"] == info["code_comparators_free"] == kernel.board["code"], info
    assert info["data_comparators"] == kernel.board["data"], info
    program = kernel.watch("count", kernel.member("count"), 4, "w")
    run = kernel.run("run", program, "--count", "40", "--format", "json")
    assert run.status == 0, run.stderr
    writers = {kernel.function(record["words"][0]) for record in run.objects() if "words" in record}
    assert writers == {"queue_put", "queue_get"}
    kernel.selftest()
    text = kernel.run("info", "--verify-text")
    assert text.status == 0 and "the same as in" in text.stdout, text.stdout
    assert kernel.run("info", "--format", "json").objects()[0]["data_comparators_free"] == kernel.board["data"]


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
        (at, phase) for at in kernel.accessing(places) for phase in ("before", "after")))
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
    watches = [f"address = {size:#x} : {size + 3:#x}\nwatchpoint = {kind}\nminor = {n}\nexit\n" for n, kind in enumerate(("w", "rw"))]
    if kernel.board["data"] == 1:
        assert kernel.run("insert", kernel.program("written", watches.pop(0))).status == 0
        kernel.selftest()
        assert kernel.run("list", "--format", "json").objects()[0]["probes"][0]["hits"] == 0
        assert kernel.run("remove", "--all").status == 0
    counts = kernel.counts(kernel.program("size", "".join(watches)))
    assert counts.get(0, (0, 0)) == (0, 0) and counts[1][0] >= 40, counts
    kernel.selftest()


def test_comparators_run_out(kernel):
    count = kernel.member("count")
    source = "".join(f"address = {count + 16 * n:#x} : {count + 16 * n + 3:#x}\nwatchpoint = w\nminor = {n}\nabort\n" for n in range(kernel.board["data"] + 1))
    refused = kernel.run("insert", kernel.program("more", source))
    assert refused.status == 4 and "no comparator of the CPU is free" in refused.stderr, refused.stderr
    assert kernel.run("info", "--format", "json").objects()[0]["data_comparators_free"] == kernel.board["data"]
    kernel.selftest()


def test_ports(kernel):
    """Kind io: each access of a port is one hit, behind it, and the probe of the function that makes the access has as many."""
    if "port" not in kernel.board:
        refused = kernel.run("insert", kernel.watch("io", 0x20, 1, "io"))
        assert refused.status == 4 and "no comparator for that kind" in refused.stderr, refused.stderr
        return
    port, function = kernel.board["port"]
    port_ends = kernel.program("io", f"address = {port:#x}\nwatchpoint = io\nminor = 1\npush r, pc\nlog 1\nexit\noffset = {function}\nminor = 2\npush 0\nlog 1\nexit\n")
    run = kernel.run("run", port_ends, "--count", "60", "--format", "json")
    assert run.status in (0, 5), run.stderr  # records behind the last one may be dropped
    seen = [record["minor"] if record["minor"] == 2 else kernel.function(record["words"][0]) for record in run.objects() if "words" in record][:60]
    assert seen.count(2) > 5 and all(there == function for before, there in zip(seen, seen[1:]) if before == 2), seen
    assert all(before == 2 for before, there in zip(seen, seen[1:]) if there == function), seen
    kernel.selftest()


def test_execution(kernel):
    """Kind x, with a probe at the place: each call is a hit of both, the watchpoint's first."""
    if kernel.board["code"] == 0:
        refused = kernel.run("insert", kernel.watch("x", kernel.symbols["queue_put"] & ~1, 1, "x"))
        assert refused.status == 4 and "no comparator for that kind" in refused.stderr, refused.stderr
        return
    put = kernel.symbols["queue_put"] & ~1
    for program in (kernel.program("t", "offset = queue_put\npush 2\nlog 1\nexit\n"),
                    kernel.program("x", f"address = {put:#x}\nwatchpoint = x\npush 1\nlog 1\nexit\n")):
        inserted = kernel.run("insert", program)
        assert inserted.status == 0, inserted.stderr
    log = kernel.run("log", "--count", "60", "--format", "json")
    data = [int.from_bytes(bytes.fromhex(record["data"]), "little") for record in log.objects() if record["kind"] == "log"][-50:]
    assert data in ([1, 2] * 25, [2, 1] * 25), data
    assert kernel.run("remove", "--all").status == 0
    kernel.selftest()


def test_values_in_one_line(kernel):
    """The value before a write is the one behind the write before it."""
    run = kernel.d('watch::sensor_queue.count:w { printf("%a %d %d %p", pc, wpold, wpnew, wpaddr); }', "--count", "40", "--format", "json")
    seen = [record["text"].split() for record in run.objects() if "text" in record]
    assert len(seen) == 40 and {where.split("+")[0] for where, *_ in seen} == {"queue_put", "queue_get"}, seen
    for where, old, new, address in seen:
        assert int(new) - int(old) == (1 if where.startswith("queue_put") else -1), seen
        assert kernel.member("count") - int(address, 16) in kernel.board["before"]  # the compiler may write two members at once
    assert all(before[2] == after[1] for before, after in zip(seen, seen[1:])), seen
    kernel.selftest()


def test_counts_and_predicates(kernel):
    """Each write is one hit: the variable counts them itself. A predicate on the pc takes out the writes of a function."""
    run = kernel.d("watch::sensor_queue.puts:w /(unsigned)pc - (unsigned)&queue_put > 400/ { others++; } watch::sensor_queue.puts:w { n++; } "
                   "watch::sensor_queue.puts:w /n == 1/ { first = wpnew; } "
                   "watch::sensor_queue.puts:w /n == 101/ { printf(\"%d %d\", wpnew - first, others); exit(0); }", "--format", "json")
    said, = [record["text"] for record in run.objects() if "text" in record]
    assert said == "100 0"
    kernel.selftest()


def test_calls_that_lead_to_a_write(kernel):
    """The callers of the function that wrote are those that a probe at its entry knows."""
    calls = {}
    for name in ("queue_put", "queue_get"):
        run = kernel.d(f'{name}:entry /arg0 == (unsigned long)&sensor_queue/ {{ printf("%a", caller); }}', "--count", "20", "--format", "json")
        calls[name] = {record["text"].split("+")[0] for record in run.objects() if "text" in record}
    # The ring has room for all records.
    run = kernel.d("watch::sensor_queue.count:w /n < 20/ { n++; stack(2); } watch::sensor_queue.count:w /n == 20/ { exit(0); }", "--timeout", "60")
    stacks = re.findall(r"^ +(\w+)\+\S+.*\n +(\w+)\+", run.stdout, re.M)
    assert len(stacks) == 20, run.stdout
    assert {writer for writer, _ in stacks} == set(calls), stacks
    assert all(caller in calls[writer] for writer, caller in stacks), (stacks, calls)
    clauses = "watch::sensor_queue.count:w {{ @[func(pc), {}] = count(); n++; }} watch::sensor_queue.count:w /n == 40/ {{ exit(0); }}"
    if cpus.of_board(kernel.name).link:
        counted = kernel.d(clauses.format("caller"))
        assert "caller in a watchpoint is the register of the return address" in counted.stderr
    else:
        refused = kernel.run("-n", clauses.format("caller"))
        assert refused.status == 1 and "has no register of the return address: the caller is not known" in refused.stderr, refused.stderr
        counted = kernel.d(clauses.format("pc"))
    assert set(calls) == set(re.findall(r"^ +(queue_\w+) ", counted.stdout, re.M)), counted.stdout
    kernel.selftest()


def test_text_that_cannot_be_written(kernel):
    """A whole session by comparators, up to their number; then the sentence says what is missing."""
    if kernel.board["code"] == 0:
        pytest.skip("no comparator of code in QEMU: test_cortexm_flash.py")
    names = ("queue_put", "queue_get", "sensor_isr")[:kernel.board["code"]]
    kernel.refuse_text_writes()
    program = kernel.program("flash", "".join(f"offset = {name}\nminor = {n}\nexit\n" for n, name in enumerate(names)))
    inserted = kernel.run("insert", program)
    assert inserted.status == 0, inserted.stderr
    found = {p["minor"]: p for p in kernel.run("list", "--format", "json").objects()[0]["probes"]}
    assert {p["means"] for p in found.values()} == {"comparator"}, found
    info = kernel.run("info", "--format", "json").objects()[0]
    assert info["code_comparators_free"] == info["code_comparators"] - len(names) and info["strays"] == 0
    log = kernel.run("log", "--count", "60", "--format", "json")
    assert {o["minor"] for o in log.objects() if o["kind"] == "log"} == set(range(len(names)))
    kernel.selftest()
    more = kernel.program("more", "".join(f"offset = {name}\nminor = {n}\nexit\n" for n, name in enumerate(
        ("monitor_main", "sensor_main", "queue_init", "command_ps"))))
    refused = kernel.run("insert", more)
    assert refused.status == 4 and "comparator" in refused.stderr, refused.stderr
    assert kernel.run("remove", "--all").status == 0
    info = kernel.run("info", "--format", "json").objects()[0]
    assert info["code_comparators_free"] == info["code_comparators"] and info["strays"] == 0
    text = kernel.run("info", "--verify-text")
    assert "the same as in" in text.stdout, text.stdout


@pytest.mark.nightly
@pytest.mark.parametrize("control", [0x402, 0x2400])
@pytest.mark.parametrize("kernel", parameters([board for board, facts in BOARDS.items() if "owns" in facts]), indirect=True)
def test_a_firmware_that_uses_the_registers(kernel, control):
    """A debug register that the firmware has on, or guards, is its own: the agent refuses watchpoints until it is off."""
    watch = kernel.watch("own", kernel.member("count"), 4, "w")
    for value in (control, 0x400):
        with gdbstub.Stub(kernel.stub) as stub:
            stub.run_to(kernel.symbols["queue_put"])
            stub.write(kernel.board["unused"], bytes.fromhex(kernel.board["owns"].format(value.to_bytes(4, "little").hex())))
            registers = stub.registers()
            stub.put(8, kernel.board["unused"], "little")  # eip
            assert stub.ask("s").startswith("T") and stub.ask("s").startswith("T")  # QEMU masks interrupts
            assert stub.ask(f"G{registers.hex()}") == "OK"
        info = kernel.run("info", "--format", "json").objects()[0]
        inserted = kernel.run("insert", watch)
        if value == control:
            assert info["data_comparators"] == 0 and inserted.status == 4 and "the debug registers" in inserted.stderr, inserted.stderr
        else:
            assert info["data_comparators"] == kernel.board["data"] and inserted.status == 0, inserted.stderr
    assert kernel.run("remove", "--all").status == 0
    kernel.selftest()


def test_removed_while_hot(kernel, amount):
    kernel.machine.com1.send("load on\r")
    program = kernel.watch("hot", kernel.member("count"), 4, "rw", handler="abort\n")
    for _ in range(amount(10, 200)):
        assert kernel.run("insert", program).status == 0
        assert kernel.run("remove", "--all").status == 0
    info = kernel.run("info", "--format", "json").objects()[0]
    assert info["data_comparators_free"] == kernel.board["data"] and info["strays"] == 0, info
    kernel.machine.com1.send("load off\r")
    kernel.selftest()


@pytest.mark.parametrize("bytes_, at", [(1, 0), (1, 3), (2, 0), (2, 2), (4, 0), (8, 0), (4, -3), (16, -4)])
def test_lengths_and_places(kernel, bytes_, at):
    """Each range that has a byte of `puts` sees each of its writes, which are of a word. The CPU tells the first watched byte, or
    that of the access. Where it tells none, a range has a length of the comparator at a multiple of it. QEMU's triggers have a word
    of the CPU and no ranges. A range that begins in front of `puts` also sees what is there; an instruction may write both words,
    that one first."""
    puts, told = kernel.member("puts"), kernel.board["told"]
    if kernel.board["shared"] and bytes_ > kernel.pointer or told is None and at % bytes_:
        refused = kernel.run("insert", kernel.watch("long", puts + at, bytes_, "w"))
        free = kernel.run("info", "--format", "json").objects()[0]["data_comparators_free"]
        assert refused.status == 4 and "range or length" in refused.stderr and free == kernel.board["data"], refused.stderr
        return
    told = puts if told == "access" else puts + at
    first = f"(unsigned)wpaddr == {told:#x}" if at >= 0 else f"(unsigned)wpaddr >= {puts - 4:#x} && (unsigned)wpaddr < {puts + 4:#x}"
    if kernel.board["data"] == 1:  # the variable tells how often it was written
        watch = f"watch::{puts + at:#x},{bytes_}:w"
        run = kernel.d(f"{watch} {{ b++; now = sensor_queue.puts; }} {watch} /b == 1/ {{ base = now; }} "
                       f"{watch} /b == 41/ {{ printf(\"%d\", now - base); exit(0); }}", "--format", "json", "--timeout", "60")
        said, = [record["text"] for record in run.objects() if "text" in record]
        assert int(said) == 40 if at >= 0 and bytes_ <= 4 else 0 < int(said) <= 40
        return
    run = kernel.d(f"watch::{puts + at:#x},{bytes_}:w /{first}/ {{ b++; }} watch::{puts:#x},4:w {{ a++; }} "
                   f"watch::{puts:#x},4:w /a == 1/ {{ base = b; }} "
                   f"watch::{puts:#x},4:w /a == 41/ {{ printf(\"%d\", b - base); exit(0); }}", "--format", "json")
    said, = [record["text"] for record in run.objects() if "text" in record]
    assert int(said) == 40 if at >= 0 else int(said) >= 40
    kernel.selftest()


@pytest.mark.nightly
def test_many_hits(kernel):
    """Each write of 100,000 is one hit: the variable counts them itself."""
    kernel.machine.com1.send("load on\r")
    run = kernel.d("watch::sensor_queue.puts:w { n++; last = wpnew; } watch::sensor_queue.puts:w /n == 1/ { first = wpnew; } "
                   "watch::sensor_queue.puts:w /n == 100000/ { printf(\"%d\", last - first); exit(0); }", "--format", "json", "--timeout", "3600")
    said, = [record["text"] for record in run.objects() if "text" in record]
    assert int(said) == 99999
    kernel.selftest()


@pytest.mark.nightly
@pytest.mark.parametrize("board, cpu", [("riscv-virt32", "rv32"), ("riscv-virt64", "rv64")])
def test_a_cpu_without_triggers(qemu, dprobes, tmp_path, board, cpu):
    """tselect is an illegal instruction there: the agent says so, and probes go on with traps."""
    elf = paths.built("boards", board, "watch", "watch.elf")
    machine = qemu(board, elf=elf, extra=["-cpu", f"{cpu},debug=false"])
    machine.com1.expect("boot 1")
    line = ("--port", machine.url("com2"), "--elf", elf)
    info = dprobes("info", *line, "--format", "json").objects()[0]
    assert info["code_comparators"] == info["data_comparators"] == 0, info
    watch, probe = tmp_path / "watch.dp", tmp_path / "probe.dp"
    watch.write_text('name = "w"\naddress = 0x80000000\nwatchpoint = w\nexit\n')
    probe.write_text('name = "p"\noffset = queue_put\npush 1\nlog 1\nexit\n')
    refused = dprobes("insert", watch, *line)
    assert refused.status == 4 and "watch" in refused.stderr, refused.stderr
    run = dprobes("run", probe, *line, "--count", "20", "--format", "json")
    assert run.status == 0 and sum("data" in record for record in run.objects()) == 20, run.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("board, type_", [("riscv-virt32", 2), ("riscv-virt64", 6)])
def test_types_of_triggers(qemu, dprobes, tmp_path, board, type_):
    """One board takes the triggers of type 2, the other those of type 6, as SConstruct says: QEMU has two of both types."""
    elf = paths.built("boards", board, "watch", "watch.elf")
    machine = qemu(board, elf=elf, extra=gdbstub.options(tmp_path / "gdb"))
    machine.com1.expect("boot 1")
    assert dprobes("info", "--port", machine.url("com2"), "--elf", elf).status == 0
    said = subprocess.run([paths.program("gdb-multiarch"), "-batch", "-ex", f"target remote {tmp_path / 'gdb'}", "-ex",
                           "output/d dp_riscv->triggers.type", elf], capture_output=True, text=True, check=True).stdout
    assert f"{{{type_}, {type_}, 0, 0}}" in said, said


@pytest.mark.parametrize("kind", ["w", "r", "rw", "x", "io"])
def test_a_watchpoint_stops(kernel, dprobes, tmp_path, kind):
    """`exit 1` and breakpoint() stop behind an access of w, rw and io, and before one of r and x; the access happens once, and the
    firmware goes on."""
    env, (port, driver) = {"XDG_RUNTIME_DIR": str(tmp_path)}, kernel.board.get("port", (0x20, ""))
    address = {"w": kernel.member("puts"), "x": kernel.symbols["queue_put"] & ~1, "io": port}.get(kind, kernel.member("size"))
    watch = kernel.watch("stops", address, 1 if kind in ("x", "io") else 4, kind, handler="exit 1\n")
    lacks = {"r": kernel.board["late"], "x": not kernel.board["code"], "io": not driver}
    if lacks.get(kind):
        refused = kernel.run("insert", watch, "--write")
        assert refused.status == 4 and "no comparator for that kind" in refused.stderr, refused.stderr
        return

    def tell(*words):
        done = dprobes(*words, *kernel.line, "--elf", kernel.elf, env=env)
        assert done.status == 0, done
        return done.stdout

    service = dprobes.start("serve", "--write", *kernel.line, env=env)
    service.err.expect("serving")
    words = ("run", watch, "--write") if kind != "w" else (
        "-w", "-q", "-n", f"watch::{address:#x},4:w {{ n++; breakpoint(); }}")
    run = dprobes.start(*words, *kernel.line, "--elf", kernel.elf, env=env)
    place = {"io": driver.partition("_")[0], "w": "queue_put", "x": "queue_put"}.get(kind, "queue_(?:put|get)")
    for _ in range(3):
        run.err.expect(rf"the target is stopped.*\({place}")
        before = tell("read", "sensor_queue.puts"), int(tell("regs", "pc").split()[1], 0)
        assert kind != "x" or before[1] == address
        step = int(re.match(r"stopped at (0x\w+)", tell("step"))[1], 0)
        assert step != before[1] and tell("read", "sensor_queue.puts") == before[0]
        run.err.expect("the target is stopped")  # the step's own stop is told as well
        tell("resume")
    assert run.interrupt().status in (0, 130)
    dprobes("resume", *kernel.line, env=env)  # it may have stopped again
    service.interrupt()
    kernel.selftest()
