# SPDX-License-Identifier: BSD-2-Clause
"""A kernel that moves itself before it starts, and a position-independent module that it loads at two places: names, opcodes,
source lines, variables, call stacks, faults, the text and the bounds hold. Nothing of the original is left. An agent whose
relocations were left out does not start. Against a second implementation: tests/wire/test_moved_files.py."""
import re
import shutil
import subprocess
import sys

import pytest

import cpus
import sources_mk
from harness import paths
from harness.qemu import parameters

MOVED = 0x00800000
WITH_MODULES = cpus.boards()[0]
BOARDS = [board for board in cpus.boards() if sources_mk.words(sources_mk.read(f"boards/{board}"), "MOVED_SOURCES")]
BY_TABLE = [board for board in BOARDS if board != WITH_MODULES]  # tests/lib/tools/relocations.py
FP_REGISTER = {cpus.of_board(board).board: re.search(r'"(fpr1)"', (paths.TOP / f"port/{cpus.of_board(board).name}/regs.def").read_text())
               for board in cpus.boards()}
PLUGIN = """\
name = "{name}"
id = {id}
modtype = kmod
offset = plugin_mix
minor = {id}
push r, lr
log 1
exit
"""


class Moved:
    def __init__(self, qemu, dprobes, folder, board):
        self.elf, self.board = paths.built("boards", board, "moved", "moved.elf"), board
        self.machine, self.tool, self.folder = qemu(board, elf=self.elf), dprobes, folder
        self.machine.com1.expect("boot 1")

    def __call__(self, *words, elf=True):
        return self.tool(*words, "--port", self.machine.url("com2"), *(["--elf", self.elf] if elf else []))

    def good(self, *words, **options):
        run = self(*words, **options)
        assert run.status == 0, run.stderr
        return run.stdout

    def program(self, name, text, ending="dp"):
        path = self.folder / f"{name}.{ending}"
        path.write_text(text)
        return path

    def linked(self, name):
        """The address that the file has."""
        line = self.tool("symbols", name, "--elf", self.elf).stdout.split()
        return int(line[0], 16)

    def is_whole(self):
        self.good("remove", "--all", elf=False)
        text = self.good("info", "--verify-text")
        assert "the same as in" in text and "left out" not in text


@pytest.fixture(params=parameters(BOARDS, usual=(WITH_MODULES,)))
def moved(request, qemu, dprobes, tmp_path):
    return Moved(qemu, dprobes, tmp_path, request.param)


# proves: R2.36 A1.18 A3.39
def test_agent_says_both_addresses(moved):
    image = moved.good("info", "--format", "json", elf=False)
    assert f'"base":"{moved.linked("__text_start") + MOVED:#010x}","linked":"{moved.linked("__text_start"):#010x}"' in image
    assert '"bounds":"table"' in image
    text = moved("info", "--verify-text", "--format", "json").objects()[-1]
    assert text["same"] is True and "left_out" not in text and text["bytes"] > 60000


# proves: R2.35
def test_names_opcodes_and_bounds(moved):
    """A program is compiled for where the image runs; the agent's table of functions has linked addresses."""
    put = moved.linked("queue_put")
    source = moved.program("t", 'name = "t"\noffset = queue_put\npush r, arg0\npush switch_count\npush mem, u32\nlog 2\nexit\n')
    out = moved.good("run", source, "--count", "2", "--log", "PC")
    assert "pc=queue_put" in out and f"at {put + MOVED:#010x} (queue_put): " in out
    assert "sensor" in out or "result_queue" in out  # the queue, by its name
    isa = cpus.of_board(moved.board).code_isa
    for bytes_on, status in ((2, 1), (0, 0)):  # addresses as numbers are running ones
        number = moved.program("m", f'name = "m"\naddress = {put + MOVED + bytes_on + isa:#x}\nexit\n')
        run = moved("insert", number, "--moved", f"{MOVED:#x}")
        words = f"probe {put + MOVED:#x}" if isa or cpus.of_board(moved.board).insn_step == 1 else "no instruction address"
        assert run.status == status and (status == 0 or words in run.stderr), run.stderr
    built = moved.folder / "t.ppdf"
    assert moved.tool("build", source, "--elf", moved.elf, "-o", built).status == 0
    run = moved("insert", built)
    assert run.status == 4 and f"--moved {MOVED:#x}" in run.stderr
    assert moved.tool("build", source, "--elf", moved.elf, "--moved", f"{MOVED:#x}", "-o", built).status == 0
    moved.good("insert", built)
    assert f"{put + MOVED:#010x} (queue_put{', thumb' if isa else ''}): armed" in moved.good("list")
    moved.is_whole()


