# SPDX-License-Identifier: MIT
"""Sessions on asyncio's loop: both sides in one loop, over loopback, with ports that the kernel chooses."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
from decimal import Decimal

import pytest
from patience import patience

import affix

PATIENCE = patience(60)


def run(test):
    """Runs a coroutine function in a loop of its own, for a bounded time."""

    def wrapped(*arguments, **keywords):
        asyncio.run(asyncio.wait_for(test(*arguments, **keywords), PATIENCE))

    wrapped.__name__ = test.__name__
    wrapped.__doc__ = test.__doc__
    import inspect
    wrapped.__signature__ = inspect.signature(test)
    return wrapped


def venue(**keywords):
    settings = {"nic_address": "127.0.0.1", "accept_port": 0, "begin_string": "FIX.4.4", "sender_comp_id": "VENUE",
                "target_comp_id": "FIRM", "durability": "memory"}
    return affix.Acceptor(**{**settings, **keywords})


def firm(port, **keywords):
    settings = {"primary_address": "127.0.0.1", "primary_port": port, "reconnect_milliseconds": 20,
                "begin_string": "FIX.4.4", "sender_comp_id": "FIRM", "target_comp_id": "VENUE", "durability": "memory"}
    return affix.Initiator(**{**settings, **keywords})


@contextlib.asynccontextmanager
async def filling(acceptor):
    """A task that fills every order of the acceptor at its price."""

    async def fill():
        async for order in acceptor:
            with contextlib.suppress(affix.SendError):  # The test may have logged out meanwhile.
                await order.session.send("8", {37: "V", 11: order[11], 17: "E", 150: "F", 39: "2",
                                               31: order.decimal(44)})

    task = asyncio.create_task(fill())
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


ORDER = {11: "order-1", 55: "EUR/USD", 54: "1", 38: 100, 40: "2", 44: Decimal("1.0825")}


@run
async def test_an_order_and_its_fill():
    async with venue() as acceptor, filling(acceptor), firm(acceptor.port) as session:
        await session.logon()
        assert session.logged_on and acceptor["SESSION"].logged_on
        assert await session.send("D", ORDER) == 2
        async for report in session:
            assert report.type == "8"
            assert report.decimal(31) == Decimal("1.0825")
            assert report.session is session
            break
        assert session.next_sender_seq == 3
        await session.logout("done")
        assert not session.logged_on
    with pytest.raises(affix.ClosedError):
        session.send_nowait("D", ORDER)


@run
async def test_a_thousand_orders_in_flight():
    async with venue() as acceptor, filling(acceptor), firm(acceptor.port) as session:
        await session.logon()
        for number in range(1000):
            await session.send("D", {**ORDER, 11: str(number)})
        seen = 0
        async for report in session:
            assert report[11] == str(seen)
            seen += 1
            if seen == 1000:
                break


@run
async def test_logout_ends_the_iteration_and_connect_begins_again():
    async with venue() as acceptor, filling(acceptor), firm(acceptor.port) as session:
        await session.logon()

        async def read():
            return [message async for message in session]

        reader = asyncio.create_task(read())
        await asyncio.sleep(0)
        await session.logout()
        assert await reader == []
        session.connect()
        await session.logon()
        assert await session.send("D", ORDER) > 1


@run
async def test_a_peer_that_returns_is_reached_again():
    ended = []
    async with contextlib.AsyncExitStack() as stack:
        acceptor = venue()
        await acceptor.__aenter__()
        port = acceptor.port
        session = await stack.enter_async_context(
            firm(port, on_logout=lambda session, reason: ended.append(reason), logon_reset_sequence_numbers=True))
        await session.logon()
        await acceptor.close()
        while session.logged_on:
            await asyncio.sleep(0.01)
        with pytest.raises(affix.SendError) as refused:
            session.send_nowait("D", ORDER)
        assert refused.value.status == affix.SendStatus.NOT_LOGGED_ON
        assert len(ended) == 1
        again = await stack.enter_async_context(venue(accept_port=port))
        await session.logon()
        assert again["SESSION"].logged_on


@run
async def test_orders_of_a_peer_that_is_lost_are_to_be_cancelled():
    lost = asyncio.Queue()
    async with venue(cancel_on_disconnect="BOTH", on_cancel_orders=lost.put_nowait) as acceptor:
        async with firm(acceptor.port) as session:
            await session.logon()
        assert await lost.get() is acceptor["SESSION"]


@run
async def test_nobody_listens():
    async with venue() as acceptor:
        port = acceptor.port
    async with firm(port) as session:
        with pytest.raises(affix.LogonError, match="SESSION has not logged on"):
            await session.logon(0.3)


@run
async def test_a_slow_reader_holds_its_peer_back():
    async with venue() as acceptor, firm(acceptor.port, queue_max=50) as session:
        await session.logon()
        other = acceptor["SESSION"]
        while not other.logged_on:
            await asyncio.sleep(0)
        text = "x" * 4_000
        total = 3_000

        async def send():
            for number in range(total):
                await other.send("8", {37: str(number), 58: text})

        sender = asyncio.create_task(send())
        await asyncio.sleep(0.3)
        assert not sender.done()  # Twelve megabytes do not fit between them.
        assert session._engine._waiting < 400
        seen = 0
        async for report in session:
            assert report[37] == str(seen)
            seen += 1
            if seen == total:
                break
        await sender


@run
async def test_a_task_that_waits_can_be_cancelled():
    async with venue() as acceptor, filling(acceptor), firm(acceptor.port) as session:
        await session.logon()
        task = asyncio.ensure_future(session.__anext__())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await session.send("D", ORDER)
        assert (await asyncio.wait_for(session.__anext__(), 10))[11] == "order-1"


@run
async def test_an_exception_in_the_body_logs_out_and_leaves():
    async with venue() as acceptor:
        with pytest.raises(ZeroDivisionError):
            async with firm(acceptor.port) as session:
                await session.logon()
                1 / 0
        assert not session._engine.is_open
        while acceptor["SESSION"].logged_on:
            await asyncio.sleep(0.01)


@run
async def test_a_callback_that_raises_is_logged(caplog):
    def fail(session):
        raise RuntimeError("mine")

    async with venue() as acceptor, firm(acceptor.port, on_logon=fail) as session:
        await session.logon()
        assert session.logged_on
    assert "mine" in caplog.text


@run
async def test_callbacks_take_messages():
    reports = []
    done = asyncio.Event()

    def fill(order):
        order.session.send_nowait("8", {37: "V", 11: order[11], 17: "E", 150: "F", 39: "2", 31: order[44]})

    def report(message):
        reports.append(message[11])
        if message[11] == "1":
            raise RuntimeError("mine")
        if len(reports) == 3:
            done.set()

    async with venue(on_message=fill) as acceptor, firm(acceptor.port, on_message=report) as session:
        await session.logon()
        for number in range(3):
            session.send_nowait("D", {**ORDER, 11: str(number)})
        await done.wait()
    assert reports == ["0", "1", "2"]


@run
async def test_messages_that_were_not_finished_come_again(tmp_path):
    keep = {"durability": "process", "sequence_reserve": 0}
    async with venue(**keep, journal_path=str(tmp_path / "venue")) as acceptor:
        port = acceptor.port
        peer = acceptor["SESSION"]
        async with firm(port, **keep, journal_path=str(tmp_path / "firm")) as session:
            await session.logon()
            while not peer.logged_on:
                await asyncio.sleep(0)
            for number in range(3):
                await peer.send("8", {37: str(number)})
            assert session.journal_directory.startswith(str(tmp_path))
            with pytest.raises(ZeroDivisionError):
                async with contextlib.aclosing(_until_second(session)) as messages:
                    async for message in messages:
                        if message[37] == "1":
                            1 / 0
            session._current = None  # As an exception that leaves the engine's block does.
        async with firm(port, **keep, journal_path=str(tmp_path / "firm")) as session:
            await session.logon()
            again = []
            async for message in session:
                assert message.redelivered
                again.append(message[37])
                if len(again) == 2:
                    break
            assert again == ["1", "2"]
    entries = [entry for entry in affix.decode_log(tmp_path / "firm") if entry.message is not None]
    assert {entry.message.type for entry in entries} >= {"A", "8", "5"}
    assert {entry.direction for entry in entries} == {"in", "out"}


async def _until_second(session):
    async for message in session:
        yield message


@run
async def test_sessions_of_one_acceptor():
    text = """
