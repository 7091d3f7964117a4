# SPDX-License-Identifier: BSD-2-Clause
"""How long the agent masks interrupts: the longest stretch of each function that masks them, and of each request, in
guest instructions, counted exactly (scons bench). The calls of `put` and `write` count as well. Hits: bench_hit.py.
"""
import re
import socket
import subprocess
import zlib

import pytest

import sources_mk
from harness import wire
from harness.paths import TOP, built, program

BOARDS = ["vexpress-a9", "malta", "bamboo"]
PROBES = 6
PROGRAM = 'name = "bench"\nvars = 4\n' + "".join(
    f"offset = queue_put+{{{i}}}\nminor = {i}\ninc lv, {i % 4}\npush lv, {i % 4}\nlog 1\nexit\n" for i in range(PROBES))
# Functions that mask interrupts also without a request; all others are a request's.
OWN = {"dp_console_write", "dp_draft_send", "dp_end_held", "dp_notice_put", "dp_poll", "dp_rx", "dp_status_line",
       "dp_transmit_some", "end_writers", "dp_patrol", "check_program", "queue_request"}
HELLO, LIMITS, MODULE, STATUS, CLOSE, BEGIN, DATA, CHECK, COMMIT = 1, 2, 3, 4, 5, 0x10, 0x11, 0x12, 0x13
REMOVE, PROGRAM_OF, PROBE, NAME, VARS, ORIGINAL, LOG, TEXT = 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x30, 0x31


class Host:
    """Sends a request at a time on a socket, and waits for the answer."""

    def __init__(self, url):
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(url.removeprefix("unix:"))
        self.line.settimeout(60)
        self.splitter, self.seq, self.session, self.nonce = wire.Splitter("ZKRSPYN"), 0, 0, 0

    def ask(self, command, arguments=b""):
        self.seq = (self.seq + 1) % 256
        self.line.sendall(wire.control("Q", self.session, self.seq, bytes([command]) + arguments, self.nonce))
        while True:
            for kind, value in self.splitter.feed(self.line.recv(4096)):
                found = wire.parse_control(value, self.session, self.nonce) if kind == "line" and value[1] == "Z" else None
                if found and found[0] == self.seq:
                    assert found[1][1] == 0, f"request {command:02x}: error {found[1][1]}"
                    return found[1][2:]


def disassembly(board, elf):
    """(function, address, text) of each instruction."""
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    listing = subprocess.run([program(cross + "objdump"), "-d", "--no-show-raw-insn", elf],
                             capture_output=True, text=True, check=True).stdout
    function = ""
    for line in listing.splitlines():
        if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function = head[1]
        elif found := re.match(r"\s*([0-9a-f]+):\t(.*)$", line):
            yield function, int(found[1], 16), found[2]


@pytest.mark.parametrize("board", BOARDS)
def test_masked(board, counted, dprobes, tmp_path, capsys):
    elf = built("boards", board, "demo.elf")
    code = list(disassembly(board, elf))
    calls = [(function, address) for function, address, text in code if re.search(r"<\w*dp_port_mask>", text)]
    assert len(calls) > 8
    entry = [address for function, address, _ in code if function == "queue_put"]
    source, built_object = tmp_path / "bench.dp", tmp_path / "bench.ppdf"
    text = PROGRAM
    for i in range(PROBES):
        text = text.replace(f"{{{i}}}", str(entry[i] - entry[0]))
    source.write_text(text)
    line = ["--elf", elf]
    made = dprobes("build", *line, "-o", built_object, source, sanitized=False)
    assert made.status == 0, made.stderr
    mask = next(name for name in (f for f, _, _ in code) if name.endswith("dp_port_mask"))
    machine, counter = counted(board, {}, masked=(mask, mask.replace("_mask", "_unmask"), calls))
    machine.com1.expect("demo>")
    result = requests(Host(machine.url("com2")), counter, machine, travelling(built_object))
    with capsys.disabled():
        print(f"\n{board}: longest masked stretch, instructions")
        for name, count in sorted(result.items()):
            print(f"{count:8}  {name}")


def travelling(path):
    data = path.read_bytes()
    return data[:int.from_bytes(data[8:12], "big")]


def requests(host, counter, machine, data):
    """{request or function: longest stretch}"""
    result = {}

    def ask(name, command, arguments=b""):
        """The stretches until the answer are the request's, but for those of a function of their own. Also each
        function's longest."""
        since = {function: len(counts) for function, counts in counter.counts().items()}
        answer = host.ask(command, arguments)
        for function, counts in counter.counts().items():
            shown = re.sub("^dprobes_core_", "dp_", function)
            for key in {shown, shown if shown in OWN else f"request {name}"}:
                result[key] = max([result.get(key, 0), *counts[since.get(function, 0):]])
        return answer

    answer = ask("HELLO", HELLO, bytes([wire.VERSION]) + (77).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE]) + b"bench")
    host.session, host.nonce = 77, int.from_bytes(answer[36:44], "big")
    ask("LIMITS", LIMITS)
    ask("MODULE", MODULE, b"\0\0")
    number = ask("BEGIN", BEGIN, len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big"))
    for at in range(0, len(data), 48):
        ask("DATA", DATA, number + at.to_bytes(4, "big") + data[at:at + 48])
    ask("CHECK", CHECK, number + b"\x08\0")
    ask("COMMIT", COMMIT, number + b"\x08\0")
    ask("STATUS", STATUS)
    ask("PROGRAM", PROGRAM_OF, b"\0")
    ask("PROBE", PROBE, bytes([0, PROBES - 1]))
    ask("NAME", NAME, b"\0\0")
    ask("VARS", VARS, b"\0\0\0\4\1")
    ask("ORIGINAL", ORIGINAL, b"\0\0")
    ask("LOG", LOG, b"\xfe\xfe")
    machine.com1.send("stats\n")
    for _ in range(150):  # records leave, the patrol comes round, the shell prints
        ask("STATUS", STATUS)
    ask("REMOVE", REMOVE, b"\0")
    ask("CLOSE", CLOSE)
    return result
