#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the Python package beside QuickFIX's binding and simplefix, in one run.

Usage: bench_python.py OUTPUT [--wheel FILE] [--python VERSION] [--rounds N] [--orders N] [--json FILE]
       bench_python.py OUTPUT --soak [MESSAGES]

--soak sends ten million messages, or MESSAGES, through one asyncio session instead, and fails if its memory grows.

Needs the wheel that `./dev python` builds. The contenders come from PyPI into a virtual environment in OUTPUT. Exits
with 1 if a goal does not hold.
"""

import argparse
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from wheels.environments import chosen, environment, interpreters, run, tag_of, text_of

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "benchmarks" / "python"
# quickfix-tls has wheels of QuickFIX's own binding, which comes as sources only.
CONTENDERS = ("quickfix-tls", "simplefix")
# Of benchmarks/python/round_trip.py: asyncio's loop alone, affix on it by `async for`, by on_message and spinning, on C++
# workers, and QuickFIX; and the program for QuickFIX on affix.quickfix.
TRADERS = ("asyncio", "affix", "affix-callbacks", "affix-spinning", "affix-threads", "affix-quickfix", "quickfix")
# Those that sleep, so that both programs can share one core: there a round trip wakes no core that sleeps.
ON_ONE_CORE = ("asyncio", "affix", "affix-callbacks", "affix-threads", "affix-quickfix", "quickfix")


def spread(samples):
    return min(samples), statistics.median(samples), max(samples)


def free_port():
    """QuickFIX's acceptor wants a number; the kernel has just given this one out, and will not soon again."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def trade(python, engine, orders, window=1):
    """Times of the orders and of all together, between a venue and a trader in processes of their own."""
    with tempfile.TemporaryDirectory() as directory:
        program = [python, PROGRAMS / "round_trip.py", engine]
        port = str(free_port())
        venue = subprocess.Popen([*program, "venue", port, "0", directory], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            port = venue.stdout.readline().strip()
            trader = subprocess.run([*program, "trader", port, str(orders), directory, str(window)],
                                    capture_output=True, text=True, timeout=300)
        finally:
            venue.kill()
            venue.communicate()
        if trader.returncode != 0:
            raise SystemExit(f"{engine}: {trader.stderr}")
        return json.loads(trader.stdout.strip().splitlines()[-1])


def round_trip(python, engine, orders):
    """The median of one order at a time, after the first tenth."""
    return statistics.median(trade(python, engine, orders)["times"][orders // 10:])


@contextlib.contextmanager
def one_core():
    """Programs that are started meanwhile share a core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def orders_per_second(python, engine, orders):
    """With a hundred orders under way; each is a message in both directions."""
    return orders / trade(python, engine, orders, window=100)["all"] * 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--python", default="newest")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--orders", type=int, default=2000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--soak", nargs="?", type=int, const=10_000_000, metavar="MESSAGES")
    arguments = parser.parse_args()
    found = interpreters()
    version = chosen(arguments.python, found)
    name = tag_of(version)
    wheel = arguments.wheel or next((arguments.output / "wheels").glob(f"affix-*-{name}-*_{os.uname().machine}.whl"), None)
    if wheel is None:
        raise SystemExit(f"no wheel for CPython {text_of(version)}: ./dev python --python {text_of(version)}")
    python = environment(found[version], arguments.output.resolve() / "bench" / name, *CONTENDERS)
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--force-reinstall", wheel)
    if arguments.soak is not None:
        return subprocess.run([python, PROGRAMS / "soak.py", str(arguments.soak)]).returncode
    load = os.getloadavg()[0]
    done = subprocess.run([python, PROGRAMS / "codec.py", str(arguments.rounds), str(arguments.calls)],
                          stdout=subprocess.PIPE, text=True, check=True)
    codec = json.loads(done.stdout)
    print(f"CPython {text_of(version)}, {arguments.rounds} rounds, load {load:.1f}; microseconds a message")
    print(f"{'':12}{'':28}{'min':>9}{'median':>9}{'max':>9}")
    figures = {}
    for task in codec["samples"]["affix"]:
        for contender, samples in codec["samples"].items():
            if task in samples:
                figures[contender, task] = spread(samples[task])
                print(f"{contender:12}{task:28}" + "".join(f"{value / 1000:9.3f}" for value in figures[contender, task]))
    trips = {engine: ([], []) for engine in TRADERS}
    shared = {engine: [] for engine in ON_ONE_CORE}
    for _ in range(arguments.turns):
        for engine, (medians, rates) in trips.items():
            medians.append(round_trip(python, engine, arguments.orders))
            rates.append(orders_per_second(python, engine, 10 * arguments.orders))
        with one_core():
            for engine, medians in shared.items():
                medians.append(round_trip(python, engine, arguments.orders))
    for where, runs in (("round_trip", {engine: medians for engine, (medians, _) in trips.items()}), ("on_one_core", shared)):
        for engine, medians in runs.items():
            figures[engine, where] = spread(medians)
            print(f"{engine:17}{where.replace('_', ' '):23}" +
                  "".join(f"{value / 1000:9.1f}" for value in figures[engine, where]))
    rates = {engine: spread(rates) for engine, (_, rates) in trips.items()}
    for engine, values in rates.items():
        print(f"{engine:17}{'orders a second':23}" + "".join(f"{value:9.0f}" for value in values))

    def middle(contender, task):
        return figures[contender, task][1]

    goals = {
        "parse and 4 fields <= 0.6 us": middle("affix", "parse_and_4_fields") <= 600,
        "parse and 4 fields <= 1/15 of QuickFIX's":
            middle("affix", "parse_and_4_fields") * 15 <= middle("quickfix", "parse_and_4_fields"),
        "encode an order <= 1.5 us": middle("affix", "encode_order") <= 1500,
    }
    # A round trip between two cores wakes each once: for most of asyncio's part.
    for where, words in (("on_one_core", "on one core"), ("round_trip", "on two")):
        for engine in [engine for engine in TRADERS if (engine, where) in figures and engine != "quickfix"]:
            part = middle(engine, where) / middle("quickfix", where)
            print(f"{engine}: {part:.2f} of QuickFIX's round trip {words}")
    for engine, words, where in (("affix", "by async for, on one core", "on_one_core"),
                                 ("affix-callbacks", "by on_message, on one core", "on_one_core"),
                                 ("affix-spinning", "by async for, spinning, on two", "round_trip")):
        goals[f"round trip {words} <= 1/2 of QuickFIX's"] = middle(engine, where) * 2 <= middle("quickfix", where)
    waking = middle("asyncio", "round_trip")
    for engine, words in (("affix", "by async for"), ("affix-callbacks", "by on_message")):
        goals[f"round trip {words}, on two, less that of the loop alone <= 1/2 of QuickFIX's less that"] = (
            (middle(engine, "round_trip") - waking) * 2 <= middle("quickfix", "round_trip") - waking)
    for goal, holds in goals.items():
        print(f"{'holds' if holds else 'MISSED':8}{goal}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"load": load, "goals": goals, "nanoseconds": {
            f"{contender} {task}": values for (contender, task), values in figures.items()},
            "orders_per_second": rates}, indent=1))
    return 0 if all(goals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
