# SPDX-License-Identifier: MIT
"""Scenarios as the scoreboard sees them: what each asks, and where the standard asks it."""

import re
from collections import namedtuple

Scenario = namedtuple("Scenario", "id title source path")

HEAD = re.compile(r"scenario (?P<id>\S+): (?P<title>.+)\n# (?P<source>.+)\n")


def read_scenarios(folder):
    """All of the folder's files. Each scenario's first line is a comment that names the source."""
    scenarios = []
    for path in sorted(folder.glob("*.scenario"), key=lambda path: ("session", "orders", "dictionary").index(path.stem)):
        text = path.read_text(encoding="utf-8")
        found = [Scenario(match["id"], match["title"], match["source"], path) for match in HEAD.finditer(text)]
        if len(found) != len(re.findall(r"^scenario ", text, re.MULTILINE)):
            raise SystemExit(f"scoreboard: a scenario of {path} does not name its source")
        scenarios += found
    ids = [scenario.id for scenario in scenarios]
    if len(set(ids)) != len(ids):
        raise SystemExit("scoreboard: an id is there twice")
    return scenarios
