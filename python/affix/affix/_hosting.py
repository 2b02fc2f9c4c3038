# SPDX-License-Identifier: MIT
"""The common part of engines on a loop and engines with threads: their sessions, reports, refusals, and forks."""

from __future__ import annotations

import logging
import os
import weakref
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Generic, Literal, Protocol, TypeVar, get_args

from affix import _affix
from affix.errors import ConfigurationError, SendError

log = logging.getLogger("affix")
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}

#: After a callback that raised: its session goes on, or logs out and stays down until connect().
OnError = Literal["continue", "logout"]

#: Python looks for signals before it waits, and one that comes between the two does not end the wait: the main thread,
#: whose Ctrl-C it may be, waits again after so long.
LOOK_SECONDS = 1.0

# For the peer, who learns nothing of the program.
LOGOUT_TEXT = "the application failed"


class SendStatus(IntEnum):
    """Why a message was refused, or that it was not. As affix::host::SendStatus."""

    SENT = 0
    QUEUED = 1
    NOT_LOGGED_ON = 2
    RESETTING = 3
    QUEUE_FULL = 4
    INVALID = 5
    TYPE_REFUSED = 6
    REJECT_OF_REJECT = 7
    TOO_LARGE = 8
    JOURNAL_FULL = 9
    THROTTLED = 10
    BACKLOGGED = 11
    STOPPED = 12


# After these, on_output_room() says when sending is possible again.
ROOM_FOLLOWS = {SendStatus.RESETTING, SendStatus.THROTTLED, SendStatus.BACKLOGGED, SendStatus.STOPPED}


def checked(on_error: OnError) -> OnError:
    """Refuses a word that there is not: it would be found when it matters."""
    if on_error not in get_args(OnError):
        raise ConfigurationError(f"on_error is one of {', '.join(get_args(OnError))}, not {on_error!r}")
    return on_error


def refusal(session: str, status: int, text: str) -> SendError:
    """The exception for a message that was refused."""
    error = SendError(f"{session}: {text}")
    error.status = SendStatus(status)
    return error


def log_event(severity: str, session: str, text: str, code: str) -> None:
    """Logs an event of an engine."""
    log.log(_LEVELS[severity], "%s%s [%s]", f"{session}: " if session else "", text, code)


def log_failure(session: SessionIdentity | None, failure: BaseException, on_error: OnError) -> None:
    """Logs what a callback raised, and what becomes of its session."""
    what = "its session logs out" if session is not None and on_error == "logout" else "the sessions go on"
    log.error("%sa callback failed; %s", f"{session.name}: " if session is not None else "", what, exc_info=failure)


class SessionIdentity:
    """Whose session it is, and what its messages are read and written with."""

    def __init__(self, name: str, codec: _affix.Codec, state: dict[str, Any]) -> None:
        self.name = name
        self._codec = codec
        self.begin_string: str = state["begin_string"]
        self.sender_comp_id: str = state["sender_comp_id"]
        self.target_comp_id: str = state["target_comp_id"]
        self.is_initiator: bool = state["is_initiator"]
        #: For the program's own use.
        self.user: Any = None

    def __repr__(self) -> str:
        return (f"<affix.{type(self).__name__} {self.name}: {self.sender_comp_id} to {self.target_comp_id}, "
                f"{self.begin_string}>")

    @property
    def codec(self) -> _affix.Codec:
        """The codec of its messages: its dictionary, if the configuration names one."""
        return self._codec

    def _type_of(self, type: str) -> str:
        return self._codec.type_of(type) if len(type) > 2 else type


class _Addressed(Protocol):
    @property
    def addresses(self) -> list[tuple[str, int]]: ...


_Hosted = TypeVar("_Hosted", bound=SessionIdentity)


class SessionTable(Generic[_Hosted]):
    """An engine's sessions, and where it listens."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Hosted] = {}

    @property
    def _live(self) -> _Addressed:
        raise NotImplementedError

    @property
    def sessions(self) -> Mapping[str, _Hosted]:
        """Every session by the name of its group in the configuration."""
        return self._sessions

    def __getitem__(self, name: str) -> _Hosted:
        return self._sessions[name]

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """Where it listens, as text and port, with the ports that the kernel chose."""
        return [(address, port) for address, port in self._live.addresses]

    @property
    def port(self) -> int:
        """The port of the first listener."""
        return self.addresses[0][1]


class _Forked(Protocol):
    def _abandon(self) -> None: ...


_open_engines: weakref.WeakSet[Any] = weakref.WeakSet()


def abandon_in_children(engine: _Forked) -> None:
    """Makes the child of a fork forget the engine, as long as it is open: the parent goes on with it."""
    _open_engines.add(engine)


def is_closed(engine: _Forked) -> None:
    """Ends that."""
    _open_engines.discard(engine)


def _abandon_all() -> None:
    for engine in list(_open_engines):
        engine._abandon()
    _open_engines.clear()


os.register_at_fork(after_in_child=_abandon_all)
