#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs tests/interop/scenarios_test.py for every engine and FIX version, and prints the matrix of what passed.

interop_matrix.py BIN JVM DICTIONARIES [--python INTERPRETER] [--engine NAME]... [--version FIX.4.4]... [--jobs N]
                  [--markdown FILE]

BIN holds affix, quickfix_trader and quickfix_exchange; JVM is what `./dev interop` made for the engines for Java, --python
an interpreter that has the Python package. With --markdown the table of that page, between its two marks, is written anew.
Exit code 0: nothing failed.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ENGINES = {"quickfix": "QuickFIX 1.15.1", "quickfixj": "QuickFIX/J 2.3.1", "philadelphia": "Philadelphia 2.0.0",
           "artio": "Artio 0.175", "python": "affix for Python"}
VERSIONS = ("FIX.4.2", "FIX.4.4", "FIXT.1.1")
# Artio speaks the version that its classes were generated for; those that it is published with are FIX.4.4's.
VERSIONS_OF = {"artio": ("FIX.4.4",)}
WORDS = {"passed": "ok", "failed": "FAIL", "skipped": "-"}
BEGIN, END = "<!-- matrix: begin -->", "<!-- matrix: end -->"
TESTS = Path(__file__).resolve().parents[1] / "tests" / "interop"
PATIENCE_SECONDS = 1800


def run_one(options, engine, version, folder):
    """The outcomes of one engine and version; prints the end of what it said when something went wrong."""
    results = folder / f"{engine}-{version}.jsonl"
    environment = dict(os.environ, AFFIX_INTEROP_ENGINE=engine, AFFIX_INTEROP_BEGIN_STRING=version,
                       AFFIX_INTEROP_QUICKFIX_TRADER=str(options.bin / "quickfix_trader"),
                       AFFIX_INTEROP_QUICKFIX_EXCHANGE=str(options.bin / "quickfix_exchange"),
                       AFFIX_INTEROP_AFFIX=str(options.bin / "affix"), AFFIX_INTEROP_JVM=str(options.jvm),
                       AFFIX_INTEROP_PYTHON=str(options.python),
                       AFFIX_INTEROP_DICTIONARIES=str(options.dictionaries), AFFIX_INTEROP_RESULTS=str(results),
                       PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run([sys.executable, str(TESTS / "scenarios_test.py")], env=environment, capture_output=True,
                          text=True, check=False, timeout=PATIENCE_SECONDS)
    outcomes = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    if done.returncode != 0 or not outcomes:
        print(f"{engine} {version}: exit code {done.returncode}\n{(done.stdout + done.stderr)[-6000:]}", flush=True)
        if not outcomes:
            outcomes = [{"engine": engine, "version": version, "role": "-", "scenario": "did not run", "result": "failed",
                         "reason": ""}]
    return outcomes


def table(outcomes, versions):
    """Rows (engine, role, scenario, cell of each version), and the notes that cells with '-' refer to."""
    cells, notes = {}, []
    for outcome in outcomes:
        word = WORDS[outcome["result"]]
        if outcome["reason"]:
            note = f"{ENGINES[outcome['engine']]}: {outcome['reason']}"
            if note not in notes:
                notes.append(note)
            word += f" ({notes.index(note) + 1})"
        cells.setdefault((outcome["engine"], outcome["role"], outcome["scenario"]), {})[outcome["version"]] = word
    rows = [(ENGINES[engine], role, scenario, *[cells[engine, role, scenario].get(version, "") for version in versions])
            for engine, role, scenario in sorted(cells, key=lambda key: (list(ENGINES).index(key[0]), key[1] != "initiator"))]
    return rows, notes


def print_text(rows, notes, versions):
    heads = ("engine", "its role", "scenario", *versions)
    widths = [max(len(row[at]) for row in (*rows, heads)) for at in range(len(heads))]
    for row in (heads, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    for number, note in enumerate(notes, 1):
        print(f"({number}) {note}")


def markdown(rows, notes, versions):
    lines = ["| engine | its role | scenario | " + " | ".join(versions) + " |", "|---|---|---|" + "---|" * len(versions)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n\n" + "\n".join(f"- ({number}) {note}." for number, note in enumerate(notes, 1))


def write_page(path, text):
    page = path.read_text()
    before, rest = page.split(BEGIN)
    path.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=Path)
    parser.add_argument("jvm", type=Path)
    parser.add_argument("dictionaries", type=Path)
    parser.add_argument("--python", type=Path, default=TESTS.parents[1] / "build" / "python" / "peer" / "bin" / "python")
    parser.add_argument("--engine", action="append", choices=list(ENGINES))
    parser.add_argument("--version", action="append", choices=VERSIONS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    for name in ("bin", "jvm", "dictionaries"):
        setattr(options, name, getattr(options, name).resolve())
    versions = tuple(options.version or VERSIONS)
    pairs = [(engine, version) for version in versions for engine in options.engine or ENGINES
             if version in VERSIONS_OF.get(engine, VERSIONS)]
    with tempfile.TemporaryDirectory(prefix="affix-matrix-") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run_one, options, engine, version, Path(folder)) for engine, version in pairs]
        outcomes = [outcome for run in runs for outcome in run.result()]
    rows, notes = table(outcomes, versions)
    print_text(rows, notes, versions)
    count = {word: sum(outcome["result"] == word for outcome in outcomes) for word in WORDS}
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} cannot be")
    if options.markdown:
        write_page(options.markdown, markdown(rows, notes, versions))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
