# SPDX-License-Identifier: BSD-2-Clause
"""How long the agent masks interrupts: the longest stretch of each function that masks them, and of each request, in
guest instructions, counted exactly (scons bench). The calls of `put` and `write` count as well. A hit masks interrupts from
its trap on: the shortest one, whose handler has seven instructions, logs a word and adds to a map. More hits: bench_hit.py.
dp_console_flush masks in dp_transmit_some alone.

REMOVE takes the first program away from before a big one, which moves. Every request of commands.def is sent, and so is the
typed line.
"""
import re
import socket
import subprocess
import zlib

import pytest

import cpus
import sources_mk
from harness import keyed, wire
from harness.paths import TOP, built, program

BOARDS = cpus.boards()
PROBES = 6
NO_RIGHT, UNKNOWN = 72, 64  # of an agent that only reads: it stops nothing
# A map that the first probe fills, and code that makes the program big.
PROGRAM = 'name = "{name}"\nvars = 4\nmap = count 1 64\n' + "".join(
    f"offset = queue_put+{{{i}}}\nminor = {i}\ninc lv, {i % 4}\npush lv, {i % 4}\n"
    + ("push lv, 0\npush 31\nand\nadd map, 0\n" if i == 0 else "") + "log 1\nexit\n" + ("push 1\n" * 1000 + "exit\n" if i == 0 else "")
    for i in range(PROBES))
# Functions that mask interrupts also without a request; all others are a request's.
OWN = {"dp_console_write", "dp_draft_send", "dp_end_held", "dp_notice_put", "dp_poll", "dp_rx", "dp_status_line",
       "dp_quiescent", "dp_transmit_some", "copy_piece", "look_for_room", "dp_patrol", "check_program", "queue_request", "run_next"}
REQUESTS = {name: int(number, 16) for number, name in re.findall(
    r"^DP_CMD\((0x[0-9a-f]+), (\w+),", (TOP / "protocol/commands.def").read_text(), re.MULTILINE)}
# The agent's aim, 200 instructions and one `put` of the demo, and the requests above it: a write of text with its caches is one
# stretch, and so is the opening of a session; a read of eight bytes finds their row, and reads them between two accesses of
# the firmware. A hit takes longer than that. run_next stores and starts the answer of any request.
AIM = 225
ABOVE = {"COMMIT", "HELLO", "MEMORY", "REMOVE"}
# Longest stretch of each request, as measured last; more by 5 % and 10 instructions fails.
MEASURED = {row.board: row.masked for row in cpus.rows()}


class Host:
    """Sends a request at a time on a socket, and waits for the answer."""

    def __init__(self, url):
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(url.removeprefix("unix:"))
        self.line.settimeout(60)
        self.splitter, self.seq, self.session, self.nonce = wire.Splitter("ZKRSPYN"), 0, 0, 0

    def ask(self, command, arguments=b"", errors=(0,)):
        self.seq = (self.seq + 1) % 256
        self.line.sendall(wire.control("Q", self.session, self.seq, bytes([command]) + arguments, self.nonce))
        while True:
            for kind, value in self.splitter.feed(self.line.recv(4096)):
                found = wire.parse_control(value, self.session, self.nonce) if kind == "line" and value[1] == "Z" else None
                if found and found[0] == self.seq:
                    assert found[1][1] in errors, f"request {command:02x}: error {found[1][1]}"
                    return found[1][2:]

    def type(self, text, answer):
        """Console text, and the words that answer it."""
        self.line.sendall(text)
        said = b""
        while answer not in said:
            said += b"".join(value for kind, value in self.splitter.feed(self.line.recv(4096)) if kind == "text")


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
    objects = []
    for name in ("first", "second"):
        text = PROGRAM.replace("{name}", name)
        for i in range(PROBES):
            text = text.replace(f"{{{i}}}", str(entry[i] - entry[0]))
        source.write_text(text)
        made = dprobes("build", "--elf", elf, "-o", built_object, source, sanitized=False)
        assert made.status == 0, made.stderr
        objects.append(travelling(built_object))
    mask = next(name for name in (f for f, _, _ in code) if name.endswith("dp_port_mask"))
    machine, counter = counted(board, {"hit": (entry[0], entry[1])}, masked=(mask, mask.replace("_mask", "_unmask"), calls))
    machine.com1.expect("demo>")
    cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
    symbols = subprocess.run([program(cross + "nm"), elf], capture_output=True, text=True, check=True).stdout
    variable = int(re.search(r"^([0-9a-f]+) . load_results$", symbols, re.MULTILINE)[1], 16) & 0xFFFFFFFF
    result = requests(Host(machine.url("com2")), counter, machine, objects, variable)
    with capsys.disabled():
        print(f"\n{board}: longest masked stretch, instructions")
        for name, count in sorted(result.items()):
            print(f"{count:8}  {name}")
    asked = {name.removeprefix("request ") for name in result if name.startswith("request ")}
    assert asked == set(REQUESTS), "each request of commands.def is measured"
    for name in asked - ABOVE:
        assert result[f"request {name}"] <= AIM, name
    assert set(MEASURED[board]) == asked
    for name, measured in MEASURED[board].items():
        count = result[f"request {name}"]
        assert count <= max(measured * 1.05, measured + 10), f"{name}: {count}, it was {measured}"


