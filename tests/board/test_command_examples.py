# SPDX-License-Identifier: BSD-2-Clause
"""The examples of `dprobes help --json` and of the manual page, each on a board that dprobes.conf names."""
import re
import shlex
import shutil

import pytest

import cpus
import tables
from harness.paths import TOP, built

pytestmark = pytest.mark.nightly
BOARD = cpus.boards()[0]
EXAMPLES = [words for _, words, _ in tables.rows("host/command/cli_examples.def", "EXAMPLE")] + [
    words.replace('\\"', '"') for _, words in tables.rows("host/command/cli_option_examples.def", "OPTION_EXAMPLE")]
# A device of the reader, services (below), and servers for another program.
NOT_HERE = [words for words in EXAMPLES if "/dev/" in words or words.startswith(("serve --board", "gdb")) or words == "console --pty"]
LOST = 'name = "lost"\nvars = 1\nmajor = 1\ngroupdef = queues\ntypedef = counts\noffset = queue_put\nminor = 1\ngroup = queues\ntype = counts\n\tinc lv, 0\n\tpush r, lr\n\tlog 1\n\texit\n'
CALLERS = "queue_put:entry { @[caller] = count(); stack(); }\n"
TEMPLATE = (TOP / "boards/demo/1-callers.tpl").read_text(encoding="utf-8")
INSERT, RECORD = "insert lost.dp --replace", "record night.dpc --for 1s"
# What stands before an example in a day's work.
BEFORE = {"disasm": ["build lost.dp"], "remove": [INSERT], "list": [INSERT], "vars": [INSERT], "aggs": ["insert callers.d"], "log": [INSERT],
          "record": [INSERT], "report": ["insert callers.d", RECORD, RECORD.replace("night", "stacks")]}
# What ends an example that runs until somebody ends it, or that asks other boards.
INSTEAD = {"top": "top --for 1s", "flame --by-task --option stackbytes=512 -o time.folded":
           "flame --by-task --option stackbytes=512 -o time.folded --for 1s", "read 'sensor_queue.count' --every 0.5": "read 'sensor_queue.count' --every 0.5 --count 2",
           "ports --ask": "ports"}
# A write wants an agent that permits it; the demo of this board does not.
REFUSED = {"write sensor_queue.flushed 0 --write": "the agent only reads: build the firmware with "}


@pytest.mark.parametrize("example", [words for words in dict.fromkeys(EXAMPLES) if words not in NOT_HERE])
def test_example(example, qemu, dprobes, tmp_path):
    machine = qemu(BOARD).free_when_up()
    elf = built("boards", BOARD, "demo.elf")
    (tmp_path / "dprobes.conf").write_text(f"elf = {elf}\nport = {machine.url('com1')}\n[desk]\nport = {machine.url('com1')}\n")
    (tmp_path / "lost.dp").write_text(LOST)
    (tmp_path / "callers.d").write_text(CALLERS)
    shutil.copy(elf, tmp_path / "firmware.elf")
    (tmp_path / "lost.tpl").write_text(TEMPLATE)
    (tmp_path / "board.key").write_text(32 * "0")
    (tmp_path / "board.key").chmod(0o600)
    for folder in ("include", "providers"):
        (tmp_path / folder).mkdir()

    def run(words):
        words = re.sub(r"--for \S+", "--for 1s", INSTEAD.get(words, words)).replace("login:", "demo>")
        return dprobes(*shlex.split(words), cwd=tmp_path, stdin="\n" if words.startswith("console") else None,
                       env={"XDG_RUNTIME_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)})

    for words in BEFORE.get(example.split()[0], []):
        done = run(words)
        assert done.status == 0, (words, done.stderr)
    done = run(example)
    if example in REFUSED:
        assert done.status == 4 and REFUSED[example] in done.stderr, done.stderr
    else:
        assert done.status == 0, done.stderr


def test_a_service_of_a_board(qemu, dprobes, tmp_path):
    machine = qemu(BOARD).free_when_up()
    (tmp_path / "dprobes.conf").write_text(f"[desk]\nport = {machine.url('com1')}\n")
    service = dprobes.start("serve", "--board", "desk", cwd=tmp_path, env={"XDG_RUNTIME_DIR": str(tmp_path)})
    service.err.expect("serving")
    assert dprobes("list", "--board", "desk", cwd=tmp_path, env={"XDG_RUNTIME_DIR": str(tmp_path)}).status == 0
    assert service.interrupt().status == 130
