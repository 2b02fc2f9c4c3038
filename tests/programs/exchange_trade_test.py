#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix-lab exchange` and `affix-lab trade` with a user's own files: orders from a CSV, kill -9 and back, wrong input."""

import os
import re
import signal
import subprocess
import sys
import unittest

import program_fixture

AFFIX = sys.argv.pop(1)
LAB = AFFIX + "-lab"
TIMEOUT = 60

SESSION = """
[SESSION_{name}]
begin_string=FIX.4.4
sender_comp_id={sender}
target_comp_id={target}
journal_path={journal}
"""


class Programs(program_fixture.ProgramTest):
    def start_exchange(self, port=0, *arguments, engine=""):
        text = f"[ENGINE]\nlog_file={self.path('exchange.log')}\n{engine}[EXCHANGE]\nnic_address=127.0.0.1\n" \
               f"accept_port={port}\n" + SESSION.format(name="A", sender="EXCHANGE", target="A",
                                                        journal=self.path("exchange"))
        process = subprocess.Popen([LAB, "exchange", "--config", self.write("exchange.ini", text),
                                    *arguments], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        line = process.stdout.readline()
        found = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", line)
        self.assertTrue(found, line)
        return process, int(found.group(1))

    def trade(self, port, *arguments):
        text = f"[ENGINE]\nlog_file={self.path('trade.log')}\n[CLIENT]\nprimary_address=127.0.0.1\n" \
               f"primary_port={port}\nreconnect_milliseconds=50\n" + \
               SESSION.format(name="A", sender="A", target="EXCHANGE", journal=self.path("trade"))
        return subprocess.Popen([LAB, "trade", "--config", self.write("trade.ini", text), *arguments],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def traded(self, port, *arguments):
        process = self.trade(port, *arguments)
        self.addCleanup(self.end, process)
        output, _ = process.communicate(timeout=TIMEOUT)
        return process.returncode, output

    def log(self, side):
        return subprocess.run([AFFIX, "log", self.path(side)], check=True, capture_output=True,
                              text=True, timeout=TIMEOUT).stdout

    def test_orders_of_a_file(self):
        exchange, port = self.start_exchange()
        orders = self.write("orders.csv",
                            "ClOrdID,MsgType,OrigClOrdID,Symbol,Side,OrdType,OrderQty,Price,Delay\n"
                            "S1,D,,IBM,Sell,Limit,100,10.05,0\n"
                            "B1,D,,IBM,Buy,Limit,60,10.05,1\n"
                            "B2,D,,IBM,Buy,Market,10,,1\n"
                            "S2,G,S1,IBM,Sell,Limit,100,10.10,50\n"
                            "S3,F,S2,IBM,Sell,Limit,100,,50\n"
                            "X1,D,,IBM,Buy,Limit,1.5,10.00,1\n")
        status, output = self.traded(port, "--orders", orders)
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"orders +4 sent, 3 accepted, 1 rejected")
        self.assertRegex(output, r"fills +4, 2 orders filled whole")
        self.assertRegex(output, r"replaces +1 sent, 1 replaced; 0 cancels")
        exchange.send_signal(signal.SIGTERM)
        rest = exchange.stdout.read()
        self.assertEqual(exchange.wait(timeout=TIMEOUT), 0)
        self.assertIn("3 orders accepted, 1 rejected, 2 trades, 1 canceled, 1 replaced", rest)

    def test_market_data_is_followed_and_checked(self):
        exchange, port = self.start_exchange()
        orders = self.write("orders.csv", "Symbol,Side,OrdType,OrderQty,Price,Delay\n"
                                          "IBM,Sell,Limit,100,10.05,0\nIBM,Sell,Limit,10,10.05,1\n"
                                          "IBM,Buy,Limit,60,10.05,1\nIBM,Buy,Limit,7,9.95,1\n"
                                          "ACME,Buy,Limit,1,1,200\n")
        status, output = self.traded(port, "--orders", orders, "--market-data", "--market-data-depth", "1")
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"book +IBM +7 @ 9\.95 \| 50 @ 10\.05, last 60 @ 10\.05\n")
        self.assertRegex(output, r"market data 2 snapshots, [1-9]\d* increments, [1-9]\d* entries, 1 of them trades\n")
        self.assertNotIn("trouble", output)
        exchange.send_signal(signal.SIGTERM)
        rest = exchange.stdout.read()
        self.assertRegex(rest, r"market data: 1 requests taken, 0 refused, 2 snapshots, [1-9]")

    def test_a_refused_market_data_request_is_trouble(self):
        _, port = self.start_exchange(0, "--market-data-subscriptions", "0")
        status, output = self.traded(port, "--rate", "50", "--duration", "0.5", "--market-data")
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"trouble +0 market data messages .*, 1 requests refused")

    def test_a_bad_order_file_is_one_report(self):
        _, port = self.start_exchange()
        orders = self.write("orders.csv", "Symbol,Side,OrdType,OrderQty,Price\n"
                                          "IBM,Buy,Limit,ten,1\nIBM,Nobody,Limit,10,1\n")
        status, output = self.traded(port, "--orders", orders)
        self.assertEqual(status, 2)
        self.assertRegex(output, r"line 2, column 15: .* \[P108\]\n")
        self.assertRegex(output, r"line 3, column 5: .* \[P108\]\n")

    def test_numbers_continue_after_kill_dash_nine_of_either_side(self):
        exchange, port = self.start_exchange()
        status, output = self.traded(port, "--rate", "200", "--duration", "1", "--seed", "1")
        self.assertEqual(status, 0, output)
        trade = self.trade(port, "--rate", "200", "--duration", "30", "--seed", "2")
        self.addCleanup(self.end, trade)
        for line in trade.stdout:
            if re.search(r"acked [1-9]", line):
                break
        trade.kill()
        trade.wait()
        status, output = self.traded(port, "--rate", "200", "--duration", "1", "--seed", "3")
        self.assertIn("unanswered  0", output)
        exchange.kill()
        exchange.wait()
        exchange, port = self.start_exchange(port)
        status, output = self.traded(port, "--rate", "200", "--duration", "1", "--seed", "4")
        self.assertIn("unanswered  0", output)
        exchange.send_signal(signal.SIGTERM)
        self.assertEqual(exchange.wait(timeout=TIMEOUT), 0)
        # One content per number, and what one side sent is what the other took.
        for sender, out_side, in_side in (("A", "trade", "exchange"), ("EXCHANGE", "exchange", "trade")):
            sent = self.by_number(out_side, "OUT", sender)
            received = self.by_number(in_side, "IN", sender)
            self.assertGreater(len(sent), 300)
            application = {n: m for n, m in received.items() if "|43=Y|" not in m and "|35=4|" not in m}
            for number, message in application.items():
                self.assertEqual(message, sent[number])

    def by_number(self, side, direction, sender):
        """MsgSeqNum to message, of the records of one direction; a number twice is a failure."""
        found = {}
        for line in self.log(side).splitlines():
            parts = re.match(rf"\S+ \S+ \S+ {direction} +(\d+) (?:unprocessed )?(8=.*)", line)
            if parts and f"|49={sender}|" in parts.group(2):
                self.assertNotIn(parts.group(1), found, line)
                found[parts.group(1)] = parts.group(2)
        return found

    def test_a_wrong_configuration_is_one_report(self):
        path = self.write("wrong.ini", "[EXCHANGE]\naccept_port=x\nbogus=1\n")
        done = subprocess.run([LAB, "exchange", "--config", path], capture_output=True, text=True,
                              timeout=TIMEOUT)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"wrong\.ini:2: key 'accept_port'.* \[C207\]\n")
        self.assertRegex(done.stderr, r"wrong\.ini:3: key 'bogus' .* \[C204\]\n")

    def test_the_pid_file_holds_the_number_and_keeps_a_second_process_out(self):
        exchange, _ = self.start_exchange(0, engine=f"pid_file={self.path('pid')}\n")
        number = f"{exchange.pid}\n"
        with open(self.path("pid"), encoding="ascii") as file:
            self.assertEqual(file.read(), number)
        trade = self.write("second.ini", f"[ENGINE]\npid_file={self.path('pid')}\n[CLIENT]\nprimary_address=127.0.0.1\n"
                           "primary_port=1\n" + SESSION.format(name="A", sender="A", target="EXCHANGE",
                                                             journal=self.path("trade")))
        for arguments in (["exchange", "--config", self.path("exchange.ini")], ["trade", "--config", trade]):
            done = subprocess.run([LAB, *arguments], capture_output=True, text=True, timeout=TIMEOUT, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"process {exchange.pid} runs with this pid_file [E110]", done.stderr)
        with open(self.path("pid"), encoding="ascii") as file:
            self.assertEqual(file.read(), number)
        exchange.send_signal(signal.SIGTERM)
        self.assertEqual(exchange.wait(timeout=TIMEOUT), 0)
        self.assertFalse(os.path.exists(self.path("pid")))

    def test_a_port_in_use_is_said(self):
        _, port = self.start_exchange()
        text = f"[EXCHANGE]\nnic_address=127.0.0.1\naccept_port={port}\n"
        done = subprocess.run([LAB, "exchange", "--config", self.write("second.ini", text)],
                              capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"127.0.0.1:{port}", done.stderr)


if __name__ == "__main__":
    unittest.main()
