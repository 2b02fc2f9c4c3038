# SPDX-License-Identifier: MIT
"""Client of the administration port: one connection, commands in JSON, answers with rows.

Standard library only. One thread at a time. The port answers every command within about a second. An answer that
takes longer than the socket's time-out raises ConnectionLost and closes the connection, because later answers could
no longer be assigned to their commands.
"""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

# Maximum size of one line; the port cuts its answers well below this.
LINE_BYTES_MAX = 64 * 1024 * 1024


class AdminError(Exception):
    """Base class: a command was not executed."""


class Refused(AdminError):
    """The port refused the command; nothing changed. The text is the reason."""


class Busy(AdminError):
    """The port withdrew the command in time; it will not be executed later."""


class Begun(AdminError):
    """The command was started and did not end in time; it may still complete."""


class NotAllowed(AdminError):
    """The port does not accept the token."""


class ConnectionLost(AdminError):
    """The connection could not be opened, or was lost."""


@dataclass(frozen=True)
class Answer:
    """An answer of the port."""

    status: str
    text: str = ""
    columns: list[str] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    cut: bool = False
    code: str = ""

    @property
    def reason(self) -> str:
        """The text with its code, which `affix explain` explains."""
        return _coded(self.text, self.code)

    @property
    def done(self) -> bool:
        return self.status == "done"

    def raise_unless_done(self) -> Answer:
        if self.done:
            return self
        kind = {"refused": Refused, "busy": Busy, "begun": Begun}.get(self.status, AdminError)
        raise kind(self.reason)

    def pairs(self) -> dict[str, Any]:
        """The rows of an answer with the columns `name` and `value`."""
        return {row["name"]: row["value"] for row in self.rows}


@dataclass(frozen=True)
class Session:
    """One row of `sessions`."""

    name: str
    instance: str
    role: str
    state: str
    next_outgoing: int
    next_expected: int
    out_rate: float
    in_rate: float
    missing_to: int
    queued: int
    output_waiting: int
    sending_stopped: bool
    peer: str


