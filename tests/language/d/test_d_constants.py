# SPDX-License-Identifier: BSD-2-Clause
"""Constants that debug information has: of variables without a place, of enumerators, of bounds. Compilers store each in the fewest
bytes, so that the highest bit is no sign."""
import json
import subprocess

import d_cases
import pytest

from harness.paths import program

SOURCE = """
enum state { IDLE, BUSY = 200, LATE = 40000, LAST = 0x80000000u };
enum level { LOW = -1, HIGH = 200, HIGHER = 40000 };
enum far { FAR = 0x8000000000ull };
static const int limit = 200, more = 40000, less = -5, least = -2147483647 - 1;
static const short narrow = 200, narrower = -300;
static const unsigned char octet = 200;
static const signed char letter = -56;
static const unsigned mask = 0xfffffff0u, bit = 0x80000000u;
static const enum state state = BUSY;
static const enum level level = HIGH, low = LOW;
static const long long far = 200, farther = 0x1234567890ll, below = -5;
static const unsigned long long all = ~0ull;
static const struct pair { signed char a; short b; } pair = { -3, -300 };
enum state now = BUSY;
enum far where = FAR;
volatile int sink;
int table[200];
int use(int a)
{
	int local = 200;
	sink = a + limit + more + less + least + narrow + narrower + octet + letter + (int)mask + (int)bit + (int)state + (int)level + (int)low;
	sink = (int)far + (int)farther + (int)below + (int)all + pair.a + pair.b + table[a] + (int)where + (int)now;
	return sink;
}
int main(void) { return use(1); }
"""

# An expression, and its value.
EXPRESSIONS = {
    "limit": 200, "more": 40000, "less": -5, "least": -2147483648, "narrow": 200, "narrower": -300, "octet": 200, "letter": -56,
    "mask": 0xfffffff0, "bit": 1 << 31, "(int)state": 200, "(int)level": 200, "(int)low": -1, "state == BUSY": 1, "level == HIGH": 1,
    "low < 0": 1, "far": 200, "farther": 0x1234567890, "below": -5, "all": (1 << 64) - 1, "below < 0": 1, "all > 5": 1,
    "pair.a": -3, "pair.b": -300, "pair.a < 0": 1, "pair.a == -3": 1,
    "limit > 100": 1, "octet == 200": 1, "local": 200, "local + limit": 400, "-limit": -200, "BUSY": 200, "LATE": 40000, "LAST": 1 << 31, "LOW": -1, "HIGH": 200,
    "HIGHER": 40000, "FAR": 0x8000000000, "BUSY > 100": 1, "sizeof(table)": 800,
}
TEXTS = {"state": "BUSY", "level": "HIGH", "low": "LOW", "(enum state)LATE": "LATE", "(enum level)HIGHER": "HIGHER"}


@pytest.fixture(scope="module", params=sorted(d_cases.COMPILERS))
def firmware(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(f"d_constants_{request.param}")
    gcc, flags = d_cases.COMPILERS[request.param]
    (folder / "f.c").write_text(SOURCE, encoding="utf-8")
    subprocess.run([program(gcc), *d_cases.FLAGS, "-O2", "-o", "f.elf", "f.c", *flags], cwd=folder, check=True)
    return folder


def values(dprobes, folder, expressions):
    (folder / "t.d").write_text("use:entry { %s }\n" % " ".join(f"trace({one});" for one in expressions), encoding="utf-8")
    result = dprobes("simulate", "--elf", "f.elf", "--format", "json", "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    return [one["value"] for one in json.loads(result.stdout.splitlines()[0])["args"]]


def test_constants(dprobes, firmware):
    found = []
    for start in range(0, len(EXPRESSIONS), 10):
        found += values(dprobes, firmware, list(EXPRESSIONS)[start:start + 10])
    assert dict(zip(EXPRESSIONS, found, strict=True)) == EXPRESSIONS


def test_names_of_values(dprobes, firmware):
    (firmware / "t.d").write_text("use:entry { %s }\n" % " ".join(f"trace({one});" for one in TEXTS), encoding="utf-8")
    result = dprobes("simulate", "--elf", "f.elf", "--format", "json", "t.d", cwd=firmware)
    assert json.loads(result.stdout.splitlines()[0])["text"].split() == list(TEXTS.values()), result.stderr
