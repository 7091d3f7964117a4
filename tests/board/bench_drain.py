# SPDX-License-Identifier: BSD-2-Clause
"""What a record costs on its way out: guest instructions of dp_poll for each record of a backlog, counted exactly, and
characters on the line (scons bench). One row has its part of a line, and one the whole poll but for what an idle poll
takes. BENCH_PROFILE=1 in the environment prints where they go. Records that gather while the log has no line are the backlog.
"""
import os
import statistics
import time

import pytest

import cpus
from bench_masked import Host
from harness import paths, wire

BOARDS = cpus.boards()
# The values are random (a generator in the handler), or typical: a pointer and a small number.
RANDOM = "push lv, 0\npush 1664525\nmul\npush 1013904223\nadd\npop lv, 0\npush lv, 0\n"
PROGRAMS = {
    "two random words": f"{RANDOM}{RANDOM}push lv, 0\nlog 2\nexit\n",
    "pointer and small number": "push r, {pointer}\ninc lv, 0\npush lv, 0\npush 63\nand\nlog 2\nexit\n",
}
LOG, NONE, COM2, BUFFERED = 0x30, 0xff, 1, 1
FORMS = {"hexadecimal": 0, "compact": 1}
LINES = 40


class Listener(Host):
    """Keeps the lines of records."""

    def lines(self, count):
        """The next whole lines of records, as (length, records)."""
        found = []
        while len(found) < count:
            for kind, value in self.splitter.feed(self.line.recv(4096)):
                if kind == "line" and value[1] in "RSrs":
                    found.append(value)
        return found


def records_in(lines):
    """Records of each line but the last, by the number of the next."""
    digits = [wire.compact_digits(line)[1] if line[1].islower() else line[2:] for line in lines]
    numbers = [int(text[1:4], 16) for text in digits]
    return [(after - before) % 4096 for before, after in zip(numbers, numbers[1:])]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("board, form", [*((board, "hexadecimal") for board in BOARDS), (BOARDS[0], "compact")])
def test_drain(board, form, name, counted, dprobes, tmp_path, capsys, limits):
    profile = "BENCH_PROFILE" in os.environ
    elf = paths.built("boards", board, "demo.elf")
    source = tmp_path / "bench.dp"
    source.write_text(f'name = "bench"\nvars = 1\noffset = queue_put\n{PROGRAMS[name]}'.replace("{pointer}", cpus.of_board(board).arguments[0]))
    # A poll with what its task does behind it; of it the lines, from the copy of the stream's state to the sending.
    machine, counter = counted(board, {"poll": ("dp_poll", "task_sleep_ms"), "line": ("dp_draft_begin", "dp_draft_send")},
                               trace=profile)
    machine.com1.expect("demo>")
    inserted = dprobes("insert", "--port", machine.url("com2"), "--elf", elf, source, sanitized=False)
    assert inserted.status == 0, inserted.stderr
    host = Listener(machine.url("com2"))
    host.splitter = wire.Splitter("ZKRSPYNrsp")
    answer = host.ask(1, bytes([wire.VERSION]) + (77).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE]) + b"bench")
    host.session, host.nonce = 77, int.from_bytes(answer[36:44], "big")
    host.ask(LOG, bytes([NONE, BUFFERED]))
    machine.com1.send("load on\n")
    before = len(counter.counts()["poll"])
    while len(counter.counts()["poll"]) < before + 3000:
        time.sleep(0.1)  # ended by the time limit at the latest
    idle = statistics.median(counter.counts()["poll"][before:])
    # Of 16 polls without work one looks for all work, the patrol's too.
    looks = sorted(counter.counts()["poll"][before:])[-3000 // 32]
    before = {window: len(counts) for window, counts in counter.counts().items()}
    host.ask(LOG, bytes([COM2, BUFFERED, FORMS[form]]))
    lines = host.lines(LINES)
    after = counter.counts()
    polls = sorted(count for count in after["poll"][before["poll"]:] if count > 1.5 * looks)
    # Interrupts come in some lines, and in more than half of them where other processes slow the machine down.
    built = sorted(after["line"][before.get("line", 0):][:LINES])[LINES // 4]
    records = records_in(lines)
    each = sum(records) / len(records)
    characters = sum(len(line) for line in lines[:-1]) / sum(records)
    # As many characters go in a poll as it may send: DP_POLL_BYTES.
    cost = (polls[len(polls) // 4] - idle) * characters / 256
    with capsys.disabled():
        print(f"\n{board:12} {name:25} {form:12} {cost:5.0f} instructions a record, {built / each:4.0f} of them its part of a line; "
              f"{characters:5.2f} characters, {each:.2f} records a line; {idle:.0f} an idle poll")
        if profile:
            for function, count in counter.profile("line", slice(before.get("line", 0) + 8, before.get("line", 0) + 9)):
                print(f"{count:8}  {function}")
    # The boards' clocks are fast: a difference of times has 5 digits in most records. With 3 digits the two take 26.8 and
    # 17.7 characters: test_agent_records.c.
    what = f"drain, {board}: {name}" + (", compact" if FORMS[form] else "")
    limits.check({f"{what}, characters": characters}, slack=0)
    limits.check({f"{what}, instructions": round(built / each)})
    limits.check({f"{what}, instructions of the whole poll": round(cost)})
