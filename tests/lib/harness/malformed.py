# SPDX-License-Identifier: BSD-2-Clause
"""Objects byte by byte, from PROTOCOL.md section 2, and the malformed ones among them: the cases of
tests/agent/test_agent_refusals.c that are of an object alone, with the same numbers and names, for any target."""
import collections
import struct
import zlib

import tables

OPS = {row[1]: int(row[0], 16) for row in tables.rows("protocol/rpn_ops.def", "DP_OP")}
SECTIONS = ("MODULES", "TRAITS", "PROBES", "CODE", "STRINGS")
TABLE, ROW = 40, 12
MODULES = TABLE + ROW * len(SECTIONS)
TRAITS = MODULES + 32
PROBES = TRAITS + 24
POINT_BYTES = 24
SAME = None

# cpu, word bytes, order (0 little, 1 big); addresses of two instructions and their instruction set; numbers of a register that
# may not be written, and of none; the limits that the agent announces.
Target = collections.namedtuple("Target", "cpu word order addresses isa readonly no_register limits")
# error: its name, or None where the object is accepted.
Case = collections.namedtuple("Case", "name error data")


class Object:
    """One object: as many points, at the target's addresses, with this code. Fields of the header by their offset."""

    def __init__(self, target, code=None, points=1, name=b"t"):
        self.target, self.points = target, points
        self.code = self.assemble(code) if isinstance(code, str) else code
        if self.code is None:
            self.code = self.assemble("HANDLER 1 EXIT")
        code_at = PROBES + points * POINT_BYTES
        strings_at = code_at + len(self.code) + 3 & ~3
        self.data = bytearray(strings_at + (len(name) + 3 & ~3) + 4)
        self.put(0, b"DPO1" + bytes([2, target.cpu, target.word, target.order]) + len(self.data).to_bytes(4, "big"))
        self.put(18, struct.pack(">HH", 256, 64))  # jmpmax, logmax
        self.put(32, bytes([len(name), len(SECTIONS)]))
        counts = (1, 1, points, len(self.code), len(name))
        for n, (count, at) in enumerate(zip(counts, (MODULES, TRAITS, PROBES, code_at, strings_at))):
            self.put(TABLE + ROW * n, struct.pack(">BxxxII", n + 1, count, at))
        self.put(MODULES + 4, bytes([len(name)]))
        self.put(TRAITS + 2, bytes([target.isa]))
        self.put(TRAITS + 20, struct.pack(">I", 5))  # maxhits
        for n in range(points):
            self.put(self.point(n) + 4, struct.pack(">I", target.addresses[n]))
        self.put(code_at, self.code)
        self.put(strings_at, name)

    def assemble(self, text):
        """Code from words: NAME of an opcode, n a byte, .n a halfword in the target's order."""
        order = "big" if self.target.order else "little"
        return b"".join(bytes([OPS[word]]) if word in OPS else int(word[1:], 0).to_bytes(2, order) if word[0] == "."
                        else bytes([int(word, 0)]) for word in text.split())

    def point(self, number):
        return PROBES + number * POINT_BYTES

    def put(self, at, value):
        """Bytes at an offset; a number is one byte. Returns the object."""
        value = bytes([value]) if isinstance(value, int) else value
        self.data[at:at + len(value)] = value
        return self

    def half(self, at, value):
        return self.put(at, value.to_bytes(2, "big"))

    def long(self, at, value):
        return self.put(at, value.to_bytes(4, "big"))

    def sealed(self):
        """The bytes, with a right CRC."""
        return bytes(self.data[:-4]) + zlib.crc32(self.data[:-4]).to_bytes(4, "big")


