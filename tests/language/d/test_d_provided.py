# SPDX-License-Identifier: BSD-2-Clause
"""Provider files: probes with names of their own at places of the firmware. D.md, "Provider files"."""
import json
import os
import shutil
import subprocess

import d_cases
import pytest

from harness.paths import TOP, built

FILE = """/* of the tests */
provider work {
	probe begin(struct thing *thing, int twice, string title) :
		fbt::take:entry (thing, n * 2, stringof(thing->title));
	probe large__one(unsigned char n) : fbt::take:entry /arg1 > 30/ (args[1]);
	probe end(int result) : fbt::take:return, fbt::more:return(arg1);
	probe any(void) : fbt::take:entry, fbt::nothing:entry;
	probe lost(int n) : fbt::never_there:entry (arg0);
	probe hides(int n) : fbt::take:entry (counter);
};
"""


@pytest.fixture(scope="session")
def firmware(tmp_path_factory):
    made = tmp_path_factory.mktemp("d_provided")
    d_cases.firmware(made)
    return made


@pytest.fixture
def folder(firmware, tmp_path):
    """The firmware in bin/, the provider file beside it; programs in this folder."""
    (tmp_path / "bin").mkdir()
    shutil.copy(firmware / "arm.elf", tmp_path / "bin")
    (tmp_path / "bin" / "work.provider.d").write_text(FILE)
    return tmp_path


def listed(dprobes, folder, *words, elf="bin/arm.elf"):
    result = dprobes("-l", *words, "--elf", elf, cwd=folder)
    assert result.status == 0, result.stderr
    return result.stdout.splitlines()


def compiled(dprobes, folder, text, *words, elf="bin/arm.elf"):
    (folder / "p.d").write_text(text)
    result = dprobes("build", "p.d", "--elf", elf, "-o", "p.ppdf", *words, cwd=folder)
    assert result.status == 0, result.stderr
    return dprobes("disasm", "p.ppdf", cwd=folder).stdout


def refused(dprobes, folder, text, *words, elf="bin/arm.elf"):
    (folder / "p.d").write_text(text)
    (folder / "p.ppdf").unlink(missing_ok=True)
    result = dprobes("build", "p.d", "--elf", elf, "-o", "p.ppdf", *words, cwd=folder)
    assert result.status == 1 and not (folder / "p.ppdf").exists(), result
    return result.stderr


# ---- names ---------------------------------------------------------------------------------------

def test_list_prints_both_names(dprobes, folder):
    lines = listed(dprobes, folder, "work:::")
    assert [(line.split()[0], line.rpartition(" = ")[2]) for line in lines if ":return" not in line] == [
        (f"work:arm:{function}:{name}", f"fbt:arm:{function}:entry") for function, name in (
            ("take", "begin"), ("take", "large-one"), ("take", "any"), ("nothing", "any"), ("take", "hides"))]
    assert all(line.startswith(("work:arm:take:end 0x", "work:arm:more:end 0x")) for line in lines if ":return" in line)
    line, = [line for line in listed(dprobes, folder, "work:::begin", "-v") if line.startswith("work")]
    assert line.endswith(" = fbt:arm:take:entry, declared in bin/work.provider.d:3")
    row = json.loads(dprobes("-l", "work:::begin", "--format", "json", "--elf", "bin/arm.elf", cwd=folder).stdout)
    assert row["probe"] == "work:arm:take:begin" and row["frames"][0]["function"] == "take"


@pytest.mark.parametrize("text, names", [
    ("work:::large-one", ["take:large-one"]), ("work:::*g*", ["take:begin", "take:large-one"]),
    ("wo*:::any", ["take:any", "nothing:any"]), ("work::nothing:", ["nothing:any"]), ("work:arm:take:any", ["take:any"]),
    ("*:::hides", ["take:hides"])])
def test_fields_and_wildcards(dprobes, folder, text, names):
    assert [line.split()[0] for line in listed(dprobes, folder, text)] == [f"work:arm:{name}" for name in names]


def test_an_empty_provider_means_those_of_d(dprobes, folder):
    assert all(line.startswith("fbt:") for line in listed(dprobes, folder, "take:entry", ":::entry"))


# ---- arguments and predicates --------------------------------------------------------------------

def same_code(dprobes, folder, provided, plain):
    """Do both programs have the same instructions?"""
    def instructions(text):
        points = [point for point in text.split("\noffset = ") if "phase = returned" not in point]  # declared probes have none
        return [line for point in points for line in point.splitlines() if line.startswith("\t") or line.startswith("  ")]
    made = [instructions(compiled(dprobes, folder, text)) for text in (provided, plain)]
    assert made[0] and made[0] == made[1]


