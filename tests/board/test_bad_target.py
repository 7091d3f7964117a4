# SPDX-License-Identifier: BSD-2-Clause
"""What a real board refuses, and how a line to one ends: each case with its sentence and exit status,
text and agent unchanged behind it, and the next good request works.

Where the rest of the bad input is:
  source, ELF, object   each with a live agent that must not change, and a good program behind it: test_bad_input.py
  source    unknown keyword, instruction, register, symbol; missing name; wrong operand:
            compile_fail/*.dp: messages, places, carets
  ELF       not an ELF, another CPU, no symbols (stripped), damaged: test_elf.py; another build-id: here,
            and byte by byte in test_link.py::test_another_image
  object    truncated, wrong magic, wrong CRC, wrong version: test_object_file.py (file),
            test_agent_refusals.c and fuzz/fuzz_object.c (agent)
  target    here; every verdict with its sentence: test_link.py::test_verdicts; nothing changed after
            each: test_agent_refusals.c
  link      no such device: test_transport.py; permission denied, another program holds the port, on a
            serial device (through the pty shim) and the real agent: test_serial_target.py; here on a board: no answer, another program holds
            the port, QEMU killed, warm and cold restart

`whole` is the agent with all parts, `small` the one of at most 17.5 KB: it says the same, but not where in the
object and what was found there (part DETAILS).
"""
import re
import struct
import zlib

import pytest

import cpus
from harness import paths, ppdf, process
from harness.tool import Tool
from harness.typist import Typist

OTHER_CPU = cpus.names()[-1]

BOARD = "vexpress-a9"
GOOD = "offset = queue_put\nminor = 1\npush 1\nlog 1\nexit\n"
FIRMWARE = {"whole": "demo.elf", "small": "small/small.elf"}
both = pytest.mark.parametrize("size", ["whole", pytest.param("small", marks=pytest.mark.nightly)])


def firmware(size):
    return paths.built("boards", BOARD, FIRMWARE[size])


# Laid over mix_long, which only the self-test runs: what no compiler puts into the demo.
WORDS = {
    "ldrex": 0xE1901F9F, "window": 0xE2811001, "strex": 0xE1802F91, "cps": 0xF102001F, "spsr": 0xE169F000,
    "svc": 0xEF000001, "hvc": 0xE1400070, "rfe": 0xF8BD0A00, "undefined": 0xE7F000F0, "wfi": 0xE320F003,
    "jtag": 0xE1200070, "linux": 0xE7F001F0, "ours": 0xE7F001F8,
}


def spot(name):
    return f"mix_long + {4 * list(WORDS).index(name)}"


def segment(data):
    """(offset in the file, address) of the ELF's code."""
    headers, count = struct.unpack_from("<I", data, 28)[0], struct.unpack_from("<H", data, 44)[0]
    for i in range(count):
        kind, offset, address, _, _, _, flags, _ = struct.unpack_from("<8I", data, headers + 32 * i)
        if kind == 1 and flags & 1:
            return offset, address
    raise AssertionError("no code")