class AdminClient:
    """A connection to one engine's administration port. Use it in a `with` statement, or call close()."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, *, token: str | None = None,
                 tls: ssl.SSLContext | None = None, timeout: float = 5.0) -> None:
        """Connects, and authenticates if `token` is given. `tls` is a client context that trusts the port's CA."""
        self._buffer = b""
        self._number = 0
        self._tap_timeout: float | None = None
        self._socket: socket.socket | None = None
        try:
            raw = socket.create_connection((host, port), timeout)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket = tls.wrap_socket(raw, server_hostname=host) if tls else raw
        except OSError as error:
            raise ConnectionLost(f"{host}:{port}: {error}") from error
        if token is not None:
            answer = self.ask("auth", token)
            if not answer.done:
                self.close()
                raise NotAllowed(answer.reason)

    def __enter__(self) -> AdminClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    # Any command.

    def ask(self, command: str, *arguments: str | int | bool) -> Answer:
        """Sends a command and returns its answer, whatever its status."""
        number = self._send(command, arguments)
        return self._answer(self._receive(number))

    def do(self, command: str, *arguments: str | int | bool) -> Answer:
        """Sends a command; raises Refused, Busy or Begun if it was not executed."""
        return self.ask(command, *arguments).raise_unless_done()

    # Queries.

    def version(self) -> dict[str, Any]:
        return self.do("get_engine_version").pairs()

    def uptime_seconds(self) -> int:
        return int(self.do("get_uptime").rows[0]["uptime_seconds"])

    def log_level(self) -> str:
        return str(self.do("get_engine_log_level").rows[0]["log_level"])

    def clients(self) -> list[str]:
        return [row["name"] for row in self.do("get_clients").rows]

    def servers(self) -> list[str]:
        return [row["name"] for row in self.do("get_servers").rows]

    def sessions(self) -> list[Session]:
        return [Session(row.pop("session"), **row) for row in self.do("sessions").rows]

    def state(self, session: str) -> dict[str, Any]:
        return self.do("get_session_state", session).pairs()

    def configuration(self, group: str | None = None) -> dict[str, dict[str, str]]:
        """Returns the values by group and key."""
        groups: dict[str, dict[str, str]] = {}
        for row in self.do("get_configuration", *([group] if group else [])).rows:
            groups.setdefault(row["group"], {})[row["key"]] = row["value"]
        return groups

    def incoming(self, session: str) -> int:
        return int(self.do("get_incoming_sequence_number", session).rows[0]["sequence_number"])

    def outgoing(self, session: str) -> int:
        return int(self.do("get_outgoing_sequence_number", session).rows[0]["sequence_number"])

    def tail(self, session: str, count: int = 20) -> list[dict[str, Any]]:
        return self.do("tail", session, count).rows

    def preview_resend(self, session: str, first: int, last: int = 0) -> Answer:
        return self.do("preview_resend", session, first, last)

    def tap(self, session: str) -> Iterator[dict[str, Any]]:
        """Returns records as the engine writes them, until the session is removed. Call end_tap() before another command."""
        number = self._send("tap", (session,))
        answer = self._answer(self._receive(number))
        if answer.status != "begun":
            answer.raise_unless_done()
        connected = self._connected()
        self._tap_timeout = connected.gettimeout()
        connected.settimeout(None)
        return self._records(number)

    def _records(self, number: int) -> Iterator[dict[str, Any]]:
        while True:
            line = self._receive(number)
            if "row" not in line:
                self._tap_timeout = None
                return
            yield line["row"]

    def end_tap(self) -> None:
        """Ends a tap, so that commands may follow. Drops records in transit; the journal keeps them."""
        connected = self._connected()
        connected.settimeout(self._tap_timeout)
        self._tap_timeout = None
        connected.sendall(b"\n")
        while "row" in self._receive(self._number):
            pass

    # Commands that change state.

    def set_log_level(self, level: str) -> None:
        self.do("set_engine_log_level", level)

    def enable(self, session: str) -> Answer:
        return self.do("enable_session", session)

    def disable(self, session: str, reason: str = "") -> Answer:
        return self.do("disable_session", session, *_text(reason))

    def connect_session(self, session: str) -> None:
        self.do("connect", session)

    def logout(self, session: str, reason: str = "") -> None:
        self.do("logout", session, *_text(reason))

    def disconnect(self, session: str, reason: str = "") -> None:
        self.do("disconnect", session, *_text(reason))

    def test(self, session: str) -> None:
        self.do("test_session", session)

    def add(self, name: str, **settings: object) -> Answer:
        return self.do("add_session", name, *(f"{key}={value}" for key, value in settings.items()))

    def remove(self, session: str, reason: str = "") -> Answer:
        return self.do("remove_session", session, *_text(reason))

    def reload(self) -> Answer:
        return self.do("reload")

    def upgrade(self, program: str = "") -> Answer:
        """Hands the connections over to a new process of `program`; empty: of the running one."""
        return self.do("upgrade", *_text(program))

    def set_incoming(self, session: str, number: int, *, force: bool = False) -> None:
        self.do("set_incoming_sequence_number", session, number, *_force(force))

    def set_outgoing(self, session: str, number: int, *, force: bool = False) -> None:
        self.do("set_outgoing_sequence_number", session, number, *_force(force))

    def send_sequence_reset(self, session: str, number: int, *, force: bool = False) -> None:
        self.do("send_sequence_reset", session, number, *_force(force))

    def reset(self, session: str, *, force: bool = False) -> None:
        self.do("reset_session", session, *_force(force))

    def kill(self, scope: str = "engine", reason: str = "") -> Answer:
        """The kill switch: stops the application messages of the scope until resume()."""
        return self.do("kill", scope, *_text(reason))

    def resume(self, scope: str = "engine", reason: str = "") -> Answer:
        return self.do("resume", scope, *_text(reason))

    # Protocol.

    def _send(self, command: str, arguments: tuple[str | int | bool, ...]) -> int:
        self._number += 1
        line = json.dumps({"id": self._number, "command": command, "arguments": list(arguments)})
        try:
            self._connected().sendall(line.encode() + b"\n")
        except OSError as error:
            self.close()
            raise ConnectionLost(str(error)) from error
        return self._number

    def _receive(self, number: int) -> dict[str, Any]:
        """Returns the next answer to command `number`; skips remaining records of a tap."""
        while True:
            line = json.loads(self._line())
            if line.get("id") == number:
                return line
            if "id" not in line:
                # The port refused the connection before it read the command.
                self.close()
                raise ConnectionLost(_coded(str(line.get("text", "")), str(line.get("code", ""))))

    def _line(self) -> bytes:
        while b"\n" not in self._buffer:
            try:
                piece = self._connected().recv(65536)
            except OSError as error:
                self.close()
                raise ConnectionLost(str(error) or "no answer in time") from error
            if not piece:
                self.close()
                raise ConnectionLost("the port has closed the connection" +
                                     (": " + self._buffer.decode(errors="replace") if self._buffer else ""))
            self._buffer += piece
            if len(self._buffer) > LINE_BYTES_MAX:
                self.close()
                raise ConnectionLost("the answer has no end")
        line, _, self._buffer = self._buffer.partition(b"\n")
        if not line.startswith(b"{"):
            self.close()
            raise ConnectionLost(line.decode(errors="replace"))
        return line

    def _connected(self) -> socket.socket:
        if self._socket is None:
            raise ConnectionLost("the connection is closed")
        return self._socket

    @staticmethod
    def _answer(line: dict[str, Any]) -> Answer:
        return Answer(line.get("status", ""), line.get("text", ""), line.get("columns", []), line.get("rows", []),
                      line.get("cut", False), line.get("code", ""))


def _force(force: bool) -> tuple[str, ...]:
    return ("force",) if force else ()


def _coded(text: str, code: str) -> str:
    return f"{text} [{code}]" if code else text


def _text(text: str) -> tuple[str, ...]:
    return (text,) if text else ()
