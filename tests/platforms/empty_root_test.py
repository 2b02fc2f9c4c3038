#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Static programs in roots that have nothing else: no library, no /proc, no /dev, no /etc.

Usage: empty_root_test.py PROGRAMS: the folder of `affix` and `affix-lab`. Skipped (77) where neither root nor user
namespaces can change the root.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

PROGRAMS = Path(sys.argv.pop(1))
ORDERS = 300
TIMEOUT = 60
CHANGE_ROOT = ["chroot"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "chroot"]


class Root:
    """A folder with one program, made the root of each process that runs it."""

    def __init__(self, folder, program):
        self.folder = folder
        folder.mkdir()
        shutil.copy2(PROGRAMS / program, folder / program)
        self.command = [*CHANGE_ROOT, str(folder), f"/{program}"]

    def run(self, *arguments):
        done = subprocess.run([*self.command, *map(str, arguments)], capture_output=True, timeout=TIMEOUT, check=False, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout


class Running:
    """A program that serves, from its line with a port on; SIGTERM at the end, after which it must have succeeded."""

    def __init__(self, root, *arguments, until):
        self.process = subprocess.Popen([*root.command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        watchdog = threading.Timer(TIMEOUT, self.process.kill)  # Ends the wait below, should it never come.
        watchdog.start()
        self.lines = []
        self.found = None
        for line in self.process.stdout:
            self.lines.append(line)
            self.found = re.search(until, line)
            if self.found:
                break
        watchdog.cancel()
        if self.found is None:
            self.process.wait()
            raise AssertionError("it does not serve:\n" + "".join(self.lines))
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(TIMEOUT)
        finally:
            self.process.kill()
            self.process.wait()
            self.reader.join()
            self.process.stdout.close()
        if self.process.returncode != 0:
            raise AssertionError(f"it ended with {self.process.returncode}:\n" + "".join(self.lines))


class EmptyRoot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="affix-root-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_the_program_is_one_file(self):
        root = Root(self.folder / "affix", "affix")
        self.assertRegex(root.run("--version"), r"\d+\.\d+")
        self.assertEqual([path.name for path in root.folder.iterdir()], ["affix"])

    def test_an_exchange_and_a_trader_trade_and_their_journals_are_sound(self):
        venue = Root(self.folder / "venue", "affix-lab")
        trader = Root(self.folder / "trader", "affix-lab")
        (venue.folder / "exchange.ini").write_text(
            "[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n[TRADER]\nbegin_string=FIX.4.4\nsender_comp_id=EXCHANGE\n"
            "target_comp_id=TRADER\njournal_path=/journal\n")
        with Running(venue, "exchange", "--config", "/exchange.ini", until=r"listening on 127\.0\.0\.1:(\d+)") as exchange:
            (trader.folder / "trade.ini").write_text(
                f"[CLIENT]\nprimary_address=127.0.0.1\nprimary_port={exchange.found.group(1)}\n[EXCHANGE]\nbegin_string=FIX.4.4\n"
                "sender_comp_id=TRADER\ntarget_comp_id=EXCHANGE\njournal_path=/journal\n")
            summary = json.loads(trader.run("trade", "--config", "/trade.ini", "--count", ORDERS, "--rate", 10_000, "--symbol",
                                            "MSFT", "--prefix", "MSFT", "--json"))
        self.assertTrue(summary["sound"], summary)
        self.assertEqual((summary["round_trip_ns"]["count"], summary["unanswered"]), (ORDERS, 0), summary)
        for root, name in ((venue, "FIX.4.4-EXCHANGE-TRADER"), (trader, "FIX.4.4-TRADER-EXCHANGE")):
            reader = Root(self.folder / f"reader-{name}", "affix")
            shutil.copytree(root.folder / "journal" / name, reader.folder / "journal")
            reader.run("journal", "verify", "/journal")
            lines = reader.run("journal", "export", "--format", "json", "/journal").splitlines()
            self.assertGreaterEqual(len(lines), 2 * ORDERS)

    def test_serve_logs_on_to_serve(self):
        server = Root(self.folder / "server", "affix")
        client = Root(self.folder / "client", "affix")
        (server.folder / "serve.ini").write_text(
            "[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n[THERE]\nbegin_string=FIX.4.4\nsender_comp_id=HERE\n"
            "target_comp_id=THERE\njournal_path=/journal\n")
        with Running(server, "serve", "/serve.ini", until=r"127\.0\.0\.1:(\d+)") as serving:
            (client.folder / "serve.ini").write_text(
                f"[CLIENT]\nprimary_address=127.0.0.1\nprimary_port={serving.found.group(1)}\n[HERE]\nbegin_string=FIX.4.4\n"
                "sender_comp_id=THERE\ntarget_comp_id=HERE\njournal_path=/journal\n")
            with Running(client, "serve", "/serve.ini", until=r"logged on"):
                pass
        for root, name in ((server, "FIX.4.4-HERE-THERE"), (client, "FIX.4.4-THERE-HERE")):
            root.run("journal", "verify", f"/journal/{name}")


if __name__ == "__main__":
    if subprocess.run([*CHANGE_ROOT, "/", "true"], capture_output=True, check=False).returncode != 0:
        print("skipped: neither root nor user namespaces can change the root")
        sys.exit(77)
    unittest.main(verbosity=2)
