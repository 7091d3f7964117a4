# SPDX-License-Identifier: BSD-2-Clause
"""Measures what plain instructions do: gdb-multiarch single-steps them in QEMU, nothing of ours runs.

    measure_vectors.py mips        writes tests/port/vectors/mips.txt anew

The cases are tests/port/vectors/CPU_cases.txt: lines of `name | byte order | code | registers before`, the
code with `;` between instructions. Byte order: any, little, big; both: measured in each. The rest of
the registers, and memory, hold a pattern. What comes out is one block for each case, with only what
has changed; tests/port/test_mips_vectors.py measures them again, tests/port/test_mips_port.py runs them with
probes on.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import cpus

sys.dont_write_bytecode = sys.pycache_prefix is None
TOP = pathlib.Path(__file__).resolve().parents[3]
VECTORS = TOP / "tests" / "port" / "vectors"
TIMEOUT_S = 600

DATA_WORDS = 16
MEMORY_AT = 0x40


def pattern(number):
    """What register or word `number` holds when a case says nothing."""
    return (0x11213141 + number * 0x01030507) & 0xffffffff


def cases(cpu):
    """(name, order, code, {register: value}) of the case file, in both orders where it says so."""
    facts = cpus.of(cpu).measured
    found = []
    for line in (VECTORS / f"{cpu}_cases.txt").read_text(encoding="ascii").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, order, code, registers = (part.strip() for part in line.split("|"))
        values = {}
        for word in registers.split():
            register, value = word.split("=")
            base = {"D": facts["data"], "C": facts["code"]}.get(value[0], 0)
            values[register] = (base + int(value.lstrip("DC") or "0", 0)) & 0xffffffff
        for each in facts["orders"] if order == "both" else [facts["orders"][0] if order == "any" else order]:
            found.append((name if order != "both" else f"{name}_{each}", each if order != "any" else "any",
                          code, values))
    assert len({case[0] for case in found}) == len(found), "two cases of one name"
    return found


def assemble(facts, order, code):
    """The words of some instructions at the code address."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "code.s")
        source.write_text(facts["assembler"] + ".text\n" + code.replace(";", "\n") + "\n", encoding="ascii")
        cross = facts["cross"][order]
        subprocess.run([f"{cross}as", "-o", f"{folder}/code.o", source], check=True)
        subprocess.run([f"{cross}ld", "--no-warn-mismatch", f"-Ttext={facts['code']:#x}", "-e", "0", "-o", f"{folder}/code.elf",
                        f"{folder}/code.o"], check=True, stderr=subprocess.DEVNULL)
        subprocess.run([f"{cross}objcopy", "-O", "binary", "-j", ".text", f"{folder}/code.elf",
                        f"{folder}/code.bin"], check=True)
        image = pathlib.Path(folder, "code.bin").read_bytes()
    count = 1 + code.count(";")
    return [int.from_bytes(image[4 * n:4 * n + 4], order) for n in range(count)]


def before(facts, values):
    """All registers as a case starts with them."""
    start = {name: pattern(n) for n, name in enumerate(facts["registers"])}
    start.update(facts["fixed"])
    start.update(facts["before"])
    start.update(values)
    return start


def data_before():
    """The words of memory before each case."""
    return [pattern(MEMORY_AT + n) for n in range(DATA_WORDS)]


def read(cpu):
    """The vectors of the file: dictionaries with name, source, order, text, code, before, after."""
    facts = cpus.of(cpu).measured
    found = []
    for block in (VECTORS / f"{cpu}.txt").read_text(encoding="ascii").split("\n\n"):
        fields = dict(line.split(" ", 1) if " " in line else (line, "") for line in block.strip().splitlines()
                      if not line.startswith("#"))
        if "vector" not in fields:
            continue
        values = {key: {name: int(value, 16) for name, value in
                        (word.split("=") for word in fields[key].split())} for key in ("before", "after")}
        start = before(facts, values["before"])
        found.append({"name": fields["vector"], "source": fields["source"], "order": fields["order"],
                      "text": fields["text"], "code": [int(word, 16) for word in fields["code"].split()],
                      "before": start, "after": {**start, **values["after"]}, "named": set(values["after"])})
    return found


# Runs inside gdb, which has its own Python.
GDB_SCRIPT = '''
import gdb, json
job = json.load(open("{job}"))
inferior = gdb.selected_inferior()
order = job["order"]
def word(value):
    return value.to_bytes(4, order)
def get(name):
    return int(gdb.parse_and_eval("(unsigned int)$" + name)) & 0xffffffff
results = []
for case in job["cases"]:
    for n, value in enumerate(job["memory"]):
        inferior.write_memory(job["data"] + 4 * n, word(value))
    for n, value in enumerate(case["words"] + [0] * 16):
        inferior.write_memory(job["code"] + 4 * n, word(value))
    for name, value in case["before"].items():
        if name != "r0":
            gdb.execute("set $%s = 0x%x" % (name, value), to_string=True)
    gdb.execute("set $pc = 0x%x" % job["code"], to_string=True)
    inside = [job["code"] + 4 * n for n in range(case["steps"])]
    for _ in range(4):
        # Not stepi, which runs to where gdb thinks the instruction leads: a fault would be lost.
        gdb.execute("maintenance packet s", to_string=True)
        gdb.execute("maintenance flush register-cache", to_string=True)
        if get("pc") not in inside:
            break
    after = {{name: get(name) for name in case["before"]}}
    after["pc"] = get("pc")
    memory = inferior.read_memory(job["data"], 4 * len(job["memory"])).tobytes()
    after["memory"] = [int.from_bytes(memory[4 * n:4 * n + 4], order) for n in range(len(job["memory"]))]
    results.append(after)
json.dump(results, open("{out}", "w"))
'''


