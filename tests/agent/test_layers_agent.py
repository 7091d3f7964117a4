# SPDX-License-Identifier: BSD-2-Clause
"""Which file of the agent's core may use which, and which members of its state: tables, compared with the includes, with
the linked symbols and with what the compiler sees.

Files stand on floors, a folder each, and a table has the uses of floors. The one call against the layers goes through a
pointer: a hit serves requests by `serve` of struct dp_agent.
"""
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import sources_mk
from harness.paths import TOP, built, program

AGENT = TOP / "agent"

# One row a floor, from the ground up: the floors that a floor may use. No two floors use each other, not even through a third.
# The headers of agent/ itself stand outside: firmware includes them, and dp_state.h composes the state of all floors.
FLOORS = {
    "base": "",
    "vm": "base",
    "line": "base vm",
    "sites": "base vm line",
    "hit": "base vm line sites",
    "request": "base vm line sites hit",
}
# One row a file: the files it may use directly, from the lowest layer to the highest. A file uses
# another one when it includes that file's header or is linked with that file's symbols.
USES = {
    # base
    "memory": "",
    "clock": "",
    "lock": "",
    # vm
    "task": "",
    "rpn_log": "",
    "rpn_trace": "",
    "map_place": "",
    "rpn_long": "",
    "rpn_bucket": "rpn_long",
    "rpn_map": "rpn_bucket rpn_long",
    "rpn_spec": "rpn_long",
    "rpn_string": "task",
    "rpn_access": "",
    "rpn_interp": "rpn_access rpn_log rpn_long rpn_map rpn_spec rpn_string rpn_trace task",
    "map_rules": "",
    "rpn_verify": "map_rules memory",
    "plan_code": "",
    "object_rules": "",
    "object_verify": "map_rules memory object_rules rpn_verify",
    # line
    "answer": "",
    "log_ring": "",
    "ring_full": "log_ring",
    "sent": "log_ring",
    "stream_line": "log_ring memory sent",
    "wake": "",
    "typed_line": "",
    "notice": "answer memory",
    "items": "answer task",
    "owner": "answer clock memory stream_line",
    "receive": "lock stream_line typed_line wake",
    "held_frames": "clock receive",
    "status_lines": "answer clock held_frames notice ring_full sent stream_line",
    "compact_line": "",
    "record_line": "compact_line items log_ring sent status_lines stream_line",
    "transmit": "owner record_line status_lines stream_line typed_line",
    "console": "stream_line transmit",
    # sites
    "entries": "",
    "bounds": "memory",
    "watches": "lock memory",
    "keep": "memory watches",
    "governor": "clock notice",
    "site_sum": "entries watches",
    "plan": "entries memory plan_code",
    "sites": "entries keep memory plan site_sum watches",
    "text": "sites lock watches",
    "text_crc": "text watches",
    "draft": "bounds memory text watches",
    "move": "entries memory",
    "store": "clock entries map_place memory move rpn_long",
    "probes": "entries governor memory plan sent site_sum sites store watches",
    "module_names": "memory probes",
    "identity": "memory module_names text_crc",
    "returned": "entries plan probes",
    "tables": "entries keep notice probes site_sum sites watches",
    "site_check": "entries notice probes sites tables watches",
    "exit_site": "draft entries memory plan site_sum sites tables",
    "break": "bounds entries memory module_names plan sites store tables text watches",
    "watch_check": "lock memory module_names sites store tables watches",
    "timers": "clock memory plan",
    "point": "break entries module_names probes returned site_check sites store tables timers watch_check watches",
    # hit
    "storm": "governor",
    "halt": "clock governor notice receive transmit",
    "flight": "memory",
    "hit_log": "answer clock flight items log_ring plan ring_full sent stream_line",
    "core_log": "clock hit_log log_ring",
    "speculate": "entries hit_log log_ring move rpn_spec store",
    "handlers": "core_log entries flight governor halt hit_log log_ring move notice plan probes rpn_interp speculate",
    "hit_end": "entries governor handlers hit_log lock log_ring probes ring_full sent sites speculate storm transmit",
    "halt_step": "draft entries halt handlers hit_end log_ring memory sites transmit watches",
    "halt_place": "bounds clock draft entries halt halt_step plan sites stream_line transmit",
    "watched": "entries halt_place halt_step handlers hit_end memory sites text watches",
    "stepped": "halt_step handlers hit_end lock sites watched watches",
    "hit": "clock entries governor halt halt_place halt_step handlers hit_end hit_log lock log_ring move notice plan rpn_map sites storm transmit watched watches",
    "own_text": "hit text",
    "event": "entries hit memory probes store",
    "timer_run": "clock entries governor halt_place handlers hit hit_end storm timers",
    # request
    "install": "entries event identity items memory module_names object_verify own_text point probes sites speculate store stream_line",
    "variables": "entries probes",
    "text_request": "sites text_crc",
    "ranges_request": "",
    "hardware_request": "entries memory probes sites store timers watches",
    "map_request": "memory rpn_map",
    "memory_request": "",
    "core_request": "halt",
    "halt_request": "clock halt_step",
    "flight_request": "flight memory",
    "resend": "log_ring sent stream_line",
    "secret": "",
    "sealed": "memory receive secret",
    "rights": "memory sealed secret",
    "module_arm": "entries identity module_names notice point store",
    "work": "module_arm sites store",
    "embed": "flight install memory store work",
    "requests": "answer clock core_request embed entries flight_request halt halt_request identity install keep log_ring map_request memory memory_request module_names own_text owner plan probes hardware_request ranges_request resend rights sent sites speculate store stream_line text_request variables watches",
    "typed": "install notice rights sites",
    "exits": "exit_site module_names work",
    "module": "entries exits memory module_arm module_names point probes work",
    "command": "halt memory move owner requests sealed storm stream_line transmit typed typed_line work",
    "patrol": "entries notice plan point probes site_check timers",
    "integrity": "keep patrol work",
    "stop": "entries install store work",
    "agent": "bounds clock command console embed flight halt_place hit identity integrity log_ring memory probes rights speculate status_lines stop storm lock timer_run timers transmit watches exits",
}
# Headers that no file owns: types, knobs, and the public header, whose functions three files share.
COMMON = {"dp_agent.h", "dp_board.h", "dp_state.h", "dp_base_state.h", "dp_line_state.h", "dp_sites_state.h", "dp_config.h",
          "dp_sizes.h", "dp_build.h", "dp_form.h", "dp_verdict.h", "dp_fields.h", "dp_at_work.h", "dp_lock.h"}
