#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A day's messages through one asyncio session, compressed: its memory must stay flat.

soak.py [MESSAGES] [--growth-kib N]. Orders and their reports between two sessions in one loop, over loopback, with
journals on the disk that retention keeps short. Prints the memory at ten points. Exits with 1 if, after the first of
them, the memory of the process that is not a file's grows by more than N KiB, or its Python objects by more than 2,000
blocks.
"""

import argparse
import asyncio
import gc
import logging
import sys
import tempfile
import time
from pathlib import Path

import affix

WINDOW = 100
POINTS = 10
BLOCKS = 2000  # Caches of the interpreter fill slowly; a leak of one object per thousand messages is 10,000.
JOURNAL = {"durability": "process", "max_serialised_file_size": 16 << 20, "journal_keep_bytes": 64 << 20}


def memory():
    """KiB that are resident: all, and what is no file's: journals are mapped, and the kernel drops their pages."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return tuple(int(fields[name].split()[0]) for name in ("VmRSS", "RssAnon"))


async def fill(acceptor):
    async for order in acceptor:
        await order.session.send("8", {
            37: "V-1", 11: order[11], 17: "E-1", 150: "F", 39: "2", 55: order[55], 54: order[54], 38: order.decimal(38),
            31: order.decimal(44), 151: 0, 14: order.decimal(38), 6: order.decimal(44)})


async def run(messages, directory):
    """The memory at each point, with the blocks of Python's allocator."""
    orders = messages // 2
    points = []
    async with affix.Acceptor(nic_address="127.0.0.1", accept_port=0, begin_string="FIX.4.4", sender_comp_id="VENUE",
                              target_comp_id="FIRM", journal_path=f"{directory}/venue", **JOURNAL) as acceptor:
        filling = asyncio.create_task(fill(acceptor))
        async with affix.Initiator(primary_address="127.0.0.1", primary_port=acceptor.port, begin_string="FIX.4.4",
                                   sender_comp_id="FIRM", target_comp_id="VENUE", journal_path=f"{directory}/firm",
                                   **JOURNAL) as session:
            await session.logon()
            sent = taken = 0
            began = time.monotonic()

            async def order():
                await session.send("D", {11: str(sent), 55: "EUR/USD", 54: "1", 38: 100, 40: "2", 44: "1.0825"})

            for sent in range(min(WINDOW, orders)):
                await order()
            async for report in session:
                assert report[11] == str(taken)
                taken += 1
                if sent + 1 < orders:
                    sent += 1
                    await order()
                if taken % (orders // POINTS) == 0:
                    gc.collect()
                    points.append((*memory(), sys.getallocatedblocks()))
                    print(f"{2 * taken:>12,} messages {time.monotonic() - began:8.0f} s   resident "
                          f"{points[-1][0]:>8,} KiB, without files {points[-1][1]:>8,} KiB, Python "
                          f"{points[-1][2]:>9,} blocks", flush=True)
                if taken == orders:
                    break
        filling.cancel()
    return points


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("messages", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--growth-kib", type=int, default=2048)
    arguments = parser.parse_args()
    logging.getLogger("affix").setLevel(logging.ERROR)  # Waits for a disk and for other programs are no matter here.
    with tempfile.TemporaryDirectory(prefix="affix-soak-") as directory:
        points = asyncio.run(run(arguments.messages, directory))
    (_, first, blocks), (_, last, more_blocks) = points[0], points[-1]
    print(f"without files {last - first:+,} KiB after the first tenth, at most {arguments.growth_kib:,} are allowed; "
          f"Python {more_blocks - blocks:+,} blocks")
    return 0 if last - first <= arguments.growth_kib and more_blocks - blocks <= BLOCKS else 1


if __name__ == "__main__":
    sys.exit(main())
