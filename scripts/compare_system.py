#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""System benchmarks beside rivals, over loopback: round trips, a server under load, a client that sends, a session at
rest; at the end the table of goals, and whether each was held.

Usage: compare_system.py BIN_DIRECTORY DICTIONARIES [--quick] [--rounds N] [--seconds S] [--messages N] [--only TEXT]
       [--contender TEXT] [--output DIRECTORY] [--json FILE] [--server-core N] [--load-core N]

The server has one core, the load generator another. All contenders of a scenario are started at once and are
stopped (SIGSTOP) but for their turn, so that a round is each contender's turn one after the other, and a slow second
of a shared machine is within one round. Ratios are within a round; the tables show their median. A contender that
left an order unanswered, or answered one twice, has no figure.

Timed are: in round trips, from when an order was due (paced) or written (ping-pong) to the read that brought its
report; in server rows, the processor time of the server's process per answered order, user and system, all threads,
from the scheduler's account, the same without the threads that prepare an engine's journals, and answers a second; in
client_tx, from the order's values to the kernel having its bytes.

--quick takes 3 short rounds of the scenarios that the table of goals needs: to see whether all of it works. Without it
all scenarios are taken. --messages: a server under load is sent so many orders by each client in a turn, whatever time
it takes. --output: rows, percentile curves and goals as CSV, and what gnuplot makes of them as SVG.
"""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from system import client_tx, contenders, goals, machine, plots, scenarios, tables, turns
from system import options as shared

TITLES = {"server_cpu": "ns an order, all threads", "server_cpu_messages": "ns, less journals' ones",
          "server_user": "ns of user time", "server_system": "ns of system time"}
PERCENTILES = ("min", "median", "p90", "p99", "p999", "p9999", "max")
IDLE_SESSIONS = (200, 2000)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=Path)
    parser.add_argument("dictionaries", type=Path)
    parser.add_argument("--quick", action="store_true", help="3 rounds of 0.3 s, the scenarios of the goals")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float, help="of each turn")
    parser.add_argument("--messages", type=int, help="of each client, instead of seconds, where a server is flooded")
    parser.add_argument("--only", default="", help="scenarios with this text in their names")
    parser.add_argument("--contender", default="", help="contenders with this text in their names")
    shared.add_places(parser)
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 5)
    options.seconds = options.seconds or (0.3 if options.quick else 1.0)
    return options


def chosen(options):
    for scenario in scenarios.all_scenarios():
        if options.only in scenario.name and (scenario.is_goal or options.only or not options.quick):
            yield scenario


def run_turn(options, scenario, contender, directory):
    """One turn's rows are added to the scenario; False when the contender did not do the work."""
    load = ["--warm-up", str(scenario.warm_up), "--sessions", str(scenario.sessions), *scenario.load]
    timeout = turns.TIMEOUT
    if scenario.by_count and options.messages:
        load += ["--messages", str(options.messages)]
        timeout += scenario.sessions * options.messages / turns.SLOWEST_RATE
    else:
        load += ["--seconds", str(options.seconds * scenario.seconds)]
    contender.go_on()
    turn, output = turns.take(options.binaries, contender, load, options.load_core, directory, timeout)
    contender.stop()
    if turn is None:
        print(f"{scenario.name}: {contender.name} gets no figure:\n{output}", file=sys.stderr)
        return False
    scenario.turns.setdefault(contender.name, []).append(turn.rows)
    if scenario.has_curve:
        scenario.curves.setdefault(contender.name, []).append(turn.curve(scenario.has_curve))
    return True


def run_scenario(options, scenario, directory):
    """False when a contender failed; it is then out of the scenario."""
    there = contenders.make(scenario.kinds, options.binaries, options.dictionaries, scenario.sessions,
                            options.server_core, options.load_core, directory, options.contender)
    failed = set()
    try:
        for contender in there:
            contender.start()
            contender.stop()
        for _ in range(options.rounds):
            for contender in there:
                if contender.name not in failed and not run_turn(options, scenario, contender, directory):
                    failed.add(contender.name)
                    scenario.turns.pop(contender.name, None)
                    scenario.curves.pop(contender.name, None)
    finally:
        for contender in there:
            contender.end()
        # Journals of a flood are gigabytes.
        for left in directory.iterdir():
            shutil.rmtree(left, ignore_errors=True)
    return not failed


def summary(scenario):
    """Rows in the form of all benchmarks: each percentile is the median of that percentile over the rounds, but
    minimum and maximum are those of all rounds."""
    rows = []
    for figure in scenario.figures:
        for name, rounds in scenario.turns.items():
            row = {"benchmark": f"{scenario.name}/{figure}", "contender": name, "unit": rounds[0][figure]["unit"],
                   "n": sum(each[figure]["n"] for each in rounds)}
            for percentile in PERCENTILES:
                values = [each[figure][percentile] for each in rounds]
                combine = {"min": min, "max": max}.get(percentile, statistics.median)
                row[percentile] = round(combine(values), 3)
            medians = [each[figure]["median"] for each in rounds]
            row["rounds"] = len(rounds)
            row["round_median_min"], row["round_median_max"] = round(min(medians), 3), round(max(medians), 3)
            floor = contenders.floor_of(name, scenario.turns)
            row["floor"] = floor if floor != name else None
            value = goals.ratio(scenario, name, floor, figure) if row["floor"] else None
            row["ratio_to_floor"] = round(value, 3) if value else None
            rows.append(row)
    return rows


