# SPDX-License-Identifier: BSD-2-Clause
"""The compiler: every instruction in every form has its bytes, the disassembler gives source that
compiles to the same object, messages name the place in the file that was written by hand."""
import re
import struct

import pytest

import tables
from harness import ppdf
from harness.paths import TOP

HEADER = 'name = "t"\nvars = 256\ngvars = 256\nmap = array 1 1 1\nmap = powers\noffset = 0x1000\nopcode = 0xe1a00000\n'
OP = {op.name: op.code for op in ppdf.ops()}
FORMS = [(word, endian) for word in (32, 64) for endian in ("little", "big")]

# What to write after the mnemonic, and its bytes as (struct letter, value).
OPERANDS = {
    "NONE": [("", "", None)],
    "U8": [("3", "B", 3), ("255", "B", 255)],
    "U16": [("7", "H", 7), ("0xfffe", "H", 0xfffe)],
    "S16": [("-32768", "h", -32768), ("32767", "h", 32767), ("0", "h", 0)],
    "LV": [("0", "B", 0), ("255", "B", 255)],
    "GV": [("0", "B", 0), ("254", "B", 254)],
    "IMM8": [("-128", "b", -128), ("127", "b", 127)],
    "IMM16": [("128", "h", 128), ("-32768", "h", -32768), ("0x7fff", "h", 0x7fff)],
}


def build(dprobes, folder, source, *args, name="t.dp"):
    (folder / name).write_text(source, encoding="utf-8")
    result = dprobes("build", *args, "--write", "-o", "t.ppdf", name, cwd=folder)
    assert result.status == 0, f"{source}\n{result.stderr}"
    return ppdf.Ppdf((folder / "t.ppdf").read_bytes())


def reject(dprobes, folder, source, *args):
    """The errors, warnings and notes of a program that must not compile."""
    (folder / "t.dp").write_text(source, encoding="utf-8")
    (folder / "t.ppdf").unlink(missing_ok=True)
    result = dprobes("build", *args, "-o", "t.ppdf", "t.dp", cwd=folder)
    assert result.status == 1
    assert not (folder / "t.ppdf").exists()
    return result.stderr


def disassemble(dprobes, folder):
    result = dprobes("disasm", "t.ppdf", cwd=folder)
    assert result.status == 0, result.stderr
    return result.stdout


def forms(op, word):
    """(source of the operand, its bytes in order `big`) for one row."""
    cases = OPERANDS.get(op.operand)
    if op.name == "RETURN":
        cases = [("0", "B", 0), ("1", "B", 1)]
    if op.operand == "MAP":
        cases = [("1", "B", 1) if op.name == "BUCKET" else ("2", "B", 2) if op.part == "SPECULATE" else ("0", "B", 0)]
    if op.operand == "IMMW":
        top = 1 << (word - 1)
        cases = [("0x8000", "I" if word == 32 else "Q", 0x8000),
                 (hex(top), "I" if word == 32 else "Q", top)]
    return cases or []


def expected(value, letter, endian):
    return struct.pack((">" if endian == "big" else "<") + letter, value) if letter else b""


def cpu_of(word, endian):
    """Only ia32 has ports and segments."""
    return "ia32" if (word, endian) == (32, "little") else "sim"


def instructions(word, endian):
    """Every row and form that stands alone, at any probe: (source line, opcode, letter, value)."""
    for op in ppdf.ops():
        if not op.text or op.part == "WATCHED" or op.operand in ("LABEL", "PROC", "REG") or \
                (op.group in ("IO", "SEG") and cpu_of(word, endian) != "ia32"):
            continue
        for text, letter, value in forms(op, word):
            joint = "" if not text else ", " if " " in op.text else " "
            yield f"{op.text}{joint}{text}", op.code, letter, value


@pytest.mark.parametrize("word,endian", FORMS)
def test_every_instruction_has_its_bytes(dprobes, tmp_path, word, endian):
    """Each on its own in one program: BLOCK markers stand between, so they are told apart."""
    lines, bytes_ = [], b""
    for number, (line, code, letter, value) in enumerate(instructions(word, endian)):
        lines.append(f"l{number}: {line}")
        bytes_ += b"\x03\x01" + bytes([code]) + expected(value, letter, endian)
    # No jump names the first line's label, so the handler's own marker serves it.
    bytes_ = b"\x01\x01" + bytes_[2:]
    lines.append("last: exit")
    bytes_ += b"\x03\x01\x0d"
    header = HEADER.replace("powers\n", "powers\nmap = speculation 64 1 0\n")
    made = build(dprobes, tmp_path, header + "function = 4\n" + "\n".join(lines) + "\n", "--cpu",
                 cpu_of(word, endian), "--word", str(word), "--endian", endian)
    assert made.code == bytes_
    assert made.word * 8 == word and made.order == (endian == "big")


