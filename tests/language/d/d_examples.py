# SPDX-License-Identifier: BSD-2-Clause
"""The examples of host/lang/d/EXAMPLES.md: programs as the language's design has them, and what a run on a board prints."""
import dataclasses
import re

from harness import paths

DOCUMENT = paths.TOP / "host/lang/d/EXAMPLES.md"


@dataclasses.dataclass
class Example:
    """A program of the document, and the shape of its output. until: the live table that is enough; None: it records.
    load: of the demo, on."""

    name: str
    title: str
    program: str
    shape: str
    until: str = None
    load: bool = False


PLACE = r"\w+\+0x[0-9a-f]+"
PICTURE = (r" +value  -+ Distribution -+ count\n"
           r"(?: +(?:-?\d+|< \d+|>= \d+) \|[@ ]{40} \d+\n)+")
EXAMPLES = [
    Example("1", "Who calls `queue_put`, and on which queue?", 'queue_put:entry { printf("%p from %a\\n", args[0], caller); }', rf"(?:0x[0-9a-f]+ from {PLACE}\n){{3}}"),
    Example("2", "How often is the sensor's queue used, by caller?", "queue_put:entry /arg0 == &sensor_queue/ { @[caller] = count(); }", rf"(?:  {PLACE} +\d+\n)+", r"sensor_isr\+0x"),
    Example("3", "How long does `queue_put` take?", """queue_put:entry { self->t = timestamp; }
queue_put:return /self->t/ { @["ns"] = quantize(timestamp - self->t); self->t = 0; }""", rf"  ns *\n{PICTURE}", r"Distribution"),
    Example("4", "How full is the queue, in the middle of a function?", 'queue.c:44 { printf("%s: %d of %d, irq state %x\\n", stringof(q->name), q->count, q->size, state); }',
            r"(?:(?:sensor|result): \d+ of 64, irq state [0-9a-f]+\n){3}"),
    Example("6", "Which reader loses messages? The hunt of the tutorial in one line.", """queue_get*:entry /q == &sensor_queue/ { this->n = (int)(q->puts - q->gets - q->count);
    @[last] = sum(this->n > lost ? this->n - lost : 0); lost = this->n; last = probefunc; }""",
            r"(?:  (?:queue_get)? +\d+\n)*  queue_get_batch +[1-9]\d*\n(?:  +\d+\n)?", r"queue_get_batch +[1-9]", load=True),
    Example("7", "By how many nanoseconds does each task wake late, at most?",
            """task_sleep_ms:entry { self->t = timestamp; self->ms = arg0; }   /* by how many ns do sleepers wake late? */
task_sleep_ms:return /self->t/ { @[execname] = max(timestamp - self->t - self->ms * 1000000ll);
    self->t = 0; self->ms = 0; }""",
            r"(?:  [a-z]\w* +-?\d+\n)+", r"  [a-z]\w* +-?\d"),
    Example("8", "How long does each task run?", "sched_switch:entry /since/ { @[stringof(from->name)] = sum(timestamp - since); }\n"
                 "sched_switch:entry { since = timestamp; }   /* run time per task */", r"(?:  [a-z]\w* +\d+\n){2,}", r"  idle +\d"),
    Example("10", "What does the batch reader see, in each round of its loop?",
            'queue.c:79 { @["batch", n, left] = count(); @d = lquantize(q->count, 0, 64, 4); }   dtrace:::ERROR { exit(2); }',
            rf"(?:  batch  \d+  \d+ +\d+\n)+\n*{PICTURE}|{PICTURE}\n*(?:  batch +\d+ +\d+ +\d+\n)+", r"Distribution", load=True),
]


def shaped(example, output):
    """The end of the output that has the shape, or None."""
    found = re.search(rf"(?:^|(?<=\n))(?:{example.shape})(?=\n*\Z)", output)
    return found and found[0]


def run(ask, example, folder):
    """Run the program until it has printed enough. Returns all of its output."""
    file = folder / f"{example.name}.d"
    file.write_text(f"{example.program}\n", encoding="utf-8")
    if not example.until:
        result = ask("-s", file, "-q", "--count", 3)
        assert result.status == 0, result.stderr
        return result.stdout
    running = ask.start("-s", file, "-q", "--live")
    running.out.expect(example.until)
    ended = running.interrupt()
    assert ended.status == 130, ended.stderr
    return ended.stdout


def documented():
    """Name -> (program, output) of the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    blocks = re.findall(r"^\*\*(\d+)\.\*\* .*?^```d\n(.*?)\n```\n\n```text\n(.*?)^```$", text, re.M | re.S)
    return {name: (program, output) for name, program, output in blocks}
