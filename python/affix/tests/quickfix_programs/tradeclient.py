# SPDX-License-Identifier: MIT
"""A trader as programs for QuickFIX have it: sends orders, a replacement and cancellations over each session, and
prints what it sent and received, as JSON without times and numbers.

tradeclient.py SETTINGS. Ends with 0 if each session had all answers.
"""

import json
import os
import queue
import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, List

if not TYPE_CHECKING and os.environ.get("FIX_ENGINE") == "quickfix":
    import quickfix as fix
else:
    import affix.quickfix as fix

# As tests/patience.py, which programs for QuickFIX do not import.
SECONDS = 8 * float(os.environ.get("AFFIX_TEST_PATIENCE", "1"))
CHANGING = {"8", "9", "10", "34", "52", "60"}


def fields_of(message: Any) -> Dict[str, str]:
    pairs = [field.partition("=") for field in message.toString().split("\x01") if field]
    return {tag: value for tag, _, value in pairs if tag not in CHANGING}


class Trader(fix.Application):
    def __init__(self) -> None:
        super().__init__()
        self.seen: Dict[str, List[Any]] = {}
        self.logons: Any = queue.Queue()
        self.logouts: Any = queue.Queue()
        self.answers: Any = queue.Queue()

    def note(self, what: str, message: Any, sessionID: Any) -> None:
        if message.getHeader().getField(35) not in ("0", "1"):
            self.seen[sessionID.toString()].append([what, fields_of(message)])

    def onCreate(self, sessionID: Any) -> None:
        self.seen[sessionID.toString()] = [["onCreate"]]

    def onLogon(self, sessionID: Any) -> None:
        self.seen[sessionID.toString()].append(["onLogon"])
        self.logons.put(sessionID.toString())

    def onLogout(self, sessionID: Any) -> None:
        self.seen[sessionID.toString()].append(["onLogout"])
        self.logouts.put(sessionID.toString())

    def toAdmin(self, message: Any, sessionID: Any) -> None:
        if message.getHeader().getField(35) == fix.MsgType_Logon and not sessionID.isFIXT():
            # A field that has been there since FIX 4.0; later ones have Username.
            message.setField(fix.RawDataLength(6))
            message.setField(fix.RawData("secret"))
        self.note("toAdmin", message, sessionID)

    def fromAdmin(self, message: Any, sessionID: Any) -> None:
        self.note("fromAdmin", message, sessionID)
        if message.getHeader().getField(35) == fix.MsgType_Reject:
            self.answers.put("3")

    def toApp(self, message: Any, sessionID: Any) -> None:
        if message.isSetField(58) and message.getField(58) == "keep back":
            raise fix.DoNotSend()
        self.note("toApp", message, sessionID)

    def fromApp(self, message: Any, sessionID: Any) -> None:
        self.note("fromApp", message, sessionID)
        self.answers.put(message.getHeader().getField(35))


def message_of(version: str, kind: str, *fields: Any) -> Any:
    message = fix.Message()
    message.getHeader().setField(fix.BeginString(version))
    message.getHeader().setField(fix.MsgType(kind))
    for field in fields:
        message.setField(field)
    if version not in ("FIX.4.0", "FIX.4.1"):
        message.setField(fix.TransactTime())
    return message


def order_of(version: str, order: str, symbol: str, *fields: Any) -> Any:
    return message_of(version, fix.MsgType_NewOrderSingle, fix.ClOrdID(order), fix.HandlInst("1"), fix.Symbol(symbol),
                      fix.Side(fix.Side_BUY), fix.OrderQty(100), *fields)


def trade(trader: Trader, sessionID: Any) -> None:
    version = sessionID.getBeginString().getString()
    limit = [fix.OrdType(fix.OrdType_LIMIT), fix.Price(1.0825)]

    def answer(wanted: str) -> None:
        got = trader.answers.get(timeout=SECONDS)
        if got != wanted:
            raise SystemExit(f"{version}: 35={got} in place of 35={wanted}")

    order = order_of(version, "filled", "EUR/USD", *limit)
    assert fix.Session.sendToTarget(order, sessionID)
    answer("8")

    order = order_of(version, "open", "OPEN", *limit)
    order.getHeader().setField(fix.OnBehalfOfCompID("DESK"))
    assert fix.Session.sendToTarget(order, sessionID)
    answer("8")
    replacement = message_of(version, "G", fix.OrigClOrdID("open"), fix.ClOrdID("replaced"), fix.HandlInst("1"),
                             fix.Symbol("OPEN"), fix.Side(fix.Side_BUY), fix.OrderQty(50), *limit)
    assert fix.Session.sendToTarget(replacement, sessionID.getSenderCompID().getString(),
                                    sessionID.getTargetCompID().getString())
    answer("8")
    cancel = message_of(version, "F", fix.OrigClOrdID("replaced"), fix.ClOrdID("cancelled"), fix.Symbol("OPEN"),
                        fix.Side(fix.Side_BUY), fix.OrderQty(50))
    if version in ("FIX.4.0",):
        cancel.setField(125, "F")
    assert fix.Session.sendToTarget(cancel, sessionID)
    answer("8")
    again = fix.Message(cancel)
    assert fix.Session.sendToTarget(again, sessionID)
    answer("9")

    # A market order is nothing that this venue takes, and says so by a Reject.
    order = order_of(version, "market", "EUR/USD", fix.OrdType(fix.OrdType_MARKET))
    assert fix.Session.sendToTarget(order, sessionID)
    answer("3")
    # QuickFIX answers the next two with DefaultApplVerID in FIXT.1.1, which its own dictionary forbids there.
    if not sessionID.isFIXT():
        ask_too_much(trader, sessionID, limit, answer)
    order.setField(fix.Text("keep back"))
    assert not fix.Session.sendToTarget(order, sessionID)


def ask_too_much(trader: Trader, sessionID: Any, limit: List[Any], answer: Callable[[str], None]) -> None:
    """An order without a field that the venue's program wants, and a message that is nothing for it."""
    version = sessionID.getBeginString().getString()
    order = order_of(version, "halted", "HALTED", *limit)
    assert fix.Session.sendToTarget(order, sessionID)
    answer("3" if version in ("FIX.4.0", "FIX.4.1") else "j")
    news = fix.Message()
    news.getHeader().setField(fix.MsgType(fix.MsgType_News))
    if version == "FIX.4.0":
        news.setField(fix.LinesOfText(1))
        news.setField(fix.Text("none"))
    else:
        news.setField(fix.Headline("no news"))
        line = fix.Group(33, 58)
        line.setField(fix.Text("none"))
        news.addGroup(line)
    assert fix.Session.sendToTarget(news, sessionID)
    answer("3" if version in ("FIX.4.0", "FIX.4.1") else "j")


def main() -> int:
    settings = fix.SessionSettings(sys.argv[1])
    trader = Trader()
    initiator = fix.SocketInitiator(trader, fix.FileStoreFactory(settings), settings, fix.FileLogFactory(settings))
    initiator.start()
    sessions = {session.toString(): session for session in settings.getSessions()}
    for _ in sessions:
        trader.logons.get(timeout=SECONDS)
    for _, session in sorted(sessions.items()):
        assert fix.Session.lookupSession(session).isLoggedOn()
        trade(trader, session)
    try:
        fix.Session.sendToTarget(fix.Message(), fix.SessionID("FIX.4.2", "NOBODY", "NOWHERE"))
        return 1
    except fix.SessionNotFound:
        pass
    initiator.stop()
    for _ in sessions:
        trader.logouts.get(timeout=SECONDS)
    print(json.dumps(trader.seen, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
