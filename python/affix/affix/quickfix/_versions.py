# SPDX-License-Identifier: MIT
"""The modules of message classes, one for each version: quickfix42 and its like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affix._codec import dictionary
from affix.quickfix._fields import FieldBase
from affix.quickfix._message import Group, Message
from affix.quickfix._names import names_of, plain


def _group_class(name: str, tag: int, members: list[Any]) -> type[Group]:
    order = tuple(member[1] for member in members)

    def __init__(self: Group) -> None:
        Group.__init__(self, tag, order[0], order)

    return type(name, (Group,), {"__init__": __init__, "__doc__": f"An entry of {name} ({tag}).", **_groups(members)})


def _groups(members: list[Any]) -> dict[str, type[Group]]:
    return {name: _group_class(name, tag, inner) for name, tag, _, inner in members if inner}


def classes_of(module: str, version: str, application: str = "") -> Callable[[str], Any]:
    """The module's __getattr__(), which makes a message class when a program asks for it. `application` is 1128."""
    transported = version.startswith("FIX.5") or version == "FIXT.1.1"

    class VersionMessage(Message):
        """Any message of the version. Fields in parentheses become its own: NewOrderSingle(ClOrdID("1"), ...)."""

        _type = ""

        def __init__(self, *fields: FieldBase) -> None:
            super().__init__()
            header = self.getHeader()
            header.setField(8, "FIXT.1.1" if transported else version)
            if self._type:
                header.setField(35, self._type)
            if application:
                header.setField(1128, application)
            for field in fields:
                self.setField(field)

    VersionMessage.__name__ = VersionMessage.__qualname__ = "Message"
    VersionMessage.__module__ = module
    made: dict[str, Any] = {"Message": VersionMessage}

    def find(name: str) -> Any:
        if name not in made:
            kind = names_of(version).messages.get(plain(name))
            members = None if kind is None else dictionary(version)._members(kind)
            if members is None:
                raise AttributeError(f"module '{module}' has no attribute '{name}'")
            made[name] = type(name, (VersionMessage,), {"_type": kind, "__module__": module,
                                                        "__doc__": f"{name} ({kind}).", **_groups(members)})
        return made[name]

    return find