# Headers of agent/glue, which stands above the core.
FIRMWARE = {"dprobes.h", "dprobes_hit.h", "dprobes_hook.h"}
# The files of a header with another name than theirs, or of several files; dp_NAME.h belongs to NAME.c. Who includes a
# header of several files uses one of them; the symbols tell which.
OWNERS = {"dp_vm.h": "rpn_interp task", "dp_claims.h": "rpn_interp", "dp_verify.h": "object_verify", "dp_long.h": "rpn_long", "dp_spec.h": "rpn_spec",
          "dp_tell.h": "answer notice", "dp_wire.h": "console held_frames receive transmit wake",
          "dp_store.h": "move store", "dp_map_store.h": "store", "dp_text.h": "bounds text text_crc", "dp_kind.h": "break watch_check",
          "dp_site_check.h": "site_check tables", "dp_handlers.h": "handlers hit_end", "dp_halt_step.h": "halt_place halt_step", "dp_hit.h": "event hit own_text",
          "dp_sites.h": "draft exit_site sites", "dp_work.h": "embed module_arm patrol work", "dp_requests.h": "command requests", "dp_forms.h": "requests", "dp_sealed.h": "sealed secret"}
# Types in these are everybody's; the calls are compared at link level.
SHARED_TYPES = {"dp_vm.h", "dp_verify.h", "dp_long.h", "dp_memory.h", "dp_kind.h"}
# Headers that a few files share, and no other file includes.
PRIVATE = {"dp_run.h": {"rpn_access", "rpn_interp", "rpn_log", "rpn_long", "rpn_string", "rpn_trace"},
           "dp_map.h": {"hit", "map_place", "map_request", "plan_code", "rpn_bucket", "rpn_interp", "rpn_map", "rpn_spec", "store"},
           "dp_spec.h": {"rpn_interp", "rpn_spec", "speculate"},
           "dp_verify_parts.h": {"rpn_verify", "object_verify", "object_rules", "map_rules"},
           "dp_exchange.h": {"hardware_request", "requests", "variables", "text_request", "rights", "resend", "map_request", "memory_request", "ranges_request", "halt_request", "core_request", "flight_request", "embed"}}
