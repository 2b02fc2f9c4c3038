#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Round trips of one session at several rates, open loop, on one host or two; percentiles in latency.csv.

Usage: bench_round_trip.py BIN_DIRECTORY DICTIONARIES [--role server|client --address HOST:PORT]
       [--configuration NAME,...] [--rates R,...] [--seconds S] [--block] [--core N] [--load-core N] [--csv FILE]

Without --role both sides are on this host, for each configuration in turn. On two hosts start on one
`--role server --address 0.0.0.0:9001 --configuration spinning`, on the other `--role client --address HOST:9001` with
the same configuration. The client sends orders at each rate and times each from when it was due to the read that brought
its report, so that a stall is charged to every order that it delayed.

Configurations: default (all checks, sleeps in the kernel, no core of its own), balanced (no dictionary), aggressive
(spins for a while before it sleeps), optimized (the same, no dictionary, a core of its own), spinning (never sleeps);
memory, process, group, sync: what stored messages survive; raw_block and raw_spin: the floor, which answers without
reading; quickfix_file, quickfix_memory, quickfix_file_unchecked: on this host only.
"""

import argparse
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from system import contenders

RATES = (1_000, 10_000, 50_000)
PERCENTILES = (0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0)
USUAL = ("raw_block", "raw_spin", "default", "balanced", "aggressive", "optimized", "spinning", "memory", "process",
         "group", "sync", "quickfix_file", "quickfix_memory", "quickfix_file_unchecked")
# Each order waits for the disk, so a faster rate would measure a queue.
SYNC_RATE_MAX = 1_000


def kind_of(name):
    """The contender's name in the comparison."""
    for kind in (name, f"affix_{name}"):
        if kind in contenders.KINDS:
            return kind
    raise SystemExit(f"no configuration '{name}'; there are: {', '.join(USUAL)}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cores = sorted(os.sched_getaffinity(0))
    parser.add_argument("binaries", type=Path)
    parser.add_argument("dictionaries", type=Path)
    parser.add_argument("--role", choices=("server", "client"))
    parser.add_argument("--address", help="HOST:PORT; where the server listens, and the client connects to")
    parser.add_argument("--configuration", help="one, or several with commas between when both sides are here")
    parser.add_argument("--rates", default=",".join(str(rate) for rate in RATES))
    parser.add_argument("--seconds", type=float, default=10, help="of each rate")
    parser.add_argument("--block", action="store_true", help="the client sleeps in the kernel; else it spins")
    parser.add_argument("--core", type=int, default=cores[0], help="the server's; -1: any")
    parser.add_argument("--load-core", type=int, default=cores[-1], help="the client's; -1: any")
    parser.add_argument("--csv", type=Path, default=Path("latency.csv"))
    options = parser.parse_args()
    options.core = None if options.core < 0 else options.core
    options.rates = [int(rate) for rate in options.rates.split(",")]
    options.names = options.configuration.split(",") if options.configuration else []
    if (options.role is None) != (options.address is None):
        parser.error("--role and --address go together")
    if options.role and len(options.names) != 1:
        parser.error("--role takes one --configuration")
    for name in options.names:
        kind_of(name)
    return options


def serve(options, directory):
    """Until SIGINT or SIGTERM."""
    kind = kind_of(options.names[0])
    if kind in contenders.QUICKFIX:
        raise SystemExit("QuickFIX's acceptor listens on this host's loopback only; measure it without --role")
    command = contenders.command_of(kind, options.binaries, options.dictionaries, 1, options.core, directory,
                                    options.address)
    server = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(directory)})
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: server.send_signal(signal.SIGTERM))
    return server.wait()


def measure(options, name, target, rows, directory):
    """Adds a row for each rate; False when an order was left unanswered."""
    kind, sound = kind_of(name), True
    for rate in options.rates:
        if name == "sync" and rate > SYNC_RATE_MAX:
            continue
        curve = directory / "curve.csv"
        pin = [] if options.load_core < 0 else ["taskset", "-c", str(options.load_core)]
        command = [*pin, str(options.binaries / "affix-lab"), "bench", "load", "--target", target, "--rate", str(rate),
                   "--seconds", str(options.seconds), "--warm-up", "1000", "--distribution", str(curve),
                   "--block" if options.block else "--spin"]
        if kind in contenders.RAW:
            command.append("--raw")
        done = subprocess.run(command, capture_output=True, text=True, timeout=120 + 2 * options.seconds)
        if done.returncode != 0:
            print(f"{name} at {rate}: no figure\n{done.stdout}{done.stderr}", file=sys.stderr)
            sound = False
            continue
        sent = int(re.search(r"orders +(\d+) sent", done.stdout).group(1))
        with open(curve, encoding="utf-8", newline="") as file:
            points = {round(float(row["fraction"]), 6): int(row["response_ns"]) for row in csv.DictReader(file)}
        values = [points[fraction] for fraction in PERCENTILES]
        rows.append([name, rate, sent, *values])
        print(f"  {name:24} {rate:7} " + " ".join(f"{value / 1e3:9.2f}" for value in values), flush=True)
    return sound


def measure_here(options, rows, directory):
    sound = True
    for name in options.names or USUAL:
        folder = directory / name
        folder.mkdir()
        command = contenders.command_of(kind_of(name), options.binaries, options.dictionaries, 1, options.core, folder)
        if command is None:
            print(f"  {name}: QuickFIX is not here")
            continue
        contender = contenders.Contender(kind_of(name), command, {**os.environ, "TMPDIR": str(folder)})
        try:
            contender.start()
            sound = measure(options, name, contender.target, rows, directory) and sound
        finally:
            contender.end()
            shutil.rmtree(folder, ignore_errors=True)
    return sound


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="affix-round-trip-") as name:
        directory = Path(name)
        if options.role == "server":
            return serve(options, directory)
        rows = []
        print("  us, from when due                a second       min    median       p90       p99     p99.9    p99.99"
              "       max")
        if options.role == "client":
            sound = measure(options, options.names[0], options.address, rows, directory)
        else:
            sound = measure_here(options, rows, directory)
    with open(options.csv, "w", encoding="utf-8", newline="") as file:
        heading = ["configuration", "rate", "orders", "min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "p9999_ns", "max_ns"]
        csv.writer(file, lineterminator="\n").writerows([heading, *rows])
    print(f"{options.csv}: {len(rows)} rows")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
