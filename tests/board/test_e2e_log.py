# SPDX-License-Identifier: BSD-2-Clause
"""From program text to records on the boards: formats, statuses, modes and lines, what counts hits,
and probes where they are hard on the firmware."""
import re
import subprocess

import pytest

import cpus
from harness import paths, process, rated_line
from harness.demo_bench import CRC, Bench, order_of, word_of
from harness.qemu import parameters
from harness.typist import Typist, console_of, shell_text, without_beginnings

BOARDS = ["vexpress-a9", "versatilepb"]
TICK = 'name = "tick"\nmajor = 4\noffset = timer_isr\nminor = 7\npush 0x01020304\nlog 1\nexit\n'


@pytest.mark.parametrize("board", BOARDS)
def test_formats(qemu, dprobes, tmp_path, board):
    bench = Bench(qemu, dprobes, tmp_path, board)
    pc = bench.address("timer_isr")
    source = bench.file(TICK)
    for option, place, behind, time_, word in (
            (["--no-names"], f"{pc:08x}", "", "[0-9a-f]{8}:[0-9a-f]{8}", "04030201"),
            ([], "timer_isr", r" \(timer_isr\)", r"\d+\.\d{8}s", "0x1020304")):
        run = bench.good("run", source, "--elf", bench.elf, "--count", "3", "--log", "all", *option)
        records, hits = run.lines()[:3], run.lines()[3]
        for record in records:
            assert re.fullmatch(rf"DProbes\(4,7\) cpu=0 name=\w+ pid=\d+ pc={place} sp=[0-9a-f]{{8}} "
                                f"tsc={time_} {word}", record), record
        assert re.fullmatch(rf"hits: tick minor 7 at 0x{pc:08x}{behind}: \d+", hits)

    bench.insert(TICK, "--log", "pid name")
    # Absolute time is known from the first sync on; there is one each second.
    rows = bench.good("log", "--format", "json", "--count", "1500").objects()
    assert len(rows) == 1500 and all(row["kind"] == "log" for row in rows)
    for row in rows:
        assert (row["program"], row["major"], row["minor"], row["data"]) == ("tick", 4, 7, "04030201")
        assert isinstance(row["pid"], int) and row["name"].isalnum() and "pc" not in row
    timed = [row for row in rows if "ticks" in row]
    assert timed and rows[-1] is timed[-1]
    assert all(late["ticks"] > early["ticks"] and late["seconds"] > early["seconds"]
               for early, late in zip(timed, timed[1:]))

    run = bench.good("log", "--format", "raw", "--count", "5")
    assert run.lines() and all(re.fullmatch(r"~[RSPYN][0-9A-F]+", line) for line in run.lines())
    assert any("1020304" in line for line in run.lines())

    program = bench.programs()["tick"]
    (probe,) = program["probes"]
    assert (program["items"], program["state"], probe["state"]) == ("name,pid", "armed", "armed")
    assert int(probe["address"], 16) == pc and probe["hits"] > 10
    text = bench.good("list").stdout
    assert re.search(rf"^tick: program 0, id 0, major 4, armed, 1 probe\(s\), logs name,pid$", text, re.M)
    assert re.search(rf"^  minor 7 at 0x{pc:08x}.*: armed, \d+ hit\(s\)", text, re.M)
    assert bench.good("remove", "tick").stdout == "removed: 1 program(s)\n"
    bench.clean()


def test_ends_of_a_stream(qemu, dprobes, tmp_path):
    bench = Bench(qemu, dprobes, tmp_path)
    bench.insert(TICK.replace("0x01020304\nlog 1", "r, arg0\nlog 1\ninc lv, 0\npush lv, 0\nlog 1")
                 .replace("major = 4", "major = 4\nvars = 1"))
    run = bench.good("log", "--count", "4")
    assert len(run.lines()) == 4
    assert bench.good("log", "--timeout", "3").stdout.count("DProbes(4,7)") > 10
    run = bench.good("log", "--until", "[0-9a-f]{8}..(0[0-9]|80)0000$", "--timeout", str(process.TIMEOUT_S))
    assert re.search("(0[0-9]|80)0000$", run.lines()[-1])
    bench.clean()
    bench.insert('name = "never"\noffset = queue_init\nexit\n')
    run = bench.run("log", "--count", "1", "--timeout", "0.5")
    assert run.status == 124 and "timed out after 0.5 s, 0 of 1 record(s)" in run.stderr and run.stdout == ""
    run = bench.run("run", bench.file('name = "again"\noffset = queue_init\nexit\n'), "--elf", bench.elf,
                    "--until", "x", "--timeout", "0.5")
    assert run.status == 124 and "again" not in bench.programs()
    assert bench.good("log", "--timeout", "0.3").stdout == ""
    running = dprobes.start("run", bench.file(TICK), "--elf", bench.elf, *bench.options)
    running.out.expect("DProbes")
    run = running.interrupt()
    assert run.status == 130 and "hits: tick minor 7" in run.stdout and "tick" not in bench.programs()
    bench.clean()


