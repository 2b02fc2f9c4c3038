#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix replay`: the journal of an exchange's session against exchanges that answer as it did, otherwise, and not at all."""

import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from exchange_process import ExchangeProcess

AFFIX = sys.argv.pop(1)
LAB = AFFIX + "-lab"
TIMEOUT = 60
# Ids that the exchange makes up, and the times it writes.
MASKS = ("--renamed", "37,17", "--ignore", "60")
ORDERS = """ClOrdID,MsgType,OrigClOrdID,Symbol,Side,OrdType,OrderQty,Price,Delay
A1,D,,MSFT,Buy,Limit,10,25.5,0
A2,D,,MSFT,Sell,Limit,4,25.5,0
A3,D,,IBM,Buy,Limit,10,99,0
A4,G,A3,IBM,Buy,Limit,20,98,100
A5,F,A4,IBM,Buy,Limit,20,,100
A6,D,,MSFT,Sell,Market,2,,0
A7,F,A1,MSFT,Buy,Limit,10,,100
"""


class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """The journal to replay: a trader's orders, as the exchange has stored them."""
        cls.home = Path(tempfile.mkdtemp(prefix="affix-replay-test-"))
        exchange = ExchangeProcess(AFFIX, cls.folder("recorded"))
        try:
            orders = cls.home / "orders.csv"
            orders.write_text(ORDERS)
            config = cls.home / "trade.ini"
            config.write_text(f"[CLIENT]\nprimary_address=127.0.0.1\nprimary_port={exchange.port}\n[EXCHANGE]\n"
                              "begin_string=FIX.4.4\nsender_comp_id=TRADER\ntarget_comp_id=EXCHANGE\n"
                              f"journal_path={cls.home / 'trader'}\n")
            subprocess.run([LAB, "trade", "--config", str(config), "--orders", str(orders)], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=TIMEOUT, check=True)
        finally:
            exchange.stop()
        cls.journal = exchange.journal
        cls.trader_journal = cls.home / "trader" / "FIX.4.4-TRADER-EXCHANGE"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home, ignore_errors=True)

    @classmethod
    def folder(cls, name):
        path = cls.home / name
        path.mkdir()
        return path

    def open_exchange(self, *arguments, keys=""):
        folder = self.folder(self.id().rsplit(".", 1)[-1] + str(len(list(self.home.iterdir()))))
        exchange = ExchangeProcess(AFFIX, folder, *arguments, keys=keys)
        self.addCleanup(exchange.stop)
        return exchange

    def replay(self, journal, port, *arguments, status=0):
        done = subprocess.run([AFFIX, "replay", str(journal), "--against", f"127.0.0.1:{port}", *arguments],
                              capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, status, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout, done.stderr

    def counts(self, out):
        found = re.fullmatch(r"sent (\d+); answers: (\d+) the same, (\d+) different, (\d+) missing, (\d+) new",
                             out.splitlines()[-1])
        self.assertIsNotNone(found, out)
        return tuple(int(number) for number in found.groups())

    def test_the_same_exchange_answers_the_same(self):
        exchange = self.open_exchange()
        out, _ = self.replay(self.journal, exchange.port, *MASKS)
        sent, same, different, missing, new = self.counts(out)
        self.assertEqual((sent, different, missing, new), (7, 0, 0, 0))
        self.assertGreaterEqual(same, 9)  # Each order is answered, and two trades are reported to both sides.

    def test_it_can_be_played_again_and_from_the_traders_side(self):
        exchange = self.open_exchange()
        for _ in range(2):
            # A book with what is left of the run before would trade with it.
            out, _ = self.replay(self.trader_journal, exchange.port, "--ours", *MASKS)
            self.assertEqual(self.counts(out)[2:], (0, 0, 0))
            exchange.stop()
            exchange = self.open_exchange()

    def test_without_masks_made_up_values_differ(self):
        exchange = self.open_exchange("--symbol", "MSFT", "--symbol", "IBM")
        out, _ = self.replay(self.journal, exchange.port, "--show", "1", status=1)
        sent, same, different, missing, new = self.counts(out)
        self.assertEqual((sent, missing, new), (7, 0, 0))
        self.assertGreater(different, 0)
        self.assertRegex(out, r"(?m)^  60: \S+ -> \S+$")
        self.assertIn(f"... {different - 1} more different", out)

    def test_another_answer_is_shown_field_by_field(self):
        # This exchange does not know IBM.
        exchange = self.open_exchange("--symbol", "MSFT")
        out, _ = self.replay(self.journal, exchange.port, *MASKS, status=1)
        self.assertRegex(out, r"different: 35=8 11=A3 55=IBM 150=0 39=0 ")
        self.assertRegex(out, r"(?m)^  39: 0 -> 8$")
        self.assertRegex(out, r"(?m)^  58: - -> .+$")
        # The answer to the replacement is of another type.
        self.assertRegex(out, r"(?m)^missing: 35=8 11=A4 41=A3 55=IBM ")
        self.assertRegex(out, r"(?m)^new: 35=9 11=A4 41=A3 ")

    def test_a_silent_exchange_is_left(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            out, error = self.replay(self.journal, listener.getsockname()[1], "--timeout", "0.3", status=2)
        self.assertIn("[P106]", error)
        self.assertEqual(self.counts(out)[:2], (0, 0))

    def test_nobody_is_there(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        _, error = self.replay(self.journal, port, "--timeout", "0.3", status=2)
        self.assertRegex(error, r"refused.*\[P106\]")

    def test_an_exchange_that_ends_the_session_is_reported(self):
        exchange = self.open_exchange(keys="throttle_limit=3\nthrottle_action=DISCONNECT\n")
        _, error = self.replay(self.journal, exchange.port, *MASKS, "--timeout", "2", status=2)
        self.assertRegex(error, r"ended.*\[P106\]")

    def test_journals_that_cannot_be_played_are_refused(self):
        exchange = self.open_exchange()
        for arguments, why in (((self.home / "nowhere",), "nowhere"), ((self.home,), "no segment|not found|no journal")):
            _, error = self.replay(*arguments, exchange.port, status=2)
            self.assertRegex(error, why)
        for wrong in (("--against", "nowhere"), ("--session-key", "no_such_key=1"), ("--password-variable", "AFFIX_NOT_SET_HERE"),
                      ("--speed", "-1"), ("--timeout", "0")):
            done = subprocess.run([AFFIX, "replay", str(self.journal), *(() if wrong[0] == "--against" else
                                                                         ("--against", f"127.0.0.1:{exchange.port}")), *wrong],
                                  capture_output=True, text=True, timeout=TIMEOUT, check=False)
            self.assertEqual(done.returncode, 2, done)

    def test_a_password_is_the_variables(self):
        exchange = self.open_exchange()
        subprocess.run([AFFIX, "replay", str(self.journal), "--against", f"127.0.0.1:{exchange.port}", *MASKS,
                        "--password-variable", "REPLAY_PASSWORD", "--session-key", "logon_username=someone"],
                       env={"REPLAY_PASSWORD": "a $ecret ${x}"}, capture_output=True, timeout=TIMEOUT, check=True)
        exchange.stop()
        log = subprocess.run([AFFIX, "log", str(exchange.journal)], capture_output=True, text=True, timeout=TIMEOUT, check=True)
        self.assertRegex(log.stdout, r"35=A.*\|553=someone\|554=\*\|")


if __name__ == "__main__":
    unittest.main()
