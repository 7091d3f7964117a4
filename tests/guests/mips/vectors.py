# SPDX-License-Identifier: BSD-2-Clause
"""Writes vectors.inc from tests/port/vectors/mips.txt, for vectors.c.

    vectors.py ORDER OUTPUT         ORDER: little or big
"""
import pathlib
import sys

sys.dont_write_bytecode = sys.pycache_prefix is None
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lib" / "tools"))
import cpus  # noqa: E402
import measure_vectors  # noqa: E402

CPU = pathlib.Path(__file__).resolve().parent.name

NAMES = [f"r{n}" for n in range(32)] + ["hi", "lo", "pc", "sr", "cause", "bad"]


def numbers(values):
    return "{" + ", ".join(f"{value:#x}" for value in values) + "}"


def main(order, output):
    memory = measure_vectors.data_before()
    rows = []
    for vector in measure_vectors.read(CPU):
        if vector["order"] not in ("any", order):
            continue
        before, after = {**vector["before"], "pc": 0}, vector["after"]
        words = (vector["code"] + [0])[:2]
        rows.append("{\"%s\", %s, %d, %s, %s, %#x, %#x, %d, %s}," % (
            vector["name"], numbers(words), len(vector["code"]), numbers(before[name] for name in NAMES),
            numbers(after[name] for name in NAMES), before["fsr"], after["fsr"], "bad" in vector["named"],
            numbers(after.get(f"m{n}", memory[n]) for n in range(len(memory)))))
    text = [f"#define VECTOR_CODE {cpus.of(CPU).measured['code']:#x}u",
            f"#define VECTOR_DATA {cpus.of(CPU).measured['data']:#x}u",
            f"static const uint32_t vector_memory[] = {numbers(memory)};",
            "static const struct vector vectors[] = {", *rows, "};"]
    pathlib.Path(output).write_text("\n".join(text) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
