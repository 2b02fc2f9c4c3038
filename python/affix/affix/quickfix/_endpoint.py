# SPDX-License-Identifier: MIT
"""Initiators and acceptors: an engine of affix, and the thread that runs it.

One lock is held while the engine works, by its thread in a turn and by others for a command; callbacks about what has
come are called without it. toApp(), toAdmin() and what they call run with it, as in QuickFIX.
"""

from __future__ import annotations

import atexit
import logging
import select
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar

from affix import _affix
from affix._codec import _PLAIN, dictionary_of_file
from affix._hosting import LOOK_SECONDS, ROOM_FOLLOWS, log_event
from affix.errors import AffixError
from affix.quickfix._application import Application
from affix.quickfix._dictionary import DataDictionary
from affix.quickfix._errors import ConfigError
from affix.quickfix._logs import Log, LogFactory
from affix.quickfix._session import Session, register, unregister
from affix.quickfix._session_id import SessionID
from affix.quickfix._settings import Dictionary, SessionSettings
from affix.quickfix._stores import MessageStoreFactory

_log = logging.getLogger("affix")

#: Seconds that peers have to answer our Logouts.
_LOGOUT_SECONDS = 10.0
# Log factories and store factories see to these settings.
_OF_LOGS = frozenset({"FILELOGPATH", "FILELOGBACKUPPATH", "SCREENLOGSHOWINCOMING", "SCREENLOGSHOWOUTGOING",
                      "SCREENLOGSHOWEVENTS"})


def _resets(settings: Dictionary) -> bool:
    return any(settings.has(name) and settings.getBool(name)
               for name in ("ResetOnLogon", "ResetOnLogout", "ResetOnDisconnect"))


_running: "weakref.WeakSet[Endpoint]" = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """A program that ends without stop() says goodbye all the same, and its threads end before Python does."""
    for endpoint in list(_running):
        endpoint.stop(True)


class _State(Enum):
    STOPPED = 0
    RUNNING = 1
    STOPPING = 2
    #: Stopping without waiting for anybody.
    LEAVING = 3


class _Hooks:
    """The engine's calls within a turn: see intercept.cpp. Does not keep the endpoint alive, which has it."""

    def __init__(self, host: Endpoint) -> None:
        self._host = weakref.proxy(host)

    def admin_out(self, name: str, written: bytes) -> bytes:
        try:
            more: bytes = self._host._by_name[name]._admin_out(written)
            return more
        except Exception:
            _log.exception("%s: toAdmin() failed; the message leaves as it is", name)
            return b""
        finally:
            if written.startswith(b"35=A\x01"):
                self._host._attempts.add(name)

    def resend(self, name: str, stored: bytes) -> bool:
        try:
            return bool(self._host._by_name[name]._may_resend(stored))
        except Exception:
            _log.exception("%s: toApp() failed; the message is sent again", name)
            return True


