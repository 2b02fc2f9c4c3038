# SPDX-License-Identifier: MIT
"""Field classes and constants with QuickFIX's names, made from the dictionaries when a program asks for one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from affix import _affix
from affix._codec import _path_of
from affix.quickfix import _fields

# A name is looked for in these in turn, so that it means the same whatever else a program uses. QuickFIX's own names
# and types are those of the newest version; the others have what it dropped.
_DICTIONARIES = ("FIX.Latest", "FIXT.1.1", "FIX.5.0SP2", "FIX.5.0SP1", "FIX.5.0", "FIX.4.4", "FIX.4.3", "FIX.4.2",
                 "FIX.4.1", "FIX.4.0")

_KINDS: Mapping[str, type[_fields.FieldBase]] = {
    "CHAR": _fields.CharField, "INT": _fields.IntField, "LENGTH": _fields.IntField, "SEQNUM": _fields.IntField,
    "NUMINGROUP": _fields.IntField, "TAGNUM": _fields.IntField, "FLOAT": _fields.DoubleField,
    "PRICE": _fields.DoubleField, "PRICEOFFSET": _fields.DoubleField, "QTY": _fields.DoubleField,
    "AMT": _fields.DoubleField, "PERCENTAGE": _fields.DoubleField, "BOOLEAN": _fields.BoolField,
    "UTCTIMESTAMP": _fields.UtcTimeStampField, "UTCTIMEONLY": _fields.UtcTimeOnlyField,
    "UTCDATEONLY": _fields.UtcDateField, "UTCDATE": _fields.UtcDateField,
}

_BEGIN_STRINGS = {f"FIX{digits}": f"FIX.{digits[0]}.{digits[1]}" for digits in ("40", "41", "42", "43", "44", "50")}


class Names:
    """The fields of one dictionary: by name its tag, type and values, of which capitals and marks do not count."""

    def __init__(self, version: str) -> None:
        fields, messages = _affix.dictionary_names(_path_of(version))
        self.fields = {name: (tag, kind, values) for tag, name, kind, values in fields}
        self.message_names = [name for name, _ in messages]
        self.messages = {plain(name): type for name, type in messages}
        self._values: dict[str, dict[str, str]] = {}

    def value(self, field: str, name: str) -> str | None:
        """The code of a value, such as BUY of Side."""
        if field not in self.fields:
            return None
        values = self._values.get(field)
        if values is None:
            values = self._values[field] = {plain(name): code for code, name in self.fields[field][2]}
        return values.get(name)


def plain(name: str) -> str:
    """A name without marks and capitals."""
    return re.sub(r"\W|_", "", name).upper()


@cache
def names_of(version: str) -> Names:
    return Names(version)


@cache
def field_class(name: str) -> type[_fields.FieldBase]:
    """The class of a field, such as Symbol. Raises AttributeError."""
    for version in _DICTIONARIES:
        found = names_of(version).fields.get(name)
        if found is not None:
            tag, kind, _ = found
            base = _fields.CheckSumField if tag == 10 else _KINDS.get(kind.upper(), _fields.StringField)
            return type(name, (base,), {"_tag_of_class": tag, "tag": tag, "__module__": "affix.quickfix",
                                        "__doc__": f"{name} ({tag})."})
    raise AttributeError(f"no dictionary has a field {name}")


@cache
def constant(name: str) -> Any:
    """The value of a constant, such as Side_BUY or MsgType_NewOrderSingle. Raises AttributeError."""
    field, _, value = name.partition("_")
    wanted = plain(value)
    if wanted in ("YES", "NO") and issubclass(field_class(field), _fields.BoolField):
        return wanted[0]
    if field == "BeginString":
        return "FIXT.1.1" if value == "FIXT11" else _BEGIN_STRINGS[value]
    for version in _DICTIONARIES:
        names = names_of(version)
        code = names.messages.get(wanted) if field == "MsgType" else names.value(field, wanted)
        if code is not None:
            # Older versions have letters for some fields that are numbers now.
            return int(code) if issubclass(field_class(field), _fields.IntField) and code.isdecimal() else code
    raise AttributeError(f"no dictionary has a value {value} of {field}")


@cache
def _settings() -> dict[str, str]:
    return {plain(name): name for name in _affix.quickfix_setting_names()}


def named(name: str) -> Any:
    """A class, or a constant: of a field, or a setting's name, such as SOCKET_ACCEPT_PORT. Raises AttributeError."""
    if name.isupper() and plain(name) in _settings():
        return _settings()[plain(name)]
    return constant(name) if "_" in name.strip("_") else field_class(name)
