#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""System benchmarks beside rivals, over loopback: round trips, a server under load, a client that sends.

Usage: compare_system.py BIN_DIRECTORY DICTIONARIES [--quick] [--rounds N] [--seconds S] [--only TEXT]
       [--contender TEXT] [--json FILE] [--server-core N] [--load-core N]

The server has one core, the load generator another. All contenders of a scenario are started at once and are
stopped (SIGSTOP) but for their turn, so that a round is each contender's turn one after the other, and a slow second
of a shared machine is within one round. Ratios are within a round; the table shows their median. A contender that
left an order unanswered, or answered one twice, has no figure.

What is timed: in round trips, from when an order was due (paced) or written (ping-pong) to the read that brought its
report; in server rows, the processor time of the server's process per answered order, user and system, all threads,
from the scheduler's account, the same without the threads that prepare an engine's journals, and answers a second; in client_tx, from the order's values to the kernel having its
bytes.
"""

import argparse
import json
import os
import platform
import re
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

START_TIMEOUT = 60
TURN_TIMEOUT = 120
TITLES = {"server_cpu": "ns an order, all threads", "server_cpu_messages": "ns, less journals' ones"}
PERCENTILES = ("min", "median", "p90", "p99", "p999", "p9999", "max")


class Contender:
    """A server that is started stopped, and wakes for its turns."""

    def __init__(self, name, command, raw=False, environment=None):
        self.name, self.command, self.raw, self.environment = name, command, raw, environment
        self.process, self.target = None, None

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env=self.environment)
        ready, _, _ = select.select([self.process.stdout], [], [], START_TIMEOUT)
        line = self.process.stdout.readline() if ready else ""
        found = re.fullmatch(r"listening on (\S+:\d+)\n", line)
        if not found:
            self.end()
            raise RuntimeError(f"{self.name} did not start: {' '.join(self.command)}")
        self.target = found.group(1)
        self.process.send_signal(signal.SIGSTOP)

    def end(self):
        if self.process:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()


class Scenario:
    def __init__(self, name, about, load, contenders, figures, warm_up=1000):
        self.name, self.about, self.load, self.contenders = name, about, load, contenders
        self.figures, self.warm_up = figures, warm_up


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=Path)
    parser.add_argument("dictionaries", type=Path)
    parser.add_argument("--quick", action="store_true", help="3 rounds of 0.3 s: to see whether it works")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float, help="of each turn")
    parser.add_argument("--only", default="", help="scenarios with this text in their names")
    parser.add_argument("--contender", default="", help="contenders with this text in their names")
    parser.add_argument("--json", type=Path)
    cores = sorted(os.sched_getaffinity(0))
    parser.add_argument("--server-core", type=int, default=cores[0])
    parser.add_argument("--load-core", type=int, default=cores[-1])
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 5)
    options.seconds = options.seconds or (0.3 if options.quick else 1.0)
    return options


def contenders(options, sessions, directory, kinds):
    """Those of `kinds` that are there and fit the filter, in the order of the table."""
    program, quickfix = str(options.binaries / "affix"), options.binaries / "affix_quickfix_acceptor"
    core = str(options.server_core)
    pinned = ["taskset", "-c", core]
    environment = {**os.environ, "TMPDIR": str(directory)}
    made = []
    for kind in kinds:
        if options.contender not in kind and not kind.startswith("raw"):
            continue
        parts = kind.split("_")
        if parts[0] == "raw":
            made.append(Contender(kind, [*pinned, program, "bench", "floor", f"--{parts[1]}",
                                         "--reactor", "io_uring" if "uring" in parts else "epoll"], raw=True))
        elif parts[0] == "affix":
            # The worker has the server's core; the thread that prepares journals is where there is room.
            made.append(Contender(kind, [program, "bench", "server", "--sessions", str(sessions), "--core", core,
                                         "--wait", parts[1].upper(),
                                         "--reactor", "IO_URING" if "uring" in parts else "EPOLL"],
                                  environment=environment))
        elif quickfix.exists():
            store = directory / f"quickfix-{kind}-{sessions}"
            store.mkdir(exist_ok=True)
            made.append(Contender(kind, [*pinned, str(quickfix), "--sessions", str(sessions), "--store", parts[1],
                                         "--directory", str(store), "--dictionaries", str(options.dictionaries)]))
    return made


def scenarios(options, directory):
    spinning = ["raw_spin", "affix_spin", "affix_spin_uring", "quickfix_file", "quickfix_memory"]
    blocking = ["raw_block", "affix_block", "affix_block_uring", "quickfix_file", "quickfix_memory"]
    both = ["raw_block", "affix_block", "affix_block_uring", "raw_spin", "affix_spin", "affix_spin_uring",
            "quickfix_file", "quickfix_memory"]
    seconds = str(options.seconds)

    def scenario(name, about, sessions, load, kinds, figures):
        if options.only in name:
            yield Scenario(name, about, ["--sessions", str(sessions), "--seconds", seconds, *load],
                           lambda: contenders(options, sessions, directory, kinds), figures)

    yield from scenario("round_trip_spin", "one order at a time, the generator spins", 1,
                        ["--window", "1", "--spin"], spinning, ["service"])
    yield from scenario("round_trip_block", "one order at a time, the generator sleeps in the kernel", 1,
                        ["--window", "1", "--block"], blocking, ["service"])
    for sessions in (8, 32):
        for per_write in (10, 100):
            yield from scenario(f"server_{sessions}x{per_write}",
                                f"{sessions} clients send as much as is answered, {per_write} orders to a write",
                                sessions, ["--per-write", str(per_write), "--window", "2048"], both,
                                ["server_cpu", "server_cpu_messages", "rate"])
    yield from scenario("paced_10000", "8 clients, 10,000 orders a second in all, the generator spins", 8,
                        ["--rate", "10000", "--spin"], both, ["response", "server_cpu_messages"])


def run_turn(options, scenario, contender, directory):
    """The turn's rows by benchmark, or None when the contender did not do the work."""
    rows = directory / "rows.json"
    rows.unlink(missing_ok=True)
    command = ["taskset", "-c", str(options.load_core), str(options.binaries / "affix"), "bench", "load",
               "--target", contender.target, "--json", str(rows), "--contender", contender.name,
               "--server-pid", str(contender.process.pid), "--warm-up", str(scenario.warm_up), *scenario.load]
    if contender.raw:
        command.append("--raw")
    contender.process.send_signal(signal.SIGCONT)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TURN_TIMEOUT)
        output = done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        done, output = None, "the turn did not end in time"
    contender.process.send_signal(signal.SIGSTOP)
    if done is None or done.returncode != 0 or not rows.exists():
        print(f"{scenario.name}: {contender.name} gets no figure:\n{output}", file=sys.stderr)
        return None
    return {row["benchmark"]: row for row in json.loads(rows.read_text())}


