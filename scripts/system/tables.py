# SPDX-License-Identifier: MIT
"""Files of a comparison."""

import csv


def write(folder, about, rows, curves, judged):
    """rows.csv, curves.csv, goals.csv and machine.csv. `curves` is scenario -> contender -> [(fraction, ns)...]."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = list(dict.fromkeys(key for row in rows for key in row))
    tables = {"rows": [keys, *([row.get(key, "") for key in keys] for row in rows)],
              "curves": [["scenario", "contender", "fraction", "ns"],
                         *([scenario, name, fraction, ns] for scenario, by_name in curves.items()
                           for name, points in by_name.items() for fraction, ns in points)],
              "goals": [["row", "goal", "measured", "holds"], *(goal.cells() for goal in judged)],
              "machine": [["what", "is"], *about.items()]}
    for name, lines in tables.items():
        with open(folder / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)
