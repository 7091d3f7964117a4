# SPDX-License-Identifier: BSD-2-Clause
"""Formats of output: CSV is a table that any CSV reader reads, all formats show the same values, the console and
--quiet change nothing of the data, and --until does not depend on the format."""
import csv
import io
import re

import pytest

from harness import wire
from harness.link import hit_while_installed
from harness.paths import TOP

RECORD_COLUMNS = ("kind,stream,program,point,probe,major,minor,ticks,seconds,cpu,name,pid,pc,sp,tsc,exception,budget,"
                  "faulted,truncated,cut,data,desc,text,pc_symbol,sp_symbol,tsc_seconds,words,word_texts,times,"
                  "args,exception_name,exception_parameter,exception_file,exception_line,count,number,arguments")
VARIABLE_COLUMNS = "kind,program,index,value,symbol,name,keys,text"
PROGRAM_COLUMNS = ("kind,program,index,id,major,state,items,bytes,vars,crc,probe,point,minor,name,address,isa,probe_state,"
                   "original,hits,missed,ignored,faulted,dropped,overruns,maxhits,symbol,means,comparator,paused,watch_kind,source,records")


def table(text):
    """Header and rows as dictionaries; absent values are left out. Every row has all columns."""
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert all(len(row) == len(rows[0]) for row in rows)
    return rows[0], [{name: cell for name, cell in zip(rows[0], row) if cell} for row in rows[1:]]


def flat(value):
    """How a value of JSON stands in a cell of CSV."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.9f}"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def same_values(objects, rows):
    assert [{name: flat(value) for name, value in row.items() if value not in ("", [])} for row in objects] == rows


def everything(agent):
    """A record with all items and a name that needs quotes, a flag, a gap, notices, a trace."""
    agent.stop_syncs()  # one with the time of this moment would change the times of the records
    agent.sync(ticks=0x100000)
    agent.hit(b"\x01\x02", ticks=0x100010, items={"cpu": 2, "name": b'a,"b\xe9', "pid": 7, "pc": 0x60001234,
                                                  "sp": 0x20000AF0, "tsc": 0x1_00000002})
    agent.hit(b"c", flags=1, major=8, minor=90, ticks=0x100020)
    agent.emit(b"firmware, \"talks\"\r\n")
    agent.hit(b"\x03", lose=True, ticks=0x100030)
    agent.notice(3, (0x60001234).to_bytes(4, "big") + (0xE7F001F8).to_bytes(4, "big"))
    agent.sync(ticks=0x100050)
    agent.records(wire.record(agent.programs[0].numbers[0], 0x100051, b"trace", kind=1, flags=0x10))
    agent.hit(b"\xff\xff", ticks=0x100070)


def logged(logging, agent, form, *words):
    agent.programs.clear()
    agent.next_number = 0
    running = logging("--until", "ffff$", "--format", form, *words, items="all")
    everything(agent)
    return running.wait()


# ---- CSV -----------------------------------------------------------------------------------------

def test_records_as_csv(agent, logging):
    run = logged(logging, agent, "csv")
    header, rows = table(run.stdout)
    assert run.status == 5 and ",".join(header) == RECORD_COLUMNS
    assert [row["kind"] for row in rows] == ["log", "log", "notice", "records lost", "trace", "log"]
    assert rows[0] == {
        "kind": "log", "stream": "0", "program": "net", "point": "0", "probe": "0", "major": "3", "minor": "9",
        "ticks": str(0x100010), "seconds": "1.048592000", "cpu": "2", "name": 'a,"b\uefe9', "pid": "7",
        "pc": "0x60001234", "sp": "0x20000af0", "tsc": str(0x1_00000002), "data": "0102"}
    assert rows[1]["exception"] == "true" and (rows[1]["major"], rows[1]["minor"]) == ("8", "90")
    assert rows[3] == {"kind": "records lost", "stream": "0", "count": "1"}
    assert rows[2]["number"] == "3" and rows[2]["arguments"] == "60001234e7f001f8"
    assert rows[4]["truncated"] == "true"


def test_csv_has_the_values_of_json(agent, logging):
    same_values(logged(logging, agent, "json").objects(), table(logged(logging, agent, "csv").stdout)[1])


def test_console_and_data_do_not_mix(agent, logging):
    """Bytes of the console go to standard error, in every format."""
    for form in ("text", "json", "csv", "raw"):
        run = logged(logging, agent, form)
        assert "firmware" not in run.stdout and 'firmware, "talks"\r\n' in run.stderr


def test_text_with_line_ends_is_one_cell(agent, logging, tmp_path):
    """RFC 4180, 2.6: line ends, commas and quotes stand inside quotes; a quote is doubled."""
    (tmp_path / "t.tpl").write_text('major = 3\nminor = 9, desc = "a, \\"b\\"", fmt = "x %x\\ny %x\\n"\n')
    running = logging("--count", "1", "--format", "csv", "--templates", tmp_path / "t.tpl")
    agent.hit(b"\x01\x02")
    run = running.wait()
    _, (row,) = table(run.stdout)
    assert (row["desc"], row["text"]) == ('a, "b"', "x 01\ny 02\n\n")
    assert '"a, ""b""","x 01\ny 02\n\n"' in run.stdout


