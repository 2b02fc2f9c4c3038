#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tails beside the floor, beside a journal in memory and beside QuickFIX, over loopback: steady, after a burst; at the end
the table of goals, and whether each was held.

Usage: compare_tail.py BIN_DIRECTORY DICTIONARIES [--quick] [--rounds N] [--seconds S] [--burst N] [--only TEXT]
       [--contender NAME,...] [--affix OPTIONS] [--output DIRECTORY] [--json FILE] [--server-core N] [--load-core N]

The server, with all its threads, has one core, and the load generator, which spins, another; where the machine has a third
one, all is done once more with that one free for the server, too. A round is every scenario with every contender, one after
the other, of servers that were started for the round and are stopped (SIGSTOP) but for their turns; so a slow second of a
shared machine is within one round, and ratios are within a round. The tables show the median over the rounds, with the least
and the most. A contender that left an order unanswered, or answered one twice, has no figure.

Orders are offered open loop, and an order is charged from when it was due, whatever held it up. Processor time is that of
the server's process for each answered order, user and system, all threads, from the scheduler's account.

--quick: 3 short rounds, to see whether all of it works. --affix: more options for each `affix bench server`.
"""

import argparse
import csv
import json
import os
import shlex
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from system import contenders, goals, machine, tail, turns

TURN_TIMEOUT = 120
# QuickFIX's file store answers some 40,000 orders a second.
SLOWEST_RATE = 10_000


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=Path)
    parser.add_argument("dictionaries", type=Path)
    parser.add_argument("--quick", action="store_true", help="3 rounds of 0.5 s, bursts of 10,000")
    parser.add_argument("--rounds", type=int, help="9 without --quick")
    parser.add_argument("--seconds", type=float, help="of each turn; 3 without --quick")
    parser.add_argument("--burst", type=int, help="orders of each session; 100,000 without --quick")
    parser.add_argument("--only", default="", help="scenarios with one of these texts in their names, commas between")
    parser.add_argument("--contender", default="", help="contenders of these names, commas between; floors always")
    parser.add_argument("--affix", default="", help="more options for each `affix bench server`")
    parser.add_argument("--output", type=Path, help="directory of CSV files")
    parser.add_argument("--json", type=Path)
    cores = sorted(os.sched_getaffinity(0))
    parser.add_argument("--server-core", type=int, default=cores[0])
    parser.add_argument("--load-core", type=int, default=cores[-1])
    options = parser.parse_args()
    for name, quick, full in (("rounds", 3, 9), ("seconds", 0.5, 3.0), ("burst", 10_000, 100_000)):
        if getattr(options, name) is None:
            setattr(options, name, quick if options.quick else full)
    options.free_core = next((core for core in cores if core not in (options.server_core, options.load_core)), None)
    unknown = [name for name in options.contender.split(",") if name and name not in tail.EVERYBODY]
    if unknown:
        parser.error(f"no contender '{unknown[0]}'; there are: {', '.join(tail.EVERYBODY)}")
    return options


def chosen(options):
    """Scenarios that the options ask for, with the contenders that they ask for."""
    wanted = [name for name in options.contender.split(",") if name]
    for scenario in tail.all_scenarios(options):
        if any(text in scenario.name for text in options.only.split(",")):
            scenario.kinds = tuple(kind for kind in scenario.kinds if kind in contenders.RAW or not wanted or kind in wanted)
            yield scenario


def command_of(options, kind, cores, directory):
    """A server whose threads are all on `cores`, or None when it was not built (QuickFIX)."""
    command = contenders.command_of(kind, options.binaries, options.dictionaries, tail.SESSIONS, None, directory)
    if command is None:
        return None
    if kind in contenders.AFFIX:
        # With one core there is nothing to choose. With two the worker keeps the first.
        command += ["--core", str(cores[0])] if len(cores) > 1 else []
        command += shlex.split(options.affix)
    return ["taskset", "-c", ",".join(str(core) for core in cores), *command]


def run_turn(options, scenario, contender, directory):
    """One turn's rows are added to the scenario; False when the contender did not do the work."""
    timeout = TURN_TIMEOUT + options.seconds + scenario.orders_before / SLOWEST_RATE
    contender.go_on()
    turn, output = turns.take(options.binaries, contender, scenario.load, options.load_core, directory, timeout)
    contender.stop()
    if turn is None:
        print(f"{scenario.name}: {contender.name} gets no figure:\n{output}", file=sys.stderr)
        return False
    scenario.turns.setdefault(contender.name, []).append(turn.rows)
    scenario.curves.setdefault(contender.name, []).append(turn.curve("response" if scenario.paced else "service"))
    return True


