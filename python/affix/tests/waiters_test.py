# SPDX-License-Identifier: MIT
"""Tasks that wait for messages: the turn that reads a message goes on with them, and nothing is lost on the way."""

import asyncio
import contextvars
import select

import pytest
from patience import patience
from session_test import ORDER, firm, run, venue

import affix
from affix._waiter import go_on

TWO_SESSIONS = "[VENUE]\naccept_port=0\nnic_address=127.0.0.1\n" + "".join(
    f"[{name}]\nbegin_string=FIX.4.4\nsender_comp_id=VENUE\ntarget_comp_id={name}\ndurability=memory\n"
    for name in ("ONE", "TWO"))
tag = contextvars.ContextVar("tag", default="nobody's")


class Turns:
    """The turns of an acceptor, which a test makes itself."""

    def __init__(self, acceptor):
        self.acceptor = acceptor
        self.loop = asyncio.get_running_loop()
        self.loop.remove_reader(acceptor._descriptor)
        self.poll = select.poll()
        self.poll.register(acceptor._descriptor, select.POLLIN)

    def turn(self):
        """With what has come; waits for it, which is on its way."""
        assert self.poll.poll(patience(10) * 1000)
        self.acceptor._turn()

    async def from_the_loop(self, look):
        """The result of look() directly after a turn that no task has asked for."""
        seen = self.loop.create_future()

        def step():
            try:
                self.turn()
                seen.set_result(look())
            except BaseException as failure:
                seen.set_exception(failure)

        self.loop.call_soon(step)
        return await seen

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.loop.add_reader(self.acceptor._descriptor, self.acceptor._turn)


async def reading(stream, seen):
    async for message in stream:
        seen.append((message[11], tag.get()))


async def all_logged_on(*sessions):
    for session in sessions:
        await session.logon()


async def started(coroutine, count=1):
    """Its tasks, which wait for messages."""
    tasks = [asyncio.create_task(coroutine()) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks


async def stopped(tasks):
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@run
async def test_a_turn_goes_on_with_the_task_in_its_context():
    async with venue() as acceptor, firm(acceptor.port) as session:
        await all_logged_on(session, acceptor["SESSION"])
        seen = []

        async def read():
            tag.set("the task's")
            await reading(acceptor, seen)

        tasks = await started(read)
        with Turns(acceptor) as turns:
            session.send_nowait("D", {**ORDER, 11: "1"})
            session.send_nowait("D", {**ORDER, 11: "2"})
            assert await turns.from_the_loop(lambda: (list(seen), tag.get(), asyncio.current_task())) == (
                [("1", "the task's"), ("2", "the task's")], "nobody's", None)
            session.send_nowait("D", {**ORDER, 11: "3"})
            assert await turns.from_the_loop(lambda: seen[2:]) == [("3", "the task's")]
        await stopped(tasks)


@run
async def test_a_turn_that_a_task_asks_for_leaves_others_to_the_loop():
    async with venue() as acceptor, firm(acceptor.port) as session:
        await all_logged_on(session, acceptor["SESSION"])
        seen = []
        tasks = await started(lambda: reading(acceptor, seen))
        with Turns(acceptor) as turns:
            session.send_nowait("D", {**ORDER, 11: "1"})
            turns.turn()
            assert not seen
            await asyncio.sleep(0)
            assert [number for number, _ in seen] == ["1"]
        await stopped(tasks)


@run
async def test_tasks_share_the_messages_and_one_may_leave():
    async with venue() as acceptor, firm(acceptor.port) as session:
        await all_logged_on(session, acceptor["SESSION"])
        seen = []

        async def one():
            seen.append((await anext(acceptor))[11])

        tasks = await started(one, 4)
        tasks[0].cancel()
        for number in range(3):
            session.send_nowait("D", {**ORDER, 11: str(number)})
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(result) for result in done] == [asyncio.CancelledError, type(None), type(None), type(None)]
        assert seen == ["0", "1", "2"]


@run
async def test_a_task_that_is_woken_and_cancelled_leaves_its_message_to_another():
    async with venue() as acceptor, firm(acceptor.port) as session:
        await all_logged_on(session, acceptor["SESSION"])
        seen = []
        tasks = await started(lambda: reading(acceptor, seen), 2)
        with Turns(acceptor) as turns:
            session.send_nowait("D", {**ORDER, 11: "1"})
            turns.turn()  # Wakes the first, by the loop.
            tasks[0].cancel()
            await asyncio.wait(tasks[:1])
            await asyncio.sleep(0)
            assert tasks[0].cancelled() and [number for number, _ in seen] == ["1"]
        await stopped(tasks[1:])


