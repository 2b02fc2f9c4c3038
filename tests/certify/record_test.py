#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recorded session becomes a scenario that a fresh exchange passes, and fails when one field of an answer is changed.

The record is the exchange's journals, a text log, a capture made by a relay, or one by a sniffer, where that is allowed.

Usage: record_test.py AFFIX_LAB [CONFORMANCE_ECHO]
"""

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import capturing_relay
from lab_exchange import Exchange, session

LAB = sys.argv[1]
AFFIX = Path(LAB).with_name("affix")
del sys.argv[1:]
TRADERS = ("ALPHA", "BETA")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=300)


class Sniffer:
    """dumpcap on the loopback interface. Skips the test where that is not installed or allowed."""

    def __init__(self, test, path, port):
        if not shutil.which("dumpcap"):
            test.skipTest("dumpcap (Debian: wireshark-common) is not installed")
        self.path = path
        self.data = b""
        self.changed = threading.Condition()
        self.process = subprocess.Popen(["dumpcap", "-q", "-i", "lo", "-f", f"tcp port {port}", "-w", "-"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = b""
        for line in self.process.stderr:
            said += line
            if line.startswith(b"File:"):  # It captures from now on.
                break
        else:
            self.process.wait(60)
            test.skipTest(f"dumpcap cannot capture: {said.decode().strip()[:200]}")
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while data := self.process.stdout.read1():
            with self.changed:
                self.data += data
                self.changed.notify_all()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with self.changed:  # Each trader's Logout, and the answers.
            complete = self.changed.wait_for(lambda: self.data.count(b"\x0135=5\x01") >= 2 * len(TRADERS), 60)
        self.process.terminate()
        self.process.wait(60)
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        assert complete, "the capture has no end of the sessions"
        self.path.write_bytes(self.data)


class Record(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def certify(self, scenario, folder, *arguments):
        with Exchange(LAB, self.folder / folder, TRADERS, *arguments) as exchange:
            return run(LAB, "certify", "run", scenario, "--address", exchange.address, "--begin-string", "FIX.4.4",
                       "--sender", self.first, "--target", "EXCHANGE")

    def trade(self, between=lambda port: contextlib.nullcontext()):
        """Two traders meet at an exchange; `between` may watch its port, or give a port before it."""
        with Exchange(LAB, self.folder / "live", TRADERS) as exchange:
            port = int(exchange.address.split(":")[1])
            with between(port) as relay:
                port = getattr(relay, "port", port)
                text = f"[TRADERS]\nprimary_address=127.0.0.1\nprimary_port={port}\n"
                text += "".join(session(name, name, "EXCHANGE", self.folder / "traders", "TRADERS") for name in TRADERS)
                (self.folder / "traders.ini").write_text(text)
                traded = run(LAB, "trade", self.folder / "traders.ini", "--count", "200", "--rate", "200", "--symbol", "ACME",
                             "--seed", "7")
                self.assertEqual(traded.returncode, 0, traded.stdout + traded.stderr)

    def record(self, *sources):
        scenario = self.folder / "recorded.scenario"
        made = run(LAB, "certify", "record", *sources, "--out", scenario)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.first = re.search(r"--sender (\w+)", scenario.read_text())[1]
        return scenario

    def check(self, scenario):
        """A fresh exchange passes; one that changes a field fails, and so does a good one if another field is expected."""
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

    def test_journals(self):
        self.trade()
        self.check(self.record(self.folder / "live/journal"))

    def test_journals_of_the_counterparties(self):
        self.trade()
        self.check(self.record(self.folder / "traders", "--engine", "EXCHANGE"))

    def test_a_text_log(self):
        self.trade()
        shown = run(AFFIX, "log", self.folder / "live/journal")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        (self.folder / "exchange.log").write_text(shown.stdout)
        self.check(self.record(self.folder / "exchange.log"))

    def test_a_capture(self):
        self.trade(lambda port: capturing_relay.CapturingRelay(self.folder / "wire.pcap", port))
        self.check(self.record(self.folder / "wire.pcap"))

    def test_a_capture_of_a_sniffer(self):
        self.trade(lambda port: Sniffer(self, self.folder / "wire.pcapng", port))
        self.check(self.record(self.folder / "wire.pcapng"))

    def test_what_is_no_record_is_refused(self):
        (self.folder / "empty.log").write_text("nothing\n")
        refused = run(LAB, "certify", "record", self.folder / "empty.log")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("there is no Logon", refused.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
