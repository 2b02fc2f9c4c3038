#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Engines that dial in, and engines that a command kills and starts again, with their memory and without.

Usage: restart_test.py AFFIX_LAB CONFORMANCE_ECHO
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import restart_engine

ROOT = Path(__file__).resolve().parents[2]
LAB, ECHO = sys.argv[1:3]
del sys.argv[1:3]
SESSION = ("--begin-string", "FIX.4.4", "--sender", "TW44_1", "--target", "ISLD")
RESTARTS = ("--scenario", "X-restart", "--scenario", "X-restart-gap", "--scenario", "X-restart-forgotten")


def restarts(folder, *arguments):
    """The command that restarts the Engine of this folder."""
    return f"{sys.executable} {restart_engine.__file__} {folder}/engine.json {' '.join(arguments)}"


class Engine:
    """The echo, and a file with what is needed to start it again."""

    def __init__(self, folder, *arguments, awaits=""):
        self.state = folder / "engine.json"
        journal = folder / "echo/journal"
        # The state that it goes on with if nothing was removed. The first time there is none.
        command = [ECHO, "--directory", str(folder / "echo"), "--plain-sessions", "1", "--only", "plain_fix44_1",
                   "--keep-journals", *arguments]
        state = {"command": command, "journal": str(journal), "awaits": awaits}
        self._first = restart_engine.start(state)
        self.state.write_text(json.dumps({**state, "pid": self._first.pid}))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.kill(json.loads(self.state.read_text())["pid"], signal.SIGKILL)
        self._first.communicate(timeout=60)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as held:
        return held.getsockname()[1]


class Restart(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def acceptor(self):
        port = str(free_port())
        engine = Engine(self.folder, "--port", port, awaits="listening on")
        return engine, f"127.0.0.1:{port}"

    def certify(self, address, *arguments):
        return subprocess.run([LAB, "certify", "run", "session", "--address", address, *SESSION, "--keeps-numbers", *RESTARTS,
                               *arguments], capture_output=True, text=True, timeout=300)

    def test_an_engine_that_remembers_and_forgets_as_it_should(self):
        engine, address = self.acceptor()
        with engine:
            played = self.certify(address, "--restart", restarts(self.folder), "--restart-without-memory",
                                  restarts(self.folder, "--without-memory"))
        self.assertEqual(played.returncode, 0, played.stdout + played.stderr)
        self.assertIn("3 passed, 0 failed, 1 skipped", played.stdout)

    def test_an_engine_that_forgets_is_caught(self):
        engine, address = self.acceptor()
        with engine:
            played = self.certify(address, "--restart", restarts(self.folder, "--without-memory"))
        self.assertEqual(played.returncode, 1, played.stdout + played.stderr)
        self.assertRegex(played.stdout, r"scenario X-restart .*\n  MsgSeqNum \(34\): expected '3', got '1'")
        self.assertIn("0 passed, 2 failed, 2 skipped", played.stdout)

    def test_without_a_command_nothing_is_killed(self):
        engine, address = self.acceptor()
        with engine:
            played = self.certify(address, "--scenario", "4 b")
            self.assertEqual(played.returncode, 0, played.stdout + played.stderr)
            self.assertRegex(played.stdout, r"[1-9]\d* passed, 0 failed, \d+ skipped")

    def test_a_command_that_fails_is_told(self):
        engine, address = self.acceptor()
        with engine:
            played = self.certify(address, "--restart", "exit 3", "--scenario", "X-restart")
            self.assertIn("the engine was not restarted: 'exit 3' has ended with status 3", played.stdout)
            played = self.certify(address, "--restart", "sleep 60", "--connect-timeout", "0.2")
            self.assertIn("'sleep 60' did not end within", played.stdout)

    @contextlib.contextmanager
    def listening(self, *arguments):
        """`affix certify run` that waits for an engine, and its port."""
        venue = subprocess.Popen([LAB, "certify", "run", "session", "--listen", "127.0.0.1:0", *SESSION, "--connect-timeout",
                                  "60", *arguments],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            yield venue, re.search(r"127\.0\.0\.1:(\d+)", venue.stdout.readline())[1]
        finally:
            venue.kill()
            venue.communicate(timeout=60)

    def test_an_engine_that_dials_in_passes_the_session_scenarios(self):
        with self.listening("--longest-wait", "6") as (venue, port), Engine(self.folder, "--connect", port, "--plain-resets"):
            said = venue.communicate(timeout=400)[0]
        self.assertEqual(venue.returncode, 0, said[-6000:])
        self.assertGreater(int(re.search(r"(\d+) passed, 0 failed", said)[1]), 60, said)

    def test_faults_of_an_engine_that_dials_in_are_caught(self):
        for rule, scenario in (("out 0 112=* remove 112", "4 b"), ("out A change 108=31", "1B a, b"),
                               ("out 2 lose", "1B c"), ("out 5 keep-open", "13 b")):
            with self.subTest(rule):
                (self.folder / "faults").write_text(rule + "\n")
                with self.listening("--scenario", scenario) as (venue, port), \
                        Engine(self.folder, "--connect", port, "--plain-resets", "--faults", str(self.folder / "faults")):
                    said = venue.communicate(timeout=120)[0]
                self.assertEqual(venue.returncode, 1, said)
                self.assertIn(f"scenario {scenario} ", said)

    def test_an_engine_that_dials_in_is_killed(self):
        for without, code in (((), 0), (("--without-memory",), 1)):
            with self.subTest(without):
                folder = self.folder / str(code)
                folder.mkdir()
                with self.listening("--keeps-numbers", "--scenario", "X-restart", "--restart",
                                    restarts(folder, *without)) as (venue, port), Engine(folder, "--connect", port):
                    said = venue.communicate(timeout=120)[0]
                self.assertEqual(venue.returncode, code, said)
                self.assertIn("1 passed" if code == 0 else "MsgSeqNum (34): expected '3', got '1'", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
