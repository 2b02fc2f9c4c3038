# SPDX-License-Identifier: MIT
"""Orders and their reports between two programs over loopback: affix on asyncio and on C++ workers, QuickFIX's
binding and one program for it on affix.quickfix, and asyncio's loop alone, with the bytes of one order and one report.

round_trip.py ENGINE venue|trader PORT ORDERS DIRECTORY [WINDOW], where ENGINE is asyncio, affix, affix-spinning,
affix-callbacks, affix-threads, affix-quickfix or quickfix. A venue prints its port; a trader keeps WINDOW orders under
way, one without it, and prints JSON: the nanoseconds of each round trip, and of all together. Neither keeps messages on
the disk.
"""

import asyncio
import datetime
import importlib
import json
import socket
import sys
import threading
import time
from pathlib import Path

SETTINGS = """[DEFAULT]
ConnectionType={kind}
StartTime=00:00:00
EndTime=00:00:00
HeartBtInt=30
ReconnectInterval=1
UseDataDictionary=N
ResetOnLogon=Y
SocketNodelay=Y
{endpoint}
[SESSION]
BeginString=FIX.4.4
SenderCompID={us}
TargetCompID={them}
"""


def report_on(order):
    return {37: "V-1", 11: order[11], 17: "E-1", 150: "F", 39: "2", 55: order[55], 54: order[54],
            38: order[38], 32: order[38], 31: order[44], 151: 0, 14: order[38], 6: order[44]}


def answer(order):
    order.session.send_nowait("8", report_on(order))


class Orders:
    """Numbers and times of a trader's orders, of which `window` are under way at once."""

    def __init__(self, total, window):
        self.total = total
        self.window = window
        self.times = []
        self.begun = []

    def next(self):
        """The fields of the next order; None after the last."""
        number = len(self.begun)
        if number == self.total:
            return None
        self.begun.append(time.perf_counter_ns())
        return {11: str(number), 55: "EUR/USD", 54: "1", 38: 100, 40: "2", 44: "1.0825",
                60: datetime.datetime.now(datetime.timezone.utc)}

    def first(self):
        return [self.next() for _ in range(min(self.window, self.total))]

    def take(self, number, price):
        """A report came: those of one session do so in order."""
        assert number == str(len(self.times)) and price == "1.0825"
        self.times.append(time.perf_counter_ns() - self.begun[len(self.times)])
        return len(self.times) < self.total

    def print(self):
        print(json.dumps({"times": self.times, "all": self.times[-1] + self.begun[-1] - self.begun[0]}))


VENUE = {"nic_address": "127.0.0.1", "accept_port": 0, "begin_string": "FIX.4.4", "sender_comp_id": "VENUE",
         "target_comp_id": "FIRM", "durability": "memory"}
FIRM = {"primary_address": "127.0.0.1", "reconnect_milliseconds": 20, "begin_string": "FIX.4.4",
        "sender_comp_id": "FIRM", "target_comp_id": "VENUE", "durability": "memory"}


SPINNING = {"wait_mode": "SPIN"}

# Bytes that affix sends in one order and one report whose numbers have four digits.
ORDER_BYTES = 158
REPORT_BYTES = 179


class Whole:
    """Counts the messages of `size` bytes that a socket has received whole."""

    def __init__(self, peer, size):
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer.setblocking(False)
        self.peer = peer
        self.size = size
        self.bytes = 0

    def receive(self):
        self.bytes += len(self.peer.recv(65536))
        count, self.bytes = divmod(self.bytes, self.size)
        return range(count)


async def asyncio_venue():
    loop = asyncio.get_running_loop()
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    trader = listener.accept()[0]
    orders = Whole(trader, ORDER_BYTES)
    report = b"8" * REPORT_BYTES

    def answer():
        for _ in orders.receive():
            trader.send(report)

    loop.add_reader(trader, answer)
    await asyncio.Event().wait()


async def asyncio_trader(port, orders):
    venue = socket.create_connection(("127.0.0.1", port))
    reports = Whole(venue, REPORT_BYTES)
    order = b"8" * ORDER_BYTES
    done = asyncio.Event()

    def take():
        for _ in reports.receive():
            if not orders.take(str(len(orders.times)), "1.0825"):
                done.set()
            elif orders.next() is not None:
                venue.send(order)

    asyncio.get_running_loop().add_reader(venue, take)
    for _ in orders.first():
        venue.send(order)
    await done.wait()
    orders.print()


async def affix_venue(**settings):
    import affix
    async with affix.Acceptor(**VENUE, **settings) as acceptor:
        print(acceptor.port, flush=True)
        async for order in acceptor:
            answer(order)


async def affix_trader(port, orders, **settings):
    import affix
    async with affix.Initiator(primary_port=port, **FIRM, **settings) as session:
        await session.logon()
        for order in orders.first():
            session.send_nowait("D", order)
        async for report in session:
            if not orders.take(report[11], report[31]):
                break
            order = orders.next()
            if order is not None:
                session.send_nowait("D", order)
    orders.print()


