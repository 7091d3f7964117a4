# SPDX-License-Identifier: BSD-2-Clause
"""Strings of D on the target: compared, chosen, kept in variables, and keys; in the simulator, in each word size and byte
order. No firmware: a pointer is a number."""
import json

import pytest

FORMS = [(32, "little"), (32, "big"), (64, "little"), (64, "big")]
IDS = [f"{bits}-{order}" for bits, order in FORMS]
# "abc" at 2001, "abd" at 2005, bytes with the high bit at 2009, a long one at 200c
MEMORY = "0x2001=" + b"abc\0abd\0\xe9z\0the name of a task\0".hex()
NAMES = {"abc": "((char *)0x2001)", "abd": "((char *)0x2005)", "high": "((char *)0x2009)", "long": "((char *)0x200c)",
         "none": "((char *)0x200b)"}


@pytest.fixture(params=FORMS, ids=IDS)
def ask(request, dprobes, tmp_path):
    """Runs the clauses at one point, or at two. Returns the texts of the hits, and the aggregations."""
    bits, order = request.param

    def run(clauses, *hits):
        text = clauses
        for name, pointer in NAMES.items():
            text = text.replace(f"<{name}>", f"stringof({pointer})").replace(f"*{name}", pointer)
        (tmp_path / "t.d").write_text(text, encoding="utf-8")
        options = [word for hit in hits or ("1:1",) for word in ("--hits", hit)]
        result = dprobes("simulate", "--cpu", "sim", "--word", bits, "--endian", order, *options, "--mem", MEMORY,
                         "--format", "json", "t.d", cwd=tmp_path)
        assert result.status == 0, result.stderr
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        assert {row["end"] for row in rows if row["kind"] == "hit"} <= {"exit", "abort"}, rows
        return ([row["text"] for row in rows if row["kind"] == "hit" and row.get("text")],
                [(row["keys"], row["value"]) for row in rows if row["kind"] == "aggregation"])

    return run


COMPARED = [
    ("<abc> == <abc>", 1), ("<abc> == <abd>", 0), ("<abc> != <abd>", 1), ("<abc> < <abd>", 1), ("<abd> < <abc>", 0),
    ("<abc> > <abd>", 0), ("<abd> > <abc>", 1), ("<abc> <= <abc>", 1), ("<abc> >= <abd>", 0), ("<abd> <= <abc>", 0),
    ("<abc> == \"abc\"", 1), ("\"abd\" == <abc>", 0), ("<none> == \"\"", 1), ("<none> < \"a\"", 1), ("\"b\" > <abc>", 1),
    ("<high> > <abd>", 1), ("<high> > \"~\"", 1), ("\"\\xe9z\" == <high>", 1), ("\"a\" < \"b\"", 1), ("\"a\" == \"b\"", 0),
    ("<long> == \"the name of a ta\"", 1), ("<long> == \"the name of a tb\"", 0), ("probename == \"\"", 0),
    ("execname == \"\"", 1), ("(x ? <abc> : \"abd\") == \"abc\"", 1), ("(!x ? <abc> : \"abd\") == \"abd\"", 1),
    ("(x ? \"a\" : \"b\") == \"a\"", 1), ("x == 7 && <abc> < <abd>", 1), ("x + (<abc> < <abd>)", 8), ("!(<abc> == <abd>)", 1),
    ("(<abc> < <abd>) == (<abc> != <abd>)", 1),  # the comparisons are numbers
    ("strlen(<abc>)", 3), ("strlen(*none)", 0), ("strlen(*long)", 18), ("x - strlen(*abc) * 2", 1),
    ("index(*abc, \"c\")", 2), ("index(<abc>, 'a')", 0), ("index(*abc, \"x\")", -1), ("index(*high, 0xe9)", 0),
    ("strlen(strchr(*long, 'n'))", 14), ("strchr(*abc, 'b') == \"bc\"", 1), ("strchr(*abc, 'x') == \"\"", 1),
]


