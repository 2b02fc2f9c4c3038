# SPDX-License-Identifier: MIT
"""Scenarios that every engine must pass, in either role: the rows of docs/reference/interop.md.

A test is a scenario; the first line of its documentation is the row's name. `./dev interop` runs this file for each engine
and version; ENGINE, BEGIN_STRING and the rest come from the environment, see peers.py. With AFFIX_INTEROP_RESULTS each
scenario's outcome is appended to that file as a line of JSON.
"""

import json
import os
import shutil
import time
import unittest

import affix_programs
import affix_tls_test
import exchange_fixture
import peers
import relay

HAS_STORE = peers.ENGINE != "philadelphia"
HAS_TLS = peers.ENGINE not in ("philadelphia", "artio")
needs_store = unittest.skipUnless(HAS_STORE, "it keeps no messages, and answers with a gap fill")
needs_tls = unittest.skipUnless(HAS_TLS, "it has no TLS")
# Keys of a session with them, beside names.
SESSION_KEYS = "resend_repeats_max=0\n" if peers.ENGINE == "philadelphia" else ""
# As a TLS 1.3 server QuickFIX/J leaves a Logon that comes with the handshake's end unread until more comes.
TLS_KEYS = "tls_version_max=TLS1.2\n" if peers.ENGINE == "quickfixj" else ""
HEADER = "ClOrdID,MsgType,OrigClOrdID,Symbol,Side,OrdType,OrderQty,Price,Delay\n"


class Scenarios:
    """Base of both roles: the outcome is written down on request, and known differences pass."""

    def records_agree(self, peer, session, journal):
        affix_programs.assert_records_agree(self, peer, session, journal, all_arrived=HAS_STORE)

    def refused_nothing(self, peer):
        # Philadelphia asks again for a gap with each message behind it, and rejects what it gets a second time.
        self.assert_quickfix_refused_nothing(peer, but="NewSeqNo(36) too low" if peers.ENGINE == "philadelphia" else None)

    def run(self, result=None):
        result = super().run(result)
        path = os.environ.get("AFFIX_INTEROP_RESULTS")
        if path:
            failed = [test for test, _ in result.failures + result.errors if test is self]
            skipped = [why for test, why in result.skipped if test is self]
            with open(path, "a", encoding="utf-8") as out:
                out.write(json.dumps({"engine": peers.ENGINE, "version": peers.BEGIN_STRING, "role": self.role,
                                      "scenario": self.shortDescription(),
                                      "result": "failed" if failed else "skipped" if skipped else "passed",
                                      "reason": skipped[0] if skipped else ""}) + "\n")
        return result


