# SPDX-License-Identifier: BSD-2-Clause
"""dprobes read and write on boards: the demo's variables as its shell prints them, memory that is not there, rows that nobody
reads. The values of each type: tests/wire/test_look.py."""
import re

import pytest

import cpus
from harness import gdbstub, sweep
from harness.keyed import KEY, firmware, key_file, rows_of_secrets
from harness.paths import built
from harness.qemu import parameters

BOARDS = parameters(cpus.boards())
SECRET_BYTES = 96


@pytest.fixture
def demo(qemu, dprobes):
    def start(board, **options):
        elf = options.pop("elf", built("boards", board, "demo.elf"))
        machine = qemu(board, elf=elf, **options)
        machine.com1.expect("demo>")
        return machine, lambda *words, command="read": dprobes(command, "--elf", elf, "--port", machine.url("com2"), *words)
    return start


@pytest.mark.parametrize("board", BOARDS)
def test_variables_of_a_demo(demo, board):
    """As the shell prints them; what a task has on its stack stays what it is."""
    machine, run = demo(board)
    done = run("task_table[0].name", "task_table[0].state", "sensor_queue.name", "sensor_queue.size", "sensor_queue.ring", "load_results",
               "sensor_queue.ring[0].value", "sizeof(struct queue)", "tick_count > 0", "sched_switch", "task_current->name")
    assert done.status == 0, done.stderr
    values = dict(line.split(" = ", 1) for line in done.lines())
    assert values["sensor_queue.name"].endswith(' "sensor"') and values["sensor_queue.size"] == "64"
    assert values["sensor_queue.ring"].endswith(" <ring>") and values["load_results"] == "0" and values["sched_switch"] == "sched_switch"
    assert values["task_table[0].name"].endswith(' "agent"') and values["task_table[0].state"] in "12345" and values["tick_count > 0"] == "1"
    assert re.fullmatch(r"\{\d+(, \d+){7}\}", values["sensor_queue.ring[0].value"]) and values["task_current->name"].endswith('"')
    machine.com1.send("ps\n")
    machine.com1.expect("demo>")
    listed = run("task_table", "--format", "json").objects()[0]["value"]
    names = [task["name"]["text"] for task in listed if task["state"]]
    assert len(listed) == 16 and "idle" in names and all(name in machine.com1.text for name in names)


@pytest.mark.parametrize("board", BOARDS)
def test_memory_that_is_not_there(demo, board):
    """An access that faults is an answer, and the firmware goes on; the agent's text shows in a dump as the ELF file has it."""
    machine, run = demo(board)
    before = int(run("tick_count").stdout.split()[-1])
    bad = run("*(uint32_t *)0", "load_results", "*(uint32_t *)0xfffffffc", "*(uint64_t *)0xfffffffc", "((struct task *)3)->next")
    assert bad.status == 4 and "load_results = 0\n" in bad.stdout and bad.stdout.count("does not let") >= 3, bad.stdout
    machine.com1.send("stats\n")
    machine.com1.expect("queue sensor")
    assert int(run("tick_count").stdout.split()[-1]) > before
    dump = run("-r", "queue_put,64")
    assert dump.status == 0 and len(dump.lines()) == 4


@pytest.mark.parametrize("board", BOARDS)
def test_write_to_a_board(demo, board):
    _, run = demo(board)
    profile = "full" if run("load_results", "1", "--write", command="write").status == 0 else "read"
    if profile == "read":
        done = run("load_results", "1", "--write", command="write")
        assert done.status == 4 and "DP_PROFILE_FULL" in done.stderr and run("load_results").stdout == "load_results = 0\n"
        return
    assert run("load_results").stdout == "load_results = 1\n"
    assert run("load_results", "load_results + 41", "--write", command="write").status == 0
    assert run("load_results").stdout == "load_results = 42\n"
    done = run("*(uint32_t *)&queue_put", "0", "--write", command="write")
    assert done.status == 4 and "does not let" in done.stderr


@pytest.mark.parametrize("board", parameters(cpus.boards(), usual=cpus.boards(2)))
def test_nobody_reads_a_secret(demo, dprobes, tmp_path, board):
    """Not the key, not the session key, not the hash: the rows that no program reads are closed to MEMORY as well."""
    elf, image = firmware(board, tmp_path), sweep.Image(board)
    machine, _ = demo(board, elf=elf, extra=gdbstub.options(tmp_path / "gdb"))
    key = image.symbols["agent_key"]
    with gdbstub.Stub(tmp_path / "gdb") as stub:
        (secret, *_), (start, length, _) = rows_of_secrets(stub, board, image.symbols)
    proof = ("--key", key_file(tmp_path), "--port", machine.url("com2"))
    hidden = [key, key + 12, start, start + length - 4, secret, secret + 40, secret + SECRET_BYTES - 4]
    done = dprobes("read", "-r", *proof, *(f"{address:#x},4" for address in hidden))
    assert done.status == 4 and re.findall(r"<the target does not let (0x[0-9a-f]+) be read>", done.stdout) == [f"{at:#x}" for at in hidden], done
    for address in (key - 16, secret - 16):  # a place that begins before
        done = dprobes("read", "-r", *proof, f"{address:#x},48")
        assert done.status == 4 and "does not let" in done.stdout and "|" not in done.stdout
    assert dprobes("read", "-r", *proof, f"{secret + SECRET_BYTES:#x},4").status == 0
    refused = dprobes("read", "-r", f"{secret + SECRET_BYTES:#x},4", "--port", machine.url("com2"))
    assert refused.status == 4 and "requires a key" in refused.stderr and refused.stdout == ""
