# SPDX-License-Identifier: MIT
"""A script's expectations of a message, and how a message differs from it, in field names."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from typing import Any, Union

from affix._affix import Codec, GroupEntry, Message
from affix.errors import FieldError, UnknownNameError


class Wanted(Enum):
    """Expectations that are no value."""

    ANY = "any value"


#: The field is there, with any value.
ANY = Wanted.ANY

# None: the field is absent. A function gets the field's text and returns whether it will do.
Expected = Union[str, bytes, int, bool, Decimal, datetime.datetime, "re.Pattern[str]", Wanted, None,
                 Callable[[str], object], "Sequence[Mapping[Any, Any]]"]
ExpectedFields = Mapping[Any, Expected]
_Fields = Union[Message, GroupEntry]


def named(codec: Codec, field: int | str) -> str:
    """"Price (44)"; the tag alone where no dictionary names it."""
    tag = codec.tag(field)
    name = codec.field_name(tag)
    return f"{name} ({tag})" if name else str(tag)


def known_type(codec: Codec, type: str) -> str:
    """MsgType of a name or of itself. Types of two parties' own begin with U; another long one is a name misspelt."""
    known = codec.type_of(type)
    if len(known) > 2 and not known.startswith("U") and not codec.message_name(known):
        raise UnknownNameError(f"the dictionary has no message {type!r}")
    return known


def named_type(codec: Codec, type: str) -> str:
    """"NewOrderSingle (D)"."""
    name = codec.message_name(type)
    return f"{name} ({type})" if name and name != type else type


def _shown(wanted: Expected) -> str:
    if wanted is None:
        return "no such field"
    if isinstance(wanted, Wanted):
        return str(wanted.value)
    if isinstance(wanted, re.Pattern):
        return f"text like {wanted.pattern!r}"
    if isinstance(wanted, Decimal):
        return str(wanted)
    if callable(wanted):
        return f"what {getattr(wanted, '__name__', repr(wanted))} accepts"
    return repr(wanted)


def _has(fields: _Fields, field: int | str, text: str, wanted: Expected) -> bool:
    if isinstance(wanted, Wanted):
        return True
    if isinstance(wanted, re.Pattern):
        return wanted.fullmatch(text) is not None
    try:
        if isinstance(wanted, bool):
            return fields.boolean(field) is wanted
        if isinstance(wanted, (int, Decimal)):
            return fields.decimal(field) == wanted
        if isinstance(wanted, datetime.datetime):
            return fields.utc_time(field) == wanted
    except FieldError:
        return False
    if isinstance(wanted, bytes):
        return fields.raw(field) == wanted
    return bool(wanted(text)) if callable(wanted) else text == wanted


def differences(codec: Codec, fields: _Fields, expected: ExpectedFields, place: str = "") -> list[str]:
    """One line for each field of `expected` that `fields` does not have; other fields do not matter."""
    lines: list[str] = []
    for field, wanted in expected.items():
        name = place + named(codec, field)
        text = fields.get(field, None)
        if isinstance(wanted, Sequence) and not isinstance(wanted, (str, bytes)):
            entries = fields.group(field)
            if len(entries) != len(wanted):
                lines.append(f"{name}: expected {len(wanted)} entries, got {len(entries)}")
            for number, (entry, inner) in enumerate(zip(entries, wanted), 1):
                lines += differences(codec, entry, inner, f"{name} entry {number}, ")
        elif text is None:
            if wanted is not None:
                lines.append(f"{name}: expected {_shown(wanted)}, got no such field")
        elif wanted is None or not _has(fields, field, text, wanted):
            lines.append(f"{name}: expected {_shown(wanted)}, got {_like(wanted, text)}")
    return lines


def _like(wanted: Expected, text: str) -> str:
    """A number as a number, so that both sides read alike."""
    return text if isinstance(wanted, Decimal) else repr(text)