@run
async def test_impatient_tasks_leave_nothing_behind():
    async with venue() as acceptor:
        for _ in range(3):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(anext(acceptor), 0.001)
        assert not acceptor._waiters


@run
async def test_a_task_closes_the_engine_on_the_way():
    async with venue() as acceptor, firm(acceptor.port, shutdown_timeout=5) as session:
        await all_logged_on(session, acceptor["SESSION"])
        seen = []

        async def read():
            async for message in acceptor:
                seen.append(message[11])
                await acceptor.close()

        (task,) = await started(read)
        for number in range(3):
            session.send_nowait("D", {**ORDER, 11: str(number)})
        await task
        assert seen[0] == "0" and not acceptor.is_open


@run
async def test_a_task_that_raises_is_its_own():
    async with venue() as acceptor, firm(acceptor.port) as session:
        await all_logged_on(session, acceptor["SESSION"])

        async def fail():
            await anext(acceptor)
            raise ValueError("of the program")

        tasks = await started(fail)
        session.send_nowait("D", ORDER)
        with pytest.raises(ValueError, match="of the program"):
            await tasks[0]
        assert session.logged_on
        session.send_nowait("D", {**ORDER, 11: "next"})
        assert (await anext(acceptor))[11] == "next"


def test_a_task_that_ends_the_program_leaves_the_others_their_messages():
    """As a program finds it that catches SystemExit outside of its loop, and runs the loop again."""
    loop = asyncio.new_event_loop()
    seen = []

    async def leave(stream):
        await anext(stream)
        raise SystemExit(3)

    async def read(stream):
        seen.append((await anext(stream))[11])

    async def begin():
        acceptor = affix.Engine(text=TWO_SESSIONS)
        await acceptor.__aenter__()
        tasks = [loop.create_task(leave(aiter(acceptor["ONE"]))), loop.create_task(read(aiter(acceptor["TWO"])))]
        await asyncio.sleep(0)
        return acceptor, tasks

    def bring(acceptor):
        for name in ("ONE", "TWO"):
            acceptor._deliver(acceptor[name], affix.parse(affix.encode("D", {11: name})))
        acceptor._hand_out_all()

    try:
        acceptor, tasks = loop.run_until_complete(begin())
        loop.call_soon(bring, acceptor)
        with pytest.raises(SystemExit):
            loop.run_until_complete(tasks[1])
        assert isinstance(tasks[0].exception(), SystemExit)
        assert not seen
        loop.run_until_complete(asyncio.wait_for(tasks[1], patience(10)))
        assert seen == ["TWO"]
        loop.run_until_complete(acceptor.close())
    finally:
        loop.close()


@pytest.mark.parametrize("future", [asyncio.Future, asyncio.futures._PyFuture], ids=["C", "Python"])
@pytest.mark.parametrize("task", [asyncio.Task, asyncio.tasks._PyTask], ids=["C", "Python"])
def test_every_kind_of_task_goes_on(task, future):
    loop = asyncio.new_event_loop()
    loop.set_task_factory(lambda loop, coroutine, **keywords: task(coroutine, loop=loop, **keywords))
    told = []

    async def wait(waiter):
        await waiter
        told.append("went on")

    async def main():
        waiter = future(loop=loop)
        waiting = asyncio.ensure_future(wait(waiter))
        await asyncio.sleep(0)
        seen = loop.create_future()
        loop.call_soon(lambda: (go_on(waiter), seen.set_result(list(told))))
        assert await seen == ["went on"]
        await waiting

    try:
        loop.run_until_complete(asyncio.wait_for(main(), patience(30)))
    finally:
        loop.close()


def test_a_future_that_nobody_or_two_await_is_left_to_the_loop():
    async def main():
        loop = asyncio.get_running_loop()
        alone, shared = loop.create_future(), loop.create_future()
        told = []
        for name in "AB":
            shared.add_done_callback(lambda _, name=name: told.append(name))
        go_on(alone)
        go_on(shared)
        assert alone.done() and shared.done() and not told
        await asyncio.sleep(0)
        assert told == ["A", "B"]

    asyncio.run(main())
