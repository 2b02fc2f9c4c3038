#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The faults file of a running exchange is changed: scenarios pass, fail, and pass again, and a wrong file changes nothing.

Usage: reload_test.py AFFIX_LAB [CONFORMANCE_ECHO]
"""

import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from lab_exchange import Exchange

LAB = sys.argv[1]
del sys.argv[1:]
TIMEOUT = 60
# It leaves no order behind, whose end would be told to the next one.
ORDER = """scenario order: an order is acknowledged
application
logon
let id = <fresh>
> NewOrderSingle | ClOrdID=$id | Symbol=ACME | Side=BUY | OrderQty=100 | OrdType=LIMIT | Price=10 | TransactTime=<now>
< ExecutionReport | ExecType=NEW | LeavesQty=100
> OrderCancelRequest | ClOrdID=<fresh> | OrigClOrdID=$id | Symbol=ACME | Side=BUY | OrderQty=100 | TransactTime=<now>
< ExecutionReport | ExecType=CANCELED
"""


class Reload(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        (self.folder / "order.scenario").write_text(ORDER)
        self.faults("")
        self.exchange = Exchange(LAB, self.folder / "exchange", ["MEMBER"], "--faults", self.folder / "faults",
                                 engine_keys="management_server_port=-1\nmanagement_local_role=OPERATE\n")
        self.addCleanup(self.exchange.__exit__)
        self.administration = int(self.exchange.wait_for(r"administration on 127\.0\.0\.1:(\d+)"))

    def faults(self, text):
        (self.folder / "faults").write_text(text)

    def reload(self):
        """Status and whole text of the answer; asked again where a loaded machine had no time for it."""
        with socket.create_connection(("127.0.0.1", self.administration), timeout=TIMEOUT) as connection, \
                connection.makefile("rw") as stream:
            for _ in range(20):
                stream.write("reload\n")
                stream.flush()
                text = ""
                for line in stream:
                    text += line
                    if line.startswith(("done", "refused")):
                        return line.split(":")[0], text
                    if line.startswith(("busy", "begun")):
                        break
        raise AssertionError("the exchange is too busy: " + text)

    def play(self):
        """Exit code and output of the scenario."""
        played = subprocess.run([LAB, "certify", "run", self.folder / "order.scenario", "--address", self.exchange.address,
                                 "--sender", "MEMBER", "--target", "EXCHANGE"], capture_output=True, text=True, timeout=TIMEOUT)
        return played.returncode, played.stdout

    def test_rules_hold_from_the_answer_on(self):
        code, said = self.play()
        self.assertEqual(code, 0, said)
        for rule, words in (("halt ACME", r"ExecType \(150\): expected New \(0\), got Rejected \(8\)"),
                            ("in D reject", r"ExecType \(150\): expected New \(0\), got Rejected \(8\)"),
                            ("out 8 150=0 change 151=7", r"LeavesQty \(151\): expected '100', got '7'")):
            with self.subTest(rule):
                self.faults(rule + "\n")
                self.assertEqual(self.reload()[0], "done")
                code, said = self.play()
                self.assertEqual(code, 1, said)
                self.assertRegex(said, words)
                self.faults("")
                self.assertEqual(self.reload()[0], "done")
                code, said = self.play()
                self.assertEqual(code, 0, said)

    def test_a_wrong_file_changes_nothing(self):
        self.faults("out 8 150=0 change 151=7\n")
        self.assertEqual(self.reload()[0], "done")
        self.faults("out 8 150=0 destroy\n")
        status, text = self.reload()
        self.assertEqual(status, "refused")
        self.assertIn("faults:1: ", text)
        code, said = self.play()
        self.assertEqual(code, 1, said)
        self.assertIn("got '7'", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
