# SPDX-License-Identifier: BSD-2-Clause
"""Static hooks: what agent/dprobes_hook.h adds to a firmware, and where D finds it. D.md, "Static hooks"."""
import json
import re
import subprocess

import cpus
import d_cases
import pytest

from harness.paths import TOP, program

HERE = d_cases.HERE
GCCS, CLANGS = cpus.column("d_gcc"), cpus.column("clang")
CLANG_FLAGS = cpus.column("hook_clang")
WARN = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffreestanding", "-nostdinc", f"-I{TOP / 'agent'}"]
STANDARD = {"c": "-std=c99", "cpp": "-std=c++11"}
# Bytes of the no-op, and the hooks of hooks.c.
NOPS = cpus.column("nop_bytes")
NAMES = ["queue:::put", "queue:::parts", "queue:::fixed", "queue:::in-out", "queue:::eight", "queue:::asked", "other:::twice", "other:::twice"]


# What gcc takes beside them.
WIDE = {row.name: [] if row.hook_few else ["queue:::wide"] for row in cpus.rows()}


def run(*words, cwd=None):
    done = subprocess.run([*map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def flags_of(cpu):
    """Flags of the CPU, without those of the linker."""
    return [word for word in GCCS[cpu][1] if not word.startswith(("-Wl", "-nost", "-static"))]


def linked(folder, cpu, language="c", compiler="gcc", *words, wide=None):
    """hooks.c of the CPU as an ELF file, without unused sections."""
    gcc = program(GCCS[cpu][0])
    source = folder / f"hooks.{language}"
    source.write_text((HERE / "hooks.c").read_text(encoding="utf-8"), encoding="utf-8")
    few = cpus.of(cpu).hook_few
    wide = compiler == "gcc" and not few if wide is None else wide
    split = ["-g", "-ffunction-sections", "-fdata-sections", *(["-DWIDE"] if wide else []), *(["-DFEW"] if few else []), STANDARD[language], *words]
    if compiler == "gcc":
        run(gcc if language == "c" else program(GCCS[cpu][0].replace("gcc", "g++")), *flags_of(cpu), *WARN, *split, "-c", "-o", "hooks.o", source, cwd=folder)
    else:
        run(program("clang" if language == "c" else "clang++"), f"--target={CLANGS[cpu]}", *CLANG_FLAGS[cpu], *WARN, *split,
            "-c", "-o", "hooks.o", source, cwd=folder)
    elf = folder / "hooks.elf"
    run(gcc, *flags_of(cpu), *[word for word in words if word.startswith(("-O", "-flto"))], "-nostdlib", "-static", "-Wl,--gc-sections", "-Wl,--build-id=none",
        "-Wl,-z,max-page-size=4096", "-Wl,-T," + str(HERE / "hooks.ld"), "-o", elf, "hooks.o", cwd=folder)
    return elf


def listed(dprobes, elf, what="sdt:::"):
    done = dprobes("-l", what, "--format", "json", "--elf", elf)
    assert done.status == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def names(rows):
    """{(address, provider, name)}"""
    return sorted((int(row["address"], 16), row["probe"].split(":")[0], row["probe"].split(":")[3]) for row in rows)


def of_readelf(elf):
    text = run(program("readelf"), "-nW", elf)
    found = re.findall(r"Provider: (\w+)\s+Name: (\w+)\s+Location: (0x[0-9a-f]+), Base: 0x0+, Semaphore: (0x[0-9a-f]+)\s+Arguments:(.*)", text)
    return sorted((int(at, 16), provider, name.replace("__", "-")) for provider, name, at, _semaphore, _arguments in found)


def of_gdb(elf):
    text = run(program("gdb-multiarch"), "-nx", "-batch", "-ex", "info probes stap", elf)
    return sorted((int(at, 16), provider, name.replace("__", "-")) for provider, name, at
                  in re.findall(r"^stap +(\w+) +(\w+) +(0x[0-9a-f]+)", text, re.M))


def check_places(dprobes, elf, more=()):
    rows = listed(dprobes, elf)
    expected = sorted([*NAMES, *more])
    assert sorted(f"{provider}:::{name}" for _at, provider, name in names(rows)) == expected
    assert names(rows) == of_readelf(elf) == of_gdb(elf)
    return rows


@pytest.mark.parametrize("cpu", GCCS)
def test_places(dprobes, cpu, tmp_path):
    """readelf, gdb and dprobes have the same places; those of a function that the linker removes are gone."""
    elf = linked(tmp_path, cpu, "c", "gcc", "-O2")
    rows = check_places(dprobes, elf, WIDE[cpu])
    assert "which cannot be read" not in str(rows), rows
    put, = [row for row in rows if row["probe"].endswith(":put")]
    assert re.search(r"\(uint32_t in \S+, int32_t in \S+\)$", put["arguments"]), put
    fixed, = [row for row in rows if row["probe"].endswith(":fixed")]
    assert re.search(r"\(int32_t = \D?5, int32_t = \D?-3, uint32_t = \D?70000\)$", fixed["arguments"]), fixed
    twice = sorted(row["arguments"] for row in rows if row["probe"].endswith(":twice"))
    assert "7)" in "".join(twice) and "int32_t in" in "".join(twice)  # a constant here, a register there
    assert "unused" not in run(program("readelf"), "-sW", elf)


@pytest.mark.nightly
@pytest.mark.parametrize("level", ["-O0", "-O1", "-Os", "-O2", "-flto"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("language", STANDARD)
@pytest.mark.parametrize("cpu", GCCS)
def test_every_compiler(dprobes, cpu, language, compiler, level, tmp_path):
    if level == "-flto" and compiler == "clang":
        pytest.skip("the linker of gcc has no plugin of clang")
    words = ["-O2", "-flto"] if level == "-flto" else [level]
    elf = linked(tmp_path, cpu, language, compiler, *words)
    rows = check_places(dprobes, elf, WIDE[cpu] if compiler == "gcc" else [])
    assert "which cannot be read" not in str(rows), rows
    for hook in sorted({f"{row['probe'].split(':')[0]}:::{row['probe'].split(':')[3]}" for row in rows}):
        (tmp_path / "p.d").write_text(f"{hook} {{ trace(probename); }}\n")
        assert dprobes("build", "p.d", "--elf", elf, "-o", "p.ppdf", cwd=tmp_path).status == 0


def image(elf, cpu):
    """The bytes that a loader loads."""
    run(program(GCCS[cpu][0].replace("gcc", "objcopy")), "-O", "binary", elf, elf.with_suffix(".bin"))
    return elf.with_suffix(".bin").read_bytes()


def ram(file):
    """{section of RAM in an object file: bytes}"""
    found = re.findall(r" (\.s?(?:bss|data)\S*) +(?:NOBITS|PROGBITS) +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+)", run(program("readelf"), "-SW", file))
    return {name: int(count, 16) for name, count in found if int(count, 16)}


PLAIN = """#include "dprobes_hook.h"
int main(void);
extern volatile unsigned short sink;
volatile unsigned short sink;
int main(void)
{
	int n = sink;
	HOOKS
	sink = (unsigned short)n;
	return ASK;
}
"""
HOOK = "DPROBES_HOOK(a, b, n, 3);\n"


@pytest.mark.parametrize("cpu", GCCS)
def test_bytes(cpu, tmp_path):
    """A hook more is one no-op more; a name that is asked for has two bytes of RAM; -DDPROBES_NO_HOOKS leaves nothing."""
    gcc = program(GCCS[cpu][0])

    def made(hooks, ask="0", *words):
        (tmp_path / "p.c").write_text(PLAIN.replace("HOOKS", HOOK * hooks).replace("ASK", ask))
        elf = tmp_path / "p.elf"
        run(gcc, *flags_of(cpu), *WARN, "-std=c99", "-O2", "-fno-asynchronous-unwind-tables", "-fdata-sections", *words, "-c", "-o", "p.o", tmp_path / "p.c", cwd=tmp_path)
        run(gcc, *flags_of(cpu), "-nostdlib", "-static", "-Wl,--build-id=none", "-Wl,-T," + str(HERE / "hooks.ld"), "-o", elf, "p.o", cwd=tmp_path)
        return image(elf, cpu), ram(tmp_path / "p.o")

    nothing, five, nine = made(0), made(5), made(9)
    assert len(nine[0]) - len(five[0]) == 4 * NOPS[cpu], (five, nine)
    assert nothing[1] == five[1] == nine[1] and list(nothing[1].values()) == [2]
    assert nothing == made(5, "0", "-DDPROBES_NO_HOOKS")
    assert made(5, "DPROBES_HOOK_ENABLED(a, b) + DPROBES_HOOK_ENABLED(a, b)")[1] == {**nothing[1], ".bss.dprobes_hook_a_b": 2}


def test_too_wide(tmp_path):
    """An argument that clang would write as one register of two is an error of the compiler."""
    with pytest.raises(AssertionError, match="array size is negative"):
        linked(tmp_path, "arm", "c", "clang", "-O2", wide=True)


# ---- D -------------------------------------------------------------------------------------------

FILE = """provider queue {
	probe put(struct queue *queue, int n);
	probe parts(short low, unsigned char high, signed char n, string name);
	probe wide(long long total, int n, int more);
	probe gone(int n);
	probe asked(int n) : fbt::main:entry (arg0);
	probe called(int twice) : sdt:::twice (arg0 * 2);
};
"""


@pytest.fixture(scope="session")
def plain(tmp_path_factory):
    return linked(tmp_path_factory.mktemp("hooks"), "arm", "c", "gcc", "-O2")


@pytest.fixture
def declared(plain, tmp_path):
    elf = tmp_path / "hooks.elf"
    elf.write_bytes(plain.read_bytes())
    (tmp_path / "queue.provider.d").write_text(FILE)
    return elf


def code(dprobes, elf, folder, text):
    (folder / "p.d").write_text(text)
    done = dprobes("build", "p.d", "--elf", elf, "-o", "p.ppdf", cwd=folder)
    assert done.status == 0, done.stderr
    return dprobes("disasm", "p.ppdf", cwd=folder).stdout


def refused(dprobes, elf, folder, text):
    (folder / "p.d").write_text(text)
    done = dprobes("build", "p.d", "--elf", elf, "-o", "p.ppdf", cwd=folder)
    assert done.status == 1, done
    return done.stderr


def test_arguments(dprobes, plain, tmp_path):
    """Each is read where the note says, in the size and with the sign that it has."""
    put, = [row for row in listed(dprobes, plain, "queue:::put")]
    first, second = re.search(r"\(uint32_t in (\w+), int32_t in (\w+)\)", put["arguments"]).groups()
    made = code(dprobes, plain, tmp_path, "queue:::put { trace(arg0); trace(args[1]); }")
    assert re.findall(r"push r, (\w+)", made) == [first, second]
    assert code(dprobes, plain, tmp_path, "sdt:::put { trace(arg0); trace(args[1]); }") == made
    fixed = code(dprobes, plain, tmp_path, "queue:::fixed { trace(arg0 + arg1); trace(args[2]); }")
    assert "push 2\n" in fixed and re.search(r"push (0x11170|70000)\n", fixed), fixed
    assert code(dprobes, plain, tmp_path, "queue:::eight { trace(arg7); } queue:::in-out { trace(probename); }")


def test_declared_types(dprobes, declared, tmp_path):
    """A declaration without a place gives the types; one with a place stands there instead of at the hook."""
    rows = listed(dprobes, declared, "queue:::put")
    assert re.search(r"\(struct queue \* in \w+, int in \w+\)$", rows[0]["arguments"]), rows
    assert "push mem, u32" in code(dprobes, declared, tmp_path, "queue:::put { trace(args[0]->count); }")
    assert "log str" in code(dprobes, declared, tmp_path, "queue:::parts { trace(args[3]); }")
    assert [row["probe"].split(":")[2:] for row in listed(dprobes, declared, "queue:::asked")] == [["main", "asked"]]
    assert listed(dprobes, declared, "queue:::asked")[0]["address"] != listed(dprobes, declared, "sdt:::asked")[0]["address"]
    called = listed(dprobes, declared, "queue:::called")
    assert len(called) == 2 and all(row["arguments"][0] == "(" for row in called), called
    assert dprobes("-l", "queue:::called", "--elf", declared).stdout.count(" = other:hooks:main:twice (int32_t ") == 2
    every = {row["probe"].split(":")[3] for row in listed(dprobes, declared, "queue:::")}
    assert every == {"put", "parts", "fixed", "in-out", "eight", "wide", "asked", "called"}


@pytest.mark.parametrize("text, said", [
    ("queue:::put { trace(arg2); }", "hook 'queue:::put' has 2 argument(s) here"),
    ("queue:::in-out { trace(args[0]); }", "hook 'queue:::in-out' has no arguments here"),
    ("queue:::putt { trace(1); }", "'queue:::putt' matches nothing: there is no such hook; did you mean 'put'?"),
    ("queue:::zzzzzzzz { trace(1); }", "'queue:::zzzzzzzz' matches nothing; the hooks are "),
    ("sdt:::zzzzzzzz { trace(1); }", "'sdt:::zzzzzzzz' matches nothing; the hooks are "),
    ("quee:::put { trace(1); }", "there is no provider 'quee'"),
])
def test_refusals(dprobes, plain, tmp_path, text, said):
    assert said in refused(dprobes, plain, tmp_path, text)


def test_refusals_of_declarations(dprobes, declared, tmp_path):
    assert "hook 'queue:::wide' has 2 argument(s) here" in refused(dprobes, declared, tmp_path, "queue:::wide { trace(args[2]); }")
    assert "declares probe 'gone', and the firmware has no static hook of this name" in refused(dprobes, declared, tmp_path, "queue:::gone")


def test_firmware_without_hooks(dprobes, tmp_path):
    elf = d_cases.firmware(tmp_path)
    assert "'sdt:::' matches nothing: the firmware has no static hook" in refused(dprobes, elf, tmp_path, "sdt::: { trace(1); }")


# What compilers write that the table does not have, and some that it has: `note` replaces the text of an argument of the same length.
@pytest.mark.parametrize("text, known", [("[r1, #-8]", "push mem, u32"), ("[sp]", "push mem, u32"), ("[r1, r2]", None), ("r99", None), (".LC0+4", None)])
def test_operands(dprobes, tmp_path, text, known):
    """An operand that is not understood is refused by its text; the hook and its other arguments are there."""
    (tmp_path / "note.s").write_text(f"""
	.text
	.global main
	.type main, %function
main:	nop
	bx lr
	.section .note.stapsdt, "o", %note, main
	.4byte 8, 2f-1f, 3
	.asciz "stapsdt"
1:	.4byte main, 0, 0
	.asciz "a", "b", "-4@r0 4@{text}"
2:	.balign 4
""")
    elf = tmp_path / "note.elf"
    run(program("arm-none-eabi-gcc"), "-mcpu=cortex-a9", "-nostdlib", "-Wl,-Ttext=0x8000", "-Wl,-e,main", "-o", elf, tmp_path / "note.s")
    assert "push r, r0" in code(dprobes, elf, tmp_path, "a:::b { trace(arg0); }")
    if known:
        assert known in code(dprobes, elf, tmp_path, "a:::b { trace(arg1); }")
    else:
        assert f"argument 1 of hook 'a:::b' cannot be read: its note has '4@{text}'" in refused(dprobes, elf, tmp_path, "a:::b {{ trace(arg1); }}".replace("{{", "{").replace("}}", "}"))


# ---- FreeRTOS ------------------------------------------------------------------------------------

KERNEL = """#include "freertos_hooks.h"
struct tskTaskControlBlock { void *top; char pcTaskName[8]; };
struct QueueDefinition { int uxMessagesWaiting; };
extern struct tskTaskControlBlock *volatile pxCurrentTCB;
struct tskTaskControlBlock *volatile pxCurrentTCB;
int main(struct tskTaskControlBlock *new, struct QueueDefinition *q, void *memory, unsigned long size, unsigned xTicksToDelay);
int main(struct tskTaskControlBlock *new, struct QueueDefinition *q, void *memory, unsigned long size, unsigned xTicksToDelay)
{
	traceTASK_SWITCHED_OUT();
	traceTASK_SWITCHED_IN();
	traceTASK_CREATE(new);
	traceTASK_DELETE(new);
	traceTASK_DELAY();
	traceTASK_INCREMENT_TICK(size);
	traceQUEUE_SEND(q);
	traceQUEUE_SEND_FROM_ISR(q);
	traceQUEUE_SEND_FAILED(q);
	traceQUEUE_SEND_FROM_ISR_FAILED(q);
	traceQUEUE_RECEIVE(q);
	traceQUEUE_RECEIVE_FROM_ISR(q);
	traceQUEUE_RECEIVE_FAILED(q);
	traceQUEUE_RECEIVE_FROM_ISR_FAILED(q);
	traceMALLOC(memory, size);
	traceFREE(memory, size);
	traceISR_ENTER();
	traceISR_EXIT();
	traceISR_EXIT_TO_SCHEDULER();
	return 0;
}
"""


def test_freertos(dprobes, tmp_path):
    """The trace macros of the kernel are hooks under the names of the installed provider file, in their types."""
    (tmp_path / "tasks.c").write_text(KERNEL)
    elf = tmp_path / "rtos.elf"
    run(program("arm-none-eabi-gcc"), "-mcpu=cortex-m3", "-mthumb", *WARN, f"-I{TOP / 'agent/glue'}", "-g", "-O2", "-std=c99", "-nostdlib",
        "-Wl,--build-id=none", "-Wl,-T," + str(HERE / "hooks.ld"), "-o", elf, tmp_path / "tasks.c")
    lib = ("--lib", TOP / "host/lang/d/providers")
    for text in ('sched:::on-cpu, sched:::off-cpu { @[args[1]] = count(); trace(args[0]->top); }',
                 'sched:::create, sched:::remove { trace(stringof(args[0]->pcTaskName)); } sched:::sleep { trace(args[0]); }',
                 'queue:::send, queue:::receive, queue:::full, queue:::empty { trace(args[0]->uxMessagesWaiting); }',
                 'mem:::alloc, mem:::got, mem:::free { trace(args[0]); } isr:::tick { trace(args[0]); } isr:::entry, isr:::return { trace(probename); }'):
        (tmp_path / "p.d").write_text(text)
        done = dprobes("build", "p.d", "--elf", elf, "-o", "p.ppdf", *lib, cwd=tmp_path)
        assert done.status == 0 and done.stderr == "", done.stderr
    rows = listed(dprobes, elf, "sdt:::")
    assert len(rows) == KERNEL.count("\ttrace")
