# SPDX-License-Identifier: BSD-2-Clause
"""dprobes doctor: a board in good order has nothing wrong, each mistake of an integration is found, and a mistake of the
user is none of the integration.

The mistakes are those of lib/target/sim_target.c (--broken), and answers of an agent that PROTOCOL.md allows
(fake_agent.py). The good order is the demo firmware's.
"""
import csv
import re
import socket
import subprocess

import pytest

import cpus
import tables
from harness import fake_agent as fake, paths, sweep
from harness.qemu import parameters

GUIDE = (paths.TOP / "agent" / "README.md").read_text(encoding="utf-8")
TABLE = (paths.TOP / "host/command/doctor_checks.def").read_text(encoding="ascii")
CHECKS = re.findall(r'^CHECK\(\w+, "(.*)"\)$', TABLE, re.M)
FIXES = re.findall(r'^FIX\((\w+), "(.*?)", "(.*)"\)$', TABLE, re.M)
WORKS = ("--hits", 50, "--console", 50)
NEED_HITS = ("traps in the text", "vectors and caches", "slots executable", "probe counted", "ranges", "masked time",
             "text after the removal")


def report(run):
    """(status, {check: (state, sentence)}, the whole report)"""
    found = re.findall(r"^(ok|wrong|not known) +([^:]+): (.*)$", run.stdout, re.M)
    assert {what for _, what, _ in found} <= set(CHECKS)
    return run.status, {what: (state, text) for state, what, text in found}, run.stdout + run.stderr


def examine(dprobes, target, *words, com="com1"):
    return report(dprobes("doctor", "--port", target.url(com), *words))


def wrong(found):
    return [what for what, (state, _) in found.items() if state == "wrong"]


def place(fix):
    """The line of the report that names the place of the guide."""
    return next(f'agent/README.md, section "{section}": {words}\n' for name, section, words in FIXES if name == fix)


def test_places_exist():
    """Each place of the guide has its section, and the words stand in it."""
    assert CHECKS and FIXES
    sections = re.split(r"^(?=(?:\* )?\*\*|## |### )", GUIDE, flags=re.M)
    for _, section, words in FIXES:
        texts = [" ".join(text.split()) for text in sections if re.match(rf"(\* )?(\*\*|## |### ){re.escape(section)}", text)]
        assert texts and any(words in text for text in texts), (section, words)


def test_a_good_target(sim_target, dprobes):
    target = sim_target(*WORKS)
    status, found, text = examine(dprobes, target, "--sym", target.map, "--probe", "hot")
    assert status == 0 and "wrong" not in text and "error" not in text, text
    for what in ("bytes both ways", "hello", "hit path not probeable", "traps in the text", "vectors and caches", "probe counted",
                 "ranges", "time", "console text whole"):
        assert found[what][0] == "ok", text
    assert "the ends of 6 rows" in found["ranges"][1]
    assert found["masked time"] == ("not known", "give the firmware with --elf")
    assert target.text_is_original()


# What is broken -> the check that finds it, words of its sentence, the place of the guide.
MISTAKES = {
    "time": ("time", "does not run", "TICKS"),
    "ranges": ("ranges", "0x20000000", "ROWS"),
    "vectors": ("vectors and caches", "the first hit did not return", "VECTORS"),
    "console": ("console text whole", "torn line", "PRINT"),
    "taken": ("vectors still the agent's", "the vector of trap was taken over: it leads to 0x08000000 (no symbol)", "TAKEN"),
    "clock": ("time", "s passed by tick_hz (1000000)", "TICKS"),
}
# Nobody answers, and why: the firmware prints.
SILENT = {
    "poll": ("the line and the speed are right; nobody calls dprobes_poll", "POLL"),
    "rx": ("the request came back as text: the firmware's shell gets the bytes", "RX"),
    "speed": ("of them are no text: the speed (--baud) is wrong", "SPEED"),
}


# proves: A6.1
@pytest.mark.parametrize("broken", MISTAKES)
def test_a_mistake(broken, sim_target, dprobes):
    target = sim_target(*WORKS, "--broken", broken)
    status, found, text = examine(dprobes, target, "--sym", target.map, "--probe", "hot")
    what, words, fix = MISTAKES[broken]
    assert status == 6 and found[what][0] == "wrong" and words in found[what][1], text
    assert wrong(found) == [what] and place(fix) in text, text