def test_lines_variables_and_stacks(moved):
    """D: a source line, arguments and local variables by their location lists, variables of file scope, the call stack."""
    out = moved.good("trace", "--count", "1", "--clause",
                     'fbt::queue_put:entry { printf("%s %d\\n", stringof(q->name), q->size); stack(); }')
    assert "queue_put (queue.c:" in out and "sensor.c:" in out, out
    assert "ring" in out or "sensor" in out or "raw" in out
    out = moved.good("trace", "--count", "1", "--clause", 'fbt::sched_switch:entry /from != 0/ '
                     '{ printf("%s %u %d\\n", stringof(from->name), `switch_count, `kernel_zero); }')
    assert any(name in out for name in ("agent", "idle", "sensor", "plugins")), out
    moved.is_whole()


def test_a_file_finds_its_program(moved):
    """`aggs`, `log` and `vars` compile their file for where the image runs."""
    counting = moved.program("counting", "#pragma D option quiet\nint seen;\n"
                             'fbt::queue_put:entry { seen++; @calls[caller] = count(); printf("put %s\\n", stringof(q->name)); }\n', "d")
    words = moved.program("words", 'name = "words"\nvars = 2\noffset = queue_put\npush d, 0x2a\npop lv, 1\nlog 0\nexit\n')
    for file in (counting, words):
        none = [moved(command, file) for command in ("aggs", "vars")]
        assert all(run.status == 4 and f"no installed program was made from {file}" in run.stderr for run in none), none
        moved.good("insert", file)
        records = moved("log", file, "--count", "2")
        assert records.status == 0 and "no installed program" not in records.stderr, records.stderr
    assert "put " in moved.good("log", counting, "--count", "2")
    assert re.search(r"calls\[|@calls|sensor.*\+0x", moved.good("aggs", counting))
    assert re.search(r"seen = [1-9]", moved.good("vars", counting))
    assert re.search(r"words.*42|0x0*2a", moved.good("vars", words))
    assert moved("vars", counting, "--reset").status == 0
    moved.is_whole()


def test_faults(moved):
    """Reads of programs fault in the agent's accesses, by each class of exception; the firmware goes on."""
    source = moved.program("f", 'name = "f"\noffset = queue_put\npush 0\npush mem, u32\nlog 1\nexit\n')
    text = moved.good("run", source, "--count", "5")
    assert len(re.findall(r"(?i)exception|fault", text)) >= 5, text
    row = FP_REGISTER[moved.board]
    if row:
        source = moved.program("p", f'name = "p"\noffset = queue_put\npush u, {row.group(1)}\nlog 2\nexit\n')
        assert moved.good("run", source, "--count", "5").count("DProbes(") == 5
    moved.is_whole()


def half_moved(board, folder):
    """The image with the table of a tool that has left out the agent, which stands behind the board's part of its section."""
    elf, row = folder / "half.elf", cpus.of_board(board)
    agent = paths.built("boards", board, "moved", "build/release", row.name, "dprobes_agent.o")
    first = next(line.split()[2] for line in subprocess.run([paths.program(f"{row.gcc[0].removesuffix('gcc')}nm"), "-n", agent], check=True,
                 capture_output=True, text=True).stdout.splitlines() if line.split()[1] in "tT")
    shutil.copy(paths.built("boards", board, "moved", "moved.elf"), elf)
    subprocess.run([sys.executable, paths.TOP / "tests/lib/tools/relocations.py", elf, "--without", first, "__stop_dprobes_text"], check=True)
    return elf


# proves: A3.52
@pytest.mark.parametrize("board", parameters(BY_TABLE, usual=()))
def test_half_an_agent(board, qemu, tmp_path):
    machine = qemu(board, elf=half_moved(board, tmp_path))
    machine.com1.expect(r"(?s)agent: not started, error 76.*demo>")


INSIDE = re.compile(r"\t\t__start_dprobes_text = \.;\n\t\t\*\(dprobes_text\)\n\t\t__stop_dprobes_text = \.;\n\t} :text\n")

