# SPDX-License-Identifier: MIT
"""Engines on asyncio's own loop: the loop waits for the engine's descriptor, and runs a turn when it is readable."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any

from affix import _affix
from affix._affix import Message
from affix._codec import _PLAIN, Fields
from affix._configuration import Setting, codecs_of, configuration_of
from affix._hosting import (
    LOGOUT_TEXT,
    ROOM_FOLLOWS,
    OnError,
    SendStatus,
    SessionIdentity,
    SessionTable,
    abandon_in_children,
    checked,
    is_closed,
    log,
    log_event,
    log_failure,
    refusal,
)
from affix._waiter import go_on
from affix.errors import ClosedError, ConfigurationError, LogonError, SendError


# A comparison with the enumeration takes as long as much of a turn.
_QUEUED = int(SendStatus.QUEUED)


class _Stream:
    """Messages that wait for a program, and tasks that wait for messages."""

    def __init__(self, host: Engine) -> None:
        self._host = host
        self._messages: deque[Message] = deque()
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._current: Message | None = None
        self._ended = False

    def _put(self, message: Message) -> None:
        self._messages.append(message)
        self._wake_one()

    def _hand_out(self) -> None:
        """Goes on with the tasks that wait here, as far as the messages suffice."""
        while self._messages and self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                go_on(waiter)

    def _leave_to_loop(self) -> None:
        """The same, by the loop's next step."""
        for _ in self._messages:
            self._wake_one()

    def _end_stream(self) -> None:
        self._ended = True
        while self._waiters:
            self._wake_one()

    def _wake_one(self) -> None:
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

    async def __anext__(self) -> Message:
        host = self._host
        if self._current is not None:
            self._finish_current()
        messages = self._messages
        while not messages:
            if self._ended or host._loop is None:
                raise StopAsyncIteration
            waiter = host._loop.create_future()
            self._waiters.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                if waiter in self._waiters:
                    self._waiters.remove(waiter)
                elif messages:
                    self._wake_one()  # It was woken for a message that another task may have.
                raise
        message = messages.popleft()
        host._taken()
        self._current = message
        return message

    def _finish_current(self) -> None:
        current, self._current = self._current, None
        if current is not None and self._host.finish_messages and self._host._engine is not None:
            current.session.finish(current)


class Session(_Stream, SessionIdentity):
    """One FIX session of an engine. `async for message in session` gives its application messages.

    A message is processed when the next one is asked for: a program that ends before that gets it again at its next
    start, with Message.redelivered set. With `finish_messages=False` call finish() instead.
    """

    def __init__(self, engine: Engine, name: str, codec: _affix.Codec) -> None:
        _Stream.__init__(self, engine)
        SessionIdentity.__init__(self, name, codec, engine._live.state(name))
        self._engine = engine
        self._claimed = False
        self._logged_on = asyncio.Event()
        self._logged_out = asyncio.Event()
        self._room = asyncio.Event()
        self._last_event = ""

    @property
    def logged_on(self) -> bool:
        """True if the session may send."""
        return self._logged_on.is_set()

    @property
    def next_sender_seq(self) -> int:
        """MsgSeqNum (34) of the next message that is sent."""
        return int(self._engine._live.state(self.name)["next_sender_seq"])

    @property
    def next_target_seq(self) -> int:
        """MsgSeqNum (34) of the next message that is awaited."""
        return int(self._engine._live.state(self.name)["next_target_seq"])

    @property
    def journal_directory(self) -> str:
        """Where its journal is; empty with durability=memory."""
        return str(self._engine._live.state(self.name)["journal_directory"])

    async def logon(self, timeout: float | None = 30.0) -> None:
        """Waits until the session is logged on. Raises LogonError after `timeout` seconds.

        The engine connects by itself and again after every loss; this only waits.
        """
        self._engine._live.check_thread()
        if not await self._engine._race(self._logged_on, timeout):
            raise LogonError(f"{self.name} has not logged on within {timeout} s: "
                             f"{self._last_event or 'the peer is silent'}")
        if not self.logged_on:
            raise ClosedError("the engine is closed")

    def send_nowait(self, type: str, fields: Fields) -> int:
        """Sends a message and returns its MsgSeqNum. Raises SendError if it is refused.

        `type` is MsgType (35), or a message's name in the dictionary. `fields` are those of the body: the session
        writes the header. It is in the journal, and with the kernel, when this returns.
        """
        return self._send(type, self._codec.encode_body(fields))

    async def send(self, type: str, fields: Fields) -> int:
        """Like send_nowait(), but waits while the peer reads too slowly or a limit on the rate holds it back."""
        body = self._codec.encode_body(fields)
        while True:
            self._room.clear()
            try:
                return self._send(type, body)
            except SendError as refused:
                if refused.status not in ROOM_FOLLOWS:
                    raise
            await self._engine._await_room(self)

    def _send(self, type: str, body: bytes) -> int:
        engine = self._engine._engine or self._engine._live
        status, text, sequence = engine.send(self.name, self._type_of(type), body)
        if status > _QUEUED:
            raise refusal(self.name, status, text)
        return sequence

    def finish(self, message: Message) -> None:
        """Marks a message as processed, and all that it caused as sent: it is not delivered again."""
        if message._receipt:
            self._engine._live.finish_message(self.name, message._receipt)

    def test_peer(self) -> None:
        """Sends a TestRequest."""
        self._engine._command("test_peer", self.name)

    def reset(self) -> None:
        """Sets both sequence numbers to 1, by a Logon with 141=Y while logged on."""
        self._engine._command("reset", self.name)

    def disconnect(self) -> None:
        """Closes the connection without a Logout; an initiator connects again."""
        self._engine._command("disconnect", self.name)

    def set_next_sender_seq(self, number: int) -> None:
        """Sets the MsgSeqNum of the next message that is sent, without telling the peer."""
        self._set_number("set_next_sender_seq", number)

    def set_next_target_seq(self, number: int) -> None:
        """Sets the MsgSeqNum that is awaited next: of a lower one, what has come is asked for again."""
        self._set_number("set_next_target_seq", number)

    def _set_number(self, command: str, number: int) -> None:
        if not getattr(self._engine._live, command)(self.name, number):
            raise ValueError(f"{self.name}: {number} is no number for it, or its journal does not take it")

    def connect(self) -> None:
        """Lets an initiator connect again after logout()."""
        self._engine._live.check_thread()
        self._ended = False
        self._logged_out.clear()
        self._engine._command("connect", self.name)

    async def logout(self, text: str = "") -> None:
        """Logs out in order, and waits for it. Ends `async for`; an initiator stays down until connect()."""
        self._engine._live.check_thread()
        self._logged_out.clear()
        waits = self.logged_on
        self._engine._command("logout", self.name, text)
        if waits:
            await self._engine._race(self._logged_out)
        self._end_stream()

    def __aiter__(self) -> AsyncIterator[Message]:
        self._engine._check_iteration()
        self._engine._claim(self)
        return self