def test_values_are_those_of_the_declaration(dprobes, folder):
    same_code(dprobes, folder, "work:::begin { trace(args[1]); trace(args[0]->small); }",
              "fbt::take:entry { trace((int)(n * 2)); trace(((struct thing *)thing)->small); }")
    same_code(dprobes, folder, "work:::begin { trace(arg1); }", "fbt::take:entry { trace((long)(int)(n * 2)); }")
    same_code(dprobes, folder, "work:::begin { trace(args[2]); }", "fbt::take:entry { trace(stringof(thing->title)); }")
    same_code(dprobes, folder, "work:::begin { @[args[2]] = count(); }", "fbt::take:entry { @[stringof(thing->title)] = count(); }")
    same_code(dprobes, folder, "work:::end /args[0] > 4/ { @ = sum(arg0); }",
              "fbt::take:return, fbt::more:return /(int)arg1 > 4/ { @ = sum((long)(int)arg1); }")


def test_the_predicate_comes_first(dprobes, folder):
    same_code(dprobes, folder, "work:::large-one /args[0] != 7/ { trace(args[0]); }",
              "fbt::take:entry /arg1 > 30 && (unsigned char)n != 7/ { trace((unsigned char)n); }")
    same_code(dprobes, folder, "work:::large-one { n2 += 1; } work:::large-one { trace(args[0]); }",
              "fbt::take:entry /arg1 > 30/ { n2 += 1; } fbt::take:entry /arg1 > 30/ { trace((unsigned char)n); }")


def test_a_name_of_the_file_is_the_firmwares(dprobes, folder):
    """Also where the program has a variable of this name."""
    same_code(dprobes, folder, "work:::hides { trace(args[0]); }", "fbt::take:entry { trace((int)`counter); }")
    code = [compiled(dprobes, folder, f"BEGIN {{ {name} = 1; }} work:::hides {{ trace(args[0]); trace({name}); }}")
            for name in ("counter", "another")]
    assert code[0] == code[1].replace("another", "counter")


# ---- what a program declares means nothing to a file ------------------------------------------------

OWN = """provider own {
	probe one(int v) : fbt::take:entry (n);
	probe two(int first, int second) : fbt::take:entry (first, n);
	probe big(u8 v) : fbt::take:entry ((u8)n);
	probe member(struct thing *thing, int v) : fbt::take:entry ((struct thing *)thing, ((struct thing *)thing)->small);
	probe element(int v) : fbt::take:entry (counter[1]);
	probe known(int v) : fbt::take:entry (defined(y));
	probe size(unsigned long v) : fbt::take:entry (sizeof(counter));
	probe named(int v) : fbt::take:entry (RED);
};
"""


@pytest.mark.parametrize("declared, probe", [
    ("inline int n = 7;", "one"), ("inline int n = args[0];", "one"), ("inline int first = arg0;", "two"),
    ("typedef long long u8;", "big"), ("typedef int n;", "one"), ("struct thing { int before; short small; };", "member"),
    ("enum { RED = 3 };", "named"), ("int y[4]; int counter[8];", "known"), ("int counter[8];", "size"),
    ("BEGIN { counter[1] = 4; }", "element")])
def test_names_and_types_of_a_file_are_the_firmwares(dprobes, folder, declared, probe):
    """Inlines, types, enumerators and variables of the program change nothing, and are not read."""
    (folder / "bin" / "own.provider.d").write_text(OWN)

    def answer(before):
        (folder / "p.d").write_text(f"{before}\nown:::{probe} {{ trace(args[0]); }}\n")
        result = dprobes("build", "p.d", "--elf", "bin/arm.elf", "-o", "p.ppdf", cwd=folder)
        assert result.status in (0, 1), result
        if result.status:
            return result.stderr.split("error: ", 1)[1].split("\n")[0]
        return [line for line in dprobes("disasm", "p.ppdf", cwd=folder).stdout.split("\noffset = ")[-1].splitlines()
                if "comment" not in line][:40]
    assert answer(declared) == answer("inline int other = 1; BEGIN { z = 1; }" if "BEGIN" in declared else "inline int other = 1;")


