# SPDX-License-Identifier: BSD-2-Clause
"""Programs that are run by every agent that has the part they need, with what they do: test_features.py. Each is expected
to do what RPN.md says of its instructions."""
import collections

TEXT, RAM, MODULE, TRAP = 0x08000000, 0x20000000, 0x09000000, 0xDEADD0D0
TEXT_BYTES = 0x1000
HOT, OTHER, THIRD = TEXT + 0x140, TEXT + 0x200, TEXT + 0x240
# Instructions by what the port does with them: port/sim/sim.h; where: tests/lib/target/firmware_session.c.
STEPPED, SLOT_FAULT, FAULT, AWAY, REFUSED, BRANCH, NEVER, MEMORY = (TEXT + 0x300 + 16 * n for n in range(8))
INSNS = {STEPPED: 0xF1, SLOT_FAULT: 0xF2, FAULT: 0xF3, AWAY: 0xF4, REFUSED: 0xF5, BRANCH: 0xF8, NEVER: 0xF9, MEMORY: 0xFA}
FAULTS = {SLOT_FAULT, FAULT}
ARMED, DISABLED, REMOVED, OVERRUN, CHANGED, DAMAGED, UNSELECTED, TOO_OFTEN = 0, 2, 3, 4, 5, 6, 7, 9


def word_at(address):
    """Of the text before any probe."""
    return INSNS[address] << 24 if address in INSNS else 0x10000000 + address - TEXT


def words(*values):
    return b"".join((value & 0xFFFFFFFF).to_bytes(4, "little") for value in values)


def point(code, place=HOT, header="", opcode=None):
    return f"offset = {place:#x}\nopcode = {word_at(place) if opcode is None else opcode:#x}\n{header}{code}\n"


def source(points, name="t", header=""):
    return f"name = {name}\nlogmax = 512\nexcpt_log = 128\nvars = 2\n{header}{points}"


COUNTS = "inc lv, 0\npush lv, 0\nlog 1\nexit"

# What a program does when its instruction is run `runs` times: what records say (flags, codes, body, kind), and its
# probe then. part: refused (LEFT_OUT) by an agent without it.
Use = collections.namedtuple("Use", "part text records runs place hits state faulted ignored overruns items notice")


def use(code, *records, part=None, runs=2, place=HOT, hits=None, state=ARMED, faulted=0, ignored=0, overruns=0, items=0, notice=None,
        header="", **words_of_header):
    of_file = "".join(f"{name} = {words_of_header.pop(name)}\n" for name in ("gvars", "jmpmax", "major") if name in words_of_header)
    of_point = header + "".join(f"{name} = {value}\n" for name, value in words_of_header.items())
    text = source(point(code, place, of_point), header=of_file)
    return Use(part, text, [record if isinstance(record, tuple) else (0, None, record) for record in records],
               runs, place, runs if hits is None else hits, state, faulted, ignored, overruns, items, notice)


