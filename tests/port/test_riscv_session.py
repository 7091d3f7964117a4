# SPDX-License-Identifier: BSD-2-Clause
"""The whole agent on SiFive's boards in QEMU, by the whole tool: tests/guests/integration/riscv with the ready-made glue. On
sifive_e the text is in flash, which ignores stores, so the agent has the CPU's two triggers alone, and all RAM is 16 KB. The
knobs are those of agent/guide/riscv.md. The firmware compares its results with a computation without probes, and ends QEMU at
a difference; its timer interrupts. The text of sifive_u is in RAM."""
import re
import socket
import subprocess

import pytest

import agent_release
from harness import gdbstub, process, wire
from harness.own_firmware import OwnFirmware, symbols
from harness.paths import TOP, built, program

GUEST = TOP / "tests/guests/integration/riscv"
GUIDE = TOP / "agent/guide/riscv.md"
CROSS = "riscv64-unknown-elf-"
FLAGS = ["-misa-spec=2.2", "-mcmodel=medany", "-fno-asynchronous-unwind-tables", "-ffreestanding", "-ffunction-sections", "-g", "-Os", "-std=gnu11",
         "-Wall", "-Wextra", "-Werror"]
RV32, RV64 = ["-march=rv32imac", "-mabi=ilp32"], ["-march=rv64imac", "-mabi=lp64"]
# What boards differ in, for the firmware.
E = ["-DUART_AT=0x10013000u", "-DTIME_HZ=10000000", *RV32]
U = ["-DUART_AT=0x10010000u", "-DTIME_HZ=1000000", *RV64]
BARE = ("-bios", "none", "-semihosting-config", "enable=on,target=native")
FLASH = ("qemu-system-riscv32", "-M", "sifive_e", *BARE)
RAM = 16384
AGENT_STACK = 2048  # DP_PORT_STACK_BYTES
COMPARATORS = 2
NO_ROOM = "the text cannot be written there; 2 comparators, 0 free; remove a probe, or put the function into RAM"
PROBED = ("work", "mix", "tick")
AT_ONCE = 60  # of 64 probes


def knobs():
    """Those that the guide gives for a part of 16 KB."""
    return re.search(r"^```\n(-D.*?)```$", GUIDE.read_text(encoding="utf-8"), re.M | re.S).group(1).split()


def told(pattern):
    """A figure of the guide."""
    return float(re.search(pattern, re.sub(r"\s+", " ", GUIDE.read_text(encoding="utf-8")))[1])


def linked(folder, cpu, board, defines, glue=built("release") / "glue/baremetal.c"):
    """(ELF, bytes of RAM). The linker refuses more RAM than the board has."""
    gcc, release = program(CROSS + "gcc"), built("release")
    own = ["-I", GUEST, "-I", release / "riscv", "-I", release / "glue", *defines]
    agent = [*agent_release.flags("riscv"), *agent_release.flags("riscv", "FLAGS_GCC")]
    for flags, sources in ((agent, [release / "riscv" / name for name in ("dprobes_agent.c", "dprobes_entry.S")]),
                           ([], [glue, GUEST / "firmware.c", GUEST / "start.S"])):
        subprocess.run([gcc, *cpu, *FLAGS, *own, *flags, "-c", *sources], check=True, cwd=folder)
    said = subprocess.run([gcc, *cpu, "-nostdlib", "-static", "-Wl,--build-id=sha1", "-Wl,--gc-sections", "-Wl,-z,max-page-size=4096",
                           "-Wl,--no-warn-rwx-segments", "-Wl,--print-memory-usage", "-L", GUEST, "-T", GUEST / f"{board}.ld", *sorted(folder.glob("*.o")),
                           "-lgcc", "-o", folder / "sifive.elf"], check=True, capture_output=True, text=True).stdout
    return folder / "sifive.elf", int(re.search(r"RAM: +(\d+) B", said)[1])


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return linked(tmp_path_factory.mktemp("flash"), E, "sifive_e", knobs())


