# SPDX-License-Identifier: MIT
"""Writes __init__.pyi, for type checkers and editors: what __init__.py has, and the classes and constants that it makes
when a program asks for them. Those that only FIX Latest has are left out, for size: they are Any.

    python -m affix.quickfix._stub FILE
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from affix.quickfix import _fields
from affix.quickfix._names import _BEGIN_STRINGS, _DICTIONARIES, _settings, constant, field_class, names_of
from affix.stubs import _constant, identifier


_VERSIONS = [version for version in _DICTIONARIES if version != "FIX.Latest"]


def _lines() -> Iterator[str]:
    fields: dict[str, None] = {}
    values: dict[str, None] = {}
    for version in _VERSIONS:
        names = names_of(version)
        for name, (_, _, codes) in names.fields.items():
            if name.isidentifier():
                fields[name] = None
                if name == "MsgType":  # Named by the messages.
                    continue
                values |= {f"{name}_{_constant(value)}": None for _, value in codes if value}
    for name in fields:
        base = field_class(name).__mro__[1]
        yield f"class {name}({base.__name__}): ..."
        if base is _fields.BoolField:
            values |= {f"{name}_YES": None, f"{name}_NO": None}
    for name in values:
        yield f"{name}: {type(constant(name)).__name__}"
    messages = {identifier(name): None for version in _VERSIONS for name in names_of(version).message_names}
    yield from (f"MsgType_{name}: str" for name in messages)
    yield from (f"BeginString_{digits}: str" for digits in (*_BEGIN_STRINGS, "FIXT11"))
    yield from (f"{_constant(name)}: str" for name in _settings().values() if name.isidentifier())
    # Names of other versions, and in other spellings.
    yield "def __getattr__(name: str) -> Any: ..."


def main() -> None:
    source = Path(__file__).with_name("__init__.py").read_text()
    head = source[:source.index("def __getattr__")].replace("from affix.quickfix._names import named\n", "")
    Path(sys.argv[1]).write_text("\n".join([head.rstrip(), "", *dict.fromkeys(_lines())]) + "\n")


if __name__ == "__main__":
    main()
