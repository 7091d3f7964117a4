# SPDX-License-Identifier: BSD-2-Clause
"""Types that C does not have (Ada, Fortran, Rust, C++), from an assembled fragment: the value that a D program prints, or the
sentence that refuses it. No row gives a wrong value. ARM is little-endian, PowerPC big-endian."""
import json
import subprocess

import d_cases  # noqa: F401 (dprobes)
import pytest

from harness.paths import program

CPUS = {"arm": ("arm-none-eabi-", "mov r0, r0", "little"), "ppc": ("powerpc-linux-gnu-", "nop", "big")}
C_2011, ADA, FORTRAN = 0x1d, 0xd, 0x22
DATA = 0x2000
WORDS = [0x11, 0x22, 0x33, 0x44, DATA, DATA + 8]

# Tags, attributes and encodings: DWARF 5, section 7.
TAGS = {"array": 1, "enumeration": 4, "pointer": 0xf, "string": 0x12, "structure": 0x13, "typedef": 0x16, "inheritance": 0x1c,
        "ptr_to_member": 0x1f, "set": 0x20, "subrange": 0x21, "base": 0x24, "file": 0x29, "packed": 0x2d, "variable": 0x34,
        "variant": 0x19, "variant_part": 0x33, "member": 0xd, "unspecified": 0x3b, "template_alias": 0x43, "coarray": 0x44,
        "dynamic": 0x46, "immutable": 0x4b, "subprogram": 0x2e, "unit": 0x11}
ATTRIBUTES = {"location": 2, "name": 3, "ordering": 9, "byte_size": 0xb, "bit_size": 0xd, "low_pc": 0x11, "high_pc": 0x12,
              "language": 0x13, "lower_bound": 0x22, "bit_stride": 0x2e, "upper_bound": 0x2f, "count": 0x37,
              "data_member_location": 0x38, "encoding": 0x3e, "type": 0x49, "data_location": 0x50, "byte_stride": 0x51,
              "endianity": 0x65, "data_bit_offset": 0x6b, "rank": 0x71, "GNU_bias": 0x2305}
SIGNED, UNSIGNED, FLOAT, COMPLEX, DECIMAL, FIXED = 5, 7, 4, 3, 0xa, 0xd
EXPRESSION = bytes([0x97, 0x23, 1])  # DW_OP_push_object_address, plus 1: known only while the program runs


class Entry:
    """An entry of .debug_info. Values: a number, a text, an expression (bytes), another entry, or an assembler symbol."""

    def __init__(self, tag, *children, **attributes):
        self.tag, self.children, self.attributes = tag, children, attributes


def form_of(value):
    if isinstance(value, Entry):
        return 0x13
    if isinstance(value, bytes):
        return 0x18
    return 0xd if isinstance(value, int) else 6 if value[0] == "=" else 8


class Info:
    """Lines of assembler for a tree of entries: one abbreviation for each entry."""

    def __init__(self):
        self.abbreviations, self.lines, self.labels = [], [], {}

    def label(self, entry):
        return self.labels.setdefault(id(entry), f"entry{len(self.labels)}")

    def value(self, value):
        if isinstance(value, Entry):
            return [f"\t.4byte {self.label(value)} - unit"]
        if isinstance(value, bytes):
            return [f"\t.uleb128 {len(value)}", "\t.byte " + ", ".join(map(str, value))]
        if isinstance(value, int):
            return [f"\t.sleb128 {value}"]
        return [f"\t.4byte {value[1:]}" if value[0] == "=" else f'\t.asciz "{value}"']

    def add(self, entry):
        number = len(self.abbreviations) + 1
        row = [f"\t.uleb128 {number}, {TAGS[entry.tag]}", f"\t.byte {int(bool(entry.children))}"]
        self.lines += [f"{self.label(entry)}:", f"\t.uleb128 {number}"]
        for name, value in entry.attributes.items():
            row.append(f"\t.uleb128 {ATTRIBUTES[name]}, {form_of(value)}")
            self.lines += self.value(value)
        self.abbreviations.append("\n".join([*row, "\t.uleb128 0, 0"]))
        for child in entry.children:
            self.add(child)
        if entry.children:
            self.lines.append("\t.byte 0")


