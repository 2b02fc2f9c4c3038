# SPDX-License-Identifier: MIT
"""Codecs are shared by threads; an engine and its sessions belong to one, and say so on any other."""

import asyncio
import concurrent.futures
import sys

import pytest
from patience import patience

import affix
from affix import _affix
from fuzzing.loopback import CODEC, Pair

THREADS = 4
PATIENCE = patience(60)


@pytest.fixture
def restless_threads():
    """The interpreter changes threads as often as it can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def in_threads(work):
    """Runs work(number) in every thread at once; raises what any of them raises."""
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(work, number) for number in range(THREADS)]:
            done.result(PATIENCE)


def elsewhere(call):
    """Calls on another thread."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result(PATIENCE)


# --- Codecs and views ---

def message_of(number, fields=20):
    return affix.encode("D", {11: f"order-{number}", 38: number,
                              453: [{448: f"{number}-{at}"} for at in range(number % 5)],
                              **{5000 + at: f"{number}.{at}" for at in range(fields)}})


def check(message, number):
    assert message.values(11, 5000, 5019) == (f"order-{number}", f"{number}.0", f"{number}.19")
    assert message["OrderQty"] == str(number)
    assert message.integer(38) == number and message.decimal(38) == number
    assert [entry[448] for entry in message.group(453)] == [f"{number}-{at}" for at in range(number % 5)]
    assert message.to_dict(names=False)[5007] == f"{number}.7"
    assert len(message.items()) == len(message)


def test_one_codec_for_all_threads(restless_threads):
    codec = affix.dictionary("FIX.4.4")

    def work(thread):
        for turn in range(150):
            number = thread * 1000 + turn
            message = codec.parse(message_of(number, 20 + 300 * (turn % 2)))
            check(message, number)
            data = codec.encode("D", {"ClOrdID": f"{number}", 58: "x" * (number % 7 * 1000 + 1)})
            assert codec.parse(data)["ClOrdID"] == f"{number}"

    in_threads(work)


def test_the_same_views_in_all_threads(restless_threads):
    codec = affix.dictionary("FIX.4.4")
    views = [codec.parse(message_of(number)) for number in range(10)]
    entries = [(number, entry) for number, view in enumerate(views) for entry in view.group(453)]

    def work(thread):
        for turn in range(40):
            for number, view in enumerate(views):
                check(view, number)
            for number, entry in entries:
                assert entry[448].startswith(f"{number}-")

    in_threads(work)


def test_a_receiver_that_one_thread_feeds_and_others_read(restless_threads):
    receiver = affix.Receiver(affix.dictionary("FIX.4.4"))
    data = message_of(7)
    views = []

    def work(thread):
        for turn in range(300):
            if thread == 0:
                receiver.feed(data)
                views[:] = list(receiver)
                continue
            for view in list(views):
                try:
                    assert view[11] == "order-7"
                except affix.ExpiredError:
                    pass

    in_threads(work)


# --- Engines ---

# Every method and property of the extension's engine with arguments for it; those that any thread may use.
COMMANDS = {
    "turn": (), "descriptor": (), "attach": ("BOB", "session"), "finish": ("",), "close": (), "check_thread": (),
    "send": ("BOB", "D", b"11=x\x01"), "finish_message": ("BOB", 1), "flush": ("BOB",), "logout": ("BOB", ""),
    "connect": ("BOB",), "reset": ("BOB",), "test_peer": ("BOB",), "state": ("BOB",), "disconnect": ("BOB",),
    "set_next_sender_seq": ("BOB", 5), "set_next_target_seq": ("BOB", 5),
    "send_with_header": ("BOB", "D", [], b"11=x\x01"), "reject": ("BOB", affix.parse(affix.encode("D", {11: "x"})), 5, 11, ""),
    "accept_logon": ("BOB",), "refuse_logon": ("BOB", ""), "disable": ("BOB", ""), "enable": ("BOB",), "numbers": ("BOB",),
    "is_logged_on": ("BOB",), "is_connected": ("BOB",), "is_enabled": ("BOB",),
    "session_names": None, "addresses": None, "all_down": None,
}
FOR_ALL_THREADS = {"wake", "abandon", "adopt", "spin_seconds"}


