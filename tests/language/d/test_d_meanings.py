# SPDX-License-Identifier: BSD-2-Clause
"""Names that source files give different meanings: types, enumerators, static variables, static functions. The probe's own file
decides, as in C; else the program says which file, or a sentence names both files. No value of another file without a word."""
import json
import subprocess

import d_cases
import pytest

from harness.paths import program

# Each pair of statements differs between a.c and b.c; c.c has none of them.
SOURCES = {
    "a.c": """enum { RED = 1, SAME = 7 };
        struct box { int w, h; } abox = {3, 4};
        struct pair { int p; } apair;
        typedef struct { short low, high; } both_t; both_t aboth;
        enum kind { ONE, TWO } akind;
        static volatile int mine = 11;
        volatile int shared = 5;
        static int twin(int n) { return n + mine; }
        int a_entry(int n) { shared = RED; return twin(n); }
        int b_entry(int), c_entry(int);
        void main(void) { a_entry(1); b_entry(2); c_entry(3); }
        """,
    "b.c": """enum { RED = 5, SAME = 7 };
        struct box { int h, w; char more[9]; } bbox;
        struct pair { unsigned p; } bpair;
        typedef struct { int low; } both_t; both_t bboth;
        enum kind { TWO = 2, ONE } bkind;
        static volatile int mine = 22;
        static volatile int shared = 6;
        static int twin(int n) { return n * mine; }
        int b_entry(int n) { shared = RED; return twin(n); }
        """,
    "c.c": """struct box; struct opaque;
        struct box *box; struct opaque *opaque;
        int c_entry(int n) { return n + (box != 0); }
        """}
FLAGS = ["-O1", "-fno-inline", "-nostdlib", "-ffreestanding", "-Wl,-e,main", "-Wl,--build-id=none"]


@pytest.fixture(scope="module", params=["-g", "-gctf"])
def form(request):
    return request.param


@pytest.fixture(scope="module")
def folder(tmp_path_factory, form):
    gcc, flags = d_cases.COMPILERS["arm"]
    made = tmp_path_factory.mktemp("d_meanings")
    for name, text in SOURCES.items():
        (made / name).write_text(text, encoding="utf-8")
    more = ["-Wl,--ctf-variables"] if form == "-gctf" else []
    subprocess.run([program(gcc), form, *FLAGS, "-o", "fw.elf", *SOURCES, *flags, *more], cwd=made, check=True)
    return made


@pytest.fixture
def ask(dprobes, folder):
    """Run a program on one hit. Returns the text of its record, and what the compiler says."""

    def run(text):
        (folder / "t.d").write_text(text + "\n", encoding="utf-8")
        result = dprobes("simulate", "--elf", "fw.elf", "--format", "json", "--hits", "1:1", "t.d", cwd=folder)
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        texts = [row["text"] for row in rows if row["kind"] == "hit" and "text" in row]
        said = [line.replace(f"{folder}/", "") for line in result.stderr.splitlines() if line.startswith("t.d:")]
        assert result.status == (1 if any(": error: " in line for line in said) else 0), result.stderr
        return " ".join(texts), said

    return run


def dwarf_alone(form):
    if form != "-g":
        pytest.skip("CTF does not say which file has an address")


@pytest.mark.parametrize("function,values", [("a_entry", [1, 7, 8, 0, 4, 1]), ("b_entry", [5, 7, 20, 4, 4, 2])])
def test_the_file_of_the_probe_decides(ask, form, function, values):
    """Here and with the keyword of the type; a cast reads the member where that file has it, with its sign."""
    dwarf_alone(form)
    text, said = ask(f'{function}:entry {{ printf("%d %d %d %d %d %d %d", RED, SAME, sizeof(struct box), offsetof(struct box, w),'
                     " sizeof(both_t), TWO, (int)&((struct box *)0x1000)->w); }")
    assert (text, said) == (" ".join(map(str, [*values, 0x1000 + values[3]])), [])


@pytest.mark.parametrize("function,mine,shared", [("a_entry", 0, 0), ("b_entry", 1, 1), ("c_entry", None, 0)])
def test_static_variables_and_functions_of_the_file(ask, folder, form, function, mine, shared):
    """A static name hides one that all files share, as in C."""
    dwarf_alone(form)
    listed = subprocess.run([program("arm-none-eabi-nm"), "fw.elf"], cwd=folder, check=True, stdout=subprocess.PIPE).stdout.decode()
    rows = [line.split() for line in listed.splitlines()]
    of = {name: sorted(int(row[0], 16) for row in rows if row[2] == name) for name in ("mine", "twin")}
    both = {row[1]: int(row[0], 16) for row in rows if row[2] == "shared"}
    text, said = ask(f'{function}:entry {{ printf("%d %d", (int)&shared, (int)&b.c`shared); }}')
    assert (text, said) == (f"{both['d' if shared else 'D']} {both['d']}", [])
    text, said = ask(f"{function}:entry {{ trace((int)&mine); }} {function}:entry {{ trace((int)twin); }}")
    text = " ".join(text.split())
    if mine is not None:
        assert (text, said) == (f"{of['mine'][mine]} {of['twin'][mine]}", [])
        return
    assert len(said) == 2 and "variable 'mine' is ambiguous: a.c and b.c have one; write the file too: FILE`mine" in said[0]
    low, high = of["twin"]
    assert f"'twin' is ambiguous: 0x{low:x} in a.c and 0x{high:x} in b.c; write a.c`twin" in said[1]
    text, said = ask('c_entry:entry { printf("%d %d %d %d", (int)&a.c`mine, (int)&b.c`mine, (int)a.c`twin, (int)b.c`twin); }')
    assert (text, said) == (" ".join(map(str, of["mine"] + of["twin"])), [])