@pytest.mark.parametrize("word,endian", FORMS)
def test_instructions_of_a_watchpoint_have_their_bytes(dprobes, tmp_path, word, endian):
    watched = [op for op in ppdf.ops() if op.part == "WATCHED"]
    source = 'name = "t"\naddress = 0x2000 : 0x2003\nwatchpoint = w\n' + "".join(f"{op.text}\n" for op in watched) + "exit\n"
    made = build(dprobes, tmp_path, source, "--cpu", "sim", "--word", str(word), "--endian", endian)
    assert made.code == bytes([1, len(watched) + 1, *(op.code for op in watched), 0x0D]) and len(watched) == 3


@pytest.mark.parametrize("word,endian", FORMS)
def test_jumps_calls_and_registers(dprobes, tmp_path, word, endian):
    jumps = [op for op in ppdf.ops() if op.operand == "LABEL"]
    source = HEADER + "here: nop\n" + "".join(f"{op.text} here\n" for op in jumps)
    source += "call p\npush r, 0\npush u, 0\npop r, 1\npop u, 1\nexit\nproc P\nret\nendproc\n"
    made = build(dprobes, tmp_path, source, "--cpu", "sim", "--word", str(word), "--endian", endian)
    u16 = lambda value: struct.pack(">H" if endian == "big" else "<H", value)
    code, run = b"\x01\x01\x26", []
    for op in jumps:
        run.append(bytes([op.code]) + u16(3))
        if op.flow != "NEXT":
            code += bytes([3, len(run) + (len(code) == 3)]) + (b"\x26" if len(code) == 3 else b"")
            code += b"".join(run)
            run = []
    tail = b"".join(run)
    call_at = len(code)
    regs = b"\x24" + u16(0) + b"\x25" + u16(0) + b"\x76" + u16(1) + b"\x77" + u16(1) + b"\x0d"
    proc = call_at + 2 + len(tail) + 3 + 2 + len(regs)
    code += bytes([3, len(run) + 1]) + tail + b"\x6a" + u16(proc) + b"\x03\x05" + regs
    code += b"\x02\x01\x69"
    assert made.code == code


@pytest.mark.parametrize("word,endian", FORMS)
def test_disassembly_compiles_to_the_same_object(dprobes, tmp_path, word, endian):
    lines = [row[0] for row in instructions(word, endian)]
    labelled = "".join(f"l{i}: {line}\n" for i, line in enumerate(lines))
    jumps = "".join(f"{op.text} l{i}\n" for i, op in enumerate(
        op for op in ppdf.ops() if op.operand == "LABEL"))
    source = (f'name = "a b"\nid = 0xfffffffe\nmajor = 7\nvars = 256\ngvars = 256\nlogmax = 100\n'
              f'jmpmax = 9\nexcpt_log = 0\nmap = array 1 1 1\nmap = powers\nmap = speculation 1024 16 1\nmap = linear -5 2 9 signed\n'
              f'map = magnitudes 10 1 3 5 wide\nmap = max 0 1\nmap = view 1 0 0 1\nautostacktrace = yes\ngroupdef = g1 g2\ntypedef = t1\n'
              f'offset = 0x1000\nopcode = 0xe1a00000\nfunction = 8\nminor = 3\nignore = 4\nmaxhits = 5\n'
              f'group = G2\ntype = t1\ntaken = yes\nlogonfault = yes\nexcpt_mask = 0x1fff\n{jumps}{labelled}\n'
              f'proc first\ncall second\nendproc\n'
              f'address = 0x2000 : 0x2003\nwatchpoint = rw\nphase = after\ncall first\n'
              f'push wpaddr\npush wpold\npush wpnew\n'
              f'push r, pc\npush u, 1\npop r, 2\nlog 2\n' + "nop\n" * 300 +
              f'proc second\nendproc\naddress = 0x2000\nopcode = 0x55\nphase = fault\n')
    args = ["--cpu", cpu_of(word, endian), "--word", str(word), "--endian", endian]
    made = build(dprobes, tmp_path, source, *args)
    text = disassemble(dprobes, tmp_path)
    again = build(dprobes, tmp_path, text, *args)
    assert again.data[:again.travelling] == made.data[:made.travelling], text
    assert disassemble(dprobes, tmp_path) == text