def base(name, encoding=SIGNED, size=4, **more):
    return Entry("base", name=name, encoding=encoding, byte_size=size, **more)


def array(element, *dimensions, **more):
    return Entry("array", *(Entry("subrange", **bounds) for bounds in dimensions), type=element, **more)


def member(name, kind, at, **more):
    return Entry("member", name=name, type=kind, data_member_location=at, **more)


def struct(name, size, *members, **more):
    return Entry("structure", *members, name=name, byte_size=size, **more)


def cases(order):
    """The types, and rows of them: name, type, expression of D with `v`, its value or a part of the sentence."""
    own, other = (2, 1) if order == "little" else (1, 2)
    number, byte = base("int"), base("unsigned char", 8, 1)
    swapped = base("int", endianity=other)
    variants = struct("Shape", 8, member("kind", number, 0), Entry("variant_part", Entry("variant", member("x", number, 4))))
    derived = struct("derived", 8, Entry("inheritance", type=struct("virtual_base", 4, member("in_base", number, 0)),
                                         data_member_location=EXPRESSION), member("own", number, 4))
    floating = struct("floating", 12, member("first", number, 0), member("late", number, EXPRESSION))
    holds = struct("holds", 8, member("fine", number, 0), member("odd", swapped, 4))
    column = array(number, {"upper_bound": 1, "lower_bound": 0}, {"upper_bound": 1, "lower_bound": 0}, ordering=1)
    rows = array(number, {"upper_bound": 2, "lower_bound": 1}, {"upper_bound": 2, "lower_bound": 1}, ordering=0)
    odd = [  # a type that is refused whole, and why
        (swapped, "is stored in the other byte order"), (base("wide", SIGNED, 16), "has more than 64 bits"),
        (base("_BitInt(7)", SIGNED, 1, bit_size=7), "does not fill its bytes"), (base("_Complex int", 0x80, 8), "is a complex number"),
        (base("complex", COMPLEX, 8), "is a complex number"), (base("money", DECIMAL, 4), "is a decimal number"),
        (base("fixed", FIXED, 4), "is a fixed-point number"), (base("none", 0x7e, 4), "has an encoding that is not known"),
        (Entry("string", name="text", byte_size=4), "is a string"), (Entry("set", name="colours", byte_size=4, type=number), "is a set"),
        (Entry("file", name="file", byte_size=4, type=number), "is a file"),
        (Entry("ptr_to_member", name="pm", byte_size=4, type=number), "is a pointer to a member"),
        (Entry("unspecified", name="opaque", byte_size=4), "has no description"),
        (Entry("subrange", name="biased", type=number, byte_size=1, GNU_bias=100), "is stored less a bias"),
        (variants, "has variants"), (floating, "has a member whose place is known only while the program runs"),
        (derived, "has a member whose place is known only while the program runs"),
        (struct("grows", EXPRESSION, member("n", number, 0)), "has a size that is known only while the program runs"),
        (array(byte, {"lower_bound": 1, "upper_bound": 4}, bit_stride=4), "keeps its elements at another distance"),
        (array(byte, {"lower_bound": 1, "upper_bound": 4, "byte_stride": 2}), "keeps its elements at another distance"),
        (array(number, {"lower_bound": EXPRESSION, "upper_bound": 4}), "has a first index that is known only"),
        (array(number, {"upper_bound": 4}, data_location=EXPRESSION), "is found through a descriptor"),
        (array(number, {"upper_bound": 4}, rank=EXPRESSION), "has a number of dimensions"), (column, "keeps its elements by columns"),
        (Entry("array", Entry("enumeration", name="index", byte_size=4), type=number), "has an enumeration as its index"),
        (holds, "int in it is stored in the other byte order"), (array(holds, {"upper_bound": 0}), "int in it is stored in the other"),
    ]
    table = [(f"odd{at}_{what}", kind, text, why) for at, (kind, why) in enumerate(odd)
             for what, text in (("print", "print(v)"), ("trace", "trace(v)"))]
    table += [(f"odd{at}_number", kind, 'printf("%d", v)', why if at < 3 or at == 13 else "prints a number or pointer; this is")
              for at, (kind, why) in enumerate(odd[:14])]
    table += [
        ("index_one", array(number, {"lower_bound": 1, "upper_bound": 4}), 'printf("%d %d", v[1], v[4])', "17 68"),
        ("index_variable", array(number, {"lower_bound": 1, "upper_bound": 4}), 'this->i = 3; printf("%d", v[this->i])', "51"),
        ("index_below", array(number, {"lower_bound": -1, "upper_bound": 1}), 'printf("%d %d", v[-1], v[1])', "17 51"),
        ("index_zero", array(number, {"lower_bound": 1, "upper_bound": 4}), "trace(v[0])", "4 elements from index 1 on"),
        ("index_five", array(number, {"lower_bound": 1, "upper_bound": 4}), "trace(v[5])", "4 elements from index 1 on"),
        ("whole", array(number, {"lower_bound": 1, "upper_bound": 2}), "print(v)", "(int [2]) {17, 34}"),
        ("two", rows, 'printf("%d %d %d", v[1][2], v[2][1], v[2][2])', "34 51 68"),
        ("rows_whole", rows, "print(v)", "(int [2][2]) {{17, 34}, {51, 68}}"),
        ("long_array", array(number, {"upper_bound": EXPRESSION, "lower_bound": 0}), 'printf("%d", v[2])', "51"),
        ("empty", array(number, {"upper_bound": -1}), "trace(v[0])", "0 elements"),
        ("stride_of_size", array(number, {"lower_bound": 0, "upper_bound": 3}, byte_stride=4), 'printf("%d", v[2])', "51"),
        ("own_order", base("int", endianity=own), 'printf("%d", v)', "17"),
        ("one_byte", base("small", 7, 1, endianity=other), 'printf("%d", v)', "17" if order == "little" else "0"),
        ("subtype", Entry("subrange", name="subtype", type=number, lower_bound=0, upper_bound=100), 'printf("%d", v)', "17"),
        ("short_subtype", Entry("subrange", name="short", type=number, byte_size=1), 'printf("%d", v)', "17" if order == "little" else "0"),
        ("packed", Entry("packed", type=number), 'printf("%d", v)', "17"), ("immutable", Entry("immutable", type=number), 'printf("%d", v)', "17"),
        ("template_alias", Entry("template_alias", name="alias", type=number), 'printf("%d", v)', "17"),
        ("address", base("address", 1, 4), 'printf("%d", v)', "17"), ("common", variants, 'printf("%d", v.kind)', "17"),
        ("in_variant", variants, 'printf("%d", v.x)', "has no member 'x'"), ("fine", holds, 'printf("%d", v.fine)', "17"),
        ("odd_member", holds, 'printf("%d", v.odd)', "is stored in the other byte order"),
        ("own_member", derived, 'printf("%d", v.own)', "34"),
        ("of_base", derived, 'printf("%d", v.in_base)', "the place of 'in_base' in struct derived is known only"),
        ("late", floating, 'printf("%d", v.late)', "the place of 'late' in struct floating is known only"),
        ("kept", floating, "this->s = v; print(this->s)", "has a member whose place is known only"),
        ("element", array(swapped, {"lower_bound": 0, "upper_bound": 3}), "trace(v[1])", "is stored in the other byte order"),
        ("raw", floating, "trace(v)", "has a member whose place is known only"),
        ("key", swapped, "@[v] = count()", "is stored in the other byte order"), ("summed", swapped, "@ = sum(v)", "is stored in the other"),
        ("compared", swapped, 'printf("%d", v == 17)', "is stored in the other byte order"),
        ("cast", swapped, 'printf("%d", (unsigned)v)', "is stored in the other byte order"),
        ("behind", Entry("pointer", type=swapped), 'printf("%d", *v)', "is stored in the other byte order"),
        ("bytes", swapped, "tracemem(&v, 4)", None), ("size", swapped, 'printf("%d", sizeof(v))', "4"),
        ("no_size", struct("grows2", EXPRESSION, member("n", number, 0)), 'printf("%d", sizeof(v))', "struct grows2 has no size"),
    ]
    return table


