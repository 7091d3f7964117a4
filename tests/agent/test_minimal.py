# SPDX-License-Identifier: BSD-2-Clause
"""The agent without any feature of protocol/features.def (configuration minimal): what is left works as
in the whole one, and what is not there is refused, with a sentence, before anything changes. What of that the small
one has not either is refused by it in the same way; what it does with its features: test_small.py. Agents with each
feature alone and without each feature: test_features.py."""
import concurrent.futures
import os
import pathlib
import re
import socket
import subprocess
import zlib

import pytest

import tables
from harness import wire
from harness import agents, conformance, process, tool
from harness.paths import TESTS, built
from harness.ppdf import Ppdf, ops
from harness.session import FEATURE_OF, FEATURES, parts_of_features

PARTS = {name: (int(number), sentence)
         for number, name, _, sentence in tables.rows("protocol/parts.def", "DP_PART")}
ERRORS = {name: (int(number), sentence)
          for name, number, sentence in tables.rows("protocol/errors.def", "DP_ERR")}
CASES = [case for case in conformance.cases(TESTS / "language" / "conformance") if "path" not in case.values]
# Agents, the features they have, and the parts.
FEATURES_OF = {"minimal": set(), "small": {"SHARED_LINE", "TEXT"}}
AGENTS = {agent: parts_of_features(features) for agent, features in FEATURES_OF.items()}
# Of the first start of an agent with INTEGRITY, without a clock and without entropy of the board.
FIRST_NONCE = 1 << 8
LIMITS = "logmax = 32\nexcpt_log = 0\n"
GOOD = f"name = good\n{LIMITS}offset = hot\npush 7\nlog 1\nexit\n"
# What needs each part, as an instruction of a program.
INSTRUCTIONS = {
    "TRACES": ["log st", "purge st", "trace pv", "push stp"],
    "HANDLERS": ["sx out", "ux", "push x", "rx"],
    "CALLS": ["call f", "push tsp, 1", "push sbp, 0", "save sbp"],
    "INDEXED": ["push lv", "inc gv", "log lv"],
    "BYTES": ["log mrf", "log str"],
    "BITS": ["div", "idiv", "rol 3", "pbr 4"],
    "GLOBALS": ["push gv, 0", "inc gv, 0"],
    "STATE": ["setmin", "setmin 1", "setmaj", "setmaj 1", "push lp", "pop lp", "push plp", "push pid", "push procid",
              "vfyr", "vfyrw"],
    "LONG": ["ladd", "lmul"],
    "STRINGS": ["push name, 4", "push str, 4", "cmp str, 4", "find 16"],
    "STOPS": ["stop"],
    "FLIGHT": ["freeze"],
    "WATCHED": ["push wpaddr", "push wpold", "push wpnew"],
}
# Needed by instructions that name a map of the file header, as "push map".
OF_HEADERS = {"MAPS"}


