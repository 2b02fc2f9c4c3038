#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keys of the engine group that a whole process shows: its log and its signals."""

import re
import signal
import socket
import subprocess
import sys
import unittest

import program_fixture

LAB = sys.argv.pop(1) + "-lab"
TIMEOUT = 60


class EngineKeys(program_fixture.ProgramTest):
    def start(self, engine_lines):
        config = self.write("exchange.cfg",
                            f"[ENGINE]\n{engine_lines}[EXCHANGE]\naccept_port=0\nnic_address=127.0.0.1\n[SESSION1]\n"
                            "begin_string=FIX.4.4\nsender_comp_id=US\ntarget_comp_id=THEM\n"
                            f"sequence_store_file_path=old.store\njournal_path={self.directory}/journal\n")
        self.process = subprocess.Popen([LAB, "exchange", "--config", config], stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, self.process)
        line = self.process.stdout.readline()
        self.assertRegex(line, r"^listening on 127\.0\.0\.1:\d+\n$")
        # It is at work when it closes a connection whose first bytes are no Logon's.
        with socket.create_connection(("127.0.0.1", int(line.rsplit(":", 1)[1])), timeout=TIMEOUT) as peer:
            peer.sendall(b"\x16\x03\x01")
            self.assertEqual(self.received(peer), b"")

    @staticmethod
    def received(peer):
        try:
            return peer.recv(1)
        except ConnectionResetError:
            return b""

    def stop(self, number):
        self.process.send_signal(number)
        self.process.stdout.read()
        return self.process.wait(timeout=TIMEOUT)

    def logged(self, level):
        path = self.path(level)
        self.start(f"log_level={level}\nlog_file={path}\n")
        self.assertEqual(self.stop(signal.SIGTERM), 0)
        with open(path, encoding="ascii") as file:
            return file.read()

    def test_log_level_and_file(self):
        # A warning at every start: an old store path.
        warning = re.compile(r"WARNING C208 .*key 'sequence_store_file_path'")
        self.assertRegex(self.logged("WARNING"), warning)
        self.assertNotRegex(self.logged("ERROR"), warning)

    def test_ignore_sighup(self):
        self.start("ignore_sighup=true\n")
        self.process.send_signal(signal.SIGHUP)
        # It is there to be ended by another.
        self.assertEqual(self.stop(signal.SIGTERM), 0)
        with open(self.path("exchange.cfg"), encoding="ascii") as file:
            self.assertIn("ignore_sighup=true", file.read())


if __name__ == "__main__":
    unittest.main()