def test_one_clause_at_several_places(dprobes, folder):
    """Each place has values of its own; a clause of fbt at the same address is another probe."""
    text = compiled(dprobes, folder, "work:::end, work:::begin, fbt::take:entry { trace(arg0); }")
    assert text.count("\noffset = ") == len(listed(dprobes, folder, "work:::end, work:::begin, fbt::take:entry")) >= 4


def test_a_variable_has_the_type_of_the_parameter(dprobes, folder):
    compiled(dprobes, folder, "work:::begin { self->t = args[0]; } work:::end /self->t/ { trace(self->t->small); }")


def test_the_clock_has_one_value_at_each_place(dprobes, folder):
    """Also where the value or the predicate of the declaration reads it, in any order of places."""
    for places in ("fbt::take:entry, fbt::nothing:entry", "fbt::nothing:entry, fbt::take:entry"):
        (folder / "bin" / "t.provider.d").write_text(
            f"provider t {{ probe t(long long t) : {places} (timestamp); probe p(int n) : {places} /timestamp > 5/ (1); }};\n")
        for text in ("t:::t { trace(args[0]); trace(args[0]); }", "t:::t { trace(timestamp); trace(args[0]); }",
                     "t:::p { trace(timestamp); }"):
            assert compiled(dprobes, folder, text).count("push ns") == 2, text  # one at each place


# ---- the search ----------------------------------------------------------------------------------

def test_order_of_the_search(dprobes, folder):
    """The program itself, its folder, that of the firmware, --lib, and the installed folder."""
    def declare(place, name):
        (folder / place).mkdir(parents=True, exist_ok=True)
        (folder / place / "x.provider.d").write_text(f"provider w {{ probe p(void) : fbt::{name}:entry; }};\n")

    def found(*words, text=""):
        (folder / "own" / "p.d").write_text(text + "w:::p { trace(1); }\n")
        result = dprobes("trace", "own/p.d", "-e", "--elf", "bin/arm.elf", *words, cwd=folder)
        assert result.status == 0, result.stderr
        return result.stdout.split()[0].split(":")[2]

    declare("lib2", "more")
    declare("lib", "main")
    (folder / "own").mkdir()
    assert found("--lib", "lib", "--lib", "lib2") == "main"
    assert found("-x", "libdir=lib2", "--lib", "lib") == "more"
    assert found(text="#pragma D option libdir=lib2\n") == "more"
    declare("bin", "tail")
    assert found("--lib", "lib") == "tail"
    declare("own", "nothing")
    assert found("--lib", "lib") == "nothing"
    assert found("--lib", "lib", text="provider w { probe p(void) : fbt::take:entry; };\n") == "take"


def test_the_first_file_with_a_place_counts(dprobes, folder):
    (folder / "a").mkdir()
    (folder / "a" / "1.provider.d").write_text("provider w { probe p(void) : fbt::absent:entry; };\n")
    (folder / "a" / "2.provider.d").write_text("provider w { probe p(void) : fbt::main:entry; };\n")
    (folder / "a" / "3.provider.d").write_text("provider w { probe p(void) : fbt::more:entry; probe q(void) : fbt::more:entry; };\n")
    result = dprobes("-l", "w:::p", "-v", "--lib", "a", "--elf", "bin/arm.elf", cwd=folder)
    assert [line.split()[0] for line in result.stdout.splitlines() if line.startswith("w:")] == ["w:arm:main:p"]
    assert "dprobes: 'w:::p' of a/3.provider.d:1 is not used; a/2.provider.d:1 declares it\n" in result.stderr
    assert "is not used" not in dprobes("-l", "w:::p", "--lib", "a", "--elf", "bin/arm.elf", cwd=folder).stderr
    assert listed(dprobes, folder, "w:::q", "--lib", "a")[0].startswith("w:arm:more:q ")


def test_a_wrong_file_beside_what_is_listed(dprobes, folder):
    """The points of the other files are there; the exit status tells of the error."""
    (folder / "bin" / "x.provider.d").write_text("provider x { probe a(int n) : fbt::take:entry; };\n")
    result = dprobes("-l", "work:::begin", "fbt::take:entry", "--elf", "bin/arm.elf", cwd=folder)
    assert result.status == 1 and "bin/x.provider.d:1:20: error:" in result.stderr, result
    assert "work:arm:take:begin" in result.stdout and "fbt:arm:take:entry" in result.stdout