class Target:
    """A board with its tool, and what must not change."""

    def __init__(self, machine, dprobes, elf, folder, port="com1"):
        self.machine, self.tool, self.elf, self.folder, self.port = machine, dprobes, elf, folder, port

    def run(self, *args, **options):
        return self.tool(*args, "--port", self.machine.url(self.port), **options)

    def insert(self, source, *args, elf=True, name="t"):
        path = self.folder / f"{name}.dp"
        if source is not None:
            path.write_text(source if source.startswith("name") else f'name = "{name}"\n{source}')
        return self.run("insert", path, *(["--elf", elf if elf is not True else self.elf] if elf else []), *args)

    def state(self):
        """Everything a refusal must leave alone."""
        info, = self.run("info", "--format", "json").objects()
        keep = {key: info[key] for key in ("programs", "probes", "log_target", "log_mode", "strays", "boot")}
        keep.update({key: info["limits"].get(key) for key in ("arena_free", "probes_free", "slots_free")})
        text = self.run("info", "--verify-text", "--elf", self.elf, "--format", "json")
        listing = re.sub(r'"(hits|missed)":\d+', "", self.run("list", "--format", "json").stdout)
        return keep, text.stdout, listing

    def settled(self, name):
        """The state when the program's last hit has been, its record has left and its slot is free."""
        def rested():
            program, = self.run("list", name, "--format", "json").objects()
            return all(probe["state"] == "disabled: maxhits" for probe in program["probes"])
        process.eventually(rested, f"the last hit of {name}")
        states = [self.state()]
        process.eventually(lambda: states.append(self.state()) or states[-1] == states[-2], "a state that stays")
        return states[-1]

    def refused(self, case, run, status, *words):
        assert run.status == status, f"{case}: status {run.status}: {run.stderr}"
        for word in words:
            assert word in run.stderr, f"{case}: {word!r} not in {run.stderr}"
        assert "Traceback" not in run.stderr and run.stderr.count("\n") <= 6, run.stderr

    def unchanged(self, case, before):
        if self.state() != before:  # a slot that was given back waits for a quiet moment
            process.eventually(lambda: self.state() == before, f"{case}: the state before")

    def works(self):
        before = self.state()
        run = self.insert(GOOD, name="good")
        assert run.status == 0, run.stderr
        assert self.run("remove", "good").status == 0
        self.unchanged("a good request", before)


@pytest.fixture
def patched(tmp_path, size):
    """The demo with the words in it; its build-id stays, its text does not."""
    data = bytearray(firmware(size).read_bytes())
    offset, address = segment(data)
    at = symbol("mix_long", size) - address + offset
    for n, word in enumerate(WORDS.values()):
        struct.pack_into("<I", data, at + 4 * n, word)
    path = tmp_path / "patched.elf"
    path.write_bytes(data)
    return path


def symbol(name, size):
    rows = Tool()("symbols", "--elf", firmware(size), "--format", "json", name).objects()
    return int(next(row["address"] for row in rows if row["name"] == name), 16) & ~1


def rebuilt(path, change):
    """A .ppdf with its travelling part changed and its CRC right again."""
    data = bytearray(path.read_bytes())
    change(data)
    length = struct.unpack_from(">I", data, 8)[0]
    struct.pack_into(">I", data, length - 4, zlib.crc32(data[:length - 4]))
    path.write_bytes(data)


def second_half(data):
    """The first point, two bytes further."""
    points = ppdf.place(data, ppdf.POINTS_SECTION)
    address, before = struct.unpack_from(">II", data, points + 4)
    struct.pack_into(">II", data, points + 4, address + 2, before + 2)