class Endpoint:
    """The sessions of one ConnectionType of a file of settings."""

    _role: ClassVar[str]
    _encrypted: ClassVar[bool] = False

    def __init__(self, application: Application, storeFactory: MessageStoreFactory, settings: SessionSettings,
                 logFactory: LogFactory | None = None) -> None:
        self._application = application
        self._store_factory = storeFactory
        self._settings = settings
        self._log_factory = LogFactory() if logFactory is None else logFactory
        self._lock = threading.RLock()
        self._engine: _affix.Engine | None = None
        # A hook runs within it, and gives no command.
        self._in_engine = False
        self._deferred: list[Callable[[], Any]] = []
        self._items: deque[Any] = deque()
        self._state = _State.STOPPED
        self._thread: threading.Thread | None = None
        # The thread that turns, and whether it is in callbacks.
        self._driver = 0
        self._delivering = False
        self._poller = select.poll()
        self._by_name: dict[str, Session] = {}
        # Sessions whose Logon has left and that have not logged on.
        self._attempts: set[str] = set()
        self._log = self._log_factory.create()
        self._create()

    # --- Making ---

    def _create(self) -> None:
        ids = self._settings._of_role(self._role)
        if not ids:
            raise ConfigError(f"No sessions defined for {self._role}")
        self._configuration = self._translate(ids)
        self._codecs: dict[str, _affix.Codec] = {}
        shared: dict[tuple[str, str], _affix.Codec] = {}
        registered: list[Session] = []
        try:
            for session, keys in zip(ids, self._configuration.sessions):
                files = keys["dictionary"], keys["transport_dictionary"]
                codec = _PLAIN
                if files[0]:
                    codec = shared.get(files) or dictionary_of_file(files[0], files[1] or None)
                    shared[files] = codec
                name = keys["name"]
                self._codecs[name] = codec
                made = Session(self, session, name, DataDictionary._of(codec) if files[0] else None,
                               self._log_factory.create(session), _resets(self._settings.get(session)))
                register(made)
                registered.append(made)
                self._by_name[name] = made
            self._open()
        except BaseException as fault:
            for made in registered:
                unregister(made)
            if isinstance(fault, AffixError) and not isinstance(fault, ConfigError):
                raise ConfigError(str(fault)) from None
            raise
        for made in registered:
            self._call(self._application.onCreate, made._session)

    def _translate(self, ids: list[SessionID]) -> _affix.Configuration:
        keys = self._store_factory._session_keys(self._settings)
        own = {"journal_path", "durability"} & {key for key, _ in keys}
        without = _OF_LOGS | {"FILESTOREPATH"} if own else _OF_LOGS
        text = self._settings._configuration(ids, self._encrypted, without, keys)
        try:
            return _affix.Configuration.parse(text, self._settings._name)
        except AffixError as fault:
            raise ConfigError(str(fault)) from None

    def _open(self) -> None:
        with self._lock:
            self._engine = _affix.Engine(self._configuration, self._codecs, _PLAIN, True, _Hooks(self))
            for name in self._by_name:
                self._engine.attach(name, name)
            self._poller = select.poll()
            self._poller.register(self._engine.descriptor(), select.POLLIN)

    def __del__(self) -> None:
        for session in getattr(self, "_by_name", {}).values():
            unregister(session)

    # --- For programs ---

    def start(self) -> None:
        """Runs the sessions on a thread of its own."""
        if self._begin():
            self._thread = threading.Thread(target=self._run, name=f"affix {self._role}", daemon=True)
            self._thread.start()

    def block(self) -> None:
        """Runs the sessions on the calling thread, until stop()."""
        if self._begin():
            self._run()

    def poll(self) -> bool:
        """Does what there is to do, on the calling thread. False: it has been stopped."""
        if self._state is _State.STOPPED and self._driver:
            return False
        self._begin()
        self._driver = threading.get_ident()
        self._turn()
        self._deliver()
        if self._state is _State.RUNNING:
            return True
        self._finish()
        return False

    def stop(self, force: bool = False) -> None:
        """Logs everybody out, and ends. With `force`, without waiting for the peers."""
        with self._lock:
            if self._state is not _State.RUNNING or self._engine is None:
                return
            self._state = _State.LEAVING if force else _State.STOPPING
            self._engine.wake()
            thread = self._thread
        if thread is None:
            if self._driver == threading.get_ident() and not self._delivering:
                self._finish()
        elif thread is not threading.current_thread():
            thread.join()

    def isStopped(self) -> bool:
        return self._state is _State.STOPPED

    def isLoggedOn(self) -> bool:
        """True if any session is."""
        return any(session.isLoggedOn() for session in self._by_name.values())

    def getSessions(self) -> set[SessionID]:
        return {session._session for session in self._by_name.values()}

    def getSession(self, session: SessionID) -> Any:
        return next((made for made in self._by_name.values() if made._session == session), None)

    def getSessionSettings(self, session: SessionID) -> Dictionary:
        return self._settings.get(session)

    def has(self, session: SessionID) -> bool:
        return self.getSession(session) is not None

    def getApplication(self) -> Application:
        return self._application

    def getMessageStoreFactory(self) -> MessageStoreFactory:
        return self._store_factory

    def getLog(self) -> Log:
        return self._log

    # --- Running ---

    def _begin(self) -> bool:
        with self._lock:
            if self._state is not _State.STOPPED:
                return False
            if self._engine is None:
                self._open()
            self._state = _State.RUNNING
            _running.add(self)
            return True

    def _run(self) -> None:
        self._driver = threading.get_ident()
        try:
            while self._state is _State.RUNNING:
                self._turn()
                self._deliver()
                if self._state is _State.RUNNING and not self._items:
                    self._poller.poll(LOOK_SECONDS * 1000)
        except Exception:  # Memory ran out, say: nothing was lost that the journal does not have.
            _log.exception("the engine stops")
            self._state = _State.LEAVING
        finally:
            self._finish()

    def _finish(self) -> None:
        try:
            self._log_out()
        except Exception:
            _log.exception("the engine closes without logging out")
        logged_on = [session for session in self._by_name.values() if session.isLoggedOn()]
        with self._lock:
            if self._engine is not None:
                self._engine.adopt()
                self._engine.close()
                self._engine = None
            self._state = _State.STOPPED
            self._thread = None
            _running.discard(self)
        for session in logged_on:
            session._take_logout()

    def _log_out(self) -> None:
        """Logs everybody out, and waits for the peers if there is time."""
        deadline = time.monotonic() + (0 if self._state is _State.LEAVING else _LOGOUT_SECONDS)
        self._command("finish", "")
        while True:
            self._turn()
            self._deliver()
            left = deadline - time.monotonic()
            if left <= 0 or self._is_down():
                return
            self._poller.poll(left * 1000)

    def _is_down(self) -> bool:
        with self._lock:
            if self._engine is None:
                return True
            self._engine.adopt()
            return self._engine.all_down

    def _turn(self) -> None:
        with self._lock:
            items = self._ask(None, "turn")
            if items:
                self._items.extend(items)
            for session in self._by_name.values():
                session._allowed_resends.clear()
            self._run_deferred()

    def _deliver(self) -> None:
        self._delivering = True
        try:
            while self._items:
                item = self._items.popleft()
                if isinstance(item, _affix.Message):
                    self._by_name[item.session]._take_app(item)
                else:
                    self._happened(*item)
            if self._attempts:
                self._end_attempts()
        finally:
            self._delivering = False

    def _happened(self, kind: str, name: str, value: Any, severity: str = "info", code: str = "") -> None:
        session = self._by_name.get(name)
        if kind == "event":
            log_event(severity, name, value, code)
            (self._log if session is None else session._log).onEvent(f"{value} [{code}]")
        elif session is None:
            return
        elif kind == "logon_message":
            session._take_logon(value)
        elif kind == "admin":
            session._take_admin(value)
        elif kind == "logon":
            self._attempts.discard(name)
            self._call(self._application.onLogon, session._session)
            session._send_held()
        elif kind == "logout":
            self._attempts.discard(name)
            session._take_logout()

    def _end_attempts(self) -> None:
        """A connection that ended after our Logon and before the peer's is an end for QuickFIX's programs, too."""
        for name in [name for name in self._attempts if not self._ask(False, "is_connected", name)]:
            self._attempts.discard(name)
            self._by_name[name]._take_logout()

    # --- Commands ---

    def _ask(self, otherwise: Any, command: str, *arguments: Any) -> Any:
        """The answer of the engine, or `otherwise` if it is closed. Hooks may ask for a state, and nothing else."""
        with self._lock:
            engine = self._engine
            if engine is None:
                return otherwise
            engine.adopt()
            in_hook = self._in_engine
            self._in_engine = True
            try:
                return getattr(engine, command)(*arguments)
            finally:
                self._in_engine = in_hook

    def _command(self, command: str, *arguments: Any) -> None:
        """Does it now; or, asked by a hook, when the engine has written the message that the hook is about."""
        with self._lock:
            if self._in_engine:
                self._deferred.append(lambda: self._ask(None, command, *arguments))
            else:
                self._ask(None, command, *arguments)
                self._run_deferred()

    def _run_deferred(self) -> None:
        """Does what hooks have asked for."""
        while self._deferred:
            self._deferred.pop(0)()

    def _send(self, name: str, kind: str, header: list[tuple[int, bytes]],
              body: bytes) -> tuple[tuple[int, str, int], bytes] | None:
        """Sends; while the peer reads too slowly, waits for it. None: the engine is closed."""
        while True:
            sent: tuple[tuple[int, str, int], bytes] | None
            sent = self._ask(None, "send_with_header", name, kind, header, body)
            if sent is None or sent[0][0] not in ROOM_FOLLOWS:
                return sent
            self._turn()
            # Until the transport takes more, or a limit on the rate has passed.
            room = select.poll()
            room.register(self._ask(-1, "descriptor"), select.POLLIN)
            room.poll(10)
            # The thread that delivers waits for the descriptor, which this turn may have taken from it.
            self._ask(None, "wake")

    @staticmethod
    def _call(callback: Callable[..., None], *arguments: Any) -> None:
        try:
            callback(*arguments)
        except Exception:
            _log.exception("a callback failed; the sessions go on")


class Initiator(Endpoint):
    """Sessions that connect."""

    _role = "initiator"


class Acceptor(Endpoint):
    """Sessions that listen."""

    _role = "acceptor"


class SocketInitiator(Initiator):
    """Over TCP."""


class SocketAcceptor(Acceptor):
    """Over TCP."""


class ThreadedSocketInitiator(Initiator):
    """As SocketInitiator: one thread runs all sessions."""


class ThreadedSocketAcceptor(Acceptor):
    """As SocketAcceptor: one thread runs all sessions."""


class SSLSocketInitiator(Initiator):
    """Over TLS."""

    _encrypted = True


class SSLSocketAcceptor(Acceptor):
    """Over TLS."""

    _encrypted = True


class ThreadedSSLSocketInitiator(SSLSocketInitiator):
    """As SSLSocketInitiator."""


class ThreadedSSLSocketAcceptor(SSLSocketAcceptor):
    """As SSLSocketAcceptor."""
