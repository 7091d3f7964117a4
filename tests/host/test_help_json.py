# SPDX-License-Identifier: BSD-2-Clause
"""`dprobes help --json`: every row of the tables is there, and every example works."""
import collections
import json
import re
import shlex

import pytest

import tables
from harness.paths import built

COMMAND = "host/command"
READ, CHECK = "host/lang/d/read", "host/lang/d/check"
REFUSED = ("LATER", "NEVER", "check_later", "check_never")
# Commands that need neither a board nor a file, and an option that ends each.
WITHOUT_A_BOARD = {"trace": ["--compile-only"], "probes": [], "symbols": []}


@pytest.fixture
def rows(dprobes):
    """The objects by kind."""
    run = dprobes("help", "--json")
    assert (run.status, run.stderr) == (0, "")
    found = collections.defaultdict(list)
    for line in run.lines():
        row = json.loads(line)
        found[row["kind"]].append(row)
    return found


@pytest.fixture(scope="session")
def demo():
    return built("boards", "vexpress-a9", "demo.elf")


def test_first_line_names_the_schema(rows, dprobes):
    row, = rows["tool"]
    assert row["schema"] == 1 and dprobes("--version").stdout == f"dprobes {row['version']}\n"
    assert set(rows) == {"tool", "command", "option", "setting", "exit", "d"}


def test_commands(rows, dprobes):
    assert [row["name"] for row in rows["command"]] == [row[0] for row in tables.rows(f"{COMMAND}/cli_commands.def", "COMMAND")]
    for row in rows["command"]:
        text = dprobes(row["name"], "--help").stdout
        own = text.split("\nOf every command:\n")[0]
        assert [word for word in row["options"] if f"--{word}" not in own] == [], row["name"]
        assert len(row["options"]) == len(re.findall(r"^  (?:-\w, |    )--", own, re.M)), row["name"]
        assert ("--format " in own) == bool(row["formats"]), row["name"]
        if row["formats"]:
            assert f"--format {'|'.join(row['formats'])}" in own


def test_options(rows):
    wanted = tables.rows(f"{COMMAND}/cli_options.def", "OPTION")
    for row, (_, name, letter, value, text) in zip(rows["option"], wanted, strict=True):
        assert (row["name"], row["help"]) == (name, text)
        assert row.get("letter", "0") == letter.strip("'") and row.get("value", "0") == value
    own = {(command, identity): text for command, identity, text in tables.rows(f"{COMMAND}/cli_help.def", "HELP")}
    said = {(command, row[0]): text for row, o in zip(wanted, rows["option"], strict=True) for command, text in o["help_of"].items()}
    assert said == own
    assert {row["name"] for row in rows["option"] if row["every_command"]} == {"quiet", "color", "help", "version"}


def test_options_with_an_example_each(rows):
    """The command of an example takes the option: cli_commands.def and the examples agree."""
    assert [row["name"] for row in rows["option"] if "example" not in row] == []
    takes = {row["name"]: {*row["options"], *(["format"] if row["formats"] else [])} for row in rows["command"]}
    common = {row["name"] for row in rows["option"] if row["every_command"]} | {"timeout"}
    for row in rows["option"]:
        words = shlex.split(row["example"])
        assert re.search(rf"(^| )(--{row['name']}|-{row.get('letter', '-')})( |$)", row["example"]), row
        name = "output" if row["name"] == "outfile" else row["name"]
        assert words[0] == "--version" or name in takes[words[0]] | common, row["example"]


def test_settings_and_exits(rows):
    assert [[row["name"], row["option"], row["help"]] for row in rows["setting"]] == tables.rows("host/boards/board_keys.def", "BOARD_KEY")
    assert [[row["name"], str(row["status"]), row["meaning"]] for row in rows["exit"]] == tables.rows(f"{COMMAND}/cli_exits.def", "EXIT")


def words_of_d():
    """(table, name, form, meaning, refusal, HOW) of each row of D's tables, in their order."""
    for name, missing, form, fires in tables.rows(f"{READ}/providers.def", "PROVIDER"):
        yield "provider", name, form or None, fires or None, None if missing == "NULL" else missing
    for table, path, macro, text in (("action", f"{READ}/actions.def", "ACTION", 4),
                                     ("aggregation", "host/format/aggregations.def", "AGGREGATION", 4),
                                     ("builtin", f"{CHECK}/builtins.def", "BUILTIN", 4), ("constant", f"{CHECK}/constants.def", "CONSTANT", 2),
                                     ("option", f"{READ}/options.def", "OPTION", 2)):
        for row in tables.rows(path, macro):
            if table == "action" and row[1] == "AGGREGATE":
                continue
            refused = table in ("action", "builtin", "option") and row[1] in REFUSED
            said = row[text].replace('\\"', '"')
            yield table, row[0], None, None if refused else said, said if refused else None


def test_words_of_d(rows):
    assert [(row["table"], row["name"], row.get("form"), row.get("meaning"), row.get("refused")) for row in rows["d"]] == list(words_of_d())
    arguments = {row[0]: (int(row[2]), int(row[3])) for row in tables.rows(f"{READ}/actions.def", "ACTION")}
    for row in rows["d"]:
        if row["table"] == "action":
            assert (row["least"], row["most"]) == arguments[row["name"]]
        assert ("example" in row) == ("meaning" in row), row["name"]


def test_no_example_without_a_word(rows):
    there = {(row["table"].upper(), row.get("form", row["name"])) for row in rows["d"] if "example" in row}
    assert there == {(kind, name) for kind, name, _ in tables.rows("host/lang/d/examples.def", "EXAMPLE")}


def test_examples_of_d_compile(rows, dprobes, demo):
    hooked = built("boards", "vexpress-a9", "hooks", "hooks.elf")
    for row in rows["d"]:
        if "example" in row:
            run = dprobes("-w", "-n", row["example"], "-e", "--elf", hooked if row["name"] == "sdt" else demo)
            assert run.status == 0, (row["example"], run.stderr)
            shown = row["name"] if row["table"] != "provider" else row["form"].split(":")[0].split(",")[0]
            assert shown in row["example"] or row["table"] == "provider", row


def test_examples_of_commands_work(rows, dprobes, demo):
    for row in rows["command"]:
        assert row["examples"], row["name"]
        for example in row["examples"]:
            words = shlex.split(example["words"])
            assert words[0] == row["name"]
            if words[0] in WITHOUT_A_BOARD:
                run = dprobes(*words, *WITHOUT_A_BOARD[words[0]], "--elf", demo)
                assert run.status == 0 and run.stdout, (example, run.stderr)
            else:
                run = dprobes(*words, "--help")
                assert run.status == 0, (example, run.stderr)


@pytest.mark.parametrize("words,said", [
    (["--jsn"], "'--jsn' is in the place of the command"),
    (["--json", "run"], "unexpected word 'run'"),
    (["run", "--json"], "unexpected word '--json'"),
])
def test_other_words(dprobes, words, said):
    run = dprobes("help", *words)
    assert run.status == 1 and run.stdout == "" and said in run.stderr
