#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the unit and property tests and the fuzz targets of a folder of programs that were built elsewhere.

Usage: run_programs.py PROGRAMS CORPUS. The last line says how many cases passed, failed and were skipped.
"""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

RUN_CASES = Path(__file__).resolve().parents[1] / "run_cases.py"


def run_tests(program, results):
    """(passed, failed, skipped) of a GoogleTest program."""
    done = subprocess.run([sys.executable, RUN_CASES, "--results", results, "--prefix", f"{program.name}.", "--alone", "*OwnProcess*",
                           program], capture_output=True, text=True, check=False)
    statuses = [case.get("status") for case in ElementTree.parse(results).iter("testcase")]
    counts = statuses.count("run"), statuses.count("fail"), statuses.count("notrun")
    if done.returncode != 0:
        print(done.stdout[-20_000:], done.stderr[-2000:])
        counts = counts[0], max(counts[1], 1), counts[2]
    return counts


def run_corpus(program, corpus):
    done = subprocess.run([program, corpus], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout[-4000:], done.stderr[-4000:])
    return int(done.returncode == 0), int(done.returncode != 0), 0


def main():
    programs, corpora = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    totals = [0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for program in sorted(programs.iterdir()):
            corpus = corpora / program.name.removesuffix("_fuzz")
            if program.name.startswith(("unit_", "property_")):
                counts = run_tests(program, f"{folder}/{program.name}.xml")
            elif program.name.endswith("_fuzz") and corpus.is_dir():
                counts = run_corpus(program, corpus)
            else:
                continue
            print(f"{program.name}: {counts[0]} passed, {counts[1]} failed, {counts[2]} skipped", flush=True)
            totals = [total + count for total, count in zip(totals, counts)]
    print(f"{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped")
    return 1 if totals[1] or not totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
