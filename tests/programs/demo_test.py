#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix-lab demo` as a newcomer runs it: it trades, shows, ends by itself, can be repeated and can be stopped."""

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


def processes_with(text):
    """Command lines of running processes that contain `text`."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                line = file.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in line and int(pid) != os.getpid():
            found.append(line)
    return found


class Demo(program_fixture.ProgramTest):
    def demo(self, *arguments):
        return subprocess.run([LAB, "demo", "--directory", self.directory, *arguments],
                              capture_output=True, text=True, timeout=TIMEOUT)

    def test_trades_and_can_be_repeated(self):
        for _ in range(2):
            done = self.demo("--duration", "1.5", "--rate", "100")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("sessions 4/4", done.stdout)
            self.assertNotIn("\x1b", done.stdout, "no terminal, so no control characters")
            self.assertRegex(done.stdout, r"orders +[1-9]\d* sent, [1-9]\d* accepted, 0 rejected")
            self.assertRegex(done.stdout, r"unanswered +0\n")
            self.assertNotIn("trouble", done.stdout)
            self.assertRegex(done.stdout, r"market data [1-9]\d* snapshots, [1-9]\d* increments, [1-9]\d* entries")
            for symbol in ("AAPL", "MSFT", "NOKIA.HE"):
                self.assertRegex(done.stdout, rf"\n +{symbol} +\d+ @ [\d.]+ \| \d+ @ [\d.]+")
                self.assertRegex(done.stdout, rf"\nbook +{symbol} +")
            self.assert_validated_and_nothing_refused()
            order = re.search(r"The life of order (\S+),", done.stdout)
            self.assertTrue(order, "some order is filled")
            self.assertIn(f"        11 ClOrdID              = {order.group(1)}\n", done.stdout)
            self.assertRegex(done.stdout, r"39 OrdStatus += 2 +\(Filled\)")
            self.assertEqual(processes_with(self.directory), [])

    def assert_validated_and_nothing_refused(self):
        """Every session has its dictionary, and nobody sent a Reject."""
        for side in ("exchange", "traders"):
            with open(f"{self.directory}/{side}.ini", encoding="ascii") as file:
                dictionaries = re.findall(r"^dictionary=.*/FIX\d+(?:SP\d)?\.xml$", file.read(), re.MULTILINE)
            self.assertEqual(len(dictionaries), 4)
            log = subprocess.run([AFFIX, "log", f"{self.directory}/{side}"], check=True,
                                 capture_output=True, text=True, timeout=TIMEOUT).stdout
            self.assertIsNone(re.search(r"\|35=[3jY]\|.*", log))

    def test_journals_of_both_sides_agree(self):
        done = self.demo("--duration", "1", "--rate", "100")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

        def messages(side, direction, sender):
            log = subprocess.run([AFFIX, "log", f"{self.directory}/{side}"], check=True,
                                 capture_output=True, text=True, timeout=TIMEOUT).stdout
            return [line.split(" 8=", 1)[1] for line in log.splitlines()
                    if f" {direction} " in line and f"|49={sender}|" in line]

        for trader in ("ALICE", "BOB", "CAROL", "DAVE"):
            sent = messages("traders", "OUT", trader)
            self.assertGreater(len(sent), 10)
            self.assertEqual(sent, messages("exchange", "IN", trader))
        everything = messages("exchange", "OUT", "EXCHANGE")
        self.assertCountEqual(everything, messages("traders", "IN", "EXCHANGE"))

    def test_interrupt_logs_everyone_out(self):
        process = subprocess.Popen([LAB, "demo", "--directory", self.directory, "--duration", "60"],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            for line in process.stdout:
                if "sessions 4/4" in line:
                    break
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=TIMEOUT)
        finally:
            process.kill()
        self.assertEqual(process.returncode, 0, rest)
        self.assertIn("stopped: everyone is logged out", rest)
        self.assertEqual(processes_with(self.directory), [])
        log = subprocess.run([AFFIX, "log", f"{self.directory}/exchange"], check=True,
                             capture_output=True, text=True, timeout=TIMEOUT).stdout
        self.assertEqual(len([line for line in log.splitlines() if " IN " in line and "|35=5|" in line]), 4)

    def test_a_directory_that_cannot_be_made_is_one_error(self):
        done = subprocess.run([LAB, "demo", "--directory", "/proc/nowhere"], capture_output=True,
                              text=True, timeout=TIMEOUT)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("/proc/nowhere", done.stderr)


if __name__ == "__main__":
    unittest.main()