@pytest.mark.parametrize("broken", SILENT)
def test_silence(broken, sim_target, dprobes):
    target = sim_target(*WORKS, "--broken", broken)
    status, found, text = examine(dprobes, target, "--sym", target.map)
    words, fix = SILENT[broken]
    assert status == 3 and found["bytes both ways"][0] == "wrong" and words in found["bytes both ways"][1] and place(fix) in text, text


@pytest.mark.parametrize("free, state", [(40, "ok"), (10, "wrong")])
def test_slots_that_stay_away(free, state, agent, told, tool):
    """No probe is armed, and few slots are free."""
    agent.slots_free = free
    _, found, text = told()
    assert found["slots free"][0] == state and (place("QUIESCENT") in text) == (state == "wrong"), text
    assert ("the firmware does not call dprobes_quiescent" in tool("info").stdout) == (state == "wrong")


def test_the_listing_of_the_guide(sim_target, dprobes):
    """The example of the guide is what the command prints."""
    listing = re.search(r"^```console\n\$ dprobes doctor .*\n((?:.*\n)*?)```$", GUIDE, re.M).group(1)
    target = sim_target(*WORKS, "--broken", "time")
    text = examine(dprobes, target, "--sym", target.map, "--probe", "hot")[2]
    assert all(line in text.splitlines() for line in listing.splitlines()), text


def test_without_a_function(sim_target, dprobes):
    status, found, text = examine(dprobes, sim_target(*WORKS))
    assert status == 0 and {found[what] for what in NEED_HITS} == {
        ("not known", "name a function that is called often with --probe")}, text


# ---- what is no mistake of the integration -----------------------------------------------------

@pytest.mark.parametrize("command, words, fix", [("cat", "the request came back as text", "RX"), ("cat >/dev/null", "0 bytes arrived", "PUT")])
def test_no_target(command, words, fix, dprobes):
    """The line is open, and nobody answers."""
    run = dprobes("doctor", "--port", f"exec:{command}")
    status, found, text = report(run)
    assert status == 3 and found["bytes both ways"][0] == "wrong" and words in found["bytes both ways"][1] and place(fix) in text, text


@pytest.mark.parametrize("port, status", [(None, 1), ("unix:/nonexistent/com1", 3), ("/dev/nonexistent", 3)])
def test_no_line(port, status, dprobes):
    """Nothing is said of the integration when the line did not open."""
    run = dprobes("doctor", *(["--port", port] if port else []))
    assert run.status == status and "wrong" not in run.stdout and "agent/README.md" not in run.stdout, run.stdout + run.stderr
    assert run.stderr.startswith("dprobes: error: "), run.stderr


def test_a_line_that_another_holds(agent, dprobes):
    """The server of the socket serves somebody else."""
    with socket.socket(socket.AF_UNIX) as other:
        other.connect(agent.path)
        agent.wait(lambda: agent.client is not None)
        run = dprobes("doctor", "--port", agent.url)
    assert run.status == 3 and "not known  bytes both ways: " in run.stdout and "serves another program" in run.stdout, run.stdout
    assert "wrong" not in run.stdout


def test_a_key_that_is_missing(sim_target, dprobes):
    target = sim_target(*WORKS, "--key", "00112233445566778899aabbccddeeff")
    status, found, text = examine(dprobes, target, "--sym", target.map, "--probe", "hot")
    assert status == 4 and found["bytes both ways"] == ("ok", "HELLO was answered") and found["hello"][0] == "not known", text
    assert "--key" in found["hello"][1] and not wrong(found), text


def test_an_agent_that_is_locked(sim_target, dprobes):
    target = sim_target(*WORKS)
    target.console("lock", until=b"")
    status, found, text = examine(dprobes, target, "--sym", target.map, "--probe", "hot")
    assert status == 0 and not wrong(found) and all("dprobes_lock" in found[what][1] for what in NEED_HITS), text
    assert found["time"][0] == "ok", text