@pytest.mark.parametrize("cpu,digits,width", [
    ("ia32", "0x55", 1), ("s390", "0x90af", 2), ("s390", "0x55", 2), ("arm", "0xe1a00000", 4),
    ("mips", "0x00000000", 4), ("ppc", "0x60000000", 4)])
def test_width_of_an_opcode(dprobes, tmp_path, cpu, digits, width):
    """decisions.txt C123: a byte on IA32, two on S/390, a word of the instruction set elsewhere."""
    made = build(dprobes, tmp_path, f'name = "t"\noffset = 0x1000\nopcode = {digits}\nexit\n',
                 "--cpu", cpu)
    point = next(made.points)
    assert (point.insn_bytes, point.opcode) == (width, int(digits, 0))


def test_travelling_part(dprobes, tmp_path):
    """Each field where dp_object.h says."""
    made = build(dprobes, tmp_path, 'name = "fw"\nid = 0x01020304\nmajor = 0x0506\nvars = 3\n'
                 'gvars = 4\nlogmax = 5\nexcpt_log = 6\njmpmax = 7\noffset = 0x1000\n'
                 'opcode = 0x12345678\nminor = 8\npush 1\nlog 1\n', "--cpu", "arm")
    assert (made.version, made.cpu, made.word, made.order) == (2, 2, 4, 0)
    assert (made.id, made.major, made.vars, made.gvars) == (0x01020304, 0x0506, 3, 4)
    assert (made.logmax, made.excpt_log, made.jmpmax) == (5, 6, 7)
    assert made.name == b"fw" and made.flags == 0 and made.groups == 0
    point, = made.points
    assert point == (0, 0, 0, 2, 0, 0, 0x0fff, 0, 0, 0, 0x7fffffff, 4, 8, 0x1000, 0, 0, 0x12345678, 0)
    assert made.code == bytes([1, 3, 0x21, 1, 0x12, 1, 0, 0x0d])
    assert made.line_of(4) == ("t.dp", 13)


def test_a_run_longer_than_a_block(dprobes, tmp_path):
    made = build(dprobes, tmp_path, HEADER + "nop\n" * 600)
    assert made.code == (b"\x01\xff" + b"\x26" * 255 + b"\x03\xff" + b"\x26" * 255 +
                         b"\x03\x5b" + b"\x26" * 90 + b"\x0d")


@pytest.mark.parametrize("program,what", [
    ("add\n", b"\x27\x0d"),
    ("jmp a\na: nop\n", b"\x04\x05\x00\x03\x02\x26\x0d"),
    ("abort\n", b"\x0c"),
    ("exit\n", b"\x0d"),
    ("remove\n", b"\x0e"),
    ("", b"\x0d"),
])
def test_implicit_exit(dprobes, tmp_path, program, what):
    """decisions.txt C21: only where the end can be reached."""
    assert build(dprobes, tmp_path, HEADER + program).code[2:] == what


# --- the preprocessor ---

def test_line_and_column_behind_macros(dprobes, tmp_path):
    """The caret stands under the macro; the line behind it is shown."""
    said = reject(dprobes, tmp_path, '#define BAD r, r99\n\nname = "t"\noffset = 1\nopcode = 2\n'
                  '\tpush   BAD // a comment\n', "--cpu", "arm")
    assert said.startswith("t.dp:6:9: error: unknown register 'r99'; arm has r0..r12, ")
    assert "\n\tpush   BAD // a comment\n\t       ^~~\n" in said
    assert "t.dp:6: note: with its macros replaced the line is: push r, r99\n" in said


def test_column_where_no_macro_is(dprobes, tmp_path):
    said = reject(dprobes, tmp_path, '#define N 2\nname = "t"\noffset = 1\nopcode = 2\n'
                  'label:   push    lv  ,   N   frob\n')
    assert said.startswith("t.dp:5:30: error: one statement per line; the statement ends before 'frob'\n")


def test_errors_in_an_included_file(dprobes, tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "body.rpn").write_text("push 1\n\n  pusch 2\n", encoding="utf-8")
    (tmp_path / "lib" / "p.dp").write_text('name = "t"\noffset = 1\nopcode = 1\n#include "body.rpn"\n'
                                           'frob\n', encoding="utf-8")
    result = dprobes("build", "lib/p.dp", cwd=tmp_path)
    assert result.status == 1
    assert "lib/body.rpn:3:3: error: unknown instruction 'pusch'; did you mean 'push'?\n  pusch 2\n  ^~~~~\n" \
        in result.stderr
    assert "lib/p.dp:5:1: error: unknown instruction 'frob'" in result.stderr


