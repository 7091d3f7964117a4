# SPDX-License-Identifier: BSD-2-Clause
"""dprobes read and write: variables and memory of the firmware without a program, against the agent of fake_agent.py.

The firmware is compiled here for ARM. The agent has the bytes of its data, as a target that has just started."""
import csv
import io
import json
import os
import struct
import subprocess

import pytest

from harness import fake_agent as fake
from harness import process, tool
from harness import turns as turn_line
from harness.paths import program

ARM, DATA, TEXT = 2, 0x20000, 0x8000
BUILD_ID = "1234567890123456789012345678901234567890"
SOURCE = """
#include <stdbool.h>
#include <stdint.h>

enum state { IDLE, READY = 2, WAITING };
enum flags { RED = 1, GREEN = 2, BLUE = 4 };
enum step { BACK = -2, STAY, ON = 4 };
struct item { uint16_t id; int8_t level; };
struct task {
	const char *name;
	enum state state;
	struct task *next;
	char label[8];
	void (*entry)(void);
	struct item items[2];
	unsigned low : 3, high : 5;
	int sign : 4;
	union { uint32_t word; uint8_t bytes[4]; } u;
};

void work(void) { }
int counter = -7;
uint8_t byte = 200;
int64_t big = -5000000000;
uint64_t wide = 0x1122334455667788;
bool on = true;
float ratio = 0.5f;
double precise = -2.25;
enum state state = WAITING;
enum flags flags = RED | BLUE;
enum step step = ON;
char text[12] = "hello";
char written[8] = "in RAM";
char *behind = written;
static const char constant[] = "idle";
short table[2][3] = {{1, 2, 3}, {-4, 5, 6}};
struct task tasks[3] = {
	{.name = constant, .state = READY, .next = &tasks[1], .label = "one", .entry = work, .items = {{1, -1}, {2, 5}},
	 .low = 5, .high = 17, .sign = -3, .u.word = 0x01020304},
	{.name = written, .next = &tasks[2], .label = "twotwotw"},
	{.name = 0, .state = 8},
};
struct task *first = tasks;
struct task *none = 0;
volatile uint32_t *reg = (uint32_t *)0x40000004;
uint32_t index1 = 1;
char *stray = (char *)0x66000000;
static int hidden = 41;
int use(void) { return hidden + constant[0]; }
void _start(void) { hidden = use(); }
"""


@pytest.fixture(scope="module")
def elf(tmp_path_factory):
    folder = tmp_path_factory.mktemp("look")
    (folder / "look.c").write_text(SOURCE)
    subprocess.run([program("arm-none-eabi-gcc"), "-g", "-O1", "-mthumb", "-mcpu=cortex-a9", "-ffreestanding", "-nostdlib", "-fno-section-anchors",
                    f"-Wl,-Ttext-segment={TEXT:#x},-Tdata={DATA:#x},--build-id=0x{BUILD_ID}", folder / "look.c", "-o", folder / "look.elf"],
                   check=True)
    subprocess.run([program("arm-none-eabi-objcopy"), "-O", "binary", "-j", ".data", "-j", ".bss",
                    "--set-section-flags", ".bss=alloc,load,contents", folder / "look.elf", folder / "data"], check=True)
    return folder / "look.elf"


@pytest.fixture
def symbols(elf):
    listed = subprocess.run([program("arm-none-eabi-nm"), elf], capture_output=True, text=True, check=True).stdout
    return {name: int(address, 16) for address, _, name in (line.split() for line in listed.splitlines())}


@pytest.fixture
def arm(tmp_path, elf):
    made = fake.FakeAgent(tmp_path / "agent", cpu=ARM)
    made.identity, made.build_id, made.text_base, made.profile = 1, bytes.fromhex(BUILD_ID), TEXT, 1
    made.memory = {DATA: bytearray((elf.parent / "data").read_bytes())}
    yield made
    made.close()