def test_a_function_that_does_not_exist(sim_target, dprobes):
    target = sim_target(*WORKS)
    run = dprobes("doctor", "--port", target.url("com1"), "--sym", target.map, "--probe", "nosuch")
    assert run.status == 1 and run.stdout == "" and "no function 'nosuch'" in run.stderr, run.stdout + run.stderr


# ---- other mistakes, as an agent tells them -----------------------------------------------------

@pytest.fixture
def told(agent, dprobes, tmp_path):
    """The report of an agent whose answers the test chooses. Symbols: work and dprobes_poll in its text, memory_slots."""
    def run(*words, slots=0x20100):
        symbols = tmp_path / "System.map"
        symbols.write_text(f"00001000 T work\n00001100 T dprobes_poll\n00020000 b memory_keep\n{slots:08x} b memory_slots\n")
        return report(dprobes("doctor", "--port", agent.url, "--sym", symbols, *words))
    return run


def test_a_callback_that_may_be_probed(agent, told):
    agent.status_end = b"\0\1"
    status, found, text = told()
    assert status == 6 and "hit path not probeable" in wrong(found) and place("CODE") in text, text


def test_an_agent_that_is_not_apart(agent, told):
    """This agent accepts each probe."""
    status, found, text = told()
    assert status == 6 and found["agent's text apart"] == ("wrong", "dprobes_poll can be probed") and place("SECTION") in text, text
    assert agent.programs == {}


def test_another_kind_of_identity(agent, dprobes):
    """The file has a build-id, the agent the checksum of dprobes_no_note: nothing can be inserted."""
    agent.cpu, agent.identity, agent.build_id = 2, 2, bytes(8)
    elf = paths.built("boards", "vexpress-a9", "demo.elf")
    status, found, text = report(dprobes("doctor", "--port", agent.url, "--elf", elf))
    assert found["identity"] == ("wrong", "the ELF file has a build-id, and the target has a checksum of the text"), text
    assert status == 6 and place("NOTE") in text and "text as in the ELF file" in found, text


@pytest.mark.parametrize("cpu, wrong_check, words", [
    (2, "identity", "the target runs another build than {elf}: the build-id differs"),
    (4, "hello", "the agent is for ppc, little-endian, the ELF file is not")])
def test_the_firmware_of_another_build(cpu, wrong_check, words, agent, dprobes):
    """One sentence says so, and no check compares two firmwares."""
    agent.cpu, agent.identity, agent.build_id = cpu, 1, bytes(20)
    elf = paths.built("boards", "vexpress-a9", "demo.elf")
    status, found, text = report(dprobes("doctor", "--port", agent.url, "--elf", elf))
    assert status == 6 and found[wrong_check] == ("wrong", words.format(elf=elf)) and place("BUILD") in text, text
    assert set(found) <= {"bytes both ways", "hello", "identity"} and wrong(found) == [wrong_check], text


def test_bounds_that_are_trusted(agent, told):
    agent.cpu = 2
    _, found, text = told()
    assert found["bounds of instructions"][0] == "not known" and found["bounds of instructions"][1].startswith("trusted"), text


def test_another_version(agent, told):
    agent.version += 1
    status, found, text = told()
    assert status == 4 and found["bytes both ways"][0] == "ok" and found["hello"][0] == "wrong" and place("VERSION") in text, text


@pytest.mark.parametrize("slots, state", [(0x20100, "ok"), (0x08000000, "wrong")])
def test_slots_out_of_reach(slots, state, agent, told):
    """On PowerPC a branch reaches 32 MB."""
    agent.cpu, agent.big = 4, True
    _, found, text = told(slots=slots)
    assert found["slots in reach"][0] == state and (place("SLOTS") in text) == (state == "wrong"), text


def test_a_probe_that_is_never_handled(agent, told):
    """A hit calls the function."""
    agent.missed_of_probes = 7
    status, found, text = told("--probe", "work", "--timeout", "0.5")
    assert status == 6 and found["probe counted"][0] == "wrong" and "7 hit(s) missed" in found["probe counted"][1], text
    assert place("MISSED") in text


