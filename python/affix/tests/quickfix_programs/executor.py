# SPDX-License-Identifier: MIT
"""A venue as programs for QuickFIX have it: fills limit orders of FIX 4.0 to 5.0 whole, keeps those for the symbol OPEN
until they are replaced or cancelled, and refuses everything else.

executor.py SETTINGS. Prints "ready"; ends when its input does.
"""

import os
import sys
from typing import TYPE_CHECKING, Any, Dict

if not TYPE_CHECKING and os.environ.get("FIX_ENGINE") == "quickfix":
    import quickfix as fix
else:
    import affix.quickfix as fix


class Executor(fix.Application):
    def __init__(self) -> None:
        super().__init__()
        self.last_order = 0
        self.last_execution = 0
        self.open_orders: Dict[str, str] = {}

    def onCreate(self, sessionID: Any) -> None:
        pass

    def onLogon(self, sessionID: Any) -> None:
        pass

    def onLogout(self, sessionID: Any) -> None:
        pass

    def toAdmin(self, message: Any, sessionID: Any) -> None:
        pass

    def fromAdmin(self, message: Any, sessionID: Any) -> None:
        pass

    def toApp(self, message: Any, sessionID: Any) -> None:
        pass

    def fromApp(self, message: Any, sessionID: Any) -> None:
        kind = fix.MsgType()
        message.getHeader().getField(kind)
        if kind.getValue() == fix.MsgType_NewOrderSingle:
            self.take_order(message, sessionID)
        elif kind.getValue() == fix.MsgType_OrderCancelReplaceRequest:
            self.change(message, sessionID, "5")
        elif kind.getValue() == fix.MsgType_OrderCancelRequest:
            self.change(message, sessionID, fix.ExecType_CANCELED)
        else:
            raise fix.UnsupportedMessageType()

    def take_order(self, message: Any, sessionID: Any) -> None:
        order_type = fix.OrdType()
        message.getField(order_type)
        if order_type.getValue() != fix.OrdType_LIMIT:
            raise fix.IncorrectTagValue(order_type.getTag())
        if message.getField(55) == "HALTED":
            # As the application of a field that is not in every order does.
            message.getField(fix.MaxFloor())
        self.last_order += 1
        order = str(self.last_order)
        if message.getField(55) == "OPEN":
            self.open_orders[message.getField(11)] = order
            self.report(message, sessionID, order, fix.ExecType_NEW, filled=False)
        else:
            self.report(message, sessionID, order, "F", filled=True)

    def change(self, message: Any, sessionID: Any, exec_type: str) -> None:
        order = self.open_orders.pop(message.getField(41), None)
        if order is None:
            self.reject_cancel(message, sessionID)
            return
        if exec_type == "5":
            self.open_orders[message.getField(11)] = order
        self.report(message, sessionID, order, exec_type, filled=False)

    def report(self, message: Any, sessionID: Any, order: str, exec_type: str, filled: bool) -> None:
        version = sessionID.getBeginString().getString()
        self.last_execution += 1
        report = fix.Message()
        report.getHeader().setField(fix.BeginString(version))
        report.getHeader().setField(fix.MsgType(fix.MsgType_ExecutionReport))
        report.setField(fix.OrderID(order))
        report.setField(fix.ExecID(str(self.last_execution)))
        is_old = version in ("FIX.4.0", "FIX.4.1", "FIX.4.2")
        # Later versions have no status of a replaced order: it is new.
        status = {"F": fix.OrdStatus_FILLED, "5": "5" if is_old else fix.OrdStatus_NEW}
        report.setField(fix.OrdStatus(status.get(exec_type, exec_type)))
        symbol, side, quantity = fix.Symbol(), fix.Side(), fix.OrderQty()
        for field in (symbol, side, quantity):
            message.getField(field)
            report.setField(field)
        report.setField(fix.ClOrdID(message.getField(11)))
        if message.isSetField(41) and version != "FIX.4.0":
            report.setField(fix.OrigClOrdID(message.getField(41)))
        shares = quantity.getValue() if filled else 0
        report.setField(fix.CumQty(shares))
        price = fix.Price(0)
        message.getFieldIfSet(price)
        report.setField(fix.AvgPx(price.getValue() if filled else 0))
        if filled or version in ("FIX.4.0", "FIX.4.1"):
            report.setField(fix.LastShares(shares))
            report.setField(fix.LastPx(price.getValue() if filled else 0))
        if is_old:
            report.setField(fix.ExecTransType(fix.ExecTransType_NEW))
            exec_type = fix.ExecType_FILL if exec_type == "F" else exec_type
        if version != "FIX.4.0":
            report.setField(fix.ExecType(exec_type))
            report.setField(fix.LeavesQty(quantity.getValue() - shares if exec_type != fix.ExecType_CANCELED else 0))
        fix.Session.sendToTarget(report, sessionID)

    def reject_cancel(self, message: Any, sessionID: Any) -> None:
        version = sessionID.getBeginString().getString()
        reject = fix.Message()
        reject.getHeader().setField(fix.BeginString(version))
        reject.getHeader().setField(fix.MsgType(fix.MsgType_OrderCancelReject))
        reject.setField(fix.OrderID("NONE"))
        reject.setField(fix.ClOrdID(message.getField(11)))
        if version != "FIX.4.0":
            reject.setField(fix.OrigClOrdID(message.getField(41)))
            reject.setField(fix.OrdStatus(fix.OrdStatus_REJECTED))
        if version not in ("FIX.4.0", "FIX.4.1"):
            reject.setField(fix.CxlRejResponseTo("1" if message.getHeader().getField(35) == "F" else "2"))
        reject.setField(fix.CxlRejReason(fix.CxlRejReason_UNKNOWN_ORDER))
        fix.Session.sendToTarget(reject, sessionID)


def main() -> int:
    settings = fix.SessionSettings(sys.argv[1])
    application = Executor()
    acceptor = fix.SocketAcceptor(application, fix.FileStoreFactory(settings), settings, fix.FileLogFactory(settings))
    acceptor.start()
    print("ready", flush=True)
    sys.stdin.read()
    acceptor.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
