#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recorded session becomes a scenario that a fresh exchange passes, and fails when one field of an answer is changed.

Usage: record_test.py AFFIX_LAB [CONFORMANCE_ECHO]
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAB = sys.argv[1]
del sys.argv[1:]
TRADERS = ("ALPHA", "BETA")


def session(name, sender, target, folder, instance):
    return (f"[{name}]\ntype=session\ninstance={instance}\nbegin_string=FIX.4.4\nsender_comp_id={sender}\n"
            f"target_comp_id={target}\njournal_path={folder}\n"
            f"dictionary={ROOT}/dictionaries/FIX44.xml\n")


class Exchange:
    def __init__(self, folder, *arguments):
        folder.mkdir()
        text = "[EXCHANGE]\nnic_address=127.0.0.1\naccept_port=0\n"
        text += "".join(session(name, "EXCHANGE", name, folder / "journal", "EXCHANGE") for name in TRADERS)
        (folder / "exchange.ini").write_text(text)
        self.process = subprocess.Popen([LAB, "exchange", folder / "exchange.ini", *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.address = next(match[0] for line in self.process.stdout
                            if (match := re.search(r"127\.0\.0\.1:\d+", line)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=60)


class Record(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def certify(self, scenario, folder, *arguments):
        with Exchange(self.folder / folder, *arguments) as exchange:
            return subprocess.run([LAB, "certify", "run", scenario, "--address", exchange.address, "--begin-string",
                                   "FIX.4.4", "--sender", self.first, "--target", "EXCHANGE"],
                                  capture_output=True, text=True, timeout=300)

    def record(self):
        with Exchange(self.folder / "live") as exchange:
            port = exchange.address.split(":")[1]
            text = f"[TRADERS]\nprimary_address=127.0.0.1\nprimary_port={port}\n"
            text += "".join(session(name, name, "EXCHANGE", self.folder / "traders", "TRADERS") for name in TRADERS)
            (self.folder / "traders.ini").write_text(text)
            traded = subprocess.run([LAB, "trade", self.folder / "traders.ini", "--count", "200", "--rate", "200",
                                     "--symbol", "ACME", "--seed", "7"], capture_output=True, text=True, timeout=300)
            self.assertEqual(traded.returncode, 0, traded.stdout + traded.stderr)
        scenario = self.folder / "recorded.scenario"
        made = subprocess.run([LAB, "certify", "record", self.folder / "live/journal", "--out", scenario],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.first = re.search(r"--sender (\w+)", scenario.read_text())[1]
        return scenario

    def test_a_recorded_session_is_played_against_a_fresh_exchange(self):
        scenario = self.record()
        text = scenario.read_text()
        self.assertGreater(text.count("< ExecutionReport"), 100)
        for variable in ("<now>", "<time>", "<fresh>", "<keep OrderID_1>", "$Price_1"):
            self.assertIn(variable, text)
        fresh = self.certify(scenario, "fresh")
        self.assertEqual(fresh.returncode, 0, fresh.stdout[:4000])
        # One field of one answer.
        (self.folder / "faults").write_text("out 8 150=F first 1 change 151=7777\n")
        changed = self.certify(scenario, "changed", "--faults", str(self.folder / "faults"))
        self.assertEqual(changed.returncode, 1, changed.stdout[:4000])
        self.assertIn("LeavesQty (151): expected", changed.stdout)
        # The same of the scenario.
        at = re.search(r"OrdStatus=2", text).start()
        scenario.write_text(text[:at] + "OrdStatus=1" + text[at + len("OrdStatus=2"):])
        edited = self.certify(scenario, "edited")
        self.assertEqual(edited.returncode, 1)
        self.assertIn("OrdStatus (39): expected PartiallyFilled (1), got Filled (2)", edited.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