# proves: A1.8 P3.3 P3.8 P3.9 P3.11
@both
def test_target(qemu, dprobes, patched, tmp_path, size):
    machine = qemu(BOARD, elf=patched).free_when_up()
    target = Target(machine, dprobes, patched, tmp_path)
    plain = firmware(size)
    # One address can have one probe only without CHAINS, and the good request is at queue_put.
    standing = GOOD if size == "whole" else GOOD.replace("queue_put", "timer_isr")
    assert target.insert(standing.replace("minor = 1", "minor = 1\nmaxhits = 1"), name="standing").status == 0
    before = target.settled("standing")

    def case(name, run, status, *words, details=()):
        target.refused(name, run, status, *words, *(details if size == "whole" else ()))
        target.unchanged(name, before)

    # Another build-id: told before a byte is sent, with both numbers.
    other = bytearray(patched.read_bytes())
    note = other.index(b"GNU\0") + 4
    other[note] ^= 0xFF
    (tmp_path / "other.elf").write_bytes(other)
    case("build-id", target.insert(GOOD, elf=tmp_path / "other.elf"), 4, "built against another firmware image",
         bytes(other[note:note + 20]).hex(), patched.read_bytes()[note:note + 20].hex())

    # Opcode mismatch: found on the host where there is an ELF, on the target where not.
    case("opcode, host", target.insert("offset = queue_put\nopcode = 0x12345678\nexit\n"), 1,
         "'opcode' is 0x12345678, but the instruction at", "t.dp:3:1")
    case("opcode, target", target.insert("offset = mix_long\nexit\n", elf=plain), 4,
         "is not the instruction that the program expects", details=("found 0xe1901f9f", "probe point 0"))

    # Places. Without an ELF the host cannot know; the target does.
    for name, address, words in [
            ("data", symbol("sensor_queue", size), "not in the firmware's text"),
            ("nothing there", 0x20000000, "not in the firmware's text"),
            ("device", 0x10009000, "not in the firmware's text"),
            ("agent's state", symbol("memory_storage", size), "inside the agent"),
            ("vectors", symbol("__vectors_moved", size), "inside the agent, its vectors"),
            ("keep area", symbol("memory_keep", size), "inside the agent"),
    ]:
        run = target.insert(f"address = {address:#x}\nopcode = 0xe1a00000\nexit\n", "--cpu", "arm", elf=False)
        case(name, run, 4, words, details=(f"0x{address:08x}",))
    case("inside the agent", target.insert("offset = dprobes_exception\nexit\n"), 4, "inside the agent")
    case("the UART path it sends through", target.insert("offset = board_uart_put\nexit\n"), 4, "not probeable")
    case("exception entry", target.insert("offset = arch_irq_entry\nexit\n"), 4, "inside the agent, its vectors")
    case("FIQ entry", target.insert("offset = arch_fiq_entry\nexit\n"), 4, "a range the board declares not probeable")
    case("misaligned, by the ELF", target.insert("offset = mix_bytes + 2\nexit\n"), 1, "use a multiple of 4")
    case("second half, by the ELF", target.insert("offset = queue_put + 2\nexit\n"), 1,
         "in the middle of a 32-bit thumb instruction")
    misaligned = tmp_path / "misaligned.ppdf"
    source = tmp_path / "misaligned.dp"
    source.write_text('name = "t"\nlogmax = 128\nexcpt_log = 0\noffset = mix_bytes\nexit\n')
    assert dprobes("build", "--elf", patched, source, "-o", misaligned).status == 0
    rebuilt(misaligned, second_half)
    case("misaligned, by the target", target.run("insert", misaligned), 4, "not the start of an instruction")
    half = tmp_path / "half.ppdf"
    source = tmp_path / "half.dp"
    source.write_text('name = "t"\nlogmax = 128\nexcpt_log = 0\noffset = queue_put\nexit\n')
    assert dprobes("build", "--elf", patched, source, "-o", half).status == 0
    rebuilt(half, second_half)
    case("second half, by the target", target.run("insert", half, "--dont-verify-opcodes"), 4,
         "not the start of an instruction")

    # Breakpoints of another debugger: the ELF has another word, or none is expected.
    for name in ("jtag", "linux", "ours"):
        case(f"breakpoint {name}", target.insert(f"offset = {spot(name)}\nexit\n", elf=plain), 4,
             "already holds a breakpoint of another debugger; remove the breakpoint in that debugger", details=(f"found {WORDS[name]:#010x}",))
        case(f"breakpoint {name}, unverified",
             target.insert(f"offset = {spot(name)}\nexit\n", "--dont-verify-opcodes", elf=plain), 4,
             "already holds a breakpoint of another debugger")

    # The same words, and the ELF has them: the firmware's own. The small agent does not say what it found.
    for name in ("jtag", "linux", "ours") if size == "whole" else ():
        case(f"trap word {name}", target.insert(f"offset = {spot(name)}\nexit\n"), 4, "cannot be probed",
             "trap instruction of the firmware", details=(f"found {WORDS[name]:#010x}",))

    # Instructions that cannot be stepped, each with its reason.
    mode = {"whole": "changes the CPU mode", "small": "does not step instructions of this class"}[size]
    for name, words in [
            ("ldrex", "load-exclusive/store-exclusive"), ("strex", "load-exclusive/store-exclusive"),
            ("cps", mode), ("spsr", mode),
            ("svc", "enters the supervisor"), ("rfe", "returns from an exception"),
            ("undefined", "breakpoint or trap instruction of the firmware"),
    ]:
        case(name, target.insert(f"offset = {spot(name)}\nexit\n"), 4, "cannot be probed", words,
             details=(f"found {WORDS[name]:#010x}",))
    case("exclusive window", target.insert(f"offset = {spot('window')}\nexit\n"), 4,
         "between a load-exclusive and its store-exclusive")
    case("one bad point of two", target.insert(GOOD + f"offset = {spot('svc')}\nminor = 2\nexit\n"), 4,
         "cannot be probed", "enters the supervisor", details=("probe point 1 (minor 2",))

    # Names.
    case("name in use", target.insert(GOOD, name="standing"), 4, "is installed already", "--merge", "--replace")
    assert target.insert(GOOD, "--merge", name="standing").status == 0
    assert target.run("list", "--format", "json").stdout.count('"standing"') == 2
    assert target.insert(GOOD, "--replace", name="standing").status == 0
    assert target.run("list", "--format", "json").stdout.count('"standing"') == 1
    assert target.insert(GOOD.replace("minor = 1", "minor = 1\nmaxhits = 1"), "--replace", name="standing").status == 0
    before = target.settled("standing")

    # Rights: the demo's agent is built to read only.
    write = "offset = queue_put\npush sensor_queue\npush 1\npop mem, u32\nexit\n"
    case("write", target.insert(write), 1, "changes the firmware; allow it with --write")
    case("write, asked for", target.insert(write, "--write"), 4, "DP_PROFILE_FULL", details=("the agent's build",))
    case("no such program", target.run("remove", "nobody"), 4, "no program 'nobody' is installed")

    sim = tmp_path / "sim.dp"
    sim.write_text('name = "t"\naddress = 0x60018554\nopcode = 1\nexit\n')
    case("another CPU", target.run("insert", sim, "--cpu", OTHER_CPU), 2, f"built for {OTHER_CPU}", "the target is arm")
    target.works()


