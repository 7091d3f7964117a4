# SPDX-License-Identifier: BSD-2-Clause
"""`report --ctf`, `--perfetto` and `--svg`: other tools read the numbers that text, JSON and CSV have."""
import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import pytest

import schema
from harness import captures, png
from harness.paths import TOP, built, program, tracked_files

sys.path.insert(0, str(TOP / "host" / "install"))

import layout  # noqa: E402

BEGAN_NS = 1_700_000_000_000_000_000
TICK = captures.HZ // 1000
# A word each. The returns of queue_put may be several points.
PROGRAM = """\
queue_put:entry { trace(args[0]->count); }
queue_put:return { trace(retval); }
timer_isr:entry { trace(0); }
timer_isr:return { trace(0); }
sched_switch:entry { trace(args[1]); }
console_get:entry { trace(arg0); }
"""


@pytest.fixture(scope="session")
def elf():
    return built("boards", "vexpress-a9", "demo.elf")


@pytest.fixture
def made(dprobes, elf, tmp_path):
    """A new capture of PROGRAM, or of another one."""
    count = 0

    def make(text=PROGRAM, **options):
        nonlocal count
        count += 1
        return captures.Capture(tmp_path / f"{count}.dpc", *captures.compiled(dprobes, tmp_path, text, elf), **options)
    return make


def task(elf, number):
    """The address of a task, which the ELF file names."""
    listed = subprocess.run([program("arm-none-eabi-nm"), elf], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"^(\w+) \w task_table$", listed, re.M)[1], 16) + number * 4


def write_timeline(capture, elf):
    """Two tasks, an interrupt inside of a call, a queue of which the number grows, a text, and 7 lost records."""
    put, back, tick, tock, switch, get = (capture.point(name) for name in (
        "queue_put:entry", "queue_put:return", "timer_isr:entry", "timer_isr:return", "sched_switch:entry", "console_get:entry"))
    records = [(switch, TICK, task(elf, 0)), (put, 2 * TICK, 9), (back, 3 * TICK, 1), (tick, 3 * TICK + 1, 0), (tock, 3 * TICK + 2, 0)]
    for n in range(10):
        at = (10 + 10 * n) * TICK
        records += [(switch, at, task(elf, 1 + n % 2)), (put, at + TICK, n), (tick, at + 2 * TICK, 0), (tock, at + 3 * TICK, 0),
                    (back, at + 4 * TICK, 1), (get, at + 5 * TICK, n * n)]
    capture.sync(TICK)
    capture.records(records)
    capture.console("hello, <desk> & \\\\\\x01", seconds=0.2)
    capture.lose(7)
    capture.records([(get, 200 * TICK, 400), (back, 201 * TICK, 0)])
    capture.sync(202 * TICK)
    capture.close()
    return len(records) + 2


@pytest.fixture
def timeline(made, elf, tmp_path):
    capture = made(began_ns=BEGAN_NS)
    write_timeline(capture, elf)
    return tmp_path / "1.dpc"


def report(dprobes, path, *words, status=5):
    run = dprobes("report", path, *words, cwd=path.parent)
    assert run.status == status, run.stderr
    return run


def numbers(row):
    """The number of a record of PROGRAM, as JSON has it."""
    value = row["args"][0]["value"] if "args" in row else 0
    return int(value, 0) if isinstance(value, str) else value


