# SPDX-License-Identifier: MIT
"""Dictionaries as QuickFIX's programs ask them, over those of affix."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from affix import _affix
from affix._codec import dictionary_of_file
from affix.errors import DictionaryError
from affix.quickfix import _errors

if TYPE_CHECKING:
    from affix.quickfix._message import Message


class GroupShape(NamedTuple):
    """A repeating group: its counter, the field that begins each entry, and the place of each field in an entry."""

    counter: int
    delim: int
    ranks: Mapping[int, int]
    nested: Mapping[int, GroupShape]


Shapes = Mapping[int, GroupShape]

#: Fields of header and trailer in every version.
HEADER_TAGS = frozenset({8, 9, 35, 34, 43, 49, 50, 52, 56, 57, 90, 91, 97, 115, 116, 122, 128, 129, 142, 143, 144, 145,
                         212, 213, 347, 369, 370, 627, 1128, 1129, 1156})
TRAILER_TAGS = frozenset({10, 89, 93})


def _shapes(members: list[Any]) -> dict[int, GroupShape]:
    shapes = {}
    for _, tag, _, inner in members:
        if inner:
            ranks = {member[1]: rank for rank, member in enumerate(inner)}
            shapes[tag] = GroupShape(tag, inner[0][1], ranks, _shapes(inner))
    return shapes


# The names of faults here; everything else is a fault of structure.
_FAULTS: Mapping[int, Any] = {
    0: _errors.InvalidTagNumber, 1: _errors.RequiredTagMissing, 2: _errors.TagNotDefinedForMessage,
    3: _errors.InvalidTagNumber, 4: _errors.NoTagValue, 5: _errors.IncorrectTagValue, 6: _errors.IncorrectDataFormat,
    13: _errors.RepeatedTag, 14: _errors.TagOutOfOrder, 16: _errors.RepeatingGroupCountMismatch,
}


class DataDictionary:
    """DataDictionary(path): a file of QuickFIX's form."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            self._codec: _affix.Codec = dictionary_of_file(path)
        except DictionaryError as error:
            raise _errors.ConfigError(str(error)) from None
        self._shapes_by_type: dict[str, Shapes] = {}

    @classmethod
    def _of(cls, codec: _affix.Codec) -> DataDictionary:
        made = cls.__new__(cls)
        made._codec = codec
        made._shapes_by_type = {}
        return made

    @cached_property
    def _fields(self) -> dict[int, tuple[str, str, dict[str, str]]]:
        return {tag: (name, kind, dict(values)) for tag, name, kind, values in self._codec._fields()}

    def _members(self, type: str) -> list[Any]:
        return self._codec._members(type) or []

    @cached_property
    def _header(self) -> tuple[list[Any], list[Any]]:
        return self._codec._header_and_trailer()

    # --- For messages ---

    @cached_property
    def header_tags(self) -> frozenset[int]:
        """Those of the dictionary, and those of every version."""
        return HEADER_TAGS | {member[1] for member in self._header[0]}

    @cached_property
    def trailer_tags(self) -> frozenset[int]:
        return TRAILER_TAGS | {member[1] for member in self._header[1]}

    @cached_property
    def header_shapes(self) -> Shapes:
        return _shapes(self._header[0])

    def shapes_of(self, type: str) -> Shapes:
        """Groups of the body of a message."""
        shapes = self._shapes_by_type.get(type)
        if shapes is None:
            shapes = self._shapes_by_type[type] = _shapes(self._members(type))
        return shapes

    # --- As programs ask ---

    def getVersion(self) -> str:
        return self._codec.begin_string

    def isField(self, tag: int) -> bool:
        return tag in self._fields

    def isMsgType(self, type: str) -> bool:
        return self._codec._members(type) is not None

    def isMsgField(self, type: str, tag: int) -> bool:
        return any(member[1] == tag for member in self._members(type))

    def isRequiredField(self, type: str, tag: int) -> bool:
        return any(member[1] == tag and member[2] for member in self._members(type))

    def isHeaderField(self, tag: int) -> bool:
        return any(member[1] == tag for member in self._header[0])

    def isTrailerField(self, tag: int) -> bool:
        return any(member[1] == tag for member in self._header[1])

    def isGroup(self, type: str, tag: int) -> bool:
        return tag in self.shapes_of(type)

    def hasFieldValue(self, tag: int) -> bool:
        return tag in self._fields and bool(self._fields[tag][2])

    def isFieldValue(self, tag: int, value: str) -> bool:
        return tag in self._fields and value in self._fields[tag][2]

    def isDataField(self, tag: int) -> bool:
        return tag in self._fields and self._fields[tag][1].lower() in ("data", "xmldata")

    def validate(self, message: Message) -> None:
        """Raises what is wrong with the message."""
        try:
            fault = self._codec.parse(message.toString().encode("utf-8", "surrogateescape")).validate("quickfix")
        except ValueError as error:
            raise _errors.InvalidMessage(str(error)) from None
        if fault is None:
            return
        if fault.rule == "unknown_msg_type":
            raise _errors.InvalidMessageType(fault.text)
        kind = _FAULTS.get(fault.reason)
        if kind is None:
            raise _errors.IncorrectMessageStructure(fault.text)
        raise kind(fault.tag or 0, fault.text)