@pytest.mark.parametrize("error, what, fix", [(fake.NOT_TEXT, "ranges", "ROWS"), (fake.NOT_PATCHABLE, "traps in the text", "TRAPS")])
def test_a_probe_that_is_refused(error, what, fix, agent, told):
    agent.verdict = (error, 0, 0, 0, 0)
    status, found, text = told("--probe", "work")
    assert status == 6 and wrong(found) == [what] and place(fix) in text, text


def test_findings_for_scripts(agent, dprobes, tmp_path):
    """JSON has an object for each line of the text, and CSV a row."""
    agent.verdict, agent.hz = (fake.NOT_TEXT, 0, 0, 0, 0), 0
    (tmp_path / "System.map").write_text("00001000 T work\n")
    words = ("doctor", "--port", agent.url, "--sym", tmp_path / "System.map", "--probe", "work", "--format")
    text, form, table = (dprobes(*words, name) for name in ("text", "json", "csv"))
    assert (text.status, form.status, table.status) == (6, 6, 6), text.stdout
    found = re.findall(r'^(ok|wrong|not known) +([^:]+): (.*)\n(?: {11}agent/README.md, section "(.*?)": (.*)\n)?', text.stdout, re.M)
    told = [tuple(row.get(key, "") for key in ("state", "check", "text", "section", "words")) for row in form.objects()]
    assert told == found and {row["kind"] for row in form.objects()} == {"finding"}, form.stdout
    assert [(row["state"], row["check"], row["text"], row["section"], row["words"]) for row in csv.DictReader(table.lines())] == found
    section, begin = next((section, begin) for name, section, begin in FIXES if name == "ROWS")
    assert [row[3:] for row in found if row[0] == "wrong"] == [(section, begin)]


def test_a_line_that_fails_in_a_check(agent, told):
    """No check has told the failure: the status and the last sentence do."""
    agent.on_line = lambda seq, payload: fake.CLOSE if payload[0] == fake.COMMIT else None
    status, found, text = told()
    assert status == 3 and found["agent's text apart"][0] == "not known" and "time" not in found, text
    assert re.search(r"^dprobes: error: \S", text, re.M), text


def hardware(vectors=1, cpu=7, code=0, after=0, text_by=1, lacks=0, vector=0, leads_to=0):
    """An answer to HARDWARE."""
    return (bytes([0, after, 0, code, code, 4, 4, 0]) + bytes(4) + bytes([lacks]) + bytes(4) + bytes([0, 0, vectors, vector])
            + leads_to.to_bytes(8, "big") + bytes([text_by]))


@pytest.mark.parametrize("vectors, leads_to, state, words", [
    (0, 0x1000, "not known", "agents of this version do not report it"),
    (1, 0x1000, "ok", "each vector that the agent needs leads to the agent"),
    (2, 0x1000, "not known", "the firmware keeps its vectors (own_vectors)"),
    (3, 0x1000, "wrong", "the vector of BusFault was taken over: it leads to 0x00001000 (no symbol)"),
    (3, 0, "wrong", "the vector of BusFault was taken over: it leads no longer to the agent")])
def test_whose_the_vectors_are(vectors, leads_to, state, words, agent, told):
    agent.cpu, agent.hardware = 7, hardware(vectors, vector=5, leads_to=leads_to)
    _, found, text = told("--probe", "work", "--timeout", "0.5")
    assert found["vectors still the agent's"][0] == state and words in found["vectors still the agent's"][1], text
    assert (place("TAKEN") in text) == ("no trap is written" in text) == (state == "wrong"), text


@pytest.mark.parametrize("cpu, code, after, units", [
    (7, 6, 0, ["Flash Patch and Breakpoint unit (FPB)"]), (7, 0, 0x1c, ["Data Watchpoint and Trace unit (DWT)"]),
    (7, 6, 0x1c, ["Flash Patch and Breakpoint unit (FPB)", "Data Watchpoint and Trace unit (DWT)"]), (7, 0, 0, []), (2, 6, 0x1c, [])])
def test_what_a_model_has_shown(cpu, code, after, units, agent, told, tool):
    """The watchpoint of the memory protection unit comes before the access, and ran in QEMU; so did the units of other CPUs."""
    agent.cpu, agent.hardware = cpu, hardware(code=code, after=after)
    text = told()[2]
    assert re.findall(r"not known  shown by hardware: .* are those of the (.*), which ran on a model alone\n", text) == units, text
    shown = re.findall(r"^modelled: (.*): ran on a model alone, on no hardware$", tool("info").stdout, re.M)
    assert shown == [", ".join(units)] * bool(units) and tool("info", "--format", "json").objects()[0]["modelled"] == ", ".join(units)


