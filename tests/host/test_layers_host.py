# SPDX-License-Identifier: BSD-2-Clause
"""Which layer of the host may know which: a table, compared with the includes and with the linked symbols."""
import pathlib
import re

import pytest

import sources_mk
from harness import layers
from harness.paths import BUILD, TOP, built, program, tracked_files

# A row a layer, from the ground up: the layers that it may know. One that knows another may include its headers and
# call it. `include` has the public headers of all layers. protocol, agent and port are other houses' layers.
TABLE = {
    "include": "protocol",
    "base": "include",
    "tables": "include protocol port",
    "source": "base protocol",
    "wire": "include protocol",
    "stream": "include protocol wire",
    "session": "include protocol tables wire stream",
    "service": "include protocol wire session",
    "object": "include protocol agent base tables source",
    "capture": "base protocol",
    "boards": "include base source",
    "symbols": "include protocol base tables source",
    "debuginfo": "include protocol base tables symbols",
    "ir": "protocol base tables source symbols",
    "format": "include base protocol",
    "lang/d/read": "protocol base source symbols debuginfo format ir",
    "lang/d/points": "protocol base tables source symbols debuginfo lang/d/read",
    "lang/d/check": "protocol base tables source symbols debuginfo format lang/d/read lang/d/points",
    "lang/d/parse": "base source debuginfo lang/d/read lang/d/points lang/d/check",
    "lang/d/code": "protocol base tables source debuginfo format ir lang/d/read lang/d/points",
    "lang/d/record": "base tables source debuginfo format ir lang/d/read lang/d/check lang/d/code",
    "lang/d": "base source symbols debuginfo format ir lang/d/read lang/d/points lang/d/check lang/d/parse lang/d/code lang/d/record",
    "lang/rpn": "include protocol base tables source object symbols debuginfo ir",
    "lang": "ir lang/d lang/rpn",
    "compile": "include protocol base tables source object symbols ir lang",
    "simulate": "include protocol agent port base tables object",
    "present": "include protocol base tables source wire object debuginfo symbols format simulate",
    "insertion": "include protocol base tables source symbols session object compile",
    "look": "include base source symbols debuginfo format lang/d/read lang/d/check lang/d/parse lang/d/code lang/d/record",
    "simple": "include protocol base tables object symbols session stream boards insertion present look",
    "tasks": "include base tables symbols debuginfo look",
    "export": "include protocol base tables symbols format present",
    "core": "protocol base tables",
    "gdb": "protocol base tables",
    "command": "include export protocol base boards capture insertion tables source wire stream session service object symbols debuginfo lang/d lang/rpn compile simulate present look tasks gdb core",
}
# Folders inside of a layer that are no layers of their own.
PART_OF = {"include/dprobes": "include"}
INCLUDE_PATH = ("host", "host/include", "protocol", *sources_mk.include_folders("agent"), "port", "port/sim")
FOLDERS = ("host", "protocol", "agent", "port")
CODE = (".c", ".h", ".def")
# The agent is compiled once for each word size and byte order.
FORM = re.compile(r"_(32|64)(le|be)$")


def layer_of(path):
    """Under host/ the folder, elsewhere the top one."""
    top, *folders = pathlib.PurePath(path).parts[:-1]
    return PART_OF.get("/".join(folders), "/".join(folders)) if top == "host" else top


def files():
    return [path for path in tracked_files() if path.parts[0] == "host" and path.suffix in CODE]


def objects():
    """The objects of the tool, each with its source. Objects of files that are gone may lie about."""
    found = {}
    for path in sorted(path for folder in FOLDERS for path in built("host", folder).rglob("*.o")):
        stem = path.relative_to(BUILD / "host").with_suffix("")
        for name in (stem, stem.with_name(FORM.sub("", stem.name))):
            if (TOP / name).with_suffix(".c").exists():
                found[path] = name.with_suffix(".c")
                break
    return found


# What the global symbols of a house begin with. The host's own header files say which of its names are public.
PREFIXES = {"protocol": ("dp_",), "agent": ("dp_", "dprobes_"), "port": ("dp_", "sim_")}


def misnamed(defined):
    """defined: (source, symbol) of each global symbol. Those without the prefix of their house."""
    public = {name for header in TOP.glob("host/include/dprobes/*.h") for name in re.findall(r"\bdp_\w+", header.read_text())}
    for source, symbol in defined:
        own = PREFIXES.get(source.parts[0])
        if not (symbol.startswith(own) if own else symbol in public or symbol.startswith("dph_") or symbol == "main"):
            yield f"{source} defines {symbol}"


@pytest.fixture(scope="session")
def edges():
    return [*layers.include_edges(files(), INCLUDE_PATH, TOP), *layers.link_edges(objects(), program("nm"))]


def wrong(table, edges, more=()):
    table = {layer: set(row.split()) for layer, row in table.items()}
    return layers.violations(table, layer_of, [*files(), *more], edges)


