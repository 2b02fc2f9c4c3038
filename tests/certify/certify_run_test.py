#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix certify run` as a program: roles, exit codes, reports, failures in words.

Usage: certify_run_test.py AFFIX_LAB CONFORMANCE_ECHO
"""

import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

LAB, ECHO = sys.argv[1:3]
del sys.argv[1:3]

PASSES = """scenario heartbeat: a TestRequest is answered
role acceptor
logon
> TestRequest | TestReqID=HELLO
< Heartbeat | TestReqID=HELLO
"""

FAILS = """scenario wrong: a Heartbeat is expected to say something else
role acceptor
logon
> TestRequest | TestReqID=HELLO
< Heartbeat | TestReqID=<one of BYE, LATER> | Text=*
"""

TRADER = """scenario trader: an initiator logs on, and its Heartbeats come
role initiator
connect
< Logon | EncryptMethod=0 | HeartBtInt=<keep interval>
> Logon | EncryptMethod=0 | HeartBtInt=$interval
> TestRequest | TestReqID=THERE
< Heartbeat | TestReqID=<sent>
"""


class Run(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def echo(self):
        process = subprocess.Popen([ECHO, "--port", "0", "--directory", str(self.folder / "echo")],
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.terminate(), process.communicate(timeout=30)))
        return re.search(r"127\.0\.0\.1:\d+", process.stdout.readline())[0]

    def run_file(self, text, *arguments):
        file = self.folder / "test.scenario"
        file.write_text(text)
        return subprocess.run([LAB, "certify", "run", file, *arguments], capture_output=True, text=True, timeout=120)

    def test_an_acceptor_passes_and_fails_in_words(self):
        address = self.echo()
        session = ("--address", address, "--begin-string", "FIX.4.4", "--sender", "TW44", "--target", "ISLD")
        passed = self.run_file(PASSES, *session)
        self.assertEqual(passed.returncode, 0, passed.stdout + passed.stderr)
        self.assertIn("test.scenario  .\n1 passed, 0 failed, 0 skipped\n", passed.stdout)
        junit, page = self.folder / "junit.xml", self.folder / "page.html"
        failed = self.run_file(PASSES + "\n" + FAILS, *session, "--junit", junit, "--html", page)
        self.assertEqual(failed.returncode, 1)
        self.assertIn("test.scenario:11: scenario wrong", failed.stdout)
        self.assertIn("TestReqID (112): expected 'BYE' or 'LATER', got 'HELLO'", failed.stdout)
        self.assertIn("Text (58): expected any value, got no such field", failed.stdout)
        suite = xml.etree.ElementTree.parse(junit).getroot().find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "1"))
        self.assertIn("TestReqID (112)", suite.find("testcase/failure").get("message"))
        for text in ("&lt; 8=FIX.4.4|", "&gt; 8=FIX.4.4|", "112=HELLO", "a TestRequest is answered"):
            self.assertIn(text, page.read_text())

    def test_a_wrong_scenario_is_refused_with_its_lines(self):
        wrong = self.run_file("scenario x: y\nlogon\n< Heartbeet\n> Heartbeat | TestReqId=1\n", "--address", "127.0.0.1:1")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("test.scenario:3: FIX 4.4 has no message Heartbeet", wrong.stderr)
        self.assertIn("test.scenario:4: FIX 4.4 has no field TestReqId", wrong.stderr)
        syntax = self.run_file("scenario x: y\nrepeat many\n", "--address", "127.0.0.1:1")
        self.assertEqual(syntax.returncode, 2)
        self.assertIn("test.scenario:2: 'repeat' cannot be followed by 'many'", syntax.stderr)

    def test_what_cannot_be_reached_fails(self):
        gone = self.run_file(PASSES, "--address", "127.0.0.1:1", "--connect-timeout", "0.2")
        self.assertEqual(gone.returncode, 1)
        self.assertIn("no connection could be had", gone.stdout)

    def test_an_initiator_connects(self):
        file = self.folder / "trader.scenario"
        file.write_text(TRADER)
        venue = subprocess.Popen([LAB, "certify", "run", file, "--listen", "127.0.0.1:0", "--sender", "VENUE", "--target",
                                  "TRADER"], stdout=subprocess.PIPE, text=True)
        port = re.search(r"127\.0\.0\.1:(\d+)", venue.stdout.readline())[1]
        (self.folder / "trade.ini").write_text(
            f"[CLIENT]\nprimary_address=127.0.0.1\nprimary_port={port}\n[S]\ntype=session\ninstance=CLIENT\n"
            f"begin_string=FIX.4.4\nsender_comp_id=TRADER\ntarget_comp_id=VENUE\ndurability=memory\n"
            f"journal_path={self.folder}/journal\n")
        trader = subprocess.Popen([LAB, "trade", self.folder / "trade.ini", "--duration", "60", "--rate", "1"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        output = venue.communicate(timeout=60)[0]
        trader.terminate()
        trader.communicate(timeout=60)
        self.assertEqual(venue.returncode, 0, output)


if __name__ == "__main__":
    unittest.main(verbosity=2)
