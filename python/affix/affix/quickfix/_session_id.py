# SPDX-License-Identifier: MIT
"""Which session: BeginString, both CompIDs, and a qualifier."""

from __future__ import annotations

from functools import total_ordering
from typing import Any

from affix.quickfix._errors import FIXException


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value.getString())


@total_ordering
class SessionID:
    """SessionID(begin string, sender, target[, qualifier]), as texts or as fields."""

    def __init__(self, beginString: Any = "", senderCompID: Any = "", targetCompID: Any = "",
                 sessionQualifier: str = "") -> None:
        self._parts = (_text(beginString), _text(senderCompID), _text(targetCompID), sessionQualifier)

    def _field(self, name: str, value: str) -> Any:
        from affix.quickfix._names import field_class  # Reads a dictionary.

        return field_class(name)(value)

    def getBeginString(self) -> Any:
        return self._field("BeginString", self._parts[0])

    def getSenderCompID(self) -> Any:
        return self._field("SenderCompID", self._parts[1])

    def getTargetCompID(self) -> Any:
        return self._field("TargetCompID", self._parts[2])

    def getSessionQualifier(self) -> str:
        return self._parts[3]

    def isFIXT(self) -> bool:
        return self._parts[0].startswith("FIXT")

    def toString(self) -> str:
        begin_string, sender, target, qualifier = self._parts
        return f"{begin_string}:{sender}->{target}" + (f":{qualifier}" if qualifier else "")

    toStringFrozen = toString

    def fromString(self, text: str) -> None:
        """Becomes what toString() wrote."""
        begin_string, _, rest = text.partition(":")
        sender, arrow, rest = rest.partition("->")
        target, _, qualifier = rest.partition(":")
        if not arrow:
            raise FIXException("Invalid SessionID", text)
        self._parts = (begin_string, sender, target, qualifier)

    def __invert__(self) -> SessionID:
        begin_string, sender, target, qualifier = self._parts
        return SessionID(begin_string, target, sender, qualifier)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SessionID) and self._parts == other._parts

    def __lt__(self, other: SessionID) -> bool:
        return self._parts < other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    def __str__(self) -> str:
        return self.toString()

    def __repr__(self) -> str:
        return f"<SessionID {self.toString()}>"
