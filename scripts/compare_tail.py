#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tails beside the floor, beside a journal in memory and beside QuickFIX, over loopback: steady, after a burst, during an
archive, during a resend; at the end the table of goals, and whether each was held.

Usage: compare_tail.py BIN_DIRECTORY DICTIONARIES [--quick] [--rounds N] [--seconds S] [--burst N] [--archive N]
       [--resend N] [--only TEXT,...] [--contender NAME,...] [--affix OPTIONS] [--output DIRECTORY] [--json FILE]
       [--server-core N] [--load-core N]

The server, with all its threads, has one core, and the load generator, which spins, another; where the machine has a third
one, all is done once more with that one free for the server, too. A round is every scenario with every contender, one after
the other, of servers that were started for the round and are stopped (SIGSTOP) but for their turns; so a slow second of a
shared machine is within one round, and ratios are within a round. The tables show the median over the rounds, with the least
and the most. A contender that left an order unanswered, or answered one twice, has no figure.

Orders are offered open loop, and an order is charged from when it was due, whatever held it up. A worker's largest wait is by the engine's own account, beside the largest gap of a loop
that spins on the server's core in the same round. Processor time is that of
the server's process for each answered order, user and system, all threads, from the scheduler's account.
An archive is of the server's own journals; for the floors, QuickFIX and journals in memory it is of others that are as large.

--quick: 3 short rounds, to see whether all of it works. --affix: more options for each `affix-lab bench server`.
"""

import argparse
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from system import archiving, client_tx, contenders, goals, machine, tables, tail, turns
from system import options as shared


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=Path)
    parser.add_argument("dictionaries", type=Path)
    parser.add_argument("--quick", action="store_true", help="3 rounds of 0.5 s, less of everything")
    parser.add_argument("--rounds", type=int, help="9 without --quick")
    parser.add_argument("--seconds", type=float, help="of each turn; 3 without --quick")
    parser.add_argument("--burst", type=int, help="orders of each session; 100,000 without --quick")
    parser.add_argument("--archive", type=int, help="orders of each session before an archive; 100,000 without --quick")
    parser.add_argument("--resend", type=int, help="messages that are sent again; 1,000,000 without --quick")
    parser.add_argument("--only", default="", help="scenarios with one of these texts in their names, commas between")
    parser.add_argument("--contender", default="", help="contenders of these names, commas between; floors always")
    parser.add_argument("--affix", default="", help="more options for each `affix-lab bench server`")
    shared.add_places(parser)
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    shared.fill(options, rounds=(3, 9), seconds=(0.5, 3.0), burst=(10_000, 100_000), archive=(40_000, 100_000),
                resend=(20_000, 1_000_000))
    options.free_core = next((core for core in cores if core not in (options.server_core, options.load_core)), None)
    shared.refuse_unknown(parser, options, tail.EVERYBODY)
    return options


def chosen(options):
    """Scenarios that the options ask for, with the contenders that they ask for."""
    wanted = [name for name in options.contender.split(",") if name]
    for scenario in tail.all_scenarios(options):
        if any(text in scenario.name for text in options.only.split(",")):
            scenario.kinds = tuple(kind for kind in scenario.kinds if kind in contenders.RAW or not wanted or kind in wanted)
            yield scenario


def command_of(options, kind, cores, directory, more=()):
    """A server whose threads are all on `cores`, or None when it was not built (QuickFIX). One session is for resends."""
    command = contenders.command_of(kind, options.binaries, options.dictionaries, tail.SESSIONS + 1, None, directory)
    if command is None:
        return None
    if kind in contenders.AFFIX:
        # With one core there is nothing to choose. With two the worker keeps the first.
        command += ["--core", str(cores[0])] if len(cores) > 1 else []
        command += [*more, *shlex.split(options.affix)]
    return ["taskset", "-c", ",".join(str(core) for core in cores), *command]


class Round:
    """Contenders that were started for one round: one of each kind, its cores, and whether its journals are archived."""

    def __init__(self, options, directory):
        self.options, self.directory = options, directory
        self.environment = {**os.environ, "TMPDIR": str(directory)}
        self.there = {}
        self.to_archive = None
        self.largest_gap = None

    @staticmethod
    def place(scenario, kind):
        return kind, scenario.cores, scenario.is_archive and kind in tail.JOURNALLED

    def home(self, place):
        kind, cores, is_archived = place
        return self.directory / "-".join((kind, *(str(core) for core in cores), *(["archived"] if is_archived else [])))

    def start(self, scenario, kind):
        place = self.place(scenario, kind)
        if place in self.there:
            return
        home = self.home(place)
        home.mkdir()
        more = ["--segment-bytes", str(tail.SEGMENT_BYTES), "--journal", str(home)] if place[-1] else []
        if kind in contenders.AFFIX:
            more += ["--counters", str(home / "counters")]
        command = command_of(self.options, kind, scenario.cores, home, more)
        self.there[place] = command and contenders.Contender(kind, command, self.environment)
        if command:
            self.there[place].start()
            self.there[place].stop()

    def of(self, scenario, kind):
        """None when it was not built."""
        return self.there[self.place(scenario, kind)]

    def archive(self, scenario, kind, timeout):
        """Begins an archive of the contender's journals, or of others that are as large. The contender is running."""
        place = self.place(scenario, kind)
        orders = self.options.archive
        if place[-1]:
            archiving.fill(self.options, self.there[place], tail.SESSIONS, orders, self.directory, timeout)
            return archiving.Archive(self.options, self.home(place), scenario.cores, self.directory)
        if self.to_archive is None:
            self.to_archive = self.directory / "to-archive"
            command = command_of(self.options, "affix_process", scenario.cores, self.directory,
                                 ["--segment-bytes", str(tail.SEGMENT_BYTES), "--journal", str(self.to_archive)])
            archiving.make_journals(self.options, command, tail.SESSIONS, orders, self.directory, timeout)
        copy = self.directory / "copy-to-archive"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.to_archive, copy)
        return archiving.Archive(self.options, copy, scenario.cores, self.directory)

    def measure(self, scenario, kind):
        """The Turn of a contender that is running; RuntimeError says why it has no figure."""
        timeout = turns.TIMEOUT + self.options.seconds + scenario.orders_before / turns.SLOWEST_RATE
        archive = self.archive(scenario, kind, timeout) if scenario.is_archive else None
        try:
            turn, output = turns.take(self.options.binaries, self.of(scenario, kind), scenario.load, self.options.load_core,
                                      self.directory, timeout)
        finally:
            if archive:
                scenario.beside.append(archive.end())
        if turn is None:
            raise RuntimeError(output)
        return turn

    def turn(self, scenario, kind):
        """One turn's rows are added to the scenario; False when the contender did not do the work."""
        contender = self.of(scenario, kind)
        contender.go_on()
        try:
            turn = self.measure(scenario, kind)
        except RuntimeError as error:
            print(f"{scenario.name}: {contender.name} gets no figure:\n{error}", file=sys.stderr)
            return False
        finally:
            contender.stop()
        # A worker that spins counts the stop before its turn as a wait; one that sleeps does not see it.
        if kind in contenders.AFFIX and not kind.endswith("_spin") and scenario.name == tail.STEADY:
            scenario.waits.setdefault(kind, []).append(self.waits(self.place(scenario, kind)))
            scenario.gaps.setdefault(kind, []).append(self.gap(scenario))
        scenario.turns.setdefault(kind, []).append(turn.rows)
        if not scenario.suffix:
            scenario.curves.setdefault(kind, []).append(turn.curve(scenario.latency))
        return True

    def gap(self, scenario):
        """The machine's own, on the server's core, while all servers are stopped."""
        if self.largest_gap is None:
            self.largest_gap = machine.largest_gap(scenario.cores[0], self.options.seconds)
        return self.largest_gap

    def waits(self, place):
        """Longest waits of the contender's worker so far, by its own counters: {cause: nanoseconds}."""
        done = subprocess.run([str(self.options.binaries / "affix"), "top", str(self.home(place) / "counters"), "--json", "--once",
                               "--interval", "0"], capture_output=True, text=True, check=True)
        waits = json.loads(done.stdout)["workers"][0]["waits"]
        return {cause: values["longest"] for cause, values in waits.items() if cause not in tail.NOT_STEADY}

    def end(self):
        for contender in self.there.values():
            if contender:
                contender.end()
        # Journals of bursts are gigabytes.
        for left in self.directory.iterdir():
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)