@pytest.fixture(scope="module")
def two_lines(tmp_path_factory):
    return linked(tmp_path_factory.mktemp("two"), [*E, "-DUART2_AT=0x10023000u"], "sifive_e", knobs(), GUEST / "two_lines.c")[0]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An agent with D, as the guide says it."""
    values = [word for word in knobs() if not word.startswith("-DDP_PORT_STACK_BYTES")]
    return linked(tmp_path_factory.mktemp("whole"), E, "sifive_e", [*values, "-DDP_WITH_D=1", "-DDP_WITH_LANGUAGE=1"])


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """RV64, with all that an agent can be but for the rights to change the firmware."""
    return linked(tmp_path_factory.mktemp("wide"), U, "sifive_u", ["-DDP_RISCV_TRIGGERS=2"])[0]


class Sifive(OwnFirmware):
    def __init__(self, qemu, elf, dprobes, folder, *lines):
        """The line is TCP: these UARTs of QEMU's do not wait for room, and a unix socket has room for some 270 characters that
        are sent one by one."""
        self._dprobes, self.elf, self.folder = dprobes, elf, folder
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._port = f"tcp:127.0.0.1:{listener.getsockname()[1]}"
            self.child = process.start([
                program(qemu[0]), *qemu[1:], "-nodefaults", "-display", "none", "-no-reboot", "-chardev",
                f"socket,id=com1,fd={listener.fileno()},server=on,wait=off", "-serial", "chardev:com1", *lines, "-kernel", elf],
                stdin=subprocess.DEVNULL, pass_fds=(listener.fileno(),))

    def _words(self, words):
        return [*words, "--port", self._port, *([] if words[0] in ("console", "list", "remove") else ["--elf", self.elf])]

    def insert(self, name, source):
        path = self.folder / f"{name}.dp"
        path.write_text(f'name = "{name}"\n{source}', encoding="ascii")
        return self.run("insert", path)

    def points(self, name, *places):
        return self.insert(name, "".join(f"offset = {place}\nminor = {n}\nexit\n" for n, place in enumerate(places, 1)))

    def probe(self, name):
        found, = self("list", name, "--format", "json").objects()
        return found["probes"][0]

    def free(self):
        info, = self("info", "--format", "json").objects()
        assert info["strays"] == 0 and info["code_comparators"] == info["data_comparators"] == COMPARATORS
        assert info["code_comparators_free"] == info["data_comparators_free"]
        return info["code_comparators_free"]

    def typed(self, text, until):
        return self._dprobes(*self._words(["console", "--until", until]), stdin=text)

    def has_its_text(self):
        assert "the same as in" in self("info", "--verify-text").stdout


@pytest.fixture
def start(dprobes, tmp_path):
    """start(ELF, command): a firmware that ends with the test. lines: options of lines behind com1."""
    machines = []

    def started(elf, command, *lines):
        machines.append(Sifive(command, elf, dprobes, tmp_path, *lines))
        return machines[-1]

    yield started
    for machine in machines:
        machine.close()


@pytest.fixture
def flash(small, start):
    return start(small[0], FLASH)


def test_session_in_flash(flash):
    """Insert, hits, records, no comparator left, one free again: no store changes the text."""
    assert flash.free() == COMPARATORS
    assert flash.insert("both", "offset = mix\nminor = 1\npush r, ra\nlog 1\nexit\noffset = tick\nminor = 2\npush r, pc\nlog 1\nexit\n").status == 0
    both, = flash("list", "both", "--format", "json").objects()
    assert [(probe["means"], probe["comparator"]) for probe in both["probes"]] == [("comparator", 0), ("comparator", 1)]
    records = [record for record in flash("log", "--count", "40", "--format", "json").objects() if record["kind"] == "log"]
    at = symbols(CROSS, flash.elf)
    entry, caller = ({int.from_bytes(bytes.fromhex(record["data"]), "little") for record in records if record["minor"] == minor} for minor in (2, 1))
    assert entry == {at["tick"]} and all(at["work"] < address < at["work"] + 200 for address in caller) and caller, records
    refused = flash.points("more", "work")
    assert refused.status == 4 and NO_ROOM in refused.stderr, refused.stderr
    flash.has_its_text()
    flash("remove", "both")
    assert flash.free() == COMPARATORS and flash.points("more", "work").status == 0 and flash.free() == COMPARATORS - 1
    process.eventually(lambda: flash.hits("more")[0] > 10, "hits behind the removal")
    flash("remove", "--all")
    assert flash.free() == COMPARATORS
    flash.has_its_text()


def test_watchpoint_in_flash(flash):
    """Who writes this variable? Each write is one hit: the instruction writes behind the one before it."""
    said = flash("-n", 'watch::total.rounds:w { printf("%a %d\\n", pc, total.rounds); }', "--count", "20", "-q").stdout.split()
    rounds = [int(value) for value in said[1::2]]
    assert {where.split("+")[0] for where in said[::2]} == {"work"} and rounds == list(range(rounds[0], rounds[0] + 20)), said
    assert flash.free() == COMPARATORS
    flash.has_its_text()


def test_d_in_flash(flash):
    """Arguments and results of D, without the features of D."""
    lines = flash("-n", 'mix:entry /arg0 > 8/ { printf("%d %a\\n", arg0, caller); }', "--count", "10", "-q").stdout.splitlines()
    assert len(lines) == 10 and all(int(value) > 8 and where.startswith("work+") for value, where in map(str.split, lines))
    results = flash("-n", 'work:return { printf("%d\\n", arg1); }', "--count", "10", "-q").stdout.split()
    assert len(set(results)) > 5


def test_doctor_in_flash(flash):
    """Nothing is wrong: the slots are far from the text, and a comparator stops the CPU."""
    report = flash("doctor", "--probe", "work").stdout
    assert re.search(r"^ok +traps in the text: the text cannot be written: comparator \d stops the CPU$", report, re.M), report
    assert re.search(r"^not known +slots in reach: memory_slots at 0x8\w+ is too far from the text", report, re.M), report
    assert re.search(r"^ok +probe counted: work", report, re.M) and "\nwrong" not in report, report
    share = re.search(r"^ok +text that can be probed: (\d+) of \d+ instructions .*%\): (\d+) by a comparator \((\d) in all, (\d) free\)", report, re.M)
    assert share and share[1] == share[2] and int(share[3]) == COMPARATORS, report
    assert flash.free() == COMPARATORS


def test_memory_of_a_part_with_16_kb(small, start, tmp_path):
    """What the linker counts, and the two stacks behind hits, records and requests."""
    elf, bytes_ = small
    flash = start(elf, (*FLASH, *gdbstub.options(tmp_path / "gdb")))
    assert flash.points("each", "mix", "tick").status == 0
    process.eventually(lambda: min(flash.hits("each")) > 20, "hits")
    flash("remove", "--all")
    flash("-n", 'work:return { printf("%d\\n", arg1); }', "--count", "10", "-q")
    info, = flash("info", "--format", "json").objects()
    at = symbols(CROSS, flash.elf)
    bottom, top = at["__stack_start"], at["__stack_end"]
    with gdbstub.Stub(tmp_path / "gdb") as stub:
        stack = stub.read(bottom, top - bottom)
    used, hits = len(stack.lstrip(b"\x6b")), info["limits"]["stack_high_water"]
    print(f"sifive_e: RAM {bytes_} of {RAM} bytes, the firmware's stack {used} of {len(stack)}, the agent's {hits} of {AGENT_STACK}")
    assert bytes_ <= RAM
    sizes = {name: int(size, 16) for size, name in re.findall(r"^\w+ (\w+) \w (memory_\w+)$", subprocess.run(
        [program(CROSS + "nm"), "-S", elf], capture_output=True, text=True, check=True).stdout, re.M)}
    assert abs(told(r"the agent takes ([\d.]+) KB") - sum(sizes.values()) / 1024) < 0.3, sizes
    assert abs(told(r"`dprobes_poll` takes ([\d.]+) KB") - used / 1024) < 0.3, used
    assert used <= len(stack) * 3 // 4 and 0 < hits <= AGENT_STACK * 3 // 4


@pytest.mark.nightly
def test_console_beside_records_in_flash(flash):
    """The firmware's shell answers on the line that has the records."""
    assert flash.insert("log", "offset = tick\npush 7\nlog 1\nexit\n").status == 0
    console = flash.typed("x", "<x>")
    assert console.status == 0 and "<x>" in console.stdout, console
    flash("remove", "--all")


