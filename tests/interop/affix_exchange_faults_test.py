# SPDX-License-Identifier: MIT
"""QuickFIX traders against an `affix-lab exchange` that is killed, frozen, cut off or called by strangers."""

import os
import random

import affix_programs
import exchange_fixture
import peers
import relay


class AffixExchangeFaults(exchange_fixture.ExchangeTest):
    def test_the_exchange_is_killed_and_goes_on(self):
        buyer = self.log_on("BUYER")
        for number in range(1, 31):
            buyer.command(f"order B{number} MSFT buy 10 {number} limit")
        buyer.wait_message("delivered", t35="8", t11="B10", t39="0")
        self.exchange.kill()
        buyer.wait_event("logout")
        self.start_exchange()
        buyer.wait_event("logon")
        buyer.command("order AFTER MSFT buy 10 1 limit")
        buyer.wait_message("delivered", t35="8", t11="AFTER", t39="0")
        self.echo(buyer, "DONE")
        answered = {m.get(11) for m in buyer.messages("delivered") if m.type == "8"}
        self.assertEqual(answered, {f"B{number}" for number in range(1, 31)} | {"AFTER"})
        self.log_out(buyer)

    def test_the_exchange_is_killed_again_and_again(self):
        buyer = self.log_on("BUYER")
        for life in range(4):
            for number in range(20):
                buyer.command(f"order L{life}N{number} MSFT buy 10 1 limit")
            buyer.wait_message("delivered", t35="8", t11=f"L{life}N{life}")
            self.exchange.kill()
            buyer.wait_event("logout")
            self.start_exchange()
            buyer.wait_event("logon")
        self.echo(buyer, "DONE")
        answered = {m.get(11) for m in buyer.messages("delivered") if m.type == "8"}
        self.assertEqual(answered, {f"L{life}N{number}" for life in range(4) for number in range(20)})
        self.log_out(buyer)

    def test_unknown_peers_and_doubles_are_closed_without_an_answer(self):
        buyer = self.log_on("BUYER")
        for name, folder in (("NOBODY", "nobody"), ("BUYER", "double")):
            stranger = peers.open_quickfix_trader(self, self.port, self.folder(folder), sender=name)
            stranger.command("logon")
            stranger.wait_message("out", t35="A")
            stranger.wait_event("event", "Disconnecting")
            self.assertEqual(stranger.messages("in"), [])
        self.echo(buyer, "UNDISTURBED")
        self.log_out(buyer)

    def test_a_frozen_exchange_is_left_and_found_again(self):
        buyer = self.log_on("BUYER", heartbeat_seconds=1)
        self.exchange.freeze()
        buyer.wait_message("out", t35="1")
        buyer.wait_event("logout")
        self.exchange.thaw()
        buyer.wait_event("logon")
        self.echo(buyer, "AGAIN")
        self.log_out(buyer)

    def test_a_frozen_trader_is_tested_and_dropped(self):
        buyer = self.log_on("BUYER", heartbeat_seconds=1)
        buyer.freeze()
        self.exchange.wait_text("BUYER.*peer is silent")
        # Read in the exchange's journal: a thawed QuickFIX that looks at its own clock first drops the connection with
        # the request unread.
        journal = self.journal / f"{peers.BEGIN_STRING}-EXCHANGE-BUYER"
        sent = [record.message for record in affix_programs.read_journal(journal) if record.kind == "OUT"]
        self.assertIn("1", [message.type for message in sent])
        buyer.thaw()
        buyer.wait_event("logout")
        buyer.wait_event("logon")
        self.echo(buyer, "AGAIN")
        self.log_out(buyer)

    def test_losses_drops_and_kills_in_any_order(self):
        seed = int(os.environ.get("AFFIX_INTEROP_SEED", "20251231"))
        print(f"AFFIX_INTEROP_SEED={seed}")
        choice = random.Random(seed)
        line = relay.LossyRelay(self, self.port)
        buyer = self.log_on("BUYER", port=line.port)
        count = 0
        for what in choice.choices(["kill", "drop", "nothing"], k=6):
            for _ in range(choice.randrange(1, 80)):
                count += 1
                if choice.random() < 0.2:
                    line.lose(t35=choice.choice("D8"), t11=f"C{count}")
                buyer.command(f"order C{count} MSFT buy 1 1 limit")
            if what == "kill":
                self.exchange.kill()
                buyer.wait_event("logout")
                self.start_exchange()
                buyer.wait_event("logon")
            elif what == "drop":
                buyer.command("drop")
                buyer.wait_event("logout")
                buyer.command("logon")
                buyer.wait_event("logon")
            self.echo(buyer, f"C{count}")
        expected = {f"C{number}" for number in range(1, count + 1)}
        answered = set()
        for nudge in range(100):
            # QuickFIX asks for what is still missing behind a closed gap when the next message comes.
            self.echo(buyer, f"NUDGE-{nudge}")
            answered = {message.get(11) for message in buyer.messages("delivered")}
            if answered >= expected:
                break
        self.assertEqual(answered, expected)
        self.log_out(buyer)


if __name__ == "__main__":
    peers.main({"quickfix_trader": peers.QUICKFIX_TRADER, "affix": peers.AFFIX})
