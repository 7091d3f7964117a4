# SPDX-License-Identifier: BSD-2-Clause
"""dprobes tasks and stack: a kernel with the names and layouts of FreeRTOS in the memory of fake_agent.py, which changes while it
is read. The demo kernel, which runs: tests/board/test_tasks_board.py."""
import os
import re
import struct
import subprocess
import tempfile

import pytest

from harness import fake_agent as fake
from harness import paths
from harness.paths import program

CORTEXM, DATA, TEXT = 7, 0x20000000, 0x8000
BUILD_ID = "1234567890123456789012345678901234567890"
SOURCE = """
#include <stdint.h>

struct xLIST;
typedef struct xLIST_ITEM {
	uint32_t xItemValue;
	struct xLIST_ITEM *pxNext, *pxPrevious;
	void *pvOwner;
	struct xLIST *pxContainer;
} ListItem_t;
typedef struct xLIST {
	uint32_t uxNumberOfItems;
	ListItem_t *pxIndex;
	struct { uint32_t xItemValue; ListItem_t *pxNext, *pxPrevious; } xListEnd;
} List_t;
typedef struct tskTaskControlBlock {
	volatile uint32_t *pxTopOfStack;
	ListItem_t xStateListItem, xEventListItem;
	uint32_t uxPriority;
	uint32_t *pxStack;
	char pcTaskName[12];
	uint32_t *pxEndOfStack;
	volatile uint8_t ucNotifyState[4];
} TCB_t;
typedef struct QueueDefinition {
	int8_t *pcHead, *pcWriteTo;
	List_t xTasksWaitingToSend, xTasksWaitingToReceive;
} Queue_t;
typedef struct { const char *pcQueueName; Queue_t *xHandle; } QueueRegistryItem_t;

TCB_t *volatile pxCurrentTCB;
List_t pxReadyTasksLists[4], xDelayedTaskList1, xDelayedTaskList2, xPendingReadyList, xSuspendedTaskList, xTasksWaitingTermination;
volatile uint32_t uxCurrentNumberOfTasks;
QueueRegistryItem_t xQueueRegistry[2];
Queue_t lamp;
const char registered[] = "samples";
uint32_t room[0x4000 / 4];
#line 1 "queue.c"
__attribute__((noinline, noclone)) void xQueueReceive(void)
{
	__asm__ volatile(".global receive_waits\\nreceive_waits: nop");
}
#line 1 "port.c"
__attribute__((noinline, noclone)) void task_exit(void) { for (;;) ; }
void measure(void);
#line 1 "app.c"
void consumer(void)
{
	for (;;) {
		xQueueReceive();
		__asm__ volatile(".global consumer_goes_on\\nconsumer_goes_on: nop");
		measure();
		__asm__ volatile(".global consumer_measured\\nconsumer_measured: nop");
	}
}
__attribute__((noinline, noclone)) void measure(void)
{
	xQueueReceive();
	__asm__ volatile(".global measure_goes_on\\nmeasure_goes_on: nop" ::: "memory");
}
void _start(void) { consumer(); task_exit(); }
const void *keep(int i) { static const void *const all[] = {&pxCurrentTCB, pxReadyTasksLists, &xDelayedTaskList1, &xDelayedTaskList2,
	&xPendingReadyList, &xSuspendedTaskList, &xTasksWaitingTermination, (void *)&uxCurrentNumberOfTasks, xQueueRegistry, &lamp, registered, room};
	return all[i]; }
"""
# Offsets in TCB_t, List_t, Queue_t
TOP, STATE, EVENT, PRIORITY, STACK, NAME, END, NOTIFY, TCB = 0, 4, 24, 44, 48, 52, 64, 68, 72
VALUE, NEXT, PREVIOUS, OWNER, CONTAINER = 0, 4, 8, 12, 16
COUNT, LIST_END, SEND, RECEIVE = 0, 8, 8, 28
STACK_BYTES = 256