# ---- boards ------------------------------------------------------------------------------------

BOARDS = pytest.mark.parametrize("board", parameters(cpus.boards(), usual=[*cpus.boards(1), *cpus.boards()[2:]]))
FINE = {"vectors still the agent's", "text that can be probed", "bytes both ways", "hello", "text as in the ELF file", "hit path not probeable", "agent's text apart", "slots in reach",
        "traps in the text", "vectors and caches", "slots executable", "probe counted", "ranges", "text after the removal", "time",
        "masked time", "bounds of instructions", "identity", "calls of the hit path", "floating point of the hit path", "vectors locked"}
AN_HOUR = "3600000000"  # a busy machine holds QEMU up in a hit


@BOARDS
def test_a_board(board, qemu, dprobes):
    elf = paths.built("boards", board, "demo.elf")
    machine = qemu(board).free_when_up()
    status, found, text = examine(dprobes, machine, "--elf", elf, "--probe", "queue_put", "--masked-max", AN_HOUR)
    assert status == 0 and "wrong" not in text, text
    assert {what for what, (state, _) in found.items() if state == "ok"} >= FINE, text
    assert found["bounds of instructions"][1] in ("table", "alignment"), text
    assert re.search(r"a short hit takes \d+\.\d us with interrupts masked \(the least of \d+\)", found["masked time"][1]), text
    share = found["text that can be probed"][1]
    probed, counted, refused = int(share.split()[0]), int(share.split()[2]), [int(count) for count in re.findall(r"; (\d+) not: ", share)]
    undefined = int((re.findall(r"; (\d+) not: the instruction is undefined", share) or [0])[0])
    # What a disassembler does not know it lists as data.
    assert counted - len(sweep.Image(board).sites) in (0, undefined), text
    assert probed == counted - sum(refused) >= 0.995 * counted and f"%): {probed} by a trap" in share, text
    assert re.search(r"; besides \d+ of the agent and \d+ in rows with DPROBES_NO_PROBE$", share), text
    assert re.search(r"queue_put\+\d+ ran in a slot \d+ time", found["slots executable"][1]), text


def readelf(*words):
    return subprocess.run([paths.program("readelf"), *words], capture_output=True, text=True, check=True).stdout


def function_at(elf, name):
    """Where a function stands; Thumb: 1 more."""
    return int(re.search(rf" ([0-9a-f]{{8}}) +\d+ FUNC +\w+ +\w+ +\w+ {name}$", readelf("-sW", elf), re.M).group(1), 16)


def changed(elf, made, function, at, code):
    """A copy of the file with these bytes in a function; code: made of those that are there."""
    data = bytearray(elf.read_bytes())
    segments = re.findall(r"LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+)", readelf("-lW", elf))
    address = (function_at(elf, function) & ~1) + at
    offset = next(int(off, 16) + address - int(vaddr, 16) for off, vaddr, bytes_ in segments
                  if int(vaddr, 16) <= address < int(vaddr, 16) + int(bytes_, 16))
    new = code(data[offset:offset + 4])
    data[offset:offset + len(new)] = new
    made.write_bytes(data)
    return made


def another_build(elf, made):
    """A copy of the file in which one instruction differs, which nobody executes."""
    return changed(elf, made, "kernel_panic", 4, lambda there: bytes((there[0] ^ 1,)))


def bl(elf, caller, callee):
    """The instruction `bl callee` at the begin of the caller. DDI 0406C A8.8.25"""
    start = function_at(elf, caller)
    away = (function_at(elf, callee) & ~1) - (start & ~1) - (4 if start & 1 else 8)
    if not start & 1:
        return (0xeb000000 | away >> 2 & 0xffffff).to_bytes(4, "little")
    high, low = 0xf000 | away >> 12 & 0x3ff | (away < 0) << 10, 0xf800 | away >> 1 & 0x7ff
    return high.to_bytes(2, "little") + low.to_bytes(2, "little")


