# SPDX-License-Identifier: MIT
"""Settings files as QuickFIX's users write them, imported, and run against QuickFIX in both roles."""

import datetime
import subprocess
import sys
from pathlib import Path

import affix_programs
import peers

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from held_port import held_port  # noqa: E402

# In the style of QuickFIX's own examples: what all sessions have, then the sessions.
DICTIONARY_SETTINGS = {
    "FIX.4.2": "DataDictionary={folder}/FIX42.xml\n",
    "FIX.4.4": "DataDictionary={folder}/FIX44.xml\n",
    "FIXT.1.1": "DefaultApplVerID=FIX.5.0SP2\nTransportDataDictionary={folder}/FIXT11.xml\nAppDataDictionary={folder}/FIX50SP2.xml\n",
}
EXECUTOR = """[DEFAULT]
ConnectionType=acceptor
SocketReuseAddress=Y
SocketAcceptPort={port}
SocketAcceptAddress=127.0.0.1
StartTime={boundary}
EndTime={boundary}
FileStorePath={store}
SenderCompID=EXCHANGE
{dictionaries}
[SESSION]
BeginString={version}
TargetCompID=BUYER

[SESSION]
BeginString={version}
TargetCompID=SELLER
"""
TRADE_CLIENT = """[DEFAULT]
ConnectionType=initiator
ReconnectInterval=1
FileStorePath={store}
NonStopSession=Y
BeginString={version}
TargetCompID=EXCHANGE
HeartBtInt=20
SocketConnectHost=127.0.0.1
SocketConnectPort={closed}
SocketConnectHost1=127.0.0.1
SocketConnectPort1={closed}
SocketConnectHost2=localhost
SocketConnectPort2={port}
{dictionaries}
[SESSION]
SenderCompID=TRADER1
[SESSION]
SenderCompID=TRADER2
"""
HEADER = "ClOrdID,MsgType,OrigClOrdID,Symbol,Side,OrdType,OrderQty,Price,Delay\n"


class AffixImport(peers.InteropTest):
    def held_port(self):
        """One that a settings file can name: nobody else gets it while the test runs."""
        return self.enterContext(held_port())

    def import_settings(self, text, **values):
        settings, config = self.directory / "quickfix.cfg", self.directory / "affix.cfg"
        dictionaries = DICTIONARY_SETTINGS[peers.BEGIN_STRING].format(folder=peers.DICTIONARIES)
        # Numbers start over at that time, so it is far from now.
        boundary = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=12)).strftime("%H:%M:%S")
        settings.write_text(text.format(boundary=boundary, version=peers.BEGIN_STRING, store=self.folder("journal"), dictionaries=dictionaries,
                                        **values))
        done = subprocess.run([peers.AFFIX, "import-quickfix", str(settings), "--out", str(config)], capture_output=True,
                              text=True, check=False, timeout=peers.DEADLINE_SECONDS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("Unknown:", done.stderr)
        return config

    def test_an_imported_acceptor_takes_quickfix_traders(self):
        exchange, port = affix_programs.open_exchange(self, self.import_settings(EXECUTOR, port=self.held_port()))
        traders = {}
        for name in ("BUYER", "SELLER"):
            traders[name] = peers.open_quickfix_trader(self, port, self.folder(name), sender=name)
            traders[name].command("logon")
            traders[name].wait_event("logon")
        buyer, seller = traders.values()
        buyer.command("order B1 MSFT buy 100 25.50 limit")
        buyer.wait_message("delivered", t35="8", t11="B1", t39="0")
        seller.command("order S1 MSFT sell 100 25.50 limit")
        seller.wait_message("delivered", t35="8", t11="S1", t39="2")
        buyer.wait_message("delivered", t35="8", t11="B1", t39="2")
        # QuickFIX forgets what it had; what it asks for then comes again.
        buyer.forget_received(2)
        buyer.command("test_request GAP")
        buyer.wait_message("in", t35="8", t43="Y", t11="B1", t39="2")
        for trader in traders.values():
            trader.command("logout")
            trader.wait_message("in", t35="5")
            trader.wait_event("logout")
            self.assert_quickfix_refused_nothing(trader)
        exchange.kill()
        for name, trader in traders.items():
            journal = self.directory / "journal" / f"{peers.BEGIN_STRING}-EXCHANGE-{name}"
            affix_programs.assert_records_agree(self, trader, "EXCHANGE", journal)

    def test_an_imported_initiator_trades_with_a_quickfix_exchange(self):
        exchange, port = peers.open_quickfix_exchange(self, self.folder("exchange"), targets=("TRADER1", "TRADER2"))
        config = self.import_settings(TRADE_CLIENT, port=port, closed=self.held_port())
        orders = self.directory / "orders.csv"
        orders.write_text(HEADER + "".join(f"A{number},D,,MSFT,Buy,Limit,10,{number},0\n" for number in range(1, 9)))
        trade = affix_programs.open_trade(self, config, "--orders", orders)
        self.assertEqual(trade.wait_exit(), 0)
        self.assertEqual(sorted(message.get(11) for message in exchange.messages("delivered")),
                         [f"A{number}" for number in range(1, 9)])
        logons = [message for message in exchange.messages("in") if message.type == "A"]
        self.assertEqual({message.get(49) for message in logons}, {"TRADER1", "TRADER2"})
        self.assertEqual({message.get(108) for message in logons}, {"20"})
        self.assert_quickfix_refused_nothing(exchange)
        for trader in ("TRADER1", "TRADER2"):
            journal = self.directory / "journal" / f"{peers.BEGIN_STRING}-{trader}-EXCHANGE"
            affix_programs.assert_records_agree(self, exchange, trader, journal)


if __name__ == "__main__":
    peers.main({"affix": peers.AFFIX, "quickfix_trader": peers.QUICKFIX_TRADER, "quickfix_exchange": peers.QUICKFIX_EXCHANGE})
