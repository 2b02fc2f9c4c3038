#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cost of many sessions: throughput and percentiles against their number, a session at rest, storms of resends and of
reconnects, and memory against the rate of messages over an hour.

Usage: bench_scale.py BIN_DIRECTORY DICTIONARIES [--quick] [--only PART] [--output DIRECTORY] [--hour SECONDS]
       [--server-core N] [--load-core N]

  sessions   1 to 5,000 of them: as many orders as are answered, 10 to a write, then 20,000 a second in all, beside the
             raw loop with as many connections
  idle       a session that sends nothing but heartbeats: memory and share of a core
  resend     one session is sent a million old messages again while another trades
  reconnect  1,000 sessions trade while 100 connections a second are dropped and made again, and without that
  memory     100 sessions trade at 1,000 to 100,000 orders a second, a quarter of an hour each: the server's own memory
  start      an exchange whose sessions have no journal yet, and have one: processor time until it listens
  monitor    `affix-monitor` beside an exchange whose sessions are logged on and at rest, and nobody looks: share of a
             core; then what a look at /metrics costs

Every order must have its one answer, or the exit code is 1. --quick is a minute of all of it, to see whether it works.
--output has the rows as scale.csv and pictures; build/scale of the working directory without it.
"""

import argparse
import csv
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from bench_watched import Process
from system import contenders, plots

SESSIONS = (1, 2, 8, 32, 128, 512, 1000, 2000, 5000)
QUICK_SESSIONS = (1, 8, 128)
PACED_RATE = 20_000
MEMORY_RATES = (1_000, 10_000, 50_000, 100_000)
MEMORY_SESSIONS = 100
STORM_SESSIONS = 1000
STORM_RATE = 100
STARTED_SESSIONS = (1000, 4000)
STARTS = 3
MONITORED_SESSIONS = (100, 1000, 4000)
MONITOR_WINDOWS = 5
METRICS_LOOKS = 9
LOOK_SECONDS = 1.0
KIB = 1024
# A journal keeps so much of a session, so that an hour of trading ends on no full disk.
JOURNAL_KEEP_BYTES = 4 * KIB * KIB
# The server has a connection and its journal's files for each session.
DESCRIPTORS_A_SESSION = 3
HEADING = ("part", "case", "contender", "figure", "unit", "median", "p99", "max")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cores = sorted(os.sched_getaffinity(0))
    parser.add_argument("binaries", type=Path)
    parser.add_argument("dictionaries", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", help="the part with this text in its name")
    parser.add_argument("--output", type=Path, default=Path("build/scale"))
    parser.add_argument("--hour", type=float, default=None, help="seconds that part `memory` takes instead of an hour")
    parser.add_argument("--server-core", type=int, default=cores[0])
    parser.add_argument("--load-core", type=int, default=cores[-1])
    options = parser.parse_args()
    options.seconds = 0.5 if options.quick else 5.0
    options.hour = options.hour or (8.0 if options.quick else 3600.0)
    return options


def spread(unit, values):
    return {"unit": unit, "median": statistics.median(values), "p99": max(values), "max": max(values)}


def spread_text(values):
    """Minimum, median and maximum."""
    return f"{min(values):.2f}/{statistics.median(values):.2f}/{max(values):.2f}"


def cpu_seconds(pid):
    """Processor time of a process, user and system, all threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def exchange_configuration(directory, sessions, dictionary=None):
    """A file for `affix-lab exchange` in a directory of its own."""
    directory.mkdir()
    more = f"dictionary={dictionary.resolve()}\n" if dictionary else ""
    path = directory / "exchange.ini"
    path.write_text(
        f"[ENGINE]\ncounters_file={directory}/counters\nlog_level=WARNING\n"
        "[EXCHANGE]\naccept_port=0\nnic_address=127.0.0.1\n"
        "[SESSION_DEFAULTS]\nbegin_string=FIX.4.4\nsender_comp_id=SERVER\n"
        f"journal_path={directory}/journals\n{more}"
        + "".join(f"[SESSION_{at}]\ntarget_comp_id=CLIENT{at}\n" for at in range(1, sessions + 1)))
    return path


