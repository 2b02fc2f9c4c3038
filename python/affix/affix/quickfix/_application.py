# SPDX-License-Identifier: MIT
"""The base class of a program's application."""

from __future__ import annotations

import threading

from affix.quickfix._message import Message
from affix.quickfix._session_id import SessionID


class Application:
    """Callbacks, on the thread that runs the sessions; toApp() on the thread that sends."""

    def onCreate(self, sessionID: SessionID) -> None:
        """A session is there."""

    def onLogon(self, sessionID: SessionID) -> None:
        """Both sides have logged on."""

    def onLogout(self, sessionID: SessionID) -> None:
        """The session, or the attempt to log on, has ended."""

    def toAdmin(self, message: Message, sessionID: SessionID) -> None:
        """A session message is about to leave; fields may be added to its body."""

    def toApp(self, message: Message, sessionID: SessionID) -> None:
        """An application message is about to leave. Raise DoNotSend to keep it back."""

    def fromAdmin(self, message: Message, sessionID: SessionID) -> None:
        """A session message has come. Raise RejectLogon to refuse a Logon."""

    def fromApp(self, message: Message, sessionID: SessionID) -> None:
        """An application message has come. FieldNotFound, IncorrectTagValue, IncorrectDataFormat and
        UnsupportedMessageType reject it.
        """


class NullApplication(Application):
    """Does nothing."""


class SynchronizedApplication(Application):
    """Passes each callback on. Callbacks of one endpoint never run at the same time; those of several do not either."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._lock = threading.RLock()

    def app(self) -> Application:
        return self._app

    def onCreate(self, sessionID: SessionID) -> None:
        with self._lock:
            self._app.onCreate(sessionID)

    def onLogon(self, sessionID: SessionID) -> None:
        with self._lock:
            self._app.onLogon(sessionID)

    def onLogout(self, sessionID: SessionID) -> None:
        with self._lock:
            self._app.onLogout(sessionID)

    def toAdmin(self, message: Message, sessionID: SessionID) -> None:
        with self._lock:
            self._app.toAdmin(message, sessionID)

    def toApp(self, message: Message, sessionID: SessionID) -> None:
        with self._lock:
            self._app.toApp(message, sessionID)

    def fromAdmin(self, message: Message, sessionID: SessionID) -> None:
        with self._lock:
            self._app.fromAdmin(message, sessionID)

    def fromApp(self, message: Message, sessionID: SessionID) -> None:
        with self._lock:
            self._app.fromApp(message, sessionID)