def vmov(elf, function):
    """vmov.f32 s0, s0. DDI 0406C A8.8.340"""
    return b"\xb0\xee\x40\x0a" if function_at(elf, function) & 1 else b"\x40\x0a\xb0\xee"


@pytest.mark.parametrize("fault", ["call", "float", "none"])
def test_code_of_the_hit_path(fault, agent, dprobes, tmp_path):
    """A callback that calls a function which can be probed, and one that uses floating point; the demo's do neither."""
    elf, callback = paths.built("boards", "vexpress-a9", "demo.elf"), "board_clock"
    agent.cpu = 2
    code = {"call": lambda: bl(elf, callback, "kernel_panic"), "float": lambda: vmov(elf, callback), "none": lambda: b""}[fault]()
    made = changed(elf, tmp_path / "made.elf", callback, 0, lambda there: code)
    _, found, text = report(dprobes("doctor", "--port", agent.url, "--elf", made))
    calls, floats = found["calls of the hit path"], found["floating point of the hit path"]
    assert calls == (("wrong", f"{callback} runs in a hit and calls kernel_panic, which can be probed: mark kernel_panic DPROBES_CODE")
                     if fault == "call" else ("ok", "no direct call leaves dprobes_text")), text
    assert floats[0] == ("wrong" if fault == "float" else "ok") and (place("FLOAT") in text) == (fault == "float"), text
    assert (place("CALLED") in text) == (fault == "call"), text


def test_code_of_an_unknown_length(agent, dprobes, tmp_path):
    """The rest of its function is not counted, and the report says so. The tables at the vectors are no code, and their row is
    left out."""
    elf = paths.built("boards", "pc", "demo.elf")
    agent.cpu, agent.ranges = tables.cpu_number(cpus.of_board("pc").name), [(0x400000, 0x120, 0x09), (0x400120, 0x100000, 0x05)]
    whole, part = (report(dprobes("doctor", "--port", agent.url, "--elf", file))[1]["text that can be probed"][1]
                   for file in (elf, changed(elf, tmp_path / "made.elf", "kernel_panic", 0, lambda there: b"\x66" * 16)))
    words = "the code behind 1 place(s) is not counted: an instruction of no known length, or data"
    assert words in part and "is not counted" not in whole, (whole, part)
    assert int(part.split()[2]) < int(whole.split()[2])


def test_console_of_the_glue(agent, dprobes, tmp_path):
    """Two callbacks of the ready-made glue run in no hit, and may call a function that can be probed."""
    made, found = tmp_path / "made.elf", {}
    agent.cpu = 2
    for name in ("agent_console_in", "agent_wake", "agent_console"):
        subprocess.run([paths.program("arm-none-eabi-objcopy"), f"--redefine-sym=console_in_com1={name}",
                        paths.built("boards", "vexpress-a9", "demo.elf"), made], check=True)
        _, found[name], _ = report(dprobes("doctor", "--port", agent.url, "--elf", made))
    assert all(found[name]["calls of the hit path"][0] == "ok" for name in ("agent_console_in", "agent_wake"))
    assert found["agent_console"]["calls of the hit path"][1].startswith("agent_console runs in a hit and calls ")


@pytest.mark.parametrize("lost, state, words", [
    ((), "ok", "13 place(s) in the ELF file"),
    ((".stapsdt.base",), "wrong", "gdb lists none of 13 place(s): the linker script discards the section .stapsdt.base"),
    ((".note.stapsdt",), "wrong", "the linker script discards the section .note.stapsdt, or no code has a hook"),
    ((".note.stapsdt", ".stapsdt.base"), None, "")])
def test_static_hooks(lost, state, words, agent, dprobes, tmp_path):
    """A linker script that discards notes of hooks. A firmware without hooks has no line of them."""
    elf = tmp_path / "made.elf"
    subprocess.run([paths.program("arm-none-eabi-objcopy"), *(f"--remove-section={name}" for name in lost),
                    paths.built("boards", "vexpress-a9", "hooks", "hooks.elf"), elf], check=True)
    agent.cpu = 2
    _, found, text = report(dprobes("doctor", "--port", agent.url, "--elf", elf))
    if state is None:
        assert "static hooks" not in found, text
        return
    assert found["static hooks"][0] == state and found["static hooks"][1].endswith(words), text
    assert (place("HOOKS") in text) == (state == "wrong"), text


