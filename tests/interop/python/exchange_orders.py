# SPDX-License-Identifier: MIT
"""Answers orders with ExecutionReports and rejects, as the exchange of QuickFIX in tests/interop/quickfix does."""

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import affix

Answer = tuple[str, list[tuple[int, Any]]]
FILL_MODES = ("in_two", "at_once", "half", "nothing")
MARKET_PRICE = Decimal(100)


@dataclass
class Order:
    order_id: str
    name: str
    symbol: str
    side: str
    ord_type: str
    quantity: int
    price: Decimal | None
    filled: int = 0
    paid: Decimal = Decimal(0)
    closed: bool = False


class ExchangeOrders:
    """Orders of one session."""

    def __init__(self, begin_string: str) -> None:
        self._is_fix42 = begin_string == "FIX.4.2"
        self._orders: dict[str, Order] = {}  # By every ClOrdID that an order has had.
        self._names: set[str] = set()
        self._order_count = 0
        self._executions = 0
        self.fill_mode = "in_two"

    def answer(self, request: affix.Message) -> list[Answer]:
        match request.type:
            case "D":
                return self._new(request)
            case "F":
                return self._cancel(request)
            case "G":
                return self._replace(request)
            case "H":
                order = self._orders.get(request[11])
                return [self._report(order, "I") if order else self._rejected(request, 5, "Unknown order")]
        return [("j", [(45, request[34]), (372, request.type), (380, 3), (58, "Unsupported Message Type")])]

    def execute(self, name: str, quantity: int) -> Answer:
        order = self._orders[name]
        if order.closed or not 0 < quantity <= order.quantity - order.filled:
            raise ValueError(f"no open order {name} with so much left")
        return self._fill(order, quantity)

    def _new(self, request: affix.Message) -> list[Answer]:
        name = request[11]
        if name in self._names:
            return [self._rejected(request, 6, "Duplicate ClOrdID")]
        self._names.add(name)
        self._order_count += 1
        order = Order(f"PY{self._order_count}", name, request.get(55, ""), request.get(54, ""), request.get(40, ""),
                      _whole(request), request.decimal(44, None))
        if order.symbol.startswith("REJECT") or not order.symbol:
            return [self._rejected(request, 1, "Unknown symbol")]
        if order.quantity == 0:
            return [self._rejected(request, 0, "OrderQty must be a positive whole number")]
        if order.ord_type not in ("1", "2") or (order.ord_type == "2" and order.price is None):
            return [self._rejected(request, 0, "OrdType must be market, or limit with a Price")]
        self._orders[name] = order
        answers = [self._report(order, "0")]
        if self.fill_mode == "at_once":
            answers.append(self._fill(order, order.quantity))
        elif self.fill_mode != "nothing":
            answers.append(self._fill(order, (order.quantity + 1) // 2))
            if self.fill_mode == "in_two" and order.filled < order.quantity:
                answers.append(self._fill(order, order.quantity - order.filled))
        return answers

    def _cancel(self, request: affix.Message) -> list[Answer]:
        order = self._orders.get(request[41])
        if order is None or order.closed:
            return [self._cancel_rejected(request, order, "1", 0 if order else 1)]
        original, order.name, order.closed = order.name, request[11], True
        self._orders[order.name] = order
        return [self._report(order, "4", original)]

    def _replace(self, request: affix.Message) -> list[Answer]:
        order = self._orders.get(request[41])
        quantity = _whole(request)
        if order is None or order.closed or quantity <= order.filled:
            return [self._cancel_rejected(request, order, "2", 0 if order else 1)]
        original, order.name, order.quantity = order.name, request[11], quantity
        order.price = request.decimal(44, order.price)
        self._orders[order.name] = order
        return [self._report(order, "5", original)]

    def _fill(self, order: Order, quantity: int) -> Answer:
        price = MARKET_PRICE if order.price is None else order.price
        order.filled += quantity
        order.paid += quantity * price
        order.closed = order.filled == order.quantity
        type, fields = self._report(order, "F")
        return type, [*fields, (32, quantity), (31, price)]

    def _report(self, order: Order, exec_type: str, original: str | None = None) -> Answer:
        status = "0" if order.filled == 0 else "2" if order.filled == order.quantity else "1"
        if order.closed and order.filled < order.quantity:
            status = "4"
        if self._is_fix42:
            transaction = "3" if exec_type == "I" else "0"
            exec_type = status if exec_type in "FI" else exec_type
            status = "5" if exec_type == "5" else status
        average = (order.paid / order.filled).quantize(Decimal("0.000001")) if order.filled else 0
        return "8", [(37, order.order_id), (11, order.name), (41, original), self._execution(),
                     (20, transaction if self._is_fix42 else None), (150, exec_type), (39, status), (55, order.symbol),
                     (54, order.side), (40, order.ord_type), (38, order.quantity), (44, order.price),
                     (151, 0 if order.closed else order.quantity - order.filled), (14, order.filled), (6, average),
                     (60, datetime.datetime.now(datetime.timezone.utc))]

    def _rejected(self, request: affix.Message, reason: int, text: str) -> Answer:
        return "8", [(37, "NONE"), (11, request[11]), self._execution(), (20, "0" if self._is_fix42 else None), (150, "8"),
                     (39, "8"), (55, request.get(55, "NONE")), (54, request.get(54, "1")), (151, 0), (14, 0), (6, 0),
                     (103, reason), (58, text), (60, datetime.datetime.now(datetime.timezone.utc))]

    def _cancel_rejected(self, request: affix.Message, order: Order | None, response_to: str, reason: int) -> Answer:
        status = "8" if order is None else "2" if order.closed else "0"
        return "9", [(37, order.order_id if order else "NONE"), (11, request[11]), (41, request[41]), (39, status),
                     (434, response_to), (102, reason)]

    def _execution(self) -> tuple[int, str]:
        self._executions += 1
        return 17, f"E{self._executions}"


def _whole(request: affix.Message) -> int:
    """OrderQty (38); 0 if it is not a positive whole number."""
    quantity = request.decimal(38, Decimal(0))
    return int(quantity) if quantity > 0 and quantity == int(quantity) else 0
