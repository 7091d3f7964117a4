# SPDX-License-Identifier: BSD-2-Clause
"""D on a board: questions in a line, answered in the firmware's own names. ARM with Thumb-2, MIPS, and PowerPC."""
import json
import re
import shlex

import d_examples
import pytest

import cpus
from harness import paths

BOARDS = cpus.boards()


@pytest.fixture(params=BOARDS)
def ask(request, qemu, dprobes):
    """Runs the tool on the board's line."""
    machine = qemu(request.param).free_when_up()
    elf = paths.built("boards", request.param, "demo.elf")
    env = {"DPROBES_PORT": machine.url("com1"), "DPROBES_ELF": str(elf)}

    def run(*words, stdin=None):
        return dprobes(*words, "--quiet", env=env, stdin=stdin)

    run.start = lambda *words: dprobes.start(*words, "--quiet", env=env)
    assert run("info").status == 0  # the notice that the agent has started came before the answers
    return run


def test_questions(ask):
    callers = ask("-n", 'queue_put:entry { printf("%p from %a\\n", args[0], caller); }', "-q", "--count", 3)
    assert callers.status == 0, callers.stderr
    lines = callers.stdout.splitlines()
    assert len(lines) == 3 and all(line.startswith("0x") and " from " in line and "+0x" in line for line in lines)

    at_line = ask("-n", 'queue.c:44 { printf("%s: %d of %d, %x\\n", stringof(q->name), q->count, q->size, state); }',
                  "--count", 2, "--format", "json")
    assert at_line.status == 0, at_line.stderr
    for line in at_line.stdout.splitlines():
        record = json.loads(line)
        assert record["desc"] == "line:queue.c:queue_put:44"
        assert record["text"].split(":")[0] in ("sensor", "result") and " of " in record["text"]

    stopped = ask("-n", "queue_put:entry /q == &sensor_queue/ { n++; }",
                  "-n", 'queue_put:entry /n == 4/ { printf("%d puts, then %s\\n", n, probefunc); exit(3); }', "-q")
    assert (stopped.status, stopped.stdout) == (3, "4 puts, then queue_put\n"), stopped.stderr
    assert ask("list").stdout == ""  # all is removed

    results = ask("-n", 'queue_put:return { printf("%s to %a\\n", retval, caller); }', "-q", "--count", 4)
    assert results.status == 0, results.stderr
    assert all(line.split(" to ")[0] in ("true", "false") and "+0x" in line for line in results.stdout.splitlines())
    assert len(results.stdout.splitlines()) == 4

    dump = ask("-n", "queue_put:entry { print(*q); }", "-q", "--count", 1)
    assert dump.stdout.startswith('(struct queue) {.name = 0x') and ".size = 64" in dump.stdout, dump.stderr


def test_examples(ask, tmp_path):
    """The examples of EXAMPLES.md, as they stand there; execname and stringof() are names of tasks."""
    for load in (False, True):
        ask("console", "--until", f"load is {'on' if load else 'off'}", stdin=f"load {'on' if load else 'off'}\n")
        for example in d_examples.EXAMPLES:
            if example.load == load:
                output = d_examples.run(ask, example, tmp_path)
                assert d_examples.shaped(example, output), (example.name, output)
    assert ask("list").stdout == ""


def test_examples_are_documented():
    """EXAMPLES.md has the programs, and outputs of their shape. python3 -B tests/language/d/ran.py writes it."""
    found = d_examples.documented()
    assert {name: program for name, (program, _) in found.items()} == {one.name: one.program for one in d_examples.EXAMPLES}
    assert not [one.name for one in d_examples.EXAMPLES if not d_examples.shaped(one, found[one.name][1])]


INTERRUPT_ENTRIES = ("arch_irq_entry", "arch_exception")  # arch_*.S of the boards


def functions(stack):
    """The names of the functions of a stack, from the inside out."""
    return [re.match(r" {14}(\w+)(?:\+0x[0-9a-f]+| inlined)? \(\w+\.[cS]:\d+\)$", line)[1] for line in stack.splitlines()
            if not line.startswith(" " * 14 + "0x") and "[" not in line and line]


def test_stack(ask):
    """At the entry and inside the frame; the end is the interrupt's entry, which has no call frame information."""
    sensor = (paths.TOP / "boards/demo/sensor.c").read_text(encoding="utf-8").splitlines()
    for probe, place in (("queue_put:entry", r" \(queue\.c:\d+\)"), ("queue.c:44", r"\+0x[0-9a-f]+ \(queue\.c:4[46]\)")):
        found = ask("-n", f"{probe} {{ stack(); }}", "-q", "--count", 1)
        assert found.status == 0, found.stderr
        head = re.match(r"\n {14}queue_put" + place + r"\n {14}sensor_isr\+0x[0-9a-f]+ \(sensor\.c:(\d+)\)\n", found.stdout)
        assert head, found.stdout
        assert "queue_put(" in sensor[int(head[1]) - 1]  # the line of the call
        assert functions(found.stdout)[-3:] in (["board_irq", "kernel_irq", entry] for entry in INTERRUPT_ENTRIES), found.stdout
        assert re.search(r" {14}\[no caller found: no call frame information covers 0x[0-9a-f]+\]\n$", found.stdout), found.stdout
    two = ask("-n", "queue_put:entry { stack(2); }", "-q", "--count", 1)
    assert functions(two.stdout) == ["queue_put", "sensor_isr"]


