# SPDX-License-Identifier: MIT
"""Sums up a run of pytest, for a log of which few see more than the end."""

import re

# -ra would list what passed with output, too.
OPTIONS = ("--tb=short", "-rfEs")
HEADER = re.compile(r"_{3,} (.+) _{3,}")
SECTION = re.compile(r"={3,} (.+?) ={3,}|-{3,} (.+?) -{3,}")
PLACE = re.compile(r"\S+:\d+: ")
# So that a digest fits into the end of a log that `./dev` shows.
TESTS = 3
PLACES_OF_EACH = 3
ERRORS_OF_EACH = 5
NAMES = 10


def skipped(output):
    """Its tests that were skipped, each with the reason."""
    return [line.removeprefix("SKIPPED ") for line in output.splitlines() if line.startswith("SKIPPED ")]


def total(output):
    """Its last line, which has the counts."""
    lines = output.strip().splitlines()
    return lines[-1] if lines else "no output"


def digest(output):
    """Where the first failures are and what they say, the names of more, and the counts."""
    failures = []
    for line in output.splitlines():
        header = HEADER.fullmatch(line)
        if header:
            failures.append((header[1], [], []))
            told = failures[-1]
        elif SECTION.fullmatch(line):
            told = None
        elif failures and told and PLACE.match(line):
            told[1].append(line)
        elif failures and told and line.startswith("E  "):
            told[2].append(line)
    if not failures:  # It ended before its tests: what it said last is why.
        return output.strip().splitlines()[-NAMES:]
    lines = []
    for name, places, errors in failures[:TESTS]:
        lines += [f"{name}:", *(f"  {line}" for line in places[-PLACES_OF_EACH:] + errors[:ERRORS_OF_EACH])]
    lines += [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))][:NAMES]
    return [*lines, total(output)]
