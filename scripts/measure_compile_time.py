#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Seconds a translation unit pays for each umbrella header: the minimum of several runs, at -O2, per compiler.

Usage: measure_compile_time.py [--rounds N] [--json FILE]. The row "empty" is the compiler's own start. Rounds are
interleaved, so that a slow moment of the machine hits every row alike. With --json, a list of
{"benchmark", "contender", "unit", "n", "min", "median", "max"}.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILERS = {"gcc": "g++", "clang": "clang++-19"}


def compile_once(compiler, source, folder):
    started = time.perf_counter()
    subprocess.run([compiler, "-std=c++23", "-O2", f"-I{ROOT / 'include'}", "-c", str(source), "-o", f"{folder}/out.o"],
                   check=True)
    return time.perf_counter() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json")
    options = parser.parse_args()

    headers = sorted(path.name for path in (ROOT / "include/affix").glob("*.hpp"))
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        sources = {"empty": Path(folder) / "empty.cpp"}
        sources["empty"].write_text("int main() {}\n")
        for header in headers:
            sources[f"affix/{header}"] = Path(folder) / f"include_{header}.cpp"
            sources[f"affix/{header}"].write_text(f"#include <affix/{header}>\nint main() {{}}\n")
        for _ in range(options.rounds):
            for name, source in sources.items():
                for label, compiler in COMPILERS.items():
                    if shutil.which(compiler):
                        rows.setdefault((name, label), []).append(compile_once(compiler, source, folder))

    print(f"{'header':24} {'compiler':8} {'min s':>7} {'median s':>9}")
    for (name, label), seconds in rows.items():
        print(f"{name:24} {label:8} {min(seconds):7.3f} {statistics.median(seconds):9.3f}")
    if options.json:
        Path(options.json).write_text(json.dumps([
            {"benchmark": f"include {name}", "contender": label, "unit": "s", "n": len(seconds), "min": min(seconds),
             "median": statistics.median(seconds), "max": max(seconds)}
            for (name, label), seconds in rows.items()], indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