WRONG = {"probe x(int n) : fbt::take:entry;": "1:20: {}: probe 'x' has 1 parameter(s), and 0 value(s) behind its places",
         "prob x(void) : fbt::take:entry;": "1:14: {}: expected 'probe' or '}}' before 'prob'",
         "probe any(void) : fbt::take:entry, ftb::more:entry;": "1:49: {}: there is no provider 'ftb'; did you mean 'fbt'?",
         "probe any(void) : BEGIN;": "1:32: {}: probe 'any' of provider 'x' stands at dtrace:::BEGIN, which is no place in the code"}


@pytest.mark.parametrize("declared", WRONG)
def test_a_wrong_file_and_a_wildcard(dprobes, folder, declared):
    """A wildcard that matches elsewhere does without what is wrong: a warning. One that matches nothing else, and a description
    without a wildcard, are refused."""
    (folder / "bin" / "x.provider.d").write_text(f"provider x {{ {declared} }};\n")
    said = "bin/x.provider.d:" + WRONG[declared]
    for text in ("*:::any, *:::begin", "w*:::any, *:::any", "[wx]*:::*"):
        (folder / "p.d").write_text(text + " { trace(probename); }\n")
        result = dprobes("build", "p.d", "--elf", "bin/arm.elf", "-o", "p.ppdf", cwd=folder)
        assert result.status == 0 and "error" not in result.stderr and result.stderr.count(": warning: ") == 1, result.stderr
        assert said.format("warning") in result.stderr, result.stderr
    for text in ("x:::any",) if "take:entry, " in declared else ("x:::*", "x:::any"):  # x:::* has a place there
        told = refused(dprobes, folder, text)
        assert said.format("error") in told or "any" not in declared and text == "x:::any", told
    if "any" not in declared:
        assert said.format("error") in refused(dprobes, folder, "work:::begin")


def test_the_installed_folder(folder):
    """share/dprobes/d of the prefix that the command is in."""
    installed = folder / "usr/share/dprobes/d"
    for made in (installed, folder / "usr/bin"):
        made.mkdir(parents=True)
    shutil.copy(built("host", "dprobes"), folder / "usr/bin")
    (installed / "x.provider.d").write_text("provider w { probe p(void) : fbt::more:entry; };\n")
    run = subprocess.run([folder / "usr/bin/dprobes", "-l", "w:::", "-v", "--elf", "bin/arm.elf"], cwd=folder, capture_output=True,
                         text=True, check=False)
    assert run.returncode == 0 and f"declared in {installed}/x.provider.d:1" in run.stdout, run.stderr


def test_a_folder_that_is_not_there(dprobes, folder):
    assert "nowhere: error: cannot search the folder for provider files: No such file or directory" in refused(
        dprobes, folder, "work:::begin", "--lib", "nowhere")
    compiled(dprobes, folder, "fbt::take:entry", "--lib", "nowhere")  # no description asks for a file


# ---- refusals ------------------------------------------------------------------------------------

@pytest.mark.parametrize("text, said", [
    ("work:::lost", "'work:::lost' matches nothing: bin/work.provider.d:8 declares probe 'lost', and 'fbt::never_there:entry' "
                    "matches nothing: the firmware has no function 'never_there'"),
    ("work:::lo*", "'work:::lo*' matches nothing: bin/work.provider.d:8 declares probe 'lost', and "),
    ("work:::beginn", "provider 'work' has no probe 'beginn'; did you mean 'begin'?"),
    ("work:::zzz", "provider 'work' has no probe 'zzz'; it has begin, large-one, end, any, lost, hides"),
    ("work::main:begin", "'work::main:begin' matches nothing: no place of the probe is in 'main'"),
    ("sched:::on-cpu", "provider 'sched': no provider file of this search declares it; give the folder of one with --lib, or "),
    ("worx:::begin", "there is no provider 'worx' here; 'dprobes probes' lists what there is"),
    ("work:::begin { trace(args[3]); }", "probe 'begin' of provider 'work' has 3 argument(s)"),
    ("work:::any { trace(arg0); }", "probe 'any' of provider 'work' has no arguments"),
    ("work:::begin { trace(args[0]->n); }", "struct thing has no member 'n'"),
])
def test_what_a_clause_is_told(dprobes, folder, text, said):
    told = refused(dprobes, folder, text)
    assert told.startswith("p.d:1:") and said in told


def test_a_probe_that_is_not_there_in_a_wildcard(dprobes, folder):
    """The others are there, and nothing is said."""
    result = dprobes("-n", "work:::* { trace(probename); }", "-e", "--elf", "bin/arm.elf", cwd=folder)
    assert result.status == 0 and "lost" not in result.stdout + result.stderr