# A header of fewer lines joins its neighbour. Blank lines, comments, includes and the guard do not count.
LEAST_LINES = 10
# The floor of each member of the two structs of dp_state.h: no lower floor touches the member.
MEMBERS = {
    "base": "board clock comparators cpu hold lock",
    "vm": "vm",
    "line": "boot halt link nonce notice poll_due restored resumed ring sent stream text_dropped transmit wire woken",
    "sites": "arena arena_used bounds bucket changes executing gv gv_count identity in_hit keep leavings listed locked module module_count text_writes "
             "memory move_bytes moved moving noted pending polls probe probe_last probes program programs returned_probes second site steps summing timers upload watch watching",
    "hit": "flight hits_since_poll returned returns serve spec_due stop_due strays unsettled",
    "request": "embed modules_came patrol_at patrol_crc patrol_program patrol_site polling port rests rests_for rests_since secret exits",
}
# (file, member of a higher floor): the reason.
LIFTS = {
    ("status_lines.c", "arena_used"): "a sync goes each second only while programs are installed",
    ("store.c", "patrol_at"): "the bytes that the patrol goes through move when a program goes",
}


def files(suffix):
    """{name: path} of the core."""
    return {path.name: path for folder in (AGENT, *(AGENT / floor for floor in FLOORS)) for path in sorted(folder.glob(f"*.{suffix}"))
            if path.name not in FIRMWARE}


SOURCES = sorted(name.removesuffix(".c") for name in files("c"))
HEADERS = sorted(files("h"))


def allowed(name):
    return {name, *USES[name].split()}


def floor(path):
    """The floor of a file; "agent": of the folder itself."""
    return path.parent.name


def owners(header):
    """The files whose functions the header declares."""
    return set(OWNERS.get(header, header.removeprefix("dp_").removesuffix(".h")).split())


def includes(path):
    """Our headers, whatever folder the include names in front."""
    return [name for name in re.findall(r'^\s*#\s*include ["<](?:[^">]*/)?([^">/]+)[">]', path.read_text(), re.MULTILINE) if name in HEADERS]


def included_files(name):
    """For each header that NAME.c, or a header of NAME.c alone, includes: the files that this may be a use of."""
    own = [files("c")[f"{name}.c"], *(path for header, path in files("h").items() if header not in COMMON and header not in PRIVATE
                                      and owners(header) == {name})]
    for header in (header for path in own for header in includes(path)):
        if header in PRIVATE:
            assert name in PRIVATE[header], f"{name} includes {header}"
        elif header not in COMMON and header not in SHARED_TYPES:
            yield owners(header)


def forbidden_files(name):
    return [sorted(of) for of in included_files(name) if not of & allowed(name)]


def objects(name):
    """The objects of NAME.c in the host library: one, or one a word size and byte order."""
    there = built("host", "agent") / floor(files("c")[f"{name}.c"])
    return sorted(there.glob(f"{name}.o")) or sorted(there.glob(f"{name}_[36]*.o"))


def symbols():
    """{symbol: file that defines it}, {file: its undefined symbols}."""
    defined, wanted = {}, {}
    for name in SOURCES:
        assert objects(name), f"{name}.c is in no list of agent/sources.mk"
        for path in objects(name):
            listing = subprocess.run([program("nm"), path], capture_output=True, text=True, check=True).stdout
            for kind, symbol in re.findall(r"^[0-9a-f ]* (\w) (\S+)$", listing, re.MULTILINE):
                if kind == "U":
                    wanted.setdefault(name, set()).add(symbol)
                elif kind.isupper():
                    defined[symbol] = name
    return defined, wanted


def stretches():
    """Functions for masked and locked stretches are everybody's, as their header is. In some builds they are inline."""
    return set(re.findall(r"^(?:void|dp_irq) (dp_\w+)\(", files("h")["dp_lock.h"].read_text(), re.MULTILINE))