def test_the_same_numbers_everywhere(dprobes, timeline, tmp_path):
    """Each record, its time and its value in text, JSON, CSV, CTF and Perfetto."""
    rows = [row for row in report(dprobes, timeline, "--format", "json").objects() if row["kind"] == "log"]
    wanted = [(row["seconds"], row["desc"], numbers(row)) for row in rows]
    assert len(wanted) == 67
    table = [row for row in csv.DictReader(io.StringIO(report(dprobes, timeline, "--format", "csv").stdout)) if row["kind"] == "log"]
    assert [(float(row["seconds"]), row["desc"], numbers({"args": json.loads(row["args"])} if row["args"] else {})) for row in table] == wanted
    text = report(dprobes, timeline, "--format", "text").stdout
    printed = [int(line.split()[-1].replace("true", "1").replace("false", "0"), 0) for line in text.splitlines() if re.match(r" +\d+ +\d+ +\w+:\w+ ", line)]
    assert printed == [number for _, name, number in wanted]

    report(dprobes, timeline, "--ctf", "trace")
    events, warnings = captures.ctf_events(tmp_path / "trace")
    records = [(round(seconds - BEGAN_NS / 1e9, 6), name, int((re.search(r"= (\S+)$", fields) or [0, "0"])[1], 0))
               for seconds, name, fields in events if name != "console"]
    assert records == [(round(seconds, 6), name, number) for seconds, name, number in wanted]
    assert re.search(r"discarded 7 events", warnings) and [fields for _, name, fields in events if name == "console"] == [
        'text = "hello, <desk> & \\\\."']

    report(dprobes, timeline, "--perfetto", "trace.perfetto")
    trace = captures.Trace(tmp_path / "trace.perfetto")
    puts = [number for _, name, number in wanted if name.endswith("queue_put:entry")]
    assert [number for _, number, _ in trace.of("COUNTER", "queue_put:entry args[0]->count")] == puts
    gets = [(seconds, number) for seconds, name, number in wanted if name.endswith("console_get:entry")]
    assert [(ns / 1e9, number) for ns, number, _ in trace.of("COUNTER", "console_get:entry arg0")] == pytest.approx(gets)
    told = [(ns / 1e9, told["arg0"]) for ns, name, told in trace.of("INSTANT") if name == "console_get:entry"]
    assert told == pytest.approx(gets)


def test_tracks_of_perfetto(dprobes, timeline, tmp_path):
    """Tasks and interrupts are tracks, entry and return a slice, lost records an instant."""
    report(dprobes, timeline, "--perfetto", "trace.perfetto")
    trace = captures.Trace(tmp_path / "trace.perfetto")
    tasks = [name for name, kind in trace.kinds.items() if kind == "thread"]
    assert len(tasks) == 3
    for n, name in enumerate(tasks[1:]):
        running = [(begin, end) for begin, end, what in trace.slices(name) if what == "running"]
        assert running[:4] == [(ms * 1_000_000, (ms + 10) * 1_000_000) for ms in range(10 * (1 + n), 10 * (1 + n) + 80, 20)]
        calls = [(begin, end) for begin, end, what in trace.slices(name) if what == "queue_put"]
        assert calls == [((ms + 1) * 1_000_000, (ms + 4) * 1_000_000) for ms in range(10 * (1 + n), 10 * (1 + n) + 100, 20)]
    assert len(trace.slices("interrupt timer_isr")) == 10
    (_, lost, _), = trace.of("INSTANT", "gaps")
    assert lost == "lost: 7 record(s) of stream 0 on the line"
    (ns, line, _), = trace.of("INSTANT", "console")
    assert line == "hello, <desk> & \\." and ns == pytest.approx(200_000_000, abs=1_000_000)
    clocks = {clock["clock_id"][0]: clock["timestamp"][0] for clock in trace.clocks[0]["clocks"]}
    assert clocks[1] - clocks[6] == BEGAN_NS
    assert all(trace.slices(name) is not None for name in trace.tracks)  # each end has its begin