# Functions of agent/request/secret.c that take the lock.
SECRET = re.compile(r"(dp|dprobes_core)_secret_\w+|first_half|second_half|round_of|begin|block|end")


@pytest.mark.parametrize("board", BOARDS)
def test_masked_by_a_hash(board, counted, limits, tmp_path):
    """The longest stretch of the hash of a sealed session: of a proof, of requests and of answers."""
    elf = keyed.firmware(board, tmp_path)
    code = list(disassembly(board, elf))
    calls = [(function, address) for function, address, text in code if re.search(r"<\w*dp_port_mask>", text)]
    mask = next(name for name in (f for f, _, _ in code) if name.endswith("dp_port_mask"))
    entry = [address for function, address, _ in code if function == "queue_put"]
    machine, counter = counted(board, {"hit": (entry[0], entry[1])}, elf=elf, masked=(mask, mask.replace("_mask", "_unmask"), calls))
    machine.com1.expect("demo>")
    host, key = Host(machine.url("com2")), bytes.fromhex(keyed.KEY)
    answer = host.ask(REQUESTS["HELLO"], bytes([wire.VERSION]) + (77).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE]))
    host.session, host.nonce = 77, int.from_bytes(answer[36:44], "big")
    host.ask(REQUESTS["PROVE"], wire.proof(key, host.nonce, 77, wire.ALL_BUT_WRITE, b"\1") + b"\1")
    session = wire.session_key(key, host.nonce, 77, wire.ALL_BUT_WRITE)
    for count in range(1, 9):
        host.line.sendall(wire.sealed(session, "Q", count, bytes([REQUESTS["STATUS"]])))
        said = b""
        while b"~Z" not in said or not said.endswith(b"\n"):
            said += host.line.recv(4096)
    counts = [counts for function, counts in counter.counts().items() if SECRET.fullmatch(function.partition(".")[0])]
    limits.check({f"masked, {board}: half a round of the hash": max(map(max, filter(None, counts)))})


def travelling(path):
    data = path.read_bytes()
    return data[:int.from_bytes(data[8:12], "big")]


def requests(host, counter, machine, objects, variable):
    """{request or function: longest stretch}. variable: the address of one that nobody writes meanwhile."""
    result = {}

    def during(name, use):
        """The stretches meanwhile are `name`'s, but for those of a function of their own. Also each function's longest."""
        since = {function: len(counts) for function, counts in counter.counts().items()}
        answer = use()
        for function, counts in counter.counts().items():
            shown = function.partition(".")[0]
            for key in {shown, shown if shown in OWN else name} if function != "hit" else ():
                result[key] = max([result.get(key, 0), *counts[since.get(function, 0):]])
        return answer

    def ask(name, arguments=b"", errors=(0,)):
        return during(f"request {name}", lambda: host.ask(REQUESTS[name], arguments, errors))

    def install(data):
        number = ask("BEGIN", len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big"))
        for at in range(0, len(data), 48):
            ask("DATA", number + at.to_bytes(4, "big") + data[at:at + 48])
        ask("CHECK", number + b"\x08\0")
        ask("COMMIT", number + b"\x08\0")

    answer = ask("HELLO", bytes([wire.VERSION]) + (77).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE | wire.RIGHTS["WRITE"]]) + b"bench")
    host.session, host.nonce = 77, int.from_bytes(answer[36:44], "big")
    ask("PROVE", bytes(8))
    ask("LIMITS")
    image = ask("MODULE", b"\0\0")
    for data in objects:
        install(data)
    for name, arguments in (("STATUS", b""), ("PROGRAM", b"\0"), ("PROBE", bytes([0, PROBES - 1])), ("NAME", b"\0\0"),
                            ("PROBES", bytes([0, 0, PROBES])), ("VARS", b"\0\0\0\4\1"), ("ORIGINAL", b"\0\0"), ("RANGES", b"\0"),
                            ("LOG", b"\xfe\xfe"), ("HARDWARE", b""), ("SITE", b"\0\0\1")):
        ask(name, arguments)
    place = (variable & ~7).to_bytes(4, "big")  # the most accesses of one stretch
    ask("STORE", bytes(4) + place + ask("MEMORY", b"\0" + place + b"\x08")[2:], (0, NO_RIGHT))
    machine.com1.send("stats\n")
    for _ in range(150):  # records leave, the patrol comes round, the shell prints
        ask("STATUS")
    for how in range(3):
        ask("MAP", bytes([0, 0, 0, 0, how]))
    ask("RESEND", bytes(10))
    ask("FLIGHT", b"\0\xff\xff\xff\xff")
    ask("EMBED")
    for name, arguments in (("CORE", place + b"\x04\0\0"), ("HALT", b"\0\0"), ("REGS", b"\0\0\1"), ("STEP", bytes(10)), ("RESUME", b"")):
        ask(name, arguments, (0, UNKNOWN))
    base = int.from_bytes(image[2:10], "big")
    ask("TEXT", base.to_bytes(8, "big") + (8192).to_bytes(4, "big") + b"\1")
    ask("STOP", b"\0")
    ask("REMOVE", b"\0")
    ask("REMOVE", b"\xff")
    install(objects[0])
    during("typed line", lambda: host.type(b"~dprobes remove\n", b"dprobes: 1 program(s) removed"))
    ask("CLOSE")
    result["hit"] = min(count for count in counter.counts()["hit"] if count > 1)
    return result