@pytest.mark.parametrize("there", [True, False])
def test_hooks_that_call_exits(there, agent, dprobes, tmp_path):
    """An image whose hooks call C exits, and an agent that has none."""
    elf = tmp_path / "made.elf"
    words = [] if there else ["--strip-symbol=dprobes_hook_dispatch"]
    subprocess.run([paths.program("arm-none-eabi-objcopy"), *words, paths.built("boards", "vexpress-a9", "hooks", "hooks.elf"), elf], check=True)
    agent.cpu = 2
    _, found, text = report(dprobes("doctor", "--port", agent.url, "--elf", elf))
    assert found["static hooks"][0] == ("ok" if there else "wrong"), text
    assert (place("EXITS") in text) == (not there), text
    if not there:
        assert found["static hooks"][1] == "2 place(s) call C exits, and the agent calls none: build it with DP_WITH_HOOKS=1"


@pytest.mark.parametrize("file, state", [("dprobes_agent.c", "ok"), ("agent_of_tree.c", "ok"), ("x.ltrans0.ltrans", "not known")])
def test_files_of_the_agent(file, state, agent, dprobes, tmp_path):
    """One file, the files of the tree, or none: link-time optimisation."""
    data = paths.built("boards", "vexpress-a9", "demo.elf").read_bytes()
    before, name, behind = data.rpartition(b"\0dprobes_agent.c\0")  # the names of symbols come behind the debug information
    assert name
    (tmp_path / "made.elf").write_bytes(before + b"\0" + file.encode()[:15] + b"\0" + behind)
    agent.cpu = 2
    _, found, text = report(dprobes("doctor", "--port", agent.url, "--elf", tmp_path / "made.elf"))
    assert found["floating point of the hit path"][0] == state, text


@pytest.mark.parametrize("access, state", [(0x09, "ok"), (0x01, "wrong")])
def test_vectors_that_are_not_locked(access, state, agent, dprobes):
    """The agent's own rows do not count; and no symbol of the file lies in the row."""
    elf = paths.built("boards", "vexpress-a9", "demo.elf")
    agent.cpu, agent.ranges = 2, [(0x300, 0x100, access), *agent.ranges]
    _, found, text = report(dprobes("doctor", "--port", agent.url, "--elf", elf))
    assert found["vectors locked"][0] == state and (place("LOCKED") in text) == (state == "wrong"), text
    assert found["rows that are memory"][0] == "not known" and "in row 0 (0x00000300, 256 bytes)" in found["rows that are memory"][1], text


@pytest.mark.parametrize("board, number", [("riscv-virt32", 8), ("mps2-an385", 7)])
def test_entries_that_need_no_lock(board, number, agent, dprobes):
    """The port finds them, or the CPU saves the registers."""
    agent.cpu, agent.ranges = number, [(0x300, 0x100, 0x01), *agent.ranges]
    _, found, text = report(dprobes("doctor", "--port", agent.url, "--elf", paths.built("boards", board, "demo.elf")))
    assert found["vectors locked"][0] == "ok" and "no row of the board: " in found["vectors locked"][1], text


def test_the_file_of_another_build(qemu, dprobes, tmp_path):
    """The text differs, before and after a probe; and a hit takes longer than the user allows: 3 us of 16 ns an instruction."""
    machine = qemu("vexpress-a9", extra=("-icount", "shift=4,sleep=on")).free_when_up()
    elf = another_build(paths.built("boards", "vexpress-a9", "demo.elf"), tmp_path / "other.elf")
    status, found, text = examine(dprobes, machine, "--elf", elf, "--probe", "queue_put", "--masked-max", "1")
    # "time": a busy machine slows such a QEMU down.
    assert status == 6 and [what for what in wrong(found) if what != "time"] == [
        "text as in the ELF file", "masked time", "text after the removal"], text
    assert " bytes differ from " in found["text as in the ELF file"][1] and "1 us are allowed" in found["masked time"][1], text
    assert place("LINKED") in text and place("TRAPS") in text and place("MASKED") in text, text
