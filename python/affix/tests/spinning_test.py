# SPDX-License-Identifier: MIT
"""wait_mode on asyncio: turns that do not wait for the descriptor."""

import asyncio

import pytest
from session_test import ORDER, firm, run, venue

SPINNING = {"wait_mode": "SPIN"}
LONG = {"wait_mode": "SPIN_THEN_BLOCK", "spin_microseconds": 10_000_000}
A_WHILE = {"wait_mode": "SPIN_THEN_BLOCK", "spin_microseconds": 1000}


def deafen(engine):
    """Leaves turns to those that need no descriptor."""
    asyncio.get_running_loop().remove_reader(engine._descriptor)


async def numbers(acceptor, count):
    return [(await anext(acceptor))[11] for _ in range(count)]


@pytest.mark.parametrize("mode", [SPINNING, LONG])
def test_a_spinning_engine_turns_without_its_descriptor(mode):
    @run
    async def turns():
        async with venue(**mode) as acceptor, firm(acceptor.port) as session:
            await session.logon()
            deafen(acceptor)
            for number in range(3):
                session.send_nowait("D", {**ORDER, 11: str(number)})
                assert await numbers(acceptor, 1) == [str(number)]

    turns()


@run
async def test_after_a_while_the_loop_waits_again():
    async with venue(**A_WHILE) as acceptor, firm(acceptor.port) as session:
        await session.logon()
        for number in range(3):
            session.send_nowait("D", {**ORDER, 11: str(number)})
            assert await numbers(acceptor, 1) == [str(number)]
            await asyncio.sleep(0)
            while acceptor._spins:
                await asyncio.sleep(0)


@run
async def test_without_wait_mode_every_turn_waits():
    async with venue() as acceptor, firm(acceptor.port) as session:
        await session.logon()
        session.send_nowait("D", ORDER)
        await numbers(acceptor, 1)
        assert not acceptor._spins


@pytest.mark.parametrize("mode", [SPINNING, A_WHILE])
def test_a_spinning_engine_stops_for_a_program_that_reads_nothing(mode):
    @run
    async def stops():
        async with venue(**mode, queue_max=2) as acceptor, firm(acceptor.port) as session:
            await session.logon()
            for number in range(20):
                session.send_nowait("D", {**ORDER, 11: str(number)})
            while not acceptor._paused or acceptor._spins:
                await asyncio.sleep(0)
            assert await numbers(acceptor, 20) == [str(number) for number in range(20)]

    stops()