@pytest.mark.parametrize("text, place, said", [
    ("provider q { probe a(int n) fbt::take:entry; };", "1:29", "expected ':' and the places of the probe before 'fbt'"),
    ("provider q { probe a(void) : fbt::take:entry, ftb::more:entry; };", "1:47", "there is no provider 'ftb'; did you mean 'fbt'?"),
    ("provider q { probe a(void) : fbt::take:entry, fbt::nothing:entri; };", "1:47", "'fbt::nothing:entri' matches nothing"),
    ("provider q { probe a(int n) : fbt::take:entry; };", "1:20", "probe 'a' has 1 parameter(s), and 0 value(s) behind its places"),
    ("provider q { probe a(void) : fbt::take:entry (1, 2); };", "1:20", "probe 'a' has 0 parameter(s), and 2 value(s) behind its places"),
    ("provider q {\n\tprobe a(void) : fbt::take:entry;\n\tprobe a(void) : fbt::main:entry; };", "3:8", "probe 'a' is declared twice"),
    ("provider q { prob a(void) : fbt::take:entry; };", "1:14", "expected 'probe' or '}' before 'prob'"),
    ("provider fbt { };", "1:10", "'fbt' is a provider of D; choose another name"),
    ("provider q { probe a(void) : fbt::take:entry; }", "1:48", "expected ';', and the program ends"),
    ("provider q { probe a(void) : fbt::take:entry; ", "1:46", "expected 'probe' or '}', and the program ends; the '{' at 1:12 is not closed"),
    ("BEGIN { }", "1:1", "expected 'provider'; a provider file has nothing else before 'BEGIN'"),
    ("provider q { probe a(int n) : fbt::take:entry (x = 1); };", "1:48", "the declaration of a probe changes no variable"),
    ("provider q { probe a(int n) : fbt::take:entry (self->x); };", "1:48", "the declaration of a probe has no variables of a program"),
    ("provider q { probe a(void) : r:::b; }; provider r { probe b(void) : fbt::take:entry; };", "1:30",
     "'r:::b' is a probe of a provider file; a declared probe stands at a place of the firmware, such as fbt::FUNCTION:entry"),
    ("provider q { probe a(void) : BEGIN; };", "1:30", "probe 'a' of provider 'q' stands at dtrace:::BEGIN, which is no place in the code"),
    ("provider q { probe a(int n) : fbt::take:entry (nosuch); };", "1:48", "unknown name 'nosuch'"),
    ("provider q { probe a(string n) : fbt::take:entry (n); };", "1:51", "int cannot become string"),
    ("provider q { probe a(string n) : fbt::take:entry (thing); };", "1:51", "struct thing * cannot become string"),
    ("provider q { probe a(struct thing n) : fbt::take:entry (n); };", "1:57", "int cannot become struct thing"),
    ("provider q { probe a(nosuch_t n) : fbt::take:entry (n); };", "1:22", "the firmware has no type 'nosuch_t'"),
])
def test_errors_of_a_file(dprobes, folder, text, place, said):
    """They have the place in the file, with the line, as errors of a program have."""
    (folder / "bin" / "q.provider.d").write_text(text + "\n")
    told = refused(dprobes, folder, "q:::a { trace(args[0]); }" if "void" not in text else "q:::a")
    line = text.splitlines()[int(place.split(":")[0]) - 1]
    assert f"bin/q.provider.d:{place}: error: {said}" in told and f"\n{line}\n" in told, told


@pytest.mark.parametrize("declared", ["inline string name = 3;", "inline string name[int a] = a + 1;", ""])
def test_what_is_no_text(dprobes, folder, declared):
    """A value of the type string is a text wherever D gives a value a type: in an inline and in a cast, too."""
    value = "name[n]" if "[" in declared else "name" if declared else "(string)n"
    assert "int cannot become string" in refused(dprobes, folder, f"{declared} fbt::take:entry {{ trace({value}); }}")
    compiled(dprobes, folder, "inline string name = probename; fbt::take:entry { trace(name); trace((string)stringof(thing->title)); }")


def test_a_probe_without_a_place(dprobes, folder):
    """It is a static hook of a firmware with such hooks; the others of the file are there."""
    (folder / "bin" / "q.provider.d").write_text("provider q { probe a(int n); probe b(void) : fbt::take:entry; };\n")
    compiled(dprobes, folder, "q:::* { trace(probename); }")
    assert "'q:::a' matches nothing: bin/q.provider.d:1 declares probe 'a', and the firmware has no static hook of this name" \
        in refused(dprobes, folder, "q:::a")