def test_folders_of_included_files(dprobes, tmp_path):
    """The program's own folder is first; then those of the options, which are relative to where the command runs."""
    for folder in ("lib", "one", "two"):
        (tmp_path / folder).mkdir()
    (tmp_path / "lib" / "t.d").write_text('#include "a.h"\n#include <b.h>\n#include "c.h"\naddr:::0x1000 { trace(A + B + C); }\n',
                                          encoding="utf-8")
    for name, text in (("lib/a.h", "#define A 1"), ("one/a.h", "bad"), ("one/b.h", "#define B 20"), ("two/b.h", "bad"),
                       ("two/c.h", "#define C 300")):
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    for words in (("-I", "one", "-Itwo"), ("--include", tmp_path / "one", "--include=two/../two")):
        result = dprobes("simulate", "--cpu", "sim", *words, "lib/t.d", cwd=tmp_path)
        assert result.status == 0 and " 321\n" in result.stdout, (result.stdout, result.stderr)
    result = dprobes("-s", "lib/t.d", "-e", "-I", "one", "-I", "none", cwd=tmp_path)
    assert result.status == 1
    assert result.stderr == "none: error: cannot include files of this folder: No such file or directory\n", result.stderr
    result = dprobes("build", "-I", "one/b.h", "lib/t.d", cwd=tmp_path)
    assert result.status == 1 and "one/b.h: error: cannot include files of this folder: Not a directory\n" in result.stderr, result.stderr


def test_a_file_that_includes_itself(dprobes, tmp_path):
    said = reject(dprobes, tmp_path, '#include "t.dp"\n')
    assert "t.dp:1:16: error: #include nested depth 200 exceeds maximum of 200\n" in said
    assert said.count("from t.dp:1") == 8 and re.search(r", and \d+ more\n", said)


@pytest.mark.parametrize("words", [["-DWHAT=push 7"], ["-D", "WHAT=push 7"], ["-D", "WHAT", "=", "push 7"],
                                   ["-D", "WHAT=", "push 7"], ["--define", "WHAT=push 7"]])
def test_define(dprobes, tmp_path, words):
    """decisions.txt C19."""
    assert build(dprobes, tmp_path, HEADER + "WHAT\n", *words).code == b"\x01\x02\x21\x07\x0d"


def test_define_without_value_is_1(dprobes, tmp_path):
    source = HEADER + "#ifdef A\npush A\n#elseif defined(B)\npush 2\n#else\npush 3\n#endif\n"
    assert build(dprobes, tmp_path, source, "-DA").code[2:4] == b"\x21\x01"
    assert build(dprobes, tmp_path, source, "-DB").code[2:4] == b"\x21\x02"
    assert build(dprobes, tmp_path, source).code[2:4] == b"\x21\x03"


def test_elseif_in_an_included_file(dprobes, tmp_path):
    (tmp_path / "a.rpn").write_text("#ifdef A\n#elseif 1\nnop\n#endif\n", encoding="utf-8")
    said = reject(dprobes, tmp_path, HEADER + '#include "a.rpn"\n')
    assert "a.rpn:2:1: error: '#elseif' is not C; in an included file write '#elif'" in said


def test_no_macros_of_the_host(dprobes, tmp_path):
    """gcc's linux and unix would become 1."""
    (tmp_path / "s.map").write_text("00001000 T linux\n00002000 T unix\n", encoding="utf-8")
    made = build(dprobes, tmp_path, '#define X 1\nname = "t"\noffset = linux\nopcode = 1\npush unix\n',
                 "--sym", "s.map")
    assert [p.address for p in made.points] == [0x1000]


def test_standard_input(dprobes, tmp_path):
    result = dprobes("build", "-", "-o", "x.ppdf", stdin=HEADER + "pusch\n", cwd=tmp_path)
    assert "<stdin>:8:1: error: unknown instruction 'pusch'" in result.stderr


def test_many_errors_in_one_run(dprobes, tmp_path):
    said = reject(dprobes, tmp_path, 'nam = "t"\noffset = 1\nopcode = 1\npush lv, 0\njmp nowhere\n')
    assert re.findall(r"^t\.dp:(\d+):\d+: error:", said, re.M) == ["1", "2"]
    said = reject(dprobes, tmp_path, HEADER + "push\njmp nowhere\ncall q\npush lv, 256\nfrob\n")
    assert re.findall(r"^t\.dp:(\d+):\d+: error:", said, re.M) == ["8", "12"]
    said = reject(dprobes, tmp_path, HEADER + "jmp nowhere\ncall q\npush lv, 256\n")
    assert re.findall(r"^t\.dp:(\d+):\d+: error:", said, re.M) == ["8", "9", "10"]


