#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix doctor`: exit codes, text and JSON, of a machine that is files in a folder and of this one. What it finds is
tested beside its checks (unit_tools)."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

import program_fixture

AFFIX = Path(sys.argv.pop(1)).resolve()
CONFIGURATION = "[S]\naccept_port=0\nwait_mode=SPIN\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n" \
                "durability=sync\njournal_path={}\n"
REPORTING = "/sys/module/page_reporting/parameters/page_reporting_order"


class Doctor(program_fixture.ProgramTest):
    def setUp(self):
        super().setUp()
        self.root = self.folder / "root"
        self.root.mkdir()

    def set(self, path, text):
        file = Path(f"{self.root}{path}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="ascii")

    def configuration(self):
        return self.write("main.ini", CONFIGURATION.format(self.folder / "journals"))

    def doctor(self, *words, folder=None):
        done = subprocess.run([AFFIX, "doctor", *words], capture_output=True, text=True, timeout=120, check=False,
                              cwd=folder or self.folder)
        return done.returncode, done.stdout, done.stderr

    def test_of_a_machine_of_which_nothing_is_known_nothing_costs(self):
        status, output, errors = self.doctor("--root", str(self.root))
        self.assertEqual((status, errors), (0, ""), output)
        self.assertNotRegex(output, r"(?m)^measured ")
        self.assertRegex(output, r"unknown +journal-disk ")
        self.assertTrue(output.endswith("nothing to do\n"), output)

    def test_a_cost_is_the_exit_code(self):
        self.set(REPORTING, "9\n")
        status, output, _ = self.doctor("--root", str(self.root))
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"costs +page-reporting +free pages are given back to the host")
        self.assertIn(f"do: echo 11 > {REPORTING}", output)
        self.assertTrue(output.endswith("1 thing costs tail or throughput\n"), output)
        status, output, _ = self.doctor("--root", str(self.root), "--json")
        self.assertEqual(status, 1)
        report = json.loads(output)
        self.assertEqual(report["measured"], {})
        self.assertEqual([one["name"] for one in report["findings"] if one["verdict"] == "costs"], ["page-reporting"])

    def test_a_configuration_is_looked_at_too(self):
        for words in ((self.configuration(),), ("--config", self.configuration())):
            status, output, _ = self.doctor("--root", str(self.root), "--json", *words)
            self.assertEqual(status, 1)
            costs = [one["name"] for one in json.loads(output)["findings"] if one["verdict"] == "costs"]
            self.assertEqual(costs, ["durability", "pinning"])

    def test_wrong_options_have_an_error_text(self):
        for words, said in ((("--root", str(self.folder / "none")), "none: is not a directory"),
                            ((str(self.folder / "none.ini"),), "none.ini"),
                            (("--nothing",), "doctor")):
            with self.subTest(words=words):
                status, output, errors = self.doctor(*words)
                self.assertEqual((status, output), (2, ""), errors)
                self.assertIn(said, errors)

    def test_this_machine_is_measured_and_nothing_is_left(self):
        status, output, errors = self.doctor("--json", self.configuration())
        self.assertIn(status, (0, 1), errors)
        report = json.loads(output)
        measured = report["measured"]
        self.assertGreater(measured["clock_read_ns"], 0)
        self.assertGreater(measured["spinning"]["largest_gap_ns"], 0)
        for name in ("wake_up", "flush"):
            self.assertLessEqual(measured[name]["median_ns"], measured[name]["largest_ns"])
        self.assertLessEqual(measured["new_page"]["in_large_pieces_ns"], measured["new_page"]["largest_piece_ns"])
        self.assertEqual(status == 1, any(one["verdict"] == "costs" for one in report["findings"]))
        for one in report["findings"]:
            self.assertEqual(set(one), {"name", "verdict", "found", "cost", "advice"})
            self.assertEqual(one["verdict"] == "costs", one["cost"] != "", one)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["main.ini", "root"])

    def test_where_nothing_can_be_written_no_disk_is_measured(self):
        # The kernel makes no file there, for any user.
        status, output, errors = self.doctor("--json", folder="/proc")
        self.assertIn(status, (0, 1), errors)
        report = json.loads(output)
        self.assertIn("wake_up", report["measured"])
        self.assertNotIn("new_page", report["measured"])
        self.assertNotIn("flush", report["measured"])
        self.assertIn(("flush", "unknown"), [(one["name"], one["verdict"]) for one in report["findings"]])


if __name__ == "__main__":
    unittest.main()
