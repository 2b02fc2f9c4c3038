# SPDX-License-Identifier: MIT
"""QuickFIX traders against `affix-lab exchange`: orders, gaps and their resends in both directions, logout."""

import exchange_fixture
import peers
import relay


class AffixExchange(exchange_fixture.ExchangeTest):
    def test_orders_meet_in_the_book(self):
        buyer, seller = self.log_on("BUYER"), self.log_on("SELLER")
        buyer.command("order B1 MSFT buy 100 25.50 limit")
        report = buyer.wait_message("delivered", t35="8", t11="B1", t39="0")
        self.assertEqual((report.get(151), report.get(14)), ("100", "0"))
        seller.command("order S1 MSFT sell 40 25.50 limit")
        seller.wait_message("delivered", t35="8", t11="S1", t39="0")
        fill = seller.wait_message("delivered", t35="8", t11="S1", t39="2")
        self.assertEqual((fill.get(32), float(fill.get(31)), fill.get(151), fill.get(14)), ("40", 25.5, "0", "40"))
        fill = buyer.wait_message("delivered", t35="8", t11="B1", t39="1")
        self.assertEqual((fill.get(32), float(fill.get(6)), fill.get(151), fill.get(14)), ("40", 25.5, "60", "40"))
        seller.command("order S2 MSFT sell 10 - market")
        seller.wait_message("delivered", t35="8", t11="S2", t39="2", t32="10")
        buyer.wait_message("delivered", t35="8", t11="B1", t39="1", t14="50")
        buyer.command("replace B2 B1 120 25.75")
        replaced = buyer.wait_message("delivered", t35="8", t11="B2", t41="B1")
        self.assertEqual((replaced.get(150), replaced.get(38), replaced.get(14), replaced.get(151)),
                         ("5", "120", "50", "70"))
        buyer.command("status B2")
        status = buyer.wait_message("delivered", t35="8", t11="B2")
        self.assertEqual((status.get(14), status.get(151)), ("50", "70"))
        buyer.command("cancel B3 B2")
        cancelled = buyer.wait_message("delivered", t35="8", t41="B2", t39="4")
        self.assertEqual((cancelled.get(11), cancelled.get(150), cancelled.get(151)), ("B3", "4", "0"))
        for trader in (buyer, seller):
            self.log_out(trader)
            self.assert_gapless(trader.messages("in"), "received")

    def test_odd_requests_are_refused_with_a_reason(self):
        buyer = self.log_on("BUYER")
        buyer.command("order B1 MSFT buy 100 25.50 limit")
        buyer.wait_message("delivered", t35="8", t11="B1", t39="0")
        buyer.command("order B1 MSFT buy 100 25.50 limit")
        refused = buyer.wait_message("delivered", t35="8", t11="B1", t39="8")
        self.assertEqual(refused.get(150), "8")
        buyer.command("order B2 MSFT buy 0 25.50 limit")
        buyer.wait_message("delivered", t35="8", t11="B2", t39="8")
        buyer.command("order B3 MSFT buy 10 -1 limit")
        buyer.wait_message("delivered", t35="8", t11="B3", t39="8")
        buyer.command("cancel B4 B1")
        buyer.wait_message("delivered", t35="8", t11="B4", t39="4")
        buyer.command("cancel B5 B1")
        buyer.wait_message("delivered", t35="9", t11="B5", t434="1")
        buyer.command("replace B6 B1 10 1")
        buyer.wait_message("delivered", t35="9", t11="B6", t434="2")
        # A SecurityStatusRequest is valid FIX, and nothing that this exchange takes.
        buyer.command("send 35=e|324=R1|55=MSFT|263=0|")
        refused = buyer.wait_message("in", t35="j")
        self.assertEqual((refused.get(372), refused.get(380)), ("e", "3"))
        self.log_out(buyer)

    def test_messages_of_the_exchange_are_resent_on_request(self):
        buyer = self.log_on("BUYER")
        for number in range(1, 6):
            buyer.command(f"order B{number} MSFT buy 10 {number} limit")
            buyer.wait_message("delivered", t35="8", t11=f"B{number}", t39="0")
        # QuickFIX forgets what it had, so the next message shows it a gap.
        buyer.forget_received(2)
        buyer.command("test_request GAP")
        request = buyer.wait_message("out", t35="2")
        self.assertEqual(request.get(7), "2")
        for number in range(1, 6):
            report = buyer.wait_message("delivered", t35="8", t11=f"B{number}")
            self.assertTrue(report.is_possible_duplicate())
        self.echo(buyer, "AFTER")
        self.assertEqual(self.assert_resends_are_true(buyer.messages("in")), 5)
        sender, target = buyer.numbers()
        buyer.command(f"resend_request 1 {target - 1}")
        self.echo(buyer, "ALL")
        self.assertEqual(self.assert_resends_are_true(buyer.messages("in")), 10)
        self.log_out(buyer)

    def test_orders_stored_while_apart_are_asked_for(self):
        buyer = self.log_on("BUYER")
        buyer.command("order B1 MSFT buy 10 1 limit")
        buyer.wait_message("delivered", t35="8", t11="B1", t39="0")
        buyer.command("drop")
        buyer.wait_event("logout")
        for number in range(2, 7):
            buyer.command(f"order B{number} MSFT buy 10 {number} limit")
        buyer.command("logon")
        buyer.wait_message("in", t35="2", t7="3")
        for number in range(2, 7):
            buyer.wait_message("delivered", t35="8", t11=f"B{number}", t39="0")
        reports = [m.get(11) for m in buyer.messages("delivered") if not m.is_possible_duplicate()]
        self.assertEqual(reports, [f"B{number}" for number in range(1, 7)], "each order is taken once")
        self.echo(buyer, "DONE")
        self.log_out(buyer)

    def test_orders_of_a_lost_trader_are_cancelled_and_its_reports_wait(self):
        self.exchange.kill()
        self.session_keys = "cancel_on_disconnect=DISCONNECT\n"
        self.start_exchange()
        buyer, seller = self.log_on("BUYER"), self.log_on("SELLER")
        for name in ("B1", "B2"):
            buyer.command(f"order {name} MSFT buy 10 1 limit")
            buyer.wait_message("delivered", t35="8", t11=name, t39="0")
        buyer.command("drop")
        buyer.wait_event("logout")
        self.exchange.wait_text("its open orders are cancelled")
        # Nobody is left to trade with.
        seller.command("order S1 MSFT sell 10 1 limit")
        seller.wait_message("delivered", t35="8", t11="S1", t39="0")
        buyer.command("logon")
        for name in ("B1", "B2"):
            cancelled = buyer.wait_message("delivered", t35="8", t11=name, t39="4")
            self.assertEqual((cancelled.get(150), cancelled.get(151)), ("4", "0"))
        # A logout in order is none of it: the order stays, and trades.
        buyer.command("order B3 MSFT buy 5 0.5 limit")
        buyer.wait_message("delivered", t35="8", t11="B3", t39="0")
        self.log_out(buyer)
        seller.command("order S2 MSFT sell 5 0.5 limit")
        seller.wait_message("delivered", t35="8", t11="S2", t39="2")
        self.log_out(seller)

    def test_lost_messages_are_resent_both_ways(self):
        line = relay.LossyRelay(self, self.port)
        buyer = self.log_on("BUYER", port=line.port)
        for lost in ("B3", "B4", "B9", "B20"):
            line.lose(t35="D", t11=lost)
        for lost in ("B6", "B13", "B14"):
            line.lose(t35="8", t11=lost)
        names = [f"B{number}" for number in range(1, 31)]
        for number, name in enumerate(names, 1):
            buyer.command(f"order {name} MSFT buy 10 {number} limit")
        line.wait_lost()
        # QuickFIX asks for what is still missing behind a closed gap when the next message comes.
        for number in range(100):
            self.echo(buyer, f"LAST{number}")
            if len(buyer.messages("delivered")) >= len(names):
                break
        self.assertEqual([m.get(11) for m in buyer.messages("delivered")], names, "each is taken once, in order")
        self.log_out(buyer)

    def test_a_hole_of_the_trader_is_filled(self):
        buyer = self.log_on("BUYER")
        buyer.command("set_next_sender_seq 20")
        buyer.command("order B1 MSFT buy 10 1 limit")
        self.assertEqual(buyer.wait_message("in", t35="2").get(7), "2")
        buyer.wait_message("delivered", t35="8", t11="B1", t39="0")
        self.echo(buyer, "AFTER")
        self.log_out(buyer)

    def test_heartbeats_keep_a_quiet_session(self):
        buyer = self.log_on("BUYER", heartbeat_seconds=2)
        # On a busy machine one may come late enough to be asked for; it then answers and is none of these.
        unasked = 0
        while unasked < 3:
            unasked += buyer.wait_message("in", t35="0").get(112) is None
        self.log_out(buyer)

    def test_the_exchange_logs_everyone_out(self):
        buyer, seller = self.log_on("BUYER"), self.log_on("SELLER")
        self.exchange.interrupt()
        for trader in (buyer, seller):
            trader.wait_message("in", t35="5")
            trader.wait_message("out", t35="5")
            trader.wait_event("logout")
        self.assertEqual(self.exchange.wait_exit(), 0)

    def test_ranges_of_a_resend_request_are_kept(self):
        buyer = self.log_on("BUYER")
        for number in range(1, 11):
            buyer.command(f"order B{number} MSFT buy 1 {number} limit")
            buyer.wait_message("delivered", t35="8", t11=f"B{number}")
        # Number 1 is the Logon, 2 to 11 are the reports.
        before = len(buyer.messages("in"))
        for begin, end, numbers in ((3, 5, [3, 4, 5]), (1, 1, []), (1, 2, [2]), (10, 0, [10, 11]), (11, 11, [11])):
            buyer.command("resend_request", begin, end)
            self.echo(buyer, f"{begin}-{end}")
            answer = buyer.messages("in")[before:]
            before += len(answer)
            self.assertEqual([message.number for message in answer if message.type == "8"], numbers)
        for begin, end in ((5, 3), (500, 600)):
            buyer.command("resend_request", begin, end)
            self.assertEqual(buyer.wait_message("in", t35="3").get(373), "5")
        self.log_out(buyer)

    def test_a_long_resend_goes_on_beside_new_orders(self):
        buyer = self.log_on("BUYER")
        count = 2000
        for number in range(1, count + 1):
            buyer.command(f"order B{number} MSFT buy 1 {number % 50 + 1} limit")
        buyer.wait_message("delivered", t35="8", t11=f"B{count}")
        buyer.forget_received(2)
        for number in range(count + 1, count + 101):
            buyer.command(f"order B{number} MSFT buy 1 1 limit")
        buyer.wait_message("delivered", t35="8", t11=f"B{count + 100}")
        self.echo(buyer, "DONE")
        self.assertGreaterEqual(self.assert_resends_are_true(buyer.messages("in")), count)
        self.log_out(buyer)


if __name__ == "__main__":
    peers.main({"quickfix_trader": peers.QUICKFIX_TRADER, "affix": peers.AFFIX})