def opcodes(path, folder):
    """The program with an opcode at each probe: build asks for it where simulate does not."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if not re.search(r"^\s*opcode\s*=", text, re.M | re.I):
        text = re.sub(r"^(\s*offset\s*=.*)$", r"\1\nopcode = 0x10000000", text, flags=re.M | re.I)
    copy = folder / f"{pathlib.Path(path).stem}-opcode.dp"
    copy.write_text(text, encoding="utf-8")
    return copy


def needed_parts(path, word):
    """The parts that an object uses: its code by opcode, and its header."""
    part_of = {op.code: op for op in ops()}
    sizes = {"NONE": 0, "COUNT": 1, "U8": 1, "LV": 1, "GV": 1, "IMM8": 1, "MAP": 1, "IMMW": word // 8}
    found, at, object_ = set(), 0, Ppdf(path.read_bytes())
    while at < len(object_.code):
        op = part_of[object_.code[at]]
        found.add(op.part)
        at += 1 + sizes.get(op.operand, 2)
    return found - {"CORE"} | ({"TRACES"} if object_.flags & 2 else set()) | ({"GLOBALS"} if object_.gvars else set())


def test_conformance(tmp_path, amount):
    """Every case that needs no left-out instruction gives the same records; the others are refused. Each twenty-fifth
    case, and all of them at night."""
    numbers = range(0, len(CASES), amount(25, 1))
    minimal, whole = built("host-asan-minimal", "dprobes"), tool.Tool()

    def one(number):
        case = CASES[number]
        word, endian = case.forms()[0]
        path = tmp_path / f"{number}.dp"
        wrong = case.run(minimal, str(path), word, endian)
        if wrong is None or ERRORS["LEFT_OUT"][1] not in wrong:
            return number, wrong, None
        object_ = tmp_path / f"{number}.ppdf"
        arguments = [a for a in case.values.get("args", "").split() if a.startswith("-D")]
        run = whole("build", "--cpu", case.values.get("cpu", "sim"), "--word", str(word), "--endian",
                    endian, "--write", *arguments, "--output", object_, opcodes(path, tmp_path))
        return number, None, run.stderr if run.status else needed_parts(object_, word)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(one, numbers))
    wrong = [text for _, text, _ in results if text]
    assert not wrong, "\n\n".join(wrong[:5])
    refused = {CASES[number].name: parts for number, _, parts in results if parts is not None}
    unfounded = [name for name, parts in refused.items() if not isinstance(parts, set) or not parts]
    assert not unfounded, f"refused without need: {unfounded}"
    seen = set().union(*refused.values())
    known = set(INSTRUCTIONS) | OF_HEADERS
    assert seen == known or len(numbers) < len(CASES) and seen < known, seen
    assert seen and len(numbers) - len(refused) > len(numbers) / 6, f"{len(refused)} of {len(numbers)} cases refused"


def missing_features(agent):
    """As info lists them: in the order of their first parts."""
    return list(dict.fromkeys(FEATURE_OF[part] for part in PARTS if part not in AGENTS[agent]))


def using(instruction, offset="hot"):
    """A program with the instruction in line 8."""
    proc = "proc f\nret\nendproc\n" if instruction.startswith("call") else ""
    gvars = "gv" in instruction
    place = "address = 0x2000\nwatchpoint = w" if "wp" in instruction else f"offset = {offset}\npush 0"
    return (f"name = t\nvars = 1\n{LIMITS}gvars = {gvars:d}\n{place}\n{instruction}\n"
            f"out: exit\n{proc}")


@pytest.fixture
def own_firmware(tmp_path):
    """The firmware of tests/lib/tools/main with agent and protocol, some features of them left out, linked."""
    def build(main, files, **features):
        return agents.firmware(main, agents.Objects(), tmp_path, files, [f"-DDP_WITH_{name}={value}" for name, value in features.items()])
    return build


@pytest.mark.parametrize("storm", [0, pytest.param(1, marks=pytest.mark.nightly)])
def test_own_text_tears_no_frame(own_firmware, tmp_path, storm):
    """dp_agent.h: the rest of a frame that is half sent goes first, also where nothing is served from hits."""
    files, _ = agents.agent_files()
    assert own_firmware("firmware_text.c", files, STORM=storm).returncode == 0
    hello = wire.control("Q", 0, 1, bytes([1, wire.VERSION]) + (77).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE]))
    run = subprocess.run([tmp_path / "firmware"], input=hello, capture_output=True, check=False)
    assert run.returncode == 0 and re.match(rb"~Z01[0-9A-F]+\ntext\n", run.stdout), run


@pytest.mark.parametrize("storm", [pytest.param(0, marks=pytest.mark.nightly), 1])
def test_own_text_needs_the_feature(own_firmware, storm):
    """Without SHARED_LINE the line is the agent's alone: a firmware that prints on it does not link."""
    files = agents.files_of(set(FEATURES) - {"SHARED_LINE"}, FEATURES)
    done = own_firmware("firmware_text.c", files, STORM=storm, SHARED_LINE=0)
    assert done.returncode != 0 and "undefined reference to `dp_console_write'" in done.stderr, done.stderr