def test_picture(dprobes, timeline, tmp_path):
    """The three parts, with what is in them, and the picture of a renderer."""
    run = dprobes("report", timeline, "--svg", "trace.svg", cwd=tmp_path)
    assert run.status == 5, run.stderr
    tree = xml.etree.ElementTree.parse(tmp_path / "trace.svg")
    texts = [element.text for element in tree.iter() if element.tag.endswith("}text")]
    titles = [element.text for element in tree.iter() if element.tag.endswith("}title")]
    assert {"Timeline", "Records over time", "timer_isr", "console", "gaps"} <= set(texts)
    counted = sum(int(re.search(r": (\d+) at ", title)[1]) for title in titles if re.match(r"sched_switch:entry: \d+ at ", title))
    assert counted == 11 and any(title.startswith("lost: 7 record(s)") for title in titles)
    picture = png.rendered(tmp_path / "trace.svg")
    assert abs(picture.width / picture.height - 1200 / int(tree.getroot().get("height"))) < 0.02
    # A slice of a task, and the darkest cell of the heat map.
    assert {(0x4e, 0x79, 0xa7), (8, 48, 107)} <= picture.colours()


HISTOGRAM = """\
#pragma D option aggrate=50ms
hot:entry { n++; @c[n % 3] = count(); @q = quantize(n % 16); @low = min(-n); }
"""


def test_picture_of_aggregations(sim_target, dprobes, tmp_path):
    """Bars are as long as their values; the heat map of a distribution has all its counts."""
    target = sim_target("--hits", 500, "--build-id")
    run = dprobes("-n", HISTOGRAM, "--for", "500ms", "--record", "run.dpc", "--format", "json", "--sym", target.map,
                  "--dont-verify-opcodes", "--port", target.url(), cwd=tmp_path)
    assert run.status == 0, run.stderr
    rows = [row for row in dprobes("report", "run.dpc", "--format", "json", cwd=tmp_path).objects() if row["kind"] == "aggregation"]
    assert dprobes("report", "run.dpc", "--svg", "run.svg", cwd=tmp_path).status == 0
    tree = xml.etree.ElementTree.parse(tmp_path / "run.svg")
    texts = [element.text for element in tree.iter() if element.tag.endswith("}text")]
    counts = {row["keys"][0]: row["value"] for row in rows if row["name"] == "c"}
    for key, value in counts.items():
        assert key in texts and str(value) in texts
    buckets = {f"[{b['low']}, {b['high']})": b["value"] for row in rows if row["name"] == "q" for b in row["buckets"]}
    heat = {}
    for element in tree.iter():
        if element.tag.endswith("}title") and (found := re.match(r"@q (\[.*\)): (\d+) at ", element.text)):
            heat[found[1]] = heat.get(found[1], 0) + int(found[2])
    assert heat == buckets and "Histogram" in texts and "Distributions over time" in texts
    bars = [float(element.get("width")) for element in tree.iter() if element.get("fill") == "#4e79a7"][:3]
    assert sorted(bars) == pytest.approx(sorted(max(bars) * value / max(counts.values()) for value in counts.values()), abs=0.02)
    picture = png.rendered(tmp_path / "run.svg")
    assert {(0x4e, 0x79, 0xa7), (0xd6, 0x27, 0x28)} <= picture.colours(), "bars, those of negative values red"


