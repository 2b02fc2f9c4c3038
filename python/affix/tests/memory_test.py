# SPDX-License-Identifier: MIT
"""Objects are flat over a hundred thousand messages: `./dev bench python --soak` sends ten million."""

import asyncio
import gc
import logging
import queue
import sys

import pytest
from patience import patience

import affix

MESSAGES = 100_000
WARM_UP = 20_000
# The interpreter itself may keep so much meanwhile; a leak of one object for each thousand messages is 80.
BLOCKS = 60
VENUE = {"nic_address": "127.0.0.1", "accept_port": 0, "begin_string": "FIX.4.4", "sender_comp_id": "VENUE",
         "target_comp_id": "FIRM", "durability": "memory"}
FIRM = {"primary_address": "127.0.0.1", "begin_string": "FIX.4.4", "sender_comp_id": "FIRM", "target_comp_id": "VENUE",
        "durability": "memory"}
BURST = 500


def blocks():
    gc.collect()
    return sys.getallocatedblocks()


def report_on(order):
    return {37: "V", 11: order[11], 39: "2", 31: order.decimal(44), 6: order.get(6, None), 14: order.integer(38)}


async def burst(session):
    """So many orders, and their reports."""
    for _ in range(BURST):
        await session.send("D", {11: "order", 55: "EUR/USD", 54: "1", 38: 100, 44: "1.0825"})
    seen = 0
    async for report in session:
        assert report.decimal(31) and dict(report.items())
        seen += 1
        if seen == BURST:
            return


async def growth_on_a_loop():
    def fill(order):
        order.session.send_nowait("8", report_on(order))

    async with affix.Acceptor(on_message=fill, **VENUE) as acceptor:
        async with affix.Initiator(primary_port=acceptor.port, **FIRM) as session:
            await session.logon()
            for sent in range(0, MESSAGES // 2, BURST):
                if sent == WARM_UP // 2:
                    before = blocks()
                await burst(session)
            return blocks() - before


def growth_with_threads():
    reports = queue.Queue()

    def fill(order):
        order.session.send("8", report_on(order))

    def take(report):
        reports.put(report.decimal(31))

    with affix.ThreadedAcceptor(on_message=fill, **VENUE) as acceptor:
        with affix.ThreadedInitiator(primary_port=acceptor.port, on_message=take, **FIRM) as session:
            session.logon()
            for sent in range(0, MESSAGES // 2, BURST):
                if sent == WARM_UP // 2:
                    before = blocks()
                for _ in range(BURST):
                    session.post("D", {11: "order", 55: "EUR/USD", 54: "1", 38: 100, 44: "1.0825"})
                for _ in range(BURST):
                    reports.get(timeout=patience(60))
            return blocks() - before


@pytest.mark.parametrize("growth", [lambda: asyncio.run(growth_on_a_loop()), growth_with_threads],
                         ids=["loop", "threads"])
def test_objects_stay_as_many(growth, monkeypatch):
    monkeypatch.setattr(logging.getLogger("affix"), "disabled", True)  # pytest keeps what is logged.
    assert growth() < BLOCKS
