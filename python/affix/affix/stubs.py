# SPDX-License-Identifier: MIT
"""Writes a dictionary as a typed module: tags, values, and the fields of each message.

    python -m affix.stubs FIX.4.4 > fix44.py
    python -m affix.stubs venue.xml > venue.py

The module needs nothing of affix. Its enumerations are values that affix.encode() takes, and its TypedDicts let a type
checker say which fields a message has and which it must have.
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from collections.abc import Iterator
from typing import Any

from affix import Codec, dictionary, dictionary_of_file, standard_dictionaries
from affix.errors import AffixError

_INTEGERS = {"int", "Length", "SeqNum", "NumInGroup", "TagNum", "DayOfMonth", "day-of-month"}
_DECIMALS = {"float", "Qty", "Price", "PriceOffset", "Amt", "Percentage"}
_TIMES = {"UTCTimestamp": "datetime.datetime", "UTCDateOnly": "datetime.date", "UTCDate": "datetime.date",
          "LocalMktDate": "datetime.date", "UTCTimeOnly": "datetime.time", "time": "datetime.datetime",
          "date": "datetime.date"}


def identifier(name: str) -> str:
    """A Python name of any text: NEW_ORDER of "New order"."""
    word = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "_"
    return f"_{word}" if word[0].isdigit() else f"{word}_" if keyword.iskeyword(word) else word


def _constant(name: str) -> str:
    """SELL_SHORT of SellShort."""
    return identifier(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).upper()


def _unique(names: list[str]) -> list[str]:
    seen: set[str] = set()
    result = []
    for name in names:
        while name in seen:
            name += "_"
        seen.add(name)
        result.append(name)
    return result


def _type_of(field: tuple[int, str, str, list[tuple[str, str]]]) -> str:
    _, name, kind, values = field
    if kind == "Boolean":
        return "bool"
    if values:
        return f"{identifier(name)} | str"
    if kind in _INTEGERS:
        return "int | str"
    if kind in _DECIMALS:
        return "decimal.Decimal | int | str"
    if kind in _TIMES:
        return f"{_TIMES[kind]} | str"
    return "bytes | str" if kind.lower() in ("data", "xmldata") else "str"


def _entries(path: str, members: list[Any], types: dict[int, str], made: list[str]) -> Iterator[str]:
    for name, tag, required, inner in members:
        if inner is None:
            kind = types.get(tag, "str")
        else:
            group = f"{path}_{identifier(name)}"
            made.extend(_typed_dict(group, inner, types, made))
            kind = f"list[{group}]"
        yield f"    {name!r}: {'Required' if required else 'NotRequired'}[{kind!r}],"


def _typed_dict(name: str, members: list[Any], types: dict[int, str], made: list[str]) -> list[str]:
    entries = list(dict.fromkeys(_entries(name, members, types, made)))
    return [f'{name} = TypedDict("{name}", {{', *entries, "})", ""]


def module_of(codec: Codec, title: str) -> str:
    """The text of the module."""
    fields = codec._fields()
    types = {field[0]: _type_of(field) for field in fields}
    lines = [f'"""{title}: tags, values and messages, written by `python -m affix.stubs`."""', "",
             "from __future__ import annotations", "", "import datetime", "import decimal", "import sys",
             "from enum import Enum, IntEnum", "from typing import TYPE_CHECKING, TypedDict", "",
             "if TYPE_CHECKING or sys.version_info >= (3, 11):", "    from typing import NotRequired, Required", "else:",
             "    # Python 3.10 has none, and nothing looks at them when a program runs.",
             "    NotRequired = Required = dict", "",
             f"begin_string = {codec.begin_string!r}", "", "", "class Tag(IntEnum):"]
    names = _unique([identifier(name) for _, name, _, _ in fields])
    lines += [f"    {name} = {field[0]}" for name, field in zip(names, fields)]
    lines += ["", "", "class MsgType(str, Enum):"]
    messages = codec._messages()
    lines += [f"    {identifier(name)} = {type!r}" for name, type, _ in messages]
    for (_, _, kind, values), name in zip(fields, names):
        if not values or kind == "Boolean" or name == "MsgType":
            continue
        words = _unique([_constant(value) for _, value in values])
        lines += ["", "", f"class {name}(str, Enum):"]
        lines += [f"    {word} = {code!r}" for word, (code, _) in zip(words, values)]
    lines += ["", ""]
    for name, _, members in messages:
        made: list[str] = []
        own = _typed_dict(f"{identifier(name)}Fields", members, types, made)
        lines += [*made, *own]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m affix.stubs", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("dictionary", help=f"a file, or one of {', '.join(standard_dictionaries())}")
    parser.add_argument("--transport", help="the dictionary of header and trailer, from FIX 5.0 on")
    options = parser.parse_args(arguments)
    try:
        codec = (dictionary(options.dictionary) if options.dictionary in standard_dictionaries()
                 else dictionary_of_file(options.dictionary, options.transport))
    except AffixError as error:
        print(error, file=sys.stderr)
        return 1
    sys.stdout.write(module_of(codec, options.dictionary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