def measure(facts, order, group):
    """Run the cases of one byte order; their states after."""
    memory = data_before()
    with tempfile.TemporaryDirectory() as folder:
        job = {"order": order, "data": facts["data"], "code": facts["code"], "memory": memory, "cases": [
            {"words": words, "steps": len(words), "before": start} for words, start in group]}
        pathlib.Path(folder, "job").write_text(json.dumps(job), encoding="ascii")
        script = pathlib.Path(folder, "script.py")
        script.write_text(GDB_SCRIPT.format(job=f"{folder}/job", out=f"{folder}/out"), encoding="ascii")
        machine = subprocess.Popen([facts["qemu"][order], *facts["machine"], "-S", "-display", "none", "-monitor",
                                    "none", "-serial", "null", "-nic", "none", "-vga", "none", "-chardev",
                                    f"socket,id=gdb,path={folder}/gdb,server=on,wait=off", "-gdb", "chardev:gdb",
                                    "-kernel", TOP / facts["elf"][order]], stdin=subprocess.DEVNULL)
        try:
            while not os.path.exists(f"{folder}/gdb") and machine.poll() is None:
                time.sleep(0.05)
            time.sleep(0.5)  # bound, but perhaps not listening yet
            subprocess.run(["gdb-multiarch", "-nx", "-batch", "-ex", f"set architecture {facts['architecture']}",
                            "-ex", f"set endian {order}", "-ex", f"target remote {folder}/gdb",
                            "-ex", f"source {script}"], check=True, timeout=TIMEOUT_S, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL)
        finally:
            machine.kill()
            machine.wait()
        return json.loads(pathlib.Path(folder, "out").read_text(encoding="ascii")), memory


def version(program, expression):
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(expression, text).group(1)


def measured(cpu):
    """The text of tests/port/vectors/CPU.txt, measured now."""
    facts = cpus.of(cpu).measured
    assembled = [(name, order, code, assemble(facts, facts["orders"][0] if order == "any" else order, code),
             before(facts, values)) for name, order, code, values in cases(cpu)]
    qemu = version(facts["qemu"]["little"], r"version (\d+\.\d+)")
    gdb = version("gdb-multiarch", r"gdb.* (\d+\.\d+)")
    source = (f"measured, plain instructions single-stepped: QEMU {qemu} {' '.join(facts['machine'])}, "
              f"gdb-multiarch {gdb}")
    done = {}
    for order in facts["orders"]:
        group = [case for case in assembled if (facts["orders"][0] if case[1] == "any" else case[1]) == order]
        results, memory = measure(facts, order, [case[3:] for case in group])
        for case, after in zip(group, results):
            done[case[0]] = after
            for register, mask in facts["masks"].items():
                after[register] &= mask
            if after["pc"] not in facts["faults"]:
                after.update({register: case[4][register] for register in facts["of_faults"]})
    lines = ["# SPDX-License-Identifier: BSD-2-Clause",
             f"# Written by tests/lib/tools/measure_vectors.py {cpu} from {cpu}_cases.txt: nothing of ours took part.",
             f"# Code at {facts['code']:#x}, data at {facts['data']:#x}. Before, register n holds",
             f"# {pattern(0):#x} + n * 0x1030507 in this order: {' '.join(facts['registers'])};",
             f"# word n of the data {pattern(MEMORY_AT):#x} + n * 0x1030507; what a block names is different. After,",
             "# what it does not name is unchanged.",
             "# Registers that begin otherwise: " + " ".join(
                 f"{key}={value:x}" for key, value in {**facts["fixed"], **facts["before"]}.items())]
    plain = before(facts, {})
    for name, order, code, words, start in assembled:
        after = done[name]
        changed = [f"{key}={after[key]:08x}" for key in start if after[key] != start[key]]
        changed += [f"m{n}={value:08x}" for n, value in enumerate(after["memory"]) if value != memory[n]]
        lines += ["", f"vector {name}", f"source {source}", f"order {order}", f"text {code}",
                  "code " + " ".join(f"{word:08x}" for word in words),
                  "before " + " ".join(f"{key}={value:08x}" for key, value in start.items()
                                       if value != plain[key]),
                  f"after pc={after['pc']:08x} " + " ".join(changed)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def main(cpu):
    text = measured(cpu)
    (VECTORS / f"{cpu}.txt").write_text(text, encoding="ascii")
    print(f"{text.count('vector ')} vectors: tests/port/vectors/{cpu}.txt")


if __name__ == "__main__":
    main(sys.argv[1])
