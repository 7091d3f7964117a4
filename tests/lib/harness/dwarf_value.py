# SPDX-License-Identifier: BSD-2-Clause
"""Values of variables on a machine of patterns: each register and each word of memory has a value of its own, so that
two descriptions of a location that give the same value are the same location.

ours(...) evaluates what test_debuginfo prints, gdbs(...) what `info scope` of gdb prints."""
import re

MASK = 0xffffffff


class Unknown(Exception):
    """A description that this evaluator does not follow."""


def register(name):
    """The pattern that a register holds."""
    return (0x9e3779b1 * (sum(ord(c) * 31 ** i for i, c in enumerate(name)) + 1)) & MASK


def at_entry(name):
    return register(name + " at entry")


def memory(address, size):
    """The pattern in memory: each byte a function of its address."""
    return sum((((address + i) * 0x45d9f3b >> 7) & 0xff) << 8 * i for i in range(size)) & MASK


def signed(value, bits=32):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def divided(a, b):
    if signed(b) == 0:
        raise Unknown("division by zero")
    quotient = abs(signed(a)) // abs(signed(b))
    return quotient if (signed(a) < 0) == (signed(b) < 0) else -quotient


BINARY = {
    "ADD": lambda a, b: a + b, "SUB": lambda a, b: a - b, "MUL": lambda a, b: a * b, "DIV": divided,
    "MOD": lambda a, b: a % b if b else 0, "AND": lambda a, b: a & b, "OR": lambda a, b: a | b,
    "XOR": lambda a, b: a ^ b, "SHL": lambda a, b: a << b if b < 32 else 0,
    "SHR": lambda a, b: a >> b if b < 32 else 0, "SAR": lambda a, b: signed(a) >> min(b, 31),
    "EQ": lambda a, b: a == b, "NE": lambda a, b: a != b, "LT": lambda a, b: signed(a) < signed(b),
    "LE": lambda a, b: signed(a) <= signed(b), "GT": lambda a, b: signed(a) > signed(b),
    "GE": lambda a, b: signed(a) >= signed(b)}
UNARY = {"NOT": lambda a: ~a, "NEG": lambda a: -a, "ABS": lambda a: abs(signed(a))}


def apply(stack, op):
    """An operation on the stack that has no operand; False: it is another one."""
    if op in BINARY:
        b, a = stack.pop(), stack.pop()
        stack.append(int(BINARY[op](a, b)) & MASK)
    elif op in UNARY:
        stack.append(UNARY[op](stack.pop()) & MASK)
    elif op == "DROP":
        stack.pop()
    elif op == "SWAP":
        stack[-2:] = stack[:-3:-1]
    elif op == "ROT":
        stack[-3:] = [stack[-1], stack[-3], stack[-2]]
    else:
        return False
    return True


# --- ours ---

def steps_value(steps, names):
    """names: of registers by number."""
    stack, at = [], 0
    while at < len(steps):
        op, value = steps[at]
        at += 1
        if op == "CONST":
            stack.append(value & MASK)
        elif op == "REG":
            stack.append(register(names(value)))
        elif op == "ENTRY":
            stack.append(at_entry(names(value)))
        elif op == "LOAD":
            stack.append(memory(stack.pop(), value))
        elif op == "PICK":
            stack.append(stack[-1 - value])
        elif op in ("ZEXT", "SEXT"):
            low = stack.pop() & ((1 << value) - 1)
            stack.append((signed(low, value) if op == "SEXT" else low) & MASK)
        elif op == "BRANCH":
            at = value if stack.pop() else at
        elif op == "SKIP":
            at = value
        elif not apply(stack, op):
            raise Unknown(op)
    return stack[-1]


def ours(field, names):
    """(kind, bits, value) of one piece that test_debuginfo printed; kind: register, memory, value."""
    kind, bits, number, data, steps = field.split(":", 4)
    steps = [(step.split()[0], int(step.split()[1])) for step in steps.split(";") if step]
    bits = int(bits)
    if kind == "register":
        return kind, bits, names(int(number))
    if kind in ("memory", "value"):
        return kind, bits, steps_value(steps, names)
    return kind, bits, data


# --- gdb's ---

GDB = {"plus": "ADD", "minus": "SUB", "mul": "MUL", "div": "DIV", "mod": "MOD", "and": "AND", "or": "OR", "xor": "XOR",
       "shl": "SHL", "shr": "SHR", "shra": "SAR", "eq": "EQ", "ne": "NE", "lt": "LT", "le": "LE", "gt": "GT",
       "ge": "GE", "not": "NOT", "neg": "NEG", "abs": "ABS", "drop": "DROP", "swap": "SWAP", "rot": "ROT"}
OPERATION = re.compile(r"^( *)(\d+): DW_OP_(\w+)(?:<([^>]*)>)?(?: (?:to )?(-?\w+))?(?:.*\[\$(\w+)\])?")


def operations(text):
    """(depth, offset, name, type, operand, register) of each line of an expression."""
    for line in text.splitlines():
        match = OPERATION.match(line)
        if match:
            depth, offset, name, kind, operand, name_of = match.groups()
            yield len(depth) + len(offset), int(offset), name, kind, operand, name_of


