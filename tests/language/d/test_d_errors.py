# SPDX-License-Identifier: BSD-2-Clause
"""What the compiler says of a wrong D program: errors.txt, each tag of host/lang/d/read/tags.def. All that is printed is
compared: sentences, places, lines and carets."""
import re
import subprocess

import d_cases
import pytest

from harness.paths import TOP

CASES = d_cases.errors()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("d_errors")
    d_cases.firmware(made)
    return made


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.tag}.{case.name}")
def test_refused(dprobes, folder, case):
    assert case.said and d_cases.refused(dprobes, folder, case) == case.said
    assert any(f"[{case.tag}]" in line for line in case.said) or "unterminated" in case.said[0]


def test_every_tag_has_a_case():
    tags = re.findall(r"^TAG\((\w+),", (TOP / "host/lang/d/read/tags.def").read_text(encoding="utf-8"), re.M)
    said = " ".join(line for case in CASES for line in case.said)
    assert tags and [tag for tag in tags if f"[{tag}]" not in said] == []


def test_tags_are_an_option(dprobes, folder):
    (folder / "plain.d").write_text("take:entry { trace(nonsense_name); }\n")
    result = dprobes("build", "--elf", "arm.elf", "plain.d", cwd=folder)
    assert result.stderr.startswith("plain.d:1:20: error: unknown name 'nonsense_name'")


def test_zdefs_is_a_warning(dprobes, folder):
    (folder / "zdefs.d").write_text("#pragma D option zdefs\nnobody:entry { trace(1); }\ntake:entry { trace(2); }\n")
    result = dprobes("build", "--elf", "arm.elf", "-o", "zdefs.ppdf", "zdefs.d", cwd=folder)
    assert result.status == 0 and "zdefs.d:2:1: warning: 'nobody:entry' matches nothing" in result.stderr


def test_without_firmware(dprobes, folder):
    (folder / "none.d").write_text("take:entry { trace(1); }\n")
    result = dprobes("build", "none.d", cwd=folder)
    assert result.status == 1 and "no firmware is given; use --elf FILE" in result.stderr


# Subroutines of OpenDTrace, section 10, that are not here.
SUBROUTINES = """alloca bcopy copyin copyinto copyout copyoutmbuf copyoutstr ddi_pathname getf getmajor getminor inet_ntop json
    memref memstr msgdsize msgsize mutex_owned mutex_owner mutex_type_adaptive mutex_type_spin progenyof
    rw_iswriter rw_read_held rw_write_held sx_exclusive_held sx_isexclusive sx_shared_held""".split()


@pytest.mark.parametrize("part", range(4))
def test_each_subroutine_has_a_reason(dprobes, folder, part):
    names = SUBROUTINES[part::4]
    (folder / "s.d").write_text("".join(f"take:entry {{ trace({name}(n)); }}\n" for name in names), encoding="utf-8")
    result = dprobes("build", "--elf", folder / "arm.elf", "-o", "s.ppdf", "s.d", cwd=folder)
    said = [line for line in result.stderr.splitlines() if ": error: " in line]
    assert said and all(f"'{name}'" in line and "unknown function" not in line
                        for name, line in zip(names, said, strict=True)), said


FOREIGN = re.findall(r'^FOREIGN\((\w+), "(.*)"\)$', (TOP / "host/lang/d/check/foreign_words.def").read_text(encoding="ascii"), re.M)


@pytest.mark.parametrize("part", range(4))
def test_each_word_of_another_tracer_has_a_hint(dprobes, folder, part):
    """As a function and as an aggregation. No word of the table is one of D."""
    rows = FOREIGN[part::4]
    assert len(rows) > 5
    for form, why in (("trace({}(n));", "unknown function '{}'"), ("@ = {}(n);", "'{}' is no aggregating function")):
        (folder / "w.d").write_text("".join(f"take:entry {{ {form.format(word)} }}\n" for word, _ in rows), encoding="utf-8")
        result = dprobes("build", "--elf", folder / "arm.elf", "-o", "w.ppdf", "w.d", cwd=folder)
        said = [line.split(": error: ")[1] for line in result.stderr.splitlines() if ": error: " in line]
        assert said == [why.format(word) + "; write " + hint.replace('\\"', '"') for word, hint in rows], said


def warnings(dprobes, folder, program):
    (folder / "w.d").write_text(program, encoding="utf-8")
    result = dprobes("build", "--elf", folder / "arm.elf", "-o", "w.ppdf", "w.d", cwd=folder)
    assert result.status == 0, result.stderr
    (folder / "w.ppdf").unlink()
    return [line for line in result.stderr.splitlines() if "warning" in line]


