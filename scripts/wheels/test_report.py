# SPDX-License-Identifier: MIT
"""What a run of pytest said, for a log of which few see more than the end."""

import re

# -ra would list what passed with output, too.
OPTIONS = ("--tb=short", "-rfEs")
HEADER = re.compile(r"_{3,} (.+) _{3,}")
SECTION = re.compile(r"={3,} (.+?) ={3,}|-{3,} (.+?) -{3,}")
PLACE = re.compile(r"\S+:\d+: ")
# So that a digest fits into the end of a log that `./dev` shows.
LINES_OF_EACH = 8
TESTS = 3


def skipped(output):
    """Its tests that were skipped, each with the reason."""
    return [line.removeprefix("SKIPPED ") for line in output.splitlines() if line.startswith("SKIPPED ")]


def total(output):
    """Its last line, which has the counts."""
    lines = output.strip().splitlines()
    return lines[-1] if lines else "no output"


def digest(output):
    """Where the first failures are and what the assertions say, the names of all, and the counts: a few lines each."""
    told = []
    failures = 0
    in_traceback = False
    for line in output.splitlines():
        header = HEADER.fullmatch(line)
        if header:
            failures += 1
            in_traceback = True
            left = LINES_OF_EACH
            if failures <= TESTS:
                told.append(f"{header[1]}:")
        elif SECTION.fullmatch(line):
            in_traceback = False
        elif in_traceback and failures <= TESTS and left > 0 and (PLACE.match(line) or line.startswith("E  ")):
            told.append(f"  {line}")
            left -= 1
    if not failures:  # It ended before its tests: what it said last is why.
        return output.strip().splitlines()[-LINES_OF_EACH:]
    told += [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))][:LINES_OF_EACH]
    return [*told, total(output)]
