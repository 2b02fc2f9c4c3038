# SPDX-License-Identifier: MIT
"""`affix-lab exchange` and `affix-lab trade` killed with SIGKILL under load, again and again, while QuickFIX lives on. Then both
sides' records are compared message by message: no number was used twice, nothing the peer saw is missing, every order is
accounted for. AFFIX_ROUNDS kills each (`./dev torture` asks for more), AFFIX_SEED for the same ones again."""

import os
import random
import time

import affix_programs
import peers

ROUNDS = int(os.environ.get("AFFIX_ROUNDS", "6"))
SEED = int(os.environ.get("AFFIX_SEED") or random.SystemRandom().getrandbits(32))

# A journal and a QuickFIX store of their own for so many kills, so that no comparison is of a day's messages.
EPISODE_ROUNDS = 25


def episodes():
    """(random choices, rounds) of each; the first message of a failing one says which it was."""
    for first in range(0, ROUNDS, EPISODE_ROUNDS):
        yield random.Random(f"{SEED} {first}"), first, min(EPISODE_ROUNDS, ROUNDS - first)


def linger(choice):
    """The kill is to come at any moment, and not only when a message has just arrived."""
    time.sleep(choice.random() * choice.choice((0, 0.002, 0.02)))


class AffixTorture(peers.InteropTest):
    def setUp(self):
        super().setUp()
        print(f"AFFIX_SEED={SEED} AFFIX_ROUNDS={ROUNDS}", flush=True)

    def test_the_acceptor_is_killed(self):
        kills = orders = 0
        for choice, first, rounds in episodes():
            with self.subTest(seed=SEED, first_round=first):
                orders += self.kill_the_exchange(choice, first, rounds)
                kills += rounds
        print(f"acceptor: {kills} kills, {orders} orders, each answered", flush=True)

    def test_the_initiator_is_killed(self):
        kills = orders = 0
        for choice, first, rounds in episodes():
            with self.subTest(seed=SEED, first_round=first):
                orders += self.kill_the_trader(choice, first, rounds)
                kills += rounds
        print(f"initiator: {kills} kills, {orders} orders received", flush=True)

    # --- affix accepts, QuickFIX connects ---

    def start_exchange(self, folder, port):
        config = folder / "exchange.cfg"
        affix_programs.write_exchange_config(config, folder / "journal", ["BUYER"], port)
        return affix_programs.open_exchange(self, config)

    def kill_the_exchange(self, choice, first, rounds):
        folder = self.folder(f"acceptor-{first}")
        exchange, port = self.start_exchange(folder, 0)
        (folder / "quickfix").mkdir()
        buyer = peers.open_quickfix_trader(self, port, folder / "quickfix", sender="BUYER")
        buyer.command("logon")
        buyer.wait_event("logon")
        names = []
        for life in range(rounds):
            batch = [f"L{life}N{number}" for number in range(choice.randrange(10, 200))]
            names += batch
            buyer.write("\n".join(f"order {name} MSFT buy 10 1 limit" for name in batch))
            buyer.wait_message("delivered", t35="8", t11=choice.choice(batch))
            linger(choice)
            exchange.kill()
            buyer.wait_event("logout")
            exchange.close()
            exchange, _ = self.start_exchange(folder, port)
            buyer.wait_event("logon")
        answered = set()
        for nudge in range(100):
            # QuickFIX asks for what is still missing behind a closed gap when the next message comes.
            buyer.command("test_request", f"NUDGE-{nudge}")
            buyer.wait_message("in", t35="0", t112=f"NUDGE-{nudge}")
            answered = {message.get(11) for message in buyer.messages("delivered") if message.type == "8"}
            if answered.issuperset(names):
                break
        self.assertEqual(answered, set(names))
        buyer.command("logout")
        buyer.wait_event("logout")
        exchange.kill()
        self.assert_quickfix_refused_nothing(buyer)
        self.assert_one_message_per_number(buyer.messages("in"))
        affix_programs.assert_records_agree(
            self, buyer, "EXCHANGE", folder / "journal" / f"{peers.BEGIN_STRING}-EXCHANGE-BUYER")
        self.forget(buyer)
        return len(names)

    # --- affix connects, QuickFIX accepts ---

    def kill_the_trader(self, choice, first, rounds):
        folder = self.folder(f"initiator-{first}")
        (folder / "quickfix").mkdir()
        exchange, port = peers.open_quickfix_exchange(self, folder / "quickfix", targets=("TRADER",))
        config = folder / "trade.cfg"
        affix_programs.write_trade_config(config, folder / "journal", port, ["TRADER"])
        for life in range(rounds):
            trade = affix_programs.open_trade(self, config, "--rate", 2000, "--duration", 300, "--prefix", f"L{life}-",
                                              "--seed", choice.randrange(1, 1 << 30))
            exchange.wait_event("logon")
            for _ in range(choice.randrange(1, 150)):
                exchange.wait_message("delivered", t35="D")
            linger(choice)
            trade.kill()
            exchange.wait_event("logout")
            trade.close()
        trade = affix_programs.open_trade(self, config, "--rate", 500, "--duration", 0.2, "--prefix", "LAST-")
        exchange.wait_event("logon")
        exchange.wait_message("in", t35="5")
        exchange.wait_event("logout")
        # Reports about orders of an earlier life are not its own, and it says so by exit code 1.
        self.assertIn(trade.wait_exit(), (0, 1))
        self.assert_quickfix_refused_nothing(exchange)
        received = exchange.messages("in")
        self.assert_one_message_per_number(received)
        self.assert_resends_are_true(received)
        affix_programs.assert_records_agree(
            self, exchange, "TRADER", folder / "journal" / f"{peers.BEGIN_STRING}-TRADER-EXCHANGE")
        self.forget(exchange)
        trade.close()
        return len({message.get(11) for message in received if message.type == "D"})

    def forget(self, process):
        """A thousand kills' worth of printed messages would stay until the test ends."""
        process.close()
        process.lines.clear()


if __name__ == "__main__":
    peers.main({"quickfix_trader": peers.QUICKFIX_TRADER, "quickfix_exchange": peers.QUICKFIX_EXCHANGE,
                "affix": peers.AFFIX})