@pytest.mark.parametrize("text,hint", [("pussh 1", "push"), ("idvi", "idiv"), ("exitt", "exit"),
                                       ("endpoc", "endproc")])
def test_did_you_mean(dprobes, tmp_path, text, hint):
    assert f"did you mean '{hint}'?" in reject(dprobes, tmp_path, HEADER + text + "\n")


def test_a_warning_comes_once_per_spelling(dprobes, tmp_path):
    (tmp_path / "t.dp").write_text(HEADER + "push wif\npush wif\npush dif\n", encoding="utf-8")
    result = dprobes("build", "t.dp", cwd=tmp_path)
    assert result.status == 0
    assert re.findall(r"^t\.dp:(\d+):6: warning:", result.stderr, re.M) == ["8", "10"]
    quiet = dprobes("build", "--quiet", "t.dp", cwd=tmp_path)
    assert (quiet.status, quiet.stderr) == (0, "")


# --- symbols from a list ---

MAP = "00008000 T main\n0000c000 D table\n00009000 t helper\n0000a000 t helper\n00007000 T task\n"


def test_symbol_expressions(dprobes, tmp_path):
    (tmp_path / "s.map").write_text(MAP, encoding="utf-8")
    made = build(dprobes, tmp_path, 'name = "t"\noffset = main + 0x10\nopcode = 1\n'
                 'push table + 4\npush sym, task\npush task\npush (table - main) - (8 - 2)\n'
                 'address = table + 4 : table + 7\nwatchpoint = w\n', "--sym", "s.map")
    first, second = made.points
    assert (first.address, second.address, second.length) == (0x8010, 0xc004, 4)
    # 0xc004 and 0x7000 need 4 and 2 bytes; push task is the current task.
    assert made.code == bytes.fromhex("0105 2304c00000 220070 37 22fa3f 0d  0101 0d")


@pytest.mark.parametrize("line,said", [
    ("push helper", "symbol 'helper' is ambiguous: 0x9000 in s.map and 0xa000 in s.map; give the address"),
    ("push Main", "unknown symbol 'Main'; did you mean 'main'?"),
    ("push xyzzy", "unknown symbol 'xyzzy'; 'dprobes symbols' lists those of s.map"),
    ("push main - 0x9000 - 0x7fffffff - 0x7fffffff", "main - 0x9000 - 0x7fffffff - 0x7fffffff does not fit a 32-bit word; use -2147483648..4294967295"),
    ("push (main", "a ')' is missing; write it here, or remove the '('"),
])
def test_symbol_errors(dprobes, tmp_path, line, said):
    (tmp_path / "s.map").write_text(MAP, encoding="utf-8")
    assert f"error: {said}" in reject(dprobes, tmp_path, HEADER + line + "\n", "--sym", "s.map")


def test_a_symbol_is_meant_before_a_register(dprobes, tmp_path):
    (tmp_path / "s.map").write_text("00000070 T r0\n", encoding="utf-8")
    assert build(dprobes, tmp_path, HEADER + "push r0\n", "--sym", "s.map").code[2:4] == b"\x21\x70"
    assert build(dprobes, tmp_path, HEADER + "push r0\n").code[2] == 0x24


# --- registers: the tables of every CPU ---

def table(cpu):
    """Rows and aliases of a port's regs.def."""
    text = (TOP / tables.registers_file(cpu)).read_text(encoding="utf-8")
    rows = re.findall(r'^DP_REG\((\w+), (\w+), "([^"]+)", (\d+), (\d+), ([^)]*)\)', text, re.M)
    aliases = re.findall(r'^DP_REG_ALIAS\("([^"]+)", (\w+)\)', text, re.M)
    return rows, aliases


@pytest.mark.parametrize("cpu", tables.cpus())
def test_registers(dprobes, tmp_path, cpu):
    rows, aliases = table(cpu)
    assert len(rows) >= 16
    names = [(row[2], int(row[0], 0)) for row in rows] + [(a, int(i, 0)) for a, i in aliases]
    rights = {int(row[0], 0): row[5] for row in rows}
    readable = [(n, i) for n, i in names if re.search(r"READ|PUSH_R|ALL", rights[i])]
    source = HEADER + "".join(f"push r, {n}\npush r, {n.upper()}\npush r, {i}\n" for n, i in readable)
    code = build(dprobes, tmp_path, source, "--cpu", cpu).code
    order = tables.cpu_orders()[cpu].replace("both", "little")
    # Blocks of at most 255: markers stand between, nothing else.
    want = b"".join((b"\x24" + i.to_bytes(2, order)) * 3 for n, i in readable) + b"\x0d"
    found, at = b"", 0
    while at < len(code):
        size = {1: 2, 3: 2, 0x24: 3, 0x0d: 1}[code[at]]
        found += code[at:at + size] if code[at] not in (1, 3) else b""
        at += size
    assert found == want


