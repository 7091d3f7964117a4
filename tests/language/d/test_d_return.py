# SPDX-License-Identifier: BSD-2-Clause
"""return() of D: the values that functions of each type return, what its clauses see, and where the clauses of `return` run."""
import re
import subprocess

import pytest

import cpus
from harness.paths import program

SOURCE = """
struct pair { int a, b; };
#define KEEP __attribute__((noinline, noclone))
KEEP int number(int n) { __asm__ volatile(""); return n; }
KEEP signed char small(void) { __asm__ volatile(""); return 1; }
KEEP unsigned char byte(void) { __asm__ volatile(""); return 1; }
KEEP _Bool flag(void) { __asm__ volatile(""); return 1; }
KEEP long long wide(void) { __asm__ volatile(""); return 1; }
KEEP unsigned long long huge(void) { __asm__ volatile(""); return 1; }
KEEP struct pair *pointer(struct pair *p) { __asm__ volatile(""); return p; }
KEEP void nothing(void) { __asm__ volatile(""); }
void _start(void) { number(1); small(); byte(); flag(); wide(); huge(); pointer(0); nothing(); for (;;) ; }
"""
# The clause's function, value, and what the function returns of it; null: no value.
VALUES = [("number", "-5", 32, -5), ("number", "arg0 + 1", 32, 42), ("small", "0x1ff", 32, -1), ("byte", "0x1ff", 32, 0xff),
          ("flag", "2", 32, 1), ("wide", "-5", 64, -5), ("wide", "0x123456789all", 64, 0x123456789a),
          ("huge", "arg0", 64, None), ("pointer", "0", 32, 0), ("nothing", "", 32, None)]


@pytest.fixture(scope="module", params=cpus.column("d_gcc"))
def firmware(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("return")
    gcc, flags = cpus.column("d_gcc")[request.param]
    (folder / "fw.c").write_text(SOURCE, encoding="utf-8")
    subprocess.run([program(gcc), *flags, "-g", "-O1", "-ffreestanding", "-nostdlib", "-static", "-Wl,-e,_start", "-Wl,--build-id=none",
                    "-o", "fw.elf", "fw.c"], cwd=folder, check=True)
    return folder


def simulate(dprobes, folder, text, *words):
    (folder / "t.d").write_text(text, encoding="utf-8")
    return dprobes("simulate", "--elf", "fw.elf", "t.d", *words, cwd=folder)


@pytest.mark.parametrize("function,value,bits,wanted", [row for row in VALUES if row[3] is not None], ids=lambda value: str(value))
def test_values(dprobes, firmware, function, value, bits, wanted):
    """As the callers of the function see them: extended by the type of the result."""
    done = simulate(dprobes, firmware, f"{function}:entry {{ return({value}); }}", "--reg", "arg0=41")
    found = re.search(r"the function returns 0x([0-9a-f]+)", done.stdout)
    assert done.status == 0 and found, done
    word = int(found[1], 16)
    assert word in {wanted % (1 << bits), wanted % (1 << 64)}, done.stdout


def test_without_a_value(dprobes, firmware):
    done = simulate(dprobes, firmware, "nothing:entry { return(); }")
    assert done.status == 0 and re.search(r"the function returns,", done.stdout), done


def test_clauses_of_return(dprobes, firmware):
    """They run behind return(), once, with the result; `entry` has the value that the argument had."""
    text = """number:entry { return(7); }
number:return { trace(retval); trace(arg0); }
number:return { printf("was %d", entry(n)); }
"""
    done = simulate(dprobes, firmware, text, "--reg", "arg0=41", "--minor", "1")
    assert done.status == 0, done
    assert len(re.findall(r"^hit", done.stdout, re.M)) == 2, done.stdout
    assert re.search(r"\b7 +0was 41", done.stdout), done.stdout


def test_point_for_other_programs(dprobes, firmware):
    """A clause of `return` has one point that needs no trap, for the return() of another program; one of a wildcard has none."""
    points = []
    for text in ("number:return { trace(retval); }", "num*:return { trace(retval); }", "num*:entry { return(7); } num*:return { trace(retval); }"):
        (firmware / "r.d").write_text(text, encoding="utf-8")
        assert dprobes("build", "--write", "--elf", "fw.elf", "-o", "r.ppdf", "r.d", cwd=firmware).status == 0
        points.append(dprobes("disasm", "r.ppdf", cwd=firmware).stdout.count("phase = returned"))
    assert points == [1, 0, 1]
    done = simulate(dprobes, firmware, "number:return { trace(retval); }", "--minor", "2", "--reg", "retval=77")
    assert done.status == 0 and re.search(r"^ +77$", done.stdout, re.M), done


def test_what_the_user_sees_of_that_point(dprobes, firmware):
    """The list of points says what it is. `check` names no reason why it has no plan."""
    plans = []
    for name in ("small", "sma*"):
        listed = dprobes("-n", f"{name}:return {{ @ = count(); }}", "-e", "--elf", "fw.elf", cwd=firmware).stdout.splitlines()
        assert [line.endswith(" after return()") for line in listed[-2:]].count(True) == (name == "small"), listed
        (firmware / "r.d").write_text(f"{name}:return {{ @ = count(); }}", encoding="utf-8")
        done = dprobes("check", "--elf", "fw.elf", "r.d", cwd=firmware)
        assert done.status == 0, done
        plans.append([line for line in done.stdout.splitlines() if line.startswith("plan:")])
    assert plans[0] == plans[1]


def test_no_clause_without_return(dprobes, firmware):
    """A false predicate lets the function run."""
    text = "number:entry /n == 3/ { return(7); }\nnumber:return { trace(retval); }\n"
    done = simulate(dprobes, firmware, text, "--reg", "arg0=41", "--minor", "1")
    assert done.status == 0 and "returns" not in done.stdout and len(re.findall(r"^hit", done.stdout, re.M)) == 1, done
    done = simulate(dprobes, firmware, text, "--reg", "arg0=3", "--minor", "1")
    assert done.status == 0 and "returns 0x7" in done.stdout and len(re.findall(r"^hit", done.stdout, re.M)) == 2, done
