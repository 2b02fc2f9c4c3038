# SPDX-License-Identifier: MIT
"""Counterparties that play a script: real sessions over loopback, in a thread and a loop of their own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import Future
from enum import Enum
from types import TracebackType
from typing import Any, TypeVar, Union

from affix._affix import Codec, Message
from affix._codec import Fields, dictionary
from affix._configuration import Setting
from affix._session import Acceptor, Initiator, Session
from affix.errors import AffixError
from affix.testing._matching import ExpectedFields, differences, known_type, named_type

Result = TypeVar("Result")


class Copied(Enum):
    """Values of a message that is sent that come from elsewhere."""

    ECHO = "the same field of the message that was expected last"


#: In a message to send: the value of the same field in the message that was expected last.
ECHO = Copied.ECHO

# A mapping whose values may be ECHO or functions of the message that was expected last, or a function of it.
Answer = Union[Mapping[Any, Any], Callable[[Message], Fields]]
_Step = Callable[[], Coroutine[Any, Any, None]]


def _fields_of(answer: Answer, to: Message | None) -> Fields:
    if not isinstance(answer, Mapping):
        if to is None:
            raise AssertionError("the fields need a message, and none was expected before")
        return answer(to)
    made: dict[Any, Any] = {}
    for field, value in answer.items():
        if value is ECHO or callable(value):
            if to is None:
                raise AssertionError(f"field {field} needs a message, and none was expected before")
            made[field] = to.get(field) if value is ECHO else value(to)
        else:
            made[field] = value
    return made


class ScriptedPeer:
    """A counterparty of the program under test. Its steps are played one after the other, from when they are declared.

    `with` ends it: the script must have been played whole, and nothing else may have come. Whatever is not as the
    script says raises AssertionError there, in verify(), and in watch(), with the names of the fields.
    """

    def __init__(self, engine: Acceptor | Initiator, codec: Codec, timeout: float) -> None:
        self._engine = engine
        self._codec = codec
        self._timeout = timeout
        self._loop = asyncio.new_event_loop()
        self._steps: asyncio.Queue[_Step] = asyncio.Queue()
        self._declared = 0
        self._at = "the logon"
        self._session: Session | None = None
        self._last: Message | None = None
        self._opened: Future[None] = Future()
        self._failed: Future[None] = Future()  # It never has a result.
        self._ended = False
        #: Every application message that came, in order.
        self.received: list[Message] = []
        self._thread = threading.Thread(target=self._run, name="affix.testing", daemon=True)
        self._thread.start()
        self._opened.result()

    # --- The script ---

    def expect(self, type: str, fields: ExpectedFields | None = None, *, timeout: float | None = None) -> ScriptedPeer:
        """The next message is of this type, and has these fields; others in it do not matter.

        A value is compared as what it is: Decimal("1.50") is 1.5. None means that the field is absent, ANY that it is
        there; a pattern, or a function of the text, decides; a list of mappings is a repeating group.
        """
        wanted_type, wanted = known_type(self._codec, type), dict(fields or {})
        for field in wanted:
            self._codec.tag(field)  # A name that there is not is found here.

        async def step() -> None:
            await self._expect(wanted_type, wanted, self._timeout if timeout is None else timeout)

        return self._declare(f"expect {type}", step)

    def send(self, type: str, fields: Answer) -> ScriptedPeer:
        """Sends a message, once logged on. Values may be ECHO, or functions of the message that was expected last."""

        async def step() -> None:
            session = await self._logged_on()
            await session.send(type, _fields_of(fields, self._last))

        return self._declare(f"send {type}", step)

    def logout(self, text: str = "") -> ScriptedPeer:
        """Logs out."""

        async def step() -> None:
            await (await self._logged_on()).logout(text)

        return self._declare("logout", step)

    def expect_logout(self, *, timeout: float | None = None) -> ScriptedPeer:
        """The program logs out, or its connection ends."""

        async def step() -> None:
            assert self._session is not None
            patience = self._timeout if timeout is None else timeout
            try:
                await asyncio.wait_for(self._session._logged_out.wait(), patience)
            except asyncio.TimeoutError:
                raise AssertionError(f"expected the program to log out, and it has not within {patience} s") from None

        return self._declare("expect the logout", step)

    # --- Its end ---

    def verify(self) -> None:
        """Waits until every step that was declared is played. Raises AssertionError if one could not be."""
        played: Future[None] = Future()

        async def step() -> None:
            played.set_result(None)

        if not self._failed.done():
            self._put(step)
            _first_of(played, self._failed)
        if self._failed.done():
            self._raise()

    async def watch(self, program: Awaitable[Result]) -> Result:
        """Awaits the program, in its own loop. Cancels it, and raises AssertionError, as soon as the script fails."""
        loop = asyncio.get_running_loop()
        failed = asyncio.Event()

        def note(_: Future[None]) -> None:
            with contextlib.suppress(RuntimeError):  # The program's loop may have ended before.
                loop.call_soon_threadsafe(failed.set)

        self._failed.add_done_callback(note)
        running = asyncio.ensure_future(program)
        failing = asyncio.ensure_future(failed.wait())
        try:
            await asyncio.wait([running, failing], return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                self._raise()
            return await running
        finally:
            failing.cancel()
            while not running.done():
                running.cancel()  # More than once, since asyncio.wait_for() may drop it before Python 3.12.
                await asyncio.wait([running], timeout=1)

    def finish(self) -> None:
        """verify(), and logs out: nothing may have come that the script does not expect."""
        try:
            self.verify()
            ended: Future[None] = Future()

            async def step() -> None:
                await self._end()
                ended.set_result(None)

            self._put(step)
            _first_of(ended, self._failed)
            if self._failed.done():
                self._raise()
        finally:
            self.close()

    def close(self) -> None:
        """Ends it, whatever has been played."""
        if not self._ended:
            self._ended = True
            with contextlib.suppress(RuntimeError):  # Its loop has ended, with a failure.
                self._loop.call_soon_threadsafe(self._playing.cancel)
            self._thread.join()

    def __enter__(self) -> ScriptedPeer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._ended:
            return
        if kind is None:
            self.finish()
            return
        self.close()
        if self._failed.done() and not issubclass(kind, AssertionError):
            self._raise()  # It may be why the program failed.

    @property
    def port(self) -> int:
        """Where the acceptor listens."""
        return self._port

    # --- In its thread ---

    def _declare(self, what: str, step: _Step) -> ScriptedPeer:
        self._declared += 1
        place = f"step {self._declared}, {what}"

        async def placed() -> None:
            self._at = place
            await step()

        self._put(placed)
        return self

    def _put(self, step: _Step) -> None:
        if self._ended:
            raise AssertionError("the counterparty has ended")
        self._loop.call_soon_threadsafe(self._steps.put_nowait, step)

    def _raise(self) -> None:
        raise AssertionError(str(self._failed.exception()))

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._playing = self._loop.create_task(self._play())
        try:
            self._loop.run_until_complete(self._playing)
        except asyncio.CancelledError:
            pass  # By close().
        except BaseException as failure:
            if not self._opened.done():
                self._opened.set_exception(failure)
            elif not self._failed.done():
                self._failed.set_exception(failure)
        finally:
            self._loop.close()

    async def _play(self) -> None:
        async with self._engine as opened:
            self._session = opened if isinstance(opened, Session) else next(iter(opened.sessions.values()))
            self._port = opened.port if isinstance(opened, Acceptor) else 0
            self._messages = aiter(self._session)
            self._opened.set_result(None)
            while True:
                step = await self._steps.get()
                if self._failed.done():
                    continue
                try:
                    await step()
                except (AssertionError, AffixError, ValueError, TypeError, KeyError) as failure:
                    self._failed.set_exception(AssertionError(f"{self._at}: {failure}"))

    async def _logged_on(self) -> Session:
        assert self._session is not None
        await self._session.logon(self._timeout)
        return self._session

    async def _next(self, timeout: float) -> Message:
        message = await asyncio.wait_for(anext(self._messages), timeout)
        self.received.append(message)
        return message

    async def _expect(self, type: str, fields: ExpectedFields, timeout: float) -> None:
        wanted = named_type(self._codec, type)
        try:
            message = await self._next(timeout)
        except asyncio.TimeoutError:
            assert self._session is not None
            state = "" if self._session.logged_on else f", and the program is not logged on {self._session._last_event}"
            raise AssertionError(f"expected {wanted}, and nothing came within {timeout} s{state}") from None
        except StopAsyncIteration:
            raise AssertionError(f"expected {wanted}, and the session has ended") from None
        if message.type != type:
            raise AssertionError(f"expected {wanted}, got {named_type(self._codec, message.type)}\n  {message}")
        found = differences(self._codec, message, fields)
        if found:
            raise AssertionError("\n  ".join([f"{wanted} is not as expected", *found, str(message)]))
        self._last = message

    async def _end(self) -> None:
        self._at = "after the last step"
        assert self._session is not None
        await self._session.logout()
        # The Logout came after everything that the program sent.
        async for message in self._messages:
            self.received.append(message)
            raise AssertionError(f"nothing more was expected, got {named_type(self._codec, message.type)}\n  {message}")


def _first_of(*futures: Future[None]) -> None:
    done = threading.Event()
    for future in futures:
        future.add_done_callback(lambda _: done.set())
    done.wait()


class ScriptedPeers:
    """Makes counterparties, and ends those that a test leaves open."""

    def __init__(self) -> None:
        self._all: list[ScriptedPeer] = []

    def acceptor(self, *, sender_comp_id: str, target_comp_id: str, begin_string: str = "FIX.4.4",
                 codec: Codec | None = None, timeout: float = 10.0, **keywords: Setting) -> ScriptedPeer:
        """A venue, at a port of the kernel's choice: `peer.port`. The program under test has the other identifiers.

        `timeout` seconds are left to each step. Further keywords are keys of a configuration.
        """
        codec = _codec_of(begin_string, codec)
        settings: dict[str, Any] = {
            "nic_address": "127.0.0.1", "accept_port": 0, "durability": "memory", "begin_string": begin_string,
            "sender_comp_id": sender_comp_id, "target_comp_id": target_comp_id, **keywords}
        return self._add(ScriptedPeer(Acceptor(codec=codec, **settings), codec, timeout))

    def initiator(self, port: int, *, sender_comp_id: str, target_comp_id: str, begin_string: str = "FIX.4.4",
                  codec: Codec | None = None, timeout: float = 10.0, **keywords: Setting) -> ScriptedPeer:
        """A client of the program under test, which listens at `port`."""
        codec = _codec_of(begin_string, codec)
        settings: dict[str, Any] = {
            "primary_address": "127.0.0.1", "primary_port": port, "reconnect_milliseconds": 20, "durability": "memory",
            "begin_string": begin_string, "sender_comp_id": sender_comp_id, "target_comp_id": target_comp_id,
            **keywords}
        return self._add(ScriptedPeer(Initiator(codec=codec, **settings), codec, timeout))

    def _add(self, peer: ScriptedPeer) -> ScriptedPeer:
        self._all.append(peer)
        return peer

    def __enter__(self) -> ScriptedPeers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        with contextlib.ExitStack() as stack:
            for peer in self._all:
                stack.push(peer)


def _codec_of(begin_string: str, codec: Codec | None) -> Codec:
    if codec is not None:
        return codec
    return dictionary("FIX.5.0SP2" if begin_string.startswith("FIXT") else begin_string)
