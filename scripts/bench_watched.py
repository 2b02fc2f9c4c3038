#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cost of watching an engine: round trips of paced orders without a watcher, and with `affix-monitor`, a
scraper of its metrics, a page that asks it for everything each second, and `affix top`.

Usage: bench_watched.py BIN_DIRECTORY [--rounds N] [--seconds S] [--rate R] [--core N] [--others-core N] [--csv FILE]

The engine (`affix-lab exchange`; each order is immediate-or-cancel on an empty book) has a core of its own; generator and
watchers share the other. Rounds are A B A: alone, watched, alone. The difference between two rounds
alone is the measure for the difference of a round that is watched.
"""

import argparse
import csv
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

START_TIMEOUT = 60
SESSIONS = 4
ORDER = "55=ACME|54=1|38=100|40=2|44=10|59=3"
PERCENTILES = (0.5, 0.9, 0.99)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cores = sorted(os.sched_getaffinity(0))
    parser.add_argument("binaries", type=Path)
    parser.add_argument("--rounds", type=int, default=7, help="of alone, watched, alone")
    parser.add_argument("--seconds", type=float, default=4, help="of each part of a round")
    parser.add_argument("--rate", type=int, default=2_000, help="orders a second")
    parser.add_argument("--core", type=int, default=cores[0], help="the engine's")
    parser.add_argument("--others-core", type=int, default=cores[-1], help="everybody else's")
    parser.add_argument("--csv", type=Path)
    return parser.parse_args()


def configuration(directory):
    text = (f"[ENGINE]\ncounters_file={directory}/counters\nlog_level=WARNING\n"
            "[EXCHANGE]\naccept_port=0\nnic_address=127.0.0.1\nwait_mode=SPIN\n")
    for number in range(1, SESSIONS + 1):
        text += (f"[SESSION_{number}]\nbegin_string=FIX.4.4\nsender_comp_id=SERVER\ntarget_comp_id=CLIENT{number}\n"
                 f"journal_path={directory}/journals\n")
    path = directory / "exchange.ini"
    path.write_text(text)
    return path


class Process:
    """A program that says where it listens, and ends with SIGTERM."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = []

    def place(self):
        """HOST:PORT of its first line that has one; whatever it says afterwards is read and forgotten."""
        deadline = time.monotonic() + START_TIMEOUT
        for line in self.process.stdout:
            self.said.append(line)
            found = re.search(r"127\.0\.0\.1:(\d+)", line)
            if found:
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                return found.group(0)
            if time.monotonic() > deadline:
                break
        raise SystemExit(f"{self.process.args}: it does not listen\n{''.join(self.said)}")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(START_TIMEOUT)


class Watchers:
    """The monitor, who asks it, and `affix top`, until end()."""

    def __init__(self, pin, affix, config, directory):
        self.stopped = threading.Event()
        self.monitor = Process([*pin, f"{affix}-monitor", str(config), "--listen", "127.0.0.1:0"])
        place = self.monitor.place()
        self.asked = dict.fromkeys(("/metrics", "/api/state", "/api/messages?limit=100", "/api/alerts"), 0)
        self.top = subprocess.Popen([*pin, "script", "-q", "-c", f"{affix} top --interval 1 {directory}/counters",
                                     "/dev/null"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.asker = threading.Thread(target=self.ask, args=(place,), daemon=True)
        self.asker.start()

    def ask(self, place):
        while not self.stopped.wait(1):
            for path in self.asked:
                with urllib.request.urlopen(f"http://{place}{path}", timeout=START_TIMEOUT) as answer:
                    answer.read()
                self.asked[path] += 1

    def end(self):
        self.stopped.set()
        self.asker.join(START_TIMEOUT)
        self.top.stdin.write(b"q")
        self.top.stdin.close()
        self.top.wait(START_TIMEOUT)
        self.monitor.end()
        if not all(self.asked.values()):
            raise SystemExit(f"nobody watched: {self.asked}")


def measure(options, pin, affix, target, directory):
    """Nanoseconds of PERCENTILES, from when each order was due."""
    curve = directory / "curve.csv"
    done = subprocess.run([*pin, f"{affix}-lab", "bench", "load", "--target", target, "--sessions", str(SESSIONS), "--begin-string",
                           "FIX.4.4", "--body", ORDER, "--further-reports", "--rate", str(options.rate), "--seconds",
                           str(options.seconds), "--warm-up", "200", "--spin", "--distribution", str(curve)],
                          capture_output=True, text=True, timeout=120 + 2 * options.seconds)
    if done.returncode != 0:
        raise SystemExit(f"no figure\n{done.stdout}{done.stderr}")
    with open(curve, encoding="utf-8", newline="") as file:
        points = {round(float(row["fraction"]), 6): int(row["response_ns"]) for row in csv.DictReader(file)}
    return [points[fraction] for fraction in PERCENTILES]


def main():
    options = arguments()
    affix = str(options.binaries / "affix")
    pin = ["taskset", "-c", str(options.others_core)]
    os.sched_setaffinity(0, {options.others_core})
    rows = []
    with tempfile.TemporaryDirectory(prefix="affix-watched-") as name:
        directory = Path(name)
        config = configuration(directory)
        engine = Process(["taskset", "-c", str(options.core), f"{affix}-lab", "exchange", "--config", str(config)])
        try:
            target = engine.place()
            for number in range(options.rounds):
                before = measure(options, pin, affix, target, directory)
                watchers = Watchers(pin, affix, config, directory)
                try:
                    watched = measure(options, pin, affix, target, directory)
                finally:
                    watchers.end()
                after = measure(options, pin, affix, target, directory)
                rows.append((before, watched, after))
                print(f"  round {number + 1}: p50 {before[0] / 1e3:.2f} us alone, {watched[0] / 1e3:.2f} watched, "
                      f"{after[0] / 1e3:.2f} alone", flush=True)
        finally:
            engine.end()
    print("  us, from when due: median of the rounds        alone   watched        moved   two rounds alone differ by")
    for at, fraction in enumerate(PERCENTILES):
        alone = [value[at] / 1e3 for row in rows for value in (row[0], row[2])]
        watched = [row[1][at] / 1e3 for row in rows]
        moved = [(row[1][at] - (row[0][at] + row[2][at]) / 2) / 1e3 for row in rows]
        apart = [abs(row[0][at] - row[2][at]) / 1e3 for row in rows]
        print(f"  p{fraction * 100:<44g} {statistics.median(alone):8.2f} {statistics.median(watched):9.2f} "
              f"{statistics.median(moved):+12.2f} {statistics.median(apart):15.2f} (at most {max(apart):.2f})")
    if options.csv:
        with open(options.csv, "w", encoding="utf-8", newline="") as file:
            heading = ["round", *(f"{part}_p{fraction * 100:g}_ns" for part in ("before", "watched", "after") for fraction in PERCENTILES)]
            csv.writer(file, lineterminator="\n").writerows(
                [heading, *([number + 1, *row[0], *row[1], *row[2]] for number, row in enumerate(rows))])
    return 0


if __name__ == "__main__":
    sys.exit(main())
