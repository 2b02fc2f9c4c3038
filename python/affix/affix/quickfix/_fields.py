# SPDX-License-Identifier: MIT
"""Fields: a tag and a text, with one class for each kind of value. Classes with names, such as Symbol, are made of
these: see _names.py.
"""

from __future__ import annotations

import decimal
from functools import total_ordering
from typing import Any, ClassVar

from affix.quickfix._errors import IncorrectDataFormat
from affix.quickfix._times import DateTime, UtcDate, UtcTimeOnly, UtcTimeStamp, now_text

SOH = "\x01"


class FieldBase:
    """Any field. A class with a name has its tag, and is made of a value alone."""

    _tag_of_class: ClassVar[int] = 0

    def __init__(self, *arguments: Any) -> None:
        tag = self._tag_of_class
        if tag == 0:
            tag, arguments = arguments[0], arguments[1:]
        self._tag = tag
        self._text = ""
        if arguments and arguments[0] is not None:
            self._text = self._text_of(*arguments)
        elif type(self)._made_now:
            self._text = self._text_of(*self._made_now, *arguments[1:])

    #: What a field without a value is made of.
    _made_now: ClassVar[tuple[Any, ...]] = ()

    def _text_of(self, value: Any, *form: Any) -> str:
        return str(value)

    def setTag(self, tag: int) -> None:
        self._tag = tag

    def getTag(self) -> int:
        return self._tag

    def getField(self) -> int:
        return self._tag

    def setField(self, tag: int) -> None:
        self._tag = tag

    def getString(self) -> str:
        return self._text

    def setString(self, text: str) -> None:
        self._text = text

    def getFixString(self) -> str:
        return f"{self._tag}={self._text}{SOH}"

    def getLength(self) -> int:
        return len(self.getFixString().encode("utf-8", "surrogateescape"))

    def getTotal(self) -> int:
        """The sum of its bytes, for CheckSum."""
        return sum(self.getFixString().encode("utf-8", "surrogateescape"))

    def setValue(self, value: Any) -> None:
        self._text = self._text_of(value)

    def __str__(self) -> str:
        return self.getFixString()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._tag}={self._text}>"

    def _wrong(self) -> IncorrectDataFormat:
        return IncorrectDataFormat(self._tag, self._text)


@total_ordering
class StringField(FieldBase):
    """Text."""

    def getValue(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return self._text == (other._text if isinstance(other, FieldBase) else other)

    def __lt__(self, other: StringField | str) -> bool:
        return self._text < (other._text if isinstance(other, FieldBase) else other)

    def __hash__(self) -> int:
        return hash(self._text)


class CharField(FieldBase):
    """One character."""

    def getValue(self) -> str:
        if len(self._text) != 1:
            raise self._wrong()
        return self._text


class DoubleField(FieldBase):
    """A number with digits after the point: a float, or a Decimal or its text, which stay exact."""

    def _text_of(self, value: Any, padding: int = 0, *form: Any) -> str:
        if type(value) is int and not padding:
            return str(value)
        # A float has 15 digits at most that mean something.
        number = decimal.Decimal(f"{value:.15g}" if isinstance(value, float) else str(value))
        if not number.is_finite():
            raise IncorrectDataFormat(self._tag, str(value))
        text = f"{number:f}"
        if padding:
            whole, _, fraction = text.partition(".")
            text = f"{whole}.{fraction.ljust(padding, '0')}"
        return text

    def setValue(self, value: Any, padding: int = 0) -> None:
        self._text = self._text_of(value, padding)

    def getValue(self) -> float:
        try:
            return float(self._text)
        except ValueError:
            raise self._wrong() from None


class IntField(FieldBase):
    """A whole number."""

    def _text_of(self, value: Any, *_: Any) -> str:
        return str(int(value))

    def getValue(self) -> int:
        text = self._text
        if not (text[1:] if text.startswith("-") else text).isdecimal():
            raise self._wrong()
        return int(text)


class Int64Field(IntField):
    """A whole number of 64 bits."""


class UInt64Field(IntField):
    """A natural number of 64 bits."""


class BoolField(FieldBase):
    """Y or N."""

    def _text_of(self, value: Any, *_: Any) -> str:
        return "Y" if value else "N"

    def getValue(self) -> bool:
        if self._text not in ("Y", "N"):
            raise self._wrong()
        return self._text == "Y"

    def __bool__(self) -> bool:
        return self.getValue()


class CheckSumField(FieldBase):
    """Three digits."""

    def _text_of(self, value: Any, *_: Any) -> str:
        return f"{int(value):03}"

    def getValue(self) -> int:
        if not self._text.isdecimal():
            raise self._wrong()
        return int(self._text)


class _TimeField(FieldBase):
    _kind: ClassVar[type[DateTime]] = DateTime

    def getValue(self) -> Any:
        try:
            value = self._kind.__new__(self._kind)
            DateTime.__init__(value, *DateTime._read(self._text))
        except ValueError:
            raise self._wrong() from None
        return value


def _precision_of(form: tuple[Any, ...]) -> int:
    """Digits of the second."""
    return int(form[0]) if form else 0


class UtcTimeStampField(_TimeField):
    """A date and a time of day in UTC; without a value, now, in seconds."""

    _kind = UtcTimeStamp
    _made_now = (None,)

    def _text_of(self, value: Any, *form: Any) -> str:
        if isinstance(value, str):
            return value
        if value is None or isinstance(value, int):  # Its digits, and no time.
            return now_text(value or 0)
        return f"{value._date_text()}-{value._time_text(_precision_of(form))}"


class UtcTimeOnlyField(_TimeField):
    """A time of day in UTC; without a value, now, in seconds."""

    _kind = UtcTimeOnly
    _made_now = (None,)

    def _text_of(self, value: Any, *form: Any) -> str:
        if isinstance(value, str):
            return value
        return str((UtcTimeOnly() if value is None else value)._time_text(_precision_of(form)))


class UtcDateField(_TimeField):
    """A date in UTC; without a value, today."""

    _kind = UtcDate
    _made_now = (None,)

    def _text_of(self, value: Any, *_: Any) -> str:
        return value if isinstance(value, str) else str((UtcDate() if value is None else value)._date_text())
