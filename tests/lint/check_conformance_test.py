# SPDX-License-Identifier: MIT
"""check_conformance.py against small wrong manifests: each must fail, with the place and the reason."""

import unittest

import tree_fixture

HEAD = "| scenario | the engine is | what it does | shown by |\n|---|---|---|---|\n"


class CheckConformance(tree_fixture.TreeTest):
    script = "check_conformance.py"

    def setUp(self):
        super().setUp()
        self.write("scenarios/session/a.scenario", "scenario 1 a: connects\nrole acceptor\nconnect\n")
        self.write("tests/unit/x/y_test.cpp", "TEST(Suite, Case) {}\n")
        self.manifest("| 1 a | acceptor | connects | script |\n")

    def manifest(self, rows):
        self.write("tests/conformance/MANIFEST.md", HEAD + rows)

    def test_a_right_manifest_passes(self):
        self.manifest("| 1 a | acceptor | connects | script |\n| X | both | more | Suite.Case, Suite |\n")
        code, output = self.check()
        self.assertEqual(code, 0, output)
        self.assertIn("0 faults", output)

    def test_a_row_needs_a_scenario(self):
        self.manifest("| 1 a | acceptor | connects | script |\n| 2 b | both | waits | script |\n")
        self.expect_fault("MANIFEST.md:4: no scenario has the number 2 b")

    def test_a_row_needs_a_test_that_is_there(self):
        self.manifest("| 1 a | acceptor | connects | script |\n| X | both | more | Suite.Gone |\n")
        self.expect_fault("there is no test case Suite.Gone")

    def test_a_scenario_needs_a_row(self):
        self.write("scenarios/session/b.scenario", "scenario 9: alone\nconnect\n")
        self.expect_fault("b.scenario:1: scenario 9 has no row")

    def test_every_role_of_a_row_is_played(self):
        self.manifest("| 1 a | both | connects | script |\n")
        self.expect_fault("1 a is not played with the engine as initiator")

    def test_a_number_has_one_row(self):
        self.manifest("| 1 a | acceptor | connects | script |\n" * 2)
        self.expect_fault("1 a has a row already")

    def test_a_line_that_is_not_a_row_is_reported(self):
        self.manifest("| 1 a | acceptor | connects | script |\n| broken |\n")
        self.expect_fault("no row of the form")


if __name__ == "__main__":
    unittest.main()
