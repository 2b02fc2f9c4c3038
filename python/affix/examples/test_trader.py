# SPDX-License-Identifier: MIT
"""Tests of trader.py against a scripted venue. `fix_peer` comes with the package.

    pytest test_trader.py
"""

import asyncio
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from affix.testing import ANY, ECHO, ScriptedPeers

sys.path.insert(0, str(Path(__file__).parent))
from trader import trade  # noqa: E402

REPORT = {"OrderID": "V-1", "ClOrdID": ECHO, "ExecID": "E-1", "Symbol": ECHO, "Side": ECHO}


def test_an_order_that_is_filled(fix_peer: ScriptedPeers, capsys: pytest.CaptureFixture[str]) -> None:
    with fix_peer.acceptor(sender_comp_id="VENUE", target_comp_id="TRADER") as venue:
        venue.expect("NewOrderSingle", {"ClOrdID": "order-1", "Symbol": "EUR/USD", "Side": "1", "OrderQty": 100,
                                        "Price": Decimal("1.0825"), "TransactTime": ANY, "Account": None})
        venue.send("ExecutionReport", {**REPORT, "ExecType": "0", "OrdStatus": "0", "LeavesQty": 100, "CumQty": 0,
                                       "AvgPx": 0})
        venue.send("ExecutionReport", {**REPORT, "ExecType": "F", "OrdStatus": "2", "LeavesQty": 0, "CumQty": 100,
                                       "AvgPx": "1.0824"})
        venue.expect_logout()
        asyncio.run(venue.watch(trade("127.0.0.1", venue.port, orders=1)))
    assert capsys.readouterr().out.splitlines() == [
        "order-1: 0, 0 filled at 0", "order-1: 2, 100 filled at 1.0824"]


def test_a_venue_that_rejects_one_of_two(fix_peer: ScriptedPeers, capsys: pytest.CaptureFixture[str]) -> None:
    with fix_peer.acceptor(sender_comp_id="VENUE", target_comp_id="TRADER") as venue:
        for status, quantity in (("2", 100), ("8", 200)):
            venue.expect("NewOrderSingle", {"OrderQty": quantity})
            venue.send("ExecutionReport", {**REPORT, "ExecType": status, "OrdStatus": status, "LeavesQty": 0,
                                           "CumQty": lambda order: order["OrderQty"], "AvgPx": 0, "Price": ECHO})
        asyncio.run(venue.watch(trade("127.0.0.1", venue.port, orders=2)))
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()] == ["order-1: 2", "order-2: 8"]
