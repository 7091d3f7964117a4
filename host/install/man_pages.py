# SPDX-License-Identifier: BSD-2-Clause
"""The manual pages dprobes(1), dprobes-d(5) and dprobes-rpn(5), made from the tables of the command and the manuals of the languages.

    man_pages.py OUTPUT     writes the page that OUTPUT names
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = sys.pycache_prefix is None
TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(TOP / "tests/lib/tools"), str(pathlib.Path(__file__).parent)]

import layout  # noqa: E402
import roff  # noqa: E402
import tables  # noqa: E402

COMMAND = "host/command"
ABSENT = "0"


def formats():
    """The names of the formats as the help shows them."""
    return "|".join(name for (name,) in tables.rows("host/present/sink_kinds.def", "SINK"))


class Option:
    """A row of cli_options.def."""

    def __init__(self, identity, name, letter, value, text):
        self.identity, self.name, self.text = identity, name, text
        self.letter = "" if letter == ABSENT else letter.strip("'")
        self.value = "" if value == ABSENT else formats() if name == "format" else value
        found = re.search(r" \[(\w+)\]$", text)
        self.variable = found.group(1) if found else ""

    def title(self):
        words = [roff.bold(f"-{self.letter}")] if self.letter else []
        words.append(roff.bold(f"--{self.name}") + (f" \\fI{roff.escape(self.value)}\\fP" if self.value else ""))
        return ", ".join(words)


class Command:
    """A row of cli_commands.def."""

    def __init__(self, name, words, summary, options, table):
        self.name, self.words, self.summary = name, words, summary
        self.options = [*options.split(), *(["format"] if table != "NONE" else [])]


def options():
    return [Option(*row) for row in tables.rows(f"{COMMAND}/cli_options.def", "OPTION")]


def commands():
    return [Command(*row) for row in tables.rows(f"{COMMAND}/cli_commands.def", "COMMAND")]


def takers(option, every):
    """The commands that take an option; none: all of them do. --outfile goes with --output."""
    name = "output" if option.name == "outfile" else option.name
    return [command.name for command in every if name in command.options]


def unquoted(text):
    """The text of a string of C."""
    return text.replace('\\"', '"')


def option_lines(every):
    """The section OPTIONS."""
    own, examples = {}, dict(tables.rows(f"{COMMAND}/cli_option_examples.def", "OPTION_EXAMPLE"))
    for command, identity, text in tables.rows(f"{COMMAND}/cli_help.def", "HELP"):
        own.setdefault(identity, []).append((command, text))
    for option in options():
        by = ", ".join(takers(option, every)) or "every command"
        yield f".TP\n{option.title()}"
        yield f"{roff.inline(option.text)} ({roff.escape(by)})."
        for command, text in own.get(option.identity, []):
            yield f".br\nWith {roff.bold(command)}: {roff.inline(text)}."
        if option.identity in examples:
            yield f".br\nExample: {roff.bold('dprobes ' + unquoted(examples[option.identity]))}"


def command_lines(every):
    """The section COMMANDS."""
    for command in every:
        words = f" \\fI{roff.escape(command.words)}\\fP" if command.words else ""
        yield f".TP\n{roff.bold(command.name)}{words}"
        yield f"{roff.inline(command.summary)}."
        listed = ", ".join(roff.bold(f"--{name}") for name in command.options)
        yield f"Options: {listed}."


def example_lines():
    """The section EXAMPLES."""
    for _, words, does in tables.rows(f"{COMMAND}/cli_examples.def", "EXAMPLE"):
        yield f".TP\n{roff.bold('dprobes ' + words)}"
        yield f"{roff.inline(does)}."


def verb_lines():
    for verb, letter, command in tables.rows(f"{COMMAND}/cli_verbs.def", "VERB"):
        yield f".TP\n{roff.bold(verb)}, {roff.bold(letter)}"
        yield f"{roff.bold(command)}"


def file_lines():
    """The section FILES."""
    yield ".SH FILES"
    yield ".TP\n.B dprobes.conf"
    yield "Settings of boards. The file is searched in the current folder and upward."
    yield ".TP\n.B $XDG_CONFIG_HOME/dprobes/dprobes.conf"
    yield "Settings of the user (without the variable below \\fB~/.config\\fP). A board of the first file hides one of this file."
    yield ".PP\nA line is \\fIkey\\fP = \\fIvalue\\fP, [\\fIboard\\fP] or # comment."
    yield "A comment may also end a line, behind a blank. A \\fIvalue\\fP that begins with exec: keeps it for the shell."
    yield "Keys in front of the first board hold for all boards. The key \\fBboard\\fP there names the board that is used without \\fB\\-\\-board\\fP."
    yield "The command line comes first, then the board that \\fB\\-\\-board\\fP names, then the environment, then the rest of the files."
    for key, _, text in tables.rows("host/boards/board_keys.def", "BOARD_KEY"):
        yield f".TP\n{roff.bold(key)}"
        yield f"{roff.inline(text)}."


def command_page():
    """dprobes(1)"""
    every = commands()
    lines = [*roff.head("dprobes", 1, "User Commands", layout.version()),
             ".SH NAME", "dprobes \\- dynamic probes for firmware that has no operating system",
             ".SH SYNOPSIS", "\\fBdprobes\\fP \\fICOMMAND\\fP [\\fIOPTION\\fP...] [\\fIWORD\\fP...]",
             ".SH DESCRIPTION",
             "\\fBdprobes\\fP puts probes into running firmware over the serial line that also carries the console.",
             "An agent in the firmware verifies each program, arms its probes and sends their records.",
             "The firmware is neither stopped nor built again.",
             ".PP", "Standard output holds data. Messages and the console of the firmware go to standard error.",
             ".SH COMMANDS", *command_lines(every),
             ".SS Verbs of DProbes 3.6.4", "A verb in front of all other words names a command.", *verb_lines(),
             ".SH OPTIONS", "The commands in parentheses take the option.", *option_lines(every),
             ".SH EXIT STATUS"]
    for _, number, meaning in tables.rows(f"{COMMAND}/cli_exits.def", "EXIT"):
        lines += [f".TP\n.B {number}", f"{roff.inline(meaning)}."]
    lines += [".SH EXAMPLES", "The file dprobes.conf names the line and the ELF file here.", *example_lines()]
    lines.append(".SH ENVIRONMENT")
    for option in options():
        if option.variable and not option.variable.startswith("NO_"):
            lines += [f".TP\n{roff.bold(option.variable)}",
                      f"Used when {roff.bold('--' + option.name)} is absent."]
    lines += [".TP\n.B NO_COLOR", "A value that is not empty turns the colours of messages off.",
              *file_lines(), ".SH SEE ALSO", *see_also("dprobes")]
    return roff.page(lines)


def manual_page(name, what, path):
    """A page of section 5: the manual of a language, as a document of the tree has it."""
    text = (TOP / path).read_text(encoding="utf-8")
    introduction, sections = text.split("\n# ", 1)[1].split("\n## ", 1)
    introduction = "\n".join(introduction.split("\n")[1:])  # the title is that of the page
    contents = r"^ *(- )?\[[^]]*\]\(#.*\n?"
    lines = [*roff.head(name, 5, "File Formats", layout.version()), ".SH NAME", f"{roff.escape(name)} \\- {what}",
             ".SH DESCRIPTION", *roff.markdown(re.sub(contents, "", introduction, flags=re.M))]
    return roff.page([*lines, *roff.markdown("## " + sections), ".SH SEE ALSO", *see_also(name)])


def see_also(name):
    """The other pages."""
    pages = [pathlib.PurePath(page) for page in PAGES if not page.startswith(f"{name}.")]
    return [", ".join(f"{roff.bold(page.stem)}({page.suffix[1:]})" for page in pages)]


PAGES = {
    "dprobes.1": command_page,
    "dprobes-d.5": lambda: manual_page("dprobes-d", "the language of one-liners and scripts, after D of DTrace", "host/lang/d/D.md"),
    "dprobes-rpn.5": lambda: manual_page("dprobes-rpn", "the language of probe programs", "protocol/RPN.md"),
}


def main():
    output = pathlib.Path(sys.argv[1])
    output.write_text(PAGES[output.name](), encoding="utf-8")


if __name__ == "__main__":
    main()
