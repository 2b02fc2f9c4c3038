#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix log --latency` and `affix top` on the latencies of an engine that echoes orders: all parts of their way, the slowest
ones, the same as JSON, and bad files."""

import json
import subprocess
import sys
import time
import unittest

from serve_fixture import TIMEOUT, ServeTest

ServeTest.affix = sys.argv.pop(1)


class Latency(ServeTest):
    def setUp(self):
        super().setUp()
        text = self.server(self.session("PEER"), engine=f"counters_file={self.path('counters')}\n"
                                                        f"latency_file={self.path('latencies')}\nlatency_records=1024")
        self.served = self.serve(text)
        self.orders = self.peer(self.served.port, "PEER")

    def affix_run(self, *words):
        return subprocess.run([self.affix, *words], capture_output=True, text=True, timeout=TIMEOUT, check=False)

    def latencies(self, *words):
        done = self.affix_run("log", "--latency", self.path("latencies"), "--json", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def trade(self):
        """Orders until one has every part: the kernel begins to stamp some time after the first socket asks."""
        give_up = time.monotonic() + TIMEOUT
        number = 0
        while time.monotonic() < give_up:
            number += 1
            self.echoed(self.orders, f"ORDER-{number}")
            read = self.latencies()
            if read["parts"]["in_stack"]["count"] and read["parts"]["out_stack"]["count"]:
                return number, read
        self.fail("no order has every part of its way")

    def test_percentiles_and_the_slowest_are_shown(self):
        orders, read = self.trade()
        self.assertTrue(read["running"])
        self.assertEqual(read["recorded"], orders)
        self.assertEqual(read["parts"]["in_engine"]["count"], orders)
        for part in read["parts"].values():
            self.assertLessEqual(part["p50"], part["p99"])
            self.assertLessEqual(part["p99"], part["longest"])
        slowest = read["slowest"]
        self.assertEqual(len(slowest), min(orders, 10))
        self.assertEqual([one["whole"] for one in slowest], sorted((one["whole"] for one in slowest), reverse=True))
        for one in slowest:
            self.assertEqual((one["in_session"], one["out_session"]), ("PEER", "PEER"))
            moments = [one[name] for name in ("received", "read", "handed_over", "committed", "sent", "transmitted") if one[name]]
            self.assertEqual(moments, sorted(moments))
        self.assertEqual(len(self.latencies("--worst", "1")["slowest"]), 1)
        text = self.affix_run("log", "--latency", self.path("latencies"), "--worst", "2").stdout.splitlines()
        self.assertEqual(text[0], f"{orders} of {orders} messages; microseconds")
        self.assertEqual([line.split()[0] for line in text[3:7]], ["in_stack", "in_engine", "out_stack", "whole"])
        self.assertRegex(text[9], r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+  in PEER \d+, out PEER \d+: in_stack ")
        self.assertEqual(len(text), 9 + min(orders, 2))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([self.affix, "log", "--latency", self.path("latencies")], stdout=full,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, 74, done.stderr)

    def test_top_has_a_line_of_it(self):
        self.trade()
        expected = r"(?m)^way p50/p99 us: in_stack [\d.]+/[\d.]+ in_engine [\d.]+/[\d.]+ out_stack [\d.]+/[\d.]+ whole .*slowest of \d+: "
        for words in ([self.path("serve.ini")], [self.path("counters"), "--latency", self.path("latencies")]):
            done = self.affix_run("top", *words, "--once", "--interval", "0")
            self.assertRegex(done.stdout, expected, done.stderr)
        self.assertNotIn("way p50", self.affix_run("top", self.path("counters"), "--once", "--interval", "0").stdout)

    def test_an_engine_that_has_ended_leaves_its_file(self):
        orders, _ = self.trade()
        self.orders.log_out()
        self.assertEqual(self.served.stop(), 0)
        read = self.latencies()
        self.assertFalse(read["running"])
        self.assertEqual(read["recorded"], orders)

    def test_bad_files_are_refused_in_words(self):
        for path, code in ((self.path("none"), "O101"), (self.path("counters"), "A122"), (self.path("serve.ini"), "A122")):
            done = self.affix_run("log", "--latency", path)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"[{code}]", done.stderr)
            self.assertIn(path, done.stderr)
        self.assertNotEqual(self.affix_run("log").returncode, 0)


if __name__ == "__main__":
    unittest.main()
