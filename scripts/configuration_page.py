#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of keys in docs/reference/configuration.md from the program, which has them from the keys' rows.

The page has a line `<!-- keys of NAME: begin -->` and one `<!-- keys of NAME: end -->` for each table that `affix config
reference` prints under the heading NAME; the table stands between them. Everything else on the page is written by hand.

Usage: configuration_page.py [--check] [AFFIX]. AFFIX is the program; without it, the newest of build/*/bin/affix. Without
--check it writes the page; with it, it prints what differs, exit code 1.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/reference/configuration.md"
SECTION = re.compile(r"^## (.+)\n\n((?:\|.*\n)+)", re.MULTILINE)
PART = re.compile(r"(<!-- keys of ([^:\n]+): begin -->\n)(.*?)(<!-- keys of \2: end -->)", re.DOTALL)


def runs_here(program):
    try:
        return subprocess.run([program, "--version"], capture_output=True, timeout=60).returncode == 0
    except OSError:
        return False


def built():
    """The program that was built last and runs here, since builds for other processors may be newer; None: there is none."""
    programs = sorted(ROOT.glob("build/*/bin/affix"), key=lambda path: path.stat().st_mtime, reverse=True)
    return next((path for path in programs if runs_here(path)), None)


def tables(program):
    """The tables by their headings."""
    done = subprocess.run([program, "config", "reference"], capture_output=True, text=True, timeout=60, check=True)
    return dict(SECTION.findall(done.stdout))


def made(page, by_section):
    """The page's text with its tables made anew, and the sections that it has."""
    sections = []

    def replace(part):
        sections.append(part.group(2))
        return part.group(1) + "\n" + by_section.get(part.group(2), part.group(3).strip("\n") + "\n") + "\n" + part.group(4)

    return PART.sub(replace, page), sections


def main(arguments):
    names = [argument for argument in arguments if argument != "--check"]
    program = names[0] if names else built()
    if program is None:
        print("there is no build/*/bin/affix: build it, or name the program")
        return 1
    by_section = tables(program)
    text = PAGE.read_text(encoding="utf-8")
    wanted, sections = made(text, by_section)
    status = 0
    for section in sorted(set(by_section) ^ set(sections)):
        print(f"{section}: the page has no table of this name, or the program has no such keys")
        status = 1
    if wanted != text and "--check" in arguments:
        print(f"{PAGE.relative_to(ROOT)}: differs from the keys' rows; run scripts/configuration_page.py")
        status = 1
    elif wanted != text:
        PAGE.write_text(wanted, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
