#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix-lab bench`: load against our acceptor and the floor, storms and hostile peers; counts, no times."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import program_fixture

LAB = sys.argv.pop(1) + "-lab"
TIMEOUT = 120


class Bench(program_fixture.ProgramTest):
    def start(self, *arguments, cores=None):
        """`cores`: the only ones that it may use."""
        with open(self.path("server.log"), "ab") as log:
            process = subprocess.Popen([LAB, "bench", *arguments], stdout=subprocess.PIPE, stderr=log, text=True,
                                       env={**os.environ, "TMPDIR": self.directory},
                                       preexec_fn=cores and (lambda: os.sched_setaffinity(0, cores)))
        self.addCleanup(self.end, process)
        line = process.stdout.readline()
        found = re.fullmatch(r"listening on (127\.0\.0\.1:\d+)\n", line)
        self.assertTrue(found, line)
        return process, found.group(1)

    def load(self, target, *arguments):
        done = subprocess.run([LAB, "bench", "load", "--target", target, *arguments], capture_output=True,
                              text=True, timeout=TIMEOUT)
        return done.returncode, done.stdout + done.stderr

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read()
        self.assertEqual(process.wait(timeout=TIMEOUT), 0)
        return rest

    def test_every_order_is_answered_once(self):
        server, target = self.start("server", "--sessions", "4")
        rows = self.path("rows.json")
        status, output = self.load(target, "--sessions", "4", "--messages", "2000", "--warm-up", "100",
                                   "--per-write", "10", "--server-pid", str(server.pid), "--json", rows,
                                   "--contender", "ours")
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"orders +8000 sent, 8000 answered")
        self.assertRegex(output, r"answers +0 duplicate, 0 foreign, 0 rejected, 0 further")
        self.assertIn("lost        0 orders", output)
        self.assertRegex(output, r"server +[\d.]+ us of processor time an order")
        with open(rows, encoding="utf-8") as file:
            table = {row["benchmark"]: row for row in json.load(file)}
        self.assertEqual(table["service"]["n"], 8000)
        self.assertEqual(table["service"]["contender"], "ours")
        self.assertGreater(table["server_cpu"]["median"], 0)
        self.assertEqual(table["lost"]["max"], 0)
        self.assertIn("8400 orders answered", self.stop(server))
        self.assertEqual([name for name in os.listdir(self.directory) if name.startswith("affix-bench-")], [])

    def test_defaults_need_no_warning(self):
        for sessions in ("1", "10", "100", "700"):
            server, _ = self.start("server", "--sessions", sessions)
            self.stop(server)
            with open(self.path("server.log"), encoding="utf-8") as log:
                self.assertEqual(log.read(), "", f"{sessions} sessions")

    def test_one_core_is_enough_for_defaults(self):
        core = min(os.sched_getaffinity(0))
        for durability in ("process", "group", "sync"):
            with self.subTest(durability=durability):
                server, target = self.start("server", "--sessions", "2", "--durability", durability, "--segment-bytes",
                                            "1048576", cores={core})
                status, output = self.load(target, "--sessions", "2", "--messages", "3000", "--per-write", "10")
                self.assertEqual(status, 0, output)
                self.assertRegex(output, r"orders +6000 sent, 6000 answered")
                self.stop(server)

    def test_every_version_and_reactor(self):
        for begin_string, reactor in (("FIX.4.2", "EPOLL"), ("FIX.4.4", "IO_URING"), ("FIXT.1.1", "EPOLL")):
            with self.subTest(begin_string=begin_string, reactor=reactor):
                server, target = self.start("server", "--begin-string", begin_string, "--reactor", reactor,
                                            "--wait", "SPIN_THEN_BLOCK", "--sessions", "2")
                status, output = self.load(target, "--begin-string", begin_string, "--sessions", "2",
                                           "--messages", "500", "--window", "16", "--per-write", "4")
                self.assertEqual(status, 0, output)
                self.assertRegex(output, r"orders +1000 sent, 1000 answered")
                self.stop(server)

    def test_paced_orders_keep_their_pace(self):
        server, target = self.start("server", "--sessions", "2", "--durability", "memory", "--no-dictionary")
        status, output = self.load(target, "--sessions", "2", "--messages", "300", "--rate", "2000", "--spin")
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"orders +600 sent, 600 answered")
        # 600 orders at 2,000 a second are due in 0.3 s: never sooner, however fast the machine is.
        seconds = float(re.search(r"answered in ([\d.]+) s", output).group(1))
        self.assertGreaterEqual(seconds, 0.299)
        self.assertRegex(output, r"response +min .*\(from when due\)")
        self.stop(server)

    def test_no_more_orders_are_sent_than_are_due(self):
        server, target = self.start("server", "--sessions", "2", "--durability", "memory", "--no-dictionary")
        # 600 are due, which is no multiple of 7.
        status, output = self.load(target, "--sessions", "2", "--seconds", "0.3", "--rate", "2000", "--per-write", "7")
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"orders +600 sent, 600 answered")
        self.assertIn("0 never sent", output)
        self.stop(server)

    def test_a_storm_of_reconnects_loses_nothing(self):
        server, target = self.start("server", "--sessions", "20", "--workers", "2")
        status, output = self.load(target, "--sessions", "20", "--seconds", "3", "--rate", "4000",
                                   "--reconnect-storm", "100", "--heartbeat", "5")
        self.assertIn("lost        0 orders", output)
        self.assertEqual(status, 0, output)
        found = re.search(r"storm +(\d+) connections dropped", output)
        self.assertGreater(int(found.group(1)), 50, output)
        answered = int(re.search(r"orders +(\d+) sent, \1 answered", output).group(1))
        self.assertIn(f"{answered} orders answered", self.stop(server))

    def test_a_storm_of_reconnects_in_a_flood_loses_nothing(self):
        # A window is always full, so the server sends new reports between those that it resends.
        server, target = self.start("server", "--sessions", "8")
        status, output = self.load(target, "--sessions", "8", "--messages", "30000", "--per-write", "100", "--window", "1024",
                                   "--reconnect-storm", "50")
        self.assertIn("lost        0 orders", output)
        self.assertEqual(status, 0, output)
        self.assertIn("orders      240000 sent, 240000 answered", output)
        self.assertGreater(int(re.search(r"resends +\d+ orders sent again, (\d+) requests", output).group(1)), 0, output)
        self.assertIn("240000 orders answered", self.stop(server))

    def test_a_flood_on_one_core_ends_no_session(self):
        # More numbers than a reserve has, while the threads that renew it get what the worker leaves of one core.
        core = min(os.sched_getaffinity(0))
        for durability in ("process", "group"):
            with self.subTest(durability):
                server, target = self.start("server", "--sessions", "4", "--durability", durability, "--segment-bytes", "4194304",
                                            cores={core})
                status, output = self.load(target, "--sessions", "4", "--messages", "110000", "--per-write", "10")
                self.assertEqual(status, 0, output)
                self.assertIn("orders      440000 sent, 440000 answered", output)
                self.assertNotIn("trouble", output)
                self.assertIn("440000 orders answered", self.stop(server))

    def test_hostile_peers_cost_others_no_answer(self):
        server, target = self.start("server", "--sessions", "8", "--log-level", "ERROR")
        status, output = self.load(target, "--sessions", "4", "--seconds", "0.5", "--rounds", "3", "--rate", "1000",
                                   "--frozen", "2", "--dribble", "2", "--garbage", "5", "--half-logons", "5", "--connections", "50")
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"with 64 hostile peers: \d{2,} connections, [1-9]\d* closed by the server")
        self.assertRegex(output, r"; 12 logons, ")
        self.assertEqual(len(re.findall(r"orders +1500 sent, 1500 answered", output)), 2, output)
        middle, least, most = (float(number) for number in re.search(
            r"others +p99 (\S+) times .* at the median of 3 pairs \((\S+) to (\S+)\)", output).groups())
        self.assertTrue(0 < least <= middle <= most, output)
        self.stop(server)

    def test_a_history_that_is_asked_for_again_and_again_costs_no_answer(self):
        server, target = self.start("server", "--sessions", "3")
        rows = self.path("rows.json")
        status, output = self.load(target, "--sessions", "2", "--seconds", "0.5", "--rate", "1000", "--spin",
                                   "--resending", "1", "--resend-messages", "2000", "--json", rows)
        self.assertEqual(status, 0, output)
        self.assertEqual(len(re.findall(r"orders +500 sent, 500 answered", output)), 2, output)
        with open(rows, encoding="utf-8") as file:
            table = {row["benchmark"]: row for row in json.load(file)}
        self.assertEqual(table["response_beside_hostile"]["n"], 500)
        # Once for the whole history at least; the reports of each order are sent again.
        self.assertGreaterEqual(table["sent_again"]["max"], 2000)
        self.assertIn("3000 orders answered", self.stop(server))

    def test_the_floor_answers_without_reading(self):
        floor, target = self.start("floor")
        status, output = self.load(target, "--raw", "--sessions", "3", "--messages", "2000", "--per-write", "100")
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"orders +6000 sent, 6000 answered")
        self.assertIn("6000 messages counted", self.stop(floor))

    def test_the_floor_that_stores_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as store:
            floor, target = self.start("floor", "--store", store)
            status, output = self.load(target, "--raw", "--sessions", "3", "--messages", "2000", "--per-write", "100")
            self.assertEqual(status, 0, output)
            self.assertRegex(output, r"orders +6000 sent, 6000 answered")
            self.assertIn("6000 messages counted", self.stop(floor))
            self.assertEqual(os.listdir(store), [])

    def test_the_floor_that_cannot_store_says_so(self):
        store = tempfile.mkdtemp(dir=self.directory)
        floor, target = self.start("floor", "--store", store)
        os.rmdir(store)
        status, output = self.load(target, "--raw", "--seconds", "0.3", "--answer-timeout", "0.2")
        self.assertEqual(status, 1, output)
        self.stop(floor)
        with open(self.path("server.log"), encoding="utf-8") as log:
            self.assertRegex(log.read(), rf"affix-lab bench floor: {re.escape(store)}: .* \[O101\]")

    def test_the_sink_answers_nothing(self):
        sink, target = self.start("floor", "--sink", "--spin")
        status, output = self.load(target, "--raw", "--messages", "100", "--answer-timeout", "0.2")
        self.assertEqual(status, 1, output)
        self.assertIn("lost        100 orders", output)
        self.assertIn("100 messages counted", self.stop(sink))

    def test_a_server_that_goes_away_is_reported(self):
        server, target = self.start("server", "--sessions", "1", "--log-level", "INFO")
        load = subprocess.Popen([LAB, "bench", "load", "--target", target, "--seconds", "60", "--rate", "100",
                                 "--answer-timeout", "0.5"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, load)
        with open(self.path("server.log"), encoding="utf-8") as log:
            until = time.monotonic() + TIMEOUT
            while "logged on" not in log.read() and time.monotonic() < until:
                time.sleep(0.01)
        self.stop(server)
        load.send_signal(signal.SIGINT)
        output, _ = load.communicate(timeout=TIMEOUT)
        self.assertEqual(load.returncode, 1, output)
        self.assertRegex(output, r"trouble +1 connections lost, 1 logouts unexpected")

    def test_unknown_sessions_are_reported(self):
        server, target = self.start("server", "--sessions", "1")
        status, output = self.load(target, "--sessions", "2", "--messages", "1", "--logon-timeout", "5")
        self.assertEqual(status, 2, output)
        self.assertIn("session CLIENT2: closed by the peer, 5 times", output)
        self.stop(server)

    def test_wrong_options_are_reported(self):
        nobody = "127.0.0.1:1"
        for arguments, text in (
                (["--sessions", "2", "--sender", "ONE"], "need `{}`"),
                (["--window", "1000"], "a power of two"),
                (["--per-write", "10", "--window", "8"], "1 to the window"),
                (["--rounds", "0"], "1 to 10000"),
                (["--rate", "-1"], "--rate"),
                (["--raw", "--frozen", "1"], "no hostile peers"),
                (["--raw", "--reconnect-storm", "1"], "no storm"),
                (["--body", "55"], "is not `tag=value`"),
                (["--heartbeat", "100000"], "86400"),
                (["--begin-string", "FIX.9"], "FIX.9"),
                (["--server-pid", "2147483647", "--raw", "--messages", "1"], "connection refused"),
                (["--messages", "1"], "session CLIENT1: connection refused, 5 times")):
            with self.subTest(arguments=arguments):
                status, output = self.load(nobody, *arguments)
                self.assertNotEqual(status, 0)
                self.assertIn(text, output)
        status, output = self.load("nowhere")
        self.assertEqual(status, 2)
        self.assertIn("nowhere", output)
        done = subprocess.run([LAB, "bench", "server", "--listen", "here"], capture_output=True, text=True,
                              timeout=TIMEOUT)
        self.assertEqual(done.returncode, 2)
        self.assertIn("here", done.stderr)


if __name__ == "__main__":
    unittest.main()
