# SPDX-License-Identifier: BSD-2-Clause
"""Independent vectors of Cortex-M: reads tests/port/vectors/cortexm.txt, which describes its own lines."""
import pathlib
import re

PATH = pathlib.Path(__file__).resolve().parents[2] / "port" / "vectors" / "cortexm.txt"
HOLE = 0xa0000000  # an access fails there
FIRST, WORDS = 0x03020100, 64  # of the data: word n is FIRST + n * 0x01030507
BASE = {"r0": "11223344", "r1": "data", "r2": "data+80", "r3": "8", "r4": "80000001", "r5": "7fffffff", "r6": "0", "r7": "code+41", "r8": "code+81", "r9": "hole",
        "r10": "4", "r11": "fffffffc", "r12": "99aabbcc", "sp": "data+e0", "lr": "code+c1", "primask": "0", "basepri": "0"}
FLAGS = {"N": 31, "Z": 30, "C": 29, "V": 28, "Q": 27}
THUMB = 1 << 24
# Words of struct state in guest.h.
STATE = {**{f"r{n}": n for n in range(13)}, "sp": 13, "lr": 14, "pc": 15, "xpsr": 16, "primask": 18, "basepri": 19, "cfsr": 24}


def read():
    """[(instruction, before, after)]: values are texts of the file, by name."""
    found = []
    for line in PATH.read_text(encoding="ascii").splitlines():
        if line.strip() and not line.startswith("#"):
            text, *states = (part.strip() for part in line.split(";"))
            found.append((text, *(dict(item.split("=") for item in state.split()) for state in states)))
    return found


def number(text, names):
    parts = re.split(r"([+-])", text)
    signs = ["+", *parts[1::2]]
    return sum((1 if sign == "+" else -1) * (names[part] if part in names else int(part, 16)) for sign, part in zip(signs, parts[::2])) & 0xffffffff


def status(flags, it=0):
    """The word xpsr. ITSTATE is in two parts: B1.4.2"""
    return sum(1 << FLAGS[letter] for letter in flags) | THUMB | (it & 3) << 25 | (it >> 2) << 10


def placed(codes, code, data):
    """The vectors for guests.write_vectors, at these places. codes: (encoding, bytes) of each instruction."""
    for (text, before, after), (insn, size) in zip(read(), codes):
        names = {"code": code, "data": data, "hole": HOLE, "next": code + size}
        flags, it = before.get("f", ""), int(before.get("it", "0"), 16)
        words = [{name: number(value, names) for name, value in values.items() if name not in ("f", "it")}
                 for values in ({**BASE, **before}, {"pc": "code" if "cfsr" in after else "next", **after})]
        words[0]["xpsr"], words[1]["xpsr"] = status(flags, it), status(after.get("f", flags))
        yield text, [insn >> 16 | (insn & 0xffff) << 16 if size == 4 else insn | 0xde000000], *words