# proves: R5.27
def test_two_programs_at_one_address(qemu, dprobes, tmp_path):
    bench = Bench(qemu, dprobes, tmp_path)
    first = 'name = "one"\noffset = timer_isr\nminor = 1\npush 1\nlog 1\nexit\n'
    bench.insert(first, name="one")
    bench.insert(first.replace("one", "two").replace("minor = 1\npush 1", "minor = 2\npush 2"), name="two")
    lines = bench.good("log", "--count", "40").lines()
    order = [line.split()[0] for line in lines]
    assert set(order) == {"DProbes(0,1)", "DProbes(0,2)"}
    assert all(early != late for early, late in zip(order, order[1:])), "each hit runs both, in order"
    bench.good("remove", "one")
    assert set(line.split()[0] for line in bench.good("log", "--count", "20").lines()) == {"DProbes(0,2)"}
    bench.clean()


def test_ignore_and_maxhits(qemu, dprobes, tmp_path):
    bench = Bench(qemu, dprobes, tmp_path)
    run = bench.good("run", bench.file(
        'name = "few"\nvars = 1\noffset = timer_isr\nignore = 20\nmaxhits = 3\ninc lv, 0\npush lv, 0\nlog 1\nexit\n'),
        "--elf", bench.elf, "--count", "3")
    assert [line.split()[1] for line in run.lines()[:3]] == ["1", "2", "3"]
    assert re.fullmatch(r"hits: few minor 0 at 0x[0-9a-f]+ \(timer_isr\): 3", run.lines()[-1])
    bench.insert('name = "few"\noffset = timer_isr\nignore = 20\nmaxhits = 3\nexit\n')
    process.eventually(lambda: bench.programs()["few"]["probes"][0]["state"] != "armed", "the end of maxhits")
    (probe,) = bench.programs()["few"]["probes"]
    assert (probe["hits"], probe["ignored"], probe["state"]) == (3, 20, "disabled: maxhits")
    # A probe that has ended leaves no trap behind.
    bench.good("info", "--verify-text", "--elf", bench.elf)
    bench.clean()


@pytest.mark.parametrize("board", BOARDS)
def test_logonfault(qemu, dprobes, tmp_path, board):
    """A probe on an instruction that faults: the firmware sees the fault as without it; the record is
    kept or withdrawn, as asked."""
    bench = Bench(qemu, dprobes, tmp_path, board)
    fault = r"task victim: data abort, DFSR 0x(\w+) DFAR 0x(\w+) at 0x(\w+); the task ends"
    plain = bench.type("fault read", fault).groups()
    pc = int(plain[2], 16)
    for answer, records in (("no", 0), ("yes", 1)):
        bench.insert(f'name = "f"\naddress = {pc:#x}\nminor = 3\nlogonfault = {answer}\npush 9\nlog 1\nexit\n'
                     "offset = selftest_run\nminor = 4\nmaxhits = 1\npush 1\nlog 1\nexit\n")
        running = dprobes.listen("--until", r"DProbes\(0,4\)", *bench.options)
        assert bench.type("fault read", fault).groups() == plain
        bench.type("selftest 1", f"crc {CRC[1]}")
        run = running.wait()
        assert run.status == 0 and run.stdout.count("DProbes(0,3) 09000000") == records, run.stdout
        probe, _ = bench.programs()["f"]["probes"]
        assert (probe["hits"], probe["faulted"]) == (1, 1)
        bench.clean()
    assert bench.type("fault read", fault).groups() == plain


def test_synchronous_and_buffered(qemu, dprobes, tmp_path):
    bench = Bench(qemu, dprobes, tmp_path)
    bench.insert(TICK, "--log-mode", "synchronous")
    (info,) = bench.good("info", "--format", "json").objects()
    assert info["log_mode"] == "synchronous"
    lines = bench.good("log", "--count", "200").lines()
    assert lines == ["DProbes(4,7) 04030201"] * 200
    assert bench.good("log", "--log-mode", "buffered", "--count", "200").lines() == lines
    (info,) = bench.good("info", "--format", "json").objects()
    assert info["log_mode"] == "buffered"
    run = bench.run("log", "--log-mode", "sometimes")
    assert run.status == 1 and "'sometimes' is not SYNCHRONOUS or BUFFERED" in run.stderr
    bench.clean()