def test_an_empty_string_is_not_an_absent_value(agent, logging):
    running = logging("--count", "1", "--format", "csv", items="name")
    agent.hit(b"\x01", items={"name": b""})
    line = running.wait().lines()[1].split(",")
    columns = RECORD_COLUMNS.split(",")
    assert (line[columns.index("name")], line[columns.index("pid")]) == ('""', "")


def test_counters_and_variables_of_run_are_no_rows(agent, tool, net):
    """One file has one table: the rest goes to standard error, and --quiet leaves it out."""
    for words, counted in (([], True), (["--quiet"], False)):
        agent.requests.clear()
        hit_while_installed(agent, 2)
        run = tool("run", net, "--count", "2", "--format", "csv", *words)
        header, rows = table(run.stdout)
        assert run.status == 0 and ",".join(header) == RECORD_COLUMNS and [row["data"] for row in rows] == ["01", "01"]
        assert ("hits: net minor 9 at 0x00001000: 2\n" in run.stderr) == counted
        assert ("net lv 3 = 0x00000000 (0)\n" in run.stderr) == counted


def test_programs_as_csv(agent, tool, net):
    """A row for each probe; a column of the probe whose name is taken has a prefix."""
    assert tool("insert", net, "--log", "pid").status == 0
    header, rows = table(tool("list", "--format", "csv").stdout)
    (program,) = tool("list", "--format", "json").objects()
    assert ",".join(header) == PROGRAM_COLUMNS
    probes = [{"probe_state" if name == "state" else name: value for name, value in probe.items()}
              for probe in program.pop("probes")]
    same_values([{**program, **probe} for probe in probes], rows)
    assert len(rows) == 2


@pytest.mark.parametrize("command,columns", [("list", PROGRAM_COLUMNS), ("vars", VARIABLE_COLUMNS)])
def test_columns_stay_without_rows(agent, tool, command, columns):
    agent.gvars = []
    assert tool(command, "--format", "csv").stdout == columns + "\n"


def test_variables_as_csv(agent, tool, net):
    assert tool("insert", net).status == 0
    agent.programs[0].variables = [1, 2, 3, 0xFFFFFFFF]
    run = tool("vars", "--format", "csv")
    assert run.lines()[:5] == [VARIABLE_COLUMNS, "local,net,0,1,,,,", "local,net,1,2,,,,", "local,net,2,3,,,,",
                               "local,net,3,4294967295,,,,"]
    assert run.lines()[5] == "global,,0,0,,,,"


def test_symbols_as_csv(dprobes, tmp_path):
    (tmp_path / "a.map").write_text("00001000 T main\n00002000 d data\n")
    run = dprobes("symbols", "--sym", tmp_path / "a.map", "--format", "csv")
    header, rows = table(run.stdout)
    assert ",".join(header) == "kind,name,address,bytes,type,local,file"
    same_values(dprobes("symbols", "--sym", tmp_path / "a.map", "--format", "json").objects(), rows)
    assert rows[0] == {"kind": "symbol", "name": "main", "address": "0x00001000", "bytes": "0", "type": "code",
                       "local": "false"}


PROGRAM = """\
name = "t"
major = 5
vars = 2
offset = 0x1000
opcode = 1
minor = 3
ignore = 1
push 5
pop lv, 1
push 7
log 1
exit
offset = 0x2000
opcode = 1
minor = 4
push 0
push 0
div
exit
"""


