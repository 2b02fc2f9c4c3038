#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the conformance manifest to the scripts and tests, both ways.

Faults (exit code 1): a row of the manifest without a scenario or test case that bears it, a scenario without a row, a
row whose role is not played, a scenario number given twice in the manifest.

Usage: check_conformance.py [ROOT]
"""

import re
import sys
from pathlib import Path

ROW = re.compile(r"^\| (?P<id>[^|]+?) \| (?P<role>both|acceptor|initiator) \| [^|]+ \| (?P<shown>[^|]+?) \|$")
SCENARIO = re.compile(r"^scenario\s+([^:]+?)\s*:")
ROLE = re.compile(r"^role\s+(\w+)")
TEST = re.compile(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", re.MULTILINE)
BOTH = {"acceptor", "initiator"}


def rows_of(manifest):
    """(line number, id, roles, what shows it) of each row; and the faults of the table itself."""
    rows, faults, seen = [], [], set()
    for number, line in enumerate(manifest.read_text().splitlines(), 1):
        if not line.startswith("| ") or line.startswith("| scenario "):
            continue
        match = ROW.match(line)
        if not match:
            faults.append(f"{manifest.name}:{number}: no row of the form '| scenario | role | what | shown by |'")
            continue
        if match["id"] in seen:
            faults.append(f"{manifest.name}:{number}: {match['id']} has a row already")
        seen.add(match["id"])
        roles = BOTH if match["role"] == "both" else {match["role"]}
        rows.append((number, match["id"], roles, [name.strip() for name in match["shown"].split(",")]))
    return rows, faults


def scenarios_of(folder):
    """The roles that each number is played in, and where it stands."""
    roles, places = {}, {}
    for script in sorted(folder.glob("*.scenario")):
        current = None
        for number, line in enumerate(script.read_text().splitlines(), 1):
            if match := SCENARIO.match(line):
                current = match[1]
                places.setdefault(current, f"{script.name}:{number}")
                roles.setdefault(current, []).append(set(BOTH))
            elif current and (match := ROLE.match(line)):
                roles[current][-1] = BOTH if match[1] == "both" else {match[1]}
    return {name: set().union(*played) for name, played in roles.items()}, places


def test_names(folder):
    names = set()
    for source in folder.rglob("*_test.cpp"):
        for suite, case in TEST.findall(source.read_text()):
            names.update({suite, f"{suite}.{case}"})
    return names


def check(root):
    conformance = root / "tests/conformance"
    rows, faults = rows_of(conformance / "MANIFEST.md")
    played, places = scenarios_of(root / "scenarios/session")
    tests = test_names(root / "tests")
    for number, name, roles, shown in rows:
        for witness in shown:
            if witness == "script" and name not in played:
                faults.append(f"MANIFEST.md:{number}: no scenario has the number {name}")
            elif witness == "script" and not roles <= played[name]:
                missing = ", ".join(sorted(roles - played[name]))
                faults.append(f"MANIFEST.md:{number}: {name} is not played with the engine as {missing}")
            elif witness != "script" and witness not in tests:
                faults.append(f"MANIFEST.md:{number}: there is no test case {witness}")
    listed = {name for _, name, _, _ in rows}
    faults += [f"{places[name]}: scenario {name} has no row in MANIFEST.md" for name in played if name not in listed]
    return faults


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    faults = check(root)
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
