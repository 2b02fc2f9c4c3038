#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`./dev soak` in its shortest form: many sessions, a storm, a flood, every kind of hostile peer. Counts, no times."""

import subprocess
import sys
import unittest
from pathlib import Path

AFFIX = Path(sys.argv.pop(1))
ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 170


class Soak(unittest.TestCase):
    def test_nothing_is_lost(self):
        done = subprocess.run([sys.executable, ROOT / "scripts" / "soak.py", AFFIX.parent, "8", "--sessions", "100",
                               "--rate", "2000", "--storm", "40", "--counts-only"], capture_output=True, text=True,
                              timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("\n0 faults", done.stdout)
        self.assertEqual(done.stdout.count("ok   every order is answered once"), 8, done.stdout)


if __name__ == "__main__":
    unittest.main()
