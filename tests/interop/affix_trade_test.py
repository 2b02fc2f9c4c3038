# SPDX-License-Identifier: MIT
"""`affix-lab trade` against a QuickFIX exchange: orders, gaps in both directions, kill -9, logout."""

import affix_programs
import peers
import relay

TRADERS = ("TRADER1", "TRADER2")
HEADER = "ClOrdID,MsgType,OrigClOrdID,Symbol,Side,OrdType,OrderQty,Price,Delay\n"


class AffixTrade(peers.InteropTest):
    def setUp(self):
        super().setUp()
        self.config = self.directory / "trade.cfg"
        self.orders = self.directory / "orders.csv"
        self.journal = self.folder("journal")
        self.numbers_were_reset = False
        self.exchange, port = peers.open_quickfix_exchange(self, self.folder("exchange"), targets=TRADERS)
        self.relay = relay.LossyRelay(self, port)

    def tearDown(self):
        self.assert_quickfix_refused_nothing(self.exchange)
        for trader in TRADERS:
            if not self.numbers_were_reset:
                self.assert_one_message_per_number(self.exchange.messages("in", trader))
            journal = self.journal / f"{peers.BEGIN_STRING}-{trader}-EXCHANGE"
            if journal.is_dir():
                affix_programs.assert_records_agree(self, self.exchange, trader, journal)
        super().tearDown()

    def start_trade(self, *arguments, senders=TRADERS[:1], keys=""):
        affix_programs.write_trade_config(self.config, self.journal, self.relay.port, senders, keys)
        self.trade = affix_programs.open_trade(self, self.config, *arguments)
        return self.trade

    def write_orders(self, rows):
        self.orders.write_text(HEADER + "".join(row + "\n" for row in rows))

    def test_orders_from_a_file_are_traded(self):
        self.exchange.command("fill half")
        self.exchange.wait_text("^fill half$")
        self.write_orders([
            "A1,D,,MSFT,Buy,Limit,10,25.5,0",
            "A2,D,,MSFT,Sell,Market,7,,0",
            "A3,F,A1,MSFT,Buy,Limit,10,,300",
            "A4,D,,REJECTED,Buy,Limit,10,1,0",
        ])
        trade = self.start_trade("--orders", self.orders)
        for name in ("A1", "A2", "A3", "A4"):
            self.exchange.wait_message("delivered", t11=name)
        self.exchange.wait_message("in", t35="5")
        self.exchange.wait_event("logout")
        self.assertEqual(trade.wait_exit(), 0)
        self.assertEqual([m.get(39) for m in self.exchange.messages("out") if m.type == "8"],
                         ["0", "1", "0", "1", "4", "8"])
        self.assert_gapless(self.exchange.messages("in"), "received")

    def test_lost_messages_are_resent_both_ways(self):
        self.write_orders([f"A{number},D,,MSFT,Buy,Limit,10,{number},0" for number in range(1, 21)])
        self.relay.lose(t35="D", t11="A3")
        self.relay.lose(t35="8", t11="A9", t39="1")
        trade = self.start_trade("--orders", self.orders)
        self.relay.wait_lost()
        self.exchange.wait_event("logout")
        self.assertEqual(trade.wait_exit(), 0)
        delivered = [m.get(11) for m in self.exchange.messages("delivered")]
        self.assertEqual(delivered, [f"A{number}" for number in range(1, 21)])
        resent = {m.get(11) for m in self.exchange.messages("in") + self.exchange.messages("out")
                  if m.is_possible_duplicate()}
        self.assertLessEqual({"A3", "A9"}, resent)
        self.assert_resends_are_true(self.exchange.messages("in"))

    def test_fills_made_while_apart_are_asked_for(self):
        self.exchange.command("fill nothing")
        self.exchange.wait_text("^fill nothing$")
        self.start_trade("--rate", 20, "--duration", 6)
        order = self.exchange.wait_message("out", t35="8").get(11)
        self.exchange.command("drop")
        self.exchange.wait_event("logout")
        self.exchange.command(f"execute {order} 1")
        self.exchange.command("logon")
        self.exchange.wait_event("logon")
        self.exchange.wait_message("in", t35="2")
        fill = self.exchange.wait_message("out", t35="8", t11=order, t32="1", t43="Y")
        self.assertIsNotNone(fill.get(122))
        self.exchange.wait_message("in", t35="5")
        self.exchange.wait_event("logout")
        self.assertEqual(self.trade.wait_exit(), 0)

    def test_sent_messages_are_resent_on_request(self):
        # It trades until it is stopped, so that no slow machine asks too late.
        self.start_trade("--rate", 50, "--duration", 300)
        for _ in range(10):
            self.exchange.wait_message("delivered", t35="D")
        # QuickFIX may be between delivering a message and counting it, and then counts the number set.
        self.exchange.command("set_next_target_seq 2")
        begin = self.exchange.wait_message("out", t35="2").get(7)
        self.assertIn(begin, ("2", "3"))
        self.exchange.wait_message("in", t43="Y", t34=begin)
        for _ in range(9):
            self.exchange.wait_message("in", t43="Y")
        self.trade.interrupt()
        self.exchange.wait_message("in", t35="5")
        self.exchange.wait_event("logout")
        # QuickFIX executes the orders once more and reports so, or an answer is still under way; the trader says
        # that by exit code 1.
        self.assertIn(self.trade.wait_exit(), (0, 1))
        self.assertGreaterEqual(self.assert_resends_are_true(self.exchange.messages("in")), 10)

    def test_a_frozen_exchange_is_left_and_found_again(self):
        trade = self.start_trade("--rate", 5, "--duration", 8, keys="heartbeat_interval_seconds=1\n")
        self.exchange.wait_message("delivered", t35="D")
        self.exchange.freeze()
        trade.wait_text("peer is silent")
        self.exchange.thaw()
        self.exchange.wait_event("logon")
        self.exchange.wait_message("delivered", t35="D")
        self.exchange.wait_message("in", t35="5")
        self.exchange.wait_event("logout")
        self.assertEqual(trade.wait_exit(), 0)

    def test_ways_to_write_headers_and_logons_are_understood(self):
        """Each is a run of its own that goes on with the numbers of the one before."""
        ways = ["timestamp_subseconds_precision=NONE\n", "timestamp_subseconds_precision=MILLI\n",
                "timestamp_subseconds_precision=MICRO\n", "include_last_processed_seqnum_in_header=true\n"]
        if peers.BEGIN_STRING != "FIX.4.2":  # Which has no 789.
            ways.append("logon_include_next_expected_seq_no=true\n")
        for number, keys in enumerate(ways):
            trade = self.start_trade("--rate", 50, "--duration", 0.5, "--prefix", f"W{number}-", keys=keys)
            self.exchange.wait_event("logon")
            self.exchange.wait_message("delivered", t35="D")
            self.exchange.wait_event("logout")
            self.assertEqual(trade.wait_exit(), 0, keys)
        self.assert_gapless(self.exchange.messages("in"), "received")

    def test_numbers_begin_again_when_asked_for(self):
        for number in range(2):
            trade = self.start_trade("--rate", 50, "--duration", 0.5, "--prefix", f"R{number}-",
                                     keys="logon_reset_sequence_numbers=true\n")
            logon = self.exchange.wait_message("in", t35="A")
            self.assertEqual((logon.get(34), logon.get(141)), ("1", "Y"))
            answer = self.exchange.wait_message("out", t35="A")
            self.assertEqual((answer.get(34), answer.get(141)), ("1", "Y"))
            self.exchange.wait_message("delivered", t35="D", t34="2")
            self.exchange.wait_event("logout")
            self.assertEqual(trade.wait_exit(), 0)
        self.numbers_were_reset = True

    def test_two_sessions_trade_in_one_process(self):
        trade = self.start_trade("--rate", 100, "--duration", 2, senders=TRADERS)
        for trader in TRADERS:
            self.exchange.wait_message("delivered", session=trader, t35="D")
        for trader in TRADERS:
            self.exchange.wait_until(lambda who=trader: f"logout {who}" in self.exchange.lines, f"logout {trader}")
        self.assertEqual(trade.wait_exit(), 0)

    def test_the_trader_is_killed_and_goes_on(self):
        lives = 4
        for life in range(lives):
            last = life == lives - 1
            self.start_trade("--rate", 200, "--duration", 1 if last else 60, "--prefix", f"L{life}-")
            self.exchange.wait_event("logon")
            for _ in range(20 + life):
                self.exchange.wait_message("delivered", t35="D")
            if not last:
                self.trade.kill()
                self.exchange.wait_event("logout")
        self.exchange.wait_message("in", t35="5")
        self.exchange.wait_event("logout")
        # Reports about orders of an earlier life are not its own, and it says so by exit code 1.
        self.assertIn(self.trade.wait_exit(), (0, 1))
        received = self.exchange.messages("in")
        self.assert_resends_are_true(received)
        logons = [message for message in received if message.type == "A"]
        self.assertEqual(len(logons), lives)
        self.assertTrue(all(b.number > a.number for a, b in zip(logons, logons[1:])), "numbers go on")
        refused = [message for message in self.exchange.messages("out") if message.get(39) == "8"]
        self.assertEqual(refused, [])


if __name__ == "__main__":
    peers.main({"quickfix_exchange": peers.QUICKFIX_EXCHANGE, "affix": peers.AFFIX})
