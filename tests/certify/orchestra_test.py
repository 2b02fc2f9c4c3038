#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scenarios made of a FIX Orchestra file: the exchange that it describes passes, and one that breaks a rule of it fails.

Usage: orchestra_test.py AFFIX_LAB [CONFORMANCE_ECHO]
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from lab_exchange import Exchange

LAB = sys.argv[1]
del sys.argv[1:]
FILE = Path(__file__).resolve().parent / "orchestra.xml"
OPEN = ("--state", "$Market.Phase=Open", "--state", "Market.Match=")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=300)


class Orchestra(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def make(self, *arguments, text=None):
        """Path and text of the scenarios."""
        source = FILE
        if text is not None:
            source = self.folder / "changed.xml"
            source.write_text(text)
        out = self.folder / "made.scenario"
        made = run(LAB, "certify", "orchestra", source, "--out", out, *arguments)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.unmade = made.stderr
        return out, out.read_text()

    def certify(self, scenarios, faults=""):
        folder = self.folder / "exchange"
        folder.mkdir(exist_ok=True)
        arguments = ()
        if faults:
            (folder / "faults").write_text(faults + "\n")
            arguments = ("--faults", folder / "faults")
        with Exchange(LAB, folder, ["MEMBER"], *arguments) as exchange:
            return run(LAB, "certify", "run", scenarios, "--address", exchange.address, "--sender", "MEMBER", "--target",
                       "EXCHANGE")

    def test_the_exchange_passes(self):
        scenarios, text = self.make(*OPEN)
        self.assertEqual(re.findall("^scenario ([^:]+):", text, re.MULTILINE),
                         ["NewOrderSingle-accepted", "NewOrderSingle-noQuantity", "NewOrderSingle-noPrice",
                          "OrderCancelRequest-canceled", "OrderCancelRequest-refused"])
        # Of values that the conditions name, and of presence by a rule that another answer breaks.
        self.assertRegex(text, "noQuantity: .*\n(.*\n)*> NewOrderSingle .* OrderQty=0 ")
        self.assertRegex(text, r"noPrice: .*\n(.*\n)*> NewOrderSingle [^\n]*OrdType=2\n")
        # Of codes, constants, assignments, presence, and a condition of the answer's scenario.
        for piece in ("ExecType=0", "OrdStatus=0", "OrdStatus=8", "LeavesQty=0", "ClOrdID=$ClOrdID_1", "!OrdRejReason",
                      "CxlRejResponseTo=1", "OrderID=<keep OrderID>", "TransactTime=<time>", "OrigClOrdID=$ClOrdID_1"):
            self.assertIn(piece, text)
        for name in ("halted", "traded", "counted"):
            self.assertIn(f"not made: NewOrderSingle, response {name}", self.unmade)
        played = self.certify(scenarios)
        self.assertEqual(played.returncode, 0, played.stdout)
        self.assertIn("5 passed, 0 failed, 0 skipped", played.stdout)

    def test_a_state_that_is_not_known_makes_no_answer(self):
        _, text = self.make()
        self.assertNotIn("-halted", text)
        self.assertIn("its condition needs $Market.Phase, which only the engine knows", self.unmade)
        # The answer may come all the same.
        self.assertIn("rest\n", text)
        _, text = self.make("--state", "Market.Phase=Halted")
        self.assertIn("scenario NewOrderSingle-halted", text)

    def test_each_broken_rule_is_caught(self):
        scenarios, _ = self.make(*OPEN)
        for fault, scenario, words in (
                ("out 8 150=0 change 151=1", "NewOrderSingle-accepted", "LeavesQty (151): expected"),
                ("out 8 150=8 remove 58", "NewOrderSingle-noQuantity", "Text (58): expected any value"),
                ("in D every 1 reject", "NewOrderSingle-accepted", "ExecType (150): expected New (0), got Rejected (8)"),
                ("out 8 150=4 change 41=OTHER", "OrderCancelRequest-canceled", "OrigClOrdID (41): expected"),
                ("in F ignore", "OrderCancelRequest-refused", "nothing came"),
        ):
            with self.subTest(fault):
                played = self.certify(scenarios, fault)
                self.assertEqual(played.returncode, 1, played.stdout)
                self.assertRegex(played.stdout, f"scenario {scenario} ")
                self.assertIn(words, played.stdout)

    def test_a_changed_file_fails(self):
        text = FILE.read_text()
        scenarios, _ = self.make(*OPEN, text=text.replace("ExecType == ^Canceled", "ExecType == ^New"))
        played = self.certify(scenarios)
        self.assertEqual(played.returncode, 1, played.stdout)
        self.assertIn("ExecType (150): expected New (0), got Canceled (4)", played.stdout)

    def test_what_cannot_be_read_is_refused_with_its_line(self):
        text = FILE.read_text()
        for before, after, words in (
                ("OrderQty &lt;= 0", "OrderQty &lt;= ", r"changed\.xml:\d+: response noQuantity of NewOrderSingle: a value is wanted"),
                ('scenario="canceled" id="9"', 'scenario="cancelled" id="9"', r"changed\.xml:\d+: .*'cancelled'.*is not defined"),
                ("<fixr:repository", "<fixr:other", r"changed\.xml"),
        ):
            with self.subTest(before):
                self.assertIn(before, text)
                (self.folder / "changed.xml").write_text(text.replace(before, after))
                made = run(LAB, "certify", "orchestra", self.folder / "changed.xml")
                self.assertEqual(made.returncode, 2, made.stdout)
                self.assertRegex(made.stderr, words)
        plain = run(LAB, "certify", "orchestra", FILE.parents[2] / "dictionaries/FIX44.xml")
        self.assertEqual(plain.returncode, 2)
        self.assertIn("only FIX Orchestra has workflow", plain.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
