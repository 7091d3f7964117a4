# SPDX-License-Identifier: BSD-2-Clause
"""What records of D programs look like: records.txt has programs, and behind each its texts and its `args` of JSON, byte for
byte. The firmware never runs: the simulator has its memory.

Run it from the top folder to write records.txt anew; look at the difference before you commit it:
/usr/bin/python3 -B tests/language/d/d_records.py"""
import dataclasses
import json
import pathlib
import struct
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parents[1] / "lib"), str(HERE.parents[1] / "lib/tools")]

import cpus  # noqa: E402
import d_cases  # noqa: E402

RECORDS = HERE / "records.txt"
SCHEMA = ',"schema":1'  # of the first line of an output
THING, POINT, TITLE, STACK = 0x20000, 0x20100, 0x20200, 0x30000


@dataclasses.dataclass
class Case:
    name: str
    program: str
    said: str


def memory(cpu):
    """struct thing of firmware.c, its title with control bytes, and a stack."""
    order = cpus.of(cpu).d_order
    flags = (1 | (-3 & 15) << 1 | 1000 << 5) if order == "<" else (1 << 31 | (-3 & 15) << 27 | 1000 << 16)
    thing = struct.pack(order + "8sIIHbB2iI4II4xqfII4x", b"pipe\0\0\0\0", TITLE, 5, 60000, -7, 1, 11, -22, POINT,
                        1, 2, 3, 0xfffffffe, flags, -5000000000, 2.5, 0x01020304, 0)
    return {THING: thing, POINT: struct.pack(order + "ii", 33, 44), TITLE: b"a \x1b[1m\"t\\tle\" \xc3\xa4 \xff\x85,\n" + bytes(80), STACK: bytes(0x200)}


def simulate(tool, folder, cpu, case, form):
    (folder / "t.d").write_text(case.program, encoding="utf-8")
    registers = [f"{name}={value}" for name, value in zip((*cpus.of(cpu).arguments[:4], "sp"), (THING, 40, ord("c"), 1, STACK))]
    words = [word for text in registers for word in ("--reg", text)]
    words += [word for address, data in memory(cpu).items() for word in ("--mem", f"0x{address:x}={data.hex()}")]
    result = tool("simulate", "--elf", f"{cpu}.elf", *words, "--hits", 1 + case.program.startswith("// two hits"), "--format", form, "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    return result


def said(tool, folder, cpu, case):
    """The text and the args of each hit, and the other readings, as JSON has them."""
    lines = []
    for line in simulate(tool, folder, cpu, case, "json").stdout.splitlines():
        row = json.loads(line)
        line = line.replace(SCHEMA, "")
        if row["kind"] != "hit":
            lines.append("> " + line)
            continue
        lines.append("> " + json.dumps(row.get("text"), ensure_ascii=False))
        if "args" in row:
            lines.append("> " + line[line.index(',"args":') + 8:-1])
    return "".join(line + "\n" for line in lines)


def cases():
    """Every Case of records.txt."""
    found = []
    for block in ("\n" + RECORDS.read_text(encoding="utf-8")).split("\n= ")[1:]:
        first, *lines = block.rstrip("\n").split("\n")
        program = "".join(f"{line}\n" for line in lines if not line.startswith(">"))
        found.append(Case(first, program, "".join(f"{line}\n" for line in lines if line.startswith(">"))))
    return found


def main():
    from harness import tool

    text = RECORDS.read_text(encoding="utf-8").split("\n\n=", 1)[0] + "\n"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for cpu in cpus.first_of_each_order():
            d_cases.firmware(folder, cpu)
        for case in cases():
            cpu, _ = case.name.split()
            text += f"\n= {case.name}\n{case.program}{said(tool.Tool(), folder, cpu, case)}"
    RECORDS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