def test_values_of_all_forms(sim_target, dprobes, tmp_path):
    """Texts, addresses and items in CTF and Perfetto; a program in RPN has words or bytes."""
    target = sim_target("--hits", 200, "--build-id")
    options = ("--sym", target.map, "--dont-verify-opcodes", "--port", target.url())
    text = 'hot:entry { n++; trace(n - 5); printf("%s %x", probefunc, n); tracemem((char *)&hot, 4); trace((uint64_t)n << 40); }'
    run = dprobes("-n", text, "--count", 12, "--log", "PC,NAME", "--record", "run.dpc", *options, cwd=tmp_path)
    assert run.status == 0, run.stderr
    rows = [row for row in dprobes("report", "run.dpc", "--count", 12, "--format", "json", cwd=tmp_path).objects() if row["kind"] == "log"]
    assert dprobes("report", "run.dpc", "--count", 12, "--ctf", "trace", cwd=tmp_path).status == 0
    events, _ = captures.ctf_events(tmp_path / "trace")
    assert len(events) == len(rows) == 12
    for (_, name, fields), row in zip(events, rows):
        values = [arg["value"] for arg in row["args"]]
        assert name.endswith("hot:entry") and f"pc = 0x{int(row['pc'], 16):X}" in fields
        assert f"n_5 = {values[0]}" in fields and '"hot"' in fields and str(values[-1]) in fields
    assert dprobes("report", "run.dpc", "--count", 12, "--perfetto", "trace.perfetto", cwd=tmp_path).status == 0
    trace = captures.Trace(tmp_path / "trace.perfetto")
    assert [number for _, number, _ in trace.of("COUNTER", "hot:entry n - 5")] == [row["args"][0]["value"] for row in rows]

    (tmp_path / "net.dp").write_text('name = "net"\noffset = hot\nopcode = 0x10000140\nminor = 9\npush 7\nlog 1\nexit\n')
    assert dprobes("run", "net.dp", "--count", 5, "--record", "net.dpc", *options, cwd=tmp_path).status == 0
    assert dprobes("report", "net.dpc", "--count", 5, "--ctf", "net", cwd=tmp_path).status == 0
    events, _ = captures.ctf_events(tmp_path / "net")
    assert {fields.removeprefix("__") for _, _, fields in events} == {"words_len = 1, words = [ [0] = 0x7 ]"}


def test_enumerators(dprobes, made, elf, tmp_path):
    """An enumerator is one in CTF: its number and its name."""
    capture = made("task_create:entry { trace(priority); }")
    create = capture.point("task_create:entry")
    capture.sync(TICK)
    capture.records([(create, TICK * n, n) for n in range(1, 4)])
    capture.close()
    rows = [row["args"][0] for row in dprobes("report", "1.dpc", "--format", "json", cwd=tmp_path).objects()]
    assert dprobes("report", "1.dpc", "--ctf", "trace", cwd=tmp_path).status == 0
    events, _ = captures.ctf_events(tmp_path / "trace")
    assert [fields for _, _, fields in events] == [f'priority = ( "{row["value"]}" : container = {n} )' for n, row in enumerate(rows, 1)]
    described = (tmp_path / "trace" / "metadata").read_text(encoding="latin-1")
    assert "enum" in described and all(row["value"] in described for row in rows)


def test_constant_memory(dprobes, made, tmp_path, amount):
    """The memory of an export does not grow with the capture."""
    most = []
    for count in (5_000, amount(15_000, 10_000_000)):
        capture = made("console_get:entry { trace(arg0); }")
        capture.sync(TICK)
        for first in range(0, count, 5_000):
            capture.records([(0, TICK * n, n & 0xffff) for n in range(first + 1, first + 5_001)])
            capture.console(f"line {first}")
        capture.sync(TICK * (count + 1))
        capture.close()
        used = {}
        for words in (("--ctf", f"trace{count}"), ("--perfetto", "out"), ("--svg", "out"), ("--format", "json", "-o", "out"), ("--format", "csv", "-o", "out")):
            child = subprocess.Popen([built("host", "dprobes"), "report", capture.file.name, *words], cwd=tmp_path, stderr=subprocess.PIPE)
            said = child.stderr.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            assert child.returncode == 0, said
            used[words[:2] if words[0] == "--format" else words[0]] = usage.ru_maxrss
        most.append(used)
    assert all(most[1][name] < most[0][name] + 6000 for name in most[0]), most


