# SPDX-License-Identifier: BSD-2-Clause
"""`dprobes timeline` on a kernel that was not built for it: tasks by name, interrupts, queues."""
import re
import subprocess
import xml.etree.ElementTree

import pytest

from harness import captures
from harness.paths import built, program

ELF = ("boards", "vexpress-a9", "demo.elf")


@pytest.fixture
def board(qemu, dprobes, tmp_path):
    """Runs the tool on a board whose workload is on."""
    machine = qemu("vexpress-a9")
    machine.com1.expect("demo> ")
    machine.com1.send("ps\r")
    machine.com1.expect("demo> ")
    options = ("--port", machine.url("com2"), "--elf", built(*ELF))
    return lambda *words: dprobes(*words, *options, cwd=tmp_path)


def test_the_demo(board, dprobes, tmp_path):
    run = board("timeline", "--for", "1s", "-o", "boot.perfetto", "--record", "boot.dpc")
    assert run.status == 0, run.stderr
    trace = captures.Trace(tmp_path / "boot.perfetto")
    tasks = {name for name, kind in trace.kinds.items() if kind == "thread"}
    assert {"idle", "sensor"} <= tasks and not any(re.match(r"task \d|0x", name) for name in tasks)
    running = sorted((begin, end) for name in tasks for begin, end, what in trace.slices(name) if what == "running")
    assert len(running) > 20 and all(end == begin for (_, end), (begin, _) in zip(running, running[1:])), "one task after the other"
    assert len(trace.slices("interrupt timer_isr")) > 20 and trace.of("COUNTER", "queue sensor")
    assert {name for _, name, _ in trace.of("INSTANT")} >= {"queue_put sensor", "queue_get sensor"}
    rows = [row for row in dprobes("report", "boot.dpc", "--format", "json", cwd=tmp_path).objects() if row["kind"] == "log"]
    switches = [row for row in rows if row["desc"].endswith(":sched_switch:entry")]
    assert len(switches) - 1 <= len(running) + 1 and len(running) <= len(switches)

    run = board("timeline", "--count", "200", "-o", "boot.svg")
    assert run.status == 0, run.stderr
    texts = [element.text for element in xml.etree.ElementTree.parse(tmp_path / "boot.svg").iter() if element.tag.endswith("}text")]
    assert {"Timeline", "idle", "timer_isr"} <= set(texts)


FREERTOS = """\
#include <stdint.h>
typedef struct tskTaskControlBlock { volatile uint32_t *pxTopOfStack; char pcTaskName[16]; } TCB_t;
typedef struct QueueDefinition { int8_t *pcHead; volatile unsigned long uxMessagesWaiting; } Queue_t;
TCB_t *volatile pxCurrentTCB;
static TCB_t tasks[2];
volatile int out;
__attribute__((noinline)) void vTaskSwitchContext(void) { pxCurrentTCB = &tasks[out & 1]; }
__attribute__((noinline)) void SysTick_Handler(void) { out++; }
__attribute__((noinline)) int xQueueGenericSend(Queue_t *xQueue, const void *item, uint32_t ticks, int where)
{ xQueue->uxMessagesWaiting++; out += where + ticks; return item != 0; }
__attribute__((noinline)) int xQueueReceive(Queue_t *xQueue, void *buffer, uint32_t ticks)
{ xQueue->uxMessagesWaiting--; out += ticks; return buffer != 0; }
static Queue_t queue;
void _start(void) { for (;;) { SysTick_Handler(); vTaskSwitchContext(); xQueueGenericSend(&queue, &out, 0, 1); xQueueReceive(&queue, (void *)&out, 2); } }
"""


def test_freertos_and_others(dprobes, tmp_path):
    """A program for FreeRTOS compiles; a kernel that is not known is refused with the names."""
    gcc = program("arm-none-eabi-gcc")
    (tmp_path / "k.c").write_text(FREERTOS)
    for name, rest in (("k.elf", []), ("other.elf", ["-DvTaskSwitchContext=next"])):
        subprocess.run([gcc, "-g", "-O1", "-mcpu=cortex-a9", "-marm", "-nostdlib", "-nostartfiles", *rest, "-o", name, "k.c"], cwd=tmp_path, check=True)
    run = dprobes("timeline", "-o", "t.perfetto", "--elf", "k.elf", cwd=tmp_path)
    assert run.status == 1 and "--port" in run.stderr and "error: k" not in run.stderr, run.stderr
    run = dprobes("timeline", "-o", "t.perfetto", "--elf", "other.elf", cwd=tmp_path)
    assert run.status == 1 and ("other.elf has no function that is known to switch tasks: sched_switch (demo), "
                                "vTaskSwitchContext (FreeRTOS); ") in run.stderr
    for words, said in (((), "the file is missing; write -o FILE"), (("-o", "t"), "the firmware's ELF file is missing; give --elf FILE")):
        run = dprobes("timeline", *words, cwd=tmp_path)
        assert run.status == 1 and said in run.stderr