def test_both_modes_on_a_line_with_a_rate(qemu, dprobes, tmp_path):
    """115200 baud by the board's clock: fewer records than the line carries all come, whether hits or dp_poll send them."""
    board = rated_line.RatedBoard(qemu, dprobes, tmp_path, "vexpress-a9")
    board.type("load off", "load is off")  # fifty sensor interrupts a second
    path = tmp_path / "rated.dp"
    path.write_text(TICK.replace("timer_isr", "sensor_isr").replace("push 0x01020304", "inc lv, 0\npush lv, 0")
                    .replace("major = 4", "major = 4\nvars = 1"))
    for mode in ("synchronous", "buffered"):
        running = dprobes.start("run", path, "--log-mode", mode, "--no-names", "--elf", board.elf, *board.options)
        for _ in range(30):
            running.out.expect("DProbes.*\n")
        run = running.interrupt()
        assert run.status == 130 and "lost" not in run.stdout, run.stderr
        hits, = re.findall(r"^hits: tick minor 7 at 0x[0-9a-f]+: (\d+)$", run.stdout, re.M)
        words = re.findall(r"^DProbes\(4,7\) ([0-9a-f]{8})$", run.stdout, re.M)
        assert [int.from_bytes(bytes.fromhex(word), "little") for word in words] == list(range(1, int(hits) + 1))
    board.remove()