def compiled(folder, source, name, *compiler):
    (folder / f"{name}.c").write_text(source)
    compiler = compiler or ("arm-none-eabi-gcc", "-mthumb", "-mcpu=cortex-m3")
    subprocess.run([program(compiler[0]), "-g", "-O1", *compiler[1:], "-ffreestanding", "-nostdlib", "-fno-section-anchors",
                    f"-Wl,-Ttext-segment={TEXT:#x},-Tbss={DATA:#x},--build-id=0x{BUILD_ID}", folder / f"{name}.c", "-o", folder / f"{name}.elf"],
                   check=True)
    return folder / f"{name}.elf"


@pytest.fixture(scope="module")
def elf(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("tasks"), SOURCE, "kernel")


def symbols_of(elf):
    listed = subprocess.run([program("arm-none-eabi-nm"), elf], capture_output=True, text=True, check=True).stdout
    return {name: int(address, 16) for address, _, name in (line.split() for line in listed.splitlines())}


@pytest.fixture(scope="module")
def symbols(elf):
    return symbols_of(elf)


class Kernel:
    """What such a kernel has in its memory."""

    def __init__(self, symbols, moved=0):
        self.symbols = {name: address + moved for name, address in symbols.items()}
        self.start, self.memory, self.tasks = DATA + moved, bytearray(0x10000), {}
        self.free = self.symbols["room"]

    def at(self, address):
        """The index in the memory."""
        return address - self.start

    def put(self, address, *words):
        for i, word in enumerate(words):
            struct.pack_into("<I", self.memory, self.at(address) + 4 * i, word)

    def take(self, count):
        self.free += count
        return self.free - count

    def task(self, name, priority=1, used=100, saved=True, stack_bytes=STACK_BYTES):
        """A task whose stack has `used` bytes in use, in xQueueReceive of consumer. Returns its control block."""
        block, stack = self.take(TCB), self.take(stack_bytes)
        code = {name: self.symbols[name] | 1 for name in ("consumer_goes_on", "task_exit")}
        self.memory[self.at(stack):self.at(stack) + stack_bytes] = b"\xa5" * (stack_bytes - used) + struct.pack("<I", code["task_exit"]) * (used // 4)
        top = stack + stack_bytes - used
        if saved:  # r4 to r11, r0 to r3, r12, lr, pc, xpsr
            self.put(top, *range(4, 12), *range(4), 12, code["consumer_goes_on"], self.symbols["receive_waits"], 1 << 24)
        self.put(block + TOP, top)
        for item in (STATE, EVENT):
            self.put(block + item, 0, 0, 0, block, 0)
        self.put(block + PRIORITY, priority, stack)
        self.memory[self.at(block + NAME):self.at(block + NAME) + 12] = name.encode().ljust(12, b"\0")
        self.put(block + END, stack + stack_bytes - 4, 0)
        self.tasks[name] = block
        return block

    def where(self, name, index=0):
        return self.symbols[name] + 20 * index

    def fill(self, where, *items):
        """A list with these items, and no others."""
        end = where + LIST_END
        ring = [end, *items]
        self.put(where + COUNT, len(items), end)
        for i, at in enumerate(ring):
            self.put(at + NEXT, ring[(i + 1) % len(ring)], ring[i - 1])
        for item in items:
            self.put(item + CONTAINER, where)

    def count(self, tasks):
        self.put(self.symbols["uxCurrentNumberOfTasks"], tasks)


def one_task_in_each_state(k):
    queue = k.take(48)
    names = ("runner", "spare", "asleep", "reader", "writer", "notified", "paused", "over", "woken")
    made = {name: k.task(name, priority=i % 4, used=80 + 4 * i, saved=name != "runner") for i, name in enumerate(names)}
    k.put(k.symbols["pxCurrentTCB"], made["runner"])
    for i in range(4):
        k.fill(k.where("pxReadyTasksLists", i), *(made[name] + STATE for name in ("runner", "spare") if names.index(name) % 4 == i))
    k.fill(k.where("xDelayedTaskList1"), made["asleep"] + STATE, made["writer"] + STATE)
    k.fill(k.where("xDelayedTaskList2"))
    k.fill(k.where("xSuspendedTaskList"), *(made[name] + STATE for name in ("reader", "notified", "paused", "woken")))
    k.fill(k.where("xTasksWaitingTermination"), made["over"] + STATE)
    k.fill(k.where("xPendingReadyList"), made["woken"] + EVENT)
    k.fill(queue + RECEIVE, made["reader"] + EVENT)
    k.fill(k.symbols["lamp"] + SEND, made["writer"] + EVENT)
    k.memory[k.at(made["notified"] + NOTIFY + 2)] = 1
    k.put(k.symbols["xQueueRegistry"], k.symbols["registered"], queue)
    k.count(len(names))
    return k


@pytest.fixture
def kernel(symbols):
    return one_task_in_each_state(Kernel(symbols))


@pytest.fixture
def agent(tmp_path, kernel):
    made = fake.FakeAgent(tmp_path / "agent", cpu=CORTEXM)
    made.identity, made.build_id, made.text_base, made.profile = 1, bytes.fromhex(BUILD_ID), TEXT, 1
    made.memory = {DATA: kernel.memory}
    yield made
    made.close()


@pytest.fixture
def run(dprobes, agent, elf):
    def run(*words, image=elf):
        return dprobes(words[0], "--elf", image, "--port", agent.url, *words[1:])
    return run


def test_the_file_of_another_firmware(run, agent, tmp_path):
    """No command ends without a reason, also with --quiet."""
    agent.build_id = bytes(20)
    for words in (("tasks",), ("stack",), ("core", "-o", tmp_path / "c")):
        done = run(*words, "--quiet")
        assert done.status == 4 and re.search(r"^dprobes: error: the target does not run .*; give the ELF file that is running", done.stderr), done
    assert not (tmp_path / "c").exists()


PLACE = r"xQueueReceive <- consumer\+0x\w+"
TABLE = [
    r"TASK      STATE      PRIO  STACK-LEFT  WAITS-IN",
    r"runner    running       0         176  -",
    r"spare     ready         1         172  " + PLACE,
    r"asleep    sleeping      2         168  " + PLACE,
    r"reader    waiting       3         164  " + PLACE + r" \[samples\]",
    r"writer    waiting       0         160  " + PLACE + r" \[lamp\]",
    r"notified  waiting       1         156  " + PLACE + r" \[a notification\]",
    r"paused    suspended     2         152  " + PLACE,
    r"over      ended         3         148  -",
    r"woken     ready         0         144  " + PLACE,
]


def check_table(done):
    assert done.status == 0, done
    lines = done.lines()
    assert len(lines) == len(TABLE) and all(re.fullmatch(form, line) for form, line in zip(TABLE, lines)), done.stdout


def test_a_task_in_each_state(run):
    done = run("tasks")
    check_table(done)
    assert done.stderr == ""


def test_unused_bytes_are_counted_on_the_target(run, agent, kernel):
    """One turn counts those of all tasks, exactly: also of a stack of several pieces, and one with an unused hole above a used
    word. Of an older agent the bytes are read."""
    stacks = {"end": (5000, 5000 - 100), "piece": (4096 + 100, 4096), "hole": (2048, 1000)}
    for name, (size, left) in stacks.items():
        block = kernel.task(name, stack_bytes=size)
        stack = struct.unpack_from("<I", kernel.memory, kernel.at(block + STACK))[0]
        kernel.memory[kernel.at(stack) + left] = 7
    kernel.fill(kernel.where("xDelayedTaskList2"), *(kernel.tasks[name] + STATE for name in stacks))
    kernel.count(len(kernel.tasks))
    done = run("tasks", "--format", "json")
    counted = {row["name"]: row["stack_left"] for row in done.objects()}
    assert {name: counted[name] for name in stacks} == {name: left for name, (_, left) in stacks.items()}
    runs = [places for width, places in agent.reads if width == 16]
    assert 0 < len(runs) <= 10 and sum(count for width, places in agent.reads if width == 0 for _, count in places) < 8000
    agent.reads, agent.without = [], {fake.RUNS_PART}
    done = run("tasks", "--format", "json")
    assert {row["name"]: row["stack_left"] for row in done.objects()} == counted
    assert not any(width for width, _ in agent.reads)


def test_a_firmware_that_runs_elsewhere(run, agent, symbols):
    """Addresses of variables and code are those of the target."""
    moved = 0x100000
    agent.moved, agent.text_base = moved, TEXT + moved
    agent.memory = {DATA + moved: one_task_in_each_state(Kernel(symbols, moved)).memory}
    check_table(run("tasks"))


def test_objects_and_cells(run, kernel):
    """JSON by its schema, in the order of the control blocks; CSV with a row for each function."""
    read = {task["name"]: task for task in run("tasks", "--format", "json").objects()}
    assert list(read) == list(kernel.tasks) and {task["kind"] for task in read.values()} == {"task"}
    reader = read["reader"]
    assert int(reader["block"], 16) == kernel.tasks["reader"] and reader["state"] == "waiting" and reader["kernel"] == "FreeRTOS"
    assert reader["stack_left"] == 164 and reader["stack_bytes"] == STACK_BYTES and reader["waits_for"] == "samples"
    assert int(reader["pc"], 16) == kernel.symbols["receive_waits"] and "frames" not in reader
    assert "pc" not in read["runner"] and "waits_in" not in read["runner"]
    frames = run("stack", "reader", "--format", "json").objects()[0]["frames"]
    assert [(frame["function"], os.path.basename(frame["file"])) for frame in frames] == [("xQueueReceive", "queue.c"), ("consumer", "app.c")]
    cells = run("stack", "reader", "--format", "csv").lines()
    assert f"| `tasks` | a task | `{cells[0]}` |" in (paths.TOP / "host/present/FORMATS.md").read_text(encoding="utf-8")
    assert cells[0].startswith("kind,kernel,name,block,state") and len(cells) == 3 and cells[2].startswith("task,FreeRTOS,reader")


def test_functions_of_a_task(run, kernel):
    """Without a word those of all tasks. A stack ends where the kernel has put the address that a task returns to."""
    block = kernel.tasks["asleep"]
    form = (rf"asleep at {block:#x}: sleeping, priority 2, 168 of 256 bytes of its stack unused\n +xQueueReceive\S* \(queue\.c:3\)\n"
            r" +consumer\+0x\w+ \(app\.c:4\)\n")
    assert re.fullmatch(form, run("stack", "asleep").stdout) and re.fullmatch(form, run("stack", hex(block)).stdout)
    every = run("stack").stdout
    assert re.search(form, every) and every.count("xQueueReceive") == 7 and "runner at" in every
    assert re.search(r"runner at .*: running, .*\n +\[its registers are in the CPU\]\n", every)


# What the context switches of portable/GCC of FreeRTOS store from the lowest address up: a name, a number of other words.
ARM, RISCV = ("arm-none-eabi-gcc", "-marm", "-mcpu=cortex-a9"), ("riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32", "-msmall-data-limit=0")
ON_ARM, ON_RISCV = (*range(13), "lr", "pc", 0x1f), range(27)  # r0 to r12; x5 to x31
SAVED = {
    "ARM_CM3": (CORTEXM, (), (*range(8), *range(5), "lr", "pc", 1 << 24)),
    "ARM_CM0 of 11.1": (CORTEXM, (), (0xfffffffd, *range(8), *range(5), "lr", "pc", 1 << 24)),
    "ARM_CM4F": (CORTEXM, (), (*range(8), 0xfffffffd, *range(5), "lr", "pc", 1 << 24)),
    "ARM_CM4F, floats": (CORTEXM, (), (*range(8), 0xffffffed, *range(16), *range(5), "lr", "pc", 1 << 24, *range(18))),
    "ARM_CM33_NTZ": (CORTEXM, (), (DATA, 0xfffffffd, *range(8), *range(5), "lr", "pc", 1 << 24)),
    "ARM_CM33": (CORTEXM, (), (0, DATA, 0xfffffffd, *range(8), *range(5), "lr", "pc", 1 << 24)),
    "ARM_CA9": (2, ARM, (0, 0, *ON_ARM)),
    "ARM_CA9, floats": (2, ARM, (1, *range(65), 0, *ON_ARM)),
    "ARM_CR5, floats": (2, ARM, (1, *range(33), 0, *ON_ARM)),
    "RISC-V of 10.4": (8, RISCV, ("pc", "lr", *ON_RISCV, 0x1880)),
    "RISC-V of 10.5": (8, RISCV, ("pc", "lr", *ON_RISCV, 0, 0x1880)),
    "RISC-V of 10.5, floats in use": (8, RISCV, ("pc", "lr", *ON_RISCV, 0, 0x80007880)),
    "RISC-V of 10.5, vectors in use": (8, RISCV, ("pc", "lr", *ON_RISCV, 0, 0x80001e80)),
    "RISC-V of 11.3": (8, RISCV, ("pc", 0x1880, "lr", *ON_RISCV, 0)),
    "RISC-V of 11.3, clean floats": (8, RISCV, ("pc", 0x5880, "lr", *ON_RISCV, 0)),
}


def stack_of_reader(tmp_path, dprobes, cpu, compiler, words, *options):
    """`dprobes stack` of a task with these saved registers, which measure has called."""
    elf = compiled(tmp_path, SOURCE, "port", *compiler)
    kernel = one_task_in_each_state(Kernel(symbols_of(elf)))
    thumb = cpu == CORTEXM
    named = {"pc": kernel.symbols["receive_waits"], "lr": kernel.symbols["measure_goes_on"] | thumb}
    # measure has 2 words on ARM, 4 on RISC-V; the last one is its return address.
    frame = [0] * (3 if cpu == 8 else 1) + [kernel.symbols["consumer_measured"] | thumb]
    end = kernel.take(0x400) + 0x200
    kernel.put(end - 4 * len(words), *(named.get(word, word) for word in words), *frame)
    reader = kernel.tasks["reader"]
    kernel.put(reader + TOP, end - 4 * len(words))
    kernel.put(reader + STACK, end - 0x200)
    kernel.put(reader + END, end + 0x1fc)
    made = fake.FakeAgent(tmp_path / "agent", cpu=cpu)
    made.identity, made.build_id, made.text_base, made.profile = 1, bytes.fromhex(BUILD_ID), TEXT, 1
    made.memory = {DATA: kernel.memory}
    done = dprobes("stack", "reader", "--elf", elf, "--port", made.url, *options)
    made.close()
    return done


@pytest.mark.parametrize("port", SAVED)
def test_how_ports_save_registers(port, tmp_path, dprobes):
    """The caller of the waiting function is in the link register, and that function's caller on the stack behind the context."""
    task = stack_of_reader(tmp_path, dprobes, *SAVED[port], "--format", "json").objects()[0]
    assert [frame["function"] for frame in task["frames"]][:3] == ["xQueueReceive", "measure", "consumer"], task


@pytest.mark.parametrize("more, mstatus", ((33, 0x80007880), (66, 0x80007880), (64, 0x80001e80), (90, 0x80007e80), (0, 0x80007880)))
def test_registers_of_extensions(more, mstatus, tmp_path, dprobes):
    """RISC-V of 11.3 saves floating-point and vector registers in front of x1, where it is compiled for them: nothing is taken
    for x1."""
    words = ("pc", mstatus, *(0x3f800000 + i for i in range(more)), "lr", *ON_RISCV, 0)
    done = stack_of_reader(tmp_path, dprobes, 8, RISCV, words)
    assert done.status == 0 and "xQueueReceive" not in done.stdout, done.stdout
    assert "[the kernel may have saved its floating-point or vector registers: where the others are is not known]" in done.stdout


def test_names_of_several_tasks_and_of_none(run, kernel):
    at = kernel.at(kernel.tasks["paused"] + NAME)
    kernel.memory[at:at + 12] = b"asleep".ljust(12, b"\0")
    done = run("stack", "asleep")
    assert done.status == 1 and done.stdout == "" and "2 tasks have the name 'asleep'; give the address of one" in done.stderr
    listed = re.findall(r"^  (0x\w+): (\w+), priority 2$", done.stderr, re.M)
    assert listed == [(hex(kernel.tasks["asleep"]), "sleeping"), (hex(kernel.tasks["paused"]), "suspended")]
    assert run("stack", listed[1][0]).stdout.startswith(f"asleep at {listed[1][0]}: suspended")
    done = run("stack", "nobody")
    assert done.status == 1 and "FreeRTOS has no task 'nobody'; 'dprobes tasks' lists them" in done.stderr


def changing(agent, change):
    """Call change(n) in front of the answer number n of the requests for memory."""
    answer, asked = agent._memory, [0]

    def changed(a):
        change(asked[0])
        asked[0] += 1
        return answer(a)
    agent._memory = changed
    return asked


def moves(kernel, to_delayed):
    """asleep and spare change places in the lists of ready and delayed tasks."""
    ready, delayed = kernel.where("pxReadyTasksLists", 1), kernel.where("xDelayedTaskList1")
    spare, asleep, writer = (kernel.tasks[name] + STATE for name in ("spare", "asleep", "writer"))
    kernel.fill(ready, asleep if to_delayed else spare)
    kernel.fill(delayed, spare if to_delayed else asleep, writer)
    for name in ("spare", "asleep"):
        kernel.put(kernel.tasks[name] + STATE + VALUE, int(to_delayed))


@pytest.mark.parametrize("at", range(1, 40, 3))
def test_lists_that_change_once(agent, run, kernel, at):
    """While they are walked, or while the tasks are read: each task is there once, and as it is afterwards."""
    asked = changing(agent, lambda number: number == at and moves(kernel, True))
    done = run("tasks")
    states = [line.split()[:2] for line in done.lines()[1:]]
    assert done.status == 0 and done.stderr == "" and asked[0] > at
    changed = {"spare": "sleeping", "asleep": "ready"}
    assert [name for name, _ in states] == list(kernel.tasks)
    assert all(state == (changed.get(name) or re.split(" +", TABLE[i + 1])[1]) for i, (name, state) in enumerate(states)), done.stdout


def test_lists_that_change_all_the_time(agent, run, kernel):
    """Tasks that never stand still are printed without a place, or with the place where they always are; none twice."""
    changing(agent, lambda number: moves(kernel, number % 2 == 0))
    done = run("tasks")
    assert done.status == 0 and [line.split()[0] for line in done.lines()[1:]] == list(kernel.tasks)


def test_a_list_that_is_never_whole(agent, run, kernel):
    """The kernel counts more than its lists have: what is missing is told, and what is there is printed."""
    kernel.count(len(kernel.tasks) + 2)
    done = run("tasks")
    check_table(done)
    assert "2 more task(s) were not found: the lists of FreeRTOS changed each time they were read" in done.stderr


def test_lists_of_nonsense(agent, run, kernel):
    """An item of another list, one that leads to itself, a number of items beyond all memory: the walk ends, and begins again at
    the other end of the list."""
    ready, asleep = kernel.where("pxReadyTasksLists", 2), kernel.tasks["asleep"] + STATE
    kernel.put(ready + COUNT, 0xFFFFFFFF)
    kernel.put(ready + LIST_END + NEXT, kernel.tasks["spare"] + STATE)
    kernel.put(asleep + NEXT, asleep)
    done = run("tasks")
    assert done.status == 0 and [line.split()[0] for line in done.lines()[1:]] == list(kernel.tasks), done


def test_items_that_lead_in_a_ring(run, kernel):
    """A list without an end, and a number of items beyond all memory: the walk ends."""
    asleep, writer = (kernel.tasks[name] + STATE for name in ("asleep", "writer"))
    kernel.put(kernel.where("xDelayedTaskList1") + COUNT, 0xFFFFFFFF)
    kernel.put(writer + NEXT, asleep)
    kernel.put(asleep + PREVIOUS, writer)
    done = run("tasks")
    assert done.status == 0 and [line.split()[0] for line in done.lines()[1:]] == list(kernel.tasks), done


@pytest.mark.parametrize("at", range(1, 32, 3))
def test_a_task_that_is_deleted(agent, run, kernel, at):
    """While the lists are walked, or while the tasks are read: the control block stays in memory, and is no task any more."""
    def delete(number):
        if number == at:
            kernel.fill(kernel.where("xSuspendedTaskList"), *(kernel.tasks[name] + STATE for name in ("reader", "notified", "woken")))
            kernel.put(kernel.tasks["paused"] + STATE + CONTAINER, 0)
            kernel.put(kernel.where("xDelayedTaskList1") + COUNT, 3)  # a walk that is under way sees a list that changes
            kernel.count(len(kernel.tasks) - 1)
        if number == at + 3:
            kernel.put(kernel.where("xDelayedTaskList1") + COUNT, 2)
    asked = changing(agent, delete)
    done = run("tasks")
    assert done.status == 0 and asked[0] > at + 3
    assert [line.split()[0] for line in done.lines()[1:]] == [name for name in kernel.tasks if name != "paused"], done.stdout


@pytest.mark.parametrize("at", range(6, 36, 3))
def test_one_task_runs(agent, run, kernel, at):
    """A task that is read twice becomes the running one meanwhile: the one that ran before is read again."""
    def change(number):
        kernel.put(kernel.symbols["pxCurrentTCB"], kernel.tasks["spare" if number < at else "asleep"])
        kernel.put(kernel.tasks["asleep"] + STATE + VALUE, number)
    asked = changing(agent, change)
    done = run("tasks")
    assert done.status == 0 and [line.split()[1] for line in done.lines()[1:]].count("running") == 1, (asked, done.stdout)


def test_a_stack_that_was_overwritten(run, kernel):
    """Registers that are none, a stack that is used up, and one that nobody lets be read: said, and the others are printed."""
    stacks = {name: struct.unpack_from("<I", kernel.memory, kernel.at(block + STACK))[0] for name, block in kernel.tasks.items()}
    top = struct.unpack_from("<I", kernel.memory, kernel.at(kernel.tasks["reader"]))[0]
    kernel.put(top + 14 * 4, 0x12345678)
    kernel.put(stacks["writer"], 0)
    kernel.put(kernel.tasks["asleep"] + STACK, 0x66000000)
    lines = {line.split()[0]: line for line in run("tasks").lines()}
    assert "? (its saved registers have no known form) [samples]" in lines["reader"]
    assert lines["writer"].split()[3] == "0" and lines["asleep"].split()[3] == "-" and lines["spare"].split()[3] == "172"


def test_a_kernel_that_fills_no_stack(run, kernel):
    for block in kernel.tasks.values():
        stack = struct.unpack_from("<I", kernel.memory, kernel.at(block + STACK))[0]
        kernel.put(stack, 0x11111111)
    assert {line.split()[3] for line in run("tasks").lines()[1:]} == {"-"}


def test_a_kernel_that_is_not_known(run, tmp_path):
    other = compiled(tmp_path, SOURCE.replace("xPendingReadyList", "readySoon"), "other")
    done = run("tasks", image=other)
    assert done.status == 1 and done.stdout == ""
    assert ("the firmware has no kernel whose tasks are known: FreeRTOS (no variable xPendingReadyList), the demo kernel of dprobes "
            "(no variable task_table)") in done.stderr
    other = compiled(tmp_path, SOURCE.replace("uxPriority", "importance"), "member")
    assert "FreeRTOS (no member uxPriority)" in run("stack", image=other).stderr


def test_arrays_without_elements(run, tmp_path):
    """An ELF file may say anything."""
    for name, array in (("notified", "ucNotifyState[4]"), ("registry", "xQueueRegistry[2]"), ("ready", "pxReadyTasksLists[4]")):
        done = run("tasks", image=compiled(tmp_path, SOURCE.replace(array, re.sub(r"\d", "0", array)), name))
        assert done.status in (0, 1, 4), done


def test_a_kernel_that_has_not_started(run, kernel):
    kernel.memory[:] = bytes(len(kernel.memory))
    done = run("tasks")
    assert done.status == 4 and "no task was found: FreeRTOS has not started" in done.stderr


def test_through_a_service(agent, dprobes, elf):
    """Two commands use the line that the service owns, and print what they print without one."""
    with tempfile.TemporaryDirectory(prefix="dprobes-", ignore_cleanup_errors=True) as folder:
        env = {"XDG_RUNTIME_DIR": folder}
        service = dprobes.start("serve", "--port", agent.url, env=env)
        service.err.expect("serving")
        check_table(dprobes("tasks", "--elf", elf, "--port", agent.url, env=env))
        assert dprobes("stack", "reader", "--elf", elf, "--port", agent.url, env=env).stdout.startswith("reader at ")
        assert service.interrupt().status in (0, 130)


def test_without_an_elf_file(dprobes, agent):
    done = dprobes("tasks", "--port", agent.url)
    assert done.status == 1 and "give the ELF file (--elf)" in done.stderr and not agent.reads


def test_an_agent_without_memory(agent, run):
    agent.without = (fake.MEMORY_PART,)
    done = run("tasks")
    assert done.status == 4 and "MEMORY" in done.stderr
