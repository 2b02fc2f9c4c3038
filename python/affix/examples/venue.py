# SPDX-License-Identifier: MIT
"""Fills every order at its own price, for any number of traders at once. Ctrl-C logs them out.

    python venue.py 9000 TRADER OTHER
"""

import asyncio
import sys

import affix


def configuration(port: int, traders: list[str]) -> str:
    sessions = "".join(f"""
[{trader}]
begin_string=FIX.4.4
sender_comp_id=VENUE
target_comp_id={trader}
durability=memory
""" for trader in traders)
    return f"""
[VENUE]
type=server
nic_address=127.0.0.1
accept_port={port}
{sessions}"""


async def serve(port: int, traders: list[str]) -> None:
    async with affix.Acceptor(text=configuration(port, traders)) as acceptor:
        print(f"listens at port {acceptor.port}", flush=True)
        executions = 0
        async for order in acceptor:
            if order.type != "D":
                continue
            executions += 1
            quantity, price = order.decimal(38), order.decimal(44)
            await order.session.send("8", {
                37: f"V-{executions}", 11: order[11], 17: f"E-{executions}", 150: "F", 39: "2", 55: order[55],
                54: order[54], 38: quantity, 32: quantity, 31: price, 151: 0, 14: quantity, 6: price,
            })


if __name__ == "__main__":
    try:
        asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else 9000, sys.argv[2:] or ["TRADER"]))
    except KeyboardInterrupt:
        pass