@pytest.mark.nightly
@pytest.mark.parametrize("mode", ["buffered", "synchronous"])
def test_records_on_the_second_line(two_lines, start, tmp_path, mode):
    """com1 carries requests and the console, com2 the record of each hit, in order."""
    com2 = tmp_path / "com2"
    flash = start(two_lines, (*FLASH, "-chardev", f"file,id=com2,path={com2}"), "-serial", "chardev:com2")
    source = tmp_path / "counted.dp"
    at = symbols(CROSS, flash.elf)["ticks"]
    source.write_text(f'name = "counted"\noffset = tick\npush {at:#x}\npush mem, u32\nlog 1\nexit\n')
    flash("insert", source, "--log-target", "com2", "--log-mode", mode)
    info, = flash("info", "--format", "json").objects()
    assert (info["line"], info["log_target"], info["log_mode"]) == ("com1", "com2", mode)

    def words():
        """The ticks of the records that have come whole."""
        lines = re.findall(r"~([RS])[0-9A-F]{4}([0-9A-F]+)[0-9A-F]{4}\n", com2.read_text(encoding="ascii"))
        return [int.from_bytes(record.body, "little") for kind, digits in lines for record in wire.read_records(digits[16 if kind == "S" else 8:], 0)]

    process.eventually(lambda: len(words()) > 100, "records on com2")
    console = flash.typed("x", "<x>")
    assert console.status == 0 and "<x>" in console.stdout and "~R" not in console.stdout, console
    seen = len(words())
    process.eventually(lambda: len(words()) > seen + 20, "records behind the console")
    flash("remove", "--all")
    ticks = words()
    assert ticks == list(range(ticks[0], ticks[0] + len(ticks)))
    flash.has_its_text()


