#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`./dev compare system` in its shortest form: every contender does the work, and the rows are there. No times."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

AFFIX = Path(sys.argv.pop(1))
ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 150


class Compare(unittest.TestCase):
    def compare(self, *arguments):
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            file = Path(directory) / "rows.json"
            done = subprocess.run([sys.executable, ROOT / "scripts" / "compare_system.py", AFFIX.parent,
                                   ROOT / "dictionaries", "--rounds", "2", "--seconds", "0.05", "--json", file,
                                   *arguments], capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return done.stdout, json.loads(file.read_text())

    def test_round_trips(self):
        output, rows = self.compare("--only", "round_trip_block")
        self.assertIn("round_trip_block: one order at a time", output)
        names = [row["contender"] for row in rows]
        self.assertEqual(names[:2], ["raw_block", "affix_block"])
        if (AFFIX.parent / "affix_quickfix_acceptor").exists():
            self.assertIn("quickfix_file", names)
        for row in rows:
            self.assertEqual(row["benchmark"], "round_trip_block/service")
            self.assertGreater(row["n"], 0)
            self.assertLessEqual(row["min"], row["median"])
            self.assertLessEqual(row["median"], row["max"])
        self.assertIsNone(rows[0]["ratio_to_floor"])
        self.assertGreater(rows[1]["ratio_to_floor"], 0)

    def test_a_server_under_load_of_one_contender(self):
        _, rows = self.compare("--only", "server_8x10", "--contender", "affix_block")
        by_name = {(row["benchmark"], row["contender"]): row for row in rows}
        for figure in ("server_cpu", "server_cpu_messages", "rate"):
            self.assertIn((f"server_8x100/{figure}", "affix_block"), by_name)
        self.assertNotIn(("server_8x10/rate", "quickfix_file"), by_name)
        ours = by_name["server_8x10/server_cpu", "affix_block"]
        self.assertLessEqual(by_name["server_8x10/server_cpu_messages", "affix_block"]["median"], ours["median"])


if __name__ == "__main__":
    unittest.main()