class Engine(_Stream, SessionTable[Session]):
    """Sessions of one configuration, on the loop that runs `async with`. Starts no thread.

    `configuration` is a file; or give `text`, in the same form. `queue_max` is the number of messages that wait for
    the program before the engine stops reading, so that peers feel it. `shutdown_timeout` seconds are left to peers to
    answer our Logout. `codec` reads and writes messages of sessions that name no dictionary.

    `on_message` takes each message in place of `async for`, without a task between: the quickest way. It
    must not block. `on_event`, `on_logon`, `on_logout` and `on_cancel_orders` are called between messages. What any of
    them raises is logged, and the session goes on, or logs out with `on_error="logout"`; a message whose `on_message`
    raised is not processed. Every event is logged to the logger "affix" too.
    """

    _kind = ""

    def __init__(self, configuration: str | os.PathLike[str] | None = None, *, text: str | None = None,
                 codec: _affix.Codec | None = None, queue_max: int = 10_000, shutdown_timeout: float = 10.0,
                 finish_messages: bool = True,
                 on_message: Callable[[Message], None] | None = None,
                 on_event: Callable[[str, str, str, str], None] | None = None,
                 on_logon: Callable[[Session], None] | None = None,
                 on_logout: Callable[[Session, str], None] | None = None,
                 on_cancel_orders: Callable[[Session], None] | None = None,
                 on_error: OnError = "continue",
                 **keywords: Setting) -> None:
        if keywords and not self._kind:
            raise ConfigurationError("keyword arguments are for Initiator and Acceptor, which have one session")
        _Stream.__init__(self, self)
        SessionTable.__init__(self)
        self._on_error = checked(on_error)
        self._configuration = configuration_of(self._kind, configuration, text, keywords)
        self._codec = _PLAIN if codec is None else codec
        self._queue_max = queue_max
        self._shutdown_timeout = shutdown_timeout
        self.finish_messages = finish_messages
        self._on_message = on_message
        self._on_event = on_event
        self._on_logon = on_logon
        self._on_logout = on_logout
        self._on_cancel_orders = on_cancel_orders
        self._engine: _affix.Engine | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._descriptor = -1
        self._waiting = 0
        # The queues into which this turn has put messages, while tasks wait there.
        self._awaited: dict[_Stream, None] = {}
        self._await_rooms = 0
        self._paused = False
        # As wait_mode says: turns follow each other for so long after the last that brought something.
        self._spin_seconds = 0.0
        self._spin_end = 0.0
        self._spins = False
        self._down = asyncio.Event()
        self._closing = False
        self._failure: BaseException | None = None

    # --- Opening and closing ---

    async def _open(self) -> None:
        codecs = codecs_of(self._configuration)
        self._loop = asyncio.get_running_loop()
        self._engine = _affix.Engine(self._configuration, codecs, self._codec, True)
        try:
            self._descriptor = self._engine.descriptor()
            self._spin_seconds = self._engine.spin_seconds
            self._spin_end = self._loop.time() + self._spin_seconds
            for name in self._engine.session_names:
                self._add(name, codecs.get(name, self._codec))
            self._loop.add_reader(self._descriptor, self._turn)
        except BaseException:
            self._engine.close()
            self._engine = None
            raise
        abandon_in_children(self)
        self._turn()

    def _add(self, name: str, codec: _affix.Codec) -> Session:
        session = Session(self, name, codec)
        self._sessions[name] = session
        self._live.attach(name, session)
        return session

    async def __aenter__(self) -> Any:
        await self._open()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        if kind is None:
            # The body ended in order, so the message that it ended with is processed.
            self._finish_current()
            for session in self._sessions.values():
                session._finish_current()
        await self.close()

    async def close(self, text: str = "") -> None:
        """Logs everybody out, closes all connections and journals, and ends every `async for`."""
        if self._engine is None:
            return
        self._engine.check_thread()
        try:
            if not self._closing:
                self._closing = True
                self._engine.finish(text)
                self._resume()
                self._turn()
            if self._failure is None and not await self._race(self._down, self._shutdown_timeout):
                log.warning("not every peer has answered the Logout within %s s", self._shutdown_timeout)
        finally:
            self._end()

    def _end(self) -> None:
        engine, self._engine = self._engine, None
        if engine is None:
            return
        if self._loop is not None and not self._paused:
            self._loop.remove_reader(self._descriptor)
        engine.close()
        is_closed(self)
        self._down.set()
        self._end_stream()
        for session in self._sessions.values():
            session._logged_on.clear()
            session._logged_out.set()
            session._room.set()
            session._end_stream()

    def _abandon(self) -> None:
        if self._engine is not None:
            self._engine.abandon()
            self._engine = None

    @property
    def is_open(self) -> bool:
        """True between entering `async with` and the end of close()."""
        return self._engine is not None

    @property
    def _live(self) -> _affix.Engine:
        if self._engine is None:
            raise ClosedError("the engine is closed") from self._failure
        return self._engine

    # --- Sessions ---

    def __aiter__(self) -> AsyncIterator[Message]:
        """Messages of every session that has no `async for` of its own; Message.session is whose each is."""
        self._check_iteration()
        return self

    def _check_iteration(self) -> None:
        """Messages that wait may be read after the end, but not elsewhere."""
        if self._engine is not None:
            self._engine.check_thread()

    def _claim(self, session: Session) -> None:
        if session._claimed:
            return
        session._claimed = True
        kept: deque[Message] = deque()
        for message in self._messages:
            if message.session is session:
                session._put(message)
            else:
                kept.append(message)
        self._messages.clear()
        self._messages.extend(kept)

    # --- Turns ---

    def _turn(self) -> None:
        if self._engine is None:
            return
        self._collect(self._engine)
        if self._awaited:
            self._hand_out_all()
        if (self._waiting >= self._queue_max and not self._closing and self._await_rooms == 0
                and self._engine is not None):
            self._pause()
        if self._spin_seconds:
            self._spin()

    def _spin(self) -> None:
        """Has the loop run another turn without waiting for the descriptor, after all that waits in it already."""
        assert self._loop is not None
        if self._spins or self._paused or self._engine is None or self._loop.time() > self._spin_end:
            return
        self._spins = True
        self._loop.call_soon(self._spin_turn)

    def _spin_turn(self) -> None:
        self._spins = False
        if not self._paused:
            self._turn()

    def _collect(self, engine: _affix.Engine) -> None:
        """Arrivals have their place after this, and nothing else of the turn is left in memory."""
        try:
            collected = engine.turn()
            if collected is not None:
                if self._spin_seconds and self._loop is not None:
                    self._spin_end = self._loop.time() + self._spin_seconds
                for item in collected:
                    if type(item) is Message:
                        self._deliver(item.session, item)
                    else:
                        self._happened(*item)
            if self._closing and engine.all_down:
                self._down.set()
        except Exception as failure:  # Memory ran out, say: nothing was lost that the journal does not have.
            log.exception("the engine stops")
            self._failure = failure
            self._end()

    def _hand_out_all(self) -> None:
        """Comes last in a turn, since tasks do what they like: they close the engine, say."""
        awaited = list(self._awaited)
        self._awaited.clear()
        try:
            while awaited and asyncio.current_task(self._loop) is None:
                awaited[0]._hand_out()
                del awaited[0]
        finally:
            # A task has asked for this turn, or one has ended the program.
            for stream in awaited:
                stream._leave_to_loop()

    def _deliver(self, session: Session, message: Message) -> None:
        if self._on_message is not None:
            self._call(session, self._process, session, message)
            return
        self._waiting += 1
        stream: _Stream = session if session._claimed else self
        stream._messages.append(message)
        if stream._waiters:
            self._awaited[stream] = None

    def _process(self, session: Session, message: Message) -> None:
        assert self._on_message is not None
        self._on_message(message)
        if self.finish_messages and self.is_open:
            session.finish(message)

    def _command(self, command: str, *arguments: Any) -> None:
        getattr(self._live, command)(*arguments)

    def _pause(self) -> None:
        if not self._paused and self._loop is not None:
            self._paused = True
            self._loop.remove_reader(self._descriptor)

    def _resume(self) -> None:
        if self._paused and self._engine is not None and self._loop is not None:
            self._paused = False
            self._loop.add_reader(self._descriptor, self._turn)
            if self._spin_seconds:
                self._spin()

    def _taken(self) -> None:
        self._waiting -= 1
        if self._paused and self._waiting <= self._queue_max // 2:
            self._resume()

    async def _race(self, event: asyncio.Event, timeout: float | None = None) -> bool:
        """Waits for an event that _end() sets too, or for the end. False: neither has come in time."""
        if self._engine is None:
            return True
        waits = [asyncio.ensure_future(event.wait()), asyncio.ensure_future(self._down.wait())]
        try:
            # Not asyncio.wait_for(), which may drop a cancellation before Python 3.12.
            done, _ = await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        return bool(done)

    async def _await_room(self, session: Session) -> None:
        # The turns that make room must run, however many messages wait for this very task.
        self._await_rooms += 1
        self._resume()
        try:
            await self._race(session._room)
        finally:
            self._await_rooms -= 1

    def _happened(self, kind: str, name: str, text: Any, severity: str = "info", code: str = "") -> None:
        session = self._sessions.get(name)
        if kind == "event":
            if session is not None and severity != "debug":
                session._last_event = text
            log_event(severity, name, text, code)
            if self._on_event is not None:
                self._call(session, self._on_event, severity, name, text, code)
        elif kind == "added":
            self._add(name, self._codec)
        elif session is None:
            return
        elif kind == "message":
            text._set_session(session)
            self._deliver(session, text)
        elif kind == "logon":
            session._logged_out.clear()
            session._logged_on.set()
            if self._on_logon is not None:
                self._call(session, self._on_logon, session)
        elif kind == "logout":
            session._logged_on.clear()
            session._logged_out.set()
            session._room.set()
            session._last_event = text
            if self._on_logout is not None:
                self._call(session, self._on_logout, session, text)
        elif kind == "room":
            session._room.set()
        elif kind == "cancel_orders":
            if self._on_cancel_orders is not None:
                self._call(session, self._on_cancel_orders, session)
        elif kind == "removed":
            session._end_stream()
            del self._sessions[name]

    def _call(self, session: Session | None, callback: Callable[..., None], *arguments: Any) -> None:
        try:
            callback(*arguments)
        except Exception as failure:
            log_failure(session, failure, self._on_error)
            if session is not None and self._on_error == "logout" and self.is_open:
                self._command("logout", session.name, LOGOUT_TEXT)


class Initiator(Engine):
    """One session that connects: `async with affix.Initiator(...) as session`.

    Configured by a file, or by keyword arguments that are the keys of one: `affix.Initiator(primary_address="...",
    primary_port=9000, begin_string="FIX.4.4", sender_comp_id="ME", target_comp_id="VENUE")`.
    """

    _kind = "client"

    async def __aenter__(self) -> Session:
        if len(self._configuration.sessions) != 1:
            raise ConfigurationError("an Initiator has one session; affix.Engine has any number")
        await self._open()
        session = next(iter(self._sessions.values()))
        self._claim(session)
        return session


class Acceptor(Engine):
    """A listener and its sessions: `async with affix.Acceptor(...) as acceptor`.

    `async for message in acceptor` gives the messages of all sessions; `message.session` is where to answer.
    """

    _kind = "server"

    async def __aenter__(self) -> Acceptor:
        await self._open()
        return self