class AsInitiator(Scenarios, exchange_fixture.ExchangeTest):
    """They connect to `affix-lab exchange`."""

    role = "initiator"
    exchange_arguments = ("--symbol", "MSFT", "--market-data-subscriptions", "2")
    session_keys = SESSION_KEYS

    def setUp(self):
        super().setUp()
        self.rejects_expected = 0
        self.numbers_were_reset = False

    def tearDown(self):
        for trader in self.traders.values():
            self.refused_nothing(trader)
            if not self.numbers_were_reset:
                self.assert_one_message_per_number(trader.messages("in"))
            rejects = [message for message in trader.messages("in") if message.type in ("3", "j")]
            self.assertEqual(len(rejects), self.rejects_expected, rejects)
        self.exchange.kill()
        for name, trader in self.traders.items():
            journal = self.journal / f"{peers.BEGIN_STRING}-EXCHANGE-{name}"
            self.records_agree(trader, "EXCHANGE", journal)

    def place(self, trader, name, price="25.50"):
        trader.command(f"order {name} MSFT buy 10 {price} limit")
        return trader.wait_message("delivered", t35="8", t11=name)

    def test_logon_and_logout(self):
        """logon, logout by either side"""
        buyer = self.log_on("BUYER")
        self.echo(buyer, "FIRST")
        self.log_out(buyer)
        buyer.command("logon")
        buyer.wait_event("logon")
        self.exchange.interrupt()
        buyer.wait_message("in", t35="5")
        buyer.wait_message("out", t35="5")
        buyer.wait_event("logout")
        self.assertEqual(self.exchange.wait_exit(), 0)
        self.assert_gapless(buyer.messages("in"), "received")
        self.assert_gapless(buyer.messages("out"), "sent")

    def test_trading(self):
        """orders, reports, messages with groups"""
        buyer, seller = self.log_on("BUYER"), self.log_on("SELLER")
        buyer.command("market_data M1 subscribe 5 incremental 012 MSFT")
        buyer.wait_message("delivered", t35="W", t262="M1")
        for number in range(1, 4):
            seller.command(f"order S{number} MSFT sell 10 {30 + number} limit")
            seller.wait_message("delivered", t35="8", t11=f"S{number}", t39="0")
        buyer.command("market_data M2 snapshot 5 - 01 MSFT")
        snapshot = buyer.wait_message("delivered", t35="W", t262="M2")
        self.assertEqual([(tag, float(value)) for tag, value in snapshot.fields if tag == 270],
                         [(270, 31.0), (270, 32.0), (270, 33.0)])
        self.assertEqual(snapshot.get(268), "3")
        buyer.command("order B1 MSFT buy 15 31 limit")
        buyer.wait_message("delivered", t35="8", t11="B1", t39="0")
        buyer.wait_message("delivered", t35="8", t11="B1", t39="1", t14="10")
        buyer.command("replace B2 B1 20 30")
        buyer.wait_message("delivered", t35="8", t11="B2", t41="B1", t38="20")
        buyer.command("status B2")
        buyer.wait_message("delivered", t35="8", t11="B2", t14="10")
        buyer.command("cancel B3 B2")
        buyer.wait_message("delivered", t35="8", t11="B3", t39="4")
        buyer.command("cancel B4 B2")
        buyer.wait_message("delivered", t35="9", t11="B4")
        for trader in (buyer, seller):
            self.log_out(trader)
            self.assert_gapless(trader.messages("in"), "received")

    def test_they_ask(self):
        """resend of ours"""
        buyer = self.log_on("BUYER")
        for number in range(1, 6):
            self.place(buyer, f"B{number}")
        buyer.forget_received(2)
        buyer.test_request("GAP")
        self.assertEqual(buyer.wait_message("out", t35="2").get(7), "2")
        for number in range(1, 6):
            buyer.wait_message("in", t35="8", t11=f"B{number}", t43="Y")
        self.echo(buyer, "AFTER")
        self.assertEqual(self.assert_resends_are_true(buyer.messages("in")), 5)
        self.log_out(buyer)

    @needs_store
    def test_we_ask(self):
        """resend of theirs"""
        line = relay.LossyRelay(self, self.port)
        buyer = self.log_on("BUYER", port=line.port)
        for lost in ("B3", "B4", "B9"):
            line.lose(t35="D", t11=lost)
        for number in range(1, 13):
            buyer.command(f"order B{number} MSFT buy 10 {number} limit")
        line.wait_lost()
        for number in range(1, 13):
            buyer.wait_message("delivered", t35="8", t11=f"B{number}", t39="0")
        resent = {message.get(11) for message in buyer.messages("out") if message.is_possible_duplicate()}
        self.assertLessEqual({"B3", "B4", "B9"}, resent)
        self.echo(buyer, "AFTER")
        self.log_out(buyer)

    def test_gap_fills(self):
        """gap fill both ways"""
        buyer = self.log_on("BUYER")
        self.echo(buyer, "BEFORE")
        buyer.command("set_next_sender_seq 20")
        buyer.test_request("GAP")
        self.assertEqual(buyer.wait_message("in", t35="2").get(7), "3")
        self.place(buyer, "B1")
        filled = [message for message in buyer.messages("out") if message.type == "4"]
        self.assertTrue(filled and all(message.get(123) == "Y" for message in filled), filled)
        # And ours: the Logon and Heartbeats are filled over, the report is sent again.
        buyer.command("resend_request 1 0")
        fill = buyer.wait_message("in", t35="4")
        self.assertEqual((fill.number, fill.get(123), fill.get(43)), (1, "Y", "Y"))
        buyer.wait_message("in", t35="8", t11="B1", t43="Y")
        self.echo(buyer, "AFTER")
        self.log_out(buyer)

    def test_reset(self):
        """numbers back to 1 by the Logon"""
        for round_number in range(2):
            trader = peers.open_quickfix_trader(self, self.port, self.folder("BUYER"), sender="BUYER",
                                                further=("--reset_on_logon", "Y"))
            trader.command("logon")
            trader.wait_event("logon")
            logons = [message for message in trader.messages("out") + trader.messages("in") if message.type == "A"]
            self.assertEqual([(logon.number, logon.get(141)) for logon in logons], [(1, "Y"), (1, "Y")])
            self.assertEqual(self.place(trader, f"R{round_number}").number, 2)
            self.log_out(trader)
            if peers.ENGINE == "python":
                trader.kill()  # Its journal is for one process at a time.
        self.numbers_were_reset = True

    def test_reject(self):
        """reject of wrong messages"""
        buyer = self.log_on("BUYER")
        when = time.strftime("%Y%m%d-%H:%M:%S", time.gmtime())
        buyer.command(f"send 35=D|11=R1|21=1|55=MSFT|54=~|60={when}|38=10|40=1|")
        reject = buyer.wait_message("in", t35="3")
        self.assertEqual((reject.get(371), reject.get(372), reject.get(373)), ("54", "D", "5"))
        buyer.command("send 35=e|324=R1|55=MSFT|263=0|")
        self.assertEqual(buyer.wait_message("in", t35="j").get(380), "3")
        self.rejects_expected = 2
        self.place(buyer, "B1")
        self.log_out(buyer)

    def test_silence(self):
        """heartbeats, silence noticed by either side"""
        buyer = self.log_on("BUYER", heartbeat_seconds=1)
        unasked = 0
        while unasked < 2:
            unasked += buyer.wait_message("in", t35="0").get(112) is None
        buyer.freeze()
        self.exchange.wait_text("BUYER.*peer is silent")
        buyer.thaw()
        buyer.wait_event("logout")
        buyer.wait_event("logon")
        self.exchange.freeze()
        buyer.wait_event("logout")
        self.exchange.thaw()
        buyer.wait_event("logon")
        self.echo(buyer, "AGAIN")
        self.log_out(buyer)

    def test_affix_is_killed(self):
        """affix killed, goes on"""
        buyer = self.log_on("BUYER")
        for life in range(2):
            for number in range(20):
                buyer.command(f"order L{life}N{number} MSFT buy 10 1 limit")
            buyer.wait_message("delivered", t35="8", t11=f"L{life}N{life}")
            self.exchange.kill()
            buyer.wait_event("logout")
            self.start_exchange()
            buyer.wait_event("logon")
        self.echo(buyer, "DONE")
        self.place(buyer, "AFTER")
        if HAS_STORE:
            answered = {message.get(11) for message in buyer.messages("delivered")}
            self.assertEqual(answered, {f"L{life}N{number}" for life in range(2) for number in range(20)} | {"AFTER"})
        self.log_out(buyer)

    @unittest.skipIf(peers.ENGINE == "artio", "killed with its archive, it begins again below numbers that it has sent")
    def test_they_are_killed(self):
        """they are killed, go on"""
        for life in range(3):
            buyer = self.log_on("BUYER")
            before = buyer.numbers()
            self.assertGreater(before[0], 4 * life)
            for number in range(3):
                self.place(buyer, f"L{life}N{number}")
            self.echo(buyer, "DONE")
            if life < 2:
                buyer.kill()
                del self.traders["BUYER"]  # Each process has seen a part, so the journal is of all of them.
                self.exchange.wait_text("BUYER.*(ended|closed|reset|lost)")
        self.log_out(buyer)
        received = [record.message for record in affix_programs.read_journal(
            self.journal / f"{peers.BEGIN_STRING}-EXCHANGE-BUYER") if record.kind == "IN"]
        self.assert_gapless(received, "journal")
        self.refused_nothing(buyer)
        del self.traders["BUYER"]

    @needs_tls
    @unittest.skipUnless(shutil.which("openssl"), "there is no openssl command")
    def test_tls(self):
        """TLS with certificates of both sides"""
        authority = affix_tls_test.Authority(self.folder("authority"), "CA")
        venue, firm = authority.issue("EXCHANGE"), authority.issue("BUYER")
        config = self.directory / "tls.cfg"
        config.write_text("[ENGINE]\nlog_level=INFO\n[EXCHANGE]\naccept_port=0\nnic_address=127.0.0.1\n"
                          + affix_tls_test.tls_keys(venue)
                          + affix_programs.session_group("SESSION", "EXCHANGE", "BUYER", self.folder("tls"), "tls_peer=cn:BUYER\n"))
        exchange, port = affix_programs.open_exchange(self, config)
        buyer = peers.open_quickfix_trader(self, port, self.folder("BUYER"), sender="BUYER", further=("--tls", str(firm)))
        buyer.command("logon")
        buyer.wait_event("logon")
        exchange.wait_text("speaks TLSv1.*CN=BUYER")
        for number in range(10):
            self.place(buyer, f"B{number}")
        self.log_out(buyer)
        exchange.kill()
        self.records_agree(buyer, "EXCHANGE", self.directory / "tls" / f"{peers.BEGIN_STRING}-EXCHANGE-BUYER")


