#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints benchmark results as one table per file: a row a benchmark, a column a contender, the minimum of each,
and how many times faster than QuickFIX the best of ours is.

Usage: print_comparison.py FILE.json...   (files of --json, see docs/internals/house.md)
"""

import json
import sys
from pathlib import Path


def print_table(path):
    rows, contenders = {}, []
    for entry in json.loads(path.read_text()):
        rows.setdefault((entry["benchmark"], entry["unit"]), {})[entry["contender"]] = entry["min"]
        if entry["contender"] not in contenders:
            contenders.append(entry["contender"])
    width = max((len(benchmark) for benchmark, _ in rows), default=9)
    print(f"\n{path.stem} (minimum)")
    print(f"{'benchmark':{width}} {'unit':>6} " + " ".join(f"{c:>14}" for c in contenders) + f" {'vs quickfix':>12}")
    for (benchmark, unit), values in rows.items():
        cells = " ".join(f"{values[c]:14.1f}" if c in values else f"{'-':>14}" for c in contenders)
        ours = [value for contender, value in values.items() if contender.startswith("affix") and value > 0]
        ratio = f"{values['quickfix'] / min(ours):11.1f}x" if ours and "quickfix" in values else f"{'-':>12}"
        print(f"{benchmark:{width}} {unit:>6} {cells} {ratio}")


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    for name in sys.argv[1:]:
        print_table(Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