[VENUE]
type=server
nic_address=127.0.0.1
accept_port=0
""" + "".join(f"[{name}]\nbegin_string=FIX.4.4\nsender_comp_id=VENUE\ntarget_comp_id={name}\ndurability=memory\n"
              for name in ("ALICE", "BOB"))
    async with affix.Acceptor(text=text) as acceptor:
        async with firm(acceptor.port, sender_comp_id="ALICE") as alice, firm(acceptor.port, sender_comp_id="BOB") as bob:
            await alice.logon()
            await bob.logon()
            await alice.send("D", {**ORDER, 11: "a"})
            await bob.send("D", {**ORDER, 11: "b"})
            seen = {}
            async for order in acceptor:
                seen[order.session.name] = order[11]
                if len(seen) == 2:
                    break
            assert seen == {"ALICE": "a", "BOB": "b"}
            await alice.send("D", {**ORDER, 11: "a2"})
            async for order in acceptor["ALICE"]:  # Its own iteration takes it from the common one.
                assert order[11] == "a2"
                break


def test_wrong_configurations():
    with pytest.raises(affix.ConfigurationError) as refused:
        firm(1, begin_string="FIX.9.9", heartbeat_interval_seconds=-5, no_such_key=1)
    assert len(refused.value.problems) >= 2
    assert "no_such_key" in str(refused.value)
    with pytest.raises(affix.ConfigurationError):
        affix.Initiator()
    with pytest.raises(affix.ConfigurationError):
        affix.Initiator("a.ini", text="x")
    with pytest.raises(affix.ConfigurationError):
        affix.Initiator("/nonexistent/trader.ini")
    with pytest.raises(affix.ConfigurationError):
        firm(1, logon_password="a\nb")
    with pytest.raises(affix.ConfigurationError):
        affix.Engine(begin_string="FIX.4.4")
    assert any(key.name == "durability" for key in affix.configuration_keys())


@run
async def test_a_value_with_dollars_is_taken_as_it_is():
    async with venue(logon_username="u", logon_password="${HOME}#$") as acceptor:
        async with firm(acceptor.port, logon_username="u", logon_password="${HOME}#$") as session:
            await session.logon()


@run
async def test_another_thread_is_refused():
    async with venue() as acceptor:
        failures = []

        def use():
            try:
                acceptor["SESSION"].send_nowait("D", ORDER)
            except affix.WrongThreadError as failure:
                failures.append(failure)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        assert len(failures) == 1


@run
async def test_send_waits_for_the_limit_on_its_rate():
    async with venue() as acceptor, filling(acceptor), firm(acceptor.port, send_throttle_limit=5,
                                                            send_throttle_window_in_milliseconds=50,
                                                            send_throttle_action="REFUSE") as session:
        await session.logon()
        for number in range(17):
            await session.send("D", {**ORDER, 11: str(number)})
        seen = 0
        async for _ in session:
            seen += 1
            if seen == 17:
                break
        with pytest.raises(affix.SendError) as refused:
            for _ in range(17):
                session.send_nowait("D", ORDER)
        assert refused.value.status == affix.SendStatus.THROTTLED


@run
async def test_a_message_that_waits_for_the_disk(tmp_path):
    keep = {"durability": "sync", "sequence_reserve": 0}
    async with venue(**keep, journal_path=str(tmp_path / "venue")) as acceptor, filling(acceptor):
        async with firm(acceptor.port, **keep, journal_path=str(tmp_path / "firm")) as session:
            await session.logon()
            for number in range(5):
                await session.send("D", {**ORDER, 11: str(number)})
                async for report in session:
                    assert report[11] == str(number)
                    break


@run
async def test_refusals():
    async with venue() as acceptor, firm(acceptor.port) as session:
        await session.logon()
        with pytest.raises(affix.SendError) as refused:
            await session.send("A", {108: 30})
        assert refused.value.status == affix.SendStatus.TYPE_REFUSED
        with pytest.raises(affix.EncodeError):
            await session.send("D", {58: "a\x01b"})
        with pytest.raises(TypeError):
            await session.send("D", {44: 1.5})
        assert session.next_sender_seq == 2  # None of them took a number.


@run
async def test_a_dictionary_gives_names(tmp_path):
    from affix._codec import _path_of
    async with venue(dictionary=_path_of("FIX.4.4")) as acceptor:
        async with firm(acceptor.port, dictionary=_path_of("FIX.4.4")) as session:
            await session.logon()
            await session.send("NewOrderSingle", {
                "ClOrdID": "x", "Symbol": "EUR/USD", "Side": "1", "TransactTime": "20260101-00:00:00", "OrderQty": 1,
                "OrdType": "1"})
            async for order in acceptor:
                assert order.name == "NewOrderSingle" and order["Symbol"] == "EUR/USD"
                break


def test_control_c_logs_out():
    program = textwrap.dedent("""
        import asyncio, signal, affix
        signal.signal(signal.SIGINT, signal.default_int_handler)  # A shell's background has it ignored.
        keys = dict(begin_string="FIX.4.4", durability="memory")
        async def main():
            async with affix.Acceptor(nic_address="127.0.0.1", accept_port=0, sender_comp_id="V", target_comp_id="F",
                                      on_logout=lambda session, reason: print("logged out", flush=True), **keys) as acceptor:
                async with affix.Initiator(primary_address="127.0.0.1", primary_port=acceptor.port, sender_comp_id="F",
                                           target_comp_id="V", **keys) as session:
                    await session.logon()
                    print("ready", flush=True)
                    async for message in session:
                        pass
        asyncio.run(main())
    """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        os.kill(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert "logged out" in output
    assert "KeyboardInterrupt" in errors


def test_the_child_of_a_fork_has_no_engine():
    """In a process of its own, which has no other thread."""
    program = textwrap.dedent("""
        import asyncio, os, affix
        keys = dict(begin_string="FIX.4.4", durability="memory")
        async def main():
            async with affix.Acceptor(nic_address="127.0.0.1", accept_port=0, sender_comp_id="V", target_comp_id="F",
                                      **keys) as acceptor:
                async with affix.Initiator(primary_address="127.0.0.1", primary_port=acceptor.port, sender_comp_id="F",
                                           target_comp_id="V", **keys) as session:
                    await session.logon()
                    child = os.fork()
                    if child == 0:
                        try:
                            session.send_nowait("D", {11: "x"})
                        except affix.ClosedError:
                            os._exit(7)  # The loop is the parent's, and so are the other steps.
                        os._exit(8)
                    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
                    assert session.send_nowait("D", {11: "x"}) == 2
        asyncio.run(main())
    """)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE)


def test_uvloop():
    uvloop = pytest.importorskip("uvloop")

    async def trade():
        async with venue() as acceptor, filling(acceptor), firm(acceptor.port) as session:
            await session.logon()
            for _ in range(50):
                await session.send("D", ORDER)
                async for _ in session:
                    break

    uvloop.run(asyncio.wait_for(trade(), PATIENCE))
