#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of docs/reference/errors.md and problems.md from the table of messages in tools/affix/explain.

A page has a line `<!-- messages S1: begin -->` and one `<!-- messages S1: end -->`; between them stands the table of
the codes S100 to S199. Everything else on the page is written by hand.

Usage: message_pages.py [--check]. Without --check it writes the pages; with it, it prints what differs, exit code 1.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tools/affix/explain"
PAGES = [ROOT / "docs/reference" / name for name in ("errors.md", "problems.md")]
ROW = re.compile(r"MessageRow\{(.*?)\}[,\n]", re.DOTALL)
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
PART = re.compile(r"(<!-- messages ([A-Z]\d): begin -->\n)(.*?)(<!-- messages \2: end -->)", re.DOTALL)


def literal(text):
    """The value of a literal's inside; only the escapes that the table has."""
    text = text.replace("\\u2026", "\u2026")
    return re.sub(r"\\(.)", lambda escape: "\n" if escape.group(1) == "n" else escape.group(1), text)


def fields(row):
    """Values of the row: neighbouring literals are one value."""
    values, last = [], None
    for found in LITERAL.finditer(row):
        if last is not None and not row[last:found.start()].strip():
            values[-1] += literal(found.group(1))
        else:
            values.append(literal(found.group(1)))
        last = found.end()
    return values


def rows():
    """Each row as a dictionary, by code."""
    found = []
    for path in sorted(TABLE.glob("messages_*.cpp")):
        source = path.read_text()
        starts = [match.start() for match in re.finditer(r"MessageRow\{", source)] + [source.index("\n};\n")]
        for start, end in zip(starts, starts[1:]):
            text = source[start:end]
            code, texts, meaning, cause, action = fields(text)
            found.append({"code": code, "kind": re.search(r"Kind::(\w+)", text).group(1).lower(), "texts": texts.split("\n"),
                          "meaning": meaning, "cause": cause, "action": action, "file": path.name})
    return sorted(found, key=lambda row: row["code"])


def quoted(text):
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def table(section, all_rows):
    lines = ["| code | text | meaning | cause | what to do |", "|---|---|---|---|---|"]
    for row in all_rows:
        if row["code"].startswith(section):
            texts = ", ".join(quoted(text) for text in row["texts"])
            lines.append(f"| `{row['code']}` | {texts} | {row['meaning']} | {row['cause']} | {row['action']} |".replace("\u00a0", " "))
    return "\n".join(lines) + "\n"


def made(page, all_rows):
    """The page's text with its tables made anew, and the sections that it has."""
    sections = []

    def replace(part):
        sections.append(part.group(2))
        return part.group(1) + "\n" + table(part.group(2), all_rows) + "\n" + part.group(4)

    return PART.sub(replace, page), sections


def main(arguments):
    all_rows = rows()
    status, placed = 0, []
    for path in PAGES:
        text = path.read_text()
        wanted, sections = made(text, all_rows)
        placed += sections
        if wanted != text and "--check" in arguments:
            print(f"{path.relative_to(ROOT)}: differs from the table of messages; run scripts/message_pages.py")
            status = 1
        elif wanted != text:
            path.write_text(wanted)
    for section in sorted({row["code"][:2] for row in all_rows} ^ set(placed)):
        print(f"{section}xx: no page has its table, or there are no such codes")
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
