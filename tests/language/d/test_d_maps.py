# SPDX-License-Identifier: BSD-2-Clause
"""Aggregations, arrays, self-> and 64-bit numbers of D in the simulator: ARM little-endian, MIPS big-endian."""
import json
import struct
import zlib

import d_cases
import pytest

import cpus
ARGUMENTS = cpus.column("arguments")


@pytest.fixture(scope="module", params=cpus.first_of_each_order())
def firmware(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(f"d_maps_{request.param}")
    d_cases.firmware(folder, request.param)
    return request.param, folder


@pytest.fixture
def ask(firmware, dprobes):
    """Runs a program: hits of take:entry (1) and take:return (2) with n as the second argument."""
    cpu, folder = firmware

    def run(program, *hits, n=40, words=()):
        (folder / "p.d").write_text(program, encoding="utf-8")
        options = [word for hit in hits or ("1:1",) for word in ("--hits", hit)]
        result = dprobes("simulate", "--elf", f"{cpu}.elf", "--reg", f"{ARGUMENTS[cpu][1]}={n}",
                         "--format", "json", *options, *words, "p.d", cwd=folder)
        assert result.status == 0, result.stderr
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        return ([row["text"] for row in rows if row["kind"] == "hit" and "text" in row],
                [row for row in rows if row["kind"] in ("aggregation", "dropped")])

    return run


def values(rows):
    return {row["name"]: row["value"] for row in rows}


def test_values(ask):
    _, rows = ask("take:entry { @c = count(); @s = sum(n); @a = avg(n); @l = min(n); @h = max(n); @d = stddev(n); }", "1:3")
    assert values(rows) == {"c": 3, "s": 120, "a": 40, "l": 40, "h": 40, "d": 0}


def test_negative(ask):
    _, rows = ask("take:entry { x++; @s = sum(-n * x); @a = avg(-n * x); @l = min(-n * x); @h = max(-n * x); @d = stddev(-n * x); }",
                  "1:4")
    assert values(rows) == {"s": -400, "a": -100, "l": -160, "h": -40, "d": 44}


def test_wide(ask):
    """Sums and products beyond 32 bits."""
    _, rows = ask("take:entry { @s = sum(n * 5000000000); @u = sum(0xffffffff); x++; @d = stddev(5000000000 * (x & 1)); }", "1:4")
    assert values(rows) == {"s": 800000000000, "u": 4 * 0xffffffff, "d": 2500000000}


# With memory for stack(); the host counts what has a call stack as a key.
STACKS = ("--option", "stackagg=host", "--reg", "sp=0x40000", "--mem", f"0x40000={bytes(256).hex()}")
FUNCTIONS = ("count()", "sum({})", "avg({})", "min({})", "max({})", "stddev({})")


@pytest.mark.parametrize("value", ["n", "-n * ++x", "(unsigned)-n * ++x", "n * 5000000000 * ++x", "(uint64_t)-n - ++x"])
def test_the_host_counts_as_the_target_does(ask, value):
    """Each function with a call stack as a key has the value that the target counts without."""
    clauses = [f"take:entry {{ @{where}{i}{key} = {function.format(value)}; }}" for i, function in enumerate(FUNCTIONS)
               for where, key in (("target", ""), ("host", "[stack(1)]"))]
    for pair in zip(clauses[::2], clauses[1::2]):
        _, rows = ask("#pragma D option dynvarsize=1\n" + " ".join(pair).replace("++x", "3"), "1:4", words=STACKS)
        of_target, of_host = sorted(rows, key=lambda row: row["name"], reverse=True)
        assert of_target["value"] == of_host["value"] and len(of_host["keys"]) == 1, rows


@pytest.mark.parametrize("value", ["x", "-x", "(1ll << x) - 1", "-(1ll << x)", "(1ull << x) - (x & 1)", "x * 37"])
def test_the_host_finds_the_buckets_of_the_target(ask, value):
    """Of each distribution, for values at the bounds of buckets, and beyond the first and the last one."""
    for function in (f"quantize({value})", f"lquantize({value}, 0, 40, 7)", f"llquantize({value}, 10, 1, 3, 20)"):
        _, rows = ask(f"take:entry {{ @target = {function}; @host[stack(1)] = {function}; x++; }}", "1:66", words=STACKS)
        found = {row["name"]: (row["buckets"], row.get("stats")) for row in rows}
        assert found["host"] == found["target"] and sum(bucket["value"] for bucket in found["host"][0]) == 66, rows


def test_keys_beside_a_call_stack(ask):
    """Numbers of one and two words, with and without a sign, names and strings. Each key has its own row, sorted by the value."""
    keys = 'stack(1), -n, n * 5000000000ll, (unsigned char)n, x & 1, probename, "x"'
    _, rows = ask(f"take:entry {{ x++; @[{keys}] = sum(x); }}", "1:3", words=STACKS)
    assert [(row["keys"][1:], row["value"]) for row in rows] == [(["-40", "200000000000", "40", odd, "entry", "x"], value)
                                                                 for odd, value in (("0", 2), ("1", 4))], rows


def test_a_stack_is_recorded_once(firmware, dprobes):
    """Updates of one clause share it, also with an action that prints it; a predicate of another clause may decide otherwise."""
    cpu, folder = firmware
    for program, times in (("take:entry { @[stack()] = count(); @a[stack(2), n] = sum(n); stack(); }", 2),
                           ("take:entry { stack(); @[stack()] = count(); @a[stack(2), n] = sum(n); }", 1),
                           ("take:entry { @[stack()] = count(); } take:entry /n/ { @a[stack(2), n] = sum(n); }", 2)):
        (folder / "p.d").write_text("#pragma D option stackagg=host\n" + program)
        assert dprobes("build", "--elf", f"{cpu}.elf", "p.d", "-o", "p.ppdf", cwd=folder).status == 0
        assert dprobes("disasm", "p.ppdf", cwd=folder).stdout.count("log mrf") == times, program


@pytest.mark.parametrize("value,low,high", [(0, 0, 1), (1, 1, 2), (40, 32, 64), (0x7fffffff, 1 << 30, 1 << 31)])
def test_quantize(ask, value, low, high):
    _, (row,) = ask("take:entry { @ = quantize(n); }", n=value)
    assert row["buckets"] == [{"low": low, "high": high, "value": 1}]


def test_quantize_of_negative_and_wide(ask):
    _, rows = ask("take:entry { @n = quantize(-n); @w = quantize(n * 1000000000000); @i = quantize(n, n - 100); }")
    assert [(row["buckets"][0]["low"], row["buckets"][0]["value"]) for row in rows] == [(-63, 1), (1 << 45, 1), (32, -60)]
    assert rows[0]["buckets"][0]["high"] == -31


def test_deviation_of_large_numbers(ask):
    """Two numbers near one another, whose squares have more than 64 bits; and thirds are rounded down once."""
    _, rows = ask("take:entry { @a = stddev(1000000000000LL); @a = stddev(1000000000002LL); @b = stddev(1); @b = stddev(2);"
                  " @c = stddev(-0x7ffffffffffff0LL); @c = stddev(-0x7fffffffffffeaLL);"
                  " @d = stddev(1); @d = stddev(1); @d = stddev(7); @d = stddev(7); @d = stddev(4); @d = stddev(4); }", "1:3")
    assert values(rows) == {"a": 1, "b": 0, "c": 3, "d": 2}


UNSIGNED = ("take:entry { @m = max(0xfffffffffffffff0); @m = max(5ull); @n = min(0xfffffffffffffff0); @n = min(0x8000000000000000);"
            " @s = sum(0x9000000000000000); @a = avg(0xfffffffffffffff0); @w = sum(0xc000000000000000); @w = sum(0x4000000000000001ull);"
            " @v = avg(0xc000000000000000); @v = avg(0x4000000000000002ull); @z = stddev(0x1000000000000000ull); @z = stddev(0xe000000000000000);"
            " @p = max((char *)0xfffffff0); @i = max(-1ll); }")


def test_64_bits_have_the_sign_of_their_type(ask):
    """A sum wraps as the type does, also that of a mean."""
    _, rows = ask(UNSIGNED)
    assert values(rows) == {"m": 0xfffffffffffffff0, "n": 1 << 63, "s": 9 << 60, "a": 0xfffffffffffffff0, "w": 1, "v": 1,
                            "z": 0x6800000000000000, "p": 0xfffffff0, "i": -1}


def test_unsigned_buckets(ask):
    _, rows = ask("take:entry { @q = quantize(0x8000000000000000); @p = quantize(0x7fffffffffffffffull); @r = quantize(-1);"
                  " @s = quantize(-0x7fffffffffffffffLL); @l = lquantize(0xfffffffffffffff0, 0, 10); @m = llquantize(0xfffffffffffffff0, 2, 0, 3, 2); }")
    found = {row["name"]: row["buckets"][0] for row in rows}
    assert [found[name]["low"] for name in "qprslm"] == [1 << 63, 1 << 62, -1, 1 - (1 << 63), 10, 16]
    assert found["q"]["high"] == (1 << 64) - 1 and found["p"]["high"] == 1 << 63
    assert "high" not in found["l"] and "high" not in found["m"]


def test_unsigned_values_in_order(firmware, dprobes):
    """Equal keys of the host are one. Divided values stay unsigned, but for a factor below 0."""
    cpu, folder = firmware
    (folder / "u.d").write_text("""take:entry { @k[1] = max(0x8000000000000001); @k[2] = max(3ull); @k[3] = max(0x7fffffffffffffffull);
        @h[func((long)take + 4)] = max(3ull); @h[func((long)take + 8)] = max(0xfffffffffffffff0);
        @l[func((long)take + 4)] = min(0xfffffffffffffff0); @l[func((long)take + 8)] = min(3ull);
        @d[1] = sum(0xf000000000000000); normalize(@d, 4); @e[1] = sum(0xf000000000000000); normalize(@e, -4);
        @q = quantize(0xfffffffffffffff0); }""", encoding="utf-8")
    shown = dprobes("simulate", "--elf", f"{cpu}.elf", "u.d", cwd=folder)
    lines = [line.split() for line in shown.stdout.split("end ", 1)[1].splitlines()[1:]]
    assert [line for line in lines if len(line) == 2] == [
        ["2", "3"], ["3", "9223372036854775807"], ["1", "9223372036854775809"], ["take", "18446744073709551600"], ["take", "3"],
        ["1", "4323455642275676160"], ["1", "-4323455642275676160"]]
    assert [line[0] for line in lines if "|" in line or line[1:2] and line[1].startswith("|")] == ["4611686018427387904", "9223372036854775808"]


def test_text_of_negative_powers(firmware, dprobes):
    """The bound next to 0 names a power; the bucket of JSON has all of its numbers."""
    cpu, folder = firmware
    (folder / "q.d").write_text("take:entry { @ = quantize(-40); @ = quantize(5); }", encoding="utf-8")
    result = dprobes("simulate", "--elf", f"{cpu}.elf", "q.d", cwd=folder)
    labels = [line.split("|")[0].strip() for line in result.stdout.splitlines() if "|" in line]
    assert labels == ["-64", "-32", "-16", "-8", "-4", "-2", "-1", "0", "1", "2", "4", "8"]


def test_addresses_of_one_symbol_are_one_key(ask, firmware):
    """Of one module too; uaddr keeps them apart, and an address of no symbol is its number."""
    _, rows = ask("take:entry { @f[func((long)take + 4)] = count(); @f[func((long)take + 8)] = count(); @f[sym(&sink)] = count();"
                  " @m[mod(take), n] = sum(2); @m[umod((long)tail + 4), n] = sum(3); @u[uaddr(take)] = count();"
                  " @u[uaddr((long)take + 4)] = count(); @x[func(3)] = count(); @x[func(2)] = count(); }", "1:2")
    assert sorted((row["name"], *row["keys"], row["value"]) for row in rows) == [
        ("f", "sink", 2), ("f", "take", 4), ("m", firmware[0], "40", 10), ("u", "take", 2), ("u", "take+0x4", 2),
        ("x", "0x2", 2), ("x", "0x3", 2)]


def test_increments_wrap_at_64_bits(ask):
    """The buckets of one key add up to more than 63 bits."""
    _, (row,) = ask("take:entry { @ = quantize(n, 0x5000000000000000); @ = quantize(1, 0x5000000000000000); }")
    assert row["value"] == 0xa000000000000000 - (1 << 64)


def test_times_have_units(firmware, dprobes):
    """Values made of timestamp by sums and differences, also through variables; others are numbers."""
    cpu, folder = firmware
    program = ("take:entry { self->t = timestamp; @a = sum(timestamp - self->t + 4100); this->d = timestamp - self->t + 20000000;"
               ' @m[1] = max(this->d); @q = quantize(this->d); @n = sum(n); @p = sum(timestamp * 3 + 4100); @s = min(timestamp + 7); }')
    shown = {}
    for option in ("", "#pragma D option units\n"):
        (folder / "u.d").write_text(option + program, encoding="utf-8")
        result = dprobes("simulate", "--elf", f"{cpu}.elf", "--reg", f"{ARGUMENTS[cpu][1]}=40", "u.d", cwd=folder)
        assert result.status == 0, result.stderr
        lines = result.stdout.split("end ", 1)[1].splitlines()[1:]
        shown[option] = [" ".join(line.split("|")[0].split()) for line in lines if line.strip() and "Distribution" not in line]
    assert list(shown.values()) == [["4100", "1 20000000", "8388608", "16777216", "33554432", "40", "4100", "7"],
                                    ["4.10 us", "1 20.00 ms", "n 1 p50 25.17 ms p99 33.39 ms", "8.39 ms", "16.78 ms", "33.55 ms", "40", "4100", "7 ns"]]


def test_names_of_a_moved_image(firmware, dprobes):
    cpu, folder = firmware
    (folder / "m.d").write_text("take:entry { @[func(&sink)] = count(); }", encoding="utf-8")
    built = dprobes("build", "--elf", f"{cpu}.elf", "--moved", "0x100000", "-o", "m.ppdf", "m.d", cwd=folder)
    assert built.status == 0, built.stderr
    result = dprobes("simulate", "--elf", f"{cpu}.elf", "m.ppdf", cwd=folder)
    assert "  sink " in result.stdout


@pytest.mark.parametrize("program,scale,damaged", [
    ("llquantize(n, 10, 0, 3, 10)", "0a00030a", "0a000300"),
    ("llquantize(n, 10, 0, 3, 10)", "0a00030a", "0000030a"),
    ("llquantize(n, 10, 0, 3, 10)", "0a00030a", "0a00200a"),
    ("lquantize(n, 0, 10, 2)", "00020500", "00000500"),
    ("count()", "313400000100000000", "313400000100000500"),  # the number of the map, behind a place in the text
])
def test_a_damaged_scale(firmware, dprobes, program, scale, damaged):
    """An object whose formats are wrong is run without them: the host computes nothing from them."""
    cpu, folder = firmware
    (folder / "s.d").write_text("take:entry { @ = %s; }" % program, encoding="utf-8")
    assert dprobes("build", "--elf", f"{cpu}.elf", "-o", "s.ppdf", "s.d", cwd=folder).status == 0
    whole = (folder / "s.ppdf").read_bytes()
    at = whole.rindex(bytes.fromhex(scale))
    changed = whole[:at] + bytes.fromhex(damaged) + whole[at + len(damaged) // 2:-4]
    host = changed[whole.index(b"DPH1"):]
    (folder / "s.ppdf").write_bytes(changed + struct.pack(">I", zlib.crc32(host)))
    result = dprobes("simulate", "--reg", f"{ARGUMENTS[cpu][1]}=40", "--format", "json", "s.ppdf", cwd=folder)
    assert result.status == 0 and '"hit"' in result.stdout and "aggregation" not in result.stdout


def test_a_variable_with_a_text_is_recorded(ask):
    """The target keeps a number; the record has the text. Before the first assignment it is empty."""
    texts, _ = ask('take:entry { self->t = probefunc; x[n] = probename; trace(last); last = "abc"; trace(last);'
                   ' printf(" %s|%6s|", self->t, x[n]); print(last); }', "1:2")
    assert texts == ["    abc take| entry|abc\n", "  abc  abc take| entry|abc\n"]


def test_csv_has_aggregations_beside(firmware, dprobes):
    """Rows of another table do not stand in the file; they are printed, also with --quiet: nobody can read them later."""
    cpu, folder = firmware
    (folder / "c.d").write_text("take:entry { @ = count(); trace(n); }", encoding="utf-8")
    result = dprobes("simulate", "--elf", f"{cpu}.elf", "--hits", "7", "--format", "csv", "--quiet", "c.d", cwd=folder)
    assert result.stdout.count("\n") == 8 and result.stderr.split() == ["7"]


@pytest.mark.parametrize("program", [
    "take:entry /x == 0/ { this->t = 0x500000007; } take:entry { x++; trace(this->t); trace(x); }",
    "take:entry { if (x == 0) { this->t = 0x500000007; } x++; trace(this->t); trace(x); }",
    "take:entry /x == 0/ { this->u = x; this->t = 0x500000007; } take:entry { x++; trace(this->t); trace(x); trace(this->u); }",
])
def test_a_wide_clause_variable_has_its_own_words(ask, program):
    """No other variable shares a word with it; both words are 0 where nothing was assigned."""
    texts, _ = ask(program, "1:2")
    assert [text.split()[:2] for text in texts] == [[str(0x500000007), "1"], ["0", "2"]]


def test_distributions(ask):
    """Below, inside and above; what lies between has a row."""
    _, (line, power) = ask("take:entry { x += n; @l = lquantize(x, 50, 150, 25); @p = llquantize(x, 10, 1, 2, 10); }", "1:5")
    assert [bucket["value"] for bucket in line["buckets"]] == [1, 0, 1, 1, 0, 2]
    assert line["buckets"][0] == {"high": 50, "value": 1} and line["buckets"][-1] == {"low": 150, "value": 2}
    assert [(b["low"], b["value"]) for b in power["buckets"] if b["value"]] == [(40, 1), (80, 1), (100, 2), (200, 1)]


def test_keys(ask):
    """Sorted by value, then by keys; texts are texts."""
    _, rows = ask('take:entry { m = n; } take:entry, take:return { @[probename, "n", m % 3, -m] = count(); }', "1:3", "2:2", n=40)
    assert [(row["keys"], row["value"]) for row in rows] == [(["return", "n", "1", "-40"], 2), (["entry", "n", "1", "-40"], 3)]


def test_drops(ask):
    _, rows = ask("#pragma D option aggsize=2\ntake:entry { @k[x] = count(); x++; }", "1:5")
    assert [row.get("value") for row in rows] == [1, 1, None] and rows[-1] == {"kind": "dropped", "name": "k", "count": 3}


def test_arrays(ask):
    texts, _ = ask('take:entry { a[n] += 3; }'
                   'take:entry { printf("%d %d", a[n], a[n + 1]); a[n] = a[n] == 6 ? 0 : a[n]; }', "1:3")
    assert texts == ["3 0", "6 0", "3 0"]


def test_increments_of_elements(ask):
    texts, _ = ask('take:entry { a[1, n] = 5; printf("%d %d %d %d", a[1, n]++, ++a[1, n], a[1, n]--, a[1, n] = 2); }')
    assert texts == ["5 7 7 2"]


def test_keys_are_evaluated_once(ask):
    """Keys that change a variable, in each assignment that reads its element too."""
    texts, _ = ask("string t[int]; int64_t w[int, int64_t]; int b[3]; take:entry { a[i++] = 5; a[i++]++; a[i++] += n; self->s[i++, n]--;"
                   ' printf("%d %d %d %d %d|", i, a[0], a[1], a[2], self->s[3, 40]); i = 0;'
                   ' printf("%d %d %d %d|", w[i++, i++] = 7, w[i++, i++]++, ++w[i++, i++], w[i, i++] += 3);'
                   ' printf("%d %d %d %d %d|", i, w[0, 1], w[2, 3], w[4, 5], w[6, 6]); i = 0; b[i++] -= 2; b[i++]--;'
                   ' printf("%s %d %d %d|", t[i++] = probefunc, i, b[0], b[1]); trace(a[a[i = 1]++]++); trace(a[1]); }')
    assert texts == ["4 5 1 40 -1|7 0 1 3|7 7 1 1 3|take 3 -2 -1|  2  3"]


def test_a_step_makes_a_variable_wherever_it_stands(ask):
    """In an expression, a key, a predicate and an argument; the first use is a step, so it is int."""
    texts, rows = ask('take:entry /p++ < 2/ { this->k = q++ % 2; @[this->k] = sum(++r * 10); printf("%d %d %d %d", p, this->k + s++, -(--t), u[n]++ + 7); }',
                      "1:3")
    assert texts == ["1 0 1 7", "2 2 2 8"]
    assert [(row["keys"], row["value"]) for row in rows] == [(["0"], 10), (["1"], 20)]


def test_keys_that_read_the_element(ask):
    """The value of an assignment is that of the element that was stored, whatever its keys are now."""
    texts, _ = ask("int64_t w[int64_t]; string t[string]; int a[int]; take:entry { trace(w[w[0] & 3] = 7); trace(++w[w[1] & 3]);"
                   ' trace(a[a[0]] = 5); printf(" %s", t[t[""]] = stringof("of")); trace(w[0]); trace(t[""]); }')
    assert texts == ["  7  8  5 of  8  of"]


def test_self(ask):
    texts, _ = ask('take:entry { self->n = n; self->m[n] = n + 1; } take:return /self->n/ { printf("%d %d", self->n, self->m[self->n]);'
                   ' self->n = 0; }', "1:1", "2:2")
    assert texts == ["40 41"]


def test_texts(ask):
    _, rows = ask('take:entry { last = probename; } take:return { @[last, other] = count(); other = "seen"; }', "2:1", "1:1", "2:1")
    assert sorted(row["keys"] for row in rows) == [["", ""], ["entry", "seen"]]


def test_latency(ask):
    """In the simulator a hit takes 1000 ns."""
    _, rows = ask("take:entry { self->t = timestamp; } take:return /self->t/ { @q = quantize(timestamp - self->t);"
                  " @s = sum(timestamp - self->t); self->t = 0; }", "1:2", "2:2")
    assert values(rows) == {"q": 1, "s": 1000}
    assert rows[0]["buckets"] == [{"low": 512, "high": 1024, "value": 1}]


def test_differences_of_times_below_0(ask):
    """A time less a later one is below 0, also where another value of the aggregation is above 0."""
    _, rows = ask("take:entry { self->t = timestamp; } take:return /self->t/ { @a = min(self->t - timestamp); @b = max(self->t - timestamp);"
                  " @c = sum(self->t - timestamp); @d = avg(self->t - timestamp); @q = quantize(self->t - timestamp);"
                  " @m = min(timestamp - self->t); @m = min(self->t - timestamp); }", "1:2", "2:2")
    assert values(rows) == {"a": -2000, "b": -1000, "c": -3000, "d": -1500, "q": 2, "m": -2000}
    buckets = next(row["buckets"] for row in rows if row["name"] == "q")
    assert buckets == [{"low": -2047, "high": -1023, "value": 1}, {"low": -1023, "high": -511, "value": 1}]


def test_one_time_in_a_clause(ask):
    """A clause that reads the clock twice reads it once: a board's clock goes on meanwhile (test_d_counting.py)."""
    texts, _ = ask('take:entry { this->t = timestamp; printf("%d %d", this->t == timestamp, this->t + 1 > timestamp + 0); }', "1:2")
    assert texts == ["1 1", "1 1"]


def test_long_operators(ask):
    """Each operator with two words, and what it gives for a narrower operand."""
    texts, _ = ask(r"""take:entry { this->a = n * 10000000000; this->b = this->a / 7; this->c = this->a % 1000000007;
        printf("%d %d %d %d\n", this->a, this->b, this->c, this->a - n - 1);
        printf("%d%d%d%d%d%d%d%d", this->a > this->b, this->a < this->b, this->a >= this->a, this->b <= this->a, this->a == this->a,
               this->a != this->b, n < this->a, !this->a);
        printf(" %d %d", (int)this->a, this->a && n ? 1 : 2); }""")
    a = 400000000000
    low = a & 0xffffffff
    assert texts == [f"{a} {a // 7} {a % 1000000007} {a - 41}\n10111110 {low - (1 << 32) if low >> 31 else low} 1"]


def test_long_bits(ask):
    """Bits, shifts, choices and assignments of two words."""
    texts, _ = ask(r"""int x; take:entry { this->a = n * 10000000001; this->u = 0xf000000000000001; x = 33;
        printf("%d %d %d %d\n", this->a & 0xffffffff, this->a | 1ll << 62, this->a ^ -1ll, ~this->a);
        printf("%d %x %x %d\n", this->a << 3, this->u >> x, this->u << x, -this->a >> x);
        printf("%d %d %d\n", n > 3 ? this->a : n, n << (this->a & 1), -this->a);
        this->a += n; this->a <<= 1; this->a |= 1; this->a++; x += this->a; printf("%d %d %d ", this->a--, --this->a, x);
        self->w = this->a; self->w ^= 5; m[n] = self->w++; m[n] -= 2; printf("%d %d %d", self->w, m[n]--, m[n]); }""")
    a, u = 400000000040, 0xf000000000000001
    b = (((a + 40) << 1) | 1) + 1
    w = (b - 2) ^ 5
    word = (33 + b + (1 << 31)) % (1 << 32) - (1 << 31)
    assert texts == [f"{a & 0xffffffff} {a | 1 << 62} {a ^ -1} {~a}\n{a << 3} {u >> 33:x} {u << 33 & (1 << 64) - 1:x} {-a >> 33}\n"
                     f"{a} 40 {-a}\n{b} {b - 2} {word} {w + 1} {w - 2} {w - 3}"]


def test_long_sign(ask):
    texts, _ = ask('take:entry { this->a = -n * 10000000000; printf("%d %d %d%d %d", this->a / 7, this->a % 7, this->a < 0, this->a > 0,'
                   ' this->a + n); }')
    assert texts == [f"{-(400000000000 // 7)} {-(400000000000 % 7)} 10 {-400000000000 + 40}"]


def test_elements_with_keys_of_64_bits(ask):
    """The first use gives a key its width; another key differs in its high word alone."""
    texts, _ = ask("take:entry { wide = 0x500000001LL * n; x[wide, n] = 7; x[(uint32_t)wide, n] = 8; self->y[wide] += 2;"
                   ' self->y[wide + 0x100000000LL] = 5; printf("%d %d %d %d %d ", x[wide, n], x[wide & 0xffffffff, n],'
                   " self->y[wide], self->y[n], self->y[0x500000001LL * n]); }", "1:2")
    assert texts == ["7 8 2 0 2 ", "7 8 4 0 4 "]


def test_keys_of_64_bits(ask):
    """Equal low words are different keys, with a sign, in order; a narrower key takes the width of the first use."""
    texts, rows = ask("take:entry { i++; this->k = -(long long)i << 33; @a[this->k, i] = sum(i); @a[i, 0] = sum(1); @b[1ull << 63, i] = count(); }"
                      ' take:entry /i == 2/ { printa("%d,%d:%@d ", @a); }', "1:2")
    assert texts[-1] == "-8589934592,1:1 1,0:1 2,0:1 -17179869184,2:2 "
    assert [row["keys"] for row in rows if row["name"] == "b"] == [["9223372036854775808", "1"], ["9223372036854775808", "2"]]


def test_order_of_keys_of_64_bits(ask):
    """Keys with equal values stand in the order of their numbers."""
    _, rows = ask("take:entry { i++; @[(i - 2) * (1ll << 34)] = count(); }", "1:4")
    assert [row["keys"] for row in rows] == [[str(n << 34)] for n in (-1, 0, 1, 2)]


def test_keys_that_differ_in_their_high_words(ask):
    """Declared keys and keys of the first use; of the program and of a task; constants, clocks, and what is below 0."""
    texts, rows = ask("""int d[int64_t, string]; self int e[uint64_t]; take:entry { this->k = n + 0x700000000LL;
        d[this->k, "a"] = 1; d[n, "a"] = 2; d[-1, "a"] = 3; d[0xffffffffLL, "a"] = 4; d[this->k, "b"] = 5;
        self->e[this->k] = 6; self->e[n] = 7; self->e[0x100000028] = 8; f[(int64_t)0] = 9; f[timestamp | 0x900000000LL] = 10; f[timestamp] = 11;
        printf("%d %d %d %d %d|%d %d %d|", d[this->k, "a"], d[40, "a"], d[-1, "a"], d[4294967295, "a"], d[this->k, "b"],
               self->e[this->k], self->e[40], self->e[0x100000028]); printf("%d %d", f[0], f[timestamp | 0x900000000LL]);
        @[(int64_t)1] = count(); @[0x100000001] = count(); @[0xffffffff] = count(); @[-1] = count(); @[n] = count(); }""")
    assert texts == ["1 2 3 4 5|6 7 8|11 10"] or texts == ["1 2 3 4 5|6 7 8|9 10"]
    assert [row["keys"] for row in rows] == [["-1"], ["1"], ["40"], ["4294967295"], ["4294967297"]]


@pytest.mark.parametrize("first,rest,keys", [
    ("(int8_t)1", ["n + 300", "200", "-1", "-n"], [-40, -1, 1, 200, 340]), ("(uint8_t)1", ["n + 300", "-n"], [-40, 1, 340]),
    ("(uint8_t)1", ["70000ll", "2000000000ll", "0xffff"], [1, 65535, 70000, 2000000000]), ("c", ["c + 1000", "n * c"], [5, 200, 1005]),
    ("(char)1", ["5", "(signed char)-3"], [-3, 1, 5]), ("(uint16_t)1", ["n == 40", "n * 2000"], [1, 80000]),
    ("(uint32_t)1", ["-1", "3000000000"], [1, 3000000000, 4294967295]), ("n", ["0x90000000", "-2147483648"], [-2147483648, -1879048192, 40])])
def test_a_wider_key_is_printed_whole(firmware, dprobes, first, rest, keys):
    """A key has the width of its first use on the target, a word; its type there is that of all its uses."""
    cpu, folder = firmware
    uses = [first, *rest]
    (folder / "w.d").write_text("take:entry {" + "".join(f"@[{key}] = count();" for key in uses)
                                + "".join(f"a[{key}] = {i + 1};" for i, key in enumerate(uses)) + "}", encoding="utf-8")
    result = dprobes("simulate", "--elf", f"{cpu}.elf", "--reg", f"{ARGUMENTS[cpu][1]}=40", "--reg",
                     f"{ARGUMENTS[cpu][2]}=5", "w.d", cwd=folder)
    assert result.status == 0, result.stderr
    lines = [line.split() for line in result.stdout.split("end ", 1)[1].splitlines()[1:]]
    assert sorted(int(line[0]) for line in lines if len(line) == 2) == keys, result.stdout
    assert sorted(int(line[0][2:-1]) for line in lines if line and line[0].startswith("a[")) == keys, result.stdout


def test_declared_arrays_are_printed(firmware, dprobes):
    """Their keys have the declared types: C converts a number to a narrow one."""
    cpu, folder = firmware
    (folder / "k.d").write_text("""int8_t a[uint8_t]; int b[string, int64_t]; self int s[int16_t]; string t[3]; enum { UP, DOWN } e[_Bool];
        take:entry { a[n + 300] = -5; b["x", n * 0x100000000] = 6; self->s[-n] = 7; t[2] = "two"; e[n] = DOWN; }""", encoding="utf-8")
    result = dprobes("simulate", "--elf", f"{cpu}.elf", "--reg", f"{ARGUMENTS[cpu][1]}=40", "k.d", cwd=folder)
    assert result.status == 0, result.stderr
    assert [line for line in result.stdout.splitlines() if "] = " in line] == [
        "a[84] = -5", f"b[x, {40 << 32}] = 6", "self->s[0x0, -40] = 7", 't[2] = "two"', "e[true] = DOWN"], result.stdout
