# SPDX-License-Identifier: BSD-2-Clause
"""Every board that there is: the demo kernel comes up and survives its faults and a warm restart; the
agent answers on both lines, probes in hard places and all over the image change nothing."""
import json
import re
import subprocess

import pytest

import sources_mk
from harness import arrival, paths, process, sweep
from harness.demo_bench import CRC, FAULT, Bench
from harness.qemu import board_names
from test_e2e_log import BOARDS as SWEPT_THERE

OTHERS = [name for name in board_names() if name not in SWEPT_THERE]
STRIDE = 50
CRC_100 = "dc705e27"  # boards/demo/README.md


@pytest.fixture
def bench(qemu, dprobes, tmp_path):
    return lambda board: Bench(qemu, dprobes, tmp_path, board)


def objdump(board, elf):
    """Addresses of all instructions, and the functions they are in."""
    cross = sources_mk.read(str(paths.TOP / "boards" / board))["CROSS"]
    listing = subprocess.run([paths.program(cross + "objdump"), "-d", elf], capture_output=True, text=True,
                             check=True).stdout
    return [int(text, 16) for text in re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(?!\.\w)", listing, re.M)]


@pytest.mark.parametrize("board", board_names())
def test_kernel(bench, qemu, board):
    # Interrupts between any two instructions, not only where QEMU's blocks end. Instructions are the clock: on a busy
    # machine the ticks of a second would leave the tasks no time.
    machine = qemu(board, hold=("com1", "com2"), extra=("-singlestep", *arrival.CLOCK))
    com1, com2 = machine.com1, machine.com2

    def type_in(line, answer, timeout_s=process.TIMEOUT_S):
        com1.send(line + "\n")
        return com1.expect(answer, timeout_s)

    com1.expect(f"dprobes demo kernel on {board.split('-')[0]}.*, boot 1\r\n")
    com1.expect("demo>")
    com2.send("an echo")
    com2.expect("an echo")
    type_in("selftest 1", f"crc {CRC[1]} rounds 1")
    type_in("load on", "load is on")
    type_in("selftest 100", f"crc {CRC_100} rounds 100")
    for kind in ("read", "write", "undef", "jump"):
        assert b" at 0x" in type_in(f"fault {kind}", FAULT).group(1)
    type_in("peek 0xdead0000", "dead0000: [a-z]")
    type_in("reboot", ", boot 2\r\n")
    com1.expect("demo>")
    type_in("selftest 1", f"crc {CRC[1]} rounds 1")


@pytest.mark.parametrize("board", OTHERS)
@pytest.mark.parametrize("com", ["com1", "com2"])
def test_a_probe(qemu, dprobes, board, com):
    """boards/demo/1-callers.dp over either line."""
    machine = qemu(board, hold=("com2",) if com == "com1" else ("com1",))
    elf = paths.built("boards", board, "demo.elf")
    line = ["--port", machine.url(com)]

    def good(*args, **options):
        result = dprobes(*args, *line, **options)
        assert result.status == 0, f"{args}: {result.status}: {result.stderr[-2000:]}"
        return result.stdout

    run = good("run", paths.TOP / "boards/demo/1-callers.dp", "--elf", elf, "--count", "5", "--format", "json")
    queue, caller = next(row["words"] for row in map(json.loads, run.splitlines()) if "words" in row)
    names = {row["name"]: row for row in dprobes("symbols", "--elf", elf, "--format", "json").objects()}

    def inside(name, address):
        return 0 <= address - int(names[name]["address"], 16) < names[name]["bytes"]

    assert queue == int(names["sensor_queue"]["address"], 16) and inside("sensor_isr", caller)
    good("insert", paths.TOP / "boards/demo/1-callers.dp", "--elf", elf)
    assert re.search(r"minor 1 at 0x\w+: armed, \d+ hit", good("list"))
    assert dprobes("info", "--verify-text", "--elf", elf, *line).status == 6
    assert "removed: 1 program(s)" in good("remove", "demo")
    assert "the same as in" in good("info", "--verify-text", "--elf", elf)


@pytest.mark.parametrize("board", board_names())
def test_console_while_records_flow(qemu, dprobes, tmp_path, board):
    """The agent sends on com2 without a pause; what is typed on com1 arrives meanwhile. Measured by the
    firmware's own clock: the tick as the shell answers."""
    machine = qemu(board, extra=sweep.CLOCK)
    shell = machine.com1
    shell.expect("demo>")
    shell.send("load on\n")
    shell.expect("load is on")
    loop = [site for site in sweep.Image(board).sites if site.function.startswith("checksum_words+")]
    program = tmp_path / "p.dp"
    program.write_text(f'name = "busy"\naddress = {loop[len(loop) // 2].address:#x}\nexit\n')
    line = ("--port", machine.url("com2"), "--elf", machine.elf)
    done = dprobes("insert", program, *line)
    assert done.status == 0, done.stderr
    ticks = []
    while len(ticks) < 13 or ticks[-1] - ticks[0] < 100:
        shell.send(f"stats {'x' * 80}\n")
        ticks.append(int(shell.expect(r"tick (\d+) boot").group(1)))
        shell.expect("demo>")
    waits = sorted(b - a for a, b in zip(ticks, ticks[1:]))
    print(board, waits)
    assert waits[-1] < 500, waits  # a byte left lying waits 1000 and more; a busy host is seen to take 22
    (probe,) = dprobes("list", "--format", "json", *line[:2]).objects()[0]["probes"]
    assert probe["hits"] > 1000


@pytest.mark.parametrize("board", OTHERS)
def test_places_that_are_hard(bench, board):
    """Interrupt handlers, functions that block, newlib's, the scheduler, all at once."""
    places = ["timer_isr", "uart_isr", "sensor_isr", "queue_get", "queue_put", "sched_switch", "printf", "memmove",
              "strcspn", "qsort", "mix_calls", "mix_branches", "mix_recursion", "crunch_block", "console_write", "task_sleep_ms",
              "test_queue", "kernel_irq"]
    it = bench(board)
    it.insert('name = "hard"\nvars = 1\n' + "".join(
        f"offset = {place}\nminor = {n}\ninc lv, 0\nabort\n" for n, place in enumerate(places)))
    it.type("load on", "load is on")
    it.type("selftest 10", f"crc {CRC[10]} rounds 10")
    probes = it.programs()["hard"]["probes"]
    assert not [places[probe["minor"]] for probe in probes if probe["hits"] == 0]
    assert all(probe["state"] == "armed" and probe["faulted"] == 0 for probe in probes)
    it.type("help", "end the run")
    it.clean()
    it.type("selftest 1", f"crc {CRC[1]}")


@pytest.mark.parametrize("board", OTHERS)
def test_probe_on_a_fault(bench, dprobes, board):
    """A probe on an instruction that faults: the firmware sees the fault as without it."""
    it = bench(board)
    plain = {kind: it.type(f"fault {kind}", FAULT).group(1).decode() for kind in ("read", "write")}
    for kind, text in plain.items():
        pc = int(re.search(r" at 0x(\w+)$", text).group(1), 16)
        it.insert(f'name = "f"\naddress = {pc:#x}\nminor = 3\nlogonfault = yes\npush 9\nlog 1\nexit\n')
        running = dprobes.listen("--count", "1", *it.options)
        assert it.type(f"fault {kind}", FAULT).group(1).decode() == text
        run = running.wait()
        assert run.status == 0 and run.stdout.count("DProbes(0,3)") == 1, run.stdout
        (probe,) = it.programs()["f"]["probes"]
        assert (probe["hits"], probe["faulted"]) == (1, 1)
        it.clean()


@pytest.mark.parametrize("board", OTHERS)
def test_every_fiftieth_instruction(bench, board):
    """Probes all over the image: the self-test's CRC is the same."""
    it = bench(board)
    first, agent, agent_end = (it.address(name) for name in ("__exception_end", "__start_dprobes_text", "__stop_dprobes_text"))
    chosen = [address for address in objdump(board, it.elf) if address >= first and not agent <= address < agent_end][::STRIDE]
    assert len(chosen) > 80
    armed = hit = 0
    refused = {}
    while chosen:
        batch, chosen = chosen[:48], chosen[48:]
        while True:
            source = 'name = "sweep"\n' + "".join(
                f"address = {address:#x}\nminor = {n}\nabort\n" for n, address in enumerate(batch))
            run = it.run("insert", it.file(source), "--elf", it.elf)
            if run.status == 0:
                break
            bad = re.search(r"minor (\d+), 0x([0-9a-f]+)\): (.*)", run.stderr)
            assert run.status == 4 and bad and re.search("cannot be probed|load-exclusive", bad.group(3)), run.stderr
            refused[batch.pop(int(bad.group(1)))] = bad.group(3)
        it.type("selftest 1", f"crc {CRC[1]} rounds 1")
        probes = it.programs()["sweep"]["probes"]
        armed += len(probes)
        hit += sum(probe["hits"] > 0 for probe in probes)
        it.clean()
    print(f"{board}: {armed} armed, {hit} hit, refused {refused}")
    assert armed > 80 and hit > 20 and len(refused) <= armed // 20