APART = """\
\t\t*(EXCLUDE_FILE(*/dprobes_agent.o */dprobes_entry.o) dprobes_text)
\t} :text
\tdprobes_text : { *(dprobes_text) } :text
"""


def linked_apart(board, folder):
    """The objects of the image, linked with the agent in a section of its own, whose relocations are in a section named other than
    .rel.*: the tool leaves them out. What the board lends the agent stays inside: the board prints with it before the agent starts."""
    elf, facts = folder / "apart.elf", sources_mk.read(str(paths.TOP / "boards" / board))

    def words(name):
        return sources_mk.words(facts, name)

    listed = paths.built("boards", board, "moved", "moved.map").read_text()
    objects = re.findall(r"^LOAD (\S+\.o)$", listed, re.M)
    libraries = re.findall(r"^LOAD (\S+\.a)$", listed, re.M)
    sections = (paths.TOP / words("LINKER_PATHS")[0] / "sections.ld").read_text()
    apart, count = INSIDE.subn(APART, sections)
    assert count == 1 and objects and libraries
    (folder / "sections.ld").write_text(apart)
    done = subprocess.run([paths.program(f"{facts['CROSS']}gcc"), *words("CPU_FLAGS"), *words("MOVED_LINK_FLAGS"), *words("LINK_FLAGS"),
                           "-T", facts["LINKER_SCRIPT"], f"-L{folder}", f"-L{words('LINKER_PATHS')[0]}", *objects, *libraries, "-o", elf],
                          cwd=paths.TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    subprocess.run([sys.executable, paths.TOP / "tests/lib/tools/relocations.py", elf], check=True)
    return elf


# proves: A3.52
@pytest.mark.parametrize("board", parameters(BY_TABLE, usual=()))
def test_an_agent_outside_the_text(board, qemu, dprobes, tmp_path):
    """A script that places the agent beside .text: the agent refuses to start, and doctor names the place of the guide."""
    elf = linked_apart(board, tmp_path)
    machine = qemu(board, elf=elf)
    machine.com1.expect(r"(?s)agent: not started, error 76.*demo>")
    found = dprobes("doctor", "--port", machine.url("com2"), "--elf", elf)
    assert found.status == 3 and re.search(r"(?m)^wrong +agent of a moved image: the ELF file has the section \.rela?dprobes_text: ",
                                           found.stdout), found.stdout + found.stderr
    assert 'section "An image that moves itself": For such a tool place the agent inside `.text`\n' in found.stdout, found.stdout


@pytest.mark.nightly
@pytest.mark.parametrize("board", BY_TABLE)
def test_an_agent_inside_the_text(board, dprobes):
    """Another silence: doctor does not speak of the move."""
    found = dprobes("doctor", "--port", "exec:cat", "--elf", paths.built("boards", board, "moved", "moved.elf"))
    assert found.status == 3 and "moved image" not in found.stdout, found.stdout


# proves: A3.40
@pytest.mark.parametrize("moved", [WITH_MODULES], indirect=True)
def test_a_module_at_two_places(moved):
    """One file, two addresses: each program is armed in its copy, and each address has the name of its function."""
    names, plugin = ("plugin-a", "plugin-b"), paths.built("boards", moved.board, "moved", "plugin.elf")
    modules = {module["name"]: module for module in moved("info", "--format", "json", elf=False).objects()[0]["modules"]}
    assert all(modules[name]["linked"] == "0x00001000" for name in names)
    assert modules[names[0]]["id"] == modules[names[1]]["id"] and modules[names[0]]["base"] != modules[names[1]]["base"]
    for number, name in enumerate(names, 1):
        source = moved.program(name, PLUGIN.format(name=name, id=number))
        for files in ([], ["--elf", moved.elf]):  # with the kernel's ELF too, whose data the module lies in
            out = moved.good("run", source, "--sym", plugin, *files, "--count", "2", "--log", "PC,NAME", elf=False)
            assert out.count(f"DProbes(0,{number}) name=plugins pc=plugin_mix plugin_work+0x") == 2, out
            base = int(modules[name]["base"], 16)
            assert f"{name} minor {number} at {base + 0x54:#010x} (plugin_mix): " in out
    for name in names:
        moved.good("insert", moved.folder / f"{name}.dp", "--sym", plugin)
    moved.is_whole()
