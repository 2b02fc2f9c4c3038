#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the cost of a standby, over loopback: round trips and processor time of a server with a standby beside the same server
alone, beside a raw loop that replicates and acknowledges, and beside NATS JetStream with three replicas; p99 with the standby
dead beside alive; at the end the table of goals, and whether each was held.

Usage: compare_replicate.py BIN_DIRECTORY [--quick] [--rounds N] [--seconds S] [--only TEXT,...] [--contender NAME,...]
       [--output DIRECTORY] [--json FILE] [--server-core N] [--load-core N]

A round is every scenario with every contender, one after the other, each started for its turn; so a slow second of a shared
machine is within one round, and ratios and differences are within a round. The tables show the median over the rounds, with
the least and the most. A contender that left an order unanswered, or answered one twice, has no figure.

Where loops spin, the server has one core and the replica another. Where the machine has no third one, the load generator
shares the replica's, sleeps, and has a real-time priority, for which this script needs the right (root has it). Then a
difference between two contenders is that of their servers and replicas, but a round trip contains the generator's wake-up.

Nodes elect in a directory: no message waits for an election. Processor time is that of all threads of the process for each
answered order, from the scheduler's account; the replica's contains its start of the connections.

--quick: 3 short rounds, to see whether all of it works.
"""

import argparse
import contextlib
import csv
import json
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path

from system import goals, jetstream, machine, plots, replicas, replication, tables, tail, turns
from system import options as shared

CONTENDERS = (*replicas.KINDS, jetstream.NAME)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=Path)
    parser.add_argument("--quick", action="store_true", help="3 rounds of 0.5 s")
    parser.add_argument("--rounds", type=int, help="9 without --quick")
    parser.add_argument("--seconds", type=float, help="of each turn; 2 without --quick")
    parser.add_argument("--only", default="", help="scenarios with one of these texts in their names, commas between")
    parser.add_argument("--contender", default="", help="contenders of these names, commas between")
    shared.add_places(parser)
    options = parser.parse_args()
    shared.fill(options, rounds=(3, 9), seconds=(0.5, 2.0))
    shared.refuse_unknown(parser, options, CONTENDERS)
    cores = sorted(os.sched_getaffinity(0))
    options.standby_core = next((core for core in cores if core not in (options.server_core, options.load_core)),
                                options.load_core)
    options.first = precedence() if options.standby_core == options.load_core else []
    return options


def precedence():
    """Words before the command of a load generator that shares its core with a loop that spins."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except PermissionError:
        print("the load generator may not have a real-time priority: it waits for the replica that spins on its core, and rows "
              "that spin say nothing", file=sys.stderr)
        return []
    return ["chrt", "-f", "1"]


def chosen(options):
    """Scenarios that the options ask for, with the contenders that they ask for."""
    wanted = [name for name in options.contender.split(",") if name]
    for scenario in replication.all_scenarios(options):
        if any(text in scenario.name for text in options.only.split(",")):
            scenario.kinds = tuple(kind for kind in scenario.kinds if not wanted or kind in wanted or
                                   scenario.is_outage and replication.BEFORE_SEND in wanted)
            yield scenario


class Kill(threading.Thread):
    """Kills the standby when the primary has read so many messages, or at the latest when it has read nothing for long."""

    def __init__(self, server, messages):
        super().__init__()
        self.server, self.messages = server, messages
        self.start()

    def run(self):
        with contextlib.suppress(RuntimeError):
            replicas.until("orders before the kill", lambda: self.server.messages() >= self.messages)
        self.server.kill_standby()


