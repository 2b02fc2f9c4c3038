# SPDX-License-Identifier: MIT
"""A QuickFIX trader, validating with its own dictionary, subscribes to market data of `affix-lab exchange`."""

import exchange_fixture
import peers

FIX50 = peers.BEGIN_STRING == "FIXT.1.1"
LEVEL_TAG = 1023 if FIX50 else 290


def entries(message):
    """The fields of each entry of NoMDEntries, as dictionaries by tag."""
    fields = message.fields
    begin = next(at for at, (tag, _) in enumerate(fields) if tag == 268)
    first = fields[begin + 1][0] if begin + 1 < len(fields) else None
    found = []
    for tag, value in fields[begin + 1:]:
        if tag == 10:
            break
        if tag == first:
            found.append({})
        found[-1][tag] = value
    return found


class Book:
    """Book of one symbol, by the messages of one subscription."""

    def __init__(self):
        self.sides = {"0": {}, "1": {}}
        self.trades = []

    def take(self, message):
        if message.type == "W":
            self.sides = {"0": {}, "1": {}}
        for entry in entries(message):
            kind, price = entry[269], float(entry.get(270, 0))
            if kind == "2":
                self.trades.append((price, float(entry[271])))
            elif kind != "J" and entry.get(279) == "2":
                del self.sides[kind][price]
            elif kind != "J":
                assert (price in self.sides[kind]) == (entry.get(279) == "1"), message
                self.sides[kind][price] = (float(entry[271]), int(entry[346]))

    def best_first(self):
        return (sorted(self.sides["0"].items(), reverse=True), sorted(self.sides["1"].items()))