# Of an agent: probe points of which two programs are too many, and programs that fit.
TABLES = {"whole": (40, 16), "small": (10, 4)}


@both
def test_full_tables(qemu, dprobes, tmp_path, size):
    machine = qemu(BOARD, elf=firmware(size)).free_when_up()
    target = Target(machine, dprobes, firmware(size), tmp_path)
    many, programs = TABLES[size]

    def free(n):
        """An instruction that nothing runs; of the small agent each time another one."""
        return f"offset = mix_long + {4 * n}\n" if size == "small" else "offset = queue_init\n"

    def some(first, count):
        return "".join(f"{free(first + n)}minor = {n + 1}\nexit\n" for n in range(count))

    empty = target.state()

    assert target.insert(some(0, many), name="many").status == 0
    before = target.state()
    target.refused("probe table", target.insert(some(many, many), name="more"), 4, "probe or program table is full")
    target.unchanged("probe table", before)
    target.works()
    assert target.run("remove", "--all").status == 0

    code = "push 0x123456\npop lv, 1\n" * (600 if size == "whole" else 150) + "exit\n"
    installed = 0
    while installed < 10:
        before = target.state()
        run = target.insert(f'name = "big{installed}"\nvars = 4\n{free(installed)}{code}', name=f"big{installed}")
        if run.status != 0:
            break
        installed += 1
    assert installed >= 2
    target.refused("arena", run, 4, " bytes are free; remove another program ('dprobes list' shows the programs), or shorten this one")
    target.unchanged("arena", before)
    target.works()
    assert target.run("remove", "--all").status == 0

    for n in range(programs):
        assert target.insert(f"{free(n)}exit\n", name=f"p{n}").status == 0
    before = target.state()
    target.refused("program table", target.insert(f"{free(programs)}exit\n", name="late"), 4,
                   "probe or program table is full")
    target.unchanged("program table", before)
    assert target.run("remove", "p3").status == 0
    target.works()
    assert target.run("remove", "--all").stdout == f"removed: {programs - 1} program(s)\n"
    target.unchanged("all removed", empty)


