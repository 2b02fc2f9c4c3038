# SPDX-License-Identifier: MIT
"""QuickFIX's dates and times, in UTC, with nanoseconds."""

from __future__ import annotations

import datetime
import re
import time
from functools import total_ordering

_FORM = re.compile(r"(?:(\d{4})(\d\d)(\d\d))?-?(?:(\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?)?")
_FIRST_DAY = datetime.date(1970, 1, 1)


@total_ordering
class DateTime:
    """A date and a time of day."""

    def __init__(self, date: datetime.date, seconds: int, nanosecond: int = 0) -> None:
        self._date = date
        self._seconds = seconds
        self._nanosecond = nanosecond

    @classmethod
    def _read(cls, text: str) -> tuple[datetime.date, int, int]:
        """Raises ValueError for another text."""
        parts = _FORM.fullmatch(text)
        if parts is None:
            raise ValueError(text)
        year, month, day, hour, minute, second, fraction = parts.groups()
        date = datetime.date(int(year), int(month), int(day)) if year else _FIRST_DAY
        seconds = int(hour) * 3600 + int(minute) * 60 + int(second) if hour else 0
        return date, seconds, int((fraction or "").ljust(9, "0")[:9])

    @staticmethod
    def _now() -> tuple[datetime.date, int, int]:
        seconds, nanosecond = divmod(time.time_ns(), 1_000_000_000)
        days, rest = divmod(seconds, 86_400)
        return _FIRST_DAY + datetime.timedelta(days), rest, nanosecond

    @classmethod
    def nowUtc(cls) -> DateTime:
        return DateTime(*cls._now())

    def getYear(self) -> int:
        return self._date.year

    def getMonth(self) -> int:
        return self._date.month

    def getDay(self) -> int:
        return self._date.day

    def getHour(self) -> int:
        return self._seconds // 3600

    def getMinute(self) -> int:
        return self._seconds // 60 % 60

    def getSecond(self) -> int:
        return self._seconds % 60

    def getMillisecond(self) -> int:
        return self._nanosecond // 1_000_000

    def getMicrosecond(self) -> int:
        return self._nanosecond // 1000

    def getNanosecond(self) -> int:
        return self._nanosecond

    def getFraction(self, precision: int) -> int:
        """The fraction of the second in units of that many digits."""
        return int(self._nanosecond // 10 ** (9 - precision))

    def getWeekDay(self) -> int:
        """1 is Sunday."""
        return self._date.isoweekday() % 7 + 1

    def getTimeT(self) -> int:
        """Seconds since 1970."""
        return (self._date - _FIRST_DAY).days * 86_400 + self._seconds

    def setYMD(self, year: int, month: int, day: int) -> None:
        self._date = datetime.date(year, month, day)

    def setHMS(self, hour: int, minute: int, second: int, fraction: int = 0, precision: int = 3) -> None:
        self._seconds = hour * 3600 + minute * 60 + second
        self._nanosecond = int(fraction * 10 ** (9 - precision))

    def setCurrent(self) -> None:
        self._date, self._seconds, self._nanosecond = self._now()

    def _key(self) -> tuple[int, int]:
        return self.getTimeT(), self._nanosecond

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DateTime) and self._key() == other._key()

    def __lt__(self, other: DateTime) -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __sub__(self, other: DateTime) -> int:
        """Seconds between the two."""
        return self.getTimeT() - other.getTimeT()

    def __iadd__(self, seconds: int) -> DateTime:
        days, self._seconds = divmod(self._seconds + seconds, 86_400)
        self._date += datetime.timedelta(days)
        return self

    def _date_text(self) -> str:
        return self._date.strftime("%Y%m%d")

    def _time_text(self, precision: int) -> str:
        text = f"{self.getHour():02}:{self.getMinute():02}:{self.getSecond():02}"
        return f"{text}.{self.getFraction(precision):0{precision}}" if precision else text


def now_text(digits: int) -> str:
    """The present time as in SendingTime (52), with that many digits of a second."""
    seconds, nanosecond = divmod(time.time_ns(), 1_000_000_000)
    text = time.strftime("%Y%m%d-%H:%M:%S", time.gmtime(seconds))
    return f"{text}.{nanosecond // 10 ** (9 - digits):0{digits}}" if digits else text


class UtcTimeStamp(DateTime):
    """UtcTimeStamp(): now. UtcTimeStamp(hour, minute, second, [millisecond,] day, month, year)."""

    def __init__(self, *parts: int) -> None:
        if not parts:
            super().__init__(*self._now())
            return
        *time_of_day, day, month, year = parts
        hour, minute, second, *fraction = time_of_day
        super().__init__(datetime.date(year, month, day), hour * 3600 + minute * 60 + second,
                         (fraction[0] if fraction else 0) * 1_000_000)

    @classmethod
    def now(cls) -> UtcTimeStamp:
        return cls()


class UtcTimeOnly(DateTime):
    """UtcTimeOnly(): now. UtcTimeOnly(hour, minute, second, [millisecond])."""

    def __init__(self, *parts: int) -> None:
        if not parts:
            _, seconds, nanosecond = self._now()
            super().__init__(_FIRST_DAY, seconds, nanosecond)
            return
        hour, minute, second, *fraction = parts
        super().__init__(_FIRST_DAY, hour * 3600 + minute * 60 + second, (fraction[0] if fraction else 0) * 1_000_000)


class UtcDate(DateTime):
    """UtcDate(): today. UtcDate(day, month, year)."""

    def __init__(self, *parts: int) -> None:
        day, month, year = parts or (0, 0, 0)
        super().__init__(datetime.date(year, month, day) if parts else self._now()[0], 0)