# Where the calling convention of each CPU keeps them.
ALIASES = {
    "sim": {"pc": 15, "sp": 13, "lr": 14, "arg0": 0, "arg1": 1, "arg2": 2, "arg3": 3, "retval": 0},
    "arm": {"pc": 15, "sp": 13, "lr": 14, "arg0": 0, "arg1": 1, "arg2": 2, "arg3": 3, "retval": 0},
    "mips": {"pc": 0x22, "sp": "r29", "lr": "r31", "arg0": "r4", "arg1": "r5", "arg2": "r6", "arg3": "r7", "retval": "r2"},
    "ppc": {"pc": "nip", "sp": "r1", "lr": 4, "arg0": "r3", "arg1": "r4", "arg2": "r5", "arg3": "r6", "retval": "r3"},
    "cortexm": {"pc": 15, "sp": 13, "lr": 14, "arg0": 0, "arg1": 1, "arg2": 2, "arg3": 3, "retval": 0},
    "riscv": {"pc": 1, "sp": "x2", "lr": "x1", "arg0": "x10", "arg1": "x11", "arg2": "x12", "arg3": "x13", "retval": "x10"},
    "s390": {"pc": 1, "sp": "r15", "lr": "r14", "arg0": "r2", "arg1": "r3", "arg2": "r4", "arg3": "r5", "retval": "r2"},
    "ia32": {"pc": "eip", "sp": "esp", "retval": "eax"},
}
# IA-32 calls with the rest on the stack: distance from esp.
ON_STACK = {"lr": 0, "arg0": 4, "arg1": 8, "arg2": 12, "arg3": 16}
EVERYWHERE = {"pc", "sp", "lr", "arg0", "arg1", "arg2", "arg3", "retval"}


@pytest.mark.parametrize("cpu", tables.cpus())
def test_the_aliases_of_every_cpu(dprobes, tmp_path, cpu):
    """The same program text reads the same things everywhere."""
    assert set(ALIASES[cpu]) | (set(ON_STACK) if cpu == "ia32" else set()) == EVERYWHERE
    for context in "ru":
        for alias, register in ALIASES[cpu].items():
            one = build(dprobes, tmp_path, HEADER + f"push {context}, {alias}\n", "--cpu", cpu).code
            assert one == build(dprobes, tmp_path, HEADER + f"push {context}, {register}\n", "--cpu", cpu).code, alias


@pytest.mark.parametrize("context", "ru")
@pytest.mark.parametrize("alias,offset", ON_STACK.items())
def test_what_ia32_has_on_the_stack(dprobes, tmp_path, context, alias, offset):
    """`push r, arg0` is what a program would write out: the same bytes."""
    where = f"push {context}, esp\n" + (f"push {offset}\nadd\n" if offset else "")
    for short, long in [(f"push {context}, {alias}", where + "push mem, u32"),
                        (f"pop {context}, {alias}", where + "xchg\npop mem, u32")]:
        one, other = (build(dprobes, tmp_path, HEADER + f"push 1\nl: {line}\njmp l\n", "--cpu", "ia32").code
                      for line in (short, long))
        assert one == other


# Appendices A, B and C of dprobes.lang(8): may it stand behind push u, push r, pop u, pop r; name:number, both ends of a row
# of names. tr is 0x20 (decisions.txt C80), PowerPC's numbers go on as C85 says.
APPENDICES = {
    "ia32": {
        "yynn": "cs:0 ss:5 eflags:c eip:d esp:e cpuid:3c msr:3d",
        "yyyy": "ds:1 es:2 fs:3 gs:4 eax:6 ebx:7 ecx:8 edx:9 edi:a esi:b ebp:f",
        "nynn": "tr:20 ldtr:21 gdtr:22 idtr:23 cr0:24 cr2:26 cr3:27 cr4:28 dr0-3:2c dr6:32 dr7:33",
        "ynnn": "fr0-7:3e fcw:46 fsw:47 ftw:48 fip:49 fcs:4a fdp:4b fds:4c xmm0-7:4d mxcsr:55"},
    "s390": {
        "yynn": "pswmask:0 pswaddr:1 acr0-15:20", "yyyy": "gpr0-15:10", "ynnn": "fpc:3 fpr0-15:30",
        "nynn": "cr_0-15:40"},
    "ppc": {
        "yynn": "nip:1 msr:2 ctr:3 lnk:4 xer:5 ccr:6 mq:7 dar:8 dsisr:9 fpc:a cpuid:b", "yyyy": "r0-31:10",
        "ynnn": "fpr0-31:30"},
}
REGISTER_OPS = {"push u": 0x25, "push r": 0x24, "pop u": 0x77, "pop r": 0x76}