def test_nobody_answers(qemu, dprobes):
    """A CPU that stands still, and a line that another program has."""
    machine = qemu(BOARD, hold=(), extra=("-S",))
    run = dprobes("list", "--port", machine.url("com1"))
    assert run.status == 3 and "no answer on unix:" in run.stderr and "--baud" in run.stderr
    running = qemu(BOARD, hold=("com1",))
    run = dprobes("list", "--port", running.url("com1"))
    assert run.status == 3 and "serves another program" in run.stderr and "still serves another program" in run.stderr
    assert dprobes("list", "--port", running.url("com2")).status == 0
    run = dprobes("list", "--port", "unix:/nonexistent/com1")
    assert run.status == 3 and "no such socket" in run.stderr


def streaming(qemu, dprobes, tmp_path, size):
    """A board with a probe that streams to com2, and the shell on com1."""
    machine = qemu(BOARD, elf=firmware(size), hold=("com1",))
    machine.com1.expect("demo>")
    target = Target(machine, dprobes, firmware(size), tmp_path, "com2")
    assert target.insert(GOOD, name="stream").status == 0
    running = dprobes.start("log", "--port", machine.url("com2"), "--log-target", "com2")
    running.out.expect(r"DProbes\(0,1\)")
    return machine, target, running


@both
def test_qemu_killed_in_mid_stream(qemu, dprobes, tmp_path, size):
    machine, target, running = streaming(qemu, dprobes, tmp_path, size)
    machine.com1.send("load on\n")
    machine.com1.expect("load is on")
    running.out.expect(r"(DProbes\(0,1\) .*\n){50}")
    machine.kill()
    run = running.wait()
    assert run.status == 3 and "closed at the other end (QEMU ended" in run.stderr
    run = target.run("list")
    assert run.status == 3 and "no process listens on" in run.stderr
    target.machine = qemu(BOARD, elf=firmware(size)).free_when_up()
    assert target.run("list", "--format", "json").stdout == ""
    target.works()


# Without RESTART each start loads the text anew.
restarts = pytest.mark.parametrize("how, size", [("warm", "whole"), ("cold", "whole"), ("cold", "small")])


# proves: A2.1 A3.19
@restarts
def test_restart_in_mid_stream(qemu, dprobes, tmp_path, how, size):
    machine = qemu(BOARD, elf=firmware(size)).free_when_up()
    line = Typist(tmp_path / "line", machine.path("com1"))
    target = Target(machine, dprobes, firmware(size), tmp_path)
    target.machine = type("Line", (), {"url": staticmethod(lambda port: line.url)})
    assert target.insert(GOOD, name="stream").status == 0
    running = dprobes.start("log", "--port", line.url)
    line.type("load on\n")
    running.out.expect(r"(DProbes\(0,1\) .*\n){50}")
    del line.text[:]
    line.type("reboot\n" if how == "warm" else "reboot cold\n")
    run = running.wait()
    line.wait(rb"(?s)dprobes demo kernel on.*demo>")
    assert run.status == 3
    assert ("has ended this session: the target was restarted, or" if size == "small" else
            "the target was restarted (boot 1, now 2): its probes are lost; insert them again") in run.stderr
    # A warm restart finds the trap in its text and takes it out; a cold one loads the image anew.
    assert target.run("info", "--verify-text", "--elf", target.elf).status == 0
    run = target.run("info", "--format", "json")
    assert run.status == 0, run.stderr
    info, = run.objects()
    assert info["boot"] == 2 or size == "small"
    assert info["programs"] == 0 and info["strays"] == 0
    target.works()
    console = dprobes("console", "--port", line.url, "--until", "selftest: crc f7ab821a",
                      stdin="selftest 1\n")
    assert console.status == 0, console.stdout
    line.close()


@restarts
def test_restart_on_the_other_line(qemu, dprobes, tmp_path, how, size):
    """The agent begins anew on com1 and does not know who listened on com2: he asks, and is told."""
    machine, target, running = streaming(qemu, dprobes, tmp_path, size)
    machine.com1.send("reboot\n" if how == "warm" else "reboot cold\n")
    run = running.wait()
    assert run.status == 3 and "has ended this session: the target was restarted, or" in run.stderr
    machine.com1.expect("demo>")
    target.works()