@pytest.mark.parametrize("words, status, said", [
    (("--ctf", "a", "--perfetto", "b"), 1, "--ctf and --perfetto are two outputs; leave one of them out"),
    (("--svg", "a", "--format", "csv"), 1, "--svg and --format are two outputs"),
    (("--perfetto", "b", "-o", "c"), 1, "--perfetto and --output are two outputs"),
    (("--ctf", "there"), 1, "there is there already; name a new folder"),
    (("--ctf", "none/trace"), 1, "cannot make the folder none/trace: No such file"),
    (("--perfetto", "none/b"), 1, "cannot write none/b: No such file"),
    (("--svg", "1.dpc"), 1, "1.dpc is read by this command, and would be overwritten; name another file"),
    (("-o", "1.dpc"), 1, "1.dpc is read by this command, and would be overwritten; name another file"),
    (("--perfetto", "/dev/full"), 5, "/dev/full could not be written completely"),  # the lost records of the capture
    (("--svg", "/dev/full"), 5, "/dev/full could not be written completely"),
])
def test_refused(dprobes, timeline, tmp_path, words, status, said):
    (tmp_path / "there").mkdir()
    before = timeline.read_bytes()
    run = dprobes("report", "1.dpc", *words, cwd=tmp_path)
    assert said in run.stderr and run.status == status, run.stderr
    assert timeline.read_bytes() == before and not (tmp_path / "a").exists()


def test_an_empty_capture(dprobes, made, tmp_path):
    """No record is no reason for a damaged file."""
    made().close()
    for words in (("--ctf", "trace"), ("--perfetto", "trace.perfetto"), ("--svg", "trace.svg")):
        run = dprobes("report", "1.dpc", *words, cwd=tmp_path)
        assert run.status == 0, run.stderr
    assert captures.Trace(tmp_path / "trace.perfetto").events == []
    assert captures.ctf_events(tmp_path / "trace")[0] == []
    (tmp_path / "first.dpc").write_text("dprobes capture 1\n")
    for words in (("--ctf", "none"), ("--perfetto", "none.perfetto"), ("--svg", "none.svg")):
        report(dprobes, tmp_path / "first.dpc", *words)
    assert captures.ctf_events(tmp_path / "none")[0] == [] == captures.Trace(tmp_path / "none.perfetto").events
    assert xml.etree.ElementTree.parse(tmp_path / "none.svg")
    assert png.rendered(tmp_path / "trace.svg").width == png.WIDTH


def test_a_cut_capture(dprobes, timeline, tmp_path):
    """All whole records before the cut, in each export."""
    text = timeline.read_bytes()
    for part in (0.5, 0.8, 0.97):
        (tmp_path / "cut.dpc").write_bytes(text[:int(len(text) * part)])
        rows = [row for row in report(dprobes, tmp_path / "cut.dpc", "--format", "json").objects() if row["kind"] == "log"]
        report(dprobes, tmp_path / "cut.dpc", "--ctf", f"trace{part}")
        if not rows:
            continue
        events, _ = captures.ctf_events(tmp_path / f"trace{part}")
        assert len([name for _, name, _ in events if name != "console"]) == len(rows)