def test_what_is_no_file(dprobes, folder):
    """A pipe is not waited for; a dead link and a folder are no errors."""
    os.mkfifo(folder / "bin" / "1.provider.d")
    (folder / "bin" / "2.provider.d").symlink_to("nowhere")
    (folder / "bin" / "3.provider.d").mkdir()
    assert dprobes("-l", "work:::begin", "--elf", "bin/arm.elf", cwd=folder).stderr == ""


def test_a_type_that_another_kernel_has(dprobes, folder):
    """The file serves many kernels: an unknown type matters where the argument is used."""
    (folder / "bin" / "q.provider.d").write_text("provider q { probe a(other_t *p, int n) : fbt::take:entry (arg0, n); };\n")
    compiled(dprobes, folder, "q:::a { trace(args[1]); }")
    assert "other_t" in refused(dprobes, folder, "q:::a { trace(args[0]); }")


def test_files_that_are_not_read(dprobes, folder):
    """A make file of the compiler, and a provider file that no description asks for."""
    (folder / "bin" / "arm.d").write_text("arm.o: arm.c\n")
    (folder / "bin" / "bad.provider.d").write_text("provider\n")
    compiled(dprobes, folder, "fbt::take:entry { trace(1); }")
    assert "bin/bad.provider.d:1:9: error: expected a provider's name" in refused(dprobes, folder, "work:::begin")


# ---- the files that are part of the project ------------------------------------------------------

FREERTOS = """
typedef unsigned long UBaseType_t; typedef long BaseType_t; typedef unsigned TickType_t;
typedef struct tskTaskControlBlock { volatile void *top; char pcTaskName[16]; } TCB_t;
typedef struct QueueDefinition { signed char *pcHead; UBaseType_t uxMessagesWaiting; } Queue_t;
TCB_t *volatile pxCurrentTCB; volatile TickType_t xTickCount; volatile long sink;
#define MADE(name, ...) BaseType_t name(__VA_ARGS__); BaseType_t name(__VA_ARGS__) { sink++; return sink; }
MADE(vTaskSwitchContext, void)
MADE(xTaskIncrementTick, void)
MADE(vTaskDelay, TickType_t ticks)
MADE(xTaskDelayUntil, TickType_t *before, TickType_t ticks)
MADE(xTaskGenericNotify, TCB_t *task, UBaseType_t index)
MADE(xQueueGenericSend, Queue_t *queue, const void *item, TickType_t ticks, BaseType_t where)
MADE(xQueueReceive, Queue_t *queue, void *item, TickType_t ticks)
MADE(xQueueSemaphoreTake, Queue_t *queue, TickType_t ticks)
MADE(pvPortMalloc, unsigned bytes)
MADE(vPortFree, void *memory)
MADE(SysTick_Handler, void)
int main(void);
int main(void) { return 0; }
"""
WANTED = {"sched": ["on-cpu", "off-cpu", "sleep", "sleep-until", "wakeup"], "queue": ["send", "receive", "take", "full"],
          "mem": ["alloc", "got", "free"], "isr": ["tick", "entry"]}


def test_the_file_of_freertos(dprobes, tmp_path):
    """All of its probes stand in a kernel with these functions, and each argument has a value there."""
    (tmp_path / "kernel.c").write_text(FREERTOS)
    d_cases.HERE, here = tmp_path, d_cases.HERE
    try:
        (tmp_path / "bin").mkdir()
        d_cases.firmware(tmp_path / "bin", sources=["kernel.c"])
    finally:
        d_cases.HERE = here
    lib = ("--lib", TOP / "host/lang/d/providers")
    for provider, names in WANTED.items():
        lines = listed(dprobes, tmp_path, f"{provider}:::", *lib)
        assert list(dict.fromkeys(line.split()[0].split(":")[3] for line in lines)) == names
    for text in ("sched:::on-cpu, sched:::off-cpu { @[args[1]] = count(); trace(args[0]); }",
                 "sched:::sleep, sched:::sleep-until, sched:::wakeup { trace(arg0); trace(args[0]); }",
                 "queue:::send, queue:::receive, queue:::take { trace(args[0]->uxMessagesWaiting); } queue:::full { n++; }",
                 "mem:::alloc, mem:::got, mem:::free { trace(args[0]); }", "isr:::tick { trace(args[0]); } isr:::entry { trace(probefunc); }"):
        compiled(dprobes, tmp_path, text, *lib)