def test_every_source_has_an_object():
    """Or the comparison of symbols would not see it."""
    there = set(objects().values())
    assert not [str(path) for path in files() if path.suffix == ".c" and path not in there]


def test_layers(edges):
    assert wrong(TABLE, edges) == []


def test_a_new_edge_is_seen(edges):
    include = layers.Edge("host/compile/layout.c", "host/lang/rpn/cursor.h", "includes lang/rpn/cursor.h")
    symbol = layers.Edge("host/lang/rpn/parse.c", "host/compile/compile.c", "uses dph_compile")
    lowering = layers.Edge("host/lang/d/code/lower.c", "host/lang/d/check/check.c", "uses dph_d_check")
    found = wrong(TABLE, [*edges, include, symbol, lowering])
    assert [text.split(";")[0] for text in found] == [
        "host/compile/layout.c includes lang/rpn/cursor.h of lang/rpn", "host/lang/d/code/lower.c uses dph_d_check of lang/d/check",
        "host/lang/rpn/parse.c uses dph_compile of compile"]


def test_a_new_folder_is_seen(edges):
    assert wrong(TABLE, edges, ["host/attic/box.c", "host/lang/e/parse.c"]) == [
        "host/attic/box.c is of attic, which has no row in the table",
        "host/lang/e/parse.c is of lang/e, which has no row in the table"]


# Of host/command: the options of the command line, and what was given of them.
OPTIONS = {"cli", "cli_exits", "cli_letters", "cli_numbers", "cli_options", "cli_read", "cli_settings", "cli_words"}


def of_options_to_commands(edges):
    """Edges from the options to the rest of host/command: the table of commands stands on the options."""
    def is_option(path):
        return pathlib.PurePath(path).stem in OPTIONS

    return [edge for edge in edges if layer_of(edge.source) == layer_of(edge.target) == "command"
            and is_option(edge.source) and not is_option(edge.target)]


def test_options_know_no_command(edges):
    assert OPTIONS == {path.stem for path in files() if path.parent.name == "command" and path.stem in OPTIONS}
    assert of_options_to_commands(edges) == []
    upward = layers.Edge("host/command/cli_read.c", "host/command/cli_commands.c", "uses dph_command_named")
    assert of_options_to_commands([*edges, upward]) == [upward]


def test_a_row_that_nobody_uses_is_seen(edges):
    assert wrong({**TABLE, "wire": "base include protocol"}, edges) == ["table: wire may know base, and no file of it does"]


# Global though no other object of the tool needs them: rows of messages.def, and the tool in one process with others (SConstruct).
OWN_USE = re.compile(r"dph_form_\w+|main|tool_main")


def words_of_users():
    """What tests, firmware and programs with the library may call."""
    users = [path for path in tracked_files() if path.parts[0] in ("tests", "boards") and path.suffix in (".c", ".h", ".S")]
    users += [path for path in tracked_files() if path.parts[:2] in (("host", "include"), ("agent", "glue")) or path.suffix == ".def"]
    return {word for path in users for word in re.findall(r"\w+", (TOP / path).read_text(encoding="utf-8"))}


def kept_to_themselves(defined, wanted, words):
    """Global symbols of host and agent that only their own file can use: static would do, or nobody calls them."""
    for source, symbol in defined:
        name = FORM.sub("", symbol)
        if source.parts[0] in ("host", "agent") and name not in words and not OWN_USE.fullmatch(name) \
                and not any(name + form in wanted for form in ("", "_32le", "_32be", "_64le", "_64be")):
            yield f"{source}: {symbol}"


def test_a_global_symbol_has_a_user():
    found = objects()
    defined, wanted = list(layers.defined_symbols(found, program("nm"))), layers.wanted_symbols(found, program("nm"))
    assert {*kept_to_themselves(defined, wanted, words_of_users())} == set()
    lonely = [(pathlib.PurePath("host/wire/ports.c"), "dph_lonely"), (pathlib.PurePath("agent/hit/hit.c"), "dp_lonely_32le")]
    assert list(kept_to_themselves(lonely, {*wanted, "dph_other"}, {"lonely"})) == ["host/wire/ports.c: dph_lonely", "agent/hit/hit.c: dp_lonely_32le"]
    assert not list(kept_to_themselves(lonely, {"dph_lonely", "dp_lonely_64be"}, set()))


def test_one_prefix_a_layer():
    found = list(layers.defined_symbols(objects(), program("nm")))
    assert len({source for source, _ in found}) > 100
    assert not list(misnamed(found))
    wrong_ones = [(pathlib.PurePath("host/wire/crc.c"), "dp_private"), (pathlib.PurePath("agent/hit/hit.c"), "hit")]
    assert list(misnamed(wrong_ones)) == ["host/wire/crc.c defines dp_private", "agent/hit/hit.c defines hit"]
