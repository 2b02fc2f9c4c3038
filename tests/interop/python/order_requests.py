# SPDX-License-Identifier: MIT
"""Requests about orders, of the words of a script. An ID is a ClOrdID that the script has chosen."""

import datetime
from typing import Any, NamedTuple

Fields = list[tuple[int, Any]]


class Sent(NamedTuple):
    """What later requests about an order repeat."""

    symbol: str
    side: str
    quantity: str
    ord_type: str


class OrderRequests:
    """order ID SYMBOL buy|sell QUANTITY PRICE|- limit|market; cancel ID ORIGINAL; replace ID ORIGINAL QUANTITY PRICE;
    status ID; market_data ID snapshot|subscribe|unsubscribe DEPTH full|incremental|- TYPES SYMBOL..."""

    def __init__(self) -> None:
        self._orders: dict[str, Sent] = {}

    def make(self, words: list[str]) -> tuple[str, Fields] | None:
        """(MsgType, fields), or None if the first word is no request."""
        match words:
            case ["order", name, symbol, side, quantity, price, kind]:
                order = Sent(symbol, "1" if side == "buy" else "2", quantity, "1" if kind == "market" else "2")
                self._orders[name] = order
                return "D", [(11, name), (21, "1"), *_described(order), (60, _now()), (38, quantity),
                             (40, order.ord_type), (44, None if price == "-" else price)]
            case ["cancel", name, original]:
                order = self._orders[name] = self._orders[original]
                return "F", [(41, original), (11, name), *_described(order), (60, _now()), (38, order.quantity)]
            case ["replace", name, original, quantity, price]:
                order = self._orders[name] = self._orders[original]._replace(quantity=quantity)
                return "G", [(41, original), (11, name), (21, "1"), *_described(order), (60, _now()), (38, quantity),
                             (40, order.ord_type), (44, price)]
            case ["status", name]:
                return "H", [(11, name), *_described(self._orders[name])]
            case ["market_data", name, request, depth, update, types, *symbols]:
                return "V", [(262, name), (263, ("snapshot", "subscribe", "unsubscribe").index(request)), (264, depth),
                             (265, None if update == "-" else ("full", "incremental").index(update)),
                             (267, [{269: type} for type in types]), (146, [{55: symbol} for symbol in symbols])]
        return None


def _described(order: Sent) -> Fields:
    return [(55, order.symbol), (54, order.side)]


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc)