def lines_of_d():
    """The last column of the questions in COMING_FROM.md."""
    rows = re.findall(r"^\| .*\?.* \| `(.*)` \|$", (paths.TOP / "host/lang/d/COMING_FROM.md").read_text(encoding="utf-8"), re.M)
    return [row.rpartition("` | `")[2] for row in rows]


@pytest.mark.parametrize("board", BOARDS)
def test_questions_of_other_tools(dprobes, board, tmp_path):
    """Each line is compiled as a program; the commands run. `read`, `tasks` and `stack` have no line to a target."""
    elf = paths.built("boards", board, "demo.elf")
    questions = lines_of_d()
    commands = [question for question in questions if question.startswith("dprobes ")]
    assert (len(questions), len(commands)) == (47, 7)
    for command in commands:
        run = dprobes(*shlex.split(command)[1:], "--elf", elf)
        if command.split()[1] in ("read", "tasks", "stack"):
            assert run.stderr.startswith("dprobes: error: no line to the target"), run.stderr
        else:
            assert run.status == 0 and "queue_put" in run.stdout, run.stderr
    for question in questions:
        if question not in commands:
            run = dprobes("-en", question, "--elf", elf, cwd=tmp_path)
            assert run.status == 0, (question, run.stderr)


def console(document):
    """The commands of the console blocks: their words. Output stands behind a command."""
    found = []
    for block in re.findall(r"^```(?:console|sh)\n(.*?)^```", (paths.TOP / document).read_text(encoding="utf-8"), re.M | re.S):
        command = None
        for line in block.splitlines():
            if line.startswith(("$ dprobes", "dprobes -")):
                command = line.removeprefix("$ ")
            elif command is not None:
                command += f"\n{line}"
            try:
                found += [shlex.split(command)[1:]] if command else []
                command = None
            except ValueError:
                pass  # the quote goes on in the next line
    return found


@pytest.mark.parametrize("clause,after", [
    ("{ @ = count(); }", True), ("/q->count == 1/ { @ = count(); }", False), ("{ if (pid != 0) @[stringof(q->name)] = count(); }", False),
    ("{ @ = max(entry(q->count)); }", True)])
def test_which_returns_have_a_point_after_return(dprobes, clause, after):
    """A clause that reads a variable of the function has none: after return() the variable is gone."""
    listed = dprobes("-en", f"queue_get:return {clause}", "--elf", paths.built("boards", "vexpress-a9", "demo.elf"))
    assert listed.status == 0 and ("after return()" in listed.stdout) == after and "queue_get:return" in listed.stdout, listed


def test_the_commands_of_the_documents(qemu, dprobes, tmp_path):
    """Each command of D.md, and the questions in README.md, as they stand there, for a second in place of five. The
    load of the demo is off where records are printed: the board would log faster than the line is. Watchpoints are asked of
    the demo with comparators, and what needs -w of one whose agent writes. Records leave inside the hits: a busy machine lets the
    board's timers fire one right behind the other, and a ring would be full then."""

    def env_of(elf):
        machine = qemu("vexpress-a9", elf=elf).free_when_up()
        return {"DPROBES_PORT": machine.url("com1"), "DPROBES_ELF": str(elf), "XDG_CACHE_HOME": str(tmp_path)}

    demo, watch, writes = (env_of(paths.built("boards", "vexpress-a9", *name)) for name in
                           (("demo.elf",), ("watch", "watch.elf"), ("faults", "faults.elf")))
    (tmp_path / "callers.d").write_text('queue_put:entry { printf("%a\\n", caller); }\n', encoding="utf-8")
    (tmp_path / "counts.d").write_text("queue_put:entry { @[caller] = count(); }\n", encoding="utf-8")
    of_readme = [words for words in console("README.md") if words[0] in ("-n", "-l")]
    commands = console("host/lang/d/D.md") + of_readme
    assert len(commands) >= 12 and len(of_readme) == 8
    for words in commands:
        limit = ["--timeout", "1"] if {"-n", "-s"} & set(words) and "--count" not in words else []
        if "--log-mode" not in words and {"-n", "-s"} & set(words):
            limit += ["--log-mode", "synchronous"]
        env = watch if any("watch::" in word for word in words) else writes if "-w" in words else demo
        for option in {"--port", "--elf"} & set(words):  # env has both
            del words[words.index(option):words.index(option) + 2]
        words = [word for word in words if word.strip()]  # a line that goes on
        done = dprobes(*words, *limit, env=env, cwd=tmp_path)
        assert done.status == 0 and (done.stdout.strip() or "--count" not in words), (words, done)
        if "load on" in words:
            quiet = dprobes("console", "--until", "load is off", env=env, stdin="load off\n")
            assert quiet.status == 0, quiet
    assert dprobes("remove", "--all", env=demo).status == 0


def test_a_refused_program_changes_nothing(ask):
    wrong = ask("-n", "queue_put:entry /q->len > 3/ { trace(1); }")
    assert wrong.status == 1 and wrong.stderr.startswith("<command line>:1:21: error: struct queue has no member 'len'; it has name")
    assert ask("list").stdout == ""
