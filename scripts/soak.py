#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many sessions for a long time: trading under storms of reconnects, fair service, hostile peers; judged at the end.

Usage: soak.py BIN_DIRECTORY [SECONDS] [--sessions N] [--workers N] [--rate R] [--storm R] [--counts-only] [--json FILE]

A server of ours with N sessions on several workers is loaded by `affix-lab bench load`. So much of SECONDS (600) goes to
each part: eight tenths to paced trading while connections are dropped at random, one tenth to a flood in which every
session sends as much as is answered, and after these 1.5 tenths to a smaller paced load without and with hostile
peers, a second each in turns, one kind at a time.
Conditions of success:

  every order is answered once, in every part;
  the server's own memory (resident, no file's) stays within 64 KiB a session over that of a server with one
  session, and does not grow by more than 5 % once half of the storm is over;
  in the flood the slowest session has at least 0.8 of the mean's answers;
  the others' p99 beside hostile peers is at most twice that of the calm second before, at the median of these
  pairs, and the server lives.

--counts-only judges what depends neither on the machine's other work nor on many sessions: answers, that memory is
flat, that the server lives.
"""

import argparse
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

START_TIMEOUT = 600
KIB = 1024
MIB = 1024 * KIB
HOSTILE_KINDS = (("frozen", 4), ("dribble", 4), ("garbage", 20), ("half-logons", 100), ("connections", 500))
HOSTILE_LOAD_SESSIONS = 50
HOSTILE_PAIRS = 9
# A journal keeps so much of a session, so that hours of trading end on no full disk.
JOURNAL_KEEP_BYTES = 2 * KIB * KIB


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=Path)
    parser.add_argument("seconds", type=float, nargs="?", default=600)
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rate", type=float, default=10_000, help="orders a second in the storm")
    parser.add_argument("--storm", type=float, default=50, help="connections dropped a second")
    parser.add_argument("--counts-only", action="store_true")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


class Server:
    def __init__(self, options, sessions, directory):
        self.log = open(directory / "server.log", "a+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(
            [str(options.binaries / "affix-lab"), "bench", "server", "--sessions", str(sessions), "--workers",
             str(options.workers), "--journal-keep-bytes", str(JOURNAL_KEEP_BYTES), "--log-level", "ERROR"],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env={**os.environ, "TMPDIR": str(directory)})
        ready, _, _ = select.select([self.process.stdout], [], [], START_TIMEOUT)
        line = self.process.stdout.readline() if ready else ""
        found = re.fullmatch(r"listening on (\S+:\d+)\n", line)
        if not found:
            self.end()
            raise SystemExit(f"soak: the server did not start; {self.last_words()}")
        self.target = found.group(1)

    def own_memory(self):
        """Resident bytes of no file."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^RssAnon:\s+(\d+) kB", text, re.MULTILINE).group(1)) * KIB

    def lives(self):
        return self.process.poll() is None

    def last_words(self):
        self.log.seek(0)
        return "".join(self.log.readlines()[-5:])

    def end(self):
        if self.lives():
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        return self.process.returncode


