# SPDX-License-Identifier: MIT
"""The QuickFIX peers against each other, where what fails is a fault of the peers, or one of them against a program of
affix's Python package: see ENGINE and ACCEPTOR_ENGINE in peers.py."""

import unittest

import peers
import relay


class QuickfixPair(peers.InteropTest):
    def setUp(self):
        super().setUp()
        self.exchange, port = peers.open_quickfix_exchange(self, self.folder("exchange"))
        self.relay = relay.LossyRelay(self, port)
        self.trader = peers.open_quickfix_trader(self, self.relay.port, self.folder("trader"))

    def log_on(self):
        self.trader.command("logon")
        self.trader.wait_event("logon")
        self.exchange.wait_event("logon")

    def log_out(self):
        self.trader.command("logout")
        self.trader.wait_event("logout")
        self.exchange.wait_event("logout")

    def test_orders_are_filled_cancelled_replaced_and_refused(self):
        self.log_on()
        self.trader.command("order A1 MSFT buy 101 25.50 limit")
        reports = [self.trader.wait_message("delivered", t35="8", t11="A1") for _ in range(3)]
        self.assertEqual([(r.get(39), r.get(14), r.get(151)) for r in reports],
                         [("0", "0", "101"), ("1", "51", "50"), ("2", "101", "0")])
        self.trader.command("order A1 MSFT buy 1 1 limit")
        self.trader.wait_message("delivered", t35="8", t39="8", t103="6")
        self.trader.command("order A2 REJECTED buy 1 1 limit")
        self.trader.wait_message("delivered", t35="8", t39="8", t103="1")
        self.trader.command("cancel A3 A1")
        self.trader.wait_message("delivered", t35="9", t41="A1", t434="1")
        self.exchange.command("fill nothing")
        self.exchange.wait_text("^fill nothing$")
        self.trader.command("order B1 IBM sell 10 99 limit")
        self.trader.wait_message("delivered", t35="8", t11="B1", t39="0")
        self.trader.command("replace B2 B1 20 98.5")
        self.trader.wait_message("delivered", t35="8", t11="B2", t41="B1", t38="20", t44="98.5")
        self.trader.command("status B2")
        self.trader.wait_message("delivered", t35="8", t11="B2", t151="20")
        self.exchange.command("execute B2 5")
        self.trader.wait_message("delivered", t35="8", t11="B2", t32="5", t39="1")
        self.trader.command("cancel B3 B2")
        self.trader.wait_message("delivered", t35="8", t11="B3", t41="B2", t39="4", t14="5")
        self.log_out()
        for peer in (self.trader, self.exchange):
            self.assert_quickfix_refused_nothing(peer)
            self.assert_gapless(peer.messages("in"), "received")
            self.assert_gapless(peer.messages("out"), "sent")

    def test_messages_stored_while_apart_are_resent_both_ways(self):
        self.log_on()
        self.exchange.command("fill nothing")
        self.exchange.wait_text("^fill nothing$")
        self.trader.command("order A1 MSFT buy 10 1 limit")
        self.trader.wait_message("delivered", t11="A1", t39="0")
        self.trader.command("drop")
        self.trader.wait_event("logout")
        self.exchange.wait_event("logout")
        self.trader.command("order A2 MSFT buy 10 2 limit")
        self.exchange.command("execute A1 4")
        self.exchange.command("numbers")
        self.exchange.wait_event("numbers")
        self.trader.command("logon")
        fill = self.trader.wait_message("delivered", t11="A1", t39="1")
        self.assertTrue(fill.is_possible_duplicate())
        order = self.exchange.wait_message("delivered", t11="A2")
        self.assertTrue(order.is_possible_duplicate())
        self.trader.wait_message("delivered", t11="A2", t39="0")
        self.log_out()

    def test_a_lost_message_is_resent_both_ways(self):
        self.log_on()
        self.relay.lose(t35="D", t11="A2")
        self.relay.lose(t35="8", t11="A4", t39="1")
        for number in range(1, 6):
            self.trader.command(f"order A{number} MSFT buy 10 {number} limit")
        self.relay.wait_lost()
        for number in range(1, 6):
            self.trader.wait_message("delivered", t11=f"A{number}", t39="2")
        lost = {message.get(11) for message in self.relay.lost}
        resent = {message.get(11) for message in self.exchange.messages("delivered") + self.trader.messages("delivered")
                  if message.is_possible_duplicate()}
        self.assertLessEqual(lost, resent)
        self.log_out()

    def test_a_number_set_by_hand_makes_a_gap_and_a_wait_can_be_scripted(self):
        self.log_on()
        self.trader.command("set_next_sender_seq 50")
        self.trader.test_request("FIRST")
        self.exchange.wait_message("out", t35="2")
        self.trader.wait_message("out", t35="4", t36="51", t123="Y")
        second = self.trader.test_request("SECOND")
        if peers.ENGINE == "python":  # Whose peer has no script that waits.
            self.trader.wait_message("in", t112=second)
            self.assertEqual(self.trader.numbers()[0], 52)
            return
        self.trader.command("wait_for in |112=SECOND| within 20000")
        self.trader.wait_text("^waited ")
        self.assertEqual(self.trader.numbers()[0], 52)
        self.trader.command("wait_for in nothing-like-this within 1")
        self.assertEqual(self.trader.wait_exit(), 3)


if __name__ == "__main__":
    peers.run_or_skip(peers.absent_programs())