@pytest.fixture
def read(dprobes, arm, elf):
    def run(*words, command="read", image=True):
        return dprobes(command, *(["--elf", elf] if image else []), "--port", arm.url, *words)
    return run


def good(read, *words, **options):
    done = read(*words, **options)
    assert done.status == 0 and done.stderr == "", done
    return done.stdout


FIRST = ('{.name = 0x%(constant)x <constant> "idle", .state = READY, .next = 0x%(second)x <tasks+0x28>, .label = "one", .entry = work, '
         ".items = {{.id = 1, .level = -1}, {.id = 2, .level = 5}}, .low = 5, .high = 17, .sign = -3, "
         ".u = {.word = 16909060, .bytes = {4, 3, 2, 1}}}")
VALUES = {
    "counter": "-7", "byte": "200", "big": "-5000000000", "wide": str(0x1122334455667788), "on": "true", "ratio": "0.5",
    "precise": "-2.25", "state": "WAITING", "flags": "RED | BLUE", "text": '"hello"', "table": "{{1, 2, 3}, {-4, 5, 6}}", "table[1]": "{-4, 5, 6}",
    "table[1][0]": "-4", "tasks[0].items[1].level": "5", "tasks[0].low": "5", "tasks[0].sign": "-3", "tasks[1].label": '"twotwotw"',
    "first->next->label[0]": "'t'", "*first->next->next": None, "tasks[index1 + 1].state": "8", "(int)byte + counter": "193",
    "byte / 3": "66", "counter / 2": "-3", "counter >> 1": "-4", "counter < 0": "1", "first->next - first": "1", "none && none->state": "0",
    "*(uint8_t *)&counter": "249", "hidden": "41", "look.c`hidden": "41", "first == tasks": "1", "sizeof(struct task)": None,
    "&tasks[1].state": "0x%(second4)x <tasks+0x2c>", "none": "0x0", "~byte": "-201", "-counter": "7", "!counter": "0",
    "big < 0 ? 10 : 20": "10", "behind": '0x%(written)x <written> "in RAM"', "work": "work", "tasks[0].entry": "work", "reg": "0x40000004",
}


def test_values(read, symbols):
    """By their types in C, in the order of the command line, all in as few requests as the pointers need."""
    names = {"constant": symbols["constant"], "second": symbols["tasks"] + 40, "second4": symbols["tasks"] + 44, "written": symbols["written"]}
    values = {name: text for name, text in VALUES.items() if text is not None} | {"tasks[0]": FIRST, "*first": FIRST}
    lines = good(read, "--", *values).splitlines()
    assert lines == [f"{name} = {text % names if '%(' in text else text}" for name, text in values.items()]


def test_few_requests(arm, read):
    """Ten places in a request; the second turn is for what a pointer leads to."""
    good(read, *(f"table[{i}][{j}]" for i in range(2) for j in range(3)), "byte", "state", "on", "counter")
    assert len(arm.reads) == 1 and len(arm.reads[0][1]) == 10
    arm.reads.clear()
    good(read, "first->next->state", "byte", "tasks")
    assert [len(places) for _, places in arm.reads[:1]] == [3] and len(arm.reads) == 4


def test_turns(arm, dprobes, elf, tmp_path):
    """An int: HELLO, then the image and the memory together. CLOSE comes when the value is printed."""
    line = turn_line.TurnLine(tmp_path / "line", arm.path)
    running = dprobes.start("read", "counter", "--elf", elf, "--port", line.url)
    line.watch(running.process)
    assert running.wait().stdout == "counter = -7\n"
    line.close()
    assert line.turns == 2 + 1


