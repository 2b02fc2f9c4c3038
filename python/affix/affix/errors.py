# SPDX-License-Identifier: MIT
"""Exceptions of affix. Every one is an AffixError."""

from __future__ import annotations


class AffixError(Exception):
    """Anything that affix raises."""


class ParseError(AffixError, ValueError):
    """Bytes are no whole, correct message. `offset`: where the fault is."""

    offset: int = 0


class FieldError(AffixError, ValueError):
    """A field does not have the form that was asked for. `field`: its tag or name."""

    field: int | str = 0


class MissingFieldError(AffixError, KeyError):
    """The message has no such field. `field`: its tag or name."""

    field: int | str = 0

    def __str__(self) -> str:
        return f"the message has no field {self.args[0]}" if self.args else "the message has no such field"


class UnknownNameError(AffixError, KeyError):
    """The dictionary does not know a name, or there is no dictionary."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else "unknown name"


class EncodeError(AffixError, ValueError):
    """A message cannot be encoded. `tag`: the field at fault, or None."""

    tag: int | None = None


class ExpiredError(AffixError, RuntimeError):
    """The bytes that a message viewed are gone."""


class DictionaryError(AffixError, ValueError):
    """A dictionary cannot be read."""


class LogError(AffixError, OSError):
    """A journal or log cannot be read."""


class ConfigurationError(AffixError, ValueError):
    """An engine cannot be opened with this configuration. `problems`: every one, a sentence each."""

    problems: list[str] = []


class ClosedError(AffixError, RuntimeError):
    """The engine or the session is closed."""


class WrongThreadError(AffixError, RuntimeError):
    """An engine is used on a thread that is not its loop's."""


class LogonError(AffixError, ConnectionError):
    """A session has not logged on in time, or was refused."""


class SendError(AffixError, RuntimeError):
    """A message was refused: no number was taken, and nothing is sent. `status`: a SendStatus."""

    status: int = 0