def show(scenario, rows):
    print(f"\n{scenario.name}: {scenario.about}")
    for figure in scenario.figures:
        mine = [row for row in rows if row["benchmark"] == f"{scenario.name}/{figure}"]
        is_time = mine and mine[0]["unit"] == "ns"
        if figure in ("service", "response"):
            print(f"  {'us, ' + figure:24} {'min':>9} {'median':>9} {'(rounds':>9} {'to)':>9} {'p90':>9} {'p99':>9} "
                  f"{'p99.9':>9} {'p99.99':>9} {'max':>10} {'x floor':>8}")
            for row in mine:
                cells = [row[key] / 1e3 for key in ("min", "median", "round_median_min", "round_median_max", "p90",
                                                    "p99", "p999", "p9999")]
                print(f"  {row['contender']:24} " + " ".join(f"{cell:9.2f}" for cell in cells) +
                      f" {row['max'] / 1e3:10.1f} {text_of(row['ratio_to_floor']):>8}")
        else:
            title, scale = (TITLES[figure], 1) if is_time else ("thousand orders a second", 1e3)
            print(f"  {title:24} {'min':>9} {'median':>9} {'max':>9} {'x floor':>8}")
            for row in mine:
                cells = [row[key] / scale for key in ("min", "median", "max")]
                print(f"  {row['contender']:24} " + " ".join(f"{cell:9.1f}" for cell in cells) +
                      f" {text_of(row['ratio_to_floor']):>8}")
    sys.stdout.flush()


def text_of(value):
    return "-" if value is None else f"{value:.2f}"


def idle(options, directory):
    """Rows about sessions at rest. The memory of one more is computed from two runs with different numbers of sessions, since
    an engine has memory of its own too."""
    program = options.binaries / "affix_bench_idle"
    if options.only not in "idle" or not program.exists():
        return [], True
    rows, taken = [], []
    for sessions in IDLE_SESSIONS:
        print(f"\nidle: {sessions} sessions that send nothing but heartbeats", flush=True)
        file = directory / "idle.json"
        done = subprocess.run([str(program), "--sessions", str(sessions), "--seconds", "3" if options.quick else "30",
                               "--json", str(file)], env={**os.environ, "TMPDIR": str(directory)},
                              timeout=turns.TIMEOUT)
        if done.returncode != 0:
            return [], False
        mine = json.loads(file.read_text())
        taken.append(sessions * next(row["median"] for row in mine if row["benchmark"] == "idle/memory"))
        rows += mine
    each = round((taken[-1] - taken[0]) / (IDLE_SESSIONS[-1] - IDLE_SESSIONS[0]))
    rows.append({"benchmark": "idle/one_more_session", "contender": "affix", "unit": "bytes", "n": 1,
                 **dict.fromkeys(PERCENTILES, each)})
    return rows, True


def write_output(folder, about, rows, ran, sent_curves, judged):
    """rows.csv, curves.csv, goals.csv, machine.csv and the pictures."""
    curves = {scenario.name: turns.median_curves(scenario.curves) for scenario in ran if scenario.curves}
    curves.update(sent_curves)
    tables.write(folder, about, rows, curves, judged)
    if not plots.available():
        print("no pictures: gnuplot is not installed", file=sys.stderr)
        return
    for name, by_name in curves.items():
        plots.percentile_curves(folder / f"{name}.svg", name, by_name)
    for figure, label in (("rate", "orders a second"), ("server_cpu", "ns of processor time an order")):
        for per_write in scenarios.ORDERS_A_WRITE:
            series = {}
            for clients in scenarios.CLIENTS:
                for row in rows:
                    if row["benchmark"] == f"server_{clients}x{per_write}/{figure}":
                        series.setdefault(row["contender"], []).append((clients, row["median"]))
            if series:
                plots.against(folder / f"clients_{figure}_{per_write}.svg",
                              f"{label}, {per_write} orders to a write", "clients", label, series)


def main():
    # A run that is ended early leaves no server that is stopped and holds its port.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    about = machine.about(options.binaries)
    print("\n".join(f"{key:12} {value}" for key, value in about.items()))
    print(f"server on core {options.server_core}, load on core {options.load_core}; {options.rounds} rounds of "
          f"{options.seconds} s turns, contenders one after the other; ratios are medians over rounds")
    if about["load_before"] > 0.5:
        print(f"others are at work here (load {about['load_before']:.1f}): tails and spinning rows are theirs too")
    rows, ran, sound = [], [], True
    with tempfile.TemporaryDirectory(prefix="affix-compare-") as name:
        directory = Path(name)
        for scenario in chosen(options):
            sound = run_scenario(options, scenario, directory) and sound
            ran.append(scenario)
            summed = summary(scenario)
            show(scenario, summed)
            rows += summed
        messages = 20_000 if options.quick else int(1_000_000 * min(options.seconds, 1))
        sent, sent_curves, sent_well = client_tx.measure(options, messages, directory)
        rested, rested_well = idle(options, directory)
    rows += sent + rested
    sound = sound and sent_well and rested_well
    judged = goals.table({scenario.name: scenario for scenario in ran}, sent, rested)
    print("\ngoals")
    goals.show([goal for goal in judged if goal.measured is not None or not options.only])
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.output:
        write_output(options.output, about, rows, ran, sent_curves, judged)
        print(f"\nCSV files and pictures are in {options.output}")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
