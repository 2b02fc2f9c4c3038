# SPDX-License-Identifier: MIT
"""Orders and their reports between two programs over loopback, one order at a time: affix on asyncio, and QuickFIX's binding.

round_trip.py affix|affix-callbacks|quickfix venue|trader PORT ORDERS DIRECTORY. A venue prints its port; a trader prints JSON, the
nanoseconds of each round trip. Neither keeps messages on the disk.
"""

import asyncio
import datetime
import json
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


async def affix_venue():
    import affix
    async with affix.Acceptor(nic_address="127.0.0.1", accept_port=0, begin_string="FIX.4.4", sender_comp_id="VENUE",
                              target_comp_id="FIRM", durability="memory") as acceptor:
        print(acceptor.port, flush=True)
        async for order in acceptor:
            order.session.send_nowait("8", {
                37: "V-1", 11: order[11], 17: "E-1", 150: "F", 39: "2", 55: order[55], 54: order[54],
                38: order[38], 32: order[38], 31: order[44], 151: 0, 14: order[38], 6: order[44]})


async def affix_trader(port, orders):
    import affix
    times = []
    async with affix.Initiator(primary_address="127.0.0.1", primary_port=port, reconnect_milliseconds=20,
                               begin_string="FIX.4.4", sender_comp_id="FIRM", target_comp_id="VENUE",
                               durability="memory") as session:
        await session.logon()
        messages = aiter(session)
        for number in range(orders):
            begin = time.perf_counter_ns()
            session.send_nowait("D", {11: str(number), 55: "EUR/USD", 54: "1", 38: 100, 40: "2", 44: "1.0825",
                                      60: datetime.datetime.now(datetime.timezone.utc)})
            report = await anext(messages)
            assert report[11] == str(number) and report[31] == "1.0825"
            times.append(time.perf_counter_ns() - begin)
    print(json.dumps(times))


async def affix_callback_venue():
    import affix

    def fill(order):
        order.session.send_nowait("8", {
            37: "V-1", 11: order[11], 17: "E-1", 150: "F", 39: "2", 55: order[55], 54: order[54],
            38: order[38], 32: order[38], 31: order[44], 151: 0, 14: order[38], 6: order[44]})

    async with affix.Acceptor(nic_address="127.0.0.1", accept_port=0, begin_string="FIX.4.4", sender_comp_id="VENUE",
                              target_comp_id="FIRM", durability="memory", on_message=fill) as acceptor:
        print(acceptor.port, flush=True)
        await asyncio.Event().wait()


async def affix_callback_trader(port, orders):
    import affix
    times = []
    done = asyncio.Event()
    begin = 0

    def send(session):
        nonlocal begin
        begin = time.perf_counter_ns()
        session.send_nowait("D", {11: str(len(times)), 55: "EUR/USD", 54: "1", 38: 100, 40: "2", 44: "1.0825",
                                  60: datetime.datetime.now(datetime.timezone.utc)})

    def take(report):
        assert report[11] == str(len(times)) and report[31] == "1.0825"
        times.append(time.perf_counter_ns() - begin)
        if len(times) == orders:
            done.set()
        else:
            send(report.session)

    async with affix.Initiator(primary_address="127.0.0.1", primary_port=port, reconnect_milliseconds=20,
                               begin_string="FIX.4.4", sender_comp_id="FIRM", target_comp_id="VENUE",
                               durability="memory", on_message=take) as session:
        await session.logon()
        send(session)
        await done.wait()
    print(json.dumps(times))


def quickfix_program(role, port, orders, directory):
    import quickfix as fix

    class Application(fix.Application):
        def __init__(self):
            super().__init__()
            self.times = []
            self.done = threading.Event()
            self.number = 0

        def onCreate(self, session): pass
        def onLogout(self, session): pass
        def toAdmin(self, message, session): pass
        def fromAdmin(self, message, session): pass
        def toApp(self, message, session): pass

        def onLogon(self, session):
            if role == "trader":
                self.send(session)

        def send(self, session):
            message = fix.Message()
            message.getHeader().setField(35, "D")
            for tag, value in ((11, str(self.number)), (55, "EUR/USD"), (54, "1"), (38, "100"), (40, "2"),
                               (44, "1.0825"), (60, datetime.datetime.now(datetime.timezone.utc)
                                               .strftime("%Y%m%d-%H:%M:%S.%f")[:-3])):
                message.setField(tag, value)
            self.begin = time.perf_counter_ns()
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
            assert message.getField(11) == str(self.number) and message.getField(31) == "1.0825"
            self.times.append(time.perf_counter_ns() - self.begin)
            self.number += 1
            if self.number == orders:
                self.done.set()
            else:
                self.send(session)

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
        print(json.dumps(application.times))
    engine.stop()


def main():
    engine, role, port, orders, directory = sys.argv[1:]
    if engine == "quickfix":
        quickfix_program(role, int(port), int(orders), directory)
    elif role == "trader":
        trader = affix_callback_trader if engine == "affix-callbacks" else affix_trader
        asyncio.run(trader(int(port), int(orders)))
    else:
        asyncio.run(affix_callback_venue() if engine == "affix-callbacks" else affix_venue())


if __name__ == "__main__":
    main()
