# SPDX-License-Identifier: MIT
"""Engines with threads of their own: callbacks from C++ workers, with the GIL taken once for what a turn brought."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import math
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Any

from affix import _affix
from affix._affix import HandOver, Message
from affix._codec import _PLAIN, Fields
from affix._configuration import Setting, codecs_of, configuration_of
from affix._hosting import (
    LOOK_SECONDS,
    LOGOUT_TEXT,
    ROOM_FOLLOWS,
    OnError,
    SendStatus,
    SessionIdentity,
    SessionTable,
    abandon_in_children,
    checked,
    is_closed,
    log_event,
    log_failure,
    refusal,
)
from affix.errors import ClosedError, ConfigurationError, LogonError, SendError, WrongThreadError

_REFUSALS = {HandOver.FULL: SendStatus.QUEUE_FULL, HandOver.TOO_LARGE: SendStatus.TOO_LARGE,
             HandOver.INVALID: SendStatus.INVALID}


class FailoverKind(Enum):
    """A change of this node's part in a failover group. As affix::host::FailoverNotice::Kind."""

    LEADING = "leading"
    STEPPED_DOWN = "stepped_down"
    ALONE = "alone"
    NOT_ALONE = "not_alone"


@dataclass(frozen=True)
class FailoverNotice:
    """An event of a failover group on this node. `epoch` is greater after each change of the primary."""

    kind: FailoverKind
    group: str
    epoch: int


class ThreadedSession(SessionIdentity):
    """One FIX session of an engine with threads. It may be used in any thread, unless a method says otherwise."""

    def __init__(self, engine: ThreadedEngine, name: str, codec: _affix.Codec) -> None:
        self._port = _affix.SessionPort(engine._live, name)
        super().__init__(name, codec, self._port.state)
        self._port.attach(self, codec)
        self._logged_on = False
        self._last_event = ""
        self._rooms = 0
        #: The engine that it belongs to.
        self.engine = engine

    @property
    def logged_on(self) -> bool:
        """True if the session may send."""
        return self._logged_on

    @property
    def worker(self) -> int:
        """The number of its worker, from 0: sessions of one worker share a thread."""
        return self._port.worker

    @property
    def journal_directory(self) -> str:
        """Where its journal is; empty with durability=memory."""
        return str(self._port.state["journal_directory"])

    @property
    def next_sender_seq(self) -> int:
        """MsgSeqNum (34) of the next message that is sent. In callbacks of its worker only."""
        return self._number("next_sender_seq")

    @property
    def next_target_seq(self) -> int:
        """MsgSeqNum (34) of the next message that is awaited. In callbacks of its worker only."""
        return self._number("next_target_seq")

    def _number(self, which: str) -> int:
        state = self._port.state
        if which not in state:
            raise WrongThreadError("sequence numbers are read in callbacks of the session's worker")
        return int(state[which])

    def logon(self, timeout: float | None = 30.0) -> None:
        """Waits until the session is logged on, not in callbacks. Raises LogonError after `timeout` seconds.

        The engine connects by itself and again after every loss; this only waits.
        """
        if not self.engine._wait_until(lambda: self._logged_on, timeout):
            raise LogonError(f"{self.name} has not logged on within {timeout} s: "
                             f"{self._last_event or 'the peer is silent'}")

    def send(self, type: str, fields: Fields) -> int:
        """Sends a message and returns its MsgSeqNum. Raises SendError if it is refused.

        `type` is MsgType (35), or a message's name in the dictionary. `fields` are those of the body. In a callback of
        the session's worker the message is in the journal when this returns, and leaves with all others of the turn.
        Elsewhere this waits for the worker, and while the peer reads too slowly or a limit on the rate holds it back.
        In other callbacks it would stop a worker, and raises WrongThreadError: use post().
        """
        type, body = self._type_of(type), self._codec.encode_body(fields)
        sent = self._port.send(type, body)
        if sent is not None:
            status, text, sequence = sent
            if status > SendStatus.QUEUED:
                raise refusal(self.name, status, text)
            return sequence
        if self.engine._live.calls_here:
            raise WrongThreadError("a callback must not wait for another worker: use post()")
        while True:
            rooms = self._rooms
            try:
                return self.engine._post(self, type, body).result()
            except SendError as refused:
                if refused.status not in ROOM_FOLLOWS:
                    raise
            self.engine._wait_until(lambda: self._rooms != rooms, None)

    def post(self, type: str, fields: Fields) -> Future[int]:
        """Hands a message to the session's worker; the future gets its MsgSeqNum, or SendError if it is refused.

        In any thread, callbacks included; messages of one thread keep their order. Waits for room in the queue to the
        worker, except in callbacks, which raise SendError with status QUEUE_FULL. Functions that are added to the
        future run on the worker.
        """
        return self.engine._post(self, self._type_of(type), self._codec.encode_body(fields))

    def finish(self, message: Message) -> None:
        """Marks a message as processed, and all that it caused as sent: it is not delivered again."""
        if message._receipt:
            self.engine._hand_over(self, lambda: self._port.finish_message(message._receipt))

    def flush(self) -> None:
        """In a callback of its worker: sends now what the turn would send at its end."""
        if not self._port.flush():
            raise WrongThreadError("flush() is for callbacks of the session's worker")

    def test_peer(self) -> None:
        """Sends a TestRequest."""
        self.engine._hand_over(self, self._port.test_peer)

    def reset(self) -> None:
        """Sets both sequence numbers to 1, by a Logon with 141=Y while logged on."""
        self.engine._hand_over(self, self._port.reset)

    def redeliver(self) -> None:
        """Delivers every message again that is not processed."""
        self.engine._hand_over(self, self._port.redeliver)

    def connect(self) -> None:
        """Lets an initiator connect again after logout()."""
        self.engine._hand_over(self, self._port.connect)

    def logout(self, text: str = "") -> None:
        """Logs out in order, and waits for it, except in callbacks. An initiator stays down until connect()."""
        self.engine._hand_over(self, lambda: self._port.logout(text))
        if not self.engine._live.calls_here:
            self.engine._wait_until(lambda: not self._logged_on, None, until_over=True)