def linked_files(name, defined, wanted):
    return {defined[symbol] for symbol in wanted.get(name, ()) if symbol in defined and symbol not in stretches()}


def test_table_names_every_file():
    assert sorted(USES) == SOURCES
    assert set().union(*(owners(header) for header in HEADERS if header not in COMMON and header not in PRIVATE)) <= set(SOURCES)


def test_table_has_no_circle():
    """A row uses rows above it only: the table is in the order of the layers."""
    rows = list(USES)
    assert not [f"{name} uses {used}" for name in rows for used in USES[name].split()
                if rows.index(used) >= rows.index(name)]


def test_core_knows_no_firmware():
    assert not [path.name for path in [*files("c").values(), *files("h").values()]
                if re.search(r'#include "(glue/|dprobes)', path.read_text())]


def test_floors_have_no_circle():
    """A row uses rows above it only; the build knows the same floors in the same order."""
    rows = list(FLOORS)
    assert sources_mk.words(sources_mk.read("agent"), "FLOORS") == rows
    assert not [f"{name} uses {used}" for name in rows for used in FLOORS[name].split() if rows.index(used) >= rows.index(name)]


def floor_uses():
    """{(floor, floor that it uses): an example}, by the table of files and by every include."""
    of = {name: floor(path) for name, path in {**files("c"), **files("h")}.items()}
    used = {(of[f"{name}.c"], of[f"{other}.c"]): f"{name} {other}" for name in USES for other in USES[name].split()}
    for path in [*files("c").values(), *files("h").values()]:
        used.update({(of[path.name], of[header]): f"{path.name} {header}" for header in includes(path)})
    return {edge: example for edge, example in used.items() if edge[0] != edge[1] and "agent" not in edge}


def test_floors():
    """The floors use each other as their table says, and the table permits nothing unused."""
    permitted = {(name, used) for name in FLOORS for used in FLOORS[name].split()}
    used = floor_uses()
    assert not {edge: example for edge, example in used.items() if edge not in permitted}
    assert not permitted - used.keys()


@pytest.mark.parametrize("name", SOURCES)
def test_includes(name):
    assert not forbidden_files(name)


@pytest.mark.parametrize("include", ['"dp_requests.h"', '"../agent/request/dp_requests.h"', "<dp_requests.h>"])
def test_a_forbidden_include_is_seen(tmp_path, monkeypatch, include):
    shutil.copytree(AGENT, tmp_path / "agent")
    monkeypatch.setattr(sys.modules[__name__], "AGENT", tmp_path / "agent")
    with files("c")["plan.c"].open("a", encoding="utf-8") as file:
        file.write(f"#include {include}\n")
    assert forbidden_files("plan") == [["command", "requests"]]
    assert floor_uses()["sites", "request"] == "plan.c dp_requests.h"