def run_scenario(options, scenario, directory):
    """Contender -> the rows of its rounds. A contender that failed once is out."""
    there, turns, failed = scenario.contenders(), {}, set()
    try:
        for contender in there:
            contender.start()
        for _ in range(options.rounds):
            for contender in there:
                if contender.name in failed:
                    continue
                rows = run_turn(options, scenario, contender, directory)
                if rows is None:
                    failed.add(contender.name)
                    turns.pop(contender.name, None)
                else:
                    turns.setdefault(contender.name, []).append(rows)
    finally:
        for contender in there:
            contender.end()
        # Journals of a flood are gigabytes.
        for left in directory.iterdir():
            shutil.rmtree(left, ignore_errors=True)
    return turns, bool(failed)


def floor_of(name, names):
    """The raw loop that waits as the contender does; QuickFIX blocks."""
    wanted = "raw_spin" if "_spin" in name else "raw_block"
    return wanted if wanted in names else next((other for other in names if other.startswith("raw")), None)


def ratio(turns, name, other, figure):
    if other is None or other == name:
        return None
    pairs = [(mine[figure]["median"], theirs[figure]["median"])
             for mine, theirs in zip(turns[name], turns[other])]
    return statistics.median(mine / theirs for mine, theirs in pairs if theirs > 0) if pairs else None


