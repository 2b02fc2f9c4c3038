# SPDX-License-Identifier: MIT
"""One contender's turn: a run of `affix-lab bench load` against it, and the rows and curves that this writes."""

import csv
import json
import statistics
import subprocess
from dataclasses import dataclass

# Seconds of a turn, beside those that its orders take.
TIMEOUT = 120
# QuickFIX's file store answers some 40,000 orders a second.
SLOWEST_RATE = 10_000


@dataclass
class Turn:
    rows: dict       # Of the load generator, by benchmark.
    points: list     # Of its percentile curves: {"fraction", "response_ns", "service_ns"}.

    def curve(self, latency):
        """[(fraction, ns)...] of "response" or "service"."""
        return [(float(point["fraction"]), int(point[f"{latency}_ns"])) for point in self.points]


def take(binaries, contender, load, core, directory, timeout, first=()):
    """The Turn and what the generator said, for which `load` has the options beside the target, and which the words of
    `first` start. None: the contender left an order unanswered, answered one twice, or was not done in `timeout` seconds.
    The contender is running."""
    rows, curve = directory / "rows.json", directory / "curve.csv"
    rows.unlink(missing_ok=True)
    command = [*first, "taskset", "-c", str(core), str(binaries / "affix-lab"), "bench", "load", "--target", contender.target,
               "--json", str(rows), "--distribution", str(curve), "--contender", contender.name, "--server-pid",
               str(contender.process.pid), *load]
    if contender.raw:
        command.append("--raw")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, "the turn did not end in time"
    if done.returncode != 0 or not rows.exists():
        return None, done.stdout + done.stderr
    with open(curve, encoding="utf-8", newline="") as file:
        points = list(csv.DictReader(file))
    return Turn({row["benchmark"]: row for row in json.loads(rows.read_text())}, points), done.stdout


def median_curves(curves):
    """Contender -> one curve: at each fraction the median over the rounds."""
    return {name: [(points[0][0], statistics.median(ns for _, ns in points)) for points in zip(*rounds)]
            for name, rounds in curves.items()}
