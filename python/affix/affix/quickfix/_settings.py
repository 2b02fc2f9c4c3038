# SPDX-License-Identifier: MIT
"""Settings as QuickFIX's programs read and make them. The translation into a configuration is that of
`affix import-quickfix`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Container
from pathlib import Path
from typing import NamedTuple

from affix import _affix
from affix._codec import _path_of
from affix.quickfix._errors import ConfigError
from affix.quickfix._session_id import SessionID

_log = logging.getLogger("affix")
_DAYS = ("su", "mo", "tu", "we", "th", "fr", "sa")
_IDENTITY = ("BeginString", "SenderCompID", "TargetCompID", "SessionQualifier")


class _Setting(NamedTuple):
    name: str
    value: str
    #: Where it was read, such as "trader.cfg:12"; empty if a program made it.
    place: str = ""


class Dictionary:
    """Settings by name; capitals do not count."""

    def __init__(self, name: str = "") -> None:
        self._name = name
        self._settings: dict[str, _Setting] = {}

    def getName(self) -> str:
        return self._name

    def size(self) -> int:
        return len(self._settings)

    def has(self, key: str) -> bool:
        return key.upper() in self._settings

    def getString(self, key: str, capitalize: bool = False) -> str:
        """Raises ConfigError for a setting that is not there, as all of these."""
        setting = self._settings.get(key.upper())
        if setting is None:
            raise ConfigError(f"{key} not defined")
        return setting.value.upper() if capitalize else setting.value

    def getInt(self, key: str) -> int:
        return int(self._converted(key, int))

    def getDouble(self, key: str) -> float:
        return float(self._converted(key, float))

    def _converted(self, key: str, kind: type[int] | type[float]) -> int | float:
        text = self.getString(key)
        try:
            return kind(text)
        except ValueError:
            raise ConfigError(f"Illegal value {text} for {key}") from None

    def getBool(self, key: str) -> bool:
        text = self.getString(key)
        if text not in ("Y", "N"):
            raise ConfigError(f"Illegal value {text} for {key}")
        return text == "Y"

    def getDay(self, key: str) -> int:
        """1 is Sunday."""
        text = self.getString(key)
        if text[:2].lower() not in _DAYS:
            raise ConfigError(f"Illegal value {text} for {key}")
        return _DAYS.index(text[:2].lower()) + 1

    def setString(self, key: str, value: str) -> None:
        self._settings[key.upper()] = _Setting(key, value.strip())

    def setInt(self, key: str, value: int) -> None:
        self.setString(key, str(value))

    def setDouble(self, key: str, value: float) -> None:
        self.setString(key, f"{value:g}")

    def setBool(self, key: str, value: bool) -> None:
        self.setString(key, "Y" if value else "N")

    def setDay(self, key: str, value: int) -> None:
        self.setString(key, _DAYS[value - 1].upper())

    def merge(self, other: Dictionary) -> None:
        """Adds what is not there."""
        self._settings = {**other._settings, **self._settings}


class SessionSettings:
    """SessionSettings(path): a settings file. SessionSettings(): none yet; set() adds them."""

    def __init__(self, path: str | os.PathLike[str] | None = None, resolveEnvVars: bool = False) -> None:
        self._name = "settings"
        self._defaults = Dictionary()
        self._sessions: dict[SessionID, Dictionary] = {}
        if path is not None:
            self._name = os.fspath(path)
            try:
                text = Path(path).read_text(encoding="utf-8", errors="surrogateescape")
            except OSError:
                raise ConfigError(f"File {os.fspath(path)} not found") from None
            self._read(os.path.expandvars(text) if resolveEnvVars else text)

    def setFromString(self, text: str) -> None:
        """Reads the text of a settings file."""
        self._read(text)

    def _read(self, text: str) -> None:
        (_, defaults), sections, problems = _affix.read_quickfix_settings(text)
        if problems:
            raise ConfigError("; ".join(f"{self._name}:{line}: {problem}" for line, problem in problems))
        self._defaults = self._dictionary("DEFAULT", defaults)
        for line, settings in sections:
            self._add(self._dictionary("SESSION", settings), f"{self._name}:{line}")

    def _dictionary(self, name: str, settings: list[tuple[str, str, int]]) -> Dictionary:
        made = Dictionary(name)
        for key, value, line in settings:
            made._settings[key.upper()] = _Setting(key, value, f"{self._name}:{line}")
        return made

    def _add(self, settings: Dictionary, place: str) -> None:
        whole = self._whole(settings)
        parts = [whole.getString(name) if whole.has(name) else "" for name in _IDENTITY]
        for name, part in zip(_IDENTITY[:3], parts):
            if not part:
                raise ConfigError(f"{place}: {name} not defined")
        session = SessionID(*parts)
        if session in self._sessions:
            raise ConfigError(f"Duplicate Session {session}")
        self._sessions[session] = settings

    def _whole(self, settings: Dictionary) -> Dictionary:
        whole = Dictionary(settings.getName())
        whole.merge(settings)
        whole.merge(self._defaults)
        return whole

    def has(self, session: SessionID) -> bool:
        return session in self._sessions

    def get(self, session: SessionID | None = None) -> Dictionary:
        """The defaults, or a session's settings with them. Raises ConfigError."""
        if session is None:
            return self._whole(Dictionary("DEFAULT"))
        if session not in self._sessions:
            raise ConfigError("Session not found")
        return self._whole(self._sessions[session])

    def set(self, *arguments: SessionID | Dictionary) -> None:
        """set(defaults), or set(session, settings)."""
        settings = arguments[-1]
        assert isinstance(settings, Dictionary)
        copy = Dictionary(settings.getName())
        copy.merge(settings)
        if len(arguments) == 1:
            self._defaults = copy
            return
        session = arguments[0]
        assert isinstance(session, SessionID)
        for name, part in zip(_IDENTITY, session._parts):
            if part:
                copy.setString(name, part)
        if session in self._sessions:
            raise ConfigError(f"Duplicate Session {session}")
        self._sessions[session] = copy

    def size(self) -> int:
        return len(self._sessions)

    def getSessions(self) -> tuple[SessionID, ...]:
        return tuple(self._sessions)

    # --- Towards a configuration ---

    def _of_role(self, role: str) -> list[SessionID]:
        """Sessions of a ConnectionType, in their order."""
        found = []
        for session, settings in self._sessions.items():
            kind = self._whole(settings).getString("ConnectionType")
            if kind not in ("initiator", "acceptor"):
                raise ConfigError(f"{session}: Invalid ConnectionType {kind}")
            if kind == role:
                found.append(session)
        return found

    def _configuration(self, sessions: list[SessionID], encrypted: bool, without: Container[str],
                       session_keys: list[tuple[str, str]]) -> str:
        """The text of a configuration. Leaves settings `without` out, since others see to them; logs all else that
        cannot be carried over.
        """
        lines: list[tuple[str, str]] = []
        for settings in (self._defaults, *(self._sessions[session] for session in sessions)):
            lines.append(("[DEFAULT]" if settings is self._defaults else "[SESSION]", self._name))
            lines += [(f"{setting.name}={setting.value}", setting.place or self._name)
                      for key, setting in settings._settings.items() if key not in without]
        text, notes, problems = _affix.translate_quickfix_settings(
            "\n".join(line for line, _ in lines), self._name, os.path.dirname(_path_of("FIX.4.4")), encrypted,
            session_keys)
        if problems:
            raise ConfigError("; ".join(f"{lines[line - 1][1]}: {problem}" for line, problem in problems))
        for kind, line, setting, note in notes:
            # A default for sessions of the other role is nobody's fault.
            idle = kind == "left" and note.endswith("[Q103]")
            level = logging.DEBUG if idle else logging.INFO if kind == "differs" else logging.WARNING
            _log.log(level, "%s: %s%s", lines[line - 1][1], f"{setting}: " if setting else "", note)
        return text