@pytest.mark.parametrize("compared,told", [("execname == execname", True), ("execname == \"0123456789abcdef\"", True),
                                           ("execname == \"0123456789abcde\"", False), ("probename == \"a\"", False)])
def test_a_comparison_that_may_be_cut_is_told(dprobes, tmp_path, compared, told):
    """Once in a program, and not where a whole literal shows the end of the other string."""
    (tmp_path / "t.d").write_text(f"addr:::0x1000 {{ trace({compared}); trace({compared}); }}", encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", "t.d", cwd=tmp_path)
    assert result.status == 0 and result.stderr.count("warning: strings are compared by their first 16 bytes; -x keysize=32") == told


def test_compared(ask):
    """str_comparison-signed, str_comparison-nested, strlen, index, strchr of the DTrace suite."""
    texts, _ = ask("addr:::0x1000 { x = 7; %s }" % " ".join(f'printf("%d ", {one});' for one, _ in COMPARED[:24]))
    more, _ = ask("addr:::0x1000 { x = 7; %s }" % " ".join(f'printf("%d ", {one});' for one, _ in COMPARED[24:]))
    found = [int(word) for word in (texts[0] + more[0]).split()]
    assert list(zip([one for one, _ in COMPARED], found)) == COMPARED


def test_predicates(ask):
    texts, _ = ask('addr:::0x1000 /<abc> == "abc"/ { trace(1); } addr:::0x1000 /<abc> > "abc"/ { trace(2); }'
                   ' addr:::0x1000 /"a" < <abc> && id == 1/ { trace(3); } addr:::0x1000 /id != 1/ { trace(4); }')
    assert [text.split() for text in texts] == [["1", "3"]]


def test_variables(ask):
    """Variables of each scope keep the bytes; a variable that only gets constants keeps a number."""
    texts, _ = ask("""string early; this string own;
        addr:::0x1000 { printf("<%s>", early); early = <abc>; copy = early; this->own = x ? <abd> : early; self->s = <long>;
            array[<abc>] = <abd>; array["none"] = "word"; fixed = "constant"; fixed = n ? "other" : fixed; n++; x = 0;
            printf("%s %s %s %s %s %s %d", copy, this->own, self->s, array["abc"], array["none"], fixed, copy == early);
            array["abc"] = ""; printf("%s.", array[<abc>]); }""", "1:2")
    assert texts == ["<>abc abc the name of a ta abd word constant 1.", "<abc>abc abc the name of a ta abd word other 1."]


def test_recorded(ask):
    """A string of the firmware is recorded with 64 bytes; kept ones have keysize."""
    texts, _ = ask('addr:::0x1000 { trace(<long>); trace(strchr(*long, \'o\')); kept = <long>; printf("|%20s|%.3s|", kept, kept); trace(execname); }')
    assert texts == ["  the name of a task  of a task|    the name of a ta|the|  "]


def test_recorded_with_another_size(ask):
    """strsize is the size of a recorded string, also where the host computes with it."""
    texts, _ = ask('#pragma D option strsize=8\naddr:::0x1000 { trace(<long>); printf("|%s|%s|", *long, toupper(*long)); }')
    assert texts == ["  the name|the name|THE NAME|"]
    texts, _ = ask('#pragma D option strsize=256\naddr:::0x1000 { trace(copyinstr(*long, 100)); }')
    assert texts == ["  the name of a task"]


def test_a_number_is_an_address(ask):
    """stringof and copyinstr take an integer of any width of a word, and a constant, wherever a string may stand."""
    texts, rows = ask("""addr:::0x1000 { x = 0x2001; h = (uint16_t)0x2005; printf("%s|%s|%.1s|%s|", stringof(x), copyinstr(h), copyinstr(x, 2),
        stringof(0x2001 + 4)); trace(copyinstr(x)); kept = copyinstr(x); trace(kept); trace(stringof(x) < copyinstr(h)); trace(strlen(copyinstr(h)));
        trace(strjoin(stringof(x), stringof(h))); @[copyinstr(x + 1)] = count(); @[stringof(0x2005)] = count(); }""")
    assert texts == ["abc|abd|a|abd|  abc  abc  1  3  abcabd"]
    assert rows == [(["abd"], 1), (["bc"], 1)]


def test_keys(ask):
    """Constants and strings of the firmware in one key; numbers beside them; sorted as the bytes are."""
    _, rows = ask("""addr:::0x1000 { @[<abd>, 1] = count(); @[<abd>, 1] = count(); @[<abc>, 1] = count(); @[<high>, 1] = count();
        @["abd", 1] = count(); @[probefunc, -2] = count(); last = probename; @[last, 3] = count(); }""")
    assert [(keys, value) for keys, value in rows if keys[1] == "1"] == [
        (["abc", "1"], 1), ([".z", "1"], 1), (["abd", "1"], 3)], rows


def test_functions_of_keys(ask):
    """The host shortens the keys, and adds up those that become equal; the target counts by keysize bytes."""
    _, rows = ask("""#pragma D option keysize=8
        addr:::0x1000 { @a[basename("/x/abc"), 1] = count(); @a[basename(*abc), 1] = count(); @a[basename(<abd>), 1] = count();
        @b[toupper(basename(<abc>))] = quantize(5); @b[toupper(basename("x/abc"))] = quantize(9); @c[dirname(*abc), tolower(probefunc)] = sum(3);
        @d[2, cleanpath("/a/../b")] = count(); @e[toupper(<long>)] = count(); }""", "1:2")
    assert rows == [(["abd", "1"], 2), (["abc", "1"], 4), (["ABC"], 4), ([".", ""], 6), (["2", "/b"], 2), (["THE NAME"], 2)]


def test_functions_of_keys_with_constants(ask):
    """The other operands are constants, and the result is cut to keysize."""
    _, rows = ask("""addr:::0x1000 { @a[substr(<abc>, 2)] = count(); @a[substr("xxc", 2)] = count(); @b[strjoin("x-", *abc)] = count();
        @c[strjoin(toupper(*abc), "-y")] = count(); @d[strtok(<long>, " "), 5] = count(); @e[strchr(tolower(*long), 'n')] = count();
        @f[substr(*long, 4, 4), strstr(<long>, "of")] = count(); @g[strjoin(<long>, "cut")] = count(); @h[strrchr(*abc, 'b')] = count(); }""")
    assert rows == [(["c"], 2), (["x-abc"], 1), (["ABC-y"], 1), (["the", "5"], 1), (["name of a ta"], 1), (["name", "of a ta"], 1),
                    (["the name of a ta"], 1), (["bc"], 1)]


def test_numbers_in_strings_of_keys(ask):
    """The target counts by 64 bits with their sign."""
    _, rows = ask("""addr:::0x1000 { n += 6; @a[lltostr(n)] = count(); @a[lltostr(12)] = count(); @b[strjoin("n", lltostr(n - 13)), n] = count();
        @c[2, lltostr(255, 16)] = sum(3); @d[substr(lltostr(n + 4), 0, 1)] = quantize(5); @e[lltostr(5ll << 40)] = count();
        @f[lltostr(-5000000000)] = count(); @g[lltostr((unsigned)-1)] = count(); @h[toupper(lltostr((char)-20, 16))] = count(); }""", "1:2")
    assert rows == [(["6"], 1), (["12"], 3), (["n-1", "12"], 1), (["n-7", "6"], 1), (["2", "0xff"], 6), (["1"], 2), (["5497558138880"], 2),
                    (["-5000000000"], 2), (["4294967295"], 2), (["0XFFFFFFFFFFFFFF"], 2)]


def test_a_pointer_beside_a_string_is_the_text_there(ask):
    texts, rows = ask("""string s; this string own;
        addr:::0x1000 /*abc == "abc" && "abc" < *abd && probename != *abc/ { s = *abc; this->own = *abd; self->s = "x"; self->s = *long;
            names[1] = "y"; names[1] = *abd; t = id ? *abc : "none"; @[s == *abc ? <abd> : "no"] = count();
            printf("%s %s %s %s %s %d", s, this->own, self->s, names[1], t, s == *abc); }""")
    assert (texts, rows) == (["abc abd the name of a ta abd abc 1"], [(["abd"], 1)])


def test_key_of_a_distribution(ask):
    _, rows = ask("addr:::0x1000 { @[<abc>] = quantize(5); @[<abc>] = quantize(6); @[<abd>] = quantize(1); }")
    assert rows == [(["abd"], 1), (["abc"], 2)]


def test_printa(ask):
    texts, _ = ask('addr:::0x1000 { @a[<abd>, 7] = count(); @b["abd", 7] = sum(9); @b[<abc>, 8] = sum(1); printa("%s %d %@d %@d\\n", @a, @b); }')
    assert texts == ["abd 7 1 9\nabc 8 0 1\n"]


def test_keysize(ask):
    _, rows = ask("#pragma D option keysize=8\naddr:::0x1000 { @[<long>, <long>] = count(); }")
    assert rows == [(["the name", "the name"], 1)]


def test_a_string_that_is_not_readable(dprobes, tmp_path):
    """The clause is given up, and the fault is told with its place."""
    (tmp_path / "t.d").write_text("addr:::0x1000 { @[stringof((char *)0x10)] = count(); }\naddr:::0x1000 { trace(5); }\n", encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", "--word", 32, "--endian", "little", "t.d", cwd=tmp_path)
    assert "invalid address (0x10) in action, t.d:1:17" in result.stdout and "  5" in result.stdout, result.stdout


# What the host computes from recorded strings and numbers.
HOSTED = [
    ('strjoin(<abc>, *abd)', "abcabd"), ('strjoin("", strjoin(*abc, "x"))', "abcx"), ('strjoin(probename, execname)', "0x1000"),
    ('substr(*long, 4)', "name of a task"), ('substr(*long, 4, 4)', "name"), ('substr(*long, -4)', "task"), ('substr(*long, -4, 2)', "ta"),
    ('substr(*abc, 3)', ""), ('substr(*abc, -5, 3)', "a"), ('substr(*abc, -5, 4)', "ab"), ('substr(*abc, -9, 8)', "ab"), ('substr(*abc, -9, 6)', ""),
    ('substr(*abc, -9)', "abc"), ('substr(*abc, -9, 99)', "abc"), ('substr(*abc, 1, 99)', "bc"), ('substr(*abc, -2, -1)', "b"), ('substr(*abc, 1, -5)', ""), ('substr(*abc, 0, -1)', "ab"), ('substr(*abc, 9, 1)', ""), ('substr("xyz", x - 6)', "yz"),
    ('strstr(*long, "of")', "of a task"), ('strstr(*abc, "x")', ""), ('strrchr(*long, 97)', "ask"), ('strrchr(*abc, "z")', ""),
    ('strchr(strjoin(*abc, "."), 98)', "bc."), ('strtok("b,,c;d", ",;")', "b"), ('strtok(0, ",;")', "c"), ('strtok(0, ",;")', "d"), ('strtok(0, ",;")', ""),
    ('toupper(*abc)', "ABC"), ('tolower("AbC1")', "abc1"), ('toupper(tolower(toupper("q")))', "Q"),
    ('basename("/a/b")', "b"), ('basename("/a/b//")', "b"), ('basename("/")', "/"), ('basename("")', "."), ('basename("a")', "a"),
    ('dirname("/a/b")', "/a"), ('dirname("a")', "."), ('dirname("/a")', "/"), ('dirname("a/b/")', "a"), ('dirname("")', "."),
    ('cleanpath("/a/./b/../c//d/")', "/a/c/d"), ('cleanpath("/..")', "/"), ('cleanpath("../a/..")', ".."), ('cleanpath("a/../../b")', "../b"),
    ('lltostr(x)', "7"), ('lltostr(-12)', "-12"), ('lltostr(255, 16)', "0xff"), ('lltostr(8, 8)', "010"), ('lltostr(1ll << 40)', "1099511627776"),
    ('uuidstr(*long)', "74686520-6e61-6d65-206f-662061207461"), ('inet_ntoa(*abc)', "97.98.99.0"),
    ('inet_ntoa6(*long)', "7468:6520:6e61:6d65:206f:6620:6120:7461"),
]
NUMBERS = [
    ('strlen(strjoin(*abc, *abd))', 6), ('strlen("abc")', 3), ('strlen(execname)', 0), ('index(*long, "name")', 4), ('index(*abc, "x")', -1),
    ('index(*abc, "")', 0), ('index(*abc, "", 9)', 3), ('index(*long, "a", 6)', 12), ('index(*abc, "a", -3)', 0), ('rindex(*long, "a")', 15),
    ('rindex(*long, "a", 11)', 5), ('rindex(*abc, "x")', -1), ('rindex(*abc, "a", -1)', -1), ('rindex(*abc, "")', 3), ('strtoll("12ab")', 12),
    ('strtoll("-0x10", 16)', -16), ('strtoll("9999999999")', 9999999999), ('strlen("ab") * 2 + x', 11), ('(char)(strlen("ab") + 255)', 1),
    ('x / 2', 3), ('-x / 2', -3), ('-x % 4', -3), ('(x + 1) / 2 * 3', 12), ('(unsigned char)(x * 100 / 2)', 94), ('(x << 40ll) / 3', 0),
    ('((long long)x << 40) / 1000', 7696581394), ('big * 3', 3 << 40), ('big % 1000 + x', 783), ('x / (x - 5)', 3), ('(x ^ 5) / 2 | 8', 9),
]


def test_computed_by_the_host(ask):
    """substr, strjoin and the others as DTrace defines them; their operands are constants, recorded strings and other functions."""
    texts, _ = ask("addr:::0x1000 { x = 7; %s }" % " ".join(f'printf("[%s]", {one});' for one, _ in HOSTED[:21]))
    more, _ = ask("addr:::0x1000 { x = 7; %s }" % " ".join(f'printf("[%s]", {one});' for one, _ in HOSTED[21:]))
    found = (texts[0] + more[0])[1:-1].split("][")
    assert list(zip([one for one, _ in HOSTED], found, strict=True)) == HOSTED


def test_numbers_by_the_host(ask):
    """Divisions by constants and products of 64 bits leave the handler: the target records the operands."""
    texts, _ = ask("addr:::0x1000 { x = 7; big = 1ll << 40; %s }" % " ".join(f'printf("%d ", {one});' for one, _ in NUMBERS))
    found = [int(word) for word in texts[0].split()]
    assert list(zip([one for one, _ in NUMBERS], found, strict=True)) == NUMBERS


def test_computed_in_each_action(ask):
    texts, _ = ask("addr:::0x1000 { x = 7; trace(strjoin(*abc, \"-\")); trace(x / 2); printf(\"|%-6s|%6.2s|%*d|%x\", toupper(*abc), substr(*long, 4),"
                   " strlen(strjoin(*abc, \"..\")), x, x * 10 / 3); print(strjoin(\"a\", *abd)); }")
    assert texts == ["  abc-  3|ABC   |    na|    7|17aabd\n"]


def test_tokens_of_clauses(ask):
    """Each clause begins anew, and the next record too."""
    texts, _ = ask('addr:::0x1000 { printf("%s.", strtok("a b", " ")); } addr:::0x1000 { printf("<%s>", strtok(0, " ")); }', "1:2")
    assert texts == ["a.<>", "a.<>"]


def test_division_costs_no_step(dprobes, tmp_path):
    """The handler of a deferred division has the steps of the operand alone."""
    def steps(value):
        (tmp_path / "s.d").write_text("addr:::0x1000 { big = 5ll; printf(\"%%d\", %s); }" % value, encoding="utf-8")
        result = dprobes("simulate", "--cpu", "sim", "--word", 32, "--endian", "little", "--format", "json", "s.d", cwd=tmp_path)
        return json.loads(result.stdout.splitlines()[0])["steps"]

    assert steps("(big - 2) / 1000 % 7") == steps("big - 2") < steps("(big - 2) / big")


DEFERRED = [
    ("this->d = big / 1000; trace(this->d);", "trace(big / 1000);"),
    ("this->d = big / 1000; if (x) { printf(\"%d %d\", this->d, this->d + 1); } x = 0;", "if (x) { printf(\"%d %d\", big / 1000, big / 1000 + 1); } x = 0;"),
    ("this->d = big / 1000; this->e = this->d / 7; trace(this->e); trace(this->d);", "trace(big / 1000 / 7); trace(big / 1000);"),
    ("this->s = toupper(*abc); printf(\"%s\", this->s); x++;", "printf(\"%s\", toupper(*abc)); x++;"),
]
KEPT = [
    "this->d = big / 1000; big++; trace(this->d);", "this->d = big / 1000; if (this->d) { trace(this->d); }", "this->d = big++ / 1000; trace(this->d);",
    "this->d = big / 1000; trace(this->d); } addr:::0x1000 { trace(this->d);", "this->d = big / 1000; this->d++; trace(this->d);",
    "this->d = big / 1000; printf(\"%d %d\", x++, this->d);", "this->d = big / 1000; @[this->d] = count(); trace(this->d);",
]


def simulated(dprobes, folder, text):
    (folder / "s.d").write_text("addr:::0x1000 { x = 3; big = 54321ll; %s }" % text.replace("*abc", NAMES["abc"]), encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", "--word", 32, "--endian", "little", "--mem", MEMORY, "--format", "json", "s.d", cwd=folder)
    assert result.status == 0, result.stderr
    hit = json.loads(result.stdout.splitlines()[0])
    return hit["text"], hit["steps"]


@pytest.mark.parametrize("through,direct", DEFERRED)
def test_deferred_through_a_variable(dprobes, tmp_path, through, direct):
    """A variable of a firing that is only recorded is no variable of the target: text and steps are those of its value."""
    assert simulated(dprobes, tmp_path, through) == simulated(dprobes, tmp_path, direct)


@pytest.mark.parametrize("program", KEPT)
def test_a_variable_that_the_target_needs(dprobes, tmp_path, program):
    """What changes before the record, or is used elsewhere, is computed at its place."""
    text, steps = simulated(dprobes, tmp_path, program)
    assert {"54", "55"} & set(text.split()) and steps > 100


def test_a_deferred_variable_has_its_name(dprobes, tmp_path):
    (tmp_path / "n.d").write_text("addr:::0x1000 { x = 70; this->d = x / 10; trace(this->d); }", encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", "--format", "json", "n.d", cwd=tmp_path)
    hit = json.loads(result.stdout.splitlines()[0])
    assert hit["args"] == [{"name": "this->d", "type": "int", "value": 7}], hit


SWAPPED = [("htons(0x1234)", 0x3412, 0x1234), ("ntohs(x)", 0x4433, 0x3344), ("htonl(x)", 0x44332211, 0x11223344), ("ntohl(x + 1)", 0x45332211, 0x11223345),
           ("htonll(w)", 0x8877665544332211, 0x1122334455667788), ("ntohll(x)", 0x4433221100000000, 0x11223344), ("htonl(-2)", 0xfeffffff, 0xfffffffe),
           ("1 + htons(w)", 0x8878, 0x7789), ("ntohs(htons(x)) == (x & 0xffff)", 1, 1)]


def test_order_of_the_network(request, ask):
    big = "big" in request.node.name
    texts, _ = ask("addr:::0x1000 { x = 0x11223344; w = 0x1122334455667788ll; %s }" % " ".join(f'printf("%llx ", {one});' for one, _, _ in SWAPPED))
    assert [int(word, 16) for word in texts[0].split()] == [row[2 if big else 1] for row in SWAPPED]