@pytest.mark.nightly
def test_every_instruction_in_flash(flash):
    """Two at a time, as many as there are comparators: those are hit, and none changes a result."""
    found, never = flash.probe_each(CROSS, PROBED, COMPARATORS, 10, 0.5)
    assert len(found) > 60
    assert never < 0.2 * len(found)
    assert flash.free() == COMPARATORS
    flash.has_its_text()


@pytest.mark.parametrize("kind", ["w", pytest.param("rw", marks=pytest.mark.nightly)])
def test_exclusives(flash, kind):
    """lr and sc run in place: the watchpoint pauses until the next poll, counted, and no loop is endless. An AMO is a hit."""
    assert flash.insert("swapped", f"address = swapped : swapped + 3\nwatchpoint = {kind}\nabort\n").status == 0
    assert flash.insert("added", f"address = added : added + 3\nwatchpoint = {kind}\nabort\n").status == 0

    process.eventually(lambda: flash.probe("swapped")["paused"] > 5 and flash.probe("added")["hits"] > 5, "accesses")
    first, then = flash.probe("swapped"), flash.probe("swapped")  # a reading has the count of pauses behind the others
    assert first["missed"] <= first["paused"] <= then["missed"] and (kind == "rw" or then["hits"] == 0), (first, then)
    added = flash.probe("added")
    assert added["paused"] == added["missed"] == 0, added
    assert "paused" in flash("list", "swapped").stdout
    flash("remove", "--all")
    assert flash.free() == COMPARATORS