@pytest.mark.parametrize("expression,wraps", [
    ("n * 1000000", True), ("n << 20", True), ("thing->wide + n * 1000", True), ("n * 1000000ll", False),
    ("(long long)n * 1000000", False), ("(long long)(n * 1000000)", True), ("(long long)(int)(n * 1000000)", False), ("thing->small * 100", False), ("c << 8", False), ("n + 1000000", False)])
def test_a_product_that_wraps_is_told(dprobes, folder, expression, wraps):
    said = warnings(dprobes, folder, f"long long y;\ntake:entry, take:entry {{ y = {expression}; trace(y); }}\n")
    assert len(said) == wraps, said
    if wraps:
        column = 1 + len("take:entry, take:entry { y = ") + expression.index("*" if "*" in expression else "<")
        assert said[0].startswith(f"w.d:2:{column}: warning: the ")
        assert " wraps at 32 bits before it is widened; " in said[0]


@pytest.mark.parametrize("program,told", [
    ("take:entry, take:entry /thing->wide / 1000 > 4/ { trace(1); }", 1), ("take:entry { @ = sum(thing->wide % 7); }", 1),
    ("take:entry { trace(thing->wide / 1000); printf(\"%d\", timestamp / 7); }", 0), ("take:entry /n / 3/ { trace(n % c); }", 0)])
def test_a_division_of_64_bits_is_told(dprobes, folder, program, told):
    """The host divides where the value is only recorded."""
    said = warnings(dprobes, folder, program)
    assert len(said) == told and all("a 64-bit division at each hit: about 1000 instructions" in line for line in said), said


@pytest.mark.parametrize("program,told", [
    ("int8_t x; take:entry { x = 300; }", "300 does not fit int8_t, and becomes 44"),
    ("uint32_t x; take:entry { x = 0x1ffffffff; }", "8589934591 does not fit uint32_t, and becomes 4294967295"),
    ("take:entry { x = (uint8_t)1; x = 129; x = -129; }", "-129 does not fit uint8_t, and becomes 127"),
    ("take:entry { this->v = thing->at; this->v.x = 0x100000005; }", "4294967301 does not fit int, and becomes 5"),
    ("int x; uint32_t y; take:entry { x = 0xffffffff; x = n; y = -1; x = thing->wide; }", None)])
def test_a_constant_that_does_not_fit_a_written_type(dprobes, folder, program, told):
    said = warnings(dprobes, folder, program + "\n")
    assert [line.split("warning: ")[1] for line in said] == ([told] if told else [])


@pytest.mark.parametrize("name,hides", [("counter", True), ("n", True), ("thing", True), ("fresh", False), ("sum2", False)])
def test_a_variable_that_hides_one_of_the_firmware(dprobes, folder, name, hides):
    said = warnings(dprobes, folder, f"take:entry {{ {name} = 5; trace({name}); trace(`things[0].tiny); }}\ntail:entry {{ {name} = 6; }}\n")
    assert said == ([f"w.d:1:14: warning: '{name}' is a variable of the program, and hides one of the firmware; `{name} is the "
                     "firmware's"] if hides else [])


@pytest.mark.parametrize("names", [("counter", "n", "thing", "c", "s"), ("s", "c", "thing", "flag")])
def test_many_that_hide_one_are_one_warning(dprobes, folder, names):
    said = warnings(dprobes, folder, "take:entry { " + " ".join(f"{name} = 5;" for name in names) + " }\n")
    assert len(said) == 1 and said[0].endswith(f"`{names[0]} is the firmware's (and {len(names) - 1} more warnings of this kind)"), said


@pytest.mark.parametrize("program,variable", [
    ("take:entry { x = thing->small; x += n; trace(x); }", "'x' has the type of its first value, uint16_t, and wraps at 16 bits"),
    ("take:entry { this->t = thing->tiny; this->t++; trace(this->t); }", "'t' has the type of its first value, signed char, and wraps at 8 bits"),
    ("take:entry { x = c; x = n; trace(x); }", "'x' has the type of its first value, char, and wraps at 8 bits"),
    ("take:entry { x = thing->small; x = x + 1; }", "'x' has the type of its first value, uint16_t, and wraps at 16 bits"),
    ("take:entry { self->x[n] = s; self->x[n] = n > 5 ? n : 5; }", "'x' has the type of its first value, short int, and wraps at 16 bits"),
    ("take:entry { a[n] = c; a[n] <<= 1; }", "'a' has the type of its first value, char, and wraps at 8 bits"),
    ("take:entry { x = c; x = n & 63; x = c % 7; x = n == 3; x = thing->flags.ready; x = flag ? c : 9; }", None),
    ("take:entry { x = (int)thing->small; x += n; }", None), ("int x;\ntake:entry { x = thing->small; x += n; }", None),
    ("take:entry { x = (unsigned char)n; x += n; }", None), ("take:entry { x = thing->small; x |= 1; x &= n; }", None),
    ("take:entry { x = thing->small + 1; x += n; }", None), ("take:entry { x += thing->small; x++; }", None), ("take:entry { f = flag; f++; }", None)])