class AsAcceptor(Scenarios, peers.InteropTest):
    """`affix-lab trade` connects to them."""

    role = "acceptor"

    def setUp(self):
        super().setUp()
        self.config = self.directory / "trade.cfg"
        self.orders = self.directory / "orders.csv"
        self.journal = self.folder("journal")
        self.numbers_were_reset = False
        self.rejects_expected = 0
        self.exchange = None
        self.line = None
        self.port = 0

    def open_exchange(self, *further):
        self.exchange, port = peers.open_quickfix_exchange(self, self.folder("exchange"), further=further)
        if self.line is None:
            self.line = relay.LossyRelay(self, port)
        else:
            self.line.lead_to(port)
        self.port = port
        return self.exchange

    def tearDown(self):
        if self.exchange is None:
            return  # Skipped.
        self.refused_nothing(self.exchange)
        if not self.numbers_were_reset:
            self.assert_one_message_per_number(self.exchange.messages("in"))
        rejects = [message for message in self.exchange.messages("in") if message.type in ("3", "j")]
        self.assertEqual(len(rejects), self.rejects_expected, rejects)
        journal = self.journal / f"{peers.BEGIN_STRING}-TRADER-EXCHANGE"
        if journal.is_dir():
            self.records_agree(self.exchange, "TRADER", journal)

    def start_trade(self, *arguments, keys=""):
        affix_programs.write_trade_config(self.config, self.journal, self.line.port, ("TRADER",), SESSION_KEYS + keys)
        self.trade = affix_programs.open_trade(self, self.config, *arguments)
        return self.trade

    def write_orders(self, rows):
        self.orders.write_text(HEADER + "".join(row + "\n" for row in rows))

    def wait_until_nothing_is_missing(self):
        """Messages that they sent while we stood still are requested after the logon; when this returns they have come."""
        self.exchange.wait_message("in", t35="0", t112=self.exchange.test_request("WHOLE"))

        def closed():
            about_gaps = [line for line in self.trade.lines if "MsgSeqNum too high" in line or "gap closed" in line]
            return not about_gaps or "gap closed" in about_gaps[-1]

        self.trade.wait_until(closed, "its gap to be closed")

    def finish_trade(self, codes=(0,)):
        """The trader ends by itself, or on request, with a Logout that is answered."""
        self.exchange.wait_message("in", t35="5")
        self.exchange.wait_event("logout")
        self.assertIn(self.trade.wait_exit(), codes)

    def test_logon_and_logout(self):
        """logon, logout by either side"""
        exchange = self.open_exchange()
        self.start_trade("--rate", 20, "--duration", 1)
        exchange.wait_event("logon")
        self.finish_trade()
        self.start_trade("--rate", 20, "--duration", 300, "--prefix", "X")
        exchange.wait_event("logon")
        exchange.wait_message("delivered", t35="D")
        exchange.command("logout")
        exchange.wait_message("out", t35="5")
        exchange.wait_message("in", t35="5")
        exchange.wait_event("logout")
        self.trade.interrupt()
        self.trade.wait_exit()
        # Reports that crossed our answer to their Logout come now.
        exchange.command("logon")
        self.start_trade("--rate", 20, "--duration", 1, "--prefix", "Y")
        self.finish_trade((0, 1))
        self.assert_gapless(exchange.messages("in"), "received")

    def test_trading(self):
        """orders, reports, messages with groups"""
        exchange = self.open_exchange()
        exchange.command("fill half")
        exchange.wait_text("^fill half$")
        self.write_orders(["A1,D,,MSFT,Buy,Limit,10,25.5,0", "A2,D,,MSFT,Sell,Market,7,,0",
                           "A3,F,A1,MSFT,Buy,Limit,10,,300", "A4,D,,REJECTED,Buy,Limit,10,1,0"])
        self.start_trade("--orders", self.orders)
        for name in ("A1", "A2", "A3", "A4"):
            exchange.wait_message("delivered", t11=name)
        self.finish_trade()
        self.assertEqual([m.get(39) for m in exchange.messages("out") if m.type == "8"], ["0", "1", "0", "1", "4", "8"])
        self.assert_gapless(exchange.messages("in"), "received")
        if peers.ENGINE != "quickfix":  # Whose script language writes no groups.
            self.report_with_groups()

    def report_with_groups(self):
        exchange = self.exchange
        self.start_trade("--rate", 20, "--duration", 300, "--prefix", "G")
        exchange.wait_event("logon")
        group = ("382=2|375=BRK1|437=5|375=BRK2|437=5|" if peers.BEGIN_STRING == "FIX.4.2"
                 else "453=2|448=DESK|447=D|452=1|448=BANK|447=D|452=3|")
        transaction = "20=0|" if peers.BEGIN_STRING == "FIX.4.2" else ""
        exchange.command(f"send 35=8|37=G1|11=G1|17=G1|{transaction}150=0|39=0|55=MSFT|54=1|38=10|40=2|44=1|151=10|14=0|6=0|"
                         + group)
        exchange.wait_message("out", t35="8", t37="G1")
        exchange.wait_message("in", t35="0", t112=exchange.test_request("GROUP"))
        self.trade.interrupt()
        self.finish_trade((0, 1))  # A report about an order that is not its own.

    def test_they_ask(self):
        """resend of ours"""
        exchange = self.open_exchange()
        self.start_trade("--rate", 50, "--duration", 300)
        for _ in range(10):
            exchange.wait_message("delivered", t35="D")
        exchange.command("set_next_target_seq 2")
        begin = exchange.wait_message("out", t35="2").get(7)
        self.assertIn(begin, ("2", "3"))
        for _ in range(9):
            exchange.wait_message("in", t43="Y")
        self.trade.interrupt()
        self.finish_trade((0, 1))
        self.assertGreaterEqual(self.assert_resends_are_true(exchange.messages("in")), 9)

    @needs_store
    def test_we_ask(self):
        """resend of theirs"""
        exchange = self.open_exchange()
        self.write_orders([f"A{number},D,,MSFT,Buy,Limit,10,{number},0" for number in range(1, 21)])
        self.line.lose(t35="8", t11="A9", t39="1")
        self.line.lose(t35="8", t11="A14", t39="0")
        self.start_trade("--orders", self.orders)
        self.line.wait_lost()
        self.finish_trade()
        resent = {m.get(11) for m in exchange.messages("out") if m.is_possible_duplicate()}
        self.assertLessEqual({"A9", "A14"}, resent)

    def test_gap_fills(self):
        """gap fill both ways"""
        exchange = self.open_exchange()
        self.start_trade("--rate", 20, "--duration", 300)
        exchange.wait_message("delivered", t35="D")
        sender, _ = exchange.numbers()
        exchange.command(f"set_next_sender_seq {sender + 50}")
        exchange.test_request("GAP")
        exchange.wait_message("in", t35="2")
        exchange.wait_message("out", t35="4", t123="Y")
        exchange.wait_message("in", t35="0", t112=exchange.test_request("AFTER"))
        exchange.command("resend_request 1 0")
        fill = exchange.wait_message("in", t35="4")
        self.assertEqual((fill.number, fill.get(123), fill.get(43)), (1, "Y", "Y"))
        self.trade.interrupt()
        self.finish_trade((0, 1))

    @unittest.skipIf(peers.ENGINE == "philadelphia", "it judges 34 before its application sees 141")
    def test_reset(self):
        """numbers back to 1 by the Logon"""
        exchange = self.open_exchange()
        for number in range(2):
            self.start_trade("--rate", 50, "--duration", 0.5, "--prefix", f"R{number}-",
                             keys="logon_reset_sequence_numbers=true\n")
            logons = [exchange.wait_message("in", t35="A"), exchange.wait_message("out", t35="A")]
            self.assertEqual([(logon.number, logon.get(141)) for logon in logons], [(1, "Y"), (1, "Y")])
            exchange.wait_message("delivered", t35="D", t34="2")
            self.finish_trade()
        self.numbers_were_reset = True

    def test_reject(self):
        """reject of wrong messages"""
        exchange = self.open_exchange()
        self.start_trade("--rate", 20, "--duration", 300)
        exchange.wait_event("logon")
        transaction = "20=0|" if peers.BEGIN_STRING == "FIX.4.2" else ""
        exchange.command(f"send 35=8|37=G1|11=G1|17=G1|{transaction}150=~|39=0|55=MSFT|54=1|151=10|14=0|6=0|")
        reject = exchange.wait_message("in", t35="3")
        self.assertEqual((reject.get(371), reject.get(372), reject.get(373)), ("150", "8", "5"))
        self.rejects_expected = 1
        exchange.wait_message("in", t35="0", t112=exchange.test_request("AFTER"))
        self.trade.interrupt()
        self.finish_trade((0, 1))

    def test_silence(self):
        """heartbeats, silence noticed by either side"""
        exchange = self.open_exchange("--heartbeat_seconds", "1")
        trade = self.start_trade("--rate", 2, "--duration", 300, keys="heartbeat_interval_seconds=1\n")
        exchange.wait_message("in", t35="0")
        exchange.freeze()
        trade.wait_text("peer is silent")
        exchange.thaw()
        exchange.wait_event("logout")
        exchange.wait_event("logon")
        trade.freeze()
        exchange.wait_event("logout")
        trade.thaw()
        exchange.wait_event("logon")
        exchange.wait_message("delivered", t35="D")
        self.wait_until_nothing_is_missing()
        trade.interrupt()
        self.finish_trade((0, 1))

    def test_affix_is_killed(self):
        """affix killed, goes on"""
        exchange = self.open_exchange()
        for life in range(3):
            last = life == 2
            self.start_trade("--rate", 100, "--duration", 1 if last else 300, "--prefix", f"L{life}-")
            exchange.wait_event("logon")
            for _ in range(20):
                exchange.wait_message("delivered", t35="D")
            if not last:
                self.trade.kill()
                exchange.wait_event("logout")
        self.finish_trade((0, 1))
        logons = [message.number for message in exchange.messages("in") if message.type == "A"]
        self.assertEqual(logons, sorted(set(logons)), "numbers go on")
        self.assertEqual(len(logons), 3)

    def test_they_are_killed(self):
        """they are killed, go on"""
        exchange = self.open_exchange()
        # Each message behind a gap makes Philadelphia ask for all of it again, so there are to be few.
        self.start_trade("--rate", 20 if HAS_STORE else 2, "--duration", 300)
        for life in range(3):
            exchange.wait_event("logon")
            exchange.wait_message("delivered", t35="D")
            if life < 2:
                exchange.kill()
                exchange = self.open_exchange()
        # An engine that delivers again what it was killed with has not heard from the trader yet.
        exchange.wait_message("in", t35="0", t112=exchange.test_request("ALIVE"))
        self.trade.interrupt()
        self.finish_trade((0, 1))
        journal = self.journal / f"{peers.BEGIN_STRING}-TRADER-EXCHANGE"
        sent = [record.message for record in affix_programs.read_journal(journal) if record.kind == "OUT"]
        self.assert_gapless(sent, "journal")
        shutil.rmtree(journal)  # Of three processes, each of which has seen a part.

    @needs_tls
    @unittest.skipUnless(shutil.which("openssl"), "there is no openssl command")
    def test_tls(self):
        """TLS with certificates of both sides"""
        authority = affix_tls_test.Authority(self.folder("authority"), "CA")
        venue, firm = authority.issue("EXCHANGE"), authority.issue("TRADER")
        exchange = self.open_exchange("--tls", str(venue))
        self.write_orders([f"A{number},D,,MSFT,Buy,Limit,10,{number},0" for number in range(1, 11)])
        self.config.write_text("[ENGINE]\nlog_level=INFO\n[CLIENT]\nprimary_address=127.0.0.1\n"
                               f"primary_port={self.port}\nreconnect_milliseconds=100\nreconnect_milliseconds_max=500\n"
                               + affix_tls_test.tls_keys(firm) + TLS_KEYS
                               + affix_programs.session_group("SESSION", "TRADER", "EXCHANGE", self.journal, "tls_peer=cn:EXCHANGE\n"))
        self.trade = affix_programs.open_trade(self, self.config, "--orders", self.orders)
        self.trade.wait_text("connected with TLSv1.*CN=EXCHANGE")
        self.finish_trade()
        self.assertEqual(len([m for m in exchange.messages("delivered") if m.type == "D"]), 10)


if __name__ == "__main__":
    peers.run_or_skip(peers.absent_programs() + ([] if peers.AFFIX else ["affix"]))
