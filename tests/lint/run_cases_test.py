#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of tests/run_cases.py and scripts/ctest_totals.py, with a program that prints what GoogleTest prints."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Behaves as GoogleTest does; the last part of a case's name says what happens in it.
PROGRAM = '''#!{python}
import os, signal, sys, time
filters = [word.partition("=")[2] for word in sys.argv if word.startswith("--gtest_filter=")]
names = {names!r}
if "--gtest_list_tests" in sys.argv:
    suite = ""
    for name in names:
        if name.split(".")[0] != suite:
            suite = name.split(".")[0]
            print(suite + ".")
        print("  " + name.split(".")[1])
    sys.exit(0)
def say(text, end="\\n"):
    print(text, end=end, flush=True)
code = 0
leaks = False
say("[==========] Running")
for name in names:
    if name not in filters[0].split(":") or "DISABLED_" in name:
        continue
    say("[ RUN      ] " + name)
    what = name.split(".")[1]
    if what == "Aborts":
        say("about to end")
        os.kill(os.getpid(), signal.SIGABRT)
    if what == "Exits":
        sys.exit(0)
    if what == "Hangs":
        if os.fork() == 0:
            time.sleep(600)
        time.sleep(600)
    if what == "Chatters":
        while True:
            say("text")
    if what == "Together" and len(filters[0].split(":")) > 1:
        code = 1
        say("[  FAILED  ] " + name + " (1 ms)")
    elif what == "Fails":
        code = 1
        say("[  FAILED  ] " + name + ", where GetParam() = 1 (1 ms)")
    elif what == "Skips":
        say("x_test.cpp:1: Skipped\\nno such thing here\\n")
        say("[  SKIPPED ] " + name + " (1 ms)")
    elif what == "Leaves":
        say("half a line", end="")
        say("[       OK ] " + name + " (1 ms)")
    else:
        leaks = leaks or what == "Leaks"
        say("[       OK ] " + name + " (1 ms)")
say("[==========] ran")
sys.exit(23 if leaks else code)
'''


class RunCases(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.results = self.folder / "results" / "unit_x.xml"

    def run_cases(self, names, *options):
        """The exit code, and each case's status and output."""
        program = self.folder / "unit_x"
        program.write_text(PROGRAM.format(python=sys.executable, names=names))
        program.chmod(0o755)
        ran = subprocess.run([sys.executable, ROOT / "tests/run_cases.py", "--results", self.results, "--prefix", "unit_x.",
                              *options, program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        self.printed = ran.stdout
        if not self.results.exists():
            return ran.returncode, {}
        cases = ElementTree.parse(self.results).getroot()
        return ran.returncode, {case.get("name").removeprefix("unit_x."):
                                (case.get("status"), case.findtext("system-out") or "") for case in cases}

    def test_reports_each_case(self):
        code, cases = self.run_cases(["A.Passes", "A.Fails", "A.Skips", "A.Leaves", "A.DISABLED_y", "B.Passes"])
        self.assertEqual(code, 1)
        self.assertEqual({name: status for name, (status, _) in cases.items()},
                         {"A.Passes": "run", "A.Fails": "fail", "A.Skips": "notrun", "A.Leaves": "run",
                          "A.DISABLED_y": "disabled", "B.Passes": "run"})
        self.assertIn("no such thing here", cases["A.Skips"][1])

    def test_all_passed(self):
        code, cases = self.run_cases(["A.Passes", "B.Passes"])
        self.assertEqual((code, len(cases)), (0, 2))

    def test_a_case_that_ends_the_process_fails_and_the_others_run(self):
        for what, reason in (("Aborts", "SIGABRT"), ("Exits", "exit code 0")):
            code, cases = self.run_cases(["A.First", "A." + what, "A.Last"])
            self.assertEqual(code, 1)
            self.assertEqual([status for status, _ in cases.values()], ["run", "fail", "run"])
            self.assertIn(reason, cases["A." + what][1])

    def test_a_case_without_an_end_fails_and_the_others_run(self):
        for what in ("Hangs", "Chatters"):
            code, cases = self.run_cases(["A.First", "A." + what, "A.Last"], "--case-seconds", "2.5")
            self.assertEqual(code, 1)
            self.assertEqual([status for status, _ in cases.values()], ["run", "fail", "run"])
            self.assertIn("did not end within 2.5 s", cases["A." + what][1])

    def test_a_process_that_fails_at_its_end_is_traced_to_its_case(self):
        code, cases = self.run_cases(["A.First", "A.Leaks", "A.Last"])
        self.assertEqual(code, 1)
        self.assertEqual([status for status, _ in cases.values()], ["run", "fail", "run"])
        self.assertIn("exit code 23", cases["A.Leaks"][1])

    def test_alone_has_a_process_of_its_own(self):
        self.assertEqual(self.run_cases(["A.First", "A.Together", "A.Last"])[0], 1)
        code, cases = self.run_cases(["A.First", "A.Together", "A.Last"], "--alone", "*Together*")
        self.assertEqual((code, len(cases)), (0, 3))

    def test_shards_are_all_cases_once(self):
        names = [f"A.Case{number}" for number in range(7)]
        found = []
        for shard in ("1/3", "2/3", "3/3"):
            code, cases = self.run_cases(names, "--shard", shard)
            self.assertEqual(code, 0)
            found += cases
        self.assertEqual(sorted(found), names)

    def test_left_out_cases_do_not_run(self):
        code, cases = self.run_cases(["A.Passes", "A.Fails"], "--without", "*Fail*")
        self.assertEqual((code, list(cases)), (0, ["A.Passes"]))

    def test_a_program_without_cases_fails(self):
        self.assertNotEqual(self.run_cases([])[0], 0)

    def totals(self, *tests):
        report = self.folder / "report.xml"
        report.write_text("<testsuite>" + "".join(
            f'<testcase name="{name}" status="{status}">{more}</testcase>' for name, status, more in tests) + "</testsuite>")
        return subprocess.run([sys.executable, ROOT / "scripts/ctest_totals.py", "--cases", self.results.parent, report],
                              stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()

    def test_totals_count_cases(self):
        self.run_cases(["A.Passes", "A.Fails", "A.Skips", "B.Passes"])
        lines = self.totals(("unit_x", "fail", ""), ("fuzz.x", "run", ""))
        self.assertEqual(lines, ["3 1 1", "skipped: unit_x.A.Skips  no such thing here", "failed:  unit_x.A.Fails"])

    def test_totals_trust_no_old_report(self):
        self.run_cases(["A.Passes"])
        self.assertEqual(self.totals(("unit_x", "notrun", '<skipped message="SKIP_RETURN_CODE=77"/>')),
                         ["0 0 1", "skipped: unit_x"])
        self.assertEqual(self.totals(("unit_x", "notrun", '<skipped message="Unable to find executable"/>'))[0], "0 1 0")

    def test_totals_believe_ctest_that_a_test_failed(self):
        self.run_cases(["A.Passes"])
        self.assertEqual(self.totals(("unit_x", "fail", "")), ["1 1 0", "failed:  unit_x"])


if __name__ == "__main__":
    unittest.main()
