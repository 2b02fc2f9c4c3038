#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts what a dictionary's source holds, without our loader: the other side of dictionaries/counts.tsv.

Usage: count_dictionary_source.py FILE... prints a line per file: name, messages, components, groups, fields, values,
separated by tabs. Reads QuickFIX's XML and FIX Orchestra with Python's own XML parser.

The canonical form counts as QuickFIX does, so for Orchestra: a group definition is a component (its name) and a group;
the components StandardHeader and StandardTrailer are header and trailer; a code set counts once for each field that has
it as its type. A code that one field lists twice is one value.
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def local(element):
    return element.tag.rsplit("}", 1)[-1]


def all_named(root, name):
    return [element for element in root.iter() if local(element) == name]


def section(root, name):
    return [child for part in root if local(part) == name for child in part]


def count_quickfix(root):
    fields = [field for field in section(root, "fields") if local(field) == "field"]
    values = sum(len({value.get("enum") for value in field if local(value) == "value"}) for field in fields)
    return (len(section(root, "messages")), len(section(root, "components")), len(all_named(root, "group")), len(fields),
            values)


def count_orchestra(root):
    components = [c for c in section(root, "components") if local(c) == "component"]
    framing = [c for c in components if c.get("name") in ("StandardHeader", "StandardTrailer")]
    groups = [g for g in section(root, "groups") if local(g) == "group"]
    codes = {code_set.get("name"): len({code.get("value") for code in code_set if local(code) == "code"})
             for code_set in section(root, "codeSets") if local(code_set) == "codeSet"}
    fields = [field for field in section(root, "fields") if local(field) == "field"]
    values = sum(codes.get(field.get("type"), 0) for field in fields)
    messages = [message for message in section(root, "messages") if local(message) == "message"]
    return len(messages), len(components) - len(framing) + len(groups), len(groups), len(fields), values


def main():
    for path in map(Path, sys.argv[1:]):
        root = ElementTree.parse(path).getroot()
        counts = count_quickfix(root) if local(root) == "fix" else count_orchestra(root)
        print("\t".join([path.name, *map(str, counts)]))


if __name__ == "__main__":
    main()