def languages():
    """Arrays whose lower bound the language tells: language, value of v[1]."""
    return [(C_2011, "34"), (ADA, "17"), (FORTRAN, "17")]


def assembled(folder, cpu, language, variables):
    tools, instruction, _ = CPUS[cpu]
    info = Info()
    kinds = {id(kind): kind for _, kind in variables}
    inner = [Entry("variable", name=name, type=kind, location=b"\x03" + (DATA).to_bytes(4, CPUS[cpu][2])) for name, kind in variables]
    function = Entry("subprogram", name="f", low_pc="=f", high_pc="=end - f")
    function.attributes["low_pc"] = "=f"
    seen = dict(kinds)
    for kind in kinds.values():
        parts(kind, seen)
    info.add(Entry("unit", *seen.values(), function, *inner, name="f.c", language=language, low_pc="=f", high_pc="=end - f"))
    lines = ["\t.text", "\t.globl f", "\t.type f, %function", "f:", f"\t{instruction}", f"\t{instruction}", "\t.size f, .-f", "end:",
             "\t.section .debug_abbrev", "abbreviations:", *info.abbreviations, "\t.byte 0", "\t.section .debug_info", "unit:", "\t.4byte over - under",
             "under:", "\t.2byte 5", "\t.byte 1, 4", "\t.4byte abbreviations", *info.lines, "over:"]
    (folder / "f.s").write_text("\n".join(lines) + "\n", encoding="utf-8")
    subprocess.run([program(f"{tools}as"), "-o", "f.o", "f.s"], cwd=folder, check=True)
    subprocess.run([program(f"{tools}ld"), "-Ttext=0x8000", "-e", "f", "-o", "f.elf", "f.o"], cwd=folder, check=True)