# proves: A3.15 R4.3
@pytest.mark.parametrize("mode", ["buffered", pytest.param("synchronous", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("board", parameters(cpus.boards(), BOARDS))
def test_records_on_the_other_line(qemu, dprobes, tmp_path, board, mode):
    """com1 carries requests and the console, com2 the records."""
    machine = qemu(board, hold=("com1", "com2")).free_when_up()
    elf = paths.built("boards", board, "demo.elf")
    path = tmp_path / "tick.dp"
    path.write_text(TICK)
    com1 = ["--port", machine.url("com1")]
    assert dprobes("insert", path, "--elf", elf, "--log-target", "com2", "--log-mode", mode, *com1).status == 0
    (info,) = dprobes("info", "--format", "json", *com1).objects()
    assert (info["log_target"], info["log_mode"]) == ("com2", mode)
    machine.com2.expect(r"(~[RS][0-9A-F]*1020304[0-9A-F]*\n.*){5}")
    console = dprobes("console", "--until", "com2 0", *com1, stdin="stats\n")
    assert console.status == 0 and "results 0 overruns com1 0" in console.stdout and "~" not in console.stdout
    assert dprobes("log", "--log-target", "none", "--timeout", "0.2", *com1).status == 0

    def grows():
        """Does com2 bring more while the board answers some requests?"""
        seen = len(re.findall(b"~[RS]", machine.com2.data))
        for _ in range(4):
            assert dprobes("info", *com1).status == 0
        return len(re.findall(b"~[RS]", machine.com2.data)) != seen

    process.eventually(lambda: not grows(), "the end of the records on com2")
    assert not grows() and len(re.findall(b"~[RS]", machine.com2.data)) > 5
    run = dprobes("log", "--log-target", "com1", "--log-mode", "buffered", "--count", "5", *com1)
    # The ring ran over while records went nowhere, and does so until the first have left: whether that is told is
    # chance; that the status agrees is not.
    assert run.status == (5 if "lost: " in run.stderr else 0), run.stderr
    assert run.lines() == [f"DProbes(4,7) {0x01020304.to_bytes(word_of(board), order_of(board)).hex()}"] * 5
    assert dprobes("remove", "--all", *com1).status == 0


# proves: A2.9 R7.6
def test_console_text_under_a_storm(qemu, dprobes, tmp_path):
    """Thousands of records a second and the shell share com1: its text comes whole and clean from the board,
    and dprobes shows it so."""
    machine = qemu("vexpress-a9").free_when_up()
    elf = paths.built("boards", "vexpress-a9", "demo.elf")
    line = Typist(tmp_path / "line", machine.path("com1"))
    path = tmp_path / "storm.dp"
    path.write_text('name = "storm"\noffset = queue_put\npush 1\npush 2\npush 3\npush 4\nlog 4\nexit\n')
    line.type("help\n")
    line.wait(rb"(?s)end the run.*demo>")
    help_text = line.text.decode()
    whole = help_text[help_text.index("help"):help_text.rindex("demo>")].strip()
    assert whole.count("\n") >= 9
    del line.text[:]
    running = dprobes.start("run", path, "--elf", elf, "--port", line.url,
                            "--until", f"selftest: crc {CRC[1]} rounds 1")
    line.type("load on\n")
    for _ in range(1000):
        running.out.expect("DProbes.*\n")
    for count in (1, 2):
        line.type("help\n")
        line.wait(rb"(?s)(end the run.*){%d}demo>" % count)
    line.type("selftest 1\n")
    run = running.wait()
    assert run.status in (0, 5), run.stderr  # 5: counted losses, where the ring ran over
    assert run.stdout.count("DProbes(0,0) 4 3 2 1\n") > 1000
    line.wait(rb"rounds 1[^~]*\Z")  # no frame is still on its way
    text, frames = console_of(bytes(line.text))
    shown = without_beginnings(run.stderr.encode(), frames)
    for console in (text.decode(), shown.decode()):
        console = shell_text(console)
        assert console.count(re.sub(r"\r", "", whole)) == 2, console
        assert f"selftest: crc {CRC[1]} rounds 1" in console
        assert "~R" not in console
    line.close()


@pytest.mark.parametrize("board", BOARDS)
def test_places_that_are_hard(qemu, dprobes, tmp_path, board):
    """Interrupt handlers, functions that block, newlib's, and both instruction sets, all at once."""
    places = ["timer_isr", "uart_isr", "sensor_isr", "queue_get", "queue_put", "sched_switch", "printf", "memcpy",
              "memmove", "strlen", "mix_calls", "mix_branches", "crunch_block", "console_write", "task_sleep_ms", "test_queue"]
    bench = Bench(qemu, dprobes, tmp_path, board)
    bench.insert('name = "hard"\nvars = 1\n' + "".join(
        f"offset = {place}\nminor = {n}\ninc lv, 0\nabort\n" for n, place in enumerate(places)))
    bench.type("load on", "load is on")
    bench.type("selftest 10", f"crc {CRC[10]} rounds 10")
    probes = bench.programs()["hard"]["probes"]
    never = {places[probe["minor"]] for probe in probes if probe["hits"] == 0}
    assert never <= {"memcpy"}  # this newlib prints through memmove
    assert {probe["isa"] for probe in probes} == {0, 1}, "ARM and Thumb"
    assert all(probe["state"] == "armed" and probe["faulted"] == 0 for probe in probes)
    bench.type("help", "end the run")
    bench.clean()
    bench.type("selftest 1", f"crc {CRC[1]}")


def instructions(elf, first, low, high):
    """Addresses of the instructions from the first one on, outside [low, high), as the disassembler sees them."""
    listing = subprocess.run([paths.program("arm-none-eabi-objdump"), "-d", elf], capture_output=True, text=True,
                             check=True).stdout
    found = re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(?!\.word|\.short|\.byte|\t)", listing, re.M)
    return [address for address in (int(text, 16) for text in found) if address >= first and not low <= address < high]


@pytest.mark.parametrize("board", BOARDS)
def test_every_fiftieth_instruction(qemu, dprobes, tmp_path, board):
    """Probes all over the image: the self-test's CRC is the same."""
    bench = Bench(qemu, dprobes, tmp_path, board)
    bounds = (bench.address(name) for name in ("__exception_end", "__start_dprobes_text", "__stop_dprobes_text"))
    chosen = instructions(bench.elf, *bounds)[::50]
    assert len(chosen) > 80
    armed = hit = 0
    refused = {}
    while chosen:
        batch, chosen = chosen[:48], chosen[48:]
        while True:
            source = 'name = "sweep"\n' + "".join(
                f"address = {address:#x}\nminor = {n}\nabort\n" for n, address in enumerate(batch))
            run = bench.run("insert", bench.file(source), "--elf", bench.elf)
            if run.status == 0:
                break
            bad = re.search(r"minor (\d+), 0x([0-9a-f]+)\): (.*)", run.stderr)
            assert run.status == 4 and bad, run.stderr
            assert "cannot be probed" in bad.group(3) or "load-exclusive" in bad.group(3), run.stderr
            refused[batch.pop(int(bad.group(1)))] = bad.group(3)
        bench.type("selftest 1", f"crc {CRC[1]} rounds 1")
        probes = bench.programs()["sweep"]["probes"]
        armed += len(probes)
        hit += sum(probe["hits"] > 0 for probe in probes)
        bench.clean()
    print(f"{board}: {armed} armed, {hit} hit, refused {refused}")
    assert armed > 80 and hit > 20 and len(refused) <= armed // 20