@pytest.mark.parametrize("name,sizes", [("struct box", {"a.c": 8, "b.c": 20}), ("both_t", {"a.c": 4, "b.c": 4})])
def test_a_type_of_several_files_is_told(ask, form, name, sizes):
    """Once for all its uses; the program says which file it means."""
    text, said = ask(f"BEGIN {{ trace(sizeof({name})); }} c_entry:entry {{ trace(sizeof({name})); trace(sizeof({name} *)); }}")
    assert len(said) == 1 and ": warning: " in said[0] and f"define types '{name}' that differ; this is the one of " in said[0]
    assert "b.c" in said[0] and ("a.c" in said[0] or "types that files share" in said[0]) and text.split()[0] == str(sizes["a.c"])
    if form == "-gctf" and name == "both_t":  # the definition that files share has no file
        sizes = {"b.c": 4}
    words = {file: name.replace("box", f"{file}`box").replace("both_t", f"{file}`both_t") for file in sizes}
    text, said = ask("c_entry:entry { " + "".join(f"trace(sizeof({word}));" for word in words.values()) + " }")
    assert (text.split(), said) == ([str(size) for size in sizes.values()], [])


def test_a_cast_to_the_type_of_a_file(ask, form):
    dwarf_alone(form)
    text, said = ask('c_entry:entry { printf("%d %d %d %d", (int)&((struct a.c`box *)0x1000)->w, (int)&((struct b.c`box *)0x1000)->w,'
                     " offsetof(b.c`both_t, low), sizeof(((a.c`both_t *)0x1000)->low)); }")
    assert (text, said) == ("4096 4100 0 2", [])


@pytest.mark.parametrize("name,said", [
    ("struct c.c`box", "the firmware has no type 'struct box' in c.c"), ("struct none.c`box", "the firmware has no type 'struct box' in none.c"),
    ("struct a.c`none", "the firmware has no type 'struct none' in a.c")])
def test_a_type_that_the_file_has_not(ask, name, said):
    assert ask(f"c_entry:entry {{ trace(sizeof({name})); }}")[1][0].endswith(f": error: {said}")


def test_members_of_one_sign_each(ask, form):
    """Two structs differ in the sign of a member alone."""
    dwarf_alone(form)
    texts = [ask(f'{word}_entry:entry {{ printf("%d", ((struct pair *)&{word}.c`{word}pair)->p - 1 < 0); }}') for word in ("a", "b")]
    assert texts == [("1", []), ("0", [])] or all(said == [] for _, said in texts)
    assert "define types 'struct pair' that differ" in ask("c_entry:entry { trace(sizeof(struct pair)); }")[1][0]


def test_an_enumerator_of_several_files(ask, form):
    """Equal values are one; different ones are refused, with the words that say which."""
    _, said = ask('c_entry:entry { printf("%d %d", RED, SAME); }')
    assert len(said) == 1 and "'RED' is ambiguous: " in said[0]
    if form == "-g":
        assert said[0].endswith("'RED' is ambiguous: 1 in a.c and 5 in b.c; write a.c`RED")
        assert ask('c_entry:entry { printf("%d %d %d %d", a.c`RED, b.c`RED, b.c`TWO, SAME); }') == ("1 5 2 7", [])
        assert "unknown name 'RED'" in ask("c_entry:entry { trace(c.c`RED); }")[1][0]


def test_a_pointer_to_a_type_that_several_files_define(ask, form):
    """The declaration does not say which one it points to."""
    dwarf_alone(form)
    why = "it is declared here without members, and a.c and b.c define types of this name that differ; cast to the one of a file"
    for expression, start in (("box->w", "struct box has no member 'w'; "), ("sizeof(*box)", "struct box has no size; ")):
        assert ask(f"c_entry:entry {{ trace({expression}); }}")[1][0].endswith(f": error: {start}{why}")
    assert "its members are not known here" in ask("c_entry:entry { trace(opaque->x); }")[1][0]
