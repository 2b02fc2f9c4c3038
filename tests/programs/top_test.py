#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix top` beside a demo that trades: once as a table and as JSON, live in a terminal with its keys, and on bad files."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from program_fixture import until

AFFIX = sys.argv.pop(1)
LAB = AFFIX + "-lab"
PATIENCE = 60


class Top(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="affix-top-test-")
        cls.counters = cls.directory + "/exchange.counters"
        cls.demo = subprocess.Popen([LAB, "demo", "--directory", cls.directory, "--duration", "120", "--rate", "200"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until("a logon", lambda: os.path.exists(cls.counters) and
              all(session["standing"] == "logged on" for session in cls.read()["sessions"]))

    @classmethod
    def tearDownClass(cls):
        cls.demo.send_signal(signal.SIGINT)
        cls.demo.wait(PATIENCE)
        shutil.rmtree(cls.directory, ignore_errors=True)

    @classmethod
    def top(cls, *arguments):
        return subprocess.run([AFFIX, "top", *arguments], capture_output=True, text=True, timeout=PATIENCE)

    @classmethod
    def read(cls, *arguments):
        done = cls.top(cls.counters, "--json", "--interval", "0", *arguments)
        return json.loads(done.stdout) if done.returncode == 0 else {"sessions": [{"standing": done.stderr}]}

    def test_json_has_the_counters(self):
        before = self.read()
        self.assertTrue(before["engine"]["running"])
        self.assertEqual(len(before["sessions"]), 4)
        session = until("an order", lambda: next((one for one in self.read()["sessions"]
                                                  if one["application_received"] > 64), None))
        self.assertGreaterEqual(session["messages_received"], session["application_received"])
        self.assertGreater(session["latencies"]["callback"]["count"], 0)
        self.assertGreater(session["latencies"]["callback"]["p99"], 0)
        worker = self.read()["workers"][0]
        self.assertGreater(worker["messages"], 0)
        self.assertGreater(worker["distributions"]["turn"]["count"], 0)

    def test_once_is_a_table_without_control_characters(self):
        done = self.top(self.counters, "--interval", "0.5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\x1b", done.stdout)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^affix [\d.]+, process \d+, running for \d+[sm], 4 of 4 sessions logged on$")
        self.assertRegex(lines[1], r"^worker 0: 4 sessions, busy [\d.]+ %, \d+ messages/s, turn p99 [\d.]+[nmu]s")
        self.assertRegex(lines[2], r"^SESSION +STATE +FOR +IN/S +OUT/S +WAITING +APP p50 +APP p99")
        self.assertEqual(len(lines), 7)
        self.assertEqual(lines[3:], sorted(lines[3:]))
        reverse = self.top(self.counters, "--interval", "0", "--reverse").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in reverse[3:]], [line.split()[0] for line in lines[:2:-1]])
        name = lines[3].split()[0]
        only = self.top(self.counters, "--interval", "0", "--filter", name.lower()).stdout.splitlines()
        self.assertEqual([line.split()[0] for line in only[3:]], [name])

    def test_a_configuration_names_the_file(self):
        done = self.top(self.directory + "/exchange.ini", "--once", "--interval", "0")
        self.assertIn("4 of 4 sessions", done.stdout, done.stderr)

    def test_bad_files_are_refused_in_words(self):
        self.assertRegex(self.top(self.directory + "/none").stderr, r"/none: .* \[O101\]\n")
        foreign = self.directory + "/foreign"
        with open(foreign, "wb") as file:
            file.write(b"nothing of the kind" * 1000)
        done = self.top(foreign)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"/foreign: .* \[A121\]\n")
        done = self.top(self.counters, "--sort", "colour")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"'colour'.* session state .*\[P130\]\n")

    @unittest.skipUnless(shutil.which("tmux"), "tmux is not installed")
    def test_live_in_a_terminal(self):
        socket = self.directory + "/tmux"

        def tmux(*arguments):
            return subprocess.run(["tmux", "-S", socket, "-f", "/dev/null", *arguments], check=True, capture_output=True,
                                  text=True, timeout=PATIENCE).stdout

        def picture():
            return tmux("capture-pane", "-p")

        def press(*keys):
            tmux("send-keys", *keys)

        command = shlex.join([AFFIX, "top", self.counters, "--interval", "0.2"])
        tmux("new-session", "-d", "-x", "120", "-y", "20", command + "; echo ended; cat")
        try:
            first = until("a picture", lambda: "q quit" in picture() and picture())
            self.assertIn("4 of 4 sessions logged on", first)
            self.assertIn("sorted by session", first)
            rows = [line for line in first.splitlines() if " logged on " in line and "sessions" not in line]
            self.assertEqual(len(rows), 4)
            names = [row.split()[0] for row in rows]
            self.assertEqual(names, sorted(names))
            until("rates", lambda: any(line.split()[4] not in ("0", "IN/S") for line in picture().splitlines()
                                       if " logged on " in line and "sessions" not in line))
            press("r")
            until("the reverse order", lambda: picture().find(names[-1]) < picture().find(names[0]))
            press(">")
            until("another order", lambda: "sorted by state" in picture())
            press("/", *names[1].lower())
            until("the filter", lambda: names[1] in picture() and names[0] not in picture())
            press("Escape")
            until("no filter", lambda: names[0] in picture())
            tmux("resize-window", "-x", "50", "-y", "10")
            until("a narrow picture", lambda: "IN/S" in picture() and "APP p50" not in picture())
            press("q")
            until("the end", lambda: "ended" in picture())
        finally:
            tmux("kill-server")


if __name__ == "__main__":
    unittest.main()
