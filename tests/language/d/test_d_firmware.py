# SPDX-License-Identifier: BSD-2-Clause
"""D programs in the firmware's own names: members, enums, bit-fields, locals, arguments. The firmware is compiled for a
little-endian and a big-endian CPU, and never runs: the simulator has its memory."""
import json
import re
import struct

import d_cases
import d_document
import pytest

import cpus
from harness import ppdf

THING, POINT, TITLE = 0x20000, 0x20100, 0x20200
ORDER = {cpu: cpus.of(cpu).d_order for cpu in cpus.first_of_each_order()}
# Registers of the first four arguments, and where the others are.
ARGUMENTS = cpus.column("arguments")


@pytest.fixture(scope="module", params=sorted(ORDER))
def board(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    d_cases.firmware(folder, request.param)
    return request.param, folder


def thing(cpu):
    """struct thing as memory has it: the bit-fields of both byte orders."""
    flags = (1 | (-3 & 15) << 1 | 1000 << 5) if ORDER[cpu] == "<" else (1 << 31 | (-3 & 15) << 27 | 1000 << 16)
    return struct.pack(ORDER[cpu] + "8sIIHbB2iI4II4xqfII4x", b"pipe\0\0\0\0", TITLE, 5, 60000, -7, 1, 11, -22, POINT,
                       1, 2, 3, 0xfffffffe, flags, -5000000000, 2.5, 0x01020304, 0x8000)


def simulate(dprobes, board, text, *more):
    cpu, folder = board
    (folder / "t.d").write_text(text, encoding="utf-8")
    registers = [word for name, value in zip(ARGUMENTS[cpu], (THING, 40, ord("c"), 1)) for word in ("--reg", f"{name}={value}")]
    memory = {THING: thing(cpu), POINT: struct.pack(ORDER[cpu] + "ii", 33, 44), TITLE: b"a title\0"}
    maps = [word for address, data in memory.items() for word in ("--mem", f"0x{address:x}={data.hex()}")]
    result = dprobes("simulate", "--elf", f"{cpu}.elf", *registers, *maps, "--format", "json", *more, "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    return [row for row in map(json.loads, result.stdout.splitlines()) if "end" in row]


def shown(dprobes, board, statements):
    """What one hit of take:entry prints."""
    hit, = simulate(dprobes, board, f"take:entry {{ {statements} }}\n")
    assert hit["end"] == "exit"
    return hit["text"]


VALUES = [
    ("thing->small", "60000"), ("thing->tiny", "-7"), ("thing->on", "true"), ("thing->color", "BLUE"),
    ("thing->at.x", "11"), ("thing->at.y", "-22"), ("thing->next->y", "44"), ("(*thing).small", "60000"),
    ("thing->list[1]", "2"), ("thing->list[n - 37]", "4294967294"), ("thing->flags.ready", "1"),
    ("thing->flags.level", "-3"), ("thing->flags.kind", "1000"), ("thing->wide", "-5000000000"),
    ("thing->ratio", "2.5"), ("thing->word", "16909060"), ("thing->name", "pipe"), ("thing->title[2]", "116"),
    ("stringof(thing->title)", "a title"), ("n + 2", "42"), ("c", "99"),
    ("arg1", "40"), ("args[1] * 2", "80"), ("args[0]->tiny", "-7"), ("&thing->next->y - &thing->next->x", "1"),
    ("thing->color == BLUE", "1"), ("thing->color == GREEN + 4", "1"), ("BLUE", "5"), ("sizeof(struct thing)", "80"),
    ("sizeof(thing->name)", "8"), ("sizeof(struct point[3])", "24"),
    ("sizeof(char[2][BLUE])", "10"), ("sizeof(struct point *[2])", "8"), ("offsetof(struct thing, at.y)", "24"), ("((struct point *)thing->next)->x", "33"),
    ("&things[1] - &things[0]", "1"), ("*(unsigned char *)thing", "112"), ("thing->flags.level < 0", "1"),
    ("thing->small + thing->tiny", "59993"), ("thing->at", "{.x = 11, .y = -22}"),
    ("thing->list", "{1, 2, 3, 4294967294}"), ("flag", "true"), ("(thing->small << 16) >> 16", "-5536"),
    ("copyin(thing, 4)[1]", "105"), ("*(int *)copyin(arg0 + 20, 4)", "11"), ("((struct point *)copyin(&thing->at, 8))->y", "-22"),
    ("copyin(thing, 4)", "{112, 105, 112, 101}"), ("copyin(thing, 4) == thing", "1"), ("sizeof(copyin(thing, 9))", "9"),
    ("thing->title == \"a title\"", "1"), ("\"pip\" == thing->name", "0"), ("n ? thing->title : \"none\"", "a title"),
    ("thing->on ? thing->tiny : 5", "-7"), ("probefunc", "take"), ("probename", "entry"), ("probeprov", "fbt"), ("id", "1"),
    ("*(char *)&thing->tiny == '\\xf9'", "1"), ("'\\371' == (char)0xf9", "1"), ("('\\xff' < 0) == ((char)-1 < 0)", "1"), ("'\\x7f'", "127"),
    ("(int)-1 == 0xffffffff", "1"), ("-1 < 0xffffffff", "0"), ("-1 < 037777777777", "0"), ("-n < 0xffffffff", "1"),
]


@pytest.mark.parametrize("part", range(3))
def test_values(dprobes, board, part):
    """One handler records many of them: the step budget holds."""
    values = VALUES[part::3]
    text = shown(dprobes, board, " ".join(f'trace({value}); printf("\\n");' for value, _ in values))
    assert [(value, line[2:]) for (value, _), line in zip(values, text.splitlines())] == values


@pytest.mark.parametrize("statements,text", [
    ("t += thing->small; t += thing->small; trace(t);", "120000"), ("t -= thing->tiny; t <<= 6; trace(t);", "448"),
    ("t = (int)thing->small; t *= 2; trace(t);", "120000"), ("t = thing->small; t *= 2; trace(t);", "54464"),
    ("this->t = thing->tiny; this->t *= 20; trace(this->t);", "116")])
def test_the_type_that_a_sum_keeps(dprobes, board, statements, text):
    """The first assignment gives it; += alone gives that of the sum."""
    assert shown(dprobes, board, statements).strip() == text


def test_printf(dprobes, board):
    assert shown(dprobes, board, r'''printf("%s|%6d|%-6d|%06d|%+d|%x|%X|%#x|%o|%c|%u|%5s|%.2s|%%|%s|%s|%g\n", thing->name, n, n, n,
        n, 255, 255, 255, 8, c, thing->list[3], "ab", thing->title, thing->color, thing->on, thing->ratio);''') == (
            "pipe|    40|40    |000040|+40|ff|FF|0xff|10|c|4294967294|   ab|a |%|BLUE|true|2.5\n")
    assert shown(dprobes, board, r'printf("%*d|%-*d|%.*s|%p", 5, n, 5, n, 3, thing->title, thing);') == (
        "   40|40   |a t|0x20000")


def test_printf_pads_floats_and_characters(dprobes, board):
    assert shown(dprobes, board, r'''printf("%e|%E|%f|%F|%G|%.3f|%8.2f|%-8.1f|%08.2f|%+g|%.1e|%*.*f|", thing->ratio, thing->ratio,
        thing->ratio, thing->ratio, thing->ratio, thing->ratio, thing->ratio, thing->ratio, thing->ratio, thing->ratio,
        thing->ratio, 7, 2, thing->ratio);''') == (
            "2.500000e+00|2.500000E+00|2.500000|2.500000|2.5|2.500|    2.50|2.5     |00002.50|+2.5|2.5e+00|   2.50|")
    assert shown(dprobes, board, 'printf("%4c|%-4c|%*c|%c", c, c, 3, c, c);') == "   c|c   |  c|c"


def test_control_bytes_of_the_firmware_are_dots(dprobes, board):
    """An escape sequence in the firmware's memory does not reach the terminal."""
    cpu, folder = board
    title = b"\x1b[2J\n\x9b\xc3\xa4".ljust(64, b"\0").hex()
    program = 'take:entry { printf("%s|%c%c|", stringof((char *)0x30000), 27, 0); }\n'
    (folder / "t.d").write_text(program, encoding="utf-8")
    result = dprobes("simulate", "--elf", f"{cpu}.elf", "--mem", f"0x30000={title}", "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    assert ".[2J..\u00e4|..|" in result.stdout and "\x1b" not in result.stdout


def test_printf_prints_symbols(dprobes, board):
    cpu, folder = board
    assert shown(dprobes, board, 'printf("%a %a %a", (long)take, take + 4, 3);') == "take take+0x4 0x3"


def test_print_names_members(dprobes, board):
    assert shown(dprobes, board, "print(thing->flags); print(thing->at); print(thing->color); print(n);") == (
        "(struct flags) {.ready = 1, .level = -3, .kind = 1000}\n(struct point) {.x = 11, .y = -22}\n"
        "(enum color) BLUE\n(int) 40\n")
    text = shown(dprobes, board, "print(*thing);")
    for part in ('.name = "pipe"', ".color = BLUE", ".on = true", ".at = {.x = 11, .y = -22}", ".ratio = 2.5",
                 ".wide = -5000000000", "{.word = 16909060, .byte = {", ".hook = "):
        assert part in text


STRUCTS = [
    ("this->s = *thing->next; trace(this->s.y); print(this->s);", "  44(struct point) {.x = 33, .y = 44}\n"),
    ("kept = thing->at; other = kept; print(other); trace(kept.x + other.y);", "(struct point) {.x = 11, .y = -22}\n  -11"),
    ("this->f = thing->flags; trace(this->f.ready); trace(this->f.level); trace(this->f.kind); trace(this->f);",
     "  1  -3  1000  {.ready = 1, .level = -3, .kind = 1000}"),
    ("this->o = *(struct odd *)thing; trace(this->o.a[6]); trace(this->o.a[2]); trace(this->o.a); print(this->o);",
     "  0  112  \"pipe\"(struct odd) {.a = \"pipe\"}\n"),
    ("this->p = *(struct part *)thing; this->at = this->p.at; printf(\"%s %d %d %s\", this->p.title, this->p.small, this->p.at.y, "
     "this->p.name); trace(this->at.x); trace(this->p.on);", "a title 60000 -22 \"pipe\"  11  true"),
    ("this->w = *(struct wide *)&thing->wide; trace(this->w.all); trace(this->w.ratio);", "  -5000000000  2.5"),
]


@pytest.mark.parametrize("statements,text", STRUCTS)
def test_a_variable_keeps_a_struct(dprobes, board, statements, text):
    """Its members have the widths, signs and bits that they have in memory, in either byte order."""
    types = ("struct odd { char a[7]; }; struct wide { long long all; float ratio; };\n"
             "struct part { char name[8]; char *title; int color; unsigned short small; signed char tiny; _Bool on; struct point at; };\n")
    hit, = simulate(dprobes, board, f"{types}take:entry {{ {statements} }}\n")
    assert (hit["end"], hit["text"]) == ("exit", text)


def test_a_struct_is_kept_until_the_end(dprobes, board):
    """A fault stores none of its words; a variable of a firing begins with zeros."""
    cpu, folder = board
    first, second = simulate(dprobes, board, "struct point kept;\ntake:entry { trace(this->t.x); this->t = thing->at; }\n"
                             "take:entry { kept = *(struct point *)0x10; }\ntake:entry { print(kept); kept = this->t; }\n", "--hits", "1:2")
    assert first["text"].startswith("  0error on") and first["text"].endswith("(struct point) {.x = 0, .y = 0}\n")
    assert second["text"].startswith("  0error on") and second["text"].endswith("(struct point) {.x = 11, .y = -22}\n")
    rows = simulated_rows(dprobes, board)
    assert {row["name"]: row["value"] for row in rows if row["kind"] == "variable"} == {"kept": "{.x = 11, .y = -22}"}


def simulated_rows(dprobes, board):
    """What the program of the last simulation leaves, as JSON."""
    cpu, folder = board
    words = ["--mem", f"0x{THING:x}={thing(cpu).hex()}", "--reg", f"{ARGUMENTS[cpu][0]}={THING}"]
    result = dprobes("simulate", "--elf", f"{cpu}.elf", *words, "--format", "json", "t.d", cwd=folder)
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_options_of_traces(dprobes, board):
    hit, = simulate(dprobes, board, "#pragma D option rawbytes\n#pragma D option curthread='struct thing *'\n"
                    "take:entry { trace(thing->name); print(thing->at); trace(sizeof(*curthread)); }\n")
    assert hit["text"] == "\n       0: 70 69 70 65 00 00 00 00" + " " * 24 + "  pipe....\n(struct point) {.x = 11, .y = -22}\n  80"


def test_modules_and_symbols(dprobes, board):
    cpu, _ = board
    assert shown(dprobes, board, "trace(mod((long)take + 4)); trace(func((long)take + 4)); trace(uaddr((long)take + 4)); trace(umod(3));"
                 'printf("%s %s %-6s|", mod(take), sym(take), ufunc((long)take + 8)); mod(take); usym((long)take + 4);') == (
                     f"  {cpu}  take  take+0x4  0x3{cpu} take take  |  {cpu}  take")


def test_printf_shows_bytes_as_c_does(dprobes, board):
    cpu, folder = board
    (folder / "t.d").write_text('take:entry { printf("%C%C%4C|%S|%6S|", 10, 7, 65, (char *)0x30000, "b\\t"); }\n', encoding="utf-8")
    result = dprobes("simulate", "--elf", f"{cpu}.elf", "--mem", "0x30000=" + b"a\t\\\x01\xe9\0".hex(), "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    assert r"\n\a   A|a\t\\\001\351|   b\t|" in result.stdout, result.stdout


def test_tracemem_shows_as_many_bytes_as_asked(dprobes, board):
    assert shown(dprobes, board, "tracemem(thing, 64, n - 38); tracemem(thing, 3, 9); tracemem(copyin(thing, 2), 2);") == (
        "\n       0: 70 69" + " " * 42 + "  pi\n" + "\n       0: 70 69 70" + " " * 39 + "  pip\n" + "\n       0: 70 69" + " " * 42 + "  pi\n")


def test_tracemem(dprobes, board):
    assert shown(dprobes, board, "tracemem(thing, 4);") == "\n       0: 70 69 70 65" + " " * 36 + "  pipe\n"


@pytest.mark.parametrize("statements", ["tracemem(0x30000, 1021);", "tracemem(0x30000, 1000); tracemem(thing, 18);"])
def test_a_full_record_ends_well(dprobes, board, statements):
    hit, = simulate(dprobes, board, f"take:entry {{ {statements} }}\n", "--mem", f"0x30000={'00' * 1021}")
    assert (hit["end"], len(hit["data"])) == ("exit", 2 * 1024)


def test_clauses_share_a_record(dprobes, board):
    """In the order of the program; a false predicate skips its clause, and nothing at all sends nothing."""
    program = ("take:entry /n == 40/ { trace(1); }\ntake:entry /n == 41/ { trace(2); }\n"
               "take:entry { seen++; }\ntake:entry /seen > 1/ { printf(\" three\"); }\n")
    first, second = simulate(dprobes, board, program, "--hits", "1:2")
    assert (first["text"], second["text"]) == ("  1", "  1 three")
    first, second = simulate(dprobes, board, program.replace("40", "39"), "--hits", "1:2")
    assert (first["end"], "text" in first, second["text"]) == ("abort", False, " three")


def test_variables_keep_their_values(dprobes, board):
    hits = simulate(dprobes, board, "int total;\ntake:entry { this->t = n * 2; total += this->t; trace(total); }\n", "--hits", "1:3")
    assert [hit["text"] for hit in hits] == ["  80", "  160", "  240"]


@pytest.mark.parametrize("program", [
    "take:entry { trace(this->t); this->t = n + 2; }", "take:entry { trace(this->t++); this->t = 5; }",
    "take:entry { this->t += 0; trace(this->t); this->t = 9; }",
    "take:entry /n == 41/ { this->t = 1; }\ntake:entry { trace(this->t); this->t = 9; }",
    "take:entry { if (n == 41) this->t = 1; trace(this->t); this->t = 9; }",
    "take:entry { (n == 41 && (this->t = 1)); trace(this->t); this->t = 9; }",
    "take:entry { this->t = *(int *)0x10; }\ntake:entry { trace(this->t); this->t = 9; }"])
def test_a_clause_variable_begins_as_0(dprobes, board, program):
    """An assignment of an earlier hit is forgotten."""
    hits = simulate(dprobes, board, program, "--hits", "1:2")
    assert [hit["text"].splitlines()[-1] for hit in hits] == ["  0", "  0"]


def test_a_clause_variable_without_a_value_is_told(dprobes, board):
    cpu, folder = board
    (folder / "t.d").write_text("take:entry { trace(this->t); this->t = 5; }\n", encoding="utf-8")
    result = dprobes("build", "--elf", f"{cpu}.elf", "-o", "t.ppdf", "t.d", cwd=folder)
    assert result.stderr.splitlines() == [
        "t.d:1:20: warning: 'this->t' has no value yet; it is 0 here", "take:entry { trace(this->t); this->t = 5; }",
        " " * 19 + "^~~~~~~"]


def test_an_assigned_clause_variable_costs_nothing(dprobes, board):
    before, = simulate(dprobes, board, "take:entry { this->t = n; trace(this->t + 1); }")
    global_, = simulate(dprobes, board, "take:entry { t = n; trace(t + 1); }")
    assert before["steps"] == global_["steps"]


def test_an_assignment_keeps_the_places_of_its_point(dprobes, board):
    """n is the second argument of take, and the first of tail: one clause reads both."""
    program = "take:entry { trace(1); }\ntake:entry, tail:entry { x = n; trace(x); }\n"
    take, _ = simulate(dprobes, board, program, "--hits", "1:1", "--hits", "2:1")
    assert take["text"] == "  1  40"


def test_a_constant_condition_has_64_bits(dprobes, board):
    hit, = simulate(dprobes, board, "take:entry /0x100000000/ { if (1 << 32) x = 5; trace(x); }\n")
    assert (hit["end"], hit.get("text")) == ("exit", "  5")


def test_default_action_and_silent_clause(dprobes, board):
    hit, = simulate(dprobes, board, "take:entry\n")
    assert (hit["end"], hit["data"], hit["text"], hit["desc"]) == ("exit", "", "", f"fbt:{board[0]}:take:entry")
    hit, = simulate(dprobes, board, "take:entry { x++; }\n")
    assert hit["end"] == "abort"


def test_a_text_without_a_newline_is_shown(dprobes, board):
    """The words for a reader, not JSON: the text ends where the record ends."""
    cpu, folder = board
    (folder / "t.d").write_text('take:entry { printf("first\\nlast"); }\n', encoding="utf-8")
    result = dprobes("simulate", "--elf", f"{cpu}.elf", "t.d", cwd=folder)
    assert result.status == 0 and "\n    first\n    last\n" in result.stdout, result.stderr


def stack(dprobes, board, probe, sp, caller, words, prologue=""):
    """The lines of stack() with the stack pointer, the return address in its register, and words from 0x40000 on."""
    cpu, _ = board
    memory = struct.pack(f"{ORDER[cpu]}{len(words)}I", *words)
    hit, = simulate(dprobes, board, f"{prologue}{probe} {{ stack(); }}\n", "--reg", f"sp={sp}", "--mem", f"0x40000={memory.hex()}",
                    "--reg", "{}={}".format(cpus.of(cpu).link, caller))
    assert hit["end"] == "exit"
    head, *lines = hit["text"].splitlines()
    assert head == ""
    return [line.removeprefix(" " * 14) for line in lines]


def entry(dprobes, board, function):
    point, = points(dprobes, board, f"{function}:entry")
    return point.address


def test_stack_of_a_leaf(dprobes, board):
    """The return address is in its register, at each instruction."""
    main = entry(dprobes, board, "main")
    for offset in (0, 4, 8, 12):
        inner, outer = stack(dprobes, board, f"insn::nothing:{offset:x}", 0x40000, main + 0x20, [0] * 64)
        assert inner.startswith("nothing" + (f"+0x{offset:x}" if offset else "") + " (firmware.c:")
        assert outer.startswith("main+0x20 (firmware.c:")


def test_stack_in_a_prologue(dprobes, board):
    """Before a function saves its return address, and behind: the register then has another value."""
    main, (function, saved) = entry(dprobes, board, "main"), cpus.of(board[0]).saves_link
    caller = main + 0x20
    before = stack(dprobes, board, f"{function}:entry", 0x40100, caller, [0] * 128)
    after = stack(dprobes, board, f"insn::{function}:{saved:x}", 0x40000, 0x10, [caller] * 64)
    assert before[0].startswith(f"{function} (") and after[0].startswith(f"{function}+0x"), (before, after)
    assert before[1] == after[1] and before[1].startswith("main+0x20 (firmware.c:"), (before, after)


def test_stack_says_why_it_ends(dprobes, board):
    main, tail = entry(dprobes, board, "main"), entry(dprobes, board, "tail")
    inner, outer, last, why = stack(dprobes, board, "take:entry", 0x40000, main + 0x20, [tail + 4] * 64)
    assert inner.startswith("take (") and outer.startswith("main+0x20 (") and last.startswith("tail+0x4 (")
    assert why == "[no caller found: the function has called another one, and has not saved its own return address]"
    assert stack(dprobes, board, "nothing:entry", 0x40000, 0x20000, [0] * 64)[1:] == [
        "0x20000", "[no caller found: 0x20000 is not code of the firmware]"]
    assert stack(dprobes, board, "nothing:entry", 0x40000, 0, [0] * 64)[1:] == []  # the outermost function
    few = stack(dprobes, board, "insn::main:20", 0x40000, 0, [0] * 8, "#pragma D option stackbytes=16\n")
    assert re.fullmatch(r"\[no caller found: the word at 0x400[0-9a-f]+ is not among the 16 bytes of the stack at "
                                         r"0x40000; record more with #pragma D option stackbytes=N\]", few[1])


def test_pragmas(dprobes, board):
    """Not in a comment; with the line ends of another system."""
    cpu, folder = board
    program = ('/* "a\n#pragma D option nonsense\n*/\n#pragma D option stackframes=1\r\n#pragma D option quiet\r\n'
               'take:entry { stack(); }\n')
    (folder / "t.d").write_bytes(program.encode())
    result = dprobes("simulate", "--elf", f"{cpu}.elf", "--mem", f"0x40000={bytes(256).hex()}", "--reg", "sp=0x40000",
                     "--reg", "{}={}".format(cpus.of(cpu).link, entry(dprobes, board, "main") + 0x20),
                     "--format", "json", "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    assert re.fullmatch(r"\n {14}take \(firmware\.c:\d+\)\n", json.loads(result.stdout)["text"])


def test_a_fault_is_told(dprobes, board):
    hit, = simulate(dprobes, board, "take:entry { trace(7); trace(*(int *)0x10); }\n")
    assert hit["end"] == "exception" and hit["text"].startswith(f"error on enabled probe ID 1 (fbt:{board[0]}:take:entry): ")


def test_if_and_comments(dprobes, board):
    assert shown(dprobes, board, "/* a\ncomment */ if (n > 30) { x = 5; } else { x = 6; } // more\n"
                 "if (n > 50) x = 7; else if (c == 'c') x += 10; trace(x);") == "  15"


RECORDS_IN_IF = """take:entry
{
    if (n > 30) {
        printf("big %d ", n);
        if (c == 'c')
            trace(thing->at);
    } else
        trace(n);
    if (n == 20)
        exit(3);
    printf(", then %d\\n", n + 1);
}
take:entry { printf("and on\\n"); }
"""


@pytest.mark.parametrize("n,c,text", [
    (40, "c", "big 40   {.x = 11, .y = -22}, then 41\nand on\n"), (40, "d", "big 40 , then 41\nand on\n"),
    (7, "c", "  7, then 8\nand on\n"), (20, "c", "  20, then 21\n")])
def test_records_in_if(dprobes, board, n, c, text):
    """An exit in an `if` lets its clause go on to the end, and no other clause begin."""
    registers = ARGUMENTS[board[0]]
    hit, = simulate(dprobes, board, RECORDS_IN_IF, "--reg", f"{registers[1]}={n}", "--reg", f"{registers[2]}={ord(c)}")
    assert (hit["end"], hit["text"]) == ("exit", text)


def test_if_without_a_record_sends_nothing(dprobes, board):
    program = "take:entry { if (n > 50) trace(1); }\n"
    hit, = simulate(dprobes, board, program)
    assert hit["end"] == "abort"
    hit, = simulate(dprobes, board, program, "--reg", f"{ARGUMENTS[board[0]][1]}=60")
    assert (hit["end"], hit["text"]) == ("exit", "  1")
    hit, = simulate(dprobes, board, "take:entry /n > 50/ { trace(2); }\ntake:entry { if (n > 50) trace(1); else trace(3); }\n")
    assert (hit["end"], hit["text"]) == ("exit", "  3")


def test_copyinstr_has_a_size(dprobes, board):
    assert shown(dprobes, board, 'trace(copyinstr(thing->title, 3)); printf("|%s|", copyinstr(thing->title, 1));') == "  a t|a|"


def test_a_time_without_a_clock(dprobes, board):
    """The simulator has no clock."""
    assert shown(dprobes, board, 'trace(timestamp); printf("|%d|%4u", timestamp, timestamp);') == "  ?|?|   ?"


def points(dprobes, board, text):
    cpu, folder = board
    (folder / "p.d").write_text(text, encoding="utf-8")
    result = dprobes("build", "--elf", f"{cpu}.elf", "-o", "p.ppdf", "p.d", cwd=folder)
    assert result.status == 0, result.stderr
    return list(ppdf.Ppdf((folder / "p.ppdf").read_bytes()).points)


def test_descriptions(dprobes, board):
    cpu, folder = board
    entry, = points(dprobes, board, "take:entry")
    for same in ("fbt:::entry", "fbt::take:entry", f"fbt:{cpu}:take:entry", "fbt::t[a]ke:entry", "addr:::0x{:x}".format(entry.address),
                 "insn::take:0"):
        assert entry.address in [point.address for point in points(dprobes, board, f"{same} {{ trace(1); }}\n")]
    assert len(points(dprobes, board, "take:entry, nothing:entry { trace(1); }\nmain:entry")) == 3
    after, = points(dprobes, board, "insn::take:4-after { trace(1); }")
    assert (after.address, after.phase) == (entry.address + 4, 1)
    line, = points(dprobes, board, "firmware.c:take:%d { trace(sum); }" % line_of("sink = s;"))
    assert entry.address < line.address < entry.address + 0x80


def line_of(text):
    """The number of a line of firmware.c."""
    return 1 + [line.strip() for line in (d_cases.HERE / "firmware.c").read_text().splitlines()].index(text)


def test_returns(dprobes, board):
    """Where the function is left; on MIPS after the return, whose delay slot may set the result. A function that its first
    instruction leaves is probed behind it: return() there does not execute it."""
    cpu, _ = board
    register = cpus.of(cpu).results[0]
    program = 'take:return { printf("%d %d %d %s %d", arg1, args[1], retval + 1, probename, arg0 > 0); }\n'
    point, returned = points(dprobes, board, program)
    entry, = points(dprobes, board, "take:entry")
    assert (returned.phase, returned.address) == (3, entry.address)
    assert (point.phase, point.address > entry.address) == (cpus.of(cpu).return_phase, True)
    hit, = simulate(dprobes, board, program, "--reg", f"{register}=60040")
    assert hit["text"] == "60040 60040 60041 return 1"
    tail, returned = points(dprobes, board, "tail:return { trace(arg0); }")
    assert tail.phase == (1 if tail.address == returned.address else 0)


def test_equal_handlers_are_one(dprobes, board):
    all_points = points(dprobes, board, "take:entry, nothing:entry, main:entry { x++; trace(x); }\n")
    assert len({point.entry for point in all_points}) == 1 and len(all_points) == 3


@pytest.mark.parametrize("first,second,texts", [
    ('trace("put");', 'trace("get");', ["  put", "  get"]),
    (r'trace(arg1); printf(" put\n");', r'trace(arg1); printf(" get\n");', ["  40 put\n", "  40 get\n"]),
    ("trace(arg1);", "print(arg1);", ["  40", "(int) 40\n"]),
    (r'printf("%d %d\n", arg1, arg1 + 0);', r'printf("%d %x\n", arg1, arg1 + 0);', ["40 40\n", "40 28\n"]),
], ids=["text", "second_action", "kind", "format"])
def test_equal_code_prints_its_own_records(dprobes, board, first, second, texts):
    """Two clauses may share their code, and never the text of one another."""
    program = f"take:entry {{ {first} }}\nnothing:entry {{ {second} }}\n"
    assert len({point.entry for point in points(dprobes, board, program)}) == 1
    hits = simulate(dprobes, board, program, "--hits", "1:1", "--hits", "2:1")
    assert [hit["text"] for hit in hits] == texts


def test_an_object_needs_no_firmware(dprobes, board):
    """Types and formats are in the object; only symbols of addresses need the ELF file."""
    cpu, folder = board
    points(dprobes, board, 'take:entry { printf("%s %d", thing->color, thing->flags.level); print(thing->at); }')
    maps = ["--mem", f"0x{THING:x}={thing(cpu).hex()}", "--reg", f"{ARGUMENTS[cpu][0]}={THING}"]
    result = dprobes("simulate", *maps, "--format", "json", "p.ppdf", cwd=folder)
    assert json.loads(result.stdout.splitlines()[0])["text"] == "BLUE -3(struct point) {.x = 11, .y = -22}\n"


@pytest.mark.parametrize("example", d_document.examples().values(), ids=lambda example: example.name)
def test_examples_of_the_manual(dprobes, board, example):
    hit, = simulate(dprobes, board, example.program)
    assert hit["text"] == example.printed


def test_a_declared_variable_has_its_width(dprobes, board):
    """Also where the declaration stands behind the use; a char has the firmware's sign."""
    program = "take:entry { x = n * 125000000; small = n + 200; wide = n * 125000001ll; %s }\nlong long wide; char small; unsigned char x;\n"
    hit, = simulate(dprobes, board, program % 'printf("%d %d %d", x, small, wide);')
    assert hit["text"] == f"{5000000000 & 255} { {'arm': 240, 'mips': -16}[board[0]]} 5000000040"


def test_sizeof_a_string(dprobes, board):
    assert shown(dprobes, board, 'printf("%d %d", sizeof("12345"), sizeof(""));') == "6 1"


@pytest.mark.parametrize("description", [r"\take:entry", r"fbt::tak\e:entry", r"\fbt::[t]ake:\entry"])
def test_a_backslash_takes_the_character_behind_it(dprobes, board, description):
    hit, = simulate(dprobes, board, f"{description} {{ trace(n); }}\n")
    assert hit["text"].split() == ["40"]