def test_json_and_csv(read, symbols):
    done = read("tasks[0]", "wide", "on", "none->next", "--format", "json")
    assert done.status == 4
    task, wide, on, bad = done.objects()
    assert task["kind"] == "value" and task["type"] == "struct task" and int(task["address"], 16) == symbols["tasks"]
    assert task["value"]["items"] == [{"id": 1, "level": -1}, {"id": 2, "level": 5}] and task["value"]["label"] == "one"
    assert task["value"]["name"] == {"address": f"{symbols['constant']:#010x}", "symbol": "constant", "text": "idle"}
    assert (wide["value"], on["value"]) == (0x1122334455667788, True) and "value" not in bad and "0x8" in bad["error"]
    rows = list(csv.DictReader(io.StringIO(good(read, "counter", "tasks[0].items", "--format", "csv"))))
    assert [(row["name"], row["type"], row["text"]) for row in rows] == [
        ("counter", "int", "-7"), ("tasks[0].items", "struct item [2]", "{{.id = 1, .level = -1}, {.id = 2, .level = 5}}")]
    assert json.loads(rows[1]["value"])[1] == {"id": 2, "level": 5} and rows[0]["error"] == rows[0]["seconds"] == ""


def test_bytes(arm, read, symbols):
    at = symbols["wide"]
    assert good(read, "-r", "wide") == f"{at:08x}  88 77 66 55 44 33 22 11                           |.wfUD3\".|\n"
    assert good(read, f"{at:#x},8", image=False) == good(read, "-r", "wide")
    assert good(read, f"{at:#x}", image=False) == f"{at:08x}  88 77 66 55                                       |.wfU|\n"
    assert good(read, "&wide, 3", "--format", "json") == \
        f'{{"kind":"value","name":"&wide, 3","address":"{at:#010x}","value":"887766","text":"887766","schema":1}}\n'
    text = good(read, "-r", "tasks").splitlines()
    data = arm.memory[DATA][symbols["tasks"] - DATA:][:3 * 40]
    assert bytes.fromhex("".join(line[10:59] for line in text)) == data


def test_width(arm, read):
    """Registers: each access of its size, once, and never two requests ahead."""
    arm.memory[0x40000000] = bytearray(range(1, 65))
    first, second = good(read, "-r", "--width", "4", "0x40000000,24").splitlines()
    assert first == "40000000  04030201 08070605  0c0b0a09 100f0e0d  |................|"
    assert second.split() == ["40000010", "14131211", "18171615", "|........|"] and second.index("|") == first.index("|")
    assert arm.reads == [(4, [(0x40000000, 24)])]
    arm.reads.clear()
    assert "0201" in good(read, "-r", "--width", "2", "0x40000000,64")
    assert [width for width, _ in arm.reads] == [2, 2] and sum(count for _, places in arm.reads for _, count in places) == 64
    done = read("-r", "--width", "4", "0x40000002,4")
    assert done.status == 4 and "does not let 0x40000002 be read" in done.stdout and "with --width 4 an address is a multiple of 4" in done.stderr


def test_as(read, symbols):
    assert good(read, f"{symbols['tasks']:#x}", "--as", "struct task").startswith(f"{symbols['tasks']:#x} = {{.name = ")
    assert good(read, "tasks[0].u.bytes", "--as", "uint32_t") == "tasks[0].u.bytes = 16909060\n"
    assert good(read, "counter", "--as", "uint8_t") == "counter = 249\n"
    assert good(read, "first", "--as", "char *") == good(read, "tasks[0].name").replace("tasks[0].name", "first")
    assert good(read, f"{symbols['wide']:#x}", "--as", "unsigned int", image=False) == f"{symbols['wide']:#x} = {0x55667788}\n"


def test_memory_that_is_not_there(arm, read):
    """The others are printed."""
    done = read("counter", "none->state", "*reg", "stray", "byte")
    assert done.status == 4 and "the board lets these addresses be read: 0x1000 to 0x1fff, 0x20000 to 0x20fff\n" in done.stderr
    assert done.stdout == ("counter = -7\nnone->state = <the target does not let 0x4 be read>\n*reg = <the target does not let 0x40000004 be read>\n"
                           "stray = 0x66000000 <not readable>\nbyte = 200\n")
    arm.memory = {DATA: arm.memory[DATA][:100]}
    done = read("-r", f"{DATA:#x},200")
    assert done.status == 4 and f"does not let {DATA + 96:#x} be read" in done.stdout or f"{DATA + 88:#x}" in done.stdout