def push(stack, name, operand, of, cfa):
    """An operation that takes nothing. False: it is another one."""
    if re.fullmatch(r"lit\d+", name):
        stack.append(int(name[3:]))
    elif re.fullmatch(r"const\w+|addr", name) and operand:
        stack.append(int(operand, 0) & MASK)
    elif re.fullmatch(r"breg\d+|bregx", name):
        stack.append((register(of) + int(operand)) & MASK)
    elif name == "fbreg":
        stack.append((cfa() + int(operand)) & MASK)
    elif name == "call_frame_cfa":
        stack.append(cfa())
    else:
        return False
    return True


def convert(stack, kind):
    types = {"unsigned int": (32, False), "int": (32, True), "unsigned char": (8, False), "signed char": (8, True),
             "short unsigned int": (16, False), "short int": (16, True), "char": (8, False), "0": (32, False),
             "long unsigned int": (32, False), "long int": (32, True)}
    name = kind.rsplit(" [", 1)[0]
    if name not in types:
        raise Unknown(kind)
    bits, is_signed = types[name]
    low = stack.pop() & ((1 << bits) - 1)
    stack.append((signed(low, bits) if is_signed else low) & MASK)


def gdb_operation(stack, name, kind, operand, of, cfa):
    if push(stack, name, operand, of, cfa) or apply(stack, GDB.get(name)):
        return
    if name == "plus_uconst":
        stack.append((stack.pop() + int(operand)) & MASK)
    elif name in ("deref", "deref_size"):
        stack.append(memory(stack.pop(), 4 if name == "deref" else int(operand)))
    elif name in ("dup", "over", "pick"):
        stack.append(stack[{"dup": -1, "over": -2}.get(name) or -1 - int(operand)])
    elif name == "convert":
        convert(stack, kind)
    elif name == "regval_type":
        stack.append(register(of))
        convert(stack, kind)
    else:
        raise Unknown(name)


def gdb_expression(text, cfa, entry):
    """(kind, value) of a complex expression; kind: memory, value."""
    rows = list(operations(text))
    outer = min(row[0] for row in rows)
    stack, at, kind = [], 0, "memory"
    while at < len(rows):
        _, _, name, type_, operand, of = rows[at]
        at += 1
        if name == "entry_value":
            if rows[at][2] == "regval_type" or not rows[at][2].startswith("reg"):
                raise Unknown("entry value of an expression")
            stack.append(entry(rows[at][5]))
            while at < len(rows) and rows[at][0] > outer:
                at += 1
        elif name == "bra" or name == "skip":
            if name == "skip" or stack.pop():
                at = next((i for i, row in enumerate(rows) if row[1] == int(operand)), len(rows))
        elif name == "stack_value":
            kind = "value"
        else:
            gdb_operation(stack, name, type_, operand, of, cfa)
    return kind, stack[-1]


def covering(text, address, begins):
    """The part of a multi-location that holds at the address, or None. Where a function begins, a range without length
    holds: before the first statement."""
    found = None
    for part in re.split(r"(?:Base address \S+ +)?Range ", text)[1:]:
        first, last, rest = re.match(r"0x(\w+)-0x(\w+): (.*)", part, re.S).groups()
        first, last = int(first, 16) & MASK, int(last, 16) & MASK
        if begins and first == last == address:
            return rest
        if first <= address < last and found is None:
            found = rest
    return found


def one_piece(text, cfa, entry):
    found = re.match(r"(?:is )?a variable in \$(\w+)", text)
    if found:
        return "register", found.group(1)
    found = re.match(r"static storage at address (0x\w+)", text)
    if found:
        return "memory", int(found.group(1), 16) & MASK
    found = re.match(r"a variable at (?:frame base reg )?\$(\w+) offset (-?\d+)(?:\+(-?\d+))?$", text)
    if found:
        return "memory", (register(found.group(1)) + int(found.group(2)) + int(found.group(3) or 0)) & MASK
    found = re.match(r"constant (-?\d+)", text)
    if found:
        return "value", int(found.group(1)) & MASK
    if text.startswith("optimized out") or text.startswith("an empty"):
        return "absent", None
    if text.startswith("a complex DWARF expression"):
        return gdb_expression(text, cfa, entry)
    raise Unknown(text)


def gdbs(text, address, cfa, begins=False):
    """[(kind, bits, value)] of what `info scope` says of a variable at an address. cfa(): its value.
    begins: the function begins there, so that values at entry are those of now."""
    text = re.sub(r", length \d+\.$", "", text).rstrip(".")
    if text.startswith("multi-location"):
        text = covering(text, address, begins)
        if text is None:
            return [("absent", 0, None)]
    pieces = []
    for part in re.split(r", and ", text):
        size = re.search(r" \[(\d+)-(byte|bit) piece(?:, offset (\d+) bits)?\]", part)
        if size and int(size.group(3) or 0):
            raise Unknown(part)
        bits = int(size.group(1)) * (8 if size.group(2) == "byte" else 1) if size else 0
        kind, value = one_piece(part, cfa, register if begins else at_entry)
        pieces.append((kind, bits, value))
    return pieces
