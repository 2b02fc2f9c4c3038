# SPDX-License-Identifier: MIT
"""Configurations: a file, or keyword arguments that become the text of one, so that both have the same checks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from affix import _affix
from affix._codec import dictionary_of_file
from affix.errors import ConfigurationError

Setting = str | int | bool | os.PathLike[str]


@dataclass(frozen=True)
class KeyDescription:
    """A key of a configuration."""

    name: str
    groups: tuple[str, ...]
    standard: str
    allowed: str
    meaning: str


@cache
def configuration_keys() -> tuple[KeyDescription, ...]:
    """Every key, with the kinds of groups that have it: engine, client, server, session."""
    return tuple(KeyDescription(name, tuple(kinds), standard, allowed, meaning)
                 for name, kinds, standard, allowed, meaning in _affix.configuration_keys())


@cache
def _kinds() -> dict[str, tuple[str, ...]]:
    return {key.name: key.groups for key in configuration_keys()}


def _text_of(key: str, value: Setting) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if "\n" in text or "\r" in text or text != text.strip():
        raise ConfigurationError(f"key '{key}': a value has no line ends, and no spaces around it")
    return text.replace("${", "$${")


def text_of_keywords(kind: str, keywords: dict[str, Setting]) -> str:
    """The text of a configuration with one session and its `kind` of group: client or server."""
    groups: dict[str, list[str]] = {"engine": [], kind: [], "session": []}
    for key, value in keywords.items():
        kinds = _kinds().get(key, ("session",))  # The parser says what is wrong with a key that there is not.
        group = next((each for each in ("session", kind, "engine") if each in kinds), "session")
        groups[group].append(f"{key}={_text_of(key, value)}")
    lines = ["[ENGINE]", "type=engine", *groups["engine"], f"[{kind.upper()}]", f"type={kind}", *groups[kind],
             "[SESSION]", "type=session", *groups["session"]]
    return "\n".join(lines) + "\n"


def configuration_of(kind: str, path: str | os.PathLike[str] | None, text: str | None,
                     keywords: dict[str, Setting]) -> _affix.Configuration:
    """The configuration of a file, of a text in the same form, or of keywords: exactly one of them."""
    if (path is not None) + (text is not None) + bool(keywords) != 1:
        raise ConfigurationError("an engine has a file, or a text, or keyword arguments")
    if path is not None:
        return _affix.Configuration.load(os.fspath(path))
    if text is None:
        return _affix.Configuration.parse(text_of_keywords(kind, keywords), "keyword arguments")
    return _affix.Configuration.parse(text, "text")


def codecs_of(configuration: _affix.Configuration) -> dict[str, _affix.Codec]:
    """The dictionaries of sessions that name one, by the session's name."""
    return {session["name"]: dictionary_of_file(session["dictionary"], session["transport_dictionary"] or None)
            for session in configuration.sessions if session["dictionary"]}
