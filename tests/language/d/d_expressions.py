# SPDX-License-Identifier: BSD-2-Clause
"""Random D expressions over 32-bit types, each with its value by C's rules, where D says so too: an operation of two
constants is left out, because D computes those in 64 bits."""
import dataclasses

WIDTHS = {"int": (32, True), "unsigned": (32, False), "char": (8, True), "unsigned char": (8, False), "short": (16, True),
          "unsigned short": (16, False)}


@dataclasses.dataclass
class Expression:
    """A text, its value, its promoted type, and whether the compiler sees a constant."""

    text: str
    value: int
    is_signed: bool
    constant: bool = False


def narrow(value, bits, is_signed):
    value &= (1 << bits) - 1
    return value - (1 << bits) if is_signed and value >> (bits - 1) else value


def interesting(source):
    """A number near an edge, or any."""
    edge = source.choice([0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff])
    return source.choice([edge, edge + source.randrange(-2, 3), source.getrandbits(32), source.getrandbits(8)]) & 0xffffffff


def variables(source):
    """Variables with their first values: int ones and unsigned ones."""
    made = {}
    for name in "abcd":
        is_signed = name in "ab"
        value = narrow(interesting(source), 32, is_signed)
        text = f"(int)0x{value & 0xffffffff:x}" if is_signed else f"(unsigned)0x{value:x}"
        made[name] = Expression(text, value, is_signed)
    return made


def constant(source):
    value = source.choice([source.randrange(0, 40), interesting(source)])
    if value > 0x7fffffff:
        return Expression(f"0x{value:x}", value, False, True)
    return Expression(str(value), value, True, True)


def leaf(source, names):
    name = source.choice(sorted(names))
    return Expression(name, names[name].value, names[name].is_signed)


def unary(source, names, depth):
    inner = expression(source, names, depth - 1)
    operator = source.choice("-~!+")
    if operator == "!":
        return Expression(f"(!{inner.text})", int(not inner.value), True)
    value = {"-": -inner.value, "~": ~inner.value, "+": inner.value}[operator]
    return Expression(f"({operator}{inner.text})", narrow(value, 32, inner.is_signed), inner.is_signed)


def cast(source, names, depth):
    inner = expression(source, names, depth - 1)
    name = source.choice(sorted(WIDTHS))
    bits, is_signed = WIDTHS[name]
    promoted = is_signed or bits < 32
    return Expression(f"(({name}){inner.text})", narrow(inner.value, bits, is_signed), promoted)


def divided(a, b):
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


def shift(source, names, depth):
    left, operator = expression(source, names, depth - 1), source.choice(["<<", ">>"])
    count = source.choice([0, 1, 3, 8, 31, 32, 40])
    if source.random() < 0.5:
        text, by = str(count), count
    else:
        inner = expression(source, names, depth - 1)
        text, by = f"({inner.text} & 31)", inner.value & 31
    if operator == ">>":
        value = left.value >> by  # a signed one keeps its sign
    else:
        value = left.value << by
    return Expression(f"({left.text} {operator} {text})", narrow(value, 32, left.is_signed), left.is_signed)


def binary(source, names, depth):
    left = expression(source, names, depth - 1)
    right = constant(source) if source.random() < 0.4 else expression(source, names, depth - 1)
    if source.random() < 0.15:
        left = constant(source)
        right = expression(source, names, depth - 1)
    operator = source.choice(["+", "-", "*", "/", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "^^"])
    is_signed = left.is_signed and right.is_signed
    a, b = narrow(left.value, 32, is_signed), narrow(right.value, 32, is_signed)
    if operator in ("/", "%") and (b == 0 or (is_signed and b == -1 and a == -(1 << 31))):
        operator = "-"
    text = f"({left.text} {operator} {right.text})"
    truth = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b,
             "&&": bool(left.value and right.value), "||": bool(left.value or right.value),
             "^^": bool(left.value) != bool(right.value)}
    if operator in truth:
        return Expression(text, int(truth[operator]), True)
    if operator in ("/", "%"):
        value = divided(a, b)[operator == "%"]
    else:
        value = {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[operator]
    return Expression(text, narrow(value, 32, is_signed), is_signed)


def choice(source, names, depth):
    condition, yes, no = (expression(source, names, depth - 1) for _ in range(3))
    is_signed = yes.is_signed and no.is_signed
    value = yes.value if condition.value else no.value
    return Expression(f"({condition.text} ? {yes.text} : {no.text})", narrow(value, 32, is_signed), is_signed)


def expression(source, names, depth):
    """An expression that is no constant, with values computed as C does in 32 bits."""
    if depth <= 0 or source.random() < 0.1:
        return leaf(source, names)
    return source.choice([unary, cast, shift, binary, binary, binary, choice])(source, names, depth)
