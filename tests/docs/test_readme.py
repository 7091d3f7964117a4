# SPDX-License-Identifier: BSD-2-Clause
"""The session in README.md is a real one: its commands run here, in order, on a board, and print what
it says, but for the numbers."""
import re
import shlex
import subprocess

from harness.paths import TOP, built
from harness.tool import environment

TUTORIAL = TOP / "boards/demo/TUTORIAL.md"
README = TOP / "README.md"
NUMBER = re.compile(r"\b[0-9]+\.[0-9]+s\b|\b(0x)?[0-9a-f]*[0-9][0-9a-f]*\b(\([0-9,]+\))?")


def consoles():
    """The console blocks: those of the first screen, then the session."""
    return re.findall(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), re.S)


def session(block):
    """(command, output lines) of a console block. A command goes on behind an open quotation mark."""
    steps = []
    for line in block.splitlines():
        if steps and steps[-1][0].count("'") % 2:
            steps[-1] = (f"{steps[-1][0]}\n{line}", [])
            continue
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


def shape(lines):
    """Lines without their numbers, and without what may have come of the prompt behind them."""
    return [NUMBER.sub("N", line) for line in lines if not "demo> ".startswith(line)]


def start(document):
    """The lines that build and start the board: the first block for a shell with variables."""
    blocks = re.findall(r"```sh\n(.*?)```", document.read_text(encoding="utf-8"), re.S)
    return next(block for block in blocks if "export " in block).splitlines()


def test_both_texts_begin_with_building_the_demo():
    lines = start(README)
    assert lines == start(TUTORIAL)
    elf = settings(lines[2])["DPROBES_ELF"]
    assert lines[0].endswith(f"scons build/host/dprobes {elf}") and lines[1].startswith(f"boards/vexpress-a9/run --nowait {elf} ")


def test_addresses_are_those_of_this_build(dprobes):
    """A reader who types an address of the text finds what the text says."""
    addresses = set(re.findall(r"0x6[0-9a-f]{7}\b", README.read_text(encoding="utf-8")))
    elf = built(*settings(start(README)[2])["DPROBES_ELF"].split("/")[1:])
    assert addresses
    for address in addresses:
        assert re.match(f"{address} queue_put ", dprobes("symbols", address, "--elf", elf).stdout), address


def settings(line):
    """What `export NAME=VALUE ...` sets."""
    assert line.startswith("export ")
    return dict(word.split("=", 1) for word in shlex.split(line)[1:])


def rows(lines):
    """The shapes of lines. A picture has as many rows as there are sizes, with bars of any length."""
    return {re.sub(r" +", " ", re.sub(r"\|[@ ]*", "|", line)).strip() for line in shape(lines)}


def answer(command, expected, env):
    """A question of the first screen has an answer like the one that is printed there. A task that is between entry and
    return when the time is over has a variable, which is printed then."""
    run = subprocess.run(["sh", "-c", command], cwd=TOP, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and run.stdout, f"{command}\n{run.stderr}"
    assert rows(run.stdout.splitlines()) - {"trace self->t[task_table] = N"} == rows(expected), command


def test_the_first_screen_is_one():
    """A sentence, three questions with their answers, a drawing of six lines at most, when to use it, links: 40 lines."""
    lines = README.read_text(encoding="utf-8").splitlines()[1:]
    screen = lines[:lines.index("## Try it")]
    assert len([line for line in screen if line]) <= 40 and screen[-2].startswith("[") and max(map(len, screen)) <= 120
    assert "**Use it when**" in "\n".join(screen) and "**Not yet:**" in "\n".join(screen)
    drawing = "\n".join(screen).split("```\n")
    assert any(0 < len(part.splitlines()) <= 6 and "-->" in part for part in drawing)


def test_when_to_use_it_is_what_works():
    """CPUs and sizes of the first screen are those of the table below it."""
    text = README.read_text(encoding="utf-8")
    use = re.search(r"\*\*Use it when\*\*(.*?)\*\*Not yet", text, re.S).group(1)
    table = text[text.index("## What works"):]
    head = table.splitlines()[2]
    assert all(word in head for word in ("ARMv5", "ARMv7-A", "Cortex-M", "MIPS32", "PowerPC", "RISC-V")) and "Linux process" in head
    assert all(word in use for word in ("ARMv5 to ARMv7-A", "Cortex-M", "MIPS32", "PowerPC", "RISC-V"))
    sizes = next(line for line in table.splitlines() if line.startswith("| agent text"))
    full = [int(core) + int(port) for core, port in re.findall(r"(\d+) KB \+ (\d+) KB", sizes)]
    small, = [(int(core) + int(port)) / 1024 for core, port in re.findall(r"tiny: (\d{4,}) \+ (\d{4,}) bytes", sizes)]
    least, most = map(int, re.search(r"(\d+) to (\d+)\s+KB of text", use).groups())
    assert (least, most) == (round(small), max(full))
    hits = [int(number) for line in table.splitlines() if line.startswith("| a hit that")
            for number in re.findall(r"\| (\d+)(?= )", line)]
    assert re.search(r"(\d+) to (\d+)\s+instructions", use).groups() == (str(min(hits)), str(max(hits)))
    for word in ("Cortex-M", "RISC-V", "flash", "one CPU", "watchpoints"):
        assert word in table[table.index("Not supported:"):].replace("more than one CPU", "one CPU"), word


TEXT_BYTES = re.compile(r"^text: +(\d+) bytes, the same", re.M)


def test_the_texts_have_the_size_of_the_demo(qemu, dprobes):
    """Within 5 %: each change of the agent changes the exact size."""
    board = qemu("vexpress-a9").free_when_up()
    said = dprobes("info", "--verify-text", "--elf", built("boards", "vexpress-a9", "demo.elf"), "--port", board.url("com1"))
    size = int(TEXT_BYTES.search(said.stdout)[1])
    for document in (README, TUTORIAL):
        printed = [int(number) for number in TEXT_BYTES.findall(document.read_text(encoding="utf-8"))]
        assert printed and all(abs(number - size) < size * 0.05 for number in printed), (document, printed, size)


def test_session(qemu, dprobes):
    board = qemu("vexpress-a9").free_when_up()
    said = settings(start(README)[2])
    assert built(*said["DPROBES_ELF"].split("/")[1:]).exists()
    env = environment({**said, "DPROBES_PORT": board.url("com1"), "PATH": f"{dprobes.path().parent}:/usr/bin:/bin"})
    assert set(said) == {"DPROBES_PORT", "DPROBES_ELF"}
    commands = 0
    *first, last = consoles()
    assert len(first) == 3
    for command, expected in [step for block in first for step in session(block)]:
        answer(command, expected, env)
    for command, expected in session(last):
        run = subprocess.run(["sh", "-c", command], cwd=TOP, env=env, capture_output=True, text=True, check=False)
        assert run.returncode == 0, f"{command}\n{run.stderr}"
        assert shape(run.stdout.splitlines()) == shape(expected), command
        commands += command.split()[0] == "dprobes"
    assert commands >= 4
