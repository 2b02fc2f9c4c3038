#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names that differ between FIX44.xml and QuickFIX's C++ headers: quickfix_names.py [--check] [HEADERS].

Compares dictionaries/FIX44.xml, which is made from FIX Orchestra, with the headers of an installed QuickFIX (HEADERS is
/usr/include/quickfix when not given): messages by MsgType, fields by tag, values by code. Writes docs/reference/quickfix-names.md,
or with --check compares that page with what would be written. Names that differ in capitals and marks only are the same.
"""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DICTIONARY = ROOT / "dictionaries/FIX44.xml"
PAGE = ROOT / "docs/reference/quickfix-names.md"

NUMBER = re.compile(r"const int (\w+) = (\d+);")
VALUE = re.compile(r"""const (?:char|int) (\w+?)_(\w+?)(?:\[\])? = (?:'(.)'|"([^"]*)"|(-?\d+));""")
MESSAGE = re.compile(r'class (\w+) : public Message\b.*?FIX::MsgType\("(\w+)"\)', re.DOTALL)


def plain(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def is_same(ours, theirs):
    return plain(ours) in map(plain, theirs)


def read_headers(headers):
    """Names of messages by type, of fields by tag, and of values by field and code; a number may have several."""
    messages, fields, values = {}, {}, {}
    for header in sorted((headers / "fix44").glob("*.h")):
        for name, kind in MESSAGE.findall(header.read_text()):
            messages.setdefault(kind, []).append(name)
    for name, tag in NUMBER.findall((headers / "FixFieldNumbers.h").read_text()):
        fields.setdefault(int(tag), []).append(name)
    for field, name, *codes in VALUE.findall((headers / "FixValues.h").read_text()):
        values.setdefault((field, "".join(codes)), []).append(name)
    return messages, fields, values


def differences(headers):
    messages, fields, values = read_headers(headers)
    dictionary = ET.parse(DICTIONARY).getroot()
    rows = {"messages": [], "fields": [], "values": []}
    counts = dict.fromkeys(rows, 0)

    def compare(kind, ours, theirs, *place):
        if theirs:
            counts[kind] += 1
            if not is_same(ours, theirs):
                rows[kind].append((*place, ours, ", ".join(f"`{name}`" for name in theirs)))

    for message in dictionary.find("messages"):
        compare("messages", message.get("name"), messages.get(message.get("msgtype")), message.get("msgtype"))
    for field in dictionary.find("fields"):
        tag, name = int(field.get("number")), field.get("name")
        known = fields.get(tag, [])
        compare("fields", name, known, tag)
        if field.get("type") == "BOOLEAN":
            continue  # Generated code has bool for these, and no names.
        for value in field:
            code = value.get("enum")
            theirs = [f"{one}_{each}" for one in dict.fromkeys([name, *known]) for each in values.get((one, code), [])]
            ours = f"{name}::{value.get('description')}"
            compare("values", ours, theirs, tag, code)
    return rows, counts


def page(headers):
    rows, counts = differences(headers)
    text = [
        "# Names that differ from QuickFIX's",
        "",
        "`dictionaries/FIX44.xml` is made from FIX Orchestra. This page is made by `scripts/quickfix_names.py`, which compares it with the",
        "C++ headers of QuickFIX 1.15.1 (Debian's `libquickfix-dev`): messages by MsgType, fields by tag, values by code. Capitals and marks",
        "do not count, since [the rule for names](generated-messages.md#names) makes the same of `PARTIALLY_FILLED` and `PartiallyFilled`;",
        "fields of type Boolean are `bool` and have no names of values. Code that is ported finds everything else under the name that it has.",
        "A dictionary of QuickFIX's own gives its names: `affix_generate(TARGET ... DICTIONARY FIX44.xml NAMESPACE ...)`.",
        "",
        f"Compared: {counts['messages']} messages, {counts['fields']} fields, {counts['values']} values. They differ in "
        f"{len(rows['messages'])}, {len(rows['fields'])} and {len(rows['values'])}.",
    ]
    for title, kind, head in (("Messages", "messages", ("type",)), ("Fields", "fields", ("tag",)), ("Values", "values", ("tag", "code"))):
        text += ["", f"## {title}", ""]
        if not rows[kind]:
            text.append("None.")
            continue
        columns = [*head, "here", "QuickFIX"]
        text += ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
        text += ["| " + " | ".join([*map(str, place), f"`{ours}`", theirs]) + " |" for *place, ours, theirs in rows[kind]]
    return "\n".join(text) + "\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) > 1:
        sys.exit(__doc__)
    headers = Path(arguments[0] if arguments else "/usr/include/quickfix")
    if not (headers / "FixFieldNumbers.h").is_file():
        sys.exit(f"{headers}: no headers of QuickFIX")
    if "--check" not in sys.argv:
        PAGE.write_text(page(headers), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page(headers):
        sys.exit(f"{PAGE.relative_to(ROOT)} is not what scripts/quickfix_names.py writes")


if __name__ == "__main__":
    main()