def test_probe_without_a_site(own_firmware, dprobes, tmp_path):
    """INTEGRITY ends the probes of a damaged site: they have none, and are told as they are."""
    made = own_firmware("firmware_tables.c", agents.files_of({"INTEGRITY"}, FEATURES), ALL=0, INTEGRITY=1)
    assert made.returncode == 0, made.stderr
    lines, seq = [wire.control("Q", 0, 1, bytes([1, wire.VERSION]) + (77).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE]))], 1

    def ask(command, arguments):
        nonlocal seq
        seq += 1
        lines.append(wire.control("Q", 77, seq, bytes([command]) + arguments, FIRST_NONCE))

    def install(name, transaction):
        source, object_ = tmp_path / f"{name}.dp", tmp_path / f"{name}.ppdf"
        source.write_text(f"name = {name}\n{LIMITS}{AT}exit\n")
        assert dprobes("build", "--cpu", "sim", "--word", "32", "--endian", "little", "--output", object_, source).status == 0
        data = object_.read_bytes()
        data = data[:int.from_bytes(data[8:12], "big")]
        ask(0x10, len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big"))
        for at in range(0, len(data), 48):
            ask(0x11, transaction.to_bytes(2, "big") + at.to_bytes(4, "big") + data[at:at + 48])
        ask(0x13, transaction.to_bytes(2, "big") + ANY)

    install("first", 1)
    lines.append(b"\1")
    install("second", 2)
    ask(0x22, b"\0\0")
    ask(0x21, b"\0")
    run = subprocess.run([tmp_path / "firmware"], input=b"".join(lines), capture_output=True, check=False, timeout=process.TIMEOUT_S)
    assert run.returncode == 0, run
    probe, program = (bytes.fromhex(re.search(rf"^~Z{number:02X}\w\w(\w+)\w{{8}}$", run.stdout.decode(), re.M)[1])
                      for number in (seq - 1, seq))
    assert probe[:2] == b"\x22\0" and probe[3] not in (0, 1), probe.hex()
    assert program[:2] == b"\x21\0" and program[11] == 2, program.hex()  # damaged


@pytest.fixture(params=AGENTS)
def agent(request):
    return request.param


@pytest.fixture
def target(sim_target, agent):
    return sim_target("--hits", 50, "--build-id", profile=agent)


def lacking(rows):
    """The rows, which begin with a part, for each agent that is without it."""
    return [(agent, *row) for agent, parts in AGENTS.items() for row in rows if row[0] not in parts]


@pytest.fixture
def ask(dprobes, target, tmp_path):
    """dprobes on the agent's line; a program's text becomes a file."""
    def run(command, *words, program=None):
        if program is not None:
            path = tmp_path / "t.dp"
            path.write_text(program)
            words = [path, "--sym", target.map, "--dont-verify-opcodes", *words]
        return dprobes(command, *words, "--port", target.url("com1"))
    return run


def assert_as_before(target, ask):
    assert "text original" in target.console("sum", com="com2")
    run = ask("insert", program=GOOD)
    assert run.status == 0, run.stderr
    assert ask("remove", "--all").status == 0


# proves: A3.5
def test_a_session(target, ask, agent):
    run = ask("insert", program=GOOD)
    assert run.status == 0 and "1 probe(s) armed" in run.stdout + run.stderr
    log = ask("log", "--count", "3")
    assert log.status == 0 and log.stdout.count("DProbes(0,0) 07000000") >= 3, log
    assert "good: program 0" in ask("list").stdout
    assert ask("remove", "good").status == 0
    assert "text original" in target.console("sum", com="com2")
    info = ask("info")
    assert "without:  " + " ".join(missing_features(agent)) + " (" in info.stdout, info.stdout


# proves: A3.5
@pytest.mark.parametrize("part", INSTRUCTIONS)
def test_instruction_refused(target, ask, part):
    """By the host, at the line, before a byte is sent."""
    for instruction in INSTRUCTIONS[part]:
        run = ask("insert", program=using(instruction))
        assert run.status == 4, run
        assert f"t.dp:8: the agent was built without {PARTS[part][1]}" in run.stderr, run.stderr
        assert f"DP_WITH_{FEATURE_OF[part]}" in run.stderr
    assert_as_before(target, ask)


@pytest.mark.parametrize("agent, part, words, header", lacking([
    ("TRACES", [], "autostacktrace = yes\n"),
    ("MODULES", [], "modtype = kmod\n"),
    ("ITEMS", ["--log", "PC"], ""),
    ("COM2", ["--log-target", "com2"], ""),
]))
def test_choice_refused(target, ask, part, words, header):
    offset = "0x10" if part == "MODULES" else "hot"
    run = ask("insert", *words, program=f"name = t\n{LIMITS}{header}offset = {offset}\nexit\n")
    assert run.status == 4, run
    assert f"built without {PARTS[part][1]}" in run.stderr, run.stderr
    assert_as_before(target, ask)



@pytest.mark.parametrize("agent, part", lacking([("VARS",)]))
def test_vars_refused(ask, part):
    def refused(*words):
        run = ask("vars", *words)
        assert run.status == 4 and f"built without {PARTS[part][1]}" in run.stderr and run.stdout == "", run

    refused()
    assert ask("insert", program=GOOD).status == 0
    refused()
    refused("--local")
    assert ask("remove", "good").status == 0
    assert ask("insert", program=GOOD.replace("logmax", "vars = 1\nlogmax")).status == 0
    refused("good")


class Line:
    """Requests by hand: the agent judges for itself, whatever a host says."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.socket.settimeout(process.TIMEOUT_S)
        self.seq, self.data, self.nonce = 0, b"", 0
        hello = self.ask(1, bytes([wire.VERSION]) + (77).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE]), session=0)
        self.parts = int.from_bytes(hello[46:50] + hello[30:34], "big")  # more_parts, parts
        self.nonce = int.from_bytes(hello[38:46], "big")

    def ask(self, command, arguments=b"", session=77):
        """Payload of the answer: command, error, ..."""
        self.seq += 1
        self.socket.sendall(wire.control("Q", session, self.seq, bytes([command]) + arguments, self.nonce))
        start = f"~Z{self.seq:02X}".encode()
        while True:
            for line in self.data.split(b"\n")[:-1]:
                if line.startswith(start):
                    self.data = b""
                    return bytes.fromhex(line[6:-8].decode())
            more = self.socket.recv(4096)
            assert more
            self.data += more

    def upload(self, data):
        """BEGIN and DATA; the transaction."""
        transaction = self.ask(0x10, len(data).to_bytes(4, "big") +
                               zlib.crc32(data).to_bytes(4, "big"))[2:4]
        for at in range(0, len(data), 48):
            self.ask(0x11, transaction + at.to_bytes(4, "big") + data[at:at + 48])
        return transaction


@pytest.fixture
def line(target):
    line = Line(target.paths["com1"])
    yield line
    line.socket.close()


def test_hello_tells(line, sim_target, tmp_path, agent):
    assert line.parts == sum(1 << PARTS[name][0] for name in AGENTS[agent])
    whole = Line(sim_target(folder=tmp_path / "whole", profile="full").paths["com1"]) \
        if (tmp_path / "whole").mkdir() is None else None
    assert whole.parts == sum(1 << number for number, _ in PARTS.values())
    whole.socket.close()


@pytest.mark.parametrize("agent, part, command, arguments", lacking([
    ("TEXT", 0x31, bytes(13)),
    ("VARS", 0x24, b"\xff\0\0\1\0"),
    ("VARS", 0x23, b"\0\0"),       # NAME: of a program that is there
]))
def test_request_refused(line, target, ask, part, command, arguments):
    if command == 0x23:
        line.socket.close()
        assert ask("insert", program=GOOD).status == 0
        line.__init__(target.paths["com1"])
    assert line.ask(command, arguments) == bytes([command, ERRORS["LEFT_OUT"][0]]), part


# proves: R5.1 R5.3
@pytest.mark.parametrize("part, text, options, items", [
    *[(part, texts[0], 8, 0) for part, texts in INSTRUCTIONS.items()],
    ("ITEMS", "nop", 8, 1),
])
def test_agent_refuses(line, target, dprobes, tmp_path, part, text, options, items):
    """CHECK and COMMIT of what a host should not have sent."""
    source, object_ = tmp_path / "t.dp", tmp_path / "t.ppdf"
    source.write_text(using(text, "0x08000140\nopcode = 0x10000140"))
    assert dprobes("build", "--cpu", "sim", "--word", "32", "--endian", "little", "--output",
                   object_, source).status == 0
    data = object_.read_bytes()
    transaction = line.upload(data[:int.from_bytes(data[8:12], "big")])
    for command in (0x12, 0x13):
        answer = line.ask(command, transaction + bytes([options, items]))
        assert answer[1] == ERRORS["LEFT_OUT"][0] and len(answer) == (17 if command == 0x12 else 20)
        assert answer[2:13] == b"\0\xff\xff" + bytes(8)  # no CHECKS: nothing is said of the place
        assert answer[-4:] == bytes(4)  # found_above
    assert "text original" in target.console("sum", com="com2")


@pytest.fixture
def uploaded(line, dprobes, tmp_path):
    """Upload what a program became, changed; the transaction."""
    def upload(text, change=lambda data: None):
        source, object_ = tmp_path / "t.dp", tmp_path / "t.ppdf"
        source.write_text(text)
        run = dprobes("build", "--cpu", "sim", "--word", "32", "--endian", "little", "--output", object_, source)
        assert run.status == 0, run.stderr
        data = bytearray(object_.read_bytes())
        data = data[:int.from_bytes(data[8:12], "big")]
        change(data)
        return line.upload(bytes(data))
    return upload


AT = "offset = 0x08000140\nopcode = 0x10000140\n"
ANY = bytes([8, 0])  # whatever the image


# Byte of an object with one module and one point, its new value: what it would be refused for, and without CHECKS is not.
HEADER, MODULE, TRAITS, POINT = 0, 100, 132, 156
RULES = {"reserved header byte": (HEADER + 34, 1), "section kind": (HEADER + 40, 9), "declared groups": (HEADER + 29, 1), "module type": (MODULE + 1, 9),
         "length of a breakpoint": (TRAITS + 5, 2), "maxhits": (TRAITS + 20, 0x80), "before": (POINT + 11, 9)}


def changed(data, at, value):
    """One byte another, and the check as if it belonged there."""
    data[at] = value
    data[-4:] = zlib.crc32(data[:-4]).to_bytes(4, "big")


@pytest.mark.parametrize("what", RULES)
def test_rules(line, target, ask, uploaded, what):
    """What only the program itself would suffer from is the host's business; the agent installs it, and takes it out."""
    at, value = RULES[what]
    transaction = uploaded(f"name = t\n{LIMITS}{AT}push 7\nlog 1\nexit\n", lambda data: changed(data, at, value))
    answer = line.ask(0x13, transaction + ANY)
    assert answer[:2] == b"\x13\0", (what, answer.hex())
    line.socket.close()
    log = ask("log", "--count", "3")
    assert log.status == 0 and log.stdout.count("DProbes(0,0) 07000000") >= 3, log
    assert_as_before(target, ask) if ask("remove", "--all").status == 0 else pytest.fail("remove")


# proves: R5.4
@pytest.mark.parametrize("what, at, value, error", [
    ("magic", HEADER, 0, "BAD_MAGIC"), ("cpu", HEADER + 5, 0x77, "BAD_TARGET"), ("logmax", HEADER + 20, 9, "LIMIT"),
    ("no modules", HEADER + 47, 0, "EMPTY"), ("no traits", HEADER + 59, 0, "EMPTY"), ("no points", HEADER + 71, 0, "EMPTY"), ("global variables", HEADER + 27, 1, "LEFT_OUT"),
    ("section offset", HEADER + 48, 1, "BAD_SECTION"), ("section count", HEADER + 56, 1, "COUNT_OVERFLOW"),
    ("name", HEADER + 30, 1, "BAD_STRING"), ("kind", TRAITS, 1, "NO_WATCHPOINT"), ("unknown kind", TRAITS, 9, "BAD_FIELD"),
    ("timer", TRAITS, 5, "BAD_FIELD"), ("event", TRAITS, 6, "BAD_FIELD"),
    ("unknown phase", TRAITS + 1, 200, "BAD_FIELD"), ("flag", TRAITS + 3, 0x82, "BAD_FIELD"), ("isa", TRAITS + 2, 1, "BAD_FIELD"),
    ("traits", POINT, 1, "BAD_FIELD"), ("module", TRAITS + 4, 1, "BAD_FIELD"),
    ("entry", POINT + 23, 1, "BAD_ENTRY"), ("address", POINT + 4, 0x70, "NOT_TEXT"), ("code", POINT + 26, 0xEE, "BAD_OPCODE"),
    ("version", HEADER + 4, 9, "BAD_VERSION"), ("length in header", HEADER + 11, 1, "TRUNCATED"),
])
def test_rules_that_stay(line, target, uploaded, what, at, value, error):
    """What the firmware or the agent would suffer from is refused whatever the host says."""
    transaction = uploaded(f"name = t\n{LIMITS}{AT}push 7\nlog 1\nexit\n", lambda data: changed(data, at, value))
    for command in (0x12, 0x13):
        assert line.ask(command, transaction + ANY)[1] == ERRORS[error][0], what
    assert "text original" in target.console("sum", com="com2")


def test_damaged_object(line, target, uploaded):
    """Its own check, whatever BEGIN said."""
    transaction = uploaded(f"name = t\n{LIMITS}{AT}push 7\nlog 1\nexit\n", lambda data: data.__setitem__(-1, data[-1] ^ 1))
    assert line.ask(0x13, transaction + ANY)[1] == ERRORS["BAD_CRC"][0]
    assert "text original" in target.console("sum", com="com2")


def test_the_line_is_the_agents(target, line):
    """Text on it reaches nobody, and disturbs nothing."""
    line.socket.sendall(b"hello\n~Q0\n~Qx")
    assert line.ask(4)[:2] == b"\x04\0"
    assert b"hello" not in line.data


def test_on_a_board(qemu, dprobes, tmp_path):
    """vexpress-a9 with the minimal agent on its second UART: a probe runs, and goes. The port is without
    A32: a probe there is refused, and nothing of it stays."""
    elf = built("boards", "vexpress-a9", "minimal", "minimal.elf")
    board = qemu("vexpress-a9", elf=elf)
    board.com1.expect("demo>")
    source = tmp_path / "t.dp"
    source.write_text(f"name = t\n{LIMITS}offset = queue_put\nminor = 3\npush r, r0\npush 5\nlog 2\nexit\n")
    port = ["--port", board.url("com2"), "--elf", elf]
    run = dprobes("run", source, "--count", 5, *port)
    assert run.status == 0, run.stderr
    assert len(re.findall(r"^DProbes\(0,3\) 5 sensor_queue$", run.stdout, re.M)) >= 5, run
    assert dprobes("list", *port[:2]).stdout.count("program") == 0
    source.write_text(f"name = t\n{LIMITS}offset = mix_branches\nexit\n")
    refused = dprobes("insert", source, *port)
    assert refused.status == 4 and ERRORS["LEFT_OUT"][1] in refused.stderr, refused
    assert dprobes("list", *port[:2]).stdout.count("program") == 0
