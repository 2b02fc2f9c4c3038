# SPDX-License-Identifier: MIT
"""QuickFIX's exceptions: what its functions raise, and what a program's callbacks raise."""

from __future__ import annotations

from affix.errors import AffixError


class FIXException(AffixError):
    """Anything of these. `type` says what it is, `detail` what happened."""

    _type = "FIX Exception"

    def __init__(self, type: str = "", detail: str = "") -> None:
        self.type = type
        self.detail = detail
        super().__init__(f"{type}: {detail}" if detail else type)

    def __str__(self) -> str:
        return f"{self.type}: {self.detail}" if self.detail else self.type


class _Plain(FIXException):
    """One that has a detail only."""

    def __init__(self, what: str = "") -> None:
        super().__init__(self._type, what)


class _OfField(FIXException):
    """One about a field, which is named by its tag."""

    def __init__(self, field: int = 0, what: str = "") -> None:
        self.field = field
        super().__init__(f"{self._type}: {field}", what)


class _OfStructure(_OfField):
    """One about a field, whose text does not name it."""

    def __init__(self, field: int = 0, what: str = "") -> None:
        super().__init__(field, what)
        self.type = self._type


class DataDictionaryNotFound(FIXException):
    def __init__(self, version: str = "", what: str = "") -> None:
        self.version = version
        super().__init__("Could not find data dictionary", what)


class FieldNotFound(_OfField):
    _type = "Field not found"


class FieldConvertError(_Plain):
    _type = "Could not convert field"


class MessageParseError(_Plain):
    _type = "Could not parse message"


class InvalidMessage(_Plain):
    _type = "Invalid message"


class ConfigError(_Plain):
    _type = "Configuration failed"


class RuntimeError(_Plain):
    _type = "Runtime error"


class InvalidTagNumber(_OfField):
    _type = "Invalid tag number"


class RequiredTagMissing(_OfField):
    _type = "Required tag missing"


class TagNotDefinedForMessage(_OfField):
    _type = "Tag not defined for this message type"


class NoTagValue(_OfField):
    _type = "Tag specified without a value"


class IncorrectTagValue(_OfField):
    _type = "Value is incorrect (out of range) for this tag"


class IncorrectDataFormat(_OfField):
    _type = "Incorrect data format for value with tag"


class IncorrectMessageStructure(_Plain):
    _type = "Incorrect message structure"


class DuplicateFieldNumber(_Plain):
    _type = "Duplicate field number"


class InvalidMessageType(_Plain):
    _type = "Invalid Message Type"


class UnsupportedMessageType(_Plain):
    _type = "Unsupported Message Type"


class UnsupportedVersion(_Plain):
    _type = "Unsupported Version"


class TagOutOfOrder(_OfStructure):
    _type = "Tag specified out of required order"


class RepeatedTag(_OfStructure):
    _type = "Repeated tag not part of repeating group"


class RepeatingGroupCountMismatch(_OfStructure):
    _type = "Repeating group count mismatch"


class DoNotSend(_Plain):
    """Raised in toApp(): the message is not sent."""

    _type = "Do Not Send Message"


class RejectLogon(_Plain):
    """Raised in fromAdmin() about a Logon: it is refused, with this text."""

    _type = "Rejected Logon Attempt"


class SessionNotFound(_Plain):
    _type = "Session Not Found"


class IOException(_Plain):
    _type = "IO Error"


class SocketException(_Plain):
    _type = "Socket Error"
