# SPDX-License-Identifier: BSD-2-Clause
"""The .def tables for scripts: rows of macros, as the C preprocessor would read them."""
import dataclasses
import functools
import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parents[3]


def rows(path, macro):
    """Arguments of each MACRO(...) at the start of a line, strings without quotes."""
    text = re.sub(r"/\*.*?\*/", " ", (TOP / path).read_text(encoding="utf-8"), flags=re.S)
    return [arguments(body) for body in re.findall(
        rf'^{macro}\(((?:"(?:[^"\\]|\\.)*"|[^")])*)\)', text, re.M)]


def arguments(body):
    parts = re.findall(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*|[^",\s][^",]*', body)
    return ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', part)) if part.startswith('"') else part.strip()
            for part in parts]


@dataclasses.dataclass(frozen=True)
class Op:
    code: int
    name: str
    text: str
    operand: str
    pops: str
    pushes: str
    flow: str
    group: str
    exceptions: tuple
    cost: str
    form: str  # as `covers:` of a conformance file names it
    effect: str  # the stack before -- after
    action: str  # what else happens, or ""


_WRITTEN = {"NONE": "", "LABEL": " L", "PROC": " P", "U16": " n", "IMM8": " n",
            "IMM16": " n", "IMMW": " n", "LV": ", n", "GV": ", n", "S16": ", n", "REG": ", name"}


def _form(name, text, operand, names):
    if operand == "NONE" and f"{name}_N" in names and name != "EXIT":
        return f"{text} (stack)"
    if operand in ("MAP", "U8"):
        return text + (", n" if " " in text else " n")
    return text + _WRITTEN.get(operand, "")


def _effects():
    """NAME -> (effect, action), of the comment behind each row."""
    text = (TOP / "protocol/rpn_ops.def").read_text(encoding="utf-8")
    return {name: (effect.strip(), action.strip()) for name, effect, _, action in re.findall(
        r"^DP_OP\(\w+, (\w+), .*\) /\* ([^;]*?)( ; (.*))? \*/$", text, re.M)}


@functools.cache
def ops():
    found = rows("protocol/rpn_ops.def", "DP_OP")
    names = {row[1] for row in found}
    every = tuple(exceptions())
    effects = _effects()
    result = []
    for code, name, text, operand, pops, pushes, flow, group, raised, cost, _ in found:
        raises = tuple(re.findall(r"RPN_X_(\w+)", raised))
        result.append(Op(int(code, 16), name, text, operand, pops, pushes, flow, group,
                         every if raises == ("ALL",) else raises, cost,
                         _form(name, text, operand, names), *effects[name]))
    return result


@functools.cache
def exceptions():
    """NAME -> (bit, maskable, parm1, parm2)"""
    return {name: (int(bit, 16), maskable == "1", parm1, parm2) for bit, name, maskable, parm1, parm2
            in rows("protocol/exceptions.def", "DP_EXCEPTION")}


@functools.cache
def numbers():
    """NAME -> value, of what agent/dp_sizes.h, agent/dp_config.h and protocol/dp_rpn.h define as a plain number, or for the agent
    full as one."""
    text = "".join((TOP / path).read_text() for path in ("agent/dp_sizes.h", "agent/dp_config.h", "protocol/dp_rpn.h"))
    found = re.findall(r"^#define (\w+) (?:DP_KNOB\(\w+, \w+, )?(\d+|0x[0-9a-f]+)u?\)?$|^\t(\w+) = (\d+|0x[0-9a-f]+),", text, re.M)
    return {a or c: b or d for a, b, c, d in found}


_ACCESS = {"DP_REG_PUSH_R": 1, "DP_REG_PUSH_U": 2, "DP_REG_POP_R": 4, "DP_REG_POP_U": 8,
           "DP_REG_READ": 3, "DP_REG_ALL": 15}


@dataclasses.dataclass
class Register:
    index: int
    name: str
    words: int
    pops: int
    access: int
    aliases: list


def cpus():
    """The CPUs in the order of port/ports.def, by the names of their folders, which --cpu takes."""
    return re.findall(r'^#include "([^"/]+)/cpu\.def"', (TOP / "port/ports.def").read_text(encoding="utf-8"), re.M)


def cpu_rows(macro):
    """(cpu, arguments) of each row MACRO of the CPUs."""
    return [(cpu, row) for cpu in cpus() for row in rows(f"port/{cpu}/cpu.def", macro)]


def cpu_number(cpu):
    """The number of a CPU in objects and in hello: protocol/cpus.def."""
    (name, *_), = [row for of, row in cpu_rows("DP_CPU") if of == cpu]
    return next(int(row[0]) for row in rows("protocol/cpus.def", "DP_CPU") if row[1] == name)


def cpu_orders():
    """{CPU: byte order of its data: little, big or both}"""
    return {cpu: {"EITHER": "both"}.get(row[3], row[3].lower()) for cpu, row in cpu_rows("DP_CPU")}


def registers_file(cpu):
    return f"port/{cpu}/regs.def"


def registers(cpu):
    """Rows of a port's regs.def, with their aliases."""
    path = registers_file(cpu)
    local = dict(re.findall(r"^#define (\w+)\s+(.+)$", (TOP / path).read_text(), re.M))

    def access(words):
        return sum(_ACCESS[word] if word in _ACCESS else access(local[word])
                   for word in re.split(r"\s*\|\s*", words.strip("() ")) if word != "0")

    found = {int(index, 0): Register(int(index, 0), name, int(words), int(pops), access(flags), [])
             for index, _, name, words, pops, flags in rows(path, "DP_REG")}
    for alias, index in rows(path, "DP_REG_ALIAS"):
        found[int(index, 0)].aliases.append(alias)
    return list(found.values())


def on_stack(cpu):
    """(name, distance from sp) of what a port has on the stack where others have a register."""
    return [(name, int(offset)) for name, offset in rows(registers_file(cpu), "DP_REG_ON_STACK")]