class ThreadedEngine(SessionTable[ThreadedSession]):
    """Sessions of one configuration on threads of C++, one for each worker: `with affix.ThreadedEngine(...) as engine`.

    A worker collects what its turn brings without the GIL, takes it once, and calls `on_message(message)`,
    `on_logon(session)`, `on_logout(session, reason)`, `on_cancel_orders(session)` and `on_failover(notice)` on its own
    thread; what they send leaves together. While a callback runs, its worker reads nothing, so peers feel it; one that
    blocks delays heartbeats too. `callback_thread` in the configuration gives a session's callbacks a thread that its
    worker does not wait for. Callbacks of one session never overlap; those of several workers do.

    A message views bytes that last until its `on_message` returns: later uses raise ExpiredError, and copy() keeps one.
    It is processed when that has returned, or with `finish_messages=False` at session.finish(). What a callback raises
    is logged, and its session goes on, or logs out with `on_error="logout"`. Events are logged to the logger "affix",
    and passed to `on_event(severity, session, text, code)` on any thread of the engine.

    `configuration` is a file; or give `text`, in the same form. `codec` reads and writes messages of sessions that name
    no dictionary.
    """

    _kind = ""

    def __init__(self, configuration: str | os.PathLike[str] | None = None, *,
                 on_message: Callable[[Message], object],
                 on_logon: Callable[[ThreadedSession], object] | None = None,
                 on_logout: Callable[[ThreadedSession, str], object] | None = None,
                 on_cancel_orders: Callable[[ThreadedSession], object] | None = None,
                 on_failover: Callable[[FailoverNotice], object] | None = None,
                 on_event: Callable[[str, str, str, str], object] | None = None,
                 on_error: OnError = "continue", finish_messages: bool = True,
                 text: str | None = None, codec: _affix.Codec | None = None,
                 **keywords: Setting) -> None:
        if keywords and not self._kind:
            raise ConfigurationError("keyword arguments are for ThreadedInitiator and ThreadedAcceptor, which have one "
                                     "session")
        super().__init__()
        self._on_error = checked(on_error)
        self._configuration = configuration_of(self._kind, configuration, text, keywords)
        self._codec = _PLAIN if codec is None else codec
        self._codecs: dict[str, _affix.Codec] = {}
        self._on_message = on_message
        self._on_logon = on_logon
        self._on_logout = on_logout
        self._on_cancel_orders = on_cancel_orders
        self._on_failover = on_failover
        self._on_event = on_event
        self._finishing = _affix.Finishing.AFTER_CALLBACK if finish_messages else _affix.Finishing.BY_PROGRAM
        self._engine: _affix.ThreadedEngine | None = None
        self._closing = threading.Lock()
        self._changed = threading.Condition()  # Of everything that somebody may wait for.
        self._over = True
        self._tokens = itertools.count(1)
        self._posted: dict[int, Future[int]] = {}
        self._results = 0
        self._waits_for_results = 0

    # --- Opening and closing ---

    def start(self) -> None:
        """Opens the engine and starts its threads, as `with` does."""
        if self._engine is not None:
            raise ClosedError("the engine is open")
        self._codecs = codecs_of(self._configuration)
        engine = _affix.ThreadedEngine(self._configuration, self, self._on_message, self._finishing)
        self._engine = engine
        self._over = False
        try:
            for name in engine.session_names:
                self._add(name)
            # Threads that call Python must have ended before the interpreter does.
            atexit.register(self.close)
            abandon_in_children(self)
            engine.start()
        except BaseException:
            engine.close()
            self._forget()
            raise

    def __enter__(self) -> Any:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def stop(self) -> None:
        """Begins to log everybody out. In any thread, callbacks included; wait() and close() wait for the end."""
        self._live.stop()

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until the engine has ended, as after stop(); Ctrl-C interrupts it. False: it has not in that time."""
        return self._engine is None or self._wait_until(lambda: self._over, timeout, until_over=True)

    def close(self) -> None:
        """Logs everybody out, waits up to `shutdown_timeout_seconds` for the peers, and closes everything.

        Not in callbacks. A program that ends without it closes its engines at its end.
        """
        engine = self._engine
        if engine is None:
            return
        if engine.calls_here:
            raise WrongThreadError("a callback cannot wait for the engine's end: call stop()")
        with contextlib.suppress(ClosedError):  # Another thread may close it meanwhile.
            engine.stop()
        self.wait()
        with self._closing:
            if self._engine is not None:
                self._engine.close()
                self._forget()

    def _forget(self) -> None:
        self._engine = None
        self._over = True
        atexit.unregister(self.close)
        is_closed(self)

    def _abandon(self) -> None:
        if self._engine is not None:
            self._engine.abandon()
        self._engine = None
        self._over = True

    @property
    def is_open(self) -> bool:
        """True from the start to the end of the engine's threads."""
        return self._engine is not None and not self._over

    @property
    def _live(self) -> _affix.ThreadedEngine:
        if self._engine is None or self._over:
            raise ClosedError("the engine is closed")
        return self._engine

    # --- Waiting, and commands of any thread ---

    def _wait_until(self, holds: Callable[[], bool], timeout: float | None, *, until_over: bool = False) -> bool:
        """False: it does not hold in time. Raises ClosedError if the engine ends before, unless that is waited for."""
        if self._engine is not None and self._engine.calls_here:
            raise WrongThreadError("a callback must not wait: its worker would")
        end = time.monotonic() + (math.inf if timeout is None else timeout)
        with self._changed:
            while not (held := self._changed.wait_for(lambda: holds() or self._over,
                                                      max(min(end - time.monotonic(), LOOK_SECONDS), 0))):
                if time.monotonic() >= end:
                    break
        if self._over and not until_over:
            raise ClosedError("the engine is closed")
        return held

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _hand_over(self, session: ThreadedSession, give: Callable[[], HandOver]) -> None:
        """Gives a worker something by its queue, and waits for room in it."""
        while True:
            live = self._live
            results = self._results
            handed = give()
            if handed == HandOver.QUEUED:
                return
            if handed != HandOver.FULL or live.calls_here:
                raise refusal(session.name, _REFUSALS[handed], f"the queue to its worker: {handed.name}")
            with self._changed:
                self._waits_for_results += 1
            try:
                # Commands have no results: for them it looks again after a while.
                self._wait_until(lambda: self._results != results, 0.01)
            finally:
                with self._changed:
                    self._waits_for_results -= 1

    def _post(self, session: ThreadedSession, type: str, body: bytes) -> Future[int]:
        future: Future[int] = Future()
        future.set_running_or_notify_cancel()  # What is handed over cannot be taken back.
        token = next(self._tokens)
        self._posted[token] = future
        try:
            self._hand_over(session, lambda: session._port.post(type, body, token))
        except BaseException:
            self._posted.pop(token, None)
            raise
        return future

    # --- What the engine's threads call ---

    def _add(self, name: str) -> None:
        self._sessions[name] = ThreadedSession(self, name, self._codecs.get(name, self._codec))

    def _failed(self, session: ThreadedSession | None, failure: BaseException) -> None:
        log_failure(session, failure, self._on_error)
        if session is not None and self._on_error == "logout" and self.is_open:
            session.logout(LOGOUT_TEXT)

    def _ended(self) -> None:
        self._over = True
        for session in self._sessions.values():
            session._logged_on = False
        posted, self._posted = self._posted, {}
        for future in posted.values():
            future.set_exception(ClosedError("the engine has ended before it sent the message"))
        self._notify()

    def _happened(self, kind: str, name: str, *facts: Any) -> None:
        session = self._sessions.get(name)
        if kind == "posted":
            self._note_result(name, *facts)
        elif kind == "event":
            self._note_event(session, name, *facts)
        elif kind == "failover":
            if self._on_failover is not None:
                self._on_failover(FailoverNotice(FailoverKind(facts[0]), name, facts[1]))
        elif kind == "added":
            self._add(name)
        elif session is None:
            return
        elif kind == "logon":
            session._logged_on = True
            self._notify()
            if self._on_logon is not None:
                self._on_logon(session)
        elif kind == "logout":
            session._logged_on = False
            session._rooms += 1
            session._last_event = facts[0]
            self._notify()
            if self._on_logout is not None:
                self._on_logout(session, facts[0])
        elif kind == "room":
            session._rooms += 1
            self._notify()
        elif kind == "cancel_orders":
            if self._on_cancel_orders is not None:
                self._on_cancel_orders(session)
        elif kind == "removed":
            del self._sessions[name]
            if self._engine is not None:
                self._engine.detach(name)

    def _note_result(self, name: str, token: int, status: int, text: str, sequence: int) -> None:
        self._results += 1
        if self._waits_for_results:
            self._notify()
        future = self._posted.pop(token, None)
        if future is None:
            return
        if status > SendStatus.QUEUED:
            future.set_exception(refusal(name, status, text))
        else:
            future.set_result(sequence)

    def _note_event(self, session: ThreadedSession | None, name: str, text: str, severity: str, code: str) -> None:
        if session is not None and severity != "debug":
            session._last_event = text
        log_event(severity, name, text, code)
        if self._on_event is not None:
            self._on_event(severity, name, text, code)


class ThreadedInitiator(ThreadedEngine):
    """One session that connects: `with affix.ThreadedInitiator(..., on_message=take) as session`."""

    _kind = "client"

    def __enter__(self) -> ThreadedSession:
        if len(self._configuration.sessions) != 1:
            raise ConfigurationError("a ThreadedInitiator has one session; affix.ThreadedEngine has any number")
        self.start()
        return next(iter(self._sessions.values()))


class ThreadedAcceptor(ThreadedEngine):
    """A listener and its sessions: `with affix.ThreadedAcceptor(..., on_message=take) as acceptor`."""

    _kind = "server"

    def __enter__(self) -> ThreadedAcceptor:
        self.start()
        return self
