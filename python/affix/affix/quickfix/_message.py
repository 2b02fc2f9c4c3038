# SPDX-License-Identifier: MIT
"""Messages as QuickFIX has them: maps of fields, with header, trailer and groups of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Union

from affix._codec import _PLAIN
from affix.errors import ParseError
from affix.quickfix._dictionary import HEADER_TAGS, TRAILER_TAGS, DataDictionary, GroupShape, Shapes
from affix.quickfix._errors import FieldNotFound, InvalidMessage, MessageParseError
from affix.quickfix._fields import SOH, FieldBase
from affix.quickfix._session_id import SessionID

_ADMIN = frozenset("012345A")
# Raw data is as long as the field before it says.
_LENGTHS = {90: 91, 93: 89, 95: 96, 212: 213, 348: 349, 350: 351, 352: 353, 354: 355, 356: 357, 358: 359, 360: 361,
            362: 363, 364: 365, 445: 446, 618: 619, 621: 622}

_NO_SHAPES: Shapes = {}
_Tag = Union[int, FieldBase]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _tag_of(field: _Tag) -> int:
    return field.getTag() if isinstance(field, FieldBase) else field


def split(text: str) -> Iterator[tuple[int, str]]:
    """The fields of a text. Raises InvalidMessage."""
    data = _bytes(text)
    at, length_of, length = 0, 0, 0
    while at < len(data):
        equals = data.find(b"=", at)
        if equals < 0:
            raise InvalidMessage("Equal sign not found in field")
        digits = data[at:equals]
        if not digits.isdigit():
            raise InvalidMessage(f"Field tag is invalid: {_text(digits)}")
        tag = int(digits)
        end = equals + 1 + length if tag == length_of else data.find(b"\x01", equals)
        if end < 0 or data[end:end + 1] != b"\x01":
            raise InvalidMessage("SOH not found at end of field")
        value = data[equals + 1:end]
        length_of, length = (_LENGTHS.get(tag, 0), int(value)) if value.isdigit() else (0, 0)
        yield tag, _text(value)
        at = end + 1


class FieldMap:
    """Fields by tag, and groups by the tag of their counter."""

    def __init__(self) -> None:
        self._fields: dict[int, str] = {}
        # Of tags that came more than once, all but the first.
        self._repeated: dict[int, list[str]] = {}
        self._groups: dict[int, list[Group]] = {}

    # --- Fields ---

    def setField(self, field: _Tag, value: Any = None, overwrite: bool = True) -> None:
        """setField(field object), or setField(tag, text)."""
        tag: int
        # Programs do this more than all else: the usual types cost one comparison each.
        if type(field) is int:
            tag = field
        else:
            tag = _tag_of(field)
            if isinstance(field, FieldBase):
                value = field.getString()
        self._fields[tag] = value if isinstance(value, str) else str(value)
        if self._repeated:
            self._repeated.pop(tag, None)

    def getField(self, field: _Tag) -> Any:
        """The text of a tag; or a field object, filled. Raises FieldNotFound."""
        if type(field) is int and field in self._fields:
            return self._fields[field]
        tag = _tag_of(field)
        text = self._fields.get(tag)
        if text is None:
            raise FieldNotFound(tag)
        if isinstance(field, FieldBase):
            field.setString(text)
            return field
        return text

    def getFieldIfSet(self, field: FieldBase) -> bool:
        """Fills the field object, if the message has it."""
        text = self._fields.get(field.getTag())
        if text is None:
            return False
        field.setString(text)
        return True

    def getFieldRef(self, tag: int) -> FieldBase:
        return FieldBase(tag, self.getField(tag))

    def isSetField(self, field: _Tag) -> bool:
        return _tag_of(field) in self._fields

    def removeField(self, field: _Tag) -> None:
        tag = _tag_of(field)
        self._fields.pop(tag, None)
        self._repeated.pop(tag, None)

    def _set_route(self, session: SessionID) -> None:
        self._fields[8], self._fields[49], self._fields[56] = session._parts[:3]
        if self._repeated:
            for tag in (8, 49, 56):
                self._repeated.pop(tag, None)

    def isEmpty(self) -> bool:
        return not self._fields

    def totalFields(self) -> int:
        return (len(self._fields) + sum(map(len, self._repeated.values())) +
                sum(group.totalFields() for groups in self._groups.values() for group in groups))

    def clear(self) -> None:
        self._fields.clear()
        self._repeated.clear()
        self._groups.clear()

    # --- Groups ---

    def addGroup(self, *arguments: Any) -> None:
        """addGroup(group), or addGroup(counter, group). The group is copied."""
        group: Group = next(argument for argument in arguments if isinstance(argument, Group))
        tag = arguments[0] if isinstance(arguments[0], int) else group.field()
        self._groups.setdefault(tag, []).append(group._copy())
        self._fields[tag] = str(len(self._groups[tag]))

    def getGroup(self, number: int, *arguments: Any) -> Any:
        """getGroup(number from 1, group): fills the group, and returns it. Raises FieldNotFound."""
        group = arguments[-1]
        tag = arguments[0] if isinstance(arguments[0], int) else group.field()
        group._become(self._entry(number, tag))
        return group

    def getGroupRef(self, number: int, tag: int) -> Group:
        """The group in the message itself."""
        return self._entry(number, tag)

    def replaceGroup(self, number: int, *arguments: Any) -> None:
        group = arguments[-1]
        tag = arguments[0] if isinstance(arguments[0], int) else group.field()
        self._entry(number, tag)._become(group)

    def removeGroup(self, *arguments: Any) -> None:
        """removeGroup(counter or group): all of them; removeGroup(number, counter or group): one."""
        tag = arguments[-1].field() if isinstance(arguments[-1], Group) else arguments[-1]
        groups = self._groups.get(tag, [])
        if len(arguments) == 1:
            groups.clear()
        elif 1 <= arguments[0] <= len(groups):
            del groups[arguments[0] - 1]
        if groups:
            self._fields[tag] = str(len(groups))
        else:
            self._groups.pop(tag, None)
            self._fields.pop(tag, None)

    def hasGroup(self, *arguments: Any) -> bool:
        """hasGroup(counter or group): any; hasGroup(number, counter or group): that one."""
        tag = arguments[-1].field() if isinstance(arguments[-1], Group) else arguments[-1]
        return self.groupCount(tag) >= (arguments[0] if len(arguments) > 1 else 1)

    def groupCount(self, tag: int) -> int:
        return len(self._groups.get(tag, ()))

    def _entry(self, number: int, tag: int) -> Group:
        groups = self._groups.get(tag, [])
        if not 1 <= number <= len(groups):
            raise FieldNotFound(tag)
        return groups[number - 1]

    # --- Text ---

    def _sorted(self) -> list[int]:
        return sorted(self._fields)

    def calculateString(self, text: str = "", without: tuple[int, ...] = ()) -> str:
        """`text`, and the fields in their order, without some."""
        fields, repeated, groups = self._fields, self._repeated, self._groups
        if not (repeated or groups or without):  # Most messages.
            return text + "".join([f"{tag}={fields[tag]}{SOH}" for tag in self._sorted()])
        parts = [text]
        for tag in self._sorted():
            if tag not in without:
                parts.append(f"{tag}={fields[tag]}{SOH}")
                if tag in repeated:
                    parts.extend(f"{tag}={value}{SOH}" for value in repeated[tag])
                if tag in groups:
                    parts.extend(group.calculateString() for group in groups[tag])
        return "".join(parts)

    def calculateLength(self) -> int:
        return len(_bytes(self.calculateString()))

    def calculateTotal(self) -> int:
        return sum(_bytes(self.calculateString()))

    def _become(self, other: FieldMap) -> None:
        self._fields = dict(other._fields)
        self._repeated = {tag: list(values) for tag, values in other._repeated.items()}
        self._groups = {tag: [group._copy() for group in groups] for tag, groups in other._groups.items()}


class Header(FieldMap):
    """8, 9 and 35 come first."""

    def _sorted(self) -> list[int]:
        tags = sorted(self._fields)
        return [*(tag for tag in (8, 9, 35) if tag in self._fields), *(tag for tag in tags if tag not in (8, 9, 35))]


class Trailer(FieldMap):
    """10 comes last."""

    def _sorted(self) -> list[int]:
        return sorted(self._fields, key=lambda tag: (tag == 10, tag))


class IntArray(list[int]):
    """IntArray(size): numbers, of which a 0 ends an order of fields."""

    def __init__(self, size: int) -> None:
        super().__init__([0] * size)


class Group(FieldMap):
    """Group(counter, first field[, order of fields]): one entry of a repeating group."""

    def __init__(self, field: int, delim: int, order: Iterable[int] = ()) -> None:
        super().__init__()
        self._field = field
        self._delim = delim
        tags: list[int] = []
        for tag in order:
            if tag == 0:
                break
            tags.append(tag)
        self._ranks: Mapping[int, int] = {tag: rank for rank, tag in enumerate(tags or [delim])}

    @classmethod
    def _made(cls, shape: GroupShape) -> Group:
        group = cls.__new__(cls)
        FieldMap.__init__(group)
        group._field, group._delim, group._ranks = shape.counter, shape.delim, shape.ranks
        return group

    def field(self) -> int:
        """The tag of the counter."""
        return self._field

    def delim(self) -> int:
        """The tag that begins each entry."""
        return self._delim

    def _sorted(self) -> list[int]:
        ranks = self._ranks
        return sorted(self._fields, key=lambda tag: (ranks.get(tag, len(ranks)), tag))

    def _copy(self) -> Group:
        copy = Group.__new__(Group)
        copy._field, copy._delim, copy._ranks = self._field, self._delim, self._ranks
        copy._become(self)
        return copy


def _read_entries(pairs: list[tuple[int, str]], at: int, shape: GroupShape, into: FieldMap) -> int:
    """Reads the entries that begin there; returns where they end."""
    entry: Group | None = None
    while at < len(pairs):
        tag, value = pairs[at]
        if tag == shape.delim:
            entry = Group._made(shape)
            into._groups.setdefault(shape.counter, []).append(entry)
        elif entry is None or tag not in shape.ranks or tag in entry._fields:
            break
        entry._fields[tag] = value
        at += 1
        inner = shape.nested.get(tag)
        if inner is not None:
            at = _read_entries(pairs, at, inner, entry)
    return at


class Message(FieldMap):
    """Message(), Message(text[, validate]), Message(text, dictionary[, validate]), or Message(text, transport
    dictionary, dictionary[, validate]).
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__()
        self._header = Header()
        self._trailer = Trailer()
        if arguments and isinstance(arguments[0], Message):
            self._become(arguments[0])
        elif arguments and isinstance(arguments[0], FieldBase):
            for field in arguments:
                self._header.setField(field)
        elif arguments:
            text, *rest = arguments
            validate = rest.pop() if rest and isinstance(rest[-1], bool) else True
            self.setString(text, validate, *rest)

    @classmethod
    def _of(cls, pairs: list[tuple[int, str]], dictionary: DataDictionary | None) -> Message:
        message = cls()
        message._fill(pairs, dictionary, dictionary)
        return message

    def _fill(self, pairs: list[tuple[int, str]], transport: DataDictionary | None,
              dictionary: DataDictionary | None) -> None:
        header_tags, header_shapes, trailer_tags = HEADER_TAGS, _NO_SHAPES, TRAILER_TAGS
        if transport is not None:
            header_tags, header_shapes = transport.header_tags, transport.header_shapes
            trailer_tags = transport.trailer_tags
        body_shapes: Shapes | None = None
        at, end = 0, len(pairs)
        while at < end:
            tag, value = pairs[at]
            at += 1
            part: FieldMap = self
            if tag in header_tags:
                part, shapes = self._header, header_shapes
            elif tag in trailer_tags:
                part, shapes = self._trailer, _NO_SHAPES
            else:
                if body_shapes is None:
                    kind = self._header._fields.get(35, "")
                    body_shapes = _NO_SHAPES if dictionary is None else dictionary.shapes_of(kind)
                shapes = body_shapes
            if tag in part._fields:
                part._repeated.setdefault(tag, []).append(value)
            else:
                part._fields[tag] = value
            if tag in shapes:
                at = _read_entries(pairs, at, shapes[tag], part)

    def setString(self, text: str, validate: bool = True, *dictionaries: DataDictionary) -> None:
        """Reads a whole message. Raises InvalidMessage for one that is not, if it is to be validated."""
        self.clear()
        transport, dictionary = (dictionaries[0], dictionaries[-1]) if dictionaries else (None, None)
        try:
            pairs = _PLAIN.parse(_bytes(text)).items()
        except ParseError:  # Slower, and says what is wrong as QuickFIX does.
            pairs = list(split(text))
            if validate:
                self._check(text, pairs)
        self._fill(pairs, transport, dictionary)

    @staticmethod
    def _check(text: str, pairs: list[tuple[int, str]]) -> None:
        if [tag for tag, _ in pairs[:3]] != [8, 9, 35]:
            raise InvalidMessage("Header fields out of order")
        length, checksum = pairs[1][1], pairs[-1][1] if pairs[-1][0] == 10 else ""
        for name, number in (("BodyLength", length), ("CheckSum", checksum)):
            if not number.isdecimal():
                raise InvalidMessage(f"{name} is missing")
        data = _bytes(text)
        begin = data.index(SOH.encode(), data.index(b"\x019=") + 1) + 1
        end = data.rindex(b"10=")
        if int(length) != end - begin:
            raise InvalidMessage(f"Expected BodyLength={end - begin}, Received BodyLength={int(length)}")
        total = sum(data[:end]) % 256
        if int(checksum) != total:
            raise InvalidMessage(f"Expected CheckSum={total}, Received CheckSum={int(checksum)}")

    def getHeader(self) -> Header:
        return self._header

    def getTrailer(self) -> Trailer:
        return self._trailer

    def bodyLength(self, begin_string_tag: int = 8, body_length_tag: int = 9, checksum_tag: int = 10) -> int:
        return len(_bytes(self._counted(begin_string_tag, body_length_tag, checksum_tag)))

    def checkSum(self, checksum_tag: int = 10) -> int:
        text = (self._header.calculateString() + self.calculateString() +
                self._trailer.calculateString(without=(checksum_tag,)))
        return sum(_bytes(text)) % 256

    def _counted(self, *uncounted: int) -> str:
        """All fields but these, which BodyLength and CheckSum are about."""
        return (self._header.calculateString(without=uncounted) + self.calculateString() +
                self._trailer.calculateString(without=uncounted))

    def toString(self, begin_string_tag: int = 8, body_length_tag: int = 9, checksum_tag: int = 10) -> str:
        """The whole message, with BodyLength and CheckSum, which it gets too."""
        counted = self._counted(begin_string_tag, body_length_tag, checksum_tag)
        header = self._header._fields
        header[body_length_tag] = str(len(_bytes(counted)))
        begin_string = header.get(begin_string_tag)
        begin = "" if begin_string is None else f"{begin_string_tag}={begin_string}{SOH}"
        text = f"{begin}{body_length_tag}={header[body_length_tag]}{SOH}{counted}"
        checksum = self._trailer._fields[checksum_tag] = f"{sum(_bytes(text)) % 256:03}"
        return f"{text}{checksum_tag}={checksum}{SOH}"

    def isAdmin(self) -> bool:
        return self.isAdminMsgType(self._header._fields.get(35, ""))

    def isApp(self) -> bool:
        return 35 in self._header._fields and not self.isAdmin()

    @staticmethod
    def isAdminMsgType(type: Any) -> bool:
        return str(type) in _ADMIN

    @staticmethod
    def isHeaderField(field: _Tag, dictionary: DataDictionary | None = None) -> bool:
        tag = _tag_of(field)
        return tag in HEADER_TAGS or (dictionary is not None and dictionary.isHeaderField(tag))

    @staticmethod
    def isTrailerField(field: _Tag, dictionary: DataDictionary | None = None) -> bool:
        tag = _tag_of(field)
        return tag in TRAILER_TAGS or (dictionary is not None and dictionary.isTrailerField(tag))

    def isEmpty(self) -> bool:
        return self._header.isEmpty() and super().isEmpty() and self._trailer.isEmpty()

    def clear(self) -> None:
        super().clear()
        self._header.clear()
        self._trailer.clear()

    def getSessionID(self, qualifier: str = "") -> SessionID:
        """Of its header. Raises FieldNotFound."""
        begin_string, sender, target = (self._header.getField(tag) for tag in (8, 49, 56))
        return SessionID(begin_string, sender, target, qualifier)

    def setSessionID(self, session: SessionID) -> None:
        self._header._set_route(session)

    def reverseRoute(self, header: Header) -> None:
        """Turns the route of another message's header round, for an answer to it."""
        for tag in (8, 49, 56, 115, 116, 128, 129, 144, 145):
            self._header.removeField(tag)
        turned = {8: 8, 49: 56, 56: 49, 115: 128, 128: 115, 116: 129, 129: 116, 144: 145, 145: 144}
        for tag, other in turned.items():
            if value := header._fields.get(tag):
                self._header._fields[other] = value

    def _become(self, other: FieldMap) -> None:
        super()._become(other)
        if isinstance(other, Message):
            self._header._become(other._header)
            self._trailer._become(other._trailer)

    def __str__(self) -> str:
        return self.toString()


def identifyType(text: str) -> Any:
    """MsgType of a message's text. Raises MessageParseError."""
    from affix.quickfix._names import field_class  # Reads a dictionary.

    for tag, value in split(text):
        if tag == 35:
            return field_class("MsgType")(value)
    raise MessageParseError()