def appendix(cpu):
    """{name: (number, rights)}"""
    found = {}
    for rights, names in APPENDICES[cpu].items():
        for stem, first, last, number in re.findall(r"([a-z_]+?|[a-z]+_)(\d+)?(?:-(\d+))?:(\w+)", names):
            for i in range(int(first or 0), int(last or first or 0) + 1):
                found[stem + (str(i) if first else "")] = (int(number, 16) + i - int(first or 0), rights)
    return found


def registers_in(code, opcode, order):
    """The numbers behind each `opcode` of a handler that has nothing else but markers, each with a byte, and its end."""
    numbers, at = [], 0
    while at < len(code):
        if code[at] == opcode:
            numbers.append(int.from_bytes(code[at + 1:at + 3], order))
            at += 3
        else:
            assert code[at] in (OP["HANDLER"], OP["BLOCK"], OP["EXIT"]), code[at:]
            at += 1 if code[at] == OP["EXIT"] else 2
    return numbers


@pytest.mark.parametrize("operation", REGISTER_OPS)
@pytest.mark.parametrize("cpu", APPENDICES)
def test_the_registers_of_the_seed(dprobes, tmp_path, cpu, operation):
    """Every register of the appendices has its number, and takes the instructions that its row says; there are no others."""
    known, column = appendix(cpu), list(REGISTER_OPS).index(operation)
    assert {int(row[0], 0): row[2] for row in table(cpu)[0]} == {number: name for name, (number, _) in known.items()}
    allowed = {name: number for name, (number, rights) in known.items() if rights[column] == "y"}
    lines = "".join(f"{operation}, {name}\n" for name in allowed)
    code = build(dprobes, tmp_path, HEADER + lines, "--cpu", cpu).code
    order = "little" if cpu == "ia32" else "big"
    assert registers_in(code, REGISTER_OPS[operation], order) == list(allowed.values())
    refused = sorted(set(known) - set(allowed))
    for some in (refused[i:i + 20] for i in range(0, len(refused), 20)):  # so many errors are shown
        said = reject(dprobes, tmp_path, HEADER + "".join(f"{operation}, {name}\n" for name in some), "--cpu", cpu)
        assert re.findall(r"error: register '(\w+)' cannot be", said) == some


@pytest.mark.parametrize("count", [20, 21, 60, 198, 199, 400])
def test_twenty_errors_are_shown_and_the_rest_is_counted(dprobes, tmp_path, count):
    said = reject(dprobes, tmp_path, HEADER + "".join(f"frob{i}\n" for i in range(count)))
    assert said.count("unknown instruction 'frob") == min(count, 20)
    last = said.splitlines()[-1]
    more = f"{count - 20} more errors; correct the first 20, then look again" if count < 199 \
        else "at least 179 more errors; correct the first 20, then look again; the rest was not checked"
    assert (last == f"dprobes: error: {more}") == (count > 20), last


def test_of_many_warnings_alike_one_is_shown(dprobes, tmp_path):
    """With their number; up to three are shown one by one. Another warning is shown beside them."""
    def warned(count):
        (tmp_path / "w.dp").write_text(HEADER + "".join(f"push 0{i}\n" for i in range(10, 10 + count)), encoding="utf-8")
        return dprobes("build", "-o", "w.ppdf", "w.dp", cwd=tmp_path).stderr
    assert warned(1).count("warning: ") == 1 and "of this kind" not in warned(1)
    assert warned(3).count("warning: ") == 3 and "of this kind" not in warned(3)
    assert warned(4).count("warning: ") == 1 and "(and 3 more warnings of this kind)" in warned(4)
    assert warned(30).count("warning: ") == 1 and "(and 29 more warnings of this kind)" in warned(30)
    assert "(and at least 199 more warnings of this kind)" in warned(300)