@pytest.mark.parametrize("words,says", [
    (["countr"], "unknown name 'countr'; did you mean 'counter'?"),
    (["counter +"], "expected an expression"),
    (["counter 3"], "expected the end of the expression before '3'"),
    (["tasks[0].nme"], "struct task has no member 'nme'"),
    (["counter = 3"], "dprobes write"), (["counter++"], "dprobes write"),
    (["arg0"], ""), (["timestamp"], "only at a hit"), (["self->x"], ""), (["@a"], ""), (["\"text\""], ""),
    (["counter,0"], "from 1 to 65536"), (["counter,byte"], "from 1 to 65536"), (["counter,4", "--as", "int"], "leave out --as"),
    (["counter", "--as", "struct nothing"], "struct nothing"), (["tasks[0].low,4"], "bit-field"),
    (["counter", "--width", "4"], "add --bytes"), (["-r", "counter", "--width", "3"], "1, 2, 4 or 8"),
    (["-r", "counter", "--as", "int"], "leave out --as"), (["counter", "--count", "3"], "--every"), (["counter", "--live"], "--every"), ([""], "empty"),
])
def test_bad_expressions(arm, read, words, says):
    """Said before the line is touched."""
    done = read(*words)
    assert done.status == 1 and done.stdout == "" and says in done.stderr and "error" in done.stderr, done
    assert arm.requests == []


@pytest.mark.parametrize("words, told", [
    (["counter", "first"], "dprobes: read '*(first)' prints what is behind the pointer"),
    (["(void *)first"], "dprobes: read --as TYPE {first:#x} prints what is behind the pointer"),
    (["*first", "behind", "none", "tasks[0].entry", "counter"], None), (["first", "--quiet"], None)])
