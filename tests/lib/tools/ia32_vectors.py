# SPDX-License-Identifier: BSD-2-Clause
"""Independent vectors of IA32: reads tests/port/vectors/ia32.txt, which describes its own lines, and writes them as C for
tests/port/ia32_vectors.inc.

    ia32_vectors.py PREFIX OUTPUT    PREFIX: of the assembler
"""
import pathlib
import re
import runpy
import sys
from typing import NamedTuple

TESTS = pathlib.Path(__file__).resolve().parents[2]
PATH = TESTS / "port" / "vectors" / "ia32.txt"
CASES = runpy.run_path(str(TESTS / "guests" / "ia32" / "cases.py"))
PLACES = {"code": 0x01000000, "data": 0x01100000, "stack": 0x01200000, "hole": CASES["HOLE"]}
SEGMENTS = {"gs": 16, "fs": 16, "es": 16, "ds": 16}
BASE = {"eax": 0x11223344, "ecx": 3, "edx": 0x55667788, "ebx": PLACES["data"], "esp": PLACES["stack"], "ebp": 0x99aabbcc,
        "esi": PLACES["data"] + 0x40, "edi": PLACES["data"] + 0x80, **SEGMENTS}
FLAGS = {"C": 0, "P": 2, "A": 4, "Z": 6, "S": 7, "I": 9, "D": 10, "O": 11, "L": 12, "N": 14, "K": 18, "J": 21}
WIDE = {"L": 3}  # flags of more than one bit
ALWAYS = 2
RF = 1 << 16
CONDITIONS, TOP = 0x4700, 0x3800  # of the status word of the FP unit
STEP = 1    # vector of what stands around the instruction


class Vector(NamedTuple):
    """Values are texts of the file, by name."""
    text: str
    before: dict
    after: dict
    is_plain: bool  # any ring may execute it with any segments


def read(path=PATH):
    found = []
    for line in path.read_text(encoding="ascii").splitlines():
        if line.strip() and not line.startswith("#"):
            text, *states = (part.strip() for part in line.split(";"))
            before, after = (dict(item.split("=") for item in state.split() if "=" in item) for state in states)
            found.append(Vector(text, before, after, "ring0" not in states[0].split()))
    return found


def number(text, names):
    """The value of an expression, which has no unknown digits: names and hexadecimal numbers."""
    parts = re.split(r"([+-])", text)
    signs = ["+", *parts[1::2]]
    return sum((1 if sign == "+" else -1) * (names[part] if part in names else int(part, 16)) for sign, part in zip(signs, parts[::2]))


def flag_bits(letters):
    return sum(WIDE.get(letter, 1) << FLAGS[letter] for letter in letters)


def effect(where, value, count):
    """Rows of 4 bytes at most."""
    return [f"{{{where} + {at}, {value >> 8 * at & 0xffffffff:#x}, {min(4, count - at)}, 1}}," for at in range(0, count, 4)]


def digits(where, text):
    """Rows of a number of so many bytes, of which any may be unknown."""
    if "?" not in text:
        return effect(where, int(text, 16), len(text) // 2)
    pairs = re.findall("..", text)[::-1]
    return [f"{{{where} + {at}, 0x{pair.replace('?', '0')}, 1, {int('?' not in pair)}}}," for at, pair in enumerate(pairs)]


def member(name, at=0):
    return f"offsetof(struct state, {name}) + {at}"


def effects_of(name, text, names):
    """Rows of a value that is named."""
    if name.startswith("st"):
        return digits(member("x87", 28 + 10 * int(name[2:])), text)
    if name.startswith("xmm"):
        return digits(member("xmm", 16 * int(name[3:])), text)
    where = f"{number(name[1:-1], names):#x}" if name.startswith("[") else member(name)
    if name.startswith("[") and re.fullmatch(r"(?:[0-9a-f?]{2})+", text):
        return digits(where, text)
    return digits(where, 8 * "?") if "?" in text else effect(where, number(text, names) & 0xffffffff, 4)


def unit_of(values, control, depth, status):
    """Rows of the FP unit's control, status and tags: which registers are in use, two bits each."""
    control, depth = int(values.get("fcw", control), 16), int(values.get("depth", depth))
    status = int(values["fsw"], 16) if "fsw" in values else status & ~TOP | (-depth & 7) << 11
    tags = sum(0 if (physical - (status >> 11 & 7)) % 8 < depth else 3 << 2 * physical for physical in range(8))
    return (f"{control:x}", depth, status), [row for n, value in enumerate((control, status, tags)) for row in effect(member("x87", 4 * n), value, 4)]


def as_c(vectors, codes):
    """Lines of C: the effects, which begin with those of every vector, and the vectors."""
    effects = [row for name, value in BASE.items() for row in effect(member(name), value, 4)]
    rows, base = [], len(effects)
    for vector, code in zip(vectors, codes):
        names, first = {**PLACES, "next": PLACES["code"] + len(code)}, len(effects)
        before = {**vector.before}
        before.setdefault("depth", sum(name.startswith("st") for name in before))
        after = {"pc": "next" if "fault" not in vector.after else "code", "error": "0", "cr2": "0", **vector.after}
        after["vector"] = after.pop("fault", f"{STEP:x}")
        unit, unit_rows = unit_of(before, "37f", 0, 0)
        _, end_rows = unit_of(after, *unit)
        flags = before.pop("f", "")
        flags_after, _, unknown = after.pop("f", flags).partition("?")
        middle = None
        for values, letters, extra in ((before, flags, unit_rows), (after, flags_after, end_rows)):
            effects += effect(member("eflags"), flag_bits(letters) | ALWAYS, 4) + extra
            for name, text in values.items():
                if name not in ("fcw", "fsw", "depth"):
                    effects += effects_of(name, text, names)
            middle = middle or len(effects)
        stacked = {name for name in after if name.startswith("st")} | ({name for name in before if name.startswith("st")} if "depth" not in after else set())
        known = 0xffff if "fsw" in after else 0xffff & ~CONDITIONS
        octets = ", ".join(f"{byte:#x}" for byte in code)
        rows.append(f'{{"{vector.text}", {{{octets}}}, {len(code)}, {first}, {middle}, {len(effects)}, {~(flag_bits(unknown) | RF) & 0xffffffff:#x}, '
                    f"{known:#x}, {sum(1 << int(name[2:]) for name in stacked):#x}, {int(vector.is_plain)}}},")
    places = [f"enum {{ VECTOR_AT = {PLACES['code']:#x}, DATA_AT = {PLACES['data']:#x}, STACK_AT = {PLACES['stack']:#x}, EVERY_VECTOR = {base} }};"]
    return [*places, "static const struct effect effects[] = {", *effects, "};", "static const struct vector vectors[] = {", *rows, "};"]


def write(prefix, output):
    vectors = read()
    codes = CASES["assemble"](prefix, [vector.text for vector in vectors], PLACES)
    pathlib.Path(output).write_text("\n".join(as_c(vectors, codes)) + "\n", encoding="ascii")


if __name__ == "__main__":
    write(*sys.argv[1:])
