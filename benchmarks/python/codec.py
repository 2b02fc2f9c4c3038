# SPDX-License-Identifier: MIT
"""Parses an ExecutionReport and reads four fields, and builds and encodes an order: affix, QuickFIX's binding, simplefix.

Every contender gets the same bytes and is checked for the same values. They take turns, so that other work on the
machine meets all of them. Prints JSON: nanoseconds of each round.
"""

import datetime
import json
import sys
import time
from decimal import Decimal

import affix

TIME = "20251231-18:21:36.457"
HEADER = {49: "VENUE", 56: "FIRM", 34: 7, 52: TIME}
REPORT = affix.encode("8", {
    37: "V-000001", 11: "order-1", 17: "E-000001", 150: "F", 39: "2", 55: "EUR/USD", 54: "1", 38: 1000, 44: "1.08250",
    32: 1000, 31: "1.0825", 151: 0, 14: 1000, 6: "1.0825", 60: TIME, 58: "filled at once",
}, HEADER)
WANTED = ("V-000001", "order-1", "EUR/USD", "1.0825")
ORDER_HEADER = {49: "FIRM", 56: "VENUE", 34: 2, 52: TIME}
ORDER = {11: "order-1", 55: "EUR/USD", 54: "1", 60: TIME, 38: 100, 40: "2", 44: Decimal("1.0825"), 59: "0"}
ORDER_BYTES = affix.encode("D", ORDER, ORDER_HEADER)


def affix_contender():
    parse, encode = affix.parse, affix.encode

    def read():
        message = parse(REPORT)
        return message[37], message[11], message[55], message[31]

    def typed():
        message = parse(REPORT)
        return message[37], message[11], message.integer(38), message.decimal(31)

    def write():
        return encode("D", {11: "order-1", 55: "EUR/USD", 54: "1", 60: TIME, 38: 100, 40: "2",
                            44: Decimal("1.0825"), 59: "0"}, {49: "FIRM", 56: "VENUE", 34: 2, 52: TIME})

    assert typed()[2:] == (1000, Decimal("1.0825"))
    return {"parse": lambda: parse(REPORT), "parse_and_4_fields": read, "parse_and_4_typed_fields": typed,
            "encode_order": write}


def quickfix_contender():
    import quickfix as fix

    report = REPORT.decode()
    names = [fix.OrderID(), fix.ClOrdID(), fix.Symbol(), fix.LastPx()]
    del names

    def read():
        message = fix.Message(report, False)
        return message.getField(37), message.getField(11), message.getField(55), message.getField(31)

    def write():
        message = fix.Message()
        header = message.getHeader()
        header.setField(8, "FIX.4.4")
        header.setField(35, "D")
        header.setField(49, "FIRM")
        header.setField(56, "VENUE")
        header.setField(34, "2")
        header.setField(52, TIME)
        message.setField(11, "order-1")
        message.setField(55, "EUR/USD")
        message.setField(54, "1")
        message.setField(60, TIME)
        message.setField(38, "100")
        message.setField(40, "2")
        message.setField(44, "1.0825")
        message.setField(59, "0")
        return message.toString().encode()

    return {"parse": lambda: fix.Message(report, False), "parse_and_4_fields": read, "encode_order": write}


def simplefix_contender():
    import simplefix

    def parsed():
        parser = simplefix.FixParser()
        parser.append_buffer(REPORT)
        return parser.get_message()

    def read():
        message = parsed()
        return tuple(message.get(tag).decode() for tag in (37, 11, 55, 31))

    def write():
        message = simplefix.FixMessage()
        for tag, value in ((8, "FIX.4.4"), (35, "D"), *ORDER_HEADER.items(), *ORDER.items()):
            message.append_pair(tag, value)
        return message.encode()

    return {"parse": parsed, "parse_and_4_fields": read, "encode_order": write}


def rounds_of(work, calls):
    begin = time.perf_counter_ns()
    for _ in range(calls):
        work()
    return (time.perf_counter_ns() - begin) / calls


def main():
    rounds, calls = int(sys.argv[1]), int(sys.argv[2])
    contenders = {"affix": affix_contender()}
    for name, make in (("quickfix", quickfix_contender), ("simplefix", simplefix_contender)):
        try:
            contenders[name] = make()
        except ImportError:
            print(f"no {name} here", file=sys.stderr)
    for name, work in contenders.items():
        if work["parse_and_4_fields"]() != WANTED:
            raise SystemExit(f"{name} reads other values: {work['parse_and_4_fields']()}")
        # The order of fields is each contender's own; the fields are the same.
        if sorted(work["encode_order"]().split(b"\x01")) != sorted(ORDER_BYTES.split(b"\x01")):
            raise SystemExit(f"{name} writes another order: {work['encode_order']()!r}")
    samples = {name: {task: [] for task in work} for name, work in contenders.items()}
    for _ in range(rounds):
        for name, work in contenders.items():
            for task, call in work.items():
                samples[name][task].append(rounds_of(call, calls if name == "affix" else max(calls // 10, 1)))
    print(json.dumps({"bytes": len(REPORT), "order_bytes": len(ORDER_BYTES), "samples": samples}))


if __name__ == "__main__":
    main()