class AffixMarketData(exchange_fixture.ExchangeTest):
    exchange_arguments = ("--symbol", "MSFT", "--symbol", "IBM", "--market-data-subscriptions", "2")

    def order(self, trader, name, side, quantity, price, symbol="MSFT"):
        trader.command(f"order {name} {symbol} {side} {quantity} {price} limit")
        trader.wait_message("delivered", t35="8", t11=name)

    def data_of(self, trader, request):
        """Market data that came under an MDReqID so far."""
        return [message for message in trader.messages("delivered")
                if message.type in ("W", "X") and message.get(262) == request]

    def test_snapshot_and_increments_are_the_book(self):
        watcher, maker = self.log_on("BUYER"), self.log_on("SELLER")
        self.order(maker, "S1", "sell", 100, 26)
        self.order(maker, "S2", "sell", 50, 27)
        watcher.command("market_data M1 subscribe 2 incremental 012 MSFT IBM")
        snapshot = watcher.wait_message("delivered", t35="W", t55="MSFT")
        self.assertEqual([(e[269], float(e[270]), float(e[271]), e[346], e[LEVEL_TAG]) for e in entries(snapshot)],
                         [("1", 26, 100, "1", "1"), ("1", 27, 50, "1", "2")])
        empty = watcher.wait_message("delivered", t35="W", t55="IBM")
        self.assertEqual([entry[269] for entry in entries(empty)], ["J"] if FIX50 else [])
        self.order(maker, "S3", "sell", 10, 25)
        self.order(maker, "S4", "sell", 10, 25)
        self.order(maker, "B1", "buy", 5, 24)
        self.order(maker, "B2", "buy", 15, 25)
        self.echo(watcher, "SETTLED")
        book = Book()
        for message in self.data_of(watcher, "M1"):
            if message.type == "X" or message.get(55) == "MSFT":
                book.take(message)
        self.assertEqual(book.best_first(), ([(24.0, (5.0, 1))], [(25.0, (5.0, 1)), (26.0, (100.0, 1))]))
        self.assertEqual(book.trades, [(25.0, 10.0), (25.0, 5.0)])
        self.log_out(watcher)
        self.log_out(maker)

    def test_an_unsubscribed_book_is_not_published(self):
        watcher, maker = self.log_on("BUYER"), self.log_on("SELLER")
        watcher.command("market_data M1 subscribe 0 incremental 01 MSFT")
        watcher.wait_message("delivered", t35="W")
        self.order(maker, "S1", "sell", 100, 26)
        watcher.wait_message("delivered", t35="X")
        watcher.command("market_data M1 unsubscribe 0 incremental 01 MSFT")
        self.echo(watcher, "ENDED")
        before = len(self.data_of(watcher, "M1"))
        self.order(maker, "S2", "sell", 100, 27)
        self.echo(watcher, "AFTER")
        self.assertEqual(len(self.data_of(watcher, "M1")), before)
        watcher.command("market_data M1 subscribe 1 full 01 MSFT")
        snapshot = watcher.wait_message("delivered", t35="W", t262="M1")
        self.assertEqual([float(entry[270]) for entry in entries(snapshot)], [26])
        self.order(maker, "S3", "sell", 100, 25)
        snapshot = watcher.wait_message("delivered", t35="W", t262="M1")
        self.assertEqual([float(entry[270]) for entry in entries(snapshot)], [25])
        self.log_out(watcher)
        self.log_out(maker)

    def test_a_frozen_watcher_has_the_book_when_it_is_back(self):
        watcher, maker = self.log_on("BUYER"), self.log_on("SELLER")
        watcher.command("market_data M1 subscribe 5 incremental 01 MSFT")
        watcher.wait_message("delivered", t35="W")
        watcher.freeze()
        count = 3000
        for number in range(1, count + 1):
            maker.command(f"order S{number} MSFT sell {number % 7 + 1} {100 + number * 37 % 400} limit")
        maker.wait_message("delivered", t35="8", t11=f"S{count}")
        watcher.thaw()
        self.echo(watcher, "THAWED")
        watcher.command("market_data M2 snapshot 5 - 01 MSFT")
        snapshot = watcher.wait_message("delivered", t35="W", t262="M2")
        self.echo(watcher, "SETTLED")
        followed, now = Book(), Book()
        for message in self.data_of(watcher, "M1"):
            followed.take(message)
        now.take(snapshot)
        self.assertEqual(followed.best_first(), now.best_first())
        self.assertEqual(len(now.best_first()[1]), 5)
        self.log_out(watcher)
        self.log_out(maker)

    def test_a_snapshot_is_asked_for_once(self):
        watcher, maker = self.log_on("BUYER"), self.log_on("SELLER")
        self.order(maker, "S1", "sell", 100, 26)
        self.order(maker, "B1", "buy", 40, 26)
        watcher.command("market_data M1 snapshot 0 - 012 MSFT")
        snapshot = watcher.wait_message("delivered", t35="W", t262="M1")
        self.assertEqual([(e[269], float(e[270]), float(e[271])) for e in entries(snapshot)],
                         [("1", 26, 60), ("2", 26, 40)])
        self.order(maker, "S2", "sell", 100, 27)
        self.echo(watcher, "AFTER")
        self.assertEqual(len(self.data_of(watcher, "M1")), 1)
        self.log_out(watcher)
        self.log_out(maker)

    def test_requests_are_refused_with_a_reason(self):
        watcher = self.log_on("BUYER")

        def refused(request, reason, text=None):
            watcher.command(f"market_data {request}")
            refusal = watcher.wait_message("delivered", t35="Y")
            self.assertEqual((refusal.get(262), refusal.get(281)), (request.split()[0], reason))
            self.assertIn(text or "", refusal.get(58))

        refused("M1 subscribe 0 incremental 01 ACME", "0", "ACME")
        refused("M1 subscribe 1000 incremental 01 MSFT", "5")
        refused("M1 subscribe 0 - 01 MSFT", "6", "MDUpdateType")
        refused("M1 subscribe 0 incremental 014 MSFT", "8")
        refused("M1 unsubscribe 0 incremental 01 MSFT", None, "MDReqID")
        for request in ("M1", "M2"):
            watcher.command(f"market_data {request} subscribe 0 incremental 01 MSFT")
            watcher.wait_message("delivered", t35="W", t262=request)
        refused("M3 subscribe 0 incremental 01 MSFT", "2")
        watcher.command("market_data M1 unsubscribe 0 incremental 01 MSFT")
        refused("M2 subscribe 0 incremental 01 MSFT", "1")
        # A field that the version demands is the validator's to miss.
        watcher.command("send 35=V|262=M4|263=1|264=0|265=1|")
        missing = watcher.wait_message("in", t35="3")
        self.assertEqual(missing.get(373), "1")
        self.log_out(watcher)

    def test_a_subscription_ends_with_its_session(self):
        watcher, maker = self.log_on("BUYER"), self.log_on("SELLER")
        watcher.command("market_data M1 subscribe 0 incremental 01 MSFT")
        watcher.wait_message("delivered", t35="W")
        watcher.command("drop")
        watcher.wait_event("logout")
        self.order(maker, "S1", "sell", 100, 26)
        watcher.command("logon")
        watcher.wait_event("logon")
        self.echo(watcher, "BACK")
        self.order(maker, "S2", "sell", 100, 27)
        self.echo(watcher, "AFTER")
        self.assertEqual([message for message in self.data_of(watcher, "M1") if message.type == "X"], [])
        watcher.command("market_data M1 subscribe 0 incremental 01 MSFT")
        snapshot = watcher.wait_message("delivered", t35="W", t262="M1")
        self.assertEqual(len(entries(snapshot)), 2)
        self.log_out(watcher)
        self.log_out(maker)


if __name__ == "__main__":
    peers.main({"quickfix_trader": peers.QUICKFIX_TRADER, "affix": peers.AFFIX})
