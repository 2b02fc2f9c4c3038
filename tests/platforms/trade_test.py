#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An exchange and a trader on two platforms: they trade with each other, and each reads, verifies, continues and replays
the journals that the other has written.

Usage: trade_test.py HERE THERE: the program `affix` of two platforms, affix-lab beside each; for a platform that needs an
emulator a script that calls it.
"""

import json
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

THERE = sys.argv.pop(2)
HERE = sys.argv.pop(1)
PAIRS = ((HERE, THERE), (THERE, THERE))
ORDERS = 300
TIMEOUT = 120
SESSION = "begin_string=FIX.4.4\nsender_comp_id={us}\ntarget_comp_id={them}\njournal_path={journal}\n"
# Ids that the exchange makes up, and the times it writes.
MASKS = ("--renamed", "37,17", "--ignore", "60")


def run(*command, code=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=TIMEOUT, check=False)
    if done.returncode != code:
        said = (done.stdout + done.stderr).decode(errors="replace")
        raise AssertionError(f"{command}: {done.returncode}\n{said[-4000:]}")
    return done.stdout


class Exchange:
    """`affix-lab exchange` of a platform, with one session."""

    def __init__(self, affix, folder):
        self.journals = folder / "exchange"
        config = folder / "exchange.ini"
        config.write_text("[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n[TRADER]\n" +
                          SESSION.format(us="EXCHANGE", them="TRADER", journal=self.journals))
        self._process = subprocess.Popen([affix + "-lab", "exchange", "--config", str(config)], stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True)
        watchdog = threading.Timer(TIMEOUT, self._process.kill)  # Ends the wait below, should it never come.
        watchdog.start()
        lines = []
        for line in self._process.stdout:
            lines.append(line)
            found = re.search(r"listening on 127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        else:
            raise AssertionError("the exchange does not listen:\n" + "".join(lines))
        watchdog.cancel()
        self._drain = threading.Thread(target=self._process.stdout.read, daemon=True)
        self._drain.start()

    @property
    def journal(self):
        return self.journals / "FIX.4.4-EXCHANGE-TRADER"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(TIMEOUT)
        finally:
            self._process.kill()
            self._process.wait()
            self._drain.join()
            self._process.stdout.close()


class Trade(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="affix-platforms-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def trade(self, affix, port, folder, symbol):
        """Trades in a symbol of its own: the exchange goes on with the book of a run before."""
        config = folder / "trade.ini"
        config.write_text(f"[CLIENT]\nprimary_address=127.0.0.1\nprimary_port={port}\n[EXCHANGE]\n" +
                          SESSION.format(us="TRADER", them="EXCHANGE", journal=folder / "trader"))
        summary = json.loads(run(affix + "-lab", "trade", "--config", config, "--count", ORDERS, "--rate", 10_000, "--symbol", symbol,
                                 "--prefix", symbol, "--json"))
        return summary, folder / "trader" / "FIX.4.4-TRADER-EXCHANGE"

    def assert_read_alike(self, journal):
        for affix in (HERE, THERE):
            run(affix, "journal", "verify", journal)
        self.assertEqual(run(HERE, "journal", "export", "--format", "json", journal),
                         run(THERE, "journal", "export", "--format", "json", journal))

    def test_they_trade_and_read_each_others_journals(self):
        for venue, trader in PAIRS:
            folder = self.folder / f"{PAIRS.index((venue, trader))}"
            folder.mkdir()
            with self.subTest(venue=venue, trader=trader):
                with Exchange(venue, folder) as exchange:
                    summary, journal = self.trade(trader, exchange.port, folder, "MSFT")
                self.assert_all_answered(summary)
                for each in (exchange.journal, journal):
                    self.assert_read_alike(each)
                # Each goes on with the journals of the other.
                with Exchange(trader, folder) as exchange:
                    summary, journal = self.trade(venue, exchange.port, folder, "IBM")
                self.assert_all_answered(summary)
                for each in (exchange.journal, journal):
                    self.assert_read_alike(each)

    def test_a_journal_of_one_is_replayed_by_the_other(self):
        for writer, reader in ((HERE, THERE), (THERE, HERE)):
            folder = self.folder / Path(writer).parent.name
            folder.mkdir()
            with self.subTest(writer=writer, reader=reader):
                with Exchange(writer, folder) as exchange:
                    self.trade(writer, exchange.port, folder, "MSFT")
                fresh = folder / "fresh"
                fresh.mkdir()
                with Exchange(writer, fresh) as other:
                    run(reader, "replay", exchange.journal, "--against", f"127.0.0.1:{other.port}", *MASKS)

    def assert_all_answered(self, summary):
        self.assertTrue(summary["sound"], summary)
        self.assertEqual((summary["round_trip_ns"]["count"], summary["unanswered"]), (ORDERS, 0), summary)


if __name__ == "__main__":
    unittest.main(verbosity=2)
