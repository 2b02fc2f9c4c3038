# SPDX-License-Identifier: MIT
"""Subscribes to market data, keeps a book for each symbol, and prints its top. With --serve it is the venue.

    python market_data.py --serve 9000
    python market_data.py 127.0.0.1 9000 EUR/USD GBP/USD
"""

import argparse
import asyncio
import itertools
import random
from decimal import Decimal

import affix

FIX44 = affix.dictionary("FIX.4.4")
BID, OFFER = "0", "1"
NEW, CHANGE, DELETE = "0", "1", "2"


class Book:
    """Price levels of one symbol."""

    def __init__(self) -> None:
        self.levels: dict[str, dict[Decimal, Decimal]] = {BID: {}, OFFER: {}}

    def update(self, entry: affix.GroupEntry, action: str) -> None:
        side = self.levels.get(entry["MDEntryType"])
        if side is None:
            return  # A trade, an opening price: no level.
        price = entry.decimal("MDEntryPx")
        if action == DELETE:
            side.pop(price, None)
        else:
            side[price] = entry.decimal("MDEntrySize")

    def top(self) -> str:
        def show(side: str, best: Decimal | None) -> str:
            return "none" if best is None else f"{self.levels[side][best]} at {best}"

        bid, offer = max(self.levels[BID], default=None), min(self.levels[OFFER], default=None)
        return f"bid {show(BID, bid)}, offer {show(OFFER, offer)}"


async def subscribe(host: str, port: int, symbols: list[str], updates: int | None) -> None:
    async with affix.Initiator(primary_address=host, primary_port=port, begin_string="FIX.4.4", sender_comp_id="READER",
                               target_comp_id="FEED", durability="memory", logon_reset_sequence_numbers=True,
                               codec=FIX44) as session:
        await session.logon(timeout=10)
        await session.send("MarketDataRequest", {
            "MDReqID": "books", "SubscriptionRequestType": "1", "MarketDepth": 0, "MDUpdateType": 1,
            "NoMDEntryTypes": [{"MDEntryType": BID}, {"MDEntryType": OFFER}],
            "NoRelatedSym": [{"Symbol": symbol} for symbol in symbols],
        })
        books: dict[str, Book] = {}
        seen = 0
        async for message in session:
            if message.name == "MarketDataSnapshotFullRefresh":
                book = books[message["Symbol"]] = Book()
                for entry in message.group("NoMDEntries"):
                    book.update(entry, NEW)
                print(f"{message['Symbol']}: {book.top()}", flush=True)
            elif message.name == "MarketDataIncrementalRefresh":
                changed = {}
                for entry in message.group("NoMDEntries"):
                    book = books[entry["Symbol"]]
                    book.update(entry, entry["MDUpdateAction"])
                    changed[entry["Symbol"]] = book
                for symbol, book in changed.items():
                    print(f"{symbol}: {book.top()}", flush=True)
                seen += 1
            elif message.name == "MarketDataRequestReject":
                print(f"refused: {message.get('Text', 'no reason given')}", flush=True)
                break
            if seen == updates:
                break
        await session.logout()


def snapshot(request: affix.Message, symbol: str, levels: list[tuple[str, Decimal]]) -> dict[str, object]:
    return {"MDReqID": request["MDReqID"], "Symbol": symbol, "NoMDEntries": [
        {"MDEntryType": side, "MDEntryPx": price, "MDEntrySize": 1_000_000} for side, price in levels]}


async def publish(session: affix.Session, request: affix.Message) -> None:
    """A snapshot of each symbol, and then one level that is added or taken away at a time."""
    symbols = [related["Symbol"] for related in request.group("NoRelatedSym")]
    if request["SubscriptionRequestType"] != "1" or not symbols:
        await session.send("MarketDataRequestReject", {
            "MDReqID": request["MDReqID"], "MDReqRejReason": "4", "Text": "only subscriptions"})
        return
    tick = Decimal("0.0001")
    middle = {symbol: Decimal("1.0825") for symbol in symbols}
    for symbol, price in middle.items():
        await session.send("MarketDataSnapshotFullRefresh", snapshot(
            request, symbol, [(BID, price - tick), (OFFER, price + tick)]))
    for number in itertools.count():
        symbol = symbols[number % len(symbols)]
        former, step = middle[symbol], random.choice((-tick, tick))
        middle[symbol] += step
        await session.send("MarketDataIncrementalRefresh", {"MDReqID": request["MDReqID"], "NoMDEntries": [
            entry for side, away in ((BID, -tick), (OFFER, tick)) for entry in (
                {"MDUpdateAction": DELETE, "MDEntryType": side, "Symbol": symbol, "MDEntryPx": former + away},
                {"MDUpdateAction": NEW, "MDEntryType": side, "Symbol": symbol, "MDEntryPx": former + step + away,
                 "MDEntrySize": random.randint(1, 9) * 100_000})]})
        await asyncio.sleep(0.05)


async def serve(port: int) -> None:
    publishers: dict[str, asyncio.Task[None]] = {}

    def stop(session: affix.Session, reason: str) -> None:
        if session.name in publishers:
            publishers.pop(session.name).cancel()

    async with affix.Acceptor(nic_address="127.0.0.1", accept_port=port, begin_string="FIX.4.4", sender_comp_id="FEED",
                              target_comp_id="READER", durability="memory", codec=FIX44, on_logout=stop) as acceptor:
        print(f"listens at port {acceptor.port}", flush=True)
        async for message in acceptor:
            if message.name == "MarketDataRequest":
                stop(message.session, "a new request")
                publishers[message.session.name] = asyncio.create_task(publish(message.session, message))


def main() -> None:
    parser = argparse.ArgumentParser(description="Market data: a subscriber, or with --serve a venue.")
    parser.add_argument("--serve", type=int, metavar="PORT", help="be the venue")
    parser.add_argument("--updates", type=int, help="end after this number of incremental refreshes")
    parser.add_argument("host", nargs="?", default="127.0.0.1")
    parser.add_argument("port", nargs="?", type=int, default=9000)
    parser.add_argument("symbols", nargs="*", default=["EUR/USD"])
    arguments = parser.parse_args()
    try:
        asyncio.run(serve(arguments.serve) if arguments.serve is not None else
                    subscribe(arguments.host, arguments.port, arguments.symbols, arguments.updates))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
