#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`./dev compare replicate` in its shortest form: every contender does the work, every row is there, and goals are judged by
what was measured. No times."""

import csv
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import judged_goals

AFFIX = Path(sys.argv.pop(1))
ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 300


@unittest.skipUnless((AFFIX.parent / "affix_bench_replicate").exists(), "affix_bench_replicate was not built")
class CompareReplicate(judged_goals.JudgedGoals):
    def replicate(self, *arguments):
        """Rows by benchmark and contender, goals by row, and the output of a short `./dev compare replicate`."""
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            file = Path(directory) / "rows.json"
            done = subprocess.run([sys.executable, ROOT / "scripts" / "compare_replicate.py", AFFIX.parent, "--rounds", "1",
                                   "--json", file, "--output", directory, *arguments], capture_output=True, text=True,
                                  timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            rows = {(row["benchmark"], row["contender"]): row for row in json.loads(file.read_text())}
            with open(Path(directory) / "goals.csv", encoding="utf-8", newline="") as text:
                return rows, {row["row"]: row for row in csv.DictReader(text)}, done.stdout

    def test_replication(self):
        rows, judged, _ = self.replicate("--seconds", "0.1", "--only", "one_at_a_time_sleep")
        for name in ("raw_stored", "raw_replicated", "affix_alone", "affix_async", "affix_before_send", "affix_before_deliver"):
            self.assertGreater(rows["replicate/one_at_a_time_sleep/service", name]["n"], 0)
            has_replica = ("replicate/one_at_a_time_sleep/standby_cpu", name) in rows
            self.assertEqual(has_replica, name not in ("raw_stored", "affix_alone"), name)
        self.assertEqual(("replicate/one_at_a_time_sleep/service", "nats_r3") in rows, shutil.which("nats-server") is not None)
        self.assertEqual(judged["10,000/s: p99 with the standby dead"]["holds"], "not measured")

    def test_a_standby_that_is_killed(self):
        rows, judged, _ = self.replicate("--seconds", "0.5", "--only", "outage_1000", "--contender", "affix_before_send")
        for name in ("standby_alive", "standby_killed", "standby_dead"):
            # Each order was answered.
            self.assertEqual(rows["replicate/outage_1000/response", name]["n"], 500)
        self.assert_judged_by_what_was_measured(judged["1,000/s: p99 with the standby dead"])
        self.assert_judged_by_what_was_measured(judged["1,000/s: longest wait when the standby is killed"])


if __name__ == "__main__":
    unittest.main()