def test_every_command_of_an_engine():
    names = {name for name in dir(_affix.Engine) if not name.startswith("_")}
    with Pair() as pair:
        pair.log_on()
        for name in names - FOR_ALL_THREADS:
            arguments = COMMANDS[name]
            with pytest.raises(affix.WrongThreadError):
                elsewhere(lambda: getattr(pair.firm, name) if arguments is None
                          else getattr(pair.firm, name)(*arguments))
        elsewhere(pair.firm.wake)
        # None of them did anything.
        assert pair.firm.state("BOB")["next_sender_seq"] == 2
        assert pair.send("D", {11: "x"})[0] == 0


# Every method and property of affix.Session that uses its engine. The others are of the program's own objects.
SESSION = {
    "logon": lambda session: session.logon(1), "send": lambda session: session.send("D", {11: "x"}),
    "send_nowait": lambda session: session.send_nowait("D", {11: "x"}), "logout": lambda session: session.logout(),
    "finish": lambda session: session.finish(session.user), "test_peer": lambda session: session.test_peer(),
    "reset": lambda session: session.reset(), "connect": lambda session: session.connect(),
    "disconnect": lambda session: session.disconnect(),
    "set_next_sender_seq": lambda session: session.set_next_sender_seq(5),
    "set_next_target_seq": lambda session: session.set_next_target_seq(5),
    "next_sender_seq": lambda session: session.next_sender_seq,
    "next_target_seq": lambda session: session.next_target_seq,
    "journal_directory": lambda session: session.journal_directory,
}
SESSION_WITHOUT_ENGINE = {"codec", "logged_on"}
ENGINE = {"close": lambda engine: engine.close(), "addresses": lambda engine: engine.addresses,
          "port": lambda engine: engine.port}
ENGINE_WITHOUT_ENGINE = {"is_open", "sessions"}


def refused(use, subject):
    """The use of a session or an engine on another thread, in a loop of that thread if it is a coroutine."""

    def call():
        result = use(subject)
        if asyncio.iscoroutine(result):
            asyncio.run(asyncio.wait_for(result, PATIENCE))

    with pytest.raises(affix.WrongThreadError):
        elsewhere(call)


def iterate(subject):
    async def first():
        async for _ in subject:
            return

    return first()


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def test_every_use_of_sessions_and_engines():
    async def main():
        keys = {"begin_string": "FIX.4.4", "durability": "memory"}
        async with affix.Acceptor(nic_address="127.0.0.1", accept_port=0, sender_comp_id="VENUE", target_comp_id="FIRM",
                                  **keys) as acceptor:
            async with affix.Initiator(primary_address="127.0.0.1", primary_port=acceptor.port, sender_comp_id="FIRM",
                                       target_comp_id="VENUE", **keys) as session:
                await session.logon()
                peer = acceptor["SESSION"]
                await peer.send("8", {37: "first"})
                session.user = await session.__anext__()
                for name in public(affix.Session) - SESSION_WITHOUT_ENGINE:
                    refused(SESSION[name], session)
                for name in public(affix.Engine) - ENGINE_WITHOUT_ENGINE:
                    refused(ENGINE[name], acceptor)
                refused(iterate, session)
                refused(iterate, acceptor)
                # All of them go on as if nothing had been.
                assert session.logged_on and acceptor.is_open
                await peer.send("8", {37: "second"})
                async for message in session:
                    assert message[37] == "second"
                    break

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_encoding_while_the_engine_turns_on_another_thread(restless_threads):
    """The codec of a session is used by its own thread and by others."""
    numbers = []

    def work(thread):
        if thread != 0:
            for number in range(300):
                data = CODEC.encode("8", {37: f"{thread}-{number}", 58: "y" * (number + 1)})
                assert CODEC.parse(data)[37] == f"{thread}-{number}"
            return
        with Pair() as pair:
            pair.log_on()
            for number in range(100):
                assert pair.send("D", {11: str(number), 58: "x" * (number * 50 + 1)})[0] == 0
                pair.turn()
            pair.until(lambda: sum(type(item) is affix.Message for item in pair.received) == 100)
            numbers.extend(item[11] for item in pair.received if type(item) is affix.Message)

    in_threads(work)
    assert numbers == [str(number) for number in range(100)]
