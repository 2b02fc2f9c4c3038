#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix-lab demo --failover` as a newcomer runs it, shortened: the node that leads is killed, nothing is lost, and the account says
so; when something is missing, the account says that; and nothing is left behind."""

import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

import program_fixture

AFFIX = os.path.abspath(sys.argv.pop(1))
LAB = AFFIX + "-lab"
TIMEOUT = 120
SHORT = ("--duration", "3", "--kill-after", "1.2", "--return-after", "0.8", "--rate", "50")


class FailoverDemo(program_fixture.ProgramTest):
    def start(self, *arguments, **environment):
        process = subprocess.Popen([LAB, "demo", "--failover", "--directory", self.directory, *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **environment})
        self.addCleanup(self.end, process)
        return process

    def finish(self, process):
        """What it printed since the last line that was read."""
        rest, _ = process.communicate(timeout=TIMEOUT)
        return rest

    def processes(self):
        """Numbers and command lines of the running processes that work in the directory."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    line = file.read().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if self.directory in line:
                found.append((int(pid), line))
        return found

    def read_until(self, process, pattern):
        for line in process.stdout:
            if re.search(pattern, line):
                return
        self.fail(f"the demonstration has ended without {pattern!r}")


@unittest.skipUnless(shutil.which("etcd"), "etcd is not installed (Debian: etcd-server)")
class WithEtcd(FailoverDemo):
    def test_nothing_is_lost(self):
        process = self.start(*SHORT)
        out = self.finish(process)
        self.assertEqual(process.returncode, 0, out)
        self.assertTrue(out.endswith("\nlost: nothing\n"), out)
        self.assertNotIn("\x1b", out, "no terminal, so no control characters")
        events = [re.search(pattern, out) for pattern in (
            r"kill -9 of (LONDON[12]), process \d+\n", r"(LONDON[12]) leads, epoch 2\n",
            r"the next request is answered, ([\d.]+ m?s) after the kill\n", r"LONDON[12] is started again\n",
            r"LONDON[12] has everything and is in sync again\n")]
        self.assertTrue(all(events), out)
        self.assertNotEqual(events[0].group(1), events[1].group(1))
        self.assertRegex(out, r"\n +\d\.\d s  LONDON1 .*  LONDON2 .*  sessions [0-4]/4  answered \d+ \(\d+/s\)  waiting \d+\n")
        for line in (r"requests    [1-9]\d* sent", r"reports     [1-9]\d* sent", r"unanswered  0", r"numbers     16 ",
                     r"copies      8 journals, [1-9]\d* records", r"take-over   [\d.]+ m?s to the next answered request"):
            self.assertRegex(out, rf"(?m)^{line}")
        self.assertEqual(self.processes(), [])
        self.assertFalse((self.folder / "etcd").exists(), "etcd's data are nobody's")
        self.assert_account_is_true(out)

    def assert_account_is_true(self, out):
        """By `affix log` instead of the account's own reader."""
        def orders(part, direction):
            log = subprocess.run([AFFIX, "log", self.path(part)], check=True, capture_output=True, text=True,
                                 timeout=TIMEOUT).stdout
            return sorted(re.search(r"\|11=([^|]*)\|", line).group(1) for line in log.splitlines()
                          if f" {direction} " in line and re.search(r"\|35=[DFG]\|", line))
        sent = orders("traders", "OUT")
        self.assertIn(f"requests    {len(sent)} sent", out)
        self.assertEqual(orders("exchange", "IN"), sent)

    def test_what_is_missing_is_told(self):
        process = self.start(*SHORT)
        self.read_until(process, "LONDON1 primary")
        # Without it nobody can take over.
        for pid in [pid for pid, line in self.processes() if "etcd --name" in line]:
            os.kill(pid, signal.SIGKILL)
        out = self.finish(process)
        self.assertEqual(process.returncode, 1, out)
        self.assertNotIn("lost: nothing", out)
        self.assertIn("etcd has ended", out)
        # Whether a request was under way at the kill is chance; that nobody goes on is not.
        self.assertRegex(out, r"lost: \d+ messages of \d+ requests and \d+ reports; .* \[L109\]\n")
        self.assertRegex(out, r"LONDON[12] is not in sync again\n")
        self.assertEqual(self.processes(), [])

    def test_an_interrupt_leaves_nothing_behind(self):
        for moment in ("starting", "kill -9 of"):
            with self.subTest(moment=moment):
                process = self.start("--duration", "30", "--kill-after", "1", "--return-after", "20", "--rate", "50")
                self.read_until(process, moment)
                process.send_signal(signal.SIGINT)
                out = self.finish(process)
                self.assertEqual(process.returncode, 0, out)
                self.assertIn("stopped", out)
                self.assertNotIn("lost", out)
                self.assertEqual(self.processes(), [])
                self.assertFalse((self.folder / "etcd").exists())

    def test_a_kill_leaves_no_process(self):
        process = self.start(*SHORT)
        self.read_until(process, "LONDON1 primary")
        process.kill()
        process.wait()
        program_fixture.until("the end of all processes", lambda: not self.processes())


class Mistakes(FailoverDemo):
    def test_without_etcd_it_says_what_to_install(self):
        process = self.start(PATH="/nowhere")
        out = self.finish(process)
        self.assertEqual(process.returncode, 1, out)
        self.assertIn("apt-get install etcd-server [L109]", out)
        self.assertEqual(os.listdir(self.directory), [])

    def test_options_that_do_not_fit_together(self):
        process = self.start("--duration", "5", "--kill-after", "4", "--return-after", "2")
        self.assertIn("[L109]", self.finish(process))
        self.assertEqual(process.returncode, 1)


if __name__ == "__main__":
    unittest.main()