@pytest.mark.nightly
def test_no_triggers(small, start):
    """A CPU without them: tselect is an illegal instruction. What needs a trigger is refused, and the firmware goes on."""
    flash = start(small[0], (*FLASH, "-cpu", "sifive-e31,debug=false"))
    info, = flash("info", "--format", "json").objects()
    assert info["code_comparators"] == info["data_comparators"] == 0, info
    assert info["lacks"] == "the CPU has no unit with comparators of instructions"
    refused = flash.points("mix", "mix")
    assert refused.status == 4 and "the agent cannot write the address: flash" in refused.stderr, refused.stderr
    watched = flash.insert("w", "address = total : total + 3\nwatchpoint = w\nabort\n")
    assert watched.status == 4 and "no comparator for that kind" in watched.stderr, watched.stderr
    assert flash("list", "--format", "json").objects() == []
    flash.has_its_text()


@pytest.mark.nightly
def test_d_in_16_kb(whole, small, start):
    """Counts by caller, and the values before and behind a write, with all of it in 16 KB."""
    assert whole[1] <= RAM and abs(told(r"takes ([\d.]+) KB more") - (whole[1] - small[1]) / 1024) < 0.3, (whole[1], small[1])
    flash = start(whole[0], FLASH)
    counted = flash("-n", "mix:entry { @[caller] = count(); } tick:entry /++n == 100/ { exit(0); }").stdout
    assert re.search(r"work\+0x[0-9a-f]+\s+\d+", counted), counted
    said = flash("-n", 'watch::total.rounds:w { printf("%d %d\\n", wpold, wpnew); }', "--count", "20", "-q").stdout.splitlines()
    assert len(said) == 20 and all(int(new) == int(old) + 1 for old, new in map(str.split, said)), said
    assert flash.free() == COMPARATORS
    flash.has_its_text()


@pytest.mark.nightly
def test_d_without_stream(tmp_path):
    """It links: without STREAM the port has no clock."""
    values = [word for word in knobs() if not word.startswith("-DDP_WITH_STREAM")]
    linked(tmp_path, E, "sifive_e", [*values, "-DDP_WITH_D=1", "-DDP_WITH_LANGUAGE=1"])


@pytest.mark.nightly
def test_session_in_ram(wide, start):
    """RV64, on the hart without floating point: traps, watchpoints by triggers, each instruction; the console's line has both."""
    ram = start(wide, ("qemu-system-riscv64", "-M", "sifive_u", "-nic", "none", *BARE))
    assert ram.free() == COMPARATORS
    lines = ram("-n", 'mix:entry /arg0 > 8/ { printf("%d %a\\n", arg0, caller); }', "--count", "10", "-q").stdout.splitlines()
    assert len(lines) == 10 and all(int(value) > 8 and where.startswith("work+") for value, where in map(str.split, lines))
    text = ram("-n", """int n; mix:entry { @entered = count(); } mix:return { @left = count(); } tick:entry { n++; } tick:entry /n > 100/ { exit(0); }""").stdout
    entered, left = (int(count) for count in re.findall(r"^ +(\d+)$", text, re.M)[:2])
    assert entered > 20 and 0 <= entered - left <= 1, text
    said = ram("-n", 'watch::total.rounds:w { printf("%a %d %d\\n", pc, wpold, wpnew); }', "--count", "20", "-q").stdout.splitlines()
    assert len(said) == 20 and all(where.startswith("work+") and int(new) == int(old) + 1 for where, old, new in map(str.split, said)), said
    assert ram.insert("swapped", "address = swapped : swapped + 3\nwatchpoint = w\nabort\n").status == 0
    process.eventually(lambda: ram.probe("swapped")["paused"] > 5, "pauses behind sc")
    ram("remove", "swapped")
    found, never = ram.probe_each(CROSS, PROBED, AT_ONCE, 10, 0.7)
    assert len(found) > 60
    assert never < 0.2 * len(found)
    ram.has_its_text()
