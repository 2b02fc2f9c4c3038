#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds the tests that names stand for, and the targets that have to be built first.

Usage: named_tests.py BUILD NAME... A NAME is a layer or `tools` (its unit tests), a kind of test (`integration`), a file
of tests/, or a regular expression that ctest's names are searched for. Prints the targets, separated by spaces, and then
a regular expression for `ctest -R`. Exits with 1 if a NAME finds no test.
"""

import glob
import json
import os
import re
import subprocess
import sys

# Targets of programs that have another name. A test that is given `affix` finds the others beside it.
TARGETS = {"affix": {"affix_program", "affix_lab_program", "affix_monitor_program", "affix_keep_program"}}


def tests_of(build):
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
    return json.loads(listing.stdout)["tests"]


def commands_of(build):
    """Each test's command; ctest itself does not print that of a program which is not built."""
    commands = {}
    for path in glob.glob(os.path.join(build, "**/CTestTestfile.cmake"), recursive=True):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                test = re.match(r"add_test\(\[=\[(.+?)\]=\] (.*)\)$", line)
                if test:
                    commands[test.group(1)] = re.findall(r'"([^"]*)"', test.group(2))
    return commands


def labels_of(test):
    return next((item["value"] for item in test.get("properties", []) if item["name"] == "LABELS"), [])


def expression_of(name):
    """A layer's or a file's name as an expression; anything else is one already."""
    part = re.fullmatch(r"tests/unit/(\w+)(?:/.*)?", name)
    layer = part.group(1) if part else name
    if os.path.isdir(os.path.join("tests/unit", layer)):
        return rf"^unit_{layer}(_threads)?(\.|$)"
    program = re.fullmatch(r"tests/(\w+)/(\w+_test)\.(?:cpp|py)", name)
    if program:
        return rf"^{program.group(1)}[_.]{program.group(2)}(\.|$)"
    return name


def targets_of(test, command, build):
    """Programs of this build that the test's command runs or receives."""
    folder = os.path.join(os.path.realpath(build), "bin") + os.sep
    words = list(command)
    for item in test.get("properties", []):
        if item["name"] == "ENVIRONMENT":
            words += item["value"]
    folder = os.path.join(os.path.realpath(build), "bin") + os.sep
    names = set(re.findall(re.escape(folder) + r"([\w.+-]+)", " ".join(words)))
    return set().union(*(TARGETS.get(name, {name}) for name in names))


def main():
    build, *names = sys.argv[1:]
    tests, commands = tests_of(build), commands_of(build)
    chosen = {}
    for name in names:
        found = [test for test in tests if name in labels_of(test)]
        if not found:
            found = [test for test in tests if re.search(expression_of(name), test["name"])]
        if not found:
            sys.exit(f"no test is called '{name}': name a layer, a kind of test, a file of tests/ or a part of a name "
                     f"that `ctest -N --test-dir {build}` prints")
        chosen.update({test["name"]: test for test in found})
    targets = set().union(*(targets_of(test, commands.get(test["name"], []), build) for test in chosen.values()))
    print(" ".join(sorted(targets)))
    print("^(" + "|".join(re.escape(name).replace("\\-", "-") for name in sorted(chosen)) + ")$")


if __name__ == "__main__":
    main()