def content(text):
    """The lines of a header that say something."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^#ifndef (\w+_H)\n#define \1\n(.*)^#endif\s*\Z", r"\2", text.lstrip(), flags=re.M | re.S)
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#include")]


def test_a_header_has_content():
    assert not {name: len(content(path.read_text())) for name, path in files("h").items() if len(content(path.read_text())) < LEAST_LINES}
    small = "/* a\n * b */\n#ifndef DP_A_H\n#define DP_A_H\n\n#include <a.h>\n#if B /* c */\nint d;\n#endif\n\n#endif\n"
    assert content(small) == ["#if B ", "int d;", "#endif"]


def marked(text, struct):
    """The header with the members of the struct deprecated, so that the compiler names each use; the members."""
    begin = text.index(f"struct {struct} {{")
    end = text.index("\n};", begin)
    depth, out, names = 0, "", []
    for part in re.findall(r"/\*.*?\*/|.", text[begin:end], re.S):
        depth += (part in "{(") - (part in ")}")
        if part in ";," and depth == 1:
            names.append(re.search(r"(\w+)(?:\[[^]]*\]|\)\([^()]*\))*$", out)[1])
            out += f' __attribute__((deprecated("member {names[-1]}")))'
        out += part
    return text[:begin] + out + text[end:], names


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    """dp_state.h with each member marked, and the members."""
    text, names = (AGENT / "dp_state.h").read_text(), []
    for struct in ("dp_per_cpu", "dp_agent"):
        text, more = marked(text, struct)
        names += more
    path = tmp_path_factory.mktemp("marked") / "dp_state.h"
    path.write_text(text)
    return path, names


def touched(path, header):
    """{(file, floor, member)} that the C file and its headers touch: in a build with all features, for two CPUs."""
    folders = [AGENT, *(AGENT / floor for floor in FLOORS), *(TOP / folder for folder in ("protocol", "port", "port/sim"))]
    build = ["-DDP_PORT_CPUS=2", "-DDP_PROFILE=1", "-DDP_HITS_PER_SECOND=1", "-DDP_WITH_HOOKS=1"]
    said = subprocess.run([program("gcc"), "-std=c11", "-fsyntax-only", "-ftrack-macro-expansion=0", *build,
                           *(f"-I{folder}" for folder in folders), "-include", header, path], capture_output=True, text=True, check=True)
    return {(pathlib.Path(name).name, pathlib.Path(name).parent.name, member)
            for name, member in re.findall(r"^([^\s:]+):\d+:\d+: warning: .* is deprecated: member (\w+)", said.stderr, re.M)}


def touched_above(uses):
    """{(file, member)}: the member is of a floor above the file's."""
    floors = list(FLOORS)
    of = {member: floors.index(name) for name, members in MEMBERS.items() for member in members.split()}
    return {(name, member) for name, where, member in uses if where in floors and of[member] > floors.index(where)}


def test_each_member_has_a_floor(state):
    named = " ".join(MEMBERS.values()).split()
    assert len(named) == len(set(named))
    assert set(named) == set(state[1])


def test_no_floor_touches_members_above_it(state):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        uses = set().union(*pool.map(lambda path: touched(path, state[0]), files("c").values()))
    assert touched_above(uses) == set(LIFTS)
    assert {member for _, _, member in uses} == set(state[1])


def test_a_forbidden_member_is_seen(state, tmp_path):
    """In functions and in inline functions of headers, by a pointer, in the state of a CPU, behind a macro."""
    (tmp_path / "line").mkdir()
    source, header = tmp_path / "line/a.c", tmp_path / "line/a.h"
    header.write_text("static inline uint8_t *a(struct dp_agent *agent) { return &agent->cpu[0].unsettled; }\n")
    source.write_text('#include "dp_state.h"\n#include "a.h"\n#define SITE(agent) ((agent)->site)\n'
                      "unsigned b(struct dp_agent *agent) { return SITE(agent)[0].isa + agent->woken + *a(agent); }\n"
                      "void c(struct dp_agent *agent) { agent->polling = DP_THIS_CPU(agent)->in_hit; }\n")
    assert touched_above(touched(source, state[0])) == {("a.h", "unsettled"), ("a.c", "site"), ("a.c", "polling"), ("a.c", "in_hit")}


def test_linked_symbols():
    defined, wanted = symbols()
    assert not [f"{name} calls {used}" for name in SOURCES
                for used in linked_files(name, defined, wanted) - allowed(name)]


def test_table_permits_nothing_unused():
    defined, wanted = symbols()
    unused = {name: allowed(name) - {name} - linked_files(name, defined, wanted) - set().union(*included_files(name))
              for name in SOURCES}
    assert not {name: files for name, files in unused.items() if files}


def test_a_forbidden_call_is_seen(tmp_path):
    """The comparison of symbols finds a call against the layers: here, from the hit path to the requests."""
    source = tmp_path / "call.c"
    source.write_text("int dp_command_run(void *, int);\nint call(void *agent);\n"
                      "int call(void *agent) { return dp_command_run(agent, 1); }\n")
    subprocess.run([program("gcc"), "-c", "-o", tmp_path / "call.o", source], check=True)
    listing = subprocess.run([program("nm"), "-u", tmp_path / "call.o"], capture_output=True, text=True, check=True).stdout
    defined, _ = symbols()
    assert linked_files("hit", defined, {"hit": set(listing.split())}) - allowed("hit") == {"command"}
