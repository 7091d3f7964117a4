# SPDX-License-Identifier: BSD-2-Clause
"""Manual pages in the language of man(7): escapes, the head of a page, and Markdown as man(7)."""
import re

_INLINE = re.compile(r"(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]+)\]\([^)]*\)")
_FENCE = "```"


def escape(text):
    """Text that no formatter changes: hyphens can be copied, a first dot or quote is no request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti")
    text = text.replace("'", "\\(aq").replace("`", "\\(ga").replace("·", ";")
    return "\\&" + text if text.startswith((".", "'")) else text


def bold(text):
    return f"\\fB{escape(text)}\\fP"


def head(name, section, title, version):
    """The first lines of a page; the first one asks for tbl(1)."""
    return ["'\\\" t", ".\\\" SPDX-License-Identifier: BSD-2-Clause",
            f'.TH {escape(name.upper())} {section} "" "dprobes {version}" "{title}"', ".nh", ".ad l"]


def inline(text):
    """Markdown inside a line: code and bold as bold, links as their words."""
    out, end = "", 0
    for match in _INLINE.finditer(text):
        out += escape(text[end:match.start()])
        code, strong, link = match.group(2), match.group(3), match.group(4)
        out += inline(link) if link else bold(strong if strong else code.replace("\\|", "|"))
        end = match.end()
    out += escape(text[end:])
    return "\\&" + out if out.startswith((".", "'")) else out


def table(rows):
    """A Markdown table for tbl(1); the last column takes the rest of the line."""
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip()[1:-1])] for row in rows]
    titles, body = cells[0], cells[2:]
    widths = [max(len(row[column]) for row in cells) for column in range(len(titles))]
    wide = [column for column, width in enumerate(widths) if width > 24] or [len(titles) - 1]
    form = " ".join("lx" if column in wide else "l" for column in range(len(titles)))
    lines = [".TS", "tab(\t);", f"{form}.", "\t".join(bold(cell) for cell in titles) if any(titles) else ".sp -1"]
    for row in body:
        blocks = [f"T{{\n{inline(cell.replace(chr(92) + '|', '|'))}\nT}}" for cell in row]
        lines.append("\t".join(blocks))
    return [*lines, ".TE", ".PP"]


def markdown(text):
    """Lines of man(7)."""
    rows, code, out = [], False, []
    for line in [*text.split("\n"), ""]:
        if rows and not line.startswith("|"):
            out += table(rows)
            rows = []
        if line.startswith(_FENCE):
            code = not code
            out.append(".PP\n.RS 4\n.nf" if code else ".fi\n.RE\n.PP")
        elif code:
            out.append(escape(line.expandtabs(8)) or "\\&")
        elif line.startswith("|"):
            rows.append(line)
        elif line.startswith("#"):
            marks, title = re.match(r"(#+) (.*)", line).groups()
            out.append(heading(len(marks), title))
        else:
            out += prose(line)
    return out


def heading(depth, title):
    """Sections of the document, parts of them, and entries."""
    if depth == 4:
        return f".TP\n.B {inline(title)}\n\\&\n.PP"
    return f".{'SH' if depth == 2 else 'SS'} {inline(title.upper() if depth == 2 else title)}"


def prose(line):
    """One line outside of tables and code."""
    if not line.strip():
        return [".PP"]
    item = re.match(r"\s*(?:-|(\d+\.)) (.*)", line)
    if item:
        return [f".IP {item.group(1) or chr(92) + '(bu'} 3", inline(item.group(2))]
    return [inline(line.strip())]


def page(lines):
    """The text of a page without paragraphs that hold nothing."""
    text = "\n".join(lines)
    text = re.sub(r"(\.PP\n)+(?=\.(PP|SH|SS|TP|IP|TS)\b)", "", text + "\n")
    return re.sub(r"(\.S[HS] [^\n]*\n)(\.PP\n)+", r"\1", text).removesuffix(".PP\n")