class Soak:
    def __init__(self, options, directory):
        self.options, self.directory, self.rows, self.faults = options, directory, [], []
        hostile = sum(count for kind, count in HOSTILE_KINDS if kind in ("frozen", "dribble"))
        self.sessions = options.sessions + hostile
        self.one_session_bytes = self.memory_of_one()
        self.server = Server(options, self.sessions, directory)

    def memory_of_one(self):
        """Memory of a server apart from its sessions: program, dictionary, buffers that all share."""
        server = Server(self.options, 1, self.directory)
        memory = server.own_memory()
        server.end()
        return memory

    def require(self, holds, text, unless_counting=False):
        """`unless_counting`: --counts-only notes it and goes on."""
        judged = not (unless_counting and self.options.counts_only)
        print(f"  {'ok  ' if holds else 'FAIL' if judged else 'note'} {text}", flush=True)
        if not holds and judged:
            self.faults.append(text)

    def load(self, name, *arguments):
        """The rows of one run by benchmark; empty when it did not end in order."""
        print(f"\n{name}", flush=True)
        file = self.directory / "rows.json"
        file.unlink(missing_ok=True)
        done = subprocess.run([str(self.options.binaries / "affix-lab"), "bench", "load", "--target", self.server.target,
                               "--server-pid", str(self.server.process.pid), "--json", str(file), "--contender",
                               name, "--answer-timeout", "30", "--logon-timeout", "120", *map(str, arguments)],
                              capture_output=True, text=True)
        print("\n".join("  " + line for line in (done.stdout + done.stderr).splitlines()))
        rows = json.loads(file.read_text()) if file.exists() else []
        self.rows += rows
        self.require(done.returncode == 0, "every order is answered once, and nothing else is out of order")
        self.require(self.server.lives(), "the server lives")
        return {row["benchmark"]: row for row in rows}

    def storm(self, seconds):
        options, memory, kept = self.options, [], []
        for half in (1, 2):
            rows = self.load(f"storm, half {half}", "--sessions", options.sessions, "--seconds", seconds / 2, "--rate",
                             options.rate, "--reconnect-storm", options.storm, "--window", 256, "--seed", half)
            memory.append(rows.get("server_memory", {"max": 0})["max"])
            kept.append(rows.get("server_memory_after", {"max": 0})["max"])
            if half == 1 and "dropped" in rows:
                self.require(rows["dropped"]["max"] > 0, "connections were dropped")
        per_session = (max(memory) - self.one_session_bytes) / self.sessions
        # With few sessions what all share, which grows with the first of them, would be laid to each.
        self.require(per_session <= 64 * KIB, f"{per_session / KIB:.1f} KiB of memory a session, at most 64",
                     unless_counting=True)
        # Memory follows the sessions at work, so what is kept when they rest tells whether it is flat. Of a small server
        # a few sessions' worth, which may be at work at that moment, is more than 5 %.
        growth = kept[1] - kept[0]
        self.require(growth <= max(0.05 * kept[0], MIB),
                     f"memory kept grew by {growth / KIB:.0f} KiB in the second half, at most 5 % or 1 MiB")

    def flood(self, seconds):
        rows = self.load("flood", "--sessions", self.options.sessions, "--seconds", seconds, "--window", 16,
                         "--per-write", 4)
        fairness = rows.get("fairness", {"median": 0})["median"]
        self.require(fairness >= 0.8, f"the slowest session has {fairness:.3f} of the mean, at least 0.8",
                     unless_counting=True)

    def hostile(self, seconds):
        sessions = min(HOSTILE_LOAD_SESSIONS, self.options.sessions)
        seconds /= len(HOSTILE_KINDS)
        pairs = max(1, min(HOSTILE_PAIRS, round(seconds / 2)))
        for kind, count in HOSTILE_KINDS:
            rows = self.load(f"beside {count} hostile peers: {kind}", "--sessions", sessions, "--rate", 2000,
                             "--rounds", pairs, "--seconds", seconds / pairs / 2, "--spin", f"--{kind}", count)
            if "others_p99" in rows:
                ratio = rows["others_p99"]
                self.require(ratio["median"] <= 2, f"the others' p99 is {ratio['median']:.2f} times that of the calm "
                             f"round before ({pairs} pairs, {ratio['min']:.2f} to {ratio['max']:.2f}), at most 2",
                             unless_counting=True)

    def run(self):
        options = self.options
        print(f"{self.sessions} sessions on {options.workers} workers, {options.seconds:.0f} seconds; without sessions "
              f"the server has {self.one_session_bytes / KIB / KIB:.1f} MiB")
        try:
            self.storm(0.8 * options.seconds)
            self.flood(0.1 * options.seconds)
            self.hostile(0.15 * options.seconds)
        finally:
            code = self.server.end()
        self.require(code == 0, "the server ended in order")
        if options.json:
            options.json.write_text(json.dumps(self.rows, indent=1) + "\n")
        words = self.server.last_words()
        if words:
            print(f"\nthe server's last words:\n{words}")
        print(f"\n{len(self.faults)} faults" + "".join(f"\n  {fault}" for fault in self.faults))
        return 1 if self.faults else 0


def main():
    # A run that is ended early leaves no server that is stopped and holds its port.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="affix-soak-") as directory:
        return Soak(options, Path(directory)).run()


if __name__ == "__main__":
    sys.exit(main())