class Round:
    """One turn of each contender. `failed` has (scenario, contender) of those that are out, and grows."""

    def __init__(self, options, directory, failed):
        self.options, self.directory, self.failed = options, directory, failed

    def take(self, scenario, contender):
        """A Turn; RuntimeError says why there is none."""
        turn, output = turns.take(self.options.binaries, contender, scenario.load, self.options.load_core, self.directory,
                                  turns.TIMEOUT + self.options.seconds, self.options.first if scenario.spins else [])
        if turn is None:
            raise RuntimeError(output)
        return turn

    def note(self, scenario, name, turn):
        scenario.turns.setdefault(name, []).append(turn.rows)
        scenario.curves.setdefault(name, []).append(turn.curve(scenario.latency))

    def replicated(self, scenario, kind):
        server = replicas.Replicated(self.options, kind, scenario, self.directory)
        server.start()
        try:
            before = server.standby_time()
            turn = self.take(scenario, server)
            if kind == replicas.RAW_REPLICATED or kind in replicas.MODES:
                # The orders before those that are measured are its, too.
                orders = turn.rows["service"]["n"] + scenario.sessions * tail.WARM_UP
                spent = (server.standby_time() - before) / orders
                turn.rows["standby_cpu"] = {**turn.rows["server_cpu"], **dict.fromkeys(
                    ("min", *(key for _, key in tail.COLUMNS)), spent)}
            # In ASYNC nothing waits for one that is flooded: it falls behind.
            if kind in replicas.WAITING and not server.is_in_sync():
                raise RuntimeError("the standby did not stay in sync, so that nothing waited for it")
            self.note(scenario, kind, turn)
        finally:
            server.end()

    def published(self, scenario):
        servers = jetstream.JetStream(self.directory)
        servers.start()
        try:
            rows, curve = servers.publish(self.options, scenario.spins, self.directory)
            with open(curve, encoding="utf-8", newline="") as file:
                points = [{**line, "response_ns": line["service_ns"]} for line in csv.DictReader(file)]
            self.note(scenario, jetstream.NAME, turns.Turn({row["benchmark"]: row for row in json.loads(rows.read_text())},
                                                           points))
        finally:
            servers.end()

    def outage(self, scenario):
        """A turn with the standby, one in which it is killed, and one without it."""
        server = replicas.Replicated(self.options, replication.BEFORE_SEND, scenario, self.directory)
        server.start()
        try:
            alive = self.take(scenario, server)
            server.await_standby()
            kill = Kill(server, server.messages() + replication.orders_before_kill(scenario, self.options.seconds))
            try:
                at_the_kill = self.take(scenario, server)
            finally:
                kill.join()
            server.await_alone()
            dead = self.take(scenario, server)
            for name, turn in zip(replication.OUTAGE, (alive, at_the_kill, dead)):
                self.note(scenario, name, turn)
        finally:
            server.end()

    def run(self, scenario):
        if scenario.is_outage:
            self.run_turn(scenario, "outage", lambda: self.outage(scenario))
            return
        for kind in scenario.kinds:
            if kind != jetstream.NAME:
                self.run_turn(scenario, kind, lambda kind=kind: self.replicated(scenario, kind))
            elif jetstream.available():
                self.run_turn(scenario, kind, lambda: self.published(scenario))

    def run_turn(self, scenario, name, take):
        if (scenario.name, name) in self.failed:
            return
        try:
            take()
        except RuntimeError as error:
            print(f"{scenario.name}: {name} gets no figure:\n{error}", file=sys.stderr)
            self.failed.add((scenario.name, name))
            for left in replication.OUTAGE if scenario.is_outage else (name,):
                scenario.turns.pop(left, None)
                scenario.curves.pop(left, None)


def write_output(folder, about, rows, scenarios, judged):
    curves = {scenario.name: turns.median_curves(scenario.curves) for scenario in scenarios}
    tables.write(folder, about, rows, curves, judged)
    if not plots.available():
        print("no pictures: gnuplot is not installed", file=sys.stderr)
        return
    for name, by_name in curves.items():
        if by_name:
            plots.percentile_curves(folder / f"{name}.svg", name, by_name)


def main():
    # A run that is ended early leaves no server.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    scenarios = list(chosen(options))
    if not scenarios:
        print(f"no scenario has '{options.only}' in its name", file=sys.stderr)
        return 2
    failed = set()
    with tempfile.TemporaryDirectory(prefix="affix-compare-replicate-") as name:
        directory = Path(name)
        about = {**machine.about(options.binaries), "measured": machine.measured(options.binaries, directory),
                 "server_core": options.server_core, "load_core": options.load_core, "standby_core": options.standby_core}
        print("\n".join(f"{key:12} {value}" for key, value in about.items()))
        print(f"{options.rounds} rounds of {options.seconds} s turns, contenders one after the other; the table's cells are the "
              "median of the rounds (least-most)", flush=True)
        if about["load_before"] > 0.5:
            print(f"others are at work here (load {about['load_before']:.1f}): tails and spinning rows are theirs, too")
        if not jetstream.available():
            print("nats-server is not installed; measuring without it", file=sys.stderr)
        for number in range(options.rounds):
            this = Round(options, directory, failed)
            for scenario in scenarios:
                this.run(scenario)
            print(f"round {number + 1} of {options.rounds} is done", file=sys.stderr, flush=True)
    rows = []
    for scenario in scenarios:
        replication.show(scenario)
        rows += tail.rows_of(scenario, "replicate", replication.FIGURES)
    judged = replication.goals({scenario.name: scenario for scenario in scenarios})
    print("\ngoals")
    goals.show([goal for goal in judged if goal.measured is not None or not options.only])
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.output:
        write_output(options.output, about, rows, scenarios, judged)
        print(f"\nCSV files and pictures are in {options.output}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