def parts(kind, seen):
    """Types that a type names stand at the unit too."""
    for value in [*kind.attributes.values(), *(v for child in kind.children for v in child.attributes.values()),
                  *(v for child in kind.children for inner in child.children for v in inner.attributes.values())]:
        if isinstance(value, Entry) and id(value) not in seen:
            seen[id(value)] = value
            parts(value, seen)


def simulated(dprobes, folder, order, text):
    (folder / "t.d").write_text("f:entry { %s; }\n" % text, encoding="utf-8")
    memory = b"".join(word.to_bytes(4, order) for word in WORDS).hex()
    return dprobes("simulate", "--elf", "f.elf", "--mem", f"{DATA:#x}={memory}", "--format", "json", "t.d", cwd=folder)


@pytest.fixture(scope="module", params=sorted(CPUS))
def fragment(request, tmp_path_factory):
    cpu = request.param
    folder = tmp_path_factory.mktemp(f"d_types_{cpu}")
    assembled(folder, cpu, C_2011, [(f"v_{name}", kind) for name, kind, _, _ in cases(CPUS[cpu][2])])
    return CPUS[cpu][2], folder


def test_values_and_refusals(fragment, dprobes):
    order, folder = fragment
    for name, _, text, expected in cases(order):
        words = replaced(text, "v_" + name)
        result = simulated(dprobes, folder, order, words)
        if result.status == 0:
            shown = json.loads(result.stdout.splitlines()[0]).get("text", "").strip()
            assert expected is None or shown == expected, (name, words, shown)
        else:
            assert result.status == 1 and expected and expected in result.stderr.splitlines()[0], (name, words, result.stderr)
            assert result.stderr.startswith("t.d:1:") and "mistake" not in result.stderr, (name, result.stderr)


def replaced(text, name):
    """The text with the variable's name for each word `v`."""
    words = ""
    for at, character in enumerate(text):
        alone = character == "v" and not (text[at - 1:at].isalnum() or text[at - 1:at] in ("_", "%")) and not text[at + 1:at + 2].isalnum()
        words += name if alone else character
    return words


@pytest.mark.parametrize("language, value", languages())
def test_lower_bound_of_the_language(language, value, dprobes, tmp_path):
    number = base("int")
    assembled(tmp_path, "arm", language, [("v", array(number, {"count": 4}))])
    result = simulated(dprobes, tmp_path, "little", 'printf("%d", v[1])')
    assert result.status == 0, result.stderr
    assert json.loads(result.stdout.splitlines()[0])["text"] == value


def test_columns_of_the_language(dprobes, tmp_path):
    assembled(tmp_path, "arm", FORTRAN, [("v", array(base("int"), {"count": 2}, {"count": 2}))])
    result = simulated(dprobes, tmp_path, "little", 'printf("%d", v[1][2])')
    assert result.status == 1 and "keeps its elements by columns" in result.stderr, result.stderr
