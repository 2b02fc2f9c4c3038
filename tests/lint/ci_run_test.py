#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of .ci/run: how it sums up `./dev test` and `./dev check`, which a script stands for here."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# dev COMMAND: does what the file COMMAND.does says.
DEV = """#!/bin/bash
mkdir -p build/logs
echo "dev $1" >>calls
if [[ -f $1.does ]]; then source "$1.does"; fi
"""


def outcome(totals, remark=""):
    """Output and record of ./dev at its end."""
    passed, failed, skipped = totals
    return (f"printf '%s\\n' '{passed} {failed} {skipped}' '{remark}' >build/logs/$1.totals\n"
            f"echo '{passed} passed, {failed} failed, {skipped} skipped'\nexit {1 if failed else 0}\n")


class CiRun(unittest.TestCase):
    def run_ci(self, test, check):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / ".ci").mkdir()
            shutil.copy(ROOT / ".ci/run", root / ".ci/run")
            (root / "dev").write_text(DEV)
            (root / "dev").chmod(0o755)
            (root / "test.does").write_text(test)
            (root / "check.does").write_text(check)
            ran = subprocess.run([root / ".ci/run"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
            self.calls = (root / "calls").read_text().split("\n")
            return ran.returncode, ran.stdout.splitlines()

    def sums(self, lines):
        return [line for line in lines if re.fullmatch(r"\d+ passed, \d+ failed, \d+ skipped", line)]

    def test_both_pass(self):
        code, lines = self.run_ci(outcome((10, 0, 1), "skipped: x  no y"), outcome((5, 0, 2)))
        self.assertEqual(code, 0)
        self.assertEqual(self.sums(lines), ["15 passed, 0 failed, 3 skipped"])
        self.assertEqual(lines[-1], "15 passed, 0 failed, 3 skipped")
        self.assertEqual(lines[-2], "skipped: x  no y")
        self.assertEqual(self.calls[:2], ["dev test", "dev check"])

    def test_a_failure_in_either_fails(self):
        for test, check in (((9, 1, 0), (5, 0, 0)), ((9, 0, 0), (5, 1, 0))):
            code, lines = self.run_ci(outcome(test), outcome(check))
            self.assertEqual((code, lines[-1]), (1, "14 passed, 1 failed, 0 skipped"))

    def test_a_command_that_stops_early_counts_as_a_failure(self):
        code, lines = self.run_ci("exit 1\n", outcome((5, 0, 0)))
        self.assertEqual((code, lines[-1]), (1, "5 passed, 1 failed, 0 skipped"))
        self.assertIn("failed:  ./dev test ended with 1 before it could sum up", lines)
        code, lines = self.run_ci(outcome((5, 0, 0)), "exit 0\n")
        self.assertEqual((code, lines[-1]), (1, "5 passed, 1 failed, 0 skipped"))


if __name__ == "__main__":
    unittest.main()
