# SPDX-License-Identifier: MIT
"""Sends orders to a venue and prints what becomes of them. Ctrl-C logs out.

    python venue.py 9000
    python trader.py 127.0.0.1 9000
"""

import asyncio
import datetime
import sys
from decimal import Decimal

import affix


async def trade(host: str, port: int, orders: int) -> None:
    async with affix.Initiator(primary_address=host, primary_port=port, begin_string="FIX.4.4", sender_comp_id="TRADER",
                               target_comp_id="VENUE", durability="memory",
                               logon_reset_sequence_numbers=True) as session:
        await session.logon(timeout=10)
        for number in range(1, orders + 1):
            await session.send("D", {
                11: f"order-{number}", 55: "EUR/USD", 54: "1", 60: datetime.datetime.now(datetime.timezone.utc),
                38: 100 * number, 40: "2", 44: Decimal("1.0825"),
            })
        open_orders = orders
        async for report in session:
            if report.type != "8":
                continue
            print(f"{report[11]}: {report.get(39, '?')}, {report.decimal(14, Decimal(0))} filled at "
                  f"{report.decimal(6, Decimal(0))}")
            open_orders -= report.get(39, "") in ("2", "4", "8")
            if open_orders == 0:
                break
        await session.logout("that was all")


if __name__ == "__main__":
    asyncio.run(trade(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1",
                      int(sys.argv[2]) if len(sys.argv) > 2 else 9000, 3))