def test_a_narrow_variable_that_counts_is_told(dprobes, folder, program, variable):
    """Not where the author wrote the type."""
    said = warnings(dprobes, folder, program + "\n")
    assert len(said) == (variable is not None) and all(f"warning: {variable}; declare it as int, or cast that value" in line for line in said), said


@pytest.mark.parametrize("count", [198, 199, 400])
def test_of_more_errors_than_are_kept_the_least_number_is_told(dprobes, folder, count):
    (folder / "many.d").write_text("".join(f"nobody_{i}:entry {{ n++; }}\n" for i in range(count)), encoding="utf-8")
    last = dprobes("build", "--elf", folder / "arm.elf", "-o", "many.ppdf", "many.d", cwd=folder).stderr.splitlines()[-1]
    assert last == ("dprobes: error: 178 more errors; correct the first 20, then look again" if count == 198 else
                    "dprobes: error: at least 179 more errors; correct the first 20, then look again; the rest was not checked")


HIDDEN = """int pid = 3;
int take(int id, int cpu, int *ticks) { int tid = id + cpu; *ticks += tid; return tid * pid; }
int other(int n) { return n; }
"""


@pytest.fixture(scope="session")
def hidden(tmp_path_factory):
    """Parameters and locals that have names of D's variables."""
    made = tmp_path_factory.mktemp("d_hidden")
    (made / "h.c").write_text(HIDDEN, encoding="utf-8")
    gcc, flags = d_cases.COMPILERS["arm"]
    subprocess.run([d_cases.program(gcc), *d_cases.FLAGS, "-O0", "-o", "arm.elf", "h.c", *flags], cwd=made, check=True)
    return made


@pytest.mark.parametrize("function,name,hides", [
    ("take", "id", True), ("take", "cpu", True), ("take", "ticks", True), ("take", "tid", True), ("other", "id", False), ("other", "tid", False),
    ("take", "pid", False), ("take", "timestamp", False)])
def test_a_built_in_that_hides_a_local(dprobes, hidden, function, name, hides):
    """Once for each place; not for a global of the firmware, which a program of D never means by that name."""
    said = warnings(dprobes, hidden, f"{function}:entry, {function}:entry {{ trace({name}); }}\n")
    column = 1 + len(f"{function}:entry, {function}:entry {{ trace(")
    assert said == ([f"w.d:1:{column}: warning: '{name}' is a variable of D, and hides one of the firmware; `{name} is the firmware's"] if hides else []), said


@pytest.mark.parametrize("name", ["id", "cpu", "ticks"])
def test_the_firmware_s_name_behind_a_built_in(dprobes, hidden, name):
    """The advice of the warning works."""
    assert warnings(dprobes, hidden, f"take:entry {{ trace(`{name}); }}\n") == []
    result = dprobes("simulate", "--elf", hidden / "arm.elf", "--reg", "r0=41", "--reg", "r1=41", "--reg", "r2=41", hidden / "w.d")
    assert result.status == 0 and ("41" in result.stdout or "0x29" in result.stdout), result.stdout + result.stderr


def test_options_of_the_command_line(dprobes, folder):
    """-x of trace is --option of each command; a wrong one is told."""
    (folder / "o.d").write_text("take:return { trace(retval); }\nabsent:entry { trace(1); }\n", encoding="utf-8")

    def build(*words):
        return dprobes("build", *words, "--elf", folder / "arm.elf", "-o", "o.ppdf", "o.d", cwd=folder)

    assert build().status == 1
    assert build("--option", "zdefs").status == 0
    result = build("--option", "zdefs", "--option", "aggsize=0", "--option", "errtags")
    assert (result.status, result.stderr) == (1, "-x:1:1: error: 'aggsize' needs a number from 1 to 4096: aggsize=64\n")
    result = dprobes("trace", "-n", "BEGIN { trace(1); }", "-Z", "-C", "-x", "agsize=5", "--port", f"unix:{folder}/none")
    assert result.status == 1 and "-x:1:1: error: unknown option 'agsize'; did you mean 'aggsize'?" in result.stderr, result.stderr