def test_how_to_follow_a_pointer(arm, dprobes, elf, symbols, words, told):
    """A person on a terminal is told it. A text, a function and the null pointer have nothing behind them."""
    master, slave = os.openpty()
    child = process.start([dprobes.path(), "read", "--elf", elf, "--port", arm.url, *words], env=tool.environment(),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    shown = process.Reader("terminal", lambda: os.read(master, 4096))
    child.communicate(timeout=process.TIMEOUT_S)
    shown.join()
    os.close(master)
    assert child.returncode == 0
    assert shown.text == (told.format(first=symbols["tasks"]) + "\r\n" if told else ""), shown.text


def test_names_of_data(dprobes, elf, symbols):
    """An address in a variable has its name, as one in a function has."""
    for words, name in (([symbols["tasks"] + 4], "tasks+0x4"), ([symbols["counter"]], "counter")):
        run = dprobes("symbols", f"{words[0]:#x}", "--elf", elf)
        assert (run.status, run.stdout) == (0, f"{words[0]:#010x} {name}\n"), run
    assert dprobes("symbols", f"{symbols['work'] & ~1:#x}", "--elf", elf).stdout.split()[1] == "work"
    assert dprobes("symbols", "0x10", "--elf", elf).stdout == "0x00000010 0x10\n"


@pytest.mark.parametrize("where", ["option", "environment"])
def test_info_without_the_file(arm, dprobes, tmp_path, where):
    """What the agent says is printed; a file that is not there, or none of an ELF, is an error wherever it is named."""
    (tmp_path / "text").write_text("no ELF file\n")
    for name, why in (("missing.elf", "cannot read it: No such file or directory"), ("text", "")):
        path = tmp_path / name
        words, env = (["--elf", path], None) if where == "option" else ([], {"DPROBES_ELF": str(path)})
        run = dprobes("info", "--port", arm.url, *words, env=env)
        assert run.status == 1 and f"{path}: error: {why}" in run.stderr and "arm" in run.stdout, run


def test_needs_the_firmware(arm, read):
    done = read("counter", image=False)
    assert done.status == 1 and "--elf" in done.stderr
    arm.build_id = bytes(20)
    done = read("counter")
    assert done.status == 4 and done.stdout == "" and "the target does not run" in done.stderr


def test_older_agent(arm, read):
    arm.without = {fake.MEMORY_PART}
    for command, words in (("read", ["counter"]), ("write", ["counter", "1", "--write"])):
        done = read(*words, command=command)
        assert done.status == 4 and "DP_WITH_MEMORY" in done.stderr and done.stdout == ""


def test_moved_firmware(arm, read, symbols):
    """The firmware runs elsewhere: the names have other addresses."""
    moved = 0x100000
    arm.moved, arm.text_base = moved, TEXT + moved
    arm.memory = {DATA + moved: arm.memory[DATA]}
    assert good(read, "counter", "state") == "counter = -7\nstate = WAITING\n"
    assert arm.reads[-1][1][0][0] == symbols["counter"] + moved


def test_every(arm, read, dprobes, elf):
    head, *lines = good(read, "counter", "first->state", "--every", "0.02", "--count", "4").splitlines()
    assert head == "  seconds   counter  first->state" and [line[9:] for line in lines] == ["        -7         READY"] * 4
    times = [float(line.split()[0]) for line in lines]
    assert times == sorted(times) and times[-1] >= 0.058
    running = dprobes.start("read", "counter", "--every", "10ms", "--format", "csv", "--elf", elf, "--port", arm.url)
    running.out.expect(r"(value,.*\n){3}")
    ended = running.interrupt()
    assert ended.status == 130 and ended.lines()[0] == "kind,seconds,name,type,address,value,text,error"


def test_every_with_a_line_of_readings(arm, read, symbols):
    """A character for each reading, by the largest; a value that is no number has none."""
    at, levels, served = symbols["counter"] - DATA, iter((0, 5, 10, 10)), arm._memory

    def memory(a):
        arm.memory[DATA][at:at + 4] = next(levels).to_bytes(4, "little")
        return served(a)
    arm._memory = memory
    lines = good(read, "counter", "text", "--every", "10ms", "--live", "--count", "4").splitlines()
    assert lines[0::2] == ["counter = 0  | |", "counter = 5  | @|", "counter = 10  | =@|", "counter = 10  | =@@|"]
    assert lines[1::2] == ['text = "hello"'] * 4


def test_lines_of_floats_and_of_numbers_below_zero(arm, read, symbols):
    """Infinity is the largest, what is no number has no weight, and the sign of an enumerator counts not."""
    ratio, step = (symbols[name] - DATA for name in ("ratio", "step"))
    floats, steps, served = iter((1, float("nan"), float("inf"), float("-inf"), 2)), iter((4, -2, -1, 4, 2)), arm._memory

    def memory(a):
        arm.memory[DATA][ratio:ratio + 4] = struct.pack("<f", next(floats))
        arm.memory[DATA][step:step + 1] = struct.pack("<b", next(steps))
        return served(a)
    arm._memory = memory
    lines = good(read, "ratio", "step", "--every", "10ms", "--live", "--count", "5").splitlines()
    assert [line.split("  ", 1)[1] for line in lines[0::2]] == ["|@|", "|@ |", "|  @|", "|  @@|", "|  @@ |"]
    assert [line.split("  ", 1)[1] for line in lines[1::2]] == ["|@|", "|@=|", "|@=:|", "|@=:@|", "|@=:@=|"]


# --- write ---


def test_write(arm, read, symbols):
    def data(name, count):
        at = symbols[name] - DATA
        return int.from_bytes(arm.memory[DATA][at:at + count], "little")

    assert good(read, "counter", "1234", "--write", command="write") == "" and data("counter", 4) == 1234
    good(read, "--write", "counter", "--", "-2", command="write")
    assert data("counter", 4) == 0xFFFFFFFE
    good(read, "byte", "0x1ff", "--write", command="write")
    assert data("byte", 1) == 0xFF
    good(read, "tasks[1].state", "WAITING", "--write", command="write")
    assert good(read, "tasks[1].state") == "tasks[1].state = WAITING\n"
    good(read, "first", "&tasks[2]", "--write", command="write")
    assert good(read, "first->state") == "first->state = 8\n"
    good(read, "wide", "big + 1", "--write", command="write")
    assert data("wide", 8) == -4999999999 % 2**64
    good(read, "on", "7", "--write", command="write")
    assert data("on", 1) == 1
    assert [len(value) for _, value in arm.stores] == [4, 4, 1, 1, 4, 8, 1]
    arm.stores.clear()
    good(read, f"*(uint64_t *){symbols['wide'] + 5:#x}", "0x0102030405060708", "--write", command="write")  # at no multiple of 8
    assert [len(value) for _, value in arm.stores] == [1, 2, 4, 1] and data("wide", 8) >> 40 == 0x060708


@pytest.mark.parametrize("words,status,says", [
    (["counter", "1"], 1, "add --write"), (["counter", "--write"], 1, "VALUE is missing"), (["counter", "1", "2", "--write"], 1, "unexpected word"),
    (["text", "1", "--write"], 1, "only a number or pointer"), (["tasks[0]", "1", "--write"], 1, "only a number or pointer"),
    (["tasks[0].low", "1", "--write"], 1, "bit-field"), (["ratio", "1", "--write"], 1, "only a number or pointer"),
    (["counter + 1", "1", "--write"], 1, "no place in memory"), (["0x20000", "1", "--write"], 1, "no place in memory"), (["counter,4", "1", "--write"], 1, "a range of bytes"),
    (["counter", "tasks[0]", "--write"], 1, "must be a number or pointer"), (["none->state", "1", "--write"], 4, "0x4"),
    (["*reg", "1", "--write"], 4, "be written"), (["counter", "none->state", "--write"], 4, "none->state"),
])
def test_bad_writes(arm, read, words, status, says):
    before = bytes(arm.memory[DATA])
    done = read(*words, command="write")
    assert done.status == status and says in done.stderr, done
    assert bytes(arm.memory[DATA]) == before and arm.stores == []


def test_agent_that_only_reads(arm, read):
    arm.profile = 0
    done = read("counter", "1", "--write", command="write")
    assert done.status == 4 and "DP_PROFILE_FULL" in done.stderr and arm.stores == []


# --- the real agent, on the simulated CPU ---

RAM = 0x20000000


@pytest.mark.parametrize("profile", ["full", "read", "small"])
def test_simulated_target(sim_target, dprobes, profile):
    """Builds that write, that only read, and that have no MEMORY at all."""
    target = sim_target(profile=profile)
    place, port = f"*(uint32_t *){RAM:#x}", ("--port", target.url())
    before = dprobes("read", place, *port)
    written = dprobes("write", place, "0x12345678", "--write", *port)
    if profile == "small":
        assert before.status == written.status == 4 and "DP_WITH_MEMORY" in before.stderr and "DP_WITH_MEMORY" in written.stderr
        return
    assert before.status == 0
    if profile == "read":
        assert written.status == 4 and "DP_PROFILE_FULL" in written.stderr
        assert dprobes("read", place, *port).stdout == before.stdout
        return
    assert written.status == 0, written.stderr
    assert dprobes("read", place, f"*(uint8_t *){RAM + 1:#x}", *port).stdout == f"{place} = {0x12345678}\n*(uint8_t *){RAM + 1:#x} = {0x56}\n"
    text = dprobes("write", "*(uint32_t *)0x30000000", "0", "--write", *port)
    assert text.status == 4 and "does not let 0x30000000 be written: 0 of 4 bytes" in text.stderr