@pytest.mark.parametrize("count", [1, 3, 4, 30, 198, 400])
def test_equal_errors_are_one_with_their_number(dprobes, tmp_path, count):
    """Up to three are shown one by one. The same word elsewhere is told once; another word is another error."""
    said = reject(dprobes, tmp_path, HEADER + "frob\n" * count + ("pusch\n" if count < 198 else ""))
    assert said.count("unknown instruction 'frob'") == (count if count <= 3 else 1) and said.count("'pusch'") == (count < 198)
    more = re.findall(r"unknown instruction 'frob'.* \(and (at least )?(\d+) more errors of this kind\)\n", said)
    assert more == ([] if count <= 3 else [("", str(count - 1))] if count < 199 else [("at least ", "198")])
    assert "more errors; correct" not in said and ("199 errors are enough" in said) == (count > 198)


# --- old spellings: RPN.md 10 ---

OLDS = tables.rows("host/tables/old_spellings.def", "OLD")
WIDTHS = [("b", 0xff, 8), ("w", 0xffff, 16), ("d", 0xffffffff, 32)]


def warned(dprobes, folder, source, *args):
    (folder / "t.dp").write_text(source, encoding="utf-8")
    result = dprobes("build", "--write", *args, "-o", "t.ppdf", "t.dp", cwd=folder)
    assert result.status == 0, result.stderr
    return ppdf.Ppdf((folder / "t.ppdf").read_bytes()).code, re.findall(r"warning: (.*)", result.stderr)


@pytest.mark.parametrize("old,policy,now", OLDS, ids=[row[0] for row in OLDS])
def test_old_spellings(dprobes, tmp_path, old, policy, now):
    """Renamed ones make the same code and one warning; the others are refused with what to write."""
    said = {"REMOVED": f"'{old}' was removed in v3.4.0; {now}", "MOVED": f"'{old}' is now '{now}'",
            "FOREIGN": f"'{old}' is not part of DProbes 3.6.4; RPN.md lists all instructions"}
    if policy != "RENAMED":
        assert f"error: {said[policy]}\n" in reject(dprobes, tmp_path, HEADER + old + "\n", "--cpu", "ia32")
        return
    code, warnings = warned(dprobes, tmp_path, HEADER + f"{old}\n{old.upper()}\n", "--cpu", "ia32")
    assert warnings == [f"'{old}' was renamed in v3.4.0, write '{now}'"]
    assert (code, []) == warned(dprobes, tmp_path, HEADER + f"{now}\n{now}\n", "--cpu", "ia32")


@pytest.mark.parametrize("letter,most,bits", WIDTHS)
def test_push_of_a_width(dprobes, tmp_path, letter, most, bits):
    """push b, v: accepted when v fits, as signed or unsigned."""
    for value in (0, most, -(1 << (bits - 1))):
        code, warnings = warned(dprobes, tmp_path, HEADER + f"push {letter}, {value}\n", "--cpu", "sim", "--word", "64")
        assert warnings == [f"'push {letter}' was renamed in v3.4.0, write 'push {value}'"]
        assert (code, []) == warned(dprobes, tmp_path, HEADER + f"push {value}\n", "--cpu", "sim", "--word", "64")
    for value in (most + 1, -(1 << (bits - 1)) - 1):
        assert f"error: {value} does not fit 'push {letter}'; use 'push {value}'\n" in reject(
            dprobes, tmp_path, HEADER + f"push {letter}, {value}\n", "--cpu", "sim", "--word", "64")


PUSHED = "push 1\n" * 3


def test_log_of_a_width(dprobes, tmp_path):
    """log d logs what log does where a word has 32 bits; the others changed what they log."""
    code, warnings = warned(dprobes, tmp_path, HEADER + PUSHED + "log d, 2\nlog d, 1\n")
    assert warnings == ["'log d' was renamed in v3.4.0, write 'log 2'"]
    assert (code, []) == warned(dprobes, tmp_path, HEADER + PUSHED + "log 2\nlog 1\n")
    for words in (["log b, 2"], ["log w, 2"], ["log d, 2", "--word", "64"]):
        assert "was removed in v3.4.0; use 'log 2'" in reject(dprobes, tmp_path, HEADER + words[0] + "\n", *words[1:])


@pytest.mark.parametrize("old,now", [("pass_count = 3", "ignore = 3"), ("max_hits = 3", "maxhits = 3")])
def test_old_keywords(dprobes, tmp_path, old, now):
    _, warnings = warned(dprobes, tmp_path, HEADER + old + "\nexit\n")
    made = (tmp_path / "t.ppdf").read_bytes()
    assert warnings == [f"'{old.split()[0]}' was renamed in v3.4.0, write '{now.split()[0]}'"]
    assert warned(dprobes, tmp_path, HEADER + now + "\nexit\n")[1] == []
    again = (tmp_path / "t.ppdf").read_bytes()
    size = ppdf.Ppdf(made).travelling
    assert made[:size] == again[:size]