def _frame(new):
    """1 to 13: the frame around the code."""
    def byte(name, at, value, error):
        return Case(name, error, new().put(at, value).sealed())

    def section(name, which, count, offset, error):
        one = new()
        at = TABLE + ROW * SECTIONS.index(which)
        for place, value in ((at + 4, count), (at + 8, offset)):
            if value is not SAME:
                one.long(place, value)
        return Case(name, error, one.sealed())

    whole, target = new(), new().target
    yield byte("1 magic", 3, ord("2"), "BAD_MAGIC")
    yield byte("2 version", 4, 1, "BAD_VERSION")
    yield byte("2 later version", 4, 4, "BAD_VERSION")
    yield byte("3 cpu", 5, 1, "BAD_TARGET")
    yield byte("3 word", 6, 12 - target.word, "BAD_TARGET")
    yield byte("3 order", 7, 1 - target.order, "BAD_TARGET")
    yield Case("5 truncated", "TRUNCATED", new().long(8, len(whole.data) + 4).sealed())
    yield from (Case(f"5 of {n} bytes", "TRUNCATED", whole.sealed()[:n]) for n in (1, 14, 53, 103))
    yield Case("6 trailing", "TRAILING", new().long(8, len(whole.data) - 4).sealed())
    yield Case("7 checksum", "BAD_CRC", whole.sealed()[:-1] + bytes([whole.sealed()[-1] ^ 1]))
    yield section("8 count x size", "PROBES", 0x40000001, SAME, "COUNT_OVERFLOW")
    yield section("8 too many", "PROBES", 241, SAME, "COUNT_OVERFLOW")
    yield section("9 far", "CODE", SAME, 0x10000, "BAD_SECTION")
    yield section("9 offset wraps", "CODE", SAME, 0xFFFFFFFC, "BAD_SECTION")
    yield section("9 end outside", "STRINGS", 13, SAME, "BAD_SECTION")
    yield section("9 in the table", "MODULES", SAME, 96, "BAD_SECTION")
    yield section("10 overlap", "PROBES", SAME, MODULES + 28, "SECTION_OVERLAP")
    yield section("11 align", "CODE", SAME, PROBES + POINT_BYTES + 2, "BAD_ALIGN")
    yield byte("12 flags", 28, 0x80, "RESERVED")
    yield byte("12 reserved", 34 + 5, 1, "RESERVED")
    yield byte("12 sections", 33, 6, "RESERVED")
    yield byte("12 section kind", TABLE + 3 * ROW, 9, "RESERVED")
    yield byte("12 section reserved", TABLE + 2, 9, "RESERVED")
    yield byte("12 gap", PROBES + POINT_BYTES + len(whole.code), 1, "RESERVED")
    yield Case("13 no points at all", "EMPTY", new(points=0).sealed())
    yield Case("13 no code", "EMPTY", new(b"").sealed())


def _code(new):
    """14 to 32: the code, and what it needs."""
    target = new().target

    def code(name, text, error):
        return Case(name, error, new(text).sealed())

    def half(name, at, value, error):
        return Case(name, error, new().half(at, value).sealed())

    yield code("14 opcode", "HANDLER 1 0", "BAD_OPCODE")
    yield code("14 escape", "HANDLER 1 EXIT 0xff", "BAD_OPCODE")
    yield Case("15 group", "NOT_ON_PORT", new("HANDLER 2 SEG2LIN EXIT").put(29, 4).sealed())
    yield code("16 operand", "HANDLER 1 JMP 5", "OPERAND_CUT")
    yield code("17 into operand", "HANDLER 2 PUSH_8 5 JMP .3", "JUMP_INTO_OPERAND")
    yield code("18 out", "HANDLER 1 JMP .0x7fff", "JUMP_OUT")
    yield code("18 other routine", "HANDLER 1 JMP .7 PROC 1 RET", "JUMP_OUT")
    yield code("19 jump to the end", "HANDLER 1 JMP .5", "NO_END")
    yield code("19 runs off", "HANDLER 1 NOP", "NO_END")
    yield code("20 falls through", "HANDLER 1 NOP PROC 1 RET", "FALL_INTO_PROC")
    yield code("21 call", "HANDLER 1 CALL .0 BLOCK 1 EXIT", "BAD_CALL")
    yield code("22 recursion", "HANDLER 1 CALL .8 BLOCK 1 EXIT PROC 1 CALL .8 BLOCK 1 RET", None)
    yield code("23 handler", "HANDLER 2 SX .6 EXIT PROC 1 RET", "BAD_HANDLER")
    yield code("24 lv", "HANDLER 2 INC_LV_N 0 EXIT", "LV_RANGE")
    yield code("25 gv", "HANDLER 2 INC_GV_N 0 EXIT", "GV_RANGE")
    yield half("26 gvars", 26, target.limits["gvars"] + 1, "NO_SPACE")
    yield code("27 register", f"HANDLER 2 PUSH_R .{target.no_register:#x} EXIT", "BAD_REG")
    yield Case("28 pc", "REG_READONLY", new(f"HANDLER 2 POP_R .{target.readonly:#x} EXIT").put(28, 1).put(29, 1).sealed())
    yield code("29, 30, 31 run-time errors", "HANDLER 4 PUSH_U .1 PBL_N 0 PBR_N 200 EXIT_N 77", None)
    yield half("32 logmax", 20, target.limits["log_max"] + 1, "LIMIT")
    yield half("32 excpt_log", 22, target.limits["trace_max"] + 1, "LIMIT")
    yield half("32 vars", 24, 257, "LIMIT")


def _points(new):
    """42 and 43 inside one object."""
    def both_at_first(minor):
        one = new(points=2)
        return one.long(one.point(1) + 4, one.target.addresses[0]).half(one.point(1) + 2, minor).sealed()

    yield Case("42 duplicate", "DUPLICATE", both_at_first(0))
    yield Case("43 chained", None, both_at_first(1))
    yield Case("two places", None, new(points=2).sealed())


def cases(target):
    """Every case for a target."""
    def new(*arguments, **options):
        return Object(target, *arguments, **options)

    for some in (_frame, _code, _points):
        yield from some(new)