def summary(turns, scenario):
    """Rows in the form of all benchmarks: each percentile is the median of that percentile over the rounds, but
    minimum and maximum are those of all rounds."""
    rows = []
    for figure in scenario.figures:
        for name, rounds in turns.items():
            row = {"benchmark": f"{scenario.name}/{figure}", "contender": name, "unit": rounds[0][figure]["unit"],
                   "n": sum(each[figure]["n"] for each in rounds)}
            for percentile in PERCENTILES:
                values = [each[figure][percentile] for each in rounds]
                combine = {"min": min, "max": max}.get(percentile, statistics.median)
                row[percentile] = round(combine(values), 3)
            medians = [each[figure]["median"] for each in rounds]
            row["rounds"] = len(rounds)
            row["round_median_min"], row["round_median_max"] = round(min(medians), 3), round(max(medians), 3)
            floor = floor_of(name, turns)
            row["floor"] = floor if floor != name else None
            value = ratio(turns, name, floor, figure)
            row["ratio_to_floor"] = round(value, 3) if value else None
            rows.append(row)
    return rows


def show(scenario, rows):
    print(f"\n{scenario.name}: {scenario.about}")
    for figure in scenario.figures:
        mine = [row for row in rows if row["benchmark"] == f"{scenario.name}/{figure}"]
        is_time = mine and mine[0]["unit"] == "ns"
        if figure in ("service", "response"):
            print(f"  {'us, ' + figure:20} {'min':>9} {'median':>9} {'(rounds':>9} {'to)':>9} {'p90':>9} {'p99':>9} "
                  f"{'p99.9':>9} {'p99.99':>9} {'max':>10} {'x floor':>8}")
            for row in mine:
                cells = [row[key] / 1e3 for key in ("min", "median", "round_median_min", "round_median_max", "p90",
                                                    "p99", "p999", "p9999")]
                print(f"  {row['contender']:20} " + " ".join(f"{cell:9.2f}" for cell in cells) +
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


def client_tx(options, directory):
    program = options.binaries / "affix_bench_client_tx"
    if options.only not in "client_tx" or not program.exists():
        return [], False
    rows = []
    failed = False
    for name, more in (("client_tx", []), ("client_tx_reader_sleeps", ["--sink-sleeps"])):
        print(f"\n{name}: one order each 10 us, to a reader that {'sleeps' if more else 'spins'} on the other core",
              flush=True)
        file = directory / "tx.json"
        messages = 20_000 if options.quick else 200_000
        done = subprocess.run([str(program), "--messages", str(messages), "--core", str(options.server_core),
                               "--sink-core", str(options.load_core), "--json", str(file), *more],
                              env={**os.environ, "TMPDIR": str(directory)}, timeout=20 * TURN_TIMEOUT)
        if done.returncode != 0:
            failed = True
            continue
        rows += [{**row, "benchmark": name} for row in json.loads(file.read_text())]
    return rows, failed


def machine(options):
    model = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    cache = options.binaries.parent / "CMakeCache.txt"
    compiler = "unknown compiler"
    if cache.exists():
        found = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache.read_text(), re.MULTILINE)
        if found:
            version = subprocess.run([found.group(1), "--version"], capture_output=True, text=True, check=False)
            compiler = version.stdout.splitlines()[0] if version.stdout else found.group(1)
    commit = subprocess.run(["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"],
                            capture_output=True, text=True, check=False).stdout.strip() or "unknown"
    load = os.getloadavg()[0]
    return {"processor": model, "cores": len(os.sched_getaffinity(0)), "kernel": platform.release(),
            "compiler": compiler, "commit": commit, "load_before": load,
            "time": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())}


def main():
    # Whoever ends it early leaves no server behind, stopped and holding its port.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    about = machine(options)
    print("\n".join(f"{key:12} {value}" for key, value in about.items()))
    print(f"server on core {options.server_core}, load on core {options.load_core}; {options.rounds} rounds of "
          f"{options.seconds} s turns, contenders one after the other; ratios are medians over rounds")
    if about["load_before"] > 0.5:
        print(f"others are at work here (load {about['load_before']:.1f}): tails and spinning rows are theirs too")
    rows, failed = [], False
    with tempfile.TemporaryDirectory(prefix="affix-compare-") as name:
        directory = Path(name)
        for scenario in scenarios(options, directory):
            turns, trouble = run_scenario(options, scenario, directory)
            failed = failed or trouble
            summed = summary(turns, scenario)
            show(scenario, summed)
            rows += summed
        sent, trouble = client_tx(options, directory)
        rows, failed = rows + sent, failed or trouble
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