def run_round(options, scenarios, failed, directory):
    """A turn of each contender in each scenario, but of (scenario, contender) in `failed`, which grows."""
    this = Round(options, directory)
    try:
        for scenario in scenarios:
            for kind in scenario.kinds:
                this.start(scenario, kind)
        for scenario in scenarios:
            for kind in scenario.kinds:
                if this.of(scenario, kind) and (scenario.name, kind) not in failed and not this.turn(scenario, kind):
                    failed.add((scenario.name, kind))
                    scenario.turns.pop(kind, None)
                    scenario.curves.pop(kind, None)
    finally:
        this.end()


def main():
    # A run that is ended early leaves no server that is stopped and holds its port.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    scenarios = list(chosen(options))
    if not scenarios and "client_tx" not in options.only:
        print(f"no scenario has '{options.only}' in its name", file=sys.stderr)
        return 2
    failed = set()
    with tempfile.TemporaryDirectory(prefix="affix-compare-tail-") as name:
        directory = Path(name)
        ahead = machine.read_ahead(directory)
        about = {**machine.about(options.binaries),
                 "measured": machine.measured(options.binaries, directory),
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
        sent, sent_curves, sent_well = client_tx.measure(options, 20_000 if options.quick else 1_000_000, directory)
    by_name = {scenario.name: scenario for scenario in scenarios}
    rows = [{**row, "benchmark": f"tail/{row['benchmark']}"} for row in sent]
    for scenario in scenarios:
        tail.show(scenario, by_name)
        rows += tail.rows_of(scenario)
    judged = tail.goals(by_name, sent, machine.gives_pages_back())
    print("\ngoals")
    goals.show([goal for goal in judged if goal.measured is not None or not options.only])
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.output:
        curves = {scenario.name: turns.median_curves(scenario.curves) for scenario in scenarios}
        tables.write(options.output, about, rows, {**curves, **sent_curves}, judged)
        print(f"\nCSV files are in {options.output}")
    return 0 if sent_well and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
