# SPDX-License-Identifier: MIT
"""Where a program wants its messages kept. affix keeps them in journals: a store factory says where these are."""

from __future__ import annotations

import os

from affix.quickfix._errors import ConfigError
from affix.quickfix._settings import SessionSettings


class MessageStoreFactory:
    """Any of these."""

    def _session_keys(self, settings: SessionSettings) -> list[tuple[str, str]]:
        """Keys of each session."""
        return []


class FileStoreFactory(MessageStoreFactory):
    """FileStoreFactory(settings), which have FileStorePath, or FileStoreFactory(path): journals in that directory."""

    def __init__(self, where: SessionSettings | str | os.PathLike[str]) -> None:
        self._where = where

    def _session_keys(self, settings: SessionSettings) -> list[tuple[str, str]]:
        if not isinstance(self._where, SessionSettings):
            return [("journal_path", os.fspath(self._where))]
        for session in settings.getSessions():
            if not settings.get(session).has("FileStorePath"):
                raise ConfigError("FileStorePath not defined")
        return []


class MemoryStoreFactory(MessageStoreFactory):
    """Nothing on the disk: numbers begin at 1 when the program starts."""

    def _session_keys(self, settings: SessionSettings) -> list[tuple[str, str]]:
        return [("durability", "memory")]


class NullStoreFactory(MemoryStoreFactory):
    """As MemoryStoreFactory."""
