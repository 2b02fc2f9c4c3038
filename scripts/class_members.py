#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the data members of the library's classes and structs, as clang reads all headers of include and src.

Usage: class_members.py [--rows N] [ROOT]. A class counts its own non-static members and those of the classes nested in
it, wherever they are defined; not those of its bases. A mutable boolean is a member of type bool, array of bool or
std::atomic<bool> that is not const. Classes that a source file keeps to itself are not seen.
"""

import argparse
import collections
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

CLANG = "clang++-19"
NAMESPACE = "affix"
SECONDS_MAX = 120
BOOLEAN = re.compile(r"(?:bool|std::atomic<bool>)(?:\s*\[\d+\])*")

Record = collections.namedtuple("Record", "name keyword members booleans")


class Unreadable(Exception):
    """The headers could not be read; the text says why."""


def headers(root):
    """Every header by the name that sources include it with."""
    for folder in (root / "include", root / "src"):
        yield from sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.hpp"))


def dump(root):
    """clang's tree of the namespace in all headers: JSON objects, one after another."""
    if not shutil.which(CLANG):
        raise Unreadable(f"{CLANG} is not installed")
    source = "".join(f'#include "{name}"\n' for name in headers(root))
    command = [CLANG, "-std=c++23", "-fsyntax-only", "-w", f"-I{root / 'include'}", f"-I{root / 'src'}", "-x", "c++", "-",
               "-Xclang", "-ast-dump=json", "-Xclang", f"-ast-dump-filter={NAMESPACE}"]
    try:
        done = subprocess.run(command, input=source, capture_output=True, text=True, timeout=SECONDS_MAX, check=False)
    except subprocess.TimeoutExpired:
        raise Unreadable(f"{CLANG} took more than {SECONDS_MAX} seconds") from None
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        raise Unreadable(errors[0] if errors else f"{CLANG} ended with {done.returncode}")
    return done.stdout


def trees(text):
    """Each of the JSON objects that stand one after another in the text."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        tree, end = decoder.raw_decode(text, at)
        yield tree
        at = text.find("{", end)


def is_mutable_boolean(field):
    kind = field["type"]
    # A constant's type begins with "const".
    return bool(BOOLEAN.fullmatch(kind.get("desugaredQualType", kind["qualType"])))


class Reader:
    """Collects the members of each class from clang's trees."""

    def __init__(self):
        self.keywords = {}  # Name -> "class", "struct" or "union".
        self.own = collections.defaultdict(list)  # Name -> whether each of its members is a mutable boolean.
        self.names = {}  # clang's id of a declared class -> name.

    def read(self, node, scope=""):
        kind = node.get("kind")
        if kind == "NamespaceDecl" and not node.get("isInline") and node.get("name") != NAMESPACE:
            scope = self.inside(scope, node.get("name", "(unnamed)"))
        elif kind == "CXXRecordDecl":
            scope = self.read_class(node, scope)
        elif kind == "FieldDecl" and not node.get("isImplicit"):  # The one that clang adds for an unnamed union is not a member.
            self.own[scope].append(is_mutable_boolean(node))
        elif kind not in ("NamespaceDecl", "ClassTemplateDecl"):
            return
        for child in node.get("inner", ()):
            self.read(child, scope)

    def read_class(self, node, scope):
        """The class's name; an unnamed one is part of what holds it."""
        if "name" not in node:
            return scope
        # A class that is defined outside the one it is nested in.
        scope = self.names.get(node.get("parentDeclContextId"), scope)
        name = self.inside(scope, node["name"])
        self.names[node["id"]] = name
        if node.get("completeDefinition"):
            self.keywords[name] = node["tagUsed"]
        return name

    @staticmethod
    def inside(scope, name):
        return f"{scope}::{name}" if scope else name

    def records(self):
        """Every class with the members of those nested in it, largest first."""
        all_of = collections.defaultdict(list)
        for name, members in self.own.items():
            holder = name
            while holder in self.keywords:
                all_of[holder] += members
                holder = holder.rpartition("::")[0]
        found = [Record(name, keyword, len(all_of[name]), sum(all_of[name])) for name, keyword in self.keywords.items()]
        return sorted(found, key=lambda record: (-record.members, -record.booleans, record.name))


def count(root):
    """The Record of every class and struct in the headers, largest first; raises Unreadable."""
    reader = Reader()
    for tree in trees(dump(root)):
        reader.read(tree)
    return reader.records()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20, help="number of classes to print (20)")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    try:
        records = count(options.root)
    except Unreadable as reason:
        sys.exit(f"class_members: {reason}")
    print("members  mutable booleans  class")
    for record in records[:options.rows]:
        print(f"{record.members:7d}  {record.booleans:16d}  {record.keyword} {record.name}")


if __name__ == "__main__":
    main()