ONE = "push 7\nlog 1\nexit"
SEVEN = words(7)
TRACE = (b"\1\1\0t" + (HOT).to_bytes(8, "little") + bytes(8) + b"\2\1\0" + words(0, -1, 0, 0) + b"\3\0\0")
USES = {
    # of every agent
    "local variable": use(COUNTS, words(1), words(2), words(3), runs=3),
    "exception": use("push 1\nlog 1\npush 0x40000000\npush mem, u32\npush 2\nlog 1\nexit", *[(1, None, words(1))] * 2),
    "good addresses": use(f"push {RAM + 5}\npush mem, u8\npush {RAM}\npush mem, u32\nlog 2\nexit", *[words(0x03020100, 5)] * 2),
    "abort": use("push 1\nlog 1\nabort"),
    "maxhits": use(ONE, SEVEN, SEVEN, runs=4, hits=2, state=DISABLED, maxhits=2),
    "remove": use("push 7\nlog 1\nremove", SEVEN, runs=3, hits=1, state=REMOVED),
    "ignore": use(ONE, SEVEN, runs=3, hits=1, ignored=2, ignore=2),
    "jmpmax": use("push 7\nlog 1\nagain: jmp again", *[(1, None, SEVEN)] * 2),
    "budget": use("push 7\nlog 1\nagain: jmp again", *[(2, None, SEVEN)] * 8, runs=10, hits=8, state=OVERRUN, overruns=8, notice=2, jmpmax=65535),
    "long record": use("push 3\ndup 99\nlog 100\nexit", *[words(*[3] * 100)] * 2),
    "empty record": use("exit", b"", b""),
    "two traps": use(ONE, SEVEN, SEVEN, place=STEPPED),
    "one trap": use(ONE, SEVEN, SEVEN, place=AWAY),
    "delay slot": use(ONE, SEVEN, SEVEN, place=BRANCH),
    "condition is false": use(ONE, place=NEVER, hits=0),
    "fault": use(ONE, place=FAULT, faulted=2),
    "fault in a slot": use(ONE, place=SLOT_FAULT, faulted=2),
    "log on fault": use(ONE, *[(8, None, SEVEN)] * 2, place=FAULT, faulted=2, logonfault="yes"),
    "log on fault in a slot": use(ONE, *[(8, None, SEVEN)] * 2, place=SLOT_FAULT, faulted=2, logonfault="yes"),
    "what faults has not done a hit": use(ONE, place=FAULT, hits=4, runs=4, faulted=4, maxhits=2),
    "registers": use("push r, pc\npush u, pc\nlog 2\nexit", *[words(HOT, HOT)] * 2),
    # of one part
    "trace": use("log st\nexit", *[b"", (0, None, TRACE, 1)] * 2, part="TRACES"),
    "handler": use("sx bad\npush 0x40000000\npush mem, u8\nexit\nbad: log 3\nexit", *[words(1, 0x40000000, 0)] * 2, part="HANDLERS"),
    "last exception": use("push x\nlog 3\nexit", *[words(0, 0, 0)] * 2, part="HANDLERS"),
    "procedure": use("push 20\ncall twice\nlog 1\nexit\nproc twice\ndup 1\nadd\nret\nendproc", *[words(40)] * 2, part="CALLS"),
    "below the top": use("push 5\npush 6\npush tsp, 1\nlog 1\nexit", *[words(5)] * 2, part="CALLS"),
    "index": use("push 1\npush 7\npop lv\npush lv, 1\nlog 1\npush 0\npush 2\nlog lv\nexit", *[SEVEN + b"\5\2\0" + words(0, 7)] * 2, part="INDEXED"),
    "memory": use(f"push 4\npush {RAM + 5}\nlog mrf\nexit", *[b"\0\4\0\5\6\7\x08"] * 2, part="BYTES"),
    "string": use(f"push 256\npush {RAM + 0xfd}\nlog str\nexit", *[b"\1\3\0\xfd\xfe\xff"] * 2, part="BYTES"),
    "division": use("push 7\npush 2\ndiv\nlog 2\npush -7\npush 2\nidiv\nlog 2\nexit", *[words(3, 1, -3, -1)] * 2, part="BITS"),
    "division by zero": use("push 7\nlog 1\npush 1\npush 0\ndiv\nexit", *[(1, None, SEVEN)] * 2, part="BITS"),
    "rotation": use("push 1\nrol 4\nlog 1\npush 1\nror 4\nlog 1\nexit", *[words(16, 0x10000000)] * 2, part="BITS"),
    "global variable": use("inc gv, 1\npush gv, 1\npush gv, 0\nlog 2\nexit", words(0, 1), words(0, 2), part="GLOBALS", gvars=2),
    "codes": use("push 1\nlog 1\nsetmin 9\npush lp\nlog 1\nexit", *[(4, (6, 9), words(1, 4))] * 2, part="STATE", major=6, minor=4),
    "major code": use("push 0x10007\nsetmaj\nexit", *[(4, (7, 4), b"")] * 2, part="STATE", major=6, minor=4),
    "readable": use(f"push {RAM}\nvfyr\npush 0x40000000\nvfyr\nlog 2\nexit", *[words(1, 0)] * 2, part="STATE"),
    "after": use("push r, pc\nlog 1\nexit", *[words(HOT + 4)] * 2, phase="after"),
    "after in a slot": use("push r, pc\nlog 1\nexit", *[words(STEPPED + 4)] * 2, place=STEPPED, phase="after"),
    "after one trap": use("push r, pc\nlog 1\nexit", *[words(AWAY + 4)] * 2, place=AWAY, phase="after"),
    "fault phase": use(ONE, *[SEVEN] * 2, place=FAULT, phase="fault", faulted=0),
    "fault phase in a slot": use(ONE, *[SEVEN] * 2, place=SLOT_FAULT, phase="fault", faulted=0),
    # CPU, name, pid, pc, sp: items.def
    "items": use(ONE, *[bytes(13) + words(HOT, 0) + SEVEN] * 2, part="ITEMS", items=0x1F),
}