async def affix_callback_venue():
    import affix
    async with affix.Acceptor(on_message=answer, **VENUE) as acceptor:
        print(acceptor.port, flush=True)
        await asyncio.Event().wait()


async def affix_callback_trader(port, orders):
    import affix
    done = asyncio.Event()

    def take(report):
        if not orders.take(report[11], report[31]):
            done.set()
            return
        order = orders.next()
        if order is not None:
            report.session.send_nowait("D", order)

    async with affix.Initiator(primary_port=port, on_message=take, **FIRM) as session:
        await session.logon()
        for order in orders.first():
            session.send_nowait("D", order)
        await done.wait()
    orders.print()


def affix_thread_venue():
    import affix

    def fill(order):
        order.session.send("8", report_on(order))

    with affix.ThreadedAcceptor(on_message=fill, **VENUE) as acceptor:
        print(acceptor.port, flush=True)
        acceptor.wait()


def affix_thread_trader(port, orders):
    import affix
    done = threading.Event()

    def begin(session):
        for order in orders.first():
            session.send("D", order)

    def take(report):
        if not orders.take(report[11], report[31]):
            done.set()
            return
        order = orders.next()
        if order is not None:
            report.session.send("D", order)

    with affix.ThreadedInitiator(primary_port=port, on_logon=begin, on_message=take, **FIRM):
        done.wait()
    orders.print()


def quickfix_program(fix, role, port, orders, directory):
    class Application(fix.Application):
        def __init__(self):
            super().__init__()
            self.done = threading.Event()

        def onCreate(self, session): pass
        def onLogout(self, session): pass
        def toAdmin(self, message, session): pass
        def fromAdmin(self, message, session): pass
        def toApp(self, message, session): pass

        def onLogon(self, session):
            if role == "trader":
                for order in orders.first():
                    self.send(order, session)

        def send(self, order, session):
            message = fix.Message()
            message.getHeader().setField(35, "D")
            for tag, value in order.items():
                message.setField(tag, value.strftime("%Y%m%d-%H:%M:%S.%f")[:-3] if tag == 60 else str(value))
            fix.Session.sendToTarget(message, session)

        def fromApp(self, message, session):
            if role == "venue":
                report = fix.Message()
                report.getHeader().setField(35, "8")
                quantity, price = message.getField(38), message.getField(44)
                for tag, value in ((37, "V-1"), (11, message.getField(11)), (17, "E-1"), (150, "F"), (39, "2"),
                                   (55, message.getField(55)), (54, message.getField(54)), (38, quantity),
                                   (32, quantity), (31, price), (151, "0"), (14, quantity), (6, price)):
                    report.setField(tag, value)
                fix.Session.sendToTarget(report, session)
                return
            if not orders.take(message.getField(11), message.getField(31)):
                self.done.set()
                return
            order = orders.next()
            if order is not None:
                self.send(order, session)

    venue = role == "venue"
    path = Path(directory) / f"{role}.cfg"
    path.write_text(SETTINGS.format(
        kind="acceptor" if venue else "initiator", us="VENUE" if venue else "FIRM", them="FIRM" if venue else "VENUE",
        endpoint=f"SocketAcceptPort={port}" if venue else f"SocketConnectHost=127.0.0.1\nSocketConnectPort={port}"))
    application = Application()
    settings = fix.SessionSettings(str(path))
    engine = (fix.SocketAcceptor if venue else fix.SocketInitiator)(application, fix.MemoryStoreFactory(), settings)
    engine.start()
    if venue:
        print(port, flush=True)
        sys.stdin.read()  # Until the parent closes it.
    else:
        if not application.done.wait(120):
            raise SystemExit("the orders did not come back")
        orders.print()
    engine.stop()


QUICKFIX = {"quickfix": "quickfix", "affix-quickfix": "affix.quickfix"}
VENUES = {
    "asyncio": asyncio_venue,
    "affix": affix_venue,
    "affix-spinning": lambda: affix_venue(**SPINNING),
    "affix-callbacks": affix_callback_venue,
    "affix-threads": affix_thread_venue,
}
TRADERS = {
    "asyncio": asyncio_trader,
    "affix": affix_trader,
    "affix-spinning": lambda port, orders: affix_trader(port, orders, **SPINNING),
    "affix-callbacks": affix_callback_trader,
    "affix-threads": affix_thread_trader,
}


def main():
    engine, role, port, total, directory = sys.argv[1:6]
    orders = Orders(int(total), int(sys.argv[6]) if len(sys.argv) > 6 else 1)
    if engine in QUICKFIX:
        quickfix_program(importlib.import_module(QUICKFIX[engine]), role, int(port), orders, directory)
        return
    program = TRADERS[engine](int(port), orders) if role == "trader" else VENUES[engine]()
    if program is not None:
        asyncio.run(program)


if __name__ == "__main__":
    main()
