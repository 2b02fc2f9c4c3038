#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An exchange and a trader on two platforms: they trade with each other, and each reads, verifies, continues and replays
the journals that the other has written.

Usage: trade_test.py HERE THERE: the program `affix` of two platforms, affix-lab beside each; for a platform that needs an
emulator a script that calls it.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "programs"))
from exchange_process import ExchangeProcess  # noqa: E402

THERE = sys.argv.pop(2)
HERE = sys.argv.pop(1)
PAIRS = ((HERE, THERE), (THERE, THERE))
ORDERS = 300
TIMEOUT = 120
# Ids that the exchange makes up, and the times it writes.
MASKS = ("--renamed", "37,17", "--ignore", "60")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=TIMEOUT, check=False)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).decode(errors="replace")
        raise AssertionError(f"{command}: {done.returncode}\n{said[-4000:]}")
    return done.stdout


class Trade(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="affix-platforms-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def trade(self, affix, port, folder, symbol):
        """Trades in a symbol of its own: the exchange goes on with the book of a run before."""
        config = folder / "trade.ini"
        config.write_text(f"[CLIENT]\nprimary_address=127.0.0.1\nprimary_port={port}\n[EXCHANGE]\n"
                          "begin_string=FIX.4.4\nsender_comp_id=TRADER\ntarget_comp_id=EXCHANGE\n"
                          f"journal_path={folder / 'trader'}\n")
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
                with ExchangeProcess(venue, folder, timeout=TIMEOUT) as exchange:
                    summary, journal = self.trade(trader, exchange.port, folder, "MSFT")
                self.assert_all_answered(summary)
                for each in (exchange.journal, journal):
                    self.assert_read_alike(each)
                # Each goes on with the journals of the other.
                with ExchangeProcess(trader, folder, timeout=TIMEOUT) as exchange:
                    summary, journal = self.trade(venue, exchange.port, folder, "IBM")
                self.assert_all_answered(summary)
                for each in (exchange.journal, journal):
                    self.assert_read_alike(each)

    def test_a_journal_of_one_is_replayed_by_the_other(self):
        for writer, reader in ((HERE, THERE), (THERE, HERE)):
            folder = self.folder / Path(writer).parent.name
            folder.mkdir()
            with self.subTest(writer=writer, reader=reader):
                with ExchangeProcess(writer, folder, timeout=TIMEOUT) as exchange:
                    self.trade(writer, exchange.port, folder, "MSFT")
                fresh = folder / "fresh"
                fresh.mkdir()
                with ExchangeProcess(writer, fresh, timeout=TIMEOUT) as other:
                    run(reader, "replay", exchange.journal, "--against", f"127.0.0.1:{other.port}", *MASKS)

    def assert_all_answered(self, summary):
        self.assertTrue(summary["sound"], summary)
        self.assertEqual((summary["round_trip_ns"]["count"], summary["unanswered"]), (ORDERS, 0), summary)


if __name__ == "__main__":
    unittest.main(verbosity=2)