def test_simulated_hits_as_csv(dprobes, tmp_path):
    (tmp_path / "t.dp").write_text(PROGRAM)
    words = ["simulate", "t.dp", "--hits", "3:2", "--hits", "4:1"]
    header, rows = table(dprobes(*words, "--format", "csv", cwd=tmp_path).stdout)
    assert ",".join(header) == ("kind,hit,point,name,address,major,minor,end,steps,exception,data,trace,trace_truncated,desc,"
                                "text,trace_text,args")
    same_values(dprobes(*words, "--format", "json", cwd=tmp_path).objects(), rows)
    assert [(row["hit"], row["end"]) for row in rows] == [("2", "exit"), ("3", "exception")]


# ---- --until -------------------------------------------------------------------------------------

@pytest.mark.parametrize("form", ["text", "json", "raw", "csv"])
@pytest.mark.parametrize("regex", [r"^DProbes\(3,9\) pid=5 ab$", "^ended by an exception$", "pid=5", " ab$"])
def test_until_looks_at_fields_whatever_the_format(agent, logging, form, regex):
    """Codes, items and data as one line; each flag alone: "ab" is the end although the line printed goes on."""
    running = logging("--until", regex, "--format", form, items="pid")
    agent.hit(b"\x01", items={"pid": 4})
    agent.hit(b"\xab", flags=1, items={"pid": 5})
    agent.hit(b"\xee\xee", items={"pid": 6})
    run = running.wait()
    assert run.status == 0 and ("eeee" not in run.stdout or form == "raw")


@pytest.mark.parametrize("form,word", [("json", "program"), ("json", '"'), ("csv", "log,0"), ("raw", "~R")])
def test_until_does_not_see_the_format(agent, logging, form, word):
    """What the format adds is no field: nothing matches, and the command waits on."""
    running = logging("--until", word, "--format", form, "--timeout", "1")
    agent.hit(b"\x01")
    run = running.wait()
    assert run.status == 124


@pytest.mark.parametrize("regex", ["^notice: a trap word was hit", "pc=60001234 found 0xe7f001f8$"])
def test_until_looks_at_notices(agent, logging, regex):
    running = logging("--until", regex, "--format", "csv")
    agent.notice(99)
    agent.notice(3, (0x60001234).to_bytes(4, "big") + (0xE7F001F8).to_bytes(4, "big"))
    run = running.wait()
    assert run.status == 0 and len(run.lines()) == 3


def test_lost_watchpoint(agent, logging):
    running = logging("--until", "probe 7 at 0x20000040$")
    agent.notice(11, b"\x07" + (0x20000040).to_bytes(4, "big"))
    run = running.wait()
    assert run.status == 0 and "the firmware or a debugger changed the comparator" in run.stderr


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_until_looks_at_template_lines(agent, logging, tmp_path, form):
    (tmp_path / "t.tpl").write_text('major = 3\nminor = 9, desc = "packet", fmt = "a %x\\nb %x\\n"\n')
    for regex in ("^b 05$", "^packet$"):
        agent.programs.clear()
        running = logging("--until", regex, "--format", form, "--templates", tmp_path / "t.tpl")
        agent.hit(b"\x04\x05")
        assert running.wait().status == 0


# ---- --quiet -------------------------------------------------------------------------------------

@pytest.mark.parametrize("form", ["text", "raw", "csv", "json"])
def test_quiet_leaves_out_the_counters(agent, tool, net, form):
    """--quiet: records only. JSON is data for programs and stays."""
    hit_while_installed(agent, 1)
    run = tool("run", net, "--count", "1", "--quiet", "--format", form)
    assert run.status == 0 and run.stderr == ""
    assert ("hits" in run.stdout) == ("local" in run.stdout) == (form == "json")