def run_round(options, scenarios, failed, directory):
    """A turn of each contender in each scenario, but of (scenario, contender) in `failed`, which grows."""
    environment = {**os.environ, "TMPDIR": str(directory)}
    there = {}
    try:
        for scenario in scenarios:
            for kind in scenario.kinds:
                place = (kind, scenario.cores)
                if place not in there:
                    home = directory / "-".join((kind, *(str(core) for core in scenario.cores)))
                    home.mkdir()
                    command = command_of(options, kind, scenario.cores, home)
                    there[place] = command and contenders.Contender(kind, command, environment)
                    if command:
                        there[place].start()
                        there[place].stop()
        for scenario in scenarios:
            for kind in scenario.kinds:
                contender = there[kind, scenario.cores]
                if contender and (scenario.name, kind) not in failed and \
                        not run_turn(options, scenario, contender, directory):
                    failed.add((scenario.name, kind))
                    scenario.turns.pop(kind, None)
                    scenario.curves.pop(kind, None)
    finally:
        for contender in there.values():
            if contender:
                contender.end()
        # Journals of bursts are gigabytes.
        for left in directory.iterdir():
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)


def write_output(folder, about, rows, scenarios, judged):
    """rows.csv, curves.csv, goals.csv and machine.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = list(dict.fromkeys(key for row in rows for key in row))
    tables = {"rows": [keys, *([row.get(key, "") for key in keys] for row in rows)],
              "curves": [["scenario", "contender", "fraction", "ns"],
                         *([scenario.name, name, fraction, ns] for scenario in scenarios
                           for name, points in turns.median_curves(scenario.curves).items() for fraction, ns in points)],
              "goals": [["row", "goal", "measured", "holds"], *(goal.cells() for goal in judged)],
              "machine": [["what", "is"], *about.items()]}
    for name, lines in tables.items():
        with open(folder / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)


def main():
    # Whoever ends it early leaves no server behind, stopped and holding its port.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    scenarios = list(chosen(options))
    if not scenarios:
        print(f"no scenario has '{options.only}' in its name", file=sys.stderr)
        return 2
    failed = set()
    with tempfile.TemporaryDirectory(prefix="affix-compare-tail-") as name:
        directory = Path(name)
        ahead = machine.read_ahead(directory)
        about = {**machine.about(options.binaries),
                 "journals": "on no disk" if ahead is None else f"on a disk that is read {ahead} KiB ahead",
                 "server_core": options.server_core, "load_core": options.load_core,
                 "free_core": "none" if options.free_core is None else options.free_core}
        print("\n".join(f"{key:12} {value}" for key, value in about.items()))
        print(f"{options.rounds} rounds of {options.seconds} s turns, contenders one after the other; the table's cells are the "
              "median of the rounds (least-most)", flush=True)
        if about["load_before"] > 0.5:
            print(f"others are at work here (load {about['load_before']:.1f}): tails are theirs, too")
        for number in range(options.rounds):
            run_round(options, scenarios, failed, directory)
            print(f"round {number + 1} of {options.rounds} is done", file=sys.stderr, flush=True)
    by_name = {scenario.name: scenario for scenario in scenarios}
    rows = []
    for scenario in scenarios:
        tail.show(scenario, by_name)
        rows += tail.rows_of(scenario)
    judged = tail.goals(by_name, machine.gives_pages_back())
    print("\ngoals")
    goals.show([goal for goal in judged if goal.measured is not None or not options.only])
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.output:
        write_output(options.output, about, rows, scenarios, judged)
        print(f"\nCSV files are in {options.output}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