class Scale:
    def __init__(self, options, directory):
        self.options, self.directory, self.rows, self.sound, self.memory = options, directory, [], True, {}

    def add(self, part, case, contender, figure, row):
        self.rows.append((part, case, contender, figure, row["unit"], row["median"], row["p99"], row["max"]))

    def server(self, kind, sessions, *more):
        """An acceptor that runs; whoever asks for it ends it."""
        command = contenders.command_of(kind, self.options.binaries, self.options.dictionaries, sessions,
                                        self.options.server_core, self.directory)
        made = contenders.Contender(kind, [*command, *more], {**os.environ, "TMPDIR": str(self.directory)})
        made.start()
        return made

    def load(self, server, sessions, *more):
        """Rows by benchmark; None, and the whole is unsound, when an order was not answered once."""
        file = self.directory / "rows.json"
        file.unlink(missing_ok=True)
        raw = ["--raw"] if server.raw else []
        command = ["taskset", "-c", str(self.options.load_core), str(self.options.binaries / "affix-lab"), "bench", "load",
                   "--target", server.target, "--sessions", str(sessions), "--server-pid", str(server.process.pid),
                   "--json", str(file), "--logon-timeout", "120", *raw, *more]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0 or not file.exists():
            print(f"  {server.name}, {sessions} sessions: no figure\n{done.stdout}{done.stderr}", file=sys.stderr)
            self.sound = False
            return None
        return {row["benchmark"]: row for row in json.loads(file.read_text())}

    # --- parts ---

    def part_sessions(self):
        print(f"  {'sessions':>8} {'contender':14} {'orders/s':>10} {'ns of CPU':>10} {'p50 us':>9} {'p99 us':>9} "
              f"{'p99.9 us':>9}   (percentiles at {PACED_RATE:,} a second in all)")
        allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[1] // DESCRIPTORS_A_SESSION
        for sessions in QUICK_SESSIONS if self.options.quick else SESSIONS:
            if sessions > allowed:
                print(f"  {sessions}: more than this process may have descriptors for")
                continue
            for kind in ("raw_block", "affix_block"):
                server = self.server(kind, sessions)
                try:
                    flood = self.load(server, sessions, "--seconds", str(self.options.seconds), "--per-write", "10",
                                      "--window", "64", "--warm-up", "20")
                    paced = self.load(server, sessions, "--seconds", str(self.options.seconds), "--rate",
                                      str(PACED_RATE), "--spin", "--warm-up", "20")
                finally:
                    server.end()
                if flood is None or paced is None:
                    continue
                for figure in ("rate", "server_cpu", "server_memory"):
                    self.add("sessions", sessions, kind, figure, flood[figure])
                response = paced["response"]
                self.add("sessions", sessions, kind, "response", response)
                print(f"  {sessions:8} {kind:14} {flood['rate']['median']:10.0f} {flood['server_cpu']['median']:10.0f} "
                      f"{response['median'] / 1e3:9.1f} {response['p99'] / 1e3:9.1f} {response['p999'] / 1e3:9.1f}",
                      flush=True)

    def part_idle(self):
        for sessions in (100,) if self.options.quick else (1000, 5000, 10_000):
            file = self.directory / "idle.json"
            done = subprocess.run([str(self.options.binaries / "affix_bench_idle"), "--sessions", str(sessions),
                                   "--seconds", "3" if self.options.quick else "60", "--json", str(file)],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                print(f"  idle: no figure\n{done.stdout}{done.stderr}", file=sys.stderr)
                self.sound = False
                continue
            rows = json.loads(file.read_text())
            for row in rows:
                self.add("idle", sessions, row["contender"], row["benchmark"].removeprefix("idle/"), row)
            of = {(row["benchmark"], row["contender"].split("_")[0]): row["median"] for row in rows}
            print(f"  {sessions:8} sessions: {of['idle/memory', 'affix'] / KIB:.2f} KiB each, "
                  f"{of['idle/core_share', 'affix']:.2f} % of a core in all (floor: "
                  f"{of['idle/core_share', 'floor']:.2f})", flush=True)

    def part_resend(self):
        messages = 20_000 if self.options.quick else 1_000_000
        done = subprocess.run([str(self.options.binaries / "affix_bench_resend"), "--messages", str(messages),
                               "--before", "1" if self.options.quick else "5"], capture_output=True, text=True,
                              env={**os.environ, "TMPDIR": str(self.directory)})
        print(done.stdout, end="", flush=True)
        found = re.search(r"([\d]+) messages/s", done.stdout)
        if done.returncode != 0 or not found:
            print(done.stderr, file=sys.stderr)
            self.sound = False
            return
        rate = float(found.group(1))
        self.add("resend", messages, "affix", "rate", {"unit": "1/s", "median": rate, "p99": rate, "max": rate})

    def part_reconnect(self):
        sessions = 50 if self.options.quick else STORM_SESSIONS
        seconds = str(4 * self.options.seconds)
        server = self.server("affix_block", sessions, "--journal-keep-bytes", str(JOURNAL_KEEP_BYTES))
        try:
            calm = self.load(server, sessions, "--seconds", seconds, "--rate", "5000", "--spin")
            storm = self.load(server, sessions, "--seconds", seconds, "--rate", "5000", "--spin", "--reconnect-storm",
                              str(STORM_RATE))
        finally:
            server.end()
        if calm is None or storm is None:
            return
        for name, rows in (("calm", calm), ("storm", storm)):
            for figure in ("response", "server_cpu", "dropped"):
                self.add("reconnect", name, "affix_block", figure, rows[figure])
            print(f"  {name:6} {rows['dropped']['max']:6.0f} connections dropped; p50 "
                  f"{rows['response']['median'] / 1e3:.1f} us, p99 {rows['response']['p99'] / 1e3:.1f} us, "
                  f"{rows['server_cpu']['median']:.0f} ns of CPU an order", flush=True)

    def part_memory(self):
        server = self.server("affix_block", MEMORY_SESSIONS, "--journal-keep-bytes", str(JOURNAL_KEEP_BYTES))
        ended = threading.Event()
        looks = []
        watch = threading.Thread(target=self.watch_memory, args=(server.process.pid, ended, looks))
        watch.start()
        try:
            for rate in MEMORY_RATES:
                began = len(looks)
                rows = self.load(server, MEMORY_SESSIONS, "--rate", str(rate), "--per-write",
                                 "10" if rate > 10_000 else "1", "--seconds",
                                 str(self.options.hour / len(MEMORY_RATES)))
                if rows is None:
                    return
                seen = [own for _, own in looks[began:]] or [0]
                self.add("memory", rate, "affix_block", "server_memory",
                         {"unit": "bytes", "median": statistics.median(seen), "p99": max(seen), "max": max(seen)})
                print(f"  {rate:8,} orders a second: {statistics.median(seen) / KIB / KIB:.2f} MiB of its own, "
                      f"{max(seen) / KIB / KIB:.2f} at most", flush=True)
        finally:
            ended.set()
            watch.join()
            server.end()
        self.memory = {"affix_block": [(seconds, own / KIB / KIB) for seconds, own in looks]}

    @staticmethod
    def watch_memory(pid, ended, looks):
        """(seconds, resident bytes of no file) once a second."""
        while True:
            text = Path(f"/proc/{pid}/status").read_text()
            looks.append((len(looks) * LOOK_SECONDS,
                          int(re.search(r"^RssAnon:\s+(\d+) kB", text, re.MULTILINE).group(1)) * KIB))
            if ended.wait(LOOK_SECONDS):
                return

    def part_start(self):
        lab = str(self.options.binaries / "affix-lab")
        for sessions in QUICK_SESSIONS[-1:] if self.options.quick else STARTED_SESSIONS:
            spent = {"new": [], "again": []}
            for number in range(STARTS):
                config = exchange_configuration(self.directory / f"started-{sessions}-{number}", sessions,
                                                self.options.dictionaries / "FIX44.xml")
                for kind, values in spent.items():
                    exchange = Process([lab, "exchange", "--config", str(config)])
                    try:
                        exchange.place()
                        values.append(1e3 * cpu_seconds(exchange.process.pid) / sessions)
                    finally:
                        exchange.end()
            for kind, values in spent.items():
                self.add("start", sessions, "affix_exchange", kind, spread("ms", values))
            print(f"  {sessions:8} sessions: {spread_text(spent['new'])} ms of CPU each without journals, "
                  f"{spread_text(spent['again'])} with them", flush=True)

    def part_monitor(self):
        for sessions in QUICK_SESSIONS[-1:] if self.options.quick else MONITORED_SESSIONS:
            directory = self.directory / f"monitored-{sessions}"
            config = exchange_configuration(directory, sessions)
            lab = str(self.options.binaries / "affix-lab")
            exchange = Process([lab, "exchange", "--config", str(config)])
            monitor = peers = None
            try:
                target = exchange.place()
                seconds = 1.0 if self.options.quick else 12.0
                peers = subprocess.Popen(
                    [lab, "bench", "load", "--target", target, "--sessions", str(sessions), "--begin-string",
                     "FIX.4.4", "--body", "55=ACME|54=1|38=100|40=2|44=10|59=3", "--further-reports", "--rate", "1",
                     "--seconds", "3600", "--logon-timeout", "120"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                monitor = Process([str(self.options.binaries / "affix-monitor"), str(config), "--listen", "127.0.0.1:0"])
                place = monitor.place()
                self.wait_for_logons(place, sessions)
                shares = [self.share_of_core(monitor.process.pid, seconds) for _ in range(MONITOR_WINDOWS)]
                looks, size = [], 0
                for _ in range(METRICS_LOOKS):
                    began = time.monotonic()
                    with urllib.request.urlopen(f"http://{place}/metrics", timeout=60) as answer:
                        size = len(answer.read())
                    looks.append((time.monotonic() - began) * 1e3)
            finally:
                for process in (monitor, exchange):
                    if process is not None:
                        process.end()
                if peers is not None:
                    peers.terminate()
                    peers.wait()
            self.add("monitor", sessions, "affix_monitor", "core_share", spread("%", shares))
            self.add("monitor", sessions, "affix_monitor", "metrics_time", spread("ms", looks))
            self.add("monitor", sessions, "affix_monitor", "metrics_bytes", spread("bytes", [size]))
            print(f"  {sessions:8} sessions: {spread_text(shares)} % of a core in windows of {seconds:g} s; /metrics "
                  f"{size / KIB:.1f} KiB in {spread_text(looks)} ms", flush=True)

    @staticmethod
    def wait_for_logons(place, sessions):
        for _ in range(600):
            with urllib.request.urlopen(f"http://{place}/metrics", timeout=60) as answer:
                up = re.findall(r"^affix_session_up\{[^}]*\} 1$", answer.read().decode(), re.MULTILINE)
            if len(up) == sessions:
                return
            time.sleep(0.2)
        raise SystemExit(f"{sessions} sessions did not log on")

    @staticmethod
    def share_of_core(pid, seconds):
        """Per cent of a core that the process takes over so many seconds."""
        began, at_first = time.monotonic(), cpu_seconds(pid)
        time.sleep(seconds)
        return 100 * (cpu_seconds(pid) - at_first) / (time.monotonic() - began)

    # --- all of it ---

    def run(self):
        for part in ("sessions", "idle", "resend", "reconnect", "memory", "start", "monitor"):
            if self.options.only in part:
                print(f"\n{part}", flush=True)
                getattr(self, f"part_{part}")()
        self.write()

    def write(self):
        folder = self.options.output
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "scale.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([HEADING, *self.rows])
        if not plots.available():
            print("no pictures: gnuplot is not installed", file=sys.stderr)
            return
        for figure, column, scale, label in (("rate", 5, 1, "orders a second"), ("response", 6, 1e3, "p99, us"),
                                             ("server_cpu", 5, 1, "ns of processor time an order")):
            series = {}
            for row in self.rows:
                if row[0] == "sessions" and row[3] == figure:
                    series.setdefault(row[2], []).append((row[1], row[column] / scale))
            if series:
                plots.against(folder / f"sessions_{figure}.svg", f"{label} against sessions", "sessions", label, series)
        if self.memory:
            plots.over_time(folder / "memory.svg", "the server's own memory at "
                            + ", ".join(f"{rate:,}" for rate in MEMORY_RATES) + " orders a second", "MiB", self.memory)
        print(f"\nscale.csv and pictures are in {folder}")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="affix-scale-") as name:
        scale = Scale(options, Path(name))
        scale.run()
    return 0 if scale.sound else 1


if __name__ == "__main__":
    sys.exit(main())