def test_json_of_today(agent, tool, net):
    """Keys and their order: programs read them."""
    hit_while_installed(agent, 1)
    run = tool("run", net, "--count", "1", "--format", "json")
    record, *variables, first, _second = run.objects()
    assert [key for key in record if key not in ("ticks", "seconds")] == [
        "kind", "stream", "program", "point", "probe", "major", "minor", "data"]
    assert [list(variable.items()) for variable in variables] == [
        [("kind", "local"), ("program", "net"), ("index", index), ("value", 0)] for index in range(4)]
    assert list(first.items()) == [
        ("kind", "hits"), ("program", "net"), ("point", 0), ("minor", 9), ("address", "0x00001000"), ("hits", 1),
        ("missed", 0), ("ignored", 0), ("faulted", 0), ("dropped", 0)]
    assert tool("insert", net, "--format", "json").stdout == \
        '{"kind":"inserted","program":"net","index":0,"armed":2,"waiting":0,"schema":1}\n'
    assert tool("vars", "net", "--index", "1", "--format", "json").stdout == \
        '{"kind":"local","program":"net","index":1,"value":0,"schema":1}\n'
    listed = tool("list", "--format", "json").stdout
    assert listed.startswith('{"kind":"program","program":"net","index":0,"id":7,"major":3,"state":"armed","items":"","bytes":')
    assert ('"probes":[{"probe":2,"point":0,"minor":9,"address":"0x00001000","isa":0,"state":"armed","original":'
            '"0x01020304","hits":0,"missed":0,"ignored":0,"faulted":0,"dropped":0,"overruns":0,"maxhits":') in listed
    assert tool("remove", "net", "--format", "json").stdout == '{"kind":"removed","programs":1,"schema":1}\n'


# ---- the document ----------------------------------------------------------------------------------

def test_the_document_names_the_columns(dprobes, agent, tool, tmp_path):
    """FORMATS.md against the header lines that the commands print."""
    (tmp_path / "t.dp").write_text(PROGRAM)
    (tmp_path / "a.map").write_text("00001000 T main\n")
    assert tool("insert", tmp_path / "t.dp").status == 0
    headers = {
        "`aggs`": tool("aggs", tmp_path / "t.dp", "--format", "csv").lines()[0],
        "`log`, `run`": tool("log", "--timeout", "0.1", "--quiet", "--format", "csv").lines()[0],
        "`simulate`": dprobes("simulate", tmp_path / "t.dp", "--format", "csv").lines()[0],
        "`list`": tool("list", "--format", "csv").lines()[0],
        "`vars`": tool("vars", "--format", "csv").lines()[0],
        "`read`": tool("read", "0x20000", "--format", "csv").lines()[0],
        "`doctor`": tool("doctor", "--format", "csv").lines()[0],
        "`ports`": dprobes("ports", "--format", "csv").lines()[0],
        "`symbols`": dprobes("symbols", "--sym", tmp_path / "a.map", "--format", "csv").lines()[0]}
    text = (TOP / "host/present/FORMATS.md").read_text(encoding="utf-8")
    documented = dict(re.findall(r"^\| (`.*?) \| [^|]* \| `([\w,]+)` \|$", text, re.M))
    del documented["`tasks`"]  # needs a kernel: wire/test_tasks.py
    del documented["`top`"]  # needs samples: wire/test_top.py
    assert documented == headers


def test_a_format_is_a_file_and_a_row():
    """No command and no other format names one: sinks are known by the table of kinds alone."""
    rows = re.findall(r"^SINK\((\w+)\)$", (TOP / "host/present/sink_kinds.def").read_text(encoding="utf-8"), re.M)
    assert rows == ["text", "json", "raw", "csv"]
    for path in (TOP / "host").rglob("*.[ch]"):
        if path.parent.name == "command" and path.stem != "cli_help_json":  # the help for programs has one form
            text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            assert not re.search(r"\b(json|csv|raw)\.h\b|sink_(json|csv|raw)|\"(json|csv|raw)\"|DPH_FORMAT", text), path


@pytest.mark.parametrize("form", ["csv", "raw"])
def test_a_place_is_no_table(dprobes, tmp_path, form):
    """`symbols` has a table of symbols; what is at an address is text or JSON."""
    (tmp_path / "a.map").write_text("00001000 T main\n")
    run = dprobes("symbols", "0x1000", "--sym", tmp_path / "a.map", "--format", form)
    assert (run.status, run.stdout) == (1, "") and f"a place in the code has no --format {form}\n" in run.stderr
    assert dprobes("symbols", "0x1000", "--sym", tmp_path / "a.map", "--format", "json").objects()[0]["kind"] == "place"