@pytest.mark.parametrize("later_s, third_ms", [(5, 6000), (-5, 3000)], ids=["5 s later", "the host's clock was set back"])
def test_restart(dprobes, made, tmp_path, later_s, third_ms):
    """Behind a restart the target's clock begins anew, and the time of the trace goes on."""
    capture = made(began_ns=BEGAN_NS)
    get = capture.point("console_get:entry")
    capture.sync(TICK)
    capture.records([(get, 1000 * TICK, 1), (get, 2000 * TICK, 2)])
    capture.event("flush -1 0")
    capture.event("restart 0 0")
    capture.file.write(captures.checked(f"# began-ns {BEGAN_NS + later_s * 1_000_000_000}"))
    capture.number = 0
    capture.event("attach 4 0")
    capture.event("counts 0 0 0 0 0")
    capture.event(f"probe {get} 0 0 {get} 0 1 {capture.points[get][1]:x} p")
    capture.event("learned")
    capture.sync(TICK)
    capture.records([(get, 1000 * TICK, 3)])
    capture.close()
    report(dprobes, tmp_path / "1.dpc", "--ctf", "trace", status=0)
    report(dprobes, tmp_path / "1.dpc", "--perfetto", "trace.perfetto", status=0)
    events, _ = captures.ctf_events(tmp_path / "trace")
    assert [round(seconds - BEGAN_NS / 1e9, 3) for seconds, _, _ in events] == [1, 2, third_ms / 1000]
    trace = captures.Trace(tmp_path / "trace.perfetto")
    assert [(ns // 1_000_000, number) for ns, number, _ in trace.of("COUNTER")] == [(1000, 1), (2000, 2), (third_ms, 3)]


def test_text_before_the_target_is_known(dprobes, made, tmp_path):
    """A firmware that prints while the command opens the line takes the clock away from no trace."""
    capture = made(began_ns=BEGAN_NS)
    get = capture.point("console_get:entry")
    capture.sync(TICK)
    capture.records([(get, 1000 * TICK, 1)])
    capture.counts[1] += 1
    capture.close()
    text = (tmp_path / "1.dpc").read_text()
    (tmp_path / "1.dpc").write_text(text.replace("\n", "\nC0.000000 early\\n\n", 1))
    report(dprobes, tmp_path / "1.dpc", "--ctf", "trace", status=0)
    report(dprobes, tmp_path / "1.dpc", "--perfetto", "trace.perfetto", status=0)
    events, _ = captures.ctf_events(tmp_path / "trace")
    assert [round(seconds - BEGAN_NS / 1e9, 3) for seconds, name, _ in events if name != "console"] == [1]
    assert [fields for _, name, fields in events if name == "console"] == ['text = "early"']
    assert captures.Trace(tmp_path / "trace.perfetto").clocks


def test_picture_of_a_long_up_time(dprobes, made, tmp_path):
    """The scale ends, though a step of it is too small for its numbers."""
    capture = made()
    get = capture.point("console_get:entry")
    at = 20 * 86400 * captures.HZ
    capture.sync(at)
    capture.records([(get, at, 1)])
    capture.close()
    report(dprobes, tmp_path / "1.dpc", "--svg", "trace.svg", status=0)
    texts = [element.text for element in xml.etree.ElementTree.parse(tmp_path / "trace.svg").iter() if element.tag.endswith("}text")]
    assert any(text.startswith("1728000.0") for text in texts), texts


MANY = 1100  # more than tracks


def test_more_tracks_than_there_is_room_for(dprobes, made, elf, tmp_path):
    """New names share one track; known ones keep theirs."""
    capture = made("sched_switch:entry { trace(args[1]); }")
    switch = capture.point("sched_switch:entry")
    capture.sync(TICK)
    first = task(elf, 0)
    capture.records([(switch, (1 + n) * TICK, first + 8 * (n % MANY)) for n in range(MANY + 2)])
    capture.sync((4 + MANY) * TICK)
    capture.close()
    report(dprobes, tmp_path / "1.dpc", "--perfetto", "trace.perfetto", status=0)
    trace = captures.Trace(tmp_path / "trace.perfetto")
    assert "others" in trace.tracks
    known = next(track for _, kind, track, *_ in trace.events if kind == "SLICE_BEGIN")
    assert len(trace.slices(known)) == 2, "at the begin and at the end"


def test_damaged_captures(dprobes, timeline, tmp_path, amount):
    """No damage ends the tool but by a status, and what is exported is readable."""
    text, random_bytes = timeline.read_bytes(), random.Random(7)
    for number in range(amount(6, 2000)):
        damaged = bytearray(text)
        for _ in range(random_bytes.randrange(1, 30)):
            damaged[random_bytes.randrange(len("dprobes capture 1\n"), len(damaged))] = random_bytes.randrange(256)
        (tmp_path / "bad.dpc").write_bytes(damaged)
        for words in (("--ctf", f"ctf{number}"), ("--perfetto", "out"), ("--svg", "picture")):
            run = dprobes("report", "bad.dpc", *words, "--quiet", cwd=tmp_path)
            assert run.status in (0, 5), (number, words, run.stderr)
        captures.Trace(tmp_path / "out")
        xml.etree.ElementTree.parse(tmp_path / "picture")
        if (tmp_path / f"ctf{number}").exists():
            captures.ctf_events(tmp_path / f"ctf{number}")
            shutil.rmtree(tmp_path / f"ctf{number}")


def test_without_the_libraries(tmp_path, timeline):
    """A tool that was built without them says so, with exit status 2; pictures need none."""
    libraries = subprocess.run([program("pkg-config"), "--libs", "libelf", "libdw", "zlib", "libserialport"], capture_output=True,
                               text=True, check=True).stdout.split()
    objects = [built("host", *path.with_suffix(".o").parts) for path in tracked_files()
               if path.parts[:2] in (("host", "command"), ("host", "export")) and path.suffix == ".c"]
    objects = [path for path in objects if not path.name.startswith(("ctf", "perfetto"))]
    subprocess.run([program("gcc"), "-o", tmp_path / "plain", *objects, built("host", "libdprobes.a"), *libraries, "-lm"], check=True)
    for export, library in (("ctf", "libbabeltrace2-dev"), ("perfetto", "libprotobuf-c-dev")):
        run = subprocess.run([tmp_path / "plain", "report", timeline, f"--{export}", tmp_path / "out"], capture_output=True, text=True, check=False)
        assert run.returncode == 2 and run.stderr == (
            f"dprobes: error: this dprobes was built without the export {export}; install {library} and build it again\n")
        assert not (tmp_path / "out").exists()
    run = subprocess.run([tmp_path / "plain", "report", timeline, "--svg", tmp_path / "out"], capture_output=True, text=True, check=False)
    assert run.returncode == 5 and (tmp_path / "out").read_text().startswith("<svg ")


def test_the_library_needs_no_library_of_an_export():
    needed = subprocess.run([program("readelf"), "-d", built("host", f"libdprobes.so.{layout.version()}")], capture_output=True, text=True, check=True).stdout
    assert "babeltrace" not in needed and "protobuf" not in needed


# --- JSON ---

def test_json_has_the_schema(sim_target, dprobes, timeline, elf, tmp_path):
    """Each line of several commands is as the schema says, and the first one has its number."""
    described = json.loads(schema.TARGET.read_text())
    target = sim_target("--hits", 200, "--build-id")
    options = ("--sym", target.map, "--dont-verify-opcodes")
    port = ("--port", target.url())
    text = 'hot:entry { n++; x[n % 4] = n; last = probefunc; trace(n); @[probefunc] = count(); @q = quantize(n); }'
    outputs = [
        dprobes("-n", text, "--count", 5, "--format", "json", *options, *port, cwd=tmp_path),
        dprobes("report", timeline, "--format", "json", cwd=tmp_path),
        dprobes("info", "--format", "json", *port), dprobes("list", "--format", "json", *port),
        dprobes("symbols", "queue_*", "--format", "json", "--elf", elf),
        dprobes("probes", "queue_put:entry", "--format", "json", "--elf", elf),
        dprobes("check", "p.d", "--format", "json", "--elf", elf, cwd=tmp_path),
    ]
    for run in outputs:
        for number, row in enumerate(map(json.loads, run.lines())):
            assert schema.wrong(row, described, described) is None, row
            assert row.get("schema") == (schema.number() if number == 0 else None)


def test_the_schema_sees_another_key():
    described = json.loads(schema.TARGET.read_text())
    good = {"kind": "removed", "programs": 1, "schema": 1}
    assert schema.wrong(good, described, described) is None
    for bad in ({**good, "more": 1}, {**good, "programs": "1"}, {"kind": "removed"}, {**good, "schema": 2}, {**good, "programs": True}):
        assert schema.wrong(bad, described, described) is not None
