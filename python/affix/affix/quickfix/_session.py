# SPDX-License-Identifier: MIT
"""Sessions: what a program sends through, and what their messages become on the way."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from affix import _affix
from affix._hosting import SendStatus
from affix.quickfix import _errors
from affix.quickfix._dictionary import DataDictionary
from affix.quickfix._logs import Log
from affix.quickfix._message import FieldMap, Message, split
from affix.quickfix._session_id import SessionID
from affix.quickfix._times import now_text

if TYPE_CHECKING:
    from affix.quickfix._endpoint import Endpoint

_log = logging.getLogger("affix")

# The session writes these itself.
_SESSION_FIELDS = frozenset({8, 9, 10, 34, 35, 43, 49, 52, 56, 122})
# SessionRejectReason (373) for what fromApp() raises.
_REASONS: dict[type[_errors.FIXException], int] = {
    _errors.InvalidTagNumber: 0, _errors.RequiredTagMissing: 1, _errors.TagNotDefinedForMessage: 2,
    _errors.NoTagValue: 4, _errors.IncorrectTagValue: 5, _errors.IncorrectDataFormat: 6, _errors.InvalidMessageType: 11,
    _errors.RepeatedTag: 13, _errors.TagOutOfOrder: 14, _errors.RepeatingGroupCountMismatch: 16,
}
_REQUIRED_TAG_MISSING, _OTHER = 1, 99
_BUSINESS_UNSUPPORTED_TYPE, _BUSINESS_FIELD_MISSING = 3, 5

_sessions: dict[SessionID, "Session"] = {}
# The garbage collector may close an endpoint, which takes it, while it is held.
_registry = threading.RLock()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class Session:
    """One session. Every function may be called on any thread."""

    def __init__(self, host: Endpoint, session: SessionID, name: str, dictionary: DataDictionary | None,
                 log: Log, resets: bool) -> None:
        # Weak, so that a program that drops its initiator closes it at once.
        self._host_reference = weakref.ref(host)
        self._session = session
        self._name = name
        self._dictionary = dictionary
        self._log = log
        # The numbers begin at 1 with each logon; messages would be lost with them.
        self._begins_at_one = resets
        self._reset_follows = False
        # Messages that were sent while logged off, for the next logon: MsgType, header, body.
        self._held: list[tuple[str, list[tuple[int, bytes]], bytes]] = []
        self._allowed_resends: dict[str, bool] = {}

    @property
    def _host(self) -> Endpoint:
        host = self._host_reference()
        if host is None:
            raise _errors.SessionNotFound(f"{self._session} went with its initiator or acceptor")
        return host

    # --- For programs ---

    @staticmethod
    def lookupSession(session: SessionID | str, reverse: bool = False) -> Any:
        """The Session of an id, or of a message's text; None if there is none. Programs rarely ask, so it is Any."""
        if isinstance(session, str):
            message = Message(session, False)
            session = message.getSessionID()
            if reverse:
                session = ~session
        return _session_of(session)

    @staticmethod
    def doesSessionExist(session: SessionID) -> bool:
        return Session.lookupSession(session) is not None

    @staticmethod
    def getSessions() -> set[SessionID]:
        with _registry:
            return set(_sessions)

    @staticmethod
    def numSessions() -> int:
        return len(Session.getSessions())

    @staticmethod
    def sendToTarget(message: Message, *to: Any) -> bool:
        """Sends: (message) by its header, (message, qualifier), (message, session) or (message, sender, target[,
        qualifier]). True: it has left; False: it has not, but is sent at the next logon, unless toApp() kept it back.
        Raises SessionNotFound.
        """
        if to and isinstance(to[0], SessionID):
            message.setSessionID(to[0])
            session = to[0]
        else:
            qualifier = ""
            if len(to) >= 2:
                for tag, value in zip((49, 56), to):
                    message.getHeader().setField(tag, value if isinstance(value, str) else value.getString())
                qualifier = to[2] if len(to) > 2 else ""
            elif to:
                qualifier = to[0]
            try:
                session = message.getSessionID(qualifier)
            except _errors.FieldNotFound:
                raise _errors.SessionNotFound() from None
        found = _session_of(session)
        if found is None:
            raise _errors.SessionNotFound()
        return found._send(message)

    def send(self, message: Message) -> bool:
        return self._send(message)

    def getSessionID(self) -> SessionID:
        return self._session

    def logon(self) -> None:
        """Lets the session log on again after logout()."""
        self._host._command("enable", self._name)

    def logout(self, reason: str = "") -> None:
        """Logs out, and stays so until logon()."""
        self._host._command("disable", self._name, reason)

    def disconnect(self) -> None:
        """Closes the connection without a Logout."""
        self._host._command("disconnect", self._name)

    def reset(self) -> None:
        """Logs out, and sets both numbers to 1."""
        with self._host._lock:
            if self._host._ask(False, "is_connected", self._name):
                self._reset_follows = True
                self._host._command("logout", self._name, "")
            else:
                self._host._command("reset", self._name)

    def isEnabled(self) -> bool:
        return bool(self._host._ask(False, "is_enabled", self._name))

    def isLoggedOn(self) -> bool:
        return bool(self._host._ask(False, "is_logged_on", self._name))

    def isInitiator(self) -> bool:
        return self._host._role == "initiator"

    def isAcceptor(self) -> bool:
        return not self.isInitiator()

    def getExpectedSenderNum(self) -> int:
        """The number of our next message."""
        return self._numbers()[0]

    def getExpectedTargetNum(self) -> int:
        """The number of the peer's next message."""
        return self._numbers()[1]

    def _numbers(self) -> tuple[int, int]:
        numbers: tuple[int, int] = self._host._ask((1, 1), "numbers", self._name)
        return numbers

    def setNextSenderMsgSeqNum(self, number: int) -> None:
        self._set_number("set_next_sender_seq", number)

    def setNextTargetMsgSeqNum(self, number: int) -> None:
        self._set_number("set_next_target_seq", number)

    def _set_number(self, command: str, number: int) -> None:
        with self._host._lock:
            if self._host._in_engine:
                self._host._command(command, self._name, number)
            elif not self._host._ask(False, command, self._name, number):
                raise _errors.IOException(f"{self._session}: the number {number} was refused")

    def getLog(self) -> Log:
        return self._log

    # --- Sending ---

    def _send(self, message: Message) -> bool:
        with self._host._lock:
            if self._host._in_engine:
                # Asked for by toAdmin(), or by toApp() of a resend, while the engine writes another message.
                copy = Message(message)
                self._host._deferred.append(lambda: self._send(copy))
                return True
            header = message.getHeader()
            header.removeField(43)
            header.removeField(122)
            header._set_route(self._session)
            header.setField(34, str(self.getExpectedSenderNum()))
            header.setField(52, self._now())
            kind = header.getField(35)
            if Message.isAdminMsgType(kind):
                return self._send_admin(kind, message)
            try:
                self._host._application.toApp(message, self._session)
            except _errors.DoNotSend:
                return False
            return self._send_app(header.getField(35), message)

    def _now(self) -> str:
        return now_text(0 if self._session._parts[0] in ("FIX.4.0", "FIX.4.1") else 3)

    def _send_app(self, kind: str, message: Message) -> bool:
        fields = message.getHeader()
        header = [(tag, _encoded(fields._fields[tag])) for tag in sorted(fields._fields) if tag not in _SESSION_FIELDS]
        sequence = self._send_fields(kind, header, _encoded(message.calculateString()))
        if sequence:
            fields.setField(34, str(sequence))
        return bool(sequence)

    def _send_fields(self, kind: str, header: list[tuple[int, bytes]], body: bytes) -> int:
        """The number that the message has left with; 0: it has not, and is held if the session is logged off."""
        sent = self._host._send(self._name, kind, header, body)
        if sent is not None:
            (status, text, sequence), written = sent
            if status == SendStatus.SENT:
                self._note_outgoing(written)
                return sequence
            if status != SendStatus.NOT_LOGGED_ON:
                _log.error("%s: a message was not sent: %s", self._session, text)
                self._log.onEvent(f"Not sent: {text}")
                return 0
        if not (self._begins_at_one and self._numbers() == (1, 1)):
            self._held.append((kind, header, body))
        return 0

    def _send_held(self) -> None:
        with self._host._lock:
            held, self._held = self._held, []
            for message in held:
                self._send_fields(*message)

    def _send_admin(self, kind: str, message: Message) -> bool:
        """The session itself writes these, so only what a program wants of it is possible."""
        if not self.isLoggedOn():
            return False
        if kind == "1":
            self._host._command("test_peer", self._name)
        elif kind == "5":
            text = message.getField(58) if message.isSetField(58) else ""
            self._host._command("logout", self._name, text)
        else:
            _log.error("%s: 35=%s is the session's own to send", self._session, kind)
            return False
        return True

    def _note_outgoing(self, fields: bytes) -> None:
        """`fields` are those from 35 on."""
        if type(self._log).onOutgoing is not Log.onOutgoing:
            data = b"8=%s\x019=%d\x01%s" % (_encoded(self._session._parts[0]), len(fields), fields)
            text = b"%s10=%03d\x01" % (data, sum(data) % 256)
            self._log.onOutgoing(text.decode("utf-8", "surrogateescape"))

    # --- Hooks, within a turn ---

    def _admin_out(self, written: bytes) -> bytes:
        """Shows a session message to toAdmin(). Returns the fields that it has added to the body."""
        pairs = list(split(written.decode("utf-8", "surrogateescape")))
        message = Message._of([(8, self._session._parts[0]), *pairs], self._dictionary)
        kept = Message(message)
        self._host._call(self._host._application.toAdmin, message, self._session)
        added = FieldMap()
        for tag, value in message._fields.items():
            if tag not in kept._fields:
                added._fields[tag] = value
                if tag in message._groups:
                    added._groups[tag] = message._groups[tag]
        left = sorted({tag for map, before in ((message, kept), (message._header, kept._header))
                       for tag in {*map._fields, *before._fields} - {9, *added._fields}
                       if map._fields.get(tag) != before._fields.get(tag)})
        if left:
            _log.warning("%s: toAdmin() may add fields to the body; left as they were: %s", self._session,
                         ", ".join(map(str, left)))
        more = _encoded(added.calculateString())
        self._note_outgoing(written + more)
        return more

    def _may_resend(self, stored: bytes) -> bool:
        """Shows a stored message to toApp(), as it would leave."""
        message = Message._of(list(split(stored.decode("utf-8", "surrogateescape"))), self._dictionary)
        header = message.getHeader()
        number = header.getField(34)
        # The engine asks twice about some.
        if number not in self._allowed_resends:
            header.setField(43, "Y")
            header.setField(122, header.getField(52))
            header.setField(52, self._now())
            try:
                self._host._application.toApp(message, self._session)
                self._allowed_resends[number] = True
                self._log.onOutgoing(message.toString())
            except _errors.DoNotSend:
                self._allowed_resends[number] = False
        return self._allowed_resends[number]

    # --- What has come ---

    def _take_app(self, received: _affix.Message) -> None:
        message = Message._of(received.items(), self._dictionary)
        if type(self._log).onIncoming is not Log.onIncoming:
            self._log.onIncoming(bytes(received).decode("utf-8", "surrogateescape"))
        try:
            self._host._application.fromApp(message, self._session)
        except _errors.FIXException as fault:
            self._refuse(received, message, fault)
        except Exception:
            _log.exception("%s: fromApp() failed; the session goes on", self._session)
            return
        self._host._command("finish_message", self._name, received._receipt)

    def _refuse(self, received: _affix.Message, message: Message, fault: _errors.FIXException) -> None:
        header = message.getHeader()
        self._log.onEvent(f"Message {header.getField(34)} rejected: {fault}")
        has_business_reject = self._session._parts[0] not in ("FIX.4.0", "FIX.4.1")
        field = getattr(fault, "field", 0)
        if isinstance(fault, (_errors.RejectLogon, _errors.UnsupportedVersion)):
            self._host._command("logout", self._name, str(fault))
        elif isinstance(fault, _errors.UnsupportedMessageType) and has_business_reject:
            self._refuse_business(header, _BUSINESS_UNSUPPORTED_TYPE, "Unsupported Message Type")
        elif isinstance(fault, _errors.FieldNotFound) and has_business_reject:
            self._refuse_business(header, _BUSINESS_FIELD_MISSING, f"Conditionally Required Field Missing ({field})")
        elif isinstance(fault, _errors.UnsupportedMessageType):
            self._host._command("reject", self._name, received, _OTHER, 0, "Unsupported message type")
        elif isinstance(fault, _errors.FieldNotFound):
            self._host._command("reject", self._name, received, _REQUIRED_TAG_MISSING, field, "")
        elif type(fault) in _REASONS:
            self._host._command("reject", self._name, received, _REASONS[type(fault)], field, "")
        else:
            self._host._command("reject", self._name, received, _OTHER, 0, str(fault))

    def _refuse_business(self, header: FieldMap, reason: int, text: str) -> None:
        """Two sides that reject each other's rejects would never end."""
        if header.getField(35) != "j":
            reject = Message()
            reject.getHeader().setField(35, "j")
            for tag, value in ((45, header.getField(34)), (372, header.getField(35)), (380, reason), (58, text)):
                reject.setField(tag, value)
            self._send(reject)

    def _take_admin(self, data: bytes) -> None:
        self._show_admin(data, lambda fault: _log.warning(
            "%s: fromAdmin() raised after the message took effect: %s", self._session, fault))

    def _take_logon(self, data: bytes) -> None:
        refused: list[str] = []
        self._show_admin(data, lambda fault: refused.append(str(fault)))
        if refused:
            self._host._command("refuse_logon", self._name, refused[0])
        else:
            self._host._command("accept_logon", self._name)

    def _show_admin(self, data: bytes, on_fault: Callable[[_errors.FIXException], Any]) -> None:
        text = data.decode("utf-8", "surrogateescape")
        self._log.onIncoming(text)
        message = Message._of(list(split(text)), self._dictionary)
        try:
            self._host._application.fromAdmin(message, self._session)
        except _errors.FIXException as fault:
            on_fault(fault)
        except Exception:
            _log.exception("%s: fromAdmin() failed; the session goes on", self._session)

    def _take_logout(self) -> None:
        if self._reset_follows:
            self._reset_follows = False
            self._host._command("reset", self._name)
            self._host._command("connect", self._name)
        self._host._call(self._host._application.onLogout, self._session)


def _session_of(session: SessionID) -> Session | None:
    with _registry:
        return _sessions.get(session)


def register(session: Session) -> None:
    """Makes it the session of its id, unless another runs or may."""
    with _registry:
        other = _sessions.get(session._session)
        if other is not None and other._host_reference() is not None:
            raise _errors.ConfigError(f"Duplicate Session {session._session}")
        _sessions[session._session] = session


def unregister(session: Session) -> None:
    with _registry:
        if _sessions.get(session._session) is session:
            del _sessions[session._session]
