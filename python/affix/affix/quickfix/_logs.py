# SPDX-License-Identifier: MIT
"""Logs as QuickFIX's programs have them: messages and events of each session, on the screen or in files."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from affix.quickfix._errors import ConfigError
from affix.quickfix._session_id import SessionID
from affix.quickfix._settings import SessionSettings
from affix.quickfix._times import now_text


class Log:
    """The interface of a log. A program may have one of its own, by a LogFactory of its own."""

    def clear(self) -> None:
        """Forgets all."""

    def backup(self) -> None:
        """Puts the present files aside."""

    def onIncoming(self, text: str) -> None:
        """A message has come."""

    def onOutgoing(self, text: str) -> None:
        """A message leaves."""

    def onEvent(self, text: str) -> None:
        """Something has happened."""


NullLog = Log


class LogFactory:
    """Makes the log of each session: create(sessionID), and create() for what no session is about."""

    def create(self, *arguments: Any) -> Log:
        return Log()

    def destroy(self, log: Log) -> None:
        """The session is gone."""


class ScreenLog(Log):
    """Prints."""

    _lock = threading.Lock()

    def __init__(self, name: str, incoming: bool = True, outgoing: bool = True, events: bool = True) -> None:
        self._name = name
        self._shown = {"incoming": incoming, "outgoing": outgoing, "event": events}

    def _print(self, kind: str, text: str) -> None:
        if self._shown[kind]:
            with self._lock:
                print(f"<{now_text(9)}, {self._name}, {kind}>\n  ({text})", flush=True)

    def onIncoming(self, text: str) -> None:
        self._print("incoming", text)

    def onOutgoing(self, text: str) -> None:
        self._print("outgoing", text)

    def onEvent(self, text: str) -> None:
        self._print("event", text)


class ScreenLogFactory(LogFactory):
    """ScreenLogFactory(settings), or ScreenLogFactory(incoming, outgoing, events)."""

    def __init__(self, *arguments: Any) -> None:
        self._settings = arguments[0] if arguments and isinstance(arguments[0], SessionSettings) else None
        self._shown = arguments if arguments and self._settings is None else (True, True, True)

    def create(self, *arguments: Any) -> Log:
        shown = list(self._shown)
        session = arguments[0] if arguments else None
        if self._settings is not None:
            settings = self._settings.get(session)
            for at, what in enumerate(("Incoming", "Outgoing", "Events")):
                if settings.has(f"ScreenLogShow{what}"):
                    shown[at] = settings.getBool(f"ScreenLogShow{what}")
        return ScreenLog("GLOBAL" if session is None else session.toString(), *shown)


class FileLog(Log):
    """Two files of a session, to which it appends: messages, and events."""

    def __init__(self, path: str | os.PathLike[str], prefix: str) -> None:
        self._paths = {kind: Path(path) / f"{prefix}.{kind}.current.log" for kind in ("messages", "event")}
        Path(path).mkdir(parents=True, exist_ok=True)
        self._open()

    def _open(self) -> None:
        self._files = {kind: open(path, "a", encoding="utf-8", errors="surrogateescape", buffering=1)
                       for kind, path in self._paths.items()}

    def _close(self) -> None:
        for file in self._files.values():
            file.close()

    def _write(self, kind: str, text: str) -> None:
        self._files[kind].write(f"{now_text(9)} : {text}\n")

    def clear(self) -> None:
        self._close()
        for path in self._paths.values():
            path.unlink()
        self._open()

    def backup(self) -> None:
        self._close()
        for path in self._paths.values():
            number = 1
            while (aside := path.with_name(path.name.replace("current", f"backup.{number}"))).exists():
                number += 1
            path.rename(aside)
        self._open()

    def onIncoming(self, text: str) -> None:
        self._write("messages", text)

    def onOutgoing(self, text: str) -> None:
        self._write("messages", text)

    def onEvent(self, text: str) -> None:
        self._write("event", text)

    def __del__(self) -> None:
        self._close()


class FileLogFactory(LogFactory):
    """FileLogFactory(settings), which have FileLogPath, or FileLogFactory(path)."""

    def __init__(self, where: SessionSettings | str | os.PathLike[str]) -> None:
        self._where = where

    def create(self, *arguments: Any) -> Log:
        session: SessionID | None = arguments[0] if arguments else None
        where = self._where.get(session) if isinstance(self._where, SessionSettings) else None
        if where is not None and not where.has("FileLogPath"):
            if session is None:
                return Log()  # Each session may name its own place.
            raise ConfigError("FileLogPath not defined")
        path = where.getString("FileLogPath") if where is not None else self._where
        parts = ["GLOBAL"] if session is None else [part for part in session._parts if part]
        assert not isinstance(path, SessionSettings)
        return FileLog(path, "-".join(parts))
